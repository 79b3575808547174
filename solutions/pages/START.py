# %% [markdown]
# # Start here
#
# This course takes you from counting words to an assistant that finds an answer, reads it, and says where it stands.
# You write the parts that matter, a few lines at a time; a check tells you at once what is right, and what the mistake
# is where it is not.
#
# ![Chapters 01 to 04 lead from bags of words to attention, 05 and 06 build transformers and their tokens, 07 to 09
# search, answer and adapt; an assistant uses all of them. 10 makes a model small, 11 looks at what came
# later.](figures/map.svg)
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
# | [09 LoRA](09_lora/09_lora.ipynb) | a model adapted in a minute, and the assistant, from all that you built | ? |
# | [10 Choose and squeeze](10_squeeze/10_squeeze.ipynb) | your GPT at a fraction of its bytes, writing well | ? |
# | [11 Beyond](11_beyond/11_beyond.ipynb) | a model that looks at pictures and answers questions about them | ? |
#
# Two tasks come back from 01 to 09: finding spam, and telling 150 intents apart from 1, 5 or 10 examples of each. What
# you build is measured on both, whether it wins or loses. So you see what it buys to count words, to train from
# nothing, and to adapt a model that has read before:
#
# ![Accuracy with 1, 5 and 10 labelled examples of each intent: counted words reach 0.80, models trained from nothing on
# so little stay below them, MiniLM as it comes reaches 0.91 and with your LoRA 0.92.](figures/labels.svg)
#
# With ten examples MiniLM's pre-training is worth ten points over counted words, and your LoRA one more.
#
# The hours are those of the exercises times 1.6, which includes reading and wrong turns. Each exercise names its
# minutes.
#
# ## Three paths
#
# - **The whole course**: FIRST to LAST in order, some TOTAL hours, a chapter a week. 06 may come before 05.
# - **To transformers in a week**: 01 up to exercise 8, 02 up to exercise 6, then 04 and 05, some twenty-five hours.
# - **RAG and LoRA for practitioners**: 01 exercises 3 to 8 and 12 (TF-IDF, BM25), 04 up to exercise 7, 07, 08 and 09.
#
# Outside a class, what you leave out stays usable: `use_reference("bm25")` puts the course's own answer in its place.
#
# ## How a chapter works
#
# 1. Read a paragraph, look at its drawing, follow the example by hand. Run each cell of code as you come to it, from
#    the first on: <kbd>Shift</kbd>+<kbd>Enter</kbd>.
# 2. Write your lines where a cell says `raise NotImplementedError()`, and run it.
# 3. Run the check below, such as `check("tf")`. It shows what was called, what was expected, what you returned, and the
#    mistake where it knows it. A check may be run as often as you like.
# 4. Look at what the chapter then does with your function.
#
# When you come back another day, Python has forgotten what you ran: click the cell where you go on, and choose **Run**,
# then **Run All Above Selected Cell**.
#
# Training runs take seconds, a whole chapter a few minutes on a laptop. Nothing needs a network or a GPU.
#
# ## When you are stuck
#
# These work in every chapter once its first cell has run:
#
# | write | and you get |
# |---|---|
# | `hint("tf")` | one hint, and one more each time |
# | `answer("tf")` | the model answer and what to notice in it, once your check passes or three different tries failed |
# | `use_reference("tf")` | the course's answer put in place, so that the chapter goes on |
#
# In a class the answers are not part of your files; the first line still works. Handy keys: <kbd>Esc</kbd> <kbd>A</kbd>
# or <kbd>B</kbd> makes a cell above or below, <kbd>Ctrl</kbd>+<kbd>Z</kbd> takes a change back, <kbd>I</kbd>
# <kbd>I</kbd> stops a cell, <kbd>0</kbd> <kbd>0</kbd> starts Python anew.
#
# There are seven pages beside the chapters: [notation](notation.md), the [concepts](concepts.md) with the exercise that
# builds each, a [glossary](glossary.md), the papers that the chapters speak of ([references](references.md)),
# [misprints](misprints.md), [bring your own model](bring_your_own_model.md), and [how to learn with an AI
# assistant](ai_assistant.md).
#
# ## How far you are
#
# Each check keeps what it found in one file on your own machine; nothing is sent anywhere. Run this cell:

# %%
from helpers.course.progress import progress

progress()
