"""Many adapters beside one base, served in three ways: helpers.chapters.lora.serving."""

import re
from types import SimpleNamespace

import pytest
import torch
from torch import nn

from helpers.chapters.lora import serving
from helpers.chapters.lora.few_labels import Upper

C = 6


class LoRA(nn.Module):
    """A linear layer with an adapter beside it."""

    def __init__(self):
        super().__init__()
        self.base, self.scale = nn.Linear(C, C), 2.0
        self.A, self.B = nn.Parameter(torch.zeros(2, C)), nn.Parameter(torch.zeros(C, 2))

    def forward(self, x):
        """Return (B, T, C)."""
        return self.base(x) + self.scale * x @ self.A.T @ self.B.T


class Layer(nn.Module):
    """A layer of the encoder with one linear layer."""

    def __init__(self):
        super().__init__()
        self.dense = LoRA()

    def forward(self, x, mask):
        """Return (B, T, C)."""
        return torch.tanh(self.dense(x))


def moved(layer, sign):
    with torch.no_grad():
        layer.base.weight += sign * layer.scale * layer.B @ layer.A
        layer.A.data = layer.A.data if sign < 0 else torch.zeros_like(layer.A)  # merged, it is beside no longer


def served(adapters):
    torch.manual_seed(0)
    model = SimpleNamespace(body=Upper(nn.ModuleList([Layer(), Layer()])))
    lengths = (3, 5, 2, 4, 3, 1, 2)
    adapted = SimpleNamespace(model=model, states=lambda texts: [(torch.randn(T, C), None) for T in texts])
    kept = {}

    def merge(layer):
        kept[layer] = layer.A.data
        moved(layer, 1)

    def unmerge(layer):
        layer.A.data = kept[layer]
        moved(layer, -1)

    return serving.Server(adapted, lengths, adapters, LoRA, merge, unmerge)


@pytest.fixture
def server():
    return served(3)


@pytest.mark.parametrize("adapters", [1, 3, 9])  # 9: two of them are wanted by nobody
def test_the_three_ways_give_the_same_vectors(adapters):
    server = served(adapters)
    one, two, three = server.merged(), server.sorted(), server.together()
    assert one.shape == (7, C)
    torch.testing.assert_close(one, two)
    torch.testing.assert_close(two, three)


def test_each_question_has_the_adapter_that_it_wants(server):
    before = server.together()
    with torch.no_grad():
        for layer in server.many.modules():
            if isinstance(layer, serving.ManyLoRA):
                layer.B[1] *= 3
    changed = (server.together() - before).abs().amax(1) > 1e-6
    assert changed.tolist() == [False, True, False, False, True, False, False]


def test_a_layer_with_the_adapter_of_one_text_is_that_lora_layer():
    layer = LoRA()
    A, B = torch.randn(2, 2, C), torch.randn(2, C, 2)
    many = serving.ManyLoRA(layer, list(zip(A, B, strict=True)))
    x = torch.randn(1, 4, C)
    many.wanted = torch.tensor([1])
    torch.testing.assert_close(many(x), layer.base(x) + 2.0 * x @ A[1].T @ B[1].T)


def test_the_table_has_a_line_a_way(server):
    lines = serving.table(server).splitlines()
    assert lines[0].startswith("3 adapters, 7 questions") and len(lines) == 5
    assert all(re.search(r"\d$", line) for line in lines[1:4])
