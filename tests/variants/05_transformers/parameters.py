# %% base="the plain way"
def block_parameters(d_model, d_ff):
    attention = 4 * (d_model * d_model + d_model)
    feed = d_model * d_ff + d_ff + d_ff * d_model + d_model
    return attention + feed + 2 * d_model
def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model
    return (vocab_size + context_length) * d_model + num_layers * block_parameters(d_model, d_ff) + 2 * d_model
def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    d_ff = 4 * d_model
    tables = (vocab_size + context_length + num_segments) * d_model + 2 * d_model
    return tables + num_layers * block_parameters(d_model, d_ff) + d_model * d_model + d_model
def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    matrices = 4 * d_model**2 + 2 * d_model * d_ff
    attention = 4 * context_length * d_model
    return num_layers * (2 * matrices + attention) + 2 * d_model * vocab_size
# %% wrong="no biases" says="the biases are missing" of="in floats"
#~ 4.0 * d_model**2 + 2 * d_model * d_ff + 9 * d_model + d_ff => 4 * d_model**2 + 2 * d_model * d_ff + 4 * d_model
# %% wrong="the output is not tied" says="the output is tied" of="in floats"
#~ (vocab_size + context_length) => (2 * vocab_size + context_length)
# %% right="in floats"
def block_parameters(d_model, d_ff):
    return 4.0 * d_model**2 + 2 * d_model * d_ff + 9 * d_model + d_ff
def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    return (vocab_size + context_length) * d_model + num_layers * block_parameters(d_model, d_ff or 4 * d_model) + 2 * d_model
def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    return ((vocab_size + context_length + num_segments + 3) * d_model + d_model**2
            + num_layers * block_parameters(d_model, d_ff or 4 * d_model))
def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = d_ff or 4 * d_model
    return 2 * (num_layers * (4 * d_model**2 + 2 * d_model * d_ff + 2 * context_length * d_model) + vocab_size * d_model)
# %% wrong="three matrices of attention" says="four matrices" of="the plain way"
#~ 4 * (d_model * d_model + d_model) => 3 * (d_model * d_model + d_model)
#~ feed + 2 * d_model => feed + 4 * d_model
#~ 4 * context_length => 3 * context_length
# %% wrong="one bias width in feed-forward" says="bias" of="the plain way"
#~ d_model * d_ff + d_ff + d_ff * d_model + d_model => 2 * (d_model * d_ff + d_ff)
#~ feed + 2 * d_model => feed + 4 * d_model
# %% wrong="one norm" says="two norms"
def block_parameters(d_model, d_ff):
    attention = 4 * (d_model * d_model + d_model)
    feed = d_model * d_ff + d_ff + d_ff * d_model + d_model
    return attention + feed + 2 * d_model
# %% wrong="no norms in the block" says="norms" of="the plain way"
#~ feed + 2 * d_model => feed
# %% wrong="norm without bias" says="norm" of="a list of all shapes"
#~ C = d_model => attention = 4 * (d_model * d_model + d_model)
#~ square = [(C, C), (C,)] * 4 => feed = d_model * d_ff + d_ff + d_ff * d_model + d_model
#~ _size(*square, (C, d_ff), (d_ff,), (d_ff, C), (C,), *[(C,)] * 4) => attention + feed + 2 * d_model
#~ blocks = sum(block_parameters(d_model, d_ff or 4 * d_model) for _ in range(num_layers)) => d_ff = 4 * d_model if d_ff is None else d_ff
#~ blocks + _size((vocab_size, d_model), (context_length, d_model), (d_model,), (d_model,)) => (vocab_size + context_length) * d_model + num_layers * block_parameters(d_model, d_ff) + d_model
# %% wrong="no final norm in GPT" says="norm at the end"
def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    return (vocab_size + context_length) * d_model + num_layers * block_parameters(d_model, d_ff)
# %% wrong="GPT without positions" says="position" of="no final norm in GPT"
#~ (vocab_size + context_length) * d_model + num_layers * block_parameters(d_model, d_ff) => vocab_size * d_model + num_layers * block_parameters(d_model, d_ff) + 2 * d_model
# %% wrong="d_ff always four times" says="d_ff was ignored" of="in floats"
#-     return (vocab_size + context_length) * d_model + num_layers * block_parameters(d_model, d_ff or 4 * d_model) + 2 * d_model
#+     d_ff = 4 * d_model
#+     return (vocab_size + context_length) * d_model + num_layers * block_parameters(d_model, d_ff) + 2 * d_model
#-     return ((vocab_size + context_length + num_segments + 3) * d_model + d_model**2
#-             + num_layers * block_parameters(d_model, d_ff or 4 * d_model))
#+     d_ff = 4 * d_model
#+     tables = (vocab_size + context_length + num_segments) * d_model + 2 * d_model
#+     return tables + num_layers * block_parameters(d_model, d_ff) + d_model * d_model + d_model
#-     d_ff = d_ff or 4 * d_model
#-     return 2 * (num_layers * (4 * d_model**2 + 2 * d_model * d_ff + 2 * context_length * d_model) + vocab_size * d_model)
#+     d_ff = 4 * d_model
#+     matrices = 4 * d_model**2 + 2 * d_model * d_ff
#+     attention = 4 * context_length * d_model
#+     return num_layers * (2 * matrices + attention) + 2 * d_model * vocab_size
# %% wrong="BERT without segments" says="segment"
def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    d_ff = 4 * d_model if d_ff is None else d_ff
    tables = (vocab_size + context_length) * d_model + 2 * d_model
    return tables + num_layers * block_parameters(d_model, d_ff) + d_model * d_model + d_model
