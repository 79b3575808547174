# %% [markdown]
# # 10 Choose and squeeze: good text from a small model
#
# Your GPT of chapter 05 gives 8,192 numbers for the next token. Somebody has to pick one of them, and the choice makes
# the difference between a page, a stammer and a salad of words. And somebody has to pay: for every byte that the model
# takes, and for every pass through it. This chapter is about both.
#
# **What you will build.** First *choosing*: the filters and penalties that stand in the settings of every program that
# runs language models (epsilon, eta, typical, DRY, XTC, mirostat and others), each a few lines, each held against the
# library where it has them. Then *squeezing*: drafts that a large model only has to check, weights of four bits,
# pruning, a student that learns from a teacher, vectors of a bit for each number. At the end the model of chapter 05
# writes at a fraction of its bytes.
#
# **What you need.** The GPT of [chapter 05](../05_transformers/05_transformers.ipynb): your own *docs-gpt* if you saved
# it, else the course's reference. Nothing is downloaded.
#
# **Points.** 100: twelve exercises checked by machine (80) and two short essays (20). Allow about four hours. Once
# written, the notebook runs in about three minutes on two cores.
#
# **Notation.** $V$ is the number of tokens in the vocabulary, $z$ the $V$ logits of the next token, $p =
# \mathrm{softmax}(z)$; a token that a filter removed has the logit $-\infty$ and the probability 0.
#
# **Manners.** Unless the text says otherwise, your functions leave their arguments as they are, give float64 for
# float64, and keep each axis, also one of size 1.

# %% given
import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from transformers.generation.logits_process import EpsilonLogitsWarper, EtaLogitsWarper, TopKLogitsWarper
from transformers.generation.logits_process import TopPLogitsWarper, TypicalLogitsWarper

from helpers import data, plots
from helpers.course import SEED, artifacts, notebook, seed_everything
from helpers.experiments.squeeze import choosing
from helpers.figures import choosing as figures
from helpers.models.gpt import chosen, model_of, tokenizer_of
from helpers.models.sampling import apply_temperature, keep_top_k, keep_top_p

notebook.prepare("10_squeeze")

# %% [markdown]
# # Choose
#
# Ask *docs-gpt* for a page and always take the likeliest token: after a line or two it says the same thing for ever. Draw
# from all 8,192 tokens, and each single draw is unlikely to be nonsense, but a page has hundreds of draws, and the
# first piece of nonsense is what the model reads next. The truth lies between, and you know three ways to look for it:
# top-k, top-p (chapter 03) and min-p (chapter 05). Programs that run language models offer a dozen more, with names
# that explain nothing. You will write them all, on one example, $p = (.45, .25, .15, .08, .04, .02, .01)$.
#
# ## Exercise 1: five lines across the tail (`cutoffs`)
#
# 20 minutes, ★★, 8 points
#
# How many candidates are plausible? After `import numpy as` one, at the start of a sentence hundreds. So a filter
# should not count tokens, as top-k does; it should draw a *line* and keep what reaches it. All that the next four
# filters differ in is where the line lies.
#
# ![Seven probabilities as bars on a logarithmic axis, and four lines across them](figures/cutoffs.svg)
#
# | filter | keeps a token if | on the example |
# |---|---|---|
# | top-a | $p \ge a \cdot p_\mathrm{max}^2$ | $a = 0.2$: $0.2 \cdot 0.45^2 = 0.0405$ |
# | epsilon | $p \ge \varepsilon$ | $\varepsilon = 0.015$ |
# | eta | $p \ge \min(\varepsilon, \sqrt{\varepsilon}\, e^{-H})$ | $\varepsilon = 0.5$: $0.7071 \cdot e^{-1.4456} = 0.1666$ |
# | top-$n\sigma$ | $z \ge z_\mathrm{max} - n\sigma$ | $n = 1$: $-0.799 - 1.273 = -2.071$, which is $p \ge 0.126$ |
#
# **Top-a** is min-p with a square: where the model is sure ($p_\mathrm{max}$ near 1) it is as strict, where it is unsure
# far more generous. **Epsilon** is the plainest line there is. Its flaw: with 8,192 tokens and a model that has no
# idea, *every* probability may lie below. **Eta** (Hewitt, Manning and Liang 2022, [Truncation
# sampling](https://arxiv.org/abs/2210.15191)) lowers the line as the distribution flattens. How flat it is, the
# **entropy** tells, the surprise to be expected:
#
# $$H = -\sum_i p_i \ln p_i$$
#
# 0 where one token has it all, $\ln V$ where all are equally likely; on the example 1.4456 nats. **Top-$n\sigma$** (Tang
# and others 2024, [Not all logits are you need](https://arxiv.org/abs/2411.07641)) does not look at probabilities at
# all. The logits of thousands of hopeless tokens make a bell curve; a real candidate stands out to its right.
# $\sigma$ is the standard deviation of the logits (divided by $V$, not $V - 1$). And the name of its flaw: a token that
# an earlier filter removed has no logit any more. Count it as $-\infty$ or as 0, and $\sigma$ is nonsense.
#
# <details><summary>Hint 1</summary>$0 \cdot \ln 0$ counts as 0, but <code>0 * torch.log(0)</code> is nan;
# <code>torch.special.entr(p)</code> is $-p \ln p$ without that trouble.</details>
# <details><summary>Hint 2</summary><code>torch.where(wanted, logits, -torch.inf)</code> removes all others, and
# <code>logits == logits.max()</code> says which are the likeliest.</details>

