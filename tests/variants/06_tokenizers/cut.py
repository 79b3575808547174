# %% wrong="split" says="str.split loses it"
def pre_tokenize(text):
    return text.split()

# %% wrong="no look ahead" says="looks ahead"
def pre_tokenize(text):
    return regex.findall(r"'(?:s|t|re|ve|m|ll|d)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+", text)

# %% wrong="word characters" says="takes them all"
def pre_tokenize(text):
    return regex.findall(r"'(?:s|t|re|ve|m|ll|d)| ?\w+| ?[^\s\w]+|\s+(?!\S)|\s+", text)

# %% wrong="digits" says="category N"
def pre_tokenize(text):
    return regex.findall(r"'(?:s|t|re|ve|m|ll|d)| ?\p{L}+| ?\d+| ?[^\s\p{L}\d]+|\s+(?!\S)|\s+", text)

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
