"""Work that looks alike: copies and renamed copies are listed, work of one's own and common answers are not."""

import made_results
import pytest

from autograder.report import likeness, page
from autograder.report.likeness import Pair, pairs
from autograder.report.standing import standings

LONG = """def frequencies(tokens, vocabulary):
    counts = {}
    for token in tokens:
        counts[token] = counts.get(token, 0) + 1
    rows = [counts.get(word, 0) / max(len(tokens), 1) for word in vocabulary]
    return np.array(rows, dtype=float)
"""
OTHER = """def frequencies(tokens, vocabulary):
    found = np.zeros(len(vocabulary))
    place = dict(zip(vocabulary, range(len(vocabulary))))
    for t in tokens:
        if t in place:
            found[place[t]] += 1
    if tokens:
        found /= len(tokens)
    return found
"""
RENAMED = (
    LONG.replace("counts", "d").replace("token", "w").replace("rows", "r").replace("    for", "    # mine\n    for")
)


def of(**answers):
    return {student: {"tf": text} for student, text in answers.items()}


@pytest.mark.parametrize(("copy", "letters"), [(LONG, ("tf",)), (RENAMED, ())])
def test_a_copy_and_a_renamed_copy_are_listed(copy, letters):
    assert pairs(of(ada=LONG, ben=copy, cleo=OTHER), {}) == [Pair("ada", "ben", ("tf",), letters)]


def test_what_the_model_answer_says_or_many_write_is_no_sign():
    assert pairs(of(ada=LONG, ben=RENAMED), {"tf": LONG}) == []
    many = {f"student{i}": LONG for i in range(10)}
    assert pairs(of(**many), {}) == []


def test_a_line_or_two_and_what_is_no_python_are_left_out():
    short = "def f(x):\n    return x / 2\n"
    assert pairs(of(ada=short, ben=short), {}) == []
    assert pairs(of(ada="def (", ben="def ("), {}) == [] == pairs(of(ada="'''", ben="'''"), {})


def test_those_with_most_in_common_come_first():
    given = {"ada": {"a": LONG, "b": OTHER}, "ben": {"a": LONG, "b": OTHER}, "cleo": {"a": RENAMED}}
    found = pairs(given, {})
    assert [(p.first, p.second, len(p.alike)) for p in found] == [
        ("ada", "ben", 2), ("ada", "cleo", 1), ("ben", "cleo", 1),
    ]  # fmt: skip


def test_the_class_page_shows_a_list_to_look_at():
    class_ = standings([made_results.made(name) for name in ("ada", "<b>ben</b>")])
    shown = page.class_page(class_, "x", alike=[Pair("ada", "<b>ben</b>", ("tf", "idf"), ("tf",))])
    assert "not a finding" in shown and "tf, idf" in shown and "<b>ben" not in shown
    assert "looks alike" not in page.class_page(class_, "x")


def test_untouched_work_is_not_compared(tmp_path):
    assert likeness.answers(tmp_path, "01_spam") == {}
