"""A GPT that writes on, token by token, with a cache of keys and values or with the whole text computed anew."""

import time
from collections.abc import Callable

import torch
import torch.nn.functional as F

from helpers.models.functional import part
from helpers.models.gpt import GPT

Choose = Callable[[torch.Tensor, list[int]], int]  # (logits (V,), ids so far) -> the next id


class Writer:
    """A GPT and the student's parts of a step with a cache.

    end: the id that ends a text. cached_attention(x, cache, p, num_heads), layer_norm(x, weight, bias) and
    feed_forward(x, w1, b1, w2, b2) as chapter 05 writes them.
    """

    def __init__(self, model: GPT, end: int, cached_attention: Callable, layer_norm: Callable, feed_forward: Callable):
        self.model, self.end, self.p = model, end, dict(model.named_parameters())
        self.cached_attention, self.layer_norm, self.feed_forward = cached_attention, layer_norm, feed_forward

    @torch.no_grad()
    def step(self, token_ids: torch.Tensor, caches: list | None = None) -> torch.Tensor:
        """Return the logits (B, V) behind new token_ids (B, n).

        caches: one (keys, values) or None for each block, filled in place; without it nothing came before.
        """
        caches = [None] * len(self.model.blocks) if caches is None else caches
        done = 0 if caches[0] is None else caches[0][0].shape[2]
        places = self.p["position_embedding.weight"][done : done + token_ids.shape[1]]
        x = self.p["token_embedding.weight"][token_ids] + places  # (B, n, C)
        for i in range(len(caches)):
            x, caches[i] = self._block(x, part(self.p, f"blocks.{i}."), caches[i])
        x = self.layer_norm(x[:, -1], self.p["final_norm.weight"], self.p["final_norm.bias"])
        return F.linear(x, self.p["token_embedding.weight"])

    def _block(self, x: torch.Tensor, q: dict, cache) -> tuple[torch.Tensor, tuple]:
        """Return (x (B, n, C) behind one pre-norm block with the weights q, its cache)."""
        h = self.layer_norm(x, q["norm1.weight"], q["norm1.bias"])
        h, cache = self.cached_attention(h, cache, part(q, "self_attn."), self.model.num_heads)
        x = x + h
        feed = [q[f"linear{j}.{kind}"] for j in (1, 2) for kind in ("weight", "bias")]
        return x + self.feed_forward(self.layer_norm(x, q["norm2.weight"], q["norm2.bias"]), *feed), cache

    @torch.no_grad()
    def write(
        self, prompt: list[int], choose: Choose, max_new_tokens: int, cached: bool = True
    ) -> tuple[list[int], float]:
        """Return (prompt and at most `max_new_tokens` ids that follow, tokens per second)."""
        device = self.p["token_embedding.weight"].device
        ids, caches, start = list(prompt), [None] * len(self.model.blocks), time.perf_counter()
        for i in range(min(max_new_tokens, self.model.context_length - len(prompt))):
            new = torch.tensor([ids[-1:] if cached and i else ids], device=device)
            ids.append(int(choose(self.step(new, caches)[0] if cached else self.model(new)[0, -1], ids)))
            if ids[-1] == self.end:
                break
        return ids, (len(ids) - len(prompt)) / (time.perf_counter() - start)

    @torch.no_grad()
    def log_probs(self, ids: list[int]) -> torch.Tensor:
        """Return the log-probabilities of the next token behind ids, (V,), computed anew."""
        device = self.p["token_embedding.weight"].device
        return self.model(torch.tensor([ids], device=device))[0, -1].log_softmax(-1)

    def sample(self, tokenizer, prompt: list[int], choose: Choose, max_new_tokens: int) -> tuple[str, float]:
        """Return (the prompt and what follows as text, the share of different tokens in what follows)."""
        ids, _ = self.write(prompt, choose, max_new_tokens)
        new = ids[len(prompt) :]
        return tokenizer.decode(ids), len(set(new)) / len(new)


def cache_gain(writer: Writer, prompt: list[int], max_new_tokens: int) -> str:
    """Return in two lines how far the logits differ with the cache, and how fast greedy writing is in both ways."""
    device = writer.p["token_embedding.weight"].device
    tokens, end = torch.tensor([prompt], device=device), torch.tensor([writer.end], device=device)

    def never_ending(logits, _ids):
        return logits.index_fill(0, end, -torch.inf).argmax()  # so that both texts are equally long

    with torch.no_grad():
        apart = (writer.model(tokens)[0, -1] - writer.step(tokens)[0]).abs().max()
    (slow_ids, slow), (fast_ids, fast) = (writer.write(prompt, never_ending, max_new_tokens, c) for c in (False, True))
    return (
        f"largest difference of the logits {apart:.1e}; the same text: {slow_ids == fast_ids}\n"
        f"{len(fast_ids)} tokens: {slow:,.0f} tokens/s without the cache, {fast:,.0f} with it: {fast / slow:.1f} times"
    )
