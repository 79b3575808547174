"""The two benchmarks of the course: what is asked, and what becomes a row of the leaderboard."""

import json

import numpy as np
import pytest

from helpers import data
from helpers.course import benchmarks, leaderboard


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("BOW2LORA_HOME", str(tmp_path))
    monkeypatch.setattr(benchmarks, "SEED", 3)
    return tmp_path


def first_label(texts, labels, questions, seed):
    return np.full(len(questions), labels[0])


def test_an_exam_asks_every_intent_and_shows_as_many_examples_of_each():
    exam = benchmarks.intents_exam(labels=5, seed=0)
    assert len(exam.texts) == 750 and (np.bincount(exam.labels) == 5).all()
    assert len(exam.questions) == 4500 and (np.bincount(exam.answers) == 30).all()
    clinc = data.load("clinc150")
    known = {r.text: r.intent for r in clinc.splits["train"]}
    assert all(known[text] == clinc.intents[label] for text, label in zip(exam.texts, exam.labels, strict=True))
    assert not set(exam.texts) & set(exam.questions)


def test_draws_differ_by_seed_and_repeat():
    first, again, other = (benchmarks.intents_exam(1, seed, max_questions=2) for seed in (0, 0, 1))
    assert first.texts == again.texts != other.texts
    assert first.questions == other.questions and len(first.questions) == 300


def test_a_quick_try_has_few_intents_and_few_messages():
    exam = benchmarks.intents_exam(labels=5, seed=0, max_questions=2, every=20)
    assert len(exam.texts) == 40 and set(exam.labels) == set(exam.answers) == set(range(8))
    seen = []

    def model(texts, labels, questions, seed):
        seen.append((len(texts), len(questions)))
        return first_label(texts, labels, questions, seed)

    benchmarks.take("01", "always the first", model, every=20)
    assert len(seen) == 5 and max(max(counts) for counts in seen) < 300


def test_intents_become_a_row_for_each_number_of_labels(capsys):
    benchmarks.intents("01", "always the first", first_label, draws=2, labels=(1, 5), questions=1)
    rows = leaderboard.rows("clinc150")
    assert [(r.labels, r.runs, round(r.score, 4)) for r in rows] == [(1, 2, 0.0067), (5, 2, 0.0067)]
    assert " 5 labels an intent, accuracy 0.007 (0.007 to 0.007, 2 runs)" in capsys.readouterr().out


def test_a_model_is_given_the_seed_of_its_split():
    seeds = []

    def model(texts, labels, questions, seed):
        seeds.append(seed)
        return labels[np.arange(len(questions)) % len(labels)]

    model.parameters = 12
    benchmarks.spam("01", "copies", model, splits=2)
    assert seeds == [3, 4, 3, 4]
    rows = leaderboard.rows()
    assert [(r.data, r.parameters, r.runs, r.labels) for r in rows] == [("inbox", 12, 2, 0), ("sms_spam", 12, 2, 0)]
    assert all(r.lowest <= r.score <= r.highest for r in rows)


def test_spam_of_the_inbox_is_judged_on_core_sentences_that_were_never_seen():
    inbox = data.load("inbox").without_repeats()
    for seed in (0, 1):
        train, test = inbox.split(test=0.2, seed=seed)
        assert not set(train.cores) & set(test.cores)
        assert set(train.intents) == set(test.intents) == set(inbox.intents)
        assert len(train) + len(test) == len(inbox) and 0.15 < len(test) / len(inbox) < 0.25
    assert inbox.split(seed=1)[1].texts == test.texts != inbox.split(seed=0)[1].texts


def test_a_linear_probe_learns_what_the_encoder_shows():
    def encode(texts):
        return np.array([[len(text), "!" in text] for text in texts], dtype=float)

    model = benchmarks.linear_probe(encode)
    said = model(["a!", "b!", "c", "d"], np.array([1, 1, 0, 0]), ["x!", "y"], 0)
    assert said.tolist() == [1, 0] and model.parameters == 3


def test_the_course_s_own_rows_stand_in_for_models_not_run_here(home, tmp_path, monkeypatch):
    reference = [
        {"chapter": c, "model": "m", "data": "clinc150", "labels": 5, "score": s} for c, s in [("01", 0.9), ("02", 0.2)]
    ]
    (tmp_path / "reference").mkdir()
    (tmp_path / "reference" / leaderboard.REFERENCE).write_text(json.dumps(reference), encoding="utf-8")
    monkeypatch.setattr(leaderboard, "datasets_folder", lambda: tmp_path / "reference")
    with leaderboard.measured("01", "m", "clinc150", labels=5) as row:
        row.score = 0.5
    assert [(r.chapter, r.score, r.reference) for r in leaderboard.with_reference("clinc150")] == [
        ("02", 0.2, True),
        ("01", 0.5, False),
    ]
    assert "m *" in leaderboard.table("clinc150") and "the course's own run" in leaderboard.table("clinc150")
    assert "own run" not in leaderboard.table()


def test_the_figure_has_all_models_of_a_chapter_and_the_best_of_each_other(monkeypatch):
    scores = {
        ("01", "worse"): [0.5, 0.6],
        ("01", "better"): [0.4, 0.7],
        ("02", "one"): [0.1, 0.2],
        ("02", "two"): [0.2, 0.1],
    }
    rows = [
        leaderboard.Row(chapter, model, "clinc150", labels=labels, score=score)
        for (chapter, model), both in scores.items()
        for labels, score in zip((1, 10), both, strict=True)
    ]
    drawn = []
    monkeypatch.setattr(leaderboard, "with_reference", lambda data: rows)
    monkeypatch.setattr(benchmarks.plots, "few_labels", lambda shown, chapter: (drawn.extend(shown), chapter))
    monkeypatch.setattr(benchmarks.plots, "show", lambda figure, alt: None)
    benchmarks.show("02")
    assert {(row.chapter, row.model) for row in drawn} == {("01", "better"), ("02", "one"), ("02", "two")}


def test_what_is_remembered_is_encoded_once():
    asked = []

    def encode(texts):
        asked.extend(texts)
        return np.array([[len(text)] for text in texts])

    once = benchmarks.remembered(encode)
    assert once(["a", "bb", "a"]).tolist() == [[1], [2], [1]]
    assert once(["bb", "ccc"]).tolist() == [[2], [3]] and asked == ["a", "bb", "ccc"]
