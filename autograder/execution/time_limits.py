"""The default time limits of one submission; `--timeout` asks for another one for a cell."""

from autograder.linux.limits import ResourceLimits

# Of CPU time; by the clock see helpers.checks.timers. A process has enough for two cells that use theirs up.
CELL_SECONDS = ResourceLimits.cpu_seconds // 2
TOTAL_SECONDS = 600  # by the clock
