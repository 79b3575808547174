"""Translations of dates that are right: by the length of the source, and by the place in a series."""

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure

from helpers.experiments.length_curve import LengthCurve
from helpers.plots.style import COLORS, figure

Places = Mapping[int, Sequence[float]]  # for series of n dates: the share that is right at each place


def through_the_bottleneck(curves: Mapping[str, LengthCurve], places: Mapping[str, Places]) -> tuple[Figure, str]:
    """Draw both for sources that are read plain and reversed, in this order; returns (figure, alt text).

    curves: by the name of the way to read. places: {name: {n: shares (n,)}} for series of one, two and three dates.
    """
    fig, axes = figure(columns=2, width=10.5, height=3.8)
    for (name, curve), style in zip(curves.items(), ("o-", "^--"), strict=True):
        axes[0].plot(curve.middles, curve.shares, style, label=name)
    for (name, found), style, fill in zip(places.items(), ("-", "--"), ("full", "none"), strict=True):
        for (n, shares), marker in zip(found.items(), "so^", strict=True):
            shape = {"marker": marker, "fillstyle": fill, "color": COLORS[n - 1]}
            axes[1].plot(range(1, n + 1), shares, style, label=f"{n} date{'s' * (n > 1)}, {name}", **shape)
    axes[0].set(xlabel="length of the source, characters", ylabel="exact translations", ylim=(-0.03, 1.03))
    axes[1].set(xlabel="place in the series", ylabel="dates that are right", ylim=(-0.03, 1.03), xticks=[1, 2, 3])
    axes[0].legend()
    axes[1].legend(fontsize=8)
    return fig, _alt(curves, next(iter(places.values())))


def _alt(curves: Mapping[str, LengthCurve], plain: Places) -> str:
    ends = [f"{curve.shares[0]:.2f} to {curve.shares[-2]:.2f}" for curve in curves.values()]
    by_place = {n: [round(share, 2) for share in shares] for n, shares in plain.items()}
    return (
        "Left: the share of exact translations falls with the length of the source, for the plain source from "
        f"{ends[0]}, for the reversed one from {ends[1]}. Right: the share of right dates by their "
        f"place in series of one, two and three; plain: {by_place}."
    )