# %% exercise="cutoffs"
def entropy(logits: Tensor) -> Tensor:
    """Return the entropy in nats of the softmax of logits (V,), a tensor of one number without axes."""
    ### BEGIN SOLUTION
    return torch.special.entr(logits.softmax(-1)).sum()
    ### END SOLUTION


# All filters return new logits (V,), those of removed tokens -inf, the others as they came.
# - Tokens may come removed already (-inf), but never all. They stay removed, and count for nothing.
# - The likeliest token always stays, even below the line; of several likeliest, all.
# - A probability within rounding of a line is not tested.
def keep_top_a(logits: Tensor, a: float) -> Tensor:
    """Keep the tokens with a probability of at least a times the square of the largest; 0 <= a <= 1."""
    ### BEGIN SOLUTION
    p = logits.softmax(-1)
    return torch.where(p >= a * p.max() ** 2, logits, -torch.inf)
    ### END SOLUTION


def keep_epsilon(logits: Tensor, epsilon: float) -> Tensor:
    """Keep the tokens with a probability of at least epsilon; 0 < epsilon < 1."""
    ### BEGIN SOLUTION
    wanted = logits.softmax(-1) >= epsilon
    return torch.where(wanted | (logits == logits.max()), logits, -torch.inf)
    ### END SOLUTION


def keep_eta(logits: Tensor, epsilon: float) -> Tensor:
    """Keep the tokens with a probability of at least epsilon or root(epsilon) * e^-H, whichever is less."""
    ### BEGIN SOLUTION
    return keep_epsilon(logits, min(epsilon, math.sqrt(epsilon) * math.exp(-entropy(logits))))
    ### END SOLUTION


def keep_top_n_sigma(logits: Tensor, n: float) -> Tensor:
    """Keep the tokens whose logit is at most n standard deviations (of the logits not removed yet) below the largest."""
    ### BEGIN SOLUTION
    left = logits[logits > -torch.inf]
    return torch.where(logits >= left.max() - n * left.std(correction=0), logits, -torch.inf)
    ### END SOLUTION

# %% check="cutoffs" points=8

# %% [markdown]
# Now at places in documents that *docs-gpt* has never read. How many of its 8,192 tokens does each filter leave? And
# where transformers has the same filter, does it leave the same ones?

# %% given
gpt_artifact = chosen()
gpt, tokenizer = model_of(gpt_artifact), tokenizer_of(gpt_artifact)
writer = choosing.Writer(gpt, tokenizer)
EXAMPLE = torch.tensor([0.45, 0.25, 0.15, 0.08, 0.04, 0.02, 0.01]).log()

