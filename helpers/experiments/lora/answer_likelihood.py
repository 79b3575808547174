"""How likely a GPT finds given answers behind a prompt: by the sum, or by the mean, of their log-probabilities."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import torch

from helpers.experiments.lora.token_rows import Tokens
from helpers.models.adaptable_gpt import OpenGPT


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
    return sequence_logprobs(model(token_ids), token_ids, spans).cpu(), sizes


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


def preferred(
    model: OpenGPT, tokens: Tokens, pairs: Sequence, sequence_logprobs: Callable
) -> dict[str, list[list[bool]]]:
    """Return {fault: for each pair, whether the chosen answer is likelier by the sum, by the mean, and is shorter}.

    A pair has `prompt`, `chosen`, `rejected` and `fault`.
    """
    found = {}
    for pair in pairs:
        prompt, both = f"{pair.prompt}\nAnswer:", (pair.chosen, pair.rejected)
        sums, sizes = answer_logprobs(model, tokens, prompt, both, sequence_logprobs)
        means = sums / sizes
        found.setdefault(pair.fault, []).append([sums[0] > sums[1], means[0] > means[1], sizes[0] < sizes[1]])
    return found


def preferred_table(found: Mapping[str, Sequence[Sequence[bool]]]) -> str:
    """Return a table of the share of pairs, by fault: chosen likelier by the sum, by the mean, chosen shorter."""
    lines = [f"{'fault':<16}{'pairs':>6}{'by the sum':>14}{'by the mean':>14}{'chosen shorter':>18}"]
    for fault, pairs in found.items():
        by_sum, by_mean, shorter = np.mean(np.array(pairs, dtype=float), axis=0)
        lines.append(f"{fault:<16}{len(pairs):>6}{by_sum:>14.2f}{by_mean:>14.2f}{shorter:>18.2f}")
    return "\n".join(lines)
