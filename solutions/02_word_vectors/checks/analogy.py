from helpers.checks import graded


@graded("analogy", points=6)
def score(check):
    import numpy as np

    beyond = "a, b and c may lie beyond the first so many rows: only answers may not"
    ### BEGIN MISTAKES
    def unit(vectors):
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    def by_columns(vectors):
        return vectors / np.linalg.norm(vectors, axis=0)

    def ranked(scores, word, k, without=True):
        order = [i for i in np.argsort(-scores, kind="stable") if i != word or not without]
        return np.array(order[:k])

    check.mistakes({
        "a word is not its own neighbour": lambda v, w, k: ranked(unit(v) @ unit(v)[w], w, k, without=False),
        "these are the largest dot products; cosines do not ask for length": lambda v, w, k: ranked(v @ v[w], w, k),
        "this is the farthest; the nearest first": lambda v, w, k: ranked(-unit(v) @ unit(v)[w], w, k),
        "the order is reversed: the nearest first": lambda v, w, k: ranked(unit(v) @ unit(v)[w], w, k)[::-1],
        "this is the shortest distance; the largest cosine is asked for": lambda v, w, k: ranked(
                -np.linalg.norm(v - v[w], axis=1), w, k
            ),
        "these are the cosines; their rows are asked for":
            lambda v, w, k: np.sort(np.delete(unit(v) @ unit(v)[w], w))[::-1][
                :k
            ],
        "one neighbour too few": lambda v, w, k: ranked(unit(v) @ unit(v)[w], w, k)[: k - 1],
        "one neighbour too many": lambda v, w, k: ranked(unit(v) @ unit(v)[w], w, k + 1),
        "the numbers shift when the word's own row is deleted: they are rows of all vectors": lambda v, w, k: (
                np.argsort(-np.delete(unit(v) @ unit(v)[w], w), kind="stable")[:k]
            ),
        "the first in order was dropped unread, and the word may not be first": lambda v, w, k: ranked(
                v @ v[w], w, k + 1, without=False
            )[1:],
        "a cosine can be negative: setting the word's own to 0 does not put it last": lambda v, w, k: ranked(
                np.where(np.arange(len(v)) == w, 0, unit(v) @ unit(v)[w]), w, k, without=False
            ),
        "the absolute cosines were taken; the opposite direction is far": lambda v, w, k: ranked(
                np.abs(unit(v) @ unit(v)[w]), w, k
            ),
        "the columns were scaled; a word is a row": lambda v, w, k: ranked(
                by_columns(v) @ by_columns(v)[w], w, k
            ),
    }, nearest_rows)

    def cosines_of(v, q, among=None):
        target = unit(unit(v)[q[:, 1]] - unit(v)[q[:, 0]] + unit(v)[q[:, 2]])
        return (target * unit(v)[answer(v, q, among)]).sum(1)

    def cos_mul(v, q, among=None):
        like = (unit(v) @ unit(v).T + 1) / 2
        scores = like[q[:, 1]] * like[q[:, 2]] / (like[q[:, 0]] + 1e-3)
        np.put_along_axis(scores, q, -np.inf, axis=1)
        return scores[:, :among].argmax(1)

    def answer(v, q, among=None, sums=(1, -1, 1), before=unit, against=unit, forbid=(0, 1, 2), distance=False):
        out = []
        for question in q:
            a, b, c = question
            target = sums[0] * before(v)[b] + sums[1] * before(v)[a] + sums[2] * before(v)[c]
            scores = -np.linalg.norm(against(v) - target, axis=1) if distance else against(v) @ target
            scores[question[list(forbid)]] = -np.inf
            out.append(int(scores[:among].argmax()))
        return out

    def deleted(v, q, among=None):
        targets = unit(v)[q[:, 1]] - unit(v)[q[:, 0]] + unit(v)[q[:, 2]]
        return [int(np.delete(unit(v) @ t, line)[:among].argmax()) for t, line in zip(targets, q, strict=True)]

    def clipped(v, q, among=None):
        among = among or len(v)
        scores = (unit(v)[q[:, 1]] - unit(v)[q[:, 0]] + unit(v)[q[:, 2]]) @ unit(v)[:among].T
        np.put_along_axis(scores, np.minimum(q, among - 1), -np.inf, axis=1)
        return scores.argmax(1)

    def by_zero(v, q, among=None):
        scores = (unit(v)[q[:, 1]] - unit(v)[q[:, 0]] + unit(v)[q[:, 2]]) @ unit(v).T
        np.put_along_axis(scores, q, 0, axis=1)
        return scores[:, :among].argmax(1)

    check.mistakes({
        "a, b and c cannot be answers": lambda v, q, among=None: answer(v, q, among, forbid=()),
        "a and b cannot be answers, either": lambda v, q, among=None: answer(v, q, among, forbid=(2,)),
        "c cannot be the answer, either": lambda v, q, among=None: answer(v, q, among, forbid=(0, 1)),
        "a cannot be the answer, either": lambda v, q, among=None: answer(v, q, among, forbid=(1, 2)),
        "b cannot be the answer, either": lambda v, q, among=None: answer(v, q, among, forbid=(0, 2)),
        "the signs are exchanged: it is b - a + c": lambda v, q, among=None: answer(v, q, among, sums=(-1, 1, 1)),
        "the signs are exchanged: c is added": lambda v, q, among=None: answer(v, q, among, sums=(1, -1, -1)),
        "a is subtracted": lambda v, q, among=None: answer(v, q, among, sums=(1, 1, 1)),
        "c was not added": lambda v, q, among=None: answer(v, q, among, sums=(1, -1, 0)),
        "each vector gets length 1 before the sum": lambda v, q, among=None: answer(v, q, among, before=lambda x: x),
        "the candidates' lengths count here: a cosine divides by them": lambda v, q, among=None: answer(
            v, q, among, against=lambda x: x),
        "nothing was scaled: these are plain dot products": lambda v, q, among=None: answer(
            v, q, among, before=lambda x: x, against=lambda x: x),
        "the columns were scaled; a word is a row, and each row gets length 1": lambda v, q, among=None: answer(
            v, q, among, before=by_columns, against=by_columns),
        "this is the shortest distance; the largest cosine is asked for": lambda v, q, among=None: answer(
            v, q, among, before=lambda x: x, against=lambda x: x, distance=True),
        "among was ignored": lambda v, q, among=None: answer(v, q),
        "among keeps the first so many rows, this is one fewer": lambda v, q, among=None: answer(
            v, q, among and among - 1),
        beyond: lambda v, q, among=None: answer(v[:among], q),
        "a cosine can be negative: setting those of a, b and c to 0 does not put them last": by_zero,
        "only the first question was answered: is the return inside the loop?": lambda v, q, among=None: answer(
            v, q[:1], among),
        "the numbers shift when the rows of a, b and c are deleted: they are rows of all vectors": deleted,
        "this is the nearest neighbour of c: b - a is added to it": lambda v, q, among=None: answer(
            v, q, among, sums=(0, 0, 1)),
        "this is the nearest neighbour of b: c - a is added to it": lambda v, q, among=None: answer(
            v, q, among, sums=(1, 0, 0)),
        "a, b and c are rows of all vectors: here those beyond the first rows became the last of these":
            lambda v, q, among=None: [answer(v, np.minimum([line], (among or len(v)) - 1), among)[0] for line in q],
        "this is 3CosMul, a product of cosines; 3CosAdd adds": cos_mul,
        "a word beyond the first rows forbids nothing there: here it shut out the last row that can answer": clipped,
        "these are the cosines; their rows are asked for": cosines_of,
        "this is the least similar": lambda v, q, among=None: answer(v, q, among, against=lambda x: -unit(x)),
        "what a question forbids was forbidden to all questions": lambda v, q, among=None: [int(np.where(
            np.isin(np.arange(len(v)), q), -np.inf, unit(v) @ (unit(v)[b] - unit(v)[a] + unit(v)[c]))[:among].argmax())
            for a, b, c in q],
    }, answer_analogies)
    ### END MISTAKES
    fan = np.array([[4.0, 3], [0.5, 3], [-2, 1], [-0.5, -0.5], [2, 2], [3, -1]])
    check(nearest_rows, fan, 1, 4).equals(
        [4, 0, 2, 5], dtype="i"
    )
    plural = np.array([[1.0, 0], [0.8, 0.6], [0, 1], [-0.28, 0.96], [0.6, 0.8]])
    check(answer_analogies, plural, np.array([[0, 1, 2]])).equals([3], dtype="i")
    grid = np.array([[2.0, 1, -1], [0, -2, -1], [-2, 0, -1], [3, 1, 2], [3, 1, 0], [-1, 0, 1], [2, -1, -2], [-1, 3, 3]])
    questions = np.array([[4, 3, 0], [2, 4, 6], [0, 3, 1], [2, 3, 0]])
    check(answer_analogies, grid, questions).equals(
        [6, 0, 5, 4])
    check(answer_analogies, grid, questions, among=6).equals(
        [1, 0, 5, 4], near={beyond: IndexError}
    )
    check(answer_analogies, grid, np.array([[0, 1, 7]]), among=6).equals(
        [5], about="c beyond the rows that can answer", near={beyond: IndexError}
    )
    ### BEGIN HIDDEN TESTS
    from sklearn.neighbors import NearestNeighbors

    check.hidden()
    for shape, k in [((12, 4), 11), ((9, 6), 3), ((9, 6), 3), ((15, 3), 14)]:
        v = check.rng.normal(size=shape) * check.rng.uniform(0.2, 6, size=(shape[0], 1)) + 0.1
        word = int(check.rng.integers(1, shape[0] // 2))
        found = NearestNeighbors(n_neighbors=shape[0], metric="cosine").fit(v).kneighbors(v[[word]])[1][0]
        check(nearest_rows, v, word, k).equals([i for i in found if i != word][:k], about="random vectors")
    check.mistakes({}, nearest_rows)
    angles = np.cumsum([0.1, *check.rng.uniform(0.01, 0.04, size=75)])
    circle, mixed = 50 * np.stack([np.cos(angles), np.sin(angles)], 1), check.rng.permutation(76)
    check(nearest_rows, circle[mixed], 73, 70).equals(
        [i for i in np.argsort(np.abs(angles[mixed] - angles[mixed][73])) if i != 73][:70],
        about="many words", edge=True
    )
    check(nearest_rows, circle[mixed], 2, 1).equals(
        np.argsort(np.abs(angles[mixed] - angles[mixed][2]))[1:2], about="one neighbour", edge=True, dtype="i"
    )
    check(nearest_rows, np.array([[3.0, 0], [-2, 0], [0.5, 0.5]]), 0, 2).equals(
        [2, 1], about="the opposite of a word", edge=True
    )
    fine = np.array([1.0, 0]) + np.array([0, 1.0]) * (0.5 + 1e-9 * check.rng.permutation(6))[:, None]
    check(nearest_rows, np.vstack([fine, [[0, 1.0]]]), 6, 6).equals(
        np.argsort(-fine[:, 1]), about="cosines close together, in float64", edge=True
    )

    def oracle(v, q, among=None):
        """By the cosine's own definition, candidate after candidate."""
        out = []
        for a, b, c in q.tolist():
            target = (
                v[b] / np.sqrt((v[b] ** 2).sum())
                - v[a] / np.sqrt((v[a] ** 2).sum())
                + v[c] / np.sqrt((v[c] ** 2).sum())
            )
            possible = [x for x in range(among or len(v)) if x not in (a, b, c)]
            cosines = {x: v[x] @ target / np.sqrt((v[x] ** 2).sum() * (target**2).sum()) for x in possible}
            out.append(max(cosines, key=cosines.get))
        return out

    for shape, among in [((20, 4), None), ((30, 3), None), ((25, 4), 12), ((40, 5), 20)]:
        v = check.rng.normal(size=shape) * check.rng.uniform(0.2, 5, size=(shape[0], 1)) + 0.3
        q = np.array([check.rng.permutation(shape[0])[:3] for _ in range(12)])
        more = {} if among is None else {"among": among}
        check(answer_analogies, v, q, **more).equals(
            oracle(v, q, among), about="only some can answer" if more else "random"
        )
    v = check.rng.normal(size=(9, 4))
    v[4] = 3 * (unit(v)[7] - unit(v)[6] + unit(v)[8])  # the last that can answer
    check(answer_analogies, v, np.array([[6, 7, 8]]), 5).equals([4], about="only some can answer", edge=True)
    found = 0
    while found < 3:  # all that may answer lie on the other side, and one of a, b and c is nearer than they
        v = check.rng.normal(size=(6, 3))
        few = np.array([[2, 1, 0] if found == 0 else [0, 1, 2]])  # the winner is not the first of the three
        a, b, c = few[0]
        near = unit(v) @ (unit(v)[b] - unit(v)[a] + unit(v)[c])
        if near[3:].max() < -0.05 and near[few[0, found]] > near[3:].max() + 0.05:
            check(answer_analogies, v, few).equals(oracle(v, few), about="all that may answer are far")
            found += 1
    v = check.rng.normal(size=(6, 3))
    check(answer_analogies, v, np.array([[4, 5, 0]])).equals(
        oracle(v, np.array([[4, 5, 0]])), about="one question", edge=True, dtype="i"
    )
    v, q = np.array([[-1, 0.05], [1, 0], [1, 0.1], [-1, -0.3], [-1, 0.2], [-1, 0.0]]), np.array([[0, 1, 2]])
    check(answer_analogies, v, q).equals(oracle(v, q), about="all that may answer are far", edge=True)
    check.mistakes({}, answer_analogies)
    v = 40 * check.rng.normal(size=(100, 3))
    q = np.array([check.rng.permutation(100)[:3] for _ in range(70)])
    for among in (90, 1, None):
        few = q if among != 1 else q[(q != 0).all(1)]
        check(answer_analogies, v, few, among).equals(
            oracle(v, few, among), about="many words and questions", edge=True)
    v = np.vstack([np.eye(3), fine @ np.array([[1.0, 0, 0], [0, 1, 1]])])  # b - a + c lies between the axes 1 and 2
    check(answer_analogies, v, np.array([[0, 1, 2]])).equals(
        [3 + fine[:, 1].argmax()], about="cosines close together, in float64", edge=True
    )
    lengths = 1e-6 * np.array([[1], [40], [1], [9], [1], [2], [30], [1], [3]])
    tiny = check.rng.normal(size=(9, 4)) * lengths
    asked = np.array([[i, (i + 1) % 9, (i + step) % 9] for i in range(9) for step in (2, 4, 7)])
    unit = tiny / np.linalg.norm(tiny, axis=1, keepdims=True)
    cosines = (unit[asked[:, 1]] - unit[asked[:, 0]] + unit[asked[:, 2]]) @ unit.T
    np.put_along_axis(cosines, asked, -np.inf, 1)
    check(answer_analogies, tiny, asked).equals(cosines.argmax(1), about="short vectors", edge=True)
    ### END HIDDEN TESTS


score
