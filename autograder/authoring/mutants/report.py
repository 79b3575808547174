"""What is printed of mutants: a table, and a line for each that survives."""

from collections.abc import Sequence

from rich.table import Table

from autograder.authoring.mutants.trial import Outcome


def table(chapter: str, outcomes: Sequence[Outcome]) -> Table:
    """Return a row for each exercise, and one for all."""
    table = Table("exercise", "mutants", "killed", "explained", "left", title=f"Mutants of {chapter}")
    total = [0, 0, 0, 0]
    for outcome in outcomes:
        counts = [outcome.mutants, outcome.killed, outcome.explained, len(outcome.survivors)]
        table.add_row(outcome.exercise, *map(str, counts))
        total = [a + b for a, b in zip(total, counts, strict=True)]
    table.add_row("all", *map(str, total))
    return table


def survivors(outcomes: Sequence[Outcome]) -> list[str]:
    """Return a line for each mutant that survives unexplained, and for each explanation that explains nothing."""
    lines = []
    for outcome in outcomes:
        lines += [f"{outcome.exercise}: {mutant.kind}: {mutant.change}" for mutant in outcome.survivors]
        lines += [f"{outcome.exercise}: nothing survives that this explains: {entry}" for entry in outcome.stale]
    return lines
