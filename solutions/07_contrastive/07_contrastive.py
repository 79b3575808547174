# %% [markdown]
# # 07 Contrastive learning: pull together, push apart
#
# **What you will build.** Encoders that learn from pairs alone: the losses (margin, softmax triplet, InfoNCE, NT-Xent),
# SimCLR on handwritten digits, a search engine for the docs that finds a text by what it means, a small CLIP that
# recognises digits by sentences, the evaluation that tells whether any of it is good, and a map of the docs.
#
# **What you need.** Cosine similarity and BM25 ([chapter 01](../01_spam/01_spam.ipynb)), word vectors
# ([02](../02_word_vectors/02_word_vectors.ipynb)), attention ([04](../04_attention/04_attention.ipynb)), the tokenizer
# as [chapter 06](../06_tokenizers/06_tokenizers.ipynb) makes it (the artifact *docs-tokenizer* is enough),
# cross-entropy and `fit`.
#
# **Points.** 100: fourteen exercises checked by machine (80) and two short essays (20). Allow about six hours. The
# whole notebook, once written, runs in about three minutes on two cores.
#
# Notation: $N$ pairs in a batch; $x_i$ and $x_i^+$ belong together; $f$ the encoder; $C$ numbers in a vector; $s$ a
# similarity, $s^+$ that of a pair and $s^-$ that of a text and one that does not belong to it; $\tau$ the temperature.
# Rows are examples, so a table of similarities has a row for each query and a column for each candidate. Functions
# return new values in the dtype that they get (float64 stays float64); none changes its arguments. A loss is a scalar
# tensor, and autograd must find its way back through it to both of its inputs.

# %% given
import math
import re

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from helpers import data, plots
from helpers.course import artifacts, leaderboard, notebook
from helpers.course.claims import claim
from helpers.device import SEED, budget, seed_everything
from helpers.models.docs_encoder import Encoder, TextEncoder, bag, load_encoder, shared_reader
from helpers.search.translation_model import Translation, docs_pairs
from helpers.search.bm25 import BM25, SENTENCE_END, docs_task, fused, plain_words, summed
from helpers.training import fit

notebook.prepare("07_contrastive")

# %% [markdown]
# ## What does "alike" mean?
#
# A classifier is told the right answer. An encoder is told less: these two belong together, those two do not. From
# that it must find vectors in which near means alike. Everything begins with how near is measured.
#
# ## Exercise 1: similarity, temperature, and what they do to the gradient (`similarity`)
#
# 20 minutes, ★★, 6 points
#
# Vectors are brought to length 1 first, so that only their direction counts; the dot product is then the *cosine*,
# between -1 and 1:
#
# $$s_{ij} = \frac{a_i \cdot b_j}{\lVert a_i \rVert \, \lVert b_j \rVert}$$
#
# `cosine_similarities(a, b)` returns the table $(N, M)$ of all pairs of rows. A row of zeros has no direction: its
# similarity to everything is 0.
#
# To choose one of $M$ candidates, similarities are divided by a *temperature* $\tau$ and go through softmax:
# $p_{ij} = \exp(s_{ij}/\tau) / \sum_k \exp(s_{ik}/\tau)$. The loss of query $i$, whose right candidate is $r_i$, is
# $-\log p_{i r_i}$, and the loss of a batch is the mean over its $N$ queries. Its gradient with respect to the
# similarities is what pulls and pushes:
#
# $$\frac{\partial L}{\partial s_{ij}} = \frac{1}{N\tau}\,\big(p_{ij} - [\,j = r_i\,]\big)$$
#
# Negative at the right candidate (a step downhill raises its similarity), positive at all others, and *larger for those
# that score high*: InfoNCE looks for hard negatives by itself. The smaller $\tau$, the more so.
#
# `score_gradient(scores, right, temperature)` returns this gradient, shape $(N, M)$, for similarities `scores`
# $(N, M)$ and the indices `right` $(N,)$. Compute it by the formula. Large similarities must not overflow.
#
# By hand: similarities (1, 0) with the first one right and $\tau = 1$: $p = (0.731, 0.269)$, gradient (-0.269, 0.269).
# With $\tau = 0.5$: $p = (0.881, 0.119)$, gradient (-0.238, 0.238).
#
# <details><summary>Hint 1</summary><code>F.normalize(a, dim=-1)</code> leaves a row of zeros as it is.</details>
# <details><summary>Hint 2</summary><code>F.one_hot(right, M)</code> is 1 at the right candidates.</details>

