from helpers.checks import graded
from helpers.checks.ways import not_taken


@graded("fast", points=7)
def score(check):
    ### BEGIN MISTAKES
    import heapq
    from itertools import pairwise

    gone = "pairs that are gone were still chosen: an old entry of the heap was believed"
    light = "a change counts as often as the word occurs: there how often each word occurs was ignored"

    def counted(table, weight):
        counts = {}
        for s, n in table:
            for i in range(len(s) - 1):
                counts[s[i], s[i + 1]] = counts.get((s[i], s[i + 1]), 0) + weight(n)
        return counts

    def join(s, p):
        out, i = [], 0
        while i < len(s):
            hit = i + 1 < len(s) and s[i] == p[0] and s[i + 1] == p[1]
            out, i = [*out, p[0] + p[1] if hit else s[i]], i + 2 if hit else i + 1
        return out

    def trained(key=lambda p, n, ids, seen: (-n, ids[p[0]], ids[p[1]]), weight=lambda n: n, room=0, frozen="",
                grow=False, by_merges=False, least=1):
        def function(words, alphabet, size):
            table, vocabulary, merges = [(list(s), n) for s, n in words.items()], list(alphabet), []
            start, places = counted(table, weight), counted(table, lambda n: 1)
            while (len(merges) if by_merges else len(vocabulary)) < size + room:
                counts = counted(table, weight)
                if frozen == "all":
                    counts = {p: n for p, n in start.items() if p not in merges}
                elif frozen == "light":  # what changes counts once, not times the word
                    now = counted(table, lambda n: 1)
                    counts = {p: start.get(p, 0) + now.get(p, 0) - places.get(p, 0) for p in start | now}
                    counts = {p: n for p, n in counts.items() if n and p not in merges}
                elif frozen == "old":  # old pairs keep their first counts, new ones are true
                    counts = {p: start.get(p, n) for p, n in counts.items()}
                elif frozen == "new":
                    counts = {p: n for p, n in counts.items() if p in start}
                elif frozen == "alive":  # what is gone is still chosen
                    counts = {p: n for p, n in (start | counts).items() if p not in merges}
                if max(counts.values(), default=0) < least:
                    break
                ids = {}
                for i, v in enumerate(vocabulary):
                    ids.setdefault(v, i)
                seen = {p: i for i, p in enumerate(counts)}
                best = min(counts, key=lambda p: key(p, counts[p], ids, seen))
                merges.append(best)
                if grow or best[0] + best[1] not in ids:
                    vocabulary.append(best[0] + best[1])
                table = [(join(s, best), n) for s, n in table]
            return merges

        return function

    def heaped(push=lambda old, new: True, believe=lambda entry, now: entry == now, used_up=False, times=lambda n: n,
               heapify=True, learn=True, first=lambda n: n, alive=True, ends=False, keep=False, few=None, narrow=False):
        """The way of the text with a heap; push: whether a pair whose count went from old to new gets an entry."""

        def function(words, alphabet, size):
            ids, table, merges = {}, [(list(s), n) for s, n in words.items()], []
            for symbol in alphabet:
                ids.setdefault(symbol, len(ids))
            counts, where = counted(table, first), {}
            for k, (s, _) in enumerate(table):
                for p in pairwise(s):
                    where[p] = {k} if narrow else where.get(p, set()) | {k}
            heap = [(-n, ids[p[0]], ids[p[1]], p) for p, n in counts.items()]
            if heapify:
                heapq.heapify(heap)
            rounds = 0
            while len(ids) < size and heap and not (used_up and rounds >= size - len(alphabet)):
                entry, _, _, best = heapq.heappop(heap)
                rounds += 1
                if believe and ((alive and counts.get(best, 0) <= 0) or not believe(-entry, counts[best])):
                    if ends:
                        break
                    continue
                merges.append(best)
                ids.setdefault(best[0] + best[1], len(ids))
                old = dict(counts)
                for k in sorted(where.get(best, ()))[:few]:
                    s, n = table[k]
                    m = join(s, best)
                    for q in pairwise(s):
                        counts[q] = counts.get(q, 0) - times(n)
                    for q in pairwise(m):
                        counts[q] = counts.get(q, 0) + times(n)
                        if learn:
                            where.setdefault(q, set()).add(k)
                    table[k] = (s if keep else m, n)
                for q, n in counts.items():
                    if n != old.get(q, 0) and n > 0 and push(old.get(q, 0), n):
                        heapq.heappush(heap, (-n, ids[q[0]], ids[q[1]], q))
            return merges

        return function

    check.mistakes({
        f"{light}, in each merge": heaped(times=lambda n: 1),
        "a pair that became rarer needs a new entry, too: its old one is thrown away, and then it has none":
            heaped(push=lambda old, new: new > old),
        "a pair that became more frequent, or is new, needs a new entry, too": heaped(push=lambda old, new: new < old),
        "a new pair needs an entry, too, not only those that were there": heaped(push=lambda old, new: old > 0),
        "no new entry was ever of use: each pair whose count changed needs one with its true count, as -count":
            heaped(push=lambda old, new: False),
        "the first counts, too, count each word as often as it occurs": heaped(first=lambda n: 1),
        "a merge makes new pairs: `where` must learn, too, which words hold them": heaped(learn=False),
        f"{gone}, without a look at its true count": heaped(believe=None),
        "an entry above the true count was believed, also where no such pair is left":
            heaped(believe=lambda entry, now: entry >= now, alive=False),
        "an entry that is no longer true ended the training: throw it away and go on": heaped(ends=True),
        "the words were not kept after the merge: the next merge must find them as they are now": heaped(keep=True),
        "only one of the words that hold the pair was merged: all of `where[pair]` are": heaped(few=1),
        "`where` held only one word for each pair: it holds all": heaped(narrow=True),
        "how often each word occurs was ignored": trained(weight=lambda n: 1),
        "an entry that was thrown away counted as a merge: only merges count": heaped(used_up=True),
        "an old entry of the heap was believed, with a count above the truth: throw away what is not true now":
            heaped(believe=lambda entry, now: True),
        "heapq.heapify is missing: a list is no heap until it is made one": heaped(heapify=False),
        "counts must be true when a pair is chosen: an old entry of the heap was believed": trained(frozen="old"),
        "no count was ever brought up to date": trained(frozen="all"),
        "new pairs never came into the heap": trained(frozen="new"),
        gone: trained(frozen="alive"),
        light: trained(frozen="light"),
        "vocab_size is the number of tokens in all, alphabet and merges together": trained(by_merges=True),
        "one merge too few": trained(room=-1),
        "one merge too many": trained(room=1),
        "a tie: the ids decide, the places in the alphabet, not the order of the letters":
            trained(lambda p, n, ids, seen: (-n, p)),
        "a tie: the ids decide, not which pair was seen first": trained(lambda p, n, ids, seen: (-n, seen[p])),
        "a tie: the smallest ids win, here it is the largest":
            trained(lambda p, n, ids, seen: (-n, -ids[p[0]], -ids[p[1]])),
        "a tie: the left symbol decides before the right one":
            trained(lambda p, n, ids, seen: (-n, ids[p[1]], ids[p[0]])),
        "a tie: only the left symbol was looked at": trained(lambda p, n, ids, seen: (-n, ids[p[0]], seen[p])),
        "a heap gives the smallest entry first: the rarest pair was merged":
            trained(lambda p, n, ids, seen: (n, ids[p[0]], ids[p[1]])),
        "a token that is there already does not make the vocabulary grow": trained(grow=True),
        "a pair that occurs once is merged, too: only without any pair it ends": trained(least=2),
    }, train_bpe_fast)
    ### END MISTAKES
    missing = {"`where` does not know this pair: one that is new must be noted there, one that is gone left": KeyError}
    corpus = {tuple("raw_"): 1, tuple("how_"): 2, tuple("wow_"): 2, tuple("who_"): 1}
    check(train_bpe_fast, corpus, list("_ahorw"), 8).equals([("w", "_"), ("o", "w_")], near=missing)
    check(train_bpe_fast, {tuple("bac"): 2, tuple("cbb"): 2}, list("bca"), 5).equals([("b", "b"), ("b", "a")])
    fallen = [("a", "b"), ("b", "a"), ("ab", "ba")]
    check(train_bpe_fast, {tuple("abba"): 3, tuple("bbab"): 1}, ["a", "b"], 5).equals(
        fallen, about="counts fall", near=missing)
    four = [("w", "_"), ("o", "w_"), ("h", "ow_"), ("w", "ow_")]
    check(train_bpe_fast, corpus, list("_ahorw"), 10).equals(
        four, about="new pairs are merged", near=missing)
    own, called = "train_bpe was not called", "train_bpe was called: write the way with a heap out"
    check(taken, ["train_bpe"], train_bpe_fast, {("a", "b"): 2}, ["a", "b"], 3).holds(
        **not_taken(own, called), about="without train_bpe")
    letters = [chr(i) for i in range(200, 700)]
    apart = {(letter,): 1 for letter in letters}
    apart |= {(letters[i], letters[i + 1]): 2 for i in range(0, 80, 2)}

    def work(words, started, size):
        """How many lines run for each word."""
        return lines_run(train_bpe_fast, words, started, size) / len(words)

    touched = {"each merge goes through all words again: only those of `where[pair]` are touched": lambda n: n >= 20}
    check(work, apart, letters, 540).holds(
        lambda n: n < 20, "fewer than 20 lines for each of 540 words, though there are 40 merges",
        about="the work of a merge", edge=True, near=touched)
    ### BEGIN HIDDEN TESTS
    import json

    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    check.hidden()
    right = trained()
    for letters, number, extra in [("tahe", 8, 8), ("vwxyz", 10, 10), ("ab", 6, 7), ("abcdefgh", 14, 14)]:
        mixed = list(letters)
        check.rng.shuffle(mixed)
        words = {}
        for _ in range(number):
            size = int(check.rng.integers(2, 10))
            words[tuple(str(c) for c in check.rng.choice(mixed, size=size))] = int(check.rng.integers(1, 5))
        size = len(mixed) + extra
        merges = right(words, mixed, size)
        check(train_bpe_fast, words, mixed, size).equals(merges, about="fresh words, ties among them")
    check(taken, ["train_bpe"], train_bpe_fast, words, mixed, size).holds(
        **not_taken(own, called, merges), about="fresh words without train_bpe")
    letters = [chr(i) for i in check.rng.permutation(range(300, 900))]
    apart = {(letter,): 3 for letter in letters}
    apart |= {(letters[i], letters[i + 1]): 1 + i % 7 for i in range(0, 90, 2)}
    check(work, apart, letters, 645).holds(
        lambda n: n < 20, "few lines for each word", about="the work of a merge", edge=True, near=touched)
    runs = {("a",) * 11: 5, ("a",) * 7 + ("b",): 2, ("b", "a", "a"): 3}
    check(train_bpe_fast, runs, ["b", "a"], 9).equals(right(runs, ["b", "a"], 9), about="repeated symbols")
    octets = [bytes([b]) for b in (195, 169, 32, 116, 104)]
    drawn = [check.rng.integers(0, 5, size=8) for _ in range(5)]
    drawn = [tuple(map(octets.__getitem__, places)) for places in drawn]
    words = {word: int(check.rng.integers(1, 30)) for word in drawn}
    check(train_bpe_fast, words, octets, 14).equals(right(words, octets, 14), about="bytes")
    syllables = ["ten", "sor", "re", "shape", "in", "dex", "ed", "ing", "er", "s", "to", "array", "un", "pack"]
    made = ["".join(check.rng.choice(syllables, size=int(check.rng.integers(1, 5)))) for _ in range(150)]
    times = {word: int(check.rng.integers(1, 60)) for word in made}
    alphabet = sorted(set("".join(made)))
    library = Tokenizer(models.BPE())
    library.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    trainer = trainers.BpeTrainer(vocab_size=len(alphabet) + 90, show_progress=False)
    library.train_from_iterator([" ".join([word] * n) for word, n in times.items()], trainer)
    merges = [tuple(pair) for pair in json.loads(library.to_str())["model"]["merges"]]
    words = {tuple(word): n for word, n in times.items()}
    check(train_bpe_fast, words, alphabet, len(alphabet) + 90).equals(merges, about="as the library merges")
    words, started = {("a", "b", "c"): 3, ("c", "c", "a"): 2, ("a", "b"): 2}, ["c", "a", "ab", "b"]
    check(train_bpe_fast, words, started, 6).equals(
        right(words, started, 6), about="the joined symbol is a token already")
    words = {("a", "b", "c"): 3, ("c", "b", "a"): 3}
    check(train_bpe_fast, words, started, 7).equals(
        right(words, started, 7), about="the joined symbol is a token already", near={
            "a joined symbol that is a token already keeps its id": [("c", "b"), ("a", "b"), ("cb", "a"), ("ab", "c")]})
    words = {tuple("abcabd"): 1, tuple("bcdab"): 2, tuple("dcabc"): 1, tuple("cdd"): 1}
    empty = {"where no pair is left it ends: from an empty heap nothing can be taken": IndexError}
    check(train_bpe_fast, words, list("dbca"), 99).equals(
        right(words, list("dbca"), 99), about="until no pair is left", near=empty)
    many = [chr(i) for i in check.rng.permutation(range(97, 187))]
    words = {tuple(map(str, check.rng.choice(many[:40], size=4))): int(check.rng.integers(1, 9)) for _ in many}
    check(train_bpe_fast, words, many, 98).equals(right(words, many, 98), about="a large alphabet")
    check(train_bpe_fast, {("a", "b"): 3}, ["a", "b"], 50).equals(
        [("a", "b")], about="no pair is left", edge=True, near=empty)
    for size in (6, 3):
        check(train_bpe_fast, corpus, list("_ahorw"), size).equals([], about="nothing to add", edge=True)
    check(train_bpe_fast, {("a", "a"): 2}, ["a"], 1).equals([], about="an alphabet of one symbol", edge=True)
    check(train_bpe_fast, {("a", "a"): 2}, ["a"], 2).equals([("a", "a")], about="an alphabet of one symbol", edge=True)
    check(train_bpe_fast, {}, ["a"], 5).equals([], about="no words", edge=True, near=empty)
    ### END HIDDEN TESTS


score
