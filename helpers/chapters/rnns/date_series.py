"""Translating series of dates through one state: characters as numbers, batches, training, judging, keeping."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import torch
from torch.nn.utils.rnn import pad_sequence

from helpers.chapters.rnns.encoder_decoder import EncoderDecoder
from helpers.course import artifacts
from helpers.data import Dates
from helpers.device import SEED, seed_everything
from helpers.experiments.length_curve import LengthCurve
from helpers.training import History, fit

Pairs = Sequence[tuple[str, str]]  # (source, target)
LETTERS = "0123456789- "  # what a target is written with
BEGIN, END, BLANK = len(LETTERS), len(LETTERS) + 1, len(LETTERS) + 2
EDGES = [6, 10, 14, 18, 22, 26, 32, 40, 50, 64, 90]  # lengths of sources in characters
ROWS = 64  # pairs in a batch
READ = 200  # sources that are translated at once
RECORDED = Path(__file__).with_name("recorded.json")  # a run of the chapter that trained both
LIMIT = 33  # characters that a translation may have: three dates and the end

CARD = """# date-translator: an encoder-decoder without attention

**What.** Two LSTMs of 128 numbers over characters, joined by the encoder's last state: a date or a series of up to
three dates in sixteen languages to ISO dates. Made by chapter 03.

**How trained.** With teacher forcing, {single} batches of 64 single dates, then {series} of series, AdamW, learning
rate 0.005.

**On what.** `Dates("train").series` of helpers.data, from Babel's CLDR; no day of the test occurs in it.

**Scores.** {short:.1%} of single dates of less than 20 characters are exact. `config["curves"]` holds the share
of exact translations by the length of the source (helpers.experiments.length_curve), plain and with the source
reversed.
"""


class DateLessons:
    """The dates that a translator learns from, and the numbers of the characters in their sources.

    single:  24,000 single dates. several: 16,000 series of one to three
    sources: the number of each character, from 2: 0 is padding, 1 unknown
    """

    def __init__(self):
        """Draw the dates, the same ones for the same seed of the course."""
        self.single = Dates("train").series(750 * ROWS // 2, seed=SEED, counts=(1,))
        self.several = Dates("train").series(250 * ROWS, seed=SEED + 1, counts=(1, 1, 2, 3))
        letters = {c for text, _ in [*self.single, *self.several] for c in text}
        self.sources = {c: i for i, c in enumerate(sorted(letters), start=2)}

    def pad(self, texts: Sequence[str], turned: bool = False) -> tuple[torch.Tensor, torch.Tensor]:
        """Return (character numbers (B, T), lengths (B,)) of sources, each read from its end if `turned`."""
        step = -1 if turned else 1
        rows = []
        for text in texts:
            ids = [self.sources.get(c, 1) for c in text[::step]]
            rows.append(torch.tensor(ids))
        return pad_sequence(rows, batch_first=True), torch.tensor([len(row) for row in rows])

    def batches(self, pairs: Pairs, turned: bool = False) -> list[tuple]:
        """Return batches (x, lengths, targets, lengths of the targets), similar sources together, in random order."""
        noise = np.random.default_rng(SEED)
        order = sorted(range(len(pairs)), key=lambda i: len(pairs[i][0]) + noise.uniform(0, 4))
        batches = []
        for start in range(0, len(order) - ROWS + 1, ROWS):
            sources, targets = zip(*(pairs[i] for i in order[start : start + ROWS]), strict=True)
            rows = []
            for target in targets:
                letters = [LETTERS.index(c) for c in target]
                rows.append(torch.tensor([*letters, END]))
            padded = pad_sequence(rows, batch_first=True, padding_value=BLANK)
            batches.append((*self.pad(sources, turned), padded, torch.tensor([len(row) for row in rows])))
        return [batches[i] for i in noise.permutation(len(batches))]


def translation_loss(masked_cross_entropy: Callable) -> Callable:
    """Return the loss for `fit`, by a masked loss of (logits (B, T, K), targets (B, T), lengths (B,))."""

    def loss(model: EncoderDecoder, batch: tuple) -> torch.Tensor:
        x, lengths, targets, target_lengths = batch
        return masked_cross_entropy(model(x, lengths, targets), targets, target_lengths)

    return loss


def train_translator(
    lessons: DateLessons, turned: bool, steps: tuple[int, int], forced: Callable, masked_cross_entropy: Callable
) -> tuple[EncoderDecoder, History]:
    """Train a translator on so many batches of single dates, then on so many of series.

    turned: whether sources are read from their ends. forced: the forward pass, see `EncoderDecoder`.
    """
    seed_everything(SEED)
    model = EncoderDecoder(len(lessons.sources) + 2, BLANK + 1, BEGIN, forced)
    single, several = lessons.batches(lessons.single, turned), lessons.batches(lessons.several, turned)

    def draw(step: int) -> tuple:
        late = step - steps[0]
        return single[step % len(single)] if late < 0 else several[late % len(several)]

    return model, fit(model, draw, translation_loss(masked_cross_entropy), steps=sum(steps), lr=5e-3, progress=False)


def translate(
    model: EncoderDecoder, lessons: DateLessons, turned: bool, pairs: Pairs, greedy_decode: Callable
) -> list[str]:
    """Return the greedy translation of each source; greedy_decode: (step, state, begin, end, limit) -> (B, L)."""
    device, translations = next(model.parameters()).device, []
    for start in range(0, len(pairs), READ):
        x, lengths = lessons.pad([source for source, _ in pairs[start : start + READ]], turned)
        with torch.no_grad():
            letters = greedy_decode(model.step, model.encode(x.to(device), lengths), BEGIN, END, LIMIT)  # (B, L)
        for row in torch.as_tensor(letters).tolist():
            translations.append("".join(LETTERS[i] for i in row if i < BEGIN))
    return translations


def exact(answers: Sequence[str], pairs: Pairs) -> float:
    """Return the share of answers that are the target."""
    return float(np.mean([answer == target for answer, (_, target) in zip(answers, pairs, strict=True)]))


def right_by_place(answers: Sequence[str], pairs: Pairs, dates: int) -> list[float]:
    """Return, for the series of so many dates, the share of answers that are right at each place, (dates,)."""
    series = []
    for answer, (_, target) in zip(answers, pairs, strict=True):
        target_dates = target.split(" ")
        if len(target_dates) == dates:
            series.append((answer.split(" "), target_dates))
    shares = []
    for i in range(dates):
        hits = [len(written) > i and written[i] == right[i] for written, right in series]
        shares.append(float(np.mean(hits)))
    return shares


def reversed_curve() -> LengthCurve:
    """Return the stored curve of a translator that was trained like the chapter's, with its sources reversed."""
    return LengthCurve(**json.loads(RECORDED.read_text(encoding="utf-8"))["reversed source"])


def keep_translator(
    model: EncoderDecoder, lessons: DateLessons, curves: dict[str, LengthCurve], short: float, steps: tuple[int, int]
) -> Path:
    """Save the translator of plain sources as the artifact date-translator; returns its folder.

    curves: by the name of the way to read. short: the share of short single dates that are exact.
    """
    kept = {"edges": EDGES, "curves": {name: curve.plain() for name, curve in curves.items()}, "short": short}
    kept |= {"characters": lessons.sources, "test": "Dates('test').series(3000, seed=1)"}
    card = CARD.format(single=steps[0], series=steps[1], short=short)
    return artifacts.save(artifacts.Artifact("date-translator", model.state_dict(), kept, card=card))
