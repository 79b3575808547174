"""Questions about the docs, made by rule from the shape of docstrings: what the docs-reader learns from.

Each is (question, passage, (start, end) of the answer in the passage, or None where the passage does not hold it).
Only documents of the split "train" are asked about; the questions of datasets/questions are by other hands.
"""

import random
import re
from typing import NamedTuple

from helpers.data.docs.document import Document
from helpers.models.docs_reader import FREQUENT
from helpers.models.word_vectors import WordVectors


class Made(NamedTuple):
    """A question, a passage, and where the answer stands in it."""

    question: str
    passage: str
    answer: tuple[int, int] | None


class Found(NamedTuple):
    """Something that a document says: what can be asked, and where in its text the answer stands."""

    forms: tuple[str, ...]
    start: int
    end: int


DEFAULT = re.compile(
    r"[Dd]efaults?(?: value)?(?: is| to| of)?[ =:]*\s*(``[^`\n]+``|`[^`\n]+`|'[^'\n]*'|\"[^\"\n]*\"|[-\w.]+\w)"
)
NUMPY = re.compile(r"^(?P<name>\*{0,2}\w+(?:, \w+)*) ?: ?(?P<type>.+)\n(?P<told>(?:(?: {4}.*|)\n?)+)", re.M)
GOOGLE = re.compile(r"^ {2,8}(?P<name>\w+) ?(?:\((?P<type>[^)\n]+)\))?: (?P<told>.+(?:\n {6,}\S.*)*)", re.M)
SIGNED = re.compile(r"(?P<name>\w+)(?:: [^=,()]+)? ?= ?(?P<value>[^,()=]+|\(\))(?=[,)])")
RETURNS = re.compile(r"^(?:Returns|Yields)\n-+\n(?:(?P<type>\S.*)\n)?(?P<told> {4}.+(?:\n {4}.+)*)?", re.M)
RAISES = re.compile(r"^(?P<error>\w+(?:Error|Warning|Exception))\n(?P<told> {4}.+(?:\n {4}.+)*)", re.M)
RAISED = re.compile(
    r"[Rr]aises? (?:an? |the )?[`:~.\w]*?(?P<error>\b\w+(?:Error|Warning|Exception))`* "
    r"(?:if|when) (?P<told>[^.]{6,120})\."
)
ADDED = re.compile(r"versionadded:: (?P<told>[\d.]+)")
INSTEAD = re.compile(r"[Uu]se (?P<told>[`:~\w.()]+) instead")
IF = re.compile(r"\b(?:If|When) (?P<when>[^,.;:()]{6,90}), (?P<told>[^.;]{6,140})[.;]")
THEN = re.compile(r"(?P<then>[A-Z][^.,;:()]{8,90}) (?:if|when|unless) (?P<told>[^.;]{6,110})[.;]")
BECAUSE = re.compile(
    r"(?P<then>[A-Z][^.;:()]{10,110}?),? (?:because|since|so that|in order to) (?P<told>[^.;]{6,120})\."
)
IS = re.compile(
    r"\b(?P<what>(?:The|This|Each|Any|A|An) [\w`'. -]{3,45}?) "
    r"(?P<verb>must be|should be|can be|will be|is|are|has|contains|"
    r"specifies|determines|controls|returns|means|uses|requires|takes|accepts) (?P<told>[^.,;:]{4,110})[.,;]"
)
USED = re.compile(r"\b(?:[Uu]sed to|[Uu]seful for|[Uu]sed for|[Uu]seful to) (?P<told>[^.;,]{8,110})[.;,]")
SENTENCE = re.compile(r"[A-Z][^.\n]*(?:\n(?!\n)[^.\n]+){0,3}\.")

