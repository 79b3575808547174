from helpers.checks import graded


@graded("zoo", points=6)
def score(check):
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "kv_heads is ignored: keys and values have fewer heads": {
            1: 64,
            2: 80,
        },
        "the output matrix of attention is missing": {
            1: 32,
            2: 40,
        },
        "biases were added where the model has none": {
            1: 60,
            3: 88,
        },
        "the biases are missing": {
            2: 48,
            4: 48,
        },
        "the output has a bias, too, of C numbers": {
            2: 56,
        },
        "one bias for all four": {
            2: 52,
        },
        "four biases of C numbers were counted: each is as wide as its layer's result": {
            2: 64,
        },
        "keys and values have biases of their own width, kv_heads times d_head": {
            2: 64,
        },
        "d_ff is ignored": {
            3: 192,
            4: 148,
        },
        "a gated network has three matrices": {
            3: 48,
        },
        "all experts are counted as active: chosen_experts of them work for a token": {
            3: 144,
            4: 116,
            6: 252,
            7: 328,
        },
        "this one is not gated": {
            4: 88,
        },
        "this one is not gated: two matrices": {
            4: 72,
        },
        "the bias of the last layer is missing, of C numbers": {
            4: 54,
        },
        "the bias of each layer has as many as it gives": {
            4: 60,
        },
        "each layer has a bias as wide as what it gives, not C": {
            4: 56,
        },
        "the second matrix into a gated middle has a bias, too": {
            4: 52,
        },
        "a decoder without an encoder has no second attention": {
            5: 304,
            6: 232,
            7: 236,
        },
        "a block has two norms": {
            5: 248,
            6: 176,
            7: 180,
        },
        "the router is missing": {
            5: 244,
            6: 172,
            7: 172,
        },
        "only the chosen experts are counted: each block has all of them": {
            5: 180,
        },
        "the embedding is missing": {
            5: 212,
            6: 140,
            7: 144,
        },
        "the embedding is tied: it is counted once": {
            5: 292,
            6: 220,
            7: 224,
        },
        "the norms outside the blocks are missing": {
            5: 248,
            6: 176,
            7: 180,
        },
        "a norm with biases has 2C numbers, one without has C": {
            5: 264,
            6: 192,
            7: 196,
        },
        "tied is turned round: untied is one matrix more": {
            5: 292,
            6: 220,
            7: 224,
        },
        "the embedding counts, all its rows, for one token, too": {
            6: 140,
            7: 144,
        },
        "of the embedding one row was counted as active: all rows are": {
            6: 144,
            7: 148,
        },
        "the router is missing among what works": {
            6: 172,
            7: 172,
        },
        "all of the router works: each token asks for a number of every expert": {
            6: 176,
            7: 176,
        },
    })
    small = {"vocab_size": 10, "d_model": 4, "d_ff": 6, "num_heads": 2, "kv_heads": 1, "d_head": 2,
             "encoder_blocks": 0, "decoder_blocks": 1, "biases": False, "gated": True, "experts": 2,
             "chosen_experts": 1, "tied": True, "rows": 0, "norms": 1, "pooler": False}
    exact = {"rtol": 1e-12, "atol": 1e-6}
    check(attention_parameters, small).equals(48, **exact)
    biased = small | {"biases": True, "gated": False}
    check(attention_parameters, biased).equals(60, **exact)
    check(feed_forward_parameters, small).equals(72, **exact)
    check(feed_forward_parameters, biased).equals(58, **exact)
    check(model_parameters, small).equals(252, **exact)
    check(model_parameters, small, True).equals(180, **exact)
    check(model_parameters, small | {"experts": 3}, True).equals(184, **exact)


score
