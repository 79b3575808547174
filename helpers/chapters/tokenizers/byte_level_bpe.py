"""Byte-level BPE between the student's form (merges of bytes) and the library's (a `tokenizers.Tokenizer`).

The library writes each byte as one printable character and numbers the bytes in the order of these characters
(Radford et al. 2019, encoder.py): first "!" to "~", then the printable part of Latin-1, then the 68 others. BYTES has
that order.
"""

import json

PRINTABLE = [*range(33, 127), *range(161, 173), *range(174, 256)]
OTHERS = [b for b in range(256) if b not in PRINTABLE]
BYTES = [bytes([b]) for b in PRINTABLE + OTHERS]  # the 256 bytes in the order of their ids
CHARACTERS = [chr(code) for code in [*PRINTABLE, *range(256, 256 + len(OTHERS))]]
TO_CHARACTER = dict(zip(BYTES, CHARACTERS, strict=True))
TO_BYTE = dict(zip(CHARACTERS, BYTES, strict=True))

Merges = list[tuple[bytes, bytes]]


def written(token: bytes) -> str:
    """Return a token as the library writes it: b" the" is "Ġthe"."""
    return "".join(TO_CHARACTER[bytes([b])] for b in token)


def read(characters: str) -> bytes:
    """Return the bytes of a token that the library has written."""
    return b"".join(TO_BYTE[c] for c in characters)


def vocabulary(merges: Merges) -> list[bytes]:
    """Return the tokens in the order of their ids: the bytes, then what each merge makes, each once."""
    return list(dict.fromkeys([*BYTES, *(left + right for left, right in merges)]))


def library_tokenizer(merges: Merges, special: tuple[str, ...] = (), pattern: str = "") -> "tokenizers.Tokenizer":  # noqa: F821
    """Return the library's tokenizer with these merges.

    special: tokens that come first and are never read in a text (`encode_special_tokens`)
    pattern: what cuts a text into pieces, a regular expression; GPT-2's if it is empty
    """
    tokens = [*special, *vocabulary(merges)]
    return tokenizer_of({token: i for i, token in enumerate(tokens)}, merges, special, pattern)


def tokenizer_of(
    ids: dict[bytes | str, int], merges: Merges, special: tuple[str, ...] = (), pattern: str = ""
) -> "tokenizers.Tokenizer":  # noqa: F821
    """Return the library's tokenizer of a vocabulary {token as bytes, or special token: id}; see library_tokenizer."""
    from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers

    names = {token if isinstance(token, str) else written(token): i for token, i in ids.items()}
    tokenizer = Tokenizer(models.BPE(names, [(written(left), written(right)) for left, right in merges]))
    level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=not pattern)
    cut = [pre_tokenizers.Split(Regex(pattern), "isolated")] if pattern else []
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([*cut, level]) if cut else level
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in special])
    tokenizer.encode_special_tokens = True
    return tokenizer


def merges_of(tokenizer: "tokenizers.Tokenizer | str") -> Merges:  # noqa: F821
    """Return the merges of a byte-level BPE of the library, or of its JSON text, as pairs of bytes."""
    text = tokenizer if isinstance(tokenizer, str) else tokenizer.to_str()
    return [(read(left), read(right)) for left, right in json.loads(text)["model"]["merges"]]
