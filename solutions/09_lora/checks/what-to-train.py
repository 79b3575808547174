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
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def chosen(head=("head.",), norm=("final_norm.",), first=False, fixed=False, more=(), ending=(".bias",)):
        def choose(names, method, num_layers, top=1):
            top = 1 if fixed else top
            numbers = range(top) if first else range(num_layers - top, num_layers)
            begins = tuple(f"blocks.{i}." for i in numbers) + norm
            if method == "full":
                return list(names)
            if method == "biases":
                return [n for n in names if n.startswith(head) or n.endswith(ending)]
            return [n for n in names if n.startswith(head + more + (begins if method == "top" else ()))]

        return choose

    def as_text(names, method, num_layers, top=1):
        last = sorted(map(str, range(num_layers)))[num_layers - top :] if method == "top" else []
        blocks = tuple(f"blocks.{number}." for number in last)
        return [n for n in names if n.startswith(blocks) or n in chosen()(names, method, num_layers, 0)]

    check.mistakes({
        no_head: chosen(head=("?",)), no_norm: chosen(norm=()), bottom: chosen(first=True),
        one: chosen(fixed=True), embedded: chosen(more=("token_embedding.",)),
        weights_only: lambda n, m, k, top=1: [v for v in n if v.endswith(".bias")] if m == "biases" else (
            chosen()(n, m, k, top)),
        whole_head: chosen(head=("head.bias",)),
        "these are in alphabetical order: keep the order in which the names came": lambda n, m, k, top=1: (
            sorted(chosen()(n, m, k, top))),
        "this is a set: a list is asked, in the order of the names": lambda n, m, k, top=1: set(chosen()(n, m, k, top)),
        "these are the frozen ones": lambda n, m, k, top=1: [v for v in n if v not in chosen()(n, m, k, top)],
        off_by_one: lambda n, m, k, top=1: (
            chosen()(n, m, k - (m == "top"), top) if m == "top" else chosen()(n, m, k, top)),
        "the first of the last `top` blocks is missing: they count from 0 to num_layers - 1": lambda n, m, k, top=1: (
            chosen()(n, m, k, top - (m == "top"))),
        lonely: lambda n, m, k, top=1: [
            v for v in chosen()(n, m, k, top)
            if m != "top" or v[:6] != "blocks" or v.startswith(f"blocks.{k - top}.")],
        "the norm before the head is not trained by `biases`, but for its bias": lambda n, m, k, top=1: [
            v for v in n if v in chosen()(n, m, k, top) or (m == "biases" and "norm" in v)],
        too_many: lambda n, m, k, top=1: chosen()(n, m, k, top + (m == "top")),
        text: as_text,
        not_full: lambda n, m, k, top=1: [
            v for v in chosen()(n, m, k, top) if "embedding" not in v],
        "the biases of the norms are missing: every name that ends in `.bias` counts": lambda n, m, k, top=1: [
            v for v in chosen()(n, m, k, top) if m != "biases" or "norm" not in v],
        head_anywhere: lambda n, m, k, top=1: [
            v for v in n if "head" in v or v in chosen()(n, m, k, top)],
        bias_anywhere: lambda n, m, k, top=1: [
            v for v in n if (m == "biases" and "bias" in v) or v in chosen()(n, m, k, top)],
        "with top = 0 no block is trained: a slice [-0:] takes all": lambda n, m, k, top=1: (
            chosen()(n, m, k, top if top or m != "top" else k)),
    })
    for num_layers, top in [(12, 2), (13, 3), (11, 10), (4, 1), (4, 4), (1, 1), (140, 75)]:
        names = named(num_layers)
        last = {f"blocks.{i}" for i in range(num_layers)[num_layers - top :]}
        right = [n for n in names if n.rpartition(".linear")[0] in last or n.split(".")[0] in ("final_norm", "head")]
        check(trained_names, names, "top", num_layers, top).equals(right, about="the last blocks")
    for method in ("full", "head", "biases"):
        names = named(int(check.rng.integers(2, 15)))[::-1]
        right = [n for n in names if method == "full" or n[:5] == "head." or (method == "biases" and n[-5:] == ".bias")]
        check(trained_names, names, method, 15).equals(right, about="full, head and biases")
    names = ["bias_table", "blocks.0.heads.weight", "blocks.0.bias.weight", "header.weight", "Head.weight",
             "final_norms.weight", "decoder.blocks.1.linear1.weight", "my.final_norm.weight", *named(2)]
    biases = [n for n in names[8:] if n[-5:] == ".bias" or n[:5] == "head."]
    for method, right in [("head", names[-2:]), ("biases", biases), ("top", names[-6:])]:
        check(trained_names, names, method, 2).equals(right, about="names that hold these words elsewhere")
    names = ["blocks.0.LayerNorm.bias", "blocks.0.Linear1.weight", "head.OUT"]
    for method, right in [("full", names), ("biases", [names[0], names[2]]), ("top", names)]:
        check(trained_names, names, method, 1).equals(right, about="names with capital letters", edge=True)
    check(trained_names, named(3), "top", 3, 0).equals(
        named(3)[-4:], about="no block at all", edge=True, near={"with top = 0 no block is trained": named(3)[-6:]})

    def counted(gradient=1, everything=False, frozen=True, each=4, fixed=False):
        def count(sizes, trained, states=2):
            moved = sum(sizes.values()) if everything else sum(sizes[n] for n in trained)
            still = sum(n for name, n in sizes.items() if frozen or name in trained)
            return each * (still + (gradient + (2 if fixed else states)) * moved)

        return count

    def apart(gradients=False, states_too=False, weights=1, each=1):
        def count(sizes, trained, states=2):
            every, moved = sum(sizes.values()), sum(sizes[n] for n in trained)
            return 4 * (every + (weights - 1) * moved + (every if gradients else moved)
                        + each * states * (every if states_too else moved))

        return count

    check.mistakes({
        all_gradients: apart(gradients=True), only_states: apart(states_too=True), twice: apart(weights=2),
        "a state takes 4 bytes, as a weight does": apart(each=2),
        no_gradients: counted(gradient=0), all_states: counted(everything=True), no_frozen: counted(frozen=False),
        numbers: counted(each=1), ignored: counted(fixed=True),
        "the states of the optimiser are missing": lambda sizes, trained, states=2: counted()(sizes, trained, 0),
        "names are counted: `sizes` says how many numbers each has": lambda sizes, trained, states=2: (
            4 * (sum(sizes.values()) + (1 + states) * len(trained))),
        "each state is a number of 4 bytes, too": lambda sizes, trained, states=2: (
            counted()(sizes, trained, 0) + states * sum(sizes[n] for n in trained)),
        "weights are 4 bytes each, not 2": counted(each=2), "these are bits: a byte has 8": counted(each=32),
    })
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
