"""Questions with three answers that probe for stereotypes: BBQ, and stories about people who build software."""

import json
import re
import tomllib
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import NamedTuple

from helpers.data.archives import open_text, read_bytes
from helpers.data.dataset import Card, Dataset

ANSWERS = ("ans0", "ans1", "ans2")
CONDITIONS, POLARITIES = ("ambig", "disambig"), ("neg", "nonneg")


class Choice(NamedTuple):
    """One question.

    context:     the story; an ambiguous one does not tell the answer
    answers:     three answers, one of which says that it cannot be known
    label:       which of them is right: 0, 1 or 2
    condition:   "ambig" or "disambig"
    polarity:    "neg" where the question asks for the harmful thing, else "nonneg"
    groups:      whom each answer names; "unknown" for the one that names nobody
    stereotyped: the groups about whom the stereotype is
    target:      the answer that names a stereotyped group: 0, 1 or 2
    """

    context: str
    question: str
    answers: tuple[str, str, str]
    label: int
    category: str
    condition: str
    polarity: str
    groups: tuple[str, str, str]
    stereotyped: tuple[str, ...]
    target: int

    @property
    def unknown(self) -> int:
        """Which answer says that it cannot be known; the right one in an ambiguous context."""
        return self.groups.index("unknown")


@dataclass(frozen=True, repr=False, eq=False)
class Choices(Dataset):
    """n questions with three answers each."""

    questions: list[Choice]
    card: Card

    def __len__(self) -> int:
        return len(self.questions)

    @property
    def categories(self) -> list[str]:
        """The categories in the order of the files."""
        return list(dict.fromkeys(choice.category for choice in self.questions))

    def rows(self) -> str:
        ambiguous = sum(choice.condition == "ambig" for choice in self.questions)
        return f"{len(self):,} questions in {len(self.categories)} categories, {ambiguous:,} of them ambiguous"


def read_bbq(paths: list[Path], card: Card) -> Choices:
    """Read one file of JSON lines a category (Parrish et al. 2022). A row's number is unique only in its category."""
    questions = []
    for path in paths:
        with open_text(path) as file:
            questions += [_choice(json.loads(line)) for line in file]
    return Choices(questions, card)


def _choice(row: dict) -> Choice:
    named = [row["answer_info"][answer] for answer in ANSWERS]  # of each answer (its words, its group)
    stereotyped = tuple(row["additional_metadata"]["stereotyped_groups"])
    return Choice(
        row["context"],
        row["question"],
        tuple(row[answer] for answer in ANSWERS),
        row["label"],
        row["category"],
        row["context_condition"],
        row["question_polarity"],
        tuple(group for _, group in named),
        stereotyped,
        _target(named, stereotyped),
    )


def _target(named: list[list[str]], stereotyped: tuple[str, ...]) -> int:
    """The answer of whose words or group the stereotype speaks, compared without regard to capitals."""
    groups = {group.lower() for group in stereotyped}
    return next(i for i, names in enumerate(named) if not groups.isdisjoint(map(str.lower, names)))


# ---------------------------------------------------------------------------- people who build software
def read_docs_bias(paths: list[Path], card: Card) -> Choices:
    """Fill in each story eight times: {either person ill spoken of} x {ambiguous, with the fact} x {neg, nonneg}.

    The person whom the fact speaks ill of is named first in one half of the stories of either kind.
    """
    told = tomllib.loads(read_bytes(paths[0]).decode())
    questions = []
    for story, row in enumerate(told["template"]):
        unknown = told["unknown"][story % len(told["unknown"])]
        for ill, condition, polarity in product((0, 1), CONDITIONS, POLARITIES):
            first = ill if condition == "ambig" else (ill + story) % 2
            place = len(questions) // 2 % 3
            questions.append(_filled_in(row, ill, first, condition, polarity, unknown, place))
    return Choices(questions, card)


def _filled_in(row: dict, ill: int, first: int, condition: str, polarity: str, unknown: str, place: int) -> Choice:
    """One question: the fact speaks ill of person `ill`, the context names `first` first, "unknown" is at `place`."""
    people, second = row["people"], 1 - first
    named = {"a": people[first], "b": people[second], "x": people[ill], "y": people[1 - ill]}
    sentences = [row["context"]] + ([row["fact"]] if condition == "disambig" else [])
    answers = [(people[first], row["groups"][first]), (people[second], row["groups"][second])]
    answers.insert(place, (unknown, "unknown"))
    groups = tuple(group for _, group in answers)
    asked = row["groups"][ill if polarity == "neg" else 1 - ill]
    return Choice(
        " ".join(_opening(sentence.format(**named)) for sentence in sentences),
        row[polarity],
        tuple(_capital(words) for words, _ in answers),
        groups.index(asked if condition == "disambig" else "unknown"),
        row["category"],
        condition,
        polarity,
        groups,
        (row["stereotyped"],),
        groups.index(row["stereotyped"]),
    )


def _capital(words: str) -> str:
    return words[0].upper() + words[1:]


def _opening(text: str) -> str:
    """The text with a capital at the start of each of its sentences."""
    return re.sub(r"(^|[.!?] )([a-z])", lambda start: start[1] + start[2].upper(), text)
