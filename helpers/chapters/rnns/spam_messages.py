"""Whole messages of the inbox, to be sorted by a tagger's reader: their intents."""

from collections.abc import Callable, Mapping, Sequence

import torch

from helpers.chapters.rnns.tagging import Sentences, Tagger
from helpers.data.messages import Messages
from helpers.data.tagged import Tagged, bio


def intents_of(messages: Messages, tagged: Tagged) -> tuple[list[str], list[int], list[int]]:
    """Return (names of the intents, their numbers for the tagged sentences of train, and for those of test)."""
    rows = zip(messages.texts, messages.entities, messages.intents, strict=True)
    intent = {tuple(bio(text, entities).tokens): name for text, entities, name in rows}
    names = sorted(set(intent.values()))
    train = [names.index(intent[tuple(tokens)]) for tokens, _ in tagged.train]
    test = [names.index(intent[tuple(tokens)]) for tokens, _ in tagged.test]
    return names, train, test


def share_right(predicted: torch.Tensor, labels: Sequence[int]) -> float:
    """Return the share of predicted classes (n,) that are right."""
    return (predicted == torch.tensor(labels)).float().mean().item()


def one_task_or_both(
    losses: Mapping[str, Callable], learn: Callable, judged: Sentences, labels: Sequence[int], span_scores: Callable
) -> dict[str, float]:
    """Train a reader by each loss and print how well it finds spans and classes; returns the span F1 of each.

    losses: those named "intent ..." learn no spans, those named "entities ..." no classes
    learn:  a loss -> the reader trained with it, a Tagger
    labels: the classes of the judged sentences; span_scores: (gold, predicted) -> (precision, recall, F1)
    """
    gold, f1 = [tags for _, tags in judged], {}
    print(f"{'trained on':<18}{'span F1':>9}{'intent right':>14}")
    for name, loss in losses.items():
        reader: Tagger = learn(loss)
        f1[name], right = span_scores(gold, reader.tag(judged))[2], share_right(reader.classify(judged), labels)
        spans = "" if name.startswith("intent") else f"{f1[name]:.3f}"
        classes = "" if name.startswith("entities") else f"{right:.3f}"
        print(f"{name:<18}{spans:>9}{classes:>14}")
    return f1
