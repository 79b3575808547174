# %% wrong="one window too many" says="one window too many"
def windows(words, size, overlap=0):
    if not 0 <= overlap < size:
        raise ValueError("overlap")
    return [words[i : i + size] for i in range(0, len(words), size - overlap)]

# %% wrong="overlap ignored" says="overlap is ignored"
def windows(words, size, overlap=0):
    if not 0 <= overlap < size:
        raise ValueError("overlap")
    return [words[i : i + size] for i in range(0, len(words), size)]

# %% wrong="last one dropped" says="last, shorter window"
def windows(words, size, overlap=0):
    if not 0 <= overlap < size:
        raise ValueError("overlap")
    return [words[i : i + size] for i in range(0, len(words) - size + 1, size - overlap)]

# %% wrong="nothing refused" says="must raise a ValueError"
def windows(words, size, overlap=0):
    found, start = [], 0
    while start < len(words):
        found.append(words[start : start + size])
        if start + size >= len(words):
            break
        start += max(1, size - overlap)
    return found

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

# %% right="counted beforehand"
def windows(words, size, overlap=0):
    if not 0 <= overlap < size:
        raise ValueError("overlap")
    count = max(1, math.ceil((len(words) - overlap) / (size - overlap))) if words else 0
    return [words[i * (size - overlap) : i * (size - overlap) + size] for i in range(count)]
