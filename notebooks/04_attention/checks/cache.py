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


score
