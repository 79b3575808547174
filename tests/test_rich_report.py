"""The report as a notebook's page shows it: the same words, values side by side, nothing that runs."""

from html.parser import HTMLParser

import numpy as np
import pytest
import torch

from helpers.checks import Check, cell, scoring
from helpers.checks.rich_report import RichReport


def report(cases, capsys) -> RichReport:
    with Check("softmax", 6) as check:
        cases(check)
    capsys.readouterr()
    return RichReport(check)


def turned(x):
    return torch.softmax(x, 0)


def html(x, expected, function, capsys, near=None) -> str:
    return report(lambda check: check(function, x).equals(expected, near=near), capsys)._repr_html_()


class Tags(HTMLParser):
    """Which tags stand open at the end, and which were seen."""

    def __init__(self, text: str):
        super().__init__()
        self.open, self.seen = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.seen |= {tag} | {name for name, _ in attrs}
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_a_wrong_matrix_is_drawn_beside_the_right_one_with_the_first_difference_framed(capsys):
    x = torch.tensor([[1.0, 2.0, 3.0], [0.0, 1.0, -1.0]])
    page = html(x, torch.softmax(x, -1), turned, capsys, {"softmax over the queries": turned(x)})
    assert page.count("<table") == 2 and page.count("the first that differs") == 2
    assert "likely: softmax over the queries" in page and "0 of 1 visible" in page and "not yet" in page
    assert "0.09003" in page and "0.7311" in page


def test_only_the_entries_that_differ_are_marked(capsys):
    page = html([1, 2], [1.0, 5.0, 2.0], lambda x: [1.0, 4.0, 2.0], capsys)
    assert page.count("the first that differs") == 2
    assert page.count("background:rgba(213,94,0,.18)") == 2


def test_an_entry_within_the_tolerance_of_its_case_is_not_marked(capsys):
    def cases(check):
        check(lambda x: [1.001, 4.0, 2.001], [1, 2]).equals([1.0, 5.0, 2.0], rtol=0.01)

    page = report(cases, capsys)._repr_html_()
    assert page.count("background:rgba(213,94,0,.18)") == 2  # once expected, once as it came


@pytest.mark.parametrize(("count", "passing", "rest"), [(12, 11, False), (13, 0, True)])
def test_of_many_cases_those_that_pass_are_counted_and_not_listed(count, passing, rest, capsys):
    def cases(check):
        for i in range(count):
            check(lambda x: x * (x != 5), i).equals(i)

    page = report(cases, capsys)._repr_html_()
    assert page.count(" passes</span>") == passing and ">6 differs</span>" in page
    assert ("the other 12 pass" in page) is rest


def test_what_passes_says_so_in_words_and_shows_no_case(capsys):
    page = html(torch.eye(2), torch.softmax(torch.eye(2), 0), turned, capsys)
    assert "<b>passes</b>" in page and "<details" not in page


@pytest.mark.parametrize("value", [np.zeros((9, 2)), np.zeros((2, 11)), np.zeros((2, 2, 2)), ["w"] * 13, {"a": 1}, "x"])
def test_what_is_large_or_no_table_is_said_in_a_line(value, capsys):
    page = html(1, value, lambda x: value if isinstance(value, str) and x > 1 else None, capsys)
    assert "<table" not in page and "<code" in page


def test_what_students_wrote_is_text_and_never_markup(capsys):
    evil = "<script>alert(1)</script><img src=x onerror=y>"

    def shout(x):
        print(evil)
        raise ValueError(evil)

    page = html(evil, ["a"], shout, capsys) + html(evil, ["a"], lambda x: [evil], capsys)
    tags = Tags(page)
    assert not tags.open and not tags.seen & {"script", "img", "onerror", "src", "href"}


def test_a_stub_and_a_missing_name_are_one_line(capsys):
    def stub(x):
        raise NotImplementedError

    assert "not started yet" in (page := html(1, 2, stub, capsys)) and "<details" not in page
    page = report(lambda check: check(not_there, 1).equals(2), capsys)._repr_html_()  # noqa: F821
    assert "not_there" in page and "<details" not in page


def test_functions_that_are_not_yet_written_are_named_and_not_shown_as_errors(capsys):
    def stub(x):
        raise NotImplementedError

    def cases(check):
        for function in (abs, stub):
            check(function, 1).equals(1)
            check(function, 2).equals(2)

    page = report(cases, capsys)._repr_html_()
    assert "<b>so far</b>" in page and "passes: abs" in page and "not written yet: stub" in page
    assert "NotImplementedError" not in page and "<details" not in page
    page = report(lambda check: [cases(check), check(turned, torch.eye(2)).equals(0.5)], capsys)._repr_html_()
    assert "<b>not yet</b>" in page and page.count("<details") == 1 and ">5 differs</span>" in page


def test_its_text_is_the_plain_report(capsys):
    found = report(lambda check: check(turned, torch.eye(2)).equals(0.5), capsys)
    assert repr(found) == found.check.text()


def test_a_terminal_prints_and_a_notebook_shows(monkeypatch, capsys):
    shown = []
    monkeypatch.setattr(cell, "after", None)  # no notebook of the course is open
    monkeypatch.setattr("IPython.get_ipython", lambda: None)
    with cell._shown_rich():
        assert scoring.show.get()(Check("none", 1)) is None
    assert capsys.readouterr().out
    monkeypatch.setattr("IPython.get_ipython", lambda: type("Shell", (), {"kernel": 1})())
    monkeypatch.setattr("IPython.display.display", shown.append)
    with cell._shown_rich():
        scoring.show.get()(Check("none", 1))
    assert isinstance(shown[0], RichReport) and not capsys.readouterr().out
