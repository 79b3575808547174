"""The assistant that chapter 08 opens with: the course's own searches and docs-reader, before a line is written."""

from collections.abc import Sequence

import numpy as np

from helpers.assistant.generators import CopyReader
from helpers.assistant.panel import Reply
from helpers.data.docs import Docs, Document
from helpers.data.questions import Question
from helpers.models.docs_encoder import load_encoder
from helpers.search.document_features import WholeDocuments
from helpers.search.fusion import fused
from helpers.words import stems

SHOWN, WORDS, TITLE = 3, 120, 200  # passages of a prompt, words of a passage, characters of its title


class Finished:
    """Searches whole documents by stems, by runs of four letters and by docs-encoder; reads the three best.

    documents: every `part`-th of the docs, and those that questions are asked about.
    wholes:    the searches over them, which the chapter's re-ranker uses again.
    """

    EXAMPLES = (
        "How many results does the memoising decorator of functools keep if I say nothing?",
        "How do I make numpy.loadtxt skip the header lines?",
        "Who painted the Mona Lisa?",
    )

    def __init__(self, docs: Docs, questions: Sequence[Question], part: int = 1):
        asked_about = {q.document for q in questions if q.answerable}
        self.documents = [d for i, d in enumerate(docs) if i % part == 0 or d.name in asked_about]
        self.wholes = WholeDocuments(self.documents, load_encoder(own=False))
        self.reader = CopyReader()
        self.idf = self.wholes.stems.idf

    def __call__(self, question: str) -> Reply:
        """Answer a question in the words of a passage, or say why not."""
        by_stems, by_letters, by_meaning = self.wholes.scores(question)[:3]
        scores = fused(*(row[None] for row in (by_stems, by_letters, by_meaning)))[0]
        best = np.argsort(-scores, kind="stable")[:SHOWN]
        passages = [(*self._passage(self.documents[i], question), float(scores[i])) for i in best]
        blocks = [f"[{n}] {title}\n{text}" for n, (title, text, _) in enumerate(passages, start=1)]
        said = self.reader.said("\n\n".join([*blocks, f"Question: {question}\nAnswer:"]))
        return Reply(said.answer, passages, {}, said.mark, said.why)

    def _passage(self, document: Document, question: str) -> tuple[str, str]:
        """Return title and text of the part of a document, whole lines, that holds most of the question's words."""
        lines, asked = document.body.split("\n"), set(stems(question))
        parts, start = [], 0
        for end in range(len(lines) + 1):
            if end == len(lines) or sum(len(line.split()) for line in lines[start : end + 1]) > WORDS:
                parts.append("\n".join(lines[start:end]))
                start = end
        held = [sum(self.idf.get(stem, 0.0) for stem in sorted(asked & set(stems(part)))) for part in parts]
        return f"{document.name}{document.signature[:TITLE]}", parts[int(np.argmax(held))].strip()
