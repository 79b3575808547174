"""Each number that START and the README give: measured, beside its strongest simpler rival, or counted."""

import importlib.metadata
import re
import tomllib
from itertools import pairwise
from pathlib import Path
from statistics import fmean

import pytest
from packaging.requirements import Requirement

from autograder import paths
from autograder.authoring import intents, measure, readme, shorter_paths, start_page
from autograder.authoring.measured import measured
from autograder.authoring.source import read
from autograder.execution import time_limits
from autograder.linux import limits
from helpers.checks import case
from helpers.course import unstuck
from helpers.data import load

RECORD = measured()
README = (paths.ROOT / "README.md").read_text(encoding="utf-8")
EDITION = (paths.ROOT / "autograder/handout/templates/README.md").read_text(encoding="utf-8")
HANDBOOK = (paths.ROOT / "docs/instructors/handbook.md").read_text(encoding="utf-8")
START = (paths.SOLUTIONS / "pages" / "START.py").read_text(encoding="utf-8")
NEAR = 0.006  # a rival's figure and the one printed are one where they differ by less: other seeds, rounding
LEVEL = ("level", "no better", "loses")  # what a sentence says where the rival is not below in every run
BOUNDS = ("docs-gpt in a file: half of its blocks in four bits take less than an eighth of its bytes",)  # no rival
INTENTS = re.compile(r"intents, (?:labels for each: )?(\d+)")


# ------------------------------------------------------------------------------------------ the headlines
def rivals(chapter: str, said: dict) -> dict[str, list[float]]:
    """Return what is simpler at a headline's task, figures a run each.

    What the same figures are claimed to be above; the sentence's own simpler rows; of the intents what earlier chapters
    reached.
    """
    ours = start_page.recorded(chapter, {"claim": said["claim"], "side": "better"}, RECORD)
    claims = RECORD[chapter]["claims"]
    found = {claim: kept["worse"] for claim, kept in claims.items() if same_runs(kept["better"], ours)}
    found |= {n: start_page.recorded(chapter, also, RECORD) for n, also in said.get("also", {}).items() if simple(also)}
    labels = INTENTS.search(said["claim"])
    for row in intents.rows():
        if labels and row["labels"] == int(labels[1]) and row["chapter"] < chapter[:2]:
            found[row["model"]] = (row["lowest"], row["score"], row["highest"])
    return found


def same_runs(one: list[float], other: list[float]) -> bool:
    return all(a == b for a, b in zip(one, other, strict=False))


def simple(also: dict) -> bool:
    return bool(also.get("simpler"))


def middle(name: str, figures: list[float] | tuple[float, float, float]) -> float:
    """Return the mean of runs, or the score of (the lowest, the score, the highest)."""
    return figures[1] if isinstance(figures, tuple) else fmean(figures)


def not_below(ours: list[float], theirs: list[float]) -> bool:
    """Whether a rival is as good in some run: seed by seed where both have as many, else by their ranges."""
    if len(ours) == len(theirs):
        return any(a <= b for a, b in zip(ours, theirs, strict=True))
    return min(ours) <= max(theirs)


@pytest.mark.parametrize("chapter", paths.chapters())
def test_a_headline_stands_beside_its_strongest_simpler_rival(chapter):
    said = start_page.headline_of(chapter)
    ours = start_page.recorded(chapter, {"claim": said["claim"], "side": "better"}, RECORD)
    found = rivals(chapter, said)
    strongest = max(found, key=lambda name: middle(name, found[name]))
    shown = start_page.figures(chapter, said, RECORD)
    printed = [value for name, value in shown.items() if name != "better" and f"{{{name}" in said["sentence"]]
    theirs = abs(middle(strongest, found[strongest]))
    if said["claim"] not in BOUNDS:
        assert any(abs(value - theirs) < NEAR for value in printed), f"it leaves out {strongest}, {theirs:.3f}"
    if not_below(ours, found[strongest]):
        assert any(word in said["sentence"] for word in LEVEL), f"{strongest} is not below in every run"


def test_a_rival_that_is_left_out_is_noticed():
    said = start_page.headline_of("03_rnns")
    found = rivals("03_rnns", said)
    assert max(found, key=lambda name: middle(name, found[name])) == "seven" and "level" in said["sentence"]
    ours = start_page.recorded("03_rnns", {"claim": said["claim"], "side": "better"}, RECORD)
    assert not_below(ours, found["seven"]) and not not_below([2.0, 3.0], [1.0, 2.5])


