"""Chapter 12: its runs and measurements, and its model answers beside what the field uses."""

import ast
import math
from types import SimpleNamespace

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from scipy import stats
from torch import nn
from torch.utils.checkpoint import checkpoint

from autograder import cell_marks, paths
from autograder.authoring.source import definitions
from helpers import data
from helpers.chapters.training import (
    broken_runs,
    copies,
    documents,
    figures,
    final,
    half,
    ladder,
    memory,
    packed_gpt,
    quality,
    race,
    speed,
    two_processes,
)
from helpers.chapters.transformers import muon
from helpers.errors import CourseError

END = 0
DOCUMENTS = [[5, 6, 7], [8], [9, 5, 6, 6], [7, 8, 9, 10, 11], [3]] * 12


@pytest.fixture(scope="module")
def mine() -> SimpleNamespace:
    """The chapter's model answers."""
    return SimpleNamespace(**definitions(paths.source_text("12_training")))


@pytest.fixture(scope="module")
def rows(mine):
    """Packed (tokens, owners, targets) of small documents."""
    tokens, owners = mine.pack(DOCUMENTS, 16, END)
    return tokens, owners, mine.packed_targets(tokens, owners)


@pytest.fixture
def small(monkeypatch):
    """Runs of few rows and narrow models."""
    monkeypatch.setattr(broken_runs, "HELD_OUT", 2)
    monkeypatch.setattr(copies, "WIDTH", 16)
    for module in (race, copies):
        monkeypatch.setattr(module, "ROWS", 2)
    monkeypatch.setattr(race, "HELD_OUT", 2)
    monkeypatch.setattr(race, "EVERY", 1)
    monkeypatch.setattr(ladder, "LENGTH", 8)
    monkeypatch.setattr(ladder, "STEPS", 30)
    monkeypatch.setattr(ladder, "HELD_OUT", 4)


# ------------------------------------------------------------------------------------------ the model
def test_a_token_reaches_another_document_only_where_the_mask_lets_it(mine, rows):
    tokens, owners, _ = rows
    torch.manual_seed(0)
    gpt = packed_gpt.PackedGPT(64, 16, 16, 2, 2)
    parts = tokens[:1], mine.packed_positions(owners[:1])
    assert packed_gpt.leak(gpt, *parts, mine.packed_mask(owners[:1]), owners[0]) == 0.0
    everywhere = mine.packed_mask(torch.zeros_like(owners[:1]))
    assert packed_gpt.leak(gpt, *parts, everywhere, owners[0]) > 0.0
    assert packed_gpt.leak(gpt, *parts, everywhere, torch.zeros(16)) == 0.0  # there is no other document


def test_the_mean_loss_is_that_of_all_targets_whatever_the_rows_at_once(rows):
    tokens, _, targets = rows
    gpt = packed_gpt.PackedGPT(64, 16, 16, 1, 2, dropout=0.5).train()
    found = packed_gpt.mean_loss(gpt, (tokens, targets), rows=3)
    expected = F.cross_entropy(gpt.eval()(tokens).flatten(0, 1), targets.flatten(), ignore_index=-100)
    assert found == pytest.approx(expected.item(), rel=1e-5)
    assert packed_gpt.mean_loss(gpt, (tokens, torch.full_like(targets, -100))) == 0.0
    assert packed_gpt.count((tokens, targets)) == (targets != -100).sum()


# ------------------------------------------------------------------------------------------ measurements
def test_a_scale_saves_gradients_and_too_large_a_scale_loses_them(mine, rows):
    tokens, _, targets = rows
    torch.manual_seed(0)
    gpt = packed_gpt.PackedGPT(64, 16, 16, 1, 2)
    piece, scales = (tokens[:2], targets[:2]), [2.0**-10, 1024.0, 2.0**30]
    lost = half.gradients_that_vanish(gpt, piece, packed_gpt.count(piece), scales, mine.scaled_gradients)
    (gone, _), (saved, fine), (_, infinite) = lost.values()
    assert gone > 0.1 and saved < 0.01 and fine == 0.0 and infinite > 0.1
    _, text = figures.vanishing(lost)
    assert f"{gone:.0%}" in text


