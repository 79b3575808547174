"""What a docstring says about parameters, results and related names: NumPy's, Google's and Sphinx's styles.

NumPy's style is left to numpydoc; the other two are read line by line. An odd docstring gives empty fields.
"""

import re
import warnings
from typing import NamedTuple

NUMPY_SECTION = re.compile(r"^(Parameters|Returns|Yields|See Also|Attributes|Other Parameters)[ \t]*\n-{3,}", re.M)
# What may come where a summary is missing: "Parameters" with its rule, or "Args:"
FIRST_SECTION = re.compile(r"\w[\w ]*\n-{3,}[ \t]*(?:\n|$)|(?:Args|Arguments|Parameters|Returns|Examples?):+\s*\n")
HEADING = re.compile(r"(?:^[=\-*~#^]{3,}[ \t]*\n)?^[^\n]+\n[=\-*~#^]{3,}[ \t]*(?:\n|$)", re.M)
SECTION = re.compile(r"^(\w[\w ]*):+[ \t]*$")  # "Args:", "Keyword args:", "Example::"
ARGUMENTS = {"args", "arguments", "keyword args", "keyword arguments", "kwargs", "parameters", "params"}
RESULTS = {"returns", "return"}
ENTRY = re.compile(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*) *(?:\(((?:[^()]|\([^()]*\))*)\))? *: *(.*)$")
# ":param int width: how wide", which may run on further indented
FIELD = re.compile(r"^:(param|arg|returns?)(?: [^:\n]*?)??(?: (\*{0,2}\w+))?:[ \t]*(.*(?:\n[ \t]+\S.*)*)", re.M)
# ":func:`~torch.abs`", ":class:`that <torch.Tensor>`", and "`~.Axes.plot`" if there is a dot within
ROLE = re.compile(
    r":(?:py:)?(?:func|class|meth|mod|obj|exc|data):`(?:[^`<]*<)?~?([.\w]+)(?:\(\))?>?`"
    r"|(?<![`:\w])`~?(\.?[A-Za-z_]\w*\.[\w.]+)(?:\(\))?`(?!`)"
)
RULE = re.compile(r"[=\-*~#^]{3,}")
SENTENCE_END = re.compile(r"(?<![A-Z]\.)(?<!e\.g\.)(?<!i\.e\.)(?<!cf\.)(?<!vs\.)(?<=[.!?])\s+(?=[A-Z`*:\"(\[])")
LONGEST_SUMMARY = 300  # characters


class Parsed(NamedTuple):
    """Fields of a docstring; `references` are the names it refers to, as they are written."""

    parameters: dict[str, str]
    returns: str
    references: list[str]


def parse(text: str) -> Parsed:
    """Return what a docstring says about parameters, results and related names."""
    roles = [role or dotted for role, dotted in ROLE.findall(text)]
    if NUMPY_SECTION.search(text):
        parameters, returns, related = _numpy(text)
        return Parsed(parameters, returns, related + roles)
    parameters, returns = _google(text) if "\n" in text else ({}, "")
    fields = FIELD.findall(text) if "\n:" in text else []
    parameters |= {name: _one_line(told) for word, name, told in fields if name and not word.startswith("return")}
    results = [_one_line(told) for word, _, told in fields if word.startswith("return")]
    return Parsed(parameters, returns or " ".join(results), roles)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _described(kind: str, description: str) -> str:
    return _one_line(f"({kind}) {description}" if kind else description)


def _numpy(text: str) -> tuple[dict[str, str], str, list[str]]:
    """Read the sections with numpydoc; one that it refuses gives nothing."""
    from numpydoc.docscrape import NumpyDocString

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # unknown and repeated sections of other people's docstrings
            found = NumpyDocString(text)
    except Exception:  # ValueError, ParseError, IndexError ...: whatever it stumbles over
        return {}, "", []
    entries = [*found["Parameters"], *found["Other Parameters"]]
    parameters = {
        name: _described(entry.type, " ".join(entry.desc))
        for entry in entries
        for name in entry.name.split(", ")  # "x, y : float" describes both
        if name
    }
    results = [_described(entry.type, " ".join(entry.desc)) for entry in found["Returns"] or found["Yields"]]
    related = [name for names, _ in found["See Also"] for name, _ in names]
    return parameters, "\n".join(results), related


