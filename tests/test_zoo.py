"""The configurations of chapter 11: their counts are those that the makers of the models state."""

import json

import pytest

from autograder import paths
from autograder.authoring.source import read
from helpers.chapters.beyond import zoo

STATED = {  # billions of parameters, as cards and reports round them
    "Qwen3 0.6B (2025)": 0.6,
    "gpt-oss 20B (2025)": 20.9,
    "Mixtral 8x7B (2024)": 46.7,
    "Qwen3-Next 80B (2025)": 80,
    "DeepSeek-V3 (2024)": 671,
}
AT_WORK = {"Mixtral 8x7B (2024)": 12.9}  # counted as we count; gpt-oss leaves out what is below
GPT_OSS, EMBEDDING, STATED_AT_WORK = "gpt-oss 20B (2025)", 201088 * 2880, 3.6


@pytest.fixture(scope="module")
def count():
    names: dict = {}
    cell = next(c for c in read(paths.source_text("11_beyond")) if c.kind == "exercise" and c.name == "zoo")
    exec(cell.source, names)
    return names["model_parameters"]


def digits(number: float) -> int:
    """Return how many digits behind the point a stated number has."""
    return len(str(number).partition(".")[2])


@pytest.mark.parametrize("name", STATED)
def test_counts_are_those_that_are_stated(count, name):
    total, _ = zoo.counted(count, zoo.MODELS[name])
    assert round(total / 1e9, digits(STATED[name])) == STATED[name]


def test_numbers_at_work(count):
    for name, stated in AT_WORK.items():
        assert round(zoo.counted(count, zoo.MODELS[name])[1] / 1e9, 1) == stated
    _, active = zoo.counted(count, zoo.MODELS[GPT_OSS])
    assert round((active - EMBEDDING) / 1e9, 1) == STATED_AT_WORK
    _, active = zoo.counted(count, zoo.MODELS["DeepSeek-V3 (2024)"])
    assert 37e9 < active < 37.6e9
    _, active = zoo.counted(count, zoo.MODELS["Qwen3-Next 80B (2025)"])
    assert 3e9 < active - 151936 * 2048 < 3.6e9  # "3B", without one table of tokens


def test_every_configuration_has_every_key():
    keys = set(zoo.MODELS["GPT-1 (2018)"])
    for model in zoo.MODELS.values():
        for kind in model if isinstance(model, list) else [model]:
            assert set(kind) == keys


def test_the_table_is_the_one_that_the_chapter_prints(count):
    expected = json.loads((paths.ROOT / "tests/expected/11_beyond.json").read_text(encoding="utf-8"))
    assert expected == [zoo.table(count) + "\n"]
