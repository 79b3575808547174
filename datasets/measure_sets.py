"""Measure the baselines in the data cards of the public sets: `python datasets/measure_sets.py stsb`.

Each is the simplest model that is not a straw man; none has anything to tune.
"""

import sys
from collections import Counter, defaultdict
from itertools import pairwise

import numpy as np
from scipy.stats import pearsonr, spearmanr
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import ndcg_score
from sklearn.neighbors import NearestCentroid

from helpers.data import Images, Retrieval, SentencePairs, Tagged, Text, load


def words(text: Text) -> None:
    """Perplexity of the words, line ends included, by their frequency in train."""

    def with_eos(part: str) -> list[str]:
        return [word for line in part.splitlines() for word in [*line.split(), "<eos>"]]

    train, test = with_eos(text.train), with_eos(text.test)
    counts = Counter(train)
    loss = -np.mean([np.log(counts[word] / len(train)) for word in test])
    print(f"frequency of the word: test perplexity {np.exp(loss):.1f}")


def characters(text: Text) -> None:
    """Loss per character, by the frequency of the character and by that after the one before (add one)."""
    single, double, size = Counter(text.train), Counter(pairwise(text.train)), len(set(text.train + text.valid))
    alone = -np.mean([np.log(single[c] / len(text.train)) for c in text.valid])
    after = -np.mean([np.log((double[a, b] + 1) / (single[a] + size)) for a, b in pairwise(text.valid)])
    print(f"nats per character of valid: frequency {alone:.3f}, bigrams {after:.3f}")


def tags(tagged: Tagged) -> None:
    """Accuracy of the most frequent tag of each word; a new word gets the most frequent of all."""
    seen: dict[str, Counter] = defaultdict(Counter)
    for sentence in tagged.train:
        for token, tag in zip(*sentence, strict=True):
            seen[token][tag] += 1
    default = sum(seen.values(), Counter()).most_common(1)[0][0]
    best = {token: counts.most_common(1)[0][0] for token, counts in seen.items()}
    pairs = [pair for sentence in tagged.test for pair in zip(*sentence, strict=True)]
    right = np.mean([best.get(token, default) == tag for token, tag in pairs])
    constant = np.mean([tag == default for _, tag in pairs])
    print(f"most frequent tag of the word: test accuracy {right:.3f}; {default} throughout: {constant:.3f}")


def similarity(pairs: SentencePairs) -> None:
    """Correlation of the cosine of TF-IDF vectors with the scores; idf from train."""
    tfidf = TfidfVectorizer().fit([sentence for pair in pairs.train for sentence in pair[:2]])
    for name in ("valid", "test"):
        first, second, scores, _ = zip(*pairs.splits[name], strict=True)
        cosine = tfidf.transform(first).multiply(tfidf.transform(second)).sum(axis=1).A1
        pearson, spearman = pearsonr(cosine, scores)[0], spearmanr(cosine, scores)[0]
        print(f"cosine of TF-IDF, {name}: Pearson {pearson:.3f}, Spearman {spearman:.3f}")


def search(data: Retrieval) -> None:
    """nDCG@10 and recall@1, @5, @100 of the cosine of TF-IDF vectors over title and text."""
    split = list(data.queries)[-1]
    tfidf = TfidfVectorizer()
    passages = tfidf.fit_transform([f"{passage.title} {passage.text}" for passage in data.passages.values()])
    queries = tfidf.transform(data.queries[split].values())
    row = {passage: i for i, passage in enumerate(data.passages)}
    ndcg, recall = [], defaultdict(list)
    for query, relevant in zip(queries, data.relevant[split].values(), strict=True):
        scores = (passages @ query.T).toarray().ravel()
        gains = np.zeros(len(row))
        gains[[row[passage] for passage in relevant]] = list(relevant.values())
        ndcg.append(ndcg_score([gains], [scores], k=10))
        order = np.argsort(-scores, kind="stable")
        for k in (1, 5, 100):
            recall[k].append(gains[order[:k]].sum() / gains.sum())
    found = ", ".join(f"recall@{k} {np.mean(values):.3f}" for k, values in recall.items())
    print(f"cosine of TF-IDF, {split}: nDCG@10 {np.mean(ndcg):.3f}, {found}")


def pixels(images: Images) -> None:
    """Accuracy on test of two linear models of the pixels, fitted to at most the first 6,000 images."""
    train, test = (part.reshape(len(part), -1) / 255 for part in (images.train[:6000], images.test))
    labels = images.train_labels[:6000]
    for name, model in {
        "nearest class mean": NearestCentroid(),
        "logistic regression": LogisticRegression(max_iter=1000),
    }.items():
        print(f"{name}: test accuracy {model.fit(train, labels).score(test, images.test_labels):.3f}")


MEASURES = {
    "wikitext2": words,
    "tiny_shakespeare": characters,
    "ud_ewt": tags,
    "inbox_tags": tags,
    "stsb": similarity,
    "scifact": search,
    "squad": search,
    "digits": pixels,
    "fashion_mnist": pixels,
}

if __name__ == "__main__":
    for name in sys.argv[1:] or MEASURES:
        data = load(name, edition="offline" if name == "inbox_tags" else "real")
        print(data)
        MEASURES[name](data)
