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