# %% show
PLACES = 200  ### small: 20
places = choosing.positions(gpt, PLACES)  # logits (PLACES, V)
cutoffs = {
    "top-k 40": lambda z: keep_top_k(z, 40),
    "top-p 0.9": lambda z: keep_top_p(z, 0.9),
    "top-a 0.2": lambda z: keep_top_a(z, 0.2),
    "epsilon 0.001": lambda z: keep_epsilon(z, 0.001),
    "eta 0.001": lambda z: keep_eta(z, 0.001),
    "top-n-sigma 1": lambda z: keep_top_n_sigma(z, 1.0),
}
library = {"epsilon 0.001": EpsilonLogitsWarper(0.001), "eta 0.001": EtaLogitsWarper(0.001)}
library |= {"top-k 40": TopKLogitsWarper(40), "top-p 0.9": TopPLogitsWarper(0.9)}
print(choosing.library_table(places, cutoffs, library))
plots.show(*figures.kept_by_entropy(places, cutoffs, entropy))

# %% [markdown]
# Each dot is one place in a text; to the right the model is less sure. Top-k is a flat line: 40 candidates, whether one
# or four hundred make sense. The others climb, each in its own way, and that is the whole difference between them.
#
# Top-$n\sigma$ has one more virtue. Try temperature 2 before each filter: probabilities flatten, and top-p lets in
# hundreds more. Dividing all logits by 2 halves $\sigma$, too, so top-$n\sigma$ keeps the very same tokens.
#
# ## Exercise 2: as surprising as expected (`typical`)
#
# ## Exercise 3: bend the logits (`reshape`)
#
# ## Exercise 4: do not say it again (`repeats`)
#
# ## Exercise 5: hold the surprise steady (`mirostat`)
#
# ## Exercise 6: neither likely nor like before (`contrastive`)
#
# ## Exercise 7: a pipeline, and its order (`order`)

# %% [markdown]
# ## Essay 1: which filters, and in which order?
#
# # Squeeze
#
# ## Exercise 8: a small model drafts, a large one checks (`speculative`)
#
# 20 minutes, ★★★, 9 points
#
# A large model writes one token a pass, and each pass reads all of its weights. But a pass over five tokens reads them
# just as often as a pass over one: once. So let somebody quick and careless *draft* the next few tokens, and let the
# large model look at all of them in a single pass. Where it agrees, it has written several tokens for the price of one.
#
# Is that still the large model's text? It is, exactly, if you reject with care. This is **speculative decoding**
# (Leviathan, Kalman and Matias [2023](https://arxiv.org/abs/2211.17192); Chen and others
# [2023](https://arxiv.org/abs/2302.01318)). The draft has drawn token $t$ from its distribution $q$; the large model,
# the *target*, has $p$:
#
# ![Bars of the target p = 0.5, 0.3, 0.2 and of the draft q = 0.3, 0.6, 0.1; what both share is kept, and what p has
# above q is the residual](figures/speculative.svg)
#
# $$\text{keep } t \text{ with probability } \min\Big(1, \frac{p_t}{q_t}\Big),\qquad \text{else draw from}\quad
# \frac{\max(p - q,\, 0)}{\sum \max(p - q,\, 0)}$$
#
# By hand, as in the drawing: $p = (0.5, 0.3, 0.2)$ and $q = (0.3, 0.6, 0.1)$. The second token is drafted too often, so
# only half of it is kept: $q$ times the keep probabilities $(1, 0.5, 1)$ is $(0.3, 0.3, 0.1)$, in all 0.7. In the other
# 0.3 of all cases a token comes from the *residual* $(0.2, 0, 0.1) / 0.3$, which adds $(0.2, 0, 0.1)$. The sum is
# $(0.5, 0.3, 0.2)$: it is $p$, whatever the draft was. A bad draft costs time, never quality.
#
# If each of $K$ drafted tokens is kept with probability $a$, a pass of the target adds $1 + a + a^2 + \dots + a^K$
# tokens on average: those kept, and one more that is always its own. If a token of the draft costs $c$ passes of the
# target, you are $(1 + a + \dots + a^K) / (1 + cK)$ times as fast.
#
# <details><summary>Hint 1</summary><code>torch.where(condition, a, b)</code> takes the good branch, but both are
# computed: 0 / 0 in the branch that is not taken does no harm.</details> <details><summary>Hint 2</summary>A
# <code>return</code> in the middle of the loop ends at the first token that is not kept.</details>

