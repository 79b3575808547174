"""A toy with a right answer: a small GPT answers at a counter in six words, and people prefer the polite answer.

Answers are rows of token ids (N, 7): the begin <s>, then one word for each of SLOTS. People also want an answer: a word
that does not stand in its slot annoys them like a rude one. The reward model is a bag of words, so it cannot see that:
its flaw, which shows only in answers that nobody compared.
"""

import copy
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import torch
from torch import nn

from helpers.device import seed_everything
from helpers.models.gpt import GPT

SLOTS = (  # what may stand at each of six places: the polite words first, then the rude ones
    ("please", "kindly", "hey", "oi"),
    ("bring", "show", "hand over"),
    ("the form", "the card", "the key"),
    ("calmly", "gladly", "quick", "now"),
    ("at desk one", "at desk two", "upstairs"),
    ("thanks", "bye", "go", "next"),
)
MANNERED = [slot for slot in SLOTS if len(slot) == 4]  # two polite words, then two rude ones
POLITE = {word for slot in MANNERED for word in slot[:2]}
RUDE = {word for slot in MANNERED for word in slot[2:]}
WORDS = ["<s>", *(word for slot in SLOTS for word in slot)]
IN_SLOT = torch.zeros(len(SLOTS), len(WORDS), dtype=torch.bool)  # whether a word belongs to a slot
for slot, words in enumerate(SLOTS):
    IN_SLOT[slot, [WORDS.index(word) for word in words]] = True
KINDNESS = torch.tensor([float(word in POLITE) - float(word in RUDE) for word in WORDS])
PAIRS, HEARD, JUDGED = 1500, 4000, 1000  # pairs to learn from, answers heard, answers by which a policy is judged
EVERY = 15  # steps between two judgements
Along = list[tuple[int, float, float, float]]  # (tokens read, win rate, KL in nats, mean reward) as a policy learns


def heard(count: int, generator: torch.Generator) -> torch.Tensor:
    """Return answers (count, 7) as they were heard: each word at its place with equal chance, behind <s>."""
    first = np.cumsum([1, *map(len, SLOTS)])
    places = [torch.randint(len(s), (count,), generator=generator) + int(f) for s, f in zip(SLOTS, first, strict=False)]
    return torch.stack([torch.zeros(count, dtype=torch.long), *places], dim=1)


@torch.no_grad()
def written(policy: GPT, count: int, generator: torch.Generator) -> torch.Tensor:
    """Return answers (count, 7) that a policy draws."""
    token_ids = new = torch.zeros(count, 1, dtype=torch.long)
    caches: list = []  # of keys and values, filled in place
    for _ in SLOTS:
        new = torch.multinomial(policy.step(new, caches).softmax(-1), 1, generator=generator)
        token_ids = torch.cat([token_ids, new], dim=1)
    return token_ids


def quality(answers: torch.Tensor) -> torch.Tensor:
    """Return what people think of answers (N, 7): kindness, and -1 for each word that is not in its slot, (N,)."""
    words = answers[:, 1:]
    return torch.where(IN_SLOT[torch.arange(len(SLOTS)), words], KINDNESS[words], -1.0).sum(1)


BETA = 0.7  # of the leash
TOKENS = {"DPO": 64 * 7, "REINFORCE": 32 * (6 + 7), "imitation": 64 * 7}  # that the policy reads in a step


