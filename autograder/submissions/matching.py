"""Find the student's answers in a submitted notebook, whatever happened to its cells.

A cell stands for a cell of the template by its label (grade_id, then nbformat cell id), else by its text. The
answer of an exercise is found function by function, so copied, split, merged and moved cells all lead to it.
"""

import difflib
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from itertools import takewhile

import nbformat
from nbformat import NotebookNode

from autograder import cell_marks
from autograder.syntax import LONGEST_CELL, functions

ANSWERS = ("exercise", "essay")
MAX_CELLS = 2_000  # of a submitted notebook that are read
MAX_TEXT = 800_000  # characters of all its cells that are read
MAX_COMPARED = 200  # cells without label whose text is compared letter by letter
MAX_MARKS = 10  # of hidden tests in one cell; more are no instructor's
MAX_RUNS = 10**9  # of an execution count that is believed
LARGEST_GAP = 3  # line breaks between a text and the same again
LEAST_PROSE = 60  # characters of prose that stands twice by accident, not by intent
SIMILAR = 0.7  # of a code cell without label to a cell of the template: the cell was edited, not written anew


@dataclass(eq=False)
class Piece:
    """One submitted cell reduced to what may be used of it: plain text and names.

    ident: the cell's id in the file; run: its execution count, 0 where it has none; copy: 1 for the second cell that
    stands for one cell of the template, or has one id, and so on; doubled: whether its text stood twice in it.
    graded: its nbgrader metadata, which nobody believes; they say only whether a locked cell was edited, or is as it
    was handed out in another edition.
    """

    cell_type: str
    source: str
    labels: list[str]
    stands_for: str | None = None
    ident: str = ""
    run: int = 0
    copy: int = 0
    doubled: bool = False
    cut: bool = False  # the cell was longer than any answer may be
    graded: dict = field(default_factory=dict, repr=False)

    @cached_property
    def functions(self) -> dict[str, str] | None:
        """The text of each function and class defined at top level; None if the cell does not parse."""
        return functions(self.source)

    @cached_property
    def prose(self) -> str:
        """The text of a cell that holds words: Markdown, or nothing but comments; "" of any other."""
        if self.cell_type != "code":
            return self.source.strip()
        lines = [line.strip() for line in self.source.strip().split("\n")]
        if not all(line.startswith("#") or not line for line in lines):
            return ""
        return "\n".join(line.lstrip("#").strip() for line in lines)

    @cached_property
    def as_issued(self) -> bool:
        """Whether nbgrader's checksum is of this text; to forge it hides an edit that had no effect anyway."""
        from nbgrader.utils import compute_checksum  # takes 2 s to import, and few need it

        cell = NotebookNode(source=self.source, cell_type=self.cell_type, metadata={"nbgrader": self.graded})
        try:
            return compute_checksum(nbformat.from_dict(cell)) == self.graded.get("checksum")
        except Exception:  # the metadata may hold anything
            return False

    @cached_property
    def visible(self) -> str:
        """The text without hidden tests, which a cell of the instructor's notebook has."""
        few = self.source.count("### BEGIN HIDDEN TESTS") <= MAX_MARKS
        return cell_marks.visible(self.source) if few else self.source.strip()


def pieces(notebook) -> list[Piece]:
    """Return the cells of anything that may be a notebook, as many and as long as are read."""
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    found, left = [], MAX_TEXT
    for cell in cells[:MAX_CELLS] if isinstance(cells, list) else []:
        if isinstance(cell, dict):
            found.append(_piece(cell, left))
            left -= len(found[-1].source)
    return found


def _piece(cell: dict, max_chars: int) -> Piece:
    source = cell.get("source", "")
    if isinstance(source, list):
        source = "".join(line for line in source if isinstance(line, str))
    text = source.replace("\0", "").replace("\r\n", "\n") if isinstance(source, str) else ""
    text = text.encode("utf-8", "replace").decode("utf-8")  # a lone surrogate could not be written
    meta = cell.get("metadata")
    graded = meta.get("nbgrader") if isinstance(meta, dict) else None
    graded = graded if isinstance(graded, dict) else {}
    own_id = cell.get("id")
    ident = own_id if isinstance(own_id, str) else ""
    labels = [x for x in (graded.get("grade_id"), ident) if isinstance(x, str) and x]
    kept = text[: min(LONGEST_CELL, max_chars)]
    cut = len(text) > len(kept)
    once = kept if cut else _once(kept, cell.get("cell_type") == "code")
    piece = Piece(str(cell.get("cell_type")), once, labels, ident=ident, run=_run(cell), graded=graded)
    piece.cut, piece.doubled = cut, once != kept
    return piece


def _run(cell: dict) -> int:
    count = cell.get("execution_count", cell.get("prompt_number"))  # the second is nbformat 3's name
    return count if type(count) is int and 0 < count < MAX_RUNS else 0


