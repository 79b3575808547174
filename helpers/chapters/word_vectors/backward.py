"""Gradients by autograd, and the time of a step, forward and backward, as the vocabulary grows."""

import time
from collections.abc import Callable, Sequence
from functools import partial

import torch
from torch.nn.functional import logsigmoid

SIZES = [500, 1000, 2000, 4000, 8000, 16000]  # of the vocabulary
PAIRS, NOISE, WIDTH = 1024, 5, 100  # pairs in a step, noise words of each, dimensions


def gradients(function: Callable, *arguments, fixed: Sequence[int] = ()) -> tuple[torch.Tensor, ...]:
    """Return (value, the gradient of its sum with respect to each tensor of floats but the `fixed`), by autograd.

    function: called with the arguments; fixed: the places of arguments that are not differentiated.
    """
    copies, leaves = list(arguments), []
    for i, argument in enumerate(arguments):
        if isinstance(argument, torch.Tensor) and argument.is_floating_point() and i not in fixed:
            copies[i] = argument.detach().clone().requires_grad_()
            leaves.append(copies[i])
    value = function(*copies)
    return value.detach(), *torch.autograd.grad(value.sum(), leaves)


def negative_sampling_loss(centres: torch.Tensor, contexts: torch.Tensor, noise: torch.Tensor) -> torch.Tensor:
    """Return the mean loss of B pairs, differentiable; centres, contexts: (B, d), noise: (B, K, d)."""
    for_pairs = logsigmoid((centres * contexts).sum(-1))  # (B,)
    for_noise = logsigmoid(-(noise @ centres[..., None])[..., 0]).sum(-1)  # (B,)
    return -(for_pairs + for_noise).mean()


def largest_difference(first: Sequence, second: Sequence[torch.Tensor]) -> float:
    """Return the largest absolute difference of what is in two lists, of the same shapes; the first may hold arrays."""
    pairs = zip(map(torch.as_tensor, first), second, strict=True)
    return max(float((a - b).abs().max()) for a, b in pairs)


def shortest_ms(action: Callable) -> float:
    """Return the milliseconds of the shortest of three runs."""
    runs = []
    for _ in range(3):
        start = time.perf_counter()
        action()
        runs.append(time.perf_counter() - start)
    return 1000 * min(runs)


def step_costs(softmax_loss: Callable, negative_sampling: Callable) -> tuple[list[int], dict[str, list[float]]]:
    """Return (sizes of the vocabulary, {method: milliseconds of a step of 1,024 pairs for each size}).

    softmax_loss: (centres, contexts, inputs, outputs) -> loss, differentiated by autograd.
    negative_sampling: vectors of (centres, contexts, noise) -> loss and gradients.
    """
    cost = {"softmax": [], "negative sampling": []}
    for size in SIZES:
        inputs, outputs = torch.randn(2, size, WIDTH) / 10
        centres, contexts = torch.randint(size, (2, PAIRS))
        drawn = torch.randint(size, (PAIRS, NOISE))
        full = partial(gradients, softmax_loss, centres, contexts, inputs, outputs)
        cost["softmax"].append(shortest_ms(full))
        sampled = partial(_fetched, negative_sampling, inputs, outputs, centres, contexts, drawn)
        cost["negative sampling"].append(shortest_ms(sampled))
    return SIZES, cost


def _fetched(negative_sampling: Callable, inputs, outputs, centres, contexts, drawn) -> tuple[torch.Tensor, ...]:
    """Look up the vectors of a step, then find loss and gradients."""
    return negative_sampling(inputs[centres], outputs[contexts], outputs[drawn])
