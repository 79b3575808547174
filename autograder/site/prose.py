"""Markdown as JupyterLab shows it, told to MyST: formulas in HTML, one title a page, links that lead somewhere."""

import html
import posixpath
import re
from collections.abc import Mapping

DETAILS = re.compile(r"(?s)<details>.*?</details>")
FORMULA = re.compile(r"(?s)(<code>.*?</code>)|\$\$(.+?)\$\$|(?<!\\)\$(\S(?:[^$\n]*\n?[^$\n]*\S)?)\$")
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
FENCE = re.compile(r"(?ms)^ *```.*?^ *```")


def formulas_in_html(text: str) -> str:
    """Return Markdown whose formulas within <details> are marked for MathJax, since MyST takes HTML as it is."""
    return DETAILS.sub(lambda found: found[0] if "\n\n" in found[0] else FORMULA.sub(_formula, found[0]), text)


def _formula(found: re.Match) -> str:
    if found[1]:
        return found[1]  # a dollar in code is a dollar
    words = found[2] or found[3]
    left, right = (r"\[", r"\]") if found[2] else (r"\(", r"\)")
    return f'<span class="math notranslate nohighlight">{left}{html.escape(html.unescape(words))}{right}</span>'


def one_title(texts: list[str]) -> list[str]:
    """Return the texts of a page with one title: from a second heading of its level on, all are a level deeper."""
    seen, deeper, out = 0, "", []
    for text in texts:
        lines = text.split("\n")
        for i, line in enumerate(lines):
            seen += line.startswith("# ")
            deeper = "#" if seen > 1 else ""
            if re.match(r"#{1,5} ", line):
                lines[i] = deeper + line
        out.append("\n".join(lines))
    return out


def relinked(text: str, here: str, known: Mapping[str, str]) -> str:
    """Return Markdown whose links lead to pages of the site; where there is no such page, the words stay.

    here: the file that the text is from, known: {file of the repository: page of the site}, both as paths with slashes.
    """

    def link(found: re.Match) -> str:
        words, target = found[1], found[2]
        if re.match(r"[a-z]+:|#", target):
            return found[0]
        file = posixpath.normpath(posixpath.join(posixpath.dirname(here), target))
        if file not in known:
            return words
        return f"[{words}]({posixpath.relpath(known[file], posixpath.dirname(known[here]) or '.')})"

    parts, at = [], 0
    for fence in [*FENCE.finditer(text), None]:  # code stays as it is
        end = fence.start() if fence else len(text)
        parts.append(LINK.sub(link, text[at:end]))
        parts.append(fence[0] if fence else "")
        at = fence.end() if fence else end
    return "".join(parts)


def ready(text: str, here: str, known: Mapping[str, str]) -> str:
    """Return a page's Markdown as the site takes it."""
    return formulas_in_html(relinked(text, here, known))
