# %% [markdown]
# # 08 RAG: retrieve, then read
#
# **What you will build.** The documentation assistant: a question comes in, passages are found (by words, by meaning,
# by both), put in order, packed into a prompt, and read; the answer says which passage it is from, or that the docs
# do not say. Every stage is measured by itself, and attacked.
#
# **What you need.** BM25 from chapter 01, the artifacts *docs-tokenizer*, *docs-vectors* (02) and, where it is there,
# *docs-encoder* (07); the idea of pointing at a span from chapter 05.
#
# **Points.** 100: thirteen exercises checked by machine (80) and two short essays (20). Allow about six hours. The
# whole notebook, once written, runs in about two minutes on two cores.
#
# Notation: $N$ passages, $Q$ questions, vectors of $C$ numbers in rows; the ranks of a result count from 1.

# %% given
import math
import re
import time
from collections import Counter

import numpy as np

from helpers import data, plots
from helpers.course import SEED, artifacts, benchmarks, notebook
from helpers.search import VectorStore, load_encoder, stems

notebook.prepare("08_rag")
WORD = re.compile(r"\w+")
tokenizer = artifacts.load_tokenizer(own=False)


def count_tokens(text: str) -> int:
    """Return how many tokens of docs-tokenizer a text has."""
    return len(tokenizer.encode(text, add_special_tokens=False).ids)

# %% [markdown]
# ## The task
#
# A model knows what its training data said, as well as its weights could hold it, and it cannot say where it got it
# from. Documentation changes with every release. So we leave the facts where they are, look them up when somebody
# asks, and give them to the model together with the question: *retrieval-augmented generation* (Lewis et al. 2020).
#
# Our corpus is the docs. Our judge is a set of questions that people wrote about them, in their own words, each with
# the document that it was written about and the words in it that answer it, and some that the docs cannot answer at
# all. It has two parts: *valid* to make choices by, *test* to report. None is written about a document of the other.

# %% show
docs = data.load("docs")
questions = data.load("docs_questions").held_by(docs)
print(docs, questions, sep="\n")
for asked in questions.splits["valid"][:3] + [q for q in questions.splits["valid"] if not q.answerable][:2]:
    found = f"{asked.document}: {asked.evidence}" if asked.answerable else "(the docs do not say)"
    print(f"\n{asked.question}\n    {found}\n    answer: {asked.answer or 'I do not know.'}")

# %% [markdown]
# ## Exercise 1: three numbers for a ranking (`metrics`)
#
# 15 minutes, ★, 7 points
#
# Before we search, we decide how to judge a search. It returns documents, the best first; we know which are relevant.
#
# - *Recall at k*: the share of the relevant documents that are among the first $k$.
# - *Reciprocal rank*: $1 / r$ for the rank $r$ of the first relevant document, 0 if there is none. Its mean over
#   questions is the MRR.
# - *nDCG at k* (Järvelin, Kekäläinen 2002): documents have gains $g \ge 0$, and a gain counts less the later it
#   comes:
#
# $$\mathrm{DCG}_k = \sum_{r=1}^{k} \frac{g_r}{\log_2(r + 1)} \qquad \mathrm{nDCG}_k =
# \frac{\mathrm{DCG}_k}{\text{the DCG}_k \text{ of the best possible order}}$$
#
# The best possible order sorts *all* gains that there are, not only those that were found. Documents that are not in
# `gains` have the gain 0. `ranked` names no document twice; there is at least one relevant document (one gain above
# 0). `ranked` may be shorter than `k`, or empty; then what it lacks counts as not found. Return plain numbers.
#
# By hand: ranked (a, b, c, d), relevant {b, d, x}: recall at 2 is 1/3, the reciprocal rank 1/2. With gains b: 2, d: 1
# nDCG at 4 is $(2 / \log_2 3 + 1 / \log_2 5) / (2 / \log_2 2 + 1 / \log_2 3) = 1.6925 / 2.6309 = 0.6433$.
#
# <details><summary>Hint 1</summary><code>enumerate(ranked, start=1)</code> counts ranks from 1.</details>
# <details><summary>Hint 2</summary>Write the DCG of a list of gains once, and use it twice.</details>

# %% exercise="metrics"
def recall_at(ranked: list[str], relevant: list[str], k: int) -> float:
    """Return the share of the relevant documents among the first k of the ranked."""
    ### BEGIN SOLUTION
    return len(set(ranked[:k]) & set(relevant)) / len(set(relevant))
    ### END SOLUTION


def reciprocal_rank(ranked: list[str], relevant: list[str]) -> float:
    """Return 1 / the rank of the first relevant document, 0 if none is there."""
    ### BEGIN SOLUTION
    return next((1 / rank for rank, name in enumerate(ranked, start=1) if name in relevant), 0.0)
    ### END SOLUTION


def ndcg_at(ranked: list[str], gains: dict[str, float], k: int) -> float:
    """Return the nDCG of the first k of the ranked."""
    ### BEGIN SOLUTION
    def dcg(values):
        return sum(g / math.log2(rank + 1) for rank, g in enumerate(values[:k], start=1))

    return dcg([gains.get(name, 0) for name in ranked]) / dcg(sorted(gains.values(), reverse=True))
    ### END SOLUTION

# %% check="metrics" points=7

# %% [markdown]
# ## Exercise 2: chunks by size (`windows`)
#
# 10 minutes, ★, 4 points
#
# A docstring may be two lines or two hundred. What we search for and what we show the reader are pieces of it:
# *chunks*. The simplest are windows of `size` words, each beginning `size - overlap` words after the one before.
# Without overlap, a fact that lies across a border is in neither piece; with it, the index grows.
#
# Return a list of lists of words. The last window may be shorter. Stop with the first window that reaches the end of
# the text: a further one would hold nothing new. No words give no windows. Raise a `ValueError` unless `0 <= overlap
# <
# size`.
#
# By hand: seven words a to g, size 4, overlap 1: (a b c d), (d e f g). With overlap 2: (a b c d), (c d e f), (e f g).
#
# <details><summary>Hint 1</summary>A window that begins at <code>start</code> reaches the end when <code>start + size
# >= len(words)</code>.</details>

# %% exercise="windows"
def windows(words: list[str], size: int, overlap: int = 0) -> list[list[str]]:
    """Return windows of `size` words of which neighbours share `overlap`."""
    ### BEGIN SOLUTION
    if not 0 <= overlap < size:
        raise ValueError("overlap must be at least 0 and less than size")
    found = []
    for start in range(0, len(words), size - overlap):
        found.append(words[start : start + size])
        if start + size >= len(words):
            break
    return found
    ### END SOLUTION

# %% check="windows" points=4

