"""The notebook runs, and prints what it has kept. `UPDATE=1` keeps what it prints."""

import os
import pathlib

import nbclient
import nbformat

PATH = pathlib.Path(__file__).parent.parent / "cart_pole.ipynb"


def words(cell):
    """The outputs that are text; a rounded zero may have either sign."""
    outputs = cell.get("outputs", [])
    # A kernel may send a text in several parts.
    printed = "".join(output["text"] for output in outputs if output.output_type == "stream")
    shown = [sorted(output["data"].items()) for output in outputs if "data" in output]
    found = [printed, [text for texts in shown for text in texts if "image" not in text[0]]]
    return str(found).replace("-0.", " 0.")


def test_notebook():
    notebook = nbformat.read(PATH, as_version=4)
    kept = [words(cell) for cell in notebook.cells]
    nbclient.NotebookClient(
        notebook, timeout=60, kernel_name="python3", resources={"metadata": {"path": PATH.parent}}
    ).execute()
    if os.environ.get("UPDATE"):
        for cell in notebook.cells:
            cell.metadata = {}
        notebook.metadata["language_info"] = {"name": "python"}
        nbformat.write(notebook, PATH)
        return
    assert [words(cell) for cell in notebook.cells] == kept
    assert sum("image/png" in str(cell.get("outputs")) for cell in notebook.cells) == 2
