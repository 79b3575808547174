"""Linear attention as a recurrent network: a state of fixed size."""

from autograder.authoring.drawing import BLUE, GREEN, ORANGE, PURPLE, Drawing


def draw():
    picture = Drawing(
        215,
        "Linear attention as a recurrent network",
        "With queries and keys 0, so that phi is 1, the values 2 and 4 come in. The state goes from (0, 0) to (2, 1) "
        "to (6, 2); the outputs are 2 and 3.",
    )
    S, z = 0, 0
    picture.box(70, 110, "S = 0, z = 0", PURPLE, width=110, note="state before")
    for i, value in enumerate([2, 4]):
        x = 280 + 260 * i
        S, z = S + value, z + 1
        picture.arrow((x - 203 if i else 127, 110), (x - 57, 110))
        picture.text(x - 106, 92, "add", size=13)
        picture.box(x, 110, f"S = {S}, z = {z}", PURPLE, width=110)
        picture.box(x - 106, 175, f"$k$, $v$ = {value}", BLUE, width=96, height=34)
        picture.arrow((x - 106, 157), (x - 106, 114), colour=BLUE)
        picture.arrow((x, 89), (x, 60), colour=ORANGE)
        picture.text(x + 12, 75, "$q$ asks", size=13, anchor="start")
        picture.box(x, 40, f"{S} / {z} = {S / z:g}", GREEN, width=110, height=36)
    picture.arrow((597, 110), (690, 110))
    picture.text(700, 110, "...", anchor="start")
    picture.text(590, 178, "the state never grows", size=14, anchor="start")
    return picture
