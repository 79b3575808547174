"""writing gradebook, source, submissions, caches, site-packages"""

from ..attack import Attack

OUTSIDE = "the token outside the scratch folder"


def writer(name: str, tries: str, code: str) -> Attack:
    """Return an attack that tries to write outside its scratch folder."""
    return Attack(name, tries, code, shows=OUTSIDE, alone=name == "gradebook")


ATTACKS = [
    writer(
        "gradebook",
        "Gives itself and everybody else other points in the gradebook.",
        """
import sqlite3
with contextlib.closing(sqlite3.connect(COURSE / "gradebook.db", timeout=5)) as db:
    db.execute("update grade set auto_score = 1, manual_score = 1")
    db.execute("insert into student (id, last_name) values (?, ?)", (TOKEN, TOKEN))
    db.commit()""",
    ),
    writer(
        "instructors-notebook",
        "Changes the instructor's notebook.",
        """
for path in COURSE.rglob("source/01_spam/*.ipynb"):
    nb = json.loads(path.read_text())
    nb["metadata"]["left"] = TOKEN
    path.write_text(json.dumps(nb))""",
    ),
    writer(
        "template",
        "Leaves files beside the released notebook and the grader's state.",
        """
for folder in [COURSE, *COURSE.glob("build/*"), *COURSE.glob("release/*")]:
    touch(folder / "left")""",
    ),
    writer(
        "classmates",
        "Adds a file to the submissions of others.",
        """
for folder in [*COURSE.glob("submitted/*-honest/*"), *COURSE.glob("build/*/*-honest/*")]:
    touch(folder / "left.txt")""",
    ),
    writer(
        "results-of-others",
        "Leaves files in the autograded and feedback folders of others.",
        """
for kind in ("autograded", "feedback"):
    for folder in COURSE.glob(f"{kind}/*/01_spam"):
        touch(folder / "left.txt")""",
    ),
    writer(
        "caches",
        "Writes into the grader's caches and its log.",
        """
for path in [*COURSE.rglob("*.log"), *COURSE.glob("build/graded/*.json")]:
    touch(path.with_suffix(".left"))
touch(COURSE / "build" / "cache" / "left")""",
    ),
    writer(
        "site-packages",
        "Leaves a file in site-packages, where every later process would find it.",
        """
import site
touch(pathlib.Path(site.getsitepackages()[0]) / f"{TOKEN}.txt")""",
    ),
    writer(
        "helpers-cache",
        "Leaves a file among the compiled files of the helpers.",
        """
import helpers
touch(pathlib.Path(helpers.__file__).resolve().parent / "__pycache__" / f"{TOKEN}.txt")""",
    ),
    writer(
        "temporary-files",
        "Leaves a file in the folders for temporary files.",
        """
import tempfile
for folder in (tempfile.gettempdir(), "/tmp", "/var/tmp", "/dev/shm"):
    with contextlib.suppress(OSError):
        touch(pathlib.Path(folder) / TOKEN)""",
    ),
    writer(
        "startup-file",
        "Leaves a start-up file in the home folder, which IPython would run for the next student.",
        """
home = pathlib.Path(os.environ.get("IPYTHONDIR") or pathlib.Path.home() / ".ipython")
touch(home / "profile_default" / "startup" / "left.txt")""",
    ),
    writer(
        "kernelspec",
        "Leaves a kernel of its own where Jupyter looks for kernels.",
        """
folder = pathlib.Path(os.environ.get("JUPYTER_DATA_DIR") or pathlib.Path.home() / ".local/share/jupyter")
touch(folder / "kernels" / TOKEN / "kernel.json")""",
    ),
    writer(
        "linked-result",
        "Replaces its notebook by a link that leads out, so that the grader itself writes there.",
        """
CANARY.parent.mkdir(parents=True, exist_ok=True)
for path in [*pathlib.Path().glob("*.ipynb"), pathlib.Path("01_spam.ipynb")]:
    path.unlink(missing_ok=True)
    path.symlink_to(CANARY)""",
    ),
    writer(
        "climbing-link",
        "Leaves links in its working folder that lead out, for a grader that copies or wipes it.",
        """
for name, target in {"up": COURSE, "out": CANARY.parent, "result.json": CANARY}.items():
    with contextlib.suppress(OSError):
        os.symlink(target, name)
os.makedirs("deep/" * 40, exist_ok=True)
os.chmod("deep", 0)""",
    ),
    writer("canary", "Writes a file in another folder by its absolute path.", "touch()"),
]
