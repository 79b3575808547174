"""Every chapter with every set of other right answers, top to bottom; one row a set, merged into the results.

python -m pytest tests/world/test_right_answers.py -k 05_transformers      # one chapter
BOW2LORA_WORLD=missing python -m pytest tests/world/test_right_answers.py  # what the results lack or call wrong
"""

import os

import pytest

from autograder import paths
from world import right_answers

MISSING_ALONE = os.environ.get("BOW2LORA_WORLD") == "missing"
OWN = [(chapter, right_answers.MODEL) for chapter in paths.chapters()]


@pytest.mark.parametrize(("chapter", "number"), OWN + right_answers.rows())
def test_a_chapter_goes_on_after_any_right_answers(chapter, number, tmp_path, monkeypatch):
    row = right_answers.results().get(chapter, {}).get(str(number))
    if MISSING_ALONE and (row == {**(row or {}), "wrong": {}} or number == right_answers.MODEL):
        pytest.skip("this row is there")
    monkeypatch.setenv("BOW2LORA_HOME", str(tmp_path))
    found = right_answers.run(chapter, number)
    right_answers.keep(chapter, number, found)
    assert found["wrong"] == {}


def test_the_results_have_all_sets():
    written = [(chapter, int(number)) for chapter, sets in right_answers.results().items() for number in sets]
    assert written == right_answers.rows()


def test_which_sets_take_more_than_twice_the_time_is_said(capsys):
    with capsys.disabled():
        print("", *right_answers.slow(), sep="\n")
