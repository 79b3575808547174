"""helpers.training: the loop, what it records, and that a killed, shared or cut-up run ends as a plain one does."""

import itertools
import os
import signal
import subprocess
import sys
import textwrap
from collections import UserDict
from pathlib import Path

import numpy as np
import pytest
import torch
from torch.nn.functional import mse_loss

from helpers.device import seed_everything
from helpers.errors import CourseError
from helpers.training import History, best_precision, fit, mean_loss, pace, precision
from helpers.training.batches import Batches, count, cut
from helpers.training.optim import adamw


def line(seed=0, n=64):
    """One batch of n points on a plane: x (n, 3), y (n, 1)."""
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(n, 3, generator=generator)
    return [(x, x @ torch.tensor([[1.0], [-2.0], [0.5]]) + 0.3)]


def squares(model, batch):
    return mse_loss(model(batch[0]), batch[1])


def net(dropout=0.0):
    seed_everything(1)
    layers = [torch.nn.Linear(3, 8), torch.nn.Tanh(), torch.nn.Dropout(dropout), torch.nn.Linear(8, 1)]
    return torch.nn.Sequential(*layers)


def trained(steps=20, batches=None, dropout=0.0, **options):
    """A seeded net after so many steps, and the History."""
    model = net(dropout)
    options = {"lr": 0.05, "progress": False, **options}
    return model, fit(model, batches or line(), squares, steps=steps, **options)


def weights(model):
    return torch.cat([p.detach().flatten() for p in model.parameters()])


# ------------------------------------------------------------------------------------- the plain loop
def test_fit_finds_a_line():
    model = torch.nn.Linear(3, 1)
    history = fit(model, line(), squares, steps=300, lr=0.1, weight_decay=0.0)
    assert torch.allclose(model.weight, torch.tensor([[1.0, -2.0, 0.5]]), atol=0.02)
    assert history.losses[-1] < 1e-3 < history.losses[0]
    assert len(history.losses) == len(history.norms) == len(history.lrs) == 300
    assert not model.training


def test_fit_is_repeatable_to_the_bit_in_one_process():
    assert trained(dropout=0.5)[1].losses == trained(dropout=0.5)[1].losses


def test_fit_is_repeatable_to_the_bit_in_two_processes(tmp_path):
    script = tmp_path / "run.py"
    script.write_text(
        "from test_training import trained\nprint([x.hex() for x in trained(dropout=0.5)[1].losses])\n",
        encoding="utf-8",
    )
    outputs = [run_script(script).stdout for _ in range(2)]
    assert outputs[0] == outputs[1]
    assert eval(outputs[0]) == [x.hex() for x in trained(dropout=0.5)[1].losses]


def test_fit_goes_round_a_list_in_order():
    seen = []

    def loss(model, batch):
        seen.append(len(batch[0]))
        return squares(model, batch)

    fit(torch.nn.Linear(3, 1), line(n=8) + line(n=4), loss, steps=5)
    assert seen == [8, 4, 8, 4, 8]


def test_a_step_is_the_step_of_a_hand_written_loop():
    """The whole of it: warm-up and cosine, clipping, decay on matrices, against plain torch."""
    model, history = trained(steps=10, lr=0.03, warmup=4, weight_decay=0.1, clip=0.5)
    rival = net().train()
    matrices = [p for p in rival.parameters() if p.dim() == 2]
    vectors = [p for p in rival.parameters() if p.dim() == 1]
    groups = [{"params": matrices, "weight_decay": 0.1}, {"params": vectors, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=0.03)
    norms = []
    for step in range(10):
        share = (step + 1) / 5 if step < 4 else (1 + np.cos(np.pi * (step - 4) / 6)) / 2
        for group in optimizer.param_groups:
            group["lr"] = 0.03 * share
        optimizer.zero_grad()
        squares(rival, line()[0]).backward()
        norms.append(torch.nn.utils.clip_grad_norm_(rival.parameters(), 0.5).item())
        optimizer.step()
    assert history.norms == pytest.approx(norms, rel=1e-5)
    assert max(norms) > 0.5, "the clipping must have been at work"
    assert torch.allclose(weights(model), weights(rival), rtol=1e-5, atol=1e-6)


def test_decay_shrinks_matrices_only():
    model = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.LayerNorm(3))
    before = [p.detach().clone() for p in model.parameters()]
    fit(model, line(), lambda m, b: m(b[0]).sum() * 0, steps=1, warmup=0, lr=0.1, weight_decay=0.5)
    shrunk = [not torch.equal(a, b) for a, b in zip(before, model.parameters(), strict=True)]
    assert shrunk == [True, False, False, False]
    assert torch.allclose(next(model.parameters()), before[0] * (1 - 0.1 * 0.5))


