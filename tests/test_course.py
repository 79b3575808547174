"""What a chapter claims: how it is said, kept, run for five seeds and put in a table."""

import json
import re

import pytest

from autograder import paths
from autograder.authoring import measure, measured
from helpers.course.claims import FILE, claim


def test_a_claim_says_who_is_ahead_and_is_kept_where_somebody_asks(tmp_path, monkeypatch, capsys):
    claim("nobody asks", 2, 1)
    monkeypatch.setenv(FILE, str(tmp_path / "claims.json"))
    claim("one seed", 0.9, 0.75)
    claim("three seeds", [3, 1, 4], [1, 1, 5])
    kept = json.loads((tmp_path / "claims.json").read_text())
    assert kept["one seed"] == {"better": [0.9], "worse": [0.75]}
    assert list(kept) == ["one seed", "three seeds"]
    assert capsys.readouterr().out.splitlines()[1:] == ["one seed: 0.900 against 0.750", "three seeds: 1 of 3 seeds"]


def test_a_claim_of_lists_of_different_length_is_refused():
    with pytest.raises(ValueError, match="zip"):
        claim("three and two", [1, 2, 3], [1, 2])


def made_chapter(claims: dict, ran: list, rows=lambda seed: []):
    """Return a stand-in for run_chapter."""

    def run(chapter: str, seed: int = 0) -> dict:
        ran.append(seed)
        made = {k: f(seed) for k, f in claims.items()}
        return {"minutes": 1.0, "peak_mb": 9, "claims": made, "leaderboard": rows(seed)}

    return run


def test_a_claim_of_one_seed_is_run_for_the_others(monkeypatch):
    ran = []
    one = {"better": lambda s: [s + 0.5], "worse": lambda s: [s / 3]}
    claims = {
        "one": lambda s: {k: f(s) for k, f in one.items()},
        "whole": lambda s: {"better": [3.0, 4.0], "worse": [1.0, 2.0]},
    }
    monkeypatch.setattr(measure, "run_chapter", made_chapter(claims, ran))
    found = measure.run_seeds("01_spam", 3)["claims"]
    assert ran == [0, 1, 2]
    assert found["one"] == {"better": [0.5, 1.5, 2.5], "worse": [0.0, 0.3333, 0.6667]}
    assert found["whole"] == {"better": [3.0, 4.0], "worse": [1.0, 2.0]}


def test_a_chapter_that_claims_nothing_of_one_seed_runs_once(monkeypatch):
    ran = []
    claims = {"whole": lambda s: {"better": [3.0, 4.0], "worse": [1.0, 2.0]}}
    monkeypatch.setattr(measure, "run_chapter", made_chapter(claims, ran))
    measure.run_seeds("01_spam", 5)
    assert ran == [0]


def row(score: float, model: str = "m", labels: int = 5, runs: int = 1) -> dict:
    return {"model": model, "data": "clinc150", "labels": labels, "score": score, "runs": runs, "seconds": 2.0}


def test_a_row_of_one_seed_becomes_the_mean_of_all(monkeypatch):
    ran = []
    made = made_chapter({}, ran, lambda seed: [row(0.5 + seed / 10), row(0.9, labels=10, runs=5)])
    monkeypatch.setattr(measure, "run_chapter", made)
    one, five = measure.run_seeds("01_spam", 3)["leaderboard"]
    assert ran == [0, 1, 2] and five == row(0.9, labels=10, runs=5)
    assert (one["score"], one["lowest"], one["highest"], one["runs"], one["seconds"]) == (0.6, 0.5, 0.7, 3, 6.0)


def test_a_row_of_one_run_does_not_replace_that_of_more():
    five = row(0.8, runs=5)
    assert measure._of_more_runs([row(0.1, model="other", runs=9), five], row(0.7)) == five
    assert measure._of_more_runs([five], row(0.7, labels=1)) == row(0.7, labels=1)
    assert measure._of_more_runs([row(0.1)], row(0.7)) == row(0.7)


