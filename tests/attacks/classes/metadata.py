"""metadata and tags"""

import copy

from nbformat import NotebookNode
from nbgrader.utils import compute_checksum

from ..attack import Attack


def checks(nb: dict) -> list[dict]:
    """Return the check cells of a notebook."""
    return [c for c in nb["cells"] if c["metadata"].get("nbgrader", {}).get("points") and c["cell_type"] == "code"]


def skip_tags(nb):
    for cell in checks(nb):
        cell["metadata"]["tags"] = ["skip-execution", "show"]


def as_text(nb):
    for cell in checks(nb):
        cell["cell_type"] = "raw"
        cell.pop("outputs"), cell.pop("execution_count")


def more_points(nb):
    for cell in checks(nb):
        cell["metadata"]["nbgrader"]["points"] = 1000


def own_checks(nb):
    for cell in checks(nb):
        meta = cell["metadata"]["nbgrader"]
        cell["source"] = f"float({meta['points']})"
        meta["checksum"] = compute_checksum(NotebookNode(cell | {"metadata": NotebookNode(nbgrader=meta)}))


def saved_outputs(nb):
    for cell in checks(nb):
        points = float(cell["metadata"]["nbgrader"]["points"])
        data = {"output_type": "execute_result", "data": {"text/plain": str(points)}, "metadata": {}}
        cell |= {"execution_count": 1, "outputs": [data | {"execution_count": 1}]}


def taken_labels(nb):
    for cell in checks(nb):
        label = cell["metadata"]["nbgrader"]["grade_id"]
        place = nb["cells"].index(cell)
        meta = {
            "grade": False,
            "grade_id": label,
            "locked": False,
            "schema_version": 3,
            "solution": True,
            "task": False,
        }
        cell["metadata"]["nbgrader"] = meta
        cell["source"] = f"{float(6)}"
        nb["cells"][place] = cell


def second_check(nb):
    for cell in checks(nb):
        copied = copy.deepcopy(cell) | {"id": f"again-{cell['id']}", "source": "6.0"}
        nb["cells"].insert(nb["cells"].index(cell) + 1, copied)


def bonus(nb):
    meta = {"grade": True, "grade_id": "bonus", "locked": True, "points": 50, "schema_version": 3}
    meta |= {"solution": False, "task": False}
    cell = {"cell_type": "code", "id": "bonus", "metadata": {"nbgrader": meta}, "source": "50.0"}
    nb["cells"].append(cell | {"outputs": [], "execution_count": None})


def no_checks(nb):
    for cell in checks(nb):
        nb["cells"].remove(cell)


def no_kernel(nb):
    nb["metadata"]["kernelspec"] = {"name": "no-such-kernel", "display_name": "none", "language": "none"}
    nb["metadata"]["language_info"] = {"name": "none"}


def graders_notes(nb):
    scores = {c["id"]: 6.0 for c in checks(nb)}
    nb["metadata"]["bow2lora"] = {"notes": [], "repairs": [], "scores": scores, "checks": scores}
    for cell in checks(nb):
        cell["metadata"] |= {"bow2lora": {"score": 6.0}, "nbgrader": cell["metadata"]["nbgrader"] | {"score": 6.0}}


def answer_is_check(nb):
    cells = {c["id"]: c for c in nb["cells"]}
    answer, check = cells["rules"], cells["check-rules"]
    answer["metadata"], check["metadata"] = check["metadata"], answer["metadata"]
    answer["id"], check["id"] = check["id"], answer["id"]
    answer["source"] = "score = 6.0\nscore"


ATTACKS = [
    Attack("skip-tags", "Tags the checks so that they are not run: no output was full points.", notebook=skip_tags),
    Attack("checks-as-text", "Turns the checks into raw text, which has no outputs to judge.", notebook=as_text),
    Attack("more-points", "Writes 1000 points into the metadata of each check.", notebook=more_points),
    Attack(
        "own-checks", "Replaces the checks by a number and signs them with a fitting checksum.", notebook=own_checks
    ),
    Attack("saved-outputs", "Hands in checks with full scores already in their outputs.", notebook=saved_outputs),
    Attack(
        "taken-labels",
        "Declares the checks to be answers and writes the score into them.",
        notebook=taken_labels,
        alone=True,
    ),
    Attack(
        "second-check",
        "Adds a second cell with each check's label, which is only a number.",
        notebook=second_check,
        alone=True,
    ),
    Attack("bonus-cell", "Adds a graded cell of its own, worth 50 points.", notebook=bonus, alone=True),
    Attack("no-checks", "Deletes all checks: what is not there cannot fail.", notebook=no_checks),
    Attack("no-kernel", "Names a kernel that does not exist, so that nothing is run.", notebook=no_kernel),
    Attack(
        "graders-notes", "Fills in the metadata in which the grader keeps notes and scores.", notebook=graders_notes
    ),
    Attack("answer-is-check", "Swaps the labels of an answer and its check.", notebook=answer_is_check),
]
