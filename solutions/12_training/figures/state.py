"""What belongs to the state of a run, with the numbers of exercise 6."""

from autograder.authoring.drawing import BLUE, GREEN, ORANGE, PURPLE, RED, SOFT, Drawing


def after(steps: int, forget: int | None = None) -> tuple[float, float]:
    """(momentum, weight) after so many steps of gradient 1; the momentum is forgotten before step `forget`."""
    m, w = 0.0, 1.0
    for step in range(steps):
        m = 1.0 if step == forget else 0.9 * m + 1.0
        w -= 0.1 * m
    return m, w


def draw() -> Drawing:
    d = Drawing(
        270, "The state of a run", "Five parts of a checkpoint, and what a forgotten momentum does to the third step."
    )
    parts = (
        ("weights", BLUE),
        ("optimiser's means", ORANGE),
        ("step", GREEN),
        ("position in the data", PURPLE),
        ("dropout", RED),
    )
    for i, (name, colour) in enumerate(parts):
        d.box(90 + 145 * i, 60, name, colour, width=134, size=13)
        d.arrow((90 + 145 * i, 84), (380 + (i - 2) * 30, 128))
    d.box(380, 148, "one file", SOFT, width=170)
    m, w = after(2)
    good, bad = after(3), after(3, forget=2)
    d.text(380, 200, f"after two steps: m = {m:.4g}, w = {w:.4g}", size=14)
    d.text(380, 228, f"third step, all restored: m = {good[0]:.4g}, w = {good[1]:.4g}", size=14)
    d.text(380, 252, f"momentum forgotten: m = {bad[0]:.4g}, w = {bad[1]:.4g}", size=14)
    return d
