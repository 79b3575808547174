# %% base="three products"
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.in_proj_weight = nn.Parameter(torch.empty(3 * d_model, d_model))
        nn.init.xavier_uniform_(self.in_proj_weight)
        self.in_proj_bias = nn.Parameter(torch.zeros(3 * d_model))
        self.out_proj = nn.Linear(d_model, d_model)
    def forward(self, x, memory, mask=None, angles=None):
        W_q, W_k, W_v = self.in_proj_weight.chunk(3)
        b_q, b_k, b_v = self.in_proj_bias.chunk(3)
        q = split_heads(F.linear(x, W_q, b_q), self.num_heads)
        k = split_heads(F.linear(memory, W_k, b_k), self.num_heads)
        v = split_heads(F.linear(memory, W_v, b_v), self.num_heads)
        if angles is not None:
            q, k = rotate_pairs(q, angles), rotate_pairs(k, angles)
        if mask is None:
            mask = torch.ones(1, 1, dtype=torch.bool)
        z = masked_attention(q, k, v, mask)[0]
        z = merge_heads(z)
        return self.out_proj(z)
# %% right="the library's own attention" of="three products"
#~ z = masked_attention(q, k, v, mask)[0] => z = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
# %% right="matrices with @" of="three products"
#~ F.linear(x, W_q, b_q) => x @ W_q.T + b_q
#~ F.linear(memory, W_k, b_k) => memory @ W_k.transpose(0, 1) + b_k
#~ F.linear(memory, W_v, b_v) => torch.matmul(memory, W_v.t()) + b_v
# %% right="rows by slices" of="three products"
#~ self.in_proj_weight.chunk(3) => self.in_proj_weight.view(3, -1, self.in_proj_weight.shape[1]).unbind(0)
#~ self.in_proj_bias.chunk(3) => self.in_proj_bias.split(len(self.in_proj_bias) // 3)
# %% right="begun as the library does" of="three products"
#~ self.in_proj_bias = nn.Parameter(torch.zeros(3 * d_model)) => self.register_parameter("in_proj_bias", nn.Parameter(torch.zeros(3 * d_model)))
#~ nn.init.xavier_uniform_(self.in_proj_weight) => torch.nn.init.xavier_normal_(self.in_proj_weight)
# %% right="a child of the library's layer"
class MultiHeadAttention(nn.MultiheadAttention):
    def __init__(self, d_model, num_heads):
        super().__init__(d_model, num_heads, batch_first=True)
    def forward(self, x, memory, mask=None, angles=None):
        parts = [F.linear(y, W, b) for y, W, b in zip((x, memory, memory), self.in_proj_weight.chunk(3), self.in_proj_bias.chunk(3))]
        q, k, v = [split_heads(y, self.num_heads) for y in parts]
        q, k = (q, k) if angles is None else (rotate_pairs(q, angles), rotate_pairs(k, angles))
        z = attention(q, k, v)[0] if mask is None else masked_attention(q, k, v, mask)[0]
        return F.linear(merge_heads(z), self.out_proj.weight, self.out_proj.bias)
# %% right="the functions of exercise 7, and biases" of="three products"
#~ z = merge_heads(z) => z = torch.cat(list(z.unbind(1)), dim=-1)
# %% wrong="queries and keys exchanged" says="W_Q and W_K are exchanged" of="three products"
#~ W_q, W_k, W_v = => W_k, W_q, W_v =
#~ b_q, b_k, b_v = => b_k, b_q, b_v =
# %% wrong="keys and values exchanged" says="W_K and W_V are exchanged" of="three products"
#~ W_q, W_k, W_v = => W_q, W_v, W_k =
#~ b_q, b_k, b_v = => b_q, b_v, b_k =
# %% wrong="the reverse order" says="W_Q and W_V are exchanged" of="three products"
#~ W_q, W_k, W_v = => W_v, W_k, W_q =
#~ b_q, b_k, b_v = => b_v, b_k, b_q =
# %% wrong="no biases" says="the biases of queries, keys and values are missing" of="three products"
#~ , W_q, b_q) => , W_q)
#~ , W_k, b_k) => , W_k)
#~ , W_v, b_v) => , W_v)
# %% wrong="no bias at the end" says="out_proj has no bias" of="three products"
#~ nn.Linear(d_model, d_model) => nn.Linear(d_model, d_model, bias=False)
# %% wrong="the last bias unused" says="the bias of out_proj is missing" of="three products"
#~ self.out_proj(z) => z @ self.out_proj.weight.T
# %% wrong="out_proj unused" says="out_proj is missing at the end" of="three products"
#~ return self.out_proj(z) => return z
# %% wrong="keys and values of x" says="keys and values come from x" of="three products"
#~ F.linear(memory, W_k => F.linear(x, W_k
#~ F.linear(memory, W_v => F.linear(x, W_v
# %% wrong="values of x" says="the values come from x" of="three products"
#~ F.linear(memory, W_v => F.linear(x, W_v
# %% wrong="queries of memory" says="the queries come from memory" of="three products"
#~ F.linear(x, W_q => F.linear(memory, W_q
# %% wrong="the mask ignored" says="the mask was not used" of="three products"
#~ if mask is None: => if True:
# %% wrong="the mask inverted" says="the wrong way round" of="three products"
#~ (q, k, v, mask) => (q, k, v, ~mask if mask.numel() > 1 else mask)
# %% wrong="angles ignored" says="the angles were not used" of="three products"
#~ if angles is not None: => if False:
# %% wrong="queries turned alone" says="only the queries were turned" of="three products"
#~ rotate_pairs(k, angles) => k
# %% wrong="keys turned alone" says="only the keys were turned" of="three products"
#~ rotate_pairs(q, angles) => q
# %% wrong="values turned, too" says="the values were turned, too" of="three products"
#~ q, k = rotate_pairs(q, angles), rotate_pairs(k, angles) => q, k, v = (rotate_pairs(y, angles) for y in (q, k, v))
# %% wrong="values turned for keys" says="in place of the keys" of="three products"
#~ q, k = rotate_pairs(q, angles), rotate_pairs(k, angles) => q, v = rotate_pairs(q, angles), rotate_pairs(v, angles)
# %% wrong="one head" says="one head only" of="three products"
#~ self.num_heads = num_heads => self.num_heads = 1
# %% wrong="a plain view" says="mixes tokens with features"
def split_heads(x, num_heads):
    return x.reshape(x.shape[0], num_heads, x.shape[1], -1)
