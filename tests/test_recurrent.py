"""What chapter 03 is given: its models, how they are trained and judged, and its figures."""

import math
from collections import Counter

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional as F

from autograder import paths
from autograder.authoring.measured import measured
from helpers.chapters.rnns import (
    agreement,
    characters,
    date_series,
    figures,
    gradients,
    message_sorting,
    next_words,
    recall,
    spam_messages,
    tagging,
    training_loop,
    two_matrices,
    vocabularies,
    word_senses,
)
from helpers.chapters.rnns.bidirectional import BidirectionalLM, two_way_loss
from helpers.chapters.rnns.characters import CharacterLM
from helpers.chapters.rnns.encoder_decoder import EncoderDecoder
from helpers.chapters.rnns.hmm import HiddenMarkov
from helpers.chapters.rnns.message_reader import MessageReader, Words
from helpers.chapters.rnns.recurrent import remembering, scaled_rnn
from helpers.chapters.rnns.tagger import BiLSTMTagger, Features
from helpers.chapters.rnns.two_matrices import RANDOM_E, RANDOM_U
from helpers.chapters.rnns.window import WindowModel
from helpers.data.tagged import Sentence
from helpers.models.word_vectors import WordVectors

SENTENCES = [
    Sentence(["Ann", "met", "Bob", "Lee", "."], ["B-PERSON", "O", "B-PERSON", "I-PERSON", "O"]),
    Sentence(["ann", "met", "nobody"], ["B-PERSON", "O", "O"]),
]


def best_path(emissions, transitions, start):
    """The best path by trying all of them."""
    paths = np.indices((len(start),) * len(emissions)).reshape(len(emissions), -1).T
    steps = [transitions[p[:-1], p[1:]].sum() + emissions[range(len(p)), p].sum() + start[p[0]] for p in paths]
    return paths[int(np.argmax(steps))].tolist()


def masked(logits, tags, lengths):
    real = torch.arange(tags.shape[1]) < lengths[:, None]
    return F.cross_entropy(logits[real], tags[real])


def test_hidden_markov_counts_shares_and_shares_them_with_unseen_words():
    with np.errstate(divide="ignore"):  # the logarithm of a share of 0
        hmm = HiddenMarkov(SENTENCES, k=0.0)
    person, out = hmm.tags.index("B-PERSON"), hmm.tags.index("O")
    assert math.exp(hmm.start[person]) == 1
    assert math.exp(hmm.transitions[person, out]) == pytest.approx(2 / 3)
    # Of the three tokens that begin a person, "Ann" and "ann" are known; "Bob" was seen once, as if unseen.
    np.testing.assert_allclose(np.exp(hmm.emissions(["ANN", "Zoe"])[:, person]), [2 / 3, 1 / 3])


def test_hidden_markov_reads_tags_by_the_path_it_is_given():
    hmm = HiddenMarkov(SENTENCES)
    assert hmm.best_paths(SENTENCES[:1], best_path) == [["B-PERSON", "O", "B-PERSON", "I-PERSON", "O"]]


def test_features_number_words_endings_and_shapes():
    features = Features([["the", "The", "then", "B2B"]])
    assert features.words == {"the": 2}
    assert features.of("THE") == [2, 1, 1 + 4 + 1]
    assert features.of("2b") == [1, 1, 1 + 2]
    x, lengths = features.pad([["the"], ["the", "?"]])
    assert x.shape == (2, 2, 3)
    assert x[0, 1].tolist() == [0, 0, 0]
    assert lengths.tolist() == [1, 2]


def test_a_tagger_does_not_see_padding():
    torch.manual_seed(0)
    features = Features([s.tokens for s in SENTENCES])
    model = BiLSTMTagger(features.sizes, tags=3, classes=2).eval()
    both, alone = model(*features.pad([s.tokens for s in SENTENCES])), model(*features.pad([SENTENCES[1].tokens]))
    torch.testing.assert_close(both[0][1, :3], alone[0][0])
    torch.testing.assert_close(both[1][1], alone[1][0])


