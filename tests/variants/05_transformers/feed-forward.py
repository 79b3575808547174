# %% wrong="the approximation" says="approximation with tanh" of="with @ and the normal distribution"
#~ z * torch.distributions.Normal(0.0, 1.0).cdf(z) => 0.5 * z * (1 + torch.tanh(math.sqrt(2 / math.pi) * (z + 0.044715 * z**3)))
#~ gelu(x @ w1.T + b1) @ w2.T + b2 => F.linear(F.gelu(F.linear(x, w1, b1)), w2, b2)
# %% wrong="no activation" says="the activation between the two layers is missing" of="with @ and the normal distribution"
#~ gelu(x @ w1.T + b1) @ w2.T + b2 => F.linear(F.linear(x, w1, b1), w2, b2)
# %% right="with @ and the normal distribution"
def gelu(z):
    return z * torch.distributions.Normal(0.0, 1.0).cdf(z)

def feed_forward(x, w1, b1, w2, b2):
    return gelu(x @ w1.T + b1) @ w2.T + b2
# %% wrong="ReLU" says="ReLU" of="with @ and the normal distribution"
#~ z * torch.distributions.Normal(0.0, 1.0).cdf => torch.relu
# %% wrong="SiLU" says="SiLU" of="with @ and the normal distribution"
#~ distributions.Normal(0.0, 1.0).cdf => sigmoid
# %% wrong="the logistic approximation" says="logistic" of="with @ and the normal distribution"
#~ distributions.Normal(0.0, 1.0).cdf(z) => sigmoid(1.702 * z)
# %% wrong="no root of two" says="root of 2" of="with @ and the normal distribution"
#~ * torch.distributions.Normal(0.0, 1.0).cdf(z) => / 2 * (1 + torch.erf(z))
# %% wrong="divided by two inside" says="root of 2" of="with @ and the normal distribution"
#~ * torch.distributions.Normal(0.0, 1.0).cdf(z) => / 2 * (1 + torch.erf(z / 2))
# %% wrong="twice" says="1/2" of="with @ and the normal distribution"
#~ torch.distributions.Normal(0.0, 1.0).cdf(z) => (1 + torch.erf(z / math.sqrt(2)))
# %% wrong="the gate alone" says="multiply by z" of="with @ and the normal distribution"
#~ z * torch.distributions.Normal(0.0, 1.0).cdf(z) => 0.5 * (1 + torch.erf(z / math.sqrt(2)))
# %% wrong="without one" says="1 is added" of="with @ and the normal distribution"
#~ * torch.distributions.Normal(0.0, 1.0).cdf(z) => / 2 * torch.erf(z / math.sqrt(2))
# %% wrong="times the root" says="divided by the root" of="with @ and the normal distribution"
#~ * torch.distributions.Normal(0.0, 1.0).cdf(z) => / 2 * (1 + torch.erf(z * math.sqrt(2)))
# %% wrong="the tail: one minus erf" says="1 minus erf" of="with @ and the normal distribution"
#~ * torch.distributions.Normal(0.0, 1.0).cdf(z) => / 2 * (1 - torch.erf(z / math.sqrt(2)))
# %% wrong="activation at the end" says="not after the second" of="with @ and the normal distribution"
#~ (x @ w1.T + b1) @ w2.T + b2 => ((x @ w1.T + b1) @ w2.T + b2)
# %% wrong="activation twice" says="the output is not" of="with @ and the normal distribution"
#~ (x @ w1.T + b1) @ w2.T + b2 => (gelu(x @ w1.T + b1) @ w2.T + b2)
# %% wrong="b1 forgotten" says="b1 is missing" of="with @ and the normal distribution"
#~ T + b1 => T
# %% wrong="b2 forgotten" says="b2 is missing" of="with @ and the normal distribution"
#~ T + b2 => T
# %% wrong="the residual is added" says="the block does that" of="with @ and the normal distribution"
#~ gelu(x @ w1.T + b1) => x + gelu(x @ w1.T + b1)
# %% wrong="ReLU between" says="ReLU stands between" of="with @ and the normal distribution"
#~ gelu(x @ w1.T + b1) => torch.relu(x @ w1.T + b1)
# %% wrong="the approximation in the network" says="approximation" of="with @ and the normal distribution"
#~ gelu(x @ w1.T + b1) => F.gelu(x @ w1.T + b1, approximate='tanh')
# %% wrong="matrices not turned" says="W" of="with @ and the normal distribution"
#~ * torch.distributions.Normal(0.0, 1.0).cdf(z) => / 2 * (1 + torch.erf(z / math.sqrt(2)))
#~ (x @ w1.T + b1) @ w2.T => (x @ w1 + b1) @ w2
# %% wrong="changes z" says="in place"
def gelu(z):
    z *= 0.5
    return z * (1 + torch.erf(z * math.sqrt(2)))
# %% wrong="always float32" says="double precision"
def gelu(z):
    z = z.float()
    return z / 2 * (1 + torch.erf(z / math.sqrt(2)))