# ------------------------------------------------------------------------------------------ the intents
def test_what_is_said_of_the_intents_is_so():
    def at(name):
        return intents.score(name, intents.MANY)

    without = [r["score"] for r in intents.rows() if r["labels"] == intents.MANY and not reads_before(r["model"])]
    assert max(without) == at("beside")  # the best without a pre-trained model
    assert at("counts") < at("beside") < at("minilm") < min(at("tuned"), at("lora"))
    assert max(at("tuned"), at("lora")) - at("minilm") < 0.02  # little
    assert intents.score("lora", intents.FEW) < intents.score("minilm", intents.FEW)  # loses
    scratch = ("BiLSTM", "self-attention", "trained embeddings", "encoder of the docs", "own pre-training")
    trained = [r["score"] for r in intents.rows() if any(word in r["model"] for word in scratch)]
    assert max(trained) < at("counts")


def reads_before(model: str) -> bool:
    """Whether a row rests on a model that somebody else pre-trained."""
    return "MiniLM" in model


@pytest.mark.parametrize("text", [START, readme.INTENTS])
def test_no_score_of_the_intents_is_typed(text):
    part = re.split(r"!\[Accuracy", text)[1].partition("## Paths")[0]
    assert not re.search(r"0\.\d|\d points", part) and "@LORA1@" in part


# ------------------------------------------------------------------------------------------ START
def test_start_has_no_word_left_to_fill_and_no_number_of_its_own():
    filled = start_page.filled(START)
    assert not re.search(r"@\w+@", filled)
    assert set(re.findall(r"@\w+@", START)) > {"@TOTAL@", "@PATH_WEEK@", "@HOURS_PRACTICE@", "@TRIES@", "@LONGEST@"}
    own = re.sub(r"\(?\b\w+/\w+\.ipynb\)|\[\d\d [^\]]*\]|@\w+@|<kbd>\d</kbd>|\n# \d\. ", "", START)
    chapters = {name[:2] for name in paths.chapters()}
    numbers = set(re.findall(r"\b\d[\d.,]*\b", own)) - chapters
    assert numbers <= {"150", "1", "5", "10"}, "the data set, and its labels: tests/test_data_sets.py"
    labels = {row["labels"] for row in intents.rows()}
    assert labels == {1, 5, 10}


def test_the_shorter_paths_name_exercises_that_there_are_by_their_numbers():
    assert shorter_paths.in_words({"01": ["tf", "bag", "ngrams", "bm25"]}) == "01 exercises 4 to 6 and 13"
    assert shorter_paths.in_words({"02": ["analogy"], "07": "all", "08": "all"}) == "02 exercise 11; all of 07 and 08"
    assert shorter_paths.hours("01_spam", ["tf", "idf"]) == pytest.approx(1.6 * 16 / 60)
    ways = shorter_paths.shorter_paths()
    assert set(ways) == {"week", "practice"} and {"05", "06"} <= set(ways["practice"])
    for number, only in (step for way in ways.values() for step in way.items()):
        name = next(each for each in paths.chapters() if each.startswith(number))
        assert only == "all" or set(only) <= set(shorter_paths.exercises(name)), number


def test_the_hours_of_a_chapter_are_those_of_all_its_exercises_and_essays():
    for name in paths.chapters():
        cells = read(paths.source_text(name))
        listed = shorter_paths.exercises(name)
        assert list(listed) and set(listed) == {c.name for c in cells if c.kind == "exercise"}
        essays = shorter_paths.hours(name) - shorter_paths.hours(name, list(listed))
        assert essays > 0


@pytest.mark.parametrize("chapter", paths.chapters())
def test_a_chapter_allows_as_many_hours_as_start(chapter):
    top = " ".join(read(paths.source_text(chapter))[0].source.split())
    found = re.findall(r"(?:[Aa]llow about|allow|, about) (\w+)( and a half)?", top)
    hours = [start_page.NUMBERS.index(word) + 0.5 * bool(half) for word, half in found if word in start_page.NUMBERS]
    assert hours and abs(sum(hours) - shorter_paths.hours(chapter)) <= 0.5  # of 03 each half has its own


# ------------------------------------------------------------------------------------------ the README
def test_the_readmes_made_parts_follow_the_record_and_make_release_writes_them(tmp_path, monkeypatch):
    copy = tmp_path / "README.md"
    copy.write_text(README.replace(intents.filled(readme.INTENTS), "stale"), encoding="utf-8")
    monkeypatch.setattr(readme, "README", copy)
    assert not readme.release_readme(check=True) and "stale" in copy.read_text(encoding="utf-8")
    assert not readme.release_readme() and readme.release_readme(check=True)
    assert copy.read_text(encoding="utf-8") == README


