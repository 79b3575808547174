"""Drawings for the chapters: boxes, arrows, matrices and rows of tokens on a white card, as SVG with real text.

A drawing is code beside the story, solutions/NN_topic/figures/<name>.py with a function `draw()`; the build calls it,
so that the numbers in the picture are computed and the same source gives the same bytes.

Boxes hold what is stored, plain text says what is done, arrows carry data, dashed arrows gradients. x and y are pixels,
from the top left; a position is the middle of what is drawn there. `$h_1$`, `$W^T$`, `$d_{model}$` set a symbol in
italics, with its index or exponent; everything else is taken as it is.
"""

import html
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from helpers.palette import BLUE, GREEN, ORANGE, PURPLE, RED

__all__ = ["BLUE", "CARD", "EDGE", "GREEN", "GREY", "INK", "ORANGE", "PURPLE", "RED", "SOFT", "Drawing"]

WIDTH = 760
INK, SOFT, CARD, EDGE = "#374151", "#6b7280", "#ffffff", "#d1d5db"
GREY = "#9ca3af"
FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', Arial, sans-serif"
ITALIC = ' font-style="italic"'
DASHED = ' stroke-dasharray="5 4"'
PIECES = re.compile(r"([_^])(\{[^}]*\}|.)")


@dataclass
class Drawing:
    """A picture of `height` pixels. `title` names it in a few words, `desc` says what it shows to who cannot see it."""

    height: int
    title: str
    desc: str
    width: int = WIDTH
    parts: list[str] = field(default_factory=list)

    def text(self, x, y, words, *, size=15, colour=INK, anchor="middle", bold=False, mono=False) -> None:
        """Write one line around (x, y), or several where `words` holds line breaks; anchor: start, middle, end."""
        lines = str(words).split("\n")
        look = ""
        if bold:
            look += ' font-weight="600"'
        if mono:
            look += ' font-family="monospace"'
        for i, line in enumerate(lines):
            at = y + (i - (len(lines) - 1) / 2) * size * 1.3 + size * 0.35
            head = f'<text x="{_n(x)}" y="{_n(at)}" font-size="{size}" fill="{colour}" text-anchor="{anchor}"{look}>'
            self.parts.append(f"{head}{_symbols(line, size)}</text>")

    def box(self, x, y, words="", colour=BLUE, *, width=90, height=40, note="", size=15, dashed=False) -> None:
        """Draw a rounded box around (x, y) with words in it and a note, such as its shape, below."""
        self._rect(x - width / 2, y - height / 2, width, height, colour, 0.18, 8, 1.6, dashed)
        if words != "":
            self.text(x, y, words, size=size)
        if note:
            self.text(x, y + height / 2 + 12, note, size=12, colour=SOFT)

    def arrow(self, start, end, *, colour=SOFT, width=1.6, dashed=False, bend=0.0, label="", head=True) -> None:
        """Draw an arrow from one (x, y) to another; bend: pixels by which its middle moves to its left."""
        (x0, y0), (x1, y1) = start, end
        length = math.hypot(x1 - x0, y1 - y0) or 1.0
        cx, cy = (x0 + x1) / 2 + bend * (y1 - y0) / length, (y0 + y1) / 2 - bend * (x1 - x0) / length
        # The line ends where the head begins; the head points along the curve's last direction.
        size, away = 5 + 1.6 * width, math.hypot(x1 - cx, y1 - cy) or 1.0
        ux, uy = (x1 - cx) / away, (y1 - cy) / away
        tip = (x1 - ux * size * head, y1 - uy * size * head)
        path = f"M{_n(x0)} {_n(y0)} Q{_n(cx)} {_n(cy)} {_n(tip[0])} {_n(tip[1])}"
        self.parts.append(f'<path d="{path}" {_stroke(colour, width, dashed)}/>')
        if head:
            half = size * 0.45
            corners = [(x1, y1), (tip[0] - uy * half, tip[1] + ux * half), (tip[0] + uy * half, tip[1] - ux * half)]
            self.polygon(corners, colour)
        if label:
            self.text(
                x0 / 4 + cx / 2 + x1 / 4 + 8, y0 / 4 + cy / 2 + y1 / 4, label, size=12, colour=SOFT, anchor="start"
            )

    def line(self, points: Sequence, colour=SOFT, *, width=1.6, dashed=False) -> None:
        """Draw straight lines through points, without a head."""
        path = " ".join(f"{_n(x)},{_n(y)}" for x, y in points)
        self.parts.append(f'<polyline points="{path}" {_stroke(colour, width, dashed)}/>')

    def polygon(self, points: Sequence, colour=SOFT, opacity=1.0) -> None:
        """Fill the area between points."""
        path = " ".join(f"{_n(x)},{_n(y)}" for x, y in points)
        self.parts.append(f'<polygon points="{path}" fill="{colour}" fill-opacity="{_n(opacity)}"/>')

    def circle(self, x, y, words="", colour=BLUE, *, radius=16, size=15) -> None:
        """Draw a circle, for an operation such as + or a point in a plane (radius 4)."""
        ring = f'cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" fill="{colour}" fill-opacity="{0.18 if words else 0.9}"'
        self.parts.append(f'<circle {ring} stroke="{colour}" stroke-width="1.6"/>')
        if words:
            self.text(x, y, words, size=size)

    def matrix(
        self, x, y, rows, colour=BLUE, *, below="", cell=(46, 30), digits=2, note="", top=(), left=(), shade=True
    ) -> None:
        """Draw a table of numbers or words with its top left corner at (x, y); larger numbers are darker.

        None is an empty cell; top and left: labels of columns and rows; note: its shape, below; cell: width and height;
        below: the colour of numbers below 0 (default: that of all).
        """
        w, h = cell
        values = [value for row in rows for value in row]
        largest = max((abs(value) for value in values if isinstance(value, int | float)), default=0) or 1
        for i, row in enumerate(rows):
            for j, value in enumerate(row):
                share = abs(value) / largest if shade and isinstance(value, int | float) else 0.25
                opacity = 0.0 if value is None else 0.05 + 0.4 * share
                fill = below if below and isinstance(value, int | float) and value < 0 else colour
                self._rect(x + j * w, y + i * h, w, h, fill, opacity, 0, 1)
                self.text(x + (j + 0.5) * w, y + (i + 0.5) * h, _number(value, digits), size=min(14, round(h * 0.47)))
        for j, label in enumerate(top):
            self.text(x + (j + 0.5) * w, y - 11, label, size=12, colour=SOFT)
        for i, label in enumerate(left):
            self.text(x - 7, y + (i + 0.5) * h, label, size=12, colour=SOFT, anchor="end")
        if note:
            self.text(x + w * max(map(len, rows)) / 2, y + h * len(rows) + 13, note, size=12, colour=SOFT)

    def tokens(self, x, y, words, colour=BLUE, *, gap=10, height=34, size=14, mark=()) -> list[float]:
        """Draw words as boxes from x (the left edge) on, orange if their index is in `mark`; returns middles."""
        middles = []
        for i, word in enumerate(words):
            width = max(34, len(str(word)) * size * 0.6 + 16)
            fill = ORANGE if i in mark else colour
            self.box(x + width / 2, y, word, fill, width=width, height=height, size=size)
            middles.append(x + width / 2)
            x += width + gap
        return middles

    def svg(self) -> bytes:
        """Return the whole picture."""
        size = f'viewBox="0 0 {self.width} {self.height}" width="{self.width}" height="{self.height}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" font-family="{html.escape(FONT)}">'
        inside = f'x=".5" y=".5" width="{self.width - 1}" height="{self.height - 1}"'
        card = f'<rect {inside} rx="10" fill="{CARD}" stroke="{EDGE}"/>'
        words = f"<title>{html.escape(self.title)}</title><desc>{html.escape(self.desc)}</desc>"
        return "\n".join([head, words, card, *self.parts, "</svg>\n"]).encode()

    def _rect(self, x, y, width, height, colour, opacity, radius, line, dashed=False) -> None:
        place = f'x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}" rx="{radius}"'
        fill = f'fill="{colour}" fill-opacity="{_n(opacity)}" stroke="{colour}" stroke-width="{line}"'
        self.parts.append(f"<rect {place} {fill}{_dashes(dashed)}/>")


