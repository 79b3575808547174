from helpers.checks import graded


@graded("parameters", points=6)
def score(check):
    no_biases = "the biases are missing"
    no_norms = "the norms of the blocks are missing, or the biases of attention: both are 4C numbers"
    three, one_norm = "attention has four matrices: that of the output is missing", "a block has two norms"
    only_weights = "a norm has a bias, too"
    bare = "the biases of the feed-forward network are missing"
    first_bias = "the bias of the first layer has d_ff numbers"
    joint = "one bias for all of attention is counted: each of its four matrices has its own"
    one_layer = "the feed-forward network has two matrices"
    once = "the blocks are counted once, not num_layers times"
    untied = "the output is tied to the token embedding: it adds no parameters"
    no_places = "the position embeddings are missing"
    no_end, no_start = "the norm at the end is missing", "the norm on the sum of the embeddings is missing"
    end_bias = "the norm at the end has a bias, too"
    no_pooler, no_segments = "the pooler is missing", "the segment embeddings are missing"
    wide = "d_ff was ignored: the middle is d_ff wide"
    one_way = "a product with n weights costs 2n operations: a multiplication and an addition each"
    no_scores = "the scores and the weighted sums over the context are missing"
    half = "both the scores and the weighted sums count, 2TC each; the causal mask saves nothing in this count"
    no_output = "the product with the output matrix (C times V) is missing"
    second_bias = "the bias of the first layer has d_ff numbers, that of the second d_model"
    first_norm = "a GPT has one norm, at its end, and no segment embeddings"
    each_norm = "the last norm is one for the GPT, not one for each block"
    no_biases_besides = "the biases of the pooler and of the norm on the embeddings are missing"
    like_gpt = "segments and the norm on the embeddings are missing: this counts like a GPT"
    one_segment, three_norms = "num_segments is 2 where it is not given", "the embeddings have one norm on their sum"
    two_norms = "BERT's norm is that on the embeddings: there is none at the end of the stack, and one on their sum"
    biasless = "d_model numbers are missing: the pooler has a bias, and so has the norm on the embeddings"
    scores_once = "the scores are counted once, not in each block"
    output_one_way = "the output's product, too, costs 2 for each weight"
    whole_context = "this is for the whole context: one token is asked"
    training = "the forward pass is asked; training costs three times as much"
    exact = {"rtol": 1e-12, "atol": 1e-6}

    def near_or_rows(right, C, layers, named, known):
        """Known mistakes, and counts that are wrong by a few times d_model, in each block and besides."""

        def add(times, where=""):
            return f"{abs(times)} * d_model too {'many' if times > 0 else 'few'}{where}"

        of_blocks = {joint: (-3, 0), bare: (-5, 0), first_bias: (-3, 0), second_bias: (3, 0)}
        named = named | {words: right + (k * layers + j) * C for words, (k, j) in (of_blocks | known).items()}
        counts = [*range(-6, 0), *range(1, 7)]
        odd = {f"the count is {add(k)}": right + k * C for k in counts}
        odd |= {f"the count is {add(k, ' in each block')}": right + k * C * layers for k in counts}
        odd |= {
            f"the count is {add(k, ' in each block')}, and {add(j)} besides": right + (k * layers + j) * C
            for k in counts for j in counts
        }
        return named | {words: value for words, value in odd.items() if value not in named.values()}


    check(block_parameters, 4, 16).equals(244, **exact, near={
        no_biases: 208, no_norms: 228, three: 224, one_norm: 236, only_weights: 236, bare: 224, joint: 232,
        first_bias: 232,
    })
    check(block_parameters, 6, 10).equals(328, **exact, near={
        no_biases: 288, no_norms: 304, three: 286, one_norm: 316, only_weights: 316, wide: 510,
        bare: 312, joint: 310,
    })
    check(gpt_parameters, 50257, 1024, 768, 12).equals(
        124_439_808, **exact, about="GPT-2 small", near=lambda: near_or_rows(
        124_439_808, 768, 12, {
        no_biases: 124356864, no_norms: 124402944, three: 117352704, one_norm: 124421376,
        only_weights: 124421376, once: 46473216, untied: 163037184, no_places: 123653376,
        no_end: 124438272, end_bias: 124439040,
    }, {first_norm: (0, 2), each_norm: (2, -2)}))
    check(gpt_parameters, 50257, 2048, 12288, 96).equals(
        174_604_259_328, **exact, about="GPT-3", near=lambda: near_or_rows(
        174_604_259_328, 12288, 96, {
        no_biases: 174593642496, no_norms: 174599540736, three: 160107565056, one_norm: 174601900032,
        only_weights: 174601900032, once: 2454847488, untied: 175221817344, no_places: 174579093504,
        no_end: 174604234752, end_bias: 174604247040,
    }, {first_norm: (0, 2), each_norm: (2, -2)}))
    check(bert_parameters, 30522, 512, 1024, 24).equals(
        335_141_888, **exact, about="BERT-large", near=lambda: near_or_rows(
        335_141_888, 1024, 24, {
        no_biases: 334920704, no_norms: 335043584, three: 309951488, one_norm: 335092736,
        only_weights: 335092736, once: 45428736, no_places: 334617600, no_start: 335139840,
        no_pooler: 334092288, no_segments: 335139840, two_norms: 335143936, biasless: 335140864,
    }, {no_biases_besides: (0, -2), like_gpt: (0, -4), one_segment: (0, -1), three_norms: (0, 4)}))
    check(flops_per_token, 10, 8, 4, 3).equals(2 * (3 * 192 + 40) + 3 * 4 * 8 * 4, **exact, near={
        one_way: 1000, no_scores: 1232, half: 1424, no_output: 1536, training: 4848, three: 1520,
        one_layer: 1232, scores_once: 1360, output_one_way: 1576, whole_context: 12928,
    })
    ### BEGIN HIDDEN TESTS
    import itertools

    check.hidden()

    def block(C, width, matrices=4, bias=1, norms=2, norm_bias=1, joint=False, feed=lambda C, width: width + C):
        attention = matrices * C * C + bias * C * (1 if joint else matrices)
        return attention + 2 * C * width + bias * feed(C, width) + norms * (C + norm_bias * C)

    def body(layers, C, width, **odd):
        ignore = odd.pop("ignore", False)
        width = 4 * C if width is None or ignore else width
        return layers * block(C, width, **odd)

    check.mistakes({
        no_biases: lambda C, f: block(C, f, bias=0), no_norms: lambda C, f: block(C, f, norms=0),
        "biases and norms are missing: these are the matrices alone": lambda C, f: block(C, f, bias=0, norms=0),
        three: lambda C, f: block(C, f, matrices=3), one_norm: lambda C, f: block(C, f, norms=1),
        only_weights: lambda C, f: block(C, f, norm_bias=0), wide: lambda C, f: block(C, 4 * C),
        "the feed-forward network has two layers": lambda C, f: block(C, f) - C * f - C,
        bare: lambda C, f: block(C, f) - C - f, joint: lambda C, f: block(C, f, joint=True),
        second_bias: lambda C, f: block(C, f) + f - C, first_bias: lambda C, f: block(C, f) + C - f,
    })
    for C, f in [*check.rng.integers(3, 60, size=(3, 2)).tolist(), (90, 70), (1, 1)]:
        right = sum([4 * C * C, 4 * C, C * f, f, f * C, C, 4 * C])
        check(block_parameters, C, f).equals(right, about="fresh sizes of a block", **exact)

    def gpt(extra=lambda V, T, C: 0, **odd):
        def count(V, T, C, layers, width=None):
            return (V + T) * C + body(layers, C, width, **odd) + 2 * C + extra(V, T, C)

        return count

    inherited = {
        no_biases: {"bias": 0}, no_norms: {"norms": 0}, three: {"matrices": 3}, one_norm: {"norms": 1},
        only_weights: {"norm_bias": 0}, wide: {"ignore": True},
        "biases and norms of the blocks are missing": {"bias": 0, "norms": 0}, joint: {"joint": True},
        bare: {"feed": lambda C, f: 0}, first_bias: {"feed": lambda C, f: 2 * C},
        second_bias: {"feed": lambda C, f: 2 * f},
    }
    check.mistakes({words: gpt(**odd) for words, odd in inherited.items()} | {
        once: lambda V, T, C, n, f=None: gpt()(V, T, C, 1, f), untied: gpt(lambda V, T, C: V * C),
        "the output is tied, and has no bias": gpt(lambda V, T, C: V),
        no_places: gpt(lambda V, T, C: -T * C), no_end: gpt(lambda V, T, C: -2 * C),
        "the token embedding is missing: tied means that it is counted once": gpt(lambda V, T, C: -V * C),
        "the norm at the end and the position embeddings are missing": gpt(lambda V, T, C: -2 * C - T * C),
        end_bias: gpt(lambda V, T, C: -C),
        "embeddings, too, are counted for each block": lambda V, T, C, n, f=None: (
            n * ((V + T) * C + body(1, C, f)) + 2 * C
        ),
        first_norm: gpt(lambda V, T, C: 2 * C),
        "a GPT has no pooler": gpt(lambda V, T, C: C * C + C),
        each_norm: lambda V, T, C, n, f=None: (
            gpt()(V, T, C, n, f) + 2 * (n - 1) * C
        ),
        "d_ff is 4 * d_model where it is None, not d_model": lambda V, T, C, n, f=None: gpt()(V, T, C, n, f or C),
    })
    sizes = [*check.rng.integers(3, 40, size=(2, 5)).tolist(), [1] * 5, check.rng.integers(70, 99, size=5).tolist()]
    for given in (False, True):
        for V, T, C, n, f in sizes:
            width = (f,) if given else ()
            right = gpt()(V, T, C, n, *width)
            check(gpt_parameters, V, T, C, n, *width).equals(
                right, about="a GPT with d_ff given" if given else "a GPT", **exact,
                near={"d_ff may be None: then it is 4 * d_model": TypeError},
            )

    def bert(extra=lambda V, T, C, s: 0, **odd):
        def count(V, T, C, layers, d_ff=None, num_segments=2):
            sides = (V + T + num_segments) * C + 2 * C + C * C + C
            return sides + body(layers, C, d_ff, **odd) + extra(V, T, C, num_segments)

        return count

    known = {words: bert(**odd) for words, odd in inherited.items()} | {
        once: lambda V, T, C, n, d_ff=None, num_segments=2: bert()(V, T, C, 1, d_ff, num_segments),
        no_places: bert(lambda V, T, C, s: -T * C), no_start: bert(lambda V, T, C, s: -2 * C),
        no_pooler: bert(lambda V, T, C, s: -C * C - C), no_segments: bert(lambda V, T, C, s: -s * C),
        "the number of segments was ignored": lambda V, T, C, n, d_ff=None, num_segments=2: bert()(V, T, C, n, d_ff),
        biasless: bert(lambda V, T, C, s: -C), two_norms: bert(lambda V, T, C, s: 2 * C),
        no_biases_besides: bert(lambda V, T, C, s: -2 * C),
        "the output is not part of the encoder": bert(lambda V, T, C, s: V * C),
        "the pooler and the norm on the embeddings are missing": bert(lambda V, T, C, s: -C * C - 3 * C),
        "pooler, segments and the norm on the embeddings are missing": bert(lambda V, T, C, s: -C * C - 3 * C - s * C),
        like_gpt: bert(
            lambda V, T, C, s: -s * C - 2 * C
        ),
        one_segment: lambda V, T, C, n, d_ff=None, num_segments=1: bert()(
            V, T, C, n, d_ff, num_segments),
        "the pooler is counted once, not in each block": lambda V, T, C, n, d_ff=None, num_segments=2: bert()(
            V, T, C, n, d_ff, num_segments) + (n - 1) * (C * C + C),
        "the output's bias is not part of the encoder": bert(lambda V, T, C, s: V),
        three_norms: bert(lambda V, T, C, s: 4 * C),
        "segments and pooler are missing": bert(lambda V, T, C, s: -s * C - C * C - C),
        "this is the count of a GPT": lambda V, T, C, n, d_ff=None, num_segments=2: gpt()(V, T, C, n, d_ff),
    }
    check.mistakes({})

    def without_and_with(*sizes):
        """Counts of a BERT without segments, and with two: one that has a norm too many shows in both."""
        return [bert_parameters(*sizes, num_segments=0), bert_parameters(*sizes)]

    both = {words: [count(7, 6, 5, 2, num_segments=0), count(7, 6, 5, 2)] for words, count in known.items()}
    both["0 segments are a number like any other: 2 are the default alone"] = [bert()(7, 6, 5, 2)] * 2
    check(without_and_with, 7, 6, 5, 2).equals(
        [bert()(7, 6, 5, 2, num_segments=0), bert()(7, 6, 5, 2)], about="a BERT without segments", edge=True, **exact,
        near=both,
    )
    check.mistakes(known)
    sizes = [*check.rng.integers(3, 40, size=(3, 6)).tolist(), [1] * 6, check.rng.integers(70, 99, size=6).tolist()]
    for given, (V, T, C, n, f, s) in itertools.product(({}, {"d_ff": 0}, {"num_segments": 0}), sizes):
        given = {k: {"d_ff": f, "num_segments": s}[k] for k in given}
        right = bert()(V, T, C, n, given.get("d_ff"), given.get("num_segments", 2))
        check(bert_parameters, V, T, C, n, **given).equals(right, about="a BERT of fresh sizes", **exact)

    def flops(matrices=4, two=2, scores=4, output=1, times=1, more=lambda V, T, C, n, f: 0, ignore=False):
        def count(V, T, C, layers, width=None):
            width = 4 * C if width is None or ignore else width
            weights = layers * (matrices * C * C + 2 * C * width) + output * C * V
            return times * (two * weights + layers * scores * T * C + more(V, T, C, layers, width))

        return count

    check.mistakes({
        one_way: flops(two=1), no_scores: flops(scores=0), half: flops(scores=2), no_output: flops(output=0),
        training: flops(times=3), three: flops(matrices=3), wide: flops(ignore=True),
        "one multiplication and addition each: the scores and sums, too, cost 2 for each pair": flops(two=1, scores=2),
        "this is twice the number of parameters: count the products alone, and those of attention with the context": (
            lambda V, T, C, n, f=None: 2 * gpt()(V, T, C, n, f)
        ),
        one_layer: flops(more=lambda V, T, C, n, f: -2 * n * C * f),
        output_one_way: flops(more=lambda V, T, C, n, f: -V * C),
        "the matrices of the blocks, too, cost 2 for each weight": flops(
            more=lambda V, T, C, n, f: -n * (4 * C * C + 2 * C * f)),
        "biases and norms are left out here": flops(more=lambda V, T, C, n, f: 2 * n * (9 * C + f)),
        "scores or sums are counted for T tokens: one token looks at T keys": flops(
            more=lambda V, T, C, n, f: n * 2 * T * C * (T - 1)),
        "biases are left out here": flops(more=lambda V, T, C, n, f: 2 * n * (5 * C + f)),
        whole_context: lambda V, T, C, n, f=None: T * flops()(V, T, C, n, f),
        scores_once: lambda V, T, C, n, f=None: flops(scores=0)(V, T, C, n, f)
        + 4 * T * C,
        "the token embedding is a look-up and costs nothing": flops(more=lambda V, T, C, n, f: 2 * V * C),
        "the output has C times V weights, not C times T": flops(more=lambda V, T, C, n, f: 2 * C * (T - V)),
        "the output is counted in each block": flops(more=lambda V, T, C, n, f: 2 * (n - 1) * V * C),
        "one token looks at T keys, not T tokens at T keys": flops(more=lambda V, T, C, n, f: n * 4 * T * C * (T - 1)),
    })
    sizes = [*check.rng.integers(3, 40, size=(2, 5)).tolist(), [1] * 5, check.rng.integers(70, 99, size=5).tolist()]
    for given, (V, T, C, n, f) in itertools.product((False, True), sizes):
        width = f if given else 4 * C
        right = 2 * (n * (4 * C**2 + 2 * C * width + 2 * T * C) + V * C)
        check(flops_per_token, V, T, C, n, *([f] if given else [])).equals(right, about="operations", **exact)
    ### END HIDDEN TESTS


score
