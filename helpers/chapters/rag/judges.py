"""Judges of answers: rules, likeness of meaning, a model's votes; and how far each agrees with a person."""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from helpers.experiments.reading import CITATION, RIGHT

FILE = Path(__file__).with_name("judged_answers.toml")
LEVELS = np.arange(0.05, 1.0, 0.05)  # from which likeness on an answer may count as right
NOBODY = "no model has voted: give JUDGE a model"
QUESTION = """A question about a library was answered. Say whether the given answer means the same as the right one.

Question: {question}
Right answer: {right}
Given answer: {given}

Reply with one word, yes or no.
Reply:"""


class Judged(NamedTuple):
    """An answer of the assistant to a question of the docs, and whether a person called it right."""

    question: str
    right: str
    given: str
    verdict: bool


def judged_answers() -> list[Judged]:
    """Return the answers that a person judged; their citations are left out."""
    rows = tomllib.loads(FILE.read_text(encoding="utf-8"))["answer"]
    return [Judged(**row)._replace(given=CITATION.sub("", row["given"]).strip()) for row in rows]


def kappa(votes: np.ndarray, verdicts: np.ndarray) -> float:
    """Return Cohen's kappa (J. Cohen 1960) of two rows of yes and no: agreement beyond that of chance, at most 1."""
    by_chance = votes.mean() * verdicts.mean() + (1 - votes.mean()) * (1 - verdicts.mean())
    return float((np.mean(votes == verdicts) - by_chance) / (1 - by_chance)) if by_chance < 1 else 0.0


def by_rule(measure: Callable[[str, str], float], answers: Sequence[Judged], level: float = RIGHT) -> np.ndarray:
    """Return the votes of a measure (given, right) -> number: yes from a level on."""
    return np.array([measure(each.given, each.right) >= level for each in answers])


def by_meaning(encode: Callable, answers: Sequence[Judged], chosen_on: Sequence[Judged]) -> np.ndarray:
    """Return the votes of an encoder: yes if the cosine of given and right answer reaches the level that was best.

    chosen_on: other answers, on which the level is chosen
    """

    def cosines(some: Sequence[Judged]) -> np.ndarray:
        given = encode([each.given for each in some])
        right = encode([each.right for each in some])
        return np.sum(given * right, axis=1) / np.linalg.norm(given, axis=1) / np.linalg.norm(right, axis=1)

    known, verdicts = cosines(chosen_on), np.array([each.verdict for each in chosen_on])
    level = max(LEVELS, key=lambda level: np.mean((known >= level) == verdicts))
    return cosines(answers) >= level


def by_model(generate: Callable[[str], str], answers: Sequence[Judged]) -> np.ndarray:
    """Return the votes of a language model that is asked with a fixed prompt: yes if its reply begins with yes."""
    replies = [generate(QUESTION.format(**each._asdict())) for each in answers]
    return np.array([reply.strip().lower().startswith("yes") for reply in replies])


def all_votes(
    exact_match: Callable[[str, str], float],
    token_f1: Callable[[str, str], float],
    encode: Callable,
    model: Callable[[str], str] | None,
) -> tuple[dict[str, np.ndarray | None], np.ndarray]:
    """Return the votes of two rules, an encoder and a model on every second judged answer, and the person's verdicts.

    The encoder's level is chosen on the other half. Without a model its votes are None.
    """
    known = judged_answers()
    chosen_on, asked = known[::2], known[1::2]
    votes = {
        "exact match": by_rule(exact_match, asked),
        "token F1 of at least 0.5": by_rule(token_f1, asked),
        "MiniLM's cosine": by_meaning(encode, asked, chosen_on),
        "a language model": by_model(model, asked) if model else None,
    }
    return votes, np.array([each.verdict for each in asked])


def judges_table(votes: Mapping[str, np.ndarray | None], verdicts: np.ndarray) -> str:
    """Return how often each judge says yes and agrees with the person, and its kappa, as text.

    votes: {judge: (answers,) booleans}; None for a model that nobody has asked
    """
    lines = [f"{len(verdicts)} answers; the person called {verdicts.mean():.0%} of them right"]
    lines.append(f"{'judge':<28}{'yes':>6}{'agrees':>8}{'kappa':>7}")
    for name, said in votes.items():
        if said is None:
            lines.append(f"{name:<28}  {NOBODY}")
            continue
        lines.append(f"{name:<28}{said.mean():>6.0%}{np.mean(said == verdicts):>8.0%}{kappa(said, verdicts):>7.2f}")
    return "\n".join(lines)
