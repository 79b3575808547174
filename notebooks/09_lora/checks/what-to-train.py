from helpers.checks import graded


@graded("what-to-train", points=4)
def score(check):
    no_head = "the head is missing: it is new, so each method trains it"
    no_norm = "`final_norm` is missing"
    bottom = "these are the first blocks: the last ones are trained, those next to the head"
    one = "`top` is ignored: this is one block"
    embedded = "the embeddings are not trained by this method"
    weights_only = "the biases of the head came, its weights did not"
    whole_head = "`biases` trains the head whole: its weights and its bias"
    no_gradients = "the gradients are missing: one number for each trained weight"
    all_states = "gradients and states are kept for trained weights only"
    all_gradients = "gradients are kept for trained weights only"
    only_states = "the states of the optimiser are kept for trained weights only"
    twice = "the trained weights are counted twice as weights"
    no_frozen = "the frozen weights are in memory, too"
    numbers = "these are numbers, not bytes: each takes 4"
    ignored = "the argument `states` is ignored"

    def named(num_layers):
        inner = [f"blocks.{i}.{part}" for i in range(num_layers) for part in ("linear1.weight", "linear1.bias")]
        return ["token_embedding.weight", *inner, "final_norm.weight", "final_norm.bias", "head.weight", "head.bias"]

    check(trained_names, named(3), "head", 3).equals(["head.weight", "head.bias"], near={
            no_head: [],
            embedded: ["token_embedding.weight", "head.weight", "head.bias"],
        })
    off_by_one = "the range of the blocks is off by one: they count from 0 to num_layers - 1"
    lonely = "one block alone came: the last `top` are trained, all of them"
    too_many = "one block too many is trained"

    def top_of(blocks, norm=("final_norm.weight", "final_norm.bias"), head=("head.weight", "head.bias")):
        return [*(f"blocks.{i}.{part}" for i in blocks for part in ("linear1.weight", "linear1.bias")), *norm, *head]

    check(trained_names, named(5), "top", 5, 3).equals(top_of((2, 3, 4)), about="the last three blocks of five", near={
            no_head: top_of((2, 3, 4), head=()),
            no_norm: top_of((2, 3, 4), norm=()),
            bottom: top_of((0, 1, 2)),
            one: top_of((4,)),
            lonely: top_of((2,)),
            off_by_one: top_of((1, 2, 3)),
            "the first of the last `top` blocks is missing: they count from 0 to num_layers - 1": top_of((3, 4)),
            too_many: top_of((1, 2, 3, 4)),
            embedded: ["token_embedding.weight", *top_of((2, 3, 4))],
        })
    check(trained_names, named(2), "biases", 2).equals(
        ["blocks.0.linear1.bias", "blocks.1.linear1.bias", "final_norm.bias", "head.weight", "head.bias"], near={
            weights_only: ["blocks.0.linear1.bias", "blocks.1.linear1.bias", "final_norm.bias", "head.bias"],
            no_head: ["blocks.0.linear1.bias", "blocks.1.linear1.bias", "final_norm.bias", "head.bias"],
            whole_head: ["blocks.0.linear1.bias", "blocks.1.linear1.bias", "final_norm.bias", "head.bias"],
        })
    check(training_bytes, {"blocks.0.linear1.weight": 7, "head.weight": 3}, ["head.weight"]).equals(76, near={
            no_gradients: 64,
            all_states: 160,
            all_gradients: 104,
            only_states: 132,
            twice: 88,
            "a state takes 4 bytes, as a weight does": 100,
            no_frozen: 48,
            numbers: 19,
        })

    def each_way(names, num_layers):
        """The names that three methods train."""
        return {method: trained_names(names, method, num_layers) for method in ("full", "top", "biases")}

    head_anywhere = "`head` may stand anywhere in a name: it must begin with `head.`"
    bias_anywhere = "`bias` may stand anywhere in a name: it must end in `.bias`"
    text = "the last of 11 blocks is number 10: they count from 0, and compared as text 10 comes before 9"
    not_full = "`full` trains all names, the embeddings too"
    names = ["token_embedding.weight", "bias_table", "blocks.9.linear1.bias", "blocks.10.linear1.weight",
             "old_head.weight", "head.bias"]
    tenth, biases = ["blocks.10.linear1.weight", "head.bias"], ["blocks.9.linear1.bias", "head.bias"]
    check(each_way, names, 11).equals({"full": names, "top": tenth, "biases": biases}, near={
            head_anywhere: {"full": names, "top": ["blocks.10.linear1.weight", "old_head.weight", "head.bias"],
                "biases": ["blocks.9.linear1.bias", "old_head.weight", "head.bias"]},
            bias_anywhere: {"full": names, "top": tenth, "biases": ["bias_table", *biases]},
            text: {"full": names, "top": ["head.bias"], "biases": biases},
            not_full: {"full": names[1:], "top": tenth, "biases": biases},
        })


score
