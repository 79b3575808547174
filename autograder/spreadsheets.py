"""A CSV as any spreadsheet saves it: what stands between the values, and in which bytes."""

import codecs
import io
import re
from pathlib import Path

from helpers.errors import CourseError

UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
WORKBOOK = b"PK\x03\x04"  # how one of Excel or LibreOffice begins
SAID = re.compile(r'"?sep=([,;\t])"?\n', re.IGNORECASE)  # Excel's own first line


def opened(path: Path) -> tuple[io.StringIO, str]:
    """Return a CSV's text from the header on, and what stands between its values: comma, semicolon or tab.

    UTF-8, or UTF-16 with its mark as Excel's "Unicode text" is; raises CourseError, in a line, for what is neither.
    """
    text = _text(path)
    said = SAID.match(text)
    if said:
        return io.StringIO(text[said.end() :]), said[1]
    header = text.partition("\n")[0]
    return io.StringIO(text), max(",;\t", key=header.count)  # of as many the comma


def _text(path: Path) -> str:
    raw = path.read_bytes()
    if raw.startswith(WORKBOOK):
        raise CourseError(f"{path}: a workbook of a spreadsheet; save it as CSV UTF-8")
    try:
        text = raw.decode("utf-16" if raw.startswith(UTF_16) else "utf-8-sig")
    except UnicodeDecodeError:
        raise CourseError(f"{path}: not UTF-8 text; save it as CSV UTF-8") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")
