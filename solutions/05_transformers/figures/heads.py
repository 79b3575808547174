"""One encoder and the three heads of its tasks."""

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, PURPLE, SOFT, Drawing

TOKENS = ["[CLS]", "see", "Ada", "on", "Friday"]
TAGS = ["-100", "O", "B-PER", "O", "B-DATE"]


def draw() -> Drawing:
    d = Drawing(330, "Three heads", "The same vectors give a class, tags, or the ends of an answer.")
    xs = [70 + 88 * i for i in range(len(TOKENS))]
    for x, token, tag in zip(xs, TOKENS, TAGS, strict=True):
        d.box(x, 292, token, BLUE, width=78, height=34, size=14)
        d.arrow((x, 275), (x, 246))
        d.arrow((x, 194), (x, 156))
        d.box(x, 138, tag, GREY if tag == "-100" else ORANGE, width=78, height=34, size=13)
    d.box(246, 220, "encoder: a vector for each token, (T, C)", GREY, width=430, height=50)
    d.text(246, 104, "tags: each vector by itself; [CLS] has none", size=13, colour=SOFT)
    d.arrow((461, 212), (560, 150))
    d.box(650, 138, "spam?", GREEN, width=150, height=34, note="class: the mean of all vectors")
    d.arrow((461, 228), (560, 262))
    d.box(650, 266, "Friday to Friday", PURPLE, width=150, height=34, note="span: a start and an end")
    d.text(650, 238, "On which date?", size=13, colour=SOFT)
    d.text(380, 30, "one encoder, three heads", bold=True)
    return d