def test_frozen_parameters_are_left_out():
    model = net()
    model[0].requires_grad_(False)
    held = {id(p) for group in adamw(model, 0.1, 0.1).param_groups for p in group["params"]}
    assert held == {id(p) for p in model[3].parameters()}


def test_an_optimiser_of_ones_own():
    model = net()
    before = weights(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    history = fit(model, line(), squares, steps=1, warmup=0, clip=0.01, optimizer=optimizer)
    assert history.norms[0] > 0.01
    assert (weights(model) - before).norm().item() == pytest.approx(0.01, rel=1e-3)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"steps": 0}, "steps=0; it must be a whole number"),
        ({"steps": 2.5}, "steps=2.5; it must be a whole number"),
        ({"batches": []}, "at least one batch"),
        ({"batches": line()[0]}, r"got a tuple as batches; for one batch write \[\(x, y\)\]"),
        ({"batches": torch.zeros(3, 3)}, "got a Tensor as batches"),
        ({"batches": torch.utils.data.TensorDataset(*line()[0])}, "for a Dataset a DataLoader"),
        ({"lr": 0.0}, "lr=0.0; it must be above 0"),
        ({"clip": -1.0}, "clip=-1.0; it must be above 0"),
        ({"warmup": 3}, "warmup=3; it must lie between 0 and the 2 steps"),
        ({"patience": 2}, "a patience but no evaluate"),
        ({"accumulate": 0}, "accumulate=0"),
        ({"evaluate_every": 0}, "evaluate_every=0"),
        ({"patience": 0}, "patience=0"),
        ({"precision": "fp8"}, "'fp8' is unknown; it can be auto, fp32"),
        ({"batches": iter(())}, "ran out"),
        ({"batches": [()]}, "must hold tensors, this one is a tuple without"),
        ({"batches": [["a", "b"]]}, "this one is a list without; torch.as_tensor helps"),
        ({"batches": [torch.tensor(1.0)]}, "at least one row"),
        ({"batches": [torch.zeros(0, 3)]}, "at least one row"),
    ],
)
def test_nonsense_is_refused_in_one_line(options, says):
    options = {"batches": line(), "steps": 2, **options}
    with pytest.raises(CourseError, match=says) as error:
        fit(net(), options.pop("batches"), squares, progress=False, **options)
    assert "\n" not in str(error.value)


def test_a_used_generator_is_told():
    with pytest.raises(CourseError, match="not a used generator"):
        trained(steps=3, batches=iter(line()))


def test_a_loss_that_is_not_finite_stops_with_the_step_and_leaves_the_weights():
    model, factors, seen = net(), iter([1.0, 0.5, float("nan")]), []

    def loss(model, batch):
        seen.append(weights(model))
        return squares(model, batch) * next(factors)

    with pytest.raises(CourseError, match=r"loss is nan at step 2 \(last finite loss: \d.*usual causes: .*, .*, "):
        fit(model, line(), loss, steps=5)
    assert torch.equal(weights(model), seen[-1])
    assert not model.training


def test_a_gradient_that_is_not_finite_stops_before_it_reaches_the_weights():
    model = net()
    before = weights(model)
    with pytest.raises(CourseError, match=r"gradient norm is nan at step 0 .*the root of it"):
        fit(model, line(), lambda m, b: squares(m, b) + (m(b[0]) * 0).abs().sum().sqrt(), steps=3)
    assert torch.equal(weights(model), before)
    assert fit(model, line(), squares, steps=3).losses, "nothing of the failed run is left"


