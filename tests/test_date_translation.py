"""Letters of dates, the translator with attention, and how translators are compared."""

import math

import pytest
import torch

from helpers.chapters.attention import date_translation
from helpers.chapters.attention.attention_translator import AttentionTranslator
from helpers.chapters.attention.date_letters import (
    END,
    LETTERS,
    encode_sources,
    encode_targets,
    letter_ids,
    write_letters,
)
from helpers.experiments.length_curve import LengthCurve

PAIRS = [("7 mai 2045", "2045-05-07"), ("1/2/1999", "1999-02-01"), ("11 mai 2001", "2001-05-11")]
IDS = letter_ids(PAIRS)


def step(embedded, hidden, memory, present, W, cell, output):
    """A step of the decoder as chapter 04 asks for it, by torch's own functions."""
    scores = torch.einsum("bh,hm,btm->bt", hidden, W, memory)
    weights = torch.softmax(scores.masked_fill(~present, -math.inf), dim=-1)
    context = torch.einsum("bt,btm->bm", weights, memory)
    hidden = cell(torch.cat([embedded, context], -1), hidden)
    return output(torch.cat([hidden, context], -1)), hidden, weights


@pytest.fixture(autouse=True)
def one_thread():
    """Tensors this small gain nothing from threads, and on a busy machine they wait for each other."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture
def model():
    torch.manual_seed(0)
    return AttentionTranslator(step, IDS)


def test_letters_get_ids_from_one_and_unknown_ones_are_left_out():
    assert sorted(IDS.values()) == list(range(1, len(IDS) + 1))
    rows = encode_sources(["7 mai", "1?/"], IDS)
    assert rows.shape == (2, 5)
    assert rows[1].tolist() == [IDS["1"], IDS["/"], 0, 0, 0]


def test_targets_end_with_the_end_mark_and_come_back_as_text():
    targets = encode_targets([iso for _, iso in PAIRS])
    assert targets.shape == (3, 11)
    assert (targets[:, -1] == END).all()
    after = torch.full((3, 4), LETTERS.index("5"))  # what is written behind the end mark does not count
    assert write_letters(torch.cat([targets, after], 1)) == [iso for _, iso in PAIRS]


def test_a_translator_gives_no_weight_to_padding_and_one_vector_has_one_place(model):
    sources, targets = encode_sources([text for text, _ in PAIRS], IDS), encode_targets([iso for _, iso in PAIRS])
    logits, weights = model(sources, targets)
    assert logits.shape == (3, 11, len(LETTERS))
    assert (weights.sum(-1) - 1).abs().max() < 1e-5
    assert not weights.transpose(1, 2)[sources == 0].any()
    one = AttentionTranslator(step, IDS, attends=False)
    assert one(sources, 4)[1].tolist() == [[[1.0]] * 4] * 3


def test_help_shows_in_the_steps_after_it_only(model):
    sources, targets = encode_sources([PAIRS[0][0]], IDS), encode_targets([PAIRS[0][1]])
    free = model(sources, 3)[0]
    told = model(sources, (free.argmax(-1)[:, :3] + 1) % END)[0]
    assert torch.equal(free[:, 0], told[:, 0])
    assert not torch.allclose(free[:, 1], told[:, 1])
    assert model(sources, targets)[0].shape[1] == 11


def test_training_lowers_the_loss_and_follows_from_the_seed(model):
    batch = encode_sources([text for text, _ in PAIRS], IDS), encode_targets([iso for _, iso in PAIRS])
    before = date_translation.date_loss(model, batch).item()
    assert before == pytest.approx(math.log(len(LETTERS)), abs=0.3)
    date_translation.train_dates(model, [PAIRS], 8, seed=1)
    torch.manual_seed(0)
    again = date_translation.train_dates(AttentionTranslator(step, IDS), [PAIRS], 8, seed=1)
    with torch.no_grad():
        assert date_translation.date_loss(model, batch).item() < before - 0.2
        assert torch.equal(model(*batch)[0], again(*batch)[0])


def test_a_comparison_keeps_the_first_model_and_a_share_for_each_seed(monkeypatch, tmp_path):
    monkeypatch.setenv("BOW2LORA_HOME", str(tmp_path))
    made = []

    def make():
        made.append(AttentionTranslator(step, IDS))
        return made[-1]

    models, shares = date_translation.train_translators({"attention": make}, PAIRS, PAIRS, 1, [0, 1])
    assert models["attention"] is made[0]
    assert len(shares["attention"]) == len(made) == 2
    assert (tmp_path / "leaderboard.json").read_text().count("dates, exact match") == 2


def test_runs_stand_beside_the_five_of_the_course():
    lines = date_translation.beside_five_seeds({"attention": [0.5, 0.25], "one vector": [0.125]}).splitlines()
    assert lines[0].startswith("attention    exact matches 0.500 0.250; the course's own runs ")
    assert [len(line.partition("runs ")[2].split()) for line in lines] == [5, 5]
    assert float(lines[0].split()[-1]) > float(lines[1].split()[-1])


def test_exact_matches_are_counted(model, monkeypatch):
    monkeypatch.setattr(date_translation, "translate", lambda model, texts, steps: ["2045-05-07", "no", "2001-05-11"])
    assert date_translation.exact_share(model, PAIRS) == pytest.approx(2 / 3)


def test_where_a_translator_looks_is_one_row_for_each_letter(model):
    written, weights = date_translation.looks(model, "7 mai 2045")
    assert len(written) == 10 and weights.shape == (10, 10)
    assert date_translation.translate(model, ["7 mai 2045"], 10) == [written.split(LETTERS[END])[0]]


def test_a_day_is_written_in_full_in_each_language():
    texts = date_translation.written_in(("fr", "de"), "2045-11-07")
    assert texts == {"fr": "mardi 7 novembre 2045", "de": "Dienstag, 7. November 2045"}


def test_the_table_of_lengths_has_a_line_for_each_translator():
    edges = [6, 10, 14]
    table = date_translation.length_table(
        {"attention": LengthCurve(edges, [1.0, 0.5], [1, 3]), "one vector": LengthCurve(edges, [0.25, 0], [1, 3])}
    )
    assert [line.split()[-3:] for line in table.split("\n")] == [
        ["6", "10", "all"],
        ["1", "3", "4"],
        ["1.00", "0.50", "0.62"],
        ["0.25", "0.00", "0.06"],
    ]


def test_two_translators_are_trained_on_and_read_the_same_series(model, monkeypatch):
    trained, edges = [], date_translation.EDGES
    monkeypatch.setattr(date_translation, "train_dates", lambda model, *how: trained.append(how) or model)
    curves = date_translation.series_curves({"a": model, "b": model}, [PAIRS], PAIRS, 2, seed=3)
    assert trained == [([PAIRS], 2, 3)] * 2
    assert curves["a"].counts == curves["b"].counts == [1, 2] + [0] * 8 and curves["a"].edges == edges
