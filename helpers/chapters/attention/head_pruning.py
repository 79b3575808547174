"""What the heads of a layer of attention are worth: take some away and measure again (Michel, Levy, Neubig 2019)."""

from collections.abc import Callable, Sequence

import torch


@torch.no_grad()
def without_heads(W_o: torch.Tensor, num_heads: int, heads: Sequence[int], measure: Callable[[], float]) -> float:
    """Return what is measured while the rows of these heads in W_o (C, C) are 0; W_o is put back as it was."""
    kept, width = W_o.clone(), len(W_o) // num_heads
    for head in heads:
        W_o[head * width : (head + 1) * width] = 0
    found = measure()
    W_o.copy_(kept)
    return found


def prune_heads(W_o: torch.Tensor, num_heads: int, measure: Callable[[], float]) -> dict[str, float]:
    """Return a measure, the larger the better, with all heads, without each, and as one after another goes.

    W_o: (C, C), the rows of head h being h * C / num_heads and so on. The head that is missed least goes first.
    """
    remaining, pruned = list(range(num_heads)), []
    table = {"all heads": without_heads(W_o, num_heads, [], measure)}
    table |= {f"without head {h + 1}": without_heads(W_o, num_heads, [h], measure) for h in remaining}
    while remaining:
        scores = {h: without_heads(W_o, num_heads, [*pruned, h], measure) for h in remaining}
        least_missed = max(remaining, key=scores.get)
        pruned.append(least_missed)
        remaining.remove(least_missed)
        heads = "head" if len(remaining) == 1 else "heads"
        table[f"{len(remaining)} {heads} left"] = scores[least_missed]
    return table