# %% wrong="not scaled" says="the scores are not scaled" of="three products"
#~ (q, k, v, mask) => (q * q.shape[-1] ** 0.5, k, v, mask)
# %% wrong="scaled by all features" says="that of all features" of="three products"
#~ (q, k, v, mask) => (q / self.num_heads**0.5, k, v, mask)
# %% wrong="NaN where nothing is seen" says="gave NaN" of="three products"
#~ masked_attention(q, k, v, mask)[0] => torch.softmax(scaled_scores(q, k).masked_fill(~mask, -math.inf), -1) @ v
# %% wrong="equal weights where nothing is seen" says="got equal weights" of="three products"
#~ masked_attention(q, k, v, mask)[0] => torch.softmax(scaled_scores(q, k).masked_fill(~mask, -1e9), -1) @ v
# %% wrong="x added" says="x was added" of="three products"
#~ self.out_proj(z) => x + self.out_proj(z)
# %% wrong="matrices turned round" says="in_proj_weight is stored as" of="three products"
#~ F.linear(x, W_q, b_q) => x @ W_q + b_q
#~ F.linear(memory, W_k, b_k) => memory @ W_k + b_k
#~ F.linear(memory, W_v, b_v) => memory @ W_v + b_v
# %% wrong="the last matrix turned round" says="out_proj.weight is stored as" of="three products"
#~ self.out_proj(z) => z @ self.out_proj.weight + self.out_proj.bias
# %% wrong="a pair comes back" says="the weights came back, too" of="three products"
#~ return self.out_proj(z) => return self.out_proj(z), torch.softmax(scaled_scores(q, k).masked_fill(~mask, -math.inf), -1).nan_to_num()
# %% wrong="a plain tensor" says="in_proj_weight is a plain tensor" of="three products"
#~ self.in_proj_weight = nn.Parameter(torch.empty(3 * d_model, d_model)) => self.in_proj_weight = torch.empty(3 * d_model, d_model)
# %% wrong="a plain bias" says="in_proj_bias is a plain tensor" of="three products"
#~ nn.Parameter(torch.zeros(3 * d_model)) => torch.zeros(3 * d_model)
# %% wrong="begins at zero" says="begins at 0" of="three products"
#~ nn.init.xavier_uniform_ => nn.init.zeros_
# %% wrong="begins large" says="normal distribution of size 1" of="three products"
#~ nn.init.xavier_uniform_ => nn.init.normal_
# %% wrong="the weights without gradient" says="gradient" of="three products"
#~ z = merge_heads(z) => z = merge_heads(z).detach()
# %% wrong="begins with a random bias" says="begins at 0, not at random" clause="in_proj_bias at 0" of="three products"
#~ nn.Parameter(torch.zeros(3 * d_model)) => nn.Parameter(torch.randn(3 * d_model))
# %% wrong="three matrices begun one by one" says="began one by one" of="three products"
#~ nn.init.xavier_uniform_(self.in_proj_weight) => [nn.init.xavier_uniform_(W) for W in self.in_proj_weight.data.chunk(3)]
# %% wrong="no bias of the keys" says="the bias of the keys is missing" of="three products"
#~ , W_k, b_k) => , W_k)
# %% wrong="no bias of the queries" says="the bias of the queries is missing" of="three products"
#~ , W_q, b_q) => , W_q)
# %% wrong="no bias of the values" says="the bias of the values is missing" of="three products"
#~ , W_v, b_v) => , W_v)
# %% wrong="one bias for all" says="got the bias of the queries" of="three products"
#~ b_q, b_k, b_v = self.in_proj_bias.chunk(3) => b_q = b_k = b_v = self.in_proj_bias.chunk(3)[0]
# %% wrong="the queries' matrix turned round" says="W_Q is stored as" of="three products"
#~ F.linear(x, W_q, b_q) => x @ W_q + b_q
# %% wrong="merged by a plain view" says="tokens and heads are mixed up" of="three products"
#~ merge_heads(z) => z.reshape(x.shape)
# %% wrong="keys of x" says="the keys come from x" of="three products"
#~ F.linear(memory, W_k, b_k) => F.linear(x, W_k, b_k)
# %% wrong="causal without a mask" says="a causal mask was used" of="three products"
#~ torch.ones(1, 1, dtype=torch.bool) => torch.ones(q.shape[2], k.shape[2], dtype=torch.bool).tril()
# %% wrong="no bias where nothing is seen" says="out_proj.bias comes out" clause="out_proj.bias alone comes out" of="three products"
#~ return self.out_proj(z) => return self.out_proj(z) * mask.expand(len(q), self.num_heads, q.shape[2], k.shape[2]).any(-1).any(1)[..., None]
