"""The docs corpus: seconds to load, what it holds, and how well TF-IDF searches it."""

import time
from collections import Counter

import numpy as np

from helpers import data
from helpers.data.registry import datasets_folder


def test_load():
    loaded = _seconds(lambda: data.load("docs"))
    docs = data.load("docs")
    size = (datasets_folder() / "docs" / "docs.jsonl.gz").stat().st_size
    print(f"\ndocs: loaded in {loaded:.2f} s, {size / 1e6:.1f} MB on disk")
    print(f"{'library':12}{'documents':>10}{'bytes':>12}{'words':>11}")
    for name in [*dict.fromkeys(document.library for document in docs), ""]:
        bodies = [document.body for document in (docs.library(name) if name else docs)]
        total = sum(len(body.encode()) for body in bodies), sum(len(body.split()) for body in bodies)
        print(f"{name or 'all':12}{len(bodies):>10,}{total[0]:>12,}{total[1]:>11,}")
    print("kinds:", dict(Counter(document.kind for document in docs)))
    print("links:", sum(len(document.see_also) for document in docs))
    print("pairs:", {split: len(pairs) for split, pairs in docs.pairs().items()})


def test_tf_idf_search():
    """Mean reciprocal rank of the first ten, and recall, among the passages of all splits."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    search = data.load("docs_search")
    passages = list(search.passages)
    vectorizer = TfidfVectorizer(sublinear_tf=True)
    table = vectorizer.fit_transform(passage.text for passage in search.passages.values())  # (passages, words)
    for split in ("valid", "test"):
        queries = search.queries[split]
        scores = (vectorizer.transform(queries.values()) @ table.T).toarray()  # (queries, passages)
        right = scores[np.arange(len(queries)), [passages.index(name) for name in queries]]
        ranks = (scores >= right[:, None]).sum(axis=1)  # ties count against it
        mrr = np.where(ranks <= 10, 1 / ranks, 0).mean()
        print(f"\ndocs_search {split}, TF-IDF: MRR@10 {mrr:.3f}, recall@10 {(ranks <= 10).mean():.3f}")


def _seconds(action) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start
