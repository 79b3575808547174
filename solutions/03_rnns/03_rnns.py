# %% [markdown]
# # 03 RNNs: memory, gates, sequences
#
# **What you will build.** Language models that carry more and more of the past: n-grams, two matrices of word vectors,
# a fixed window, a recurrent network, gates. Then what they are good for: text drawn character by character, a tagger
# that finds names and times in the inbox, a translator of dates from sixteen languages, and vectors of words that
# know their sentence.
#
# **What you need.** Python, NumPy and tensors of PyTorch. [Chapter 01](../01_spam/01_spam.ipynb) for its inbox, and
# [chapter 02](../02_word_vectors/02_word_vectors.ipynb) for its word vectors: your own if you saved them, else the
# reference that comes with the course.
#
# **Points.** 100: fourteen exercises checked by machine (80) and two short essays (20). Allow about six hours. The
# whole notebook, once written, runs in about three minutes on two cores (and in about five where the English Web
# Treebank can be had).
#
# **Notation.** Row vectors: a batch of sequences is $(B, T, C)$, a layer is $xW + b$. The lectures write column
# vectors, $Wx + b$, and some of their lines are damaged; where they differ, the formulas here are the right ones. In
# particular $h_t$ is made from $h_{t-1}$ and $x_t$, not from $h_t$ itself, and the five lines of the LSTM, which one
# lecture prints shuffled, stand below in their order.

# %% given
import math
import re
import textwrap
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from helpers import data, plots
from helpers.course import artifacts, leaderboard, notebook
from helpers.experiments import length_curve
from helpers.course.claims import claim
from helpers.data import Dates
from helpers.device import SEED, budget, seed_everything
from helpers.training import fit
from helpers.models.word_vectors import WordVectors

notebook.prepare("03_rnns")

# %% [markdown]
# ## A language model says what comes next
#
# A *language model* gives each next token a probability, given those before it: $p(w_t \mid w_1 \dots w_{t-1})$. With
# one, text can be judged (multiply), completed (take the likeliest), and written (draw). This chapter is the story of
# one question: **how much of the past can a model use, and how does it carry it?**
#
# The corpus of the first pages is the lecture's: five sentences, 26 tokens, 8 types.

# %% show
corpus = "the dog ran . the dog ate . the dog ran the zoo . the cat ate the dog ! the cat ran the zoo .".split()
vocabulary = sorted(set(corpus))
print(data.load("mini").train)
print(len(corpus), "tokens,", len(vocabulary), "types:", vocabulary)

# %% [markdown]
# ## Exercise 1: counting what comes next (`ngram`)
#
# 15 minutes, ★, 6 points
#
# The oldest answer: the past is the last $n-1$ tokens, and the probability is a share of counts. A context that was
# never followed by the word gets 0, and then one surprise makes a whole text impossible. So add $k$ to every count,
# for each of the $V$ words that could have come (Laplace for $k = 1$):
#
# $$ p(w \mid c) = \frac{\text{count}(c\,w) + k}{\text{count}(c\,\cdot) + k V} $$
#
# where $\text{count}(c\,\cdot)$ is how often the context $c$ was *followed by something*. A text is judged by the mean
# of $-\ln p$ over its tokens, the **cross-entropy** in nats, or by its exponential, the **perplexity**: among how many
# equally likely words the model seems to choose.
#
# Write
#
# 1. `count_ngrams(tokens, n)`: two plain dictionaries (`dict(counter)` makes one of a Counter) with the counts of the
#    n-grams (tuples of $n$ tokens) and of their contexts (tuples of the first $n-1$). For $n = 1$ the only context is
#    the empty tuple `()`. Fewer than $n$ tokens give two empty dictionaries.
# 2. `add_k(word, context, ngrams, contexts, size, k=1.0)`: the formula, from two such dictionaries; `size` is $V$. What
#    a dictionary does not hold counts 0. Where the denominator is 0, return 0.0.
# 3. `cross_entropy(probabilities)`: in nats, for at least one probability; infinite (`math.inf`) if one of them is 0.
# 4. `perplexity(probabilities)`: its exponential.
#
# By hand: in `a b a`, the context `(a,)` was followed once (the last `a` by nothing), so with $V = 2$ and $k = 1$,
# $p(b \mid a) = (1+1)/(1+2) = 2/3$.
#
# <details><summary>Hint 1</summary>Make the list of all n-grams first. Both counters come from it.</details>
# <details><summary>Hint 2</summary><code>tuple(tokens[i : i + n])</code> for i from 0 to len(tokens) - n.</details>
# <details><summary>Hint 3</summary><code>ngrams.get((*context, word), 0)</code> is the count, or 0.</details>

# %% exercise="ngram"
def count_ngrams(tokens: Sequence[str], n: int) -> tuple[dict, dict]:
    """Return (counts of all n-grams, counts of their contexts); keys are tuples of n and of n - 1 tokens."""
    ### BEGIN SOLUTION
    grams = [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]
    return dict(Counter(grams)), dict(Counter(gram[:-1] for gram in grams))
    ### END SOLUTION


def add_k(word: str, context: tuple, ngrams: dict, contexts: dict, size: int, k: float = 1.0) -> float:
    """Return p(word | context) with k added to each count, for a vocabulary of `size` words."""
    ### BEGIN SOLUTION
    total = contexts.get(context, 0) + k * size
    return (ngrams.get((*context, word), 0) + k) / total if total else 0.0
    ### END SOLUTION


def cross_entropy(probabilities: Sequence[float]) -> float:
    """Return the mean of -ln p, in nats; infinite if one p is 0."""
    ### BEGIN SOLUTION
    if min(probabilities) == 0:
        return math.inf
    return -sum(math.log(p) for p in probabilities) / len(probabilities)
    ### END SOLUTION


def perplexity(probabilities: Sequence[float]) -> float:
    """Return the exponential of the cross-entropy."""
    ### BEGIN SOLUTION
    return math.exp(cross_entropy(probabilities))
    ### END SOLUTION

# %% check="ngram" points=6

# %% [markdown]
# **Vocabularies must match.** Perplexity can be had cheaply: call every rare word `<unk>`, and it becomes easy to
# guess. Below, one bigram model judges the same text of the docs with smaller and smaller vocabularies. No model
# became better; the question became easier. Two perplexities may be compared only if they are about the same tokens.

# %% show
docs = data.load("docs_text")
def words_of(text: str, limit: int) -> list[str]:
    """Return the first words of a text in lower case, marks as words of their own."""
    return re.findall(r"[a-z_]+|\d|[^\w\s]", text[: 7 * limit].lower())[:limit]

train_words, valid_words = words_of(docs.train, 250_000), words_of(docs.valid, 25_000)
for size in (20_000, 5_000, 1_000, 100):
    kept = {w for w, _ in Counter(train_words).most_common(size - 1)}
    train_, valid_ = ([w if w in kept else "<unk>" for w in part] for part in (train_words, valid_words))
    pairs, singles = count_ngrams(train_, 2)
    size_ = len(kept) + 1
    probabilities = [add_k(b, (a,), pairs, singles, size_, k=0.01) for a, b in zip(valid_, valid_[1:], strict=False)]
    print(f"{size_:>6,} words: perplexity {perplexity(probabilities):7.1f}, "
          f"unknown in the text {valid_.count('<unk>') / len(valid_):5.1%}")

# %% [markdown]
# ## Exercise 2: two matrices (`two-matrix`)
#
# 20 minutes, ★★, 6 points
#
# Counts know nothing about words: `dog` and `cat` are two unrelated keys. So give each word a vector, and let the
# vectors decide. The lecture's model is the smallest language model with embeddings: a row of $V$ for each word as the
# *previous* one, a row of $U$ for each word as the *next* one, both $(W, M)$ for $W$ words and $M$ dimensions:
#
# $$ p(\cdot \mid i) = \mathrm{softmax}(U v_i), \qquad
# \mathcal{L} = -\frac{1}{T-1}\sum_{t=1}^{T-1} \ln p(w_{t+1} \mid w_t) $$
#
# (The lecture calls $u^\top v$ "cosine similarity"; it is the dot product, not divided by the lengths.) Write, with
# NumPy,
#
# 1. `next_probabilities(V, U, i)`: the distribution over the next word after word number $i$. Scores may be as large as
#    thousands: the result must be finite.
# 2. `mean_nll(V, U, ids)`: $\mathcal{L}$ over a text of at least two word numbers. Scores stay below 100 here.
# 3. `generate(V, U, start, uniforms)`: a list of word numbers that begins with `start` and grows by one word for each
#    number $r$ of `uniforms` (each $0 \le r < 1$): the next word is the **first** $j$ whose cumulative probability
#    $p_0 + \dots + p_j$ is **greater** than $r$; the last word, if rounding leaves none.
#
# By hand: with $p = (0.2, 0.5, 0.3)$ and $r = 0.6$ the cumulative sums are 0.2, 0.7, 1.0, and the first above 0.6 is
# word 1.
#
# <details><summary>Hint 1</summary>The largest score can be subtracted from all scores: the softmax stays the same,
# and no exponential overflows.</details>
# <details><summary>Hint 2</summary>The text gives len(ids) - 1 pairs: <code>zip(ids, ids[1:])</code>.</details>
# <details><summary>Hint 3</summary><code>np.searchsorted(np.cumsum(p), r, side="right")</code></details>

# %% exercise="two-matrix"
def next_probabilities(V: np.ndarray, U: np.ndarray, i: int) -> np.ndarray:
    """Return the probabilities of the next word, (W,), after word i.

    V, U: (W, M), the vectors of the words as previous and as next.
    """
    ### BEGIN SOLUTION
    scores = U @ V[i]
    weights = np.exp(scores - scores.max())
    return weights / weights.sum()
    ### END SOLUTION


def mean_nll(V: np.ndarray, U: np.ndarray, ids: Sequence[int]) -> float:
    """Return the mean of -ln p(next word | word) over the pairs of a text, in nats."""
    ### BEGIN SOLUTION
    return float(np.mean([-np.log(next_probabilities(V, U, i)[j]) for i, j in zip(ids, ids[1:], strict=False)]))
    ### END SOLUTION


def generate(V: np.ndarray, U: np.ndarray, start: int, uniforms: Sequence[float]) -> list[int]:
    """Return [start, ...]: one more word for each number in [0, 1), by the cumulative probabilities."""
    ### BEGIN SOLUTION
    ids = [int(start)]
    for r in uniforms:
        cumulative = np.cumsum(next_probabilities(V, U, ids[-1]))
        ids.append(min(int(np.searchsorted(cumulative, r, side="right")), len(U) - 1))
    return ids
    ### END SOLUTION

# %% check="two-matrix" points=6

# %% [markdown]
# Now train. The vectors of the lecture are random, and the model is worse than no model: 2.8255 nats, where the uniform
# guess has $\ln 8 = 2.0794$. No table of bigrams can be better than the shares of the counts, 0.6864 nats: the floor.

# %% show
printed_V = np.array([[0.884, 0.196], [0.358, -2.343], [-1.085, 0.560], [0.939, -0.978],
                      [0.503, 0.406], [0.323, -0.493], [-0.792, -0.842], [-1.280, 0.246]])
printed_U = np.array([[-0.044, 1.568], [1.051, 0.406], [-0.169, -3.190], [1.120, 1.333],
                      [-0.243, -0.130], [-0.109, 1.556], [0.129, -2.067], [-0.885, -1.105]])
ids = [vocabulary.index(w) for w in corpus]
pairs, singles = count_ngrams(corpus, 2)
floor = cross_entropy([add_k(b, (a,), pairs, singles, 8, k=0) for a, b in zip(corpus, corpus[1:], strict=False)])
print(f"random vectors {mean_nll(printed_V, printed_U, ids):.4f}, uniform {math.log(8):.4f}, floor {floor:.4f} nats")


class TwoMatrices(nn.Module):
    """The two-matrix language model: (B,) word numbers to (B, W) scores of the next word."""

    def __init__(self, size: int, width: int):
        super().__init__()
        self.V = nn.Embedding(size, width)
        self.U = nn.Embedding(size, width)

    def forward(self, previous):
        return self.V(previous) @ self.U.weight.T


def next_word_loss(model, batch):
    return F.cross_entropy(model(batch[0]), batch[1])


def trained_matrices(seed: int, width: int = 2, steps: int = 400) -> tuple[np.ndarray, np.ndarray, float]:
    """Return V, U and the mean NLL after training on the corpus."""
    seed_everything(seed)
    model = TwoMatrices(len(vocabulary), width)
    batch = (torch.tensor(ids[:-1]), torch.tensor(ids[1:]))
    fit(model, [batch], next_word_loss, steps=steps, lr=0.1, warmup=0, weight_decay=0, clip=None, progress=False)
    V, U = model.V.weight.detach().numpy(), model.U.weight.detach().numpy()
    return V, U, mean_nll(V, U, ids)


runs = {width: [trained_matrices(seed, width) for seed in range(budget(grade=2, cpu=5))] for width in (2, 3)}
for width, found in runs.items():
    print(f"{width} dimensions, one run for each seed:", " ".join(f"{loss:.4f}" for *_, loss in found))
    trained = [-loss for *_, loss in found]
    claim(f"Mini corpus, {width} dimensions, minus NLL: trained above -0.85", trained, [-0.85] * len(trained))

# %% [markdown]
# In two dimensions a run may get stuck above the floor (with another optimiser two of five ended at 0.80): eight words
# must find their places around a point, and they cannot pass through one another. A third dimension gives a way round.
# Below, the best of the runs in two dimensions.

# %% show
V2, U2, _ = min(runs[2], key=lambda run: run[2])
seen = set(zip(ids, ids[1:], strict=False))
fig, axes = plots.figure(columns=2, width=10, height=4.6)
for ax, (title, V, U) in zip(axes, [("random", printed_V, printed_U), ("trained", V2, U2)], strict=True):
    ax.scatter(*V.T, marker="o", label="V, previous")
    ax.scatter(*U.T, marker="^", label="U, next")
    ax.set_title(f"{title}: {mean_nll(V, U, ids):.4f} nats")
    ax.margins(0.12)
