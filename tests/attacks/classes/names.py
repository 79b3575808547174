"""path tricks in names"""

from ..attack import Attack

GENEROUS = "def graded(exercise, points):\n    return lambda cases: float(points)\n"
OTHERS = "others without a grade, or with another"


def climbing_ids(nb):
    for number, cell in enumerate(c for c in nb["cells"] if "nbgrader" not in c["metadata"]):
        cell["id"] = f"../../../{number}"
        cell["source"] = cell["source"] + "\n"


def strange_labels(nb):
    for cell in nb["cells"]:
        meta = cell["metadata"].get("nbgrader")
        if meta and meta["solution"] and cell["cell_type"] == "code":
            meta["grade_id"] = f"../../../../zz-honest/{meta['grade_id']}"


ATTACKS = [
    Attack(
        "linked-classmate",
        "Hands in a link to a classmate's notebook.",
        links={"01_spam/01_spam.ipynb": "submitted/zz-honest/01_spam/01_spam.ipynb"},
    ),
    Attack(
        "linked-folder", "Hands in a link to a classmate's folder.", links={"01_spam": "submitted/zz-honest/01_spam"}
    ),
    Attack(
        "linked-solutions",
        "Hands in a link to the instructor's notebook with the solutions.",
        links={"01_spam/01_spam.ipynb": "build/source/01_spam/01_spam.ipynb"},
        alone=True,
    ),
    Attack(
        "own-helpers",
        "Hands in a package `helpers` beside the notebook, which would be imported first.",
        files={
            "01_spam/helpers/__init__.py": "",
            "01_spam/helpers/checks/__init__.py": GENEROUS,
            "01_spam/helpers/checks.py": GENEROUS,
        },
    ),
    Attack(
        "own-libraries",
        "Hands in numpy.py, re.py and sitecustomize.py beside the notebook.",
        answers="half",
        files={f"01_spam/{n}.py": "import sys\nsys.exit(0)\n" for n in ("numpy", "sitecustomize", "usercustomize")}
        | {
            "01_spam/.ipython/profile_default/startup/00.py": "raise SystemExit",
            "01_spam/ipython_config.py": "raise SystemExit",
            "01_spam/nbgrader_config.py": "raise SystemExit",
        },
    ),
    Attack(
        "folder-as-option",
        "Takes a folder name that a command would read as an option.",
        folder="--help",
        shows=OTHERS,
        alone=True,
    ),
    Attack(
        "folder-as-pattern",
        "Takes a folder name that as a pattern fits everybody's.",
        folder="[!.]*",
        shows=OTHERS,
        alone=True,
    ),
    Attack(
        "folder-as-command",
        "Takes a folder name that a shell would run.",
        folder="a;touch touched;$(touch touched)`",
        shows=OTHERS,
    ),
    Attack(
        "folder-with-a-line-end",
        "Takes a folder name of two lines, the second a line of the report.",
        folder="line\nzz-honest  0 of 80",
        shows=OTHERS,
        alone=True,
    ),
    Attack(
        "name-of-a-classmate",
        "Takes a classmate's name with a letter that looks the same.",
        folder="zz-h\u043enest",
        shows=OTHERS,
    ),
    Attack("folder-of-many-letters", "Takes the longest folder name that there is.", folder="n" * 255, shows=OTHERS),
    Attack("climbing-ids", "Gives cells ids that lead out of the folder.", notebook=climbing_ids, shows=OTHERS),
    Attack(
        "strange-labels",
        "Gives answers labels that lead into a classmate's folder.",
        answers="half",
        notebook=strange_labels,
        shows=OTHERS,
        alone=True,
    ),
    Attack(
        "date-of-the-future",
        "Hands in a timestamp that is no date.",
        files={"01_spam/timestamp.txt": "9" * 10_000 + "-01-01 00:00:00 UTC\n"},
        shows=OTHERS,
    ),
]
