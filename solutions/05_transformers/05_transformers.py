# %% [markdown]
# # 05 Transformers: blocks, BERT, GPT, translation
#
# **What you will build.** The transformer, whole: layer normalisation, the feed-forward network, the block; an encoder
# that learns from masked text and is then taught to classify, to tag and to find answers; a GPT that reads Shakespeare
# and writes plays of its own, with every usual way to choose the next token; and an encoder-decoder that translates
# dates.
#
# **What you need.** Attention as [chapter 04](../04_attention/04_attention.ipynb) builds it (here it is the library's,
# `F.scaled_dot_product_attention`), cross-entropy and perplexity from [chapter 03](../03_rnns/03_rnns.ipynb), the
# artifact *docs-tokenizer*.
#
# **Points.** 100: fourteen exercises checked by machine (80) and two short essays (20). Allow about six hours. The
# whole notebook, once written, runs in about three minutes on two cores.
#
# **Notation.** $B$ texts of $T$ tokens, each token a row of $C$ (`d_model`) numbers; $H$ heads of $d_k = C / H$; $V$
# tokens in the vocabulary. `nn.Linear` holds its matrix as (out, in), so a layer computes $x W^\top + b$, which is
# `F.linear(x, W, b)`.

# %% given
import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from helpers import data, plots
from helpers.course import SEED, artifacts, benchmarks, notebook, seed_everything
from helpers.experiments.transformers import costs, depth, finetuning, inbox_tasks, inside_gpt, iso_dates
from helpers.experiments.transformers import masked_pretraining, mistakes, writing
from helpers.experiments.transformers.plays import Plays
from helpers.models.functional import attention, part
from helpers.training import fit

notebook.prepare("05_transformers")

# %% [markdown]
# ## Deep stacks and how they break
#
# Attention mixes tokens. To compute something hard, we stack it: attention, then a small network for each token, again
# and again. GPT-3 stacks 96 such blocks. A plain stack of that depth cannot be trained: on its way through the layers
# the signal, and on the way back the gradient, shrinks to nothing or grows without bound. Two devices keep both alive:
# *normalisation*, which gives each token's vector the same size again, and *residual connections*, which give the
# gradient a straight way through. We build both, then measure what each of them does.
#
# ## Exercise 1: layer normalisation (`layer-norm`)
#
# 12 minutes, ★, 5 points
#
# For *each token by itself*, the $C$ numbers are brought to mean 0 and variance 1, then scaled and moved by two
# learned vectors, the gain $\gamma$ (`weight`) and the offset $\beta$ (`bias`), both of shape $(C,)$:
#
# $$y = \frac{x - \mathrm{E}[x]}{\sqrt{\mathrm{Var}[x] + \epsilon}} \odot \gamma + \beta$$
#
# The mean and the variance are over the last axis; the variance divides by $C$, not by $C - 1$. A slide says that the
# norm goes "across all the N input samples". That is batch normalisation; here no token knows of any other.
#
# By hand: (1, 2, 3, 4) has mean 2.5 and variance 1.25, so with $\epsilon$ near 0 it becomes (-1.342, -0.447, 0.447,
# 1.342).
#
# Your function takes a tensor with any number of axes before the last, and returns a new one of the same shape and
# dtype (= `nn.LayerNorm`). Write it from means and roots; the check compares with the library's. Models learn through
# it, so autograd must find its way back from the result to `x`: no `detach`, no `no_grad`, no `.item()`, no NumPy.
#
# <details><summary>Hint 1</summary><code>dim=-1, keepdim=True</code> keeps an axis of size 1, so that the result
# can be subtracted from <code>x</code>.</details>
# <details><summary>Hint 2</summary><code>Tensor.var</code> divides by C - 1 unless it is told
# <code>correction=0</code>.</details>

# %% exercise="layer-norm"
def layer_norm(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, eps: float = 1e-5) -> torch.Tensor:
    """Return x (..., C), each row of the last axis normalised, times weight (C,), plus bias (C,)."""
    ### BEGIN SOLUTION
    mean = x.mean(dim=-1, keepdim=True)
    variance = ((x - mean) ** 2).mean(dim=-1, keepdim=True)
    return (x - mean) / torch.sqrt(variance + eps) * weight + bias
    ### END SOLUTION

# %% check="layer-norm" points=5

# %% [markdown]
# ## Exercise 2: the feed-forward network (`feed-forward`)
#
# 10 minutes, ★, 4 points
#
# After attention has brought together what a token needs, a network of two layers works on each token alone:
#
# $$\mathrm{FF}(x) = \mathrm{GELU}(x W_1^\top + b_1)\, W_2^\top + b_2, \qquad \mathrm{GELU}(z) = z \cdot \Phi(z)
# = \frac{z}{2}\Big(1 + \mathrm{erf}\frac{z}{\sqrt 2}\Big)$$
#
# $\Phi$ is the share of a standard normal variable that lies below $z$: large inputs pass, very negative ones are
# stopped, and between them the gate opens smoothly (`torch.erf`). The middle is wider than the ends, usually four
# times: $C \to 4C \to C$. (A slide writes "$D \to D$, then $4D \to D$": that does not fit together.)
#
# By hand: $\Phi(1) = 0.8413$, so GELU(1) = 0.8413 and GELU(-1) = $-1 \cdot 0.1587$ = -0.1587.
#
# Write the exact form (= `F.gelu`), not the approximation with tanh, which differs in the fourth digit. `w1` has the
# shape $(F, C)$ and `w2` $(C, F)$, as `nn.Linear` keeps them. Both functions return new tensors of the shape and the
# dtype of their input, and float64 is computed with the precision of float64 ($\sqrt 2$ is `math.sqrt(2)`, not 1.414).
# A large number stays as it is, and a very negative one becomes 0.
#
# <details><summary>Hint 1</summary><code>F.linear(x, w1, b1)</code> is <code>x @ w1.T + b1</code>.</details>

# %% exercise="feed-forward"
def gelu(z: torch.Tensor) -> torch.Tensor:
    """Return GELU of each number of z, any shape, by the error function."""
    ### BEGIN SOLUTION
    return 0.5 * z * (1 + torch.erf(z / math.sqrt(2)))
    ### END SOLUTION


def feed_forward(
    x: torch.Tensor, w1: torch.Tensor, b1: torch.Tensor, w2: torch.Tensor, b2: torch.Tensor
) -> torch.Tensor:
    """Return linear, GELU, linear of x (..., C); w1 (F, C), b1 (F,), w2 (C, F), b2 (C,)."""
    ### BEGIN SOLUTION
    return F.linear(gelu(F.linear(x, w1, b1)), w2, b2)
    ### END SOLUTION

# %% check="feed-forward" points=4

# %% [markdown]
# ## Exercise 3: the block (`block`)
#
# 20 minutes, ★★, 7 points
#
# A **residual connection** adds what a sublayer computes to what came in: $x + f(x)$. The block has two sublayers,
# attention and feed-forward, and each gets a norm. *Where* the norm stands has changed over the years:
#
# | post-norm (the paper of 2017, BERT) | pre-norm (GPT-2 and nearly all since) |
# |---|---|
# | $y = \mathrm{LN}_1(x + \mathrm{Att}(x))$ | $y = x + \mathrm{Att}(\mathrm{LN}_1(x))$ |
# | $z = \mathrm{LN}_2(y + \mathrm{FF}(y))$ | $z = y + \mathrm{FF}(\mathrm{LN}_2(y))$ |
#
# In the pre-norm block $x$ reaches the output untouched, through additions alone.
#
# `attention(x, memory, p, name, num_heads, mask)` is imported above (`attention??` shows it); in an encoder the memory
# is what looks at it too.
# The weights of one block lie in a dict `p` under the names of `nn.TransformerEncoderLayer`: those of attention behind
# `"self_attn"`; `linear1.weight` $(F, C)$ and `linear2.weight` $(C, F)$; `norm1` and `norm2`; each with its `.bias`.
# (= `nn.TransformerEncoderLayer` with `activation="gelu"` and no dropout.)
#
# For norm and GELU take your own functions, or `F.layer_norm(v, v.shape[-1:], weight, bias)` and `F.gelu`, which your
# checks have shown to be equal. Theirs pass over the numbers once where yours do it several times: the GPT below
# trains faster with them, and the solution takes them here and in exercises 7 and 9.
#
# The mask goes to the attention as it comes: booleans that fit $(B, H, T, T)$, True where a query may look, or None.
#
# <details><summary>Hint 1</summary>Write two small functions inside: one for the norm number i, one for each
# sublayer.</details>
# <details><summary>Hint 2</summary><code>attention(h, h, p, "self_attn", num_heads, mask)</code>, where <code>h</code>
# is <code>x</code> or its norm.</details>

