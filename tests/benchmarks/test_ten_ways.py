"""Ten ways to train docs-gpt, for five seeds, by the code that chapter 09 has at its end ("More ways to adapt").

python -m pytest tests/benchmarks/test_ten_ways.py -s
"""

import re

from autograder import paths
from autograder.authoring.source import definitions, read

TABLE = "adaptation.base_table("  # the cell that makes `tokens` and `held_out`
SEEDS = range(5)


def code() -> str:
    """Return the code at the end of the chapter."""
    text = (paths.SOLUTIONS / "09_lora" / "further.md").read_text(encoding="utf-8")
    return re.search(r"```python\n(.*?)```", text, re.DOTALL).group(1)


def test_ten_ways_for_five_seeds():
    source = paths.source_text("09_lora")
    names = definitions(source)
    exec(next(cell.source for cell in read(source) if TABLE in cell.source), names)
    for seed in SEEDS:
        print(f"\nseed {seed}")
        exec(code(), names | {"SEED": seed})
