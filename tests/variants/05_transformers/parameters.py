# %% wrong="no biases" says="the biases are missing"
def block_parameters(d_model, d_ff):
    return 4 * d_model**2 + 2 * d_model * d_ff + 4 * d_model

def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    return (vocab_size + context_length) * d_model + num_layers * block_parameters(d_model, d_ff or 4 * d_model) + 2 * d_model

def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    return ((vocab_size + context_length + num_segments + 3) * d_model + d_model**2
            + num_layers * block_parameters(d_model, d_ff or 4 * d_model))

def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = d_ff or 4 * d_model
    return 2 * (num_layers * (4 * d_model**2 + 2 * d_model * d_ff + 2 * context_length * d_model) + vocab_size * d_model)

# %% wrong="the output is not tied" says="the output is tied"
def block_parameters(d_model, d_ff):
    return 4 * d_model**2 + 2 * d_model * d_ff + 9 * d_model + d_ff

def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    return (2 * vocab_size + context_length) * d_model + num_layers * block_parameters(d_model, d_ff or 4 * d_model) + 2 * d_model

def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    return ((vocab_size + context_length + num_segments + 3) * d_model + d_model**2
            + num_layers * block_parameters(d_model, d_ff or 4 * d_model))

def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = d_ff or 4 * d_model
    return 2 * (num_layers * (4 * d_model**2 + 2 * d_model * d_ff + 2 * context_length * d_model) + vocab_size * d_model)

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

# %% wrong="three matrices of attention" says="four matrices"
def block_parameters(d_model, d_ff):
    attention = 3 * (d_model * d_model + d_model)
    feed = d_model * d_ff + d_ff + d_ff * d_model + d_model
    return attention + feed + 4 * d_model


def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    return (vocab_size + context_length) * d_model + num_layers * block_parameters(d_model, d_ff) + 2 * d_model


def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    d_ff = 4 * d_model if d_ff is None else d_ff
    tables = (vocab_size + context_length + num_segments) * d_model + 2 * d_model
    return tables + num_layers * block_parameters(d_model, d_ff) + d_model * d_model + d_model


def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    matrices = 4 * d_model**2 + 2 * d_model * d_ff
    attention = 3 * context_length * d_model
    return num_layers * (2 * matrices + attention) + 2 * d_model * vocab_size

# %% wrong="no biases in attention" says="biases of attention"
def block_parameters(d_model, d_ff):
    attention = 4 * d_model * d_model
    feed = d_model * d_ff + d_ff + d_ff * d_model + d_model
    return attention + feed + 4 * d_model


def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    return (vocab_size + context_length) * d_model + num_layers * block_parameters(d_model, d_ff) + 2 * d_model


def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    d_ff = 4 * d_model if d_ff is None else d_ff
    tables = (vocab_size + context_length + num_segments) * d_model + 2 * d_model
    return tables + num_layers * block_parameters(d_model, d_ff) + d_model * d_model + d_model


def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    matrices = 4 * d_model**2 + 2 * d_model * d_ff
    attention = 4 * context_length * d_model
    return num_layers * (2 * matrices + attention) + 2 * d_model * vocab_size

# %% wrong="one bias width in feed-forward" says="bias"
def block_parameters(d_model, d_ff):
    attention = 4 * (d_model * d_model + d_model)
    feed = 2 * (d_model * d_ff + d_ff)
    return attention + feed + 4 * d_model


def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    return (vocab_size + context_length) * d_model + num_layers * block_parameters(d_model, d_ff) + 2 * d_model


def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    d_ff = 4 * d_model if d_ff is None else d_ff
    tables = (vocab_size + context_length + num_segments) * d_model + 2 * d_model
    return tables + num_layers * block_parameters(d_model, d_ff) + d_model * d_model + d_model


def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    matrices = 4 * d_model**2 + 2 * d_model * d_ff
    attention = 4 * context_length * d_model
    return num_layers * (2 * matrices + attention) + 2 * d_model * vocab_size

# %% wrong="one norm" says="two norms"
def block_parameters(d_model, d_ff):
    attention = 4 * (d_model * d_model + d_model)
    feed = d_model * d_ff + d_ff + d_ff * d_model + d_model
    return attention + feed + 2 * d_model


def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    return (vocab_size + context_length) * d_model + num_layers * block_parameters(d_model, d_ff) + 2 * d_model


def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    d_ff = 4 * d_model if d_ff is None else d_ff
    tables = (vocab_size + context_length + num_segments) * d_model + 2 * d_model
    return tables + num_layers * block_parameters(d_model, d_ff) + d_model * d_model + d_model


