# %% right="parameters in place of modules, begun by hand"
class Norm(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.register_parameter("weight", nn.Parameter(torch.full((d_model,), 1.0)))
        self.register_parameter("bias", nn.Parameter(torch.zeros(d_model)))
    def forward(self, x):
        return F.layer_norm(x, self.weight.shape, self.weight, self.bias)
class Table(nn.Module):
    def __init__(self, rows, d_model):
        super().__init__()
        self.weight = nn.Parameter(0.02 * torch.randn(rows, d_model))
class GPT(nn.Module):
    def __init__(self, vocab_size, context_length, d_model, num_layers, num_heads):
        super().__init__()
        self.num_heads, self.context_length = num_heads, context_length
        self.token_embedding, self.position_embedding = Table(vocab_size, d_model), Table(context_length, d_model)
        self.blocks = nn.ModuleList()
        for _ in range(num_layers):
            block = Block(d_model, num_heads)
            for weight in (block.self_attn.in_proj_weight, block.linear1.weight):
                weight.data.normal_(0, 0.02)
            for weight in (block.self_attn.out_proj.weight, block.linear2.weight):
                weight.data.normal_(0, 0.02 / (2 * num_layers) ** 0.5)
            self.blocks.append(block)
        self.final_norm = Norm(d_model)
    def forward(self, token_ids):
        return gpt_logits(token_ids, dict(self.named_parameters()), len(self.blocks), self.num_heads)
# %% right="the library's layer norm"
class Norm(nn.LayerNorm):
    pass
# %% right="a Sequential of blocks, a count kept"
#~ nn.ModuleList(Block(d_model, num_heads) for _ in range(num_layers)) => nn.Sequential(*[Block(d_model, num_heads) for _ in range(num_layers)])
#~ len(self.blocks) => self.num_layers
#~ = context_length, num_heads => = context_length, num_heads; self.num_layers = num_layers
# %% wrong="a Python list of blocks" says="does not look into a Python list"
#~ nn.ModuleList(Block(d_model, num_heads) for _ in range(num_layers)) => [Block(d_model, num_heads) for _ in range(num_layers)]
# %% wrong="the same block each time" says="the same block"
#~ nn.ModuleList(Block(d_model, num_heads) for _ in range(num_layers)) => nn.ModuleList([Block(d_model, num_heads)] * num_layers)
# %% wrong="an output of its own" says="tied to the token embedding"
#~ self.final_norm = Norm(d_model) => self.final_norm = Norm(d_model); self.head = nn.Linear(d_model, vocab_size, bias=False)
# %% wrong="plain tensors in Norm" says="plain tensors"
#~ nn.Parameter(torch.ones(d_model)) => torch.ones(d_model)
#~ nn.Parameter(torch.zeros(d_model)) => torch.zeros(d_model)
# %% wrong="the bias of Norm is plain" says="is missing, or a plain tensor"
#~ nn.Parameter(torch.zeros(d_model)) => torch.zeros(d_model)
# %% wrong="Norm begins at zero" says="the weight begins at one"
#~ nn.Parameter(torch.ones(d_model)) => nn.Parameter(torch.zeros(d_model))
# %% wrong="weight and bias of Norm not used" says="weight and bias are not used"
#~ layer_norm(x, self.weight, self.bias) => layer_norm(x, torch.ones_like(self.weight), torch.zeros_like(self.bias))
# %% wrong="the positions are a plain tensor" says="position embedding is a plain tensor"
#~ nn.Embedding(context_length, d_model) => torch.randn(context_length, d_model)
#~ dict(self.named_parameters()) => dict(self.named_parameters()) | {"position_embedding.weight": self.position_embedding}
# %% wrong="everything begins alike" says="begins as large as the rest"
#~ 0.02 / math.sqrt(2 * num_layers) if writes else 0.02 => 0.02
# %% wrong="the root of L" says="not of L"
#~ math.sqrt(2 * num_layers) => math.sqrt(num_layers)
# %% wrong="no root" says="the root is missing"
#~ math.sqrt(2 * num_layers) => (2 * num_layers)
# %% wrong="only linear2 writes" says="out_proj.weight writes"
#~ ("out_proj.weight", "linear2.weight") => "linear2.weight"
# %% wrong="only out_proj writes" says="linear2.weight writes"
#~ ("out_proj.weight", "linear2.weight") => "out_proj.weight"
# %% wrong="weights as they come" says="all matrices keep the library's numbers"
#~ weight.dim() == 2: => weight.dim() == 3:
# %% wrong="state_dict in forward" says="gradient is cut"
#~ dict(self.named_parameters()) => self.state_dict()
# %% wrong="num_heads not used" says="one head"
#~ self.num_heads) => 1)
# %% wrong="only the first block" says="first block only"
#~ len(self.blocks) => 1
# %% wrong="attributes forgotten" says="are attributes of the model"
#~ self.context_length, self.num_heads = context_length, num_heads => self.heads = num_heads
#~ self.num_heads) => self.heads)
# %% wrong="super forgotten in GPT" says="super"
class GPT(nn.Module):
    def __init__(self, vocab_size, context_length, d_model, num_layers, num_heads):
        self.num_heads, self.context_length = num_heads, context_length
        self.token_embedding = nn.Embedding(vocab_size, d_model)
    def forward(self, token_ids):
        return gpt_logits(token_ids, dict(self.named_parameters()), 1, self.num_heads)
# %% wrong="no return" says="is there a return"
#~ return gpt_logits => logits = gpt_logits
# %% wrong="norms are drawn as well" says="norms begin at one"
#~ weight.dim() == 2: => weight.dim() >= 1:
# %% wrong="Norm detaches its input" says="on its way to x"
#~ return layer_norm(x, self.weight, self.bias) => return layer_norm(x.detach(), self.weight, self.bias)
# %% wrong="a tenth too large" says="how weights begin"
#~ else 0.02) => else 0.022)
# %% wrong="logits in float32" says="all weights move"
#~ len(self.blocks), self.num_heads) => len(self.blocks), self.num_heads).float()
# %% right="matrices told by their shape"
#~ weight.dim() == 2: => len(weight.shape) > 1:
# %% wrong="attention's first matrix keeps the library's numbers" says="it is a parameter of the attention, no nn.Linear"
#~ if weight.dim() == 2: => if weight.dim() == 2 and "in_proj" not in name:
# %% wrong="the embeddings keep the library's numbers" says="the embeddings have numbers of size 1"
#~ if weight.dim() == 2: => if weight.dim() == 2 and "embedding" not in name:
# %% wrong="the linear layers keep the library's numbers" says="the linear layers keep the library's numbers"
#~ if weight.dim() == 2: => if weight.dim() == 2 and "linear" not in name:
# %% wrong="the positions alone keep the library's numbers" says="position_embedding.weight begins too large"
#~ if weight.dim() == 2: => if weight.dim() == 2 and "position" not in name:
# %% wrong="all that is called proj is smaller" says="self_attn.in_proj_weight does not write to the stream"
#~ name.endswith(("out_proj.weight", "linear2.weight")) => "proj" in name or "linear2" in name
# %% wrong="both linear layers are smaller" says="linear1.weight does not write to the stream"
#~ name.endswith(("out_proj.weight", "linear2.weight")) => "out_proj" in name or "linear" in name
# %% wrong="all matrices are smaller" says="only out_proj.weight and linear2.weight are over the root"
#~ / math.sqrt(2 * num_layers) if writes else 0.02 => / math.sqrt(2 * num_layers)
# %% wrong="times the root" says="divided by the root of 2 L, not multiplied"
#~ 0.02 / math.sqrt(2 * num_layers) => 0.02 * math.sqrt(2 * num_layers)
# %% wrong="one over the root" says="1 over the root of 2 L"
#~ 0.02 / math.sqrt(2 * num_layers) => 1 / math.sqrt(2 * num_layers)
# %% wrong="the root of the block's own number" says="alike for each block"
#~ math.sqrt(2 * num_layers) => math.sqrt(2 * (int(name.split(".")[1]) + 1))
# %% wrong="0.02 as the variance" says="not the variance"
#~ nn.init.normal_(weight, std=0.02 / math.sqrt(2 * num_layers) if writes else 0.02) => nn.init.normal_(weight, std=(0.02 / math.sqrt(2 * num_layers) if writes else 0.02) ** 0.5)
# %% wrong="evenly spread" says="a normal distribution is asked"
#~ nn.init.normal_(weight, std=0.02 / math.sqrt(2 * num_layers) if writes else 0.02) => width = 0.02 / math.sqrt(2 * num_layers) if writes else 0.02; nn.init.uniform_(weight, -width, width)
# %% wrong="Norm divides by C - 1" says="by C, not by C - 1"
#~ return layer_norm(x, self.weight, self.bias) => return (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + 1e-6) * self.weight + self.bias
# %% wrong="an output layer of another name" says="the output has a matrix of its own"
#~ self.final_norm = Norm(d_model) => self.final_norm = Norm(d_model); self.unembed = nn.Linear(d_model, vocab_size, bias=False)
# %% wrong="vectors drawn, too" says="the vectors are drawn at random"
#~ weight.dim() == 2 => weight.dim() > 0
# %% wrong="an output that is tied" says="a module of its own, tied or not" clause="(a Norm); nothing else"
#~ self.final_norm = Norm(d_model) => self.final_norm, self.head = Norm(d_model), nn.Linear(d_model, vocab_size, bias=False); self.head.weight = self.token_embedding.weight
# %% wrong="the norms begin at zero" says="norms begin at one"
#-             if weight.dim() == 2:
#+             if weight.dim() == 1:
#+                 nn.init.zeros_(weight)
#+             else:
# %% wrong="the weights looked up once" says="asked anew"
#~ self.final_norm = Norm(d_model) => self.final_norm = Norm(d_model); self.kept = dict(self.named_parameters())
#~ dict(self.named_parameters()), len => self.kept, len
