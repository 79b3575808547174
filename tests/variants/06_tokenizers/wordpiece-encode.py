# %% base="the plain way"
def wordpiece(word, vocabulary, unknown="[UNK]", longest=100):
    if len(word) > longest:
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
# %% wrong="an unknown part alone" says="whole word is unknown" clause="the *whole* word is `[unknown]`: no half words;" of="the plain way"
#-             return [unknown]
#+             return [*tokens, unknown]
# %% wrong="the shortest" says="the shortest" of="the plain way"
#~ (len(word), start, -1) => (start + 1, len(word) + 1)
# %% wrong="no limit" says="longest was ignored" clause="characters is `[unknown]` without any search;" of="the plain way"
#-     if len(word) > longest:
#-         return [unknown]
# %% wrong="one too strict" says="still cut" of="the plain way"
#~ > => >=
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
# %% wrong="looks back: another cut if the greedy one fails" says="never looks back"
def wordpiece(word, vocabulary, unknown="[UNK]", longest=100):
    if len(word) > longest:
        return [unknown]
    def cut(i):
        if i == len(word):
            return []
        for j in range(len(word), i, -1):
            part = ("##" if i else "") + word[i:j]
            if part in vocabulary:
                rest = cut(j)
                if rest is not None:
                    return [part] + rest
        return None
    found = cut(0)
    return [unknown] if found is None else found
# %% wrong="the empty word is unknown" says="empty" clause="the empty word has no tokens."
def wordpiece(word, vocabulary, unknown="[UNK]", longest=100):
    if not word or len(word) > longest:
        return [unknown]
    out, i = [], 0
    while i < len(word):
        for j in range(len(word), i, -1):
            part = ("##" if i else "") + word[i:j]
            if part in vocabulary:
                out.append(part)
                i = j
                break
        else:
            return [unknown]
    return out
# %% wrong="bytes counted for longest" says="characters" clause="a word of more than `longest` characters is `[unknown]`" of="the empty word is unknown"
#~ not word or len(word) => len(word.encode())
# %% wrong="lower case" says="lower" of="the empty word is unknown"
#-     if not word or len(word) > longest:
#+     word = word.lower()
#+     if len(word) > longest:
# %% right="word cut down from the left, vocabulary sorted"
def wordpiece(word, vocabulary, unknown="[UNK]", longest=100):
    if len(word) > longest:
        return [unknown]
    tokens, left = [], word
    ranked = sorted(vocabulary, key=len, reverse=True)
    while left:
        full = "##" + left if tokens else left
        hit = next((t for t in ranked if full.startswith(t) and len(t) > 2 * bool(tokens)), None)
        if hit is None:
            return [unknown]
        tokens.append(hit)
        left = full[len(hit) :]
    return tokens
# %% wrong="a token without ## inside a word, too" says="inside a word only tokens with ## fit"
def wordpiece(word, vocabulary, unknown="[UNK]", longest=100):
    if len(word) > longest:
        return [unknown]
    tokens, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            part = word[start:end]
            if start and "##" + part in vocabulary:
                tokens.append("##" + part)
                break
            if part in vocabulary:
                tokens.append(part)
                break
        else:
            return [unknown]
        start = end
    return tokens
# %% wrong="the ## moves the start on, too" says="the ## is none of them" of="the plain way"
#~ start = end => start += len(tokens[-1])
# %% wrong="no part of one character" says="a part of one character" of="the plain way"
#~ range(len(word), start, -1) => range(len(word), start + 1, -1)
# %% wrong="the end never tried" says="all that is left of a word may be one token"
#~ range(len(word), start => range(len(word) - 1, start
# %% wrong="next of nothing" says="next finds nothing"
#~ next(fits, None) => next(fits)
# %% wrong="max of nothing" says="max of nothing is an error"
#~ next(fits, None) => max(fits)
# %% wrong="a character left out behind each token" says="a character is left out" of="the plain way"
#~ start = end => start = end + 1
# %% wrong="tokens without their ##" says="the ## belongs to the tokens" of="the plain way"
#~ return tokens => return [token.removeprefix("##") for token in tokens]