@pytest.mark.parametrize(
    ("loss", "says"),
    [
        (lambda m, b: m(b[0]), r"a Tensor of shape \(64, 1\)$"),
        (lambda m, b: 0.5, "a float$"),
        (lambda m, b: None, "a NoneType$"),
        (lambda m, b: squares(m, b).detach(), r"a Tensor of shape \(\) without a gradient$"),
    ],
)
def test_a_loss_that_is_no_loss_is_told(loss, says):
    with pytest.raises(CourseError, match=f"must return a scalar tensor that depends on the model; it gave {says}"):
        fit(net(), line(), loss, steps=2)


def test_gradients_left_by_others_do_not_count():
    model = net()
    model(torch.ones(2, 3)).sum().backward()
    fit(model, line(), squares, steps=5, lr=0.05)
    assert torch.equal(weights(model), weights(trained(steps=5)[0]))
    assert all(p.grad is None for p in model.parameters())


def test_an_optimiser_of_a_part_clips_by_that_part():
    model = net()
    optimizer = torch.optim.SGD(model[3].parameters(), lr=1e-9)
    history = fit(model, line(), squares, steps=4, optimizer=optimizer)
    model.zero_grad()
    squares(model, line()[0]).backward()
    expected = torch.cat([p.grad.flatten() for p in model[3].parameters()]).norm().item()
    assert history.norms == pytest.approx([expected] * 4, rel=1e-4)
    assert optimizer.param_groups[0]["lr"] == 1e-9, "its rate is as it was"


def test_a_model_that_cannot_learn_is_told():
    with pytest.raises(CourseError, match="no parameter that learns"):
        fit(net().requires_grad_(False), line(), squares, steps=2)


def test_an_interrupt_leaves_a_usable_model():
    def loss(model, batch):
        raise KeyboardInterrupt

    model = net()
    with pytest.raises(KeyboardInterrupt):
        fit(model, line(), loss, steps=5, precision="fp32")
    assert not model.training
    assert model(torch.zeros(1, 3)).shape == (1, 1)


# ------------------------------------------------------------------------- pieces, and short memory
@pytest.mark.parametrize("pieces", [2, 3, 7])
def test_a_batch_in_pieces_gives_the_same_step(pieces):
    whole, history = trained(batches=line(n=21))
    cut_up, other = trained(batches=line(n=21), accumulate=pieces)
    assert torch.allclose(weights(whole), weights(cut_up), rtol=1e-4, atol=1e-6)
    assert history.losses == pytest.approx(other.losses, rel=1e-4)


def test_more_pieces_than_rows_is_one_row_each():
    assert trained(steps=2, batches=line(n=3), accumulate=10)[1].losses


class Small:
    """A loss for a memory that holds `room` rows at a time."""

    def __init__(self, room):
        self.room, self.rows = room, []

    def __call__(self, model, batch):
        self.rows.append(len(batch[0]))
        if len(batch[0]) > self.room:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20.00 MiB.")
        return squares(model, batch)


def test_short_memory_halves_the_batch_and_loses_no_step(capsys):
    whole, history = trained(steps=6, batches=line(n=20))
    loss, model = Small(5), net()
    halved = fit(model, line(n=20), loss, steps=6, lr=0.05, progress=False)
    assert loss.rows == [20, 10, *[5] * 24]
    assert halved.pieces == 4
    assert halved.losses == pytest.approx(history.losses, rel=1e-4)
    assert torch.allclose(weights(model), weights(whole), rtol=1e-4, atol=1e-6)
    assert capsys.readouterr().out.count("Out of memory: each batch is now cut into") == 2


def test_memory_short_in_a_later_piece_does_not_count_the_first_twice():
    calls = []

    def loss(model, batch):
        calls.append(len(batch[0]))
        if len(calls) == 2:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20.00 MiB.")
        return squares(model, batch)

    model = net()
    fit(model, line(n=20), loss, steps=3, lr=0.05, accumulate=2)
    assert torch.allclose(weights(model), weights(trained(steps=3, batches=line(n=20))[0]), rtol=1e-4, atol=1e-6)


def test_no_memory_for_one_row_is_told():
    with pytest.raises(CourseError, match="even with one row"):
        fit(net(), line(n=4), Small(0), steps=2)


def test_other_runtime_errors_are_not_taken_for_short_memory():
    with pytest.raises(RuntimeError, match="shapes cannot be multiplied"):
        fit(net(), [(torch.zeros(4, 5), torch.zeros(4, 1))], squares, steps=2)


