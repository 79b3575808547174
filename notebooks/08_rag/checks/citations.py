from helpers.checks import graded


@graded("citations", points=5)
def score(check):
    repeated = "each number once"
    by_size = "in the order in which they appear"
    texts = "the numbers are ints, not text"
    code = "[1, 2] and x[i] are code: only digits between the brackets count"
    elsewhere = "the words must stand in a passage that is cited"
    off = "passages[0] is cited as [1]"
    not_there = (
        "the words stand in passages[0], which is cited as [1]: are the citations taken out of the answer, "
        "and capitals and marks of both?"
    )
    every = "one of the cited passages is enough"
    scattered = "the words must stand one after the other and in this order"
    parts = "whole words only"
    none = "an answer that cites nothing is not supported"

    check(cited, "a [3], x[i] and b [1][12]; [1, 2], again [3]").equals([3, 1, 12], near={
        repeated: [3, 1, 12, 3], by_size: [1, 3, 12], texts: ["3", "1", "12"], code: [3, 1, 12, 2],
        "a number may have more than one digit": [3, 1],
    })
    passages = ["Sorted in Order,\nby name: first.", "This is the second."]
    check(supported, "order by `name` [1]", passages).equals(True, near={
        not_there: False})
    check(supported, "order by name [2]", passages).equals(False, near={elsewhere: True})
    check(supported, "order by name [2][1]", passages).equals(True, near={every: False})
    check(supported, "order name [1]", passages).equals(False, near={scattered: True})
    check(supported, "his is the [2]", passages).equals(False, near={parts: True})
    check(supported, "order by name", passages).equals(False, near={none: True})
    other_numbers = "only citations are taken out: other numbers are words of the answer"
    other_brackets = "only citations are taken out: what stands in other brackets are words of the answer"
    zero, too_large = "[0] cites no passage", "a number above the last one cites no passage"
    passages = ["The default of x[i] is 5.", "Else it is 7."]
    check(supported, "default of x[i] is 4 [1]", passages).equals(False, near={other_numbers: True})
    check(supported, "default of x[i] is 5 [1]", passages).equals(True, near={
        other_brackets: False})
    check(supported, "it is 7 [3][0]", passages).equals(False, near={zero: True, too_large: IndexError})


score
