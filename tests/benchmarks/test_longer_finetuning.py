"""Chapter 05's encoders at the intents of CLINC150 with a fine-tuning that is long enough, over steps of pre-training.

python -m pytest tests/benchmarks/test_longer_finetuning.py -s

Encoders of one shape learn from ten examples of each intent in 450 steps: from random weights, after 300 steps of the
chapter's own pre-training, and as inbox-bert with its 8,000. Of two learning rates each takes the one that is better on
the valid part. What it prints stands in solutions/measured.json, as claims and rows with this command, since the
chapter's own run is shorter.
"""

from dataclasses import asdict
from functools import partial

import numpy as np
import pytest

from autograder import paths
from autograder.authoring.source import definitions
from helpers import data
from helpers.chapters.transformers import finetuning, masked_pretraining
from helpers.chapters.transformers.pretraining_steps import DATA, LABELS, STEPS, TUNED, named
from helpers.course import artifacts, benchmarks, leaderboard
from helpers.course.claims import claim
from helpers.device import seed_everything

SEEDS = range(1)
SHORT = 80  # steps of fine-tuning in the chapter
RATES = (2e-3, 5e-3)
QUESTIONS = 10  # of each intent, of the valid part and of the test part
SCRATCH, _, BERT = STEPS
SIZES = {"context_length": 64, "d_model": 96, "num_layers": 2, "num_heads": 4}


@pytest.fixture(scope="module")
def names():
    """What the chapter's given and exercise cells define."""
    return definitions(paths.source_text("05_transformers"))


@pytest.fixture(scope="module")
def valid() -> tuple[list[str], np.ndarray]:
    """The first requests of each intent in the valid part, and the numbers of their intents."""
    clinc = data.load("clinc150")
    texts, answers = [], []
    for number, intent in enumerate(clinc.intents):
        asked = [request.text for request in clinc.splits["valid"] if request.intent == intent][:QUESTIONS]
        texts += asked
        answers += [number] * len(asked)
    return texts, np.array(answers)


def pretrained(names, tokenizer, fresh, steps: int, seed: int):
    """Return the encoder after so many steps: None for none, inbox-bert for its own number."""
    if steps == SCRATCH:
        return None
    if steps == BERT:
        return names["inbox_bert"](names["encoder_block"])
    docs = data.load("docs_text").train[:800_000]
    train, _ = data.load("inbox").without_repeats().split(test=0.2, seed=0)
    length, mask_tokens = SIZES["context_length"], names["mask_tokens"]
    texts = masked_pretraining.MaskedTexts(tokenizer, train.texts, docs, length, mask_tokens)
    seed_everything(seed)
    encoder = fresh()
    masked_pretraining.pretrain(encoder, texts, steps)
    return encoder


def right(model, exam, valid, seed) -> tuple[float, float]:
    """Return the accuracy of a model on the valid part and on the exam."""
    questions, answers = valid
    said = np.asarray(model(exam.texts, exam.labels, [*questions, *exam.questions], seed))
    return np.mean(said[: len(questions)] == answers), np.mean(said[len(questions) :] == exam.answers)


@pytest.mark.parametrize("seed", SEEDS)
def test_over_steps_of_pretraining(names, valid, seed, monkeypatch, tmp_path):
    monkeypatch.setenv("BOW2LORA_HOME", str(tmp_path))
    tokenizer = artifacts.load_tokenizer(own=False)
    fresh = partial(names["Encoder"], vocab_size=tokenizer.get_vocab_size(), **SIZES, block=names["encoder_block"])
    exam = benchmarks.intents_exam(LABELS, seed, QUESTIONS)
    short, long = {}, {}
    for steps in STEPS:
        start = pretrained(names, tokenizer, fresh, steps, seed)
        short[steps] = right(finetuning.sorter(tokenizer, fresh, start, SHORT), exam, valid, seed)[1]
        with leaderboard.measured("05", named(steps), DATA, LABELS) as row:
            tried = {}
            for lr in RATES:
                model = finetuning.sorter(tokenizer, fresh, start, TUNED, lr=lr)
                tried[lr] = right(model, exam, valid, seed)
            row.score = max(tried.values(), key=lambda found: found[0])[1]
            row.parameters = model.parameters
        long[steps] = row.score
        print(
            f"\nseed {seed}, {named(steps)}: {SHORT} steps {short[steps]:.4f}; valid, test by rate {tried}", flush=True
        )
    what = f"Accuracy of intents, {LABELS} labels"
    for steps in STEPS:
        claim(f"{what}, {named(steps)}: {TUNED} steps of fine-tuning above {SHORT}", long[steps], short[steps])
    for steps in STEPS[1:]:
        apart = abs(long[steps] - long[SCRATCH])
        claim(
            f"{what}, {TUNED} steps of fine-tuning: {named(steps)} and from scratch less than 0.04 apart", 0.04, apart
        )
    print(*[asdict(row) for row in leaderboard.rows(DATA)], sep="\n")
