from helpers.checks import graded


@graded("ngrams", points=4)
def score(check):
    ### BEGIN MISTAKES
    from itertools import combinations, islice

    from helpers.chapters.spam.together import one_by_one

    says = {
        "last": "the last n-gram is missing: there are T - n + 1",
        "first": "the first n-gram is missing: begin at the first token",
        "only": "only the first n-gram is there: is the return inside the loop?",
        "only_text": "this is one n-gram, not the list of all: is the return inside the loop?",
        "overlap": "the windows must overlap: start at every token",
        "piece": "a shorter piece was added at the end; every n-gram has n tokens",
        "pieces": "shorter pieces were added at the end; every n-gram has n tokens",
        "shorter": "shorter n-grams do not belong in it",
        "longer": "these have n + 1 tokens; every n-gram has n tokens",
        "long_end": "these have n + 1 tokens, but for the last; every n-gram has n tokens",
        "one_less": "these have n - 1 tokens; every n-gram has n tokens",
        "less": "these have n - 1 tokens, and one is missing; every n-gram has n tokens",
        "pairs": "n is not always 2: use the argument n",
        "joined": "join the tokens with one space",
        "two_spaces": "join the tokens with one space, not with two",
        "underscore": "join the tokens with one space, not with an underscore",
        "after": "there is a space too many after each n-gram; join the tokens with one space",
        "before": "there is a space too many before each n-gram; join the tokens with one space",
        "tuples": "an n-gram is text here, not a tuple or a list: join the tokens with one space",
        "characters": "these are sequences of characters; n-grams of tokens are asked for",
        "letters": "these are sequences of characters, without the spaces; n-grams of tokens are asked for",
        "inside": "these are sequences of characters of each token; n-grams of tokens are asked for",
        "chosen": "these are all choices of n tokens; an n-gram is contiguous",
        "round": "the windows wrap around the end; the last n-gram ends with the last token",
        "reversed": "the tokens inside each n-gram are in reverse order",
        "ends": "an n-gram holds all n tokens, not the first and the last alone",
        "printed": "join the tokens with one space: str() of a list has brackets and quotes",
        "set": "a set has no order and no repeats: return a list",
        "one_letter": "tokens of one letter were dropped; they are tokens, too",
        "kept": "n-grams of an earlier call are still in the list: start each call with a new one",
        "short": "a text shorter than n has no n-grams",
        "tokens": "a text shorter than n has no n-grams, and its tokens are none",
        "blank": "a text shorter than n has no n-grams, not an empty one",
        "error": "a text shorter than n has no n-grams: return []",
        "index": "an index beyond the last token: the windows end where the text ends",
        "nothing": "n = 1 gives the tokens themselves",
        "repeats": "repeated n-grams must be kept",
        "lowered": "the letters were put into lower case; the tokens stay as they are",
        "much": "a text shorter than n has no n-grams, even when it is much shorter",
    }

    def near(**values):
        return {says[name]: value for name, value in values.items()}

    def mistakes(tokens, n):
        def pieces(count, size=n, join=" ", source=tokens):
            return [join.join(source[i : i + size]) for i in range(count)]

        total, text, run = len(tokens), " ".join(tokens), "".join(tokens)
        number = max(total - n + 1, 0)
        wanted = pieces(number)
        shorter, inside = [], []
        for size in range(1, n + 1):
            shorter += pieces(total - size + 1, size)
        for token in tokens:
            inside += [token[i : i + n] for i in range(len(token) - n + 1)]
        chosen = islice(combinations(tokens, n), 10_000)  # of 70 out of 90 there are too many
        long = [token for token in tokens if len(token) > 1]
        return near(
            last=wanted[:-1], first=wanted[1:], only=wanted[:1], only_text=" ".join(tokens[:n]),
            overlap=wanted[::n], piece=pieces(total - n + 2), pieces=pieces(total),
            shorter=shorter,
            longer=pieces(number - 1, n + 1), long_end=pieces(number, n + 1),
            one_less=pieces(total - n + 2, n - 1), less=pieces(number, n - 1), pairs=pieces(total - 1, 2),
            nothing=[] if n == 1 else wanted, one_letter=pieces(len(long) - n + 1, source=long),
            joined=pieces(number, join=""), underscore=pieces(number, join="_"),
            two_spaces=pieces(number, join="  "),
            after=[w + " " for w in wanted],
            before=[" " + w for w in wanted],
            tuples=[tuple(w.split()) for w in wanted],
            characters=[text[i : i + n] for i in range(len(text) - n + 1)],
            letters=[run[i : i + n] for i in range(len(run) - n + 1)],
            inside=inside,
            chosen=list(map(" ".join, chosen)), round=pieces(total, source=tokens * 2),
            ends=[tokens[i] + " " + tokens[i + n - 1] for i in range(number)],
            printed=[str(tokens[i : i + n]) for i in range(number)],
            reversed=[" ".join(w.split()[::-1]) for w in wanted], repeats=list(dict.fromkeys(wanted)), set=set(wanted),
            lowered=[w.lower() for w in wanted], index=IndexError,
            short=wanted or [text], tokens=wanted or tokens, blank=wanted or [""],
        )

    check.mistakes(one_by_one(mistakes, ["a", "b", "c"], 2), ngrams)
    ### END MISTAKES
    check(ngrams, ["this", "is", "a", "sentence"], 2).equals(
        ["this is", "is a", "a sentence"],
        near={"an index beyond the last token: the windows end where the text ends": IndexError},
    )
    check(ngrams, ["a", "sentence"], 3).equals(
        [], edge=True,
        near={
            "a text shorter than n has no n-grams: return []": ValueError,
            "an index beyond the last token: the windows end where the text ends": IndexError,
            "n-grams of an earlier call are still in the list: start each call with a new one":
                ["this is", "is a", "a sentence"],
        },
    )
    check(ngrams, ["a", "B", "a", "B"], 2).equals(["a B", "B a", "a B"], about="an n-gram twice")
    check(ngrams, ["see", "you"], 1).equals(["see", "you"], about="n = 1")
    ### BEGIN HIDDEN TESTS
    from sklearn.feature_extraction.text import CountVectorizer

    check.hidden()
    # What a list kept between calls holds by now.
    before = ["this is", "is a", "a sentence", "a B", "B a", "a B", "see", "you"]

    words = ["a", "No", "no", "Free", "I", "now", "never"]
    for n in (1, 2, 3, 4):
        tokens = [words[i] for i in check.rng.integers(0, 6, size=11)]
        place = int(check.rng.integers(1, 9))
        tokens += ["Free", "never", *tokens[place : place + 2]]
        analyzer = CountVectorizer(ngram_range=(n, n), token_pattern=r"\w+", lowercase=False).build_analyzer()
        wanted = analyzer(" ".join(tokens))
        check(ngrams, list(tokens), n).equals(wanted, about="random tokens", near=near(kept=before + wanted))
        before = before + wanted
    check(ngrams, [], 2).equals([], about="no tokens", edge=True, near=near(error=ValueError, kept=before))
    check(ngrams, ["see", "you"], 2).equals(
        ["see you"], about="as long as n", edge=True, near=near(kept=[*before, "see you"])
    )
    before = before + ["see you"]
    check(ngrams, ["a", "", "b"], 2).equals(
        ["a ", " b"], about="an empty token", edge=True, near={"an empty token is a token like any other": ["a b"]}
    )
    before = before + ["a ", " b"]
    many = [f"w{i}" for i in check.rng.permutation(90)]
    wanted = [" ".join(many[i : i + 70]) for i in range(21)]
    check(ngrams, list(many), 70).equals(wanted, about="a large n", edge=True, near=near(kept=before + wanted))
    before = before + wanted
    for tokens, n in ((["a"], 2), (["a", "b", "c"], 5)):
        text = " ".join(tokens)
        check(ngrams, list(tokens), n).equals(
            [], about="shorter than n", edge=True,
            near=near(error=ValueError, much=[text, text[2:]], kept=before),
        )
    ### END HIDDEN TESTS


score
