# %% [markdown]
# # 05 Transformers: blocks, BERT, GPT, translation
#
# Nearly every chat assistant that you have talked to is one block, repeated many times. In the block, attention lets
# the tokens of a text exchange what they know; a small network then works on each token alone; and what the two compute
# is *added* to what was there before. GPT-2 repeats that block 12 to 48 times, depending on its size, and the largest
# GPT-3 repeats it 96 times. Today's models still do this; a table below shows what they changed inside the block.
#
# **What you will build.** First comes the block, in some twenty lines, then three machines made of it: a reader that
# fills holes in a text and is then taught to find names and answers (BERT), a writer (GPT), and a translator. Your GPT
# reads a million characters of Shakespeare; you will measure it against the best that counting can do, and let it write
# a page.
#
# **What you need.** This chapter uses attention as [chapter 04](../04_attention/04_attention.ipynb) builds it,
# cross-entropy, perplexity and sampling from [chapter 03](../03_rnns/03_rnns.ipynb), and the artifact *docs-tokenizer*,
# which comes with the course.
#
# **Points.** 100: fourteen exercises checked by machine (80) and two short essays (20). Allow about eight hours,
# in two or three sittings; the first essay, after the reader, is a good point to stop. All cells together run in about
# four and a half minutes.
#
# **Notation.** A batch has $B$ texts of $T$ tokens, and each token is a row of $C$ (`d_model`) numbers; there are $H$
# heads with $d_k = C / H$ numbers each, and $V$ tokens in the vocabulary. `nn.Linear` stores its matrix in the shape
# (out, in) and computes $x W^\top + b$; as a function this is `F.linear(x, W, b)`. Your functions do not change their
# arguments, keep float64, and let gradients through.

# %% given
import copy
import math
from functools import partial

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.utils._pytree import tree_leaves

from helpers import data, plots
from helpers.chapters.transformers import costs, depth, finetuning, gpt2, inbox_tasks, iso_dates
from helpers.chapters.transformers import masked_pretraining, mistakes, muon, next_sentence, own_loop, today, writing
from helpers.chapters.transformers.figures import bits_bars, depth_panels, scores_by_start
from helpers.chapters.transformers.plays import Plays
from helpers.chapters.transformers.translator import Translator
from helpers.course import SEED, artifacts, benchmarks, notebook, seed_everything, ways_of_calls
from helpers.models.functional import attention, part
from helpers.models.gpt import Block, model_of
from helpers.models.logit_filters import apply_temperature, keep_top_k, keep_top_p
from helpers.training import fit

notebook.prepare("05_transformers")

# %% [markdown]
# ## The block
#
# If you stack attention on attention, the stack soon stops working: on its way through the layers the signal shrinks to
# nothing or grows without bound, and so does the gradient on its way back. Two devices cure this. **Normalisation**
# brings each token's vector back to the same size, and a **residual connection** adds a layer's output to its input, so
# that the gradient has a straight path back. You will build both now, and then measure what each is worth.
#
# ## Exercise 1: layer normalisation (`layer-norm`)
#
# 12 minutes, ★, 4 points
#
# You have one token, a row of $C$ numbers of any size, but the next layer works best if they are spread around 0 with a
# size of about 1. So subtract their mean and divide by their standard deviation. Two learned vectors, a gain $\gamma$
# (`weight`) and an offset $\beta$ (`bias`), let the network undo this where that helps.
#
# ![A token's four numbers minus their mean, divided by their standard deviation](figures/layer_norm.svg)
#
# $$y = \frac{x - \mathrm{E}[x]}{\sqrt{\mathrm{Var}[x] + \epsilon}} \odot \gamma + \beta$$
#
# By hand: (1, 2, 3, 4) has the mean 2.5 and the variance (2.25 + 0.25 + 0.25 + 2.25) / 4 = 1.25, whose square root is
# 1.118. With $\epsilon$ near 0, gain 1 and offset 0, the row becomes (-1.342, -0.447, 0.447, 1.342).
#
# *Each token by itself*: mean and variance are taken over its own $C$ numbers. It is tempting to average over the batch
# as well; that is batch normalisation, and with it the result for a text would depend on the other texts in the batch.
# (Ba, Kiros and Hinton 2016, [Layer normalization](https://arxiv.org/abs/1607.06450).)
#
# <details><summary>Hint</summary><code>x.mean(dim=-1, keepdim=True)</code> can be subtracted from <code>x</code>.
# <code>Tensor.var</code> divides by C - 1 unless you pass <code>correction=0</code>.</details>

# %% exercise="layer-norm"
def layer_norm(x: Tensor, weight: Tensor, bias: Tensor, eps: float = 1e-5) -> Tensor:
    """Return x (..., C), each row of the last axis normalised, times weight (C,), plus bias (C,).

    - The variance divides by C, not by C - 1; eps is added to it before the root is taken (as in nn.LayerNorm).
    - x may have any number of axes before the last. Models learn through this: no detach, no_grad, item or NumPy.
    """
    ### BEGIN SOLUTION
    mean = x.mean(dim=-1, keepdim=True)
    variance = ((x - mean) ** 2).mean(dim=-1, keepdim=True)
    return (x - mean) / torch.sqrt(variance + eps) * weight + bias
    ### END SOLUTION

# %% given
# The checks look at more than what a function returns: at its gradients (of the sum of the squares of all that it
# returns), at two calls in a row, and at whether it calls something that an exercise rules out.
def slopes(function, *given) -> list[Tensor]:
    given = copy.deepcopy(given)
    leaves = [v.requires_grad_() for v in tree_leaves(given) if isinstance(v, Tensor) and v.is_floating_point()]
    squares = sum(v.square().sum() for v in tree_leaves(function(*given)))
    nothing = 0 * sum(v.sum() for v in leaves)  # so that an unused input has a gradient of 0, and not none
    return list(torch.autograd.grad(squares + nothing, leaves))

def twice(function, *given) -> list:
    return [function(*given), function(*given)]

def taken(forbidden: list[str], function, *given) -> tuple:
    return ways_of_calls.taken(forbidden, function, *given)

# %% check="layer-norm" points=4

# %% [markdown]
# ## Exercise 2: the block (`block`)
#
# 25 minutes, ★★, 8 points
#
# Think of a token's vector as a line that runs straight through the network: the **residual stream**. Each block reads
# from it twice and writes to it twice: attention reads the lines of all tokens and adds to each line what it found for
# it; the feed-forward network reads one line at a time and adds its result to that line.
#
# ![x runs straight to z; attention and feed-forward read normalised copies and add their results](figures/block.svg)
#
# **The feed-forward network** is two linear layers, $C \to 4C \to C$, with GELU between them:
#
# $$\mathrm{FF}(x) = \mathrm{GELU}(x W_1^\top + b_1)\, W_2^\top + b_2, \qquad \mathrm{GELU}(z) = z \cdot \Phi(z)
# = \frac{z}{2}\Big(1 + \mathrm{erf}\frac{z}{\sqrt 2}\Big)$$
#
# $\Phi(z)$ is the probability that a standard normal variable lies below $z$, so GELU is a gate that opens smoothly. By
# hand: $\Phi(1) = 0.8413$, so GELU(1) = 0.8413 and GELU(-1) = $-1 \cdot 0.1587$ = -0.1587. (Hendrycks and Gimpel 2016,
# [Gaussian error linear units](https://arxiv.org/abs/1606.08415).)
#
# **The position of the norm** is what later models changed first. The paper of 2017 (Vaswani and others, [Attention is
# all you need](https://arxiv.org/abs/1706.03762)) and BERT put it *on* the stream, after each addition; GPT-2 and
# nearly all models since then put it on the branch, before each sublayer:
#
# ![Post-norm has two norms on the line from x to z; pre-norm has them on the branches](figures/norms.svg)
#
# | post-norm | pre-norm |
# |---|---|
# | $y = \mathrm{LN}_1(x + \mathrm{Att}(x))$ | $y = x + \mathrm{Att}(\mathrm{LN}_1(x))$ |
# | $z = \mathrm{LN}_2(y + \mathrm{FF}(y))$ | $z = y + \mathrm{FF}(\mathrm{LN}_2(y))$ |
#
# Attention is imported: `attention(x, memory, p, name, num_heads, mask)` (`attention??` shows its code). In an encoder
# the text attends to itself, so pass the same tensor as `x` and as `memory`. For the norm and GELU inside the block use
# your own functions or the library's `F.layer_norm(v, v.shape[-1:], weight, bias)` and `F.gelu`, which give the same
# values faster.
#
# <details><summary>Plan</summary><code>gelu</code> applies the formula to each number. <code>feed_forward</code> widens
# each row from C to F numbers, passes it through <code>gelu</code>, and narrows it to C again. In
# <code>encoder_block</code> begin with three small helpers (for a norm, the attention and the feed-forward network),
# each from (B, T, C) to (B, T, C). Then each column of the table takes two short lines, and <code>norm_first</code>
# chooses the column.</details>
# <details><summary>Hint</summary>Write small inner functions for norm number i and for the feed-forward network; the
# attention is <code>attention(h, h, p, "self_attn", num_heads, mask)</code>.</details>

# %% exercise="block"
def gelu(z: Tensor) -> Tensor:
    """Return GELU of each number of z, any shape, in z's dtype: the exact form with torch.erf (= F.gelu), not tanh."""
    ### BEGIN SOLUTION
    return 0.5 * z * (1 + torch.erf(z / math.sqrt(2)))
    ### END SOLUTION

def feed_forward(x: Tensor, w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor) -> Tensor:
    """Return linear, GELU, linear applied to x (..., C); w1 (F, C), b1 (F,), w2 (C, F), b2 (C,)."""
    ### BEGIN SOLUTION
    return F.linear(gelu(F.linear(x, w1, b1)), w2, b2)
    ### END SOLUTION

def encoder_block(x: Tensor, p: dict, num_heads: int, norm_first: bool = False, mask: Tensor | None = None) -> Tensor:
    """Return one transformer block applied to x (B, T, C), shape (B, T, C); post-norm unless norm_first.

    p: the weights, under the names of nn.TransformerEncoderLayer: attention's begin with "self_attn"; "linear1.weight"
        (F, C), "linear2.weight" (C, F), "norm1.weight", "norm2.weight" (C,); each with its ".bias".
    mask: passed unchanged to the attention: booleans that broadcast to (B, H, T, T), True where a query may look, or
        None.
    """
    ### BEGIN SOLUTION
    def norm(v, i):
        return F.layer_norm(v, v.shape[-1:], p[f"norm{i}.weight"], p[f"norm{i}.bias"])

    def attend(v):
        return attention(v, v, p, "self_attn", num_heads, mask)

    def feed(v):
        hidden = F.gelu(F.linear(v, p["linear1.weight"], p["linear1.bias"]))  # (B, T, F)
        return F.linear(hidden, p["linear2.weight"], p["linear2.bias"])

    if norm_first:
        y = x + attend(norm(x, 1))
        return y + feed(norm(y, 2))
    y = norm(x + attend(x), 1)
    return norm(y + feed(y), 2)
    ### END SOLUTION

