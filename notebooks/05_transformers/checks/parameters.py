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
    no_pooler, no_segments = "the pooler is missing", "the segment embeddings are missing"
    wide = "d_ff was ignored: the middle is d_ff wide"
    one_way = "a product with n weights costs 2n operations: a multiplication and an addition each"
    no_scores = "the scores and the weighted sums over the context are missing"
    half = "both the scores and the weighted sums count, 2TC each; the causal mask saves nothing in this count"
    no_output = "the product with the output matrix (C times V) is missing"
    training = "the forward pass is asked; training costs three times as much"
    exact = {"rtol": 1e-12, "atol": 1e-6}

    check(block_parameters, 4, 16).equals(244, **exact, near={
        no_biases: 208, no_norms: 228, three: 224, one_norm: 236, only_weights: 236, bare: 224, joint: 232,
        first_bias: 232,
    })
    check(block_parameters, 6, 10).equals(328, **exact, near={
        no_biases: 288, no_norms: 304, three: 286, one_norm: 316, only_weights: 316, wide: 510,
        bare: 312, joint: 310,
    })
    check(gpt_parameters, 50257, 1024, 768, 12).equals(124_439_808, **exact, about="GPT-2 small", near={
        no_biases: 124356864, no_norms: 124402944, three: 117352704, one_norm: 124421376,
        only_weights: 124421376, once: 46473216, untied: 163037184, no_places: 123653376,
        no_end: 124438272,
    })
    check(gpt_parameters, 50257, 2048, 12288, 96).equals(174_604_259_328, **exact, about="GPT-3", near={
        no_biases: 174593642496, no_norms: 174599540736, three: 160107565056, one_norm: 174601900032,
        only_weights: 174601900032, once: 2454847488, untied: 175221817344, no_places: 174579093504,
        no_end: 174604234752,
    })
    check(bert_parameters, 30522, 512, 1024, 24).equals(335_141_888, **exact, about="BERT-large", near={
        no_biases: 334920704, no_norms: 335043584, three: 309951488, one_norm: 335092736,
        only_weights: 335092736, once: 45428736, no_places: 334617600, no_start: 335139840,
        no_pooler: 334092288, no_segments: 335139840,
    })
    check(flops_per_token, 10, 8, 4, 3).equals(2 * (3 * 192 + 40) + 3 * 4 * 8 * 4, **exact, near={
        one_way: 1000, no_scores: 1232, half: 1424, no_output: 1536, training: 4848, three: 1520,
        one_layer: 1232,
    })


score
