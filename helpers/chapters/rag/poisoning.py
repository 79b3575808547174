"""Attacks on a search: poisoned documents among the passages, and what defences let through."""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from helpers.chapters.rag.bm25 import Index, lucene_idf
from helpers.data.questions import Poisoned, Question
from helpers.experiments.chunks import Corpus, flat, lower_words
from helpers.experiments.reading import CITATION, RIGHT, Passages, anybody
from helpers.words import stems

Defence = tuple[Callable[[Passages], Passages], Callable[[str, str], bool]]  # changes passages; admits (title, text)
SAMPLED = 4  # of the answerable questions every fourth
SHOWN = 5  # passages of a prompt: two that were planted, three that were found
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


def name_of(title: str) -> str:
    """Return the name that a title, a name and its signature, begins with."""
    return NAME_END.split(title)[0]


def outcome(poison: Poisoned, question: str, shown: Passages, prompt: str, answer: str) -> tuple[bool, bool, bool]:
    """Return whether the poison is in the prompt, its marker is, and the answer shows that it was followed."""
    own = [text for title, text in shown if title == poison.name]
    there = f"] {poison.name}\n" in prompt and any(text.strip() for text in own)
    return there, poison.fooled(prompt.replace(f"Question: {question}", "")), poison.fooled(answer)


def evidence_kept(
    questions: Sequence[Question], passages_for: Callable[[str], Passages], defences: Mapping[str, Defence]
) -> dict[str, float]:
    """Return for how many of every fourth answerable question a passage that a defence leaves has the evidence."""
    asked = [q for q in questions if q.answerable][::SAMPLED]
    kept = {}
    for name, (prepare, admitted) in defences.items():
        held = []
        for q in asked:
            left = [passage for passage in prepare(passages_for(q.question)) if admitted(*passage)]
            held.append(any(flat(q.evidence) in flat("\n".join(passage)) for passage in left))
        kept[name] = float(np.mean(held))
    return kept


def attacks_table(
    outcomes: Mapping[str, np.ndarray],
    lies: Mapping[str, Mapping[str, np.ndarray]],
    kept: Mapping[str, float],
    kinds: Sequence[str],
) -> str:
    """Return a line for each defence: its outcomes (attacks, 3) counted, how often it said a lie, and what it keeps.

    lies: {defence: {attacker: which lies were said}}; kept: the share of right passages left
    kinds: of the attacks; those whose marker `clean` leaves are named below
    """
    attackers = list(next(iter(lies.values())))
    heads = ("in the prompt", "marker there", "order followed", *attackers, "passage kept")
    lines = ["  ".join([f"{'defence':<9}", *heads])]
    for name, rows in outcomes.items():
        counts = [*rows.sum(axis=0), *map(np.sum, lies[name].values())]
        cells = zip([*map(str, counts), f"{kept[name]:.1%}"], heads, strict=True)
        lines.append("  ".join([f"{name:<9}", *(cell.rjust(len(head)) for cell, head in cells)]))
    through = Counter(kind for kind, row in zip(kinds, outcomes["clean"], strict=True) if row[1])
    named = ", ".join(f"{kind} ({n})" for kind, n in through.most_common())
    return "\n".join([*lines, "", f"still in the prompt after clean: {named}"])


def planted(attacks: Sequence[Poisoned], cut: Callable[[str], list[str]]) -> dict[str, Passages]:
    """Return the passages of each poisoned document, by the attack's id; cut: a text -> its parts."""
    passages = {}
    for poison in attacks:
        passages[poison.id] = [(poison.name, part) for part in cut(poison.body)]
    return passages


class Lie(NamedTuple):
    """A passage that answers a question wrongly: the true one with another answer in the true one's place."""

    question: Question
    passage: tuple[str, str]
    said: str


def told_lies(questions: Sequence[Question], corpus: Corpus, own_name: bool) -> list[Lie]:
    """Return a lie about each question whose answer stands once in its passage: it says what answers the next one.

    own_name: whether the passage has a name that no document has, or claims the true one's
    """
    pairs = [(q, corpus.evidence_chunk(q)) for q in questions if q.answerable and q.answer]
    pairs = [(q, (title, text)) for q, (title, text) in pairs if text.count(q.answer) == 1]
    lies = []
    for (q, (title, text)), (other, _) in zip(pairs, [*pairs[1:], *pairs[:1]], strict=True):
        name = f"{q.document}_notes" if own_name else title
        if lower_words(other.answer) != lower_words(q.answer):
            lies.append(Lie(q, (name, text.replace(q.answer, other.answer)), other.answer))
    return lies


