"""Turn attacks into the submissions of a course: each attack, the honest twins, and bystanders who lose nothing."""

import json
import os
from collections.abc import Iterable
from pathlib import Path

from autograder.grading import sample_class
from autograder.grading.sample_class import CHAPTER, Material

from .attack import Attack, Setting, preamble

BYSTANDERS = ("zz-honest",)  # graded last
EXERCISES = ("rules", "judge")  # what bystanders answered, rightly: 12 points


def answers(material: Material, kind: str) -> dict[str, str]:
    """Return the answers of an honest student: none, some, all with mistakes, or all right."""
    right = material.solutions
    half = dict(list(right.items())[: len(right) // 2])
    return {"none": {}, "half": half, "mistakes": right | sample_class.MISTAKES, "right": right,
            "first two": {name: right[name] for name in EXERCISES}}[kind]  # fmt: skip


def twin(attack: Attack) -> str:
    """Return the name of the honest twin; attacks with the same answers share it."""
    return f"twin-{attack.answers}"


def notebook(material: Material, attack: Attack, setting: Setting) -> dict:
    """Return the attacking notebook: the twin's, with the attack's code after the answers."""
    nb = json.loads(json.dumps(material.notebook(answers(material, attack.answers))))
    cells = {cell["id"]: cell for cell in nb["cells"]}
    first = {attack.cell: preamble(attack, setting) + attack.code} if attack.code else {}
    for cell_id, code in (first | dict(attack.cells)).items():
        cells[cell_id]["source"] += f"\n\n\n{code.strip()}\n"
    if attack.notebook:
        attack.notebook(nb)
    return nb


def make(setting: Setting, attacks: Iterable[Attack]) -> list[str]:
    """Write submitted/<student>/ of the attacks, their twins and the bystanders; returns the names of the folders."""
    material, attacks = Material(), list(attacks)
    honest = {twin(a): a.answers for a in attacks} | dict.fromkeys(BYSTANDERS, "first two")
    for name, kind in honest.items():
        _write(setting.course / "submitted" / name, f"{CHAPTER}/{CHAPTER}.ipynb",
               json.dumps(material.notebook(answers(material, kind)), indent=1))  # fmt: skip
    for attack in attacks:
        folder = setting.course / "submitted" / attack.student
        if not attack.links:
            text = json.dumps(notebook(material, attack, setting), indent=1)
            _write(folder, f"{CHAPTER}/{attack.file}", text)
        for path, text in attack.files.items():
            _write(folder, path, text)
        for path, target in attack.links.items():
            _link(folder / path, setting.course / target)
        if attack.after:
            attack.after(folder, setting)
    return [*honest, *(a.student for a in attacks)]


def _write(folder: Path, path: str, text: str) -> None:
    target = folder / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")


def _link(path: Path, target: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(os.path.relpath(target, path.parent))
