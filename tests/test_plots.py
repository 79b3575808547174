"""Figures: what they draw, what their alt text says, labels that do not overlap, no warnings."""

import base64
import io
import re
from itertools import combinations, pairwise
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb
from matplotlib.text import Text

from autograder import paths
from helpers import palette, plots
from helpers.errors import CourseError
from helpers.plots.curves import smooth
from helpers.plots.style import GREY, MARKERS, ink, luminance
from helpers.plots.text import number, readable, short

pytestmark = pytest.mark.filterwarnings("error")  # a missing glyph and a failed layout are warnings
ODD = ["Ġthe", "▁a", "नमस्ते", "漢字", "🙂", "$x$", "a$", "\n", "\t", " ", " the", "\x00", "a\u200db", "x_{", ""]


@pytest.fixture(autouse=True)
def close():
    yield
    plt.close("all")


def drawn(pair):
    """Draw to the end, as `show` does; returns (axes, alt)."""
    fig, alt = pair
    fig.savefig(io.BytesIO(), dpi=plots.style.DPI)
    assert alt.endswith(".")
    return fig.axes, alt


def words(texts):
    return [t.get_text() for t in texts]


def contrast(one, other):
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


# Style


def test_the_first_two_colours_stand_out_from_white_and_grey_words_can_be_read():
    assert all(contrast(color, "white") > 3 for color in plots.COLORS[:3])  # for graphics, WCAG 2.1
    assert contrast(GREY, "white") > 4.5  # for words


def test_the_style_sheet_of_the_site_has_the_colours_of_the_palette():
    css = (paths.ROOT / "autograder/site/templates/_static/site.css").read_text(encoding="utf-8")
    assert set(re.findall(r"4px solid (#\w{6})", css)) == {palette.ORANGE, palette.GREEN}


def test_any_cell_of_a_matrix_can_be_read():
    shades = [*plt.get_cmap("Blues")(np.linspace(0, 1, 256)), *plt.get_cmap("RdBu")(np.linspace(0, 1, 256))]
    assert min(contrast(ink(shade[:3]), shade[:3]) for shade in shades) >= 4.5


MACHADO = {  # Machado, Oliveira and Fernandes (2009): severity 1.0, in linear RGB
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
}


@pytest.mark.parametrize("kind", MACHADO)
def test_colours_stay_apart_for_the_colour_blind(kind):
    def seen(color):
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(color)]
        linear = np.clip(MACHADO[kind] @ np.array(linear), 0, 1)
        to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
        f = np.cbrt(to_xyz @ linear / [0.9505, 1, 1.089])
        return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])  # CIELAB

    apart = {(a, b): np.linalg.norm(seen(a) - seen(b)) for a, b in combinations(plots.COLORS, 2)}
    assert min(apart.values()) > 10, min(apart, key=apart.get)
    assert apart[plots.COLORS[0], plots.COLORS[1]] > 50


def test_show_gives_the_picture_its_alt_text_and_closes_it(monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda bundle, raw: shown.append(bundle))
    fig, _ = plots.figure(width=5)
    plots.show(fig, 'a "b" < c')
    assert 'alt="a &quot;b&quot; &lt; c"' in shown[0]["text/html"]
    assert 'width="480"' in shown[0]["text/html"]
    picture = base64.b64decode(re.search(r"base64,([^\"]+)", shown[0]["text/html"])[1])
    assert plt.imread(io.BytesIO(picture)).shape == (518, 720, 4)
    assert not plt.fignum_exists(fig.number)


def test_the_same_input_gives_the_same_picture():
    def picture():
        fig, _ = plots.projection([[0, 0], [0.01, 0], [1, 1]], ["a", "b", "c"])
        file = io.BytesIO()
        fig.savefig(file, metadata={"Software": None})
        return file.getvalue()

    assert picture() == picture()


def test_the_style_stays_inside():
    before = dict(plt.rcParams)
    plots.learning_curves([2.0, 1.0])
    assert dict(plt.rcParams) == before


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Ġthe", "Ġthe"),
        (" a ", "␣a␣"),
        ("  ", "␣␣"),
        ("\n", r"\n"),
        ("\x00\x01", "U+0000…"),
        ("$x$", r"\$x\$"),
        ("a" * 30, "a" * 23 + "…"),
    ],
)
def test_a_label_can_be_drawn_and_read(text, label):
    assert readable(text) == label