def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    matrices = 4 * d_model**2 + 2 * d_model * d_ff
    attention = 4 * context_length * d_model
    return num_layers * (2 * matrices + attention) + 2 * d_model * vocab_size

# %% wrong="no norms in the block" says="norms"
def block_parameters(d_model, d_ff):
    attention = 4 * (d_model * d_model + d_model)
    feed = d_model * d_ff + d_ff + d_ff * d_model + d_model
    return attention + feed


def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    return (vocab_size + context_length) * d_model + num_layers * block_parameters(d_model, d_ff) + 2 * d_model


def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    d_ff = 4 * d_model if d_ff is None else d_ff
    tables = (vocab_size + context_length + num_segments) * d_model + 2 * d_model
    return tables + num_layers * block_parameters(d_model, d_ff) + d_model * d_model + d_model


def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    matrices = 4 * d_model**2 + 2 * d_model * d_ff
    attention = 4 * context_length * d_model
    return num_layers * (2 * matrices + attention) + 2 * d_model * vocab_size

# %% wrong="norm without bias" says="norm"
def block_parameters(d_model, d_ff):
    attention = 4 * (d_model * d_model + d_model)
    feed = d_model * d_ff + d_ff + d_ff * d_model + d_model
    return attention + feed + 2 * d_model


def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    return (vocab_size + context_length) * d_model + num_layers * block_parameters(d_model, d_ff) + d_model


def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    d_ff = 4 * d_model if d_ff is None else d_ff
    tables = (vocab_size + context_length + num_segments) * d_model + 2 * d_model
    return tables + num_layers * block_parameters(d_model, d_ff) + d_model * d_model + d_model


def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    matrices = 4 * d_model**2 + 2 * d_model * d_ff
    attention = 4 * context_length * d_model
    return num_layers * (2 * matrices + attention) + 2 * d_model * vocab_size

# %% wrong="no final norm in GPT" says="norm at the end"
def block_parameters(d_model, d_ff):
    attention = 4 * (d_model * d_model + d_model)
    feed = d_model * d_ff + d_ff + d_ff * d_model + d_model
    return attention + feed + 4 * d_model


def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    return (vocab_size + context_length) * d_model + num_layers * block_parameters(d_model, d_ff)


def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    d_ff = 4 * d_model if d_ff is None else d_ff
    tables = (vocab_size + context_length + num_segments) * d_model + 2 * d_model
    return tables + num_layers * block_parameters(d_model, d_ff) + d_model * d_model + d_model


def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    matrices = 4 * d_model**2 + 2 * d_model * d_ff
    attention = 4 * context_length * d_model
    return num_layers * (2 * matrices + attention) + 2 * d_model * vocab_size

# %% wrong="GPT without positions" says="position"
def block_parameters(d_model, d_ff):
    attention = 4 * (d_model * d_model + d_model)
    feed = d_model * d_ff + d_ff + d_ff * d_model + d_model
    return attention + feed + 4 * d_model


def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    return vocab_size * d_model + num_layers * block_parameters(d_model, d_ff) + 2 * d_model


def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    d_ff = 4 * d_model if d_ff is None else d_ff
    tables = (vocab_size + context_length + num_segments) * d_model + 2 * d_model
    return tables + num_layers * block_parameters(d_model, d_ff) + d_model * d_model + d_model


def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    matrices = 4 * d_model**2 + 2 * d_model * d_ff
    attention = 4 * context_length * d_model
    return num_layers * (2 * matrices + attention) + 2 * d_model * vocab_size

# %% wrong="d_ff always four times" says="d_ff was ignored"
def block_parameters(d_model, d_ff):
    attention = 4 * (d_model * d_model + d_model)
    feed = d_model * d_ff + d_ff + d_ff * d_model + d_model
    return attention + feed + 4 * d_model


def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model
    return (vocab_size + context_length) * d_model + num_layers * block_parameters(d_model, d_ff) + 2 * d_model


def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    d_ff = 4 * d_model
    tables = (vocab_size + context_length + num_segments) * d_model + 2 * d_model
    return tables + num_layers * block_parameters(d_model, d_ff) + d_model * d_model + d_model


def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model
    matrices = 4 * d_model**2 + 2 * d_model * d_ff
    attention = 4 * context_length * d_model
    return num_layers * (2 * matrices + attention) + 2 * d_model * vocab_size

# %% wrong="BERT without segments" says="segment"
def block_parameters(d_model, d_ff):
    attention = 4 * (d_model * d_model + d_model)
    feed = d_model * d_ff + d_ff + d_ff * d_model + d_model
    return attention + feed + 4 * d_model


def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    return (vocab_size + context_length) * d_model + num_layers * block_parameters(d_model, d_ff) + 2 * d_model


