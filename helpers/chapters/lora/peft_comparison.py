"""A LoRA written by hand beside the library peft: the same weights, then outputs and gradients compared."""

from collections.abc import Callable, Sequence

import torch
from torch import nn

from helpers.device import SEED, seed_everything

VOCABULARY = 8000  # ids that the compared rows are drawn from


def with_peft(model: nn.Module, matrix: str, r: int) -> nn.Module:
    """Return a model with peft's LoRA of rank r and alpha 2r on each layer of this name."""
    import peft

    return peft.get_peft_model(model, peft.LoraConfig(r=r, lora_alpha=2 * r, target_modules=[matrix]))


def twins(theirs: nn.Module) -> dict[str, str]:
    """Return {name of a LoRA weight in peft's model: its name in one whose LoRA layers have `A` and `B`}."""
    names = [name for name, _ in theirs.named_parameters() if "lora_" in name]
    short = [name.removeprefix("base_model.model.").replace(".default.weight", "") for name in names]
    return {name: place.replace("lora_", "") for name, place in zip(names, short, strict=True)}


def differences(opened: Callable, put_lora: Callable, matrix: str, r: int) -> tuple[float, float]:
    """Return the largest difference of logits, and of gradients of A and B, between a LoRA and peft's.

    opened() returns a fresh model; put_lora(model, r, alpha, targets=names) one with the LoRA to be compared.
    """
    seed_everything(SEED)
    ours, theirs = put_lora(opened(), r, 2 * r, targets=(matrix,)), with_peft(opened(), matrix, r)
    mine, others, pairs = dict(ours.named_parameters()), dict(theirs.named_parameters()), twins(theirs)
    with torch.no_grad():
        for name, p in mine.items():
            if name.endswith(".B"):
                p.normal_(std=0.1)
        for name, place in pairs.items():
            others[name].copy_(mine[place])
    token_ids = torch.randint(VOCABULARY, (2, 24))
    logits = [model(token_ids) for model in (ours, theirs)]
    for found in logits:
        found.square().mean().backward()
    apart = [(others[name].grad - mine[place].grad).abs().max().item() for name, place in pairs.items()]
    return (logits[0] - logits[1]).abs().max().item(), max(apart)


def print_table(opened: Callable, put_lora: Callable, matrices: Sequence[str], ranks: Sequence[int]) -> None:
    """Print the differences for each matrix and rank."""
    print(f"{'matrix':<10}{'rank':>6}{'logits differ by':>20}{'gradients differ by':>22}")
    for matrix in matrices:
        for r in ranks:
            outputs, gradients = differences(opened, put_lora, matrix, r)
            print(f"{matrix:<10}{r:>6}{outputs:>20.1e}{gradients:>22.1e}")
