# %% [markdown]
# # 10 Choose and squeeze: good text from a small model
#
# Your GPT of chapter 05 gives 8,192 numbers for the next token. One token has to be picked, and the choice decides
# whether the text becomes a page, a stammer or word salad. Then there is the price: every byte that the model takes,
# and every pass through it. This chapter is about both.
#
# **What you will build.** First *choosing*: the filters and penalties in the settings of programs that run language
# models (epsilon, eta, typical, DRY, XTC, mirostat and others), each a few lines long and compared with the library
# where the library has it, and a mask that makes every record valid JSON. Then *squeezing*: drafts that a large model
# only has to check, weights of four bits, a cache of four bits, pruning, a student that learns from a teacher, vectors
# of one bit a number. At the end the model of chapter 05 writes from a tenth of its bytes.
#
# **What you need.** The GPT of [chapter 05](../05_transformers/05_transformers.ipynb): your own *docs-gpt* if you saved
# it, otherwise the course's reference. Nothing is downloaded.
#
# **Points.** 100: fourteen exercises checked by machine (80) and two short essays (20). Allow about six hours,
# in two sittings. Once written, the notebook runs in about a minute on two cores.
#
# **Notation.** $V$ is the number of tokens in the vocabulary, $z$ are the $V$ logits of the next token, and $p =
# \mathrm{softmax}(z)$; a token that a filter removed has the logit $-\infty$ and the probability 0.
#
# **Manners.** Unless the text says otherwise, your functions do not change their arguments, give float64 for float64,
# and keep every axis, even one of size 1.

# %% given
from collections.abc import Callable
import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from transformers.generation.logits_process import EpsilonLogitsWarper, EtaLogitsWarper, NoRepeatNGramLogitsProcessor
from transformers.generation.logits_process import RepetitionPenaltyLogitsProcessor, TopKLogitsWarper
from transformers.generation.logits_process import TopPLogitsWarper, TypicalLogitsWarper

from helpers import data, plots
from helpers.chapters.squeeze import choosing, drafting, figures, grammars, packed
from helpers.chapters.squeeze import rooflines, stored, students, vector_bytes
from helpers.checks import gradients
from helpers.course import SEED, artifacts, notebook, seed_everything, ways_of_calls
from helpers.experiments import smaller
from helpers.experiments.token_rows import Tokens
from helpers.models import logit_filters
from helpers.models.docs_encoder import load_encoder
from helpers.models.gpt import chosen, model_of, tokenizer_of
from helpers.models.logit_filters import apply_temperature, keep_top_k, keep_top_p
from helpers.search.task import docs_task

notebook.prepare("10_squeeze")

# %% [markdown]
# # Choose
#
# Ask *docs-gpt* for a page and always take the likeliest token: after a line or two it says the same thing for ever.
# Draw from all 8,192 tokens, and each single draw is unlikely to be nonsense, but a page has hundreds of draws, and the
# first piece of nonsense is what the model reads next. You need something in between, and you know three ways to get
# it: top-k, top-p (chapter 03) and min-p (chapter 05). Programs that run language models offer a dozen more, with names
# that explain nothing. You will write most of them, on one example, $p = (.45, .25, .15, .08, .04, .02, .01)$.
#
# ## Exercise 1: four lines across the tail (`cutoffs`)
#
# 15 minutes, ★★, 7 points
#
# How many candidates are plausible? After `import numpy as` there is one; at the start of a sentence there are
# hundreds. So a filter should not count tokens, as top-k does; it should draw a *line* and keep what reaches it. The
# next four filters differ only in where they draw it.
#
# ![Seven probabilities as bars on a logarithmic axis, and four lines across them](figures/cutoffs.svg)
#
# | filter | keeps a token if | on the example |
# |---|---|---|
# | top-a | $p \ge a \cdot p_\mathrm{max}^2$ | $a = 0.25$: $0.25 \cdot 0.45^2 = 0.0506$ |
# | epsilon | $p \ge \varepsilon$ | $\varepsilon = 0.015$ |
# | eta | $p \ge \min(\varepsilon, \sqrt{\varepsilon} e^{-H})$ | $\varepsilon = .5$: $.7071 \cdot e^{-1.4456} = .1666$ |
# | top-$n\sigma$ | $z \ge z_\mathrm{max} - n\sigma$ | $n = 1$: $-0.799 - 1.273 = -2.071$, which is $p \ge 0.126$ |
#
# **Top-a** is min-p with a square: where the model is sure ($p_\mathrm{max}$ near 1) it is as strict as min-p, and
# where the model is unsure it is far more generous. **Epsilon** is the simplest line there is. Its flaw: with 8,192
# tokens and a model that has no idea, *every* probability may be below it. **Eta** (Hewitt, Manning and Liang 2022,
# [Truncation sampling](https://arxiv.org/abs/2210.15191)) lowers the line as the distribution flattens. The **entropy**
# measures how flat it is; it is the expected surprise:
#
# $$H = -\sum_i p_i \ln p_i$$
#
# It is 0 where one token has all of the probability, and $\ln V$ where all are equally likely; on the example it is
# 1.4456 nats. **Top-$n\sigma$** (Tang and others 2024, [Not all logits are you need](https://arxiv.org/abs/2411.07641))
# does not look at probabilities at all. The logits of thousands of hopeless tokens make a bell curve; a real candidate
# stands out to its right. $\sigma$ is the standard deviation of the logits that are still there (divided by their
# number, not by one less). A token that an earlier filter removed has no logit: if you count it as $-\infty$ or as 0,
# $\sigma$ is nonsense.
#
# <details><summary>Plan</summary><code>entropy</code> turns logits into probabilities and adds up what each token
# contributes; a removed one must contribute 0. The filters share one shape: work out the line, mark what reaches it,
# remove the rest. For each, ask whether the likeliest token could ever fall below the line, and if so keep it. For
# <code>keep_eta</code>, see which of your filters needs nothing but a line; for <code>keep_top_n_sigma</code>, see
# which logits may count in the spread.</details>
# <details><summary>Hint 1</summary>0 · ln 0 counts as 0, but <code>0 * torch.log(0)</code> is nan;
# <code>torch.special.entr(p)</code> is -p ln p without that trouble.</details>
# <details><summary>Hint 2</summary><code>torch.where(wanted, logits, -torch.inf)</code> removes all others, and
# <code>logits == logits.max()</code> marks the likeliest.</details>

# %% exercise="cutoffs"
def entropy(logits: Tensor) -> Tensor:
    """Return the entropy in nats of the softmax of logits (V,), a tensor of one number without axes."""
    ### BEGIN SOLUTION
    return torch.special.entr(logits.softmax(-1)).sum()
    ### END SOLUTION


# All filters return new logits (V,), those of removed tokens -inf, the others as they came.
# - Some tokens, but never all, may already be removed (-inf). They stay removed, and count for nothing.
# - The likeliest token always stays, even below the line; if several tie for the likeliest, all of them stay.
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
    """Keep tokens with a probability of at least epsilon or root(epsilon) * e^-H, the lesser; 0 < epsilon < 1."""
    ### BEGIN SOLUTION
    return keep_epsilon(logits, min(epsilon, math.sqrt(epsilon) * math.exp(-entropy(logits))))
    ### END SOLUTION


def keep_top_n_sigma(logits: Tensor, n: float) -> Tensor:
    """Keep tokens whose logit is at most n >= 0 standard deviations (of the logits still there) below the largest."""
    ### BEGIN SOLUTION
    left = logits[logits > -torch.inf]
    return torch.where(logits >= left.max() - n * left.std(correction=0), logits, -torch.inf)
    ### END SOLUTION

# %% check="cutoffs" points=7

# %% [markdown]
# Now try them at positions in documents that *docs-gpt* has never read. How many of its 8,192 tokens does each filter
# leave? And where transformers has the same filter, does it leave the same ones?

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
# Each dot is one position in a text; to the right the model is less sure. Top-k is a flat line: 40 candidates, whether
# one or four hundred make sense. The others climb, each in its own way, and that is the whole difference between them.
#
# Top-$n\sigma$ has one more virtue. Try temperature 2 before each filter: probabilities flatten, and top-p lets in many
# more. Dividing all logits by 2 halves $\sigma$, too, so top-$n\sigma$ keeps the very same tokens.
#
# ## Exercise 2: as surprising as expected (`typical`)
#
# 12 minutes, ★★, 5 points
#
# Listen to people: they do not always say the likeliest word. Someone who always did would have nothing to say. Nor do
# they say the unlikeliest. What they say carries about as much news as one would expect at this point. Meister and
# others (2022, [Locally typical sampling](https://arxiv.org/abs/2202.00666)) turn that into a filter. The news of a
# token is its **surprise**, $-\ln p$; the surprise to be expected is the entropy $H$. So sort the tokens by the
# distance of their surprise from $H$, on either side, and keep the nearest, one after the other, until their
# probabilities add up to the mass that you ask for.
#
# ![Seven tokens on an axis of surprise; the two nearest to the entropy stay, the likeliest is
# removed](figures/typical.svg)
#
# By hand, with a mass of 0.3: token 1 is 0.06 from $H$, token 2 is 0.45, token 0 is 0.65. Token 1 has 0.25, which is
# less than 0.3, so token 2 joins it, and 0.4 is enough. The likeliest token is *out*. It is tempting to call that a
# bug, but it is the whole point of the filter.
#
# **Tail-free** sampling ([Bricken 2019](https://www.trentonbricken.com/Tail-Free-Sampling/)) looks for the tail itself.
# (It is rare today: llama.cpp [removed it](https://github.com/ggml-org/llama.cpp/pull/10071) in 2024, because min-p is
# simpler and had taken its place.) Sort the probabilities and look at the curve that they make: it falls, and the tail
# begins where it stops *bending*. The bend is the second difference. On the example:
#
# $$d_i = |p_i - 2 p_{i+1} + p_{i+2}| = (.10, .03, .03, .02, .01)$$
#
# They add up to .19. Divided by that, and summed along the ranks, they are (.526, .684, .842, .947, 1). Each $d_i$
# spans three ranks and judges the middle one: with $z = 0.9$, rank 0 stays in any case, ranks 1, 2 and 3 stay since
# their sums are at most 0.9, and the other ranks go.
#
# <details><summary>Plan</summary><code>keep_typical</code> measures how far each surprise is from your
# <code>entropy</code>, sorts the tokens by that, adds up their probabilities in this order, and carries the verdict
# back to the order of the ids. <code>keep_tail_free</code> sorts by probability, takes differences twice, V - 2 of
# them, and adds up their shares; each sum judges the rank one further on. Settle the cases without a bend before you
# divide.</details>
# <details><summary>Hint 1</summary>"Until they have the mass": a token stays if the sum of those <em>before</em> it is
# less than the mass, as for top-p.</details>
# <details><summary>Hint 2</summary><code>keep[order] = ...</code> puts what you know of the sorted tokens back in the
# order of the ids; <code>p.diff()</code> is a difference, and it can be done twice.</details>