def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    d_ff = 4 * d_model if d_ff is None else d_ff
    tables = (vocab_size + context_length) * d_model + 2 * d_model
    return tables + num_layers * block_parameters(d_model, d_ff) + d_model * d_model + d_model


def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    matrices = 4 * d_model**2 + 2 * d_model * d_ff
    attention = 4 * context_length * d_model
    return num_layers * (2 * matrices + attention) + 2 * d_model * vocab_size

# %% wrong="BERT always two segments" says="number of segments was ignored"
def block_parameters(d_model, d_ff):
    attention = 4 * (d_model * d_model + d_model)
    feed = d_model * d_ff + d_ff + d_ff * d_model + d_model
    return attention + feed + 4 * d_model


def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    return (vocab_size + context_length) * d_model + num_layers * block_parameters(d_model, d_ff) + 2 * d_model


def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    d_ff = 4 * d_model if d_ff is None else d_ff
    tables = (vocab_size + context_length + 2) * d_model + 2 * d_model
    return tables + num_layers * block_parameters(d_model, d_ff) + d_model * d_model + d_model


def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    matrices = 4 * d_model**2 + 2 * d_model * d_ff
    attention = 4 * context_length * d_model
    return num_layers * (2 * matrices + attention) + 2 * d_model * vocab_size

# %% wrong="BERT without the norm on the embeddings" says="norm"
def block_parameters(d_model, d_ff):
    attention = 4 * (d_model * d_model + d_model)
    feed = d_model * d_ff + d_ff + d_ff * d_model + d_model
    return attention + feed + 4 * d_model


def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    return (vocab_size + context_length) * d_model + num_layers * block_parameters(d_model, d_ff) + 2 * d_model


def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    d_ff = 4 * d_model if d_ff is None else d_ff
    tables = (vocab_size + context_length + num_segments) * d_model
    return tables + num_layers * block_parameters(d_model, d_ff) + d_model * d_model + d_model


def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    matrices = 4 * d_model**2 + 2 * d_model * d_ff
    attention = 4 * context_length * d_model
    return num_layers * (2 * matrices + attention) + 2 * d_model * vocab_size

# %% wrong="BERT without the pooler" says="pooler"
def block_parameters(d_model, d_ff):
    attention = 4 * (d_model * d_model + d_model)
    feed = d_model * d_ff + d_ff + d_ff * d_model + d_model
    return attention + feed + 4 * d_model


def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    return (vocab_size + context_length) * d_model + num_layers * block_parameters(d_model, d_ff) + 2 * d_model


def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    d_ff = 4 * d_model if d_ff is None else d_ff
    tables = (vocab_size + context_length + num_segments) * d_model + 2 * d_model
    return tables + num_layers * block_parameters(d_model, d_ff)


def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    matrices = 4 * d_model**2 + 2 * d_model * d_ff
    attention = 4 * context_length * d_model
    return num_layers * (2 * matrices + attention) + 2 * d_model * vocab_size

# %% wrong="pooler without bias" says="pooler"
def block_parameters(d_model, d_ff):
    attention = 4 * (d_model * d_model + d_model)
    feed = d_model * d_ff + d_ff + d_ff * d_model + d_model
    return attention + feed + 4 * d_model


def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    return (vocab_size + context_length) * d_model + num_layers * block_parameters(d_model, d_ff) + 2 * d_model


def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    d_ff = 4 * d_model if d_ff is None else d_ff
    tables = (vocab_size + context_length + num_segments) * d_model + 2 * d_model
    return tables + num_layers * block_parameters(d_model, d_ff) + d_model * d_model


def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    matrices = 4 * d_model**2 + 2 * d_model * d_ff
    attention = 4 * context_length * d_model
    return num_layers * (2 * matrices + attention) + 2 * d_model * vocab_size

# %% wrong="BERT with a final norm, too" says="norm"
def block_parameters(d_model, d_ff):
    attention = 4 * (d_model * d_model + d_model)
    feed = d_model * d_ff + d_ff + d_ff * d_model + d_model
    return attention + feed + 4 * d_model


def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    return (vocab_size + context_length) * d_model + num_layers * block_parameters(d_model, d_ff) + 2 * d_model


def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    d_ff = 4 * d_model if d_ff is None else d_ff
    tables = (vocab_size + context_length + num_segments) * d_model + 2 * d_model
    return tables + num_layers * block_parameters(d_model, d_ff) + d_model * d_model + 3 * d_model


def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    matrices = 4 * d_model**2 + 2 * d_model * d_ff
    attention = 4 * context_length * d_model
    return num_layers * (2 * matrices + attention) + 2 * d_model * vocab_size

