"""helpers.chapters.tokenizers.vocabulary_size and .languages, and their figures: what chapter 06 measures."""

import numpy as np
import pytest
import torch

from helpers.chapters.tokenizers import byte_level_bpe, languages
from helpers.chapters.tokenizers.figures import (
    language_prices,
    numbers_by_tokens,
    training_seconds,
    vocabulary_sizes,
)
from helpers.chapters.tokenizers.vocabulary_size import (
    mean_cosine,
    occurrences,
    terms_logistic,
    timed_training,
    vocabulary_bill,
)
from helpers.course import leaderboard

TEXTS = ["the cat sat on the mat", "the hat that the cat has", "a cat and a hat"]


def characters(text):
    return list(text)


def words(text):
    return text.split()


@pytest.fixture
def rows(monkeypatch, tmp_path):
    monkeypatch.setenv("BOW2LORA_HOME", str(tmp_path))
    monkeypatch.delenv("BOW2LORA_GRADING", raising=False)
    return leaderboard.rows


def test_the_merges_are_those_of_the_last_size():
    asked = []

    def train(words, alphabet, size):
        asked.append((words, alphabet, size))
        return [(b"a", b"b")] * (size - len(alphabet))

    merges, seconds = timed_training(train, {(b"a", b"b"): 1}, [257, 259])
    assert len(merges) == 3 and list(seconds) == [257, 259] and min(seconds.values()) >= 0
    assert asked[1] == ({(b"a", b"b"): 1}, byte_level_bpe.BYTES, 259)


def test_a_merge_makes_the_text_shorter_and_the_embedding_larger():
    bills = {
        size: vocabulary_bill(byte_level_bpe.library_tokenizer([(b"a", b"t")][: size - 256]), size, TEXTS * 20, TEXTS)
        for size in (256, 257)
    }
    octets = sum(map(len, TEXTS))
    merged = "".join(TEXTS).count("at")
    assert bills[256].tokens == 1000 and bills[257].tokens == pytest.approx(1000 * (1 - merged / octets))
    assert bills[257].parameters == 257 * 192 / 1e6
    assert bills[256].bits == pytest.approx(bills[256].loss / np.log(2) * (octets - 2) / octets)
    fig, alt = vocabulary_sizes(bills)
    assert fig.axes[0].lines[0].get_ydata().tolist() == [bills[256].tokens, bills[257].tokens]
    assert alt.startswith("From 256 to 257 tokens the text shrinks from 1000 to")


def test_occurrences_count_every_token():
    tokenizer = byte_level_bpe.library_tokenizer([(b"a", b"t")])
    seen = occurrences(tokenizer, TEXTS)
    assert seen[tokenizer.token_to_id("at")] == "".join(TEXTS).count("at") and len(seen) == 257
    assert seen.sum() == sum(len(tokenizer.encode(text).ids) for text in TEXTS)


def test_the_cosine_of_a_vector_with_itself_does_not_count():
    assert mean_cosine(torch.tensor([[1.0, 0.0], [0.0, 2.0]])) == pytest.approx(0)
    assert mean_cosine(torch.tensor([[1.0, 0.0], [3.0, 0.0], [0.0, 1.0]])) == pytest.approx(1 / 3)


def test_any_terms_make_a_model():
    texts, labels = ["win money now", "win a prize", "see you at noon", "lunch at noon"], np.array([1, 1, 0, 0])
    learned = []
    model = terms_logistic(lambda texts: learned.append(texts) or words)
    assert model(texts, labels, ["a prize", "at noon"], 0).tolist() == [1, 0]
    assert learned == [texts] and model.parameters == 10 + 1


def test_each_language_weighs_about_the_same():
    texts = {"en": ["aaaa", "aa aa"], "he": ["\u05d0"]}  # 9 bytes and 2
    found = languages.balanced_words(texts, words)
    assert found[(b"a", b"a")] == 20 and found[(b"a",) * 4] == 10
    assert found[(b"\xd7", b"\x90")] == 45


def test_rows_are_split_once_and_alike_in_all_languages():
    learned, held = languages.split_rows(10, share=0.7, seed=1)
    assert len(learned) == 7 and sorted([*learned, *held]) == list(range(10))
    assert not np.array_equal(learned, languages.split_rows(10, share=0.7, seed=2)[0])
    assert languages.rows_of({"en": ["a", "b"], "de": ["c", "d"]}, [1]) == {"en": ["b"], "de": ["d"]}


def test_names_mean_the_same_in_every_language():
    entries, english = languages.names_in(["en", "de"])
    assert entries["de"][entries["en"].index("Germany")] == "Deutschland" and english["de"] == "German"
    assert entries["de"][entries["en"].index("French")] == "Französisch"


def test_prices_are_relative_to_english(rows):
    readers = {"English docs": words, "balanced": characters}
    tokens = languages.token_counts(readers, {"en": ["a bc", "d"], "de": ["x"]})
    assert tokens == {"English docs": {"en": 3, "de": 1}, "balanced": {"en": 5, "de": 1}}
    assert languages.worst_prices(tokens, seed=4) == {"English docs": 1, "balanced": pytest.approx(5 / 3)}
    assert {r.model for r in rows()} == {"English docs, seed 4", "balanced, seed 4"}


def test_the_table_of_fertility_has_words_then_bytes():
    table = languages.fertility_table(
        {"letters": characters, "words": words},
        {"en": ["ab cd"]},
        {"en": "English"},
        tokens_per_word=lambda read, texts: len(read(texts[0])) / 2,
        tokens_per_byte=lambda read, texts: len(read(texts[0])) / 5,
    )
    assert [line.split() for line in table.splitlines()[1:]] == [
        ["letters", "words", "letters", "words"],
        ["English", "2.50", "1.00", "1.00", "0.40"],
    ]


def test_the_figures_say_what_they_draw():
    fig, alt = training_seconds({260: 1.0, 264: 3.0}, {264: 0.1, 456: 0.4})
    assert fig.axes[0].lines[2].get_ydata().tolist() == [3.0, 3.0 + 0.5 * 192] and "0.50 s for each merge" in alt
    cost = np.where(np.arange(1000) < 150, 1, 2)
    fig, alt = numbers_by_tokens(cost)
    assert "150 are one token, 850 two, 0 three. Of those with three digits 50" in alt
    strong = [text.get_text() for text in fig.axes[0].texts if text.get_weight() == "bold"]
    assert strong == [str(n) for n in range(150)] and len(fig.axes[0].texts) == 220


def test_the_dearest_language_is_drawn_first():
    names = ["English docs", "docs-tokenizer", "balanced", "balanced, marks kept"]
    tokens = {name: {"en": 10, "ta": 60 - 10 * i} for i, name in enumerate(names)}
    fig, alt = language_prices({"names": tokens, "text": tokens}, ["ta", "en"], {"en": "English", "ta": "Tamil"})
    assert [line.get_xdata().tolist() for line in fig.axes[0].lines] == [[6, 1], [5, 1], [4, 1], [3, 1]]
    assert "Tamil costs 6.0 times as much as English; with the balanced one that keeps marks 3.0" in alt
