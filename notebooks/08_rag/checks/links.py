from helpers.checks import graded


@graded("links", points=5)
def score(check):
    added = "the larger of both counts; they are not added"
    lent_on = "what is lent is not lent on: use the scores as they came"
    overwritten = "a document keeps its own score where that is larger"
    fixed = "share is ignored"
    backwards = "the links point from the document that lends to the one that gets"
    absent = "a document that is not in `links` links to none"
    own = "the found documents are missing: only those that are linked to came back"
    no_new = "a document that was only linked to is there, too"

    links = {"a": ["b", "c"], "c": ["d"]}
    check(spread, {"a": 8.0, "b": 1.0}, links, 0.5).equals({"a": 8, "b": 4, "c": 4}, near={
        added: {"a": 8, "b": 5, "c": 4}, lent_on: {"a": 8, "b": 4, "c": 4, "d": 2}, no_new: {"a": 8, "b": 4},
        absent: KeyError, own: {"b": 4, "c": 4},
    })
    chain, chained = {"a": ["b"], "b": ["c"]}, {"a": 8, "b": 4, "c": 0.5}
    check(spread, {"a": 8.0, "b": 1.0, "c": 0.25}, chain, 0.5).equals(chained, near={
        lent_on: {"a": 8, "b": 4, "c": 2}, added: {"a": 8, "b": 5, "c": 0.75}, absent: KeyError,
    })
    check(spread, {"a": 8.0, "b": 5.0, "c": 6.0}, links, 0.25).equals({"a": 8, "b": 5, "c": 6, "d": 1.5}, near={
        overwritten: {"a": 8, "b": 2, "c": 2, "d": 1.5}, fixed: {"a": 8, "b": 5, "c": 6, "d": 3},
        added: {"a": 8, "b": 7, "c": 8, "d": 1.5}, absent: KeyError, own: {"b": 2, "c": 2, "d": 1.5},
    })
    largest = "of several that lend the largest part counts, not the last"
    whole = "the score is lent whole: a share of it"
    links = {"a": ["b", "c"], "c": ["d"], "e": ["c", "b"]}
    check(spread, {"a": 8.0, "b": 3.0, "e": 7.0, "c": 0.0}, links).equals(
        {"a": 8, "b": 4, "c": 4, "d": 0, "e": 7}, about="the share that is not given, and two that lend", near={
        largest: {"a": 8, "b": 3.5, "e": 7, "c": 3.5, "d": 0}, whole: {"a": 8, "b": 8, "e": 7, "c": 8, "d": 0},
        "those that a document with the score 0 links to are there, too": {"a": 8, "b": 4, "e": 7, "c": 4},
        added: {"a": 8, "b": 10.5, "e": 7, "c": 7.5, "d": 0}, lent_on: {"a": 8, "b": 4, "e": 7, "c": 4, "d": 2},
        absent: KeyError, own: {"b": 4, "c": 4, "d": 0},
    })


score
