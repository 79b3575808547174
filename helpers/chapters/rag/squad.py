"""A search and readers tried on somebody else's questions: some of SQuAD (Rajpurkar et al. 2016)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from helpers import data
from helpers.experiments.reading import CITATION

EACH = 6  # the docs-reader never learned from every sixth article


@dataclass(frozen=True)
class Sample:
    """questions: n of them. answers: the accepted answers of each. right: (n,) the number of each one's paragraph.

    paragraphs: [(title of the article, text), ...], all of the development set
    """

    questions: list[str]
    answers: list[list[str]]
    right: np.ndarray
    paragraphs: list[tuple[str, str]]


def held_out(passages: Iterable[str]) -> set[str]:
    """Return which of the names of paragraphs ("Rome/3") belong to articles that the docs-reader did not learn from."""
    articles = list(dict.fromkeys(name.rpartition("/")[0] for name in passages))
    return {name for name in passages if articles.index(name.rpartition("/")[0]) % EACH == 0}


def load_sample(every: int) -> Sample:
    """Return every n-th question about articles held out, and all paragraphs."""
    squad = data.load("squad")
    number, held = {name: i for i, name in enumerate(squad.passages)}, held_out(squad.passages)
    ids = [i for i in squad.queries["valid"] if held.issuperset(squad.relevant["valid"][i])][::every]
    answers = []
    for i in ids:
        answers.append([answer.text for answer in squad.answers["valid"][i]])
    return Sample(
        [squad.queries["valid"][i] for i in ids],
        answers,
        np.array([number[name] for i in ids for name in squad.relevant["valid"][i]]),
        [(passage.title, passage.text) for passage in squad.passages.values()],
    )


def fused(first: Sequence[Sequence[int]], second: Sequence[Sequence[int]], fuse: Callable) -> list[list[int]]:
    """Return the fused ranking of each question; fuse: two rankings -> [(number, score), ...], the best first."""
    found = []
    for rankings in zip(first, second, strict=True):
        found.append([int(number) for number, _ in fuse(rankings)])
    return found


def searches_table(sample: Sample, searches: Mapping[str, Sequence[Sequence[int]]]) -> str:
    """Return the recall at 1, 5 and 10 of {search: the ranked paragraphs of each question}, as text."""
    lines = [
        f"{len(sample.questions)} questions, {len(sample.paragraphs):,} paragraphs",
        f"{'search':<14}{'recall@1':>10}{'@5':>8}{'@10':>8}",
    ]
    for name, lists in searches.items():
        hits = []
        for right, row in zip(sample.right, lists, strict=True):
            hits.append([right in row[:k] for k in (1, 5, 10)])
        recall = np.mean(hits, axis=0)
        lines.append(f"{name:<14}{recall[0]:>10.3f}{recall[1]:>8.3f}{recall[2]:>8.3f}")
    return "\n".join(lines)


def readers_table(
    sample: Sample, readers: Mapping, build_prompt: Callable, exact_match: Callable, token_f1: Callable
) -> str:
    """Return how well {name: reader(prompt)} answer, given the right paragraph; the best accepted answer counts.

    build_prompt(question, passages) gives (prompt, used).
    """
    pairs = zip(sample.questions, sample.right, strict=True)
    prompts = [build_prompt(question, [sample.paragraphs[n]])[0] for question, n in pairs]
    lines = [f"{'reader, given the right paragraph':<36}{'exact':>8}{'F1':>8}"]
    for name, reader in readers.items():
        answers = [CITATION.sub("", reader(prompt)) for prompt in prompts]
        figures = [_mean_best(answers, sample.answers, measure) for measure in (exact_match, token_f1)]
        lines.append(f"{name:<36}{''.join(f'{value:>8.3f}' for value in figures)}")
    return "\n".join(lines)


def _mean_best(
    answers: Sequence[str], accepted: Sequence[Sequence[str]], measure: Callable[[str, str], float]
) -> float:
    """Return the mean over questions of a measure, against the accepted answer that it likes best."""
    best = []
    for answer, references in zip(answers, accepted, strict=True):
        best.append(max(measure(answer, reference) for reference in references))
    return float(np.mean(best))
