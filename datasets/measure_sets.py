"""Measure the baselines in the data cards of the public sets: `python datasets/measure_sets.py stsb`.

Each is the simplest model that is not a straw man; none has anything to tune.
"""

import re
import sys
from collections import Counter, defaultdict
from itertools import pairwise

import numpy as np
from scipy.stats import pearsonr, spearmanr
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import ndcg_score
from sklearn.neighbors import NearestCentroid
from sklearn.pipeline import make_pipeline

from helpers.data import (
    DocsQuestions,
    Images,
    Intents,
    Parallel,
    PoisonedDocs,
    Preferences,
    Retrieval,
    SentencePairs,
    Tagged,
    Text,
    load,
)


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


def intents(requests: Intents) -> None:
    """Accuracy of logistic regression on TF-IDF; and with the out-of-scope requests as one more intent.

    As in Larson et al. 2019: accuracy on the test requests within the scope, recall of those out of it.
    """
    for title, extra in (("without", []), ("with", requests.out_of_scope["train"])):
        texts, labels = zip(*requests.train, *extra, strict=True)
        model = make_pipeline(TfidfVectorizer(), LogisticRegression(C=100, max_iter=1000)).fit(texts, labels)
        within, outside = (list(zip(*rows, strict=True)) for rows in (requests.test, requests.out_of_scope["test"]))
        right, found = model.score(*within), model.score(*outside)
        print(f"TF-IDF, logistic regression, trained {title} oos: accuracy {right:.3f}, recall of oos {found:.3f}")


def lengths_by_language(parallel: Parallel) -> None:
    """Characters and UTF-8 bytes of each language, as multiples of the English ones."""
    characters = {code: sum(map(len, texts)) for code, texts in parallel.entries.items()}
    size = {code: sum(len(text.encode()) for text in texts) for code, texts in parallel.entries.items()}
    for code in parallel.languages:
        print(f"{code}: characters {characters[code] / characters['en']:.2f}, bytes {size[code] / size['en']:.2f}")


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


def passages(questions: DocsQuestions) -> None:
    """MRR@10, recall@1, @10, @100 of BM25 (k1 1.2, b 0.75) over the documents, names split at dots and underscores.

    Of all questions, of those that name their document, and of the others. The rank is that of the first document
    that answers.
    """
    docs = load("docs")
    counts = CountVectorizer(preprocessor=lambda text: re.sub("[_.]", " ", text).lower(), token_pattern=r"[a-z0-9]+")
    words = counts.fit_transform([document.text for document in docs]).astype(float).tocsr()
    length = np.ravel(words.sum(axis=1))
    seen = np.bincount(words.indices, minlength=words.shape[1])
    idf = np.log1p((len(docs) - seen + 0.5) / (seen + 0.5))
    rows = np.repeat(np.arange(len(docs)), np.diff(words.indptr))
    room = 1.2 * (0.25 + 0.75 * length / length.mean())
    words.data = words.data * 2.2 / (words.data + room[rows]) * idf[words.indices]
    place = {document.name: row for row, document in enumerate(docs)}
    for name, split in questions.held_by(docs).splits.items():
        asked = [question for question in split if question.answerable]
        scores = (words @ counts.transform([question.question for question in asked]).T).toarray()
        right = np.array([max(scores[place[name], i] for name in q.documents) for i, q in enumerate(asked)])
        rank = 1 + (scores > right).sum(axis=0)
        named = np.array([question.named for question in asked])
        for part, which in (("", named | ~named), (", named", named), (", not named", ~named)):
            held = rank[which]
            found = ", ".join(f"recall@{k} {np.mean(held <= k):.3f}" for k in (1, 10, 100))
            mrr = np.mean(np.where(held <= 10, 1 / held, 0))
            print(f"BM25, {name}{part}: MRR@10 {mrr:.3f}, {found}, {len(held)} questions")


def lengths(pairs: Preferences) -> None:
    """Share of pairs in which the chosen answer is the shorter, and the longer; by fault."""
    for fault in pairs.faults:
        sizes = [(len(p.chosen), len(p.rejected)) for split in pairs.splits.values() for p in split if p.fault == fault]
        shorter, longer = np.mean([a < b for a, b in sizes]), np.mean([a > b for a, b in sizes])
        print(f"{fault}: {len(sizes)} pairs, chosen is shorter in {shorter:.2f}, longer in {longer:.2f}")


def poison(poisoned: PoisonedDocs) -> None:
    """Share of the poisoned documents that a search for their question finds first, and among the first ten."""
    questions, docs = load("docs_questions"), load("docs")
    bodies = [f"{p.name}\n{p.body}" for p in poisoned]
    tfidf = TfidfVectorizer(sublinear_tf=True)
    documents = tfidf.fit_transform([document.text for document in docs] + bodies)
    scores = (documents @ tfidf.transform([questions[p.question].question for p in poisoned]).T).toarray()
    own = scores[len(docs) + np.arange(len(poisoned)), np.arange(len(poisoned))]
    rank = 1 + (scores > own).sum(axis=0)
    print(f"cosine of TF-IDF (sublinear): found first {np.mean(rank == 1):.2f}, among ten {np.mean(rank <= 10):.2f}")


MEASURES = {
    "clinc150": intents,
    "wikitext2": words,
    "tiny_shakespeare": characters,
    "ud_ewt": tags,
    "inbox_tags": tags,
    "stsb": similarity,
    "scifact": search,
    "squad": search,
    "digits": pixels,
    "fashion_mnist": pixels,
    "tico19": lengths_by_language,
    "udhr": lengths_by_language,
    "docs_questions": passages,
    "docs_poisoned": poison,
    "docs_preferences": lengths,
}

if __name__ == "__main__":
    for name in sys.argv[1:] or MEASURES:
        data = load(name)
        print(data)
        MEASURES[name](data)
