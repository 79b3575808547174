# %% wrong="column by column" says="they come row by row"
#~ cut.permute(0, 2, 3, 1, 4, 5) => cut.permute(0, 3, 2, 1, 4, 5)
# %% wrong="patch transposed" says="rows and columns of each patch are exchanged"
#~ cut.permute(0, 2, 3, 1, 4, 5) => cut.permute(0, 2, 3, 1, 5, 4)
# %% wrong="no bias" says="bias is missing"
#~ weight.flatten(1), bias) => weight.flatten(1))
# %% wrong="pixels in a row" says="cut both axes first" of="overlapping"
#~ return F.conv2d(images, weight, bias).flatten(2).mT => return F.linear(images.reshape(len(images), -1, weight[0].numel()), weight.flatten(1), bias)
# %% wrong="channels last" says="channel is the first axis"
#~ cut.permute(0, 2, 3, 1, 4, 5) => cut.permute(0, 2, 3, 4, 5, 1)
# %% wrong="overlapping" says="overlap"
def patch_vectors(images, weight, bias):
    return F.conv2d(images, weight, bias).flatten(2).mT
# %% wrong="no positions" says="positions are missing"
#~ dim=1) + p["positions"] => dim=1)
# %% wrong="CLS behind" says="it comes first"
#~ torch.cat([p["cls"].expand(len(x), 1, -1), x], dim=1) => torch.cat([x, p["cls"].expand(len(x), 1, -1)], dim=1)
# %% wrong="CLS without a position" says="has a position, too"
#~ torch.cat([p["cls"].expand(len(x), 1, -1), x], dim=1) + p["positions"] => torch.cat([p["cls"].expand(len(x), 1, -1), x + p["positions"][1:]], dim=1)
# %% wrong="no last norm" says="norm at the end is missing"
#~ F.layer_norm(x, x.shape[-1:], p["norm.weight"], p["norm.bias"]) => x
# %% wrong="block 0 for all" says="block 0"
#~ x = pre_norm_block(x, part(p, f"blocks.{i}."), num_heads) => x = pre_norm_block(x, part(p, "blocks.0."), num_heads)
# %% wrong="only CLS" says="patches are asked for, too"
#~ return F.layer_norm(x, x.shape[-1:], p["norm.weight"], p["norm.bias"]) => return F.layer_norm(x, x.shape[-1:], p["norm.weight"], p["norm.bias"])[:, 0]
# %% wrong="the mean in front" says="not the mean"
#~ p["cls"].expand(len(x), 1, -1) => x.mean(1, keepdim=True)
# %% wrong="detached positions" says="gradient is cut"
#~ dim=1) + p["positions"] => dim=1) + p["positions"].detach()
# %% right="a convolution, repeat"
def patch_vectors(images, weight, bias):
    return F.conv2d(images, weight, bias, stride=weight.shape[-1]).flatten(2).transpose(1, 2)
def vit(images, p, num_layers, num_heads):
    x = patch_vectors(images, p["patch.weight"], p["patch.bias"])
    cls = p["cls"].view(1, 1, -1).repeat(x.shape[0], 1, 1)
    x = torch.cat((cls, x), 1) + p["positions"].unsqueeze(0)
    for i in range(num_layers):
        x = pre_norm_block(x, {k[len(f"blocks.{i}.") :]: v for k, v in p.items() if k.startswith(f"blocks.{i}.")}, num_heads)
    mean, var = x.mean(-1, keepdim=True), x.var(-1, unbiased=False, keepdim=True)
    return (x - mean) / torch.sqrt(var + 1e-5) * p["norm.weight"] + p["norm.bias"]
# %% right="F.unfold; einsum"
def patch_vectors(images, weight, bias):
    s = weight.shape[-1]
    rows = F.unfold(images, s, stride=s)
    return torch.einsum("bkn,ck->bnc", rows, weight.flatten(1)) + bias
# %% right="loops over the patches"
def patch_vectors(images, weight, bias):
    s, out = weight.shape[-1], []
    for r in range(0, images.shape[2], s):
        for c in range(0, images.shape[3], s):
            out.append((images[:, None, :, r : r + s, c : c + s] * weight).sum((2, 3, 4)) + bias)
    return torch.stack(out, 1)
# %% wrong="another epsilon" says="epsilon of the last norm"
#~ p["norm.bias"]) => p["norm.bias"], 1e-6)
# %% wrong="positions in each block" says="added once, before the blocks"
#~ x = pre_norm_block(x, => x = pre_norm_block(x + (i > 0) * p["positions"],
# %% wrong="no last bias" says="without its bias"
#~ p["norm.weight"], p["norm.bias"] => p["norm.weight"]
# %% wrong="mean of the pixels" says="mean over the pixels"
#~ F.linear(rows, weight.flatten(1), bias) => F.linear(rows, weight.flatten(1) / rows.shape[-1], bias)
# %% wrong="weight reshaped" says="weight was reshaped"
#~ weight.flatten(1), bias) => weight.reshape(-1, len(weight)).T, bias)
# %% wrong="channels side by side" says="side by side" clause="at the same"
#~ cut.permute(0, 2, 3, 1, 4, 5) => cut.permute(0, 2, 3, 4, 5, 1)
# %% wrong="all blocks that are there" says="`num_layers` of them are"
#~ for i in range(num_layers): => for i in range(len({name.split(".")[1] for name in p if name.startswith("blocks.")})):
# %% wrong="a thousandth as epsilon" says="not more"
#~ p["norm.bias"]) => p["norm.bias"], 1e-3)
# %% wrong="the last row for [CLS]" says="got the last position"
#~ + p["positions"] => + p["positions"].roll(1, 0)
# %% wrong="[CLS] alone, with its axis" says="with its axis"
#~ return F.layer_norm(x, x.shape[-1:], p["norm.weight"], p["norm.bias"]) => return F.layer_norm(x, x.shape[-1:], p["norm.weight"], p["norm.bias"])[:, :1]
