"""What is printed of mutants: a table, and a line for each that survives."""

from collections.abc import Sequence

from rich.table import Table

from autograder.authoring.mutants.trial import Outcome


def table(chapter: str, outcomes: Sequence[Outcome]) -> Table:
    """Return a row for each exercise, and one for all."""
    table = Table("exercise", "mutants", "killed", "explained", "left", title=f"Mutants of {chapter}")
    rows = [(o.exercise, o.made, o.killed, o.explained, len(o.survivors)) for o in outcomes]
    for name, *numbers in [*rows, ("all", *(sum(row[i] for row in rows) for i in range(1, 5)))]:
        table.add_row(name, *map(str, numbers))
    return table


def survivors(outcomes: Sequence[Outcome]) -> list[str]:
    """Return a line for each mutant that survives unexplained, and for each explanation that explains nothing."""
    lines = []
    for outcome in outcomes:
        lines += [f"{outcome.exercise}: {mutant.kind}: {mutant.change}" for mutant in outcome.survivors]
        lines += [f"{outcome.exercise}: nothing survives that this explains: {entry}" for entry in outcome.stale]
    return lines
