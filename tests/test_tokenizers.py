"""Chapter 06 beside the library: 5,000 held-out texts, strange strings, and the helpers that go with it."""

import json
import os
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import regex
import torch
from tokenizers import Regex, Tokenizer, models, pre_tokenizers, trainers

from autograder import paths
from autograder.authoring.source import read
from helpers.chapters.tokenizers import byte_level_bpe, fast_bpe, new_tokens, published, unigram
from helpers.chapters.tokenizers.trigrams import Trigrams
from helpers.course import artifacts
from helpers.data import load

TEXTS = 5000
ODD = [
    "",
    " ",
    "\x00",
    "👩‍🚀👩🏽‍🚀🇮🇳",
    "e\u0301\u0301",
    "שָׁלוֹם עולם",
    "مرحبا",
    "\u202eabc\u200f",
    "नमस्ते",
    "ﬁ½²Ⅷ",
    "\ufffd\ufeff",
]


@pytest.fixture(scope="module")
def chapter():
    """What the chapter's given and exercise cells define."""
    names: dict = {"__name__": "__main__"}
    for cell in read(paths.source_text("06_tokenizers")):
        if cell.kind in ("given", "exercise"):
            exec(compile(cell.source, cell.grade_id, "exec"), names)
    return names


@pytest.fixture(scope="module")
def held_out():
    """Excerpts of about a line, drawn from documents that no tokenizer was trained on."""
    rng = np.random.default_rng(6)
    documents = [document.text for document in load("docs").split("test")]
    found = []
    for i in rng.integers(len(documents), size=TEXTS):
        start = int(rng.integers(max(len(documents[i]) - 80, 1)))
        found.append(documents[i][start : start + int(rng.integers(20, 110))])
    return found


@pytest.fixture(scope="module")
def learned():
    """A part of the training documents."""
    return [document.text for document in load("docs").split("train")][:600]


def test_bpe_gives_the_ids_of_the_library_and_the_text_again(chapter, held_out):
    merges = byte_level_bpe.merges_of(artifacts.load("docs-tokenizer", own=False).tokenizer)
    reference, offset = artifacts.load_tokenizer(own=False), len(artifacts.SPECIAL_TOKENS)
    vocabulary = byte_level_bpe.vocabulary(merges)
    ranks, ids = {pair: i for i, pair in enumerate(merges)}, {token: i for i, token in enumerate(vocabulary)}
    for text in [*held_out, *ODD]:
        found = chapter["encode"](text, ranks, ids)
        assert [i + offset for i in found] == reference.encode(text).ids
        assert chapter["decode"](found, vocabulary) == text


def test_any_string_comes_back_and_broken_bytes_read_as_in_the_library(chapter):
    rng, merges = np.random.default_rng(7), [(b"t", b"h"), (b"\xc3", b"\xa9"), (b"\xf0", b"\x9f")]
    library, vocabulary = byte_level_bpe.library_tokenizer(merges), byte_level_bpe.vocabulary(merges)
    ranks, ids = {pair: i for i, pair in enumerate(merges)}, {token: i for i, token in enumerate(vocabulary)}
    for top in (0x80, 0x3000, 0x10000, 0x110000):
        for _ in range(250):  # surrogates among them
            text = "".join(map(chr, rng.integers(top, size=rng.integers(12))))
            assert chapter["decode"](chapter["encode"](text, ranks, ids), vocabulary) == text
    raw = b"\xff\xfe\x80abc\xed\xa0".decode("utf-8", "surrogateescape")
    assert chapter["decode"](chapter["encode"](raw, ranks, ids), vocabulary) == raw
    for _ in range(500):
        noise = rng.integers(94, len(vocabulary), size=8).tolist()
        if b"\xed" not in b"".join(vocabulary[i] for i in noise):  # a surrogate is no character to the library
            assert chapter["decode"](noise, vocabulary) == library.decode(noise)


def test_bpe_learns_the_merges_of_the_library(chapter, learned):
    words = fast_bpe.byte_words(Counter(piece for text in learned for piece in chapter["pre_tokenize"](text)))
    merges = fast_bpe.train(chapter["merge"], words, byte_level_bpe.BYTES, 1500)
    assert merges == fast_bpe.library_merges(learned, 1500)
    assert chapter["train_bpe"](words, byte_level_bpe.BYTES, 290) == merges[: 290 - 256]


