"""terminal and HTML injection"""

from ..attack import Attack

MARKUP = "its markup, alive, in a report"
SCRIPT = "<script>/*touched-{name}*/</script><img src=x onerror='/*touched-{name}*/'>"


def script(name: str) -> str:
    """Return HTML that a browser would run."""
    return SCRIPT.format(name=name)


def own_text(name: str):
    """Return the change that adds a text cell with a script."""

    def change(nb):
        nb["cells"].insert(3, {"cell_type": "markdown", "id": "own-text", "metadata": {}, "source": script(name)})

    return change


def essay(nb):
    for cell in nb["cells"]:
        if cell["id"] == "essay-swap":
            cell["source"] = "The words differ. " + script("html-in-an-essay")


def raw_html(nb):
    cell = {"cell_type": "raw", "id": "own-raw", "metadata": {"raw_mimetype": "text/html"}}
    nb["cells"].insert(3, cell | {"source": script("raw-cell")})


def attachment(nb):
    name = "attached-svg"
    svg = f"<svg xmlns='http://www.w3.org/2000/svg' onload='/*touched-{name}*/'></svg>"
    source = f"[a](javascript:/*touched-{name}*/alert()) {svg}"
    nb["cells"].insert(3, {"cell_type": "markdown", "id": "own-svg", "metadata": {}, "source": source})


ATTACKS = [
    Attack(
        "html-output",
        "Displays HTML with a script, which formgrader and the feedback page would run.",
        """
from IPython.display import HTML, display
display(HTML("<script>/*" + TOKEN + "*/</script>"))""",
        shows=MARKUP,
    ),
    Attack(
        "javascript-output",
        "Displays JavaScript, SVG and LaTeX that carry a script.",
        """
from IPython.display import display
display({"application/javascript": "/*" + TOKEN + "*/", "text/plain": "x"}, raw=True)
display({"image/svg+xml": "<svg xmlns='http://www.w3.org/2000/svg' onload='/*" + TOKEN + "*/'></svg>"}, raw=True)""",
        shows=MARKUP,
    ),
    Attack(
        "html-in-an-error",
        "Raises an error whose message is HTML: a report quotes it.",
        """
def names_medicine(text, medicines):
    raise ValueError("<script>/*" + TOKEN + "*/</script>")

mostly_capitals = promises_money = lambda text: names_medicine(text, None)
raise ValueError("<script>/*" + TOKEN + "*/</script>")""",
        shows=MARKUP,
    ),
    Attack(
        "html-in-a-name",
        "Gives a function and an error class names that are HTML.",
        """
def names_medicine(text, medicines):
    raise type("<script>/*" + TOKEN + "*/</script>", (Exception,), {})("x")

mostly_capitals = promises_money = lambda text: names_medicine(text, None)
names_medicine.__name__ = names_medicine.__qualname__ = "<script>/*" + TOKEN + "*/</script>"
raise type("<script>/*" + TOKEN + "*/</script>", (Exception,), {})("x")""",
        shows=MARKUP,
    ),
    Attack(
        "html-in-a-text-cell", "Adds a text cell with a script.", notebook=own_text("html-in-a-text-cell"), shows=MARKUP
    ),
    Attack(
        "html-in-an-essay",
        "Writes a script into an essay, which a person will open to grade it.",
        notebook=essay,
        shows=MARKUP,
    ),
    Attack("raw-cell", "Adds a raw cell of HTML, which nbconvert hands through.", notebook=raw_html, shows=MARKUP),
    Attack(
        "attached-svg",
        "Adds a text cell with a javascript: link and an SVG that carries a script.",
        notebook=attachment,
        shows=MARKUP,
    ),
    Attack(
        "escapes-printed",
        "Prints escape sequences that would clear the instructor's terminal.",
        """
print("\\x1b[2J\\x1b]0;" + TOKEN + "\\x07")
raise type("\\x1b[2J\\x1b]0;" + TOKEN + "\\x07[bold red]", (Exception,), {})("\\x1b[2J\\x1b]0;" + TOKEN + "\\x07")""",
        shows="an escape sequence on the terminal",
    ),
    Attack(
        "escapes-in-a-name",
        "Takes a folder name that holds escape sequences.",
        folder="escapes\x1b[2J\x1b]0;title\x07",
        shows="an escape sequence on the terminal",
        alone=True,
    ),
    Attack(
        "formula",
        "Takes a folder name that a spreadsheet would run as a formula.",
        folder='=HYPERLINK("http:touched","open")',
        shows="a formula in a CSV file",
    ),
    Attack(
        "markup-in-a-name",
        "Takes a folder name that the terminal's markup would read as a link.",
        folder="[link=file:touched]markup[bold]",
        shows="others without a grade",
    ),
]
