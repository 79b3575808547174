"""The checks' own checks: comparison, diagnosis, scores, and what a student reads."""

import inspect
import textwrap
import warnings

import numpy as np
import pytest
import torch
from scipy import sparse

from helpers.checks import Check, difference, graded
from helpers.checks.case import NONE_USED, Case, note_call, note_class
from helpers.checks.diagnose import NAN, diagnose
from helpers.checks.gradients import CUT, cut
from helpers.checks.rich_report import page
from helpers.checks.scoring import _seen_from_outside

A_THIRD_OF_HALF = 0.67  # of 4 points, where one of two ordinary cases fails


def report(function, *args, points=4.0, **equals):
    """Run one case and return (score, text)."""
    check = Check("demo", points)
    with check:
        check(function, *args).equals(**equals)
    return check.score, check.text()


@pytest.mark.parametrize(
    "got",
    [
        [1.0, 2.0],
        (1.0, 2.0),
        [1, 2],
        np.array([1.0, 2.0]),
        np.array([1, 2], dtype=np.int32),
        [np.float64(1), np.float32(2)],
        torch.tensor([1.0, 2.0], requires_grad=True),
    ],
)
def test_any_plain_container_of_the_right_numbers_is_right(got):
    assert difference(got, [1.0, 2.0]) is None


@pytest.mark.parametrize(
    ("got", "stage"),
    [
        ([1.0, 2.1], "value"),
        ([1.0, 2.0, 3.0], "shape"),
        ([[1.0, 2.0]], "shape"),
        ([1.0, float("nan")], "value"),
        ("12", "type"),
        (None, "type"),
        (["1", "2"], "type"),
        ({1.0: 2.0}, "type"),
        (np.array(["1", "2"]), "type"),
    ],
)
def test_wrong_values_differ_at_the_right_stage(got, stage):
    found = difference(got, [1.0, 2.0])
    assert found is not None
    assert found.stage == stage


def test_nan_is_never_right_not_even_where_nan_is_expected():
    assert difference([float("nan")], [float("nan")]) is not None


def test_infinity_equals_infinity():
    assert difference((float("inf"), 2.0), (float("inf"), 2.0)) is None


def test_sparse_must_stay_sparse():
    matrix = sparse.csr_matrix([[1, 0]])
    assert difference(matrix.tocsc(), matrix) is None
    assert difference(sparse.csr_array([[1, 0]]), matrix) is None
    assert difference(matrix.toarray(), matrix).stage == "type"


def test_words_may_come_as_an_array():
    assert difference(np.array(["b", "a"]), ["b", "a"]) is None
    assert difference([np.str_("b"), "a"], ["b", "a"]) is None
    assert difference(np.array(["a", "b"]), ["b", "a"]) is not None


def test_a_lying_object_is_wrong():
    class Liar(list):
        def __eq__(self, other):
            return True

    class LyingFloat(float):
        def __eq__(self, other):
            return True

    assert difference(Liar(), [1.0, 2.0]) is not None
    assert difference(LyingFloat(3), 1.0) is not None
    assert difference({"a": LyingFloat(3)}, {"a": 1.0}) is not None


def test_dtype_is_judged_where_it_is_asked_for():
    assert difference(np.array([1, 2]), [1.0, 2.0], dtype="f").stage == "dtype"
    assert difference(np.array([1.0, 2.0]), [1.0, 2.0], dtype="f") is None


