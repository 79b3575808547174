"""formulas, pictures and links in essays"""

import base64
import struct
import zlib

from ..attack import Attack

MARKUP = "its markup, alive, in a report"
LIVE = "<script>/*touched-{name}*/</script>"
HANDLER = "<img src=x onerror='/*touched-{name}*/'>"


def essay(name: str, tries: str, *texts: str, attached: dict | None = None, **more) -> Attack:
    """Return an attack by the two essays: their texts, {name} filled in, and what is attached to them."""

    def change(nb):
        cells = [cell for cell in nb["cells"] if cell["id"].startswith("essay-")]
        for cell, text in zip(cells, texts * 2, strict=False):
            cell["source"] = text.replace("{name}", name)
            if attached:
                cell["attachments"] = attached

    return Attack(name, tries, notebook=change, shows=more.pop("shows", MARKUP), **more)


def png(*parts: tuple[bytes, bytes]) -> str:
    """Return a PNG of these parts, whatever they hold, as base64."""
    raw = b"\x89PNG\r\n\x1a\n"
    for kind, body in parts:
        raw += struct.pack("!I", len(body)) + kind + body + struct.pack("!I", zlib.crc32(kind + body))
    return base64.b64encode(raw).decode()


HEADER = (b"IHDR", struct.pack("!IIBBBBB", 8, 8, 8, 0, 0, 0, 0))
PIXELS = (b"IDAT", zlib.compress(bytes(9 * 8)))
END = (b"IEND", b"")
WORDS = (b"tEXt", b"Comment\0<script>/*touched-picture-with-words*/</script>")
PAST_THE_END = base64.b64encode(b"<script>/*touched-picture-with-words*/</script>").decode()

ATTACKS = [
    essay(
        "formula-with-a-script",
        "Writes scripts and links into formulas: text, names of functions, links, styles, and MathML of its own.",
        r"$\text{<script>/*touched-{name}*/</script>}$ $\href{javascript:/*touched-{name}*/}{x}$ "
        r"$\mathrm{<img src=x onerror='/*touched-{name}*/'>}$ "
        r"$\operatorname{</math><script>/*touched-{name}*/</script>}$"
        "\n\n"
        r"$$\begin{array}{<script>/*touched-{name}*/</script>} a & b \end{array}$$",
        "<math><mtext><script>/*touched-{name}*/</script></mtext><annotation-xml encoding='text/html'>"
        "<script>/*touched-{name}*/</script></annotation-xml><maction actiontype='statusline' "
        "xlink:href='javascript:/*touched-{name}*/'>x</maction></math> "
        r"$x</math><script>/*touched-{name}*/</script>$ $\html{<script>/*touched-{name}*/</script>}$",
    ),
    essay(
        "formulas-without-end",
        "Writes formulas that are deep, many, and defined by one another, so that setting them takes all time.",
        "$" + r"\frac{" * 900 + "1" + "}{2}" * 900 + "$ $" + r"\def\a{\a\a}\a" + "$ $" + r"\sqrt[" * 700 + "$",
        ("$" + r"\hat" * 30 + "x$ ") * 150
        + "$"
        + "x_" * 1900
        + "x$ "
        + "$"
        + r"\left(" * 600
        + "$ $"
        + "'" * 3900
        + "$",
        shows="a delay, or a page of more than 5 MB",
    ),
    essay(
        "drawn-script",
        "Draws SVG, styles and frames into its essays, and names that a page's own script would find.",
        '<svg><script>/*touched-{name}*/</script><foreignObject><iframe srcdoc="<script>/*touched-{name}*/</script>">'
        "</iframe></foreignObject><animate onbegin='/*touched-{name}*/'/></svg>\n\n"
        "<style>*{background:url(//x)}</style>",
        "<form id=document name=querySelector action='javascript:/*touched-{name}*/'><input name=forms autofocus "
        "onfocus='/*touched-{name}*/'></form>\n\n<base href='javascript:/*touched-{name}*/'>"
        "<meta http-equiv=refresh content='0;url=javascript:/*touched-{name}*/'>"
        "<object data='javascript:/*touched-{name}*/'>",
    ),
    essay(
        "markdown-that-nests",
        "Hides a script where one parser reads code and the next one HTML: fences, comments, references, entities.",
        "```\n<!--\n```\n<script>/*touched-{name}*/</script>\n-->\n\n`<`script>/*touched-{name}*/`</`script>\n\n"
        '[x]: javascript:/*touched-{name}*/ "t"\n\n[x] [y](jav&#x09;ascript:/*touched-{name}*/) '
        "<javascript:/*touched-{name}*/>",
        "[a](javascript&colon;/*touched-{name}*/) [b](\x01javascript:/*touched-{name}*/) "
        "![c](x\"onerror='/*touched-{name}*/')\n\n~~~{=html}\n<script>/*touched-{name}*/</script>\n~~~\n\n"
        "<div\n\n<script>/*touched-{name}*/</script>\n\n&lt;script&gt;",
    ),
    essay(
        "picture-with-words",
        "Pastes pictures with scripts in their words, names and ends, and pictures that are none.",
        "![<script>/*touched-{name}*/</script>](attachment:a.png) ![x](attachment:b.png) "
        "[pasted " + "0" * 64 + "]<script>/*touched-{name}*/</script>",
        attached={
            "a.png": {"image/png": png(HEADER, WORDS, PIXELS, END)[:-4] + PAST_THE_END},
            "b.png": {
                "image/png": png(HEADER, WORDS, (b"iCCP", bytes(900)), PIXELS, END),
                "image/svg+xml": LIVE.format(name="picture-with-words"),
                "text/html": HANDLER.format(name="picture-with-words"),
            },
        },
    ),
    essay(
        "pictures-without-end",
        "Pastes a picture that unpacks to gigabytes, hundreds of references to it, and attachments of odd types.",
        "![x](attachment:a.png) " * 800,
        attached={
            "a.png": {"image/png": png(HEADER, (b"IDAT", zlib.compress(bytes(200_000_000), 9)), END)},
            **{f"{number}.png": {"image/png": ["x", 3, None, {"a": []}]} for number in range(500)},
        },
        shows="a page of more than 5 MB, or a delay",
    ),
]
