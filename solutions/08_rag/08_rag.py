# %% [markdown]
# # 08 RAG: retrieve, then read
#
# Ask a language model how many results `functools.lru_cache` keeps, and it answers at once, in a confident sentence,
# from whatever was in its weights on the day they were frozen. It cannot tell you where it read that, and it cannot
# notice that the library has changed since.
#
# This chapter builds the other kind of assistant. It looks the question up in the documentation, reads what it found,
# answers in the words of one passage, says which passage, and is meant to be silent when the docs do not say. This is
# what it said when it was last measured.
#
# **What you need.** BM25 from chapter 01, cosine search from 02, the idea of pointing at a span from 05. The
# artifacts *docs-tokenizer* and *docs-encoder* (07) come with the course; your own are used where you saved them.
#
# **Points.** 100: fifteen exercises checked by machine (80) and two short essays (20). Allow about eight hours; the
# ablation table after exercise 9 is a good place for a break. The whole notebook, once written, runs in about three
# and a half minutes on two cores. Your functions leave their arguments as they are, keep float64, and take words,
# names and texts as they stand where nothing else is said.

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

def beside(kind: str, function, *arguments):  # what checks ask of a call beside its value: "slopes", its gradients
    return getattr(ways_of_calls, kind)(function, *arguments)

def count_tokens(text: str) -> int:
    """Return how many tokens of docs-tokenizer a text has."""
    return len(tokenizer.encode(text, add_special_tokens=False).ids)

# %% show
opening.show()
print(opening.headline())

# %% [markdown]
# The words that answer are marked in the passage they come from, and the number behind them says which it is. The first
# answer is right. The second is not: the search found `loadtxt`, whose signature has `skiprows`, and the reader copied
# a word from the passage of another function. The docs do not answer the third question, and to know when to be silent
# is a problem of its own. The last lines say how often the assistant is right, on all test questions, which nobody
# chose for it. You will build the machine that gave these answers, all the stages of the drawing, and at the end of the
# chapter a panel asks it whatever you type.
#
# ![A question passes five stages: search, fuse, re-rank, pack, read. 26,562 chunks become 3 passages, and these an
# answer with its source, or silence.](figures/pipeline.svg)
#
# The name is *retrieval-augmented generation* (P. Lewis et al., "Retrieval-augmented generation for
# knowledge-intensive NLP tasks", 2020, [arXiv:2005.11401](https://arxiv.org/abs/2005.11401)): leave the facts where
# they are, look them up when somebody asks, and hand them to the model together with the question. (If all that you
# have fits into one prompt, put it there and stop here. Our docs do not, and every question would pay for reading all.)
#
# ## The task
#
# Our corpus is the documentation of six libraries. Our judge is a set of questions that were written about it for this
# course, in plain words, each with the document that it was written about and the words there that answer it. Some
# cannot be answered from the docs at all. There are two parts: *valid* to make choices by, *test* to report. None is
# written about a document of the other.

# %% show
PART = 1  # with 4, every fourth document and those that are asked about  ### small: 20
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
# Suppose one search puts the right document second and another puts it ninth. Both "found" it, but you would only
# thank the first. Before we build a search, we decide how to score one:
#
# - *Recall at k*: the share of the relevant documents that are among the first $k$.
# - *Reciprocal rank*: $1 / r$ for the rank $r$ of the first relevant document, 0 if none is there. Its mean over
#   questions is the MRR.
# - *nDCG at k* (K. Järvelin, J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques", 2002,
#   [doi:10.1145/582415.582418](https://doi.org/10.1145/582415.582418)): documents have gains $g \ge 0$, more for the
#   better ones, and a gain counts less the later it comes.
#
# ![Documents a, b, c, d at ranks 1 to 4 with gains 0, 2, 0, 1, each divided by log2 of rank plus 1: together 1.69, at
# best 2.63, so nDCG is 0.64.](figures/ranking.svg)
#
# $$\mathrm{DCG}_k = \sum_{r=1}^{k} \frac{g_r}{\log_2(r + 1)} \qquad \mathrm{nDCG}_k =
# \frac{\mathrm{DCG}_k}{\text{the DCG}_k \text{ of the best possible order}}$$
#
# The best possible order sorts *all* gains that there are, also of documents that the search missed.
#
# By hand: ranked (a, b, c, d), relevant {b, d, x}: recall at 2 is 1/3, the reciprocal rank 1/2. With gains b: 2, d: 1
# nDCG at 4 is $(2 / \log_2 3 + 1 / \log_2 5) / (2 / \log_2 2 + 1 / \log_2 3) = 1.6925 / 2.6309 = 0.6433$.
#
# <details><summary>Hint</summary>Write the DCG of a list of gains once, and use it twice.</details>