ASK_DEFAULT = (
    "What is the default of {p} in {n}?", "What is the default value of the {p} parameter of {n}?",
    "Which value does {p} take in {n} if I do not give it?", "What does {p} default to in {n}?",
    "In {n}, what is {p} by default?", "What is {n}'s default {p}?", "Which {p} does {n} use by default?",
    "How is {p} set by default in {n}?", "If nothing is passed for {p} in {n}, what is used?",
    "What value is used for {p} when it is left out of a call to {n}?",
)  # fmt: skip
ASK_TYPE = (
    "What type is the argument {p} of {n}?", "What kind of value does {n} expect for {p}?",
    "Which types may {p} of {n} have?", "What can be passed as {p} to {n}?", "What should {p} be in {n}?",
    "What shape or type must {p} have for {n}?",
)  # fmt: skip
ASK_TOLD = (
    "What does the parameter {p} of {n} do?", "What is {p} in {n}?", "What does {p} mean in {n}?",
    "What is the argument {p} of {n} for?", "What does {p} control in {n}?", "What does {n} use {p} for?",
    "What does {p} specify when calling {n}?",
)  # fmt: skip
ASK_WHICH = (
    "Which argument of {n} {d}?", "Which parameter {d}?", "I want {d}. Which argument do I set?",
    "What do I pass to {n} for {d}?", "Which option is for {d}?", "How do I choose {d}?", "{d}: which argument?",
    "What must I set in {n} for {d}?", "How can I change {d} when I call {n}?", "Which keyword of {n} controls {d}?",
    "What do I turn on for {d}?", "How do I tell {n} about {d}?", "{d}: what do I give?",
)  # fmt: skip
ASK_SWITCH = (
    "I want that {d}. Which argument?", "Which argument of {n} makes that {d}?", "What must I switch on so that {d}?",
    "What do I turn on so that {d}?", "How do I get {n} to do this: {d}?", "{d}: what do I pass?",
    "What decides in {n} whether {d}?", "How can I make sure that {d}?", "Which setting means that {d}?",
)  # fmt: skip
ASK_CODE = (
    "What do I use: {d}?", "How do I do this: {d}?", "{d}: which name?", "What is it that {d}?", "Which function {d}?",
    "Which attribute or method {d}?", "{d}: what is there for it?", "How can I {d}?", "Which value {d}?",
)  # fmt: skip
ASK_RETURN = (
    "What does {n} return?", "What is returned by {n}?", "What do I get back from {n}?", "What is the result of {n}?",
    "What is the return value of {n}?", "What does calling {n} give?",
)  # fmt: skip
ASK_RETURN_TYPE = (
    "What type does {n} return?",
    "Of which type is the result of {n}?",
    "What kind of object does {n} give back?",
)
ASK_WHEN = (
    "When does {n} raise {e}?", "Under what condition does {n} raise a {e}?", "Why would {n} raise {e}?",
    "What makes {n} raise a {e}?", "In which case is {e} raised by {n}?",
)  # fmt: skip
ASK_ERROR = (
    "Which error does {n} raise if {c}?", "What is raised by {n} when {c}?",
    "Which exception do I get from {n} if {c}?",
    "What error is raised when {c}?", "Which exception does {n} raise?", "What error can {n} raise?",
)  # fmt: skip
ASK_FOR = (
    "What does {n} do?", "What is {n} for?", "What is the purpose of {n}?", "What is {n}?",
    "What happens when I call {n}?",
    "What can I do with {n}?", "In one sentence, what does {n} do?",
)  # fmt: skip
ASK_ADDED = ("In which version was {n} added?", "Since which version is {n} there?", "When was {n} introduced?")
ASK_INSTEAD = ("What should be used instead of {n}?", "What replaces {n}?", "What is recommended in place of {n}?")
ASK_IF = (
    "What happens in {n} if {c}?", "What does {n} do when {c}?", "What happens if {c}?", "In {n}, what if {c}?",
    "What is the effect in {n} when {c}?", "What does {n} do if {c}?",
)  # fmt: skip
ASK_THEN = (
    "When {c}?", "Under what condition {c}?", "In {n}, when {c}?", "In which case {c}?",
    "When is it true for {n} that {c}?",
)  # fmt: skip
ASK_WHY = ("Why {c}?", "For what reason {c}?", "In {n}, why {c}?", "What is the reason in {n} that {c}?")
ASK_IS = (
    "What {v} {w}?", "What {v} {w} in {n}?", "In {n}, what {v} {w}?", "Tell me what {w} {v} in {n}.",
    "How does {n} describe {w}?", "What {v} {w} of {n}?",
)  # fmt: skip
ASK_USED = (
    "What is {n} used for?",
    "What is {n} useful for?",
    "When would I use {n}?",
    "For which purpose is {n} used?",
)
SAME = {
    "parameter": ("argument", "option", "keyword", "setting"), "argument": ("parameter", "option"),
    "returned": ("given back",), "array": ("arrays",), "raised": ("thrown",), "raise": ("throw",),
    "error": ("exception",), "function": ("method", "call"), "specifies": ("sets", "says"),
    "used": ("applied", "taken"),
    "number": ("count", "amount"), "given": ("passed", "provided"), "provided": ("given",), "input": ("inputs",),
    "default": ("standard",), "must": ("has to",), "value": ("setting",), "return": ("give",),
}  # fmt: skip