def test_autocast_keeps_weights_and_delicate_operations_in_float32():
    torch.manual_seed(0)
    gpt = packed_gpt.PackedGPT(64, 16, 16, 1, 2)
    with half.dtypes_inside(gpt) as dtypes, torch.autocast("cpu", dtype=torch.bfloat16):
        gpt(torch.arange(16)[None])
    narrow = {name for name, dtype in dtypes.items() if dtype == torch.bfloat16}
    assert narrow == {"linear layer", "GELU"} and len(dtypes) == 5
    gpt(torch.arange(16)[None])
    assert dtypes["GELU"] == torch.bfloat16, "a hook was left behind"


def test_recomputing_keeps_one_input_a_block_and_one_block_at_a_time(mine, monkeypatch):
    monkeypatch.setattr(memory, "WIDTH", 16)
    monkeypatch.setattr(memory, "LENGTH", 8)
    kept = {layers: memory.kept_and_seconds(layers, memory.plain)[0] for layers in (2, 6)}
    less = {layers: memory.kept_and_seconds(layers, mine.recomputed)[0] for layers in (2, 6)}
    x = memory.ROWS * memory.LENGTH * memory.WIDTH * 4
    assert less[6] - less[2] == 4 * x
    assert kept[6] - kept[2] > 40 * x


def test_two_processes_end_where_one_does_and_a_failure_is_told():
    one, two = (two_processes.train_in_processes(count, 3, 0) for count in (1, 2))
    assert torch.allclose(one["weights"], two["weights"], rtol=0, atol=1e-12)
    assert one["loss"] == pytest.approx(two["loss"], rel=1e-9)
    with pytest.raises(CourseError, match=r"A process failed: .*UnboundLocalError"):
        two_processes.train_in_processes(1, 0, 0)  # no step, so no loss


def test_each_fault_shows_where_the_essay_says_it_does(small, rows):
    tokens, _, targets = rows
    runs = broken_runs.run_all(tokens, targets, 40, 0)
    healthy = runs["C"]
    assert list(runs) == list(broken_runs.LETTERS)
    assert runs["A"].one_batch > 2 * healthy.one_batch and runs["A"].norm < 2 * healthy.norm
    assert runs["B"].norm > 3 * healthy.norm
    assert runs["F"].first > 1.5 * healthy.first
    assert runs["E"].held_out < healthy.held_out  # it copies what it reads
    _, text = figures.six_runs(runs)
    assert f"C from {healthy.first:.1f} to {healthy.last:.1f}" in text


def test_the_race_takes_the_better_rate_of_each_and_moves_hidden_matrices_alone(small, mine, rows):
    tokens, _, targets = rows
    seen = set()

    def watched(weight, grad, state, lr):
        seen.add(tuple(weight.shape))
        return mine.muon_step(weight, grad, state, lr=lr)

    curves = race.race(tokens, targets, watched, 0.15, {"AdamW": (1e-9, 1e-2), "Muon": (1e-2, 1e-9)}, 16, 0)
    assert list(curves) == ["AdamW", "Muon"] and {curve.rate for curve in curves.values()} == {1e-2}
    assert seen == {(48, 16), (16, 16), (64, 16), (16, 64)}
    _, text = figures.by_the_clock(curves)
    assert f"Muon ends at {curves['Muon'].held_out:.2f}" in text


