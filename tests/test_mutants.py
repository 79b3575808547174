"""Mutants: what faults are made of a solution, what becomes of them, and that explanations stay true."""

import ast

import pytest

from autograder.authoring.mutants import report, trial
from autograder.authoring.mutants.mutation import mutants
from autograder.authoring.source import SourceError

SOURCE = '''\
import torch

EPSILON = 3


def shares(values: torch.Tensor, names: list[str], eps: float = 1e-8) -> torch.Tensor:
    """Return the share of each of the values (n,), 0 where all are 0; 5 is no fault."""
    ### BEGIN SOLUTION
    total = values.sum(dim=0, keepdim=True)
    found = {name: i for i, name in enumerate(names) if name is not None}
    if total > 0 and found:
        return values / (total + eps)
    return values[1:]
    ### END SOLUTION


def never_answered(x):
    return x + 1
'''


def made() -> dict[str, list[str]]:
    """Return the changes by kind."""
    found: dict[str, list[str]] = {}
    for mutant in mutants(SOURCE):
        found.setdefault(mutant.kind, []).append(mutant.change)
    return found


@pytest.mark.parametrize(
    "kind, change",
    [
        ("constant", "shares: 0 => 1"),
        ("comparison", "shares: total > 0 => total >= 0"),
        ("falsy for None", "shares: name is not None => name"),
        ("operator", "shares: values / (total + eps) => (values * (total + eps))"),
        ("swapped operands", "shares: values / (total + eps) => ((total + eps) / values)"),
        ("logic", "shares: total > 0 and found => ((total > 0) or found)"),
        ("call dropped", "shares: values.sum(dim=0, keepdim=True) => values"),
        ("keyword dropped", "shares: values.sum(dim=0, keepdim=True) => values.sum(dim=0)"),
        ("other function", "shares: values.sum(dim=0, keepdim=True) => values.mean(dim=0, keepdim=True)"),
        ("loop", "shares: enumerate(names) => list(enumerate(names))[:1]"),
        ("condition", "shares: name is not None => True"),
        ("argument ignored", "shares: eps = 1e-08"),
        ("gradient cut", "shares: values = values.detach()"),
        ("gradient cut", "shares: @torch.no_grad()"),
        ("text changed", "shares: names = [_t.lower() for _t in names]"),
        ("kept between calls", "shares: @remembered_by_shape"),
        ("axis of size 1 lost", "shares: return values[1:] => return values[1:].squeeze()"),
        ("statement dropped", "shares: if total > 0 and found: => pass"),
    ],
)
def test_a_fault_of_each_kind_is_made(kind, change):
    assert change in made()[kind]


def test_a_mutant_is_code_has_a_name_of_its_own_and_leaves_alone_what_students_are_given():
    found = mutants(SOURCE)
    assert len({m.change for m in found}) == len({m.source for m in found}) == len(found) > 50
    for mutant in found:
        ast.parse(mutant.source)
        for given in ("EPSILON = 3\n", "5 is no fault", "    return x + 1\n"):
            assert given in mutant.source


def test_each_value_of_several_has_the_faults_of_its_own_kind():
    source = "def f(x) -> tuple[torch.Tensor, int]:\n    ### BEGIN SOLUTION\n    return x, n\n    ### END SOLUTION\n"
    changes = [m.change for m in mutants(source)]
    assert "f: return (x, n) => return x.detach(), n" in changes and "f: return (x, n) => return x, n + 1" in changes
    assert "f: return (x, n) => return x, n.detach()" not in changes


def test_what_is_done_in_place_changes_the_argument():
    source = "def f(x, y):\n    ### BEGIN SOLUTION\n    return x + y\n    ### END SOLUTION\n"
    (found,) = (m.source for m in mutants(source) if m.kind == "argument changed")
    assert "    x += y\n    return x\n" in found


def test_the_checks_notice_the_mutants_of_an_exercise():
    (found,) = trial.outcomes("06_tokenizers", ["cut"])
    assert found.killed + found.explained == found.mutants > 5, report.survivors([found])


def test_an_explanation_of_what_a_check_notices_is_stale(monkeypatch, tmp_path):
    path = tmp_path / "equivalents.toml"
    path.write_text('[[cut]]\nchange = "nothing: 1 => 2"\nwhy = "it was so once"\n', encoding="utf-8")
    monkeypatch.setattr(trial, "EXPLAINED", str(path))
    (found,) = trial.outcomes("06_tokenizers", ["cut"])
    assert any("nothing survives that this explains" in line for line in report.survivors([found]))


@pytest.mark.parametrize("entry", ['change = "a: b => c"', 'why = "so"', 'where = "x"\nwhy = "so"', "change = "])
def test_an_explanation_without_change_or_reason_is_an_error(entry, monkeypatch, tmp_path):
    path = tmp_path / "equivalents.toml"
    path.write_text(f"[[cut]]\n{entry}\n", encoding="utf-8")
    monkeypatch.setattr(trial, "EXPLAINED", str(path))
    with pytest.raises(SourceError, match="equivalents"):
        trial.explanations("06_tokenizers")
