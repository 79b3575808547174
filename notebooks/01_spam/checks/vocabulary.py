from helpers.checks import graded


@graded("vocabulary", points=6)
def score(check):
    kept = "counts of an earlier call are kept; start from nothing in each call"
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "ties are broken by order of appearance; sort them by the alphabet": {
            1: ['you', 'now', 'free', 'see'],
            2: ['c', 'a'],
            3: ['B', 'a', 'b', 'C'],
            4: ['not spam', 'a'],
        },
        "the alphabet decides before the count does; the count comes first": {
            1: ['bus', 'free', 'now', 'prize'],
            3: ['B', 'C', 'a', 'b'],
        },
        "the chosen words are in alphabetical order; the most frequent comes first": {
            1: ['free', 'now', 'see', 'you'],
            3: ['B', 'C', 'a', 'b'],
        },
        "the rarest come first; reverse the order": {
            1: ['bus', 'prize', 'free', 'now'],
            2: ['d', 'a'],
            3: ['C', 'b', 'B', 'a'],
        },
        "ties are in reverse alphabetical order": {
            1: ['you', 'see', 'now', 'free'],
            2: ['c', 'b'],
            3: ['a', 'B', 'b', 'C'],
            4: ['spam', 'not spam'],
        },
        "documents were counted, not occurrences: a word twice in one document counts twice": {
            1: ['free', 'now', 'see', 'bus'],
            3: ['B', 'C', 'a', 'b'],
        },
        "ties are broken by the alphabet, not by the length of the words": {
            1: ['you', 'now', 'see', 'free'],
            4: ['a', 'spam'],
        },
        "the counts of a document are added to those before it: update() of a dict puts them in their place": {
            1: ['you', 'bus', 'free', 'now'],
            2: ['b', 'c'],
        },
        "only the first document was counted": {
            1: ['free', 'now', 'prize'],
            2: ['c', 'a'],
            3: ['B', 'b'],
        },
        "only the last document was counted": {
            1: ['bus', 'free', 'see'],
            2: ['b', 'a'],
            3: ['a', 'C'],
            4: ['spam'],
        },
        "`size` was ignored": {
            1: ['you', 'free', 'now', 'see', 'bus', 'prize'],
            2: ['a', 'b', 'c', 'd'],
            4: ['a', 'not spam', 'spam'],
        },
        "one word too few was kept": {
            1: ['you', 'free', 'now'],
            2: ['a'],
            4: ['a'],
        },
        "one word too many was kept": {
            1: ['you', 'free', 'now', 'see', 'bus'],
            2: ['a', 'b', 'c'],
            4: ['a', 'not spam', 'spam'],
        },
        "each word stands once in the vocabulary": {
            1: ['you', 'you', 'you', 'free'],
            2: ['a', 'a'],
            3: ['B', 'B', 'a', 'a', 'C', 'b'],
            4: ['a', 'a'],
        },
        "the words are asked for, without their counts": {
            1: [('you', 3), ('free', 2), ('now', 2), ('see', 2)],
            2: [('a', 2), ('b', 2)],
            3: [('B', 2), ('a', 2), ('C', 1), ('b', 1)],
            4: [('a', 2), ('not spam', 2)],
        },
        "the vocabulary has no entry for unseen words: their id comes after the last position": {
            1: ['you', 'free', 'now', 'see', '<unk>'],
            2: ['a', 'b', '<unk>'],
            3: ['B', 'a', 'C', 'b', '<unk>'],
            4: ['a', 'not spam', '<unk>'],
        },
        "the vocabulary holds `size` words: no place is kept for unseen words": {
            1: ['you', 'free', 'now', '<unk>'],
            2: ['a', '<unk>'],
            3: ['B', 'a', 'C', 'b', '<unk>'],
            4: ['a', '<unk>'],
        },
        "the vocabulary holds `size` words: no place is kept for unseen words at the front": {
            1: ['<unk>', 'you', 'free', 'now'],
            2: ['<unk>', 'a'],
            3: ['<unk>', 'B', 'a', 'C', 'b'],
            4: ['<unk>', 'a'],
        },
        "the words were cut off by order of appearance; sort all of them before you cut": {
            2: ['a', 'c'],
        },
        "words of one letter were left out": {
            2: [],
            3: [],
            4: ['not spam', 'spam'],
        },
        "ties follow Python's own order of strings, capitals first; do not lower the words": {
            3: ['a', 'B', 'b', 'C'],
        },
        "the tokens were put into lower case; take them as they come": {
            3: ['b', 'a', 'c'],
        },
        "words that occur once were left out": {
            3: ['B', 'a'],
        },
        "there are fewer words than `size`: return all of them, and no filling": {
            3: ['B', 'a', 'C', 'b', '', '', '', '', ''],
        },
        "a token may hold a space: do not join and split the tokens again": {
            4: ['spam', 'a'],
        },
        "whole tokens are counted: a word was also found inside longer ones": {
            4: ['a', 'spam'],
        },
        "the unseen word was dropped; it gets the id len(vocabulary)": {
            5: [1, 0],
            6: [1, 2, 1],
        },
        "the unseen word gets -1, which in NumPy means the last one; use len(vocabulary)": {
            5: [1, -1, 0],
            6: [1, -1, 2, -1, 1],
        },
        "ids start at 0, not at 1": {
            5: [2, 3, 1],
            6: [2, 4, 3, 4, 2],
        },
        "ids start at 0, not at 1 (the unseen word is right)": {
            5: [2, 2, 1],
            6: [2, 3, 3, 3, 2],
        },
        "ids start at 0, not at 1, and 0 is not the unseen word": {
            5: [2, 0, 1],
            6: [2, 0, 3, 0, 2],
        },
        "the unseen word shares the id 0 with the first word; use len(vocabulary)": {
            5: [1, 0, 0],
            6: [1, 0, 2, 0, 1],
        },
        "None is no id; the unseen word gets len(vocabulary)": {
            5: [1, None, 0],
            6: [1, None, 2, None, 1],
        },
        "the unseen word shares the id of the last word; use len(vocabulary), not one less": {
            5: [1, 1, 0],
            6: [1, 2, 2, 2, 1],
        },
        "the unseen word gets len(vocabulary), not one more": {
            5: [1, 3, 0],
            6: [1, 4, 2, 4, 1],
        },
        "the unseen word gets len(vocabulary), not len(tokens)": {
            5: [1, 3, 0],
            6: [1, 5, 2, 5, 1],
        },
        "the first word has the position 0, which counts as False: ask `in` or `is None` instead": {
            5: [1, 2, 2],
        },
        "the ids keep the order of the tokens; do not sort them": {
            5: [0, 1, 2],
            6: [1, 1, 2, 3, 3],
        },
        "ids are numbers, not text": {
            5: ['1', '2', '0'],
            6: ['1', '3', '2', '3', '1'],
        },
        "all unseen words share one id, len(vocabulary)": {
            6: [1, 3, 2, 4, 1],
        },
        "the ids are positions in the vocabulary as it is given, not in the alphabet": {
            6: [1, 3, 0, 3, 1],
        },
        "binary search needs words in the order of the alphabet; the vocabulary has another order": {
            6: [3, 3, 3, 3, 3],
        },
        "binary search needs words in the order of the alphabet; the vocabulary has another order, for np.searchsorted as for bisect": {
            6: [3, 3, 3, 3, 3],
        },
        "each token gets its id, each time that it occurs": {
            6: [1, 3, 2, 3],
        },
        "the tokens were put into lower case; look them up as they come": {
            6: [1, 3, 2, 1, 1],
        },
        "the positions of an earlier vocabulary are kept; make them anew in each call": {
            6: [1, 3, 0, 3, 1],
        },
    })
    documents = [["now", "prize", "free"], ["you", "see", "you", "now", "you"], ["free", "bus", "see"]]
    check(build_vocabulary, documents, 4).equals(["you", "free", "now", "see"])
    check(build_vocabulary, [["c", "a", "c"], ["a", "b", "b", "d"]], 2).equals(["a", "b"], near={kept: ["you", "a"]})
    check(build_vocabulary, [["B", "b", "B"], ["a", "a", "C"]], 9).equals(
        ["B", "a", "C", "b"], about="capitals, and fewer words than `size`",
        near={
            "there are fewer words than `size`: return all of them": IndexError,
            "there are fewer words than `size`: return all of them, without an error": ValueError,
            "there are fewer words than `size`: return all of them, without '<unk>' for those that lack":
                ["B", "a", "C", "b", *["<unk>"] * 5],
        },
    )
    documents = [["not spam", "a"], ["not spam", "spam", "a"], ["spam"]]
    check(build_vocabulary, documents, 2).equals(["a", "not spam"], about="tokens that hold a space")

    check(to_token_ids, ["b", "z", "a"], ["a", "b"]).equals(
        [1, 2, 0],
        near={
            "an unseen word must get an id, not a KeyError": KeyError,
            "an unseen word must get an id, not a ValueError": ValueError,
        },
    )
    check(to_token_ids, ["b", "Z", "a", "B", "b"], ["c", "b", "a"]).equals(
        [1, 3, 2, 3, 1], about="two unseen words, and a word twice"
    )


score
