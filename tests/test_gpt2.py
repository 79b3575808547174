"""GPT-2 in chapter 05's GPT, tried on a tiny random one of transformers: helpers.chapters.transformers.gpt2."""

import pytest
import torch

from autograder import paths
from autograder.authoring.source import definitions, read
from helpers.chapters.transformers import gpt2


@pytest.fixture(scope="module")
def chapter():
    return definitions(paths.source_text("05_transformers"))


@pytest.fixture(scope="module")
def names():
    """The map of names that the chapter shows."""
    (cell,) = (c for c in read(paths.source_text("05_transformers")) if "NAMES = {" in c.source)
    found = {}
    exec(cell.source[cell.source.index("NAMES = {") : cell.source.index("}") + 1], found)
    return found["NAMES"]


def test_the_students_gpt_has_the_logits_of_transformers(chapter, names):
    model = gpt2.untrained()
    gpt = gpt2.in_kind(chapter["GPT"], model, names)
    ids = torch.randint(60, (3, 16), generator=torch.Generator().manual_seed(0))
    exact, tanh = gpt2.apart(gpt, model, ids)
    assert exact < 1e-4 < tanh < 0.1


def test_a_map_with_two_names_exchanged_is_noticed(chapter, names):
    model, ids = gpt2.untrained(), torch.arange(10)[None]
    wrong = names | {".ln_1": ".norm2", ".ln_2": ".norm1"}
    assert gpt2.apart(gpt2.in_kind(chapter["GPT"], model, wrong), model, ids)[0] > 1e-2


def test_a_name_that_is_missing_is_an_error(chapter, names):
    with pytest.raises(RuntimeError, match="c_fc"):
        gpt2.in_kind(chapter["GPT"], gpt2.untrained(), {k: v for k, v in names.items() if "c_fc" not in k})


def test_what_is_printed_without_a_download(chapter, names):
    first, second = gpt2.told(chapter["GPT"], names, chapter["generate"], download=False).splitlines()
    assert first.endswith("drawn at random") and second.startswith("largest difference of the logits ")
