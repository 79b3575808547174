"""The default time limits of one submission, in seconds by the clock; `--timeout` asks for another one for a cell."""

CELL_SECONDS = 60
TOTAL_SECONDS = 600
