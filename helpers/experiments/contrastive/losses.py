"""What a training run says of its losses."""

from helpers.training import History


def first_and_last(history: History) -> str:
    """Return where the loss began and ended, as in "loss 4.16 at first, 2.31 after 80 steps"."""
    losses = history.losses
    return f"loss {losses[0]:.2f} at first, {losses[-1]:.2f} after {len(losses)} steps"
