"""Words, the stand-in encoder and the vector store of chapter 08."""

import os

import numpy as np
import pytest

from helpers.chapters.rag import dense_search
from helpers.words import stems


def test_names_are_cut_and_endings_go():
    assert stems("torch.nn.ConvTranspose2d(in_channels)") == [
        "torch",
        "nn",
        "conv",
        "transpos",
        "2",
        "d",
        "channel",
    ]
    assert stems("Arguments") == stems("the argument") == ["argument"]
    assert stems("What is it?") == []


def test_the_mean_encoder_gives_vectors_of_length_one():
    found = dense_search.MeanEncoder().encode(["the mean of an array", "", "zzzzqqq"])
    assert found.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), [1, 0, 0], atol=1e-5)


def drawn(seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(300, 16)).astype(np.float32), rng.normal(size=(5, 16)).astype(np.float32)


def agree(store, vectors, queries):
    for query in queries:
        right = np.argsort(-(vectors @ query))[:10]
        found = store.search(query, 10)
        assert [row for row, _ in found] == right.tolist()
        np.testing.assert_allclose([score for _, score in found], (vectors @ query)[right], rtol=1e-4)


def test_qdrant_inside_the_process_finds_the_same_ten():
    vectors, queries = drawn()
    agree(dense_search.VectorStore(vectors), vectors, queries)


def test_qdrant_on_a_server_finds_the_same_ten():
    url = os.environ.get("BOW2LORA_QDRANT")
    if not url:
        pytest.skip("no Qdrant server: set BOW2LORA_QDRANT to its address, for example http://localhost:6333")
    vectors, queries = drawn(1)
    agree(dense_search.VectorStore(vectors, url=url, name="bow2lora-test"), vectors, queries)