# %% exercise="metrics"
def recall_at(ranked: list[str], relevant: list[str], k: int) -> float:
    """Return the share of the relevant documents among the first k of the ranked.

    ranked: each document once, the best first; may be shorter than k, or empty: what it lacks was not found.
    relevant: at least one document, each once.
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
# A docstring may be two lines or two hundred. Nobody wants to search for two hundred lines, and no small reader can
# read them, so documents are cut into pieces, *chunks*. The simplest are windows of so many words. But a cut may go
# right through the sentence that answers the question, and then neither half does. So neighbours *overlap*: each
# window begins a few words before the one before ends. The price is an index that grows.
#
# ![Seven words in windows of four: with overlap 1 two windows that share d, with overlap 2 three windows that share
# c, d and e, f.](figures/chunks.svg)
#
# ## Exercise 2: chunks by structure (`sections`)
#
# 15 minutes, ★★, 5 points
#
# A docstring has a shape: paragraphs, parameters, notes, with blank lines between them. Cut there, and a chunk is a
# thought. You gather whole paragraphs until the next one would make the chunk too long:
#
# 1. Split the text at blank lines (lines of nothing but blanks count). Strip each paragraph at its start and end;
#    inside nothing changes. Drop empty ones.
# 2. Go through the paragraphs and gather them. If one would bring the chunk above `size` words, close the chunk first
#    and begin the next with that paragraph. A paragraph longer than `size` is *not* cut: it becomes a chunk of its
#    own, and the next paragraph begins another.
# 3. A chunk is its paragraphs joined by one blank line (`"\n\n"`). Words are what `str.split()` gives.
#
# By hand, size 5: paragraphs of 2, 3, 1 and 9 words give three chunks: 2 + 3, 1, and 9.
#
# <details><summary>Plan</summary>First make the list of paragraphs: split at blank lines, strip, drop the empty ones.
# Then walk through it with the chunk that you are filling and the count of its words. Before you add a paragraph, ask
# whether the chunk would grow too long; if so, close it and start a new one, but never close an empty chunk. At the end
# one chunk may still be open.</details>
# <details><summary>Hint 1</summary><code>re.split(r"\n\s*\n", text)</code> splits at blank lines.</details>
# <details><summary>Hint 2</summary>Keep a list of paragraphs and the count of their words; close it when it is not
# empty and would grow too long, and once more at the end.</details>

# %% exercise="sections"
def sections(text: str, size: int) -> list[str]:
    """Return chunks of whole paragraphs with at most `size` words, longer only where one paragraph is."""
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
# What does the cut do? For how many of the questions do the words that answer it stand *whole* in one chunk? What is
# torn here, no search and no reader can mend. And how many chunks, and words in all, must be kept?

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
# Paragraphs keep nearly every answer whole without repeating a word; windows tear some, and pay for overlap in words.
# We take sections. But a piece that says "Default: 1e-5" is worth nothing if nobody knows of what, so each chunk begins
# with the name and signature of its document. The table after exercise 9 says what that buys. With a language model at
# hand one goes further: it reads the whole document and writes a sentence of context before each of its chunks
# ([contextual retrieval](https://www.anthropic.com/news/contextual-retrieval), Anthropic 2024).

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
# Chapter 01's BM25 went through all documents for each query, and nearly all of them scored 0. A book does not make
# you read every page to find a word: it has an index at the back. An *inverted index* is that: for each word the list
# of documents that hold it, its *postings*.
#
# ![Three documents a b a, b, and b c turned into postings: a in document 0 twice, b in all three, c in document 2; a
# query for c reads one list.](figures/inverted.svg)
#
# What BM25 gives a word in a document does not depend on the query, so it can be worked out beforehand and stored in
# the list. The IDF asks how rare the word is; the fraction how often it stands in *this* document, with returns that
# diminish:
#
# ![The BM25 fraction over the count of a word: 1 for one occurrence, 1.77 for five, 2.08 for twenty, never above 2.2;
# in a document twice as long it rises later.](figures/saturation.svg)
#
# $$\text{weight}(w, d) = \ln\Big(1 + \frac{N - N_w + 0.5}{N_w + 0.5}\Big) \cdot
# \frac{\text{TF}(w, d) \cdot (k_1 + 1)}{\text{TF}(w, d) + k_1 \cdot \big(1 - b + b \cdot
# \frac{|d|}{\text{avgdl}}\big)}$$
#
# with $N$ documents, $N_w$ of them with $w$; $|d|$ is the number of words of this one (repeats count), avgdl its
# mean over all. $k_1$ says how soon one more occurrence stops mattering, $b$ how much a long document is marked
# down. The IDF is Lucene's, which is never negative. (S. Robertson, H. Zaragoza, "The probabilistic relevance
# framework: BM25 and beyond", 2009, [doi:10.1561/1500000019](https://doi.org/10.1561/1500000019).) A query is then
# a few additions of short arrays. Three functions: build the index, score all documents, take the best.
#
# By hand: documents (a b a), (b), (b c); for the word c, $N_w = 1$: $\ln(1 + 2.5 / 1.5) = 0.9808$; with $k_1 = 1.2$,
# $b = 0.75$, avgdl = 2 the fraction is $2.2 / 2.2 = 1$.
#
# <details><summary>Plan</summary><code>build_index</code> reads the documents once and gathers, for each word, the
# documents that hold it and how often; once all lengths are known, turn each word's lists into two arrays, numbers and
# weights. <code>bm25_scores</code> starts from N zeros and touches only the postings of the query's words.
# <code>best</code> throws away the zeros, narrows the rest to those that can be among the first k, and sorts these
# few.</details>
# <details><summary>Hint 1</summary>First pass: for each document a <code>Counter</code>; append its number and count
# to the list of each of its words. Second pass: from counts to weights, with arrays.</details>
# <details><summary>Hint 2</summary><code>scores[numbers] += weights</code> adds at many places at once; right here,
# since no document stands twice in one word's postings.</details>
# <details><summary>Hint 3</summary><code>np.lexsort((numbers, -scores[numbers]))</code> sorts by score, then by
# number.</details>

# %% exercise="inverted"
def build_index(
    documents: list[list[str]], k1: float = 1.2, b: float = 0.75
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return {word: (numbers (n,), BM25 weights (n,))} of N tokenised documents.

    numbers: the documents that hold the word, ascending, integers from 0. weights: float64, in the same order.
    No documents give an empty dict; an empty document has no words, and counts in N and avgdl.
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

    A word that stands twice in the query counts twice; one that is not in the index adds nothing.
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
# Chapter 01's two documents once more, with Lucene's IDF, for the query "not sentence"; and an independent BM25. The
# library rank_bm25 has another IDF, so we exchange ours for it: all else must agree.

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
# Words are not meanings: who asks for "accented letters" should find "non-ASCII characters", and BM25 sees no word in
# common. An encoder (chapter 07) gives each text a vector, near those of texts that mean the same. Search is then a
# matrix product, and the largest numbers of each row.
#
# The trouble is memory. For a million passages and a thousand questions that product has $10^9$ numbers, four
# gigabytes, so it must not exist at once. `dense_top` goes through `vectors` $(N, C)$ in pieces of `batch` rows, and
# after each piece keeps, for every query, the best `k` so far.
#
# By hand: one query (1, 0); vectors (1, 5), (3, 0), (2, 2); k = 2: rows (1, 2), scores (3, 2).
#
# <details><summary>Plan</summary>Start with nothing kept: two tables, rows and scores, of shape (Q, 0). For each piece
# of the vectors, make its scores, set them beside the kept ones, and keep the k best of each query, best first.
# Whatever you do to the scores, do to the rows, and remember that a piece's first row is seldom row 0 of the whole.
# After the last piece you have the answer.</details>
# <details><summary>Hint 1</summary>The best of all are among the best of each piece: put the new scores beside the
# kept ones (<code>np.concatenate(..., axis=1)</code>) and choose again.</details>
# <details><summary>Hint 2</summary><code>np.take_along_axis(scores, order, axis=1)</code> picks other columns in each
# row.</details>

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
# The encoder is a line that you may change: the page [Bring your own model](../bring_your_own_model.md) puts any
# encoder of the Hugging Face hub in its place, and any language model in that of the reader.
#
# **The same in Qdrant.** A vector database keeps vectors on disk, filters by what is stored beside them, serves
# many. Ours runs inside this process (`url=None`); with `url="http://localhost:6333"` the same code asks a server.
# Searched exactly, it must find the same ten (here among the first 8,000 chunks, to save time).

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
# BM25 knows names, the encoder meanings; each finds what the other misses (below you count how often). You want
# both, but cannot add their scores: one goes to 30, the other never above 1. *Reciprocal rank fusion* (G. V.
# Cormack, C. L. A. Clarke, S. Büttcher, 2009,
# [doi:10.1145/1571941.1572114](https://doi.org/10.1145/1571941.1572114)) throws the scores away and uses ranks
# alone:
#
# ![The rankings 7, 3 and 3, 9 fused with c = 1: 3 gets 1/3 + 1/2 = 0.83, 7 gets 0.50, 9 gets
# 0.33.](figures/fusion.svg)
#
# $$\text{score}(d) = \sum_{\text{rankings that hold } d} \frac{1}{c + \text{rank of } d}, \qquad c = 60$$
#
# By hand, as in the drawing, c = 1: (7, 3) and (3, 9): 3 has 1/3 + 1/2 = 0.8333, 7 has 0.5, 9 has 0.3333. With $c =
# 60$, the paper's choice (there, and in libraries, it is called $k$), the first ranks weigh nearly alike: what counts
# is being found by both.
#
# <details><summary>Hint</summary>One dict from number to score; sort by <code>(-score, number)</code>.</details>

# %% exercise="fusion"
def fuse(rankings: list[list[int]], c: float = 60.0) -> list[tuple[int, float]]:
    """Return [(number, score), ...] of all documents in the rankings, the largest score first.

    Equal scores: the lower number first. The first rank is 1. A document that one ranking lacks gets nothing from it.
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
# Both searches and their fusion make the first stage of your assistant. Chunks are found, but a question is about a
# document, and a long one may put ten chunks among the first ten. So of each document the chunk that stands first
# counts, and the others make room:
#
# 1. Ask each search for the $2k$ best chunks. Twice as many as you want, since chunks of the same document fall away.
# 2. `fuse` their rankings, whole, with its own $c$.
# 3. Walk through the fused ranking, best first, and keep the first chunk of each document. Stop at $k$.
#
# By hand: k = 2, rankings (4, 5, 0, 2) and (1, 2, 4, 3), chunks 0 and 1 of document 0, 2 and 3 of document 1, 4 and 5
# of document 2. Fused: 4, 2, 1, 5, 0, 3. 4 and 2 are of two documents: these are the answer.
#
# <details><summary>Hint</summary>A dict keeps the order in which its keys came, and
# <code>found.setdefault(owner, number)</code> keeps the first number of each owner.</details>