# %% wrong="one operation for each weight" says="2n"
def block_parameters(d_model, d_ff):
    attention = 4 * (d_model * d_model + d_model)
    feed = d_model * d_ff + d_ff + d_ff * d_model + d_model
    return attention + feed + 4 * d_model


def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    return (vocab_size + context_length) * d_model + num_layers * block_parameters(d_model, d_ff) + 2 * d_model


def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    d_ff = 4 * d_model if d_ff is None else d_ff
    tables = (vocab_size + context_length + num_segments) * d_model + 2 * d_model
    return tables + num_layers * block_parameters(d_model, d_ff) + d_model * d_model + d_model


def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    matrices = 4 * d_model**2 + 2 * d_model * d_ff
    attention = 4 * context_length * d_model
    return num_layers * (matrices + attention) + d_model * vocab_size

# %% wrong="flops without the output" says="output"
def block_parameters(d_model, d_ff):
    attention = 4 * (d_model * d_model + d_model)
    feed = d_model * d_ff + d_ff + d_ff * d_model + d_model
    return attention + feed + 4 * d_model


def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    return (vocab_size + context_length) * d_model + num_layers * block_parameters(d_model, d_ff) + 2 * d_model


def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    d_ff = 4 * d_model if d_ff is None else d_ff
    tables = (vocab_size + context_length + num_segments) * d_model + 2 * d_model
    return tables + num_layers * block_parameters(d_model, d_ff) + d_model * d_model + d_model


def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    matrices = 4 * d_model**2 + 2 * d_model * d_ff
    attention = 4 * context_length * d_model
    return num_layers * (2 * matrices + attention)

# %% wrong="flops without the scores" says="scores"
def block_parameters(d_model, d_ff):
    attention = 4 * (d_model * d_model + d_model)
    feed = d_model * d_ff + d_ff + d_ff * d_model + d_model
    return attention + feed + 4 * d_model


def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    return (vocab_size + context_length) * d_model + num_layers * block_parameters(d_model, d_ff) + 2 * d_model


def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    d_ff = 4 * d_model if d_ff is None else d_ff
    tables = (vocab_size + context_length + num_segments) * d_model + 2 * d_model
    return tables + num_layers * block_parameters(d_model, d_ff) + d_model * d_model + d_model


def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    matrices = 4 * d_model**2 + 2 * d_model * d_ff
    attention = 2 * context_length * d_model
    return num_layers * (2 * matrices + attention) + 2 * d_model * vocab_size

# %% wrong="flops without attention over the context" says="scores"
def block_parameters(d_model, d_ff):
    attention = 4 * (d_model * d_model + d_model)
    feed = d_model * d_ff + d_ff + d_ff * d_model + d_model
    return attention + feed + 4 * d_model


def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    return (vocab_size + context_length) * d_model + num_layers * block_parameters(d_model, d_ff) + 2 * d_model


def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    d_ff = 4 * d_model if d_ff is None else d_ff
    tables = (vocab_size + context_length + num_segments) * d_model + 2 * d_model
    return tables + num_layers * block_parameters(d_model, d_ff) + d_model * d_model + d_model


def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    matrices = 4 * d_model**2 + 2 * d_model * d_ff
    attention = 4 * context_length * d_model
    return num_layers * 2 * matrices + 2 * d_model * vocab_size

# %% wrong="flops of the training step" says="forward pass"
def block_parameters(d_model, d_ff):
    attention = 4 * (d_model * d_model + d_model)
    feed = d_model * d_ff + d_ff + d_ff * d_model + d_model
    return attention + feed + 4 * d_model


def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    return (vocab_size + context_length) * d_model + num_layers * block_parameters(d_model, d_ff) + 2 * d_model


def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    d_ff = 4 * d_model if d_ff is None else d_ff
    tables = (vocab_size + context_length + num_segments) * d_model + 2 * d_model
    return tables + num_layers * block_parameters(d_model, d_ff) + d_model * d_model + d_model


def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    matrices = 4 * d_model**2 + 2 * d_model * d_ff
    attention = 4 * context_length * d_model
    return 3 * (num_layers * (2 * matrices + attention) + 2 * d_model * vocab_size)

# %% wrong="twice all parameters" says="parameters"
def block_parameters(d_model, d_ff):
    attention = 4 * (d_model * d_model + d_model)
    feed = d_model * d_ff + d_ff + d_ff * d_model + d_model
    return attention + feed + 4 * d_model


def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    return (vocab_size + context_length) * d_model + num_layers * block_parameters(d_model, d_ff) + 2 * d_model


def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    d_ff = 4 * d_model if d_ff is None else d_ff
    tables = (vocab_size + context_length + num_segments) * d_model + 2 * d_model
    return tables + num_layers * block_parameters(d_model, d_ff) + d_model * d_model + d_model


