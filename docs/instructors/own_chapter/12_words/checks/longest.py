from helpers.checks import graded


@graded("longest", points=80)
def score(check):
    check(longest_word, ["a", "prize", "of", "today"]).equals(
        "prize",
        near={
            "the first of several that are as long counts": "today",
            "the shortest came": "a",
            "the length came, not the word": 5,
        },
    )
    ### BEGIN HIDDEN TESTS
    check.hidden()
    check.mistakes(
        {
            "the first of several that are as long counts": lambda tokens: sorted(tokens, key=len)[-1],
            "the shortest came": lambda tokens: min(tokens, key=len),
            "the length came, not the word": lambda tokens: max(map(len, tokens)),
        }
    )
    for _ in range(5):
        sizes = check.rng.integers(1, 9, size=12)
        tokens = ["".join(check.rng.choice(list("abcdefgh"), size=n)) for n in sizes]
        check(longest_word, tokens).equals(tokens[int(sizes.argmax())], about="random words")
    check(longest_word, []).equals("", about="no words", edge=True)
    ### END HIDDEN TESTS


score
