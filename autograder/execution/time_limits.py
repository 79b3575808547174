"""The default time limits of one submission; `--timeout` asks for another one for a cell."""

CELL_SECONDS = 60  # of CPU time; by the clock see helpers.checks.timers.by_the_clock
TOTAL_SECONDS = 600  # by the clock