def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    matrices = 4 * d_model**2 + 2 * d_model * d_ff
    attention = 4 * context_length * d_model
    return 2 * gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff) + num_layers * attention

# %% wrong="scores for all queries" says="one token"
def block_parameters(d_model, d_ff):
    attention = 4 * (d_model * d_model + d_model)
    feed = d_model * d_ff + d_ff + d_ff * d_model + d_model
    return attention + feed + 4 * d_model


def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    return (vocab_size + context_length) * d_model + num_layers * block_parameters(d_model, d_ff) + 2 * d_model


def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    d_ff = 4 * d_model if d_ff is None else d_ff
    tables = (vocab_size + context_length + num_segments) * d_model + 2 * d_model
    return tables + num_layers * block_parameters(d_model, d_ff) + d_model * d_model + d_model


def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    matrices = 4 * d_model**2 + 2 * d_model * d_ff
    attention = 4 * context_length**2 * d_model
    return num_layers * (2 * matrices + attention) + 2 * d_model * vocab_size

# %% wrong="flops with biases" says="biases"
def block_parameters(d_model, d_ff):
    attention = 4 * (d_model * d_model + d_model)
    feed = d_model * d_ff + d_ff + d_ff * d_model + d_model
    return attention + feed + 4 * d_model


def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    return (vocab_size + context_length) * d_model + num_layers * block_parameters(d_model, d_ff) + 2 * d_model


def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    d_ff = 4 * d_model if d_ff is None else d_ff
    tables = (vocab_size + context_length + num_segments) * d_model + 2 * d_model
    return tables + num_layers * block_parameters(d_model, d_ff) + d_model * d_model + d_model


def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    matrices = block_parameters(d_model, d_ff) - 4 * d_model
    attention = 4 * context_length * d_model
    return num_layers * (2 * matrices + attention) + 2 * d_model * vocab_size

# %% wrong="the causal mask saves half" says="causal"
def block_parameters(d_model, d_ff):
    attention = 4 * (d_model * d_model + d_model)
    feed = d_model * d_ff + d_ff + d_ff * d_model + d_model
    return attention + feed + 4 * d_model


def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    return (vocab_size + context_length) * d_model + num_layers * block_parameters(d_model, d_ff) + 2 * d_model


def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    d_ff = 4 * d_model if d_ff is None else d_ff
    tables = (vocab_size + context_length + num_segments) * d_model + 2 * d_model
    return tables + num_layers * block_parameters(d_model, d_ff) + d_model * d_model + d_model


def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    matrices = 4 * d_model**2 + 2 * d_model * d_ff
    attention = 4 * context_length * d_model // 2
    return num_layers * (2 * matrices + attention) + 2 * d_model * vocab_size

# %% wrong="one block only" says="blocks"
def block_parameters(d_model, d_ff):
    attention = 4 * (d_model * d_model + d_model)
    feed = d_model * d_ff + d_ff + d_ff * d_model + d_model
    return attention + feed + 4 * d_model


def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    return (vocab_size + context_length) * d_model + block_parameters(d_model, d_ff) + 2 * d_model


def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    d_ff = 4 * d_model if d_ff is None else d_ff
    tables = (vocab_size + context_length + num_segments) * d_model + 2 * d_model
    return tables + block_parameters(d_model, d_ff) + d_model * d_model + d_model


def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    matrices = 4 * d_model**2 + 2 * d_model * d_ff
    attention = 4 * context_length * d_model
    return num_layers * (2 * matrices + attention) + 2 * d_model * vocab_size

# %% wrong="positions at the output" says="C times V weights"
def block_parameters(d_model, d_ff):
    attention = 4 * (d_model * d_model + d_model)
    feed = d_model * d_ff + d_ff + d_ff * d_model + d_model
    return attention + feed + 4 * d_model


def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    return (vocab_size + context_length) * d_model + num_layers * block_parameters(d_model, d_ff) + 2 * d_model


def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    d_ff = 4 * d_model if d_ff is None else d_ff
    tables = (vocab_size + context_length + num_segments) * d_model + 2 * d_model
    return tables + num_layers * block_parameters(d_model, d_ff) + d_model * d_model + d_model


def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    d_ff = 4 * d_model if d_ff is None else d_ff
    matrices = 4 * d_model**2 + 2 * d_model * d_ff
    attention = 4 * context_length * d_model
    return num_layers * (2 * matrices + attention) + 2 * d_model * context_length

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


def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    if d_ff is None:
        d_ff = 4 * d_model
    embeddings = vocab_size * d_model + context_length * d_model
    return embeddings + num_layers * block_parameters(d_model, d_ff) + 2 * d_model


