"""Rotary attention on longer texts than in training: the reader of chapter 04, its repairs beside the library's."""

import math

import pytest
import torch
from torch import nn
from transformers import LlamaConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

from autograder import paths
from autograder.authoring.source import read
from helpers.chapters.attention import longer

BASE, WIDTH, FACTOR, TRAINED = 500.0, 16, 4.0, 64


@pytest.fixture(scope="module")
def solved():
    """The names that the given cells and exercises of chapter 04 define."""
    names: dict = {}
    for cell in read(paths.source_text("04_attention")):
        if cell.kind == "exercise" or "import math" in cell.source:
            exec(cell.source.replace("notebook.prepare", "str"), names)
    return names


def library_rates(kind: str, **more) -> torch.Tensor:
    scaling = {"rope_type": kind, "rope_theta": BASE, "factor": FACTOR, **more}
    config = LlamaConfig(
        hidden_size=WIDTH, num_attention_heads=1, max_position_embeddings=TRAINED, rope_parameters=scaling
    )
    return ROPE_INIT_FUNCTIONS[kind](config, device="cpu")[0]


def test_interpolation_is_the_librarys_linear_scaling(solved):
    ours = solved["interpolated_angles"](torch.tensor([1.0]), WIDTH, FACTOR, BASE)[0]
    assert torch.allclose(ours, library_rates("linear"))


def test_by_parts_is_what_the_library_does_for_llama(solved):
    bounds = {"low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": TRAINED}
    ours = solved["angles_by_parts"](torch.tensor([1.0]), WIDTH, FACTOR, TRAINED, 1.0, 4.0, BASE)[0]
    assert torch.allclose(ours, library_rates("llama3", **bounds))
    assert 0 < sum(ours == library_rates("linear")) < WIDTH / 2


def test_a_larger_base_keeps_the_fastest_pair_and_slows_the_slowest_by_the_factor(solved):
    plain, ours = (solved["larger_base_angles"](torch.tensor([1.0]), WIDTH, s, BASE)[0] for s in (1.0, FACTOR))
    slower = (plain / ours).tolist()
    assert slower == sorted(slower) and slower[0] == 1 and slower[-1] == pytest.approx(FACTOR, rel=1e-4)


def test_the_texts_ask_for_a_name_or_for_a_position():
    names, digits, answers = longer.texts(1, 20, rows=50, task="look up")
    assert names.shape == digits.shape == (50, 21) and (digits[:, -1] == longer.DIGITS).all()
    same = names[:, :-1] == names[:, -1:]
    assert (same.sum(1) == 1).all() and torch.equal(digits[:, :-1][same], answers)
    names, digits, answers = longer.texts(1, 20, rows=50, task="count back")
    assert (digits[:, -1] == longer.DIGITS + 1).all() and torch.equal(digits[:, 20 - longer.BACK], answers)
    assert not (names[:, :-1] == names[:, -1:]).any()
    both = longer.texts(2, 20)[1][:, -1]
    assert set(both.tolist()) == {longer.DIGITS, longer.DIGITS + 1}


def test_a_window_sees_as_many_pairs_as_the_training_had():
    mask = longer.window(40)
    assert mask[-1].sum() == longer.TRAINED + 1 and mask[-1, -1] and mask[3].sum() == 4


def test_what_the_student_wrote_is_what_trains(solved):
    calls = []

    class Spy(solved["MultiHeadAttention"]):
        def forward(self, *given):
            calls.append("layer")
            return super().forward(*given)

    def angles(positions):
        calls.append("angles")
        return solved["rotary_angles"](positions, longer.HEAD, 100.0)

    before = torch.get_rng_state()
    reader = longer.train(Spy, angles, steps=3)
    torch.set_rng_state(before)
    assert calls.count("layer") == calls.count("angles") >= 3
    found = longer.measure(reader, {"as trained": lambda positions, factor: angles(positions)})
    assert set(found) == {(name, task) for name in ("as trained", longer.WINDOW) for task in longer.TASKS}
    assert all(0 <= share <= 1 for shares in found.values() for share in shares)
    lines = longer.table(found).splitlines()
    assert len(lines) == 3 and all(f"{task} {16 * n}" in lines[0] for task in longer.TASKS for n in longer.TIMES)


def test_the_reader_hands_on_its_angles_and_its_mask():
    class Layer(nn.Module):
        def forward(self, x, memory, mask, angles):
            self.seen = (mask, angles)
            return x

    reader = longer.Reader(Layer(), lambda positions: positions[:, None] * 2.0)
    names, digits, _ = longer.texts(3, 4, rows=2)
    reader(names, digits)
    assert reader.layer.seen[0] is None and reader.layer.seen[1][-1] == 8
    mask = longer.window(5)
    reader(names, digits, angles=lambda positions: positions[:, None] * math.pi, mask=mask)
    assert reader.layer.seen[0] is mask and reader.layer.seen[1][1] == pytest.approx(math.pi)
