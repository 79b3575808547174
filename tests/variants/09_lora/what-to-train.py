# %% base="the plain way"
def trained_names(names, method, num_layers, top=1):
    if method == "full":
        return list(names)
    if method == "head":
        return [n for n in names if n.startswith("head.")]
    if method == "top":
        s = tuple(f"blocks.{i}." for i in range(num_layers - top, num_layers)) + ("head.", "final_norm.")
        return [n for n in names if n.startswith(s)]
    return [n for n in names if n.startswith("head.") or n.endswith(".bias")]
def training_bytes(sizes: dict[str, int], trained: list[str], states: int = 2) -> int:
    """Return the bytes of all weights, and of gradients and optimiser states of the trained ones, 4 for each number."""
    return 4 * (sum(sizes.values()) + (1 + states) * sum(sizes[name] for name in trained))
# %% wrong="no norm" says="`final_norm` is missing"
#~ ["final_norm.", *(f"blocks.{i}." for i in range(num_layers - top, num_layers))] => [*(f"blocks.{i}." for i in range(num_layers - top, num_layers))]
# %% wrong="the first blocks" says="these are the first blocks"
#~ num_layers - top, num_layers => top
# %% wrong="one block always" says="`top` is ignored"
#~ top, => 1,
# %% wrong="biases without the head's weight" says="its weights did not"
#~ .startswith("head.") or name. => .
# %% wrong="no gradients" says="gradients are missing"
#~ (1 + states) => states
# %% wrong="states for all" says="trained weights only"
#~ [name] for name in trained => .values()
# %% wrong="numbers" says="not bytes"
#~ 4 * => 1 *
# %% wrong="frozen weights forgotten" says="frozen weights are in memory"
#~ .values() => [name] for name in trained
# %% right="a loop and sets"
def trained_names(names: list[str], method: str, num_layers: int, top: int = 1) -> list[str]:
    if method == "full":
        return list(names)
    if method == "biases":
        return [name for name in names if name.startswith("head.") or name.endswith(".bias")]
    begins = ["head."]
    if method == "top":
        begins += ["final_norm.", *(f"blocks.{i}." for i in range(num_layers - top, num_layers))]
    found = []
    for name in names:
        if any(name.startswith(b) for b in begins):
            found.append(name)
    return found
# %% right="by parts of the name"
def training_bytes(sizes: dict[str, int], trained: list[str], states: int = 2) -> int:
    total = 0
    for name, size in sizes.items():
        total += 4 * size
        if name in set(trained):
            total += 4 * size + 4 * states * size
    return total
# %% wrong="head is found anywhere in the name" says="must begin with `head.`" of="the plain way"
#~ [n for n in names if n.startswith("head.")] => [n for n in names if "head" in n]
# %% wrong="bias anywhere in the name" says="must end in `.bias`" of="the plain way"
#~ n.endswith(".bias") => "bias" in n
# %% wrong="order by group: head first" says="in another order"
def trained_names(names, method, num_layers, top=1):
    if method == "full":
        return list(names)
    head = [n for n in names if n.startswith("head.")]
    if method == "head":
        return head
    if method == "top":
        s = tuple(f"blocks.{i}." for i in range(num_layers - top, num_layers)) + ("final_norm.",)
        return [n for n in names if n.startswith(s)] + head
    return head + [n for n in names if n.endswith(".bias") and n not in head]
# %% wrong="biases leave out the norms" says="biases of the norms are missing" of="the plain way"
#~ n.endswith(".bias") => (n.endswith(".bias") and "norm" not in n)
# %% wrong="off by one block" says="one block too many" of="blocks without the last dot: the last ones cannot be mistaken"
#~ "blocks.{i}" for i in range(num_layers - top, num_layers) => "blocks.{i}." for i in range(num_layers - top - 1, num_layers)
# %% wrong="string order of the numbers" says="compared as text" of="blocks without the last dot: the last ones cannot be mistaken"
#-         s = tuple(f"blocks.{i}" for i in range(num_layers - top, num_layers)) + ("head.", "final_norm.")
#-         return [n for n in names if n.startswith(s)]
#+         blocks = sorted({n.split(".")[1] for n in names if n.startswith("blocks.")})[num_layers - top:]
#+         return [n for n in names if n.startswith(("head.", "final_norm."))
#+                 or n.startswith("blocks.") and n.split(".")[1] in blocks]
# %% wrong="full freezes embeddings" says="`full` trains all names" of="the plain way"
#~ list(names) => [n for n in names if "embedding" not in n]
# %% wrong="counts parameters, not numbers" says="names are counted"
def training_bytes(sizes, trained, states=2):
    return 4 * (sum(sizes.values()) + (1 + states) * len(trained))