def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    if d_ff is None:
        d_ff = 4 * d_model
    embeddings = (vocab_size + context_length + num_segments) * d_model
    norm = 2 * d_model
    pooler = d_model * d_model + d_model
    return embeddings + norm + num_layers * block_parameters(d_model, d_ff) + pooler


def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    if d_ff is None:
        d_ff = 4 * d_model
    matrices = 4 * d_model * d_model + 2 * d_model * d_ff
    looking = 2 * context_length * d_model + 2 * context_length * d_model
    return num_layers * (2 * matrices + looking) + 2 * d_model * vocab_size

# %% wrong="ff no biases" says="biases of the feed-forward network"
def block_parameters(d_model, d_ff):
    attention_ = 4 * (d_model * d_model + d_model)
    feed = 2 * d_model * d_ff
    norms = 2 * 2 * d_model
    return attention_ + feed + norms


def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    if d_ff is None:
        d_ff = 4 * d_model
    embeddings = vocab_size * d_model + context_length * d_model
    return embeddings + num_layers * block_parameters(d_model, d_ff) + 2 * d_model


def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    if d_ff is None:
        d_ff = 4 * d_model
    embeddings = (vocab_size + context_length + num_segments) * d_model
    norm = 2 * d_model
    pooler = d_model * d_model + d_model
    return embeddings + norm + num_layers * block_parameters(d_model, d_ff) + pooler


def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    if d_ff is None:
        d_ff = 4 * d_model
    matrices = 4 * d_model * d_model + 2 * d_model * d_ff
    looking = 2 * context_length * d_model + 2 * context_length * d_model
    return num_layers * (2 * matrices + looking) + 2 * d_model * vocab_size

# %% wrong="ff bias of the middle" says="bias of the first layer"
def block_parameters(d_model, d_ff):
    attention_ = 4 * (d_model * d_model + d_model)
    feed = d_model * d_ff + d_model + d_ff * d_model + d_model
    norms = 2 * 2 * d_model
    return attention_ + feed + norms


def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    if d_ff is None:
        d_ff = 4 * d_model
    embeddings = vocab_size * d_model + context_length * d_model
    return embeddings + num_layers * block_parameters(d_model, d_ff) + 2 * d_model


def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    if d_ff is None:
        d_ff = 4 * d_model
    embeddings = (vocab_size + context_length + num_segments) * d_model
    norm = 2 * d_model
    pooler = d_model * d_model + d_model
    return embeddings + norm + num_layers * block_parameters(d_model, d_ff) + pooler


def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    if d_ff is None:
        d_ff = 4 * d_model
    matrices = 4 * d_model * d_model + 2 * d_model * d_ff
    looking = 2 * context_length * d_model + 2 * context_length * d_model
    return num_layers * (2 * matrices + looking) + 2 * d_model * vocab_size

# %% wrong="default d_ff is d_model" says="where it is None"
def block_parameters(d_model, d_ff):
    attention_ = 4 * (d_model * d_model + d_model)
    feed = d_model * d_ff + d_ff + d_ff * d_model + d_model
    norms = 2 * 2 * d_model
    return attention_ + feed + norms


def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    if d_ff is None:
        d_ff = d_model
    embeddings = vocab_size * d_model + context_length * d_model
    return embeddings + num_layers * block_parameters(d_model, d_ff) + 2 * d_model


def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    if d_ff is None:
        d_ff = 4 * d_model
    embeddings = (vocab_size + context_length + num_segments) * d_model
    norm = 2 * d_model
    pooler = d_model * d_model + d_model
    return embeddings + norm + num_layers * block_parameters(d_model, d_ff) + pooler


def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    if d_ff is None:
        d_ff = 4 * d_model
    matrices = 4 * d_model * d_model + 2 * d_model * d_ff
    looking = 2 * context_length * d_model + 2 * context_length * d_model
    return num_layers * (2 * matrices + looking) + 2 * d_model * vocab_size

# %% wrong="bert one segment default" says="num_segments is 2"
def block_parameters(d_model, d_ff):
    attention_ = 4 * (d_model * d_model + d_model)
    feed = d_model * d_ff + d_ff + d_ff * d_model + d_model
    norms = 2 * 2 * d_model
    return attention_ + feed + norms


def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    if d_ff is None:
        d_ff = 4 * d_model
    embeddings = vocab_size * d_model + context_length * d_model
    return embeddings + num_layers * block_parameters(d_model, d_ff) + 2 * d_model


def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=1):
    if d_ff is None:
        d_ff = 4 * d_model
    embeddings = (vocab_size + context_length + num_segments) * d_model
    norm = 2 * d_model
    pooler = d_model * d_model + d_model
    return embeddings + norm + num_layers * block_parameters(d_model, d_ff) + pooler


