"""What chapter 10 shows beside its exercises: a grammar, the rare samplers, a squeezed cache, a machine's limits."""

import math
import re
from functools import partial

import numpy as np
import pytest
import test_own_code_trains
import torch

from autograder import cell_marks, paths
from autograder.authoring.source import definitions, read
from helpers.chapters.squeeze import grammars, rare_samplers, rooflines, stored
from helpers.experiments import smaller
from helpers.models.gpt import load_gpt

STORY = paths.source_text("10_squeeze")
EXAMPLE = torch.tensor([0.45, 0.25, 0.15, 0.08, 0.04, 0.02, 0.01]).log()


def reads(grammar: grammars.Grammar, text: str) -> bool:
    state: int | None = grammar.start
    for character in text:
        state = None if state is None else grammar.moves[state].get(character)
    return state in grammar.final


def test_the_grammar_reads_what_is_valid_and_nothing_else():
    grammar = grammars.schema()
    for name in (*grammars.ASKED, "a" * grammars.LONGEST):
        text = grammars.RECORD.format(name, "class", "false")
        assert reads(grammar, text) and grammars.valid(text) and len(text) < grammars.MOST
    right = grammars.RECORD.format("x", "module", "true")
    for old, new in (("x", ""), ("module", "thing"), ("true", "True"), ("}", ""), ("kind", "sort"), ('"x"', "x")):
        assert not reads(grammar, right.replace(old, new)) and not grammars.valid(right.replace(old, new)), new
    assert not reads(grammar, grammars.RECORD.format("a" * (grammars.LONGEST + 1), "class", "false"))
    assert all(moves or state in grammar.final for state, moves in enumerate(grammar.moves))


def test_the_rare_samplers_give_the_figures_of_further_reading():
    cooled = rare_samplers.dynamic_temperature(EXAMPLE, 0.5, 1.5)
    assert float(EXAMPLE[0] / cooled[0]) == pytest.approx(1.2429, abs=1e-4)
    bent = rare_samplers.quadratic(EXAMPLE, 0.3)
    assert (bent[0] - bent[[1, 6]]).tolist() == pytest.approx([0.104, 4.347], abs=1e-3)
    assert bent.softmax(-1).tolist() == pytest.approx(
        [0.3080, 0.2777, 0.2145, 0.1259, 0.0531, 0.0168, 0.0040], abs=1e-4
    )
    alone = torch.tensor([-math.inf, 3.0])
    assert rare_samplers.dynamic_temperature(alone, 0.5, 1.5).tolist() == [-math.inf, 6.0]


def left(logits: torch.Tensor) -> list[int]:
    return torch.isfinite(logits).nonzero().flatten().tolist()


def test_the_tail_begins_where_the_curve_stops_bending():
    order = torch.randperm(7, generator=torch.Generator().manual_seed(0))
    assert sorted(order[left(rare_samplers.keep_tail_free(EXAMPLE[order], 0.9))].tolist()) == [0, 1, 2, 3]
    assert left(rare_samplers.keep_tail_free(EXAMPLE[:2], 0.9)) == [0, 1]  # two tokens make no bend
    assert left(rare_samplers.keep_tail_free(torch.zeros(5), 0.9)) == [0, 1, 2, 3, 4]


def test_mirostat_moves_its_limit_against_the_error():
    assert left(rare_samplers.keep_surprise(EXAMPLE, 4.0)) == [0, 1, 2, 3]
    assert left(rare_samplers.keep_surprise(EXAMPLE, 0.0)) == [0]
    token, mu = rare_samplers.mirostat(EXAMPLE, 4.0, 3.0, 0.1, 0.95)
    assert token == 3 and mu == pytest.approx(3.936, abs=5e-4)
    choose, bits = rare_samplers.steady(2.0), []
    for _ in range(400):
        bits.append(-float(EXAMPLE[choose(EXAMPLE, [])]) / math.log(2))
    assert np.mean(bits[100:]) == pytest.approx(2.0, abs=0.1)
    assert -float((EXAMPLE.exp() * EXAMPLE).sum()) / math.log(2) > 2.05  # unsteered, the mean surprise is the entropy


def test_contrastive_search_takes_what_is_likely_and_unlike_the_text():
    text = torch.tensor([[0.6, 0.8], [1.0, 0.0]])  # as drawn, and so are the candidates A, B and C
    vectors = torch.tensor([[1.0, 0.0], [0.0, 1.0], [-0.6, 0.8]])
    scores = rare_samplers.contrastive_scores(torch.tensor([0.5, 0.3, 0.2]), vectors, text, 0.6)
    assert scores.tolist() == pytest.approx([-0.4, -0.36, -0.088])
    logits = torch.tensor([0.2, 0.5, 0.3]).log()  # ids of C, A and B
    asked = []
    step = partial(rare_samplers.contrastive_step, logits, lambda ids: asked.append(ids) or (text, vectors), 3)
    assert [step(alpha) for alpha in (0.6, 0.0)] == [0, 1] and asked[0] == [1, 2, 0]


def test_the_code_at_the_end_of_the_chapter_runs():
    code = re.search(r"```python\n(.*?)```", (STORY.parent / "further.md").read_text(encoding="utf-8"), re.DOTALL)[1]
    names = definitions(STORY)
    exec(next(cell.source for cell in read(STORY) if "writer = choosing.Writer(" in cell.source), names)
    exec(cell_marks.sized(code, {"MAX_TOKENS": "5"}), names)
    assert len(names["pages"]) == 8 and {len(page.ids) for page in names["pages"].values()} == {5}


def test_a_cache_that_loses_nothing_gives_the_loss_of_the_model():
    model, rows = load_gpt(own=False), torch.randint(0, 8192, (3, 40), generator=torch.Generator().manual_seed(0))
    found = stored.cached_nats(model, rows, lambda vectors: vectors)
    assert found == pytest.approx(smaller.nats(model, rows), rel=1e-5)
    assert stored.cached_nats(model, rows, torch.zeros_like) > found + 0.1


def test_a_machine_is_measured_and_its_table_uses_the_width():
    machine = rooflines.measured([1, 4], 64)
    assert list(machine.seconds) == [1, 4] and machine.peak > 0 and machine.bandwidth > 0
    asked = []
    rooflines.table(machine, lambda *shape: asked.append(shape) or (1.0, 1.0), lambda o, b, p, w: min(p, o / b * w))
    assert asked == [(1, 64, 64, machine.size), (4, 64, 64, machine.size)]


RUN = {  # what a show cell calls: the functions of the exercises that must have run in it
    "grammars.written(": ("walk", "allowed", "constrained"),
    "rooflines.measured(": ("matmul_cost", "attainable"),
    'loss["a scale for each 32"': ("to_groups", "from_groups", "to_bits", "bits_of_weight"),
    "stored.cached_nats(": ("to_groups", "from_groups"),
}


def test_the_students_functions_run_in_the_chapters_experiments(tmp_path, monkeypatch):
    monkeypatch.setitem(test_own_code_trains.RUNS, "10_squeeze", RUN)
    monkeypatch.setitem(test_own_code_trains.NEEDED, "10_squeeze", ("unread = words.joined(", 'loss = {"float32"'))
    found = test_own_code_trains.ran("10_squeeze", tmp_path)
    for call, names in RUN.items():
        assert set(names) <= set(found[call]), call
