"""What can be asked about a docstring by rule, and where in its text the answer stands."""

import re
from typing import NamedTuple

from helpers.data.docs.document import Document


class Found(NamedTuple):
    """Something that a document says: of which kind, how it can be asked for, and where in its text it stands."""

    kind: str
    forms: tuple[str, ...]
    start: int
    end: int


SWITCH = re.compile(
    r"[`'*:\w]*?[`'*]+(\w+)[`'*]+|(\w+)(?= is (?:not )?(?:True|False|None|set|given|true|false|specified))"
)
DEFAULT = re.compile(
    r"[Dd]efaults?(?: value)?(?: is| to| of)?[ =:]*\s*(``[^`\n]+``|`[^`\n]+`|'[^'\n]*'|\"[^\"\n]*\"|[-\w.]+\w)"
)
NUMPY = re.compile(r"^(?P<name>\*{0,2}\w+(?:, \w+)*) ?: ?(?P<type>.+)\n(?P<told>(?:(?: {4}.*|)\n?)+)", re.M)
GOOGLE = re.compile(r"^ {2,8}(?P<name>\w+) ?(?:\((?P<type>[^)\n]+)\))?: (?P<told>.+(?:\n {6,}\S.*)*)", re.M)
HEADING = re.compile(r"^([A-Z][\w ]+)\n-{3,}$", re.M)
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
VALUE = re.compile(
    r"^\s*[-*]?\s*`*(?:(?P<value>[\w.-]+)|(?P<quoted>['\"][\w.-]+['\"]))`* ?: (?P<told>[^\n.]{8,100})", re.M
)
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
    "Which argument of {n} is for {d}?", "Which parameter sets {d}?", "I want to choose {d}. Which argument do I set?",
    "What do I pass to {n} for {d}?", "Which option of {n} is for {d}?", "How do I choose {d} in {n}?",
    "{d}: which argument of {n}?", "What must I set in {n} for {d}?", "How can I change {d} when I call {n}?",
    "Which keyword of {n} controls {d}?", "How do I tell {n} {d}?", "With which argument do I hand {d} to {n}?",
    "Which parameter of {n} stands for {d}?", "{n}, {d}, how?", "How do I set {d}?",
)  # fmt: skip
ASK_SWITCH = (
    "I want {n} to do this: {d}. Which argument?", "Which argument of {n} makes it {d}?", "How do I get {n} to {d}?",
    "What must I switch on so that {d}?", "How do I make {n} {d}?", "{d}: what do I pass to {n}?",
    "What decides in {n} whether {d}?", "Which switch of {n}: {d}?", "Which flag of {n} means {d}?",
    "What do I set to True for {d}?", "What do I set to False if I do not want {d}?", "Can {n} {d}? How?",
)  # fmt: skip
ASK_NUMBER = (
    "How many {d} by default?", "How many {d} does {n} use if I do not say?", "How many {d} unless told otherwise?",
    "{n}: how many {d}, default?", "How many {d} are there in {n} if I change nothing?",
)  # fmt: skip
ASK_STANDARD = (
    "What is {d} in {n} by default?", "Which {d} does {n} take unless told otherwise?", "{n}: {d}, default value?",
    "What is {d} if I leave it out?", "Which {d} does {n} start from?", "What {d} do I get from {n} without asking?",
    "If I do not choose {d} in {n}, what is it?", "How large is {d} by default?", "{d}, default?",
)  # fmt: skip
ASK_WHETHER = (
    "Does {n} {d} by default?", "What decides by default whether {n} does {d}, True or False?",
    "{n}: {d} unless I say otherwise?", "Will {n} {d} if I set nothing?",
)  # fmt: skip
ASK_VALUE = (
    "What do I pass as {p} of {n}: {d}?", "Which value of {p}: {d}?", "Which {p} of {n} {d}?",
    "I want {d}. Which {p} do I give {n}?", "How do I ask {n} for {d}?", "Which {p} means {d}?",
)  # fmt: skip
ASK_ABSENT = ("How do I set the {p} of {n}?", "How do I pass {p} to {n}?", "What happens in {n} with {p}=True?",
              "Which values may the {p} argument of {n} take?")  # fmt: skip
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


def facts(piece: Document) -> list[Found]:
    """Return all that can be asked about a piece of a document by rule; places are those in `piece.text`."""
    text, head = piece.text, piece.text.find("\n")
    found = [*_signed(piece, head), *_results(text)]
    for pattern in (NUMPY, GOOGLE):
        for m in pattern.finditer(text, head):
            under = HEADING.findall(text, 0, m.start())[-1:]
            if under in ([], ["Parameters"], ["Other Parameters"], ["Attributes"]):
                found += _parameter(m, text)
    summary = text.find(piece.summary) if piece.summary else -1
    if summary >= 0:
        found.append(_found("purpose", ASK_FOR, text, *short(text, summary, summary + len(piece.summary))))
    plain = ("added", ADDED, ASK_ADDED), ("instead", INSTEAD, ASK_INSTEAD), ("used", USED, ASK_USED)
    for kind, pattern, forms in plain:
        found += [_found(kind, forms, text, *m.span("told")) for m in pattern.finditer(text, head)]
    return [f for f in found + _sentences(text, head) if f.end > f.start]


