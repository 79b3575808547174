from helpers.checks import graded


@graded("zoo", points=6)
def score(check):
    ### BEGIN MISTAKES
    always = "biases were added where the model has none"
    all_work = "all experts are counted as active: chosen_experts of them work for a token"
    no_biases = "the biases are missing"

    def layer(inward, outward, c):
        return inward * outward + (outward if c["biases"] else 0)

    def attention(c, kv="kv_heads"):
        C, wide, narrow = c["d_model"], c["num_heads"] * c["d_head"], c[kv] * c["d_head"]
        return layer(C, wide, c) + 2 * layer(C, narrow, c) + layer(wide, C, c)

    def without_output(c):
        return attention(c) - layer(c["num_heads"] * c["d_head"], c["d_model"], c)

    def middle(c):
        C, width = c["d_model"], c["d_ff"]
        return (2 if c["gated"] else 1) * layer(C, width, c) + layer(width, C, c)

    def blocks(c):
        return c["encoder_blocks"] + c["decoder_blocks"]

    def behind(c):
        """Decoder blocks that are after an encoder."""
        return c["decoder_blocks"] * (c["encoder_blocks"] > 0)

    def router(c):
        return c["d_model"] * c["experts"] * (c["experts"] > 1)

    def pooler(c):
        return layer(c["d_model"], c["d_model"], c) * c["pooler"]

    def shared(c):
        return c["shared_experts"] * middle(c)

    def whole(c, active=False, number=blocks, norms=2, cross=(1, 1), norm=None, routes=router, more=0):
        """number(c): how many blocks; cross: how many attentions and norms a decoder block has for the encoder."""
        C = c["d_model"]
        norm = norm or (2 * C if c["norm_biases"] else C)
        experts = c["chosen_experts"] if active else c["experts"]
        block = attention(c) + experts * middle(c) + shared(c) + c["extras"]
        total = number(c) * (block + norms * norm + routes(c))
        total += behind(c) * (cross[0] * attention(c) + cross[1] * norm)
        total += c["vocab_size"] * C * (1 if c["tied"] else 2)
        total += c["rows"] * C + c["norms"] * norm + pooler(c)
        return total + more

    check.mistakes({
        "kv_heads is ignored: keys and values have fewer heads": lambda c: attention(c, "num_heads"),
        "the output matrix of attention is missing": without_output,
        no_biases: lambda c: attention(c | {"biases": False}),
        always: lambda c: attention(c | {"biases": True}),
        "d_head is ignored: H times d_head need not be C":
            lambda c: attention(c | {"d_head": c["d_model"] // c["num_heads"]}),
        "the output has a bias, too, of C numbers": lambda c: attention(c) - c["biases"] * c["d_model"],
        "the output's bias has C numbers, not H times d_head":
            lambda c: attention(c) + c["biases"] * (c["num_heads"] * c["d_head"] - c["d_model"]),
        "queries and output are H times d_head wide, which need not be C": lambda c: (
            attention(c) + (c["d_model"] - c["num_heads"] * c["d_head"]) * (2 * c["d_model"] + bool(c["biases"]))),
        "one bias for all four": lambda c: attention(c | {"biases": False}) + c["biases"] * c["d_model"],
        "four biases of C numbers were counted: each is as wide as its layer's result":
            lambda c: attention(c | {"biases": False}) + 4 * c["biases"] * c["d_model"],
        "keys and values have biases of their own width, kv_heads times d_head":
            lambda c: attention(c) + 2 * (c["biases"] * (c["num_heads"] - c["kv_heads"]) * c["d_head"]),
    }, attention_parameters)

    check.mistakes({
        "d_ff is ignored": lambda c: middle(c | {"d_ff": 4 * c["d_model"]}),
        no_biases: lambda c: middle(c | {"biases": False}),
        always: lambda c: middle(c | {"biases": True}),
        "a gated network has three matrices": lambda c: middle(c | {"gated": False}),
        "this one is not gated": lambda c: middle(c | {"gated": True}),
        "this one is not gated: two matrices": lambda c: middle(c | {"gated": True, "biases": False}),
        all_work: lambda c: c["experts"] * middle(c),
        "the bias of the last layer is missing, of C numbers": lambda c: middle(c) - c["d_model"] * c["biases"],
        "the bias of each layer has as many as it gives":
            lambda c: middle(c) + c["biases"] * (c["d_ff"] - c["d_model"]),
        "each layer has a bias as wide as what it gives, not C":
            lambda c: middle(c) + c["biases"] * (c["d_model"] - c["d_ff"]) * (1 + c["gated"]),
        "the second matrix into a gated middle has a bias, too": lambda c: middle(c) - c["d_ff"] * c["biases"],
    }, feed_forward_parameters)

    def second_attention(c):
        return attention(c) + c["d_model"] * (1 + c["norm_biases"])

    def middles(c, active):
        return blocks(c) * (c["shared_experts"] + (c["chosen_experts"] if active else c["experts"]))

    def idle_router(c):
        """The router's numbers for experts that are not chosen."""
        return c["d_model"] * (c["experts"] - c["chosen_experts"]) * (c["experts"] > 1)

    check.mistakes({
        "the second attention of a decoder block after an encoder, and its norm, are missing":
            lambda *a: whole(*a, cross=(0, 0)),
        "the norm of the second attention is missing": lambda *a: whole(*a, cross=(1, 0)),
        "a decoder without an encoder has no second attention":
            lambda c, *a: whole(c, *a, more=(c["decoder_blocks"] - behind(c)) * second_attention(c)),
        "a block has two norms, not three": lambda *a: whole(*a, norms=3),
        "a block has two norms": lambda *a: whole(*a, norms=1),
        "the router is missing": lambda *a: whole(*a, routes=lambda c: 0),
        all_work: lambda c, active=False: whole(c),
        "only the chosen experts are counted: each block has all of them": lambda c, active=False: whole(c, True),
        "the embedding is missing": lambda c, *a: whole(c | {"vocab_size": 0}, *a),
        "the embedding is tied: it is counted once": lambda c, *a: whole(c | {"tied": False}, *a),
        "the output is not tied: it is another matrix": lambda c, *a: whole(c | {"tied": True}, *a),
        "the norms outside the blocks are missing": lambda c, *a: whole(c | {"norms": 0}, *a),
        "the blocks are counted once": lambda *a: whole(*a, number=lambda c: 1),
        "the encoder's blocks are missing": lambda *a: whole(*a, number=lambda c: c["decoder_blocks"]),
        "the rows of the tables are missing": lambda c, *a: whole(c | {"rows": 0}, *a),
        "the pooler is missing": lambda c, *a: whole(c | {"pooler": False}, *a),
        "a norm with biases has 2C numbers, one without has C":
            lambda c, *a: whole(c, *a, norm=c["d_model"] * (1 if c["norm_biases"] else 2)),
        "norm_biases says whether norms have biases, biases speaks of linear layers":
            lambda c, *a: whole(c, *a, norm=c["d_model"] * (2 if c["biases"] else 1)),
        "the shared experts are missing": lambda c, *a: whole(c, *a, more=-blocks(c) * shared(c)),
        "shared experts work for every token, too":
            lambda c, active=False: whole(c, active, more=-active * blocks(c) * shared(c)),
        "the router chooses among `experts`: shared ones need no row of it":
            lambda c, *a: whole(c, *a, more=blocks(c) * c["d_model"] * c["shared_experts"] * (c["experts"] > 1)),
        "the extras of each block are missing": lambda c, *a: whole(c, *a, more=-blocks(c) * c["extras"]),
        "each block has its extras: here they are counted once":
            lambda c, *a: whole(c, *a, more=(1 - blocks(c)) * c["extras"]),
        "the extras work for every token":
            lambda c, active=False: whole(c, active, more=-active * blocks(c) * c["extras"]),
        "a router is there from two experts on":
            lambda c, *a: whole(c, *a, more=(c["experts"] == 1) * blocks(c) * c["d_model"]),
        "the router never has a bias":
            lambda c, *a: whole(c, *a, more=blocks(c) * c["experts"] * (c["biases"] and c["experts"] > 1)),
        "the pooler has a bias where the model has biases":
            lambda c, *a: whole(c, *a, more=-c["pooler"] * c["biases"] * c["d_model"]),
        "the pooler has a bias only where the model has biases":
            lambda c, *a: whole(c, *a, more=c["pooler"] * (not c["biases"]) * c["d_model"]),
        "the output beside the embedding has no bias":
            lambda c, *a: whole(c, *a, more=(not c["tied"]) * c["biases"] * c["vocab_size"]),
        "both attentions of a decoder block have kv_heads heads of keys":
            lambda c, *a: whole(c, *a, more=behind(c) * (attention(c, "num_heads") - attention(c))),
        "only the decoder's blocks have a second attention":
            lambda c, *a: whole(c, *a, more=bool(behind(c)) * c["encoder_blocks"] * second_attention(c)),
        "a decoder block has a second attention and a norm for it, no second middle":
            lambda c, *a: whole(c, *a, more=behind(c) * middle(c)),
        "each row of the tables has C numbers": lambda c, *a: whole(c, *a, more=c["rows"] * (1 - c["d_model"])),
        "there is a router in each block": lambda c, *a: whole(c, *a, more=router(c) * (1 - blocks(c))),
        "encoder and decoder share one token embedding":
            lambda c, *a: whole(c, *a, more=bool(behind(c)) * c["vocab_size"] * c["d_model"]),
        "the embedding counts, all its rows, for one token, too":
            lambda c, active=False: whole(c | {"vocab_size": 0} if active else c, active),
        "of the embedding one row was counted as active: all rows are":
            lambda c, active=False: whole(c, active, more=active * c["d_model"] * (1 - c["vocab_size"])),
        "the router is missing among what works":
            lambda c, active=False: whole(c, active, more=-active * blocks(c) * router(c)),
        "a norm outside the blocks has a bias where the model has biases":
            lambda c, *a: whole(c, *a, more=-c["norms"] * c["norm_biases"] * c["d_model"]),
        "tied is the wrong way round: untied is one matrix more": lambda c, *a: whole(c | {"tied": not c["tied"]}, *a),
        "the output of an attention has a bias, too, of C numbers":
            lambda c, *a: whole(c, *a, more=-c["biases"] * c["d_model"] * (blocks(c) + behind(c))),
        "the second matrix into a gated middle has a bias, too":
            lambda c, active=False: whole(c, active, more=-c["biases"] * c["gated"] * c["d_ff"] * middles(c, active)),
        "the bias of the middle's last layer is missing, of C numbers":
            lambda c, active=False: whole(c, active, more=-c["biases"] * c["d_model"] * middles(c, active)),
        "all of the router works: each token asks for a number of every expert":
            lambda c, active=False: whole(c, active, more=-active * blocks(c) * idle_router(c)),
    }, model_parameters)
    ### END MISTAKES
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
    ### BEGIN HIDDEN TESTS
    check.hidden()
    published = {
        "GPT-1": ((40478, 768, 3072, 12, 12, 64, 0, 12, 1, 0, 1, 1, 1, 512, 0, 0, 1, 0, 0), 116_534_784),
        "RoBERTa": ((50265, 768, 3072, 12, 12, 64, 12, 0, 1, 0, 1, 1, 1, 515, 1, 1, 1, 0, 0), 124_645_632),
        "BART": ((50265, 768, 3072, 12, 12, 64, 6, 6, 1, 0, 1, 1, 1, 2052, 2, 0, 1, 0, 0), 139_420_416),
        "T5": ((32128, 768, 3072, 12, 12, 64, 12, 12, 0, 0, 1, 1, 1, 1, 2, 0, 0, 0, 0), 222_903_552),
        "Llama 3": ((128256, 4096, 14336, 32, 8, 128, 0, 32, 0, 1, 1, 1, 0, 0, 1, 0, 0, 0, 0), 8_030_261_248),
        "Gemma": ((256000, 2048, 16384, 8, 1, 256, 0, 18, 0, 1, 1, 1, 1, 0, 1, 0, 0, 0, 0), 2_506_172_416),
        "Mixtral": ((32000, 4096, 14336, 32, 8, 128, 0, 32, 0, 1, 8, 2, 0, 0, 1, 0, 0, 0, 0), 46_702_792_704),
        "Qwen3": ((151936, 1024, 3072, 16, 8, 128, 0, 28, 0, 1, 1, 1, 1, 0, 1, 0, 0, 0, 256), 596_049_920),
        "gpt-oss": ((201088, 2880, 2880, 64, 8, 64, 0, 24, 1, 1, 32, 4, 0, 0, 1, 0, 0, 0, 96), 20_914_757_184),
    }
    keys = ["vocab_size", "d_model", "d_ff", "num_heads", "kv_heads", "d_head", "encoder_blocks", "decoder_blocks",
            "biases", "gated", "experts", "chosen_experts", "tied", "rows", "norms", "pooler",
            "norm_biases", "shared_experts", "extras"]
    truths = {"biases", "gated", "tied", "pooler", "norm_biases"}

    def config(values):
        return {key: bool(v) if key in truths else int(v) for key, v in zip(keys, values, strict=True)}

    draws = []
    for i in range(6):
        low = check.rng.integers(2, 30, size=13)
        values = [low[0], 8 * low[1], low[2], 4 * low[3], 2 * low[4], low[5], *low[6:8] * [i % 2, i != 1], i > 2, i % 2,
                  1 + i % 3 * 2, 1 + i % 3, i % 4 > 1, low[8], low[9], i in (1, 4), i in (0, 3, 4), i % 3, low[12]]
        draws.append(config(values))
    for c in draws:
        check(attention_parameters, c).equals(attention(c), about="attention of fresh sizes", **exact)
    for c in draws:
        check(feed_forward_parameters, c).equals(middle(c), about="feed-forward of fresh sizes", **exact)
    for values, count in published.values():
        check(model_parameters, config(values)).equals(count, about="published models", weight=2, **exact)
    for c in draws:
        check(model_parameters, c).equals(whole(c), about="models of fresh sizes", **exact)
        check(model_parameters, c, True).equals(whole(c, True), about="parameters at work", **exact)
        check(model_parameters, c, active=False).equals(whole(c), about="models of fresh sizes", **exact)
    one = config([1] * 19) | {"encoder_blocks": 0}
    check(model_parameters, one).equals(whole(one), about="sizes of 1", edge=True, **exact)
    none = draws[2] | {"encoder_blocks": 0, "decoder_blocks": 0}
    check(model_parameters, none).equals(whole(none), about="no block at all", edge=True, **exact)
    ### END HIDDEN TESTS


score
