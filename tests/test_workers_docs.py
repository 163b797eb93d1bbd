"""The SLURM script of docs/scale.md, run with a `srun` that starts two tasks on this machine."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

DOCUMENT = Path(__file__).parent.parent / "docs" / "scale.md"

SRUN = """#!/bin/bash
"$@" & "$@" & wait
"""


def script() -> str:
    """The script; it writes fewer problems here."""
    found = re.search(r"```bash\n(#!/bin/bash\n.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)
    assert found
    shorter = "--limit 2000 --shard-size 200"
    assert "--limit 100000000" in found[1]
    return found[1].replace("--limit 100000000", shorter)


@pytest.mark.slow
def test_the_slurm_script_runs(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    home, tools = tmp_path / "home", tmp_path / "tools"
    activate = home / "blm" / ".venv" / "bin" / "activate"
    activate.parent.mkdir(parents=True)
    activate.write_text("", encoding="utf-8")
    tools.mkdir()
    (tools / "srun").write_text(SRUN, encoding="utf-8")
    (tools / "srun").chmod(0o755)
    environment = {
        "PATH": f"{tools}:{Path(sys.executable).parent}:{os.environ['PATH']}",
        "HOME": str(home),
        "SCRATCH": str(tmp_path),
        "SLURM_JOB_ID": "1",
        "TMPDIR": str(tmp_path),
    }
    run = subprocess.run(
        ["bash", "-c", script()],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert "2000 problems" in run.stdout
    assert (tmp_path / "agreement" / "manifest.json").exists()
    assert not list(tmp_path.glob("blm-scheduler-*"))