def test_a_run_of_the_ladder_reads_as_much_as_its_size_asks_for(small, mine, monkeypatch):
    steps, read = [], []
    monkeypatch.setattr(ladder.nn.utils, "clip_grad_norm_", lambda *given: steps.append(1))
    whole = ladder.nn.functional.cross_entropy
    monkeypatch.setattr(
        ladder.nn.functional, "cross_entropy", lambda z, y, **how: read.append(len(y)) or whole(z, y, **how)
    )
    text = SimpleNamespace(train="to be or not to be " * 40, valid="that is the question " * 10)
    sizes, losses = ladder.ladder(text, (2, 4), 0)
    assert sizes[0] < sizes[1] and all(map(math.isfinite, losses))
    assert 50 < len(steps) < 70  # of two runs
    assert sum(read) == pytest.approx(ladder.PER_WEIGHT * sum(sizes), rel=0.05)
    _, alt = figures.law(sizes, losses, *mine.fit_power_law([*sizes[:1], 9], [*losses[:1], 1.0]))
    assert f"{sizes[1]:,}" in alt


def test_rules_keep_prose_and_a_filter_by_example_keeps_what_is_like_the_examples():
    prose = "The writers of the letters had no time for that and went to the sea with the others."
    code = "f(x) -> # y[0:3] ### <= f(y) -> 0"
    assert quality.by_rules(prose) and not quality.by_rules(code)
    assert not quality.by_rules("incomprehensibilities characteristically " + prose.replace(" ", ""))
    known = [f"Return the mean. Parameters: axis {k}" for k in range(20)]
    pages = [f"Return the mean. Parameters: axis, {k}" if k % 3 == 0 else f"{prose} {k}" for k in range(60)]
    assert quality.by_example(known, pages).tolist() == [k % 3 == 0 for k in range(60)]


def test_a_crawl_holds_a_third_of_each_kind_and_no_known_text(monkeypatch):
    monkeypatch.setattr(quality, "KNOWN", 5)
    shelf = SimpleNamespace(words=[[f"d{i}"] * 20 for i in range(15)], ids=lambda texts: texts)
    messages = SimpleNamespace(texts=[f"mail {i}" for i in range(40)])
    articles = SimpleNamespace(train="\n".join(f"a{i} " * 20 for i in range(50)))
    known, pages, of_docs = quality.crawl(shelf, messages, articles, 30, 0)
    assert known == [" ".join([f"d{i}"] * 20) for i in range(5)] and not set(known) & set(pages)
    assert len(pages) == 30 and sum(page.startswith("mail") for page in pages) == 10
    assert [page.startswith("d") for page in pages] == of_docs.tolist() and of_docs.sum() == 10
    texts, told = quality.chosen(shelf, messages, articles, 30, 0)
    assert list(texts) == ["as it is", "by rules", "by example"] and texts["as it is"] == pages
    assert told["as it is"] == "10 of the docs, 20 others"


def test_copies_are_made_and_filtered(small, mine):
    shelf = SimpleNamespace(
        size=64,
        end=END,
        words=[[f"w{i}-{k}" for k in range(90)] for i in range(copies.COPIED + 5)],
        held_out=DOCUMENTS,
        ids=lambda texts: [[1 + len(word) % 9 for word in text.split()] for text in texts],
    )
    found, texts = copies.mixtures(
        shelf,
        lambda words: mine.signature(mine.shingles(words, 3), copies.hash_of, range(8)),
        lambda signatures: mine.keep_first(signatures, 2, 0.5),
    )
    before, with_copies, filtered = map(len, texts.values())
    assert before == copies.COPIED + 5 and with_copies == before + copies.COPIED * copies.TIMES
    assert filtered < with_copies and f"of {with_copies - before} copies" in found
    losses = copies.trained_on(texts, shelf, mine.pack, mine.packed_targets, 1, 0)
    assert list(losses) == list(texts) and all(map(math.isfinite, losses.values()))


