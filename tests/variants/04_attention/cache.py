# %% wrong="keys only" says="twice as much"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    if kind == "mha":
        numbers = heads * width
    elif kind == "gqa":
        numbers = groups * width
    elif kind == "mqa":
        numbers = width
    elif kind == "mla":
        numbers = latent + rotary
    elif kind == "window":
        numbers, length = heads * width, min(length, window + sinks)
    else:
        raise ValueError(kind)
    return numbers * layers * itemsize * length

# %% wrong="latent twice" says="kept once"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    if kind == "mha":
        numbers = 2 * heads * width
    elif kind == "gqa":
        numbers = 2 * groups * width
    elif kind == "mqa":
        numbers = 2 * width
    elif kind == "mla":
        numbers = 2 * (latent + rotary)
    elif kind == "window":
        numbers, length = 2 * heads * width, min(length, window + sinks)
    else:
        raise ValueError(kind)
    return numbers * layers * itemsize * length

# %% wrong="no rotary part" says="rotated part"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    if kind == "mha":
        numbers = 2 * heads * width
    elif kind == "gqa":
        numbers = 2 * groups * width
    elif kind == "mqa":
        numbers = 2 * width
    elif kind == "mla":
        numbers = latent
    elif kind == "window":
        numbers, length = 2 * heads * width, min(length, window + sinks)
    else:
        raise ValueError(kind)
    return numbers * layers * itemsize * length

# %% wrong="two bytes always" says="`itemsize` was ignored"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    if kind == "mha":
        numbers = 2 * heads * width
    elif kind == "gqa":
        numbers = 2 * groups * width
    elif kind == "mqa":
        numbers = 2 * width
    elif kind == "mla":
        numbers = latent + rotary
    elif kind == "window":
        numbers, length = 2 * heads * width, min(length, window + sinks)
    else:
        raise ValueError(kind)
    return numbers * layers * 2 * length

# %% wrong="no sinks" says="sinks are kept"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    if kind == "mha":
        numbers = 2 * heads * width
    elif kind == "gqa":
        numbers = 2 * groups * width
    elif kind == "mqa":
        numbers = 2 * width
    elif kind == "mla":
        numbers = latent + rotary
    elif kind == "window":
        numbers, length = 2 * heads * width, min(length, window)
    else:
        raise ValueError(kind)
    return numbers * layers * itemsize * length

# %% wrong="window always full" says="needs less"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    if kind == "mha":
        numbers = 2 * heads * width
    elif kind == "gqa":
        numbers = 2 * groups * width
    elif kind == "mqa":
        numbers = 2 * width
    elif kind == "mla":
        numbers = latent + rotary
    elif kind == "window":
        numbers, length = 2 * heads * width, window + sinks
    else:
        raise ValueError(kind)
    return numbers * layers * itemsize * length

