# %% [markdown]
# # 02 Word vectors: meaning from company
#
# *I left my zorp at the bus stop, and when I came back it was wet.* You have never seen a **zorp**, yet you know a good
# deal about it: you can carry it, you can leave it behind, and rain can soak it. Nobody gave you a definition. You read
# the words around it, and that was enough.
#
# This chapter makes a computer do the same. Chapter 01 ended with a search that could not know that a *bicycle* is a
# *bike*: to a bag of words any two words are equally different. Here each word becomes a point in space, a list of a
# hundred numbers, and words that keep the same company end up close to one another. J. R. Firth said it in 1957: you
# shall know a word by the company it keeps.
#
# ![The sentence "the rows of a matrix are the columns of its transpose" with a window of two words around matrix. The
# window gives four pairs: matrix with of, a, are and the.](figures/context.svg)
#
# **What you will build.** Word vectors in four ways: from counts (PPMI), from counts squeezed into fewer dimensions
# (SVD), from guessing neighbours (word2vec, first with your own gradients and your own training step, then with a
# trainer that reads two million words), and from the logarithm of counts (GloVe). Then you test them: on analogies,
# against one another, against ratings, for bias, and on a task that matters: recognising 150 intents from a few
# examples of each.
#
# **What you need.** Python, NumPy, the basics of PyTorch tensors; products of matrices, logarithms, and what a gradient
# is. [Chapter 01](../01_spam/01_spam.ipynb) introduces TF-IDF and the inbox; none of its code is needed.
#
# **Points and time.** 100 points: fourteen exercises checked by machine (80) and two short essays (20). The exercises
# and essays add up to a little over five hours for someone who already knows the material; with reading and wrong turns
# allow eight, and take a break after exercise 8, where word2vec is trained. The whole notebook, once written, runs in
# about three and a half minutes on two cores.
#
# **How it works.** Write your answer where a cell says `raise NotImplementedError()`, run it, and run the check below
# it. The docstring of each function is its specification. No function may modify its arguments; all must keep float64
# throughout, and return the shape stated in the docstring even where an axis has length 1, as with a single pair or
# word. Grading tries hidden cases, too. Each exercise states its minutes and its difficulty, from ★ to ★★★. Click a
# hint to open it.
#
# **Shapes.** $V$ words, $d$ dimensions, $T$ positions in a text. A word is a *row*: the table of all word vectors is
# $(V, d)$. Texts that write words as columns use the transpose of this table.

# %% given
from itertools import combinations

import numpy as np
import torch
from torch import nn
from torch.nn.functional import logsigmoid

from helpers import data, plots
from helpers.chapters.word_vectors import analogy_scores, associations, averaged_texts, backward, causal_bag
from helpers.chapters.word_vectors import cooccurrence, evaluations, factorization, figures, pretrained_table
from helpers.chapters.word_vectors import similarity, window_tags
from helpers.chapters.word_vectors.corpus import read_corpus
from helpers.chapters.word_vectors.stepwise import StepTrainer
from helpers.chapters.word_vectors.word2vec import CausalBag, CBoW, SkipGram, Trainer, save_docs_vectors
from helpers.course import SEED, artifacts, benchmarks, notebook, ways_of_calls
from helpers.models.word_vectors import WordVectors

notebook.prepare("02_word_vectors")

# %% [markdown]
# ## The text: the docs
#
# To learn words from their company you need text, and the more the better. Ours is the documentation of Python and of
# five libraries that you have installed: NumPy, SciPy, scikit-learn, PyTorch and Matplotlib. A *word* here is a letter
# followed by letters, digits or underscores, in lower case, so `float32` and `n_samples` are words. Words that occur
# fewer than five times are left out: three sightings of a zorp would not be enough.

# %% show
docs = data.load("docs")
corpus = read_corpus([document.text for document in docs])
V = len(corpus.words)
print(docs, f"{len(corpus.ids):,} words of text, {V:,} different: {', '.join(corpus.words[:8])}, ...", sep="\n")

# %% [markdown]
# ## Exercise 1: who meets whom, PMI and PPMI (`ppmi`)
#
# 20 minutes, ★★, 7 points
#
# A computer stores a word as a number, its row in the vocabulary. Such numbers invite arithmetic that means nothing: is
# word 6 twice word 3? The honest way to write word 3 of five (counted from 0) is the **one-hot** vector
# $(0, 0, 0, 1, 0)$. Any two such vectors are at a right angle, so no word is closer to one word than to another. That
# is where chapter 01 got stuck.
#
# What should make two words close? That they appear in the same company. So count it. In the **term-document matrix**
# $D$ each word has a row and each of the $N$ documents a column. From it we get the **term-term matrix** (or
# co-occurrence matrix), which counts how often two words meet:
#
# $$X = D \, D^\top, \qquad X_{wc} = \sum_{j=1}^{N} D_{wj} D_{cj} .$$
#
# (A word that occurs twice in a document and one that occurs there three times meet $2 \cdot 3 = 6$ times.)
#
# Frequent words dominate raw counts: everything meets "the". The interesting question is whether two words meet
# *more often than they would by chance*. Here is the whole computation for two words and two contexts:
#
# ![Counts 4, 0 in the first row and 1, 1 in the second, with row sums 4 and 2, column sums 5 and 1 and total 6. Beside
# them what chance expects: 3.33, 0.67, 1.67, 0.33. The logarithm to base 2 of counts over expected is 0.263 and 0
# above, minus 0.737 and 1.585 below; PPMI puts 0 in place of minus 0.737.](figures/ppmi.svg)
#
# With $n$ for the sum of all counts, chance alone would give $(\text{row sum} \times \text{column sum}) / n$. The
# logarithm of the ratio of a count to this expectation is **pointwise mutual information** (Church and Hanks 1990):
#
# $$\text{PMI}(w, c) = \log_2 \frac{P(w, c)}{P(w) \, P(c)}, \qquad
# P(w, c) = \frac{X_{wc}}{n}, \quad P(w) = \frac{\sum_c X_{wc}}{n}, \quad P(c) = \frac{\sum_w X_{wc}}{n},
# \quad n = \sum_{w, c} X_{wc} .$$
#
# 0 means *independent*, 1 means *twice as often as by chance*, -1 means *half as often*. For a pair that was never seen
# the logarithm would be minus infinity; the convention is to put 0 there, too, which stands for *nothing known*. And
# because it takes a lot of text to be sure of a negative value, **positive PMI**, PPMI, replaces all of them with 0.
#
# By hand: the counts in the drawing have $n = 6$, row sums $(4, 2)$ and column sums $(5, 1)$. The PMI of the first cell
# is $\log_2 \frac{4/6}{(4/6)(5/6)} = \log_2 \frac{6}{5} = 0.2630$; in the lower row it is $\log_2 \frac{3}{5} =
# -0.7370$ and $\log_2 3 = 1.5850$.
#
# <details><summary>Plan</summary><code>cooccurrences</code> is the first formula above, for all pairs of words at once:
# (V, N) becomes (V, V). In <code>ppmi</code>, the sums of the rows, of the columns and of everything tell you what
# chance expects in each cell, (V, C); compare <code>counts</code> with that. Take logarithms only where a pair was
# seen, and let <code>positive</code> decide at the end what becomes of the negative ones.</details>
# <details><summary>Hint 1</summary><code>counts.sum(axis=1, keepdims=True)</code> has shape (V, 1); multiplied by the
# sums of the columns, (1, C), it gives the whole table of expected counts, n times too large.</details>
# <details><summary>Hint 2</summary>With all sums in one formula, the ratio is X times n, divided by row sum times
# column sum.</details>
# <details><summary>Hint 3</summary>Take logarithms only where the count is above 0:
# <code>out[seen] = np.log2(ratio[seen])</code>.</details>

# %% exercise="ppmi"
def cooccurrences(term_document: np.ndarray) -> np.ndarray:
    """Return how often each pair of words meets, summed over documents, shape (V, V).

    term_document: (V, N) counts, a row for each word.
    """
    ### BEGIN SOLUTION
    return term_document @ term_document.T
    ### END SOLUTION


def ppmi(counts: np.ndarray, positive: bool = True) -> np.ndarray:
    """Return the PPMI of each pair, to base 2, shape (V, C); if not `positive`, the PMI with its negative values.

    counts: (V, C), how often word w and context c were seen together, 0 or more; the table need not be square or
    symmetric. P(w) uses the sums of rows, P(c) the sums of columns. A pair that was never seen gets 0, whatever
    `positive` is, even where a whole row, or the table, is zero.
    """
    ### BEGIN SOLUTION
    expected = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0, keepdims=True)  # (V, C), times n
    seen = counts > 0
    pmi = np.zeros(counts.shape)
    pmi[seen] = np.log2(counts[seen] * counts.sum() / expected[seen])
    return np.maximum(pmi, 0) if positive else pmi
    ### END SOLUTION

# %% check="ppmi" points=7

# %% [markdown]
# Take seven words in three short documents of nine words each. The row sums of $X = D D^\top$ are 18, 18, 9, 27, 18, 72
# and 81, and the whole table adds up to 243. Look at the last row: `person` occurs with every word, and its row has the
# largest sum of all, yet its PPMI is 0 *everywhere*. It occurs three times in each document, and the documents are
# equally long, so it meets every word exactly as often as chance predicts: it meets `spring` $81 \cdot 18 / 243 = 6$
# times. This is a stop word, found without a list: company that everybody keeps tells you nothing. (In documents of
# different lengths the result would be less clean.)

# %% show exact=true
seven_words = ["spring", "flowers", "bounce", "ball", "game", "like", "person"]
seven_counts = np.array([[1, 1, 0], [2, 0, 0], [0, 1, 0], [0, 1, 2], [0, 0, 2], [3, 3, 2], [3, 3, 3]])
meetings = np.asarray(cooccurrences(seven_counts))
seven_ppmi = np.asarray(ppmi(meetings))
print(cooccurrence.beside_chance(seven_words, meetings, seven_ppmi))

# %% show
plots.show(*figures.meetings(seven_words, meetings, seven_ppmi))

