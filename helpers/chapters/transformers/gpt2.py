"""GPT-2's weights in the student's GPT: other names for them, and the logits beside those of transformers."""

from collections.abc import Callable, Mapping

import torch
from torch import nn

from helpers import pretrained
from helpers.device import SEED

NAME = "openai-community/gpt2"  # GPT-2 small on the hub, 548 MB
TURNED = ("c_attn.weight", "c_proj.weight", "c_fc.weight")  # stored as (in, out), where nn.Linear has (out, in)
SMALL = {"vocab_size": 60, "n_positions": 16, "n_embd": 24, "n_layer": 2, "n_head": 4}
ENDS = {"bos_token_id": 0, "eos_token_id": 0}  # those of GPT-2 are no ids of so small a vocabulary


def untrained() -> nn.Module:
    """Return a tiny GPT-2 of transformers with random weights, biases and norms among them."""
    from transformers import GPT2Config, GPT2LMHeadModel

    model = GPT2LMHeadModel(GPT2Config(**SMALL, **ENDS)).eval()
    generator = torch.Generator().manual_seed(SEED)
    for p in model.parameters():
        p.data += 0.1 * torch.randn(p.shape, generator=generator)
    return model


def renamed(weights: Mapping[str, torch.Tensor], names: Mapping[str, str]) -> dict[str, torch.Tensor]:
    """Return the weights of a GPT-2 under other names; `names` says which part of a name becomes which, in order."""
    found = {}
    for name, weight in weights.items():
        if name == "lm_head.weight" or name.endswith((".attn.bias", ".attn.masked_bias")):
            continue  # the output is tied to the token embedding; old files hold masks
        ours = name.removeprefix("transformer.")
        for part, other in names.items():
            ours = ours.replace(part, other)
        found[ours] = weight.T.contiguous() if name.endswith(TURNED) else weight
    return found


def in_kind(kind: Callable[..., nn.Module], model: nn.Module, names: Mapping[str, str]) -> nn.Module:
    """Return a GPT of this kind with the weights of a GPT-2; raises RuntimeError where a name does not fit."""
    c = model.config
    gpt = kind(c.vocab_size, c.n_positions, c.n_embd, c.n_layer, c.n_head)
    gpt.load_state_dict(renamed(model.state_dict(), names))
    return gpt.eval()


@torch.no_grad()
def apart(gpt: nn.Module, model: nn.Module, ids: torch.Tensor) -> tuple[float, float]:
    """Return the largest difference of the logits of ids (B, T), with GELU by erf in both, and with GPT-2's by tanh."""
    by_tanh = model(ids).logits
    for block in model.transformer.h:
        block.mlp.act = nn.GELU()
    ours, by_erf = gpt(ids), model(ids).logits
    return (ours - by_erf).abs().max().item(), (ours - by_tanh).abs().max().item()


def told(kind: Callable[..., nn.Module], names: Mapping[str, str], generate: Callable, download: bool) -> str:
    """Return how far the logits of a GPT of this kind are from GPT-2's; and what GPT-2 writes, where it is loaded.

    download: fetch GPT-2 small, or take it from the cache; without it a tiny GPT-2 with random weights serves.
    """
    loaded = pretrained.load(NAME, task="generate") if download else None
    model = loaded.model if loaded else untrained()
    gpt = in_kind(kind, model, names)
    if loaded:
        ids = loaded.tokenizer("The quick brown fox jumps over", return_tensors="pt")["input_ids"]
    else:
        ids = torch.arange(12)[None] * 7 % SMALL["vocab_size"]
    exact, tanh = apart(gpt, model, ids)
    lines = [
        f"{sum(p.numel() for p in gpt.parameters()):,} weights {'of GPT-2 small' if loaded else 'drawn at random'}",
        f"largest difference of the logits {exact:.1e}; with GELU by tanh, as GPT-2 has it, {tanh:.1e}",
    ]
    if loaded:
        prompt = loaded.tokenizer("My name is Ada, and I")["input_ids"]
        lines.append(loaded.tokenizer.decode(generate(gpt, prompt, lambda logits, ids: logits.argmax(), 40)))
    return "\n".join(lines)
