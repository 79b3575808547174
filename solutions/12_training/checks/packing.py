from helpers.checks import graded


@graded("packing", points=7)
def score(check):
    import torch

    ### BEGIN MISTAKES
    import itertools

    def laid_out(documents, length, end, *, ends=True, short=False, own=False, first=0, restart=False, between=False,
                 none=False, blank=True):
        """Rows of packed documents with one part of the rule exchanged."""
        tokens, owners = [], []
        for i, document in enumerate(documents):
            ids = document[:-1] if short else document
            if restart:
                ids = ids[:length]
            written = [*ids, end] if ends and (ids or blank) else [*ids]
            if between and i + 1 == len(documents):
                written = [*ids]
            tokens += written
            owners += [first + i] * len(written)
            if own and written:
                owners[-1] = first + i + 1
            if none and written:
                owners[-1] = -1
        rows = len(tokens) // length
        kept = rows * length
        return (
            torch.tensor(tokens[:kept], dtype=torch.long).view(rows, length),
            torch.tensor(owners[:kept], dtype=torch.long).view(rows, length),
        )

    def numbered_anew(documents, length, end):
        tokens, owners = laid_out(documents, length, end)
        return tokens, owners - owners[:, :1]

    def padded(documents, length, end):
        tokens, owners = [], []
        for i, document in enumerate(documents):
            row = [*document, end][:length]
            tokens.append(row + [end] * (length - len(row)))
            owners.append([i] * length)
        return torch.tensor(tokens).view(-1, length), torch.tensor(owners).view(-1, length)

    def filled(documents, length, end):
        whole = [[*document, end] for document in documents]
        more = -sum(map(len, whole)) % length
        if whole:
            whole[-1] = whole[-1] + [end] * more
        return laid_out([one[:-1] for one in whole], length, end)

    check.mistakes(
        {
            "the end token is missing after each document": lambda d, n, e: laid_out(d, n, e, ends=False),
            "the last token of each document was dropped": lambda d, n, e: laid_out(d, n, e, short=True),
            "an end token belongs to the document before it, not to the next one": lambda d, n, e: laid_out(
                d, n, e, own=True
            ),
            "owners count from 0: they are indices of the documents": lambda d, n, e: laid_out(d, n, e, first=1),
            "the owners begin anew with 0 in each row: they are indices of all documents": numbered_anew,
            "an end token has an owner, the document before it": lambda d, n, e: laid_out(d, n, e, none=True),
            "a document without tokens was left out: it is its end token alone": lambda d, n, e: laid_out(
                d, n, e, blank=False
            ),
            "the last document ends with an end token, too, and a row that this just fills is kept":
                lambda d, n, e: laid_out(d, n, e, between=True),
            "each document has a row of its own: packed rows hold several, and no padding": padded,
            "the last row was filled up: what does not fill a row is dropped": filled,
            "the rest of a document that is longer than a row was cut off: it goes on in the next row":
                lambda d, n, e: laid_out(d, n, e, restart=True),
        },
        pack,
    )

    def masked(owners, keep):
        n, t = owners.shape
        out = torch.zeros(n, t, t, dtype=torch.bool)
        for r in range(n):
            for i in range(t):
                for j in range(t):
                    out[r, i, j] = keep(owners[r].tolist(), i, j)
        return out

    check.mistakes(
        {
            "the mask is causal alone: a token sees earlier documents": lambda o: masked(o, lambda v, i, j: j <= i),
            "a token sees later ones of its own document: only itself and what is before": lambda o: masked(
                o, lambda v, i, j: v[i] == v[j]
            ),
            "a token does not see itself: it does": lambda o: masked(o, lambda v, i, j: j < i and v[i] == v[j]),
            "rows and columns are exchanged: axis 1 is the token that sees": lambda o: masked(
                o, lambda v, i, j: j >= i and v[i] == v[j]
            ),
            "the mask is inverted: True where a token may see": lambda o: masked(
                o, lambda v, i, j: not (j <= i and v[i] == v[j])
            ),
            "a token sees the other documents, not its own": lambda o: masked(
                o, lambda v, i, j: j <= i and v[i] != v[j]
            ),
            "owners of 0 count as no owner": lambda o: masked(o, lambda v, i, j: j <= i and v[i] == v[j] != 0),
        },
        packed_mask,
    )

    def placed(owners, step):
        out = torch.zeros_like(owners)
        for r, row in enumerate(owners.tolist()):
            at = 0
            for i in range(len(row)):
                at = step(row, i, at)
                out[r, i] = at
        return out

    def from_the_end(owners):
        out = torch.zeros_like(owners)
        for r, i in itertools.product(range(owners.shape[0]), range(owners.shape[1])):
            out[r, i] = (owners[r, i + 1 :] == owners[r, i]).sum()
        return out

    def counted(row, i, at):
        return at + 1 if i and row[i] == row[i - 1] else 0

    check.mistakes(
        {
            "the positions do not begin anew with a document": lambda o: placed(o, lambda row, i, at: i),
            "positions count from 0, not from 1": lambda o: placed(o, counted) + 1,
            "a document's first token goes on counting, and the one after it begins anew": lambda o: placed(
                o, lambda row, i, at: 0 if i == 0 or (i > 1 and row[i - 1] != row[i - 2]) else at + 1
            ),
            "a document's last token begins it anew: its first one does": lambda o: placed(
                o, lambda row, i, at: 0 if i == 0 or row[i : i + 2] != row[i : i + 1] * len(row[i : i + 2]) else at + 1
            ),
            "the positions count from the end of a document": from_the_end,
            "the positions go on in the next row: a row begins with 0": lambda o: placed(
                o.reshape(1, -1), counted
            ).view_as(o),
        },
        packed_positions,
    )

    def aimed(tokens, owners, pick):
        out = torch.full_like(tokens, -100)
        n, t = tokens.shape
        for r in range(n):
            for i in range(t):
                value = pick(tokens[r].tolist(), owners[r].tolist(), i, t)
                out[r, i] = -100 if value is None else value
        return out

    def right(x, o, i, t):
        return x[i + 1] if i + 1 < t and o[i + 1] == o[i] else None

    check.mistakes(
        {
            "the first token of the next document is a target: it has another owner": lambda x, o: aimed(
                x, o, lambda x, o, i, t: x[i + 1] if i + 1 < t else None
            ),
            "the targets are not shifted: each is the next token": lambda x, o: aimed(
                x, o, lambda x, o, i, t: x[i] if right(x, o, i, t) is not None else None
            ),
            "the token before is the target: the next one is asked for": lambda x, o: aimed(
                x, o, lambda x, o, i, t: x[i - 1] if i and o[i - 1] == o[i] else None
            ),
            "0 is used where no target is: -100 is asked for": lambda x, o: aimed(
                x, o, lambda x, o, i, t: 0 if right(x, o, i, t) is None else right(x, o, i, t)
            ),
            "the last column repeats its own token: nothing follows in the row, so it is -100": lambda x, o: aimed(
                x, o, lambda x, o, i, t: x[i] if i + 1 == t else right(x, o, i, t)
            ),
            "the last target wraps around to the beginning of the row: -100 is asked for": lambda x, o: aimed(
                x, o, lambda x, o, i, t: x[0] if i + 1 == t else right(x, o, i, t)
            ),
            "the end token was left out of the targets: it is the last target of its document": lambda x, o: aimed(
                x, o, lambda x, o, i, t: right(x, o, i, t) if i + 2 >= t or o[i + 2] == o[i] else None
            ),
            "the end token and the last token of a row were left out of the targets: both are": lambda x, o: aimed(
                x, o, lambda x, o, i, t: right(x, o, i, t) if i + 2 < t and o[i + 2] == o[i] else None
            ),
            "the owner was compared with that of the token before: compare it with that of the next one":
                lambda x, o: aimed(
                    x, o, lambda x, o, i, t: x[i + 1] if i + 1 < t and (i == 0 or o[i - 1] == o[i]) else None
                ),
            "the last column is cut off: there is one target for each token": lambda x, o: aimed(x, o, right)[:, :-1],
            "the token two places on is the target: the next one is asked for": lambda x, o: aimed(
                x, o, lambda x, o, i, t: x[i + 2] if i + 2 < t and o[i + 2] == o[i] else None
            ),
        },
        packed_targets,
    )
    ### END MISTAKES
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
    ### BEGIN HIDDEN TESTS
    check.hidden()
    few = check.rng.integers(0, 20, size=6).tolist()
    many, some = (check.rng.integers(0, 20, size=size).tolist() for size in (90, 20))
    again = [(few, 5, 99), (few, 5, 98), (few[::-1], 5, 99)]  # as many tokens, others, in documents of other lengths
    for lengths, length, end in (*again, (few[:3], 30, 7), (some, 70, 0), (many, 8, 500)):
        documents = [check.rng.integers(1, 90, size=size).tolist() for size in lengths]
        stream = [(token, i) for i, document in enumerate(documents) for token in (*document, end)]
        rows = [stream[k : k + length] for k in range(0, len(stream), length)]
        rows = [row for row in rows if len(row) == length]
        flat = torch.tensor(rows, dtype=torch.long).view(-1, length, 2)
        check(pack, documents, length, end).equals((flat[..., 0], flat[..., 1]), about="drawn documents", dtype="i")
        if not len(flat):
            continue
        x, o = flat[..., 0], flat[..., 1]
        same = torch.nn.functional.one_hot(o, len(lengths)).float()
        causal = torch.arange(length)[:, None] >= torch.arange(length)
        seen = (same @ same.transpose(1, 2)).bool() & causal
        check(packed_mask, o).equals(seen, about="masks of drawn rows", dtype="b")
        before = (same.cumsum(1) * same).sum(-1).long() - 1
        check(packed_positions, o).equals(before, about="positions in drawn rows", dtype="i")
        shifted = torch.cat([x[:, 1:], torch.full_like(x[:, :1], -100)], dim=1)
        other = torch.cat([o[:, 1:] != o[:, :-1], torch.ones_like(o[:, :1], dtype=torch.bool)], dim=1)
        targets = shifted.masked_fill(other, -100)
        check(packed_targets, x, o).equals(targets, about="targets in drawn rows", dtype="i")
    for length in (2, 3):
        right = [f"(2, {length}) torch.int64"]
        rows = torch.arange(2 * length).view(2, length)
        check(forms, pack, [[1] * length, [2] * (length - 1)], length, 0).equals(right * 2, about="dtypes", edge=True)
        check(forms, packed_positions, rows).equals(right, about="dtypes", edge=True)
        check(forms, packed_targets, rows, rows).equals(right, about="dtypes", edge=True)
    empty = torch.zeros(0, 6, dtype=torch.long)
    check(pack, [[1, 2]], 6, 0).equals((empty, empty), about="too little for a row", edge=True)
    check(pack, [], 6, 0).equals((empty, empty), about="no document", edge=True, dtype="i")
    check(pack, [[3], [4, 5]], 1, 0).equals(
        (torch.tensor([[3], [0], [4], [5], [0]]), torch.tensor([[0], [0], [1], [1], [1]])),
        about="rows of one token",
        edge=True,
    )
    one = torch.tensor([[3], [3]])
    check(packed_mask, one).equals(torch.ones(2, 1, 1, dtype=torch.bool), about="rows of one token", edge=True)
    check(packed_positions, one).equals(torch.zeros(2, 1, dtype=torch.long), about="rows of one token", edge=True)
    check(packed_targets, one, one).equals(torch.full((2, 1), -100), about="rows of one token", edge=True)
    long = torch.tensor([[4] * 90 + [5] * 40])
    check(packed_positions, long).equals(torch.tensor([[*range(90), *range(40)]]), about="long documents")
    ### END HIDDEN TESTS


score