def facts(document: Document) -> list[Found]:
    """Return all that can be asked about a document by rule; places are those in `document.text`."""
    text, found = document.text, []

    def add(forms, start, end, **known):
        start, end = trimmed(text, start, end)
        if end > start and end - start < 260:
            found.append(Found(tuple(f.format(n="{n}", **known) if known else f for f in forms), start, end))

    head = text.find("\n")
    for m in SIGNED.finditer(text, 0, max(head, 0)):
        add(ASK_DEFAULT, *m.span("value"), p=m["name"])
    for pattern in (NUMPY, GOOGLE):
        for m in pattern.finditer(text, max(head, 0)):
            _parameter(m, text, add)
    for m in RETURNS.finditer(text):
        if m["type"]:
            add(ASK_RETURN_TYPE, *m.span("type"))
            named = re.match(r"\w+ : ", m["type"])
            if named:
                add(ASK_RETURN_TYPE, m.start("type") + named.end(), m.end("type"))
        if m["told"]:
            add(ASK_RETURN, *first_sentence(text, *m.span("told")))
    for m in (*RAISES.finditer(text), *RAISED.finditer(text)):
        start, end = first_sentence(text, *m.span("told"))
        add(ASK_WHEN, *short(text, start, end), e=m["error"])
        add(ASK_ERROR, *m.span("error"), c=lower(re.sub(r"^(If|When) ", "", flat(text[start:end]))))
    if document.summary and text.find(document.summary) >= 0:
        start = text.find(document.summary)
        add(ASK_FOR, start, start + len(document.summary))
    for pattern, forms in ((ADDED, ASK_ADDED), (INSTEAD, ASK_INSTEAD), (USED, ASK_USED)):
        for m in pattern.finditer(text):
            add(forms, *m.span("told"))
    for m in IF.finditer(text, max(head, 0)):
        switch = re.match(
            r"[`'*:\w]*?[`'*]+(\w+)[`'*]+|(\w+)(?= is (?:not )?(?:True|False|None|set|given|true|false|specified))",
            m["when"],
        )
        if switch:
            place = switch.span(1) if switch[1] else switch.span(2)
            add(ASK_SWITCH, m.start("when") + place[0], m.start("when") + place[1], d=safe(lower(flat(m["told"]))))
    for pattern, forms, key in ((IF, ASK_IF, "when"), (THEN, ASK_THEN, "then"), (BECAUSE, ASK_WHY, "then")):
        for m in pattern.finditer(text, max(head, 0)):
            add(forms, *short(text, *m.span("told")), c=safe(lower(flat(m[key]))))
    for m in IS.finditer(text, max(head, 0)):
        add(ASK_IS, *short(text, *m.span("told")), v=m["verb"], w=safe(lower(flat(m["what"]))))
    return found


def _parameter(m: re.Match, text: str, add) -> None:
    """Add what can be asked about one parameter: its default, its type, what it does."""
    name = m["name"].split(",")[0].strip("* ")
    told = DEFAULT.search(text, *m.span("type")) if m["type"] else None
    told = told or DEFAULT.search(text, *m.span("told"))
    if told:
        add(ASK_DEFAULT, *told.span(1), p=name)
    if m["type"]:
        end = m.start("type") + (re.search(r",? ?(optional|default)|$", m["type"]).start() or len(m["type"]))
        add(ASK_TYPE, m.start("type"), end, p=name)
    start, end = first_sentence(text, *m.span("told"))
    add(ASK_TOLD, *short(text, start, end), p=name)
    described = safe(lower(re.sub(r"^(The|A|An|Whether to|If True,?) ", "", flat(text[start:end]))))
    for _ in range(2 * bool(described)):  # the way people ask most: they know what they want, not what it is called
        at = m.start("name") + m["name"].find(name)
        add(ASK_WHICH, at, at + len(name), d=described)


