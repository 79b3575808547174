"""What the checks of chapter 12 ask of the student's functions: small runs, and what came of them as plain data."""

import contextlib
import functools
import io
import pickle
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import torch
import torch._dynamo  # the first optimizer would import it, within the time of a case
from torch import nn

from helpers.chapters.training.memory import Kept
from helpers.course.ways_of_calls import operations


class Line(nn.Module):
    """A model of one weight for each column: predicts x @ w. calls: how often it was called with rows."""

    def __init__(self, weights: Sequence[float]):
        super().__init__()
        self.w = nn.Parameter(torch.tensor(weights, dtype=torch.float64))
        self.idle = nn.Parameter(torch.ones(2, dtype=torch.float64))  # plays no part, and so has no gradient
        self.calls = 0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (n,) for x (n, C)."""
        self.calls += len(x) > 0
        return x @ self.w


def left_gradients(accumulate: Callable, weights: Sequence[float], pieces: Sequence) -> dict:
    """Return the loss and the gradient that `accumulate` leaves for pieces, lists of rows; the loss of a row is its
    squared prediction. One gradient of 100 lies there from before.

    alive at once: the most pieces whose graphs were so. calls: how often the model was called with rows. a number:
    whether the loss is one that keeps no graph.
    """
    model, alive, most = Line(weights), [0], [0]
    model.w.grad = torch.full_like(model.w, 100.0)

    class Watched(torch.autograd.Function):
        @staticmethod
        def forward(ctx, value):
            alive[0] += 1
            most[0] = max(most[0], alive[0])
            return value.clone()

        @staticmethod
        def backward(ctx, grad):
            alive[0] -= 1
            return grad

    def loss_sum(model: Line, piece: Sequence) -> torch.Tensor:
        rows = torch.tensor(piece, dtype=torch.float64).view(-1, len(weights))
        return Watched.apply(model(rows).square().sum())

    loss = accumulate(model, [list(piece) for piece in pieces], loss_sum, len)
    return {
        "loss": loss,
        "gradient": None if model.w.grad is None else model.w.grad.clone(),
        "alive at once": most[0],
        "calls": model.calls,
        "a number": not getattr(loss, "requires_grad", False),
        "idle": model.idle.grad is None or not model.idle.grad.any().item(),
    }


def clipped(clip_gradients: Callable, gradients: Sequence, limit: float) -> dict:
    """Return the norm that came and the gradients afterwards; None stands for a parameter without one.

    in place: whether each gradient is the tensor that it was.
    """
    parameters, there = [], []
    for g in gradients:
        shape = torch.tensor([0.0]) if g is None else torch.as_tensor(g)
        p = nn.Parameter(torch.zeros_like(shape))
        p.grad = None if g is None else torch.as_tensor(g).clone()
        parameters.append(p)
        there.append(p.grad)
    norm = clip_gradients(iter(parameters), limit)
    return {
        "norm": norm,
        "gradients": [p.grad for p in parameters],
        "kind": type(norm).__name__,
        "in place": all(p.grad is g for p, g in zip(parameters, there, strict=True)),
    }


def through_half(
    scaled_gradients: Callable,
    weights: torch.Tensor,
    x: torch.Tensor,
    factor: float,
    scale: float,
    first: torch.Tensor | None = None,
    times: int = 1,
) -> dict:
    """Return the gradients of factor * (x * w).sum() with respect to w, and whether they are said to be usable.

    weights, x: (n,), in the dtype in which all is computed. The loss itself is of float32. first: if there, a parameter
    before w, of its own shape and dtype, whose gradient is factor * first; times: how many of it there are. kept:
    whether a `.grad` of 5 that lay there from before is still there alone. given: whether the loss and the list of
    parameters are as they were. A gradient that is nan stands as 0, since nan equals nothing.
    """
    w = weights.clone().requires_grad_()
    parameters, loss = [w], (x * w).float().sum() * factor
    if first is not None:
        parameters = [*(torch.ones_like(first).requires_grad_() for _ in range(times)), w]
        loss = loss + sum((first * p).float().sum() for p in parameters[:-1]) * factor
    for p in parameters:
        p.grad = torch.full_like(p, 5.0)
    given, before = list(parameters), loss.detach().clone()
    gradients, finite = scaled_gradients(loss, given, scale)
    same = torch.equal(loss.detach().nan_to_num(), before.nan_to_num())
    return {
        "gradients": [g.nan_to_num(0.0, torch.inf, -torch.inf) for g in gradients],
        "dtypes": [str(g.dtype) for g in gradients],
        "finite": finite,
        "kept": all(p.grad is not None and bool((p.grad == 5.0).all()) for p in parameters),
        "given": same and len(given) == len(parameters),
    }


class Noisy(nn.Module):
    """y = (x * w) ** 2 with dropout on it, and a count of the calls; w may be frozen, and a weight play no part."""

    def __init__(self, weights: torch.Tensor, dropout: float, frozen: bool, idle: bool):
        super().__init__()
        self.w = nn.Parameter(weights.clone(), requires_grad=not frozen)
        self.b = nn.Parameter(torch.ones_like(weights))
        if idle:
            self.idle = nn.Parameter(torch.ones(2))
        self.drop, self.calls = nn.Dropout(dropout), 0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (n, C) for x (n, C)."""
        self.calls += 1
        return self.drop((x * self.w).square().tanh()) + self.b


