from helpers.checks import graded


@graded("lookup", points=4)
def score(check):
    import numpy as np

    from_one = "ids count from 0: id 0 is the first"
    flat = "one row for each id, also for a single one: the shape is (n, size)"
    bag = "this is one bag for all ids; each id has a row of its own"
    single = "each row has a single 1, that of its own id; here every row has the ones of all ids"
    transposed = "rows are ids, columns are the vocabulary: this is the transpose"
    twice = "an id that comes twice gives two rows: do not make a set of them"
    in_order = "the rows stand in the order of the ids: do not sort them"
    written = "the one is 1 in each row: here the id itself was written"
    added = "the rows were added up; each id has a row of its own"
    table = np.array([[17, 24, 1], [23, 5, 7], [4, 6, 13], [10, 12, 19], [11, 18, 25]])
    check(one_hot, np.array([3]), 5).equals(
        [[0, 0, 0, 1, 0]],
        near={from_one: [[0, 0, 1, 0, 0]], flat: [0, 0, 0, 1, 0], transposed: [[0], [0], [0], [1], [0]],
              written: [[0, 0, 0, 3, 0]]},
    )
    check(one_hot, np.array([1, 0, 1]), 3).equals(
        [[0, 1, 0], [1, 0, 0], [0, 1, 0]], near={bag: [1, 2, 0], transposed: [[0, 1, 0], [1, 0, 1], [0, 0, 0]],
                                                  single: [[1, 1, 0], [1, 1, 0], [1, 1, 0]]}
    )
    check(look_up, np.array([3]), table).equals(
        [[10, 12, 19]], near={from_one: [[4, 6, 13]], "one row for each id, also for a single one": [10, 12, 19],
                             "np.take reads the table as one long list: give it axis=0": [23]}
    )
    check(look_up, np.array([3, 1, 3]), table).equals(
        [[10, 12, 19], [23, 5, 7], [10, 12, 19]],
        near={from_one: [[4, 6, 13], [17, 24, 1], [4, 6, 13]], twice: [[23, 5, 7], [10, 12, 19]],
              in_order: [[23, 5, 7], [10, 12, 19], [10, 12, 19]], added: [43, 29, 45]}
    )
    ### BEGIN HIDDEN TESTS
    import torch

    check.hidden()

    def ones(ids, size):
        return torch.nn.functional.one_hot(torch.as_tensor(ids), size).numpy().astype(float)

    check.mistakes(
        {
            from_one: lambda ids, size: ones((np.asarray(ids) - 1) % size, size),
            transposed: lambda ids, size: ones(ids, size).T,
            bag: lambda ids, size: ones(ids, size).sum(0),
            "this is one binary bag for all ids; each id has a row of its own": lambda ids, size: ones(ids, size).max(
                0
            ),
            twice: lambda ids, size: ones(np.unique(ids), size),
            written: lambda ids, size: ones(ids, size) * np.asarray(ids)[:, None],
            "the size is that of the vocabulary, not the number of different ids": lambda ids, size: ones(
                ids, max(ids) + 1
            ),
            in_order: lambda ids, size: ones(np.sort(ids), size),
            single: lambda ids, size: np.tile(ones(ids, size).max(0), (len(ids), 1)),
            "only the first id's row came: is the return inside the loop?": lambda ids, size: ones(ids[:1], size),
        }
    )
    for _ in range(3):
        size = int(check.rng.integers(6, 12))
        ids = check.rng.integers(0, size - 1, size=7)
        ids[3] = ids[0]
        check(one_hot, ids, size).equals(ones(ids, size), about="random ids")
    check(one_hot, np.zeros(0, dtype=int), 4).equals(
        np.zeros((0, 4)), about="no ids", edge=True, near={"no ids give no rows: shape (0, V)": np.zeros(0)}
    )
    check.mistakes(
        {
            from_one: lambda ids, table: table[ids - 1],
            "these are columns of the table; a word is a row": lambda ids, table: table[:, ids],
            "this is the transpose: one row for each id": lambda ids, table: table[ids].T,
            added: lambda ids, table: table[ids].sum(0),
            "the rows were averaged; each id has a row of its own": lambda ids, table: table[ids].mean(0),
            twice: lambda ids, table: table[np.unique(ids)],
            in_order: lambda ids, table: table[np.sort(ids)],
            "np.take reads the table as one long list: give it axis=0": lambda ids, table: np.take(table, ids),
            "only the first id's row came: is the return inside the loop?": lambda ids, table: table[ids[:1]],
        }
    )
    for _ in range(3):
        table = check.rng.normal(size=(7, 7))
        ids = check.rng.integers(0, 7, size=5)
        ids[4] = ids[1]
        oracle = torch.nn.functional.embedding(torch.as_tensor(ids), torch.as_tensor(table))
        check(look_up, ids, table).equals(oracle, about="random rows")
    check.mistakes({})  # most of them give no rows, too
    check(look_up, np.zeros(0, dtype=int), table).equals(
        np.zeros((0, 7)), about="no ids", edge=True, near={"no ids give no rows: shape (0, d)": np.zeros(0)}
    )
    ### END HIDDEN TESTS


score
