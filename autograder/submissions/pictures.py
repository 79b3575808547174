"""Pictures that students paste into their texts: what makes a PNG of them, under names that say what is in them.

JupyterLab keeps a pasted picture in the cell, as an attachment that the text names: ![image.png](attachment:image.png).
Two cells may have different ones of one name, so each reference gets the picture's digest for a name.
"""

import hashlib
import re
from typing import Any
from urllib.parse import unquote

from autograder.submissions.outputs import MAX_PICTURES, joined, picture

REFERENCE = re.compile(r"\]\(attachment:([^)\s]+)\)")
MAX_ATTACHMENTS = 20  # of a cell
Pictures = dict[str, str]  # {digest: base64}


def pasted(notebook: Any) -> tuple[Any, Pictures]:
    """Return anything that may be a notebook with the names of its pictures changed, and the pictures."""
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    found: Pictures = {}
    if not isinstance(cells, list):
        return notebook, found
    changed = [_renamed(cell, found) for cell in cells]
    return ({**notebook, "cells": changed} if found else notebook), found


def _renamed(cell: Any, found: Pictures) -> Any:
    attached = cell.get("attachments") if isinstance(cell, dict) else None
    if not isinstance(attached, dict) or not attached:
        return cell
    names = {}
    for name, data in list(attached.items())[:MAX_ATTACHMENTS]:
        made = picture({"data": data})
        if made and sum(map(len, found.values())) + len(made["png"]) <= MAX_PICTURES:
            names[name] = hashlib.sha256(made["png"].encode()).hexdigest()
            found[names[name]] = made["png"]
    text = joined(cell.get("source"))
    if not isinstance(text, str):
        return cell
    return {**cell, "source": REFERENCE.sub(lambda said: _reference(said, names), text)}


def _reference(said: re.Match, names: dict[str, str]) -> str:
    digest = names.get(said[1]) or names.get(unquote(said[1]))
    return f"](attachment:{digest})" if digest else said[0]
