"""Attacks on a search: poisoned documents among the passages, and what defences let through."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np

from helpers.chapters.rag.bm25 import Index, lucene_idf
from helpers.data.questions import Poisoned, Question
from helpers.experiments.chunks import Corpus, flat, lower_words
from helpers.experiments.reading import Passages
from helpers.words import stems

SAMPLED = 4  # of the answerable questions every fourth
NAME_END = re.compile(r"[(\[ ]")


def bm25_of(query: Sequence[str], words: Sequence[str], idf: Mapping[str, float], average: float) -> float:
    """Return the BM25 score of a chunk for a query (k1 = 1.2, b = 0.75); average: the mean length of all chunks."""
    tf, length = Counter(words), 1.2 * (0.25 + 0.75 * len(words) / average)
    return sum(idf.get(word, 0) * tf[word] * 2.2 / (tf[word] + length) for word in query if tf[word])


def found_by_search(planted: Passages, question: str, corpus: Corpus, index: Index, bm25_scores: Callable) -> bool:
    """Return whether a planted chunk would be among the ten best of a corpus for a question, by BM25.

    bm25_scores(index, query, number of chunks) gives the scores of the others, (chunks,).
    """
    query, total = stems(question), len(corpus.chunks)
    tenth = np.sort(bm25_scores(index, query, total))[-10]
    asked = {word: index[word] for word in query if word in index}
    idf, average = lucene_idf(asked, total), corpus.mean_length()
    words = [stems(title) + stems(text) for title, text in planted]
    return any(bm25_of(query, each, idf, average) > tenth for each in words)


def triples(text: str) -> set[tuple[str, ...]]:
    """Return the triples of neighbouring words of a text."""
    words = lower_words(text)
    return set(zip(words, words[1:], words[2:], strict=False))


def agreeing(passages: Passages) -> Passages:
    """Return the passages that share three words in a row, in their texts, with another one."""
    triples_of = [triples(text) for _, text in passages]
    shared = []
    for i, passage in enumerate(passages):
        others = triples_of[:i] + triples_of[i + 1 :]
        if any(triples_of[i] & other for other in others):
            shared.append(passage)
    return shared


def from_names(passages: Passages, names: Collection[str]) -> Passages:
    """Return the passages whose title begins with one of the names."""
    return [passage for passage in passages if NAME_END.split(passage[0])[0] in names]


def outcome(poison: Poisoned, question: str, shown: Passages, prompt: str, answer: str) -> tuple[bool, bool, bool]:
    """Return whether the poison is in the prompt, its marker is, and the answer shows that it was followed."""
    own = [text for title, text in shown if title == poison.name]
    there = f"] {poison.name}\n" in prompt and any(text.strip() for text in own)
    return there, poison.fooled(prompt.replace(f"Question: {question}", "")), poison.fooled(answer)


def evidence_kept(
    questions: Sequence[Question], passages_for: Callable[[str], Passages], defence: Callable[[Passages], Passages]
) -> float:
    """Return for how many of every fourth answerable question a passage that the defence leaves has the evidence."""
    kept = [
        any(flat(q.evidence) in flat("\n".join(passage)) for passage in defence(passages_for(q.question)))
        for q in [q for q in questions if q.answerable][::SAMPLED]
    ]
    return float(np.mean(kept))


def attacks_table(outcomes: Mapping[str, np.ndarray], kept: Mapping[str, float]) -> str:
    """Return a line for each defence: its outcomes (attacks, 3) counted, and the share of right passages kept."""
    heads = ("in the prompt", "marker in the prompt", "reader fooled", "right passage kept")
    lines = [f"{'defence':<12}{''.join(f'{head:>22}' for head in heads)}"]
    for name, rows in outcomes.items():
        counts = "".join(f"{count:>22}" for count in rows.sum(axis=0))
        lines.append(f"{name:<12}{counts}{kept[name]:>22.1%}")
    return "\n".join(lines)


def planted(attacks: Sequence[Poisoned], cut: Callable[[str], list[str]]) -> dict[str, Passages]:
    """Return the passages of each poisoned document, by the attack's id; cut: a text -> its parts."""
    passages = {}
    for poison in attacks:
        passages[poison.id] = [(poison.name, part) for part in cut(poison.body)]
    return passages


def outcomes(
    defences: Mapping[str, Callable], attacks: Sequence[Poisoned], attack: Callable[[Poisoned, Callable], tuple]
) -> dict[str, np.ndarray]:
    """Return for each defence what came of each attack, (attacks, 3) booleans; attack: (poison, defence) -> three."""
    found = {}
    for name, defence in defences.items():
        found[name] = np.array([attack(poison, defence) for poison in attacks])
    return found
