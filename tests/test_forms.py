"""What a student's function gives may be a list, a tuple, an array, a tensor, in float64: helpers take all of them."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch

from helpers.chapters.contrastive.image_views import random_view
from helpers.chapters.lora.instruction_tuning import plain
from helpers.chapters.rag.neighbours import by_neighbours
from helpers.chapters.rnns import agreement as by_hand
from helpers.chapters.squeeze import choosing
from helpers.chapters.tokenizers.vocabulary_size import timed_training
from helpers.chapters.word_vectors import backward, similarity
from helpers.chapters.word_vectors.window_tags import TagTask
from helpers.experiments.rankings import agreement
from helpers.models.classifiers import neighbour_votes
from helpers.models.word_vectors import WordVectors

FORMS = {
    "a list": lambda array: array.tolist(),
    "a tuple": lambda array: tuple(array.tolist()),
    "a tensor": torch.tensor,
    "float64": lambda array: array.astype(np.float64),
}
each_form = pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)


@each_form
def test_features_of_a_window_become_float32(form):
    task = TagTask(SimpleNamespace(), windows=None, features=lambda ids, windows, table: form(table[ids]))
    vectors = WordVectors(["a", "b"], np.eye(2, dtype="f"))
    assert task.token_features([["a", "b"]], vectors, reach=0).dtype == torch.float32


@each_form
def test_votes_and_rankings_take_any_form(form):
    table = np.array([[0.9, 0.1, 0.8], [0.2, 0.7, 0.6]])
    assert neighbour_votes(form(table), [1, 0, 1], k=2).tolist() == [0.5, 0.0]
    rows, scores = np.array([[0, 2], [1, 2]]), np.array([[0.9, 0.8], [0.7, 0.6]])
    assert agreement(form(rows), form(scores), [[(0, 0.9), (2, 0.8)], [(1, 0.7), (0, 0.6)]])[0] == 1
    model = by_neighbours(lambda texts: texts, lambda queries, vectors, k: (form(rows[:, :1]), form(scores[:, :1])), 1)
    assert model(["x"] * 3, np.array([4, 5, 6]), ["q", "r"], 0).tolist() == [4, 5]


@each_form
def test_filters_of_logits_take_any_form(form):
    logits = torch.tensor([3.0, 2.0, 1.0])

    def change(z):
        return form(z.masked_fill(z < 1.5, -torch.inf).numpy())

    assert choosing.kept(logits[None], change) == [2]
    assert choosing.sampler(change)(logits, []) in (0, 1)
    changed = choosing.changed(change, logits)
    assert changed.dtype == torch.float32 and changed.tolist() == [3.0, 2.0, -np.inf]


@each_form
def test_a_layer_by_hand_and_its_gradients_are_compared_in_any_form(form):
    step = torch.nn.GRUCell(by_hand.C, by_hand.H)

    def gru_cell(x, h, W_x, W_h, b_x, b_h):
        step.load_state_dict({"weight_ih": W_x.T, "weight_hh": W_h.T, "bias_ih": b_x, "bias_hh": b_h})
        return form(step(x, h).numpy())

    assert by_hand.with_gru_cell(gru_cell) < 1e-6
    ones = np.ones((2, 3))
    assert backward.largest_difference([form(ones)], [torch.zeros(2, 3)]) == 1


def test_numbers_without_axes_and_pairs_in_lists():
    vectors = {"one": WordVectors([str(i) for i in range(1000)], np.random.default_rng(0).normal(size=(1000, 3)))}
    assert similarity.agreement(vectors, lambda a, b: np.array(0.5)).tolist() == [[0.5]]
    merges, _ = timed_training(lambda words, alphabet, size: ([b"a", b"b"],), {}, [257])
    assert merges == [(b"a", b"b")]
    assert plain((torch.tensor([1, 2]), np.array([-100, 2]))) == ([1, 2], [-100, 2])


def test_a_view_of_an_image_has_its_dtype():
    images = torch.rand(2, 8, 8)
    assert random_view(images, lambda moved, down, right: moved.double()).dtype == torch.float32


def test_the_loss_of_negative_sampling_is_differentiated_by_the_course():
    parts = [torch.randn(4, 3), torch.randn(4, 3), torch.randn(4, 2, 3)]
    loss, *slopes = backward.gradients(backward.negative_sampling_loss, *parts)
    scores, against = (parts[0] * parts[1]).sum(-1), torch.einsum("bkd,bd->bk", parts[2], parts[0])
    wanted = (torch.nn.functional.softplus(-scores) + torch.nn.functional.softplus(against).sum(1)).mean()
    assert torch.allclose(loss, wanted) and [s.shape for s in slopes] == [p.shape for p in parts]
