"""The capstone's frame: what it finds, what it reads, and what it says of its parts."""

import numpy as np
import pytest

from helpers.assistant.capstone import Assistant, parts_used
from helpers.data.docs import Document

TEXTS = {
    "numpy.mean": "Compute the arithmetic mean along the axis. " + "filler " * 100 + "axis is None by default.",
    "numpy.sort": "Return a sorted copy of an array.",
    "json.dumps": "Serialize obj to a JSON formatted string.",
}


class Fixed:
    """An encoder whose vectors say that everything is like json."""

    def encode(self, texts):
        return np.array([[1.0, 0.0] if "JSON" in text or "?" in text else [0.0, 1.0] for text in texts], np.float32)


@pytest.fixture
def documents():
    def one(name, text):
        return Document(name.split(".")[0], name, "function", "", "(a)", text, text, {}, "")

    return [one(name, text) for name, text in TEXTS.items()]


def test_the_document_with_the_words_is_found_and_read(documents, monkeypatch):
    monkeypatch.setattr("helpers.assistant.capstone.load_encoder", lambda: None)
    assistant = Assistant(documents, lambda passage, question: passage.upper())
    reply = assistant.ask("Is axis None by default?", k=2)
    assert reply.names[0] == "numpy.mean" and len(reply.names) == 2
    assert "axis is None by default" in reply.passage and reply.answer == reply.passage.upper()
    assert len(reply.passage.split()) == 60
    assert assistant.passage(documents[1], "sorted?") == "numpy.sort(a) Return a sorted copy of an array."


def test_words_and_vectors_are_fused(documents):
    assistant = Assistant(documents, lambda passage, question: "", encoder=Fixed())
    assert assistant.search("entirely unknown?", 1)[0].name in ("numpy.mean", "json.dumps")
    assert assistant.search("string?", 1)[0].name == "json.dumps"


def test_the_parts_are_named(tmp_path, monkeypatch):
    monkeypatch.setenv("BOW2LORA_HOME", str(tmp_path))
    lines = parts_used()
    assert [line.split()[0] for line in lines] == ["docs-tokenizer", "docs-gpt", "docs-encoder"]
    assert "the reference: chapter 05" in lines[1]
