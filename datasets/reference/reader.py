"""Train the reference docs-reader and measure it: `python datasets/reference/reader.py`.

The trunk is docs-gpt; questions are made by rule (reader_questions.py). About half an hour on one core;
`--steps 5` tries it out and writes nothing, `--wide` learns the wide half anew beside the deep one that is there.
"""

import argparse
import sys
from pathlib import Path

import torch
import torch.nn.functional as F

sys.path.insert(0, str(Path(__file__).parent))
import reader_wide as learned
from reader_measure import measure
from reader_questions import Made, questions

from helpers.course import artifacts
from helpers.course.artifacts import Artifact
from helpers.data import load
from helpers.data.docs.cache import key
from helpers.data.registry import datasets_folder
from helpers.device import seed_everything
from helpers.models.docs_reader import DocsReader, Reader, Wide, load_reader, pointed, stacked, windows
from helpers.models.gpt import SIZES
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


CARD = """\
# docs-reader: a small reader of the docs

**What.** {parameters:,} weights in half precision, in two halves. Deep: docs-gpt without its mask, so that
every token sees all others, with an embedding of six marks (the question has this word, one like it, ...) and
two scores for each token, as the first and the last of the answer; [CLS] means that the passage does not say.
Wide: {hidden} hidden units over {features} features of each span of up to six words (an error, a number, a parameter;
what the question asks for; how near its sentence is to the question, by words and by docs-encoder; whose entry it is
in), the deep score among them; and a logistic regression on {signs} signs that the passage answers at all. It never
writes: it points at words of the passage.
`helpers.models.docs_reader.load_reader()`; `helpers.assistant.generators.load_generator()` puts a prompt before it.

**How trained.** Deep: cross-entropy of first and last token, AdamW, learning rate {lr:g}, decay {decay:g},
{steps:,} of {planned:,} steps of {rows} questions made by rule from the docstrings of the train split. Wide: by
the {valid:,} question and passage pairs of `docs_questions`, split valid: the right section and the nearest
sections of other documents. No question of the split test was read. `python datasets/reference/reader.py
--train {planned}`.

**On what.** {key}.

**Scores.** Learned from one half of the valid pairs and measured on the other: {alone:.1%} of the answerable questions
answered with a token F1 of at least 0.5 without silence; with the threshold that is silent on {share:.0%} of the
others, {right:.1%}. The test questions, by `python datasets/reference/reader_measure.py`:

{test}

**Known problems.** It is weak: the bar that was set for it (60 % and 70 %) is far away. People word questions in
words of their own, and three million weights know few synonyms. {stopped}

**Tried, and no better.** More steps of the deep half; a linear layer over 135 features and small networks over 135 to
176 in the place of the wide half; silence by the best span's score alone. What helped most was to look at sentences:
how near each is to the question.
"""
STOPPED = "Its deep half was stopped after {steps} steps, where its loss still fell."


def card(deep: Reader, steps: int, planned: int, made: list, wide: Wide, test: str) -> str:
    """Return the card with everything measured; `test` says how the split test went."""
    order = torch.randperm(len(made), generator=torch.Generator().manual_seed(0)).tolist()
    half = [made[i] for i in order[: len(made) // 2]], [made[i] for i in order[len(made) // 2 :]]
    other = learned.learn(half[0])
    right, _, _ = learned.report(half[1], other)
    return CARD.format(
        parameters=sum(p.numel() for model in (deep, wide) for p in model.parameters()),
        hidden=wide.hidden.out_features,
        features=wide.hidden.in_features,
        signs=wide.belief.in_features,
        lr=LR,
        decay=DECAY,
        steps=steps,
        planned=planned,
        rows=ROWS,
        valid=len(made),
        key=", ".join(f"{name} {version.partition('+')[0]}" for name, version in key().items()),
        alone=learned.report(half[1], other, -1e9)[0],
        share=learned.SILENCE,
        right=right,
        test=test,
        stopped=STOPPED.format(steps=steps) if steps < planned else "",
    )


def finish(deep: Reader, steps: int, planned: int, config: dict) -> Artifact:
    """Learn the wide half beside a deep one, measure; returns the artifact."""
    tokenizer = artifacts.load_tokenizer(own=False)
    made = learned.table(learned.asked("valid"), lambda q, p, spans: pointed(deep.eval(), tokenizer, q, p, spans))
    wide = learned.learn(made)
    threshold = float(learned.report(made, wide)[2])
    text = card(deep, steps, planned, made, wide, measure(DocsReader(deep, tokenizer, wide, threshold)))
    halves = {"deep": deep, "wide": wide}
    weights = {f"{half}.{name}": w for half, model in halves.items() for name, w in model.state_dict().items()}
    config = {**config, "threshold": threshold, "steps": steps, "planned": planned}
    return Artifact("docs-reader", weights, config, "", text)


def again(folder: Path) -> None:
    """Learn the wide half anew, beside the deep half of the artifact that is there."""
    there = artifacts.load("docs-reader", own=False)
    deep, config = load_reader(own=False).deep, there.config
    artifacts.save(finish(deep, config["steps"], config["planned"], {name: config[name] for name in SIZES}), folder)


def main(steps: int, tried: int | None) -> None:
    """Train, measure and save; with `tried` steps only, save nothing."""
    seed_everything(0)
    tokenizer, docs = artifacts.load_tokenizer(own=False), load("docs")
    train = questions(list(docs.split("train"))[:: max(1, 2000 // steps)])
    gpt = artifacts.load("docs-gpt", own=False)
    deep = Reader(**gpt.config)
    deep.trunk.load_state_dict(gpt.weights)
    folder, ready = datasets_folder() / "artifacts" / "docs-reader", batches(rows(tokenizer, train))
    options = {"lr": LR, "weight_decay": DECAY, "precision": "auto" if torch.cuda.is_available() else "bf16"}
    if tried:
        print(fit(deep, ready, loss, steps=tried, warmup=0, **options))
        return
    run = folder.with_suffix(".run")
    history = fit(deep, ready, loss, steps=steps, warmup=steps // 10, checkpoint=run, **options)
    artifact = finish(deep.cpu(), len(history.losses), steps, gpt.config)
    artifacts.save(artifact, folder)
    print(artifact.card, history, sep="\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--train", type=int, default=STEPS, help="how many steps to train the deep half for")
    parser.add_argument("--steps", type=int, default=None, help="try so many steps and write nothing")
    parser.add_argument("--wide", action="store_true", help="learn the wide half alone")
    asked = parser.parse_args()
    again(datasets_folder() / "artifacts" / "docs-reader") if asked.wide else main(asked.train, asked.steps)
