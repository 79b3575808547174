# %% [markdown]
# # 11 Beyond: other blocks, other senses
#
# The Transformer of 2017 has had a long life, but open the code of a model of today and little in it is as it was. The
# norm is another, the feed-forward network has a gate, or there are 64 of them and each token visits two. The cache of
# keys and values has been squeezed, cut, or given up for a state of fixed size. And what goes in is no longer text
# alone: photographs are cut into patches and read like words.
#
# **What you will build.** Each of these parts, small enough to check by hand: today's block, a router for experts,
# attention from a latent vector, a streaming cache, a state-space model and RWKV. Then the other senses: the holes that
# BART and T5 learn to fill, a vision transformer, CLIP's loss, and a model that looks at a picture, reads a question
# about it, and answers. On the way you count the weights of a dozen published models from their configurations alone.
#
# **What you need.** The blocks of [chapter 04](../04_attention/04_attention.ipynb) and [chapter
# 05](../05_transformers/05_transformers.ipynb). Nothing is loaded that you saved there.
#
# **Points.** 100: eleven exercises checked by machine (80) and two short essays (20). Allow about four hours, with a
# break before *Other senses*. Once written, the notebook runs in about three minutes on two cores.
#
# **Notation.** $B$ texts of $T$ tokens, $C$ numbers to a token (`d_model`), $H$ heads of $d_k$ numbers; $E$ experts; $N$
# numbers of a state; $\odot$ multiplies number by number.
#
# **Manners.** Unless the text says otherwise, your functions leave their arguments as they are, give float64 for
# float64, keep each axis, also one of size 1, and let gradients flow.

# %% given
import math
from functools import partial

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from helpers import data, plots
from helpers.checks import gradients
from helpers.course import SEED, notebook, seed_everything

notebook.prepare("11_beyond")

# %% [markdown]
# ## Part one: other blocks
#
# ## Exercise 1: today's block (`modern`)

# %% [markdown]
# ## Exercise 2: count a published model (`zoo`)

# %% [markdown]
# ## Exercise 3: a feed-forward network for each token (`experts`)

# %% [markdown]
# ## Exercise 4: keys and values from a latent (`latent`)

# %% [markdown]
# ## Exercise 5: a cache that never fills (`sinks`)

# %% [markdown]
# ## Exercise 6: a state that remembers (`state-space`)

# %% [markdown]
# ## Exercise 7: decay in place of attention (`rwkv`)

# %% [markdown]
# ## Essay 1: does it need attention?

# %% [markdown]
# ## Part two: other tasks, other senses
#
# ## Exercise 8: holes to fill (`noise`)

# %% [markdown]
# ## Exercise 9: read a picture (`vit`)

# %% [markdown]
# ## Exercise 10: two encoders that agree (`clip-loss`)

# %% [markdown]
# ## Exercise 11: look, read, answer (`image-text`)

# %% [markdown]
# ## Essay 2: what is a large multimodal model?

# %% [markdown]
# ## What you built, and what breaks next

