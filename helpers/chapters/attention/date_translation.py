"""Translators of dates, trained and compared: exact matches from several seeds, and where a translator looks."""

from collections.abc import Callable, Iterable, Sequence
from datetime import date

import numpy as np
import torch
from torch.nn import functional as F

from helpers.chapters.attention.attention_translator import AttentionTranslator
from helpers.chapters.attention.date_letters import LETTERS, encode_sources, encode_targets, write_letters
from helpers.course import leaderboard
from helpers.data.dates import styles
from helpers.experiments.length_curve import LengthCurve, exact_by_length
from helpers.training import fit

Pairs = Sequence[tuple[str, str]]  # of (date as people write it, ISO date)
EXACT = "dates, exact match"  # the leaderboard's name of the task
ONE, THREE = 11, 33  # letters of one ISO date and of three, with what stands between them and the end mark
BATCH = 64
EDGES = [6, 10, 14, 18, 22, 26, 32, 40, 50, 64, 90]  # lengths of sources, those of chapter 03


def date_loss(model: AttentionTranslator, batch: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
    """Return the mean cross-entropy of the characters of a batch of sources (B, T) and targets (B, L)."""
    logits, _ = model(*batch)
    return F.cross_entropy(logits.flatten(0, 1), batch[1].flatten())


def train_dates(model: AttentionTranslator, groups: Sequence[Pairs], steps: int, seed: int) -> AttentionTranslator:
    """Train a model in place on batches of 64 pairs, each from one of the groups in turn; returns it."""
    draw = torch.Generator().manual_seed(seed)
    encoded = []
    for pairs in groups:
        texts = [text for text, _ in pairs]
        iso_dates = [iso_date for _, iso_date in pairs]
        encoded.append((encode_sources(texts, model.ids), encode_targets(iso_dates)))

    def batch(step: int) -> tuple[torch.Tensor, torch.Tensor]:
        sources, targets = encoded[step % len(encoded)]
        rows = torch.randint(len(sources), (BATCH,), generator=draw)
        longest = int((sources[rows] != 0).sum(1).max())
        return sources[rows, :longest], targets[rows]

    fit(model, batch, date_loss, steps=steps, lr=6e-3, progress=False)
    return model


def train_translators(
    makers: dict[str, Callable[[], AttentionTranslator]], train: Pairs, test: Pairs, steps: int, seeds: Iterable[int]
) -> tuple[dict[str, AttentionTranslator], dict[str, list[float]]]:
    """Train a translator of each kind from each seed, which sets its weights and its batches, and keep the measure.

    Returns ({name: the model of the first seed}, {name: share of test pairs translated exactly, for each seed}).
    """
    models, shares = {}, {name: [] for name in makers}
    for seed in seeds:
        for name, make in makers.items():
            with leaderboard.measured("04", f"{name}, seed {seed}", EXACT) as row:
                torch.manual_seed(seed)
                model = train_dates(make(), [train], steps, seed)
                row.score = exact_share(model, test)
                row.parameters = sum(p.numel() for p in model.parameters())
            shares[name].append(row.score)
            models.setdefault(name, model)
    return models, shares


def beside_five_seeds(shares: dict[str, list[float]]) -> str:
    """Return as text, for each kind, the share of each seed here, and those of the course's own five runs."""
    stored = sorted(leaderboard.reference(EXACT), key=lambda row: row.model)
    lines = []
    for name, found in shares.items():
        own = [row.score for row in stored if row.model.startswith(f"{name}, seed ")]
        lines.append(f"{name:<12} exact matches {_listed(found)}; the course's own runs {_listed(own)}")
    return "\n".join(lines)


def _listed(shares: Iterable[float]) -> str:
    return " ".join(f"{share:.3f}" for share in shares)


@torch.no_grad()
def translate(model: AttentionTranslator, texts: Sequence[str], steps: int = THREE) -> list[str]:
    """Return what the model writes for each text in so many steps, without help, up to its end mark."""
    found, device = [], next(model.parameters()).device
    for start in range(0, len(texts), 250):
        sources = encode_sources(texts[start : start + 250], model.ids)
        found += write_letters(model(sources.to(device), steps)[0].argmax(-1))
    return found


def exact_share(model: AttentionTranslator, pairs: Pairs) -> float:
    """Return the share of single dates that the model translates exactly."""
    answers = translate(model, [text for text, _ in pairs], ONE)
    return float(np.mean([answer == target for answer, (_, target) in zip(answers, pairs, strict=True)]))


def written_in(languages: Sequence[str], iso: str) -> dict[str, str]:
    """Return an ISO date as it is written in full in each of the languages."""
    return {language: styles(language)[0].write(date.fromisoformat(iso)) for language in languages}


@torch.no_grad()
def looks(model: AttentionTranslator, text: str) -> tuple[str, torch.Tensor]:
    """Return the ISO date that the model writes for one text (10 letters), and its weights (10, T), on the CPU."""
    sources = encode_sources([text], model.ids).to(next(model.parameters()).device)
    logits, weights = model(sources, ONE - 1)
    return "".join(LETTERS[i] for i in logits[0].argmax(-1)), weights[0].cpu()


def length_curve(model: AttentionTranslator, pairs: Pairs, edges: Sequence[int]) -> LengthCurve:
    """Return the share of pairs that the model translates exactly, by the length of the source."""
    return exact_by_length(pairs, translate(model, [text for text, _ in pairs]), edges)


def series_curves(
    models: dict[str, AttentionTranslator], groups: Sequence[Pairs], tests: Pairs, steps: int, seed: int
) -> dict[str, LengthCurve]:
    """Train each model on, in place, on the same batches of the groups in turn, and let each read the same tests."""
    return {name: length_curve(train_dates(model, groups, steps, seed), tests, EDGES) for name, model in models.items()}


def length_table(curves: dict[str, LengthCurve]) -> str:
    """Return as text where each bin of lengths begins, how many sources it holds, and the shares of each translator."""
    first = next(iter(curves.values()))
    lines = [f"{'characters, from':<24}" + " ".join(f"{a:>5}" for a in first.edges[:-1]) + "   all"]
    lines.append(f"{'sources':<24}" + " ".join(f"{count:>5}" for count in first.counts) + f"{sum(first.counts):>6}")
    for name, curve in curves.items():
        lines.append(f"{name:<24}" + " ".join(f"{share:5.2f}" for share in curve.shares) + f"{curve.overall:6.2f}")
    return "\n".join(lines)
