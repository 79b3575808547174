"""Some of a chapter's show cells for one seed of the course, without the rest: the claims that they make.

python tests/benchmarks/some_cells.py 04_attention 'dates := data' 'kinds = {"attention"' SEEDS=5

Each word names the first cell that holds it; one that begins with = is code of its own; NAME=VALUE stands in the place
of a size. The seed is BOW2LORA_SEED; the claims go into the file BOW2LORA_CLAIMS.
"""

import re
import sys
from collections.abc import Sequence
from pathlib import Path

from autograder import cell_marks, paths
from autograder.authoring.source import definitions, read
from helpers.course.claims import claim

SIZE = re.compile(r"([A-Z_]+)=(.+)")


def run(chapter: str, words: Sequence[str], sizes: dict[str, str]) -> dict:
    """Run what a chapter's given and exercise cells define, then what the words name; returns the names."""
    source = paths.source_text(chapter)
    names = definitions(source) | {"claim": claim}
    for word in words:
        code = word[1:] if word.startswith("=") else cell_marks.sized(shown(source, word), sizes)
        exec(compile(code, word, "exec"), names)
    return names


def shown(source: Path, word: str) -> str:
    """Return the code of the first show cell that holds a word, at its normal sizes."""
    cell = next(cell for cell in read(source) if cell.kind == "show" and word in cell.source)
    return cell_marks.without_sizes(cell.source)[0]


if __name__ == "__main__":
    chapter, *asked = sys.argv[1:]
    sizes = [found.groups() for word in asked if (found := SIZE.fullmatch(word))]
    run(chapter, [word for word in asked if not SIZE.fullmatch(word)], dict(sizes))
