from helpers.checks import graded


@graded("cut", points=5)
def score(check):
    split = "white space is part of the pieces: str.split loses it"
    stripped = "the blank in front belongs to the piece: ' see', not 'see'"
    greedy = "white space before a word leaves its last character for the word: rule 5 looks ahead"
    no_short = "rule 1 comes first, before the signs: 'll is one piece"
    some = "some of the short forms are missing"
    digits = "numbers are Unicode's category N: \\d lacks ² and ½"
    latin = "letters of all scripts count, not only a to z"
    capital = "'S and 'LL are not short forms: rule 1 knows lower case only"
    marks = "combining marks are signs here: only category L counts as letters"
    spaced = "rule 1 takes no blank in front of a short form"
    words = "letters and numbers are different pieces, and _ is a sign: \\w takes them all"
    group = "a group in brackets makes findall give the group alone: write (?:...), or no brackets"
    blank = "only a blank is taken in front, not a line break or a tab"
    any_white = "rule 5 looks at any white space, not at blanks alone"
    fused = "letters and numbers are different pieces: rules 2 and 3 are two"
    spacious = "rule 4 takes no white space but the one blank in front: [^\\s\\p{L}\\p{N}]"
    check(pre_tokenize, "We'll  see 3 cats!\n").equals(
        ["We", "'ll", " ", " see", " 3", " cats", "!", "\n"], near={
            split: ["We'll", "see", "3", "cats!"],
            stripped: ["We", "'ll", "  ", "see", " ", "3", " ", "cats", "!", "\n"],
            greedy: ["We", "'ll", "  ", "see", " 3", " cats", "!", "\n"],
            no_short: ["We", "'", "ll", " ", " see", " 3", " cats", "!", "\n"],
            spacious: ["We", "'ll", "  ", "see", " 3", " cats", "!\n"],
            group: ["", "ll", "", "", "", "", "", ""],
        }
    )
    check(pre_tokenize, "größe_1 += 3.1416 # 24h").equals(
        ["größe", "_", "1", " +=", " 3", ".", "1416", " #", " 24", "h"], near={
            split: ["größe_1", "+=", "3.1416", "#", "24h"],
            words: ["größe_1", " +=", " 3", ".", "1416", " #", " 24h"],
            fused: ["größe", "_", "1", " +=", " 3", ".", "1416", " #", " 24h"],
            spacious: ["größe", "_", "1", " += ", "3", ".", "1416", " # ", "24", "h"],
            stripped: ["größe", "_", "1", " ", "+=", " ", "3", ".", "1416", " ", "#", " ", "24", "h"],
            "each number is cut whole, not digit by digit": [
                "größe", "_", "1", " +=", " 3", ".", "1", "4", "1", "6", " #", " 2", "4", "h"],
            "numbers are cut after three digits here, as GPT-4 does: GPT-2 takes them whole": [
                "größe", "_", "1", " +=", " 3", ".", "141", "6", " #", " 24", "h"],
            latin: ["gr", "öß", "e", "_", "1", " +=", " 3", ".", "1416", " #", " 24", "h"],
            "each sign is a piece here: rule 4 takes as many as it can": [
                "größe", "_", "1", " +", "=", " 3", ".", "1416", " #", " 24", "h"],
            group: [""] * 10,
        }
    )
    check(pre_tokenize, "if x:\n\ty = 1").equals(
        ["if", " x", ":", "\n", "\t", "y", " =", " 1"], near={
            split: ["if", "x:", "y", "=", "1"], blank: ["if", " x", ":", "\n", "\ty", " =", " 1"],
            **{words: ["if", " x", ":", "\n\t", "y", " =", " 1"] for words in [greedy, any_white]},
            stripped: ["if", " ", "x", ":", "\n", "\t", "y", " ", "=", " ", "1"], group: [""] * 8,
        }
    )
    check(pre_tokenize, "it's I'd 've für e\u0301 x2²+ WE'LL").equals(
        ["it", "'s", " I", "'d", " '", "ve", " für", " e", "\u0301", " x", "2²", "+", " WE", "'", "LL"], near={
            digits: ["it", "'s", " I", "'d", " '", "ve", " für", " e", "\u0301", " x", "2", "²+", " WE", "'", "LL"],
            capital: ["it", "'s", " I", "'d", " '", "ve", " für", " e", "\u0301", " x", "2²", "+", " WE", "'LL"],
            marks: ["it", "'s", " I", "'d", " '", "ve", " für", " e\u0301", " x", "2²", "+", " WE", "'", "LL"],
            some: ["it", "'s", " I", "'", "d", " '", "ve", " für", " e", "\u0301", " x", "2²", "+", " WE", "'", "LL"],
            no_short: [
                "it", "'", "s", " I", "'", "d", " '", "ve", " für", " e", "\u0301", " x", "2²", "+", " WE", "'", "LL"],
            spaced: ["it", "'s", " I", "'d", " 've", " für", " e", "\u0301", " x", "2²", "+", " WE", "'", "LL"],
            words: ["it", "'s", " I", "'d", " '", "ve", " für", " e\u0301", " x2", "²+", " WE", "'", "LL"],
            latin: [
                "it", "'s", " I", "'d", " '", "ve", " f", "ü", "r", " e", "\u0301", " x", "2", "²+", " WE", "'", "LL"],
            split: ["it's", "I'd", "'ve", "für", "e\u0301", "x2²+", "WE'LL"],
            group: ["", "s", "", "d", *[""] * 11],
        }
    )
    check(pre_tokenize, "a \ud8df").equals(
        ["a", " \ud8df"], about="a lone surrogate", edge=True,
        near={"a lone surrogate is a character, too; the library's way does not take it": UnicodeEncodeError},
    )


score
