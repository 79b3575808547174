# %% wrong="all heads of keys" says="kv_heads is ignored"
#~ c["kv_heads"] * c["d_head"] => c["num_heads"] * c["d_head"]
# %% wrong="no output matrix" says="output matrix"
#~ 2 * c["d_model"] * (wide + narrow) => c["d_model"] * (wide + 2 * narrow)
#~ (wide + 2 * narrow + c["d_model"]) => (wide + 2 * narrow)
# %% wrong="d_head from C" says="need not be C"
#~ c["num_heads"] * c["d_head"], c["kv_heads"] * c["d_head"] => c["d_model"], c["kv_heads"] * (c["d_model"] // c["num_heads"])
# %% wrong="no biases" says="biases are missing"
#~ + c["biases"] * (wide + 2 * narrow + c["d_model"]) => + 0
#~ + c["biases"] * (inward * c["d_ff"] + c["d_model"]) => + 0
# %% wrong="two matrices" says="three matrices"
#~ (inward + 1) => 2
# %% wrong="no router" says="router is missing"
#~ d_model * c["experts"] if c["experts"] > 1 else 0 => 0
# %% wrong="a router for one" says="from two experts on"
#~ d_model * c["experts"] if c["experts"] > 1 else 0 => d_model * c["experts"]
# %% wrong="all at work" says="counted as active"
#~ (c["chosen_experts"] if active else c["experts"]) => c["experts"]
# %% wrong="router of the chosen" says="all of the router works"
#~ d_model * c["experts"] if => d_model * (experts - c["shared_experts"]) if
# %% wrong="no second attention" says="second attention"
#~ attention_parameters(c) + norm if => 0 if
# %% wrong="second attention always" says="without an encoder"
#~ norm if c["encoder_blocks"] else 0 => norm
# %% wrong="untied forgotten" says="another matrix"
#~ (1 if c["tied"] else 2) => 1
# %% wrong="one norm" says="two norms"
#~ router + 2 * norm + => router + norm +
# %% wrong="no pooler" says="pooler is missing"
#~  + c["pooler"] * (d_model + c["biases"]) * d_model =>  + 0
# %% wrong="biases as wide as the queries" says="of their own width"
#~ (wide + 2 * narrow + c["d_model"]) => (3 * wide + c["d_model"])
# %% right="sums of layers"
def attention_parameters(c):
    b, C = int(c["biases"]), c["d_model"]
    sizes = [c["num_heads"] * c["d_head"], c["kv_heads"] * c["d_head"], c["kv_heads"] * c["d_head"]]
    return sum((C + b) * n for n in sizes) + sizes[0] * C + b * C
def feed_forward_parameters(c):
    b, C, F_ = int(c["biases"]), c["d_model"], c["d_ff"]
    total = (C + b) * F_ + (F_ + b) * C
    return total + (C + b) * F_ if c["gated"] else total
# %% right="block by block"
def model_parameters(c, active=False):
    norm = c["d_model"] + c["d_model"] * c["norm_biases"]
    count = c["d_model"] * (c["vocab_size"] + c["rows"]) + c["norms"] * norm
    if not c["tied"]:
        count += c["d_model"] * c["vocab_size"]
    if c["pooler"]:
        count += c["d_model"] * (c["d_model"] + c["biases"])
    for kind in ["e"] * c["encoder_blocks"] + ["d"] * c["decoder_blocks"]:
        count += attention_parameters(c) + norm * 2 + c["extras"] + c["shared_experts"] * feed_forward_parameters(c)
        if c["experts"] > 1:
            count += c["experts"] * c["d_model"]
        count += feed_forward_parameters(c) * c["chosen_experts" if active else "experts"]
        if kind == "d" and c["encoder_blocks"] > 0:
            count += norm + attention_parameters(c)
    return count
