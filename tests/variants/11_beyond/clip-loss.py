# %% wrong="rows only" says="columns are questions, too"
#~ (F.cross_entropy(logits, right) + F.cross_entropy(logits.T, right)) / 2 => F.cross_entropy(logits, right)
# %% wrong="summed" says="their mean is asked for"
#~ F.cross_entropy(logits.T, right)) / 2 => F.cross_entropy(logits.T, right))
# %% wrong="dot products" says="not brought to length 1"
#-     cosines = F.normalize(images, dim=-1) @ F.normalize(texts, dim=-1).T
#-     logits = log_scale.exp().clamp(max=100) * cosines  # (N, N)
#+     logits = log_scale.exp().clamp(max=100) * (images @ texts.T)
# %% wrong="no exp" says="factor is exp(log_scale)"
#~ log_scale.exp().clamp(max=100) => log_scale
# %% wrong="no cap" says="cap is missing"
#~ .exp().clamp(max=100) => .exp()
# %% wrong="temperature" says="not divided"
#~ log_scale.exp().clamp(max=100) * cosines => cosines / log_scale.exp()
# %% wrong="factor as a number" says="gradient is cut"
#~ log_scale.exp().clamp(max=100) => min(math.exp(float(log_scale)), 100)
# %% wrong="texts detached" says="gradient is cut"
#~ logits = log_scale.exp().clamp(max=100) * cosines => logits = log_scale.exp().clamp(max=100) * (F.normalize(images, dim=-1) @ F.normalize(texts.detach(), dim=-1).T)
# %% wrong="softmax, then log" says="underflows"
def clip_loss(images, texts, log_scale):
    z = log_scale.exp().clamp(max=100) * (F.normalize(images, dim=-1) @ F.normalize(texts, dim=-1).T)
    return -(z.softmax(1).diagonal().log().mean() + z.softmax(0).diagonal().log().mean()) / 2
# %% wrong="mean of all cells" says="not by the number of cells"
#~ .sum() / len(cosines) => .mean()
# %% wrong="only yes" says="off the diagonal the sign is -1"
#~ signs * (log_scale => (log_scale
# %% wrong="no bias" says="bias is missing"
#~ cosines + bias => cosines
# %% wrong="bias outside" says="inside the sign"
#~ signs * (log_scale.exp() * cosines + bias) => signs * log_scale.exp() * cosines + bias
# %% wrong="capped, too" says="no cap here"
#~ (log_scale.exp() * cosines + bias) => (log_scale.exp().clamp(max=100) * cosines + bias)
# %% wrong="log of a sigmoid" says="runs over"
#~ F.logsigmoid(signs * (log_scale.exp() * cosines + bias)) => torch.log(torch.sigmoid(signs * (log_scale.exp() * cosines + bias)))
# %% right="log-sum-exp, softplus"
def clip_loss(images, texts, log_scale):
    x = images / images.norm(dim=1, keepdim=True)
    y = texts / texts.norm(dim=1, keepdim=True)
    z = torch.clamp(torch.exp(log_scale), max=100.0) * torch.einsum("ic,jc->ij", x, y)
    diagonal = z.diagonal()
    return (z.logsumexp(1) + z.logsumexp(0) - 2 * diagonal).mean() / 2
def siglip_loss(images, texts, log_scale, bias):
    z = torch.exp(log_scale) * torch.cosine_similarity(images[:, None], texts[None], dim=-1) + bias
    off = F.softplus(z).sum() - F.softplus(z.diagonal()).sum()
    return (off + F.softplus(-z.diagonal()).sum()) / len(z)
# %% right="log-softmax; binary cross-entropy"
def clip_loss(images, texts, log_scale):
    z = torch.exp(log_scale).clamp(max=100) * (F.normalize(images) @ F.normalize(texts).T)
    return -0.5 * (z.log_softmax(1).diagonal() + z.log_softmax(0).diagonal()).mean()
def siglip_loss(images, texts, log_scale, bias):
    z = log_scale.exp() * (F.normalize(images) @ F.normalize(texts).T) + bias
    return F.binary_cross_entropy_with_logits(z, torch.eye(len(z)).to(z), reduction="sum") / len(z)
# %% wrong="cap without its gradient" says="where the cap holds"
#~ log_scale.exp().clamp(max=100) => log_scale.exp() * min(1.0, 100 / log_scale.exp().item())
# %% wrong="cap at 4.6" says="4.6052"
#~ log_scale.exp().clamp(max=100) => log_scale.clamp(max=4.6).exp()
# %% wrong="bias in the factor" says="not the bias"
#~ (log_scale.exp() * cosines + bias) => (log_scale.exp() * (cosines + bias))
# %% wrong="no logarithm" says="logarithm of the sigmoid is missing"
#~ -F.logsigmoid( => -torch.sigmoid(
# %% wrong="rows twice" says="transpose the table"
#~ F.cross_entropy(logits.T, right) => F.cross_entropy(logits, right)
# %% wrong="a factor without its cap" says="the cap is missing" clause="is the logarithm of the factor, which is 100 at most"
#~ log_scale.exp().clamp(max=100) => log_scale.exp()
# %% wrong="a cap that lets the gradient through" says="the gradient of log_scale is 0" clause="(that of log_scale is 0 where the cap holds)"
#~ log_scale.exp().clamp(max=100) => log_scale.exp() * (100 / log_scale.exp()).clamp(max=1).detach()
# %% wrong="capped, too" says="there is no cap here" clause="There is no cap."
#~ signs * (log_scale.exp() => signs * (log_scale.exp().clamp(max=100)
# %% wrong="a floor under the lengths" says="a length below 0.001 counts"
#~ clamp(max=100) * cosines => clamp(max=100) * (F.normalize(images, dim=-1, eps=1e-3) @ F.normalize(texts, dim=-1, eps=1e-3).T)
# %% wrong="the logarithm is 100 at most" says="or is on the scores or the logarithm"
#~ log_scale.exp().clamp(max=100) => log_scale.clamp(max=100).exp()
