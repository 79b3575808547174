"""A map of the docs: documents are encoded, clustered, laid out in the plane, and their words counted."""

import re
from dataclasses import dataclass

import numpy as np

from helpers.data import load
from helpers.data.docs import Document
from helpers.models.docs_encoder import load_encoder

KINDS = ("function", "class", "topic")
PERPLEXITY = 30  # of t-SNE: about how many neighbours count; fewer where there are few documents
ROLE = re.compile(r":[a-z:]+:")  # Sphinx's, as in :func:


def c_tf_idf(counts: np.ndarray) -> np.ndarray:
    """Return the class-based TF-IDF (Grootendorst 2022), (K, V), of counts (K, V) of words in clusters.

    A word that never comes has weight 0, and so has every word in an empty cluster.
    """
    counts = np.asarray(counts, dtype=float)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    average = counts.sum() / len(counts)  # words of a cluster
    return shares * np.log1p(average / np.maximum(counts.sum(axis=0), 1))


@dataclass(frozen=True)
class DocsMap:
    """documents: n of them. clusters: (n,) numbers from 0. plane: (n, 2) places."""

    documents: list[Document]
    clusters: np.ndarray
    plane: np.ndarray

    @property
    def libraries(self) -> list[str]:
        """The library of each document."""
        return [document.library for document in self.documents]

    def word_counts(self) -> tuple[np.ndarray, np.ndarray]:
        """Return in how many summaries of each cluster a word stands, (K, V), and the V words."""
        from sklearn.feature_extraction.text import CountVectorizer

        counter = CountVectorizer(stop_words="english", token_pattern=r"[a-z]{4,}", min_df=3, binary=True)
        counts = counter.fit_transform(ROLE.sub(" ", d.summary.lower()) for d in self.documents)
        numbers = range(self.clusters.max() + 1)
        by_cluster = np.stack([np.asarray(counts[self.clusters == k].sum(axis=0)).ravel() for k in numbers])
        return by_cluster, counter.get_feature_names_out()

    def titles(self, max_words: int = 3) -> list[str]:
        """Return the heaviest words of each cluster by c-TF-IDF, joined."""
        counts, words = self.word_counts()
        titles = []
        for row in c_tf_idf(counts):
            heaviest = np.argsort(-row)[:max_words]
            titles.append(", ".join(words[i] for i in heaviest))
        return titles

    def table(self, titles: list[str], max_topics: int = 8) -> str:
        """Return the largest clusters as lines of text: title, size, some members."""
        sizes, lines = np.bincount(self.clusters), []
        for k in np.argsort(-sizes)[:max_topics]:
            members = [self.documents[i].name for i in np.flatnonzero(self.clusters == k)[:3]]
            lines.append(f"{titles[k]:<36} {sizes[k]:>4} documents, such as {', '.join(members)}")
        return "\n".join(lines)


def map_docs(count: int, clusters: int, seed: int) -> DocsMap:
    """Draw `count` documents, cluster their docs-encoder vectors by k-means, lay them out by t-SNE (Maaten 2008)."""
    from sklearn.cluster import KMeans
    from sklearn.manifold import TSNE

    docs = load("docs")
    kept = [i for i, document in enumerate(docs) if document.kind in KINDS]
    chosen = [docs[int(i)] for i in sorted(np.random.default_rng(seed).permutation(kept)[:count])]
    vectors = load_encoder(own=False).encode([document.body for document in chosen])
    found = KMeans(clusters, n_init=2, random_state=seed).fit_predict(vectors)
    tsne = TSNE(init="pca", perplexity=min(PERPLEXITY, count // 12), metric="cosine", random_state=seed)
    return DocsMap(chosen, found, tsne.fit_transform(vectors))
