from helpers.checks import graded


@graded("generate", points=6)
def score(check):
    import torch

    from helpers.chapters.transformers.writing import small_gpt

    ### BEGIN MISTAKES
    import torch.nn.functional as F

    from helpers.chapters.transformers import writing
    from helpers.models.functional import part

    def attend(h, cache, q, heads):
        """The library's core with the cache in front; returns (output, keys, values)."""
        parts = F.linear(h, q["in_proj_weight"], q["in_proj_bias"]).chunk(3, -1)
        query, key, value = (v.unflatten(-1, (heads, -1)).transpose(1, 2) for v in parts)
        if cache is not None:
            key, value = torch.cat([cache[0], key], 2), torch.cat([cache[1], value], 2)
        n, T = query.shape[2], key.shape[2]
        seen = torch.ones(n, T, dtype=torch.bool).tril(T - n)
        z = F.scaled_dot_product_attention(query, key, value, attn_mask=seen)
        return F.linear(z.transpose(1, 2).flatten(2), q["out_proj.weight"], q["out_proj.bias"]), (key, value)

    def made(
        begin=0, known=True, places=True, norms=(1, 1, 1), adds=(1, 1), order=1, one=None, mine=lambda i: i,
        last=slice(-1, None), keep="new", text=None, after=False, heads=None, tie=True,
    ):
        def step(token_ids, caches, p, num_heads):
            def norm(v, q, name, on):
                return F.layer_norm(v, v.shape[-1:], q[f"{name}.weight"], q[f"{name}.bias"]) if on else v

            ids = token_ids if text is None else token_ids[:text]
            old = 0 if caches[0] is None else caches[0][0].shape[2]
            first = begin + (old if known else 0)
            x = p["token_embedding.weight"][ids]
            x = x + p["position_embedding.weight"][first : first + ids.shape[1]] * places
            longer = [None] * len(caches)
            for i in range(len(caches))[::order]:
                q = part(p, f"blocks.{i if one is None else one}.")
                cache = caches[mine(i)]
                h = x if after else norm(x, q, "norm1", norms[0])
                h, longer[i] = attend(h, cache, part(q, "self_attn."), heads or num_heads)
                x = x * adds[0] + h
                x = norm(x, q, "norm1", 1) if after else x
                h = x if after else norm(x, q, "norm2", norms[1])
                h = F.gelu(F.linear(h, q["linear1.weight"], q["linear1.bias"]))
                x = x * adds[1] + F.linear(h, q["linear2.weight"], q["linear2.bias"])
                x = norm(x, q, "norm2", 1) if after else x
            x = norm(x[:, last], p, "final_norm", norms[2])
            x = F.linear(x, p["token_embedding.weight"]) if tie else x
            x = x if last == slice(None) else x[:, 0]
            return x, {"new": longer, "old": caches, "last": [longer[-1]] * len(longer)}[keep]

        return step

    check.mistakes({
        "the new tokens have positions 0, 1, ...: they go on behind those in the cache": made(known=False),
        "positions begin at 1: the first token has position 0": made(begin=1),
        "the position embedding is missing": made(places=False),
        "the logits of all new tokens came: those behind the last are asked, (B, V)": made(last=slice(None)),
        "these are the logits behind the first new token, not behind the last": made(last=slice(0, 1)),
        "these are vectors: the product with the token embedding is missing": made(tie=False),
        "final_norm is missing": made(norms=(1, 1, 0)),
        "norm1 is missing before the attention": made(norms=(0, 1, 1)),
        "norm2 is missing before the feed-forward": made(norms=(1, 0, 1)),
        "x is not added to what the attention found": made(adds=(0, 1)),
        "x is not added to what the feed-forward found": made(adds=(1, 0)),
        "the norms stand behind the additions: a GPT is pre-norm": made(after=True),
        "the blocks were taken from the last to the first": made(order=-1),
        "all blocks have the weights of block 0": made(one=0),
        "all blocks read the cache of the first: each has its own": made(mine=lambda i: 0),
        "the caches came back as they were: those with the new tokens are asked": made(keep="old"),
        "all blocks got the cache of the last: each has its own": made(keep="last"),
        "num_heads is ignored: this is one head": made(heads=1),
        "only the first text of the batch came": made(text=1),
    }, cached_logits)

    def odd(
        model, prompt, choose, max_new_tokens, end=None, *, send="new", hand=True, full=True, stop=True, drop=False,
        more=0, room=0, show=0, grad=False, flat=True, greedy=False, early=False, first=None, own=True,
    ):
        """The loop with one part exchanged."""
        ids, new, caches = list(prompt) if own else prompt, list(prompt)[slice(first, None)], []
        most = min(max_new_tokens + more, model.context_length - len(prompt) + room)
        if early and end in prompt:
            return ids
        with torch.set_grad_enabled(grad):
            for _ in range(most):
                two = ids[-2:] if caches else ids
                sent = torch.tensor([{"new": new, "all": ids, "two": two}[send]])
                x = model.hidden(sent, caches)[:, -1]
                logits = F.linear(x, model.token_embedding.weight)
                caches = caches if hand else []
                chosen = choose(logits[0] if flat else logits, ids[show:])
                new = [int(logits.argmax() if greedy else chosen)]
                if stop and drop and new[0] == end:
                    break
                ids += new
                if stop and new[0] == end:
                    break
        return ids if full else ids[len(prompt) :]

    def ran(**changed):
        return lambda *run, **how: writing.written(lambda *a: odd(*a, **changed), *run, **how)

    check.mistakes({
        "each step computes the whole text again: hand on the caches, and send the new id alone":
            ran(send="all", hand=False),
        "the caches are there, and still the whole text is sent: the new id alone": ran(send="all"),
        "the last two ids were sent in each step: the new id alone": ran(send="two"),
        "the caches that came back were not handed on: the new id sees nothing before it": ran(hand=False),
        "the prompt is missing in what came: it stands first": ran(full=False),
        "it did not stop behind `end`": ran(stop=False),
        "`end` was left out: it is kept": ran(drop=True),
        "one token more than max_new_tokens was written": ran(more=1),
        "one token too few was written: max_new_tokens of them": ran(more=-1),
        "it stopped one token before the context was full": ran(room=-1),
        "torch.no_grad() is missing: each step keeps its graph": ran(grad=True),
        "choose gets the logits of one token, (V,), not of a batch": ran(flat=False),
        "choose was not heeded: it says which id comes next": ran(greedy=True),
        "choose gets all ids so far, not only the last": ran(show=-1),
        "choose gets all ids so far, the prompt's first one, too": ran(show=1),
        "only the last token of the prompt was read: all of it goes first": ran(first=-1),
        "the first token of the prompt was not read": ran(first=1),
        "an `end` in the prompt means nothing: only one that is chosen stops the text": ran(early=True),
        "the prompt that came was changed: begin with a copy of it": ran(own=False),
    } | {
        "choose gets all ids so far, the prompt's, too":
            lambda sizes, prompt, *a, **how: writing.written(lambda *b: odd(*b, show=len(prompt)), sizes, prompt, *a,
                **how),
    }, written)
    ### END MISTAKES

    def oracle(model, ids, done):
        """(logits behind the last token, caches of all), and the caches of the first `done` tokens."""
        caches = []
        with torch.no_grad():
            model.hidden(ids, caches)
            logits = model(ids)[:, -1]
        return (logits, caches), [(k[:, :, :done], v[:, :, :done]) for k, v in caches]

    def weights(model):
        return {name: p.detach() for name, p in model.named_parameters()}

    model, ids = small_gpt(5, 6, 4, 2, 2), torch.tensor([[1, 3, 0, 2]])
    whole, cached = oracle(model, ids, 3)
    check(cached_logits, ids[:, 3:], cached, weights(model), 2).equals(
        whole, about="one new token", rtol=1e-4, atol=1e-5)
    two = torch.tensor([[1, 3, 0, 2], [4, 4, 1, 0]])
    whole, cached = oracle(model, two, 2)
    check(cached_logits, two[:, 2:], cached, weights(model), 2).equals(
        whole, about="two texts, two new tokens", rtol=1e-4, atol=1e-5)
    check(cached_logits, two, [None, None], weights(model), 2).equals(
        oracle(model, two, 0)[0], about="a prompt", rtol=1e-4, atol=1e-5,
        near={"at the beginning each cache is None": TypeError})

    def told(sizes, prompt, most, end=None, phase=0.0, work=True):
        """What should come: the likeliest id that is not there yet, the whole text computed anew."""
        model, ids, logits = small_gpt(*sizes, phase), list(prompt), []
        while len(ids) < min(len(prompt) + most, sizes[1]):
            with torch.no_grad():
                logits.append(model(torch.tensor([ids]))[0, -1])
            free = [(value, -i) for i, value in enumerate(logits[-1].tolist()) if i not in ids]
            ids.append(-max(free)[1])
            if ids[-1] == end:
                break
        return {"ids": ids, "prompt": prompt, "seen": list(range(len(prompt), len(ids))),
                "logits": [row.tolist() for row in logits], "graph": False} | ({"once": True} if work else {})

    small, full = (7, 20, 4, 2, 2), "the text grew beyond the context: prompt and new ids are at most context_length"
    plain = told(small, [1, 2], 4)
    ran_well = check(written, small, [1, 2], 4).equals(plain, about="four new tokens", rtol=1e-3, atol=1e-4).passed
    filled = {full: RuntimeError, f"{full} ": IndexError} if ran_well else {}  # else it may have sent too many
    end = plain["ids"][3]
    check(written, small, [1, 2], 4, end).equals(
        told(small, [1, 2], 4, end), about="an end", rtol=1e-3, atol=1e-4)
    check(written, (7, 6, 4, 2, 2), [1, 2, 3], 99).equals(
        told((7, 6, 4, 2, 2), [1, 2, 3], 99), about="the context is full", rtol=1e-3, atol=1e-4,
        near=filled)
    check(written, small, [1, 2], 3, 2).equals(
        told(small, [1, 2], 3, 2), about="a prompt that closes with an end", edge=True, rtol=1e-3, atol=1e-4)
    ### BEGIN HIDDEN TESTS
    check.hidden()
    draw = check.rng
    for B, T, V, C, H, L, done, about in [
        (2, 7, 9, 8, 2, 3, 6, "one new token, drawn"), (1, 5, 12, 6, 3, 2, 4, "one new token, drawn"),
        (3, 8, 9, 8, 4, 2, 3, "several new tokens, drawn"), (2, 6, 7, 6, 2, 4, 2, "several new tokens, drawn"),
        (2, 5, 9, 8, 2, 3, 0, "a prompt, drawn"), (1, 1, 3, 2, 1, 1, 0, "one token, one block"),
        (67, 3, 70, 6, 2, 1, 2, "many texts"),
    ]:
        model = small_gpt(V, T + 2, C, L, H, float(draw.uniform(0, 6)))
        ids = torch.from_numpy(draw.integers(V, size=(B, T)))
        whole, cached = oracle(model, ids, done)
        check(cached_logits, ids[:, done:], cached if done else [None] * L, weights(model), H).equals(
            whole, about=about, edge=L == 1, rtol=1e-3, atol=1e-4)
    model = small_gpt(6, 5, 4, 2, 2, 1.0).double()
    ids = torch.from_numpy(draw.integers(6, size=(2, 4)))
    whole, cached = oracle(model, ids, 2)
    check(cached_logits, ids[:, 2:], cached, weights(model), 2).equals(
        whole, about="double precision", rtol=1e-8, atol=1e-9)
    for V, T, C, L, H, n, most, work, about in [
        (30, 40, 8, 2, 2, 5, 6, True, "longer texts"), (20, 30, 6, 3, 3, 3, 3, False, "longer texts"),
        (25, 9, 8, 1, 4, 4, 50, True, "up to the context"), (25, 8, 8, 2, 4, 5, 50, False, "up to the context"),
        (75, 70, 8, 1, 2, 67, 50, True, "a long prompt"),
    ]:
        case = (V, T, C, L, H), draw.integers(V, size=n).tolist(), most, None, float(draw.uniform(0, 6)), work
        check(written, *case).equals(told(*case), about=about, rtol=1e-2, atol=1e-3)
    for most, V, layers, work in ((3, 30, 2, True), (5, 30, 1, False), (4, 300, 1, False)):
        phase, prompt, sizes = float(draw.uniform(0, 6)), draw.integers(V, size=4).tolist(), (V, 40, 8, layers, 2)
        text = told(sizes, prompt, most, None, phase, work)  # no id comes twice, so its last one ends it
        check(written, sizes, prompt, 10, text["ids"][-1], phase, work).equals(
            text, about="an end, drawn", rtol=1e-2, atol=1e-3)
    for end in told((6, 9, 4, 2, 2), [2, 3, 4, 5], 2)["ids"][4:]:
        case = (6, 9, 4, 2, 2), [2, 3, 4, 5], 2, end, 0.0, False
        check(written, *case).equals(told(*case), about="an end of 0 or 1", rtol=1e-3, atol=1e-4)
    for prompt, most, end, about in [
        ([1, 2], 3, 1, "an end in the prompt does not count"), ([2, 1], 3, 1, "a prompt that closes with an end, too"),
        ([3], 1, None, "one token of prompt, one new"), ([3, 1], 0, None, "nothing new"),
    ]:
        case = small, prompt, most, end, 0.0, False
        check(written, *case).equals(told(*case), about=about, edge=True, rtol=1e-3, atol=1e-4)
    ### END HIDDEN TESTS


score