@pytest.mark.parametrize(
    ("got", "expected", "words"),
    [
        (None, 1.0, "return"),
        (np.ones((2, 3)).cumsum(0).T, np.ones((2, 3)).cumsum(0), "transpose"),
        (np.array([[1.0, 2], [3, 4]]).T, np.array([[1.0, 2], [3, 4]]), "transpose"),
        ([-1.0, -2.0, 3.0], [1.0, 2.0, -3.0], "sign"),
        (np.log([2.0, 3, 4]), np.log10([2.0, 3, 4]), "log(10)"),
        ([2.0, 4.0, 7.0], [1.0, 2.0, 3.5], "twice"),
        ([3.0, 6.0, 12.0, 15.0], [1.0, 2.0, 4.0, 5.0], "3 times"),
        ([3.0, 1.0, 2.0], [1.0, 2.0, 3.0], "order"),
        ([float("inf"), 1.0], [0.0, 1.0], "infinite"),
        ([float("nan"), 1.0], [0.0, 1.0], "NaN"),
        ([0, 1], [0.5, 1.7], "cut off"),
        ([0.0, 1.0, 2.0], [0.5, 1.7, 2.2], "cut off"),
        ([1 / 3 + 1e-8, 0.7], [1 / 3, 0.7], "seven digits"),
        ([1 / 3 + 1e-5, 0.7], [1 / 3, 0.7], "four digits"),
        ([0.5, -0.5, 0.25, -0.25], [-0.5, 0.5, -0.25, 0.25], "sign"),
        ([0.33, 0.67], [1 / 3, 2 / 3], "rounded"),
        ((0.5, np.ones(2), 1.0), (np.ones(2), 0.5, 1.0), "another order"),
        ((0.5, np.log([2.0, 3])), (0.5, np.log10([2.0, 3])), "item 1: it is log(10)"),
        (sparse.csr_matrix([[1.0]]), np.array([[1.0]]), "dense array"),
        (np.array([[1.0]]), sparse.csr_matrix([[1.0]]), "keep it sparse"),
        (["b", "a"], ["a", "b"], "order"),
        (["A", "b"], ["a", "b"], "letter case"),
        (["a", "a", "b"], ["a", "b"], "number of times"),
        (object(), 1.0, "plain data"),
    ],
)
def test_mistakes_that_show_in_the_numbers_are_named(got, expected, words):
    assert words in (diagnose(got, expected) or "")


def test_three_different_numbers_have_one_factor_by_chance_often_enough():
    assert diagnose([3.0, 6.0, 12.0, 6.0], [1.0, 2.0, 4.0, 2.0]) is None


def test_no_diagnosis_is_made_up():
    assert diagnose([1.0, 5.0, 2.0], [1.0, 2.0, 3.0]) is None
    assert diagnose(4.0, 2.5) is None
    assert diagnose([0.0, 1.0], [0.0, 1.1]) is None  # one number that is whole by chance
    assert diagnose([2], [4]) is None  # the row of a word is not the half of another
    assert diagnose([1, 0], [0.731, 0.269]) is None  # another distribution, not this one rounded
    assert diagnose([5.0, 7.0, 6.0], [5, 7, 6]) is None  # only the dtype differs


def test_near_miss_is_named_and_only_where_it_differs_from_the_right_value():
    near = {"that is the sum": [6.0], "never told": [2.0]}
    _, text = report(lambda: [6.0], expected=[2.0], near=near)
    assert "that is the sum" in text
    _, text = report(lambda: [5.0], expected=[2.0], near=near)
    assert "never told" not in text


def test_mistakes_are_made_on_the_arguments_of_each_case_and_named():
    def check_of(answer):
        with Check("size", 2) as check:
            check.mistakes({"squares": lambda x: [v * v for v in x], "an index": lambda x: [x[9]]})
            check(answer, [2.0, -3.0]).equals([2.0, 3.0])
            check(answer, [1.0, -4.0, 5.0]).equals([1.0, 4.0, 5.0])
        return check.text()

    assert check_of(lambda x: [v * v for v in x]).count("squares") == 2
    assert "an index" in check_of(lambda x: x[len(x)])
    assert "squares" not in check_of(lambda x: [v + 1 for v in x])


def test_a_mistake_that_does_not_fit_the_shapes_explains_no_error():
    with Check("product", 1) as check:
        check.mistakes({"turned round": lambda x: x @ torch.ones(5, 7)})
        check(lambda x: x.view(9, 9), torch.ones(2, 3)).equals(torch.ones(2))
    assert "RuntimeError" in check.text()
    assert "turned round" not in check.text()


def test_a_mistake_is_not_made_in_a_case_that_passes_other_arguments():
    with Check("sizes", 1) as check:
        check.mistakes({"one row too many": lambda rows: rows + 1})
        check(lambda: len(None)).equals(3)  # a TypeError, as the mistake's call without arguments would be
    assert "TypeError" in check.text()
    assert "one row too many" not in check.text()


