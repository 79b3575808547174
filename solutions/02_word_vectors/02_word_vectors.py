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
from itertools import combinations

import numpy as np
import torch
from torch import nn
from torch.nn.functional import embedding, logsigmoid

from helpers import data, plots
from helpers.course import SEED, artifacts, benchmarks, notebook
from helpers.data.corpus import read_corpus
from helpers.experiments.word_vectors import analogy_scores, associations, averaged_texts, backward, causal_bag
from helpers.experiments.word_vectors import cooccurrence, factorization, similarity, window_tags, word2vec
from helpers.figures import word_vectors as pictures
from helpers.models.word2vec import CausalBag, CBoW, SkipGram
from helpers.models.word_vectors import WordVectors

notebook.prepare("02_word_vectors")

# %% [markdown]
# ## The docs
#
# The text of this chapter is the documentation of the libraries that you have installed: Python, NumPy, SciPy,
# scikit-learn, PyTorch, Matplotlib. It is read once (half a minute) and kept. A *word* here is a letter followed by
# letters, digits or underscores, in lower case, so `float32` and `n_samples` are words. Words that occur fewer than
# five times are left out: nobody learns what a word means from three examples.

# %% show
docs = data.load("docs")
corpus = read_corpus([document.text for document in docs])
V = len(corpus.words)
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
table, ids = nn.Embedding(5, 3), np.array([3, 0, 3])
weight = table.weight.detach().numpy()
print("one-hot product = look-up:", np.allclose(one_hot(ids, 5) @ weight, look_up(ids, weight)))
print("look-up = nn.Embedding:   ", np.allclose(look_up(ids, weight), table(torch.tensor(ids)).detach().numpy()))
embedding(torch.tensor(ids), table.weight).sum().backward()
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
plots.show(*pictures.meetings(lecture_words, meetings, lecture_ppmi))

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
association = np.asarray(ppmi(cooccurrences(cooccurrence.in_documents(corpus, 1200))))
lsi_vectors, singular = (np.asarray(part) for part in lsi(association, 100))
print(f"largest difference from TruncatedSVD in the first 20: {factorization.library_gap(association, singular):.1e}")
print("singular values:", singular[[0, 1, 2, 9, 49, 99]].round(1))
by_documents = WordVectors(corpus.words[:1200], lsi_vectors.astype(np.float32))
print(similarity.neighbours(by_documents, "matrix thread axes classifier", k=7, width=12))

# %% show
groups = {"plots": "axes figure legend axis plot color label",
          "statistics": "distribution variance mean probability random sample",
          "networks": "tensor cuda module layer gradient optimizer", "system": "file process thread socket string path"}
chosen = {word: name for name, words in groups.items() for word in words.split() if word in by_documents}
points = np.asarray(pca(lsi_vectors[[corpus.row[word] for word in chosen]]))
plots.show(*plots.projection(points, list(chosen), list(chosen.values())))

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
sentence = read_corpus(["the rows of a matrix are the columns of its transpose"], fewest=1)
company = np.asarray(context_windows(sentence.ids, sentence.texts, 2))
for centre, line in zip(sentence.ids[:4], company, strict=False):
    print(f"{sentence.words[centre]:<8}", [sentence.words[i] if i >= 0 else "-" for i in line])
pairs = skip_gram_pairs(sentence.ids, company)
print(f"{len(pairs)} pairs; the first: {[(sentence.words[a], sentence.words[b]) for a, b in pairs[:4]]}")
part = corpus.texts < 1000
pairs = skip_gram_pairs(corpus.ids[part], context_windows(corpus.ids[part], corpus.texts[part], 3))
print(f"1,000 documents, {part.sum():,} words, reach 3: {len(pairs):,} pairs")

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
    """Return (value, the gradient of its sum with respect to each tensor of floats but the `fixed`), by autograd."""
    return backward.gradients(function, *arguments, fixed=fixed)

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
plots.show(*pictures.sampling(corpus.counts, noise, kept))
print({word: round(float(kept[corpus.row[word]]), 2) for word in ("the", "a", "array", "matrix", "transpose")})
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
vectors = [torch.randn(1024, 100), torch.randn(1024, 100), torch.randn(1024, 5, 100)]
automatic = gradients(lambda *parts: negative_sampling(*parts)[0], *vectors)
print(f"largest difference from autograd: {backward.largest_difference(negative_sampling(*vectors), automatic):.1e}")
sizes, cost = backward.step_costs(softmax_loss, negative_sampling)
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
# Everything is there: the text, what to keep, the pairs, the noise, the loss. The trainer is put together from four of
# your functions: each pass subsamples and cuts the text anew, each step draws its noise and asks for your loss. The
# model `SkipGram` holds the two tables and scores the lines of a step, and the course's training loop, `fit`, does the
# rest. Read `helpers/models/word2vec.py` and `helpers/experiments/word_vectors/word2vec.py` once: nothing there is new.

