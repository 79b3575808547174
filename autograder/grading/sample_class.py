"""A class of invented students for chapter 01, made by script: right and wrong answers, damage, and mischief.

Each function below is one student; its docstring says what the submission shows. What they share is the released
notebook and the solutions.
"""

import copy
import json
from collections.abc import Callable
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autograder import cell_marks, paths
from autograder.authoring.source import SourceError
from autograder.authoring.variants import variants
from autograder.course_secret import SECRET
from helpers.files import write_whole

CHAPTER = "01_spam"

LOOPS = {  # right answers in another style, for exercises without variants
    "judge": """def precision_recall_f1(labels, predictions):
    tp = fp = fn = 0
    for y, p in zip(labels, predictions):
        tp += y == 1 and p == 1
        fp += y != 1 and p == 1
        fn += y == 1 and p != 1
    precision = tp / (tp + fp) if tp + fp else 0.0
    recall = tp / (tp + fn) if tp + fn else 0.0
    total = precision + recall
    return [precision, recall, 2 * precision * recall / total if total else 0.0]""",
    "ngrams": """def ngrams(tokens, n):
    found = []
    for start in range(len(tokens)):
        piece = tokens[start:start + n]
        if len(piece) == n:
            found.append(" ".join(piece))
    return found""",
}

MISTAKES = {  # each is one that people make
    "judge": """def precision_recall_f1(labels, predictions):
    labels, predictions = np.asarray(labels), np.asarray(predictions)
    tp = np.sum(labels * predictions)
    precision, recall = tp / np.sum(predictions), tp / np.sum(labels)
    return precision, recall, (precision + recall) / 2""",
    "vocabulary": """def build_vocabulary(documents, size):
    counts = Counter(token for tokens in documents for token in tokens)
    return [token for token, _ in counts.most_common(size)]


def to_token_ids(tokens, vocabulary):
    return [vocabulary.index(token) if token in vocabulary else -1 for token in tokens]""",
    "ngrams": """def ngrams(tokens, n):
    return [" ".join(tokens[i : i + n]) for i in range(len(tokens) - n)]""",
    "tf": """def term_frequency(tokens, vocabulary, kind="raw"):
    counts = np.array([tokens.count(word) for word in vocabulary], dtype=float)
    if kind == "log":
        return np.log(1 + counts)
    return counts""",
    "idf": """def inverse_document_frequency(counts, kind="log", base=math.e):
    N, containing = counts.shape[0], np.asarray(counts.sum(axis=0)).ravel()
    return {"log1": np.log(N / (containing + 1)),
            "smooth": np.log((N + 1) / (containing + 1)) + 1}.get(kind, np.log(N / containing))""",
}

NOISE = """import warnings
from tqdm import tqdm


def ngrams(tokens, n):
    warnings.warn("I may be slow")
    return [" ".join(tokens[i : i + n]) for i in tqdm(range(len(tokens) - n + 1))]"""

ENDLESS = """def ngrams(tokens, n):
    found, i = [], 0
    while i + n <= len(tokens):
        found.append(" ".join(tokens[i : i + n]))
    return found"""

ESSAY = "The bank's notice is called spam because of *account* and *click*. Counts cannot see who asks for what."


class Material:
    """What every student starts from: the released notebook, and the solutions by exercise."""

    def __init__(self):
        self._released = nbformat.read(paths.release_notebook(CHAPTER), as_version=4)
        source = nbformat.read(paths.source_notebook(CHAPTER), as_version=4)
        exercises = [c for c in source.cells if cell_marks.from_metadata(c) == "exercise"]
        self.solutions = {c.id: cell_marks.SOLUTION.sub("", c.source) for c in exercises}

    def notebook(self, answers: dict[str, str], essays: bool = False) -> NotebookNode:
        """Return a copy of the released notebook with these answers in it."""
        nb = copy.deepcopy(self._released)
        for c in nb.cells:
            c.source = answers.get(c.id, c.source)
            if essays and cell_marks.from_metadata(c) == "essay":
                c.source = ESSAY
        return nb

    def other_way(self) -> dict[str, str]:
        """Return right answers that differ from the solutions: the variants where there are any.

        A variant holds only what differs, so it stands below the solution.
        """
        try:
            others = {v.exercise: v.source for v in reversed(variants(CHAPTER)) if v.right}
        except SourceError:  # an installed package has no tests/variants, a checkout may have a broken one
            others = {}
        whole = {name: f"{self.solutions[name]}\n\n\n{source}" for name, source in others.items()}
        return self.solutions | LOOPS | whole


def ada_right(m: Material) -> NotebookNode:
    """Everything right, essays answered."""
    return m.notebook(m.solutions, essays=True)


def ben_another_way(m: Material) -> NotebookNode:
    """Everything right, written in another way."""
    return m.notebook(m.other_way(), essays=True)


