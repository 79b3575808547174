# %% [markdown]
# # 02 Word vectors: meaning from company
#
# **What you will build.** Vectors for words, four times: from counts (PPMI), from counts with fewer dimensions (LSI),
# from guessing neighbours (word2vec), and from the logarithm of counts (GloVe). All four come from one idea: a word is
# known by the company it keeps. Then you measure them: by analogies, by ranks, by their bias, and on messages.
#
# **What you need.** Python, NumPy, the basics of PyTorch tensors. [Chapter 01](../01_spam/01_spam.ipynb) is where
# TF-IDF and the spam of the inbox come from; nothing of its code is needed.
#
# **Points.** 100: fourteen exercises checked by machine (80) and two short essays (20). Allow five to six hours. The
# whole notebook, once written, runs in about three minutes on two cores.
#
# **How it works.** Write your answer where a cell says `raise NotImplementedError()`, run it, and run the check below
# it. When your work is graded, more cases are tried. Each exercise says how long it should take and how hard it is,
# from ★ to ★★★. Hints open on a click.
#
# **Shapes.** $V$ words, $d$ dimensions, $T$ places in a text. A word is a *row*: the table of all word vectors is
# $(V, d)$, and lectures that write words as columns have its transpose.

# %% given
import re
from collections import Counter
from itertools import combinations
from typing import NamedTuple

import numpy as np
import torch
from scipy import sparse
from torch import nn
from torch.nn.functional import embedding, logsigmoid

from helpers import data, plots
from helpers.course import artifacts, leaderboard, notebook
from helpers.course.claims import claim
from helpers.data.words import Analogies
from helpers.device import SEED, budget, seed_everything
from helpers.training import fit
from helpers.models.word_vectors import WordVectors

notebook.prepare("02_word_vectors")

# %% [markdown]
# ## The docs
#
# The text of this chapter is the documentation of the libraries that you have installed: Python, NumPy, SciPy,
# scikit-learn, PyTorch, Matplotlib. It is read once (half a minute) and kept. A *word* here is a letter followed by
# letters, digits or underscores, in lower case, so `float32` and `n_samples` are words. Words that occur fewer than
# five times are left out: nobody learns what a word means from three examples.

# %% given
class Corpus(NamedTuple):
    """Texts as numbers: words (V), most frequent first; counts (V,); ids (T,) and the text (T,) each stands in."""

    words: list[str]
    counts: np.ndarray
    ids: np.ndarray
    texts: np.ndarray


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case."""
    return re.findall(r"[a-z][a-z0-9_]*", text.lower())


def read(texts: list[str], fewest: int = 5) -> Corpus:
    """Cut texts into words and number those that occur at least `fewest` times; the others are left out."""
    split = [words_of(text) for text in texts]
    found = Counter(word for text in split for word in text)
    words = sorted((word for word, n in found.items() if n >= fewest), key=lambda word: (-found[word], word))
    row = {word: i for i, word in enumerate(words)}
    ids = [np.array([row[word] for word in text if word in row], dtype=np.int64) for text in split]
    places = np.repeat(np.arange(len(ids)), [len(text) for text in ids])
    return Corpus(words, np.array([found[word] for word in words]), np.concatenate(ids), places)

# %% show
docs = data.load("docs")
corpus = read([document.text for document in docs])
V = len(corpus.words)
row = {word: i for i, word in enumerate(corpus.words)}
print(docs)
print(f"{len(corpus.ids):,} words of text, {V:,} different: {', '.join(corpus.words[:8])}, ... {corpus.words[-1]}")

# %% [markdown]
# ## Exercise 1: a look-up is a product (`lookup`)
#
# 8 minutes, ★, 4 points
#
# To a network a word is a number: its row in the vocabulary. Numbers invite arithmetic that means nothing (is word 6
# twice word 3?), so theory writes the word as a **one-hot** vector $b(w)$ of length $V$: zeros, and a single 1 at
# the word's place. Times a table $U$ of shape $(V, d)$ it gives
#
# $$u(w) = b(w) \, U = \text{row } w \text{ of } U .$$
#
# So the first layer of every language model is a matrix product that nobody computes: it is a look-up.
#
# Write both. `one_hot(ids, size)` gives one row for each id, in their order: id 0 has its 1 in the first column.
# `look_up(ids, table)` gives the rows of the table. An id that comes twice gives two rows. No ids give no rows: shapes
# $(0, V)$ and $(0, d)$.
#
# By hand, with the lecture's table of five rows and the word in place 3:
#
# $$\begin{pmatrix} 0 & 0 & 0 & 1 & 0 \end{pmatrix}
# \begin{pmatrix} 17 & 24 & 1 \\ 23 & 5 & 7 \\ 4 & 6 & 13 \\ 10 & 12 & 19 \\ 11 & 18 & 25 \end{pmatrix}
# = \begin{pmatrix} 10 & 12 & 19 \end{pmatrix}$$
#
# <details><summary>Hint 1</summary>Row <code>i</code> of the identity matrix is the one-hot vector of
# <code>i</code>.</details>
# <details><summary>Hint 2</summary>NumPy picks several rows at once when it is indexed by an array of ids.</details>

# %% exercise="lookup"
def one_hot(ids: np.ndarray, size: int) -> np.ndarray:
    """Return the one-hot vectors of n ids, shape (n, size), zeros and ones.

    ids: (n,) integers from 0 to size - 1.
    """
    ### BEGIN SOLUTION
    return np.eye(size)[ids]
    ### END SOLUTION


def look_up(ids: np.ndarray, table: np.ndarray) -> np.ndarray:
    """Return the rows of the table that the ids name, shape (n, d).

    ids: (n,) integers from 0 to V - 1; table: (V, d).
    """
    ### BEGIN SOLUTION
    return table[ids]
    ### END SOLUTION

# %% check="lookup" points=4

# %% [markdown]
# By hand once, then the library: `nn.Embedding` is the same look-up, with a table that learns. The gradient shows why
# it pays: of all $V$ rows only those that were looked up change.

# %% show
table = nn.Embedding(5, 3)
ids = np.array([3, 0, 3])
product = one_hot(ids, 5) @ table.weight.detach().numpy()
print("one-hot product = look-up:", np.allclose(product, look_up(ids, table.weight.detach().numpy())))
print("look-up = nn.Embedding:   ", np.allclose(product, table(torch.tensor(ids)).detach().numpy()))
table(torch.tensor(ids)).sum().backward()
print("gradient of each row:", table.weight.grad.sum(dim=1).tolist(), "(row 3 was used twice)")
print(f"one-hot of the docs: {len(corpus.ids) * V * 8 / 1e12:.1f} TB; their ids: {corpus.ids.nbytes / 1e6:.0f} MB")

# %% [markdown]
# ## Exercise 2: company in numbers, PMI and PPMI (`ppmi`)
#
# 20 minutes, ★★, 7 points
#
# One-hot vectors are all at right angles: no word is closer to another. What should make two words close? That they
# turn up in the same company. Start from the **term-document matrix** $D$, with a row for each word and a
# column for each document. From it comes the **term-term matrix**, which says how often two words meet:
#
# $$X = D \, D^\top, \qquad X_{wc} = \sum_{\text{documents}} D_{w} D_{c} .$$
#
# Raw counts are ruled by frequent words: everything meets "the". So compare how often two words *do* meet with how
# often they *would* meet if they had nothing to do with each other. This is **pointwise mutual information**:
#
# $$\text{PMI}(w, c) = \log_2 \frac{P(w, c)}{P(w) \, P(c)}, \qquad
# P(w, c) = \frac{X_{wc}}{N}, \quad P(w) = \frac{\sum_c X_{wc}}{N}, \quad P(c) = \frac{\sum_w X_{wc}}{N},
# \quad N = \sum_{w, c} X_{wc} .$$
#
# 0 says *independent*, 1 says *twice as often as by chance*. Negative values say *less often than by chance*, which
# takes a lot of text to know, so **PPMI** puts 0 in their place.
#
# The rules in full: `ppmi(counts)` takes any table of counts, not only square and symmetric ones: $P(w)$ comes from the
# sums of rows, $P(c)$ from the sums of columns. With `positive=False` it returns the PMI with its negative values. A
# pair that was never seen ($X_{wc} = 0$) gets 0 in both kinds, also where a whole row, or the table, is zero.
# Logarithms have base 2.
#
# By hand: the counts $\begin{pmatrix} 4 & 0 \\ 1 & 1 \end{pmatrix}$ have $N = 6$, row sums $(4, 2)$ and column sums
# $(5, 1)$. PMI of the first cell is $\log_2 \frac{4/6}{(4/6)(5/6)} = \log_2 \frac{6}{5} = 0.2630$; the lower row has
# $\log_2 \frac{3}{5} = -0.7370$ and $\log_2 3 = 1.5850$.
#
# <details><summary>Hint 1</summary><code>counts.sum(axis=1, keepdims=True)</code> has shape (V, 1), and with the sums
# of the columns, (1, C), it makes the whole table of expected counts.</details>
# <details><summary>Hint 2</summary>All four sums in one: the ratio is X times N, divided by row sum times column
# sum.</details>
# <details><summary>Hint 3</summary>Take logarithms only where the count is above 0:
# <code>out[seen] = np.log2(ratio[seen])</code>.</details>

# %% exercise="ppmi"
def cooccurrences(term_document: np.ndarray) -> np.ndarray:
    """Return how often two words meet, summed over documents, shape (V, V).

    term_document: (V, N) counts, a row for each word.
    """
    ### BEGIN SOLUTION
    return term_document @ term_document.T
    ### END SOLUTION


def ppmi(counts: np.ndarray, positive: bool = True) -> np.ndarray:
    """Return the PPMI of each pair, or the PMI if not `positive`, base 2, shape (V, C); 0 where the count is 0.

    counts: (V, C), how often word w and company c were seen together.
    """
    ### BEGIN SOLUTION
    expected = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0, keepdims=True)  # (V, C), times N
    seen = counts > 0
    pmi = np.zeros(counts.shape)
    pmi[seen] = np.log2(counts[seen] * counts.sum() / expected[seen])
    return np.maximum(pmi, 0) if positive else pmi
    ### END SOLUTION

# %% check="ppmi" points=7

# %% [markdown]
# Look at the last row of the lecture's table, below: `person` meets everything, and its PPMI is 0 *everywhere*. It is
# in each document equally often, so it meets every word exactly as often as chance would have it. A stop word, found
# without a list: company that everybody keeps says nothing.

# %% show exact=true
lecture_words = ["spring", "flowers", "bounce", "ball", "game", "like", "person"]
lecture_counts = np.array([[1, 1, 0], [2, 0, 0], [0, 1, 0], [0, 1, 2], [0, 0, 2], [3, 3, 2], [3, 3, 3]])
meetings = np.asarray(cooccurrences(lecture_counts))
lecture_ppmi = np.asarray(ppmi(meetings))
print("person meets:", dict(zip(lecture_words, meetings[-1].tolist(), strict=True)))
print("its PPMI:    ", dict(zip(lecture_words, lecture_ppmi[-1].tolist(), strict=True)))

# %% show
fig, axes = plots.figure(columns=2, width=10, height=3.8)
for ax, values, title, fmt in [
    (axes[0], meetings, "how often they meet", "{:.0f}"),
    (axes[1], lecture_ppmi, "PPMI", "{:.2f}"),
]:
    plots.matrix(ax, values, lecture_words, lecture_words, fmt)
    ax.set_title(title)
    ax.tick_params(axis="x", labelrotation=45)
plots.show(
    fig,
    "Two tables of seven words by seven. Left: the counts, the largest for like and person. Right: their PPMI; the row "
    "and the column of person are all 0, and ball and game have 1.00.",
)

# %% [markdown]
# ## Exercise 3: fewer dimensions, LSI and PCA (`svd`)
#
# 20 minutes, ★★, 6 points
#
# A row of the PPMI table is already a word vector, but one of length $V$, mostly zeros, and two synonyms that never
# share a neighbour stay at right angles. The **singular value decomposition** writes any matrix as
#
# $$X = U \, S \, W^\top ,$$
#
# with orthonormal columns in $U$ and $W$, and singular values $s_1 \ge s_2 \ge \dots \ge 0$ on the diagonal of $S$.
# $s_i$ says how important "concept" $i$ is. Keeping the first $k$ gives the best approximation of rank $k$ that there
# is. That is **latent semantic indexing** (LSI); the word vectors are the rows of $U_k S_k$, shape $(V, k)$.
#
# To *look* at vectors we want two dimensions that spread them most: **principal components** (PCA). They are the same
# decomposition with one step before it, the mean of each column subtracted: the coordinates are $U_k S_k$ of the
# centred points.
#
# Write `lsi(matrix, k)`, which returns the pair (vectors $U_k S_k$, the $k$ singular values), and `pca(points, k)`,
# which returns the coordinates, $(n, k)$. The largest comes first. Each column may come with either sign: the
# decomposition does not say, and the check does not ask.
#
# By hand: $X = \begin{pmatrix} 3 & 0 \\ 0 & 2 \\ 4 & 0 \end{pmatrix}$ has $s = (5, 2)$: the first concept is column 1,
# of length $\sqrt{9 + 16}$. With $k = 1$ the vectors are $(3, 0, 4)$.
#
# <details><summary>Hint 1</summary><code>np.linalg.svd(matrix, full_matrices=False)</code> returns U, the singular
# values as a vector, and the transpose of W.</details>
# <details><summary>Hint 2</summary>Multiplying a matrix by a vector of length k scales its columns.</details>
# <details><summary>Hint 3</summary>PCA is one line: <code>lsi</code> of the points without their mean.</details>

# %% exercise="svd"
def lsi(matrix: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Return (word vectors U_k S_k of shape (V, k), the k largest singular values of shape (k,), descending).

    matrix: (V, C), dense; k: at most the smaller of V and C.
    """
    ### BEGIN SOLUTION
    u, s, _ = np.linalg.svd(matrix, full_matrices=False)
    return u[:, :k] * s[:k], s[:k]
    ### END SOLUTION


