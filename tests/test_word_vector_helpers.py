"""What chapter 02 is given: corpus, word2vec's lines and models, counts, analogies, tags, averaged messages."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch
from scipy import sparse
from torch.nn.functional import logsigmoid

from helpers.chapters.word_vectors import (
    analogy_scores,
    associations,
    backward,
    causal_bag,
    cooccurrence,
    evaluations,
    factorization,
    figures,
    similarity,
    window_tags,
    word2vec,
)
from helpers.chapters.word_vectors.corpus import read_corpus
from helpers.chapters.word_vectors.word2vec import CausalBag, CBoW, SkipGram
from helpers.data import Analogies
from helpers.models.word_vectors import WordVectors


def windows_of(ids, texts, reach):
    """The slow way: one place after another."""
    offsets = [o for o in range(-reach, reach + 1) if o]
    inside = [[i + o for o in offsets] for i in range(len(ids))]
    return np.array(
        [[ids[j] if 0 <= j < len(ids) and texts[i] == texts[j] else -1 for j in row] for i, row in enumerate(inside)]
    )


def mask(texts, reaches):
    place = torch.arange(texts.shape[1])
    apart = (place[:, None] - place).abs()
    return (apart > 0) & (apart <= reaches[:, :, None]) & (texts[:, :, None] == texts[:, None, :])


def line_loss(scores, pairs, against, times, weight):
    noise = (times * logsigmoid(-against).mean(1)).sum()
    return -(logsigmoid(scores[pairs]).sum() + weight * noise) / pairs.sum()


def answer(vectors, questions, among):
    """3CosAdd of vectors of length 1."""
    a, b, c = questions.T
    cosines = (vectors[b] - vectors[a] + vectors[c]) @ vectors[:among].T
    np.put_along_axis(cosines, questions, -np.inf, axis=1)
    return cosines.argmax(1)


def ppmi(counts):
    expected = counts.sum(1, keepdims=True) * counts.sum(0, keepdims=True) / counts.sum()
    pmi = np.log2(counts, where=counts > 0, out=np.zeros_like(counts)) - np.log2(expected)
    return np.where(counts > 0, np.maximum(pmi, 0), 0)


# ------------------------------------------------------------------------------------- corpus, lines
def test_corpus_numbers_frequent_words_first_and_leaves_out_rare_ones():
    corpus = read_corpus(["b B float32 a 3 a_1", "a b rare", ""], fewest=2)
    assert corpus.words == ["b", "a"] and corpus.counts.tolist() == [3, 2]
    assert corpus.ids.tolist() == [0, 0, 1, 1, 0] and corpus.texts.tolist() == [0, 0, 0, 1, 1]
    assert corpus.row == {"b": 0, "a": 1} and corpus.count("a") == 2
    assert read_corpus(["x float32 a_1 3d"], fewest=1).words == ["a_1", "d", "float32", "x"]


def test_lines_are_pieces_of_the_text_and_a_pass_reads_it_once():
    corpus = read_corpus(["a b c d e f g h"] * 10_000, fewest=1)
    batches = word2vec.LineBatches(corpus, np.ones(8), reach=3)
    np.random.seed(0)
    first = [batches(step) for step in range(batches.steps)]
    ids = torch.cat([ids for ids, _, _ in first])
    assert ids.shape == (batches.steps * word2vec.LINES, word2vec.LINE) and batches.steps == 3
    assert ((ids[:, 1:] - ids[:, :-1]) % 8 == 1).all()
    assert len({tuple(line) for _, _, texts in first for line in texts.tolist()}) == len(ids)  # no line twice
    reaches = torch.cat([reaches for _, reaches, _ in first])
    assert reaches.unique().tolist() == [1, 2, 3]
    assert not torch.equal(batches(batches.steps)[0], first[0][0])  # the next pass is cut anew


def test_words_that_are_not_kept_are_in_no_line():
    corpus = read_corpus(["a b b"] * 20_000, fewest=1)
    batches = word2vec.LineBatches(corpus, np.array([0.0, 1.0]), reach=1)
    assert corpus.words == ["b", "a"] and (batches(0)[0] == 1).all()


# ---------------------------------------------------------------------------------- models, training
def test_skip_gram_holds_each_centre_against_the_noise_once():
    model = SkipGram(6, 3)
    with torch.no_grad():
        model.outputs.normal_()
    ids, noise = torch.tensor([[4, 1, 4]]), torch.tensor([0, 2])
    pairs = mask(torch.zeros(1, 3), torch.ones(1, 3))
    scores, same, against, times = model(ids, pairs, noise)
    assert same is pairs and times.tolist() == [2, 2]  # of words 1 and 4
    torch.testing.assert_close(scores[0, 0, 1], model.inputs[4] @ model.outputs[1])
    torch.testing.assert_close(against, model.inputs[[1, 4]] @ model.outputs[[0, 2]].T)


def test_cbow_holds_the_mean_of_the_company_against_the_word():
    model = CBoW(6, 3)
    with torch.no_grad():
        model.outputs.normal_()
    ids, texts = torch.tensor([[4, 1, 3, 5]]), torch.tensor([[0, 0, 0, 1]])
    scores, known, against, ones = model(ids, mask(texts, torch.ones(1, 4)), torch.arange(4))
    assert known.tolist() == [[True, True, True, False]] and ones.tolist() == [1, 1, 1]
    mean = (model.inputs[4] + model.inputs[3]) / 2
    torch.testing.assert_close(scores[0, 1], mean @ model.outputs[1])
    torch.testing.assert_close(against[1, 0], mean @ model.outputs[0])
    assert against.shape == (3, 1)  # a quarter of the noise


@pytest.mark.parametrize("kind", [SkipGram, CBoW])
def test_training_learns_and_repeats_by_its_seed(kind, monkeypatch):
    monkeypatch.setattr(word2vec, "LINE", 6)
    monkeypatch.setattr(word2vec, "LINES", 16)
    corpus = read_corpus(["sun moon star", "bread butter jam"] * 100, fewest=1)
    trainer = word2vec.Trainer(lambda n: np.ones(len(n)), lambda n: n / n.sum(), mask, line_loss)
    (vectors, history), (again, _), (other, _) = (
        trainer.train(kind, corpus, passes=2, width=4, seed=seed) for seed in (0, 0, 1)
    )
    assert len(history.losses) == 10 and history.losses[-1] < history.losses[0]
    assert vectors.matrix.shape == (6, 4) and np.array_equal(vectors.matrix, again.matrix)
    assert not np.allclose(vectors.matrix, other.matrix)


def test_glove_brings_the_scores_near_the_logarithms(monkeypatch):
    monkeypatch.setattr(factorization, "CELLS", 50)
    counts = sparse.csr_matrix(np.array([[0, 30.0, 2], [30, 0, 4], [2, 4, 0]]))

    def loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
        scores = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
        return ((scores - counts.log()) ** 2).sum()

    passes = 15 * factorization.CELLS / counts.nnz  # 15 steps
    vectors, history = factorization.train_glove(counts, ["a", "b", "c"], loss, passes)
    assert vectors.matrix.shape == (3, 100) and history.losses[-1] < history.losses[0] / 2


# -------------------------------------------------------------------------------------------- counts
def test_documents_and_windows_count_what_meets():
    corpus = read_corpus(["a b a c", "b b"], fewest=1)  # b, a, c
    assert corpus.words == ["b", "a", "c"]
    assert cooccurrence.in_documents(corpus, 2).tolist() == [[1, 1], [1, 0]]
    counts = cooccurrence.window_counts(corpus, windows_of, 3, reach=2).toarray()
    assert counts.tolist() == [[2, 2, 0.5], [2, 1, 1], [0.5, 1, 0]]
    assert cooccurrence.window_counts(corpus, windows_of, 2, reach=2).toarray().tolist() == counts[:2, :2].tolist()


def test_pieces_of_a_long_text_add_up(monkeypatch):
    corpus = read_corpus(["a b", "c a"] * 9, fewest=1)
    whole = cooccurrence.window_counts(corpus, windows_of, 3, reach=1)
    monkeypatch.setattr(cooccurrence, "PLACES", 20)  # two pieces of 18 places
    assert (cooccurrence.window_counts(corpus, windows_of, 3, reach=1) != whole).nnz == 0


def test_sparse_ppmi_is_that_of_the_dense_table():
    counts = sparse.csr_matrix(np.random.default_rng(0).poisson(0.7, size=(6, 9)) + np.eye(6, 9))
    assert cooccurrence.same_ppmi(counts, ppmi) and not cooccurrence.same_ppmi(counts, lambda n: n)


def test_a_merged_word_lies_between_its_senses_nearer_to_the_frequent_one():
    counts = sparse.csr_matrix(np.array([[0, 0, 8, 8], [0, 2, 0, 1], [8, 0, 1, 1], [8, 1, 1, 1]], dtype=float))
    apart, first, second = cooccurrence.merged_cosines(counts, 0, 1)
    assert apart < second < first


def test_singular_values_against_the_library():
    matrix = np.random.default_rng(0).normal(size=(40, 30))
    singular = np.linalg.svd(matrix, compute_uv=False)[:25]
    assert factorization.library_gap(matrix, singular) < 1e-6
    assert factorization.library_gap(matrix, singular + 1) == pytest.approx(1)


def test_the_last_word_beside_chance_is_a_table_with_its_total():
    meetings = np.array([[2, 2], [2, 6]])
    lines = cooccurrence.beside_chance(["rare", "like"], meetings, np.log2(meetings)).splitlines()
    assert [line.split() for line in lines[:2]] == [["rare", "like"], ["row", "sums", "4", "8"]]
    assert lines[2].split() == ["like", "meets", "2", "6"] and lines[3].split()[2:] == ["2.6667", "5.3333"]
    assert lines[4].split()[2:] == ["1", "2.585"] and lines[5] == "the whole table: 12"


def test_the_picture_of_singular_values_says_how_much_is_kept():
    table = np.diag(np.arange(12, 0, -1.0))
    _, alt = figures.singular_values(np.arange(12, 0, -1.0), table)
    assert "from 12 to 3" in alt and "12 keep 100%" in alt


def test_the_picture_of_vectors_as_strips_says_how_near_each_is_to_the_first(square):
    table = square.matrix.copy()
    _, alt = figures.strips(WordVectors(square.words, 7 * table), ["man", "men", "moon"])
    assert "3 words" in alt and "men 0.80, moon 0.22." in alt
    assert (square.matrix == table).all()


# ------------------------------------------------------------------------------- neighbours, analogies
@pytest.fixture
def square():
    """Two relations that are directions: right and up; one word on its own."""
    matrix = np.array([[2, 0, 1, 0], [2, 0, 0, 1], [0, 2, 1, 0], [0, 2, 0, 1], [1, 1, -1, -1]], dtype=np.float32)
    return WordVectors(["man", "men", "king", "kings", "moon"], matrix / np.linalg.norm(matrix, axis=1, keepdims=True))


def test_neighbours_leaves_out_unknown_words(square):
    said = similarity.neighbours(square, "man woman king", k=1, width=6)
    assert said == "man    men\nking   kings"
    assert similarity.neighbours(square, "man", 1, 4, title="x ", cosines=True) == "x man  men 0.80"


def test_groups_name_the_words_that_have_a_vector(square):
    groups = {"people": "man woman king", "sky": "moon sun"}
    assert similarity.group_of(groups, square) == {"man": "people", "king": "people", "moon": "sky"}


def test_agreement_is_a_table_of_every_two_methods():
    rng = np.random.default_rng(0)
    methods = {n: WordVectors([str(i) for i in range(1000)], rng.normal(size=(1000, 5))) for n in "ab"}
    found = similarity.agreement(methods, lambda a, b: float(np.corrcoef(a, b)[0, 1]))
    assert found.diagonal() == pytest.approx([1, 1]) and abs(found[0, 1]) < 0.3


def test_quiz_asks_known_questions_and_sums_up_the_groups(square):
    company = [("man", "men", "king", "kings"), ("man", "king", "men", "moon"), ("man", "men", "sun", "suns")]
    others = [("king", "kings", "man", "men")]
    quiz = analogy_scores.Quiz(Analogies({"opposites": company, "gram-plural": others}, None), 5, answer)
    right = quiz.right_by_section(square)
    assert right["opposites"].tolist() == [True, False] and right["gram-plural"].tolist() == [True]
    assert quiz.shares(square) == {"company": 0.5, "others": 1.0, "all": 0.667}
    lines = analogy_scores.table({"one": right, "two": right}).splitlines()
    assert lines[1].split() == ["opposites", "2", "0.50", "0.50"]
    assert lines[2].split() == ["gram-plural", "1", "1.00", "1.00", "others"]
    assert [line.split()[1:3] for line in lines[3:]] == [["2", "0.500"], ["1", "1.000"], ["3", "0.667"]]


def test_the_neighbour_alone_is_asked_without_a_direction(square):
    questions = [("man", "king", "men", "kings")]
    quiz = analogy_scores.Quiz(Analogies({"opposites": questions}, None), 5, lambda v, q, n: q[:, 1] + len(q))
    assert quiz.nearest_right(square, "opposites").tolist() == [False]  # it was asked "man is to man"
    assert quiz.right_by_section(square)["opposites"].tolist() == [True]  # king, row 2, plus one


def test_vectors_are_judged_both_ways(square, monkeypatch):
    class Tags:
        tagged = SimpleNamespace(test=[(["man", "moon", "9"], [])])

        def scores(self, vectors, reach, seeds, steps):
            return [0.5]

    class Quiz:
        among = 4

        def shares(self, vectors):
            return {"all": len(vectors) / 16}

    monkeypatch.setattr(evaluations, "intents", lambda *arguments: 0.75)
    table = evaluations.both_ways({"square": square}, Quiz(), Tags(), 1, [], None)
    assert table.splitlines()[2].split() == ["square", "0.250", "0.500", "0.750"]
    assert "Then 50% of the test words of the tags\nhave a vector" in table and "of 5 words, 100% had one" in table


def test_differences_of_one_relation_point_the_same_way(square):
    questions = [("man", "men", "king", "kings"), ("king", "kings", "man", "men")]
    quiz = analogy_scores.Quiz(Analogies({"plural": questions}, None), 5, answer)
    cosines, pairs = quiz.difference_cosines(square, ["plural"])
    assert pairs == [("man", "men"), ("king", "kings")] and cosines == pytest.approx(np.ones((2, 2)))


def test_rows_leave_out_unknown_words():
    rows = associations.rows_of({"people": "king woman man", "none": "sun"}, {"man": 0, "king": 2})
    assert rows == {"people": [2, 0], "none": []}


def test_effects_have_a_line_for_each_method(square):
    lists = [[0, 1], [2], [3], [4]]
    table = associations.effects_table(lambda X, *others: (len(X), 0.25), {"square": square}, lists)
    assert table == "square     effect  2.00, p = 0.2500"


def test_association_with_trouble(square):
    lexicon = {"systems": [0], "mathematics": [3], "trouble": [1], "praise": [2, 3]}
    found = associations.with_trouble(square, lexicon)
    assert found["systems"]["man"] == pytest.approx(0.7) and found["mathematics"]["kings"] == pytest.approx(-0.7)
    effects = associations.random_effects(lambda *lists: (lists[0].sum(), 0), square.matrix, [[0]] * 4, times=3)
    assert len(effects) == 3 and effects == [round(effect, 2) for effect in effects]
    _, alt = figures.association_bars(found)
    assert alt.endswith("has 1 of 1 words of systems and 0 of 1 words of mathematics.")


# ------------------------------------------------------------------------------- gradients, tasks
def test_gradients_leaves_what_is_fixed():
    x, y = torch.tensor([1.0, 2]), torch.tensor([3.0, 4])
    value, slope = backward.gradients(lambda x, y, n: x * y * n, x, y, 2, fixed=(1,))
    assert value.tolist() == [6, 16] and slope.tolist() == [6, 8] and not x.requires_grad
    assert backward.largest_difference([x, y], [x, y + torch.tensor([0, -2])]) == 2


def test_causal_bag_judges_the_texts_held_out():
    corpus = read_corpus(["a b c", "a b c", "b a"], fewest=1)

    def scores(windows, inputs, outputs, causal):
        assert causal
        return 1e3 * torch.nn.functional.one_hot((windows[:, 0] + 1) % 3, 3).float() + 0 * inputs.sum()

    text = causal_bag.NextWord(corpus, windows_of, [False, False, True], size=3, reach=1)
    model = CausalBag(scores, 3, 2)
    assert text.learned.tolist() == [0, 1, 2, 3, 4, 5] and text.judged.tolist() == [6, 7]
    assert text.unigram_perplexity() == pytest.approx(3)
    assert text.continued(model, "a", "c b").split("\n")[0].split() == ["a"] + ["b", "c", "a"] * 4 + ["b", "c"]
    windows, words = text.batch(0)
    assert windows.shape == (causal_bag.BATCH, 2) and (windows[words == 2, 0] == 1).all()


def test_f1_of_tags_leaves_out_what_is_outside():
    guess = torch.eye(3)[torch.tensor([0, 1, 1, 2, 0])]
    model = torch.nn.Linear(3, 3, bias=False)
    with torch.no_grad():
        model.weight.copy_(torch.eye(3))
    truth = torch.tensor([0, 1, 2, 2, 1])
    assert window_tags.token_f1(model, guess, truth, outside=0) == pytest.approx(2 * 2 / (3 + 4))


def test_token_features_are_words_beside_capitals_and_digits():
    def features(ids, windows, table):
        padded = np.vstack([table, np.zeros((1, table.shape[1]))])
        return padded[np.column_stack([ids, windows])].reshape(len(ids), -1)

    vectors = WordVectors(["at"], np.array([[0, 2.0]], dtype=np.float32))
    task = window_tags.TagTask(None, windows_of, features)
    found = task.token_features([["At", "9am"], ["MIT"]], vectors, reach=1)
    assert found.shape == (3, 3 * 2 + 3 * 3)
    assert found[0].tolist() == [0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1]
    assert found[2].tolist() == [0] * 6 + [1, 1, 0] + [0] * 6
