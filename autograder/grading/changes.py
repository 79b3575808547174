"""What a regrade changed: who, by how much, and why."""

REASONS = (  # what may differ between two gradings, the first that does is the reason
    ("answers", "a new answer"),
    ("template", "the given code changed"),
    ("environment", "another environment or other helpers"),
    ("secret", "another secret"),
    ("limits", "other limits"),
    ("order", "the cells changed"),
)


def change(before: dict, after: dict) -> str:
    """Return a line on a student whose points changed, "" if they did not or there were none before.

    before, after: the notes on the student, with the scores by check and the fingerprint of what they depend on.
    """
    old, new = before.get("scores") or {}, after["scores"]
    moved = [i for i in dict.fromkeys([*new, *old]) if old.get(i, 0.0) != new.get(i, 0.0)]
    if not old or not moved:
        return ""
    why = [f"{i.removeprefix('check-')} {old.get(i, 0):g} -> {new.get(i, 0):g}" for i in moved]
    reasons = dict.fromkeys(_reason(before["fingerprint"], after["fingerprint"], i) for i in moved)
    total = f"{round(sum(old.values()), 2):g} -> {round(sum(new.values()), 2):g}"
    return f"{after['student']}: {total}: {', '.join(why)} ({'; '.join(reasons)})"


def _reason(before: dict, after: dict, check: str) -> str:
    if before.get(f"check {check}") != after.get(f"check {check}"):
        return "the check changed"
    found = [words for part, words in REASONS if before.get(part) != after.get(part)]
    return found[0] if found else "the same answer came out otherwise"