# %% [markdown]
# ## Exercise 3: chunks by structure (`sections`)
#
# 15 minutes, ★★, 6 points
#
# A docstring has a shape: paragraphs, parameters, notes, parted by blank lines. Cut there, and a chunk is a thought.
# So:
#
# 1. Split the text at blank lines (lines with nothing but blanks count). Blanks around a paragraph at its start and
#    end are taken off with `strip`; inside it nothing changes. Empty paragraphs are dropped.
# 2. Go through the paragraphs and gather them. Before one is added that would bring the chunk above `size` words,
# close
#      the chunk and begin the next with that paragraph. A paragraph that is longer than `size` by itself is *not*
# cut: it becomes a chunk of its own, and the next paragraph begins another.
# 3. A chunk is its paragraphs joined by one blank line (`"\n\n"`). Words are what `str.split()` gives.
#
# By hand, size 5: paragraphs of 2, 3, 1 and 9 words give three chunks: 2 + 3, 1, and 9.
#
# <details><summary>Hint 1</summary><code>re.split(r"\n\s*\n", text)</code> splits at blank lines.</details>
# <details><summary>Hint 2</summary>Keep a list of paragraphs and the count of their words; close it when it is not
# empty
# and would grow too long, and once more at the end.</details>

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

# %% check="sections" points=6

# %% [markdown]
# What does the cut do? For each way to cut we ask two things. *Whole*: for how many of the questions do the words
# that answer it stand whole in one chunk? What is torn here, no search and no reader can mend. And how many chunks,
# and words in all, must be kept?

# %% show
from helpers.experiments.rag.chunks import Corpus, compare_cuts, cuts_table, in_windows
from helpers.figures import retrieval as figures

answerable = [q for q in questions if q.answerable]
ways = {
    "whole documents": lambda text: [text],
    "100 words": in_windows(windows, 100), "40 words": in_windows(windows, 40),
    "40 words, 15 shared": in_windows(windows, 40, 15),
    "sections of 100": lambda text: sections(text, 100), "sections of 40": lambda text: sections(text, 40),
}
cuts = compare_cuts(answerable, docs, ways)
print(cuts_table(cuts))
plots.show(*figures.whole_answers({name: cut.whole for name, cut in cuts.items()}))

# %% [markdown]
# We take sections. Each chunk also begins with the name and signature of its document: a piece that says "Default:
# 1e-5" is worth nothing if nobody knows of what.

# %% show
SIZE = 120  # words of a chunk
PART = 1  # with 4, every fourth document and those that are asked about  ### small: 4
asked_about = {q.document for q in answerable}
documents = [d for i, d in enumerate(docs) if i % PART == 0 or d.name in asked_about]
corpus = Corpus(documents, sections, SIZE)
chunks = corpus.chunks  # [(name and signature, text), ...]
print(f"{len(documents):,} documents, {len(chunks):,} chunks of {corpus.mean_length():.0f} words")

# %% [markdown]
# ## Exercise 4: an inverted index (`inverted`)
#
# 30 minutes, ★★★, 9 points
#
# Chapter 01's BM25 went through all documents for each query. Nearly all score 0. An *inverted index* turns it round:
# for each word the list of documents that hold it, its *postings*. And since BM25 of a word in a document does not
# depend on the query, it can be worked out beforehand:
#
# $$\text{weight}(w, d) = \ln\Big(1 + \frac{N - N_w + 0.5}{N_w + 0.5}\Big) \cdot
# \frac{\text{TF}(w, d) \cdot (k_1 + 1)}{\text{TF}(w, d) + k_1 \cdot \big(1 - b + b \cdot
# \frac{|d|}{\text{avgdl}}\big)}$$
#
# with $N$ documents, $N_w$ of them with $w$. (This is the IDF of Lucene, which is never negative.) A query is then a
# few additions of short arrays.
#
# 1. `build_index(documents, k1, b)` returns `{word: (numbers, weights)}`: two NumPy arrays of the same length, the
#    documents that hold the word in ascending order (whole numbers, from 0) and the weights (float64). No documents
#    give an empty dict; an empty document has no words.
# 2. `bm25_scores(index, query, num_documents)` returns the scores of all documents, shape (N,), float64. A word that
#    stands twice in the query counts twice; one that is not in the index adds nothing.
# 3. `best(scores, k)` returns the numbers of the (at most) `k` documents with the largest scores, the largest first,
# as
#      a list of ints. Equal scores: the lower number first. Scores of 0 and below are left out. Do not sort all N if
# k is small (`np.argpartition`, or sort only the scores above 0).
#
# By hand: documents (a b a), (b), (b c); for the word c, $N_w = 1$: $\ln(1 + 2.5 / 1.5) = 0.9808$; with $k_1 = 1.2$,
# $b = 0.75$, avgdl = 2 the fraction is $2.2 / 2.2 = 1$.
#
# <details><summary>Hint 1</summary>First pass: for each document a <code>Counter</code>; append its number and count
# to
# the list of each of its words. Second pass: from counts to weights, with arrays.</details>
# <details><summary>Hint 2</summary><code>scores[numbers] += weights</code> adds at many places at once; right here,
# since
# no document stands twice in one word's postings.</details>
# <details><summary>Hint 3</summary><code>np.lexsort((numbers, -scores[numbers]))</code> sorts by score, then by
# number.</details>

