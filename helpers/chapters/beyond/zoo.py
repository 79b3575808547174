"""Published models as configurations: what their authors' config.json says, under one set of names."""

from collections.abc import Callable


def _config(vocab_size: int, d_model: int, d_ff: int, num_heads: int, encoder: int, decoder: int, **other) -> dict:
    """Return a whole configuration: every key is there."""
    plain = {"kv_heads": num_heads, "d_head": d_model // num_heads, "biases": True, "gated": False, "experts": 1}
    plain |= {"chosen_experts": 1, "tied": True, "rows": 0, "norms": 1, "pooler": False}
    sizes = {"vocab_size": vocab_size, "d_model": d_model, "d_ff": d_ff, "num_heads": num_heads}
    return sizes | {"encoder_blocks": encoder, "decoder_blocks": decoder} | plain | other


T5 = {"biases": False, "norms": 2, "rows": 1}  # two stacks' relative biases: as many numbers as one row
LLAMA = {"biases": False, "gated": True, "tied": False}
MODELS = {
    "GPT-1 (2018)": _config(40478, 768, 3072, 12, 0, 12, rows=512, norms=0),
    "RoBERTa-base (2019)": _config(50265, 768, 3072, 12, 12, 0, rows=514 + 1, pooler=True),
    "DistilBERT (2019)": _config(30522, 768, 3072, 12, 6, 0, rows=512),
    "BART-base (2019)": _config(50265, 768, 3072, 12, 6, 6, rows=2 * 1026, norms=2),
    "T5-base (2019)": _config(32128, 768, 3072, 12, 12, 12, **T5),
    "FLAN-T5-base (2022)": _config(32128, 768, 2048, 12, 12, 12, **T5, gated=True, tied=False),
    "Gemma 2B (2024)": _config(256000, 2048, 16384, 8, 0, 18, **(LLAMA | {"tied": True}), kv_heads=1, d_head=256),
    "Llama 2 7B (2023)": _config(32000, 4096, 11008, 32, 0, 32, **LLAMA),
    "Llama 3 8B (2024)": _config(128256, 4096, 14336, 32, 0, 32, **LLAMA, kv_heads=8),
    "Mixtral 8x7B (2024)": _config(32000, 4096, 14336, 32, 0, 32, **LLAMA, kv_heads=8, experts=8, chosen_experts=2),
    "Llama 2 70B (2023)": _config(32000, 8192, 28672, 64, 0, 80, **LLAMA, kv_heads=8),
}


def table(model_parameters: Callable[..., int]) -> str:
    """Return a line for each model: parameters in all and at work, GB in 16 bits and in 4, by the student's count."""
    lines = [f"{'model':<22}{'parameters':>16}{'at work':>16}{'16 bits':>11}{'4 bits':>11}"]
    for name, config in MODELS.items():
        total, active = int(model_parameters(config)), int(model_parameters(config, active=True))
        lines.append(f"{name:<22}{total:>16,}{active:>16,}{2 * total / 1e9:>8.2f} GB{total / 2 / 1e9:>8.2f} GB")
    return "\n".join(lines)
