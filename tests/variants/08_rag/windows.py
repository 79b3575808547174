# %% base="the plain way"
def windows(words, size, overlap=0):
    if not 0 <= overlap < size:
        raise ValueError("overlap must be at least 0 and below size")
    out = []
    for start in range(0, len(words), size - overlap):
        out.append(words[start : start + size])
        if start + size >= len(words):
            break
    return out
# %% wrong="one window too many" says="one window too many"
def windows(words, size, overlap=0):
    if not 0 <= overlap < size:
        raise ValueError("overlap")
    return [words[i : i + size] for i in range(0, len(words), size - overlap)]
# %% wrong="overlap ignored" says="overlap is ignored" of="one window too many"
#~ size - overlap => size
# %% wrong="last one dropped" says="last, shorter window" of="one window too many"
#~ (words) => (words) - size + 1
# %% wrong="nothing refused" says="must raise a ValueError" of="a while loop"
#-     if overlap < 0 or overlap >= size:
#-         raise ValueError(f"overlap {overlap} does not fit windows of {size}")
#~ found.append(list(words[start : start + size])) => found.append(words[start : start + size])
#-             return found
#-         start += size - overlap
#+             break
#+         start += max(1, size - overlap)
# %% wrong="refuses only when there are words" says="ValueError" of="the plain way"
#- def windows(words, size, overlap=0):
#+ def windows(words, size, overlap=0):
#+     if not words:
#+         return []
# %% wrong="step one too small" says="not one more" of="the plain way"
#~ size - overlap => max(1, size - overlap - 1)
# %% wrong="step one too large" says="not one less" of="the plain way"
#~ (0, len(words), size - overlap) => (0, len(words), size - overlap + 1)
# %% wrong="windows of size plus overlap" says="size" of="the plain way"
#~ size - overlap => size
#~ [start : start + size] => [start : start + size + overlap]
# %% wrong="overlap of size minus one refused" says="overlap" of="the plain way"
#~ size: => size - 1:
# %% wrong="AssertionError" says="ValueError" of="the plain way"
#-     if not 0 <= overlap < size:
#-         raise ValueError("overlap must be at least 0 and below size")
#+     assert 0 <= overlap < size
# %% wrong="last window is filled from before" says="shorter" of="the plain way"
#-             break
#+             break
#+     if out and len(out[-1]) < size:
#+         out[-1] = words[-size:]
# %% wrong="negative overlap allowed" says="ValueError" of="the plain way"
#~ 0 <= overlap => overlap
# %% right="a while loop"
def windows(words, size, overlap=0):
    if overlap < 0 or overlap >= size:
        raise ValueError(f"overlap {overlap} does not fit windows of {size}")
    found, start = [], 0
    while start < len(words):
        found.append(list(words[start : start + size]))
        if start + size >= len(words):
            return found
        start += size - overlap
    return found
# %% right="counted beforehand" of="one window too many"
#-     return [words[i : i + size] for i in range(0, len(words), size - overlap)]
#+     count = max(1, math.ceil((len(words) - overlap) / (size - overlap))) if words else 0
#+     return [words[i * (size - overlap) : i * (size - overlap) + size] for i in range(count)]
# %% right="while loop"
def windows(words, size, overlap=0):
    if overlap < 0 or overlap >= size:
        raise ValueError(overlap)
    out, start = [], 0
    while start < len(words) and (start == 0 or start + overlap < len(words)):
        out.append(list(words[start : start + size]))
        start += size - overlap
    return out
# %% right="number of windows by division"
def windows(words, size, overlap=0):
    if not 0 <= overlap < size:
        raise ValueError(f"overlap {overlap} for windows of {size}")
    if not words:
        return []
    step = size - overlap
    n = 1 + max(0, -(-(len(words) - size) // step))
    return [[w for w in words[i * step : i * step + size]] for i in range(n)]
# %% wrong="no more than 64 windows" says="many words" of="a while loop"
#~ while start < len(words) => while start < len(words) and len(found) < 64
# %% wrong="no window where the words are no more than the overlap" says="one window give one" of="one window too many"
#~ (words), size => (words) - overlap, size
# %% wrong="the last window is moved back to be full" says="may be shorter" of="the plain way"
#~ out.append(words[start : start + size]) => out.append(words[max(0, min(start, len(words) - size)) :][:size])
# %% wrong="the last, shorter window goes into the one before" says="one of its own" of="the plain way"
#-             break
#+             break
#+     if len(out) > 1 and len(out[-1]) < size:
#+         rest = out.pop()
#+         out[-1] = out[-1] + rest[overlap:]
# %% wrong="no words give one empty window" says="no words give no windows" of="the plain way"
#~ (0, len(words), => (0, max(1, len(words)),
# %% wrong="no error without words" says="where there are no words" clause="Whatever the words, even none: unless 0 <= overlap < size it is a ValueError."
#~ if not 0 <= overlap < size: => if words and overlap >= size or overlap < 0:
# %% wrong="as much overlap as words" says="must raise a ValueError" clause="Whatever the words, even none: unless 0 <= overlap < size it is a ValueError."
#~ if not 0 <= overlap < size: => if not 0 <= overlap <= size:
#~ size - overlap): => max(1, size - overlap)):
# %% wrong="one window of nothing" says="no words give no windows" clause="No words give no windows."
#~ return found => return found or [[]]