# %% exercise="typical"
def keep_typical(logits: Tensor, mass: float) -> Tensor:
    """Return new logits (V,): the tokens whose surprise is nearest to the entropy stay, all others are -inf.

    From the nearest on, tokens stay up to and including the one at which their probabilities reach `mass`, 0 < mass
    <= 1. Some tokens may already be removed; they stay removed. Equal distances are not tested, nor sums within
    rounding of `mass`.
    """
    ### BEGIN SOLUTION
    p = logits.softmax(-1)
    order = (-logits.log_softmax(-1) - entropy(logits)).abs().argsort()
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = p[order].cumsum(-1) - p[order] < mass
    return torch.where(keep, logits, -torch.inf)
    ### END SOLUTION


def keep_tail_free(logits: Tensor, z: float) -> Tensor:
    """Return new logits (V,) without the tail, which begins where the sorted probabilities stop bending; 0 < z < 1.

    Rank 0 stays. Rank i + 1 stays if d_0 + ... + d_i, divided by the sum of all d, is at most z. The last rank goes.
    A token that is already removed has the probability 0 in the curve, and stays removed. With fewer than three tokens
    (V < 3, removed ones included), or with no bend at all (every d is 0), all stay as they are. Equal probabilities at
    the edge are not tested.
    """
    ### BEGIN SOLUTION
    p, order = logits.softmax(-1).sort(descending=True)
    bend = p.diff().diff().abs()
    if not bend.sum() > 0:
        return logits.clone()
    removed = torch.ones_like(logits, dtype=torch.bool)
    removed[order[0]] = False
    removed[order[1:-1]] = (bend / bend.sum()).cumsum(-1) > z
    return logits.masked_fill(removed, -torch.inf)
    ### END SOLUTION

# %% check="typical" points=5

# %% [markdown]
# How often is the likeliest token removed? The next cell counts that at the same positions, below the table.

# %% show
filters = {"typical 0.9": lambda z: keep_typical(z, 0.9), "typical 0.2": lambda z: keep_typical(z, 0.2),
           "tail-free 0.95": lambda z: keep_tail_free(z, 0.95)}
print(choosing.library_table(places, filters, {f"typical {m}": TypicalLogitsWarper(m) for m in (0.9, 0.2)}))
for name, change in filters.items():
    gone = sum(float(change(row)[row.argmax()]) == -math.inf for row in places)
    print(f"{name}: the likeliest token is removed at {gone} of {len(places)} positions")

# %% [markdown]
# At a mass of 0.9 typical sampling keeps hundreds of tokens, and the likeliest is nearly always among them. At 0.2 it
# drops the likeliest at most positions.
#
# ## Exercise 3: not that again (`repeats`)
#
# 15 minutes, ★★, 7 points
#
# Greedy text runs in circles. The penalties of chapter 05 push down every token that was used, and a page cannot do
# without "the", a comma or the name of the function. You do not want to stop the *word* that returns, but the
# *passage*. **DRY** (don't repeat yourself; P. E. Weidmann 2024, [as a pull
# request](https://github.com/oobabooga/text-generation-webui/pull/5677)) asks about each token: if this token came
# next, how long a repetition would it continue?
#
# ![The text ends with a b c d, which occurred before, followed by e; the logit of e loses 2.45](figures/repeats.svg)
#
# The penalty grows with the length $n$ of the match, $m \cdot b^{\,n - a}$: nothing below the allowed length $a$, and
# soon more than any logit can bear. By hand, as in the drawing: for $n = 4$, $m = 0.8$, $b = 1.75$ and $a = 2$ it is
# $0.8 \cdot 1.75^2 = 2.45$. Programs add *sequence breakers*: a match ends at a line break or a quotation mark, so that
# a list may begin every line alike. Yours has none.
#
# **XTC** (exclude top choices; the same author, [2024](https://github.com/oobabooga/text-generation-webui/pull/6335))
# fights another kind of boredom: phrases that are new on this page and worn out all the same. It removes the *best*
# tokens. If several reach a threshold, all but the least likely of them go, so a plausible one is always left. On the
# example with threshold 0.1, tokens 0, 1 and 2 reach it: 0 and 1 go, 2 leads. There is one exception. Where a line or
# the text should end, removing the token that ends it makes the model ramble on. So if a *guarded* token would be
# removed, nothing is. Programs also let XTC act only at some steps, chosen at random; that is left to the caller.
#
# <details><summary>Plan</summary><code>dry</code> visits each position of <code>ids</code>, counts how long the text
# before it matches the text's end, and notes the longest count for the token at that position; then it charges those
# tokens whose count is long enough, in a copy of the logits. <code>xtc</code> marks all tokens that reach
# <code>threshold</code>, spares the least likely of them, looks for guarded ones among the rest, and only then
# removes.</details>
# <details><summary>Hint 1</summary>For each position i from 1 on, <code>ids[i]</code> followed <code>ids[:i]</code>;
# count how far <code>ids[:i]</code> and <code>ids</code> agree from their ends backwards.</details>
# <details><summary>Hint 2</summary>A dict {token: longest match} keeps the longest of several positions.</details>

# %% exercise="repeats"
def dry(logits: Tensor, ids: list[int], multiplier: float, base: float, allowed: int) -> Tensor:
    """Return new logits (V,), less multiplier * base ** (n - allowed) for each token with n >= allowed; allowed >= 1.

    ids: the text so far. At each position from 1 on, find the longest run of tokens that ends just before it and is
    also the end of ids. n is the length of the longest of these runs over the positions at which the token occurs.
    The two runs may overlap, and n is not capped.
    """
    ### BEGIN SOLUTION
    longest = {}
    for i in range(1, len(ids)):
        n = 0
        while n < i and ids[i - 1 - n] == ids[-1 - n]:
            n += 1
        longest[ids[i]] = max(n, longest.get(ids[i], 0))
    out = logits.clone()
    for token, n in longest.items():
        if n >= allowed:
            out[token] -= multiplier * base ** (n - allowed)
    return out
    ### END SOLUTION


def xtc(logits: Tensor, threshold: float, guarded: list[int]) -> Tensor:
    """Return new logits (V,): of tokens with a probability of at least `threshold`, all but the least likely get -inf.

    If one of the `guarded` ids (there may be none) would be removed, all stay as they are. The same holds where fewer
    than two reach the threshold, 0 < threshold < 1. Some tokens may already be removed; they stay removed. Ties are not
    tested.
    """
    ### BEGIN SOLUTION
    p = logits.softmax(-1)
    goes = p >= threshold
    goes[torch.where(goes, p, torch.inf).argmin()] = False
    if goes[guarded].any():
        return logits.clone()
    return logits.masked_fill(goes, -torch.inf)
    ### END SOLUTION

# %% check="repeats" points=7

# %% [markdown]
# The next cell lets *docs-gpt* write a page, always taking the likeliest token, and tries four remedies: the library's
# penalty for each token that was used, its ban on repeated runs of four, your DRY, and a draw with XTC.

# %% show
MAX_TOKENS = 150  ### small: 12
NEWLINE = tokenizer.encode("\n", add_special_tokens=False).ids
penalty, no_runs = RepetitionPenaltyLogitsProcessor(1.3), NoRepeatNGramLogitsProcessor(4)
ways = {
    "greedy": lambda z, ids: z.argmax(),
    "greedy, penalty 1.3": lambda z, ids: penalty(z.new_tensor([ids]).long(), z[None]).argmax(),
    "greedy, no run of 4 twice": lambda z, ids: no_runs(z.new_tensor([ids]).long(), z[None]).argmax(),
    "greedy, DRY": lambda z, ids: torch.as_tensor(dry(z, ids, 0.8, 1.75, 2)).argmax(),
    "top-n-sigma 1": choosing.sampler(lambda z: keep_top_n_sigma(z, 1.0)),
    "top-n-sigma 1, XTC 0.1": choosing.sampler(lambda z: xtc(torch.as_tensor(keep_top_n_sigma(z, 1.0)), 0.1, NEWLINE)),
}
pages = {name: writer.write("torch.nn.Linear\n\n", way, MAX_TOKENS) for name, way in ways.items()}
print(choosing.pages_table(pages))
for name in ("greedy", "greedy, DRY"):
    print(f"\n[{name}]\n{pages[name].text[:300]}")

# %% [markdown]
# The greedy page is one line, over and over. DRY breaks out of it without forbidding a single word. The library's two
# remedies leave even fewer repeated runs. They pay with words that the model finds less likely: the last column is
# higher.
#
# ## Exercise 4: hold the surprise steady (`mirostat`)
#
# 12 minutes, ★★, 5 points
#
# All filters so far are set once and then left alone. Yet pages go wrong in two ways that show in the bits per token,
# the last column of the table in exercise 3: the greedy page soon hardly surprises at all, and a page drawn from all
# tokens would be one surprise after another. Why not measure that while you write, and steer? A thermostat does not
# guess how much to heat; it looks at the thermometer.
#
# **Mirostat** (Basu and others 2021, [Mirostat](https://arxiv.org/abs/2007.14966); this is its second version) does
# that. It is rare today, as samplers that steer by entropy are in general, but the idea is worth its ten lines. You say
# how many bits of surprise a token should have on average, $\tau$. It keeps a limit $\mu$, which begins at $2\tau$. At
# each step it removes all tokens with more than $\mu$ bits, draws one of the rest, looks at how surprising that one
# was, $s$, and moves the limit against the error:
#
# ![Tokens up to 4 bits stay, one with 3.64 is drawn, and the limit falls to 3.936](figures/mirostat.svg)
#
# $$s = -\log_2 p, \qquad \mu \leftarrow \mu - \eta\,(s - \tau)$$
#
# By hand, as in the drawing: let $\mu = 4$, $\tau = 3$ and $\eta = 0.1$, and let token 3 be drawn. Its $p = .08$ means
# 3.64 bits, 0.64 more than wanted, so $\mu = 4 - 0.1 \cdot 0.64 = 3.936$. In both steps $p$ is the *model's* own
# probability, before anything was removed. (Some programs measure $s$ after the removal, when all tokens are likelier;
# then the number that they hold steady is not the one that you asked for.)
#
# <details><summary>Plan</summary><code>keep_surprise</code> turns logits into bits of surprise, (V,), keeps what is
# within <code>mu</code>, and saves the likeliest whatever its bits. <code>mirostat</code> filters with it, draws a
# token from what is left, goes back to the model's own logits for that token's surprise in bits, and moves the limit
# against the error.</details>
# <details><summary>Hint 1</summary><code>torch.log2</code>; or divide nats by <code>math.log(2)</code>.</details>

