"""Texts cut into sections, the passages that are searched and read: whole paragraphs, joined while they are short."""

import re


def sections(text: str, size: int = 120) -> list[str]:
    """Cut a text at blank lines into chunks of at most `size` words, longer only where one paragraph is."""
    chunks: list[str] = []
    for part in filter(None, map(str.strip, re.split(r"\n\s*\n", text))):
        if chunks and len(f"{chunks[-1]} {part}".split()) <= size:
            chunks[-1] += f"\n\n{part}"
        else:
            chunks.append(part)
    return chunks