def _once(text: str, code: bool) -> str:
    """Return a text that stands twice in its cell, as real-time collaboration leaves it, once; any other as it is.

    Code counts as doubled where it defines something, or where it parses once only; prose where it is no mere word.
    """
    whole = text.strip("\n")
    for gap in range(LARGEST_GAP + 1):
        half, odd = divmod(len(whole) - gap, 2)
        first, between = whole[:half], whole[half : half + gap]
        if half > 0 and not odd and not between.strip("\n") and first == whole[half + gap :]:
            doubled = _is_doubled_code(first, whole) if code else half >= LEAST_PROSE
            return first if doubled else text
    return text


def _joined(pieces: list[Piece]) -> str:
    return "\n".join(piece.source for piece in pieces)


def _is_doubled_code(first: str, whole: str) -> bool:
    written = functions(first)
    return bool(written) or (written is not None and functions(whole) is None)


class Matching:
    """The submitted cells beside the template's: what stands for what, and where the answers are."""

    def __init__(self, template: NotebookNode, submitted: list[Piece]):
        self.cells = {c.id: c for c in template.cells}
        self.kinds = {c.id: cell_marks.from_metadata(c) for c in template.cells}
        self.stubs = {i: functions(self.cells[i].source) or {} for i in self._ids("exercise")}
        self.exercise_of = {name: i for i, stub in self.stubs.items() for name in stub}
        self.dropped = set(template.metadata.get("bow2lora", {}).get("dropped", []))  # see authoring.adapted
        self.pieces = [p for p in submitted if not self.dropped.intersection(p.labels[:1])]
        for piece in submitted:
            piece.stands_for = self._by_label(piece)
        self._by_text()
        self._essays_by_place()
        self._number_copies()
        self.kept_copy = self._kept_copy()

    @property
    def reordered(self) -> bool:
        """Whether the cells stand in another order than the template's."""
        places = {cell_id: place for place, cell_id in enumerate(self.cells)}
        found = list(dict.fromkeys(p.stands_for for p in self.pieces if p.stands_for))
        return found != sorted(found, key=lambda cell_id: places[cell_id])

    def all_for(self, cell_id: str) -> list[Piece]:
        """Return the submitted cells that stand for a cell of the template."""
        return [p for p in self.pieces if p.stands_for == cell_id]

    def answer(self, exercise: str) -> list[Piece]:
        """Return the cells that hold an exercise's answer, in the notebook's order; [] if it was not begun.

        Of each function the edited version that was run last counts, without execution counts the last one. Cells
        without a label count for what the labelled ones leave open, cells of other exercises only where this one has
        no cell of its own (merged cells).
        """
        mine = self.all_for(exercise)
        lost = [p for p in self.pieces if p.stands_for is None and p.cell_type == "code"]
        others = [p for p in self.pieces if p.stands_for and not mine]
        still_open, chosen = set(self.stubs[exercise]), self._helpers(mine, exercise)
        for piece in [*self._best_first(mine), *self._best_first(lost), *self._best_first(others)]:
            new = self._answered(piece, exercise) & still_open
            still_open -= new
            if new:
                chosen.append(piece)
        chosen = chosen or self.best(self.edited(mine, exercise))
        return [p for p in self.pieces if p in chosen]

    def answers(self) -> dict[str, str]:
        """Return what was answered: the text by exercise and essay."""
        found = {i: self.answer(i) for i in self.stubs}
        found |= {i: self.essay(i) for i in self._ids("essay")}
        return {i: _joined(pieces) for i, pieces in found.items() if pieces}

    def essay(self, cell_id: str) -> list[Piece]:
        """Return the cells that hold an essay: its own, else the student's text between it and the template's next."""
        mine = self.all_for(cell_id)
        return self.best(self.edited(mine, cell_id)) or self._text_below(mine[-1:])

    def best(self, copies: list[Piece]) -> list[Piece]:
        """Return the one of several copies that counts; [] of none."""
        return self._best_first(copies)[:1]

    def superseded(self, own: list[Piece]) -> list[Piece]:
        """Return those of a student's own cells that are stale copies: all cells stand twice, and two have one id."""
        max_copies = max((p.copy for p in self.pieces if p.stands_for), default=0)
        by_id: dict[str, list[Piece]] = {}
        for piece in own:
            by_id.setdefault(piece.ident, []).append(piece)
        copies = [same for ident, same in by_id.items() if ident and 1 < len(same) <= max_copies + 1]
        return [piece for same in copies for piece in self._best_first(same)[1:]]

    def edited(self, found: list[Piece], cell_id: str) -> list[Piece]:
        """Return the cells that are neither empty nor the template's text."""
        return [p for p in found if p.source.strip() not in ("", self.cells[cell_id].source.strip())]

    def changed(self, cell_id: str) -> bool:
        """Say whether a cell that nobody should edit was edited."""
        return any(not p.as_issued for p in self._others(cell_id))

    def earlier(self, cell_id: str) -> bool:
        """Say whether a cell that nobody should edit is as it was handed out in another edition."""
        return any(p.as_issued for p in self._others(cell_id))

    def _others(self, cell_id: str) -> list[Piece]:
        """Return the cells that stand for a cell of the template and have another text."""
        texts = cell_marks.handed_out(self.cells[cell_id])
        return [p for p in self.all_for(cell_id) if p.visible not in texts]

    def _text_below(self, cells: list[Piece]) -> list[Piece]:
        below: list[Piece] = []
        for cell in cells:
            behind = self.pieces[self.pieces.index(cell) + 1 :]
            below += takewhile(lambda p: p.stands_for is None, behind)
        return [p for p in below if p.prose]

    def _best_first(self, copies: list[Piece]) -> list[Piece]:
        """Return copies, the one run last first; where that does not tell, as most others do, then the last one."""
        return sorted(reversed(copies), key=lambda p: (p.run, p.copy == self.kept_copy), reverse=True)

    def _number_copies(self) -> None:
        seen: Counter[tuple] = Counter()
        for piece in self.pieces:
            key = (piece.stands_for, "" if piece.stands_for else piece.ident)
            piece.copy = seen[key]
            seen[key] += 1

    def _kept_copy(self) -> int | None:
        """Return which copy counts where a cell's own execution count does not tell, as with prose; None: the last.

        Where all cells stand twice under the same ids, it is the one that was run last in most exercises, without
        execution counts the first: what real-time collaboration appends is the older state.
        """
        votes: Counter[int] = Counter()
        for exercise in self.stubs:
            copies = [p for p in self.all_for(exercise) if self._answered(p, exercise)]
            runs = sorted(p.run for p in copies)
            if len(copies) > 1 and runs[-1] > runs[-2]:
                votes[max(copies, key=lambda p: p.run).copy] += 1
        if votes:
            return votes.most_common(1)[0][0]
        return 0 if self.stand_twice else None

    @cached_property
    def stand_twice(self) -> bool:
        """Whether most cells of the template stand twice under the same ids."""
        first = {p.stands_for: p.ident for p in self.pieces if p.copy == 0}
        again = {p.stands_for for p in self.pieces if p.stands_for and p.copy and p.ident == first[p.stands_for] != ""}
        return 2 * len(again) > len({p.stands_for for p in self.pieces if p.stands_for}) > 0

    def _helpers(self, mine: list[Piece], exercise: str) -> list[Piece]:
        """Return the parts of a split cell that hold imports or helpers only, of copies with one text the last."""
        parsed = {p.source.strip(): p for p in self.edited(mine, exercise) if p.functions is not None}
        return [p for p in parsed.values() if not set(p.functions or ()) & set(self.stubs[exercise])]

    def _answered(self, piece: Piece, exercise: str) -> set[str]:
        """Return the exercise's functions that a cell defines otherwise than the stub does."""
        written = piece.functions or {}
        return {n for n, stub in self.stubs[exercise].items() if n in written and written[n] != stub}

    def _ids(self, *kinds: str) -> list[str]:
        return [i for i, kind in self.kinds.items() if kind in kinds]

    def _by_label(self, piece: Piece) -> str | None:
        """Return what the label says, unless it was copied on to a cell with another exercise's functions."""
        owners = {self.exercise_of[n] for n in piece.functions or {} if n in self.exercise_of}
        for label in piece.labels:
            if label in self.cells and (label in owners or not owners or label not in self.stubs):
                return label
        return None

    def _by_text(self) -> None:
        """Recognise cells without label that nobody answers in: by their text, at last by a similar one."""
        fixed = [i for i in self.cells if self.kinds[i] not in ANSWERS]
        same = {text: i for i in fixed for text in cell_marks.handed_out(self.cells[i])}
        for piece in self.pieces:
            piece.stands_for = piece.stands_for or same.get(piece.visible)
        taken = {p.stands_for for p in self.pieces}
        free = {text: i for text, i in same.items() if i not in taken and self.cells[i].cell_type == "code"}
        lost = [p for p in self.pieces if p.stands_for is None and p.cell_type == "code"]
        for piece in lost[:MAX_COMPARED]:
            if not self._names_exercise(piece):
                close = difflib.get_close_matches(piece.visible, free, n=1, cutoff=SIMILAR)
                piece.stands_for = free.pop(close[0]) if close else None

    def _names_exercise(self, piece: Piece) -> bool:
        return any(name in self.exercise_of for name in piece.functions or {})

    def _essays_by_place(self) -> None:
        """Find an essay that lost its label: it follows the text that the template has before it."""
        order = list(self.cells)
        for essay in self._ids("essay"):
            before = order[order.index(essay) - 1]
            for previous, piece in zip(self.pieces, self.pieces[1:], strict=False):
                if previous.stands_for == before and piece.stands_for is None and not self.all_for(essay):
                    piece.stands_for = essay if piece.cell_type == "markdown" else None
