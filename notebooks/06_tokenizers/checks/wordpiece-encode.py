from helpers.checks import graded


@graded("wordpiece-encode", points=6)
def score(check):
    shortest = "the longest token that fits is taken, here it is the shortest"

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "inside a word only tokens with ## fit: a plain one was taken, where it is as long as one with ##": {
            1: ['un', 'aff', 'able'],
            4: ['un', 'aff'],
        },
        "at the beginning only tokens without ## fit: the letters of one with ## were taken": {
            1: ['un', 'aff', 'able'],
            4: ['un', 'aff'],
        },
        "the longest token that fits is taken, here it is the shortest": {
            1: ['[UNK]'],
            4: ['u', '##n', '##a', '##f', '##f'],
            5: ['ta', '##b', '##l', '##es'],
        },
        "what continues a word begins with ##": {
            1: ['un', 'aff', 'able'],
            4: ['un', 'aff'],
        },
        "the ## belongs to the tokens": {
            1: ['un', 'aff', 'able'],
            4: ['un', 'aff'],
        },
        "the first token has no ##": {
            1: ['##un', '##aff', '##able'],
            4: ['##un', '##aff'],
        },
        "all that is left of a word may be one token, too: the end goes up to the word's length": {
            1: ['[UNK]'],
            4: ['?'],
        },
        "the start moves on by the characters of the word: the ## is none of them": {
            1: ['[UNK]'],
        },
        "if a part cannot be cut, the whole word is unknown": {
            2: ['un', '##aff', '[UNK]'],
            5: ['table', '[UNK]'],
        },
        "each character that cannot be cut became unknown: the whole word is": {
            2: ['un', '##aff', '[UNK]', '[UNK]', '[UNK]', '[UNK]', '[UNK]'],
            5: ['table', '[UNK]'],
            6: ['[UNK]', '[UNK]', '[UNK]', '[UNK]'],
        },
        "an unknown part was left out: the whole word is unknown": {
            2: ['un', '##aff'],
            5: ['table'],
            6: [],
        },
        "an unknown part came along as it is: the whole word is unknown": {
            2: ['un', '##aff', 'ected'],
            5: ['table', 's'],
            6: ['Able'],
        },
        "an unknown word gives one token, not none": {
            2: [],
            5: [],
            6: [],
        },
        "a list is asked, also where it is [unknown] alone": {
            2: '[UNK]',
            3: '?',
            5: '[UNK]',
            6: '[UNK]',
        },
        "the argument longest was ignored": {
            3: ['un', '##aff'],
        },
        "the argument unknown was ignored": {
            3: ['[UNK]'],
        },
        "a word of exactly `longest` characters is still cut": {
            4: ['?'],
        },
        "the fewest tokens were sought: greedy takes the longest at each place, come what may": {
            5: ['ta', '##bles'],
        },
    })
    tokens = {"un", "##un", "u", "##n", "##aff", "##a", "##ff", "##able", "##f", "aff", "able"}
    check(wordpiece, "unaffable", tokens).equals(
        ["un", "##aff", "##able"],
        near={f"{shortest}, but for the last": ["u", "##n", "##a", "##f", "##f", "##able"]},
    )
    nothing = {"where no part fits, the word is unknown: next finds nothing then": StopIteration,
               "where no part fits, the word is unknown: max of nothing is an error": ValueError}
    check(wordpiece, "unaffected", tokens).equals(["[UNK]"], near=nothing)
    check(wordpiece, "unaff", tokens, "?", 4).equals(["?"])
    check(wordpiece, "unaff", tokens, "?", 5).equals(["un", "##aff"])
    back = "greedy never looks back: what was taken stays, then the word is unknown"
    check(wordpiece, "tables", {"table", "tab", "##l", "##es", "ta", "##b", "##bles", "##ables"}).equals(
        ["[UNK]"],
        near={back: ["tab", "##l", "##es"]},
    )
    check(wordpiece, "Able", tokens).equals(["[UNK]"], near={"the word was put in lower case": ["able"]})


score
