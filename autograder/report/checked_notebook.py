"""One checked notebook, as its author reads it on a terminal."""

from collections.abc import Iterator, Mapping

from autograder.execution import results
from autograder.report import safe_text

LINES = 400  # of one report


def lines(result: Mapping) -> Iterator[str]:
    """Yield what was repaired or stopped, what each check says, and the points."""
    yield from (f"note: {safe_text.line(note)}" for note in results.notes(result))
    for check in result["checks"]:
        yield safe_text.block(check["report"] or f"{check['exercise']}: {check['reason']}", LINES)
    possible = sum(c["points"] for c in result["checks"])
    yield f"\n{results.total(result):g} of {possible:g} points that are checked by machine"


def protections(result: Mapping) -> str:
    """Return what protected the machine from the notebook's code, in a line."""
    found = {name: str(state) for name, state in result["protections"].items()}
    missing = [name for name, state in found.items() if not state.startswith("held")]
    if not missing:
        return f"Protections: all {len(found)} held."
    held = [name for name in found if name not in missing]
    return f"Protections: missing {', '.join(missing)}; held {', '.join(held) or 'none'}."
