# %% base="the plain way"
def gpt_logits(token_ids, p, num_layers, num_heads):
    T = token_ids.shape[1]
    x = p["token_embedding.weight"][token_ids] + p["position_embedding.weight"][:T]
    mask = torch.ones(T, T, dtype=torch.bool).tril()
    for i in range(num_layers):
        x = encoder_block(x, part(p, f"blocks.{i}."), num_heads, norm_first=True, mask=mask)
    x = layer_norm(x, p["final_norm.weight"], p["final_norm.bias"])
    return x @ p["token_embedding.weight"].T
# %% wrong="no mask" says="is the mask missing"
def gpt_logits(token_ids, p, num_layers, num_heads):
    x = p["token_embedding.weight"][token_ids] + p["position_embedding.weight"][: token_ids.shape[1]]
    for i in range(num_layers):
        x = encoder_block(x, part(p, f"blocks.{i}."), num_heads, norm_first=True)
    return F.layer_norm(x, x.shape[-1:], p["final_norm.weight"], p["final_norm.bias"]) @ p["token_embedding.weight"].T
# %% wrong="no norm at the end" says="the norm at the end is missing" of="norm before the blocks"
#-     mask = torch.ones(T, T, dtype=torch.bool).tril()
#-     x = layer_norm(x, p["final_norm.weight"], p["final_norm.bias"])
#~ x = encoder_block(x, part(p, f"blocks.{i}."), num_heads, norm_first=True, mask=mask) => x = encoder_block(x, part(p, f"blocks.{i}."), num_heads, True, torch.ones(T, T).tril().bool())
# %% right="F.embedding, and a mask with four axes"
def gpt_logits(token_ids, p, num_layers, num_heads):
    T = token_ids.shape[1]
    x = F.embedding(token_ids, p["token_embedding.weight"]) + F.embedding(torch.arange(T), p["position_embedding.weight"])
    places = torch.arange(T)
    for i in range(num_layers):
        x = encoder_block(x, part(p, f"blocks.{i}."), num_heads, True, (places[:, None] >= places)[None, None])
    x = F.layer_norm(x, x.shape[-1:], p["final_norm.weight"], p["final_norm.bias"])
    return torch.einsum("btc,vc->btv", x, p["token_embedding.weight"])
# %% wrong="post-norm" says="pre-norm" of="the plain way"
#~ True => False
# %% wrong="no positions" says="position" of="the plain way"
#~ [token_ids] + p["position_embedding.weight"][:T] => [token_ids]
# %% wrong="places from 1" says="positions begin with 0" of="the plain way"
#~ ["position_embedding.weight"] => ["position_embedding.weight"].roll(-1, 0)
# %% wrong="the last places" says="last rows" of="the plain way"
#~ :T => -T:
# %% wrong="always the first block" says="block" of="the plain way"
#~ f"blocks.{i}." => "blocks.0."
# %% wrong="blocks in reverse order" says="order" of="the plain way"
#~ {i} => {num_layers - 1 - i}
# %% wrong="one block only" says="last block is missing" of="the plain way"
#~ (num_layers) => (1)
# %% wrong="the mask the wrong way" says="mask" of="the plain way"
#~ tril => triu
# %% wrong="a token does not see itself" says="does not see itself" of="the plain way"
#~ () => (-1)
# %% wrong="the last block is skipped" says="last block is missing" of="the plain way"
#~ encoder_block => x if i == num_layers - 1 else encoder_block
# %% wrong="probabilities" says="logits" of="the plain way"
#~ x @ p["token_embedding.weight"].T => (x @ p["token_embedding.weight"].T).softmax(-1)
# %% wrong="log-probabilities" says="logits" of="the plain way"
#~ x @ p["token_embedding.weight"].T => (x @ p["token_embedding.weight"].T).log_softmax(-1)
# %% wrong="the last place only" says="only the last token" of="the plain way"
#~ x @ => x[:, -1] @
# %% wrong="embeddings scaled as in the paper of 2017" says="root" of="the plain way"
#~ + => * p["token_embedding.weight"].shape[1] ** 0.5 +
# %% wrong="positions at the output, too" says="at the output" of="the plain way"
#~ x @ => (x + p["position_embedding.weight"][:T]) @
# %% wrong="one head" says="num_heads is ignored" of="the plain way"
#~ num_heads, => 1,
# %% wrong="the hidden vectors" says="logits" of="the plain way"
#~ x @ p["token_embedding.weight"].T => x
# %% wrong="no return" says="is there a return" of="the plain way"
#~ return => x =
# %% wrong="positions of the token ids" says="by place, not by token" of="the plain way"
#~ :T => token_ids
# %% wrong="norm before the blocks" says="behind the blocks"
def gpt_logits(token_ids, p, num_layers, num_heads):
    T = token_ids.shape[1]
    x = p["token_embedding.weight"][token_ids] + p["position_embedding.weight"][:T]
    mask = torch.ones(T, T, dtype=torch.bool).tril()
    x = layer_norm(x, p["final_norm.weight"], p["final_norm.bias"])
    for i in range(num_layers):
        x = encoder_block(x, part(p, f"blocks.{i}."), num_heads, norm_first=True, mask=mask)
    return x @ p["token_embedding.weight"].T
