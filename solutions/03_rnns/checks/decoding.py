from helpers.checks import graded


@graded("decoding", points=10)
def score(check):
    import torch

    after_end = "a row that has said `end` says `end` from then on"

    ### BEGIN MISTAKES
    from helpers.chapters.rnns import encoder_decoder as networks
    from torch.nn.utils.rnn import pack_padded_sequence

    goes_on = "the decoding goes on to the limit though all rows have ended"

    def first(y, b):
        return torch.full_like(y[:, :1], b)

    check.mistakes({
        "the decoder was fed the target itself: it must see the one before, or it copies the answer": lambda y, b: y,
        "each row begins with `begin`": lambda y, b: torch.cat([torch.zeros_like(y[:, :1]), y[:, :-1]], 1),
        "each row begins with `begin`: here with 1, whatever it is":
            lambda y, b: torch.cat([torch.ones_like(y[:, :1]), y[:, :-1]], 1),
        "the targets were shifted to the left: the decoder would see the future":
            lambda y, b: torch.cat([y[:, 1:], first(y, b)], 1),
        "the last target is not fed: the length stays T": lambda y, b: torch.cat([first(y, b), y], 1),
        "the row was rolled: its first entry is `begin`, not the last target": lambda y, b: y.roll(1, 1),
        "the batch was shifted, not the time": lambda y, b: torch.cat([torch.full_like(y[:1], b), y[:-1]], 0),
        "the first target was overwritten by `begin`: all targets move on by one":
            lambda y, b: torch.cat([first(y, b), y[:, 1:]], 1),
        "`begin` was added to the targets": lambda y, b: y + b,
        "the last target was cut off, and nothing came first: each row begins with `begin`": lambda y, b: y[:, :-1],
        "`begin` fills the whole row: only its first position is `begin`": lambda y, b: torch.full_like(y, b),
        "two positions were shifted, not one": lambda y, b: torch.cat([first(y, b), first(y, b), y[:, :-2]], 1),
    }, shift_right)

    def told(step, state, begin, end, limit, *, freeze=True, until=torch.all, drop=False, keep_state=True, feed=True,
        pick=None, together=False):
        tokens = torch.full((len(state),), begin)
        ended, said = torch.zeros(len(state), dtype=torch.bool), []
        for _ in range(limit):
            logits, new = step(tokens, state)
            state = new if keep_state else state
            raw = chosen = logits.argmax(-1) if pick is None else pick(logits)
            chosen = torch.where(ended, torch.full_like(chosen, end), chosen) if freeze else chosen
            if feed:
                tokens = raw if together else chosen
            said.append(chosen)
            ended |= chosen == end
            if until is not None and bool(until(raw == end if together else ended)):
                break
        said = torch.stack(said, 1)
        return said[:, :-1] if drop and bool(ended.all()) else said

    def full(said, end, what):
        """What was said, with `what` in place of the ends after the first."""
        return torch.where((said == end).cumsum(1) - (said == end).long() > 0, what, said)

    check.mistakes({
        "`begin` is not part of the result": lambda *a: torch.cat([torch.full((len(a[1]), 1), a[2]), told(*a)], 1),
        after_end: lambda *a: told(*a, freeze=False),
        "the decoding stopped when one row had ended: go on until all have": lambda *a: told(*a, until=torch.any),
        "the ends that were said belong to the result": lambda *a: told(*a, drop=True),
        "every step got the first state: pass on the one that came back": lambda *a: told(*a, keep_state=False),
        "every step was fed `begin`: feed back the token just said": lambda *a: told(*a, feed=False),
        "the decoding stops when each row has said `end`, at whatever step: here all had to say it in one step":
            lambda *a: told(*a, together=True),
        "the rows end at their own `end`: one tensor is asked for, in which they say `end` from then on":
            lambda *a: [row[: row.index(a[3]) + 1] if a[3] in row else row for row in told(*a).tolist()],
        "the first step is fed `begin`: here it was fed 0": lambda s, st, b, e, n: told(s, st, 0, e, n),
        "of equally likely tokens the first is taken":
            lambda *a: told(*a, pick=lambda z: z.shape[-1] - 1 - z.flip(-1).argmax(-1)),
        goes_on: lambda *a: told(*a, until=None),
        f"{goes_on}, and rows that have ended go on talking": lambda *a: told(*a, until=None, freeze=False),
        "one step more than the limit was made": lambda s, st, b, e, n: told(s, st, b, e, n + 1),
        "one step too few was made": lambda s, st, b, e, n: told(s, st, b, e, n - 1),
        "the least likely token was taken": lambda *a: told(*a, pick=lambda z: z.argmin(-1)),
        "the second best token was taken": lambda *a: told(*a, pick=lambda z: z.topk(2, -1).indices[:, 1]),
        "the axes are (B, L): here the steps come first": lambda *a: told(*a).T,
        "one likeliest token for the whole batch was taken: each row has its own":
            lambda *a: told(*a, pick=lambda z: z.sum(0).argmax().expand(len(z))),
        "rows that have ended are filled with 0: they say `end`": lambda *a: full(told(*a), a[3], 0),
        "rows that have ended are filled with `begin`: they say `end`": lambda *a: full(told(*a), a[3], a[2]),
        "rows that have ended are filled with -1: they say `end`": lambda *a: full(told(*a), a[3], -1),
    }, greedy_decode)
    def sent(model, x, lengths, y, begin, *, padded=False, fed=None, start=lambda h, c: (h, c), out=None, last=False,
        embed="write_embed"):
        read = model.read_embed(x)
        if not padded:
            read = pack_padded_sequence(read, lengths, batch_first=True, enforce_sorted=False)
        fed = torch.cat([first(y, begin), y[:, :-1]], 1) if fed is None else fed(y, begin)
        states, _ = model.decoder(getattr(model, embed)(fed), start(*model.encoder(read)[1]))
        scores = model.out(states) if out is None else out(model.out(states))
        return scores[:, -1:] if last else scores

    def taught_by_itself(model, x, lengths, y, begin):
        """The decoder is fed its own likeliest token."""
        said = first(y, begin)
        while said.shape[1] < y.shape[1]:
            scores = sent(model, x, lengths, y, begin, fed=lambda *_: said)
            said = torch.cat([said, scores[:, -1:].argmax(-1)], 1)
        return sent(model, x, lengths, y, begin, fed=lambda *_: said)

    def in_sorted_order(model, x, lengths, y, begin):
        """The rows' last states as they stand after sorting."""
        order = lengths.argsort(descending=True)
        return sent(model, x, lengths, y, begin, start=lambda h, c: (h[:, order], c[:, order]))

    def of_mean(model, x, lengths, y, begin):
        """The decoder begins in the mean of the encoder's states."""
        rows = [model.encoder(model.read_embed(row[None, :n]))[0].mean(1) for row, n in zip(x, lengths, strict=True)]
        return sent(model, x, lengths, y, begin, start=lambda h, c: (torch.stack(rows, 1), c))

    def reversed_source(model, x, lengths, y, begin):
        rows = [torch.cat([row[:n].flip(0), row[n:]]) for row, n in zip(x, lengths.tolist(), strict=True)]
        return sent(model, torch.stack(rows), lengths, y, begin)

    ways = {
        "the encoder read the padding, too: its state is wanted at each row's own length": {"padded": True},
        "the decoder was fed the targets themselves: at each step it sees the one before": {"fed": lambda y, b: y},
        "the decoder was fed the targets shifted to the left: it saw the future":
            {"fed": lambda y, b: torch.cat([y[:, 1:], first(y, b)], 1)},
        "each row begins with `begin`: here the decoder was fed 0 first":
            {"fed": lambda y, b: torch.cat([first(y, 0), y[:, :-1]], 1)},
        "the decoder was fed `begin` at every step: it is fed the target before": {"fed": torch.full_like},
        "the decoder began at zeros: it starts from the encoder's last states":
            {"start": lambda h, c: (torch.zeros_like(h), torch.zeros_like(c))},
        "the cell c was not passed on: the last states are a pair": {"start": lambda h, c: (h, torch.zeros_like(c))},
        "the state h was not passed on: the last states are a pair": {"start": lambda h, c: (torch.zeros_like(h), c)},
        "h and c were exchanged": {"start": lambda h, c: (c, h)},
        "h was passed on twice, in the place of c, too": {"start": lambda h, c: (h, h)},
        "the gradient was cut between encoder and decoder: no detach": {"start": lambda h, c: (h.detach(), c.detach())},
        "scores are asked for, without a softmax": {"out": lambda z: z.softmax(-1)},
        "scores are asked for, without a log-softmax": {"out": lambda z: z.log_softmax(-1)},
        "float64 came in, and float32 came out: the scores keep the dtype": {"out": lambda z: z.float()},
        "the decoder's input was embedded by read_embed: write_embed is the table of the targets":
            {"embed": "read_embed"},
        "scores of all targets are asked for: here only those of the last are there": {"last": True},
    }
    made = {words: lambda *a, v=v: sent(*a, **v) for words, v in ways.items()} | {
        "in training the decoder is fed the right targets, not what it would say itself": taught_by_itself,
        "the sources were reversed": reversed_source,
        "the rows were sorted by length, and each got another one's state: put them back": in_sorted_order,
        "the decoder began in the mean of the encoder's states: the last pair is asked for": of_mean,
    }
    check.mistakes({words: lambda _, *a, f=f: networks.forced(f, *a) for words, f in made.items()}, forced)
    ### END MISTAKES
    targets = torch.tensor([[5, 6, 7], [8, 9, 2]])
    check(shift_right, targets, 1).equals(
        [[1, 5, 6], [1, 8, 9]], dtype="i",
        near={"the first column is `begin`: here the first row was overwritten": [[1, 1, 1], [2, 8, 9]]}
    )

    sources, lengths = torch.tensor([[7, 4, 0, 0], [3, 5, 8, 2]]), torch.tensor([2, 4])
    said = torch.tensor([[1, 3, 3], [2, 0, 1]])
    check(forced, encoder_decoder, 1, sources, lengths, said, 4).equals({
        "scores": [[[-0.4839, -0.7690, -0.4242, 1.2168, -1.1412], [0.5047, -0.9305, -1.0639, 0.8515, -0.7109],
            [-0.4805, -0.9137, -0.5089, 1.1198, -1.1113]], [[-0.7013, -0.8586, -0.3924, 1.2322, -1.2343],
            [-0.5774, -0.8283, -0.3347, 1.1579, -1.1001], [0.1181, -1.0108, -0.9284, 0.9330, -0.9169]]],
        "learns": {"read_embed": 1.6291, "encoder": 2.3992, "write_embed": 3.3644, "decoder": 12.2074,
            "out": 25.4030}, "dtype": "torch.float64"}, rtol=1e-3, atol=1e-4,
        about="two sources, the shorter first")

    def counting(tokens, state):
        """The next token is the last one plus the row's number; 7 and above become 7, which ends a row."""
        if bool((tokens == 7).all()):
            raise ValueError
        following = (tokens + state[:, 0]).clamp(max=7)
        return torch.nn.functional.one_hot(following, 8).float(), state

    check(shift_right, targets.int(), 1).holds(
        lambda v: v.dtype == torch.int32, "int32 in, int32 out", about="its dtype", edge=True,
        near={"the dtype has changed: it is that of the targets": lambda v: v.dtype != torch.int32},
    )
    start = torch.tensor([[1], [3], [7]])
    check(greedy_decode, counting, start, 0, 7, 20).equals(
        [[1, 2, 3, 4, 5, 6, 7], [3, 6, 7, 7, 7, 7, 7], [7, 7, 7, 7, 7, 7, 7]],
        about="rows that end at different steps",
        near={"it stops when all rows have said `end`: here one more step was asked": ValueError}
    )
    check(greedy_decode, counting, start, 0, 7, 3).equals([[1, 2, 3], [3, 6, 7], [7, 7, 7]], about="the limit")

    def turning(tokens, state):
        """The next token is the last one plus the row's number, less 8 if above 7; the number grows by 1."""
        return torch.nn.functional.one_hot((tokens + state[:, 0]) % 8, 8).float(), state + 1

    check(greedy_decode, turning, torch.tensor([[3], [4]]), 0, 7, 9).equals(
        [[3, 7, 7], [4, 1, 7]], about="a row that would go on after its end",
        near={after_end + " (here all had to say it in one step)": [[3, 7, 4, 2, 1, 1, 2, 4, 7], [4, 1, 7, 6, 6, 7,
        1, 4, 0]]}
    )

    def even(tokens, state):
        """1 and 3 are equally likely, and after 1 only 4."""
        after = torch.tensor([[0.0, 1, 0, 1, 0]]).repeat(len(tokens), 1)
        after[tokens == 1] = torch.tensor([0.0, 0, 0, 0, 1])
        return after, state

    check(greedy_decode, even, torch.zeros(1, 1), 0, 4, 5).equals(
        [[1, 4]], about="equally likely tokens"
    )
    ### BEGIN HIDDEN TESTS
    check.hidden()
    for B, T in ((3, 5), (2, 8), (4, 3)):
        y, b = torch.tensor(check.rng.integers(2, 30, size=(B, T))), int(check.rng.integers(40, 50))
        check(shift_right, y, b).equals([[b, *row[:-1]] for row in y.tolist()], about="random targets", dtype="i")
    for B, T in ((70, 3), (2, 70), (1, 1)):
        big, b = torch.tensor(check.rng.integers(2, 300, size=(B, T))), 299 if B > 1 else 0
        check(shift_right, big, b).equals([[b, *row[:-1]] for row in big.tolist()], dtype="i", edge=True,
            about="large sizes and numbers, or 0")
    shifted = [[b, *row[:-1]] for row in y.tolist()]
    check(shift_right, y.int(), b).holds(lambda v: v.dtype == torch.int32 and v.tolist() == shifted,
        "the dtype stays: int32 in, int32 out", near={"the dtype has changed: it is that of the targets": lambda v:
        v.tolist() == shifted})
    check(shift_right, y[:, :1], 3).equals([[3]] * 4, about="one step", edge=True, dtype="i")
    for B, K, H, limit in ((4, 6, 5, 30), (3, 9, 4, 6), (5, 5, 3, 12), (2, 7, 3, 1)):
        table, mix, out = (torch.tensor(check.rng.normal(size=s) * 1.5) for s in ((K, H), (H, H), (H, K)))

        def step(tokens, state, table=table, mix=mix, out=out):
            state = torch.tanh(table[tokens] + state @ mix)
            return state @ out, state

        state, end = torch.tensor(check.rng.normal(size=(B, H))), 0
        expected = []
        for row in range(B):
            token, s, line = K - 1, state[row : row + 1], []
            while len(line) < limit and end not in line:
                z, s = step(torch.tensor([token]), s)
                token = int(z[0].argmax())
                line.append(token)
            expected.append(line)
        longest = max(map(len, expected))
        expected = [line + [end] * (longest - len(line)) for line in expected]
        check(greedy_decode, step, state, K - 1, end, limit).equals(expected, about="a random network",
            edge=limit == 1)

    from helpers.chapters.rnns import encoder_decoder as own

    def alone(seed, x, lengths, y, begin):
        """Each row by itself, without padding, letter by letter, by the equations of the LSTM."""
        model = own.small_translator(seed, begin)

        def run(lstm, vectors, h, c):
            hs = []
            for v in vectors:
                sums = lstm.weight_ih_l0 @ v + lstm.bias_ih_l0 + lstm.weight_hh_l0 @ h + lstm.bias_hh_l0
                i, f, g, o = sums.chunk(4)
                c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
                h = torch.sigmoid(o) * torch.tanh(c)
                hs.append(h)
            return torch.stack(hs), h, c

        rows = []
        for source, n, target in zip(x, lengths.tolist(), y.tolist(), strict=True):
            zero = torch.zeros(4, dtype=torch.float64)
            _, h, c = run(model.encoder, model.read_embed.weight[source[:n]], zero, zero)
            fed = torch.tensor([begin, *target[:-1]])
            states, _, _ = run(model.decoder, model.write_embed.weight[fed], h, c)
            rows.append(states @ model.out.weight.T + model.out.bias)
        scores = torch.stack(rows)
        scores.square().sum().backward()
        learns = {}
        for name in own.PARTS:
            slope = [p.grad.flatten() for p in getattr(model, name).parameters()]
            learns[name] = torch.cat(slope).norm().item()
        return {"scores": scores.detach(), "learns": learns, "dtype": "torch.float64"}

    usual = "padded sources, as in training"
    for B, S, T, begin, about in ((3, 6, 4, 5, usual), (3, 6, 4, 5, usual), (5, 4, 6, 7, usual), (4, 5, 5, 6, usual),
            (1, 1, 1, 5, "one source, one character"), (70, 3, 2, 6, "many rows"), (2, 70, 3, 5, "long sources"),
            (3, 4, 3, 0, "begin 0, 1 or large"), (3, 4, 3, 1, "begin 0, 1 or large"),
            (3, 4, 3, 90, "begin 0, 1 or large")):
        n = check.rng.integers(1, S + 1, size=B)
        n[0] = S
        n = torch.tensor(check.rng.permutation(n))
        x = torch.tensor(check.rng.integers(2, 9, size=(B, S))) * (torch.arange(S) < n[:, None])
        y, seed = torch.tensor(check.rng.integers(0, 5, size=(B, T))), int(check.rng.integers(1000))
        check(forced, encoder_decoder, seed, x, n, y, begin).equals(alone(seed, x, n, y, begin), rtol=1e-6, atol=1e-9,
            about=f"encoder and decoder: {about}", edge=about != usual)
    check(greedy_decode, counting, torch.tensor([[2], [3]]), 0, 7, 20).equals(
        [[2, 4, 6, 7], [3, 6, 7, 7]], about="no step after the last end",
        near={"it stops when all rows have said `end`: here one more step was asked": ValueError},
    )

    def count(tokens, state):
        """Each row counts on by the first number of its state, however the state is shaped."""
        following = (tokens + state.flatten(1)[:, 0]).long() % 150
        return torch.nn.functional.one_hot(following, 150).double(), state

    for about, state, begin, end, limit in (("tokens and states beyond 64", torch.tensor([[70.0], [3.0]]).double(), 80,
            149, 70), ("many rows", (1.0 + torch.arange(70) % 3)[:, None].double(), 0, 6, 5), ("a state of three axes",
            torch.tensor([[[2.0, 0.0]], [[5.0, 1.0]]]), 0, 20, 30)):
        rows = []
        for stride in state.flatten(1)[:, 0].long().tolist():
            row = [(begin + stride) % 150]
            while row[-1] != end and len(row) < limit:
                row.append((row[-1] + stride) % 150)
            rows.append(row)
        longest = max(map(len, rows))
        rows = [row + [end] * (longest - len(row)) for row in rows]
        check(greedy_decode, count, state, begin, end, limit).equals(rows,
            about=about, edge=True, dtype="i", near={"the first axis of a state is the batch, whatever its other axes":
            ValueError} if "axes" in about else None)

    def cycle(tokens, state):
        """Each row goes round 7 numbers in strides of its own; the number 5 further on is as likely as the next."""
        near = (tokens + state[:, 0]) % 7
        scores = torch.nn.functional.one_hot(near, 9) + torch.nn.functional.one_hot((near + 5).clamp(max=8), 9)
        return scores.float(), state

    for strides, end in (([1, 2, 4], 6), ([3, 1, 5, 2], 4)):
        rows = []
        for stride in strides:
            row = [stride % 7]
            while row[-1] != end:
                row.append((row[-1] + stride) % 7)
            rows.append(row)
        expected = [row + [end] * (max(map(len, rows)) - len(row)) for row in rows]
        check(greedy_decode, cycle, torch.tensor(strides)[:, None], 0, end, 25).equals(expected,
            about="rows that end, two tokens equally likely")
    ### END HIDDEN TESTS


score
