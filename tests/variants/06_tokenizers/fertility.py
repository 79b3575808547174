# %% wrong="texts are averaged" says="divide the sums" of="NumPy"
#~ np.sum([len(encode_text(t)) for t in texts]) / np.sum([len(t.split()) for t in texts]) => sum(len(encode_text(text)) / len(text.split()) for text in texts) / len(texts)
#~ np.sum([len(encode_text(t)) for t in texts]) / np.sum([len(t.encode("utf-8")) for t in texts]) => sum(len(encode_text(text)) / len(text.encode()) for text in texts) / len(texts)
#~ np.divide(*[np.sum([len(f(t)) for t in texts]) for f in (encode_old, encode_new)]) => sum(len(encode_old(text)) / len(encode_new(text)) for text in texts) / len(texts)
# %% wrong="characters for bytes" says="these are characters" of="NumPy"
#~ np.sum([len(encode_text(t)) for t in texts]) / np.sum([len(t.encode("utf-8")) for t in texts]) => sum(len(encode_text(text)) for text in texts) / sum(len(text) for text in texts)
# %% wrong="upside down" says="upside down" of="NumPy"
#~ np.divide(*[np.sum([len(f(t)) for t in texts]) for f in (encode_old, encode_new)]) => sum(len(encode_new(text)) for text in texts) / sum(len(encode_old(text)) for text in texts)
# %% right="loops"
def tokens_per_word(encode_text, texts):
    tokens = words = 0
    for text in texts:
        tokens += len(encode_text(text))
        words += len(text.split())
    return tokens / words
def tokens_per_byte(encode_text, texts):
    tokens = octets = 0
    for text in texts:
        tokens += len(encode_text(text))
        octets += len(utf8_bytes(text))
    return tokens / octets
def times_fewer(encode_old, encode_new, texts):
    old = new = 0
    for text in texts:
        old += len(encode_old(text))
        new += len(encode_new(text))
    return old / new
# %% right="NumPy"
def tokens_per_word(encode_text, texts):
    return np.sum([len(encode_text(t)) for t in texts]) / np.sum([len(t.split()) for t in texts])
def tokens_per_byte(encode_text, texts):
    return np.sum([len(encode_text(t)) for t in texts]) / np.sum([len(t.encode("utf-8")) for t in texts])
def times_fewer(encode_old, encode_new, texts):
    return np.divide(*[np.sum([len(f(t)) for t in texts]) for f in (encode_old, encode_new)])
# %% wrong="split at single blanks" says="white space" of="NumPy"
#~ np.sum([len(encode_text(t)) for t in texts]) / np.sum([len(t.split()) for t in texts]) => sum(len(encode_text(t)) for t in texts) / sum(len(t.split(" ")) for t in texts)
# %% wrong="pieces of the pattern for words" says="white space" of="NumPy"
#~ np.sum([len(encode_text(t)) for t in texts]) / np.sum([len(t.split()) for t in texts]) => sum(len(encode_text(t)) for t in texts) / sum(len(pre_tokenize(t)) for t in texts)
# %% wrong="text joined before it is encoded" says="joined first"
def tokens_per_word(encode_text, texts):
    joined = " ".join(texts)
    return len(encode_text(joined)) / len(joined.split())
# %% wrong="rounded to one digit" says="round" of="NumPy"
#~ np.divide(*[np.sum([len(f(t)) for t in texts]) for f in (encode_old, encode_new)]) => round(sum(len(encode_old(t)) for t in texts) / sum(len(encode_new(t)) for t in texts), 1)
# %% wrong="UTF-16 bytes" says="this is UTF-16" of="NumPy"
#~ np.sum([len(encode_text(t)) for t in texts]) / np.sum([len(t.encode("utf-8")) for t in texts]) => sum(len(encode_text(t)) for t in texts) / sum(len(t.encode("utf-16-le")) for t in texts)
# %% wrong="different words" says="words" of="NumPy"
#~ np.sum([len(encode_text(t)) for t in texts]) / np.sum([len(t.split()) for t in texts]) => sum(len(encode_text(t)) for t in texts) / len({x for t in texts for x in t.split()})
# %% right="joined" of="NumPy"
#~ return np.sum([len(encode_text(t)) for t in texts]) / np.sum([len(t.split()) for t in texts]) => return len([i for t in texts for i in encode_text(t)]) / len(" ".join(texts).split())
#~ return np.sum([len(encode_text(t)) for t in texts]) / np.sum([len(t.encode("utf-8")) for t in texts]) => return len([i for t in texts for i in encode_text(t)]) / len("".join(texts).encode("utf-8"))
#~ return np.divide(*[np.sum([len(f(t)) for t in texts]) for f in (encode_old, encode_new)]) => return tokens_per_word(encode_old, texts) / tokens_per_word(encode_new, texts)
# %% right="numpy sums" of="NumPy"
#~ return np.sum([len(encode_text(t)) for t in texts]) / np.sum([len(t.split()) for t in texts]) => return np.sum([len(encode_text(t)) for t in texts]) / np.sum([len(regex.findall(r"\S+", t)) for t in texts])
#~ return np.sum([len(encode_text(t)) for t in texts]) / np.sum([len(t.encode("utf-8")) for t in texts]) => return np.sum([len(encode_text(t)) for t in texts]) / np.sum([len(utf8_bytes(t)) for t in texts])
#-     return np.divide(*[np.sum([len(f(t)) for t in texts]) for f in (encode_old, encode_new)])
#+     old = new = 0
#+     for text in texts:
#+         old, new = old + len(encode_old(text)), new + len(encode_new(text))
#+     return old / new
# %% wrong="all texts joined, everywhere" says="here they were joined first"
def tokens_per_byte(encode_text, texts):
    return len(encode_text("".join(texts))) / len("".join(texts).encode())