def test_a_mistake_without_a_known_signature_is_tried():
    with Check("smallest", 1) as check:
        check.mistakes({"the largest came": max})
        check(lambda a, b: max(a, b), 3, 8).equals(3)
    assert "the largest came" in check.text()


def test_a_mistake_that_changes_its_argument_spoils_nothing():
    with Check("clip", 1) as check:
        check.mistakes({"all are cleared": lambda x: x.fill(0) or x})
        check(lambda x: x + 2, np.ones(3)).equals(np.ones(3) + 1)
    assert "all are cleared" not in check.text()
    assert "2" in check.text()


def test_a_parameter_is_a_tensor():
    import torch

    assert difference(torch.nn.Parameter(torch.ones(2)), [1.0, 1.0]) is None


def test_of_several_mistakes_the_one_that_explains_most_cases_is_told():
    check = Check("demo", 4)
    with check:
        check(lambda: 4).equals(2, near={"you squared it": 4, "you doubled it": 4})
        check(lambda: 6).equals(3, near={"you squared it": 9, "you doubled it": 6})
    assert check.text().count("you doubled it") == 2
    assert "squared" not in check.text()


def test_mistakes_that_cannot_be_told_apart_are_both_named():
    _, text = report(lambda: 4, expected=2, near={"you squared it": 4, "you doubled it": 4})
    assert "you squared it" in text
    assert "or        you doubled it" in text


def test_of_two_that_do_equally_well_the_one_with_less_against_it_is_named_first():
    check = Check("demo", 4)
    with check:
        check(lambda: 4).equals(2, near={"you squared it": 4, "you doubled it": 4})
        check(lambda: 9).equals(3, near={"you squared it": 9})
        check(lambda: 5).equals(5, near={"you squared it": 25})
    assert check.likely() == ["you doubled it", "you squared it"]


def test_something_kept_between_calls_is_named():
    kept = []

    def leaky(x):
        kept.append(x)
        return list(kept)

    _, text = report(leaky, 1, expected=[5])
    assert "kept from one call to the next" in text


def test_arguments_changed_by_one_case_do_not_spoil_the_next():
    words = ["a", "b"]
    check = Check("demo", 4)
    with check:
        check(lambda x: x.clear(), words).equals(None)
        check(len, words).equals(2)
    assert check.score == A_THIRD_OF_HALF


def test_sparse_forms_that_later_cells_cannot_use_are_told():
    matrix = sparse.csr_matrix([[1, 0]])
    score, text = report(lambda: matrix.tocoo(), expected=matrix)
    assert score == 0.0
    assert ".tocsr()" in text
    score, text = report(lambda: torch.eye(2).to_sparse(), expected=sparse.identity(2, format="csr"))
    assert score == 0.0
    assert "could not go on" not in text


def test_a_sparse_argument_changed_in_place_is_seen():
    def changing(matrix):
        matrix.data[:] = 0
        return 1

    score, text = report(changing, sparse.csr_matrix([[1, 2]]), expected=1)
    assert score == 0.0
    assert "`matrix`" in text


def test_a_set_that_prints_in_another_order_is_not_called_changed():
    from helpers.checks.untouched import _same

    assert _same({"a", "b"}, {"b", "a"})
    assert not _same({"a", "b"}, {"a"})
    assert not _same({"a": {"x"}}, {"a": {"y"}})
    assert not _same(["a"], ["a", "b"])
    assert not _same([1, "a"], [2, "a"])
    assert _same(print, len)


def test_an_argument_with_nan_is_not_called_changed():
    score, _ = report(lambda x: 1, np.array([float("nan"), 1.0]), expected=1)
    assert score == 4.0


def test_an_answer_made_for_the_examples_only_is_named():
    check = Check("demo", 4)
    with check:
        check(lambda x: 4, 2).equals(4)
        check.hidden()
        check(lambda x: 4, 3).equals(9)
    assert "made for the examples only" in check.text()


