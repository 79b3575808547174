"""What notebooks import besides checks and data: seeds, training, the leaderboard, calm messages."""

import json
import random
import warnings

import numpy as np
import pytest
import torch
from IPython.core.interactiveshell import InteractiveShell

from helpers import device
from helpers.course import leaderboard, notebook
from helpers.errors import CourseError


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("BOW2LORA_HOME", str(tmp_path))
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    monkeypatch.delenv("BOW2LORA_GRADING", raising=False)
    return tmp_path


def test_seed_everything_seeds_all_three():
    def draw():
        generator = device.seed_everything(7)
        return random.random(), np.random.rand(), torch.rand(1).item(), torch.rand(1, generator=generator).item()

    assert draw() == draw()


def card(monkeypatch, name, capability, built):
    """Pretend a card, and what torch was built for."""
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda: name)
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda: capability)
    monkeypatch.setattr(torch.cuda, "get_arch_list", lambda: built)


@pytest.mark.parametrize(
    ("asked", "there", "chosen"),
    [
        ("", {"cuda", "mps"}, "cuda (Some Card)"),
        ("", {"mps"}, "cpu (BOW2LORA_DEVICE=mps would choose the Apple GPU)"),
        ("", set(), "cpu (no CUDA device was found)"),
        ("mps", {"cuda", "mps"}, "mps (BOW2LORA_DEVICE asks for it)"),
        ("CPU", {"cuda"}, "cpu (BOW2LORA_DEVICE asks for it)"),
    ],
)
def test_the_device_is_chosen_and_the_reason_is_told(monkeypatch, asked, there, chosen):
    monkeypatch.setenv("BOW2LORA_DEVICE", asked)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: "cuda" in there)
    card(monkeypatch, "Some Card", (8, 0), ["sm_80"])
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: "mps" in there)
    assert device.describe_device() == chosen
    assert device.best_device() == chosen.split()[0]


@pytest.mark.parametrize(
    ("asked", "says"), [("tpu", "'tpu'; it can be cuda, mps, cpu"), ("cuda", "asks for cuda, but no CUDA")]
)
def test_a_device_that_cannot_be_had_is_told(monkeypatch, asked, says):
    monkeypatch.setenv("BOW2LORA_DEVICE", asked)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(CourseError, match=says):
        device.best_device()


NEWEST = ["sm_75", "sm_80", "sm_86", "sm_90a", "sm_100", "sm_120", "compute_120"]
NO_KERNELS = "this build of PyTorch has no kernels for Some Card, compute capability "


@pytest.mark.parametrize(
    ("capability", "built", "chosen"),
    [
        ((7, 5), NEWEST, "cuda (Some Card)"),
        ((8, 9), NEWEST, "cuda (Some Card)"),
        ((12, 1), NEWEST, "cuda (Some Card)"),
        ((13, 0), NEWEST, "cuda (Some Card)"),
        ((13, 0), NEWEST[:-1], f"cpu ({NO_KERNELS}13.0)"),
        ((6, 0), NEWEST, f"cpu ({NO_KERNELS}6.0)"),
        ((7, 0), NEWEST, f"cpu ({NO_KERNELS}7.0)"),
        ((9, 4), ["gfx942"], "cuda (Some Card)"),
    ],
)
def test_a_card_without_kernels_is_refused_in_a_line(monkeypatch, capability, built, chosen):
    monkeypatch.delenv("BOW2LORA_DEVICE", raising=False)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    card(monkeypatch, "Some Card", capability, built)
    assert device.describe_device() == chosen
    if chosen.startswith("cpu"):
        monkeypatch.setenv("BOW2LORA_DEVICE", "cuda")
        with pytest.raises(CourseError, match=f"asks for cuda, but {NO_KERNELS}.*Unset it, or choose cpu"):
            device.best_device()


def test_what_torch_says_of_a_driver_is_told_though_warnings_are_silent(monkeypatch):
    words = "CUDA initialization: The NVIDIA driver on your system is too old (found version 11040). Please update it."

    def warns():
        warnings.warn(words, stacklevel=1)
        return False

    monkeypatch.delenv("BOW2LORA_DEVICE", raising=False)
    monkeypatch.setattr(torch.cuda, "is_available", warns)
    device._warning_of_cuda.cache_clear()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore")
        told = device.describe_device()
    device._warning_of_cuda.cache_clear()
    assert told == "cpu (The NVIDIA driver on your system is too old (found version 11040))"


def test_leaderboard_keeps_one_row_for_each_model(home):
    for f1 in (0.5, 0.75):
        with leaderboard.measured("01", "rules", "inbox") as row:
            row.score = f1
    with leaderboard.measured("02", "vectors", "inbox") as row:
        row.score, row.parameters = 0.625, 1234
    assert [(r.model, r.score) for r in leaderboard.rows()] == [("vectors", 0.625), ("rules", 0.75)]
    assert "1,234" in leaderboard.table("inbox")
    assert "rules" not in leaderboard.table("sms")
    assert leaderboard.rows()[0].peak_mb > 10


