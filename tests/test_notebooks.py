"""The notebooks run, and show what they say they show."""

import ast
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))
REPEATABLE = ("tour", "data_set")
"""Those whose results are the same on every machine; training rounds differently."""


def code_cells(notebook: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def shown(cell: nbformat.NotebookNode) -> list[str]:
    """What a reader sees below a cell."""
    found = []
    for output in cell.outputs:
        data = output.get("data", {})
        found.append(data.get("text/html") or data.get("text/plain") or output.get("text", ""))
    return found


def test_there_are_three() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["baselines", "data_set", "tour"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_they_define_nothing(path: Path) -> None:
    cells = code_cells(nbformat.read(path, as_version=4))
    defined = [
        node
        for cell in cells
        for node in ast.walk(ast.parse(cell.source))
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    ]
    assert not defined


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # of the kernel's own libraries
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_they_run(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "1")  # tests run side by side
    stored = nbformat.read(path, as_version=4)
    fresh = nbformat.read(path, as_version=4)
    NotebookClient(fresh, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert any(cell.outputs for cell in code_cells(stored)), "stored without results"
    if path.stem in REPEATABLE:
        for old, new in zip(code_cells(stored), code_cells(fresh), strict=True):
            assert shown(new) == shown(old), old.source
