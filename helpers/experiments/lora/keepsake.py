"""The page that a student keeps: what the course's assistant is made of, how well it does, what it costs."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from helpers.assistant.capstone import Assistant, parts_used
from helpers.course import leaderboard
from helpers.course.artifacts import Artifact
from helpers.experiments.lora.assistant_report import Asked, end_to_end, report, shown
from helpers.files import write_whole

NAME = "my_assistant.md"


def page(
    assistant: Assistant,
    rows: Sequence[Asked],
    quiet: Sequence[float],
    adapter: Artifact,
    reached: Sequence[tuple[int, float]],
    board: Iterable[leaderboard.Row],
) -> str:
    """Return the page as Markdown, all of it from the student's own run.

    quiet:   the scores of the replies to questions that the docs do not answer
    adapter: the reader's
    reached: [(steps, share of right answers), ...] of the reader that the student trained
    board:   rows of the leaderboard; the student's own best of each set stands on the page
    """
    threshold = adapter.config["threshold"]
    count = sum(weight.numel() for weight in adapter.weights.values())
    best = [row for row in rows if row.reply.score >= threshold][:3]
    return "\n".join(
        [
            "# My documentation assistant\n\n## What I built\n",
            f"It answers questions about {len(assistant.documents):,} documents with their own words, and says where",
            "they stand. BM25 and an encoder of bags of tokens find five documents, MiniLM with LoRA reads them.\n",
            *(f"- {line}" for line in parts_used()),
            f"- docs-reader     MiniLM (22.7 million weights, frozen) with {count:,} numbers beside it",
            "\n## How well it does\n",
            f"Right, end to end, on {len(rows)} questions that nothing learned from: {end_to_end(rows):.0%}.\n",
            *(f"    {line}" for line in report(rows, quiet, threshold).splitlines()),
            f"\nThe reader that I trained myself went from {reached[0][1]:.0%} to {reached[-1][1]:.0%} right answers",
            f"on SQuAD's held-out articles in {reached[-1][0]} steps.\n",
            *(f"- {line}" for line in _best(board)),
            *(f"\n{'    '.join(shown(row).splitlines(keepends=True))}" for row in best),
            "\n## What it costs\n",
            f"- {np.mean([row.seconds for row in rows]):.2f} seconds a question on this machine",
            f"- an adapter of {2e-6 * count:.1f} MB in half precision beside a base that any number of adapters share",
            "- no network, no GPU, no question that leaves this machine\n",
        ]
    )


def _best(board: Iterable[leaderboard.Row]) -> list[str]:
    """Say the best own row of each set and number of labels."""
    best: dict[tuple, leaderboard.Row] = {}
    for row in board:
        if not row.reference and row.score > best.get((row.data, row.labels), leaderboard.Row("", "", "", -1.0)).score:
            best[row.data, row.labels] = row
    with_labels = {key: f"{key[0]}, {key[1]} labels a class" if key[1] else key[0] for key in best}
    return [f"my best on {with_labels[key]}: {row.score:.3f} ({row.model}, chapter {row.chapter})"
            for key, row in sorted(best.items())]  # fmt: skip


def write(text: str) -> Path:
    """Write the page beside the leaderboard; returns its path."""
    path = leaderboard.path().with_name(NAME)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, text.encode())
    return path