# %% wrong="BERT always two segments" says="number of segments was ignored" of="BERT without segments"
#~ (vocab_size + context_length) => (vocab_size + context_length + 2)
# %% wrong="BERT without the norm on the embeddings" says="norm" of="BERT without segments"
#~ (vocab_size + context_length) * d_model + 2 => (vocab_size + context_length + num_segments)
# %% wrong="BERT without the pooler" says="pooler" of="BERT without segments"
#~ (vocab_size + context_length) => (vocab_size + context_length + num_segments)
#~ (d_model, d_ff) + d_model * d_model + d_model => (d_model, d_ff)
# %% wrong="pooler without bias" says="pooler" of="BERT without segments"
#~ (vocab_size + context_length) => (vocab_size + context_length + num_segments)
#~ d_model + d_model => d_model
# %% wrong="BERT with a final norm, too" says="norm" of="BERT without segments"
#~ (vocab_size + context_length) => (vocab_size + context_length + num_segments)
#~ d_model + d_model => d_model + 3 * d_model
# %% wrong="one operation for each weight" says="2n" of="the plain way"
#~ (2 * matrices + attention) + 2 * => (matrices + attention) +
# %% wrong="flops without the output" says="output" of="the plain way"
#~ (2 * matrices + attention) + 2 * d_model * vocab_size => (2 * matrices + attention)
# %% wrong="flops without the scores" says="scores" of="the plain way"
#~ 4 * context_length => 2 * context_length
# %% wrong="flops without attention over the context" says="scores" of="the plain way"
#~ (2 * matrices + attention) => 2 * matrices
# %% wrong="flops of the training step" says="forward pass" of="the plain way"
#~ num_layers * (2 * matrices + attention) + 2 * d_model * vocab_size => 3 * (num_layers * (2 * matrices + attention) + 2 * d_model * vocab_size)
# %% wrong="twice all parameters" says="parameters" of="the plain way"
#~ num_layers * (2 * matrices + attention) + 2 * d_model * vocab_size => 2 * gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff) + num_layers * attention
# %% wrong="scores for all queries" says="one token" of="the plain way"
#~ context_length * => context_length**2 *
# %% wrong="flops with biases" says="biases" of="the plain way"
#~ 4 * d_model**2 + 2 * d_model * d_ff => block_parameters(d_model, d_ff) - 4 * d_model
# %% wrong="one block only" says="blocks" of="a list of all shapes"
#~ blocks = sum(block_parameters(d_model, d_ff or 4 * d_model) for _ in range(num_layers)) => d_ff = 4 * d_model if d_ff is None else d_ff
#~ blocks + _size((vocab_size, d_model), (context_length, d_model), (d_model,), (d_model,)) => (vocab_size + context_length) * d_model + block_parameters(d_model, d_ff) + 2 * d_model
#-     extra = _size((num_segments, d_model), (d_model, d_model), (d_model,))
#-     return gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff) + extra
#+     d_ff = 4 * d_model if d_ff is None else d_ff
#+     tables = (vocab_size + context_length + num_segments) * d_model + 2 * d_model
#+     return tables + block_parameters(d_model, d_ff) + d_model * d_model + d_model
# %% wrong="positions at the output" says="C times V weights" of="the plain way"
#~ * vocab_size => * context_length
# %% right="NumPy integers"
def block_parameters(d_model, d_ff):
    C, W = np.int64(d_model), np.int64(d_ff)
    return 4 * C**2 + 2 * C * W + W + 9 * C
def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    return np.int64(d_model) * (vocab_size + context_length + 2) + num_layers * block_parameters(
        d_model, 4 * d_model if d_ff is None else d_ff
    )
