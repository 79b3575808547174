from helpers.checks import graded


@graded("vectors", points=5)
def score(check):
    import numpy as np

    ### BEGIN MISTAKES
    best_first = "the best comes first"

    def packed(vectors, above=lambda v: v > 0, turn=False):
        rows = []
        for row in vectors.tolist():
            bits = "".join("1" if above(v) else "0" for v in row)
            bytes_of = [bits[i : i + 8].ljust(8, "0") for i in range(0, len(bits), 8)]
            rows.append([int(b[::-1] if turn else b, 2) for b in bytes_of])
        return np.array(rows, dtype=np.uint8).reshape(len(vectors), -(-vectors.shape[1] // 8))

    def filled(vectors):
        more = -vectors.shape[1] % 8
        return np.packbits(np.pad(vectors > 0, ((0, 0), (0, more)), constant_values=True), axis=1)

    check.mistakes({
        "the first number is the highest bit of its byte, not the lowest": lambda v: packed(v, turn=True),
        "a bit is 1 where the number is above 0: at 0 it is 0": lambda v: packed(v, lambda n: n >= 0),
        "these are the bits one by one: eight of them share a byte": lambda v: (v > 0).astype(np.uint8),
        "uint8 is asked for": lambda v: packed(v).astype(float),
        "each vector is packed by itself (axis=1): here all numbers in one row":
            lambda v: np.packbits(v > 0).reshape(len(v), -1),
        "places after the last number are 0: here 1": filled,
    }, sign_bits)

    def counted(queries, passages):
        rows = []
        for q in queries:
            both = [int.from_bytes(q.tobytes(), "big") ^ int.from_bytes(p.tobytes(), "big") for p in passages]
            rows.append([bits.bit_count() for bits in both])
        return np.array(rows).reshape(len(queries), len(passages))

    check.mistakes({
        "these are the bits that agree": lambda q, p: 8 * q.shape[1] - counted(q, p),
        "these are the ones that both have: an exclusive or counts where they differ":
            lambda q, p: np.unpackbits(q[:, None] & p, axis=-1).sum(-1),
        "these are the bytes that differ: count their bits": lambda q, p: (q[:, None] != p[None]).sum(-1),
        "the bytes that differ were added up as numbers: count their ones":
            lambda q, p: (q[:, None] ^ p[None]).sum(-1, dtype=np.int64),
        "queries belong to the rows, passages to the columns": lambda q, p: counted(p, q),
        "256 and more do not fit into a byte: sum in a larger type": lambda q, p: counted(q, p).astype(np.uint8),
    }, hamming)

    def by(key, numbers, count):
        """The first numbers in the order of a key."""
        return np.array(sorted(numbers, key=key)[:count], dtype=int)

    def ranked(query, passages, distances, shortlist, k):
        short = by(lambda i: (distances[i], i), range(len(passages)), shortlist)
        products = passages.astype(float) @ query
        return by(lambda i: (-products[i], i), short, k)

    def places(query, passages, distances, shortlist, k):
        """Where in the short list the right ones are."""
        short = by(lambda i: (distances[i], i), range(len(passages)), shortlist).tolist()
        return np.array([short.index(i) for i in ranked(query, passages, distances, shortlist, k)], dtype=int)

    check.mistakes({
        "the short list is not used: all passages were ranked": lambda q, p, d, s, k: ranked(q, p, d, len(p), k),
        "all that are as near as the last of the short list joined it: of equals those that are first in the list do":
            lambda q, p, d, s, k: ranked(q, p, d, int((d <= np.sort(d)[:s].max(initial=-1)).sum()), k),
        "of equal products the passage that is first in the list comes first, not the nearer one":
            lambda q, p, d, s, k: by(lambda i: (-(p[i].astype(float) @ q), d[i], i), ranked(q, p, d, s, s), k),
        "the products do not rank: this is the order of the distances":
            lambda q, p, d, s, k: np.argsort(d, kind="stable")[:k],
        best_first + ": here it comes last": lambda q, p, d, s, k: ranked(q, p, d, s, k)[::-1],
        "these are places in the short list, in the passages' order: places among the passages are asked for":
            lambda q, p, d, s, k: np.searchsorted(np.sort(np.argsort(d, kind="stable")[:s]), ranked(q, p, d, s, k)),
        best_first: lambda q, p, d, s, k: ranked(-q, p, d, s, k),
        "the passages of the smallest distance are near, not those of the largest":
            lambda q, p, d, s, k: ranked(q, p, -d, s, k),
        "the products were divided by the lengths":
            lambda q, p, d, s, k: ranked(q, p / np.maximum(np.linalg.norm(p, axis=1, keepdims=True), 1e-12), d, s, k),
        "the distance between the vectors ranks here: their product is asked for":
            lambda q, p, d, s, k: by(lambda i: np.linalg.norm(p[i] - q), ranked(q, p, d, s, s), k),
        "these are places in the short list: places among the passages are asked for": places,
        "only k passages are on the short list: `shortlist` of them are": lambda q, p, d, s, k: ranked(q, p, d, k, k),
        "of equal products the passage that is first in the list comes first, not the last":
            lambda q, p, d, s, k: by(lambda i: (-(p[i].astype(float) @ q), -i), ranked(q, p, d, s, s), k),
        "of equal distances the passage that is first in the list comes first, not the last":
            lambda q, p, d, s, k: by(lambda i: (-(p[i].astype(float) @ q), i),
                by(lambda i: (d[i], -i), range(len(p)), s), k),
        "all of the short list came back: the k best of it are asked for": lambda q, p, d, s, k: ranked(q, p, d, s, s),
    }, rescore)
    ### END MISTAKES
    a = np.array([[0.4, -0.1, 0.3, 0.2]])
    check(sign_bits, a).equals(
        [[176]], about="the text's vector",
        near={
            "a bit is 1 where a number is above 0: these are the others": [[64]],
            "the zeros that fill the byte are after the last number": [[11]],
        },
    )
    nine = np.array([[1.0, 0.0, -2.0, 0.0, 3.0, -1.0, 0.0, 4.0, -0.5], [-1.0, 2, 3, -4, -5, 6, -7, 8, 9]])
    check(sign_bits, nine).equals(
        [[137, 0], [101, 128]], about="nine numbers",
        near={
            "the last, incomplete byte is missing": [[137], [101]],
            "the zeros that fill the byte are after the last number": [[137, 0], [101, 1]],
        },
    )
    P = np.array([[176, 0], [224, 3], [79, 255]], dtype=np.uint8)
    Q = np.array([[176, 0], [0, 1]], dtype=np.uint8)
    check(hamming, Q, P).equals(
        [[0, 4, 16], [4, 4, 12]], about="how many bits differ",
        near={
            "these are differences of the bytes as numbers: count the bits that differ":
                [[0, 51, 352], [177, 226, 333]],
        },
    )
    ones, zeros = np.full((1, 32), 255, dtype=np.uint8), np.zeros((1, 32), dtype=np.uint8)
    check(hamming, ones, zeros).equals([[256]], about="256 bits differ")
    equal = np.array([[0.0, 1.0], [2.0, 0.0], [9.0, 9.0]])
    check(rescore, np.array([1.0, 2.0]), equal, np.array([2, 1, 2]), 2, 2).equals(
        [0, 1], about="equal products, equal distances")
    query, distances = np.array([1.0, 2.0]), np.array([5, 1, 3, 1, 9])
    passages = np.array([[9.0, 9.0], [1.0, 0.0], [0.0, 2.0], [3.0, 1.0], [8.0, 8.0]])
    check(rescore, query, passages, distances, 3, 2).equals([3, 2], about="a short list of three")
    ### BEGIN HIDDEN TESTS
    check.hidden()
    rng = check.rng
    for shape in [(4, 24), (5, 13), (3, 100)]:
        v = rng.normal(size=shape)
        v[rng.random(shape) < 0.15] = 0.0
        check(sign_bits, v).equals(packed(v), about="fresh vectors", dtype="i")
    for shape in [(1, 8), (3, 1), (1, 1), (2, 7), (90, 64)]:
        v = rng.normal(size=shape)
        check(sign_bits, v).equals(packed(v), about="one vector, one number, many", edge=True)
    v = rng.normal(size=(9, 4))
    check(sign_bits, v.T).equals(packed(v.T), about="turned, float32, tiny ones", edge=True)
    v = 1e-60 * rng.normal(size=(5, 9))
    check(sign_bits, v).equals(packed(v), about="turned, float32, tiny ones", edge=True)
    v = (1e-30 * rng.normal(size=(4, 9))).astype(np.float32)
    check(sign_bits, v).equals(packed(v), about="turned, float32, tiny ones", edge=True)

    def bytes_of(*shape):
        return rng.integers(0, 256, shape).astype(np.uint8)

    for q, p, size in [(3, 5, 8), (3, 5, 8), (4, 7, 3), (6, 2, 64)]:
        queries, passages = bytes_of(q, size), bytes_of(p, size)
        check(hamming, queries, passages).equals(counted(queries, passages), about="fresh bytes", dtype="i")
    far = bytes_of(3, 64)
    check(hamming, far, np.concatenate([255 - far, far])).equals(
        counted(far, np.concatenate([255 - far, far])), about="all bits differ, none does", edge=True)
    for q, p, size in [(1, 4, 5), (4, 1, 5), (3, 4, 1), (1, 1, 1), (5, 70, 130), (70, 4, 3)]:
        queries, passages = bytes_of(q, size), bytes_of(p, size)
        check(hamming, queries, passages).equals(
            counted(queries, passages), about="one query, one passage, one byte, long ones", edge=True)
    v, w = rng.normal(size=(3, 40)), rng.normal(size=(4, 40))
    check(lambda: hamming(sign_bits(v), sign_bits(w))).equals(
        ((40 - np.sign(v) @ np.sign(w).T) / 2).astype(int), about="(C - s t) / 2")
    for count, size, shortlist, k in [(12, 5, 6, 3), (30, 4, 10, 10), (9, 7, 4, 2)]:
        args = rng.normal(size=size), rng.normal(size=(count, size)), rng.integers(0, 40, count), shortlist, k
        check(rescore, *args).equals(ranked(*args), about="fresh short lists", weight=2, dtype="i")
    for _ in range(2):
        args = np.array([1.0, 1.0]), rng.integers(0, 3, (20, 2)).astype(float), rng.integers(0, 4, 20), 9, 6
        check(rescore, *args).equals(ranked(*args), about="equal distances, equal products", near={
            "of equal products the passage that is first in the list comes first, not the nearer one": np.array(
                sorted(sorted(range(20), key=lambda i: (args[2][i], i))[:9], key=lambda i: -args[1][i].sum())[:6])})
    for count, shortlist, k in [(5, 9, 3), (6, 3, 5), (1, 1, 1), (4, 1, 1), (8, 5, 1), (7, 7, 7), (3, 10, 10)]:
        args = rng.normal(size=3), rng.normal(size=(count, 3)), rng.integers(0, 9, count), shortlist, k
        check(rescore, *args).equals(
            ranked(*args), about="lists longer than what is there, of one", edge=True)
    args = np.array([1.0]), np.array([[1.0], [2.0]]), np.array([3, 4]), 1, 1  # the second has the larger product
    check(rescore, *args).equals([0], about="lists longer than what is there, of one", edge=True)
    close = "many passages, one number each, products near each other"
    args = 100 * rng.normal(size=70), 100 * rng.normal(size=(90, 70)), rng.integers(0, 300, 90), 75, 72
    check(rescore, *args).equals(ranked(*args), about=close, edge=True)
    args = np.array([3.0]), rng.normal(size=(9, 1)), rng.integers(0, 9, 9), 5, 4
    check(rescore, *args).equals(ranked(*args), about=close, edge=True)
    args = np.array([1.0, 0.0]), np.array([[1.0, 0.0], [1.0 + 1e-11, 0.0]]), np.zeros(2), 2, 2
    check(rescore, *args).equals([1, 0], about=close, edge=True)
    for small, large in [((1, 1), (1, 1 + 1e-11)), ((1 + 1e-11, 1), (1, 1))]:
        args = np.array(large), np.array([[1.0, 0.0], [0.0, 1.0], [*small]]) * [[1], [1], [0.1]], np.zeros(3), 3, 3
        check(rescore, *args).equals(
            ranked(*args), about=close, edge=True)
    ### END HIDDEN TESTS


score
