"""Spans in the inbox: what chapter 09 teaches MiniLM in four ways, how it judges them, and what it says of them."""

import re

import pytest
import torch

from autograder import paths
from autograder.authoring.measured import measured as record
from autograder.authoring.source import definitions
from helpers.chapters.lora import figures, span_reading
from helpers.course import leaderboard
from helpers.course.leaderboard import Row


@pytest.fixture(scope="module")
def lesson():
    return span_reading.Lesson(16, 6, seed=1)


@pytest.fixture(scope="module")
def measured(lesson):
    names = definitions(paths.source_text("09_lora"))

    def adapt(layers):
        return names["put_lora"](layers, 2, 4, targets=("query", "dense"))

    return {"LoRA r=4": lesson.run(adapt, 1e-3, 1), "all weights": lesson.run(None, 1e-4, 1)}


def test_the_marked_tokens_are_the_answer(lesson):
    """Also the whole message is there: no window was chosen for what it holds."""
    for row in [*lesson.learned, *lesson.judged]:
        assert len(row.window.token_ids) < span_reading.LENGTH
        assert 0 < row.first <= row.last < len(row.window.token_ids) - 1
        assert all(row.window.segments[row.first : row.last + 1])


def test_no_core_sentence_is_on_both_sides(lesson):
    learned = {tuple(row.window.token_ids) for row in lesson.learned}
    assert not learned & {tuple(row.window.token_ids) for row in lesson.judged}


def test_heads_learn_on_frozen_layers(lesson):
    before = {name: value.clone() for name, value in lesson.reader.state_dict().items()}
    layer, found = lesson.heads(1)
    assert 0 <= layer <= 6 and 0 <= found.exact <= 1 and found.trained == 2 * 384 + 2
    assert all(torch.equal(value, before[name]) for name, value in lesson.reader.state_dict().items())


def test_a_way_trains_what_it_says(lesson, measured):
    whole = sum(p.numel() for p in lesson.reader.parameters())
    assert measured["all weights"].trained == whole and measured["all weights"].share == 1
    blocks = 6 * (2 * (384 + 384) + 2 * (384 + 384) + 2 * 2 * (384 + 4 * 384))  # query, output and both of the network
    assert measured["LoRA r=4"].trained == blocks + 770
    assert measured["LoRA r=4"].mb < measured["all weights"].mb
    assert [steps for steps, _ in measured["LoRA r=4"].reached] == [0, 1]


def test_a_new_reader_keeps_the_vectors_that_it_had(lesson):
    assert lesson.kept(lesson.reader.encoder) > 0.5  # chance is 1 of 150


def test_a_span_counts_only_if_both_ends_are_right():
    scores = torch.full((2, 6, 2), -9.0)
    scores[0, 2, 0] = scores[0, 4, 1] = scores[1, 1, 0] = scores[1, 2, 1] = 9.0
    assert span_reading.hits(scores, torch.tensor([[2, 4], [1, 3]])) == 1


def test_the_figure_shows_the_stored_runs_beside_this_one(measured):
    """A way that only `make course` ran has a bar and no mark."""
    others = {"data": span_reading.SPANS, "lowest": 0.7, "highest": 0.9}
    rows = [Row("09", "LoRA r=4", score=0.8, runs=5, **others)]
    rows.append(Row("09", "LoRA r=64", score=0.85, runs=1, parameters=2_654_978, **others))
    fig, alt = figures.ways(measured, rows)
    assert "LoRA r=4, mean of 5 seeds 0.80, from 0.70 to 0.90" in alt and "mean of 1 seed 0.85" in alt
    assert f"all weights, this run {measured['all weights'].exact:.2f}" in alt
    assert len(fig.axes[0].patches) == 2
    assert [label.get_text().split("\n")[0] for label in fig.axes[0].get_yticklabels()] == list(span_reading.WAYS[1:])
    lines = span_reading.table(measured).splitlines()
    assert [line.split("  ")[0] for line in lines[1:]] == ["LoRA r=4", "all weights"]


