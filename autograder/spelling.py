"""One spelling of a name: "ü" may be one letter (NFC) or u and two dots (NFD), as a Mac's folders and zips have it."""

import unicodedata


def composed(text: str) -> str:
    """Return text in the one form in which all names are kept: NFC."""
    return unicodedata.normalize("NFC", text)


def alike(name: str) -> str:
    """Return a name as it is compared with others: in one form, without capitals."""
    return composed(composed(name).casefold())


def letters(name: str) -> str:
    """Return the letters and digits of a name alone: what Canvas and Moodle leave of it in a zip."""
    return "".join(c for c in unicodedata.normalize("NFKC", name).casefold() if c.isalnum())
