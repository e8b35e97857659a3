"""The notebook runs, and prints what it has kept."""

import pathlib

import nbclient
import nbformat

PATH = pathlib.Path(__file__).parent.parent / "cart_pole.ipynb"


def words(cell):
    """The outputs that are text; a rounded zero may have either sign."""
    found = []
    for output in cell.get("outputs", []):
        texts = [output["text"]] if output.output_type == "stream" else sorted(output["data"].items())
        found += [text for text in texts if "image" not in text[0]]
    return str(found).replace("-0.", " 0.")


def test_notebook():
    notebook = nbformat.read(PATH, as_version=4)
    kept = [words(cell) for cell in notebook.cells]
    nbclient.NotebookClient(
        notebook, timeout=60, kernel_name="python3", resources={"metadata": {"path": PATH.parent}}
    ).execute()
    assert [words(cell) for cell in notebook.cells] == kept
    assert sum("image/png" in str(cell.get("outputs")) for cell in notebook.cells) == 2
