"""A cross-encoder: question and passage read as one input, and a small head that makes a score of what was read."""

from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import nn

from helpers.data.questions import Question
from helpers.device import SEED
from helpers.experiments.chunks import Corpus
from helpers.models.docs_reader import DocsReader
from helpers.training import fit

LENGTH = 128  # tokens of a pair
DEPTH = 5  # candidates of a question that are read
RATE, DECAY = 3e-4, 0.1  # chosen by cross-validation on the valid questions


class PairBody:
    """The body of docs-reader, frozen: a pair becomes the vector of its [CLS].

    pair: chapter 08's function. kept: {(question, passage): vector}, since the same pairs come again
    """

    def __init__(self, pair: Callable, reader: DocsReader, rows: int = 32):
        self.encoder, self.tokenizer, self.pair, self.rows = reader.model.encoder, reader.tokenizer, pair, rows
        self.kept: dict[tuple[str, str], torch.Tensor] = {}

    def states(self, question: str, passages: Sequence[str]) -> torch.Tensor:
        """Return the vectors of a question with each of some passages, (passages, C)."""
        new = [text for text in passages if (question, text) not in self.kept]
        for start in range(0, len(new), self.rows):
            part = new[start : start + self.rows]
            self.kept |= {(question, text): v for text, v in zip(part, self._read(question, part), strict=True)}
        return torch.stack([self.kept[question, text] for text in passages])

    @torch.no_grad()
    def _read(self, question: str, passages: Sequence[str]) -> torch.Tensor:
        asked = self._ids(question)[: LENGTH // 3]
        made = [self.pair(asked, self._ids(text), LENGTH) for text in passages]
        longest, device = max(len(ids) for ids, _ in made), self.encoder.device
        token_ids, segments, mask = torch.zeros(3, len(made), longest, dtype=torch.long)
        for i, (ids, parts) in enumerate(made):
            token_ids[i, : len(ids)], segments[i, : len(ids)] = torch.as_tensor(ids), torch.as_tensor(parts)
            mask[i, : len(ids)] = 1
        given = {"input_ids": token_ids, "token_type_ids": segments, "attention_mask": mask}
        return self.encoder(**{name: x.to(device) for name, x in given.items()}).last_hidden_state[:, 0].cpu()

    def _ids(self, text: str) -> list[int]:
        return self.tokenizer.encode(text, add_special_tokens=False).ids


class Head(nn.Module):
    """A pair's score: what the stage before gave it, and what [CLS] says of it; it begins with the former alone."""

    def __init__(self, d_model: int):
        super().__init__()
        self.before = nn.Parameter(torch.ones(1))
        self.state = nn.Linear(d_model, 1, bias=False)  # a bias would move all candidates alike
        nn.init.zeros_(self.state.weight)

    def forward(self, states: torch.Tensor, before: torch.Tensor) -> torch.Tensor:
        """Return scores (..., K) of states (..., K, C) and the scores of the stage before (..., K)."""
        return self.before * before + self.state(states)[..., 0]


class Cross:
    """The last stage of a search: the first DEPTH candidates in the order of the head, the others as they were.

    scores: question -> (chunks in the order of the stage before, their scores there)
    """

    def __init__(self, corpus: Corpus, scores: Callable[[str], tuple[list[int], Sequence[float]]], body: PairBody):
        torch.manual_seed(SEED)
        self.corpus, self.scores, self.body = corpus, scores, body
        self.head = Head(body.encoder.config.hidden_size)

    def __call__(self, question: str, k: int = 100) -> list[int]:
        """Return the k best chunks, one for each document."""
        numbers, _ = self.scores(question)
        order = np.argsort(-self.scored(question), kind="stable")
        return ([numbers[i] for i in order] + numbers[DEPTH:])[:k]

    @torch.no_grad()
    def scored(self, question: str) -> np.ndarray:
        """Return the head's scores of the first candidates, (at most DEPTH,)."""
        states, before, _ = self._read(question)
        device = self.head.before.device
        return self.head(states.to(device), before.to(device)).cpu().numpy()

    def learn(self, questions: Sequence[Question], loss: Callable, steps: int):
        """Train the head on the candidates of questions; loss(scores (Q, K), right (Q, K)). Returns the History."""
        rows = [(*self._read(q.question)[:2], self._right(q)) for q in questions]
        full_rows = [row for row in rows if len(row[2]) == DEPTH]
        batch = tuple(torch.stack(column) for column in zip(*full_rows, strict=True))

        def of_batch(head: Head, batch: tuple[torch.Tensor, ...]) -> torch.Tensor:
            states, before, right = batch
            return loss(head(states, before), right)

        return fit(self.head, [batch], of_batch, steps=steps, lr=RATE, weight_decay=DECAY, progress=False)

    def _read(self, question: str) -> tuple[torch.Tensor, torch.Tensor, list[int]]:
        """Return the vectors (K, C), scores before (K,) and numbers of a question's first candidates."""
        numbers, before = self.scores(question)
        first = numbers[:DEPTH]
        states = self.body.states(question, ["\n".join(self.corpus.chunks[i]) for i in first])
        return states, torch.tensor(np.array(before[:DEPTH]), dtype=torch.float32), first

    def _right(self, question: Question) -> torch.Tensor:
        right = self.corpus.answering(question)
        numbers, _ = self.scores(question.question)
        return torch.tensor([int(self.corpus.owners[i]) in right for i in numbers[:DEPTH]])
