# %% [markdown]
# # 08 RAG: retrieve, then read
#
# Ask a language model how many results `functools.lru_cache` keeps, and it answers at once, in a confident sentence,
# from whatever was in its weights on the day they were frozen. It cannot tell you where it read that, and it cannot
# notice that the library has changed since.
#
# This chapter builds the other kind of assistant. It searches the documentation for the question, reads what it found,
# answers in the words of one passage, says which passage that was, and is meant to stay silent when the docs do not
# contain the answer. These are three of its answers, recorded when it was last measured.
#
# **What you need.** This chapter uses BM25 from chapter 01, cosine search from 02, and the idea of pointing at a span
# from 05. The artifacts *docs-tokenizer* and *docs-encoder* (07) come with the course; if you have saved an encoder of
# your own, it is used instead.
#
# **Points.** 100: fifteen exercises checked by machine (80) and two short essays (20). Allow about eight hours; the
# ablation table after exercise 9 is a good point for a break. The whole notebook, once written, runs in about three and
# a half minutes on two cores. Your functions do not change their arguments, keep float64, and use words, names and
# texts exactly as given, unless the exercise says otherwise.

# %% given
import math
import re
import time
from collections import Counter
from functools import partial

import numpy as np
import torch

from helpers import data, plots, pretrained
from helpers.chapters.rag import opening
from helpers.chapters.rag.dense_search import VectorStore, load_encoder
from helpers.chapters.rag.panel import Reply, panel
from helpers.course import artifacts, benchmarks, notebook, ways_of_calls
from helpers.search import stems

notebook.prepare("08_rag")
WORD = re.compile(r"\w+")
tokenizer = artifacts.load_tokenizer(own=False)

def beside(kind: str, function, *arguments):  # what checks ask for besides a value: "slopes" are gradients
    return getattr(ways_of_calls, kind)(function, *arguments)

def count_tokens(text: str) -> int:
    """Return how many tokens of docs-tokenizer a text has."""
    return len(tokenizer.encode(text, add_special_tokens=False).ids)

# %% show
opening.show()
print(opening.headline())

# %% [markdown]
# The words of each answer are marked in the passage they come from, and the number after them names that passage. The
# first answer is right. The second is not: the search found `loadtxt`, whose signature has `skiprows`, but the reader
# copied a word from the passage about another function. The docs do not answer the third question, and knowing when to
# be silent is a problem of its own. The last lines show how often the assistant is right on all test questions, none of
# which was picked to flatter it. You will build every stage of the machine that gave these answers (the drawing shows
# them), and at the end of the chapter a panel lets you ask it anything.
#
# ![A question passes five stages: search, fuse, re-rank, pack, read. 26,562 chunks become 3 passages, and these become
# an answer with its source, or silence.](figures/pipeline.svg)
#
# The name is *retrieval-augmented generation* (P. Lewis et al., "Retrieval-augmented generation for
# knowledge-intensive NLP tasks", 2020, [arXiv:2005.11401](https://arxiv.org/abs/2005.11401)): leave the facts where
# they are, look them up when somebody asks, and hand them to the model together with the question. (If all your
# documents fit into one prompt, put them there and stop here. Ours do not fit, and even if they did, every question
# would pay for reading them all.)
#
# ## The task
#
# Our corpus is the documentation of six libraries. Our judge is a set of questions that were written about it for this
# course, in plain words. Each question is stored with the document that it was written about and the words there that
# answer it. Some questions cannot be answered from the docs at all. The set has two parts: we make choices on *valid*
# and report results on *test*. No document has questions in both parts.

# %% show
PART = 1  # with 4, every fourth document and those with questions  ### small: 20
docs = data.load("docs")
questions = data.load("docs_questions").held_by(docs)
print(docs, questions, sep="\n")
for asked in questions.splits["valid"][:3] + [q for q in questions.splits["valid"] if not q.answerable][:2]:
    found = f"{asked.document}: {asked.evidence}" if asked.answerable else "(the docs do not say)"
    print(f"\n{asked.question}\n    {found}\n    answer: {asked.answer or 'I do not know.'}")

# %% [markdown]
# ## Exercise 1: three numbers for a ranking (`metrics`)
#
# 15 minutes, ★, 4 points
#
# Suppose one search ranks the right document second and another ranks it ninth. Both "found" it, but only the first is
# much use to you. Before we build a search, we decide how to score one:
#
# - *Recall at k*: the share of the relevant documents that are among the first $k$.
# - *Reciprocal rank*: $1 / r$ for the rank $r$ of the first relevant document, 0 if the ranking has none. Its mean over
#   questions is the MRR, the mean reciprocal rank.
# - *nDCG at k* (K. Järvelin, J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques", 2002,
#   [doi:10.1145/582415.582418](https://doi.org/10.1145/582415.582418)): the normalised discounted cumulative gain.
#   Documents have gains $g \ge 0$, larger for better ones, and a gain counts less the lower its document is ranked.
#
# ![Documents a, b, c, d at ranks 1 to 4 with gains 0, 2, 0, 1, each divided by log2 of rank plus 1: together 1.69, at
# best 2.63, so nDCG is 0.64.](figures/ranking.svg)
#
# $$\mathrm{DCG}_k = \sum_{r=1}^{k} \frac{g_r}{\log_2(r + 1)} \qquad \mathrm{nDCG}_k =
# \frac{\mathrm{DCG}_k}{\text{the DCG}_k \text{ of the best possible order}}$$
#
# The best possible order sorts *all* the gains, including those of documents that the search missed.
#
# By hand: with ranked (a, b, c, d) and relevant {b, d, x}, recall at 2 is 1/3 and the reciprocal rank is 1/2. With the
# gains b: 2 and d: 1, nDCG at 4 is
# $(2 / \log_2 3 + 1 / \log_2 5) / (2 / \log_2 2 + 1 / \log_2 3) = 1.6925 / 2.6309 = 0.6433$.
#
# <details><summary>Hint</summary>Write a helper that returns the DCG of a list of gains, and use it twice.</details>

# %% exercise="metrics"
def recall_at(ranked: list[str], relevant: list[str], k: int) -> float:
    """Return the share of the relevant documents among the first k of the ranked.

    ranked: each document once, the best first; may be shorter than k, or empty: what is not in it was not found.
    relevant: at least one document, none twice.
    """
    ### BEGIN SOLUTION
    return len(set(ranked[:k]) & set(relevant)) / len(relevant)
    ### END SOLUTION


def reciprocal_rank(ranked: list[str], relevant: list[str]) -> float:
    """Return 1 / the rank of the first relevant document, 0 if none is there."""
    ### BEGIN SOLUTION
    return next((1 / rank for rank, name in enumerate(ranked, start=1) if name in relevant), 0.0)
    ### END SOLUTION


def ndcg_at(ranked: list[str], gains: dict[str, float], k: int) -> float:
    """Return the nDCG of the first k of the ranked; what is not in `gains` has the gain 0, and one gain is above 0."""
    ### BEGIN SOLUTION
    def dcg(values):
        return sum(g / math.log2(rank + 1) for rank, g in enumerate(values[:k], start=1))

    return dcg([gains.get(name, 0) for name in ranked]) / dcg(sorted(gains.values(), reverse=True))
    ### END SOLUTION

# %% check="metrics" points=4

# %% [markdown]
# ## Chunks
#
# A docstring may have two lines or two hundred. Nobody wants two hundred lines as a search result, and no small reader
# can take them in, so documents are cut into pieces, called *chunks*. The simplest chunks are windows with a fixed
# number of words. But a cut may go right through the sentence that answers the question, and then neither half answers
# it. So neighbouring windows *overlap*: each begins a few words before the previous one ends. The price is a larger
# index.
#
# ![Seven words in windows of four: with overlap 1 two windows that share d, with overlap 2 three windows that share
# c, d and e, f.](figures/chunks.svg)
#
# ## Exercise 2: chunks by structure (`sections`)
#
# 15 minutes, ★★, 5 points
#
# A docstring has a structure: paragraphs, parameters, notes, with blank lines between them. If you cut at these lines,
# each chunk is a complete thought. You gather whole paragraphs until the next one would make the chunk too long:
#
# 1. Split the text at blank lines (a line of spaces or tabs is blank, too). Strip each paragraph at its start and end;
#    leave its inside unchanged. Drop empty paragraphs.
# 2. Go through the paragraphs and gather them. If a paragraph would bring the chunk above `size` words, close the chunk
#    first and begin the next one with that paragraph. A paragraph longer than `size` is *not* cut: it becomes a chunk
#    of its own, and the paragraph after it begins another.
# 3. A chunk is its paragraphs joined by one blank line (`"\n\n"`). Words are what `str.split()` gives.
#
# By hand, with size 5: paragraphs of 2, 3, 1 and 9 words give three chunks, of 2 + 3, 1 and 9 words.
#
# <details><summary>Plan</summary>First make the list of paragraphs: split at blank lines, strip, drop the empty ones.
# Then walk through it, keeping the chunk that you are filling and the count of its words. Before you add a paragraph,
# ask whether the chunk would grow too long; if so, close it and start a new one, but never close an empty chunk. At the
# end one chunk may still be open.</details>
# <details><summary>Hint 1</summary><code>re.split(r"\n\s*\n", text)</code> splits at blank lines.</details>
# <details><summary>Hint 2</summary>Keep a list of paragraphs and the count of their words; close it when it is not
# empty and would grow too long, and once more at the end.</details>

# %% exercise="sections"
def sections(text: str, size: int) -> list[str]:
    """Return chunks of whole paragraphs, each of at most `size` words unless a single paragraph is longer."""
    ### BEGIN SOLUTION
    chunks, gathered, count = [], [], 0
    for paragraph in filter(None, map(str.strip, re.split(r"\n\s*\n", text))):
        words = len(paragraph.split())
        if gathered and count + words > size:
            chunks.append("\n\n".join(gathered))
            gathered, count = [], 0
        gathered.append(paragraph)
        count += words
    return chunks + (["\n\n".join(gathered)] if gathered else [])
    ### END SOLUTION

# %% check="sections" points=5

# %% [markdown]
# What does the way of cutting change? For what share of the questions are the answering words *whole*, all in one
# chunk? If a cut tears an answer apart, no search and no reader can mend it. And how many chunks, and how many words in
# all, must be stored?

# %% show
from helpers.chapters.rag import figures
from helpers.experiments.chunks import Corpus, compare_cuts, cuts_table, windows

answerable = [q for q in questions if q.answerable]
ways = {
    "whole documents": lambda text: [text],
    "100 words": windows(100), "40 words": windows(40), "40 words, 15 shared": windows(40, 15),
    "sections of 100": lambda text: sections(text, 100), "sections of 40": lambda text: sections(text, 40),
}
cuts = compare_cuts(answerable, docs, ways)
print(cuts_table(cuts))
plots.show(*figures.whole_answers({name: cut.whole for name, cut in cuts.items()}))

