from helpers.checks import graded


@graded("vlm", points=7)
def score(check):
    import torch
    import torch.nn.functional as F
    from torch import nn

    ### BEGIN MISTAKES
    import functools

    @functools.cache
    def library_block(C, H, width, dtype):
        """The library's block, built once for each size: its own weights are never used."""
        sizes = {"dropout": 0.0, "activation": "gelu", "batch_first": True, "norm_first": True, "dtype": dtype}
        return nn.TransformerEncoderLayer(C, H, width, **sizes)

    def normed(x, p, begin, bare=False):
        weight, bias = p[f"{begin}norm.weight"], p[f"{begin}norm.bias"]
        return F.layer_norm(x, x.shape[-1:]) if bare else F.layer_norm(x, x.shape[-1:], weight, bias)

    def through(x, p, begin, picked, H, hidden=None):
        """x (n, C) of one row through blocks; hidden (n, n): True where a query may not look."""
        for i in picked:
            front = f"{begin}blocks.{i}."
            own = {name.removeprefix(front): value for name, value in p.items() if name.startswith(front)}
            layer = library_block(x.shape[-1], H, own["linear1.bias"].numel(), x.dtype)
            x = torch.func.functional_call(layer, own, (x[None],), {"src_mask": hidden})[0]
        return x

    def hides(T, prefix, length, kind):
        keys, queries = torch.arange(T), torch.arange(T)[:, None]
        seen = (keys <= queries) | (keys < prefix)
        if kind == "causal":
            seen = keys <= queries
        if kind in ("open", "none"):
            seen = seen | True
        return ~seen if kind in ("padding", "none") else ~(seen & (keys < length))

    def made(pick=lambda z: z[1:], mapped=True, bias=True, put=True, where="both", shift=0, mask="prefix", end=True,
             bare=False, order=lambda n: range(n), eyes=lambda n: range(n), own=lambda b: b, eye_end=True, add=0.0,
             heads=lambda H: H, out=lambda z: z, swap=False, early=False):
        """Each row by itself, by the library's blocks."""
        def one(image, ids, prefix, length, p, image_id, n, H):
            kernel = p["eye.patch.weight"]
            z = F.conv2d(image[None], kernel, p["eye.patch.bias"], stride=kernel.shape[-1])
            z = torch.cat([p["eye.cls"][None], z[0].flatten(1).T]) + p["eye.positions"]
            z = through(z, p, "eye.", eyes(n), heads(H))
            z = pick(normed(z, p, "eye.") if eye_end else z)
            if mapped:
                z = z @ p["map.weight"].T + (p["map.bias"] if bias else 0)
            x, places = p["tokens.weight"][ids], p["positions.weight"][shift : shift + len(ids)]
            x = x + places if where in ("both", "words") else x
            if put:
                x = x.clone()
                x[ids == image_id] = z + add * x[ids == image_id]
            if put and where == "both":
                x = torch.where((ids == image_id)[:, None], x + places * (1 - add), x)
            x = normed(x, p, "") if early else x
            prefix, length = (length, prefix) if swap else (prefix, length)
            x = through(x, p, "", order(n), heads(H), hides(len(ids), prefix, length, mask))
            return (normed(x, p, "", bare) if end else x) @ p["tokens.weight"].T

        def model(images, ids, prefix, lengths, *rest):
            rows = zip(images, ids, prefix, lengths, strict=True)
            found = [one(images[own(b)], row, n, length, *rest) for b, (_, row, n, length) in enumerate(rows)]
            return out(torch.stack(found))

        return model

    right = made()
    check.mistakes({
        "the vector of [CLS] was put in, too: the patches alone take the places": made(lambda z: z[:-1]),
        "all places got the vector of [CLS]: each gets that of its patch": made(lambda z: z[:1].expand(len(z) - 1, -1)),
        "the vectors of the patches came in reverse order": made(lambda z: z[1:].flip(0)),
        "the linear map between image and words is missing": made(mapped=False),
        "the bias of the map is missing": made(bias=False),
        "the pictures were not put in": made(put=False),
        "the pictures were added to the tokens: they take their places": made(add=1.0),
        "the positions are missing": made(where="none"),
        "the tokens of the picture have positions, too: put them in first, then add the positions":
            made(where="words"),
        "token 0 has the first row of the positions: here it has the second": made(shift=1),
        "the mask is causal: the prefix is seen in both directions, use prefix_mask": made(mask="causal"),
        "there is no mask here: use prefix_mask": made(mask="none"),
        "the answer looks ahead: use prefix_mask": made(mask="open"),
        "padding is looked at: give prefix_mask the lengths": made(mask="padding"),
        "prefix and lengths are exchanged": made(swap=True),
        "the last norm is missing": made(end=False),
        "the last norm is without its weight and bias": made(bare=True),
        "the last norm belongs after the blocks: here it is before them, too": made(early=True),
        "the norm at the end of the image encoder is missing": made(eye_end=False),
        "all blocks of the language model used the weights of block 0": made(order=lambda n: [0] * n),
        "the blocks of the language model run in reverse order": made(order=lambda n: range(n)[::-1]),
        "the blocks of the language model are missing": made(order=lambda n: []),
        "the blocks of the image encoder are missing": made(eyes=lambda n: []),
        "the last block of the language model is left out": made(order=lambda n: range(n - 1)),
        "the number of heads is ignored: this is one head": made(heads=lambda H: 1),
        "every row got the picture of row 0": made(own=lambda b: 0),
        "logits are asked for, not probabilities: no softmax": made(out=lambda z: z.softmax(-1)),
        "logits are asked for: this is their log-softmax": made(out=lambda z: z.log_softmax(-1)),
        "the logits of the last token alone came back: all are asked for": made(out=lambda z: z[:, -1]),
        "the likeliest tokens came back: logits are asked for": made(out=lambda z: z.argmax(-1)),
        "the logits are divided by the root of C: the product alone is asked for":
            lambda *given: right(*given) / given[4]["tokens.weight"].shape[1] ** 0.5,
        "the dtype changed: float64 goes in and must come out": made(out=lambda z: z.float()),
    }, vlm_logits)

    def wrote(column=-1, keep=False, cut=True, first=False, fed=lambda rows, P: rows, more=0, least=False, whole=False,
              last=False, padded=False, alone=False, said=lambda rows: rows):
        """Each row by itself, one list that grows."""
        def answers(logits_of, prompts, end, limit):
            P, found = prompts.shape[1], []
            rounds = limit + more
            rows = [row.tolist() for row in prompts]
            for _ in range(rounds):
                z = logits_of(torch.tensor(fed(rows, P)))[:, column]
                z = -z if least else z
                best = z.shape[1] - 1 - z.flip(1).argmax(1) if last else z.argmax(1)
                rows = [[*row, token] for row, token in zip(rows, best.tolist(), strict=True)]
                ends = [end in row[P:] for row in rows]
                if any(ends) if first else all(ends):
                    break
            for row in rows:
                answer = row[P:]
                if cut and end in answer:
                    answer = answer[: answer.index(end) + keep]
                found.append(row[:P] + answer if whole else answer)
            if padded:
                longest = max(map(len, found))
                found = [answer + [end] * (longest - len(answer)) for answer in found]
            return said(found[:1] if alone else found)

        return answers

    def ended_before(logits_of, prompts, end, limit):
        answers = wrote()(logits_of, prompts, end, limit)
        return [[] if end in prompt else answer for prompt, answer in zip(prompts.tolist(), answers, strict=True)]

    def joined(rows):
        out = []
        for row in rows:
            out += row
        return out

    def inner_ends(rows):
        return [list(filter(lambda token: token != 9, row)) for row in rows]

    check.mistakes({
        "the end token is not part of the answer": wrote(keep=True),
        "an answer stops before its first end: here it goes on until all rows have ended": wrote(cut=False),
        "all rows stopped when the first had ended": wrote(first=True),
        "only the prompt is cut off: the ends are left out, and what a row says after its end is not":
            wrote(cut=False, said=inner_ends),
        "the logits of the first token were read: those of the last say what comes next": wrote(column=0),
        "only the last token was given to logits_of: it needs the whole row":
            wrote(fed=lambda rows, P: [row[-1:] for row in rows]),
        "the first token was dropped for each new one: give logits_of the prompt with the answer so far":
            wrote(fed=lambda rows, P: [row[-P:] for row in rows]),
        "the prompt alone was given to logits_of: the answer so far belongs after it":
            wrote(fed=lambda rows, P: [row[:P] for row in rows]),
        "the prompt is not part of the answer": wrote(whole=True),
        "an `end` within the prompt means nothing: only one that is written stops the row": ended_before,
        "one token more than `limit`": wrote(more=1),
        "one token less than `limit`": wrote(more=-1),
        "the least likely token was taken": wrote(least=True),
        "of equal logits the first is taken, not the last": wrote(last=True),
        "short answers were filled up with ends: each has its own length": wrote(padded=True),
        "only the first row was answered": wrote(alone=True),
        "the answers are in reverse order": wrote(said=lambda rows: [row[::-1] for row in rows]),
        "the rows are joined: one list for each row is asked for": wrote(said=joined),
    }, greedy_answers)
    ### END MISTAKES
    t = torch.tensor

    def weights(V, T, C, D, s, channels, N, n, k=0.0, dtype=torch.float32):
        """Weights that are fixed numbers, none of them special."""
        shapes = {"eye.patch.weight": (D, channels, s, s), "eye.patch.bias": (D,), "eye.cls": (D,)}
        shapes |= {"eye.positions": (1 + N, D), "eye.norm.weight": (D,), "eye.norm.bias": (D,)}
        shapes |= {"map.weight": (C, D), "map.bias": (C,), "tokens.weight": (V, C), "positions.weight": (T, C)}
        for begin, size in (("eye.", D), ("", C)):
            block = nn.TransformerEncoderLayer(size, 1, size + 2).state_dict()
            for i in range(n):
                shapes |= {f"{begin}blocks.{i}.{name}": tuple(value.shape) for name, value in block.items()}
        shapes |= {"norm.weight": (C,), "norm.bias": (C,)}
        found = {}
        for i, (name, shape) in enumerate(shapes.items()):
            numbers = torch.arange(1.0, 1 + torch.Size(shape).numel(), dtype=dtype)
            found[name] = 0.8 * torch.sin(numbers * (1.1 + 0.37 * i) + k).view(shape)
        return found

    picture = t([[[[2.0, -1.0]]]])
    check(vlm_logits, picture, t([[0, 0, 2]]), t([3]), t([3]), weights(3, 4, 4, 2, 1, 1, 2, 0), 0, 0, 1).equals(
        [[[-1.1293, 1.2271, -0.9856], [-0.4353, 0.715, -0.797], [-0.2381, 0.125, 0.0227]]],
        about="no blocks", rtol=1e-3, atol=1e-3)
    two = torch.cat([picture, 1 - picture])
    rows, p = t([[0, 0, 1, 2], [0, 0, 2, 1]]), weights(3, 4, 4, 4, 1, 1, 2, 2)
    check(vlm_logits, two, rows, t([2, 3]), t([4, 3]), p, 0, 2, 2).equals(
        [[[1.4394, -1.9319, 1.8903], [1.2866, -1.8203, 1.8508], [0.6198, -0.9978, 1.0999], [0.4552, -0.7014, 0.7538]],
         [[1.2185, -1.7167, 1.7404], [1.2942, -1.829, 1.8583], [1.3501, -1.8455, 1.8307], [0.6782, -1.0592, 1.1474]]],
        about="two rows, one with padding", rtol=1e-3, atol=1e-3)
    uneven = weights(3, 3, 4, 2, 1, 1, 2, 1)
    check(vlm_logits, picture, t([[1, 0, 0]]), t([3]), t([3]), uneven, 0, 1, 2).equals(
        [[[-0.283, 0.2059, -0.0719], [0.6985, -0.6266, 0.3815], [0.3422, -0.2981, 0.1715]]],
        about="vectors of patches and of tokens differ in size", rtol=1e-3, atol=1e-3)

    def float64_stays():
        """Whether float64 goes in and comes out."""
        wide = {name: value.double() for name, value in p.items()}
        return vlm_logits(two.double(), rows, t([2, 3]), t([4, 3]), wide, 0, 2, 2).dtype == torch.float64

    check(float64_stays).equals(
        True, about="float64 stays", near={"the dtype changed: float64 goes in and must come out": False})

    def all_learn():
        """Whether every weight has a gradient."""
        found = slopes(vlm_logits, two, rows, t([2, 3]), t([4, 3]), p, 0, 2, 2)
        return all(bool(part.abs().sum() > 0) for part in found)

    cut = "the gradient is cut on the way from a weight or a picture, or one of them is not used"
    check(all_learn).equals(True, about="gradients", near={cut: RuntimeError})

    def sums(given):
        """The next token is the last figure of the sum of the row so far and the square of its length."""
        if given.shape[1] > 2 and bool((given[:, 2:] == 9).any(1).all()):
            raise ValueError  # all rows had ended
        places = torch.arange(1, 1 + given.shape[1])
        return F.one_hot((given.cumsum(1) + places**2) % 10, 10).float()

    asked_again = {"logits_of is not asked again once all rows have ended": ValueError}
    check(greedy_answers, sums, t([[0, 2], [0, 4], [0, 5], [0, 3]]), 9, 8).equals(
        [[6, 7, 1, 1, 3], [8, 1], [], [7]], about="rows that end in different rounds", near=asked_again)
    check(greedy_answers, sums, t([[0, 1], [3, 1]]), 9, 4).equals([[5, 5, 7, 3], [8, 1]], about="the limit")

    def steps(given):
        """From each token to the one below it; below 4 both 3 and 1 are equally likely."""
        below = F.one_hot((given - 1).clamp(min=0), 6).float()
        return below + F.one_hot(torch.where(given == 4, 1, (given - 1).clamp(min=0)), 6)

    check(greedy_answers, steps, t([[4], [3], [1]]), 0, 9).equals(
        [[1], [2, 1], []], about="equally likely tokens")
    ### BEGIN HIDDEN TESTS
    from helpers.checks.gradients import golden

    check.hidden()
    seed = torch.Generator().manual_seed(int(check.rng.integers(2**31)))

    def draw(*shape, dtype=torch.float32):
        return torch.randn(*shape, generator=seed, dtype=torch.float64).to(dtype)

    def case_of(B, channels, s, H, W, C, D, V, words, n, heads, image_id, dtype=torch.float32):
        N = H // s * W // s
        p = weights(V, N + words + 1, C, D, s, channels, N, n, float(torch.rand(1, generator=seed)), dtype)
        ids = torch.randint(0, V - 1, (B, N + words), generator=seed)
        ids[ids >= image_id] += 1
        ids[:, :N] = image_id
        for row in ids:
            row.copy_(row.roll(int(torch.randint(0, 2, (), generator=seed))))
        prefix = torch.randint(1, N + words - 1, (B,), generator=seed)
        lengths = torch.minimum(prefix + torch.randint(1, 3, (B,), generator=seed), t(N + words))
        return draw(B, channels, H, W, dtype=dtype), ids, prefix, lengths, p, image_id, n, heads

    near = {"rtol": 1e-3, "atol": 1e-3}
    for sizes in [(2, 1, 2, 4, 4, 6, 4, 7, 4, 2, 2, 0), (3, 2, 1, 1, 3, 4, 6, 5, 3, 1, 2, 3),
                  (2, 3, 2, 2, 6, 6, 6, 9, 5, 3, 3, 5), (2, 1, 2, 4, 4, 6, 4, 7, 4, 2, 1, 0)]:
        case = case_of(*sizes)
        check(vlm_logits, *case).equals(right(*case), about="fresh weights, pictures and rows", weight=2, **near)
    for sizes in [(1, 1, 1, 1, 1, 2, 2, 2, 2, 1, 1, 0), (1, 1, 2, 2, 2, 2, 4, 3, 3, 0, 1, 1)]:
        case = case_of(*sizes)
        check(vlm_logits, *case).equals(right(*case), about="one patch, no block", edge=True, **near)
    case = case_of(2, 1, 2, 4, 4, 6, 4, 7, 4, 1, 2, 0)
    bright = (100 * case[0], *case[1:])
    check(vlm_logits, *bright).equals(right(*bright), about="large numbers in a picture", edge=True, **near)
    case = case_of(2, 1, 2, 4, 2, 4, 6, 5, 4, 2, 2, 2, dtype=torch.float64)
    check(vlm_logits, *case).equals(right(*case), about="float64 stays", edge=True, rtol=1e-9, atol=1e-10)
    more = case[4] | {"head.weight": draw(3, 4, dtype=torch.float64), "eye.head.bias": draw(3, dtype=torch.float64)}
    check(vlm_logits, *case[:4], more, *case[5:]).equals(
        right(*case), about="other names beside", edge=True, rtol=1e-9, atol=1e-10)
    check(vlm_logits, *case[:6], 1, case[7]).equals(
        right(*case[:6], 1, case[7]), about="fewer blocks than there are weights for", edge=True, rtol=1e-9, atol=1e-10)
    check(slopes, vlm_logits, *case).equals(
        golden(right, *case), about="gradients of all weights", rtol=1e-5, atol=1e-7,
        near={"the gradient is cut (no detach, no_grad, item or NumPy), or an argument is not used": RuntimeError})
    check.mistakes({}, vlm_logits)
    case = case_of(70, 1, 1, 1, 2, 2, 2, 260, 3, 1, 1, 257)
    check(vlm_logits, *case).equals(right(*case), about="many rows, many tokens", edge=True, **near)
    true = wrote()
    for B, P, V, limit in ((4, 3, 6, 12), (3, 2, 9, 7), (5, 4, 5, 9), (4, 3, 6, 12)):
        table, mix = draw(V, 8), draw(8, V)

        def network(given, table=table, mix=mix):
            return torch.tanh(table[given].cumsum(1) / given.shape[1]) @ mix

        prompts = torch.randint(0, V, (B, P), generator=seed)
        check(greedy_answers, network, prompts, V // 2, limit).equals(
            true(network, prompts, V // 2, limit), about="a random network", weight=2)
    prompts = torch.randint(0, 9, (6, 2), generator=seed)
    check(greedy_answers, sums, prompts, 9, 25).equals(true(sums, prompts, 9, 25), about="sums of fresh rows")
    prompts = torch.randint(1, 70, (80, 1), generator=seed)

    def down(given):
        return F.one_hot((given - 1).clamp(min=0), 80).float()

    check(greedy_answers, down, prompts, 0, 75).equals(
        [list(range(first - 1, 0, -1)) for first in prompts[:, 0].tolist()], about="long answers, many rows", edge=True)

    def up(given):
        return F.one_hot((given + 1).clamp(max=79), 80).float()

    check(greedy_answers, up, t([[66], [73]]), 75, 12).equals(
        [[67, 68, 69, 70, 71, 72, 73, 74], [74]], about="the end has a large id", edge=True)
    for first, limit in ((5, 1), (1, 3), (4, 4), (5, 0)):
        prompt = t([[first]])
        check(greedy_answers, down, prompt, 0, limit).equals(
            true(down, prompt, 0, limit), about="one row, no round or one", edge=True)
    check(greedy_answers, steps, t([[4, 4], [0, 4]]), 0, 5).equals([[1], [1]], about="equally likely tokens", edge=True)
    check(greedy_answers, down, t([[0, 4], [0, 3]]), 0, 6).equals(
        [[3, 2, 1], [2, 1]], about="an end within the prompt", edge=True)
    check(greedy_answers, sums, t([[0, 5], [1, 4]]), 9, 5).equals(
        [[], []], about="all end at once", edge=True, near=asked_again)
    ### END HIDDEN TESTS


score