# %% given
from helpers.chapters.rag import own_pipeline

def hybrid_of(*run) -> dict:  # what the check asks: the numbers, and what each search was asked
    return own_pipeline.found(hybrid, *run)

# %% exercise="hybrid"
def hybrid(question: str, searches: list, owners: np.ndarray, k: int = 100) -> list[int]:
    """Return the numbers of at most k chunks, the best first, one for each document.

    searches: functions; each takes (question, n) and returns the numbers of its n best chunks, or of fewer. Call each
    once. owners: (chunks,), the number of the document that each chunk belongs to.
    """
    ### BEGIN SOLUTION
    found: dict[int, int] = {}
    for number, _ in fuse([search(question, 2 * k) for search in searches]):
        found.setdefault(int(owners[number]), number)
    return list(found.values())[:k]
    ### END SOLUTION

# %% check="hybrid" points=4

# %% [markdown]
# A question is found when *any* document that answers it is: the one that it was written about, or another that
# answers it as well (the method beside the function, torch beside NumPy where the question names no library).
# Nobody can read all documents for each question, so one person judged a *pool*, the ten best of three searches, as
# the contests of TREC do (E. M. Voorhees, 2002,
# [doi:10.1007/3-540-45691-0_34](https://doi.org/10.1007/3-540-45691-0_34)); what no search put there counts as
# wrong. The rank of the first that answers goes into recall, MRR and nDCG, as if it were the only one.

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
# Fusion is above the dense search, and little above BM25, the better of its two parts; whether such a difference is
# one, exercise 9 will tell. What fusion does bring is *candidates* for the next stage: a right document somewhere
# among the hundred best.
#
# ## Exercise 7: look again, closely (`rerank`)
#
# 25 minutes, ★★, 6 points
#
# The first search must look at everything, so it is cheap. For a hundred candidates you can afford sharper questions:
# do the words of the question stand *together* in the passage, or scattered over it? Is the title about them, or only
# the text? *Re-ranking* sorts the candidates anew by such evidence, here four numbers that no sum of words has. Words
# that are not in `idf` count nowhere; the weight of a set of words is the sum of the IDF of its *different* words
# that are in `idf`.
#
# 1. the weight of the query's words that the title has, divided by the weight of the query;
# 2. the same for the body;
# 3. the weight of the title's words that the query has, divided by the weight of the *title*;
# 4. closeness: the largest number of different words of the query (in `idf`) that stand within any `WINDOW` = 12
#    consecutive words of the body, divided by the number of different words of the query in `idf`. A body shorter
#    than that is one window.
#
# Where the divisor is 0, the feature is 0. Words are compared as they are.
#
# By hand, all IDF 1: query (a b c), title (a x), body (b y c): 1/3, 2/3, 1/2, 2/3.
#
# <details><summary>Plan</summary>Reduce query, title and body to sets of words that <code>idf</code> knows. The first
# three features are then one question asked three times, which share of a set's weight another set covers, so write a
# helper for it, with its zero case. For the fourth, slide a window along the body as a list, count the different query
# words inside, and keep the largest count.</details>
# <details><summary>Hint 1</summary>Sets: <code>asked = {word for word in query if word in idf}</code>, then sums over
# intersections.</details>
# <details><summary>Hint 2</summary><code>range(max(1, len(body) - WINDOW + 1))</code> are the starts of all windows.
# Or take <code>body[i : i + WINDOW]</code> for every place <code>i</code> of a word of the query, the last ones, too:
# there a shorter piece comes, and it is part of a window.</details>

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
# The helpers bring 32 numbers more: what the first search found (scores and ranks), how often other documents refer
# to this one and how deep it lies in its library (people ask about `json.dumps` more often than about a method of a
# private helper), three searches over *whole* documents (by stems, by runs of four letters, by the reference
# docs-encoder), and whether the question names the function or its library. A logistic regression learns the weights
# on the *valid* questions alone, from the right documents and the others found.

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
# `TimeoutExpired` share hardly one, and no dot product of two vectors that were made apart sees that the one answers
# the other. A *cross-encoder* can (R. Nogueira, K. Cho, "Passage re-ranking with BERT", 2019,
# [arXiv:1901.04085](https://arxiv.org/abs/1901.04085)): it reads question and passage as *one* input, so that every
# word of the one attends to every word of the other.
#
# ![Left two towers: question and passage become a vector each, apart, and meet in a dot product. Right a
# cross-encoder: both stand in one input, and one score comes out.](figures/towers.svg)
#
# The price: nothing can be made beforehand. For each new question all its candidates are read anew, so it comes last,
# for a handful. Between the two lies *late interaction* (O. Khattab, M. Zaharia, "ColBERT", 2020,
# [arXiv:2004.12832](https://arxiv.org/abs/2004.12832)): a vector for each *token* is kept, and each word of the
# question looks for the nearest one of the passage.
#
# **The input.** `pair` puts token ids together as BERT learned to read two texts: `[CLS] question [SEP] passage
# [SEP]`. The *segments* say what belongs to which text: 0 for the question with [CLS] and the first [SEP], 1 for the
# passage and the last [SEP]. If it is too long, the passage is cut at its end.
#
# **The loss.** The candidates of a question compete: it does not matter how high the right one scores, only that it
# scores above the others. With scores $s_{qk}$ of question $q$ and candidate $k$, the probability that falls on the
# right ones should be large (chapter 07's InfoNCE, with the candidates of the stage before as hard negatives):
#
# $$L = -\frac{1}{|Q|} \sum_{q \in Q} \ln \frac{\sum_{k \text{ right}} e^{s_{qk}}}{\sum_k e^{s_{qk}}}$$
#
# where $Q$ are the questions that have a right candidate; from the others there is nothing to learn.
#
# By hand: question (7, 8), passage (4, 5, 6), length 7: one passage token must go, 1 7 8 2 4 5 2 with segments 0 0 0
# 0 1 1 1 ([CLS] is 1, [SEP] 2). Scores (2, 1, 0), the second right: $-\ln(e / (e^2 + e + 1)) = 1.4076$; were the
# first right as well, $-\ln((e^2 + e) / (e^2 + e + 1)) = 0.0943$.
#
# <details><summary>Plan</summary>For <code>pair</code>, find how many passage tokens still have room, cut the passage,
# and build ids and segments side by side, so that they have the same length. <code>ranking_loss</code> first keeps only
# the questions that have a right candidate. For each of them it weighs two sums, over the right candidates and over
# all; stay in logarithms throughout, where a quotient is a difference, and take the mean at the end.</details>
# <details><summary>Hint 1</summary>Room for the passage: <code>length - len(query) - 3</code>.</details>
# <details><summary>Hint 2</summary><code>torch.logsumexp</code> twice: over all scores, and over those where the
# wrong ones were set to minus infinity by <code>masked_fill</code>. Choose the rows with
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
    """Return the mean loss of scores (Q, K), a scalar of their dtype with a gradient; right (Q, K): true where right.

    A question may have several right candidates, or none: then it is left out. At least one question has one.
    """
    ### BEGIN SOLUTION
    some = right.any(dim=1)
    scores, right = scores[some], right[some]
    among = scores.masked_fill(~right, -torch.inf)
    return (scores.logsumexp(dim=1) - among.logsumexp(dim=1)).mean()
    ### END SOLUTION