# %% exercise="block"
def encoder_block(
    x: torch.Tensor, p: dict, num_heads: int, norm_first: bool = False, mask: torch.Tensor | None = None
) -> torch.Tensor:
    """Return one transformer block applied to x (B, T, C), shape (B, T, C); post-norm unless norm_first."""
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

# %% check="block" points=7

# %% [markdown]
# ### What each device does to depth
#
# A stack of blocks with random weights, not trained: we send random tokens through it and a gradient back. Measured
# are the size of the signal behind the last block; the size of the gradient in front of the first, where all learning
# of the first layers begins; and how *alike* the tokens have become (the mean cosine between two tokens of a text, 0
# at the start, 1 when all are the same). Five kinds of block: the two that you wrote, one without residual
# connections, one without norms, one with neither.

# %% show
from helpers.figures.depth import depth_panels

DEPTHS = [1, 2, 4, 8, 16, 32]  ### small: [1, 4, 8]

kinds = {
    "pre-norm": lambda x, p: encoder_block(x, p, 4, norm_first=True),
    "post-norm": lambda x, p: encoder_block(x, p, 4),
    "no residual": lambda x, p: depth.plain_block(x, p, 4, layer_norm, feed_forward, residual=False),
    "no norm": lambda x, p: depth.plain_block(x, p, 4, layer_norm, feed_forward, norm=False),
    "neither": lambda x, p: depth.plain_block(x, p, 4, layer_norm, feed_forward, residual=False, norm=False),
}
probed = {name: [depth.probe(block, n) for n in DEPTHS] for name, block in kinds.items()}
plots.show(*depth_panels(DEPTHS, probed))
print(f"with {DEPTHS[-1]} blocks:", *depth.at_the_end(probed), sep="\n  ")

# %% [markdown]
# With neither device the gradient is gone by powers of ten. With norms alone it is alive, but there is little left to
# learn from: attention mixes, nothing holds on to what a token was, and after a few blocks all tokens are the same.
# With residual connections alone each block adds to the pile, and signal and gradient grow faster and faster. Only the
# two together keep a deep stack in order. Of the two orders, post-norm has a norm standing *in* the straight way, and
# large models of that kind train only with a slow warm-up (Xiong et al. 2020); nearly all since GPT-2 are pre-norm.
#
# ## Exercise 4: count before you train (`parameters`)
#
# 20 minutes, ★★, 7 points
#
# How large is a model, and what does it cost? Both follow from a few numbers, before a single weight exists. Write
# four functions that return whole numbers. `d_ff`, the width of the middle, is `4 * d_model` where it is None. Every
# linear layer has a bias, and every norm a weight and a bias of $C$ numbers each.
#
# 1. `block_parameters(d_model, d_ff)`: one block: attention has four matrices $C \times C$ (queries, keys, values,
#    output), whatever the number of heads; then the feed-forward network and two norms.
# 2. `gpt_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None)`: token and position embeddings (one
#    row for each token of the vocabulary, one for each place), the blocks, one norm at the end. The output uses the
#    token embedding again (it is *tied*) and adds nothing.
# 3. `bert_parameters(vocab_size, context_length, d_model, num_layers, d_ff=None, num_segments=2)`: token, position and
#    segment embeddings, a norm on their sum, the blocks, no norm at the end, and a *pooler*: one linear layer $C \to
#    C$ on [CLS].
# 4. `flops_per_token(vocab_size, context_length, d_model, num_layers, d_ff=None)`: the operations of a GPT's *forward*
#    pass for one token at full context. A product with a matrix of $n$ weights costs $2n$ (a multiplication and an
#    addition for each). Count the matrices of the blocks and the output ($C \times V$); then, in each block, the
#    scores against all $T$ keys ($2 T C$) and the weighted sum of $T$ values ($2 T C$). Biases, norms and softmax are
#    left out, and so is what the causal mask saves. A training step costs three times the forward pass.
#
# By hand, $C = 4$ and $F = 16$: attention $4 \cdot (16 + 4) = 80$, feed-forward $(64 + 16) + (64 + 4) = 148$, norms
# $2 \cdot 8 = 16$; together 244.
#
# The papers say 340 million for BERT-large ($V = 30{,}522$, $T = 512$, $C = 1024$, 24 blocks) and 175 billion for
# GPT-3 ($V = 50{,}257$, $T = 2048$, $C = 12{,}288$, 96 blocks). Your formula will say 335 million and 174.6 billion:
# the papers round, and "340 M" counts in the head that predicts masked words. Heads do not enter: 16 heads of 64 or 96
# of 128 have the same matrices as one.
#
# <details><summary>Hint 1</summary>A linear layer from m to n numbers has <code>m * n + n</code> parameters.</details>
# <details><summary>Hint 2</summary>GPT-2 small (V = 50,257, T = 1024, C = 768, 12 blocks) has 124,439,808.</details>

# %% exercise="parameters"
def block_parameters(d_model: int, d_ff: int) -> int:
    """Return the number of parameters of one block."""
    ### BEGIN SOLUTION
    attention_part = 4 * (d_model * d_model + d_model)
    feed_forward_part = 2 * d_model * d_ff + d_ff + d_model
    return attention_part + feed_forward_part + 2 * 2 * d_model
    ### END SOLUTION


def gpt_parameters(
    vocab_size: int, context_length: int, d_model: int, num_layers: int, d_ff: int | None = None
) -> int:
    """Return the number of parameters of a GPT with tied output."""
    ### BEGIN SOLUTION
    d_ff = 4 * d_model if d_ff is None else d_ff
    embeddings = (vocab_size + context_length) * d_model
    return embeddings + num_layers * block_parameters(d_model, d_ff) + 2 * d_model
    ### END SOLUTION


def bert_parameters(
    vocab_size: int, context_length: int, d_model: int, num_layers: int, d_ff: int | None = None, num_segments: int = 2
) -> int:
    """Return the number of parameters of a BERT encoder with its pooler."""
    ### BEGIN SOLUTION
    d_ff = 4 * d_model if d_ff is None else d_ff
    embeddings = (vocab_size + context_length + num_segments) * d_model + 2 * d_model
    return embeddings + num_layers * block_parameters(d_model, d_ff) + d_model * d_model + d_model
    ### END SOLUTION


def flops_per_token(
    vocab_size: int, context_length: int, d_model: int, num_layers: int, d_ff: int | None = None
) -> int:
    """Return the operations of a GPT's forward pass for one token at full context."""
    ### BEGIN SOLUTION
    d_ff = 4 * d_model if d_ff is None else d_ff
    in_matrices = num_layers * (4 * d_model * d_model + 2 * d_model * d_ff) + d_model * vocab_size
    return 2 * in_matrices + num_layers * 4 * context_length * d_model
    ### END SOLUTION

# %% check="parameters" points=7

# %% [markdown]
# Now the whole table, from nothing but configurations. The last column says how long one H100 (about $4 \cdot 10^{14}$
# useful operations a second) would need for the tokens that the model was trained on.

# %% show exact=true
configurations = {  # vocabulary, context, width, blocks; tokens of training
    "GPT-2 small": ((50257, 1024, 768, 12), None),
    "GPT-2 XL": ((50257, 1024, 1600, 48), None),
    "GPT-3": ((50257, 2048, 12288, 96), 300e9),
    "docs-gpt": ((8192, 256, 192, 4), None),
    "yours, of the plays": ((1024, 64, 128, 3), None),
}
print(costs.gpt_costs(configurations, gpt_parameters, flops_per_token))
for name, sizes in {"BERT-base": (30522, 512, 768, 12), "BERT-large": (30522, 512, 1024, 24)}.items():
    print(f"{name:<18}{bert_parameters(*sizes):>18,}")

