# %% [markdown]
# # 07 Contrastive learning: pull together, push apart
#
# No one can tell you what the right vector of a text is. But anyone can tell you that two texts belong together: a
# question and its answer, a title and its article, two photos of one face. The models of this chapter learn from such
# pairs alone. Three words tell the whole story. A **pair** says what to pull together. A **temperature** says how much
# the near misses count. A **batch** supplies the examples to push apart, because pulling alone would bring everything
# together at one point:
#
# ![Three pairs on a circle: anywhere at the start; all at one point when only pulled; pair by pair and spread out when
# pulled and pushed](figures/pull_push.svg)
#
# **What you will build.** In this chapter you write the losses (margin, softmax triplet, InfoNCE, NT-Xent), and with
# them you build SimCLR for handwritten digits; a search engine for the docs that finds a text by its meaning, first
# from scratch and then on top of a pre-trained model; vectors that can be cut short; a search that compares token by
# token; a small CLIP; and a map of the docs.
#
# **What you need.** This chapter uses cosine similarity and BM25 ([chapter 01](../01_spam/01_spam.ipynb)), word vectors
# ([02](../02_word_vectors/02_word_vectors.ipynb)), attention ([04](../04_attention/04_attention.ipynb)), a tokenizer
# like that of [chapter 06](../06_tokenizers/06_tokenizers.ipynb) (the artifact *docs-tokenizer* is enough),
# cross-entropy and `fit`.
#
# **Points.** 100: fifteen exercises checked by machine (80) and two short essays (20). Allow about seven and a half
# hours, in two sittings (exercises 1 to 6, then the others). Once your code is written, the whole notebook runs in
# three and a half minutes on two cores.
#
# Notation: a batch has $N$ pairs; $x_i$ and $x_i^+$ belong together; $f$ is the encoder, and its vectors have $C$
# numbers; $s$ is a similarity, $s^+$ that of a pair, and $s^-$ that of a text and one that does not belong to it;
# $\tau$ is the temperature. Rows are examples, so a table of similarities has a row for each query and a column for
# each candidate.
#
# Your functions return new values in the dtype of their arguments (float64 stays float64) and do not change the
# arguments. They also work for a single row, number or token: an axis of size 1 stays an axis. A loss is a scalar
# tensor that does not overflow at a low temperature. Finite gradients flow back to both inputs of a loss, and through
# similarities, pooled and shortened vectors, features and logits.

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


def slopes(function, *arguments):  # with this the checks test whether gradients flow
    return gradients.slopes(function, *arguments)


def taken(forbidden, function, *arguments):  # and with this, whether a function calls what an exercise rules out
    return ways_of_calls.taken(forbidden, function, *arguments)

# %% [markdown]
# ## What does "alike" mean?
#
# A classifier is told the right answer. An encoder is told less: these two belong together, those two do not. Two
# copies of the encoder, *two towers* with the same weights, read one side each; their two vectors give one number, and
# the gradient of that number flows back into both towers:
#
# ![Query and text go through the same encoder separately; their vectors meet in a cosine of 0.96, and the gradient goes
# back into both towers](figures/towers.svg)
#
# ## Exercise 1: similarity, temperature, and what they do to the gradient (`similarity`)
#
# 20 minutes, ★★, 6 points
#
# How similar are two vectors? Bring them to length 1 first, so that only their directions count; their dot product is
# then the *cosine*, between -1 and 1:
#
# $$s_{ij} = \frac{a_i \cdot b_j}{\lVert a_i \rVert \, \lVert b_j \rVert}$$
#
# `cosine_similarities(a, b)` returns the table $(N, M)$ of the cosines of all pairs of rows. A row of zeros has no
# direction: its similarity to everything is 0.
#
# A *query* has to choose its own partner, the *positive*, among $M$ *candidates*; the others are its *negatives*.
# Divide its similarities by a *temperature* $\tau$ and take the softmax. At a low temperature only the best few
# candidates count:
#
# ![Similarities 0.9, 0.7, 0.1 become 0.44, 0.36, 0.20 at temperature 1, then 0.72, 0.27, 0.01 at 0.2, and 0.98, 0.02,
# 0.00 at 0.05](figures/temperature.svg)
#
# In symbols, $p_{ij} = \exp(s_{ij}/\tau) / \sum_k \exp(s_{ik}/\tau)$. The loss of query $i$, whose positive is
# candidate $r_i$, is $-\log p_{i r_i}$, and the loss of a batch is the mean over its $N$ queries. Its gradient with
# respect to the similarities does the pulling and pushing:
#
# $$\frac{\partial L}{\partial s_{ij}} = \frac{1}{N\tau}\,\big(p_{ij} - [\,j = r_i\,]\big)$$
#
# The gradient is below 0 at the positive (so a step downhill raises its similarity), above 0 at all negatives, and
# *larger for negatives that score high*: this loss finds the hard negatives by itself, the more so the smaller $\tau$
# is.
#
# `score_gradient(scores, right, temperature)` returns this gradient, shape $(N, M)$, for similarities `scores`
# $(N, M)$ and the indices `right` $(N,)$. Compute it by the formula. Large similarities must not cause an overflow.
#
# By hand: if the similarities are (1, 0) and the first candidate is right, then $\tau = 1$ gives $p = (0.731, 0.269)$
# and the gradient (-0.269, 0.269); $\tau = 0.5$ gives $p = (0.881, 0.119)$ and the gradient (-0.238, 0.238).
#
# <details><summary>Plan</summary><code>cosine_similarities</code> brings the rows of both to length 1; after that, one
# matrix product gives the whole table, (N, M). <code>score_gradient</code> computes each row's probabilities first, (N,
# M), with a softmax that copes with large numbers. Then build a table of the same shape that marks each query's right
# candidate, and combine the two as the formula says.</details>
# <details><summary>Hint 1</summary><code>F.normalize(a, dim=-1)</code> leaves a row of zeros unchanged.</details>
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
# Take one query, its own text at similarity 0.6, and negatives with similarities between -0.5 and 0.7. How hard is each
# negative pushed away at four temperatures? At 1 the nearest is pushed about three times as hard as the farthest; at
# 0.05 nearly all of the push goes to the few that score as high as the right answer. What would a temperature near 0
# do?

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
# The oldest losses of this kind look at one *pair* at a time: they pull its texts together if they belong together, and
# push them apart, up to a margin, if they do not (Bromley et al. 1993 for signatures; [Chopra, Hadsell and LeCun
# 2005](https://doi.org/10.1109/CVPR.2005.202) for faces). Such a loss prescribes the distances themselves. A *triplet*
# loss prescribes only an order: of an example $x$, a positive $v^+$ and a negative $v^-$, it requires that the positive
# be more similar to $x$ than the negative, by a margin $m$ (Schultz and Joachims 2003;
# [FaceNet](https://arxiv.org/abs/1503.03832), 2015, made it famous). The loss is the amount by which the positive falls
# short:
#
# ![Good triplet: the positive at 0.9 is more than the margin 0.5 ahead of the negative at 0.2, loss 0. Bad triplet:
# positive 0.5, negative 0.8, loss 0.8](figures/margin.svg)
#
# $$L(x, v^-, v^+) = \max\big(s^- - s^+ + m,\; 0\big)$$
#
# It is tempting to think of a margin as something to *maximise*, and so to put a minus in front of the loss. But
# training makes a loss small: with a minus it would drive the positives away. You'll see both signs below.
#
# 1. `margin_loss(positive, negative, margin)`: an example costs 0 if the positive is ahead by at least the margin, and
#    otherwise the amount by which it falls short; the loss is the mean over the batch.
# 2. `softmax_triplet(positive, negative, temperature)`: the soft version,
#    $-\log \frac{\exp(s^+/\tau)}{\exp(s^+/\tau) + \exp(s^-/\tau)}$, again the mean over the batch. It must not overflow
#    even if $s/\tau$ is in the hundreds.
#
# Both take similarities $(N,)$ and return a scalar tensor. By hand, as in the drawing: 0.2 - 0.9 + 0.5 = -0.2, so the
# good triplet costs 0; 0.8 - 0.5 + 0.5 = 0.8, so the bad one costs 0.8.
#
# <details><summary>Hint 1</summary>The loss should be 0 for the good triplet and 0.8 for the bad one.</details>
# <details><summary>Hint 2</summary>Divide numerator and denominator by exp(s⁺/τ): what is left is log(1 +
# exp(something)), which is <code>F.softplus</code>.</details>

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
# Try both signs on twenty points of two classes on a circle, from the same start and with the same number of steps.

