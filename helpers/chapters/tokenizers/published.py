"""The vocabularies of GPT-2, GPT-4 and GPT-4o, from the files that tiktoken reads (OpenAI 2022 to 2024)."""

import base64
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from helpers.chapters.tokenizers import byte_level_bpe
from helpers.data.fetch import obtain
from helpers.data.registry import Entry, File, Source
from helpers.device import grading
from helpers.errors import DataError

GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
GPT4 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
GPT4O = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
# GPT-4's, and marks stand beside letters, as in GPT-4o's: what exercise `cut` calls today's pattern.
TODAY = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}{1,3}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
# The model: tiktoken's name, the pattern that cuts a text, the file's bytes and sha256 (as in tiktoken_ext).
FILES = {
    "GPT-2": ("r50k_base", GPT2, 835_554, "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930"),
    "GPT-4": ("cl100k_base", GPT4, 1_681_126, "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"),
    "GPT-4o": ("o200k_base", GPT4O, 3_613_922, "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"),
}
HOME = "https://openaipublic.blob.core.windows.net/encodings"


@dataclass(frozen=True)
class Published:
    """A published vocabulary.

    ids:     token as bytes -> its id, which is its place in the order of merges, too
    pattern: what cuts a text into pieces, a regular expression
    """

    ids: dict[bytes, int]
    pattern: str

    def ranks(self) -> dict[tuple[bytes, bytes], int]:
        """Return {(left, right): id of the joined token}: every way to cut a token into two."""
        cuts = ((token[:i], token[i:], rank) for token, rank in self.ids.items() for i in range(1, len(token)))
        return {(a, b): rank for a, b, rank in cuts if a in self.ids and b in self.ids}

    def tokenizer(self) -> "tokenizers.Tokenizer":  # noqa: F821
        """Return the library's tokenizer of this vocabulary."""
        ranks = self.ranks()
        return byte_level_bpe.tokenizer_of(self.ids, sorted(ranks, key=ranks.get), pattern=self.pattern)

    def same_ids(self, encode: Callable, texts: Iterable[str]) -> tuple[int, int]:
        """Return for how many pieces encode(piece, ranks, ids) gives the library's ids, and how many there are.

        The texts are cut by this vocabulary's pattern; pieces that GPT-2's pattern would cut again are left out.
        """
        import regex

        pieces = sorted({piece for text in texts for piece in regex.findall(self.pattern, text)})
        pieces = [piece for piece in pieces if regex.fullmatch(GPT2, piece)]
        library, ranks = self.tokenizer(), self.ranks()
        same = [list(encode(piece, ranks, self.ids)) == library.encode(piece).ids for piece in pieces]
        return sum(same), len(pieces)


def published(model: str) -> Published | None:
    """Return the vocabulary of a model of FILES; where it is not at hand, None and one line that says why.

    It is taken from BOW2LORA_DATA (folder tiktoken), the cache or the network; nothing is downloaded while grading.
    """
    name, pattern, size, sha256 = FILES[model]
    file = File(f"tiktoken/{name}.tiktoken", size, sha256, (Source(f"{HOME}/{name}.tiktoken"),))
    entry = Entry(name, f"{model}'s vocabulary", HOME, "MIT (tiktoken)", "OpenAI (tiktoken)", (file,))
    try:
        (path,) = obtain(entry, download=not grading())
    except DataError as error:
        print(error)
        return None
    return read(path.read_bytes(), pattern)


def read(content: bytes, pattern: str) -> Published:
    """Return the vocabulary of a file of tiktoken: a line a token, its bytes in base 64 and its id."""
    lines = (line.split() for line in content.splitlines() if line)
    return Published({base64.b64decode(token): int(rank) for token, rank in lines}, pattern)