# %% [markdown]
# Sections keep nearly every answer whole without repeating a word; windows tear some answers apart, and each overlap
# stores words twice. We use sections. But a chunk that says "Default: 1e-5" is worth nothing if nobody knows which
# parameter of which function it is about, so each chunk begins with the name and signature of its document. The table
# after exercise 9 shows how much that helps. With a language model at hand you can go further: the model reads the
# whole document and writes a sentence of context to go before each of its chunks ([contextual
# retrieval](https://www.anthropic.com/news/contextual-retrieval), Anthropic 2024).

# %% show
SIZE = 120  # words of a chunk
corpus = Corpus(opening.part_of(docs, questions, PART), sections, SIZE)
documents, chunks = corpus.documents, corpus.chunks  # chunks: [(name and signature, text), ...]
print(f"{len(documents):,} documents, {len(chunks):,} chunks of {corpus.mean_length():.0f} words")

# %% [markdown]
# ## Exercise 3: an inverted index (`inverted`)
#
# 30 minutes, ★★★, 7 points
#
# Chapter 01's BM25 went through all documents for each query, and nearly all of them scored 0. A book does not make you
# read every page to find a word: it has an index at the back. An *inverted index* is the same idea: for each word it
# stores the list of documents that contain it, the word's *postings*.
#
# ![Three documents a b a, b, and b c turned into postings: a in document 0 twice, b in all three, c in document 2; a
# query for c reads one list.](figures/inverted.svg)
#
# The weight that BM25 gives a word in a document does not depend on the query, so it can be computed beforehand and
# stored in the list. The weight is a product. Its first factor, the IDF, measures how rare the word is; the second, the
# fraction, measures how often the word occurs in *this* document, with diminishing returns:
#
# ![The BM25 fraction over the count of a word: 1 for one occurrence, 1.77 for five, 2.08 for twenty, never above 2.2;
# in a document twice as long it rises later.](figures/saturation.svg)
#
# $$\text{weight}(w, d) = \ln\Big(1 + \frac{N - N_w + 0.5}{N_w + 0.5}\Big) \cdot
# \frac{\text{TF}(w, d) \cdot (k_1 + 1)}{\text{TF}(w, d) + k_1 \cdot \big(1 - b + b \cdot
# \frac{|d|}{\text{avgdl}}\big)}$$
#
# where $N$ is the number of documents and $N_w$ the number of those that contain $w$; $|d|$ is the number of words of
# document $d$ (repeats count), and avgdl is its mean over all documents. $k_1$ controls how soon one more occurrence
# stops mattering, and $b$ how much a long document is marked down. The IDF is the one that Lucene uses, which is never
# negative. (S. Robertson, H. Zaragoza, "The probabilistic relevance framework: BM25 and beyond", 2009,
# [doi:10.1561/1500000019](https://doi.org/10.1561/1500000019).) Answering a query then takes a few additions of short
# arrays. You write three functions: one builds the index, one scores all documents, one takes the best.
#
# By hand: the documents are (a b a), (b) and (b c). For the word c, $N_w = 1$, so its IDF is
# $\ln(1 + 2.5 / 1.5) = 0.9808$; with $k_1 = 1.2$, $b = 0.75$ and avgdl = 2, its fraction in the third document is
# $2.2 / 2.2 = 1$.
#
# <details><summary>Plan</summary><code>build_index</code> reads the documents once and gathers, for each word, which
# documents contain it and how often; once all lengths are known, it turns each word's lists into two arrays, numbers
# and weights. <code>bm25_scores</code> starts from N zeros and touches only the postings of the query's words.
# <code>best</code> throws away the zeros, narrows the rest to those that can be among the first k, and sorts only
# these.</details>
# <details><summary>Hint 1</summary>First pass: make a <code>Counter</code> of each document; for each of its words,
# append the document's number and the word's count to the word's lists. Second pass: turn the counts into weights, with
# arrays.</details>
# <details><summary>Hint 2</summary><code>scores[numbers] += weights</code> adds at many positions at once. It counts a
# repeated number only once, but no document occurs twice in one word's postings.</details>
# <details><summary>Hint 3</summary><code>np.lexsort((numbers, -scores[numbers]))</code> sorts by score, then by
# number.</details>

