"""Rows that the docs-reader learns from: a question, a window of a passage, the places of the answer's ends in it."""

import random
from typing import NamedTuple

import torch

from helpers.chapters.rag import squad as sample
from helpers.data import load
from helpers.models.docs_reader import Window, stacked, windows


class Made(NamedTuple):
    """A question, a passage, and (start, end) of the answer in it, or None where the passage does not hold it."""

    question: str
    passage: str
    answer: tuple[int, int] | None


class Row(NamedTuple):
    """A window and the tokens of its answer's ends; (0, 0): it has none."""

    window: Window
    first: int
    last: int


def squad_questions(held_out: bool, seed: int = 0) -> list[Made]:
    """Return SQuAD's questions, each with its paragraph, and for every third another paragraph of the same article.

    held_out: those of every sixth article, else those of the others.
    """
    squad, draw = load("squad"), random.Random(seed)
    articles: dict[str, list[str]] = {}
    for name in squad.passages:
        articles.setdefault(name.rpartition("/")[0], []).append(name)
    unseen = sample.held_out(squad.passages)
    made = []
    for i, question in squad.queries["valid"].items():
        name, answer = next(iter(squad.relevant["valid"][i])), squad.answers["valid"][i][0]
        article = name.rpartition("/")[0]
        if (name in unseen) != held_out:
            continue
        made.append(Made(question, squad.passages[name].text, (answer.start, answer.start + len(answer.text))))
        other = squad.passages[draw.choice(articles[article])].text
        if draw.random() < 1 / 3 and answer.text not in other:
            made.append(Made(question, other, None))
    draw.shuffle(made)
    return made


def row(tokenizer, made: Made, length: int, draw: random.Random) -> Row | None:
    """Return a question with a window of at most `length` tokens, drawn among those that hold the answer."""
    tokens = tokenizer.encode(made.passage, add_special_tokens=False)
    room = length - 3 - len(tokenizer.encode(made.question, add_special_tokens=False).ids)
    if room < 16:
        return None
    places = [s for s, _ in tokens.offsets]
    first, last = _covered(tokens.offsets, made.answer) if made.answer else (0, 0)
    low, high = max(0, last - room + 1), min(first, max(0, len(places) - room))
    if made.answer is None:
        low, high = 0, max(0, len(places) - room)
    begin = draw.randint(low, max(low, high)) if draw.random() < 0.8 else low
    part = made.passage[places[begin] : tokens.offsets[min(begin + room, len(places)) - 1][1]]
    window = windows(tokenizer, made.question, part, length)[0]
    if made.answer is None:
        return Row(window, 0, 0)
    moved = tuple(place - places[begin] for place in made.answer)
    first, last = _covered(window.offsets, moved)
    return Row(window, first, last) if 0 < first <= last else None


def _covered(offsets: list[tuple[int, int]], place: tuple[int, int]) -> tuple[int, int]:
    """Return the first and the last token that a place in the text touches; (0, 0) if none."""
    inside = [i for i, (a, b) in enumerate(offsets) if a < b and a < place[1] and b > place[0]]
    return (inside[0], inside[-1]) if inside else (0, 0)


def batches(rows: list[Row], size: int, seed: int = 0) -> list[tuple[torch.Tensor, ...]]:
    """Return shuffled batches of rows of like length: (token_ids, segments, ends (B, 2))."""
    draw = random.Random(seed)
    order = draw.sample(rows, len(rows))
    blocks = [order[i : i + 32 * size] for i in range(0, len(order), 32 * size)]
    made = []
    for block in blocks:
        block = sorted(block, key=lambda r: len(r.window.token_ids))
        groups = [block[i : i + size] for i in range(0, len(block) - size + 1, size)]
        made += draw.sample(groups, len(groups))
    return [(*stacked([r.window for r in g]), torch.tensor([[r.first, r.last] for r in g])) for g in made]
