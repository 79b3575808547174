"""Plain code: no file breaks a rule of plain.py."""

import ast

import plain
import pytest


def test_no_file_breaks_a_rule():
    assert list(plain.where()) == []


@pytest.mark.parametrize(
    ("rule", "bad", "good"),
    [
        ("nested", "x = a if b else c if d else e", "x = a if b else c"),
        ("dense", "[a for b in c for a in b if a]", "[a for b in c for a in b]"),
        ("within", "x = [a for a in b] if c else d", "x = a if b else c"),
        ("added", "x += [a] if b else []", "x += [a]"),
        ("times", "x = 's' * bool(a)", "x = 's' * 3"),
        ("times", "x = [a] * (b > c)", "x = [a] * b"),
        ("beside", "x = [a for a in b], {a for a in b}", "x = [a for a in b]"),
    ],
)
def test_each_rule_sees_what_breaks_it_and_nothing_else(rule, bad, good):
    assert [found for found, _ in plain.breaches(ast.parse(bad))] == [rule]
    assert list(plain.breaches(ast.parse(good))) == []


def test_the_report_has_a_row_for_each_file_and_each_place():
    rows = list(plain.report())
    assert len(rows) == 1 + len(plain.PLACES) + len(plain.files())
