"""The default time limits of one submission; `--timeout` asks for another one for a cell."""

import math

from autograder.linux.limits import ResourceLimits

# Of CPU time; by the clock see helpers.checks.timers. A process has enough for two cells that use theirs up.
CELL_SECONDS = ResourceLimits.cpu_seconds // 2
TOTAL_SECONDS = 600  # by the clock


def runner_cpu_seconds(limits: ResourceLimits, cell: float) -> int:
    """Return the CPU seconds of a process where a cell may take so many: for two such cells, and never fewer."""
    return max(limits.cpu_seconds, math.ceil(2 * cell))
