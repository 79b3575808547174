"""The tokenizer of chapter 06 beside the library `tokenizers`, and beside the way of minbpe.

    python -m pytest tests/benchmarks/test_tokenizer_speed.py -s

minbpe (Karpathy 2024) counts all pairs of all pieces anew for each merge, and merges in every piece. Its way is written
here again, on ids and with each different piece counted once (which minbpe does not do): so the ratio flatters it.
Seconds are those of the processor, of one thread each. Training: the given trainer, with the chapter's `merge`.
Encoding: the chapter's plain function, and with a memory of the pieces that were seen.
"""

import os

os.environ.setdefault("RAYON_NUM_THREADS", "1")  # the library with one thread, as the chapter

import time
from collections import Counter
from functools import cache
from itertools import pairwise

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from autograder import paths
from autograder.authoring.source import read
from helpers.chapters.tokenizers import byte_level_bpe, fast_bpe
from helpers.data import load

SIZE, FEW = 4096, 320  # tokens; the way of minbpe is timed on its first merges
MAX_SECONDS = 60


@pytest.fixture(scope="module")
def chapter():
    """What the chapter's given and exercise cells define."""
    names: dict = {"__name__": "__main__"}
    for cell in read(paths.source_text("06_tokenizers")):
        if cell.kind in ("given", "exercise"):
            exec(compile(cell.source, cell.grade_id, "exec"), names)
    return names


@pytest.fixture(scope="module")
def texts():
    """The documents for training, and those held out."""
    docs = load("docs")
    return [[document.text for document in docs.split(name)] for name in ("train", "test")]


def timed(action):
    """Return (result, seconds of the processor)."""
    start = time.process_time()
    return action(), time.process_time() - start


def pieces_of(chapter, texts) -> dict[tuple[bytes, ...], int]:
    """Return the pieces of the texts as tuples of bytes, and how often each occurs."""
    counts = Counter(piece for text in texts for piece in chapter["pre_tokenize"](text))
    return {tuple(bytes([b]) for b in piece.encode()): n for piece, n in counts.items()}


def minbpe(words: dict[tuple[bytes, ...], int], vocab_size: int) -> list[tuple[int, int]]:
    """Train as minbpe's RegexTokenizer does: full recount, then a merge in every piece, for each new token."""
    ids = {symbol: i for i, symbol in enumerate(byte_level_bpe.BYTES)}
    table, merges = [([ids[symbol] for symbol in symbols], n) for symbols, n in words.items()], []
    for new in range(256, vocab_size):
        counts: dict = {}
        for piece, n in table:
            for pair in pairwise(piece):
                counts[pair] = counts.get(pair, 0) + n
        best = min(counts, key=lambda pair: (-counts[pair], pair))
        merges.append(best)
        table = [(merged(piece, best, new), n) for piece, n in table]
    return merges


def merged(piece: list[int], pair: tuple[int, int], new: int) -> list[int]:
    """Return the piece with `new` for the pair, from left to right."""
    out, i = [], 0
    while i < len(piece):
        found = piece[i] == pair[0] and i < len(piece) - 1 and piece[i + 1] == pair[1]
        out.append(new if found else piece[i])
        i += 1 + found
    return out


def library_of(texts) -> Tokenizer:
    """Train the library's byte-level BPE."""
    library = Tokenizer(models.BPE())
    library.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    library.train_from_iterator(
        texts, trainers.BpeTrainer(vocab_size=SIZE, initial_alphabet=alphabet, show_progress=False)
    )
    return library


def test_training_time(chapter, texts):
    train, _ = texts
    words, cutting = timed(lambda: pieces_of(chapter, train))
    ours, seconds = timed(lambda: fast_bpe.train(chapter["merge"], words, byte_level_bpe.BYTES, SIZE))
    library, theirs = timed(lambda: library_of(train))
    few, slow = timed(lambda: minbpe(words, FEW))
    each = slow / len(few)
    whole = each * (SIZE - 256)
    assert byte_level_bpe.merges_of(library) == ours
    print(
        f"\n{SIZE:,} tokens from {sum(len(text.encode()) for text in train):,} bytes, {len(words):,} different pieces"
    )
    print(f"ours       {cutting:6.1f} s cutting and counting, {seconds:6.1f} s merging")
    print(f"tokenizers {theirs:6.1f} s in all: ours takes {(cutting + seconds) / theirs:.1f} times as long")
    print(f"minbpe     {whole:6.0f} s merging, from {each:.3f} s for each of its first {len(few)} merges:")
    print(f"           {whole / seconds:.0f} times as long as ours")
    assert cutting + seconds < MAX_SECONDS


def test_encode_throughput(chapter, texts):
    train, test = texts
    merges = byte_level_bpe.merges_of(library_of(train[:2000]))
    library, vocabulary = byte_level_bpe.library_tokenizer(merges), byte_level_bpe.vocabulary(merges)
    ranks, ids = {pair: i for i, pair in enumerate(merges)}, {token: i for i, token in enumerate(vocabulary)}
    sample = test[:150]
    volume = sum(len(text.encode()) for text in sample)
    remembered = cache(lambda piece: chapter["encode"](piece, ranks, ids))  # right, since tokens never span pieces

    def with_memory(text):
        return [i for piece in chapter["pre_tokenize"](text) for i in remembered(piece)]

    def by_rank(text):
        """The way of minbpe: look at all pairs of a piece for each merge, here on ids."""
        out = []
        for piece in chapter["pre_tokenize"](text):
            symbols = [ids[bytes([b])] for b in piece.encode()]
            while len(symbols) > 1:
                best = min(set(pairwise(symbols)), key=lambda p: by_id.get(p, len(by_id)))
                if best not in by_id:
                    break
                symbols = merged(symbols, best, by_id[best] + 256)
            out += symbols
        return out

    by_id = {(ids[left], ids[right]): i for i, (left, right) in enumerate(merges)}
    ways = {
        "ours": lambda text: chapter["encode"](text, ranks, ids),
        "ours, pieces remembered": with_memory,
        "minbpe": by_rank,
        "tokenizers": lambda text: library.encode(text).ids,
    }
    found, rates = {}, {}
    for name, way in ways.items():
        found[name], seconds = timed(lambda way=way: [way(text) for text in sample])
        rates[name] = volume / seconds / 1e6
    print()
    for name, rate in rates.items():
        print(f"{name:<24}{rate:8.3f} MB/s, {rate / rates['tokenizers']:.3f} of the library's")
    assert all(ids_of == found["tokenizers"] for ids_of in found.values())
