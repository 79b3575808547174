"""Questions with passages and answers, made by templates from the fields of the docs: what a reader is tuned on."""

import ast
import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from helpers.data.docs import Document

AROUND = 160  # characters of a passage on each side of its answer
TEMPLATES = {
    "default": (
        "What is the default of {argument} in {name}?",
        "Which value does {argument} of {name} have if I do not pass it?",
    ),
    "type": ("Of which type is the argument {argument} of {name}?", "What do I pass as {argument} to {name}?"),
}


class Instruction(NamedTuple):
    """One example: a question of some kind, a passage of a document, and an answer whose words stand in the passage."""

    kind: str
    question: str
    passage: str
    answer: str


def instructions(documents: Iterable[Document], count: int, most: int, seed: int = 0) -> list[Instruction]:
    """Return `count` instructions (fewer if the documents give no more), drawn without repetition by the seed.

    Of each document at most one of a kind, so that no library with long lists rules the set; and no answer to one kind
    of question comes more often than `most` times, so that none is right by habit.
    """
    rng = np.random.default_rng(seed)
    documents = [document for document in documents if not document.near_copy]
    found: list[Instruction] = []
    often: Counter[tuple[str, str]] = Counter()
    for i in rng.permutation(len(documents)):
        for made in _of(documents[i], rng):
            often[made.kind, made.answer] += 1
            if often[made.kind, made.answer] <= most:
                found.append(made)
        if len(found) >= count:
            return found[:count]
    return found


def _of(document: Document, rng: np.random.Generator) -> list[Instruction]:
    """Return one instruction of each kind that a document allows."""
    made = []
    for kind, known in {"default": defaults(document), "type": _types(document)}.items():
        if known:
            argument, answer = known[rng.integers(len(known))]
            made.append(_instruction(document, kind, argument, answer, rng))
    return [item for item in made if item.passage]


def _instruction(document: Document, kind: str, argument: str, answer: str, rng) -> Instruction:
    template = TEMPLATES[kind][rng.integers(len(TEMPLATES[kind]))]
    sought = f"{argument} : {answer}" if kind == "type" else f"{argument}={answer}"
    text = passage(document.text, sought) or passage(document.text, answer)
    return Instruction(kind, template.format(name=document.name, argument=argument), text, answer)


def passage(text: str, words: str, around: int = AROUND) -> str:
    """Return the part of a text around the first place of some words, white space made single; "" without them."""
    flat = " ".join(text.split())
    start = flat.find(" ".join(words.split())) if words else -1
    if start < 0:
        return ""
    first, last = max(start - around, 0), min(start + len(words) + around, len(flat))
    first = flat.find(" ", first) + 1 if first else 0
    last = flat.rfind(" ", 0, last) if last < len(flat) else last
    return flat[first:last]


def defaults(document: Document) -> list[tuple[str, str]]:
    """Return (argument, default) for each argument of a signature with a plain default."""
    try:
        tree = ast.parse(f"def f{document.signature.partition('->')[0].strip()}: pass").body[0].args
    except SyntaxError:
        return []
    places = tree.posonlyargs + tree.args
    pairs = [*zip(places[len(places) - len(tree.defaults) :], tree.defaults, strict=True)]
    pairs += [*zip(tree.kwonlyargs, tree.kw_defaults, strict=True)]
    return [(a.arg, ast.unparse(v)) for a, v in pairs if isinstance(v, ast.Constant) and len(ast.unparse(v)) < 20]


def _types(document: Document) -> list[tuple[str, str]]:
    """Return (argument, type) where the docs name a type in a few words."""
    found = [(name, re.match(r"\(([^()]{3,40})\)", told)) for name, told in document.parameters.items()]
    return [(name, re.split(", (?:optional|default)", match[1])[0]) for name, match in found if match]
