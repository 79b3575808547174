"""What chapter 10 shows beside its exercises: a grammar, two rare samplers, a squeezed cache, a machine's limits."""

import math

import pytest
import test_own_code_trains
import torch

from helpers.chapters.squeeze import choosing, grammars, rooflines, stored
from helpers.experiments import smaller
from helpers.models.gpt import load_gpt

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


def test_the_two_rare_samplers_give_the_figures_of_further_reading():
    cooled = choosing.dynamic_temperature(EXAMPLE, 0.5, 1.5)
    assert float(EXAMPLE[0] / cooled[0]) == pytest.approx(1.2429, abs=1e-4)
    bent = choosing.quadratic(EXAMPLE, 0.3)
    assert (bent[0] - bent[[1, 6]]).tolist() == pytest.approx([0.104, 4.347], abs=1e-3)
    assert bent.softmax(-1).tolist() == pytest.approx(
        [0.3080, 0.2777, 0.2145, 0.1259, 0.0531, 0.0168, 0.0040], abs=1e-4
    )
    alone = torch.tensor([-math.inf, 3.0])
    assert choosing.dynamic_temperature(alone, 0.5, 1.5).tolist() == [-math.inf, 6.0]


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
