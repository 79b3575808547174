"""What helps who is stuck: one hint more, the model answer after trying, the reference in place to go on with."""

import ast
import html
import re
import sys
import textwrap
from collections.abc import Mapping

from helpers.checks import cell
from helpers.course import model_answers, progress, upstream

HINT = re.compile(r"<details>\s*<summary>(.*?)</summary>(.*?)</details>", re.DOTALL)
TRIES = 3  # honest ones, after which the answer is shown
REFERENCE = "<reference {}>"  # what the code of a model answer gives as its file


def hint(exercise: str) -> None:
    """Print one more hint of an exercise of the notebook's chapter; after the last one all again."""
    hints = hints_of(cell.chapter, exercise)
    if not hints:
        print(f"{exercise}: there is no hint. {_known(exercise)}")
        return
    seen = int(_noted(exercise).get("hints", 0)) % len(hints) + 1
    for words in hints[:seen]:
        print(words)
    progress.note(cell.chapter, exercise, hints=seen)
    if seen < len(hints):
        print(f'({len(hints) - seen} more: hint("{exercise}") again)')


def hints_of(chapter: str, exercise: str) -> list[str]:
    """Return the hints in the text before an exercise's cell, as plain text."""
    cells, text = cell.notebook_cells(chapter), ""
    for each in cells:
        if each["cell_type"] == "markdown":
            text = "".join(each["source"])
        elif each.get("id") == exercise:
            return [f"{title}: {_plain(words)}" for title, words in HINT.findall(text)]
    return []


def answer(exercise: str) -> None:
    """Print the model answer and what to notice in it, once the visible cases pass or three honest tries did not."""
    solution, noted = model_answers.find(cell.chapter, exercise), _noted(exercise)
    tries = len(noted.get("tries", []))
    if solution is None:
        print(f"{exercise}: no answer is at hand. {_absent(exercise)}")
    elif not noted.get("passed") and tries < TRIES:
        print(f"{exercise}: try it first. The answer opens when your check passes, or after {TRIES} different tries")
        print(f'(so far {tries}). hint("{exercise}") gives a hint.')
    else:
        print(_without_docstrings(solution.code))
        if solution.notice:
            print(textwrap.fill(f"Notice: {solution.notice}", 100))


def use_reference(exercise: str) -> None:
    """Define the model answer in the notebook, so that later cells run; the progress says so."""
    solution = model_answers.find(cell.chapter, exercise)
    if solution is None:
        print(f"{exercise}: no reference is at hand. {_absent(exercise)}")
        return
    exec(compile(solution.code, REFERENCE.format(exercise), "exec"), sys._getframe(1).f_globals)
    progress.note(cell.chapter, exercise, reference=True)
    print(f"{exercise}: the reference is in place, and the chapter goes on. Come back to it: your own answer counts.")


def is_own(exercise: str, names: Mapping[str, object]) -> bool:
    """Whether what an exercise defines in the notebook is the student's own, and not put there by `use_reference`."""
    defined = upstream.definitions(cell.chapter).get(exercise, [])
    return REFERENCE.format(exercise) not in {_file(names.get(name)) for name in defined}


def _file(value: object) -> str:
    """Return the file that a function's code gives, or the code of a class's first method; "" of other values."""
    if isinstance(value, type):
        value = next((each for each in vars(value).values() if hasattr(each, "__code__")), None)
    code = getattr(value, "__code__", None)
    return code.co_filename if code else ""


def _without_docstrings(code: str) -> str:
    """Return code without the docstrings, which are the specification that the student's own cell holds."""
    lines = code.splitlines(keepends=True)
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            first, last = node.body[0].lineno, node.body[0].end_lineno
            lines[first - 1 : last] = [""] * (last - first + 1)
    return "".join(lines)


def _noted(exercise: str) -> dict:
    return progress.records().get(cell.chapter, {}).get(exercise, {})


def _absent(exercise: str) -> str:
    if exercise not in progress.exercises(cell.chapter):
        return _known(exercise)
    return "In a class the edition has none: ask, or look at the hints and the known mistakes that the check names."


def _known(exercise: str) -> str:
    """Return a line on the exercises there are, where this is none of them."""
    names = progress.exercises(cell.chapter)
    return "" if exercise in names else f"Exercises of {cell.chapter or 'no chapter'}: {', '.join(names) or 'none'}."


def _plain(words: str) -> str:
    """Return a hint without its markup."""
    text = re.sub(r"</?code>|</?pre>", "`", words).strip()
    text = html.unescape(re.sub(r"<[^>]+>", "", text))
    return textwrap.fill(" ".join(text.split()), 100)
