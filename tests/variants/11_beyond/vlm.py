# %% wrong="[CLS] put in" says="the patches alone take the places"
#~ num_heads)[:, 1:] => num_heads)[:, :-1]
# %% wrong="no map" says="map between image and words is missing"
#~ seen = F.linear(seen, p["map.weight"], p["map.bias"]) => seen = seen
# %% wrong="no bias of the map" says="bias of the map is missing"
#~ F.linear(seen, p["map.weight"], p["map.bias"]) => F.linear(seen, p["map.weight"])
# %% wrong="pictures not put in" says="the pictures were not put in"
#~ x = put_images(words, token_ids, seen, image_id) + => x = words +
# %% wrong="no positions" says="the positions are missing"
#~ seen, image_id) + p["positions.weight"][:T] => seen, image_id)
# %% wrong="positions of words only" says="the tokens of the picture have positions, too" clause="the first row for the first"
#~ x = put_images(words, token_ids, seen, image_id) + p["positions.weight"][:T] => x = put_images(words + p["positions.weight"][:T], token_ids, seen, image_id)
# %% wrong="positions from 1" says="token 0 has the first row"
#~ p["positions.weight"][:T] => p["positions.weight"][1 : T + 1]
# %% wrong="causal" says="the mask is causal"
#~ mask = prefix_mask(prefix, lengths, T)[:, None] => mask = torch.ones(T, T, dtype=torch.bool).tril() & (torch.arange(T) < lengths[:, None, None, None])
# %% wrong="no mask" says="there is no mask here"
#~ num_heads, mask) => num_heads)
# %% wrong="padding seen" says="padding is looked at"
#~ prefix_mask(prefix, lengths, T) => prefix_mask(prefix, 0 * lengths + T, T)
# %% wrong="prefix and lengths exchanged" says="prefix and lengths are exchanged"
#~ prefix_mask(prefix, lengths, T) => prefix_mask(lengths, prefix, T)
# %% wrong="no last norm" says="the last norm is missing"
#~ x = F.layer_norm(x, x.shape[-1:], p["norm.weight"], p["norm.bias"]) => x = 1 * x
# %% wrong="bare norm" says="without its weight and bias"
#~ x.shape[-1:], p["norm.weight"], p["norm.bias"]) => x.shape[-1:])
# %% wrong="block 0 for all" says="used the weights of block 0"
#~ part(p, f"blocks.{i}.") => part(p, "blocks.0.")
# %% wrong="blocks in reverse" says="run in reverse order"
#~ for i in range(num_layers): => for i in reversed(range(num_layers)):
# %% wrong="one head" says="the number of heads is ignored"
#~ (p, "eye."), num_layers, num_heads) => (p, "eye."), num_layers, 1)
#~ num_heads, mask) => 1, mask)
# %% wrong="probabilities" says="not probabilities"
#~ return F.linear(x, p["tokens.weight"]) => return F.linear(x, p["tokens.weight"]).softmax(dim=-1)
# %% wrong="logits of the last token" says="of the last token alone came"
#~ return F.linear(x, p["tokens.weight"]) => return F.linear(x[:, -1], p["tokens.weight"])
# %% wrong="no encoder blocks" says="blocks of the image encoder are missing"
#~ part(p, "eye."), num_layers, => part(p, "eye."), 0,
# %% wrong="encoder frozen" says="the gradient is cut" clause="let gradients flow"
#~ seen = F.linear(seen, => seen = F.linear(seen.detach(),
# %% wrong="float32 only" says="the dtype changed" clause="return float64 for float64"
#~ return F.linear(x, p["tokens.weight"]) => return F.linear(x, p["tokens.weight"]).float()
# %% wrong="the picture of row 0" says="every row got the picture of row 0"
#~ vit(images, => vit(images[:1].expand_as(images),
# %% wrong="the end in the answer" says="the end token is not part of the answer" clause="its first `end`, which is not part of it"
#~ row[: row.index(end)] => row[: row.index(end) + 1]
# %% wrong="not cut" says="stops before its first end"
#~ answers.append(row[: row.index(end)] if end in row else row) => answers.append(row)
# %% wrong="all stop with the first" says="when the first had ended"
#~ if ended.all() => if ended.any()
# %% wrong="first logits" says="the logits of the first token were read"
#~ logits_of(rows)[:, -1] => logits_of(rows)[:, 0]
# %% wrong="only the last token" says="only the last token was given"
#~ logits_of(rows)[:, -1] => logits_of(rows[:, -1:])[:, -1]
# %% wrong="only the prompt" says="the prompt alone was given"
#~ logits_of(rows)[:, -1] => logits_of(prompts)[:, -1]
# %% wrong="prompt in the answer" says="the prompt is not part of the answer"
#~ rows[:, prompts.shape[1] :].tolist() => rows.tolist()
# %% wrong="one round more" says="one token more" clause="or after `limit` tokens"
#~ for _ in range(limit) => for _ in range(limit + 1)
# %% wrong="one round less" says="one token less"
#~ for _ in range(limit) => for _ in range(limit - 1)
# %% wrong="the last of equals" says="the first is taken, not the last" clause="of equal logits the first is taken"
#~ chosen = logits_of(rows)[:, -1].argmax(dim=-1) => chosen = len(logits_of(rows)[0, -1]) - 1 - logits_of(rows)[:, -1].flip(-1).argmax(dim=-1)
# %% wrong="asked to the limit" says="not asked again" clause="logits_of is not asked"
#~ if ended.all() => if not len(ended)
# %% wrong="filled up with ends" says="each has its own length"
#~ answers.append(row[: row.index(end)] if end in row else row) => answers.append(row[: row.index(end)] + [end] * (len(row) - row.index(end) - 1) if end in row else row)
# %% wrong="ends left out" says="what a row says after its end is not"
#~ answers.append(row[: row.index(end)] if end in row else row) => answers.append([token for token in row if token != end])
# %% right="step by step, one picture after another"
def vlm_logits(images, token_ids, prefix, lengths, p, image_id, num_layers, num_heads):
    rows = []
    for image, ids, one, length in zip(images, token_ids, prefix, lengths):
        seen = vit(image[None], part(p, "eye."), num_layers, num_heads)[:, 1:] @ p["map.weight"].T + p["map.bias"]
        x = put_images(p["tokens.weight"][ids][None], ids[None], seen, image_id) + p["positions.weight"][: len(ids)]
        mask = prefix_mask(one[None], length[None], len(ids))
        for i in range(num_layers):
            x = pre_norm_block(x, part(p, f"blocks.{i}."), num_heads, mask)
        rows.append(F.layer_norm(x, x.shape[-1:], p["norm.weight"], p["norm.bias"]) @ p["tokens.weight"].T)
    return torch.cat(rows)
