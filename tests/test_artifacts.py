"""helpers.course.artifacts: what chapters hand on, saved whole, loaded without unpickling."""

import runpy

import pytest
import torch

from helpers import data
from helpers.course import artifacts
from helpers.course.artifacts import Artifact
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
    folders = [p for p in folders if p.name != "minilm"]  # somebody else's, which helpers.pretrained loads
    assert {"docs-tokenizer", "docs-vectors"} <= {p.name for p in folders} <= set(artifacts.NAMES)
    files = [p for folder in folders for p in folder.iterdir()]
    assert sum(p.stat().st_size for p in files) < 30 * MEGABYTE
    assert {p.suffix for p in files} <= {".safetensors", ".json", ".md"}, "nothing that could be a pickle"
    for folder in folders:
        card = artifacts.load(folder.name, own=False).card
        for part in ("**What.**", "**How trained.**", "**On what.**", "**Scores.**"):
            assert part in card, folder


# ------------------------------------------------------------------------------------- the tokenizer
SCRIPTS = [
    "Latin with marks: n\u0303 ñ ﬁ ẞ",
    "Ελληνικά, русский",
    "עברית العربية \u200fاردو",
    "हिन्दी ગુજરાતી தமிழ் తెలుగు",
    "中文 日本語のかな 한국어 ไทย",
    "\U0001f469\u200d\U0001f680 \U00010348 \x00 \x7f \u2028 \ufeff \U0010ffff",
    "  def f(x):\r\n\t\treturn x   \n\n\n",
    "",
]


@pytest.mark.parametrize("text", SCRIPTS)
def test_the_tokenizer_loses_nothing(text):
    tokenizer = artifacts.load_tokenizer(own=False)
    assert tokenizer.decode(tokenizer.encode(text).ids) == text


def test_the_tokenizer_has_its_special_tokens_first_and_a_text_cannot_forge_them():
    tokenizer = artifacts.load_tokenizer(own=False)
    assert [tokenizer.token_to_id(token) for token in artifacts.SPECIAL_TOKENS] == list(range(9))
    for token in artifacts.SPECIAL_TOKENS:
        ids = tokenizer.encode(f"a {token} b").ids
        assert min(ids) >= 9 and tokenizer.decode(ids) == f"a {token} b", token
    assert tokenizer.decode([0]) == "" and tokenizer.decode([0], skip_special_tokens=False) == "<|endoftext|>"


def test_the_tokenizer_is_as_short_as_its_card_states():
    """On texts that do not change with a version: the card's figures hold for the docs, these are near."""
    tokenizer = artifacts.load_tokenizer(own=False)
    assert tokenizer.get_vocab_size() == 8192
    text = "Returns a new tensor with the same data as the input tensor but of a different shape."
    assert len(tokenizer.encode(text).ids) <= len(text.split()) + 2, "the docs' common words are one token each"


def test_the_same_docs_give_the_same_tokenizer():
    """Trains it anew, which takes seconds."""
    found = artifacts.load("docs-tokenizer", own=False)
    texts = [document.text for document in data.load("docs").split("train")]
    size = f"{len(texts):,} documents, {sum(len(text.encode()) for text in texts):,} bytes"
    assert size in " ".join(found.card.split())
    program = runpy.run_path(str(datasets_folder() / "reference" / "tokenizer.py"))
    assert program["train"](texts).to_str() + "\n" == found.tokenizer


def test_inbox_bert_is_made_by_the_recipe_of_chapter_05(home, capsys):
    main = runpy.run_path(str(datasets_folder() / "reference" / "bert.py"))["main"]
    main(2)
    weights = artifacts.load("inbox-bert", own=False).weights
    made = capsys.readouterr().out
    assert f"{sum(w.numel() for w in weights.values()):,} weights" in made and "in 2 steps" in made
