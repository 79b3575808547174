# %% [markdown]
# # Start here
#
# This course takes you from counting words to an assistant that finds an answer, reads it, and names its source. You
# write the parts that matter, a few lines at a time. A check tells you at once whether they are right; if it recognises
# a mistake, it names it.
#
# ![The map of the course. Chapters 01 to 04 lead from bags of words to attention. 05 builds transformers from it, with
# the tokens of 06. 07 searches, 08 answers, 09 adapts, and an assistant uses all three. 10 makes the model of 05 small,
# 11 continues 04 and 05, 12 trains what 05 builds.](figures/map.svg)
#
# | chapter | what runs at the end | hours |
# |---|---|---|
# | [01 Spam](01_spam/01_spam.ipynb) | a spam filter on real messages, and a search by words | ? |
# | [02 Word vectors](02_word_vectors/02_word_vectors.ipynb) | words as points: neighbours, analogies, a map | ? |
# | [03 RNNs](03_rnns/03_rnns.ipynb) | a network that writes Shakespeare letter by letter, and a date translator | ? |
# | [04 Attention](04_attention/04_attention.ipynb) | a translator that shows where it looks | ? |
# | [05 Transformers](05_transformers/05_transformers.ipynb) | your own BERT and your own GPT | ? |
# | [06 Tokenizers](06_tokenizers/06_tokenizers.ipynb) | the tokenizer that every model here reads with | ? |
# | [07 Contrastive learning](07_contrastive/07_contrastive.ipynb) | a search by meaning that is better than BM25 | ? |
# | [08 RAG](08_rag/08_rag.ipynb) | answers with their source, from six libraries' documentation | ? |
# | [09 LoRA](09_lora/09_lora.ipynb) | a model adapted in a minute, and the assistant made from all you built | ? |
# | [10 Choose and squeeze](10_squeeze/10_squeeze.ipynb) | your GPT at a fraction of its bytes, writing well | ? |
# | [11 Beyond](11_beyond/11_beyond.ipynb) | a model that looks at pictures and answers questions about them | ? |
# | [12 Training](12_training/12_training.ipynb) | a run that is killed, goes on, and ends with the same bits | ? |
#
# The line in italics under a chapter shows what its own code reaches and, where the course has simpler ways, the
# strongest of them beside it. The numbers are means of up to @RUNS@ runs. The hours are the minutes of the exercises
# and essays times @ALLOWANCE@, which leaves time for reading and wrong turns.
#
# Two tasks come back in chapters 01 to 09: finding spam, and telling 150 intents apart from 1, 5 or 10 examples of
# each. What you build is measured on both, whether it wins or loses. The figure shows how far you get by counting
# words, by training from nothing, and by adapting a model that has already read a great deal:
#
# ![Accuracy with 1, 5 and 10 labelled examples of each intent: counted words reach @COUNTS@, MiniLM as it comes
# @MINILM@, and tuned, by pairs of labels @TUNED@, with your LoRA @LORA@.](figures/labels.svg)
#
# With ten examples, the best result without a pre-trained model is @BESIDE@ (not drawn): chapter 02's counts beside
# word vectors. MiniLM as it comes reaches @MINILM@, so its pre-training is worth another @GAIN@. Tuning it adds little:
# it reaches @TUNED@ with the loss of chapter 07 and @LORA@ with your LoRA. With one example LoRA loses to MiniLM as it
# comes, @LORA1@ to @MINILM1@.
#
# ## Paths
#
# **In a class.** Your instructor tells you which chapters to do and when. With @PACE@ weeks for each, that is about
# @A_WEEK_IN_CLASS@ hours a week. Do the exercises of a chapter in order, because its later cells call your functions.
# You need no code from an earlier chapter: what one chapter saves for another is also there in the course's own copy.

# %% [markdown] reader="alone"
# **On your own.** Take one of these:
#
# - **The whole course**: @FIRST@ to @LAST@ in order, some @TOTAL@ hours, which is about @A_WEEK@ a week if you do a
#   chapter a week. You may do 06 before 05.
# - **To transformers in a week**: @PATH_WEEK@. Some @HOURS_WEEK@ hours.
# - **RAG and LoRA for practitioners**: @PATH_PRACTICE@. Some @HOURS_PRACTICE@ hours. From 05 you need the block, the
#   head that points at an answer, GPT and perplexity; from 06, how a text becomes ids.
#
# You may leave out any exercise: `use_reference("bm25")` puts the course's own answer in its place.

# %% [markdown]
# ## How a chapter works
#
# 1. Read a paragraph, look at its drawing, and follow the example by hand. Start with the first code cell, and run each
#    as you come to it: <kbd>Shift</kbd>+<kbd>Enter</kbd>.
# 2. Where a cell says `raise NotImplementedError()`, write your lines and run it.
# 3. Run the check below it, such as `check("tf")`. It shows what it called, what it expected and what your function
#    returned, and it names the mistake if it recognises it. You may run a check as often as you like.
# 4. Look at what the chapter then does with your function.
#
# When you come back another day, Python has forgotten what you ran. Click the cell where you want to go on, and choose
# **Run**, then **Run All Above Selected Cell**.
#
# Once everything is written, a whole chapter runs in @SHORTEST@ to @LONGEST@ minutes on two cores. Nothing needs a
# network or a GPU.
#
# ## When you are stuck

# %% [markdown] reader="alone"
# These work in every chapter once its first cell has run:
#
# | write | and you get |
# |---|---|
# | `hint("tf")` | a hint, and one more each time you ask; after the last, the first again |
# | `answer("tf")` | the model answer with a note, once your check passes or @TRIES@ different tries have failed |
# | `use_reference("tf")` | the course's answer put in place, so that the chapter goes on |

# %% [markdown] reader="class"
# `hint("tf")` prints a hint, and one more each time you ask; after the last, it prints the first again. It works in
# every chapter once its first cell has run. The edition for a class does not contain the model answers.

# %% [markdown]
# [An AI assistant](ai_assistant.md) can help you learn, or it can do the learning in your place. That page says how to
# use one.
#
# Handy keys: <kbd>Esc</kbd> <kbd>A</kbd> or <kbd>B</kbd> inserts a cell above or below, <kbd>Ctrl</kbd>+<kbd>Z</kbd>
# undoes a change, <kbd>I</kbd> <kbd>I</kbd> stops a cell, and <kbd>0</kbd> <kbd>0</kbd> restarts Python.
#
# These pages go with all chapters: [notation](notation.md), the [concepts](concepts.md) with the exercise that builds
# each, a [glossary](glossary.md), the papers that the chapters refer to ([references](references.md)),
# [misprints](misprints.md), and [bring your own model](bring_your_own_model.md).
#
# ## How far you are
#
# Each check records its result in one file on your own machine; nothing is sent anywhere. Run this cell:

# %%
from helpers.course.progress import progress

progress()
