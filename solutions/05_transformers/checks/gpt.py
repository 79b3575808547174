from helpers.checks import graded
from helpers.checks.ways import not_taken


@graded("gpt", points=6)
def score(check):
    import torch
    from torch import nn

    ### BEGIN MISTAKES
    import torch.nn.functional as F

    def first_rows(P, ids):
        return P[: ids.shape[1]]

    def normed(x, p):
        return F.layer_norm(x, x.shape[-1:], p["final_norm.weight"], p["final_norm.bias"])

    def made(
        mask="causal", positions=first_rows, end=True, pre=True, last=lambda z: z, pick=lambda i, n: i, scale=1.0,
        early=False, each=lambda x, norm: x, skip=0, open_from=99, onwards=True,
    ):
        """A GPT of the library's layers, whose parts can be exchanged."""

        def gpt(token_ids, p, num_layers, num_heads):
            E, P = p["token_embedding.weight"], p["position_embedding.weight"]
            T, C = token_ids.shape[1], E.shape[1]
            x = E[token_ids] * (scale or C**0.5)
            x = x + positions(P, token_ids)
            x = normed(x, p) if early else x
            shut = {
                "causal": torch.ones(T, T).triu(1), "none": torch.zeros(T, T), "strict": torch.ones(T, T).triu(0),
                "reverse": torch.ones(T, T).tril(-1), "peek": torch.ones(T, T).triu(2),
                "turned": torch.ones(T, T).tril(),
                "repaired": torch.ones(T, T).triu(0) - torch.eye(T) * (torch.arange(T) == 0),
                "added": torch.ones(T, T).tril(), "added above": torch.ones(T, T).triu(1),
            }[mask]
            shut = shut.to(x.dtype) if mask.startswith("added") else shut.bool()
            start, layer = x, None
            for i in range(num_layers):
                begin = f"blocks.{pick(i, num_layers)}."
                own = {k.removeprefix(begin): v for k, v in p.items() if k.startswith(begin)}
                if pick(i, num_layers) is None:
                    continue
                width = own["linear1.bias"].numel()
                layer = layer or nn.TransformerEncoderLayer(
                    C, num_heads, width, 0.0, "gelu", batch_first=True, norm_first=pre
                ).to(x.dtype)
                given = x if onwards else start
                seen = {"src_mask": None if i >= open_from else shut}
                out = torch.func.functional_call(layer, own, (given,), seen)
                x = each(out + skip * given, lambda v: normed(v, p))
            return last((normed(x, p) if end else x) @ E.T)

        return gpt

    right = made()

    def with_norm(weight=None, bias=None, name="final_norm"):
        """The right GPT with another weight or bias in its last norm."""

        def gpt(t, p, n, h):
            w, b = (p[f"{name.format(n - 1)}.{kind}"] for kind in ("weight", "bias"))
            w, b = (v if to is None else torch.full_like(v, to) for v, to in ((w, weight), (b, bias)))
            return right(t, p | {"final_norm.weight": w, "final_norm.bias": b}, n, h)

        return gpt

    def with_positions_at_the_output(t, p, n, h):
        rows = first_rows(p["position_embedding.weight"], t)
        return right(t, p, n, h) + rows @ p["token_embedding.weight"].T

    known = {
        "the norm at the end is without its weight and bias": with_norm(1.0, 0.0),
        "the norm at the end is without its bias": with_norm(bias=0.0),
        "the norm at the end is without its weight": with_norm(weight=1.0),
        "the norm at the end has weights of its own: final_norm": with_norm(name="blocks.{}.norm2"),
        "the last norm stands behind all blocks, not behind each": made(each=lambda x, norm: norm(x), end=False),
        "the last norm stands behind all blocks, and not behind each as well": made(each=lambda x, norm: norm(x)),
        "the mask is turned round: for encoder_block True is where a query may look": made(mask="turned"),
        "a token does not see itself, but for the first: the mask keeps the diagonal": made(mask="repaired"),
        "only the first block has the mask: each needs it": made(open_from=1),
        "each block began with the embeddings: it works on what the block before it returned": made(onwards=False),
        "the input of each block was added once more: the block has its residuals": made(skip=1),
        "block 0 is left out": made(pick=lambda i, n: i or None),
        "the logits behind the last token are missing: (B, T, V) is asked": made(last=lambda z: z[:, :-1]),
        "num_layers and num_heads are exchanged": lambda t, p, n, h: right(t, p, h, n),
        "tokens see what comes after them: is the mask missing?": made(mask="none"),
        "a token does not see itself: the mask keeps the diagonal": made(mask="strict"),
        "the mask is the wrong way round: tokens see what comes after them and nothing before": made(mask="reverse"),
        "the position embeddings are missing": made(positions=lambda P, ids: 0),
        "positions begin with 0, not with 1": made(positions=lambda P, ids: P[torch.arange(ids.shape[1]) + 1]),
        "the first token has place 0: these are the last rows of the table":
            made(positions=lambda P, ids: P[-ids.shape[1] :]),
        "the position embedding is looked up by place, not by token": made(positions=lambda P, ids: P[ids]),
        "all tokens of a text got one position: each place has its own":
            made(positions=lambda P, ids: P[: len(ids), None]),
        "each token sees the one behind it, too: the mask begins right of the diagonal": made(mask="peek"),
        "num_heads is ignored: this is one head": lambda t, p, n, h: right(t, p, n, 1),
        "the last norm stands behind the blocks, not before them": made(early=True, end=False),
        "no positions are added at the output: it is the product with the token embedding":
            with_positions_at_the_output,
        "the norm at the end is missing": made(end=False),
        "these are post-norm blocks; a GPT has pre-norm blocks": made(pre=False),
        "the mask is missing and so are the positions": made(mask="none", positions=lambda P, ids: 0),
        "these are probabilities: return the logits": made(last=lambda z: z.softmax(-1)),
        "these are logarithms of probabilities: return the logits": made(last=lambda z: z.log_softmax(-1)),
        "only the last token's logits came: those of all tokens are asked": made(last=lambda z: z[:, -1]),
        "a text of one token keeps its axis: (B, T, V), nothing is squeezed": made(last=lambda z: z.squeeze(1)),
        "num_heads is ignored: these are two heads": lambda t, p, n, h: right(t, p, n, 2),
        "the logits are divided by the root of C: they are the products as they are":
            lambda t, p, n, h: right(t, p, n, h) / p["token_embedding.weight"].shape[1] ** 0.5,
        "all blocks used the weights of block 0": made(pick=lambda i, n: 0),
        "the blocks are in reverse order": made(pick=lambda i, n: n - 1 - i),
        "the last block is missing": made(pick=lambda i, n: None if i == n - 1 else i),
        "the token embedding is scaled by the root of C; it is taken as it is": made(scale=None),
        "a token out of order: the positions run backwards": made(positions=lambda P, ids: first_rows(P, ids).flip(0)),
        "the mask is of floats, which are added to the scores: booleans are asked": made(mask="added"),
        "the mask is of floats, with 1 above the diagonal, and is added to the scores: booleans are asked":
            made(mask="added above"),
    }
    check.mistakes(known, gpt_logits)
    ### END MISTAKES

    def weights(V, context, C, n, k=0.0):
        """Weights of a GPT that are fixed numbers, none of them special."""
        block = nn.TransformerEncoderLayer(C, 1, C + 2).state_dict()
        shapes = {"token_embedding.weight": (V, C), "position_embedding.weight": (context, C)}
        shapes |= {f"blocks.{i}.{name}": tuple(v.shape) for i in range(n) for name, v in block.items()}
        shapes |= {"final_norm.weight": (C,), "final_norm.bias": (C,)}
        return {
            name: 0.8 * torch.sin(torch.arange(1.0, 1 + torch.Size(shape).numel()) * (1.1 + 0.37 * i) + k).view(shape)
            for i, (name, shape) in enumerate(shapes.items())
        }

    p = weights(3, 5, 4, 2)
    check(gpt_logits, torch.tensor([[2, 0, 1]]), p, 2, 2).equals(
        [[[-1.0812, 1.1881, 0.3509], [-1.4414, 1.6111, 0.4511], [-0.9590, 1.4034, 0.0964]]], rtol=1e-3, atol=1e-4
    )
    borrowed = ["helpers.models.gpt"]
    by_itself, called = "nothing of helpers.models.gpt was called", (
        "the course's own GPT or Block was called: build yours of encoder_block")
    check(taken, borrowed, gpt_logits, torch.tensor([[2, 0]]), p, 2, 2).holds(
        **not_taken(by_itself, called), about="built of your block")
    ### BEGIN HIDDEN TESTS
    from helpers.checks.gradients import golden_of_all as golden

    check.hidden()
    cut = "the gradient is cut: no detach, no_grad, item or NumPy on the way from what goes in to what comes"
    for B, T, V, context, C, H, n in [
        (2, 5, 11, 5, 6, 2, 2), (3, 4, 7, 9, 12, 3, 3), (1, 6, 5, 8, 8, 4, 1), (3, 4, 7, 9, 12, 3, 3),
        (70, 3, 80, 5, 4, 2, 1),
    ]:
        p = weights(V, context, C, n, k=float(check.rng.random()) * 6)
        ids = torch.from_numpy(check.rng.integers(0, V, size=(B, T)))
        about = "as long as the context" if len(ids[0]) == context else "shorter than the context"
        check(gpt_logits, ids, p, n, H).equals(right(ids, p, n, H), about=about, rtol=1e-3, atol=2e-4)
    p = weights(6, 5, 6, 3, k=float(check.rng.random()) * 6)
    ids = torch.from_numpy(check.rng.integers(0, 6, size=(2, 4)))
    check(gpt_logits, ids, p, 2, 3).equals(
        right(ids, p, 2, 3), about="fewer layers than p has blocks", rtol=1e-3, atol=2e-4,
        near={"num_layers is ignored: all blocks of p were used": right(ids, p, 3, 3)},
    )
    check(taken, borrowed, gpt_logits, ids, p, 2, 3).holds(
        **not_taken(by_itself, called, right(ids, p, 2, 3)), about="fresh weights, built of your block")
    p = weights(9, 8, 8, 2, k=float(check.rng.random()) * 6)
    ids = torch.from_numpy(check.rng.integers(0, 8, size=(2, 7)))
    other = ids.clone()
    other[:, 4:] = 8
    check(lambda: [torch.as_tensor(gpt_logits(v, p, 2, 2))[:, :4] for v in (ids, other)]).holds(
        lambda v: torch.allclose(v[0], v[1], rtol=1e-4, atol=1e-5),
        "other tokens from place 4 on change nothing before",
        about="the future changes nothing",
        edge=True,  # as it is for an answer that is always the same
        near={"what comes later changes the logits before it": lambda v: not torch.allclose(v[0], v[1], atol=1e-3)},
    )
    single = check(gpt_logits, ids[:, :1], p, 2, 2).equals(
        right(ids[:, :1], p, 2, 2), about="a single token", edge=True, rtol=1e-3, atol=2e-4
    )
    check.mistakes({}, gpt_logits)  # too many layers to make each again
    sizes = [(3, 3, 3, 1, 1), (1, 1, 2, 1, 1), (3, 70, 66, 1, 66), (3, 3, 4, 13, 1), (5, 3, 4, 0, 2)]
    for V, context, C, n, H in sizes:
        p, ids = weights(V, context, C, n, k=1.0), torch.from_numpy(check.rng.integers(0, V, size=(1, context)))
        p |= {name: v * 0.7 for name, v in p.items() if n > 9 and "bias" not in name}
        last_for_first = made(pick=lambda i, n: n - 1 if i == 1 else i)
        check(gpt_logits, ids, p, n, H).equals(
            right(ids, p, n, H), about="one of each, many of each", edge=True, rtol=1e-3, atol=1e-3, near={
                'the names of block 10 begin with "blocks.1", too: the prefix of block 1 ends with a dot':
                    last_for_first(ids, p, n, H)} if n > 10 else {},
        )
    p = {name: v.double() for name, v in weights(5, 4, 4, 2, k=2.0).items()}
    ids = torch.tensor([[1, 4, 0], [2, 2, 3]])
    check(gpt_logits, ids, p, 2, 2).equals(
        right(ids, p, 2, 2), about="double precision", edge=True, rtol=1e-9, atol=1e-10,
        near={"on the way the numbers change their dtype: that of the weights is kept": RuntimeError}
        if single.passed else {},
    )
    wanted = golden(right, ids, p, 2, 2)

    def slopes_by_name(function, ids, p, n, H):
        return dict(zip(p, slopes(function, ids, p, n, H), strict=True))

    def slopes_of(wrong):
        return lambda function, ids, p, n, H: dict(zip(p, golden(wrong, ids, p, n, H), strict=True))

    def cut_at(part):
        return {name: v * (part not in name) for name, v in wanted.items()}

    wanted = dict(zip(p, wanted, strict=True))
    check.mistakes({words: slopes_of(wrong) for words, wrong in known.items()}, slopes_by_name)
    check(slopes_by_name, gpt_logits, ids, p, 2, 2).equals(
        wanted, about="gradients of all weights", rtol=1e-3, atol=1e-4,
        near={cut: {name: v * 0 for name, v in wanted.items()},
              "the gradient is cut on its way to the blocks": cut_at("blocks"),
              "the gradient is cut on its way to the position embedding": cut_at("position"),
              "the gradient is cut on its way to the token embedding": cut_at("token"),
              "the gradient is cut on its way to the last norm": cut_at("final")},
    )
    ### END HIDDEN TESTS


score
