"""A small panel for a notebook: a question, the answer, the passages with the answer marked, the time of each stage."""

import html
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from helpers.assistant.generators import ReaderAnswer
from helpers.errors import CourseError


@dataclass
class Reply:
    """What an assistant found.

    answer:   with citations, as "128 [1]"
    passages: [(title, text, score), ...], the first is [1]
    seconds:  {stage: seconds}
    mark:     (number of a passage, start, end) of the words to mark there, in f"{title}\\n{text}"; None for none
    why:      why it is silent; "" if it is not
    """

    answer: str
    passages: list[tuple[str, str, float]]
    seconds: dict[str, float] = field(default_factory=dict)
    mark: tuple[int, int, int] | None = None
    why: str = ""

    @classmethod
    def of(
        cls, answer: str, shown: Sequence[tuple[str, str]], scores: np.ndarray, seconds: float, place: ReaderAnswer
    ) -> "Reply":
        """Return the reply with what was shown, best first; scores: of the candidates, in any order."""
        ordered = np.sort(scores)[::-1]
        rows = [(title, text, float(score)) for (title, text), score in zip(shown, ordered, strict=False)]
        return cls(answer, rows, {"all stages": seconds}, place.mark, place.why)


def page(reply: Reply) -> str:
    """Return the reply as HTML; all that comes from documents is escaped, so that no passage can be markup."""
    rows = [_passage(i, *passage, reply.mark) for i, passage in enumerate(reply.passages, start=1)]
    times = ", ".join(f"{stage} {1000 * seconds:.0f} ms" for stage, seconds in reply.seconds.items())
    told = f"<p>Time: {times}</p>" if times else ""
    answer = f'<p style="font-size: 1.2em"><b>Answer:</b> {html.escape(reply.answer)}</p>'
    why = f"<p>{html.escape(reply.why)}</p>" if reply.why else ""
    return f"{answer}{why}{''.join(rows)}{told}"


def _passage(number: int, title: str, text: str, score: float, mark: tuple[int, int, int] | None) -> str:
    """Return one passage, closed; the one with the marked words is open."""
    short = title if len(title) <= 80 else f"{title[:76]} ..."
    marked = mark is not None and mark[0] == number
    whole = _marked(f"{title}\n{text}", *mark[1:]) if marked else html.escape(f"{title}\n{text}")
    return (
        f"<details{' open' * marked}><summary>[{number}] <code>{html.escape(short)}</code> "
        f'&nbsp; score {score:.3f}</summary><pre style="white-space: pre-wrap">{whole}</pre></details>'
    )


def _marked(text: str, start: int, end: int) -> str:
    """Return the text as HTML with the words from start to end marked."""
    before, words, after = (html.escape(part) for part in (text[:start], text[start:end], text[end:]))
    return f"{before}<mark>{words}</mark>{after}"


def panel(ask: Callable[[str], Reply], question: str = ""):
    """Return a widget that asks `ask` whatever is typed in, when the button or Enter is pressed.

    It opens with the reply to `question`, if there is one.
    """
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
    if question.strip():
        show()
    return widgets.VBox([widgets.HBox([box, button]), shown])
