# %% base="the plain way"
def encode(text, ranks, ids):
    out = []
    for piece in pre_tokenize(text):
        symbols = tuple(bytes([b]) for b in piece.encode("utf-8", "surrogatepass"))
        while True:
            p = min(pairwise(symbols), key=lambda p: ranks.get(p, float("inf")))
            if p not in ranks:
                break
            symbols = merge(symbols, p, p[0] + p[1])
        out += [ids[s] for s in symbols]
    return out
def decode(token_ids, vocabulary):
    data = b"".join(vocabulary[i] for i in token_ids)
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return data.decode("utf-8", "surrogateescape")
# %% wrong="greedy longest match" says="the order of the merges decides" clause="It's tempting to take the longest token that fits"
def encode(text, ranks, ids):
    out = []
    for piece in pre_tokenize(text):
        rest = piece.encode("utf-8", "surrogatepass")
        while rest:
            n = next(n for n in range(len(rest), 0, -1) if rest[:n] in ids)
            out.append(ids[rest[:n]])
            rest = rest[n:]
    return out
# %% wrong="no pieces" says="not cut into pieces" clause="cut the text into pieces, and take each piece's bytes as symbols"
def encode(text, ranks, ids):
    symbols = tuple(bytes([b]) for b in text.encode("utf-8", "surrogatepass"))
    while len(symbols) > 1:
        pair = min(pairwise(symbols), key=lambda pair: ranks.get(pair, float("inf")))
        if pair not in ranks:
            break
        symbols = merge(symbols, pair, pair[0] + pair[1])
    return [ids[symbol] for symbol in symbols]
# %% wrong="each token is decoded by itself" says="join all bytes first" clause="Join *before* you read"
def decode(token_ids, vocabulary):
    return "".join(vocabulary[i].decode("utf-8", "replace") for i in token_ids)
# %% wrong="strict UTF-8" says="surrogate" clause="which takes lone surrogates, too: there is no" of="the plain way"
#~ encode("utf-8", "surrogatepass") => encode()
#~ True => len(symbols) > 1
#~ p = min(pairwise(symbols), key=lambda p: ranks.get(p, float("inf"))) => pair = min(pairwise(symbols), key=lambda pair: ranks.get(pair, float("inf")))
#~ p not => pair not
#~ p, p[0] + p => pair, pair[0] + pair
#~ [s] for s => [symbol] for symbol
#-     data = b"".join(vocabulary[i] for i in token_ids)
#-     try:
#-         return data.decode("utf-8", "surrogatepass")
#-     except UnicodeDecodeError:
#-         return data.decode("utf-8", "surrogateescape")
#+     return b"".join(vocabulary[i] for i in token_ids).decode("utf-8", "replace")
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
# %% wrong="decode without surrogatepass" says="surrogate" clause="Read the joined bytes with the error handler" of="each token is decoded by itself"
#~ "".join(vocabulary[i].decode("utf-8", "replace") for i in token_ids) => b"".join(vocabulary[i] for i in token_ids).decode("utf-8", "replace")
# %% wrong="one pass over the merges' pairs of the word (rank of the word's first pairs only)" says="look again" of="the plain way"
#-         while True:
#-             p = min(pairwise(symbols), key=lambda p: ranks.get(p, float("inf")))
#-             if p not in ranks:
#-                 break
#+         for p in sorted((p for p in pairwise(symbols) if p in ranks), key=ranks.get):
# %% wrong="leftmost merge instead of the first learned" says="merges go from left to right" of="the plain way"
#~ min(pairwise(symbols), key=lambda p: ranks.get(p, float("inf"))) => next((p for p in pairwise(symbols) if p in ranks), None)
#~ not in ranks => is None
# %% wrong="id of the merged token instead of its rank decides" says="not its id" of="the plain way"
#~ True => len(symbols) > 1
#~ ranks.get(p, float("inf")) => ids.get(p[0] + p[1], float("inf"))
#~ p not in ranks => p[0] + p[1] not in ids
# %% wrong="decode turns ill-formed bytes to surrogates (surrogateescape)" says="U+FFFD" of="all merges in order, with a memory"
#~ joined = bytes(b for i in token_ids for b in vocabulary[i]) => data = b"".join(vocabulary[i] for i in token_ids)
#~ joined.decode("utf-8", "surrogatepass") => data.decode("utf-8", "surrogatepass")
#~ ValueError => UnicodeDecodeError
#~ joined.decode("utf-8", "replace") => data.decode("utf-8", "surrogateescape")
# %% wrong="min of no pairs: pieces of one byte raise" says="ValueError"
#~ len(symbols) > 1 => True
#~ pair = min(pairwise(symbols), key=lambda pair: ranks.get(pair, float("inf"))) => p = min(pairwise(symbols), key=lambda p: ranks.get(p, float("inf")))
#~ pair not => p not
#~ pair, pair[0] + pair => p, p[0] + p
#~ [symbol] for symbol => [s] for s
# %% right="all merges replayed in order, one occurrence at a time"
def encode(text, ranks, ids):
    out = []
    for piece in pre_tokenize(text):
        s = [bytes([b]) for b in piece.encode("utf-8", "surrogatepass")]
        while True:
            places = [(ranks[a, b], i) for i, (a, b) in enumerate(zip(s, s[1:])) if (a, b) in ranks]
            if not places:
                break
            _, i = min(places)
            s[i : i + 2] = [s[i] + s[i + 1]]
        out.extend(ids[t] for t in s)
    return out
