"""Messages as word ids, the filter with attention, and heads that are pruned."""

from functools import partial

import numpy as np
import pytest
import torch

from helpers.data import Messages
from helpers.experiments.attention import spam_words
from helpers.experiments.attention.head_pruning import prune_heads, without_heads
from helpers.models.attention_filter import WIDTH, AttentionFilter

TEXTS = ["Win a prize, win NOW", "see you at lunch", "a prize for you", "lunch at noon, see you"]
MESSAGES = Messages(TEXTS * 8, np.array([1, 0, 1, 0] * 8), card=None)
VOCABULARY = spam_words.frequent_words(MESSAGES.texts)


def attend(x, present, matrices, query):
    """The mean of the words through one matrix, and weights that are the same for all words."""
    mean = (x * present[..., None]).sum(1) / present.sum(1, keepdim=True)
    return mean @ matrices[2] + query, present[:, None, None].expand(-1, 4, x.shape[1], -1) / present.sum()


def test_frequent_words_have_ids_from_two_and_occur_twice():
    assert spam_words.frequent_words(["b a", "a, B; c", "A"]) == {"a": 2, "b": 3}
    assert spam_words.frequent_words(["b a", "a, B; c", "A"], most=1) == {"a": 2}


def test_messages_are_padded_cut_and_never_empty():
    rows = spam_words.encode_words([["a", "x"], [], ["b"] * 60], {"a": 2, "b": 3})
    assert rows.shape == (3, spam_words.LONGEST)
    assert rows[:, :3].tolist() == [[2, 1, 0], [1, 0, 0], [3, 3, 3]]


def test_the_first_spam_message_of_a_length():
    assert spam_words.first_spam(MESSAGES, 4, 4) == ["a", "prize", "for", "you"]


def test_padding_changes_no_score():
    torch.manual_seed(0)
    words = spam_words.encode_words([["see", "you"]], VOCABULARY)
    for model in (AttentionFilter(VOCABULARY), AttentionFilter(VOCABULARY, attend)):
        assert torch.allclose(model(words)[0], model(torch.nn.functional.pad(words, (0, 3)))[0])


def test_filters_learn_and_keep_their_rows(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("BOW2LORA_HOME", str(tmp_path))
    mean = partial(AttentionFilter, VOCABULARY)
    filters = spam_words.train_filters({"attends": partial(mean, attend), "mean": mean}, MESSAGES, MESSAGES, 25, seed=0)
    assert [spam_words.spam_f1(model, MESSAGES) for model in filters.values()] == [1.0, 1.0]
    assert sum(p.numel() for p in filters["attends"].parameters()) - 4 * WIDTH**2 == sum(
        p.numel() for p in filters["mean"].parameters()
    )
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["attends", "mean"]
    assert '"attends"' in (tmp_path / "leaderboard.json").read_text()
    assert spam_words.looks(filters["attends"], ["see", "you"]).shape == (4, 2, 2)


def test_a_head_is_pruned_by_its_rows_and_put_back():
    W_o = torch.ones(8, 8)
    assert without_heads(W_o, 4, [1, 3], lambda: W_o.sum(1).tolist()) == [8, 8, 0, 0, 8, 8, 0, 0]
    assert (W_o == 1).all()


def test_the_head_that_is_missed_least_goes_first():
    W_o = torch.tensor([3.0, 1.0, 2.0])[:, None].expand(3, 3).clone()  # what the heads are worth
    table = prune_heads(W_o, 3, lambda: float(W_o[:, 0].sum()))
    assert list(table.values()) == pytest.approx([6, 3, 5, 4, 5, 3, 0])
    assert list(table)[-3:] == ["2 heads left", "1 head left", "0 heads left"]