# %% [markdown]
# ## Exercise 2: fewer dimensions, SVD and PCA (`svd`)
#
# 20 minutes, ★★, 6 points
#
# A row of the PPMI table is already a word vector. It is a clumsy one: $V$ numbers, nearly all of them 0, and two
# synonyms that happen never to share a context word are still at a right angle. We want a short vector that keeps what
# matters and lets similar contexts count as similar.
#
# There is a best way to shorten all rows at once. The **singular value decomposition** (SVD) writes any matrix as a sum
# of simple patterns, the most important first, and we keep the first $k$:
#
# ![The matrix with rows 3 0, 0 2, 4 0 as the product of U, S and W transposed, with singular values 5 and 2. Keeping
# the first pattern gives the one-dimensional vectors 3, 0 and 4.](figures/svd.svg)
#
# $$X = U \, S \, W^\top ,$$
#
# where $S$ is diagonal with singular values $s_1 \ge s_2 \ge \dots \ge 0$ and $U$ and $W$ have orthonormal columns
# (length 1, at right angles to one another; libraries write $V^\top$ for $W^\top$, but $V$ counts words here). The
# first $k$ patterns give the best possible approximation of rank $k$ (Eckart and Young 1936). The word vectors are the
# rows of $U_k S_k$, shape $(V, k)$. Why times $S$? Because $X X^\top = (U S)(U S)^\top$: the rows of $U S$ have the
# same dot products, lengths and angles as those of $X$, and keeping only the first $k$ columns drops the axes that
# contribute least. Applied to a term-*document* matrix this is **latent semantic indexing** (LSI; Deerwester and others
# 1990). We apply it to the PPMI of words with *words*, and call the result **PPMI-SVD**.
#
# To *look* at vectors you want the two dimensions that spread the points most: their **principal components** (PCA).
# That is the same decomposition with one step before it: subtract the mean of each column. The coordinates are $U_k
# S_k$ of the centred points.
#
# By hand: $X = \begin{pmatrix} 3 & 0 \\ 0 & 2 \\ 4 & 0 \end{pmatrix}$ has $s = (5, 2)$: the first pattern is the first
# column, whose length is $\sqrt{9 + 16}$. With $k = 1$ the three words have the vectors $(3)$, $(0)$ and $(4)$.
#
# <details><summary>Plan</summary>In <code>truncated_svd</code>, decompose the whole <code>matrix</code>, keep the first
# <code>k</code> columns of U and the first <code>k</code> singular values, and let each value stretch its own column.
# In <code>pca</code>, take the one step that comes first in the text, hand the result to <code>truncated_svd</code>,
# and keep the part that you need.</details>
# <details><summary>Hint 1</summary><code>np.linalg.svd(matrix, full_matrices=False)</code> returns U, the singular
# values as a vector, and the transpose of W.</details>
# <details><summary>Hint 2</summary>Multiplying a matrix by a vector of length k scales its columns.</details>
# <details><summary>Hint 3</summary>PCA is one line: <code>truncated_svd</code> of the points without their
# mean.</details>

