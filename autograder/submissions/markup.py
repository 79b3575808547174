"""A student's text cells as HTML that may be shown to others: what is on the lists below, and nothing else.

The Markdown is rendered here, once, where there is a limit on time; nbgrader's pages get HTML on one line, which they
leave as it is. Pictures are not loaded: whoever grades would tell their server so.
"""

import html

import bleach
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from autograder.terminal import clean

TAGS = {"p", "br", "hr", "div", "span", "a", "blockquote", "pre", "code", "details", "summary"}
TAGS |= {"em", "strong", "del", "sub", "sup", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li"}
TAGS |= {"table", "thead", "tbody", "tr", "th", "td"}
ATTRIBUTES = {"a": ["href", "title"], "ol": ["start"], "div": ["class"], "span": ["class"], "th": ["align"]}
PROTOCOLS = frozenset({"http", "https", "mailto"})
LONGEST = 20_000  # characters of a cell that is rendered; what is longer is shown as it was typed


class Renderer(IPythonRenderer):
    """Renders what bleach will let pass: tags become text, a picture its description."""

    def __init__(self):
        super().__init__(escape=True, allow_harmful_protocols=False, exclude_anchor_links=True)

    def image(self, text: str, url: str, title: str | None = None) -> str:
        """Return what a picture shows, in words."""
        return f"[picture: {html.escape(text or url)}]"

    def block_mermaidjs(self, code: str) -> str:
        """Return a drawing's text: drawing it would take a script."""
        return f"<pre>{html.escape(code)}</pre>"


def shown(source: str) -> str:
    """Return a text cell's Markdown as HTML of the tags above, on one line."""
    text = clean(source)
    if len(text) > LONGEST:
        return typed(source)
    made = MarkdownWithMath(renderer=Renderer()).render(text)
    return _one_line(bleach.clean(made, tags=TAGS, attributes=ATTRIBUTES, protocols=PROTOCOLS))


def typed(source: str) -> str:
    """Return a text cell as it was typed, as HTML."""
    return _one_line(f"<pre>{html.escape(clean(source))}</pre>")


def _one_line(made: str) -> str:
    """Return HTML as one block without a line break: to Markdown it has neither inner structure nor an end."""
    return f"<div>{made.strip()}</div>".replace("\r", "").replace("\n", "&#10;")