class Ways:
    """DPO, REINFORCE and their rival, imitation, made of a student's functions: each gives the loss of one step.

    An attempt of six words costs 6 tokens in writing, with a cache of keys and values, and 7 in learning.
    `policies` holds the policy that learned last in each way.
    """

    def __init__(self, sequence_logprobs: Callable, dpo_loss: Callable, leashed: Callable, reinforce_loss: Callable):
        self.sequence_logprobs, self.dpo_loss = sequence_logprobs, dpo_loss
        self.leashed, self.reinforce_loss = leashed, reinforce_loss
        self.policies: dict[str, GPT] = {}

    def logps_of(self, policy: GPT, answers: torch.Tensor) -> torch.Tensor:
        """Return log p (B,) of whole answers (B, 7)."""
        return self.sequence_logprobs(policy(answers), answers, torch.ones_like(answers, dtype=torch.bool))

    def learned(self, world: "World", way: str, steps: int, beta: float = BETA, lr: float = 5e-4) -> Along:
        """Train a policy in one of the ways; see `learned` below."""
        losses = {"DPO": self.by_dpo, "REINFORCE": self.by_reinforce, "imitation": self.by_imitation}
        run, self.policies[way] = learned(world, losses[way], steps, TOKENS[way], beta, lr)
        return run

    def by_dpo(self, policy: GPT, world: "World", generator: torch.Generator, beta: float) -> torch.Tensor:
        """Return the loss of 32 pairs."""
        pairs = world.drawn(32, generator)
        return self.dpo_loss(*(self.logps_of(m, part) for m in (policy, world.reference) for part in pairs), beta)

    def by_reinforce(self, policy: GPT, world: "World", generator: torch.Generator, beta: float) -> torch.Tensor:
        """Return the loss of 32 attempts, each written and read once more."""
        tried = written(policy, 32, generator)
        mine, its = self.logps_of(policy, tried), self.logps_of(world.reference, tried)
        return self.reinforce_loss(mine, self.leashed(world.rewards(tried), mine, its, beta))

    def by_imitation(self, policy: GPT, world: "World", generator: torch.Generator, beta: float) -> torch.Tensor:
        """Return the loss of 64 preferred answers, as in supervised training: the rejected ones play no part."""
        chosen, _ = world.drawn(64, generator)
        return -self.logps_of(policy, chosen).mean() / len(SLOTS)


class World:
    """Where a policy begins and what people said: `reference`, and `pairs` (chosen, rejected), each (1500, 7)."""

    def __init__(self, seed: int, steps: int, logps_of: Callable, preference: Callable, reward_loss: Callable):
        """Let a GPT hear answers for so many steps, ask for pairs, and fit a reward model to them.

        logps_of(policy, answers) returns log p (N,); preference and reward_loss take two rewards (N,).
        """
        self.seed, self.logps_of = seed, logps_of
        generator = torch.Generator().manual_seed(seed)
        self.reference = _reference(seed, steps, logps_of, generator)
        a, b = (written(self.reference, PAIRS, generator) for _ in "ab")
        chances = torch.as_tensor(preference(quality(a), quality(b)))
        wins = (torch.rand(PAIRS, generator=generator) < chances)[:, None]
        self.pairs = torch.where(wins, a, b), torch.where(wins, b, a)
        self.reward_model = reward_model(self.pairs, seed, reward_loss)

    def drawn(self, count: int, generator: torch.Generator) -> tuple[torch.Tensor, torch.Tensor]:
        """Return some of the pairs: (chosen, rejected), each (count, 7)."""
        rows = torch.randint(PAIRS, (count,), generator=generator)
        return self.pairs[0][rows], self.pairs[1][rows]

    def rewards(self, answers: torch.Tensor) -> torch.Tensor:
        """Return the rewards (N,) of answers (N, 7) by the reward model."""
        return self.reward_model(answers).sum((1, 2))

    @torch.no_grad()
    def judged(self, policy: GPT, generator: torch.Generator) -> tuple[float, float, float]:
        """Return (win rate against the reference by `quality`, ties half; KL in nats; mean reward) of samples."""
        mine, its = (written(model, JUDGED, generator) for model in (policy, self.reference))
        better = quality(mine) - quality(its)
        kl = (self.logps_of(policy, mine) - self.logps_of(self.reference, mine)).mean().item()
        wins = ((better > 0).float() + (better == 0).float() / 2).mean().item()
        return wins, kl, self.rewards(mine).mean().item()


