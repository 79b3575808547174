"""Pre-train the reference inbox-bert by chapter 05's own recipe, for more steps: `python datasets/reference/bert.py`.

Thirteen minutes on one core of a busy machine; `--steps 5` tries it out and writes nothing.
"""

import argparse

import torch

from autograder import paths
from autograder.authoring.source import definitions, read
from helpers.chapters.transformers import masked_pretraining
from helpers.chapters.transformers.packing import MASK, SPECIAL, pack_texts
from helpers.course import artifacts
from helpers.course.artifacts import Artifact
from helpers.data.registry import datasets_folder

STEPS = 8000
CALL = "history = masked_pretraining.pretrain("

CARD = """\
# inbox-bert: a small BERT of the inbox

**What.** {parameters:,} weights in half precision: chapter 05's `Encoder` with {num_layers} pre-norm blocks,
{num_heads} heads, vectors of {d_model} numbers, {context_length} places, the {vocab_size:,} tokens of docs-tokenizer.

**How trained.** Words in holes, 30 % of the tokens, cut anew in each step, as chapter 05 does it, in {steps:,} steps
instead of a few hundred: `python datasets/reference/bert.py`, on {device} ({dtype}), {minutes:.0f} minutes.

**On what.** The texts of the training part of the inbox (split 0.2 by core sentence, seed 0), without labels, and 0.8
million characters of the docs' training part.

**Scores.** Mean cross-entropy at the holes: {last:.2f} nats over the last 50 steps; {loss:.2f} on the {held_out:,}
texts of the inbox's test part, {right:.1%} of their words guessed.
"""


def recipe() -> dict:
    """Return all that chapter 05 defines up to its pre-training, which is not run: a fresh encoder, its texts."""
    source = paths.source_text("05_transformers")
    (cell,) = (c.source for c in read(source) if CALL in c.source)
    names = definitions(source)
    exec(cell.partition(CALL)[0], names)
    return names


@torch.no_grad()
def measure(model, names: dict) -> tuple[float, float, int]:
    """Return (nats, share of words guessed) at the holes of the test part's texts, and how many texts these are."""
    device, generator = model.bias.device, torch.Generator().manual_seed(0)
    ids, segments = pack_texts(names["tokenizer"], names["test"].texts, length=names["CONTEXT"])
    holes, wanted = names["mask_tokens"](
        ids, MASK, SPECIAL, names["VOCABULARY"], generator, share=masked_pretraining.SHARE
    )
    holes, wanted, segments = (part.to(device) for part in (holes, wanted, segments))
    at = wanted != -100
    logits = model.guess(model(holes, segments)[at])
    return (
        torch.nn.functional.cross_entropy(logits, wanted[at]).item(),
        (logits.argmax(-1) == wanted[at]).double().mean().item(),
        len(ids),
    )


def main(tried: int | None) -> None:
    """Pre-train, measure and save; with `tried` steps only, save nothing."""
    names = recipe()
    model = names["pretrained"]
    history = masked_pretraining.pretrain(model, names["texts"], tried or STEPS)
    loss, right, held_out = measure(model, names)
    text = CARD.format(
        parameters=sum(p.numel() for p in model.parameters()), **names["MODEL"], steps=len(history.losses),
        device=history.device, dtype=history.dtype, minutes=history.seconds / 60,
        last=sum(history.losses[-50:]) / len(history.losses[-50:]), loss=loss, right=right, held_out=held_out,
    )  # fmt: skip
    if not tried:
        folder = datasets_folder() / "artifacts" / "inbox-bert"
        artifacts.save(Artifact("inbox-bert", dict(model.state_dict()), names["MODEL"], "", text), folder)
    print(text, history, sep="\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=None, help="try so many steps and write nothing")
    main(parser.parse_args().steps)