# %% exercise="mirostat"
def keep_surprise(logits: Tensor, mu: float) -> Tensor:
    """Return new logits (V,): tokens with more than mu bits of surprise are -inf, but never the likeliest.

    If several tie for the likeliest, all stay. Some tokens may already be removed; they stay removed. Ties with mu are
    not tested.
    """
    ### BEGIN SOLUTION
    wanted = -logits.log_softmax(-1) / math.log(2) <= mu
    return torch.where(wanted | (logits == logits.max()), logits, -torch.inf)
    ### END SOLUTION


def mirostat(logits: Tensor, mu: float, tau: float, rate: float, u: float) -> tuple[int, float]:
    """Return (the id of the token, the next mu): one step of mirostat for logits (V,).

    The token is choosing.draw(the logits that are left, u), which lays the probabilities side by side as in chapter 05.
    """
    ### BEGIN SOLUTION
    token = choosing.draw(keep_surprise(logits, mu), u)
    surprise = -float(logits.log_softmax(-1)[token]) / math.log(2)
    return token, mu - rate * (surprise - tau)
    ### END SOLUTION

# %% check="mirostat" points=5

# %% [markdown]
# Does the thermostat hold? Ask for 2, 3, 4 and 5 bits, and compare with what you get. The last page is written with
# top-k.

# %% show
MAX_TOKENS = 150  ### small: 12

def steady(tau: float):
    """Return how to choose by mirostat: mu is kept from one token to the next."""
    numbers, state = np.random.default_rng(SEED), {"mu": 2 * tau}

    def choose(logits, ids):
        token, state["mu"] = mirostat(logits, state["mu"], tau, 0.1, numbers.random())
        return token

    return choose

pages = {f"mirostat, {tau} bits": writer.write("torch.nn.Linear\n\n", steady(tau), MAX_TOKENS) for tau in (2, 3, 4, 5)}
pages["top-k 40"] = writer.write("torch.nn.Linear\n\n", choosing.sampler(lambda z: keep_top_k(z, 40)), MAX_TOKENS)
print(choosing.pages_table(pages))
plots.show(*figures.surprise_along({name: pages[name].bits for name in ("mirostat, 3 bits", "top-k 40")}, 3))

# %% [markdown]
# You get about what you ask for, whatever the text is about; with top-k you get what comes. But mirostat does not know
# whether three bits are *right* here: where the model knows the next word, three bits are a mistake.
#
# ## Exercise 5: likely, and unlike what was said (`contrastive`)
#
# 10 minutes, ★★, 4 points
#
# DRY compares tokens. But a text can also go in circles with new words each time. A GPT has something finer than
# tokens: the vector that its last layer makes of each position. When it repeats itself, these vectors bunch up.
# **Contrastive search** (Su and others 2022, [A contrastive framework](https://arxiv.org/abs/2202.06417)) takes the $k$
# likeliest tokens, computes the vector that each *would* get, and marks down those whose vector resembles one that the
# text has already:
#
# $$\mathrm{score}(v) = (1 - \alpha)\, p(v) - \alpha \max_j \cos(h_v, h_j)$$
#
# ![Three candidates: A is likely but points where the text has been, C is chosen](figures/contrastive.svg)
#
# By hand, as in the drawing: C has $p = 0.2$, and its cosines with the two tokens of the text are 0.28 and -0.6. The
# larger counts: $0.4 \cdot 0.2 - 0.6 \cdot 0.28 = -0.088$, the best of the three. With $\alpha = 0$ it is greedy search
# again. It involves no chance at all, and it is expensive: $k$ candidates go through the model for one token. It is
# rare today; transformers [removed it](https://github.com/huggingface/transformers/pull/40428) from its own code in
# 2025.
#
# <details><summary>Plan</summary><code>contrastive_scores</code> compares each candidate with each token of the text, a
# table (k, T), keeps the largest of each row, and weighs that against <code>p</code>. <code>contrastive_step</code>
# takes the likeliest ids with their probabilities, asks <code>vectors</code> for both sets of vectors, scores the
# candidates with the first function, and turns the best of k positions back into an id.</details>
# <details><summary>Hint 1</summary><code>F.normalize(x, dim=-1)</code> scales every row to length 1; then a product of
# two matrices gives all cosines.</details>

# %% exercise="contrastive"
def contrastive_scores(p: Tensor, candidates: Tensor, history: Tensor, alpha: float) -> Tensor:
    """Return the scores (k,) for p (k,), the candidates' vectors (k, C), those of the text so far (T, C), T >= 1."""
    ### BEGIN SOLUTION
    likeness = F.normalize(candidates, dim=-1) @ F.normalize(history, dim=-1).T  # (k, T)
    return (1 - alpha) * p - alpha * likeness.amax(dim=-1)
    ### END SOLUTION


def contrastive_step(logits: Tensor, vectors: Callable, k: int, alpha: float) -> int:
    """Return the id with the best score among the k likeliest tokens (all, if there are fewer) of logits (V,).

    vectors(ids) returns (history (T, C), the vectors (k, C) of a list of k ids). p is the softmax of all logits.
    Likelier ids come first in the list. Equal scores are not tested.
    """
    ### BEGIN SOLUTION
    p, ids = logits.softmax(-1).topk(min(k, len(logits)))
    history, candidates = vectors(ids.tolist())
    return int(ids[contrastive_scores(p, candidates, history, alpha).argmax()])
    ### END SOLUTION

# %% check="contrastive" points=4

# %% show
MAX_TOKENS = 60  ### small: 6
pages = {
    f"contrastive, alpha {alpha}": writer.write(
        "torch.nn.Linear\n\n",
        lambda z, ids, alpha=alpha: contrastive_step(z, lambda some: writer.vectors(ids, some), 4, alpha), MAX_TOKENS
    )
    for alpha in (0.0, 0.3, 0.6)
}
print(choosing.pages_table(pages), f"\n\n{pages['contrastive, alpha 0.6'].text}")

# %% [markdown]
# With alpha = 0 the page goes in circles; alpha = 0.6 stops that, with no randomness at all.
#
# ## Exercise 6: a text that a program can read (`grammar`)
#
# 15 minutes, ★★, 6 points
#
# Much of what language models write today is read by programs: a tool call, a row for a table, a form. Such a text must
# be JSON with just these keys and values of just these types, and one missing quotation mark is an error. You can ask
# for that in the prompt, show examples, and draw again when it fails. Or you can make it impossible to fail. At each
# step you know what has been written so far, so you know which tokens may come next: remove all others. This is
# **constrained decoding**, or *structured output*, and of all ways to choose in this chapter it is the one that you are
# most likely to need in a product.
#
# A *grammar* defines what may be written. Here it is an **automaton**, a set of states with arrows. Each arrow reads
# one character. A text is valid if its characters lead from the first state to a *final* one. (An automaton has no
# memory but its state, so it cannot count brackets nested to any depth: for these, programs add a stack.)
#
# ![An automaton of four states that reads lists of ones, and eight tokens in state 1: of them 1, 1 with a comma, 1 with
# a bracket and 1,1 are allowed](figures/grammar.svg)
#
# There is one catch. The automaton reads characters, and the model writes *tokens*: `":` is one token, `"},` another.
# So a token is allowed if the automaton can read *all* of its characters from the present state (Willard and Louf 2023,
# [Efficient guided generation](https://arxiv.org/abs/2307.09702); programs work this out once for every state, and then
# a step costs next to nothing). The token that ends the text is allowed in a final state only.
#
# By hand, as in the drawing, for lists of ones such as `[1,1]`: after `[` we are in state 1. The token `1,` leads to
# state 2 and back to 1, `1]` to state 3, so both are allowed. `11` is not, because in state 2 no arrow reads a 1; nor
# is `[`. In state 3, which is final, the text may end.
#
# <details><summary>Plan</summary><code>walk</code> follows the arrows, one character after the other, and gives up
# where there is none. <code>allowed</code> tries each token's text from the present state, and then settles the token
# that ends the text. <code>constrained</code> repeats until it has to stop: make the mask, remove what it does not
# allow, let <code>choose</code> take one, keep it, and walk on with its text.</details>
# <details><summary>Hint 1</summary><code>moves[state].get(character)</code> is the next state, or None. Beware: the
# number 0 is a state, and counts as false.</details>

# %% exercise="grammar"
# moves[state] is a dict {character: the next state}; final: the states in which a text may end.
def walk(moves: list[dict[str, int]], state: int, text: str) -> int | None:
    """Return the state after all characters of text, read from `state` on; None where one of them has no move.

    An empty text changes nothing: `state` itself is returned.
    """
    ### BEGIN SOLUTION
    for character in text:
        if character not in moves[state]:
            return None
        state = moves[state][character]
    return state
    ### END SOLUTION


def allowed(moves: list[dict[str, int]], final: list[int], state: int, pieces: list[str], end: int) -> Tensor:
    """Return a mask (V,), booleans: True for each token that may come next in `state`.

    pieces: the texts of the V tokens. A token may come if the automaton can read all of its text; one without a text
    may not. The token with the id `end` ends the text: it may come in a final state only, whatever its text is.
    """
    ### BEGIN SOLUTION
    mask = [piece != "" and walk(moves, state, piece) is not None for piece in pieces]
    mask[end] = state in final
    return torch.tensor(mask)
    ### END SOLUTION


def constrained(
    next_logits: Callable, choose: Callable, moves: list, final: list, state: int, pieces: list, end: int, most: int
) -> list[int]:
    """Return the ids of a text that begins in `state`, at most `most` of them, without `end`.

    At each step next_logits(ids), for the ids so far, gives the logits (V,). Those of tokens that are not allowed
    become -inf, the others stay, and choose(logits) gives the id of the next token. Where that is `end`, the text is
    complete. In every state that is reached, some token is allowed.
    """
    ### BEGIN SOLUTION
    ids = []
    while len(ids) < most:
        mask = allowed(moves, final, state, pieces, end)
        token = choose(torch.where(mask, next_logits(ids), -torch.inf))
        if token == end:
            break
        ids.append(token)
        state = walk(moves, state, pieces[token])
    return ids
    ### END SOLUTION

# %% check="grammar" points=6

