"""NF4, the sixteen levels of QLoRA (Dettmers et al. 2023): weights as codes of four bits, a scale for each block."""

import torch

BLOCK = 64  # neighbours along the rows that share a scale
OUTERMOST = 1 - (1 / 32 + 1 / 30) / 2  # half a step short of 1, whose quantile is infinite


def levels() -> torch.Tensor:
    """Return the sixteen levels in ascending order, (16,): quantiles of the normal distribution, and 0 itself.

    Eight lie above 0 and seven below; divided by the largest they reach from -1 to 1.
    """
    found = torch.cat([-_half(7), torch.zeros(1), _half(8).flip(0)])
    return (found / found.max()).float()


def _half(count: int) -> torch.Tensor:
    """Return so many quantiles above 0, the largest first."""
    return torch.special.ndtri(torch.linspace(OUTERMOST, 0.5, count + 1, dtype=torch.float64))[:-1]


def quantize(weight: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (codes (blocks, BLOCK) uint8, the places of the nearest levels; scales (blocks,)) of weight (out, in)."""
    blocks = weight.reshape(-1, BLOCK)
    scales = blocks.abs().amax(dim=1)
    scales = scales.masked_fill(scales == 0, 1.0)
    codes = ((blocks / scales[:, None])[..., None] - levels()).abs().argmin(dim=-1)
    return codes.to(torch.uint8), scales


def restored(codes: torch.Tensor, scales: torch.Tensor, shape: tuple[int, int]) -> torch.Tensor:
    """Return the weights (out, in) = shape that codes (blocks, BLOCK) and scales (blocks,) stand for."""
    return (levels()[codes.long()] * scales[:, None]).view(shape)