# --------------------------------------------------------------------------------- evaluation, the best
def test_evaluation_changes_nothing_in_the_training():
    def noisy(model):
        assert not model.training and not torch.is_grad_enabled()
        np.random.rand(3)
        return torch.rand(1).item()

    plain = trained(dropout=0.5)
    watched = trained(dropout=0.5, evaluate=noisy, evaluate_every=3)
    assert plain[1].losses == watched[1].losses
    assert [step for step, _ in watched[1].evaluations] == [3, 6, 9, 12, 15, 18, 20]


def test_early_stopping_restores_the_best_weights():
    values, seen = iter([3.0, 1.0, 2.0, 1.5, 0.1]), []

    def evaluate(model):
        seen.append(weights(model))
        return next(values)

    model, history = trained(steps=100, evaluate=evaluate, evaluate_every=5, patience=2)
    assert len(history.losses) == 20
    assert (history.best_step, history.best) == (10, 1.0)
    assert torch.equal(weights(model), seen[1])
    assert not torch.equal(weights(model), seen[-1])
    assert "stopped early, weights of step 10 restored" in repr(history)


def test_nan_is_never_best_and_ties_go_to_the_first():
    values = iter([float("nan"), 2.0, 2.0, float("nan")])
    _, history = trained(steps=100, evaluate=lambda m: next(values), evaluate_every=5, patience=2)
    assert (history.best_step, history.best, len(history.losses)) == (10, 2.0, 20)
    values = iter([float("nan")] * 3)
    _, history = trained(steps=100, evaluate=lambda m: next(values), evaluate_every=5, patience=2)
    assert history.ended == "stopped early" and history.best_step == 0


def test_a_run_that_would_take_very_long_ends_early_and_says_so(monkeypatch, capsys, tmp_path):
    work = itertools.count(0, 10)  # seconds: ten for each step
    monkeypatch.setattr(pace.time, "thread_time", lambda: next(work))
    kept = tmp_path / "run.pt"
    _, history = trained(steps=200, checkpoint=kept, checkpoint_every=5)
    assert len(history.losses) == 13, "the first step after two minutes"
    assert history.ended == "stopped after 13 of 200 steps: all would take 33 minutes"
    assert "work" in capsys.readouterr().out and kept.exists()
    monkeypatch.setattr(pace, "lifted", True)
    _, history = trained(steps=200, checkpoint=kept, checkpoint_every=5)
    assert history.ended == "" and len(history.losses) == 200


def test_a_long_run_whose_steps_are_fast_enough_goes_on(monkeypatch):
    work = itertools.count(0, 10)
    monkeypatch.setattr(pace.time, "thread_time", lambda: next(work))
    _, history = trained(steps=90)
    assert len(history.losses) == 90 and history.ended == ""


def test_the_best_weights_are_restored_after_the_last_step_too():
    values, seen = iter([2.0, 1.0, 3.0]), []

    def evaluate(model):
        seen.append(weights(model))
        return next(values)

    model, history = trained(steps=15, evaluate=evaluate, evaluate_every=5, patience=5)
    assert torch.equal(weights(model), seen[1])
    assert history.ended == "weights of step 10 restored"


def test_evaluation_keeps_the_mode_of_every_part():
    modes = []

    def loss(model, batch):
        modes.append(model[2].training)
        return squares(model, batch)

    def evaluate(model):
        model[2].train()
        return 1.0

    model = net(0.5)
    fit(model, line(), loss, steps=4, evaluate=evaluate, evaluate_every=2)
    assert modes == [True] * 4 and not model[2].training


def test_without_patience_the_last_weights_stay():
    seen = []
    model, _ = trained(steps=10, evaluate=lambda m: seen.append(weights(m)) or len(seen), evaluate_every=5)
    assert torch.equal(weights(model), seen[-1])


def test_mean_loss_weighs_rows():
    model = net()
    parts, whole = line(0, 10) + line(1, 30), [tuple(map(torch.cat, zip(*line(0, 10), *line(1, 30), strict=True)))]
    assert mean_loss(model, parts, squares) == pytest.approx(mean_loss(model, whole, squares), rel=1e-5)
    assert model.training


# ---------------------------------------------------------------------------------- batches as a stream
def loader(generator=None):
    x = torch.arange(10.0)[:, None]
    return torch.utils.data.DataLoader(x, batch_size=3, shuffle=True, generator=generator)


