"""Claims of chapters 02 to 04 for five seeds: the cells that make them, each seed in a process and a home of its own.

python -m pytest tests/benchmarks/test_five_seeds.py -s            all: about a quarter of an hour
python -m pytest tests/benchmarks/test_five_seeds.py -s -k tags    one

What it prints stands in solutions/measured.json with this command, since a whole chapter for five seeds takes five
times its minutes, and since some of these comparisons are longer than those that the chapter shows.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

CELLS = Path(__file__).parent / "some_cells.py"
SEEDS = range(5)
VECTORS = "=from helpers.models.word_vectors import WordVectors"
RUNS = {  # what is measured: the cells of a chapter, one after the other, that it needs
    "few labels": [
        ["01_spam", 'benchmarks.take("01"', "RUNS=1"],  # the rival, on the same examples
        ["02_word_vectors", "by_steps = StepTrainer(", "=skip_gram = WordVectors.load(own=False)",
         "=minilm, EVERY_TEXT = pretrained_table.load(), 1", "averaged_texts.compare(", "DRAWS=1"],
    ],
    "recall": [["03_rnns", "import own_runs, recall_accuracy"]],
    "reversed": [["03_rnns", "lessons, series = DateLessons()", 'WAYS={"plain": False, "reversed source": True}']],
    "tags": [["03_rnns", VECTORS, "inbox_tags = data.load"]],
    "two tasks": [["03_rnns", VECTORS, "inbox_tags = data.load", "=FURTHER = True",
                   "=from functools import partial", "intents, train_labels"]],
    "sentences": [["03_rnns", "=FURTHER = True", "tico = SentenceLessons("]],
    "translators": [["04_attention", "dates := data", 'kinds = {"attention"', "SEEDS=1"]],
    "longer": [["04_attention", "reader = longer.train("]],
}  # fmt: skip


@pytest.mark.parametrize("what", RUNS)
def test_claims(what, tmp_path):
    found: dict[str, dict[str, list[float]]] = {}
    for seed in SEEDS:
        for claim, sides in claims_of(RUNS[what], seed, tmp_path / str(seed)).items():
            kept = found.setdefault(claim, {side: [] for side in sides})
            for side, figures in sides.items():
                kept[side] += [round(figure, 4) for figure in figures]
    print(json.dumps(found, indent=1, sort_keys=True))
    assert found and all(len(side) == len(SEEDS) for sides in found.values() for side in sides.values())


def test_messages(monkeypatch, tmp_path):
    from helpers.chapters.rnns.message_sorting import message_sorter
    from helpers.course import benchmarks, leaderboard
    from helpers.models.word_vectors import WordVectors

    monkeypatch.setenv("BOW2LORA_HOME", str(tmp_path))
    benchmarks.spam("03", "BiLSTM on word vectors", message_sorter(WordVectors.load(), 220), splits=len(SEEDS))
    assert {row.runs for row in leaderboard.rows()} == {len(SEEDS)}


def claims_of(runs: list[list[str]], seed: int, home: Path) -> dict:
    """Return the claims that some cells make for a seed."""
    home.mkdir()
    claims = home / "claims.json"
    surroundings = os.environ | {"BOW2LORA_SEED": str(seed), "BOW2LORA_HOME": str(home), "BOW2LORA_CLAIMS": str(claims)}
    for run in runs:
        subprocess.run([sys.executable, CELLS, *run], env=surroundings, check=True, stdout=subprocess.DEVNULL)
    return json.loads(claims.read_text(encoding="utf-8"))