def gigabytes(requirements: list[str]) -> tuple[float, int]:
    """Return the size of packages with all that they need, as they lie here, and their longest path."""
    sizes: dict[str, int] = {}
    longest, waiting = 0, [(Requirement(text), "") for text in requirements]
    while waiting:
        needed, extra = waiting.pop()
        name = re.sub(r"[-_.]+", "-", needed.name).lower()
        if name in sizes or (needed.marker and not needed.marker.evaluate({"extra": extra})):
            continue
        found = importlib.metadata.distribution(name)
        files = [path for path in found.files or [] if Path(str(path.locate())).is_file()]
        sizes[name] = sum(Path(str(path.locate())).stat().st_size for path in files)
        longest = max([longest, *(len(str(path)) for path in files if ".." not in str(path))])
        waiting += [(Requirement(text), "") for text in found.requires or []]
        waiting += [(Requirement(text), each) for text in found.requires or [] for each in needed.extras]
    return sum(sizes.values()) / 1e9, longest


def test_what_an_environment_takes_on_disk_is_said_as_it_is():
    import torch

    if "+cpu" not in torch.__version__:
        pytest.skip("the sizes are those of the CPU build")
    project = tomllib.loads((paths.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    course, longest = gigabytes(project["dependencies"])
    graders, _ = gigabytes(project["dependencies"] + _without_itself(project["optional-dependencies"], "dev"))
    (wheel,) = map(float, re.findall(r"([\d.]+) GB with the CPU build, below", README))
    (full,) = map(float, re.findall(r"environment \(([\d.]+) GB on disk with the CPU build", README))
    (edition,) = map(float, re.findall(r"about ([\d.]+) GB on disk with the CPU", EDITION))
    assert abs(edition - course) < 0.1 and abs(wheel - course) < 0.2 and abs(full - graders) < 0.1
    for text in (README, EDITION):
        assert f"up to {longest} characters" in text


def _without_itself(extras: dict[str, list[str]], name: str) -> list[str]:
    """Return what an extra asks for, with the extras of the course that it names: "bow2lora[grading]"."""
    found: list[str] = []
    for text in extras[name]:
        needed = Requirement(text)
        if needed.name == "bow2lora":
            for other in needed.extras:
                found += _without_itself(extras, other)
        else:
            found.append(text)
    return found


def test_the_sizes_of_the_data_are_those_of_the_files():
    docs, inbox, sms = load("docs"), load("inbox"), load("sms_spam")
    assert f"about {round(len(docs), -3):,} documents" in README and f"{len(inbox):,} synthetic" in README
    assert f"# {len(sms):,} real messages" in README
    made = ("docs", "inbox", "mini", "questions", "artifacts", "reference", "cards", "licences")
    folders = [path for path in (paths.ROOT / "datasets").iterdir() if path.is_dir() and path.name not in made]
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file() and path.suffix != ".py"]
    assert f"published, {sum(path.stat().st_size for path in files) / 1e6:.0f} MB in all" in README


def test_versions_seeds_tries_and_limits_are_those_of_the_code():
    project = tomllib.loads((paths.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    least = {r.name: str(r.specifier).removeprefix(">=") for r in map(Requirement, project["dependencies"])}
    major = least["transformers"].partition(".")[0]
    for asked in (f"PyTorch {least['torch']} or later", f"NumPy {least['numpy']} or later", f"transformers {major} or"):
        assert asked in " ".join(README.split())
    assert f"{start_page.number(unstuck.TRIES)} different" in " ".join(README.split())
    python = project["requires-python"].removeprefix(">=")
    for text in (README, EDITION):
        assert f"Python {python} or later" in text
    assert f"over {start_page.number(measure.SEEDS)} seeds" in " ".join(README.split())
    minutes = start_page.number(time_limits.TOTAL_SECONDS // 60)
    said = f"{limits.CELL_SECONDS:g} seconds of CPU time (`--timeout`), a call of a check {case.SECONDS:g}, a"
    assert f"{said} submission {minutes} minutes by the clock" in " ".join(HANDBOOK.split())


def test_points_are_eighty_and_twenty_in_every_chapter():
    assert "80 are checked by machine, 20 are two short essays" in README
    for name in paths.chapters():
        cells = read(paths.source_text(name))
        essays = [c.points for c in cells if c.kind == "essay"]
        assert sum(essays) == 20 and len(essays) == 2 and sum(c.points for c in cells) == 100, name
    for text in (README, HANDBOOK):
        assert "100 points" in text
    assert "Two short answers a chapter carry 20 points" in HANDBOOK


def test_the_handbooks_hours_hints_and_pace_are_those_of_the_course():
    hours = [shorter_paths.hours(name) for name in paths.chapters()]
    first, last = (start_page.number(int(f(hours))) for f in (min, max))
    pace = start_page.number(start_page.PACE)
    assert f"from {first} to {last}; {pace} weeks for a chapter" in " ".join(HANDBOOK.split())
    most = 0
    for name in paths.chapters():
        cells = read(paths.source_text(name))
        texts = [before.source for before, cell in pairwise(cells) if cell.kind == "exercise"]
        most = max([most, *(len(unstuck.HINT.findall(text)) for text in texts)])
    assert f"Each exercise has up to {start_page.number(most)}" in HANDBOOK
