"""The capstone's frame: what it finds, what it reads, and what it says of its parts."""

import json
from dataclasses import asdict, replace

import numpy as np
import pytest
import torch

from helpers.chapters.lora import assistant_report, figures, keepsake
from helpers.chapters.lora.answering import THRESHOLD
from helpers.chapters.lora.capstone import Assistant, parts_used
from helpers.course.artifacts import Artifact
from helpers.course.leaderboard import Row
from helpers.data.docs import Document
from helpers.data.questions import Question
from helpers.models.docs_reader import NOTHING, Span
from helpers.words import stems

TEXTS = {
    "numpy.mean": "Compute the arithmetic mean along the axis.\n\n" + "filler " * 200 + "\n\naxis is None by default.",
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
    monkeypatch.setattr("helpers.chapters.lora.capstone.load_encoder", lambda: None)
    assistant = Assistant(documents, pointing)
    reply = assistant.ask("Is axis None by default?", k=2)
    assert [passage.name for passage in reply.passages] == 3 * ["numpy.mean"] + ["numpy.sort"]
    assert (reply.answer, reply.number) == ("axis is None", 3)
    assert reply.passages[2].text == "numpy.mean(a)\naxis is None by default."
    assert reply.cited() == "axis is None [3] numpy.mean" and reply.cited(1e6) == "I do not know."


def test_of_a_document_the_sections_are_read_that_share_most_with_the_question(documents, monkeypatch):
    monkeypatch.setattr("helpers.chapters.lora.capstone.load_encoder", lambda: None)
    body = "\n\n".join(f"{word} " * 120 for word in ("filler", "sorted", "axis", "other", "mean"))
    assistant = Assistant(documents, pointing)
    long = replace(documents[0], body=body)
    read = assistant.passages(long, "Is the mean along an axis sorted?")
    assert [passage.text.split()[-1] for passage in read] == ["sorted", "axis", "mean"]
    empty = replace(documents[0], body="")
    assert [passage.text for passage in assistant.passages(empty, "mean?")] == ["numpy.mean(a)\n"]


def test_a_question_without_an_answer_gets_none(documents, monkeypatch):
    monkeypatch.setattr("helpers.chapters.lora.capstone.load_encoder", lambda: None)
    reply = Assistant(documents[1:], pointing).ask("Is axis None by default?", k=2)
    assert reply.answer == "" and reply.cited(-1e9) == "I do not know."


def test_the_report_follows_a_question_through_the_stages(documents, monkeypatch):
    monkeypatch.setattr("helpers.chapters.lora.capstone.load_encoder", lambda: None)
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
    assert shares["a right document among those read"] == "100%" and shares["right, end to end, never silent"] == "50%"
    assert shares["silent on 2 that have no answer"] == "50%"
    assert [assistant_report.correct(row) for row in rows] == [True, False]
    shades = assistant_report.nearness(rows, lambda said, right: 0.5 * (said == right)).splitlines()
    assert [line.split() for line in shades[1:]] == [["right", "1", "0.50", "0"], ["wrong", "1", "0.00", "1"]]


@pytest.fixture
def kept(documents, monkeypatch, tmp_path):
    monkeypatch.setattr("helpers.chapters.lora.capstone.load_encoder", lambda: None)
    monkeypatch.setenv("BOW2LORA_HOME", str(tmp_path))
    rows = [Row("09", "LoRA", "clinc150", 0.9, labels=10), Row("01", "bag", "clinc150", 0.8, labels=10)]
    (tmp_path / "leaderboard.json").write_text(json.dumps([asdict(row) for row in rows]))
    assistant, question = Assistant(documents, pointing), "Is axis <b>None</b> by default?"
    asked = [
        Question("a", "default", question, "numpy.mean", "axis is None by default", said)
        for said in ("axis is None", "0")
    ]
    found = assistant_report.ask_all(assistant, {document.name: document for document in documents}, asked)
    adapter = Artifact("docs-reader", {"q.A": torch.ones(2, 3)}, {}, "", "")
    return keepsake.Keepsake(assistant, found, [THRESHOLD, -1.0], adapter, [(0, 0.0), (100, 0.5)])


def test_the_page_to_keep_tells_the_run_in_one_file(kept, tmp_path, capsys):
    path = kept.keep(figures.assistant_page)
    page = path.read_text(encoding="utf-8")
    assert path == tmp_path / "my_assistant.html" and page.count("<h1>") == 1 and "http" not in page
    assert "<b>axis is None</b>, says <code>numpy.mean</code>" in page and "Not so: <b>0</b> would be right" in page
    assert "Is axis &lt;b&gt;None&lt;/b&gt; by default?" in page and "3 pages" in page and "50% of 2" in page
    assert "<td>MiniLM with my LoRA, spans in the inbox, after 100 steps</td><td>50%</td><td>from 0%</td>" in page
    assert "<td>150 intents, 10 of each</td><td>0.900</td><td>LoRA (chapter 09)</td>" in page and "bag (" not in page
    assert (
        'alt="a right document among those read: 100%' in page
        and "chapter 01 0.80, " in page
        and "chapter 09 0.90." in page
    )


def test_the_picture_tells_ones_own_chapters_from_the_courses(kept):
    theirs, mine = (Row(c, "LoRA", "clinc150", 0.8, labels=10, reference=c < "09") for c in ("01", "09"))
    better = Row("09", "theirs", "clinc150", 0.9, labels=10, reference=True)
    fig, alt = figures.assistant_page(kept.stages, kept.reached, [theirs, better, mine])
    blue, green = (bar.get_facecolor() for bar in fig.axes[2].patches)
    assert blue != green and alt.endswith("chapter 01 0.80, chapter 09 0.80.")


def test_words_and_vectors_are_fused(documents):
    assistant = Assistant(documents, pointing, encoder=Fixed())
    assert assistant.words.held() == [frozenset(stems(document.text)) for document in documents]
    assert assistant.search("entirely unknown?", 1)[0][0].name in ("numpy.mean", "json.dumps")
    (document, *_), odds = assistant.search("string?", 1)
    assert document.name == "json.dumps" and odds == [0.0]


def test_it_learns_which_documents_are_right_and_weighs_that_against_the_reader(documents, monkeypatch):
    monkeypatch.setattr("helpers.chapters.lora.capstone.load_encoder", lambda: None)
    assistant = Assistant(documents, lambda question, passages: [Span(p[:4], 0, 0.0) for p in passages])
    asked = [Question(name, "purpose", f"What does {name} do?", name, text, text) for name, text in TEXTS.items()]
    assistant.learn(asked)
    for question in asked:
        found, odds = assistant.search(question.question, 3)
        assert found[0].name == question.document and odds == sorted(odds, reverse=True) and odds[0] > 0 > odds[1]
        assert assistant.ask(question.question, 3).passages[0].name == question.document
    assert assistant.ask("How do I sort an array?", 3).passages[0].name == "numpy.sort"


def test_a_document_much_less_likely_than_the_best_is_not_read(documents, monkeypatch):
    monkeypatch.setattr("helpers.chapters.lora.capstone.load_encoder", lambda: None)
    assistant = Assistant(documents, pointing)
    monkeypatch.setattr(assistant, "search", lambda question, k: (documents, [1.0, -1.0, -2.1]))
    reply = assistant.ask("Is axis None by default?")
    assert {passage.name for passage in reply.passages} == {"numpy.mean", "numpy.sort"}
    assert set(reply.odds) == {1.0, -1.0} and len(reply.odds) == len(reply.spans) == len(reply.passages)


def test_the_parts_are_named(tmp_path, monkeypatch):
    monkeypatch.setenv("BOW2LORA_HOME", str(tmp_path))
    lines = parts_used()
    assert [line.split()[0] for line in lines] == ["docs-tokenizer", "docs-gpt", "docs-encoder"]
    assert "the course's (chapter 05 saves yours)" in lines[1]
