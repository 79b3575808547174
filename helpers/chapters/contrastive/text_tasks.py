"""An encoder of texts judged by several tasks, as MTEB does (Muennighoff et al. 2023)."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

import numpy as np

from helpers.chapters.contrastive.real_sets import at_hand
from helpers.chapters.contrastive.word_means import WordMeans
from helpers.data import Messages, load
from helpers.device import SEED
from helpers.models.docs_encoder import TextEncoder, load_encoder
from helpers.search.bm25 import BM25
from helpers.search.task import Task

DOCS, SCIFACT, STS = "docs nDCG@10", "SciFact nDCG@10", "STS-B Spearman"
CLUSTERS, PROBE = "V-measure", "probe"
COLUMNS = (DOCS, SCIFACT, STS, CLUSTERS, PROBE)
Encode = Callable[[list[str]], np.ndarray]  # texts to vectors (n, C) of length 1
Results = dict[str, float]  # those of COLUMNS that were measured


@dataclass(frozen=True)
class Search:
    """queries and passages: texts. names: of the passages. relevant: for each query {name of a passage: gain}."""

    queries: list[str]
    passages: list[str]
    names: list
    relevant: list[dict]

    def score(self, scores: np.ndarray) -> float:
        """Return the mean nDCG@10 of scores (queries, passages)."""
        best = np.argsort(-scores, axis=1, kind="stable")[:, :10]
        ndcgs = []
        for row, relevant in zip(best, self.relevant, strict=True):
            ranking = [self.names[i] for i in row]
            ndcgs.append(ndcg_at(ranking, relevant, 10))
        return float(np.mean(ndcgs))


def ndcg_at(ranking: list, relevant: dict, k: int) -> float:
    """Return nDCG@k of a ranking of names; relevant: {name: gain}. Chapter 08 has it as an exercise."""

    def dcg(gains) -> float:
        return sum(gain / np.log2(rank + 1) for rank, gain in enumerate(gains, start=1))

    best = dcg(sorted(relevant.values(), reverse=True)[:k])
    return dcg([relevant.get(name, 0) for name in ranking[:k]]) / best


class TextTasks:
    """The tasks; `v_measure` is the reader's own measure of clusters.

    task: the search of the docs. messages: how many of the inbox, at most. sets: which of the real sets "scifact" and
    "stsb" to read; "stsb" is left out where it is not at hand.
    """

    def __init__(self, task: Task, messages: int, sets: Collection[str], v_measure: Callable):
        self.v_measure = v_measure
        self.docs = _docs(task)
        self.scifact = _papers(load("scifact")) if "scifact" in sets else None
        self.stsb = at_hand("stsb") if "stsb" in sets else None
        self.texts, self.intents = _ham(load("inbox").without_repeats(), messages)

    def lexical(self, bm25: np.ndarray) -> Results:
        """Return what BM25 can be judged by: its scores of the docs are given, those of SciFact made here."""
        found = {DOCS: self.docs.score(bm25)}
        if self.scifact:
            search = BM25(self.scifact.passages)
            found[SCIFACT] = self.scifact.score(search.scores(self.scifact.queries))
        return found

    def judge(self, encode: Encode) -> Results:
        """Return how well an encoder does each task."""
        found = {}
        for name, search in {DOCS: self.docs, SCIFACT: self.scifact}.items():
            if search:
                found[name] = search.score(encode(search.queries) @ encode(search.passages).T)
        if self.stsb:
            found[STS] = _sts(encode, self.stsb.test)
        vectors = encode(self.texts)
        return found | {CLUSTERS: self._clusters(vectors), PROBE: _probe(vectors, self.intents)}

    def table(self, bm25: np.ndarray, own: TextEncoder) -> str:
        """Return the results of BM25, the mean of chapter 02's word vectors, the reader's encoder, the reference."""
        models = {"mean of word vectors": WordMeans(), "your encoder": own, "reference": load_encoder(own=False)}
        judged = {name: self.judge(model.encode) for name, model in models.items()}
        return table({"BM25": self.lexical(bm25)} | judged)

    def _clusters(self, vectors: np.ndarray) -> float:
        """Return the V-measure of k-means against the intents."""
        from sklearn.cluster import KMeans

        found = KMeans(len(set(self.intents)), n_init=2, random_state=SEED).fit_predict(vectors)
        return self.v_measure(self.intents.tolist(), found.tolist())


def _docs(task: Task) -> Search:
    """The fixed search of the docs: the right passages bear the names of their queries, the others none."""
    names: list[str | None] = [None] * len(task.passages)
    for name, place in zip(task.names, task.answers, strict=True):
        names[place] = name
    return Search(task.queries, task.passages, names, [{name: 1} for name in task.names])


def _papers(scifact) -> Search:
    """The test of SciFact: claims search title and abstract of papers."""
    claims, papers = scifact.queries["test"], scifact.passages
    texts = [f"{paper.title} {paper.text}" for paper in papers.values()]
    return Search(list(claims.values()), texts, list(papers), [scifact.relevant["test"][claim] for claim in claims])


def _ham(inbox: Messages, max_messages: int) -> tuple[list[str], np.ndarray]:
    """Return the texts of the messages that are no spam, `max_messages` at most, and their intents."""
    rows = np.flatnonzero(inbox.labels == 0)[:max_messages]
    return [inbox.texts[i] for i in rows], np.array(inbox.intents)[rows]


def _sts(encode: Encode, pairs: list) -> float:
    """Return Spearman's correlation of cosines with what people said."""
    from scipy.stats import spearmanr

    first = encode([pair.first for pair in pairs])
    second = encode([pair.second for pair in pairs])
    cosines = (first * second).sum(1)
    return float(spearmanr(cosines, [pair.score for pair in pairs]).statistic)


def _probe(vectors: np.ndarray, intents: np.ndarray, shots: int = 10) -> float:
    """Return the accuracy of a logistic regression that learned from `shots` messages of each intent."""
    from sklearn.linear_model import LogisticRegression

    draw = np.random.default_rng(SEED)
    labelled = np.concatenate([draw.permutation(np.flatnonzero(intents == i))[:shots] for i in np.unique(intents)])
    rest = np.setdiff1d(np.arange(len(intents)), labelled)
    head = LogisticRegression(C=10, max_iter=300).fit(vectors[labelled], intents[labelled])
    return head.score(vectors[rest], intents[rest])


def table(results: dict[str, Results]) -> str:
    """Return results as lines of text: a row for each model, a dash where nothing was measured."""
    lines = [f"{'model':<22}" + "".join(f"{column:>17}" for column in COLUMNS)]
    for name, row in results.items():
        cells = (f"{row[column]:.3f}" if column in row else "-" for column in COLUMNS)
        lines.append(f"{name:<22}" + "".join(f"{cell:>17}" for cell in cells))
    return "\n".join(lines)
