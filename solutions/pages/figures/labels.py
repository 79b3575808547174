"""Accuracy over labelled examples, chapter by chapter: the course's own rows of datasets/leaderboard.json."""

import json

from autograder import paths
from autograder.authoring.drawing import BLUE, GREEN, GREY, INK, ORANGE, PURPLE, RED, SOFT, Drawing
from helpers.palette import SKY

ROWS = {  # (chapter, model): what the line is called, its colour
    ("09", "MiniLM with LoRA"): ("09 MiniLM with your LoRA", PURPLE),
    ("07", "MiniLM tuned on the labels, linear probe"): ("07 MiniLM tuned on pairs", SKY),
    ("07", "MiniLM, linear probe"): ("07 MiniLM as it comes", INK),
    ("01", "TF-IDF, logistic regression"): ("01 TF-IDF", BLUE),
    ("02", "mean of vectors of its requests"): ("02 word vectors", GREEN),
    ("07", "encoder of the docs, linear probe"): ("07 your encoder, from scratch", ORANGE),
    ("04", "self-attention, pooled by attention"): ("04 attention, from scratch", RED),
    ("03", "BiLSTM on word vectors"): ("03 BiLSTM", GREY),
}
LABELS = (1, 5, 10)
LEFT, RIGHT, TOP, BOTTOM = 70, 490, 50, 320


def place(labels, score):
    return LEFT + (RIGHT - LEFT) * (labels - 1) / 9, BOTTOM - (BOTTOM - TOP) * score


def draw():
    kept = {(r["chapter"], r["model"], r["labels"]): r["score"] for r in rows()}
    lines = {words: ([kept[*key, k] for k in LABELS], colour) for key, (words, colour) in ROWS.items()}
    told = "; ".join(f"{words} {', '.join(f'{s:.2f}' for s in scores)}" for words, (scores, _) in lines.items())
    picture = Drawing(370, "Accuracy over labelled examples", f"With 1, 5 and 10 examples of each intent: {told}.")
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        (x, y), (end, _) = place(1, share), place(10, share)
        picture.line([(x, y), (end, y)], "#e5e7eb", width=1)
        picture.text(x - 12, y, f"{share:g}", size=12, colour=SOFT, anchor="end")
    for k in LABELS:
        picture.text(place(k, 0)[0], BOTTOM + 16, k, size=12, colour=SOFT)
    picture.text((LEFT + RIGHT) / 2, BOTTOM + 36, "labelled examples of each of 150 intents", size=13, colour=SOFT)
    picture.text(LEFT - 30, 24, "share of the test questions answered correctly", size=13, colour=SOFT, anchor="start")
    below = TOP - 18.0
    for words, (scores, colour) in sorted(lines.items(), key=lambda line: -line[1][0][-1]):
        points = [place(k, s) for k, s in zip(LABELS, scores, strict=True)]
        picture.line(points, colour, width=2.4)
        for x, y in points:
            picture.circle(x, y, colour=colour, radius=4)
        below = max(below + 18, points[-1][1] - 9)  # names keep clear of one another
        picture.circle(RIGHT + 18, below, colour=colour, radius=4)
        picture.text(RIGHT + 28, below, f"{words} {scores[-1]:.2f}", size=13, anchor="start")
    return picture


def rows():
    return json.loads((paths.ROOT / "datasets" / "leaderboard.json").read_text(encoding="utf-8"))