# %% exercise="svd"
def truncated_svd(matrix: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Return (vectors U_k S_k of shape (V, k), the k largest singular values of shape (k,)), the largest first.

    matrix: (V, C), dense; k: at most the smaller of V and C. Each column may have either sign: the decomposition does
    not determine it, and the check accepts both.
    """
    ### BEGIN SOLUTION
    u, s, _ = np.linalg.svd(matrix, full_matrices=False)
    return u[:, :k] * s[:k], s[:k]
    ### END SOLUTION


def pca(points: np.ndarray, k: int = 2) -> np.ndarray:
    """Return the coordinates of the points along their k principal components, shape (n, k), the largest first.

    points: (n, d). Either sign of a column will do.
    """
    ### BEGIN SOLUTION
    return truncated_svd(points - points.mean(axis=0), k)[0]
    ### END SOLUTION

# %% check="svd" points=6

# %% [markdown]
# Now do the same with the docs: take the 1,200 most frequent words, with the same words as contexts, and count within
# documents. Documents that contain "the" a hundred times would dominate the counts, so each word counts once per
# document.
#
# That makes $1200 \cdot 1200 \cdot 13990$ products, twenty billion. `@` needs about a second for them; three nested
# Python loops need more than an hour. If your `cooccurrences` uses loops, write it as one product before you run the
# next cell.

# %% show
FREQUENT = 1200  ### small: 200
EVERY_DOCUMENT = 1  # with 20, one of twenty documents  ### small: 50
in_documents = cooccurrence.in_documents(corpus, FREQUENT, EVERY_DOCUMENT)
association = np.asarray(ppmi(np.asarray(cooccurrences(in_documents))))
svd_vectors, singular = (np.asarray(part) for part in truncated_svd(association, 100))
print(f"largest difference from TruncatedSVD in the first 20: {factorization.library_gap(association, singular):.1e}")
by_documents = WordVectors(corpus.words[:FREQUENT], svd_vectors.astype(np.float32))
print(similarity.neighbours(by_documents, "matrix thread axes classifier", k=7, width=12))
plots.show(*figures.singular_values(singular, association))

# %% show
groups = {"plots": "axes figure legend axis plot color label",
          "statistics": "distribution variance mean probability random sample",
          "networks": "tensor cuda module layer gradient optimizer", "system": "file process thread socket string path"}
group_of = similarity.group_of(groups, by_documents)
points = np.asarray(pca(svd_vectors[[corpus.row[word] for word in group_of]]))
plots.show(*plots.projection(points, list(group_of), list(group_of.values())))

# %% [markdown]
# The map shows four worlds in two dimensions, and nobody told the computer that they exist. The singular values fall
# quickly at first and slowly after that: there is no edge at which to cut, so $k$ is a choice, usually 100 to 300.

# %% [markdown]
# ## Exercise 3: windows and pairs (`windows`)
#
# 25 minutes, ★★★, 7 points
#
# A document is coarse company: in a long one everything meets everything. The two or three words beside *zorp* tell you
# whether it is a thing or an action. So from here on all methods read the text through a **window**: the words at most
# $R$ positions to the left or right of the **centre**. These words are its **context**.
#
# ![Three positions with the ids 5, 7 and 9; 5 and 7 belong to one text, 9 to the next. With R = 1 their windows, left
# and right, are minus 1 and 7, then 5 and minus 1, then minus 1 twice. The pairs are 5 with 7 and 7 with
# 5.](figures/windows.svg)
#
# 1. `context_windows(ids, texts, reach)` gives the context of every position, with $-1$ where there is no word of the
#    same text: beyond either end, or in *another text*.
# 2. `skip_gram_pairs(ids, windows)` lists the pairs (centre, context), the examples that word2vec learns from.
#
# The check accepts loops as well. But the corpus has two million positions, and later cells call `context_windows` on
# all of them, so we advise you to shift whole arrays: the context at offset $+1$ is the text shifted by one.
#
# By hand: with $R = 1$ and ids $(5, 7, 9)$, where the last word is a text of its own, the windows are $(-1, 7), (5,
# -1), (-1, -1)$, and the pairs $(5, 7)$ and $(7, 5)$.
#
# <details><summary>Plan</summary>In <code>context_windows</code>, work out at which positions the neighbours of every
# centre would be, a table of shape (T, 2 * reach); then see which of these exist and are in the centre's own text,
# fetch their ids, and write -1 elsewhere. In <code>skip_gram_pairs</code>, put its own centre beside every entry of
# <code>windows</code>, row after row, and drop the pairs whose entry is -1.</details>
# <details><summary>Hint 1</summary>Position plus offset: <code>np.arange(T)[:, None] + offsets</code> has shape
# (T, 2R). Which of these numbers are positions at all?</details>
# <details><summary>Hint 2</summary>Clip the numbers into 0 ... T - 1 so that you can index, and put -1 where the number
# was outside or the text differs: <code>np.where(fine, ids[inside], -1)</code>.</details>
# <details><summary>Hint 3</summary><code>np.repeat(ids, windows.shape[1])</code> is the centre of every entry of
# <code>windows.ravel()</code>; keep those where the entry is not -1.</details>

# %% exercise="windows"
def context_windows(ids: np.ndarray, texts: np.ndarray, reach: int) -> np.ndarray:
    """Return the context of each position, (T, 2 * reach) integers, -1 where there is no word in the same text.

    ids: (T,) word ids; texts: (T,) the number of the text that each position belongs to; the words of one text are
    contiguous, but the numbers are in no particular order; reach: how many words to each side, at least 1.
    The columns are the offsets -reach, ..., -1, +1, ..., +reach from the centre, in this order. A text without words (T
    = 0) gives shape (0, 2 * reach).
    """
    ### BEGIN SOLUTION
    places = np.arange(len(ids))[:, None] + [o for o in range(-reach, reach + 1) if o != 0]  # (T, 2R)
    inside = np.clip(places, 0, len(ids) - 1)
    return np.where((places == inside) & (texts[inside] == texts[:, None]), ids[inside], -1)
    ### END SOLUTION


def skip_gram_pairs(ids: np.ndarray, windows: np.ndarray) -> np.ndarray:
    """Return all pairs (centre, context), (P, 2) integers, of shape (0, 2) if there are none.

    Position by position, and from left to right within each window, without the entries that are -1.
    ids: (T,); windows: (T, 2R) from `context_windows`.
    """
    ### BEGIN SOLUTION
    centres = np.repeat(ids, windows.shape[1])
    contexts = windows.ravel()
    return np.stack([centres, contexts], axis=1)[contexts >= 0]
    ### END SOLUTION

# %% check="windows" points=7

# %% show
sentence = read_corpus(["the rows of a matrix are the columns of its transpose"], fewest=1)
nearby = np.asarray(context_windows(sentence.ids, sentence.texts, 2))
for centre, line in zip(sentence.ids[:5], nearby, strict=False):
    print(f"{sentence.words[centre]:<8}", [sentence.words[i] if i >= 0 else "-" for i in line])
pairs = np.asarray(skip_gram_pairs(sentence.ids, nearby))
print(f"{len(pairs)} pairs; the first: {[(sentence.words[a], sentence.words[b]) for a, b in pairs[:4]]}")
print("of 1,000 documents:", cooccurrence.number_of_pairs(corpus, context_windows, skip_gram_pairs, 1000, 3), "pairs")

# %% [markdown]
# ## Exercise 4: skip-gram, a look-up and a softmax (`softmax`)
#
# 10 minutes, ★, 4 points
#
# Counting first and compressing afterwards is one way. **Skip-gram** (Mikolov and others 2013, [arXiv
# 1301.3781](https://arxiv.org/abs/1301.3781)) goes the other way: start from random vectors and let each word *predict*
# its context. Where the prediction is bad, move the vectors a little. Words with the same contexts have to make the
# same predictions, so they drift to the same region.
#
# As a network it has two layers and no nonlinearity between them. The first multiplies a one-hot vector $b(w)$ by a
# table $E$ of shape $(V, d)$. Nobody computes that product, because its result is already in the table:
#
# $$v_w = b(w) \, E = \text{row } w \text{ of } E .$$
#
# ![A one-hot vector with its 1 at position 3 times a table of five rows. The product is row 3 of the table: 10, 12,
# 19.](figures/lookup.svg)
#
# (The numbers are those of McCormick's [tutorial of
# 2016](http://mccormickml.com/2016/04/19/word2vec-tutorial-the-skip-gram-model/).) That is a **look-up**, the first
# layer of every language model, `nn.Embedding` in PyTorch. The second layer gives the scores. Each word has *two*
# vectors: $v_w$, a row of a first table (`inputs`), is used when the word is the centre, and $u_c$, a row of a second
# one (`outputs`), when it is the context. (With a single table, a word would tend to predict itself.) The score of a
# pair is $v_w \cdot u_c$, and a softmax over the vocabulary turns it into a probability:
#
# ![Centre 0 is looked up: v = (1, 0). Its dot products with the outputs of words 0, 1 and 2 are 0, 1 and 1. The softmax
# gives 0.16, 0.42 and 0.42. The observed context is word 1, so the loss is minus ln 0.42 =
# 0.86.](figures/skip_gram.svg)
#
# $$p(c \mid w) = \frac{e^{v_w \cdot u_c}}{\sum_{c'=1}^{V} e^{v_w \cdot u_{c'}}}, \qquad
# L = - \frac{1}{P} \sum_{i=1}^{P} \log p(c_i \mid w_i) .$$
#
# Write `look_up` (one line) and `softmax_loss`, the mean over $P$ pairs. The loss will be differentiated, so use torch
# operations only, and beware of large scores: $\log \sum e^{s}$ has a stable form, and torch provides it.
#
# By hand: in the drawing centre 0 has the loss $-\ln 0.4223 = 0.8620$. Centre 2, with $v = (2, 1)$ and scores $(1, 2,
# 3)$, also meets context 1 and has the loss $-\ln 0.2447 = 1.4076$. The mean is 1.1348. If all outputs are zero, every
# word has probability $1/V$, and the loss is $\ln V$. Remember this number: training begins there.
#
# <details><summary>Hint 1</summary>A tensor of ids picks several rows of a table at once.</details>
# <details><summary>Hint 2</summary>The scores of all pairs with all words are one product, of shape (P, V).</details>
# <details><summary>Hint 3</summary><code>nn.functional.cross_entropy(scores, contexts)</code> computes the whole mean,
# in a stable form.</details>

# %% exercise="softmax"
def look_up(ids: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
    """Return the rows of the table that the ids name, (n, d): one-hot vectors times the table, without the product.

    ids: (n,) integers from 0 to V - 1, in any order, perhaps with repeats; table: (V, d). No ids give no rows.
    """
    ### BEGIN SOLUTION
    return table[ids]
    ### END SOLUTION


def softmax_loss(
    centres: torch.Tensor, contexts: torch.Tensor, inputs: torch.Tensor, outputs: torch.Tensor
) -> torch.Tensor:
    """Return the mean of -log p(context | centre) over P pairs, a scalar tensor that can be differentiated.

    centres, contexts: (P,) word ids; inputs, outputs: (V, d), the two tables of vectors.
    Scores in the hundreds must not overflow, and their loss must be exact: clip nothing.
    """
    ### BEGIN SOLUTION
    scores = look_up(centres, inputs) @ outputs.T  # (P, V)
    return nn.functional.cross_entropy(scores, contexts)
    ### END SOLUTION

# %% given
def gradients(function, *arguments, fixed=()):  # (value, the gradients of its sum for tensors of floats), by autograd
    return backward.gradients(function, *arguments, fixed=fixed)


def without_autograd(function, *arguments):  # what a call gives where autograd is off
    return ways_of_calls.without_autograd(function, *arguments)

# %% check="softmax" points=4

# %% [markdown]
# Now compare your code with the library: the product, your look-up and `nn.Embedding` agree. The gradient shows why the
# look-up pays in training, too: of all $V$ rows only those that were looked up change.

# %% show
table, ids = nn.Embedding(5, 3), torch.tensor([3, 0, 3])
same = torch.allclose(nn.functional.one_hot(ids, 5).float() @ table.weight, look_up(ids, table.weight))
print("one-hot product = look-up = nn.Embedding:", same and torch.equal(look_up(ids, table.weight), table(ids)))
table(ids).sum().backward()
print("gradient of each row:", table.weight.grad.sum(dim=1).tolist(), "(row 3 was used twice)")
print(f"one-hot of the docs: {len(corpus.ids) * V * 4 / 1e9:.0f} GB; their ids: {corpus.ids.nbytes / 1e9:.3f} GB")

# %% [markdown]
# ## Exercise 5: what to draw, what to leave out (`sampling`)
#
# 12 minutes, ★, 5 points
#
# The softmax needs the score of *every* word for every pair, and there are millions of pairs. Does the gradient need
# them, too? Derive it once: it takes four lines, and nearly every network of this course learns from it. Write $s_{c'}
# = v_w \cdot u_{c'}$ for the scores, and split the logarithm of the fraction:
#
# $$\ell = -\log p(c \mid w) = -s_c + \log \sum_{c'} e^{s_{c'}} .$$
#
# Now ask how $\ell$ changes with *one* score $s_k$. The first term gives $-1$ if $k$ is the observed context $c$, and 0
# otherwise. In the second, the derivative of a logarithm is one over its argument, so the derivative with respect to
# $s_k$ is $e^{s_k} / \sum_{c'} e^{s_{c'}}$: the softmax again. With $y_k = 1$ for the observed context and 0 for all
# others,
#
# $$\frac{\partial \ell}{\partial s_k} = p_k - y_k, \qquad \text{prediction minus label.}$$
#
# Each score is a dot product, so it passes that number on to each of its two vectors, multiplied by the *other* vector:
#
# $$\frac{\partial \ell}{\partial v_w} = \sum_k (p_k - y_k) \, u_k = \sum_k p_k \, u_k - u_c, \qquad
# \frac{\partial \ell}{\partial u_k} = (p_k - y_k) \, v_w .$$
#
# A step moves the centre away from the output that the model expects and towards the observed one; and it moves *every*
# row of the outputs. In the drawing of exercise 4, $p - y = (0.1554, -0.5777, 0.4223)$, so the gradient for $v$ is
# $0.1554 \, (0, 1) - 0.5777 \, (1, 0) + 0.4223 \, (1, 1) = (-0.1554, 0.5777)$.
#
# So yes, the gradient needs them all: $V$ scores in the forward pass and $V$ rows in the backward pass, for a single
# pair. Mikolov and others (2013, [arXiv 1310.4546](https://arxiv.org/abs/1310.4546)) found a way out: it is enough to
# tell the real context from a few words drawn at random, the **noise**. How should the noise be drawn? If it were drawn
# by frequency, "the" alone would be one noise word in seventeen (it makes up 5.9% of the docs); if it were drawn
# uniformly, most noise would be words that hardly anybody uses. Their compromise, found by trial and error, is the
# counts raised to the power 3/4:
#
# $$P_n(w) = \frac{n_w^{0.75}}{\sum_{w'} n_{w'}^{0.75}} .$$
#
# Frequent words also make up most of the pairs, and these pairs teach the least. **Subsampling** throws many of their
# occurrences away: an occurrence of a word that makes up the share $f_w = n_w / \sum n$ of the text is kept with
# probability
#
# $$P_{\text{keep}}(w) = \min \Big(1, \sqrt{t / f_w} \Big) .$$
#
# The threshold $t$ is a share that you choose: words rarer than that keep every occurrence. (Mikolov and others took
# about $10^{-5}$ for a billion words. That would leave too few of our two million, so the default here is $10^{-3}$.)
# The root is gentle: if the share of a word is a hundred times $t$, a tenth of its occurrences stays, so frequent words
# remain the frequent ones.
#
# By hand: counts 16 and 1 have noise probabilities $8/9$ and $1/9$, since $16^{3/4} = 8$; without the power they would
# be $16/17$ and $1/17$. With $t = 0.01$ a word that makes up 4% of the text is kept with probability $\sqrt{0.01 /
# 0.04} = 0.5$.
#
# <details><summary>Hint 1</summary>Each function is one line of array arithmetic; for the second, compute the shares
# first.</details>
# <details><summary>Hint 2</summary>Where the share is 0, put a value that gives 1, before you divide.</details>

# %% exercise="sampling"
def noise_distribution(counts: np.ndarray, power: float = 0.75) -> np.ndarray:
    """Return the probability that each word is drawn as noise, shape (V,); the sum is 1.

    counts: (V,) how often each word occurs; at least one is above 0. A word that does not occur is never drawn, not
    even with power 0.
    """
    ### BEGIN SOLUTION
    weights = np.where(counts > 0, np.asarray(counts, dtype=float) ** power, 0.0)  # 0 ** 0 is 1
    return weights / weights.sum()
    ### END SOLUTION


def keep_probability(counts: np.ndarray, threshold: float = 1e-3) -> np.ndarray:
    """Return the probability that an occurrence of each word is kept, (V,); 1 for a word that does not occur.

    counts: (V,) how often each word occurs; at least one is above 0; threshold: t.
    """
    ### BEGIN SOLUTION
    share = counts / counts.sum()
    return np.sqrt(threshold / np.maximum(share, threshold))
    ### END SOLUTION

# %% check="sampling" points=5

# %% show
noise, kept = (np.asarray(f(corpus.counts)) for f in (noise_distribution, keep_probability))
plots.show(*figures.sampling(corpus.counts, noise, kept))
print({word: round(float(kept[corpus.row[word]]), 2) for word in ("the", "a", "array", "matrix", "transpose")})
print(f"of {len(corpus.ids):,} words {kept[corpus.ids].sum():,.0f} are kept on average")
print(f'"the" is {corpus.counts[0] / corpus.counts.sum():.1%} of the text and {noise[0]:.1%} of the noise')

# %% [markdown]
# ## Exercise 6: negative sampling, gradient by hand (`negative`)
#
# 30 minutes, ★★★, 9 points
#
# Now the loss that made word2vec fast. Take one pair with centre $v$ and context $u$, and draw $K$ noise words $n_1,
# \dots, n_K$ for it. Is a word the real context or noise? That question has two answers, so the logistic regression of
# chapter 01 will do. The score of a word is its dot product with the centre; its label is 1 for $u$ and 0 for the
# noise. Learning pulls the real pair together and pushes the noise away:
#
# ![The vectors v = (1, 0), u = (0, 1) and n = (0, 2). A step against the gradient moves u towards v by 0.5, n away from
# v by 0.5, and v away from n.](figures/negative.svg)
#
# With $\sigma(x) = 1 / (1 + e^{-x})$ the loss of one pair is
#
# $$\ell = - \log \sigma(v \cdot u) - \sum_{k=1}^{K} \log \sigma(- v \cdot n_k) :$$
#
# $K + 1$ scores instead of $V$. Its gradient takes two steps. *One score:* the logistic function has the slope
# $\sigma'(x) = \sigma(x) (1 - \sigma(x))$ (differentiate $1 / (1 + e^{-x})$ and look for $\sigma$ in the result), and
# the logarithm divides it by $\sigma(x)$, so
#
# $$\frac{d}{dx} \big( -\log \sigma(x) \big) = -(1 - \sigma(x)) = \sigma(x) - 1, \qquad
# \frac{d}{dx} \big( -\log \sigma(-x) \big) = 1 - \sigma(-x) = \sigma(x) .$$
#
# (The second is the first at $-x$, with a sign from the inner derivative; $1 - \sigma(-x) = \sigma(x)$.) Both are
# *prediction minus label*, as for the softmax. *From scores to vectors:* each score passes its derivative on to both of
# its vectors, multiplied by the *other* vector. A context or noise word appears in one score, the centre appears in all
# of them:
#
# $$\frac{\partial \ell}{\partial v} = (\sigma(v \cdot u) - 1) \, u + \sum_k \sigma(v \cdot n_k) \, n_k, \qquad
# \frac{\partial \ell}{\partial u} = (\sigma(v \cdot u) - 1) \, v, \qquad
# \frac{\partial \ell}{\partial n_k} = \sigma(v \cdot n_k) \, v .$$
#
# Compute them from these formulas and not with autograd, which is off in one of the cases: the point is to write a
# backward pass yourself once, and the next exercise trains with it.
#
# By hand: with $v = (1, 0)$, $u = (0, 1)$ and one noise word $n = (0, 2)$, both scores are 0, so $\ell = 2 \ln 2 =
# 1.3863$. The gradients are $-\frac12 u + \frac12 n = (0, 0.5)$ for $v$, then $-\frac12 v = (-0.5, 0)$ for $u$ and
# $\frac12 v = (0.5, 0)$ for $n$. A step goes *against* them, as in the drawing.
#
# <details><summary>Plan</summary>Go forward first: one score for each pair, (B,), one for each of its noise words, (B,
# K), and from both the mean loss. Then go back: turn every score into its derivative, prediction minus label, with the
# 1 / B of the mean. Pass each derivative on to both vectors of its score, multiplied by the other vector; a centre
# collects from its context and from all of its noise.</details>
# <details><summary>Hint 1</summary>The scores: <code>(centres * contexts).sum(-1)</code> has shape (B,), and
# <code>(noise @ centres[:, :, None])[..., 0]</code> has shape (B, K).</details>
# <details><summary>Hint 2</summary><code>logsigmoid</code> is stable for large scores of either sign.</details>
# <details><summary>Hint 3</summary>With <code>own = torch.sigmoid(scores) - 1</code> and <code>other =
# torch.sigmoid(noise scores)</code>: the gradient of the centres is <code>own[:, None] * contexts + (other[..., None] *
# noise).sum(1)</code>, divided by B.</details>

# %% exercise="negative"
def negative_sampling(
    centres: torch.Tensor, contexts: torch.Tensor, noise: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (mean loss, its gradient for centres (B, d), for contexts (B, d), for noise (B, K, d)).

    centres, contexts: (B, d), the vectors of B pairs; noise: (B, K, d), the vectors of K noise words for each pair. The
    gradients have the dtype of the vectors, so that `step` can subtract them.
    The loss is a mean over the B pairs, so each gradient contains the factor 1 / B; over the noise words it is a sum.
    The loss need not be differentiable by autograd: you return its gradients yourself.
    Scores in the hundreds must not overflow, and their loss must be exact.
    """
    ### BEGIN SOLUTION
    scores = (centres * contexts).sum(-1)  # (B,)
    against = (noise * centres[:, None]).sum(-1)  # (B, K)
    loss = -(logsigmoid(scores) + logsigmoid(-against).sum(1)).mean()
    own = (torch.sigmoid(scores) - 1)[:, None] / len(centres)  # (B, 1)
    other = torch.sigmoid(against)[..., None] / len(centres)  # (B, K, 1)
    return loss, own * contexts + (other * noise).sum(1), own * centres, other * centres[:, None]
    ### END SOLUTION

# %% check="negative" points=9

# %% [markdown]
# Compare your gradients with autograd's, and then see what the trick saves: the figure shows the time of one step of
# 1,024 pairs, forward and backward, as the vocabulary grows.

# %% show
vectors = [torch.randn(1024, 100), torch.randn(1024, 100), torch.randn(1024, 5, 100)]
automatic = gradients(backward.negative_sampling_loss, *vectors)
print(f"largest difference from autograd: {backward.largest_difference(negative_sampling(*vectors), automatic):.1e}")
sizes, cost = backward.step_costs(softmax_loss, negative_sampling)
plots.show(*plots.lines(sizes, cost, "size of the vocabulary", "milliseconds a step", log="xy"))

# %% [markdown]
# ## Exercise 7: a step of training (`step`)
#
# 20 minutes, ★★, 5 points
#
# You have gradients. Training is now one line of arithmetic, done a few thousand times: fetch the vectors of some
# pairs, and move each of them a little *against* its gradient. With the learning rate $\eta$,
#
# $$v \leftarrow v - \eta \, \frac{\partial L}{\partial v}, \qquad u \leftarrow u - \eta \, \frac{\partial L}{\partial
# u}, \qquad n_k \leftarrow n_k - \eta \, \frac{\partial L}{\partial n_k} .$$
#
# This is **stochastic gradient descent**, SGD, and word2vec was trained with it. There is one trap, and no error
# message warns you of it. Among a thousand pairs a word often occurs more than once. Its row then has several
# gradients, and it must move by their *sum*:
#
# ![Three gradients for the centres 0, 2 and 0 go back to a table of three rows. Row 0 moves by the sum of the first and
# the third, row 2 by the second, and row 1 stays.](figures/step.svg)
#
# `table[ids] -= rate * gradient` looks right and keeps only *one* of the gradients of a repeated row: it reads all
# rows, subtracts, and writes them back, one over the other. (In the loss above the same rows are only *read*, which is
# why a look-up has no such trap.)
#
# By hand: take the vectors of exercise 6, $\eta = 1$, and one pair with centre 0, context 1 and noise word 2, so that
# $v_0 = (1, 0)$, $u_1 = (0, 1)$, $u_2 = (0, 2)$. The dashed arrows in the drawing of exercise 6 show the step: $v_0$
# becomes $(1, -0.5)$, $u_1$ becomes $(0.5, 1)$, $u_2$ becomes $(-0.5, 2)$. If the same pair occurs twice, each gradient
# has the factor $1/2$ of the mean, and their sum is the same step. If you lose one of the two, $v_0$ ends at $(1,
# -0.25)$.
#
# <details><summary>Plan</summary>Look up three groups of vectors by their ids, (B, d), (B, d) and (B, K, d): centres in
# one table, contexts and noise in the other. Your <code>negative_sampling</code> turns them into the loss and three
# gradients of the same shapes. Then copy each table and subtract each gradient, times the rate, from the rows that it
# belongs to, in a way that adds up where a row is named twice.</details>
# <details><summary>Hint 1</summary><code>table.index_add(0, ids, rows, alpha=-rate)</code> returns a new table:
# <code>alpha</code> times each of the <code>rows</code> is added to the row that <code>ids</code> names, and repeated
# ids add up.</details>
# <details><summary>Hint 2</summary>The noise ids have shape (B, K): flatten them to (B * K,), and their gradients to (B
# * K, d).</details>

# %% exercise="step"
def step(
    inputs: torch.Tensor,
    outputs: torch.Tensor,
    centres: torch.Tensor,
    contexts: torch.Tensor,
    noise: torch.Tensor,
    rate: float,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (the inputs after one step, the outputs after it, the mean loss before it).

    inputs, outputs: (V, d); centres, contexts: (B,) word ids; noise: (B, K) word ids, K for each pair; rate: the
    learning rate. Centres are rows of the inputs, contexts and noise words rows of the outputs.
    The loss and its gradients are those of `negative_sampling` (a mean over the B pairs), all of them at the tables as
    given. A row that is named several times, by pairs, as context and as noise, moves by the sum of its gradients. The
    two tables given are not changed: new ones are returned.
    """
    ### BEGIN SOLUTION
    loss, of_centres, of_contexts, of_noise = negative_sampling(inputs[centres], outputs[contexts], outputs[noise])
    inputs = inputs.index_add(0, centres, of_centres, alpha=-rate)
    outputs = outputs.index_add(0, contexts, of_contexts, alpha=-rate)
    outputs = outputs.index_add(0, noise.flatten(), of_noise.flatten(0, 1), alpha=-rate)
    return inputs, outputs, loss
    ### END SOLUTION

# %% check="step" points=5

# %% [markdown]
# Now let your gradients learn something. CLINC150 holds 15,000 requests to an assistant ("move 100 dollars to
# savings"), 124,000 words, and we take them **without their labels**. `StepTrainer` draws pairs and noise with your
# functions and calls your `step` for every thousand pairs, without autograd. (The loss is a mean over a thousand pairs,
# so the rate begins at a thousand times the 0.07 of a single pair; it falls linearly to 0.) The model answer takes a
# few milliseconds per step. If yours loops over pairs and is slow, training stops after two minutes and reports how far
# it got.

# %% show
PASSES_REQUESTS = 15  ### small: .02
requests = [request.text for request in data.load("clinc150").splits["train"]]
by_steps = StepTrainer(context_windows, skip_gram_pairs, keep_probability, noise_distribution, step)
request_vectors, losses = by_steps.train(read_corpus(requests, fewest=2), PASSES_REQUESTS)
plots.show(*plots.lines(range(1, len(losses) + 1), losses, "pass over the requests", "mean loss of a pair"))
print(similarity.neighbours(request_vectors, "card monday song funds bicycle", k=7, width=8))

# %% [markdown]
# The loss of the very first step is $6 \ln 2 = 4.16$: all scores are 0, and each of the six questions of a pair (one
# context, five noise words) is a coin toss. The curve shows the mean loss of each pass, so it starts below 4.16, and it
# goes on falling. Cards are now near cards, days are near days, and your formulas did all of it. (No request contains
# *bicycle*, so it has no vector and no line; [chapter 06](../06_tokenizers/06_tokenizers.ipynb) will cut words into
# pieces, so that none is unknown.) Keep `request_vectors`: at the end of the chapter they take an exam.

# %% [markdown]
# ## Exercise 8: fast enough for two million words (`lines`)
#
# 25 minutes, ★★★, 6 points
#
# This exercise teaches no new idea about meaning: it makes the last two exercises faster, because the docs have sixteen
# times as many words as the requests. If you get stuck, open its hints early.
#
# Five noise words *for each pair* mean fetching tens of millions of vectors in a pass over the docs, and the fetching
# is what takes time. Two tricks turn it into a few large matrix products, which processors do best:
#
# - Cut the text into **lines** of $T$ words and score *all* words of a line against one another, $(T, T)$ at once. Most
#   of these scores belong to no pair; a mask marks those that do. Each centre $i$ has a reach $r_i$ of its own, drawn
#   from $1, \dots, R$, so that near words form pairs more often than distant ones.
# - Draw one set of $K$ noise words **for the whole step**. A centre that makes $m$ pairs is scored against all $K$
#   words once, and the mean of its noise terms counts $m \cdot w$ times, as if each of its pairs had drawn $w$ noise
#   words of its own.
#
# ![Above, the nine scores of a line and a mask for the reaches 1, 1 and 2: the first row marks position 2, the second
# positions 1 and 3, the third positions 1 and 2, which leaves five pairs. Below, the scores of three centres with four
# noise words; the mean of each row counts 1, 2 and 2 times, and all of them times w.](figures/lines.svg)
#
# Put together, the loss of a step with $P$ pairs is
#
# $$\text{loss} = - \frac{1}{P} \Big[ \sum_{\text{pairs } (i, j)} \log \sigma(s_{ij})
# + w \sum_{i=1}^{n} m_i \, \frac{1}{K} \sum_{k=1}^{K} \log \sigma(- a_{ik}) \Big]$$
#
# Here $s_{ij}$ is the score of centre $i$ with word $j$ of its line, and $a_{ik}$ is that of the $i$-th of $n$ centres
# with noise word $k$. This is your loss of exercise 6, except that all pairs of a step share their noise. Write
# `pair_mask` and `line_loss`.
#
# By hand: three words of one text with reaches 1, 1, 2 give the masks $(0, 1, 0)$, $(1, 0, 1)$, $(1, 1, 0)$, as drawn.
# If all scores are 0 and $w = 5$, the loss is $\ln 2 + 5 \ln 2$, provided that the $m_i$ add up to $P$, as they do in
# the drawing.
#
# <details><summary>Plan</summary><code>pair_mask</code> asks three questions about every two positions of a line: are
# they different, near enough for this centre, and in the same text? An entry is true where all three answers are yes,
# (L, T, T). <code>line_loss</code> has two parts: a sum over the pairs, and a sum over the centres, in which each
# one's mean over the noise is multiplied by its entry of <code>times</code> and by <code>weight</code>. Divide their
# total by the number of pairs, and mind the signs.</details>
# <details><summary>Hint 1</summary>The distances: <code>(place[:, None] - place).abs()</code>, shape (T, T). With
# <code>reaches[:, :, None]</code>, shape (L, T, 1), the comparison has shape (L, T, T).</details>
# <details><summary>Hint 2</summary><code>scores[pairs]</code> is a vector of the scores of the pairs.</details>
# <details><summary>Hint 3</summary>The noise part is <code>weight * (times *
# logsigmoid(-against).mean(1)).sum()</code>. </details>

# %% exercise="lines"
def pair_mask(texts: torch.Tensor, reaches: torch.Tensor) -> torch.Tensor:
    """Return which words of a line form pairs, (L, T, T) booleans: centre in rows, context in columns.

    texts: (L, T) the number of the text that each word belongs to; reaches: (L, T) how far the window of each centre
    goes. Entry (l, i, j) is true if word j of line l is a context word of centre i: not at the same position, at most
    reaches[l, i] positions away, and in the same text.
    """
    ### BEGIN SOLUTION
    place = torch.arange(texts.shape[1], device=texts.device)
    apart = (place[:, None] - place).abs()  # (T, T)
    return (apart > 0) & (apart <= reaches[:, :, None]) & (texts[:, :, None] == texts[:, None, :])
    ### END SOLUTION


def line_loss(
    scores: torch.Tensor, pairs: torch.Tensor, against: torch.Tensor, times: torch.Tensor, weight: float
) -> torch.Tensor:
    """Return the loss of negative sampling with shared noise, a mean over pairs, a scalar tensor; it is differentiated.

    scores: any shape; pairs: booleans of the same shape, at least one true; the number of true ones is P, whatever
    `times` adds up to; against: (n, K) scores of n centres with the noise words; times: (n,) how many pairs each is the
    centre of; weight: w, the number of noise words counted for each pair. Scores in the hundreds must not overflow;
    their loss must be exact.
    """
    ### BEGIN SOLUTION
    noise = (times * logsigmoid(-against).mean(1)).sum()
    return -(logsigmoid(scores[pairs]).sum() + weight * noise) / pairs.sum()
    ### END SOLUTION

# %% check="lines" points=6

# %% [markdown]
# ## Word2vec on the docs
#
# You have all the parts: the text, what to keep, the pairs, the noise, the loss. The trainer is put together from four
# of your functions. Each pass subsamples and cuts the text anew; each step draws its noise and calls your loss. The
# model `SkipGram` holds the two tables; autograd, which you have seen agree with your own gradients, and the course's
# training loop, `fit`, do the rest. Read `helpers/chapters/word_vectors/word2vec.py` once: you will recognise every
# line. The outputs begin as zeros and each pair counts five noise words, so you know the first loss, too: it is $6 \ln
# 2$ again.

# %% show
PASSES = 12  ### small: .015
trainer = Trainer(keep_probability, noise_distribution, pair_mask, line_loss)
skip_gram, history = trainer.train(SkipGram, corpus, PASSES, width=100, reach=3)
print(history, f"{PASSES * len(corpus.ids) / history.seconds:,.0f} words of text a second", sep="\n")
plots.show(*plots.learning_curves(history))

# %% show
print(similarity.neighbours(skip_gram, "float32 matrix plot thread faster returns", cosines=True))

# %% [markdown]
# Types are near types, plots near plots, comparatives near comparatives. The model only ever answered one question:
# which words occur near this one? What does such a vector *look* like? Here are the hundred numbers of nine words, each
# in a row. The axes have no meaning of their own and no order, so the figure sorts them by the numbers of `float32`.

# %% show
plots.show(*figures.strips(skip_gram, "float32 float64 int32 matrix vector array plot legend figure".split()))

# %% [markdown]
# The rows of the other types go from red to blue as the first one does; the rows of the plotting words keep little of
# that order. No single number means "type": the similarity is spread over all of them.

# %% [markdown]
# ## Exercise 9: CBoW, and a first language model (`cbow`)
#
# 15 minutes, ★★, 6 points
#
# Skip-gram asks: given *matrix*, which words are near? You can also ask the opposite: given *rows, of, a, ___, are,
# the*, which word is missing? That is **continuous bag of words** (CBoW). The vectors of the context are averaged (a
# *bag*: their order is lost), and the mean is scored against all outputs:
#
# ![The context words 0 and 1 have the vectors (2, 0) and (0, 4); their mean h is (1, 2). Its dot products with the
# three outputs are the scores 1, 2 and 3.](figures/cbow.svg)
#
# $$h = \frac{1}{m} \sum_{c \in \text{context}} v_c, \qquad s = h \, U^\top \in \mathbb{R}^{V} .$$
#
# It makes one prediction for a whole window, where skip-gram makes one for each pair. If you let the context be only
# what came *before*, the same model guesses the next word from the last $R$ words. It has become **causal**: a language
# model, the first of this course.
#
# By hand: with inputs $v_0 = (2, 0)$, $v_1 = (0, 4)$ and the window $(0, 1)$ the mean is $(1, 2)$, and $(2, 0)$ if
# causal; with the window $(0, -1)$ it is $(2, 0)$ in both cases.
#
# <details><summary>Plan</summary>If <code>causal</code>, keep the left half of the columns. Look up the vectors of all
# context words, let only the real ones into the sum, and divide by how many of them there are: that is h, (B, d), which
# you then score against every row of <code>outputs</code>, (B, V). Two things need care: what a -1 would fetch, and a
# window without any word.</details>
# <details><summary>Hint 1</summary><code>known = windows >= 0</code> marks the entries that count;
# <code>windows.clamp(min=0)</code> can be looked up without an error.</details>
# <details><summary>Hint 2</summary>The sum is <code>(inputs[windows.clamp(min=0)] * known[..., None]).sum(1)</code>;
# divide it by how many are known, at least 1.</details>

# %% exercise="cbow"
def cbow_scores(
    windows: torch.Tensor, inputs: torch.Tensor, outputs: torch.Tensor, causal: bool = False
) -> torch.Tensor:
    """Return the score of every word for the position that each window surrounds, shape (B, V); it is differentiated.

    windows: (B, 2R) word ids of `context_windows`, from left to right, -1 where there is no word: those count neither
    in the sum nor in m; inputs, outputs: (V, d); causal: only the left half of the columns is read.
    Without any context h is zero, and so are the scores.
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
# First use it as a language model: the last three words predict the next, among the 2,000 most frequent ones, with the
# full softmax (affordable at this size). **Perplexity** is $e^{L}$: the model is as uncertain as if it chose among that
# many equally likely words. We measure it on the test split, whose documents the model has not seen.

# %% show
STEPS = 120  ### small: 20
text = causal_bag.NextWord(corpus, context_windows, [document.split == "test" for document in docs], size=2000)
language_model = text.train(CausalBag(cbow_scores, 2000, 100), STEPS)
print("perplexity of the test documents:", text.perplexities(language_model))
print(text.continued(language_model, "returns the number", "the axes of the", "raises valueerror if"))

# %% [markdown]
# The words suit the topic, but there is no grammar: three words in a bag do not tell which came last. Chapter 03 adds
# order and memory.
#
# Then use CBoW for word vectors, with the trainer and the number of passes that you used for skip-gram.

# %% show
cbow, history = trainer.train(CBoW, corpus, PASSES)
print(f"{PASSES * len(corpus.ids) / history.seconds:,.0f} words of text a second")
print(similarity.neighbours(cbow, "float32 matrix plot"))

# %% [markdown]
# ## Exercise 10: GloVe (`glove`)
#
# 20 minutes, ★★, 6 points
#
# Word2vec sees each pair as often as it occurs: "of the" thousands of times, with the same lesson each time. Why not
# count all pairs once, and then learn from the counts? **GloVe** (Pennington, Socher and Manning 2014,
# [DOI 10.3115/v1/D14-1162](https://doi.org/10.3115/v1/D14-1162)) wants the dot product of two words to be
# the *logarithm* of how often they met, up to a bias for each word:
#
# $$L = \sum_{(i, j): X_{ij} > 0} f(X_{ij}) \, \big( w_i \cdot \tilde w_j + b_i + \tilde b_j - \ln X_{ij} \big)^2,
# \qquad f(x) = \min \Big(1, (x / x_{\max})^{\alpha} \Big) .$$
#
# ![The weight f rises from 0 to 1 at x max = 100 and stays there: f(16) is 0.253, f(250) is 1.](figures/glove.svg)
#
# $X_{ij}$ is how often word $j$ occurred in the window of word $i$. Why the logarithm? Because a difference of vectors
# then expresses a ratio of counts: up to biases, $(w_i - w_k) \cdot \tilde w_j = \ln (X_{ij} / X_{kj})$, and this ratio
# tells whether $j$ keeps company with $i$ rather than with $k$. The biases absorb how frequent each word is, so the dot
# product comes close to PMI. The weight $f$ makes rare, noisy counts matter little and keeps huge ones from dominating.
# Each word has two vectors again; the finished one is the sum $w + \tilde w$.
#
# By hand: $f(16) = (16/100)^{0.75} = 0.2530$, and $f(250) = 1$. With all parameters zero, a single cell with the count
# 100 has the loss $(\ln 100)^2 = 21.2076$.
#
# <details><summary>Plan</summary><code>glove_weight</code> follows the text, entry by entry. <code>glove_loss</code>
# treats all n cells at once: fetch the two vectors and the two biases of each cell, make its score, (n,), compare this
# with the logarithm of its count, and add up the squared errors, each times its <code>glove_weight</code>.</details>
# <details><summary>Hint 1</summary><code>torch.clamp(x, max=1)</code> takes the minimum of x and 1.</details>
# <details><summary>Hint 2</summary>The score of each cell: <code>(inputs[rows] * outputs[columns]).sum(1)</code>, plus
# <code>input_bias[rows] + output_bias[columns]</code>.</details>

# %% exercise="glove"
def glove_weight(counts: torch.Tensor, x_max: float = 100.0, alpha: float = 0.75) -> torch.Tensor:
    """Return the weight of each count, in the shape of `counts`.

    counts: numbers above 0, perhaps fractions; x_max: the smallest count with weight 1; alpha: the exponent.
    """
    ### BEGIN SOLUTION
    return torch.clamp((counts / x_max) ** alpha, max=1)
    ### END SOLUTION


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts) -> torch.Tensor:
    """Return the weighted squared error of the log counts, *summed* over n cells, a scalar tensor, differentiable.

    inputs, outputs: (V, d); input_bias, output_bias: (V,); rows, columns: (n,) word ids; counts: (n,), above 0.
    A cell that is listed twice counts twice. The weights are those of `glove_weight` with its defaults; logarithms
    are natural.
    """
    ### BEGIN SOLUTION
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
    return (glove_weight(counts) * (score - torch.log(counts)) ** 2).sum()
    ### END SOLUTION

# %% check="glove" points=6

# %% [markdown]
# The next cell counts the pairs of the whole corpus through your windows; a word at distance $n$ counts $1/n$, as in
# GloVe's program. The cell trains GloVe on the counts, with the same number of passes as before, now over the cells of
# the table, and it computes PPMI-SVD (with the library's SVD, from the PPMI of the same counts). Both cover the words
# that occur at least 25 times.

# %% show
ANSWERS = int((corpus.counts >= 25).sum())
counts = cooccurrence.window_counts(corpus, context_windows, ANSWERS, reach=3)
glove, history = factorization.train_glove(counts, corpus.words[:ANSWERS], glove_loss, PASSES)
print(f"{counts.nnz:,} cells of {ANSWERS:,} x {ANSWERS:,}; {history}")
print("the cells of PPMI are those of your function:", cooccurrence.same_ppmi(counts[:20], ppmi))
ppmi_svd = factorization.svd_vectors(counts, corpus.words[:ANSWERS])
for name, vectors in {"GloVe": glove, "PPMI-SVD": ppmi_svd}.items():
    print(similarity.neighbours(vectors, "float32 matrix plot", width=8, title=f"{name:<9}"))

# %% [markdown]
# ## Exercise 11: neighbours and analogies (`analogy`)
#
# 20 minutes, ★★, 6 points
#
# Vectors that are only good to look at are not worth much. Here are two questions that have answers. Which words are
# near? And does *direction* mean something? If "from singular to plural" is a direction, then the step from `row` to
# `rows`, starting from `column`, should lead close to `columns`. The four words form a parallelogram:
#
# ![Four unit vectors: row at (1, 0), rows at (0.8, 0.6), column at (0, 1), columns at (-0.28, 0.96). The step from row
# to rows, starting from column, ends at (-0.2, 1.6), almost in the direction of columns.](figures/analogy.svg)
#
# This is **3CosAdd** (Mikolov, Yih and Zweig 2013, [aclanthology N13-1090](https://aclanthology.org/N13-1090)): the
# answer to "$a$ is to $b$ as $c$ is to ?" is
#
# $$\arg\max_{x \notin \{a, b, c\}} \cos \big( x, \; \hat b - \hat a + \hat c \big), \qquad
# \hat w = w / \lVert w \rVert_2 .$$
#
# Mind the hats: each vector gets length 1 *before* the sum, or the longest would dominate. And $a$, $b$ and $c$ cannot
# be answers. That rule does more than it seems to, as you will see below.
#
# By hand, with the unit vectors of the drawing: $\hat b - \hat a + \hat c = (0.8, 0.6) - (1, 0) + (0, 1) = (-0.2,
# 1.6)$, of length 1.6125. Its cosine with `columns` is $(0.2 \cdot 0.28 + 1.6 \cdot 0.96) / 1.6125 = 0.9873$. Its
# cosine with `column` itself is $1.6 / 1.6125 = 0.9923$: without the rule, $c$ would have been the answer.
#
# <details><summary>Plan</summary>Both functions begin by giving every row length 1. <code>nearest_rows</code> compares
# one row with all, (V,), rules out the word itself and ranks the others. <code>answer_analogies</code> makes one target
# for each question, (n, d), compares it with all words, (n, V), rules out the three words of the question before it
# drops any column, and then takes the best of the first <code>among</code>.</details>
# <details><summary>Hint 1</summary>Divide all rows by their lengths once. Then a cosine is a dot product, and for
# <code>argmax</code> the length of the target does not matter.</details>
# <details><summary>Hint 2</summary>Set the cosines of what cannot be an answer to <code>-np.inf</code>.</details>
# <details><summary>Hint 3</summary><code>np.argsort(-cosines)</code> puts the largest first;
# <code>np.put_along_axis</code> can set different columns in each row.</details>

# %% exercise="analogy"
def nearest_rows(vectors: np.ndarray, word: int, k: int) -> np.ndarray:
    """Return the rows of the k vectors with the largest cosine to row `word`, the largest first, without it, (k,).

    vectors: (V, d), none of them zero; k: less than V. No two cosines are equal, so ties need no rule.
    """
    ### BEGIN SOLUTION
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit[word]
    cosines[word] = -np.inf
    return np.argsort(-cosines, kind="stable")[:k]
    ### END SOLUTION


def answer_analogies(vectors: np.ndarray, questions: np.ndarray, among: int | None = None) -> np.ndarray:
    """Return the row that answers each question "a is to b as c is to ?" by 3CosAdd, shape (n,).

    vectors: (V, d); questions: (n, 3) rows of a, b, c; among: only the first `among` rows can be answers; all rows if
    None. The words a, b and c may lie beyond the first `among` rows.
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
# The set `docs_analogies` holds 6,484 questions about words of the docs, in 25 sections; every pair of a section is
# combined with every other. A section is named after its relation: *least-and-greatest* asks `min : max :: lower : ?`,
# *gram-plural* asks `row : rows :: column : ?`. Any word that occurs at least 25 times, which is how often the rarest
# word of the questions occurs, can be the answer, except $a$, $b$ and $c$.
#
# In some sections the two words of a pair appear in the same kinds of sentence and differ in one thing that their
# context shows: the two ends of a scale, the two axes of a plot. In others a rule of word formation makes the second
# word from the first (`write`, `writer`), or the relation changes from pair to pair. Where is the line? Any line drawn
# by looking at skip-gram would flatter skip-gram, so another method draws it: the first group, **company**, holds the
# six sections in which PPMI-SVD answers the largest share (1,258 questions), and the second group the other nineteen.
# No question was left out. Read PPMI-SVD's own figure for the first group with that in mind; the other methods had no
# say in the choice.

# %% show
EVERY_TEXT = 1  # with 20, one of twenty analogies, and later of intents and messages  ### small: 100
quiz = analogy_scores.Quiz(data.load("docs_analogies"), ANSWERS, answer_analogies, EVERY_TEXT)
methods = {"PPMI-SVD": ppmi_svd, "GloVe": glove, "CBoW": cbow, "skip-gram": skip_gram}
found = {name: quiz.right_by_section(vectors) for name, vectors in methods.items()}
print(analogy_scores.table(found))
print("with pieces of words (the reference):", quiz.shares(WordVectors.load(own=False)))
### BEGIN CLAIMS
from helpers.course.claims import claim

right = {name: analogy_scores.summary(found[name]) for name in methods}
claim("Analogies of company: skip-gram above 0.6", right["skip-gram"]["company"], 0.6)
claim("Analogies, all: PPMI-SVD above skip-gram", right["PPMI-SVD"]["all"], right["skip-gram"]["all"])
### END CLAIMS

# %% show
plots.show(*figures.analogy_bars(found))

# %% [markdown]
# Three things stand out. First, counting is hard to beat: on two million words PPMI-SVD, which needs seconds, is ahead
# of everything that is trained, and not only in the sections that it chose itself. That is what Sahlgren and Lenci
# (2016, [arXiv 1609.08293](https://arxiv.org/abs/1609.08293)) found on small corpora: neural models need more text.
# With the settings of all methods tuned alike, no approach has a global advantage (Levy, Goldberg and Dagan 2015,
# [DOI 10.1162/tacl_a_00134](https://doi.org/10.1162/tacl_a_00134)). It is no accident that they are close: skip-gram
# with negative sampling implicitly factorises a shifted PMI table (Levy and Goldberg 2014).
#
# Second, the three trained methods made the same number of passes, and of these three skip-gram answers the most
# questions. Do not read this as a ranking. CBoW draws only a quarter as many noise words, so that its steps cost the
# same, and nothing here was tuned; GloVe made no more passes than the others, while its authors made 50 to 100.
#
# Third, the nineteen other sections are hard for all four methods, which are blind to spelling. Vectors that also know
# the *pieces* of a word (`writ` + `er`; Bojanowski and others 2017; the last line printed above) make up for much of
# that, since spelling shows form.
#
# Our trainer trades learning for speed. gensim's Word2Vec takes a step for every single pair and learns more from each
# word it reads; ours takes steps of 16,000 words and reads more words a second. `datasets/measure_vectors.py` compares
# the two.

# %% [markdown]
# ## Exercise 12: agreement in rank, Spearman (`spearman`)
#
# 12 minutes, ★★, 4 points
#
# Another question that has an answer: do the vectors agree with *people*? In WordSim-353 people rated pairs of words:
# *tiger, cat* 7.35, *professor, cucumber* 0.31. A cosine is on a different scale, so compare only the order. Replace
# both lists by their **ranks** and take the ordinary (Pearson) correlation of the ranks:
#
# $$\rho = \frac{\sum_i (r_i - \bar r)(s_i - \bar s)}{\sqrt{\sum_i (r_i - \bar r)^2} \, \sqrt{\sum_i (s_i - \bar
# s)^2}}$$
#
# The smallest value has rank 1. Equal values share the **mean** of the ranks that they occupy together.
#
# By hand: $(10, 30, 20, 30)$ has the ranks $(1, 3.5, 2, 3.5)$: the two 30s occupy ranks 3 and 4. With $(1, 2, 3, 4)$
# the correlation is $3 / \sqrt{4.5 \cdot 5} = 0.6325$.
#
# <details><summary>Plan</summary>Turn each list into ranks, then correlate the ranks by the formula: the second half is
# routine, the first is the exercise. Compare every value with every value of its list, (n, n). Count the smaller ones
# and the equal ones, and you know which ranks the equal ones occupy together, and so the mean that they
# share.</details>
# <details><summary>Hint 1</summary>The rank of a value: how many values are smaller, plus half of how many are equal
# (itself included), plus one half.</details>
# <details><summary>Hint 2</summary><code>(x[:, None] > x).sum(1)</code> counts the smaller ones;
# <code>np.corrcoef</code> does the rest.</details>

# %% exercise="spearman"
def spearman(first: np.ndarray, second: np.ndarray) -> float:
    """Return Spearman's rank correlation of two lists, from -1 to 1.

    first, second: (n,) numbers, at least two of them different in each; equal ones share the mean of their ranks.
    """
    ### BEGIN SOLUTION
    ranks = [(x[:, None] > x).sum(1) + (x[:, None] == x).sum(1) / 2 for x in map(np.asarray, (first, second))]
    return float(np.corrcoef(*ranks)[0, 1])
    ### END SOLUTION

# %% check="spearman" points=4

# %% [markdown]
# First ask how far the four methods agree with one another, on 400 random pairs of frequent words. Then compare with
# ratings. WordSim-353 and SimLex-999 are surveys, but their licences are not clear enough for the course to bundle
# them, so the next cell downloads them, or reports why it could not. The course bundles 30 pairs of its own, made of
# words from the docs, such as *begin, start* (9.5) and *matrix, month* (0.5). Their ratings are one person's opinion,
# written down before any vectors were looked at.
#
# Then look at a table learned from far more text. The course bundles MiniLM, a model that you meet in chapter 05. Its
# first layer is a look-up of 384 numbers per word, learned from a great deal of English, and almost 22,000 of its rows
# are whole words. Here, at last, are king and queen.

# %% show
plots.show(*figures.agreement(similarity.agreement(methods, spearman), list(methods)))
minilm = pretrained_table.load()
print(similarity.with_people({"skip-gram": skip_gram, "MiniLM": minilm}, spearman), end="\n\n")
print(similarity.neighbours(minilm, "king queen matrix plot"), "king" in skip_gram, sep="\nking is in the docs: ")
print("man : king :: woman :", minilm.analogy("man", "king", "woman", k=3), "woman:", minilm.nearest("woman", k=2))

# %% [markdown]
# With MiniLM's table the famous example works: *queen* comes first, and it is not simply the neighbour of *woman*. Two
# million words of docs hold neither king nor queen. On the words of software the small table holds its own: its cosines
# agree with the ratings of our 30 pairs no worse than those of the large one, which has read more general English than
# documentation (with so few pairs a correlation near 0.5 is uncertain by about 0.15). On the surveys, which rate
# everyday words, expect next to nothing from our vectors: the vectors that made such scores famous had read a hundred
# billion words of news.

# %% [markdown]
# ## Is a relation a direction?
#
# The map of exercise 2 showed *where* words are. Analogies ask for more: if a relation is a direction, then the
# **differences** $v_b - v_a$ of its pairs point the same way. So take the cosine of every difference with every other:
# pairs of one relation should make a dark block.

# %% show
relations = ["x-and-y", "least-and-greatest", "gram-plural", "gram-agent"]
plots.show(*figures.difference_blocks(*quiz.difference_cosines(skip_gram, relations), relations))

# %% [markdown]
# The blocks are faint: even where most questions are answered correctly, the differences of two pairs have cosines near
# 0. The parallelogram is rarely as neat as in the drawing. How does 3CosAdd answer so many questions, then? See what it
# would answer without $a$ and $b$: simply the nearest neighbour of $c$.

# %% show
print(quiz.beside_nearest(skip_gram, "x-and-y least-and-greatest opposites gram-plural"))

# %% [markdown]
# Much of what looks like arithmetic is mere nearness: the answer $d$ is near $c$ to begin with, and the rule that $c$
# itself cannot be the answer does the rest (Linzen 2016, [arXiv 1606.07736](https://arxiv.org/abs/1606.07736)). Where
# the nearest neighbour alone is right more often, $b - a$ was noise; only where 3CosAdd is ahead did a direction help.
# An analogy score means less than the famous examples suggest.

# %% [markdown]
# ## One vector for all senses
#
# `cell` is a part of a table, a part of a grid, and an object that holds a variable; `kernel` belongs to a
# convolution, to a support vector machine and to an operating system. One word, one vector: its senses are
# **flattened** into one point. What does that look like? Take two words that have nothing to do with each other, and
# pretend that they are one, by adding up their rows of counts. The merged word is between its senses, and nearer to the
# more frequent one.

# %% show
print(similarity.neighbours(skip_gram, "kernel cell root figure", k=9, width=8), end="\n\n")
print(cooccurrence.merged(counts, corpus, ("tensor", "thread"), ("polynomial", "socket"), ("legend", "cuda")))

# %% [markdown]
# There is a second limit: people write down what is worth saying. Nobody writes that a sheep is white, so `sheep` meets
# `black` more often than real flocks would suggest. What goes without saying is missing from co-occurrence counts, and
# from everything that is learned from text alone (Gordon and Van Durme 2013, [Reporting
# bias](https://doi.org/10.1145/2509558.2509563)).

# %% [markdown]
# ## Essay 1: what company knows
#
# 20 minutes, ★★, 10 points, graded by hand
#
# Use what you have seen. (a) `person` had PPMI 0 with every one of the seven words. Which property of a word does that
# measure, why do raw counts not show it, and what would chapter 01's IDF give? (b) Take one word of several senses from
# the cell above and sort its neighbours by sense. What did merging two words show about where such a vector is, and
# what would a remedy need to know that a table of word vectors cannot? (c) Pick one section of the analogies that fails
# and explain from the training objective why it must fail, and why `min : max` does not. About 200 words.

# %% [markdown] essay="company" points=10
# ### BEGIN SOLUTION
# (a) PPMI 0 everywhere means that the word is independent of its company: it meets each word as often as the two
# frequencies predict. Raw counts show the opposite, since person has the largest row sum of all; they measure
# frequency. IDF would agree, as person is in every document and log(N/N_j) = 0, but it looks at documents only, while
# PMI compares word with word. (b) kernel is near the kernels of Gaussian processes and support vector machines (rbf,
# constantkernel) and near convolution (convolving): two senses in one list. Each merged word had a higher cosine with
# both of its parts than these had with each other (next to 0), and the more frequent part was much nearer: the vector
# is a mean, weighted by frequency. A remedy needs the sentence at hand: a vector for the occurrence, not for the word,
# which no table can hold. Chapter 03 makes one. (c) write : writer fails. Skip-gram sees numbers for words, never
# letters, so nothing tells it that writer is write + er; only company could, and the agents of different verbs keep
# different company. min and max keep the same company word for word, so each is the other's nearest neighbour, and that
# alone answers most of that section: the map of differences shows little of a common direction.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 3 points: independence, against frequency in raw counts; IDF also 0, from documents (one point each).
# 3 points: neighbours sorted by sense with words from the output; the merged vector is between, nearer to the more
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
# Word vectors absorb the associations in their texts, including ones that nobody would program on purpose. Vectors
# learned from news or web text put the names of one group nearer to *pleasant* and those of another nearer to
# *unpleasant*. The **word-embedding association test**, WEAT (Caliskan, Bryson and Narayanan 2017, [DOI
# 10.1126/science.aal4230](https://doi.org/10.1126/science.aal4230)), puts a number on it. Are the *target* words $X$
# closer to the *attribute* words $A$ than to $B$, compared with the targets $Y$?
#
# ![A line from 0 to 1 with the association s of four words: the X words at 1 and 0.8, the Y words at 0 and 0.2. Their
# means, 0.9 and 0.1, are 0.8 apart.](figures/weat.svg)
#
# $$s(w) = \frac{1}{|A|} \sum_{a \in A} \cos(w, a) - \frac{1}{|B|} \sum_{b \in B} \cos(w, b), \qquad
# \text{effect} = \frac{\text{mean}_{x \in X} s(x) - \text{mean}_{y \in Y} s(y)}{\text{std}_{w \in X \cup Y} s(w)} .$$
#
# The standard deviation is that of a sample ($n - 1$ in the denominator). Could such a difference arise merely from how
# the targets happened to be divided? The **permutation test** divides $X \cup Y$ in *every* possible way into a first
# part as large as $X$ and the rest, and $p$ is the share of divisions whose difference of means is at least as large as
# the observed one. The observed division is one of them, so $p$ is never 0.
#
# By hand: if $X$ and $Y$ have two words each and $s = (1, 0.8)$ and $(0, 0.2)$, the difference of means is 0.8, the
# standard deviation is $\sqrt{0.68 / 3} = 0.4761$, and the effect is 1.6803. Of the $\binom{4}{2} = 6$ divisions only
# the observed one reaches a difference of 0.8, so $p = 1/6$.
#
# <details><summary>Plan</summary>Give all vectors length 1, and reduce every target word to one number, its s. These
# numbers give you the observed difference of means, and the deviation to divide it by. For p, divide the same numbers
# in every possible way, take each difference of means, and find the share that reaches the observed one; leave a little
# room for rounding.</details>
# <details><summary>Hint 1</summary>First reduce everything to one number for each target word: <code>s</code>, shape
# (|X| + |Y|,).</details>
# <details><summary>Hint 2</summary><code>combinations(range(n), len(X))</code> gives every choice of a first part;
# its mean and that of the others follow from two sums.</details>

# %% exercise="weat"
def weat(X: np.ndarray, Y: np.ndarray, A: np.ndarray, B: np.ndarray) -> tuple[float, float]:
    """Return (effect size, p-value of the one-sided permutation test) of the word-embedding association test.

    X, Y: (n, d), (m, d) vectors of target words; A, B: (k, d), (l, d) vectors of attribute words, none of them zero.
    The s of the targets are not all equal; two lists of eight targets have 12,870 divisions. Rounding must not decide:
    a difference of means that is smaller than the one observed by up to 1e-9 counts as equal to it.
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
# WEAT was made for words about people, and the docs hardly mention people: a handful of occurrences of *he* and *she*
# are too few. So measure another association that nobody meant to teach: are the words of operating systems closer to
# trouble than those of mathematics?

# %% show
TIMES = 4  ### small: 2
lexicon = {"mathematics": "matrix vector polynomial distribution variance coefficients interpolation eigenvalues",
           "systems": "socket thread process file connection server port subprocess",
           "trouble": "error failed warning invalid wrong missing exception unsafe",
           "praise": "good best efficient accurate stable robust correct useful"}
rows_of = associations.rows_of(lexicon, corpus.row)
lists = [rows_of[name] for name in ("systems", "mathematics", "trouble", "praise")]  # X, Y, A, B
print(associations.effects_table(weat, methods, lists))
print("random words in their places:", associations.random_effects(weat, skip_gram.matrix[:ANSWERS], lists, TIMES))

# %% show
plots.show(*figures.association_bars(associations.with_trouble(skip_gram, rows_of)))

# %% [markdown]
# ## Essay 2: what the test says
#
# 20 minutes, ★★, 10 points, graded by hand
#
# Read the effect and the $p$ of the four methods, and the bars. (a) Say in one sentence, without the word "bias", what
# the effect of skip-gram measures, and in another what its $p$ does and does not tell you: which kind of chance does it
# rule out, and which kinds (other word lists, another corpus, another seed) does it ignore? (b) Are sockets *bad*?
# Trace the association back to sentences that the docs contain. (c) Suppose the same effect had come out for names of
# two groups of people, in vectors that an employer uses to rank applications. What could the employer conclude, what
# could they not conclude, and what would have to be measured instead? About 200 words.

# %% [markdown] essay="bias" points=10
# ### BEGIN SOLUTION
# (a) The effect is the number of standard deviations by which the mean cosine difference (trouble minus praise) of the
# eight systems words exceeds that of the eight words of mathematics. p is the share of all divisions of these sixteen
# words into two eights that give so large a difference. It holds the vectors and the four lists fixed: it excludes
# chance in the division, not the chance that I chose words that give it, nor another corpus or seed; I would repeat
# with other lists. Nor does it look at the method: on the same text PPMI-SVD gives a small p, too, but GloVe and CBoW
# do not. (b) No. Sockets, files and processes fail at run time, and the docs say so: "raises an exception if the
# connection failed", "invalid file". Matrices meet "accurate" and "stable" since numerical docs discuss algorithms. The
# vectors record company, not judgement: what is documented, not what is so. (c) The employer may conclude that these
# vectors carry the association, so that scores made from them can too. Not that the ranking discriminates, by how much,
# or that a small effect means it does not: WEAT looks at words, in lists that I chose, and the model may use or ignore
# the direction. One would have to measure the decisions: the same application under different names, error rates by
# group, on real applications, with intervals; and ask whether to rank so at all.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 2 points: the effect as a difference of mean associations in units of the deviation of the targets. 3 points: p as a
# share of divisions of these words; it does not test the lists, the corpus or the seed (two of them named). 2 points:
# co-occurrence in documentation, with a plausible sentence; association is not judgement. 3 points: may carry over;
# does not follow for the decisions, in either direction; what to measure instead (decisions by group, changed names,
# error rates) (one point each).
# ### END MARK SCHEME

# %% [markdown]
# ## Exercise 14: from words to texts and tags (`texts`)
#
# 15 minutes, ★★, 4 points
#
# You have vectors of words. Tasks are about texts, or about words *in* texts. These are the two simplest bridges:
#
# 1. **A document is the mean of its words**, each with a weight, such as its IDF:
#    $h = \sum_t g_{w_t} v_{w_t} \,/\, \sum_t g_{w_t}$. That is `average_vectors`.
# 2. **A word in its position is described by its own vector and its neighbours' vectors.** That is `window_features`:
#    the vector of each position and those of its window, side by side, in $(1 + 2R) \, d$ numbers.
#
# By hand: with vectors $(2, 0)$ and $(0, 4)$ and weights 1 and 3, the document $(0, 1, 1)$ is $\big((2, 0) + 3 (0, 4) +
# 3 (0, 4)\big) / 7 = (0.2857, 3.4286)$. Position 0 with the window $(-1, 1)$ has the features $(2, 0, \; 0, 0, \; 0,
# 4)$.
#
# <details><summary>Plan</summary><code>average_vectors</code> takes one document at a time: fetch the vectors and
# weights of its words, and write their weighted mean into its row, if there is anything to weigh.
# <code>window_features</code> puts each position's own id in front of its window, (T, 1 + 2R), looks them all up at
# once and lays the vectors of each row end to end; think of a <code>table</code> in which -1 finds zeros.</details>
# <details><summary>Hint 1</summary><code>np.average(table[ids], axis=0, weights=weights[ids])</code> does the first,
# where there is something to average.</details>
# <details><summary>Hint 2</summary>Append a row of zeros to the table: then -1, the last row, is a vector of
# zeros.</details>

# %% exercise="texts"
def average_vectors(documents: list[np.ndarray], table: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the weighted mean of each document's word vectors, shape (N, d).

    documents: N arrays of word ids, whole numbers; table: (V, d); weights: (V,), a weight g for each word, 0 or more.
    A document without words, or whose weights add up to 0, becomes a row of zeros.
    """
    ### BEGIN SOLUTION
    means = np.zeros((len(documents), table.shape[1]))
    for i, ids in enumerate(documents):
        if len(ids) and weights[ids].sum() > 0:
            means[i] = np.average(table[ids], axis=0, weights=weights[ids])
    return means
    ### END SOLUTION


def window_features(ids: np.ndarray, windows: np.ndarray, table: np.ndarray) -> np.ndarray:
    """Return each position's own vector, then those of its window from left to right, shape (T, (1 + 2R) * d).

    ids: (T,) word ids, -1 for a word without a vector; windows: (T, 2R) from `context_windows`; table: (V, d).
    A -1, in the ids or in the windows, gives zeros.
    """
    ### BEGIN SOLUTION
    padded = np.vstack([table, np.zeros((1, table.shape[1]), table.dtype)])  # row -1 is the last
    places = np.column_stack([ids, windows])  # (T, 1 + 2R)
    return padded[places].reshape(len(ids), -1)
    ### END SOLUTION

# %% check="texts" points=4

# %% [markdown]
# ## Two ways to judge vectors
#
# Analogies, neighbours and ranks look at the vectors themselves: that is **intrinsic** evaluation. A task that uses
# them, and is scored on its own terms, is **extrinsic** evaluation. The first is quick and tells you what the vectors
# contain; only the second tells you what they are good for, and the two need not agree. So two tasks follow, and after
# them one table with both kinds.
#
# **Tags for words in position.** The inbox marks persons, dates, times, places, sums, courses and organisations, word
# by word: `B-DATE` begins a date, `I-DATE` continues it, `O` is outside. Chapter 03 will read the sentence in order.
# Here a linear classifier sees the word and two neighbours on either side as vectors. But which vectors? Those of the
# docs have never met a campus, so train another table on the texts of the inbox's training part: your code, another
# corpus.

# %% show
PASSES_INBOX = 30  ### small: 1
SEEDS = 2  ### small: 1
STEPS = 200  ### small: 20
tagged = data.load("inbox_tags")
inbox_corpus = read_corpus([" ".join(tokens) for tokens, _ in tagged.train], fewest=2)
inbox_vectors, _ = trainer.train(SkipGram, inbox_corpus, PASSES_INBOX, width=50, reach=4)
print(tagged, f"of the test words {window_tags.known(tagged.test, skip_gram):.0%} have vectors of the docs", sep="\n")
tables = {"random": window_tags.random_vectors(inbox_corpus.words, 50), "docs": skip_gram, "inbox": inbox_vectors}
tag_task = window_tags.TagTask(tagged, context_windows, window_features)
f1 = tag_task.compare(tables, SEEDS, STEPS)
### BEGIN CLAIMS
from helpers.course.claims import claim

for name, runs in f1.items():
    claim(f"F1 of the tags, {name} vectors: two neighbours above the word alone", runs[2], runs[0])
### END CLAIMS

# %% [markdown]
# With every seed, two neighbours on either side raise F1 to several times that of the word alone: `at`, `on` and `with`
# announce what follows. The choice of vectors matters less, and not in the way that one would hope. With 1,500 tagged
# messages a linear classifier does as well on random vectors, which only keep words apart, as on the vectors of the
# docs. On those of the inbox, which have as many dimensions as the random ones, it does worse. We leave the reason
# open. One guess: words that keep the same company, such as a name and a place, are close together and harder to tell
# apart. Vectors should help on words that never occur in the tagged data.

# %% [markdown]
# ## A map of sentences
#
# Exercise 2 drew a map of words. Now that a text is a vector, too, your `pca` can draw one of texts: the mean of the
# word vectors (`average_vectors`, weighted by IDF), in two dimensions. The first map holds 48 requests of CLINC150, by
# the vectors that *your* `step` made: eight of each of six intents, which nobody picked (every twenty-fifth of the list
# of 150). The second holds 48 messages of the inbox, half of them spam, by the vectors of the inbox. None of these
# vectors has seen a label; the labels only colour the points.

# %% show
averaged_texts.draw_maps(pca, average_vectors, request_vectors, inbox_vectors)

# %% [markdown]
# On the first map requests of one intent lie together. Where groups touch, that is mostly the map's doing: it keeps
# about a third of the spread, and by all hundred numbers nearly every request is nearest to one of its own intent. (By
# random vectors, too, as the last line says: requests of one intent share words. But a map of those shows less.) On the
# second map spam and ham overlap, and all fifty numbers are often wrong about them. Word vectors know subjects, and
# here spam and honest mail have the same ones: parcels, jobs, banks. So expect such means to help with intents, and not
# with spam.

# %% [markdown]
# ## What meaning buys: few labels
#
# With one labelled example of each intent, chapter 01's TF-IDF was wrong more often than right: it learns nothing about
# a word that no labelled example contains. The vectors that *your* `step` made in exercise 7 were learned from 15,000
# requests without a label. Do they help? A request is the same mean as on the map, and a logistic regression sees 1, 5
# or 10 labelled examples of each of the 150 intents. Its rivals are vectors of the docs, which never met such requests;
# MiniLM's table, which has read a great deal; random vectors, which only keep words apart; and the strongest model of
# chapter 01, TF-IDF, on the same examples. A last model has both: your means *beside* TF-IDF, in one long vector.

# %% show
DRAWS = 2  # of the examples  ### small: 1
tables = {"its requests": request_vectors, "the docs": skip_gram, "MiniLM": minilm,
          "no text (random)": window_tags.random_vectors(request_vectors.words, 100)}
print(averaged_texts.compare(tables, requests, average_vectors, DRAWS, EVERY_TEXT))
### BEGIN CLAIMS
from helpers.course import leaderboard

scores = {(row.model, row.labels): row.score for row in leaderboard.with_reference("clinc150")}
learned, both = "mean of vectors of its requests", "TF-IDF and mean of vectors of its requests"
rival = "TF-IDF, logistic regression"
for k in (1, 5):
    claim(f"Accuracy of intents, labels for each: {k}; the student's vectors above chapter 01's TF-IDF",
          scores[learned, k], scores[rival, k])
for k in (5, 10):
    claim(f"Accuracy of intents, labels for each: {k}; vectors beside TF-IDF above chapter 01's TF-IDF",
          scores[both, k], scores[rival, k])
for name in ("no text (random)", "the docs"):
    claim(f"Accuracy of intents, labels for each: 5; the student's vectors above those of {name}",
          scores[learned, 5], scores[f"mean of vectors of {name}", 5])
### END CLAIMS

# %% [markdown]
# Compare each row of the table with its strongest rival, the TF-IDF of chapter 01. (The numbers here are means over
# five draws of the examples. Your run makes two draws, so its second digit may differ by one or two.) With *one*
# example of each intent your vectors are clearly ahead, 0.51 against 0.40: an example with *card* now speaks for
# *mastercard*, too. With *five* they are ahead by a little, 0.76 against 0.72, and with *ten* the two are level, 0.80
# each. Meaning is worth most where labels are fewest. Both together are ahead of TF-IDF in all three columns, with
# 0.48, 0.77 and 0.83, and they are the best of all with five and ten labels: each knows something that the other does
# not. (With one label, adding the counts does not help the vectors.)
#
# And the *text* decides. Your vectors have a hundred numbers per word, learned from 124,000 words of requests; MiniLM's
# have 384, learned from a great deal of English. With one example yours are ahead (MiniLM has 0.43), with five the two
# are level (0.76), and with ten MiniLM is ahead (0.82). The vectors of the docs have read sixteen times as much text,
# about software, and do worse here than *random* ones: 0.47 against 0.55 with five.
#
# Now the table that was promised: the vectors of the docs, judged both ways. The left column shows what they contain,
# the right ones what they are good for.

# %% show
judged = {**methods, "random": window_tags.random_vectors(corpus.words[:ANSWERS], 100)}
print(evaluations.both_ways(judged, quiz, tag_task, STEPS, requests, average_vectors, EVERY_TEXT))

# %% [markdown]
# Down the left column the methods are far apart: one answers nearly a third of the analogies, and random vectors answer
# none. In the other two columns all five are close together, random vectors included, and the best at analogies is not
# the best at either task. (This is one seed: a difference of a hundredth means nothing. The F1 of the tags is lower
# than in the earlier table because all tables are limited to the same words, so more of the inbox's words have no
# vector; the last line counts them.) So an intrinsic score is no promise. What did pay off was neither the method nor
# the analogies but the *text*: vectors that had read requests.
#
# Where labels are plentiful, a mean gains nothing: it forgets which words were there, and one telling word drowns among
# thirty others. Spam is such a case, here with vectors learned from the training messages; compare its row with chapter
# 01's TF-IDF in the table:

# %% show
read_messages = averaged_texts.learned_from(trainer, SkipGram, PASSES_INBOX, average_vectors)
benchmarks.spam("02", "mean of vectors of its messages", read_messages, every=EVERY_TEXT)
benchmarks.show("02")

# %% [markdown] text="quiz"

# %% [markdown]
# ## What you built, and what breaks next
#
# You built word vectors from counts and from prediction; the loss, the gradients and the training step of word2vec; the
# functions of a trainer for two million words; measures that tell good vectors from pretty ones; and a test for what
# they have learned that nobody intended.
#
# What breaks: one vector for all senses, and no order. "The dog bit the man" has the same mean vector as "the man
# bit the dog", and the causal bag could not tell which of three words came last.
# [Chapter 03](../03_rnns/03_rnns.ipynb) reads one word after another and carries a memory along.

# %% show
save_docs_vectors(skip_gram, corpus, ANSWERS, PASSES, company=quiz.shares(skip_gram)["company"])
print(artifacts.load("docs-vectors"))

# %% [markdown]
# **Saved:** `docs-vectors`, your skip-gram vectors, which chapter 03 starts from; and your rows of the leaderboard.

# %% [markdown] text="further"