class Endless(torch.utils.data.IterableDataset):
    def __iter__(self):
        while True:
            yield torch.rand(2)


def drawn_with(generator):
    return lambda step: torch.rand(2, generator=generator)


def in_batches():
    x = torch.arange(10.0)[:, None]
    order = torch.utils.data.RandomSampler(x, generator=torch.Generator().manual_seed(5))
    return torch.utils.data.DataLoader(x, batch_sampler=torch.utils.data.BatchSampler(order, 3, False))


SOURCES = {
    "a list": lambda: [torch.full((2,), float(i)) for i in range(4)],
    "a shuffled DataLoader": loader,
    "a DataLoader with a generator": lambda: loader(torch.Generator().manual_seed(5)),
    "a DataLoader with a batch sampler": in_batches,
    "a DataLoader of a stream": lambda: torch.utils.data.DataLoader(Endless(), batch_size=3),
    "a function": lambda: lambda step: torch.rand(2) + step + np.random.rand(),
    "a function with a generator": lambda: drawn_with(torch.Generator().manual_seed(5)),
}


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("step", [0, 1, 4, 6])
def test_a_stream_goes_on_where_it_was_left(source, step, tmp_path):
    stream = Batches(SOURCES[source](), seed=3)
    for number in range(step):
        stream.draw(number)
    torch.save(stream.state_dict(), tmp_path / "state")
    expected = [stream.draw(number) for number in range(step, step + 9)]
    torch.manual_seed(99)
    other = Batches(SOURCES[source](), seed=4)
    other.load_state_dict(torch.load(tmp_path / "state", weights_only=True))
    other.skip(step)
    found = [other.draw(number) for number in range(step, step + 9)]
    assert all(torch.equal(a, b) for a, b in zip(expected, found, strict=True))


def test_a_generator_that_has_moved_on_is_put_back():
    source = loader(torch.Generator().manual_seed(5))
    stream = Batches(source, seed=3)
    expected = [stream.draw(number) for number in range(9)]
    again = Batches(source, seed=3)
    again.load_state_dict(stream.state_dict())
    assert all(torch.equal(a, again.draw(number)) for number, a in enumerate(expected))


def test_a_stream_shuffles_each_round_anew_and_leaves_the_other_random_numbers_alone():
    torch.manual_seed(0)
    expected = torch.rand(1)
    torch.manual_seed(0)
    stream = Batches(loader(), seed=3)
    rounds = [torch.cat([stream.draw(4 * r + i) for i in range(4)]).flatten().tolist() for r in range(2)]
    assert sorted(rounds[0]) == sorted(rounds[1]) == list(range(10))
    assert rounds[0] != rounds[1]
    assert torch.equal(torch.rand(1), expected)


def test_a_tensor_without_the_rows_cannot_be_cut():
    assert cut((torch.zeros(4, 2), torch.ones(1, 2)), 1), "whole, it does no harm"
    with pytest.raises(CourseError, match=r"must have the rows first; shapes: \(4, 2\), \(1, 2\)"):
        cut((torch.zeros(4, 2), torch.ones(1, 2)), 2)


def test_a_batch_of_any_form_is_cut_by_rows():
    batch = {"ids": torch.arange(7), "pair": (torch.arange(14).view(7, 2), torch.arange(7))}
    pieces = cut(batch, 3)
    assert [p["ids"].tolist() for p in pieces] == [[0, 1], [2, 3], [4, 5, 6]]
    assert torch.equal(torch.cat([p["pair"][0] for p in pieces]), batch["pair"][0])


def test_tokens_are_counted_or_rows():
    assert count((torch.zeros(4, 7, dtype=torch.long), torch.zeros(4))) == (28, "tokens")
    assert count({"x": torch.zeros(4, 7)}) == (4, "rows")
    assert count(UserDict(names=["a"], x=torch.zeros(4, 7))) == (4, "rows")


