"""Muon beside the library's own, and its steps made orthogonal: helpers.chapters.transformers.muon."""

from functools import partial

import torch
from torch import nn

from autograder import paths
from autograder.authoring.source import definitions
from helpers.chapters.transformers.muon import beside, orthogonal
from helpers.chapters.transformers.optimisers import ByHand
from helpers.training import fit


class Small(nn.Module):
    """A table, a hidden matrix and a bias."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.embedding, self.hidden = nn.Embedding(5, 6), nn.Linear(6, 9)

    def forward(self, ids):
        return self.hidden(self.embedding(ids))


def muon(model, lr):
    """Muon for the matrix, chapter 05's AdamW for the table and the bias."""
    adamw = partial(definitions(paths.source_text("05_transformers"))["adamw_step"], weight_decay=0.1)
    return ByHand([p for p in model.parameters() if p.requires_grad], beside(adamw, model), lr=lr)


def after(model, optimizers, steps=4):
    """The parameters after a few steps towards a target."""
    target = torch.randn(5, 9, generator=torch.Generator().manual_seed(1))
    for _ in range(steps):
        loss = ((model(torch.arange(5)) - target) ** 2).mean()
        model.zero_grad()
        loss.backward()
        for optimizer in optimizers:
            optimizer.step()
    return dict(model.named_parameters())


def test_steps_are_those_of_the_library():
    ours, theirs = Small(), Small()
    hidden = torch.optim.Muon([theirs.hidden.weight], lr=1e-2, weight_decay=0.1, adjust_lr_fn="match_rms_adamw")
    table = torch.optim.AdamW([theirs.embedding.weight], lr=1e-2, weight_decay=0.1)
    bias = torch.optim.AdamW([theirs.hidden.bias], lr=1e-2, weight_decay=0.0)
    wanted = after(theirs, [hidden, table, bias])
    for name, p in after(ours, [muon(ours, lr=1e-2)]).items():
        close = {"rtol": 0.05, "atol": 2e-3} if name == "hidden.weight" else {"rtol": 1e-3, "atol": 1e-4}
        torch.testing.assert_close(p, wanted[name], **close)  # the library turns matrices in bf16


def test_singular_values_come_near_one():
    for shape in ((6, 6), (4, 9), (9, 4)):
        matrix = torch.randn(shape, generator=torch.Generator().manual_seed(2))
        values = torch.linalg.svdvals(orthogonal(matrix))
        assert values.min() > 0.5 and values.max() < 1.3
        torch.testing.assert_close(orthogonal(matrix.T), orthogonal(matrix).T)


def test_fit_learns_with_it_and_what_is_frozen_stays():
    model = Small()
    model.embedding.weight.requires_grad = False
    before = model.embedding.weight.clone()
    target = torch.randn(5, 9)
    history = fit(
        model, [torch.arange(5)], lambda m, ids: ((m(ids) - target[ids]) ** 2).mean(),
        steps=150, optimizer=muon(model, lr=3e-2), progress=False,
    )  # fmt: skip
    assert history.losses[-1] < 0.5 * history.losses[0] and torch.equal(model.embedding.weight, before)