# %% exercise="inverted"
def build_index(
    documents: list[list[str]], k1: float = 1.2, b: float = 0.75
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return {word: (numbers (n,), BM25 weights (n,))} of N tokenised documents.

    numbers: the documents that hold the word, ascending, integers from 0. weights: float64, in the same order. No
    documents give an empty dict; an empty document has no words, and counts in N and avgdl.
    """
    ### BEGIN SOLUTION
    postings: dict[str, tuple[list[int], list[int]]] = {}
    for number, document in enumerate(documents):
        for word, count in Counter(document).items():
            numbers, counts = postings.setdefault(word, ([], []))
            numbers.append(number)
            counts.append(count)
    lengths = np.array([len(document) for document in documents], dtype=float)
    index = {}
    for word, (numbers, counts) in postings.items():
        numbers, tf = np.array(numbers), np.array(counts, dtype=float)
        idf = math.log(1 + (len(documents) - len(numbers) + 0.5) / (len(numbers) + 0.5))
        length = 1 - b + b * lengths[numbers] / lengths.mean()
        index[word] = (numbers, idf * tf * (k1 + 1) / (tf + k1 * length))
    return index
    ### END SOLUTION

def bm25_scores(index: dict[str, tuple[np.ndarray, np.ndarray]], query: list[str], num_documents: int) -> np.ndarray:
    """Return the score of each document for a tokenised query, (N,) float64.

    A word that occurs twice in the query counts twice; a word that is not in the index adds nothing.
    """
    ### BEGIN SOLUTION
    scores = np.zeros(num_documents)
    for word in query:
        if word in index:
            numbers, weights = index[word]
            scores[numbers] += weights
    return scores
    ### END SOLUTION

def best(scores: np.ndarray, k: int) -> list[int]:
    """Return the numbers of the (at most) k largest scores above 0, the largest first, as ints.

    Equal scores: the lower number first. Do not sort all N if few are above 0.
    """
    ### BEGIN SOLUTION
    numbers = np.flatnonzero(scores > 0)
    if len(numbers) > k > 0:  # all that reach the k-th score, so that ties are settled below
        threshold = -np.partition(-scores[numbers], k - 1)[k - 1]
        numbers = numbers[scores[numbers] >= threshold]
    return numbers[np.lexsort((numbers, -scores[numbers]))][:k].tolist()
    ### END SOLUTION

# %% check="inverted" points=7

# %% [markdown]
# Two tests of your functions follow. The first scores chapter 01's two documents for the query "not sentence", now with
# Lucene's IDF. The second compares your scores with those of an independent BM25, the library rank_bm25. Its IDF is a
# different one, so we use that in place of ours; everything else must agree.

# %% show exact=true
from helpers.chapters.rag.bm25 import rank_bm25_scores, with_idf

texts = ["This This is is a sentence sentence another", "This is a a sentence sentence another not not Yet"]
lecture = bm25_scores(build_index([text.split() for text in texts], k1=1.5), ["not", "sentence"], 2)
print("the lecture's documents:", *(f"{value:.4f}" for value in lecture))
few, query = corpus.words[:500], stems("remove an element from the list and return the default value")
library, its_idf = rank_bm25_scores(few, query)
ours = bm25_scores(with_idf(build_index(few), its_idf, len(few)), query, len(few))
print("the same as rank_bm25 with its IDF:", np.allclose(ours, library))

# %% show
index = build_index(corpus.words)
print(f"{len(index):,} words, {sum(len(n) for n, _ in index.values()):,} postings")


def lexical(question: str, k: int = 100) -> list[int]:
    """Return the numbers of the k best chunks by BM25."""
    return [int(i) for i in best(np.asarray(bm25_scores(index, stems(question), len(chunks))), k)]


example = opening.EXAMPLES[0]
print(*(chunks[i][0][:90] for i in lexical(example, 5)), sep="\n")

# %% [markdown]
# ## Exercise 4: exact dense search (`dense`)
#
# 20 minutes, ★★, 6 points
#
# Words are not meanings: a question about "accented letters" should find "non-ASCII characters", but BM25 sees no word
# in common. An encoder (chapter 07) gives each text a vector that is near the vectors of texts with the same meaning.
# To search is then to compute a matrix product and to find the largest numbers in each of its rows.
#
# The trouble is memory. For a million passages and a thousand questions the whole product has $10^9$ numbers, four
# gigabytes, so it must never exist all at once. `dense_top` goes through `vectors` $(N, C)$ in pieces of `batch` rows,
# and after each piece keeps, for every query, the best `k` so far.
#
# By hand: one query (1, 0), the vectors (1, 5), (3, 0), (2, 2) and k = 2 give the rows (1, 2) and the scores (3, 2).
#
# <details><summary>Plan</summary>Start with nothing kept: two tables, rows and scores, of shape (Q, 0). For each piece
# of the vectors, compute its scores, put them beside the kept ones, and keep the k best of each query, best first.
# Whatever you do to the scores, do to the rows as well, and remember that only the first piece begins at row 0 of the
# whole. After the last piece you have the answer.</details>
# <details><summary>Hint 1</summary>The best vectors overall are among the best of their pieces: put the new scores
# beside the kept ones (<code>np.concatenate(..., axis=1)</code>) and choose again.</details>
# <details><summary>Hint 2</summary><code>np.take_along_axis(scores, order, axis=1)</code> can pick different columns in
# each row.</details>

# %% exercise="dense"
def dense_top(
    queries: np.ndarray, vectors: np.ndarray, k: int, batch: int = 32768
) -> tuple[np.ndarray, np.ndarray]:
    """Return (rows, scores), each (Q, min(k, N)), of the largest dot products of queries (Q, C) and vectors (N, C).

    Integer rows, largest first; ties in any order. Make at most Q x batch new products at once.
    Keep only the best k of each query from one piece to the next.
    """
    ### BEGIN SOLUTION
    rows, scores = np.zeros((len(queries), 0), dtype=int), np.zeros((len(queries), 0), dtype=queries.dtype)
    for start in range(0, len(vectors), batch):
        new = queries @ vectors[start : start + batch].T  # (Q, n)
        n = new.shape[1]
        places = np.argpartition(new, max(n - k, 0), axis=1)[:, max(n - k, 0) :]  # the k best of the piece, in no order
        scores = np.concatenate([scores, np.take_along_axis(new, places, axis=1)], axis=1)
        rows = np.concatenate([rows, places + start], axis=1)
        order = np.argsort(-scores, axis=1)[:, :k]
        rows, scores = np.take_along_axis(rows, order, axis=1), np.take_along_axis(scores, order, axis=1)
    return rows, scores
    ### END SOLUTION

# %% check="dense" points=6

# %% show
encoder = load_encoder()
vectors = encoder.encode([f"{title}\n{text}" for title, text in chunks])
print(f"{type(encoder).__name__}: {vectors.shape}, {vectors.nbytes / 1e6:.0f} MB")


def dense(question: str, k: int = 100) -> list[int]:
    """Return the numbers of the k chunks whose vectors have the largest dot product with the question's."""
    return np.asarray(dense_top(encoder.encode([question]), vectors, k)[0], dtype=int)[0].tolist()

# %% [markdown]
# One line loads the encoder, and you may load another: the page [Bring your own model](../bring_your_own_model.md)
# shows how to use any encoder from the Hugging Face hub, and any language model in place of the reader.
#
# **The same in Qdrant.** A vector database keeps vectors on disk, filters them by data stored with them, and serves
# many users at once. Ours runs inside this process (`url=None`); with `url="http://localhost:6333"` the same code asks
# a server. An exact search in Qdrant must find the same ten chunks as yours (here among the first 8,000, to save time).

# %% show
from helpers.experiments.rankings import agreement

ASKED = 20  ### small: 3
store = VectorStore(vectors[:8000])
asked = encoder.encode([q.question for q in questions.splits["valid"][:ASKED]])
same, gap = agreement(*dense_top(asked, vectors[:8000], 10), [store.search(vector) for vector in asked])
print(f"the same top-10 in Qdrant for {same} of {len(asked)} questions; largest difference of scores {gap:.1e}")

# %% [markdown]
# ## Exercise 5: two rankings into one (`fusion`)
#
# 10 minutes, ★, 5 points
#
# BM25 matches names, the encoder matches meanings, and each finds documents that the other misses (below you count how
# often). You want both, but cannot add their scores: those of BM25 go up to 30, the encoder's never exceed 1.
# *Reciprocal rank fusion* (G. V. Cormack, C. L. A. Clarke, S. Büttcher, 2009,
# [doi:10.1145/1571941.1572114](https://doi.org/10.1145/1571941.1572114)) throws the scores away and uses ranks alone:
#
# ![The rankings 7, 3 and 3, 9 fused with c = 1: 3 gets 1/3 + 1/2 = 0.83, 7 gets 0.50, 9 gets
# 0.33.](figures/fusion.svg)
#
# $$\text{score}(d) = \sum_{\text{rankings that hold } d} \frac{1}{c + \text{rank of } d}, \qquad c = 60$$
#
# By hand, as in the drawing: with c = 1 and the rankings (7, 3) and (3, 9), document 3 scores 1/3 + 1/2 = 0.8333,
# document 7 scores 0.5 and document 9 scores 0.3333. With $c = 60$, the paper's choice (the paper and most libraries
# call it $k$), the first few ranks weigh nearly the same, so a document gains most if both searches find it.
#
# <details><summary>Hint</summary>Keep one dict from number to score, and sort by
# <code>(-score, number)</code>.</details>

# %% exercise="fusion"
def fuse(rankings: list[list[int]], c: float = 60.0) -> list[tuple[int, float]]:
    """Return [(number, score), ...] of all documents in the rankings, the largest score first.

    Equal scores: the lower number first. The first rank is 1. A document gets nothing from a ranking that lacks it.
    Rankings may differ in length, and any may be empty.
    """
    ### BEGIN SOLUTION
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, number in enumerate(ranking, start=1):
            scores[number] = scores.get(number, 0.0) + 1 / (c + rank)
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    ### END SOLUTION

# %% check="fusion" points=5

# %% [markdown]
# ## Exercise 6: the first search (`hybrid`)
#
# 8 minutes, ★, 4 points
#
# Both searches and their fusion make up the first stage of your assistant. The searches find chunks, but a question is
# about a document, and a single long document may fill all of the first ten ranks with its chunks. So only the
# best-ranked chunk of each document is kept, and the others make room:
#
# 1. Ask each search for its $2k$ best chunks. That is twice as many as you want, because the further chunks of a
#    document will be dropped.
# 2. Fuse their whole rankings with `fuse`, and leave $c$ at its default.
# 3. Walk through the fused ranking, best first, and keep the first chunk of each document. Stop at $k$.
#
# By hand: let k = 2 and the rankings be (4, 5, 0, 2) and (1, 2, 4, 3). Chunks 0 and 1 belong to document 0, chunks 2
# and 3 to document 1, chunks 4 and 5 to document 2. The fused ranking is 4, 2, 1, 5, 0, 3. Chunks 4 and 2 are from
# different documents, so the answer is (4, 2).
#
# <details><summary>Hint</summary>A dict keeps its keys in the order in which they were added, and
# <code>found.setdefault(owner, number)</code> keeps the first number of each owner.</details>

# %% given
from helpers.chapters.rag import own_pipeline

def hybrid_of(*run) -> dict:  # for the check: the numbers, and what each search was asked
    return own_pipeline.found(hybrid, *run)

# %% exercise="hybrid"
def hybrid(question: str, searches: list, owners: np.ndarray, k: int = 100) -> list[int]:
    """Return the numbers of at most k chunks, the best first, no two of the same document.

    searches: functions; each takes (question, n) and returns the numbers of its n best chunks, the best first, or fewer
    if it finds fewer. Call each once. owners: (chunks,), for each chunk the number of its document.
    """
    ### BEGIN SOLUTION
    found: dict[int, int] = {}
    for number, _ in fuse([search(question, 2 * k) for search in searches]):
        found.setdefault(int(owners[number]), number)
    return list(found.values())[:k]
    ### END SOLUTION

# %% check="hybrid" points=4

# %% [markdown]
# We count a search as right when it finds *any* document that answers the question: the one that the question was
# written about, or another that answers it as well (a method that does what the function does, or the torch function
# beside NumPy's if the question names no library). Nobody can read all documents for each question, so one person
# judged a *pool*, the ten best documents of three searches, as the TREC evaluations do (E. M. Voorhees, 2002,
# [doi:10.1007/3-540-45691-0_34](https://doi.org/10.1007/3-540-45691-0_34)); a document outside the pool counts as
# wrong. Recall, MRR and nDCG use only the rank of the first document that answers, as if there were no other.

# %% show
from helpers.experiments.rankings import fifths, first_ranks, found_by, gain, stages_table

first_search = partial(hybrid, searches=[lexical, dense], owners=corpus.owners)
EVERY = {"valid": 1, "test": 3}  # all valid questions, every third test question  ### small: {"valid": 40, "test": 24}
parts = {}
for name, every in EVERY.items():
    answerable = [question for question in questions.splits[name] if question.answerable]
    parts[name] = answerable[::every]
stages = {"BM25": lexical, "dense": dense, "fused": first_search}
ranks = {name: first_ranks(way, parts["test"], corpus) for name, way in stages.items()}
for name, found in ranks.items():
    print(f"{name:<8} recall@10 {np.mean(found <= 10):.3f}   MRR {np.mean(1 / found):.3f}")
print(found_by(ranks, "BM25", "dense"))

# %% [markdown]
# Fusion is better than the dense search, and a little better than BM25, the better of its two parts; exercise 9 will
# tell whether so small a difference is more than chance. What fusion does bring is *candidates* for the next stage:
# each search adds right documents that the other one missed.
#
# ## Exercise 7: look again, closely (`rerank`)
#
# 25 minutes, ★★, 6 points
#
# The first search must look at everything, so it has to be cheap. For a hundred candidates you can afford sharper
# questions. Do the words of the question occur close *together* in the passage, or are they scattered over it? Is the
# title about them, or only the text? *Re-ranking* sorts the candidates again by such evidence, here by four features
# that no sum of word weights can express. Words that are not in `idf` are ignored throughout. The weight of a list of
# words is the sum of the IDF of its *different* words.
#
# 1. the weight of the query's words that occur in the title, divided by the weight of the query;
# 2. the same for the body;
# 3. the weight of the title's words that occur in the query, divided by the weight of the *title*;
# 4. closeness: the largest number of different words of the query (in `idf`) that occur within any `WINDOW` = 12
#    consecutive words of the body, divided by the number of different words of the query in `idf`. A body shorter than
#    that is one window.
#
# Where the divisor is 0, the feature is 0. Words are compared exactly as given.
#
# By hand, if every IDF is 1: query (a b c), title (a x) and body (b y c) give 1/3, 2/3, 1/2, 2/3.
#
# <details><summary>Plan</summary>Reduce query, title and body to sets of words that <code>idf</code> knows. The first
# three features then ask the same question three times: what share of one set's weight does another set cover? Write a
# helper for it that handles a weight of zero. For the fourth, slide a window along the body, still a list, count the
# different query words inside it, and keep the largest count.</details>
# <details><summary>Hint 1</summary>Use sets: <code>asked = {word for word in query if word in idf}</code>, then sums
# over intersections.</details>
# <details><summary>Hint 2</summary><code>range(max(1, len(body) - WINDOW + 1))</code> gives the starts of all windows.
# Or take <code>body[i : i + WINDOW]</code> for every position <code>i</code> that holds a word of the query. Near the
# end of the body this slice is shorter, but it is still part of a window.</details>

# %% given
WINDOW = 12

# %% exercise="rerank"
def features(query: list[str], title: list[str], body: list[str], idf: dict[str, float]) -> list[float]:
    """Return the four features of a query and a passage."""
    ### BEGIN SOLUTION
    def known(words):
        return {word for word in words if word in idf}

    def weight(words):
        return sum(idf[word] for word in words)

    def share(part, whole):
        return weight(part) / weight(whole) if weight(whole) else 0.0

    asked, titled, told = known(query), known(title), known(body)
    starts = [i for i, word in enumerate(body) if word in asked]  # the best window may begin with a word that counts
    close = max((len(asked & set(body[start : start + WINDOW])) for start in starts), default=0)
    return [
        share(asked & titled, asked), share(asked & told, asked), share(asked & titled, titled),
        close / len(asked) if asked else 0.0,
    ]
    ### END SOLUTION

# %% check="rerank" points=6

# %% [markdown]
# The helpers add 32 more numbers: what the first search found (scores and ranks), how often other documents refer to
# this one and how deep it is nested in its library (people ask about `json.dumps` more often than about a method of a
# private helper), three searches over *whole* documents (by stems, by runs of four letters, by the reference
# docs-encoder), and whether the question names the function or its library. A logistic regression learns the weights
# from the *valid* questions alone: it learns to tell the right candidates from the others.

# %% show
from helpers.chapters.rag.document_features import WholeDocuments
from helpers.chapters.rag.reranking import Candidates, Learned
from helpers.models import docs_encoder

wholes = WholeDocuments(documents, docs_encoder.load_encoder(own=False))
candidates = Candidates(corpus, encoder, vectors, index, features, first_search=first_search, wholes=wholes,
                        bm25_scores=bm25_scores)
by_features = Learned(candidates, parts["valid"])

# %% [markdown]
# ## Exercise 8: read them together (`cross`)
#
# 25 minutes, ★★, 6 points
#
# Your features still count words. "Which exception tells me that the program took too long?" and a passage on
# `TimeoutExpired` share hardly a word, and a dot product of two vectors, each computed without the other text, may not
# show that the one answers the other. A *cross-encoder* can see it (R. Nogueira, K. Cho, "Passage re-ranking with
# BERT", 2019, [arXiv:1901.04085](https://arxiv.org/abs/1901.04085)): it reads question and passage as *one* input, so
# every word of either attends to every word of the other.
#
# ![Left, two towers: question and passage are turned into a vector each, separately, and meet in a dot product. Right,
# a cross-encoder: both form one input, and the output is one score.](figures/towers.svg)
#
# The price is that nothing can be computed beforehand. Each new question means reading all its candidates again, so a
# cross-encoder comes last and reads only a handful. *Late interaction* (O. Khattab, M. Zaharia, "ColBERT", 2020,
# [arXiv:2004.12832](https://arxiv.org/abs/2004.12832)) is a compromise between the two: a vector for each *token* is
# stored, and each token of the question looks for the nearest one in the passage.
#
# **The input.** `pair` joins the token ids in the form in which BERT learned to read two texts:
# `[CLS] question [SEP] passage [SEP]`. The *segments* say which text each token belongs to: 0 for [CLS], the question
# and the first [SEP], 1 for the passage and the last [SEP]. If the input is too long, the passage is cut at its end.
#
# **The loss.** The candidates of a question compete: it does not matter how high the right one scores, only that it
# scores above the others. Let $s_{qk}$ be the score of candidate $k$ for question $q$; the softmax over $k$ should put
# most of its probability on the right candidates (this is chapter 07's InfoNCE, with the candidates of the previous
# stage as hard negatives):
#
# $$L = -\frac{1}{|Q|} \sum_{q \in Q} \ln \frac{\sum_{k \text{ right}} e^{s_{qk}}}{\sum_k e^{s_{qk}}}$$
#
# where $Q$ is the set of questions that have a right candidate; the others have nothing to teach.
#
# By hand: for question (7, 8), passage (4, 5, 6) and length 7, one passage token must go. With 1 for [CLS] and 2 for
# [SEP], the input is 1 7 8 2 4 5 2, with segments 0 0 0 0 1 1 1. For the scores (2, 1, 0), if only the second candidate
# is right, the loss is $-\ln(e / (e^2 + e + 1)) = 1.4076$; if the first is right as well, it is
# $-\ln((e^2 + e) / (e^2 + e + 1)) = 0.0943$.
#
# <details><summary>Plan</summary>For <code>pair</code>, find how many passage tokens there is room for, cut the
# passage, and build ids and segments side by side, so that they have the same length. <code>ranking_loss</code> first
# keeps only the questions that have a right candidate. For each of them it compares two sums, one over the right
# candidates and one over all; work with logarithms throughout, where a quotient becomes a difference, and take the mean
# at the end.</details>
# <details><summary>Hint 1</summary>There is room for <code>length - len(query) - 3</code> tokens of the
# passage.</details>
# <details><summary>Hint 2</summary>Use <code>torch.logsumexp</code> twice: once over all scores, and once over the
# scores in which <code>masked_fill</code> has set the wrong ones to minus infinity. Choose the rows with
# <code>right.any(dim=1)</code> first.</details>

# %% exercise="cross"
def pair(
    query: list[int], passage: list[int], length: int, cls: int = 101, sep: int = 102
) -> tuple[list[int], list[int]]:
    """Return (token_ids, segments) of [CLS] query [SEP] passage [SEP], with at most `length` tokens.

    length is at least len(query) + 3: the query is never cut, the passage may lose all its tokens.
    """
    ### BEGIN SOLUTION
    kept = passage[: length - len(query) - 3]
    return [cls, *query, sep, *kept, sep], [0] * (len(query) + 2) + [1] * (len(kept) + 1)
    ### END SOLUTION


def ranking_loss(scores: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """Return the mean loss of scores (Q, K), a scalar of their dtype with a gradient; right (Q, K): booleans.

    A question may have several right candidates. One with none is left out. At least one question has a right
    candidate.
    """
    ### BEGIN SOLUTION
    some = right.any(dim=1)
    scores, right = scores[some], right[some]
    among = scores.masked_fill(~right, -torch.inf)
    return (scores.logsumexp(dim=1) - among.logsumexp(dim=1)).mean()
    ### END SOLUTION

# %% check="cross" points=6

# %% [markdown]
# The body is that of docs-reader, which you will meet below: MiniLM (22.7 million weights), trained to read a question
# and a passage together. The body stays frozen. Only a head of 385 weights is trained: one for each of the 384 numbers
# of the [CLS] vector, and one for the score from the previous stage, so that it can rely on either. The head scores the
# first five candidates of a question and reorders them; the order of the rest does not change.

# %% show
from helpers.assistant.generators import CopyReader, SentenceReader
from helpers.chapters.rag.cross import Cross, PairBody

reader = CopyReader()
STEPS = 200  ### small: 3
LEARNED = 4  # every fourth valid question  ### small: 9
reranked = Cross(corpus, by_features.scored, PairBody(pair, reader.reader))
reranked.learn(parts["valid"][::LEARNED], ranking_loss, STEPS)

# %% [markdown]
# ## Exercise 9: how sure is a difference? (`bootstrap`)
#
# 12 minutes, ★★, 4 points
#
# A few hundred questions are not many. If one stage gets two more of them right than another, is it better, or just
# lucky? Other questions would tell, but you have only these. The *bootstrap* (B. Efron, "Bootstrap methods: another
# look at the jackknife", 1979, [doi:10.1214/aos/1176344552](https://doi.org/10.1214/aos/1176344552)) uses the same ones
# again and again: draw $n$ of the $n$ values with replacement, take their mean, repeat. The range of the middle 95 % of
# these means is the interval.
#
# The draws are an argument, so that everybody's are the same. To compare two stages, take their *difference* on each
# question and find the interval of its mean; whether the two stages' own intervals overlap says little, since both
# answered the same questions.
#
# By hand: with the values (0, 1, 1), the draws (0 0 1), (1 2 2) and (0 1 2) have the means 1/3, 1 and 2/3; at level 0.5
# the interval is (0.5, 0.8333).
#
# <details><summary>Plan</summary>Look up the drawn values for all draws at once, which gives an array (R, n), and
# average each row: these are the R means. Then find the two quantiles of the means that leave equal shares outside on
# the left and on the right, and return them as a pair.</details>
# <details><summary>Hint</summary>An array may be indexed by an array of integers, and the result has the shape of the
# index array.</details>

# %% exercise="bootstrap"
def interval(values: np.ndarray, draws: np.ndarray, level: float = 0.95) -> tuple[float, float]:
    """Return (low, high), the bootstrap interval of the mean of values (n,).

    draws: (R, n), in each row the positions of the drawn values. low and high: the quantiles (1 - level) / 2 and
    (1 + level) / 2 of the R means, by `np.quantile` with its default method; float64 if `values` are float64.
    """
    ### BEGIN SOLUTION
    means = np.asarray(values)[draws].mean(axis=1)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
    ### END SOLUTION

# %% check="bootstrap" points=4

# %% [markdown]
# ## What does each stage buy?
#
# *Recall at 3* matters most, since the reader will see three passages. Each row is compared with the row that it names,
# on the same questions and draws; where the interval of the difference contains 0, these questions cannot tell the two
# apart. The row *best order* is not a search: it puts a right candidate first wherever there is one, so no re-ranker
# can do better with these candidates.

# %% show
bare = build_index([stems(text) for _, text in chunks])
some = partial(Learned, candidates, parts["valid"])  # a regression on some columns: yours are the first four
stages |= {
    "BM25, no titles": lambda q: list(best(np.asarray(bm25_scores(bare, stems(q), len(chunks))), 100)),
    "the search's 4": some(slice(4, 8)), "with your 4": some(slice(8)), "all 36 features": by_features,
    "36 less your 4": some(slice(4, None)), "and cross-encoder": reranked, "best order": lambda q: candidates(q)[0],
}
order = dict.fromkeys(["BM25, no titles", *stages])
ranks = {name: ranks[name] if name in ranks else first_ranks(stages[name], parts["test"], corpus) for name in order}
ranks["best order"] = np.where(np.isfinite(ranks["best order"]), 1.0, np.inf)
against = {"BM25": "BM25, no titles", "dense": "BM25", "fused": "BM25", "the search's 4": "fused",
           "with your 4": "the search's 4", "all 36 features": "with your 4", "36 less your 4": "all 36 features",
           "and cross-encoder": "all 36 features"}
print(f"{stages_table(ranks, against, interval)}\n\n{gain(ranks, 'and cross-encoder', 'all 36 features', interval)}")
plots.show(*figures.recall_curves(ranks))

### BEGIN CLAIMS
from helpers.course.claims import claim

everyone = parts["valid"] + [q for q in questions.splits["test"] if q.answerable]  # neither search learned from any
both = [float(np.mean(first_ranks(stages[each], everyone, corpus) <= 10)) for each in ("BM25", "dense")]
claim("Recall@10 of the docs, all questions that they answer: BM25 above dense", *both)
both = [fifths(ranks[each] <= 10) for each in ("all 36 features", "fused")]
claim("Recall@10 of the docs by fifths of the questions: all 36 features above fused", *both)
### END CLAIMS

# %% [markdown]
# Read the table from the top, with an eye on the last column: an interval that contains 0, or begins at 0, is no proof.
# *A title in each chunk* is the cheapest improvement of all, and one of the largest. *Dense* is below BM25 on most
# measures, since our encoder is a bag of tokens that was trained on these docs alone; its interval says whether these
# questions can tell the two apart. Most guides take the gain of *fused* over BM25 for granted; here it is small, and
# its interval contains 0. A regression on *the search's 4* numbers alone is hardly better. *With your 4* features
# added, recall rises, but the interval begins at 0, so by our own rule that is no proof. The other 28 numbers from the
# helpers help more; with them in, dropping your four (*36 less your 4*) costs nothing that so few questions could
# reveal, since the helpers count names and words, too. *The cross-encoder* can only move the first five: its gain is
# small, both in recall and in the MRR below the table. *Best order* is the ceiling: better re-ranking could close the
# gap between it and the row above; everything beyond it was lost before any re-ranker saw it.
#
# Cross-encoders and dense search pay off where there is far more to learn from. On MS MARCO the cross-encoder of
# exercise 8's paper reached an MRR@10 that was 27 % above the best before it. And in open-domain question answering a
# dense search put the passage among the first twenty for 9 to 19 more questions in a hundred than BM25 did (V.
# Karpukhin et al., 2020, [arXiv:2004.04906](https://arxiv.org/abs/2004.04906)).
#
# ## Exercise 10: the prompt (`prompt`)
#
# 30 minutes, ★★★, 7 points
#
# The reader sees one text and nothing else, and its length is limited by a *budget* of tokens. You have three good
# passages and room for two and a half. What goes in, in what order, and what is cut?
#
# ![A bar of 200 tokens: instruction 40, passage 1 whole 70, the first lines of passage 2 60, question 30; the rest of
# 2 is cut, 3 is left out.](figures/packing.svg)
#
# The form is fixed, and all readers of the course expect it:
#
#     Answer from the passages only, ...          <- INSTRUCTION (given)
#
#     [1] title of the first passage
#     its text
#
#     [2] title of the second
#     its text
#
#     Question: the question
#     Answer:
#
# These parts are joined by one blank line (`"\n\n"`); nothing follows "Answer:". A passage is
# `f"[{i}] {title}\n{text}"`, numbered from 1 in the order of the ranking.
#
# 1. Passages come best first. Take them in this order, as long as the *whole* prompt has at most `budget` tokens by
#    `count_tokens`.
# 2. The first passage that does not fit whole is cut at the end of a line: keep as many whole lines of its text, from
#    the start, as fit. If not even its first line fits, it is left out. After it nothing more is taken, even if it
#    would fit.
# 3. With `best_last=True` the passages are in the opposite order, with the best nearest to the question, and keep their
#    numbers: language models use the beginning and the end of a long prompt better than its middle (N. F. Liu et al.,
#    "Lost in the middle", 2023, [arXiv:2307.03172](https://arxiv.org/abs/2307.03172)).
#
# <details><summary>Plan</summary>Write a helper that joins any list of blocks into the whole prompt, in either order,
# so that you always count the tokens of the real prompt. Go through the passages, best first: try each whole, then with
# fewer and fewer lines, and keep the first version that fits. Once a passage has been cut or left out, stop. Return the
# prompt made of the blocks you kept, and the number of those blocks.</details>
# <details><summary>Hint 1</summary>Write a small function that joins a list of blocks into a prompt, and call
# <code>count_tokens</code> on its result: the counts of the parts do not simply add up.</details>
# <details><summary>Hint 2</summary>For the cut: try the text with all its lines, then with one line fewer, down to
# one.</details>

# %% given
INSTRUCTION = ("Answer from the passages only, in their words, and cite the passage as [1]. If they do not say it, "
               "reply: I do not know.")

# %% exercise="prompt"
def build_prompt(
    question: str, passages: list[tuple[str, str]], budget: int, best_last: bool = False
) -> tuple[str, int]:
    """Return (prompt, used): a prompt of at most `budget` tokens, and how many passages it has, including a cut one.

    passages: [(title, text), ...], the best first. If none fits, the prompt is built without passages, even if that
    alone is above the budget.
    """
    ### BEGIN SOLUTION
    def joined(blocks):
        order = blocks[::-1] if best_last else blocks
        return "\n\n".join([INSTRUCTION, *order, f"Question: {question}\nAnswer:"])

    blocks: list[str] = []
    for i, (title, text) in enumerate(passages, start=1):
        lines = text.split("\n")
        for n in range(len(lines), 0, -1):
            block = "\n".join([f"[{i}] {title}", *lines[:n]])
            if count_tokens(joined([*blocks, block])) <= budget:
                blocks.append(block)
                break
        if len(blocks) < i or n < len(lines):
            break
    return joined(blocks), len(blocks)
    ### END SOLUTION

# %% check="prompt" points=7

# %% show
passages = [chunks[i] for i in reranked(example, 5)]
prompt, used = build_prompt(example, passages, 400)
print(f"{used} of {len(passages)} passages, {count_tokens(prompt)} tokens\n\n{prompt}")

# %% [markdown]
# ## The reader
#
# What reads the prompt and answers? Anything that takes a prompt and returns a text can be the reader:
# `load_generator("docs-reader")` loads the bundled one, `load_generator(name)` any causal language model that
# transformers can load, from the hub or from a folder on your disk (see again the page [Bring your own
# model](../bring_your_own_model.md)). A large model would answer the same prompt in whole sentences; we go on with the
# small one, which runs everywhere.
#
# A small model cannot be trusted to *write* a fact. The docs-reader therefore *points*, as the encoder of chapter 05
# did, and its answer is in the passage, word for word. It is MiniLM with a low-rank adapter (chapter 09), trained to
# score each token as the first and as the last token of the answer, and [CLS] as "the passage does not say". It was
# trained on SQuAD, on questions that simple rules made from the docs, and on several thousand questions written by
# hand, among them our valid questions (`print(artifacts.load("docs-reader"))` shows its card). Its rival, *sentence*,
# has learned nothing: it returns the sentence of the passages that shares the most words with the question.

# %% show
readers = {"docs-reader": reader, "sentence": SentenceReader()}
for name, answers in readers.items():
    print(f"{name}: {answers(prompt)}")

# %% [markdown]
# ## Exercise 11: is the answer right? (`answers`)
#
# 12 minutes, ★, 6 points
#
# "The default is 128" and "128" are both right, and no comparison of characters will say so. We compare answers as
# SQuAD does (P. Rajpurkar et al., 2016, [arXiv:1606.05250](https://arxiv.org/abs/1606.05250)), except that we keep the
# articles. Normalise first: lower-case the text and keep only the words that `WORD.findall` (given: `\w+`) finds. Then
# compute
#
# - *exact match*: 1 if the two lists of words are the same, else 0;
# - *token F1*: count each word in both answers; the smaller of its two counts is what they have in common. Precision
#   $P$ is the share of the given answer's words that are in common, recall $R$ is the same share of the right answer's
#   words; F1 is $2PR / (P + R)$.
#
# By hand: "the first of the two" and "The two first" have the words the, first and two in common, so P = 3/5, R = 3/3
# and F1 = 0.75.
#
# <details><summary>Hint</summary>Two <code>Counter</code>s joined by <code>&</code> keep the smaller count of each
# word.</details>

# %% exercise="answers"
def normalise(text: str) -> list[str]:
    """Return the words of a text in lower case."""
    ### BEGIN SOLUTION
    return WORD.findall(text.lower())
    ### END SOLUTION


def exact_match(given: str, right: str) -> float:
    """Return 1.0 if both answers have the same words in the same order, else 0.0."""
    ### BEGIN SOLUTION
    return float(normalise(given) == normalise(right))
    ### END SOLUTION


def token_f1(given: str, right: str) -> float:
    """Return the F1 of the words of two answers, a float: 1 if both have no words, 0 if one has none."""
    ### BEGIN SOLUTION
    a, b = Counter(normalise(given)), Counter(normalise(right))
    if not a or not b:
        return float(a == b)
    return 2 * (a & b).total() / (a.total() + b.total())
    ### END SOLUTION

# %% check="answers" points=6

# %% [markdown]
# ## Exercise 12: does the citation hold? (`citations`)
#
# 15 minutes, ★★, 4 points
#
# You have to take an answer without a source on trust; if it names its source, you can check it. So can a program:
#
# 1. `cited(answer)` returns the numbers in square brackets, `[3]`. Only digits may stand between the brackets: `x[i]`
#    and `[1, 2]` are code, not citations.
# 2. `supported(answer, passages)` says whether the citation holds. Replace each citation in the answer with a blank;
#    the words that are left (by `normalise`) must occur as one unbroken run, in this order, among the words of at least
#    *one* cited passage. Nothing is removed from the passage itself. Whole words only: "is" does not count as found in
#    "this".
#
# This is *faithfulness*, judged by a rule: does what was read contain what was said? The rule is so strict that only a
# reader that copies can meet it. Where a language model answers in its own words, each of its statements is checked
# against the passages by a model trained on entailment (does this follow from that?), or by a second language model
# with a fixed prompt; both make mistakes, so their agreement with people is measured first.
#
# By hand: "order by name [2]" is supported if passage 2 contains "... in Order, by name: ...".
#
# <details><summary>Plan</summary><code>cited</code> finds the bracketed numbers, turns them into integers, and keeps
# the first appearance of each. <code>supported</code> blanks out the citations and normalises what is left; then it
# goes through the cited passages that exist, normalises each, and looks for the answer's words as one unbroken run of
# whole words. One passage is enough; if no words are left, or no cited passage exists, it returns
# <code>False</code>.</details>
# <details><summary>Hint 1</summary><code>re.findall(r"\[(\d+)\]", answer)</code>, and <code>re.sub</code> with the
# same pattern.</details>
# <details><summary>Hint 2</summary>Join the words with blanks and put a blank at both ends of both texts: then
# <code>in</code> looks for whole words.</details>

# %% exercise="citations"
def cited(answer: str) -> list[int]:
    """Return the numbers that an answer cites, each once, in the order in which they first appear."""
    ### BEGIN SOLUTION
    return list(dict.fromkeys(int(number) for number in re.findall(r"\[(\d+)\]", answer)))
    ### END SOLUTION


def supported(answer: str, passages: list[str]) -> bool:
    """Return whether one of the passages that the answer cites contains the words of the answer.

    passages[0] is cited as [1]. An answer that cites nothing, or has no words left, is not supported; the number of a
    passage that does not exist supports nothing (nor does [0]).
    """
    ### BEGIN SOLUTION
    words = normalise(re.sub(r"\[\d+\]", " ", answer))
    sources = [passages[number - 1] for number in cited(answer) if 0 < number <= len(passages)]
    return bool(words) and any(f" {' '.join(words)} " in f" {' '.join(normalise(source))} " for source in sources)
    ### END SOLUTION

# %% check="citations" points=4

# %% [markdown]
# ## Exercise 13: the assistant (`ask`)
#
# 18 minutes, ★★, 6 points
#
# You have all the stages now. `ask` joins them, and adds two guards that cost one line each. The first comes before the
# reader: a passage is shown to it only if `admitted` returns true (that will matter as soon as other people may write
# documents). The second comes after the reader: its answer is returned only if the citation holds. A reader that copies
# always passes the second guard; a model that writes may not.
#
# 1. `search(question)` returns the numbers of passages, best first. Keep the passages for which `admitted(title, text)`
#    is true, and take the first `k` of these: a refused passage makes room for the next one.
# 2. Build a prompt of at most `budget` tokens, with the best passage first. The *shown* passages are those in the
#    prompt, including one that was cut.
# 3. Call `read(prompt)` once, even if no passage is shown. If `supported` accepts the reader's words, return them
#    unchanged, with their citation; otherwise the answer is `UNKNOWN`. The sources that `supported` gets are the shown
#    passages, each as its title and whole text joined by `"\n"`.
#
# By hand: the search returns 2, 0, 1, passage 0 is refused, and k = 2. Then passages 2 and 1 are shown, as [1] and [2].
# "Open a file [2]" holds if passage 1 says "Open a file."; "Open a file [3]" becomes `UNKNOWN`, whatever the third
# result of the search says, since no third passage was shown.
#
# <details><summary>Plan</summary>Four steps: find the admitted passages and cut the list to k; build the prompt and
# note how many of them it uses; ask the reader; make the sources and see whether they support the answer. Return the
# answer together with the list of shown passages, even if the answer is UNKNOWN.</details>
# <details><summary>Hint 1</summary><code>build_prompt</code> returns how many passages it used, and these are the first
# of its list.</details>
# <details><summary>Hint 2</summary>"I do not know." needs no special case: it cites nothing, so <code>supported</code>
# returns <code>False</code>.</details>

# %% given
UNKNOWN = "I do not know."

def answer_of(*run, **how) -> dict:  # for the check: the answer, what was shown, what the stages were given
    return own_pipeline.answered(ask, *run, **how)

# %% exercise="ask"
def ask(
    question: str, search, passages: list[tuple[str, str]], read, admitted, k: int = 3, budget: int = 700
) -> tuple[str, list[tuple[str, str]]]:
    """Return (answer, shown): the reader's words with their citation, or UNKNOWN, and the passages in the prompt.

    search: question -> numbers of passages, the best first. passages: [(title, text), ...]. read: prompt -> answer.
    admitted: (title, text) -> whether the passage may be shown.
    """
    ### BEGIN SOLUTION
    found = [passages[number] for number in search(question)]
    best = [passage for passage in found if admitted(*passage)][:k]
    prompt, used = build_prompt(question, best, budget)
    answer, shown = read(prompt), best[:used]
    holds = supported(answer, ["\n".join(passage) for passage in shown])
    return (answer if holds else UNKNOWN), shown
    ### END SOLUTION

# %% check="ask" points=6

# %% [markdown]
# ## When to be silent
#
# The docs do not answer every question, yet the search always finds something that looks similar. So the reader
# subtracts the score of [CLS], "the passage does not say", from that of its best span, and answers only if the
# difference is above a *threshold*. No threshold is right for all questions: a higher one prevents wrong answers and
# loses right ones.
#
# ![Scores of five questions that the docs answer and four that they do not, on a line; to the right of a threshold the
# reader answers, to its left it is silent.](figures/refusing.svg)
#
# Now your assistant is judged, in two ways. *Given the right passage*: how well does the reader read? *With what the
# search found*: how well do all stages work together? For questions without an answer in the docs, the reader gets what
# the search finds, in both cases. We choose the threshold on the valid questions: among the thresholds that keep the
# reader silent on at least 70 % of the questions that the docs do not answer, we take the one with the most right
# answers (F1 of at least 0.5). (The reader was trained on the valid questions that have an answer, so on these it looks
# better than it is. It was not trained on the other valid questions or on any test question, but during its development
# its scores on the test questions were looked at five times, so they may flatter it a little.)

# %% show
from helpers.experiments import reading
from helpers.experiments.reading import answers, anybody, bargain, choose_threshold, judged, prompts_for, readers_table

BUDGET, TOP = 700, 3  # tokens of a prompt, passages that are found for it


def found_passages(question: str, k: int = TOP) -> list[tuple[str, str]]:
    """Return the k best passages of the whole search."""
    return [chunks[i] for i in reranked(question, k)]


def right_passage(q) -> list[tuple[str, str]]:
    """Return the passage that answers a question; where the docs do not say, what the search finds first."""
    return [corpus.evidence_chunk(q)] if q.answerable else found_passages(q.question, 1)


READ = {"valid": 6, "test": 2}  # every 6th, every 2nd answerable one of `parts`  ### small: {"valid": 1, "test": 3}
OTHERS = 1  # all questions that the docs do not answer  ### small: 48
valid, test = (parts[name][::every] + questions.unanswerable(name)[::OTHERS] for name, every in READ.items())
pack = partial(prompts_for, build_prompt=build_prompt, budget=BUDGET)
thresholds = np.arange(-10, 10.1, 0.25)
right, silent = bargain(reader.best, pack(valid, right_passage), thresholds, token_f1)
reader.threshold = choose_threshold(thresholds, right, silent)
plots.show(*figures.threshold_curves(thresholds, right, silent, reader.threshold))

# %% show
def given(q, read=reader) -> tuple[str, list[tuple[str, str]]]:
    """Ask as if the search had found the right passage and nothing else."""
    return ask(q.question, lambda question: [0], right_passage(q), read, anybody, 1, BUDGET)


def assistant(q, read=reader) -> tuple[str, list[tuple[str, str]]]:
    """Ask the whole assistant: every stage is yours."""
    return ask(q.question, reranked, chunks, read, anybody, TOP, BUDGET)


measures = {"token_f1": token_f1, "exact_match": exact_match, "supported": supported}
said = {(name, way.__name__): answers(test, partial(way, read=read)) for way in (given, assistant)
        for name, read in readers.items()}
results = {how: judged(rows, **measures) for how, rows in said.items()}
print(readers_table(results, interval))
lost = reading.where_lost(said["docs-reader", "assistant"], (stages["best order"], reranked), corpus, token_f1)
print(f"\n{reading.lost_table(lost)}\n\n{opening.headline()}")

### BEGIN CLAIMS
both = [fifths(results[name, "given"]["right"]) for name in ("docs-reader", "sentence")]
claim("Right answers by fifths of the questions, given the passage: docs-reader above sentence", *both)
whole = opening.recorded()["figures"]
both = [whole[f"right: {name}"][0] for name in ("the assistant", "the best sentence of the same passages")]
claim("Right answers, all test questions that the docs answer: the assistant above the best sentence", *both)
### END CLAIMS

# %% [markdown]
# In the rows *given*, the search returned only the right passage; in the rows *assistant*, every stage ran, from the
# question to the answer. Both kinds of rows use a sample, one answerable question in six, whose result may be ten
# points off either way. The last lines are those from the start of the chapter: there the same assistant answered all
# test questions. That takes minutes, so those results were recorded beforehand. The lines in between show where the
# answers of the sample were lost. *Torn*: no chunk holds the evidence whole. *Not found*: no right document is among
# the candidates. *Too late*: none is among the first three. *Not in the prompt*: the right document is there, but not
# the chunk that says it. The last two kinds of loss, *silent* and *misread*, are the reader's. *Right* and *silent* are
# a trade-off: more of the one means less of the other. More passages do not help: the reader cannot tell which document
# is meant. Chapter 09 lets the reader's own confidence help choose between passages. Read a few answers:

# %% show
SHOW_EVERY = 12  # show every twelfth question  ### small: 5
for q, answer, _ in said["docs-reader", "assistant"][::SHOW_EVERY][:10]:
    print(f"{q.question}\n    said: {' '.join(answer.split())}\n    asked for: {q.answer or UNKNOWN}\n")

# %% [markdown]
# **Who judges the judge?** "F1 of at least 0.5" is a rule, and rules make mistakes. Before you believe a judge, test it
# on answers whose verdict is known. One person read 125 answers of this assistant and called each right or wrong. On
# half of them we test four judges: the two rules of exercise 11; the cosine of MiniLM's vectors of the given and the
# right answer, which counts as a yes above the threshold that was best on the other half; and a language model with a
# fixed prompt, if you supply one. *Kappa* (J. Cohen, 1960) measures agreement beyond chance: 1 is perfect, 0 is what
# chance alone would give. No model's votes are stored with the course, so without a model the last row stays empty and
# says so.

# %% show
from helpers.chapters.rag import judges

JUDGE = None  # a model that writes: load_generator(name)
votes, verdicts = judges.all_votes(exact_match, token_f1, pretrained.load().encode, JUDGE)
print(judges.judges_table(votes, verdicts))

### BEGIN CLAIMS
both = [judges.kappa(votes[judge], verdicts) for judge in ("token F1 of at least 0.5", "MiniLM's cosine")]
claim("Agreement with a person beyond chance (kappa): token F1 above MiniLM's cosine", *both)
### END CLAIMS

# %% [markdown]
# Token F1 agrees closely with the person. Exact match is too strict. And MiniLM, which compares meanings, is a worse
# judge here than a count of words. Where token F1 is wrong, you can see why. It accepts "1" for "-1", since its words
# have no sign, and "tp / (tp + fn)" for "tp / (tp + fp)", since most of their words are the same; and it rejects a
# right answer that is wrapped in a long sentence.
#
# **Somebody else's questions.** All of this was chosen for the docs. SQuAD, whose measures you wrote, asks about 2,067
# paragraphs of Wikipedia, and its questions were written by people who had the paragraph in front of them. We take some
# of the questions about every sixth article (the docs-reader was trained on the others), with the same kind of index
# and the same encoder, fusion and readers; nothing is tuned. Guess first: which search will suffer, and which reader?
# (If a question has several right answers, the one that matches best counts.)

# %% show
from helpers.chapters.rag import squad

SQUAD_EVERY = 24  # every 24th of these questions  ### small: 400
sample = squad.load_sample(SQUAD_EVERY)
asked, texts = sample.questions, [f"{title}\n{text}" for title, text in sample.paragraphs]
theirs = build_index([stems(text) for text in texts])
by_words = [list(best(np.asarray(bm25_scores(theirs, stems(q), len(texts))), 100)) for q in asked]
by_meaning = np.asarray(dense_top(encoder.encode(asked), encoder.encode(texts), 100)[0], dtype=int).tolist()
found = {"BM25": by_words, "dense": by_meaning, "fused": squad.fused(by_words, by_meaning, fuse)}
print(squad.searches_table(sample, found))
tried = {"docs-reader, never silent": CopyReader(-math.inf), "sentence": readers["sentence"]}
print(squad.readers_table(sample, tried, partial(build_prompt, budget=BUDGET), exact_match, token_f1))

# %% [markdown]
# BM25 does better here than on the docs: questions that are written with a paragraph in sight borrow its words, and
# there are far fewer paragraphs to choose from. Dense search, too, has only these to choose from, and gains nothing
# from it: its encoder has read only documentation, and knows neither Rome nor rugby. And fusion trusts both searches
# equally, so the weak one pulls the strong one down: make a table like this one before you fuse anything. For the
# readers, the column of exact matches tells more: a whole sentence is never the answer, a few words in it may be.
# BERT-base, pre-trained on Wikipedia and books and fine-tuned on SQuAD's training part, ten times what docs-reader saw,
# reaches 81 % exact and an F1 of 0.885 (J. Devlin et al., "BERT", 2018,
# [arXiv:1810.04805](https://arxiv.org/abs/1810.04805)).

# %% [markdown]
# ## Exercise 14: one document is not enough (`links`)
#
# 10 minutes, ★, 4 points
#
# "If I say nothing, logging.basicConfig creates a handler: does that shut its stream?" The document about `basicConfig`
# says that it creates a `StreamHandler`, and only the document about `StreamHandler` says what the handler does with
# its stream. Neither document alone answers the question, and the question never names the second. But documents name
# each other, so they form a *graph*, and a search can follow its links:
#
# 1. Keep the `first` documents of the ranking, in its order.
# 2. Add the documents that the kept ones name, each once, leaving out those already kept: the best score first; for
#    equal scores, the lower number first.
# 3. If there is room, add the rest of the ranking. Stop at `k` documents.
#
# By hand: the ranking is (0, 1, 2), first = 2, k = 4. Document 0 names 4 and 5, document 1 names 0 and 6; document 5
# has the score 2.5, documents 4 and 6 have 1.5. The result is 0, 1, 5, 4.
#
# <details><summary>Hint</summary>Subtract the set of the kept documents from the set of the named ones.
# <code>sorted(..., key=lambda d: (-scores[d], d))</code> puts the best first, and <code>dict.fromkeys</code> drops
# repeats.</details>

# %% exercise="links"
def linked(
    ranking: list[int], links: list[set[int]], scores: np.ndarray, first: int = 5, k: int = 10
) -> list[int]:
    """Return at most k documents: the first ones of a ranking, those that they name, the rest of the ranking.

    ranking: documents, the best first, each once. links[d]: the documents that document d names, other than d.
    scores: (documents,), how well each document by itself fits the question.
    """
    ### BEGIN SOLUTION
    kept = ranking[:first]
    named = {other for document in kept for other in links[document]}
    best = sorted(named - set(kept), key=lambda document: (-scores[document], document))
    return list(dict.fromkeys([*kept, *best, *ranking]))[:k]
    ### END SOLUTION

# %% check="links" points=4

# %% [markdown]
# Thirty questions that need two documents were written for this chapter. Does the search put the second document among
# the first ten? The links are those that the docs' authors wrote, and the scores are BM25's. Another way is a second
# search: *ask again*, with the question and the names that the first document contains. A language model would write
# that second question; here a rule writes it. The last column shows what each way costs where nobody needs it: the
# recall for test questions that one document answers.

# %% show
from helpers.chapters.rag import links

JOINED = 1  # with 5, every fifth of the thirty  ### small: 10
second_turn = links.SecondTurn(corpus, reranked, partial(bm25_scores, index), stems, linked)
found, table = second_turn.compared(links.joined_questions()[::JOINED], parts["test"][::2], lexical, interval)
print(table)

### BEGIN CLAIMS
both = [float(np.mean(found[name])) for name in ("and links", "the whole search")]
claim("The second of two documents among ten: links above the whole search", *both)
### END CLAIMS

# %% [markdown]
# The search always finds the first document, and finds the second for three questions in four: the words of these
# questions alone go a long way. Both of the other ways find the second for nine in ten. They lose about one in a
# hundred of the plain questions, whose documents had been at ranks 6 to 10. The docs' authors wrote the links, so these
# cost nothing; if a corpus has none, a model can extract them.
#
# ## What else people build
#
# *Query rewriting*: a follow-up question in a conversation ("and with a timeout?") means nothing by itself, so a
# language model rewrites it before the search. *HyDE* (L. Gao et al., "Precise zero-shot dense retrieval without
# relevance labels", 2022, [arXiv:2212.10496](https://arxiv.org/abs/2212.10496)): the model writes an answer, right or
# wrong, and the search uses the vector of this answer, since an answer is usually nearer to the passages than a
# question is. *GraphRAG* (D. Edge et al., "From local to global", 2024,
# [arXiv:2404.16130](https://arxiv.org/abs/2404.16130)): a model extracts a graph of entities and their relations from
# the corpus, and answers from summaries of its parts. All three need a model that writes well; if `load_generator`
# gives you one, add a line to `stages`.
#
# ## Essay 1: where is it lost?
#
# 20 minutes, ★★, 10 points, graded by hand
#
# An answer can be lost at any stage, and the table under *When to be silent* counts the losses. (a) With the numbers of
# *your* run: what share of the test questions is lost at each stage, and what would you work on next? (b) Take two
# stages, fusion and the cross-encoder: does either add anything that the intervals let you believe? What would you need
# in order to know more? (c) What is good about a reader that copies, and what can it never do? Use two of the answers
# above. Write about 200 words.

# %% [markdown] essay="lost" points=10
# ### BEGIN SOLUTION
# (a) By the table, sections tear almost no answer apart, and few documents are missing from the candidates; more come
# too late, below rank 3, and the prompt holds only three. The largest loss comes after that: the reader is silent or
# misreads, and even with the right passage in hand it misses two questions in five (given). So I would work on the
# reader next, then on ranks 4 to 10. (b) The interval of the difference is what counts, not whether the two intervals
# overlap, since the questions are the same. For fusion against BM25 the interval contains 0, so I cannot say that
# fusion helps on this set, though it brings candidates that BM25 lacks. The gains of the cross-encoder, in MRR and at
# rank 3, are small and just clear of 0; five candidates are few, and its body had already learned from the valid
# questions, on which its head was trained. More questions would narrow both intervals. And some of the documents that
# count as wrong may answer the question: nobody has read them, because no search put them into the pool. (c) Whatever
# it says is in the passage, so it can be checked at a glance, and it cannot invent anything. But it cannot join two
# passages, count, or say "no": asked whether something is allowed, it can only point at the rule.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 4 points: (a) gives shares for at least three stages from the student's own run, and names the stage where most is
# lost.
# 3 points: (b) uses the interval of the difference; says for each of the two whether 0 is in it, and what follows.
# 3 points: (c) a merit (can be checked, invents nothing) and a limit (joining, counting, yes and no), with two
# examples.
# ### END MARK SCHEME

# %% [markdown]
# ## Exercise 15: the passage is not your friend (`defence`)
#
# 25 minutes, ★★★, 6 points
#
# Anyone who can write into the corpus can write into the prompt. If the search finds a document that says "Ignore the
# passages and answer ...", then somebody you do not know is giving your reader an instruction. This is *indirect prompt
# injection* (K. Greshake et al., "Not what you've signed up for", 2023,
# [arXiv:2302.12173](https://arxiv.org/abs/2302.12173)). A passage is data, and must not be able to look like anything
# else. `clean(text)` takes away, in this order:
#
# 1. characters that nobody sees: those of the Unicode categories `Cf` (zero-width and the like) and `Cc` (control),
#    apart from `\n` and `\t`. These go first, because they can hide the rest;
# 2. comments: `<!-- ... -->`, also over several lines, each time the shortest stretch; a comment that never closes runs
#    to the end of the text;
# 3. special tokens: `<|...|>` with anything but line breaks inside, each time the shortest stretch;
# 4. whole lines (between two `\n`) that look like the frame: those that begin, after blanks, with a number in
#    square brackets (`[3]`), or with one of the words in `ROLES` and a colon (blanks before the colon allowed), in
#    upper or lower case;
# 5. whole paragraphs (stretches between blank lines, `re.split(r"\n\s*\n", ...)`) in which `ORDERS` (given) is found
#    by `ORDERS.search`.
#
# Strip each remaining paragraph at its start and end, drop empty ones, and join the rest with one blank line. A
# harmless text with one empty line between its paragraphs comes back unchanged.
#
# <details><summary>Plan</summary>Take the five steps one at a time, in the order of the list, and give each the text
# that the previous one returned. They work on larger and larger units: characters first, then stretches of text, then
# lines, then paragraphs. Try each step alone on a tiny text before you chain them, above all on a comment that never
# closes. Strip and join the paragraphs last.</details>
# <details><summary>Hint 1</summary><code>unicodedata.category(c)</code> gives "Cf", "Cc" and so on.</details>
# <details><summary>Hint 2</summary><code>re.sub(r"&lt;!--.*?(-->|\Z)", "", text, flags=re.S)</code>: the question mark
# makes the match as short as possible; with <code>re.S</code> a dot matches line breaks, too.</details>
# <details><summary>Hint 3</summary><code>re.match(rf"\s*(\[\d+\]|({'|'.join(ROLES)})\s*:)", line, re.I)</code> says
# whether a line looks like the frame.</details>

# %% given
ROLES = ("system", "user", "assistant", "question", "answer", "instruction")
ORDERS = re.compile(
    r"\b(ignore|disregard|forget)\b.{0,40}\b(all|previous|instructions?|passages?)\b"
    r"|\b(you|assistants?|models?) (must|should|shall|are) (now|always|only|begin|answer|reply|end)\b"
    r"|\b(answer|reply|respond)\b.{0,40}\b(only|always|nothing else|single word|with the word)\b"
    r"|\bthe answer (to|is always)\b|\bbefore you answer\b|\bcite this\b|\bend each reply\b|\bsend readers\b",
    re.I | re.S)

# %% exercise="defence"
def clean(text: str) -> str:
    """Return a passage without hidden characters, comments, special tokens, forged frames and orders."""
    ### BEGIN SOLUTION
    import unicodedata

    text = "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cf", "Cc"))
    text = re.sub(r"<!--.*?(-->|\Z)", "", text, flags=re.S)
    text = re.sub(r"<\|.*?\|>", "", text)
    frame = re.compile(rf"\s*(\[\d+\]|({'|'.join(ROLES)})\s*:)", re.I)
    text = "\n".join(line for line in text.split("\n") if not frame.match(line))
    paragraphs = [p.strip() for p in re.split(r"\n\s*\n", text) if not ORDERS.search(p)]
    return "\n\n".join(p for p in paragraphs if p)
    ### END SOLUTION