def _reference(seed: int, steps: int, logps_of: Callable, generator: torch.Generator) -> GPT:
    """Return a GPT that has learned to answer as was heard."""
    seed_everything(seed)
    model, text = GPT(len(WORDS), 8, 32, 2, 2), heard(HEARD, generator)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for _ in range(steps):
        rows = text[torch.randint(HEARD, (64,), generator=generator)]
        optimizer.zero_grad()
        (-logps_of(model, rows).mean() / len(SLOTS)).backward()
        optimizer.step()
    return model.requires_grad_(False)


def reward_model(pairs: Sequence[torch.Tensor], seed: int, reward_loss: Callable) -> nn.Module:
    """Return a reward model, one number for each word, fitted to pairs (chosen, rejected); its sum is the reward."""
    seed_everything(seed)
    model = nn.Embedding(len(WORDS), 1)
    nn.init.zeros_(model.weight)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.05, weight_decay=0.01)
    for _ in range(150):
        optimizer.zero_grad()
        reward_loss(*(model(part).sum((1, 2)) for part in pairs)).backward()
        optimizer.step()
    return model.requires_grad_(False)


def learned(
    world: World, loss: Callable, steps: int, tokens: int, beta: float = BETA, lr: float = 5e-4
) -> tuple[Along, GPT]:
    """Return (tokens read, win rate, KL, mean reward) along a training from the world's reference on, and the policy.

    loss(policy, world, generator, beta) returns the loss of one step, for which the policy reads so many `tokens`.
    """
    generator = torch.Generator().manual_seed(world.seed + 1)
    policy = copy.deepcopy(world.reference).requires_grad_(True)
    optimizer = torch.optim.AdamW(policy.parameters(), lr=lr, weight_decay=0.0)
    found = [(0, *world.judged(policy, generator))]
    for step in range(1, steps + 1):
        optimizer.zero_grad()
        loss(policy, world, generator, beta).backward()
        optimizer.step()
        if step % EVERY == 0:
            found.append((step * tokens, *world.judged(policy, generator)))
    return found, policy


def first_above(run: Along, win_rate: float = 0.8) -> int | None:
    """Return how many tokens the policy had read when it first won more often than this, None if it never did."""
    return next((tokens for tokens, wins, *_ in run if wins > win_rate), None)


def worst(courses: Sequence[Along]) -> float:
    """Return the largest KL at any moment of some runs."""
    return max(point[2] for course in courses for point in course)


def ends(runs: Mapping[str, Sequence[Along]]) -> list[str]:
    """Say of each way how its runs ended, as the range of the win rate, and the largest KL at any moment of any run."""
    lines = []
    for name, courses in runs.items():
        win_rates = [course[-1][1] for course in courses]
        low, high = np.min(win_rates), np.max(win_rates)
        reached = f"{low:.2f} to {high:.2f}" if len(courses) > 1 else f"{low:.2f}"
        lines.append(f"{name}: win rate {reached} at the end, KL {worst(courses):.2f} at its largest")
    return lines


def report(runs: Mapping[str, Sequence[Along]]) -> str:
    """Return a line for each way: how its runs ended, and after how many tokens each first won 0.8 of the time."""
    lines = []
    for end, courses in zip(ends(runs), runs.values(), strict=True):
        firsts = ", ".join(str(first_above(course)) for course in courses)
        lines.append(f"{end}; first above 0.8 after so many tokens: {firsts}")
    return "\n".join(lines)


def said(policies: Mapping[str, GPT], count: int = 2) -> str:
    """Return a few answers of each policy, a line each, all drawn by the same dice."""
    lines = []
    for name, policy in policies.items():
        answers = written(policy, count, torch.Generator().manual_seed(0))[:, 1:].tolist()
        for n, answer in enumerate(answers):
            label = name if n == 0 else ""
            words = ", ".join(WORDS[i] for i in answer)
            lines.append(f"{label:<15}{words}")
    return "\n".join(lines)