# %% check="block" points=8

# %% [markdown]
# ### What each device does to depth
#
# We now take the devices away, one at a time. A stack of untrained blocks gets random tokens, and a random gradient is
# sent back through it. We measure the size of the signal after the last block, the size of the gradient before the
# first, and how *alike* the tokens have become (the mean cosine between two tokens: 0 at the start, and 1 when all are
# the same and the text is lost).

# %% show
DEPTHS = [1, 2, 4, 8, 16, 32]  ### small: [1, 4, 8]
kinds = {
    "pre-norm": lambda x, p: encoder_block(x, p, 4, norm_first=True),
    "post-norm": lambda x, p: encoder_block(x, p, 4),
    "no residual": lambda x, p: depth.plain_block(x, p, 4, layer_norm, feed_forward, residual=False),
    "no norm": lambda x, p: depth.plain_block(x, p, 4, layer_norm, feed_forward, norm=False),
    "neither": lambda x, p: depth.plain_block(x, p, 4, layer_norm, feed_forward, residual=False, norm=False),
}
probed = {}
for name, block in kinds.items():
    probed[name] = [depth.probe(block, n) for n in DEPTHS]
plots.show(*depth_panels(DEPTHS, probed))
print(f"with {DEPTHS[-1]} blocks:", *depth.at_the_end(probed), sep="\n  ")

# %% [markdown]
# With neither device the gradient shrinks by many powers of ten. With norms alone the gradient survives, but nothing
# preserves what a token was, and after a few blocks all tokens are the same. With residual connections alone, signal
# and gradient grow with depth. With both devices, post-norm holds the signal, and pre-norm lets it grow slowly
# (exercise 7's smaller initial weights work against that) and leaves the tokens most different from one another; with
# post-norm the tokens end up about as similar as with no norm at all, and large post-norm models train only with a slow
# *warm-up*, a learning rate that rises from 0 ([Xiong and others 2020](https://arxiv.org/abs/2002.04745)).
#
# ### Count before you train
#
# "Can we train that on our GPU?" The answer follows from five numbers, before a single weight exists: the size of the
# vocabulary, the length of the context, the width, the number of blocks, and the width in the middle of the
# feed-forward network, usually $4C$.
#
# **Weights.** A linear layer from $m$ to $n$ numbers has $mn + n$ weights, a norm has $2C$. By hand, for $C = 4$ and a
# middle of 16: attention has four matrices $C \times C$ (queries, keys, values, output) with their biases, however many
# heads there are: $4 \cdot (16 + 4) = 80$. The feed-forward network has $(64 + 16) + (64 + 4) = 148$, the two norms
# have $2 \cdot 8 = 16$; together the block has 244. A GPT adds a row of $C$ numbers for each token of the vocabulary
# and for each position, and one last norm; its output uses the token embedding again (it is *tied*) and adds nothing.
# BERT also has a row for each of two *segments* (two texts read together) and a last linear layer on [CLS], the token
# that is put before each text.
#
# **Work.** For each token, a product with a matrix of $n$ weights takes $2n$ operations. In each block a token also
# compares its query with $T$ keys and averages $T$ values, which takes $2TC$ operations each. A training step costs
# three times as much as the forward pass alone.
#
# The table is computed from the configurations alone; its last column gives the time that one H100 (about
# $4 \cdot 10^{14}$ useful operations a second) would need for the tokens that the model was trained on. Papers round
# the counts of weights: they give 340 million for BERT-large and 175 billion for GPT-3. In [chapter
# 11](../11_beyond/11_beyond.ipynb) you write one function that counts the weights of fifteen published models.

# %% show exact=true
configurations = {  # vocabulary, context, width, blocks; tokens of training
    "GPT-2 small": ((50257, 1024, 768, 12), None),
    "GPT-2 XL": ((50257, 1024, 1600, 48), None),
    "GPT-3": ((50257, 2048, 12288, 96), 300e9),
    "docs-gpt": ((8192, 256, 192, 4), None),
    "yours, of the plays": ((1024, 64, 128, 2), None),
}
print(costs.gpt_costs(configurations))
for name, sizes in {"BERT-base": (30522, 512, 768, 12), "BERT-large": (30522, 512, 1024, 24)}.items():
    print(f"{name:<18}{costs.bert_parameters(*sizes):>18,}")

# %% [markdown]
# ## Two machines from one block
#
# BERT and GPT, both from 2018, are stacks of the same block. They differ in what a token may look at, and so in what
# they can be asked to predict. An **encoder** (BERT) sees the whole text; to leave it something to guess, some tokens
# are hidden. A **decoder** (GPT) sees only the tokens so far, and guesses the next one.
#
# ![BERT sees all tokens and fills in a hidden one; GPT sees those before and predicts the next](figures/bert_gpt.svg)
#
# In code the difference is one mask; its rows are the tokens that look, its columns the tokens that they look at. A
# *causal* mask lets each token see *itself* and the tokens before it. (Without the diagonal the first token would see
# nothing.)
#
# ![Two masks of four tokens: all ones, and ones on the diagonal and below](figures/masks.svg)
#
# ## The encoder: learn from text with holes
#
# You have five thousand messages and almost no labels. Hide some words and let a model guess them from both sides: to
# fill the hole in "Your parcel will be [MASK] on Monday" it needs grammar, the topic, and knowledge of what happens to
# parcels. This is **masked language modelling** (Devlin and others 2019, [BERT](https://arxiv.org/abs/1810.04805)).
#
# ## Exercise 3: make the holes (`masking`)
#
# 18 minutes, ★★, 5 points
#
# Each token that is not special is **chosen** with probability 15%, independently of all others. Of the *chosen* tokens
# 80% are replaced by `[MASK]`, 10% by a random token, and 10% stay as they are.
#
# ![Of three chosen tokens one becomes MASK, one a random word, one stays; labels say what it was](figures/masking.svg)
#
# Why not always `[MASK]`? Because no text that the model reads later will contain one. With the other two kinds, any
# token might be wrong, so the encoder has to compute a good vector for every token.
#
# All randomness comes from the `generator` that you are given, so a second call makes new holes in the same text.
# [RoBERTa](https://arxiv.org/abs/1907.11692) (Liu and others 2019) introduced such *dynamic masks*; BERT's masks were
# drawn once, before training.
#
# <details><summary>Plan</summary>Draw a random number for every token, (B, T): it decides which tokens are chosen, and
# special tokens never are. A second draw, independent of the first, decides what happens to each chosen token, and a
# third gives every position a random token in case it needs one. Put <code>inputs</code> together from the original
# ids, <code>mask_id</code> and the random tokens; <code>labels</code> needs only the first draw.</details>
# <details><summary>Hint</summary>One tensor <code>torch.rand(shape, generator=generator)</code> decides which tokens
# are chosen, a second one decides what happens to them; <code>torch.randint(low, high, ...)</code> never returns
# <code>high</code>.</details>

# %% exercise="masking"
def mask_tokens(
    token_ids: Tensor, mask_id: int, num_special: int, vocab_size: int, generator: torch.Generator, share: float = 0.15
) -> tuple[Tensor, Tensor]:
    """Return (inputs, labels) of masked language modelling for token_ids (B, T), both new tensors (B, T) int64.

    - Ids below num_special are special ([CLS], [SEP], padding, ...): never chosen, never drawn as random tokens.
    - A random token has any id from num_special to vocab_size - 1, all equally likely.
    - labels: the original ids where a token was chosen, -100 elsewhere, which F.cross_entropy ignores.
    """
    ### BEGIN SOLUTION
    chosen = torch.rand(token_ids.shape, generator=generator) < share
    chosen &= token_ids >= num_special
    action = torch.rand(token_ids.shape, generator=generator)
    other = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
    inputs = torch.where(chosen & (action < 0.8), mask_id, token_ids)
    inputs = torch.where(chosen & (action >= 0.8) & (action < 0.9), other, inputs)
    return inputs, torch.where(chosen, token_ids, -100)
    ### END SOLUTION

# %% check="masking" points=5

# %% [markdown]
# ### An encoder, and what it learns from
#
# BERT's encoder is a stack of your blocks on top of the sum of three embeddings: one for the token, one for its
# position, and one for its *segment* (0 for the first of two texts, 1 for the second). The two texts a and b are read
# as one sequence, [CLS] a [SEP] b [SEP]. (Our blocks are pre-norm, BERT's are post-norm; pre-norm copes better with a
# short training run.) Why two texts? BERT had a second task, *next-sentence prediction*: did the second text follow the
# first in the corpus, or was it a random one? RoBERTa dropped this task and lost nothing. The form remained, and below
# you use it to ask a question about a message.

# %% given
from helpers.chapters.transformers.bert import Encoder, inbox_bert
from helpers.chapters.transformers.packing import END, MASK, SPECIAL, pack_texts

tokenizer = artifacts.load_tokenizer(own=False)
VOCABULARY = tokenizer.get_vocab_size()

# %% show
pairs = {"follows": "You can collect it at the desk until six.", "does not follow": "Return the mean along an axis."}
ids, segments = pack_texts(tokenizer, ["Your parcel arrived this morning."] * 2, list(pairs.values()), length=32)
holes, wanted = mask_tokens(ids, MASK, SPECIAL, VOCABULARY, torch.Generator().manual_seed(SEED))
for row, label in enumerate(pairs):
    print(f"{label}:", masked_pretraining.in_words(tokenizer, holes[row], wanted[row], segments[row]))

# %% [markdown]
# Now the encoder reads the inbox, without its labels, and some of the docs. It learns from the holes alone, and it gets
# three aids so that half a minute of training is enough. We choose 30% of the tokens, not 15% (Wettig and others 2023,
# [Should you mask 15%?](https://arxiv.org/abs/2202.08005), found even 40% to be good). The output's bias is initialised
# to the logarithms of the tokens' frequencies. And a small convolution mixes each token with its two neighbours, in the
# spirit of [ConvBERT](https://arxiv.org/abs/2008.02496) (Jiang and others 2020); attention would first have to learn
# where the neighbours are.

# %% show
CONTEXT = 64
CHARACTERS = 800_000  ### small: 200_000
STEPS = 300  ### small: 2; gpu: 4000
MODEL = {"vocab_size": VOCABULARY, "context_length": CONTEXT, "d_model": 96, "num_layers": 2, "num_heads": 4}
train, test = data.load("inbox").without_repeats().split(test=0.2, seed=SEED)
docs_text = data.load("docs_text").train[:CHARACTERS]
texts = masked_pretraining.MaskedTexts(tokenizer, train.texts, docs_text, CONTEXT, mask_tokens, share=0.3)
fresh = partial(Encoder, **MODEL, block=encoder_block)  # a call gives random weights
seed_everything(SEED)
pretrained = fresh()
history = masked_pretraining.pretrain(pretrained, texts, STEPS)
print(f"{sum(p.numel() for p in pretrained.parameters()):,} parameters; {history}")
plots.show(*history.draw())
print(masked_pretraining.fill_in(pretrained, tokenizer, "Your parcel will be delivered[MASK] Monday."))
print(masked_pretraining.fill_in(pretrained, tokenizer, "Click the[MASK] to verify your account."))
print(masked_pretraining.fill_in(pretrained, tokenizer, "Return the shape of the input[MASK]."))