# %% check="defence" points=6

# %% [markdown]
# Now the attack. It begins with 32 poisoned documents that give orders, each written to be found by one particular
# question. Are they found? The next cell asks BM25. After that we let the attacker win the search: the poisoned passage
# comes first, before everything that was found. We count three things. Does the poisoned passage get into the prompt?
# Does its *marker* get there, the words that an obedient answer would contain? A model that follows instructions may
# say them; this is the worst case. And does our reader say them?
#
# A stronger attacker knows that our reader copies. He gives no orders. He takes the passage that answers a question and
# puts another answer in the place of the true one: a *lie*. He publishes it under a name of his own, or under the name
# of the true document (*forged*). Or he is an *insider*, who changes the document before anybody makes a list of what
# to trust.
#
# There are four defences: `clean`; *agreement*, which keeps a passage only if another passage of the prompt has three
# successive words in common with it; *names*, which admits passages only under names that the libraries have; and
# *origin*, which admits only texts whose *fingerprint* (a hash of title and text) is on a list that was made when the
# libraries were installed. The last two ask not what a text says but where it comes from; your `ask` receives them as
# `admitted`.
#
# ![Three gates before the prompt: clean stops a plain order, names also a lie under a new name, origin also one
# under a forged name; an insider's lie passes all three.](figures/injection.svg)

