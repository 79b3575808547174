"""Variants as edits: what they change, and what they refuse."""

import pytest

from autograder import paths
from autograder.authoring import variants as module
from autograder.authoring.edits import edited, is_edit
from autograder.authoring.source import SourceError
from autograder.authoring.variants import variants

BASE = """import math


def half(x):
    y = x / 2
    return y


def root(x):
    return math.sqrt(x)
"""
MAX_LINES = 4.5  # lines of an answer, its mark among them, on average


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        ("#~ x / 2 => x / 3", "    y = x / 3\n    return y"),
        ("#-     return y\n#+     y += 1\n#+     return y", "    y = x / 2\n    y += 1\n    return y"),
        ("#-     y = x / 2\n#~ return y => return x", "    return x"),
    ],
)
def test_an_edit_holds_what_it_touches_and_the_imports(edit, expected):
    assert is_edit(edit)
    assert edited(BASE, edit) == f"import math\n\n\ndef half(x):\n{expected}"


@pytest.mark.parametrize("edit", ["#~ x => z", "#~ nothing => z", "#- return y\n#+ return x"])
def test_an_old_piece_must_be_there_exactly_once(edit):
    with pytest.raises(ValueError, match="not there exactly once"):
        edited(BASE, edit)


def test_code_is_no_edit():
    assert not is_edit("#~ a => b\nx = 1")


def test_an_edit_of_what_is_not_there_is_one_line(tmp_path, monkeypatch):
    (tmp_path / "01_spam").mkdir()
    (tmp_path / "01_spam" / "tf.py").write_text('# %% wrong="a" says="b" of="c"\n#~ d => e\n', encoding="utf-8")
    monkeypatch.setattr(module.paths, "VARIANTS", tmp_path)
    with pytest.raises(SourceError, match="an edit of 'c', which is not there"):
        variants("01_spam")


def test_variants_say_only_what_differs():
    lines = [line for path in paths.VARIANTS.rglob("*.py") for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(lines) <= MAX_LINES * sum(line.startswith("# %%") for line in lines)
