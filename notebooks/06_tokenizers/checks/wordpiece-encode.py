from helpers.checks import graded


@graded("wordpiece-encode", points=6)
def score(check):
    tokens = {"un", "u", "##n", "##aff", "##a", "##ff", "##able", "##f", "aff", "able"}
    half = "if a part cannot be cut, the whole word is unknown"
    each = "each character that cannot be cut became unknown: the whole word is"
    shortest = "the longest token that fits is taken, here it is the shortest"
    no_mark = "what continues a word begins with ##"
    check(wordpiece, "unaffable", tokens).equals(["un", "##aff", "##able"], near={
        shortest: ["u", "##n", "##a", "##f", "##f", "##able"], no_mark: ["un", "aff", "able"],
        "the ## belongs to the tokens": ["un", "aff", "able"],
    })
    check(wordpiece, "unaffected", tokens).equals(["[UNK]"], near={
        half: ["un", "##aff", "[UNK]"], "an unknown part was left out: the whole word is unknown": ["un", "##aff"],
        each: ["un", "##aff", *["[UNK]"] * 5],
    })
    check(wordpiece, "unff", tokens, "?", 3).equals(["?"], near={
        "the argument longest was ignored": ["un", "##ff"], "the argument unknown was ignored": ["[UNK]"],
    })
    check(wordpiece, "unff", tokens, "?", 4).equals(["un", "##ff"], near={
        "a word of exactly `longest` characters is still cut": ["?"]})
    back = "greedy never looks back: what was taken stays, then the word is unknown"
    check(wordpiece, "affle", tokens | {"af", "##fle"}).equals(["[UNK]"], near={back: ["af", "##fle"]})
    check(wordpiece, "Able", tokens).equals(["[UNK]"], near={"the word was put in lower case": ["able"]})


score