def through_block(
    recomputed: Callable,
    weights: torch.Tensor,
    x: torch.Tensor,
    dropout: float = 0.0,
    frozen: bool = False,
    idle: bool = False,
    learned: bool = True,
) -> dict:
    """Return what comes of `recomputed(block, x)` and of going backwards from the sum of y * y.

    idle: the block has a weight that plays no part. learned: x asks for a gradient. y, the gradients of x, w and b,
    calls of the block. kept: bytes that autograd kept for the backward pass, in multiples of those of x, 1 if fewer.
    next: the next random number of torch's generator after the forward and after the backward pass. given: whether x
    is as it was, and asks for a gradient only if it did.
    """
    torch.manual_seed(7)
    block, before = Noisy(weights, dropout, frozen, idle), x
    x = x.clone().requires_grad_(learned)
    kept = Kept(block)
    with torch.autograd.graph.saved_tensors_hooks(kept.pack, kept.unpack):
        y = recomputed(block, x)
    after = torch.rand(1).item()
    (y * y).sum().backward()
    return {
        "y": y.detach(),
        "x": x.grad,
        "w": block.w.grad,
        "b": block.b.grad,
        "calls": block.calls,
        "kept": max(kept.most / (x.numel() * x.element_size()), 1.0),
        "next": [after, torch.rand(1).item()],
        "given": torch.equal(x.detach(), before) and x.requires_grad == learned,
    }


def expected_block(weights: torch.Tensor, x: torch.Tensor, *arguments, **options) -> dict:
    """Return what `through_block` should: by calling the block, twice at most, and keeping x alone."""
    found = through_block(lambda block, x: block(x), weights, x, *arguments, **options)
    return found | {"calls": 2, "kept": 1.0}


def small_network(seed: int, dropout: float = 0.5) -> nn.Module:
    """Return a network from 3 to 1 numbers with dropout, in training mode; its weights follow from the seed."""
    generator = torch.Generator().manual_seed(seed)
    model = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Dropout(dropout), nn.Linear(6, 1))
    for p in model.parameters():
        p.data = torch.randn(p.shape, generator=generator)
    return model.train()


def _step(model: nn.Module, optimizer: torch.optim.Optimizer, generator: torch.Generator) -> None:
    x = torch.randn(4, 3, generator=generator)
    optimizer.zero_grad()
    (model(x) - x[:, :1]).square().mean().backward()
    optimizer.step()


def _begun(seed: int) -> tuple:
    model = small_network(seed)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.05)
    return model, optimizer, torch.Generator().manual_seed(seed)


def stopped_and_resumed(snapshot: Callable, restore: Callable, stop: int, steps: int, seed: int = 0) -> dict:
    """Return how a run that was stopped after `stop` of its steps and resumed compares with one that never stopped.

    The snapshot is taken, the first run goes on to its end, and the snapshot is restored twice, each time into new
    objects whose weights and random numbers are others. same, again: the largest difference of a weight at the end, of
    the first and of the second time; 0.0 means the same bits. step: what `restore` returned. entry: the snapshot's
    entry "step", None without one. read: whether torch.load reads it with weights_only.
    """
    torch.manual_seed(seed)
    whole = _begun(seed)
    for _ in range(steps):
        _step(*whole)
    torch.manual_seed(seed)
    run = _begun(seed)
    for _ in range(stop):
        _step(*run)
    state = snapshot(*run, stop)
    for _ in range(stop, steps):
        _step(*run)
    differences, first = [], None
    for turn in range(2):
        torch.manual_seed(seed + 1 + turn)
        resumed = _begun(seed + 1 + turn)
        first = restore(state, *resumed)
        for _ in range(stop, steps):
            _step(*resumed)
        pairs = zip(whole[0].parameters(), resumed[0].parameters(), strict=True)
        differences.append(max((p - q).abs().max().item() for p, q in pairs))
    found = {"same": differences[0], "again": differences[1], "step": first}
    return found | {"entry": state.get("step"), "read": _is_read(state)}


