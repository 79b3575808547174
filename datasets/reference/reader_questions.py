"""Questions about the docs, made by rule from the shape of docstrings: what the docs-reader learns from.

The questions of datasets/questions are by other hands; no document that a test question asks about is asked about here.
"""

import dataclasses
import random
import re
from pathlib import Path

import numpy as np
from reader_facts import (
    ASK_ABSENT,
    ASK_DEFAULT,
    ASK_FOR,
    ASK_RETURN,
    ASK_TOLD,
    ASK_TYPE,
    Found,
    facts,
    lower,
)
from reader_rows import Made

from helpers.chapters.lora.sections import sections
from helpers.data import load
from helpers.data.docs import Docs, Document
from helpers.data.questions import span
from helpers.models.word_vectors import WordVectors
from helpers.search.bm25 import BM25
from helpers.words import FREQUENT

MAX_WORDS = 9  # of an answer
SILENT, INVENTED = 0.2, 0.1  # shares of the questions with a passage that does not answer, with names that nobody has
WEIGHTS = {"standard": 4, "default": 2, "argument": 4, "value": 3, "switch": 2, "error": 3, "if": 3, "is": 2,
           "none": 0.5, "told": 0.7, "type": 0.7, "purpose": 1, "added": 0.2, "when": 1}  # fmt: skip
SAME = {
    "parameter": ("argument", "option", "keyword", "setting"), "argument": ("parameter", "option"),
    "returned": ("given back",), "array": ("arrays",), "raised": ("thrown",), "raise": ("throw",),
    "error": ("exception",), "function": ("method", "call"), "specifies": ("sets", "says"),
    "used": ("applied", "taken"),
    "number": ("count", "amount"), "given": ("passed", "provided"), "provided": ("given",), "input": ("inputs",),
    "must": ("has to",), "value": ("setting",), "return": ("give",),
}  # fmt: skip
ALIASES = (("numpy.", "np."), ("torch.nn.functional.", "F."), ("matplotlib.pyplot.", "plt."), ("torch.nn.", "nn."),
           ("matplotlib.axes.Axes.", "ax."), ("scipy.stats.", "stats."), ("sklearn.", ""))  # fmt: skip


class Wording:
    """Puts questions in other words: exchanges some for their neighbours among the docs-vectors."""

    def __init__(self, draw: random.Random):
        self.draw, self.vectors, self.near = draw, WordVectors.load(own=False), {}

    def other(self, word: str) -> str:
        """Return one of the nearest neighbours of a word, or the word."""
        bare = word.strip(".,:?").lower()
        if bare not in self.vectors or bare in FREQUENT or not bare.isalpha():
            return word
        if bare not in self.near:
            self.near[bare] = [w for w, cosine in self.vectors.nearest(bare, 4) if cosine > 0.55 and w.isalpha()]
        return self.draw.choice(self.near[bare]) if self.near[bare] else word

    def named(self, name: str) -> str:
        """Return a name as people write it: whole, short, with an alias, or in words."""
        parts = name.split(".")
        said = re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", parts[-1]).lower()
        alias = next((name.replace(long, brief, 1) for long, brief in ALIASES if name.startswith(long)), name)
        return self.draw.choice([name, name, alias, alias, ".".join(parts[-2:]), parts[-1], parts[-1] + "()", said])

    def asked(self, form: str, name: str) -> str:
        """Return a question: the name in some spelling, some words exchanged, some left out."""
        draw = self.draw
        known = form.replace("{n}", self.named(name))
        share = draw.choice([0.0, 0.0, 0.0, 0.15])
        words = [draw.choice(SAME[w]) if w in SAME and draw.random() < 0.25 else w for w in known.split()]
        words = [self.other(w) if draw.random() < share else w for w in words]
        while len(words) > 14 and draw.random() < 0.75:  # people are brief
            del words[draw.randrange(4, len(words) - 2)]
        question = " ".join(words)
        question = question[:1].upper() + question[1:] if draw.random() < 0.8 else lower(question)
        return question if draw.random() < 0.9 else question.rstrip("?")


def pieces(document: Document) -> list[Document]:
    """Return a document's sections, each as a document of its own with the first 200 characters of the signature."""
    head = document.signature[:200]
    return [dataclasses.replace(document, signature=head, body=part) for part in sections(document.body)]


def questions(documents: list[Document], count: int, seed: int = 0) -> list[Made]:
    """Return `count` shuffled questions, about a third with a passage that does not answer."""
    draw, made = random.Random(seed), []
    wording = Wording(draw)
    siblings: dict[str, list[Document]] = {}
    for document in documents:
        siblings.setdefault(document.module, []).append(document)
    while len(made) < count:
        document = draw.choice(documents)
        piece = draw.choice(pieces(document) or [document])
        found = chosen(piece, draw)
        if found is None or (found.kind == "purpose" and draw.random() < 0.7):  # there would be too many of these
            continue
        if draw.random() < INVENTED:
            made.append(invented(document, piece, documents, draw, wording))
        else:
            question = wording.asked(draw.choice(found.forms), document.name)
            made.append(one(piece, found, question, draw, siblings[document.module]))
    return made