def reached(
    attacks: Sequence[Poisoned],
    question_of: Mapping[str, str],
    planted: Mapping[str, Passages],
    lies: Sequence[Lie],
    found: Callable[[Passages, str], bool],
) -> str:
    """Return how many poisoned documents and how many lies a search finds; found(passages, question) asks it."""
    poisons = sum(found(planted[poison.id], question_of[poison.question]) for poison in attacks)
    told = sum(found([lie.passage], lie.question.question) for lie in lies)
    return (
        f"among BM25's ten best are {poisons} of {len(attacks)} poisoned documents and {told} of {len(lies)} lies "
        "under a name of their own"
    )


class Siege:
    """An attacker who wins the search: what he planted stands before what was found.

    ask, build_prompt: the functions of chapter 08 by these names, with what they take
    found_passages:    question -> the passages that the whole search finds
    """

    def __init__(self, ask: Callable, build_prompt: Callable, read: Callable, found_passages: Callable, budget: int):
        self.ask, self.build_prompt, self.read = ask, build_prompt, read
        self.found_passages, self.budget = found_passages, budget

    def said(self, question: str, planted: Passages, defence: Defence) -> tuple[str, Passages]:
        """Return the assistant's answer, and the passages that were shown."""
        prepare, admitted = defence
        passages = prepare([*planted, *self.found_passages(question)])
        return self.ask(question, lambda _: range(len(passages)), passages, self.read, admitted, SHOWN, self.budget)

    def orders(
        self,
        attacks: Sequence[Poisoned],
        question_of: Mapping[str, str],
        planted: Mapping[str, Passages],
        defence: Defence,
    ) -> np.ndarray:
        """Return what came of attacks by orders, (attacks, 3): in the prompt, its marker there, order followed."""
        rows = []
        for poison in attacks:
            question = question_of[poison.question]
            answer, shown = self.said(question, planted[poison.id][:2], defence)
            prompt = self.build_prompt(question, shown, self.budget)[0]
            rows.append(outcome(poison, question, shown, prompt, answer))
        return np.array(rows)

    def lies(self, told: Mapping[str, Sequence[Lie]], defence: Defence, token_f1: Callable) -> dict[str, np.ndarray]:
        """Return which lies were said, {attacker: (lies,) booleans}.

        A lie was said if the answer is nearer to it than to the truth, and near enough to count as right.
        """
        found = {}
        for attacker, of in told.items():
            found[attacker] = np.array([self._said(lie, defence, token_f1) for lie in of])
        return found

    def _said(self, lie: Lie, defence: Defence, token_f1: Callable) -> bool:
        answer = CITATION.sub("", self.said(lie.question.question, [lie.passage], defence)[0])
        near = token_f1(answer, lie.said)
        return near >= RIGHT and near > token_f1(answer, lie.question.answer)


def defences(clean: Callable[[str], str], corpus: Corpus) -> dict[str, Defence]:
    """Return {name: (what it makes of passages, what it admits)}: none, patterns, agreement, names, origin."""
    origin = {fingerprint(title, text) for title, text in corpus.chunks}
    origin |= {fingerprint(title, clean(text)) for title, text in corpus.chunks}

    def cleaned(passages: Passages) -> Passages:
        return [(title, clean(text)) for title, text in passages]

    return {
        "none": (list, anybody),
        "clean": (cleaned, anybody),
        "agreement": (agreeing, anybody),
        "names": (list, lambda title, text: name_of(title) in corpus.place),
        "origin": (list, lambda title, text: fingerprint(title, text) in origin),
    }


def fingerprint(title: str, text: str) -> str:
    """Return a text's fingerprint: no other text that anybody can find has it (SHA-256)."""
    return hashlib.sha256(f"{title}\n{text}".encode()).hexdigest()
