"""A variant as an edit of an answer that is there already: what differs, and nothing else.

    #~ len(tokens) => len(vocabulary)     a piece of a line by another
    #- line                               whole lines (one block of #-, then one of #+) by others
    #+ other line

Each old piece or block must be in the answer exactly once. What comes out holds only the functions and classes that an
edit touches: the others are those of the solution.
"""

import ast
import re

PIECE, OLD, NEW = "#~ ", "#-", "#+"
ARROW = " => "
EDIT = re.compile(r"((?:^#-.*\n)*)((?:^#\+.*\n)*)(?:^#~ (.*)\n)?", re.MULTILINE)


def is_edit(source: str) -> bool:
    """Whether a variant's text consists of edits alone."""
    return all(line.startswith((PIECE, OLD, NEW)) for line in source.strip().splitlines())


def edited(base: str, edits: str) -> str:
    """Return the definitions of `base` that the edits touch, with the edits made; raises ValueError in one line.

    What else stands at top level in `base`, such as an import, comes along.
    """
    texts = definitions(base)
    touched = {""}
    for old, new in _pairs(edits):
        hits = [name for name, text in texts.items() if old in text]
        if len(hits) != 1 or texts[hits[0]].count(old) != 1:
            raise ValueError(f"{old.strip()!r} is not there exactly once")
        texts[hits[0]] = texts[hits[0]].replace(old, new)
        touched |= set(hits)
    return "\n\n\n".join(text.strip("\n") for name, text in texts.items() if name in touched and text.strip())


def definitions(source: str) -> dict[str, str]:
    """Return the text of each function and class at top level, decorators included, and under "" that of all else."""
    lines = source.split("\n")
    texts = {"": "\n"}
    for node in ast.parse(source).body:
        name = node.name if isinstance(node, ast.FunctionDef | ast.ClassDef) else ""
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
        text = "\n".join([*lines[first - 1 : node.end_lineno], ""])
        texts[name] = texts.get(name, "\n") + text
    return texts


def _pairs(edits: str):
    """Yield what is replaced and by what: blocks of whole lines, and pieces of a line."""
    for old, new, piece in EDIT.findall(f"{edits.strip()}\n"):
        if old or new:
            yield _lines(old), _lines(new)
        if piece:
            yield piece.split(ARROW)


def _lines(block: str) -> str:
    return "\n" + re.sub(r"(?m)^#[-+] ?", "", block)
