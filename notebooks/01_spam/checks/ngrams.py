from helpers.checks import graded


@graded("ngrams", points=4)
def score(check):
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the last n-gram is missing: there are T - n + 1": {
            1: ['this is', 'is a'],
            3: ['a B', 'B a'],
            4: ['see'],
        },
        "the first n-gram is missing: begin at the first token": {
            1: ['is a', 'a sentence'],
            3: ['B a', 'a B'],
            4: ['you'],
        },
        "only the first n-gram is there: is the return inside the loop?": {
            1: ['this is'],
            3: ['a B'],
            4: ['see'],
        },
        "this is one n-gram, not the list of all: is the return inside the loop?": {
            1: 'this is',
            2: 'a sentence',
            3: 'a B',
            4: 'see',
        },
        "the windows must overlap: start at every token": {
            1: ['this is', 'a sentence'],
            3: ['a B', 'a B'],
        },
        "a shorter piece was added at the end; every n-gram has n tokens": {
            1: ['this is', 'is a', 'a sentence', 'sentence'],
            2: ['a sentence'],
            3: ['a B', 'B a', 'a B', 'B'],
            4: ['see', 'you', ''],
        },
        "shorter pieces were added at the end; every n-gram has n tokens": {
            1: ['this is', 'is a', 'a sentence', 'sentence'],
            2: ['a sentence', 'sentence'],
            3: ['a B', 'B a', 'a B', 'B'],
        },
        "shorter n-grams do not belong in it": {
            1: ['this', 'is', 'a', 'sentence', 'this is', 'is a', 'a sentence'],
            2: ['a', 'sentence', 'a sentence'],
            3: ['a', 'B', 'a', 'B', 'a B', 'B a', 'a B'],
        },
        "these have n + 1 tokens; every n-gram has n tokens": {
            1: ['this is a', 'is a sentence'],
            3: ['a B a', 'B a B'],
            4: ['see you'],
        },
        "these have n + 1 tokens, but for the last; every n-gram has n tokens": {
            1: ['this is a', 'is a sentence', 'a sentence'],
            3: ['a B a', 'B a B', 'a B'],
            4: ['see you', 'you'],
        },
        "these have n - 1 tokens; every n-gram has n tokens": {
            1: ['this', 'is', 'a', 'sentence'],
            2: ['a sentence'],
            3: ['a', 'B', 'a', 'B'],
            4: ['', '', ''],
        },
        "these have n - 1 tokens, and one is missing; every n-gram has n tokens": {
            1: ['this', 'is', 'a'],
            3: ['a', 'B', 'a'],
            4: ['', ''],
        },
        "tokens of one letter were dropped; they are tokens, too": {
            1: ['this is', 'is sentence'],
            3: [],
        },
        "join the tokens with one space": {
            1: ['thisis', 'isa', 'asentence'],
            3: ['aB', 'Ba', 'aB'],
        },
        "join the tokens with one space, not with an underscore": {
            1: ['this_is', 'is_a', 'a_sentence'],
            3: ['a_B', 'B_a', 'a_B'],
        },
        "join the tokens with one space, not with two": {
            1: ['this  is', 'is  a', 'a  sentence'],
            3: ['a  B', 'B  a', 'a  B'],
        },
        "there is a space too many after each n-gram; join the tokens with one space": {
            1: ['this is ', 'is a ', 'a sentence '],
            3: ['a B ', 'B a ', 'a B '],
            4: ['see ', 'you '],
        },
        "there is a space too many before each n-gram; join the tokens with one space": {
            1: [' this is', ' is a', ' a sentence'],
            3: [' a B', ' B a', ' a B'],
            4: [' see', ' you'],
        },
        "an n-gram is text here, not a tuple or a list: join the tokens with one space": {
            1: [('this', 'is'), ('is', 'a'), ('a', 'sentence')],
            3: [('a', 'B'), ('B', 'a'), ('a', 'B')],
            4: [('see',), ('you',)],
        },
        "these are sequences of characters; n-grams of tokens are asked for": {
            1: ['th', 'hi', 'is', 's ', ' i', 'is', 's ', ' a', 'a ', ' s', 'se', 'en', 'nt', 'te', 'en', 'nc',
             'ce'],
            2: ['a s', ' se', 'sen', 'ent', 'nte', 'ten', 'enc', 'nce'],
            3: ['a ', ' B', 'B ', ' a', 'a ', ' B'],
            4: ['s', 'e', 'e', ' ', 'y', 'o', 'u'],
        },
        "these are sequences of characters, without the spaces; n-grams of tokens are asked for": {
            1: ['th', 'hi', 'is', 'si', 'is', 'sa', 'as', 'se', 'en', 'nt', 'te', 'en', 'nc', 'ce'],
            2: ['ase', 'sen', 'ent', 'nte', 'ten', 'enc', 'nce'],
            3: ['aB', 'Ba', 'aB'],
            4: ['s', 'e', 'e', 'y', 'o', 'u'],
        },
        "these are sequences of characters of each token; n-grams of tokens are asked for": {
            1: ['th', 'hi', 'is', 'is', 'se', 'en', 'nt', 'te', 'en', 'nc', 'ce'],
            2: ['sen', 'ent', 'nte', 'ten', 'enc', 'nce'],
            3: [],
            4: ['s', 'e', 'e', 'y', 'o', 'u'],
        },
        "these are all choices of n tokens; an n-gram is contiguous": {
            1: ['this is', 'this a', 'this sentence', 'is a', 'is sentence', 'a sentence'],
            3: ['a B', 'a a', 'a B', 'B a', 'B B', 'a B'],
        },
        "the windows wrap around the end; the last n-gram ends with the last token": {
            1: ['this is', 'is a', 'a sentence', 'sentence this'],
            2: ['a sentence a', 'sentence a sentence'],
            3: ['a B', 'B a', 'a B', 'B a'],
        },
        "join the tokens with one space: str() of a list has brackets and quotes": {
            1: ["['this', 'is']", "['is', 'a']", "['a', 'sentence']"],
            3: ["['a', 'B']", "['B', 'a']", "['a', 'B']"],
            4: ["['see']", "['you']"],
        },
        "the tokens inside each n-gram are in reverse order": {
            1: ['is this', 'a is', 'sentence a'],
            3: ['B a', 'a B', 'B a'],
        },
        "a set has no order and no repeats: return a list": {
            1: {'a sentence', 'is a', 'this is'},
            2: set(),
            3: {'B a', 'a B'},
            4: {'see', 'you'},
        },
        "n is not always 2: use the argument n": {
            2: ['a sentence'],
            4: ['see you'],
        },
        "a text shorter than n has no n-grams": {
            2: ['a sentence'],
        },
        "a text shorter than n has no n-grams, and its tokens are none": {
            2: ['a', 'sentence'],
        },
        "a text shorter than n has no n-grams, not an empty one": {
            2: [''],
        },
        "repeated n-grams must be kept": {
            3: ['a B', 'B a'],
        },
        "the letters were put into lower case; the tokens stay as they are": {
            3: ['a b', 'b a', 'a b'],
        },
        "n = 1 gives the tokens themselves": {
            4: [],
        },
        "an n-gram holds all n tokens, not the first and the last alone": {
            4: ['see see', 'you you'],
        },
    })
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


score
