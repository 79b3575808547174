from helpers.checks import graded


@graded("train", points=6)
def score(check):
    once = "how often each word occurs was ignored"
    single = "only one merge was made"
    same, few = "two words became the same: add up their counts", "one merge too few"
    more = "vocab_size is the number of tokens in all, alphabet and merges together"
    corpus = {tuple("raw_"): 1, tuple("how_"): 2, tuple("wow_"): 2, tuple("who_"): 1}
    check(train_bpe, corpus, list("_ahorw"), 8).equals([("w", "_"), ("o", "w_")], about="the four words", near={
        once: [("w", "_"), ("h", "o")], few: [("w", "_")], single: [("w", "_")],
        "counts are taken anew after each merge": [("w", "_"), ("o", "w")],
    })
    first_seen = "a tie: the ids decide, not which pair was seen first"
    letters = "a tie: the ids decide, the places in the alphabet, not the order of the letters"
    largest = "a tie: the smallest ids win, here it is the largest"
    left = "a tie of the left symbols: then the smallest id of the right symbol"
    in_text = "a tie: the ids decide, not the joined text"
    check(train_bpe, {tuple("bac"): 2, tuple("cbb"): 2}, list("bca"), 5).equals([("b", "b"), ("b", "a")], near={
        first_seen: [("b", "a"), ("ba", "c")], **{words: [("a", "c"), ("b", "ac")] for words in [letters, in_text]},
        largest: [("a", "c"), ("c", "b")], left: [("b", "a"), ("b", "b")],
    })
    right_alone = "a tie: the left id decides first, here only the right one did"
    shorter = "a tie: the ids decide, not the length of the joined symbol"
    rare = "a pair that occurs once is merged, too: only without any pair it ends"
    there = "a token that is there already does not make the vocabulary grow"
    words = {tuple("abc"): 5, ("ab", "c"): 3, tuple("dc"): 4, tuple("de"): 2, tuple("db"): 2, ("ab", "e"): 2,
             tuple("ec"): 1}
    known, all_of_them = ["a", "b", "ab", "c", "d", "e"], [
        ("a", "b"), ("ab", "c"), ("d", "c"), ("ab", "e"), ("d", "b"), ("d", "e"), ("e", "c")]
    check(train_bpe, words, known, 8).equals(
        all_of_them[:3], about="ab is known", near={
            there: all_of_them[:2], few: all_of_them[:2], f"{there}; {same}": [("a", "b"), ("d", "c")],
            same: [("a", "b"), ("d", "c"), ("ab", "c")]})
    left_none = "where no pair is left it ends"
    ended = {f"{left_none}: min or max of nothing is an error": ValueError,
             f"{left_none}: an empty list has no first item": IndexError, f"{left_none}: None is no pair": TypeError}
    check(train_bpe, words, known, 30).equals(all_of_them, about="until no pair is left", near={
        same: [
            ("a", "b"), ("d", "c"), ("ab", "c"), ("ab", "e"), ("d", "b"), ("d", "e"), ("e", "c")],
        left: [("a", "b"), ("ab", "c"), ("d", "c"), ("ab", "e"), ("d", "e"), ("d", "b"), ("e", "c")],
        first_seen: [("a", "b"), ("ab", "c"), ("d", "c"), ("d", "e"), ("d", "b"), ("ab", "e"), ("e", "c")],
        "a token that is made again keeps its id": [
            ("a", "b"), ("ab", "c"), ("d", "c"), ("d", "b"), ("d", "e"), ("ab", "e"), ("e", "c")],
        **{words: [
            ("a", "b"), ("ab", "c"), ("d", "c"), ("d", "b"), ("d", "e"), ("ab", "e"), ("e", "c")]
            for words in [right_alone, shorter]},
        rare: all_of_them[:-1],
        **ended,
    })


score