def pca(points: np.ndarray, k: int = 2) -> np.ndarray:
    """Return the coordinates of the points along their k principal components, shape (n, k).

    points: (n, d).
    """
    ### BEGIN SOLUTION
    return lsi(points - points.mean(axis=0), k)[0]
    ### END SOLUTION

# %% check="svd" points=6

# %% [markdown]
# Now on the docs: the 1,200 most frequent words as rows, the same words as their company, met within a document. Two
# documents that both hold "the" a hundred times would rule everything, so each document counts a word once.

# %% show
from sklearn.decomposition import TruncatedSVD

M = 1200
frequent = corpus.ids < M
term_document = sparse.csr_matrix(
    (np.ones(frequent.sum()), (corpus.ids[frequent], corpus.texts[frequent])), shape=(M, len(docs))
)
met = cooccurrences(term_document.sign().toarray())
association = np.asarray(ppmi(met))
lsi_vectors, singular = (np.asarray(part) for part in lsi(association, 100))
library = TruncatedSVD(100, random_state=SEED).fit(association)
gap = np.abs(singular - library.singular_values_)[:20].max()
print(f"largest difference from TruncatedSVD in the first 20: {gap:.1e}")
print("singular values:", singular[[0, 1, 2, 9, 49, 99]].round(1))
by_documents = WordVectors(corpus.words[:M], lsi_vectors.astype(np.float32))
for word in ("matrix", "thread", "axes", "classifier"):
    print(f"{word:<12}", ", ".join(near for near, _ in by_documents.nearest(word, 7)))

# %% show
groups = {
    "plots": ["axes", "figure", "legend", "axis", "plot", "color", "label"],
    "statistics": ["distribution", "variance", "mean", "probability", "random", "sample"],
    "networks": ["tensor", "cuda", "module", "layer", "gradient", "optimizer"],
    "system": ["file", "process", "thread", "socket", "string", "path"],
}
chosen = [(word, name) for name, words in groups.items() for word in words if row[word] < M]
points = np.asarray(pca(lsi_vectors[[row[word] for word, _ in chosen]]))
plots.show(*plots.projection(points, [word for word, _ in chosen], [name for _, name in chosen]))

# %% [markdown]
# Four worlds in two dimensions, and nobody told the computer that they exist. The singular values fall quickly at first
# and slowly then: there is no edge at which to cut.

# %% [markdown]
# ## Exercise 4: windows and pairs (`windows`)
#
# 25 minutes, ★★★, 7 points
#
# A document is coarse company: in a long one everything meets. Closer company is a **window**: the words at most $R$
# places to the left or right. All methods from here on read the text through it. Two functions:
#
# 1. `context_windows(ids, texts, reach)` gives for each place of the text the ids of its company, shape $(T, 2R)$: the
#    columns are the places $-R, \dots, -1, +1, \dots, +R$, from left to right. Where there is no word (beyond an end,
#    or in *another text*), the entry is $-1$. The result holds integers, as ids are integers. Words of one text stand
#    together, and `texts` has the number of the text for each place; the numbers are in no particular order.
# 2. `skip_gram_pairs(ids, windows)` gives the pairs (centre, context) that skip-gram learns from, shape $(P, 2)$: for
#    each place in order, its company from left to right, without the $-1$. No pairs give shape $(0, 2)$.
#
# The corpus has two million places and a Python loop over them is slow, so move whole arrays: the company at offset
# $+1$ is the text shifted by one.
#
# By hand, with $R = 1$, ids $(5, 7, 9)$, the last word in a text of its own: the windows are
# $(-1, 7), (5, -1), (-1, -1)$, and the pairs $(5, 7)$ and $(7, 5)$.
#
# <details><summary>Hint 1</summary>Place number plus offset: <code>np.arange(T)[:, None] + offsets</code> has shape
# (T, 2R). Which of these numbers are places at all?</details>
# <details><summary>Hint 2</summary>Clip the numbers into 0 ... T - 1 so that you can index, and put -1 where the number
# was outside or the text differs: <code>np.where(fine, ids[inside], -1)</code>.</details>
# <details><summary>Hint 3</summary><code>np.repeat(ids, 2 * reach)</code> is the centre of every entry of
# <code>windows.ravel()</code>; keep those where the entry is not -1.</details>

# %% exercise="windows"
def context_windows(ids: np.ndarray, texts: np.ndarray, reach: int) -> np.ndarray:
    """Return the company of each place, (T, 2 * reach) integers: from `reach` to the left to `reach` to the right.

    ids: (T,) word ids; texts: (T,) the number of the text of each place. -1 where there is no word in the same text.
    """
    ### BEGIN SOLUTION
    offsets = np.array([o for o in range(-reach, reach + 1) if o != 0], dtype=int)
    places = np.arange(len(ids))[:, None] + offsets  # (T, 2R)
    if not places.size:
        return np.zeros(places.shape, dtype=int)
    inside = np.clip(places, 0, len(ids) - 1)
    return np.where((places == inside) & (texts[inside] == texts[:, None]), ids[inside], -1)
    ### END SOLUTION


def skip_gram_pairs(ids: np.ndarray, windows: np.ndarray) -> np.ndarray:
    """Return all pairs (centre, context), shape (P, 2): place after place, and in a place from left to right.

    ids: (T,); windows: (T, 2R) from `context_windows`, with -1 where there is no word.
    """
    ### BEGIN SOLUTION
    centres = np.repeat(ids, windows.shape[1])
    contexts = windows.ravel()
    return np.stack([centres, contexts], axis=1)[contexts >= 0]
    ### END SOLUTION

# %% check="windows" points=7

# %% show
sentence = read(["the rows of a matrix are the columns of its transpose"], fewest=1)
company = np.asarray(context_windows(sentence.ids, sentence.texts, 2))
for centre, line in zip(sentence.ids[:4], company, strict=False):
    print(f"{sentence.words[centre]:<8}", [sentence.words[i] if i >= 0 else "-" for i in line])
pairs = skip_gram_pairs(sentence.ids, company)
print(f"{len(pairs)} pairs; the first: {[(sentence.words[a], sentence.words[b]) for a, b in pairs[:4]]}")
part = corpus.texts < 1000
windows = context_windows(corpus.ids[part], corpus.texts[part], 3)
print(f"1,000 documents, {part.sum():,} words, reach 3: {len(skip_gram_pairs(corpus.ids[part], windows)):,} pairs")

# %% [markdown]
# ## Exercise 5: skip-gram, the softmax (`softmax`)
#
# 15 minutes, ★★, 6 points
#
# Counting first and compressing then is one way. **Skip-gram** (Mikolov et al. 2013) turns the order round: begin with
# random vectors and let them *predict* the company. Each word has two vectors: $v_w$, a row of `inputs`, when it is
# the centre, and $u_c$, a row of `outputs`, when it is the company. (With a single table a word would have to predict
# itself best of all.) The score of a pair is $v_w \cdot u_c$, and a softmax over the vocabulary makes it a probability:
#
# $$p(c \mid w) = \frac{e^{v_w \cdot u_c}}{\sum_{c'=1}^{V} e^{v_w \cdot u_{c'}}}, \qquad
# L = - \frac{1}{P} \sum_{i=1}^{P} \log p(c_i \mid w_i) .$$
#
# Write `softmax_loss`, the mean over $P$ pairs. It is differentiated later, so stay with torch operations. Scores of
# hundreds must not overflow, and their loss comes out in full: $\log \sum e^{s}$ has a stable form, and torch has it.
#
# By hand: if all outputs are zero, every word has probability $1/V$, and the loss is $\ln V$.
#
# <details><summary>Hint 1</summary>The scores of all pairs with all words are one product, of shape (P, V).</details>
# <details><summary>Hint 2</summary><code>torch.log_softmax</code> or <code>torch.logsumexp</code> never form the large
# exponentials.</details>
# <details><summary>Hint 3</summary><code>nn.functional.cross_entropy(scores, contexts)</code> is the whole
# mean.</details>

# %% exercise="softmax"
def softmax_loss(
    centres: torch.Tensor, contexts: torch.Tensor, inputs: torch.Tensor, outputs: torch.Tensor
) -> torch.Tensor:
    """Return the mean of -log p(context | centre) over P pairs, a scalar tensor.

    centres, contexts: (P,) word ids; inputs, outputs: (V, d), the two tables of vectors.
    """
    ### BEGIN SOLUTION
    scores = inputs[centres] @ outputs.T  # (P, V)
    return nn.functional.cross_entropy(scores, contexts)
    ### END SOLUTION

# %% given
def gradients(function, *arguments, fixed=()):
    """Return (value, the gradient of its sum with respect to each tensor of floats but the `fixed`), by autograd.

    function: called with the arguments; fixed: the places of arguments that are not differentiated.
    """
    copies, leaves = list(arguments), []
    for i, argument in enumerate(arguments):
        if isinstance(argument, torch.Tensor) and argument.is_floating_point() and i not in fixed:
            copies[i] = argument.detach().clone().requires_grad_()
            leaves.append(copies[i])
    value = function(*copies)
    return value.detach(), *torch.autograd.grad(value.sum(), leaves)

# %% check="softmax" points=6

