"""Train the reference docs-encoder on pairs of the docs and measure it: `python datasets/reference/encoder.py`.

A minute or two on one core; a run that was killed goes on from its checkpoint. `--steps 20` tries it out and writes
nothing. The scores are those of `helpers.search.docs_task`: no query of valid or test is learned from. Their
passages are, sentence by sentence, as a search engine reads what it is to search; `--train-only` leaves them out.
"""

import argparse
import math

import numpy as np
import torch
import torch.nn.functional as F

from helpers.course import artifacts
from helpers.course.artifacts import Artifact
from helpers.data import load
from helpers.data.registry import datasets_folder
from helpers.device import seed_everything
from helpers.models.docs_encoder import MAX_TOKENS, Encoder, TextEncoder, bag, shared_reader
from helpers.search.bm25 import BM25
from helpers.search.fusion import fused
from helpers.search.task import docs_task
from helpers.training import History, fit
from helpers.words import SENTENCE_END, words_and_pieces

D_MODEL, ROWS, STEPS = 512, 512, 400
LR, LR_IMPORTANCE, DROPPED = 5e-4, 2e-2, 0.3
RUN = 16  # neighbours in the list of names that come into a batch together: hard negatives
SENTENCES, NAMES = 0.4, 0.1  # shares of the pairs that ask with a sentence, with name and signature
SPLITS = ("train", "valid", "test")

CARD = """\
# docs-encoder: one vector for a text of the docs

**What.** {parameters:,} weights in half precision: for each of the {vocabulary:,} tokens of docs-tokenizer a vector of
{width} numbers and an importance; a text is their weighted sum, brought to length 1 (a bag of its first {max_tokens}
tokens, without order). `helpers.models.docs_encoder.load_encoder().encode(texts)`.

**How trained.** From random vectors, importances from the inverse document frequency of the bodies. InfoNCE in
both directions over batches of {rows} pairs, {run} neighbours in the list of names at a time as hard negatives, a
learned temperature, {dropped:.0%} of the tokens left out. The pairs: summary and the rest of the body; a sentence of
the body and the rest of it ({sentences:.0%}); name and signature, and the body ({names:.0%}). Of the documents of
valid and test only the last two kinds: their summaries, the queries of the measurement, are never learned from.
AdamW, learning rate {lr:g} ({lr_importance:g} for the importances), {steps:,} steps: `python
datasets/reference/encoder.py`, on {device}, {minutes:.1f} minutes.

**On what.** The set `docs`: {pairs:,} documents of the train split, {others:,} of valid and test (no summary).
{versions}.

**Scores.** `helpers.search.docs_task`: 500 first sentences of held-out documents search 6,000 bodies. The
other rows were measured in the same run; fusion is by reciprocal rank (k = 60). Stems: words without their endings
(`helpers.words.stems`), k1 = 1.2, b = 0.9, chosen on valid. This encoder has read the passages that it
searches; one that has not (`--train-only`) finds fewer: the command prints its table.

| split | model | recall@10 | MRR@10 |
|---|---|---|---|
{scores}
"""