# %% [markdown]
# ## Fine-tuning: one encoder, three tasks
#
# The encoder has learned how words go together, but it cannot do any task yet. A small **head** turns its vectors into
# answers; the labels train the encoder and the head together:
#
# ![Three heads: the mean of all vectors to a class, each vector to a tag, each to start and end](figures/heads.svg)
#
# ## Exercise 4: tags for pieces, and the best span (`heads`)
#
# 20 minutes, ★★, 6 points
#
# **Tags belong to words, vectors to pieces of words.** For each token the tokenizer gives the number of its word, or
# None for a special token. The *first* piece of a word gets the word's label; all other tokens get -100. By hand: *Hi
# Zeynep* is five tokens with the word numbers `[None, 0, 1, 1, None]`; with the labels `[3, 5]` the result is
# `[-100, 3, 5, -100, -100]`.
#
# **A span needs a start and an end that fit together.** The likeliest start may come after the likeliest end, or be in
# the question. Among all allowed pairs, `best_span` takes the one with the highest
# `start_logits[start] + end_logits[end]`.
#
# <details><summary>Plan</summary>A first piece is a token whose word differs from that of the token before. For the
# span two loops are enough: one over all starts, and one over the ends from that start on, until an end is too far away
# or not allowed.</details>

# %% exercise="heads"
def first_piece_labels(word_ids: list[int | None], labels: list[int]) -> list[int]:
    """Return a label for each token: its word's label at the word's first piece, else -100; labels: one for each word.

    word_ids: the number of each token's word, in order, None for a special token; some words may have no token.
    """
    ### BEGIN SOLUTION
    before = [None, *word_ids]
    return [labels[word] if word not in (None, last) else -100 for last, word in zip(before, word_ids, strict=False)]
    ### END SOLUTION

def best_span(start_logits: Tensor, end_logits: Tensor, allowed: Tensor, max_length: int) -> tuple[int, int]:
    """Return the best valid (start, end), inclusive; start_logits, end_logits and allowed (booleans) are (T,).

    - start <= end, at most max_length tokens, all of them allowed: not the question, special tokens or padding.
    - Ties go to the earliest start, then to the earliest end. Return Python ints or tensors of one number, as you like.
    """
    ### BEGIN SOLUTION
    best, found = -math.inf, (0, 0)
    starts, ends, free = start_logits.tolist(), end_logits.tolist(), allowed.tolist()
    for start in range(len(starts)):
        for end in range(start, min(start + max_length, len(ends))):
            if not free[end]:
                break
            if starts[start] + ends[end] > best:
                best, found = starts[start] + ends[end], (start, end)
    return found
    ### END SOLUTION

# %% check="heads" points=6

# %% [markdown]
# We begin with tags and spans on the inbox. For each task, three models of the same shape learn from the same few
# labelled examples, in the same number of steps. They differ in the weights with which they begin: random ones, those
# that you have just pre-trained, or those of *inbox-bert*, which comes with the course and has read the same texts for
# 8,000 steps. For the spans, the model is asked questions such as "On which date?". No model has read any of the test
# sentences before. Below your run the table shows the course's own runs, with five seeds; they are the open marks in
# the drawing.

# %% show
SEEDS = 1
STEPS = 40  ### small: 1
FEW = (32, 64)  ### small: (48, 48)
MANY = 640  ### small: 32
tasks = inbox_tasks.make(tokenizer, train, test, CONTEXT, first_piece_labels, best_span)
labels = dict(zip(tasks, FEW, strict=True))
starts = {"inbox-bert": inbox_bert(encoder_block), "your encoder": pretrained, "from scratch": None}
scores = finetuning.compare(tasks, fresh, starts, labels, STEPS, SEEDS)
stored = finetuning.stored_scores()
print(finetuning.scores_table(scores, starts, stored))
more = [finetuning.score_of(tasks["tags (F1)"], fresh, start, SEED, MANY, STEPS) for start in (pretrained, None)]
print(f"tags with {MANY} labelled examples: {more[0]:.3f} pre-trained, {more[1]:.3f} from scratch")
plots.show(*scores_by_start(scores, starts, labels, stored))
### BEGIN CLAIMS
from helpers.course.claims import claim
for task, found in scores.items():
    theirs, yours, scratch = (scores_of[0] for scores_of in found)
    claim(f"{task}, {labels[task]} labels: inbox-bert above its twin from scratch", theirs, scratch)
    claim(f"{task}, {labels[task]} labels: your encoder above its twin from scratch", yours, scratch)
### END CLAIMS

# %% [markdown]
# Pre-training gives a better start, but the more labels there are, the less the start matters: compare the table with
# the last line, where tags have twenty times as many labels. Does the pre-trained model still lead?
#
# ### One vector for a whole text
#
# To classify a text, a head needs *one* vector for all of it. Which one? BERT takes that of [CLS], a token that
# represents no word, so its vector means nothing until a task trains it; BERT's task for it was next-sentence
# prediction. The next cell makes pairs for that task: in half of them the sentences are neighbours, in the other half
# the second sentence is a random one from the same position of another text. The weights of *inbox-bert*, which has
# only filled holes, stay frozen. We train linear heads on vectors that it computes and, for comparison, on word
# overlap: the share of the second sentence's words that also occur in the first.

# %% show
PAIRS = 2000  ### small: 200
corpora = {"inbox": train.texts, "docs": next_sentence.paragraphs(docs_text)}
heads = next_sentence.judged(starts["inbox-bert"], tokenizer, corpora, PAIRS)
print(next_sentence.table(heads))
### BEGIN CLAIMS
for name, found in heads.items():
    claim(f"Next sentences, {name}: two means compared above [CLS]", found["two means compared"], found["[CLS]"])
### END CLAIMS

# %% [markdown]
# Filling holes never trains [CLS], so its head is little better than tossing a coin (0.5). Comparing the means of the
# two sentences tells more. On the docs, counting shared words works best, since a random sentence is about another
# topic. A classifier can do without [CLS]: [Sentence-BERT](https://arxiv.org/abs/1908.10084) (Reimers and Gurevych
# 2019) found the mean of all vectors a point better.
#
# So our classifier uses the mean, on the two benchmarks of the course: spam, and the 150 intents of CLINC150.

# %% show
MAX_STEPS = 80  # steps  ### small: 1
PART = 1  # with 20, one of twenty intents and messages  ### small: 75
for name, start in {"encoder, own pre-training": pretrained, "encoder from scratch": None}.items():
    model = finetuning.sorter(tokenizer, fresh, start, MAX_STEPS)
    benchmarks.intents("05", name, model, labels=(10,), questions=10, every=PART)
    if start is not None:
        benchmarks.spam("05", name, model, every=PART)

# %% [markdown]
# Does pre-training do harm, then? Be careful with models that have not finished learning: in 80 steps each of the 1,500
# examples is seen less than twice. The figure puts your run beside a longer one that comes with the course: 450 steps
# of fine-tuning, with one seed and the better of two learning rates.

# %% show
from helpers.course import leaderboard
from helpers.chapters.transformers import pretraining_steps
stored, board = leaderboard.reference(pretraining_steps.DATA), leaderboard.with_reference(benchmarks.INTENTS)
plots.show(*pretraining_steps.drawn(stored, board, len(history.losses), MAX_STEPS))

# %% [markdown]
# With enough fine-tuning every start gains at least 29 points, and your own few hundred steps of pre-training do as
# well as random weights. So most of the gap above came from stopping too early. But filling holes does not help with
# these intents, either: *inbox-bert*, after 8,000 steps, is still three points lower (a score is uncertain by a little
# more than one), and a model that counts words beats all three. The reason is open; one guess is that it has read the
# inbox and the docs, but no requests to an assistant.
#
# Pre-training pays when there is far more of it. The vectors of MiniLM, which was pre-trained on large corpora and then
# tuned on a billion pairs, reach 0.91 on these intents with nothing but a linear layer ([chapter
# 07](../07_contrastive/07_contrastive.ipynb)). Papers have measured the gain from more pre-training. The first GPT
# ([Radford and others
# 2018](https://cdn.openai.com/research-covers/language-unsupervised/language_understanding_paper.pdf)) has a mean score
# of 74.7 over eight tasks, but only 59.9 if it begins with random weights. BERT-base gains almost another point on
# MNLI, a benchmark for textual entailment, between 500,000 and a million steps. And with the same architecture
# throughout, [RoBERTa](https://arxiv.org/abs/1907.11692) (Liu and others 2019) rises from 89.0 to 90.2 on MNLI when it
# reads ten times the text for five times as many steps.

# %% [markdown]
# ## Essay 1: what did the holes teach?
#
# 12 minutes, ★★, 10 points, graded by hand
#
# You have four kinds of evidence: the guesses for [MASK]; the table of tags and spans, with your run and five seeds of
# the course; the table of next sentences; and the figure of intents, with your 80 steps of fine-tuning and the course's
# 450. Which task gained most from pre-training, which least, and why might that be so? The encoder has read the inbox's
# training part without labels: is that fair, and would it be fair to read the test part, too? RoBERTa dropped BERT's
# next-sentence task and made the masks dynamic. From what you saw here, argue which of the two changes you would test
# first, and how. Write about 130 words.

# %% [markdown] essay="holes" points=10
# ### BEGIN SOLUTION
# Spans gain most: with inbox-bert clearly more of them are right than from scratch. A model from scratch must learn
# from few examples what a name or a date looks like, while the pre-trained encoder has filled such holes thousands of
# times. My own few hundred steps already help with spans and with tags; with 640 labels the tags hardly need the better
# start. Intents do not gain: after 80 steps the encoder from scratch is ahead, and after 450 it is level with mine and
# above inbox-bert. Reading the training part without labels is fair, since texts without labels are what one has in
# practice; reading the test part would leak its words, though not its labels. I would test dynamic masks first: with
# some four thousand messages, each seen many times, the encoder would learn fixed holes by heart. I would train two
# encoders with the same steps and three seeds, one with fixed and one with new holes, and compare their losses at holes
# in held-out messages. The next-sentence task can wait: the table of pairs shows how far shared words alone get.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 3 points: the largest and smallest gains, with numbers from the table and a reason that fits the task.
# 2 points: unlabelled training text is fair; test text leaks words.
# 2 points: says what dynamic masks and dropping next-sentence prediction change.
# 3 points: a test that could fail: same budget, held-out measure, more than one seed.
# ### END MARK SCHEME

