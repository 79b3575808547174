from helpers.checks import graded


@graded("wordpiece-encode", points=6)
def score(check):
    shortest = "the longest token that fits is taken, here it is the shortest"

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "a character is left out behind each token: the next token begins where the last one ended": {
            1: ['[UNK]'],
            4: ['un', '##ff'],
            5: ['?'],
            7: ['table'],
        },
        "inside a word only tokens with ## fit: a plain one was taken, where it is as long as one with ##": {
            1: ['un', 'aff', 'able'],
            4: ['un', 'aff', '##é'],
            5: ['un', 'able'],
        },
        "the longest token that fits is taken, here it is the shortest": {
            1: ['[UNK]'],
            4: ['u', '##n', '##a', '##f', '##f', '##é'],
            5: ['?'],
            7: ['ta', '##b', '##l', '##es'],
        },
        "what continues a word begins with ##": {
            1: ['un', 'aff', 'able'],
            4: ['?'],
            5: ['un', 'able'],
        },
        "the ## belongs to the tokens": {
            1: ['un', 'aff', 'able'],
            4: ['un', 'aff', 'é'],
            5: ['un', 'able'],
        },
        "the first token has no ##": {
            1: ['##un', '##aff', '##able'],
            4: ['##un', '##aff', '##é'],
            5: ['##un', '##able'],
        },
        "all that is left of a word may be one token, too: the end goes up to the word's length": {
            1: ['[UNK]'],
            4: ['?'],
            5: ['?'],
        },
        "the start moves on by the characters of the word: the ## is none of them": {
            1: ['[UNK]'],
            4: ['un', '##aff'],
        },
        "if a part cannot be cut, the whole word is unknown": {
            2: ['un', '##aff', '[UNK]'],
            7: ['table', '[UNK]'],
        },
        "each character that cannot be cut became unknown: the whole word is": {
            2: ['un', '##aff', '[UNK]', '[UNK]', '[UNK]', '[UNK]', '[UNK]'],
            7: ['table', '[UNK]'],
            8: ['[UNK]', '[UNK]', '[UNK]', '[UNK]'],
        },
        "an unknown part was left out: the whole word is unknown": {
            2: ['un', '##aff'],
            7: ['table'],
            8: [],
        },
        "an unknown part came along as it is: the whole word is unknown": {
            2: ['un', '##aff', 'ected'],
            7: ['table', 's'],
            8: ['Able'],
        },
        "an unknown word gives one token, not none": {
            2: [],
            7: [],
            8: [],
        },
        "a list is asked, even where it is [unknown] alone": {
            2: '[UNK]',
            3: '?',
            7: '[UNK]',
            8: '[UNK]',
        },
        "the argument longest was ignored": {
            3: ['un', '##aff', '##é'],
        },
        "the argument unknown was ignored": {
            3: ['[UNK]'],
        },
        "a part of one character may be a token, too": {
            4: ['?'],
        },
        "longest counts characters, not bytes": {
            4: ['?'],
        },
        "a word of exactly `longest` characters is still cut": {
            4: ['?'],
            5: ['?'],
        },
        "the fewest tokens were sought: greedy takes the longest at each place, come what may": {
            7: ['ta', '##bles'],
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
    check(wordpiece, "unaffé", tokens | {"##é"}, "?", 5).equals(["?"])
    check(wordpiece, "unaffé", tokens | {"##é"}, "?", 6).equals(["un", "##aff", "##é"])
    check(wordpiece, "unable", tokens, "?", 6).equals(["un", "##able"])
    none = {"the empty word has no tokens, not even the unknown one": ["[UNK]"], "the empty word has no tokens": [""]}
    check(wordpiece, "", tokens).equals([], about="an empty word", edge=True, near=none)
    back = "greedy never looks back: what was taken stays, then the word is unknown"
    check(wordpiece, "tables", {"table", "tab", "##l", "##es", "ta", "##b", "##bles", "##ables"}).equals(
        ["[UNK]"],
        near={back: ["tab", "##l", "##es"]},
    )
    check(wordpiece, "Able", tokens).equals(["[UNK]"], near={"the word was put in lower case": ["able"]})


score
