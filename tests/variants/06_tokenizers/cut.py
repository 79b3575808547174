# %% base="the plain way"
def pre_tokenize(text):
    return regex.findall(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", text)
# %% wrong="split" says="str.split loses it" of="the plain way"
#~ return regex.findall(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", text) => return text.split()
# %% wrong="no look ahead" says="looks ahead" of="the plain way"
#~ s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S) => (?:s|t|re|ve|m|ll|d)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+
# %% wrong="word characters" says="takes them all" of="the plain way"
#~ s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}] => (?:s|t|re|ve|m|ll|d)| ?\w+| ?[^\s\w]
# %% wrong="digits" says="category N" of="the plain way"
#~ s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}] => (?:s|t|re|ve|m|ll|d)| ?\p{L}+| ?\d+| ?[^\s\p{L}\d]
# %% right="finditer"
def pre_tokenize(text):
    pattern = regex.compile(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+")
    return [found.group() for found in pattern.finditer(text)]
# %% right="by hand"
def pre_tokenize(text):
    import unicodedata
    def kind(c):
        if c.isspace():
            return "space"
        return unicodedata.category(c)[0] if unicodedata.category(c)[0] in "LN" else "sign"
    out, i = [], 0
    while i < len(text):
        short = next((s for s in ("'s", "'t", "'re", "'ve", "'m", "'ll", "'d") if text.startswith(s, i)), None)
        if short:
            out, i = [*out, short], i + len(short)
            continue
        j = i + (text[i] == " " and i + 1 < len(text) and kind(text[i + 1]) != "space")
        family = kind(text[j])
        end = j
        while end < len(text) and kind(text[end]) == family:
            end += 1
        if family == "space" and end < len(text) and end - i > 1:
            end -= 1
        out, i = [*out, text[i:end]], end
    return out
# %% wrong="case of the short forms ignored" says="lower case" of="the plain way"
#~ return regex.findall(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", text) => return regex.findall(r"(?i:'s|'t|'re|'ve|'m|'ll|'d)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", text)
# %% wrong="any white space in front instead of the blank" says="only a blank is taken" of="the plain way"
#~ return regex.findall(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", text) => return regex.findall(r"'s|'t|'re|'ve|'m|'ll|'d|\s?\p{L}+|\s?\p{N}+|\s?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", text)
# %% wrong="ASCII letters only" says="letters of all scripts" of="the plain way"
#~ \p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}] => [A-Za-z]+| ?[0-9]+| ?[^\sA-Za-z0-9]
# %% wrong="\\d instead of \\p{N}" says="category N" of="the plain way"
#~ p{N}+| ?[^\s\p{L}\p{N}] => d+| ?[^\s\p{L}\d]
# %% wrong="groups of three digits (GPT-4)" says="after three digits" of="the plain way"
#~ {N}+ => {N}{1,3}
# %% wrong="marks belong to letters" says="mark" of="the plain way"
#~ \p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}] => [\p{L}\p{M}]+| ?\p{N}+| ?[^\s\p{L}\p{M}\p{N}]
# %% wrong="no short form 'd and 've" says="short forms are missing" of="the plain way"
#~ 've|'m|'ll|'d => 'm|'ll
# %% wrong="rules in another order: signs before the short forms" says="rule 1" of="the plain way"
#~ return regex.findall(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", text) => return regex.findall(r" ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|'s|'t|'re|'ve|'m|'ll|'d|\s+(?!\S)|\s+", text)
# %% wrong="blank in front of the short forms, too" says="takes no blank" of="the plain way"
#~ return regex.findall(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", text) => return regex.findall(r" ?'(?:s|t|re|ve|m|ll|d)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", text)
# %% wrong="signs one by one" says="each sign is a piece" of="the plain way"
#~ [^\s\p{L}\p{N}]+ => [^\s\p{L}\p{N}]
# %% wrong="the library" says="a lone surrogate is a character"
def pre_tokenize(text):
    from tokenizers import pre_tokenizers
    cut = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return [text[a:b] for _, (a, b) in cut.pre_tokenize_str(text)]
# %% right="finditer, and a compiled pattern with names"
def pre_tokenize(text):
    rules = [r"'(?:[stmd]|re|ve|ll)", r"\ ?\p{Letter}+", r"\ ?\p{Number}+", r"\ ?(?:(?!\s|\p{L}|\p{N}).)+",
             r"\s+$", r"\s+(?=\s)", r"\s+"]
    found = regex.compile("|".join(rules), regex.DOTALL | regex.VERSION1)
    return [m.group() for m in found.finditer(text)]
# %% right="by hand, with categories"
def pre_tokenize(text):
    import unicodedata
    def kind(c):
        return "w" if regex.match(r"\s", c) else {"L": "l", "N": "n"}.get(unicodedata.category(c)[0], "s")
    out, i = [], 0
    while i < len(text):
        m = next((s for s in ("'s", "'t", "'re", "'ve", "'m", "'ll", "'d") if text.startswith(s, i)), None)
        if m:
            out.append(m)
            i += len(m)
            continue
        j = i + (text[i] == " " and i + 1 < len(text) and kind(text[i + 1]) != "w")
        k = kind(text[j])
        e = j
        while e < len(text) and kind(text[e]) == k:
            e += 1
        if k == "w" and e < len(text) and e - i > 1:
            e -= 1
        out.append(text[i:e])
        i = e
    return out
# %% wrong="a group in the pattern" says="a group in brackets makes findall give the group alone" of="the plain way"
#~ s|'t|'re|'ve|'m|'ll|'d => (s|t|re|ve|m|ll|d)
# %% wrong="rule 4 takes white space" says="rule 4 takes no white space" of="the plain way"
#~ return regex.findall(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", text) => return regex.findall(r"'(?:s|t|re|ve|m|ll|d)| ?\p{L}+| ?\p{N}+| ?[^\p{L}\p{N}]+|\s+(?!\S)|\s+", text)
# %% wrong="letters and numbers in one piece" says="letters and numbers are different pieces" of="the plain way"
#~ return regex.findall(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", text) => return regex.findall(r"'(?:s|t|re|ve|m|ll|d)| ?[\p{L}\p{N}]+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", text)
# %% wrong="the typographer's apostrophe, too" says="the straight ' alone" of="the plain way"
#~ return regex.findall(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", text) => return regex.findall(r"['\u2019](?:s|t|re|ve|m|ll|d)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", text)
# %% wrong="short forms at the end of a word only" says="wherever they stand" of="the plain way" clause="At each position of the text, from left to right, the **first** of these rules that fits takes as much as it can:"
#~ 's|'t|'re|'ve|'m|'ll|'d => '(?:s|t|re|ve|m|ll|d)\b
# %% base="today, one pattern"
def pre_tokenize_today(text):
    return regex.findall(r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}{1,3}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+", text)
# %% right="today, the whole pattern in either case" of="today, one pattern"
#~ (?i:'s|'t|'re|'ve|'m|'ll|'d) => (?i)'s|'t|'re|'ve|'m|'ll|'d
# %% right="today, by rules that are tried one after the other"
def pre_tokenize_today(text):
    rules = [r"'(?:[stmdSTMD]|[rR][eE]|[vV][eE]|[lL][lL])", r"[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+", r"\p{N}{1,3}",
             r" ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*", r"\s*[\r\n]+", r"\s+$|\s+(?=\s)", r"\s+"]
    rules, out, i = [regex.compile(rule) for rule in rules], [], 0
    while i < len(text):
        found = next(match for rule in rules if (match := rule.match(text, i)))
        out.append(found.group())
        i = found.end()
    return out
# %% wrong="today: GPT-2's pattern" says="this is GPT-2's pattern"
def pre_tokenize_today(text):
    return pre_tokenize(text)
# %% wrong="today: lower case alone" says="upper and lower case count alike" of="today, one pattern" clause="in lower or upper case"
#~ (?i: => (?:
# %% wrong="today: whole numbers" says="cut after three digits here" of="today, one pattern" clause="one to three numbers"
#~ \p{N}{1,3} => \p{N}+
# %% wrong="today: single digits" says="not after each" of="today, one pattern"
#~ \p{N}{1,3} => \p{N}
# %% wrong="today: digits from the right" says="grouped from the left" of="today, one pattern"
#~ {1,3} => {1,3}(?=(?:\p{N}{3})*(?!\p{N}))
# %% wrong="today: a blank in front of numbers" says="nothing stands in front of numbers" of="today, one pattern" clause="with nothing in front"
#~ |\p{N}{1,3} => | ?\p{N}{1,3}
# %% wrong="today: marks are signs" says="marks belong to the letters" of="today, one pattern"
#~ [\p{L}\p{M}]+ => \p{L}+
#~ [^\s\p{L}\p{M}\p{N}] => [^\s\p{L}\p{N}]
# %% wrong="today: marks in no rule" says="marks were lost" of="today, one pattern"
#~ [\p{L}\p{M}]+ => \p{L}+
# %% wrong="today: marks in rule 4, too" says="a mark is no sign" of="today, one pattern"
#~ [^\s\p{L}\p{M}\p{N}] => [^\s\p{L}\p{N}]
# %% wrong="today: only a blank in front of words" says="not only a blank" of="today, one pattern" clause="with at most one other character in front"
#~ [^\r\n\p{L}\p{N}]? => \ ?
# %% wrong="today: line breaks in front of words" says="no line break stands in front" of="today, one pattern"
#~ [^\r\n\p{L}\p{N}]? => [^\p{L}\p{N}]?
# %% wrong="today: any number of signs in front" says="one character at most" of="today, one pattern"
#~ \p{N}]?[ => \p{N}]*[
# %% wrong="today: numbers in front of words" says="no number stands in front" of="today, one pattern"
#~ [^\r\n\p{L}\p{N}]? => [^\r\n\p{L}]?
# %% wrong="today: signs without line breaks" says="line breaks behind signs belong" of="today, one pattern" clause="the line breaks that follow directly"
#~ +[\r\n]*| => +|
# %% wrong="today: one line break behind signs" says="not one" of="today, one pattern"
#~ +[\r\n]*| => +[\r\n]?|
# %% wrong="today: any white space behind signs" says="no other white space" of="today, one pattern"
#~ +[\r\n]*| => +\s*|
# %% wrong="today: no rule 5" says="rule 5 is missing" of="today, one pattern"
#~ \s*[\r\n]+| => \s+(?!\S)|
# %% wrong="today: rule 5 without what stands before" says="rule 5 begins with any white space" of="today, one pattern"
#~ \s*[\r\n]+ => [\r\n]+
# %% wrong="today: no look ahead" says="rule 6 is missing" of="today, one pattern"
#~ \s+(?!\S)| => \s*[\r\n]+|
# %% wrong="today: a group in brackets" says="write (?i:...)" of="today, one pattern"
#~ (?i:'s|'t|'re|'ve|'m|'ll|'d) => (?i:'(s|t|re|ve|m|ll|d))
# %% wrong="today: \\d" says="category N" of="today, one pattern"
#~ [^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}{1,3}| ?[^\s\p{L}\p{M}\p{N}] => [^\r\n\p{L}\d]?[\p{L}\p{M}]+|\d{1,3}| ?[^\s\p{L}\p{M}\d]
# %% wrong="today: the library" says="a lone surrogate is a character"
def pre_tokenize_today(text):
    from tokenizers import Regex, pre_tokenizers
    pattern = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}{1,3}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    cut = pre_tokenizers.Split(Regex(pattern), "isolated")
    return [text[a:b] for _, (a, b) in cut.pre_tokenize_str(text)]
# %% wrong="today: no mixed case" clause="rule 1 as above, in lower or upper case (`'ll`, `'LL`, `'Ll`)" says="in mixed case, too"
#~ (?i:'(?:s|t|re|ve|m|ll|d)) => '(?:s|t|re|ve|m|ll|d|S|T|RE|VE|M|LL|D)
# %% wrong="today: no carriage return alone" says="a line break is"
#~ \s*[\r\n]+ => \s*\n+
# %% wrong="today: up to the first line break" says="not to the first"
#~ \s*[\r\n]+ => \s*?[\r\n]
# %% wrong="today: some numbers are lost" says="some numbers were lost"
#~ \p{{N}}{{1,3}} => \d{{1,3}}
# %% wrong="a to z alone, other letters lost" says="here all but a to z were lost"
def pre_tokenize(text: str) -> list[str]:
    return regex.findall(r"'(?:s|t|re|ve|m|ll|d)| ?[A-Za-z]+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", text)
# %% wrong="\r is no line break in any rule" says="in each rule that names line breaks"
def pre_tokenize_today(text: str) -> list[str]:
    return regex.findall(
        r"'(?i:s|t|re|ve|m|ll|d)|[^\n\p{L}\p{M}\p{N}]?[\p{L}\p{M}]+|\p{N}{1,3}"
        r"| ?[^\s\p{L}\p{M}\p{N}]+[\n]*|\s*\n+|\s+(?!\S)|\s+", text)
# %% wrong="today, the longest match" says="here the one that takes most did" clause="the **first** of these rules that fits"
#~ return regex.findall(rf"{short}|{words}|\p{{N}}{{1,3}}|{signs}|{space}", text) => return regex.findall(rf"{short}|{words}|\p{{N}}{{1,3}}|{signs}|{space}", text, regex.POSIX)
# %% wrong="no short form 'd" says="a short form is missing: 'd" clause="`'m`, `'ll` or `'d` (lower case)"
#~ s|t|re|ve|m|ll|d)| ?\p{L} => s|t|re|ve|m|ll)| ?\p{L}
# %% wrong="no short form 'm today" says="a short form is missing: 'm" clause="rule 1 as above, in lower or upper case"
#~ s|t|re|ve|m|ll|d))" => s|t|re|ve|ll|d))"
