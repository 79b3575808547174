from helpers.checks import graded


@graded("prototypes", points=5)
def score(check):
    import torch
    ### BEGIN MISTAKES
    far = "this is the point that is farthest"
    import torch.nn.functional as F

    def made(unit=True, end=True, average=lambda rows: rows.mean(0)):
        def points(v, y, k):
            v = F.normalize(v, dim=-1) if unit else v
            rows = [average(v[y == c]) if (y == c).any() else torch.zeros(v.shape[1]) for c in range(k)]
            return F.normalize(torch.stack(rows), dim=-1) if end else torch.stack(rows)

        return points

    check.mistakes({
        "the vectors were not brought to length 1 before the mean: long ones count more": made(unit=False),
        "the mean was not brought to length 1": made(end=False),
        "neither the vectors nor the means have length 1": made(False, False),
        "the sum was not brought to length 1": made(end=False, average=lambda r: r.sum(0)),
        "the median was taken: the mean is asked": made(average=lambda r: r.median(0).values),
        "the first example of each class was taken": made(average=lambda r: r[0]),
        "the last example of each class was taken": made(average=lambda r: r[-1]),
        "classes without examples are missing: (K, C) is asked": lambda v, y, k: (
            (p := made()(v, y, k))[p.abs().sum(1) > 0]),
        "a class without examples gets zeros, not NaN": lambda v, y, k: (
            p := made()(v, y, k)).masked_fill((p == 0).all(1, keepdim=True), torch.nan),
        "the columns were brought to length 1 at the end: a point is a row": lambda v, y, k: F.normalize(
            made(end=False, average=lambda r: r.sum(0))(v, y, k), dim=0),
        "the columns were brought to length 1 before the mean: a vector is a row": lambda v, y, k: made(unit=False)(
            F.normalize(v, dim=0), y, k),
        "the whole table was divided by one length at the end: each point has its own": lambda v, y, k: (
            (p := made(end=False)(v, y, k)) / p.norm()),
        "the sum was divided by the number of all vectors: bring the mean to length 1": lambda v, y, k: made(
            end=False, average=lambda r: r.sum(0))(v, y, k) / len(v),
        "the numbers sum to 1 here: the length is to be 1": lambda v, y, k: F.normalize(
            made(end=False)(v, y, k), p=1, dim=-1),
        "classes count from 0: here class k + 1 came in place of k": lambda v, y, k: made()(v, y - 1, k),
        "one mean of all vectors came for every class": lambda v, y, k: made()(v, torch.zeros_like(y), 1).expand(k, -1),
    }, prototypes)

    def by(score):
        return lambda v, p: score(v, p).argmax(1)

    check.mistakes({
        "the largest dot product was taken: the cosine is asked": by(lambda v, p: v @ p.T),
        far: by(lambda v, p: -(F.normalize(v) @ F.normalize(p).T)),
        "the smallest distance was taken, not the largest cosine": by(lambda v, p: -torch.cdist(v, p)),
        "distances to the points as they are were compared: a cosine looks at directions alone": by(
            lambda v, p: -torch.cdist(F.normalize(v), p)),
        "these are the cosines: the number of the largest is asked": lambda v, p: F.normalize(v) @ F.normalize(p).T,
        "this is the largest cosine itself: its number is asked": lambda v, p: (
            F.normalize(v) @ F.normalize(p).T).amax(1),
        "one number for each point came: one for each vector is asked": lambda v, p: (
            F.normalize(v) @ F.normalize(p).T).argmax(0),
        "the absolute value of the cosine was taken: below 0 is far":
            by(lambda v, p: (F.normalize(v) @ F.normalize(p).T).abs()),
        "the columns of the points were brought to length 1: a point is a row": by(
            lambda v, p: F.normalize(v) @ F.normalize(p, dim=0).T),
        "the columns were brought to length 1: a vector is a row": by(
            lambda v, p: F.normalize(v, dim=0) @ F.normalize(p, dim=0).T),
        "an axis of size 1 was squeezed away: one vector keeps its axis": lambda v, p: (
            F.normalize(v) @ F.normalize(p).T).argmax(1).squeeze(),
        "numbers count from 0": lambda v, p: (F.normalize(v) @ F.normalize(p).T).argmax(1) + 1,
    }, nearest)
    ### END MISTAKES
    missing = "classes behind the largest label are missing: (K, C) is asked, for K = num_classes"
    v, y = torch.tensor([[2.0, 0.0], [0.0, 5.0], [3.0, 4.0]]), torch.tensor([0, 0, 2])
    zero, last = [0.0, 0.0], [0.6, 0.8]
    want = [[0.7071068, 0.7071068], zero, last, zero]
    check(prototypes, v, y, 4).equals(want, rtol=1e-4, atol=1e-6, near={missing: [[0.7071068, 0.7071068], zero, last]})
    points = torch.tensor([[1.0, 0.0], [0.0, 3.0], [0.5, 0.5]])
    v = torch.tensor([[4.0, 1.0], [1.0, 1.2], [-1.0, 0.5], [-3.0, -1.0]])
    check(nearest, v, points).equals([0, 2, 1, 1])
    points = torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 3.0], [2.0, 0.0]])
    v = torch.tensor([[4.0, 1.0], [1.0, 1.2], [-1.0, -0.5]])
    check(nearest, v, points).equals([1, 2, 0], about="a point of zeros, and two equally near", near={
        "of equal ones the smallest number is asked": [3, 2, 0],
        "a point of zeros has cosine 0 with everything, not NaN": [0, 0, 0],
    })
    ### BEGIN HIDDEN TESTS
    import numpy as np

    check.hidden()

    def draw(n, c, k):
        y = torch.from_numpy(np.concatenate([[0, 0, 1], check.rng.integers(0, k, size=n)]))[:n]
        y[y == 2] = 0
        return torch.from_numpy(check.rng.normal(size=(n, c)) * check.rng.uniform(0.2, 9, size=(n, 1))), y

    def points_of(v, y, k):
        x = v.double().numpy() / np.linalg.norm(v.double().numpy(), axis=1, keepdims=True)
        found = np.zeros((k, x.shape[1]))
        for row, label in zip(x, y.tolist(), strict=True):
            found[label] += row
        return found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-12)

    for n, c, k in [(7, 3, 3), (12, 5, 4), (9, 2, 6), (7, 3, 3), (5, 5, 5)]:
        v, y = draw(n, c, k)
        check(prototypes, v.float(), y, k).equals(points_of(v, y, k), about="fresh classes", rtol=1e-3, atol=1e-5)
    for n, c, k, scale in [(300, 3, 4, 90), (90, 4, 80, 1), (9, 90, 3, 1e-4)]:
        v, y = draw(n, c, k)
        check(prototypes, (v * scale).float(), y, k).equals(
            points_of(v, y, k), about="many vectors, many classes, long and short vectors", rtol=1e-3, atol=1e-4)
    for v, y, k in [(draw(4, 1, 3)[0], torch.tensor([0, 0, 1, 1]), 2), (draw(1, 3, 1)[0], torch.tensor([0]), 1),
                    (draw(5, 3, 1)[0], torch.zeros(5, dtype=torch.long), 1), (draw(1, 4, 1)[0], torch.tensor([2]), 3)]:
        check(prototypes, v.abs().float(), y, k).equals(
            points_of(v.abs(), y, k), about="axes of size 1", rtol=1e-3, atol=1e-5, edge=True)
    v, y = draw(6, 3, 4)
    check(prototypes, v.float(), torch.tensor([2, 1, 3, 1, 2, 3]), 5).equals(
        points_of(v, torch.tensor([2, 1, 3, 1, 2, 3]), 5), about="the first class has no example", rtol=1e-3, atol=1e-5,
        edge=True)
    check(prototypes, v, y, 4).holds(
        lambda v: v.dtype == torch.float64, "float64 for vectors of float64", about="float64 is kept", edge=True,
        near={"float32 came: float64 was given and is to be kept": lambda v: v.dtype == torch.float32},
    )
    for m, c, k in [(8, 3, 4), (20, 2, 5), (5, 6, 9), (8, 3, 4), (6, 6, 6), (90, 3, 80), (1, 3, 4), (5, 3, 1)]:
        v, p = (check.rng.normal(size=(r, c)) * check.rng.uniform(0.1, 90, size=(r, 1)) for r in (m, k))
        table = v @ p.T / np.linalg.norm(v, axis=1)[:, None] / np.linalg.norm(p, axis=1)[None]
        one_alone = min(m, k) == 1
        about = "many points" if m > 80 else "fresh points"
        if one_alone:
            about = "one vector or one point"
        check(nearest, torch.from_numpy(v).float(), torch.from_numpy(p).float()).equals(
            table.argmax(1), dtype="i", edge=one_alone, about=about)
    near_by = torch.tensor([[1.0, 0.0], [1.0, 1e-9], [1.0, -1e-9]], dtype=torch.float64)
    check(nearest, torch.tensor([[2.0, 2.0], [3.0, -3.0]], dtype=torch.float64), near_by).equals(
        [1, 2], about="float64 is kept", edge=True, near={"the vectors were made float32: float64 was given": [0, 0]})
    check(nearest, torch.tensor([[1.0, 1.0]]), torch.tensor([[0.0, -1.0], [2.0, 2.0], [0.0, 1.0], [2.0, 2.0]])).equals(
        [1], about="two points equally near", edge=True, near={"of equal ones the smallest number is asked": [3]}
    )
    check.mistakes({}, nearest)
    check(nearest, torch.tensor([[-1.0, 2.0], [1.0, 0.5]]), torch.tensor([[0.0, 0.0], [1.0, 0.5], [-0.5, 1.0]])).equals(
        [2, 1], about="a class without examples", edge=True,
        near={"a point of zeros has cosine 0 with everything, not NaN": [0, 0], far: [0, 0]},
    )
    check(nearest, torch.tensor([[1.0, 0.0], [-3.0, -1.0]]), torch.tensor([[0.3, 1.0], [0.0, 0.0], [0.2, 2.0]])).equals(
        [0, 1], about="a class without examples", edge=True,
        near={"distances were compared: one to a point of zeros is always 1, and its cosine 0": [1, 1],
              "a point of zeros was left out: its cosine 0 may be the largest": [0, 2]},
    )
    ### END HIDDEN TESTS


score
