"""A chapter's drawings: from figures/<name>.py beside the story to figures/<name>.svg beside the notebook."""

import re
import runpy
from pathlib import Path

from autograder.authoring.drawing import Drawing
from autograder.authoring.source import Cell, SourceError
from helpers.files import write_whole

FIGURES = "figures"
PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)\s]*)\)")
SHORTEST = 30  # characters of an alt text: a picture is told, not named


def draw_all(story: Path, cells: list[Cell], target: Path) -> None:
    """Write the drawings that a story shows to target/figures/*.svg; raises SourceError."""
    folder, shown = story.parent / FIGURES, _shown(cells)
    for path in sorted(folder.glob("[!_]*.py")):
        if path.stem not in shown:
            raise SourceError(f"{path}:1: no cell of {story.name} shows this drawing")
    for old in (target / FIGURES).glob("*.svg"):
        if old.stem not in shown:
            old.unlink()
    for name, place in shown.items():
        write_whole(target / FIGURES / f"{name}.svg", _svg(folder / f"{name}.py", place))


def copy_all(folder: Path, target: Path) -> None:
    """Copy the drawings that lie beside a notebook to another one."""
    for path in sorted((folder / FIGURES).glob("*.svg")):
        write_whole(target / FIGURES / path.name, path.read_bytes())


def _shown(cells: list[Cell]) -> dict[str, str]:
    """Return the names of the drawings that text cells show, each with the place of the first cell that does."""
    shown: dict[str, str] = {}
    for cell in (c for c in cells if c.cell_type == "markdown"):
        for alt, target in PICTURE.findall(cell.source):
            if not re.fullmatch(rf"{FIGURES}/\w+\.svg", target):
                raise SourceError(
                    f"{cell.place}: a picture is shown as ![what it shows]({FIGURES}/name.svg), not {target}"
                )
            if len(alt) < SHORTEST:
                raise SourceError(
                    f"{cell.place}: say what {target} shows, between ![ and ], in {SHORTEST} characters or more"
                )
            shown.setdefault(Path(target).stem, cell.place)
    return shown


def _svg(path: Path, place: str) -> bytes:
    """Return the picture that a drawing's `draw` returns."""
    if not path.is_file():
        raise SourceError(f"{place}: there is no drawing {FIGURES}/{path.name}")
    try:
        drawing = runpy.run_path(str(path))["draw"]()
    except Exception as error:  # the drawing is code of the chapter's author
        line = _line(error, path)
        raise SourceError(f"{path}:{line}: {type(error).__name__}: {error}".splitlines()[0]) from error
    if not isinstance(drawing, Drawing):
        raise SourceError(f"{path}:1: draw() returned {type(drawing).__name__}, not a Drawing")
    return drawing.svg()


def _line(error: BaseException, path: Path) -> int:
    """Return the last line of `path` on the error's way."""
    line, trace = getattr(error, "lineno", None) or 1, error.__traceback__
    while trace:
        line = trace.tb_lineno if trace.tb_frame.f_code.co_filename == str(path) else line
        trace = trace.tb_next
    return line