# %% wrong="router with biases" says="router never has a bias"
#~ d_model * c["experts"] if => (d_model + c["biases"]) * c["experts"] if
# %% wrong="pooler without a bias" says="the pooler has a bias"
#~ (d_model + c["biases"]) * d_model => d_model * d_model
# %% wrong="two embeddings" says="share one token embedding"
#~ (1 if c["tied"] else 2) => ((1 if c["tied"] else 2) + (c["encoder_blocks"] > 0 < c["decoder_blocks"]))
# %% wrong="embedding at rest" says="the embedding counts"
#~ rows = c["vocab_size"] => rows = (not active) * c["vocab_size"]
# %% wrong="C / H for d_head" says="d_head is ignored" clause="the query heads, the key heads, and the numbers in a head; $H \cdot d_k$ need not be $C$."
#~ c["num_heads"] * c["d_head"], c["kv_heads"] * c["d_head"] => c["d_model"], c["d_model"] * c["kv_heads"] // c["num_heads"]
# %% wrong="a router for one" says="from two experts on" clause="With two or more experts there is a *router*"
#~ if c["experts"] > 1 else 0 => if c["experts"] else 0
# %% wrong="an output with a bias" says="has no bias" clause="a matrix of its own beside the token embedding, $V \cdot C$ without a bias"
#~ return blocks + rows * d_model => return blocks + (not c["tied"]) * c["biases"] * c["vocab_size"] + rows * d_model
# %% wrong="a router with a bias" says="never has a bias" clause="one matrix from $C$ to `experts`, which never has a bias"
#~ router = d_model * c["experts"] => router = (d_model + c["biases"]) * c["experts"]
# %% wrong="two norms in a decoder block" says="norm of the second attention" clause="each decoder block has a second attention, to the"
#~ attention_parameters(c) + norm if => attention_parameters(c) if
# %% wrong="C for H times d_head" says="which need not be C"
#~ c["num_heads"] * c["d_head"], c["kv_heads"] => c["d_model"], c["kv_heads"]
# %% wrong="three norms in a block" says="not three"
#~ router + 2 * norm => router + 3 * norm
# %% wrong="norms with the layers' biases" says="norm_biases says whether" clause="`norm_biases` is the same for the norms"
#~ (2 if c["norm_biases"] else 1) => (2 if c["biases"] else 1)
# %% wrong="no shared experts" says="the shared experts are missing"
#~ experts = c["shared_experts"] + => experts =
# %% wrong="a row of the router for shared experts" says="need no row of it" clause="which work for every token and need no router"
#~ router = d_model * c["experts"] if => router = d_model * (c["experts"] + c["shared_experts"]) if
# %% wrong="shared experts at rest" says="shared experts work for every token"
#~ c["shared_experts"] + (c["chosen_experts"] if active else c["experts"]) => c["chosen_experts"] if active else c["experts"] + c["shared_experts"]
# %% wrong="no extras" says="the extras of each block are missing"
#~  + c["extras"] =>  + 0
# %% wrong="extras once" says="here they are counted once" clause="numbers in each block that no other key describes"
#~ 2 * norm + c["extras"] => 2 * norm
#~ return blocks + rows => return blocks + c["extras"] + rows
# %% right="a dict of counts"
def model_parameters(c, active=False):
    C = c["d_model"]
    norm = C + C * c["norm_biases"]
    working = {True: c["chosen_experts"], False: c["experts"]}[bool(active)] + c["shared_experts"]
    each = {"attention": attention_parameters(c), "experts": working * feed_forward_parameters(c), "norms": 2 * norm,
            "router": c["experts"] * C * (c["experts"] >= 2), "extras": c["extras"]}
    second = (each["attention"] + norm) * (c["encoder_blocks"] >= 1)
    outside = {"embedding": c["vocab_size"] * C, "output": 0 if c["tied"] else c["vocab_size"] * C,
               "tables": c["rows"] * C, "norms": c["norms"] * norm, "pooler": c["pooler"] * (C * C + c["biases"] * C)}
    return sum(each.values()) * (c["encoder_blocks"] + c["decoder_blocks"]) + second * c["decoder_blocks"] + sum(outside.values())
# %% wrong="as many heads of keys" says="mend it first"
#~ c["kv_heads"] * c["d_head"] => c["num_heads"] * c["d_head"]
