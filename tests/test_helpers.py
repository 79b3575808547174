"""What notebooks import besides checks and data: seeds, budget, training, the leaderboard, calm messages."""

import json
import random

import numpy as np
import pytest
import torch
from IPython.core.interactiveshell import InteractiveShell

from helpers import device, leaderboard, notebook
from helpers.errors import CourseError
from helpers.training import fit


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("BOW2LORA_HOME", str(tmp_path))
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    monkeypatch.delenv("BOW2LORA_GRADING", raising=False)
    return tmp_path


def line(seed=0, n=64):
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(n, 3, generator=generator)
    return [(x, x @ torch.tensor([[1.0], [-2.0], [0.5]]) + 0.3)]


def trained(steps=200):
    device.seed_everything(1)
    model = torch.nn.Linear(3, 1)
    return model, fit(model, line(), torch.nn.functional.mse_loss, steps=steps, lr=0.1)


def test_fit_finds_a_line():
    model, history = trained()
    assert torch.allclose(model.weight, torch.tensor([[1.0, -2.0, 0.5]]), atol=0.02)
    assert history.losses[-1] < 1e-3 < history.losses[0]
    assert len(history.losses) == 200
    assert "200 steps" in repr(history)


def test_fit_is_repeatable_to_the_bit():
    assert trained(20)[1].losses == trained(20)[1].losses


def test_fit_goes_round_its_batches():
    seen = []

    def loss(outputs, targets):
        seen.append(len(targets))
        return ((outputs - targets) ** 2).mean()

    fit(torch.nn.Linear(3, 1), line(n=8) + line(n=4), loss, steps=5)
    assert seen == [8, 4, 8, 4, 8]


def test_a_loss_that_is_not_finite_stops_with_the_step():
    losses = iter([1.0, 0.5, float("nan")])

    def loss(outputs, targets):
        return outputs.sum() * 0 + next(losses)

    with pytest.raises(CourseError, match=r"nan at step 2 \(last finite one: 0.5000\)"):
        fit(torch.nn.Linear(3, 1), line(), loss, steps=5)


def test_seed_everything_seeds_all_three():
    def draw():
        generator = device.seed_everything(7)
        return random.random(), np.random.rand(), torch.rand(1).item(), torch.rand(1, generator=generator).item()

    assert draw() == draw()


def test_budget_is_small_while_grading(monkeypatch):
    for name in ("NBGRADER_EXECUTION", "BOW2LORA_GRADING", "BOW2LORA_BUDGET"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("BOW2LORA_DEVICE", "cpu")
    assert device.budget(grade=1, cpu=2, gpu=3) == 2
    monkeypatch.setenv("BOW2LORA_DEVICE", "cuda")
    assert device.budget(grade=1, cpu=2, gpu=3) == 3
    assert device.budget(grade=1, cpu=2) == 2
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert device.budget(grade=1, cpu=2, gpu=3) == 1


def test_leaderboard_keeps_one_row_for_each_model(home):
    for f1 in (0.5, 0.75):
        with leaderboard.measured("01", "rules", "inbox") as row:
            row.f1 = f1
    with leaderboard.measured("02", "vectors", "inbox") as row:
        row.f1, row.parameters = 0.625, 1234
    assert [(r.model, r.f1) for r in leaderboard.rows()] == [("vectors", 0.625), ("rules", 0.75)]
    assert "1,234" in leaderboard.table("inbox")
    assert "rules" not in leaderboard.table("sms")
    assert leaderboard.rows()[0].peak_mb > 10


def test_a_damaged_leaderboard_is_begun_anew(home):
    (home / "leaderboard.json").write_text("{broken", encoding="utf-8")
    assert leaderboard.rows() == []
    with leaderboard.measured("01", "rules", "inbox") as row:
        row.f1 = 0.5
    assert len(json.loads((home / "leaderboard.json").read_text(encoding="utf-8"))) == 1


def test_rows_of_another_version_and_numpy_numbers_are_kept(home):
    rows = [{"chapter": "01", "model": "rules", "data": "inbox", "f1": None, "colour": "red"}, 3]
    (home / "leaderboard.json").write_text(json.dumps(rows), encoding="utf-8")
    with leaderboard.measured("02", "vectors", "inbox") as row:
        row.f1, row.parameters = np.float32(0.5), np.int64(7)
    assert [r.model for r in leaderboard.rows()] == ["rules", "vectors"]


def test_a_home_that_cannot_be_written_costs_a_line_and_not_the_run(tmp_path, monkeypatch, capsys):
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("BOW2LORA_HOME", str(tmp_path / "file"))
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    with leaderboard.measured("01", "rules", "inbox") as row:
        row.f1 = 0.5
    assert len(capsys.readouterr().out.splitlines()) == 1


@pytest.mark.parametrize(("steps", "batches"), [(0, line()), (3, [])])
def test_nothing_to_train_on_is_told(steps, batches):
    with pytest.raises(CourseError, match="at least one step and one batch"):
        fit(torch.nn.Linear(3, 1), batches, torch.nn.functional.mse_loss, steps=steps)


def test_grading_leaves_the_leaderboard_alone(home, monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    with leaderboard.measured("01", "rules", "inbox") as row:
        row.f1 = 0.5
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