def test_a_killed_run_ends_with_the_same_bits(mine, rows, monkeypatch):
    monkeypatch.setattr(final, "WIDTH", 16)
    monkeypatch.setattr(final, "ROWS", 4)
    tokens, owners, _ = rows
    drawn = final.Rows(tokens, owners, mine.packed_mask, mine.packed_positions, mine.packed_targets)
    whole = final.final_run(mine.run, 64, drawn, mine.warmup_stable_decay, 7, 0)
    again = final.final_run(mine.run, 64, drawn, mine.warmup_stable_decay, 7, 0, killed_at=5)
    assert torch.equal(whole.weights, again.weights) and again.resumed == 4
    assert again.losses == whole.losses[4:] and whole.tokens == 7 * 4 * 16


def test_the_peak_and_the_steps_are_measured():
    assert speed.peak_of(64) > 0
    tokens, seconds = speed.steps_timed(1, 16, 32, 8)
    assert tokens == speed.ROWS * 8 and seconds > 0


def test_what_a_gpu_gets_is_there_and_has_whole_heads():
    story = paths.source_text("12_training").read_text(encoding="utf-8")
    sizes = {}
    for size in cell_marks.SIZE.finditer(story):
        if size["gpu"]:
            sizes[size["name"]] = ast.literal_eval(size["value"]), ast.literal_eval(size["gpu"])
    assert {"SECONDS", "WIDTH", "WIDTHS", "PAGES"} <= set(sizes)
    assert all(large > usual for usual, large in sizes.values())
    each = sizes["PAGES"][1] // 3
    assert quality.KNOWN + each <= documents.READ and each <= len(data.load("inbox").texts)
    assert all(width % ladder.HEADS == 0 for width in sizes["WIDTHS"][1]) and sizes["WIDTH"][1] % race.HEADS == 0
    assert all(width % 32 == 0 for _, width, _ in sizes["SIZES"][1])


# ------------------------------------------------------------------------------------------ beside the field's own
def test_clipping_is_torchs(mine):
    ours, theirs = (nn.Linear(4, 3), nn.Linear(4, 3))
    for p, q in zip(ours.parameters(), theirs.parameters(), strict=True):
        p.grad = torch.randn_like(p)
        q.grad = p.grad.clone()
    norm = mine.clip_gradients(ours.parameters(), 0.5)
    assert norm == pytest.approx(nn.utils.clip_grad_norm_(theirs.parameters(), 0.5).item(), rel=1e-6)
    for p, q in zip(ours.parameters(), theirs.parameters(), strict=True):
        assert torch.allclose(p.grad, q.grad, atol=1e-5)


def test_pieces_give_the_gradient_of_the_batch(mine, rows):
    tokens, _, targets = rows
    gpt = packed_gpt.PackedGPT(64, 16, 16, 1, 2)
    pieces = [(tokens[:1], targets[:1]), (tokens[1:], targets[1:])]
    loss = mine.accumulate(gpt, pieces, packed_gpt.loss_sum, packed_gpt.count)
    gradient = gpt.tokens.weight.grad.clone()
    gpt.zero_grad()
    whole = F.cross_entropy(gpt(tokens).flatten(0, 1), targets.flatten(), ignore_index=-100)
    whole.backward()
    assert loss == pytest.approx(whole.item(), rel=1e-5)
    assert torch.allclose(gradient, gpt.tokens.weight.grad, atol=1e-6)


def test_recomputing_is_torchs_checkpoint(mine):
    torch.manual_seed(0)
    block = packed_gpt.PackedBlock(16, 2, dropout=0.3).train()
    x = torch.randn(2, 8, 16)
    found = []
    for call in (mine.recomputed, lambda block, x: checkpoint(block, x, use_reentrant=False)):
        torch.manual_seed(1)
        block.zero_grad()
        given = x.clone().requires_grad_()
        call(block, given).square().sum().backward()
        found.append([given.grad, *(p.grad.clone() for p in block.parameters())])
    assert all(torch.allclose(a, b, atol=1e-5) for a, b in zip(*found, strict=True))


