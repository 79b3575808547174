"""Train the reference docs-gpt on the docs and measure it: `python datasets/reference/gpt.py`.

About ten minutes on two cores, longer and larger on a GPU; `--steps 5` tries it out and writes nothing.
"""

import argparse
import math

import torch
import torch.nn.functional as F

from helpers.course import artifacts
from helpers.course.artifacts import Artifact
from helpers.data import load
from helpers.data.registry import datasets_folder
from helpers.device import best_device, seed_everything
from helpers.models.gpt import GPT
from helpers.training import History, fit

CPU = {"sizes": {"context_length": 256, "d_model": 192, "num_layers": 4, "num_heads": 6}, "rows": 8, "steps": 1200}
GPU = {"sizes": {"context_length": 512, "d_model": 320, "num_layers": 8, "num_heads": 5}, "rows": 32, "steps": 4000}
LR, DECAY, WARMUP = 2e-3, 0.1, 100
PROMPTS = ("torch.nn.Linear\n\n", "numpy.mean\n\n", "Return the")

CARD = """\
# docs-gpt: a small GPT of the docs

**What.** {parameters:,} weights in half precision: {layers} pre-norm blocks with {heads} heads, vectors of {width}
numbers, {context} positions, tied output over the {vocabulary:,} tokens of docs-tokenizer. Load it with
`helpers.models.gpt.load_gpt()`.

**How trained.** Next token, AdamW, learning rate {lr:g}, {warmup} steps of warm-up and a cosine, decay {decay:g}, no
dropout, {steps:,} steps of {batch:,} tokens ({passes:.2f} passes): `python datasets/reference/gpt.py`, on {device}
({dtype}), {minutes:.0f} minutes. The documents were shuffled once, each followed by `<|endoftext|>`.

**On what.** The train split of the set `docs`, {tokens:,} tokens:
{versions}.

**Scores.** On the test split, {held_out:,} tokens in windows of {context}, all but the first of each predicted:

| loss, nats a token | perplexity | bits per byte |
|---|---|---|
| {loss:.3f} | {perplexity:.1f} | {bits:.3f} |

The last training losses had a mean of {last:.3f}. Greedy continuations:

{samples}
"""


def stream(tokenizer, split: str) -> torch.Tensor:
    """Return the tokens of a split's documents in one shuffled row, each document followed by its end."""
    texts, end = [document.text for document in load("docs").split(split)], tokenizer.token_to_id("<|endoftext|>")
    encoded = tokenizer.encode_batch_fast(texts, add_special_tokens=False)
    order = torch.randperm(len(encoded), generator=torch.Generator().manual_seed(0)).tolist()
    return torch.tensor([i for n in order for i in [*encoded[n].ids, end]])


def loss(model: GPT, token_ids: torch.Tensor) -> torch.Tensor:
    """Return the cross-entropy of the next token, in nats."""
    return F.cross_entropy(model(token_ids)[:, :-1].flatten(0, 1), token_ids[:, 1:].flatten())


@torch.no_grad()
def measure(model: GPT, tokens: torch.Tensor, tokenizer) -> tuple[float, float]:
    """Return (nats a token, bits per byte) on a text."""
    windows = tokens[: len(tokens) // model.context_length * model.context_length].view(-1, model.context_length)
    device = next(model.parameters()).device
    total = sum(loss(model, rows.to(device)).item() * len(rows) for rows in windows.split(8)) / len(windows)
    predicted = windows[:, 1:]
    size = sum(len(text.encode()) for text in tokenizer.decode_batch(predicted.tolist()))
    return total, total * predicted.numel() / math.log(2) / size


@torch.no_grad()
def continued(model: GPT, tokenizer, prompt: str, max_new_tokens: int = 40) -> str:
    """Return a prompt and its greedy continuation."""
    device, caches = next(model.parameters()).device, []
    ids = tokenizer.encode(prompt, add_special_tokens=False).ids
    new = ids
    for _ in range(max_new_tokens):
        new = [int(model.step(torch.tensor([new], device=device), caches).argmax())]
        ids = ids + new
    return tokenizer.decode(ids)


def card(model: GPT, sizes: dict, rows: int, tokens: torch.Tensor, held_out: torch.Tensor, history: History) -> str:
    """Return the card with everything measured."""
    tokenizer, context = artifacts.load_tokenizer(own=False), sizes["context_length"]
    nats, bits = measure(model, held_out, tokenizer)
    samples = "\n\n".join("    " + continued(model, tokenizer, p).replace("\n", "\n    ") for p in PROMPTS)
    return CARD.format(
        parameters=sum(p.numel() for p in model.parameters()),
        layers=sizes["num_layers"],
        heads=sizes["num_heads"],
        width=sizes["d_model"],
        context=context,
        vocabulary=sizes["vocab_size"],
        lr=LR,
        warmup=WARMUP,
        decay=DECAY,
        steps=len(history.losses),
        batch=rows * context,
        passes=history.seen / len(tokens),
        device=history.device,
        dtype=history.dtype,
        minutes=history.seconds / 60,
        tokens=len(tokens),
        versions=load("docs").read_from,
        held_out=len(held_out),
        loss=nats,
        perplexity=math.exp(nats),
        bits=bits,
        last=sum(history.losses[-50:]) / len(history.losses[-50:]),
        samples=samples,
    )


def main(tried: int | None) -> None:
    """Train, measure and save; with `tried` steps only, save nothing."""
    seed_everything(0)
    tokenizer, plan = artifacts.load_tokenizer(own=False), GPU if best_device() == "cuda" else CPU
    tokens, held_out = stream(tokenizer, "train"), stream(tokenizer, "test")
    sizes, rows = {"vocab_size": tokenizer.get_vocab_size(), **plan["sizes"]}, plan["rows"]
    model, length = GPT(**sizes), sizes["context_length"]

    def batch(_step: int) -> torch.Tensor:
        starts = torch.randint(len(tokens) - length, (rows, 1))
        return tokens[starts + torch.arange(length)]

    options = {"lr": LR, "weight_decay": DECAY, "warmup": WARMUP, "checkpoint_every": 200}
    folder = datasets_folder() / "artifacts" / "docs-gpt"
    if tried:
        history = fit(model, batch, loss, steps=tried, lr=LR, warmup=0)
        print(history, card(model, sizes, rows, tokens, held_out[: 16 * length], history), sep="\n")
        return
    history = fit(model, batch, loss, steps=plan["steps"], checkpoint=folder.with_suffix(".run"), **options)
    text = card(model, sizes, rows, tokens, held_out, history)
    artifacts.save(Artifact("docs-gpt", dict(model.state_dict()), sizes, "", text), folder)
    print(text, history, sep="\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=None, help="try so many steps and write nothing")
    main(parser.parse_args().steps)
