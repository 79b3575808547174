"""helpers.training on a real GPU; skipped, with the reason, where there is none."""

import pytest
import torch
from test_training import line, squares, weights

from helpers.device import best_device, seed_everything
from helpers.training import best_precision, fit, mean_loss

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no CUDA device")


def net(width=512):
    seed_everything(1)
    return torch.nn.Sequential(torch.nn.Linear(3, width), torch.nn.GELU(), torch.nn.Linear(width, 1))


@pytest.mark.parametrize("precision", ["fp32", "bf16", "fp16"])
def test_every_precision_learns(precision):
    if precision == "bf16" and best_precision("cuda") != "bf16":
        pytest.skip("this card only emulates bf16")
    model = net()
    history = fit(model, line(), squares, steps=200, lr=0.01, precision=precision)
    print(history)
    assert (history.device, history.dtype) == ("cuda", precision)
    assert history.losses[-1] < 0.05 * history.losses[0]
    assert next(model.parameters()).dtype == torch.float32
    assert mean_loss(model, line(), squares) < 0.05 * history.losses[0]


def test_the_device_of_a_run_is_the_best_one():
    assert best_device() == "cuda"


def test_real_shortage_of_memory_halves_the_batch():
    """A layer whose activations need more than is left on the card, until the batch is cut."""
    free, _ = torch.cuda.mem_get_info()
    held = torch.empty(int(free * 0.5), dtype=torch.uint8, device="cuda")
    width, rows = 4096, 64
    room = torch.cuda.mem_get_info()[0]
    copies = max(2, int(room / (rows * width * 4) / 2))  # activations of about 2 times what is left

    class Wide(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = torch.nn.Linear(3, width)

        def forward(self, x):
            return self.layer(x).repeat(1, copies).tanh().mean(1, keepdim=True)

    history = fit(Wide(), line(n=rows), squares, steps=3, precision="fp32")
    del held
    torch.cuda.empty_cache()
    print(history, f"in {history.pieces} pieces")
    assert history.pieces > 1
    assert len(history.losses) == 3


@pytest.mark.parametrize("precision", ["fp32", "fp16"])
def test_an_interrupted_run_goes_on_to_the_same_weights(precision, tmp_path):
    def run(at, folder):
        count = iter(range(1000))

        def loss(model, batch):
            if next(count) == at:
                raise KeyboardInterrupt
            return squares(model, batch)

        model = torch.nn.Sequential(net(), torch.nn.Dropout(0.2))
        file = folder and folder / "run.pt"
        options = {"lr": 0.01, "precision": precision, "checkpoint": file, "checkpoint_every": 5}
        try:
            history = fit(model, line(), loss, steps=30, **options)
        except KeyboardInterrupt:
            return None
        return weights(model), history

    plain, history = run(-1, None)
    assert run(17, tmp_path) is None
    again, resumed = run(-1, tmp_path)
    assert torch.equal(plain, again)
    assert history.losses == resumed.losses