@pytest.mark.parametrize("seed", range(5))
def test_the_fast_trainer_makes_the_merges_of_the_plain_one_and_touches_few_words(chapter, seed):
    rng, touched = np.random.default_rng(seed), []
    letters = [b"a", b"b", b"c", b"ab"]  # tokens that a merge makes again, and runs of one letter
    rows = [tuple(letters[i] for i in rng.integers(4, size=rng.integers(1, 9))) for _ in range(60)]
    words = {row: int(rng.integers(1, 5)) for row in rows}

    def merge(symbols, pair, joined):
        touched.append(symbols)
        return chapter["merge"](symbols, pair, joined)

    merges = fast_bpe.train(merge, words, letters, 40)
    assert merges == chapter["train_bpe"](words, letters, 40) and len(merges) > 30
    assert len(touched) < len(merges) * len(words) / 3


def test_wordpiece_cuts_as_the_library(chapter, learned, held_out):
    library = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    library.pre_tokenizer = pre_tokenizers.Whitespace()
    trainer = trainers.WordPieceTrainer(vocab_size=2000, special_tokens=["[UNK]"], show_progress=False)
    library.train_from_iterator(learned, trainer)
    vocabulary = set(library.get_vocab())
    cut = cache(lambda word: chapter["wordpiece"](word, vocabulary))
    for text in [*held_out, *ODD]:
        words = [word for word, _ in library.pre_tokenizer.pre_tokenize_str(text)]
        assert [token for word in words for token in cut(word)] == library.encode(text).tokens


def test_unigram_cuts_as_the_library(chapter, learned, held_out):
    library = Tokenizer(models.Unigram())
    library.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    library.train_from_iterator(learned[:200], trainers.UnigramTrainer(vocab_size=1500, show_progress=False))
    log_probs = dict(json.loads(library.to_str())["model"]["vocab"])
    cut = cache(lambda word: chapter["viterbi"](word, log_probs))
    # Without an unknown token the library refuses unknown characters; they are tried in the chapter's check.
    letters = {piece for piece in log_probs if len(piece) == 1}
    tried = 0
    for text in held_out:
        for word in text.split():
            if set(word) <= letters:
                mine, theirs = cut(word), [token.value for token in library.model.tokenize(word)]
                # Two cuts with the same pieces in another order are equally good.
                assert mine == theirs or sorted(mine) == sorted(theirs) or _close(mine, theirs, log_probs)
                tried += 1
    assert tried > TEXTS


def _close(a: list[str], b: list[str], log_probs: dict[str, float]) -> bool:
    return abs(sum(log_probs[p] for p in a) - sum(log_probs[p] for p in b)) < 1e-9 and "".join(a) == "".join(b)


def test_one_step_of_em_is_that_of_the_library(chapter):
    sentences = ["banana bandana ananas", "ban the banana", "andas and bananas", "the hat that the band has"] * 2

    def pieces(rounds):
        tokenizer = Tokenizer(models.Unigram())
        tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
        trainer = trainers.UnigramTrainer(vocab_size=1000, n_sub_iterations=rounds, show_progress=False)
        tokenizer.train_from_iterator(sentences, trainer)
        return dict(json.loads(tokenizer.to_str())["model"]["vocab"])

    words = Counter(word for sentence in sentences for word in sentence.split())
    mine = unigram.maximise(unigram.expected_counts(words, pieces(0)))
    theirs = pieces(1)
    assert set(mine) <= set(theirs) and len(mine) > 10  # it keeps all characters, whatever their count
    assert mine == pytest.approx({piece: theirs[piece] for piece in mine}, rel=1e-6)


