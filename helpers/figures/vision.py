"""What a vision transformer says of pictures, whole and in pieces."""

import torch
from matplotlib.figure import Figure

from helpers.plots.style import plt, styled

COUNT = 6  # pictures


@styled
def in_pieces(views, whole: torch.Tensor, pieces: torch.Tensor) -> tuple[Figure, str]:
    """Draw pictures (n, 8, 8), whole and with shuffled patches, with what each model calls them: (figure, alt).

    views: a digit_views.Views of two models, whose order is that of the lines below each picture.
    """
    fig, axes = plt.subplots(2, COUNT, figsize=(8.4, 3.9))
    same = {name: 0 for name in views.models}
    said = {
        (name, complete): views.logits(name, complete).argmax(dim=1).tolist()
        for name in views.models for complete in (True, False)
    }  # fmt: skip
    for k, complete in enumerate((True, False)):
        for i, ax in enumerate(axes[k]):
            ax.imshow((whole if complete else pieces)[i], cmap="gray_r")
            ax.set(xticks=[], yticks=[])
            ax.grid(False)
            ax.set_xlabel("\n".join(f"{name.split()[0]}: {said[name, complete][i]}" for name in views.models))
    axes[0, 0].set_ylabel("whole")
    axes[1, 0].set_ylabel("shuffled")
    for name in same:
        same[name] = sum(said[name, True][i] == said[name, False][i] for i in range(COUNT))
    told = ", ".join(f"the model {name} gives {count} of {COUNT} the same name" for name, count in same.items())
    return fig, f"{COUNT} digits, and below them the same with their patches in random order: {told} both times."