# %% right="lists that grow"
def greedy_answers(logits_of, prompts, end, limit):
    answers, going = [[] for _ in prompts], list(range(len(prompts)))
    rows = prompts.clone()
    while going and len(max(answers, key=len)) < limit:
        best = logits_of(rows)[:, -1].argmax(-1)
        rows = torch.cat([rows, best[:, None]], 1)
        for i in list(going):
            answers[i].append(int(best[i])) if best[i] != end else going.remove(i)
    return answers
# %% right="the mask as numbers in a block of one's own, the pictures by where"
#~ mask = prefix_mask(prefix, lengths, T)[:, None] => mask = torch.stack([prefix_mask(prefix, lengths, T)] * num_heads, dim=1)
#~ return F.linear(x, p["tokens.weight"]) => return torch.einsum("btc,vc->btv", x, p["tokens.weight"])
# %% right="one row at a time, until its end"
def greedy_answers(logits_of, prompts, end, limit):
    answers = []
    rows = [row.tolist() for row in prompts]
    size, said = prompts.shape[1], [None] * len(rows)
    for _ in range(limit):
        logits = logits_of(torch.tensor(rows))
        for i, row in enumerate(rows):
            row.append(int(torch.argmax(logits[i, len(row) - 1])))
            if row[-1] == end and said[i] is None:
                said[i] = row[size:-1]
        if None not in said:
            break
    for i, row in enumerate(rows):
        answers.append(row[size:] if said[i] is None else said[i])
    return answers
# %% right="the norm by hand, the map by matmul"
#~ seen = F.linear(seen, p["map.weight"], p["map.bias"]) => seen = torch.matmul(seen, p["map.weight"].mT).add(p["map.bias"])
#~ x = F.layer_norm(x, x.shape[-1:], p["norm.weight"], p["norm.bias"]) => x = (x - x.mean(-1, keepdim=True)) / torch.sqrt(x.var(-1, keepdim=True, unbiased=False) + 1e-5) * p["norm.weight"] + p["norm.bias"]
# %% wrong="rows that slide" says="the first token was dropped"
#~ logits_of(rows)[:, -1] => logits_of(rows[:, -prompts.shape[1] :])[:, -1]
# %% wrong="an end in the prompt stops the row" says="an `end` within the prompt means nothing"
#~ for row in rows[:, prompts.shape[1] :].tolist(): => for prompt, row in zip(prompts.tolist(), rows[:, prompts.shape[1] :].tolist()):
#~ answers.append(row[: row.index(end)] if end in row else row) => answers.append([] if end in prompt else row[: row.index(end)] if end in row else row)
# %% wrong="the whole row is asked for its end" says="an `end` within the prompt means nothing"
#~ ended = ended | (chosen == end) => ended = (rows == end).any(dim=1)
#~ for _ in range(limit): => for _ in range(0 if (prompts == end).any(dim=1).all() else limit):
