"""A machine's limits, measured, and what models of given sizes ask of memory."""

from collections.abc import Callable, Sequence

import torch

from helpers.course.call_cost import least_seconds

SIZES = {  # billions of parameters
    "docs-gpt": 0.0034, "MiniLM-L6": 0.0227, "BERT-large": 0.335, "GPT-2": 1.56, "Llama 3 8B": 8.03,
    "Llama 3 70B": 70.6, "GPT-3": 175.0,
}  # fmt: skip
PEAK, BANDWIDTH = 1e12, 50e9  # of the laptop in the text


def measured(rows: Sequence[int], width: int) -> tuple[dict[int, float], tuple[float, float]]:
    """Return ({rows: seconds of a product with a (width, width) matrix}, (operations a second, bytes a second))."""
    weight = torch.randn(width, width)
    points = {n: least_seconds(torch.matmul, torch.randn(n, width), weight) for n in rows}
    peak = max(2 * n * width * width / seconds for n, seconds in points.items())
    source, target = torch.ones(2, 16_000_000)  # written before, so that no copy pays for new pages of memory
    return points, (peak, 2 * 4 * len(source) / least_seconds(target.copy_, source))


def sizes_table(pass_seconds: Callable) -> str:
    """Return a table of models: weights, gigabytes in 16 and 4 bits and while training, tokens a second in both."""
    lines = [
        f"{'':<14}{'weights':>10}{'GB: 16 bits':>13}{'4 bits':>9}{'training':>10}{'tokens/s: 16 bits':>19}{'4 bits':>9}"
    ]
    for name, billions in SIZES.items():
        speeds = [1 / pass_seconds(1e9 * billions, 1, bits, PEAK, BANDWIDTH) for bits in (16, 4)]
        weights = f"{billions:g} B" if billions >= 1 else f"{1000 * billions:g} M"
        sizes = [_short(value) for value in (2 * billions, billions / 2, 16 * billions, *speeds)]
        lines.append(f"{name:<14}{weights:>10}{sizes[0]:>13}{sizes[1]:>9}{sizes[2]:>10}{sizes[3]:>19}{sizes[4]:>9}")
    return "\n".join(lines)


def _short(value: float) -> str:
    if value >= 100:
        return f"{value:,.0f}"
    if value >= 1:
        return f"{value:.1f}"
    return f"{value:.2g}"
