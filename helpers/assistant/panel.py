"""A small panel for a notebook: a question, the passages with their scores, the answer, the time of each stage."""

import html
from collections.abc import Callable
from dataclasses import dataclass, field

from helpers.errors import CourseError


@dataclass
class Reply:
    """What an assistant found.

    answer:   with citations, as "128 [1]"
    passages: [(title, text, score), ...], the first is [1]
    seconds:  {stage: seconds}
    """

    answer: str
    passages: list[tuple[str, str, float]]
    seconds: dict[str, float] = field(default_factory=dict)


def page(reply: Reply) -> str:
    """Return the reply as HTML; all that comes from documents is escaped, so that no passage can be markup."""
    short = [title if len(title) <= 80 else f"{title[:76]} ..." for title, _, _ in reply.passages]
    rows = [
        f"<details><summary>[{i}] <code>{html.escape(short[i - 1])}</code> &nbsp; score {score:.3f}</summary>"
        f'<pre style="white-space: pre-wrap">{html.escape(text)}</pre></details>'
        for i, (_, text, score) in enumerate(reply.passages, start=1)
    ]
    times = ", ".join(f"{stage} {1000 * seconds:.0f} ms" for stage, seconds in reply.seconds.items())
    answer = f'<p style="font-size: 1.2em"><b>Answer:</b> {html.escape(reply.answer)}</p>'
    return f"{answer}{''.join(rows)}<p>Time: {times}</p>"


def panel(ask: Callable[[str], Reply], question: str = ""):
    """Return a widget that asks `ask` whatever is typed in, when the button or Enter is pressed."""
    import ipywidgets as widgets

    box = widgets.Text(value=question, placeholder="Ask the docs", description="Question", continuous_update=False)
    box.layout.width = "75%"
    button = widgets.Button(description="Ask", tooltip="Search the docs and answer", button_style="primary")
    shown, last = widgets.HTML(), [""]

    def show(_=None):
        """Answer; a click right after typing comes as two events, and is answered once."""
        if not box.value.strip():
            shown.value = "<p>Type a question first.</p>"
        if box.value.strip() in ("", last[0]):
            return
        last[0] = box.value.strip()
        button.disabled, shown.value = True, "<p>Searching ...</p>"
        try:
            shown.value = page(ask(last[0]))
        except CourseError as error:
            last[0] = ""
            shown.value = f"<p>{html.escape(str(error))}</p>"
        finally:
            button.disabled = False

    button.on_click(show)
    box.observe(show, names="value")  # Enter, or leaving the box
    return widgets.VBox([widgets.HBox([box, button]), shown])
