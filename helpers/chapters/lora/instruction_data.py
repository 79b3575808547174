"""Questions with passages and answers, made by templates from the fields of the docs: what a reader is tuned on."""

import ast
import re
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from helpers.data.docs import Document

MAX_ANSWER = 60  # characters
AROUND = 160  # characters of a passage on each side of its answer
TEMPLATES = {
    "default": (
        "What is the default of {argument} in {name}?",
        "Which value does {argument} of {name} have if I do not pass it?",
    ),
    "type": ("Of which type is the argument {argument} of {name}?", "What do I pass as {argument} to {name}?"),
    "purpose": ("What is {name} for?", "What does {name} do?", "In a few words, what is the use of {name}?"),
    "argument": (
        "Which argument of {name} is this: {words}?",
        "Which parameter do I set in {name}? What I mean: {words}",
    ),
}


class Instruction(NamedTuple):
    """One example: a question of some kind, a passage of a document, and an answer whose words stand in the passage."""

    kind: str
    question: str
    passage: str
    answer: str


def instructions(documents: Iterable[Document], count: int, seed: int = 0) -> list[Instruction]:
    """Return `count` instructions (fewer if the documents give no more), drawn without repetition by the seed.

    The kinds in turn, and of each document at most one of a kind, so that no library with long lists rules the set.
    """
    rng = np.random.default_rng(seed)
    documents = [document for document in documents if not document.near_copy]
    order, found = rng.permutation(len(documents)), []
    for i in order:
        made = _of(documents[i], rng)
        found += [made[k] for k in rng.permutation(len(made))[:2]]
        if len(found) >= count:
            return found[:count]
    return found


def _of(document: Document, rng: np.random.Generator) -> list[Instruction]:
    """Return one instruction of each kind that a document allows."""
    facts = {"default": defaults(document), "type": _types(document), "argument": _arguments(document)}
    made = [("purpose", "", document.summary, "")] if 10 < len(document.summary) <= MAX_ANSWER else []
    for kind, known in facts.items():
        if known:
            made.append((kind, *known[rng.integers(len(known))]))
    return [_instruction(document, *fact, rng) for fact in made if passage(document.text, fact[2])]


def _instruction(document: Document, kind: str, argument: str, answer: str, words: str, rng) -> Instruction:
    template = TEMPLATES[kind][rng.integers(len(TEMPLATES[kind]))]
    question = template.format(name=document.name, argument=argument, words=words)
    sought = words
    if kind == "type":
        sought = f"{argument} : {answer}"
    elif kind == "default":
        sought = f"{argument}={answer}"
    text = passage(document.text, sought or answer) or passage(document.text, answer)
    return Instruction(kind, question, text, answer)


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


def defaults(document: Document) -> list[tuple[str, str, str]]:
    """Return (argument, default, "") for each argument of a signature with a plain default."""
    try:
        tree = ast.parse(f"def f{document.signature.partition('->')[0].strip()}: pass").body[0].args
    except SyntaxError:
        return []
    places = tree.posonlyargs + tree.args
    pairs = [*zip(places[len(places) - len(tree.defaults) :], tree.defaults, strict=True)]
    pairs += [*zip(tree.kwonlyargs, tree.kw_defaults, strict=True)]
    return [(a.arg, ast.unparse(v), "") for a, v in pairs if isinstance(v, ast.Constant) and len(ast.unparse(v)) < 20]


def _types(document: Document) -> list[tuple[str, str, str]]:
    """Return (argument, type, "") where the docs name a type in a few words."""
    found = [(name, re.match(r"\(([^()]{3,40})\)", told)) for name, told in document.parameters.items()]
    return [(name, match[1].split(", optional")[0], "") for name, match in found if match]


def _arguments(document: Document) -> list[tuple[str, str, str]]:
    """Return (argument, argument, the first words said of it) where those are neither short nor long."""
    found = []
    for name, told in document.parameters.items():
        words = re.sub(r"^\([^()]*\)\s*", "", told).split(". ")[0].rstrip(".")
        if 20 <= len(words) <= 120 and name.isidentifier() and name not in words.split():
            found.append((name, name, words))
    return found
