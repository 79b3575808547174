"""What START and the README say of telling 150 intents apart: each number from the rows that `make course` keeps."""

import json

from autograder import paths
from helpers.errors import CourseError

DATA = "clinc150"
FEW, MANY = 1, 10  # labelled examples of each intent
ROWS = {  # what is compared: (chapter, model)
    "counts": ("01", "TF-IDF, logistic regression"),
    "beside": ("02", "TF-IDF and mean of vectors of its requests"),  # the best without a pre-trained model
    "minilm": ("07", "MiniLM, linear probe"),
    "tuned": ("07", "MiniLM tuned on the labels, linear probe"),
    "lora": ("09", "MiniLM with LoRA"),
}


def rows() -> list[dict]:
    """Return the leaderboard's rows of this task."""
    kept = json.loads((paths.ROOT / "datasets" / "leaderboard.json").read_text(encoding="utf-8"))
    return [row for row in kept if row["data"] == DATA]


def score(name: str, labels: int) -> float:
    """Return the accuracy of one of ROWS with so many labels for each intent."""
    return _score(rows(), name, labels)


def _score(kept: list[dict], name: str, labels: int) -> float:
    found = [row["score"] for row in kept if (row["chapter"], row["model"], row["labels"]) == (*ROWS[name], labels)]
    if not found:
        raise CourseError(f"datasets/leaderboard.json has no row of {ROWS[name]} with {labels} labels")
    return found[0]


def facts() -> dict[str, str]:
    """Return {word of the text: what stands in its place}."""
    kept = rows()
    many = {name: _score(kept, name, MANY) for name in ROWS}
    found = {f"@{name.upper()}@": f"{accuracy:.2f}" for name, accuracy in many.items()}
    few = {f"@{name.upper()}1@": f"{_score(kept, name, FEW):.2f}" for name in ROWS}
    gains = {"@GAIN@": points(many["minilm"], many["beside"]), "@GAIN09@": points(many["lora"], many["minilm"])}
    return found | few | gains


def points(better: float, worse: float) -> str:
    """Return by how many points one accuracy is better than another, as the two are printed: "1 point"."""
    number = round(100 * better) - round(100 * worse)
    return "1 point" if number == 1 else f"{number} points"


def filled(text: str) -> str:
    """Return a text with its facts."""
    for word, value in facts().items():
        text = text.replace(word, value)
    return text