def test_a_long_name_does_not_run_into_the_next_column(home):
    with leaderboard.measured("06", "n" * 42, "of_the_test") as row:
        row.score = 0.5
    head, line = leaderboard.table("of_the_test").splitlines()
    assert head.index("chapter") == line.index("06") == 46


def test_a_damaged_leaderboard_is_begun_anew(home):
    (home / "leaderboard.json").write_text("{broken", encoding="utf-8")
    assert leaderboard.rows() == []
    with leaderboard.measured("01", "rules", "inbox") as row:
        row.score = 0.5
    assert len(json.loads((home / "leaderboard.json").read_text(encoding="utf-8"))) == 1


def test_rows_of_another_version_and_numpy_numbers_are_kept(home):
    rows = [{"chapter": "01", "model": "rules", "data": "inbox", "f1": None, "colour": "red"}, 3]
    (home / "leaderboard.json").write_text(json.dumps(rows), encoding="utf-8")
    with leaderboard.measured("02", "vectors", "inbox") as row:
        row.score, row.parameters = np.float32(0.5), np.int64(7)
    assert [r.model for r in leaderboard.rows()] == ["rules", "vectors"]


def test_a_home_that_cannot_be_written_costs_a_line_and_not_the_run(tmp_path, monkeypatch, capsys):
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("BOW2LORA_HOME", str(tmp_path / "file"))
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    with leaderboard.measured("01", "rules", "inbox") as row:
        row.score = 0.5
    assert len(capsys.readouterr().out.splitlines()) == 1


def test_grading_leaves_the_leaderboard_alone(home, monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    with leaderboard.measured("01", "rules", "inbox") as row:
        row.score = 0.5
    assert list(home.iterdir()) == []


def test_an_unwritten_stub_and_a_missing_name_are_one_calm_line(capsys, monkeypatch):
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance()
    shell.history_manager.enabled = False
    monkeypatch.setattr(notebook, "_shell", lambda: shell)
    notebook.prepare()
    capsys.readouterr()
    shell.run_cell("def half(x):\n    raise NotImplementedError()\n")
    for source, words in [("half(3)", "`half`"), ("print(not_there)", "not_there")]:
        result = shell.run_cell(source)
        printed = capsys.readouterr()
        assert not result.success
        assert words in printed.out
        assert len(printed.out.strip().splitlines()) == 1
        assert "Traceback" not in printed.out + printed.err
    shell.run_cell("from helpers import plots\nfig, ax = plots.figure()\nprint(not_there)")
    assert capsys.readouterr().out.count("\n") == 1
    assert shell.user_ns["plots"].style.plt.get_fignums() == []  # no empty axes below the line


def test_a_cell_that_waits_names_the_exercise_also_where_a_cell_above_stopped_for_it(capsys, monkeypatch):
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance()
    shell.history_manager.enabled = False
    monkeypatch.setattr(notebook, "_shell", lambda: shell)
    notebook.prepare("01_spam")
    shell.run_cell("def term_frequency(*_):\n    raise NotImplementedError()\n", store_history=True)
    shell.run_cell("class Bag:\n    def forward(self):\n        raise NotImplementedError()\n", store_history=True)
    capsys.readouterr()
    said = []
    for source in (
        "counts = [term_frequency(x) for x in 'ab']",
        "mean = sum(counts) / 2",
        "print(mean)",
        "Bag().forward()",
        "print(not_there)",
        "def f():\n    print(counts)\n    counts = 1\nf()",
    ):
        shell.run_cell(source, store_history=True)
        said.append(capsys.readouterr().out)
    assert (
        said[0].rstrip()
        == "Not yet: this cell uses `term_frequency`, which is not written yet. Do the exercise `tf` first."
    )
    assert said[1] == "Not yet: `counts` is made by a cell above that waits for the exercise `tf`. Do it first.\n"
    assert said[2] == "Not yet: `mean` is made by a cell above that waits for the exercise `tf`. Do it first.\n"
    assert "uses `Bag`" in said[3] and "Do that exercise first" in said[3]
    assert "Run the cells above first" in said[4] and "Run the cells above first" in said[5]
    shell.run_cell("def term_frequency(*_):\n    return 1\n", store_history=True)
    shell.run_cell("counts = [term_frequency(x) for x in 'ab']\nprint(counts)", store_history=True)
    assert capsys.readouterr().out == "[1, 1]\n"
    notebook.prepare("01_spam")
    capsys.readouterr()
    shell.run_cell("del counts\nprint(counts)", store_history=True)
    assert "waits for" not in capsys.readouterr().out


def test_a_course_error_is_one_line_in_a_notebook():
    assert CourseError("what is wrong")._render_traceback_() == ["CourseError: what is wrong"]


def test_a_file_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    from pathlib import Path

    from helpers.files import write_whole

    path = tmp_path / "deep" / "file.txt"
    write_whole(path, b"old")

    def full(self, content):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space"):
        write_whole(path, b"new")
    assert path.read_text() == "old"
    assert [p.name for p in path.parent.iterdir()] == ["file.txt"]