class Pairs:
    """The documents as token ids, sorted by name, and batches of pairs; of valid and test no summary is asked with."""

    def __init__(self, splits: tuple[str, ...]):
        docs, self.reader = load("docs"), shared_reader()
        pairs = sorted((pair for split in splits for pair in docs.pairs()[split]), key=lambda pair: pair.name)
        self.train = [docs[pair.name].split == "train" for pair in pairs]
        self.summaries = [self._read(docs[pair.name].summary) for pair in pairs]
        self.names = [self._read(f"{pair.name.partition('.')[2]} {docs[pair.name].signature}") for pair in pairs]
        self.bodies = [[self._read(s) for s in SENTENCE_END.split(pair.body) if s.strip()] for pair in pairs]

    def __len__(self) -> int:
        return len(self.bodies)

    def _read(self, text: str) -> np.ndarray:
        return np.array(self.reader(text), dtype=np.int64)

    def idf(self, vocab_size: int) -> np.ndarray:
        """Return ln((N + 1) / (n + 1)) of each token (V,), at least 0.05."""
        held = np.zeros(vocab_size)
        for body in self.bodies:
            held[np.unique(np.concatenate(body))] += 1
        return np.maximum(np.log((len(self) + 1) / (held + 1)), 0.05)

    def rows(self, step: int) -> torch.Tensor:
        """Return (row, seed) of a batch's pairs (ROWS, 2): runs of neighbours, none twice."""
        draw = np.random.default_rng(step)
        firsts = draw.choice(len(self) // RUN, ROWS // RUN, replace=False) * RUN + draw.integers(RUN)
        rows = (firsts[:, None] + np.arange(RUN)).ravel() % len(self)
        return torch.from_numpy(np.stack([rows, draw.integers(2**31, size=len(rows))], axis=1))

    def pair(self, row: int, seed: int) -> tuple:
        """Return the bags of one pair; the seed chooses its kind."""
        draw, body = np.random.default_rng(seed), self.bodies[row]
        kind = draw.random() if self.train[row] else draw.random() * (SENTENCES + NAMES)
        if kind < SENTENCES and len(body) > 1:
            i = int(draw.integers(len(body)))
            return bag(body[i]), bag(np.concatenate([*body[:i], *body[i + 1 :]]))
        asked = self.names[row] if kind < SENTENCES + NAMES else self.summaries[row]
        return bag(asked), bag(np.concatenate(body))


def info_nce(model: Encoder, pairs: Pairs, rows: torch.Tensor) -> torch.Tensor:
    """Return the loss of finding each pair's other half among all of the batch, in both directions."""
    asked, found = zip(*(pairs.pair(*row) for row in rows.tolist()), strict=True)
    queries, passages = model(list(asked), DROPPED), model(list(found), DROPPED)
    scores = queries @ passages.T * model.sharpness.exp()  # (B, B)
    right = torch.arange(len(scores), device=scores.device)
    return (F.cross_entropy(scores, right) + F.cross_entropy(scores.T, right)) / 2


def measure(encoder: TextEncoder, split: str) -> list[str]:
    """Return the lines of the card's table for a split."""
    task = docs_task(split)
    by_words = BM25(task.passages, words_and_pieces, k1=1.5).scores(task.queries)
    by_stems = BM25(task.passages, b=0.9).scores(task.queries)
    dense = encoder.similarity(task.queries, task.passages)
    table = {"BM25": by_words, "BM25 on stems": by_stems, "docs-encoder": dense}
    table |= {"BM25 and docs-encoder, fused": fused(by_words, dense), "with stems, fused": fused(by_stems, dense)}
    return [f"| {split} | {name} | {' | '.join(f'{v:.3f}' for v in task.measure(s))} |" for name, s in table.items()]


def card(model: Encoder, pairs: Pairs, history: History) -> str:
    """Return the card with everything measured."""
    encoder = TextEncoder(model, pairs.reader)
    return CARD.format(
        parameters=sum(p.numel() for p in model.parameters()),
        vocabulary=len(model.importance),
        width=D_MODEL,
        max_tokens=MAX_TOKENS,
        rows=ROWS,
        run=RUN,
        dropped=DROPPED,
        sentences=SENTENCES,
        names=NAMES,
        lr=LR,
        lr_importance=LR_IMPORTANCE,
        steps=len(history.losses),
        device=history.device,
        minutes=history.seconds / 60,
        pairs=sum(pairs.train),
        others=len(pairs) - sum(pairs.train),
        versions=load("docs").read_from,
        scores="\n".join(line for split in ("valid", "test") for line in measure(encoder, split)),
    )


def main(tried: int | None, splits: tuple[str, ...]) -> None:
    """Train, measure and save; with `tried` steps only, or with train alone, save nothing."""
    seed_everything(0)
    pairs, vocab_size = Pairs(splits), artifacts.load_tokenizer(own=False).get_vocab_size()
    model = Encoder(vocab_size, D_MODEL)
    model.importance.data = torch.from_numpy(np.log(pairs.idf(vocab_size))).float()
    model.sharpness.data.fill_(math.log(20))
    groups = [
        {"params": [model.embedding.weight], "lr": LR},
        {"params": [model.importance, model.sharpness], "lr": LR_IMPORTANCE},
    ]
    optimizer = torch.optim.AdamW(groups, betas=(0.9, 0.98), weight_decay=0.0)
    folder = datasets_folder() / "artifacts" / "docs-encoder"
    whole = not tried and splits == SPLITS
    steps, kept = tried or STEPS, folder.with_suffix(".run") if whole else None
    history = fit(
        model, pairs.rows, lambda m, rows: info_nce(m, pairs, rows),
        steps=steps, optimizer=optimizer, clip=None, warmup=min(20, steps), checkpoint=kept, checkpoint_every=50,
    )  # fmt: skip
    text = card(model, pairs, history)
    print(text, history, sep="\n")
    if whole:
        config = {"vocab_size": vocab_size, "d_model": D_MODEL}
        artifacts.save(Artifact("docs-encoder", dict(model.state_dict()), config, "", text), folder)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=None, help="try so many steps and write nothing")
    parser.add_argument("--train-only", action="store_true", help="read no body of valid and test; write nothing")
    asked = parser.parse_args()
    main(asked.steps, SPLITS[:1] if asked.train_only else SPLITS)