# %% given
def draw(probabilities: Tensor, u: float) -> int:
    """Return the token of a distribution (V,) in whose stretch of [0, 1) u lies."""
    sums = probabilities.double().cumsum(-1)
    return min(int((sums / sums[-1] <= u).sum()), int(probabilities.nonzero().max()))

# %% exercise="speculative"
def keep_probabilities(target: Tensor, draft: Tensor) -> Tensor:
    """Return for each token the probability (..., V) of keeping it once the draft has drawn it.

    target and draft are distributions (..., V). Where the draft's probability is 0, so that it is never drawn, give 1.
    """
    ### BEGIN SOLUTION
    return torch.where(draft > 0, target / draft, 1.0).clamp(max=1.0)
    ### END SOLUTION


def residual(target: Tensor, draft: Tensor) -> Tensor:
    """Return the distribution (..., V) from which a token is drawn in place of one that was not kept.

    Where nothing is left, for the draft is the same as the target, give the target.
    """
    ### BEGIN SOLUTION
    left = (target - draft).clamp(min=0)
    total = left.sum(dim=-1, keepdim=True)
    return torch.where(total > 0, left / total, target)
    ### END SOLUTION


def verify(target: Tensor, draft: Tensor, drafted: list[int], numbers: list[float], u: float) -> list[int]:
    """Return the tokens, 1 to K + 1 of them, that one pass of the target adds to the text: a list of ints.

    target (K + 1, V) and draft (K, V): row i has the distributions of the i-th new token. drafted: the K tokens drawn
    from `draft`; numbers: K numbers from [0, 1). K may be 0, and then `draft` is (0, V).

    The tokens are taken in order. Token i is kept if numbers[i] is below its keep probability. In place of the first
    that is not, draw(residual of row i, u) comes, and nothing behind it. If all are kept, draw(last row of target, u)
    comes behind them.
    """
    ### BEGIN SOLUTION
    for i, token in enumerate(drafted):
        if numbers[i] >= keep_probabilities(target[i], draft[i])[token]:
            return [*drafted[:i], draw(residual(target[i], draft[i]), u)]
    return [*drafted, draw(target[-1], u)]
    ### END SOLUTION


def speed_up(rate: float, drafts: int, cost: float) -> float:
    """Return how many times as fast K = `drafts` tokens a pass make the writing: a = `rate`, from 0 to 1, c = `cost`.

    With 0 drafts nothing changes, and with rate 1 all K are kept.
    """
    ### BEGIN SOLUTION
    return sum(rate**i for i in range(drafts + 1)) / (1 + cost * drafts)
    ### END SOLUTION

# %% check="speculative" points=9

# %% [markdown]
# Who should draft for docs-gpt? Its own first block can: put the final norm and the output matrix on top of it, and you
# have a GPT of one block that cost no training. Or nobody: look for the last words earlier in the text, and draft what
# came behind them (*prompt lookup*). The table has three temperatures of the target (0 is greedy), what share of the
# drafted tokens was kept, how many tokens a pass of the target gave, and what the clock says.

# %% show
TOKENS = 100  ### small: 12; gpu: 200
gpt_artifact = chosen()
gpt, words = model_of(gpt_artifact), Tokens(tokenizer_of(gpt_artifact))
unread = words.joined([d.text for d in data.load("docs").split("test")], 128)
texts = unread[torch.randperm(len(unread), generator=torch.Generator().manual_seed(SEED))[:48]]
drafting.print_table(drafting.Drafting(gpt, verify), [row[:24].tolist() for row in texts[:3]], TOKENS)
plots.show(*squeezing.speed_ups(speed_up, rates=[0.5, 0.7, 0.9], cost=0.05))

# %% [markdown]
# ## Exercise 9: fewer bits for a weight (`bits`)
#
# ## Exercise 10: weights that are not missed (`prune`)
#
# ## Exercise 11: learn from a teacher (`distil`)
#
# ## Exercise 12: vectors in fewer bytes (`vectors`)
#
# ## Essay 2: what would you ship on a phone?

# %% [markdown] text="quiz"

# %% [markdown]
# ## What you built, and what breaks next

# %% [markdown] text="further"
