"""Measure the baselines in the data cards: `python datasets/measure.py inbox` or `... sms_spam`.

F1 of the class spam, scikit-learn defaults, repeats dropped, a stratified 80/20 split, five seeds.
"""

import gzip
import json
import sys

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import GroupShuffleSplit
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.svm import LinearSVC

from helpers.data import Messages, load
from helpers.data.registry import datasets_folder

SEEDS = range(5)


def models() -> dict[str, Pipeline]:
    """Fresh models by name."""
    return {
        "TF-IDF, logistic regression": make_pipeline(TfidfVectorizer(), LogisticRegression()),
        "TF-IDF, linear SVM": make_pipeline(TfidfVectorizer(), LinearSVC()),
        "counts, naive Bayes": make_pipeline(CountVectorizer(), MultinomialNB()),
    }


def spam_f1(model: Pipeline, train: Messages, test: Messages) -> float:
    """F1 of spam on `test` after a fit on `train`."""
    return f1_score(test.labels, model.fit(train.texts, train.labels).predict(test.texts))


def by_template(data: Messages, seed: int) -> tuple[Messages, Messages]:
    """A split of the inbox in which no core sentence is on both sides."""
    with gzip.open(datasets_folder() / "inbox/inbox.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    groups = [f"{row['intent']}/{row['template']}" for row in rows]
    train, test = next(GroupShuffleSplit(1, test_size=0.2, random_state=seed).split(rows, groups=groups))
    return data.take(train), data.take(test)


def report(title: str, splits: list[tuple[Messages, Messages]]) -> None:
    """Print the F1 of every model on every split."""
    print(title)
    for name in models():
        scores = [spam_f1(models()[name], train, test) for train, test in splits]
        print(f"  {name:28} mean {np.mean(scores):.3f}   " + " ".join(f"{score:.3f}" for score in scores))


def main(name: str) -> None:
    data = load(name).without_repeats()
    print(data)
    report("random split", [data.split(seed=seed) for seed in SEEDS])
    if name == "inbox":
        report("split by core sentence", [by_template(data, seed) for seed in SEEDS])


if __name__ == "__main__":
    main(*sys.argv[1:2] or ["inbox"])
