"""A task with a reward that can be verified: a small GPT puts four letters in order, and a line of code can tell."""

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import torch
import torch.nn.functional as F

from helpers.device import seed_everything
from helpers.models.gpt import GPT

LETTERS, COUNT = "abcdefgh", 4  # four of eight letters, with repetition: 4,096 prompts
MARK = len(LETTERS)  # the token between the letters and their order
EXAMPLES, ASKED, PROMPTS = 40, 250, 32  # solved examples, prompts to be judged by, prompts of a batch
DRAWS, LOOKS, USES = 8, 6, 2  # answers to each prompt when judged, how often on the way, steps for each batch
SIZES = {"vocab_size": MARK + 1, "context_length": 2 * COUNT + 1, "d_model": 64, "num_layers": 2, "num_heads": 4}
LR = 3e-4  # while trying; the examples are learned at ten times this


class Seen(NamedTuple):
    """How a policy does on prompts that no training uses.

    step:    of its training
    right:   share of answers drawn from it that are right
    kinds:   how many of eight answers to one prompt differ from each other, on average
    """

    step: int
    right: float
    kinds: float


def in_order(prompts: torch.Tensor) -> torch.Tensor:
    """Return prompts (N, 5), four letters and the mark, with their letters in order behind them, (N, 9)."""
    return torch.cat([prompts, prompts[:, :COUNT].sort(dim=1).values], dim=1)


def reward(token_ids: torch.Tensor) -> torch.Tensor:
    """Return 1.0 for each row (N, 9) whose last four tokens are its letters in order, and 0.0 for the others, (N,)."""
    return (token_ids == in_order(token_ids[:, : COUNT + 1])).all(dim=1).float()


@torch.no_grad()
def write(policy: GPT, prompts: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Let a policy draw an answer to each prompt (N, 5); returns (token_ids, whether each was written), both (N, 9)."""
    token_ids, new, caches = prompts, prompts, []
    for _ in range(COUNT):
        new = torch.multinomial(policy.step(new, caches).softmax(-1), 1)
        token_ids = torch.cat([token_ids, new], dim=1)
    return token_ids, (torch.arange(token_ids.shape[1]) >= prompts.shape[1]).expand(token_ids.shape)


def token_logprobs(policy: GPT, token_ids: torch.Tensor) -> torch.Tensor:
    """Return log p (N, T) of each token given those before it, 0 for the first of a row."""
    logp = policy(token_ids)[:, :-1].log_softmax(dim=-1).gather(-1, token_ids[:, 1:, None])[..., 0]
    return F.pad(logp, (1, 0))


class Task:
    """Prompts in three parts that share none: `examples` (40, 9) with answers, `trial` (., 5), `asked` (250, 5)."""

    def __init__(self, seed: int):
        self.seed = seed
        self.generator = torch.Generator().manual_seed(seed)
        axes = [torch.arange(len(LETTERS))] * COUNT
        every = torch.cartesian_prod(*axes)[torch.randperm(len(LETTERS) ** COUNT, generator=self.generator)]
        every = F.pad(every, (0, 1), value=MARK)
        self.examples = in_order(every[:EXAMPLES])
        self.asked, self.trial = every[EXAMPLES : EXAMPLES + ASKED], every[EXAMPLES + ASKED :]

    def prompts(self, batches: int) -> list[torch.Tensor]:
        """Return so many batches of prompts (32, 5) on which a policy tries itself."""
        rows = torch.randint(len(self.trial), (batches, PROMPTS), generator=self.generator)
        return list(self.trial[rows])

    def taught(self, steps: int) -> GPT:
        """Return a GPT that has learned from the examples for so many steps."""
        seed_everything(self.seed)
        return self._teach(GPT(**SIZES), steps).requires_grad_(False)

    def _teach(self, model: GPT, steps: int) -> GPT:
        optimizer = torch.optim.AdamW(model.parameters(), lr=10 * LR)
        for _ in range(steps):
            rows = self.examples[torch.randint(EXAMPLES, (32,), generator=self.generator)]
            optimizer.zero_grad()
            (-token_logprobs(model, rows)[:, COUNT + 1 :].mean()).backward()
            optimizer.step()
        return model

    def tried(self, beginner: GPT, trying: Callable, batches: int) -> list[Seen]:
        """Let a copy of a GPT learn from so many batches of attempts; `policy` holds it. Returns how it did on the way.

        trying(policy, reference, prompts, optimizer=, uses=) is a student's loop, which takes two steps a batch.
        """
        self.policy = copy.deepcopy(beginner).requires_grad_(True)
        optimizer = torch.optim.AdamW(self.policy.parameters(), lr=LR, weight_decay=0.0)
        every = max(1, batches // LOOKS)
        seen = [self.judged(self.policy, 0)]
        for done in range(every, batches + 1, every):
            trying(self.policy, beginner, self.prompts(every), optimizer=optimizer, uses=USES)
            seen.append(self.judged(self.policy, USES * done))
        return seen

    def repeated(self, beginner: GPT, steps: int) -> list[Seen]:
        """Train a copy of a GPT on the examples for so many steps more; returns how it did on the way."""
        model = copy.deepcopy(beginner).requires_grad_(True)
        every = max(1, steps // LOOKS)
        seen = [self.judged(model, 0)]
        for done in range(every, steps + 1, every):
            self._teach(model, every)
            seen.append(self.judged(model, done))
        return seen

    @torch.no_grad()
    def judged(self, policy: GPT, step: int) -> Seen:
        """Ask a policy for eight answers to each of the prompts that no training uses."""
        torch.manual_seed(self.seed)
        token_ids, _ = write(policy, self.asked.repeat_interleave(DRAWS, dim=0))
        letters = len(LETTERS) ** torch.arange(COUNT)
        codes = (token_ids[:, COUNT + 1 :] * letters).sum(1).view(-1, DRAWS).sort(dim=1).values
        kinds = 1 + (codes[:, 1:] != codes[:, :-1]).sum(1).float().mean()
        return Seen(step, reward(token_ids).mean().item(), kinds.item())

    def answers(self, policies: Mapping[str, GPT], prompts: int = 2) -> str:
        """Return the first answers to some of the prompts that no training uses, a line for each policy and prompt."""
        lines = []
        for name, policy in policies.items():
            torch.manual_seed(self.seed)
            token_ids, _ = write(policy, self.asked[:prompts].repeat_interleave(DRAWS, dim=0))
            for rows in token_ids.view(prompts, DRAWS, -1):
                said = " ".join(spelt(row[COUNT + 1 :]) for row in rows)
                lines.append(f"{name:<14} {spelt(rows[0, :COUNT])} -> {said}")
        return "\n".join(lines)


def spelt(token_ids: torch.Tensor) -> str:
    """Return tokens (n,) as letters, ">" for the mark."""
    return "".join((LETTERS + ">")[i] for i in token_ids.tolist())


def report(paths: Mapping[str, Sequence[Seen]]) -> str:
    """Say of each way how often it was right and how many answers of eight differed: first, best and last."""
    lines = []
    for name, seen in paths.items():
        first, last, best = seen[0], seen[-1], max(point.right for point in seen)
        lines.append(
            f"{name:<15} right {first.right:.2f} before, {best:.2f} at best, {last.right:.2f} after {last.step} steps; "
            f"different answers of eight: {first.kinds:.1f} before, {last.kinds:.1f} after"
        )
    return "\n".join(lines)