axes[1].legend(loc="center left", bbox_to_anchor=(1, 0.5))
fig.draw_without_rendering()  # fixes the layout, so that labels can be placed
fig.set_layout_engine("none")
quoted = [w if w.isalpha() else f"“{w}”" for w in vocabulary]
for ax, (V, U) in zip(axes, ((printed_V, printed_U), (V2, U2)), strict=True):
    texts = plots.place(ax, np.vstack([V, U]), list(enumerate(quoted * 2)))
    for text in texts[len(quoted) :]:
        text.set_fontweight("bold")
plots.show(fig, "Two maps of the eight words, each word twice: as previous (circles) and as next (triangles, "
    f"bold). Left random, {mean_nll(printed_V, printed_U, ids):.2f} nats; right trained, {mean_nll(V2, U2, ids):.2f}: "
    "each next word lies in the direction of the words that it follows.")
uniforms = np.random.default_rng(SEED).uniform(size=21)
for title, V, U in (("random", printed_V, printed_U), ("trained", V2, U2)):
    drawn = generate(V, U, vocabulary.index("dog"), uniforms)
    known = sum(pair in seen for pair in zip(drawn, drawn[1:], strict=False))
    print(f"{title}: {known} of 21 bigrams occur in the corpus\n    the", " ".join(vocabulary[i] for i in drawn))

# %% [markdown]
# ## Exercise 3: a window of words (`bengio`)
#
# 12 minutes, ★, 4 points
#
# Two matrices look back one word. The first neural language model (Bengio and others, 2003) looks back $n$ words: it
# looks up their vectors, writes them one after another into one long row $x$ of $n \cdot d$ numbers, the oldest first,
# and adds two paths to the scores, one through a hidden layer and one direct:
#
# $$ x = [E_{w_1}, \dots, E_{w_n}], \qquad \text{scores} = \tanh(x W_h + b_h)\, W_o + x W_d + b_o $$
#
# What breaks is in the shape of $W_h$, $(n d, H)$: each place in the window has weights of its own. A longer window
# is a larger model, what was learned at one place is not known at the next, and the word before the window is gone.
#
# Write `bengio_logits`, with torch. The scores are returned as they are, without a softmax. Here and in the
# networks that follow (exercises 4, 7, 11 and 14) the result has the dtype of the weights, and autograd can go through:
# no `.detach()`, no `.item()` on the way.
#
# By hand: with $d = 1$, $E = (1, 2, 3)^\top$ and the window of words $(2, 0)$, $x = (3, 1)$.
#
# <details><summary>Hint 1</summary><code>E[ids]</code> has shape (B, n, d).</details>
# <details><summary>Hint 2</summary><code>.reshape(B, n * d)</code> or <code>.flatten(1)</code> lays the vectors of a
# window one after another.</details>

# %% exercise="bengio"
def bengio_logits(
    ids: torch.Tensor, E: torch.Tensor, W_h: torch.Tensor, b_h: torch.Tensor,
    W_o: torch.Tensor, b_o: torch.Tensor, W_d: torch.Tensor,
) -> torch.Tensor:
    """Return the scores of the next word, (B, V).

    ids: (B, n) word numbers, the oldest first. E: (V, d). W_h: (n * d, H), b_h: (H,). W_o: (H, V), b_o: (V,).
    W_d: (n * d, V), the direct path.
    """
    ### BEGIN SOLUTION
    x = E[ids].flatten(1)  # (B, n * d)
    return torch.tanh(x @ W_h + b_h) @ W_o + x @ W_d + b_o
    ### END SOLUTION

# %% check="bengio" points=4

# %% [markdown]
# ## Embedding options
#
# A window of four words on the docs. Where do the vectors of the words come from, and may they move? Four runs of the
# same model for the same number of steps: vectors drawn at random; those of chapter 02's artifact; the same, *frozen*,
# so that only the other weights learn; and *tied*, where the matrix that embeds the words also scores the next one
# ($W_o = E^\top$; Press and Wolf, 2017), which saves a third matrix. Words that the artifact does not know begin at
# random.

# %% show
class WindowModel(nn.Module):
    """The model of exercise 3 with weights that learn: (B, 4) words to (B, V) scores."""

    def __init__(self, size: int, width: int, start: torch.Tensor | None = None, frozen=False, tied=False):
        super().__init__()
        self.E = nn.Parameter(torch.randn(size, width) * 0.1 if start is None else start.clone(),
            requires_grad=not frozen)
        self.W_h, self.b_h = nn.Parameter(torch.randn(4 * width, width) * 0.04), nn.Parameter(torch.zeros(width))
        self.W_o = None if tied else nn.Parameter(torch.randn(width, size) * 0.05)
        self.b_o, self.W_d = nn.Parameter(torch.zeros(size)), torch.zeros(4 * width, 1)  # no direct path here

    def forward(self, ids):
        W_o = self.E.T if self.W_o is None else self.W_o
        return bengio_logits(ids, self.E, self.W_h, self.b_h, W_o, self.b_o, self.W_d)


known_words = [w for w, _ in Counter(train_words).most_common(1999)]
number = {w: i + 1 for i, w in enumerate(known_words)}  # 0 is <unk>
train_ids, valid_ids = (torch.tensor([number.get(w, 0) for w in part]) for part in (train_words, valid_words))
vectors = WordVectors.load()
width = vectors.matrix.shape[1]  # 128 in the reference; your own may have another
pretrained = torch.randn(2000, width) * 0.1
for word, i in number.items():
    if word in vectors:
        pretrained[i] = torch.from_numpy(vectors.unit[vectors.index[word]])

