"""Run the notebooks and keep what their cells put out, for readers: `python docs/tables/run_notebooks.py`."""

import argparse
import sys
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[2] / "notebooks"


def run(notebook: Any) -> Any:
    """The notebook with its outputs; the kernel is the interpreter that runs this script.

    Raises:
        nbclient.exceptions.CellExecutionError: for a cell that raises.
    """
    client = NotebookClient(notebook, timeout=900, record_timing=False, resources={"metadata": {"path": str(FOLDER)}})
    client.create_kernel_manager()
    client.km.kernel_spec.argv[0] = sys.executable
    client.execute()
    return tidied(notebook)


def tidied(notebook: Any) -> Any:
    """The notebook without what depends on the machine: the progress of compiling, and the version of Python."""
    notebook.metadata.language_info = {"name": "python"}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if output.get("name") != "stderr"]
    return notebook


def main() -> None:
    """Run the notebooks that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("notebooks", nargs="*", type=Path, default=sorted(FOLDER.glob("*.ipynb")))
    for path in parser.parse_args().notebooks:
        nbformat.write(run(nbformat.read(path, as_version=4)), path)
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
