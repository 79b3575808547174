"""What attention costs: tables and figures of it, and the other figures of chapter 04."""

import math

import pytest
import torch
from matplotlib import pyplot as plt

from helpers.chapters.attention.attention_cost import cache_table, cost_table, measure_costs
from helpers.chapters.attention.figures import (
    cache_sizes,
    cost_curves,
    exact_translations,
    head_bars,
    position_differences,
    position_table,
    scaling_effect,
    score_maps,
)
from helpers.chapters.attention.scaling import Effect, measure_scaling, table
from helpers.course.call_cost import Usage
from helpers.experiments.length_curve import LengthCurve

REFUSED = Usage(math.nan, math.nan, refused=True)
COSTS = {
    "plain": [Usage(0.5, 4.0), REFUSED],
    "tiled": [Usage(0.25, 1.0), Usage(1.0, 2.0)],
    "torch": [Usage(0.125, 0.5), Usage(0.5, 1.0)],
}


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def test_costs_are_those_of_each_way_at_each_length():
    ways = {"tiled": lambda q, k, v: q + k, "table": lambda q, k, v: q @ k.T}
    costs = measure_costs(ways, [10, 100], 1000, torch.Generator().manual_seed(0))
    assert [c.mb for c in costs["tiled"]] == pytest.approx([10 * 64 * 4e-6, 100 * 64 * 4e-6])
    assert [c.mb for c in costs["table"]] == pytest.approx([10 * 10 * 4e-6, 100 * 100 * 4e-6])


def test_the_table_of_costs_says_what_was_refused():
    first, short, long = cost_table([512, 1024], COSTS).split("\n")
    assert first.split() == ["tokens", "plain", "tiled", "torch"]
    assert short.split() == ["512", "0.500", "s", "4.0", "MB", "0.250", "s", "1.0", "MB", "0.125", "s", "0.5", "MB"]
    assert long.split()[:2] == ["1024", "refused"]


def test_the_curves_of_costs_tell_the_last_length_that_was_not_refused():
    fig, alt = cost_curves([512, 1024], COSTS, 600)
    assert "refused beyond 512 tokens; tiled reaches 1,024 tokens with 2 MB, torch with 1 MB" in alt
    assert [line.get_label() for line in fig.axes[0].lines] == ["plain", "tiled", "torch"]


def test_caches_are_told_in_bytes_and_drawn_by_their_first_word():
    caches = {"MHA, 2 heads": lambda n: 2**15 * n, "window of 4": lambda n: 2**15 * min(n, 4)}
    assert [line.split()[-3:-1] for line in cache_table(caches).split("\n")[1:]] == [
        ["32,768", "1.00"],
        ["32,768", "0.00"],
    ]
    fig, alt = cache_sizes(caches)
    assert [line.get_label() for line in fig.axes[0].lines] == ["MHA", "window"]
    assert "MHA rises from 0.0156 to 4" in alt


def test_positions_with_one_form_have_no_gap():
    places = torch.arange(60.0)
    same = (places - places[:, None]).cos()
    fig, alt = position_differences(same, same + places)
    assert "(largest gap 0.0000); with added sinusoids they differ by up to 15.0" in alt
    assert [line.get_xdata()[0] for line in fig.axes[0].lines] == [-20, -35]


def test_three_positions_are_drawn_beside_their_table():
    fig, alt = position_table(torch.eye(64, 8))
    assert "64 positions by 8 features" in alt
    assert [line.get_label() for line in fig.axes[1].lines] == ["position 8", "position 24", "position 48"]


def test_the_figures_of_scores_say_their_numbers():
    effects = {
        "not scaled": Effect([4.0, 512.4], [3.0, 0.194]),
        "1/sqrt(d)": Effect([1.0, 1.0], [3.6, 3.66]),
        "1/d": Effect([0.25, 0.002], [4.1, 4.158]),
    }
    _, alt = scaling_effect([4, 512], effects)
    assert "d from 4 to 512" in alt and "not scaled, 512 and 0.19; 1/sqrt(d), 1 and 3.66; 1/d, 0.002 and 4.16" in alt
    fig, alt = score_maps(torch.eye(2), -torch.eye(2), ["a", "b"])
    assert [ax.get_title() for ax in fig.axes[:2]] == ["$X X^T$", "$(X W_Q)(X W_K)^T$"]
    assert '"a" to "a", 1.00' in alt
    assert head_bars({"all heads": 0.9, "1 head left": 0.8})[1].endswith("all heads 0.900, 1 head left 0.800.")


def test_exact_translations_are_told_for_the_shortest_and_the_longest():
    edges = [6, 10, 14]
    curves = {"attention": LengthCurve(edges, [0.9, 0.8], [1, 1]), "one vector": LengthCurve(edges, [0.7, 0.1], [1, 1])}
    fig, alt = exact_translations(curves)
    assert alt.endswith("attention, 0.90 and 0.80; one vector, 0.70 and 0.10.")
    assert [line.get_xdata()[0] for line in fig.axes[0].lines] == [7.5, 7.5]


def test_scaled_scores_have_variance_one_and_those_not_scaled_that_of_their_size():
    def attention(q, k, v, scale):
        weights = torch.softmax(q @ k.T * scale, -1)
        return weights @ v, weights

    draw = torch.Generator().manual_seed(0)
    effects = measure_scaling(lambda q, k: q @ k.T, attention, [16, 256], draw)
    plain, root, whole = effects["not scaled"], effects["1/sqrt(d)"], effects["1/d"]
    assert root.variance == pytest.approx([1, 1], rel=0.1) and plain.variance == pytest.approx([16, 256], rel=0.1)
    even = math.log(64)
    assert plain.entropy[1] < 0.1 * even < 0.8 * even < root.entropy[1] < 0.95 * even < 0.99 * even < whole.entropy[1]
    assert plain.apart[1] > 0.9 > 0.7 > root.apart[1] > 0.3 > 0.1 > whole.apart[1] > 0
    rows = table(256, effects).splitlines()
    assert [row.split()[0] for row in rows[1:]] == ["not", "1/sqrt(d)", "1/d"] and rows[0].startswith("at d = 256 ")