def _found(kind: str, forms: tuple[str, ...], text: str, start: int, end: int, **known: str) -> Found:
    """Return a fact without the marks around its place; `known` goes into the forms."""
    for key, words in known.items():
        forms = tuple(form.replace("{" + key + "}", safe(words)) for form in forms)
    return Found(kind, forms, *trimmed(text, start, end))


def _signed(piece: Document, head: int) -> list[Found]:
    """Return the defaults in the signature, asked for by name and by what the docs say of the parameter."""
    text, found = piece.text, []
    for m in SIGNED.finditer(text, 0, head):
        value, told = m.span("value"), described(re.sub(r"^\([^()]*\)\s*", "", piece.parameters.get(m["name"], "")))
        kind = "none" if m["value"].strip() == "None" else "default"  # every second default is None
        found.append(_found(kind, ASK_DEFAULT, text, *value, p=m["name"]))
        if told and kind == "default":
            found += [_found("standard", standard(told, m["value"]), text, *value, d=bare(told))] * 2
    return found


def standard(told: str, value: str) -> tuple[str, ...]:
    """Return how to ask for a default by what is told of it."""
    if re.match(r"(the )?(maximum |minimum )?number of ", told):
        return ASK_NUMBER
    return ASK_WHETHER if value.strip() in ("True", "False") else ASK_STANDARD


def described(told: str) -> str:
    """Return the first phrase of what is told of a parameter, without the words that it begins with; "" if too long."""
    words = flat(re.split(r"[.;:(]|, (?:if|which|where|default)", told + ".")[0])
    words = re.sub(r"^(The|A|An|Optional|If (?:set to )?True,?(?: then)?|If set,?) ", "", words, flags=re.I)
    return lower(words) if 1 < len(words.split()) <= 16 else ""


def bare(told: str) -> str:
    """Return what is told without "number of", "whether to"."""
    return re.sub(r"^(the )?(maximum |minimum )?number of |^(whether|if) (or not )?(to )?", "", told)


def _parameter(m: re.Match, text: str) -> list[Found]:
    """Return what can be asked about one parameter: its default, its type, its name, its values, what it does."""
    name, told = m["name"].split(",")[0].strip("* "), described(m["told"])
    default = DEFAULT.search(text, *m.span("type")) if m["type"] else None
    default = default or DEFAULT.search(text, *m.span("told"))
    found, at = [], m.start("name") + m["name"].find(name)
    if default:
        found.append(_found("none" if default[1] == "None" else "default", ASK_DEFAULT, text, *default.span(1), p=name))
    if default and told and default[1] != "None":
        found.append(_found("standard", standard(told, default[1]), text, *default.span(1), d=bare(told)))
    if m["type"]:
        end = m.start("type") + (re.search(r",? ?(optional|default)|$", m["type"]).start() or len(m["type"]))
        found.append(_found("type", ASK_TYPE, text, m.start("type"), end, p=name))
    found.append(_found("told", ASK_TOLD, text, *short(text, *first_sentence(text, *m.span("told"))), p=name))
    if told and name not in told.split():
        switch = bool(re.match(r"whether|if ", m["told"], re.I))
        forms = ASK_SWITCH if switch else ASK_WHICH
        found.append(_found("argument", forms, text, at, at + len(name), d=bare(told) if switch else told))
    for v in VALUE.finditer(text, *m.span("told")):
        place = v.span("value") if v["value"] else v.span("quoted")
        found.append(_found("value", ASK_VALUE, text, *place, p=name, d=lower(flat(v["told"]))))
    return found


def _results(text: str) -> list[Found]:
    """Return what can be asked about what comes back and what is raised."""
    found = []
    for m in RETURNS.finditer(text):
        if m["type"]:
            named = re.match(r"\w+ : ", m["type"])
            start = m.start("type") + (named.end() if named else 0)
            found.append(_found("type returned", ASK_RETURN_TYPE, text, start, m.end("type")))
        if m["told"]:
            found.append(_found("returns", ASK_RETURN, text, *short(text, *first_sentence(text, *m.span("told")))))
    for m in (*RAISES.finditer(text), *RAISED.finditer(text)):
        start, end = first_sentence(text, *m.span("told"))
        when = lower(re.sub(r"^(If|When) ", "", flat(text[start:end])))
        found.append(_found("when", ASK_WHEN, text, *short(text, start, end), e=m["error"]))
        found += [_found("error", ASK_ERROR, text, *m.span("error"), c=when)] * 2
    return found


def _sentences(text: str, head: int) -> list[Found]:
    """Return what sentences say: what happens if, when, why, and what something is."""
    found = []
    for m in IF.finditer(text, head):
        switch = SWITCH.match(m["when"])
        if switch:
            a, b = switch.span(1) if switch[1] else switch.span(2)
            place = m.start("when") + a, m.start("when") + b
            found.append(_found("switch", ASK_SWITCH, text, *place, d=lower(flat(m["told"]))))
    for kind, pattern, forms, key in (("if", IF, ASK_IF, "when"), ("then", THEN, ASK_THEN, "then"),
                                      ("why", BECAUSE, ASK_WHY, "then")):  # fmt: skip
        found += [_found(kind, forms, text, *short(text, *m.span("told")), c=lower(flat(m[key])))
                  for m in pattern.finditer(text, head)]  # fmt: skip
    for m in IS.finditer(text, head):
        found.append(_found("is", ASK_IS, text, *short(text, *m.span("told")), v=m["verb"], w=lower(flat(m["what"]))))
    return found


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
