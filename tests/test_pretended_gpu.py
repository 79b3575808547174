"""The pretended GPU refuses what a GPU refuses, and nothing else; chapters run on it."""

import contextlib
import warnings

import pretended_gpu
import pytest
import torch
import torch.nn.functional as F
from pretended_gpu import CUDA, WrongDevice, marked
from torch import nn

from helpers.device import best_device, describe_device
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
    "moved by name": lambda m, ids: (m(ids) + LEFT.cuda() + LEFT.to("cuda")).sum(),
    "a dtype changed": lambda m, ids: m(ids.to(torch.int32).long()).sum(),
    "picked by a mask": lambda m, ids: m(ids)[ids > 1].mean(),
    "picked by indices on the CPU": lambda m, ids: m(ids)[torch.tensor([1, 2])].mean(),
    "a single number from the CPU": lambda m, ids: m(ids).sum() * torch.tensor(2.0) / (ids.max().item() + 1),
    "brought back for NumPy": lambda m, ids: m(ids).sum() * float(ids.cpu().numpy().sum()),
    "a parameter of a tensor": lambda m, ids: (m(ids) + nn.Parameter(m.weight[:4].detach())).sum(),
    "copied from the CPU": lambda m, ids: (m(ids) + torch.zeros_like(m(ids)).copy_(LEFT)).sum(),
    "another layer, moved": lambda m, ids: nn.Linear(3, 3).to(ids.device)(m(ids)).sum(),
    "another layer, made there": lambda m, ids: nn.Linear(3, 3, device=ids.device)(m(ids)).sum(),
    "a list of numbers from there": lambda m, ids: (
        m(ids) + torch.tensor([ids.max(), ids.min(), 1], device=ids.device)
    ).sum(),
    "the device compared": lambda m, ids: m(ids).sum() * (ids.device == torch.device("cuda", 0)),
}
WRONG = {
    "left on the CPU": lambda m, ids: (m(ids) + LEFT).sum(),
    "made on the CPU": lambda m, ids: (m(ids) + torch.arange(3)).sum(),
    "ids on the CPU": lambda m, ids: m(torch.arange(4)).sum(),
    "joined": lambda m, ids: torch.cat([m(ids), torch.zeros(1, 3)]).sum(),
    "single numbers joined": lambda m, ids: torch.stack([m(ids).sum(), torch.tensor(1.0)]).sum(),
    "added in place": lambda m, ids: torch.zeros(4, 3).add_(m(ids)).sum(),
    "a table on the CPU": lambda m, ids: m(ids).sum() + torch.arange(9)[ids].sum(),
    "values put in from the CPU": lambda m, ids: torch.zeros_like(m(ids)).index_put_((ids,), torch.ones(4, 3)).sum(),
    "NumPy": lambda m, ids: m(ids).sum() + ids.numpy().sum(),
    "moved to the CPU by name": lambda m, ids: (m(ids).to("cpu") + m(ids)).sum(),
    "a list of numbers, made on the CPU": lambda m, ids: (m(ids) + torch.tensor([ids.max(), ids.min(), 1])).sum(),
    "another layer on the CPU": lambda m, ids: nn.Linear(3, 3)(m(ids)).sum(),
    "drawn with a generator of the CPU": lambda m, ids: (
        m(ids) + torch.rand(3, device=ids.device, generator=torch.Generator())
    ).sum(),
}


@pytest.fixture(autouse=True)
def a_gpu(request):
    """Each test has a pretended GPU, but those of the chapters, which run in processes of their own."""
    with contextlib.nullcontext() if "chapter" in request.fixturenames else pretended_gpu.present():
        yield


def embedding():
    return nn.Embedding.from_pretrained(torch.arange(30.0).reshape(10, 3) / 7, freeze=False)


@pytest.mark.parametrize("loss", RIGHT.values(), ids=RIGHT)
def test_what_a_gpu_takes_is_taken(loss):
    model = embedding().to("cuda")
    value = loss(model, IDS.to("cuda"))
    assert value.device == CUDA and value.requires_grad
    value.backward()
    assert model.weight.grad.device == CUDA
    assert not marked(IDS) and not marked(LEFT)


def test_numbers_and_gradients_are_those_of_the_cpu():
    there, here = embedding().to("cuda"), embedding()
    loss = RIGHT["picked by a mask"]
    loss(there, IDS.to("cuda")).backward()
    loss(here, IDS).backward()
    assert torch.equal(there.weight.grad.cpu(), here.weight.grad)


