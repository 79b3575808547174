"""How a GPT writes: pages, with the student's `generate`, and what its cache buys beside the whole text anew."""

import contextlib
import time
from collections.abc import Callable

import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from helpers.models.gpt import GPT

Choose = Callable[[torch.Tensor, list[int]], int]  # (logits (V,), ids so far) -> the next id
Generate = Callable[..., list[int]]  # (model, prompt, choose, max_new_tokens, end) -> prompt and the ids that follow
ONCE = 2.0  # a text in which each token is computed once takes less than so many times the work of one forward pass


@torch.no_grad()
def anew(model: nn.Module, prompt: list[int], choose: Choose, max_new_tokens: int) -> list[int]:
    """Return a prompt and the ids that follow, the whole text computed again for each of them."""
    ids, device = list(prompt), next(model.parameters()).device
    room = model.context_length - len(prompt)
    for _ in range(min(max_new_tokens, room)):
        ids.append(int(choose(model(torch.tensor([ids], device=device))[0, -1], ids)))
    return ids


@torch.no_grad()
def log_probs(model: nn.Module, ids: list[int]) -> torch.Tensor:
    """Return the log-probabilities of the next token behind ids, (V,)."""
    device = next(model.parameters()).device
    return model(torch.tensor([ids], device=device))[0, -1].log_softmax(-1)


def cache_gain(model: nn.Module, generate: Generate, prompt: list[int], max_new_tokens: int, end: int) -> str:
    """Return in two lines how far the logits differ with the cache, and how fast greedy writing is in both ways."""
    seen: dict[str, list] = {"anew": [], "cached": []}

    def chosen(kind):
        def choose(logits, _ids):
            seen[kind].append(logits)
            stay = torch.tensor([end], device=logits.device)
            return logits.index_fill(0, stay, -torch.inf).argmax()  # so that both texts are equally long

        return choose

    start = time.perf_counter()
    slow = anew(model, prompt, chosen("anew"), max_new_tokens)
    middle = time.perf_counter()
    fast = generate(model, prompt, chosen("cached"), max_new_tokens)
    seconds, cached_seconds = middle - start, time.perf_counter() - middle
    apart = max(float((a - b).abs().max()) for a, b in zip(seen["anew"], seen["cached"], strict=False))
    n = len(fast) - len(prompt)
    return (
        f"largest difference of the logits {apart:.1e}; the same text: {slow == [int(i) for i in fast]}\n"
        f"{len(fast)} tokens: {n / seconds:,.0f} tokens/s without the cache, {n / cached_seconds:,.0f} with it: "
        f"{seconds / cached_seconds:.1f} times"
    )


def sample(
    model: nn.Module, generate: Generate, tokenizer, prompt: list[int], choose: Choose, max_new_tokens: int, end: int
) -> tuple[str, float]:
    """Return (the prompt and what follows as text, the share of different tokens in what follows)."""
    ids = [int(i) for i in generate(model, prompt, choose, max_new_tokens, end)]
    new = ids[len(prompt) :]
    return tokenizer.decode(ids), len(set(new)) / len(new)


def small_gpt(vocab_size: int, context_length: int, d_model: int, num_layers: int, num_heads: int, phase=0.0) -> GPT:
    """Return a GPT in eval mode whose weights are fixed numbers, none of them special."""
    model = GPT(vocab_size, context_length, d_model, num_layers, num_heads).eval()
    for i, (name, p) in enumerate(model.named_parameters()):
        size = 0.4 if p.dim() == 2 else 0.2
        values = size * torch.sin(torch.arange(1.0, p.numel() + 1) * (1.3 + 0.7 * i) + phase).view(p.shape)
        p.data = values + 1 if "norm" in name and name.endswith("weight") else values
    return model


def written(
    generate: Generate, sizes: tuple, prompt: list[int], max_new_tokens: int, end=None, phase=0.0, work: bool = True
) -> dict:
    """Return what `generate` makes of a small GPT of these sizes: each time the likeliest id that is not there yet.

    ids: what came. prompt: the list that it was given, as it is afterwards. seen: how many ids `choose` was shown, each
    time. logits: those that it was shown (n, V). once: whether each token was computed once, told where the work is
    counted, which takes longer than the work. graph: whether the logits would keep a graph.
    """
    model = small_gpt(*sizes, phase)
    shown, seen, there, given = [], [], list(prompt), list(prompt)

    def choose(logits, ids):
        shown.append(logits)
        seen.append(len(ids))
        there.append(logits.detach().flatten()[-sizes[0] :].index_fill(0, torch.tensor(there), -torch.inf).argmax())
        return there[-1]

    counted, whole = FlopCounterMode(display=False), FlopCounterMode(display=False)
    with counted if work else contextlib.nullcontext():
        ids = generate(model, given, choose, max_new_tokens, end)
    found = {
        "ids": [int(i) for i in ids],
        "prompt": given,
        "seen": seen,
        "logits": [row.detach().tolist() for row in shown],
        "graph": any(row.requires_grad for row in shown),
    }
    if work:
        with whole, torch.no_grad():
            model(torch.tensor([found["ids"]]))
        found["once"] = counted.get_total_flops() < ONCE * whole.get_total_flops()
    return found