# %% [markdown]
# ## Exercise 6: what to draw, what to leave out (`sampling`)
#
# 12 minutes, ★, 5 points
#
# The softmax needs the score of *every* word for every pair, and there are millions of pairs. The way out is to tell
# the real company from a few words drawn at random, the **noise**. How to draw it? By frequency, "the" would be most
# of it; uniformly, it would be words that nobody uses. Mikolov et al. found a middle way, the counts to the power
# 3/4:
#
# $$P_n(w) = \frac{n_w^{0.75}}{\sum_{w'} n_{w'}^{0.75}} .$$
#
# Frequent words also make most of the pairs and teach the least. **Subsampling** keeps each occurrence of a word of
# share $f_w = n_w / \sum n$ in the text with probability
#
# $$P_{\text{keep}}(w) = \min \Big(1, \sqrt{t / f_w} \Big) .$$
#
# A word that does not occur ($n_w = 0$) is never drawn as noise, and is kept with probability 1.
#
# By hand: counts 16 and 1 have noise probabilities $8/9$ and $1/9$, since $16^{3/4} = 8$. With $t = 0.01$ a word that
# makes 4% of the text is kept with probability $\sqrt{0.01 / 0.04} = 0.5$.
#
# <details><summary>Hint 1</summary>Both are one line of array arithmetic; for the second, make the shares
# first.</details>
# <details><summary>Hint 2</summary>Where the share is 0, put something that leads to 1, before you divide.</details>

# %% exercise="sampling"
def noise_distribution(counts: np.ndarray, power: float = 0.75) -> np.ndarray:
    """Return the probability of each word to be drawn as noise, shape (V,); the sum is 1.

    counts: (V,) how often each word occurs; at least one is above 0.
    """
    ### BEGIN SOLUTION
    weights = np.asarray(counts, dtype=float) ** power
    return weights / weights.sum()
    ### END SOLUTION


def keep_probability(counts: np.ndarray, threshold: float = 1e-3) -> np.ndarray:
    """Return the probability of each word's occurrences to be kept, shape (V,).

    counts: (V,) how often each word occurs; at least one is above 0; threshold: t.
    """
    ### BEGIN SOLUTION
    share = counts / counts.sum()
    return np.sqrt(threshold / np.maximum(share, threshold))
    ### END SOLUTION

# %% check="sampling" points=5

# %% show
noise, kept = (np.asarray(f(corpus.counts)) for f in (noise_distribution, keep_probability))
fig, axes = plots.figure(columns=2, width=9.5, height=3.4)
rank = np.arange(1, V + 1)
axes[0].loglog(rank, corpus.counts / corpus.counts.sum(), label="share of the text")
axes[0].loglog(rank, noise, "--", label="noise, power 3/4")
axes[0].set(xlabel="rank of the word", ylabel="probability")
axes[0].legend()
axes[1].semilogx(rank, kept)
axes[1].set(xlabel="rank of the word", ylabel="probability to be kept", ylim=(0, 1.05))
plots.show(
    fig,
    "Left: the share of words in the text falls along a line with their rank, the noise distribution less steeply. "
    "Right: the most frequent words are kept with a probability of about one eighth to one half, rare words always.",
)
print({word: round(float(kept[row[word]]), 2) for word in ("the", "a", "array", "matrix", "transpose")})
print(f"of {len(corpus.ids):,} words {kept[corpus.ids].sum():,.0f} are kept on average")

# %% [markdown]
# ## Exercise 7: negative sampling, gradient by hand (`negative`)
#
# 30 minutes, ★★★, 8 points
#
# For one pair with centre $v$ and company $u$, and $K$ noise words $n_1, \dots, n_K$ drawn for it, the loss of
# **negative sampling** is a logistic regression that tells the real from the drawn. With $\sigma(x) = 1 / (1 +
# e^{-x})$:
#
# $$\ell = - \log \sigma(v \cdot u) - \sum_{k=1}^{K} \log \sigma(- v \cdot n_k) .$$
#
# $K + 1$ scores in place of $V$. And the gradients are short, because the derivative of $-\log \sigma(x)$ is
# $\sigma(x) - 1$, and that of $-\log \sigma(-x)$ is $\sigma(x)$. That is prediction minus truth again, as in
# chapter 01.
#
# $$\frac{\partial \ell}{\partial v} = (\sigma(v \cdot u) - 1) \, u + \sum_k \sigma(v \cdot n_k) \, n_k, \qquad
# \frac{\partial \ell}{\partial u} = (\sigma(v \cdot u) - 1) \, v, \qquad
# \frac{\partial \ell}{\partial n_k} = \sigma(v \cdot n_k) \, v .$$
#
# Write `negative_sampling(centres, contexts, noise)` for $B$ pairs at once. It returns the **mean** loss $L$ over the
# pairs and the three gradients of $L$ (so each holds the factor $1/B$). Write them by these formulas and not with
# autograd: that is the exercise, although the check sees numbers only. The sum over noise words is a
# sum, not a mean. Scores of hundreds must not overflow, and their loss comes out in full.
#
# By hand: $v = (1, 0)$, $u = (0, 1)$, one noise word $n = (0, 2)$: both scores are 0, so $\ell = 2 \ln 2 = 1.3863$; the
# gradients are $-\frac12 u + \frac12 n = (0, 0.5)$, then $-\frac12 v = (-0.5, 0)$ and $\frac12 v = (0.5, 0)$.
#
# <details><summary>Hint 1</summary>The scores: <code>(centres * contexts).sum(-1)</code> has shape (B,), and
# <code>(noise @ centres[:, :, None])[..., 0]</code> has shape (B, K).</details>
# <details><summary>Hint 2</summary><code>logsigmoid</code> is stable for large scores of either sign.</details>
# <details><summary>Hint 3</summary>With <code>own = torch.sigmoid(scores) - 1</code> and <code>other =
# torch.sigmoid(noise scores)</code>: the gradient of the centres is <code>own[:, None] * contexts + (other[..., None] *
# noise).sum(1)</code>, over B.</details>

