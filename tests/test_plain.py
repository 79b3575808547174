"""Plain code: no file breaks the rules of plain.py more often than plain_allowed.json says, and it only shrinks."""

import ast

import plain
import pytest


def test_no_file_gets_harder_to_read():
    may = plain.allowed()
    for name, found in plain.counts().items():
        for rule, number in found.items():
            before = may.get(name, {}).get(rule, 0)
            assert number <= before, f"{name}: {plain.RULES[rule]} ({number} times, {before} were there)"


def test_what_is_allowed_is_of_files_that_are_there():
    assert [name for name in plain.allowed() if not (plain.ROOT / name).is_file()] == []


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
