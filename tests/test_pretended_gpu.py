"""The pretended GPU refuses what a GPU refuses, and nothing else."""

import pretended_gpu
import pytest
import torch
import torch.nn.functional as F
from torch import nn

from helpers.training import fit, mean_loss

LEFT = torch.ones(4, 1)
IDS = torch.arange(4)


def squares(model, batch):
    x, y = batch
    return F.mse_loss(model(x), y)


RIGHT = {
    "the rows alone": lambda m, ids: m(ids).sum(),
    "made on the device of the rows": lambda m, ids: (m(ids) + torch.arange(3, device=ids.device)).sum(),
    "made like another": lambda m, ids: (m(ids) + torch.ones_like(m(ids)) + m(ids).new_zeros(3)).sum(),
    "moved to the device": lambda m, ids: (m(ids) + LEFT.to(ids.device)).sum(),
    "moved to a tensor's device": lambda m, ids: (m(ids) + LEFT.to(m(ids))).sum(),
    "a dtype changed": lambda m, ids: m(ids.to(torch.int32).long()).sum(),
    "picked by a mask": lambda m, ids: m(ids)[ids > 1].mean(),
    "picked by indices on the CPU": lambda m, ids: m(ids)[torch.tensor([1, 2])].mean(),
    "a single number from the CPU": lambda m, ids: m(ids).sum() * torch.tensor(2.0) / (ids.max().item() + 1),
    "brought back for NumPy": lambda m, ids: m(ids).sum() * float(ids.cpu().numpy().sum()),
}
WRONG = {
    "left on the CPU": lambda m, ids: (m(ids) + LEFT).sum(),
    "made on the CPU": lambda m, ids: (m(ids) + torch.arange(3)).sum(),
    "ids on the CPU": lambda m, ids: m(torch.arange(4)).sum(),
    "joined": lambda m, ids: torch.cat([m(ids), torch.zeros(1, 3)]).sum(),
    "added in place": lambda m, ids: torch.zeros(4, 3).add_(m(ids)).sum(),
    "a table on the CPU": lambda m, ids: m(ids).sum() + torch.arange(9)[ids].sum(),
    "NumPy": lambda m, ids: m(ids).sum() + ids.numpy().sum(),
    "moved to the CPU by name": lambda m, ids: (m(ids).to("cpu") + m(ids)).sum(),
    "a loss on the CPU": lambda m, ids: m(ids).cpu().sum(),
}


@pytest.mark.parametrize("loss", RIGHT.values(), ids=RIGHT)
def test_what_a_gpu_takes_is_taken_with_the_same_value_and_gradients(loss):
    model = nn.Embedding(10, 3)
    found, plain = pretended_gpu.on_gpu(loss, model, IDS), loss(model, IDS)
    assert torch.equal(found, plain) and found.requires_grad
    assert not any(map(pretended_gpu.marked, (*model.parameters(), IDS, LEFT)))


@pytest.mark.parametrize("loss", WRONG.values(), ids=WRONG)
def test_what_a_gpu_refuses_is_refused(loss):
    with pytest.raises(pretended_gpu.WrongDevice):
        pretended_gpu.on_gpu(loss, nn.Embedding(10, 3), IDS)


@pytest.mark.parametrize("layer", [nn.LSTM(3, 5), nn.GRU(3, 5), nn.TransformerEncoderLayer(3, 1)], ids=str)
def test_layers_of_torch_are_taken(layer):
    def loss(model, x):
        out = model(x)
        return (out[0] if isinstance(out, tuple) else out).sum()

    assert pretended_gpu.marked(pretended_gpu.on_gpu(loss, layer, torch.randn(2, 4, 3)))


def test_fit_tries_its_loss_and_its_evaluation(monkeypatch):
    monkeypatch.setattr(pretended_gpu, "seen", set())
    watched, data = pretended_gpu._watched(fit), [(torch.randn(4, 3), torch.randn(4, 1))]
    assert len(watched(nn.Linear(3, 1), data, squares, steps=2, progress=False).losses) == 2
    with pytest.raises(pretended_gpu.WrongDevice):
        watched(nn.Linear(3, 1), data, lambda m, b: squares(m, (b[0], LEFT)), steps=1, progress=False)
    with pytest.raises(pretended_gpu.WrongDevice):
        options = {"steps": 1, "evaluate_every": 1, "progress": False}
        watched(nn.Linear(3, 1), data, squares, evaluate=lambda m: float(m(torch.randn(4, 3)).mean()), **options)
    assert mean_loss(nn.Linear(3, 1), data, squares) > 0