# %% [markdown]
# Now *docs-gpt* has to write records such as `{"name": "math.sqrt", "kind": "function", "public": true}`, for ten
# objects of the libraries, with top-p at temperature 0.7. It has never seen a record. It writes freely and with your
# mask, without examples in the prompt and with three. What share can Python's `json` read, with the right keys and
# types? The last two columns ask whether the record is also *true*.

# %% show
NAMES = list(grammars.ASKED)  ### small: ["json.loads"]
records = grammars.written(writer, constrained, lambda z: keep_top_p(z / 0.7, 0.9), NAMES)
print(grammars.table(records))
print("\n".join(text for _, text in records["with your mask, 3 examples"][:3]))
### BEGIN CLAIMS
from helpers.course.claims import claim

claim("Records that are valid JSON: with the mask above three examples in the prompt",
      grammars.share_valid(records["with your mask, 3 examples"]), grammars.share_valid(records["freely, 3 examples"]))
### END CLAIMS

# %% [markdown]
# With the mask every record is valid; without it, not one. Now look at the two columns on the right, and compare with
# the last line, a constant. No name is right, and the kind is right about as often as the constant is. The mask
# guarantees the *form* and nothing else: a small model fills a perfect form with nonsense. (And a masked draw is not
# the same as drawing freely until a text is valid: the mask decides one token at a time, and may lead the model where
# it would not have gone.)
#
# ## Exercise 7: a pipeline, and its order (`order`)
#
# 8 minutes, ★, 4 points
#
# Nobody uses one filter alone. A program has a *pipeline* of penalties, filters and the temperature, and each gets the
# logits that the one before it returned. (The mask of exercise 6 goes first: after top-k it might find no valid token
# left.) Chapter 05 warned you that the order matters:
#
# ![Temperature 2 then top-p 0.8 leaves four tokens, the other way round three](figures/order.svg)
#
# Does it always? Dividing all logits by 2 changes neither their order nor which of them are within $n\sigma$ of the
# best, so temperature and top-k may be exchanged, and temperature and top-$n\sigma$ too. Top-k and epsilon may not:
# when top-k has removed the tail, softmax shares its mass out among the others, and some now reach a line that they
# missed before. It is worth knowing which pairs *commute* when you move settings from one program to another, which has
# an order of its own. The default order of llama.cpp is: penalties, DRY, top-$n\sigma$, top-k, typical, top-p, min-p,
# XTC, and the temperature last. So write a function that tells you whether two steps commute.
#
# <details><summary>Hint 1</summary>Compare what softmax makes of both results, not the logits: a constant added to all
# of them changes nothing.</details>

# %% exercise="order"
def chain(logits: Tensor, processors: list[Callable[[Tensor], Tensor]]) -> Tensor:
    """Return the logits (V,) after all processors, the first of the list first; with none, as they are.

    A processor is a function from logits (V,) to new logits (V,).
    """
    ### BEGIN SOLUTION
    for processor in processors:
        logits = processor(logits)
    return logits
    ### END SOLUTION


def commute(first: Callable[[Tensor], Tensor], second: Callable[[Tensor], Tensor], logits: Tensor) -> bool:
    """Return whether first-then-second and second-then-first give logits (V,) the same distribution.

    "The same" means that no token's probability differs by more than 1e-6.
    """
    ### BEGIN SOLUTION
    one, other = chain(logits, [first, second]), chain(logits, [second, first])
    return bool((one.softmax(-1) - other.softmax(-1)).abs().max() <= 1e-6)
    ### END SOLUTION

# %% given
# What the check asks of your functions: processors are given by name, such as "top-p 0.8".
def chained(logits: Tensor, names: list[str]) -> Tensor:
    processors = [logit_filters.processor(name) for name in names]
    result = chain(logits, processors)
    assert len(processors) == len(names), "the list of processors is shorter or longer afterwards"
    return result


def commuting(first: str, second: str, logits: Tensor) -> bool:
    return commute(logit_filters.processor(first), logit_filters.processor(second), logits)

# %% check="order" points=4

# %% [markdown]
# The next cell takes every pair of nine processors, at positions in real text: at what percentage of the positions does
# their order not matter? The last two processors remove nothing: *dynamic temperature* is hot where the entropy is
# high, and the *quadratic* squares the distance to the best logit. Both are rare today; their formulas are in *Further
# reading*.

# %% show
PLACES = 40  ### small: 3
pipeline = {
    "temperature 1.5": lambda z: apply_temperature(z, 1.5),
    "top-k 40": lambda z: keep_top_k(z, 40),
    "top-p 0.9": lambda z: keep_top_p(z, 0.9),
    "top-a 0.2": lambda z: keep_top_a(z, 0.2),
    "epsilon 0.003": lambda z: keep_epsilon(z, 0.003),
    "top-n-sigma 1": lambda z: keep_top_n_sigma(z, 1.0),
    "typical 0.9": lambda z: keep_typical(z, 0.9),
    "dynamic temperature": lambda z: choosing.dynamic_temperature(z, 0.5, 1.5),
    "quadratic 0.3": lambda z: choosing.quadratic(z, 0.3),
}
shares = choosing.commuting(choosing.positions(gpt, PLACES), pipeline, commute)
plots.show(*figures.commute_matrix(list(pipeline), shares))

# %% [markdown]
# Few squares are full. The rule behind it: a step that uses only ranks or logit differences commutes with any step that
# leaves those unchanged, and a step that uses *probabilities* sees every removal before it. So top-k, which uses ranks,
# commutes with the temperature and with the quadratic, which change no rank. Top-$n\sigma$ commutes with the
# temperature, which divides every distance and $\sigma$ alike. With top-k it seldom does, although both leave the
# logits alone: its $\sigma$ is taken over the tokens that are left, so it sees every removal, too. Dynamic temperature
# sees removals as well, through the entropy.

# %% [markdown]
# ## Essay 1: which filters, and in which order?
#
# 15 minutes, ★★, 10 points, graded by hand
#
# You run *docs-gpt* for three writers: one completes a line of code while somebody types, one drafts the description of
# a function, one invents exercises for a course and must not repeat itself.
#
# (a) Choose for each a pipeline of at most four processors with their settings, in their order, and say what each of
# them is there for. Back at least two choices with a number or a page of yours from this chapter. (b) Name a pair in
# one of your pipelines that must not change places, and say what would happen. (c) A colleague finds that a setting
# gives "more varied text" and adopts it. What else would you want to see measured before you agree, and on what? About
# 200 words.

# %% [markdown] essay="pipeline" points=10
# ### BEGIN SOLUTION
# (a) Completion: no chance at all, the likeliest token; one wrong name costs more than ten dull ones. If it may draw,
# top-n-sigma 1, which left 8 of 8,192 tokens in the middle and nothing of the tail at any temperature. Description: DRY
# (0.8, 1.75, 2), then top-n-sigma 1, temperature 0.8. My greedy page repeated 95% of its runs of four tokens, with DRY
# 10%, and DRY forbids no word, which a text on parameters needs: the names come again and again. Exercises: DRY, min-p
# 0.05, XTC 0.1 with the newline guarded, temperature 1: XTC moved the mean surprise from 2.5 to 3.3 bits without
# letting the tail in. (b) DRY before the filters: after them the penalised token may be the only one left, and then a
# penalty changes nothing. XTC after min-p: before it, XTC takes the best away, and min-p measures from a smaller
# maximum and keeps more of the tail. (c) Varied is cheap: uniform draws are the most varied. I want right answers as
# well: does the code run, do the names exist, and the surprise of the text under a better model; on prompts that nobody
# chose for the setting, several draws of each, with an interval; and pages read blind by people.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 4 points: three pipelines that fit their writers, every part with its purpose; two backed by the student's own numbers
# or pages.
# 3 points: a pair that does not commute, and what happens the other way round, by its mechanism.
# 3 points: diversity alone is no quality; a second measure that could speak against it, fair prompts, spread.
# ### END MARK SCHEME

# %% [markdown]
# # Squeeze
#
# From here on the question is not which token, but what a token costs: bytes, and time.
#
# ## Exercise 8: what the machine allows (`roofline`)
#
# 15 minutes, ★★, 6 points
#
# A model on a laptop reads a prompt of 1,000 tokens in the time that it needs to write 50. Stored in four bits it
# writes up to four times as fast as in sixteen. And a server answers several users at once in nearly the time that one
# takes. One picture explains all three, and the rest of the chapter builds on it. A machine has two limits: how many
# operations it can do in a second (its *peak*), and how many bytes it can fetch from memory (its *bandwidth*). A
# product of matrices needs both, and the number of operations for each byte is its **arithmetic intensity**. At best
# the machine reaches
#
# $$\min(\text{peak},\ \text{intensity} \cdot \text{bandwidth})$$
#
# operations a second, a slope and a flat roof: the **roofline** (Williams, Waterman and Patterson
# [2009](https://doi.org/10.1145/1498765.1498785)).
#
# ![The roofline of a laptop: a slope up to 20 operations a byte, then flat at a thousand billion; one token of a model
# is far down the slope, a prompt of 1,000 on the roof](figures/roofline.svg)
#
# By hand: $(2, 3) \times (3, 4)$ has $2 \cdot 4$ results of 3 multiplications and 3 additions, 48 operations. It reads
# 6 and 12 numbers and writes 8; at 4 bytes these are 104 bytes, 0.46 operations a byte.
#
# And as in the drawing: a model of 7 billion weights of 16 bits, on a laptop of $10^{12}$ operations and 50 GB a
# second. Each token takes two operations for each weight, a multiplication and an addition. *Writing* one token fetches
# 14 GB, which takes 0.28 s; computing would take 0.014 s. The machine waits for memory. *Reading* a prompt of 1,000
# tokens fetches the same 14 GB once, and computes for 14 s. At 20 tokens a pass the two take equally long: up to that
# point more tokens in a pass cost nothing. That is why drafted tokens, and the requests of other users, can be free.
# (The keys and values of chapter 05 are fetched too, more with each token of the text; they are left out here.)
#
# <details><summary>Plan</summary><code>matmul_cost</code> counts the results and the work for each, then the numbers of
# all three matrices, turned into bytes. <code>attainable</code> finds how high the slope is at this intensity and lets
# the roof cap it. <code>pass_seconds</code> works out two times, one to compute and one to fetch, with bits turned into
# bytes, and returns the one that keeps you waiting.</details>
# <details><summary>Hint 1</summary>When two things run at the same time, the slower one decides how long both take:
# <code>max</code>.</details>

