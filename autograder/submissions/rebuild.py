"""Rebuild a submission: the instructor's template with only the student's answers put in.

Whatever happened to the submitted notebook (cells copied, moved, split, merged, deleted, retagged, metadata
lost), what is graded has the template's cells in the template's order, with the template's metadata. Code and
text cells of the student's own are kept where they were.
"""

from collections import defaultdict

import nbformat
from nbformat import NotebookNode

from autograder.submissions import unparsed
from autograder.submissions.matching import ANSWERS, MAX_CELLS, MAX_TEXT, Matching, Piece, pieces

OWN = {"code": nbformat.v4.new_code_cell, "markdown": nbformat.v4.new_markdown_cell}
OWN_ID = "own-"  # what the ids of a student's own cells begin with
SHOWN = 3  # so many cells are named in a line, the others counted


def rebuild(template: NotebookNode, submitted) -> tuple[NotebookNode, list[str]]:
    """Return the template filled with the student's answers, and one line for each kind of repair.

    submitted: a notebook, or anything that was read from a file; nothing in it raises.
    """
    matching = Matching(template, pieces(submitted))
    repairs = Repairs()
    used: list[Piece] = []
    cells = []
    for cell in template.cells:
        answer = _answer(matching, cell.id, repairs) if matching.kinds[cell.id] in ANSWERS else []
        if matching.kinds[cell.id] == "code":  # nobody's answer, and nobody locked it
            answer = matching.best(matching.edited(matching.all_for(cell.id), cell.id))
        used += answer
        cells.append(_filled(cell, answer))
        _tell_fixed(matching, cell.id, repairs)
    if matching.reordered:
        repairs.add("the notebook", "the cells were put back in order")
    if len(matching.pieces) == MAX_CELLS:
        repairs.add("the notebook", f"no more than {MAX_CELLS:,} of its cells were read")
    if sum(len(p.source) for p in matching.pieces) >= MAX_TEXT:
        repairs.add("the notebook", f"no more than {MAX_TEXT:,} characters of its cells were read")
    own = _own_cells(matching, used, repairs)
    cells = own[""] + [c for cell in cells for c in (cell, *own[cell.id])]
    made = _notebook(template, cells)
    for cell_id, what in unparsed.told(made, template, unparsed.written_with(submitted)):
        repairs.add(cell_id, what)
    return made, repairs.lines()


class Repairs:
    """What was repaired: cells by kind of damage, told in one line a kind."""

    def __init__(self):
        self.found: dict[str, list[str]] = defaultdict(list)

    def add(self, cell_id: str, what: str) -> None:
        """Note one repair of one cell."""
        self.found[what].append(cell_id)

    def lines(self) -> list[str]:
        """Return the lines, each naming the first few cells."""
        return [f"{_some(ids)}: {what}" for what, ids in self.found.items()]


def students_texts(notebook: NotebookNode, template: NotebookNode) -> dict[str, str]:
    """Return the text cells of a rebuilt notebook that a student wrote, by id."""
    given = {c.id: c.source.strip() for c in template.cells}
    texts = {c.id: c.source for c in notebook.cells if c.cell_type == "markdown" and c.source.strip()}
    return {i: text for i, text in texts.items() if text.strip() != given.get(i)}


def _some(ids: list[str]) -> str:
    more = f" and {len(ids) - SHOWN} more" if len(ids) > SHOWN else ""
    return ", ".join(ids[:SHOWN]) + more


