from helpers.checks import graded


@graded("citations", points=5)
def score(check):
    repeated = "each number once"
    by_size = "in the order in which they appear"
    texts = "the numbers are ints, not text"
    code = "[1, 2] and x[i] are code: only digits between the brackets count"
    elsewhere = "the words must stand in a passage that is cited"
    off = "passages[0] is cited as [1]"
    taken_out = "the citations must be taken out of the answer first"
    cased = "capitals and marks do not count"
    reverse = "the passage stands in the answer? It is the other way round"
    first_only = "only the first citation was looked at"
    some = "some of the words in common are not enough"
    enough = "it is enough that one citation is there: the words must stand in the passage"
    all_numbers = "all numbers came, in brackets or not"
    every = "one of the cited passages is enough"
    scattered = "the words must stand one after the other and in this order"
    in_turn = scattered + ", with no others between"
    parts = "whole words only"
    at_start = "the words may stand anywhere in the passage, not at its start alone"
    at_end = "the words may stand anywhere in the passage, not at its end alone"
    equal = "the passage may hold more words than the answer: both need not be the same"
    grown = "a blank comes in the place of a citation: else the words at its sides grow together"
    none = "an answer that cites nothing is not supported"

    check(cited, "4 of a [3], x[i] and b [1][12]; [1, 2], again [3]").equals([3, 1, 12], near={
        repeated: [3, 1, 12, 3], by_size: [1, 3, 12], texts: ["3", "1", "12"], code: [3, 1, 12, 2],
        all_numbers: [4, 3, 1, 12, 2],
        "a number may have more than one digit": [3, 1],
    })
    passages = ["Sorted in Order,\nby name: first.", "This is the second.", "In order by NAME, too.", "by name"]
    lower = ["sorted in order by name first", "in order by name and size"]
    check(supported, "order by name [1]", lower).equals(True, near={
        taken_out: False, reverse: False, at_start: False, at_end: False, equal: False})
    check(supported, "by name [4]", passages).equals(True, near={taken_out: False, off: False})
    check(supported, "order by `name` [1]", [passages[0], passages[2]]).equals(
        True, near={taken_out: False, reverse: False, cased: False, at_start: False, at_end: False, equal: False})
    check(supported, "order by name [2]", passages).equals(False, near={
        elsewhere: True, none: True, off: True, enough: True})
    check(supported, "in order [2][1]", [lower[0], *passages[1:]]).equals(
        True, near={every: False, first_only: False, taken_out: False, reverse: False, at_start: False, at_end: False,
                    equal: False})
    check(supported, "order name [1]", passages).equals(False, near={
        scattered: True, in_turn: True, some: True, enough: True})
    check(supported, "his is the [2]", passages).equals(False, near={parts: True, some: True, enough: True})
    check(supported, "order by name", passages).equals(False, near={none: True})
    other_numbers = "only citations are taken out: other numbers are words of the answer"
    other_brackets = "only citations are taken out: what stands in other brackets are words of the answer"
    zero, too_large = "[0] cites no passage", "a number above the last one cites no passage"
    passages = ["The default of x[i] is 5.", "Else it is 7."]
    check(supported, "default of x[i] is 4 [1]", passages).equals(False, near={
        other_numbers: True, some: True, enough: True})
    twice = ["the default of x[i] is 5 here", "its default of x[i] is 5"]
    check(supported, "default of x[i] is 5 [1]", twice).equals(True, near={
        other_brackets: False, taken_out: False, reverse: False, at_start: False, at_end: False, equal: False})
    check(supported, "it is 7 [3][0]", passages).equals(False, near={
        zero: True, elsewhere: True, none: True, too_large: IndexError})


score
