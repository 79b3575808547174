# %% base="the plain way"
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
    return numbers * layers * itemsize * tokens
# %% wrong="keys only" says="twice as much" of="if and elif"
#~ numbers = 2 * heads * width => numbers = heads * width
#~ 2 * groups => groups
#~ 2 * width => width
#~ 2 * heads * width, => heads * width,
# %% wrong="latent twice" says="kept once" of="if and elif"
#~ latent + rotary => 2 * (latent + rotary)
# %% wrong="no rotary part" says="rotated part" of="if and elif"
#~ latent + rotary => latent
# %% wrong="two bytes always" says="`itemsize` was ignored" of="if and elif"
#~ itemsize * => 2 *
# %% wrong="no sinks" says="sinks are kept" of="if and elif"
#~ window + sinks => window
# %% wrong="window always full" says="needs less" of="if and elif"
#~ min(length, window + sinks) => window + sinks
# %% wrong="heads shared by groups" says="G are kept" of="if and elif"
#~ groups * => (heads // groups) *
# %% wrong="one layer" says="one layer only" of="if and elif"
#~ layers * itemsize => itemsize
# %% wrong="None for an unknown kind" says="unknown kind" of="if and elif"
#~ raise ValueError(kind) => return None
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
# %% wrong="bits" says="these are bits" of="floats"
#~ float(numbers * layers) * itemsize * tokens => numbers * layers * itemsize * tokens * 8
# %% wrong="numbers, not bytes" says="times `itemsize`" of="floats"
#~ float(numbers * layers) * itemsize => numbers * layers
# %% wrong="bytes of one token" says="the whole text is asked for" of="floats"
#~ float(numbers * layers) * itemsize * tokens => numbers * layers * itemsize
# %% wrong="latent for every head" says="not kept once for each" of="the plain way"
#~ latent + rotary => heads * (latent + rotary)
# %% wrong="rotated part for every head" says="shared by all heads" of="the plain way"
#~ + rotary => + heads * rotary
# %% wrong="latent twice, rotated part once" says="and the rotated part, too" of="the plain way"
#~ latent + => 2 * latent +
# %% wrong="all heads in groups" says="G heads of keys are kept, not H" of="the plain way"
#~ groups * => heads *
# %% wrong="multi-query with all heads" says="multi-query keeps one head" of="the plain way"
#~ 2 * width => 2 * heads * width
# %% wrong="multi-query with groups" says="whatever `groups` says" of="the plain way"
#~ 2 * width => 2 * groups * width
# %% wrong="window as long as the text" says="at most window + sinks" of="the plain way"
#~ min(length, window + sinks) => length
# %% wrong="sinks beyond a short text" says="min(length, window + sinks)" of="the plain way"
#~ (length, window + sinks) => (length, window) + sinks
# %% wrong="four bytes by default" says="twice" of="the plain way"
#~ =2 => =4
# %% wrong="zero for an unknown kind" says="unknown kind" of="the plain way"
#~ raise ValueError(kind) => return 0
# %% wrong="KeyError for an unknown kind" says="unknown kind" of="the plain way"
#~ ValueError => KeyError
# %% wrong="a message for an unknown kind" says="unknown kind" of="the plain way"
#~ raise ValueError(kind) => return "unknown kind"
# %% wrong="the larger of window and sinks" says="the sinks are kept besides" of="the plain way"
#~ min(length, window + sinks) => max(window, sinks)
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
# %% wrong="the window for all kinds" says="this kind has none" of="groups of heads: heads times groups"
#~ heads * groups => groups
#~ kind == "window" => window
# %% wrong="groups for mha" says="whatever `groups` says" of="groups of heads: heads times groups"
#~ heads * width, "gqa": 2 * heads => groups * width, "gqa": 2
# %% wrong="an unknown kind is returned as an error" says="raises ValueError" of="groups of heads: heads times groups"
#~ heads * groups => groups
#~ raise ValueError(kind) => return ValueError(f"unknown kind {kind}")
# %% wrong="in mebibytes" says="these are MiB" of="groups of heads: heads times groups"
#~ heads * groups => groups
#~ (min(length, window + sinks) if kind == "window" else length) => (min(length, window + sinks) if kind == "window" else length) / 2**20
# %% right="if after if" of="floats"
#-         numbers, tokens = 2 * heads * width, min(length, window + sinks)
#+         numbers = 2 * heads * width
#+         tokens = length if length < window + sinks else window + sinks
#~ (kind) => (f"unknown kind: {kind}")
#~ float(numbers * layers) * itemsize * tokens => numbers * tokens * layers * itemsize
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