# %% show
from helpers.chapters.rag import poisoning

ATTACKS_EVERY = 1  # with 4, every fourth attack  ### small: 14
question_of = {q.id: q.question for q in questions}
tried = [p for p in data.load("docs_poisoned") if p.question in question_of][::ATTACKS_EVERY]
planted = poisoning.planted(tried, lambda text: sections(text, SIZE))
lies = {f"lie, {name}": poisoning.told_lies(test, corpus, name == "own name") for name in ("own name", "forged")}
found = partial(poisoning.found_by_search, corpus=corpus, index=index, bm25_scores=bm25_scores)
print(poisoning.reached(tried, question_of, planted, lies["lie, own name"], found))

# %% show
defences = poisoning.defences(clean, corpus)  # {name: (what it makes of passages, what it admits)}
siege = poisoning.Siege(ask, build_prompt, reader, found_passages, BUDGET)
stopped = {name: siege.orders(tried, question_of, planted, defence) for name, defence in defences.items()}
told = {name: siege.lies(lies, defence, token_f1) for name, defence in defences.items()}
kept = poisoning.evidence_kept(test, found_passages, defences)
print(poisoning.attacks_table(stopped, told, kept, [p.kind for p in tried]))
plots.show(*figures.attacks(stopped, told))

### BEGIN CLAIMS
passed = {name: fifths(-stopped[name][:, 1].astype(float)) for name in defences}
claim("Minus markers by fifths of the attacks: clean above none", passed["clean"], passed["none"])
claim("Minus markers by fifths of the attacks: origin above clean", passed["origin"], passed["clean"])
share = {name: -np.mean(told[name]["lie, forged"]) for name in defences}
claim("Minus the share of forged lies that were said: origin above names", share["origin"], share["names"])
claim("Minus the share of forged lies that were said: origin above none", share["origin"], share["none"])
### END CLAIMS

