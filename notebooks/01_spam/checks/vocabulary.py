from helpers.checks import graded


@graded("vocabulary", points=6)
def score(check):
    appearance = "ties are broken by order of appearance; sort them by the alphabet"
    alphabet = "the alphabet decides before the count does; the count comes first"
    chosen = "the chosen words are in alphabetical order; the most frequent comes first"
    rarest, reverse = "the rarest come first; turn the order round", "ties are in reverse alphabetical order"
    messages = "documents were counted, not occurrences: a word twice in one document counts twice"
    length = "ties are broken by the alphabet, not by the length of the words"
    head, tail = "only the first document was counted", "only the last document was counted"
    ignored, fewer, more = "`size` was ignored", "one word too few was kept", "one word too many was kept"
    repeated, pairs = "each word stands once in the vocabulary", "the words are asked for, without their counts"
    kept = "counts of an earlier call are kept; start from nothing in each call"
    cut = "the words were cut off by order of appearance; sort all of them before you cut"
    short = "words of one letter were left out"
    place = "the vocabulary holds `size` words: no place is kept for unseen words"
    text_counts = "counts are numbers: as text, 10 comes before 9"
    entry = "the vocabulary has no entry for unseen words: their id comes after the last place"

    documents = [["now", "prize", "free"], ["you", "see", "you", "now", "you"], ["free", "bus", "see"]]
    check(build_vocabulary, documents, 4).equals(
        ["you", "free", "now", "see"],
        near={
            appearance: ["you", "now", "free", "see"], alphabet: ["bus", "free", "now", "prize"],
            chosen: ["free", "now", "see", "you"], rarest: ["bus", "prize", "free", "now"],
            reverse: ["you", "see", "now", "free"], messages: ["free", "now", "see", "bus"],
            length: ["you", "now", "see", "free"],
            head: ["free", "now", "prize"], tail: ["bus", "free", "see"],
            ignored: ["you", "free", "now", "see", "bus", "prize"], fewer: ["you", "free", "now"],
            more: ["you", "free", "now", "see", "bus"], repeated: ["you", "you", "you", "free"],
            pairs: [("you", 3), ("free", 2), ("now", 2), ("see", 2)], entry: ["you", "free", "now", "see", "<unk>"],
            place: ["you", "free", "now", "<unk>"], f"{place} at the front": ["<unk>", "you", "free", "now"],
        },
    )
    check(build_vocabulary, [["c", "a", "c"], ["a", "b", "b", "d"]], 2).equals(
        ["a", "b"],
        near={
            appearance: ["c", "a"], reverse: ["c", "b"], rarest: ["d", "a"], tail: ["b", "a"], cut: ["a", "c"],
            head: ["c", "a"], ignored: ["a", "b", "c", "d"], fewer: ["a"], more: ["a", "b", "c"], repeated: ["a", "a"],
            pairs: [("a", 2), ("b", 2)], entry: ["a", "b", "<unk>"], place: ["a", "<unk>"],
            f"{place} at the front": ["<unk>", "a"], kept: ["you", "a"], short: [],
        },
    )
    check(build_vocabulary, [["B", "b", "B"], ["a", "a", "C"]], 9).equals(
        ["B", "a", "C", "b"], about="capitals, and fewer words than `size`",
        near={
            "ties follow Python's own order of strings, capitals first; do not lower the words": ["a", "B", "b", "C"],
            "the tokens were lowered; take them as they come": ["b", "a", "c"],
            "words that occur once were left out": ["B", "a"],
            "there are fewer words than `size`: return all of them, and no filling": ["B", "a", "C", "b", *[""] * 5],
            "there are fewer words than `size`: return all of them": IndexError,
            "there are fewer words than `size`: return all of them, without an error": ValueError,
            short: [], appearance: ["B", "a", "b", "C"], reverse: ["a", "B", "b", "C"], alphabet: ["B", "C", "a", "b"],
            chosen: ["B", "C", "a", "b"], messages: ["B", "C", "a", "b"],
        },
    )

    dropped = "the unseen word was dropped; it gets the id len(vocabulary)"
    minus = "the unseen word gets -1, which in NumPy means the last one; use len(vocabulary)"
    one, zero = "ids start at 0, not at 1", "the unseen word shares the id 0 with the first word; use len(vocabulary)"
    nothing = "None is no id; the unseen word gets len(vocabulary)"
    last = "the unseen word shares the id of the last word; use len(vocabulary), not one less"
    beyond = "the unseen word gets len(vocabulary), not one more"
    tokens_long = "the unseen word gets len(vocabulary), not len(tokens)"
    false = "the first word has the place 0, which counts as False: ask `in` or `is None` instead"
    key, value = "an unseen word must get an id, not a KeyError", "an unseen word must get an id, not a ValueError"
    text = "ids are numbers, not text"
    given = "the ids are places in the vocabulary as it is given, not in the alphabet"
    again = "each token gets its id, each time that it occurs"
    search = "binary search needs words in the order of the alphabet; the vocabulary has another order"
    former = "the places of an earlier vocabulary are kept; make them anew in each call"
    in_order = "the ids stand in the order of the tokens; do not sort them"
    check(to_token_ids, ["b", "z", "a"], ["a", "b"]).equals(
        [1, 2, 0],
        near={
            dropped: [1, 0], minus: [1, -1, 0], one: [2, 3, 1], f"{one} (the unseen word is right)": [2, 2, 1],
            f"{one}, and 0 is not the unseen word": [2, 0, 1],
            zero: [1, 0, 0], nothing: [1, None, 0], last: [1, 1, 0], beyond: [1, 3, 0], tokens_long: [1, 3, 0],
            false: [1, 2, 2], in_order: [0, 1, 2], text: ["1", "2", "0"], key: KeyError, value: ValueError,
        },
    )
    check(to_token_ids, ["b", "Z", "a", "B", "b"], ["c", "b", "a"]).equals(
        [1, 3, 2, 3, 1], about="two unseen words, and a word twice",
        near={
            "all unseen words share one id, len(vocabulary)": [1, 3, 2, 4, 1],
            "the tokens were lowered; look them up as they come": [1, 3, 2, 1, 1],
            given: [1, 3, 0, 3, 1], former: [1, 3, 0, 3, 1], again: [1, 3, 2, 3], search: [3, 3, 3, 3, 3],
            dropped: [1, 2, 1], minus: [1, -1, 2, -1, 1], one: [2, 4, 3, 4, 2], zero: [1, 0, 2, 0, 1],
            last: [1, 2, 2, 2, 1], tokens_long: [1, 5, 2, 5, 1],
        },
    )


score
