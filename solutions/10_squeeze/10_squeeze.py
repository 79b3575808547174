# %% [markdown]
# # 10 Choose and squeeze: good text from a small model
#
# Your GPT of chapter 05 gives 4,096 numbers for the next token. Somebody has to pick one of them, and the choice makes
# the difference between a page, a stammer and a salad of words. And somebody has to pay: for every byte that the model
# takes, and for every pass through it. This chapter is about both.
#
# **What you will build.** First *choosing*: the filters and penalties that stand in the settings of every program that
# runs language models (epsilon, eta, typical, DRY, XTC, mirostat and others), each a few lines, each held against the
# library where it has them. Then *squeezing*: drafts that a large model only has to check, weights of four bits,
# pruning, a student that learns from a teacher, vectors of a bit for each number. At the end the model of chapter 05
# writes at a fraction of its bytes.
#
# **What you need.** The GPT of [chapter 05](../05_transformers/05_transformers.ipynb): your own *docs-gpt* if you saved
# it, else the course's reference. Nothing is downloaded.
#
# **Points.** 100: twelve exercises checked by machine (80) and two short essays (20). Allow about four hours. Once
# written, the notebook runs in about three minutes on two cores.
#
# **Notation.** $V$ is the number of tokens in the vocabulary, $z$ the $V$ logits of the next token, $p =
# \mathrm{softmax}(z)$; a token that a filter removed has the logit $-\infty$ and the probability 0.
#
# **Manners.** Unless the text says otherwise, your functions leave their arguments as they are, give float64 for
# float64, and keep each axis, also one of size 1.

# %% given
import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from helpers import data, plots
from helpers.course import SEED, artifacts, notebook, seed_everything
from helpers.models.gpt import chosen, model_of, tokenizer_of
from helpers.models.sampling import apply_temperature, keep_top_k, keep_top_p

notebook.prepare("10_squeeze")

# %% [markdown]
# # Choose
#
# ## Exercise 1: five ways to cut off the tail (`cutoffs`)
#
# ## Exercise 2: as surprising as expected (`typical`)
#
# ## Exercise 3: bend the logits (`reshape`)
#
# ## Exercise 4: do not say it again (`repeats`)
#
# ## Exercise 5: hold the surprise steady (`mirostat`)
#
# ## Exercise 6: neither likely nor like before (`contrastive`)
#
# ## Exercise 7: a pipeline, and its order (`order`)

# %% [markdown]
# ## Essay 1: which filters, and in which order?
#
# # Squeeze
#
# ## Exercise 8: a small model drafts, a large one checks (`speculative`)
#
# ## Exercise 9: fewer bits for a weight (`bits`)
#
# ## Exercise 10: weights that are not missed (`prune`)
#
# ## Exercise 11: learn from a teacher (`distil`)
#
# ## Exercise 12: vectors in fewer bytes (`vectors`)
#
# ## Essay 2: what would you ship on a phone?

# %% [markdown] text="quiz"

# %% [markdown]
# ## What you built, and what breaks next

# %% [markdown] text="further"
