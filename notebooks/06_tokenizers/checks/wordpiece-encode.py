from helpers.checks import graded


@graded("wordpiece-encode", points=6)
def score(check):
    tokens = {"un", "##un", "u", "##n", "##aff", "##a", "##ff", "##able", "##f", "aff", "able"}
    half = "if a part cannot be cut, the whole word is unknown"
    each = "each character that cannot be cut became unknown: the whole word is"
    shortest = "the longest token that fits is taken, here it is the shortest"
    shown = "the ## belongs to the tokens"
    no_mark = "what continues a word begins with ##"
    inside = "inside a word only tokens with ## fit: a plain one was taken"
    as_long = f"{inside}, where it is as long as one with ##"
    jumped = "the start moves on by the characters of the word: the ## is none of them"
    letters = "at the beginning only tokens without ## fit: the letters of one with ## were taken"
    never_whole = "all that is left of a word may be one token, too: the end goes up to the word's length"
    check(wordpiece, "unaffable", tokens).equals(["un", "##aff", "##able"], near={
        **{words: ["[UNK]"] for words in [never_whole, shortest, jumped]},
        f"{shortest}, but for the last": ["u", "##n", "##a", "##f", "##f", "##able"],
        **{words: ["un", "aff", "able"] for words in [no_mark, shown, as_long, letters]},
    })
    nothing = {"where no part fits, the word is unknown: next finds nothing then": StopIteration,
               "where no part fits, the word is unknown: max of nothing is an error": ValueError}
    check(wordpiece, "unaffected", tokens).equals(["[UNK]"], near=nothing | {
        half: ["un", "##aff", "[UNK]"], "an unknown part was left out: the whole word is unknown": ["un", "##aff"],
        each: ["un", "##aff", *["[UNK]"] * 5],
    })
    check(wordpiece, "unaff", tokens, "?", 4).equals(["?"], near={
        "the argument longest was ignored": ["un", "##aff"], "the argument unknown was ignored": ["[UNK]"],
    })
    first_mark = "the first token has no ##"
    check(wordpiece, "unaff", tokens, "?", 5).equals(["un", "##aff"], near={
        **{words: ["?"] for words in ["a word of exactly `longest` characters is still cut", never_whole]},
        **{words: ["un", "aff"] for words in [no_mark, shown, as_long, letters]},
        first_mark: ["##un", "##aff"],
    })
    back = "greedy never looks back: what was taken stays, then the word is unknown"
    fewer = "the fewest tokens were sought: greedy takes the longest at each place, come what may"
    from_right = "the word is cut from the left, not from the right"
    check(wordpiece, "tables", {"table", "tab", "##l", "##es", "ta", "##b", "##bles", "##ables"}).equals(
        ["[UNK]"], near={back: ["tab", "##l", "##es"], fewer: ["ta", "##bles"]})
    check(wordpiece, "Able", tokens).equals(["[UNK]"], near={"the word was put in lower case": ["able"]})


score
