"""The words of a text as searches count them: whole, in pieces, or as stems."""

import re
from functools import cache

# Those of Lucene's English analyser.
LUCENE = """a an and are as at be but by for if in into is it no not of on or such that the their then there these they
this to was will with"""
STOP_WORDS = frozenset(LUCENE.split())
WORD, PIECE = re.compile(r"[a-z0-9_]+"), re.compile(r"[a-z]+|[0-9]+")
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z])|\n\s*\n")  # where a body is cut for rough pairs
PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")  # ConvTranspose2d: Conv, Transpose, 2, d
FREQUENT = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be by can do does for from has have how i if in is it its me my of on or that the then "
        "there this to was what when where which who why will with would you your",
    )
)


def words_and_pieces(text: str) -> list[str]:
    """Return the words in lower case, and of a name such as matrix_rank its pieces, too."""
    words = WORD.findall(text.lower())
    return [p for word in words for p in ([word] if PIECE.fullmatch(word) else [word, *PIECE.findall(word)])]


def plain_words(text: str) -> list[str]:
    """Return the words and numbers of a text in lower case, without Lucene's stop words."""
    return [word for word in re.findall(r"[a-z0-9]+", text.lower()) if word not in STOP_WORDS]


def stems(text: str) -> list[str]:
    """Return the stems of a text's words for a lexical search: names are cut at capitals, digits and underscores.

    All in lower case, the most frequent left out, endings cut: "arguments", "argument" and "Argument" are one word.
    """
    return [stem for part in PARTS.findall(text) if (stem := _stem(part))]


@cache
def _stem(part: str) -> str:
    """Cut the commonest endings (Harman 1991: the s-stemmer, and -ing and -ed); "" for a frequent word."""
    word = part.lower()
    if word in FREQUENT:
        return ""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        if len(word) > len(ending) + 3 and word.endswith(ending):
            word = word[: -len(ending)]
            return word[:-1] if word[-1] == word[-2] and word[-1] not in "ls" else word
    return word[:-1] if len(word) > 4 and word.endswith("e") else word