# %% check="cross" points=6

# %% [markdown]
# The body is that of docs-reader, which you will meet below: MiniLM (22.7 million weights), taught to read a question
# and a passage together. It stays frozen. What is trained is a head of 385 numbers: one for each number of the vector
# of [CLS], and one for the score of the stage before, so that it can trust either. The head reads the first five
# candidates of a question and puts them in a new order; what stands behind them stays.

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
# A few hundred questions are few. One stage finds two more of them than another: is it better, or lucky? Other
# questions would tell, but you have only these. The *bootstrap* (B. Efron, "Bootstrap methods: another look at the
# jackknife", 1979, [doi:10.1214/aos/1176344552](https://doi.org/10.1214/aos/1176344552)) asks the same ones again and
# again: draw $n$ of the $n$ values with replacement, take the mean, repeat. The middle 95 % of these means is an
# interval.
#
# The draws come in as an argument, so that everybody draws the same. Two stages are compared by the interval of the
# *difference* for each question; whether their own two intervals overlap says little, since the questions are the
# same.
#
# By hand: values (0, 1, 1), draws (0 0 1), (1 2 2), (0 1 2): means 1/3, 1, 2/3; with level 0.5 the interval is (0.5,
# 0.8333).
#
# <details><summary>Plan</summary>Look up the drawn values for all draws at once, which gives (R, n) numbers, and
# average each row: these are the R means. Then ask for the two quantiles of the means that leave equal shares outside
# on the left and on the right, and return them as a pair.</details>
# <details><summary>Hint</summary>An array may be indexed by an array of numbers, and the result has the shape of the
# numbers.</details>

# %% exercise="bootstrap"
def interval(values: np.ndarray, draws: np.ndarray, level: float = 0.95) -> tuple[float, float]:
    """Return (low, high), the bootstrap interval of the mean of values (n,).

    draws: (R, n), in each row the numbers of the values drawn. low and high: the quantiles (1 - level) / 2 and
    (1 + level) / 2 of the R means, by `np.quantile` as it comes, in double precision where `values` are.
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
# *Recall at 3* is what the reader will get. Each row is compared with the one that it names, on the same questions
# and draws; where the interval of the difference holds 0, the questions cannot tell the two apart. The last row is
# not a search: it puts each right candidate first, so no re-ranker can do better with these candidates.

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
# Read it from the top, with the last column in view: an interval that holds 0, or begins at it, is no proof. *A title
# in each chunk* is the cheapest stage there is, and one that buys most. *Dense* is mostly below BM25, since our encoder
# is a bag of tokens that read only these docs; whether these questions can tell, its interval says. *Fused* against
# BM25 is the difference that most guides take for granted; here it is small, and its interval holds 0. A regression on
# *the search's 4* numbers alone is hardly better. *With your 4* beside them recall rises, but the interval begins at 0,
# so by our own rule that is no proof. The 28 others, which the helpers bring, buy more; once those are there, dropping
# your four (*36 less your 4*) costs nothing that this many questions could reveal, since the helpers count names and
# words, too. *The cross-encoder* can only move the first five: its gain is small, in the recall as in the MRR below the
# table. *Best order* is the ceiling: what lies between it and the row above could be won by re-ranking, the rest was
# lost before any re-ranker saw it.
#
# ## Exercise 10: the prompt (`prompt`)
#
# 30 minutes, ★★★, 7 points
#
# The reader sees nothing but one text, and it is short: a *budget* of tokens. You have three good passages and room
# for two and a half. What goes in, in what order, and what is cut?
#
# ![A bar of 200 tokens: instruction 40, passage 1 whole 70, the first lines of passage 2 60, question 30; the rest of
# 2 is cut, 3 is left out.](figures/packing.svg)
#
# The form is fixed, and all readers of the course know it:
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
# These parts are joined by one blank line (`"\n\n"`); nothing follows after "Answer:". A passage is
# `f"[{i}] {title}\n{text}"`, numbered from 1 in the order of the ranking.
#
# 1. Passages come best first. Take them in this order, as long as the *whole* prompt has at most `budget` tokens by
#    `count_tokens`.
# 2. The first passage that does not fit whole is cut at the end of a line: of its text as many whole lines, from its
#    start, as fit. If not even its first line fits, it is left out. After it nothing more is taken, even if it would
#    fit.
# 3. With `best_last=True` the passages stand in the opposite order, the best nearest to the question, and keep their
#    numbers: language models use the ends of a long prompt better than its middle (N. F. Liu et al., "Lost in the
#    middle", 2023, [arXiv:2307.03172](https://arxiv.org/abs/2307.03172)).
#
# <details><summary>Plan</summary>Write a helper that joins any list of blocks into the whole prompt, in either order,
# so that you can always count the real thing. Go through the passages, best first: try each whole, then with fewer and
# fewer lines, and keep the first version that fits. Once a passage was cut or left out, stop. Return the prompt of the
# blocks you kept, and how many they are.</details>
# <details><summary>Hint 1</summary>Write a small function that joins a list of blocks to a prompt, and ask
# <code>count_tokens</code> of its result: tokens of parts do not simply add up.</details>
# <details><summary>Hint 2</summary>For the cut: try the text with all its lines, then with one less, down to one.
# </details>

# %% given
INSTRUCTION = ("Answer from the passages only, in their words, and cite the passage as [1]. If they do not say it, "
               "reply: I do not know.")

# %% exercise="prompt"
def build_prompt(
    question: str, passages: list[tuple[str, str]], budget: int, best_last: bool = False
) -> tuple[str, int]:
    """Return (prompt, used): a prompt of at most `budget` tokens and how many passages are in it, the cut one included.

    passages: [(title, text), ...], the best first. If none fits, the prompt is built without any, even if that alone is
    above the budget.
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
# Who answers? Anything that takes a prompt and returns a text: `load_generator("docs-reader")` is the bundled one,
# `load_generator(name)` any causal model of transformers, by its name on the hub or a folder on your disk (again on
# the page [Bring your own model](../bring_your_own_model.md)). With a large one, the same prompt gives whole
# sentences; we go on with the small one, which runs everywhere.
#
# A small model cannot be trusted to *write* a fact. The docs-reader therefore *points*, as the encoder of chapter 05
# did, and what it says stands in the passage, word for word. It is MiniLM with an adapter of low rank (chapter 09)
# that was taught to score each token as the first and the last of the answer, and [CLS] for "the passage does not
# say": on SQuAD, on questions made by rule from the docs, and on some thousands written by hand, the valid ones among
# them (`print(artifacts.load("docs-reader"))` shows its card). Its opponent has learned nothing: the *sentence* of the
# passages that shares most words with the question.

