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


score
