"""What pip leaves where it exchanges packages under a running kernel is said, or mended."""

import os
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from autograder import paths
from helpers import installed


def package(folder, name, version, demands=(), source=""):
    """Make a package in a folder as pip leaves it."""
    (folder / name).mkdir()
    (folder / name / "__init__.py").write_text(source, encoding="utf-8")
    info = folder / f"{name}-{version}.dist-info"
    info.mkdir()
    lines = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}", *(f"Requires-Dist: {d}" for d in demands)]
    (info / "METADATA").write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.fixture
def site(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


@pytest.fixture
def uninstalled(monkeypatch):
    asked = []
    monkeypatch.setattr(subprocess, "run", lambda words, **_: asked.append(words[-1]))
    return asked


def test_a_companion_of_another_torch_is_taken_out(site, uninstalled, capsys):
    package(site, "torchvision", "0.22.0", ["numpy", "torch==2.7.1", "scipy ; extra == 'scipy'"])
    package(site, "torchaudio", "2.7.1", ["torch (==2.7.1)"])
    installed.settle()
    assert uninstalled == ["torchvision", "torchaudio"]
    assert "torchvision was built for torch 2.7.1 and is taken out" in capsys.readouterr().out


def test_a_companion_of_this_torch_stays(site, uninstalled, capsys):
    package(site, "torchvision", "0.99.0", [f"torch=={installed._public(installed._version('torch'))}"])
    package(site, "torchaudio", "2.99.0")
    installed.settle()
    assert uninstalled == [] and capsys.readouterr().out == ""


def test_a_version_that_a_package_writes_with_a_v_is_the_same(monkeypatch, uninstalled, capsys):
    """As pooch does."""
    monkeypatch.setitem(sys.modules, "numpy", SimpleNamespace(__version__=f"v{np.__version__}"))
    installed.settle()
    assert "numpy" not in capsys.readouterr().out


def test_packages_loaded_in_another_version_ask_for_a_restart(monkeypatch, uninstalled, capsys):
    monkeypatch.setitem(sys.modules, "numpy", SimpleNamespace(__version__="2.0.2"))
    monkeypatch.setitem(sys.modules, "sklearn", SimpleNamespace(__version__="1.2.0"))
    installed.settle()
    told = capsys.readouterr().out
    assert told.startswith("Restart the kernel, then run this cell again.")
    assert f"numpy 2.0.2 (installed: {np.__version__})" in told and "scikit-learn 1.2.0" in told


def test_a_model_that_torchvision_keeps_from_loading_names_it(tmp_path):
    """As in Colab, where the course brings another torch than that of the torchvision there."""
    broken = "raise RuntimeError('operator torchvision::nms does not exist')"
    package(tmp_path, "torchvision", "0.22.0", ["torch==2.7.1"], broken)
    env = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(paths.ROOT)])}
    code = "from helpers import pretrained; pretrained.load('minilm')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env)
    assert "torchvision does not fit this torch (operator torchvision::nms does not exist)" in done.stderr
    assert "pip uninstall torchvision" in done.stderr