# %% wrong="one token ahead is seen" says="sees the one behind" of="the plain way"
#~ () => (1)
# %% wrong="positions by text, not by token" says="got one position" of="the plain way"
#~ :T => : token_ids.shape[0], None
# %% right="one text at a time, everything spelled out"
def gpt_logits(token_ids, p, num_layers, num_heads):
    rows = []
    for ids in token_ids:
        x = torch.stack([p["token_embedding.weight"][t] + p["position_embedding.weight"][i] for i, t in enumerate(ids)])
        x, C = x[None], x.shape[-1]
        for i in range(num_layers):
            q = {k[len(f"blocks.{i}.") :]: v for k, v in p.items() if k.startswith(f"blocks.{i}.")}
            h = F.layer_norm(x, (C,), q["norm1.weight"], q["norm1.bias"])
            x = x + attention(h, h, q, "self_attn", num_heads, is_causal=True)
            h = F.layer_norm(x, (C,), q["norm2.weight"], q["norm2.bias"])
            h = F.gelu(F.linear(h, q["linear1.weight"], q["linear1.bias"]))
            x = x + F.linear(h, q["linear2.weight"], q["linear2.bias"])
        x = F.layer_norm(x, (C,), p["final_norm.weight"], p["final_norm.bias"])
        rows.append(torch.einsum("btc,vc->btv", x, p["token_embedding.weight"]))
    return torch.cat(rows)