def test_a_trained_tagger_knows_its_sentences():
    tags = sorted({tag for s in SENTENCES for tag in s.tags})
    tagger = tagging.train_tagger(SENTENCES, tags, tagging.tag_loss(masked), 25)
    assert tagger.tag(SENTENCES) == [s.tags for s in SENTENCES]
    assert tagger.best_paths(SENTENCES, best_path) == tagger.tag(SENTENCES)
    sorter = tagging.train_tagger(SENTENCES, tags, tagging.label_loss, 8, labels=[1, 0], classes=2)
    assert sorter.classify(SENTENCES).tolist() == [1, 0]


def test_lawful_forbids_what_continues_nothing():
    transitions, start = tagging.lawful(["B-A", "I-A", "I-B", "O"])
    assert (start < 0).tolist() == [False, True, True, False]
    assert (transitions < 0).tolist() == [[False, False, True, False]] + [
        [False, wrong_a, wrong_b, False] for wrong_a, wrong_b in [(False, True), (True, False), (True, True)]
    ]


def test_messages_are_batched_by_length_and_labelled():
    features = Features([s.tokens for s in SENTENCES])
    ((x, lengths, tags, labels),) = tagging.message_batches(features, SENTENCES, ["O", "B-PERSON"], [7, 8])
    order = labels.tolist()
    assert sorted(order) == [7, 8]
    assert lengths.tolist() == [{7: 5, 8: 3}[label] for label in order]
    assert x.shape == (2, 5, 3)
    assert tags[order.index(7)].tolist() == [1, 0, 1, 0, 0]


def names(tags):
    """The spans of tags that are all one token long."""
    return {(tag[2:], i, i + 1) for i, tag in enumerate(tags) if tag != "O"}


def test_spans_are_told_apart_by_what_training_had_seen():
    train = [Sentence(["Ann", "met", "Bob"], ["B-P", "O", "B-P"])]
    judged = [Sentence(["ann", "met", "met", "Zoe"], ["B-P", "O", "B-P", "B-P"])]
    found = tagging.by_novelty(train, judged, names)
    assert found == {"same span": {(0, "P", 0, 1)}, "known words": {(0, "P", 2, 3)}, "new word": {(0, "P", 3, 4)}}
    table = tagging.span_table(train, judged, {"x": [["B-P", "O", "O", "B-P"]]}, names, lambda *_: (1.0, 0.5, 0.7))
    assert table.splitlines()[1].split()[-3:] == ["0.333"] * 3
    assert table.splitlines()[2].split() == ["x", "1.000", "0.500", "0.700", "1.000", "0.000", "1.000"]


def test_linear_windows_see_two_neighbours_on_each_side_and_no_padding():
    torch.manual_seed(0)
    features = Features(tokens for tokens, _ in SENTENCES * 5)
    for build in (tagging.feature_window, tagging.docs_window(WordVectors(["ann", "met"], np.eye(2)))):
        network = build(features, 3).eval()
        x, lengths = features.pad([["Ann", "met", "Bob", "Lee", ".", "met"], ["met", "met", "Ann"]])
        scores = network(x, lengths)[0]
        changed = x.clone()
        changed[0, 5], changed[1, 3:] = x[0, 0], 1
        other = network(changed, lengths)[0]
        torch.testing.assert_close(other[0, :3], scores[0, :3])
        assert not torch.allclose(other[0, 3], scores[0, 3])
        torch.testing.assert_close(other[1, :3], scores[1, :3])
    assert not network.embed[0].weight.requires_grad  # the vectors of chapter 02 stay


def test_scores_of_tags():
    gold, found = [["B-A", "O"], ["O", "O"]], [["B-A", "B-B"], ["O", "O"]]
    assert tagging.accuracy(gold, found) == 0.75

    def all_right(one, other):
        return (1.0, 1.0, float(one == other))

    assert tagging.f1_by_label(gold, found, ["A", "B"], all_right) == [1.0, 0.0]
    judged = [Sentence(["Ann", "sat"], gold[0]), Sentence(["it", "sat"], gold[1])]
    row = tagging.span_table(SENTENCES, judged, {"x": found}, names, all_right).splitlines()[2]
    assert row.split() == ["x", "1.000", "1.000", "0.000", "0.000", "1.000", "0.000"]
    assert tagging.bracketed(["Ann", "sat"], ["B-PERSON", "O"]) == "[Ann B-PERSON] sat"