def decode(token_ids, vocabulary):
    data = bytearray()
    for i in token_ids:
        data += vocabulary[i]
    try:
        return str(bytes(data), "utf-8", "surrogatepass")
    except UnicodeError:
        return str(bytes(data), "utf-8", "replace")
# %% right="recursion, remembered pieces"
def encode(text, ranks, ids):
    known = {}
    def join(s):
        best = min(((ranks[p], i) for i, p in enumerate(zip(s, s[1:])) if p in ranks), default=None)
        if best is None:
            return s
        i = best[1]
        return join((*s[:i], s[i] + s[i + 1], *s[i + 2 :]))
    out = []
    for piece in pre_tokenize(text):
        if piece not in known:
            raw = piece.encode("utf-8", "surrogatepass")
            known[piece] = [ids[t] for t in join(tuple(raw[i : i + 1] for i in range(len(raw))))]
        out += known[piece]
    return out
def decode(token_ids, vocabulary):
    data = b"".join(map(vocabulary.__getitem__, token_ids))
    for how in ("surrogatepass", "replace"):
        try:
            return data.decode("utf-8", how)
        except UnicodeDecodeError:
            pass
# %% wrong="what was cut once stays, whatever the merges" says="something kept from an earlier call"
kept = {}
def encode(text, ranks, ids):
    out = []
    for piece in pre_tokenize(text):
        if piece not in kept:
            s = tuple(bytes([b]) for b in piece.encode("utf-8", "surrogatepass"))
            while len(s) > 1 and (p := min(pairwise(s), key=lambda p: ranks.get(p, 1e9))) in ranks:
                s = merge(s, p, p[0] + p[1])
            kept[piece] = s
        out += [ids[x] for x in kept[piece]]
    return out
# %% wrong="any two neighbours whose joined bytes are a token" says="only pairs in `ranks` are merges"
def encode(text, ranks, ids):
    out = []
    for piece in pre_tokenize(text):
        s = tuple(bytes([b]) for b in piece.encode("utf-8", "surrogatepass"))
        while known := [p for p in pairwise(s) if p[0] + p[1] in ids]:
            p = min(known, key=lambda p: ids[p[0] + p[1]])
            s = merge(s, p, p[0] + p[1])
        out += [ids[x] for x in s]
    return out
# %% wrong="rank 0 is taken for none" says="0 is a rank, too"
def encode(text, ranks, ids):
    out = []
    for piece in pre_tokenize(text):
        symbols = tuple(bytes([b]) for b in piece.encode("utf-8", "surrogatepass"))
        while len(symbols) > 1:
            best = min(pairwise(symbols), key=lambda p: ranks.get(p) or float("inf"))
            if best not in ranks:
                break
            symbols = merge(symbols, best, best[0] + best[1])
        out += [ids[s] for s in symbols]
    return out
# %% wrong="what is no merge has rank 0" says="with 0 it comes before the merges" of="rank 0 is taken for none"
#~ ranks.get(p) or float("inf") => ranks.get(p, 0)
# %% wrong="normalised" says="the text was normalised" of="rank 0 is taken for none"
#~ ranks.get(p) or float("inf") => ranks.get(p, float("inf"))
#~ pre_tokenize(text) => pre_tokenize(__import__("unicodedata").normalize("NFC", text))
# %% wrong="cut at white space" says="the text is cut by `pre_tokenize`" of="rank 0 is taken for none"
#~ ranks.get(p) or float("inf") => ranks.get(p, float("inf"))
#~ pre_tokenize(text) => regex.findall(r"\s?\S+|\s", text)
# %% wrong="a rank for each pair" says="a pair that is no merge has no rank"
#~ ranks.get(pair, float("inf")) => ranks[pair]