# %% exercise="roofline"
def matmul_cost(rows: int, inner: int, columns: int, size: float = 4) -> tuple[int, float]:
    """Return (operations, bytes) of a product (rows, inner) x (inner, columns) of numbers of `size` bytes.

    A multiplication is one operation and an addition another, `inner` of each for a result. Both factors are read once,
    and the product is written once.
    """
    ### BEGIN SOLUTION
    return 2 * rows * inner * columns, size * (rows * inner + inner * columns + rows * columns)
    ### END SOLUTION


def attainable(operations: float, moved: float, peak: float, bandwidth: float) -> float:
    """Return the operations a second that the machine can reach at best; `moved` is in bytes, and above 0."""
    ### BEGIN SOLUTION
    return min(peak, operations / moved * bandwidth)
    ### END SOLUTION


def pass_seconds(parameters: float, tokens: int, bits: float, peak: float, bandwidth: float) -> float:
    """Return the seconds that a pass over `tokens` new tokens takes at least.

    Each token takes two operations for each parameter, and all parameters, of `bits` bits each, are fetched once. The
    slower of computing and fetching decides how long it takes.
    """
    ### BEGIN SOLUTION
    return max(2 * parameters * tokens / peak, parameters * bits / 8 / bandwidth)
    ### END SOLUTION

# %% check="roofline" points=6

# %% [markdown]
# Now measure your own machine: some rows times a matrix of 8,192 by 8,192, which no ordinary cache holds, on the GPU
# where there is one. The numbers are bfloat16, of two bytes, unless this machine is slower with them than with float32.
# With two bytes a number, a product of $n$ rows makes about $n$ operations for each byte, so each dot is at about its
# number of rows. The roof is the best rate that the machine reached, and the slope is how fast it copies memory.

# %% show
ROWS_OF_PASS = [1, 2, 4, 8, 16, 32, 64, 128, 256]  ### small: [1, 16]; gpu: [1, 4, 16, 64, 256, 1024, 4096]
WIDTH = 8192  ### small: 256
machine = rooflines.measured(ROWS_OF_PASS, WIDTH)
print(rooflines.table(machine, matmul_cost, attainable))
plots.show(*figures.roofline(machine, matmul_cost, attainable))

# %% [markdown]
# Read it from the left. On the slope the machine waits for the matrix to arrive, and while it waits a few more rows are
# free: the column *times one row* stays near 1. Beyond the corner it computes all the time, and twice the rows take
# twice as long. A dot below the roof shows time that the library leaves unused, most of all around the corner, or that
# other programs took. A dot may also be a little above the slope: a copy writes as much as it reads, but a product
# mostly reads. (A third limit is in no roofline: the *overhead* of starting each operation, in Python and in the
# library. It decides how fast a small model such as docs-gpt is; [Making deep learning go
# brrrr](https://horace.io/brrr_intro.html) explains it.)
#
# ### Large and small language models
#
# An **LLM** is a large language model, an **SLM** a small one. Neither term has a fixed size. *Large* is what needs a
# rack or at least a graphics card, from some ten billion weights on; *small* is what runs on a laptop or a phone, today
# up to some eight billion. The border moves with memory: GPT-2 of 2019, with 1.5 billion weights, was considered large.
# The table shows what follows from the size: the bytes and, according to your `pass_seconds`, how many tokens a second
# a laptop with 50 GB a second can write at most.

# %% show exact=true
print(rooflines.sizes_table(pass_seconds))

# %% [markdown]
# Training needs far more memory than inference: weights, gradients and two numbers of AdamW, 16 bytes for each weight
# in float32, and the activations. A laptop cannot train in full every model that it can run in four bits; hence LoRA on
# a base of four bits.
#
# So there are two ways to write faster: put more tokens into a pass, as the next exercise does, or fetch fewer bytes,
# as all the others do.
#
# ## Exercise 9: a small model drafts, a large one checks (`speculative`)
#
# 20 minutes, ★★★, 8 points
#
# A large model writes one token a pass, and each pass fetches all of its weights. By the roofline, a pass over five
# tokens takes no longer: it fetches them once, too. So let a quick and careless model *draft* the next few tokens, and
# let the large model look at all of them in a single pass. Where it agrees, it has written several tokens for the price
# of one.
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
# tokens on average: those kept, and one more that is always its own. If drafting a token costs $c$ times as much as a
# pass of the target, you are $(1 + a + \dots + a^K) / (1 + cK)$ times as fast.
#
# <details><summary>Plan</summary><code>keep_probabilities</code> and <code>residual</code> follow the text, each with
# one case in which you would divide by 0. <code>verify</code> walks along <code>drafted</code>: the first token that
# fails is replaced by a draw from its row's residual, and that ends it; if none fails, one more draw comes from the
# target's last row. <code>speed_up</code> adds up the tokens of a pass and divides by its cost.</details>
# <details><summary>Hint 1</summary><code>torch.where(condition, a, b)</code> takes the good branch, but both are
# computed: 0 / 0 in the branch that is not taken does no harm.</details>
# <details><summary>Hint 2</summary>A
# <code>return</code> in the middle of the loop ends at the first token that is not kept.</details>

