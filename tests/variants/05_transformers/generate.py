# %% right="a list of logits for all, the cache asked for its length at the end"
def cached_logits(token_ids, caches, p, num_heads):
    first = caches[0]
    begin = first[0].size(-2) if first else 0
    places = torch.arange(begin, begin + token_ids.shape[1])
    x = F.embedding(token_ids, p["token_embedding.weight"]) + F.embedding(places, p["position_embedding.weight"])
    new = list(caches)
    def norm(v, name):
        return F.layer_norm(v, v.shape[-1:], p[f"{name}.weight"], p[f"{name}.bias"])
    for i in range(len(caches)):
        b = f"blocks.{i}"
        found, new[i] = cached_attention(norm(x, f"{b}.norm1"), caches[i], part(p, f"{b}.self_attn."), num_heads)
        x = x + found
        wide = F.gelu(F.linear(norm(x, f"{b}.norm2"), p[f"{b}.linear1.weight"], p[f"{b}.linear1.bias"]))
        x = x + F.linear(wide, p[f"{b}.linear2.weight"], p[f"{b}.linear2.bias"])
    return (norm(x, "final_norm") @ p["token_embedding.weight"].T)[:, -1], new
# %% right="the prompt first, then a while loop"
@torch.no_grad()
def generate(model, prompt, choose, max_new_tokens, end=None):
    ids = [*prompt]
    limit = min(len(prompt) + max_new_tokens, model.context_length)
    weights = {name: v.detach() for name, v in model.named_parameters()}
    if len(ids) >= limit:
        return ids
    logits, caches = cached_logits(torch.tensor(ids)[None], [None] * len(model.blocks), weights, model.num_heads)
    while True:
        ids.append(int(choose(logits.squeeze(0), list(ids))))
        if ids[-1] == end or len(ids) == limit:
            return ids
        logits, caches = cached_logits(torch.tensor([[ids[-1]]]), caches, weights, model.num_heads)
# %% right="the prompt token after token, inference mode"
def generate(model, prompt, choose, max_new_tokens, end=None):
    ids, caches, p = [], [None for _ in model.blocks], dict(model.named_parameters())
    with torch.inference_mode():
        for i in prompt:
            logits, caches = cached_logits(torch.tensor([[i]]), caches, p, model.num_heads)
            ids.append(i)
        logits = logits.clone()
        for k in range(max_new_tokens):
            if len(ids) == model.context_length:
                break
            ids = ids + [int(choose(logits[0], ids))]
            if end is not None and ids[-1] == end:
                break
            if k + 1 < max_new_tokens and len(ids) < model.context_length:
                logits, caches = cached_logits(torch.tensor([ids[-1:]]), caches, p, model.num_heads)
    return ids
# %% right="ids stay tensors"
def generate(model, prompt, choose, max_new_tokens, end=None):
    p, caches = dict(model.named_parameters()), [None] * len(model.blocks)
    new, ids = torch.tensor([prompt]), list(prompt)
    with torch.no_grad():
        for _ in range(max_new_tokens):
            if len(ids) >= model.context_length:
                break
            logits, caches = cached_logits(new, caches, p, model.num_heads)
            new = torch.as_tensor(choose(logits[-1], ids)).reshape(1, 1)
            ids = ids + [new[0, 0]]
            if end is not None and int(new) == end:
                break
    return ids
# %% right="caches in two lists inside, a block of its own"
def step_of_block(x, q, cache, heads):
    h, cache = cached_attention(layer_norm(x, q["norm1.weight"], q["norm1.bias"]), cache, part(q, "self_attn."), heads)
    x = x + h
    feed = (q["linear1.weight"], q["linear1.bias"], q["linear2.weight"], q["linear2.bias"])
    return x + feed_forward(layer_norm(x, q["norm2.weight"], q["norm2.bias"]), *feed), cache
def cached_logits(token_ids, caches, p, num_heads):
    T = 0 if caches[0] is None else caches[0][1].shape[2]
    n = token_ids.shape[1]
    x = p["token_embedding.weight"][token_ids] + p["position_embedding.weight"][T : T + n][None]
    kept = []
    for i, cache in enumerate(caches):
        x, cache = step_of_block(x, part(p, f"blocks.{i}."), cache, num_heads)
        kept.append(cache)
    x = layer_norm(x, p["final_norm.weight"], p["final_norm.bias"])[:, n - 1]
    return torch.einsum("bc,vc->bv", x, p["token_embedding.weight"]), tuple(kept)
