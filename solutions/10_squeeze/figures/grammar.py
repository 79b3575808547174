"""An automaton that reads lists of ones, and which of eight tokens it can read from state 1."""

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, SOFT, Drawing

MOVES = [{"[": 1}, {"1": 2}, {",": 1, "]": 3}, {}]
TOKENS, NOW = ["1", "1,", "1]", "1,1", "11", "[", "]", ",1"], 1
PLACES = [(70, 96), (220, 96), (370, 96), (520, 96)]


def walk(state, text):
    for character in text:
        state = None if state is None else MOVES[state].get(character)
    return state


def draw() -> Drawing:
    reached = {token: walk(NOW, token) for token in TOKENS}
    allowed = [f"{token} to state {state}" for token, state in reached.items() if state is not None]
    d = Drawing(
        262,
        "An automaton and its mask",
        "Four states: 0 to 1 by [, 1 to 2 by 1, 2 back to 1 by a comma, 2 to 3 by ]; 3 is final. In state "
        f"{NOW} the allowed tokens lead {', '.join(allowed)}; the others cannot be read.",
    )
    for state, (x, y) in enumerate(PLACES):
        d.circle(x, y, str(state), ORANGE if state == NOW else BLUE, radius=24)
    d.circle(*PLACES[3], " ", BLUE, radius=29)
    for start, end, word, bend, height in (
        (0, 1, "[", 0, 80), (1, 2, "1", 24, 58), (2, 1, ",", 24, 138), (2, 3, "]", 0, 80),
    ):  # fmt: skip
        (x0, y0), (x1, y1) = PLACES[start], PLACES[end]
        side = 26 if x1 > x0 else -26
        lift = -10 if bend and side > 0 else 10 if bend else 0
        d.arrow((x0 + side, y0 + lift), (x1 - side - (4 if end == 3 else 0), y1 + lift), bend=bend)
        d.text((x0 + x1) / 2, height, word, size=16, mono=True)
    d.text(520, 142, "final: the text may end", size=12, colour=SOFT)
    d.text(220, 40, "we are here", size=12, colour=SOFT)
    for i, (token, state) in enumerate(reached.items()):
        x = 70 + 84 * i
        d.box(x, 196, "", GREY if state is None else GREEN, width=70, height=36)
        d.text(x, 196, token, mono=True)
        d.text(x, 228, "no" if state is None else f"to state {state}", size=12, colour=SOFT)
    return d