# %% wrong="all blocks, whatever num_layers" says="num_layers is ignored" of="the plain way"
#~ T = token_ids.shape[1] => B, T = token_ids.shape
#~ (num_layers) => (len({n.split(".")[1] for n in p if n.startswith("blocks.")}))
#~ layer_norm(x, p["final_norm.weight"], p["final_norm.bias"]) => F.layer_norm(x, x.shape[-1:], p["final_norm.weight"], p["final_norm.bias"])
#~ x @ p["token_embedding.weight"].T => F.linear(x, p["token_embedding.weight"])
# %% wrong="final norm without weights" says="without its weight" of="the plain way"
#~ T = token_ids.shape[1] => B, T = token_ids.shape
#~ layer_norm(x, p["final_norm.weight"], p["final_norm.bias"]) => F.layer_norm(x, x.shape[-1:])
#~ x @ p["token_embedding.weight"].T => F.linear(x, p["token_embedding.weight"])
# %% wrong="final norm after each block" says="not behind each" of="the plain way"
#~ T = token_ids.shape[1] => B, T = token_ids.shape
#-     x = layer_norm(x, p["final_norm.weight"], p["final_norm.bias"])
#-     return x @ p["token_embedding.weight"].T
#+         x = F.layer_norm(x, x.shape[-1:], p["final_norm.weight"], p["final_norm.bias"])
#+     return F.linear(x, p["token_embedding.weight"])
# %% wrong="mask strict, first row repaired" says="but for the first"
#-     causal = torch.ones(T, T, dtype=torch.bool, device=token_ids.device).tril()
#+     causal = torch.ones(T, T, dtype=torch.bool).tril(-1)
#+     causal[0, 0] = True
# %% wrong="mask of the library: True is forbidden" says="turned round" of="the plain way"
#~ T = token_ids.shape[1] => B, T = token_ids.shape
#~ tril() => triu(1)
#~ layer_norm(x, p["final_norm.weight"], p["final_norm.bias"]) => F.layer_norm(x, x.shape[-1:], p["final_norm.weight"], p["final_norm.bias"])
#~ x @ p["token_embedding.weight"].T => F.linear(x, p["token_embedding.weight"])
# %% wrong="mask in the first block only" says="only the first block" of="the plain way"
#~ T = token_ids.shape[1] => B, T = token_ids.shape
#~ =mask => =mask if i == 0 else None
#~ layer_norm(x, p["final_norm.weight"], p["final_norm.bias"]) => F.layer_norm(x, x.shape[-1:], p["final_norm.weight"], p["final_norm.bias"])
#~ x @ p["token_embedding.weight"].T => F.linear(x, p["token_embedding.weight"])
# %% wrong="layers from 1" says="block 0 is left out" of="the plain way"
#~ T = token_ids.shape[1] => B, T = token_ids.shape
#~ (num_layers) => (1, num_layers)
#~ layer_norm(x, p["final_norm.weight"], p["final_norm.bias"]) => F.layer_norm(x, x.shape[-1:], p["final_norm.weight"], p["final_norm.bias"])
#~ x @ p["token_embedding.weight"].T => F.linear(x, p["token_embedding.weight"])
# %% wrong="x not passed on" says="began with the embeddings" of="the plain way"
#~ T = token_ids.shape[1] => B, T = token_ids.shape
#~ x = encoder_block => y = encoder_block
#~ layer_norm(x, p["final_norm.weight"], p["final_norm.bias"]) => F.layer_norm(y, x.shape[-1:], p["final_norm.weight"], p["final_norm.bias"])
#~ x @ p["token_embedding.weight"].T => F.linear(x, p["token_embedding.weight"])
# %% wrong="residual around the block" says="once more" of="the plain way"
#~ T = token_ids.shape[1] => B, T = token_ids.shape
#~ encoder_block => x + encoder_block
#~ layer_norm(x, p["final_norm.weight"], p["final_norm.bias"]) => F.layer_norm(x, x.shape[-1:], p["final_norm.weight"], p["final_norm.bias"])
#~ x @ p["token_embedding.weight"].T => F.linear(x, p["token_embedding.weight"])
# %% wrong="last logits shifted off" says="behind the last token" of="the plain way"
#~ T = token_ids.shape[1] => B, T = token_ids.shape
#~ layer_norm(x, p["final_norm.weight"], p["final_norm.bias"]) => F.layer_norm(x, x.shape[-1:], p["final_norm.weight"], p["final_norm.bias"])
#~ x @ p["token_embedding.weight"].T => F.linear(x, p["token_embedding.weight"])[:, :-1]
# %% wrong="final norm is norm2 of the last block" says="final_norm" of="the plain way"
#~ T = token_ids.shape[1] => B, T = token_ids.shape
#~ layer_norm(x, p["final_norm.weight"], p["final_norm.bias"]) => F.layer_norm(x, x.shape[-1:], p[f"blocks.{num_layers - 1}.norm2.weight"], p[f"blocks.{num_layers - 1}.norm2.bias"])
#~ x @ p["token_embedding.weight"].T => F.linear(x, p["token_embedding.weight"])
# %% wrong="prefix without a dot at the end" says="KeyError" of="the plain way"
#~ T = token_ids.shape[1] => B, T = token_ids.shape
#~ {i}. => {i}
#~ layer_norm(x, p["final_norm.weight"], p["final_norm.bias"]) => F.layer_norm(x, x.shape[-1:], p["final_norm.weight"], p["final_norm.bias"])
#~ x @ p["token_embedding.weight"].T => F.linear(x, p["token_embedding.weight"])
# %% wrong="final norm without bias" says="without its bias" of="the plain way"
#~ T = token_ids.shape[1] => B, T = token_ids.shape
#~ layer_norm(x, p["final_norm.weight"], p["final_norm.bias"]) => F.layer_norm(x, x.shape[-1:], p["final_norm.weight"])
#~ x @ p["token_embedding.weight"].T => F.linear(x, p["token_embedding.weight"])
# %% right="the library's layers"
def gpt_logits(token_ids, p, num_layers, num_heads):
    E = p["token_embedding.weight"]
    C, T = E.shape[1], token_ids.shape[1]
    x = F.embedding(token_ids, E) + F.embedding(torch.arange(T), p["position_embedding.weight"])
    forbidden = torch.ones(T, T, dtype=torch.bool).triu(1)
    for i in range(num_layers):
        weights = part(p, f"blocks.{i}.")
        layer = nn.TransformerEncoderLayer(C, num_heads, weights["linear1.bias"].numel(), 0.0, "gelu", batch_first=True,
                                           norm_first=True).to(E.dtype)
        x = torch.func.functional_call(layer, weights, (x,), {"src_mask": forbidden})
    return F.layer_norm(x, (C,), p["final_norm.weight"], p["final_norm.bias"]) @ E.T