def test_numbers_as_they_are_said():
    values = [0, 1.5, 4.6123, 0.012345, 400, 12345.6, 1e9, 3, float("nan")]
    assert [number(v) for v in values] == ["0", "1.50", "4.61", "0.0123", "400", "12,346", "1.00e+09", "3", "nan"]
    assert [short(v) for v in (0, 950, 999.9, 12_500, 110e6, 175e9)] == ["0", "950", "1k", "12.5k", "110M", "175B"]


# Curves


def test_learning_curves_say_what_is_seen():
    losses = np.r_[4.61, np.linspace(4, 1.5, 379), np.full(20, 1.32)]
    evaluations, norms = [(100, 2.0), (300, 1.5), (400, 1.75)], np.r_[2.0, 8.0, np.ones(398)]
    axes, alt = drawn(plots.learning_curves(losses, evaluations, norms, np.linspace(0.5, 0, 400)))
    assert alt == (
        "Loss falls from 4.61 to 1.32 over 400 steps; validation is lowest, 1.50, at step 300, and ends at 1.75; "
        "the gradient norm is largest, 8, at step 2 and ends at 1; the learning rate is largest, 0.500, at step 1 and "
        "ends at 0."
    )
    assert [ax.get_ylabel() for ax in axes] == ["loss", "gradient\nnorm", "learning\nrate"]
    assert [ax.get_xlabel() for ax in axes] == ["", "", "step"]
    assert words(axes[0].get_legend().get_texts()) == ["training", "validation", "lowest: 1.50, at step 300"]
    best = axes[0].lines[-1].get_data()
    assert (*best[0], *best[1]) == (300, 1.5)


def test_a_history_and_runs_to_compare():
    history = SimpleNamespace(losses=[3.0, 2.0], evaluations=[(2, 2.5)], norms=[1.0, 1.0], lrs=[])
    axes, alt = drawn(plots.learning_curves(history))
    assert len(axes) == 2
    assert "lowest, 2.50, at step 2" in alt
    axes, alt = drawn(plots.learning_curves({"a": history, "b": torch.ones(3, requires_grad=True)}))
    assert alt == "a falls from 3 to 2 over 2 steps; b begins and ends at 1 over 3 steps."
    assert words(axes[0].get_legend().get_texts()) == ["a", "b"]
    assert axes[0].lines[0].get_linestyle() != axes[0].lines[1].get_linestyle()  # not by colour alone


@pytest.mark.parametrize("log", [False, True])
def test_learning_curves_of_one_step_of_thousands_and_with_gaps(log):
    assert drawn(plots.learning_curves([4.6], log=log))[1] == "Loss is 4.60 at the only step."
    assert "over 30,000 steps" in drawn(plots.learning_curves(1 + np.random.default_rng(0).random(30_000), log=log))[1]
    gap = [3.0, np.nan, 2.0, np.inf]
    axes, alt = drawn(plots.learning_curves(gap, [(1, np.nan)], [np.nan] * 4, log=log))
    assert alt.startswith("Loss falls from 3 to 2 over 4 steps, 2 of them not finite, the first at step 2;")
    assert "validation is never finite; the gradient norm is never finite" in alt
    assert "not finite from step 2" in words(axes[0].get_legend().get_texts())


def test_a_loss_that_is_never_finite_is_told():
    axes, alt = drawn(plots.learning_curves([np.nan, np.nan], [(1, 2.0)]))
    assert alt.startswith("Loss is never finite over 2 steps")
    assert "training: never finite" in words(axes[0].get_legend().get_texts())


def test_the_running_mean_leaves_out_what_is_not_finite():
    assert np.allclose(smooth(np.array([1.0, np.nan, 3.0, 5.0]), 3), [1, np.nan, 4, 4], equal_nan=True)
    assert np.array_equal(smooth(np.array([1.0, 2.0]), 1), [1, 2])


def test_lines_have_their_own_shapes_and_say_their_ends():
    x = [10, 100, 1000]
    curves = {"RNN": [0.9, 0.5, 0.1], "flat": [0.5, np.nan, 0.5]}
    axes, alt = drawn(plots.lines(x, curves, "length", "F1", log="x"))
    assert alt == "F1 for length from 10 to 1,000: RNN falls from 0.900 to 0.100; flat begins and ends at 0.500."
    assert (axes[0].get_xscale(), axes[0].get_yscale()) == ("log", "linear")
    assert "1000" in words(axes[0].get_xticklabels())
    assert len({(line.get_linestyle(), line.get_marker()) for line in axes[0].lines}) == 2
    assert drawn(plots.lines(x, x, "x", "y"))[0][0].get_legend() is None