# %% show
PASSES = 12  ### small: 1
trainer = word2vec.Trainer(keep_probability, noise_distribution, pair_mask, line_loss)
skip_gram, history = trainer.train(SkipGram, corpus, PASSES)
print(history, f"{PASSES * len(corpus.ids) / history.seconds:,.0f} words of text a second", sep="\n")
plots.show(*plots.learning_curves(history))

# %% show
print(similarity.neighbours(skip_gram, "float32 matrix plot thread faster returns", cosines=True))

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
STEPS = 300  ### small: 40
text = causal_bag.NextWord(corpus, context_windows, [document.split == "test" for document in docs], size=2000)
language_model = text.train(CausalBag(cbow_scores, 2000, 100), STEPS)
print("perplexity of the test documents:", text.perplexities(language_model))
print(text.continued(language_model, "returns the number", "the axes of the", "raises valueerror if"))

# %% [markdown]
# Local sense, no grammar: three words in a bag cannot know which came last. Chapter 03 gives it order and memory.
#
# Then as word vectors, trained like skip-gram above, for the comparison below.

# %% show
PASSES_CBOW = 5  ### small: 1
cbow, history = trainer.train(CBoW, corpus, PASSES_CBOW)
print(f"{PASSES_CBOW * len(corpus.ids) / history.seconds:,.0f} words of text a second")
print(similarity.neighbours(cbow, "float32 matrix plot"))

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

# %% show
STEPS = 700  ### small: 30
ANSWERS = int((corpus.counts >= 25).sum())
counts = cooccurrence.window_counts(corpus, context_windows, ANSWERS, reach=3)
glove, history = factorization.train_glove(counts, corpus.words[:ANSWERS], glove_loss, STEPS)
print(f"{counts.nnz:,} cells of {ANSWERS:,} x {ANSWERS:,}; {history}")
print("the cells of PPMI are those of your function:", cooccurrence.same_ppmi(counts[:300], ppmi))
lsi_words = factorization.lsi_vectors(counts, corpus.words[:ANSWERS])
for name, vectors in {"GloVe": glove, "LSI": lsi_words}.items():
    print(similarity.neighbours(vectors, "float32 matrix plot", width=8, title=f"{name:<7}"))

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

# %% show
quiz = analogy_scores.Quiz(data.load("docs_analogies"), ANSWERS, answer_analogies)
methods = {"LSI": lsi_words, "GloVe": glove, "CBoW": cbow, "skip-gram": skip_gram}
found = {name: quiz.right_by_section(vectors) for name, vectors in methods.items()}
print(analogy_scores.table(found))
print("with pieces of words (the reference):", quiz.shares(WordVectors.load(own=False)))
### BEGIN CLAIMS
from helpers.course.claims import claim

right = {name: analogy_scores.summary(found[name]) for name in methods}
claim("Analogies of company: skip-gram above 0.6", right["skip-gram"]["company"], 0.6)
claim("Analogies, all: LSI above skip-gram", right["LSI"]["all"], right["skip-gram"]["all"])
claim("Analogies, all: skip-gram above CBoW", right["skip-gram"]["all"], right["CBoW"]["all"])
claim("Analogies, all: skip-gram above GloVe", right["skip-gram"]["all"], right["GloVe"]["all"])
### END CLAIMS

# %% show
plots.show(*pictures.analogy_bars(found))

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
# random pairs of frequent words. Then people's scores. The terms of WordSim-353 and SimLex-999 are not clear enough for
# the course to carry them, so each is downloaded, or a line says why not; only a sixth of WordSim-353's pairs are words
# of the docs at all.

# %% show
plots.show(*pictures.agreement(similarity.agreement(methods, spearman), list(methods)))
print(similarity.with_people(skip_gram, spearman))

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
plots.show(*pictures.difference_blocks(*quiz.difference_cosines(skip_gram, relations), relations))

# %% [markdown]
# The blocks are faint: even where most questions are answered, the differences of two pairs have cosines near 0. What
# does 3CosAdd live on, then? Ask what it would answer without $a$ and $b$: simply the nearest neighbour of $c$.

# %% show
for name in ("x-and-y", "least-and-greatest", "opposites", "gram-plural"):
    near = quiz.nearest_right(skip_gram, name)
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
print(similarity.neighbours(skip_gram, "kernel cell root figure", k=9, width=8), end="\n\n")
for a, b in (("tensor", "thread"), ("polynomial", "socket"), ("legend", "cuda")):
    print(cooccurrence.merged(counts, corpus, a, b))

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
TIMES = 10  ### small: 3
lexicon = {"mathematics": "matrix vector polynomial distribution variance coefficients interpolation eigenvalues",
           "systems": "socket thread process file connection server port subprocess",
           "trouble": "error failed warning invalid wrong missing exception unsafe",
           "praise": "good best efficient accurate stable robust correct useful"}