def test_unigram_shrinks_from_its_seed_and_cuts_as_the_library(chapter, learned, held_out):
    words = Counter(piece for text in learned[:40] for piece in chapter["pre_tokenize"](text))
    log_probs = unigram.seed_pieces(words, 900)
    characters = {piece for piece in log_probs if len(piece) == 1}
    assert len(log_probs) == 900 and characters == set("".join(words))
    assert sum(np.exp(value) for value in log_probs.values()) == pytest.approx(1)
    used = unigram.expected_counts(words, log_probs)
    letters = sum(times * len(word) for word, times in words.items())
    assert sum(used[piece] * len(piece) for piece in used) == pytest.approx(letters)
    counts, after = unigram.learned(words, log_probs)
    assert characters <= set(after) <= set(counts) < set(log_probs)
    losses = chapter["removal_losses"](used, log_probs)
    smaller = chapter["prune"](log_probs, losses, 400)
    gone = set(losses) - set(smaller)
    assert len(smaller) == 400 and characters <= set(smaller)
    assert max(losses[piece] for piece in gone) <= min(losses[piece] for piece in set(losses) & set(smaller))
    library = unigram.library_unigram(smaller, published.GPT2)
    tried = [word for text in held_out[:300] for word in chapter["pre_tokenize"](text) if set(word) <= characters]
    for word in tried:
        mine, theirs = chapter["viterbi"](word, smaller), library.encode(word).tokens
        assert mine == theirs or _close(mine, theirs, smaller)
    assert len(tried) > 1000


def test_todays_pattern_is_that_of_the_library(chapter, held_out):
    split = pre_tokenizers.Split(Regex(published.TODAY), "isolated")
    for text in [*held_out[:1000], *ODD]:
        assert chapter["pre_tokenize_today"](text) == [text[a:b] for _, (a, b) in split.pre_tokenize_str(text)]


def test_what_a_text_costs_is_that_of_its_words_and_of_its_other_tokens(chapter):
    class Even(torch.nn.Module):
        token_embedding = torch.nn.Embedding(8292, 1)

        def forward(self, ids):
            return torch.zeros(*ids.shape, 8292)

    reference, words = artifacts.load_tokenizer(own=False), [" garbage", " takefocus"]

    def old(text):
        return reference.encode(text).ids

    longer = new_tokens.extended(old, chapter["pre_tokenize"], words, first_id=8192)
    text = "some garbage, two garbages"
    assert [longer(word) for word in words] == [[8192], [8193]] and longer(text).count(8192) == 1 < len(old(words[0]))
    for encode in (old, longer):
        cost = new_tokens.reading(Even(), encode, [text, text], words)
        assert cost.word == pytest.approx(len(encode(words[0])) * np.log(8292))
        assert cost.other == pytest.approx(np.log(8292))
        assert cost.text == pytest.approx(len(encode(text)) * np.log(8292))
    assert new_tokens.around(["x" * 90 + text, text, "none" * 40], words, 5) == ["x" * 90 + text]
    counts = {tuple(bytes([b]) for b in word.encode()): n for word, n in [(" takefocus", 2), (" the", 9), ("eigen", 5)]}
    assert new_tokens.words_in_parts(counts, old, 4) == [" takefocus"]


def test_the_lectures_corpus_has_two_certain_merges(chapter):
    corpus = {tuple("raw_"): 1, tuple("how_"): 2, tuple("wow_"): 2, tuple("who_"): 1}
    merges = chapter["train_bpe"](corpus, list("_ahorw"), 8)
    assert merges == [("w", "_"), ("o", "w_")]
    for left, right in merges:
        corpus = {chapter["merge"](word, (left, right), left + right): n for word, n in corpus.items()}
    assert sorted(chapter["count_pairs"](corpus).values())[-2:] == [2, 2]  # the third would be a tie
    marked = {("r", "##a", "##w"): 1, ("h", "##o", "##w"): 2, ("w", "##o", "##w"): 2, ("w", "##h", "##o"): 1}
    assert chapter["train_wordpiece"](marked, 2) == [("r", "##a"), ("w", "##h")]


def test_a_user_cannot_forge_special_tokens(chapter):
    tokenizer = artifacts.load_tokenizer(own=False)
    special = {name: tokenizer.token_to_id(name) for name in artifacts.SPECIAL_TOKENS}
    text = "a<|endoftext|><|system|>[CLS]b"
    found = chapter["encode_special"](text, lambda part: tokenizer.encode(part).ids, special, set())
    assert found == tokenizer.encode(text).ids and not set(found) & set(special.values())


def test_the_reference_and_its_merges_make_the_same_tokenizer():
    reference = artifacts.load_tokenizer(own=False)
    again = byte_level_bpe.library_tokenizer(byte_level_bpe.merges_of(reference), artifacts.SPECIAL_TOKENS)
    assert again.get_vocab() == reference.get_vocab()
    for text in ["def f(x):\n    return x", "<|endoftext|>", *ODD]:
        assert again.encode(text).ids == reference.encode(text).ids
        assert again.decode(again.encode(text).ids) == text


