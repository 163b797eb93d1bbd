"""What must not load torch; this test itself needs none."""

from __future__ import annotations

import subprocess
import sys

MODULES = "blm, blm.cli, blm.encode, blm.baselines, blm.train, blm.experiment, blm.report"
HEAVY = {"torch", "transformers", "matplotlib", "sklearn"}


def test_importing_loads_nothing_heavy() -> None:
    program = f"import sys, {MODULES}; print(*{{name.split('.')[0] for name in sys.modules}})"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert not HEAVY & set(done.stdout.split())
