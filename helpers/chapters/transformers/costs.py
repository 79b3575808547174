"""What models of given sizes hold and cost, before a single weight exists."""

from collections.abc import Mapping

H100 = 4e14  # useful operations a second
YEAR = 3.156e7  # seconds
STEP = 3  # a step of training costs so many forward passes
Sizes = tuple[int, int, int, int]  # vocabulary, context, width, blocks


def block_parameters(d_model: int, d_ff: int) -> int:
    """Return the number of weights of a block, biases included; d_ff: the width in its middle."""
    attention = 4 * (d_model * d_model + d_model)  # queries, keys, values, output
    feed_forward = (d_model * d_ff + d_ff) + (d_ff * d_model + d_model)
    return attention + feed_forward + 2 * 2 * d_model


def gpt_parameters(vocab_size: int, context_length: int, d_model: int, num_layers: int) -> int:
    """Return the number of weights of a GPT whose output is tied to the token embedding, 4 * d_model in the middle."""
    embeddings = (vocab_size + context_length) * d_model
    return embeddings + num_layers * block_parameters(d_model, 4 * d_model) + 2 * d_model


def bert_parameters(vocab_size: int, context_length: int, d_model: int, num_layers: int) -> int:
    """Return the number of weights of a BERT encoder with two segments and its pooler, 4 * d_model in the middle."""
    embeddings = (vocab_size + context_length + 2) * d_model + 2 * d_model  # and the norm on their sum
    pooler = d_model * d_model + d_model
    return embeddings + num_layers * block_parameters(d_model, 4 * d_model) + pooler


def flops_per_token(vocab_size: int, context_length: int, d_model: int, num_layers: int) -> int:
    """Return the operations of a GPT's forward pass for one token at full context, in matrices and attention alone."""
    in_matrices = num_layers * 12 * d_model * d_model + vocab_size * d_model
    scores_and_sums = 4 * context_length * d_model
    return 2 * in_matrices + num_layers * scores_and_sums


def gpt_costs(models: Mapping[str, tuple[Sizes, float | None]]) -> str:
    """Return a table by model: parameters, operations a token, years of training on one H100.

    models: the sizes, and the tokens of training or None.
    """
    lines = [f"{'model':<18}{'parameters':>18}{'operations a token':>20}{'training':>26}"]
    for name, (sizes, tokens) in models.items():
        cost, parameters = flops_per_token(*sizes), gpt_parameters(*sizes)
        years = f"{STEP * cost * tokens / H100 / YEAR:,.0f} years on one H100" if tokens else ""
        lines.append(f"{name:<18}{parameters:>18,}{cost:>20,}{years:>26}")
    return "\n".join(lines)