# %% given
def draw(probabilities: Tensor, u: float) -> int:
    """Return the token of a distribution (V,) whose stretch of [0, 1) contains u."""
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

    Where nothing is left, because the draft is the same as the target, give the target.
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
    that is not kept comes draw(residual of row i, u), and nothing after it. If all are kept, draw(last row of target,
    u) comes after them.
    """
    ### BEGIN SOLUTION
    for i, token in enumerate(drafted):
        if numbers[i] >= keep_probabilities(target[i], draft[i])[token]:
            return [*drafted[:i], draw(residual(target[i], draft[i]), u)]
    return [*drafted, draw(target[-1], u)]
    ### END SOLUTION


def speed_up(rate: float, drafts: int, cost: float) -> float:
    """Return how many times as fast K = `drafts` drafted tokens a pass make writing; a = `rate` (0 to 1), c = `cost`.

    With 0 drafts nothing changes, and with rate 1 all K are kept.
    """
    ### BEGIN SOLUTION
    return sum(rate**i for i in range(drafts + 1)) / (1 + cost * drafts)
    ### END SOLUTION

# %% check="speculative" points=8

# %% [markdown]
# Who should draft for docs-gpt? Its own first block can: put the final norm and the output matrix on top of it, and you
# have a GPT of one block that cost no training. Or no model at all: look for an earlier place in the text where the
# last words occur, and draft what followed them there (*prompt lookup*). For two temperatures of the target (0 is
# greedy), the table shows what share of the drafted tokens was kept, how many tokens a pass of the target gave, and the
# speed by the clock.

# %% show
TOKENS = 60  ### small: 8; gpu: 200
gpt_artifact = chosen()
gpt, words = model_of(gpt_artifact), Tokens(tokenizer_of(gpt_artifact))
unread = words.joined([d.text for d in data.load("docs").split("test")], 128)
texts = unread[torch.randperm(len(unread), generator=torch.Generator().manual_seed(SEED))[:48]]
drafting.print_table(drafting.Drafting(gpt, verify), [row[:24].tolist() for row in texts[:3]], TOKENS)
plots.show(*figures.speed_ups(speed_up, rates=[0.5, 0.7, 0.9], cost=0.05))

# %% [markdown]
# Drafts of one or two blocks give more than one token a pass; the last column is your clock's verdict. One block and
# the output matrix are three fifths of the weights of so small a model, and with $c = 0.6$ drafting loses: try
# `speed_up(0.6, 2, 0.6)`. The formula also assumes that a pass over five tokens is as quick as a pass over one. That
# holds on the slope of the roofline, but so small a model may fit into the processor's cache. The look-up needs no
# second model, and it pays where a text repeats itself, as greedy text of a small model does, and summaries and edited
# code do. The curves are for a draft of a twentieth of the target, such as a model of 3 billion weights for one of 70.
#
# Newer drafts are neither a small model nor a few blocks: **EAGLE** (Li and others 2024,
# [EAGLE](https://arxiv.org/abs/2401.15077)) trains one extra layer that reads the target's own last vectors and guesses
# the ones to come, and the target checks a whole tree of such guesses in one pass.
#
# ## Exercise 10: fewer bits for a weight (`bits`)
#
# 20 minutes, ★★, 7 points
#
# Drafts leave the model as large as it was. To fit on a phone it has to lose bytes: 32 bits for a weight are a luxury.
# There are two ways to spend fewer. **bfloat16** keeps float32's sign and all eight bits of its exponent, and cuts the
# fraction from 23 bits to 7: the upper half of the number, rounded. You know **integers of $b$ bits** with a scale from
# chapter 09, for $b = 8$. In general, with $m = 2^{b-1} - 1$ steps on each side of zero,
#
# $$s = \frac{\max |w|}{m},\qquad q = \mathrm{round}\Big(\frac{w}{s}\Big),\qquad w \approx s\,q,$$
#
# and the question is whose maximum: one for the whole tensor, or one for each row.
#
# ![Two rows in four bits: with one scale for both, the row of small weights becomes 0, 1, 0, -1; with a scale of its
# own it becomes 2, 7, -3, -6](figures/bits.svg)
#
# By hand, as in the drawing, in four bits ($m = 7$): the rows $(2.1, -7, 1.4, 0.7)$ and $(0.2, 0.7, -0.3, -0.6)$. One
# scale for both is $7 / 7 = 1$, and the second row is left with $(0, 1, 0, -1)$. With its own scale, 0.1, it becomes
# $(2, 7, -3, -6)$, and nothing is lost.
#
# No machine has bytes of four bits, so two numbers share one. Each is shifted by 8 to be between 1 and 15; the first
# takes the lower half of the byte, the second the upper: $(2, 7)$ becomes $10 + 16 \cdot 15 = 250$.
#
# <details><summary>Plan</summary><code>to_bfloat16</code> reads the bits as an integer, adds what rounding needs,
# clears the lower half, and reads the bits as a float again. <code>to_bits</code> finds the largest magnitude of each
# row or of all, makes scales (out, 1) or (1, 1), replaces those of 0, divides and rounds. <code>pack</code> shifts the
# numbers and joins neighbours in one byte; <code>unpack</code> undoes both, and puts each pair back side by
# side.</details>
# <details><summary>Hint 1</summary><code>x.view(torch.int32)</code> shows the same bits as integers, and
# <code>.view(torch.float32)</code> leads back. <code>& -65536</code> keeps the upper half: in two's complement that is
# sixteen ones and then sixteen zeros.</details>
# <details><summary>Hint 2</summary>To round to the nearest, add 0x7FFF before you cut; a number exactly in the middle
# goes up only if the lowest bit that stays, <code>(bits >> 16) & 1</code>, is added, too.</details>
# <details><summary>Hint 3</summary>Every second column: <code>q[:, ::2]</code>.</details>

# %% given
# What the check asks beside the values: the kinds of numbers that torch makes in a call.
def kinds_of_numbers(function, *arguments) -> list[str]:
    return sorted({operation.dtype for operation in ways_of_calls.operations(function, *arguments)})

# %% exercise="bits"
def to_bfloat16(x: Tensor) -> Tensor:
    """Return the numbers of x, float32 without NaN, rounded to bfloat16, as float32; x has any shape, () included.

    Work on the bits and do not convert to torch.bfloat16 (the check does that, to compare). Round to the nearest; a
    number exactly in the middle goes to the neighbour whose last bit is 0.
    """
    ### BEGIN SOLUTION
    bits = x.contiguous().view(torch.int32)
    bits = bits + 0x7FFF + ((bits >> 16) & 1)
    return (bits & -65536).view(torch.float32)
    ### END SOLUTION


def to_bits(weight: Tensor, bits: int, by_row: bool = True) -> tuple[Tensor, Tensor]:
    """Return (q (out, in) int8, scales float32) of weight (out, in) in `bits` bits, 2 to 8.

    scales: (out, 1) by row, else (1, 1). Round with torch.round; a scale of 0 becomes 1, and q is 0 there.
    """
    ### BEGIN SOLUTION
    most = weight.abs().amax(dim=1, keepdim=True) if by_row else weight.abs().max().view(1, 1)
    scales = most / (2 ** (bits - 1) - 1)
    scales = torch.where(scales > 0, scales, 1.0)
    return torch.round(weight / scales).to(torch.int8), scales.float()
    ### END SOLUTION


def pack(q: Tensor) -> Tensor:
    """Return bytes (out, in / 2) uint8 of numbers q (out, in) int8 from -7 to 7, two to a byte; `in` is even."""
    ### BEGIN SOLUTION
    shifted = (q + 8).to(torch.uint8)
    return shifted[:, ::2] | (shifted[:, 1::2] << 4)
    ### END SOLUTION


def unpack(packed: Tensor) -> Tensor:
    """Return the numbers (out, in) int8 that were packed in bytes (out, in / 2) uint8."""
    ### BEGIN SOLUTION
    return torch.stack([packed & 15, packed >> 4], dim=-1).flatten(1).to(torch.int8) - 8
    ### END SOLUTION

# %% check="bits" points=7

# %% [markdown]
# How many bits does docs-gpt need? Your function stores each of its matrices in few bits and reads it back; the loss on
# unread documents shows what that costs.

# %% show
ROWS = 24  ### small: 4


def in_bits(bits: int, by_row: bool):
    """Return a function that stores a matrix in few bits and reads it back."""
    def there_and_back(weight: Tensor) -> Tensor:
        q, scales = to_bits(weight, bits, by_row)
        return q * scales

    return there_and_back


loss = {"float32": smaller.nats(gpt, texts[:ROWS])}
loss["bfloat16"] = smaller.nats(smaller.changed(gpt, to_bfloat16), texts[:ROWS])
for way, by_row in {"a scale for each row": True, "one for the tensor": False}.items():
    for bits in (8, 4, 3, 2):
        loss[way, bits] = smaller.nats(smaller.changed(gpt, in_bits(bits, by_row)), texts[:ROWS])
print(smaller.bits_table(gpt, loss, stored.SCALES))
plots.show(*figures.loss_by_bits(loss))

# %% [markdown]
# Eight bits cost nothing visible, and four very little. How much is lost at two bits depends on the scales: with one
# for each row a third of what the model knew, with one for the tensor all of it. (A model that knows nothing has $\ln
# 8192 = 9.01$ nats a token.) The fewer the bits, the more the scales matter.
#
# ## Exercise 11: a scale for each group (`groups`)
#
# 12 minutes, ★★, 5 points
#
# One large weight spoils its whole row: it sets the scale, and its neighbours are rounded to a step that fits *it*.
# Such **outliers** are the main obstacle to storing large models in four bits. The remedy is simple: cut each row into
# groups of 32 neighbours, and give every group a scale of its own. Then an outlier spoils 31 others and no more.
#
# ![The row 0.7, -0.2, 7, 3: with one scale the first two become 1 and 0; in groups of two they become 7 and
# -2](figures/groups.svg)
#
# By hand, as in the drawing, in four bits and groups of two: the row $(0.7, -0.2, 7, 3)$. One scale for the row is
# $7 / 7 = 1$, and $q = (1, 0, 7, 3)$: the weight $-0.2$ is gone. In groups the first pair has the scale $0.7 / 7 =
# 0.1$, and $q = (7, -2)$; the second keeps the scale 1 and $(7, 3)$.
#
# Scales are not free: one of 16 bits for each 32 weights adds $16 / 32 = 0.5$ bits to every weight, so "four bits" are
# 4.5. The formats of llama.cpp are made this way.
#
# <details><summary>Plan</summary><code>to_groups</code> rearranges the weights so that each group is a row, lets
# <code>to_bits</code> do the work, and puts numbers and scales back into the rows that they came from.
# <code>from_groups</code> stretches the scales until there is one for each number. <code>bits_of_weight</code> shares
# the bits of one scale out among the weights of its group.</details>
# <details><summary>Hint 1</summary><code>weight.reshape(-1, size)</code> has a group in each row, as groups run along
# the rows; <code>scales.repeat_interleave(size, dim=1)</code> writes each scale `size` times.</details>

# %% exercise="groups"
def to_groups(weight: Tensor, bits: int, size: int = 32) -> tuple[Tensor, Tensor]:
    """Return (q (out, in) int8, scales (out, in / size) float32) of weight (out, in) in `bits` bits, 2 to 8.

    Each `size` neighbours of a row share a scale, and `size` divides `in`. Scales and rounding are those of `to_bits`.
    """
    ### BEGIN SOLUTION
    q, scales = to_bits(weight.reshape(-1, size), bits)
    return q.view(weight.shape), scales.view(len(weight), -1)
    ### END SOLUTION


def from_groups(q: Tensor, scales: Tensor) -> Tensor:
    """Return the weights (out, in) float32 that numbers q (out, in) and scales (out, groups) of to_groups stand for."""
    ### BEGIN SOLUTION
    return q * scales.repeat_interleave(q.shape[1] // scales.shape[1], dim=1)
    ### END SOLUTION


def bits_of_weight(bits: int, size: int, scale_bits: int = 16) -> float:
    """Return how many bits a weight takes in a file: its own, and its share of the scale of its group."""
    ### BEGIN SOLUTION
    return bits + scale_bits / size
    ### END SOLUTION

# %% check="groups" points=5

# %% [markdown]
# The next cell repeats this with your groups, beside the scale for each row.

# %% show
def in_groups(bits: int):
    """Return a function that stores numbers in few bits, with a scale for each 32, and reads them back."""
    return lambda weight: torch.as_tensor(from_groups(*to_groups(weight, bits)))


for bits in (8, 4, 3, 2):
    loss["a scale for each 32", bits] = smaller.nats(smaller.changed(gpt, in_groups(bits)), texts[:ROWS])
shown = {key: value for key, value in loss.items() if key[0] in ("a scale for each row", "a scale for each 32")}
print(smaller.bits_table(gpt, {"float32": loss["float32"]} | shown, stored.SCALES))
print(f"a weight in groups of 32: {bits_of_weight(4, 32):g}, {bits_of_weight(3, 32):g}, {bits_of_weight(2, 32):g} bits")
plots.show(*figures.loss_by_bits(loss))
### BEGIN CLAIMS
for bits in (4, 3, 2):
    claim(f"docs-gpt in {bits} bits, minus the loss: a scale for each 32 weights above one for each row",
          -loss["a scale for each 32", bits], -loss["a scale for each row", bits])
### END CLAIMS

# %% [markdown]
# Groups lose less at every number of bits, and most is gained where bits are fewest. Compare bytes as well as bits,
# though: three bits in groups take 3.5, and lose more than four bits with a scale for each row, which take hardly more
# than four. Serious programs use two more ideas. **GPTQ** (Frantar and others 2022,
# [GPTQ](https://arxiv.org/abs/2210.17323)) rounds the weights of a layer one after the other, and corrects those that
# are still to come so that the layer's *outputs* change least. **AWQ** (Lin and others 2023,
# [AWQ](https://arxiv.org/abs/2306.00978)) looks for the few columns whose inputs are large, and scales those weights up
# before it rounds, so that they lose least. By hand, in four bits: the weights (0.3, 3.5) have the scale 0.5, so 0.3
# becomes 0.5, and an input of 10 makes an error of 2 of that. Doubled first, it is 0.6 and becomes 0.5 as well, but its
# input is halved to 5, and the error is $5 \cdot 0.1 = 0.5$.
#
# Weights are not all that a pass fetches. The **cache** of keys and values (chapter 05) grows with every token of the
# text and of every user, and for a long text it is larger than the model. Nothing new is needed: a key is a vector of
# 32 numbers here, so your `to_groups` gives each key and each value one scale. In the next cell docs-gpt reads sixteen
# tokens at a time, and what it keeps of the earlier ones is stored in few bits.

# %% show
loss_of_cache = {32: ("float32", stored.cached_nats(gpt, texts[:ROWS], lambda vectors: vectors))}
for bits in (8, 4, 3, 2):
    nats = stored.cached_nats(gpt, texts[:ROWS], in_groups(bits))
    loss_of_cache[bits_of_weight(bits, 32)] = f"{bits} bits, groups of 32", nats
print(stored.cache_table(gpt, loss_of_cache))

# %% [markdown]
# Four bits for the cache cost about a thousandth of a nat, far less than four bits for the weights, and a text of
# 128,000 tokens takes less than a seventh of what it takes in float32, less than a third of what it takes in bfloat16.
# (Larger models are harder: some numbers of their keys are large in *every* token. KIVI, Liu and others 2024,
# [KIVI](https://arxiv.org/abs/2402.02750), therefore gives keys a scale for each of their numbers, over a group of
# tokens, and values a scale for each token.)
#
# ## Exercise 12: weights that are not missed (`prune`)
#
# 12 minutes, ★★, 5 points
#
# Fewer bits for each weight, or fewer weights? Most weights of a trained network are small, and small weights change
# its outputs little. **Magnitude pruning** ([Han and others 2015](https://arxiv.org/abs/1506.02626)) sets the smallest
# to zero and keeps a *mask* of those that stay:
#
# ![Of the weights 0.6, -2, 0.1, -0.5, 0.9, 0.2, -0.1, 0.3 half are kept: 0.6, -2, -0.5 and 0.9 by size; 0.6, -2, 0.9
# and 0.3 where two of each four stay](figures/prune.svg)
#
# What do zeros save? Nothing, as long as they are stored and multiplied like other numbers. Scattered zeros need a list
# of their positions beside the weights, and a machine that can skip them. So hardware asks for a pattern: Nvidia's
# tensor cores are up to twice as fast where *two* of each *four* neighbours are zero ([Mishra and others
# 2021](https://arxiv.org/abs/2104.08378)).
#
# After pruning, a network is trained a little more, so that the remaining weights make up for the missing ones. The
# pruned weights have to stay at zero during this training, whatever their gradients are.
#
# By hand, as in the drawing: half of eight weights go. By size these are 0.1, -0.1, 0.2 and 0.3. With two of four, each
# group loses its own two: the first 0.1 and -0.5, the second 0.2 and -0.1. So 0.3 stays and -0.5, though larger, does
# not.
#
# <details><summary>Plan</summary><code>keep_largest</code> puts all weights in one row, orders their positions by
# magnitude, works out how many go, and clears that many in a fresh mask, which then takes the weight's shape.
# <code>two_of_four</code> orders each row of a table of fours and keeps two positions in each. <code>masked_step</code>
# takes the plain step, then chooses between it and 0; think of an infinite gradient at a pruned weight.</details>
# <details><summary>Hint 1</summary><code>argsort(stable=True)</code> leaves equal numbers in their order.</details>
# <details><summary>Hint 2</summary><code>mask.view(-1)[places] = False</code> sets entries of a fresh mask by their
# position in row order.</details>

# %% exercise="prune"
def keep_largest(weight: Tensor, share: float) -> Tensor:
    """Return a mask like weight (...), booleans: False for the `share` of weights that are smallest in magnitude.

    round(share * n) of the n weights go, no more and no fewer (Python's round: a half goes to the even number); of
    equally large ones those that come first go, row by row. share is from 0 to 1.
    """
    ### BEGIN SOLUTION
    order = weight.abs().flatten().argsort(stable=True)
    mask = torch.ones_like(order, dtype=torch.bool)
    mask[order[: round(share * len(order))]] = False
    return mask.view(weight.shape)
    ### END SOLUTION


def two_of_four(weight: Tensor) -> Tensor:
    """Return a mask like weight (out, in), booleans: True for the two largest in magnitude of each four neighbours.

    Fours run along the rows, and 4 divides `in`. Of equally large ones those that come first go.
    """
    ### BEGIN SOLUTION
    fours = weight.abs().reshape(-1, 4)
    places = fours.argsort(dim=1, stable=True)[:, 2:]
    return torch.zeros_like(fours, dtype=torch.bool).scatter(1, places, True).view(weight.shape)
    ### END SOLUTION


def masked_step(weight: Tensor, gradient: Tensor, mask: Tensor, lr: float) -> Tensor:
    """Return the weights after a step of plain gradient descent, a new tensor.

    Exactly 0 where mask is False, whatever weight and gradient are there.
    """
    ### BEGIN SOLUTION
    return torch.where(mask, weight - lr * gradient, 0.0)
    ### END SOLUTION

# %% check="prune" points=5

# %% [markdown]
# Each matrix of docs-gpt loses its smallest weights. The table also gives the size of a file of the kept weights: four
# bytes each, and a bit for every weight, kept or not (for two of four, two bits for each that is kept).

# %% show
pruned = {0.0: gpt} | {
    share: smaller.changed(gpt, lambda weight, share=share: weight * torch.as_tensor(keep_largest(weight, share)))
    for share in (0.3, 0.5, 0.7, 0.9)
}
pruned["2 of 4"] = smaller.changed(gpt, lambda weight: weight * torch.as_tensor(two_of_four(weight)))
print(smaller.pruning_table(pruned, texts[:ROWS]))

# %% [markdown]
# Without three weights in ten the model loses hardly anything, without half of them a little, without nine in ten a
# great deal. Compare with your table of bits: four bits for every weight take an eighth of the bytes of float32, a
# quarter of those of bfloat16; half of the weights take more than half, whatever they are stored in, and lose more,
# most of all in the pattern that the hardware likes. How much do a few steps under the mask repair? A net of 256 hidden
# units that reads digits shows it in seconds.

# %% show
print(students.thinned(students.Classroom(SEED), keep_largest, masked_step, shares=[0.5, 0.9, 0.97], steps=60))

# %% [markdown]
# A pruned network recovers if it is trained further and enough of it is left; and the zeros that you asked for are all
# still there.
#
# ## Exercise 13: learn from a teacher (`distil`)
#
# 15 minutes, ★★, 6 points
#
# A label tells you *this is an 8*. A trained network tells you more: 0.9 an 8, 0.07 a 3, 0.02 a 9, next to nothing a 1.
# It has noticed what looks like what, and all of that is lost in the label. **Distillation** (Hinton, Vinyals and Dean
# [2015](https://arxiv.org/abs/1503.02531)) trains a small *student* on such probabilities of a large *teacher*.
# DistilBERT ([Sanh and others 2019](https://arxiv.org/abs/1910.01108)) was made this way, and so are many of the small
# models on phones.
#
# A sure teacher gives 0.999 and zeros, and the small numbers, which tell the most, hardly count. So a temperature $T$
# flattens both distributions before they are compared:
#
# ![The teacher's logits 6, 2, 0 are the probabilities 0.98, 0.02, 0.00 at T = 1 and 0.63, 0.23,
# 0.14 at T = 4](figures/distil.svg)
#
# $$L = \alpha\, T^2\, \mathrm{KL}\big(\mathrm{softmax}(z_\text{teacher} / T)\,\|\,\mathrm{softmax}(z_\text{student} /
# T)\big) + (1 - \alpha)\, \mathrm{CE}(z_\text{student}, y)$$
#
# The gradient of the first part shrinks roughly like $1 / T^2$; the factor makes up for it, so that $\alpha$ means much
# the same at every temperature. A text without a label takes part in the first part only: a teacher needs no labels to
# teach.
#
# By hand, for one example with three classes: the teacher's logits are $(2 \ln 2, 0, 0)$, the student's $(0, 0, 0)$,
# and $T = 2$. Flattened, they are $(0.5, 0.25, 0.25)$ and a third each. KL is $0.5 \ln 1.5 + 0.5 \ln 0.75 = 0.0589$;
# times $T^2$ it is $0.2356$. If the label is the first class, CE is $\ln 3 = 1.0986$. With $\alpha = 0.5$ the loss is
# $0.6671$.
#
# <details><summary>Plan</summary>Flatten both sets of logits by the temperature and turn them into log-probabilities,
# (N, V), the teacher's without a gradient. Their KL, a mean over the rows, is the soft part, scaled as in the formula.
# For the hard part, pick the rows that have a label and compare the student's own logits, not the flattened ones, with
# it. Last, mix the two by <code>alpha</code>.</details>
# <details><summary>Hint 1</summary><code>F.kl_div(log_q, log_p, log_target=True)</code> is KL from p to q, in this odd
# order; <code>reduction="batchmean"</code> divides by the rows, "mean" by all numbers.</details>
# <details><summary>Hint 2</summary>The mean of nothing is nan: ask first whether any label is there.</details>

# %% exercise="distil"
def distillation_loss(
    student: Tensor, teacher: Tensor, labels: Tensor, temperature: float = 2.0, alpha: float = 0.5
) -> Tensor:
    """Return the loss of a student, a scalar.

    student and teacher: logits (N, V); labels (N,), -100 where none is known. KL is the mean over all N rows, CE the
    mean over those with a label, and 0 if there is none. The gradient flows to the student's logits, and none to the
    teacher's. Large logits do no harm.
    """
    ### BEGIN SOLUTION
    log_p, log_q = ((z / temperature).log_softmax(dim=-1) for z in (teacher.detach(), student))
    soft = temperature**2 * F.kl_div(log_q, log_p, log_target=True, reduction="batchmean")
    known = labels != -100
    hard = F.cross_entropy(student[known], labels[known]) if known.any() else 0.0
    return alpha * soft + (1 - alpha) * hard
    ### END SOLUTION

# %% given
# What checks ask of your functions beside their values: the gradient for each tensor of floats except the `fixed` ones.
def slopes(function, *arguments, fixed=()) -> list[Tensor]:
    return gradients.slopes(function, *arguments, fixed=fixed)


def teacher_moves(loss, student: Tensor, teacher: Tensor, *others) -> bool:
    return loss(student, teacher.clone().requires_grad_(), *others).requires_grad

# %% check="distil" points=6

# %% [markdown]
# A net of 256 hidden units has seen a thousand digits with their labels. Three students of twelve hidden units have
# labels for five of each kind, and all three take the same number of steps. The first has nothing else. The second has
# labels for all the other pictures, too: for each the digit that the teacher would *choose*. The third gets the
# teacher's *probabilities* for all pictures, through your loss. Then the strange part, from section 3 of Hinton's
# paper: a student who is never shown a 3, neither picture nor label. Can it still tell one when it meets one?

# %% show
SEEDS = 5  ### small: 1
STEPS = 200  ### small: 20
rooms = [students.Classroom(seed) for seed in range(SEED, SEED + SEEDS)]
taught, unseen = students.lessons(rooms, distillation_loss, STEPS)
print(students.table(rooms, taught, unseen))
### BEGIN CLAIMS
claim("Digits, five labels of each kind: a student with a teacher above one without", taught[students.TAUGHT],
      taught[students.FEW])
claim("Digits, five labels of each kind: the teacher's choices as labels above the five alone",
      taught[students.CHOICES], taught[students.FEW])
apart = np.abs(np.subtract(taught[students.TAUGHT], taught[students.CHOICES]))
claim("Digits, five labels of each kind: the teacher's probabilities and its choices less than 0.02 apart",
      [0.02] * SEEDS, apart)
claim("Digits, share of 3s that a student who never saw one recognises: T = 8 above T = 1", unseen[8], unseen[1])
### END CLAIMS

# %% [markdown]
# The teacher is worth a great deal: 0.84 right without it, 0.97 with its probabilities (means of five seeds). But the
# student that knows only the teacher's choices does as well, 0.965 against 0.966. On this task the gain comes from a
# thousand pictures that have a label at last, and the small probabilities add nothing that can be measured. The last
# three lines show what they alone can do. For every 5, 8 and 9 that the student saw, the teacher had said how 3-like it
# was. That is enough, if the temperature lets the student hear it: at $T = 1$ it recognises no 3 at all, at $T = 8$
# 0.88 of them.
#
# ## Exercise 14: vectors in fewer bytes (`vectors`)
#
# 18 minutes, ★★, 5 points
#
# The index of a search is made of numbers, too: a hundred million passages with 512 float32 numbers each are 205 GB.
# You know three ways to make them smaller: cut the vectors short (`matryoshka` in chapter 07), rotate them first so
# that the first numbers hold the most (PCA, chapter 02), and take fewer bits (`to_bits`, with a scale for each vector).
# The last step on that road is *one* bit for a number: its sign.
#
# ![Two vectors as signs: 1 0 1 1 and 1 1 1 0 differ in two positions, the Hamming distance](figures/vectors.svg)
#
# Where two vectors point the same way, most signs agree. The number of signs that do not is the **Hamming distance**,
# and a processor counts it for 64 numbers in an instant: an exclusive *or*, and a count of ones. If $s$ and $t$ are
# signs as $\pm 1$, it is $(C - s \cdot t) / 2$.
#
# Signs alone are coarse, so they only choose a short list, and the vectors themselves, kept on a slower disk, *rescore*
# it.
#
# By hand, as in the drawing: $(0.4, -0.1, 0.3, 0.2)$ is 1011 and $(0.5, 0.2, 0.1, -0.3)$ is 1110. They differ in the
# second position and the last, so the distance is 2. Filled with zeros to a byte, 1011 is 10110000, which is 176.
#
# <details><summary>Plan</summary><code>sign_bits</code> asks whether each number is above 0, and packs the answers row
# by row. <code>hamming</code> takes one query at a time, finds the bits in which it differs from all passages, and
# counts them: a row of (Q, P). <code>rescore</code> cuts the list by distance, then ranks what is left by its product
# with the query; watch the order in which ties reach the second ranking.</details>
# <details><summary>Hint 1</summary><code>np.packbits</code> puts eight booleans into a byte, and fills the last one
# with zeros.</details>
# <details><summary>Hint 2</summary><code>a ^ b</code> has a one where the bits differ;
# <code>np.unpackbits</code> takes bytes apart. Go query by query: all pairs at once are too many.</details>

# %% exercise="vectors"
def sign_bits(vectors: np.ndarray) -> np.ndarray:
    """Return the signs of vectors (N, C) as bytes (N, ceil(C / 8)), uint8: a bit is 1 where a number is above 0.

    The first number is the highest bit of the first byte; bits after the last number are 0.
    """
    ### BEGIN SOLUTION
    return np.packbits(vectors > 0, axis=1)
    ### END SOLUTION


def hamming(queries: np.ndarray, passages: np.ndarray) -> np.ndarray:
    """Return in how many bits each of queries (Q, B) differs from each of passages (P, B), both uint8: (Q, P), ints."""
    ### BEGIN SOLUTION
    rows = [np.unpackbits(query ^ passages, axis=1).sum(axis=1, dtype=np.int64) for query in queries]
    return np.array(rows, dtype=np.int64).reshape(len(queries), len(passages))
    ### END SOLUTION


def rescore(query: np.ndarray, passages: np.ndarray, distances: np.ndarray, shortlist: int, k: int) -> np.ndarray:
    """Return the indices of the k best passages, best first, ints: at most k, fewer if the short list is shorter.

    query (C,), passages (P, C), distances (P,). The `shortlist` passages with the smallest distances are ranked by
    their product with the query. Of tied passages, in both steps, the one that is earlier in `passages` comes first.
    """
    ### BEGIN SOLUTION
    near = np.sort(np.argsort(distances, kind="stable")[:shortlist])
    return near[np.argsort(-(passages[near] @ query), kind="stable")[:k]]
    ### END SOLUTION

# %% check="vectors" points=5

# %% [markdown]
# The docs-encoder has 512 numbers for a text. Each way to store the passages' vectors is one point: its bytes in memory
# and on the disk together, and how often the right passage is among the first ten.

# %% show
QUERIES = 200  ### small: 10; gpu: 500
PASSAGES = 2000  ### small: 60; gpu: 6000
store = vector_bytes.Store(docs_task(queries=QUERIES, passages=PASSAGES), load_encoder(own=False))
recalls = store.measured(to_bits, sign_bits, hamming, rescore)
print(vector_bytes.table(recalls))
plots.show(*figures.recall_by_bytes(recalls))

# %% [markdown]
# Giving up bits costs little, and giving up numbers costs a lot: int8 is as good as float32 at a quarter of its bytes,
# and a vector cut to a quarter is far worse. This encoder was not trained to be cut; PCA, which rotates the vectors
# first, saves much of the loss. One bit for each number, a thirty-second of the bytes, still finds most of the
# passages, and a short list of fifty that is rescored finds nearly as many as the whole vectors. Count all of its
# bytes, though: 64 of each passage are in memory and read for every query, and the vector itself is on the disk, from
# which a query fetches fifty. Rescoring saves memory and time, not storage: with eight bits on the disk it takes 580
# bytes in all. Where storage counts, four bits a number are the better choice: 260 bytes, without a visible loss.
#
# ## A tenth of the bytes
#
# Now put all of it together on docs-gpt. Half of its blocks are removed. A few steps of *your* distillation, with the
# whole model as the teacher, heal some of the wound. Then *your* `to_bits` and `pack` write the rest to a file of four
# bits a weight. Read back by `unpack`, it is an ordinary model again: the file saves bytes, the removed blocks save
# time. (To save memory while it runs, the product itself would have to work on packed numbers, as the kernels of
# llama.cpp or bitsandbytes do.)

# %% show
STEPS = 24  ### small: 2; gpu: 400
LETTERS = 80  ### small: 8
read = words.joined([d.text for d in data.load("docs").split("train")[:600]], 128)
half = packed.healed(packed.first_blocks(gpt, len(gpt.blocks) // 2), gpt, read, distillation_loss, STEPS)
files = {"docs-gpt": packed.float32_file(gpt), "half of it, in four bits": packed.file_of(half, to_bits, pack)}
models = {"docs-gpt": gpt, "half of it, in four bits": packed.opened(files["half of it, in four bits"], half, unpack)}
fast = packed.speeds(models, texts[0, :24].tolist(), LETTERS)
print(packed.table(models, files, fast, texts[:ROWS]))
for name, model in models.items():
    choose = choosing.sampler(lambda z: keep_top_p(z / 0.7, 0.9))
    page, _ = packed.written(model, texts[0, :24].tolist(), lambda z, choose=choose: choose(z, []), LETTERS)
    print(f"\n--- {name}\n{words.decode(page)}")
### BEGIN CLAIMS
claim("docs-gpt in a file: half of its blocks in four bits take less than an eighth of its bytes",
      len(files["docs-gpt"]) / len(files["half of it, in four bits"]), 8.0)
claim("docs-gpt, minus the nats lost: all blocks in three bits, a scale for each row, above half of them in four",
      loss["float32"] - loss["a scale for each row", 3],
      loss["float32"] - smaller.nats(models["half of it, in four bits"], texts[:ROWS]))
claim("Tokens a second: half of the blocks above all of them", fast["half of it, in four bits"], fast["docs-gpt"])
### END CLAIMS

# %% [markdown]
# The file is a tenth of what it was in float32, a fifth of what it would be in bfloat16, and the model writes faster,
# for it has half of the blocks. It costs nearly two
# tenths of a nat a token, out of four and a half, and the page shows where: the form of the docs is all there, and the
# sense was never strong. For bytes alone there is a better bargain in your table of bits: the whole model in three
# bits, with a scale for each row, takes hardly more, 1.34 MB, and loses less, about a tenth of a nat. What the removed
# blocks buy is time.
#
# ## Essay 2: what would you ship on a phone?
#
# 15 minutes, ★★, 10 points, graded by hand
#
# A phone has 4 GB to spare for your assistant and reads some 50 GB a second. You may have a model of 8 billion weights,
# one of 3 billion, one of 1 billion that learned from the large one, and the methods of this chapter.
#
# (a) Choose a model and how its weights are stored, and work out bytes and the most tokens a second that the memory
# allows. (b) Which of pruning, distillation and speculative decoding would you add, and which would you leave out? Give
# a number of your own for each that you take, and a reason for each that you leave out. (c) Your figures come from
# *docs-gpt*, a model of three million weights. Which of them would you expect to hold for a large model, and which
# would you not? What would you measure first? About 200 words.

# %% [markdown] essay="phone" points=10
# ### BEGIN SOLUTION
# (a) The model of 3 billion in four bits, in groups of 32: 4.5 bits a weight, 1.7 GB, so 50 / 1.7 = 30 tokens a second
# at most, and 2.3 GB are left for the cache of keys and values and for the program. The one of 8 billion takes 4.5 GB
# that way, which does not fit. In three bits it would take 3.5 GB, but my table shows where the loss begins to rise:
# four bits cost next to nothing, two ruin the model. (b) Speculative decoding with the model of 1 billion as a draft:
# it changes nothing in the text, and of what my first blocks drafted at temperature 0.7 more than half was kept, but
# the draft takes 0.6 gigabytes more. Distillation has been done for me in that small model. No pruning: at half of the
# weights my loss had moved only a little, but zeros save bytes and time only in a pattern that the hardware knows. (c)
# The arithmetic of bytes holds at any size. Acceptance and the loss by bits need not: large models have outliers in a
# few columns, and a draft's fit depends on the text. First I would measure the loss of the stored model on texts of my
# users, and tokens a second on the phone.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 3 points: a choice that fits, with bytes and tokens a second worked out right, and room left for the cache.
# 4 points: each of the three methods taken or left for a reason; the student's own numbers for those taken.
# 3 points: what carries over (bytes, exactness) and what need not (loss by bits, acceptance), and a first measurement.
# ### END MARK SCHEME

# %% [markdown] text="quiz"

# %% [markdown]
# ## What you built, and what breaks next
#
# Eleven ways to choose a token, and you know what each of them looks at: ranks, probabilities, logits, the text so far,
# vectors, a grammar. A way to write several tokens in one pass without changing a single probability of the text.
# Weights and a cache of four bits, zeros that are not missed, a student with a teacher, vectors of one bit a number;
# and an account of bytes that predicts how fast a model can be before anybody has bought a machine.
#
# What breaks: no filter makes a model know more. It can only choose among what the model thinks likely, and a small
# model's likeliest is often wrong. And attention still pays for each pair of tokens, every weight still works for every
# token, and the model has never seen a picture. [Beyond](../11_beyond/11_beyond.ipynb) takes up all three.

# %% [markdown] text="further"