# %% wrong="activation before the first layer" says="before the first layer" of="with @ and the normal distribution"
#~ gelu(x @ w1.T + b1) => (gelu(x) @ w1.T + b1)
# %% wrong="b1 added behind the activation" says="b1" of="with @ and the normal distribution"
#~ gelu(x @ w1.T + b1) => (gelu(x @ w1.T) + b1)
# %% wrong="gelu has no return" says="is there a return" of="the library's own"
#~ return F.gelu(z) => y = z / 2 * (1 + torch.erf(z / math.sqrt(2)))
#~ torch.add(torch.matmul(F.gelu(torch.add(torch.matmul(x, w1.t()), b1)), w2.t()), b2) => gelu(x @ w1.T + b1) @ w2.T + b2
# %% right="with F.linear and torch.special"
def gelu(z):
    return z * torch.special.ndtr(z)

def feed_forward(x, w1, b1, w2, b2):
    hidden = F.linear(x, w1, b1)
    return F.linear(gelu(hidden), w2, b2)
# %% right="with einsum, float64 inside"
def gelu(z):
    d = z.double()
    return (0.5 * d * torch.special.erfc(-d / 2**0.5)).to(z.dtype)

def feed_forward(x, w1, b1, w2, b2):
    hidden = torch.einsum("...c,fc->...f", x, w1) + b1
    return torch.einsum("...f,cf->...c", gelu(hidden), w2) + b2
# %% right="the library's own"
def gelu(z):
    return F.gelu(z)

def feed_forward(x, w1, b1, w2, b2):
    return torch.add(torch.matmul(F.gelu(torch.add(torch.matmul(x, w1.t()), b1)), w2.t()), b2)
# %% wrong="root of 2 to three digits" says="double precision" of="with @ and the normal distribution"
#~ z * torch.distributions.Normal(0.0, 1.0).cdf(z) => 0.5 * z * (1 + torch.erf(z / 1.414))
# %% wrong="always float32" says="double precision" of="with @ and the normal distribution"
#~ z * torch.distributions.Normal(0.0, 1.0).cdf(z) => (z.float() / 2 * (1 + torch.erf(z.float() / math.sqrt(2)))).to(z.dtype)
# %% wrong="activation in place of the output, too" says="the output is not" of="with @ and the normal distribution"
#~ (x @ w1.T + b1) @ w2.T + b2 => (F.linear(gelu(F.linear(x, w1, b1)), w2, b2))
# %% right="by erfc"
def gelu(z):
    return z / 2 * torch.erfc(-z / 2**0.5)

def feed_forward(x, w1, b1, w2, b2):
    hidden = gelu(torch.einsum("...c,fc->...f", x, w1) + b1)
    return torch.einsum("...f,cf->...c", hidden, w2) + b2
# %% right="by the distribution function of special" of="with F.linear and torch.special"
#~ z * torch.special.ndtr(z) => torch.special.ndtr(z) * z
#~ hidden = F.linear(x, w1, b1) => rows = x.reshape(-1, x.shape[-1])
#~ F.linear(gelu(hidden), w2, b2) => torch.addmm(b2, gelu(torch.addmm(b1, rows, w1.mT)), w2.mT).reshape(x.shape)
# %% wrong="1.414" says="root of 2 is rounded" of="with @ and the normal distribution"
#~ * torch.distributions.Normal(0.0, 1.0).cdf(z) => / 2 * (1 + torch.erf(z / 1.414))
# %% wrong="times root 2" says="not multiplied" of="with @ and the normal distribution"
#~ * torch.distributions.Normal(0.0, 1.0).cdf(z) => / 2 * (1 + torch.erf(z * math.sqrt(2)))
# %% wrong="gelu before the bias" says="before the activation"
def feed_forward(x, w1, b1, w2, b2):
    h = gelu(F.linear(x, w1)) + b1
    return F.linear(h, w2, b2)
# %% wrong="gelu on x" says="before the first layer" of="gelu before the bias"
#~ gelu(F.linear(x, w1)) + b1 => F.linear(gelu(x), w1, b1)
# %% wrong="clamped" says="large numbers"
def gelu(z):
    z = z.clamp(-6, 6)
    return z / 2 * (1 + torch.erf(z / math.sqrt(2)))
# %% wrong="erfc" says="1 minus erf" of="with @ and the normal distribution"
#~ * torch.distributions.Normal(0.0, 1.0).cdf(z) => / 2 * (torch.erfc(z / math.sqrt(2)))
# %% wrong="ff with F.gelu tanh" says="tanh" of="gelu before the bias"
#~ gelu(F.linear(x, w1)) + b1 => F.gelu(F.linear(x, w1, b1), approximate="tanh")
# %% right="ndtr" of="the library's own"
#~ F.gelu(z) => z * torch.special.ndtr(z)
#~ torch.add(torch.matmul(F.gelu(torch.add(torch.matmul(x, w1.t()), b1)), w2.t()), b2) => gelu(x @ w1.T + b1) @ w2.T + b2
# %% right="erfc and einsum" of="with F.linear and torch.special"
#~ z * torch.special.ndtr(z) => 0.5 * z * torch.erfc(-z / 2 ** 0.5)
#~ hidden = F.linear(x, w1, b1) => h = torch.einsum("...c,fc->...f", x, w1) + b1
#~ F.linear(gelu(hidden), w2, b2) => torch.einsum("...f,cf->...c", gelu(h), w2) + b2
# %% right="Normal.cdf" of="with @ and the normal distribution"
#~ 0.0, 1.0 => torch.zeros_like(z), torch.ones_like(z)
#~ gelu(x @ w1.T + b1) @ w2.T + b2 => F.linear(gelu(F.linear(x, w1) + b1), w2, b2)