def test_f1_of_classes_and_texts_without_words():
    assert spam_messages.share_right(torch.tensor([1, 1, 0]), [1, 1, 1]) == pytest.approx(2 / 3)


def test_word_windows_look_back_four_words():
    text = [*"abcdef"] * 700
    words = next_words.WordWindows(text, text, size=7)
    windows, following = words.batch(0)
    assert windows.shape == (256, 4)
    cycle = [words.number[w] for w in "abcdef"]
    for row, after in zip(windows.tolist(), following.tolist(), strict=True):
        assert [*row, after] == [cycle[(cycle.index(row[0]) + i) % 6] for i in range(5)]
    model = WindowModel(lambda ids, E, W_h, b_h, W_o, b_o, W_d: b_o.expand(len(ids), -1), 7, 3)
    assert words.perplexity(model) == pytest.approx(7, rel=1e-5)
    assert words.judged_pairs()[0] == (cycle[3], cycle[4])
    assert len(words.judged_pairs()) == 3000


def test_a_tied_window_model_has_a_matrix_less():
    sizes = [sum(p.numel() for p in WindowModel(None, 10, 3, tied=tied).parameters()) for tied in (False, True)]
    assert sizes[0] - sizes[1] == 30


def test_two_matrices_learn_a_text_that_alternates():
    E, U = next_words.train_two_matrices([0, 1] * 5, width=2, seed=0, steps=60)
    assert ((E @ U.T).argmax(axis=1) == [1, 0]).all()
    assert two_matrices.drawn(E, U, 0, [0.5] * 3) == [0, 1, 0, 1]
    assert RANDOM_E.shape == RANDOM_U.shape == (8, 2)


def test_the_random_vectors_have_the_probabilities_of_the_lecture():
    words = sorted({"the", "dog", "ran", ".", "ate", "zoo", "cat", "!"})
    after_the = two_matrices.next_probabilities(RANDOM_E, RANDOM_U, words.index("the"))
    assert after_the[words.index("ate")] == pytest.approx(0.5706, abs=2e-3)
    after_dog = two_matrices.next_probabilities(RANDOM_E, RANDOM_U, words.index("dog"))
    assert after_dog[words.index("cat")] == pytest.approx(0.2845, abs=2e-3)
    assert two_matrices.mean_nll(np.zeros((8, 2)), RANDOM_U, [0, 3, 5]) == pytest.approx(math.log(8))


def test_gates_let_the_gradient_pass():
    torch.manual_seed(0)
    reach = {kind: gradients.gradient_reach(remembering(kind, 4, 16), 40, seed=0) for kind in (nn.RNN, nn.LSTM)}
    far = {kind: values[-1] / values[0] for kind, values in reach.items()}
    assert far[nn.RNN] < 1e-6 < 0.01 < far[nn.LSTM]


def test_a_scaled_rnn_has_its_radius_and_an_echo_is_clipped():
    rnn = scaled_rnn(64, 2.5, seed=0)
    assert torch.linalg.eigvals(rnn.weight_hh_l0).abs().max().item() == pytest.approx(2.5, rel=0.15)
    assert gradients.hidden_states(rnn, 7).shape == (7, 64)
    limits = []
    norms, losses = gradients.train_echo(rnn, lambda found, limit: (limits.append(limit) or found, 5.0), 1.0, steps=2)
    assert (limits, norms, len(losses)) == ([1.0, 1.0], [5.0, 5.0], 2)


def test_the_first_symbol_is_a_signal_among_noise():
    symbols, first = recall.recall_batch(3, length=9, rows=50)
    assert (symbols[:, 0] == first).all()
    assert first.max() < 8 <= symbols[:, 1:].min()


