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


score