def _is_read(state: dict) -> bool:
    """Return whether torch.load reads a snapshot that torch.save wrote, with weights_only."""
    file = io.BytesIO()
    torch.save(state, file)
    file.seek(0)
    with contextlib.suppress(pickle.UnpicklingError):
        torch.load(file, weights_only=True)
        return True
    return False


class Unwritable:
    """Something that cannot be saved: writing ends in the middle."""

    def __reduce__(self):
        raise OSError("the disk is full")


def written(write_safely: Callable, fails: bool) -> dict:
    """Return what lies in a folder after two snapshots were written to one file, the second of which may fail.

    file: the step of the snapshot that is read back, or "damaged". others: how many other files are left in the folder,
    if nothing failed. at once: whether a new file took the place of the old one, which was not written over.
    kept: whether the snapshot that was handed in has its entries still.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "run.pt")
        write_safely({"step": 1, "weights": torch.ones(3)}, path)
        second = {"step": 2, "weights": torch.ones(5000), "last": Unwritable() if fails else 0}
        old = path.stat().st_ino
        try:
            write_safely(second, path)
        except Exception:
            if not fails:
                raise
        try:
            step = torch.load(path, weights_only=True)["step"]
        except Exception:
            step = "damaged"
        others = len(list(Path(folder).iterdir())) - 1
        at_once = fails or not old or path.stat().st_ino != old  # 0 where a system has no such number
    kept = list(second) == ["step", "weights", "last"]
    return {"file": step, "others": 0 if fails else others, "at once": at_once, "kept": kept}


def around(ring_sum: Callable, vectors: Sequence[torch.Tensor]) -> dict:
    """Return the sums of all machines, and who sent what.

    sums: one (n,) for each machine. sent: how many numbers each machine has sent. neighbours: whether machine r sent to
    r + 1 alone. kept: whether the vectors are as they were. own: whether no machine's numbers change with another's. by
    messages: whether what a machine sends first is a chunk of its own vector, and no machine has the sum where zeros
    arrive instead of what was sent.
    """
    given = [v.clone() for v in vectors]
    before = [v.clone() for v in given]
    sent, right, own_first = [0] * len(given), True, True

    def send(source: int, target: int, chunk: torch.Tensor) -> torch.Tensor:
        nonlocal right, own_first
        right = right and target == (source + 1) % len(given)
        if not sent[source]:
            own_first = own_first and torch.isin(chunk, before[source]).all().item()
        sent[source] += chunk.numel()
        return chunk.clone()

    sums = ring_sum(given, send)
    own = len({s.data_ptr() for s in sums}) == len(sums)
    cut_off = ring_sum([v.clone() for v in before], lambda source, target, chunk: torch.zeros_like(chunk))
    total = torch.stack(before).sum(0)
    kept = all(torch.equal(a, b) for a, b in zip(given, before, strict=True))
    return {"sums": [s.clone() for s in sums], "sent": sent, "neighbours": right, "kept": kept, "own": own} | {
        "by messages": own_first and not any(torch.allclose(s, total) for s in cut_off)
    }


def _rows(generator: torch.Generator) -> list[list[int]]:
    return torch.randint(-3, 4, (3, 2), generator=generator).tolist()


def _states(steps: int) -> list[torch.Tensor]:
    """Return the generator's state before each batch of a run that was never stopped."""
    generator, states = torch.Generator().manual_seed(0), []
    for _ in range(steps):
        states.append(generator.get_state())
        _rows(generator)
    return states


def _place_of(state: torch.Tensor, states: list[torch.Tensor]) -> int:
    """Return the index of a state, -1 if it is none of them."""
    places = [i for i, other in enumerate(states) if torch.equal(state, other)]
    return places[0] if places else -1


