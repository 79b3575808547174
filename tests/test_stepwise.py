"""word2vec pair by pair: the trainer around the student's step, which makes chapter 02's vectors of requests."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch

from autograder import cell_marks, paths
from autograder.authoring.source import definitions, read
from autograder.cells import new_shell, run
from helpers.chapters.word_vectors import stepwise
from helpers.chapters.word_vectors.corpus import read_corpus

CHAPTER = "02_word_vectors"


@pytest.fixture(scope="module")
def names():
    return definitions(paths.source_text(CHAPTER))


@pytest.fixture
def corpus():
    texts = ["cat sat on a mat", "dog sat on a rug", "red wine or white wine", "white beer or red beer"]
    return read_corpus(texts * 40, fewest=1)


def trainer(names, step):
    """A trainer with the chapter's functions that keeps every word: so small a text has frequent ones only."""
    windows, pairs, noise = (names[n] for n in ("context_windows", "skip_gram_pairs", "noise_distribution"))
    return stepwise.StepTrainer(windows, pairs, lambda counts: np.ones(len(counts)), noise, step)


def test_the_loss_falls_and_words_of_one_company_meet(names, corpus, monkeypatch):
    monkeypatch.setattr(stepwise, "PAIRS", 20)
    vectors, losses = trainer(names, names["step"]).train(corpus, passes=40, width=8, reach=2)
    assert len(losses) == 40 and losses[-1] < losses[0] - 0.5 < 6 * np.log(2) - 0.5
    assert vectors.nearest("cat", 1)[0][0] == "dog" and vectors.nearest("wine", 1)[0][0] == "beer"


def test_each_step_gets_its_pairs_and_a_rate_that_falls(names, corpus, monkeypatch):
    monkeypatch.setattr(stepwise, "PAIRS", 50)
    seen = []

    def step(inputs, outputs, centres, contexts, noise, rate):
        seen.append((len(centres), len(contexts), tuple(noise.shape), rate))
        return inputs.tolist(), outputs.numpy(), 1.0  # any form will do

    _, losses = trainer(names, step).train(corpus, passes=1.5, width=4)
    rates = [rate for *_, rate in seen]
    assert {tuple(shapes) for *shapes, _ in seen} == {(50, 50, (50, stepwise.NOISE))}
    assert rates[0] == pytest.approx(50 * stepwise.RATE) and rates == sorted(rates, reverse=True)
    assert losses == [1.0, 1.0]


def test_a_pass_reads_every_pair_of_near_words_once(names):
    corpus = read_corpus(["a b", "c d"], fewest=1)
    of_both = trainer(names, None)._shuffled(corpus, np.ones(4), reach=1)
    assert sorted(of_both.tolist()) == [[0, 1], [1, 0], [2, 3], [3, 2]]


def test_a_slow_step_ends_early_and_says_so(names, corpus, monkeypatch, capsys):
    monkeypatch.setattr(stepwise, "PAIRS", 20)
    _, losses = trainer(names, names["step"]).train(corpus, passes=30, width=4, limit=0.0)
    assert len(losses) == 1 and "Stopped after 0.0 of 30 passes" in capsys.readouterr().out


def test_the_chapters_vectors_of_requests_are_made_by_the_students_own_gradients():
    shell, calls = new_shell(), SimpleNamespace(step=0, negative_sampling=0)
    tables = []

    def counted(name):
        own = shell.user_ns[name]

        def spied(*args):
            setattr(calls, name, getattr(calls, name) + 1)
            assert not torch.is_grad_enabled() or not any(getattr(arg, "requires_grad", False) for arg in args)
            given = own(*args)
            tables.append(given[0])
            return given

        shell.user_ns[name] = spied

    for cell in read(paths.source_text(CHAPTER)):
        main = "by_steps.train(" in cell.source
        if main:
            counted("negative_sampling"), counted("step")
        if cell.kind in ("given", "exercise") or main:
            source, sizes = cell_marks.without_sizes(cell.source)
            outcome = run(shell, cell_marks.sized(source, sizes.get("small", {})))
            assert outcome.error is None, f"{cell.grade_id}: {outcome.error!r}"
        if main:
            break
    assert calls.step == calls.negative_sampling > 0
    assert np.array_equal(shell.user_ns["request_vectors"].matrix, tables[-1].numpy())
    exam = [cell.source for cell in read(paths.source_text(CHAPTER)) if "averaged_texts.compare(" in cell.source]
    assert '"its requests": request_vectors' in exam[0]  # what the chapter's main comparison judges
