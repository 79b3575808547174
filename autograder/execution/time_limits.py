"""The default time limits of one submission; `--timeout` asks for another one for a cell."""

import math

from autograder.linux.limits import CELL_SECONDS, ResourceLimits

__all__ = ["CELL_SECONDS", "TOTAL_SECONDS", "runner_cpu_seconds"]  # by the clock see helpers.checks.timers
TOTAL_SECONDS = 600  # by the clock, of all cells


def runner_cpu_seconds(limits: ResourceLimits, cell: float) -> int:
    """Return the CPU seconds of a process where a cell may take so many: for two such cells, and never fewer."""
    return max(limits.cpu_seconds, math.ceil(2 * cell))