def times_fewer(encode_old, encode_new, texts):
    return len(encode_old("".join(texts))) / len(encode_new("".join(texts)))
# %% wrong="words without signs" says="whatever signs they hold" clause="where words are separated by"
def tokens_per_word(encode_text, texts):
    return sum(len(encode_text(t)) for t in texts) / sum(len(regex.findall(r"\w+", t)) for t in texts)
# %% wrong="the median" says="the median of the texts"
def tokens_per_byte(encode_text, texts):
    return float(np.median([len(encode_text(t)) / max(len(t.encode()), 1) for t in texts]))
# %% wrong="words of all texts joined" says="the last word of one ran into the next" of="NumPy"
#~ np.sum([len(t.split()) for t in texts]) => len("".join(texts).split())
# %% wrong="all texts encoded at once, bytes one by one" says="with blanks between, and stand below without them" of="NumPy"
#~ np.sum([len(encode_text(t)) for t in texts]) / np.sum([len(t.encode("utf-8")) for t in texts]) => len(encode_text(" ".join(texts))) / sum(len(t.encode()) for t in texts)
# %% wrong="a text that comes twice counts once" says="a text that comes twice counts twice" of="NumPy"
#~ np.divide(*[np.sum([len(f(t)) for t in texts]) for f in (encode_old, encode_new)]) => np.divide(*[np.sum([len(f(t)) for t in set(texts)]) for f in (encode_old, encode_new)])
# %% wrong="stripped before it is encoded" says="here it was removed"
def tokens_per_byte(encode_text, texts: list[str]) -> float:
    return sum(len(encode_text(t.strip())) for t in texts) / sum(len(t.encode("utf-8")) for t in texts)
# %% wrong="different tokens of all texts" says="different tokens were counted, over all texts" of="NumPy"
#~ np.divide(*[np.sum([len(f(t)) for t in texts]) for f in (encode_old, encode_new)]) => np.divide(*[len({i for t in texts for i in f(t)}) for f in (encode_old, encode_new)])
# %% wrong="different tokens of all texts for a word" says="different tokens were counted, over all texts" of="NumPy"
#~ np.sum([len(encode_text(t)) for t in texts]) / np.sum([len(t.split()) for t in texts]) => len({i for t in texts for i in encode_text(t)}) / np.sum([len(t.split()) for t in texts])
# %% wrong="different tokens of all texts for a byte" says="different tokens were counted, over all texts" of="NumPy"
#~ np.sum([len(encode_text(t)) for t in texts]) / np.sum([len(t.encode("utf-8")) for t in texts]) => len({i for t in texts for i in encode_text(t)}) / np.sum([len(t.encode("utf-8")) for t in texts])
# %% wrong="texts without words are left out" says="a text without words, or an empty one, has tokens too" of="NumPy"
#~ np.sum([len(encode_text(t)) for t in texts]) / np.sum([len(t.split()) for t in texts]) => np.sum([len(encode_text(t)) for t in texts if t.split()]) / np.sum([len(t.split()) for t in texts])
# %% wrong="empty texts are left out" says="a text without words, or an empty one, has tokens too" of="NumPy"
#~ np.sum([len(encode_text(t)) for t in texts]) / np.sum([len(t.encode("utf-8")) for t in texts]) => np.sum([len(encode_text(t)) for t in texts if t]) / np.sum([len(t.encode("utf-8")) for t in texts])
