"""Each clause of chapters 01 to 08 that rules a way out: a wrong variant quotes it, which must fail in the audit."""

import ast
import re

import pytest

from autograder import paths
from autograder.authoring.source import Cell, read
from autograder.authoring.variants import variants

CHAPTERS = [chapter for chapter in paths.chapters() if chapter < "09"]
IN_DOCSTRINGS = re.compile(
    r"\b(never|at once|in place|not (to be )?called|do not|by the formula|in tiles|through the model once|"
    r"without (the product|autograd|gradients|a softmax))\b",
    re.IGNORECASE,
)
IN_TEXTS = re.compile(
    r"\b(not to be called|is not called|not with autograd|must not exist|do not use|by the formula|"
    r"without (`str|autograd|torch))",
    re.IGNORECASE,
)
ASIDE = re.compile(r"!\[[^]]*]\([^)]*\)|<details>.*?</details>|\$\$.*?\$\$", re.DOTALL)

NO_CLAUSES = {  # the beginning of a sentence that nobody quotes, and why
    "`StepTrainer` draws pairs and noise": "says what a helper does",
    "Train a model in place": "without it no weight moves, which every case sees",
    "For 128 or more queries and keys": "says how the check looks",
    "the check counts how many": "says how the check looks",
    "- A removed token (logit -inf": "only hidden cases see it: a shown one is missing",
    "Predictions whose *target* is": "says what counts, which the value tells",
}


def words(text: str) -> str:
    return " ".join(text.split())


def sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.:;])\s", words(text))


def docstrings(cell: Cell) -> list[str]:
    nodes = ast.walk(ast.parse(cell.source))
    return [ast.get_docstring(node) or "" for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)]


def clauses(chapter: str) -> list[str]:
    """Return the sentences of a chapter that rule a way out."""
    found = []
    for cell in read(paths.source_text(chapter)):
        if cell.kind == "exercise":
            said = [sentence for text in docstrings(cell) for sentence in sentences(text)]
            found += [sentence for sentence in said if IN_DOCSTRINGS.search(sentence)]
        elif cell.kind == "text":
            found += [sentence for sentence in sentences(ASIDE.sub("", cell.source)) if IN_TEXTS.search(sentence)]
    return found


def is_quoted(sentence: str, quotes: set[str]) -> bool:
    return any(quote in sentence or sentence in quote for quote in quotes)


def unquoted(chapter: str) -> list[str]:
    """Return the clauses that no wrong variant quotes."""
    quotes = {words(variant.clause) for variant in variants(chapter) if variant.clause}
    return [sentence for sentence in clauses(chapter) if not is_quoted(sentence, quotes)]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_way_that_is_ruled_out_has_a_wrong_answer_that_takes_it(chapter):
    assert [sentence for sentence in unquoted(chapter) if not sentence.startswith(tuple(NO_CLAUSES))] == []


def test_each_exception_is_still_one():
    left = [sentence for chapter in CHAPTERS for sentence in unquoted(chapter)]
    assert [beginning for beginning in NO_CLAUSES if not any(s.startswith(beginning) for s in left)] == []
