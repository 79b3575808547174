"""Published models as configurations: what their authors' config.json says, under one set of names."""

from collections.abc import Callable, Mapping, Sequence


def _config(vocab_size: int, d_model: int, d_ff: int, num_heads: int, encoder: int, decoder: int, **other) -> dict:
    """Return a whole configuration: every key is there."""
    plain = {"kv_heads": num_heads, "d_head": d_model // max(num_heads, 1), "biases": True, "gated": False}
    plain |= {"norm_biases": other.get("biases", True), "experts": 1, "chosen_experts": 1, "shared_experts": 0}
    plain |= {"extras": 0, "tied": True, "rows": 0, "norms": 1, "pooler": False}
    sizes = {"vocab_size": vocab_size, "d_model": d_model, "d_ff": d_ff, "num_heads": num_heads}
    return sizes | {"encoder_blocks": encoder, "decoder_blocks": decoder} | plain | other


def _latent_attention(d_model: int, heads: int, query_rank: int, rank: int, d_head: int, rotated: int) -> int:
    """Return the parameters of DeepSeek's attention: latents of queries and of keys with values, and their norms."""
    query = d_model * query_rank + query_rank + query_rank * heads * (d_head + rotated)
    keys_values = d_model * (rank + rotated) + rank + rank * heads * 2 * d_head
    return query + keys_values + heads * d_head * d_model


def _delta_rule(d_model: int, key_heads: int, value_heads: int, d_head: int, width: int) -> int:
    """Return the parameters of a gated delta rule: queries, keys, values and a gate, two gates for each head of values,
    a convolution over `width` tokens, a rate and an offset for each head, a norm of a head, and the output.
    """
    queries_keys, values = 2 * key_heads * d_head, value_heads * d_head
    matrices = d_model * (queries_keys + 2 * values) + d_model * 2 * value_heads + values * d_model
    return matrices + width * (queries_keys + values) + 2 * value_heads + d_head


T5 = {"biases": False, "norms": 2, "rows": 1}  # two stacks' relative biases: as many numbers as one row
LLAMA = {"biases": False, "gated": True, "tied": False}
GPT_OSS = LLAMA | {"biases": True, "norm_biases": False, "experts": 32, "chosen_experts": 4, "extras": 64 + 32}
# A model with blocks of two kinds is a list: the blocks of the first kind with all that is outside, the other blocks.
INSIDE = {"biases": False, "gated": True, "norms": 0}
DEEPSEEK = {"kv_heads": 0, "d_head": 0, "extras": _latent_attention(7168, 128, 1536, 512, 128, 64)}
DEEPSEEK_EXPERTS = {"experts": 256, "chosen_experts": 8, "shared_experts": 1, "extras": DEEPSEEK["extras"] + 256}
NEXT = {"experts": 512, "chosen_experts": 10, "shared_experts": 1}  # with a gate on the shared expert, d_model numbers
GATED_HEADS = 2048 * 16 * 256 + 2 * 256 + 2048  # a gate on each output, norms of queries and keys
MODELS: dict[str, dict | list[dict]] = {
    "GPT-1 (2018)": _config(40478, 768, 3072, 12, 0, 12, rows=512, norms=0),
    "RoBERTa-base (2019)": _config(50265, 768, 3072, 12, 12, 0, rows=514 + 1, pooler=True),
    "DistilBERT (2019)": _config(30522, 768, 3072, 12, 6, 0, rows=512),
    "BART-base (2019)": _config(50265, 768, 3072, 12, 6, 6, rows=2 * 1026, norms=2),
    "T5-base (2019)": _config(32128, 768, 3072, 12, 12, 12, **T5),
    "FLAN-T5-base (2022)": _config(32128, 768, 2048, 12, 12, 12, **T5, gated=True, tied=False),
    "Qwen3 0.6B (2025)": _config(151936, 1024, 3072, 16, 0, 28, **INSIDE | {"norms": 1}, kv_heads=8, d_head=128,
                                 extras=2 * 128),
    "Gemma 2B (2024)": _config(256000, 2048, 16384, 8, 0, 18, **(LLAMA | {"tied": True}), kv_heads=1, d_head=256),
    "Llama 2 7B (2023)": _config(32000, 4096, 11008, 32, 0, 32, **LLAMA),
    "Llama 3 8B (2024)": _config(128256, 4096, 14336, 32, 0, 32, **LLAMA, kv_heads=8),
    "gpt-oss 20B (2025)": _config(201088, 2880, 2880, 64, 0, 24, **GPT_OSS, kv_heads=8, d_head=64),
    "Mixtral 8x7B (2024)": _config(32000, 4096, 14336, 32, 0, 32, **LLAMA, kv_heads=8, experts=8, chosen_experts=2),
    "Llama 2 70B (2023)": _config(32000, 8192, 28672, 64, 0, 80, **LLAMA, kv_heads=8),
    "Qwen3-Next 80B (2025)": [
        _config(151936, 2048, 512, 16, 0, 12, **LLAMA | NEXT, kv_heads=2, d_head=256, extras=GATED_HEADS),
        _config(0, 2048, 512, 0, 0, 36, **INSIDE | NEXT, extras=_delta_rule(2048, 16, 32, 128, 4) + 2048),
    ],
    "DeepSeek-V3 (2024)": [
        _config(129280, 7168, 18432, 0, 0, 3, **LLAMA | DEEPSEEK),
        _config(0, 7168, 2048, 0, 0, 58, **INSIDE | DEEPSEEK | DEEPSEEK_EXPERTS),
    ],
}  # fmt: skip


def counted(model_parameters: Callable[..., int], model: Mapping | Sequence[Mapping]) -> tuple[int, int]:
    """Return a model's parameters in all and at work, by the student's count of each of its kinds of blocks."""
    kinds = [model] if isinstance(model, Mapping) else model
    total = sum(int(model_parameters(kind)) for kind in kinds)
    return total, sum(int(model_parameters(kind, active=True)) for kind in kinds)


def table(model_parameters: Callable[..., int]) -> str:
    """Return a line for each model: parameters in all and at work, GB in 16 bits and in 4, by the student's count."""
    lines = [f"{'model':<22}{'parameters':>16}{'at work':>16}{'16 bits':>13}{'4 bits':>12}"]
    for name, model in MODELS.items():
        total, active = counted(model_parameters, model)
        lines.append(f"{name:<22}{total:>16,}{active:>16,}{2 * total / 1e9:>10.2f} GB{total / 2 / 1e9:>9.2f} GB")
    return "\n".join(lines)