def test_an_error_in_every_case_is_not_blamed_on_a_hidden_input():
    check = Check("demo", 4)
    with check:
        for value in (1, 2):
            check(lambda v=value: int("x")).equals(1)
        check.hidden()
        check(lambda: int("x")).equals(1, about="empty input", near={"the input is empty": ValueError})
    assert "the input is empty" not in check.text()


def test_near_miss_may_be_an_error():
    _, text = report(lambda: 1 / 0, expected=0.0, near={"the denominator is 0": ZeroDivisionError})
    assert "the denominator is 0" in text


def test_what_a_function_of_the_check_raises_is_told_by_its_class_alone():
    def score():
        def ask(x):
            raise KeyError("the answer is 42")

        return report(lambda ask: ask(1), ask, expected=1, near={"asked too often": KeyError})[1]

    text = run_as_check(score)
    assert "KeyError" in text and "handed in" in text and "asked too often" in text
    assert "42" not in text


def run_as_check(function):
    """Define the function once more at the top of a module, where a notebook's checks stand."""
    lines = textwrap.dedent(inspect.getsource(function))
    names = {"report": report}
    exec(lines, names)
    return names[function.__name__]()


def test_a_set_is_shown_in_one_order():
    words = {f"word-{i}" for i in range(8)}
    _, text = report(lambda: words, expected={"one"})
    shown = ", ".join(repr(word) for word in sorted(words))
    assert f"{{{shown}}}" in text
    assert "set()" in report(set, expected={"one"})[1]


def test_report_has_input_expected_got_in_this_order():
    _, text = report(lambda x: x + 1, 3, expected=5)
    assert text.index("input") < text.index("expected") < text.index("got")
    assert "(3)" in text


def test_stub_reads_as_not_started():
    def stub():
        raise NotImplementedError()

    score, text = report(stub, expected=1)
    assert score == 0.0
    assert "not started yet" in text
    assert "Error" not in text


def test_a_function_that_is_not_yet_written_is_one_word_and_the_others_are_judged(capsys):
    def right(x):
        return x

    def wrong(x):
        return -x

    def stub(x):
        raise NotImplementedError()

    def text(*functions):
        with Check("demo", 4) as check:
            for function in functions:
                check(function, 1).equals(1)
                check(function, 2).equals(2)
        return capsys.readouterr().out.splitlines()

    assert text(right, stub) == [
        "demo: 2 of 4 visible cases pass; hidden ones decide the points when graded",
        "  passes: right",
        "  not written yet: stub",
    ]
    lines = text(wrong, right, stub)
    assert lines[1:4] == ["  passes: right", "  not written yet: stub", "  case 1"]
    assert "NotImplementedError" not in "".join(lines)
    assert not any("not written" in line or "passes:" in line for line in text(wrong, right))


def test_a_branch_that_is_not_yet_written_is_shown_as_it_fails():
    def half(x):
        if x == 1:
            return 1
        raise NotImplementedError()

    check = Check("demo", 4)
    with check:
        check(half, 1).equals(1)
        check(half, 2).equals(2)
    assert "NotImplementedError" in check.text() and "not written" not in check.text()


def test_what_torch_has_not_implemented_is_no_stub():
    def unfolded(images):
        return torch.nn.functional.unfold(images, 2)

    score, text = report(unfolded, torch.ones(1, 1, 2, 2, dtype=torch.int64), expected=1)
    assert score == 0.0
    assert "NotImplementedError" in text and "not started" not in text


def test_one_raising_case_does_not_hide_the_next():
    check = Check("demo", 4)
    with check:
        check(lambda: 1 / 0).equals(1)
        check(lambda: 2).equals(2)
    assert check.score == A_THIRD_OF_HALF


def test_undefined_name_is_told_without_traceback(capsys):
    @graded("demo", points=4)
    def score(check):
        check(not_defined_anywhere, 1).equals(1)  # noqa: F821

    assert score == 0.0
    assert "not_defined_anywhere" in capsys.readouterr().out


def test_none_that_is_used_is_told_where_no_known_mistake_is(capsys):
    def used(_):
        return {}.get(1)[0]

    for near, told in (({}, NONE_USED), ({"the first is missing": TypeError}, "the first is missing")):
        with Check("demo", 1) as check:
            check(used, 1).equals(1, near=near)
        assert f"likely    {told}" in capsys.readouterr().out


