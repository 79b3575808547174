# %% wrong="greedy longest match" says="the longest token was taken"
def encode(text, ranks, ids):
    out = []
    for piece in pre_tokenize(text):
        rest = piece.encode("utf-8", "surrogatepass")
        while rest:
            n = next(n for n in range(len(rest), 0, -1) if rest[:n] in ids)
            out.append(ids[rest[:n]])
            rest = rest[n:]
    return out


def decode(token_ids, vocabulary):
    joined = b"".join(vocabulary[i] for i in token_ids)
    try:
        return joined.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return joined.decode("utf-8", "replace")

# %% wrong="no pieces" says="not cut into pieces"
def encode(text, ranks, ids):
    symbols = tuple(bytes([b]) for b in text.encode("utf-8", "surrogatepass"))
    while len(symbols) > 1:
        pair = min(pairwise(symbols), key=lambda pair: ranks.get(pair, float("inf")))
        if pair not in ranks:
            break
        symbols = merge(symbols, pair, pair[0] + pair[1])
    return [ids[symbol] for symbol in symbols]


def decode(token_ids, vocabulary):
    joined = b"".join(vocabulary[i] for i in token_ids)
    try:
        return joined.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return joined.decode("utf-8", "replace")

# %% wrong="each token is decoded by itself" says="join all bytes first"
def encode(text, ranks, ids):
    out = []
    for piece in pre_tokenize(text):
        symbols = tuple(bytes([b]) for b in piece.encode("utf-8", "surrogatepass"))
        while len(symbols) > 1:
            pair = min(pairwise(symbols), key=lambda pair: ranks.get(pair, float("inf")))
            if pair not in ranks:
                break
            symbols = merge(symbols, pair, pair[0] + pair[1])
        out += [ids[symbol] for symbol in symbols]
    return out


def decode(token_ids, vocabulary):
    return "".join(vocabulary[i].decode("utf-8", "replace") for i in token_ids)

# %% wrong="strict UTF-8" says="surrogate"
def encode(text, ranks, ids):
    out = []
    for piece in pre_tokenize(text):
        symbols = tuple(bytes([b]) for b in piece.encode())
        while len(symbols) > 1:
            pair = min(pairwise(symbols), key=lambda pair: ranks.get(pair, float("inf")))
            if pair not in ranks:
                break
            symbols = merge(symbols, pair, pair[0] + pair[1])
        out += [ids[symbol] for symbol in symbols]
    return out


def decode(token_ids, vocabulary):
    return b"".join(vocabulary[i] for i in token_ids).decode("utf-8", "replace")

# %% right="one occurrence at a time"
def encode(text, ranks, ids):
    out = []
    for piece in pre_tokenize(text):
        symbols = [bytes([b]) for b in piece.encode("utf-8", "surrogatepass")]
        while True:
            found = [(ranks[pair], i) for i, pair in enumerate(pairwise(symbols)) if pair in ranks]
            if not found:
                break
            i = min(found)[1]
            symbols[i : i + 2] = [symbols[i] + symbols[i + 1]]
        out.extend(ids[symbol] for symbol in symbols)
    return out


def decode(token_ids, vocabulary):
    joined = b""
    for i in token_ids:
        joined += vocabulary[i]
    try:
        return str(joined, "utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return str(joined, "utf-8", "replace")

# %% right="all merges in order, with a memory"
def encode(text, ranks, ids):
    ordered, memory = sorted(ranks, key=ranks.get), {}

    def cut(piece):
        symbols = tuple(bytes([b]) for b in piece.encode("utf-8", "surrogatepass"))
        for pair in ordered:
            if len(symbols) > 1 and pair in set(pairwise(symbols)):
                symbols = merge(symbols, pair, pair[0] + pair[1])
        return [ids[symbol] for symbol in symbols]

    out = []
    for piece in pre_tokenize(text):
        if piece not in memory:
            memory[piece] = cut(piece)
        out += memory[piece]
    return out


def decode(token_ids, vocabulary):
    joined = bytes(b for i in token_ids for b in vocabulary[i])
    try:
        return joined.decode("utf-8", "surrogatepass")
    except ValueError:
        return joined.decode("utf-8", "replace")
