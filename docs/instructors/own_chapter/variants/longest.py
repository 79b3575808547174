# %% wrong="the last of those as long" says="the first of several"
def longest_word(tokens):
    return sorted(tokens, key=len)[-1] if tokens else ""
# %% wrong="the shortest" says="the shortest came"
def longest_word(tokens):
    return min(tokens, key=len, default="")
# %% wrong="its length" says="not the word"
def longest_word(tokens):
    return max(map(len, tokens), default=0)
# %% right="sorted, the longest first"
def longest_word(tokens):
    return sorted(tokens, key=lambda token: -len(token))[0] if tokens else ""
# %% right="a loop"
def longest_word(tokens):
    best = ""
    for token in tokens:
        if len(token) > len(best):
            best = token
    return best
