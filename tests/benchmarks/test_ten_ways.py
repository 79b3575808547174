"""Chapter 09's table and figure of ten ways to train docs-gpt, for five seeds, by the chapter's own cells.

    python -m pytest tests/benchmarks/test_ten_ways.py -s

In the notebook the cell runs one seed on a CPU, so that the chapter stays within its minutes. The figure is kept in
build/benchmarks/ten_ways.png.
"""

from autograder import paths
from autograder.authoring.source import definitions, read

FIRST = "adaptation.base_table("
ONE, FIVE = "SEEDS = 1  ###", "SEEDS = 5  ###"
FIGURE = paths.ROOT / "build" / "benchmarks" / "ten_ways.png"


def keep(fig, _alt: str) -> None:
    """Write a figure where the notebook would show it."""
    FIGURE.parent.mkdir(parents=True, exist_ok=True)
    fig.savefig(FIGURE, dpi=120)


def test_ten_ways_for_five_seeds(monkeypatch):
    source = paths.source_text("09_lora")
    cells = [c.source for c in read(source) if c.kind == "show"]
    first, last = (next(i for i, cell in enumerate(cells) if part in cell) for part in (FIRST, ONE))
    names = definitions(source)
    monkeypatch.setattr(names["plots"], "show", keep)
    for cell in cells[first : last + 1]:
        exec(cell.replace(ONE, FIVE), names)
    measured = names["measured"]
    print(f"\n{'way':<18}{'F1 of spam, each seed':>36}{'docs perplexity, times before':>40}")
    for way, runs in measured.items():
        f1 = "  ".join(f"{run.f1:.3f}" for run in runs)
        forgetting = "  ".join(f"{run.forgetting:.2f}" for run in runs)
        print(f"{way:<18}{f1:>36}{forgetting:>40}")
    assert all(len(runs) == 5 and all(0 <= run.f1 <= 1 for run in runs) for runs in measured.values())
