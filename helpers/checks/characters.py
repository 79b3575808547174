"""Why a cell does not parse, in words: characters of another keyboard, which look right and are not.

line 4 holds U+00A0 (a blank that Python does not take)
line 1 holds U+201C (a typographic quotation mark; Python takes " and ')
"""

import ast
import re
import unicodedata
import warnings

IPYTHON = re.compile(r"(?m)^([^\S\n]*)(?:[%!?].*|[\w.*%]+\?{1,2}[^\S\n]*)$")  # %magic, !command, ?name, name?
ASSIGNED = re.compile(r"(?m)^([^=\n]+=)[^\S\n]*[%!].*$")  # files = !ls
PYTHON_CELLS = re.compile(r"\s*%%(time|timeit|capture|prun)\b.*")  # cell magics below which there is Python
NAMED = re.compile(r"invalid (?:non-printable )?character .*?U\+([0-9A-F]{4,6})")
QUOTES = "\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u2039\u203a\u00ab\u00bb\u00b4\u2032\u2033"
TWINS = {"'": "\u2018\u2019\u00b4\u2032", '"': "\u201c\u201d\u201e\u2033"}  # that may stand where a text should end
DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
STANDS_FOR = {
    "\u00d7": "*",
    "\u00f7": "/",
    "\u2264": "<=",
    "\u2265": ">=",
    "\u2260": "!=",
    "\u3001": ",",
    "\u3002": ".",
}


def explained(source: str) -> str:
    """Return in which line of a cell that does not parse which character is none of Python's; "" where that is not it.

    Python's own reading says where: the same character in a text or in a comment does no harm.
    """
    error = syntax_error(source)
    if error is None or error.lineno is None:
        return ""
    found = NAMED.search(str(error.msg))
    if found:
        return _told(error.lineno, chr(int(found[1], 16)))
    # a text that begins with an ordinary mark and ends with a typographic one has no end
    opened = _rest_of_line(source, error)
    twin = TWINS.get(opened[:1]) if "unterminated" in str(error.msg) else None
    quote = re.search(f"[{twin}]", opened) if twin else None
    return _told(error.lineno, quote[0]) if quote else ""


def _rest_of_line(source: str, error: SyntaxError) -> str:
    """Return what stands in the line of an error from where it is."""
    lines = source.split("\n")
    line = lines[error.lineno - 1] if 0 < error.lineno <= len(lines) else ""
    return line[max((error.offset or 1) - 1, 0) :]


def syntax_error(source: str) -> SyntaxError | None:
    """Return the error for which a cell does not parse, IPython's own lines aside; None if it does."""
    first, _, rest = source.partition("\n")
    if PYTHON_CELLS.fullmatch(first):
        source = f"\n{rest}"
    elif first.lstrip().startswith("%%"):
        return None  # another language
    python = ASSIGNED.sub(r"\1 None", source)
    error = _error(IPYTHON.sub("", python))
    # such a line may be all that a block holds
    return error if error is None or _error(IPYTHON.sub(r"\1pass", python)) else None


def _error(python: str) -> SyntaxError | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(python)
    except SyntaxError as error:
        return error
    except (ValueError, RecursionError, MemoryError):  # a zero byte, more brackets than anybody writes
        pass
    return None


def _told(line: int, character: str) -> str:
    return f"line {line} holds U+{ord(character):04X} ({_what(character)})"


def _what(character: str) -> str:
    """Return what a character is, and what Python takes in its place."""
    category = unicodedata.category(character)
    if category == "Zs":
        return "a blank that Python does not take"
    if category in ("Cf", "Cc", "Cn", "Co"):
        return "a character that is not seen"
    if character in QUOTES:
        return "a typographic quotation mark; Python takes \" and '"
    plain = "-" if character in DASHES else STANDS_FOR.get(character, unicodedata.normalize("NFKC", character))
    if plain.isascii():
        return f"{character}; Python takes {plain}"
    return f"{character}, which Python does not take here"
