"""The two tasks on the inbox and their fine-tuning: helpers.chapters.transformers.inbox_tasks and finetuning."""

import numpy as np
import pytest
import torch
from torch import nn

from autograder import paths
from autograder.authoring.measured import measured
from autograder.authoring.source import definitions
from helpers import data
from helpers.chapters.transformers import finetuning, inbox_tasks
from helpers.chapters.transformers.bert import Encoder, Headed
from helpers.chapters.transformers.figures import scores_by_start
from helpers.chapters.transformers.packing import PAD, pack_texts
from helpers.chapters.transformers.pretraining_steps import DATA, FRESH, OWN, RIVALS, STEPS, drawn, named
from helpers.course import artifacts
from helpers.course.leaderboard import Row


@pytest.fixture(scope="module")
def chapter():
    return definitions(paths.source_text("05_transformers"))


@pytest.fixture(scope="module")
def tokenizer():
    return artifacts.load_tokenizer(own=False)


@pytest.fixture(scope="module")
def few():
    return data.load("inbox").take(np.arange(300))


class Says(nn.Module):
    """A model that gives these logits."""

    def __init__(self, logits):
        super().__init__()
        self.logits = nn.Parameter(torch.as_tensor(logits).float())

    def forward(self, token_ids, segments):
        return self.logits


def test_the_span_of_a_question_is_the_entity(tokenizer, few):
    ids, segments, edges = inbox_tasks.questions_of(tokenizer, few, 64)
    asked = inbox_tasks.asked_of(few)
    assert len(asked) >= len(ids) > 5 and segments.gather(1, edges).all()
    said = [tokenizer.decode(row[a : b + 1].tolist()).strip() for row, (a, b) in zip(ids, edges.tolist(), strict=True)]
    named = {text[e.start : e.end] for _, text, e in asked}
    assert np.mean([words in named for words in said]) > 0.9  # a piece may reach over the edge


def test_tags_stand_on_first_pieces(tokenizer, chapter):
    sentence = data.load("inbox_tags").train[0]
    names = sorted(set(sentence.tags))
    ids, _, labels = inbox_tasks.tags_of(tokenizer, [sentence], names, 64, chapter["first_piece_labels"])
    assert ids.shape == labels.shape == (1, 64)
    assert [names[i] for i in labels[0].tolist() if i != -100] == list(sentence.tags)


def test_measures_on_known_guesses():
    ids, segments = torch.full((3, 4), 20), torch.tensor([[0, 0, 1, 1]] * 3)
    tags = Says(nn.functional.one_hot(torch.tensor([[1, 1, 0, 2]]), 3))
    labels = torch.tensor([[1, 2, 0, -100]])  # two named, two guessed, one right
    assert inbox_tasks.tag_f1(tags, (ids[:1], segments[:1], labels), outside=0) == 0.5


def test_spans_are_judged_exactly(chapter):
    logits = torch.zeros(2, 4, 2)
    logits[:, 2, 0] = logits[:, 3, 1] = 1
    rows = torch.full((2, 4), 20), torch.tensor([[0, 0, 1, 1]] * 2), torch.tensor([[2, 3], [2, 2]])
    assert inbox_tasks.exact_spans(Says(logits), rows, chapter["best_span"]) == 0.5


def test_the_loss_of_spans_leaves_the_question_out():
    ids, segments = torch.full((1, 4), 20), torch.tensor([[0, 0, 1, 1]])
    loss = finetuning.task_loss(Says(torch.zeros(1, 4, 2)), (ids, segments, torch.tensor([[2, 3]])))
    assert loss.item() == pytest.approx(np.log(2))  # two places are left
    tags = finetuning.task_loss(Says(torch.zeros(1, 4, 5)), (ids, segments, torch.tensor([[-100, 3, 0, -100]])))
    assert tags.item() == pytest.approx(np.log(5))


def test_rows_lose_only_places_that_are_padding_in_all_of_them(chapter, tokenizer):
    ids, segments = pack_texts(tokenizer, ["a short one", "one that is somewhat longer"], length=16)
    encoder = Encoder(tokenizer.get_vocab_size(), 16, 8, 1, 2, block=chapter["encoder_block"])
    longest = int((ids != PAD).sum(dim=1).max())
    model, labels = Headed(encoder, 3, whole=False), torch.arange(32).reshape(2, 16)
    cut = inbox_tasks.without_padding((ids, segments, labels))
    assert {part.shape for part in cut} == {(2, longest + 1)} and cut[2][1, -1] == 16 + longest
    whole, part = model(ids, segments), model(*cut[:2])
    seen = ids[:, :longest] != PAD
    assert torch.allclose(whole[:, :longest][seen], part[:, :longest][seen], atol=1e-6)
    spans = torch.tensor([[1, 2], [2, 3]])
    assert inbox_tasks.without_padding((ids, segments, spans))[2] is spans


