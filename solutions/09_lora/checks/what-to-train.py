from helpers.checks import graded


@graded("what-to-train", points=4)
def score(check):
    methods = ("full", "top", "biases")

    def each_way(names, num_layers):
        return {method: trained_names(names, method, num_layers) for method in methods}

    ### BEGIN MISTAKES
    def chosen(head=("head.",), norm=("final_norm.",), first=False, fixed=False, more=(), ending=(".bias",)):
        def choose(names, method, num_layers, top=1):
            top = 1 if fixed else top
            numbers = range(top) if first else range(num_layers - top, num_layers)
            if method == "full":
                return list(names)
            if method == "biases":
                return [n for n in names if n.startswith(head) or n.endswith(ending)]
            begins = head + more
            if method == "top":
                begins += tuple(f"blocks.{i}." for i in numbers) + norm
            return [n for n in names if n.startswith(begins)]

        return choose

    wanted = chosen()

    def as_text(names, method, num_layers, top=1):
        if method != "top":
            return wanted(names, method, num_layers)
        numbers = {n.split(".")[1] for n in names if n.startswith("blocks.")}
        blocks = tuple(f"blocks.{number}." for number in sorted(numbers)[num_layers - top :])
        return [n for n in names if n.startswith(blocks) or n in wanted(names, method, num_layers, 0)]

    def all_but(test):
        """The names that are to be trained, but for those of which test(name, method) is true."""
        return lambda n, m, k, top=1: [v for v in wanted(n, m, k, top) if not test(v, m)]

    def beside(test):
        """The names that are to be trained, and those of which test(name, method) is true."""
        return lambda n, m, k, top=1: [v for v in n if test(v, m) or v in wanted(n, m, k, top)]

    def one_block(names, method, num_layers, top=1):
        found = wanted(names, method, num_layers, top)
        others = tuple(f"blocks.{i}." for i in range(num_layers - top + 1, num_layers))
        return [n for n in found if method != "top" or not n.startswith(others)]

    known = {
        "the head is missing: it is new, so each method trains it": chosen(head=("?",)),
        "`final_norm` is missing": chosen(norm=()),
        "these are the first blocks: the last ones are trained, those next to the head": chosen(first=True),
        "`top` is ignored: this is one block": chosen(fixed=True),
        "the embeddings are not trained by this method": chosen(more=("token_embedding.",)),
        "the biases of the head came, its weights did not":
            all_but(lambda name, method: method == "biases" and not name.endswith(".bias")),
        "`biases` trains the head whole: its weights and its bias": chosen(head=("head.bias",)),
        "these are in alphabetical order: keep the order in which the names came":
            lambda n, m, k, top=1: sorted(wanted(n, m, k, top)),
        "this is a set: a list is asked, in the order of the names": lambda n, m, k, top=1: set(wanted(n, m, k, top)),
        "these are the frozen ones": lambda n, m, k, top=1: [v for v in n if v not in wanted(n, m, k, top)],
        "the range of the blocks is off by one: they count from 0 to num_layers - 1":
            lambda n, m, k, top=1: wanted(n, m, k - (m == "top"), top),
        "the first of the last `top` blocks is missing: they count from 0 to num_layers - 1":
            lambda n, m, k, top=1: wanted(n, m, k, top - (m == "top")),
        "one block alone came: the last `top` are trained, all of them": one_block,
        "the norm before the head is not trained by `biases`, but for its bias":
            beside(lambda name, method: method == "biases" and "norm" in name),
        "one block too many is trained": lambda n, m, k, top=1: wanted(n, m, k, top + (m == "top")),
        "the last of 11 blocks is number 10: they count from 0, and compared as text 10 comes before 9": as_text,
        "`full` trains all names, the embeddings too": all_but(lambda name, method: "embedding" in name),
        "the biases of the norms are missing: every name that ends in `.bias` counts":
            all_but(lambda name, method: method == "biases" and "norm" in name),
        "`head` may stand anywhere in a name: it must begin with `head.`": beside(lambda name, method: "head" in name),
        "`bias` may stand anywhere in a name: it must end in `.bias`":
            beside(lambda name, method: method == "biases" and "bias" in name),
        "with top = 0 no block is trained: a slice [-0:] takes all":
            lambda n, m, k, top=1: wanted(n, m, k, top if top or m != "top" else k),
    }
    check.mistakes(known, trained_names)

    def three_ways(choose):
        return lambda names, num_layers: {method: choose(names, method, num_layers) for method in methods}

    check.mistakes({words: three_ways(choose) for words, choose in known.items()}, each_way)

    def counted(gradient=1, everything=False, frozen=True, each=4, fixed=False):
        def count(sizes, trained, states=2):
            moved = sum(sizes[name] for name in (sizes if everything else trained))
            still = sum(n for name, n in sizes.items() if frozen or name in trained)
            return each * (still + (gradient + (2 if fixed else states)) * moved)

        return count

    def apart(gradients=False, states_too=False, weights=1, each=1):
        def count(sizes, trained, states=2):
            every, moved = sum(sizes.values()), sum(sizes[n] for n in trained)
            of_gradients = every if gradients else moved
            of_states = each * states * (every if states_too else moved)
            return 4 * (every + (weights - 1) * moved + of_gradients + of_states)

        return count

    check.mistakes({
        "gradients are kept for trained weights only": apart(gradients=True),
        "the states of the optimiser are kept for trained weights only": apart(states_too=True),
        "the trained weights are counted twice as weights": apart(weights=2),
        "a state takes 4 bytes, as a weight does": apart(each=2),
        "the gradients are missing: one number for each trained weight": counted(gradient=0),
        "gradients and states are kept for trained weights only": counted(everything=True),
        "the frozen weights are in memory, too": counted(frozen=False),
        "these are numbers, not bytes: each takes 4": counted(each=1),
        "the argument `states` is ignored": counted(fixed=True),
        "the states of the optimiser are missing": lambda sizes, trained, states=2: counted()(sizes, trained, 0),
        "names are counted: `sizes` says how many numbers each has":
            lambda sizes, trained, states=2: 4 * (sum(sizes.values()) + (1 + states) * len(trained)),
        "each state is a number of 4 bytes, too":
            lambda sizes, trained, states=2: counted()(sizes, trained, 0) + states * sum(sizes[n] for n in trained),
        "weights are 4 bytes each, not 2": counted(each=2),
        "these are bits: a byte has 8": counted(each=32),
    }, training_bytes)
    ### END MISTAKES

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
    ### BEGIN HIDDEN TESTS
    check.hidden()
    for num_layers, top in [(12, 2), (13, 3), (11, 10), (4, 1), (4, 4), (1, 1), (140, 75)]:
        names = named(num_layers)
        last = {f"blocks.{i}" for i in range(num_layers)[num_layers - top :]}
        right = [n for n in names if n.rpartition(".linear")[0] in last or n.split(".")[0] in ("final_norm", "head")]
        check(trained_names, names, "top", num_layers, top).equals(right, about="the last blocks")
    for method in ("full", "head", "biases"):
        names = named(int(check.rng.integers(2, 15)))[::-1]
        right = [n for n in names if method == "full" or n[:5] == "head." or (method == "biases" and n[-5:] == ".bias")]
        check(trained_names, names, method, 15).equals(right, about="full, head and biases")
    names = ["bias_table", "blocks.0.heads.weight", "blocks.0.bias.weight", "blocks.0.rel_bias", "header.weight",
             "Head.weight", "final_norms.weight", "decoder.blocks.1.linear1.weight", "my.final_norm.weight", *named(2)]
    biases = [n for n in names[9:] if n[-5:] == ".bias" or n[:5] == "head."]
    for method, right in [("head", names[-2:]), ("biases", biases), ("top", names[-6:])]:
        check(trained_names, names, method, 2).equals(right, about="names that hold these words elsewhere")
    names = ["blocks.0.LayerNorm.bias", "blocks.0.Linear1.weight", "head.OUT"]
    for method, right in [("full", names), ("biases", [names[0], names[2]]), ("top", names)]:
        check(trained_names, names, method, 1).equals(right, about="names with capital letters", edge=True)
    check(trained_names, named(3), "top", 3, 0).equals(
        named(3)[-4:], about="no block at all", edge=True, near={"with top = 0 no block is trained": named(3)[-6:]})
    for states, num_layers in [(2, 4), (0, 4), (5, 4), (100, 90)]:
        sizes = {name.replace("linear1", "Linear1"): int(check.rng.integers(1, 90)) for name in named(num_layers)}
        for trained in (list(sizes)[2::2], list(sizes)[1::2]):
            right = sum(4 * n * (2 + states if name in trained else 1) for name, n in sizes.items())
            check(training_bytes, sizes, trained[::-1], states).equals(right, about="fresh sizes")
    sizes = {"head.weight": 5, "head.bias": 2}
    check(training_bytes, sizes, ["head.bias"]).equals(52, about="AdamW unless told otherwise")
    check(training_bytes, sizes, []).equals(28, about="nothing is trained", edge=True)
    ### END HIDDEN TESTS


score
