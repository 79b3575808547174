"""The parts of the README that are made: the table of chapters, and the figure that grows with what it shows."""

from autograder import paths
from autograder.authoring import intents, shorter_paths
from autograder.authoring.measured import measured
from autograder.authoring.source import read
from autograder.authoring.start_page import halves
from helpers.files import write_whole

README = paths.ROOT / "README.md"
BEGIN, END = "<!-- chapters: made by make course -->", "<!-- end of chapters -->"
PART = ("<!-- intents: made by make release -->", "<!-- end of intents -->")
INTENTS = """![Accuracy with 1, 5 and 10 labelled examples of each of 150 intents: counted words reach @COUNTS@, MiniLM
as it comes @MINILM@, and tuned, by pairs of labels @TUNED@, with the student's own LoRA
@LORA@.](notebooks/figures/labels.svg)

With ten examples of each intent the best without a pre-trained model, counts beside word vectors, has @BESIDE@; MiniLM
as it comes has @MINILM@, tuned in chapter 07 @TUNED@, with LoRA in chapter 09 @LORA@. With one example LoRA loses:
@LORA1@ against @MINILM1@."""


def table() -> str:
    """Return the table of chapters, made from the record and the sources."""
    lines = [
        "| chapter | exercises | points | hours | minutes to run | peak memory | on a GPU |",
        "|---|---|---|---|---|---|---|",
    ]
    for chapter, record in sorted(measured().items()):
        cells = read(paths.source_text(chapter))
        title = cells[0].source.splitlines()[0].removeprefix("# ")
        exercises = sum(c.kind == "exercise" for c in cells)
        points = sum(c.points for c in cells)
        link = f"[{title}](notebooks/{chapter}/{chapter}.ipynb)"
        hours = halves(shorter_paths.hours(chapter))
        on_gpu = _took(record["gpu"], ", ") if "gpu" in record else "not run"
        lines.append(f"| {link} | {exercises} | {points:g} | {hours} | {_took(record, ' | ')} | {on_gpu} |")
    return "\n".join(lines)


def _took(run: dict, between: str) -> str:
    """Return the minutes and the most memory of a run."""
    return f"{run['minutes']:.1f}{between}{run['peak_mb']:,} MB"


def made() -> str:
    """Return the README with its parts as they are now."""
    text = with_part(README.read_text(encoding="utf-8"), BEGIN, END, table())
    return with_part(text, *PART, intents.filled(INTENTS))


def release_readme(check: bool = False) -> bool:
    """Write the README (or only compare); returns whether it was the same before, or there is none."""
    if not README.exists():  # a folder with a chapter of one's own
        return True
    same = README.read_text(encoding="utf-8") == made()
    if not (check or same):
        write_whole(README, made().encode())
    return same


def with_part(text: str, begin: str, end: str, part: str) -> str:
    """Return a document with a new part between two marks."""
    above, _, rest = text.partition(begin)
    return f"{above}{begin}\n{part}\n{end}{rest.partition(end)[2]}"
