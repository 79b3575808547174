"""How likely a GPT finds given answers behind a prompt, by the log-probabilities of their tokens."""

from collections.abc import Callable, Sequence

import torch

from helpers.chapters.lora.adaptable_gpt import OpenGPT
from helpers.experiments.token_rows import Tokens


@torch.no_grad()
def answer_logprobs(
    model: OpenGPT, tokens: Tokens, prompt: str, answers: Sequence[str], sequence_logprobs: Callable, length: int = 256
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (sum of log p (N,), number of tokens (N,)) of each answer behind a prompt cut to `length` tokens.

    sequence_logprobs(logits (N, T, V), token_ids (N, T), answer (N, T) of booleans) returns the sums (N,).
    """
    ids, device = [tokens.encode(f" {answer}") for answer in answers], model.token_embedding.weight.device
    token_ids, lengths = tokens.padded([tokens.encode(prompt) + answer for answer in ids], length)
    sizes, at = torch.tensor([len(answer) for answer in ids]), torch.arange(token_ids.shape[1])
    spans = (at < lengths[:, None]) & (at >= (lengths - sizes)[:, None])
    token_ids, spans = token_ids.to(device), spans.to(device)
    return torch.as_tensor(sequence_logprobs(model(token_ids), token_ids, spans)).cpu(), sizes


def likeliest(
    model: OpenGPT, tokens: Tokens, questions: Sequence, few_shot: Callable, sequence_logprobs: Callable
) -> list[int]:
    """Return for each question the number of its answer with the largest mean log-probability of its tokens.

    A question has `context`, `question` and `answers`; few_shot([], context, question) returns its prompt.
    """
    picked = []
    for q in questions:
        prompt = few_shot([], q.context, q.question)
        sums, sizes = answer_logprobs(model, tokens, prompt, q.answers, sequence_logprobs, length=200)
        picked.append(int((sums / sizes).argmax()))
    return picked