def test_a_check_that_stops_half_way_scores_nothing():
    @graded("demo", points=4)
    def score(check):
        check(lambda: 2).equals(2)
        raise ValueError("the student's value broke the check")

    assert score == 0.0


def test_cases_of_one_kind_count_once():
    check = Check("demo", 4)
    with check:
        for _ in range(10):
            check(lambda: 2).equals(2, about="random input")
        check(lambda: 3).equals(4, about="negative input")
    assert check.score == A_THIRD_OF_HALF
    assert "10 of 11 visible cases pass" in check.text()


def test_a_report_counts_each_visible_case_as_it_is_marked_and_each_kind_of_hidden_ones():
    check = Check("demo", 4)
    with check:
        check(lambda: 2).equals(2, about="random input")
        check(lambda: 3).equals(2, about="random input")
        check.hidden()
        for value in (2, 2, 3):
            check(lambda value=value: value).equals(2, about="random input")
        check(lambda: 2).equals(2)
    assert "2 of 4 cases pass" in check.text()
    assert page(check, check.text()).count("passes</span>") + page(check, check.text()).count("differs</span>") == 2


def test_one_failure_fails_its_kind():
    check = Check("demo", 4)
    with check:
        check(lambda: 2).equals(2)
        for value in (2, 3, 2):
            check(lambda v=value: v).equals(2, about="random input")
    assert check.score == A_THIRD_OF_HALF


def test_edge_cases_alone_earn_nothing():
    check = Check("demo", 4)
    with check:
        check(list).equals([1])
        check(list).equals([], edge=True)
    assert check.score == 0.0


def test_an_unjudged_case_is_a_defect():
    check = Check("demo", 4)
    with pytest.raises(AssertionError), check:
        check(list)


def test_score_is_a_plain_float():
    score, _ = report(lambda: np.float64(1), expected=1)
    assert type(score) is float
    assert repr(score) == "4.0"


def test_stderr_stays_empty_and_prints_are_kept_for_the_report(capsys):
    def noisy():
        import sys

        print("my value is 3")
        print("progress", file=sys.stderr)
        warnings.warn("old", stacklevel=1)
        return 3

    _, text = report(noisy, expected=4)
    assert capsys.readouterr().err == ""
    assert "my value is 3" in text
    assert "progress" not in text


def test_an_argument_changed_in_place_fails_and_is_named():
    score, text = report(lambda values: values.pop() and 3, [1, 2], expected=3)
    assert score == 0.0
    assert "`values`" in text
    assert "in place" in text


def test_hidden_cases_show_their_kind_but_neither_input_nor_expected_value():
    check = Check("demo", 4)
    with check:
        check(lambda x: x, 3).equals(3)
        check.hidden()
        check(lambda x: x, 12345).equals(67890, about="large numbers", near={"that is the input itself": 12345})
    text = check.text()
    assert "large numbers" in text
    assert "that is the input itself" in text
    assert "12345" not in text
    assert "67890" not in text


def test_an_endless_loop_is_stopped_and_the_rest_is_not_tried(monkeypatch):
    monkeypatch.setattr("helpers.checks.case.SECONDS", 0.2)
    calls = []

    def endless(x):
        calls.append(x)
        while True:
            try:
                pass
            except Exception:
                continue

    check = Check("demo", 4)
    with check:
        check(endless, 1).equals(1)
        check(endless, 2).equals(2)
    assert check.score == 0.0
    assert calls == [1]
    assert "never ends" in check.text()


def test_random_inputs_repeat_and_depend_on_exercise_and_secret(monkeypatch):
    draw = [Check(name, 1).rng.random() for name in ("a", "a", "b")]
    assert draw[0] == draw[1] != draw[2]
    monkeypatch.setenv("BOW2LORA_SECRET", "x")
    assert Check("a", 1).rng.random() != draw[0]


def test_whole_numbers_must_be_exact():
    assert difference([128001], [128000]) is not None
    assert difference([128000.0], [128000]) is None
    assert difference(100001, 100000) is not None


