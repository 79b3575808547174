"""Chapter 08's searches beside well-kept libraries: BM25 beside bm25s, exact dense search beside faiss's flat index.

    python -m pytest tests/benchmarks/test_search_speed.py -s

The same chunks of the docs, the same queries, one thread, in one run; the median of the queries in processor time.
"""

import time

import numpy as np
import pytest

from autograder import paths
from autograder.authoring.source import read
from helpers.chapters.rag import dense_search
from helpers.data import load
from helpers.experiments.chunks import Corpus
from helpers.words import stems

K, QUERIES = 10, 200


def chapter() -> dict:
    """Return what the chapter's given and exercise cells define."""
    names: dict = {"__name__": "__main__"}
    for cell in read(paths.source_text("08_rag")):
        if cell.kind in ("given", "exercise"):
            exec(compile(cell.source, cell.grade_id, "exec"), names)
    return names


@pytest.fixture(scope="module")
def world():
    """The chapter's functions, the words of all chunks, and queries: first sentences of documents."""
    names, docs = chapter(), load("docs")
    corpus = Corpus(docs, names["sections"], size=120)
    queries = [d.summary for d in list(docs)[:: len(docs) // QUERIES] if d.summary]
    return names, corpus.chunks, corpus.words, queries


def p50(action, items) -> float:
    """Return the median processor time of an action, in milliseconds: other work on the machine does not count."""
    seconds = []
    for item in [items[0], *items]:
        start = time.process_time()
        action(item)
        seconds.append(time.process_time() - start)
    return 1000 * float(np.median(seconds[1:]))


def test_bm25_beside_bm25s(world):
    bm25s = pytest.importorskip("bm25s", reason="bm25s is not installed: pip install bm25s")
    names, chunks, words, queries = world
    index, asked = names["build_index"](words), [stems(q) for q in queries]
    rival = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    rival.index(words, show_progress=False)

    def theirs(query):
        return rival.retrieve([query], k=K, show_progress=False, n_threads=0)

    def ours(query):
        return names["best"](names["bm25_scores"](index, query, len(chunks)), K)

    for query in filter(None, asked[:20]):  # the same best documents, up to bm25s's single precision
        scores = names["bm25_scores"](index, query, len(chunks))
        factor = 2.2 if not np.isclose(theirs(query)[1][0, 0], scores.max(), rtol=1e-3) else 1.0
        np.testing.assert_allclose(theirs(query)[1][0] * factor, np.sort(scores)[::-1][:K], rtol=1e-3)
    mine, other = p50(ours, asked), p50(theirs, asked)
    print(f"\nBM25, {len(chunks):,} chunks, p50: {mine:.3f} ms, bm25s {other:.3f} ms: {other / mine:.2f} times")


def test_dense_top_beside_faiss(world):
    faiss = pytest.importorskip("faiss", reason="faiss is not installed: pip install faiss-cpu")
    names, chunks, _, queries = world
    faiss.omp_set_num_threads(1)
    encoder = dense_search.load_encoder()
    vectors = encoder.encode([f"{title}\n{text}" for title, text in chunks]).astype(np.float32)
    asked = encoder.encode(queries).astype(np.float32)
    flat = faiss.IndexFlatIP(vectors.shape[1])
    flat.add(vectors)
    np.testing.assert_allclose(names["dense_top"](asked, vectors, K)[1], flat.search(asked, K)[0], rtol=1e-3, atol=1e-4)
    for size in (1, len(asked)):
        groups = [asked[i : i + size] for i in range(0, len(asked), size)] * (1 if size == 1 else 5)
        mine = p50(lambda q: names["dense_top"](q, vectors, K), groups)
        other = p50(lambda q: flat.search(q, K), groups)
        said = f"{size} at a time: {mine:.2f} ms, faiss {other:.2f} ms: {other / mine:.2f} times"
        print(f"\ndense top-{K}, {vectors.shape}, {said}")
