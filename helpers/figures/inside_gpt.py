"""The inside of a tiny model: its tokens as points in the plane, and where its heads look."""

from collections.abc import Sequence

from matplotlib.figure import Figure

from helpers.plots.maps import projection
from helpers.plots.matrices import attention


def token_points(table, types: Sequence[str], title: str) -> tuple[Figure, str]:
    """Draw a vector (2,) for each kind of token, table (V, 2); returns (figure, alt text)."""
    quoted = [token if token.isalpha() else f"“{token}”" for token in types]
    fig, alt = projection(table, quoted, label=f"{title}, number")
    return fig, f"Femto: {title}, one point in the plane for each kind of token. {alt}"


def head_maps(maps, tokens: Sequence[str], layer: int, layers: int) -> tuple[Figure, str]:
    """Draw the attention weights (H, T, T) of all heads of a layer, counted from 1; returns (figure, alt text)."""
    fig, alt = attention(maps, list(tokens), label=f"attention in layer {layer}")
    told = f"Pico: where each head looks, a row for each token that looks; layer {layer} of {layers}."
    return fig, f"{told} {alt}"