# %% [markdown]
# ## The encoder: learn from text with holes
#
# An **encoder** reads a whole text at once and gives each token a vector that knows its neighbours on both sides. What
# should it learn from, without labels? From text with holes. In *masked language modelling* some tokens are hidden,
# and the model must guess them from what stands left and right.
#
# ## Exercise 5: make the holes (`masking`)
#
# 20 minutes, ★★, 6 points
#
# Each token that is not special is **chosen** with probability 15% (one of the lecture notes says "say, 50%": then too
# little is left to guess from), independently of all others. Of the *chosen* tokens
#
# - 80% are replaced by `[MASK]`,
# - 10% by a random token, any of the ids `num_special` to `vocab_size - 1` with equal probability,
# - 10% stay as they are.
#
# The last two keep the encoder honest: later, no text will hold `[MASK]`, and any token might be a wrong one. The
# **labels** are the original ids where a token was chosen, and -100 everywhere else, which is what `F.cross_entropy`
# ignores.
#
# The ids below `num_special` are special ([CLS], [SEP], padding, ...): never chosen, and never drawn as random tokens.
# All randomness comes from the `generator` you get (`torch.rand(shape, generator=generator)`). Called again, it makes
# new holes in the same text: these are the *dynamic masks* of RoBERTa, where BERT had cut each text's holes once and
# for all.
#
# Return new tensors, `(inputs, labels)`, of the shape of `token_ids`, and whole numbers (int64).
#
# <details><summary>Hint 1</summary>One tensor of random numbers u decides who is chosen; a second one decides what
# happens to the chosen.</details>
# <details><summary>Hint 2</summary><code>torch.where(condition, a, b)</code> chooses number by number;
# <code>torch.randint(low, high, shape, generator=generator)</code> never gives <code>high</code> itself.</details>

