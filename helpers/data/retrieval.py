"""Questions and the passages that answer them: SciFact and SQuAD."""

import csv
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from helpers.data.archives import open_text, read_bytes
from helpers.data.dataset import Card, Dataset


class Passage(NamedTuple):
    """A piece of text that a search may return."""

    title: str
    text: str


class Answer(NamedTuple):
    """An answer within its passage: `passage.text[start : start + len(text)] == text`, counted in characters."""

    text: str
    start: int


@dataclass(frozen=True, repr=False, eq=False)
class Retrieval(Dataset):
    """Queries, passages, and which passage answers which query.

    passages: {passage id: (title, text)}
    queries:  {split: {query id: text}}
    relevant: {split: {query id: {passage id: gain}}}; a gain is a whole number above 0, absent means 0
    answers:  {split: {query id: [(text, start), ...]}}, spans in the relevant passage; empty where a set has none
    """

    passages: dict[str, Passage]
    queries: dict[str, dict[str, str]]
    relevant: dict[str, dict[str, dict[str, int]]]
    card: Card
    answers: dict[str, dict[str, list[Answer]]] = field(default_factory=dict)

    def __len__(self) -> int:
        """The number of passages."""
        return len(self.passages)

    def rows(self) -> str:
        parts = (f"{name} {len(queries):,} queries" for name, queries in self.queries.items())
        return f"{len(self):,} passages: {', '.join(parts)}"


# ------------------------------------------------------------------------------------------ SciFact
def read_scifact(paths: list[Path], card: Card) -> Retrieval:
    """Read the BEIR form (Thakur et al. 2021): corpus, queries, and the judgements of train and test."""
    corpus, queries, *judgements = paths
    passages = {row["_id"]: Passage(row["title"], row["text"]) for row in _json_lines(corpus)}
    texts = {row["_id"]: row["text"] for row in _json_lines(queries)}
    relevant = dict(zip(("train", "test"), map(_read_judgements, judgements), strict=True))
    by_split = {}
    for split, judged in relevant.items():
        by_split[split] = {query: texts[query] for query in judged}
    return Retrieval(passages, by_split, relevant, card)


def _json_lines(path: Path) -> list[dict]:
    with open_text(path) as file:
        return [json.loads(line) for line in file]


def _read_judgements(path: Path) -> dict[str, dict[str, int]]:
    """Read "query TAB passage TAB gain" with a header and CRLF: {query id: {passage id: gain}}."""
    relevant: dict[str, dict[str, int]] = {}
    with open_text(path, newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            relevant.setdefault(row["query-id"], {})[row["corpus-id"]] = int(row["score"])
    return relevant


# -------------------------------------------------------------------------------------------- SQuAD
def read_squad(paths: list[Path], card: Card) -> Retrieval:
    """Read the development set of SQuAD 1.1 (Rajpurkar et al. 2016) as the split "valid".

    The passages are its paragraphs; the one relevant passage of a question is the paragraph it was asked about.
    """
    passages, queries, relevant, answers = {}, {}, {}, {}
    for article in json.loads(read_bytes(paths[0]))["data"]:
        for number, paragraph in enumerate(article["paragraphs"]):
            passage = f"{article['title']}/{number}"
            passages[passage] = Passage(article["title"].replace("_", " "), paragraph["context"])
            for question in paragraph["qas"]:
                queries[question["id"]] = question["question"]
                relevant[question["id"]] = {passage: 1}
                answers[question["id"]] = [Answer(each["text"], each["answer_start"]) for each in question["answers"]]
    return Retrieval(passages, {"valid": queries}, {"valid": relevant}, card, {"valid": answers})