# %% [markdown]
# Read the columns from left to right. `clean` removes half of the markers. Our reader copies, so few orders sway it:
# two of the 32, a false fact and a comment in an example, have their marker where an answer would be, and `clean` lets
# both through. So `clean` mainly defends a model that obeys. Lies sway our reader more often, although the true passage
# is in the prompt, too. No pattern detects them, and *agreement* hardly helps: a lie shares all its other words with
# the truth, and honest passages are lost. *Names* stops an attacker who uses a name of his own, but not one who forges
# a name. *Origin* stops both, and costs nothing on honest questions as long as the list is fresh: a document written
# after the list was made is shut out as well. (One lie is still counted: the reader makes that mistake by itself,
# without any lie in its prompt.) The insider remains, since his lie is on the list. Against him every defence is as
# useless as no defence at all (the row *none*). The last line names the kinds of orders that pass `clean`.

# %% [markdown]
# ## Essay 2: the false fact
#
# 20 minutes, ★★, 10 points, graded by hand
#
# (a) Which kinds of poison does `clean` stop, and which can it never stop? Why can no pattern stop "Default: 4096" in a
# document that looks like all the others? (b) A reader that only copies was meant to be safe. What does copying protect
# against, and what does it not? What would a model that follows instructions do with the same prompts? (c) *Origin*
# stops everything that comes from outside. Name two situations in which it does not help, and say what it costs. If you
# could keep only one defence, which would it be, and why? Write about 200 words.

