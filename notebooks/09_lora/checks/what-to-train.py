from helpers.checks import graded


@graded("what-to-train", points=4)
def score(check):
    methods = ("full", "top", "biases")

    def each_way(names, num_layers):
        return {method: trained_names(names, method, num_layers) for method in methods}

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the head is missing: it is new, so each method trains it": {
            1: [],
            2: ['blocks.2.linear1.weight', 'blocks.2.linear1.bias', 'blocks.3.linear1.weight',
             'blocks.3.linear1.bias', 'blocks.4.linear1.weight', 'blocks.4.linear1.bias', 'final_norm.weight',
             'final_norm.bias'],
            3: ['blocks.0.linear1.bias', 'blocks.1.linear1.bias', 'final_norm.bias', 'head.bias'],
            5: ['final_norm.weight', 'final_norm.bias'],
            7: {'full': ['token_embedding.weight', 'bias_table', 'blocks.3.rel_bias', 'blocks.0.linear1.weight',
                      'blocks.9.linear1.bias', 'blocks.10.linear1.weight', 'old_head.weight', 'head.bias'],
             'top': ['blocks.10.linear1.weight'],
             'biases': ['blocks.9.linear1.bias', 'head.bias']},
        },
        "the embeddings are not trained by this method": {
            1: ['token_embedding.weight', 'head.weight', 'head.bias'],
            2: ['token_embedding.weight', 'blocks.2.linear1.weight', 'blocks.2.linear1.bias',
             'blocks.3.linear1.weight', 'blocks.3.linear1.bias', 'blocks.4.linear1.weight',
             'blocks.4.linear1.bias', 'final_norm.weight', 'final_norm.bias', 'head.weight', 'head.bias'],
            5: ['token_embedding.weight', 'final_norm.weight', 'final_norm.bias', 'head.weight', 'head.bias'],
            7: {'full': ['token_embedding.weight', 'bias_table', 'blocks.3.rel_bias', 'blocks.0.linear1.weight',
                      'blocks.9.linear1.bias', 'blocks.10.linear1.weight', 'old_head.weight', 'head.bias'],
             'top': ['token_embedding.weight', 'blocks.10.linear1.weight', 'head.bias'],
             'biases': ['blocks.9.linear1.bias', 'head.bias']},
        },
        "`biases` trains the head whole: its weights and its bias": {
            1: ['head.bias'],
            2: ['blocks.2.linear1.weight', 'blocks.2.linear1.bias', 'blocks.3.linear1.weight',
             'blocks.3.linear1.bias', 'blocks.4.linear1.weight', 'blocks.4.linear1.bias', 'final_norm.weight',
             'final_norm.bias', 'head.bias'],
            3: ['blocks.0.linear1.bias', 'blocks.1.linear1.bias', 'final_norm.bias', 'head.bias'],
            5: ['final_norm.weight', 'final_norm.bias', 'head.bias'],
        },
        "these are in alphabetical order: keep the order in which the names came": {
            1: ['head.bias', 'head.weight'],
            2: ['blocks.2.linear1.bias', 'blocks.2.linear1.weight', 'blocks.3.linear1.bias',
             'blocks.3.linear1.weight', 'blocks.4.linear1.bias', 'blocks.4.linear1.weight', 'final_norm.bias',
             'final_norm.weight', 'head.bias', 'head.weight'],
            3: ['blocks.0.linear1.bias', 'blocks.1.linear1.bias', 'final_norm.bias', 'head.bias', 'head.weight'],
            5: ['final_norm.bias', 'final_norm.weight', 'head.bias', 'head.weight'],
            7: {'full': ['bias_table', 'blocks.0.linear1.weight', 'blocks.10.linear1.weight', 'blocks.3.rel_bias',
                      'blocks.9.linear1.bias', 'head.bias', 'old_head.weight', 'token_embedding.weight'],
             'top': ['blocks.10.linear1.weight', 'head.bias'],
             'biases': ['blocks.9.linear1.bias', 'head.bias']},
        },
        "this is a set: a list is asked, in the order of the names": {
            1: {'head.bias', 'head.weight'},
            2: {'blocks.2.linear1.bias', 'blocks.2.linear1.weight', 'blocks.3.linear1.bias',
             'blocks.3.linear1.weight', 'blocks.4.linear1.bias', 'blocks.4.linear1.weight', 'final_norm.bias',
             'final_norm.weight', 'head.bias', 'head.weight'},
            3: {'blocks.0.linear1.bias', 'blocks.1.linear1.bias', 'final_norm.bias', 'head.bias', 'head.weight'},
            5: {'final_norm.bias', 'final_norm.weight', 'head.bias', 'head.weight'},
            7: {'full': {'bias_table', 'blocks.0.linear1.weight', 'blocks.10.linear1.weight', 'blocks.3.rel_bias',
                      'blocks.9.linear1.bias', 'head.bias', 'old_head.weight', 'token_embedding.weight'},
             'top': {'blocks.10.linear1.weight', 'head.bias'},
             'biases': {'blocks.9.linear1.bias', 'head.bias'}},
        },
        "these are the frozen ones": {
            1: ['token_embedding.weight', 'blocks.0.linear1.weight', 'blocks.0.linear1.bias',
             'blocks.1.linear1.weight', 'blocks.1.linear1.bias', 'blocks.2.linear1.weight',
             'blocks.2.linear1.bias', 'final_norm.weight', 'final_norm.bias'],
            2: ['token_embedding.weight', 'blocks.0.linear1.weight', 'blocks.0.linear1.bias',
             'blocks.1.linear1.weight', 'blocks.1.linear1.bias'],
            3: ['token_embedding.weight', 'blocks.0.linear1.weight', 'blocks.1.linear1.weight',
             'final_norm.weight'],
            5: ['token_embedding.weight', 'blocks.0.linear1.weight', 'blocks.0.linear1.bias',
             'blocks.1.linear1.weight', 'blocks.1.linear1.bias'],
            7: {'full': [],
             'top': ['token_embedding.weight', 'bias_table', 'blocks.3.rel_bias', 'blocks.0.linear1.weight',
                     'blocks.9.linear1.bias', 'old_head.weight'],
             'biases': ['token_embedding.weight', 'bias_table', 'blocks.3.rel_bias', 'blocks.0.linear1.weight',
                        'blocks.10.linear1.weight', 'old_head.weight']},
        },
        "`final_norm` is missing": {
            2: ['blocks.2.linear1.weight', 'blocks.2.linear1.bias', 'blocks.3.linear1.weight',
             'blocks.3.linear1.bias', 'blocks.4.linear1.weight', 'blocks.4.linear1.bias', 'head.weight',
             'head.bias'],
            5: ['head.weight', 'head.bias'],
        },
        "these are the first blocks: the last ones are trained, those next to the head": {
            2: ['blocks.0.linear1.weight', 'blocks.0.linear1.bias', 'blocks.1.linear1.weight',
             'blocks.1.linear1.bias', 'blocks.2.linear1.weight', 'blocks.2.linear1.bias', 'final_norm.weight',
             'final_norm.bias', 'head.weight', 'head.bias'],
            7: {'full': ['token_embedding.weight', 'bias_table', 'blocks.3.rel_bias', 'blocks.0.linear1.weight',
                      'blocks.9.linear1.bias', 'blocks.10.linear1.weight', 'old_head.weight', 'head.bias'],
             'top': ['blocks.0.linear1.weight', 'head.bias'],
             'biases': ['blocks.9.linear1.bias', 'head.bias']},
        },
        "`top` is ignored: this is one block": {
            2: ['blocks.4.linear1.weight', 'blocks.4.linear1.bias', 'final_norm.weight', 'final_norm.bias',
             'head.weight', 'head.bias'],
            5: ['blocks.1.linear1.weight', 'blocks.1.linear1.bias', 'final_norm.weight', 'final_norm.bias',
             'head.weight', 'head.bias'],
        },
        "the range of the blocks is off by one: they count from 0 to num_layers - 1": {
            2: ['blocks.1.linear1.weight', 'blocks.1.linear1.bias', 'blocks.2.linear1.weight',
             'blocks.2.linear1.bias', 'blocks.3.linear1.weight', 'blocks.3.linear1.bias', 'final_norm.weight',
             'final_norm.bias', 'head.weight', 'head.bias'],
            7: {'full': ['token_embedding.weight', 'bias_table', 'blocks.3.rel_bias', 'blocks.0.linear1.weight',
                      'blocks.9.linear1.bias', 'blocks.10.linear1.weight', 'old_head.weight', 'head.bias'],
             'top': ['blocks.9.linear1.bias', 'head.bias'],
             'biases': ['blocks.9.linear1.bias', 'head.bias']},
        },
        "the first of the last `top` blocks is missing: they count from 0 to num_layers - 1": {
            2: ['blocks.3.linear1.weight', 'blocks.3.linear1.bias', 'blocks.4.linear1.weight',
             'blocks.4.linear1.bias', 'final_norm.weight', 'final_norm.bias', 'head.weight', 'head.bias'],
            7: {'full': ['token_embedding.weight', 'bias_table', 'blocks.3.rel_bias', 'blocks.0.linear1.weight',
                      'blocks.9.linear1.bias', 'blocks.10.linear1.weight', 'old_head.weight', 'head.bias'],
             'top': ['head.bias'],
             'biases': ['blocks.9.linear1.bias', 'head.bias']},
        },
        "one block alone came: the last `top` are trained, all of them": {
            2: ['blocks.2.linear1.weight', 'blocks.2.linear1.bias', 'final_norm.weight', 'final_norm.bias',
             'head.weight', 'head.bias'],
        },
        "one block too many is trained": {
            2: ['blocks.1.linear1.weight', 'blocks.1.linear1.bias', 'blocks.2.linear1.weight',
             'blocks.2.linear1.bias', 'blocks.3.linear1.weight', 'blocks.3.linear1.bias',
             'blocks.4.linear1.weight', 'blocks.4.linear1.bias', 'final_norm.weight', 'final_norm.bias',
             'head.weight', 'head.bias'],
            5: ['blocks.1.linear1.weight', 'blocks.1.linear1.bias', 'final_norm.weight', 'final_norm.bias',
             'head.weight', 'head.bias'],
            7: {'full': ['token_embedding.weight', 'bias_table', 'blocks.3.rel_bias', 'blocks.0.linear1.weight',
                      'blocks.9.linear1.bias', 'blocks.10.linear1.weight', 'old_head.weight', 'head.bias'],
             'top': ['blocks.9.linear1.bias', 'blocks.10.linear1.weight', 'head.bias'],
             'biases': ['blocks.9.linear1.bias', 'head.bias']},
        },
        "the biases of the head came, its weights did not": {
            3: ['blocks.0.linear1.bias', 'blocks.1.linear1.bias', 'final_norm.bias', 'head.bias'],
        },
        "the norm before the head is not trained by `biases`, but for its bias": {
            3: ['blocks.0.linear1.bias', 'blocks.1.linear1.bias', 'final_norm.weight', 'final_norm.bias',
             'head.weight', 'head.bias'],
        },
        "the biases of the norms are missing: every name that ends in `.bias` counts": {
            3: ['blocks.0.linear1.bias', 'blocks.1.linear1.bias', 'head.weight', 'head.bias'],
        },
        "gradients are kept for trained weights only": {
            4: 104,
            6: 80,
        },
        "the states of the optimiser are kept for trained weights only": {
            4: 132,
        },
        "the trained weights are counted twice as weights": {
            4: 88,
            6: 64,
        },
        "a state takes 4 bytes, as a weight does": {
            4: 100,
        },
        "the gradients are missing: one number for each trained weight": {
            4: 64,
            6: 40,
        },
        "gradients and states are kept for trained weights only": {
            4: 160,
            6: 80,
        },
        "the frozen weights are in memory, too": {
            4: 48,
            6: 24,
        },
        "these are numbers, not bytes: each takes 4": {
            4: 19,
            6: 13,
        },
        "the states of the optimiser are missing": {
            4: 52,
        },
        "names are counted: `sizes` says how many numbers each has": {
            4: 52,
            6: 44,
        },
        "each state is a number of 4 bytes, too": {
            4: 58,
        },
        "weights are 4 bytes each, not 2": {
            4: 38,
            6: 26,
        },
        "these are bits: a byte has 8": {
            4: 608,
            6: 416,
        },
        "with top = 0 no block is trained: a slice [-0:] takes all": {
            5: ['blocks.0.linear1.weight', 'blocks.0.linear1.bias', 'blocks.1.linear1.weight',
             'blocks.1.linear1.bias', 'final_norm.weight', 'final_norm.bias', 'head.weight', 'head.bias'],
        },
        "the argument `states` is ignored": {
            6: 76,
        },
        "the last of 11 blocks is number 10: they count from 0, and compared as text 10 comes before 9": {
            7: {'full': ['token_embedding.weight', 'bias_table', 'blocks.3.rel_bias', 'blocks.0.linear1.weight',
                      'blocks.9.linear1.bias', 'blocks.10.linear1.weight', 'old_head.weight', 'head.bias'],
             'top': ['head.bias'],
             'biases': ['blocks.9.linear1.bias', 'head.bias']},
        },
        "`full` trains all names, the embeddings too": {
            7: {'full': ['bias_table', 'blocks.3.rel_bias', 'blocks.0.linear1.weight', 'blocks.9.linear1.bias',
                      'blocks.10.linear1.weight', 'old_head.weight', 'head.bias'],
             'top': ['blocks.10.linear1.weight', 'head.bias'],
             'biases': ['blocks.9.linear1.bias', 'head.bias']},
        },
        "`head` may stand anywhere in a name: it must begin with `head.`": {
            7: {'full': ['token_embedding.weight', 'bias_table', 'blocks.3.rel_bias', 'blocks.0.linear1.weight',
                      'blocks.9.linear1.bias', 'blocks.10.linear1.weight', 'old_head.weight', 'head.bias'],
             'top': ['blocks.10.linear1.weight', 'old_head.weight', 'head.bias'],
             'biases': ['blocks.9.linear1.bias', 'old_head.weight', 'head.bias']},
        },
        "`bias` may stand anywhere in a name: it must end in `.bias`": {
            7: {'full': ['token_embedding.weight', 'bias_table', 'blocks.3.rel_bias', 'blocks.0.linear1.weight',
                      'blocks.9.linear1.bias', 'blocks.10.linear1.weight', 'old_head.weight', 'head.bias'],
             'top': ['blocks.10.linear1.weight', 'head.bias'],
             'biases': ['bias_table', 'blocks.3.rel_bias', 'blocks.9.linear1.bias', 'head.bias']},
        },
    })

    def named(num_layers):
        inner = [f"blocks.{i}.{part}" for i in range(num_layers) for part in ("linear1.weight", "linear1.bias")]
        return ["token_embedding.weight", *inner, "final_norm.weight", "final_norm.bias", "head.weight", "head.bias"]

    check(trained_names, named(3), "head", 3).equals(["head.weight", "head.bias"])

    def top_of(blocks, norm=("final_norm.weight", "final_norm.bias"), head=("head.weight", "head.bias")):
        return [*(f"blocks.{i}.{part}" for i in blocks for part in ("linear1.weight", "linear1.bias")), *norm, *head]

    check(trained_names, named(5), "top", 5, 3).equals(top_of((2, 3, 4)), about="the last three blocks of five")
    check(trained_names, named(2), "biases", 2).equals(
        ["blocks.0.linear1.bias", "blocks.1.linear1.bias", "final_norm.bias", "head.weight", "head.bias"])
    check(training_bytes, {"blocks.0.linear1.weight": 7, "head.weight": 3}, ["head.weight"]).equals(76)

    check(trained_names, named(2), "top", 2, 0).equals(top_of(()), about="no block")
    check(training_bytes, {"blocks.0.linear1.weight": 7, "head.weight": 3}, ["head.weight"], 0).equals(
        52, about="plain SGD", near={"0 states are a number of states, too: plain SGD keeps none": 76})
    names = ["token_embedding.weight", "bias_table", "blocks.3.rel_bias", "blocks.0.linear1.weight",
             "blocks.9.linear1.bias", "blocks.10.linear1.weight", "old_head.weight", "head.bias"]
    tenth, biases = ["blocks.10.linear1.weight", "head.bias"], ["blocks.9.linear1.bias", "head.bias"]
    check(each_way, names, 11).equals({"full": names, "top": tenth, "biases": biases})


score