# %% right="recursion, text by text"
def gpt_logits(token_ids, p, num_layers, num_heads):
    T = token_ids.shape[-1]
    see = torch.tril(torch.ones(1, num_heads, T, T)).bool()
    def after(i, x):
        return x if i == 0 else encoder_block(after(i - 1, x), part(p, f"blocks.{i - 1}."), num_heads, True, see)
    out = []
    for row in token_ids:
        x = torch.stack([p["token_embedding.weight"][t] + p["position_embedding.weight"][k] for k, t in enumerate(row.tolist())])
        x = after(num_layers, x[None])[0]
        out.append(layer_norm(x, p["final_norm.weight"], p["final_norm.bias"]) @ p["token_embedding.weight"].T)
    return torch.stack(out)
# %% wrong="the output's embedding has no gradient" says="gradients of all weights"
#~ return F.linear(x, p["token_embedding.weight"]) => return F.linear(x, p["token_embedding.weight"].detach())
# %% wrong="the blocks are detached" says="gradients of all weights"
#~ part(p, f"blocks.{i}.") => {k: v.detach() for k, v in part(p, f"blocks.{i}.").items()}
# %% wrong="at most twelve blocks" says="many of each"
#~ range(num_layers) => range(min(num_layers, 12))
# %% wrong="the batch of one loses its axis" says="one of each"
#~ return F.linear(x, p["token_embedding.weight"]) => return F.linear(x, p["token_embedding.weight"]).squeeze(0)
# %% right="one-hot rows times the embedding"
#~ p["token_embedding.weight"][token_ids] => F.one_hot(token_ids, len(p["token_embedding.weight"])).to(p["token_embedding.weight"]) @ p["token_embedding.weight"]
# %% wrong="a mask of floats" says="the mask is of floats, which are added"
#~ dtype=torch.bool, device => dtype=p["final_norm.bias"].dtype, device
# %% wrong="a mask of floats above the diagonal" says="with 1 above the diagonal"
#~ torch.ones(T, T, dtype=torch.bool, device=token_ids.device).tril() => torch.ones(T, T, dtype=p["final_norm.bias"].dtype).triu(1)
# %% wrong="the course's GPT" says="the course's own GPT or Block" clause="The course's own GPT and Block (helpers.models.gpt) are not called."
def gpt_logits(token_ids, p, num_layers, num_heads):
    from helpers.models.gpt import GPT
    (V, C), context = p["token_embedding.weight"].shape, len(p["position_embedding.weight"])
    model = GPT(V, context, C, num_layers, num_heads)
    return torch.func.functional_call(model, p, (token_ids,))
# %% wrong="a text of one token squeezed" says="keeps its axis" of="the plain way"
#~ return x @ p["token_embedding.weight"].T => return (x @ p["token_embedding.weight"].T).squeeze(1)
# %% wrong="logits over the root of C" says="divided by the root of C" of="the plain way"
#~ return x @ p["token_embedding.weight"].T => return x @ p["token_embedding.weight"].T / math.sqrt(x.shape[-1])
# %% wrong="float32 on the way" says="change their dtype" of="the plain way"
#~ p["position_embedding.weight"][:T] => p["position_embedding.weight"][:T]; x = x.float()
# %% wrong="block 10 for block 1" says="ends with a dot" of="the plain way"
#~ part(p, f"blocks.{i}.") => {k.split(".", 2)[2]: v for k, v in p.items() if k.startswith(f"blocks.{i}")}
# %% wrong="places from 1, looked up" says="positions begin with 0" of="the plain way"
#~ [:T] => [torch.arange(T) + 1]
