"""Codes that terminals obey, taken out of text that goes elsewhere: colours, titles, links, moves of the cursor."""

import re

CODES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])"  # OSC, DCS ...: titles, links, up to their end, without another begun
    r"[^\x07\x1b\x90\x98\x9c-\x9f]*(?:\x07|\x1b\\|\x9c|$)"
    r"|\x1b[ -/]*[0-~]"  # all others
)
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
LINE_ENDS = "\n\t\u2028\u2029"  # and the tab: what of this kind `clean` leaves
LONGEST_LINE = 200


def without_codes(text: str) -> str:
    """Return text without the codes; a lone escape character that begins none stays."""
    return CODES.sub("", text)


def clean(text: str) -> str:
    """Return text without terminal codes and control characters: no terminal, no page does anything but show it."""
    return CONTROL.sub("", without_codes(text)).encode("utf-8", "replace").decode("utf-8")


def one_line(text: str) -> str:
    """Return text as one clean line of bounded length."""
    line = " ".join(clean(text).split())
    return line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]} ..."
