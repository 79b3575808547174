"""Train the reference docs-reader and measure it: `python datasets/reference/reader.py`.

An adapter for the bundled MiniLM, in three stages: SQuAD, questions made by rule from the docs, questions by hand.
About an hour and a half on one core that is free; `--steps 5` tries it out and writes nothing.
"""

import argparse
import random
import sys
from pathlib import Path
from typing import NamedTuple

import torch
import torch.nn.functional as F

sys.path.insert(0, str(Path(__file__).parent))
from reader_measure import chosen, measured, read
from reader_questions import by_hand, questions
from reader_rows import Made, Row, batches, row, squad_questions

from helpers.course import artifacts
from helpers.course.artifacts import Artifact
from helpers.data import load
from helpers.data.registry import datasets_folder
from helpers.device import seed_everything
from helpers.models.docs_reader import LAYERS, DocsReader, Reader, new_reader
from helpers.training import fit

RANK, ROWS = 32, 16
SHORT, LONG = (96, 128, 160), (128, 160, 192)  # tokens of a window
RULED, REPLAYED, ROUNDS = 11000, 2200, 10  # questions made by rule, of SQuAD once more; rounds of those by hand


class Stage(NamedTuple):
    """What a stage learns from, for how many steps, and its highest learning rate."""

    name: str
    steps: int
    lr: float
    batches: list


def stages(tokenizer) -> list[Stage]:
    """Return the three stages; each also repeats some of what came before."""
    squad = _rows(tokenizer, squad_questions(held_out=False), SHORT, 0)
    ruled = _rows(tokenizer, _ruled(), (*SHORT, 192), 1)
    again = random.Random(5).sample(squad, REPLAYED)
    made, last = by_hand(load("docs")), []
    for turn in range(ROUNDS):
        part = _rows(tokenizer, _one_each(made, turn), LONG, turn)
        last += batches([*part, *ruled[6000 + 500 * turn :][:250], *again[1500 + 60 * turn :][:60]], ROWS, turn)
    return [
        Stage("SQuAD", 1400, 1e-3, batches(squad, ROWS)),
        Stage("questions by rule", 700, 8e-4, batches(ruled[:6000] + again[:1500], ROWS, 1)),
        Stage("questions by hand", 4400, 8e-4, last),
    ]


def _ruled() -> list[Made]:
    """Return questions made by rule about documents that no test question asks about."""
    docs = load("docs")
    asked = {name for q in load("docs_questions").splits["test"] for name in q.documents}
    known = [d for d in docs if d.name not in asked and not d.near_copy and d.kind != "topic"]
    return questions(known, RULED)


def _one_each(made: list[Made], seed: int) -> list[Made]:
    """Return each question with one of its passages, and every second also with one that does not answer it."""
    draw, groups = random.Random(seed), {}
    for each in made:
        groups.setdefault((each.question, each.answer is None), []).append(each)
    return [draw.choice(group) for (_, silent), group in groups.items() if not silent or draw.random() < 0.5]


def _rows(tokenizer, made: list[Made], lengths: tuple[int, ...], seed: int) -> list[Row]:
    """Return the rows of questions in windows of various lengths."""
    draw = random.Random(seed)
    found = (row(tokenizer, each, draw.choice(lengths), draw) for each in made)
    return [each for each in found if each]


def loss(model: Reader, batch) -> torch.Tensor:
    """Return the cross-entropy of first and last token, in nats, averaged."""
    token_ids, segments, ends = batch
    return F.cross_entropy(model(token_ids, segments), ends)


