"""The loop of RLHF: write, judge, subtract the leash, learn."""

from autograder.authoring.drawing import BLUE, GREEN, GREY, INK, ORANGE, RED, SOFT, Drawing

BETA, REWARD, LOGP, REF = 0.5, 1.0, -2.0, -3.0


def draw():
    leash = BETA * (LOGP - REF)
    picture = Drawing(
        320,
        "The loop with its leash",
        "The policy writes an answer. The reward model gives it 1. The policy's log-probability -2 "
        "less the reference's -3, times 0.5, is the leash, 0.5, which is subtracted: the return is "
        "0.5. Its gradient changes the policy, and the loop begins again.",
    )
    picture.box(90, 130, "policy $π$", BLUE, width=120, height=50)
    picture.text(90, 92, "trained", size=12, colour=SOFT)
    picture.arrow((152, 130), (222, 130))
    picture.text(187, 114, "writes", size=12, colour=SOFT)
    picture.box(290, 130, "an answer $y$", GREY, width=130)
    picture.text(187, 148, f"log $π$ = {LOGP:g}", size=12, colour=SOFT)
    picture.arrow((340, 108), (432, 68))
    picture.arrow((340, 152), (432, 202))
    picture.box(500, 55, "reward model", GREEN, width=130, note="$r(y)$ = 1")
    picture.box(500, 215, "$π_{ref}$", GREY, width=130, note=f"frozen; log $π_{{ref}}$ = {REF:g}")
    picture.arrow((567, 68), (622, 112))
    picture.arrow((567, 202), (622, 148), colour=RED)
    cost = f"leash, $β$ = {BETA:g}\n{BETA:g} (-2 - (-3)) = {leash:g}"
    picture.text(610, 196, cost, size=12, colour=RED, anchor="start")
    picture.box(676, 130, f"$R$ = 1 - {leash:g}\n= {REWARD - leash:g}", ORANGE, width=104, height=56, size=14)
    picture.line([(728, 130), (744, 130), (744, 285), (90, 285)], SOFT, dashed=True)
    picture.arrow((90, 285), (90, 158), dashed=True)
    picture.text(330, 272, "gradient: what earned more than the mean becomes likelier", size=13, colour=INK)
    return picture