# ------------------------------------------------------------------------------------- kill and resume
KILLED = """
    import os, signal, sys
    import torch
    from test_training import net, squares, weights
    from helpers.training import fit

    file, kind, kill_at = sys.argv[1], sys.argv[2], int(sys.argv[3])
    steps_taken = 0

    class Noisy(torch.utils.data.Dataset):
        def __len__(self):
            return 37

        def __getitem__(self, i):
            x = torch.full((3,), i / 37) + 0.1 * torch.randn(3)
            return x, x.sum(0, keepdim=True)

    def function(step):
        x = torch.randn(8, 3)
        return x, x.sum(1, keepdim=True)

    def loss(model, batch):
        global steps_taken
        steps_taken += 1
        if steps_taken == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)
        return squares(model, batch)

    model = net(dropout=0.5)
    batches = torch.utils.data.DataLoader(Noisy(), batch_size=8, shuffle=True) if kind == "loader" else function
    history = fit(model, batches, loss, steps=30, lr=0.05, checkpoint=file or None, checkpoint_every=4,
                  evaluate=lambda m: weights(m).norm().item(), evaluate_every=6, patience=20, progress=False)
    print([x.hex() for x in weights(model).tolist() + history.losses + [v for _, v in history.evaluations]])
    print(len(history.losses), steps_taken, history.best_step)
"""


def run_script(path, *arguments, launcher=(), **more):
    """Run a script that can import this file; its stdout without the progress bar."""
    here = Path(__file__).parent
    environment = {**os.environ, "PYTHONPATH": f"{here.parent}{os.pathsep}{here}", "BOW2LORA_DEVICE": "cpu"}
    command = [sys.executable, *launcher, str(path), *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600, **more)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL on Windows")
@pytest.mark.parametrize("kind", ["loader", "function"])
def test_a_killed_run_goes_on_to_the_same_weights(kind, tmp_path):
    script, folder = tmp_path / "run.py", tmp_path / "checkpoints"
    file = str(folder / "run.pt")
    script.write_text(textwrap.dedent(KILLED), encoding="utf-8")
    plain = run_script(script, "", kind, "-1").stdout.splitlines()
    killed = run_script(script, file, kind, "19")
    assert killed.returncode == -signal.SIGKILL
    assert [p.name for p in folder.iterdir()] == ["run.pt"]
    resumed = run_script(script, file, kind, "-1").stdout.splitlines()
    assert "Resuming at step 16" in resumed[0]
    assert len(plain[-2].split(", ")) == 41 + 30 + 5
    assert resumed[-2] == plain[-2], "every weight, loss and evaluation, to the bit"
    assert plain[-1].split()[:2] == ["30", "30"] and resumed[-1].split()[:2] == ["30", "14"]
    assert plain[-1].split()[2] == resumed[-1].split()[2]
    assert list(folder.iterdir()) == [], "a run that has ended leaves no checkpoint"


def interrupted(file, at, **options):
    """Train with a checkpoint every 4 steps, and be interrupted at a step."""
    count = iter(range(10_000))

    def loss(model, batch):
        if next(count) == at:
            raise KeyboardInterrupt
        return squares(model, batch)

    model = net()
    try:
        fit(model, line(), loss, checkpoint=file, checkpoint_every=4, **{"steps": 12, "lr": 0.05, **options})
    except KeyboardInterrupt:
        return None
    return model


def test_other_files_beside_a_checkpoint_are_left_alone(tmp_path, capsys):
    (tmp_path / "step-8").mkdir()
    (tmp_path / ".run.pt.123.part").write_text("half written")
    interrupted(tmp_path / "run.pt", at=9)
    model = interrupted(tmp_path / "run.pt", at=-1)
    assert "Resuming at step 8" in capsys.readouterr().out
    assert torch.equal(weights(model), weights(trained(steps=12)[0]))
    assert [p.name for p in tmp_path.iterdir()] == ["step-8"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"steps": 13}, "steps was 12, now 13"),
        ({"lr": 0.1}, "lr was 0.05, now 0.1"),
        ({"clip": None}, "clip was 1.0, now None"),
        ({"weight_decay": 0.5}, "weight_decay was 0.01, now 0.5"),
    ],
)
def test_a_checkpoint_of_another_run_is_refused(tmp_path, change, says):
    interrupted(tmp_path / "run.pt", at=9)
    with pytest.raises(CourseError, match=f"checkpoint of another run \\({says}\\). Delete it"):
        interrupted(tmp_path / "run.pt", at=-1, **change)
    assert (tmp_path / "run.pt").is_file()