# %% exercise="similarity"
def cosine_similarities(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Return the cosines (N, M) of the rows of a (N, C) with the rows of b (M, C)."""
    ### BEGIN SOLUTION
    return F.normalize(a, dim=-1) @ F.normalize(b, dim=-1).T
    ### END SOLUTION


def score_gradient(scores: torch.Tensor, right: torch.Tensor, temperature: float) -> torch.Tensor:
    """Return the gradient (N, M) of the mean of -log softmax(scores / temperature) at `right` (N,), by the formula."""
    ### BEGIN SOLUTION
    chances = torch.softmax(scores / temperature, dim=-1)  # (N, M)
    return (chances - F.one_hot(right, scores.shape[1])) / (temperature * len(scores))
    ### END SOLUTION

# %% check="similarity" points=6

# %% [markdown]
# One query, its own text at similarity 0.6, and negatives between -0.5 and 0.7. How hard is each pushed away, at
# four temperatures? At 1 the nearest is pushed three times as hard as the farthest. At 0.05, 86% of the push goes to
# the two negatives that score above the right answer. What would a temperature near 0 do?

# %% show
negatives = torch.linspace(-0.5, 0.7, 25)
one_query = torch.cat([torch.tensor([0.6]), negatives])[None]  # (1, 26)
pushes = {}
for temperature in (1.0, 0.3, 0.1, 0.05):
    push = score_gradient(one_query, torch.tensor([0]), temperature)[0, 1:]
    pushes[f"temperature {temperature:g}"] = (push / push.sum()).numpy()
plots.show(*plots.lines(negatives, pushes, "similarity of the negative", "share of the push", log="y"))

# %% [markdown]
# ## Exercise 2: triplets, and a sign that is wrong (`triplet`)
#
# 15 minutes, ★, 6 points
#
# The oldest contrastive loss looks at three examples: $x$, a positive $v^+$, a negative $v^-$. One lecture prints it as
#
# $$L(x, v^-, v^+) = -\max\big(s^- - s^+ + m,\; 0\big)$$
#
# with a margin $m$. Try it before you trust it: take $m = 0.5$. In the good triplet, $s^+ = 0.9$ and $s^- = 0.2$; in
# the bad one, $s^+ = 0.5$ and $s^- = 0.8$. Which of the two has the *smaller* printed loss? Training makes a loss
# small. What would an optimiser do with this one?
#
# 1. `margin_loss(positive, negative, margin)`: the loss as it should be: 0 where the positive is ahead by at least the
#    margin, and otherwise by how much it falls short, a number above 0. The mean over the batch.
# 2. `softmax_triplet(positive, negative, temperature)`: the soft version,
#    $-\log \frac{\exp(s^+/\tau)}{\exp(s^+/\tau) + \exp(s^-/\tau)}$, the mean over the batch. It must not overflow where
#    $s/\tau$ is in the hundreds.
#
# Both get similarities $(N,)$ and return a scalar tensor.
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
# The printed sign, tried out. Twenty points on a circle in two classes; the same start, the same steps, once with each
# sign.

# %% show
def circle_run(sign: float, steps: int) -> tuple[torch.Tensor, torch.Tensor, float]:
    """Train twenty free points with the margin loss times `sign`; returns (points, classes, share well placed)."""
    draw = seed_everything(SEED)
    points = torch.randn(20, 2, generator=draw).requires_grad_()
    classes = torch.arange(20) % 2
    optimizer = torch.optim.Adam([points], lr=0.05)
    for _ in range(steps):
        z = F.normalize(points, dim=-1)
        anchor = torch.randperm(20, generator=draw)
        steps_on = torch.randint(1, 10, (2, 20), generator=draw)
        positive, negative = z[(anchor + 2 * steps_on[0]) % 20], z[(anchor + 2 * steps_on[1] + 1) % 20]
        optimizer.zero_grad()
        (sign * margin_loss((z[anchor] * positive).sum(-1), (z[anchor] * negative).sum(-1))).backward()
        optimizer.step()
    z = F.normalize(points.detach(), dim=-1)
    table = cosine_similarities(z, z).fill_diagonal_(-2)
    return z, classes, (classes[table.argmax(1)] == classes).float().mean().item()


fig, axes = plots.figure(columns=2, width=7, height=3.4)
told = []
for ax, (title, sign) in zip(axes, {"the loss as it should be": 1.0, "as it was printed": -1.0}.items(), strict=True):
    z, classes, share = circle_run(sign, budget(grade=50, cpu=300))
    for c, marker in enumerate("o^"):
        ax.plot(*z[classes == c].T, marker, color=plots.COLORS[c], markersize=8, alpha=0.7, label=f"class {c + 1}")
    ax.set(title=f"{title}\nnearest neighbour right: {share:.0%}", aspect="equal", xlim=(-1.3, 1.3), ylim=(-1.3, 1.3))
    told.append(f"{title}: the nearest neighbour is of the same class for {share:.0%}")
axes[1].legend(loc="center", fontsize=8)
plots.show(fig, f"Twenty points of two classes on a circle after training. {'; '.join(told)}.")

# %% [markdown]
# ## Exercise 3: InfoNCE (`info-nce`)
#
# 20 minutes, ★★, 7 points
#
# One negative teaches little. In a batch of $N$ pairs every query has one right key and $N - 1$ wrong ones for free,
# the *in-batch negatives*. InfoNCE is the cross-entropy of finding the right one:
#
# $$L = -\frac{1}{N} \sum_{i=1}^{N} \log \frac{\exp(s_{ii}/\tau)}{\sum_{j=1}^{M} \exp(s_{ij}/\tau)}$$
#
# $s_{ij}$ is the *cosine* of query $i$ and key $j$. There may be more keys than queries: `keys` is $(M, C)$ with $M
# \geq N$, the first $N$ rows belong to the queries in their order, and the rest are negatives for all. Each query
# chooses among the keys, and that is all: no second direction.
#
# By hand: two queries (1, 0) and (0, 1), keys the same, $\tau = 1$: each has similarities 1 and 0, the loss is $\log(1
# + e^{-1}) = 0.3133$.
#
# <details><summary>Hint 1</summary>The right class of row i is i: <code>torch.arange(N)</code>.</details>
# <details><summary>Hint 2</summary><code>F.cross_entropy(scores, right)</code> takes the softmax itself.</details>

# %% exercise="info-nce"
def info_nce(queries: torch.Tensor, keys: torch.Tensor, temperature: float = 0.05) -> torch.Tensor:
    """Return the mean loss of finding key i with query i: queries (N, C), keys (M, C), M >= N; a scalar."""
    ### BEGIN SOLUTION
    scores = cosine_similarities(queries, keys) / temperature  # (N, M)
    return F.cross_entropy(scores, torch.arange(len(queries), device=scores.device))
    ### END SOLUTION

# %% check="info-nce" points=7

# %% [markdown]
# ## SimCLR: pairs without anybody's help
#
# For images there is a cheap source of pairs: change one image twice, so that it stays what it is. SimCLR (Chen et al.
# 2020) takes such views as positives and all other images of the batch as negatives. No label is used.
#
# ## Exercise 4: a shifted image (`shift`)
#
# 12 minutes, ★★, 4 points
#
# The first augmentation moves each image. `shift(images, down, right)` gets images $(B, H, W)$ and whole numbers `down`
# and `right`, each $(B,)$: image $b$ moves `down[b]` rows down and `right[b]` columns to the right; below 0 it moves up
# and to the left. What leaves the frame is lost, and what comes in is 0 (black): nothing comes back on the other side.
# A shift as large as the image leaves only zeros. Return new images of the same shape and dtype.
#
# By hand: the row (1, 2, 3) moved right by 1 is (0, 1, 2), moved left by 2 is (3, 0, 0).
#
# <details><summary>Hint 1</summary>A loop over the images is fine. Pad an image with zeros on all sides, then cut out
# the right window.</details>
# <details><summary>Hint 2</summary>Without a loop: the pixel at row r comes from row r - down[b], if there is
# one.</details>

# %% exercise="shift"
def shift(images: torch.Tensor, down: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """Return images (B, H, W), each moved by down (B,) rows and right (B,) columns, zeros where nothing came."""
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
# small patch. What it must *not* do is mirror: a mirrored 2 is no 2. Which changes leave an image what it is, is
# knowledge about the world, and it is the only knowledge that SimCLR is given.

# %% given
digits = data.load("digits")


def to_tensor(images: np.ndarray) -> torch.Tensor:
    """Return uint8 images (n, H, W) as floats from 0 to 1."""
    return torch.from_numpy(images).float() / 255


def augment(images: torch.Tensor) -> torch.Tensor:
    """Return one random view of each image (B, H, W) of floats from 0 to 1."""
    B, H, W = images.shape
    turn, size = (torch.rand(B) - 0.5) * 0.7, 1 + (torch.rand(B) - 0.5) * 0.35
    zero = torch.zeros(B)
    grid = torch.stack([
        torch.stack([turn.cos() * size, -turn.sin() * size, zero], -1),
        torch.stack([turn.sin() * size, turn.cos() * size, zero], -1),
    ], 1)
    places = F.affine_grid(grid, (B, 1, H, W), align_corners=False)
    images = F.grid_sample(images[:, None], places, align_corners=False)[:, 0]
    reach = max(H // 8, 1)
    images = shift(images, torch.randint(-reach, reach + 1, (B,)), torch.randint(-reach, reach + 1, (B,)))
    patch = torch.ones(B, H, W)
    side = H // 4
    rows, columns = torch.randint(H - side, (B,)), torch.randint(W - side, (B,))
    for b in range(B):
        patch[b, rows[b] : rows[b] + side, columns[b] : columns[b] + side] = 0
    bright = 0.7 + 0.6 * torch.rand(B, 1, 1)
    return (images * patch * bright + 0.08 * torch.randn(B, H, W)).clamp(0, 1)

# %% show
seed_everything(SEED)
some = to_tensor(digits.train[:6])
views = torch.stack([some, *(augment(some) for _ in range(3))])  # (4, 6, 8, 8)
fig, axes = plots.figure(columns=6, width=8, height=5.4, ratios=(1, 1, 1, 1))
for row, images in zip(axes, views, strict=True):
    for ax, image in zip(row, images, strict=True):
        ax.imshow(image, cmap="gray", vmin=0, vmax=1)
        ax.axis("off")
names = ", ".join(digits.classes[label] for label in digits.train_labels[:6])
plots.show(fig, f"Six digits ({names}), each above three random views of it: moved, turned, brighter, with a hole.")

# %% [markdown]
# ## Exercise 5: NT-Xent (`nt-xent`)
#
# 25 minutes, ★★★, 8 points
#
# $N$ images give $2N$ views: `first` $(N, C)$ and `second` $(N, C)$, where row $i$ of both shows image $i$. Each of the
# $2N$ views must find its partner among the $2N - 1$ *others*. With $z$ the $2N$ rows, `first` above `second`, all
# brought to length 1, $p(i)$ the partner of $i$, and $s$ their cosines:
#
# $$L = \frac{1}{2N} \sum_{i=1}^{2N} -\log \frac{\exp(s_{i\,p(i)}/\tau)}{\sum_{k \neq i} \exp(s_{ik}/\tau)}$$
#
# The sum below leaves out the view itself ($k \neq i$), and nothing else: the partner is in it *once*. NT-Xent is a
# "normalised, temperature-scaled cross-entropy".
#
# By hand: four images whose views agree perfectly and are orthogonal to those of all others ($N = 4$): in the
# denominator stand one $e^{1/\tau}$ and $2N - 2 = 6$ ones, so $L = \log(1 + 6\,e^{-1/\tau})$: 1.165422 for $\tau = 1$,
# 0.594438 for 0.5, 0.000272 for 0.1.
#
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

# %% check="nt-xent" points=8

# %% [markdown]
# The closed form beside your function. What a perfect encoder pays depends on the temperature and on the size of the
# batch: compare losses only at equal both.

# %% show exact=true
print("pairs  temperature  by your function  closed form")
for n in (4, 8, 64):
    for temperature in (1.0, 0.5, 0.1):
        found = nt_xent(torch.eye(n), torch.eye(n), temperature).item()
        print(f"{n:>5}{temperature:>13}{found:>18.4f}{math.log1p((2 * n - 2) * math.exp(-1 / temperature)):>13.4f}")

# %% [markdown]
# ### Train it, and throw half of it away
#
# The encoder $f$ is a small convolutional network; behind it stands a *projection head* $g$, two layers, and the loss
# sees $g(f(x))$. After the training the head is thrown away. What the encoder has learned is measured by a *linear
# probe*: its weights stay as they are, and a logistic regression on its vectors learns from a few labels. Three rivals,
# with the same labels: the pixels themselves; the same network trained on the labels alone (with the same
# augmentations); and SimCLR's vectors *behind* the head.

# %% given
class ImageEncoder(nn.Module):
    """A small convolutional network from images (B, H, W) to vectors (B, C), and a projection head."""

    def __init__(self, d_model: int = 96, projected: int = 32):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 24, 3, padding=1), nn.BatchNorm2d(24), nn.ReLU(),
            nn.Conv2d(24, 48, 3, padding=1, stride=2), nn.BatchNorm2d(48), nn.ReLU(),
            nn.Conv2d(48, d_model, 3, padding=1), nn.BatchNorm2d(d_model), nn.ReLU(),
            nn.AdaptiveMaxPool2d(1), nn.Flatten(),
        )
        self.head = nn.Sequential(nn.Linear(d_model, d_model), nn.ReLU(), nn.Linear(d_model, projected))

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Return the vectors (B, C) in front of the head."""
        return self.features(images[:, None])


def simclr_loss(model, images):
    """NT-Xent of two random views of each image."""
    return nt_xent(*model.head(model(torch.cat([augment(images), augment(images)]))).chunk(2))


def image_batches(images: torch.Tensor, size: int, seed: int):
    """Return a function from the step to a random batch."""
    return lambda step: images[
        torch.randint(len(images), (size,), generator=torch.Generator().manual_seed(seed * 100_003 + step))
    ]


def few_labels(labels: np.ndarray, shots: int, seed: int) -> np.ndarray:
    """Return the places of `shots` random examples of each class."""
    draw = np.random.default_rng(seed)
    return np.concatenate([draw.permutation(np.flatnonzero(labels == c))[:shots] for c in np.unique(labels)])


def probe(train_vectors, train_labels, test_vectors, test_labels) -> float:
    """Return the accuracy of a logistic regression on vectors, scaled to mean 0 and variance 1."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=500))
    return model.fit(train_vectors, train_labels).score(test_vectors, test_labels)

# %% show
SHOTS = (1, 5, 20, 100)


def simclr(images, seed: int, steps: int, size: int = 128, loss=None) -> ImageEncoder:
    """Return an encoder trained without labels."""
    seed_everything(seed)
    model = ImageEncoder()
    fit(model, image_batches(images, size, seed), loss or simclr_loss, steps=steps, lr=4e-3, progress=False)
    return model


def supervised(images, labels, seed: int, steps: int) -> ImageEncoder:
    """Return the same network trained on labelled images, with the same augmentations."""
    seed_everything(seed)
    model = ImageEncoder(projected=10)

    def batch(step):
        return (rows := torch.randint(len(images), (min(64, 2 * len(images)),))), images[rows], labels[rows]

    def loss(model, batch):
        return F.cross_entropy(model.head(model(augment(batch[1]))), batch[2])

    fit(model, batch, loss, steps=steps, lr=4e-3, progress=False)
    return model


@torch.no_grad()
def vectors_of(model: ImageEncoder, images: torch.Tensor, head: bool = False) -> np.ndarray:
    """Return the vectors of images in front of the head, or behind it."""
    found = [model.head(model(part)) if head else model(part) for part in images.split(500)]
    return torch.cat(found).numpy()


def label_curve(images: data.Images, seed: int, steps: int, shots=SHOTS) -> tuple[dict, ImageEncoder]:
    """Return ({method: accuracy for each number of labels}, the encoder trained without labels)."""
    train, test = to_tensor(images.train), to_tensor(images.test)
    model = simclr(train, seed, steps)
    sides = {
        "raw pixels": (train.flatten(1).numpy(), test.flatten(1).numpy()),
        "SimCLR": (vectors_of(model, train), vectors_of(model, test)),
        "SimCLR, behind the head": (vectors_of(model, train, True), vectors_of(model, test, True)),
    }
    curve = {name: [] for name in (*sides, "supervised")}
    for n in shots:
        rows = few_labels(images.train_labels, n, seed)
        for name, (a, b) in sides.items():
            curve[name].append(probe(a[rows], images.train_labels[rows], b, images.test_labels))
        rival = supervised(train[rows], torch.from_numpy(images.train_labels[rows]), seed, steps)
        with torch.no_grad():
            guesses = rival.head(rival(test)).argmax(1).numpy()
        curve["supervised"].append(float((guesses == images.test_labels).mean()))
    return curve, model


SEEDS = range(budget(grade=1, cpu=5))
curves, image_encoders = [], []
for seed in SEEDS:
    curve, image_encoder = label_curve(digits, seed, budget(grade=6, cpu=150))
    curves.append(curve)
    image_encoders.append(image_encoder)
    for name in ("raw pixels", "SimCLR"):
        for i in (0, 1):
            with leaderboard.measured("07", f"{name}, {SHOTS[i]} a class, seed {seed}", "digits") as row:
                row.f1 = curve[name][i]
means = {name: np.mean([c[name] for c in curves], axis=0) for name in curves[0]}
print(f"accuracy on {len(digits.test)} test digits, mean of {len(curves)} seeds, by labels for each class")
print(f"{'':<26}" + "".join(f"{n:>8}" for n in SHOTS))
for name, values in means.items():
    print(f"{name:<26}" + "".join(f"{v:>8.3f}" for v in values))
for i in (0, 1):
    runs = {name: [c[name][i] for c in curves] for name in curves[0]}
    what = f"Accuracy on the digits, labels for each class {SHOTS[i]}"
    claim(f"{what}: SimCLR above raw pixels", runs["SimCLR"], runs["raw pixels"])
    if SHOTS[i] > 1:
        claim(f"{what}: SimCLR above its vectors behind the head", runs["SimCLR"], runs["SimCLR, behind the head"])
plots.show(*plots.lines(SHOTS, means, "labels for each class", "accuracy on the test digits", log="x"))

# %% [markdown]
# The same on Fashion-MNIST, where it is at hand (one seed, a part of its images; on a GPU more).

# %% show
if budget(grade=False, cpu=True):
    try:
        fashion = data.load("fashion_mnist", edition="real")
        size = budget(grade=0, cpu=4000, gpu=60000)
        part = data.Images(
            fashion.train[:size, ::2, ::2], fashion.train_labels[:size],
            fashion.test[:1000, ::2, ::2], fashion.test_labels[:1000], fashion.classes, fashion.phrases, fashion.card,
        )
        curve, _ = label_curve(part, SEED, budget(grade=0, cpu=60, gpu=1500))
        print(f"Fashion-MNIST, every second pixel, {len(part.train):,} images: accuracy by labels for each class")
        for name, values in curve.items():
            print(f"{name:<26}" + "".join(f"{v:>8.3f}" for v in values))
    except data.DataError as error:
        print(f"Left out: {error.problem}")

# %% [markdown]
# ## Exercise 6: alignment and uniformity (`alignment`)
#
# 15 minutes, ★★, 6 points
#
# What does a contrastive loss want? Two things, in tension (Wang and Isola 2020): that pairs lie together, and that
# everything spreads over the whole sphere. Both can be measured; in both, smaller is better. All vectors are brought to
# length 1 first.
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
# Leave out the negatives and ask only that the two views of an image agree. The loss becomes perfect, the encoder
# worthless: it answers the same for every image. (A network that was never trained begins near that state: its random
# layers map all images into a narrow cone. The negatives drive them apart.)

# %% show
def only_align(model, images):
    """The loss without negatives: the two views of an image should agree, and that is all."""
    return alignment(*model.head(model(torch.cat([augment(images), augment(images)]))).chunk(2))


def judged(model) -> tuple[float, float, float]:
    """Return alignment and uniformity of the projected test images, and the accuracy of a probe with 5 labels."""
    seed_everything(SEED)
    train, test = to_tensor(digits.train), to_tensor(digits.test)
    with torch.no_grad():
        first, second = (model.head(model(augment(test))) for _ in range(2))
    rows = few_labels(digits.train_labels, 5, SEED)
    sides = (vectors_of(model, images, True) for images in (train[rows], test))
    accuracy = probe(next(sides), digits.train_labels[rows], next(sides), digits.test_labels)
    return alignment(first, second).item(), uniformity(first).item(), accuracy


seed_everything(SEED)
stages = {
    "not trained": ImageEncoder().eval(),
    "SimCLR": image_encoders[0],
    "without negatives": simclr(to_tensor(digits.train), SEED, budget(grade=6, cpu=80), loss=only_align),
}
print(f"{'':<20}{'alignment':>11}{'uniformity':>12}{'probe behind the head, 5 labels':>34}")
fig, axes = plots.figure(columns=3, width=10, height=3.5)
told = []
for ax, (name, model) in zip(axes, stages.items(), strict=True):
    together, apart, accuracy = judged(model)
    print(f"{name:<20}{together:>11.3f}{apart:>12.3f}{accuracy:>34.3f}")
    z = F.normalize(torch.from_numpy(vectors_of(model, to_tensor(digits.test), True)), dim=-1)
    plane = z @ torch.linalg.svd(torch.from_numpy(vectors_of(image_encoders[0], to_tensor(digits.test), True)))[2][:2].T
    for c in range(10):
        rows = digits.test_labels == c
        ax.plot(*plane[rows].T, "o^sDvPX*od"[c], color=plots.COLORS[c % 7], markersize=3, alpha=0.6)
    ax.set(title=f"{name}\nuniformity {apart:.2f}", xlim=(-1.1, 1.1), ylim=(-1.1, 1.1), aspect="equal")
    told.append(f"{name}: alignment {together:.2f}, uniformity {apart:.2f}")
plots.show(fig, f"Projected test digits on the sphere, seen in one plane, a marker for each digit. {'; '.join(told)}.")

# %% [markdown]
# ## A search engine that understands
#
# BM25 finds words. Who asks the docs to "spread values evenly" may miss `numpy.linspace`, which says "evenly
# spaced numbers". A *bi-encoder* turns the query and each passage into vectors, each by itself, so the passages'
# vectors can be made once and kept. Pairs come from the docs: the first sentence of a docstring belongs to the rest of
# it, as a title belongs to its passage in E5's training data (Wang et al. 2022).
#
# ## Exercise 7: from token vectors to one vector (`pooling`)
#
# 12 minutes, ★, 6 points
#
# An encoder gives a vector for each token, $(B, T, C)$; a text needs one. `pool(hidden, mask, how)` returns $(B, C)$.
# `mask` $(B, T)$ is True at tokens and False at padding; padding may stand anywhere except at the first place, and must
# not have any influence. `how` is one of:
#
# - `"cls"`: the vector of the first token, which is [CLS];
# - `"mean"`: the mean of the vectors of the tokens;
# - `"max"`: of each of the $C$ numbers the largest among the tokens (which may be below 0).
#
# <details><summary>Hint 1</summary>For the mean, multiply by the mask, sum over the tokens, and divide by the number of
# tokens of each text.</details>
# <details><summary>Hint 2</summary>For the maximum, put minus infinity where the mask is False:
# <code>hidden.masked_fill(~mask[..., None], -torch.inf)</code>.</details>

# %% exercise="pooling"
def pool(hidden: torch.Tensor, mask: torch.Tensor, how: str) -> torch.Tensor:
    """Return one vector (B, C) for each text from hidden (B, T, C) and mask (B, T), True at tokens."""
    ### BEGIN SOLUTION
    if how == "cls":
        return hidden[:, 0]
    if how == "max":
        return hidden.masked_fill(~mask[..., None], -torch.inf).amax(dim=1)
    weights = mask[..., None].to(hidden.dtype)  # (B, T, 1)
    return (hidden * weights).sum(dim=1) / weights.sum(dim=1)
    ### END SOLUTION

# %% check="pooling" points=6

# %% [markdown]
# Which pooling learns fastest? A transformer layer over the first 40 tokens, trained from nothing with your InfoNCE,
# once with each pooling. Each query must find its passage among a thousand, all of documents not trained on. A few
# seconds of training are far too little for a transformer; the rates are for comparing the poolings.

# %% given
docs, reader = data.load("docs"), shared_reader()
VOCABULARY = reader.tokenizer.get_vocab_size()
CLS, PAD = (reader.tokenizer.token_to_id(token) for token in ("[CLS]", "<|pad|>"))


class DocPair:
    """A training pair as token ids: the summary, and the sentences of the rest of the body."""

    def __init__(self, name: str, body: str):
        self.name, self.summary_text, self.body_text = name, docs[name].summary, body
        self.summary = np.array(reader(self.summary_text), dtype=np.int64)
        self.sentences = [np.array(reader(s), dtype=np.int64) for s in SENTENCE_END.split(body)[:40] if s.strip()]
        self.body = np.concatenate(self.sentences)[:400]


pairs = docs.pairs()
drawn = np.random.default_rng(SEED).permutation(len(pairs["train"]))[: budget(grade=600, cpu=4000, gpu=9000)]
train_pairs = [DocPair(pairs["train"][i].name, pairs["train"][i].body) for i in sorted(drawn)]
task = docs_task("test")  # 500 queries, 6,000 passages: no pair of these is in train_pairs
bm25 = BM25(task.passages).scores(task.queries)  # (500, 6000)
print(f"{len(train_pairs):,} pairs to train on; BM25 on the test: recall@10 {task.measure(bm25)[0]:.3f}")


class SmallTransformer(nn.Module):
    """Token and place vectors, one transformer layer, your pooling."""

    def __init__(self, how: str, d_model: int = 96, length: int = 40):
        super().__init__()
        self.how, self.length = how, length
        self.tokens, self.places = nn.Embedding(VOCABULARY, d_model), nn.Embedding(length, d_model)
        self.layer = nn.TransformerEncoderLayer(d_model, 4, 2 * d_model, 0.0, "gelu", batch_first=True)

    def forward(self, texts: list[np.ndarray]) -> torch.Tensor:
        """Return vectors (B, C) of texts given as token ids; [CLS] is put in front."""
        rows = [torch.tensor([CLS, *ids[: self.length - 1]]) for ids in texts]
        ids = nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=PAD)  # (B, T)
        x = self.tokens(ids) + self.places.weight[: ids.shape[1]]
        return pool(self.layer(x, src_key_padding_mask=ids == PAD), ids != PAD, self.how)

# %% show
def found_at_10(scores: torch.Tensor) -> float:
    """Return the share of queries whose own passage, that of the same number, is among the first ten."""
    right = scores.diag()[:, None]
    return ((scores >= right).sum(1) <= 10).float().mean().item()


held_out = [DocPair(p.name, p.body) for p in pairs["valid"][: budget(grade=100, cpu=1000)]]
for how in ("cls", "mean", "max"):
    seed_everything(SEED)
    model = SmallTransformer(how)

    def loss(model, rows):
        chosen = [train_pairs[i] for i in rows.tolist()]
        return info_nce(model([p.summary for p in chosen]), model([p.body for p in chosen]), 0.07)

    draws = [torch.randint(len(train_pairs), (64,)) for _ in range(budget(grade=3, cpu=80))]
    history = fit(model, draws, loss, steps=len(draws), lr=2e-3, progress=False)
    parts = [held_out[i : i + 100] for i in range(0, len(held_out), 100)]
    with torch.no_grad():
        sides = [torch.cat([model([getattr(p, side) for p in part]) for part in parts]) for side in ("summary", "body")]
    found = found_at_10(cosine_similarities(*sides))
    print(f"{how:<5} {found:.3f} found among the first ten of {len(held_out)}; loss {history.losses[0]:.2f} at first, "
          f"{history.losses[-1]:.2f} after {len(history.losses)} steps in {history.seconds:.0f} s")

# %% [markdown]
# ## Exercise 8: hard negatives (`hard-negatives`)
#
# 12 minutes, ★★, 5 points
#
# The other passages of a batch are mostly about something else: too easy. *Hard* negatives look right and are not, and
# an old search engine finds them: what BM25 ranks high, apart from the right passage.
#
# `hard_negatives(scores, right, k, skip=0)` gets BM25's scores $(Q, P)$, a NumPy array, and the index of each query's
# right passage `right` $(Q,)$. It returns the indices $(Q, k)$ of the $k$ best *wrong* passages of each query, best
# first; equal scores in the order of their indices. With `skip`, the first `skip` of the *wrong* ones are passed over:
# the very best of them may be right answers that nobody marked. (There are always at least $k$ + `skip` wrong ones.)
#
# By hand: scores (5, 9, 7, 1), right is 1, $k = 2$: (2, 0). With `skip=1`: (0, 3).
#
# <details><summary>Hint 1</summary>Set the right one's score to minus infinity in a copy, then sort.</details>
# <details><summary>Hint 2</summary><code>np.argsort(-scores, axis=1, kind="stable")</code> puts the largest first and
# keeps the order of equals.</details>

# %% exercise="hard-negatives"
def hard_negatives(scores: np.ndarray, right: np.ndarray, k: int, skip: int = 0) -> np.ndarray:
    """Return the indices (Q, k) of the best wrong passages by scores (Q, P), after passing over the first `skip`."""
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
# from the other's body, which is as good an answer. Such *false negatives* are better left out.
#
# `masked_info_nce(queries, keys, groups, temperature)` is InfoNCE over $N$ pairs in which `groups` $(N,)$ numbers the
# pairs: pairs with the same number say the same. Key $j$ with $j \neq i$ and `groups[j] == groups[i]` is left out of
# query $i$'s denominator. Its own key $i$ stays, of course, and so do all keys of other groups. Cosine, temperature and
# mean as in exercise 3; keys here are $(N, C)$.
#
# By hand: three pairs, groups (0, 0, 1). Query 0 chooses among keys 0 and 2, query 1 among 1 and 2, query 2 among all.
#
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
# ### The three phases of E5, in small
#
# E5 starts from a pre-trained model, learns from a great many rough pairs, then from few good ones with hard negatives.
# Ours: (1) the base, random token vectors weighted by inverse document frequency, which compares texts by their words
# and is better than it sounds; (2) rough pairs, a sentence of a body and the rest of it; (3) good pairs, summary and
# body, with two hard negatives each from BM25, and doublets left out. A batch is made of runs of eight neighbours in
# the list of names (methods of a class, functions of a module), which are hard negatives for one another. The encoder
# (`helpers.models.docs_encoder.Encoder`) is an importance and a vector for each token; a text is their weighted sum.

# %% show
def fresh_encoder(seed: int, d_model: int = 512) -> Encoder:
    """Return the base: random vectors, importance by inverse document frequency."""
    seed_everything(seed)
    model, held = Encoder(VOCABULARY, d_model), np.zeros(VOCABULARY)
    for pair in train_pairs:
        held[np.unique(pair.body)] += 1
    idf = np.log((len(train_pairs) + 1) / (held + 1))
    model.importance.data = torch.from_numpy(np.log(np.maximum(idf, 0.05))).float()
    return model


def rough(model, rows):
    """Phase 2: a random sentence of each body must find the rest of it."""
    asked, found = [], []
    for i in rows.tolist():
        pair = train_pairs[i]
        cut = int(torch.randint(len(pair.sentences), ()))
        rest = [s for n, s in enumerate(pair.sentences) if n != cut] or [pair.summary]
        asked.append(bag(pair.sentences[cut]))
        found.append(bag(np.concatenate(rest)))
    return info_nce(model(asked, 0.3), model(found, 0.3), 0.05)


texts_alike = {text: i for i, text in enumerate(dict.fromkeys(p.summary_text.lower() for p in train_pairs))}
groups_of = torch.tensor([texts_alike[p.summary_text.lower()] for p in train_pairs])
doublets = len(train_pairs) - len(texts_alike)
lexical_train = BM25([p.body_text for p in train_pairs])
hard_of = np.concatenate([
    hard_negatives(
        lexical_train.scores([p.summary_text for p in train_pairs[i : i + 500]]),
        np.arange(i, min(i + 500, len(train_pairs))), 2, skip=1,
    )
    for i in range(0, len(train_pairs), 500)
])


def good(model, rows, hard: bool = True, masked: bool = True):
    """Phase 3: each summary must find its body, among those of the batch and two hard negatives of its own."""
    bodies = [bag(train_pairs[i].body) for i in rows.tolist()]
    queries, keys = model([bag(train_pairs[i].summary) for i in rows.tolist()], 0.3), model(bodies, 0.3)
    loss = masked_info_nce(queries, keys, groups_of[rows]) if masked else info_nce(queries, keys)
    if not hard:
        return loss
    extra = model([bag(train_pairs[j].body) for i in rows.tolist() for j in hard_of[i]], 0.3)
    return (loss + info_nce(queries, torch.cat([keys, extra]))) / 2


def teach(model: Encoder, loss, seed: int, steps: int, size: int = 192, run: int = 8) -> Encoder:
    """Train with a loss of (model, rows); batches are runs of neighbours in the list of names."""
    groups = [{"params": [model.embedding.weight], "lr": 5e-4}, {"params": [model.importance], "lr": 2e-2}]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.0)
    draw = torch.Generator().manual_seed(seed)

    def rows(_step: int) -> torch.Tensor:
        firsts = torch.randperm(len(train_pairs) // run, generator=draw)[: size // run] * run
        return (firsts[:, None] + torch.arange(run)).flatten()

    fit(model, rows, loss, steps=steps, optimizer=optimizer, clip=None, progress=False)
    return model


def searched(model: Encoder) -> np.ndarray:
    """Return the similarities (500, 6000) of the test's queries and passages."""
    return TextEncoder(model, reader).similarity(task.queries, task.passages)


PHASE = budget(grade=2, cpu=40, gpu=300)
print(f"{doublets} of {len(train_pairs):,} training pairs repeat another's summary")
print(f"{'':<44}{'recall@10':>10}{'MRR@10':>9}")


def line(name: str, scores: np.ndarray) -> None:
    """Print recall@10 and MRR@10 of a table of scores."""
    recall, mrr = task.measure(scores)
    print(f"{name:<44}{recall:>10.3f}{mrr:>9.3f}")


line("BM25", bm25)
line("1  base: random vectors, IDF", searched(fresh_encoder(SEED)))
line("2  + rough pairs", searched(teach(fresh_encoder(SEED), rough, SEED, PHASE)))
my_model = teach(teach(fresh_encoder(SEED), rough, SEED, PHASE), good, SEED, PHASE)
line("3  + good pairs, hard negatives: yours", searched(my_model))
easy = teach(fresh_encoder(SEED), lambda model, rows: good(model, rows, hard=False), SEED, PHASE)
line("   good pairs alone, no hard negatives", searched(easy))
line("   yours and BM25, fused", fused(bm25, searched(my_model)))
reference_scores = load_encoder(own=False).similarity(task.queries, task.passages)
line("the reference docs-encoder", reference_scores)
line("the reference and BM25, fused", fused(bm25, reference_scores))
translated = Translation(task.passages, docs_pairs(budget(grade=0, cpu=2))).scores(task.queries)
line("translation", translated)
line("   yours and translation, summed", summed(translated, searched(my_model)))
line("   the reference and translation, summed", summed(translated, reference_scores))

# %% [markdown]
# Fusion is by *reciprocal rank* (Cormack et al. 2009): a passage gets $1/(60 + \text{rank})$ from each list, and the
# sums are ranked. It needs no common scale, and helps where the two lists err in different places. Keep in mind that
# the reference was trained for longer, and that it had read the sentences of all 6,000 passages (never a summary of the
# test): a search engine may read what it is to search. Yours has not seen them.
#
# *Translation* (Berger and Lafferty 1999) is the third way to search, older than encoders and still hard to beat: the
# query is the passage in another language, and counting over pairs (expectation maximisation) learns how readily a word
# of a body asks with another word. Its scores are logarithms of probabilities; each query's are brought to mean 0 and
# deviation 1 and added to the encoder's. It learns from the kinds of pairs that the reference learned from, names and
# signatures among them, of searched documents as well. That matters: BM25 whose passages begin with the name finds more
# than any row of this table that reads bodies alone. Does fusion help for every seed?

# %% show
outcomes = []
for seed in range(budget(grade=1, cpu=5)):
    model = my_model
    if seed != SEED:
        model = teach(teach(fresh_encoder(seed), rough, seed, PHASE), good, seed, PHASE)
    scores = searched(model)
    alone, together = task.measure(scores)[0], task.measure(fused(bm25, scores))[0]
    for name, value in {"alone": alone, "fused with BM25": together}.items():
        with leaderboard.measured("07", f"your encoder {name}, recall@10, seed {seed}", "docs_search") as row:
            row.f1 = value
    outcomes.append((alone, together))
baseline = task.measure(bm25)[0]
print(f"BM25 {baseline:.3f}")
for seed, (alone, together) in enumerate(outcomes):
    print(f"seed {seed}: alone {alone:.3f}, fused with BM25 {together:.3f}")
alone, together = zip(*outcomes, strict=True)
claim("Recall@10 on the docs: the student's search fused with BM25 above BM25", together, [baseline] * len(together))
claim("Recall@10 on the docs: fused above the student's encoder alone", together, alone)

# %% [markdown]
# Read before you believe. Four queries, answered by both (add some of your own): which answers would you have wanted?

# %% show
encoder = TextEncoder(my_model, reader)
asked = [
    "evenly spaced numbers",
    "how do I stop training when nothing improves",
    "draw a circle",
    "wait until all threads are done",
]
all_passages = data.load("docs_search").passages
names_held = sorted(all_passages)[:: budget(grade=40, cpu=1)]
bodies_held = [all_passages[name].text for name in names_held]
table, by_words = encoder.similarity(asked, bodies_held), BM25(bodies_held).scores(asked)
for query, dense, lexical in zip(asked, table, by_words, strict=True):
    print(f"{query!r}")
    for kind, row in (("BM25", lexical), ("yours", dense)):
        print(f"   {kind:<6} " + ", ".join(names_held[i] for i in np.argsort(-row, kind="stable")[:3]))

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
# negatives the points are driven over the sphere, and with a low temperature mostly by those nearest to the query. With
# the printed sign the loss falls, too, while the classes mix, so a falling loss proves nothing.
# (b) In my table the rough pairs change the base's recall by about a point, the good ones lift it by one or two, and
# BM25's hard negatives make a difference that is no larger than that between two seeds. For texts that repeat each
# other (one method documented in ten classes), the best BM25 hits are right answers: `skip` passes over the top, the
# groups take out identical questions.
# (c) With 1,024 a query must be told from 1,023 others: a harder task, a tighter bound, more hard negatives by chance,
# and more doublets, which are false negatives. I would watch recall on held-out pairs and not the loss, whose
# starting value, log N, depends on the batch.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 3 points: collapse explained (constant answer satisfies alignment), uniformity named as the label-free alarm.
# 3 points: reads the table with numbers and without claiming more than they show; says what hard negatives cost.
# 2 points: a case of false negatives, and what `skip` and the groups do.
# 2 points: batch size changes the number of candidates (log N), more hard and more false negatives; a sound measure.
# ### END MARK SCHEME

# %% [markdown]
# ## Exercise 10: two texts, one decision (`sbert`)
#
# 10 minutes, ★, 4 points
#
# Sentence-BERT (Reimers and Gurevych 2019) learned from pairs with *labels* (entails, contradicts, neither). For a pair
# of vectors $u$ and $v$ it puts side by side $u$, $v$ and the distance in each number, and a linear layer without bias
# chooses the class:
#
# $$o = W\,[\,u;\; v;\; |u - v|\,], \qquad W \text{ of shape } (K, 3C)$$
#
# `pair_features(u, v)` returns $(B, 3C)$, in this order; `pair_logits(u, v, weight)` the logits $(B, K)$.
#
# By hand: $u = (1, 2)$, $v = (3, 1)$: the features are (1, 2, 3, 1, 2, 1).
#
# <details><summary>Hint 1</summary><code>torch.cat</code> with <code>dim=-1</code> puts three side by side.</details>
# <details><summary>Hint 2</summary>Rows of <code>weight</code> are classes: $(B, 3C)$ times $(3C, K)$.</details>

# %% exercise="sbert"
def pair_features(u: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Return u, v and |u - v| side by side, (B, 3C), for u and v (B, C)."""
    ### BEGIN SOLUTION
    return torch.cat([u, v, (u - v).abs()], dim=-1)
    ### END SOLUTION


def pair_logits(u: torch.Tensor, v: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """Return the logits (B, K) of pairs u, v (B, C) for weight (K, 3C)."""
    ### BEGIN SOLUTION
    return pair_features(u, v) @ weight.T
    ### END SOLUTION

# %% check="sbert" points=4

# %% [markdown]
# Try the head: two sentences of the docs, from the same document, from two documents of one library, or from two
# libraries? The encoder's vectors stay as they are; a linear layer learns on 1,500 pairs and is judged on others. What
# is $|u - v|$ worth? A *linear* layer on $u$ and $v$ alone cannot compare them.

# %% show
def sentence_pairs(count: int, seed: int) -> tuple[list[str], list[str], np.ndarray]:
    """Return two lists of sentences and the kind of each pair: same document 0, same library 1, neither 2."""
    draw = np.random.default_rng(seed)
    told = [(d.library, [s for s in SENTENCE_END.split(d.body) if len(s) > 40]) for d in docs.split("valid")]
    told = [(library, sentences) for library, sentences in told if len(sentences) > 1]
    first, second, kinds = [], [], []
    while len(kinds) < count:
        (library, one), (other, two) = (told[i] for i in draw.integers(len(told), size=2))
        kind = len(kinds) % 3
        if kind == 0 or (kind == 1) == (library == other):
            a, b = draw.choice(len(one), 2, replace=False)
            first.append(one[a])
            second.append(one[b] if kind == 0 else two[b % len(two)])
            kinds.append(kind)
    return first, second, np.array(kinds)


from sklearn.linear_model import LogisticRegression

first, second, kinds = sentence_pairs(budget(grade=120, cpu=3000), SEED)
u, v = (torch.from_numpy(encoder.encode(side)) for side in (first, second))
half = len(kinds) // 2
ways = {"u, v": torch.cat([u, v], -1), "|u - v|": (u - v).abs(), "u, v, |u - v|": pair_features(u, v)}
right = {}
for name, features in ways.items():
    head = LogisticRegression(max_iter=300).fit(features[:half], kinds[:half])
    right[name] = head.score(features[half:], kinds[half:])
    print(f"{name:<16} accuracy {right[name]:.3f} (by chance 0.333)")

# %% [markdown]
# ## Is it any good? An evaluation with several tasks
#
# One number can mislead. The benchmark MTEB (Muennighoff et al. 2023) judges an encoder by many tasks: retrieval,
# similar sentences, clustering, classification. You need their measures first.
#
# ## Exercise 11: recall, reciprocal rank, nDCG (`metrics`)
#
# 25 minutes, ★★, 8 points
#
# A search returns a `ranking`, a list of passage ids, best first, no id twice. `relevant` is a dict from the ids of the
# right passages to their gain, a number above 0; ids that are not in it have gain 0. Each function looks at the first
# $k$ of the ranking only (all of it if it is shorter) and returns a float; where nothing is relevant, 0.0.
#
# 1. `recall_at(ranking, relevant, k)`: the share of all relevant passages that are among the first $k$.
# 2. `reciprocal_rank(ranking, relevant, k)`: 1 / rank of the *first* relevant one, ranks counted from 1; 0.0 if there
#    is none among the first $k$. Its mean over queries is MRR@k.
# 3. `ndcg_at(ranking, relevant, k)`: the sum of $\mathrm{gain} / \log_2(\mathrm{rank} + 1)$ over the first $k$, divided
#    by the same sum of the best ranking that there could be: all relevant passages, largest gain first, cut at $k$.
#
# By hand: ranking (a, b, c, d), relevant {b: 1, d: 2, x: 1}, $k = 3$: only b is found. Recall 1/3, reciprocal rank 1/2;
# DCG is $1/\log_2 3 = 0.631$, the best possible is $2 + 1/\log_2 3 + 1/\log_2 4 = 3.131$, so nDCG is 0.2015.
#
# <details><summary>Hint 1</summary><code>enumerate(ranking[:k], start=1)</code> gives rank and id.</details>
# <details><summary>Hint 2</summary>The best ranking: <code>sorted(relevant.values(),
# reverse=True)[:k]</code>.</details>

# %% exercise="metrics"
def recall_at(ranking: list, relevant: dict, k: int) -> float:
    """Return the share of the relevant ids (id to gain) that are among the first k of the ranking."""
    ### BEGIN SOLUTION
    return sum(name in relevant for name in ranking[:k]) / len(relevant) if relevant else 0.0
    ### END SOLUTION


def reciprocal_rank(ranking: list, relevant: dict, k: int) -> float:
    """Return 1 / rank of the first relevant id among the first k of the ranking, or 0.0."""
    ### BEGIN SOLUTION
    return next((1 / rank for rank, name in enumerate(ranking[:k], start=1) if name in relevant), 0.0)
    ### END SOLUTION


def ndcg_at(ranking: list, relevant: dict, k: int) -> float:
    """Return the normalised discounted cumulative gain of the first k of the ranking."""
    ### BEGIN SOLUTION
    def dcg(gains):
        return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))

    best = dcg(sorted(relevant.values(), reverse=True)[:k])
    return dcg([relevant.get(name, 0) for name in ranking[:k]]) / best if best else 0.0
    ### END SOLUTION

# %% check="metrics" points=8

# %% [markdown]
# ## Exercise 12: do clusters match classes? V-measure (`v-measure`)
#
# 18 minutes, ★★, 5 points
#
# Clusters have no names, so accuracy means nothing. V-measure (Rosenberg and Hirschberg 2007) asks two questions: does
# each cluster hold one class only (*homogeneity*), and is each class in one cluster only (*completeness*)? With the
# entropies of the classes $C$ and clusters $K$, from counts,
#
# $$h = 1 - \frac{H(C \mid K)}{H(C)}, \qquad c = 1 - \frac{H(K \mid C)}{H(K)}, \qquad V = \frac{2hc}{h + c}$$
#
# where $H(C) = -\sum_c \frac{n_c}{n} \log \frac{n_c}{n}$ and $H(C \mid K) = -\sum_{c,k} \frac{n_{ck}}{n} \log
# \frac{n_{ck}}{n_k}$. If $H(C) = 0$ (a single class), $h = 1$; likewise $c = 1$ if $H(K) = 0$. If $h + c = 0$, $V = 0$.
#
# `v_measure(classes, clusters)` gets two lists of equal length, never empty, of whole numbers or words, and returns a
# float (= `sklearn.metrics.v_measure_score`, which is not to be called).
#
# By hand: classes (x, x, y, y), clusters (0, 0, 1, 2): every cluster is pure, $h = 1$; class y is torn in two: $H(K) =
# 1.5$ bits, $H(K \mid C) = 0.5$ bits, $c = 2/3$, $V = 0.8$.
#
# <details><summary>Hint 1</summary>H(C | K) = H(C, K) - H(K), where H(C, K) is the entropy of the pairs.</details>
# <details><summary>Hint 2</summary><code>collections.Counter(zip(classes, clusters))</code> counts the pairs.</details>

# %% exercise="v-measure"
def v_measure(classes: list, clusters: list) -> float:
    """Return the V-measure of clusters (n,) against classes (n,), from 0 to 1."""
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

# %% check="v-measure" points=5

# %% [markdown]
# ### The table
#
# Rows are models, columns tasks, as MTEB lays it out. Retrieval: nDCG@10 on the docs, and on SciFact (claims of
# research papers, which none of ours was trained for) where it is at hand. STS: Spearman between cosine and the human
# score on STS-B, where it is at hand. Clustering: V-measure of $k$-means on the inbox's intents. Classification: the
# accuracy of a linear probe on the same intents, with ten labels each. BM25 over title and abstract, with Lucene's stop
# words, comes to within 0.01 of its published 0.665 on SciFact (Thakur et al. 2021).

# %% show
from scipy.stats import spearmanr
from sklearn.cluster import KMeans

def ndcg_of(scores: np.ndarray, passages: list[str], relevant: list[dict]) -> float:
    """Return the mean nDCG@10 of scores (queries, passages)."""
    best = np.argsort(-scores, axis=1, kind="stable")[:, :10]
    return float(np.mean([ndcg_at([passages[i] for i in row], r, 10) for row, r in zip(best, relevant, strict=True)]))


def real(name: str):
    """Return a real data set where it is at hand, else None."""
    if not budget(grade=False, cpu=True):
        return None
    try:
        return data.load(name, edition="real")
    except data.DataError as error:
        print(f"Left out: {error.problem}")
        return None


word_vectors = artifacts.load("docs-vectors", own=False)
index_of = {word: i for i, word in enumerate(word_vectors.config["vocabulary"])}


def mean_of_words(texts: list[str]) -> np.ndarray:
    """Return the mean of chapter 02's word vectors, brought to length 1."""
    table = word_vectors.weights["words"].numpy()
    found = np.zeros((len(texts), table.shape[1]), np.float32)
    for row, text in zip(found, texts, strict=True):
        ids = [index_of[w] for w in re.findall(r"[a-z][a-z0-9_]*", text.lower()) if w in index_of]
        row[:] = table[ids].mean(axis=0) if ids else 0
    return found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-9)


inbox = data.load("inbox").without_repeats()
models = {
    "mean of word vectors": mean_of_words,
    "your encoder": encoder.encode,
    "reference": load_encoder(own=False).encode,
}
scifact, stsb = real("scifact"), real("stsb")
docs_relevant = [{name: 1} for name in task.names]
places = [None] * len(task.passages)
for name, place in zip(task.names, task.answers, strict=True):
    places[place] = name
columns = ["docs nDCG@10", "SciFact nDCG@10", "STS-B Spearman", "V-measure", "probe"]
results = {"BM25": dict.fromkeys(columns), **{name: dict.fromkeys(columns) for name in models}}
results["BM25"]["docs nDCG@10"] = ndcg_of(bm25, places, docs_relevant)
if scifact:
    claims, judged_claims = scifact.queries["test"], [scifact.relevant["test"][q] for q in scifact.queries["test"]]
    papers = [f"{p.title} {p.text}" for p in scifact.passages.values()]
    lexical = BM25(papers, plain_words, k1=1.2, b=0.75).scores(list(claims.values()))
    results["BM25"]["SciFact nDCG@10"] = ndcg_of(lexical, list(scifact.passages), judged_claims)
draw = np.random.default_rng(SEED)
ham = np.flatnonzero(inbox.labels == 0)[: budget(grade=300, cpu=3000)]
intents = np.array(inbox.intents)[ham]
texts = [inbox.texts[i] for i in ham]
labelled = np.concatenate([draw.permutation(np.flatnonzero(intents == i))[:10] for i in sorted(set(intents))])
rest = np.setdiff1d(np.arange(len(ham)), labelled)
for name, encode in models.items():
    row = results[name]
    row["docs nDCG@10"] = ndcg_of(encode(task.queries) @ encode(task.passages).T, places, docs_relevant)
    if scifact:
        table = encode(list(claims.values())) @ encode(papers).T
        row["SciFact nDCG@10"] = ndcg_of(table, list(scifact.passages), judged_claims)
    if stsb:
        a, b = (encode([getattr(pair, side) for pair in stsb.test]) for side in ("first", "second"))
        row["STS-B Spearman"] = float(spearmanr((a * b).sum(1), [pair.score for pair in stsb.test]).statistic)
    vectors = encode(texts)
    found = KMeans(len(set(intents)), n_init=2, random_state=SEED).fit_predict(vectors)
    row["V-measure"] = v_measure(intents.tolist(), found.tolist())
    head = LogisticRegression(C=10, max_iter=300).fit(vectors[labelled], intents[labelled])
    row["probe"] = head.score(vectors[rest], intents[rest])
print(f"{'model':<22}" + "".join(f"{c:>17}" for c in columns))
for name, row in results.items():
    print(f"{name:<22}" + "".join(f"{'-' if row[c] is None else format(row[c], '.3f'):>17}" for c in columns))

# %% [markdown]
# ## Pictures and sentences: CLIP in small
#
# Nothing in InfoNCE asks that both sides be of one kind. CLIP (Radford et al. 2021) gives an image encoder and a text
# encoder the same space and trains them on images and their captions. A class is then described instead of learned:
# the caption nearest to an image is the answer, and a *new* caption is a new classifier.
#
# ## Exercise 13: classes as points (`prototypes`)
#
# 12 minutes, ★★, 5 points
#
# One point for each class is enough to classify. It may come from a few examples (*few-shot*, Snell et al. 2017) or
# from several captions of the class (CLIP's prompts).
#
# 1. `prototypes(vectors, labels, num_classes)`: bring each vector of $(N, C)$ to length 1, take the mean for each
#    class, and bring that to length 1 again; returns $(K, C)$. A class without examples gets zeros.
# 2. `nearest(vectors, points)`: for each of $(M, C)$ the number of the point of $(K, C)$ with the largest *cosine*;
#    returns whole numbers $(M,)$; of equal ones the smallest number. A point of zeros has cosine 0, as in exercise 1.
#
# By hand: class 0 has (2, 0) and (0, 5): unit vectors (1, 0) and (0, 1), mean (0.5, 0.5), prototype (0.707, 0.707).
#
# <details><summary>Hint 1</summary><code>F.one_hot(labels, K).T</code> times the unit vectors adds them up for each
# class; the length of the sum does not matter, since it is brought to 1.</details>

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
# Digits and captions. Seven of the ten templates are used in training, three never ("a blurry photo of ...", "{} in
# black and white", "this is ..."), and at the end words are combined as no caption did. In a batch of 128 digits each
# class comes about a dozen times, so a dozen captions of a batch are right for a digit, and all but one would be false
# negatives: your `masked_info_nce` leaves them out.

# %% show
from helpers.data.images import TEMPLATES

UNSEEN = ("a blurry photo of {}", "{} in black and white", "this is {}")
SEEN = tuple(t for t in TEMPLATES if t not in UNSEEN)


class Clip(nn.Module):
    """An image encoder and a bag-of-tokens text encoder with one space of C numbers."""

    def __init__(self, d_model: int = 64):
        super().__init__()
        self.images, self.texts = ImageEncoder(projected=d_model), Encoder(VOCABULARY, d_model)

    def captions(self, texts: list[str]) -> torch.Tensor:
        """Return the vectors (B, C) of captions."""
        return self.texts([bag(reader(text)) for text in texts])

    def pictures(self, images: torch.Tensor) -> torch.Tensor:
        """Return the vectors (B, C) of images (B, H, W)."""
        return self.images.head(self.images(images))


digit_images, digit_labels = to_tensor(digits.train), torch.from_numpy(digits.train_labels)


def clip_loss(model, rows):
    """Both directions: image to caption, caption to image."""
    templates = torch.randint(len(SEEN), (len(rows),)).tolist()
    captions = [SEEN[t].format(digits.phrases[digit_labels[i]]) for t, i in zip(templates, rows.tolist(), strict=True)]
    seen, told, groups = model.pictures(augment(digit_images[rows])), model.captions(captions), digit_labels[rows]
    return (masked_info_nce(seen, told, groups, 0.1) + masked_info_nce(told, seen, groups, 0.1)) / 2


seed_everything(SEED)
clip = Clip()
draws = [torch.randint(len(digit_images), (128,)) for _ in range(budget(grade=4, cpu=150))]
history = fit(clip, draws, clip_loss, steps=len(draws), lr=4e-3, progress=False)
print(f"loss {history.losses[0]:.2f} at first, {history.losses[-1]:.2f} after {len(draws)} steps")
test_images, test_labels = to_tensor(digits.test), torch.from_numpy(digits.test_labels)
with torch.no_grad():
    test_seen = clip.pictures(test_images)


@torch.no_grad()
def zero_shot(templates) -> tuple[float, torch.Tensor]:
    """Return (accuracy, guesses) with one point for each class from these templates."""
    captions = [t.format(phrase) for phrase in digits.phrases for t in templates]
    points = prototypes(clip.captions(captions), torch.arange(10).repeat_interleave(len(templates)), 10)
    guesses = nearest(test_seen, points)
    return (guesses == test_labels).float().mean().item(), guesses


for name, templates in {
    "one caption of training": SEEN[:1], "all seven of training, averaged": SEEN,
    "three captions never seen": UNSEEN, "words never combined so": ("the number in this grey image shows {}",),
}.items():
    print(f"zero-shot, {name:<34} {zero_shot(templates)[0]:.3f}")
bare = nearest(test_seen, clip.captions([f"{word}" for word in digits.classes]).detach())
print(f"zero-shot, {'only the word (seven)':<34} {(bare == test_labels).float().mean():.3f}")
for shots in (1, 5):
    rows = few_labels(digits.train_labels, shots, SEED)
    points = prototypes(torch.from_numpy(vectors_of(image_encoders[0], digit_images[rows])), digit_labels[rows], 10)
    guesses = nearest(torch.from_numpy(vectors_of(image_encoders[0], test_images)), points)
    what = f"SimCLR, nearest mean, {shots} a class"
    print(f"few-shot,  {what:<34} {(guesses == test_labels).float().mean():.3f}")
counts = np.zeros((10, 10), dtype=int)
np.add.at(counts, (digits.test_labels, zero_shot(UNSEEN)[1].numpy()), 1)
plots.show(*plots.confusion(counts, list(digits.classes)))

# %% [markdown]
# ## A map of the docs
#
# The reward. Encode thousands of documents, cluster them, lay them out in the plane, and let each cluster say what it
# is about. The last needs one more formula.
#
# ## Exercise 14: words that name a cluster, c-TF-IDF (`ctfidf`)
#
# 12 minutes, ★★, 4 points
#
# BERTopic (Grootendorst 2022) puts the documents of each cluster together and asks which words are frequent *there* and
# rare elsewhere. From the counts $n_{kv}$ of word $v$ in cluster $k$, an array $(K, V)$:
#
# $$w_{kv} = \frac{n_{kv}}{\sum_u n_{ku}} \cdot \log\Big(1 + \frac{A}{f_v}\Big)$$
#
# $f_v = \sum_k n_{kv}$ is how often the word comes in all clusters together, and $A$ the mean number of words of a
# cluster, $\frac{1}{K} \sum_{k,v} n_{kv}$. A word that never comes has weight 0, and so has every word in an empty
# cluster. Natural logarithm; a float array $(K, V)$ is returned.
#
# By hand: counts ((2, 0), (1, 1)): $A = 2$, $f = (3, 1)$; $w_{00} = 1 \cdot \log(1 + 2/3) = 0.511$, $w_{11} = 0.5
# \cdot \log 3 = 0.549$.
#
# <details><summary>Hint 1</summary>Sums over axis 1, with <code>keepdims=True</code>, are those of clusters; over axis
# 0 those of words.</details>
# <details><summary>Hint 2</summary>A sum of 0 divides only zeros: replace it by 1 before you divide.</details>

# %% exercise="ctfidf"
def c_tf_idf(counts: np.ndarray) -> np.ndarray:
    """Return the class-based TF-IDF (K, V) of counts (K, V) of words in clusters."""
    ### BEGIN SOLUTION
    counts = np.asarray(counts, dtype=float)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    average = counts.sum() / len(counts)
    return shares * np.log1p(average / np.maximum(counts.sum(axis=0), 1))
    ### END SOLUTION

# %% check="ctfidf" points=4

# %% [markdown]
# The map, drawn with the reference encoder. t-SNE keeps neighbours near and says nothing about far distances. Which
# clusters hold one library, and which hold what several libraries do alike?

# %% show
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.manifold import TSNE

kept = [i for i, d in enumerate(docs) if d.kind in ("function", "class", "topic")]
drawn = np.random.default_rng(SEED).permutation(kept)
drawn = sorted(drawn[: budget(grade=120, cpu=1500, gpu=4000)])
chosen = [docs[int(i)] for i in drawn]
map_vectors = load_encoder(own=False).encode([d.body for d in chosen])
clusters = KMeans(budget(grade=4, cpu=22), n_init=2, random_state=SEED).fit_predict(map_vectors)
tsne = TSNE(init="pca", perplexity=budget(grade=10, cpu=30), metric="cosine", random_state=SEED)
plane = tsne.fit_transform(map_vectors)
counter = CountVectorizer(stop_words="english", token_pattern=r"[a-z]{4,}", min_df=3, binary=True)
by_cluster = counter.fit_transform(re.sub(r":[a-z:]+:", " ", d.summary.lower()) for d in chosen)
by_cluster = np.stack([np.asarray(by_cluster[clusters == k].sum(axis=0)).ravel() for k in range(clusters.max() + 1)])
vocabulary, weights = counter.get_feature_names_out(), c_tf_idf(by_cluster)
titles = [", ".join(vocabulary[i] for i in np.argsort(-row)[:3]) for row in weights]
fig, ax = plots.figure(width=11, height=8)
ax.axis("off")
libraries = list(dict.fromkeys(d.library for d in chosen))
for i, library in enumerate(libraries):
    of_it = np.array([d.library == library for d in chosen])
    ax.plot(*plane[of_it].T, "o^sDvP"[i], color=plots.COLORS[i], markersize=4, alpha=0.55, linewidth=0, label=library)
ax.legend(loc="upper center", bbox_to_anchor=(0.5, 0), ncols=len(libraries), markerscale=2, fontsize=10)
middles = np.stack([np.median(plane[clusters == k], axis=0) for k in range(len(titles))])
written = []
for k in np.argsort(-np.bincount(clusters)):  # the largest first; a name that would cover another moves down
    x, y = middles[k]
    step = np.ptp(plane[:, 1]) / 40
    while any(abs(y - b) < step and abs(x - a) < np.ptp(plane[:, 0]) / 5 for a, b in written):
        y -= step
    written.append((x, y))
    box = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none", "alpha": 0.75}
    ax.text(x, y, titles[k], ha="center", va="center", fontsize=10, fontweight="bold", bbox=box)
plots.show(
    fig,
    f"A map of {len(chosen):,} functions, classes and topics of the docs, one marker for each of {len(libraries)} "
    f"libraries, each of {len(titles)} clusters named by its words, such as: {'; '.join(titles[:8])}.",
)
for k in np.argsort(-np.bincount(clusters))[:8]:
    members = [chosen[i].name for i in np.flatnonzero(clusters == k)[:4]]
    print(f"{titles[k]:<40} {(clusters == k).sum():>4} documents, such as {', '.join(members)}")

# %% [markdown]
# ## Essay 2: what the numbers leave out (`numbers`)
#
# 15 minutes, ★★, 10 points, graded by hand
#
# (a) In the retrieval table, what does each model have that the other lacks, and why does fusing ranks help, or why not
# more? Use two of the queries that you read. (b) Only one passage counts as right for each query, and the queries are
# first sentences. Name one way in which this flatters BM25 or the encoder, and one in which it is unfair; what would a
# better test set look like? (c) The evaluation table has five tasks. Which of them would you trust when you choose an
# encoder for the search in chapter 08, and which would mislead you? About 180 words.

# %% [markdown] essay="numbers" points=10
# ### BEGIN SOLUTION
# (a) BM25 finds rare words exactly and weighs length well; the encoder brings together words that training pairs have
# brought together, and pieces of names. Fusion helps where one ranks high what the other misses; both here are
# made of words, so they often err together, and the gain is a few points. "Evenly spaced numbers" has its words in
# the right passages, so both find it; "stop training when nothing improves" shares few words with `early_stopping`.
# (b) Authors repeat the words of the first sentence in the body, which flatters everything that counts words; other
# passages that answer as well count as wrong, which is unfair most to a model that finds them. Better: questions by
# people who have not read the passage, several judged answers each, graded, and modules unseen in training, as here.
# (c) The retrieval columns, the docs' first of all, since they are the task and the domain. SciFact tells about
# transfer. V-measure and the probe on the inbox say little about search in documentation; STS rewards agreement on
# everyday sentences, which our encoder has never read. I would not choose by a mean over all.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 4 points: complementary strengths named from the output; fusion gains where errors differ; two queries discussed.
# 3 points: single relevant passage (unfair) and overlap of first sentence and body (flattering); a better test set.
# 3 points: chooses columns by task and domain with reasons; warns of the mean over tasks.
# ### END MARK SCHEME

# %% [markdown]
# ## The leaderboard, and what is saved
#
# Spam, once more: a logistic regression on the vectors of your encoder, which was trained on the docs and never saw a
# message. Where does it stand, and why?

# %% show
with leaderboard.measured("07", "contrastive encoder, linear probe", "inbox") as row:
    from sklearn.metrics import f1_score

    parts = inbox.split(test=0.2, seed=SEED)
    head = LogisticRegression(C=30, max_iter=1000)
    head.fit(encoder.encode(parts[0].texts), parts[0].labels)
    row.f1 = f1_score(parts[1].labels, head.predict(encoder.encode(parts[1].texts)))
    row.parameters = sum(p.numel() for p in my_model.parameters()) + head.coef_.size + 1
print(leaderboard.table("inbox"))

# %% show
print(results_line := f"recall@10 {task.measure(searched(my_model))[0]:.3f} (BM25 {baseline:.3f})")
card = f"""\
# docs-encoder: your own

{sum(p.numel() for p in my_model.parameters()):,} parameters, trained by chapter 07 on {len(train_pairs):,} pairs of the
docs in {2 * PHASE} steps. 500 held-out queries, 6,000 passages: {results_line}.
"""
sizes = {"vocab_size": VOCABULARY, "d_model": my_model.embedding.embedding_dim}
own = artifacts.Artifact("docs-encoder", dict(my_model.state_dict()), sizes, "", card)
print(artifacts.save(own).name, "saved")

# %% [markdown]
# ## What you built, and what breaks next
#
# Losses that pull and push, each checked against its closed form; an encoder of images that needs few labels, one of
# texts that searches, one space for both; the measures of a benchmark; and a map.
#
# What breaks: the search returns *passages*. Whoever asks "how do I wait for a thread?" wants an answer, with its
# source, and wants to be told when the docs do not say. [Chapter 08](../08_rag/08_rag.ipynb) puts a reader behind the
# search.
#
# **Saved:** the artifact *docs-encoder*, your own; the row of the leaderboard.
#
# ## Further reading
#
# - F. Schroff, D. Kalenichenko and J. Philbin (2015). FaceNet: a unified embedding for face recognition and clustering.
#   *CVPR*. Triplets.
# - A. van den Oord, Y. Li and O. Vinyals (2018). Representation learning with contrastive predictive coding.
#   arXiv:1807.03748. InfoNCE.
# - T. Chen, S. Kornblith, M. Norouzi and G. Hinton (2020). A simple framework for contrastive learning of visual
#   representations. *ICML*. SimCLR.
# - T. Wang and P. Isola (2020). Understanding contrastive representation learning through alignment and uniformity on
#   the hypersphere. *ICML*.
# - N. Reimers and I. Gurevych (2019). Sentence-BERT: sentence embeddings using Siamese BERT-networks. *EMNLP*.
# - V. Karpukhin et al. (2020). Dense passage retrieval for open-domain question answering. *EMNLP*. Hard negatives from
#   BM25.
# - L. Wang et al. (2022). Text embeddings by weakly-supervised contrastive pre-training. arXiv:2212.03533. E5.
# - N. Muennighoff, N. Tazi, L. Magne and N. Reimers (2023). MTEB: massive text embedding benchmark. *EACL*.
# - N. Thakur, N. Reimers, A. Rücklé, A. Srivastava and I. Gurevych (2021). BEIR. *NeurIPS Datasets and Benchmarks*.
# - A. Rosenberg and J. Hirschberg (2007). V-measure: a conditional entropy-based external cluster evaluation measure.
#   *EMNLP-CoNLL*.
# - A. Radford et al. (2021). Learning transferable visual models from natural language supervision. *ICML*. CLIP.
# - J. Snell, K. Swersky and R. Zemel (2017). Prototypical networks for few-shot learning. *NIPS 30*.
# - G. V. Cormack, C. L. A. Clarke and S. Büttcher (2009). Reciprocal rank fusion outperforms Condorcet and individual
#   rank learning methods. *SIGIR*.
# - M. Grootendorst (2022). BERTopic: neural topic modeling with a class-based TF-IDF procedure. arXiv:2203.05794.