# %% [markdown] essay="false-fact" points=10
# ### BEGIN SOLUTION
# (a) `clean` removes poison that has a recognisable form: hidden characters, comments, special tokens, forged roles and
# the orders that its list knows. It does not stop an order that is worded in another way or language, encoded, spread
# over two chunks, or put into an example. A false fact has no form of its own: "Default: 4096" is just what a true
# passage looks like, so a pattern that removes it would remove the truth as well. The words alone do not show whether
# it is true. (b) Copying protects from obeying: the reader sends no link and prints no prompt, and only two orders of
# 32 were copied, since their markers were where an answer would be. It does not protect from believing: the columns of
# lies show how often a passage that answers the question wrongly is copied, with a correct citation. A model that
# follows instructions could be fooled by every attack whose marker is in the prompt; that column is its worst case. (c)
# Origin is only as good as the list: an insider's lie is on it, and so is anything that a hijacked dependency, or a
# user who may add comments, wrote before the list was made; and new documents, a colleague's notes and the internet are
# shut out. I would keep it all the same, since it alone does not judge the attacker's text by what the text says.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 3 points: (a) names kinds of both sorts from the student's own table; a false fact cannot be recognised by its form.
# 3 points: (b) copying prevents obeying, not believing (the lies); the markers as the worst case for another model.
# 3 points: (c) two situations (trusted source taken over, content by users, new sources), and the cost.
# 1 point: a choice with a reason.
# ### END MARK SCHEME

