from helpers.checks import graded


@graded("cut", points=5)
def score(check):
    stripped = "the blank in front belongs to the piece: ' see', not 'see'"

    ### BEGIN MISTAKES
    import re

    import regex

    short, ends = "'(?:s|t|re|ve|m|ll|d)|", r"|\s+(?!\S)|\s+"

    def by(pattern, **flags):
        return lambda text: regex.findall(pattern, text, **flags)

    def cut(letters=r" ?\p{L}+", numbers=r"| ?\p{N}+", signs=r"| ?[^\s\p{L}\p{N}]+", first=short, last=ends):
        return by(first + letters + numbers + signs + last)

    check.mistakes({
        "white space is part of the pieces: str.split loses it": str.split,
        "letters and numbers are different pieces, and _ is a sign: \\w takes them all":
            by(short + r" ?\w+| ?[^\s\w]+" + ends),
        stripped: cut(r"\p{L}+", r"|\p{N}+", r"|[^\s\p{L}\p{N}]+"),
        "white space before a word leaves its last character for the word: rule 5 looks ahead": cut(last=r"|\s+"),
        "rule 1 comes first, before the signs: 'll is one piece": cut(first=""),
        "the last rule is missing: some white space is lost": cut(last=r"|\s+(?!\S)"),
        "white space was left out": cut(last=""),
        "letters of all scripts count, not only a to z": cut(" ?[a-zA-Z]+", "| ?[0-9]+", r"| ?[^\sa-zA-Z0-9]+"),
        "letters and numbers are Unicode's categories L and N: \\d lacks ² and ½, and str.isalpha is no rule here":
            cut(r" ?[^\W\d_]+", r"| ?\d+", r"| ?[^\s\p{L}\d]+"),
        "numbers are Unicode's category N: \\d lacks ² and ½": cut(numbers=r"| ?\d+", signs=r"| ?[^\s\p{L}\d]+"),
        "combining marks are signs here: only category L counts as letters":
            cut(r" ?[\p{L}\p{M}]+", signs=r"| ?[^\s\p{L}\p{M}\p{N}]+"),
        "'S and 'LL are not short forms: rule 1 knows lower case only": cut(first="(?i:'(?:s|t|re|ve|m|ll|d))|"),
        "at most one blank belongs to a piece": cut(r" *\p{L}+", r"| *\p{N}+", r"| *[^\s\p{L}\p{N}]+"),
        "a group in brackets makes findall give the group alone: write (?:...), or no brackets":
            by(r"'(s|t|re|ve|m|ll|d)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+" + ends),
        "only a blank is taken in front, not a line break or a tab":
            cut(r"\s?\p{L}+", r"|\s?\p{N}+", r"|\s?[^\s\p{L}\p{N}]+"),
        "each sign is a piece here: rule 4 takes as many as it can": cut(signs=r"| ?[^\s\p{L}\p{N}]"),
        "each number is cut whole, not digit by digit": cut(numbers=r"| ?\p{N}"),
        "numbers are cut after three digits here, as GPT-4 does: GPT-2 takes them whole": cut(numbers=r"| ?\p{N}{1,3}"),
        "each white space character became a piece of its own": cut(last=r"|\s"),
        "numbers take a blank in front, too": cut(numbers=r"|\p{N}+"),
        "signs take a blank in front, too": cut(signs=r"|[^\s\p{L}\p{N}]+"),
        "letters take a blank in front, too": cut(letters=r"\p{L}+"),
        "rule 1 takes no blank in front of a short form": cut(first=" ?'(?:s|t|re|ve|m|ll|d)|"),
        "the text was put in lower case": lambda s: cut()(s.lower()),
        "the text was stripped first: white space at its ends belongs to it": lambda s: cut()(s.strip()),
        "runs of blanks became one": lambda s: cut()(re.sub(" +", " ", s)),
        "the short forms are cut wherever they stand, also in front of more letters":
            cut(first=r"'(?:s|t|re|ve|m|ll|d)(?!\p{L})|"),
        "some of the short forms are missing": cut(first="'(?:s|t|ll)|"),
        "letters and numbers are different pieces: rules 2 and 3 are two":
            cut(r" ?[\p{L}\p{N}]+", "", r"| ?[^\s\p{L}\p{N}]+"),
        "rule 4 takes no white space but the one blank in front: [^\\s\\p{L}\\p{N}]": cut(signs=r"| ?[^\p{L}\p{N}]+"),
        "rule 1 knows the straight ' alone, not \u2019": cut(first="['\u2019](?:s|t|re|ve|m|ll|d)|"),
        "rule 5 looks at any white space, not at blanks alone": cut(last=r"| +(?!\S)|\s+"),
        "_ is a sign, not a letter": cut(r" ?[\p{L}_]+", signs=r"| ?[^\s\p{L}\p{N}_]+"),
    }, pre_tokenize)
    ### END MISTAKES
    check(pre_tokenize, "We'll  see 3 cats!\n").equals(
        ["We", "'ll", " ", " see", " 3", " cats", "!", "\n"],
        near={
            f"{stripped} (and its blanks are one piece)": ["We", "'ll", "  ", "see", " ", "3", " ", "cats", "!", "\n"],
        },
    )
    check(pre_tokenize, "größe_1 += 3.1416 # 24h").equals(
        ["größe", "_", "1", " +=", " 3", ".", "1416", " #", " 24", "h"]
    )
    check(pre_tokenize, "if x:\n\ty = 1").equals(["if", " x", ":", "\n", "\t", "y", " =", " 1"])
    check(pre_tokenize, "it's I'don 've für e\u0301 x2²+ WE'LL").equals(
        ["it", "'s", " I", "'d", "on", " '", "ve", " für", " e", "\u0301", " x", "2²", "+", " WE", "'", "LL"]
    )
    check(pre_tokenize, "a \ud8df").equals(
        ["a", " \ud8df"], about="a lone surrogate", edge=True,
        near={"a lone surrogate is a character, too; the library's way does not take it": UnicodeEncodeError},
    )
    ### BEGIN HIDDEN TESTS
    from tokenizers import pre_tokenizers

    check.hidden()
    level = pre_tokenizers.ByteLevel(add_prefix_space=False)

    def right(text):
        return [text[a:b] for _, (a, b) in level.pre_tokenize_str(text)]

    parts = ["they", "I", " ", "  ", "   ", "'re", "'s", "'S", "'ve", "'m", "'d", "'t", "'ll", "x", "12", "3.5", "_",
             "+=", "(", "):", "\n", "\t", "\n\n    ", "\r\n", "ü", "é", "E", "7", "...", "'", "don", "we"]
    code = ["def f(x):\n    return x**2  # ok\n\n", "a[i, :] += 1e-3\t\t", "if not  x:\n\t\tpass", "'tis said 'll "]
    for text in ["".join(check.rng.choice(parts, size=14)) for _ in range(4)]:
        check(pre_tokenize, text).equals(right(text), about="fresh texts")
    long = " ".join(check.rng.choice(parts, size=400))
    check(pre_tokenize, long).equals(right(long), about="a long text")
    for text in code[: 2 + int(check.rng.integers(3))]:
        check(pre_tokenize, text).equals(right(text), about="code")
    scripts = ["नमस्ते", "ශ්‍රී", "שָׁלוֹם", "中文字", " مرحبا", "½", "²", "Ⅷ", "٣", "🙂🙂", " ", "e\u0301", "\u00a0", "ß", "'",
               "\u3000", "\ufeff"]
    for _ in range(3):
        text = "".join(check.rng.choice(scripts, size=12))
        check(pre_tokenize, text).equals(right(text), about="many scripts")
    text = "a\u00a0b \u00a0 c\u2009d\u3000\u3000e\r\nf \ufeffg\x85h"
    check(pre_tokenize, text).equals(right(text), about="many kinds of white space")
    for text in ["it's she'd WE'LL you're''s", "the 's of 'tis, an 'll", "it\u2019s we\u2019ll I'm"]:
        check(pre_tokenize, text).equals(right(text), about="short forms")
    check(pre_tokenize, "").equals([], about="an empty text", edge=True)
    check(pre_tokenize, "\udc80\udfffb").equals(["\udc80\udfff", "b"], about="lone surrogates", edge=True)
    check(pre_tokenize, "   ").equals(["   "], about="only white space", edge=True)
    ### END HIDDEN TESTS


score