# %% exercise="inverted"
def build_index(
    documents: list[list[str]], k1: float = 1.2, b: float = 0.75
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return {word: (numbers (n,), BM25 weights (n,))} of N tokenised documents."""
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
    """Return the score of each document for a tokenised query, (N,)."""
    ### BEGIN SOLUTION
    scores = np.zeros(num_documents)
    for word in query:
        if word in index:
            numbers, weights = index[word]
            scores[numbers] += weights
    return scores
    ### END SOLUTION


def best(scores: np.ndarray, k: int) -> list[int]:
    """Return the numbers of the k largest scores above 0, the largest first."""
    ### BEGIN SOLUTION
    numbers = np.flatnonzero(scores > 0)
    if len(numbers) > k > 0:  # all that reach the k-th score, so that ties are settled below
        threshold = -np.partition(-scores[numbers], k - 1)[k - 1]
        numbers = numbers[scores[numbers] >= threshold]
    return numbers[np.lexsort((numbers, -scores[numbers]))][:k].tolist()
    ### END SOLUTION

# %% check="inverted" points=9

# %% [markdown]
# The lecture's two documents once more, with Lucene's IDF, for the query "not sentence"; and an independent BM25. The
# library rank_bm25 has another IDF, so we exchange ours for it: all else must agree.

# %% show exact=true
from helpers.experiments.rag.bm25 import rank_bm25_scores, with_idf

texts = ["This This is is a sentence sentence another", "This is a a sentence sentence another not not Yet"]
lecture = bm25_scores(build_index([text.split() for text in texts], k1=1.5), ["not", "sentence"], 2)
print("the lecture's documents:", *(f"{value:.4f}" for value in lecture))
few, query = corpus.words[:500], stems("remove an element from the list and return the default value")
library, its_idf = rank_bm25_scores(few, query)
gap = np.abs(bm25_scores(with_idf(build_index(few), its_idf, len(few)), query, len(few)) - library).max()
print("the same as rank_bm25 with its IDF:", bool(gap < 1e-9))

# %% show
t0 = time.perf_counter()
index = build_index(corpus.words)
print(f"{len(index):,} words, {sum(len(n) for n, _ in index.values()):,} postings, {time.perf_counter() - t0:.1f} s")


def lexical(question: str, k: int = 100) -> list[int]:
    """Return the numbers of the k best chunks by BM25."""
    return best(bm25_scores(index, stems(question), len(chunks)), k)


example = "How many results does the memoising decorator of functools keep if I say nothing?"
t0 = time.perf_counter()
found = lexical(example, 5)
print(f"{1000 * (time.perf_counter() - t0):.1f} ms", *(chunks[i][0][:90] for i in found), sep="\n  ")

# %% [markdown]
# ## Exercise 5: exact dense search (`dense`)
#
# 20 minutes, ★★, 6 points
#
# Words are not meanings: who asks for "accented letters" should find "non-ASCII characters". An encoder (chapter 07)
# gives each text a vector, near those of texts alike. Then the search is a product of matrices, and the largest
# numbers of each row. For a million passages and a thousand questions that table has $10^9$ numbers, so it must not
# exist at once:
#
# `dense_top(queries, vectors, k, batch)` goes through `vectors` $(N, C)$ in pieces of `batch` rows. After each piece
# it keeps, for every query, the best `k` so far. It returns `(rows, scores)`, both of shape $(Q, \min(k, N))$: the
# numbers of the rows with the largest dot products, the largest first, and these products. Equal scores may come in
# any order.
#
# By hand: one query (1, 0); vectors (1, 5), (3, 0), (2, 2); k = 2: rows (1, 2), scores (3, 2).
#
# <details><summary>Hint 1</summary>The best of all are among the best of each piece: put the new scores beside the
# kept
# ones (<code>np.concatenate(..., axis=1)</code>) and choose again.</details>
# <details><summary>Hint 2</summary>The rows of a piece are numbered from its start: add it.</details>
# <details><summary>Hint 3</summary><code>np.take_along_axis(scores, order, axis=1)</code> picks other columns in each
# row.</details>

# %% exercise="dense"
def dense_top(
    queries: np.ndarray, vectors: np.ndarray, k: int, batch: int = 32768
) -> tuple[np.ndarray, np.ndarray]:
    """Return (rows, scores), each (Q, min(k, N)), of the largest dot products of queries (Q, C) and vectors (N, C)."""
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
t0 = time.perf_counter()
vectors = encoder.encode([f"{title}\n{text}" for title, text in chunks])
print(f"{type(encoder).__name__}: {vectors.shape} in {time.perf_counter() - t0:.1f} s, {vectors.nbytes / 1e6:.0f} MB")


def dense(question: str, k: int = 100) -> list[int]:
    """Return the numbers of the k chunks whose vectors have the largest dot product with the question's."""
    return dense_top(encoder.encode([question]), vectors, k)[0][0].tolist()

# %% [markdown]
# **The same in Qdrant.** A vector database keeps vectors on disk, filters by payload, serves many. Ours runs inside
# this process (`url=None`); with `url="http://localhost:6333"` the same code asks a server. Searched exactly, it must
# find the same ten.

# %% show
from helpers.experiments.rag.rankings import agreement, first_ranks, recall, stages_table

ASKED = 20  ### small: 3
store = VectorStore(vectors)
asked = encoder.encode([q.question for q in questions.splits["valid"][:ASKED]])
same, gap = agreement(*dense_top(asked, vectors, 10), [store.search(vector) for vector in asked])
print(f"the same top-10 in Qdrant for {same} of {len(asked)} questions; largest difference of scores {gap:.1e}")

# %% [markdown]
# ## Exercise 6: two rankings into one (`fusion`)
#
# 10 minutes, ★, 5 points
#
# BM25 knows names, the encoder knows meanings; each finds what the other misses. Their scores have different units,
# so we add neither. *Reciprocal rank fusion* (Cormack, Clarke, Büttcher 2009) uses ranks alone:
#
# $$\text{score}(d) = \sum_{\text{rankings that hold } d} \frac{1}{c + \text{rank of } d}, \qquad c = 60$$
#
# Return a list of pairs (number, score), the largest score first; equal scores: the lower number first. The first
# rank is 1. A document that one ranking lacks gets nothing from it. Rankings may differ in length, and any may be
# empty.
#
# By hand, c = 1: (7, 3) and (3, 9): 3 has 1/3 + 1/2 = 0.8333, 7 has 0.5, 9 has 0.3333.
#
# <details><summary>Hint 1</summary>One dict from number to score; <code>enumerate(ranking, start=1)</code> gives the
# ranks.</details>
# <details><summary>Hint 2</summary>Sort by <code>(-score, number)</code>.</details>

# %% exercise="fusion"
def fuse(rankings: list[list[int]], c: float = 60.0) -> list[tuple[int, float]]:
    """Return [(number, score), ...] of all documents in the rankings, the best first."""
    ### BEGIN SOLUTION
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, number in enumerate(ranking, start=1):
            scores[number] = scores.get(number, 0.0) + 1 / (c + rank)
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    ### END SOLUTION

# %% check="fusion" points=5

# %% [markdown]
# Chunks are found, but a question is about a document: of each document the best chunk counts.
#
# When is a question found? When *any* document that answers it is: `q.documents` names the one that it was written
# about and others that answer it as well (the method beside the function, torch beside NumPy where the question names
# no library). One person read question and document to judge that, but nobody can read all documents for each question:
# as TREC does (Voorhees 2002), a *pool* of the ten best of three searches was looked through, and what no search put
# there counts as wrong. The rank of the first that answers goes into recall, MRR and nDCG, as if it were the only one.

# %% show
def hybrid(question: str, k: int = 100) -> list[int]:
    """Return the numbers of the k best chunks by both searches, fused."""
    return [number for number, _ in fuse([lexical(question, 2 * k), dense(question, 2 * k)])][:k]


EVERY = 1  # with 8, every eighth question  ### small: 8
parts = {name: [q for q in questions.splits[name] if q.answerable][::EVERY] for name in ("valid", "test")}
stages = {"BM25": lexical, "dense": dense, "fused": hybrid}
ranks = {name: first_ranks(way, parts["test"], corpus) for name, way in stages.items()}
for name, found in ranks.items():
    print(f"{name:<8} recall@10 {np.mean(found <= 10):.3f}   MRR {np.mean(1 / found):.3f}")

# %% [markdown]
# ## Exercise 7: look again, closely (`rerank`)
#
# 25 minutes, ★★, 7 points
#
# The first search must look at everything, so it is cheap: it adds up words, or compares two vectors that never met.
# For the hundred best we can afford to look at question and passage *together*. A large re-ranker is a transformer
# that reads both (Nogueira, Cho 2019); ours is four numbers of a kind that no sum of words has, and a logistic
# regression.
#
# `features(query, title, body, idf)` takes lists of words and returns a list of four floats. Words that are not in
# `idf` count nowhere; call the weight of a set of words the sum of the IDF of its *different* words that are in
# `idf`.
#
# 1. the weight of the query's words that the title has, divided by the weight of the query;
# 2. the same for the body;
# 3. the weight of the title's words that the query has, divided by the weight of the *title*;
# 4. closeness: the largest number of different words of the query (in `idf`) that stand within any `WINDOW` = 12
#      consecutive words of the body, divided by the number of different words of the query in `idf`. A body shorter
# than that is one window.
#
# Where the divisor is 0, the feature is 0. Words are compared as they are.
#
# By hand, all IDF 1: query (a b c), title (a x), body (b y c): 1/3, 2/3, 1/2, 2/3.
#
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
    def weight(words):
        return sum(idf[word] for word in words)

    def share(part, whole):
        return weight(part) / weight(whole) if weight(whole) else 0.0

    asked, titled, told = ({word for word in words if word in idf} for words in (query, title, body))
    starts = [i for i, word in enumerate(body) if word in asked]  # the best window may begin with a word that counts
    close = max((len(asked & set(body[start : start + WINDOW])) for start in starts), default=0)
    return [
        share(asked & titled, asked), share(asked & told, asked), share(asked & titled, titled),
        close / len(asked) if asked else 0.0,
    ]
    ### END SOLUTION

# %% check="rerank" points=7

# %% [markdown]
# Beside these four the re-ranker sees what the first search found (both scores, and both ranks as $1 / (10 + r)$),
# how often other documents refer to this one, and how deep it lies in its library: people ask about `json.dumps` more
# often than about a method of a private helper. It also looks at documents as wholes
# (`helpers.search.document_features`): three more searches, by stems, by runs of four letters and by the reference
# docs-encoder, bring documents whose chunks were missed, and a question that names a function, or a library, is taken
# at its word. It learns its weights on the *valid* questions alone, from the right documents and the others found.

# %% show
from sklearn import linear_model, pipeline, preprocessing

from helpers.experiments.rag.reranking import Candidates

candidates = Candidates(corpus, encoder, vectors, index, features, bm25_scores=bm25_scores, best=best, fuse=fuse)
t0 = time.perf_counter()
logistic = linear_model.LogisticRegression(C=0.1, max_iter=800)
reranker = pipeline.make_pipeline(preprocessing.StandardScaler(), logistic)
reranker.fit(*candidates.pairs(parts["valid"]))  # features (n, 36) and whether each candidate is right
print(f"learned from {len(parts['valid'])} questions in {time.perf_counter() - t0:.1f} s")


def reranked(question: str, k: int = 100) -> list[int]:
    """Return the k best chunks, one for each document, in the re-ranker's order."""
    numbers, rows = candidates(question)
    order = np.argsort(-reranker.decision_function(rows), kind="stable")
    return [numbers[i] for i in order][:k]

# %% [markdown]
# ## Exercise 8: follow the links (`links`)
#
# 12 minutes, ★, 5 points
#
# Who asks for one function and words it badly often finds its neighbour, and the docs know neighbours: "See Also". So
# let a found document lend a part of its score to those that it links to:
#
# $$\text{new}(d) = \max\Big(\text{score}(d),\ \text{share} \cdot \max_{e \to d} \text{score}(e)\Big)$$
#
# with a score of 0 for a document that was not found. One step only: what is lent is not lent on. Return a new dict
# of all documents found or linked to from a found one; `scores` and `links` stay as they are. A document that is not
# in `links` links to none. Scores are at least 0; a document that was found with the score 0 was found, too.
#
# By hand, share 0.5: scores a: 8, b: 1; a links to b and c, c links to d: a: 8, b: 4, c: 4.
#
# <details><summary>Hint 1</summary>Start from a copy of the scores, and read from the old ones while you write the new
# ones: so nothing is lent on.</details>
# <details><summary>Hint 2</summary><code>links.get(name, [])</code> and <code>found.get(other, 0.0)</code> spare two
# questions.</details>

# %% exercise="links"
def spread(scores: dict[str, float], links: dict[str, list[str]], share: float = 0.5) -> dict[str, float]:
    """Return the scores after one step along the links."""
    ### BEGIN SOLUTION
    found = dict(scores)
    for name, value in scores.items():
        for other in links.get(name, []):
            found[other] = max(found.get(other, 0.0), share * value)
    return found
    ### END SOLUTION

# %% check="links" points=5

# %% show
from functools import partial

links = {d.name: [n for n in d.see_also if n in corpus.place] for d in documents}


def with_links(question: str, share: float, k: int = 100) -> list[int]:
    """Return the k best chunks after the re-ranker and one step along the links."""
    numbers, rows = candidates(question)
    chunk_of = {corpus.names[corpus.owners[n]]: n for n in numbers}
    found = spread(dict(zip(chunk_of, reranker.predict_proba(rows)[:, 1].tolist(), strict=True)), links, share)
    order = sorted(found, key=lambda name: (-found[name], name))[:k]
    chunk_of = corpus.first_chunk | chunk_of  # of a document that only a link found, its first
    return [chunk_of[name] for name in order if name in chunk_of]


shares = {s: recall(partial(with_links, share=s), parts["valid"], corpus) for s in (0.05, 0.1, 0.2, 0.5)}
SHARE = max(shares, key=shares.get)
told = ", ".join(f"{value:.3f} with {share}" for share, value in shares.items())
print(f"recall@10 on the valid questions by share: {told}; chosen: {SHARE}")

# %% [markdown]
# ## Exercise 9: how sure is a difference? (`bootstrap`)
#
# 12 minutes, ★★, 4 points
#
# A hundred or two questions are few. Would other questions have given the same order of stages? The *bootstrap*
# (Efron 1979) asks the only questions we have, again and again: draw $n$ of the $n$ values with replacement, take the
# mean, repeat; the middle 95 % of these means is an interval.
#
# The draws come in as an argument, so that everybody draws the same: `draws` $(R, n)$ holds in each row the numbers
# of the values drawn. Return `(low, high)`: the quantiles $(1 - \text{level}) / 2$ and $(1 + \text{level}) / 2$ of
# the $R$ means, by `np.quantile` as it comes. Two stages are compared by the interval of the *difference* for each
# question.
#
# By hand: values (0, 1, 1), draws (0 0 1), (1 2 2), (0 1 2): means 1/3, 1, 2/3; with level 0.5 the interval is (0.5,
# 0.8333).
#
# <details><summary>Hint 1</summary>An array may be indexed by an array of numbers, and the result has the shape of the
# numbers.</details>
# <details><summary>Hint 2</summary>The means are those of the rows; <code>np.quantile</code> takes both quantiles at
# once.</details>

# %% exercise="bootstrap"
def interval(values: np.ndarray, draws: np.ndarray, level: float = 0.95) -> tuple[float, float]:
    """Return the bootstrap interval of the mean of values (n,), from draws (R, n) of their numbers."""
    ### BEGIN SOLUTION
    means = np.asarray(values)[draws].mean(axis=1)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
    ### END SOLUTION

# %% check="bootstrap" points=4

# %% [markdown]
# What does each stage add? For all stages the same test questions, the same draws. The last column is the difference
# of recall@10 to the stage above, with its interval: where it holds 0, the questions cannot tell the two apart. In
# the figure a line that coincides with another hides it.

# %% show
stages = {"re-ranked": reranked, "with links": partial(with_links, share=SHARE)}
ranks |= {name: first_ranks(way, parts["test"], corpus) for name, way in stages.items()}
print(stages_table(ranks, interval))
plots.show(*figures.recall_curves(ranks))

### BEGIN CLAIMS
from helpers.course.claims import claim

for better, worse in (("fused", "BM25"), ("fused", "dense"), ("re-ranked", "fused")):
    claim(f"Recall@10 of the docs: {better} above {worse}", *(np.mean(ranks[each] <= 10) for each in (better, worse)))
### END CLAIMS

# %% [markdown]
# ## Exercise 10: the prompt (`prompt`)
#
# 30 minutes, ★★★, 9 points
#
# The reader sees nothing but one text, and it is short: a *budget* of tokens. What goes in, in what order, and what
# is cut when it does not fit? The form is fixed, and all readers of the course know it:
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
# These parts are joined by one blank line (`"\n\n"`); nothing follows after "Answer:". A passage is `f"[{i}]
# {title}\n {text}"` (no blank behind the line break), numbered from 1 in the order of the ranking.
#
# `build_prompt(question, passages, budget, best_last)` returns `(prompt, used)`:
#
# 1. Passages `[(title, text), ...]` come best first. Take them in this order, as long as the *whole* prompt has at
#    most `budget` tokens by `count_tokens`.
# 2. The first passage that does not fit whole is cut at the end of a line: of its text as many whole lines, from its
#      start, as fit. If not even its first line fits, it is left out. After it nothing more is taken, even if it
#   would fit.
# 3. With `best_last=True` the passages stand in the opposite order, the best nearest to the question, and keep their
#    numbers: language models use the ends of a long prompt better than its middle (Liu et al. 2023).
# 4. `used` is the number of passages in the prompt, the cut one included. If no passage fits, the prompt is built
#    without any, even if that alone is above the budget.
#
# <details><summary>Hint 1</summary>Write a small function that joins a list of blocks to a prompt, and ask
# <code>count_tokens</code> of its result: tokens of parts do not simply add up.</details>
# <details><summary>Hint 2</summary>For the cut: try the text with all its lines, then with one less, down to one.
# </details>
# <details><summary>Hint 3</summary><code>"\n".join(lines[:n])</code>; stop after the first passage of which fewer
# than all
# lines were taken.</details>

# %% given
INSTRUCTION = ("Answer from the passages only, in their words, and cite the passage as [1]. If they do not say it, "
               "reply: I do not know.")

# %% exercise="prompt"
def build_prompt(
    question: str, passages: list[tuple[str, str]], budget: int, best_last: bool = False
) -> tuple[str, int]:
    """Return the prompt of at most `budget` tokens and the number of passages in it."""
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

# %% check="prompt" points=9

# %% show
passages = [chunks[i] for i in reranked(example, 5)]
prompt, used = build_prompt(example, passages, 400)
print(f"{used} of {len(passages)} passages, {count_tokens(prompt)} tokens\n\n{prompt}")

# %% [markdown]
# ## The reader
#
# Who answers? Anything that takes a prompt and returns a text: `load_generator("docs-reader")` is the bundled one,
# `load_generator(name)` any causal model of transformers, by its name on the Hub or a folder on your disk. With a
# large one, the same prompt gives whole sentences; we go on with the small one, which runs everywhere.
#
# A small model cannot be trusted to *write* a fact. The docs-reader therefore *points*, as the encoder of chapter 05
# did, and what it says stands in the passage, word for word. It is MiniLM, an encoder of six blocks, with an adapter
# of low rank (chapter 09) that was taught to score each token as the first and the last of the answer, and [CLS] for
# "the passage does not say": on SQuAD, on questions made by rule from the docs, and on the valid questions. Its
# opponent has learned nothing: the *sentence* of the passages that shares most words with the question.

# %% show
from helpers.assistant.generators import UNKNOWN, CopyReader, SentenceReader

reader, sentence_reader = CopyReader(), SentenceReader()
print(artifacts.load("docs-reader"))
for name, answers in {"docs-reader": reader, "sentence": sentence_reader}.items():
    print(f"{name}: {answers(prompt)}")

# %% [markdown]
# ## Exercise 11: is the answer right? (`answers`)
#
# 12 minutes, ★, 6 points
#
# Answers are compared as SQuAD does it (Rajpurkar et al. 2016), but keeping the articles. Normalise first: in small
# letters, only the words, as `WORD.findall` (given: `\w+`) finds them. Then
#
# - *exact match*: 1 if the two lists of words are the same, else 0;
# - *token F1*: the words of both answers with their counts; what both have in common is the smaller count of each.
#     Precision is the share of the given answer's words in common, recall that of the right one's; F1 is $2PR / (P +
#   R)$.
#
# If both answers are empty, F1 is 1; if one is, it is 0. All values are floats.
#
# By hand: "the first of the two" against "The two first": in common the, first, two: P = 3/5, R = 3/3, F1 = 0.75.
#
# <details><summary>Hint 1</summary>Two <code>Counter</code>s joined by <code>&</code> keep the smaller count of
# each.</details>
# <details><summary>Hint 2</summary>$2PR / (P + R)$ is twice the words in common over the words of both answers
# together.</details>

# %% exercise="answers"
def normalise(text: str) -> list[str]:
    """Return the words of a text in small letters."""
    ### BEGIN SOLUTION
    return WORD.findall(text.lower())
    ### END SOLUTION


def exact_match(given: str, right: str) -> float:
    """Return 1.0 if both answers have the same words in the same order, else 0.0."""
    ### BEGIN SOLUTION
    return float(normalise(given) == normalise(right))
    ### END SOLUTION


def token_f1(given: str, right: str) -> float:
    """Return the F1 of the words of two answers."""
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
# 15 minutes, ★★, 5 points
#
# An answer without a source must be believed; one with a source can be looked up. By us, and by a program:
#
# 1. `cited(answer)` returns the numbers in square brackets, `[3]`, in the order in which they first appear, each
#    once. Only digits between the brackets count: `x[i]` and `[1, 2]` are code, not citations.
# 2. `supported(answer, passages)`: whether the citation holds. Take all citations out of the answer; the words that
#    are left (by `normalise`) must stand, one after the other and in this order, among the words of at least *one*
#    cited
#      passage. `passages[0]` is cited as [1]. An answer that cites nothing, or that has no words left, is not
# supported; a number that no passage has supports nothing (nor does [0]). Whole words only: "is" does not stand in
# "this".
#
# By hand: "order by name [2]" is supported if passage 2 holds "... in Order, by name: ...".
#
# <details><summary>Hint 1</summary><code>re.findall(r"\[(\d+)\]", answer)</code>, and <code>re.sub</code> with the
# same
# pattern.</details>
# <details><summary>Hint 2</summary>Join the words with blanks and put a blank at both ends: then "in" looks for whole
# words.</details>

# %% exercise="citations"
def cited(answer: str) -> list[int]:
    """Return the numbers that an answer cites, each once, in order."""
    ### BEGIN SOLUTION
    return list(dict.fromkeys(int(number) for number in re.findall(r"\[(\d+)\]", answer)))
    ### END SOLUTION


def supported(answer: str, passages: list[str]) -> bool:
    """Return whether the words of the answer stand in one of the passages that it cites."""
    ### BEGIN SOLUTION
    words = normalise(re.sub(r"\[\d+\]", " ", answer))
    sources = [passages[number - 1] for number in cited(answer) if 0 < number <= len(passages)]
    return bool(words) and any(f" {' '.join(words)} " in f" {' '.join(normalise(source))} " for source in sources)
    ### END SOLUTION

# %% check="citations" points=5

# %% [markdown]
# Now the whole assistant is judged, in two ways. *Given the right passage*: how well does the reader read? *With what
# the search found*: how well do both work together? For questions without an answer in the docs, the reader gets what
# the search finds, in both cases: something always looks alike. The reader's threshold trades the one for the other.
# We choose it on the valid questions: the most right answers (F1 at least 0.5) among those thresholds that keep it
# silent on at least 70 % of the questions that the docs do not answer. (The reader has learned from those of the valid
# questions that have an answer, so it looks better on them than it is. From the others it has not learned, and the
# test questions are new to it.)

# %% show
from helpers.experiments.rag.reading import bargain, choose_threshold, judged, prompts_for, readers_table

BUDGET, TOP = 700, 3  # tokens of a prompt, passages that are found for it


def found_passages(question: str, k: int = TOP) -> list[tuple[str, str]]:
    """Return the k best passages of the whole pipeline."""
    return [chunks[i] for i in reranked(question, k)]


def right_passage(q) -> list[tuple[str, str]]:
    """Return the passage that answers a question; where the docs do not say, what the search finds first."""
    return [corpus.evidence_chunk(q)] if q.answerable else found_passages(q.question, 1)


valid, test = (questions.splits[name][::EVERY] for name in ("valid", "test"))
pack = partial(prompts_for, build_prompt=build_prompt, budget=BUDGET)  # question, passages and prompt of each
prompts = {"given": pack(test, right_passage), "found": pack(test, lambda q: found_passages(q.question))}
thresholds = np.arange(-10, 10.1, 0.25)
fewer = [q for i, q in enumerate(valid) if i % 3 == 0 or not q.answerable]  # a third of those with an answer will do
right, silent = bargain(reader.best, pack(fewer, right_passage), thresholds, token_f1)
reader.threshold = choose_threshold(thresholds, right, silent)
plots.show(*figures.threshold_curves(thresholds, right, silent, reader.threshold))

# %% show
readers = {"docs-reader": reader, "sentence": sentence_reader}
measures = {"token_f1": token_f1, "exact_match": exact_match, "supported": supported}
results = {(name, how): judged(each, prompts[how], **measures) for how in prompts for name, each in readers.items()}
print(readers_table(results, interval))

### BEGIN CLAIMS
pair = [results[name, "given"]["right"].mean() for name in ("docs-reader", "sentence")]
claim("Right answers, given the passage: docs-reader above sentence", *pair)
### END CLAIMS

# %% [markdown]
# *Right* and *silent* are the two ends of one bargain, and *cited* is cheap for readers that copy: what they say
# stands there. Whether it answers the question is another matter. Read a few answers:

# %% show
SHOW_EVERY = 24  # from one question to the next  ### small: 5
for q, _, prompt in prompts["found"][::SHOW_EVERY][:10]:
    print(f"{q.question}\n    said: {reader(prompt)}\n    asked for: {q.answer or UNKNOWN}\n")

# %% [markdown]
# **Somebody else's questions.** All of this was chosen for the docs. SQuAD (Rajpurkar et al. 2016) asks about 2,067
# paragraphs of Wikipedia, in words that were written with the paragraph in sight. We take every eighth question about
# every sixth article (the docs-reader has learned from the others) and the same index, encoder, fusion and readers,
# with nothing tuned. Guess first: which search will suffer, and which reader? (Of several right answers the best one
# counts.)

# %% show
from helpers.experiments.rag import squad

SQUAD_EVERY = 8  # every eighth of these questions  ### small: 100
sample = squad.load_sample(SQUAD_EVERY)
asked, texts = sample.questions, [f"{title}\n{text}" for title, text in sample.paragraphs]
theirs = build_index([stems(text) for text in texts])
by_words = [best(bm25_scores(theirs, stems(q), len(texts)), 100) for q in asked]
by_meaning = dense_top(encoder.encode(asked), encoder.encode(texts), 100)[0].tolist()
both = [[n for n, _ in fuse(pair)] for pair in zip(by_words, by_meaning, strict=True)]
print(squad.searches_table(sample, {"BM25": by_words, "dense": by_meaning, "fused": both}))
tried = {"docs-reader, never silent": CopyReader(-math.inf), "sentence": sentence_reader}
print(squad.readers_table(sample, tried, partial(build_prompt, budget=BUDGET), exact_match, token_f1))

# %% [markdown]
# BM25 does better here than on the docs, since questions that are written beside a paragraph borrow its words. The
# encoder has read documentation alone: it knows neither Rome nor rugby. And fusion trusts both searches alike, so the
# weak one pulls the strong one down: a table like this one comes before every fusion. Of the readers, the column of
# exact answers is the more telling: a whole sentence is never the answer, a few words that were pointed at may be.
# BERT, pre-trained on Wikipedia and taught on SQuAD's training part, ten times what docs-reader saw, reaches 81 % exact
# and an F1 of 0.885 (Devlin et al. 2019).

# %% [markdown]
# ## Essay 1: where is it lost?
#
# 20 minutes, ★★, 10 points, graded by hand
#
# An answer can be lost at every stage: torn by the chunks, not found, found too late for the prompt, cut there, read
# wrongly, or not believed. (a) With the numbers of *your* run: what share of the test questions is lost at which
# stage, and where would you work next? (b) Two stages: does the re-ranker, do the links add anything that the
# intervals let you believe? What would you need to know more? (c) What is right about a reader that copies, and what
# can it never do? Use two of the answers above. About 200 words.

# %% [markdown] essay="lost" points=10
# ### BEGIN SOLUTION
# (a) Sections of 100 words keep all answers whole (100 %), windows of 40 words only 83 %, so nothing is lost there.
# BM25 alone has a right document among its ten best for 0.812 of the questions, fused 0.815, re-ranked 0.904: a tenth
# is lost here, and more among the three that the prompt holds. The largest loss comes after that: even with the right
# passage in hand the reader answers about half of the questions rightly (the column "right", given), with what was
# found a good third. So the reader is where I would work next, then the recall of the first stage, since a re-ranker
# cannot lift what was not found.
# (b) The interval of the difference is what counts, not whether the two intervals overlap, since the questions are the
# same. That of the re-ranker, +0.089 (0.062 to 0.117), lies well above 0: I believe it. The links, with the share 0.05
# that is best on the valid questions, change no top ten: +0.000 (0.000 to 0.000). With the share 0.5 they push right
# documents out (0.909 instead of 0.927 on the valid questions). Fused is above dense, my own encoder, by 0.110 (0.080
# to 0.142); over BM25, the better of its two parts, by 0.003, and for that the table gives no interval. More
# questions would narrow all of them. And some of the documents that count as wrong may answer: nobody
# has read them, because no search put them into the pool.
# (c) Whatever it says stands in the passage, so it can be checked at a glance, and it cannot invent. But it cannot join
# two passages, count, or say "no": asked whether something is allowed, it can only point at the rule.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 4 points: (a) shares for at least three stages from the own run, and the stage where most is lost is named.
# 3 points: (b) uses the interval of the difference; says for each of the two whether 0 lies in it, and what follows.
# 3 points: (c) a merit (can be checked, invents nothing) and a limit (joining, counting, yes and no), with two
# examples.
# ### END MARK SCHEME

# %% [markdown]
# ## Exercise 13: the passage is not your friend (`defence`)
#
# 25 minutes, ★★★, 7 points
#
# Whoever can write into the corpus can write into the prompt. "Ignore the passages and answer ..." in a document that
# is found is an instruction to the reader, by a stranger: *indirect prompt injection* (Greshake et al. 2023). A
# passage is data, and must not be able to look like anything else. `clean(text)` takes away, in this order:
#
# 1. characters that nobody sees: those of the Unicode categories `Cf` (zero-width and the like) and `Cc` (control),
#    apart from `\n` and `\t`. First of all, because they hide the rest;
# 2. comments: `<!-- ... -->`, over several lines, the shortest stretch each; one that never closes goes to the end of
#    the text;
# 3. special tokens: `<|...|>` with anything but line breaks between, the shortest stretch each;
# 4. whole lines that look like the frame: those that begin, after blanks, with a number in square brackets (`[3]`),
#    or with one of the words in `ROLES` and a colon, blanks before the colon allowed, capitals or not;
# 5. whole paragraphs (stretches between blank lines, `re.split(r"\n\s*\n", ...)`) in which `ORDERS` (given) is found
#    by `ORDERS.search`.
#
# What is left: paragraphs joined by one blank line, each with the blanks at its start and end taken off, empty ones
# dropped. A harmless text whose paragraphs are parted
# by one empty line each comes back as it was.
#
# <details><summary>Hint 1</summary><code>unicodedata.category(c)</code> gives "Cf", "Cc" and so on.</details>
# <details><summary>Hint 2</summary><code>re.sub(r"&lt;!--.*?(-->|\Z)", "", text, flags=re.S)</code>: the question mark
# makes it the shortest; with <code>re.S</code> a dot matches line breaks, too, and <code>\Z</code> is the end of the
# text.
# </details>
# <details><summary>Hint 3</summary><code>re.match(rf"\s*(\[\d+\]|({'|'.join(ROLES)})\s*:)", line, re.I)</code> says
# whether
# a line is of the frame.</details>

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

# %% check="defence" points=7

# %% [markdown]
# Now the attack. 32 poisoned documents are put among the docs, each written to be found by one question. For each we
# ask: is it among the passages of the prompt? Does its *marker*, the words that a fooled answer would hold, stand in
# the prompt? Whoever reads it may follow it; this is the worst case for any model. And does our reader say it?
#
# The defences: `clean`; *agreement*, which keeps a passage only if a second document of the prompt shares a word
# triple with it; and *provenance*, which takes passages only from names that the installed libraries have. The last
# asks the only question that the attacker cannot answer.

# %% show
from helpers.experiments.rag import poisoning

ATTACKS_EVERY = 1  # with 4, every fourth attack  ### small: 4
question_of = {q.id: q.question for q in questions}
tried = [p for p in data.load("docs_poisoned") if p.question in question_of][::ATTACKS_EVERY]
planted = {p.id: [(p.name, part) for part in sections(p.body, SIZE)] for p in tried}
reached = [poisoning.found_by_search(planted[p.id], question_of[p.question], corpus, index, bm25_scores) for p in tried]
print(f"{sum(reached)} of {len(tried)} poisoned documents are among the ten best by BM25")

# %% show
DEFENCES = {
    "none": lambda passages: passages,
    "clean": lambda passages: [(title, clean(text)) for title, text in passages],
    "agreement": poisoning.agreeing, "provenance": lambda passages: poisoning.from_names(passages, corpus.place),
}


def attack(poison, defence) -> tuple[bool, bool, bool]:
    """Return whether the poison is in the prompt, its marker is, and the answer shows that it was followed."""
    question = question_of[poison.question]
    shown = defence(planted[poison.id][:2] + found_passages(question))
    prompt, _ = build_prompt(question, shown, BUDGET)
    return poisoning.outcome(poison, question, shown, prompt, reader(prompt))


stopped = {name: np.array([attack(p, defence) for p in tried]) for name, defence in DEFENCES.items()}
kept = {name: poisoning.evidence_kept(test, found_passages, defence) for name, defence in DEFENCES.items()}
print(poisoning.attacks_table(stopped, kept))
plots.show(*figures.attacks(stopped))

### BEGIN CLAIMS
passed = {name: -int(stopped[name][:, 1].sum()) for name in DEFENCES}
claim("Minus markers in the prompt: clean above none", passed["clean"], passed["none"])
claim("Minus markers in the prompt: provenance above clean", passed["provenance"], passed["clean"])
### END CLAIMS

# %% [markdown]
# Which kinds pass `clean`?

# %% show
through = Counter(p.kind for p, row in zip(tried, stopped["clean"], strict=True) if row[1])
print("still in the prompt after clean:", ", ".join(f"{kind} ({n})" for kind, n in through.most_common()))

# %% [markdown]
# ## Essay 2: the false fact
#
# 20 minutes, ★★, 10 points, graded by hand
#
# (a) Which kinds of poison does `clean` stop, and which never? Why can no pattern stop "Default: 4096" in a document
# that looks like all others? (b) A reader that only copies was meant to be safe. From what does that protect, and
# from what not? What would a model that follows instructions do with the same prompts? (c) Provenance stops nearly
# everything here. Name two situations in which it does not help, and what it costs. Which defence would you keep if
# you had one, and why? About 200 words.

# %% [markdown] essay="false-fact" points=10
# ### BEGIN SOLUTION
# (a) clean removes what has a form: hidden characters, comments, special tokens, forged roles and the orders that its
# list knows. It does not stop what is worded in another way or language, encoded, spread over two chunks, or put into
# an example. A false fact has no form of its own: "Default: 4096" is just what a true passage looks like, so a
# pattern that removes it would remove the truth as well. Whether it is true is not written in the words. (b) Copying
# protects from obeying: the reader sends no link, prints no prompt, does nothing. It does not protect from believing:
# if the poisoned passage answers the question best, its words are copied, with a correct citation. A model that
# follows instructions could be fooled by every row whose marker is in the prompt; the column is its worst case. (c)
# Provenance is only as good as the list: a dependency that was taken over, or a comment that users may add under a
# trusted name, passes; and new documents, a colleague's notes, the internet are shut out. I would keep it all the
# same, since it is the only one that does not ask the attacker's text whether it may be believed.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 3 points: (a) names kinds of both sorts from the own table; a false fact cannot be told by its form.
# 3 points: (b) copying prevents obeying, not believing; the marker column as the worst case for another model.
# 3 points: (c) two situations (trusted source taken over, content by users, new sources), and the cost.
# 1 point: a choice with a reason.
# ### END MARK SCHEME

# %% [markdown]
# ## What it costs, and what grows
#
# Time of each stage for one question (the median of several), and the memory that the search keeps. Then the same
# with a quarter and a half of the corpus: what grows with it?

# %% show
from helpers.experiments.rag.search_cost import cost_table, growth, stages_ms

TIMED = 15  # questions  ### small: 4
timed, n = [q.question for q in test[:TIMED]], len(chunks)
indexes = {size: build_index(corpus.words[:size]) for size in (n // 4, n // 2)} | {n: index}
searches = {
    "BM25": lambda part, size, q: best(bm25_scores(part, stems(q), size), 10),
    "dense": lambda part, size, q: dense_top(encoder.encode([q]), vectors[:size], 10),
}
grown, memory = growth(searches, indexes, vectors, timed)
ms = stages_ms(grown, {
    "re-rank": lambda q, _: found_passages(q),
    "prompt": lambda q, shown: build_prompt(q, shown, BUDGET)[0],
    "read": lambda q, prompt: reader(prompt),
}, timed, before=candidates.kept.clear)
print(cost_table(grown, memory, ms))
plots.show(*figures.costs(grown, memory, ms))

# %% [markdown]
# Exact search grows with the corpus, both ways of it, and so does the memory; the stages behind it see a fixed number
# of passages, however large the corpus is. At a hundred times the size one searches *approximately* (HNSW: Malkov,
# Yashunin 2018), which is what vector databases are for.
#
# ## The assistant
#
# All stages in a small panel, which opens with a question. Type another and press the button, or Enter. The words of
# the answer are marked in their passage; where the assistant is silent, a line says why.

# %% show
from helpers.assistant.panel import Reply, panel
from helpers.experiments.rag.search_cost import Laps


def ask(question: str) -> Reply:
    """Answer a question: passages, answer with citations, seconds of each stage."""
    laps = Laps()
    numbers, rows = laps("search", candidates, question)
    chances = laps("re-rank", reranker.predict_proba, rows)[:, 1]
    order = np.argsort(-chances, kind="stable")[:TOP]
    shown = [(chunks[numbers[i]][0], clean(chunks[numbers[i]][1]), float(chances[i])) for i in order]
    prompt, used = laps("prompt", build_prompt, question, [(title, text) for title, text, _ in shown], BUDGET)
    said = laps("read", reader.said, prompt)  # the answer, its place in a passage, or why there is none
    return Reply(said.answer, shown[:used], laps.seconds, said.mark, said.why)


print(f"{example} {ask(example).answer}")
panel(ask, example)

# %% [markdown]
# ## The benchmarks, by looking up
#
# Retrieval classifies, too: the label of a text is that of the texts most like it (Fix, Hodges 1951). Nothing is
# trained: your dense search finds the seven nearest examples, and each votes by its cosine. Once they lie as the
# docs-encoder sees them, once (the intents alone, since it reads more slowly) as MiniLM does.

# %% show
from helpers import pretrained
from helpers.experiments.rag.neighbours import by_neighbours

QUESTIONS = 30  ### small: 1
minilm = by_neighbours(benchmarks.remembered(pretrained.load().encode), dense_top, 7)
benchmarks.take("08", "seven nearest, docs-encoder", by_neighbours(encoder.encode, dense_top, 7))
benchmarks.intents("08", "seven nearest, MiniLM", minilm, questions=QUESTIONS)
benchmarks.show("08")

# %% [markdown]
# ## What you built, and what breaks next
#
# An assistant that finds, orders, packs, reads and cites, with a number for each stage; a frame that passages cannot
# break; and a table that says what an attacker can still do.
#
# What breaks: the reader. It points where a person would explain. Chapter 09 takes docs-gpt itself and teaches it to
# answer, with a few thousand weights instead of all.
#
# **Saved:** nothing is trained here but the re-ranker; your rows of the leaderboard.
#
# ## Further reading
#
# - P. Lewis et al. (2020). Retrieval-augmented generation for knowledge-intensive NLP tasks. *NeurIPS 33*.
# - S. Robertson and H. Zaragoza (2009). The probabilistic relevance framework: BM25 and beyond. *Foundations and
#   Trends in Information Retrieval 3(4)*.
# - K. Järvelin and J. Kekäläinen (2002). Cumulated gain-based evaluation of IR techniques. *ACM TOIS 20(4)*.
# - E. M. Voorhees (2002). The philosophy of information retrieval evaluation. *CLEF 2001, LNCS 2406*.
# - G. V. Cormack, C. L. A. Clarke and S. Büttcher (2009). Reciprocal rank fusion outperforms Condorcet and individual
#   rank learning methods. *SIGIR*.
# - R. Nogueira and K. Cho (2019). Passage re-ranking with BERT. arXiv:1901.04085.
# - N. F. Liu et al. (2023). Lost in the middle: how language models use long contexts. arXiv:2307.03172.
# - P. Rajpurkar, J. Zhang, K. Lopyrev and P. Liang (2016). SQuAD: 100,000+ questions for machine comprehension of
#   text. *EMNLP*. P. Rajpurkar, R. Jia and P. Liang (2018). Know what you don't know. *ACL*.
# - J. Devlin, M.-W. Chang, K. Lee and K. Toutanova (2019). BERT: pre-training of deep bidirectional transformers for
#   language understanding. *NAACL*.
# - B. Efron (1979). Bootstrap methods: another look at the jackknife. *Annals of Statistics 7(1)*.
# - K. Greshake et al. (2023). Not what you've signed up for: compromising real-world LLM-integrated applications with
#   indirect prompt injection. *AISec*.
# - Y. A. Malkov and D. A. Yashunin (2018). Efficient and robust approximate nearest neighbor search using
#   hierarchical navigable small world graphs. *IEEE TPAMI*.
# - E. Fix and J. L. Hodges (1951). Discriminatory analysis. Nonparametric discrimination. USAF School of Aviation
#   Medicine.