def chosen(piece: Document, draw: random.Random) -> Found | None:
    """Return a fact of a piece of a document: first a kind is drawn, short answers before long ones."""
    kinds: dict[str, list[Found]] = {}
    for found in facts(piece):
        if len(piece.text[found.start : found.end].split()) <= MAX_WORDS:
            kinds.setdefault(found.kind, []).append(found)
    if not kinds:
        return None
    order = sorted(kinds)
    return draw.choice(kinds[draw.choices(order, [WEIGHTS.get(kind, 1.0) for kind in order])[0]])


def one(piece: Document, found: Found, question: str, draw: random.Random, siblings: list[Document]) -> Made:
    """Return the question with its piece, or (a quarter) with one of the same module or document that is silent."""
    words = piece.text[found.start : found.end]
    if draw.random() < SILENT:
        other = draw.choice(siblings)
        silent = [part for part in pieces(other) if words not in part.body and other.name != piece.name]
        if silent:
            return Made(question, passage(draw.choice(silent)), None)
    return Made(question, passage(piece), (found.start - 1, found.end - 1) if found.start > len(title(piece)) else (
        found.start, found.end))  # fmt: skip


def title(piece: Document) -> str:
    """Return name and signature, the first line of a passage."""
    return f"{piece.name}{piece.signature}"


def passage(piece: Document) -> str:
    """Return title and text with one line break between them, as a prompt has them."""
    return f"{title(piece)}\n{piece.body}"


def invented(document: Document, piece: Document, documents: list[Document], draw: random.Random, wording) -> Made:
    """Return a question about an argument that the document lacks, or a function that nobody wrote."""
    other = draw.choice(documents)
    absent = [p for p in other.parameters if p.isidentifier() and p not in document.text and len(p) > 2]
    if absent and draw.random() < 0.6:
        asked = draw.choice(ASK_DEFAULT + ASK_TYPE + ASK_TOLD + ASK_ABSENT).replace("{p}", draw.choice(absent))
        return Made(wording.asked(asked, document.name), passage(piece), None)
    last = other.name.rpartition(".")[2]
    parts = [*re.findall(r"[A-Z]?[a-z]+", last), *re.findall(r"[A-Z]?[a-z]+", document.name.rpartition(".")[2])]
    made = "_".join(draw.sample(parts, min(len(parts), 2))).lower() if parts and draw.random() < 0.5 else last
    name = f"{document.name.rpartition('.')[0]}.{made}"
    parameter = draw.choice([p for p in document.parameters if p.isidentifier()] or ["axis"])
    asked = draw.choice(ASK_FOR + ASK_RETURN + ASK_DEFAULT + ASK_TOLD + ("Which error does {n} raise?",))
    asked = asked.replace("{p}", parameter).replace("{n}", draw.choice([name, name, made]))
    if made in document.text:
        return Made(wording.asked(asked, name), passage(draw.choice(pieces(other) or [other])), None)
    return Made(asked, passage(piece), None)


def by_hand(docs: Docs, seed: int = 0) -> list[Made]:
    """Return the answerable questions of the split valid and those of reader_written.tsv, each with all sections that
    hold the answer, and with some that a search by words takes for the right ones, or of the same document.
    """
    valid = [q for q in load("docs_questions").held_by(docs).splits["valid"] if q.answerable]
    asked = [(q.question, q.answer, ((q.document, q.evidence), *q.also)) for q in valid] + written()
    draw, made = random.Random(seed), []
    parts = [piece for document in docs for piece in pieces(document)]
    scores = BM25([passage(piece) for piece in parts]).scores([question for question, _, _ in asked])
    for (question, answer, places), row in zip(asked, scores, strict=True):
        for name, evidence in places:
            texts = [passage(piece) for piece in pieces(docs[name])]
            found = [(text, told(text, evidence, answer)) for text in texts]
            made += [Made(question, text, place) for text, place in found if place]
        names = [name for name, _ in places]
        near = [parts[i] for i in np.argsort(-row, kind="stable")[:10] if parts[i].name not in names]
        wrong = [passage(piece) for piece in [*near, *pieces(docs[names[0]])]]
        wrong = [text for text in wrong if answer.lower() not in text.lower()]
        made += [Made(question, text, None) for text in draw.sample(wrong, min(2, len(wrong)))]
    return made


def written() -> list[tuple[str, str, tuple[tuple[str, str], ...]]]:
    """Return (question, answer, ((document, answer),)) of the questions that were written for the reader alone."""
    lines = (Path(__file__).parent / "reader_written.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines]
    return [(question, answer, ((document, answer),)) for document, question, answer in rows]


def told(text: str, evidence: str, answer: str) -> tuple[int, int] | None:
    """Return where an answer stands in a text, within its evidence; marks (quotation marks, stars) may stand between.

    Where it stands more than once, the entry of a parameter of that name goes first.
    """
    place = (0, len(text)) if evidence == answer else span(text, evidence)
    words = re.findall(r"\w+|[^\w\s]", answer)
    whole = r"(?<!\w)" + r"[\s`*'\":]*".join(map(re.escape, words)) + (r"(?!\w)" if words[-1].isalnum() else "")
    found = list(re.compile(whole).finditer(text, *place)) if place else []
    entries = [m for m in found if re.match(r" ?[:(]", text[m.end() :]) and not _line_before(text, m.start())]
    return (entries or found)[0].span() if found else None


def _line_before(text: str, place: int) -> str:
    """Return what stands before a place on its line, without blanks."""
    return text[:place].rpartition("\n")[2].strip()
