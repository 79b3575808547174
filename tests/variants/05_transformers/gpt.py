# %% wrong="no mask" says="the mask is missing"
def gpt_logits(token_ids, p, num_layers, num_heads):
    x = p["token_embedding.weight"][token_ids] + p["position_embedding.weight"][: token_ids.shape[1]]
    for i in range(num_layers):
        x = encoder_block(x, part(p, f"blocks.{i}."), num_heads, norm_first=True)
    return F.layer_norm(x, x.shape[-1:], p["final_norm.weight"], p["final_norm.bias"]) @ p["token_embedding.weight"].T

# %% wrong="no norm at the end" says="the norm at the end is missing"
def gpt_logits(token_ids, p, num_layers, num_heads):
    T = token_ids.shape[1]
    x = p["token_embedding.weight"][token_ids] + p["position_embedding.weight"][:T]
    for i in range(num_layers):
        x = encoder_block(x, part(p, f"blocks.{i}."), num_heads, True, torch.ones(T, T).tril().bool())
    return x @ p["token_embedding.weight"].T

# %% right="F.embedding, and a mask with four axes"
def gpt_logits(token_ids, p, num_layers, num_heads):
    T = token_ids.shape[1]
    x = F.embedding(token_ids, p["token_embedding.weight"]) + F.embedding(torch.arange(T), p["position_embedding.weight"])
    places = torch.arange(T)
    for i in range(num_layers):
        x = encoder_block(x, part(p, f"blocks.{i}."), num_heads, True, (places[:, None] >= places)[None, None])
    x = F.layer_norm(x, x.shape[-1:], p["final_norm.weight"], p["final_norm.bias"])
    return torch.einsum("btc,vc->btv", x, p["token_embedding.weight"])
