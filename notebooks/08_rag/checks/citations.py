from helpers.checks import graded


@graded("citations", points=4)
def score(check):
    zero, too_large = "[0] cites no passage", "a number above the last one cites no passage"
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the words may stand anywhere in the passage, not at its start alone": {
            2: False,
            4: False,
            6: False,
            7: False,
            11: False,
            16: False,
            18: False,
        },
        "the words may stand anywhere in the passage, not at its end alone": {
            2: False,
            4: False,
            6: False,
            7: False,
            11: False,
            16: False,
            18: False,
        },
        "the passage may hold more words than the answer: both need not be the same": {
            2: False,
            4: False,
            6: False,
            7: False,
            11: False,
            16: False,
            18: False,
        },
        "passages[0] is cited as [1]": {
            2: False,
            3: False,
            5: True,
        },
        "the citations must be taken out of the answer first": {
            2: False,
            3: False,
            4: False,
            6: False,
            7: False,
            11: False,
            16: False,
            18: False,
        },
        "the passage stands in the answer? It is the other way round": {
            2: False,
            4: False,
            6: False,
            7: False,
            11: False,
            16: False,
            18: False,
        },
        "capitals and marks do not count": {
            4: False,
        },
        "the words must stand in a passage that is cited": {
            5: True,
            19: True,
        },
        "an answer that cites nothing is not supported": {
            5: True,
            10: True,
            19: True,
        },
        "it is enough that one citation is there: the words must stand in the passage": {
            5: True,
            8: True,
            9: True,
            12: True,
            13: True,
            15: True,
            17: True,
        },
        "one of the cited passages is enough": {
            6: False,
            7: False,
        },
        "one of the cited passages is enough, and where there is none, nothing is supported": {
            6: False,
            7: False,
            19: True,
        },
        "only the first citation was looked at": {
            6: False,
            16: False,
        },
        "only the last citation was looked at": {
            7: False,
        },
        "the words must stand one after the other and in this order": {
            8: True,
            12: True,
            15: True,
        },
        "the words must stand one after the other and in this order, with no others between": {
            8: True,
            15: True,
        },
        "some of the words in common are not enough": {
            8: True,
            9: True,
            12: True,
            13: True,
            15: True,
            17: True,
        },
        "whole words only": {
            9: True,
            13: True,
        },
        "a blank comes in the place of a citation: else the words at its sides grow together": {
            11: False,
        },
        "citations are taken out of the answer alone: a passage keeps all its words": {
            15: True,
        },
        "a number that no passage has supports nothing, and another may still hold": {
            16: False,
        },
        "[0] cites no passage": {
            19: True,
        },
    })
    repeated = "each number once"
    by_size = "in the order in which they appear"
    texts = "the numbers are ints, not text"
    code = "[1, 2] and x[i] are code: only digits between the brackets count"
    all_numbers = "all numbers came, in brackets or not"
    check(cited, "4 of a [3], x[i] and b [1][12]; [1, 2], again [3]").equals([3, 1, 12], near={
        repeated: [3, 1, 12, 3], by_size: [1, 3, 12], texts: ["3", "1", "12"], code: [3, 1, 12, 2],
        all_numbers: [4, 3, 1, 12, 2],
        "a number may have more than one digit": [3, 1],
    })
    passages = ["Sorted in Order,\nby name: first.", "This is the second.", "In order by NAME, too.", "by name"]
    lower = ["sorted in order by name first", "in order by name and size"]
    check(supported, "order by name [1]", [lower[0], passages[1]]).equals(True)
    check(supported, "by name [4]", passages).equals(True)
    check(supported, "order by `name` [1]", [passages[0], passages[2]]).equals(
        True)
    check(supported, "order by name [2]", passages).equals(False)
    for answer in ("in order [2][1]", "in order [1][2]"):
        check(supported, answer, [lower[0], *passages[1:]]).equals(True)
    check(supported, "order name [1]", passages).equals(False)
    check(supported, "his is the [2]", passages).equals(False)
    check(supported, "order by name", passages).equals(False)
    check(supported, "order[1]by name", lower).equals(True, about="a citation between two words")
    check(supported, "name first in order [1][2]", lower).equals(False, about="over two passages", near={
        "the words must stand in one passage: those that are cited are not joined": True})
    check(supported, "sorted in ord [1]", lower).equals(False, about="a part of a word")
    check(supported, "[1]", ["..."]).equals(
        False, about="no words left", near={"an answer without words is not supported": True})
    check(supported, "it is 7 [1]", ["It [2] is 7."]).equals(False, about="a number in the passage, too")
    check(supported, "in order by name [9][1]", lower).equals(True, about="one number that is right")
    other_numbers = "only citations are taken out: other numbers are words of the answer"
    other_brackets = "only citations are taken out: what stands in other brackets are words of the answer"
    passages = ["The default of x[i] is 5.", "Else it is 7."]
    check(supported, "default of x[i] is 4 [1]", passages).equals(False, near={other_numbers: True})
    twice = ["the default of x[i] is 5 here", "its default of x[i] is 5"]
    check(supported, "default of x[i] is 5 [1]", twice).equals(True, near={other_brackets: False})
    check(supported, "it is 7 [3][0]", passages).equals(False, near={too_large: IndexError})


score