# Matrices


def test_bars_put_the_first_name_on_top_and_a_matrix_labels_every_cell():
    _, axes = plots.figure(columns=2)
    plots.bars(axes[0], ["first", "second"], [2.0, 1.0], label="weight")
    assert words(axes[0].get_yticklabels()) == ["first", "second"]
    assert axes[0].yaxis_inverted()
    plots.matrix(axes[1], np.array([[1, 20], [300, 4]]), ["a", "b"], ["c", "d"])
    assert words(axes[1].texts) == ["1", "20", "300", "4"]
    assert [t.get_color() for t in axes[1].texts] == ["black", "black", "white", "black"]


def test_confusion_names_the_largest_one():
    axes, alt = drawn(plots.confusion([[96, 4], [20, 30]], ["ham", "spam"]))
    assert alt == (
        "Confusion matrix of 2 classes: 126 of 150 examples right (84.0%); the largest confusion: 20 of 50 spam "
        "predicted as ham."
    )
    assert (axes[0].get_xlabel(), axes[0].get_ylabel()) == ("predicted", "true")
    assert words(axes[0].texts) == ["96\n96%", "4\n4%", "20\n40%", "30\n60%"]


@pytest.mark.parametrize("k", [2, 5, 9, 20])
def test_confusion_labels_fit_for_few_and_for_many(k):
    axes, alt = drawn(plots.confusion(np.eye(k) * 1234, [f"class {i}" for i in range(k)]))
    assert alt.endswith("nothing is confused.")
    assert len(axes[0].get_xticklabels()) == k
    assert overlaps(axes[0].get_xticklabels()) == overlaps(axes[0].get_yticklabels()) == overlaps(axes[0].texts) == []


def test_attention_names_the_strongest_pair_that_had_a_choice():
    weights = [[1.0, 0, 0], [0.3, 0.7, 0], [0.1, 0.6, 0.3]]
    axes, alt = drawn(plots.attention(torch.tensor(weights, dtype=torch.bfloat16), ["the", "cat", "sat"]))
    assert alt == (
        'One map of attention weight, 3 by 3 (queries by keys); strongest: "cat" to "cat", 0.70; 33% of the cells are '
        "masked."
    )
    assert words(axes[0].texts) == ["1.00", "0.30", "0.70", "0.10", "0.60", "0.30"]  # none in a masked cell
    assert axes[0].patch.get_hatch()


def test_heads_share_one_scale_and_a_masked_head_is_told():
    weights = np.random.default_rng(0).dirichlet(np.ones(4), size=(5, 3))
    weights[2] = np.nan
    axes, alt = drawn(plots.attention(weights, ["a", "b", "c"], ["w", "x", "y", "z"]))
    panels = [ax for ax in axes if ax.images and ax.get_visible() and ax.get_title()]
    assert [ax.get_title() for ax in panels] == [f"head {h}" for h in range(1, 6)]
    assert {ax.images[0].get_clim() for ax in panels} == {(0.0, float(np.nanmax(weights)))}
    assert len(panels[0].images[0].get_array().compressed()) == 12
    assert "in head 3" not in alt and "20% of the cells are masked" in alt
    best = np.unravel_index(weights[4].argmax(), (3, 4))
    assert f'in head 5 "{"abc"[best[0]]}" to "{"wxyz"[best[1]]}", {weights[4].max():.2f}' in alt


def test_scores_below_zero_have_two_sides():
    axes, alt = drawn(plots.attention([[1.0, -3.0], [0.0, -np.inf]], ["a", "b"], label="score"))
    assert axes[0].images[0].get_clim() == (-3.0, 3.0)
    assert '"a" to "a", 1.00; 25%' in alt
    assert drawn(plots.attention([[0.0]], ["a"]))[1].endswith("every cell is masked.")


@pytest.mark.parametrize("shape", [(1, 1), (30, 30), (12, 13, 13), (4, 30, 30), (2, 5, 60), (3, 4, 4)])
def test_token_labels_do_not_overlap(shape):
    weights = np.random.default_rng(0).dirichlet(np.ones(shape[-1]), size=shape[:-1])
    tokens = [f"Ġtoken{i}" for i in range(max(shape))]
    fig, _ = plots.attention(weights, tokens[: shape[-2]], tokens[: shape[-1]])
    fig.draw_without_rendering()
    for ax in fig.axes[:-1]:
        assert overlaps(ax.get_xticklabels()) == overlaps(ax.get_yticklabels()) == []


# Maps