def test_half_precision_tensors_are_numbers():
    assert difference(torch.tensor([0.5, 2.0], dtype=torch.bfloat16), [0.5, 2.0]) is None
    assert difference(torch.tensor([0.5, 2.5], dtype=torch.bfloat16), [0.5, 2.0]) is not None


class Odd:
    """An object that fails at everything one may ask of it."""

    def __eq__(self, other):
        raise ValueError("no")

    def __repr__(self):
        raise ValueError("no")

    __hash__ = None


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    "value",
    [
        Odd(),
        [Odd()],
        {"a": Odd()},
        nested(3000),
        10**5000,
        np.ma.masked_array([1.0], mask=[True]),
        np.timedelta64(3, "s"),
        [map(str, [1]), map(str, [2])],
        torch.empty(3, device="meta"),
        float("nan"),
        1j,
    ],
    ids=lambda v: type(v).__name__,
)
def test_an_odd_value_is_a_wrong_answer_and_costs_its_own_case_only(value, capsys):
    check = Check("demo", 4)
    with check:
        check(lambda: value).equals([1.0, 2.0])
        check(lambda: 2).equals(2)
    assert check.score == A_THIRD_OF_HALF
    assert "two equal calls" not in check.text()
    assert capsys.readouterr().err == ""


def test_endless_printing_is_cut_and_stopped(monkeypatch):
    monkeypatch.setattr("helpers.checks.case.SECONDS", 0.5)

    def chatty():
        while True:
            print("x" * 1000)

    score, text = report(chatty, expected=1)
    assert score == 0.0
    assert "never ends" in text
    assert len(text) < 2000


def test_sys_exit_in_the_students_code_is_only_a_wrong_answer():
    score, text = report(lambda: exit(3), expected=1)
    assert score == 0.0
    assert "SystemExit" in text


def test_where_no_fresh_ordinary_case_passes_the_shown_ones_earn_nothing():
    check = Check("demo", 4)
    with check:
        check(lambda: 3).equals(3)
        check(lambda: 5).equals(5)
        check.hidden()
        check(lambda: 3).equals(4, about="fresh")
        check(lambda: []).equals([], about="empty", edge=True)
    assert check.score == 0.0
    assert "what else passes counts only with it" in check.text()


def test_hidden_cases_weigh_two_thirds_an_ordinary_kind_twice_an_edge_and_a_grave_one_more():
    check = Check("demo", 21)
    with check:
        check(lambda: 3).equals(3)
        check(lambda: 3).equals(4)  # half of the visible third: 3.5
        check.hidden()
        check(lambda: 3).equals(3, about="fresh")  # 2 of 7
        check(lambda: 3).equals(4, about="grave", weight=2)  # 4 of 7
        check(lambda: []).equals([], about="empty", edge=True)  # 1 of 7
    assert check.score == round((3.5 + 14 * 3 / 7) / 3, 2)


def test_a_report_names_two_mistakes_at_most_and_none_that_a_passing_case_refutes():
    check = Check("demo", 4)
    with check:
        check(lambda: 2).equals(2, near={"doubled": 4})
        check(lambda: 6).equals(3, near={"doubled": 6, "added three": 6})
        check(lambda: 1).equals(3, near={"one always": 1})
        check(lambda: 9).equals(3, near={"squared": 9})
    assert check.likely() == ["added three", "one always"]
    assert "doubled" not in check.text() and "squared" not in check.text()


def test_a_second_cause_is_not_said_where_more_cases_speak_against_it_than_for_it():
    check = Check("demo", 4)
    with check:
        check(lambda: False).equals(True, near={"logits compared": False})
        check(lambda: False).equals(True, near={"exchanged": False})
        for _ in range(2):
            check(lambda: True).equals(True, near={"exchanged": False})
    assert check.likely() == ["logits compared"]


def test_a_known_mistake_made_in_a_loop_keeps_the_input_of_its_turn():
    check = Check("demo", 4)
    with check:
        for x, answer in ((0, 0), (3, 6)):  # the first one passes; twice 0 is 0, and so tells nothing
            check(lambda value: value, answer).equals(x, near=lambda: {"doubled": 2 * x, "added three": x + 3})  # noqa: B023
    assert check.likely() == ["doubled"]


