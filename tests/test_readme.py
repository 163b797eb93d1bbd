"""What the README shows is what the program prints."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
SESSIONS = re.findall(r"^```console\n\$ blm (.*?)\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
PYTHON = re.findall(r"^```python\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


def test_the_readme_has_sessions() -> None:
    assert len(SESSIONS) >= 3
    assert PYTHON


@pytest.mark.parametrize(("command", "expected"), SESSIONS)
def test_sessions(command: str, expected: str) -> None:
    script = f"{sys.executable} -m blm {command}"
    result = subprocess.run(
        script, shell=True, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert [line.rstrip() for line in result.stdout.rstrip().splitlines()] == expected.splitlines()


@pytest.mark.parametrize("code", PYTHON)
def test_python_examples(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    exec(compile(code, "README.md", "exec"), {})


def test_the_grammar_shown_is_the_shipped_one() -> None:
    shown = re.search(r"^```blm\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
    assert shown
    shipped = (ROOT / "grammars/agreement/agreement.blm").read_text(encoding="utf-8")
    assert shown[1].strip() in shipped
