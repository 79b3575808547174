"""Search by translation: expectation maximisation against plain loops, the score against its formula, honest pairs."""

import numpy as np
import scipy.sparse as sp

from helpers.chapters.contrastive import translation_model
from helpers.chapters.contrastive.translation_model import SELF, TRUST, Translation, docs_pairs, learned
from helpers.data import load
from helpers.search.fusion import summed

PAIRS = [
    ("house small", "haus klein haus"),
    ("house", "haus gross"),
    ("small book", "klein buch"),
    ("large", "gross unbekannt"),
] * 2
PASSAGES = ["haus gross haus", "buch klein", "nothing of this"]


def slowly(asking, asked, rounds):
    """Brown et al. 1993, Model 1, as it is written: t(w | b) from pairs of word lists and {word: share}."""
    table = {(b, w): 1.0 for q, d in zip(asking, asked, strict=True) for w in q for b in d}
    for _ in range(rounds):
        counts = dict.fromkeys(table, 0.0)
        for query, body in zip(asking, asked, strict=True):
            for w in query:
                whole = sum(table[b, w] * share for b, share in body.items())
                for b, share in body.items():
                    counts[b, w] += table[b, w] * share / whole
        table = {key: n / sum(m for other, m in counts.items() if other[0] == key[0]) for key, n in counts.items()}
    return table


def test_the_table_is_that_of_plain_loops():
    rng = np.random.default_rng(0)
    queries, bodies = (rng.random((12, 9)) * (rng.random((12, 9)) < 0.4) for _ in range(2))
    bodies[:, 0] += 0.1  # no body is empty
    queries[3] = 0  # a query without known words
    queries = np.sign(queries)
    found = learned(sp.csr_matrix(queries), sp.csr_matrix(bodies), rounds=3).toarray()
    asking = [np.flatnonzero(q).tolist() for q in queries]
    asked = [{int(b): row[b] for b in np.flatnonzero(row)} for row in bodies]
    right = np.zeros((9, 9))
    for place, value in slowly(asking, asked, 3).items():
        right[place] = value
    np.testing.assert_allclose(found, right, rtol=1e-5, atol=1e-9)
    sums = found.sum(axis=1)
    np.testing.assert_allclose(sums[sums > 0], 1, rtol=1e-6)


def test_a_word_is_found_by_its_translation():
    model = Translation(PASSAGES, PAIRS)
    scores = model.scores(["house", "small book", "zzz"])
    assert scores.shape == (3, 3)
    assert scores.argmax(axis=1).tolist()[:2] == [0, 1], "none of the passages holds a word of the query"
    assert not scores[2].any(), "an unknown word says nothing"


def test_the_score_is_the_logarithm_of_the_mixture():
    model = Translation(PASSAGES, PAIRS)
    place = model.vectorizer.vocabulary_
    word, held = place["hous"], model.held.toarray()
    share = SELF * held[:, word] + (1 - SELF) * held @ model.table.toarray()[:, word]
    right = np.log(TRUST * share + (1 - TRUST) * model.everywhere[word])
    np.testing.assert_allclose(model.scores(["house house"])[0], 2 * right, rtol=1e-5)


def test_no_pair_holds_a_summary_that_is_asked():
    docs, found = load("docs"), set(docs_pairs(sentences=1))
    for split, pairs in docs.pairs().items():
        asked = {(docs[p.name].summary, p.body) for p in pairs}
        assert asked <= found if split == "train" else not asked & found, split


def test_a_sum_of_scores_does_not_depend_on_their_scale():
    a, b = np.random.default_rng(0).normal(size=(2, 4, 7))
    np.testing.assert_allclose(summed(a, b), summed(3 * a + 1, 0.1 * b - 5), atol=1e-6)
    np.testing.assert_allclose(summed(a, a).std(axis=1), 2, rtol=1e-6)
    assert np.isfinite(summed(np.zeros((2, 3)))).all() and translation_model.ROUNDS == 3
