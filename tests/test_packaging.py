"""The environment: one set of names and pins, in every place that states them."""

import re
import subprocess
import sys
import tomllib

import yaml

from autograder.paths import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def pins(requirements):
    """Return {name: version} of `name==version` lines, names in lower case with hyphens."""
    found = (re.fullmatch(r"([A-Za-z0-9_.-]+)==([^ ;]+)", r.strip()) for r in requirements)
    return {re.sub(r"[-_.]+", "-", m[1]).lower(): m[2] for m in found if m}


def test_every_dependency_is_pinned():
    extras = PROJECT["optional-dependencies"].values()
    everything = [*PROJECT["dependencies"], *(r for e in extras for r in e if not r.startswith("bow2lora"))]
    assert len(pins(everything)) == len(everything)
    assert pins(everything)["torch"] == "2.13.0"


def test_conda_environment_has_the_same_names_and_pins():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    listed = next(d["pip"] for d in environment["dependencies"] if isinstance(d, dict))
    extras = [r for e in PROJECT["optional-dependencies"].values() for r in e]
    assert pins(listed) == pins(PROJECT["dependencies"] + extras)


def test_lock_holds_every_pin_and_is_what_is_installed():
    lock = pins((ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines())
    extras = [r for e in PROJECT["optional-dependencies"].values() for r in e]
    direct = pins(PROJECT["dependencies"] + extras)
    assert {name: lock.get(name) for name in direct} == direct
    frozen = subprocess.run(
        [sys.executable, "-m", "pip", "freeze", "--exclude-editable"], capture_output=True, text=True, check=True
    ).stdout
    installed = {k: v.split("+")[0] for k, v in pins(frozen.splitlines()).items()}
    strangers = {k: (v, installed[k]) for k, v in lock.items() if k in installed and installed[k] != v}
    assert not strangers


def test_helpers_never_import_autograder():
    for path in (ROOT / "helpers").rglob("*.py"):
        assert "autograder" not in re.sub(r'""".*?"""', "", path.read_text(encoding="utf-8"), flags=re.DOTALL), path


def test_make_help_names_every_target_in_one_line():
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.search(r"\.PHONY: (.*)", text)[1].split()) - {"lock", "clean", "help"}
    described = set(re.findall(r"^([a-z]+):.*##", text, re.MULTILINE))
    assert targets <= described


def test_readme_names_the_commands_that_exist():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    described = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = set(re.findall(r"`?make ([a-z]+)", readme))
    assert {"demo", "test"} <= named <= described


def test_readme_table_is_made_from_what_was_measured():
    from autograder.authoring.measure import BEGIN, END, table

    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert readme.partition(BEGIN)[2].partition(END)[0].strip() == table()


def test_readme_example_is_what_a_student_reads(capsys, monkeypatch):
    import math
    from collections import Counter

    import nbformat
    import numpy as np

    from autograder.paths import release_notebook
    from helpers.checks import cell

    def term_frequency(tokens, vocabulary, kind="raw"):
        found = Counter(tokens)
        counts = np.array([found[word] for word in vocabulary], dtype=float)
        others = max(len(found) - 1, 1)
        table = {"binary": np.sign(counts), "relative": counts / len(tokens), "scaled": counts / others}
        return table.get(kind, np.log(1 + counts) if kind == "log" else counts)

    monkeypatch.setattr(cell, "chapter", "01_spam")
    cells = nbformat.read(release_notebook("01_spam"), as_version=4).cells
    exec(next(c.source for c in cells if c.id == "check-tf"), {"term_frequency": term_frequency, "math": math})
    printed = "".join(f"    {line}\n" for line in capsys.readouterr().out.rstrip().splitlines())
    assert printed in (ROOT / "README.md").read_text(encoding="utf-8")