def right(model, rows):
    """The share of texts whose class is right."""
    return (model(*rows[:2]).argmax(-1) == rows[2]).float().mean().item()


def test_scores_repeat_and_go_to_the_leaderboard(chapter, tokenizer, few, monkeypatch, tmp_path):
    monkeypatch.setenv("BOW2LORA_HOME", str(tmp_path))
    rows = (*pack_texts(tokenizer, few.texts[:40], length=16), torch.from_numpy(few.labels[:40]))
    tasks = {"spam (F1)": inbox_tasks.Task(rows, rows, 2, True, 1e-3, right)}
    sizes = {"vocab_size": tokenizer.get_vocab_size(), "context_length": 16, "d_model": 8, "num_layers": 1}

    def fresh():
        return Encoder(**sizes, num_heads=2, block=chapter["encoder_block"])

    starts, labels = {"a": fresh(), "b": None}, {"spam (F1)": 16}
    found = finetuning.compare(tasks, fresh, starts, labels, 2, 1)["spam (F1)"]
    again = finetuning.score_of(tasks["spam (F1)"], fresh, starts["a"], 0, 16, 2)
    assert found.shape == (2, 1) and found[0, 0] == again
    assert {row.model for row in finetuning.leaderboard.rows()} == {"spam (F1), a, seed 0", "spam (F1), b, seed 0"}


def test_the_table_and_the_figure_tell_means():
    scores = {"spam (F1)": np.array([[0.5, 0.7], [0.2, 0.2], [0, 0.1]])}
    stored = {"spam (F1)": np.array([[0.4], [0.3], [0.2]]), "not asked": np.zeros((3, 5))}
    _, own, kept = finetuning.scores_table(scores, {"a": None, "b": None, "c": None}, stored).splitlines()
    assert "0.600 (0.500 to 0.700)" in own and kept.split() == ["1", "stored", "runs", "0.400", "0.300", "0.200"]
    _, alt = scores_by_start(scores, ["a", "b", "c"], {"spam (F1)": 64}, stored)
    assert "your runs, means spam (F1): 0.60 a, 0.20 b, 0.05 c; " in alt
    assert "stored run, means spam (F1): 0.40 a, 0.30 b, 0.20 c." in alt


def test_stored_scores_are_those_of_the_record():
    claims, stored = measured()["05_transformers"]["claims"], finetuning.stored_scores()
    for task, labels in {"tags (F1)": 32, "spans (exact)": 64}.items():
        for start, name in enumerate(["inbox-bert", "your encoder"]):
            kept = claims[f"{task}, {labels} labels: {name} above its twin from scratch"]
            assert (stored[task][start].tolist(), stored[task][2].tolist()) == (kept["better"], kept["worse"])


def test_a_sorter_learns_and_is_counted(tokenizer, chapter):
    sizes = {"vocab_size": tokenizer.get_vocab_size(), "context_length": 16, "d_model": 16, "num_layers": 1}
    model = finetuning.sorter(tokenizer, lambda: Encoder(**sizes, num_heads=2, block=chapter["encoder_block"]), None,
                              max_steps=60, length=16)  # fmt: skip
    texts, labels = ["a red one", "so blue"] * 20, np.array([1, 0] * 20)
    assert model(texts, labels, ["a red one", "so blue"], seed=0).tolist() == [1, 0]
    assert model.parameters > 16 * tokenizer.get_vocab_size()


def test_the_drawing_puts_the_chapters_run_beside_the_longer_one():
    """A line of the stored rows, marks of the run at its own steps, the rivals; the alt text has each number."""
    stored = [Row("05", named(n), DATA, 0.7 + n / 1e5) for n in STEPS]
    board = [Row("", name, "", 0.1 * (i + 1), labels=10) for i, name in enumerate([FRESH, OWN, *RIVALS])]
    fig, told = drawn(stored, board, 40, 8)
    assert "450 steps of fine-tuning: 0 steps 0.70, 300 steps 0.70, 8,000 steps 0.78; " in told
    assert "your run, 8 steps of fine-tuning: 0 steps 0.10, 40 steps 0.20; " in told
    line, marks = fig.axes[0].lines[:2]
    assert list(line.get_xdata()) == [*STEPS] and list(marks.get_xdata()) == [0, 40]
    assert [text.get_text()[-4:] for text in fig.axes[0].texts] == ["0.30", "0.40"]
