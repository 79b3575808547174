# %% right="zip, numpy, itertools"
def shingles(words, n):
    return set(zip(*(words[k:] for k in range(n)))) or {tuple(words)}
def signature(items, hash_of, seeds):
    out = []
    for seed in seeds:
        smallest = None
        for item in items:
            h = hash_of(seed, item)
            smallest = h if smallest is None or h < smallest else smallest
        out.append(smallest)
    return out
def candidates(signatures, band):
    import itertools
    pairs = set()
    for start in range(0, len(signatures[0]) if signatures else 0, band):
        groups = {}
        for i, s in enumerate(signatures):
            groups.setdefault(tuple(s[start : start + band]), []).append(i)
        for group in groups.values():
            pairs |= set(itertools.combinations(group, 2))
    return pairs
def keep_first(signatures, band, threshold):
    pairs, gone = candidates(signatures, band), set()
    for j in range(len(signatures)):
        for i in range(j):
            if i not in gone and (i, j) in pairs and np.mean(np.array(signatures[i]) == np.array(signatures[j])) >= threshold:
                gone.add(j)
    return [j for j in range(len(signatures)) if j not in gone]
# %% right="all pairs, few documents"
def candidates(signatures, band):
    found = set()
    for j, b in enumerate(signatures):
        for i, a in enumerate(signatures[:j]):
            if any(a[k : k + band] == b[k : k + band] for k in range(0, len(a), band)):
                found.add((i, j))
    return found
def keep_first(signatures, band, threshold):
    stays, pairs = [], candidates(signatures, band)
    for j in range(len(signatures)):
        like = [i for i in stays if (i, j) in pairs and sum(map(int.__eq__, signatures[i], signatures[j])) / len(signatures[j]) >= threshold]
        stays += [] if like else [j]
    return stays
# %% right="a window over the words"
def shingles(words, n):
    from collections import deque
    window, found = deque(maxlen=n), set()
    for word in words:
        window.append(word)
        if len(window) == n:
            found.add(tuple(window))
    return found if found else {tuple(words)}
# %% wrong="the last is missing" says="last sequence is missing"
#~ range(len(words) - n + 1) => range(len(words) - n)
# %% wrong="short ones at the end" says="too short"
#~ range(len(words) - n + 1) => range(len(words))
# %% wrong="no overlap" says="do not overlap"
#~ range(len(words) - n + 1) => range(0, len(words) - n + 1, n)
# %% wrong="nothing for a short document" says="has one shingle, all of its words"
#~ return {tuple(words)} => return set()
# %% wrong="words of a short document" says="not one for each word"
#~ return {tuple(words)} => return {(word,) for word in words}
# %% wrong="sorted" says="order inside"
#~ {tuple(words[i : i + n]) for => {tuple(sorted(words[i : i + n])) for
# %% wrong="joined" says="tuple of words"
#~ {tuple(words[i : i + n]) for => {" ".join(words[i : i + n]) for
# %% wrong="the largest" says="largest hash"
#~ min(hash_of(seed, item) for item in items) => max(hash_of(seed, item) for item in items)
# %% wrong="items" says="items came"
#~ min(hash_of(seed, item) for item in items) => min(items, key=lambda item: hash_of(seed, item))
# %% wrong="smallest of one seed" says="of one seed"
def signature(items, hash_of, seeds):
    seeds = list(seeds)
    return sorted(hash_of(seeds[0], item) for item in items)[: len(seeds)]
# %% wrong="sorted signature" says="order of the seeds"
#~ return smallest => return sorted(smallest)
# %% wrong="first seed" says="first seed alone"
#~ min(hash_of(seed, item) for item in items) => min(hash_of(list(seeds)[0], item) for item in items)
# %% wrong="seeds 0, 1, 2" says="take those of `seeds`"
#~ for seed in seeds: => for seed in range(len(list(seeds))):
# %% wrong="all bands" says="one is enough"
def candidates(signatures, band):
    return {(i, j) for j in range(len(signatures)) for i in range(j) if signatures[i] == signatures[j]}
# %% wrong="one equal number" says="one equal number"
def candidates(signatures, band):
    return {(i, j) for j in range(len(signatures)) for i in range(j) if any(a == b for a, b in zip(signatures[i], signatures[j]))}
# %% wrong="first band" says="first band"
#~ range(0, len(numbers), band) => range(0, 1)
# %% wrong="last band" says="last band"
#~ range(0, len(numbers), band) => range(len(numbers) - band, len(numbers), band)
# %% wrong="band not in the key" says="in different bands"
#~ (start, *numbers[start : start + band]) => tuple(numbers[start : start + band])
# %% wrong="number of bands" says="how many numbers a band has"
#-     for i, numbers in enumerate(signatures):
#+     band = max(len(signatures[0]) // band, 1) if signatures else 1
#+     for i, numbers in enumerate(signatures):
# %% wrong="bands overlap" says="bands do not overlap"
#~ range(0, len(numbers), band) => range(0, len(numbers) - band + 1)
# %% wrong="both orders" says="both orders"
#~ pairs.update((i, j) for i in documents[:place]) => pairs.update(p for i in documents[:place] for p in ((i, j), (j, i)))
# %% wrong="larger first" says="larger index"
#~ pairs.update((i, j) for i in documents[:place]) => pairs.update((j, i) for i in documents[:place])
# %% wrong="order in a band lost" says="order of the numbers"
#~ (start, *numbers[start : start + band]) => (start, *sorted(numbers[start : start + band]))
# %% wrong="neighbours alone" says="only neighbours"
#~ for i in documents[:place]) => for i in documents[max(place - 1, 0) : place])
# %% wrong="likeness to what is gone" says="gone itself"
#~ for i in kept: => for i in range(j):
# %% wrong="candidates alone" says="share of equal numbers"
#~ equal >= threshold * len(numbers) => True
# %% wrong="all pairs" says="only candidate pairs"
#~ if (i, j) in pairs: => if True:
# %% wrong="strictly above" says="exactly `threshold`"
#~ equal >= threshold => equal > threshold
# %% wrong="those that go" says="documents that go"
#~ return kept => return [i for i in range(len(signatures)) if i not in kept]
# %% wrong="the first number of a band" says="first numbers of a band"
#~ (start, *numbers[start : start + band]) => (start, numbers[start])
