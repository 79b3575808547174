"""Train the reference docs-reader and measure it: `python datasets/reference/reader.py`.

The trunk is docs-gpt; questions are made by rule (reader_questions.py). About half an hour on one core;
`--steps 5` tries it out and writes nothing.
"""

import argparse
import sys
from pathlib import Path

import torch
import torch.nn.functional as F

sys.path.insert(0, str(Path(__file__).parent))
from reader_questions import Made, questions

from helpers import artifacts
from helpers.artifacts import Artifact
from helpers.data import load
from helpers.data.docs.cache import key
from helpers.data.registry import datasets_folder
from helpers.device import seed_everything
from helpers.reader import Reader, read, stacked, windows
from helpers.training import fit

STEPS, ROWS, LR, DECAY, LENGTH = 2000, 24, 1e-3, 0.05, 176


def rows(tokenizer, made: list[Made]) -> list[tuple]:
    """Return (window, first, last) of each question whose answer lies in the first window; (0, 0): it has none."""
    found = []
    for question, passage, answer in made:
        window = windows(tokenizer, question, passage, LENGTH)[0]
        if answer is None:
            found.append((window, 0, 0))
            continue
        inside = [i for i, (a, b) in enumerate(window.offsets) if b > a and a < answer[1] and b > answer[0]]
        if inside and window.offsets[inside[-1]][1] >= answer[1]:
            found.append((window, inside[0], inside[-1]))
    return found


