from helpers.checks import graded


@graded("packing", points=7)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the end token is missing after each document": {
            1: ([[5, 6, 7, 8]], [[0, 0, 0, 1]]),
            2: ([[4, 3, 2], [9, 8, 7], [6, 5, 2]], [[0, 0, 0], [0, 0, 2], [2, 2, 2]]),
        },
        "the last token of each document was dropped": {
            1: ([[5, 6, 0, 0]], [[0, 0, 0, 1]]),
            2: ([[4, 3, 2], [9, 1, 1], [7, 6, 5]], [[0, 0, 0], [0, 0, 1], [2, 2, 2]]),
        },
        "an end token belongs to the document before it, not to the next one": {
            1: ([[5, 6, 7, 0], [8, 0, 9, 5]], [[0, 0, 0, 1], [1, 2, 2, 2]]),
            2: ([[4, 3, 2], [9, 8, 1], [1, 7, 6], [5, 2, 1]], [[0, 0, 0], [0, 0, 1], [2, 2, 2], [2, 2, 3]]),
        },
        "owners count from 0: they are indices of the documents": {
            1: ([[5, 6, 7, 0], [8, 0, 9, 5]], [[1, 1, 1, 1], [2, 2, 3, 3]]),
            2: ([[4, 3, 2], [9, 8, 1], [1, 7, 6], [5, 2, 1]], [[1, 1, 1], [1, 1, 1], [2, 3, 3], [3, 3, 3]]),
        },
        "the owners begin anew with 0 in each row: they are indices of all documents": {
            1: ([[5, 6, 7, 0], [8, 0, 9, 5]], [[0, 0, 0, 0], [0, 0, 1, 1]]),
            2: ([[4, 3, 2], [9, 8, 1], [1, 7, 6], [5, 2, 1]], [[0, 0, 0], [0, 0, 0], [0, 1, 1], [0, 0, 0]]),
        },
        "an end token has an owner, the document before it": {
            1: ([[5, 6, 7, 0], [8, 0, 9, 5]], [[0, 0, 0, -1], [1, -1, 2, 2]]),
            2: ([[4, 3, 2], [9, 8, 1], [1, 7, 6], [5, 2, 1]], [[0, 0, 0], [0, 0, -1], [-1, 2, 2], [2, 2, -1]]),
        },
        "each document has a row of its own: packed rows hold several, and no padding": {
            1: ([[5, 6, 7, 0], [8, 0, 0, 0], [9, 5, 0, 0]], [[0, 0, 0, 0], [1, 1, 1, 1], [2, 2, 2, 2]]),
            2: ([[4, 3, 2], [1, 1, 1], [7, 6, 5]], [[0, 0, 0], [1, 1, 1], [2, 2, 2]]),
        },
        "the last row was filled up: what does not fill a row is dropped": {
            1: ([[5, 6, 7, 0], [8, 0, 9, 5], [0, 0, 0, 0]], [[0, 0, 0, 0], [1, 1, 2, 2], [2, 2, 2, 2]]),
        },
        "a document without tokens was left out: it is its end token alone": {
            2: ([[4, 3, 2], [9, 8, 1], [7, 6, 5]], [[0, 0, 0], [0, 0, 0], [2, 2, 2]]),
        },
        "the last document ends with an end token, too, and a row that this just fills is kept": {
            2: ([[4, 3, 2], [9, 8, 1], [1, 7, 6]], [[0, 0, 0], [0, 0, 0], [1, 2, 2]]),
        },
        "the rest of a document that is longer than a row was cut off: it goes on in the next row": {
            2: ([[4, 3, 2], [1, 1, 7], [6, 5, 1]], [[0, 0, 0], [0, 1, 2], [2, 2, 2]]),
        },
        "the mask is causal alone: a token sees earlier documents": {
            4: [[[True, False, False, False], [True, True, False, False], [True, True, True, False],
              [True, True, True, True]]],
            5: [[[True, False, False], [True, True, False], [True, True, True]]],
        },
        "a token sees later ones of its own document: only itself and what is before": {
            4: [[[True, True, False, False], [True, True, False, False], [False, False, True, True],
              [False, False, True, True]]],
            5: [[[True, True, False], [True, True, False], [False, False, True]]],
        },
        "a token does not see itself: it does": {
            4: [[[False, False, False, False], [True, False, False, False], [False, False, False, False],
              [False, False, True, False]]],
            5: [[[False, False, False], [True, False, False], [False, False, False]]],
        },
        "rows and columns are exchanged: axis 1 is the token that sees": {
            4: [[[True, True, False, False], [False, True, False, False], [False, False, True, True],
              [False, False, False, True]]],
            5: [[[True, True, False], [False, True, False], [False, False, True]]],
        },
        "the mask is inverted: True where a token may see": {
            4: [[[False, True, True, True], [False, False, True, True], [True, True, False, True],
              [True, True, False, False]]],
            5: [[[False, True, True], [False, False, True], [True, True, False]]],
        },
        "a token sees the other documents, not its own": {
            4: [[[False, False, False, False], [False, False, False, False], [True, True, False, False],
              [True, True, False, False]]],
            5: [[[False, False, False], [False, False, False], [True, True, False]]],
        },
        "owners of 0 count as no owner": {
            5: [[[False, False, False], [False, False, False], [False, False, True]]],
        },
        "the positions do not begin anew with a document": {
            6: [[0, 1, 2, 3], [0, 1, 2, 3]],
            7: [[0, 1, 2, 3, 4], [0, 1, 2, 3, 4]],
        },
        "positions count from 0, not from 1": {
            6: [[1, 2, 3, 4], [1, 2, 1, 2]],
            7: [[1, 1, 1, 2, 3], [1, 2, 3, 1, 2]],
        },
        "a document's first token goes on counting, and the one after it begins anew": {
            6: [[0, 1, 2, 3], [0, 1, 2, 0]],
            7: [[0, 1, 0, 0, 1], [0, 1, 2, 3, 0]],
        },
        "a document's last token begins it anew: its first one does": {
            6: [[0, 1, 2, 3], [0, 0, 1, 2]],
            7: [[0, 0, 1, 2, 3], [0, 1, 0, 1, 2]],
        },
        "the positions count from the end of a document": {
            6: [[3, 2, 1, 0], [1, 0, 1, 0]],
            7: [[0, 0, 2, 1, 0], [2, 1, 0, 1, 0]],
        },
        "the positions go on in the next row: a row begins with 0": {
            7: [[0, 0, 0, 1, 2], [3, 4, 5, 0, 1]],
        },
        "the first token of the next document is a target: it has another owner": {
            10: [[6, 7, 0, -100], [0, 9, 5, -100]],
        },
        "the targets are not shifted: each is the next token": {
            10: [[5, 6, 7, -100], [8, -100, 9, -100]],
        },
        "the token before is the target: the next one is asked for": {
            10: [[-100, 5, 6, 7], [-100, 8, -100, 9]],
        },
        "0 is used where no target is: -100 is asked for": {
            10: [[6, 7, 0, 0], [0, 0, 5, 0]],
        },
        "the last column repeats its own token: nothing follows in the row, so it is -100": {
            10: [[6, 7, 0, 0], [0, -100, 5, 5]],
        },
        "the last target wraps around to the beginning of the row: -100 is asked for": {
            10: [[6, 7, 0, 5], [0, -100, 5, 8]],
        },
        "the end token was left out of the targets: it is the last target of its document": {
            10: [[6, 7, 0, -100], [-100, -100, 5, -100]],
        },
        "the end token and the last token of a row were left out of the targets: both are": {
            10: [[6, 7, -100, -100], [-100, -100, -100, -100]],
        },
        "the owner was compared with that of the token before: compare it with that of the next one": {
            10: [[6, 7, 0, -100], [0, 9, -100, -100]],
        },
        "the last column is cut off: there is one target for each token": {
            10: [[6, 7, 0], [0, -100, 5]],
        },
        "the token two places on is the target: the next one is asked for": {
            10: [[7, 0, -100, -100], [-100, -100, -100, -100]],
        },
    })
    tokens = torch.tensor([[5, 6, 7, 0], [8, 0, 9, 5]])
    owners = torch.tensor([[0, 0, 0, 0], [1, 1, 2, 2]])
    check(pack, [[5, 6, 7], [8], [9, 5]], 4, 0).equals((tokens, owners), about="three documents by hand")
    check(pack, [[4, 3, 2, 9, 8], [], [7, 6, 5, 2]], 3, 1).equals(
        (
            torch.tensor([[4, 3, 2], [9, 8, 1], [1, 7, 6], [5, 2, 1]]),
            torch.tensor([[0, 0, 0], [0, 0, 0], [1, 2, 2], [2, 2, 2]]),
        ),
        about="a long document, and one without tokens",
    )

    def forms(function, *given):
        values = function(*given)
        both = values if isinstance(values, tuple | list) else (values,)
        return [f"{tuple(value.shape)} {value.dtype}" for value in both]

    long = "the shapes are right, not the dtype: torch.long is torch.int64"
    check(forms, pack, [[5]], 3, 0).equals(
        ["(0, 3) torch.int64"] * 2, about="shapes and dtypes where no row is full", edge=True,
        near={"without a full row the shape is (0, length)": ["(0,) torch.int64"] * 2,
              "without a full row the shape is (0, length), not (0, 0)": ["(0, 0) torch.int64"] * 2,
              "the dtype of an empty tensor is float32 unless you ask for torch.long": ["(0, 3) torch.float32"] * 2,
              long: ["(0, 3) torch.int32"] * 2})
    t, f = True, False
    check(packed_mask, owners[1:]).equals(
        torch.tensor([[[t, f, f, f], [t, t, f, f], [f, f, t, f], [f, f, t, t]]]),
        about="the second row by hand",
        dtype="b",
    )
    check(packed_mask, torch.tensor([[0, 0, 1]])).equals(
        torch.tensor([[[t, f, f], [t, t, f], [f, f, t]]]), about="a document 0", dtype="b"
    )
    check(packed_positions, owners).equals(
        torch.tensor([[0, 1, 2, 3], [0, 1, 0, 1]]), about="positions in both rows by hand", dtype="i"
    )
    check(packed_positions, torch.tensor([[0, 1, 2, 2, 2], [2, 2, 2, 3, 3]])).equals(
        torch.tensor([[0, 0, 0, 1, 2], [0, 1, 2, 0, 1]]), about="a document over two rows"
    )
    wide = {long: ["(2, 4) torch.int32"]}
    check(forms, packed_positions, owners).equals(
        ["(2, 4) torch.int64"], about="the dtype of the positions", edge=True, near=wide)
    check(forms, packed_targets, tokens, owners).equals(
        ["(2, 4) torch.int64"], about="the dtype of the targets", edge=True, near=wide)
    check(packed_targets, tokens, owners).equals(
        torch.tensor([[6, 7, 0, -100], [0, -100, 5, -100]]), about="targets in both rows by hand", dtype="i"
    )


score
