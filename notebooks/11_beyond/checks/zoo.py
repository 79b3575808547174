from helpers.checks import graded


@graded("zoo", points=6)
def score(check):
    small = {"vocab_size": 10, "d_model": 4, "d_ff": 6, "num_heads": 2, "kv_heads": 1, "d_head": 2,
             "encoder_blocks": 0, "decoder_blocks": 1, "biases": False, "gated": True, "experts": 2,
             "chosen_experts": 1, "tied": True, "rows": 0, "norms": 1, "pooler": False}
    exact = {"rtol": 1e-12, "atol": 1e-6}
    same_heads = "kv_heads is ignored: keys and values have fewer heads"
    no_output = "the output matrix of attention is missing"
    always = "biases were added where the model has none"
    two = "a gated network has three matrices"
    one_expert = "only the chosen experts are counted: each block has all of them"
    no_router = "the router is missing"
    router_active = "all of the router works: each token asks for a number of every expert"
    all_work = "all experts are counted as active: chosen_experts of them work for a token"
    once = "the embedding is tied: it is counted once"
    turned = "tied is turned round: untied is one matrix more"
    norm_weights = "a norm with biases has 2C numbers, one without has C"
    one_norm, no_end = "a block has two norms", "the norms outside the blocks are missing"
    check(attention_parameters, small).equals(48, **exact, near={same_heads: 64, no_output: 32, always: 60})
    biased = small | {"biases": True, "gated": False}
    no_biases = "the biases are missing"
    check(attention_parameters, biased).equals(60, **exact, near={
        no_biases: 48, same_heads: 80, "the output has a bias, too, of C numbers": 56, "one bias for all four": 52})
    check(feed_forward_parameters, small).equals(72, **exact, near={
        two: 48, all_work: 144, "d_ff is ignored": 192, always: 88})
    check(feed_forward_parameters, biased).equals(58, **exact, near={
        no_biases: 48, "this one is not gated: two matrices": 72, "the bias of each layer has as many as it gives": 60})
    check(model_parameters, small).equals(252, **exact, near={
        one_expert: 180, no_router: 244, once: 292, turned: 292, norm_weights: 264,
        "the embedding is missing": 212})
    check(model_parameters, small, True).equals(180, **exact, near={
        all_work: 252, router_active: 176, one_norm: 176, no_end: 176, no_router: 172,
        "the embedding counts, all its rows": 140})
    check(model_parameters, small | {"experts": 3}, True).equals(184, **exact, near={
        all_work: 328, router_active: 176, no_router: 172, "the embedding counts, all its rows": 144})


score