def test_a_kind_of_hidden_case_has_one_line():
    check = Check("demo", 4)
    with check:
        check.hidden()
        check(lambda: 6).equals(3, about="fresh", near={"doubled": 6})
        check(lambda: 7).equals(3, about="fresh")
    assert check.text().count("hidden case (fresh): a wrong value: doubled") == 1
    assert check.text().count("hidden case") == 1


@pytest.mark.parametrize(("value", "told"), [([6, 8], ["squared"]), ([np.nan, 4], ["squared", NAN])])
def test_what_only_describes_hidden_numbers_is_not_said_beside_a_known_mistake(value, told):
    values = iter([[9, 25], value])
    check = Check("demo", 4)
    with check:
        check.hidden()
        check(lambda: next(values)).equals([3, 5], near={"squared": [9, 25]})
        check(lambda: next(values)).equals([3, 4])
    assert check.likely() == told


@pytest.mark.parametrize(("value", "told"), [("an error", False), ("wrong", False), ("right", True)])
def test_an_error_is_laid_to_the_gradient_only_where_the_value_is_right(value, told):
    def answer():
        note_call("answer")
        if value == "an error":
            raise RuntimeError("the shapes do not fit")
        return 3 if value == "right" else 4

    def slopes():
        note_call("slopes")
        note_call("answer")
        raise RuntimeError("no gradient, or the shapes do not fit")

    check = Check("demo", 4)
    with check:
        check(answer).equals(3)
        check(slopes).equals([6], near={"the gradient is cut": RuntimeError})
    assert ("the gradient is cut" in check.text()) is told


def test_an_error_is_told_as_a_cut_gradient_only_beside_a_right_value():
    assert cut(Case(passed=True)) == {CUT: RuntimeError}
    assert cut(Case(passed=False)) == {}


@pytest.mark.parametrize(("value", "told"), [(3, ["it is twice too large"]), (6, [])])
def test_how_a_gradient_looks_is_said_only_where_the_value_is_right(value, told):
    def answer():
        note_call("answer")
        return value

    def slopes():
        note_call("slopes")
        note_call("answer")
        return [2.0, 4.0, 6.0]

    check = Check("demo", 4)
    with check:
        check(answer).equals(3, near={"something else": 6})
        check(slopes).equals([1.0, 2.0, 3.0])
    assert check.text() and [words for words in check.likely() if "twice" in words] == told


@pytest.mark.parametrize(("lower", "told"), [(1, False), (2, True)])
def test_a_fault_upstream_is_named_downstream(lower, told):
    def upper():
        note_call("upper")
        return 4

    def beneath():
        note_call("beneath")
        return lower

    check = Check("demo", 4)
    with check:
        check.built_on("upper", "beneath")
        check(beneath).equals(1)
        check(upper).equals(3, near={"one too many": 4})
    assert ("`beneath` is wrong as well" in check.text()) is told
    assert ("one too many" in check.text()) is not told


def test_a_call_of_a_class_of_the_notebook_is_noted():
    class Layer:
        __module__ = "__main__"

        def __init__(self, size):
            self.size = size

    names = {"Layer": Layer}
    exec("def cases(check):\n    check(lambda: Layer(3).size).equals(3)", names)
    check = Check("demo", 4)
    with check:
        _seen_from_outside(names["cases"])(check)
    assert [case.functions for case, _ in check.cases] == [frozenset({"class Layer"})]


@pytest.mark.parametrize(("made_alone", "share"), [(True, 2 / 9), (False, 1 / 2)])
def test_a_class_has_a_share_where_a_case_asks_for_it_alone(made_alone, share):
    def layer():
        note_class("Layer")
        return 1

    def merged():
        note_class("Layer")
        note_call("merge")
        return 1

    def helped():
        note_call("slopes")
        note_class("Layer")
        return 2

    check = Check("demo", 1)
    with check:
        check(merged).equals(1)
        check(helped).equals(1)
        if made_alone:
            check(layer).equals(1)
    assert check.score == pytest.approx(share, abs=0.01)