# %% wrong="heads shared by groups" says="G are kept"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    if kind == "mha":
        numbers = 2 * heads * width
    elif kind == "gqa":
        numbers = 2 * (heads // groups) * width
    elif kind == "mqa":
        numbers = 2 * width
    elif kind == "mla":
        numbers = latent + rotary
    elif kind == "window":
        numbers, length = 2 * heads * width, min(length, window + sinks)
    else:
        raise ValueError(kind)
    return numbers * layers * itemsize * length

# %% wrong="one layer" says="one layer only"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    if kind == "mha":
        numbers = 2 * heads * width
    elif kind == "gqa":
        numbers = 2 * groups * width
    elif kind == "mqa":
        numbers = 2 * width
    elif kind == "mla":
        numbers = latent + rotary
    elif kind == "window":
        numbers, length = 2 * heads * width, min(length, window + sinks)
    else:
        raise ValueError(kind)
    return numbers * itemsize * length

# %% wrong="None for an unknown kind" says="unknown kind"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    if kind == "mha":
        numbers = 2 * heads * width
    elif kind == "gqa":
        numbers = 2 * groups * width
    elif kind == "mqa":
        numbers = 2 * width
    elif kind == "mla":
        numbers = latent + rotary
    elif kind == "window":
        numbers, length = 2 * heads * width, min(length, window + sinks)
    else:
        return None
    return numbers * layers * itemsize * length

# %% right="if and elif"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    if kind == "mha":
        numbers = 2 * heads * width
    elif kind == "gqa":
        numbers = 2 * groups * width
    elif kind == "mqa":
        numbers = 2 * width
    elif kind == "mla":
        numbers = latent + rotary
    elif kind == "window":
        numbers, length = 2 * heads * width, min(length, window + sinks)
    else:
        raise ValueError(kind)
    return numbers * layers * itemsize * length

# %% right="match"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    match kind:
        case "mha" | "window":
            kept = heads
        case "gqa":
            kept = groups
        case "mqa":
            kept = 1
        case "mla":
            return itemsize * length * layers * (latent + rotary)
        case _:
            raise ValueError("unknown kind")
    tokens = length if kind != "window" or length < window + sinks else window + sinks
    return np.int64(2 * kept * width * itemsize * layers * tokens)

# %% wrong="bits" says="these are bits"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    tokens = length
    if kind == "mha":
        numbers = 2 * heads * width
    elif kind == "gqa":
        numbers = 2 * groups * width
    elif kind == "mqa":
        numbers = 2 * width
    elif kind == "mla":
        numbers = latent + rotary
    elif kind == "window":
        numbers, tokens = 2 * heads * width, min(length, window + sinks)
    else:
        raise ValueError(kind)
    return numbers * layers * itemsize * tokens * 8

# %% wrong="numbers, not bytes" says="times `itemsize`"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    tokens = length
    if kind == "mha":
        numbers = 2 * heads * width
    elif kind == "gqa":
        numbers = 2 * groups * width
    elif kind == "mqa":
        numbers = 2 * width
    elif kind == "mla":
        numbers = latent + rotary
    elif kind == "window":
        numbers, tokens = 2 * heads * width, min(length, window + sinks)
    else:
        raise ValueError(kind)
    return numbers * layers * tokens

# %% wrong="bytes of one token" says="the whole text is asked for"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    tokens = length
    if kind == "mha":
        numbers = 2 * heads * width
    elif kind == "gqa":
        numbers = 2 * groups * width
    elif kind == "mqa":
        numbers = 2 * width
    elif kind == "mla":
        numbers = latent + rotary
    elif kind == "window":
        numbers, tokens = 2 * heads * width, min(length, window + sinks)
    else:
        raise ValueError(kind)
    return numbers * layers * itemsize

# %% wrong="latent for every head" says="not kept once for each"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    tokens = length
    if kind == "mha":
        numbers = 2 * heads * width
    elif kind == "gqa":
        numbers = 2 * groups * width
    elif kind == "mqa":
        numbers = 2 * width
    elif kind == "mla":
        numbers = heads * (latent + rotary)
    elif kind == "window":
        numbers, tokens = 2 * heads * width, min(length, window + sinks)
    else:
        raise ValueError(kind)
    return numbers * layers * itemsize * tokens

# %% wrong="rotated part for every head" says="shared by all heads"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    tokens = length
    if kind == "mha":
        numbers = 2 * heads * width
    elif kind == "gqa":
        numbers = 2 * groups * width
    elif kind == "mqa":
        numbers = 2 * width
    elif kind == "mla":
        numbers = latent + heads * rotary
    elif kind == "window":
        numbers, tokens = 2 * heads * width, min(length, window + sinks)
    else:
        raise ValueError(kind)
    return numbers * layers * itemsize * tokens

# %% wrong="latent twice, rotated part once" says="and the rotated part, too"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    tokens = length
    if kind == "mha":
        numbers = 2 * heads * width
    elif kind == "gqa":
        numbers = 2 * groups * width
    elif kind == "mqa":
        numbers = 2 * width
    elif kind == "mla":
        numbers = 2 * latent + rotary
    elif kind == "window":
        numbers, tokens = 2 * heads * width, min(length, window + sinks)
    else:
        raise ValueError(kind)
    return numbers * layers * itemsize * tokens

# %% wrong="all heads in groups" says="G heads of keys are kept, not H"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    tokens = length
    if kind == "mha":
        numbers = 2 * heads * width
    elif kind == "gqa":
        numbers = 2 * heads * width
    elif kind == "mqa":
        numbers = 2 * width
    elif kind == "mla":
        numbers = latent + rotary
    elif kind == "window":
        numbers, tokens = 2 * heads * width, min(length, window + sinks)
    else:
        raise ValueError(kind)
    return numbers * layers * itemsize * tokens

# %% wrong="multi-query with all heads" says="multi-query keeps one head"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    tokens = length
    if kind == "mha":
        numbers = 2 * heads * width
    elif kind == "gqa":
        numbers = 2 * groups * width
    elif kind == "mqa":
        numbers = 2 * heads * width
    elif kind == "mla":
        numbers = latent + rotary
    elif kind == "window":
        numbers, tokens = 2 * heads * width, min(length, window + sinks)
    else:
        raise ValueError(kind)
    return numbers * layers * itemsize * tokens

# %% wrong="multi-query with groups" says="whatever `groups` says"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    tokens = length
    if kind == "mha":
        numbers = 2 * heads * width
    elif kind == "gqa":
        numbers = 2 * groups * width
    elif kind == "mqa":
        numbers = 2 * groups * width
    elif kind == "mla":
        numbers = latent + rotary
    elif kind == "window":
        numbers, tokens = 2 * heads * width, min(length, window + sinks)
    else:
        raise ValueError(kind)
    return numbers * layers * itemsize * tokens

# %% wrong="window as long as the text" says="at most window + sinks"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    tokens = length
    if kind == "mha":
        numbers = 2 * heads * width
    elif kind == "gqa":
        numbers = 2 * groups * width
    elif kind == "mqa":
        numbers = 2 * width
    elif kind == "mla":
        numbers = latent + rotary
    elif kind == "window":
        numbers, tokens = 2 * heads * width, length
    else:
        raise ValueError(kind)
    return numbers * layers * itemsize * tokens

# %% wrong="sinks beyond a short text" says="min(length, window + sinks)"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    tokens = length
    if kind == "mha":
        numbers = 2 * heads * width
    elif kind == "gqa":
        numbers = 2 * groups * width
    elif kind == "mqa":
        numbers = 2 * width
    elif kind == "mla":
        numbers = latent + rotary
    elif kind == "window":
        numbers, tokens = 2 * heads * width, min(length, window) + sinks
    else:
        raise ValueError(kind)
    return numbers * layers * itemsize * tokens

# %% wrong="four bytes by default" says="twice"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=4):
    tokens = length
    if kind == "mha":
        numbers = 2 * heads * width
    elif kind == "gqa":
        numbers = 2 * groups * width
    elif kind == "mqa":
        numbers = 2 * width
    elif kind == "mla":
        numbers = latent + rotary
    elif kind == "window":
        numbers, tokens = 2 * heads * width, min(length, window + sinks)
    else:
        raise ValueError(kind)
    return numbers * layers * itemsize * tokens

# %% wrong="zero for an unknown kind" says="unknown kind"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    tokens = length
    if kind == "mha":
        numbers = 2 * heads * width
    elif kind == "gqa":
        numbers = 2 * groups * width
    elif kind == "mqa":
        numbers = 2 * width
    elif kind == "mla":
        numbers = latent + rotary
    elif kind == "window":
        numbers, tokens = 2 * heads * width, min(length, window + sinks)
    else:
        return 0
    return numbers * layers * itemsize * tokens

# %% wrong="KeyError for an unknown kind" says="unknown kind"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    tokens = length
    if kind == "mha":
        numbers = 2 * heads * width
    elif kind == "gqa":
        numbers = 2 * groups * width
    elif kind == "mqa":
        numbers = 2 * width
    elif kind == "mla":
        numbers = latent + rotary
    elif kind == "window":
        numbers, tokens = 2 * heads * width, min(length, window + sinks)
    else:
        raise KeyError(kind)
    return numbers * layers * itemsize * tokens

# %% wrong="a message for an unknown kind" says="unknown kind"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    tokens = length
    if kind == "mha":
        numbers = 2 * heads * width
    elif kind == "gqa":
        numbers = 2 * groups * width
    elif kind == "mqa":
        numbers = 2 * width
    elif kind == "mla":
        numbers = latent + rotary
    elif kind == "window":
        numbers, tokens = 2 * heads * width, min(length, window + sinks)
    else:
        return "unknown kind"
    return numbers * layers * itemsize * tokens

# %% wrong="the larger of window and sinks" says="the sinks are kept besides"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    tokens = length
    if kind == "mha":
        numbers = 2 * heads * width
    elif kind == "gqa":
        numbers = 2 * groups * width
    elif kind == "mqa":
        numbers = 2 * width
    elif kind == "mla":
        numbers = latent + rotary
    elif kind == "window":
        numbers, tokens = 2 * heads * width, max(window, sinks)
    else:
        raise ValueError(kind)
    return numbers * layers * itemsize * tokens

# %% right="floats"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    tokens = length
    if kind == "mha":
        numbers = 2 * heads * width
    elif kind == "gqa":
        numbers = 2 * groups * width
    elif kind == "mqa":
        numbers = 2 * width
    elif kind == "mla":
        numbers = latent + rotary
    elif kind == "window":
        numbers, tokens = 2 * heads * width, min(length, window + sinks)
    else:
        raise ValueError(kind)
    return float(numbers * layers) * itemsize * tokens

# %% right="a sum over layers and tokens"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    if kind not in ("mha", "gqa", "mqa", "mla", "window"):
        raise ValueError("no such kind")
    if kind == "mla":
        token = (latent + rotary) * itemsize
    else:
        key = {"gqa": groups, "mqa": 1}.get(kind, heads) * width * itemsize
        token = key + key
    if kind == "window" and length > window + sinks:
        length = window + sinks
    return sum(token for _ in range(layers)) * length

# %% right="functions in a dictionary"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    def pair(n):
        return 2 * n * width * length
    rules = {
        "mha": lambda: pair(heads),
        "gqa": lambda: pair(groups),
        "mqa": lambda: pair(1),
        "mla": lambda: (latent + rotary) * length,
        "window": lambda: pair(heads) // length * sum(1 for t in range(length) if t < sinks or t >= max(length - window, 0)),
    }
    try:
        rule = rules[kind]
    except KeyError:
        raise ValueError(f"unknown kind {kind}") from None
    return rule() * layers * itemsize

# %% wrong="groups of heads: heads times groups" says="in all, not G for each"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    n = {"mha": 2 * heads * width, "gqa": 2 * heads * groups * width, "mqa": 2 * width, "mla": latent + rotary, "window": 2 * heads * width}
    if kind not in n:
        raise ValueError(kind)
    return n[kind] * layers * itemsize * (min(length, window + sinks) if kind == "window" else length)

# %% wrong="the window for all kinds" says="this kind has none"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    n = {"mha": 2 * heads * width, "gqa": 2 * groups * width, "mqa": 2 * width, "mla": latent + rotary, "window": 2 * heads * width}
    if kind not in n:
        raise ValueError(kind)
    return n[kind] * layers * itemsize * (min(length, window + sinks) if window else length)

# %% wrong="groups for mha" says="whatever `groups` says"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    n = {"mha": 2 * groups * width, "gqa": 2 * groups * width, "mqa": 2 * width, "mla": latent + rotary, "window": 2 * heads * width}
    if kind not in n:
        raise ValueError(kind)
    return n[kind] * layers * itemsize * (min(length, window + sinks) if kind == "window" else length)

# %% wrong="an unknown kind is returned as an error" says="raises ValueError"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    n = {"mha": 2 * heads * width, "gqa": 2 * groups * width, "mqa": 2 * width, "mla": latent + rotary, "window": 2 * heads * width}
    if kind not in n:
        return ValueError(f"unknown kind {kind}")
    return n[kind] * layers * itemsize * (min(length, window + sinks) if kind == "window" else length)

# %% wrong="in mebibytes" says="these are MiB"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    n = {"mha": 2 * heads * width, "gqa": 2 * groups * width, "mqa": 2 * width, "mla": latent + rotary, "window": 2 * heads * width}
    if kind not in n:
        raise ValueError(kind)
    return n[kind] * layers * itemsize * (min(length, window + sinks) if kind == "window" else length) / 2**20

# %% right="if after if"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    tokens = length
    if kind == "mha":
        numbers = 2 * heads * width
    elif kind == "gqa":
        numbers = 2 * groups * width
    elif kind == "mqa":
        numbers = 2 * width
    elif kind == "mla":
        numbers = latent + rotary
    elif kind == "window":
        numbers = 2 * heads * width
        tokens = length if length < window + sinks else window + sinks
    else:
        raise ValueError(f"unknown kind: {kind}")
    return numbers * tokens * layers * itemsize

# %% right="one in terms of the other"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    if kind == "window":
        return cache_bytes("mha", min(length, window + sinks), layers, heads, width, itemsize=itemsize)
    if kind == "mla":
        return layers * length * (latent + rotary) * itemsize
    shared = {"mha": heads, "gqa": groups, "mqa": 1}
    try:
        return 2 * shared[kind] * width * layers * length * itemsize
    except KeyError:
        raise ValueError(f"no kind {kind!r}") from None
