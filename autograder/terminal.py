"""Codes that terminals obey, taken out of text that goes elsewhere: colours, titles, links, moves of the cursor."""

import re

CODES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])"  # OSC, DCS ...: titles, links, up to their end, without another begun
    r"[^\x07\x1b\x90\x98\x9c-\x9f]*(?:\x07|\x1b\\|\x9c|$)"
    r"|\x1b[ -/]*[0-~]"  # all others
)


def without_codes(text: str) -> str:
    """Return text without the codes; a lone escape character that begins none stays."""
    return CODES.sub("", text)