def cleo_half(m: Material) -> NotebookNode:
    """The first half of the exercises."""
    return m.notebook(dict(list(m.solutions.items())[: len(m.solutions) // 2]))


def dan_untouched(m: Material) -> NotebookNode:
    """Handed in as it was handed out."""
    return m.notebook({})


def eve_mistakes(m: Material) -> NotebookNode:
    """Five exercises with mistakes that people make."""
    return m.notebook(m.solutions | MISTAKES, essays=True)


def finn_copied_cell(m: Material) -> NotebookNode:
    """Copied an answer cell before editing it, so two cells have one id (this stops stock nbgrader's batch)."""
    nb = m.notebook(m.solutions)
    at = next(i for i, c in enumerate(nb.cells) if c.id == "tf")
    stub = copy.deepcopy(next(c for c in m.notebook({}).cells if c.id == "tf"))
    nb.cells.insert(at, stub | {"id": "copied"})
    return nb


def gina_deleted_check(m: Material) -> NotebookNode:
    """Deleted a check cell and moved an answer to the end of the notebook."""
    nb = m.notebook(m.solutions)
    nb.cells = [c for c in nb.cells if c.id != "check-bag"]
    nb.cells.append(nb.cells.pop(next(i for i, c in enumerate(nb.cells) if c.id == "judge")))
    return nb


def hugo_renamed_file(m: Material) -> NotebookNode:
    """Everything right, in a file that the browser renamed."""
    return m.notebook(m.solutions)


def ines_endless_function(m: Material) -> NotebookNode:
    """A loop without end inside a function; the rest is right."""
    return m.notebook(m.solutions | {"ngrams": ENDLESS})


def jon_endless_cell(m: Material) -> NotebookNode:
    """A loop without end at the top level of a cell; the rest is right."""
    return m.notebook(m.solutions | {"tf": "while True:\n    pass"})


def kim_broken_cell(m: Material) -> NotebookNode:
    """One cell that imports what is not there, one that does not parse."""
    return m.notebook(m.solutions | {"tf": f"import no_such_module\n{m.solutions['tf']}", "bm25": "def bm25_scores("})


def lea_noisy(m: Material) -> NotebookNode:
    """Right, with warnings and progress bars on stderr (stock nbgrader gives 0 for those)."""
    return m.notebook(m.solutions | {"ngrams": NOISE})


def max_no_labels(m: Material) -> NotebookNode:
    """All metadata and cell ids lost, as after a visit to Colab."""
    nb = m.notebook(m.solutions, essays=True)
    for c in nb.cells:
        c.metadata = NotebookNode()
        del c["id"]
    nb.nbformat_minor = 0
    return nb


def nora_skips_checks(m: Material) -> NotebookNode:
    """Eve's mistakes, and tags that make stock nbgrader skip the checks (and give full points)."""
    nb = eve_mistakes(m)
    for c in nb.cells:
        if cell_marks.from_metadata(c) == "check":
            c.metadata["tags"] = ["skip-execution", cell_marks.SHOW]
    return nb


def omar_dead_kernel(m: Material) -> NotebookNode:
    """Ends the process in the eighth exercise; the others count."""
    return m.notebook(m.solutions | {"tfidf": "import os\nos._exit(0)"})


def pia_empty_file(m: Material) -> None:
    """An upload that broke off: an empty file."""
    return None


STUDENTS: tuple[Callable[[Material], NotebookNode | None], ...] = (
    ada_right, ben_another_way, cleo_half, dan_untouched, eve_mistakes, finn_copied_cell, gina_deleted_check,
    hugo_renamed_file, ines_endless_function, jon_endless_cell, kim_broken_cell, lea_noisy, max_no_labels,
    nora_skips_checks, omar_dead_kernel, pia_empty_file,
)  # fmt: skip
FILES = {"hugo-renamed-file": f"{CHAPTER} (1).ipynb.json"}


def name(student: Callable) -> str:
    """Return the name of a student's folder."""
    return student.__name__.replace("_", "-")


def make(course: Path, students: tuple[Callable, ...] = STUDENTS) -> list[str]:
    """Write the submissions of these students into course/submitted; returns their names.

    The course's secret is a known one, so that the sample class looks the same each time.
    """
    material = Material()
    write_whole(course / SECRET, b"of the sample class\n")
    for student in students:
        file = FILES.get(name(student), f"{CHAPTER}.ipynb")
        path = course / "submitted" / name(student) / CHAPTER / file
        path.parent.mkdir(parents=True, exist_ok=True)
        nb = student(material)
        path.write_text("" if nb is None else json.dumps(nb, indent=1, ensure_ascii=False), encoding="utf-8")
    return [name(s) for s in students]