# %% [markdown]
# ## The decoder: predict what comes next
#
# Hiding words is a detour if all you want is to write. A **decoder** sees only the tokens so far, and by the chain rule
# the probability of a text is a product:
#
# $$p(x_0, \ldots, x_{T-1}) = p(x_0) \prod_{t=1}^{T-1} p(x_t \mid x_0, \ldots, x_{t-1})$$
#
# One forward pass gives all factors except $p(x_0)$ at once: the vector of token $t$ depends on tokens 0 to $t$ and no
# others, and predicts token $t + 1$. No token is wasted: where BERT learns from 15% of them, a GPT learns from all.
#
# ## Exercise 5: a GPT (`gpt`)
#
# 18 minutes, ★★, 6 points
#
# You have the block and the mask; a GPT adds an input and an output (Radford and others 2019, [GPT-2's
# paper](https://cdn.openai.com/better-language-models/language_models_are_unsupervised_multitask_learners.pdf)):
#
# 1. the row of `token_embedding.weight` $(V, C)$ for each id, plus that of `position_embedding.weight` for its
#    position;
# 2. `num_layers` pre-norm blocks with a causal mask, one after the other;
# 3. `final_norm` on the result;
# 4. logits $(B, T, V)$: the dot product with each row of the token embedding (the output is *tied*: it has no matrix of
#    its own, and no bias).
#
# <details><summary>Plan</summary>Look up both embeddings and add them: that is x, (B, T, C). Make one causal mask, (T,
# T), for all blocks, and send x through the blocks in turn, each with its own part of <code>p</code>. Normalise what
# comes out, then take its dot product with every row of the token embedding, and you have (B, T, V).</details>
# <details><summary>Hint</summary>The mask is <code>torch.ones(T, T, dtype=torch.bool).tril()</code>: each row is a
# query.</details>

# %% exercise="gpt"
def gpt_logits(token_ids: Tensor, p: dict, num_layers: int, num_heads: int) -> Tensor:
    """Return the logits (B, T, V) for the next token after each of token_ids (B, T).

    - The first token has position 0; a text may be shorter than the context. The mask is on token_ids' device.
    - p: "token_embedding.weight", "position_embedding.weight", "final_norm.weight" and ".bias", and the weights of
      block i under f"blocks.{i}."; part(p, "blocks.0.") returns those of block 0 under the names that encoder_block
      knows.
    - The course's own GPT and Block (helpers.models.gpt) are not called.
    """
    ### BEGIN SOLUTION
    T = token_ids.shape[1]
    x = p["token_embedding.weight"][token_ids] + p["position_embedding.weight"][:T]  # (B, T, C)
    causal = torch.ones(T, T, dtype=torch.bool, device=token_ids.device).tril()
    for i in range(num_layers):
        x = encoder_block(x, part(p, f"blocks.{i}."), num_heads, norm_first=True, mask=causal)
    x = F.layer_norm(x, x.shape[-1:], p["final_norm.weight"], p["final_norm.bias"])
    return F.linear(x, p["token_embedding.weight"])
    ### END SOLUTION

# %% check="gpt" points=6

# %% [markdown]
# ## Exercise 6: the loss, perplexity, bits per byte (`loss`)
#
# 15 minutes, ★★, 5 points
#
# **The shift.** The target of the logits at position $t$ is the token at $t + 1$; the last logits have no target and
# are left out.
#
# ![Logits at positions 0 to 2 are judged by tokens 1 to 3; the last logits have no target](figures/shift.svg)
#
# **Perplexity** is $e$ to the power of the mean loss: the number of equally likely tokens between which the model
# hesitates. It cannot be compared across tokenizers: larger pieces make predictions harder but fewer. So for comparison
# we divide the sum of the losses by the number of bytes (UTF-8) of the text: **bits per byte**, where bits are nats
# divided by $\ln 2$. By hand: eight predictions of 1.5 nats each for the text "naïve" (6 bytes, since ï has two) give
# 12 / 0.6931 / 6 = 2.885 bits per byte.
#
# <details><summary>Plan</summary>For <code>next_token_loss</code>, line up each prediction with the token that follows
# it, lay all texts end to end, and average over the targets that count; the last prediction of each text has no target.
# <code>perplexity</code> averages first and then takes the exponential. <code>bits_per_byte</code> converts the total
# from nats to bits and divides it by the number of bytes of the text, which may be larger than the number of
# characters.</details>
# <details><summary>Hint</summary><code>logits[:, :-1]</code> belong to <code>token_ids[:, 1:]</code>;
# <code>F.cross_entropy</code> wants (N, V) and (N,), and has <code>ignore_index</code>.</details>

# %% exercise="loss"
def next_token_loss(logits: Tensor, token_ids: Tensor, ignore_id: int | None = None) -> Tensor:
    """Return the mean cross-entropy in nats of logits (B, T, V) for the tokens that follow in token_ids (B, T).

    All predictions of the batch count equally: do not average the texts' means. Predictions whose *target* is
    ignore_id do not count. The result is a tensor of one number, from which gradients flow back to the logits.
    """
    ### BEGIN SOLUTION
    ignored = -100 if ignore_id is None else ignore_id
    targets = F.pad(token_ids[:, 1:], (0, 1), value=ignored)  # (B, T): ignoring the last saves a copy of all logits
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=ignored)
    ### END SOLUTION

def perplexity(losses: Tensor) -> float:
    """Return the perplexity of predictions with these losses in nats, (N,)."""
    ### BEGIN SOLUTION
    return math.exp(torch.as_tensor(losses).double().mean())
    ### END SOLUTION

def bits_per_byte(total: float, text: str) -> float:
    """Return the bits per byte (UTF-8) of the text; total: the sum of all losses in nats."""
    ### BEGIN SOLUTION
    return total / math.log(2) / len(text.encode())
    ### END SOLUTION

# %% check="loss" points=5

# %% [markdown]
# ## Exercise 7: a module of your own (`module`)
#
# 20 minutes, ★★, 6 points
#
# So far, the weights have come to you in a dict. Something has to create them, move them to the GPU, hand them to the
# optimiser and save them. An `nn.Module` does this for every weight that it *knows of*: each attribute that is an
# `nn.Parameter`, and the weights of each attribute that is itself a module. Plain tensors, and modules in a Python
# list, are never trained or saved, and no error warns you.
#
# ![A GPT as a tree of modules; a plain list or tensor is not on the tree](figures/module.svg)
#
# Write two modules: `Norm`, your `layer_norm` with weights of its own (a subclass of `nn.LayerNorm` is accepted, too),
# and `GPT`, the whole model, whose `forward` calls your `gpt_logits`. The parameters of `GPT` have the names that
# `gpt_logits` asks for, so that `dict(self.named_parameters())` is its `p`. `Block(d_model, num_heads)`, imported
# above, holds one block's weights.
#
# **The initial weights** decide the first loss. Logits are dot products with the token embedding: with numbers of size
# 1 in it, the model would start out certain of nonsense. Most GPTs draw every matrix from a normal distribution with
# standard deviation 0.02 (OpenAI's own code uses 0.01 for the positions); the two matrices of a block that write to the
# residual stream (`out_proj.weight` and `linear2.weight`) get $0.02 / \sqrt{2 L}$ for $L$ blocks, so that all $2 L$
# additions together are about as large as one would be without the root. Vectors, that is biases and the weights of
# norms, are not drawn: they keep the values that their modules gave them. Such a model finds all $V$ tokens about
# equally likely, so its loss begins near $\ln V$.
#
# <details><summary>Plan</summary><code>Norm</code> holds two learned vectors and passes them to your
# <code>layer_norm</code>. <code>GPT</code> first makes its four parts, under the names that <code>gpt_logits</code>
# asks for. Then go once through all parameters by name: leave the vectors as they are, and draw each matrix again, with
# a smaller spread if its name shows that it writes to the stream. <code>forward</code> passes the weights, by name, to
# <code>gpt_logits</code>.</details>
# <details><summary>Hint</summary>A module finds the modules in an <code>nn.ModuleList(...)</code>. To draw the
# matrices: <code>for name, p in self.named_parameters(): if p.dim() == 2: nn.init.normal_(p, std=...)</code></details>

# %% exercise="module"
class Norm(nn.Module):
    """Layer normalisation with a weight of ones and a bias of zeros, (d_model,) each, to be learned."""

    def __init__(self, d_model: int):
        super().__init__()
        ### BEGIN SOLUTION
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))
        ### END SOLUTION

    def forward(self, x: Tensor) -> Tensor:
        """Return x (..., C), each row of the last axis normalised."""
        ### BEGIN SOLUTION
        return layer_norm(x, self.weight, self.bias)
        ### END SOLUTION

class GPT(nn.Module):
    """A GPT that holds its weights.

    - Modules: token_embedding and position_embedding (each an nn.Embedding), blocks (num_layers of Block), final_norm
      (a Norm); nothing else.
    - The attributes context_length and num_heads keep the arguments of these names: later cells use them.
    - Matrices are drawn from a normal distribution with standard deviation 0.02, those that write to the stream with
      0.02 / sqrt(2 num_layers); vectors are not drawn.
    """

    def __init__(self, vocab_size: int, context_length: int, d_model: int, num_layers: int, num_heads: int):
        super().__init__()
        ### BEGIN SOLUTION
        self.context_length, self.num_heads = context_length, num_heads
        self.token_embedding = nn.Embedding(vocab_size, d_model)
        self.position_embedding = nn.Embedding(context_length, d_model)
        self.blocks = nn.ModuleList(Block(d_model, num_heads) for _ in range(num_layers))
        self.final_norm = Norm(d_model)
        for name, weight in self.named_parameters():
            if weight.dim() == 2:
                writes = name.endswith(("out_proj.weight", "linear2.weight"))
                nn.init.normal_(weight, std=0.02 / math.sqrt(2 * num_layers) if writes else 0.02)
        ### END SOLUTION

    def forward(self, token_ids: Tensor) -> Tensor:
        """Return the logits (B, T, V) of token_ids (B, T)."""
        ### BEGIN SOLUTION
        return gpt_logits(token_ids, dict(self.named_parameters()), len(self.blocks), self.num_heads)
        ### END SOLUTION

# %% check="module" points=6

