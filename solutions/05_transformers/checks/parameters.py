from helpers.checks import graded


@graded("parameters", points=6)
def score(check):
    import itertools

    ### BEGIN MISTAKES
    no_biases = "the biases are missing"
    no_norms = "the norms of the blocks are missing, or the biases of attention: both are 4C numbers"
    three, one_norm = "attention has four matrices: that of the output is missing", "a block has two norms"
    only_weights = "a norm has a bias, too"
    bare = "the biases of the feed-forward network are missing"
    first_bias = "the bias of the first layer has d_ff numbers"
    joint = "one bias for all of attention is counted: each of its four matrices has its own"
    once = "the blocks are counted once, not num_layers times"
    no_places = "the position embeddings are missing"
    second_bias = "the bias of the first layer has d_ff numbers, that of the second d_model"
    wide = "d_ff was ignored: the middle is d_ff wide"

    def block(C, width, matrices=4, bias=1, norms=2, norm_bias=1, joint=False, feed=lambda C, width: width + C):
        attention = matrices * C * C + bias * C * (1 if joint else matrices)
        return attention + 2 * C * width + bias * feed(C, width) + norms * (C + norm_bias * C)

    def body(layers, C, width, **odd):
        ignore = odd.pop("ignore", False)
        width = 4 * C if width is None or ignore else width
        return layers * block(C, width, **odd)

    check.mistakes({
        no_biases: lambda C, f: block(C, f, bias=0),
        no_norms: lambda C, f: block(C, f, norms=0),
        "biases and norms are missing: these are the matrices alone": lambda C, f: block(C, f, bias=0, norms=0),
        three: lambda C, f: block(C, f, matrices=3),
        one_norm: lambda C, f: block(C, f, norms=1),
        only_weights: lambda C, f: block(C, f, norm_bias=0),
        wide: lambda C, f: block(C, 4 * C),
        "the feed-forward network has two layers": lambda C, f: block(C, f) - C * f - C,
        bare: lambda C, f: block(C, f) - C - f,
        joint: lambda C, f: block(C, f, joint=True),
        second_bias: lambda C, f: block(C, f) + f - C,
        first_bias: lambda C, f: block(C, f) + C - f,
    }, block_parameters)

    def gpt(extra=lambda V, T, C: 0, **odd):
        def count(V, T, C, layers, width=None):
            return (V + T) * C + body(layers, C, width, **odd) + 2 * C + extra(V, T, C)

        return count

    inherited = {
        no_biases: {"bias": 0},
        no_norms: {"norms": 0},
        three: {"matrices": 3},
        one_norm: {"norms": 1},
        only_weights: {"norm_bias": 0},
        wide: {"ignore": True},
        "biases and norms of the blocks are missing": {"bias": 0, "norms": 0},
        joint: {"joint": True},
        bare: {"feed": lambda C, f: 0},
        first_bias: {"feed": lambda C, f: 2 * C},
        second_bias: {"feed": lambda C, f: 2 * f},
    }
    check.mistakes({words: gpt(**odd) for words, odd in inherited.items()} | {
        once: lambda V, T, C, n, f=None: gpt()(V, T, C, 1, f),
        "the output is tied to the token embedding: it adds no parameters": gpt(lambda V, T, C: V * C),
        "the output is tied, and has no bias": gpt(lambda V, T, C: V),
        no_places: gpt(lambda V, T, C: -T * C),
        "the norm at the end is missing": gpt(lambda V, T, C: -2 * C),
        "the token embedding is missing: tied means that it is counted once": gpt(lambda V, T, C: -V * C),
        "the norm at the end and the position embeddings are missing": gpt(lambda V, T, C: -2 * C - T * C),
        "the norm at the end has a bias, too": gpt(lambda V, T, C: -C),
        "embeddings, too, are counted for each block":
            lambda V, T, C, n, f=None: n * ((V + T) * C + body(1, C, f)) + 2 * C,
        "a GPT has one norm, at its end, and no segment embeddings": gpt(lambda V, T, C: 2 * C),
        "a GPT has no pooler": gpt(lambda V, T, C: C * C + C),
        "the last norm is one for the GPT, not one for each block":
            lambda V, T, C, n, f=None: gpt()(V, T, C, n, f) + 2 * (n - 1) * C,
        "d_ff is 4 * d_model where it is None, not d_model": lambda V, T, C, n, f=None: gpt()(V, T, C, n, f or C),
    }, gpt_parameters)

    def bert(extra=lambda V, T, C, s: 0, **odd):
        def count(V, T, C, layers, d_ff=None, num_segments=2):
            sides = (V + T + num_segments) * C + 2 * C + C * C + C
            return sides + body(layers, C, d_ff, **odd) + extra(V, T, C, num_segments)

        return count

    known = {words: bert(**odd) for words, odd in inherited.items()} | {
        once: lambda V, T, C, n, d_ff=None, num_segments=2: bert()(V, T, C, 1, d_ff, num_segments),
        no_places: bert(lambda V, T, C, s: -T * C),
        "the norm on the sum of the embeddings is missing": bert(lambda V, T, C, s: -2 * C),
        "the pooler is missing": bert(lambda V, T, C, s: -C * C - C),
        "the segment embeddings are missing": bert(lambda V, T, C, s: -s * C),
        "the number of segments was ignored": lambda V, T, C, n, d_ff=None, num_segments=2: bert()(V, T, C, n, d_ff),
        "d_model numbers are missing: the pooler has a bias, and so has the norm on the embeddings":
            bert(lambda V, T, C, s: -C),
        "BERT's norm is that on the embeddings: there is none at the end of the stack, and one on their sum":
            bert(lambda V, T, C, s: 2 * C),
        "the biases of the pooler and of the norm on the embeddings are missing": bert(lambda V, T, C, s: -2 * C),
        "the output is not part of the encoder": bert(lambda V, T, C, s: V * C),
        "the pooler and the norm on the embeddings are missing": bert(lambda V, T, C, s: -C * C - 3 * C),
        "pooler, segments and the norm on the embeddings are missing": bert(lambda V, T, C, s: -C * C - 3 * C - s * C),
        "segments and the norm on the embeddings are missing: this counts like a GPT":
            bert(lambda V, T, C, s: -s * C - 2 * C),
        "num_segments is 2 where it is not given":
            lambda V, T, C, n, d_ff=None, num_segments=1: bert()(V, T, C, n, d_ff, num_segments),
        "the pooler is counted once, not in each block":
            lambda V, T, C, n, d_ff=None, num_segments=2: (
                bert()(V, T, C, n, d_ff, num_segments) + (n - 1) * (C * C + C)),
        "the output's bias is not part of the encoder": bert(lambda V, T, C, s: V),
        "the embeddings have one norm on their sum": bert(lambda V, T, C, s: 4 * C),
        "segments and pooler are missing": bert(lambda V, T, C, s: -s * C - C * C - C),
        "this is the count of a GPT": lambda V, T, C, n, d_ff=None, num_segments=2: gpt()(V, T, C, n, d_ff),
    }
    check.mistakes(known, bert_parameters)

    def flops(matrices=4, two=2, scores=4, output=1, times=1, more=lambda V, T, C, n, f: 0, ignore=False):
        def count(V, T, C, layers, width=None):
            width = 4 * C if width is None or ignore else width
            weights = layers * (matrices * C * C + 2 * C * width) + output * C * V
            return times * (two * weights + layers * scores * T * C + more(V, T, C, layers, width))

        return count

    check.mistakes({
        "a product with n weights costs 2n operations: a multiplication and an addition each": flops(two=1),
        "the scores and the weighted sums over the context are missing": flops(scores=0),
        "both the scores and the weighted sums count, 2TC each; the causal mask saves nothing in this count":
            flops(scores=2),
        "the product with the output matrix (C times V) is missing": flops(output=0),
        "the forward pass is asked; training costs three times as much": flops(times=3),
        three: flops(matrices=3),
        wide: flops(ignore=True),
        "one multiplication and addition each: the scores and sums, too, cost 2 for each pair": flops(two=1, scores=2),
        "this is twice the number of parameters: count the products alone, and those of attention with the context":
            lambda V, T, C, n, f=None: 2 * gpt()(V, T, C, n, f),
        "twice the number of all parameters was counted, beside attention: biases, norms and look-ups are no products":
            lambda V, T, C, n, f=None: 2 * gpt()(V, T, C, n, f) + 4 * n * T * C,
        "the feed-forward network has two matrices": flops(more=lambda V, T, C, n, f: -2 * n * C * f),
        "the output's product, too, costs 2 for each weight": flops(more=lambda V, T, C, n, f: -V * C),
        "the matrices of the blocks, too, cost 2 for each weight":
            flops(more=lambda V, T, C, n, f: -n * (4 * C * C + 2 * C * f)),
        "biases and norms are left out here": flops(more=lambda V, T, C, n, f: 2 * n * (9 * C + f)),
        "scores or sums are counted for T tokens: one token looks at T keys":
            flops(more=lambda V, T, C, n, f: n * 2 * T * C * (T - 1)),
        "biases are left out here": flops(more=lambda V, T, C, n, f: 2 * n * (5 * C + f)),
        "this is for the whole context: one token is asked": lambda V, T, C, n, f=None: T * flops()(V, T, C, n, f),
        "the scores are counted once, not in each block":
            lambda V, T, C, n, f=None: flops(scores=0)(V, T, C, n, f) + 4 * T * C,
        "the token embedding is a look-up and costs nothing": flops(more=lambda V, T, C, n, f: 2 * V * C),
        "the output has C times V weights, not C times T": flops(more=lambda V, T, C, n, f: 2 * C * (T - V)),
        "the output is counted in each block": flops(more=lambda V, T, C, n, f: 2 * (n - 1) * V * C),
        "one token looks at T keys, not T tokens at T keys": flops(more=lambda V, T, C, n, f: n * 4 * T * C * (T - 1)),
    }, flops_per_token)
    ### END MISTAKES
    exact = {"rtol": 1e-12, "atol": 1e-6}

    def too_many(right, C, layers, named):
        """Counts that are wrong by a few times d_model, in each block and besides; named: those that have a name."""

        def add(times, where=""):
            return f"{abs(times)} * d_model too {'many' if times > 0 else 'few'}{where}"

        found = {}
        for k, j in sorted(itertools.product(range(-6, 7), repeat=2), key=lambda pair: 0 not in pair):
            if (k, j) in {(0, 0), *named}:
                continue
            parts = [add(k, " in each block"), f"and {add(j)} besides"]
            if j == 0:
                parts = parts[:1]
            if k == 0:
                parts = [add(j)]
            found[f"the count is {', '.join(parts)}"] = right + (k * layers + j) * C
        return found

    of_blocks = {(-5, 0), (-4, 0), (-3, 0), (-2, 0), (3, 0)}
    of_gpt = of_blocks | {(0, -2), (0, -1), (0, 2), (2, -2)}
    of_bert = of_blocks | {(0, -4), (0, -2), (0, -1), (0, 2), (0, 4)}
    check(block_parameters, 4, 16).equals(244, **exact)
    check(block_parameters, 6, 10).equals(328, **exact)
    check(gpt_parameters, 50257, 1024, 768, 12).equals(
        124_439_808, **exact, about="GPT-2 small", near=lambda: too_many(124_439_808, 768, 12, of_gpt)
    )
    check(gpt_parameters, 50257, 2048, 12288, 96).equals(
        174_604_259_328, **exact, about="GPT-3", near=lambda: too_many(174_604_259_328, 12288, 96, of_gpt)
    )
    check(bert_parameters, 30522, 512, 1024, 24).equals(
        335_141_888, **exact, about="BERT-large", near=lambda: too_many(335_141_888, 1024, 24, of_bert)
    )
    check(flops_per_token, 10, 8, 4, 3).equals(2 * (3 * 192 + 40) + 3 * 4 * 8 * 4, **exact)
    ### BEGIN HIDDEN TESTS
    check.hidden()
    for C, f in [*check.rng.integers(3, 60, size=(3, 2)).tolist(), (90, 70), (1, 1)]:
        right = sum([4 * C * C, 4 * C, C * f, f, f * C, C, 4 * C])
        check(block_parameters, C, f).equals(right, about="fresh sizes of a block", **exact)
    sizes = [*check.rng.integers(3, 40, size=(2, 5)).tolist(), [1] * 5, check.rng.integers(70, 99, size=5).tolist()]
    for given in (False, True):
        for V, T, C, n, f in sizes:
            width = (f,) if given else ()
            right = gpt()(V, T, C, n, *width)
            check(gpt_parameters, V, T, C, n, *width).equals(
                right, about="a GPT with d_ff given" if given else "a GPT", **exact,
                near={"d_ff may be None: then it is 4 * d_model": TypeError},
            )

    def without_and_with(*sizes):
        """Counts of a BERT without segments, and with two: one that has a norm too many shows in both."""
        return [bert_parameters(*sizes, num_segments=0), bert_parameters(*sizes)]

    both = {words: [count(7, 6, 5, 2, num_segments=0), count(7, 6, 5, 2)] for words, count in known.items()}
    both["0 segments are a number like any other: 2 are the default alone"] = [bert()(7, 6, 5, 2)] * 2
    check(without_and_with, 7, 6, 5, 2).equals(
        [bert()(7, 6, 5, 2, num_segments=0), bert()(7, 6, 5, 2)], about="a BERT without segments", edge=True, **exact,
        near=both,
    )
    sizes = [*check.rng.integers(3, 40, size=(3, 6)).tolist(), [1] * 6, check.rng.integers(70, 99, size=6).tolist()]
    for given, (V, T, C, n, f, s) in itertools.product(({}, {"d_ff": 0}, {"num_segments": 0}), sizes):
        given = {k: {"d_ff": f, "num_segments": s}[k] for k in given}
        right = bert()(V, T, C, n, given.get("d_ff"), given.get("num_segments", 2))
        check(bert_parameters, V, T, C, n, **given).equals(right, about="a BERT of fresh sizes", **exact)
    sizes = [*check.rng.integers(3, 40, size=(2, 5)).tolist(), [1] * 5, check.rng.integers(70, 99, size=5).tolist()]
    for given, (V, T, C, n, f) in itertools.product((False, True), sizes):
        width = f if given else 4 * C
        right = 2 * (n * (4 * C**2 + 2 * C * width + 2 * T * C) + V * C)
        check(flops_per_token, V, T, C, n, *([f] if given else [])).equals(right, about="operations", **exact)
    ### END HIDDEN TESTS


score