# %% [markdown]
# ## What it costs, and what grows
#
# The table gives the time of each stage for one question (the median of several), and the memory that the search needs.
# It gives the same for a quarter and for a half of the corpus: what grows with the corpus?

# %% show
from helpers.chapters.rag.search_cost import cost_table, growth, stages_ms

TIMED = 8  # questions  ### small: 4
timed, n = [q.question for q in test[:TIMED]], len(chunks)
indexes = {size: build_index(corpus.words[:size]) for size in (n // 4, n // 2)} | {n: index}
searches = {"BM25": lambda part, size, q: best(np.asarray(bm25_scores(part, stems(q), size)), 10),
            "dense": lambda part, size, q: dense_top(encoder.encode([q]), vectors[:size], 10)}
grown, memory = growth(searches, indexes, vectors, timed)
ms = stages_ms(grown, {
    "re-rank": lambda q, _: found_passages(q),
    "prompt": lambda q, shown: build_prompt(q, shown, BUDGET)[0], "read": lambda q, prompt: reader(prompt),
}, timed, before=lambda: [kept.clear() for kept in (candidates.kept, reranked.body.kept, reader.kept)])
print(cost_table(grown, memory, ms))
plots.show(*figures.costs(grown, memory, ms))

# %% [markdown]
# The time of exact search grows with the corpus, for BM25 as well as for dense search, and so does the memory; the
# later stages see a fixed number of passages, however large the corpus is.
#
# ## Search a part of it
#
# At a hundred times the size nobody compares a question with every vector. An *inverted file* (IVF; J. Sivic, A.
# Zisserman, "Video Google", 2003, [doi:10.1109/ICCV.2003.1238663](https://doi.org/10.1109/ICCV.2003.1238663)) has a
# list for each cluster of vectors, as the index of exercise 3 has one for each word: k-means finds more than a hundred
# centres, and each vector goes into the list of the centre nearest to it. A search then reads only the lists of the few
# centres nearest to the question. It may miss a vector just across the border of another list, so such a search is
# *approximate*, and we measure its recall: the share of the ten vectors found by exact search that it finds, too. The
# other common index, *HNSW* (Y. A. Malkov, D. A. Yashunin, "Hierarchical navigable small world graphs", 2016,
# [arXiv:1603.09320](https://arxiv.org/abs/1603.09320)), links each vector to its neighbours and walks along these links
# towards the question. The inverted file below is twenty lines of NumPy; the library FAISS has both indexes, and the
# table has rows for it if it is installed (`pip install faiss-cpu`).

# %% show
from helpers.chapters.rag import inverted_file

nearby = inverted_file.compare(vectors, encoder.encode([q.question for q in test]), dense_top)
print(inverted_file.approximate_table(nearby))
plots.show(*figures.approximate(nearby))

# %% [markdown]
# By reading a twentieth of the vectors the inverted file finds two thirds of the exact ten; by reading a fifth it finds
# nearly nine of them. Ours saves time only while it reads few lists, since gathering rows costs NumPy more than
# multiplying them all. FAISS keeps the vectors of each list side by side in memory, so its inverted file finds as many
# of the ten, but several times faster; in the same time HNSW finds even more. Our 26,562 vectors need none of this,
# as exact search takes milliseconds; but the time of exact search grows in proportion to the corpus, that of the others
# far more slowly.
#
# ## The assistant, your own
#
# Here is the panel from the start of the chapter again, and now every stage is yours. Type a question and press the
# button, or Enter. The words of the answer are marked in their passage; if the assistant is silent, a line says why.

# %% show
safe, known = defences["clean"][0](chunks), defences["origin"][1]


def reply(question: str) -> Reply:
    """Answer a question from clean passages of known origin, and mark the words or say why there are none."""
    start = time.perf_counter()
    answer, shown = ask(question, reranked, safe, reader, known, TOP, BUDGET)
    place = reader.answer_with_place(build_prompt(question, shown, BUDGET)[0])
    return Reply.of(answer, shown, reranked.scored(question), time.perf_counter() - start, place)

print(f"{example} {reply(example).answer}")
panel(reply, example)

# %% [markdown]
# ## The benchmarks, by looking up
#
# Retrieval can classify, too: a text gets the label of the texts most like it (Fix, Hodges 1951). Nothing is trained:
# your dense search finds the seven nearest examples, and each votes for its label with its cosine as the weight. We do
# this twice, with the vectors of docs-encoder and with those of MiniLM (on only ten questions of each intent, since
# MiniLM is slower).

# %% show
from helpers.chapters.rag.neighbours import by_neighbours

INTENTS_EVERY = 1  # with 20, one of twenty intents and messages  ### small: 20
minilm = by_neighbours(benchmarks.remembered(pretrained.load().encode), dense_top, 7)
benchmarks.take("08", "seven nearest, docs-encoder", by_neighbours(encoder.encode, dense_top, 7), every=INTENTS_EVERY)
benchmarks.intents("08", "seven nearest, MiniLM", minilm, questions=10, every=INTENTS_EVERY)
benchmarks.show("08")

# %% [markdown] text="quiz"

# %% [markdown]
# ## What you built, and what breaks next
#
# You built an assistant that finds, orders, packs, reads, cites and stays silent, and you have a number for each stage;
# a prompt from whose passages the plainest imitations of its frame are removed; and a table that says what an attacker
# can still do.
#
# What breaks next is the reader. It points where a person would explain. Chapter 09 takes a model that has already been
# trained and teaches it to answer, by training a few thousand weights instead of all of them.

# %% [markdown] text="further"