def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    if d_ff is None:
        d_ff = 4 * d_model
    matrices = 4 * d_model * d_model + 2 * d_model * d_ff
    looking = 2 * context_length * d_model + 2 * context_length * d_model
    return num_layers * (2 * matrices + looking) + 2 * d_model * vocab_size

# %% wrong="bert pooler in each block" says="not in each block"
def block_parameters(d_model, d_ff):
    attention_ = 4 * (d_model * d_model + d_model)
    feed = d_model * d_ff + d_ff + d_ff * d_model + d_model
    norms = 2 * 2 * d_model
    return attention_ + feed + norms


def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    if d_ff is None:
        d_ff = 4 * d_model
    embeddings = vocab_size * d_model + context_length * d_model
    return embeddings + num_layers * block_parameters(d_model, d_ff) + 2 * d_model


def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    if d_ff is None:
        d_ff = 4 * d_model
    embeddings = (vocab_size + context_length + num_segments) * d_model
    norm = 2 * d_model
    pooler = d_model * d_model + d_model
    return embeddings + norm + num_layers * (block_parameters(d_model, d_ff) + pooler)


def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    if d_ff is None:
        d_ff = 4 * d_model
    matrices = 4 * d_model * d_model + 2 * d_model * d_ff
    looking = 2 * context_length * d_model + 2 * context_length * d_model
    return num_layers * (2 * matrices + looking) + 2 * d_model * vocab_size

# %% wrong="bert three norms" says="one norm on their sum"
def block_parameters(d_model, d_ff):
    attention_ = 4 * (d_model * d_model + d_model)
    feed = d_model * d_ff + d_ff + d_ff * d_model + d_model
    norms = 2 * 2 * d_model
    return attention_ + feed + norms


def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    if d_ff is None:
        d_ff = 4 * d_model
    embeddings = vocab_size * d_model + context_length * d_model
    return embeddings + num_layers * block_parameters(d_model, d_ff) + 2 * d_model


def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    if d_ff is None:
        d_ff = 4 * d_model
    embeddings = (vocab_size + context_length + num_segments) * d_model
    norm = 3 * 2 * d_model
    pooler = d_model * d_model + d_model
    return embeddings + norm + num_layers * block_parameters(d_model, d_ff) + pooler


def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    if d_ff is None:
        d_ff = 4 * d_model
    matrices = 4 * d_model * d_model + 2 * d_model * d_ff
    looking = 2 * context_length * d_model + 2 * context_length * d_model
    return num_layers * (2 * matrices + looking) + 2 * d_model * vocab_size

# %% wrong="bert tied head bias" says="output's bias"
def block_parameters(d_model, d_ff):
    attention_ = 4 * (d_model * d_model + d_model)
    feed = d_model * d_ff + d_ff + d_ff * d_model + d_model
    norms = 2 * 2 * d_model
    return attention_ + feed + norms


def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    if d_ff is None:
        d_ff = 4 * d_model
    embeddings = vocab_size * d_model + context_length * d_model
    return embeddings + num_layers * block_parameters(d_model, d_ff) + 2 * d_model


def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    if d_ff is None:
        d_ff = 4 * d_model
    embeddings = (vocab_size + context_length + num_segments) * d_model
    norm = 2 * d_model
    pooler = d_model * d_model + d_model
    return embeddings + norm + num_layers * block_parameters(d_model, d_ff) + pooler + vocab_size


def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    if d_ff is None:
        d_ff = 4 * d_model
    matrices = 4 * d_model * d_model + 2 * d_model * d_ff
    looking = 2 * context_length * d_model + 2 * context_length * d_model
    return num_layers * (2 * matrices + looking) + 2 * d_model * vocab_size

# %% wrong="flops one per weight" says="matrices of the blocks, too"
def block_parameters(d_model, d_ff):
    attention_ = 4 * (d_model * d_model + d_model)
    feed = d_model * d_ff + d_ff + d_ff * d_model + d_model
    norms = 2 * 2 * d_model
    return attention_ + feed + norms


def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    if d_ff is None:
        d_ff = 4 * d_model
    embeddings = vocab_size * d_model + context_length * d_model
    return embeddings + num_layers * block_parameters(d_model, d_ff) + 2 * d_model


def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    if d_ff is None:
        d_ff = 4 * d_model
    embeddings = (vocab_size + context_length + num_segments) * d_model
    norm = 2 * d_model
    pooler = d_model * d_model + d_model
    return embeddings + norm + num_layers * block_parameters(d_model, d_ff) + pooler