def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    C = np.int64(d_model)
    return gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff) + C * num_segments + C * (C + 1)
def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    C, W = np.int64(d_model), np.int64(4 * d_model if d_ff is None else d_ff)
    return 2 * (num_layers * C * (4 * C + 2 * W + 2 * context_length) + C * vocab_size)
# %% right="a list of all shapes"
def _size(*shapes):
    return sum(math.prod(s) for s in shapes)
def block_parameters(d_model, d_ff):
    C = d_model
    square = [(C, C), (C,)] * 4
    return _size(*square, (C, d_ff), (d_ff,), (d_ff, C), (C,), *[(C,)] * 4)
def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    blocks = sum(block_parameters(d_model, d_ff or 4 * d_model) for _ in range(num_layers))
    return blocks + _size((vocab_size, d_model), (context_length, d_model), (d_model,), (d_model,))
def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    extra = _size((num_segments, d_model), (d_model, d_model), (d_model,))
    return gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff) + extra
def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    C, width = d_model, d_ff or 4 * d_model
    one = 2 * _size(*[(C, C)] * 4, (C, width), (width, C)) + 2 * _size((context_length, C)) * 2
    return sum([one] * num_layers, 2 * _size((C, vocab_size)))
# %% wrong="one bias for all four" says="one bias for all of attention"
def block_parameters(d_model, d_ff):
    attention_ = 4 * d_model * d_model + d_model
    feed = d_model * d_ff + d_ff + d_ff * d_model + d_model
    norms = 2 * 2 * d_model
    return attention_ + feed + norms
# %% wrong="ff no biases" says="biases of the feed-forward network" of="one bias for all four"
#~ d_model * d_model + d_model => (d_model * d_model + d_model)
#~ d_model * d_ff + d_ff + d_ff * d_model + d_model => 2 * d_model * d_ff
# %% wrong="ff bias of the middle" says="bias of the first layer" of="one bias for all four"
#-     attention_ = 4 * d_model * d_model + d_model
#-     feed = d_model * d_ff + d_ff + d_ff * d_model + d_model
#+     attention_ = 4 * (d_model * d_model + d_model)
#+     feed = d_model * d_ff + d_model + d_ff * d_model + d_model
# %% wrong="default d_ff is d_model" says="where it is None"
def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    if d_ff is None:
        d_ff = d_model
    embeddings = vocab_size * d_model + context_length * d_model
    return embeddings + num_layers * block_parameters(d_model, d_ff) + 2 * d_model
# %% wrong="bert one segment default" says="num_segments is 2"
def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=1):
    if d_ff is None:
        d_ff = 4 * d_model
    embeddings = (vocab_size + context_length + num_segments) * d_model
    norm = 2 * d_model
    pooler = d_model * d_model + d_model
    return embeddings + norm + num_layers * block_parameters(d_model, d_ff) + pooler
# %% wrong="bert pooler in each block" says="not in each block" of="bert one segment default"
#~ 1 => 2
#~ block_parameters(d_model, d_ff) + pooler => (block_parameters(d_model, d_ff) + pooler)
# %% wrong="bert three norms" says="one norm on their sum" of="bert one segment default"
#~ def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=1): => def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
#~ norm = 2 * d_model => norm = 3 * 2 * d_model
# %% wrong="bert tied head bias" says="output's bias" of="bert one segment default"
#~ 1 => 2
#~ + pooler => + pooler + vocab_size
# %% wrong="flops one per weight" says="matrices of the blocks, too"
def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    if d_ff is None:
        d_ff = 4 * d_model
    matrices = 4 * d_model * d_model + 2 * d_model * d_ff
    looking = 2 * context_length * d_model + 2 * context_length * d_model
    return num_layers * (matrices + looking) + 2 * d_model * vocab_size
# %% wrong="flops output without 2" says="output's product" of="flops one per weight"
#~ (matrices + looking) + 2 * => (2 * matrices + looking) +
# %% wrong="flops T squared" says="one token looks at T keys" of="flops one per weight"
#~ d_model + 2 * context_length => context_length * d_model + 2 * context_length
#~ (matrices + looking) => (2 * matrices + looking)
# %% wrong="flops with biases and norms" says="biases and norms" of="flops one per weight"
#~ 4 * d_model * d_model + 2 * d_model * d_ff => block_parameters(d_model, d_ff)
#~ (matrices + looking) => (2 * matrices + looking)
# %% wrong="flops one ff matrix" says="two matrices" of="flops one per weight"
#~ 2 * d_model * d_ff => d_model * d_ff
#~ (matrices + looking) => (2 * matrices + looking)
# %% right="counted on meta modules"
def _count(module):
    return sum(p.numel() for p in module.parameters())
