# %% [markdown]
# # 07 Contrastive learning: pull together, push apart
#
# No one can tell you what the right vector of a text is. But anyone can tell you that two texts belong together: a
# question and its answer, a title and its article, two photos of one face. This chapter learns from such pairs alone.
# The whole story is three words long. A **pair** says what to pull together. A **temperature** says how much the near
# misses count. A **batch** supplies the examples to push apart, because pulling alone ends in one point:
#
# ![Three pairs on a circle: anywhere at the start; all in one place when only pulled; pair by pair and spread out when
# pulled and pushed](figures/pull_push.svg)
#
# **What you will build.** The losses (margin, softmax triplet, InfoNCE, NT-Xent), SimCLR on handwritten digits, a
# search engine for the docs that finds a text by what it means, first from scratch and then on a model that has read
# before, vectors that can be cut short, search token by token, a small CLIP, and a map of the docs.
#
# **What you need.** Cosine similarity and BM25 ([chapter 01](../01_spam/01_spam.ipynb)), word vectors
# ([02](../02_word_vectors/02_word_vectors.ipynb)), attention ([04](../04_attention/04_attention.ipynb)), the tokenizer
# as [chapter 06](../06_tokenizers/06_tokenizers.ipynb) makes it (the artifact *docs-tokenizer* is enough),
# cross-entropy and `fit`.
#
# **Points.** 100: fifteen exercises checked by machine (80) and two short essays (20). Allow about seven and a half
# hours, in two sittings (exercises 1 to 6, then the others). Once written, it all runs in three and a half minutes on
# two cores.
#
# Notation: $N$ pairs in a batch; $x_i$ and $x_i^+$ belong together; $f$ the encoder; $C$ numbers in a vector; $s$ a
# similarity, $s^+$ that of a pair and $s^-$ that of a text and one that does not belong to it; $\tau$ the temperature.
# Rows are examples, so a table of similarities has a row for each query and a column for each candidate.
#
# Your functions return new values in the dtype that they get (float64 stays float64) and leave their arguments as they
# were. They work for one row, one number or one token as for many: an axis of size 1 stays an axis. A loss is a scalar
# tensor that does not overflow at a low temperature. Gradients, finite ones, flow back to both inputs of a loss, and
# through similarities, pooled and shortened vectors, features and logits.

# %% given
import math

import numpy as np
import torch
import torch.nn.functional as F

from helpers import data, plots
from helpers.chapters.contrastive import circle, collapse, doc_pairs, docs_search, e5_table, few_labels, figures
from helpers.chapters.contrastive import image_text, image_views, minilm_tuning, new_classes, phases, pooling
from helpers.chapters.contrastive import sentence_pairs, short_and_late, simclr, text_tasks, topics, two_towers
from helpers.checks import gradients
from helpers.course import SEED, benchmarks, notebook, ways_of_calls
from helpers.search import docs_task, fused, summed

notebook.prepare("07_contrastive")


def slopes(function, *arguments):  # the checks ask with it whether gradients flow
    return gradients.slopes(function, *arguments)


def taken(forbidden, function, *arguments):  # and which ways that an exercise rules out a function takes
    return ways_of_calls.taken(forbidden, function, *arguments)

# %% [markdown]
# ## What does "alike" mean?
#
# A classifier is told the right answer. An encoder is told less: these two belong together, those two do not. Two
# copies of it, *two towers* with the same weights, read one side each; their vectors give one number, and the gradient
# of that number goes back into both:
#
# ![Query and text go through the same encoder apart; their vectors meet in a cosine of 0.96, and the gradient goes back
# into both towers](figures/towers.svg)
#
# ## Exercise 1: similarity, temperature, and what they do to the gradient (`similarity`)
#
# 20 minutes, ★★, 6 points
#
# How near are two vectors? Bring them to length 1 first, so that only their direction counts; the dot product is then
# the *cosine*, between -1 and 1:
#
# $$s_{ij} = \frac{a_i \cdot b_j}{\lVert a_i \rVert \, \lVert b_j \rVert}$$
#
# `cosine_similarities(a, b)` returns the table $(N, M)$ of all pairs of rows. A row of zeros has no direction: its
# similarity to everything is 0.
#
# A *query* has to choose its own partner, the *positive*, among $M$ *candidates*; the others are its *negatives*.
# Divide its similarities by a *temperature* $\tau$ and take the softmax. A low temperature looks only at the best few:
#
# ![Similarities 0.9, 0.7, 0.1 become 0.44, 0.36, 0.20 at temperature 1, then 0.72, 0.27, 0.01 at 0.2, and 0.98, 0.02,
# 0.00 at 0.05](figures/temperature.svg)
#
# In symbols, $p_{ij} = \exp(s_{ij}/\tau) / \sum_k \exp(s_{ik}/\tau)$. The loss of query $i$, whose positive is
# candidate $r_i$, is $-\log p_{i r_i}$, and the loss of a batch is the mean over its $N$ queries. Its gradient with
# respect to the similarities is what pulls and pushes:
#
# $$\frac{\partial L}{\partial s_{ij}} = \frac{1}{N\tau}\,\big(p_{ij} - [\,j = r_i\,]\big)$$
#
# Below 0 at the positive (a step downhill raises its similarity), above 0 at all negatives, and *larger for those that
# score high*: this loss looks for the hard negatives by itself. The smaller $\tau$, the more so.
#
# `score_gradient(scores, right, temperature)` returns this gradient, shape $(N, M)$, for similarities `scores`
# $(N, M)$ and the indices `right` $(N,)$. Compute it by the formula. Large similarities must not overflow.
#
# By hand: similarities (1, 0) with the first one right and $\tau = 1$: $p = (0.731, 0.269)$, gradient (-0.269, 0.269).
# With $\tau = 0.5$: $p = (0.881, 0.119)$, gradient (-0.238, 0.238).
#
# <details><summary>Plan</summary><code>cosine_similarities</code> brings the rows of both to length 1; after that one
# matrix product makes the whole table, (N, M). <code>score_gradient</code> makes each row's probabilities first, (N,
# M), with a softmax that copes with large numbers. Then build a table of the same shape that marks each query's right
# candidate, and put the two together as the formula says.</details>
# <details><summary>Hint 1</summary><code>F.normalize(a, dim=-1)</code> leaves a row of zeros as it is.</details>
# <details><summary>Hint 2</summary><code>F.one_hot(right, M)</code> is 1 at the right candidates.</details>

