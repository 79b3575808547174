"""Two processors in two orders: temperature 2 and top-p 0.8 keep four tokens or three."""

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, SOFT, Drawing

P = [0.45, 0.25, 0.15, 0.08, 0.04, 0.02, 0.01]


def flattened(p):
    roots = [v**0.5 for v in p]
    return [v / sum(roots) for v in roots]


def nucleus(p, most=0.8):
    keep, mass = [], 0.0
    for v in p:
        keep.append(v if mass < most else 0.0)
        mass += v
    return [v / sum(keep) for v in keep]


def draw() -> Drawing:
    rows = [
        ("temperature 2", "top-p 0.8", nucleus(flattened(P))),
        ("top-p 0.8", "temperature 2", flattened(nucleus(P))),
    ]
    counts = [sum(v > 0 for v in p) for *_, p in rows]
    d = Drawing(
        230,
        "The order of two processors",
        f"The same logits go through temperature 2 and top-p 0.8 in both orders. Temperature first leaves {counts[0]} "
        f"tokens, top-p first leaves {counts[1]}.",
    )
    d.box(60, 115, "logits", GREY, width=84)
    for i, (first, second, p) in enumerate(rows):
        y = 70 + 92 * i
        d.arrow((104, 115), (142, y))
        d.box(206, y, first, BLUE if i == 0 else ORANGE, width=124)
        d.arrow((270, y), (306, y))
        d.box(370, y, second, ORANGE if i == 0 else BLUE, width=124)
        d.arrow((434, y), (470, y))
        for j, v in enumerate(p):
            d.box(496 + 37 * j, y, f".{round(100 * v):02d}" if v else "-", GREEN if v else GREY, width=34, height=34,
                  size=12)  # fmt: skip
        d.text(607, y + 32, f"{counts[i]} tokens are left", size=12, colour=SOFT)
    return d
