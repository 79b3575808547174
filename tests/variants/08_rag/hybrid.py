# %% base="a loop"
def hybrid(question, searches, owners, k=100):
    rankings = [search(question, 2 * k) for search in searches]
    numbers, seen = [], set()
    for number, _ in fuse(rankings):
        owner = int(owners[number])
        if owner not in seen:
            seen.add(owner)
            numbers.append(number)
    return numbers[:k]
# %% wrong="no document looked at" says="keep one chunk" of="a loop"
#~ owner not in seen => True
# %% wrong="the last chunk" says="not the last"
#~ found.setdefault(int(owners[number]), number) => found[int(owners[number])] = number
# %% wrong="cut too early" says="cut to k before" of="a loop"
#~ in fuse(rankings): => in fuse(rankings)[:k]:
# %% wrong="one of each before fusing" says="before fusing" of="a loop"
#~ rankings = [search(question, 2 * k) for search in searches] => rankings = [[n for i, n in enumerate(r) if owners[n] not in {owners[m] for m in r[:i]}] for r in (search(question, 2 * k) for search in searches)]
# %% wrong="k of each" says="not for k"
#~ 2 * k => k
# %% wrong="a hundred of each" says="however small" of="a loop"
#~ 2 * k => max(100, 2 * k)
# %% wrong="the first search" says="not only the first"
#~ for search in searches]) => for search in searches[:1]])
# %% wrong="two searches" says="only the first two" of="a loop"
#~ for search in searches] => for search in searches[:2]]
# %% wrong="in turns" says="take turns" of="a loop"
#~ for number, _ in fuse(rankings) => for number in dict.fromkeys(r[i] for i in range(2 * k) for r in rankings if i < len(r))
# %% wrong="one behind the other" says="appended to each other" of="a loop"
#~ for number, _ in fuse(rankings) => for number in dict.fromkeys(n for r in rankings for n in r)
# %% wrong="c of 0" says="c is 60"
#~ for search in searches]) => for search in searches], 0.0)
# %% wrong="c of 2k" says="2 * k for its c"
#~ for search in searches]) => for search in searches], 2 * k)
# %% wrong="c of k" says="given k for its c"
#~ for search in searches]) => for search in searches], k)
# %% wrong="until k are found" says="fewer than k documents" of="a loop"
#-     for number, _ in fuse(rankings):
#+     fused, at = fuse(rankings), 0
#+     while len(numbers) < k:
#+         number, at = fused[at][0], at + 1
# %% wrong="best rank" says="fuse adds" of="a loop"
#-     for number, _ in fuse(rankings):
#+     best = {}
#+     for ranking in rankings:
#+         for rank, n in enumerate(ranking, 1):
#+             best[n] = max(best.get(n, 0), 1 / (60 + rank))
#+     for number in sorted(best, key=lambda n: (-best[n], n)):
# %% wrong="documents" says="not those of documents" of="a loop"
#~ numbers.append(number) => numbers.append(owner)
# %% wrong="keys for values" says="not those of documents"
#~ found.values() => found.keys()
# %% wrong="pairs" says="numbers alone" of="a loop"
#~ numbers.append(number) => numbers.append((number, 1 / 61))
# %% wrong="k and one" says="one more" of="a loop"
#~ numbers[:k] => numbers[: k + 1]
# %% wrong="not cut" says="at most k" of="a loop"
#~ numbers[:k] => numbers
# %% wrong="sorted" says="sorted by number" of="a loop"
#~ numbers[:k] => sorted(numbers[:k])
# %% wrong="reversed" says="reverse" of="a loop"
#~ numbers[:k] => numbers[:k][::-1]
# %% wrong="without document 0" says="document 0" of="a loop"
#~ owner not in seen => owner and owner not in seen
# %% wrong="without chunk 0" says="chunk 0" of="a loop"
#~ owner not in seen => number and owner not in seen
# %% wrong="asked twice" says="asked once" of="a loop"
#~ rankings = [ => rankings = [search(question, 2 * k) for search in searches] and [
# %% wrong="lower case" says="question as it is" of="a loop"
#~ search(question, 2 * k) => search(question.lower(), 2 * k)
# %% wrong="c is k" clause="leave $c$ at its default" says="leave it out" of="a loop"
#~ in fuse(rankings): => in fuse(rankings, k):
# %% right="stops at k" of="a loop"
#~ owner not in seen => owner not in seen and len(numbers) < k
# %% right="owners as a list" of="a loop"
#~ owner = int(owners[number]) => owner = list(owners)[number]
# %% right="a dict from the back"
def hybrid(question, searches, owners, k=100):
    fused = fuse([search(question, k * 2) for search in searches])
    first = {int(owners[number]): number for number, _ in reversed(fused)}
    order = [number for number, _ in fused]
    return sorted(first.values(), key=order.index)[:k]
# %% right="np.unique"
def hybrid(question, searches, owners, k=100):
    rankings = []
    for search in searches:
        rankings.append(search(question, k + k))
    numbers = np.array([n for n, _ in fuse(rankings)], dtype=int)
    _, first = np.unique(np.asarray(owners)[numbers], return_index=True)
    return numbers[np.sort(first)][:k].tolist()
# %% right="fusion by hand" of="a loop"
#-     for number, _ in fuse(rankings):
#+     score = Counter()
#+     for ranking in rankings:
#+         score.update({n: 1 / (60 + rank) for rank, n in enumerate(ranking, 1)})
#+     for number in sorted(score, key=lambda n: (-score[n], n)):
# %% right="arrays from the searches" of="a loop"
#~ search(question, 2 * k) for => list(np.asarray(search(question, 2 * k), dtype=int)) for