# %% exercise="similarity"
def cosine_similarities(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Return the cosines (N, M) of the rows of a (N, C) with the rows of b (M, C); gradients flow to both."""
    ### BEGIN SOLUTION
    a, b = F.normalize(a, dim=-1), F.normalize(b, dim=-1)
    return a @ b.T
    ### END SOLUTION


def score_gradient(scores: torch.Tensor, right: torch.Tensor, temperature: float) -> torch.Tensor:
    """Return the gradient (N, M) of the mean of -log softmax(scores / temperature) at `right` (N,), by the formula."""
    ### BEGIN SOLUTION
    chances = torch.softmax(scores / temperature, dim=-1)  # (N, M)
    return (chances - F.one_hot(right, scores.shape[1])) / (temperature * len(scores))
    ### END SOLUTION

# %% check="similarity" points=6

# %% [markdown]
# Take one query, its own text at similarity 0.6, and negatives between -0.5 and 0.7. How hard is each pushed away, at
# four temperatures? At 1 the nearest is pushed about three times as hard as the farthest; at 0.05 nearly all of the
# push goes to the few that score as high as the right answer. What would a temperature near 0 do?

# %% show
negatives = torch.linspace(-0.5, 0.7, 25)
scores = torch.cat([torch.tensor([0.6]), negatives])[None]  # (1, 26): the right one, then the negatives
pushes = {f"temperature {t:g}": score_gradient(scores, torch.tensor([0]), t) for t in (1.0, 0.3, 0.1, 0.05)}
shares = {name: F.normalize(torch.as_tensor(push)[0, 1:], p=1, dim=0) for name, push in pushes.items()}
plots.show(*plots.lines(negatives, shares, "similarity of the negative", "share of the push", log="y"))

# %% [markdown]
# ## Exercise 2: triplets (`triplet`)
#
# 15 minutes, ★, 6 points
#
# The oldest losses of this kind look at one *pair* at a time: pull it together if it belongs together, push it apart up
# to a margin if not (Bromley et al. 1993 for signatures; [Chopra, Hadsell and LeCun
# 2005](https://doi.org/10.1109/CVPR.2005.202) for faces). That asks for a distance that is right in itself. A *triplet*
# asks for less, only for an order: $x$, a positive $v^+$ and a negative $v^-$, and the positive ahead by a margin $m$
# (Schultz and Joachims 2003; [FaceNet](https://arxiv.org/abs/1503.03832) 2015 made it famous). The amount by which it
# falls short is the loss:
#
# ![Good triplet: the positive at 0.9 is more than the margin 0.5 ahead of the negative at 0.2, loss 0. Bad triplet:
# positive 0.5, negative 0.8, loss 0.8](figures/margin.svg)
#
# $$L(x, v^-, v^+) = \max\big(s^- - s^+ + m,\; 0\big)$$
#
# It is tempting to think of a margin as something to *maximise* and to put a minus in front. Training makes a loss
# small: with a minus it would drive the positives away. You'll see both below.
#
# 1. `margin_loss(positive, negative, margin)`: 0 where the positive is ahead by at least the margin, and otherwise by
#    how much it falls short. The mean over the batch.
# 2. `softmax_triplet(positive, negative, temperature)`: the soft version,
#    $-\log \frac{\exp(s^+/\tau)}{\exp(s^+/\tau) + \exp(s^-/\tau)}$, the mean over the batch. It must not overflow where
#    $s/\tau$ is in the hundreds.
#
# Both get similarities $(N,)$ and return a scalar tensor. By hand, as in the drawing: 0.2 - 0.9 + 0.5 = -0.2, so the
# good triplet costs 0; 0.8 - 0.5 + 0.5 = 0.8.
#
# <details><summary>Hint 1</summary>The loss should be 0 for the good triplet and 0.8 for the bad one.</details>
# <details><summary>Hint 2</summary>Divide above and below by exp(s⁺/τ): what is left is log(1 + exp(something)),
# which is <code>F.softplus</code>.</details>

# %% exercise="triplet"
def margin_loss(positive: torch.Tensor, negative: torch.Tensor, margin: float = 0.5) -> torch.Tensor:
    """Return the mean margin loss of similarities (N,) of positives and negatives."""
    ### BEGIN SOLUTION
    return torch.clamp(negative - positive + margin, min=0).mean()
    ### END SOLUTION


def softmax_triplet(positive: torch.Tensor, negative: torch.Tensor, temperature: float = 0.1) -> torch.Tensor:
    """Return the mean softmax loss of similarities (N,) of positives and negatives."""
    ### BEGIN SOLUTION
    return F.softplus((negative - positive) / temperature).mean()
    ### END SOLUTION

# %% check="triplet" points=6

# %% [markdown]
# Try both signs, on twenty points on a circle in two classes, with the same start and as many steps.

# %% show
STEPS = 300  ### small: 50

right, turned = (circle.train(margin_loss, STEPS, sign) for sign in (1, -1))
plots.show(*figures.circles({"the margin loss": right, "with a minus in front": turned}))

# %% [markdown]
# ## Exercise 3: InfoNCE (`info-nce`)
#
# 20 minutes, ★★, 6 points
#
# One negative teaches little, and most triplets soon cost 0. But look at a batch of $N$ pairs, each a query and its
# *key*: for each query the keys of all *other* pairs are wrong answers, $N - 1$ of them, and their vectors are computed
# already. These *in-batch negatives* (Sohn 2016) are free. Write all similarities as a table; the pairs are on the
# diagonal:
#
# ![Two queries and three keys: cosines, then the softmax of each row with temperature 0.5; the diagonal has 0.43 and
# 0.68, the mean loss is 0.613](figures/similarity_table.svg)
#
# InfoNCE ([van den Oord, Li and Vinyals 2018](https://arxiv.org/abs/1807.03748)) is the cross-entropy of finding the
# right key in each row:
#
# $$L = -\frac{1}{N} \sum_{i=1}^{N} \log \frac{\exp(s_{ii}/\tau)}{\sum_{j=1}^{M} \exp(s_{ij}/\tau)}$$
#
# $s_{ij}$ is the *cosine* of query $i$ and key $j$. There may be more keys than queries: `keys` is $(M, C)$ with $M
# \geq N$, the first $N$ rows belong to the queries in their order, and the rest are negatives for all (hard ones, as in
# exercise 8, or keys of earlier batches, which [MoCo](https://arxiv.org/abs/1911.05722) keeps in a queue). Each query
# chooses among the keys; no key chooses among the queries. An encoder that gives everything the same vector pays $\log
# M$: compare each loss with that.
#
# By hand, as in the drawing: the queries (1, 2) and (0.5, -1), the keys (2, 1), (1, 0) and (-1, 3), of which the third
# belongs to nobody, $\tau = 0.5$. The first row has cosines 0.80, 0.45, 0.71, so $p = 0.43$ for the right one; the
# second 0.00, 0.45, -0.99, so $p = 0.68$. The loss is $(0.84 + 0.38)/2 = 0.613$.
#
# <details><summary>Plan</summary>Make the table of cosines of all queries with all keys, (N, M), and divide it by the
# temperature. Now read each row as a classifier would: M classes, one of them right, and the drawing shows which. You
# know the loss of such a row from earlier chapters; take its mean over the N rows.</details>
# <details><summary>Hint 1</summary>The right class of row i is i: <code>torch.arange(N)</code>.</details>
# <details><summary>Hint 2</summary><code>F.cross_entropy(scores, right)</code> takes the softmax itself.</details>

# %% exercise="info-nce"
def info_nce(queries: torch.Tensor, keys: torch.Tensor, temperature: float = 0.05) -> torch.Tensor:
    """Return the mean loss of finding key i with query i: queries (N, C), keys (M, C), M >= N; a scalar."""
    ### BEGIN SOLUTION
    scores = cosine_similarities(queries, keys) / temperature  # (N, M)
    return F.cross_entropy(scores, torch.arange(len(queries), device=scores.device))
    ### END SOLUTION

# %% check="info-nce" points=6

# %% [markdown]
# ## SimCLR: pairs without anybody's help
#
# Where do pairs come from when nobody has made any? For images there is a cheap source: change one image twice, so
# that it stays what it is. SimCLR ([Chen et al. 2020](https://arxiv.org/abs/2002.05709)) takes such views as positives
# and all other images of the batch as negatives. No label is used.
#
# ## Exercise 4: a shifted image (`shift`)
#
# 12 minutes, ★★, 4 points
#
# The first augmentation moves each image. `shift(images, down, right)` gets images $(B, H, W)$ and integers `down` and
# `right`, each $(B,)$: image $b$ moves `down[b]` rows down and `right[b]` columns to the right; below 0 it moves up and
# to the left. Pixels that leave the frame are lost, and the free places are 0 (black): nothing returns on the other
# side. A shift as large as the image leaves only zeros. Return new images of the same shape and dtype.
#
# By hand: the row (1, 2, 3) moved right by 1 is (0, 1, 2), moved left by 2 is (3, 0, 0).
#
# <details><summary>Plan</summary>A loop over the images is fine. Pad an image with zeros on all sides, then cut out
# the right window.</details>
# <details><summary>Hint</summary>Without a loop: the pixel at (r, c) comes from (r - down[b], c - right[b]), if there
# is one.</details>

# %% exercise="shift"
def shift(images: torch.Tensor, down: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """Return images (B, H, W) moved by down (B,) rows and right (B,) columns, 0 where nothing came; the dtype stays."""
    ### BEGIN SOLUTION
    B, H, W = images.shape
    rows = torch.arange(H)[None] - down[:, None]  # (B, H): where each row comes from
    columns = torch.arange(W)[None] - right[:, None]  # (B, W)
    inside = ((rows >= 0) & (rows < H))[:, :, None] & ((columns >= 0) & (columns < W))[:, None, :]
    rows, columns = rows.clamp(0, H - 1), columns.clamp(0, W - 1)
    moved = images[torch.arange(B)[:, None, None], rows[:, :, None], columns[:, None, :]]
    return torch.where(inside, moved, torch.zeros_like(moved))
    ### END SOLUTION

# %% check="shift" points=4

# %% [markdown]
# `augment` shifts by up to one pixel, turns and stretches a little, changes the brightness, adds noise, and blackens a
# small patch (the shift is yours, the rest is in `image_views`). It must *not* mirror: a mirrored 2 is no 2. To choose
# changes that leave an image what it is takes knowledge about the world, and that is the only knowledge that SimCLR is
# given.

# %% show
digits, augment = data.load("digits"), image_views.augmentation(shift)
plots.show(*figures.views(*image_views.examples(digits, augment)))

# %% [markdown]
# ## Exercise 5: NT-Xent (`nt-xent`)
#
# 25 minutes, ★★★, 6 points
#
# $N$ images give $2N$ views: `first` $(N, C)$ and `second` $(N, C)$, where row $i$ of both shows image $i$. You have
# InfoNCE; what is new is that every view is query and key at once. Each must find its partner among the $2N - 1$
# *others*, and never itself, which would always win:
#
# ![Six views of three images as a table: the diagonal is left out, one partner in each row, four
# negatives](figures/views.svg)
#
# With $z$ the $2N$ rows, `first` above `second`, all
# brought to length 1, $p(i)$ the partner of $i$, and $s$ their cosines:
#
# $$L = \frac{1}{2N} \sum_{i=1}^{2N} -\log \frac{\exp(s_{i\,p(i)}/\tau)}{\sum_{k \neq i} \exp(s_{ik}/\tau)}$$
#
# The sum below leaves out the view itself ($k \neq i$), and nothing else: the partner is in it *once*. NT-Xent is a
# "normalised, temperature-scaled cross-entropy".
#
# By hand: four images whose views agree perfectly and are orthogonal to those of all others ($N = 4$): the denominator
# is the sum of one $e^{1/\tau}$ and $2N - 2 = 6$ ones, so $L = \log(1 + 6\,e^{-1/\tau})$: 1.165422 for $\tau = 1$,
# 0.594438 for 0.5, 0.000272 for 0.1.
#
# <details><summary>Plan</summary>Stack both views into one list of 2N rows, and score every row against every row, (2N,
# 2N). From here on it is InfoNCE with two questions of its own: how do you take a view's match with itself out of the
# running, and in which column is the partner of row i? Answer both, and average the loss over all 2N rows.</details>
# <details><summary>Hint 1</summary>The partner of row i is row i + N for the first half and i - N for the
# second.</details>
# <details><summary>Hint 2</summary>Put minus infinity on the diagonal before the softmax:
# <code>scores.fill_diagonal_(-torch.inf)</code> (on a table that you made yourself).</details>

# %% exercise="nt-xent"
def nt_xent(first: torch.Tensor, second: torch.Tensor, temperature: float = 0.5) -> torch.Tensor:
    """Return SimCLR's loss of two views (N, C) and (N, C) of N images, the mean over all 2N views; a scalar."""
    ### BEGIN SOLUTION
    n = len(first)
    z = torch.cat([first, second])  # (2N, C)
    scores = cosine_similarities(z, z) / temperature  # (2N, 2N)
    scores = scores.masked_fill(torch.eye(2 * n, dtype=torch.bool, device=z.device), -torch.inf)
    partner = torch.arange(2 * n, device=z.device).roll(n)
    return F.cross_entropy(scores, partner)
    ### END SOLUTION

# %% check="nt-xent" points=6

# %% [markdown]
# The closed form beside your function. What a perfect encoder pays depends on the temperature and on the size of the
# batch: compare two losses only where both are the same.

# %% show exact=true
print("pairs  temperature  by your function  closed form")
for n, tau in [(n, tau) for n in (4, 8, 64) for tau in (1.0, 0.5, 0.1)]:
    found, closed = nt_xent(torch.eye(n), torch.eye(n), tau), math.log1p((2 * n - 2) * math.exp(-1 / tau))
    print(f"{n:>5}{tau:>13}{found:>18.4f}{closed:>13.4f}")

# %% [markdown]
# ### Train it, and throw half of it away
#
# The encoder $f$ is a small convolutional network; a *projection head* $g$ of two layers follows it, and the loss sees
# $g(f(x))$: your `nt_xent` gets what the head makes of two random views of each image of a batch. After training the
# head is thrown away: the loss makes it forget whatever the augmentations change, and some of that is useful. What the
# encoder has learned is measured by a *linear probe*: freeze it, and fit a logistic regression on its vectors from a
# few labels. Three rivals, with the same labels: the pixels themselves; the same network trained on the labels alone
# (with the same augmentations); and SimCLR's vectors *after* the head.

# %% show
SHOTS = (1, 5, 20, 100)
SEEDS = 2  ### small: 1; gpu: 5
STEPS = 150  ### small: 6

runs = [few_labels.measure(digits, nt_xent, augment, SHOTS, seed, STEPS) for seed in range(SEED, SEED + SEEDS)]
few_labels.enter(runs)
print(few_labels.summary(runs, digits))
plots.show(*plots.lines(SHOTS, few_labels.mean(runs), "labels for each class", "accuracy on the test digits", log="x"))

### BEGIN CLAIMS
from helpers.course.claims import claim

BEHIND = "SimCLR, behind the head"
for i in (0, 1):
    ours, pixels, behind = (runs[0].curve[name][i] for name in ("SimCLR", "raw pixels", BEHIND))
    what = f"Accuracy on the digits, labels for each class {SHOTS[i]}"
    claim(f"{what}: SimCLR above raw pixels", ours, pixels)
    if SHOTS[i] > 1:
        claim(f"{what}: SimCLR above its vectors behind the head", ours, behind)
### END CLAIMS

# %% [markdown]
# Compare two pairs of rows. First SimCLR and the pixels: where is its lead largest? What it knows of digits it learned
# without labels, and that is worth most where labels are few. Then compare the vectors before the head with those after
# it: the part that the loss looked at was thrown away.
#
# ## Exercise 6: alignment and uniformity (`alignment`)
#
# 15 minutes, ★★, 6 points
#
# What does a contrastive loss want? Two things, in tension, as in the drawing at the top ([Wang and Isola
# 2020](https://arxiv.org/abs/2005.10242)): pairs should be close together, and everything should spread over the whole
# sphere. Both can be measured; in both, smaller is better. All vectors are brought to length 1 first.
#
# $$\ell_{\mathrm{align}} = \frac{1}{N}\sum_i \lVert x_i - x_i^+ \rVert^2, \qquad
# \ell_{\mathrm{uniform}} = \log \frac{2}{N(N-1)} \sum_{i < j} \exp\!\big({-2}\, \lVert x_i - x_j \rVert^2\big)$$
#
# `alignment(first, second)` gets pairs $(N, C)$, `uniformity(vectors)` gets $(N, C)$ with $N \geq 2$; both return a
# scalar tensor. A vector's distance to itself is not counted.
#
# By hand: (1, 0) and (0, 1) are $\sqrt 2$ apart, so with these two the alignment of the pair is 2, and the uniformity
# of the set $\log e^{-4} = -4$. If all vectors are the same, the uniformity is 0: that is called **collapse**.
#
# <details><summary>Plan</summary>Both begin by bringing every row to length 1. <code>alignment</code> takes the squared
# distance of each pair, N numbers, and averages them. <code>uniformity</code> takes the squared distances of all
# different rows, each pair of rows once, passes each through the exponential of the formula, and takes the mean before
# the logarithm; the order of these two matters.</details>
# <details><summary>Hint 1</summary>For vectors of length 1, ‖x - y‖² = 2 - 2 x·y.</details>
# <details><summary>Hint 2</summary><code>torch.pdist(z)</code> gives the distances of all pairs i &lt; j, each
# once.</details>

# %% exercise="alignment"
def alignment(first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
    """Return the mean squared distance of pairs (N, C) and (N, C) on the sphere; a scalar."""
    ### BEGIN SOLUTION
    apart = F.normalize(first, dim=-1) - F.normalize(second, dim=-1)
    return (apart**2).sum(-1).mean()
    ### END SOLUTION


def uniformity(vectors: torch.Tensor) -> torch.Tensor:
    """Return the log of the mean of exp(-2 * squared distance) over all pairs of rows of (N, C); a scalar."""
    ### BEGIN SOLUTION
    squared = torch.pdist(F.normalize(vectors, dim=-1)) ** 2
    return squared.mul(-2).exp().mean().log()
    ### END SOLUTION

# %% check="alignment" points=6

# %% [markdown]
# ### Collapse, provoked
#
# Leave out the negatives and ask only that the two views of an image agree: the training is the same, with your
# `alignment` in place of `nt_xent`. The loss becomes perfect, the encoder of little use: it answers nearly the same for
# every image. (A network that was never trained starts near that state: its random layers map all images into a narrow
# cone. The negatives drive them apart. There are other ways to prevent collapse without negatives, such as a second,
# slowly moving copy of the encoder: [BYOL](https://arxiv.org/abs/2006.07733), 2020.)

# %% show
STEPS = 80  ### small: 6

collapsed = simclr.train(digits, alignment, augment, SEED, STEPS)
stages = {"not trained": simclr.untrained(SEED), "SimCLR": runs[0].encoder, "without negatives": collapsed}
judged = {name: collapse.measure(model, digits, augment, alignment, uniformity) for name, model in stages.items()}
print(collapse.table(judged))
plots.show(*figures.spheres(judged, digits.test_labels, plane_of="SimCLR"))

# %% [markdown]
# ## A search engine that understands
#
# BM25 finds words. If you ask the docs to "spread values evenly", you may miss `numpy.linspace`, whose text says
# "evenly spaced numbers". A *bi-encoder* turns the query and each passage into vectors, each by itself, so the
# passages' vectors can be made once and kept. Pairs come from the docs: the first sentence of a docstring belongs to
# the rest of it, as a title belongs to its passage in E5's training data ([Wang et al.
# 2022](https://arxiv.org/abs/2212.03533)).
#
# ## Exercise 7: from token vectors to one vector (`pooling`)
#
# 12 minutes, ★, 5 points
#
# An encoder gives a vector for each token, $(B, T, C)$; a text needs one. Texts of a batch differ in length, so some
# positions are padding, and their contents must not matter:
#
# ![Token vectors (1, -2), padding, (3, -4), padding: cls gives (1, -2), mean (2, -3), max (3, -2)](figures/pooling.svg)
#
# `pool(hidden, mask, how)` returns $(B, C)$. `mask` $(B, T)$ is True at tokens and False at padding, which may be
# anywhere except at the first position. `how` is one of:
#
# - `"cls"`: the vector of the first token, which is [CLS];
# - `"mean"`: the mean of the vectors of the tokens;
# - `"max"`: of each of the $C$ numbers the largest among the tokens (which may be below 0).
#
# (Encoders made of a GPT take the *last* token: with a causal mask no other has seen the whole text.)
#
# <details><summary>Hint 1</summary>For the mean, multiply by the mask, sum over the tokens, and divide by the number of
# tokens of each text.</details>
# <details><summary>Hint 2</summary>For the maximum, put minus infinity where the mask is False:
# <code>hidden.masked_fill(~mask[..., None], -torch.inf)</code>.</details>

# %% exercise="pooling"
def pool(hidden: torch.Tensor, mask: torch.Tensor, how: str) -> torch.Tensor:
    """Return one vector (B, C) for each text from hidden (B, T, C) and mask (B, T), True at tokens.

    Padding may hold any finite numbers.
    """
    ### BEGIN SOLUTION
    if how == "cls":
        return hidden[:, 0]
    if how == "max":
        return hidden.masked_fill(~mask[..., None], -torch.inf).amax(dim=1)
    weights = mask[..., None].to(hidden.dtype)  # (B, T, 1)
    return (hidden * weights).sum(dim=1) / weights.sum(dim=1)
    ### END SOLUTION

# %% check="pooling" points=5

# %% [markdown]
# Which pooling learns fastest? A transformer layer over the first 40 tokens, trained from nothing with your InfoNCE,
# each pooling with two seeds. Each query must find its passage among a thousand, all of documents not trained on. A few
# seconds are far too little for a transformer: compare two rows only where their ranges do not overlap.

# %% show
PAIRS = 4000  ### small: 600; gpu: 9000
QUERIES = 500  ### small: 80

train_pairs = doc_pairs.training_pairs(PAIRS)
task = docs_task("test", QUERIES, 12 * QUERIES)  # 6,000 passages; no pair of these is in train_pairs
bm25 = docs_search.lexical(task.queries, task.passages)  # (500, 6000)
print(f"{len(train_pairs):,} pairs to train on; BM25 on the test: recall@10 {task.measure(bm25)[0]:.3f}")

# %% show
STEPS = 20  ### small: 2

held_out = doc_pairs.held_out_pairs(2 * QUERIES)
for how in ("cls", "mean", "max"):
    print(pooling.over_seeds(pool, how, info_nce, train_pairs, held_out, cosine_similarities, SEEDS, STEPS))

# %% [markdown]
# The mean is quick to learn, since each token's vector has a part in every gradient; [CLS] must first learn where to
# look, and catches up in long training. sentence-transformers takes the mean where nothing else is said.
#
# ## Exercise 8: hard negatives (`hard-negatives`)
#
# 12 minutes, ★★, 5 points
#
# The other passages of a batch are mostly about something else: too easy. *Hard* negatives look right and are not. The
# trouble is that some that look right *are* right, and nobody has marked them:
#
# ![Around the query sort in place: a positive, a hard negative about sorted copies, a false negative that says the
# same, an easy negative about circles](figures/negatives.svg)
#
# An old search engine finds hard ones: what BM25 ranks high, apart from the right passage
# ([Karpukhin et al. 2020](https://arxiv.org/abs/2004.04906)).
#
# `hard_negatives(scores, right, k, skip=0)` gets BM25's scores $(Q, P)$, a NumPy array, and the index of each query's
# right passage `right` $(Q,)$. It returns the indices $(Q, k)$ of the $k$ best *wrong* passages of each query, best
# first; equal scores in the order of their indices. With `skip`, the first `skip` of the *wrong* ones are passed over:
# the very best of them may be right answers that nobody marked. (There are always at least $k$ + `skip` wrong ones.)
#
# By hand: scores (3, 4, 0, 1, 4), right is 1, $k = 2$: (4, 0). With `skip=1`: (0, 3).
#
# <details><summary>Plan</summary>Work on a copy of the scores, (Q, P). Take each query's right passage out of the
# running, rank all passages of each row from best to worst with ties in the order of their indices, and cut the
# ranking, (Q, P), down to the k columns behind the first <code>skip</code>.</details>
# <details><summary>Hint 1</summary>Set the right one's score to minus infinity in a copy, then sort.</details>
# <details><summary>Hint 2</summary><code>np.argsort(-scores, axis=1, kind="stable")</code> puts the largest first and
# keeps the order of equals.</details>

# %% exercise="hard-negatives"
def hard_negatives(scores: np.ndarray, right: np.ndarray, k: int, skip: int = 0) -> np.ndarray:
    """Return the indices (Q, k) of the best wrong passages by scores (Q, P), after passing over the first `skip`.

    Integers. Scores may be below 0, and are compared as they are: only the very same number is equal.
    """
    ### BEGIN SOLUTION
    scores = np.array(scores, dtype=float)
    scores[np.arange(len(scores)), right] = -np.inf
    return np.argsort(-scores, axis=1, kind="stable")[:, skip : skip + k]
    ### END SOLUTION

# %% check="hard-negatives" points=5

# %% [markdown]
# ## Exercise 9: negatives that are none (`false-negatives`)
#
# 18 minutes, ★★, 6 points
#
# "Emit a record." is the first sentence of several docstrings. When two of them meet in a batch, each is pushed away
# from the other's body, which is as good an answer. The larger the batch, the likelier it contains such doubles. Such
# *false negatives* are better left out:
#
# ![Three queries and keys in the groups 0, 0, 1: query 1 leaves out key 2, query 2 leaves out key
# 1](figures/groups.svg)
#
# `masked_info_nce(queries, keys, groups, temperature)` is InfoNCE over $N$ pairs in which `groups` $(N,)$ numbers the
# pairs (any integers): pairs with the same number have the same meaning. Key $j$ with $j \neq i$ and `groups[j] ==
# groups[i]` is left out of query $i$'s denominator. Its own key $i$ stays, of course, and so do all keys of other
# groups. Cosine, temperature and mean as in exercise 3; keys here are $(N, C)$.
#
# As in the drawing: three pairs, groups (0, 0, 1). The first query chooses among the first key and the third, the
# second among the second and the third, the third among all.
#
# <details><summary>Plan</summary>Begin as in <code>info_nce</code>, with the table of scaled cosines, (N, N). Make a
# second table of the same shape that marks the keys that each query has to leave out, and look hard at its diagonal.
# Let the scores at these places count for nothing in the softmax, as you did in <code>nt_xent</code>; the rest is
# <code>info_nce</code> again.</details>
# <details><summary>Hint 1</summary><code>groups[:, None] == groups[None]</code> is a table of who is in whose
# group; the diagonal is not to be left out.</details>

# %% exercise="false-negatives"
def masked_info_nce(
    queries: torch.Tensor, keys: torch.Tensor, groups: torch.Tensor, temperature: float = 0.05
) -> torch.Tensor:
    """Return InfoNCE of pairs (N, C) and (N, C), without the keys of the same group (N,) as negatives; a scalar."""
    ### BEGIN SOLUTION
    scores = cosine_similarities(queries, keys) / temperature  # (N, N)
    own = torch.eye(len(scores), dtype=torch.bool, device=scores.device)
    alike = (groups[:, None] == groups[None]) & ~own
    return F.cross_entropy(scores.masked_fill(alike, -torch.inf), torch.arange(len(scores), device=scores.device))
    ### END SOLUTION

# %% check="false-negatives" points=6

# %% [markdown]
# ## Exercise 10: one step of two towers (`train-step`)
#
# 25 minutes, ★★★, 6 points
#
# A loss trains nothing by itself. Now you write the step that does, and everything below is trained by it. The texts of
# each pair go through the encoder (the *two towers* above, which share their weights), two losses compare them, and the
# optimizer moves the weights:
#
# ![Two tables of scores: three queries by three passages, where passages that say the same are left out; the same
# queries by three passages and two hard negatives](figures/two_losses.svg)
#
# `train_step(encoder, optimizer, queries, passages, hard, groups, temperature)` gets two lists of $N$ texts, pair by
# pair, and a list `hard` of more passages, which are right for no query of the batch. `encoder(texts)` returns their
# vectors, one row for each text of a list that is not empty. The loss is the mean of two:
#
# - `masked_info_nce` of queries and passages, with `groups` $(N,)$;
# - `info_nce` of the queries, with the passages and *then* the hard ones as keys (row $i$ must stay right for query
#   $i$).
#
# Where `hard` is empty, the first is the whole loss. All three lists are encoded with gradients. Take one step of the
# `optimizer`, and return the loss from before that step, as a Python number. Gradients left over from earlier steps
# must not count.
#
# By hand: two orthogonal queries, each equal to its passage, one hard negative equal to the first query, $\tau = 1$.
# First loss: $\log(1 + e^{-1}) = 0.313$. In the second the first query has two keys with cosine 1: $\log(2 + e^{-1}) =
# 0.862$; the other $\log(1 + 2 e^{-1}) = 0.551$, the mean 0.707. The step's loss is $(0.313 + 0.707)/2 = 0.510$.
#
# <details><summary>Plan</summary>Four stages, in this order: forget old gradients; encode the lists and compute the
# loss, with your two functions; send the gradient back; let the optimizer move the weights. What you return was known
# before the weights moved.</details>
# <details><summary>Hint 1</summary><code>optimizer.zero_grad()</code>, <code>loss.backward()</code>,
# <code>optimizer.step()</code>; and <code>loss.item()</code> is a number.</details>
# <details><summary>Hint 2</summary><code>torch.cat([keys, encoder(hard)])</code> puts the hard ones after the
# passages.</details>

# %% exercise="train-step"
def train_step(encoder, optimizer, queries, passages, hard, groups, temperature: float = 0.05) -> float:
    """Take one step of the optimizer on N pairs of texts, and return the loss before it.

    encoder: a function from a list of texts to their vectors (len(texts), C). queries, passages: lists of N texts.
    hard: a list of passages that are right for none, or empty. groups (N,): pairs with the same number say the same.
    """
    ### BEGIN SOLUTION
    optimizer.zero_grad()
    found, keys = encoder(queries), encoder(passages)  # (N, C) each
    loss = masked_info_nce(found, keys, groups, temperature)
    if len(hard):
        more = torch.cat([keys, encoder(hard)])
        loss = (loss + info_nce(found, more, temperature)) / 2
    loss.backward()
    optimizer.step()
    return loss.item()
    ### END SOLUTION

# %% given
# The check looks at the losses and the weights of a small encoder after your step.
def stepped(function, *arguments) -> dict:
    return two_towers.stepped(function, *arguments)

# %% check="train-step" points=6

# %% [markdown]
# ### The three phases of E5, in small
#
# E5 starts from a pre-trained model, learns from a great many rough pairs, then from few good ones with hard negatives.
# Ours is as simple as an encoder can be (`docs_encoder.Encoder`): each token has a vector and an
# importance, and a text is the weighted sum.
#
# 1. The *base*: random vectors, weighted by inverse document frequency. It compares texts by their words, and is better
#    than it sounds.
# 2. *Rough pairs*: a sentence of a body, and the rest of that body.
# 3. *Good pairs*: summary and body, with two hard negatives each from BM25, and duplicates left out.
#
# Both are learned by your `train_step`. A batch is made of runs of eight neighbours in the list of names (methods of a
# class, functions of a module), which are hard negatives for one another. During training, three tokens in ten are left
# out at random.

# %% show
groups = train_pairs.groups()  # (n,): a number for each pair, the same for summaries that are alike
mined = train_pairs.mined(hard_negatives, k=2, skip=1)  # (n, 2): the numbers of two pairs whose bodies mislead
print(f"{len(groups) - len(groups.unique())} of {len(groups):,} training pairs repeat another's summary")


def rough(model, optimizer, rows):  # phase 2: a random sentence of each body must find the rest of it
    sentences, rests = train_pairs.torn(rows)
    each = torch.arange(len(rows), device=groups.device)  # no two say the same
    return train_step(lambda bags: model(bags, 0.3), optimizer, sentences, rests, [], each)


def good(model, optimizer, rows, hard=True):  # phase 3: each summary must find its body, and not two that mislead
    summaries, bodies = train_pairs.bags(rows)
    mislead = train_pairs.bodies(mined[rows]) if hard else []
    return train_step(lambda bags: model(bags, 0.3), optimizer, summaries, bodies, mislead, groups[rows])

# %% [markdown]
# Does each phase help, and do the hard negatives? Two seeds for each row: mean recall@10, and the worse and the better
# seed. Where the ranges of two rows overlap, don't claim that one is better.

# %% show
PHASE = 34  ### small: 2; gpu: 300

YOURS = "3  + good pairs, hard negatives: yours"
plans = {"1  base: random vectors, IDF": [], "2  + rough pairs": [rough], YOURS: [rough, good],
         "   the same without hard negatives": [rough, lambda *step: good(*step, hard=False)]}
encoders = [phases.trained(train_pairs, plans, seed, PHASE) for seed in range(SEED, SEED + SEEDS)]
found = phases.similarities(encoders, task)
my_encoder, mine = encoders[0][YOURS], found[YOURS][0]  # of the first seed; later cells use it
found["   yours and BM25, ranks fused"] = [fused(bm25, scores) for scores in found[YOURS]]
found["   yours and BM25, scores summed"] = both = [summed(bm25, scores) for scores in found[YOURS]]
alone = [task.measure(scores)[0] for scores in found[YOURS]]
together = [task.measure(scores)[0] for scores in both]
docs_search.enter(alone, together)  # on the leaderboard
print(docs_search.over_seeds(task, {"BM25, on stems": [bm25]} | found))

### BEGIN CLAIMS
from helpers.course.claims import claim

claim("Recall@10 on the docs: the student's search summed with BM25's above BM25", together[0], task.measure(bm25)[0])
claim("Recall@10 on the docs: summed above the student's encoder alone", together[0], alone[0])
### END CLAIMS

# %% [markdown]
# The recipe moves little here: the phases differ by about as much as two seeds do, and you can't tell whether the mined
# negatives help. At E5's size each phase counts. In its table (further down) the base model reaches 42.9 on retrieval
# after the rough pairs alone, and 48.7 after the good pairs with hard negatives and a teacher.
#
# There are two ways to join two searches. By *reciprocal rank* (Cormack, Clarke and Büttcher 2009) a passage gets
# $1/(60 + \text{rank})$ from each list, and the sums are ranked. That needs no common scale, and forgets how far ahead
# the first is. Or the scores of each search are brought to mean 0 and deviation 1 for each query, and added: a passage
# that BM25 puts far ahead stays ahead. Both help where the two lists make different errors, and here the second helps
# more. BM25 counts stems (`sorts` and `sorting` are one), and is the rival to beat: your encoder alone is below it, the
# two together are above it.
#
# The next table adds two rivals, alone and joined with others. The *reference* docs-encoder was trained for longer, and
# has read the sentences of all 6,000 passages (never a summary of the test): a search engine may read what it is to
# search. *Translation* (Berger and Lafferty 1999) is a third way, older than encoders: it learns from pairs, by
# expectation maximisation, the probability that a query uses this word when the passage uses that one. Its scores,
# brought to mean 0 and deviation 1 for each query, are added to the encoder's. It, too, has read names, signatures and
# sentences of the searched documents, so these rows aren't a fair race with yours; they show what more data of the
# right kind buys.

# %% show
SENTENCES = 1  ### small: 0

print(docs_search.table(task, docs_search.rivals(task, bm25, mine, SENTENCES)))

# %% [markdown]
# ### Your loss, on a model that has read before
#
# From scratch, yours alone doesn't get past BM25: a few thousand pairs don't teach a language. E5 didn't start from
# random numbers, either. *MiniLM* ([Wang et al. 2020](https://arxiv.org/abs/2002.10957); here
# [all-MiniLM-L6-v2](https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2), tuned on a billion pairs) is six
# transformer layers, small enough for two cores. The lower four stay as they are, so their output for each text is
# computed once and kept. The top two learn from summaries and bodies of the docs with your `info_nce`: 64 pairs a step,
# the first 48 tokens of each text, no pair twice. All then search among the same bodies, fewer than above, since MiniLM
# takes far longer for each; it reads their first 128 tokens, and BM25 reads all.

# %% show
STEPS = 16  ### small: 1; gpu: 60
QUERIES = 200  ### small: 10; gpu: 500
PASSAGES = 240  ### small: 20; gpu: 6000

minilm, bodies = minilm_tuning.MiniLM(), docs_task("test", QUERIES, PASSAGES)
tuned = minilm.tuned_on_docs(train_pairs, info_nce, SEED, STEPS)
found = docs_search.scores(bodies, {"yours, from scratch": my_encoder, "MiniLM as it comes": minilm.as_it_comes,
                                    "MiniLM, tuned by your loss": tuned})
print(docs_search.table(bodies, found))

### BEGIN CLAIMS
from helpers.course.claims import claim

reached = {name: bodies.measure(scores)[0] for name, scores in found.items()}
for rival in ("BM25", "MiniLM as it comes"):
    claim(f"Recall@10 on the docs: MiniLM tuned by the student's loss above {rival}",
          reached["MiniLM, tuned by your loss"], reached[rival])
### END CLAIMS

# %% [markdown]
# Same loss, same pairs, another start. Compare the rows: how much does the pre-training bring, and how much does your
# loss add to it? Any other encoder takes its place with one line: [Bring your own model](../bring_your_own_model.md).
#
# In [sentence-transformers](https://sbert.net) your `info_nce` is called `MultipleNegativesRankingLoss` (its `scale` of
# 20 is $\tau = 0.05$), exercise 8 is `mine_hard_negatives`, and for exercise 9 the batch sampler `NO_DUPLICATES` keeps
# doubles apart. `CachedMultipleNegativesRankingLoss` computes the same gradient in small parts, so a batch may be
# larger than would fit in memory at once ([Gao et al. 2021](https://arxiv.org/abs/2101.06983)).
#
# <details><summary>Further: a teacher that reads both texts at once</summary>A <em>cross-encoder</em> (chapter 08)
# reads query and passage together: it judges better, and is too slow to search with. It can teach. For a query, its
# passage and a hard negative, <em>margin-MSE</em> (Hofstätter and others 2020) asks that the student's margin s⁺ - s⁻
# (of dot products, which have no bounds) be the teacher's margin t⁺ - t⁻; the loss is the mean of the squared
# differences, <code>F.mse_loss(s_pos - s_neg, t_pos - t_neg)</code>. The next cell shows what this changes for a false
# negative: InfoNCE pushes it away, and here it is pulled. In E5's second phase such a teacher is part of the
# loss.</details>

# %% show exact=true
teacher = torch.tensor([[7.0, 2.0], [6.0, 6.5]])  # two queries: its passage, its negative; the second one is false
student = torch.tensor([[6.0, 3.0], [7.0, 4.0]], requires_grad=True)
loss = F.mse_loss(student[:, 0] - student[:, 1], teacher[:, 0] - teacher[:, 1])
loss.backward()
print(f"margin-MSE {loss:.3f}, its gradients {student.grad.tolist()}")

# %% [markdown]
# Two habits of today are missing. E5 writes `query: ` or `passage: ` before each text, so that one encoder can tell a
# question from an answer, and newer models put a whole instruction there. Leave out the prefix that a model was trained
# with, and its search gets worse; MiniLM was trained with none. And where a corpus has no questions, a language model
# writes some for each passage: such *synthetic queries* are pairs, and a cross-encoder can say how good each one is
# ([Wang et al. 2022](https://arxiv.org/abs/2112.07577)).
#
# Read before you believe. Three searches answer four queries (add some of your own): BM25, your encoder, and MiniLM
# with your loss, which is too slow here for all documents and so only reorders the hundred that the other two rank
# best. Which answers would you have wanted, and which word of a query misled the search?

# %% show
EVERY = 1  ### small: 40

asked = ["spread values evenly", "stop training when nothing improves", "draw a circle", "wait for all threads"]
print(docs_search.first_answers(asked, my_encoder, tuned, EVERY))  # among each EVERY-th document

# %% [markdown]
# ## Essay 1: what the negatives do (`negatives`)
#
# 15 minutes, ★★, 10 points, graded by hand
#
# (a) Use the three pictures above (temperature, the two signs, collapse) and the numbers under them: why does a loss
# without negatives end where it ends, although it is perfect, and which of alignment and uniformity tells you so
# without any label? (b) In-batch negatives are free; hard ones from BM25 cost a search. From your table, what did they
# and the rough pairs bring? Name a kind of text for which BM25's hard negatives would mostly be *false* ones, and what
# `skip` and the groups do about it. (c) A colleague trains on batches of 16 and on batches of 1,024. What changes in
# the task that the loss sets, and what would you watch? About 180 words.

# %% [markdown] essay="negatives" points=10
# ### BEGIN SOLUTION
# (a) Agreement alone is reached by answering the same for every image: the alignment is 0, and nothing in the loss
# objects. Uniformity, which rises to 0 when all vectors coincide, tells it without labels; the probe confirms it. With
# negatives the points are driven over the sphere, and with a low temperature mostly by those nearest to the query.
# With the sign turned the loss falls, too, while the classes mix, so a falling loss proves nothing. (b) In my table
# the rough pairs and the good ones change the base's recall by a point or two, and BM25's hard negatives make a
# difference that is no larger than that between two seeds. For texts that repeat each other (one method documented in
# ten classes), the best BM25 hits are right answers: `skip` passes over the top, the groups take out identical
# questions. (c) With 1,024 a query must be told from 1,023 others: a harder task, a tighter bound, more hard negatives
# by chance, and more duplicates, which are false negatives. I would watch recall on held-out pairs and not the loss,
# whose starting value, log N, depends on the batch.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 3 points: collapse explained (constant answer satisfies alignment), uniformity named as the label-free alarm.
# 3 points: reads the table with numbers and without claiming more than they show; says what hard negatives cost.
# 2 points: a case of false negatives, and what `skip` and the groups do.
# 2 points: batch size changes the number of candidates (log N), more hard and more false negatives; a sound measure.
# ### END MARK SCHEME

# %% [markdown]
# ## Exercise 11: vectors that can be cut short (`matryoshka`)
#
# 15 minutes, ★★, 5 points
#
# A million passages with 384 numbers each are 1.5 GB, and each search reads them all. Can you keep the first 32
# numbers and throw the rest away? Not with a loss that spreads what it knows over all of them. *Matryoshka*
# representations ([Kusupati et al. 2022](https://arxiv.org/abs/2205.13147)) ask for it: every prefix must do the job
# by itself, like the doll inside the doll.
#
# ![The vector 3, 4, 0, 12: its first two numbers become 0.6, 0.8, all four 0.23, 0.31, 0, 0.92; each has a loss of its
# own](figures/nested.svg)
#
# $$L = \frac{1}{|S|} \sum_{n \in S} \mathrm{InfoNCE}\big(\text{first } n \text{ numbers of queries and keys}\big)$$
#
# 1. `shorten(vectors, size)`: the first `size` numbers of each vector $(N, C)$, brought to length 1.
# 2. `matryoshka_loss(queries, keys, sizes, temperature)`: the mean of InfoNCE over the sizes.
#
# By hand, as in the drawing: (3, 4, 0, 12) cut to two is (3, 4), of length 5, so (0.6, 0.8).
#
# <details><summary>Plan</summary><code>shorten</code> cuts every row first and brings it to length 1 afterwards; in the
# other order the short vectors would be too short. <code>matryoshka_loss</code> goes through the sizes: shorten queries
# and keys to the same size, ask <code>info_nce</code> for the loss of these, and take the mean over all
# sizes.</details>
# <details><summary>Hint 1</summary>You have both parts: <code>info_nce</code> brings its vectors to length 1
# itself.</details>

# %% exercise="matryoshka"
def shorten(vectors: torch.Tensor, size: int) -> torch.Tensor:
    """Return the first numbers of vectors (N, C) as vectors of length 1, (N, size); a row of zeros stays zeros."""
    ### BEGIN SOLUTION
    return F.normalize(vectors[..., :size], dim=-1)
    ### END SOLUTION


def matryoshka_loss(
    queries: torch.Tensor, keys: torch.Tensor, sizes: list[int], temperature: float = 0.05
) -> torch.Tensor:
    """Return the mean over `sizes` of InfoNCE of the shortened queries (N, C) and keys (N, C); a scalar."""
    ### BEGIN SOLUTION
    losses = [info_nce(shorten(queries, size), shorten(keys, size), temperature) for size in sizes]
    return sum(losses) / len(losses)
    ### END SOLUTION

# %% check="matryoshka" points=5

# %% [markdown]
# MiniLM again: as it comes, tuned by InfoNCE, and tuned by your nested loss, each with its vectors cut. How many
# numbers would you pay for? (One seed: read large differences only.)

# %% show
CUTS = [16, 32, 64, 128, 384]

nested = minilm.tuned_on_docs(train_pairs, lambda queries, keys: matryoshka_loss(queries, keys, CUTS), SEED, STEPS)
models = {"as it comes": minilm.as_it_comes, "tuned by InfoNCE": tuned, "tuned by the nested loss": nested}
print(short_and_late.cut_table(bodies, models, CUTS, shorten))

# %% [markdown]
# Look at both ends of the rows. Short vectors gain from the nested loss; the whole vector has nothing to gain and may
# pay, since its first numbers had to learn to stand alone. sentence-transformers calls this `MatryoshkaLoss`.
#
# ## Exercise 12: late interaction, MaxSim (`maxsim`)
#
# 25 minutes, ★★★, 6 points
#
# Now the other way: pay more. One vector must hold everything that a passage says, whatever the question will be. *Late
# interaction* (ColBERT, [Khattab and Zaharia 2020](https://arxiv.org/abs/2004.12832)) keeps a vector for each *token*.
# Each token of the query looks for its best match among the tokens of the passage, and the matches are added up:
#
# ![Two query tokens against the tokens of two passages: the maxima are 1.0 and 0.8 in the first, 0.8 and 0.8 in the
# second; the sums are 1.8 and 1.6](figures/maxsim.svg)
#
# $$s(q, p) = \sum_{i} \max_{t}\; \cos(q_i, p_t)$$
#
# The passages' vectors are still made once and kept, so it's far cheaper than a cross-encoder (chapter 08), which reads
# query and passage together, anew for each pair.
#
# `max_sim(queries, query_mask, passages, passage_mask)` scores every query against every passage, $(Q, P)$. Padding of
# a query adds nothing; padding of a passage never wins, even where all cosines are below 0.
#
# By hand, as in the drawing: the query's first token finds 0.6, 1.0 and 0.8 in passage 1, and takes 1.0; the second
# takes 0.8 of 0.8, 0.0 and 0.6. Their sum is 1.8.
#
# <details><summary>Plan</summary>Bring all token vectors to length 1, and make the cosines of every query token with
# every passage token, (Q, P, I, T). Find each query token's best match, (Q, P, I), and add the matches up, (Q, P).
# Padding matters twice: see to that of the passages before you take the maximum, and to that of the queries before you
# add.</details>
# <details><summary>Hint 1</summary>All cosines at once are <code>torch.einsum("qic,ptc->qpit", a, b)</code>, a table
# (Q, P, I, T).</details>
# <details><summary>Hint 2</summary>Fill padding of passages with minus infinity before the
# maximum; multiply padding of queries by 0 after it.</details>

# %% exercise="maxsim"
def max_sim(
    queries: torch.Tensor, query_mask: torch.Tensor, passages: torch.Tensor, passage_mask: torch.Tensor
) -> torch.Tensor:
    """Return the scores (Q, P) of late interaction.

    queries (Q, I, C) and passages (P, T, C): a vector for each token, of any length; query_mask (Q, I) and passage_mask
    (P, T): True at tokens, False at padding, which may stand anywhere; each text has at least one token.
    """
    ### BEGIN SOLUTION
    a, b = F.normalize(queries, dim=-1), F.normalize(passages, dim=-1)
    cosines = torch.einsum("qic,ptc->qpit", a, b)  # (Q, P, I, T)
    cosines = cosines.masked_fill(~passage_mask[None, :, None], -torch.inf)
    return (cosines.amax(-1) * query_mask[:, None]).sum(-1)
    ### END SOLUTION

# %% check="maxsim" points=6

# %% [markdown]
# As search engines use it: one vector finds candidates, MaxSim puts the first twenty in order. The token vectors are
# MiniLM's, whose training looked at their *mean* only. ColBERT is trained with your function in place of the cosine.
# MRR tells whether right passages move up, recall whether they stay among the ten; the first line tells what it costs.
# Where token vectors are trained for it, they pay: on MS MARCO [ColBERTv2](https://arxiv.org/abs/2112.01488) reports an
# MRR@10 of 39.7, and 38.8 for the best encoder with one vector for each text.

# %% show
print(short_and_late.sizes_of(bodies, tuned))
then = short_and_late.reordered(bodies, tuned, first := tuned.similarity(bodies.queries, bodies.passages), max_sim, 20)
print(docs_search.table(bodies, {"MiniLM, tuned by your loss": first, "   its first twenty ordered by MaxSim": then}))

# %% [markdown]
# ## Exercise 13: two texts, one decision (`sbert`)
#
# 12 minutes, ★, 4 points
#
# Pairs may also come with *labels* (entails, contradicts, neither). Sentence-BERT ([Reimers and Gurevych
# 2019](https://arxiv.org/abs/1908.10084)), from which MiniLM's library has its name, puts the vectors $u$ and $v$ of
# the two texts and the distance in each number side by side. A linear layer chooses among $K$ classes:
#
# $$o = W\,[\,u;\; v;\; |u - v|\,] + b, \qquad W \text{ of shape } (K, 3C), \quad b \text{ of shape } (K)$$
#
# Why the third part? A *linear* layer on $u$ and $v$ alone cannot compare them: its logit is a sum of one part from
# each. And why $b$, which the paper's formula lacks and its library has? Without it, distances twice as large give
# logits twice as large, and the same class: the head could not tell near from far.
#
# - `pair_features(u, v)` returns $u$, $v$ and $|u - v|$ in this order, $(B, 3C)$.
# - `pair_logits(u, v, weight, bias)` returns the logits $o$, $(B, K)$, for `weight` $(K, 3C)$ and `bias` $(K,)$: no
#   softmax.
#
# By hand: $u = (1, 2)$ and $v = (3, 1)$ have the features $(1, 2, 3, 1, 2, 1)$. A class with the weights
# $(1, 0, -1, 0, 2, 1)$ and the bias 0.5 gets the logit $1 - 3 + 4 + 1 + 0.5 = 3.5$.
#
# <details><summary>Hint 1</summary><code>torch.cat</code> with <code>dim=-1</code> puts tensors side by side.</details>
# <details><summary>Hint 2</summary>The rows of <code>weight</code> are classes, so (B, 3C) is multiplied by its
# transpose, (3C, K).</details>

# %% exercise="sbert"
def pair_features(u: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Return u, v and |u - v| side by side, (B, 3C), for u and v (B, C)."""
    ### BEGIN SOLUTION
    return torch.cat([u, v, (u - v).abs()], dim=-1)
    ### END SOLUTION


def pair_logits(u: torch.Tensor, v: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    """Return the logits (B, K) of the pairs u, v (B, C) for weight (K, 3C) and bias (K,)."""
    ### BEGIN SOLUTION
    return pair_features(u, v) @ weight.T + bias
    ### END SOLUTION

# %% check="sbert" points=4

# %% [markdown]
# Here are two sentences of the docs: are they from the same document, from one library, or from two? Your encoder's
# vectors stay as they are; weights and bias of your `pair_logits` learn from half of the pairs and are judged on the
# others. In the first two rows they may use a part of the features only.

# %% show
COUNT = 3000  ### small: 120

u, v, kinds = sentence_pairs.encoded(my_encoder, COUNT, SEED)
for name, used in {"u, v": (1, 1, 0), "|u - v|": (0, 0, 1), "u, v, |u - v|": (1, 1, 1)}.items():
    print(f"{name:<16} accuracy {sentence_pairs.head_accuracy(pair_logits, u, v, kinds, used):.3f} (by chance 0.333)")

# %% [markdown]
# The distance is what counts; here $u$ and $v$ add nothing to it. They do where the encoder itself learns through the
# head. Sentence-BERT, trained so on sentence pairs with labels (NLI), reports on the development part of STS-B a
# Spearman correlation (times 100) of 66.04 with $u$ and $v$, 69.78 with $|u - v|$, and 80.78 with all three.

# %% [markdown]
# ## Is it any good? An evaluation with several tasks
#
# One number can mislead. The benchmark MTEB ([Muennighoff et al. 2023](https://arxiv.org/abs/2210.07316)) judges an
# encoder on English data sets of seven kinds (translations are an eighth): classification, clustering, pairs (the same
# or not), re-ranking, search, STS (how alike are two sentences), summaries. E5's table (Wang et al. 2022) can be
# checked, since its average weighs each kind by the number of its data sets:

# %% show exact=true
print(e5_table.beside(np.average(e5_table.means(), axis=1, weights=list(e5_table.SETS.values()))))

# %% [markdown]
# One average differs from the printed one by more than .05. It needn't be an error: each mean of a kind was rounded,
# too, so rounding can account for up to .1.
#
# Now read by columns. BERT as it comes is *worse* at search than averaged word vectors: training on masked words does
# not make nearby vectors similar in meaning. Pairs do: those that dropout makes of one text (SimCSE) nearly double it,
# E5's rough ones bring four times as much. The phase of good pairs (compare E5-base with its row of rough pairs alone)
# brings most to STS, and nothing to clustering.
#
# Recall, reciprocal rank and nDCG are exercises of [chapter 08](../08_rag/08_rag.ipynb). For clusters you need one more
# measure.
#
# ## Exercise 14: do clusters match classes? V-measure (`v-measure`)
#
# 18 minutes, ★★, 4 points
#
# Clusters have no names, so accuracy means nothing. V-measure
# ([Rosenberg and Hirschberg 2007](https://aclanthology.org/D07-1043/)) asks two questions: does
# each cluster hold one class only (*homogeneity*), and is each class in one cluster only (*completeness*)? With the
# entropies of the classes $C$ and clusters $K$, from counts,
#
# $$h = 1 - \frac{H(C \mid K)}{H(C)}, \qquad c = 1 - \frac{H(K \mid C)}{H(K)}, \qquad V = \frac{2hc}{h + c}$$
#
# where $H(C) = -\sum_c \frac{n_c}{n} \log \frac{n_c}{n}$ and $H(C \mid K) = -\sum_{c,k} \frac{n_{ck}}{n} \log
# \frac{n_{ck}}{n_k}$. If $H(C) = 0$ (a single class), $h = 1$; likewise $c = 1$ if $H(K) = 0$. If $h + c = 0$, $V = 0$.
#
# `v_measure(classes, clusters)` gets two lists of equal length, never empty, each of integers or of words,
# and returns a float (= `sklearn.metrics.v_measure_score`, which is not to be called).
#
# By hand: classes (x, x, y, y), clusters (0, 0, 1, 2): every cluster is pure, $h = 1$; class y is torn in two: $H(K) =
# 1.5$ bits, $H(K \mid C) = 0.5$ bits, $c = 2/3$, $V = 0.8$.
#
# <details><summary>Plan</summary>Write one helper that takes a list of labels and returns its entropy. You need it
# three times: for the classes, for the clusters, and for the pairs of both, item by item. The two conditional entropies
# follow from these three numbers, and finding out how is worth a minute with pencil and paper. Compute h, c and V last,
# each with its special case where a divisor is 0.</details>
# <details><summary>Hint 1</summary>H(C | K) = H(C, K) - H(K), where H(C, K) is the entropy of the pairs.</details>
# <details><summary>Hint 2</summary><code>collections.Counter(zip(classes, clusters))</code> counts the pairs.</details>

# %% exercise="v-measure"
def v_measure(classes: list, clusters: list) -> float:
    """Return the V-measure of clusters (n,) against classes (n,), from 0 to 1; labels are compared as they are."""
    ### BEGIN SOLUTION
    from collections import Counter

    def entropy(items):
        shares = [count / len(items) for count in Counter(items).values()]
        return -sum(p * math.log(p) for p in shares)

    classes, clusters = list(classes), list(clusters)
    of_classes, of_clusters = entropy(classes), entropy(clusters)
    both = entropy(list(zip(classes, clusters, strict=True)))
    h = 1 - (both - of_clusters) / of_classes if of_classes > 1e-12 else 1.0
    c = 1 - (both - of_classes) / of_clusters if of_clusters > 1e-12 else 1.0
    return 2 * h * c / (h + c) if h + c > 1e-12 else 0.0
    ### END SOLUTION

# %% check="v-measure" points=4

# %% [markdown]
# ### The table
#
# Rows are models, columns tasks, as in MTEB. BM25 and your encoder have two rivals: the mean of chapter 02's word
# vectors, and the reference. Retrieval: nDCG@10 on the docs, and on SciFact (claims of research papers, which none of
# ours was trained for). STS: Spearman between cosine and the human score on STS-B, which is a download; a dash means
# that it isn't at hand. Clustering: V-measure of $k$-means on the inbox's intents. Classification: the accuracy of a
# linear probe on the same intents, with ten labels each. Does the best at retrieval win elsewhere, too?

# %% show
MESSAGES = 3000  ### small: 300
SETS = ("scifact", "stsb")  ### small: ()

print(text_tasks.TextTasks(task, MESSAGES, SETS, v_measure).table(bm25, my_encoder))

# %% [markdown]
# ## Pictures and sentences: CLIP in small
#
# Nothing in InfoNCE asks that both sides be of one kind. CLIP ([Radford et al. 2021](https://arxiv.org/abs/2103.00020))
# gives an image encoder and a text encoder the same space and trains them on images and their captions. A class is then
# described instead of learned: the caption nearest to an image is the answer, and a *new* caption is a new classifier.
#
# ## Exercise 15: classes as points (`prototypes`)
#
# 12 minutes, ★★, 5 points
#
# One point for each class is enough to classify. It may come from a few examples (*few-shot*, Snell et al. 2017) or
# from several captions of the class (CLIP's prompts).
#
# 1. `prototypes(vectors, labels, num_classes)`: bring each vector of $(N, C)$ to length 1, take the mean for each
#    class, and bring that to length 1 again; returns $(K, C)$. A class without examples gets zeros.
# 2. `nearest(vectors, points)`: for each of $(M, C)$ the number of the point of $(K, C)$ with the largest *cosine*;
#    returns integers $(M,)$; of equal ones the smallest number. A point of zeros has cosine 0, as in exercise 1.
#
# By hand: class 0 has (2, 0) and (0, 5): unit vectors (1, 0) and (0, 1), mean (0.5, 0.5), prototype (0.707, 0.707).
#
# <details><summary>Plan</summary><code>prototypes</code> brings every vector to length 1, gathers what belongs to each
# class into one row, (K, C), and brings that row to length 1; an empty class must come out as zeros. For
# <code>nearest</code> you have all you need from exercise 1: make the table of cosines, (M, K), and ask each row for
# the place of its largest number.</details>
# <details><summary>Hint 1</summary><code>F.one_hot(labels, K).T.to(vectors.dtype)</code> times the unit vectors adds
# them up for each class; the length of the sum does not matter, since it is brought to 1.</details>

# %% exercise="prototypes"
def prototypes(vectors: torch.Tensor, labels: torch.Tensor, num_classes: int) -> torch.Tensor:
    """Return a point of length 1 for each class, (K, C), from vectors (N, C) and labels (N,)."""
    ### BEGIN SOLUTION
    member = F.one_hot(labels, num_classes).T.to(vectors.dtype)  # (K, N)
    return F.normalize(member @ F.normalize(vectors, dim=-1), dim=-1)
    ### END SOLUTION


def nearest(vectors: torch.Tensor, points: torch.Tensor) -> torch.Tensor:
    """Return the number (M,) of the point of (K, C) with the largest cosine to each of vectors (M, C)."""
    ### BEGIN SOLUTION
    return cosine_similarities(vectors, points).argmax(dim=1)
    ### END SOLUTION

# %% check="prototypes" points=5

# %% [markdown]
# Digits and captions. SimCLR's network looks at the images; a caption is the weighted sum of its tokens, as a text of
# the docs was. Seven of the ten templates are used in training, three never ("a blurry photo of ...", "{} in black and
# white", "this is ..."). In a batch of 128 digits each class occurs about a dozen times, so a dozen captions of a batch
# are right for a digit, and all but one would be false negatives: your `masked_info_nce` leaves them out. It asks both
# ways, which caption belongs to an image and which image to a caption, as CLIP's own loss does; that one learns its
# temperature, too, and you write it in [chapter 11](../11_beyond/11_beyond.ipynb) (`clip-loss`).
#
# All ten digits are in the training, so this is classification by captions and not yet *zero-shot*: new words, old
# classes. It would be easy to call it more.

# %% show
STEPS = 150  ### small: 4


def clip_loss(seen, told, labels):  # vectors of images and of captions (B, C): both must find the other
    return (masked_info_nce(seen, told, labels, 0.1) + masked_info_nce(told, seen, labels, 0.1)) / 2


clip, _ = image_text.train(digits, clip_loss, augment, SEED, STEPS)

# %% show
zero_shot = image_text.ZeroShot(clip, digits, prototypes, nearest)
print(image_text.table(zero_shot, runs[0].encoder))
plots.show(*plots.confusion(zero_shot.confusion(image_text.UNSEEN), digits.classes))

# %% [markdown]
# Zero-shot means classes that were held out. So draw each digit in three styles, bright, dim and framed: thirty
# classes. One style of each digit is never shown and never named. A new model must put "a dim picture of the digit
# seven" together from what it knows of *dim* and of *seven*, and prefer it to 29 other captions, 20 of which it has
# seen.

# %% show
print(new_classes.table(new_classes.train(digits, clip_loss, augment, SEED, STEPS), digits, prototypes, nearest))

# %% [markdown]
# Compare with chance (1 in 30) and with the training classes: the model is drawn to captions that it has seen. CLIP's
# own zero-shot rests on 400 million pairs. It recognises classes that no one labelled for it; words that it has never
# read mean nothing to it, here as there.
#
# ## A map of the docs
#
# Here is the reward. Encode thousands of documents, cluster them, lay them out in the plane, and let each cluster say
# what it is about. The last needs one more formula, *c-TF-IDF*.
#
# BERTopic ([Grootendorst 2022](https://arxiv.org/abs/2203.05794)) puts the documents of each cluster together and asks
# which words are frequent *there* and rare elsewhere. From the counts $n_{kv}$ of word $v$ in cluster $k$, an array
# $(K, V)$:
#
# $$w_{kv} = \frac{n_{kv}}{\sum_u n_{ku}} \cdot \log\Big(1 + \frac{A}{f_v}\Big)$$
#
# $f_v = \sum_k n_{kv}$ is how often the word occurs in all clusters together, and $A$ the mean number of words of a
# cluster. It is chapter 01's TF-IDF with a cluster in the place of a document; `topics.c_tf_idf` has it in four lines.
#
# The vectors are the reference encoder's. t-SNE keeps neighbours near, but its large distances mean nothing. Which
# clusters hold one library, and which hold what several libraries do alike?

# %% show
DOCUMENTS = 1500  ### small: 120; gpu: 4000

docs_map = topics.map_docs(DOCUMENTS, min(22, DOCUMENTS // 30), SEED)
print(docs_map.table(titles := docs_map.titles()))
plots.show(*figures.topic_map(docs_map.plane, docs_map.clusters, titles, docs_map.libraries))

# %% [markdown]
# ## Essay 2: what the numbers leave out (`numbers`)
#
# 15 minutes, ★★, 10 points, graded by hand
#
# (a) In the retrieval tables, what does each model have that the other lacks, and why does joining two searches help,
# or why not more? Use two of the queries that you read. (b) Only one passage counts as right for each query, and the
# queries are first sentences. Name one way in which this flatters BM25 or the encoder, and one in which it is unfair;
# what would a better test set look like? (c) The evaluation table has five tasks. Which of them would you trust when
# you choose an encoder for the search in chapter 08, and which would mislead you? About 180 words.

# %% [markdown] essay="numbers" points=10
# ### BEGIN SOLUTION
# (a) BM25 finds rare words exactly and weighs length well; the encoder brings together words that training pairs have
# brought together, and pieces of names. Joined they help where one ranks high what the other misses; both here are made
# of words, so they often err together, and the gain is a few points. "Stop training when nothing improves" shares
# hardly a word with `ReduceLROnPlateau`, which MiniLM alone puts first; "spread values evenly" misleads even MiniLM,
# which takes "spread" for variance. (b) Authors repeat the words of the first sentence in the body, which flatters
# everything that counts words; other passages that answer as well count as wrong, which is unfair most to a model that
# finds them. Better: questions by people who have not read the passage, several judged answers each, graded, and
# modules unseen in training, as here. (c) The retrieval columns, the docs' first of all, since they are the task and
# the domain. SciFact tells about transfer. V-measure and the probe on the inbox say little about search in
# documentation; STS rewards agreement on everyday sentences, which our encoder has never read. I would not choose by a
# mean over all.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 4 points: complementary strengths named from the output; joining gains where errors differ; two queries discussed.
# 3 points: single relevant passage (unfair) and overlap of first sentence and body (flattering); a better test set.
# 3 points: chooses columns by task and domain with reasons; warns of the mean over tasks.
# ### END MARK SCHEME

# %% [markdown]
# ## The benchmarks, and what is saved
#
# Four ways to the course's two benchmarks. Three are linear probes: on your encoder, which was trained on the docs and
# never saw a message; on MiniLM as it comes; and on MiniLM tuned on the docs. The fourth is tuned by your loss on the
# few labelled examples themselves: two requests of one intent are a pair, those of other intents in the batch are
# negatives, and a probe follows, as in SetFit (Tunstall et al. 2022).

# %% show
PART = 1  # with 20, one of twenty intents and messages  ### small: 40
ROUNDS = 3  ### small: 1; gpu: 5
QUESTIONS = 5  # of the 30 of each intent, for MiniLM  ### small: 3; gpu: 30

benchmarks.take("07", "encoder of the docs, linear probe", benchmarks.linear_probe(my_encoder.encode), every=PART)
for name, model in minilm.classifiers(tuned, info_nce, ROUNDS).items():
    benchmarks.intents("07", name, model, questions=QUESTIONS, every=PART)
benchmarks.show("07")

# %% [markdown]
# MiniLM knows already that *film* and *movie* mean the same, and stays far above your encoder whatever it was tuned on.
# Tuned on the docs it gains nothing here: tuning helps at what it is tuned on. (What it costs elsewhere is called
# *forgetting*, and chapter 09 measures it.) Tuned on the labels themselves, see whether it gains with five examples of
# an intent, or ten. With a single one it has little to learn: a pair is one text twice, seen through two dropouts.
# Each run answers five questions for each of 150 intents; a difference of two in a hundred may be chance.

# %% show
print(results := f"recall@10 {task.measure(mine)[0]:.3f} (BM25 {task.measure(bm25)[0]:.3f})")
print(phases.save(my_encoder, train_pairs, 2 * PHASE, results).name, "saved")

# %% [markdown] text="quiz"

# %% [markdown]
# ## What you built, and what breaks next
#
# Losses that pull and push, each checked against its closed form; an encoder of images that needs few labels, one of
# texts that searches, one space for both; vectors that can be cut short, and search token by token; and a map. A pair,
# a temperature, a batch: the loss that you wrote in three lines trained all of them.
#
# What breaks: the search returns *passages*. Someone who asks "how do I wait for a thread?" wants an answer, with its
# source, and wants to be told when the docs do not say. [Chapter 08](../08_rag/08_rag.ipynb) puts a reader behind the
# search.
#
# **Saved:** the artifact *docs-encoder*, your own; your rows of the leaderboard.

# %% [markdown] text="further"
