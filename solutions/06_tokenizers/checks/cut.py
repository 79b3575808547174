from helpers.checks import graded


@graded("cut", points=8)
def score(check):
    stripped = "the blank in front belongs to the piece: ' see', not 'see'"

    ### BEGIN MISTAKES
    import re

    import regex

    short, ends = "'(?:s|t|re|ve|m|ll|d)|", r"|\s+(?!\S)|\s+"

    short_forms = ("s", "t", "re", "ve", "m", "ll", "d")
    some_forms = {
        f"a short form is missing: '{gone}": f"'(?:{'|'.join(form for form in short_forms if form != gone)})"
            for gone in short_forms
    }

    def by(pattern, **flags):
        return lambda text: regex.findall(pattern, text, **flags)

    def cut(letters=r" ?\p{L}+", numbers=r"| ?\p{N}+", signs=r"| ?[^\s\p{L}\p{N}]+", first=short, last=ends):
        return by(first + letters + numbers + signs + last)

    check.mistakes({words: cut(first=f"{kept}|") for words, kept in some_forms.items()} | {
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
        "letters of all scripts count: here all but a to z were lost": cut(" ?[a-zA-Z]+"),
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
        "the short forms are cut wherever they stand, even in front of more letters":
            cut(first=r"'(?:s|t|re|ve|m|ll|d)(?!\p{L})|"),
        "some of the short forms are missing": cut(first="'(?:s|t|ll)|"),
        "some of the short forms are missing: 've and 'd": cut(first="'(?:s|t|re|m|ll)|"),
        "letters and numbers are different pieces: rules 2 and 3 are two":
            cut(r" ?[\p{L}\p{N}]+", "", r"| ?[^\s\p{L}\p{N}]+"),
        "rule 4 takes no white space but the one blank in front: [^\\s\\p{L}\\p{N}]": cut(signs=r"| ?[^\p{L}\p{N}]+"),
        "rule 1 knows the straight ' alone, not \u2019": cut(first="['\u2019](?:s|t|re|ve|m|ll|d)|"),
        "rule 5 looks at any white space, not at blanks alone": cut(last=r"| +(?!\S)|\s+"),
        "some numbers were lost: rule 3 takes \\p{N}, and \\d lacks ² and ½": cut(numbers=r"| ?\d+"),
        "_ is a sign, not a letter": cut(r" ?[\p{L}_]+", signs=r"| ?[^\s\p{L}\p{N}_]+"),
    }, pre_tokenize)

    first_case = "'(?:s|t|re|ve|m|ll|d|S|T|RE|VE|M|LL|D)|"
    fits = r"[^\r\n\p{L}\p{N}]?"

    def today(first=f"(?i:{short[:-1]})|", front=fits, letters=r"[\p{L}\p{M}]+", numbers=r"|\p{N}{1,3}",
              signs=r"| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*", last=r"|\s*[\r\n]+|\s+(?!\S)|\s+"):
        return by(first + front + letters + numbers + signs + last)

    check.mistakes({words: today(first=f"(?i:{kept})|") for words, kept in some_forms.items()} | {
        "this is GPT-2's pattern: three of its rules have changed": cut(),
        "short forms count in mixed case, too, 'Ll as well as 'LL": today(first=first_case),
        "a line break is \\r, too, not \\n alone": today(last=rf"|\s*\n+{ends}"),
        "\\r is a line break, too, in each rule that names line breaks":
            today(front=r"[^\n\p{L}\p{N}]?", signs=r"| ?[^\s\p{L}\p{M}\p{N}]+\n*", last=rf"|\s*\n+{ends}"),
        "rule 5 goes as far as the last line break, not to the first": today(last=rf"|\s*?[\r\n]{ends}"),
        "some numbers were lost: rule 3 takes \\p{N}, and \\d lacks ² and ½": today(numbers=r"|\d{1,3}"),
        "'LL and 'S are short forms, too: upper and lower case count alike": today(first=short),
        "the short forms have a rule of their own, the first": today(first=""),
        "the first rule that fits wins: here the one that takes most did": today(first=f"(?p)(?i:{short[:-1]})|"),
        "a group in brackets makes findall give the group alone: write (?i:...)":
            by(rf"(?i:'(s|t|re|ve|m|ll|d))|{fits}[\p{{L}}\p{{M}}]+|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{M}}\p{{N}}]+"
               rf"[\r\n]*|\s*[\r\n]+{ends}"),
        "numbers are cut after three digits here": today(numbers=r"|\p{N}+"),
        "numbers are cut after three digits, not after each": today(numbers=r"|\p{N}"),
        "numbers are grouped from the left: what is left over stands last":
            today(numbers=r"|\p{N}{1,3}(?=(?:\p{N}{3})*(?!\p{N}))"),
        "nothing stands in front of numbers, not even a blank": today(numbers=r"| ?\p{N}{1,3}"),
        "groups of two or four digits: three is the most": today(numbers=r"|\p{N}{1,2}"),
        "marks belong to the letters: a vowel sign does not end a word":
            today(letters=r"\p{L}+", signs=r"| ?[^\s\p{L}\p{N}]+[\r\n]*"),
        "marks were lost: no rule takes them": today(letters=r"\p{L}+"),
        "a mark is no sign: rule 4 leaves it to rule 2": today(signs=r"| ?[^\s\p{L}\p{N}]+[\r\n]*"),
        "one sign or tab may stand in front of a word, not only a blank": today(front=" ?"),
        "one sign may stand in front of a word, not only white space": today(front=r"[^\S\r\n]?"),
        "a blank or tab may stand in front of a word, too, not only a sign": today(front=r"[^\s\p{L}\p{N}]?"),
        "nothing stands in front of a word here: one character may": today(front=""),
        "one character at most stands in front of a word": today(front=r"[^\r\n\p{L}\p{N}]*"),
        "no line break stands in front of a word": today(front=r"[^\p{L}\p{N}]?"),
        "no number stands in front of a word": today(front=r"[^\r\n\p{L}]?"),
        "the line breaks behind signs belong to them": today(signs=r"| ?[^\s\p{L}\p{M}\p{N}]+"),
        "all line breaks behind signs belong to them, not one": today(signs=r"| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]?"),
        "only line breaks go with the signs, no other white space": today(signs=r"| ?[^\s\p{L}\p{M}\p{N}]+\s*"),
        "signs take a blank in front, too": today(signs=r"|[^\s\p{L}\p{M}\p{N}]+[\r\n]*"),
        "rule 4 takes as many signs as it can": today(signs=r"| ?[^\s\p{L}\p{M}\p{N}][\r\n]*"),
        "rule 5 is missing: white space is cut behind its last line break": today(last=ends),
        "rule 5 begins with any white space, not with the line break": today(last=rf"|[\r\n]+{ends}"),
        "rule 6 is missing: white space before a word leaves its last character for the word":
            today(last=r"|\s*[\r\n]+|\s+"),
        "the last rule is missing: some white space is lost": today(last=r"|\s*[\r\n]+|\s+(?!\S)"),
        "white space was left out": today(last=""),
        "the text was put in lower case": lambda s: today()(s.lower()),
        "the text was stripped first: white space at its ends belongs to it": lambda s: today()(s.strip()),
        "numbers are Unicode's category N: \\d lacks ² and ½":
            today(front=r"[^\r\n\p{L}\d]?", numbers=r"|\d{1,3}", signs=r"| ?[^\s\p{L}\p{M}\d]+[\r\n]*"),
        "letters of all scripts count, not only a to z":
            today(letters="[a-zA-Z]+", signs=r"| ?[^\sa-zA-Z\p{N}]+[\r\n]*"),
    }, pre_tokenize_today)
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
    check(pre_tokenize, "it's I'don he'd I'm we're I've isn't 've für e\u0301 x2²+ WE'LL").equals(
        ["it", "'s", " I", "'d", "on", " he", "'d", " I", "'m", " we", "'re", " I", "'ve", " isn", "'t", " '", "ve",
         " für", " e", "\u0301", " x", "2²", "+", " WE", "'", "LL"]
    )
    check(pre_tokenize, "a \ud8df").equals(
        ["a", " \ud8df"], about="a lone surrogate", edge=True,
        near={"a lone surrogate is a character, too; the library's way does not take it": UnicodeEncodeError},
    )
    check(pre_tokenize_today, "We'LL pay 12345(नि)!\n\n  x").equals(
        ["We", "'LL", " pay", " ", "123", "45", "(नि", ")!\n\n", " ", " x"]
    )
    check(pre_tokenize_today, "if  x: \n\n\ty = (2024.5)\r\n z²\n#1a_b\nc\n").equals(
        ["if", " ", " x", ":", " \n\n", "\ty", " =", " (", "202", "4", ".", "5", ")\r\n", " z", "²", "\n", "#", "1",
         "a", "_b", "\n", "c", "\n"], about="code"
    )
    check(pre_tokenize_today, "it'sy'tx'rex'vex'mx \"I'Ds\" +--e\u0301 ((\u0301--\t7½ ").equals(
        ["it", "'s", "y", "'t", "x", "'re", "x", "'ve", "x", "'m", "x", " \"", "I", "'D", "s", "\"", " +--", "e\u0301",
         " ((", "\u0301", "--", "\t", "7½", " "]
    )
    check(pre_tokenize_today, "'Llama a\rb \rc").equals(
        ["'Ll", "ama", " a", "\r", "b", " \r", "c"], about="a short form in mixed case, and \\r alone", edge=True
    )
    check(pre_tokenize_today, "a \ud8df").equals(
        ["a", " \ud8df"], about="a lone surrogate, today", edge=True,
        near={"a lone surrogate is a character, too; the library's way does not take it": UnicodeEncodeError},
    )
    ### BEGIN HIDDEN TESTS
    from tokenizers import Regex, pre_tokenizers

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
    pattern = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}{1,3}"
               r"| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
    split = pre_tokenizers.Split(Regex(pattern), "isolated")

    def newer(text):
        return [text[a:b] for _, (a, b) in split.pre_tokenize_str(text)]

    more = [*parts, "'RE", "'Ve", "2024", "1234567", "(", "\n\n", " \n", "\t", "\u0301", "_x", "--"]
    for text in ["".join(check.rng.choice(more, size=16)) for _ in range(5)]:
        check(pre_tokenize_today, text).equals(newer(text), about="fresh texts, today")
    long = " ".join(check.rng.choice(more, size=400))
    check(pre_tokenize_today, long).equals(newer(long), about="a long text, today")
    lines = ["x = [1_000_000, 3.14159]\r\n\r\n", "  # two\n  \n", "a\n\n\n  b \n", "!?\n\n\n (x)\n y", "a\nb\r\nc\rd",
             "a \rb\t\r\rc"]
    for text in [*code, *lines]:
        check(pre_tokenize_today, text).equals(newer(text), about="code, today")
    for _ in range(3):
        text = "".join(check.rng.choice(scripts, size=12))
        check(pre_tokenize_today, text).equals(newer(text), about="many scripts, today")
    for digits in ("7", "42", "365", "1024", "65536", "3141592653"):
        check(pre_tokenize_today, f"n {digits}x").equals(newer(f"n {digits}x"), about="numbers")
    forms = ["it's she'd WE'LL you're''s", "THEY'VE I'M don'T 'Tis", "it\u2019s we\u2019LL I'm", "WE'LLsee I'MX don'Ts",
             "'lLo we'Res 'vEr"]
    for text in forms:
        check(pre_tokenize_today, text).equals(newer(text), about="short forms, today")
    check(pre_tokenize_today, "").equals([], about="an empty text, today", edge=True)
    check(pre_tokenize_today, " \n ").equals([" \n", " "], about="only white space, today", edge=True)
    ### END HIDDEN TESTS


score
