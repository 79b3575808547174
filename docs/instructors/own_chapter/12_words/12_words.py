# %% [markdown]
# # 12 Words: the longest of them
#
# A chapter as small as a chapter can be: one exercise with its check, one essay. Copy it and write yours over it.

# %% given
import re

# %% [markdown]
# ## Exercise 1: the longest word (`longest`)
#
# 5 minutes, ★, 80 points
#
# Which word of a message says most? A poor guess, and a start: the longest one. By hand: of *a*, *prize*, *of* and *today*
# two have five letters, and the first of them counts, *prize*.

# %% exercise="longest"
def longest_word(tokens: list[str]) -> str:
    """Return the longest token; of several that are as long the first; "" if there is none."""
    ### BEGIN SOLUTION
    return max(tokens, key=len, default="")
    ### END SOLUTION

# %% check="longest" points=80

# %% show
print(longest_word(re.findall(r"\w+", "Congratulations, you have won a prize")))

# %% [markdown]
# ## Essay 1: a poor guess
#
# 5 minutes, ★, 20 points, graded by hand
#
# Give a message whose longest word says nothing of what it is about, and say why.

# %% [markdown] essay="poor-guess" points=20
# ### BEGIN SOLUTION
# "Unfortunately the rent is due": the longest word is how the writer feels about it.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# 10 points: a message whose longest word is beside the matter.
# 10 points: why length and meaning have little to do with one another.
# ### END MARK SCHEME