def test_a_run_of_one_seed_keeps_what_was_claimed_for_more():
    two, one = {"better": [2, 3], "worse": [1, 1]}, {"better": [2.001], "worse": [1]}
    assert measure._of_more_seeds({"a": two, "gone": two, "b": one}, {"a": one, "b": two}) == {"a": two}


def test_what_a_command_of_its_own_measures_outlives_the_chapters_shorter_run():
    """A shorter run comes to other figures of the same claim and the same row, or to none."""
    command = {"command": "python -m pytest tests/benchmarks/test_longer_lora.py -s"}
    stored = {"better": [0.9], "worse": [0.8]} | command
    assert measure._of_more_seeds({"a": stored, "b": stored}, {"a": {"better": [0.7], "worse": [0.6]}}) == {
        "a": stored,
        "b": stored,
    }
    long, gone = row(0.9, runs=3) | command, row(0.95, model="rank 64") | command
    kept = measure._with_longer_runs([long, gone, row(0.1, model="other")], [row(0.7, runs=5), row(0.2, model="new")])
    assert kept == [long, gone, row(0.2, model="new")]
    assert measure._without_command(long) == row(0.9, runs=3)


def test_a_command_that_measured_something_is_there():
    for found in measure.measured().values():
        kept = [*found["claims"].values(), *found["leaderboard"]]
        for command in {each[measure.COMMAND] for each in kept if measure.COMMAND in each}:
            assert (paths.ROOT / re.search(r"tests/benchmarks/\w+\.py", command)[0]).is_file()


def test_a_claim_whose_rival_has_changed_is_replaced():
    before, now = {"better": [0.9, 0.9], "worse": [0.8, 0.8]}, {"better": [0.9], "worse": [0.86]}
    assert measure._of_more_seeds({"a": before}, {"a": now}) == {}


def test_on_a_gpu_a_chapter_runs_once_and_its_other_figures_stay(monkeypatch, tmp_path):
    kept = {"minutes": 3.0, "peak_mb": 900, "claims": {}, "leaderboard": [row(0.5)]}
    (tmp_path / "measured.json").write_text(json.dumps({"01_spam": kept}))
    for module in (measure, measured):
        monkeypatch.setattr(module, "record_file", lambda: tmp_path / "measured.json")
    monkeypatch.setattr(measure, "CLAIMS", tmp_path / "claims.md")
    monkeypatch.setattr(measure, "REFERENCE", tmp_path / "reference.json")
    monkeypatch.setattr(measure, "release_readme", lambda: True)
    ran = []
    found = kept | {"minutes": 0.5, "peak_mb": 2000, "leaderboard": []}
    monkeypatch.setattr(measure, "run_chapter", lambda chapter: ran.append(chapter) or found)
    monkeypatch.setattr(measure, "best_device", lambda: "cuda")
    measure.record(["01_spam"])
    on_gpu = {"minutes": 0.5, "peak_mb": 2000}
    assert ran == ["01_spam"] and measured.measured() == {"01_spam": kept | {"gpu": on_gpu}}
    monkeypatch.setattr(measure, "best_device", lambda: "cpu")
    monkeypatch.setattr(measure, "run_seeds", lambda chapter, seeds: kept | {"minutes": 2.5})
    measure.record(["01_spam"])
    assert measured.measured() == {"01_spam": kept | {"minutes": 2.5, "gpu": on_gpu}}


def test_the_page_of_claims_is_made_from_the_record():
    assert measure.CLAIMS.read_text(encoding="utf-8").strip() == measure.claims_table()


def test_every_claim_holds_for_every_seed_it_was_measured_for():
    for chapter, found in measure.measured().items():
        for what, kept in found.get("claims", {}).items():
            lost = [seed for seed, (a, b) in enumerate(zip(kept["better"], kept["worse"], strict=True)) if a <= b]
            assert lost == [], f"{chapter}: {what}: seeds {lost}"