def _n(value: float) -> str:
    """Return a number with at most two digits after the point: the same bytes on every machine."""
    return f"{round(float(value), 2) + 0.0:g}"


def _stroke(colour: str, width: float, dashed: bool) -> str:
    return f'fill="none" stroke="{colour}" stroke-width="{_n(width)}"{_dashes(dashed)}'


def _dashes(dashed: bool) -> str:
    return DASHED if dashed else ""


def _number(value, digits: int) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    return f"{value:.{digits}f}" if isinstance(value, float) else str(value)


def _symbols(line: str, size: float) -> str:
    """Return a line as SVG text: what stands between dollars is a symbol."""
    out = []
    for i, part in enumerate(line.split("$")):
        out.append(_symbol(part, size) if i % 2 else html.escape(part))
    return "".join(out)


def _symbol(part: str, size: float) -> str:
    """Return a symbol in italics with its indices and exponents; dy moves down, and back for what follows."""
    out, back = "", 0.0
    base, *rest = PIECES.split(part)
    pieces = [(base, 0.0, ITALIC)]
    for mark, index, after in zip(rest[::3], rest[1::3], rest[2::3], strict=True):
        shift = 0.22 if mark == "_" else -0.35
        pieces.append((index.strip("{}"), shift * size, f' font-size="{_n(size * 0.72)}"'))
        pieces.append((after, 0.0, ITALIC))
    for piece, shift, look in pieces:
        if piece:
            out += f'<tspan dy="{_n(shift - back)}"{look}>{html.escape(piece)}</tspan>'
            back = shift
    return f'{out}<tspan dy="{_n(-back)}">\u200b</tspan>' if back else out