def small_run(
    run: Callable,
    steps: int,
    every: int,
    killed_at: int | None = None,
    broken_at: int | None = None,
    clip: float = 1.0,
    rate: Sequence[float] = (0.1, 0.9),
    broken: float = float("inf"),
    before: Sequence[int] = (),
    quiet: bool = False,
) -> dict:
    """Return what a loop makes of a model of two weights in so many steps, plain numbers all.

    Step t's rate is rate[0] * rate[1] ** t. killed_at: the rate of this step raises, and the run is begun again with
    new objects. broken_at: the loss of the batch drawn in this step is multiplied by `broken`, infinity or nan; a loss
    that is nan stands as -1, since nan equals nothing. quiet: the gradient alone is infinite there, and the loss as
    ever. before: `steps` and `every` of a run that came first. losses, skipped: of the last run. weights: at the end.
    drawn: how many batches the last run drew. checkpoint: the step in the file, 0 without one. mode: whether a model in
    evaluation is still so. one rate: whether both groups of the optimiser had the same rate in each of its steps.
    dropout: whether steps that were taken again drew the same from torch's own generator.
    """

    class Failure(Exception):
        pass

    def once(path: Path, killed: int | None, steps: int, every: int) -> dict:
        torch.manual_seed(len(chances))
        chances.append([])
        model = Line([1.0, -1.0]).eval()
        groups = [{"params": [model.w]}, {"params": [model.idle]}]
        optimizer, rates = torch.optim.SGD(groups, lr=123.0, momentum=0.5), []
        optimizer.register_step_pre_hook(lambda *_: rates.append({group["lr"] for group in optimizer.param_groups}))
        drawn = [0]

        def draw(generator: torch.Generator) -> list:
            drawn[0] += 1
            now[0] = _place_of(generator.get_state(), order)
            rows = _rows(generator)
            return [rows[:1], rows[1:]]

        def loss_sum(model: Line, piece: list) -> torch.Tensor:
            chances[-1].append(float(torch.rand(())))
            values = model(torch.tensor(piece, dtype=torch.float64)).square().sum()
            if quiet and now[0] == broken_at:
                return values + (model.w - model.w.detach()).sqrt().sum()  # 0, with an infinite slope
            return values * (broken if now[0] == broken_at else 1.0)

        def rate_of(step: int) -> float:
            if step == killed:
                raise Failure
            return rate[0] * rate[1] ** step

        now, order = [-1], _states(steps)
        losses, skipped = run(model, optimizer, draw, loss_sum, len, steps, rate_of, clip, path, every)
        shown = [-1.0 if loss != loss else loss for loss in losses]
        found = {"losses": shown, "skipped": skipped, "weights": model.w.detach().clone(), "drawn": drawn[0]}
        return found | {"mode": not model.training, "one rate": all(len(rate) == 1 for rate in rates)}

    chances: list[list[float]] = []  # for each run what it drew from torch's own generator, two numbers for each step
    with tempfile.TemporaryDirectory() as folder, torch.random.fork_rng(devices=[]):
        path = Path(folder, "run.pt")
        if before:
            once(path, None, *before)
        if killed_at is not None:
            with contextlib.suppress(Failure):
                once(path, killed_at, steps, every)
        first = _step_of(path)
        found = once(path, None, steps, every)
        found["checkpoint"] = _step_of(path)
    again = chances[-2][2 * first :] if first and killed_at is not None else []
    return found | {"dropout": chances[-1][: len(again)] == again}


def _step_of(path: Path) -> int:
    return torch.load(path, weights_only=True)["step"] if path.exists() else 0


def moved(
    muon_step: Callable,
    weight: torch.Tensor,
    gradients: Sequence[torch.Tensor],
    lr: float = 0.02,
    momentum: float = 0.95,
    weight_decay: float = 0.1,
    largest: bool = False,
) -> torch.Tensor | dict:
    """Return the matrix after one step for each gradient, with the state handed on; each step is made twice from the
    same state, which finds out what changes it.

    largest: if so, return the "matrix", and how many numbers the largest tensor has that torch "made" in these steps.
    """
    made, state, options = 0, None, {"lr": lr, "momentum": momentum, "weight_decay": weight_decay}
    for grad in gradients:
        step = functools.partial(muon_step, weight, grad, state, **options)
        if largest:
            made = max(made, *(operation.made for operation in operations(step)))
        step()
        weight, state = step()
    return {"made": made, "matrix": weight} if largest else weight


class Compared(int):
    """A whole number that counts how often such numbers are compared for equality."""

    count = 0
    __hash__ = int.__hash__

    def __eq__(self, other: object) -> bool:
        """Compare as whole numbers do, and count it."""
        Compared.count += 1
        return int.__eq__(self, other)


def found_and_compared(candidates: Callable, signatures: Sequence[Sequence[int]], band: int) -> tuple[set, int]:
    """Return the pairs that `candidates` finds, and how many numbers it compares for equality on its way to them."""
    watched = [list(map(Compared, numbers)) for numbers in signatures]
    Compared.count = 0
    pairs = candidates(watched, band)
    return pairs, Compared.count
