from helpers.checks import graded


@graded("replicas", points=7)
def score(check):
    import torch

    ### BEGIN MISTAKES
    import itertools

    from helpers.chapters.training import probes

    def cut(rows, replicas, sizes):
        bounds = [0]
        for size in sizes:
            bounds.append(bounds[-1] + size)
        return list(zip(bounds, bounds[1:], strict=False))

    def split(rows, replicas):
        whole, more = divmod(rows, replicas)
        return [whole + (i < more) for i in range(replicas)]

    check.mistakes(
        {
            "the rows left over were dropped: the first replicas take one more": lambda n, r: cut(n, r, [n // r] * r),
            "the rows left over all went to the last replica: sizes differ by at most one": lambda n, r: cut(
                n, r, [n // r] * (r - 1) + [n - n // r * (r - 1)]
            ),
            "the rows left over all went to the first replica: sizes differ by at most one": lambda n, r: cut(
                n, r, [n - n // r * (r - 1)] + [n // r] * (r - 1)
            ),
            "a replica without rows was left out: its start is its end": lambda n, r: [
                (a, b) for a, b in cut(n, r, split(n, r)) if b > a
            ],
            "the larger shares come last: they come first": lambda n, r: cut(n, r, split(n, r)[::-1]),
            "each share was rounded up: the last replicas get too few rows": lambda n, r: [
                (min(i * -(-n // r), n), min((i + 1) * -(-n // r), n)) for i in range(r)
            ],
            "these are sizes: (start, end) is asked for": lambda n, r: split(n, r),
            "the end is exclusive": lambda n, r: [(a, b - 1) for a, b in cut(n, r, split(n, r))],
            "these are (start, size): (start, end) is asked for": lambda n, r: [
                (a, b - a) for a, b in cut(n, r, split(n, r))
            ],
        },
        shares,
    )

    def joint(gradients, rows, weigh, keep=lambda n: True):
        averages = []
        for parts in zip(*gradients, strict=False):
            kept = [(g, n) for g, n in zip(parts, rows, strict=False) if keep(n)]
            averages.append(sum(g * weigh(n, sum(rows), len(rows)) for g, n in kept))
        return averages

    def some(n):
        return n > 0

    check.mistakes(
        {
            "all replicas weigh alike: one with more rows weighs more": lambda g, n: joint(
                g, n, lambda a, t, r: 1 / r, some
            ),
            "the gradients were added, not averaged": lambda g, n: joint(g, n, lambda a, t, r: 1, some),
            "each was multiplied by its rows and not divided by all of them": lambda g, n: joint(
                g, n, lambda a, t, r: a, some
            ),
            "divided by the number of replicas, too": lambda g, n: joint(g, n, lambda a, t, r: a / t / r, some),
            "a replica without rows took part: 0 times nan is nan": lambda g, n: joint(g, n, lambda a, t, r: a / t),
            "the gradients of the first replica came back": lambda g, n: list(g[0]),
            "a replica weighs by the share of the others' rows": lambda g, n: joint(
                g, n, lambda a, t, r: (t - a) / t, some
            ),
        },
        average_gradients,
    )

    def ring(vectors, send, *, add=True, second=True, shift=0, late=True, place=False, scale=1.0, twice=False):
        count = len(vectors)
        chunks = [list((v if place else v.clone()).chunk(count)) for v in vectors]
        for phase in (0, 1) if second else (0,):
            for k in range(count - 1):
                arrived = []
                for r in range(count):
                    which = (r + phase - k + shift * phase) % count
                    chunk = send(r, (r + 1) % count, chunks[r][which])
                    if late:
                        arrived.append((r, which, chunk))
                        continue
                    target = chunks[(r + 1) % count]
                    target[which] = chunk if phase else target[which] + chunk
                for r, which, chunk in arrived:
                    target = chunks[(r + 1) % count]
                    if place and phase == 0:
                        target[which] += chunk
                        continue
                    target[which] = target[which] + chunk if twice or (phase == 0 and add) else chunk
        return [torch.cat(parts) * scale for parts in chunks]

    def all_to_all(vectors, send):
        count = len(vectors)
        sums = [v.clone() for v in vectors]
        for r in range(count):
            for other in range(count):
                if r != other:
                    sums[other] = sums[other] + send(r, other, vectors[r])
        return sums

    def whole_vectors(vectors, send):
        count = len(vectors)
        sums, travelling = [v.clone() for v in vectors], list(vectors)
        for _ in range(count - 1):
            travelling = [send((r - 1) % count, r, travelling[(r - 1) % count]) for r in range(count)]
            sums = [s + t for s, t in zip(sums, travelling, strict=False)]
        return sums

    def unsent(vectors, send):
        total = sum(vectors)
        return [total.clone() for _ in vectors]

    def shown(vectors, send):
        count = len(vectors)
        for r, k in itertools.product(range(count), range(2 * (count - 1))):
            send(r, (r + 1) % count, vectors[r].chunk(count)[k % count])
        return unsent(vectors, send)

    def one_machine(vectors, send):
        total = vectors[0].clone()
        for r in range(1, len(vectors)):
            total = total + send(r, 0, vectors[r])
        return [total, *(send(0, r, total) for r in range(1, len(vectors)))]

    def rung(way, **part):
        return lambda vectors: probes.around(lambda v, s: way(v, s, **part), vectors)

    check.mistakes(
        {
            "nothing was sent: `send` is the only way from one machine to another": rung(unsent),
            "every machine sent all of its numbers to every other": rung(all_to_all),
            "the sums do not come from what was sent: `send` is the only way from one machine to another": rung(shown),
            "one machine received everything: that is what a ring avoids": rung(one_machine),
            "whole vectors travel around the ring: cut them into chunks": rung(whole_vectors),
            "the second phase is missing: each machine has one complete chunk only": rung(ring, second=False),
            "the first phase adds, and the second begins with the complete chunk r + 1: one of both is not so": rung(
                ring, add=False
            ),
            "chunks were added in the second phase: the complete ones replace those that are there": rung(
                ring, twice=True
            ),
            "the vectors that came in were changed: cut copies of them": rung(ring, place=True),
            "the second phase begins with a chunk that is not complete": rung(ring, shift=1),
            "this is the mean: the sum is asked for": lambda vectors: rung(ring, scale=1 / len(vectors))(vectors),
        },
        around,
    )
    ### END MISTAKES
    check(shares, 10, 4).equals([(0, 3), (3, 6), (6, 8), (8, 10)], about="ten rows for four")
    check(shares, 6, 3).equals([(0, 2), (2, 4), (4, 6)], about="six rows for three")
    g = [[torch.tensor([2.0, 4.0]), torch.tensor(1.0)], [torch.tensor([6.0, 0.0]), torch.tensor(5.0)]]
    check(average_gradients, g, [3, 1]).equals([[3.0, 3.0], 2.0], about="three rows and one", rtol=1e-5)
    nan = [[torch.tensor([2.0, 4.0])], [torch.tensor([float("nan")] * 2)]]
    check(average_gradients, nan, [2, 0]).equals([[2.0, 4.0]], about="a replica without rows", rtol=1e-5)
    fine = {"neighbours": True, "kept": True, "own": True, "by messages": True}
    check(around, [torch.tensor([1.0, 2.0]), torch.tensor([10.0, 20.0])]).equals(
        fine | {"sums": [[11.0, 22.0]] * 2, "sent": [2, 2]}, about="two machines, by hand"
    )
    three = [torch.tensor([1.0, 2.0, 3.0]), torch.tensor([10.0, 20.0, 30.0]), torch.tensor([100.0, 200.0, 300.0])]
    check(around, three).equals(fine | {"sums": [[111.0, 222.0, 333.0]] * 3, "sent": [4, 4, 4]}, about="three machines")
    ### BEGIN HIDDEN TESTS
    check.hidden()
    for rows, replicas in ((17, 5), (64, 8), (100, 7), (23, 22), (9, 4), (500, 70)):
        parts = torch.arange(rows).tensor_split(replicas)
        expected = [(int(part[0]), int(part[-1]) + 1) for part in parts]
        check(shares, rows, replicas).equals(expected, about="other rows and replicas")
    check(shares, 2, 4).equals([(0, 1), (1, 2), (2, 2), (2, 2)], about="more replicas than rows", edge=True)
    check(shares, 1, 2).equals([(0, 1), (1, 1)], about="one row", edge=True)
    check(shares, 5, 1).equals([(0, 5)], about="one replica", edge=True)
    for rows in ([4, 2, 1], [1, 1, 1], [8, 3], [1, 2] * 40, [2, 0, 5], [0, 3, 2]):
        targets = check.rng.normal(size=(sum(rows), 6))
        means, start = [], 0
        for n in rows:
            mean = targets[start : start + n].mean(0) if n else [float("nan")] * 6
            mean = torch.tensor(mean)
            means.append([mean.view(2, 3), mean[:4]])
            start += n
        whole = torch.tensor(targets.mean(0))
        check(average_gradients, means, rows).equals(
            [whole.view(2, 3), whole[:4]], about="gradients of drawn rows", edge=0 in rows, rtol=1e-6
        )
    for count, size in ((2, 6), (3, 6), (4, 12), (5, 35), (7, 7), (66, 66)):
        vectors = [torch.tensor(check.rng.normal(size=size)) for _ in range(count)]
        total = torch.stack(vectors).sum(0)
        check(around, vectors).equals(
            fine | {"sums": [total] * count, "sent": [2 * (count - 1) * size // count] * count},
            about="rings of drawn vectors",
            rtol=1e-6,
            atol=1e-9,
        )
    ### END HIDDEN TESTS


score