def _answer(matching: Matching, cell_id: str, repairs: Repairs) -> list[Piece]:
    """Return the cells that hold the answer to an exercise or essay; [] leaves the stub."""
    mine = matching.all_for(cell_id)
    exercise = matching.kinds[cell_id] == "exercise"
    answer = matching.answer(cell_id) if exercise else matching.essay(cell_id)
    if not answer and not mine:
        repairs.add(cell_id, "the cell was missing, the original was put back")
    below = bool(answer) and not exercise and answer[0] not in mine
    if below:
        repairs.add(cell_id, "the answer stood in cells of its own below")
    elif len(answer) > 1:
        repairs.add(cell_id, "the answer stood in several cells and was put together")
    elif answer and answer[0] not in mine:
        repairs.add(cell_id, "found by the names of its functions")
    elif len(mine) > 1:
        repairs.add(cell_id, f"there were several copies, {_why(matching, mine, answer, cell_id)} counts")
    if answer and not exercise and not below and cell_id not in answer[-1].labels:
        repairs.add(cell_id, "found by place")
    if any(p.doubled for p in answer):
        repairs.add(cell_id, "the text stood twice in the cell and was taken once")
    if any(p.cut for p in answer):
        repairs.add(cell_id, "longer than any answer may be, the rest was cut off")
    if any(p.cell_type != matching.cells[cell_id].cell_type for p in answer):
        repairs.add(cell_id, "the type of the cell was set right")
    return answer


def _why(matching: Matching, mine: list[Piece], answer: list[Piece], cell_id: str) -> str:
    """Return in words which copy of a cell it is that counts."""
    others = [p for p in matching.edited(mine, cell_id) if p not in answer]
    if answer and others and answer[0].run > max(p.run for p in others):
        return "the one run last"
    if answer and others and answer[0].copy == matching.kept_copy and matching.stand_twice:
        return "the one before the cells stood twice"
    return "the last edited one"


def _tell_fixed(matching: Matching, cell_id: str, repairs: Repairs) -> None:
    """Tell of locked cells that were edited or deleted; what came with another edition is nobody's doing."""
    if matching.kinds[cell_id] not in ("check", "given") or cell_id in matching.dropped:
        return
    if not matching.all_for(cell_id):
        repairs.add(cell_id, "the cell was missing, the original was put back")
    elif matching.changed(cell_id):
        repairs.add(cell_id, "a locked cell was changed, the original counts")
    elif matching.earlier(cell_id):
        repairs.add(cell_id, "handed out in another edition, the present one counts")


def _filled(cell: NotebookNode, answer: list[Piece]) -> NotebookNode:
    """Return the template's cell without outputs, holding the answer if there is one."""
    new = NotebookNode({k: v for k, v in cell.items() if k not in ("outputs", "execution_count")})
    if cell.cell_type == "code":
        new.outputs, new.execution_count = [], None
    if answer and cell.cell_type == "code":
        new.source = answer[0].source if len(answer) == 1 else "\n\n\n".join(map(_without_magic, answer))
    elif answer:
        new.source = "\n\n".join(p.source if p.stands_for else p.prose for p in answer)
    return new


def _without_magic(piece: Piece) -> str:
    """Drop a cell magic such as %%time, which may stand in a cell's first line only."""
    first, _, rest = piece.source.partition("\n")
    return rest if first.startswith("%%") else piece.source


def _own_cells(matching: Matching, used: list[Piece], repairs: Repairs) -> dict[str, list[NotebookNode]]:
    """Return the student's own cells by the id of the template's cell that they follow ("": at the top)."""
    mine = [p for p in matching.pieces if p.stands_for is None and p not in used]
    mine = [p for p in mine if p.source.strip() and p.cell_type in OWN]
    stale = matching.superseded(mine)
    if stale:
        repairs.add("own cells", "there were several copies, one of each counts")
    if any(p.doubled for p in mine):
        repairs.add("own cells", "a text stood twice in its cell and was taken once")
    own: dict[str, list[NotebookNode]] = defaultdict(list)
    after = ""
    for piece in matching.pieces:
        after = piece.stands_for or after
        if piece in mine and piece not in stale:
            own[after].append(OWN[piece.cell_type](piece.source))
    return own


def _notebook(template: NotebookNode, cells: list[NotebookNode]) -> NotebookNode:
    """Give the student's own cells ids of their own, so that all ids stay unique and repeatable."""
    taken, number = {c.id for c in template.cells}, 0
    for cell in cells:
        if cell.id not in taken:
            number += 1
            cell.id = f"{OWN_ID}{number:02}"
    return nbformat.v4.new_notebook(metadata=template.metadata, cells=cells)
