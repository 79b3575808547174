from helpers.checks import graded


@graded("zoo", points=6)
def score(check):
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "kv_heads is ignored: keys and values have fewer heads": {
            1: 64,
            2: 96,
            3: 80,
        },
        "the output matrix of attention is missing": {
            1: 32,
            2: 48,
            3: 40,
        },
        "biases were added where the model has none": {
            1: 60,
            2: 88,
            4: 88,
        },
        "d_head is ignored: H times d_head need not be C": {
            2: 48,
        },
        "queries and output are H times d_head wide, which need not be C": {
            2: 56,
        },
        "the biases are missing": {
            3: 48,
            5: 48,
        },
        "the output has a bias, too, of C numbers": {
            3: 56,
        },
        "one bias for all four": {
            3: 52,
        },
        "four biases of C numbers were counted: each is as wide as its layer's result": {
            3: 64,
        },
        "keys and values have biases of their own width, kv_heads times d_head": {
            3: 64,
        },
        "d_ff is ignored": {
            4: 192,
            5: 148,
        },
        "a gated network has three matrices": {
            4: 48,
        },
        "all experts are counted as active: chosen_experts of them work for a token": {
            4: 144,
            5: 116,
            7: 252,
            8: 328,
            11: 910,
        },
        "this one is not gated": {
            5: 88,
        },
        "this one is not gated: two matrices": {
            5: 72,
        },
        "the bias of the last layer is missing, of C numbers": {
            5: 54,
        },
        "the bias of each layer has as many as it gives": {
            5: 60,
        },
        "each layer has a bias as wide as what it gives, not C": {
            5: 56,
        },
        "the second matrix into a gated middle has a bias, too": {
            5: 52,
            10: 862,
            11: 698,
            12: 948,
        },
        "a decoder without an encoder has no second attention": {
            6: 304,
            7: 232,
            8: 236,
            9: 224,
            10: 1038,
            11: 862,
        },
        "a block has two norms, not three": {
            6: 256,
            7: 184,
            8: 188,
            9: 176,
            10: 918,
            11: 742,
            12: 1008,
        },
        "a block has two norms": {
            6: 248,
            7: 176,
            8: 180,
            9: 168,
            10: 902,
            11: 726,
            12: 960,
        },
        "the router is missing": {
            6: 244,
            7: 172,
            8: 172,
            10: 894,
            11: 718,
            12: 960,
        },
        "only the chosen experts are counted: each block has all of them": {
            6: 180,
            10: 734,
            12: 720,
        },
        "the embedding is missing": {
            6: 212,
            7: 140,
            8: 144,
            9: 132,
            10: 870,
            11: 694,
            12: 904,
        },
        "the embedding is tied: it is counted once": {
            6: 292,
            7: 220,
            8: 224,
            9: 212,
            10: 950,
            11: 774,
        },
        "the norms outside the blocks are missing": {
            6: 248,
            7: 176,
            8: 180,
            9: 168,
            10: 906,
            11: 730,
            12: 960,
        },
        "a norm with biases has 2C numbers, one without has C": {
            6: 264,
            7: 192,
            8: 196,
            9: 184,
            10: 930,
            11: 754,
            12: 944,
        },
        "tied is the wrong way round: untied is one matrix more": {
            6: 292,
            7: 220,
            8: 224,
            9: 212,
            10: 950,
            11: 774,
            12: 944,
        },
        "the embedding counts, all its rows, for one token, too": {
            7: 140,
            8: 144,
            11: 694,
        },
        "of the embedding one row was counted as active: all rows are": {
            7: 144,
            8: 148,
            11: 698,
        },
        "the router is missing among what works": {
            7: 172,
            8: 172,
            11: 718,
        },
        "all of the router works: each token asks for a number of every expert": {
            7: 176,
            8: 176,
            11: 726,
        },
        "a router is there from two experts on": {
            9: 176,
        },
        "the blocks are counted once": {
            10: 477,
            11: 389,
            12: 464,
        },
        "norm_biases says whether norms have biases, biases speaks of linear layers": {
            10: 930,
            11: 754,
        },
        "the shared experts are missing": {
            10: 558,
            11: 382,
        },
        "the router chooses among `experts`: shared ones need no row of it": {
            10: 926,
            11: 750,
        },
        "the extras of each block are missing": {
            10: 900,
            11: 724,
        },
        "each block has its extras: here they are counted once": {
            10: 905,
            11: 729,
        },
        "the router never has a bias": {
            10: 914,
            11: 738,
            12: 990,
        },
        "there is a router in each block": {
            10: 902,
            11: 726,
            12: 968,
        },
        "the output of an attention has a bias, too, of C numbers": {
            10: 902,
            11: 726,
            12: 968,
        },
        "the bias of the middle's last layer is missing, of C numbers": {
            10: 878,
            11: 710,
            12: 960,
        },
        "shared experts work for every token, too": {
            11: 382,
        },
        "the extras work for every token": {
            11: 724,
        },
        "the second attention of a decoder block after an encoder, and its norm, are missing": {
            12: 916,
        },
        "the norm of the second attention is missing": {
            12: 976,
        },
        "the output is not tied: it is another matrix": {
            12: 944,
        },
        "the encoder's blocks are missing": {
            12: 464,
        },
        "the rows of the tables are missing": {
            12: 972,
        },
        "the pooler is missing": {
            12: 964,
        },
        "the pooler has a bias where the model has biases": {
            12: 980,
        },
        "the output beside the embedding has no bias": {
            12: 994,
        },
        "both attentions of a decoder block have kv_heads heads of keys": {
            12: 1004,
        },
        "only the decoder's blocks have a second attention": {
            12: 1120,
        },
        "a decoder block has a second attention and a norm for it, no second middle": {
            12: 1072,
        },
        "each row of the tables has C numbers": {
            12: 975,
        },
        "encoder and decoder share one token embedding": {
            12: 1024,
        },
        "a norm outside the blocks has a bias where the model has biases": {
            12: 972,
        },
    })
    check.built_on("model_parameters", "attention_parameters", "feed_forward_parameters")
    small = {"vocab_size": 10, "d_model": 4, "d_ff": 6, "num_heads": 2, "kv_heads": 1, "d_head": 2,
             "encoder_blocks": 0, "decoder_blocks": 1, "biases": False, "gated": True, "experts": 2,
             "chosen_experts": 1, "tied": True, "rows": 0, "norms": 1, "pooler": False, "norm_biases": False,
             "shared_experts": 0, "extras": 0}
    exact = {"rtol": 1e-12, "atol": 1e-6}
    check(attention_parameters, small).equals(48, **exact)
    check(attention_parameters, small | {"d_head": 3}).equals(72, **exact)
    biased = small | {"biases": True, "gated": False}
    check(attention_parameters, biased).equals(60, **exact)
    check(feed_forward_parameters, small).equals(72, **exact)
    check(feed_forward_parameters, biased).equals(58, **exact)
    check(model_parameters, small).equals(252, **exact)
    check(model_parameters, small, True).equals(180, **exact)
    check(model_parameters, small | {"experts": 3}, True).equals(184, **exact)
    check(model_parameters, small | {"experts": 1}).equals(172, about="no router for one expert", **exact)
    oss = small | {"biases": True, "shared_experts": 2, "extras": 5, "decoder_blocks": 2}
    check(model_parameters, oss).equals(910, about="shared experts, extras, norms without biases", **exact)
    check(model_parameters, oss, True).equals(734, about="shared experts, extras, norms without biases", **exact)
    both = small | {"encoder_blocks": 2, "biases": True, "norm_biases": True, "tied": False, "rows": 3, "pooler": True,
                    "norms": 3}
    check(model_parameters, both).equals(984, about="an encoder and a decoder, with biases", **exact)


score
