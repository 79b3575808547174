"""The capstone's frame: what it finds, what it reads, and what it says of its parts."""

import numpy as np
import pytest
import torch

from helpers.assistant.capstone import Assistant, parts_used
from helpers.course.artifacts import Artifact
from helpers.course.leaderboard import Row
from helpers.data.docs import Document
from helpers.data.questions import Question
from helpers.experiments.lora import assistant_report, keepsake
from helpers.models.docs_reader import NOTHING, Span

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


def pointing(question, passages):
    """A reader that points at "axis is None" where a passage has it, and is surer the later it stands."""
    words = "axis is None"
    return [Span(words, p.find(words), float(p.find(words))) if words in p else NOTHING for p in passages]


def test_the_passage_with_the_words_is_found_read_and_cited(documents, monkeypatch):
    monkeypatch.setattr("helpers.assistant.capstone.load_encoder", lambda: None)
    assistant = Assistant(documents, pointing)
    reply = assistant.ask("Is axis None by default?", k=2)
    assert reply.passages[0].name == "numpy.mean" and len(reply.passages) == 2
    assert (reply.answer, reply.number) == ("axis is None", 1)
    assert reply.passages[0].text.startswith("numpy.mean(a)\n") and len(reply.passages[0].text.split()) == 101
    assert reply.said(0.0) == "axis is None [1] numpy.mean" and reply.said(1e6) == "I do not know."
    assert assistant.passage(documents[1], "sorted?").text == "numpy.sort(a)\nReturn a sorted copy of an array."


def test_a_question_without_an_answer_gets_none(documents, monkeypatch):
    monkeypatch.setattr("helpers.assistant.capstone.load_encoder", lambda: None)
    reply = Assistant(documents[1:], pointing).ask("Is axis None by default?", k=2)
    assert reply.answer == "" and reply.said(-1e9) == "I do not know."


def test_the_report_follows_a_question_through_the_stages(documents, monkeypatch):
    monkeypatch.setattr("helpers.assistant.capstone.load_encoder", lambda: None)
    assistant = Assistant(documents, pointing)
    docs = {document.name: document for document in documents}
    asked = [
        Question("a", "default", "Is axis None by default?", "numpy.mean", "axis is None by default", "axis is None"),
        Question("b", "purpose", "What is sorted?", "numpy.sort", "Return a sorted copy", "an array"),
    ]
    rows = assistant_report.ask_all(assistant, docs, asked)
    assert assistant_report.end_to_end(rows) == 0.5 and rows[0].gold == "axis is None" and rows[1].gold == ""
    report = assistant_report.report(rows, [-1e9, 1e9], 0.0)
    shares = {line[:40].strip(): line[40:].split()[0] for line in report.splitlines()[1:]}
    assert shares["a right document among the five"] == "100%" and shares["right, end to end, never silent"] == "50%"
    assert shares["silent on 2 that have no answer"] == "50%"
    adapter = Artifact("docs-reader", {"q.A": torch.ones(2, 3)}, {"threshold": 0.0}, "", "")
    board = [Row("09", "LoRA", "clinc150", 0.9, labels=5), Row("01", "bag", "clinc150", 0.8, labels=5)]
    page = keepsake.page(assistant, rows, [0.0], adapter, [(0, 0.0), (100, 0.5)], board)
    assert "3 documents" in page and "from 0% to 50%" in page and "axis is None [1] numpy.mean" in page
    assert "clinc150, 5 labels a class: 0.900 (LoRA, chapter 09)" in page and "(bag" not in page


def test_words_and_vectors_are_fused(documents):
    assistant = Assistant(documents, pointing, encoder=Fixed())
    assert assistant.search("entirely unknown?", 1)[0].name in ("numpy.mean", "json.dumps")
    assert assistant.search("string?", 1)[0].name == "json.dumps"


def test_the_parts_are_named(tmp_path, monkeypatch):
    monkeypatch.setenv("BOW2LORA_HOME", str(tmp_path))
    lines = parts_used()
    assert [line.split()[0] for line in lines] == ["docs-tokenizer", "docs-gpt", "docs-encoder"]
    assert "the course's (chapter 05 saves yours)" in lines[1]
