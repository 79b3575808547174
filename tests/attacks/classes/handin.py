"""odd files and odd notebooks in a hand-in"""

import json
import os
import socket
from pathlib import Path

from ..attack import Attack, Setting

NAME = "01_spam.ipynb"
OTHERS = "others without a grade, or with another"


def chapter(folder: Path) -> Path:
    """Return the folder of the chapter in a student's folder."""
    return folder / "01_spam"


def rewritten(change):
    """Return what rewrites the text of the notebook that lies there."""

    def after(folder: Path, _: Setting) -> None:
        path = chapter(folder) / NAME
        path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8", errors="surrogatepass")

    return after


def pipes(folder: Path, _: Setting) -> None:
    for name in ("timestamp.txt", "00_more.ipynb", "submission_secret.txt", "more.zip"):
        if not os.path.lexists(chapter(folder) / name):
            os.mkfifo(chapter(folder) / name)
    if os.path.lexists(chapter(folder) / "sock.ipynb"):
        return
    with socket.socket(socket.AF_UNIX) as one:
        here = Path.cwd()
        os.chdir(chapter(folder))  # a socket's path may have 107 letters
        one.bind("sock.ipynb")
        os.chdir(here)


def holes(folder: Path, _: Setting) -> None:
    for number in range(18):
        with (chapter(folder) / f"{number:02}.ipynb").open("wb") as file:
            file.truncate(10**12)


def links(folder: Path, setting: Setting) -> None:
    for name, target in {
        "timestamp.txt": setting.course / "secret",
        "other.ipynb": setting.course / "build" / "source" / "01_spam" / NAME,
        "submission_secret.txt": "/etc/hostname",
        "in": setting.course / "submitted" / "zz-honest",
        "loop": chapter(folder),
    }.items():
        (chapter(folder) / name).symlink_to(target)


def deep(folder: Path, _: Setting) -> None:
    place = chapter(folder)
    for _ in range(60):
        place = place / "x"
        place.mkdir(exist_ok=True)
    for number in range(300):
        (chapter(folder) / f"folder-{number}").mkdir(exist_ok=True)


def doubled(text: str) -> str:
    """Every key twice, the second time with another value."""
    points = json.dumps({"grade": True, "points": 1000, "grade_id": "check-rules", "solution": False, "locked": False})
    text = text.replace('"nbgrader": {', f'"nbgrader": {points}, "nbgrader": {{')
    return text.replace("{", '{"cells": [], "metadata": 7, ', 1)


def numbers(text: str) -> str:
    """Numbers that JSON does not have, or that are too long for Python."""
    text = text.replace('"nbformat": 4', '"nbformat": 1e999, "nbformat_minor": NaN, "orig_nbformat": ' + "9" * 5000, 1)
    return text.replace('"points": 6', '"points": Infinity').replace('"points": 7', '"points": -1e400')


def same_ids(nb):
    for cell in nb["cells"]:
        cell["id"] = "rules"


def huge_ids(nb):
    for number, cell in enumerate(nb["cells"]):
        cell["id"] = "check-rules" if number % 2 else "x" * 100_000
        cell["metadata"]["name"] = {"a": [["b"] * 100] * 100}


def odd_types(nb):
    nb["metadata"] = {"kernelspec": {"name": "../../x", "language": ["x"]}, "language_info": {"name": "<b>"}, "x": None}
    for number, cell in enumerate(nb["cells"]):
        cell["execution_count"] = [10**30, "x", {}, -1][number % 4]
        cell["cell_type"] = cell["cell_type"] if number % 3 else [["code"], {"code": 1}, 7][number % 9 // 3]
        cell["outputs"] = [None, {"output_type": "x"}, {"output_type": "display_data", "data": 7}]


def comms(nb):
    html = "<script>/*touched-widgets-and-displays*/</script>"
    view = {"application/vnd.jupyter.widget-view+json": {"model_id": "1"}, "text/html": html, "image/svg+xml": html}
    state = {"1": {"model_name": "HTMLModel", "state": {"value": html}}}
    nb["metadata"]["widgets"] = {"application/vnd.jupyter.widget-state+json": {"state": state}}
    for cell in nb["cells"]:
        if cell["cell_type"] == "code":
            output = {
                "output_type": "display_data",
                "data": view,
                "metadata": {},
                "transient": {"display_id": "x" * 10**4},
            }
            cell["outputs"] = [output, {**output, "output_type": "update_display_data"}]


ATTACKS = [
    Attack(
        "pipes-and-sockets", "Hands in FIFOs and a socket where a date and notebooks belong.", after=pipes, shows=OTHERS
    ),
    Attack(
        "files-of-holes", "Hands in eighteen notebooks of a terabyte, which take no room.", after=holes, shows=OTHERS
    ),
    Attack(
        "links-by-name",
        "Hands in links in place of the date and other files, and a loop.",
        after=links,
        shows="the secret, a solution, or a classmate's points",
    ),
    Attack(
        "folders-in-folders",
        "Hands in folders within folders, and hundreds beside one another.",
        after=deep,
        shows=OTHERS,
    ),
    Attack("keys-twice", "Writes each key of the notebook twice, with full points in one.", after=rewritten(doubled)),
    Attack(
        "numbers-that-are-none", "Writes numbers that JSON does not have into the notebook.", after=rewritten(numbers)
    ),
    Attack(
        "half-characters-in-keys",
        "Writes lone surrogates and NULs into texts, keys and ids of the notebook.",
        after=rewritten(lambda text: text.replace('"metadata": {', '"metadata": {"\\ud800\\u0000": "\\udfff", ')),
        shows=OTHERS,
    ),
    Attack("one-id-for-all", "Gives all cells the id of one exercise.", notebook=same_ids),
    Attack(
        "ids-of-a-megabyte", "Gives every second cell the id of a check, and all others a huge one.", notebook=huge_ids
    ),
    Attack(
        "types-that-are-none", "Gives cells and metadata types that they cannot have.", notebook=odd_types, shows=OTHERS
    ),
    Attack(
        "widgets-and-displays",
        "Hands in outputs of widgets, comms and updates of displays, with a script in each.",
        notebook=comms,
        shows="its markup, alive, in a report",
    ),
    Attack(
        "secret-of-a-classmate",
        "Hands in a secret for its feedback that would lead out of the folder, and dates of the year 1 and 9999.",
        files={
            "01_spam/submission_secret.txt": "../../zz-honest/01_spam/" + "a" * 40,
            "01_spam/timestamp.txt": "0001-01-01 00:00:00 UTC\n9999-12-31 23:59:59 UTC",
        },
        answers="half",
    ),
]