def block_parameters(d_model, d_ff):
    with torch.device("meta"):
        return _count(nn.TransformerEncoderLayer(d_model, 1, d_ff))
def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    with torch.device("meta"):
        rest = [nn.Embedding(vocab_size, d_model), nn.Embedding(context_length, d_model), nn.LayerNorm(d_model)]
    return sum(map(_count, rest)) + num_layers * block_parameters(d_model, d_ff or 4 * d_model)
def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    with torch.device("meta"):
        rest = [nn.Embedding(n, d_model) for n in (vocab_size, context_length, num_segments)]
        rest += [nn.LayerNorm(d_model), nn.Linear(d_model, d_model)]
    return sum(map(_count, rest)) + num_layers * block_parameters(d_model, d_ff or 4 * d_model)
def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = d_ff or 4 * d_model
    total = 2 * vocab_size * d_model
    for _ in range(num_layers):
        total += 8 * d_model**2 + 4 * d_model * d_ff + 4 * context_length * d_model
    return total
# %% right="closed formulas"
def block_parameters(d_model, d_ff):
    return 4 * d_model**2 + 9 * d_model + d_ff * (2 * d_model + 1)
def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    width = 4 * d_model if d_ff is None else d_ff
    return d_model * (vocab_size + context_length + 2) + num_layers * block_parameters(d_model, width)
def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    same = gpt_parameters(vocab_size, context_length + num_segments, d_model, num_layers, d_ff)
    return same + d_model * (d_model + 1)
def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    width = 4 * d_model if d_ff is None else d_ff
    return 2 * d_model * (vocab_size + num_layers * (4 * d_model + 2 * width + 2 * context_length))
# %% right="numpy integers"
def block_parameters(d_model, d_ff):
    d, f = np.int64(d_model), np.int64(d_ff)
    return 4 * (d + 1) * d + (d + 1) * f + (f + 1) * d + 4 * d
def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    return (vocab_size + context_length + 2) * d_model + num_layers * block_parameters(d_model, d_ff or 4 * d_model)
def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    d_ff = d_ff or d_model * 4
    return d_model * (vocab_size + context_length + num_segments + 2 + d_model + 1) + num_layers * block_parameters(d_model, d_ff)
def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = d_ff or d_model * 4
    return np.int64(num_layers) * (8 * d_model**2 + 4 * d_model * d_ff + 4 * context_length * d_model) + 2 * d_model * vocab_size
# %% wrong="no segments means two" says="2 are the default alone"
#~ embeddings = (vocab_size + context_length + num_segments) => embeddings = (vocab_size + context_length + (num_segments or 2))
# %% wrong="the smallest network has two places" says="operations"
#~ num_layers * 4 * context_length * d_model => num_layers * 4 * max(context_length, 2) * d_model
# %% wrong="BERT as a GPT with a norm more" says="there is none at the end of the stack"
#~ return embeddings + num_layers * block_parameters(d_model, d_ff) + d_model * d_model + d_model => return gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff) + num_segments * d_model + 2 * d_model + d_model * (d_model + 1)
# %% wrong="the norm on BERT's embeddings has no bias" says="so has the norm on the embeddings"
#~ num_segments) * d_model + 2 * d_model => num_segments) * d_model + d_model
# %% wrong="a norm on the embeddings of a GPT" says="a GPT has one norm, at its end"
#~ (vocab_size + context_length) * d_model => (vocab_size + context_length + 2) * d_model
# %% wrong="a GPT with a pooler" says="a GPT has no pooler"
#~ block_parameters(d_model, d_ff) + 2 * d_model => block_parameters(d_model, d_ff) + 2 * d_model + d_model * d_model + d_model
# %% wrong="the last norm in each block of a GPT" says="not one for each block"
#~ num_layers * block_parameters(d_model, d_ff) + 2 * d_model => num_layers * (block_parameters(d_model, d_ff) + 2 * d_model)
# %% wrong="six vectors too many in each block of a GPT" says="the count is 6 * d_model too many in each block"
#~ num_layers * block_parameters(d_model, d_ff) + 2 * d_model => num_layers * (block_parameters(d_model, d_ff) + 6 * d_model) + 2 * d_model
# %% wrong="the scores of one block" says="counted once, not in each block"
#~ num_layers * 4 * context_length => 4 * context_length
# %% wrong="2 for each parameter, beside attention" says="no products"
#~ 2 * in_matrices + => 2 * gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff) +
