"""What a student saw below the cells that only show something: text and pictures, as they were handed in.

Essays speak of these figures, and nobody runs such cells again. They are the student's own words: shown to whoever
grades, judged by nobody. A picture keeps the parts of a PNG that make the picture; HTML, scripts and SVG stay out.
"""

import base64
import binascii
import zlib

from nbformat import NotebookNode

from autograder import cell_marks
from autograder.terminal import clean

MAX_TEXT, MAX_PICTURE = 4_000, 600_000  # characters and bytes of one cell
MAX_TEXTS, MAX_PICTURES = 40_000, 2_500_000  # of a notebook
WIDEST = 4_000  # pixels
SIGNATURE = b"\x89PNG\r\n\x1a\n"
PARTS = (b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND")  # no text, no profiles, no animation
Shown = dict[str, list[dict[str, str]]]  # {id of a cell: [{"text": ...} or {"png": base64}, ...]}


def outputs(submitted, template: NotebookNode) -> Shown:
    """Return what stands below the show cells of anything that may be a notebook, as much as is kept."""
    wanted = {c.id for c in template.cells if cell_marks.from_metadata(c) == "show"}
    cells = submitted.get("cells") if isinstance(submitted, dict) else None
    found: Shown = {}
    texts, pictures = MAX_TEXTS, MAX_PICTURES
    for cell in cells if isinstance(cells, list) else []:
        name = cell.get("id") if isinstance(cell, dict) else None
        if isinstance(name, str) and name in wanted and name not in found:
            found[name] = kept(cell.get("outputs"), min(texts, MAX_TEXT), pictures)
            texts -= sum(len(one.get("text", "")) for one in found[name])
            pictures -= sum(len(one.get("png", "")) for one in found[name])
    return {name: parts for name, parts in found.items() if parts}


def kept(given, text: int, pictures: int) -> list[dict[str, str]]:
    """Return the text and the pictures of a cell's outputs, no more than so many characters of each."""
    parts: list[dict[str, str]] = []
    for output in given[:100] if isinstance(given, list) else []:
        made = picture(output) or _text(output) if isinstance(output, dict) else None
        if made and "png" in made and len(made["png"]) <= pictures:
            pictures -= len(made["png"])
            parts.append(made)
        elif made and "text" in made and text > 0:
            parts.append({"text": made["text"][:text]})
            text -= len(made["text"])
    return parts


def _text(output: dict) -> dict[str, str] | None:
    data = output.get("data")
    said = output.get("text") if output.get("output_type") == "stream" else None
    said = data.get("text/plain") if said is None and isinstance(data, dict) else said
    said = joined(said)
    made = clean(said[:MAX_TEXT]) if isinstance(said, str) else ""
    return {"text": made} if made.strip() else None


def joined(text):
    """Return a text that nbformat may keep as a list of lines; anything else as it is."""
    if not isinstance(text, list):
        return text
    return "".join(line for line in text if isinstance(line, str))


def picture(output: dict) -> dict[str, str] | None:
    """Return the picture of an output, or of an attachment, as {"png": base64}; None where none is to be shown."""
    data = output.get("data")
    coded = joined(data.get("image/png")) if isinstance(data, dict) else None
    if not isinstance(coded, str) or len(coded) > 2 * MAX_PICTURE:
        return None
    try:
        picture = png(base64.b64decode(coded.replace("\n", ""), validate=True))
    except binascii.Error:
        return None
    return {"png": base64.b64encode(picture).decode()} if 0 < len(picture) <= MAX_PICTURE else None


def png(raw: bytes) -> bytes:
    """Return a PNG with the parts that make the picture, each with its right checksum; b"" if it is none."""
    parts, at = [], len(SIGNATURE)
    while raw.startswith(SIGNATURE) and at + 12 <= len(raw):
        size, kind = int.from_bytes(raw[at : at + 4], "big"), raw[at + 4 : at + 8]
        body = raw[at + 8 : at + 8 + size]
        at += 12 + size
        if len(body) < size:
            break
        if kind in PARTS:
            parts.append((kind, body))
        if kind == b"IEND":
            return SIGNATURE + b"".join(map(_part, parts)) if _is_small(parts) else b""
    return b""


def _part(part: tuple[bytes, bytes]) -> bytes:
    kind, body = part
    return len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")


def _is_small(parts: list[tuple[bytes, bytes]]) -> bool:
    """Whether a picture begins with its size, and has pixels, few enough for a browser."""
    kind, header = parts[0]
    width, height = int.from_bytes(header[:4], "big"), int.from_bytes(header[4:8], "big")
    pixels = any(kind == b"IDAT" for kind, _ in parts)
    return kind == b"IHDR" and len(header) == 13 and pixels and 0 < width <= WIDEST and 0 < height <= WIDEST