# %% exercise="masking"
def mask_tokens(
    token_ids: torch.Tensor, mask_id: int, num_special: int, vocab_size: int, generator: torch.Generator,
    share: float = 0.15,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (inputs, labels) of masked language modelling for token_ids (B, T), both (B, T) int64."""
    ### BEGIN SOLUTION
    chosen = torch.rand(token_ids.shape, generator=generator) < share
    chosen &= token_ids >= num_special
    action = torch.rand(token_ids.shape, generator=generator)
    other = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
    inputs = torch.where(chosen & (action < 0.8), mask_id, token_ids)
    inputs = torch.where(chosen & (action >= 0.8) & (action < 0.9), other, inputs)
    return inputs, torch.where(chosen, token_ids, -100)
    ### END SOLUTION

# %% check="masking" points=6

# %% [markdown]
# ### An encoder, and what it learns from
#
# BERT's encoder is a stack of your blocks over the sum of three embeddings: which token, which place, which *segment*
# (0 for the first of two texts, 1 for the second). (BERT has post-norm blocks. Ours are pre-norm, which bear a short
# training better, and its places begin as the sinusoids of chapter 04.) Every input begins with [CLS], whose last
# vector stands for the whole, and every text ends with [SEP]. `Encoder` holds the weights and calls your block; its
# output layer for masked words is tied to the token embedding, and only the holes are computed.

# %% given
from helpers.models.bert import Encoder, inbox_bert
from helpers.models.packing import END, MASK, SPECIAL, pack_texts

tokenizer = artifacts.load_tokenizer(own=False)
VOCABULARY = tokenizer.get_vocab_size()

# %% [markdown]
# **Two texts in one input.** BERT had a second task: is the second text the one that followed in the corpus, or a
# random one (*next-sentence prediction*)? RoBERTa dropped it and lost nothing; longer texts, larger batches, more data
# and holes cut anew each time were worth more. The form [CLS] a [SEP] b [SEP] stayed, and we use it below to ask
# questions.

# %% show
pairs = {"follows": "You can collect it at the desk until six.", "does not follow": "Return the mean along an axis."}
ids, segments = pack_texts(tokenizer, ["Your parcel arrived this morning."] * 2, list(pairs.values()), length=32)
holes, wanted = mask_tokens(ids, MASK, SPECIAL, VOCABULARY, torch.Generator().manual_seed(SEED))
for row, label in enumerate(pairs):
    print(f"{label}:", masked_pretraining.in_words(tokenizer, holes[row], wanted[row], segments[row]))

# %% [markdown]
# Now it reads: the inbox without its labels, and some of the docs. Only the holes teach, so with 15% of them a step of
# BERT tells far less than a step of a GPT. Three aids make less than a minute suffice. We cut 30% (Wettig et al. 2023
# found even 40% to be good). The output's bias begins as the logarithm of the tokens' frequencies, so that nobody has
# to learn how often words occur. And a small convolution hands each token its two neighbours from the beginning (as in
# ConvBERT, Jiang et al. 2020); attention finds them by itself, but only after thousands of steps.

# %% show
from functools import partial

CONTEXT = 64
CHARACTERS = 800_000  ### small: 200_000
STEPS = 400  ### small: 8; gpu: 4000
MODEL = {"vocab_size": VOCABULARY, "context_length": CONTEXT, "d_model": 96, "num_layers": 2, "num_heads": 4}

train, test = data.load("inbox").without_repeats().split(test=0.2, seed=SEED)
docs_text = data.load("docs_text").train[:CHARACTERS]
texts = masked_pretraining.MaskedTexts(tokenizer, train.texts, docs_text, CONTEXT, mask_tokens)

fresh = partial(Encoder, **MODEL, block=encoder_block)  # a call gives random weights
seed_everything(SEED)
pretrained = fresh()
history = masked_pretraining.pretrain(pretrained, texts, STEPS)
print(f"{sum(p.numel() for p in pretrained.parameters()):,} parameters; {history}")
plots.show(*history.draw())

# %% show
print(masked_pretraining.fill_in(pretrained, tokenizer, "Your parcel will be delivered[MASK] Monday."))
print(masked_pretraining.fill_in(pretrained, tokenizer, "Click the[MASK] to verify your account."))
print(masked_pretraining.fill_in(pretrained, tokenizer, "Return the shape of the input[MASK]."))

# %% [markdown]
# ## Fine-tuning: one encoder, three tasks
#
# The encoder knows something of how words go together, but no task. A small **head** turns its vectors into an answer,
# and a few labelled examples train both together:
#
# | task | head | looks at |
# |---|---|---|
# | classify: what is wanted? is it spam? | linear, $C \to$ number of classes | the mean of the tokens' vectors |
# | tag: who, where, when? | linear, $C \to$ number of tags | each token's vector |
# | answer: which span of the text? | linear, $C \to 2$: scores for *start* and *end* | each token's vector |
#
# ## Exercise 6: tags for pieces, and the best span (`heads`)
#
# 20 minutes, ★★, 6 points
#
# Two details make or break the last two tasks.
#
# **Tags belong to words, vectors to pieces of words.** `first_piece_labels(word_ids, labels)` gets for each token the
# number of its word, or None for a special token (as the library tokenizers says it), and one label for each word. The
# *first* piece of a word gets its label; all other pieces and special tokens get -100. Words may be missing (cut off,
# or without a token); those that are there come in order.
#
# By hand: the words *Hi Zeynep* in four tokens, `[None, 0, 1, 1, None]`, with labels `[3, 5]` give
# `[-100, 3, 5, -100, -100]`.
#
# **A span needs a start and an end that fit.** `best_span(start_logits, end_logits, allowed, max_length)` returns the
# pair `(start, end)`, both inclusive, with the highest sum `start_logits[start] + end_logits[end]` among all with
# `start <= end`, at most `max_length` tokens, and *every* token of the span allowed. `allowed` (T,) is False for the
# question, special tokens and padding. Ties go to the earliest start, then to the earliest end. At least one token is
# allowed. Return Python ints or tensors of one number, as you like.
#
# <details><summary>Hint 1</summary>A first piece is one whose word differs from that of the token before.</details>
# <details><summary>Hint 2</summary>For the span two loops are enough: over starts, and over ends from there until the
# length is reached or a token is not allowed.</details>

# %% exercise="heads"
def first_piece_labels(word_ids: list[int | None], labels: list[int]) -> list[int]:
    """Return a label for each token: that of its word at the first piece, else -100."""
    ### BEGIN SOLUTION
    before = [None, *word_ids]
    return [
        labels[word] if word is not None and word != last else -100
        for last, word in zip(before, word_ids, strict=False)
    ]
    ### END SOLUTION


def best_span(
    start_logits: torch.Tensor, end_logits: torch.Tensor, allowed: torch.Tensor, max_length: int
) -> tuple[int, int]:
    """Return the best valid (start, end), inclusive; start_logits, end_logits and allowed (booleans) are (T,)."""
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
# First the last two tasks, on the inbox. For each, three models with the same shape are trained on the same few
# labelled examples, for the same number of steps. One begins with random weights. One begins with those that you have
# pre-trained. And one begins with *inbox-bert*, a reference that comes with the course: it has read the inbox and the
# docs by the same recipe, but for 8,000 steps in place of 400. (Its messages were drawn one by one, so it has read
# some of the sentences of the test, without their labels; look at its column with that in mind.) Each seed draws
# other examples and another head. The questions are of the form "On which date?", asked of messages with one such
# entity.
#
# What to expect: your 400 steps are enough for tags and spans, which ask about single tokens, as the holes did: your
# encoder is ahead of its twin from scratch, and inbox-bert further ahead. And a better start is all that pre-training
# gives: with twenty times as many labels the twin comes close in the tags, or is ahead.

# %% show
from helpers.figures.finetuning import scores_by_start

SEEDS = 3  ### small: 1
STEPS = 40  ### small: 3
FEW = (32, 64)  ### small: (48, 48)

tasks = inbox_tasks.make(tokenizer, train, test, CONTEXT, first_piece_labels, best_span)
labels = dict(zip(tasks, FEW, strict=True))
starts = {"inbox-bert": inbox_bert(encoder_block), "your encoder": pretrained, "from scratch": None}
scores = finetuning.compare(tasks, fresh, starts, labels, STEPS, SEEDS)
print(finetuning.scores_table(scores, starts))
### BEGIN CLAIMS
from helpers.course.claims import claim

for task, found in scores.items():
    claim(f"{task}, {labels[task]} labels: inbox-bert above its twin from scratch", found[0], found[2])
    claim(f"{task}, {labels[task]} labels: your encoder above its twin from scratch", *found[1:])
### END CLAIMS

# %% show
MANY = 640  ### small: 96
STEPS = 60  ### small: 3

more = [finetuning.score_of(tasks["tags (F1)"], fresh, start, SEED, MANY, STEPS) for start in (pretrained, None)]
print(f"tags with {MANY} labelled examples: {more[0]:.3f} pre-trained, {more[1]:.3f} from scratch")
plots.show(*scores_by_start(scores, starts, labels))

# %% [markdown]
# Then whole texts, at the two exams of the course: spam, and the 150 intents of CLINC150. What a text is *about* is not
# asked by any one hole; the mean of all vectors comes to say it late, after many more steps than yours, and the holes
# were cut in other texts. So compare the two rows of intents before you praise pre-training: for whole texts 400 steps
# bring little or nothing. (BERT reads a class off [CLS], which its next-sentence task had taught to stand for the
# whole. Ours has no such task, so the head looks at the mean of all tokens instead; Reimers and Gurevych (2019) found
# it no worse.)

# %% show
MOST = 300  ### small: 3

for name, start in {"encoder, own pre-training": pretrained, "encoder from scratch": None}.items():
    model = finetuning.sorter(tokenizer, fresh, start, MOST)
    benchmarks.intents("05", name, model, labels=(1, 10))
    if start is not None:
        benchmarks.spam("05", name, model)

# %% [markdown]
# ## Essay 1: what did the holes teach?
#
# 15 minutes, ★★, 10 points, graded by hand
#
# Look at the table and at the guesses for [MASK]. Which task gained most from pre-training, which least, and why
# should that be so? The encoder has read the inbox's training part without labels: is that fair, and what would change
# if it had read the test part, too, or only the docs? BERT also learned to tell whether a second text follows the
# first, and cut its holes once; RoBERTa dropped the one and changed the other. From what you saw here, argue which of
# the two changes you would test first, and how. About 150 words.

# %% [markdown] essay="holes" points=10
# ### BEGIN SOLUTION
# Spans gain most: with inbox-bert far more of them are right than without. Its twin must learn from few examples
# what a name or a date looks like, and to tell words apart at all, while the pre-trained encoder has filled such places
# thousands of times and brings vectors in which days resemble days. My own 400 steps already help there, and in the
# tags. Intents gain least: what a request is about is not asked by any one hole, so that the mean of the vectors comes
# to say it late, and mine were taught by other texts. With 640 labels the tags hardly need the better start. Reading
# the training part without labels is fair, since texts without labels are what one has in practice; reading the test
# part, as inbox-bert has in places, leaks its words, though no labels, and the score says less about messages from
# tomorrow. The docs alone would teach English and the tokenizer's pieces but no campus. I would test dynamic masks
# first: with some four thousand messages, each seen many times, fixed holes would be learned by heart. I would train
# two encoders with the same steps and seeds, one with a generator seeded by the message, one by the step, and compare
# the loss at holes of held-out messages. For the next-sentence task the inbox has no pairs.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 3 points: most and least gain, with numbers from the table and a reason that fits the task (what a head must learn).
# 2 points: unlabelled training text is fair; test text leaks words; the docs teach language but not this domain.
# 2 points: says what dynamic masks and dropping next-sentence prediction change.
# 3 points: a test that could fail: same budget, held-out measure, more than one seed.
# ### END MARK SCHEME

# %% [markdown]
# ## The decoder: predict what comes next
#
# A **decoder** sees only what stands before. The probability of a text is then a product, by the chain rule:
#
# $$p(x_1, \ldots, x_T) = p(x_1) \prod_{t=2}^{T} p(x_t \mid x_1, \ldots, x_{t-1})$$
#
# and one forward pass gives all factors at once: the vector of token $t$ knows tokens 1 to $t$ and no other, and
# predicts token $t + 1$. Nothing is hidden and no token is wasted: where BERT learns from 15% of the tokens, a GPT
# learns from all.
#
# ## Exercise 7: a GPT (`gpt`)
#
# 20 minutes, ★★, 6 points
#
# The forward pass, from ids to logits:
#
# 1. the row of `token_embedding.weight` $(V, C)$ for each id, plus the row of `position_embedding.weight` for each
#    place (the first token has place 0; a text may be shorter than the context);
# 2. `num_layers` pre-norm blocks with a causal mask, in order; the weights of block $i$ lie in `p` under `blocks.{i}.`
#    and the names that `encoder_block` knows: `part(p, "blocks.0.")`, imported above, takes them out;
# 3. `final_norm.weight` and `.bias` on the result;
# 4. logits $(B, T, V)$: the product with each row of the token embedding. The output is *tied*: no matrix of its own,
#    no bias.
#
# A slide sets the scores of "current and right context" to minus infinity. Then a token could not see itself, and the
# first one nothing at all. Causal means: a token sees itself and what stands before it.
#
# <details><summary>Hint 1</summary><code>torch.ones(T, T, dtype=torch.bool).tril()</code> is True where a query (row)
# may look at a key (column).</details>
# <details><summary>Hint 2</summary><code>F.linear(x, E)</code> is <code>x @ E.T</code>.</details>

# %% exercise="gpt"
def gpt_logits(token_ids: torch.Tensor, p: dict, num_layers: int, num_heads: int) -> torch.Tensor:
    """Return the logits (B, T, V) of the next token after each of token_ids (B, T)."""
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
# ## Exercise 8: the loss, perplexity, bits per byte (`loss`)
#
# 15 minutes, ★★, 6 points
#
# **The shift.** The logits at place $t$ are judged by the token at place $t + 1$. So the last logits have no target
# and are left out, and the first token is never predicted. `next_token_loss(logits, token_ids, ignore_id=None)`
# returns the mean cross-entropy in nats over all predictions of the batch; predictions whose *target* is `ignore_id`
# do not count. (The same weight for each prediction: not the mean of the texts' means.) It returns a tensor of one
# number, through which autograd finds its way back to the logits: the GPT learns from it.
#
# **Perplexity** is $e$ to the mean loss: how many equally likely tokens the model hesitates between.
# `perplexity(losses)` gets the loss of each prediction, (N,), in nats.
#
# **Bits per byte.** A tokenizer with larger pieces makes each prediction harder and their number smaller, so losses
# per token cannot be compared between tokenizers. Spread over the bytes of the text they can:
# `bits_per_byte(total, text)` gets the *sum* of all losses in nats and the text; bits are nats over $\ln 2$, bytes are
# those of UTF-8.
#
# By hand: eight predictions of 1.5 nats each for the text "naïve" (6 bytes, since ï has two) are
# 12 / 0.6931 / 6 = 2.885 bits per byte.
#
# <details><summary>Hint 1</summary><code>logits[:, :-1]</code> belong to <code>token_ids[:, 1:]</code>.</details>
# <details><summary>Hint 2</summary><code>F.cross_entropy</code> wants (N, V) and (N,), and has
# <code>ignore_index</code>.</details>

# %% exercise="loss"
def next_token_loss(logits: torch.Tensor, token_ids: torch.Tensor, ignore_id: int | None = None) -> torch.Tensor:
    """Return the mean cross-entropy in nats of logits (B, T, V) for the tokens that follow in token_ids (B, T)."""
    ### BEGIN SOLUTION
    ignored = -100 if ignore_id is None else ignore_id
    targets = F.pad(token_ids[:, 1:], (0, 1), value=ignored)  # (B, T): ignoring the last spares a copy of all logits
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=ignored)
    ### END SOLUTION


def perplexity(losses: torch.Tensor) -> float:
    """Return the perplexity of predictions with these losses in nats, (N,)."""
    ### BEGIN SOLUTION
    return math.exp(torch.as_tensor(losses).double().mean())
    ### END SOLUTION


def bits_per_byte(total: float, text: str) -> float:
    """Return the sum of losses in nats, as bits for each byte (UTF-8) of the text."""
    ### BEGIN SOLUTION
    return total / math.log(2) / len(text.encode())
    ### END SOLUTION

# %% check="loss" points=6

# %% [markdown]
# ### Train it on Shakespeare
#
# A million characters of his plays, cut into pieces of two or three: a tokenizer of 1,024 pieces, learned from them
# (chapter 06 builds it). A step then sees more text than with single characters, for the same work; and since all is
# judged in bits per character, nothing is gained by the choice but time.
#
# `GPT` holds the weights and calls your forward pass; `fit` is the loop of the course. The optimiser is **Muon**
# (Jordan and others, 2024): it makes the step of each hidden matrix orthogonal, so that rare directions learn as fast
# as common ones; its authors needed fewer steps than with AdamW. While it trains, mind the three numbers that you can
# know beforehand: the loss begins near $\ln 1024 = 6.93$ (all tokens alike), within a few dozen steps falls to that of
# token frequencies alone, and only then does the model begin to use what stands before.

# %% given
from helpers.models import gpt as library


class GPT(library.GPT):
    """The library's GPT, its weights and how they begin, with your forward pass."""

    def forward(self, token_ids):
        """Return the logits (B, T, V)."""
        return gpt_logits(token_ids, dict(self.named_parameters()), len(self.blocks), self.num_heads)

# %% show
from helpers.training.muon import Muon

STEPS = 2000  ### small: 6
SIZES = {"vocab_size": 1024, "context_length": 64, "d_model": 128, "num_layers": 3, "num_heads": 4}

plays = Plays(data.load("tiny_shakespeare"), SIZES["vocab_size"], length=64, rows=12)


def gpt_loss(model: nn.Module, token_ids):
    """Return the loss of the next token, in nats."""
    return next_token_loss(model(token_ids), token_ids)


seed_everything(SEED)
gpt = GPT(**SIZES)
assert sum(p.numel() for p in gpt.parameters()) == gpt_parameters(1024, 64, 128, 3)
gpt_history = fit(gpt, plays.batch, gpt_loss, steps=STEPS, optimizer=Muon(gpt, lr=3e-3))
print(f"{len(plays.stream):,} tokens of text; {gpt_history}")
plots.show(*gpt_history.draw())

# %% [markdown]
# ### Is it any good?
#
# The judge is text that nobody has read, the second half of the validation part, in bits per character (all are
# ASCII, so a character is a byte). The rivals are n-grams of characters that have counted all of the training text,
# with the best smoothing there is, Kneser-Ney's, as in chapter 03.

# %% show
from helpers.figures.bits_per_character import bits_bars

losses, told = plays.losses(gpt)
judged = plays.counted(range(1, 7)) | {"your GPT": bits_per_byte(losses.sum().item(), told)}
for name, bits in sorted(judged.items(), key=lambda item: -item[1]):
    print(f"{name:<12}{bits:.3f} bits per character")
print(f"your GPT: perplexity {perplexity(losses):.1f} over {SIZES['vocab_size']:,} pieces")
plots.show(*bits_bars(judged))
### BEGIN CLAIMS
from helpers.course.claims import claim

for n in ("4-gram", "5-gram"):
    claim(f"Minus bits per character: your GPT above the {n} with Kneser-Ney", -judged["your GPT"], -judged[n])
### END CLAIMS

# %% [markdown]
# Counting is a strong rival: Kneser-Ney's n-grams grow better with each character that they look back, and the longest
# are hard to beat for a model of 0.7 million weights that has read the text a few times. A 6-gram keeps nearly half a
# million counts and no longer ones would help it much, while a GPT goes on learning with more steps, more weights, more
# text. Compare your number with that of chapter 03's LSTM, too, which was judged by the same text: at this size a
# recurrent network is no worse. What the transformer has over it is that all places of a text train at once, on
# hardware that computes in parallel.

# %% [markdown]
# ## The encoder-decoder: read one text, write another
#
# ## Exercise 9: cross-attention (`decoder-layer`)
#
# 15 minutes, ★★, 6 points
#
# To translate, a decoder must look at what an encoder has read. Its layer has a third sublayer in the middle:
# **cross-attention**, whose queries come from the decoder and whose keys and values come from the encoder's output, the
# *memory*. Post-norm, as in the paper of 2017:
#
# $$u = \mathrm{LN}_1(y + \mathrm{SelfAtt}(y)), \qquad v = \mathrm{LN}_2(u + \mathrm{CrossAtt}(u, m)), \qquad
# z = \mathrm{LN}_3(v + \mathrm{FF}(v))$$
#
# Self-attention is causal; cross-attention is not, since the whole source may be read at each step. The weights `p`
# have the names of `nn.TransformerDecoderLayer`: attention behind `"self_attn"` and `"multihead_attn"`, `linear1`,
# `linear2`, `norm1`, `norm2`, `norm3` (= that class with `activation="gelu"`). `memory_mask` goes to the
# cross-attention as it comes: booleans that fit $(B, H, T, S)$, True where a query may look, or None.
#
# <details><summary>Hint 1</summary><code>attention(u, memory, p, "multihead_attn", num_heads, memory_mask)</code>
# </details>
# <details><summary>Hint 2</summary>The imported <code>attention</code> has <code>is_causal=True</code>.</details>

# %% exercise="decoder-layer"
def decoder_layer(
    y: torch.Tensor, memory: torch.Tensor, p: dict, num_heads: int, memory_mask: torch.Tensor | None = None
) -> torch.Tensor:
    """Return one decoder layer applied to y (B, T, C), looking at memory (B, S, C); shape (B, T, C)."""
    ### BEGIN SOLUTION
    def norm(v, i):
        return F.layer_norm(v, v.shape[-1:], p[f"norm{i}.weight"], p[f"norm{i}.bias"])

    u = norm(y + attention(y, y, p, "self_attn", num_heads, is_causal=True), 1)
    v = norm(u + attention(u, memory, p, "multihead_attn", num_heads, memory_mask), 2)
    hidden = F.gelu(F.linear(v, p["linear1.weight"], p["linear1.bias"]))  # (B, T, F)
    return norm(v + F.linear(hidden, p["linear2.weight"], p["linear2.bias"]), 3)
    ### END SOLUTION

# %% check="decoder-layer" points=6

# %% [markdown]
# ### Dates once more
#
# Chapters 03 and 04 translated dates with an LSTM, then with attention on top. Here are no recurrences left: an
# encoder of your blocks reads the characters, a decoder of your layers writes the ISO form.

# %% show
from helpers.models.translator import Translator

LEARNED = 12_000  ### small: 200
UNSEEN = 300  ### small: 20
STEPS = 500  ### small: 5; gpu: 2000

dates = iso_dates.DateCharacters.sample(LEARNED, UNSEEN, seed=SEED)


def date_loss(model, batch):
    """Return the loss of the target's next character (teacher forcing)."""
    source, target = batch
    return next_token_loss(model(source, target), target)


seed_everything(SEED)
translator = Translator(len(dates.signs), 64, 2, 4, encoder_block, decoder_layer)
history = fit(translator, dates.batch, date_loss, steps=STEPS, lr=2e-3)
print(f"{sum(p.numel() for p in translator.parameters()):,} parameters; {history}")
print(dates.report(translator))

# %% [markdown]
# ## Choosing the next token
#
# A model gives logits; somebody must choose. Take the likeliest (*greedy*), and the text soon runs in circles. Draw
# from the whole distribution, and sooner or later a token from the long tail derails it. All strategies between the
# two are small functions from logits to logits, one after the other, with one draw at the end.
#
# ## Exercise 10: temperature, top-k, top-p, min-p (`filters`)
#
# 20 minutes, ★★, 7 points
#
# Each function gets the logits of one token, a tensor $(V,)$, in any order, and returns new logits of the same shape.
# Tokens that are removed get $-\infty$; **the logits of the others stay as they are** (softmax will share out what is
# missing). Removed tokens may come in already, from an earlier filter, and stay removed.
#
# 1. `apply_temperature(logits, temperature)`: divide by it ($> 0$). Below 1 the distribution gets sharper, above 1
#    flatter.
# 2. `keep_top_k(logits, k)`: keep the $k \ge 1$ largest; all, if there are no more than $k$.
# 3. `keep_top_p(logits, p)`: the *nucleus*. Go through the tokens from the likeliest on, and keep them until their
#    probabilities add up to at least $p$; the token that gets there is kept. At least one token stays.
# 4. `keep_min_p(logits, min_p)`: keep the tokens with a probability of at least `min_p` times that of the likeliest.
#
# Ties at the edge are not tested. The example of all that follows is
# $p = (.45, .25, .15, .08, .04, .02, .01)$. By hand: top-k 3 keeps tokens 0 to 2; top-p 0.9 keeps 0 to 3, as
# .45 + .25 + .15 = .85 is not enough; min-p 0.05 keeps those with at least 0.0225, 0 to 4.
#
# <details><summary>Hint 1</summary><code>torch.where(keep, logits, -torch.inf)</code></details>
# <details><summary>Hint 2</summary>Top-p: sort the probabilities downwards; a token is kept if what stands
# <em>before</em> it adds up to less than p.</details>
# <details><summary>Hint 3</summary><code>order = probabilities.argsort(descending=True)</code> takes you there, and
# <code>keep[order] = ...</code> back.</details>

# %% exercise="filters"
def apply_temperature(logits: torch.Tensor, temperature: float) -> torch.Tensor:
    """Return the logits (V,) of a distribution that is sharper (temperature < 1) or flatter (> 1)."""
    ### BEGIN SOLUTION
    return logits / temperature
    ### END SOLUTION


def keep_top_k(logits: torch.Tensor, k: int) -> torch.Tensor:
    """Return the logits (V,) with all but the k largest at minus infinity."""
    ### BEGIN SOLUTION
    smallest = logits.topk(min(k, len(logits))).values[-1]
    return torch.where(logits >= smallest, logits, -torch.inf)
    ### END SOLUTION


def keep_top_p(logits: torch.Tensor, p: float) -> torch.Tensor:
    """Return the logits (V,) with all but the nucleus of probability p at minus infinity."""
    ### BEGIN SOLUTION
    probabilities, order = logits.softmax(-1).sort(descending=True)
    before = probabilities.cumsum(-1) - probabilities  # what stands before each token
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = (before < p) | (torch.arange(len(logits)) == 0)
    return torch.where(keep, logits, -torch.inf)
    ### END SOLUTION


def keep_min_p(logits: torch.Tensor, min_p: float) -> torch.Tensor:
    """Return the logits (V,) with tokens less likely than min_p times the likeliest at minus infinity."""
    ### BEGIN SOLUTION
    probabilities = logits.softmax(-1)
    return torch.where(probabilities >= min_p * probabilities.max(), logits, -torch.inf)
    ### END SOLUTION

# %% check="filters" points=7

# %% [markdown]
# **The order matters.** The same two steps, temperature 2 and top-p 0.8, in both orders, on the example: whoever
# flattens first lets the nucleus take in more of the tail.

# %% show exact=true
EXAMPLE = torch.tensor([0.45, 0.25, 0.15, 0.08, 0.04, 0.02, 0.01]).log()
steps = {
    "as it is": EXAMPLE,
    "top-k 3": keep_top_k(EXAMPLE, 3),
    "top-p 0.9": keep_top_p(EXAMPLE, 0.9),
    "min-p 0.05": keep_min_p(EXAMPLE, 0.05),
    "T = 2, then top-p 0.8": keep_top_p(apply_temperature(EXAMPLE, 2.0), 0.8),
    "top-p 0.8, then T = 2": apply_temperature(keep_top_p(EXAMPLE, 0.8), 2.0),
}
for name, logits in steps.items():
    print(f"{name:<24}", "  ".join(f"{p:.3f}" if p > 0 else "  -  " for p in logits.softmax(-1).tolist()))

# %% [markdown]
# ## Exercise 11: penalties (`penalties`)
#
# 12 minutes, ★★, 4 points
#
# Filters look at the distribution alone; penalties look at what was already written. `penalise(logits, generated,
# repetition, frequency, presence)` changes the logits of the tokens that occur in `generated` (a list of ids), and no
# others, in this order:
#
# 1. **repetition** $r$ (Keskar et al. 2019): a positive logit is *divided* by $r$, a negative one *multiplied*; once,
#    however often the token occurs. (Dividing a negative logit would make the token likelier.)
# 2. **frequency** $f$: minus $f$ times the number of occurrences.
# 3. **presence** $q$: minus $q$, once.
#
# With the default values nothing changes. By hand: the logits (2, -1, 0.5), generated [0, 1, 0], $r = 2$, $f = 0.5$:
# token 0: 2 / 2 - 2 · 0.5 = 0; token 1: -1 · 2 - 0.5 = -2.5; token 2 stays.
#
# <details><summary>Hint 1</summary><code>torch.bincount(ids, minlength=V)</code> counts occurrences.</details>

# %% exercise="penalties"
def penalise(
    logits: torch.Tensor, generated: list[int], repetition: float = 1.0, frequency: float = 0.0, presence: float = 0.0
) -> torch.Tensor:
    """Return the logits (V,) with penalties for the tokens that were generated already."""
    ### BEGIN SOLUTION
    counts = torch.bincount(torch.tensor(generated, dtype=torch.long), minlength=len(logits))
    seen = counts > 0
    weakened = torch.where(logits > 0, logits / repetition, logits * repetition)
    return torch.where(seen, weakened, logits) - frequency * counts - presence * seen
    ### END SOLUTION

# %% check="penalties" points=4

# %% [markdown]
# ## Exercise 12: one draw (`draw`)
#
# 8 minutes, ★, 3 points
#
# At last one token is drawn. To make a draw that can be repeated, let the chance come from outside: a number $u$ from
# $[0, 1)$. Lay the probabilities side by side on a line of length 1 in the order of the ids; the token is the one in
# whose stretch $u$ lies. That is: **the first id whose cumulative probability is greater than $u$** (the *inverse* of
# the distribution function). Return it as an int (or a tensor of one number).
#
# Two things to guard against. Tokens that a filter removed (logit $-\infty$, probability 0) are never drawn, whatever
# $u$. And rounding must not lead behind the end: in float32 the last sum may be 0.9999999, and a $u$ above it still
# means the last token that has a probability above 0. (Computing in `double()` makes the gap smaller; dividing all sums
# by the last one closes it.)
#
# By hand: probabilities (0.2, 0.5, 0.3) have sums 0.2, 0.7, 1.0. With $u = 0.1$ it is token 0, with 0.2 token 1 (0.2
# is not greater than 0.2), with 0.95 token 2.
#
# <details><summary>Hint 1</summary><code>torch.searchsorted(sums, u, right=True)</code>, or count the sums that are
# not greater than u.</details>
# <details><summary>Hint 2</summary><code>sums / sums[-1]</code> ends with exactly 1, and $u$ is below 1.</details>

# %% exercise="draw"
def draw_token(logits: torch.Tensor, u: float) -> int:
    """Return the id of the token in whose stretch of [0, 1) u lies, for logits (V,)."""
    ### BEGIN SOLUTION
    sums = logits.double().softmax(-1).cumsum(-1)
    return int((sums / sums[-1] <= u).sum())
    ### END SOLUTION

# %% check="draw" points=3

# %% [markdown]
# ## Exercise 13: beam search (`beam`)
#
# 25 minutes, ★★★, 6 points
#
# The likeliest next token need not begin the likeliest text. **Beam search** keeps several beginnings alive.
# `log_probs` is a function: it gets a list of ids (the beginning, at first the empty list) and returns the
# log-probabilities of the next token, a tensor (V,). A text's score is the sum of its log-probabilities. Exactly:
#
# 1. Begin with the empty text alone.
# 2. Extend *every* live text by *every* token; of all these together keep the `width` with the highest scores: `width`
#    in all, not for each live text. (Within a round all texts are equally long, so $\alpha$ plays no part here.)
# 3. Those of them that end with the token `end` are complete: put them aside. They have taken a place of this round,
#    but take none in later rounds. The others are live.
# 4. Go back to 2 until nothing is live or `max_length` rounds are done; what is live then counts as complete.
# 5. Of all complete texts return the one with the highest score $/\,\text{length}^{\alpha}$, as a list of ids. The
#    length counts the end token, too. With $\alpha = 0$ the sum decides; a larger $\alpha$ favours longer texts, which
#    a sum of logarithms punishes.
#
# With `width` 1 this is greedy. With a width so large that nothing is thrown away it is an exhaustive search, and
# finds the best text there is: that is how the check knows. Ties are not tested.
#
# By hand: after nothing (.5, .4, .1), after token 0 (.3, .3, .4), after token 1 (.05, .05, .9), where 2 is the end.
# Greedy takes 0, then 2: .5 · .4 = .20. With width 2 the text 1, 2 is found: .4 · .9 = .36.
#
# Pruning may lose the best text. After nothing (.45, .40, .15), after 0 (.50, .05, .45), after 1 (.10, .45, .45): with
# width 2 the second round keeps 0, 0 (.225) and 0, 2 (.2025); nothing that begins with 1 (.18 at most) is left.
#
# <details><summary>Hint 1</summary>A text is a pair (list of ids, score); keep two lists of pairs, live and
# complete.</details>
# <details><summary>Hint 2</summary><code>sorted(candidates, key=lambda c: -c[1])[:width]</code></details>

# %% exercise="beam"
def beam_search(log_probs, width: int, max_length: int, end: int, alpha: float = 0.0) -> list[int]:
    """Return the ids of the best text that beam search finds; log_probs(ids) gives the next token's (V,)."""
    ### BEGIN SOLUTION
    live, complete = [([], 0.0)], []
    for _ in range(max_length):
        candidates = [
            (ids + [token], score + step)
            for ids, score in live
            for token, step in enumerate(torch.as_tensor(log_probs(ids)).tolist())
        ]
        best = sorted(candidates, key=lambda c: -c[1])[:width]
        complete += [c for c in best if c[0][-1] == end]
        live = [c for c in best if c[0][-1] != end]
        if not live:
            break
    return max(complete + live, key=lambda c: c[1] / len(c[0]) ** alpha)[0]
    ### END SOLUTION

# %% check="beam" points=6

# %% [markdown]
# ## Exercise 14: the key-value cache (`kv-cache`)
#
# 20 minutes, ★★★, 7 points
#
# To write token 257, a GPT looks at 256 tokens before it. Their keys and values were computed when they were written,
# and since nobody looks ahead, they have not changed since. So keep them. With a **cache**, a step computes the
# queries, keys and values of the *new* tokens alone.
#
# `cached_attention(x, cache, p, num_heads)` gets the vectors of the new tokens, x (B, n, C); the cache, a pair (keys,
# values) of shape (B, H, T, $d_k$) each, or None at the beginning; and the weights `p` of `nn.MultiheadAttention`
# (`in_proj_weight` (3C, C) with those of queries, keys and values one below the other, `in_proj_bias`,
# `out_proj.weight`, `out_proj.bias`). It returns the output for the new tokens (B, n, C) and the new cache, whose keys
# and values are the old ones followed by the new ones, (B, H, T + n, $d_k$). The old cache stays as it is.
#
# There may be several new tokens, as for a prompt: then each sees all of the cache, and of the new ones itself and
# those before it. Beware of `is_causal=True`: with more keys than queries the library's mask begins at the *upper
# left*, so that the first new token would see the first key alone.
#
# <details><summary>Hint 1</summary><code>torch.cat([old, new], dim=2)</code>: the tokens are the third axis.</details>
# <details><summary>Hint 2</summary><code>torch.ones(n, T + n, dtype=torch.bool).tril(T)</code> moves the diagonal by
# T. </details>

# %% exercise="kv-cache"
def cached_attention(
    x: torch.Tensor, cache: tuple[torch.Tensor, torch.Tensor] | None, p: dict, num_heads: int
) -> tuple[torch.Tensor, tuple[torch.Tensor, torch.Tensor]]:
    """Return (output for the new tokens x (B, n, C), the cache with their keys and values)."""
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

# %% check="kv-cache" points=7

# %% [markdown]
# ### What the cache buys
#
# Here the model is *docs-gpt*, which comes with the course: your forward pass with larger weights, which have read the
# docs for half an hour. Later chapters go on with it. The same prompt, greedy, once with the whole text computed anew
# for each token and once with the cache: the logits must agree, and the speed is measured.

# %% show
MOST = 256  ### small: 16

reference = library.model_of(artifacts.load("docs-gpt", own=False), GPT)
prompt = tokenizer.encode("torch.nn.Linear\n\n", add_special_tokens=False).ids
writer = writing.Writer(reference, END, cached_attention, layer_norm, feed_forward)
print(writing.cache_gain(writer, prompt, MOST))

# %% [markdown]
# ### Ways to write
#
# One prompt, several strategies, docs-gpt. Read them aloud: which repeats itself, which loses the thread? And then the
# pages that your own GPT writes, of Romeo and whoever comes to answer him.

# %% show
MOST = 60  ### small: 8


def drawn(changed):
    """Return how to choose: the logits are changed, then one token is drawn."""
    numbers = np.random.default_rng(SEED)
    return lambda logits, ids: draw_token(changed(logits), numbers.random())


ways = {
    "greedy": lambda logits, ids: logits.argmax(),
    "greedy, repetition 1.3": lambda logits, ids: penalise(logits, ids, 1.3).argmax(),
    "temperature 1": drawn(lambda logits: logits),
    "temperature 1.5": drawn(lambda logits: apply_temperature(logits, 1.5)),
    "top-k 20": drawn(lambda logits: keep_top_k(logits, 20)),
    "top-p 0.9": drawn(lambda logits: keep_top_p(logits, 0.9)),
    "min-p 0.1": drawn(lambda logits: keep_min_p(logits, 0.1)),
    "temperature 0.7, top-p 0.9": drawn(lambda logits: keep_top_p(apply_temperature(logits, 0.7), 0.9)),
}
for name, choose in ways.items():
    text, different = writer.sample(tokenizer, prompt, choose, MOST)
    print(f"[{name}; {different:.0%} different tokens]\n{text}\n")

# %% show
MOST = 1200  ### small: 20
print(plays.page(gpt, "ROMEO:\n", drawn(lambda logits: keep_top_p(apply_temperature(logits, 0.8), 0.95)), MOST))

# %% show
from scipy.stats import chisquare

MOST = 10  ### small: 3

beginning = tokenizer.encode("Return the", add_special_tokens=False).ids
for width in (1, 4):
    ids = beam_search(lambda ids: writer.log_probs(beginning + ids), width, MOST, END)
    total = sum(writer.log_probs(beginning + ids[:i])[token].item() for i, token in enumerate(ids))
    print(f"beam {width}: log-probability {total:6.2f}  {tokenizer.decode(beginning + ids)!r}")
counts = np.bincount([draw_token(EXAMPLE, u) for u in np.random.default_rng(SEED).random(10_000)], minlength=7)
fits = chisquare(counts, 10_000 * EXAMPLE.double().softmax(-1).numpy())
print(f"ten thousand draws: {counts.tolist()}; chi-square test: p = {fits.pvalue:.2f}")

# %% [markdown]
# ## Look inside: femto and pico
#
# A model of which everything can be drawn. The text has five sentences (*The dog ran. The dog ate. ...*), eight
# different tokens. **Femto** has vectors of two numbers, one layer, one head and no norms (two numbers that are
# normalised are always +1 and -1): its input and output embeddings are points in the plane. **Pico** has three layers
# and three heads of two numbers each.

# %% show
from helpers.models.femto import Femto
from helpers.figures.inside_gpt import head_maps, token_points

STEPS = 400  ### small: 20

mini = inside_gpt.TinyText(data.load("mini").train, length=6)
print(mini)
seed_everything(SEED)
femto, pico = Femto(len(mini.types), 6), GPT(len(mini.types), 6, 6, 3, 3)
for name, model, lr in [("femto", femto, 3e-2), ("pico", pico, 1e-2)]:
    history = fit(model, [mini.rows], gpt_loss, steps=STEPS, lr=lr, weight_decay=0.0, progress=False)
    print(f"{name}: {sum(p.numel() for p in model.parameters())} parameters, {history}")
plots.show(*token_points(femto.embedding.weight, mini.types, "what goes in"))
plots.show(*token_points(femto.output.weight, mini.types, "what comes out"))

# %% show
for i, maps in enumerate(inside_gpt.attention_maps(pico, mini.rows[5:6]), 1):
    plots.show(*head_maps(maps, [mini.types[j] for j in mini.rows[5].tolist()], layer=i, layers=3))

# %% [markdown]
# ## When it does not learn
#
# **First of all, overfit one batch.** A model that cannot learn sixteen lines by heart has a bug; no amount of data
# will mend it. Then read the loss curve. Here are six runs of one small model on characters of the docs, five of them
# with a mistake made on purpose. Cover the legend and guess.

# %% show
STEPS = 150  ### small: 10

characters = mistakes.Characters(docs_text[:200_000])
print(f"one batch, again and again: {mistakes.train_small(GPT, characters, gpt_loss, 3e-3, STEPS, one_batch=True)}")

# %% show
runs = {  # the kind of GPT, its loss, its learning rate
    "as it should be": (GPT, gpt_loss, 3e-3),
    "rate too low": (GPT, gpt_loss, 3e-5),
    "rate too high": (GPT, gpt_loss, 0.3),
    "no shift": (GPT, mistakes.unshifted_loss, 3e-3),
    "no causal mask": (mistakes.without_mask(encoder_block), gpt_loss, 3e-3),
    "targets shuffled": (GPT, mistakes.shuffled_loss, 3e-3),
}
curves = {name: mistakes.train_small(kind, characters, *how, STEPS).losses for name, (kind, *how) in runs.items()}
plots.show(*plots.learning_curves(curves))
for name, losses in curves.items():
    print(f"{name:<18} begins {losses[0]:.2f}, ends {np.mean(losses[-10:]):.2f}")

# %% [markdown]
# ## Essay 2: read the curves, choose the steps
#
# 15 minutes, ★★, 10 points, graded by hand
#
# (a) For each of the five faulty runs: by which feature of its curve would you know it without the legend? Which of
# them looks *better* than the sound one, and which test (of this chapter's checks, or one of your own) would have
# exposed it before any training? (b) A colleague sets temperature 1.5 and top-p 0.9 and complains of nonsense; another
# has top-p first and the temperature afterwards and does not. Explain with the numbers of the table above. Which one
# filter would you choose for a model whose certainty varies much from place to place, and why? About 180 words.

# %% [markdown] essay="curves" points=10
# ### BEGIN SOLUTION
# (a) A rate that is too low gives a smooth line that hardly leaves its start. One that is too
# high jumps, then crawls along near the loss of letter frequencies, above 3. Without the shift the loss falls to
# almost nothing within a few dozen steps: copying is no prediction. Shuffled targets fall at first, to the loss of
# letter frequencies, and stay there. Without the mask the curve looks sound and ends a little *below* the sound run:
# attention has begun to find the answer in the input, and with more steps the loss would fall further. The runs
# without shift and without mask look better than the sound one, the latter so little that nobody would notice. A probe
# exposes both at once: change the last token, and no earlier logits may change; and with logits that point to the next
# token, the loss must be near 0.
# (b) Temperature 1.5 lifts the tail first, so the nucleus of 0.9 takes in tokens that had almost no chance: in the
# table T = 2 before top-p 0.8 keeps four tokens, after it three. Filtering first decides by the model's own
# probabilities. I would take min-p: its threshold moves with the likeliest token, so it keeps few where the model is
# sure and many where it is not, while top-k always keeps as many.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 4 points: each faulty curve is told by a feature of its own (slope, jump, plateau and its height, too low a loss).
# 2 points: names the runs that look too good, and a probe or check that exposes them without training.
# 2 points: the order: flattening first widens the nucleus; uses the numbers of the table.
# 2 points: a filter that adapts (top-p or min-p), with a reason from how its threshold moves.
# ### END MARK SCHEME

# %% [markdown]
# ## The leaderboard
#
# Your two encoders among the filters and readers of all chapters, at the two exams of the course.

# %% show
benchmarks.show("05")

# %% [markdown]
# ## What you built, and what breaks next
#
# Layer norm, feed-forward network, block, decoder layer, each equal to the library's; an encoder that learned from
# holes and answers questions; a GPT with every usual way to choose the next token and a cache; and the eye for a curve
# that tells what is wrong.
#
# What breaks: the tokenizer was given to us, and it has quietly decided what is easy. Numbers, rare scripts and code
# pay for pieces that were cut for something else. [Chapter 06](../06_tokenizers/06_tokenizers.ipynb) builds it from
# bytes, and counts who pays.
#
# **Saved:** your rows of the leaderboard. The GPT of the plays stays here; what later chapters take up is *docs-gpt*,
# which comes with the course.
#
# ## Further reading
#
# - A. Vaswani, N. Shazeer, N. Parmar, J. Uszkoreit, L. Jones, A. N. Gomez, Ł. Kaiser and I. Polosukhin (2017).
#   Attention is all you need. *NIPS 30*.
# - J. L. Ba, J. R. Kiros and G. E. Hinton (2016). Layer normalization. arXiv:1607.06450.
# - R. Xiong et al. (2020). On layer normalization in the transformer architecture. *ICML*. Pre-norm against post-norm.
# - J. Devlin, M.-W. Chang, K. Lee and K. Toutanova (2019). BERT: pre-training of deep bidirectional transformers for
#   language understanding. *NAACL*.
# - Y. Liu et al. (2019). RoBERTa: a robustly optimized BERT pretraining approach. arXiv:1907.11692.
# - A. Radford, J. Wu, R. Child, D. Luan, D. Amodei and I. Sutskever (2019). Language models are unsupervised multitask
#   learners. GPT-2.
# - T. B. Brown et al. (2020). Language models are few-shot learners. *NeurIPS 33*. GPT-3.
# - A. Holtzman, J. Buys, L. Du, M. Forbes and Y. Choi (2020). The curious case of neural text degeneration. *ICLR*.
#   Top-p.
# - Z. Jiang, W. Yu, D. Zhou, Y. Chen, J. Feng and S. Yan (2020). ConvBERT: improving BERT with span-based dynamic
#   convolution. *NeurIPS 33*.
# - N. S. Keskar et al. (2019). CTRL: a conditional transformer language model for controllable generation.
#   arXiv:1909.05858. The repetition penalty.
# - K. Jordan, Y. Jin, V. Boza, J. You, F. Cesista, L. Newhouse and J. Bernstein (2024). Muon: an optimizer for hidden
#   layers in neural networks. kellerjordan.github.io/posts/muon.
# - S. F. Chen and J. Goodman (1999). An empirical study of smoothing techniques for language modeling. *Computer Speech
#   and Language* 13.
# - N. Reimers and I. Gurevych (2019). Sentence-BERT: sentence embeddings using siamese BERT-networks. *EMNLP*.
# - A. Wettig, T. Gao, Z. Zhong and D. Chen (2023). Should you mask 15% in masked language modeling? *EACL*.
# - S. J. D. Prince (2023). *Understanding Deep Learning*, chapter 12. MIT Press.