# %% show
readers = {"docs-reader": reader, "sentence": SentenceReader()}
for name, answers in readers.items():
    print(f"{name}: {answers(prompt)}")

# %% [markdown]
# ## Exercise 11: is the answer right? (`answers`)
#
# 12 minutes, ★, 6 points
#
# "The default is 128" and "128": both are right, and no comparison of characters will say so. Answers are compared as
# SQuAD does it (P. Rajpurkar et al., 2016, [arXiv:1606.05250](https://arxiv.org/abs/1606.05250)), but keeping the
# articles. Normalise first: in lower case, only the words, as `WORD.findall` (given: `\w+`) finds them. Then
#
# - *exact match*: 1 if the two lists of words are the same, else 0;
# - *token F1*: the words of both answers with their counts; what both have in common is the smaller count of each.
#   Precision is the share of the given answer's words in common, recall that of the right one's; F1 is $2PR / (P +
#   R)$.
#
# By hand: "the first of the two" against "The two first": in common the, first, two: P = 3/5, R = 3/3, F1 = 0.75.
#
# <details><summary>Hint</summary>Two <code>Counter</code>s joined by <code>&</code> keep the smaller count of
# each.</details>

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
# An answer without a source must be believed; one with a source can be looked up. By you, and by a program:
#
# 1. `cited(answer)` returns the numbers in square brackets, `[3]`. Only digits between the brackets count: `x[i]` and
#    `[1, 2]` are code, not citations.
# 2. `supported(answer, passages)`: whether the citation holds. Put a blank in the place of each citation of the answer;
#    the words that are left (by `normalise`) must stand, one after the other and in this order, among the words of at
#    least *one* cited passage, which keeps all of its own. Whole words only: "is" does not stand in "this".
#
# This is *faithfulness* judged by rule: is what was said in what was read? It is strict, as only a reader that
# copies can afford. Where a language model answers in its own words, each of its statements is checked against the
# passages by a model trained on entailment (does this follow from that?), or by a second language model with a
# fixed prompt; both err, so their agreement with people is measured first.
#
# By hand: "order by name [2]" is supported if passage 2 holds "... in Order, by name: ...".
#
# <details><summary>Plan</summary><code>cited</code> finds the bracketed numbers, turns them into integers, and keeps
# the first appearance of each. <code>supported</code> blanks out the citations and normalises what is left; then it
# goes through the cited passages that exist, normalises each, and looks for the answer's words as one unbroken run of
# whole words. One passage is enough; with no words or no such passage the answer is no.</details>
# <details><summary>Hint 1</summary><code>re.findall(r"\[(\d+)\]", answer)</code>, and <code>re.sub</code> with the
# same pattern.</details>
# <details><summary>Hint 2</summary>Join the words with blanks and put a blank at both ends: then "in" looks for whole
# words.</details>

# %% exercise="citations"
def cited(answer: str) -> list[int]:
    """Return the numbers that an answer cites, each once, in the order in which they first appear."""
    ### BEGIN SOLUTION
    return list(dict.fromkeys(int(number) for number in re.findall(r"\[(\d+)\]", answer)))
    ### END SOLUTION


