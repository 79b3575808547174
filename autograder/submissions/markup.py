"""A student's text cells as HTML that may be shown to others: what is on the lists below, and nothing else.

The Markdown is rendered here, once, where there is a limit on time; nbgrader's pages get HTML on one line, which they
leave as it is. A picture that was pasted stands in the text; none is loaded: whoever grades would tell its server so.
"""

import html
import re

import bleach
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from autograder import mathml
from autograder.submissions.pictures import Pictures
from autograder.terminal import clean

PASTED = re.compile(r"\[pasted ([0-9a-f]{64})\]")
TAGS = {"p", "br", "hr", "div", "span", "a", "blockquote", "pre", "code", "details", "summary"}
TAGS |= {"em", "strong", "del", "sub", "sup", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li"}
TAGS |= {"table", "thead", "tbody", "tr", "th", "td"}
TAGS |= mathml.TAGS
ATTRIBUTES = {"a": ["href", "title"], "ol": ["start"], "div": ["class"], "span": ["class"], "th": ["align"]}
ATTRIBUTES |= mathml.ATTRIBUTES
PROTOCOLS = frozenset({"http", "https", "mailto"})
LONGEST = 20_000  # characters of a cell that is rendered; what is longer is shown as it was typed


class Renderer(IPythonRenderer):
    """Renders what bleach will let pass: tags become text, a picture its description."""

    def __init__(self, pictures: Pictures):
        super().__init__(escape=True, allow_harmful_protocols=False, exclude_anchor_links=True)
        self.pictures = pictures

    def image(self, text: str, url: str, title: str | None = None) -> str:
        """Return a mark for a pasted picture, which becomes one when all else is cleaned; of another what it shows."""
        digest = url.removeprefix("attachment:")
        return f"[pasted {digest}]" if digest in self.pictures else f"[picture: {html.escape(text or url)}]"

    def inline_math(self, body: str) -> str:
        """Return a formula within a line as MathML, in which all text is escaped."""
        return mathml.formula(body)

    def block_math(self, body: str) -> str:
        """Return a formula in a line of its own."""
        return mathml.formula(body, display=True)

    def latex_environment(self, name: str, body: str) -> str:
        """Return a formula that is written as an environment alone."""
        return mathml.formula(rf"\begin{{{name}}}{body}\end{{{name}}}", display=True)

    def block_mermaidjs(self, code: str) -> str:
        """Return a drawing's text: drawing it would take a script."""
        return f"<pre>{html.escape(code)}</pre>"


def shown(source: str, pictures: Pictures | None = None) -> str:
    """Return a text cell's Markdown as HTML of the tags above, on one line; pictures: what may be pasted into it."""
    text = clean(source)
    if len(text) > LONGEST:
        return typed(source)
    made = MarkdownWithMath(renderer=Renderer(pictures or {})).render(text)
    cleaned = bleach.clean(made, tags=TAGS, attributes=ATTRIBUTES, protocols=PROTOCOLS)
    return _one_line(PASTED.sub(lambda mark: _picture(mark, pictures or {}), cleaned))


def _picture(mark: re.Match, pictures: Pictures) -> str:
    """Return the picture that a mark stands for; where somebody typed a mark of none, the mark."""
    if mark[1] not in pictures:
        return mark[0]
    return f'<img alt="a picture that was pasted" src="data:image/png;base64,{pictures[mark[1]]}">'


def typed(source: str) -> str:
    """Return a text cell as it was typed, as HTML."""
    return _one_line(f"<pre>{html.escape(clean(source))}</pre>")


def _one_line(made: str) -> str:
    """Return HTML as one block without a line break: to Markdown it has neither inner structure nor an end."""
    return f"<div>{made.strip()}</div>".replace("\r", "").replace("\n", "&#10;")