def window_batch(step: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (windows (B, 4), next words (B,)) from places drawn at random."""
    places = torch.randint(len(train_ids) - 4, (256,))
    return train_ids[places[:, None] + torch.arange(4)], train_ids[places + 4]

def window_perplexity(model) -> float:
    """Return the perplexity on the first words of the validation part."""
    places = torch.arange(3000)
    with torch.no_grad():
        logits = model(valid_ids[places[:, None] + torch.arange(4)])
    return math.exp(F.cross_entropy(logits, valid_ids[places + 4]).item())

OPTIONS = {"random": {}, "pretrained": {"start": pretrained},
           "pretrained, frozen": {"start": pretrained, "frozen": True}, "random, tied": {"tied": True}}
print(f"{'vectors':<20}{'weights that learn':>20}{'perplexity, early':>20}{'at the end':>12}")
for name, options in OPTIONS.items():
    seed_everything(SEED)
    model = WindowModel(2000, width, **options)
    steps = budget(grade=30, cpu=160)
    history = fit(model, window_batch, next_word_loss, steps=steps, lr=3e-3, evaluate=window_perplexity,
                  evaluate_every=steps // 4, progress=False)
    learned = sum(p.numel() for p in model.parameters() if p.requires_grad)
    print(f"{name:<20}{learned:>20,}{history.evaluations[0][1]:>20.1f}{history.evaluations[-1][1]:>12.1f}")
window_pairs, window_singles = count_ngrams(train_ids.tolist(), 2)
after = zip(valid_ids[3:3003].tolist(), valid_ids[4:3004].tolist(), strict=True)
bigram = [add_k(b, (a,), window_pairs, window_singles, 2000, 0.01) for a, b in after]
print(f"{'bigrams by counting':<20}{'':>20}{'':>20}{perplexity(bigram):>12.1f}")

# %% [markdown]
# The bigrams, counted from all 250,000 words, are ahead of networks that have seen 41,000 windows. But look at what
# each way costs and saves: frozen vectors learn least, tied ones need a matrix less and lose nothing, and pretrained
# ones begin ahead, by little, since the artifact's vectors were made for neighbourhood and not for the next word.

# %% [markdown]
# ## Exercise 4: one state for all of the past (`rnn`)
#
# 12 minutes, ★, 5 points
#
# Instead of a longer window, keep a **state** $h$ of fixed size, and update it by the same rule at every step:
#
# $$ h_t = \tanh(x_t W_x + h_{t-1} W_h + b) $$
#
# The parameters no longer grow with the length, and in principle $h_t$ may remember anything. Unrolled in time this is
# a deep network: $T$ layers, all with the same weights. Write, with torch,
#
# 1. `rnn_cell(x, h, W_x, W_h, b)`: one step for a batch.
# 2. `rnn_forward(x, h0, W_x, W_h, b)`: all steps; returns the states $h_1 \dots h_T$, $(B, T, H)$, and the last state,
#    $(B, H)$. With $T = 0$ the states have shape $(B, 0, H)$ and the last state is `h0`.
#
# By hand: $x_1 = 1$, $h_0 = 0.5$, all weights 1 and $b = -1.5$: $h_1 = \tanh(1 + 0.5 - 1.5) = 0$.
#
# <details><summary>Hint 1</summary>The cell is one line; the forward pass is a loop that keeps each new state in a
# list.</details>
# <details><summary>Hint 2</summary><code>x[:, t]</code> is step t of all sequences; <code>torch.stack(states,
# dim=1)</code> puts the time axis back.</details>

# %% exercise="rnn"
def rnn_cell(
    x: torch.Tensor, h: torch.Tensor, W_x: torch.Tensor, W_h: torch.Tensor, b: torch.Tensor
) -> torch.Tensor:
    """Return the next state, (B, H). x: (B, C), h: (B, H), W_x: (C, H), W_h: (H, H), b: (H,)."""
    ### BEGIN SOLUTION
    return torch.tanh(x @ W_x + h @ W_h + b)
    ### END SOLUTION


def rnn_forward(
    x: torch.Tensor, h0: torch.Tensor, W_x: torch.Tensor, W_h: torch.Tensor, b: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (all states (B, T, H), the last state (B, H)). x: (B, T, C), h0: (B, H)."""
    ### BEGIN SOLUTION
    h, states = h0, []
    for t in range(x.shape[1]):
        h = rnn_cell(x[:, t], h, W_x, W_h, b)
        states.append(h)
    return torch.stack(states, dim=1) if states else h.new_zeros(len(h), 0, h.shape[1]), h
    ### END SOLUTION

# %% check="rnn" points=5

# %% show
rnn = nn.RNN(3, 4, batch_first=True)
x, h0 = torch.randn(2, 6, 3), torch.randn(2, 4)
with torch.no_grad():
    ours = rnn_forward(x, h0, rnn.weight_ih_l0.T, rnn.weight_hh_l0.T, rnn.bias_ih_l0 + rnn.bias_hh_l0)[0]
    print(f"largest difference from nn.RNN, weights copied: {(ours - rnn(x, h0[None])[0]).abs().max():.1e}")

# %% [markdown]
# Below, the shapes in which a recurrent network is used. All of them come in this chapter: the language model and the
# tagger (many to many, in step), the classifier (many to one), the translator (many to many, through one state).

# %% show
fig, axes = plots.figure(columns=4, width=11, height=2.6)
SHAPES = {"one to many": ([0], [0, 1, 2, 3]), "many to one": ([0, 1, 2, 3], [3]),
          "many to many, in step": ([0, 1, 2, 3], [0, 1, 2, 3]), "encoder, decoder": ([0, 1], [2, 3])}
for ax, (title, (inputs, outputs)) in zip(axes, SHAPES.items(), strict=True):
    arrow = {"arrowprops": {"arrowstyle": "->", "color": "black"}}
    for t in range(4):
        ax.annotate("", (t + 0.7, 1), (t + 0.3, 1), **arrow) if t < 3 else None
        ax.text(t, 1, "h", ha="center", va="center", bbox={"boxstyle": "round", "fc": "white", "ec": plots.COLORS[0]})
        for places, low, letter in ((inputs, 0, "x"), (outputs, 1, "y")):
            if t in places:
                ax.annotate("", (t, low + 0.75), (t, low + 0.25), **arrow)
                ax.text(t, 2 * low, letter, ha="center", va="center")
    ax.set(xlim=(-0.5, 3.5), ylim=(-0.3, 2.3), title=title)
    ax.set_axis_off()
plots.show(fig, "Four drawings of a recurrent network over four steps: one input and four outputs; four inputs and one "
    "output; an output for each input; two inputs read first and two outputs written after.")

# %% [markdown]
# ## Exercise 5: back through time (`bptt`)
#
# 30 minutes, ★★★, 7 points
#
# How does the network learn? By the chain rule, backwards through the unrolled network. Do it once by hand, for a
# network of one number: $h_t = \tanh(a_t)$ with $a_t = w x_t + u h_{t-1} + b$ and $h_0 = 0$, and the loss
# $L = \tfrac12 \sum_{t=1}^{T} (h_t - y_t)^2$. Let $\delta_t = \partial L / \partial a_t$. The state $h_t$ acts on the
# loss in two ways, at once through $(h_t - y_t)^2$ and later through $a_{t+1}$:
#
# $$ \delta_t = (1 - h_t^2)\,\big[(h_t - y_t) + u\,\delta_{t+1}\big], \quad \delta_{T+1} = 0, \qquad
# \frac{\partial L}{\partial w} = \sum_t \delta_t x_t, \quad \frac{\partial L}{\partial u} = \sum_t \delta_t h_{t-1},
# \quad \frac{\partial L}{\partial b} = \sum_t \delta_t $$
#
# The weights are shared, so their gradients are sums over time. And at each step back $\delta$ is multiplied by
# $u (1 - h_t^2)$: exercise 6 is about what that does.
#
# Write `scalar_bptt(x, y, w, u, b)`: it returns $(L, \partial L/\partial w, \partial L/\partial u, \partial L/\partial
# b)$, four numbers. Write it by these sums and not with autograd: that is the exercise, although the check sees numbers
# only. `x` and `y` are equally long; with no step at all, everything is 0.
#
# By hand: one step, $x_1 = 1$, $y_1 = 1$, all weights 0. Then $h_1 = 0$, $L = 0.5$, $\delta_1 = -1$, and the gradients
# are $-1$ for $w$, $0$ for $u$ (since $h_0 = 0$), $-1$ for $b$.
#
# <details><summary>Hint 1</summary>First a loop forwards that keeps all states, h_0 among them; then a loop
# backwards.</details>
# <details><summary>Hint 2</summary>In the backward loop keep one number, delta of the step after; it begins at
# 0.</details>
# <details><summary>Hint 3</summary><code>delta = (1 - h[t] ** 2) * ((h[t] - y[t - 1]) + u * delta)</code>, if
# <code>h[0]</code> is the first state and steps are counted from 1.</details>

# %% exercise="bptt"
def scalar_bptt(
    x: Sequence[float], y: Sequence[float], w: float, u: float, b: float
) -> tuple[float, float, float, float]:
    """Return the loss and its derivatives by w, u and b, for T inputs x and T targets y; h_0 is 0."""
    ### BEGIN SOLUTION
    h = [0.0]
    for value in x:
        h.append(math.tanh(w * value + u * h[-1] + b))
    loss = sum((state - target) ** 2 for state, target in zip(h[1:], y, strict=True)) / 2
    delta = dw = du = db = 0.0
    for t in range(len(x), 0, -1):
        delta = (1 - h[t] ** 2) * (h[t] - y[t - 1] + u * delta)
        dw, du, db = dw + delta * x[t - 1], du + delta * h[t - 1], db + delta
    return loss, dw, du, db
    ### END SOLUTION

# %% check="bptt" points=7

# %% [markdown]
# From here on autograd does this for us. Before that, it confirms what you wrote.

# %% show
generator = np.random.default_rng(SEED)
x, y = generator.normal(size=20), generator.normal(size=20)
leaves = [torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in (0.7, -0.9, 0.1)]
h, loss = torch.zeros((), dtype=torch.float64), torch.zeros((), dtype=torch.float64)
for a, target in zip(x, y, strict=True):
    h = torch.tanh(leaves[0] * a + leaves[1] * h + leaves[2])
    loss = loss + 0.5 * (h - target) ** 2
loss.backward()
by_hand = scalar_bptt(x.tolist(), y.tolist(), 0.7, -0.9, 0.1)
for name, mine, torchs in zip(("dL/dw", "dL/du", "dL/db"), by_hand[1:], leaves, strict=True):
    print(f"{name}: by hand {mine:+.10f}, autograd {torchs.grad.item():+.10f}")

# %% [markdown]
# ## Exercise 6: gradients that vanish, gradients that explode (`exploding`)
#
# 20 minutes, ★★, 6 points
#
# With a state of $H$ numbers each step back multiplies by a matrix, the Jacobian
# $J_t = \partial h_t / \partial h_{t-1}$. With row vectors and $h_t = \tanh(\dots + h_{t-1} W_h + b)$,
#
# $$ \frac{\partial h_{t,j}}{\partial h_{t-1,i}} = W_{h,ij}\,(1 - h_{t,j}^2), \qquad J_t = W_h\,\mathrm{diag}(1 -
# h_t^2), \qquad \frac{\partial h_T}{\partial h_{T-k}} = J_{T-k+1} \cdots J_{T-1} J_T $$
#
# A product of many matrices shrinks to nothing or grows without bound, unless their sizes are just 1. Shrinking, the
# network cannot learn what lies far back; growing, one step of the optimiser throws all weights away. Against the
# second there is a remedy: scale the gradient down when its norm is too large (Pascanu and others, 2013):
#
# $$ g \leftarrow g \cdot \min\!\Big(1, \frac{c}{\lVert g \rVert}\Big), \qquad \lVert g \rVert = \text{the root of the
# sum of the squares of } \textbf{all} \text{ numbers in all gradients} $$
#
# Write
#
# 1. `jacobian_norms(states, W_h)` with NumPy: `states` are $h_1 \dots h_T$, $(T, H)$, of one sequence. Entry $k$ of the
#    result, $k = 0 \dots T-1$, is the spectral norm (the largest singular value) of $\partial h_T / \partial h_{T-k}$.
#    For $k = 0$ that is the identity, with norm 1.
# 2. `clip_by_norm(gradients, limit)` with torch: a list of tensors of any shapes comes in; a list of *new* tensors of
#    the same shapes comes out, and the norm before clipping as a float. One factor serves all of them. Where the norm
#    is at most the limit, nothing is scaled.
#
# By hand: the gradients $(3)$ and $(0, 4)$ have the norm $5$; with limit 1 they become $(0.6)$ and $(0, 0.8)$.
#
# <details><summary>Hint 1</summary>Begin with the identity and multiply one Jacobian at a time, from the left, going
# back in time.</details>
# <details><summary>Hint 2</summary><code>W_h * (1 - h ** 2)</code> scales the columns of W_h: that is
# <code>W_h @ np.diag(1 - h ** 2)</code>.</details>
# <details><summary>Hint 3</summary><code>np.linalg.norm(product, 2)</code>; and for the norm of all gradients
# <code>math.sqrt(sum(float((g ** 2).sum()) for g in gradients))</code>.</details>

# %% exercise="exploding"
def jacobian_norms(states: np.ndarray, W_h: np.ndarray) -> np.ndarray:
    """Return the spectral norms of dh_T / dh_(T-k) for k = 0 ... T - 1, (T,).

    states: (T, H), h_1 to h_T of a tanh network. W_h: (H, H).
    """
    ### BEGIN SOLUTION
    product, norms = np.eye(len(W_h)), []
    for h in states[::-1]:
        norms.append(np.linalg.norm(product, 2))
        product = (W_h * (1 - h**2)) @ product
    return np.array(norms)
    ### END SOLUTION


def clip_by_norm(gradients: list[torch.Tensor], limit: float) -> tuple[list[torch.Tensor], float]:
    """Return the gradients scaled so that their common norm is at most `limit`, and the norm before."""
    ### BEGIN SOLUTION
    norm = math.sqrt(sum(float((g**2).sum()) for g in gradients))
    factor = min(1.0, limit / norm) if norm else 1.0
    return [g * factor for g in gradients], norm
    ### END SOLUTION

# %% check="exploding" points=6

# %% [markdown]
# ## How far back does the gradient reach?
#
# Left, your `jacobian_norms` on random networks of 32 numbers, whose $W_h$ is drawn so that its eigenvalues fill a
# circle of radius $\rho$. Middle, what autograd says for a plain RNN, a GRU and an LSTM: the norm of the gradient of
# the last state by the *input*, against the distance (for the gates see exercise 7; the gates that keep the past
# begin open, with a bias of 5 in the LSTM and of 4 in the GRU). Right, clipping: a plain RNN of radius 2.5
# trained to repeat what it saw, once with clipping at 1 and once without.

# %% given
def scaled_rnn(width: int, radius: float, seed: int, inputs: int = 4) -> nn.RNN:
    """Return a plain RNN whose recurrent matrix has a spectral radius of about `radius`."""
    seed_everything(seed)
    rnn = nn.RNN(inputs, width, batch_first=True)
    with torch.no_grad():
        rnn.weight_hh_l0.normal_(0, radius / math.sqrt(width))
    return rnn


def remembering(kind: type, inputs: int, width: int) -> nn.Module:
    """Return an RNN, GRU or LSTM; the gates that keep the past begin open."""
    module = kind(inputs, width, batch_first=True)
    with torch.no_grad():
        if kind is nn.LSTM:
            module.bias_ih_l0[width : 2 * width] = 5.0  # the forget gate
            module.bias_ih_l0[:width] = -2.0  # the input gate: write little until it is learned what
        if kind is nn.GRU:
            module.bias_ih_l0[width : 2 * width] = 4.0  # the update gate: near 1 it keeps the old state
    return module


def reach(module: nn.Module, length: int, seed: int) -> np.ndarray:
    """Return the norm of d(sum of the last state) / dx at each distance from the end, (length,), mean over a batch."""
    x = torch.randn(16, length, module.input_size, generator=torch.Generator().manual_seed(seed), requires_grad=True)
    module(x)[0][:, -1].sum().backward()
    return x.grad.norm(dim=-1).mean(0).flip(0).numpy()

# %% show
LENGTH = 80
distance = np.arange(LENGTH)
fig, axes = plots.figure(columns=3, width=12, height=3.8)
radii = {0.5: ":", 0.9: "--", 3.0: "-"}
for (radius, style), color in zip(radii.items(), plots.COLORS, strict=False):
    rnn = scaled_rnn(32, radius, SEED)
    with torch.no_grad():
        states = rnn(0.1 * torch.randn(1, LENGTH, 4))[0][0].numpy()
    axes[0].plot(distance, jacobian_norms(states, rnn.weight_hh_l0.detach().numpy().T), style, color=color,
                 label=f"radius {radius}")
axes[0].set(yscale="log", xlabel="distance k", ylabel="norm of the product", title="a product of Jacobians",
    ylim=(1e-12, 1e12))
reaches = {kind.__name__: reach(remembering(kind, 4, 32), LENGTH, SEED) for kind in (nn.RNN, nn.GRU, nn.LSTM)}
for (name, values), style in zip(reaches.items(), (":", "--", "-"), strict=True):
    axes[1].plot(distance, np.maximum(values, 1e-12), style, label=name)
axes[1].set(yscale="log", xlabel="distance k", ylabel="norm of the gradient", title="gates", ylim=(1e-12, 1e2))

def echo_task(rnn: nn.RNN, readout: nn.Linear, batch) -> torch.Tensor:
    """The loss of repeating the input of ten steps before."""
    return F.mse_loss(readout(rnn(batch)[0])[:, 10:], batch[:, :-10])

def explosive_run(limit: float | None) -> tuple[list[float], list[float]]:
    """Train at a fixed rate; returns the norms before clipping and the losses."""
    rnn, readout, norms, losses = scaled_rnn(32, 2.5, SEED), nn.Linear(32, 4), [], []
    parameters = [*rnn.parameters(), *readout.parameters()]
    for step in range(budget(grade=20, cpu=120)):
        x = torch.randn(16, 40, 4, generator=torch.Generator().manual_seed(step))
        loss = echo_task(rnn, readout, x)
        gradients = torch.autograd.grad(loss, parameters)
        clipped, norm = clip_by_norm(list(gradients), limit or math.inf)
        with torch.no_grad():
            for p, g in zip(parameters, clipped, strict=True):
                p -= 0.3 * g
        norms.append(norm)
        losses.append(loss.item())
    return norms, losses

explosions = {"without clipping": explosive_run(None), "clipped at 1": explosive_run(1.0)}
for (name, (_, losses)), style in zip(explosions.items(), (":", "-"), strict=True):
    axes[2].plot(losses, style, label=name)
axes[2].set(yscale="log", xlabel="step", ylabel="loss", title="clipping")
for ax in axes:
    ax.legend(fontsize=9)
told = explosions.items()
plots.show(fig, "Left: the norm of a product of Jacobians falls to nothing with the distance for radius 0.5 and 0.9, "
    "and grows for 3. Middle: the gradient of a plain RNN is gone after some twenty steps; those of GRU and LSTM "
    f"reach eighty. Right: the largest loss of a training, {', '.join(f'{n}: {max(v[1]):.3g}' for n, v in told)}.")
for name, values in reaches.items():
    print(f"{name}: the gradient at distance 50 is {values[50] / values[0]:.1e} of that at distance 0")
for name, (norms, losses) in explosions.items():
    print(f"{name}: largest norm {max(norms):.3g}, last loss {losses[-1]:.3f}")

# %% [markdown]
# ## Exercise 7: gates (`gates`)
#
# 30 minutes, ★★, 8 points
#
# The state of a plain RNN is rewritten at every step. A **gate** decides, number by number, what is kept and what is
# written: a sigmoid $\sigma$ between 0 (shut) and 1 (open), made from $x_t$ and $h_{t-1}$. The **LSTM** (Hochreiter and
# Schmidhuber, 1997; with a forget gate, Gers and others, 2000) has a second state, the *cell* $c$, that is changed by
# adding only:
#
# $$ [i, f, g, o] = x W_x + h W_h + b \ \text{ in four parts of } H, \qquad
# c' = \sigma(f) \odot c + \sigma(i) \odot \tanh(g), \qquad h' = \sigma(o) \odot \tanh(c') $$
#
# Forget ($f$), add ($i$) the content ($g$), show ($o$). The gradient runs along $c$ through a product with
# $\sigma(f)$ only: with an open gate it does not vanish. The **GRU** (Cho and others, 2014) has one state and two
# gates, reset $r$ and update $z$, and needs its two linear maps apart:
#
# $$ [a_r, a_z, a_n] = x W_x + b_x, \quad [d_r, d_z, d_n] = h W_h + b_h, \quad
# r = \sigma(a_r + d_r), \quad z = \sigma(a_z + d_z), $$
# $$ n = \tanh(a_n + r \odot d_n), \qquad h' = (1 - z) \odot n + z \odot h $$
#
# Write `lstm_cell` and `gru_cell` for one step of a batch, with torch. The parts come in the order $i, f, g, o$ and
# $r, z, n$, as in torch. (Note where $r$ acts: on $h W_h + b_h$, after the matrix.)
#
# By hand: an LSTM of one number, all sums 0 and $c = 2$: every gate is 0.5, the content $\tanh 0 = 0$, so $c' = 1$
# and $h' = 0.5 \tanh 1 = 0.38$.
#
# <details><summary>Hint 1</summary><code>i, f, g, o = sums.chunk(4, dim=-1)</code></details>
# <details><summary>Hint 2</summary>Sigmoids on i, f and o; a tanh on g. The new cell, not the old one, goes into
# h'.</details>
# <details><summary>Hint 3</summary>In the GRU z keeps the <em>old</em> state: with z = 1 nothing changes.</details>

# %% exercise="gates"
def lstm_cell(
    x: torch.Tensor, h: torch.Tensor, c: torch.Tensor, W_x: torch.Tensor, W_h: torch.Tensor, b: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the next (h, c), each (B, H). x: (B, C), h and c: (B, H), W_x: (C, 4H), W_h: (H, 4H), b: (4H,)."""
    ### BEGIN SOLUTION
    i, f, g, o = (x @ W_x + h @ W_h + b).chunk(4, dim=-1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c
    ### END SOLUTION


def gru_cell(
    x: torch.Tensor, h: torch.Tensor, W_x: torch.Tensor, W_h: torch.Tensor, b_x: torch.Tensor, b_h: torch.Tensor
) -> torch.Tensor:
    """Return the next h, (B, H). x: (B, C), h: (B, H), W_x: (C, 3H), W_h: (H, 3H), b_x and b_h: (3H,)."""
    ### BEGIN SOLUTION
    a_r, a_z, a_n = (x @ W_x + b_x).chunk(3, dim=-1)
    d_r, d_z, d_n = (h @ W_h + b_h).chunk(3, dim=-1)
    r, z = torch.sigmoid(a_r + d_r), torch.sigmoid(a_z + d_z)
    return (1 - z) * torch.tanh(a_n + r * d_n) + z * h
    ### END SOLUTION

# %% check="gates" points=8

# %% [markdown]
# ## The long-memory task
#
# One symbol of eight comes first. Then come other symbols, drawn at random, and at the end the network must say which
# symbol came first. A plain RNN has the state to hold it, and the gradient never tells it to. Five seeds each:
# a claim about training that holds for one seed is an anecdote.

# %% show
class Recall(nn.Module):
    """Reads symbols (B, T) and gives scores (B, 8) of the first one."""

    def __init__(self, kind: type, width: int = 32):
        super().__init__()
        self.embed = nn.Embedding(16, 16)
        self.read = remembering(kind, 16, width)
        self.out = nn.Linear(width, 8)

    def forward(self, symbols):
        return self.out(self.read(self.embed(symbols))[0][:, -1])


def recall_batch(step: int, length: int, rows: int = 32) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (symbols (B, T), first symbols (B,)): one of 0 to 7 first, then noise, 8 to 15."""
    generator = torch.Generator().manual_seed(10_000 + step)
    symbols = torch.randint(8, 16, (rows, length), generator=generator)
    symbols[:, 0] = torch.randint(8, (rows,), generator=generator)
    return symbols, symbols[:, 0].clone()


def recalled(kind: type, seed: int, length: int, steps: int) -> float:
    """Train on the task; returns the accuracy on 512 fresh sequences."""
    seed_everything(seed)
    model = Recall(kind)
    fit(model, lambda step: recall_batch(step + 1000 * seed, length), next_word_loss, steps=steps, lr=1e-2,
        progress=False)
    symbols, first = recall_batch(-1, length, rows=512)
    with torch.no_grad():
        return (model(symbols).argmax(-1) == first).float().mean().item()


MEMORY = 60
memory_runs = {
    kind.__name__: [recalled(kind, seed, budget(grade=12, cpu=MEMORY), budget(grade=60, cpu=320))
                    for seed in range(budget(grade=1, cpu=5))]
    for kind in (nn.RNN, nn.GRU, nn.LSTM)
}
for name, found in memory_runs.items():
    print(f"{name:>5}: {' '.join(f'{a:6.1%}' for a in found)}   (chance is 12.5%)")
for name in ("GRU", "LSTM"):
    claim(f"The first symbol, {MEMORY} steps later: {name} above RNN", memory_runs[name], memory_runs["RNN"])

# %% [markdown]
# ## Exercise 8: there and back, layer on layer (`stacked`)
#
# 25 minutes, ★★★, 6 points
#
# A tagger may read the whole sentence before it answers. So a **bidirectional** layer reads it twice, once from each
# end, and lays the two states of each token side by side. A **stacked** network gives these states to a next layer, as
# its input.
#
# Sentences of a batch differ in length and are padded at the end. The backward reader must begin at *each sentence's
# own last token*: whoever turns the whole padded row round makes it begin with padding. Write, with torch,
#
# 1. `reverse_padded(x, lengths)`: each sequence of the batch turned round within its length; what lies beyond stays
#    where it is. Applied twice, it gives the input back.
# 2. `stacked_bidirectional(x, lengths, layers)`: `layers` is a list of pairs of functions (forward, backward). Each
#    takes a batch $(B, T, C)$, reads it from the first step to the last, and returns its states $(B, T, H)$. The
#    backward one of a pair is fed the sequences turned round, and its states are turned round again, so that both speak
#    of the same token. Forward states come first. The output of a layer, $(B, T, 2H)$, is the input of the next; the
#    result is that of the last layer, with **zeros** at all places beyond the length.
#
# By hand: `a b c _ _` of length 3 becomes `c b a _ _`.
#
# <details><summary>Hint 1</summary>For reverse_padded find, for each row and place t, the place to copy from: length -
# 1 - t within the sequence, t beyond it.</details>
# <details><summary>Hint 2</summary><code>places = torch.arange(T)</code>, <code>source = torch.where(places &lt;
# lengths[:, None], lengths[:, None] - 1 - places, places)</code>.</details>
# <details><summary>Hint 3</summary><code>x[torch.arange(B)[:, None], source]</code> copies whole vectors.</details>

# %% exercise="stacked"
def reverse_padded(x: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    """Return x, (B, T, C), with the first lengths[b] steps of each sequence b turned round. lengths: (B,)."""
    ### BEGIN SOLUTION
    places, ends = torch.arange(x.shape[1]), lengths[:, None]
    source = torch.where(places < ends, ends - 1 - places, places)  # (B, T)
    return x[torch.arange(len(x))[:, None], source]
    ### END SOLUTION


def stacked_bidirectional(
    x: torch.Tensor, lengths: torch.Tensor, layers: list[tuple[Callable, Callable]]
) -> torch.Tensor:
    """Return the states of the last layer, (B, T, 2H), zeros beyond the length.

    x: (B, T, C). lengths: (B,). layers: pairs of functions (forward, backward) from (B, T, C) to states (B, T, H).
    """
    ### BEGIN SOLUTION
    for forward, backward in layers:
        there = forward(x)
        back = reverse_padded(backward(reverse_padded(x, lengths)), lengths)
        x = torch.cat([there, back], dim=-1)
    real = torch.arange(x.shape[1]) < lengths[:, None]
    return x * real[..., None]
    ### END SOLUTION

# %% check="stacked" points=6

# %% [markdown]
# ## A model that writes, character by character
#
# Now a language model over *characters*, on the docs. No word is unknown, the vocabulary is small, and the model has to
# learn spelling, words, indentation and brackets from nothing. It reads with an LSTM; the vectors that embed the
# characters also score the next one (*weight tying*: $U = V$ of exercise 2, which only works since an LSTM stands
# between). What it writes depends on how we draw from its distributions.
#
# ## Exercise 9: temperature, top-k, top-p (`sampling`)
#
# 20 minutes, ★★, 6 points
#
# The likeliest character each time (*greedy*) soon goes in circles; drawing from the whole distribution picks, sooner
# or later, something absurd. Between the two:
#
# 1. **Temperature** $\tau$: divide the logits by $\tau$, then softmax. Below 1 the distribution becomes sharper, above
#    it flatter. $\tau = 0$ means greedy: all probability on the first largest logit, whatever the filters say.
# 2. **Top-k**: only the $k$ largest logits stay. Of equal ones at the border the **earlier** in the vocabulary stays.
#    $k$ may be larger than the vocabulary.
# 3. **Top-p** (nucleus; Holtzman and others, 2020): from what top-k left, scaled to a sum of 1, the **fewest** of the
#    largest probabilities stay whose sum is **at least** $p$ ($0 < p \le 1$); of equal ones, the earlier first. At
#    least one stays.
#
# In this order, and what stays is scaled to a sum of 1. Write `token_distribution(logits, temperature=1.0, top_k=None,
# top_p=None)` with torch: it returns the probabilities of all words, zeros where filtered, in the order of the
# vocabulary. `None` switches a filter off. Logits of $-\infty$ are allowed: such words have probability 0.
#
# By hand: $p = (0.2, 0.5, 0.3)$. Top-p with 0.6 needs $0.5 + 0.3$, so $(0, 0.625, 0.375)$ remains.
#
# <details><summary>Hint 1</summary>Sort once, with <code>torch.sort(..., descending=True, stable=True)</code>; filter
# the sorted probabilities, and put them back in their places.</details>
# <details><summary>Hint 2</summary>A sorted probability stays for top-p if the sum of those <em>before</em> it is less
# than p.</details>
# <details><summary>Hint 3</summary><code>out = torch.zeros_like(p); out[order] = kept / kept.sum()</code></details>

# %% exercise="sampling"
def token_distribution(
    logits: torch.Tensor, temperature: float = 1.0, top_k: int | None = None, top_p: float | None = None
) -> torch.Tensor:
    """Return the probabilities to draw from, (V,), for logits (V,): temperature, then top-k, then top-p."""
    ### BEGIN SOLUTION
    ordered, order = torch.sort(logits, descending=True, stable=True)
    if temperature == 0:
        temperature, top_k = 1.0, 1
    p = torch.softmax(ordered / temperature, dim=-1)
    if top_k is not None:
        p = torch.where(torch.arange(len(p)) < top_k, p, torch.zeros_like(p))
        p = p / p.sum()
    if top_p is not None:
        before = torch.cumsum(p, dim=-1) - p
        kept = (before < top_p) | (torch.arange(len(p)) == 0)
        p = torch.where(kept, p, torch.zeros_like(p))
    out = torch.zeros_like(p)
    out[order] = p / p.sum()
    return out
    ### END SOLUTION

# %% check="sampling" points=6

# %% show
BLOCK, ROWS = 64, 32
CHAR_STEPS = budget(grade=30, cpu=600)
characters = sorted(c for c, _ in Counter(docs.train[:1_000_000]).most_common(95))
place = {c: i + 1 for i, c in enumerate(characters)}  # 0 stands for all other characters

def character_ids(text: str) -> torch.Tensor:
    return torch.tensor([place.get(c, 0) for c in text])

# Each row of the batch reads a stretch of its own, from all over the docs.
starts = np.linspace(0, len(docs.train) - CHAR_STEPS * BLOCK - 2, ROWS).astype(int)
stretches = [docs.train[i : i + CHAR_STEPS * BLOCK + 1] for i in starts]
read = torch.stack([character_ids(stretch) for stretch in stretches])
places = range(0, len(docs.valid) - 1000, len(docs.valid) // 20)
unread = character_ids("".join(docs.valid[i : i + 1000] for i in places))


class CharacterModel(nn.Module):
    """A language model of characters with tied vectors: (B, T) to scores (B, T, V) and a state."""

    def __init__(self, size: int, width: int = 160):
        super().__init__()
        self.embed = nn.Embedding(size, width)
        nn.init.normal_(self.embed.weight, std=0.1)
        self.lstm = nn.LSTM(width, width, batch_first=True)
        self.bias = nn.Parameter(torch.zeros(size))

    def forward(self, ids, state=None):
        states, state = self.lstm(self.embed(ids), state)
        return states @ self.embed.weight.T + self.bias, state


def character_loss(model, batch):
    return F.cross_entropy(model(batch[:, :-1])[0].flatten(0, 1), batch[:, 1:].flatten())


def write(model, prompt: str, length: int, seed: int = SEED, **filters) -> str:
    """Draw characters one by one from `token_distribution`; returns the prompt and what follows."""
    generator, text = torch.Generator().manual_seed(seed), prompt
    with torch.no_grad():
        scores, state = model(character_ids(prompt)[None])
        for _ in range(length):
            p = token_distribution(scores[0, -1], **filters)
            i = torch.multinomial(p, 1, generator=generator)
            text += ([chr(0xFFFD), *characters])[i.item()]
            scores, state = model(i[None], state)
    return text


samples = []
def bits_and_sample(model) -> float:
    """Return bits per character on unread text, and keep what the model writes now."""
    samples.append(write(model, "Return the ", 160, temperature=0.7, top_p=0.95))
    scores = model(unread[None, :-1])[0][0]
    return F.cross_entropy(scores, unread[1:]).item() / math.log(2)

seed_everything(SEED)
writer = CharacterModel(len(characters) + 1)
history = fit(writer, lambda step: read[:, step * BLOCK : (step + 1) * BLOCK + 1], character_loss, steps=CHAR_STEPS,
              lr=8e-3, evaluate=bits_and_sample, evaluate_every=CHAR_STEPS // 4, progress=False)
print(history)
for (step, bits), sample in zip(history.evaluations, samples, strict=False):
    print(f"\n--- after {step} steps, {step * ROWS * BLOCK:,} characters: {bits:.2f} bits per character\n{sample}")

# %% [markdown]
# Words first, then phrases, then the form of a docstring; sense it has none. Is it better than counting? A 5-gram model
# sees four characters back and is counted from the very same characters. Its table is large, and it forgets all beyond
# the four.

# %% show
flat = [stretch.tolist() for stretch in read]
fives, fours = Counter(), Counter()
for stretch in flat:
    found, contexts = count_ngrams(stretch, 5)
    fives.update(found)
    fours.update(contexts)
tail = unread.tolist()
five_gram = {}
for k in (0.1, 0.03, 0.01):
    probabilities = [add_k(tail[i], tuple(tail[i - 4 : i]), fives, fours, len(characters) + 1, k)
                     for i in range(4, len(tail))]
    five_gram[k] = cross_entropy(probabilities) / math.log(2)
best_k = min(five_gram, key=five_gram.get)
parameters = sum(p.numel() for p in writer.parameters())
character_bits = {"5-gram": five_gram[best_k], "LSTM": history.evaluations[-1][1]}
print(f"5-gram, k = {best_k}: {five_gram[best_k]:.3f} bits per character, {len(fives):,} counts")
print(f"LSTM:             {character_bits['LSTM']:.3f} bits per character, {parameters:,} weights")
claim("Minus bits per character: LSTM above the 5-gram", -character_bits["LSTM"], -character_bits["5-gram"])
steps_seen, bits_seen = zip(*history.evaluations, strict=True)
fig, ax = plots.figure(width=6.5, height=3.2)
ax.plot([step * ROWS * BLOCK / 1e6 for step in steps_seen], bits_seen, "o-", label="LSTM")
ax.axhline(five_gram[best_k], linestyle="--", color="black", label="5-gram on all of these characters")
ax.set(xlabel="characters read, in millions", ylabel="bits per character")
ax.legend()
plots.show(fig, f"Bits per character of the LSTM fall from {bits_seen[0]:.2f} to {bits_seen[-1]:.2f} while it reads; a "
    f"dashed line marks the 5-gram model at {five_gram[best_k]:.2f}.")

# %% [markdown]
# The same model, the same start, other ways to draw:

# %% show
for filters in ({"temperature": 0}, {"temperature": 0.5}, {"temperature": 1.0}, {"temperature": 1.5},
                {"top_k": 5}, {"top_p": 0.9}):
    print(f"{filters!s:<22}", repr(write(writer, "The default is ", 90, **filters)[15:]))

# %% [markdown]
# ## Exercise 10: the best path, and all paths (`viterbi`)
#
# 30 minutes, ★★★, 7 points
#
# Which words of a message are a name, a time, a place? Give each token a **tag**: `B-PERSON` begins a person,
# `I-PERSON` goes on with one, `O` is outside. A tag depends on the word and on its neighbour's tag: no `I-TIME`
# follows an `O`. The score of a whole path of tags is a sum of two kinds of numbers, one row of *emissions* for each
# token and one table of *transitions*:
#
# $$ s(y) = \text{start}_{y_1} + \sum_{t=1}^{T} \text{emission}_{t, y_t} + \sum_{t=2}^{T} \text{transition}_{y_{t-1},
# y_t} $$
#
# In a **hidden Markov model** these numbers are logarithms of counted shares: $p(w_t \mid y_t)$ and $p(y_t \mid
# y_{t-1})$. In a **conditional random field** (Lafferty and others, 2001), for example on top of an LSTM, they are
# learned, and the path gets a probability by a softmax over *all* paths: $\ln p(y) = s(y) - \ln \sum_{y'} e^{s(y')}$.
# There are $K^T$ paths, but both the best of them and the sum over them come from one pass over the sentence, since
# the best path to a tag goes through the best path to the tag before it. Write, with NumPy,
#
# 1. `path_score(emissions, transitions, start, tags)`: $s(y)$.
# 2. `viterbi(emissions, transitions, start)`: the best path, a list of $T$ tag numbers. Scores may be `-inf`. Of
#    equally good paths any one.
# 3. `log_partition(emissions, transitions, start)`: $\ln \sum_{y'} e^{s(y')}$; scores are finite and may be as large as
#    thousands, the result must be finite, too.
#
# `emissions` has shape $(T, K)$ with $T \ge 1$, `transitions` $(K, K)$ with the tag *from* in rows and the tag *to* in
# columns, `start` $(K)$.
#
# By hand, two tags: emissions $(1, 0), (0, 2)$, transitions $\begin{pmatrix} 1 & -3 \\ 0 & 0 \end{pmatrix}$, start 0.
# Token by token the best tags are 0, 1, and that path scores $1 - 3 + 2 = 0$. But $1, 1$ scores $0 + 0 + 2 = 2$, and
# $0, 0$ scores $1 + 1 + 0 = 2$: either is right.
#
# <details><summary>Hint 1</summary>Keep for each tag the best score of a path that ends in it: K numbers. One step of
# the sentence is a (K, K) table of sums: from, to.</details>
# <details><summary>Hint 2</summary>Write down, for each token and tag, which tag before was best; from the best last
# tag follow these notes backwards.</details>
# <details><summary>Hint 3</summary>log_partition is the same loop with a logarithm of a sum of exponentials in place of
# the maximum: <code>scipy.special.logsumexp(table, axis=0)</code>, or subtract the largest first.</details>

# %% exercise="viterbi"
def path_score(emissions: np.ndarray, transitions: np.ndarray, start: np.ndarray, tags: Sequence[int]) -> float:
    """Return the score of one path of T tags. emissions: (T, K), transitions: (K, K), row to column, start: (K,)."""
    ### BEGIN SOLUTION
    score = start[tags[0]] + sum(emissions[t][tag] for t, tag in enumerate(tags))
    return float(score + sum(transitions[a][b] for a, b in zip(tags, tags[1:], strict=False)))
    ### END SOLUTION


def viterbi(emissions: np.ndarray, transitions: np.ndarray, start: np.ndarray) -> list[int]:
    """Return the path of T tags with the largest score."""
    ### BEGIN SOLUTION
    best, notes = start + emissions[0], []
    for row in emissions[1:]:
        table = best[:, None] + transitions  # (from, to)
        notes.append(table.argmax(axis=0))
        best = table.max(axis=0) + row
    path = [int(best.argmax())]
    for before in reversed(notes):
        path.append(int(before[path[-1]]))
    return path[::-1]
    ### END SOLUTION


def log_partition(emissions: np.ndarray, transitions: np.ndarray, start: np.ndarray) -> float:
    """Return the logarithm of the sum of exp(score) over all paths."""
    ### BEGIN SOLUTION
    total = start + emissions[0]
    for row in emissions[1:]:
        total = np.logaddexp.reduce(total[:, None] + transitions, axis=0) + row
    return float(np.logaddexp.reduce(total))
    ### END SOLUTION

# %% check="viterbi" points=7

# %% [markdown]
# ## The rival: a hidden Markov model, by counting
#
# The inbox comes with tags for persons, dates, times, places, sums of money, courses and organisations. It is split by
# core sentence, so that no sentence of its grammar stands on both sides. A hidden Markov model needs no training but
# counting, with `add_k` for what was never seen; and Viterbi reads the tags.

# %% given
def hmm(sentences: list, k: float = 0.01) -> tuple[list[str], dict[str, int], np.ndarray, np.ndarray, np.ndarray]:
    """Count a hidden Markov model; returns (tags, words, log emissions (W, K), log transitions (K, K), log start (K,)).

    The last word number stands for all unseen words; words seen once teach what it looks like.
    """
    tags = sorted({tag for _, found in sentences for tag in found})
    counts = Counter(word.lower() for tokens, _ in sentences for word in tokens)
    words = {word: i for i, word in enumerate(sorted(w for w, n in counts.items() if n > 1))}
    number = {tag: i for i, tag in enumerate(tags)}
    emissions = np.full((len(words) + 1, len(tags)), k)
    transitions, start = np.full((len(tags), len(tags)), k), np.full(len(tags), k)
    for tokens, found in sentences:
        row = [number[tag] for tag in found]
        start[row[0]] += 1
        np.add.at(transitions, (row[:-1], row[1:]), 1)
        np.add.at(emissions, ([words.get(w.lower(), len(words)) for w in tokens], row), 1)
    tables = (emissions, 0), (transitions, 1), (start, 0)
    return tags, words, *(np.log(m / m.sum(axis=axis, keepdims=True)) for m, axis in tables)

# %% [markdown]
# ## Exercise 11: judging a tagger (`tagging`)
#
# 20 minutes, ★★, 6 points
#
# Two things are needed before a network can be trained and compared. The loss must not learn from padding: sentences
# of a batch are padded to one length, and the **masked loss** is the mean over the *real* tokens of the batch. And
# accuracy says little, since 85 per cent of the tokens are `O`. What counts is whether a whole **span** was found: its
# label, its first and its last token, all three. Write
#
# 1. `masked_cross_entropy(logits, tags, lengths)` with torch: the mean of $-\ln p(\text{tag})$ over all real
#    tokens of the batch, a scalar tensor that can be trained on. Beyond the length the scores may be any numbers, and
#    the tag numbers anything, even $-1$. At least one length is above 0.
# 2. `spans(tags)`: the set of `(label, first, end)` of one sentence, where `end` is one past the last token. A span
#    begins at a `B-`, and also at an `I-` that does not continue: after `O`, at the start, or after another label. It
#    goes on through each following `I-` of the same label.
# 3. `span_scores(gold, predicted)`: for two equally long lists of tag lists, (precision, recall, F1) over all sentences
#    together: a predicted span is right if the same span is in the gold tags of the same sentence. A share of nothing
#    is 0.0.
#
# By hand: `B-A I-A O I-B B-B` holds three spans: (A, 0, 2), (B, 3, 4), (B, 4, 5).
#
# <details><summary>Hint 1</summary>The places that count: <code>torch.arange(T) &lt; lengths[:, None]</code>. Pick them
# before the loss, and no number beyond is ever looked at.</details>
# <details><summary>Hint 2</summary>Walk through the tags with one open span. Close it when the tag is not an I- of its
# label; then open another if the tag is not O.</details>
# <details><summary>Hint 3</summary>Make the spans of all sentences one set, with the number of the sentence in
# each.</details>

# %% exercise="tagging"
def masked_cross_entropy(logits: torch.Tensor, tags: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    """Return the mean cross-entropy over real tokens, a scalar. logits: (B, T, K), tags: (B, T), lengths: (B,)."""
    ### BEGIN SOLUTION
    real = torch.arange(tags.shape[1], device=tags.device) < lengths[:, None]  # (B, T)
    return F.cross_entropy(logits[real], tags[real])
    ### END SOLUTION


def spans(tags: Sequence[str]) -> set[tuple[str, int, int]]:
    """Return the spans of a sentence in BIO tags: {(label, first token, one past the last token), ...}."""
    ### BEGIN SOLUTION
    found, label, first = set(), None, 0
    for i, tag in enumerate([*tags, "O"]):
        if label is not None and tag != f"I-{label}":
            found.add((label, first, i))
            label = None
        if label is None and tag != "O":
            label, first = tag[2:], i
    return found
    ### END SOLUTION


def span_scores(gold: list[Sequence[str]], predicted: list[Sequence[str]]) -> tuple[float, float, float]:
    """Return (precision, recall, F1) of whole spans over all sentences."""
    ### BEGIN SOLUTION
    true, found = ({(n, *span) for n, tags in enumerate(part) for span in spans(tags)} for part in (gold, predicted))
    hits = len(true & found)
    precision, recall = hits / len(found) if found else 0.0, hits / len(true) if true else 0.0
    return precision, recall, 2 * precision * recall / (precision + recall) if hits else 0.0
    ### END SOLUTION

# %% check="tagging" points=6

# %% [markdown]
# ## A tagger for the inbox
#
# The network reads three things of each token: the word, its last three letters, and its shape (capitals, digits,
# marks). A bidirectional LSTM reads them in both directions, and one linear layer scores the tags of each token.

# %% given
class Features:
    """Turns sentences into numbers: for each token its word, its last three letters and its shape; 0 is padding."""

    def __init__(self, sentences: list[Sequence[str]]):
        counts = Counter(w.lower() for tokens in sentences for w in tokens)
        ends = Counter(w.lower()[-3:] for tokens in sentences for w in tokens)
        self.words = {w: i for i, w in enumerate(sorted(w for w, n in counts.items() if n > 1), start=2)}
        self.ends = {w: i for i, w in enumerate(sorted(w for w, n in ends.items() if n > 4), start=2)}
        self.sizes = (len(self.words) + 2, len(self.ends) + 2, 9)

    def of(self, word: str) -> list[int]:
        """Return the three numbers of a word; 1 is unknown."""
        shape = 1 + 4 * word[:1].isupper() + 2 * any(c.isdigit() for c in word) + (word.isupper()
            or not word.isalnum())
        return [self.words.get(word.lower(), 1), self.ends.get(word.lower()[-3:], 1), shape]

    def pad(self, sentences: list[Sequence[str]]) -> tuple[torch.Tensor, torch.Tensor]:
        """Return (numbers (B, T, 3), lengths (B,))."""
        rows = [torch.tensor([self.of(w) for w in tokens]) for tokens in sentences]
        return nn.utils.rnn.pad_sequence(rows, batch_first=True), torch.tensor([len(row) for row in rows])


class Reader(nn.Module):
    """A bidirectional LSTM over the features; states (B, T, 2 * width), and scores for tags and for whole messages."""

    def __init__(self, features: Features, tags: int, classes: int = 1, width: int = 64):
        super().__init__()
        self.embed = nn.ModuleList(nn.Embedding(size, d) for size, d in zip(features.sizes, (64, 24, 8), strict=True))
        self.lstm = nn.LSTM(96, width, batch_first=True, bidirectional=True)
        self.drop, self.tag, self.label = nn.Dropout(0.3), nn.Linear(2 * width, tags), nn.Linear(2 * width, classes)

    def forward(self, x, lengths):
        e = self.drop(torch.cat([embed(x[..., i]) for i, embed in enumerate(self.embed)], dim=-1))
        packed = nn.utils.rnn.pack_padded_sequence(e, lengths.cpu(), batch_first=True, enforce_sorted=False)
        states, _ = nn.utils.rnn.pad_packed_sequence(self.lstm(packed)[0],
            batch_first=True)  # zeros beyond the length
        states = self.drop(states)
        return self.tag(states), self.label(states.sum(dim=1) / lengths[:, None])


def message_batches(features: Features, sentences: list, tags: list[str], labels: list[int],
    rows: int = 32) -> list[tuple]:
    """Return batches of messages of similar length: (numbers, lengths, tag numbers, labels), in random order."""
    number = {tag: i for i, tag in enumerate(tags)}
    noise = np.random.default_rng(SEED)
    order = sorted(range(len(sentences)), key=lambda i: len(sentences[i][0]) + noise.uniform(0, 4))
    batches = []
    for start in range(0, len(order), rows):
        part = order[start : start + rows]
        x, lengths = features.pad([sentences[i][0] for i in part])
        y = [torch.tensor([number.get(tag, 0) for tag in sentences[i][1]]) for i in part]
        batches.append((x, lengths, nn.utils.rnn.pad_sequence(y, batch_first=True),
            torch.tensor([labels[i] for i in part])))
    return [batches[i] for i in noise.permutation(len(batches))]


def tags_loss(model, batch):
    return masked_cross_entropy(model(batch[0], batch[1])[0], batch[2], batch[1])


def label_loss(model, batch):
    return F.cross_entropy(model(batch[0], batch[1])[1], batch[3])


def tagged(model, features: Features, sentences: list, tags: list[str]) -> list[list[str]]:
    """Return the likeliest tags of each sentence."""
    out = []
    with torch.no_grad():
        for start in range(0, len(sentences), 100):
            x, lengths = features.pad([tokens for tokens, _ in sentences[start : start + 100]])
            best = model(x, lengths)[0].argmax(-1)
            out += [[tags[i] for i in row[:n].tolist()] for row, n in zip(best, lengths.tolist(), strict=True)]
    return out


def lawful(tags: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return transitions (K, K) and start (K,): 0 where BIO allows a step, a large negative score where it does not."""
    def allowed(before: str, tag: str) -> bool:
        return tag[:2] != "I-" or before[2:] == tag[2:]

    scores = np.array([[0.0 if allowed(a, b) else -1e6 for b in tags] for a in ["O", *tags]])
    return scores[1:], scores[0]


def tagged_lawfully(model, features: Features, sentences: list, tags: list[str]) -> list[list[str]]:
    """Return the best path of each sentence among those that BIO allows, by the network's log-probabilities."""
    transitions, start = lawful(tags)
    out = []
    for tokens, _ in sentences:
        with torch.no_grad():
            rows = model(*features.pad([tokens]))[0][0].log_softmax(-1).double().numpy()
        out.append([tags[i] for i in viterbi(rows, transitions, start)])
    return out


def accuracy(gold: list, predicted: list) -> float:
    """Return the share of tokens with the right tag."""
    pairs = [(a, b) for g, p in zip(gold, predicted, strict=True) for a, b in zip(g, p, strict=True)]
    return sum(a == b for a, b in pairs) / len(pairs)

# %% show
inbox_tags = data.load("inbox_tags")
judged = inbox_tags.test
gold = [tags for _, tags in judged]
tag_names, hmm_words, hmm_emissions, hmm_transitions, hmm_start = hmm(inbox_tags.train)
by_counting = []
for tokens, _ in judged:
    rows = hmm_emissions[[hmm_words.get(w.lower(), len(hmm_words)) for w in tokens]]
    by_counting.append([tag_names[i] for i in viterbi(rows, hmm_transitions, hmm_start)])

seed_everything(SEED)
features = Features([tokens for tokens, _ in inbox_tags.train])
tagger = Reader(features, len(tag_names))
TAG_STEPS = budget(grade=30, cpu=500)
batches = message_batches(features, inbox_tags.train, tag_names, [0] * len(inbox_tags.train))
print(fit(tagger, batches, tags_loss, steps=TAG_STEPS, lr=5e-3, progress=False))
by_network = tagged(tagger, features, judged, tag_names)
by_both = tagged_lawfully(tagger, features, judged, tag_names)
print(f"\n{'':<24}{'accuracy':>9}{'precision':>10}{'recall':>8}{'F1':>7}   of whole spans")
span_table = {"O everywhere": [["O"] * len(g) for g in gold], "HMM, Viterbi": by_counting, "BiLSTM": by_network,
              "BiLSTM, Viterbi": by_both}
for name, found in span_table.items():
    p, r, f1 = span_scores(gold, found)
    print(f"{name:<24}{accuracy(gold, found):>9.3f}{p:>10.3f}{r:>8.3f}{f1:>7.3f}")
tokens, tags = judged[7]
read_as = " ".join(w if t == "O" else f"[{w} {t}]" for w, t in zip(tokens, by_network[7], strict=True))
print("\n" + textwrap.fill(read_as, 100))

# %% show
labels = sorted({tag[2:] for tag in tag_names if tag != "O"})
def of_label(tags: list, label: str) -> list:
    return [[t if t.endswith(f"-{label}") else "O" for t in row] for row in tags]

by_label = {name: [span_scores(of_label(gold, k), of_label(found, k))[2] for k in labels]
            for name, found in span_table.items()}
fig, ax = plots.figure(width=7, height=3.2)
for i, (name, hatch) in enumerate((("HMM, Viterbi", "//"), ("BiLSTM, Viterbi", ""))):
    ax.bar(np.arange(len(labels)) + 0.4 * i, by_label[name], width=0.38, hatch=hatch, label=name, edgecolor="white")
ax.set_xticks(np.arange(len(labels)) + 0.2, [k.lower() for k in labels])
ax.set(ylabel="F1 of whole spans", ylim=(0, 1.2), yticks=np.linspace(0, 1, 6))
ax.legend(ncols=2)
scores = zip(labels, by_label["HMM, Viterbi"], by_label["BiLSTM, Viterbi"], strict=True)
told = ", ".join(f"{k.lower()} {a:.2f} and {b:.2f}" for k, a, b in scores)
plots.show(fig, "Bars of the F1 of whole spans for each of seven labels, the hidden Markov model beside the BiLSTM: "
    f"{told}.")

# %% [markdown]
# **What a CRF layer adds.** The BiLSTM scores each token alone, and may put an `I-TIME` after an `O`. With a table of
# transitions on top, learned together with it, the path has the score $s(y)$ of exercise 10, the loss is $\ln
# \sum_{y'} e^{s(y')} - s(y)$, and Viterbi reads the tags. (The last row of the table above is a cheap relative:
# Viterbi over the network's log-probabilities, with transitions that only forbid what BIO forbids.) For three tokens
# and two tags:

# %% show exact=true
emissions, start = np.array([[1.0, 0.0], [0.0, 2.0], [0.5, 0.0]]), np.zeros(2)
transitions = np.array([[1.0, -3.0], [0.0, 0.0]])
total = log_partition(emissions, transitions, start)
for tags in ([0, 0, 0], [0, 1, 0], [1, 1, 0]):
    s = path_score(emissions, transitions, start, tags)
    print(f"{tags}: score {s:+.1f}, probability {math.exp(s - total):.3f}")
print("the best path:", viterbi(emissions, transitions, start))

# %% show
odd = sum(t.startswith("I-") and before not in (t, "B" + t[1:])
          for row in by_network for before, t in zip(["O", *row], row, strict=False))
print(f"BiLSTM without a CRF: {odd} of {sum(map(len, by_network)):,} tags are an I- that continues nothing")

# %% [markdown]
# ## Two tasks, one reader
#
# Each message of the inbox also has an *intent* (parcel, loan, event ...; nineteen of them). Multi-task learning
# trains one encoder for both: the losses are added, each with a weight. Where the tasks share what they need to know,
# each is a teacher for the other; where they do not, they compete for the same numbers. Either way one network is
# stored instead of two. The messages of the test come from core sentences that training has never seen, which is hard
# for the intent.

# %% show
from helpers.data.tagged import bio

messages = data.load("inbox")
intent_of = {tuple(bio(t, e).tokens): i for t, e, i in zip(messages.texts, messages.entities, messages.intents,
    strict=True)}
intents = sorted(set(intent_of.values()))
number_of = {name: i for i, name in enumerate(intents)}
train_labels, test_labels = ([number_of[intent_of[tuple(tokens)]] for tokens, _ in part]
                             for part in (inbox_tags.train, judged))
both = message_batches(features, inbox_tags.train, tag_names, train_labels)
LOSSES = {"entities alone": tags_loss, "intent alone": label_loss,
          "both": lambda m, b: tags_loss(m, b) + 0.3 * label_loss(m, b)}
x, lengths = features.pad([tokens for tokens, _ in judged])
print(f"{'trained on':<18}{'span F1':>9}{'intent right':>14}")
for name, loss in LOSSES.items():
    seed_everything(SEED)
    model = Reader(features, len(tag_names), len(intents))
    fit(model, both, loss, steps=budget(grade=20, cpu=180), lr=5e-3, progress=False)
    with torch.no_grad():
        right = (model(x, lengths)[1].argmax(-1) == torch.tensor(test_labels)).float().mean().item()
    f1 = span_scores(gold, tagged(model, features, judged, tag_names))[2]
    f1, right = ("" if name == "intent alone" else f"{f1:.3f}"), ("" if name == "entities alone" else f"{right:.3f}")
    print(f"{name:<18}{f1:>9}{right:>14}")

# %% [markdown]
# Here they compete. In 180 steps, which is not long (the tagger above had 500), both tasks end lower together than
# each alone; so it was for five seeds of five. A second task is no present as such.

# %% [markdown]
# ## The same tagger on the web: parts of speech
#
# Where the English Web Treebank can be had, the same class learns its seventeen parts of speech from 12,544 sentences.
# Giving each word its most frequent tag is right for 86.2 per cent of the test words.

# %% show
ewt = data.load("ud_ewt")
if ewt.card.name == "ud_ewt":
    seed_everything(SEED)
    ewt_features = Features([tokens for tokens, _ in ewt.train])
    ewt_tagger = Reader(ewt_features, len(ewt.tags), width=96)
    ewt_batches = message_batches(ewt_features, ewt.train, ewt.tags, [0] * len(ewt.train))
    print(fit(ewt_tagger, ewt_batches, tags_loss, steps=budget(grade=30, cpu=1200), lr=5e-3, progress=False))
    right = accuracy([tags for _, tags in ewt.test], tagged(ewt_tagger, ewt_features, ewt.test, ewt.tags))
    print(f"English Web Treebank: {right:.1%} of the test words have the right part of speech")
else:
    print("Left out here: the inbox's tags were judged above.")

# %% [markdown]
# ## The leaderboard: spam, read by an LSTM
#
# Many to one: the mean of the reader's states goes into one linear layer. The split is that of chapter 01.

# %% show
mail_train, mail_test = messages.without_repeats().split(test=0.2, seed=SEED)
TOKEN = re.compile(r"\w+|[^\w\s]")
mail = [[TOKEN.findall(text) or ["."] for text in part.texts] for part in (mail_train, mail_test)]
with leaderboard.measured("03", "BiLSTM, mean of its states", "inbox") as row:
    seed_everything(SEED)
    mail_features = Features(mail[0])
    spam_reader = Reader(mail_features, 1, 2)
    rows = [(tokens, ["O"] * len(tokens)) for tokens in mail[0]]
    fit(spam_reader, message_batches(mail_features, rows, ["O"], list(mail_train.labels)), label_loss,
        steps=budget(grade=30, cpu=300), lr=5e-3, progress=False)
    with torch.no_grad():
        spam = torch.cat([spam_reader(*mail_features.pad(mail[1][i : i + 100]))[1].argmax(-1)
                          for i in range(0, len(mail[1]), 100)])
    true = torch.tensor(mail_test.labels) == 1
    hits = (spam[true] == 1).sum().item()
    row.f1 = 2 * hits / (spam.sum().item() + true.sum().item())
    row.parameters = sum(p.numel() for p in spam_reader.parameters())
print(leaderboard.table("inbox"))

# %% [markdown]
# ## Exercise 12: teacher forcing and greedy decoding (`decoding`)
#
# 15 minutes, ★★, 5 points
#
# A translator is two networks. The **encoder** reads the source and hands on its last state, nothing else; the
# **decoder** is a language model of the target that begins from that state (Sutskever and others, 2014; Cho and
# others, 2014). In training the decoder is fed the *right* target, one step late: at step $t$ it sees target $t - 1$
# and must say target $t$. That is **teacher forcing**: all steps train at once, and an early mistake does not spoil
# the later ones. When it translates, there is no teacher: its own likeliest token is fed back.
#
# 1. `shift_right(targets, begin)`: what the decoder is fed: $(B, T)$, each row begins with `begin` and goes on with
#    the targets without the last. The dtype stays.
# 2. `greedy_decode(step, state, begin, end, limit)`: `step(tokens, state)` takes the last tokens, $(B)$, and a state, a
#    tensor whose **first axis is the batch**, and returns logits $(B, K)$ and the new state. Begin with `begin` in each
#    row, take the likeliest token (of equal ones the first), feed it back. A row that has said `end` says `end` from
#    then on. Stop when all rows have said `end`, or after `limit` steps; the result is a tensor of token numbers,
#    $(B, L)$, with the ends that were said and without `begin`.
#
# By hand: targets `5 6 7`, begin 1: the decoder is fed `1 5 6`.
#
# <details><summary>Hint 1</summary><code>torch.cat([first column of begins, targets[:, :-1]], dim=1)</code></details>
# <details><summary>Hint 2</summary>Keep a boolean tensor of the rows that have ended; overwrite their tokens with
# <code>torch.where</code>.</details>

# %% exercise="decoding"
def shift_right(targets: torch.Tensor, begin: int) -> torch.Tensor:
    """Return the decoder's input, (B, T), for targets (B, T): `begin`, then all targets but the last."""
    ### BEGIN SOLUTION
    first = torch.full_like(targets[:, :1], begin)
    return torch.cat([first, targets[:, :-1]], dim=1)
    ### END SOLUTION


def greedy_decode(step: Callable, state: torch.Tensor, begin: int, end: int, limit: int) -> torch.Tensor:
    """Return the likeliest tokens, one after another, (B, L) with L at most `limit`.

    step: (tokens (B,), state) -> (logits (B, K), state). state: a tensor with the batch first.
    """
    ### BEGIN SOLUTION
    tokens = torch.full((len(state),), begin, device=state.device)
    ended, said = torch.zeros_like(tokens, dtype=torch.bool), []
    for _ in range(limit):
        logits, state = step(tokens, state)
        tokens = torch.where(ended, end, logits.argmax(dim=-1))
        said.append(tokens)
        ended = ended | (tokens == end)
        if ended.all():
            break
    return torch.stack(said, dim=1)
    ### END SOLUTION

# %% check="decoding" points=5

# %% [markdown]
# ## Exercise 13: BLEU (`bleu`)
#
# 20 minutes, ★★, 5 points
#
# Exact match is a hard judge: one wrong day, and all is lost. For sentences, where many translations are right, the
# usual number is **BLEU** (Papineni and others, 2002): which share of the n-grams of the translation occur in the
# *reference translation* (one lecture says, in "a document of the training data": that is not so), for $n = 1 \dots N$:
#
# $$ p_n = \frac{\sum_{\text{sentences}} \sum_{g} \min(\text{count in candidate}, \text{count in
# reference})}{\sum_{\text{sentences}} \text{number of n-grams in candidate}}, \qquad
# \text{BLEU} = \text{BP} \cdot \Big(\prod_{n=1}^{N} p_n\Big)^{1/N} $$
#
# Counts are clipped by the reference, or `the the the` would be perfect. Both sums run over the whole corpus before the
# division. Short translations would be too easy, hence the **brevity penalty** with the total lengths $c$ of the
# candidates and $r$ of the references: $\text{BP} = 1$ if $c \ge r$, else $e^{1 - r/c}$.
#
# Write `bleu(candidates, references, n=4)` for lists of token lists, one reference for each candidate, without
# smoothing: between 0 and 1, and 0.0 if any $p_n$ is 0 or has no n-grams to count.
#
# By hand: "the cat sat on the mat" for "the cat is on the mat": $p_1 \dots p_4 = 5/6, 3/5, 1/4, 0/3$, so BLEU-2 is
# $\sqrt{1/2} = 0.7071$, BLEU-3 is 0.5, and BLEU-4 is 0.
#
# <details><summary>Hint 1</summary>The & of two Counters takes the smaller of both counts.</details>
# <details><summary>Hint 2</summary><code>count_ngrams(tokens, size)[0]</code> of exercise 1 gives the counts.</details>
# <details><summary>Hint 3</summary>Add hits and totals over all sentences for each size, and divide once.</details>

# %% exercise="bleu"
def bleu(candidates: list[list[str]], references: list[list[str]], n: int = 4) -> float:
    """Return corpus BLEU with n-grams up to n, between 0 and 1, without smoothing."""
    ### BEGIN SOLUTION
    logs = []
    for size in range(1, n + 1):
        hits = total = 0
        for candidate, reference in zip(candidates, references, strict=True):
            mine, theirs = (Counter(count_ngrams(tokens, size)[0]) for tokens in (candidate, reference))
            hits, total = hits + sum((mine & theirs).values()), total + sum(mine.values())
        if hits == 0:
            return 0.0
        logs.append(math.log(hits / total))
    ours, wanted = sum(map(len, candidates)), sum(map(len, references))
    return min(1.0, math.exp(1 - wanted / ours)) * math.exp(sum(logs) / n)
    ### END SOLUTION

# %% check="bleu" points=5

# %% show
import sacrebleu

candidate, reference = "the cat sat on the mat".split(), "the cat is on the mat".split()
for n in (2, 3):
    library = sacrebleu.BLEU(max_ngram_order=n, tokenize="none", smooth_method="none", force=True)
    theirs = library.corpus_score([" ".join(candidate)], [[" ".join(reference)]]).score / 100
    print(f"BLEU-{n}: by hand {bleu([candidate], [reference], n):.6f}, sacrebleu {theirs:.6f}")

# %% [markdown]
# ## Translating dates
#
# `mardi 3 février 2015` becomes `2015-02-03`. The sources come in sixteen languages and 108 styles (Babel's CLDR), the
# days of the test never occur in training. The encoder and the decoder are LSTMs of 128 numbers that read and write
# characters; all that passes from one to the other is the encoder's last pair of states.
#
# One date is 8 digits of news, however long it is written. To ask for more, a source may be a **series** of up to three
# dates: `3 juin 2001; 1952/4/16` becomes `2001-06-03 1952-04-16`. The longer the source, the more the one state must
# hold. Training begins with single dates, then series join in.
#
# Sutskever and others found in 2014 that a *reversed* source is easier: its beginning, which is needed first, is then
# read last, and lies near. Is it so here, too? The same network is trained twice.

# %% show
SINGLE, SERIES = budget(grade=30, cpu=950), budget(grade=10, cpu=250)
TARGET = {c: i for i, c in enumerate("0123456789- ")}
BEGIN, END, BLANK = len(TARGET), len(TARGET) + 1, len(TARGET) + 2
alone = Dates("train").series(750 * 64 // 2, seed=SEED, counts=(1,))
series = Dates("train").series(250 * 64, seed=SEED + 1, counts=(1, 1, 2, 3))
source_ids = {c: i for i, c in enumerate(sorted({c for text, _ in [*alone, *series] for c in text}), start=2)}


class Translator(nn.Module):
    """Encoder and decoder, joined by one state."""

    def __init__(self, sources: int, targets: int, width: int = 128):
        super().__init__()
        self.read_embed, self.write_embed = nn.Embedding(sources, 64), nn.Embedding(targets, 32)
        self.encoder = nn.LSTM(64, width, batch_first=True)
        self.decoder = nn.LSTM(32, width, batch_first=True)
        self.out = nn.Linear(width, targets)

    def encode(self, x, lengths):
        """Return the last states, h and c side by side, (B, 2 * width)."""
        packed = nn.utils.rnn.pack_padded_sequence(self.read_embed(x), lengths.cpu(), batch_first=True,
            enforce_sorted=False)
        h, c = self.encoder(packed)[1]
        return torch.cat([h[0], c[0]], dim=-1)

    def states(self, tokens, state):
        """Return the decoder's states for tokens (B, T), and its last state, (B, 2 * width)."""
        h, c = (part[None].contiguous() for part in state.chunk(2, dim=-1))
        states, (h, c) = self.decoder(self.write_embed(tokens), (h, c))
        return states, torch.cat([h[0], c[0]], dim=-1)

    def forward(self, x, lengths, targets):
        return self.out(self.states(shift_right(targets, BEGIN), self.encode(x, lengths))[0])

    def step(self, tokens, state):
        """One step for `greedy_decode`."""
        states, state = self.states(tokens[:, None], state)
        return self.out(states[:, 0]), state


def date_sources(texts: Sequence[str], turned: bool) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (character numbers (N, T), lengths (N,)); 0 is padding, 1 unknown; turned round if asked."""
    rows = [torch.tensor([source_ids.get(c, 1) for c in (text[::-1] if turned else text)]) for text in texts]
    return nn.utils.rnn.pad_sequence(rows, batch_first=True), torch.tensor([len(row) for row in rows])


def date_batches(pairs: list, turned: bool, rows: int = 64) -> list[tuple]:
    """Return batches (x, lengths, targets, lengths of the targets) of sources of similar length, in random order."""
    noise = np.random.default_rng(SEED)
    order = sorted(range(len(pairs)), key=lambda i: len(pairs[i][0]) + noise.uniform(0, 4))
    batches = []
    for start in range(0, len(order) - rows + 1, rows):
        part = [pairs[i] for i in order[start : start + rows]]
        y = [torch.tensor([TARGET[c] for c in target] + [END]) for _, target in part]
        padded = nn.utils.rnn.pad_sequence(y, batch_first=True, padding_value=BLANK)
        batches.append((*date_sources([text for text, _ in part], turned), padded,
            torch.tensor([len(row) for row in y])))
    return [batches[i] for i in noise.permutation(len(batches))]


def translation_loss(model, batch):
    x, lengths, targets, target_lengths = batch
    return masked_cross_entropy(model(x, lengths, targets), targets, target_lengths)


def translate(model, texts: Sequence[str], turned: bool) -> list[str]:
    """Return the greedy translations."""
    letters, out = "".join(TARGET), []
    with torch.no_grad():
        for start in range(0, len(texts), 200):
            x, lengths = date_sources(texts[start : start + 200], turned)
            said = greedy_decode(model.step, model.encode(x, lengths), BEGIN, END, limit=33)
            out += ["".join(letters[i] for i in row if i < BEGIN) for row in said.tolist()]
    return out


def trained_translator(turned: bool, seed: int = SEED) -> Translator:
    """Train on single dates, then on series."""
    seed_everything(seed)
    model = Translator(len(source_ids) + 2, BLANK + 1)
    first, later = date_batches(alone, turned), date_batches(series, turned)

    def draw(step):
        return first[step % len(first)] if step < SINGLE else later[(step - SINGLE) % len(later)]

    print(fit(model, draw, translation_loss, steps=SINGLE + SERIES, lr=5e-3, progress=False))
    return model

# %% show
EDGES = [6, 10, 14, 18, 22, 26, 32, 40, 50, 64, 90]  # lengths of sources in characters
short_dates = [pair for pair in Dates("test").series(1000, seed=SEED, counts=(1,)) if len(pair[0]) < 20]
test_pairs = Dates("test").series(budget(grade=200, cpu=3000), seed=SEED + 1)
curves, judgements = {}, {}
for name, turned in (("plain", False), ("reversed source", True)):
    model = trained_translator(turned)
    answers = translate(model, [text for text, _ in test_pairs], turned)
    short_answers = translate(model, [text for text, _ in short_dates], turned)
    short_right = np.mean([a == target for a, (_, target) in zip(short_answers, short_dates, strict=True)])
    all_right = np.mean([a == target for a, (_, target) in zip(answers, test_pairs, strict=True)])
    curves[name] = length_curve.exact_by_length(test_pairs, answers, EDGES)
    judgements[name] = answers
    spelled = bleu([list(a) for a in answers], [list(t) for _, t in test_pairs])
    print(f"{name}: short dates {short_right:.1%} exact, all {all_right:.1%}, BLEU over characters {spelled:.3f}")
    if not turned:
        translator, short_exact = model, float(short_right)
        claim("Short dates translated exactly, plain: above 0.9", short_exact, 0.9)
        claim("Dates translated exactly, plain: short ones above all", short_exact, float(all_right))
for (source, target), answer in list(zip(test_pairs, judgements["plain"], strict=True))[:6]:
    source = f"\u2068{source}\u2069"  # keeps what is written from right to left apart from the rest of the line
    print("right" if answer == target else "wrong", "|", source, "|", answer)

# %% show
def right_dates(answers: list[str], n: int) -> list[float]:
    """Return, for series of n dates, the share that is right at each place."""
    found = [(a.split(" "), t.split(" "))
             for a, (_, t) in zip(answers, test_pairs, strict=True) if t.count(" ") == n - 1]
    return [float(np.mean([len(a) > i and a[i] == t[i] for a, t in found])) for i in range(n)]

fig, axes = plots.figure(columns=2, width=10.5, height=3.8)
for (name, curve), style in zip(curves.items(), ("o-", "^--"), strict=True):
    axes[0].plot(curve.middles, curve.shares, style, label=name)
axes[0].set(xlabel="length of the source, characters", ylabel="exact translations", ylim=(-0.03, 1.03))
for (name, answers), style, fill in zip(judgements.items(), ("-", "--"), ("full", "none"), strict=True):
    for n, marker in ((1, "s"), (2, "o"), (3, "^")):
        axes[1].plot(range(1, n + 1), right_dates(answers, n), style, marker=marker, fillstyle=fill,
            color=plots.COLORS[n - 1], label=f"{n} date{'s' * (n > 1)}, {name}")
axes[1].set(xlabel="place in the series", ylabel="dates that are right", ylim=(-0.03, 1.03), xticks=[1, 2, 3])
axes[0].legend()
axes[1].legend(fontsize=8)
by_place = {n: [round(v, 2) for v in right_dates(judgements["plain"], n)] for n in (1, 2, 3)}
ends = {name: f"{curve.shares[0]:.2f} to {curve.shares[-2]:.2f}" for name, curve in curves.items()}
plots.show(fig, "Left: the share of exact translations falls with the length of the source, for the plain source from "
    f"{ends['plain']}, for the reversed one from {ends['reversed source']}. Right: the share of right dates by their "
    f"place in series of one, two and three; plain: {by_place}.")

# %% [markdown]
# Two lessons. First, **the bottleneck**: what is easy for one date fails for two and three, with the same network after
# the same steps. The first date of a series is still right about half of the time; of the later ones almost none is,
# since all must pass through 256 numbers, and what the decoder has not yet written it must hold while it writes. (With
# far more training a state of this size could learn to hold more: the bottleneck is as much one of learning as of
# room.) Second, the reversal does not help here: an ISO date *is* the reversal of most ways to write a date. Day,
# month, year comes in; year, month, day goes out, so the year, read last, is needed first, and the plain order already
# has what is near. The trick of 2014 was a trick for languages of similar order. Chapter 04 does away with the need
# for it.

# %% show
kept = {"edges": EDGES, "curves": {name: curve.plain() for name, curve in curves.items()}, "short": short_exact,
        "characters": source_ids, "test": "Dates('test').series(3000, seed=1)"}
card = f"""# date-translator: an encoder-decoder without attention

**What.** Two LSTMs of 128 numbers over characters, joined by the encoder's last state: a date or a series of up to
three dates in sixteen languages to ISO dates. Made by chapter 03.

**How trained.** With teacher forcing, {SINGLE} batches of 64 single dates, then {SERIES} of series, AdamW, learning
rate 0.005.

**On what.** `Dates("train").series` of helpers.data, from Babel's CLDR; no day of the test occurs in it.

**Scores.** {short_exact:.1%} of single dates of less than 20 characters are exact. `config["curves"]` holds the share
of exact translations by the length of the source (helpers.experiments.length_curve.LengthCurve), plain and with the source reversed.
"""
folder = artifacts.save(artifacts.Artifact("date-translator", translator.state_dict(), kept, card=card))
print(f"Saved: {folder.name}, {sum(t.numel() for t in translator.parameters()):,} weights.")

# %% [markdown]
# ## Exercise 14: a learned mix of layers (`elmo`)
#
# 8 minutes, ★, 3 points
#
# The vectors of chapter 02 give "cell" one place, whether a table or a battery is spoken of. The states of a network
# that has read the sentence differ with it. **ELMo** (Peters and others, 2018) takes a language model that reads in
# both directions, and lets each task learn its own mix of the layers, the static vectors (layer 0) among them:
#
# $$ \text{ELMo}_t = \gamma \sum_{l=0}^{L-1} s_l\, h_{l,t}, \qquad s = \mathrm{softmax}(w) $$
#
# Write `elmo_mix(layers, weights, gamma)` with torch. `weights` are $w$, before the softmax.
#
# By hand: two layers with $w = (0, 0)$ and $\gamma = 2$ give the sum of both layers.
#
# <details><summary>Hint</summary><code>weights.softmax(0)</code> needs three more axes to multiply
# <code>layers</code>: <code>[:, None, None, None]</code>, or use <code>torch.einsum</code>.</details>

# %% exercise="elmo"
def elmo_mix(layers: torch.Tensor, weights: torch.Tensor, gamma: float | torch.Tensor) -> torch.Tensor:
    """Return the mix, (B, T, C). layers: (L, B, T, C), weights: (L,) before the softmax, gamma: a scalar."""
    ### BEGIN SOLUTION
    return gamma * torch.einsum("l,lbtc->btc", weights.softmax(dim=0), layers)
    ### END SOLUTION

# %% check="elmo" points=3

# %% [markdown]
# ## One word, two senses
#
# A bidirectional language model: one stack of two LSTMs reads forwards and predicts the next word, another reads
# backwards and predicts the one before. Layer 0 is the static vector, layers 1 and 2 are the states of both directions
# side by side. It is trained on the messages of the inbox, and on those pages of the docs that say "cell".
#
# Then two words. **cell**: in the pages of matplotlib it is a cell of a table, in those of torch a cell of a recurrent
# network. **bank**: part of a firm's name ("Pennant Bank", tagged as an organisation), or what one's money lies in
# ("my bank account"). The sense of each place is known from the library or from the tag; the model is not told.

# %% show
class TwoWay(nn.Module):
    """A bidirectional language model; `layers` gives (3, B, T, 2 * width) for word numbers (B, T) and lengths (B,)."""

    def __init__(self, size: int, width: int = 64):
        super().__init__()
        self.embed = nn.Embedding(size, width)
        self.read = nn.ModuleList(nn.LSTM(width, width, batch_first=True) for _ in range(4))  # two each way
        self.out = nn.Linear(width, size)

    def one_way(self, ids, first: int):
        e = self.embed(ids)
        one = self.read[first](e)[0]
        return e, one, self.read[first + 1](one)[0] + one  # a residual connection, as in ELMo

    def forward(self, ids):
        """Return the scores of the next word and of the word before, each for the words that have one."""
        return self.out(self.one_way(ids, 0)[2][:, :-1]), self.out(self.one_way(ids.flip(1), 2)[2][:, :-1])

    def layers(self, ids, lengths):
        there = torch.stack(self.one_way(ids, 0))
        back = torch.stack([reverse_padded(h, lengths) for h in self.one_way(reverse_padded(ids[..., None],
            lengths)[..., 0], 2)])
        return torch.cat([there, back], dim=-1)


def two_way_loss(model, ids):
    after, ahead = model(ids)
    return F.cross_entropy(after.flatten(0, 1), ids[:, 1:].flatten()) + F.cross_entropy(ahead.flatten(0, 1),
        ids.flip(1)[:, 1:].flatten())


pages = [d for d in data.load("docs").documents if re.search(r"\bcell\b", d.text.lower()) and not d.near_copy]
passages = []  # (words, places of the word, sense, word)
for d in pages:
    tokens = re.findall(r"\w+|[^\w\s]", d.text.lower())
    for i in (i for i, w in enumerate(tokens) if w == "cell" and d.library in ("matplotlib", "torch")):
        passages.append((tokens[max(i - 12, 0) : i + 12], min(i, 12), d.library, "cell"))
for tokens, tags in [*inbox_tags.train, *inbox_tags.test]:
    for i, (w, t) in enumerate(zip(tokens, tags, strict=True)):
        if w.lower() == "bank" and t in ("O", "I-ORG") and "bank" not in [v.lower() for v in tokens[:i]]:
            words = [v.lower() for v in tokens[max(i - 12, 0) : i + 12]]
            passages.append((words, min(i, 12), "a firm" if t == "I-ORG" else "an account", "bank"))
stream = [w.lower() for tokens, _ in inbox_tags.train for w in tokens]
stream += [w for d in pages for w in re.findall(r"\w+|[^\w\s]", d.text.lower())[:600]]
two_way_words = {w: i for i, (w, _) in enumerate(Counter(stream).most_common(1999), start=1)}
flow = torch.tensor([two_way_words.get(w, 0) for w in stream])
seed_everything(SEED)
two_way = TwoWay(2000)
def flow_batch(step: int) -> torch.Tensor:
    """Return (32, 24) words from places drawn at random."""
    return flow[torch.randint(len(flow) - 24, (32, 1)) + torch.arange(24)]
print(fit(two_way, flow_batch, two_way_loss, steps=budget(grade=20, cpu=260), lr=5e-3, progress=False))

# %% show
def vectors_of(word: str) -> tuple[torch.Tensor, list[str]]:
    """Return the three layers' vectors at each place of the word, (3, n, 2 * width), and the senses."""
    found = [p for p in passages if p[3] == word]
    rows = [torch.tensor([two_way_words.get(w, 0) for w in tokens]) for tokens, *_ in found]
    lengths = torch.tensor([len(row) for row in rows])
    with torch.no_grad():
        layers = two_way.layers(nn.utils.rnn.pad_sequence(rows, batch_first=True), lengths)
    places = torch.tensor([p[1] for p in found])
    return layers[:, torch.arange(len(found)), places], [p[2] for p in found]


def neighbour_right(vectors: torch.Tensor, senses: list[str]) -> float:
    """Return how often the nearest other place of the word has the same sense, both senses counting alike."""
    unit = F.normalize(vectors, dim=-1)
    nearest = (unit @ unit.T).fill_diagonal_(-2).argmax(-1)
    same = np.array([senses[i] == senses[j] for i, j in enumerate(nearest.tolist())])
    return float(np.mean([same[np.array(senses) == sense].mean() for sense in set(senses)]))


class Probe(nn.Module):
    """A linear classifier of senses on ELMo's mix, of which the weights and gamma are learned with it."""

    def __init__(self, width: int):
        super().__init__()
        self.mix, self.gamma = nn.Parameter(torch.zeros(3)), nn.Parameter(torch.ones(()))
        self.out = nn.Linear(width, 2)

    def forward(self, layers):  # (B, 3, C)
        return self.out(elmo_mix(layers.transpose(0, 1)[:, :, None], self.mix, self.gamma)[:, 0])


fig, axes = plots.figure(columns=2, width=10.5, height=4)
senses_told = {}
for ax, word in zip(axes, ("cell", "bank"), strict=True):
    layers, senses = vectors_of(word)
    names = sorted(set(senses))
    order = np.random.default_rng(SEED).permutation(len(senses))
    learned, held = order[::2], order[1::2]
    y = torch.tensor([names.index(s) for s in senses])
    seed_everything(SEED)
    probe = Probe(layers.shape[-1])
    fit(probe, [(layers[:, learned].transpose(0, 1).contiguous(), y[learned])], next_word_loss, steps=120, lr=0.05,
        progress=False)
    with torch.no_grad():
        right = (probe(layers[:, held].transpose(0, 1)).argmax(-1) == y[held]).float().mean().item()
    shares = probe.mix.detach().softmax(0).tolist()
    senses_told[word] = {"static": neighbour_right(layers[0], senses), "layer 2": neighbour_right(layers[2], senses),
        "probe": right}
    counts = ", ".join(f"{senses.count(name)} times {name}" for name in names)
    near = ", ".join(f"layer {i} {neighbour_right(layers[i], senses):.2f}" for i in range(3))
    print(f"{word}: {counts}\n  the nearest other place has the same sense: {near}")
    print(f"  ELMo's mix of the layers: {', '.join(f'{v:.2f}' for v in shares)}; {right:.1%} of held-out places right")
    centred = layers[2] - layers[2].mean(0)
    points = (centred @ torch.linalg.svd(centred, full_matrices=False)[2][:2].T).numpy()
    for name, marker in zip(names, ("o", "^"), strict=True):
        chosen = np.array(senses) == name
        ax.scatter(*points[chosen].T, marker=marker, s=22, alpha=0.7, label=name)
    ax.set(title=f"“{word}”, layer 2", xlabel="component 1", ylabel="component 2")
    ax.legend()
told = " and ".join(f"{senses_told[word]['layer 2']:.0%}" for word in ("cell", "bank"))
plots.show(fig, "Two maps of the places of one word by their vectors in layer 2: cell in pages of matplotlib and of "
    f"torch, bank as a firm and as an account. The nearest neighbour has the same sense for {told} of the places.")

# %% [markdown]
# The static vector is the same at every place, so its nearest neighbour is a matter of chance. (The half is exact only
# by accident: all places are equally near, and the first is taken.)
#
# **CoVe** (McCann and others, 2017) takes the states of a *translator's* encoder instead. Ours has read dates, and
# knows one ambiguous word: in Spanish, `mar` is short for *martes*, a weekday, and for *marzo*, a month. The state
# after its last letter tells which, since the encoder needs to know: only the month goes into the ISO date.

# %% show
mars = [(text, i.start()) for text, _ in Dates("train").series(budget(grade=400, cpu=4000), seed=7, counts=(1,),
    languages=["es"])
        for i in re.finditer(r"\bmar\b", text)]
mars = list(dict.fromkeys(mars))
senses = ["weekday" if place == 0 else "month" for _, place in mars]
with torch.no_grad():
    rows, lengths = date_sources([text for text, _ in mars], False)
    states = translator.encoder(translator.read_embed(rows))[0]
    at = torch.tensor([place + 2 for _, place in mars])
    cove = states[torch.arange(len(mars)), at]
    letters = translator.read_embed(rows)[torch.arange(len(mars)), at]
unit = F.normalize(cove, dim=-1)
alike = unit @ unit.T
weekday = torch.tensor([s == "weekday" for s in senses])
print(f"{len(mars)} times mar: {senses.count('weekday')} weekdays, {senses.count('month')} months")
inside = alike[weekday][:, weekday].mean(), alike[~weekday][:, ~weekday].mean()
outside = alike[weekday][:, ~weekday]
print(f"mean cosine among weekdays {inside[0]:.2f}, among months {inside[1]:.2f}, between {outside.mean():.2f}")
found = {"letters": neighbour_right(letters, senses), "CoVe": neighbour_right(cove, senses)}
print("nearest neighbour of the same sense: " + ", ".join(f"{name} {share:.2f}" for name, share in found.items()))

# %% [markdown]
# ## Essay 1: what a model remembers
#
# 20 minutes, ★★, 10 points, graded by hand
#
# From the figure of gradients and the table of the long-memory task: why does the plain RNN fail where LSTM and GRU
# do not, though all three have a state large enough to hold the symbol? Say which factor the gradient is multiplied by
# at each step in each of them, and what clipping can and cannot mend. Then look at the perplexities of the bigram model
# with four vocabularies, and at the bits per character of LSTM and 5-gram: which of these numbers may be compared with
# one another, and what would you have to know before you called one model better? About 150 words.

# %% [markdown] essay="gates" points=10
# ### BEGIN SOLUTION
# Going back one step, the gradient of the plain RNN is multiplied by W_h diag(1 - h^2). The slopes are at most 1 and
# mostly well below, so unless W_h is large the product of sixty such matrices is nearly 0: at distance 50 it is many
# orders of magnitude smaller than at 0, and the loss at the end says nothing to the first symbol. In the LSTM the cell
# passes back through a product of forget gates, which begin near sigma(5) = 0.99 and can learn to be 1; the GRU's
# update gate does the same. Clipping bounds a gradient that explodes; one that has vanished has the wrong proportions
# already, and scaling cannot bring it back. The perplexities fell with the vocabulary because more and more words were
# called unknown: they are about different tokens and may not be compared. The bits per character of LSTM and 5-gram
# may: same characters, same text, both trained on the same stretches. Before calling one better I would want other
# seeds, a better-smoothed 5-gram, and the size of both.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 3 points: the factor of the plain RNN (W_h times the slope of tanh), with a number from the figure or the table.
# 2 points: the path through the cell (or update gate) and its factor, the gate.
# 2 points: clipping mends explosion, not vanishing, with the reason.
# 3 points: perplexities over different vocabularies are not comparable, the bits per character are; one thing more to
# know.
# ### END MARK SCHEME

# %% [markdown]
# ## Essay 2: through the bottleneck
#
# 20 minutes, ★★, 10 points, graded by hand
#
# From the two panels on dates: how does the share of exact translations fall with the length of the source, and which
# date of a series of three suffers most? Give a reason from the way the state is made. Why did reversing the source
# help Sutskever and others, and what did it do here, and why? Then turn to the tables of this chapter: name one place
# where more knowledge was passed on from elsewhere (pretrained vectors, a second task, a language model's layers), say
# what it changed in numbers, and whether one run is enough to believe it. Last: propose one change of the decoder that
# would free it from the bottleneck. About 150 words.

# %% [markdown] essay="bottleneck" points=10
# ### BEGIN SOLUTION
# Nine in ten single dates are right; with two or three dates almost no series is exact. In a series the first date is
# still right about half of the time, the second and third hardly ever. Everything that the decoder may know has passed
# through the last pair of states, 256 numbers; each character read overwrites a part of them, and what is to be
# written last must be held longest. Sutskever's languages have a similar order, so reversing brought the first words
# of the source next to the first words of the target. An ISO date is already the reverse of most written dates:
# reversal moves the year, which is written first, to the far end, and the curve lies lower. Pretrained vectors gave a
# lower perplexity early in training, less at the end; one run with one seed shows the direction, not the size, and I
# would repeat it with five seeds. The decoder could look back at all states of the encoder at every step, weighted by
# what it needs: attention.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 3 points: the fall with length in numbers, and the place in the series, with a reason (one state of fixed size).
# 3 points: why reversal helped then and not here: the order of source and target.
# 2 points: one transfer with its numbers, and doubt about a single run.
# 2 points: a change that gives the decoder access to more than the last state.
# ### END MARK SCHEME

# %% [markdown]
# ## What you built, and what breaks next
#
# N-grams, the two-matrix model, a window, an RNN and its gradient through time, LSTM and GRU, bidirectional stacks, a
# writer of characters, Viterbi, a tagger, a translator with BLEU, and vectors that know their sentence, each equal to
# the library that the field uses. From here on we use the libraries.
#
# What breaks: everything that the decoder knows has passed through one vector, and every step must wait for the one
# before. [Chapter 04](../04_attention/04_attention.ipynb) lets the decoder look back at *all* states of the encoder,
# and weigh them: attention.
#
# **Saved:** the artifact `date-translator` with its curves of exact translations by length, beside which chapter 04
# draws its own; your row of the leaderboard.
#
# ## Further reading
#
# - Y. Bengio, R. Ducharme, P. Vincent and C. Jauvin (2003). A neural probabilistic language model. *Journal of Machine
#   Learning Research* 3.
# - J. L. Elman (1990). Finding structure in time. *Cognitive Science* 14(2). The plain RNN.
# - R. Pascanu, T. Mikolov and Y. Bengio (2013). On the difficulty of training recurrent neural networks. *ICML*.
# - S. Hochreiter and J. Schmidhuber (1997). Long short-term memory. *Neural Computation* 9(8).
# - K. Cho and others (2014). Learning phrase representations using RNN encoder-decoder for statistical machine
#   translation. *EMNLP*. The GRU.
# - I. Sutskever, O. Vinyals and Q. V. Le (2014). Sequence to sequence learning with neural networks. *NIPS 27*.
# - J. Lafferty, A. McCallum and F. Pereira (2001). Conditional random fields. *ICML*.
# - Z. Huang, W. Xu and K. Yu (2015). Bidirectional LSTM-CRF models for sequence tagging. *arXiv* 1508.01991.
# - K. Papineni, S. Roukos, T. Ward and W.-J. Zhu (2002). BLEU: a method for automatic evaluation of machine
#   translation. *ACL*. M. Post (2018). A call for clarity in reporting BLEU scores. *WMT*. sacrebleu.
# - O. Press and L. Wolf (2017). Using the output embedding to improve language models. *EACL*. Weight tying.
# - B. McCann, J. Bradbury, C. Xiong and R. Socher (2017). Learned in translation: contextualized word vectors. *NIPS
#   30*.
# - M. E. Peters and others (2018). Deep contextualized word representations. *NAACL*. ELMo.
# - A. Holtzman, J. Buys, L. Du, M. Forbes and Y. Choi (2020). The curious case of neural text degeneration. *ICLR*.