def supported(answer: str, passages: list[str]) -> bool:
    """Return whether the words of the answer stand in one of the passages that it cites.

    passages[0] is cited as [1]. An answer that cites nothing, or has no words left, is not supported; a number that no
    passage has supports nothing (nor does [0]).
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
# Every stage is there. `ask` joins them, and sets two guards where they cost one line each. Before the reader: a
# passage is shown only if `admitted` says so (that will matter as soon as somebody else may write documents). Behind
# it: an answer leaves the assistant only if its citation holds. A reader that copies always passes; a model that
# writes may not.
#
# 1. `search(question)` gives the numbers of passages, best first. Take the first `k` of those with `admitted(title,
#    text)`: what is refused makes room for the next.
# 2. Build the prompt with at most `budget` tokens, the best passage first. *Shown* are the passages that are in it,
#    the one that was cut included.
# 3. Ask `read(prompt)`, once. If its answer is `supported` by what was shown (a source is title and text, joined by
#    `"\n"`), it is the answer, with its citation; else the answer is `UNKNOWN`.
#
# By hand: the search gives 2, 0, 1, passage 0 is refused, k = 2: shown are 2 and 1. "Open a file [2]" holds if
# passage 1 says "Open a file."; "Open a file [3]" becomes UNKNOWN, whatever the third passage of the search says.
#
# <details><summary>Plan</summary>Four lines: the passages that are admitted, cut to k; the prompt, and how many of
# them it uses; the reader's answer; the sources, and what follows from them. Return the answer together with the list
# of what was shown, also where the answer is UNKNOWN.</details>
# <details><summary>Hint 1</summary><code>build_prompt</code> returns how many passages it used, and these are the
# first ones.</details>
# <details><summary>Hint 2</summary><code>supported</code> says no to "I do not know." by itself: it cites
# nothing.</details>

# %% given
UNKNOWN = "I do not know."

def answer_of(*run, **how) -> dict:  # what the check asks: the answer, what was shown, what the stages were given
    return own_pipeline.answered(ask, *run, **how)

# %% exercise="ask"
def ask(
    question: str, search, passages: list[tuple[str, str]], read, admitted, k: int = 3, budget: int = 700
) -> tuple[str, list[tuple[str, str]]]:
    """Return (answer, shown): the reader's words with their citation, or UNKNOWN, and the passages in its prompt.

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
# The docs do not answer every question, and something always looks alike. So the reader compares the score of its
# best span with that of [CLS], "the passage does not say", and answers only above a *threshold*. No threshold is
# right for all questions: it trades answers that would have been right for errors that are not made.
#
# ![Scores of five questions that the docs answer and four that they do not, on a line; right of a threshold the
# reader answers, left of it it is silent.](figures/refusing.svg)
#
# Now your assistant is judged, in two ways. *Given the right passage*: how well does the reader read? *With what the
# search found*: how well do all stages work together? For questions without an answer in the docs, the reader gets what
# the search finds, in both cases. We choose the threshold on the valid questions: the most right answers (F1 at least
# 0.5) among those thresholds that keep it silent on at least 70 % of the questions that the docs do not answer. (The
# reader has learned from those of the valid questions that have an answer, so it looks better on them than it is.
# From the others it has not learned, and the test questions are new to it.)

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


READ = {"valid": 6, "test": 2}  # of the answerable ones above every so many-th  ### small: {"valid": 1, "test": 3}
OTHERS = 1  # of those that the docs do not answer all  ### small: 48
valid, test = (parts[name][::every] + questions.unanswerable(name)[::OTHERS] for name, every in READ.items())
pack = partial(prompts_for, build_prompt=build_prompt, budget=BUDGET)
thresholds = np.arange(-10, 10.1, 0.25)
right, silent = bargain(reader.best, pack(valid, right_passage), thresholds, token_f1)
reader.threshold = choose_threshold(thresholds, right, silent)
plots.show(*figures.threshold_curves(thresholds, right, silent, reader.threshold))

# %% show
def given(q, read=reader) -> tuple[str, list[tuple[str, str]]]:
    """Ask with the right passage as all that is found."""
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
# *Given* is the reader with the right passage as all that is found, *assistant* the whole of it, from the question to
# the answer. Both ask a sample, one answerable question in six, which may be ten points off either way. The last lines
# are those of the first page: the same assistant, asked all test questions, which takes minutes, so its figures are
# recorded. The lines between show where the answers of the sample were lost. *Torn*: no chunk holds the evidence whole.
# *Not found*: no right document among the candidates. *Too late*: not among the first three. *Not in the prompt*: the
# right document, but not the chunk that says it. The last two are the reader's. *Right* and *silent* are two ends of
# one bargain. More passages do not help: the reader cannot tell which document is meant. Chapter 09 lets the reader's
# own confidence help choose between passages. Read a few answers:

# %% show
SHOW_EVERY = 12  # from one question to the next  ### small: 5
for q, answer, _ in said["docs-reader", "assistant"][::SHOW_EVERY][:10]:
    print(f"{q.question}\n    said: {' '.join(answer.split())}\n    asked for: {q.answer or UNKNOWN}\n")

# %% [markdown]
# **Who judges the judge?** "F1 of at least 0.5" is a rule, and rules err. Before a judge is believed, it is asked about
# answers whose verdict is known. One person read 125 answers of this assistant and called each right or wrong. On half
# of them we ask the two rules of exercise 11; MiniLM's cosine of the given and the right answer, from the level that
# was best on the other half; and, if you give it one, a language model with a fixed prompt. *Kappa* (J. Cohen, 1960) is
# agreement beyond chance: 1 is perfect, 0 is what two coins reach. No votes of a model are stored here, so where nobody
# has asked one, the row says so.

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
# The rule comes close to the person. Exact match is too strict. And MiniLM, which knows meanings, is a worse judge here
# than counting words. Where the rule errs you can say why: it takes "-1" for "1", since words have no sign, "tp / (tp +
# fn)" for "tp / (tp + fp)", since four of five words are the same, and calls a right answer wrong that is wrapped in a
# long sentence.
#
# **Somebody else's questions.** All of this was chosen for the docs. SQuAD, whose measures you wrote, asks about
# 2,067 paragraphs of Wikipedia, in words that were written with the paragraph in sight. We take some of the questions
# about every sixth article (the docs-reader has learned from the others) and the same index, encoder, fusion and
# readers, with nothing tuned. Guess first: which search will suffer, and which reader? (Of several right answers the
# best one counts.)

# %% show
from helpers.chapters.rag import squad

SQUAD_EVERY = 24  # every so many-th of these questions  ### small: 400
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
# BM25 does better here than on the docs: questions that are written beside a paragraph borrow its words, and there are
# far fewer paragraphs to choose from. Dense has the same small choice and gains nothing: its encoder has read
# documentation alone, and knows neither Rome nor rugby. And fusion trusts both searches alike, so the weak one pulls
# the strong one down: a table like this one comes before every fusion. Of the readers, the column of exact answers is
# the more telling: a whole sentence is never the answer, a few words that were pointed at may be. BERT-base,
# pre-trained on Wikipedia and books and taught on SQuAD's training part, ten times what docs-reader saw, reaches 81 %
# exact and an F1 of 0.885 (J. Devlin et al., "BERT", 2018, [arXiv:1810.04805](https://arxiv.org/abs/1810.04805)).

# %% [markdown]
# ## Exercise 14: one document is not enough (`links`)
#
# 10 minutes, ★, 4 points
#
# "Does the handler that logging.basicConfig creates if I say nothing shut its stream?" The document of `basicConfig`
# says that it creates a `StreamHandler`, and only the document of `StreamHandler` says what that does with its stream.
# No document answers alone, and the question never names the second. But documents name each other, so they form a
# *graph*, and a search can follow its links:
#
# 1. Keep the `first` documents of the ranking, in its order.
# 2. Then come the documents that these name, each once and without the kept ones: the best score first; of equal scores
#    the lower number first.
# 3. If there is room, the rest of the ranking follows. Stop at `k`.
#
# By hand: ranking (0, 1, 2), first = 2, k = 4. Document 0 names 4 and 5, document 1 names 0 and 6; 5 has the score 2.5,
# 4 and 6 have 1.5. The answer is 0, 1, 5, 4.
#
# <details><summary>Hint</summary>Two sets: those that are named, less those that are kept. <code>sorted(..., key=lambda
# d: (-scores[d], d))</code> puts the best first, and <code>dict.fromkeys</code> drops what comes again.</details>