CODE = re.compile(
    r"``[^`\n]+``|`[\w.()]+`|\b\w+\(\)|'[\w-]+'|\b\w+(?:Error|Warning|Exception)\b"
    r"|\b\w+_\w+\b|(?<= )\d[\d.e+-]*\b|\bNone\b|\bTrue\b|\bFalse\b"
)


def coded(document: Document, draw: random.Random) -> Found | None:
    """Return a sentence with a name or a number in it, asked back: that is the answer."""
    head = len(document.text) - len(document.body)
    found = [(m, c) for m in SENTENCE.finditer(document.body) if len(m.group()) < 300 for c in CODE.finditer(m.group())]
    found = [(m, c) for m, c in found if ">>>" not in m.group()]
    if not found:
        return None
    m, c = draw.choice(found)
    rest = flat(m.group()[: c.start()] + " " + m.group()[c.end() :]).strip(".,;: ")
    words = [w for w in rest.split() if draw.random() < 0.8]
    question = safe(lower(" ".join(words)))
    start, end = trimmed(document.text, head + m.start() + c.start(), head + m.start() + c.end())
    return Found(tuple(f.replace("{d}", question) for f in ASK_CODE), start, end) if end > start else None


def cloze(document: Document, draw: random.Random) -> Found | None:
    """Return a sentence asked back: some of its words are the answer, most of the others the question."""
    sentences = [
        m for m in SENTENCE.finditer(document.body) if 8 <= len(m.group().split()) <= 40 and ">>>" not in m.group()
    ]
    if not sentences:
        return None
    m = draw.choice(sentences)
    words, at = list(re.finditer(r"\S+", m.group())), m.start() + len(document.text) - len(document.body)
    size = draw.randint(1, min(9, len(words) - 5))
    first = draw.randint(1, len(words) - size)
    rest = [w.group() for i, w in enumerate(words) if not first <= i < first + size and draw.random() < 0.75]
    question = safe(flat(" ".join(rest))).strip(".,;: ")
    start, end = at + words[first].start(), at + words[first + size - 1].end()
    start, end = trimmed(document.text, start, end)
    forms = (f"What {lower(question)}?", f"Which {lower(question)}?", f"In {{n}}, what {lower(question)}?")
    return Found(forms, start, end) if end > start else None