def test_the_chapter_says_of_intents_what_the_leaderboard_has():
    """Of the points between TF-IDF and LoRA with ten examples, ten are MiniLM's as it comes, and one is LoRA's."""
    rows = {(row.chapter, row.model, row.labels): row for row in leaderboard.reference("clinc150")}
    probe, lora = ("09", "MiniLM, logistic regression"), ("09", "MiniLM with LoRA")
    counted, tuned = ("01", "TF-IDF, logistic regression"), ("07", "MiniLM tuned on the labels, linear probe")
    points = {row: 100 * rows[*row, 10].score for row in (probe, lora, counted, tuned)}
    assert round(points[lora] - points[counted]) == 11
    assert round(points[probe] - points[counted]) == 10 and round(points[lora] - points[probe]) == 1
    said = [f"{rows[*row, 10].score:.3f}" for row in (counted, probe, lora)]
    said += [f"{rows[*row, 5].score:.2f}" for row in (lora, probe)]
    text = " ".join(paths.source_text("09_lora").read_text(encoding="utf-8").replace("\n# ", " ").split())
    assert (
        f"TF-IDF gets {said[0]} right, a logistic regression on MiniLM's vectors {said[1]}, your LoRA {said[2]}" in text
    )
    assert f"({said[3]} against {said[4]}, on each of five seeds)" in text
    assert f"({rows[*lora, 1].score:.2f} against {rows[*probe, 1].score:.2f})" in text
    assert rows[*tuned, 10].score >= rows[*lora, 10].score - 0.01 and f"({rows[*tuned, 10].score:.3f})" in text


def test_the_chapter_says_of_the_same_head_without_lora_what_was_measured():
    rows = {(row.model, row.labels): row for row in leaderboard.reference("clinc150") if row.chapter == "09"}
    pairs = [(rows["MiniLM frozen, cosine head", k], rows["MiniLM with LoRA", k]) for k in (1, 5, 10)]
    alone, lora = ([f"{pair[side].score:.2f}" for pair in pairs] for side in (0, 1))
    text = " ".join(paths.source_text("09_lora").read_text(encoding="utf-8").replace("\n# ", " ").split())
    assert (
        f"gets {alone[0]}, {alone[1]} and {alone[2]} with one, five and ten examples, LoRA {lora[0]}, {lora[1]} and "
        f"{lora[2]}." in text
    )
    assert all(head.highest > beside.lowest for head, beside in pairs)  # "the ranges of the seeds overlap each time"
    claim = "Accuracy of intents, 5 labels: LoRA above the same head on the same MiniLM"
    figures = record()["09_lora"]["claims"][claim]
    assert all(a > b for a, b in zip(figures["better"], figures["worse"], strict=True)) and len(figures["worse"]) == 5


def test_the_chapter_says_of_spans_what_was_measured():
    rows = {row.model: row for row in leaderboard.reference(span_reading.SPANS)}
    head, rank4, whole = (rows[way] for way in span_reading.WAYS if way != "LoRA r=64")
    text = " ".join(paths.source_text("09_lora").read_text(encoding="utf-8").replace("\n# ", " ").split())
    assert (
        f"head stops at {head.score:.2f}, LoRA of rank 4 reaches {rank4.score:.2f}, all weights {whole.score:.2f}"
        in text
    )
    share = (rank4.score - head.score) / (whole.score - head.score)
    assert f"brings {100 * share:.0f} % of the {100 * (whole.score - head.score):.0f} points" in text
    assert head.highest < rank4.lowest and rank4.highest < whole.lowest  # "no two of the three ranges overlap"
    assert f"rank 4 goes from {rank4.lowest:.2f} to {rank4.highest:.2f}" in text


def test_the_chapter_says_of_spam_what_the_leaderboard_has():
    """All seeds: the mean, the best, and the one that collapsed."""
    text = " ".join(paths.source_text("09_lora").read_text(encoding="utf-8").replace("\n# ", " ").split())
    for data, words in {
        "sms_spam": "F1 of {:.2f} ({:.2f} to {:.2f} over",
        "inbox": "mean is {:.2f} and TF-IDF's",
    }.items():
        row = next(row for row in leaderboard.reference(data) if (row.chapter, row.model) == ("09", "MiniLM with LoRA"))
        assert words.format(row.score, row.lowest, row.highest) in text
    assert f"best seed has {row.highest:.2f}, and one seed of five collapses to {row.lowest:.2f}" in text


def test_the_code_at_the_end_makes_ten_ways(monkeypatch):
    """Small: one step, few messages; tests/benchmarks/test_ten_ways.py runs it whole."""
    from autograder.authoring.source import read

    source = paths.source_text("09_lora")
    names = definitions(source)
    table = next(cell.source for cell in read(source) if "adaptation.base_table(" in cell.source)
    exec(re.sub(r"ROWS = \d+", "ROWS = 2", table), names)
    text = (paths.SOLUTIONS / "09_lora" / "further.md").read_text(encoding="utf-8")
    code = re.search(r"```python\n(.*?)```", text, re.DOTALL).group(1)
    said = []
    monkeypatch.setitem(names, "print", said.append)
    exec(code.replace("MESSAGES, STEPS = 250, 40", "MESSAGES, STEPS = 20, 1"), names)
    assert [line.split()[0] for line in said[0].splitlines()[1:]] == [
        way.split()[0] for way in names["adaptation"].WAYS
    ]