CARD = """\
# docs-reader: MiniLM taught to point

**What.** An adapter of rank {rank} for every linear layer of the bundled MiniLM ({weights:,} weights in half
precision, {megabytes:.1f} MB), and two scores for each token, as the first and the last of the answer; [CLS] means that
the passage does not say. It never writes: it points at words of the passage.
`helpers.models.docs_reader.load_reader()`; `helpers.assistant.generators.load_generator()` puts a prompt before it.

**How trained.** Cross-entropy of first and last token, AdamW, {rows} rows of up to 192 tokens a step, in three
stages: {stages}.
The bundled adapter took the last stage in five runs, while the written questions grew from 596 to 4,714: 300 steps with
596, 900 with 1,885, 1,500 with 2,760, 1,500 with all of them; then, from the mean of the last two, 500 more at a
learning rate of 0.0004.
Where a passage holds no answer (about a quarter), [CLS] is right. `python datasets/reference/reader.py`.

**On what.** SQuAD 1.1, development set, without every sixth article; questions made by rule from the docs ({versions}),
none about a document that a test question asks about; by hand, the answerable questions of `docs_questions`, split
valid, and those of `datasets/reference/reader_written.tsv`, none about a document that a test question asks about. No
question of the split test was trained on; the scores below were looked at five times on the way.

**Scores.** By `python datasets/reference/reader_measure.py`. Given the section that holds the evidence (for the
questions without an answer: the best section by BM25), {right:.1%} of the {answerable:g} answerable test questions get
an answer with a token F1 of at least 0.5, with silence on {silent:.1%} of the {others:g} others; without silence
{alone:.1%}. The threshold ({threshold:.2f}) is that of the split valid. At the threshold that leaves silence on 70 % of
the others, which only the test questions themselves can tell, {at_bar:.1%} are right. SQuAD's held-out articles,
without silence: {squad:.1%}.

**Known problems.** It cannot join two places, count, or say "no". The valid questions were learned from, so it looks
better on them than it is; the questions without an answer were not.
"""


def with_lora(encoder: torch.nn.Module) -> torch.nn.Module:
    """Put peft's LoRA beside each linear layer of the encoder's blocks."""
    import peft

    return peft.inject_adapter_in_model(peft.LoraConfig(r=RANK, lora_alpha=RANK, target_modules=list(LAYERS)), encoder)


def adapter(model: Reader) -> dict[str, torch.Tensor]:
    """Return the learned weights alone, A and B of each layer under its name."""
    learned = {name for name, weight in model.named_parameters() if weight.requires_grad}
    state = {name: weight.clone() for name, weight in model.state_dict().items() if name in learned}
    return {name.replace("lora_", "").replace(".default.weight", ""): weight for name, weight in state.items()}


def finish(model: Reader, tokenizer, plan: list[Stage]) -> Artifact:
    """Choose the threshold on the valid questions, measure; returns the artifact."""
    learned = adapter(model)
    reader = DocsReader(new_reader()[0].take(learned).eval(), tokenizer, 0.0)
    threshold = chosen(read(reader, "valid"))
    found = measured(reader, threshold)
    count = sum(weight.numel() for weight in learned.values())
    card = CARD.format(
        rank=RANK, weights=count, megabytes=2e-6 * count, rows=ROWS, threshold=threshold,
        stages=", ".join(f"{stage.name} ({stage.steps} steps, learning rate {stage.lr:g})" for stage in plan),
        versions=load("docs").read_from,
        answerable=found["answerable"], right=found["right"], silent=found["silent"], others=found["others"],
        alone=found["right without silence"], at_bar=found["right at 70 % silence"],
        squad=found["SQuAD held out, right without silence"],
    )  # fmt: skip
    config = {"rank": RANK, "threshold": threshold, "steps": {stage.name: stage.steps for stage in plan}}
    command = "python datasets/reference/reader_measure.py"
    return Artifact("docs-reader", learned, config | {"measured": {"command": command, **found}}, "", card)


def main(tried: int | None) -> None:
    """Train, measure and save; with `tried` steps of each stage only, save nothing."""
    seed_everything(0)
    folder = datasets_folder() / "artifacts" / "docs-reader"
    model, tokenizer = new_reader(with_lora)
    model.encoder.set_attn_implementation("eager")  # its gradients are cheaper on a CPU
    plan = stages(tokenizer)
    for number, stage in enumerate(plan):
        run = None if tried else folder.with_name(f"docs-reader.run{number}")
        steps = tried or stage.steps
        options = {"lr": stage.lr, "precision": "auto" if torch.cuda.is_available() else "bf16", "checkpoint": run}
        print(stage.name, fit(model, stage.batches, loss, steps=steps, **options), sep="\n")
    if not tried:
        artifact = finish(model.cpu(), tokenizer, plan)
        artifacts.save(artifact, folder)
        print(artifact.card)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=None, help="try so many steps of each stage and write nothing")
    main(parser.parse_args().steps)