# %% exercise="negative"
def negative_sampling(
    centres: torch.Tensor, contexts: torch.Tensor, noise: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (mean loss, its gradient for centres (B, d), for contexts (B, d), for noise (B, K, d)).

    centres, contexts: (B, d), the vectors of B pairs; noise: (B, K, d), the vectors of K noise words for each.
    """
    ### BEGIN SOLUTION
    scores = (centres * contexts).sum(-1)  # (B,)
    against = (noise * centres[:, None]).sum(-1)  # (B, K)
    loss = -(logsigmoid(scores) + logsigmoid(-against).sum(1)).mean()
    own = (torch.sigmoid(scores) - 1)[:, None] / len(centres)  # (B, 1)
    other = torch.sigmoid(against)[..., None] / len(centres)  # (B, K, 1)
    return loss, own * contexts + (other * noise).sum(1), own * centres, other * centres[:, None]
    ### END SOLUTION

# %% check="negative" points=8

# %% [markdown]
# Your gradients and autograd's, then what the trick buys: the time of one step of 1,024 pairs, forward and backward, as
# the vocabulary grows.

# %% show
import time

B, K, WIDTH = 1024, 5, 100
vectors = [torch.randn(B, WIDTH), torch.randn(B, WIDTH), torch.randn(B, K, WIDTH)]
mine = negative_sampling(*vectors)
automatic = gradients(lambda *parts: negative_sampling(*parts)[0], *vectors)
gap = max(float((a - b).abs().max()) for a, b in zip(mine, automatic, strict=True))
print(f"largest difference from autograd: {gap:.1e}")


def seconds(action, times: int = 3) -> float:
    """Return the shortest of a few runs."""
    runs = []
    for _ in range(times):
        start = time.perf_counter()
        action()
        runs.append(time.perf_counter() - start)
    return min(runs)


sizes = [500, 1000, 2000, 4000, 8000, 16000]
cost = {"softmax": [], "negative sampling": []}
for size in sizes:
    tables = torch.randn(2, size, WIDTH) / 10
    centres, contexts = torch.randint(size, (2, B))
    drawn = torch.randint(size, (B, K))
    cost["softmax"].append(1000 * seconds(lambda: gradients(softmax_loss, centres, contexts, *tables)))
    cost["negative sampling"].append(
        1000 * seconds(lambda: negative_sampling(tables[0][centres], tables[1][contexts], tables[1][drawn]))
    )
plots.show(*plots.lines(sizes, cost, "size of the vocabulary", "milliseconds a step", log="xy"))

# %% [markdown]
# ## Exercise 8: fast enough for two million words (`lines`)
#
# 25 minutes, ★★★, 6 points
#
# Five noise words *for each pair* would mean to fetch half a million vectors a step, and fetching is what costs. Two
# tricks turn it into a few large matrix products, which processors do best:
#
# - Cut the text into **lines** of $T$ words and score *all* words of a line against one another, $(T, T)$ at once.
#   Most of these scores are not pairs; a mask says which are. Each centre $i$ has a reach $r_i$ of its own, drawn
#   from 1 to $R$, so that near words make pairs more often than far ones.
# - Draw one set of $K$ noise words **for the whole step**. A centre that makes $m$ pairs is held against all of them
#   once, and the mean of its noise terms counts $m \cdot w$ times, as if each of its pairs had drawn $w$ noise words.
#
# $$\text{loss} = - \frac{1}{P} \Big[ \sum_{\text{pairs } (i, j)} \log \sigma(s_{ij})
# + w \sum_{i=1}^{n} m_i \, \frac{1}{K} \sum_{k=1}^{K} \log \sigma(- a_{ik}) \Big]$$
#
# 1. `pair_mask(texts, reaches)`: for $L$ lines, `texts` $(L, T)$ has the number of each word's text, `reaches` $(L, T)$
#    its reach. Entry $(l, i, j)$ of the result, $(L, T, T)$ booleans, says whether word $j$ of line $l$ is company of
#    centre $i$: not the same place, at most $r_i$ places apart, and in the same text.
# 2. `line_loss(scores, pairs, against, times, weight)`: `scores` and `pairs` have the same shape (any), `against`
#    $(n, K)$ holds the scores $a_{ik}$, `times` $(n,)$ the $m_i$. $P$ is the number of pairs, as `pairs` tells it,
#    whatever the $m_i$ add up to; there is at least one. Scores of hundreds must not overflow, and their loss comes out
#    in full. Stay with torch operations: the loss is differentiated.
#
# By hand: three words of one text with reaches 1, 1, 2 give the masks $(0, 1, 0)$, $(1, 0, 1)$, $(1, 1, 0)$. If all
# scores are 0 and $w = 5$, the loss is $\ln 2 + 5 \ln 2$, provided that the $m_i$ add up to $P$.
#
# <details><summary>Hint 1</summary>The distances: <code>(place[:, None] - place).abs()</code>, shape (T, T). With
# <code>reaches[:, :, None]</code>, shape (L, T, 1), the comparison has shape (L, T, T).</details>
# <details><summary>Hint 2</summary><code>scores[pairs]</code> is a vector of the scores of the pairs.</details>
# <details><summary>Hint 3</summary>The noise part is <code>weight * (times *
# logsigmoid(-against).mean(1)).sum()</code>. </details>

# %% exercise="lines"
def pair_mask(texts: torch.Tensor, reaches: torch.Tensor) -> torch.Tensor:
    """Return which words of a line are pairs, (L, T, T) booleans: centre in rows, company in columns.

    texts: (L, T) the number of each word's text; reaches: (L, T) how far the window of each centre goes.
    """
    ### BEGIN SOLUTION
    place = torch.arange(texts.shape[1], device=texts.device)
    apart = (place[:, None] - place).abs()  # (T, T)
    return (apart > 0) & (apart <= reaches[:, :, None]) & (texts[:, :, None] == texts[:, None, :])
    ### END SOLUTION


def line_loss(
    scores: torch.Tensor, pairs: torch.Tensor, against: torch.Tensor, times: torch.Tensor, weight: float
) -> torch.Tensor:
    """Return the loss of negative sampling with shared noise, a mean over pairs, a scalar tensor.

    scores: any shape; pairs: booleans of the same shape; against: (n, K) scores of n centres with the noise words;
    times: (n,) how many pairs each is the centre of; weight: how many noise words a pair counts for.
    """
    ### BEGIN SOLUTION
    noise = (times * logsigmoid(-against).mean(1)).sum()
    return -(logsigmoid(scores[pairs]).sum() + weight * noise) / pairs.sum()
    ### END SOLUTION

# %% check="lines" points=6

# %% [markdown]
# ## Word2vec on the docs
#
# Everything is there: the text, what to keep, the pairs, the noise, the loss. The module holds the two tables; each
# pass subsamples and cuts the text anew. `fit` is the course's training loop. Read the cell once: nothing in it is
# new.

# %% given
LINE, LINES, NOISE = 32, 512, 256  # words in a line, lines in a step, noise words for a step


class SkipGram(nn.Module):
    """Two vectors for each word: one as a centre (inputs), one as company (outputs)."""

    def __init__(self, size: int, width: int):
        super().__init__()
        self.inputs = nn.Parameter((torch.rand(size, width) - 0.5) / width)
        self.outputs = nn.Parameter(torch.zeros(size, width))

    def forward(self, ids, pairs, noise):
        """Return scores (L, T, T), pairs, and the scores of each different centre with the noise, and its pairs."""
        times = torch.zeros(len(self.inputs), device=ids.device).index_add_(
            0, ids.flatten(), pairs.sum(2).flatten().float()
        )
        centres = times.nonzero()[:, 0]
        scores = embedding(ids, self.inputs) @ embedding(ids, self.outputs).transpose(1, 2)
        return scores, pairs, embedding(centres, self.inputs) @ embedding(noise, self.outputs).T, times[centres]


class CBoW(SkipGram):
    """The other way round: the mean of the company predicts the centre."""

    def forward(self, ids, pairs, noise):
        many = pairs.sum(2)  # (L, T) how much company each place has
        means = pairs.float() @ embedding(ids, self.inputs) / many.clamp(min=1)[..., None]
        scores = (means * embedding(ids, self.outputs)).sum(-1)
        against = means[many > 0] @ embedding(noise[: NOISE // 4], self.outputs).T  # each place anew: a quarter will do
        return scores, many > 0, against, torch.ones(len(against), device=ids.device)


def line_batches(corpus: Corpus, kept: np.ndarray, reach: int):
    """Return (a function from the step to (ids, reaches, texts), (L, T) each; the steps of a pass)."""
    steps, now = max(1, int(kept[corpus.ids].sum() / LINE / LINES) - 1), {}

    def lines() -> tuple[torch.Tensor, ...]:
        chosen = np.flatnonzero(np.random.random(len(corpus.ids)) < kept[corpus.ids])
        chosen = chosen[np.random.randint(LINE) :]  # the cuts fall elsewhere in every pass
        chosen = np.random.permutation(chosen[: len(chosen) // LINE * LINE].reshape(-1, LINE))
        reaches = np.random.randint(1, reach + 1, chosen.shape)
        return tuple(map(torch.from_numpy, (corpus.ids[chosen], reaches, corpus.texts[chosen])))

    def batch(step: int) -> tuple[torch.Tensor, ...]:
        number, place = divmod(step, steps)
        if number not in now:
            now.clear()
            now[number] = lines()
        return tuple(part[place * LINES : (place + 1) * LINES] for part in now[number])

    return batch, steps


def train_word2vec(corpus: Corpus, kind=SkipGram, passes: int = 5, width: int = 100, reach: int = 3, lr: float = 0.03):
    """Train SkipGram or CBoW on a corpus; returns (WordVectors of the inputs, History)."""
    kept = np.asarray(keep_probability(corpus.counts))
    drawn = torch.tensor(np.asarray(noise_distribution(corpus.counts)))

    def loss(model, batch):
        ids, reaches, texts = batch
        noise = torch.multinomial(drawn, NOISE, replacement=True).to(ids.device)
        return line_loss(*model(ids, pair_mask(texts, reaches), noise), weight=5)

    model = kind(len(corpus.words), width)
    batches, steps = line_batches(corpus, kept, reach)
    history = fit(model, batches, loss, steps=passes * steps, lr=lr, weight_decay=0.0, clip=None)
    return WordVectors(corpus.words, model.inputs.detach().cpu().numpy()), history

# %% show
PASSES = budget(grade=1, cpu=12)
seed_everything()
skip_gram, history = train_word2vec(corpus, passes=PASSES)
print(history)
print(f"{PASSES * len(corpus.ids) / history.seconds:,.0f} words of text a second")
plots.show(*plots.learning_curves(history))

# %% show
for word in ("float32", "matrix", "plot", "thread", "faster", "returns"):
    print(f"{word:<9}", ", ".join(f"{near} {cosine:.2f}" for near, cosine in skip_gram.nearest(word, 6)))

# %% [markdown]
# Types lie with types, plots with plots, comparatives with comparatives: nobody told it what a type, a plot or a
# comparative is.

# %% [markdown]
# ## Exercise 9: CBoW, and a first language model (`cbow`)
#
# 15 minutes, ★★, 6 points
#
# **Continuous bag of words** asks the question the other way round: from the company, guess the word in the middle.
# The vectors of the company are averaged (a *bag*: their order is lost), and the mean $h$ is held against all outputs:
#
# $$h = \frac{1}{m} \sum_{c \in \text{company}} v_c, \qquad s = h \, U^\top \in \mathbb{R}^{V} .$$
#
# It smooths over its company, so it is quicker and does well for frequent words, less well for rare ones. If the
# company is what came *before* only, the same model is **causal**: it guesses the next word from the last $R$. That
# is a language model, the first of this course.
#
# Write `cbow_scores(windows, inputs, outputs, causal=False)`. `windows` $(B, 2R)$ comes as in exercise 4: columns from
# left to right, $-1$ where there is no word. Those entries count neither in the sum nor in $m$. With `causal=True`
# only the left half of the columns is read. Without any company $h$ is zero, and so are the scores. Stay with torch
# operations.
#
# By hand: with inputs $v_0 = (2, 0)$, $v_1 = (0, 4)$ and the window $(0, 1)$ the mean is $(1, 2)$; causal it is $(2,
# 0)$; with the window $(0, -1)$ it is $(2, 0)$ in both.
#
# <details><summary>Hint 1</summary><code>known = windows >= 0</code> says what counts;
# <code>windows.clamp(min=0)</code> can be looked up without an error.</details>
# <details><summary>Hint 2</summary>The sum is <code>(inputs[windows.clamp(min=0)] * known[..., None]).sum(1)</code>;
# divide it by how many are known, at least 1.</details>

# %% exercise="cbow"
def cbow_scores(
    windows: torch.Tensor, inputs: torch.Tensor, outputs: torch.Tensor, causal: bool = False
) -> torch.Tensor:
    """Return the score of every word for the place that each window surrounds, shape (B, V).

    windows: (B, 2R) word ids, -1 where there is none; inputs, outputs: (V, d); causal: hide the right half.
    """
    ### BEGIN SOLUTION
    if causal:
        windows = windows[:, : windows.shape[1] // 2]
    known = windows >= 0  # (B, C)
    total = (inputs[windows.clamp(min=0)] * known[..., None]).sum(1)  # (B, d)
    return total / known.sum(1, keepdim=True).clamp(min=1) @ outputs.T
    ### END SOLUTION

# %% check="cbow" points=6

# %% [markdown]
# First as a language model: the last three words guess the next, among the 2,000 most frequent ones, with the full
# softmax (affordable at this size). **Perplexity** is $e^{L}$, the number of words among which the model hesitates;
# the documents of the test split were not trained on.

# %% show
SIZE, REACH = 2000, 3
held_out = np.array([document.split == "test" for document in docs])


class Causal(nn.Module):
    """CBoW of the words before, as a language model."""

    def __init__(self, size: int, width: int):
        super().__init__()
        self.inputs = nn.Parameter(torch.randn(size, width) / 10)
        self.outputs = nn.Parameter(torch.randn(size, width) / 10)

    def forward(self, windows):
        return cbow_scores(windows, self.inputs, self.outputs, causal=True)


def next_word(model, batch):
    return nn.functional.cross_entropy(model(batch[0]), batch[1])


known = corpus.ids < SIZE
ids, texts = corpus.ids[known], corpus.texts[known]
windows = torch.from_numpy(np.asarray(context_windows(ids, texts, REACH)))
targets, test = torch.from_numpy(ids), torch.from_numpy(held_out[texts])
where = torch.nonzero(~test)[:, 0]


def some(step: int):
    chosen = where[torch.randint(len(where), (1024,))]
    return windows[chosen], targets[chosen]


language_model = Causal(SIZE, 100)
fit(language_model, some, next_word, steps=budget(grade=40, cpu=300), lr=0.01, weight_decay=0.0, clip=None)
judged = torch.nonzero(test)[:, 0][:50_000]
with torch.no_grad():
    loss = torch.cat([
        nn.functional.cross_entropy(language_model(windows[part]), targets[part], reduction="none")
        for part in judged.split(5000)
    ])
share = torch.bincount(targets[where], minlength=SIZE).float() / len(where)
unigram = -share[targets[judged]].clamp(min=1e-9).log().mean()
print(
    f"perplexity of the test documents: frequency alone {unigram.exp():.0f}, three words before {loss.mean().exp():.0f}"
)


def continue_text(start: str, words: int = 14) -> str:
    """Append words drawn from the model, one after another."""
    text = [row[word] for word in words_of(start)]
    for _ in range(words):
        window = torch.tensor([text[-REACH:] + [-1] * REACH])
        text.append(int(torch.multinomial(torch.softmax(language_model(window)[0] / 0.7, 0), 1)))
    return " ".join(corpus.words[i] for i in text)


with torch.no_grad():
    for start in ("returns the number", "the axes of the", "raises valueerror if"):
        print(continue_text(start))

# %% [markdown]
# Local sense, no grammar: three words in a bag cannot know which came last. Chapter 03 gives it order and memory.
#
# Then as word vectors, trained like skip-gram above, for the comparison below.

# %% show
seed_everything()
cbow, history = train_word2vec(corpus, CBoW, passes=budget(grade=1, cpu=5))
print(f"{budget(grade=1, cpu=5) * len(corpus.ids) / history.seconds:,.0f} words of text a second")
for word in ("float32", "matrix", "plot"):
    print(f"{word:<9}", ", ".join(near for near, _ in cbow.nearest(word, 6)))

# %% [markdown]
# ## Exercise 10: GloVe (`glove`)
#
# 20 minutes, ★★, 6 points
#
# Word2vec reads the text pair by pair. Counting first is cheaper, and sees the whole corpus. **GloVe** (Pennington,
# Socher and Manning 2014) fits the *logarithm of the counts* by dot products:
#
# $$L = \sum_{(i, j): X_{ij} > 0} f(X_{ij}) \, \big( w_i \cdot \tilde w_j + b_i + \tilde b_j - \ln X_{ij} \big)^2,
# \qquad f(x) = \min \Big(1, (x / x_{\max})^{\alpha} \Big) .$$
#
# $X_{ij}$ says how often word $j$ stood in the window of word $i$. The weight $f$ keeps the noisy rare counts small,
# and the huge ones from ruling. Each word has two vectors again; the finished one is the sum $w + \tilde w$.
#
# Write `glove_weight(counts, x_max, alpha)` and `glove_loss(inputs, outputs, input_bias, output_bias, rows, columns,
# counts)`, which returns the **sum** over the $n$ given cells, with the usual $x_{\max} = 100$ and $\alpha = 0.75$.
# Logarithms are natural. Counts are above 0, and may be fractions. Stay with torch operations.
#
# By hand: $f(16) = (16/100)^{0.75} = 0.2530$, and $f(250) = 1$. With all parameters zero, a single cell of count 100
# costs $(\ln 100)^2 = 21.2076$.
#
# <details><summary>Hint 1</summary><code>torch.clamp(x, max=1)</code> is the minimum.</details>
# <details><summary>Hint 2</summary>The score of each cell: <code>(inputs[rows] * outputs[columns]).sum(1)</code>, plus
# <code>input_bias[rows] + output_bias[columns]</code>.</details>

# %% exercise="glove"
def glove_weight(counts: torch.Tensor, x_max: float = 100.0, alpha: float = 0.75) -> torch.Tensor:
    """Return the weight of each count, of the shape of `counts`.

    counts: numbers above 0; x_max: from here on the weight is 1; alpha: the power below it.
    """
    ### BEGIN SOLUTION
    return torch.clamp((counts / x_max) ** alpha, max=1)
    ### END SOLUTION


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts) -> torch.Tensor:
    """Return the weighted squared error of the log counts, summed over n cells, a scalar tensor.

    inputs, outputs: (V, d); input_bias, output_bias: (V,); rows, columns: (n,) word ids; counts: (n,), above 0.
    """
    ### BEGIN SOLUTION
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
    return (glove_weight(counts) * (score - torch.log(counts)) ** 2).sum()
    ### END SOLUTION

# %% check="glove" points=6

# %% [markdown]
# The counts of the whole corpus through your windows, a word at distance $n$ counting $1/n$ as in GloVe's program; then
# GloVe on them, and LSI (the library's, on PPMI of the same counts), both for words that occur at least 25 times.

# %% given
def window_counts(corpus: Corpus, size: int, reach: int) -> sparse.csr_matrix:
    """Return how often each of the first `size` words met each, weighted by 1 / distance, (size, size)."""
    counts = sparse.csr_matrix((size, size))
    offsets = np.abs([o for o in range(-reach, reach + 1) if o])
    for part in np.array_split(np.arange(len(corpus.ids)), len(corpus.ids) // 200_000 + 1):
        ids = corpus.ids[part]
        windows = np.asarray(context_windows(ids, corpus.texts[part], reach))
        met = (windows >= 0) & (windows < size) & (ids < size)[:, None]
        place, column = np.nonzero(met)
        found = sparse.coo_matrix((1 / offsets[column], (ids[place], windows[met])), shape=(size, size))
        counts = counts + found.tocsr()
    return counts


def sparse_ppmi(counts: sparse.csr_matrix) -> sparse.csr_matrix:
    """Return the PPMI of the cells that are not zero; the same as `ppmi`, for tables too large to be dense."""
    cells = counts.tocoo()
    company = np.asarray(counts.sum(axis=0)).ravel()
    ratio = cells.data * company.sum() / (np.asarray(counts.sum(axis=1)).ravel()[cells.row] * company[cells.col])
    return sparse.csr_matrix((np.maximum(np.log2(ratio), 0), (cells.row, cells.col)), shape=counts.shape)


def train_glove(counts: sparse.csr_matrix, words: list[str], steps: int, width: int = 100, lr: float = 0.05):
    """Train GloVe on the cells of a table of counts; returns (WordVectors w + w~, History)."""
    cells = counts.tocoo()
    rows, columns = (torch.from_numpy(part.astype(np.int64)) for part in (cells.row, cells.col))
    values = torch.from_numpy(cells.data).float()
    model = nn.ParameterDict(
        {
            **{name: (torch.rand(len(words), width) - 0.5) / width for name in ("inputs", "outputs")},
            **{name: torch.zeros(len(words)) for name in ("input_bias", "output_bias")},
        }
    )

    def batch(step: int):
        chosen = torch.randint(len(values), (20_000,))
        return rows[chosen], columns[chosen], values[chosen]

    def loss(model, batch):
        return glove_loss(*(model[n] for n in ("inputs", "outputs", "input_bias", "output_bias")), *batch) / len(
            batch[0]
        )

    history = fit(model, batch, loss, steps=steps, lr=lr, weight_decay=0.0, clip=None)
    return WordVectors(words, (model["inputs"] + model["outputs"]).detach().cpu().numpy()), history

# %% show
ANSWERS = int((corpus.counts >= 25).sum())
counts = window_counts(corpus, ANSWERS, reach=3)
seed_everything()
glove, history = train_glove(counts, corpus.words[:ANSWERS], steps=budget(grade=30, cpu=700))
print(f"{counts.nnz:,} cells of {ANSWERS:,} x {ANSWERS:,}; {history}")
positive = sparse_ppmi(counts)
same = np.allclose(sparse_ppmi(counts[:300]).toarray(), ppmi(counts[:300].toarray()))
print(f"the cells of PPMI are those of your function: {same}")
lsi_table = TruncatedSVD(100, n_iter=3, random_state=SEED).fit_transform(positive)
lsi_words = WordVectors(corpus.words[:ANSWERS], lsi_table.astype(np.float32))
for name, vectors in {"GloVe": glove, "LSI": lsi_words}.items():
    for word in ("float32", "matrix", "plot"):
        print(f"{name:<6} {word:<8}", ", ".join(near for near, _ in vectors.nearest(word, 6)))

# %% [markdown]
# ## Exercise 11: neighbours and analogies (`analogy`)
#
# 20 minutes, ★★, 6 points
#
# Vectors that are good only to look at are not worth much. Two measures: which words are near, and does direction mean
# something? If "from singular to plural" is a direction, then `rows - row + column` should come out near `columns`.
# This is **3CosAdd**: the answer to "$a$ is to $b$ as $c$ is to ?" is
#
# $$\arg\max_{x \notin \{a, b, c\}} \cos \big( x, \; \hat b - \hat a + \hat c \big), \qquad
# \hat w = w / \lVert w \rVert_2 .$$
#
# Mind the hats: each vector gets length 1 *before* the sum, or the longest would rule. $a$, $b$ and $c$ cannot be
# answers; without this rule the answer would mostly be $c$ itself or $b$, which tells something about analogies.
#
# 1. `nearest_rows(vectors, word, k)`: the rows of the $k$ words with the largest cosine to row `word`, the largest
#   first, without itself, shape $(k,)$. $k$ is less than $V$.
# 2. `answer_analogies(vectors, questions, among=None)`: `questions` $(n, 3)$ holds rows of $a, b, c$. Returns the row
#   of each answer, $(n,)$. With `among` only the first so many rows can be answers.
#
# No vector is zero, and no two cosines are equal, so ties need no rule. With `among` the words $a$, $b$ and $c$ may
# still lie beyond the first so many rows.
#
# By hand: with $a = (1, 0)$, $b = (0, 1)$, $c = (3, 0)$ the target is $(0, 1) - (1, 0) + (1, 0) = (0, 1)$: the
# direction of $b$, but $b$ cannot be the answer.
#
# <details><summary>Hint 1</summary>Divide all rows by their lengths once. Then a cosine is a dot product, and for
# <code>argmax</code> the length of the target does not matter.</details>
# <details><summary>Hint 2</summary>Set the cosines of what cannot be an answer to <code>-np.inf</code>.</details>
# <details><summary>Hint 3</summary><code>np.argsort(-cosines)</code> puts the largest first;
# <code>np.put_along_axis</code> sets other columns in each row.</details>

# %% exercise="analogy"
def nearest_rows(vectors: np.ndarray, word: int, k: int) -> np.ndarray:
    """Return the rows of the k vectors with the largest cosine to row `word`, the largest first, without it, (k,).

    vectors: (V, d).
    """
    ### BEGIN SOLUTION
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit[word]
    cosines[word] = -np.inf
    return np.argsort(-cosines, kind="stable")[:k]
    ### END SOLUTION


def answer_analogies(vectors: np.ndarray, questions: np.ndarray, among: int | None = None) -> np.ndarray:
    """Return the row that answers each question "a is to b as c is to ?" by 3CosAdd, shape (n,).

    vectors: (V, d); questions: (n, 3) rows of a, b, c; among: only the first so many rows can be answers, all if None.
    """
    ### BEGIN SOLUTION
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    a, b, c = questions.T
    cosines = (unit[b] - unit[a] + unit[c]) @ unit.T  # (n, V), up to the length of the target
    np.put_along_axis(cosines, questions, -np.inf, axis=1)
    return cosines[:, :among].argmax(axis=1)
    ### END SOLUTION

# %% check="analogy" points=6

# %% [markdown]
# ## Four methods, one evaluation
#
# The set `docs_analogies` holds 6,484 questions about words of the docs, in 25 sections; every pair of a section is set
# against every other. A section is named for its relation: *least-and-greatest* asks `min : max :: lower : ?`,
# *gram-plural* asks `row : rows :: column : ?`. All words that occur at least 25 times can be answers (4,991 of them,
# as rare as the rarest word of the questions), except $a$, $b$ and $c$.
#
# In some sections the two words of a pair stand in the same places of a sentence and differ in one thing that their
# company tells: the two ends of a scale, the two axes of a plot. In others the second word is made from the first by a
# rule of form (`write`, `writer`), or the relation is another from pair to pair. Where is the line? Any line drawn
# by looking at skip-gram would flatter skip-gram, so another method draws it: the first group, **company**, are the six
# sections of which LSI answers most (1,258 questions), the second the other nineteen. No single question was left out.
# Read LSI's own figure for the first group with that in mind; the other methods had no say in it.

# %% given
COMPANY = (
    "x-and-y",
    "least-and-greatest",
    "across-and-down",
    "thing-and-error",
    "classifier-and-regressor",
    "opposites",
)


def accuracy_by_section(vectors: WordVectors, analogies: Analogies, among: int) -> dict[str, np.ndarray]:
    """Return for each section which questions the vectors answer right, booleans; all their words are among the first.

    (The docs of another Python than the one that the questions were written with may lack a word.)
    """
    found = {}
    for name, questions in analogies.sections.items():
        known = [q for q in questions if all(vectors.index.get(word, among) < among for word in q)]
        rows = np.array([[vectors.index[word] for word in question] for question in known])
        answers = np.asarray(answer_analogies(vectors.matrix[:among], rows[:, :3], among))
        found[name] = answers == rows[:, 3]
    return found


def summary(found: dict[str, np.ndarray]) -> dict[str, float]:
    """Return the share of right answers of the two groups and of all."""
    groups = {"company": [n for n in found if n in COMPANY], "others": [n for n in found if n not in COMPANY]}
    return {group: float(np.concatenate([found[n] for n in names]).mean()) for group, names in groups.items()} | {
        "all": float(np.concatenate(list(found.values())).mean())
    }

# %% show
analogies = data.load("docs_analogies", edition="offline")
methods = {"LSI": lsi_words, "GloVe": glove, "CBoW": cbow, "skip-gram": skip_gram}
found = {name: accuracy_by_section(vectors, analogies, ANSWERS) for name, vectors in methods.items()}
print(f"{'section':<26}{'questions':>9}" + "".join(f"{name:>11}" for name in methods))
for section in sorted(analogies.sections, key=lambda s: (s not in COMPANY, -found["skip-gram"][s].mean())):
    scores = "".join(f"{found[name][section].mean():>11.2f}" for name in methods)
    print(f"{section:<26}{len(analogies.sections[section]):>9,}{scores}{'' if section in COMPANY else '   others'}")
for group in ("company", "others", "all"):
    print(f"{group:<35}" + "".join(f"{summary(found[name])[group]:>11.3f}" for name in methods))
reference = accuracy_by_section(WordVectors.load(own=False), analogies, ANSWERS)
print("with pieces of words (the reference):", {k: round(v, 3) for k, v in summary(reference).items()})
right = {name: summary(found[name]) for name in methods}
claim("Analogies of company: skip-gram above 0.6", right["skip-gram"]["company"], 0.6)
claim("Analogies, all: LSI above skip-gram", right["LSI"]["all"], right["skip-gram"]["all"])
claim("Analogies, all: skip-gram above CBoW", right["skip-gram"]["all"], right["CBoW"]["all"])
claim("Analogies, all: skip-gram above GloVe", right["skip-gram"]["all"], right["GloVe"]["all"])

# %% show
names = [*COMPANY, "the others"]
fig, ax = plots.figure(width=9, height=4.2)
places, width = np.arange(len(names)), 0.2
for i, (name, hatch) in enumerate(zip(methods, ["", "//", "..", "xx"], strict=True)):
    shares = [found[name][section].mean() for section in COMPANY] + [summary(found[name])["others"]]
    ax.bar(places + (i - 1.5) * width, shares, width, color=plots.COLORS[i], hatch=hatch, edgecolor="white", label=name)
ax.set_xticks(places, [name.replace("-and-", "\nand ").removeprefix("gram-") for name in names], fontsize=9)
ax.set(ylabel="share of right answers", ylim=(0, 1))
ax.legend(ncols=4, loc="upper right")
told = {name: summary(found[name]) for name in methods}
plots.show(
    fig,
    "Bars for seven groups of analogies and four methods. Right over the six sections of company: "
    + ", ".join(f"{name} {scores['company']:.0%}" for name, scores in told.items())
    + "; over the nineteen others: "
    + ", ".join(f"{name} {scores['others']:.0%}" for name, scores in told.items()),
)

# %% [markdown]
# Three things stand out. First, counting is hard to beat: on two million words LSI, which needs seconds, is ahead of
# everything that is trained, and not only on the sections that it chose itself (Levy, Goldberg and Dagan 2015 found the
# same; prediction shows its worth on a hundred times the text). Second, skip-gram makes more of the same text than
# CBoW, which averages its company, and than GloVe in the few rounds it gets here. Third, the nineteen others are
# beyond all four: they are blind to spelling. Vectors that also know the *pieces* of a word (the reference artifact:
# `writ` + `er`, Bojanowski et al. 2017) mend much of that, since form lies in the letters.
#
# On the same machine, with the same dimension, window, noise and passes, gensim's Word2Vec reads fewer words a second
# than this trainer and learns more from each of them: after three passes it answers 59% of *company*, this one 52%;
# after twelve this one is above 60%. Its steps are single pairs, one after another; these are steps of 16,000 words,
# which pay off in speed and cost in progress.

# %% [markdown]
# ## Exercise 12: agreement in rank, Spearman (`spearman`)
#
# 12 minutes, ★★, 4 points
#
# People have rated pairs of words: *tiger, cat* 7.35, *professor, cucumber* 0.31 (WordSim-353). Do cosines agree? Their
# scale does not matter, only the order, so replace both lists by their **ranks** and take the ordinary (Pearson)
# correlation of these:
#
# $$\rho = \frac{\sum_i (r_i - \bar r)(s_i - \bar s)}{\sqrt{\sum_i (r_i - \bar r)^2} \, \sqrt{\sum_i (s_i - \bar
# s)^2}}$$
#
# The smallest value has rank 1. Equal values share the **mean** of the ranks that they take up together. Each list
# holds at least two different values.
#
# By hand: $(10, 30, 20, 30)$ has the ranks $(1, 3.5, 2, 3.5)$. Against $(1, 2, 3, 4)$ the correlation is
# $3 / \sqrt{4.5 \cdot 5} = 0.6325$.
#
# <details><summary>Hint 1</summary>The rank of a value: how many values are smaller, plus half of how many are equal
# (itself included), plus one half.</details>
# <details><summary>Hint 2</summary><code>(x[:, None] > x).sum(1)</code> counts the smaller ones;
# <code>np.corrcoef</code> does the rest.</details>

# %% exercise="spearman"
def spearman(first: np.ndarray, second: np.ndarray) -> float:
    """Return Spearman's rank correlation of two lists, from -1 to 1.

    first, second: (n,) numbers; equal ones share the mean of their ranks.
    """
    ### BEGIN SOLUTION
    ranks = [(x[:, None] > x).sum(1) + (x[:, None] == x).sum(1) / 2 for x in map(np.asarray, (first, second))]
    return float(np.corrcoef(*ranks)[0, 1])
    ### END SOLUTION

# %% check="spearman" points=4

# %% [markdown]
# People have not rated the words of the docs, so ask first how far the four methods agree with one another, on 400
# random pairs of frequent words. Then, where the files can be had, people's scores: only a sixth of WordSim-353's pairs
# are words of the docs at all.

# %% show
rng = np.random.default_rng(SEED)
some = rng.integers(0, 1000, size=(400, 2))
cosines = {name: (v.unit[some[:, 0]] * v.unit[some[:, 1]]).sum(1) for name, v in methods.items()}
agreement = np.array([[spearman(a, b) for b in cosines.values()] for a in cosines.values()])
fig, ax = plots.figure(width=5, height=3.4)
plots.matrix(ax, agreement, list(methods), list(methods), "{:.2f}")
plots.show(
    fig, "Table of Spearman's correlation between the cosines of four methods on 400 random pairs of frequent words."
)
for name in ("wordsim353", "simlex999"):
    try:
        rated = data.load(name, edition="real")
    except data.DataError as error:
        print(error.problem)
        continue
    both = [i for i, (a, b) in enumerate(rated.pairs) if a.lower() in skip_gram and b.lower() in skip_gram]
    ours = [skip_gram.unit[row[a.lower()]] @ skip_gram.unit[row[b.lower()]] for a, b in (rated.pairs[i] for i in both)]
    print(
        f"{name}: {len(both)} of {len(rated)} pairs known, Spearman {spearman(np.array(ours), rated.scores[both]):.3f}"
    )

# %% [markdown]
# For ratings one needs everyday words. Trained on WikiText-2 (1.6 million words of Wikipedia, five passes, windows of
# five words; `datasets/measure_vectors.py`), this trainer reaches a Spearman of 0.26 on WordSim-353 and 0.12 on
# SimLex-999, gensim's Word2Vec 0.36 and 0.20. Of the Google analogies (questions-words) they answer 3% and 5%: with so
# little text, hopeless for both. The vectors that made these questions famous had read a hundred billion words.

# %% [markdown]
# ## Is a relation a direction?
#
# The map of exercise 3 showed *where* words lie. Analogies ask for more: if a relation is a direction, then the
# **differences** $v_b - v_a$ of its pairs point the same way. So take the cosine of every difference with every other:
# pairs of one relation should make a dark block.

# %% show
relations = ["x-and-y", "least-and-greatest", "gram-plural", "gram-agent"]
pairs = [pair for name in relations for pair in list(dict.fromkeys(q[:2] for q in analogies.sections[name]))[:8]]
differences = np.array([skip_gram.unit[row[b]] - skip_gram.unit[row[a]] for a, b in pairs])
differences /= np.linalg.norm(differences, axis=1, keepdims=True)
cosines = differences @ differences.T
fig, ax = plots.figure(width=8, height=6.4)
image = ax.imshow(cosines, cmap="RdBu", vmin=-1, vmax=1)
ax.set_yticks(range(len(pairs)), [f"{a}, {b}" for a, b in pairs], fontsize=8)
ax.set_xticks(np.arange(4) * 8 + 3.5, relations, fontsize=9)
ax.grid(visible=False)
for edge in (7.5, 15.5, 23.5):
    ax.axhline(edge, color="black", linewidth=0.8)
    ax.axvline(edge, color="black", linewidth=0.8)
fig.colorbar(image, label="cosine of two differences")
blocks = cosines.reshape(4, 8, 4, 8).transpose(0, 2, 1, 3)  # (relation, relation, 8, 8)
within = {name: (blocks[i, i].sum() - 8) / 56 for i, name in enumerate(relations)}
between = np.mean([blocks[i, j].mean() for i in range(4) for j in range(4) if i != j])
plots.show(
    fig,
    "Heat map of the cosines between the differences of 32 pairs, eight of each of four relations. Mean within a "
    f"relation: {', '.join(f'{name} {mean:.2f}' for name, mean in within.items())}; between relations {between:.2f}.",
)

# %% [markdown]
# The blocks are faint: even where most questions are answered, the differences of two pairs have cosines near 0. What
# does 3CosAdd live on, then? Ask what it would answer without $a$ and $b$: simply the nearest neighbour of $c$.

# %% show
for name in ("x-and-y", "least-and-greatest", "opposites", "gram-plural"):
    rows = np.array([[row[word] for word in question] for question in analogies.sections[name]])
    near = np.asarray(answer_analogies(skip_gram.matrix[:ANSWERS], rows[:, [0, 0, 2]], ANSWERS)) == rows[:, 3]
    print(f"{name:<20} 3CosAdd {found['skip-gram'][name].mean():.2f}, the nearest neighbour of c {near.mean():.2f}")

# %% [markdown]
# Much of what looks like arithmetic is neighbourhood: $d$ is near $c$ to begin with, and the rule that $c$ itself
# cannot answer does the rest (Linzen 2016). Where the neighbour's share is the higher one, $b - a$ was noise; only
# where 3CosAdd is ahead, as for plurals, did a direction help. An analogy score says less than the famous examples
# suggest.

# %% [markdown]
# ## One vector for all senses
#
# `cell` is a part of a table, a part of a grid, and an object that holds a variable; `kernel` belongs to a
# convolution, to a support vector machine and to an operating system. One word, one vector: its senses are
# **flattened** into one point. How does that look? Take two words that have nothing to do with each other, and
# pretend that they are one, by adding up their rows of counts. The merged word lies between its senses, and the more
# frequent one pulls harder.

# %% show
for word in ("kernel", "cell", "root", "figure"):
    print(f"{word:<8}", ", ".join(near for near, _ in skip_gram.nearest(word, 9)))
print()
for a, b in (("tensor", "thread"), ("polynomial", "socket"), ("legend", "cuda")):
    rows = counts[[row[a], row[b]]]
    table = sparse.vstack([counts, sparse.csr_matrix(rows.sum(axis=0))]).tocsr()[[row[a], row[b], ANSWERS]]
    total = np.asarray(counts.sum(axis=0)).ravel()
    expected = np.asarray(table.sum(axis=1)) * total / total.sum()
    pmi = np.log2(np.maximum(table.toarray(), 1e-9) / np.maximum(expected, 1e-9)).clip(min=0)
    unit = pmi / np.linalg.norm(pmi, axis=1, keepdims=True)
    apart, first, second = unit[0] @ unit[1], unit[2] @ unit[0], unit[2] @ unit[1]
    sizes = f"{corpus.counts[row[a]]:,} and {corpus.counts[row[b]]:,} times"
    print(f"{a} and {b} ({sizes}): cosine {apart:.2f}; merged with {a} {first:.2f}, with {b} {second:.2f}")

# %% [markdown]
# ## Essay 1: what company knows
#
# 20 minutes, ★★, 10 points, graded by hand
#
# From what you have seen: (a) `person` had PPMI 0 with every word of the lecture's table. Which property of a word
# does that measure, why do raw counts not show it, and what would chapter 01's IDF have said? (b) Take one word of
# several senses from the cell above and sort its neighbours by sense. What did merging two words show about where
# such a vector lies, and what would a remedy need to know that a table of word vectors cannot? (c) Pick one section
# of the analogies that fails and explain from the training objective why it must, and why `min : max` does not. About
# 200 words.

# %% [markdown] essay="company" points=10
# ### BEGIN SOLUTION
# (a) PPMI 0 everywhere means that the word is independent of its company: it meets each word as often as both
# frequencies make it. Raw counts show the opposite, since person has the largest row of all; they measure frequency.
# IDF would agree, as person is in every document and log(N/N_j) = 0, but it looks at documents only, while PMI compares
# word with word. (b) kernel lies near the kernels of Gaussian processes and support vector machines (rbf,
# constantkernel) and near convolution (convolving): two senses in one list. The merged word had a high cosine with both
# of its parts, though these had next to none with each other, and the more frequent part was nearer: the vector is a
# mean, weighted by frequency. A remedy needs the sentence at hand: a vector for the occurrence, not for the word, which
# no table can hold. Chapter 03 makes one. (c) write : writer fails. Skip-gram sees numbers for words, never letters, so
# that nothing says that writer is write + er; only company could, and the agents of different verbs keep different
# company. min and max keep the same company word for word, so each is the other's nearest neighbour, and that alone
# answers most of that section: the map of differences shows little of a common direction.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 3 points: independence, against frequency in raw counts; IDF also 0, from documents (one point each).
# 3 points: neighbours sorted by sense with words from the output; the merged vector lies between, drawn to the more
# frequent; a remedy needs the context of the occurrence.
# 3 points: a failing section with a reason from the objective (words are ids, spelling unseen; or a relation that
# differs from pair to pair; or rare words), and why the pairs of min : max, which share their company, succeed. 1
# point: uses figures or words from the notebook's own output.
# ### END MARK SCHEME

# %% [markdown]
# ## Exercise 13: bias, measured (`weat`)
#
# 25 minutes, ★★★, 5 points
#
# Vectors learn what their texts associate, also what nobody would put into a program on purpose. The **word-embedding
# association test** (Caliskan, Bryson and Narayanan 2017) measures one association: are the *target* words $X$ closer
# to the *attribute* words $A$ than to $B$, compared with the target words $Y$?
#
# $$s(w) = \frac{1}{|A|} \sum_{a \in A} \cos(w, a) - \frac{1}{|B|} \sum_{b \in B} \cos(w, b), \qquad
# \text{effect} = \frac{\text{mean}_{x \in X} s(x) - \text{mean}_{y \in Y} s(y)}{\text{std}_{w \in X \cup Y} s(w)} .$$
#
# The standard deviation is that of a sample ($n - 1$ below). Could such a difference come from how the targets
# happened to be divided? The **permutation test** divides $X \cup Y$ anew in *every* way into a first part as large
# as $X$ and the rest, and $p$ is the share of divisions whose difference of means is at least as large as the one
# seen. The division seen is one of them, so $p$ is never 0. Rounding must not decide: count a difference that is
# smaller by up to $10^{-9}$ as equal.
#
# Write `weat(X, Y, A, B)`, four arrays of vectors, which returns the pair (effect, $p$). No vector is zero, and the
# targets' $s$ are not all the same.
#
# By hand: if $X$ and $Y$ have two words each and $s = (1, 0.8)$ and $(0, 0.2)$, the difference of means is 0.8, the
# deviation $\sqrt{0.68 / 3} = 0.4761$, the effect 1.6803. Of the $\binom{4}{2} = 6$ divisions only the one seen reaches
# it: $p = 1/6$.
#
# <details><summary>Hint 1</summary>First reduce everything to one number for each target word: <code>s</code>, shape
# (|X| + |Y|,).</details>
# <details><summary>Hint 2</summary><code>combinations(range(n), len(X))</code> gives every choice of a first part;
# its mean and that of the others follow from two sums.</details>

# %% exercise="weat"
def weat(X: np.ndarray, Y: np.ndarray, A: np.ndarray, B: np.ndarray) -> tuple[float, float]:
    """Return (effect size, p-value of the one-sided permutation test) of the word-embedding association test.

    X, Y: (n, d), (m, d) vectors of target words; A, B: (k, d), (l, d) vectors of attribute words.
    """
    ### BEGIN SOLUTION
    targets, A, B = (v / np.linalg.norm(v, axis=1, keepdims=True) for v in (np.concatenate([X, Y]), A, B))
    s = (targets @ A.T).mean(axis=1) - (targets @ B.T).mean(axis=1)

    def difference(first: list[int]) -> float:
        chosen = np.isin(np.arange(len(s)), first)
        return s[chosen].mean() - s[~chosen].mean()

    seen = difference(range(len(X)))
    others = [difference(part) for part in combinations(range(len(s)), len(X))]
    return float(seen / s.std(ddof=1)), float(np.mean(np.array(others) >= seen - 1e-9))
    ### END SOLUTION

# %% check="weat" points=5

# %% [markdown]
# The docs hardly speak of people, which is what WEAT was made for: *he* occurs 23 times, *she* 9 times, and nothing
# can be said from that. So measure an association that nobody meant to teach: are the words of operating systems
# closer to trouble than those of mathematics?

# %% show
lexicon = {
    "mathematics": "matrix vector polynomial distribution variance coefficients interpolation eigenvalues",
    "systems": "socket thread process file connection server port subprocess",
    "trouble": "error failed warning invalid wrong missing exception unsafe",
    "praise": "good best efficient accurate stable robust correct useful",
}
lexicon = {name: [row[word] for word in words.split() if word in row] for name, words in lexicon.items()}


def divisions(vectors: np.ndarray) -> tuple[float, float]:
    """Return WEAT of systems against mathematics, trouble against praise."""
    return weat(*(vectors[lexicon[name]] for name in ("systems", "mathematics", "trouble", "praise")))


print("words in each list:", {name: len(words) for name, words in lexicon.items()})
for name, vectors in methods.items():
    effect, p = divisions(vectors.matrix)
    print(f"{name:<10} effect {effect:5.2f}, p = {p:.4f}")
rng = np.random.default_rng(SEED)
shuffled = [divisions(skip_gram.matrix[rng.permutation(ANSWERS)])[0] for _ in range(budget(grade=3, cpu=10))]
print("with the vectors of random words in their places:", [round(effect, 2) for effect in shuffled])

# %% show
association = {}
for name in ("systems", "mathematics"):
    targets, trouble, praise = (skip_gram.unit[lexicon[n]] for n in (name, "trouble", "praise"))
    association[name] = (targets @ trouble.T).mean(1) - (targets @ praise.T).mean(1)
fig, ax = plots.figure(width=7.5, height=4)
names = [corpus.words[i] for name in association for i in lexicon[name]]
values = np.concatenate(list(association.values()))
colors = [plots.COLORS[i] for i, name in enumerate(association) for _ in lexicon[name]]
plots.bars(ax, names, values, colors, "closer to praise          s(w)          closer to trouble")
ax.axvline(0, color="black", linewidth=1)
ax.set_title("systems (upper eight), mathematics (lower eight)", fontsize=11)
trouble = {name: f"{(values > 0).sum()} of {len(values)} words of {name}" for name, values in association.items()}
plots.show(
    fig,
    "Bars of the association of sixteen words with trouble minus praise. On the side of trouble lie "
    f"{' and '.join(trouble.values())}.",
)

# %% [markdown]
# ## Essay 2: what the test says
#
# 20 minutes, ★★, 10 points, graded by hand
#
# Read the effect and the $p$ of the four methods, and the bars. (a) Say in one sentence, without the word "bias",
# what the effect of skip-gram measures, and in another what its $p$ does and does not say: which chance does it
# exclude, and which chances (other word lists, another corpus, another seed) does it not look at? (b) Are sockets
# *bad*? Trace the association back to sentences that the docs contain. (c) Suppose the same effect had come out for
# names of two groups of people, in vectors that an employer uses to rank applications. What could the employer
# conclude, what not, and what would have to be measured instead? About 200 words.

# %% [markdown] essay="bias" points=10
# ### BEGIN SOLUTION
# (a) The effect says by how many standard deviations the mean cosine difference (trouble minus praise) of the eight
# systems words lies above that of the eight words of mathematics. p says how rare so large a difference is among all
# divisions of these sixteen words into two eights. It holds the vectors and the four lists fixed: it excludes chance
# in the division, not the chance that I chose words that give it, nor another corpus or seed; I would repeat with
# other lists. (b) No. Sockets, files and processes fail at run time, and the docs say so: "raises an exception if the
# connection failed", "invalid file". Matrices meet "accurate" and "stable" since numerical docs discuss algorithms.
# The vectors record company, not judgement: what is documented, not what is so. (c) The employer may conclude that
# these vectors carry the association, so that scores made from them can too. Not that the ranking discriminates, by
# how much, or that a small effect means it does not: WEAT looks at words, with lists of mine, and the model may use
# or ignore the direction. One would have to measure the decisions: the same application under different names, error
# rates by group, on real applications, with intervals; and ask whether to rank so at all.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 2 points: the effect as a difference of mean associations in units of the deviation of the targets.
# 3 points: p as a share of divisions of these words; fixed lists, corpus and seed are not looked at (two of them
# named). 2 points: co-occurrence in documentation, with a plausible sentence; association is not judgement. 3 points:
# may carry over; does not follow for the decisions, in either direction; what to measure instead (decisions by group,
# changed names, error rates) (one point each).
# ### END MARK SCHEME

# %% [markdown]
# ## Exercise 14: from words to texts and tags (`texts`)
#
# 15 minutes, ★★, 4 points
#
# Tasks are about texts, or about words *in* texts. The simplest bridges:
#
# 1. **A document is the mean of its words**, weighted: $h = \sum_t g_{w_t} v_{w_t} \,/\, \sum_t g_{w_t}$, where $g_w$
#   is a weight for each word of the vocabulary, such as its IDF. `average_vectors(documents, table, weights)` takes
#   $N$ arrays of ids and returns $(N, d)$. A document without words, or whose weights add up to 0, becomes a row of
#   zeros.
# 2. **A word in its place is its own vector beside those of its neighbours.** `window_features(ids, windows, table)`
#   sets side by side the vector of each place and those of its window from left to right, shape $(T, (1 + 2R) d)$:
#   own vector first, zeros where the window has $-1$. Here an id may itself be $-1$ (a word without a vector): zeros,
#   too.
#
# By hand: vectors $(2, 0)$ and $(0, 4)$, weights 1 and 3: the document $(0, 1, 1)$ is
# $\big((2, 0) + 3 (0, 4) + 3 (0, 4)\big) / 7 = (0.2857, 3.4286)$. Place 0 with the window $(-1, 1)$ has the features
# $(2, 0, \; 0, 0, \; 0, 4)$.
#
# <details><summary>Hint 1</summary><code>np.average(table[ids], axis=0, weights=weights[ids])</code> does the first,
# where there is something to average.</details>
# <details><summary>Hint 2</summary>Append a row of zeros to the table: then -1, the last row, is a vector of
# zeros.</details>

# %% exercise="texts"
def average_vectors(documents: list[np.ndarray], table: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the weighted mean of each document's word vectors, shape (N, d); zeros where there is nothing to average.

    documents: N arrays of word ids; table: (V, d); weights: (V,), 0 or more.
    """
    ### BEGIN SOLUTION
    means = np.zeros((len(documents), table.shape[1]))
    for i, ids in enumerate(documents):
        if len(ids) and weights[ids].sum() > 0:
            means[i] = np.average(table[ids], axis=0, weights=weights[ids])
    return means
    ### END SOLUTION


def window_features(ids: np.ndarray, windows: np.ndarray, table: np.ndarray) -> np.ndarray:
    """Return each place's own vector beside those of its window, shape (T, (1 + 2R) * d); zeros for an id of -1.

    ids: (T,) word ids or -1; windows: (T, 2R) from `context_windows`; table: (V, d).
    """
    ### BEGIN SOLUTION
    padded = np.vstack([table, np.zeros((1, table.shape[1]), table.dtype)])  # row -1 is the last
    places = np.column_stack([ids, windows])  # (T, 1 + 2R)
    return padded[places].reshape(len(ids), -1)
    ### END SOLUTION

# %% check="texts" points=4

# %% [markdown]
# ## Tags for words in place
#
# In the inbox persons, dates, times, places, sums, courses and organisations are marked, word by word: `B-DATE`
# begins a date, `I-DATE` continues it, `O` is outside. Chapter 03 will read the sentence in order. Here a linear
# classifier sees the word and two neighbours on either side as vectors. But whose vectors? Those of the docs have
# never met a campus, so train a second table on the texts of the inbox's training part: your code, another corpus.

# %% show
tagged = data.load("inbox_tags")
tags = tagged.tags
inbox_corpus = read([" ".join(tokens) for tokens, _ in tagged.train], fewest=2)
learned = [tagged.train[i] for i in np.random.default_rng(SEED).choice(len(tagged.train), 1500, replace=False)]
seed_everything()
inbox_vectors, _ = train_word2vec(inbox_corpus, passes=budget(grade=3, cpu=30), width=50, reach=4)
known = np.mean([t.lower() in skip_gram for tokens, _ in tagged.test for t in tokens if t.isalpha()])
print(tagged)
print(f"of the words of the test part {known:.0%} have a vector from the docs")
for word in ("monday", "lecture", "maria"):
    if word in inbox_vectors:
        print(f"{word:<9}", ", ".join(near for near, _ in inbox_vectors.nearest(word, 6)))


def tag_features(sentences, vectors: WordVectors, reach: int) -> torch.Tensor:
    """Return the features of all tokens; capitals and digits, which vectors do not know, are three numbers more."""
    tokens = [token for tokens, _ in sentences for token in tokens]
    numbers = np.repeat(np.arange(len(sentences)), [len(tokens) for tokens, _ in sentences])
    ids = np.array([vectors.index.get(token.lower(), -1) for token in tokens])
    shapes = np.array([[t[0].isupper(), t.isupper(), any(c.isdigit() for c in t)] for t in tokens], dtype="f")
    windows = context_windows(ids, numbers, reach)
    around = window_features(np.arange(len(ids)), context_windows(np.arange(len(ids)), numbers, reach), shapes)
    return torch.from_numpy(np.hstack([window_features(ids, windows, vectors.unit.astype("f")), around]))


def entity_f1(features, labels, judged, truth, steps: int) -> float:
    """Train a linear classifier; returns the F1 of all tags but O, micro-averaged over tokens."""
    model = nn.Linear(features.shape[1], len(tags))

    def batch(step):
        chosen = torch.randint(len(labels), (1024,))
        return features[chosen], labels[chosen]

    fit(model, batch, lambda m, b: nn.functional.cross_entropy(m(b[0]), b[1]), steps=steps, lr=0.05, weight_decay=0.0)
    guess, outside = model(judged).argmax(1), tags.index("O")
    right = ((guess == truth) & (truth != outside)).sum()
    return float(2 * right / ((guess != outside).sum() + (truth != outside).sum()))


labels, truth = (torch.tensor([tags.index(tag) for _, line in part for tag in line]) for part in (learned, tagged.test))
tables = {
    "random": WordVectors(inbox_corpus.words, np.random.default_rng(SEED).normal(size=(len(inbox_corpus.words), 50))),
    "docs": skip_gram,
    "inbox": inbox_vectors,
}
SEEDS = budget(grade=1, cpu=5)
print(f"F1 of the tags, mean of {SEEDS} seeds and (lowest, highest)")
for name, vectors in tables.items():
    runs = {}
    for reach, title in ((0, "the word alone"), (2, "with two neighbours")):
        features, judged = (tag_features(part, vectors, reach) for part in (learned, tagged.test))
        scores = runs[reach] = []
        for seed in range(SEEDS):
            seed_everything(seed)
            scores.append(entity_f1(features, labels, judged, truth, steps=budget(grade=60, cpu=250)))
        print(f"{name:<8}{title:<22}{np.mean(scores):.3f} ({min(scores):.3f}, {max(scores):.3f})")
    claim(f"F1 of the tags, {name} vectors: two neighbours above the word alone", runs[2], runs[0])

# %% [markdown]
# In every one of the five seeds two neighbours on either side are worth several times the word alone: `at`, `on` and
# `with` announce what follows. Whose vectors matters less, and not in the way that one would hope: with 1,500 tagged
# messages a linear classifier does as well on random vectors, which only keep words apart, as on those of the docs,
# and worse on those of the inbox, which lay words of the same company side by side. Meaning would pay for words that
# were never tagged.

# %% [markdown]
# ## Spam again: averaged vectors
#
# The same split of the inbox as in chapter 01. Four embeddings of a message, one classifier: TF-IDF; the mean of word
# vectors from the docs; the mean of vectors from the inbox's own training messages (no labels needed); and the last
# one **stacked** with TF-IDF, side by side.

# %% show
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score

inbox = data.load("inbox")
train, test = inbox.without_repeats().split(test=0.2, seed=SEED)
own_corpus = read(train.texts, fewest=2)
seed_everything()
own_vectors, _ = train_word2vec(own_corpus, passes=budget(grade=3, cpu=30), width=100, reach=5)
vectorizer = TfidfVectorizer(token_pattern=r"\w+", min_df=2)
sparse_part = [vectorizer.fit_transform(train.texts), vectorizer.transform(test.texts)]


def averaged(vectors: WordVectors) -> list[np.ndarray]:
    """Return the messages of both parts as means of unit vectors, weighted by IDF, each scaled to length 1."""
    idf = dict(zip(vectorizer.get_feature_names_out(), vectorizer.idf_, strict=True))
    weights = np.array([idf.get(word, 1.0) for word in vectors.words])
    means = []
    for part in (train, test):
        ids = [np.array([vectors.index[w] for w in words_of(t) if w in vectors], dtype=int) for t in part.texts]
        mean = average_vectors(ids, vectors.unit, weights)
        means.append(mean / np.maximum(np.linalg.norm(mean, axis=1, keepdims=True), 1e-12))
    return means


def spam_row(name: str, features: list, C: float = 30.0) -> float:
    """Fit a logistic regression, record its row in the leaderboard; returns F1 of spam."""
    with leaderboard.measured("02", name, "inbox") as line:
        model = LogisticRegression(C=C, max_iter=2000).fit(features[0], train.labels)
        line.f1 = f1_score(test.labels, model.predict(features[1]))
        line.parameters = features[0].shape[1] + 1
    print(f"{name:<42} F1 of spam {line.f1:.3f}")
    return line.f1


own = averaged(own_vectors)
spam_row("mean of docs vectors + logistic", averaged(skip_gram))
spam_row("mean of inbox vectors + logistic", own)
stacked = [sparse.hstack([a, b]).tocsr() for a, b in zip(sparse_part, own, strict=True)]
spam_row("TF-IDF and mean vectors + logistic", stacked)
print(
    "TF-IDF alone, the same classifier:",
    round(
        f1_score(
            test.labels,
            LogisticRegression(C=30, max_iter=2000).fit(sparse_part[0], train.labels).predict(sparse_part[1]),
        ),
        3,
    ),
)
with leaderboard.measured("02", "skip-gram, analogies of company", "docs_analogies") as line:
    line.f1, line.parameters = summary(found["skip-gram"])["company"], 2 * skip_gram.matrix.size
print()
print(leaderboard.table("inbox"))

# %% [markdown]
# A hundred numbers per message do not replace thousands of columns: a mean forgets which words were there, and one
# telling word drowns in thirty others. Whose company the vectors kept matters more than how many texts they read: those
# of 4,000 messages beat those of two million words about software. Stacking changes next to nothing here, since TF-IDF
# has already seen every word that decides. What the vectors add is what chapter 01 missed, words beside words:

# %% show
for word in ("bike", "monday", "essay", "prize"):
    if word in own_vectors:
        print(f"{word:<8}", ", ".join(near for near, _ in own_vectors.nearest(word, 7)))
print("bicycle has a vector:", "bicycle" in own_vectors)

# %% [markdown]
# A bike lies with *stolen* and *shed*, Monday with the other days. But "bicycle", the word that chapter 01 ended on,
# is not in the inbox, and a word without company has no vector. Chapter 06 will cut words into pieces, so that none
# is new.

# %% [markdown]
# ## What you built, and what breaks next
#
# Word vectors from counts and from prediction, the loss and the gradients of word2vec, a trainer
# for two million words, the measures that tell good vectors from pretty ones, and a way to ask what they have learned
# that nobody wanted.
#
# What breaks: one vector for all senses, and no order. "The dog bit the man" has the mean vector of "the man bit the
# dog", and the causal bag could not tell which of three words came last. [Chapter 03](../03_rnns/03_rnns.ipynb) reads
# one word after another and carries a memory along.

# %% show
artifacts.save(
    artifacts.Artifact(
        "docs-vectors",
        {"words": torch.from_numpy(skip_gram.matrix)},
        {"vocabulary": corpus.words, "counts": corpus.counts.tolist(), "pattern": "[a-z][a-z0-9_]*",
         "dimensions": skip_gram.matrix.shape[1], "answers": ANSWERS, "trained": "skip-gram with negative sampling"},
        card=f"# docs-vectors: your own\n\nSkip-gram on the docs, {PASSES} passes; "
        f"{summary(found['skip-gram'])['company']:.3f} of the six sections of company in docs_analogies.",
    )
)
print(artifacts.load("docs-vectors"))

# %% [markdown]
# **Saved:** `docs-vectors`, your skip-gram vectors, which chapter 03 starts from; and your rows of the leaderboard.
#
# ## Further reading
#
# - Z. S. Harris (1954). Distributional structure. *Word* 10(2-3). And J. R. Firth (1957), who wrote that you shall
#   know a word by the company it keeps.
# - S. Deerwester, S. T. Dumais, G. W. Furnas, T. K. Landauer and R. Harshman (1990). Indexing by latent semantic
#   analysis. *Journal of the American Society for Information Science* 41(6).
# - K. W. Church and P. Hanks (1990). Word association norms, mutual information, and lexicography. *Computational
#   Linguistics* 16(1).
# - T. Mikolov, K. Chen, G. Corrado and J. Dean (2013). Efficient estimation of word representations in vector space;
#   and with I. Sutskever, Distributed representations of words and phrases and their compositionality. *NIPS 26*.
# - J. Pennington, R. Socher and C. D. Manning (2014). GloVe: global vectors for word representation. *EMNLP*.
# - O. Levy and Y. Goldberg (2014). Neural word embedding as implicit matrix factorization. *NIPS 27*. Why counting and
#   predicting are cousins.
# - P. Bojanowski, E. Grave, A. Joulin and T. Mikolov (2017). Enriching word vectors with subword information. *TACL* 5.
# - T. Linzen (2016). Issues in evaluating semantic spaces using word analogies. *RepEval*.
# - A. Caliskan, J. J. Bryson and A. Narayanan (2017). Semantics derived automatically from language corpora contain
#   human-like biases. *Science* 356.
# - O. Levy, Y. Goldberg and I. Dagan (2015). Improving distributional similarity with lessons learned from word
#   embeddings. *TACL* 3.
# - K. Ethayarajh, D. Duvenaud and G. Hirst (2019). Understanding undesirable word embedding associations. *ACL*. On
#   what WEAT does not say.