def shared(p, q):
    """The smaller side, in pixels, of what two boxes have in common; not above 0 if they are apart."""
    return min(min(p.x1, q.x1) - max(p.x0, q.x0), min(p.y1, q.y1) - max(p.y0, q.y0))


def overlaps(texts):
    """Pairs of drawn texts whose boxes overlap, at the size in which the figure is saved."""
    boxes = [(t.get_text(), t.get_window_extent()) for t in texts if t.get_visible() and t.get_text()]
    return [(a, b) for (a, p), (b, q) in combinations(boxes, 2) if shared(p, q) > 0.5]  # a pixel's edge may touch


def spread(kind, n=80):
    rng = np.random.default_rng(len(kind))
    clusters = np.repeat(rng.normal(size=(4, 2)) * 3, n // 4, axis=0)
    return {"random": rng.normal(size=(n, 2)), "clusters": clusters + 0.2 * rng.normal(size=(n, 2)),
            "one place": np.zeros((n, 2)), "a line": np.c_[np.arange(n), np.zeros(n)],
            "outliers": rng.standard_cauchy(size=(n, 2))}[kind]  # fmt: skip


@pytest.mark.parametrize("kind", ["random", "clusters", "one place", "a line", "outliers"])
def test_no_two_labels_overlap(kind):
    fig, alt = plots.projection(spread(kind), [f"word{i * 37}" for i in range(80)], ["ab"[i % 2] for i in range(80)])
    assert fig.dpi == plots.style.DPI
    fig.savefig(io.BytesIO(), dpi=plots.style.DPI)
    ax = fig.axes[0]
    assert overlaps(ax.texts) == []
    assert f"{len(ax.texts)} of 80 labels drawn" in alt
    assert len(ax.texts) >= {"random": 60, "clusters": 25, "a line": 15}.get(kind, 4)
    frame = ax.bbox
    boxes = [t.get_window_extent() for t in ax.texts]
    assert all(frame.x0 <= b.x0 and b.x1 <= frame.x1 and frame.y0 <= b.y0 and b.y1 <= frame.y1 for b in boxes)


def test_overlap_would_be_noticed():
    _, ax = plots.figure()
    ax.text(0.5, 0.5, "one"), ax.text(0.51, 0.5, "two")
    assert overlaps(ax.texts) == [("one", "two")]


def test_a_map_tells_its_groups_apart_without_colour():
    points, groups = [[0, 0], [1, 1], [4, 4], [4, 5]], ["animals", "animals", "places", "places"]
    axes, alt = drawn(plots.projection(points, ["cat", "dog", "", "Rome"], groups, "PC"))
    assert alt == (
        "Map of 4 points, 3 of 3 labels drawn; animals: 2 around (0.500, 0.500); places: 2 around (4, 4.50); closest: "
        "cat and dog, 1.41 apart."
    )
    assert words(axes[0].get_legend().get_texts()) == ["animals", "places"]
    assert (axes[0].get_xlabel(), axes[0].get_ylabel()) == ("PC 1", "PC 2")
    shapes = [c.get_paths()[0].vertices for c in axes[0].collections]
    assert shapes[0].shape != shapes[1].shape
    assert len({(i % len(plots.COLORS), i % len(MARKERS)) for i in range(50)}) == 50
    assert drawn(plots.projection([[0, 0]]))[1] == "Map of 1 point."


def test_a_map_of_thousands_is_drawn():
    labels = ["centre", *[None] * 4999]
    axes, alt = drawn(plots.projection(np.random.default_rng(0).normal(size=(5000, 2)), labels, label=""))
    assert alt == "Map of 5,000 points, 1 of 1 labels drawn."
    assert words(axes[0].texts) == ["centre"]


# Charts


def test_weights_take_the_largest_of_each_sign():
    values = [0.5, -2.0, 3.0, 0.0, -0.1, 1.0]
    axes, alt = drawn(plots.weights(list("abcdef"), values, 2, sides=("ham", "spam")))
    assert words(axes[0].get_yticklabels()) == ["c", "f", "e", "b"]
    assert [bar.get_width() for bar in axes[0].patches] == [3.0, 1.0, -0.1, -2.0]
    assert len({bar.get_facecolor() for bar in axes[0].patches}) == 2
    assert alt == "The largest of 6 weights, for spam: c +3.00; f +1.00; for ham: b -2.00; e -0.10."
    assert len(drawn(plots.weights(["a"], [1.0]))[0][0].patches) == 1


def row(chapter, model, f1, data="inbox"):
    return SimpleNamespace(chapter=chapter, model=model, data=data, score=f1, parameters=65_536, seconds=1.5, labels=0)


def test_the_leaderboard_has_chapters_in_order():
    found = [("09", "LoRA", 0.975), ("01", "rules", 0.5), ("01", "TF-IDF", 0.9), ("02", "broken", float("nan"))]
    rows = [row(*given) for given in found]
    axes, alt = drawn(plots.leaderboard(rows))
    assert words(axes[0].get_yticklabels()) == ["01  TF-IDF", "01  rules", "02  broken", "09  LoRA"]
    assert [bar.get_width() for bar in axes[0].patches] == [0.9, 0.5, 0, 0.975]
    assert words(axes[0].texts)[:5] == ["F1", "0.900", "0.500", "none", "best  0.975"]
    assert {"65.5k", "1.5"} <= set(words(axes[0].texts))
    assert alt == (
        "Leaderboard of 4 models; best F1 0.975, LoRA of chapter 09 (65.5k parameters, 1.5 s); lowest F1 0.500, rules "
        "of chapter 01 (65.5k parameters, 1.5 s)."
    )


@pytest.mark.parametrize("n", [1, 30])
def test_the_leaderboard_is_readable_with_one_row_and_with_thirty(n):
    rows = [row(f"{i % 10:02}", f"a model with a rather long name, {i}", i / n, "xy"[i % 2]) for i in range(n)]
    fig, _ = plots.leaderboard(rows)
    fig.draw_without_rendering()
    assert overlaps([*fig.axes[0].texts, *fig.axes[0].get_yticklabels()]) == []
    assert len(fig.axes[0].get_yticklabels()) == n
    assert all(("(x)" in t or "(y)" in t) == (n > 1) for t in words(fig.axes[0].get_yticklabels()))
    assert drawn(plots.leaderboard([row("01", "x", None)]))[1] == "Leaderboard of 1 model; none has an F1 yet."


def few(chapter, model, scores, spread=0.02):
    return [
        SimpleNamespace(chapter=chapter, model=model, labels=k, score=s, lowest=s - spread, highest=s + spread)
        for k, s in zip([1, 5, 10], scores, strict=True)
    ]


def test_few_labels_draws_a_line_for_each_model_and_names_the_best_first():
    rows = [*few("01", "TF-IDF", [0.4, 0.7, 0.8]), *few("09", "LoRA", [0.6, 0.9, 0.94])]
    axes, alt = drawn(plots.few_labels([*rows, *few("01", "rules", [0.5] * 3)[:0]], "09"))
    assert [line.get_ydata().tolist() for line in axes[0].lines if len(line.get_xdata()) == 3][:1] == [[0.4, 0.7, 0.8]]
    assert words(axes[0].texts) == ["01 TF-IDF  0.80", "09 LoRA  0.94"]
    assert [text.get_weight() for text in axes[0].texts] == ["normal", "bold"]
    colors = {line.get_ydata()[0]: line.get_color() for line in axes[0].lines if len(line.get_xdata()) == 3}
    assert colors[0.4] == GREY and colors[0.6] in plots.COLORS  # another chapter's, and the chapter's own
    assert words(axes[0].get_xticklabels()) == ["1", "5", "10"]
    assert alt == (
        "Accuracy over labelled examples of each intent, best first: 09 LoRA 0.60 with 1, 0.90 with 5, 0.94 with "
        "10. Beside them: 01 TF-IDF 0.40 with 1, 0.70 with 5, 0.80 with 10."
    )
    with pytest.raises(CourseError, match="no row tells a number of labels"):
        plots.few_labels([row("01", "x", 0.5)])


def test_few_labels_begins_a_tenth_below_the_lowest_bar():
    for scores, spread, floor in (([0.42, 0.7, 0.8], 0.01, 0.3), ([0.45, 0.7, 0.8], 0.01, 0.4), ([0.05] * 3, 0.06, 0)):
        axes, _ = drawn(plots.few_labels(few("01", "TF-IDF", scores, spread)))
        assert axes[0].get_ylim() == pytest.approx((floor, 1.02))


def test_few_labels_says_every_model_of_the_chapter_and_draws_the_others_grey():
    best = [r for i in range(7) for r in few("09", f"model {i}", [0.7, 0.8, 0.9 + i / 1000])]
    axes, alt = drawn(plots.few_labels([*best, *few("03", "BiLSTM", [0.1, 0.3, 0.4])], "03"))
    assert "best first: 03 BiLSTM 0.10 with 1, 0.30 with 5, 0.40 with 10. Beside them: 09 model 6" in alt
    lines = [line for line in axes[0].lines if len(line.get_xdata()) == 3 and line.get_linewidth() > 0]
    colors = {line.get_color() for line in lines if line.get_ydata()[0] == 0.7}
    assert len(colors) == 1 and colors.isdisjoint(plots.COLORS)


def test_twelve_models_that_end_alike_stay_readable():
    rows = [r for i in range(12) for r in few(f"{i:02}", "a model", [0.1, 0.5, 0.8 + i / 1000])]
    fig, _ = plots.few_labels(rows)
    fig.draw_without_rendering()
    boxes = sorted((Text.get_window_extent(name).y0, Text.get_window_extent(name).y1) for name in fig.axes[0].texts)
    assert all(above[0] >= below[1] for below, above in pairwise(boxes))


# All of them


FIGURES = [
    lambda n: plots.confusion(np.eye(n) + 1, ODD[:n]),
    lambda n: plots.attention(np.full((2, n, n), 0.5), ODD[:n]),
    lambda n: plots.projection(np.random.default_rng(0).normal(size=(n, 2)), ODD[:n], ODD[:n]),
    lambda n: plots.weights(ODD[:n], np.arange(n) - 2.5),
    lambda n: plots.lines([1, 2], {token: [1, 2] for token in ODD[:n]}, "x", "y"),
    lambda n: plots.learning_curves({token: [1, 2] for token in ODD[:n]}),
    lambda n: plots.leaderboard([row("01", token, 0.5) for token in ODD[:n]]),
]


@pytest.mark.parametrize("make", FIGURES)
def test_letters_that_no_font_has_and_dollars_cause_no_warning(make, capfd, caplog):
    axes, _ = drawn(make(len(ODD)))
    assert capfd.readouterr().err == "" and caplog.text == ""
    assert len(axes) >= 1


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: plots.learning_curves([]), r'losses of "Loss" is empty'),
        (lambda: plots.learning_curves({}), "no run"),
        (lambda: plots.learning_curves(["a"]), "must be numbers"),
        (lambda: plots.learning_curves([1, 2], norms=[1]), "gradient norm has 1 values but the loss has 2"),
        (lambda: plots.learning_curves([1, 2], [1, 2]), "evaluations must have 2 dimensions"),
        (lambda: plots.learning_curves([1, 2], [(1, 2, 3)]), r"pairs \(step, value\)"),
        (lambda: plots.learning_curves([-1, 0], log=True), "needs a value above 0"),
        (lambda: plots.lines([1, 2], {"a": [1]}, "x", "y"), 'curve "a" has 1 values'),
        (lambda: plots.lines([1, 2], {}, "x", "y"), "0 curves"),
        (lambda: plots.lines([1, 2], [1, 2], "x", "y", log="z"), 'log="z"'),
        (lambda: plots.confusion([[1, 2, 3]], ["a"]), r"counts must be \(k, k\)"),
        (lambda: plots.confusion([[0.5, 0], [0, 1]], "ab"), "whole numbers"),
        (lambda: plots.confusion([[0, 0], [0, 0]], "ab"), "not all 0"),
        (lambda: plots.confusion([[np.nan, 0], [0, 1]], "ab"), "whole numbers"),
        (lambda: plots.confusion(np.eye(2), ["a"]), "names must name each of the 2 classes; it has 1"),
        (lambda: plots.attention([1.0], ["a"]), "must have 2 or 3 dimensions"),
        (lambda: plots.attention(np.eye(2), ["a", "b", "c"]), "each of the 2 queries; it has 3"),
        (lambda: plots.attention(np.ones((1, 2)), ["a"]), "each of the 2 keys; it has 1"),
        (lambda: plots.projection(np.zeros((3, 3))), r"shape \(n, 2\)"),
        (lambda: plots.projection([[0, np.nan]]), "finite"),
        (lambda: plots.projection([[0, 0]], ["a", "b"]), "labels must name each of the 1 points"),
        (lambda: plots.weights(["a"], [0.0]), "one of them not 0"),
        (lambda: plots.weights(["a"], [1.0, 2.0]), "each of the 2 values"),
        (lambda: plots.weights(["a"], [1.0], k=0), "k is 0"),
        (lambda: plots.leaderboard([]), "no rows yet"),
    ],
)
def test_wrong_input_is_one_line(make, said):
    with pytest.raises(CourseError, match=said) as error:
        make()
    assert "\n" not in str(error.value)