# %% [markdown]
# ## Exercise 8: AdamW by hand (`adamw`)
#
# 18 minutes, ★★, 6 points
#
# Gradient descent uses the same learning rate for every weight. But the embedding of a rare token gets a gradient once
# in a thousand steps and that of "the" in every step; a rate that suits the one is far too high for the other. **Adam**
# (Kingma and Ba 2015, [Adam](https://arxiv.org/abs/1412.6980)) keeps two running means for each weight: $m$ of its
# gradient and $v$ of the gradient's square. It steps by $\eta \, m / \sqrt v$, so that each weight moves by about the
# learning rate $\eta$, however large its gradients are. Both means begin at 0 and are too small at first: after $t$
# steps the coefficients in each sum to only $1 - \beta^t$, so the means are divided by that (*bias correction*).
#
# $$m \leftarrow \beta_1 m + (1 - \beta_1) g, \qquad v \leftarrow \beta_2 v + (1 - \beta_2) g^2$$
#
# $$\hat m = \frac{m}{1 - \beta_1^t}, \quad \hat v = \frac{v}{1 - \beta_2^t}, \qquad
# w \leftarrow w - \eta \Big(\frac{\hat m}{\sqrt{\hat v} + \epsilon} + \lambda w\Big)$$
#
# The last term is **weight decay**, the W of AdamW, and what is new is that it is outside the fraction (Loshchilov and
# Hutter 2019, [Decoupled weight decay regularization](https://arxiv.org/abs/1711.05101)). It is tempting to add
# $\lambda w$ to the gradient. Then it is divided by $\sqrt v$ like the rest, and weights with large gradients hardly
# decay. When it is *decoupled*, all weights decay at the same rate; the $w$ in the term is the weight before the step.
# (Most training loops, `fit` among them, apply weight decay to matrices only, not to biases or norms.)
#
# By hand, with $w = 1$, $g = 0.5$, $\eta = 0.1$, $\lambda = 0.1$ and the usual $\beta_1 = 0.9$, $\beta_2 = 0.999$:
# $m = 0.05$ and $v = 0.00025$; corrected, they are 0.5 and 0.25, and the root of 0.25 is 0.5. The step is
# $0.1 \cdot (0.5 / 0.5 + 0.1 \cdot 1) = 0.11$, so $w = 0.89$. If the next gradient is $g = -0.5$, then $m = -0.005$,
# and $\hat m = -0.005 / 0.19 = -0.0263$; $\hat v$ is 0.25 again; the step is $0.1 \cdot (-0.0526 + 0.089) = 0.0036$,
# and $w = 0.8864$. A gradient that contradicts the one before hardly moves the weight.
#
# <details><summary>Plan</summary>Unpack the state, or begin with two means of zeros and a count of 0. Update both means
# and count the step; then compute the two corrected means as new values. Step from the old weight, with the decay added
# to the quotient and not inside it. Return the new weight, and keep the uncorrected means for the next call.</details>
# <details><summary>Hint</summary><code>m, v, t = state or (torch.zeros_like(weight), torch.zeros_like(weight),
# 0)</code>; count the step first: with t = 0 the correction divides by 0.</details>

