from helpers.checks import graded


@graded("image-text", points=7)
def score(check):
    import torch

    ### BEGIN MISTAKES
    padding = "padding is looked at: what is after lengths is not"
    pads = "the padding has labels, too: they are -100"

    def placed(pick=lambda n, N: n, add=0.0, of=lambda b, B: b):
        def put(vectors, ids, images, image_id):
            rows = []
            for b in range(len(ids)):
                n = 0
                for i in range(ids.shape[1]):
                    if ids[b, i] == image_id:
                        rows.append(images[of(b, len(ids)), pick(n, images.shape[1])] + add * vectors[b, i])
                        n += 1
                    else:
                        rows.append(vectors[b, i])
            return torch.stack(rows).view(vectors.shape)

        return put

    right = placed()

    def side_by_side(v, ids, x, i):
        """The picture's vectors from the first place on, one after the other."""
        rows = []
        for row, words, picture in zip(v, ids, x, strict=True):
            first = int((words == i).nonzero()[0])
            rows.append(torch.cat([row[:first], picture, row[first + len(picture) :]])[: len(row)])
        return torch.stack(rows)

    def in_front(v, ids, x, i):
        words = [row[keep] for row, keep in zip(v, ids != i, strict=True)]
        return torch.cat([x, torch.stack(words)], 1)

    check.mistakes({
        "the picture's vectors are in reverse order": placed(lambda n, N: N - 1 - n),
        "all places got the first vector of the picture": placed(lambda n, N: 0),
        "the picture's vectors were added to those of the tokens: they take their place": placed(add=1.0),
        "the picture's vectors were put in front: they belong in the places of image_id": in_front,
        "nothing was put in": lambda v, ids, x, i: v,
        "all rows have their pictures in the places of row 0: each row has its own":
            lambda v, ids, x, i: right(v, ids[:1].expand_as(ids), x, i),
        "every row got the picture of row 0": placed(of=lambda b, B: 0),
        "the places were filled column by column: each row has its own pictures":
            lambda v, ids, x, i: v.transpose(0, 1).masked_scatter((ids == i).T[..., None], x).transpose(0, 1),
        "the vectors are side by side from the first image_id on: they belong in the places of image_id":
            side_by_side,
        "all places got the mean of the picture's vectors":
            lambda v, ids, x, i: right(v, ids, x.mean(1, keepdim=True).expand_as(x), i),
        "all places got the last vector of the picture": placed(lambda n, N: N - 1),
        "the vectors of the tokens are lost: only the places of image_id change":
            lambda v, ids, x, i: right(0 * v, ids, x, i),
        "the rows' pictures are exchanged": placed(of=lambda b, B: B - 1 - b),
        "the picture is in the first N places: it belongs where image_id is":
            lambda v, ids, x, i: torch.cat([x, v[:, x.shape[1] :]], 1),
        "the dtype changed: float64 goes in and must come out": lambda *given: right(*given).float(),
    }, put_images)

    def seen(both=True, ahead=False, pad=False, own=True, given=True, wide=False, late=0, each=lambda v: v):
        def mask(prefix, lengths, T):
            i, s = torch.arange(T)[:, None], torch.arange(T)
            p, n = each(prefix).view(-1, 1, 1) + late, each(lengths).view(-1, 1, 1)
            look = (s < p) & ((s <= i) | both) & ((i < p) | given)
            look |= (s <= i if own else s < i) & ((s >= p) | (i < p) | given)
            look |= (i >= p) & ahead | (i < p) & wide
            return look & ((s < n) | pad)

        return mask

    true = seen()
    check.mistakes({
        "the prefix is causal here: its tokens see one another in both directions": seen(both=False),
        "the answer sees itself in both directions: it may not look ahead": seen(ahead=True),
        padding: seen(pad=True),
        "every token sees the whole row: prefix and answer may not look ahead into the answer":
            lambda p, n, T: (torch.arange(T) < n[:, None, None]).expand(-1, T, -1),
        "a token does not see itself": seen(own=False),
        "the answer does not see the prefix": seen(given=False),
        "the prefix ends one token too late": seen(late=1),
        "the prefix looks at the answer, too: only the answer may": seen(wide=True),
        "rows and columns are exchanged: [b, t, s] says whether t may look at s": lambda p, n, T: true(p, n, T).mT,
        "the prefix ends one token too early": seen(late=-1),
        "all rows got the prefix and length of row 0": seen(each=lambda v: v[:1].expand(len(v))),
        "one mask for all rows came back: (B, T, T) is asked for": lambda p, n, T: true(p, n, T)[0],
        "True is where a query may look: here it is where it may not": lambda p, n, T: ~true(p, n, T),
        "prefix and lengths are exchanged": lambda prefix, lengths, T: true(lengths, prefix, T),
        "an axis for the heads is added: (B, T, T) is asked for": lambda p, n, T: true(p, n, T)[:, None],
        "padding looks at nothing here: it looks where an answer in its place would":
            lambda p, n, T: true(p, n, T) & (torch.arange(T)[:, None] < n[:, None, None]),
        "booleans are asked for: True and False": lambda p, n, T: true(p, n, T).float(),
        "padding looks at the whole row before it: here it sees the prefix alone":
            lambda p, n, T: true(p, n, T) & ((torch.arange(T)[:, None] < n[:, None, None]) | (
                torch.arange(T) < p[:, None, None])),
        padding + ", not even by a token of padding itself":
            lambda p, n, T: true(p, n, T) | (torch.eye(T).bool() & (torch.arange(T) >= n[:, None, None])),
        padding + ", nor by tokens of padding":
            lambda p, n, T: true(p, n, T) | (torch.arange(T)[:, None] >= n[:, None, None]),
        "the answer sees the answer before it: here it sees the prefix and itself":
            lambda p, n, T: true(p, n, T) & ((torch.arange(T) < p[:, None, None]) | torch.eye(T).bool()),
        "the answer is no padding: keys up to lengths are seen": lambda p, n, T: true(p, p, T),
        padding + ": lengths counts the prefix, too": lambda p, n, T: true(p, p + n, T),
        padding + ": row b ends before token lengths[b]": lambda p, n, T: true(p, n + 1, T),
        "the last token of a row is no padding": lambda p, n, T: true(p, n - 1, T),
        "padding has no row of its own here: (B, T, T) is asked for": lambda p, n, T: true(p, n, T)[:, : int(n.max())],
        "the answer sees what comes before it: here it sees what comes after":
            lambda p, n, T: ((torch.arange(T) < p[:, None, None]) | (torch.arange(T) >= torch.arange(T)[:, None])) & (
                torch.arange(T) < n[:, None, None]),
        "the prefix is causal, and the answer does not see itself": seen(both=False, own=False),
    }, prefix_mask)

    def labelled(first=0, last=0, before=False, behind=False, shift=0, fill=-100, each=lambda v: v):
        def labels(ids, prefix, lengths):
            i, begin, end = torch.arange(ids.shape[1]), each(prefix)[:, None] + first, each(lengths)[:, None] + last
            kept = ids.where(((begin <= i) | before) & ((i < end) | behind), fill)
            return torch.cat([kept[:, shift:], torch.full_like(kept[:, :shift], fill)], dim=1)

        return labels

    own = labelled()
    check.mistakes({
        "the labels are shifted here: the loss does that": labelled(shift=1),
        "the prefix has labels, too: they are -100": labelled(before=True),
        pads: labelled(behind=True),
        "the last token of the answer has no label: the model must learn to stop": labelled(last=-1),
        "the first token of the answer has no label": labelled(first=1),
        "the last token of the prefix has a label": labelled(first=-1),
        "the labels outside the answer are 0: they are -100": labelled(fill=0),
        "all rows got the prefix and length of row 0": labelled(each=lambda v: v[:1].expand(len(v))),
        "a label of 0 is left out: only the place counts":
            lambda ids, prefix, lengths: torch.where(ids == 0, -100, own(ids, prefix, lengths)),
        "integers are asked for": lambda ids, p, n: own(ids, p, n).float(),
        "the labels are shifted to the right: they stay in their places":
            lambda ids, p, n: torch.cat([torch.full_like(ids[:, :1], -100), own(ids, p, n)[:, :-1]], 1),
        "the labels outside the answer are -1: they are -100": labelled(fill=-1),
        "only the prefix has labels: the answer has them": lambda ids, p, n: own(ids, 0 * p, p),
        "the answer has -100 and the others have labels: it is the other way round":
            lambda ids, p, n: torch.where(own(ids, p, n) == -100, ids, -100),
        pads + ": lengths counts the prefix, too": lambda ids, p, n: own(ids, p, p + n),
        pads + ": row b ends before token lengths[b]": labelled(last=1),
        "all labels are -100": lambda ids, p, n: torch.full_like(ids, -100),
    }, answer_labels)
    ### END MISTAKES
    t = torch.tensor
    vectors = t([[[0.1, 0.2], [0.3, 0.4], [0.5, 0.6], [0.7, 0.8]], [[0.9, 0.9], [0.8, 0.8], [0.7, 0.7], [0.6, 0.6]]])
    images = t([[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]])
    check(put_images, vectors, t([[9, 4, 9, 5], [4, 9, 9, 5]]), images, 9).equals(
        [[[1.0, 2.0], [0.3, 0.4], [3.0, 4.0], [0.7, 0.8]], [[0.9, 0.9], [5.0, 6.0], [7.0, 8.0], [0.6, 0.6]]])
    check(slopes, put_images, vectors[:1], t([[9, 4, 9, 5]]), images[:1], 9).equals(
        [[[[0.0, 0.0], [0.6, 0.8], [0.0, 0.0], [1.4, 1.6]]], [[[2.0, 4.0], [6.0, 8.0]]]], about="gradients",
        near={"the gradient is cut on the way from words or pictures": RuntimeError})
    T, f = True, False
    check(prefix_mask, t([3]), t([5]), 6).equals(
        t([[[T, T, T, f, f, f], [T, T, T, f, f, f], [T, T, T, f, f, f], [T, T, T, T, f, f],
            [T, T, T, T, T, f], [T, T, T, T, T, f]]]))

    def booleans_in_the_mask():
        return prefix_mask(t([1]), t([2]), 3).dtype == torch.bool

    check(booleans_in_the_mask).equals(
        True, about="True and False", near={"booleans are asked for: True and False": False})
    check(answer_labels, t([[9, 7, 5, 7, 3, 8]]), t([3]), t([5])).equals(
        [[-100, -100, -100, 7, 3, -100]],
        near={"the row is as long as token_ids: -100 is outside the answer": [[7, 3]]})
    ### BEGIN HIDDEN TESTS
    from helpers.checks.gradients import golden

    check.hidden()
    seed = torch.Generator().manual_seed(int(check.rng.integers(2**31)))

    def draw(*shape, dtype=torch.float32):
        return torch.randn(*shape, generator=seed, dtype=torch.float64).to(dtype)

    cut = "the gradient is cut (no detach, no_grad, item or NumPy on the way), or an argument is not used"

    def case_of(B, N, words, C, image_id, dtype=torch.float32):
        ids = torch.randint(0, 6, (B, N + words), generator=seed)
        ids[ids == image_id] = 6
        for row in ids:
            row[torch.randperm(N + words, generator=seed)[:N]] = image_id
        return draw(B, N + words, C, dtype=dtype), ids, draw(B, N, C, dtype=dtype), image_id

    for sizes in [(3, 2, 4, 5, 7), (2, 4, 3, 2, 0), (4, 3, 5, 3, 2), (3, 2, 4, 5, 257)]:
        case = case_of(*sizes)
        check(put_images, *case).equals(right(*case), about="fresh pictures in fresh rows", rtol=1e-6, weight=2)
    for sizes in [(1, 1, 0, 1, 3), (1, 1, 3, 2, 3), (2, 3, 0, 1, 0), (3, 1, 1, 1, 5)]:
        case = case_of(*sizes)
        check(put_images, *case).equals(right(*case), about="one row, one place, pictures alone", edge=True, rtol=1e-6)
    case = case_of(70, 2, 3, 2, 1)
    check(put_images, *case).equals(right(*case), about="many rows", edge=True, rtol=1e-6)
    case = case_of(1, 70, 70, 2, 1)
    check(put_images, *case).equals(right(*case), about="many places", edge=True, rtol=1e-6)
    case = case_of(2, 3, 4, 3, 5, torch.float64)
    check(put_images, *case).equals(right(*case), about="float64 stays", edge=True, rtol=1e-12)
    check(put_images, 1000 * case[0], case[1], 1000 * case[2], 5).equals(
        1000 * right(*case), about="large numbers", edge=True, rtol=1e-9)
    check(slopes, put_images, *case).equals(
        golden(right, *case), about="gradients of words and pictures", rtol=1e-9, atol=1e-12, weight=2,
        near={cut: RuntimeError})
    for B, size in [(3, 7), (4, 9), (2, 6), (3, 7)]:
        prefix = torch.randint(1, size - 2, (B,), generator=seed)
        lengths = prefix + torch.randint(1, 3, (B,), generator=seed)
        check(prefix_mask, prefix, lengths, size).equals(true(prefix, lengths, size), about="fresh masks", weight=2)
    for prefix, lengths, size in [([1], [1], 1), ([3, 1], [3, 4], 4), ([4], [4], 4), ([1, 2], [5, 3], 5),
                                 ([2], [2], 4)]:
        check(prefix_mask, t(prefix), t(lengths), size).equals(
            true(t(prefix), t(lengths), size), about="prefixes of one token, rows without an answer", edge=True)
    prefix, lengths = t([66, 3]), t([70, 69])
    check(prefix_mask, prefix, lengths, 72).equals(true(prefix, lengths, 72), about="long rows", edge=True)
    prefix = torch.randint(1, 3, (70,), generator=seed)
    check(prefix_mask, prefix, prefix + 1, 4).equals(true(prefix, prefix + 1, 4), about="many masks", edge=True)
    check(booleans_in_the_mask).equals(
        True, about="True and False", edge=True, near={"booleans are asked for: True and False": False})
    for B, size in [(3, 7), (4, 9), (2, 6), (3, 7)]:
        prefix = torch.randint(1, size - 3, (B,), generator=seed)
        lengths = prefix + torch.randint(1, 4, (B,), generator=seed)
        ids = torch.randint(0, 4, (B, size), generator=seed)
        check(answer_labels, ids, prefix, lengths).equals(own(ids, prefix, lengths), about="fresh labels", weight=2)
    for ids, prefix, lengths in [([[5]], [1], [1]), ([[5, 0], [0, 0]], [1, 1], [2, 2]), ([[1, 2, 3]], [3], [3]),
                                 ([[8], [9]], [1, 1], [1, 1])]:
        check(answer_labels, t(ids), t(prefix), t(lengths)).equals(
            own(t(ids), t(prefix), t(lengths)), about="one token, no answer", edge=True)
    check(lambda: answer_labels(t([[3, 4]]), t([1]), t([2])).dtype == torch.int64).equals(
        True, about="labels are integers", edge=True, near={"integers are asked for, as the ids are": False})
    ids = torch.randint(0, 300, (70, 80), generator=seed)
    prefix = torch.randint(1, 70, (70,), generator=seed)
    check(answer_labels, ids, prefix, prefix + 10).equals(own(ids, prefix, prefix + 10), about="many labels", edge=True)
    ### END HIDDEN TESTS


score
