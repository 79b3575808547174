"""The page that a student keeps: what the course's assistant is made of, how well it does, what it costs."""

from collections.abc import Callable, Sequence
from datetime import date
from html import escape
from pathlib import Path

import numpy as np

from helpers.chapters.lora.answering import THRESHOLD
from helpers.chapters.lora.assistant_report import Asked, correct, stages
from helpers.chapters.lora.capstone import MADE_BY, Assistant, origin
from helpers.course import leaderboard
from helpers.course.artifacts import Artifact
from helpers.course.benchmarks import INTENTS
from helpers.files import write_whole
from helpers.palette import BLUE, ORANGE
from helpers.plots.style import embedded

NAME = "my_assistant.html"
BASE = 22.7e6  # weights of MiniLM, which stay as they were
ROLES = {
    "docs-tokenizer": "cuts text into tokens",
    "docs-encoder": "finds pages by their vectors",
    "docs-gpt": "became a writer with LoRA",
}
TASKS = {"clinc150": "150 intents", "inbox": "spam in the inbox", "sms_spam": "spam among SMS"}
TASKS |= {"digits": "images of digits", "docs_search": "search in the docs", "few labels": "words tagged by few labels"}
TASKS |= {"inbox_spans": "spans in the inbox, exact"}
# In a notebook JupyterLab sets tables to the right and with columns of one width; these rules come first there, too.
STYLE = """<style>
.keepsake { max-width: 52rem; margin: 0 auto; font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
.keepsake h1 { line-height: 1.2; border-bottom: 4px solid {BLUE}; padding-bottom: .3em; }
div.keepsake table { border-collapse: collapse; table-layout: auto; width: 100%; margin: .5em 0; font-size: inherit; }
div.keepsake table td, div.keepsake table th {
  text-align: left !important; padding: .3em .6em; border-bottom: 1px solid #8886; overflow-wrap: normal;
}
.keepsake blockquote { margin: .8em 0; padding: .1em 1em; border-left: 4px solid {ORANGE}; }
.keepsake blockquote p { margin: .3em 0; }
.keepsake img { max-width: 100%; background: white; border-radius: 6px; }
@media (max-width: 600px) {
  .keepsake { font-size: 14px; }
  div.keepsake table td, div.keepsake table th { padding: .2em .3em; }
}
</style>"""
STYLE = STYLE.replace("{BLUE}", BLUE).replace("{ORANGE}", ORANGE)
WHOLE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>My documentation assistant</title>
{}
</html>
"""


class Keepsake:
    """A student's results, and the page that is made of them.

    rows:    the questions that were asked
    quiet:   the scores of the replies to questions that the docs do not answer
    adapter: the reader's
    reached: [(steps, share of right answers), ...] of the reader that the student trained
    """

    def __init__(
        self,
        assistant: Assistant,
        rows: Sequence[Asked],
        quiet: Sequence[float],
        adapter: Artifact,
        reached: Sequence[tuple[int, float]],
    ):
        self.documents, self.rows, self.reached = len(assistant.documents), rows, reached
        self.count = sum(weight.numel() for weight in adapter.weights.values())
        self.stages = stages(rows)
        self.silent = f"{np.mean(np.array(quiet) < THRESHOLD):.0%} of {len(quiet)}"

    def page(self, drawn: Callable) -> str:
        """Return the page as HTML with its picture in it, all of it from the student's own run.

        drawn(stages, reached, board) returns (figure, alt text); board: rows of leaderboard.with_reference(INTENTS)
        """
        picture = embedded(*drawn(self.stages, self.reached, leaderboard.with_reference(INTENTS)))
        parts = (self._head(), picture, self._built(), self._well(), self._costs())
        return "\n".join([STYLE, '<div class="keepsake">', *parts, "</div>"])

    def keep(self, drawn: Callable) -> Path:
        """Write the page beside the leaderboard and show it; returns its path."""
        from IPython.display import display

        path, page = leaderboard.path().with_name(NAME), self.page(drawn)
        write_whole(path, WHOLE.format(page).encode())
        display({"text/html": page, "text/plain": f"[page] My documentation assistant, {self._sentence()}"}, raw=True)
        return path

    def _sentence(self) -> str:
        return f"right on {self.stages['right, end to end, never silent'][0]:.0%} of {len(self.rows)} test questions"

    def _head(self) -> str:
        sure = [row for row in self.rows if row.reply.score >= THRESHOLD]
        right = [row for row in sure if correct(row)]
        wrong = [row for row in sure if not correct(row)]
        quoted = "\n".join(map(_quoted, [*right[:2], *wrong[:1]]))
        return (
            f"<h1>My documentation assistant</h1>\n<p>It answers questions about {self.documents:,} pages of "
            "documentation in the words of a page, names the page, and says so when it does not know. It runs on a "
            "laptop, and no question leaves the machine.</p>\n" + quoted
        )

    def _built(self) -> str:
        own = {name: origin(name, chapter) == "your own" for name, chapter in MADE_BY.items()}
        parts = [(name, role, MADE_BY[name], "me" if own[name] else "the course") for name, role in ROLES.items()]
        lora = ("LoRALinear, merge", "hold what the reader learned, in each of its layers", "09", "me")
        reader = ("docs-reader", "the numbers in them: it points at answers", "09", "the course")
        return _table("What I built", ("part", "what it does", "chapter", "made by"), [*parts, lora, reader])

    def _well(self) -> str:
        passed = [(name, f"{mean:.0%}", f"{low:.0%} to {high:.0%}") for name, (mean, low, high) in self.stages.items()]
        silent = ("silent where the docs do not say", self.silent, "")
        (_, first), (steps, last) = self.reached[0], self.reached[-1]
        learned = (f"MiniLM with my LoRA, spans in the inbox, after {steps} steps", f"{last:.0%}", f"from {first:.0%}")
        head = (f"{len(self.rows)} questions that nothing learned from", "share", "95 % interval")
        best = [(_task(row), f"{row.score:.3f}", f"{row.model} (chapter {row.chapter})") for row in _best()]
        board = _table("", ("my best on", "score", "model"), best) if best else ""
        return _table("How well it does", head, [*passed, silent, learned]) + board

    def _costs(self) -> str:
        seconds = np.mean([row.seconds for row in self.rows])
        rows = [
            ("time", f"{seconds:.2f} seconds a question on this machine"),
            ("trained", f"{self.count:,} numbers, beside {BASE / 1e6:.1f} million that stay as they were"),
            ("the adapter's file", f"{2e-6 * self.count:.1f} MB in half precision; any number of them share one base"),
            ("network, GPU", "none"),
        ]
        return _table("What it costs", (), rows) + f"<p><em>bow2lora, {date.today().isoformat()}</em></p>"


def _quoted(row: Asked) -> str:
    """Return a question and its answer; where it is wrong, the right one as well."""
    name = row.reply.passages[row.reply.number - 1].name
    wrong = "" if correct(row) else f" Not so: <b>{escape(row.question.answer)}</b> would be right."
    said = f"<p><b>{escape(row.reply.answer)}</b>, says <code>{escape(name)}</code>.{wrong}</p>"
    return f"<blockquote><p>{escape(row.question.question)}</p>{said}</blockquote>"


def _table(title: str, head: Sequence[str], rows: Sequence[Sequence]) -> str:
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    lines = []
    for row in rows:
        cells = "".join(f"<td>{escape(str(cell))}</td>" for cell in row)
        lines.append(f"<tr>{cells}</tr>")
    heading = f"<h2>{title}</h2>" if title else ""
    body = "\n".join(lines)
    return f"{heading}\n<table>\n<tr>{top}</tr>\n{body}\n</table>\n"


def _task(row: leaderboard.Row) -> str:
    return TASKS.get(row.data, row.data) + (f", {row.labels} of each" if row.labels else "")


def _best() -> list[leaderboard.Row]:
    """Return the best own row of each set and number of labels."""
    scored = [row for row in leaderboard.rows() if row.score == row.score]  # best last
    return list({(row.data, row.labels): row for row in scored}.values())
