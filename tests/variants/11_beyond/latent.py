# %% wrong="not causal" says="those after it"
#~ is_causal=True => is_causal=False
# %% wrong="keys for values" says="exchanged"
#~ latents @ p["key"].T, latents @ p["value"].T => latents @ p["value"].T, latents @ p["key"].T
# %% wrong="heads not joined" says="side by side"
#~ z.transpose(1, 2).flatten(2) => z.reshape(x.shape[0], x.shape[1], -1)
# %% wrong="every H-th row" says="H-th row"
#~ query, key = (w.unflatten(0, (num_heads, -1)) for w in (query, key)) => query, key = (w.unflatten(0, (-1, num_heads)).transpose(0, 1) for w in (query, key))
# %% wrong="turned" says="transposed"
#~ return query.transpose(1, 2) @ key => return key.transpose(1, 2) @ query
# %% wrong="scaled matrices" says="nothing is scaled"
#~ return query.transpose(1, 2) @ key => return query.transpose(1, 2) @ key / math.sqrt(query.shape[1])
# %% wrong="root of r" says="root of r"
#~ math.sqrt(d_head) => math.sqrt(latents.shape[-1])
# %% wrong="not scaled" says="not divided by the root"
#~  / math.sqrt(d_head), dim=-1 => , dim=-1
# %% wrong="last forgotten" says="that of the token itself"
#~ mean = weights @ latents  # (B, H, r) => latents = latents[:, :-1]; mean = torch.softmax(asked @ latents.transpose(1, 2) / math.sqrt(d_head), dim=-1) @ latents
# %% wrong="gradient cut" says=""
#~ mean = weights @ latents => mean = weights.detach() @ latents
# %% wrong="d_head from C" says="H times d_head need not be C"
#~ d_head = len(p["query"]) // num_heads => d_head = x.shape[-1] // num_heads
# %% right="keys and values built, heads in a loop"
def latent_attention(x, p, num_heads):
    T, d = x.shape[1], p["query"].shape[0] // num_heads
    c, outputs = F.linear(x, p["down"]), []
    for h in range(num_heads):
        rows = slice(h * d, (h + 1) * d)
        q, k, v = F.linear(x, p["query"][rows]), F.linear(c, p["key"][rows]), F.linear(c, p["value"][rows])
        s = (q @ k.mT / d**0.5).masked_fill(torch.ones(T, T).triu(1).bool(), -1e30)
        outputs.append(s.softmax(-1) @ v)
    return torch.cat(outputs, -1)
def latent_step(x, latents, p, num_heads):
    d = p["query"].shape[0] // num_heads
    q = (x @ p["query"].T).unflatten(-1, (num_heads, d))
    asked = torch.einsum("bhd,hdr->bhr", q, p["key"].unflatten(0, (num_heads, d)))
    w = torch.softmax(torch.einsum("bhr,btr->bht", asked, latents) / d**0.5, -1)
    mean = torch.einsum("bht,btr->bhr", w, latents)
    return torch.einsum("bhr,hdr->bhd", mean, p["value"].unflatten(0, (num_heads, d))).reshape(len(x), -1)
# %% right="einsum"
def absorbed(query, key, num_heads):
    q, k = query.reshape(num_heads, -1, query.shape[1]), key.reshape(num_heads, -1, key.shape[1])
    return torch.einsum("hdc,hdr->hcr", q, k)
# %% wrong="root of the heads" says="root of the number of heads"
#~ / math.sqrt(d_head) => / math.sqrt(num_heads)
# %% wrong="d_head, no root" says="not by its root"
#~ / math.sqrt(d_head) => / d_head
# %% wrong="softmax over heads" says="runs over the heads"
#~ math.sqrt(d_head), dim=-1) => math.sqrt(d_head), dim=1)
# %% wrong="means added" says="not of the sum over the heads"
#~ torch.einsum("bhr,hdr->bhd", mean => torch.einsum("bkr,hdr->bhd", mean
# %% wrong="heads by view, no transpose" says="tokens and heads are mixed by view" of="heads by view, put together"
#~ .transpose(1, 2).reshape(B, T, -1) => .reshape(B, T, -1)
# %% wrong="heads by view, put together" says="on the way in"
def latent_attention(x, p, num_heads):
    B, T, _ = x.shape
    c = x @ p["down"].T
    q, k, v = ((s @ p[name].T).reshape(B, num_heads, T, -1) for name, s in (("query", x), ("key", c), ("value", c)))
    return F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(B, T, -1)
# %% wrong="a step of one text squeezed" says="squeezed away"
#~ mean, value).flatten(1) => mean, value).flatten(1).squeeze()
# %% wrong="one head, one number squeezed" says="squeezed away"
#~ return query.transpose(1, 2) @ key => return (query.transpose(1, 2) @ key).squeeze()
# %% wrong="a step with keys and values" says="here some are" clause="No key and no value of a cached token is built"
def latent_step(x, latents, p, num_heads):
    d_head = len(p["query"]) // num_heads
    query, key = heads_of((x @ p["query"].T)[:, None], d_head), heads_of(latents @ p["key"].T, d_head)
    z = F.scaled_dot_product_attention(query, key, heads_of(latents @ p["value"].T, d_head))
    return z.transpose(1, 2).flatten(1)
# %% wrong="a step with values" says="here some are" clause="No key and no value of a cached token is built"
#~ mean = weights @ latents => values = heads_of(latents @ p["value"].T, d_head); return (weights[:, :, None] @ values).flatten(1)
# %% wrong="a step by the root of r" says="root of r" clause="The scale is still that of d_head, the width of a query, not of r."
#~ latents.transpose(1, 2) / math.sqrt(d_head) => latents.transpose(1, 2) / math.sqrt(latents.shape[-1])
# %% wrong="matrices scaled" says="nothing is scaled" clause="for each head the matrix that turns x into a query for the latents; nothing is scaled."
#~ return query.transpose(1, 2) @ key => return query.transpose(1, 2) @ key / math.sqrt(query.shape[1])