lexicon = {name: [corpus.row[word] for word in words.split() if word in corpus.row] for name, words in lexicon.items()}
print("words in each list:", {name: len(rows) for name, rows in lexicon.items()})
lists = [lexicon[name] for name in ("systems", "mathematics", "trouble", "praise")]  # X, Y, A, B
for name, vectors in methods.items():
    effect, p = weat(*(vectors.matrix[rows] for rows in lists))
    print(f"{name:<10} effect {effect:5.2f}, p = {p:.4f}")
effects = associations.random_effects(weat, skip_gram.matrix[:ANSWERS], lists, TIMES)
print("with the vectors of random words in their places:", effects)

# %% show
plots.show(*pictures.association_bars(associations.with_trouble(skip_gram, lexicon)))

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
PASSES_INBOX = 30  ### small: 3
SEEDS = 5  ### small: 1
STEPS = 250  ### small: 60
tagged = data.load("inbox_tags")
inbox_corpus = read_corpus([" ".join(tokens) for tokens, _ in tagged.train], fewest=2)
inbox_vectors, _ = trainer.train(SkipGram, inbox_corpus, PASSES_INBOX, width=50, reach=4)
print(tagged)
print(f"of the words of the test part {window_tags.known(tagged.test, skip_gram):.0%} have a vector from the docs")
tables = {"random": window_tags.random_vectors(inbox_corpus.words, 50), "docs": skip_gram, "inbox": inbox_vectors}
f1 = window_tags.TagTask(tagged, context_windows, window_features).compare(tables, SEEDS, STEPS)
### BEGIN CLAIMS
from helpers.course.claims import claim

for name, runs in f1.items():
    claim(f"F1 of the tags, {name} vectors: two neighbours above the word alone", runs[2], runs[0])
### END CLAIMS

# %% [markdown]
# In every one of the five seeds two neighbours on either side are worth several times the word alone: `at`, `on` and
# `with` announce what follows. Whose vectors matters less, and not in the way that one would hope: with 1,500 tagged
# messages a linear classifier does as well on random vectors, which only keep words apart, as on those of the docs,
# and worse on those of the inbox, which lay words of the same company side by side. Meaning would pay for words that
# were never tagged.

# %% [markdown]
# ## What meaning buys: few labels
#
# Chapter 01 left two gaps; here is what vectors do about the wider one. CLINC150 has 15,000 requests to learn from.
# Take them **without their labels**, and let your skip-gram read them: nobody has to pay for that. Then a request is
# the mean of its word vectors (`average_vectors`, weighted by IDF), and a logistic regression sees 1, 5 or 10
# labelled examples of each of the 150 intents. Beside it: vectors of the docs, which never met such requests; random
# vectors, which only keep words apart; and counts of words.

# %% show
RUNS = 5  ### small: 1
PASSES_REQUESTS = 100  ### small: 3
requests = [request.text for request in data.load("clinc150").splits["train"]]
request_corpus = read_corpus(requests, fewest=2)
request_vectors, _ = trainer.train(SkipGram, request_corpus, PASSES_REQUESTS, width=100, reach=5)
tables = {"its requests": request_vectors, "the docs": skip_gram,
          "no text (random)": window_tags.random_vectors(request_corpus.words, 100)}
averaged_texts.compare(tables, requests, average_vectors, RUNS)
### BEGIN CLAIMS
from helpers.course import leaderboard

scores = {(row.model, row.labels): row.score for row in leaderboard.rows("clinc150")}
for rival in ("mean of vectors of no text (random)", "mean of vectors of the docs", "counts of words"):
    claim(f"accuracy with 5 labels an intent, learned vectors above {rival}",
          scores["mean of vectors of its requests", 5], scores[rival, 5])
### END CLAIMS

# %% [markdown]
# A hundred numbers for a request, learned from text that nobody labelled, beat thousands of counts, and the fewer the
# labels the more: an example with *balance* now speaks for *funds*, too. Whose company the vectors kept decides.
# Those of the docs have read ten times as much, about software, and know little of cards and flights.
#
# Where labels abound, a mean is no gain: it forgets which words were there, and one telling word drowns in thirty
# others. So it goes with spam, with vectors learned from the training messages:

# %% show
read_messages = averaged_texts.learned_from(trainer, SkipGram, PASSES_INBOX, average_vectors)
benchmarks.spam("02", "mean of vectors of its messages", read_messages)
benchmarks.show("02")
print(similarity.neighbours(request_vectors, "card monday song funds bicycle", k=7, width=8))

# %% [markdown]
# Cards lie with cards and days with days. But a word that the requests do not hold has no vector at all, and
# [chapter 06](../06_tokenizers/06_tokenizers.ipynb) will cut words into pieces, so that none is new.

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
word2vec.save_docs_vectors(skip_gram, corpus, ANSWERS, PASSES, company=quiz.shares(skip_gram)["company"])
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
