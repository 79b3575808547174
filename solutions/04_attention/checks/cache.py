from helpers.checks import graded


@graded("cache", points=4)
def score(check):
    says = {
        "keys": "keys and values are kept: twice as much",
        "mla_twice": "the latent vector serves keys and values: it is kept once",
        "mla_heads": "the latent vector serves all heads: it is not kept once for each",
        "no_rotary": "the rotated part of the key is kept, too",
        "layers": "one layer only was counted",
        "itemsize": "these are numbers, not bytes: times `itemsize`",
        "two_bytes": "`itemsize` was ignored",
        "token": "these are the bytes of one token; the whole text is asked for",
        "no_sinks": "the sinks are kept besides the window",
        "whole": "the window keeps at most window + sinks tokens",
        "filled": "a text shorter than the window needs less",
        "gqa_heads": "grouped: G heads of keys are kept, not H",
        "gqa_share": "H / G heads were counted; G are kept",
        "mqa": "multi-query keeps one head",
        "four": "a number takes 2 bytes where `itemsize` is not given: this is twice as much",
    }
    model = {"layers": 2, "heads": 4, "width": 8}
    check(cache_bytes, "mha", 10, **model).equals(2560, near={
        says["keys"]: 1280, says["layers"]: 1280, says["itemsize"]: 1280, says["token"]: 256,
        says["four"]: 5120,
    })
    check(cache_bytes, "window", 10, **model, window=3, sinks=1).equals(1024, near={
        says["keys"]: 512, says["layers"]: 512, says["itemsize"]: 512, says["token"]: 256, says["no_sinks"]: 768,
        says["whole"]: 2560, says["four"]: 2048,
    })
    check(cache_bytes, "gqa", 10, **model, groups=2).equals(1280, near={
        says["keys"]: 640, says["layers"]: 640, says["itemsize"]: 640, says["token"]: 128, says["gqa_heads"]: 2560,
        says["four"]: 2560,
    })
    check(cache_bytes, "mqa", 10, **model).equals(640, near={
        says["keys"]: 320, says["layers"]: 320, says["itemsize"]: 320, says["token"]: 64, says["mqa"]: 2560,
        says["four"]: 1280,
    })
    check(cache_bytes, "mla", 10, **model, latent=12, rotary=4).equals(640, near={
        says["mla_twice"]: 1280, says["mla_heads"]: 2560, says["no_rotary"]: 480, says["layers"]: 320,
        says["itemsize"]: 320, says["token"]: 64, says["four"]: 1280,
    })
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def made(change=None, tokens=None, times=None):
        """The right count, with one kind's numbers or the tokens exchanged."""

        def function(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
            n = {"mha": 2 * heads * width, "gqa": 2 * groups * width, "mqa": 2 * width, "mla": latent + rotary}
            n["window"] = n["mha"]
            n |= change(heads, width, groups, latent, rotary) if change else {}
            kept = min(length, window + sinks) if kind == "window" else length
            kept = tokens(kind, length, window, sinks) if tokens else kept
            return n[kind] * kept * (times(layers, itemsize) if times else layers * itemsize)

        return function

    def windowed(kept):
        return made(tokens=lambda kind, T, w, s: kept(T, w, s) if kind == "window" else T)

    check.mistakes({
        says["keys"]: made(lambda H, d, G, r, p: {"mha": H * d, "window": H * d, "gqa": G * d, "mqa": d}),
        says["mla_twice"]: made(lambda H, d, G, r, p: {"mla": 2 * (r + p)}),
        "the latent vector serves keys and values: it is kept once, and the rotated part, too": made(
            lambda H, d, G, r, p: {"mla": 2 * r + p}
        ),
        says["mla_heads"]: made(lambda H, d, G, r, p: {"mla": H * (r + p)}),
        says["no_rotary"]: made(lambda H, d, G, r, p: {"mla": r}),
        "the rotated part is shared by all heads: it is kept once": made(lambda H, d, G, r, p: {"mla": r + H * p}),
        says["layers"]: made(times=lambda L, b: b),
        says["itemsize"]: made(times=lambda L, b: L),
        says["two_bytes"]: made(times=lambda L, b: 2 * L),
        "these are bits, not bytes": made(times=lambda L, b: 8 * L * b),
        says["token"]: made(tokens=lambda kind, T, w, s: 1),
        says["four"]: made(times=lambda L, b: 2 * L * b),
        says["no_sinks"]: windowed(lambda T, w, s: min(T, w)),
        says["whole"]: windowed(lambda T, w, s: T),
        says["filled"]: windowed(lambda T, w, s: w + s),
        "the sinks are kept besides the window: min(length, window + sinks)": windowed(lambda T, w, s: min(T, w) + s),
        says["gqa_heads"]: made(lambda H, d, G, r, p: {"gqa": 2 * H * d}),
        says["gqa_share"]: made(lambda H, d, G, r, p: {"gqa": 2 * (H // G) * d}),
        says["mqa"]: made(lambda H, d, G, r, p: {"mqa": 2 * H * d}),
        "G heads of keys are kept in all, not G for each of the H": made(lambda H, d, G, r, p: {"gqa": 2 * H * G * d}),
        '"mha" keeps all H heads, whatever `groups` says': made(lambda H, d, G, r, p: {"mha": 2 * G * d}),
        '"window" keeps all H heads, whatever `groups` says': made(lambda H, d, G, r, p: {"window": 2 * G * d}),
        "the window was used here, too: this kind has none": made(tokens=lambda kind, T, w, s: min(T, w + s)),
        "these are MiB; bytes are asked for": made(times=lambda L, b: L * b / 2**20),
        "multi-query keeps one head, whatever `groups` says": made(lambda H, d, G, r, p: {"mqa": 2 * G * d}),
    })
    table = {"mha": 2, "gqa": 2, "mqa": 2, "mla": 1, "window": 2}
    for _ in range(3):
        L, d, G, r, p, w, s, b = (int(n) for n in check.rng.integers(2, 30, size=8))
        H, more = 3 * G, {"groups": G, "latent": r, "rotary": p, "window": w, "sinks": s, "itemsize": b}
        for kind, both in table.items():
            for T in (w + s + 17, max(w + s - 3, 1)):
                each = {"gqa": G * d, "mqa": d, "mla": r + p}.get(kind, H * d)
                tokens = sorted([T, w + s])[0] if kind == "window" else T
                wanted = sum([both * each * b] * L) * tokens
                check(cache_bytes, kind, T, L, H, d, **more).equals(wanted, about=f"another model, {kind}")
    check(cache_bytes, "window", 6, 3, 7, 5, window=5, sinks=2, itemsize=4).equals(
        2 * 7 * 5 * 4 * 3 * 6, about="a text shorter than window and sinks"
    )
    check(cache_bytes, "mla", 1, 60, 128, 128, latent=512, rotary=64).equals(69120, about="DeepSeek-V2's cache")

    def refused(kind):
        """Whether an unknown kind raises ValueError."""
        try:
            cache_bytes(kind, 3, 1, 1, 1)
        except ValueError:
            return True
        return False

    check.mistakes({})
    check(refused, "mhq").equals(True, about="an unknown kind raises ValueError", edge=True)
    ### END HIDDEN TESTS


score