# %% exercise="adamw"
def adamw_step(weight: Tensor, grad: Tensor, state=None, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
    """Return (the weight after one step of AdamW, the new state), as torch.optim.AdamW does, which is not to be called.

    weight and grad have the same shape and dtype, and so has the returned weight; nothing is changed in place.
    state: None before the first step of this weight, then what the previous step returned (its contents are up to you).
    """
    ### BEGIN SOLUTION
    m, v, t = state or (torch.zeros_like(weight), torch.zeros_like(weight), 0)
    m = betas[0] * m + (1 - betas[0]) * grad
    v = betas[1] * v + (1 - betas[1]) * grad**2
    t = t + 1
    mean, square = m / (1 - betas[0] ** t), v / (1 - betas[1] ** t)
    return weight - lr * (mean / (square.sqrt() + eps) + weight_decay * weight), (m, v, t)
    ### END SOLUTION

# %% check="adamw" points=6

# %% [markdown]
# ## Exercise 9: the loop that trains it (`train`)
#
# 20 minutes, ★★, 7 points
#
# You have a model, a loss and a step for one weight. Only the loop is missing, and you write it as well: it will train
# the GPT with your `adamw_step` and, for some matrices, a given one beside it, without any of PyTorch's optimisers. In
# chapter 03 an optimiser object updated all weights at once; now you see what such an object does inside.
#
# **One step.** Compute the loss of the step's batch and its gradients (clear the old ones first). Then **clip**: if the
# norm of all gradients together is above `clip`, scale all of them down so that it equals `clip`; so no single odd
# batch can throw the model far off. Then go through the parameters: each is overwritten, in place, with the new weight
# that `optimizer` returns, and each has a *state of its own*, which is handed back to `optimizer` in the next step.
# (`p.copy_(new)` under `torch.no_grad()` writes into a parameter; an assignment to the name `p` would change nothing in
# the model.)
#
# **The learning rate** changes from step to step. While the running means rest on few gradients, a full step would be
# based on very little evidence, so the rate first rises along a straight line (*warm-up*); then it falls along half a
# cosine, so that the model can settle:
#
# $$\eta_t = \eta \cdot \frac{t + 1}{w + 1} \;\; (t < w), \qquad
# \eta_t = \frac{\eta}{2}\Big(1 + \cos\frac{\pi (t - w)}{n - w}\Big) \;\; (t \ge w)$$
#
# for step $t = 0, 1, \ldots, n - 1$ of $n$ steps, the first $w$ of which warm up. By hand, with $n = 5$, $w = 1$ and
# $\eta = 0.2$ the rates are 0.1, 0.2, then $0.1 \cdot (1 + \cos 45°) = 0.1707$, 0.1 and 0.0293.
#
# The loop by hand: take one weight $w = 2$, the loss $(wx - y)^2$, and an optimiser whose new state is half of the old
# one plus the gradient, $s \leftarrow s / 2 + g$, and which steps by $\eta s$. The first batch, $x = 1, y = 0$, has the
# loss 4 and the gradient 4; clipped, the gradient is 1, so $s = 1$, and with the rate 0.1 we get $w = 1.9$. The second
# batch, $x = 1, y = 1.8$, has the loss 0.01 and the gradient 0.2, which is below the limit; so $s = 0.7$, and with the
# rate 0.05 we get $w = 1.865$.
#
# <details><summary>Plan</summary><code>warmup_cosine</code> is the formula, with one <code>if</code>. In
# <code>train</code> keep a dict of states, one for each parameter, and a list of losses. A step computes the loss,
# clears the old gradients, calls <code>backward</code> and clips; then, without gradients, it passes each parameter
# that has a gradient to <code>optimizer</code> with its state and the step's rate, copies the new weight into the
# parameter, and keeps the new state. Set the mode before the loop and after it.</details>
# <details><summary>Hint</summary><code>nn.utils.clip_grad_norm_(model.parameters(), clip)</code> clips;
# <code>states.get(name)</code> is None in the first step.</details>

# %% exercise="train"
def warmup_cosine(step: int, steps: int, peak: float, warmup: int) -> float:
    """Return the learning rate of a step from 0 to steps - 1, of which the first `warmup` (0 to steps - 1) warm up."""
    ### BEGIN SOLUTION
    if step < warmup:
        return peak * (step + 1) / (warmup + 1)
    return peak / 2 * (1 + math.cos(math.pi * (step - warmup) / (steps - warmup)))
    ### END SOLUTION

def train(model: nn.Module, batches, loss, optimizer, steps: int, rate, clip: float = 1.0) -> list[float]:
    """Train a model in place for `steps` steps; return the loss of each step, as a float.

    batches: step t learns from batches(t). loss: loss(model, batch) is a tensor of one number.
    optimizer: optimizer(weight, grad, state, lr=...) returns (the new weight, the new state), as adamw_step does; the
        state of each parameter is None in the first step, then what the previous step returned.
    rate: rate(t) is the learning rate of step t. clip: the largest norm that all gradients together may have.
    - Gradients left from before have no influence. A parameter without a gradient (it is frozen) stays as it is.
    - The model learns in train mode and is left in eval mode.
    - PyTorch's own optimisers (torch.optim) are not called.
    """
    ### BEGIN SOLUTION
    states, losses = {}, []
    model.train()
    for step in range(steps):
        value = loss(model, batches(step))
        model.zero_grad()
        value.backward()
        nn.utils.clip_grad_norm_(model.parameters(), clip)
        with torch.no_grad():
            for name, p in model.named_parameters():
                if p.grad is not None:
                    new, states[name] = optimizer(p, p.grad, states.get(name), lr=rate(step))
                    p.copy_(new)
        losses.append(value.item())
    model.eval()
    return losses
    ### END SOLUTION

# %% given
# The check looks at a small network after some steps of your loop, at its losses and at its modes.
def trained(*run, **how) -> dict:
    return own_loop.trained(train, *run, **how)

# %% check="train" points=7

# %% [markdown]
# ### Train it on Shakespeare
#
# The text is a million characters of his plays, cut into pieces of two or three characters by a tokenizer of 1,024
# pieces that was learned from the plays ([chapter 06](../06_tokenizers/06_tokenizers.ipynb) builds one). For the same
# work, a step then sees more text than with single characters.
#
# Your AdamW treats a matrix as a bag of numbers. **Muon** (Jordan and others 2024,
# [Muon](https://kellerjordan.github.io/posts/muon/)) treats it as a matrix: it makes the step of each hidden-layer
# matrix orthogonal, so that rare directions learn as fast as common ones. It leaves embeddings, norms and biases to
# AdamW, here to yours. If AdamW trains everything, the same loop does worse than the 5-gram below: 2.35 to 2.37 bits
# with five seeds, against 2.34.
#
# Know what to expect before you start: the loss begins near $\ln 1024 = 6.93$, as all tokens are equally likely; within
# a few dozen steps it falls to what the token frequencies alone give; only then does the model begin to use the earlier
# tokens.

# %% show
STEPS = 1500  ### small: 6; gpu: 2000
SIZES = {"vocab_size": 1024, "context_length": 64, "d_model": 128, "num_layers": 2, "num_heads": 4}
plays = Plays(data.load("tiny_shakespeare"), vocab_size=1024, length=64, rows=16)

def gpt_loss(model: nn.Module, token_ids):
    """Return the mean loss of the next tokens, in nats."""
    return next_token_loss(model(token_ids), token_ids)

seed_everything(SEED)
gpt = GPT(**SIZES)
assert sum(p.numel() for p in gpt.parameters()) == costs.gpt_parameters(1024, 64, 128, 2)
rate = partial(warmup_cosine, steps=STEPS, peak=4.5e-3, warmup=STEPS // 20)
adamw = partial(adamw_step, weight_decay=0.1)
optimizer = muon.beside(adamw, gpt)  # or adamw, for all weights
learned = train(gpt, plays.batch, gpt_loss, optimizer, STEPS, rate)
print(f"{len(plays.stream):,} tokens of text; the loss goes from {learned[0]:.2f} to {np.mean(learned[-20:]):.2f} nats")
plots.show(*plots.learning_curves(learned, lrs=[rate(t) for t in range(STEPS)]))

# %% [markdown]
# ### Is it any good?
#
# The models are judged on text that none of them has read, in bits per character (the text is ASCII, so a character is
# a byte). The rivals are character n-gram models with Kneser-Ney smoothing, as in chapter 03, which have counted all of
# the training text.

# %% show
losses, told = plays.losses(gpt)
judged = plays.counted(range(3, 9)) | {"your GPT": bits_per_byte(losses.sum().item(), told)}
for name, bits in sorted(judged.items(), key=lambda item: -item[1]):
    print(f"{name:<12}{bits:.3f} bits per character")
print(f"your GPT: perplexity {perplexity(losses):.1f} over {SIZES['vocab_size']:,} pieces")
plots.show(*bits_bars(judged))
### BEGIN CLAIMS
for n in ("4-gram", "5-gram", "6-gram", "7-gram"):
    claim(f"Minus bits per character: your GPT above the {n} with Kneser-Ney", -judged["your GPT"], -judged[n])
### END CLAIMS

# %% [markdown]
# Counting is a strong rival: the n-gram models get better up to 7-grams, and these are behind your GPT by a few
# hundredths of a bit at most; a GPT that was trained by AdamW alone does worse than 5-grams. But a GPT goes on
# improving with more steps, weights and text. Compare your number with that of chapter 03's LSTM, too: at this size
# they are close. The transformer's advantage is that all positions of a text are trained at once.
#
# ## Let it write: choosing the next token
#
# A model gives logits, and you must choose a token. If you take the likeliest token each time, the text goes round in
# circles; if you draw from all tokens, it derails sooner or later. You know temperature, top-k and top-p from chapter
# 03; here they are functions from logits to logits, `apply_temperature`, `keep_top_k` and `keep_top_p`, so that you can
# apply one after another.
#
# ## Exercise 10: min-p, penalties, one draw (`choose`)
#
# 20 minutes, ★★, 5 points
#
# **Min-p.** Where the model is sure, two candidates are plenty; where it is not, two hundred may be fine. So compare
# each token with the likeliest one: `keep_min_p` keeps the tokens with a probability of at least `min_p` times *that of
# the likeliest*.
#
# ![Seven probabilities; five of them reach the line at 0.05 times the largest, and stay](figures/min_p.svg)
#
# By hand: of $p = (.45, .25, .15, .08, .04, .02, .01)$ min-p 0.05 keeps the tokens with at least
# $0.05 \cdot 0.45 = 0.0225$, which are tokens 0 to 4. Removed tokens get the logit $-\infty$; **the logits of the
# others do not change**, since the softmax will renormalise their probabilities. (Nguyen and others 2025, [Turning up
# the heat](https://arxiv.org/abs/2407.01082); [Schaeffer and others 2025](https://arxiv.org/abs/2506.13681) found no
# gain where the other samplers are tuned as carefully.)
#
# **Penalties** depend on what has already been written. `penalise` changes the logits of the tokens that occur in
# `generated`, and no others, in this order: *repetition* $r$ (Keskar and others 2019,
# [CTRL](https://arxiv.org/abs/1909.05858)) divides a positive logit and *multiplies* a negative one, once, however
# often the token occurs (dividing a negative logit would make the token likelier); *frequency* subtracts $f$ for each
# occurrence; *presence* subtracts $q$ once. By hand, with the logits (2, -1, 0.5), generated [0, 1, 0], $r = 2$ and
# $f = 0.5$: token 0 gets 2 / 2 - 2 · 0.5 = 0, token 1 gets -1 · 2 - 0.5 = -2.5, and token 2 keeps 0.5.
#
# **One draw.** So that a draw can be repeated, the random number is an argument: a number $u$ from $[0, 1)$. Lay the
# probabilities side by side on a line of length 1, in the order of the ids. `draw_token` returns the id whose stretch
# of the line contains $u$: **the first whose cumulative probability is greater than $u$**. By hand: (0.2, 0.5, 0.3) has
# the cumulative sums 0.2, 0.7, 1.0. So $u = 0.1$ draws token 0, $u = 0.2$ draws token 1 (0.2 is not greater than 0.2),
# and $u = 0.95$ draws token 2.
#
# <details><summary>Plan</summary><code>keep_min_p</code> looks at probabilities to decide which tokens stay, and
# returns logits. <code>penalise</code> counts how often each of the V tokens was written, then applies the three
# penalties in the order given above, to the written tokens alone. <code>draw_token</code> lays the probabilities end to
# end as running sums and finds where they pass <code>u</code>; think about what rounding does to the last
# sum.</details>
# <details><summary>Hint</summary><code>torch.bincount(ids, minlength=V)</code> counts occurrences. In float32 the last
# sum may be 0.9999999; in <code>double()</code>, <code>sums / sums[-1]</code> ends with exactly 1.</details>

# %% exercise="choose"
def keep_min_p(logits: Tensor, min_p: float) -> Tensor:
    """Return the logits (V,), with minus infinity for tokens less likely than min_p times the likeliest one.

    Some tokens may have been removed by an earlier filter; they stay removed. Ties at the threshold are not tested.
    """
    ### BEGIN SOLUTION
    probabilities = logits.softmax(-1)
    return torch.where(probabilities >= min_p * probabilities.max(), logits, -torch.inf)
    ### END SOLUTION

def penalise(logits: Tensor, generated: list[int], repetition=1.0, frequency=0.0, presence=0.0) -> Tensor:
    """Return the logits (V,) with penalties for the tokens that were generated already (a list of ids, or none)."""
    ### BEGIN SOLUTION
    counts = torch.bincount(torch.tensor(generated, dtype=torch.long), minlength=len(logits)).to(logits.device)
    seen = counts > 0
    weakened = torch.where(logits > 0, logits / repetition, logits * repetition)
    return torch.where(seen, weakened, logits) - frequency * counts - presence * seen
    ### END SOLUTION

def draw_token(logits: Tensor, u: float) -> int:
    """Return the id of the token whose stretch of [0, 1) contains u, for logits (V,); an int or a tensor of one number.

    - A removed token (logit -inf, probability 0) is never drawn, whatever u.
    - Where rounding leaves the last sum below u, the draw is the last token with a probability above 0.
    """
    ### BEGIN SOLUTION
    sums = logits.double().softmax(-1).cumsum(-1)
    return int((sums / sums[-1] <= u).sum())
    ### END SOLUTION

# %% check="choose" points=5

# %% [markdown]
# **The order matters.** The next cell applies the same two steps, temperature 2 and top-p 0.8, in both orders. If
# temperature comes first, the distribution is flatter, and top-p admits more of its tail.

# %% show exact=true
EXAMPLE = torch.tensor([0.45, 0.25, 0.15, 0.08, 0.04, 0.02, 0.01]).log()
steps = {
    "as it is": EXAMPLE,
    "top-k 3": keep_top_k(EXAMPLE, 3),
    "top-p 0.9": keep_top_p(EXAMPLE, 0.9),
    "min-p 0.05": torch.as_tensor(keep_min_p(EXAMPLE, 0.05)),
    "T = 2, then top-p 0.8": keep_top_p(apply_temperature(EXAMPLE, 2.0), 0.8),
    "top-p 0.8, then T = 2": apply_temperature(keep_top_p(EXAMPLE, 0.8), 2.0),
}
for name, logits in steps.items():
    print(f"{name:<24}", "  ".join(f"{p:.3f}" if p > 0 else "  -  " for p in logits.softmax(-1).tolist()))

# %% [markdown]
# You can choose one token now; a text takes hundreds of them, and then speed begins to matter.
#
# ## Exercise 11: the key-value cache (`kv-cache`)
#
# 22 minutes, ★★★, 6 points
#
# To write token 257, a GPT looks at the 256 tokens before it. Their keys and values were computed when they were
# written, and since no token looks ahead, they have not changed. So keep them. With a **cache**, a step computes the
# queries, keys and values of the *new* tokens alone.
#
# ![The cache holds three tokens' keys and values; the new token adds its own and looks at all four](figures/cache.svg)
#
# Your function does this for one layer. There may be several new tokens, as in a prompt: then each sees the whole cache
# and, among the new tokens, itself and those before it. Beware of `is_causal=True`: with more keys than queries, the
# diagonal of the library's mask begins at the *upper left*, so that the first new token would see the first key alone.
#
# <details><summary>Plan</summary>Compute queries, keys and values of the new tokens alone, and split each into heads,
# (B, H, n, d_k). Append the new keys and values to the cached ones, so that you have T + n of each. Let each of the n
# queries look as far as its own position in the whole text. Join the heads, apply the output layer, and return the
# result together with the longer keys and values.</details>
# <details><summary>Hint</summary><code>torch.cat([old, new], dim=2)</code> appends tokens, which are the third axis;
# <code>torch.ones(n, T + n, dtype=torch.bool).tril(T)</code> shifts the diagonal by T.</details>

# %% exercise="kv-cache"
def cached_attention(x: Tensor, cache: tuple[Tensor, Tensor] | None, p: dict, num_heads: int) -> tuple[Tensor, tuple]:
    """Return (output for the new tokens x (B, n, C), the cache with their keys and values appended).

    cache: a pair (keys, values), (B, H, T, d_k) each, or None at first; not changed. The new pair has T + n tokens.
    p: in_proj_weight (3C, C), with the rows for queries, keys and values one below the other, in_proj_bias,
        out_proj.weight, out_proj.bias (as in nn.MultiheadAttention).
    """
    ### BEGIN SOLUTION
    parts = F.linear(x, p["in_proj_weight"], p["in_proj_bias"]).chunk(3, dim=-1)
    query, key, value = (v.unflatten(-1, (num_heads, -1)).transpose(1, 2) for v in parts)  # (B, H, n, d_k)
    if cache is not None:
        key, value = torch.cat([cache[0], key], dim=2), torch.cat([cache[1], value], dim=2)
    n, length = query.shape[2], key.shape[2]
    seen = torch.ones(n, length, dtype=torch.bool, device=x.device).tril(length - n) if n > 1 else None
    z = F.scaled_dot_product_attention(query, key, value, attn_mask=seen)
    return F.linear(z.transpose(1, 2).flatten(2), p["out_proj.weight"], p["out_proj.bias"]), (key, value)
    ### END SOLUTION

# %% check="kv-cache" points=6

# %% [markdown]
# ## Exercise 12: write, with the cache (`generate`)
#
# 24 minutes, ★★, 6 points
#
# Your cache serves one layer. A model has a cache for each block, and a short loop writes the text: read the prompt,
# choose a token, send *that token alone* through the model, choose the next. You write two functions for this.
#
# `cached_logits` does what your `gpt_logits` does, but for new tokens that follow those in the caches. Two things
# differ: its attention is `cached_attention`, and the new tokens' **positions go on where the cache ends**: with four
# tokens in the cache the next one has position 4. It is tempting to begin at 0 again; the text then falls apart, and no
# error message tells you why.
#
# `generate` is the loop. It passes each token to the model once: first the prompt, preferably in one call, then one
# token per step. By hand, with the prompt [7, 3] and two new tokens: it sends [7, 3] and chooses 5, sends [5] and
# chooses 2, and returns [7, 3, 5, 2].
#
# <details><summary>Plan</summary><code>cached_logits</code> sees from a cache's length how many tokens came before,
# looks up both embeddings, goes through the blocks (two norms, two additions, as in <code>encoder_block</code> with
# norm_first), collects the longer caches, and turns only the last token's vector into logits. <code>generate</code>
# begins with empty caches and with the whole prompt as the new tokens; each round calls <code>cached_logits</code>,
# lets <code>choose</code> pick an id, and goes on with that id alone.</details>
# <details><summary>Hint</summary><code>cache[0].shape[2]</code> is the number of tokens in a cache;
# <code>dict(model.named_parameters())</code> is <code>p</code>; <code>part(part(p, "blocks.0."), "self_attn.")</code>
# is the <code>p</code> that <code>cached_attention</code> needs for block 0.</details>

# %% exercise="generate"
def cached_logits(token_ids: Tensor, caches: list, p: dict, num_heads: int) -> tuple[Tensor, list]:
    """Return (the logits (B, V) after the last of the new token_ids (B, n), the list of caches with the new tokens).

    caches: for each block None at first, else the pair that the previous call returned; neither list nor pairs change.
    p: the weights of a GPT, as in gpt_logits.
    """
    ### BEGIN SOLUTION
    done = 0 if caches[0] is None else caches[0][0].shape[2]
    x = p["token_embedding.weight"][token_ids] + p["position_embedding.weight"][done : done + token_ids.shape[1]]
    longer = []
    for i, cache in enumerate(caches):
        q = part(p, f"blocks.{i}.")
        h = layer_norm(x, q["norm1.weight"], q["norm1.bias"])
        h, cache = cached_attention(h, cache, part(q, "self_attn."), num_heads)
        longer.append(cache)
        x = x + h  # (B, n, C)
        h = layer_norm(x, q["norm2.weight"], q["norm2.bias"])
        x = x + feed_forward(h, q["linear1.weight"], q["linear1.bias"], q["linear2.weight"], q["linear2.bias"])
    last = layer_norm(x[:, -1], p["final_norm.weight"], p["final_norm.bias"])
    return F.linear(last, p["token_embedding.weight"]), longer
    ### END SOLUTION

def generate(model: nn.Module, prompt: list[int], choose, max_new_tokens: int, end: int | None = None) -> list[int]:
    """Return the prompt (at least one id) and the ids that the model writes after it, in one list.

    model: a GPT, with the attributes blocks, num_heads and context_length.
    choose: choose(logits (V,), ids) returns the next id; ids are all ids so far, including those of the prompt.
    - At most max_new_tokens are written, and prompt and new ids together are at most model.context_length.
    - If the id `end` is chosen, it is kept, and nothing follows it. (Within the prompt it means nothing.)
    - No gradients are kept, and each token goes through the model once.
    """
    ### BEGIN SOLUTION
    p, caches = dict(model.named_parameters()), [None] * len(model.blocks)
    ids, new = list(prompt), list(prompt)
    with torch.no_grad():
        for _ in range(min(max_new_tokens, model.context_length - len(prompt))):
            logits, caches = cached_logits(torch.tensor([new]), caches, p, model.num_heads)
            new = [int(choose(logits[0], ids))]
            ids = ids + new
            if new[0] == end:
                break
    return ids
    ### END SOLUTION

# %% given
# The check looks at what your loop writes with a small GPT, and at how much work that takes.
def written(*run) -> dict:
    return writing.written(generate, *run)

# %% check="generate" points=6

# %% [markdown]
# And now comes the page of Shakespeare that you were promised. The model sees 64 tokens at once; when these are used
# up, the second half of them becomes the prompt of the next call.

# %% show
MAX_TOKENS = 600  ### small: 20

def drawn(changed):
    """Return how to choose: the logits are changed, then one token is drawn."""
    numbers = np.random.default_rng(SEED)
    return lambda logits, ids: draw_token(changed(logits), numbers.random())

for when, model, most in (("before training", GPT(**SIZES), MAX_TOKENS // 20), ("after it", gpt, MAX_TOKENS)):
    choose = drawn(lambda logits: keep_top_p(apply_temperature(logits, 0.8), 0.95))
    print(f"[{when}]", plays.page(model, generate, "ROMEO:\n", choose, most), "", sep="\n")

# %% [markdown]
# The speakers' names, the line breaks, most of the words: the model learned all of these just by predicting next
# tokens. Lines that make sense together take much larger models.
#
# How much time does the cache save? Here the model is *docs-gpt*, your forward pass with a larger set of weights. It
# continues one prompt greedily, once by computing everything again for each token and once with your `generate`; the
# logits must agree.

# %% show
MAX_TOKENS = 200  ### small: 16
reference = model_of(artifacts.load("docs-gpt", own=False), GPT)
prompt = tokenizer.encode("Read a CSV file", add_special_tokens=False).ids
print(writing.cache_gain(reference, generate, prompt, MAX_TOKENS, END))

# %% [markdown]
# Servers go one step further. Many requests begin with the same instructions, so the cache of that beginning is
# computed once and shared (*prefix caching*). It can be used only as far as two texts agree token for token, since from
# the second block on every key and value depends on all the tokens before it.
#
# The next cell continues one prompt in five ways, two of which are new. A model of 3.4 million weights writes text that
# has the form of a docstring but makes little sense, so watch only how the tokens are chosen. Which way repeats itself,
# and which loses the thread?

# %% show
MAX_TOKENS = 50  ### small: 8
ways = {
    "greedy": lambda logits, ids: logits.argmax(),
    "greedy, repetition 1.3": lambda logits, ids: torch.as_tensor(penalise(logits, ids, 1.3)).argmax(),
    "temperature 1.5": drawn(lambda logits: apply_temperature(logits, 1.5)),
    "top-p 0.9": drawn(lambda logits: keep_top_p(logits, 0.9)),
    "temperature 1.5, min-p 0.1": drawn(lambda z: apply_temperature(torch.as_tensor(keep_min_p(z, 0.1)), 1.5)),
}
for name, choose in ways.items():
    text, different = writing.sample(reference, generate, tokenizer, prompt, choose, MAX_TOKENS, END)
    print(f"[{name}; {different:.0%} different tokens]\n{text}\n")

# %% [markdown]
# ### GPT-2 in your GPT
#
# Your GPT *is* GPT-2, up to the names of its weights. OpenAI called the embeddings `wte` and `wpe`, the blocks `h`, the
# layers `c_attn`, `c_fc` and `c_proj`, and stored the layers' matrices in the shape (in, out). With a map of names your
# class can load the published weights; if its logits match those of transformers, your forward pass is right. One thing
# differs: GPT-2 approximates GELU by a formula with tanh, so with the exact GELU the last digits differ.
#
# By default, the cell uses a tiny GPT-2 that transformers builds with random weights. With `DOWNLOAD = True` it fetches
# GPT-2 small (548 MB, from the Hugging Face hub, once), and lets it write with your `generate`.

# %% show
DOWNLOAD = False
NAMES = {
    "wte": "token_embedding", "wpe": "position_embedding", "ln_f": "final_norm", "h.": "blocks.",
    ".ln_1": ".norm1", ".ln_2": ".norm2", "attn.c_attn.": "self_attn.in_proj_", "attn.c_proj": "self_attn.out_proj",
    "mlp.c_fc": "linear1", "mlp.c_proj": "linear2",
}
print(gpt2.told(GPT, NAMES, generate, DOWNLOAD))

# %% [markdown]
# ## Today's block
#
# If you open the code of one of today's models, you will recognise GPT-2's block. Four of its lines have changed; you
# know two of the changes from chapter 04:
#
# | GPT-2 (2019) | today | the line that changes |
# |---|---|---|
# | LayerNorm | **RMSNorm** | `x * torch.rsqrt((x**2).mean(-1, keepdim=True) + eps) * weight` |
# | GELU, $4C$ wide | **SwiGLU** | `w2(F.silu(w1(x)) * w3(x))`, $8C/3$ wide |
# | a table of positions | **rotary** | `query, key = rotate(query), rotate(key)` |
# | a key for each query | **grouped-query** | `key.repeat_interleave(num_heads // kv_heads, dim=1)` |
#
# [RMSNorm](https://arxiv.org/abs/1910.07467) (Zhang and Sennrich 2019) needs no mean and no offset;
# [SwiGLU](https://arxiv.org/abs/2002.05202) (Shazeer 2020) learns its gate and, at this width, has as many weights as
# before; [rotary](https://arxiv.org/abs/2104.09864) positions (Su and others 2021) encode distances, and need no table
# of limited length; [grouped queries](https://arxiv.org/abs/2305.13245) (Ainslie and others 2023) shrink the cache.
#
# The next cell makes these changes one by one, each on top of the last, in a model as large as your GPT.

# %% show
STEPS = 40  ### small: 2
print(today.table(mistakes.Characters(plays.read[:200_000]), STEPS))

# %% [markdown]
# Which change helped here? The evidence for these changes comes from far larger models, and a smaller cache does not
# show in a loss. This table lists which models use which line:
#
# | model | norm | feed-forward | positions | heads of queries / keys | source |
# |---|---|---|---|---|---|
# | GPT-2 small, 2019 | LayerNorm | GELU | table | 12 / 12 | Radford and others |
# | Llama 3 8B, 2024 | RMSNorm | SwiGLU | rotary | 32 / 8 | [arXiv](https://arxiv.org/abs/2407.21783) |
# | OLMo 2 7B, 2025 | RMSNorm, after sublayers | SwiGLU | rotary | 32 / 32 | [arXiv](https://arxiv.org/abs/2501.00656) |
# | gpt-oss-20b, 2025 | RMSNorm | SwiGLU, in 32 experts | rotary | 64 / 8 | [arXiv](https://arxiv.org/abs/2508.10925) |
#
# Qwen3.5, from 2026, still has all four of today's lines in its attention layers: `transformers.models.qwen3_5` has the
# code.
#
# ## The encoder-decoder: read one text, write another
#
# A translator needs both machines: one reads the whole source, the other writes the target token by token. What
# connects them is **cross-attention**: attention with queries from the decoder, and keys and values from the encoder's
# output, the *memory*. It is an additional sublayer of the decoder's layer, between self-attention and the feed-forward
# network.
#
# ![Two encoder blocks read "3 Feb 2015" into a memory of ten vectors; both decoder layers look at it with
# cross-attention, and write "2015-0"](figures/stacks.svg)
#
# ## Exercise 13: cross-attention (`decoder-layer`)
#
# 15 minutes, ★★, 5 points
#
# ![The encoder reads "3 Feb 2015" into a memory; the decoder's queries look at it to write "0"](figures/cross.svg)
#
# The layer is post-norm, as in 2017; its self-attention is causal, its cross-attention is not, since the whole source
# may be read:
#
# $$u = \mathrm{LN}_1(y + \mathrm{SelfAtt}(y)), \qquad v = \mathrm{LN}_2(u + \mathrm{CrossAtt}(u, m)), \qquad
# z = \mathrm{LN}_3(v + \mathrm{FF}(v))$$
#
# <details><summary>Plan</summary>You have the post-norm block; here three sublayers follow one another instead of two.
# The first lets y look at itself, but never ahead. The second takes its queries from what the first returned, and its
# keys and values from <code>memory</code>, (B, S, C). The third is the feed-forward network that you know. Each
# sublayer adds its input, has a norm of its own, and returns (B, T, C).</details>
# <details><summary>Hint</summary><code>attention(u, memory, p, "multihead_attn", num_heads, memory_mask)</code>; for
# self-attention the imported <code>attention</code> has <code>is_causal=True</code>.</details>

# %% exercise="decoder-layer"
def decoder_layer(y: Tensor, memory: Tensor, p: dict, num_heads: int, memory_mask: Tensor | None = None) -> Tensor:
    """Return one decoder layer applied to y (B, T, C), looking at memory (B, S, C); shape (B, T, C).

    p: the weights, under the names of nn.TransformerDecoderLayer: attention's begin with "self_attn" and
        "multihead_attn"; linear1, linear2, norm1, norm2, norm3 (the layer is that class with activation="gelu" and no
        dropout).
    memory_mask: for the cross-attention: booleans that broadcast to (B, H, T, S), True where a query may look, or None.
    """
    ### BEGIN SOLUTION
    def norm(v, i):
        return F.layer_norm(v, v.shape[-1:], p[f"norm{i}.weight"], p[f"norm{i}.bias"])

    u = norm(y + attention(y, y, p, "self_attn", num_heads, is_causal=True), 1)
    v = norm(u + attention(u, memory, p, "multihead_attn", num_heads, memory_mask), 2)
    hidden = F.gelu(F.linear(v, p["linear1.weight"], p["linear1.bias"]))  # (B, T, F)
    return norm(v + F.linear(hidden, p["linear2.weight"], p["linear2.bias"]), 3)
    ### END SOLUTION

# %% check="decoder-layer" points=5

# %% [markdown]
# Chapter 03 translated dates with an LSTM, and chapter 04 added attention. Here no recurrence is left: an encoder made
# of your blocks reads the characters of a date, and a decoder made of your layers writes its ISO form; the model learns
# by *teacher forcing*.

# %% show
LEARNED = 12_000  ### small: 200
UNSEEN = 300  ### small: 20
STEPS = 340  ### small: 5; gpu: 2000
dates = iso_dates.DateCharacters.sample(LEARNED, UNSEEN, seed=SEED)
seed_everything(SEED)
translator = Translator(len(dates.signs), 64, 2, 4, encoder_block, decoder_layer)
history = fit(translator, dates.batch, lambda model, pair: next_token_loss(model(*pair), pair[1]), steps=STEPS, lr=2e-3)
print(f"{sum(p.numel() for p in translator.parameters()):,} parameters; {history}")
print(dates.report(translator))

# %% [markdown]
# ## Exercise 14: beam search (`beam`)
#
# 25 minutes, ★★★, 5 points
#
# The tokens of a story should be drawn at random; for a translation one looks for a *likely* text, though not
# necessarily the likeliest: with many models that one is too short (Stahlberg and Byrne
# [2019](https://arxiv.org/abs/1908.10092)). The likeliest first token need not begin a likely text. **Beam search**
# keeps several beginnings alive.
#
# ![A tree: greedy follows token 0 to a text of 0.20; with width 2 the beginning 1 leads to 0.36](figures/beam.svg)
#
# By hand: the first token has the probabilities (.5, .4, .1), the token after 0 has (.3, .3, .4), and the token after 1
# has (.05, .05, .9); token 2 is the end. Greedy search takes 0, then 2, with probability .5 · .4 = .20. With width 2,
# beam search finds the text 1, 2 with .4 · .9 = .36.
#
# A text's score is the sum of its log-probabilities. Begin with the empty text alone, then:
#
# 1. Extend *every* live text by *every* token; of all these together keep the `width` with the highest scores.
# 2. Those that end with the token `end` are complete: set them aside. They count among the `width` of this round, but
#    not of later rounds. The others are live.
# 3. Go back to 1 until no text is live or `max_length` rounds are done; any text still live then counts as complete.
# 4. Of all complete texts return the one with the highest score $/\,\text{length}^{\alpha}$, as a list of ids; the
#    length includes the end token. A larger $\alpha$ favours longer texts, which a sum of logarithms penalises.
#
# With `width` 1 this is greedy search; with a width so large that nothing is thrown away, it finds the best text of
# all.
#
# <details><summary>Plan</summary>Keep two lists, one of live texts and one of complete ones, and store each text with
# its score. A round makes every extension of every live text, ranks all of them together, cuts the list to
# <code>width</code>, and sorts the survivors into the two lists. Divide by the length only once, at the very end, when
# you choose among all complete texts and any that are still live.</details>
# <details><summary>Hint</summary>A text is a pair (list of ids, score); keep two lists of pairs, live and complete.
# <code>sorted(candidates, key=lambda c: -c[1])[:width]</code> prunes.</details>

# %% exercise="beam"
def beam_search(log_probs, width: int, max_length: int, end: int, alpha: float = 0.0) -> list[int]:
    """Return the ids of the best text that beam search finds.

    log_probs: takes a list of ids, at first empty; returns the next token's log-probabilities (V,). Ties: not tested.
    """
    ### BEGIN SOLUTION
    live, complete = [([], 0.0)], []
    for _ in range(max_length):
        candidates = [
            (ids + [token], score + step) for ids, score in live for token, step in enumerate(log_probs(ids).tolist())
        ]
        best = sorted(candidates, key=lambda c: -c[1])[:width]
        complete += [c for c in best if c[0][-1] == end]
        live = [c for c in best if c[0][-1] != end]
        if not live:
            break
    return max(complete + live, key=lambda c: c[1] / len(c[0]) ** alpha)[0]
    ### END SOLUTION

# %% check="beam" points=5

# %% [markdown]
# Now try it on a real model. Which of the two texts is likelier?

# %% show
MAX_TOKENS = 10  ### small: 3
log_probs = partial(writing.log_probs, reference)
beginning = tokenizer.encode("Return the", add_special_tokens=False).ids
for width in (1, 4):
    ids = [int(i) for i in beam_search(lambda ids: log_probs(beginning + ids), width, MAX_TOKENS, END)]
    total = sum(log_probs(beginning + ids[:i])[token].item() for i, token in enumerate(ids))
    print(f"beam {width}: log-probability {total:6.2f}  {tokenizer.decode(beginning + ids)!r}")

# %% [markdown]
# ## When it does not learn
#
# **First of all, overfit one batch.** A model that cannot learn sixteen lines by heart has a bug; a sound one reaches a
# loss below 0.1. Then read the loss curve. Of the following six runs of one small model, five have a mistake. Try to
# tell from the curves which ones.

# %% show
BY_HEART = 200  ### small: 2
STEPS = 80  ### small: 2
characters = mistakes.Characters(docs_text[:200_000])
print(f"one batch, again and again: {mistakes.train_small(GPT, characters, gpt_loss, 3e-3, BY_HEART, one_batch=True)}")
curves = mistakes.six_runs(GPT, characters, gpt_loss, encoder_block, STEPS)
plots.show(*plots.learning_curves(curves))
for name, losses in curves.items():
    print(f"{name:<18} begins {losses[0]:.2f}, ends {np.mean(losses[-10:]):.2f}")

# %% [markdown]
# One of the five mistakes stays hidden: without the causal mask the curve follows the sound one, since in so few
# steps this model hardly learns to use what it sees ahead. No curve shows this mistake, but a test does, before any
# training: when the last character changes, no earlier logits may change.

# %% show
for name, kind in {"as it should be": GPT, "no causal mask": mistakes.without_mask(encoder_block)}.items():
    print(f"{name:<18} earlier logits move by {mistakes.looked_ahead(kind):.1e}")

# %% [markdown]
# ## Essay 2: read the curves, choose the steps
#
# 15 minutes, ★★, 10 points, graded by hand
#
# (a) Four of the five faulty runs can be recognised by their curves: by which feature would you know each without the
# legend? Which run looks *better* than the sound one, which cannot be recognised at all, and which test would expose
# each of these two before any training? (b) A colleague applies temperature 1.5, then top-p 0.9, and complains of
# nonsense; another applies top-p first and has no complaints. Explain this with the numbers of the table above. Which
# single filter would you choose where the model's certainty varies much, and why? Write about 180 words.

# %% [markdown] essay="curves" points=10
# ### BEGIN SOLUTION
# (a) A rate that is too low gives a smooth line that hardly leaves its start; with one that is too high the loss jumps,
# then crawls near the loss of letter frequencies, above 3. With shuffled targets the loss falls to that level and stays
# there. Without the shift it falls to almost nothing, far below the sound run, because the model only copies its input.
# Without the mask the curve follows the sound one and cannot be recognised. A test for the mask: change the last
# token, and no earlier logits may change. A test for the shift: logits made by hand that predict the next token must
# have a loss near 0, and logits that predict the token itself must not. (b) If temperature 1.5 comes first, it lifts
# the tail, so the nucleus takes in tokens that had almost no chance: in the table, T = 2 before top-p 0.8 keeps four
# tokens, but only three after it. I would take min-p: its threshold moves with the likeliest token, so it keeps few
# tokens where the model is sure and many where it is not, while top-k always keeps the same number.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 4 points: each faulty curve is recognised by a feature of its own (slope, jump, height of a plateau, too low a loss).
# 2 points: names the run that looks too good and the hidden one; a test exposes each of them without training.
# 4 points: explains the order with the table's numbers; names a filter that adapts, and says how its threshold moves.
# ### END MARK SCHEME

# %% [markdown]
# ## Further: two things to try, neither of them graded
#
# Set `TRY` in the cell below to the name of one of them. (Training runs that exceed a laptop's memory are the subject
# of [chapter 12](../12_training/12_training.ipynb): smaller batches, 16 bits, checkpoints, several machines.)
#
# <details><summary>A race of optimisers (<code>race</code>)</summary>
#
# A small character-level GPT is trained three times from the same initial weights and on the same batches: with
# gradient descent, with your AdamW and with torch's AdamW. The last line says how far apart your weights and torch's
# end up.
#
# </details>
# <details><summary>Captions from English to German (<code>captions</code>)</summary>
#
# Multi30k (Elliott and others [2016](https://arxiv.org/abs/1605.00459)) has 29,000 captions in both languages; its
# licence does not let us ship it, so you need a network connection. The 700 training steps take ten minutes on one
# core; then your beam search translates six captions, some of them well (*Fünf Personen in Winterkleidung und mit Helm
# stehen im Schnee*); a Boston terrier becomes *ein Pararari*.
#
# </details>

# %% show
from helpers.chapters.transformers import captions, optimisers
TRY = "nothing"  # or "race", "captions"
further = {
    "nothing": lambda: "Set TRY to one of the two.",
    "race": lambda: optimisers.race(GPT, characters, gpt_loss, adamw_step, 100),
    "captions": lambda: captions.told(700, encoder_block, decoder_layer, beam_search, SEED),
}
print(further[TRY]())

# %% [markdown]
# ## The leaderboard: your two encoders on both benchmarks
#
# The models of this chapter are in colour, the best of each other chapter in grey.

# %% show
benchmarks.show("05")

# %% [markdown] text="quiz"

# %% [markdown]
# ## What you built, and what breaks next
#
# You built the block, the GPT, the decoder layer and AdamW, each equal to the library's; the loop that trained the GPT,
# and the one that writes with a cache; and an encoder that learned from holes. You also learned to see from a loss
# curve what is wrong. **Saved:** your rows of the leaderboard. (Later chapters use *docs-gpt*, not your GPT of the
# plays.) What breaks next: the tokenizer was simply given to us. [Chapter 06](../06_tokenizers/06_tokenizers.ipynb)
# builds one from bytes, and counts which languages pay for it.

# %% [markdown] text="further"
