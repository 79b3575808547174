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
# %% wrong="short forms at the end of a word only" says="wherever they stand" of="the plain way" clause="At each place of the text, from left to right, the **first** of these rules that fits takes as much as it can:"
#~ 's|'t|'re|'ve|'m|'ll|'d => '(?:s|t|re|ve|m|ll|d)\b