# %% wrong="positions begin anew" says="positions 0, 1"
#~ [done : done + token_ids.shape[1]] => [: token_ids.shape[1]]
# %% wrong="positions from 1" says="begin at 1"
#~ [done : done + token_ids.shape[1]] => [done + 1 : done + 1 + token_ids.shape[1]]
# %% wrong="no positions" says="position embedding is missing"
#~ p["position_embedding.weight"][done : done + token_ids.shape[1]] => 0
# %% wrong="logits of all new tokens" says="of all new tokens came"
#~ x[:, -1] => x
# %% wrong="logits of the first new token" says="first new token"
#~ x[:, -1] => x[:, 0]
# %% wrong="vectors instead of logits" says="product with the token embedding"
#~ F.linear(last, p["token_embedding.weight"]) => last
# %% wrong="no final norm" says="final_norm is missing"
#~ layer_norm(x[:, -1], p["final_norm.weight"], p["final_norm.bias"]) => x[:, -1]
# %% wrong="no norm1" says="norm1 is missing"
#~ h = layer_norm(x, q["norm1.weight"], q["norm1.bias"]) => h = x
# %% wrong="no norm2" says="norm2 is missing"
#~ h = layer_norm(x, q["norm2.weight"], q["norm2.bias"]) => h = x
# %% wrong="attention not added" says="to what the attention found"
#~ x = x + h => x = h
# %% wrong="feed-forward not added" says="to what the feed-forward found"
#~ x = x + feed_forward => x = feed_forward
# %% wrong="post-norm" says="pre-norm"
#~ h = layer_norm(x, q["norm1.weight"], q["norm1.bias"]) => h = x
#~ x = x + h => x = layer_norm(x + h, q["norm1.weight"], q["norm1.bias"])
#~ h = layer_norm(x, q["norm2.weight"], q["norm2.bias"]) => h = x
#~ x = x + feed_forward(h, q["linear1.weight"], q["linear1.bias"], q["linear2.weight"], q["linear2.bias"]) => x = layer_norm(x + feed_forward(h, q["linear1.weight"], q["linear1.bias"], q["linear2.weight"], q["linear2.bias"]), q["norm2.weight"], q["norm2.bias"])
# %% wrong="block 0 everywhere" says="weights of block 0"
#~ f"blocks.{i}." => "blocks.0."
# %% wrong="the first cache for all blocks" says="cache of the first"
#~ cached_attention(h, cache, => cached_attention(h, caches[0],
# %% wrong="old caches come back" says="as they were"
#~ p["token_embedding.weight"]), longer => p["token_embedding.weight"]), caches
# %% wrong="the last cache for all" says="cache of the last"
#~ p["token_embedding.weight"]), longer => p["token_embedding.weight"]), [cache] * len(longer)
# %% wrong="one head" says="this is one head"
#~ part(q, "self_attn."), num_heads) => part(q, "self_attn."), 1)
# %% wrong="the whole text anew" says="whole text again" clause="each token goes through the model once."
#-             logits, caches = cached_logits(torch.tensor([new]), caches, p, model.num_heads)
#+             logits, _ = cached_logits(torch.tensor([ids]), caches, p, model.num_heads)
# %% wrong="the model itself, without a cache" says="whole text again" clause="each token goes through the model once."
#-             logits, caches = cached_logits(torch.tensor([new]), caches, p, model.num_heads)
#+             logits = model(torch.tensor([ids]))[:, -1]
# %% wrong="caches, and the whole text" says="still the whole text"
#~ torch.tensor([new]) => torch.tensor([ids])
# %% wrong="caches are dropped" says="were not handed on"
#~ logits, caches = => logits, _ =
# %% wrong="without the prompt" says="prompt is missing"
#~ return ids => return ids[len(prompt) :]
# %% wrong="no end" says="did not stop"
#-             if new[0] == end:
#-                 break
# %% wrong="the end is left out" says="it is kept"
#-             ids = ids + new
#-             if new[0] == end:
#-                 break
#+             if new[0] == end:
#+                 break
#+             ids = ids + new
# %% wrong="one more" says="one token more"
#~ min(max_new_tokens, => min(max_new_tokens + 1,
# %% wrong="one too few" says="one token too few"
#~ min(max_new_tokens, => min(max_new_tokens - 1,
# %% wrong="beyond the context" says="beyond the context"
#~ min(max_new_tokens, model.context_length - len(prompt)) => max_new_tokens
# %% wrong="one place of the context is left" says="before the context was full"
#~ model.context_length - len(prompt) => model.context_length - len(prompt) - 1
# %% wrong="graphs are kept" says="torch.no_grad() is missing" clause="No gradients are kept"
#~ torch.no_grad() => torch.enable_grad()
# %% wrong="a batch for choose" says="not of a batch"
#~ choose(logits[0], ids) => choose(logits, ids)
# %% wrong="always the likeliest" says="not heeded"
#~ int(choose(logits[0], ids)) => int((logits[0], choose(logits[0], ids))[0].argmax())
# %% wrong="choose sees the new ids alone" says="the prompt's, too"
#~ choose(logits[0], ids) => choose(logits[0], ids[len(prompt) :])
# %% wrong="choose sees the last id" says="not only the last"
#~ choose(logits[0], ids) => choose(logits[0], ids[-1:])
# %% wrong="only the last token of the prompt" says="all of it goes first"
#~ ids, new = list(prompt), list(prompt) => ids, new = list(prompt), list(prompt)[-1:]
# %% wrong="the first token of the prompt is left out" says="was not read"
#~ ids, new = list(prompt), list(prompt) => ids, new = list(prompt), list(prompt)[1:]
# %% wrong="an end in the prompt stops it" says="closes with an end" clause="Within the prompt it means nothing."
#-     return ids
#+     return list(prompt) if prompt[-1] == end else ids
# %% wrong="the prompt grows" says="begin with a copy" clause="Return the prompt (at least one id) and the ids"
#~ ids = ids + new => ids = ids + new; prompt += new
# %% wrong="the last two ids sent" says="the last two ids were sent" clause="send *that token alone* through the model"
#~ new = [int(choose(logits[0], ids))] => new = [ids[-1], int(choose(logits[0], ids))]
#~ ids = ids + new => ids = ids + new[1:]
#~ new[0] == end => new[1] == end