def test_the_scale_goes_the_way_of_torchs_scaler(mine):
    scaler = torch.amp.GradScaler("cpu", init_scale=64.0, growth_factor=2.0, backoff_factor=0.5, growth_interval=3)
    scale, good = 64.0, 0
    weight = nn.Parameter(torch.ones(1))
    optimizer = torch.optim.SGD([weight], lr=0.0)
    for finite in (True, False, True, True, True, True, False, False, True, True, True):
        weight.grad = None
        scaler.scale(weight.sum() * (1.0 if finite else math.inf)).backward()
        scaler.step(optimizer)
        scaler.update()
        scale, good = mine.next_scale(scale, good, finite, every=3)
        assert scale == scaler.get_scale()


def test_muon_is_torchs(mine):
    torch.manual_seed(0)
    for shape in ((6, 4), (4, 6)):
        weight = nn.Parameter(torch.randn(shape))
        theirs = torch.optim.Muon(
            [weight], lr=0.02, momentum=0.95, weight_decay=0.1, adjust_lr_fn="match_rms_adamw", nesterov=True
        )
        ours, state = weight.detach().clone(), None
        for _ in range(4):
            grad = torch.randn(shape)
            weight.grad = grad.clone()
            theirs.step()
            ours, state = mine.muon_step(ours, grad, state)
        assert torch.allclose(ours, weight, atol=2e-3)  # torch computes the products in bfloat16


def test_muon_is_what_trains_the_gpt_of_chapter_05(mine):
    torch.manual_seed(0)
    for shape in ((6, 4), (4, 6), (70, 3)):
        weight, first, second = torch.randn(3, *shape)
        found, state = weight, None
        expected, kept = weight, None
        for grad in (first, second):
            found, state = mine.muon_step(found, grad, state, lr=0.1, momentum=0.9, weight_decay=0.2)
            expected, kept = muon.muon_step(expected, grad, kept, lr=0.1, momentum=0.9, weight_decay=0.2)
        assert torch.allclose(found, expected, rtol=1e-3, atol=1e-4)
        assert torch.allclose(state, kept, rtol=1e-5, atol=1e-6)


def test_singular_values_end_where_the_text_says(mine):
    values = torch.linspace(0.01, 1.0, 500)
    ends = values.clone()
    for _ in range(5):
        ends = 3.4445 * ends - 4.7750 * ends**3 + 2.0315 * ends**5
    assert (round(ends.min().item(), 2), round(ends.max().item(), 2)) == (0.68, 1.13)
    torch.manual_seed(0)
    found = torch.linalg.svdvals(mine.orthogonal(torch.randn(8, 12)))
    assert found.min() > 0.67 and found.max() < 1.14


def test_the_law_is_the_line_of_least_squares(mine):
    sizes, losses = np.array([1e3, 4e3, 1e4, 9e4]), np.array([3.0, 2.5, 2.2, 1.7])
    line = stats.linregress(np.log(sizes), np.log(losses))
    a, b = mine.fit_power_law(sizes, losses)
    assert (math.log(a), -b) == pytest.approx((line.intercept, line.slope))
    assert mine.predicted_loss(1e3, a, b) == pytest.approx(a * 1e3**-b)


def test_operations_are_what_torch_counts(mine):
    from torch.utils.flop_counter import FlopCounterMode

    layers, width, vocabulary, length = 2, 16, 40, 8
    gpt = packed_gpt.PackedGPT(vocabulary, length, width, layers, 2)
    tokens = torch.randint(vocabulary, (1, length))
    mask = torch.ones(1, length, length, dtype=torch.bool).tril()
    with FlopCounterMode(display=False) as counter, nn.attention.sdpa_kernel(nn.attention.SDPBackend.MATH):
        packed_gpt.loss_sum(gpt, (tokens, tokens, torch.arange(length)[None], mask)).backward()
    expected = length * mine.operations_per_token(layers, width, vocabulary, length)
    assert counter.get_total_flops() == pytest.approx(expected, rel=0.02)