def first_sentence(text: str, start: int, end: int) -> tuple[int, int]:
    """Return where the first sentence of a part begins and ends."""
    stop = re.compile(r"[.;](?=\s|$)|\n\s*\n").search(text, start, end)
    return start, stop.start() if stop else end


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the place without blanks, backticks and stops around it."""
    part = text[start:end]
    left = len(part) - len(part.lstrip(" \n`'\""))
    return start + left, start + len(part.rstrip(" \n`'\".,;:~"))


def flat(text: str) -> str:
    """Return the text on one line, without markup."""
    return " ".join(re.sub(r":\w+:|[`*]", "", text).split())


def short(text: str, start: int, end: int) -> tuple[int, int]:
    """Return where the first few words of a part stand: up to the end of a phrase, if there is one."""
    start = (
        re.compile(r"(?:\s*(?:then |it |this |will be |must be |is |are |the function |be |The |A |An )\s*)?")
        .match(text, start, end)
        .end()
    )
    stop = re.compile(r"\S\s+\S+(?=,? (?:that|which|and|or|for|when|if|where|unless|with|from|because)\s)").search(
        text, start, end
    )
    end = stop.end() if stop and len(text[start : stop.end()].split()) <= 9 else end
    words = list(re.finditer(r"\S+", text[start:end]))[:8]
    return start, start + words[-1].end() if words else end


def lower(text: str) -> str:
    """Return the text with a small first letter, unless it begins with an abbreviation."""
    return text[:1].lower() + text[1:] if text[1:2].islower() or text[:2] in ("A ", "I ") else text


def safe(text: str) -> str:
    """Return the text without braces, which `format` would read."""
    return text.replace("{", "").replace("}", "")


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
            self.near[bare] = [w for w, cosine in self.vectors.nearest(bare, 5) if cosine > 0.5 and w.isalpha()]
        return self.draw.choice(self.near[bare]) if self.near[bare] else word

    def asked(self, form: str, name: str) -> str:
        """Return a question: the name long, short, in words or not at all, some words exchanged, some left out."""
        draw, parts = self.draw, name.split(".")
        if "{n}" in form:
            said = re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", parts[-1]).lower()
            spelt = [name, name, ".".join(parts[-2:]), parts[-1], parts[-1] + "()", said, "it", "the function"]
            form = form.replace("{n}", draw.choice(spelt))
        share = draw.choice([0.0, 0.1, 0.25, 0.4])
        words = [draw.choice(SAME[w]) if w in SAME and draw.random() < 0.25 else w for w in form.split()]
        words = [self.other(w) if draw.random() < share else w for w in words]
        while len(words) > 12 and draw.random() < 0.75:  # people are brief
            del words[draw.randrange(4, len(words) - 2)]
        question = " ".join(words)
        question = question[:1].upper() + question[1:] if draw.random() < 0.8 else lower(question)
        return question if draw.random() < 0.95 else question.rstrip("?")


def passage_around(document: Document, start: int, end: int, draw: random.Random, most: int) -> tuple[str, int]:
    """Return a piece of a document's text of about `most` characters that holds the place, and by how much it moved.

    It begins with the name, as the chunks of chapter 08 do, and is cut at the ends of lines.
    """
    text = document.text
    if end <= most:
        return text[: line_end(text, most)], 0
    room = most - (end - start)
    begin = line_start(text, max(0, start - draw.randint(0, max(1, room))))
    piece = text[begin : line_end(text, max(begin + most, end))]
    title = f"{document.name}\n"
    return title + piece, len(title) - begin


def line_start(text: str, place: int) -> int:
    """Return where the line of a place begins."""
    return text.rfind("\n", 0, place) + 1


def line_end(text: str, place: int) -> int:
    """Return where the line of a place ends."""
    found = text.find("\n", place)
    return len(text) if found < 0 else found


def questions(documents: list[Document], seed: int = 0, each: int = 3) -> list[Made]:
    """Return shuffled questions: up to `each` for each document, a third with a passage that does not answer."""
    draw, made = random.Random(seed), []
    wording = Wording(draw)
    siblings: dict[str, list[Document]] = {}
    for document in documents:
        siblings.setdefault(document.module, []).append(document)
    for document in documents:
        for found in chosen(document, draw, each):
            question = wording.asked(draw.choice(found.forms), document.name)
            made.append(one(document, found, question, draw, siblings))
    draw.shuffle(made)
    return made


def chosen(document: Document, draw: random.Random, each: int) -> list[Found]:
    """Return some facts of a document, of different kinds where it has them."""
    kinds: dict[tuple, list[Found]] = {}
    for found in facts(document):
        kinds.setdefault(found.forms[0].split("{")[0][:14], []).append(found)
    picked = [draw.choice(kinds[k]) for k in draw.sample(sorted(kinds), min(each, len(kinds)))]
    extra = [cloze(document, draw) if draw.random() < 0.25 else None, coded(document, draw)]
    return picked + [found for found in extra if found]


def one(document: Document, found: Found, question: str, draw: random.Random, siblings: dict) -> Made:
    """Return the question with a passage: the right one, or (a third) another of the same module or document."""
    most = draw.choice([200, 300, 400, 500])
    passage, moved = passage_around(document, found.start, found.end, draw, most)
    answer = (found.start + moved, found.end + moved)
    if draw.random() > 0.36:
        return Made(question, passage, answer)
    words, others = document.text[found.start : found.end], siblings[document.module]
    if draw.random() < 0.4:  # the right document, the wrong place
        gone = passage[: answer[0]].rstrip().rpartition("\n")[0] + passage[line_end(passage, answer[1]) :]
        if len(gone) > 80 and words not in gone:
            return Made(question, gone, None)
    other = draw.choice(others) if len(others) > 1 and draw.random() < 0.8 else None
    if other is None or other is document or words in other.text:
        return Made(question, passage, answer)
    place = draw.randrange(max(1, len(other.text)))
    return Made(question, passage_around(other, place, place + 1, draw, most)[0], None)
