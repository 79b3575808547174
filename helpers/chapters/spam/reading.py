"""What a spam filter does, told in lines of text: messages, what fires wrongly, who is alike, which words decide."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from helpers.models.classifiers import library_logistic, minimise_loss


def examples(part, count: int = 3, width: int = 105) -> str:
    """Return the first `count` messages of spam and of ham of a labelled part, cut to `width`."""
    lines = []
    for label, name in ((1, "spam"), (0, "ham ")):
        texts = [text for text, y in zip(part.texts, part.labels, strict=True) if y == label]
        lines += [f"{name} | {text[:width]}" for text in texts[:count]]
    return "\n".join(lines)


def where_it_fires(part, fired: Mapping[str, np.ndarray]) -> str:
    """Return for each rule the first message of each class on which it fires; fired: {rule: (N,) of 0 and 1}."""
    lines = []
    for name, found in fired.items():
        lines.append(f"\n{name}")
        for label, what in ((1, "labelled spam"), (0, "labelled ham")):
            hits = [t for t, y, g in zip(part.texts, part.labels, found, strict=True) if g and y == label]
            lines.append(f"  {what:<14} {hits[0][:95] if hits else 'never'}")
    return "\n".join(lines)


def weights_table(words: Sequence[str], first, second, idf) -> str:
    """Return a table of V words: their TF in two documents, their IDF, and the TF-IDF in the second; all (V,)."""
    first, second, idf = (np.asarray(column) for column in (first, second, idf))
    lines = ["word       TF(x1)  TF(x2)    IDF  TF-IDF(x2)"]
    for word, a, b, weight in zip(words, first, second, idf, strict=True):
        lines.append(f"{word:<9}{a:>8.0f}{b:>8.0f}{weight:>7.3f}{b * weight:>12.3f}")
    return "\n".join(lines)


def most_alike(queries: Sequence[int], texts: Sequence[str], similarity: Callable[[int], np.ndarray]) -> str:
    """Return for each message of `queries` the other one that is most like it; similarity: number -> (N,)."""
    lines = []
    for query in queries:
        similar = np.array(similarity(query), dtype=float)
        similar[query] = -1
        best = int(similar.argmax())
        lines.append(f"\n{texts[query][:95]}\n  is most like ({similar[best]:.2f}): {texts[best][:95]}")
    return "\n".join(lines)


def areas(labels, models: Mapping[str, np.ndarray], roc_points: Callable, judge: Callable) -> str:
    """Return a line on each model: the area under its ROC curve, scikit-learn's beside it, F1; {name: scores (N,)}."""
    from sklearn.metrics import roc_auc_score

    lines = []
    for name, scores in models.items():
        fpr, tpr = roc_points(labels, scores)
        area, f1 = np.trapezoid(tpr, fpr), judge(labels, (scores >= 0).astype(int))[2]
        said = f"area under the ROC curve {area:.4f} (scikit-learn {roc_auc_score(labels, scores):.4f})"
        lines.append(f"{name}: {said}, F1 at threshold 0: {f1:.3f}")
    return "\n".join(lines)


def moved_by(texts: Sequence[str], features, weights: np.ndarray, bias: float, vocabulary: Sequence[str]) -> str:
    """Return each message with its score and the six words that move it most; features: (N, V), sparse."""
    lines = []
    for text, row in zip(texts, features.toarray(), strict=True):
        pushes = row * weights  # what each word adds to the score, (V,)
        words = [f"{vocabulary[j]} {pushes[j]:+.2f}" for j in np.argsort(-np.abs(pushes))[:6] if pushes[j]]
        lines.append(f"score {pushes.sum() + bias:+.2f}  {text}\n             {', '.join(words)}\n")
    return "\n".join(lines)


def beside_the_library(loss_and_gradient: Callable, features, labels, C: float) -> str:
    """Return how far the weights of least loss are from scikit-learn's; loss_and_gradient: as in minimise_loss."""
    optimal, _ = minimise_loss(loss_and_gradient, features, labels, 1 / (C * len(labels)))
    gap = np.abs(optimal - library_logistic(features, labels, C)[0]).max()
    return f"largest weight {np.abs(optimal).max():.3f}; largest difference from LogisticRegression: {gap:.4f}"


def best(texts: Sequence[str], scores: np.ndarray, count: int = 3) -> str:
    """Return the texts of highest score with their scores, a line for each; scores: (N,)."""
    found = np.argsort(-scores, kind="stable")[:count]
    return "\n".join(f"{scores[i]:7.2f}  {texts[i][:100]}" for i in found)


def fired(rules: Mapping[str, Callable[[str], bool]], texts: Sequence[str]) -> dict[str, np.ndarray]:
    """Return for each rule on which texts it fires, (N,) of 0 and 1."""
    found = {}
    for name, rule in rules.items():
        found[name] = np.array([rule(text) for text in texts], dtype=int)
    return found


def different_and_new(
    train: Sequence[Sequence[str]], test: Sequence[Sequence[str]], ngrams: Callable, lengths: Sequence[int]
) -> tuple[list[int], list[float]]:
    """Return, for each length n, how many different n-grams train holds, and the share of test's that it lacks.

    train, test: the tokens of each message; ngrams: (tokens, n) -> the n-grams
    """
    different, new = [], []
    for n in lengths:
        seen = {ngram for tokens in train for ngram in ngrams(tokens, n)}
        is_new = [ngram not in seen for tokens in test for ngram in ngrams(tokens, n)]
        different.append(len(seen))
        new.append(float(np.mean(is_new)))
    return different, new


def ngrams_table(lengths: Sequence[int], different: Sequence[int], new: Sequence[float]) -> str:
    """Return a line for each length n: how many different n-grams there are, and the share of new ones."""
    lines = []
    for n, number, share in zip(lengths, different, new, strict=True):
        lines.append(f"n = {n}: {number:>7,} different, {share:.0%} of the test part's are new")
    return "\n".join(lines)


def trigrams(texts: Sequence[str], ngrams: Callable) -> list[list[str]]:
    """Return the n-grams of three characters of each text, in lower case; ngrams: (characters, n) -> the n-grams."""
    return [ngrams(list(text.lower()), 3) for text in texts]


def with_bigrams(part: Sequence[list[str]], ngrams: Callable) -> list[list[str]]:
    """Return the tokens of each message, and behind them its bigrams."""
    return [[*tokens, *ngrams(tokens, 2)] for tokens in part]