@pytest.mark.parametrize("loss", WRONG.values(), ids=WRONG)
def test_what_a_gpu_refuses_is_refused(loss):
    with pytest.raises(WrongDevice):
        loss(embedding().to("cuda"), IDS.to("cuda"))


@pytest.mark.parametrize("layer", [nn.LSTM(3, 5), nn.GRU(3, 5), nn.TransformerEncoderLayer(3, 1)], ids=str)
def test_layers_of_torch_are_taken(layer):
    out = layer.to("cuda")(torch.randn(2, 4, 3, device="cuda"))
    assert (out[0] if isinstance(out, tuple) else out).is_cuda


def test_packed_sequences_keep_their_lengths_on_the_cpu():
    x, lengths = torch.randn(2, 4, 3, device="cuda"), torch.tensor([4, 2])
    packed = nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True)
    out, many = nn.utils.rnn.pad_packed_sequence(nn.LSTM(3, 5, batch_first=True).to("cuda")(packed)[0])
    assert out.is_cuda and not many.is_cuda


def test_a_move_is_a_copy_and_a_view_is_none():
    here = torch.zeros(3)
    there = here.to("cuda")
    there.view(3, 1)[0] = 1
    assert here.tolist() == [0, 0, 0] and there.tolist() == [1, 0, 0]
    assert there.detach().is_cuda and there.data.is_cuda and not there.cpu().is_cuda


def test_the_mark_outlives_the_tensor_that_got_it():
    model = nn.Linear(2, 2).to("cuda")
    assert all(p.is_cuda for p in model.parameters())
    model.load_state_dict({name: torch.zeros_like(p).cpu() for name, p in model.state_dict().items()})
    assert all(p.is_cuda for p in model.parameters())
    assert not any(p.is_cuda for p in model.cpu().parameters())


def test_autocast_has_the_types_of_a_gpu():
    layer, x = nn.Linear(3, 3).to("cuda"), torch.randn(2, 3, device="cuda")
    with torch.autocast("cuda", dtype=torch.bfloat16):
        assert layer(x).dtype == torch.bfloat16
        assert layer(x).softmax(-1).dtype == torch.float32
        assert nn.LSTM(3, 3).to("cuda")(x)[0].dtype == torch.bfloat16
        with pytest.raises(RuntimeError, match=r"scatter.*dtype"):
            torch.zeros_like(x).scatter(1, torch.zeros(2, 1, dtype=torch.int64, device="cuda"), layer(x))
    assert layer(x).dtype == torch.float32


def test_fit_leaves_the_model_there():
    model, data = nn.Linear(3, 1), [(torch.randn(4, 3), torch.randn(4, 1))]
    history = fit(model, data, squares, steps=2, progress=False)
    assert (history.device, history.dtype, len(history.losses)) == ("cuda", "fp32", 2)
    assert model.weight.device == CUDA and mean_loss(model, data, squares) > 0
    with pytest.raises(WrongDevice):
        model(data[0][0])
    with pytest.raises(WrongDevice):
        fit(nn.Linear(3, 1), data, lambda m, b: squares(m, (b[0], LEFT)), steps=1, progress=False)


@pytest.mark.parametrize(("precision", "seen"), [({}, torch.float32), ({"precision": "auto"}, torch.bfloat16)])
def test_a_loss_gets_float32_unless_fit_is_asked_for_less(precision, seen):
    dtypes = set()

    def loss(model, batch):
        out = model(batch[0])
        dtypes.add(out.dtype)
        return F.mse_loss(out, batch[1])

    fit(nn.Linear(3, 1), [(torch.randn(4, 3), torch.randn(4, 1))], loss, steps=1, progress=False, **precision)
    assert dtypes == {seen}


def test_fp16_steps_the_schedule_after_the_optimiser():
    data = [(torch.randn(4, 3), torch.randn(4, 1))]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        history = fit(nn.Linear(3, 1), data, squares, steps=3, precision="fp16", progress=False)
    assert history.dtype == "fp16" and len(history.losses) == 3


def test_the_device_of_the_course_is_the_pretended_one():
    assert best_device() == "cuda"
    assert "a pretended GPU" in describe_device()


@pytest.mark.parametrize("chapter", pretended_gpu.chosen())
def test_a_chapter_runs_on_a_gpu_from_top_to_bottom(chapter):
    """All given and show cells, with one step of each training; `make world` runs every chapter."""
    assert pretended_gpu.failures_apart(chapter) == []
