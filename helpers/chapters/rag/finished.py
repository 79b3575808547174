"""The assistant that chapter 08 opens with: the course's own searches and docs-reader, before a line is written."""

import math

import numpy as np

from helpers.assistant.answering import THRESHOLD, Answering, Reply
from helpers.assistant.generators import CopyReader, reader_answer
from helpers.chapters.rag import panel
from helpers.chapters.rag.document_features import WholeDocuments
from helpers.data.docs import Docs
from helpers.data.questions import DocsQuestions
from helpers.models.docs_encoder import load_encoder

LEARNED = 4  # every fourth question of the split valid


class Finished(Answering):
    """Searches whole documents by stems, by runs of four letters and by docs-encoder; reads sections of the five best.

    documents: every `part`-th of the docs, and those that questions are asked about.
    wholes:    the searches over them, which the chapter's re-ranker uses again.
    """

    EXAMPLES = (
        "How many results does the memoising decorator of functools keep if I say nothing?",
        "How do I make numpy.loadtxt skip the header lines?",
        "Who painted the Mona Lisa?",
    )

    def __init__(self, docs: Docs, questions: DocsQuestions, part: int = 1):
        asked_about = {q.document for q in questions if q.answerable}
        documents = [d for i, d in enumerate(docs) if i % part == 0 or d.name in asked_about]
        self.wholes = WholeDocuments(documents, load_encoder(own=False))
        self.reader = CopyReader()
        super().__init__(documents, self.reader.reader.read, self.wholes.stems)
        self.learn(questions.valid[::LEARNED])

    def scores(self, question: str) -> np.ndarray:
        """Return the scores (3, N) of the documents by stems, by letters and by vectors."""
        return self.wholes.scores(question)[:3]

    def __call__(self, question: str) -> panel.Reply:
        """Answer a question in the words of a passage, or say why not; the best passage of each document is shown."""
        reply = self.ask(question)
        best = _best_of_each(reply)
        passages = [(*reply.passages[i].text.split("\n", 1), 1 / (1 + math.exp(-reply.odds[i]))) for i in best]
        told = reader_answer(best.index(reply.number - 1) + 1, reply.spans[reply.number - 1], reply.score, THRESHOLD)
        return panel.Reply(told.answer, passages, {}, told.mark, told.why)


def _best_of_each(reply: Reply) -> list[int]:
    """Return the place of one passage of each document, that of whose words the reader is surest."""
    best: dict[str, int] = {}
    for i, passage in enumerate(reply.passages):
        if reply.spans[i].score > reply.spans[best.setdefault(passage.name, i)].score:
            best[passage.name] = i
    return list(best.values())