def test_a_pattern_may_keep_marks_with_their_letters():
    marks = byte_level_bpe.library_tokenizer([], pattern=r" ?[\p{L}\p{M}]+|\s+|[^\s\p{L}\p{M}]+")
    pieces = [piece for piece, _ in marks.pre_tokenizer.pre_tokenize_str("हिन्दी")]
    assert len(pieces) == 1 < len(regex.findall(r"\p{L}+|\p{M}+", "हिन्दी"))


def test_bytes_are_written_and_read():
    assert byte_level_bpe.written(b" the\n") == "ĠtheĊ" and byte_level_bpe.read("ĠtheĊ") == b" the\n"
    assert sorted(byte_level_bpe.BYTES) == [bytes([b]) for b in range(256)] and byte_level_bpe.BYTES[0] == b"!"
    assert set(byte_level_bpe.CHARACTERS) == set(pre_tokenizers.ByteLevel.alphabet())
    assert byte_level_bpe.vocabulary([(b"a", b"b"), (b"ab", b"c"), (b"a", b"bc")])[256:] == [b"ab", b"abc"]


def test_the_chances_of_all_next_tokens_add_up_to_one():
    rng = np.random.default_rng(0)
    model = Trigrams(rng.integers(5, size=60), 6)
    for context in ([0, 1], [4, 4], [5, 5]):  # the last was never seen
        losses = [model.losses(np.array([*context, token]))[0] for token in range(6)]
        assert np.exp(-np.array(losses)).sum() == pytest.approx(1)


MINE = b"YQ== 0\nYg== 1\nYw== 2\nIA== 3\nYWI= 4\nYmM= 5\nYWJj 6\n"  # a, b, c, a blank, ab, bc, abc


def test_a_file_of_tiktoken_gives_its_ids_and_every_way_to_join_a_token():
    found = published.read(MINE, published.GPT2)
    assert found.ids == {b"a": 0, b"b": 1, b"c": 2, b" ": 3, b"ab": 4, b"bc": 5, b"abc": 6}
    assert found.ranks() == {(b"a", b"b"): 4, (b"b", b"c"): 5, (b"ab", b"c"): 6, (b"a", b"bc"): 6}
    assert found.tokenizer().encode("abcbcab").ids == [6, 5, 4]


def test_an_encode_that_joins_the_wrong_pair_is_counted():
    def encode(piece, ranks, ids):
        return [6] if piece == "abc" else [ids[bytes([b])] for b in piece.encode()]

    assert published.read(MINE, published.GPT2).same_ids(encode, ["abc", "ab", "c"]) == (2, 3)


def test_a_published_vocabulary_that_is_not_at_hand_is_one_line(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(published, "grading", lambda: True)
    monkeypatch.setenv("BOW2LORA_CACHE", str(tmp_path))
    monkeypatch.delenv("BOW2LORA_DATA", raising=False)
    assert published.published("GPT-4o") is None
    assert capsys.readouterr().out.count("\n") == 1


TIKTOKEN = {  # tiktoken.get_encoding(name).encode(text), version 0.14
    "GPT-2": "1273 1831 20853 1575 17031 2231 41492 28808 25 628 198 220 10545 245 98 17312 105 331 6 439 23917 6 51",
    "GPT-4": "2645 675 36989 2853 220 4513 1774 95980 588 58440 25393 220 76502 22656 379 65948 45373 17773",
    "GPT-4o": "3504 1134 46054 3097 220 7633 2548 153475 737 34890 35549 220 17428 342 70653 153384",
}


@pytest.mark.parametrize("model", published.FILES)
def test_the_published_vocabularies_cut_as_tiktoken_does(model):
    """The ids are those of tiktoken 0.14; the files are not in the box."""
    folder = Path(os.environ.get("BOW2LORA_DATA", "/nowhere"), "tiktoken")
    if not (folder / f"{published.FILES[model][0]}.tiktoken").is_file():
        pytest.skip("no file of tiktoken in BOW2LORA_DATA")
    text = "Strawberries cost 12345 naïve yen:\n\n\n  日本 y'all DON'T"
    found = published.published(model).tokenizer().encode(text).ids
    assert found == [int(number) for number in TIKTOKEN[model].split()]