@pytest.mark.parametrize("keep", [0, 100, 0.5, -1])
def test_a_damaged_checkpoint_is_told(tmp_path, keep):
    file = tmp_path / "run.pt"
    interrupted(file, at=9)
    whole = file.read_bytes()
    file.write_bytes(whole[: int(keep * len(whole)) if keep == 0.5 else keep])
    with pytest.raises(CourseError, match=r"run.pt is no checkpoint, or damaged; delete it"):
        interrupted(file, at=-1)


def test_a_checkpoint_that_cannot_be_written_costs_a_line_and_not_the_run(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    model = interrupted(tmp_path / "file" / "run.pt", at=-1)
    assert torch.equal(weights(model), weights(trained(steps=12)[0]))
    assert "No checkpoint at step 4: " in capsys.readouterr().out


def test_numpy_numbers_do_for_numbers(tmp_path):
    interrupted(tmp_path / "run.pt", at=9, steps=np.int64(12), lr=np.float64(0.05))
    model = interrupted(tmp_path / "run.pt", at=-1)
    assert torch.equal(weights(model), weights(trained(steps=12)[0]))


# ---------------------------------------------------------------------------------- several processes
SHARED = """
    import sys
    import torch
    from helpers.errors import CourseError
    from helpers.training import fit, mean_loss
    from test_training import line, net, squares, trained, weights

    class Parts(torch.nn.Module):  # with a part that the loss never uses, and a method that is not forward
        def __init__(self):
            super().__init__()
            self.used, self.unused = torch.nn.Linear(3, 1), torch.nn.Linear(3, 1)

        def predict(self, x):
            return self.used(x)

    shuffled = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(*line(n=23)[0]), batch_size=7, shuffle=True)
    model, history = trained(steps=9, batches=shuffled, accumulate=2)
    _, second = trained(steps=40, evaluate=lambda m: mean_loss(m, line(2), squares) + 9 * torch.rand(1).item(),
                        evaluate_every=3, patience=2)
    torch.manual_seed(4)
    parts = Parts()
    third = fit(parts, line(n=9), lambda m, b: torch.nn.functional.mse_loss(m.predict(b[0]), b[1]), steps=6)
    first_of_all = history.processes == 1 or torch.distributed.get_rank() == 0
    torch.manual_seed(5 + (not first_of_all))  # other first weights in the other process
    other = torch.nn.Linear(3, 1)
    fit(other, line(n=9), squares, steps=3)
    if first_of_all:
        print("\\n", [weights(model).tolist(), history.losses, third.losses, weights(parts).tolist(),
                      weights(other).tolist(), [len(second.evaluations)], history.processes])
"""


def test_two_processes_give_the_loss_of_one_with_the_joint_batch(tmp_path):
    script = tmp_path / "run.py"
    script.write_text(textwrap.dedent(SHARED), encoding="utf-8")
    launch = ["-m", "torch.distributed.run", "--standalone", "--nproc_per_node", "2"]
    alone, shared = run_script(script), run_script(script, launcher=launch)
    assert shared.returncode == 0, shared.stderr
    one, two = (eval(run.stdout.splitlines()[-1]) for run in (alone, shared))
    assert (one[-1], two[-1]) == (1, 2)
    assert two[5][0] < 14, "both processes stopped early, and together"
    for a, b in zip(one[:5], two[:5], strict=True):
        assert a == pytest.approx(b, rel=1e-5, abs=1e-6)


# ------------------------------------------------------------------------------------------- precision
def cuda(monkeypatch, capability, native):
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda *a: capability)

    def supported(including_emulation=True):
        return native or including_emulation  # a T4 says yes to emulation

    monkeypatch.setattr(torch.cuda, "is_bf16_supported", supported)


@pytest.mark.parametrize(
    ("capability", "native", "chosen"), [((7, 5), False, "fp16"), ((8, 0), True, "bf16"), ((7, 0), True, "fp16")]
)
def test_bf16_only_where_the_card_has_it(monkeypatch, capability, native, chosen):
    cuda(monkeypatch, capability, native)
    assert best_precision("cuda") == chosen
    assert best_precision("cuda", "fp32") == "fp32"


def test_cpu_and_mps_train_in_fp32_unless_asked():
    assert best_precision("cpu") == best_precision("mps") == "fp32"
    with pytest.raises(CourseError, match="'fp16' needs CUDA"):
        best_precision("cpu", "fp16")