def batches(examples: list[tuple], seed: int = 0) -> list[tuple]:
    """Return batches of questions of like length, shuffled."""
    draw = torch.Generator().manual_seed(seed)
    order = sorted(range(len(examples)), key=lambda i: len(examples[i][0].token_ids) // 16)
    groups = [order[i : i + ROWS] for i in range(0, len(order) - ROWS + 1, ROWS)]
    made = []
    for i in torch.randperm(len(groups), generator=draw).tolist():
        chosen = [examples[j] for j in groups[i]]
        token_ids, marks = stacked([window for window, _, _ in chosen])
        made.append((token_ids, marks, torch.tensor([[a, b] for _, a, b in chosen])))
    return made


def loss(model: Reader, batch) -> torch.Tensor:
    """Return the cross-entropy of first and last token, in nats, averaged."""
    token_ids, marks, ends = batch
    return F.cross_entropy(model(token_ids, marks), ends)


@torch.no_grad()
def measured(model: Reader, tokenizer, made: list[Made]) -> list[tuple[float, float, bool]]:
    """Return (score, token F1 of the best span, answerable) of each question."""
    found = []
    for question, passage, answer in made:
        span = read(model, tokenizer, question, [passage])[0]
        truth = passage[slice(*answer)] if answer else ""
        found.append((span.score, f1(span.text, truth), answer is not None))
    return found


def f1(given: str, right: str) -> float:
    """Return the token F1 of two answers, as chapter 08 counts it."""
    import re
    from collections import Counter

    a, b = (Counter(re.findall(r"\w+", text.lower())) for text in (given, right))
    both = (a & b).total()
    return 2 * both / (a.total() + b.total()) if both else 0.0


def shares(found: list[tuple[float, float, bool]], threshold: float) -> tuple[float, float]:
    """Return (share of the answerable with F1 >= 0.5, share of the others on which it is silent)."""
    right = [score >= threshold and f >= 0.5 for score, f, answerable in found if answerable]
    silent = [score < threshold for score, _, answerable in found if not answerable]
    return sum(right) / max(1, len(right)), sum(silent) / max(1, len(silent))


def best_threshold(found: list[tuple[float, float, bool]]) -> float:
    """Return the score from which on answers are given: the one with the largest sum of both shares."""
    return max(
        sorted({round(score, 1) for score, _, _ in found if abs(score) < 50}), key=lambda t: sum(shares(found, t))
    )


CARD = """\
# docs-reader: a small reader of the docs

**What.** {parameters:,} weights in half precision: docs-gpt without its mask, so that every token sees all others, an
embedding of six marks (a word of the passage that the question has, too; one close to it among the docs-vectors; ...),
and two scores for each token: as the first and as the last of the answer. It never writes: it points
at words of the passage, or at [CLS], which means that the passage does not say. `helpers.reader.load_reader()`;
`helpers.generation.load_generator()` puts a prompt before it.

**How trained.** Cross-entropy of first and last token, AdamW, learning rate {lr:g}, a tenth of the steps as
warm-up and a cosine, decay {decay:g}, {steps:,} steps of {rows} questions of like length:
`python datasets/reference/reader.py --train {steps}`, on {device} ({dtype}), {minutes:.0f} minutes.

**On what.** {made:,} questions made by rule from the shape of docstrings (defaults, types, parameters, results, errors,
reasons, conditions, single sentences with a gap) of the train split of the set `docs`; to {share:.0f} % of them the
passage has no answer. None of the questions of `docs_questions` was among them.
{key}.

**Scores.** On {held_out:,} questions made in the same way from the *valid* split, given the passage:

| threshold | answered with token F1 of at least 0.5 | silent where the passage does not say |
|---|---|---|
| {threshold:.1f} | {right:.1%} | {silent:.1%} |

The threshold has the largest sum of the two. Questions that people ask are harder than those made by rule: the
figures on `docs_questions` are in chapter 08.
"""


def card(model: Reader, history, train: list[Made], found, threshold: float) -> str:
    """Return the card with everything measured."""
    right, silent = shares(found, threshold)
    return CARD.format(
        parameters=sum(p.numel() for p in model.parameters()),
        lr=LR,
        decay=DECAY,
        steps=len(history.losses),
        rows=ROWS,
        device=history.device,
        dtype=history.dtype,
        minutes=history.seconds / 60,
        made=len(train),
        share=100 * sum(each.answer is None for each in train) / len(train),
        key=", ".join(f"{name} {version.partition('+')[0]}" for name, version in key().items()),
        held_out=len(found),
        threshold=threshold,
        right=right,
        silent=silent,
    )


def main(steps: int, tried: int | None) -> None:
    """Train, measure and save; with `tried` steps only, save nothing."""
    seed_everything(0)
    tokenizer, docs = artifacts.load_tokenizer(own=False), load("docs")
    known = list(docs.split("train"))[:: max(1, 2000 // steps)]
    train, valid = questions(known), questions(list(docs.split("valid")), seed=1, each=1)[:400]
    gpt = artifacts.load("docs-gpt", own=False)
    model = Reader(**gpt.config)
    model.trunk.load_state_dict(gpt.weights)
    folder, ready = datasets_folder() / "artifacts" / "docs-reader", batches(rows(tokenizer, train))
    options = {"lr": LR, "weight_decay": DECAY, "precision": "auto" if torch.cuda.is_available() else "bf16"}
    if tried:
        history = fit(model, ready, loss, steps=tried, warmup=0, **options)
        found = measured(model, tokenizer, valid[:64])
        print(history, card(model, history, train, found, best_threshold(found)), sep="\n")
        return
    run = folder.with_suffix(".run")
    history = fit(model, ready, loss, steps=steps, warmup=steps // 10, checkpoint=run, **options)
    found = measured(model, tokenizer, valid)
    threshold = best_threshold(found)
    text = card(model, history, train, found, threshold)
    weights = {name: t for name, t in model.state_dict().items()}
    artifacts.save(Artifact("docs-reader", weights, {**gpt.config, "threshold": threshold}, "", text), folder)
    print(text, history, sep="\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--train", type=int, default=STEPS, help="how many steps to train for")
    parser.add_argument("--steps", type=int, default=None, help="try so many steps and write nothing")
    asked = parser.parse_args()
    main(asked.train, asked.steps)
