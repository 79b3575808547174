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
