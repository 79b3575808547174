"""Chapter 09's comparisons in full: its cells with more steps and labels, for several seeds, and what they claim.

python -m pytest tests/benchmarks/test_longer_lora.py -s -k spans          (or intents, or sorting)

Each part takes up to a quarter of an hour on two idle cores. What it prints is kept in solutions/measured.json, as
claims and rows with this command, since the chapter's own run is shorter.
"""

from functools import partial

import pytest

from autograder import cell_marks, paths
from autograder.authoring.source import definitions, read
from helpers.chapters.lora import few_labels, span_reading
from helpers.course import benchmarks, leaderboard
from helpers.course.claims import claim

SOURCE = paths.source_text("09_lora")
SPANS, INTENTS, SORTING = "span_reading.Lesson(", "few_labels.Adapted(", "sorting.Task("  # what each cell calls
LONGER = {
    SPANS: {"STEPS": "60"},
    INTENTS: {"STEPS": "60", "SPAM_STEPS": "12", "LABELS": "[1, 5, 10]", "MESSAGES": "300"},
    SORTING: {"TRIES": "300"},
}
HEAD = "MiniLM frozen, cosine head"  # LoRA's classifier without LoRA; the chapter's run leaves it out


def run(calls: str, names: dict) -> None:
    """Run the cell that makes a call, with its longer sizes."""
    cell = next(cell.source for cell in read(SOURCE) if cell.kind == "show" and calls in cell.source)
    source, _ = cell_marks.without_sizes(cell)
    exec(cell_marks.sized(source, LONGER[calls]), names)


def said_of(data: str) -> None:
    print(*[f"{row.model}, {row.data}, {row.labels}: {row.score:.4f}" for row in leaderboard.rows(data)], sep="\n")


def head_alone(adapted: few_labels.Adapted) -> None:
    """Let the classifier that learned beside LoRA learn as long without it, on the same texts and questions."""
    rival = few_labels.Adapted(adapted.encoder, few_labels.frozen, adapted.steps)
    rival.read = adapted.read
    benchmarks.intents("09", HEAD, rival, labels=[1, 5, 10], questions=5)


@pytest.fixture
def names(seed, monkeypatch, tmp_path):
    monkeypatch.setenv("BOW2LORA_HOME", str(tmp_path))
    monkeypatch.setattr("helpers.course.benchmarks.SEED", seed)
    print(f"\nseed {seed}")
    return definitions(SOURCE) | {"SEED": seed}


@pytest.mark.parametrize("seed", range(5))
def test_spans(names):
    run(SPANS, names)
    lesson, beside_all = names["lesson"], names["beside_all"]
    more = {"LoRA r=64": lesson.run(partial(beside_all, r=64, alpha=128), lr=2e-3, steps=60)}
    span_reading.enter(more)
    exact = {way: found.exact for way, found in (names["measured"] | more).items()}
    head, rank4, rank64, whole = (exact[way] for way in span_reading.WAYS)
    claim("Spans in the inbox, exact: LoRA r=4 above a head on the best frozen layer", rank4, head)
    claim("Spans in the inbox, exact: all weights above LoRA r=4", whole, rank4)
    claim("Spans in the inbox, exact: all weights above LoRA r=64", whole, rank64)
    said_of(span_reading.SPANS)


@pytest.mark.parametrize("seed", range(5))
def test_intents(names):
    names["beside_all"] = partial(names["put_lora"], targets=few_labels.LINEAR)
    run(INTENTS, names)
    head_alone(names["adapted"])
    scores = {row.model: row.score for row in leaderboard.rows("clinc150") if row.labels == 5}
    for model, rival in {"MiniLM, logistic regression": "a logistic regression", HEAD: "the same head"}.items():
        what = f"Accuracy of intents, 5 labels: LoRA above {rival} on the same MiniLM"
        claim(what, scores["MiniLM with LoRA"], scores[model])
    for data in ("clinc150", "sms_spam", "inbox"):
        said_of(data)


@pytest.mark.parametrize("seed", range(5))
def test_sorting(names):
    run(SORTING, names)
    tried, repeated = names["paths"]["trying"], names["paths"]["more of the 40"]
    best = max(point.right for point in repeated)
    what = "Four letters in order, new prompts: after trying, above"
    claim(f"{what} the best moment of more supervised steps", tried[-1].right, best)
    claim(f"{what} where it began", tried[-1].right, tried[0].right)
    what = "Four letters in order: different answers of eight, before trying above after it"
    claim(what, tried[0].kinds, tried[-1].kinds)
    claim(f"{what}, and more supervised steps cost as much", repeated[0].kinds, repeated[-1].kinds)
