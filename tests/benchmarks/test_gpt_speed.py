"""Chapter 05's GPT: a training step beside a bare nanoGPT-style one, generation beside transformers, the cache's gain.

The functions are those of the chapter's solutions, read from its source; the sizes are those of its docs-gpt.
"""

import statistics
import time

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from autograder import paths
from autograder.authoring.source import definitions
from helpers.chapters.transformers.writing import Writer
from helpers.device import seed_everything

ROUNDS, STEPS = 5, 6
SIZES = {"vocab_size": 8192, "context_length": 128, "d_model": 128, "num_layers": 4, "num_heads": 4}
LONG = SIZES | {"context_length": 257}  # a prompt of one token and 256 new ones


@pytest.fixture(scope="module")
def chapter() -> dict:
    """The chapter's given cells and solutions."""
    return definitions(paths.source_text("05_transformers"))


class BareBlock(nn.Module):
    """A block as nanoGPT writes it: fused projections, the library's attention, norm and GELU."""

    def __init__(self, d_model: int, num_heads: int):
        super().__init__()
        self.num_heads = num_heads
        self.ln_1, self.ln_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.c_attn, self.c_proj = nn.Linear(d_model, 3 * d_model), nn.Linear(d_model, d_model)
        self.mlp = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.GELU(), nn.Linear(4 * d_model, d_model))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        B, T, C = x.shape
        parts = self.c_attn(self.ln_1(x)).split(C, dim=2)
        q, k, v = (part.view(B, T, self.num_heads, C // self.num_heads).transpose(1, 2) for part in parts)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).contiguous().view(B, T, C)
        x = x + self.c_proj(y)
        return x + self.mlp(self.ln_2(x))


class BareGPT(nn.Module):
    """The same model as the chapter's in nanoGPT's way; forward gives the loss."""

    def __init__(self, vocab_size: int, context_length: int, d_model: int, num_layers: int, num_heads: int):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(vocab_size, d_model), nn.Embedding(context_length, d_model)
        self.h = nn.ModuleList(BareBlock(d_model, num_heads) for _ in range(num_layers))
        self.ln_f = nn.LayerNorm(d_model)
        for table in (self.wte, self.wpe):
            nn.init.normal_(table.weight, std=0.02)

    def forward(self, inputs: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        x = self.wte(inputs) + self.wpe(torch.arange(inputs.shape[1]))
        for block in self.h:
            x = block(x)
        logits = F.linear(self.ln_f(x), self.wte.weight)
        return F.cross_entropy(logits.view(-1, logits.shape[-1]), targets.view(-1), ignore_index=-1)


def bare_steps(model: BareGPT, batches: list[torch.Tensor], optimizer) -> float:
    """The loop that nanoGPT writes; returns seconds of processor time."""
    start = time.process_time()
    for rows in batches:
        loss = model(rows[:, :-1].contiguous(), rows[:, 1:].contiguous())
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        loss.item()
    return time.process_time() - start


def our_steps(chapter: dict, model, batches: list[torch.Tensor]) -> float:
    """The chapter's loop; returns seconds of processor time."""

    def loss(model, token_ids):
        return chapter["next_token_loss"](model(token_ids), token_ids)

    start = time.process_time()
    chapter["fit"](model, batches, loss, steps=len(batches), lr=3e-3, weight_decay=0.1, progress=False)
    return time.process_time() - start


def test_a_training_step_beside_nanogpts(chapter):
    seed_everything(0)
    ours, bare = chapter["GPT"](**SIZES), BareGPT(**SIZES)
    assert sum(p.numel() for p in ours.parameters()) == sum(p.numel() for p in bare.parameters())
    optimizer = torch.optim.AdamW(bare.parameters(), lr=3e-3, betas=(0.9, 0.95), weight_decay=0.1, fused=True)
    # nanoGPT predicts all T tokens of a row of T + 1; ours gets T and predicts T - 1 of them.
    wide = list(torch.randint(SIZES["vocab_size"], (STEPS, 16, 129)))
    rows = [batch[:, :-1].contiguous() for batch in wide]
    bare_steps(bare, wide[:1], optimizer), our_steps(chapter, ours, rows[:1])  # warm up
    pairs = [(bare_steps(bare, wide, optimizer), our_steps(chapter, ours, rows)) for _ in range(ROUNDS)]
    tokens = STEPS * 16 * 128
    a, b = (tokens / statistics.median(times) for times in zip(*pairs, strict=True))
    ratio = statistics.median(x / y for x, y in pairs)
    print(f"\na training step: nanoGPT's {a:,.0f} tokens a second of processor time, ours {b:,.0f}: {ratio:.2f} times")


def as_transformers(model, sizes: dict):
    """The same weights in GPT2LMHeadModel, whose matrices are (in, out)."""
    from transformers import GPT2Config, GPT2LMHeadModel

    config = GPT2Config(
        vocab_size=sizes["vocab_size"], n_positions=sizes["context_length"], n_embd=sizes["d_model"],
        n_layer=sizes["num_layers"], n_head=sizes["num_heads"], activation_function="gelu",
        bos_token_id=0, eos_token_id=None, pad_token_id=0,
    )  # fmt: skip
    rival = GPT2LMHeadModel(config).eval()
    names = {"ln_1": "norm1", "ln_2": "norm2", "mlp.c_fc": "linear1", "mlp.c_proj": "linear2"}
    names |= {"attn.c_proj": "self_attn.out_proj", "attn.c_attn": "self_attn.in_proj"}
    ours, taken = model.state_dict(), {}
    for i in range(sizes["num_layers"]):
        for theirs, own in names.items():
            for kind in ("weight", "bias"):
                joint = f"blocks.{i}.{own}_{kind}" if own.endswith("in_proj") else f"blocks.{i}.{own}.{kind}"
                matrix = "c_" in theirs and kind == "weight"
                taken[f"transformer.h.{i}.{theirs}.{kind}"] = ours[joint].T if matrix else ours[joint]
    for theirs in ("transformer.wte.weight", "lm_head.weight"):
        taken[theirs] = ours["token_embedding.weight"]
    taken["transformer.wpe.weight"] = ours["position_embedding.weight"]
    taken |= {f"transformer.ln_f.{kind}": ours[f"final_norm.{kind}"] for kind in ("weight", "bias")}
    rival.load_state_dict(taken)
    return rival


def timed(call) -> tuple[float, list[int]]:
    """Return (seconds of processor time, ids)."""
    start = time.process_time()
    ids = call()
    return time.process_time() - start, ids


def test_generation_beside_transformers_and_without_the_cache(chapter):
    seed_everything(0)
    model = chapter["GPT"](**LONG).eval()
    for weight in model.parameters():  # matrices of a trained model's size: greedy has no ties
        weight.data = weight.data * 5 if weight.dim() == 2 else weight.data
    rival, prompt, max_new_tokens = as_transformers(model, LONG), [17], 256
    parts = (chapter[name] for name in ("cached_attention", "layer_norm", "feed_forward"))
    writer = Writer(model, -1, *parts)  # no text ends early

    def generate(cached):
        return writer.write(prompt, lambda logits, ids: logits.argmax(), max_new_tokens, cached)[0]

    @torch.no_grad()
    def theirs():
        ids = torch.tensor([prompt])
        return rival.generate(ids, max_new_tokens=max_new_tokens, do_sample=False, use_cache=True)[0].tolist()

    ways = {"transformers": theirs, "with the cache": lambda: generate(True), "without": lambda: generate(False)}
    with torch.no_grad():
        ids = torch.randint(SIZES["vocab_size"], (1, 64))
        assert torch.allclose(model(ids), rival(ids).logits, rtol=1e-3, atol=1e-3)
    rounds = [{name: timed(way) for name, way in ways.items()} for _ in range(ROUNDS)]
    assert all(len(ids) == max_new_tokens + 1 for times in rounds for _, ids in times.values())
    assert len({tuple(rounds[0][name][1]) for name in ("with the cache", "without")}) == 1
    speed = {name: max_new_tokens / statistics.median(times[name][0] for times in rounds) for name in ways}
    print("\ntokens a second of processor time:", ", ".join(f"{name} {v:,.0f}" for name, v in speed.items()))
    for other in ("transformers", "without"):
        ratio = statistics.median(times[other][0] / times["with the cache"][0] for times in rounds)
        print(f"with the cache, beside {other}: {ratio:.2f} times as fast")