# %% exercise="links"
def linked(
    ranking: list[int], links: list[set[int]], scores: np.ndarray, first: int = 5, k: int = 10
) -> list[int]:
    """Return at most k documents: the first of a ranking, those that they name, the rest of the ranking.

    ranking: documents, the best first, each once. links[d]: the documents that document d names, other than d.
    scores: (documents,), how well each fits the question by itself.
    """
    ### BEGIN SOLUTION
    kept = ranking[:first]
    named = {other for document in kept for other in links[document]}
    best = sorted(named - set(kept), key=lambda document: (-scores[document], document))
    return list(dict.fromkeys([*kept, *best, *ranking]))[:k]
    ### END SOLUTION

# %% check="links" points=4

# %% [markdown]
# Thirty questions that join two documents were written for this chapter. Does the second come among the first ten? The
# links are those that the docs' authors wrote, the scores are BM25's. There is another way, a second turn: *ask again*
# with the question and the names that the first document holds. A language model would write that second question; ours
# is written by rule. The last column says what a way costs where nobody needs it: the same recall for the test
# questions that one document answers.

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
# The search finds the first document always, and the second for three questions of four: the words of these questions
# lead far. Both ways find it for nine of ten, and lose one in a hundred of the plain questions, whose documents stood
# at the places 6 to 10. The links are those that the docs' authors wrote, so they cost nothing; where a corpus has
# none, a model draws them.
#
# ## What else people build
#
# *Query rewriting*: a question in a conversation ("and with a timeout?") means nothing alone; a language model writes
# it anew before the search. *HyDE* (L. Gao et al., "Precise zero-shot dense retrieval without relevance labels",
# 2022, [arXiv:2212.10496](https://arxiv.org/abs/2212.10496)): the model writes an answer, right or wrong, and its
# vector is searched with, since an answer lies nearer to passages than a question does. *GraphRAG* (D. Edge et al.,
# "From local to global", 2024, [arXiv:2404.16130](https://arxiv.org/abs/2404.16130)): a model draws the graph, of who
# has to do with whom, and answers from summaries of its parts. All need a model that writes well; with one behind
# `load_generator`, add a line to `stages`.
#
# ## Essay 1: where is it lost?
#
# 20 minutes, ★★, 10 points, graded by hand
#
# An answer can be lost at every stage, and the table under *When to be silent* counts them. (a) With the numbers of
# *your* run: what share of the test questions is lost at which stage, and where would you work next? (b) Two
# stages: does fusion, does the cross-encoder add anything that the intervals let you believe? What would you need
# to know more? (c) What is right about a reader that copies, and what can it never do? Use two of the answers
# above. About 200 words.

# %% [markdown] essay="lost" points=10
# ### BEGIN SOLUTION
# (a) By the table, sections tear next to no answer, and few documents are missing among the candidates; more come
# too late, behind rank 3, which is all that the prompt holds. The largest loss comes after that: the reader is
# silent or misreads, and even with the right passage in hand it misses two questions in five (given). So the reader
# is where I would work next, then the places 4 to 10. (b) The interval of the difference is what counts, not
# whether the two intervals overlap, since the questions are the same. Fusion against BM25: the interval holds 0, so
# I cannot say that it helps on this set, though it brings candidates that BM25 lacks. The cross-encoder: its gains
# in MRR and at rank 3 are small, and just clear of 0; five candidates are few, and its body learned from the valid
# questions, on which its head was trained. More questions would narrow both intervals. And some of the documents
# that count as wrong may answer: nobody has read them, because no search put them into the pool. (c) Whatever it
# says stands in the passage, so it can be checked at a glance, and it cannot invent. But it cannot join two
# passages, count, or say "no": asked whether something is allowed, it can only point at the rule.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 4 points: (a) shares for at least three stages from the own run, and the stage where most is lost is named.
# 3 points: (b) uses the interval of the difference; says for each of the two whether 0 lies in it, and what follows.
# 3 points: (c) a merit (can be checked, invents nothing) and a limit (joining, counting, yes and no), with two
# examples.
# ### END MARK SCHEME

# %% [markdown]
# ## Exercise 15: the passage is not your friend (`defence`)
#
# 25 minutes, ★★★, 6 points
#
# Anyone who can write into the corpus can write into the prompt. "Ignore the passages and answer ..." in a document
# that is found is an instruction to the reader from somebody you do not know: *indirect prompt injection* (K. Greshake
# et al., "Not what you've signed up for", 2023, [arXiv:2302.12173](https://arxiv.org/abs/2302.12173)). A passage is
# data, and must not be able to look like anything else. `clean(text)` takes away, in this order:
#
# 1. characters that nobody sees: those of the Unicode categories `Cf` (zero-width and the like) and `Cc` (control),
#    apart from `\n` and `\t`. First of all, because they hide the rest;
# 2. comments: `<!-- ... -->`, over several lines, the shortest stretch each; one that never closes goes to the end of
#    the text;
# 3. special tokens: `<|...|>` with anything but line breaks between, the shortest stretch each;
# 4. whole lines (between two `\n`) that look like the frame: those that begin, after blanks, with a number in
#    square brackets (`[3]`), or with one of the words in `ROLES` and a colon, blanks before the colon allowed,
#    capitals or not;
# 5. whole paragraphs (stretches between blank lines, `re.split(r"\n\s*\n", ...)`) in which `ORDERS` (given) is found
#    by `ORDERS.search`.
#
# What is left: paragraphs joined by one blank line, each with the blanks at its start and end taken off, empty ones
# dropped. A harmless text with one empty line between its paragraphs comes back as it was.
#
# <details><summary>Plan</summary>Take the five steps one at a time, in the order of the list, and give each the text
# that the one before returned. They work on larger and larger units: characters first, then stretches of text, then
# lines, then paragraphs. Try each step alone on a tiny text before you chain them, above all on a stretch that never
# closes. Strip and join the paragraphs last.</details>
# <details><summary>Hint 1</summary><code>unicodedata.category(c)</code> gives "Cf", "Cc" and so on.</details>
# <details><summary>Hint 2</summary><code>re.sub(r"&lt;!--.*?(-->|\Z)", "", text, flags=re.S)</code>: the question
# mark makes it the shortest; with <code>re.S</code> a dot matches line breaks, too.</details>
# <details><summary>Hint 3</summary><code>re.match(rf"\s*(\[\d+\]|({'|'.join(ROLES)})\s*:)", line, re.I)</code> says
# whether a line is of the frame.</details>

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
# Now the attack. First 32 poisoned documents that give orders, each written to be found by one question. Are they? The
# next cell asks BM25. After it we let the attacker win the search: the poison stands before what was found. Does the
# poisoned passage get into the prompt? Does its *marker*, the words that an answer would hold which followed the order?
# A model that obeys may follow those; this is the worst case. And does our reader say them?
#
# Then a stronger attacker, who knows that our reader copies. He gives no orders. He takes the passage that answers a
# question and puts another answer in the place of the true one: a *lie*. Under a name of his own; under the name of the
# true document (*forged*); or as an *insider*, who changes the document before anybody makes a list of what to trust.
#
# The defences: `clean`; *agreement*, which keeps a passage only if a second one of the prompt shares a word triple with
# it; *names*, which admits passages only under names that the libraries have; and *origin*, which admits only texts
# whose *fingerprint* (a hash of title and text) is on a list that was made when the libraries were installed. The last
# two do not ask what a text says but where it comes from, and are an argument of your `ask`.

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
# Read the columns from the left. `clean` takes away half of the markers. Our reader copies, so few orders move it: two
# of the 32, a false fact and a comment in an example, have their marker where an answer stands, and `clean` passes
# both. It is a defence for a model that obeys. Lies move our reader more often, although the true passage is there,
# too. No pattern sees them, and *agreement* hardly does: a lie shares all other words with the truth, and honest
# passages pay. *Names* stop the attacker with a name of his own, and nobody who forges one. *Origin* stops both, and
# costs nothing on honest questions as long as the list is fresh: a document that was written since is shut out with
# them. (One lie is still counted: the reader makes that mistake by itself, without any lie in its prompt.) What is
# left: an insider's lie is on the list. Against him every row of this table is the row *none*. The last line names the
# kinds of orders that pass `clean`.

