"""helpers.artifacts: what chapters hand on, saved whole, loaded without unpickling."""

import pytest
import torch

from helpers import artifacts
from helpers.artifacts import Artifact
from helpers.data.registry import datasets_folder
from helpers.errors import CourseError

MEGABYTE = 1e6


@pytest.fixture
def home(tmp_path, monkeypatch):
    for name in ("NBGRADER_EXECUTION", "BOW2LORA_GRADING"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("BOW2LORA_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def example(value=1.5, name="docs-vectors"):
    return Artifact(name, {"words": torch.full((2, 3), value)}, {"vocabulary": ["a", "é"]}, "", "# Mine")


def test_what_is_saved_is_loaded(home):
    artifacts.save(example())
    found = artifacts.load("docs-vectors")
    assert found.own and found.config == {"vocabulary": ["a", "é"]} and found.card == "# Mine\n"
    assert found.weights["words"].dtype == torch.float32
    assert torch.equal(found.weights["words"], torch.full((2, 3), 1.5))
    assert repr(found) == "docs-vectors (your own, 6 weights)\n\n# Mine"


def test_saving_again_replaces_all_of_it(home):
    artifacts.save(Artifact("docs-vectors", {}, {}, '{"model": 1}', "# First"))
    artifacts.save(example())
    found = artifacts.load("docs-vectors", own=True)
    assert found.tokenizer == "" and found.card == "# Mine\n"
    assert [p.name for p in (home / "artifacts").iterdir()] == ["docs-vectors"]


def test_a_failed_save_leaves_the_old_one(home):
    artifacts.save(example())
    with pytest.raises(CourseError, match="words is not finite in float16"):
        artifacts.save(example(value=1e6))
    assert artifacts.load("docs-vectors", own=True).weights["words"][0, 0] == 1.5


def test_a_home_that_cannot_be_written_is_told(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("BOW2LORA_HOME", str(tmp_path / "file"))
    with pytest.raises(CourseError, match=r"cannot be written \(.*\); set BOW2LORA_HOME"):
        artifacts.save(example())


def test_grading_takes_the_reference(home, monkeypatch):
    artifacts.save(example())
    monkeypatch.setenv("BOW2LORA_GRADING", "1")
    assert not artifacts.load("docs-vectors").own


@pytest.mark.parametrize("damage", [b"", b"garbage", b"\x80\x04cposix\nsystem\n."])
def test_a_damaged_one_of_ones_own_gives_way_to_the_reference(home, capsys, damage):
    folder = artifacts.save(example())
    (folder / "weights.safetensors").write_bytes(damage)
    assert not artifacts.load("docs-vectors").own
    assert "is damaged" in capsys.readouterr().out
    with pytest.raises(CourseError, match=r"is damaged .* delete the folder"):
        artifacts.load("docs-vectors", own=True)


def test_unknown_and_missing_ones_are_told(home):
    with pytest.raises(CourseError, match=r'no artifact "docs-gtp"; there are: docs-tokenizer, '):
        artifacts.load("docs-gtp")
    with pytest.raises(CourseError, match=r"There is no artifact docs-vectors in .*; run the chapter that saves it"):
        artifacts.load("docs-vectors", own=True)


def test_the_references_are_small_and_have_cards():
    folders = [p for p in (datasets_folder() / "artifacts").iterdir() if p.is_dir()]
    assert {"docs-tokenizer", "docs-vectors"} <= {p.name for p in folders} <= set(artifacts.NAMES)
    files = [p for folder in folders for p in folder.iterdir()]
    assert sum(p.stat().st_size for p in files) < 30 * MEGABYTE
    assert {p.suffix for p in files} <= {".safetensors", ".json", ".md"}, "nothing that could be a pickle"
    for folder in folders:
        card = artifacts.load(folder.name, own=False).card
        for part in ("**What.**", "**How trained.**", "**On what.**", "**Scores.**"):
            assert part in card, folder
