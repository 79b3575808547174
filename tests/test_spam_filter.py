"""Chapter 01: the student's own code trains the filter that the rest of the chapter uses; what its helpers measure."""

import nbformat
import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import precision_recall_fscore_support

from autograder import cell_marks
from autograder.authoring.build import build
from helpers import data, plots
from helpers.chapters.spam import disguises, figures, splits
from helpers.chapters.spam.classification import beside_the_benchmarks
from helpers.chapters.spam.thresholds import where_spam_is_rare

CHAPTER = "01_spam"
LAST = "models = {"  # the cell in which the trained filter gives its scores


def judge(labels, predictions):
    return precision_recall_fscore_support(labels, predictions, average="binary", zero_division=0)[:3]


def code_cells():
    """Yield the text of the chapter's code cells at small sizes, without checks, up to the scores of the filter."""
    for cell in nbformat.read(build(CHAPTER), as_version=4).cells:
        if cell.cell_type == "code" and cell_marks.from_metadata(cell) != "check":
            source = cell_marks.sized(cell.source, cell.metadata.get("bow2lora", {}).get("small", {}))
            yield source
            if LAST in source:
                return


def counting(function, calls: list):
    def counted(*args, **kwargs):
        calls.append(function(*args, **kwargs))
        return calls[-1]

    return counted


def test_the_filter_of_the_chapter_is_trained_by_the_students_loop(monkeypatch, capsys):
    monkeypatch.setattr(plots, "show", lambda *figure: None)
    names: dict = {"__name__": CHAPTER}
    calls: dict[str, list] = {"logistic_loss_and_gradient": [], "descend": []}
    for source in code_cells():
        exec(source, names)
        for name, made in calls.items():
            if f"def {name}(" in source:
                names[name] = counting(names[name], made)
    weights, bias, losses = calls["descend"][0]
    assert len(calls["logistic_loss_and_gradient"]) > len(losses) > names["PASSES"]
    assert np.mean(losses[-20:]) < losses[0] - 0.1
    filtered = names["test_weighted"] @ weights + bias
    assert names["models"]["logistic regression on TF-IDF"] == pytest.approx(filtered)
    capsys.readouterr()


@pytest.mark.parametrize(
    ("hidden", "plain"),
    [("get fr33 p1lls", "get free pills"), ("W I N now", "WIN now"), ("сlісk here", "click here")],
)
def test_a_disguise_is_undone(hidden, plain):
    assert disguises.undone(hidden) == plain and disguises.hides_a_word(hidden)
    assert disguises.undone(plain) == plain and not disguises.hides_a_word(plain)


@pytest.mark.parametrize("text", ["Room 101 at 5 p m", "I a m here", "LT4, 4th floor"])
def test_what_is_no_disguise_stays(text):
    assert disguises.undone(text) == text


def test_a_link_becomes_one_word():
    text = "see http://a.b.example/x1k0 or write to verify@mail.example. An example"
    assert disguises.without_links(text) == "see link or write to link An example"


def test_the_words_that_are_hidden_are_those_of_the_inbox():
    messages = data.load("inbox").without_repeats()
    hidden = np.array([disguises.hides_a_word(text) for text in messages.texts])
    assert hidden[messages.labels == 1].mean() == pytest.approx(1 / 11, abs=0.005)
    assert hidden[messages.labels == 0].mean() < 0.005


@pytest.fixture(scope="module")
def few():
    messages = data.load("inbox").without_repeats()
    return messages.take(np.arange(0, len(messages), 5))


def test_a_random_split_has_twins_and_the_other_one_none(few):
    for split, shared in ((splits.by_core_sentence(few), False), (splits.at_random(few), True)):
        train, test = split(0)
        assert len(train) + len(test) == len(few)
        both = set(map(tuple, np.array(train.cores).tolist())) & set(map(tuple, np.array(test.cores).tolist()))
        assert bool(both) == shared
    assert len(splits.at_random(few)(1)[0]) == len(splits.by_core_sentence(few)(1)[0])


def test_pairs_are_judged_on_each_split(few):
    def embed(train, test):
        return {name: [sparse.csr_matrix(np.ones((len(part), 1))) for part in (train, test)] for name in ("a", "b")}

    classifiers = {"spam": lambda g, y: np.ones(g[1].shape[0]), "ham": lambda g, y: -np.ones(g[1].shape[0])}
    names, tables = splits.f1_over_splits(splits.by_core_sentence(few), range(2), embed, classifiers, judge)
    share = splits.by_core_sentence(few)(0)[1].labels.mean()
    assert names == ["a", "b"] and tables.shape == (2, 2, 2)
    assert tables[0, 1].tolist() == pytest.approx([2 * share / (1 + share), 0.0])
    text = splits.pairs_table(np.array([[[0.25, 0.5]], [[0.75, 0.5]]]), ["e"], ["x", "y"])
    assert text.splitlines()[1].split() == ["e", "0.500", "(0.250-0.750)", "0.500", "(0.500-0.500)"]


def test_links_penalties_disguises_and_probabilities_are_measured(few):
    core = splits.by_core_sentence(few)
    same = splits.with_and_without(core, [0], str, judge)
    assert set(same) == set(splits.filters()) and all(a == b for a, b in same.values())
    gone = splits.with_and_without(core, [0], lambda text: "the same", judge)
    assert all(after[0] < before[0] for before, after in gone.values())
    by_penalty = splits.f1_by_penalty(core, [0], judge)
    assert {rows.shape for rows, _ in by_penalty.values()} == {(1, len(splits.PENALTIES))}
    assert f"naive Bayes {splits.said(by_penalty['counts'][1])}" in splits.penalties_table(by_penalty)
    assert splits.changed_table(gone, "gone").splitlines()[0].split()[-1] == "gone"
    fig, alt = figures.penalties(by_penalty, splits.PENALTIES)
    assert len(fig.axes) == 2 and f"{by_penalty['counts'][1].mean():.3f}" in alt
    assert splits.disguised_table(core, [0]).count("of those that hide one") == 3
    pooled = splits.probabilities(core, [0, 1])
    labels, p = pooled["naive Bayes on counts"]
    assert len(labels) == len(p) == sum(len(core(seed)[1]) for seed in (0, 1)) and 0 <= p.min() < p.max() <= 1
    fig, alt = figures.reliability({"sure": (np.array([1, 0, 0, 1]), np.array([0.95, 0.95, 0.05, 0.97]))})
    assert "where it predicts 0.96, 0.67 are spam" in alt


def test_where_spam_is_rare_precision_falls_and_a_moved_threshold_restores_it():
    labels, p = np.array([1] * 8 + [0] * 8), np.array([0.9] * 6 + [0.999] * 2 + [0.1] * 6 + [0.9] * 2)
    rows = where_spam_is_rare(labels, p, {"here": 0.5, "rare": 0.1}, least=0.8).splitlines()[2:]
    assert [row.split()[1:] for row in rows] == [
        ["50.0%", "0.800", "1.000", "0.800", "1.000"],
        ["10.0%", "0.308", "1.000", "1.000", "0.250"],  # 0.1 / (0.1 + 0.9 / 4)
    ]


def test_naive_bayes_stands_beside_the_benchmarks():
    lines = beside_the_benchmarks([0], every=20).splitlines()
    assert [line.split()[0] for line in lines] == ["naive", "counts", "TF-IDF"]
    assert all(0 <= float(score) <= 1 for line in lines[1:] for score in line.split()[1:])
