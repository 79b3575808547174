"""The bundled inbox: reproducible, well formed, and as hard as its card says."""

import gzip
import hashlib
import importlib.util
import re
import zlib

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline

from helpers.data import load
from helpers.data.registry import datasets_folder, find

FOLDER = datasets_folder() / "inbox"
LABELS = {"PERSON", "DATE", "TIME", "PLACE", "MONEY", "COURSE", "ORG"}
SPAM_INTENTS = {"prize", "pills", "loan", "phishing", "job", "subscription", "impostor"}


@pytest.fixture(scope="module")
def inbox():
    return load("inbox")


@pytest.fixture(scope="module")
def maker():
    spec = importlib.util.spec_from_file_location("make_inbox", FOLDER / "make_inbox.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_generator_writes_the_bundled_file(maker):
    bundled = (FOLDER / "inbox.jsonl.gz").read_bytes()
    text, file = maker.to_jsonl(maker.messages()), find("inbox").files[0]
    assert text == gzip.decompress(bundled), "run datasets/inbox/make_inbox.py and update registry.toml"
    assert (len(text), hashlib.sha256(text).hexdigest()) == (file.bytes, file.sha256), "update registry.toml"
    assert maker.to_gzip(text) == maker.to_gzip(text)
    if "ng" in zlib.ZLIB_RUNTIME_VERSION:
        pytest.skip("zlib-ng compresses the same text to other bytes")
    assert maker.to_gzip(text) == bundled


def test_size_and_shares(inbox):
    assert len(inbox) == 5000 == len(inbox.without_repeats())
    assert len(set(inbox.texts)) == 5000
    assert 0.25 <= inbox.labels.mean() <= 0.35
    assert 0.01 <= inbox.noisy.mean() <= 0.02
    assert (FOLDER / "inbox.jsonl.gz").stat().st_size < 400_000
    counts = {intent: inbox.intents.count(intent) for intent in set(inbox.intents)}
    assert len(counts) == 19 and min(counts.values()) >= 100


def test_noise_is_exactly_what_is_marked(inbox):
    """Without the flips, the label follows from the intent."""
    clean = np.array([intent in SPAM_INTENTS for intent in inbox.intents])
    assert ((clean != inbox.labels.astype(bool)) == inbox.noisy).all()


def test_entity_spans_are_valid(inbox):
    seen = set()
    for text, entities in zip(inbox.texts, inbox.entities, strict=True):
        end = 0
        for entity in entities:
            assert end <= entity.start < entity.end <= len(text), (text, entity)
            span = text[entity.start : entity.end]
            assert span == span.strip() and not re.search(r"[{}\[\]|]", span), (text, span)
            end = entity.end
            seen.add(entity.label)
    assert seen == LABELS


def test_texts_are_filled_and_tidy(inbox):
    for text in inbox.texts:
        assert text == text.strip() and "  " not in text, text
        assert not re.search(r"[{}\[\]|]", text), f"an unfilled template: {text}"


def test_links_and_numbers_are_invented(inbox):
    """Only the reserved domain, only telephone numbers kept for fiction."""
    for text in inbox.texts:
        for link in re.findall(r"(?:https?://|www\.)[^\s/]+", text.lower()):
            assert link.rstrip(".,!?:").endswith(".example"), text
        for number in re.findall(r"\b0\d{4}[ ]?\d{6}\b|\b020 \d{4} \d{4}\b", text):
            assert re.match(r"07700 ?900\d{3}|020 7946 0\d{3}", number), text


@pytest.mark.parametrize(
    "pattern",
    [
        r"[Mm]akes? (?:\W?\d[\d,.]*( euros| pounds)?) every \w+",
        r"amoxicillin|insulin|metformin",
        r"^[^a-z]{40,}$",
    ],
)
def test_the_classical_cues_occur_in_spam_and_in_ham(inbox, pattern):
    """A rule of thumb (easy money, medicines, capitals) must be weighed, not believed."""
    hits = np.array([bool(re.search(pattern, text)) for text in inbox.texts])
    spam = inbox.labels[hits & ~inbox.noisy]
    assert spam.sum() >= 5 and (1 - spam).sum() >= 5, (spam.sum(), len(spam))


def test_some_spam_is_disguised(inbox):
    spam = [t for t, y in zip(inbox.texts, inbox.labels, strict=True) if y]
    assert sum(bool(re.search(r"[\u0400-\u04ff]", t)) for t in spam) >= 20, "Cyrillic look-alikes"
    assert sum("fr33" in t.lower() or "f r e e" in t.lower() for t in spam) >= 5


@pytest.mark.parametrize("seed", range(5))
def test_a_default_bag_of_words_is_good_but_not_perfect(inbox, seed):
    """TF-IDF and logistic regression with default settings: F1 of spam on a random split, and on new core sentences."""

    def f1(train, train_labels, test, test_labels):
        model = make_pipeline(TfidfVectorizer(), LogisticRegression()).fit(train, train_labels)
        return f1_score(test_labels, model.predict(test))

    ours, held_out = inbox.split(seed=seed)
    theirs = train_test_split(inbox.texts, inbox.labels, test_size=0.2, stratify=inbox.labels, random_state=seed)
    assert 0.65 <= f1(ours.texts, ours.labels, held_out.texts, held_out.labels) <= 0.9
    assert 0.93 <= f1(theirs[0], theirs[2], theirs[1], theirs[3]) <= 0.985
