# %% wrong="an unknown part alone" says="whole word is unknown"
def wordpiece(word, vocabulary, unknown="[UNK]", longest=100):
    if len(word) > longest:
        return [unknown]
    tokens, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        end = next((e for e in range(len(word), start, -1) if mark + word[start:e] in vocabulary), None)
        if end is None:
            return [*tokens, unknown]
        tokens.append(mark + word[start:end])
        start = end
    return tokens

# %% wrong="the shortest" says="the shortest"
def wordpiece(word, vocabulary, unknown="[UNK]", longest=100):
    if len(word) > longest:
        return [unknown]
    tokens, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        end = next((e for e in range(start + 1, len(word) + 1) if mark + word[start:e] in vocabulary), None)
        if end is None:
            return [unknown]
        tokens.append(mark + word[start:end])
        start = end
    return tokens

# %% wrong="no limit" says="longest was ignored"
def wordpiece(word, vocabulary, unknown="[UNK]", longest=100):
    tokens, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        end = next((e for e in range(len(word), start, -1) if mark + word[start:e] in vocabulary), None)
        if end is None:
            return [unknown]
        tokens.append(mark + word[start:end])
        start = end
    return tokens

# %% wrong="one too strict" says="still cut"
def wordpiece(word, vocabulary, unknown="[UNK]", longest=100):
    if len(word) >= longest:
        return [unknown]
    tokens, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        end = next((e for e in range(len(word), start, -1) if mark + word[start:e] in vocabulary), None)
        if end is None:
            return [unknown]
        tokens.append(mark + word[start:end])
        start = end
    return tokens

# %% right="two while loops"
def wordpiece(word, vocabulary, unknown="[UNK]", longest=100):
    if len(word) > longest:
        return [unknown]
    tokens, start = [], 0
    while start < len(word):
        end, found = len(word), None
        while end > start and found is None:
            part = word[start:end] if start == 0 else "##" + word[start:end]
            found = part if part in vocabulary else None
            end -= found is None
        if found is None:
            return [unknown]
        tokens.append(found)
        start = end
    return tokens

# %% right="recursion"
def wordpiece(word, vocabulary, unknown="[UNK]", longest=100):
    def cut(rest, mark):
        if not rest:
            return []
        for n in range(len(rest), 0, -1):
            if mark + rest[:n] in vocabulary:
                behind = cut(rest[n:], "##")
                return None if behind is None else [mark + rest[:n], *behind]
        return None

    tokens = None if len(word) > longest else cut(word, "")
    return [unknown] if tokens is None else tokens
