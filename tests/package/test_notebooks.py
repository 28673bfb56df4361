"""The notebooks run from top to bottom in the tests' interpreter, import public modules, and keep their outputs."""

import ast
import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.later import imported_later
from tests.sizes import each_path
from tests.words_of_compiling import without_compiling

with imported_later("nbformat", "nbclient"):
    import nbformat
    from nbclient import NotebookClient

FOLDER = Path(__file__).parents[2] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
PUBLIC = {
    "roborally_env",
    "roborally_env.evaluation",
    "roborally_env.generated",
    "roborally_env.evaluation.grades",
    "roborally_env.replay",
    "roborally_env.review",
    "roborally_env.evaluation.tournament",
    "roborally_env.training.ppo",
}
# what is set behind the cell of parameters, for shorter runs
FEWER = {
    "02_evaluate_bots": "GAMES = 16",
    "03_train_and_inspect": "DECISIONS, RACES, FOLDER = 20_000, 16, FOLDER / 'test'",
    "04_generated": "COURSES = 4",
    "05_look_back": "RACES, SIMULATIONS = 2, 1000",
}
each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)


def code_cells(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def imported(cell: Any) -> set[str]:
    """The modules that a cell imports."""
    nodes = list(ast.walk(ast.parse(cell.source)))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return names | {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}


def run(notebook: Any) -> Any:
    """The notebook with its outputs; the kernel is the interpreter that runs the tests."""
    client = NotebookClient(notebook, timeout=900, resources={"metadata": {"path": str(FOLDER)}})
    client.create_kernel_manager()
    client.km.kernel_spec.argv[0] = sys.executable
    return client.execute()


@pytest.mark.parametrize(
    "path", each_path(NOTEBOOKS, slowly=("02_evaluate_bots", "03_train_and_inspect", "04_generated", "05_look_back"))
)
def test_a_notebook_runs_and_shows_pictures(path: Path) -> None:
    notebook = read(path)
    if importlib.util.find_spec("torch") is None and any("torch" in imported(c) for c in code_cells(notebook)):
        pytest.skip("torch is not installed")
    notebook.cells.append(nbformat.v4.new_code_cell("import sys; print(sys.prefix)"))
    if path.stem in FEWER:
        tags = [cell.metadata.get("tags") for cell in notebook.cells]
        notebook.cells.insert(tags.index(["parameters"]) + 1, nbformat.v4.new_code_cell(FEWER[path.stem]))
    outputs = [output for cell in code_cells(run(notebook)) for output in cell.outputs]
    assert outputs[-1]["text"].strip() == sys.prefix
    assert sum("image/png" in output.get("data", {}) for output in outputs) >= 2
    complaints = [o["text"] for o in outputs if o.get("name") == "stderr" and without_compiling(o["text"])]
    assert not complaints


@each_notebook
def test_a_notebook_is_kept_with_what_its_cells_put_out(path: Path) -> None:
    cells = code_cells(read(path))
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1)), "run: run_notebooks.py"
    outputs = [output for cell in cells for output in cell.outputs]
    assert sum("image/png" in output.get("data", {}) for output in outputs) >= 2
    assert {output.output_type for output in outputs} <= {"stream", "display_data", "execute_result"}
    assert not [output.text for output in outputs if output.get("name") == "stderr"]
    assert path.stat().st_size < 1_000_000


@each_notebook
def test_a_notebook_imports_public_modules(path: Path) -> None:
    modules = set().union(*(imported(cell) for cell in code_cells(read(path))))
    assert {name for name in modules if name.startswith("roborally_env")} <= PUBLIC


@each_notebook
def test_a_notebook_is_in_its_usual_form(path: Path) -> None:
    nbformat.validate(read(path))
    assert read(path).metadata.kernelspec.name == "python3"