# %% show
STEPS = 300  ### small: 50

right, turned = (circle.train(margin_loss, STEPS, sign) for sign in (1, -1))
plots.show(*figures.circles({"the margin loss": right, "with a minus in front": turned}))

# %% [markdown]
# ## Exercise 3: InfoNCE (`info-nce`)
#
# 20 minutes, ★★, 6 points
#
# One negative teaches little, and most triplets soon cost 0. But look at a batch of $N$ pairs, each of a query and its
# *key*: for each query the keys of the $N - 1$ *other* pairs are wrong answers, and their vectors have already been
# computed. These *in-batch negatives* (Sohn 2016) are free. Write all similarities as a table; the pairs are on the
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
# Here $s_{ij}$ is the *cosine* of query $i$ and key $j$. There may be more keys than queries: `keys` is $(M, C)$ with
# $M \geq N$; its first $N$ rows belong to the queries, in the same order, and the rest are negatives for all queries
# (hard ones, as in exercise 8, or keys of earlier batches, which [MoCo](https://arxiv.org/abs/1911.05722) keeps in a
# queue). Each query chooses among the keys; no key chooses among the queries. An encoder that gives everything the same
# vector has the loss $\log M$: compare each loss with that.
#
# By hand, as in the drawing: the queries are (1, 2) and (0.5, -1), the keys (2, 1), (1, 0) and (-1, 3), the third of
# which belongs to no query, and $\tau = 0.5$. The first row has the cosines 0.80, 0.45, 0.71, so $p = 0.43$ for the
# right key; the second has 0.00, 0.45, -0.99, so $p = 0.68$. The loss is $(0.84 + 0.38)/2 = 0.613$ (computed without
# rounding in between).
#
# <details><summary>Plan</summary>Compute the table of cosines of all queries with all keys, (N, M), and divide it by
# the temperature. Now treat each row as the scores of a classifier: there are M classes, one of them right, and the
# drawing shows which. You know the loss of such a row from earlier chapters; take its mean over the N rows.</details>
# <details><summary>Hint 1</summary>The right class of row i is i: <code>torch.arange(N)</code>.</details>
# <details><summary>Hint 2</summary><code>F.cross_entropy(scores, right)</code> computes the softmax itself.</details>

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
# Where do pairs come from when nobody has made any? For images there is a cheap source: change one image in two ways
# that leave its content the same. SimCLR ([Chen et al. 2020](https://arxiv.org/abs/2002.05709)) uses two such *views*
# of an image as a positive pair and the views of all other images of the batch as negatives. No label is used.
#
# ## Exercise 4: a shifted image (`shift`)
#
# 12 minutes, ★★, 4 points
#
# The first augmentation moves each image. `shift(images, down, right)` takes images $(B, H, W)$ and integers `down` and
# `right`, each $(B,)$: image $b$ moves `down[b]` rows down and `right[b]` columns to the right; a negative number moves
# it up or to the left. Pixels that leave the frame are lost, and vacated pixels are 0 (black): nothing comes back in on
# the other side. A shift as large as the image leaves only zeros. Return new images of the same shape and dtype.
#
# By hand: the row (1, 2, 3) moved right by 1 is (0, 1, 2); moved left by 2 it is (3, 0, 0).
#
# <details><summary>Plan</summary>A loop over the images is fine. Pad an image with zeros on all sides, then cut out
# the right window.</details>
# <details><summary>Hint</summary>Without a loop: the pixel at (r, c) comes from (r - down[b], c - right[b]), if that is
# inside the image.</details>