def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    if d_ff is None:
        d_ff = 4 * d_model
    matrices = 4 * d_model * d_model + 2 * d_model * d_ff
    looking = 2 * context_length * d_model + 2 * context_length * d_model
    return num_layers * (matrices + looking) + 2 * d_model * vocab_size

# %% wrong="flops output without 2" says="output's product"
def block_parameters(d_model, d_ff):
    attention_ = 4 * (d_model * d_model + d_model)
    feed = d_model * d_ff + d_ff + d_ff * d_model + d_model
    norms = 2 * 2 * d_model
    return attention_ + feed + norms


def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    if d_ff is None:
        d_ff = 4 * d_model
    embeddings = vocab_size * d_model + context_length * d_model
    return embeddings + num_layers * block_parameters(d_model, d_ff) + 2 * d_model


def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    if d_ff is None:
        d_ff = 4 * d_model
    embeddings = (vocab_size + context_length + num_segments) * d_model
    norm = 2 * d_model
    pooler = d_model * d_model + d_model
    return embeddings + norm + num_layers * block_parameters(d_model, d_ff) + pooler


def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    if d_ff is None:
        d_ff = 4 * d_model
    matrices = 4 * d_model * d_model + 2 * d_model * d_ff
    looking = 2 * context_length * d_model + 2 * context_length * d_model
    return num_layers * (2 * matrices + looking) + d_model * vocab_size

# %% wrong="flops T squared" says="one token looks at T keys"
def block_parameters(d_model, d_ff):
    attention_ = 4 * (d_model * d_model + d_model)
    feed = d_model * d_ff + d_ff + d_ff * d_model + d_model
    norms = 2 * 2 * d_model
    return attention_ + feed + norms


def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    if d_ff is None:
        d_ff = 4 * d_model
    embeddings = vocab_size * d_model + context_length * d_model
    return embeddings + num_layers * block_parameters(d_model, d_ff) + 2 * d_model


def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    if d_ff is None:
        d_ff = 4 * d_model
    embeddings = (vocab_size + context_length + num_segments) * d_model
    norm = 2 * d_model
    pooler = d_model * d_model + d_model
    return embeddings + norm + num_layers * block_parameters(d_model, d_ff) + pooler


def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    if d_ff is None:
        d_ff = 4 * d_model
    matrices = 4 * d_model * d_model + 2 * d_model * d_ff
    looking = 2 * context_length * context_length * d_model + 2 * context_length * d_model
    return num_layers * (2 * matrices + looking) + 2 * d_model * vocab_size

# %% wrong="flops with biases and norms" says="biases and norms"
def block_parameters(d_model, d_ff):
    attention_ = 4 * (d_model * d_model + d_model)
    feed = d_model * d_ff + d_ff + d_ff * d_model + d_model
    norms = 2 * 2 * d_model
    return attention_ + feed + norms


def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    if d_ff is None:
        d_ff = 4 * d_model
    embeddings = vocab_size * d_model + context_length * d_model
    return embeddings + num_layers * block_parameters(d_model, d_ff) + 2 * d_model


def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    if d_ff is None:
        d_ff = 4 * d_model
    embeddings = (vocab_size + context_length + num_segments) * d_model
    norm = 2 * d_model
    pooler = d_model * d_model + d_model
    return embeddings + norm + num_layers * block_parameters(d_model, d_ff) + pooler


def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    if d_ff is None:
        d_ff = 4 * d_model
    matrices = block_parameters(d_model, d_ff)
    looking = 2 * context_length * d_model + 2 * context_length * d_model
    return num_layers * (2 * matrices + looking) + 2 * d_model * vocab_size

# %% wrong="flops one ff matrix" says="two matrices"
def block_parameters(d_model, d_ff):
    attention_ = 4 * (d_model * d_model + d_model)
    feed = d_model * d_ff + d_ff + d_ff * d_model + d_model
    norms = 2 * 2 * d_model
    return attention_ + feed + norms


def gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None):
    if d_ff is None:
        d_ff = 4 * d_model
    embeddings = vocab_size * d_model + context_length * d_model
    return embeddings + num_layers * block_parameters(d_model, d_ff) + 2 * d_model


def bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2):
    if d_ff is None:
        d_ff = 4 * d_model
    embeddings = (vocab_size + context_length + num_segments) * d_model
    norm = 2 * d_model
    pooler = d_model * d_model + d_model
    return embeddings + norm + num_layers * block_parameters(d_model, d_ff) + pooler


def flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None):
    if d_ff is None:
        d_ff = 4 * d_model
    matrices = 4 * d_model * d_model + d_model * d_ff
    looking = 2 * context_length * d_model + 2 * context_length * d_model
    return num_layers * (2 * matrices + looking) + 2 * d_model * vocab_size

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