def _google(text: str) -> tuple[dict[str, str], str]:
    """Read the indented blocks under "Args:" and "Returns:"."""
    parameters, returns = {}, []
    for title, block in _blocks(text):
        if title in ARGUMENTS:
            parameters |= _entries(block)
        elif title in RESULTS:
            returns.append(_one_line(" ".join(block)))
    return parameters, "\n".join(filter(None, returns))


def _blocks(text: str) -> list[tuple[str, list[str]]]:
    """Return (title in lower case, indented lines below it) of each section."""
    found: list[tuple[str, list[str]]] = []
    indent = -1
    for line in text.splitlines():
        margin = len(line) - len(line.lstrip())
        if line.strip() and margin <= indent:
            indent = -1
        heading = SECTION.match(line.strip()) if indent < 0 else None
        if heading and heading[1].lower() in ARGUMENTS | RESULTS:
            indent = margin
            found.append((heading[1].lower(), []))
        elif indent >= 0:
            found[-1][1].append(line)
    return found


def _entries(block: list[str]) -> dict[str, str]:
    """Return {name: description} of lines "name (type): description", which may run on further indented."""
    margin = min((len(line) - len(line.lstrip()) for line in block if line.strip()), default=0)
    told: dict[str, list[str]] = {}
    name = ""
    for line in block:
        entry = ENTRY.match(line[margin:])
        if entry:
            name = entry[1]
            told[name] = [f"({entry[2]})" if entry[2] else "", entry[3]]
        elif name:
            told[name].append(line)
    return {name: _one_line(" ".join(lines)) for names, lines in told.items() for name in names.split(", ")}


def split_signature(text: str, name: str) -> tuple[str, str]:
    """Return (signature, text without it) of a docstring that opens with "abs(input, *, out=None) -> Tensor".

    Compiled functions state their signature so. Of several lines in a row the first counts; all are cut.
    """
    last = name.rpartition(".")[2]
    if last not in text.partition("(")[0]:
        return "", text
    opening = re.compile(rf"(?:\w+\.)*{re.escape(last)}\s*(?=\()")
    first, match = "", opening.match(text)
    while match:
        end = _closing(text, match.end())
        line_end = (text + "\n").find("\n", end)
        after = text[end:line_end].strip()
        if not end or (after and not after.startswith("->")):
            break
        first = first or _one_line(text[match.end() : line_end]).replace("($self, ", "(").replace("($self", "(")
        text = text[line_end:].lstrip("\n").removeprefix("--\n").lstrip("\n")  # Argument Clinic's rule
        match = opening.match(text)
    return first, text


def _closing(text: str, start: int) -> int:
    """Return the position after the bracket that closes the one at `start`; 0 if there is none nearby."""
    depth = 0
    for i in range(start, min(len(text), start + 2000)):
        depth += (text[i] in "([") - (text[i] in ")]")
        if not depth:
            return i + 1
    return 0


def summarise(body: str) -> str:
    """Return the first sentence before the first section, on one line, without headings; "" if there is none."""
    for paragraph in re.split(r"\n\s*\n", body):
        if FIRST_SECTION.match(paragraph):
            return ""
        words = _one_line(HEADING.sub("", paragraph))
        if words and not RULE.fullmatch(words) and not words.startswith(".. "):
            sentence = SENTENCE_END.split(words, maxsplit=1)[0]
            return sentence if len(sentence) <= LONGEST_SUMMARY else sentence[:LONGEST_SUMMARY].rpartition(" ")[0]
    return ""