@pytest.mark.parametrize(
    ("claims", "bf16", "fp32", "chosen"), [(True, 1, 2, "bf16"), (True, 2, 1, "fp32"), (False, 1, 2, "fp32")]
)
def test_bf16_on_a_cpu_is_measured_before_it_is_believed(monkeypatch, capsys, claims, bf16, fp32, chosen):
    monkeypatch.setattr(precision, "_cpu_claims_bf16", lambda: claims)
    monkeypatch.setattr(precision, "_seconds", {"bfloat16": bf16, "float32": fp32}.get)
    assert best_precision("cpu", "bf16") == chosen
    assert capsys.readouterr().out == (
        "" if chosen == "bf16" else "bf16 does not pay on this cpu; training in fp32 instead.\n"
    )


def test_bf16_trains_and_leaves_the_model_as_it_was(monkeypatch):
    monkeypatch.setattr(precision, "_has_bf16", lambda device: True)
    seen = []

    class Watch(torch.nn.Linear):
        def forward(self, x):
            seen.append(super().forward(x).dtype)
            return super().forward(x)

    model = Watch(3, 1)
    history = fit(model, line(), squares, steps=40, lr=0.1, precision="bf16")
    assert "forward" not in vars(model)
    assert history.dtype == "bf16" and "(bf16)" in repr(history)
    assert set(seen) == {torch.bfloat16}
    assert history.losses[-1] < history.losses[0]
    assert model.weight.dtype == torch.float32
    seen.clear()
    model(torch.zeros(1, 3))
    assert seen == [torch.float32], "autocast ends with the run"
    fit(model, line(), squares, steps=1, precision="fp32")


def test_compile_when_asked(monkeypatch):
    compiled = []

    def spy(model, **options):
        compiled.append(True)
        return real(model, backend="eager")  # traced for real; no compiler is needed

    real = torch.compile
    monkeypatch.setattr(torch, "compile", spy)
    seen = []
    options = {"evaluate": lambda m: seen.append(type(m)) or len(seen), "evaluate_every": 2, "patience": 9}
    model, history = trained(steps=5, compile=True, **options)
    assert compiled == [True] and set(seen) == {torch.nn.Sequential}
    plain = trained(steps=5, **options)
    assert history.losses == pytest.approx(plain[1].losses, rel=1e-4)
    assert torch.allclose(weights(model), weights(plain[0]), rtol=1e-4, atol=1e-6)
    assert list(model.state_dict()) == list(plain[0].state_dict())


# --------------------------------------------------------------------------------------------- History
def test_history_is_one_line():
    history = History([2.0, 1.0], [1.0], [0.1], [(2, 0.5)], 0.5, 2, "", 1000, "tokens", 0.5, 321.0, "cuda", "bf16", 2)
    assert repr(history) == (
        "2 steps in 0.5 s on 2 x cuda (bf16): loss 2.0000 -> 1.0000, best evaluation 0.5000 at step 2, "
        "2,000 tokens/s, peak 321 MB"
    )
    assert repr(History()) == "no steps yet"


def test_history_says_where_it_ran_and_how_fast():
    history = trained(steps=60, batches=[(torch.zeros(4, 3), torch.zeros(4, 1))])[1]
    assert (history.device, history.dtype, history.processes) == ("cpu", "fp32", 1)
    assert (history.seen, history.unit) == (240, "rows")
    assert history.per_second == pytest.approx(240 / history.seconds)
    assert "rows/s" in repr(history)
    assert history.peak_mb > 50


def test_the_bar_shows_loss_speed_and_time_left(capsys):
    fit(net(), line(), squares, steps=30)
    output = capsys.readouterr()
    assert output.err == "", "a notebook paints stderr red"
    assert "training:" in output.out
    fit(net(), line(), squares, steps=3, progress=False)
    assert capsys.readouterr().out == ""


def test_history_draws_itself():
    _, history = trained(steps=12, evaluate=lambda m: 1.0, evaluate_every=4)
    figure, alt = history.draw()
    assert len(figure.axes) == 3  # loss, gradient norm, learning rate
    assert "over 12 steps" in alt and "validation is lowest, 1, at step 4" in alt
