"""helpers.models.docs_encoder and helpers.search.bm25: texts become vectors, the fixed task is fixed, BM25 is BM25."""

import numpy as np
import pytest
import torch
from rank_bm25 import BM25Okapi

from helpers.course import artifacts
from helpers.data import load
from helpers.models.docs_encoder import REACH, Encoder, TextEncoder, bag, load_encoder, shared_reader
from helpers.search.bm25 import BM25
from helpers.search.fusion import fused
from helpers.search.task import Task, docs_task
from helpers.words import plain_words, words_and_pieces


def test_a_name_and_a_phrase_share_tokens():
    reader = shared_reader()
    assert reader("numpy.linalg.matrix_rank") == reader("Numpy linalg: matrix RANK")
    assert reader("ConvTranspose2d") == reader("conv transpose 2 d")
    assert reader("") == [] and len(reader("matrix " * 50, max_tokens=7)) == 7


def test_a_bag_counts_late_tokens_less():
    ids, amounts = bag([5, 3, 5])
    assert ids.tolist() == [3, 5]
    late = REACH / (REACH + np.arange(3))
    np.testing.assert_allclose(amounts, np.log1p([late[1], late[0] + late[2]]), rtol=1e-6)
    assert len(bag([])[0]) == 1, "an empty text has a vector, too"


def test_a_text_is_the_weighted_sum_of_its_tokens():
    torch.manual_seed(0)
    model = Encoder(7, 4)
    torch.nn.init.normal_(model.importance)
    bags = [bag([1, 2, 2]), bag([6])]
    table, weight = model.embedding.weight, model.importance.exp()
    for (ids, amounts), found in zip(bags, model(bags), strict=True):
        total = sum(a * weight[i] * table[i] for i, a in zip(ids.tolist(), amounts.tolist(), strict=True))
        torch.testing.assert_close(found, total / total.norm())
    model(bags).sum().backward()
    assert model.importance.grad.abs().sum() > 0


def test_it_comes_back_from_an_artifact(tmp_path, monkeypatch):
    monkeypatch.setenv("BOW2LORA_HOME", str(tmp_path))
    vocab_size = shared_reader().tokenizer.get_vocab_size()
    model, texts = Encoder(vocab_size, 8), ["a matrix", "", "the gradient of the loss"]
    config = {"vocab_size": vocab_size, "d_model": 8}
    artifacts.save(artifacts.Artifact("docs-encoder", dict(model.state_dict()), config, "", "# docs-encoder"))
    before, after = TextEncoder(model, shared_reader()).encode(texts), load_encoder(own=True).encode(texts)
    np.testing.assert_allclose(before, after, atol=2e-3)
    np.testing.assert_allclose(np.linalg.norm(after, axis=1), 1, atol=1e-5)


def test_the_reference_finds_what_is_meant():
    encoder = load_encoder(own=False)
    texts = ["Return the inverse of a square matrix.", "Draw a line on the axes.", "Wait until the thread terminates."]
    asked = ["invert a matrix", "plot lines", "join threads"]
    assert encoder.similarity(asked, texts).argmax(axis=1).tolist() == [0, 1, 2]
    assert encoder.encode([]).shape == (0, encoder.dimensions)
    assert sum(p.numel() for p in encoder.model.parameters()) <= 10_000_000


def test_bm25_is_that_of_another_library_with_its_idf():
    passages = ["the dog ran to the zoo", "the cat ate", "dog dog cat", "a long text about nothing of this kind at all"]
    ours = BM25(passages, str.split, k1=1.5)
    words = list(ours.vectorizer.vocabulary_)
    theirs = BM25Okapi([p.split() for p in passages], k1=1.5, b=0.75)
    held = {word: sum(word in p.split() for p in passages) for word in words}
    theirs.idf = {word: np.log1p((4 - held[word] + 0.5) / (held[word] + 0.5)) for word in words}
    for query in ("dog", "the cat", "unknown dog dog"):
        np.testing.assert_allclose(ours.scores([query])[0], theirs.get_scores(query.split()), rtol=1e-5)
    assert words_and_pieces("Use matrix_rank, v2") == ["use", "matrix_rank", "matrix", "rank", "v2", "v", "2"]


def test_ranks_ties_count_against_the_right_passage():
    task = Task(["a", "b"], ["?", "?"], ["x", "y", "z"], np.array([0, 2]))
    scores = np.array([[1.0, 1.0, 0.0], [0.0, 1.0, 2.0]])
    assert task.ranks(scores).tolist() == [2, 1]
    assert task.measure(scores) == (1.0, 0.75)
    np.testing.assert_allclose(fused(scores, scores)[1], [2 / 63, 2 / 62, 2 / 61])


@pytest.mark.parametrize("split", ["valid", "test"])
def test_the_task_is_fixed_and_held_out(split):
    task, again = docs_task(split), docs_task(split)
    assert (task.names, task.passages) == (again.names, again.passages)
    assert (len(task.queries), len(task.passages), len(set(task.answers))) == (500, 6000, 500)
    docs = load("docs")
    assert {docs[name].split for name in task.names} == {split}
    assert all(q not in task.passages[i] for q, i in zip(task.queries, task.answers, strict=True))


def test_bm25_reproduces_the_published_score_on_scifact():
    """0.665 nDCG@10 (Thakur et al. 2021, BEIR), on title and abstract."""
    scifact = load("scifact")
    queries, relevant = scifact.queries["test"], scifact.relevant["test"]
    papers = BM25([f"{p.title} {p.text}" for p in scifact.passages.values()], plain_words)
    names, scores = list(scifact.passages), papers.scores(list(queries.values()))
    found = []
    for query, row in zip(queries, scores, strict=True):
        gains = [relevant[query].get(names[i], 0) for i in np.argsort(-row, kind="stable")[:10]]
        best = sorted(relevant[query].values(), reverse=True)[:10]
        dcg, ideal = (sum(g / np.log2(r + 2) for r, g in enumerate(each)) for each in (gains, best))
        found.append(dcg / ideal)
    assert abs(np.mean(found) - 0.665) < 0.01


def test_a_text_of_which_dropout_leaves_nothing_stays_whole():
    torch.manual_seed(0)
    vectors = Encoder(vocab_size=9, d_model=4)([bag([1]), bag([2, 3]), bag([4, 5, 6])], dropped=0.999)
    assert torch.allclose(vectors.norm(dim=1), torch.ones(3))
