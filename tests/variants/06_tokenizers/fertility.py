# %% wrong="texts are averaged" says="divide the sums"
def tokens_per_word(encode_text, texts):
    return sum(len(encode_text(text)) / len(text.split()) for text in texts) / len(texts)


def tokens_per_byte(encode_text, texts):
    return sum(len(encode_text(text)) / len(text.encode()) for text in texts) / len(texts)


def times_fewer(encode_old, encode_new, texts):
    return sum(len(encode_old(text)) / len(encode_new(text)) for text in texts) / len(texts)

# %% wrong="characters for bytes" says="these are characters"
def tokens_per_word(encode_text, texts):
    return sum(len(encode_text(text)) for text in texts) / sum(len(text.split()) for text in texts)


def tokens_per_byte(encode_text, texts):
    return sum(len(encode_text(text)) for text in texts) / sum(len(text) for text in texts)


def times_fewer(encode_old, encode_new, texts):
    return sum(len(encode_old(text)) for text in texts) / sum(len(encode_new(text)) for text in texts)

# %% wrong="upside down" says="upside down"
def tokens_per_word(encode_text, texts):
    return sum(len(encode_text(text)) for text in texts) / sum(len(text.split()) for text in texts)


def tokens_per_byte(encode_text, texts):
    return sum(len(encode_text(text)) for text in texts) / sum(len(text.encode()) for text in texts)


def times_fewer(encode_old, encode_new, texts):
    return sum(len(encode_new(text)) for text in texts) / sum(len(encode_old(text)) for text in texts)

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