# %% wrong="states are bytes per tensor" says="each state is a number of 4 bytes" of="counts parameters, not numbers"
#~ (sum(sizes.values()) + (1 + states) * len(trained)) => (sum(sizes.values()) + sum(sizes[n] for n in trained)) + states * sum(sizes[n] for n in trained)
# %% right="a loop with flags"
def trained_names(names, method, num_layers, top=1):
    out = []
    for name in names:
        part = name.split(".")
        keep = method == "full" or part[0] == "head"
        if method == "top":
            keep = keep or part[0] == "final_norm" or (part[0] == "blocks" and int(part[1]) >= num_layers - top)
        if method == "biases":
            keep = keep or name.endswith(".bias")
        if keep:
            out.append(name)
    return out
def training_bytes(sizes, trained, states=2):
    total = 0
    for name, size in sizes.items():
        total += size * 4
        if name in trained:
            total += size * 4 * (1 + states)
    return total
# %% right="blocks without the last dot: the last ones cannot be mistaken"
def trained_names(names, method, num_layers, top=1):
    if method == "full":
        return list(names)
    if method == "head":
        return [n for n in names if n.startswith("head.")]
    if method == "top":
        s = tuple(f"blocks.{i}" for i in range(num_layers - top, num_layers)) + ("head.", "final_norm.")
        return [n for n in names if n.startswith(s)]
    return [n for n in names if n.startswith("head.") or n.endswith(".bias")]
# %% wrong="falsy states" says="states"
#~ (1 + states) => (1 + (states or 2))
# %% right="a regular expression"
def trained_names(names, method, num_layers, top=1):
    import re
    ends = "|".join(str(i) for i in range(num_layers - top, num_layers))
    tests = {"full": "", "head": r"head\.", "top": rf"(head|final_norm)\.|blocks\.({ends})\." if top else r"(head|final_norm)\.",
             "biases": r"head\.|.*\.bias$"}
    return [n for n in names if re.match(tests[method], n)]
# %% wrong="gradients for all" says="gradients are kept for trained weights only"
#~ (sum(sizes.values()) + (1 + states) * => (2 * sum(sizes.values()) + states *
# %% wrong="states, not gradients, for all" says="states of the optimiser are kept"
#~ (sum(sizes.values()) + (1 + states) * sum(sizes[name] for name in trained)) => ((1 + states) * sum(sizes.values()) + sum(sizes[name] for name in trained))
# %% wrong="trained weights twice" says="counted twice as weights"
#~ (1 + states) => (2 + states)
# %% wrong="blocks counted from one" says="the last `top` blocks is missing"
#~ (num_layers - top, num_layers) => (num_layers - top + 1, num_layers + 1)
# %% wrong="blocks one too low" says="off by one"
#~ (num_layers - top, num_layers) => (num_layers - top - 1, num_layers - 1)
# %% wrong="one block of them" says="one block alone came"
#~ *(f"blocks.{i}." for i in range(num_layers - top, num_layers)) => f"blocks.{num_layers - top}."
# %% wrong="a slice from minus 0" says="a slice [-0:] takes all" clause="with top = 0, no block"
#~ *(f"blocks.{i}." for i in range(num_layers - top, num_layers))] => *[f"blocks.{i}." for i in range(num_layers)][-top:]]
# %% wrong="bias without its dot" says="" clause="and every name that ends in"
#~ name.endswith(".bias") => name.endswith("bias")
# %% wrong="AdamW for all" says="`states` is ignored" clause="numbers that the optimiser keeps for each trained one (AdamW 2,"
#~ (1 + states) => (1 + 2)
