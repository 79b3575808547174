"""What a loop of attempts of one's own makes of a table of a few tokens, step by step the same on every machine."""

from collections.abc import Callable, Sequence

import torch
from torch import nn

TOKENS = 4  # of the vocabulary


class Bigrams(nn.Module):
    """A table of logits (V, V): the next token, given the last."""

    def __init__(self, logits: torch.Tensor):
        super().__init__()
        self.table = nn.Parameter(logits.clone())

    def forward(self, token_ids: torch.Tensor) -> torch.Tensor:
        """Return the logits (B, T, V) of the token after each."""
        return self.table[token_ids]


class Writer:
    """Answers that look drawn, but are reckoned: `asked` and `tables` note the prompts and the policy of each call.

    Two tokens behind each prompt, which depend on prompt, row and call; of every third row only the first counts.
    """

    def __init__(self):
        self.asked: list[list[list[int]]] = []
        self.tables: list[torch.Tensor] = []

    def __call__(self, policy: Bigrams, prompts: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return (token_ids (N, n + 2), whether each token was written)."""
        rows = torch.arange(len(prompts))
        first = (prompts.sum(1) + rows * rows + len(self.asked)) % TOKENS
        second = (first + rows + 1) % TOKENS
        self.asked.append(prompts.tolist())
        self.tables.append(policy.table.detach().clone())
        written = torch.zeros(len(prompts), prompts.shape[1] + 2, dtype=torch.bool)
        written[:, prompts.shape[1] :] = True
        written[rows % 3 == 2, -1] = False
        return torch.cat([prompts, first[:, None], second[:, None]], dim=1), written


def reward(token_ids: torch.Tensor) -> torch.Tensor:
    """Return a reward (N,) for each row: 1 for the token 0 behind the prompt, else a share of it."""
    return 1.0 - token_ids[:, -2] / TOKENS


def loss(logps, old_logps, ref_logps, advantages, written) -> torch.Tensor:
    """Return a loss that shows all that it is given: gains by a ratio up to 1.2, a square as leash, over tokens."""
    ratio = (logps - old_logps).exp().clamp(max=1.2)
    each = (ref_logps - logps) ** 2 / 4 - ratio * advantages[:, None]
    return (each * written).sum() / written.sum()


def tried(
    train: Callable,
    logits: torch.Tensor,
    reference: torch.Tensor,
    prompts: Sequence[torch.Tensor],
    group: int,
    uses: int,
    lr: float,
    once: bool = False,
) -> dict:
    """Return what a loop, called as the exercise says, makes of a table of logits (4, 4), as plain values.

    prompts: batches (P, n); once: whether they come as an iterator. The table holds a gradient of 100 before the first
    step, as if left from before, and learns by plain steps of `lr`. rewards: what came. table: as it is in the end;
    stands: whether the reference did not move.
    asked: the prompts of each call of `write`, and moved: whether the policy differed from that of the call before.
    kind: the types of the rewards.
    """
    policy, frozen, write = Bigrams(logits), Bigrams(reference), Writer()
    policy.table.grad = torch.full_like(logits, 100.0)
    optimizer = torch.optim.SGD(policy.parameters(), lr=lr)
    batches = iter(prompts) if once else list(prompts)
    rewards = train(policy, frozen, batches, write, reward, loss, optimizer, group, uses)
    pairs = zip(write.tables, write.tables[1:], strict=False)
    return {
        "rewards": [float(value) for value in rewards],
        "table": policy.table.detach().clone(),
        "stands": torch.equal(frozen.table, reference),
        "asked": write.asked,
        "moved": [not torch.equal(before, after) for before, after in pairs],
        "kind": ", ".join(sorted({type(value).__name__ for value in rewards})),
    }