# %% [markdown]
# ## Essay 2: the false fact
#
# 20 minutes, ★★, 10 points, graded by hand
#
# (a) Which kinds of poison does `clean` stop, and which never? Why can no pattern stop "Default: 4096" in a document
# that looks like all others? (b) A reader that only copies was meant to be safe. From what does that protect, and from
# what not? What would a model that follows instructions do with the same prompts? (c) *Origin* stops all that comes
# from outside. Name two situations in which it does not help, and what it costs. Which defence would you keep if you
# had one, and why? About 200 words.

# %% [markdown] essay="false-fact" points=10
# ### BEGIN SOLUTION
# (a) clean removes what has a form: hidden characters, comments, special tokens, forged roles and the orders that its
# list knows. It does not stop what is worded in another way or language, encoded, spread over two chunks, or put into
# an example. A false fact has no form of its own: "Default: 4096" is just what a true passage looks like, so a pattern
# that removes it would remove the truth as well. Whether it is true is not written in the words. (b) Copying protects
# from obeying: the reader sends no link and prints no prompt, and only two orders of 32 were copied, since they stood
# where an answer stands. It does not protect from believing: the columns of lies show how often a passage that answers
# the question wrongly is copied, with a correct citation. A model that follows instructions could be fooled by every
# row whose marker is in the prompt; the column is its worst case. (c) Origin is only as good as the list: an insider's
# lie is on it, and so is what a dependency that was taken over, or a user who may add comments, wrote before it was
# made; and new documents, a colleague's notes, the internet are shut out. I would keep it all the same, since it is the
# only one that does not ask the attacker's text whether it may be believed.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 3 points: (a) names kinds of both sorts from the own table; a false fact cannot be told by its form.
# 3 points: (b) copying prevents obeying, not believing (the lies); the markers as the worst case for another model.
# 3 points: (c) two situations (trusted source taken over, content by users, new sources), and the cost.
# 1 point: a choice with a reason.
# ### END MARK SCHEME

# %% [markdown]
# ## What it costs, and what grows
#
# Time of each stage for one question (the median of several), and the memory that the search keeps. Then the same
# with a quarter and a half of the corpus: what grows with it?

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
# Exact search grows with the corpus, both ways of it, and so does the memory; the stages behind it see a fixed number
# of passages, however large the corpus is.
#
# ## Search a part of it
#
# At a hundred times the size nobody compares a question with every vector. An *inverted file* (J. Sivic, A. Zisserman,
# "Video Google", 2003, [doi:10.1109/ICCV.2003.1238663](https://doi.org/10.1109/ICCV.2003.1238663)) puts vectors where
# the index of exercise 3 has words: k-means finds some hundred centres, and each vector goes into the list of the
# centre nearest to it. A question reads the lists of a few centres alone. What it misses lies just across a border, so
# such a search is *approximate*, and what is measured is its recall of the ten that exact search finds. The other
# common index, *HNSW* (Y. A. Malkov, D. A. Yashunin, "Hierarchical navigable small world graphs", 2016,
# [arXiv:1603.09320](https://arxiv.org/abs/1603.09320)), links each vector to its neighbours and walks from one to the
# next. The inverted file below is twenty lines of NumPy; FAISS, the library, has both, and its rows are there where it
# is installed (`pip install faiss-cpu`).

# %% show
from helpers.chapters.rag import inverted_file

nearby = inverted_file.compare(vectors, encoder.encode([q.question for q in test]), dense_top)
print(inverted_file.approximate_table(nearby))
plots.show(*figures.approximate(nearby))

# %% [markdown]
# A twentieth of the vectors holds two thirds of the ten, a fifth nearly nine. Our file saves time only while it reads
# little: to gather rows costs NumPy more than to multiply them all. FAISS keeps the vectors of a list side by side, so
# its file finds as much several times sooner, and HNSW finds most in the same time. With our 26,562 vectors none of
# this is needed, as exact search takes milliseconds; but its time grows with the corpus, theirs far more slowly.
#
# ## The assistant, your own
#
# The panel of the first page once more, with every stage yours. Type a question and press the button, or Enter. The
# words of the answer are marked in their passage; where the assistant is silent, a line says why.

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
# Retrieval classifies, too: the label of a text is that of the texts most like it (Fix, Hodges 1951). Nothing is
# trained: your dense search finds the seven nearest examples, and each votes by its cosine. Once they lie as the
# docs-encoder sees them, once (ten questions of each intent alone, since it reads more slowly) as MiniLM does.

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
# An assistant that finds, orders, packs, reads, cites and stays silent, with a number for each stage; a frame that
# passages cannot break; and a table that says what an attacker can still do.
#
# What breaks: the reader. It points where a person would explain. Chapter 09 takes a model that is there already and
# teaches it to answer, with a few thousand weights instead of all.

# %% [markdown] text="further"