def lstm_cell(x, h, c, W_x, W_h, b):
    i, f, g, o = (x @ W_x + h @ W_h + b).chunk(4, dim=-1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


def gru_cell(x, h, W_x, W_h, b_x, b_h):
    a, d = (x @ W_x + b_x).chunk(3, dim=-1), (h @ W_h + b_h).chunk(3, dim=-1)
    r, z = torch.sigmoid(a[0] + d[0]), torch.sigmoid(a[1] + d[1])
    return (1 - z) * torch.tanh(a[2] + r * d[2]) + z * h


def test_a_cell_and_a_loop_that_are_given_learn_the_first_symbol():
    assert recall.recall_accuracy("LSTM", lstm_cell, plain_loop, length=4, steps=25, seed=0) > 0.5
    stuck = recall.recall_accuracy("LSTM", lambda x, h, c, *w: (h, c), plain_loop, length=4, steps=25, seed=0)
    assert stuck < 0.3  # the states come from the cell and from nothing else


def test_a_cell_of_recall_has_the_states_of_pytorch():
    x = torch.randint(0, 16, (3, 7), generator=torch.Generator().manual_seed(0))
    for kind, cell in (("LSTM", lstm_cell), ("GRU", gru_cell)):
        torch.manual_seed(0)
        library = remembering(getattr(nn, kind), 16, 32)
        model = recall.Recall(kind, cell)
        library.load_state_dict(_as_library(library, model.weights))
        states = library(model.embed(x))[0]
        torch.testing.assert_close(model(x), model.out(states[:, -1]))
        model.mean = True
        torch.testing.assert_close(model(x), model.out(states.mean(1)))
    half = recall.Recall("LSTM", lstm_cell, open_gates=False)
    assert half.weights[2].abs().max() == 0 < recall.Recall("LSTM", lstm_cell).weights[2].max()


def _as_library(library, weights):
    """The weights of a cell under the names of PyTorch's layer; one bias stands for both."""
    W_x, W_h, *biases = (w.detach() for w in weights)
    named = {"weight_ih_l0": W_x.T, "weight_hh_l0": W_h.T, "bias_ih_l0": biases[0]}
    return named | {"bias_hh_l0": biases[1] if len(biases) > 1 else torch.zeros_like(biases[0])}


class Text:
    """Stands in for running text in splits."""

    train, valid = "abab" * 300, "abba" * 400


def plain_loop(model, batches, loss, optimizer, schedule, steps, clip, evaluate, every):
    """The loop of the exercise, in few words."""
    losses, found = [], []
    for step in range(steps):
        model.train()
        value = loss(model, batches[step % len(batches)])
        model.zero_grad()
        value.backward()
        nn.utils.clip_grad_norm_(model.parameters(), clip)
        optimizer.step()
        schedule.step()
        losses.append(value.item())
        if (step + 1) % every == 0 or step + 1 == steps:
            model.eval()
            with torch.no_grad():
                found.append((step + 1, evaluate(model)))
    return losses, found


def test_character_text_and_writing():
    text = characters.CharacterText(Text, steps=4, block=4, rows=4)
    assert text.characters == ["a", "b"]
    assert text.choosing.tolist() == [0, 1, 1, 0] * 200
    assert text.rows.shape == (4, 300) and text.unread.tolist() == [0, 1, 1, 0] * 200
    batches = text.round()
    assert len(batches) == 74 and {batch.shape for batch in batches} == {(4, 5)}
    assert (batches[0][:, -1] == batches[1][:, 0]).all()
    model, found, samples = characters.train_writer(text, "a", lambda _: torch.tensor([0.0, 1.0]), plain_loop, length=9)
    assert samples == ["a" + "b" * 9] * len(found) and [step for step, _ in found] == [1, 2, 3, 4]
    assert found[-1][1] == pytest.approx(text.bits(model))


def test_a_row_goes_on_where_it_stopped():
    model, loss = CharacterLM(3, width=4), characters.character_loss()
    rows = torch.randint(3, (2, 9), generator=torch.Generator().manual_seed(0))
    halves = torch.stack([loss(model, rows[:, :5]), loss(model, rows[:, 4:])])
    torch.testing.assert_close(halves.mean(), characters.character_loss()(model, rows))
    assert loss(model, rows[:1]).isfinite()  # another number of rows begins anew


def test_runs_on_parts_of_the_plays_are_those_of_the_claims():
    stored, claims = characters.by_size(), measured()["03_rnns"]["claims"]
    counting, lstm, longer = stored["bits"].values()
    for i, size in enumerate(stored["sizes"][:-1]):
        kept = claims[
            f"Minus bits per character, {size:,} characters read: the best n-gram with Kneser-Ney above the LSTM"
        ]
        assert ([-counting[i]], [-lstm[i]]) == (kept["better"], kept["worse"])
    assert -lstm[-1] == claims["Minus bits per character: LSTM above the 5-gram with Kneser-Ney"]["better"][0]
    seven = "Minus bits per character: the 7-gram with Kneser-Ney above the 6-gram"
    assert -counting[-1] == claims[seven]["better"][0]
    said = paths.source_text("03_rnns").read_text(encoding="utf-8")
    for i, part in ((0, "an eighth"), (2, "a half")):
        assert f"{counting[i]:.2f} against {lstm[i]:.2f}{' bits' * (i == 0)} on {part}" in said
    kept = claims["Minus bits per character, three times as many steps: LSTM above the best n-gram with Kneser-Ney"]
    assert ([-longer[-1]], [-counting[-1]]) == (kept["better"], kept["worse"])
    assert f"{longer[-1]:.2f} against {counting[-1]:.2f}" in said
    fig, alt = figures.bits_by_size(**stored)
    assert [len(line.get_xdata()) for line in fig.axes[0].lines] == [4, 4, 1]
    assert f"{counting[0]:.2f} at {stored['sizes'][0]:,}" in alt


def test_counting_is_judged_on_the_unread_text():
    bits = characters.CharacterText(Text, steps=1).counted((1, 2))
    assert bits[1] == pytest.approx(1, abs=1e-3) and bits[2] > bits[1]  # a and b by turns, then in pairs


def test_a_message_sorter_learns_its_classes():
    vectors = WordVectors(["red", "blue", "."], np.eye(3, dtype=np.float32))
    texts, labels = ["red .", "a red", "blue .", "a blue"] * 4, np.array([1, 1, 0, 0] * 4)
    sorter = message_sorting.message_sorter(vectors, steps=30, lr=1e-2)
    assert sorter(texts, labels, ["red", "blue", "RED red"], seed=0).tolist() == [1, 0, 1]
    words = Words(texts, vectors)
    assert words.number == {"red": 2, "blue": 3, ".": 4, "a": 5}
    torch.testing.assert_close(words.start()[2:5], 3**0.5 * torch.eye(3))
    assert words.pad(["", "a new blue"])[0].tolist() == [[1, 0, 0], [5, 1, 3]]
    assert sorter.parameters == sum(p.numel() for p in MessageReader(words.start(), 2).parameters())


def test_dates_are_padded_batched_and_judged():
    lessons = date_series.DateLessons.__new__(date_series.DateLessons)
    lessons.sources = {"a": 2, "b": 3}
    x, lengths = lessons.pad(["ab", "bxa"], turned=True)
    assert (x.tolist(), lengths.tolist()) == ([[3, 2, 0], [2, 1, 3]], [2, 3])
    x, lengths, targets, ends = lessons.batches([("ab", "01"), ("b", "0")] * 32)[0]
    assert x.shape == (64, 2)
    assert {tuple(row[:n]) for row, n in zip(targets.tolist(), ends.tolist(), strict=True)} == {
        (0, 1, date_series.END),
        (0, date_series.END),
    }
    pairs = [("", "1 2"), ("", "3 4"), ("", "5")]
    assert date_series.exact(["1 2", "3 5", "6"], pairs) == pytest.approx(1 / 3)
    assert date_series.right_by_place(["1 2", "3 5", "6"], pairs, 2) == [1.0, 0.5]


def test_stored_runs_of_the_memory_task_are_the_first_of_the_record():
    claims = measured()["03_rnns"]["claims"]
    task = "The first symbol, 40 steps later:"
    for name in ("GRU", "LSTM", "RNN, mean"):
        kept = claims[f"{task} {name} above RNN"]
        both = recall.stored_runs(name), recall.stored_runs("RNN")
        assert both == tuple(kept[side][: len(stored)] for side, stored in zip(("better", "worse"), both, strict=True))
    half_open = claims[f"{task} LSTM above an LSTM whose gates begin half open"]["worse"]
    stored = recall.stored_runs(f"LSTM, {recall.HALF_OPEN}")
    assert stored == half_open[: len(stored)] and len(stored) == 3


def test_the_stored_curve_of_reversed_sources_has_the_bins_of_the_plain_one():
    curve = date_series.reversed_curve()
    assert curve.edges == date_series.EDGES and len(curve.shares) == len(curve.counts) == len(curve.edges) - 1
    assert curve.shares[0] > 0.5 and curve.shares[-1] == 0


def test_greedy_steps_of_a_translator_are_those_of_training():
    torch.manual_seed(0)

    def forced(model, x, lengths, targets, begin):
        fed = torch.cat([torch.full_like(targets[:, :1], begin), targets[:, :-1]], dim=1)
        return model.out(model.states(fed, model.encode(x, lengths))[0])

    model = EncoderDecoder(6, 5, begin=4, forced=forced)
    x, lengths, targets = torch.tensor([[2, 3], [4, 0]]), torch.tensor([2, 1]), torch.tensor([[0, 1], [2, 3]])
    first, state = model.step(torch.tensor([4, 4]), model.encode(x, lengths))
    second, _ = model.step(targets[:, 0], state)
    torch.testing.assert_close(model(x, lengths, targets), torch.stack([first, second], dim=1))


def reverse(x, lengths):
    return torch.stack([torch.cat([row[:n].flip(0), row[n:]]) for row, n in zip(x, lengths, strict=True)])


def test_a_bidirectional_model_reads_both_ways():
    torch.manual_seed(0)
    model = BidirectionalLM(9, width=4)
    ids, lengths = torch.tensor([[1, 2, 3], [4, 5, 0]]), torch.tensor([3, 2])
    layers = model.layers(ids, lengths, reverse)
    assert layers.shape == (3, 2, 3, 8)
    torch.testing.assert_close(layers[0, ..., :4], layers[0, ..., 4:])  # the static vectors, once for each direction
    changed = model.layers(ids.index_fill(1, torch.tensor([0]), 7), lengths, reverse)
    assert torch.equal(layers[:, :, 1, 4:], changed[:, :, 1, 4:])  # the word before is not seen backwards
    assert not torch.equal(layers[1, :, 1, :4], changed[1, :, 1, :4])
    assert two_way_loss(model, ids).item() == pytest.approx(2 * math.log(9), rel=0.2)


def test_places_of_a_word_and_their_neighbours():
    sentences = [
        Sentence(["my", "bank", "account"], ["O", "O", "O"]),
        Sentence(["Pennant", "Bank", "is", "a", "bank"], ["B-ORG", "I-ORG", "O", "O", "O"]),
    ]
    assert [(place.index, place.sense) for place in word_senses.banks(sentences)] == [(1, "an account"), (1, "a firm")]
    vectors = torch.tensor([[1.0, 0.0], [1.0, 0.1], [0.0, 1.0], [0.1, 1.0]])
    assert word_senses.neighbour_right(vectors, ["x", "x", "y", "y"]) == 1.0
    assert word_senses.neighbour_right(vectors, ["x", "y", "x", "y"]) == 0.0
    inside, _, between = word_senses.mean_cosines(torch.eye(2)[[0, 0, 1]], ["x", "x", "y"], ("x", "y"))
    assert (inside, between) == (1.0, 0.0)


def test_a_probe_learns_what_a_layer_tells():
    torch.manual_seed(0)
    labels = ["x", "y"] * 20
    layers = torch.randn(3, 40, 4)
    layers[2, :, 0] = torch.tensor([4.0, -4.0] * 20)

    def mix(layers, weights, gamma):
        return gamma * torch.einsum("l,lbtc->btc", weights.softmax(0), layers)

    shares, right = word_senses.train_probe(layers, labels, mix)
    assert right == 1.0
    assert shares[2] == max(shares)


def test_spanish_mar_is_a_weekday_first_and_a_month_later():
    texts, at, found = word_senses.spanish_mar(300)
    assert len(set(zip(texts, at, strict=True))) == len(texts)
    for text, i, sense in zip(texts, at, found, strict=True):
        assert text[i - 2 : i + 1] == "mar"
        assert (i == 2) == (sense == "weekday")


def test_a_loop_is_watched():
    weights, batches = [torch.tensor([[2.0]])], [(torch.ones(1, 1), torch.zeros(1, 1))]
    found = training_loop.after_training(plain_loop, weights, batches, 2, 1.0, 2, ("sgd", 0.1, 0.5))
    assert found["losses"] == pytest.approx([4, 1.9**2]) and found["modes"] == ["train", "train", "eval, no grad"]
    assert found["weights"][0].item() == pytest.approx(1.85) and (found["ended"], found["kind"]) == ("eval", "float")
    assert weights[0].item() == 2  # a copy was trained


def test_both_loops_go_the_same_way():
    ours, theirs = training_loop.side_by_side(characters.CharacterText(Text, steps=4, block=4, rows=4), plain_loop, 4)
    assert len(ours) == 4 and ours == pytest.approx(theirs, abs=1e-5)


def test_a_cell_that_counts_is_found():
    text = characters.CharacterText(Text, steps=1)
    values, since = characters.cell_values(CharacterLM(2, width=4), text, 7)
    assert values.shape == (7, 4) and since.tolist() == list(range(7))  # there is no line break
    counting = np.stack([np.zeros(7), np.sin(since), -since], axis=1)
    assert characters.line_counter(counting, since) == (2, pytest.approx(-1))


def test_vocabularies_are_asked_the_same():
    def count(tokens, n):
        return Counter(zip(*(tokens[i:] for i in range(n)), strict=False)), {}

    def share(word, context, ngrams, contexts, size, k):
        return ngrams[(*context, word)] / ngrams.total()

    reading = vocabularies.Vocabularies(list("aaabbccd"), list("abce"), count, share)
    assert reading.size == 4  # a, b, c and <unk>, which d is
    assert reading.judge(4, 1, 0)[1:] == ([3 / 8, 2 / 8, 2 / 8, 1 / 8],) * 2
    kept, own, same = reading.judge(2, 1, 0)  # a alone is kept
    assert (kept, own) == (1 / 4, [3 / 8, 5 / 8, 5 / 8, 5 / 8]) and same == [3 / 8, 2 / 8, 2 / 8, 1 / 8]


def test_agreement_is_zero_for_the_library_itself():
    def stacked(x, lengths, layers):
        for forward, backward in layers:
            there, back = forward(x), torch.zeros_like(forward(x))
            for b, n in enumerate(lengths.tolist()):
                back[b, :n] = backward(x[b : b + 1, :n].flip(1))[0].flip(0)
            x = torch.cat([there, back], -1)
        return x * (torch.arange(x.shape[1]) < lengths[:, None])[..., None]

    assert agreement.with_lstm(stacked) < 1e-6
    assert agreement.with_gru_cell(lambda x, h, *w: h) > 1e-3
    assert agreement.by_sacrebleu([["a", "b"]], [["a", "b"]], 2) == pytest.approx(1)
    assert agreement.sacrebleu_says([*"abcd"], [*"abcd"]).endswith("BLEU-4 1.0000, chrF 1.0000")
    candidate, reference = ["the", "cat", "sat", "on", "the", "mat"], ["the", "cat", "is", "on", "the", "mat"]
    assert agreement.sacrebleu_says(candidate, reference).startswith("BLEU-2 0.7071, BLEU-3 0.5000, BLEU-4 0.0000")