# %% exercise="shift"
def shift(images: torch.Tensor, down: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """Return images (B, H, W) moved by down (B,) rows and right (B,) columns, 0 where vacated, in the same dtype."""
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
# `augment` shifts an image by up to one pixel, rotates and stretches it a little, changes its brightness, adds noise,
# and blackens a small patch (the shift is yours, the rest is in `image_views`). It must *not* mirror: a mirrored 2 is
# no 2. You need knowledge about the world to choose changes that do not alter what an image shows, and that is the only
# knowledge that SimCLR is given.

# %% show
digits, augment = data.load("digits"), image_views.augmentation(shift)
plots.show(*figures.views(*image_views.examples(digits, augment)))

# %% [markdown]
# ## Exercise 5: NT-Xent (`nt-xent`)
#
# 25 minutes, ★★★, 6 points
#
# $N$ images give $2N$ views, whose vectors are `first` $(N, C)$ and `second` $(N, C)$; row $i$ of both belongs to image
# $i$. You have InfoNCE; what is new is that every view is both query and key. Each must find its partner among the
# $2N - 1$ *other* views; the view itself is left out, since it would always win:
#
# ![Six views of three images as a table: the diagonal is left out, one partner in each row, four
# negatives](figures/views.svg)
#
# Stack `first` above `second` to get $2N$ rows. Let $p(i)$ be the partner of row $i$, and $s_{ik}$ the cosine of rows
# $i$ and $k$. Then
#
# $$L = \frac{1}{2N} \sum_{i=1}^{2N} -\log \frac{\exp(s_{i\,p(i)}/\tau)}{\sum_{k \neq i} \exp(s_{ik}/\tau)}$$
#
# The sum in the denominator leaves out the view itself ($k \neq i$), and nothing else: the partner is in it *once*.
# NT-Xent is short for "normalised, temperature-scaled cross-entropy".
#
# By hand: take four images ($N = 4$) whose two views agree perfectly and are orthogonal to the views of all other
# images. The denominator is the sum of one $e^{1/\tau}$ and $2N - 2 = 6$ ones, so $L = \log(1 + 6\,e^{-1/\tau})$, which
# is 1.165422 for $\tau = 1$, 0.594438 for 0.5, and 0.000272 for 0.1.
#
# <details><summary>Plan</summary>Stack both views into one table of 2N rows, and score every row against every row,
# (2N, 2N). From here on it is InfoNCE, with two additional questions: how do you exclude a view's match with itself,
# and in which column is the partner of row i? Answer both, and average the loss over all 2N rows.</details>
# <details><summary>Hint 1</summary>The partner of row i is row i + N in the first half and row i - N in the
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
# The table puts the closed form beside your function. Even a perfect encoder has a loss that depends on the temperature
# and on the size of the batch: compare two losses only at the same temperature and the same batch size.

# %% show exact=true
print("pairs  temperature  by your function  closed form")
for n, tau in [(n, tau) for n in (4, 8, 64) for tau in (1.0, 0.5, 0.1)]:
    found, closed = nt_xent(torch.eye(n), torch.eye(n), tau), math.log1p((2 * n - 2) * math.exp(-1 / tau))
    print(f"{n:>5}{tau:>13}{found:>18.4f}{closed:>13.4f}")

# %% [markdown]
# ### Train it, and throw half of it away
#
# The encoder $f$ is a small convolutional network; a *projection head* $g$ of two layers follows it, and the loss sees
# $g(f(x))$: your `nt_xent` gets the head's output for two random views of each image of a batch. After training, the
# head is thrown away: the loss makes it forget whatever the augmentations change, and some of that is useful. A *linear
# probe* measures what the encoder has learned: freeze the encoder, and fit a logistic regression on its vectors with a
# few labels. Its three rivals get the same labels: a probe on the pixels themselves; the same network trained on the
# labels alone (with the same augmentations); and a probe on SimCLR's vectors *after* the head.
#
# ![In training the loss sees g(f(x)) of two views; afterwards a linear probe sees f(x) of the frozen encoder, and g is
# thrown away](figures/probe.svg)

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
# Compare two pairs of rows. First compare SimCLR with the pixels: where is its lead largest? It learned about digits
# without labels, and that is worth most where labels are few. Then compare the vectors before the head with those after
# it: the loss saw the latter, yet it pays to throw the head away.
#
# ## Exercise 6: alignment and uniformity (`alignment`)
#
# 15 minutes, ★★, 6 points
#
# A contrastive loss pursues two aims that are in tension, as the drawing at the top shows ([Wang and Isola
# 2020](https://arxiv.org/abs/2005.10242)): pairs should be close together, and all vectors should spread over the whole
# sphere. Both aims can be measured; for both measures, smaller is better. All vectors are brought to length 1 first.
#
# $$\ell_{\mathrm{align}} = \frac{1}{N}\sum_i \lVert x_i - x_i^+ \rVert^2, \qquad
# \ell_{\mathrm{uniform}} = \log \frac{2}{N(N-1)} \sum_{i < j} \exp\!\big({-2}\, \lVert x_i - x_j \rVert^2\big)$$
#
# `alignment(first, second)` takes the vectors of $N$ pairs, $(N, C)$ each, and `uniformity(vectors)` takes $(N, C)$
# with $N \geq 2$; both return a scalar tensor. A vector's distance to itself is not counted.
#
# By hand: (1, 0) and (0, 1) are $\sqrt 2$ apart, so the alignment of this pair is 2, and the uniformity of the two is
# $\log e^{-4} = -4$. If all vectors are the same, the uniformity is 0: that is called **collapse**.
#
# <details><summary>Plan</summary>Both begin by bringing every row to length 1. <code>alignment</code> computes the
# squared distance of each pair, N numbers, and averages them. <code>uniformity</code> computes the squared distance of
# every two different rows, each pair of rows once, passes each through the exponential of the formula, and takes the
# mean before the logarithm; the order of these two matters.</details>
# <details><summary>Hint 1</summary>For vectors of length 1, ‖x - y‖² = 2 - 2 x·y.</details>
# <details><summary>Hint 2</summary><code>torch.pdist(z)</code> gives the distances of all pairs i &lt; j, each
# once.</details>

# %% exercise="alignment"
def alignment(first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
    """Return the mean squared distance within the pairs (N, C) and (N, C), after bringing all to length 1; a scalar."""
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
# Now leave out the negatives and require only that the two views of an image agree: the training is the same, with your
# `alignment` in place of `nt_xent`. The loss becomes perfect, but the encoder is of little use: it gives nearly the
# same vector to every image. (A network that was never trained starts near that state: its random layers map all images
# into a narrow cone. The negatives drive them apart. There are ways to prevent collapse without negatives, such as a
# second, slowly moving copy of the encoder: [BYOL](https://arxiv.org/abs/2006.07733), 2020.)

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
# "evenly spaced numbers". A *bi-encoder* turns the query and each passage into vectors separately, so the passages'
# vectors can be computed once and stored. The pairs come from the docs: the first sentence of a docstring belongs to
# the rest of it, as a title belongs to its passage in E5's training data ([Wang et al.
# 2022](https://arxiv.org/abs/2212.03533)).
#
# ## Exercise 7: from token vectors to one vector (`pooling`)
#
# 12 minutes, ★, 5 points
#
# An encoder gives a vector for each token, $(B, T, C)$, but a search needs one vector for each text. The texts of a
# batch differ in length, so some positions are padding, and their contents must not matter:
#
# ![Token vectors (1, -2), padding, (3, -4), padding: cls gives (1, -2), mean (2, -3), max (3, -2)](figures/pooling.svg)
#
# `pool(hidden, mask, how)` returns $(B, C)$. `mask` $(B, T)$ is True at tokens and False at padding, which may be
# anywhere except at the first position. `how` is one of:
#
# - `"cls"`: the vector of the first token, which is [CLS];
# - `"mean"`: the mean of the vectors of the tokens;
# - `"max"`: for each of the $C$ positions in a vector, the largest number among the tokens (it may be below 0).
#
# (Encoders that are made from a GPT take the vector of the *last* token: with a causal mask no other token has seen the
# whole text.)
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
# Which pooling learns fastest? For each pooling and each of two seeds, a transformer layer over the first 40 tokens is
# trained from scratch with your InfoNCE. Each query must then find its passage among a thousand, all from documents
# that were not used in training. A few seconds of training are far too few for a transformer: compare two rows only if
# their ranges do not overlap.

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
# The mean is quick to learn, since every token's vector gets a gradient in each step; [CLS] must first learn where to
# look, and catches up only if training goes on for long. The library sentence-transformers uses the mean by default.
#
# ## Exercise 8: hard negatives (`hard-negatives`)
#
# 12 minutes, ★★, 5 points
#
# The other passages of a batch are mostly about something else, so they are too easy. *Hard* negatives look right but
# are wrong. The trouble is that some passages that look right *are* right, though nobody has marked them as answers:
#
# ![Around the query sort in place: a positive, a hard negative about sorted copies, a false negative that says the
# same, an easy negative about circles](figures/negatives.svg)
#
# An old search engine finds hard negatives: the passages that BM25 ranks high, apart from the right one ([Karpukhin et
# al. 2020](https://arxiv.org/abs/2004.04906)).
#
# `hard_negatives(scores, right, k, skip=0)` takes BM25's scores $(Q, P)$, a NumPy array, and the index of each query's
# right passage, `right` $(Q,)$. It returns the indices $(Q, k)$ of the $k$ best *wrong* passages of each query, best
# first; passages with equal scores come in the order of their indices. The first `skip` of the *wrong* passages are
# passed over, since the very best of them may be right answers that nobody marked. (There are always at least $k$ +
# `skip` wrong passages.)
#
# By hand: with the scores (3, 4, 0, 1, 4), right passage 1 and $k = 2$, the result is (4, 0); with `skip=1` it is (0,
# 3).
#
# <details><summary>Plan</summary>Work on a copy of the scores, (Q, P). Exclude each query's right passage, rank all
# passages of each row from best to worst with ties in the order of their indices, and cut the ranking, (Q, P), down to
# the k columns after the first <code>skip</code>.</details>
# <details><summary>Hint 1</summary>Set the right one's score to minus infinity in a copy, then sort.</details>
# <details><summary>Hint 2</summary><code>np.argsort(-scores, axis=1, kind="stable")</code> puts the largest first and
# keeps equal ones in order.</details>

# %% exercise="hard-negatives"
def hard_negatives(scores: np.ndarray, right: np.ndarray, k: int, skip: int = 0) -> np.ndarray:
    """Return the indices (Q, k) of the best wrong passages by scores (Q, P), after passing over the first `skip`.

    Integers. Scores may be below 0, and are compared exactly: two scores tie only if they are the very same number.
    """
    ### BEGIN SOLUTION
    scores = np.array(scores, dtype=float)
    scores[np.arange(len(scores)), right] = -np.inf
    return np.argsort(-scores, axis=1, kind="stable")[:, skip : skip + k]
    ### END SOLUTION

# %% check="hard-negatives" points=5

# %% [markdown]
# ## Exercise 9: negatives that are right answers (`false-negatives`)
#
# 18 minutes, ★★, 6 points
#
# "Emit a record." is the first sentence of several docstrings. When two of them meet in a batch, each query is pushed
# away from the other's body, which is an equally good answer. The larger the batch, the more likely it is to
# contain such duplicates. It is better to leave out these *false negatives*:
#
# ![Three queries and keys in the groups 0, 0, 1: query 1 leaves out key 2, query 2 leaves out key
# 1](figures/groups.svg)
#
# `masked_info_nce(queries, keys, groups, temperature)` is InfoNCE over $N$ pairs with one change. `groups` $(N,)$ gives
# each pair an integer, the same for pairs with the same meaning. Key $j$ with $j \neq i$ and `groups[j] == groups[i]`
# is left out of query $i$'s denominator. The query's own key $i$ stays, of course, and so do all keys of other groups.
# Cosine, temperature and mean are as in exercise 3; keys here are $(N, C)$.
#
# By hand, as in the drawing: three pairs have the groups (0, 0, 1). The first query chooses between the first key and
# the third, the second query between the second key and the third, and the third query among all three.
#
# <details><summary>Plan</summary>Begin as in <code>info_nce</code>, with the table of scaled cosines, (N, N). Make a
# second table of the same shape that marks the keys that each query has to leave out, and check its diagonal carefully.
# Make sure that the marked scores count for nothing in the softmax, as you did in <code>nt_xent</code>; the rest is
# <code>info_nce</code> again.</details>
# <details><summary>Hint 1</summary><code>groups[:, None] == groups[None]</code> is a table that is True where two pairs
# are in the same group; do not leave out the diagonal.</details>

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
# A loss trains nothing by itself. Now you write the training step, and it will train the docs encoders below. The texts
# of each pair go through the encoder (the *two towers* above, which share their weights), two losses compare their
# vectors, and the optimizer updates the weights:
#
# ![Two tables of scores: three queries by three passages, where passages with the same meaning are left out; the same
# queries by three passages and two hard negatives](figures/two_losses.svg)
#
# `train_step(encoder, optimizer, queries, passages, hard, groups, temperature)` takes two lists of $N$ texts, pair by
# pair, and a list `hard` of more passages, which are wrong for every query of the batch. `encoder(texts)` takes a list
# that is not empty and returns one row for each text. The loss is the mean of two:
#
# - `masked_info_nce` of queries and passages, with `groups` $(N,)$;
# - `info_nce` of the queries, with the passages and *then* the hard ones as keys (row $i$ must remain the right key for
#   query $i$).
#
# Where `hard` is empty, the first is the whole loss. All three lists are encoded with gradients. Take one step of the
# `optimizer`, and return the loss from before that step, as a Python number. Gradients left over from earlier steps
# must not count.
#
# By hand: let the vectors of two queries be orthogonal, each equal to its passage's vector, with one hard negative
# equal to the first query, and $\tau = 1$. The first loss is $\log(1 + e^{-1}) = 0.313$. In the second loss the first
# query has two keys with cosine 1, which gives $\log(2 + e^{-1}) = 0.862$; the other query has
# $\log(1 + 2 e^{-1}) = 0.551$, so the mean is 0.707. The step's loss is $(0.313 + 0.707)/2 = 0.510$.
#
# <details><summary>Plan</summary>There are four stages, in this order: clear the old gradients; encode the lists and
# compute the loss, with your two functions; send the gradient back; let the optimizer update the weights. The value
# that you return was known before the update.</details>
# <details><summary>Hint 1</summary><code>optimizer.zero_grad()</code>, <code>loss.backward()</code>,
# <code>optimizer.step()</code>; and <code>loss.item()</code> is a number.</details>
# <details><summary>Hint 2</summary><code>torch.cat([keys, encoder(hard)])</code> puts the hard ones after the
# passages.</details>

# %% exercise="train-step"
def train_step(encoder, optimizer, queries, passages, hard, groups, temperature: float = 0.05) -> float:
    """Take one step of the optimizer on N pairs of texts, and return the loss before it.

    encoder: a function from a list of texts to their vectors (len(texts), C). queries, passages: lists of N texts.
    hard: a list of passages that are right for no query, maybe empty. groups (N,): the same number, the same meaning.
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
# ### The three phases of E5, on a small scale
#
# E5 starts from a pre-trained model, learns from a great many rough pairs, then from fewer good ones with hard
# negatives. Our encoder is as simple as it can be (`docs_encoder.Encoder`): each token has a vector and an importance,
# and a text is the weighted sum of its tokens' vectors.
#
# 1. The *base* has random vectors, weighted by inverse document frequency. It compares texts by their words, and is
#    better than it sounds.
# 2. *Rough pairs* consist of a sentence of a body and the rest of that body.
# 3. *Good pairs* consist of a summary and its body; each pair has two hard negatives from BM25, and duplicates are left
#    out.
#
# Your `train_step` trains phases 2 and 3. A batch consists of runs of eight neighbours in the list of names (methods of
# a class, functions of a module), which are hard negatives for one another. During training, three tokens in ten are
# left out at random.

# %% show
groups = train_pairs.groups()  # (n,): a number for each pair, the same for summaries that are alike
mined = train_pairs.mined(hard_negatives, k=2, skip=1)  # (n, 2): the numbers of two pairs whose bodies mislead
print(f"{len(groups) - len(groups.unique())} of {len(groups):,} training pairs repeat another's summary")


def rough(model, optimizer, rows):  # phase 2: a random sentence of each body must find the rest of it
    sentences, rests = train_pairs.torn(rows)
    each = torch.arange(len(rows), device=groups.device)  # no two have the same meaning
    return train_step(lambda bags: model(bags, 0.3), optimizer, sentences, rests, [], each)


def good(model, optimizer, rows, hard=True):  # phase 3: each summary must find its body, and not two that mislead
    summaries, bodies = train_pairs.bags(rows)
    mislead = train_pairs.bodies(mined[rows]) if hard else []
    return train_step(lambda bags: model(bags, 0.3), optimizer, summaries, bodies, mislead, groups[rows])

# %% [markdown]
# Does each phase help, and do the hard negatives help? Each row has two seeds: it shows their mean recall@10, then the
# worse and the better seed. If the ranges of two rows overlap, don't claim that one is better.

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
# The recipe changes little here: the phases differ by about as much as two seeds do, and you can't tell whether the
# mined negatives help. At E5's scale each phase counts: in the paper's table (further down) E5-base reaches 42.9 on
# retrieval after the rough pairs alone, and 48.7 after the good pairs with hard negatives and a teacher.
#
# There are two common ways to combine two searches. By *reciprocal rank* (Cormack, Clarke and Büttcher 2009) a
# passage gets $1/(60 + \text{rank})$ from each list, and the passages are ranked by these sums. This needs no common
# scale, but ignores how far ahead the first passage is. Or the scores of each search are brought to mean 0 and standard
# deviation 1 for each query, and added: a passage that BM25 puts far ahead stays ahead. Both ways help where the two
# searches make different errors, and here the second helps more. BM25 counts stems (`sorts` and `sorting` have the same
# stem), and is the rival to beat: your encoder alone is below it, the two together are above it.
#
# The next table adds two rivals, alone and combined with others. The *reference* docs-encoder was trained for longer,
# and has read the sentences of all 6,000 passages (but never a summary from the test part): a search engine may read
# the texts that it will search. *Translation* (Berger and Lafferty 1999) is a third way, older than encoders: it learns
# from pairs, by expectation maximisation, the probability that a query uses this word when the passage uses that one.
# Its scores, brought to mean 0 and standard deviation 1 for each query, are added to the encoder's. It, too, has read
# names, signatures and sentences of the searched documents, so a comparison of these rows with yours isn't fair; they
# show what more data of the right kind can achieve.

# %% show
SENTENCES = 1  ### small: 0

print(docs_search.table(task, docs_search.rivals(task, bm25, mine, SENTENCES)))

# %% [markdown]
# ### Your loss, on a pre-trained model
#
# Trained from scratch, your encoder alone doesn't get past BM25: a few thousand pairs don't teach a language. E5 didn't
# start from random numbers, either. *MiniLM* ([Wang et al. 2020](https://arxiv.org/abs/2002.10957); here
# [all-MiniLM-L6-v2](https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2), tuned on a billion pairs) has six
# transformer layers and is small enough for two cores. The lower four layers are frozen, so their output for each text
# is computed once and stored. The top two learn from summaries and bodies of the docs with your `info_nce`: 64 pairs a
# step, the first 48 tokens of each text, no pair twice. All models then search among the same bodies, fewer than above,
# since MiniLM takes far longer for each; it reads their first 128 tokens, while BM25 reads everything.

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
# The loss and the kind of pairs are the same, but the starting point is not. Compare the rows: how much comes from the
# pre-training, and how much does your loss add to it? With one line you can use any other encoder instead: see [Bring
# your own model](../bring_your_own_model.md).
#
# In [sentence-transformers](https://sbert.net) your `info_nce` is called `MultipleNegativesRankingLoss` (its `scale` of
# 20 is $\tau = 0.05$), exercise 8 is `mine_hard_negatives`, and instead of exercise 9 the batch sampler `NO_DUPLICATES`
# keeps duplicates out of a batch. `CachedMultipleNegativesRankingLoss` computes the same gradient in small parts, so a
# batch may be larger than would fit in memory at once ([Gao et al. 2021](https://arxiv.org/abs/2101.06983)).
#
# <details><summary>Further: a teacher that reads both texts at once</summary>A <em>cross-encoder</em> (chapter 08)
# reads query and passage together: it judges better, but is too slow to search with. It can teach, however. For a
# query, its passage and a hard negative, <em>margin-MSE</em> (Hofstätter and others 2020) requires that the student's
# margin s⁺ - s⁻ (of dot products, which have no bounds) equal the teacher's margin t⁺ - t⁻; the loss is the mean of the
# squared differences, <code>F.mse_loss(s_pos - s_neg, t_pos - t_neg)</code>. The next cell shows what this changes for
# a false negative: InfoNCE pushes it away, while margin-MSE pulls it closer. In E5's fine-tuning on good pairs such a
# teacher is part of the loss.</details>

# %% show exact=true
teacher = torch.tensor([[7.0, 2.0], [6.0, 6.5]])  # scores of passage and negative; the second is a false one
student = torch.tensor([[6.0, 3.0], [7.0, 4.0]], requires_grad=True)
loss = F.mse_loss(student[:, 0] - student[:, 1], teacher[:, 0] - teacher[:, 1])
loss.backward()
print(f"margin-MSE {loss:.3f}, its gradients {student.grad.tolist()}")

# %% [markdown]
# Two practices that are common today are missing here. E5 writes `query: ` or `passage: ` before each text, so that one
# encoder can tell a question from an answer, and newer models put a whole instruction there. If you leave out the
# prefix that a model was trained with, its search gets worse; MiniLM was trained without any. And where a corpus has no
# questions, a language model can write some for each passage: such *synthetic queries* give pairs, and a cross-encoder
# can say how good each pair is ([Wang et al. 2022](https://arxiv.org/abs/2112.07577)).
#
# Read some results before you believe the numbers. Three searches answer four queries (add some of your own): BM25,
# your encoder, and MiniLM tuned by your loss, which is too slow here for all documents and so only reorders the hundred
# that the other two rank best. Which answers would you have wanted, and which words of a query misled the search?

# %% show
EVERY = 1  ### small: 40

asked = ["spread values evenly", "stop training when nothing improves", "draw a circle", "wait for all threads"]
print(docs_search.first_answers(asked, my_encoder, tuned, EVERY))  # among each EVERY-th document

# %% [markdown]
# ## Essay 1: what the negatives do (`negatives`)
#
# 15 minutes, ★★, 10 points, graded by hand
#
# (a) Use the three figures above (temperature, the two signs, collapse) and the numbers under them: why does training
# without negatives end in collapse, although its loss is perfect, and which of alignment and uniformity reveals this
# without any label? (b) In-batch negatives are free; hard ones from BM25 cost a search. According to your table, how
# much did they and the rough pairs help? Name a kind of text for which BM25's hard negatives would mostly be *false*
# ones, and say what `skip` and the groups do about it. (c) A colleague trains on batches of 16 and on batches of 1,024.
# What changes in the task that the loss sets, and what would you monitor? Write about 180 words.

# %% [markdown] essay="negatives" points=10
# ### BEGIN SOLUTION
# (a) If only agreement counts, the encoder can give the same vector to every image: the alignment is 0, and nothing in
# the loss objects. Uniformity, which rises to 0 when all vectors coincide, reveals this without labels; the probe
# confirms it. Negatives drive the points over the sphere, and at a low temperature mostly those nearest to the query
# do. With the sign flipped the loss falls, too, while the classes mix, so a falling loss proves nothing. (b) In my
# table the rough pairs and the good ones change the base's recall by a point or two, and BM25's hard negatives make a
# difference that is no larger than that between two seeds. For texts that repeat each other (one method documented in
# ten classes), the best BM25 hits are right answers: `skip` passes over the top ones, and the groups take out identical
# questions. (c) With 1,024, each query must find its key among 1,023 others: a harder task, with a tighter bound on the
# mutual information, more hard negatives by chance, and more duplicates, which are false negatives. I would monitor
# recall on held-out pairs and not the loss, whose starting value, log N, depends on the batch.
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
# A million passages with 384 numbers each are 1.5 GB, and each search reads them all. Can you keep the first 32 numbers
# and throw the rest away? Not if the loss spreads the information over all of them. *Matryoshka* representations
# ([Kusupati et al. 2022](https://arxiv.org/abs/2205.13147)) are trained for it: every prefix must do the job by itself,
# like the doll inside the doll.
#
# ![The vector 3, 4, 0, 12: its first two numbers become 0.6, 0.8, all four 0.23, 0.31, 0, 0.92; each has a loss of its
# own](figures/nested.svg)
#
# $$L = \frac{1}{|S|} \sum_{n \in S} \mathrm{InfoNCE}\big(\text{first } n \text{ numbers of queries and keys}\big)$$
#
# 1. `shorten(vectors, size)`: the first `size` numbers of each vector $(N, C)$, brought to length 1.
# 2. `matryoshka_loss(queries, keys, sizes, temperature)`: the mean of InfoNCE over the sizes.
#
# By hand, as in the drawing: (3, 4, 0, 12) cut to two numbers is (3, 4), which has length 5, so the result is (0.6,
# 0.8).
#
# <details><summary>Plan</summary><code>shorten</code> cuts every row first and brings it to length 1 afterwards; in the
# other order the result would have a length below 1. <code>matryoshka_loss</code> goes through the sizes: it shortens
# queries and keys to the same size, lets <code>info_nce</code> compute their loss, and takes the mean over all
# sizes.</details>
# <details><summary>Hint 1</summary>You have both parts: <code>info_nce</code> brings its vectors to length 1
# itself.</details>

# %% exercise="matryoshka"
def shorten(vectors: torch.Tensor, size: int) -> torch.Tensor:
    """Return the first `size` numbers of each vector (N, C), brought to length 1, (N, size); zeros stay zeros."""
    ### BEGIN SOLUTION
    return F.normalize(vectors[..., :size], dim=-1)
    ### END SOLUTION


def matryoshka_loss(
    queries: torch.Tensor, keys: torch.Tensor, sizes: list[int], temperature: float = 0.05
) -> torch.Tensor:
    """Return InfoNCE of queries and keys (N, C), shortened to each of `sizes`, averaged over these; a scalar."""
    ### BEGIN SOLUTION
    losses = [info_nce(shorten(queries, size), shorten(keys, size), temperature) for size in sizes]
    return sum(losses) / len(losses)
    ### END SOLUTION

# %% check="matryoshka" points=5

# %% [markdown]
# Here is MiniLM again: as it comes, tuned by InfoNCE, and tuned by your nested loss, each with its vectors cut. How
# many numbers would you pay for? (There is only one seed, so trust large differences only.)

# %% show
CUTS = [16, 32, 64, 128, 384]

nested = minilm.tuned_on_docs(train_pairs, lambda queries, keys: matryoshka_loss(queries, keys, CUTS), SEED, STEPS)
models = {"as it comes": minilm.as_it_comes, "tuned by InfoNCE": tuned, "tuned by the nested loss": nested}
print(short_and_late.cut_table(bodies, models, CUTS, shorten))

# %% [markdown]
# Look at both ends of the rows. Short vectors gain from the nested loss; the whole vector has nothing to gain and may
# lose a little, since its first numbers had to learn to work alone. sentence-transformers calls this loss
# `MatryoshkaLoss`.
#
# ## Exercise 12: late interaction, MaxSim (`maxsim`)
#
# 25 minutes, ★★★, 6 points
#
# Now go the other way and pay more. A single vector must hold everything that a passage says, whatever the question
# will be. *Late interaction* (ColBERT, [Khattab and Zaharia 2020](https://arxiv.org/abs/2004.12832)) keeps a vector for
# each *token*. Each token of the query looks for its best match among the tokens of the passage, and the similarities
# of these matches are added up:
#
# ![Two query tokens against the tokens of two passages: the maxima are 1.0 and 0.8 in the first, 0.8 and 0.8 in the
# second; the sums are 1.8 and 1.6](figures/maxsim.svg)
#
# $$s(q, p) = \sum_{i} \max_{t}\; \cos(q_i, p_t)$$
#
# The passages' vectors are still computed once and stored, so it's far cheaper than a cross-encoder (chapter 08), which
# has to read query and passage together for each pair.
#
# `max_sim(queries, query_mask, passages, passage_mask)` scores every query against every passage, $(Q, P)$. Padding of
# a query adds nothing; padding of a passage never wins, even if all cosines are below 0.
#
# By hand, as in the drawing: in passage 1 the query's first token has the cosines 0.6, 1.0 and 0.8 and takes 1.0; the
# second token has 0.8, 0.0 and 0.6 and takes 0.8. The sum is 1.8.
#
# <details><summary>Plan</summary>Bring all token vectors to length 1, and compute the cosines of every query token with
# every passage token, (Q, P, I, T). Find each query token's best match, (Q, P, I), and add the matches up, (Q, P).
# Padding matters twice: deal with that of the passages before you take the maximum, and with that of the queries before
# you add.</details>
# <details><summary>Hint 1</summary>All cosines at once are <code>torch.einsum("qic,ptc->qpit", a, b)</code>, a table
# (Q, P, I, T).</details>
# <details><summary>Hint 2</summary>Set the cosines of passage padding to minus infinity before the maximum; multiply
# the maxima of query padding by 0 after it.</details>

# %% exercise="maxsim"
def max_sim(
    queries: torch.Tensor, query_mask: torch.Tensor, passages: torch.Tensor, passage_mask: torch.Tensor
) -> torch.Tensor:
    """Return the scores (Q, P) of late interaction.

    queries (Q, I, C) and passages (P, T, C): a vector of any length for each token; query_mask (Q, I) and passage_mask
    (P, T): True at tokens, False at padding, which may be anywhere; each text has at least one token.
    """
    ### BEGIN SOLUTION
    a, b = F.normalize(queries, dim=-1), F.normalize(passages, dim=-1)
    cosines = torch.einsum("qic,ptc->qpit", a, b)  # (Q, P, I, T)
    cosines = cosines.masked_fill(~passage_mask[None, :, None], -torch.inf)
    return (cosines.amax(-1) * query_mask[:, None]).sum(-1)
    ### END SOLUTION

# %% check="maxsim" points=6

# %% [markdown]
# We use MaxSim as search engines do: a search with one vector per text finds candidates, and MaxSim reorders the first
# twenty. The token vectors are MiniLM's, and its training used only their *mean*. ColBERT is trained with your function
# in place of the cosine. MRR tells whether right passages move up, recall whether they stay among the first ten; the
# first line tells what it costs. Token vectors that are trained for this are worth their cost: on MS MARCO
# [ColBERTv2](https://arxiv.org/abs/2112.01488) reports an MRR@10 of 39.7, and 38.8 for the best encoder with one vector
# for each text.

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
# 2019](https://arxiv.org/abs/1908.10084)), after which MiniLM's library, sentence-transformers, is named, puts the
# vectors $u$ and $v$ of the two texts and their absolute difference, number by number, side by side. A linear layer
# chooses among $K$ classes:
#
# $$o = W\,[\,u;\; v;\; |u - v|\,] + b, \qquad W \text{ of shape } (K, 3C), \quad b \text{ of shape } (K)$$
#
# Why the third part? A *linear* layer on $u$ and $v$ alone cannot compare them: its logit is a sum of one part from $u$
# and one from $v$. And why $b$, which the paper's formula lacks but its library has? Without it, if all features
# double, all logits double, and the class stays the same: the head could not tell near from far.
#
# - `pair_features(u, v)` returns $u$, $v$ and $|u - v|$ in this order, $(B, 3C)$.
# - `pair_logits(u, v, weight, bias)` returns the logits $o$, $(B, K)$, for `weight` $(K, 3C)$ and `bias` $(K,)$: no
#   softmax.
#
# By hand: $u = (1, 2)$ and $v = (3, 1)$ give the features $(1, 2, 3, 1, 2, 1)$. A class with the weights
# $(1, 0, -1, 0, 2, 1)$ and the bias 0.5 gets the logit $1 - 3 + 4 + 1 + 0.5 = 3.5$.
#
# <details><summary>Hint 1</summary><code>torch.cat</code> with <code>dim=-1</code> puts tensors side by side.</details>
# <details><summary>Hint 2</summary>Each row of <code>weight</code> is for one class, so the features (B, 3C) are
# multiplied by its transpose, (3C, K).</details>

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
# The task: are two sentences of the docs from the same document, from two documents of one library, or from two
# libraries? Your encoder stays frozen; the weights and the bias of your `pair_logits` are learned from half of the
# pairs and judged on the other half. In the first two rows the head sees only a part of the features.

# %% show
COUNT = 3000  ### small: 120

u, v, kinds = sentence_pairs.encoded(my_encoder, COUNT, SEED)
for name, used in {"u, v": (1, 1, 0), "|u - v|": (0, 0, 1), "u, v, |u - v|": (1, 1, 1)}.items():
    print(f"{name:<16} accuracy {sentence_pairs.head_accuracy(pair_logits, u, v, kinds, used):.3f} (by chance 0.333)")

# %% [markdown]
# The distance is what counts; here $u$ and $v$ add nothing to it. They do help when the encoder itself is trained
# through the head. Sentence-BERT was trained in this way on sentence pairs with labels (NLI), and on the development
# part of STS-B its paper reports a Spearman correlation (times 100) of 66.04 with $u$ and $v$, 69.78 with $|u - v|$,
# and 80.78 with all three.

# %% [markdown]
# ## Is it any good? An evaluation with several tasks
#
# One number can mislead. The benchmark MTEB ([Muennighoff et al. 2023](https://arxiv.org/abs/2210.07316)) judges an
# encoder on English tasks of seven kinds (an eighth kind has pairs of languages): classification, clustering, pair
# classification (do two texts mean the same?), re-ranking, retrieval, STS (how similar are two sentences?) and
# summaries. E5's table (Wang et al. 2022) can be checked, since its average weights each kind by the number of its data
# sets:

# %% show exact=true
print(e5_table.beside(np.average(e5_table.means(), axis=1, weights=list(e5_table.SETS.values()))))

# %% [markdown]
# One average differs from the printed one by more than .05. It needn't be an error: the mean of each kind was rounded,
# too, so rounding can account for a difference of up to .1.
#
# Now read the table by columns. BERT as it comes is *worse* at retrieval than averaged word vectors: training on masked
# words does not give texts of similar meaning nearby vectors. Training on pairs does: pairs that dropout makes of one
# text (SimCSE) nearly double BERT's score, and E5's rough pairs bring it to about four times that of BERT. The phase of
# good pairs (compare E5-base with its row of rough pairs alone) helps STS most, and clustering not at all.
#
# Recall, reciprocal rank and nDCG are exercises in [chapter 08](../08_rag/08_rag.ipynb). For clusters you need one more
# measure.
#
# ## Exercise 14: do clusters match classes? V-measure (`v-measure`)
#
# 18 minutes, ★★, 4 points
#
# Clusters have no names, so accuracy makes no sense. V-measure ([Rosenberg and Hirschberg
# 2007](https://aclanthology.org/D07-1043/)) asks two questions: does each cluster hold one class only (*homogeneity*),
# and is each class in one cluster only (*completeness*)? Both are defined by the entropies of the classes $C$ and the
# clusters $K$, which are computed from counts:
#
# $$h = 1 - \frac{H(C \mid K)}{H(C)}, \qquad c = 1 - \frac{H(K \mid C)}{H(K)}, \qquad V = \frac{2hc}{h + c}$$
#
# where $H(C) = -\sum_c \frac{n_c}{n} \log \frac{n_c}{n}$ and $H(C \mid K) = -\sum_{c,k} \frac{n_{ck}}{n} \log
# \frac{n_{ck}}{n_k}$. If $H(C) = 0$ (a single class), $h = 1$; likewise $c = 1$ if $H(K) = 0$. If $h + c = 0$, $V = 0$.
#
# `v_measure(classes, clusters)` takes two lists of equal length, never empty, each of integers or of words, and returns
# a float (the same as `sklearn.metrics.v_measure_score`, which is not to be called).
#
# By hand: for the classes (x, x, y, y) and the clusters (0, 0, 1, 2), every cluster is pure, so $h = 1$; class y is
# split in two, so $H(K) = 1.5$ bits, $H(K \mid C) = 0.5$ bits, $c = 2/3$ and $V = 0.8$. (The base of the logarithm
# cancels.)
#
# <details><summary>Plan</summary>Write one helper that takes a list of labels and returns its entropy. You need it
# three times: for the classes, for the clusters, and for the pairs of class and cluster, item by item. The two
# conditional entropies follow from these three numbers; it is worth a minute with pencil and paper to find out how.
# Compute h, c and V last, each with its special case where a divisor is 0.</details>
# <details><summary>Hint 1</summary>H(C | K) = H(C, K) - H(K), where H(C, K) is the entropy of the pairs.</details>
# <details><summary>Hint 2</summary><code>collections.Counter(zip(classes, clusters))</code> counts the pairs.</details>

# %% exercise="v-measure"
def v_measure(classes: list, clusters: list) -> float:
    """Return the V-measure of clusters (n,) and classes (n,), from 0 to 1; labels are compared as they are."""
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
# Rows are models and columns are tasks, as in MTEB. BM25 and your encoder have two rivals: the mean of chapter 02's
# word vectors, and the reference encoder. Retrieval is nDCG@10 on the docs, and on SciFact (claims of research papers,
# which none of our models was trained for). STS is the Spearman correlation between cosines and human scores on STS-B,
# which must be downloaded; a dash means that it isn't there. Clustering is the V-measure of $k$-means on the inbox's
# intents. Classification is the accuracy of a linear probe on the same intents, with ten labelled examples of each.
# Does the best model for retrieval also win elsewhere?

# %% show
MESSAGES = 3000  ### small: 300
SETS = ("scifact", "stsb")  ### small: ()

print(text_tasks.TextTasks(task, MESSAGES, SETS, v_measure).table(bm25, my_encoder))

# %% [markdown]
# ## Pictures and sentences: a small CLIP
#
# InfoNCE does not require that both sides of a pair be of the same kind. CLIP ([Radford et al.
# 2021](https://arxiv.org/abs/2103.00020)) has an image encoder and a text encoder whose vectors share one space, and
# trains them on images and their captions. A class is then described instead of learned: the caption nearest to an
# image is the answer, and a *new* caption defines a new class.
#
# ## Exercise 15: classes as points (`prototypes`)
#
# 12 minutes, ★★, 5 points
#
# One point for each class is enough to classify. It may be computed from a few examples (*few-shot*, Snell et al. 2017)
# or from several captions of the class (CLIP's prompts).
#
# 1. `prototypes(vectors, labels, num_classes)` brings each vector of $(N, C)$ to length 1, takes the mean for each
#    class, and brings that to length 1 again; it returns $(K, C)$. A class without examples gets zeros.
# 2. `nearest(vectors, points)` returns, for each vector of $(M, C)$, the number of the point of $(K, C)$ with the
#    largest *cosine*, as integers $(M,)$; of equal cosines the smallest number wins. A point of zeros has cosine 0, as
#    in exercise 1.
#
# By hand: class 0 has the vectors (2, 0) and (0, 5). Their unit vectors are (1, 0) and (0, 1), the mean is (0.5, 0.5),
# and the prototype is (0.707, 0.707).
#
# <details><summary>Plan</summary><code>prototypes</code> brings every vector to length 1, adds the vectors of each
# class into one row, (K, C), and brings that row to length 1; an empty class must come out as zeros. For
# <code>nearest</code> you have all you need from exercise 1: compute the table of cosines, (M, K), and find the
# position of the largest number in each row.</details>
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
    """Return, for each of vectors (M, C), which of the points (K, C) has the largest cosine to it: numbers (M,)."""
    ### BEGIN SOLUTION
    return cosine_similarities(vectors, points).argmax(dim=1)
    ### END SOLUTION

# %% check="prototypes" points=5

# %% [markdown]
# Now we pair the digits with captions. SimCLR's network encodes the images; a caption is the weighted sum of its
# tokens' vectors, as a text of the docs was. Seven of the ten caption templates are used in training, the other three
# never ("a blurry photo of ...", "{} in black and white", "this is ..."). In a batch of 128 digits each class occurs
# about a dozen times, so a dozen captions of a batch are right for a digit, and all but one would be false negatives:
# your `masked_info_nce` leaves them out. The loss is computed in both directions, to find the caption of an image and
# the image of a caption, as in CLIP's own loss; that one learns its temperature, too, and you write it in [chapter
# 11](../11_beyond/11_beyond.ipynb) (`clip-loss`).
#
# All ten digits occur in training, so this is classification by captions and not yet *zero-shot*: the captions are new,
# but the classes are not. It would be easy to claim more.

# %% show
STEPS = 150  ### small: 4


def clip_loss(seen, told, labels):  # vectors of images and of captions (B, C): each must find the other
    return (masked_info_nce(seen, told, labels, 0.1) + masked_info_nce(told, seen, labels, 0.1)) / 2


clip, _ = image_text.train(digits, clip_loss, augment, SEED, STEPS)

# %% show
zero_shot = image_text.ZeroShot(clip, digits, prototypes, nearest)
print(image_text.table(zero_shot, runs[0].encoder))
plots.show(*plots.confusion(zero_shot.confusion(image_text.UNSEEN), digits.classes))

# %% [markdown]
# In a zero-shot test, the model must recognise classes that were held out of training. So we draw each digit in three
# styles, bright, dim and framed, which makes thirty classes. For each digit one style is held out, both as images and
# as captions. A new model must put "a dim picture of the digit seven" together from what it knows about *dim* and
# *seven*, and prefer it to 29 other captions, 20 of which it has seen.

# %% show
print(new_classes.table(new_classes.train(digits, clip_loss, augment, SEED, STEPS), digits, prototypes, nearest))

# %% [markdown]
# Compare the result with chance (1 in 30) and with the training classes: the model is drawn to captions that it has
# seen. CLIP's own zero-shot ability rests on 400 million pairs. It recognises classes that no one labelled for it; but
# words that it has never read mean nothing to it, as with our small model.
#
# ## A map of the docs
#
# Here is the reward. We encode thousands of documents, cluster them, draw them in the plane, and describe each cluster
# by its most typical words. The last step needs one more formula, *c-TF-IDF*.
#
# BERTopic ([Grootendorst 2022](https://arxiv.org/abs/2203.05794)) puts the documents of each cluster together and asks
# which words are frequent *there* and rare elsewhere. From the counts $n_{kv}$ of word $v$ in cluster $k$, an array
# $(K, V)$:
#
# $$w_{kv} = \frac{n_{kv}}{\sum_u n_{ku}} \cdot \log\Big(1 + \frac{A}{f_v}\Big)$$
#
# where $f_v = \sum_k n_{kv}$ is the number of times the word occurs in all clusters together, and $A$ is the mean
# number of words in a cluster. It is a variant of chapter 01's TF-IDF with a cluster in the place of a document;
# `topics.c_tf_idf` computes it in four lines.
#
# The vectors are the reference encoder's. t-SNE, which draws the map, keeps neighbours close together, but its large
# distances mean nothing. Which clusters belong to one library, and which gather things that several libraries have in
# common?

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
# (a) In the retrieval tables, what can BM25 do that the encoder cannot, and the other way round? Why does combining two
# searches help, and why not more? Use two of the queries whose results you read. (b) Only one passage counts as right
# for each query, and the queries are first sentences. Name one way in which this flatters BM25 or the encoder, and one
# in which it is unfair; what would a better test set look like? (c) The evaluation table has five tasks. Which of them
# would you trust when you choose an encoder for the search in chapter 08, and which would mislead you? Write about 180
# words.

# %% [markdown] essay="numbers" points=10
# ### BEGIN SOLUTION
# (a) BM25 finds rare words exactly and handles length well; the encoder relates words that occurred together in
# training pairs, and pieces of names. Combining them helps where one ranks high what the other misses; but both are
# built on words, so they often err together, and the gain is a few points. "Stop training when nothing improves" shares
# hardly a word with `ReduceLROnPlateau`, which MiniLM alone puts first; "spread values evenly" misleads even MiniLM,
# which takes "spread" to mean variance. (b) Authors repeat the words of the first sentence in the body, which flatters
# everything that counts words; other passages that answer equally well count as wrong, which is most unfair to a model
# that finds them. A better test set would have questions by people who have not read the passage, several answers with
# graded judgements for each, and modules unseen in training, as here. (c) I would trust the retrieval columns, above
# all the one on the docs, since it is the same task in the same domain. SciFact shows how well a model transfers.
# V-measure and the probe on the inbox say little about search in documentation; STS rewards agreement on everyday
# sentences, which our encoder has never read. I would not choose by the mean over all tasks.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 4 points: names complementary strengths from the output; combining gains where errors differ; discusses two queries.
# 3 points: a single relevant passage (unfair), overlap of first sentence and body (flattering); a better test set.
# 3 points: chooses columns by task and domain with reasons; warns of the mean over tasks.
# ### END MARK SCHEME

# %% [markdown]
# ## The benchmarks, and what is saved
#
# Four models take the course's two benchmarks. Three are linear probes: on your encoder, which was trained on the docs
# and never saw a message; on MiniLM as it comes; and on MiniLM tuned on the docs. The fourth is MiniLM tuned by your
# loss on the few labelled examples themselves: two requests of one intent are a pair, those of other intents in the
# batch are negatives, and a probe follows, as in SetFit (Tunstall et al. 2022).

# %% show
PART = 1  # with 20, one of twenty intents and messages  ### small: 40
ROUNDS = 3  ### small: 1; gpu: 5
QUESTIONS = 5  # of the 30 of each intent, for MiniLM  ### small: 3; gpu: 30

benchmarks.take("07", "encoder of the docs, linear probe", benchmarks.linear_probe(my_encoder.encode), every=PART)
for name, model in minilm.classifiers(tuned, info_nce, ROUNDS).items():
    benchmarks.intents("07", name, model, questions=QUESTIONS, every=PART)
benchmarks.show("07")

# %% [markdown]
# MiniLM already knows that *film* and *movie* mean the same, and stays far above your encoder whatever it was tuned on.
# Tuning on the docs brings no gain here: tuning helps with the task that a model is tuned on. (Its cost on other tasks
# is called *forgetting*, and chapter 09 measures it.) See whether tuning on the labels themselves helps with five
# examples of an intent, or with ten. With a single example there is little to learn: a pair is then one text twice,
# with two different dropout masks. Each run answers five questions for each of 150 intents; a difference of two in a
# hundred may be chance.

# %% show
print(results := f"recall@10 {task.measure(mine)[0]:.3f} (BM25 {task.measure(bm25)[0]:.3f})")
print(phases.save(my_encoder, train_pairs, 2 * PHASE, results).name, "saved")

# %% [markdown] text="quiz"

# %% [markdown]
# ## What you built, and what breaks next
#
# You built losses that pull and push; an image encoder that needs few labels, a text encoder that searches, and one
# space for both; vectors that can be cut short, and a search that compares token by token; and a map of the docs. All
# of them came from pairs, a temperature and batches, and from a loss that you wrote in a few lines.
#
# What breaks next: the search returns *passages*. Someone who asks "how do I wait for a thread?" wants an answer, with
# its source, and wants to be told if the docs do not say. [Chapter 08](../08_rag/08_rag.ipynb) adds a reader to the
# search.
#
# **Saved:** the artifact *docs-encoder*, your own; your rows of the leaderboard.

# %% [markdown] text="further"
