"""The texts of a notebook in nbgrader's pages: Markdown with formulas as MathML, so that no page needs a network."""

import base64
import html
import re
from pathlib import Path

import nbgrader
from jinja2 import pass_context
from jinja2.runtime import Context
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from autograder import paths
from autograder.mathml import formula

FIGURES = "figures"
DRAWING = re.compile(rf"{FIGURES}/\w+\.svg")

# Where the pages' templates are looked for: ours, which load no MathJax, then nbgrader's.
TEMPLATES = [
    Path(__file__).parent / "templates",
    Path(nbgrader.__file__).parent / "server_extensions/formgrader/templates",
]


class Renderer(IPythonRenderer):
    """nbconvert's, but for formulas and drawings."""

    figures, drawn = Path(), False

    def inline_math(self, body: str) -> str:
        """Return a formula within a line."""
        return formula(body)

    def block_math(self, body: str) -> str:
        """Return a formula in a line of its own."""
        return formula(body, display=True)

    def latex_environment(self, name: str, body: str) -> str:
        """Return a formula that is written as an environment alone."""
        return formula(rf"\begin{{{name}}}{body}\end{{{name}}}", display=True)

    def image(self, text: str, url: str, title: str | None = None) -> str:
        """Return a picture; a drawing of the chapter stands in the page, since it lies beside no graded notebook."""
        path = self.figures / Path(url).name
        if self.drawn and DRAWING.fullmatch(url) and path.is_file():
            url = f"data:image/svg+xml;base64,{base64.b64encode(path.read_bytes()).decode()}"
            return f'<img alt="{html.escape(text)}" src="{url}">'
        return super().image(text, url, title)


@pass_context
def markdown2html(context: Context, source: str) -> str:
    """Return Markdown as HTML: what nbconvert's filter of this name does, with drawings where formgrader asks."""
    renderer = Renderer(escape=False, exclude_anchor_links=True)
    chapter = context.get("resources", {}).get("notebook_id")  # formgrader says it; feedback tells drawings in words
    if chapter:
        renderer.figures = paths.release_notebook(chapter).parent / FIGURES
        renderer.drawn = True
    return MarkdownWithMath(renderer=renderer).render(source)
