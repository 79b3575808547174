# %% wrong="the approximation" says="approximation with tanh"
def gelu(z):
    return 0.5 * z * (1 + torch.tanh(math.sqrt(2 / math.pi) * (z + 0.044715 * z**3)))


def feed_forward(x, w1, b1, w2, b2):
    return F.linear(F.gelu(F.linear(x, w1, b1)), w2, b2)

# %% wrong="no activation" says="the activation between the two layers is missing"
def gelu(z):
    return z * 0.5 * (1 + torch.erf(z / 2**0.5))


def feed_forward(x, w1, b1, w2, b2):
    return F.linear(F.linear(x, w1, b1), w2, b2)

# %% right="with @ and the normal distribution"
def gelu(z):
    return z * torch.distributions.Normal(0.0, 1.0).cdf(z)


def feed_forward(x, w1, b1, w2, b2):
    return gelu(x @ w1.T + b1) @ w2.T + b2

# %% wrong="ReLU" says="ReLU"
def gelu(z):
    return torch.relu(z)


def feed_forward(x, w1, b1, w2, b2):
    return gelu(x @ w1.T + b1) @ w2.T + b2

# %% wrong="SiLU" says="SiLU"
def gelu(z):
    return z * torch.sigmoid(z)


def feed_forward(x, w1, b1, w2, b2):
    return gelu(x @ w1.T + b1) @ w2.T + b2

# %% wrong="the logistic approximation" says="logistic"
def gelu(z):
    return z * torch.sigmoid(1.702 * z)


def feed_forward(x, w1, b1, w2, b2):
    return gelu(x @ w1.T + b1) @ w2.T + b2

# %% wrong="no root of two" says="root of 2"
def gelu(z):
    return z / 2 * (1 + torch.erf(z))


def feed_forward(x, w1, b1, w2, b2):
    return gelu(x @ w1.T + b1) @ w2.T + b2

# %% wrong="divided by two inside" says="root of 2"
def gelu(z):
    return z / 2 * (1 + torch.erf(z / 2))


def feed_forward(x, w1, b1, w2, b2):
    return gelu(x @ w1.T + b1) @ w2.T + b2

# %% wrong="twice" says="1/2"
def gelu(z):
    return z * (1 + torch.erf(z / math.sqrt(2)))


def feed_forward(x, w1, b1, w2, b2):
    return gelu(x @ w1.T + b1) @ w2.T + b2

# %% wrong="the gate alone" says="multiply by z"
def gelu(z):
    return 0.5 * (1 + torch.erf(z / math.sqrt(2)))


def feed_forward(x, w1, b1, w2, b2):
    return gelu(x @ w1.T + b1) @ w2.T + b2

# %% wrong="without one" says="1 is added"
def gelu(z):
    return z / 2 * torch.erf(z / math.sqrt(2))


def feed_forward(x, w1, b1, w2, b2):
    return gelu(x @ w1.T + b1) @ w2.T + b2

# %% wrong="times the root" says="divided by the root"
def gelu(z):
    return z / 2 * (1 + torch.erf(z * math.sqrt(2)))


def feed_forward(x, w1, b1, w2, b2):
    return gelu(x @ w1.T + b1) @ w2.T + b2

# %% wrong="the tail: one minus erf" says="1 minus erf"
def gelu(z):
    return z / 2 * (1 - torch.erf(z / math.sqrt(2)))


def feed_forward(x, w1, b1, w2, b2):
    return gelu(x @ w1.T + b1) @ w2.T + b2

# %% wrong="activation at the end" says="not after the second"
def gelu(z):
    return z / 2 * (1 + torch.erf(z / math.sqrt(2)))


def feed_forward(x, w1, b1, w2, b2):
    return gelu((x @ w1.T + b1) @ w2.T + b2)

# %% wrong="activation twice" says="the output is not"
def gelu(z):
    return z / 2 * (1 + torch.erf(z / math.sqrt(2)))


def feed_forward(x, w1, b1, w2, b2):
    return gelu(gelu(x @ w1.T + b1) @ w2.T + b2)

# %% wrong="b1 forgotten" says="b1 is missing"
def gelu(z):
    return z / 2 * (1 + torch.erf(z / math.sqrt(2)))


def feed_forward(x, w1, b1, w2, b2):
    return gelu(x @ w1.T) @ w2.T + b2

# %% wrong="b2 forgotten" says="b2 is missing"
def gelu(z):
    return z / 2 * (1 + torch.erf(z / math.sqrt(2)))


def feed_forward(x, w1, b1, w2, b2):
    return gelu(x @ w1.T + b1) @ w2.T

# %% wrong="the residual is added" says="the block does that"
def gelu(z):
    return z / 2 * (1 + torch.erf(z / math.sqrt(2)))


def feed_forward(x, w1, b1, w2, b2):
    return x + gelu(x @ w1.T + b1) @ w2.T + b2

# %% wrong="ReLU between" says="ReLU stands between"
def gelu(z):
    return z / 2 * (1 + torch.erf(z / math.sqrt(2)))


def feed_forward(x, w1, b1, w2, b2):
    return torch.relu(x @ w1.T + b1) @ w2.T + b2

# %% wrong="the approximation in the network" says="approximation"
def gelu(z):
    return z / 2 * (1 + torch.erf(z / math.sqrt(2)))


def feed_forward(x, w1, b1, w2, b2):
    return F.gelu(x @ w1.T + b1, approximate='tanh') @ w2.T + b2

# %% wrong="matrices not turned" says="W"
def gelu(z):
    return z / 2 * (1 + torch.erf(z / math.sqrt(2)))


def feed_forward(x, w1, b1, w2, b2):
    return gelu(x @ w1 + b1) @ w2 + b2

# %% wrong="changes z" says="in place"
def gelu(z):
    z *= 0.5
    return z * (1 + torch.erf(z * math.sqrt(2)))


def feed_forward(x, w1, b1, w2, b2):
    return gelu(x @ w1.T + b1) @ w2.T + b2

# %% wrong="always float32" says="double precision"
def gelu(z):
    z = z.float()
    return z / 2 * (1 + torch.erf(z / math.sqrt(2)))


def feed_forward(x, w1, b1, w2, b2):
    return gelu(x @ w1.T + b1) @ w2.T + b2

# %% wrong="activation before the first layer" says="before the first layer"
def gelu(z):
    return z / 2 * (1 + torch.erf(z / math.sqrt(2)))


def feed_forward(x, w1, b1, w2, b2):
    return (gelu(x) @ w1.T + b1) @ w2.T + b2

# %% wrong="b1 added behind the activation" says="b1"
def gelu(z):
    return z / 2 * (1 + torch.erf(z / math.sqrt(2)))


def feed_forward(x, w1, b1, w2, b2):
    return (gelu(x @ w1.T) + b1) @ w2.T + b2

# %% wrong="gelu has no return" says="is there a return"
def gelu(z):
    y = z / 2 * (1 + torch.erf(z / math.sqrt(2)))


def feed_forward(x, w1, b1, w2, b2):
    return gelu(x @ w1.T + b1) @ w2.T + b2

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

# %% wrong="root of 2 to three digits" says="double precision"
def gelu(z):
    return 0.5 * z * (1 + torch.erf(z / 1.414))


def feed_forward(x, w1, b1, w2, b2):
    return gelu(x @ w1.T + b1) @ w2.T + b2

# %% wrong="always float32" says="double precision"
def gelu(z):
    return (z.float() / 2 * (1 + torch.erf(z.float() / math.sqrt(2)))).to(z.dtype)


def feed_forward(x, w1, b1, w2, b2):
    return gelu(x @ w1.T + b1) @ w2.T + b2

# %% wrong="activation in place of the output, too" says="the output is not"
def gelu(z):
    return z * torch.distributions.Normal(0.0, 1.0).cdf(z)


def feed_forward(x, w1, b1, w2, b2):
    return gelu(F.linear(gelu(F.linear(x, w1, b1)), w2, b2))

# %% right="by erfc"
def gelu(z):
    return z / 2 * torch.erfc(-z / 2**0.5)


def feed_forward(x, w1, b1, w2, b2):
    hidden = gelu(torch.einsum("...c,fc->...f", x, w1) + b1)
    return torch.einsum("...f,cf->...c", hidden, w2) + b2

# %% right="by the distribution function of special"
def gelu(z):
    return torch.special.ndtr(z) * z


def feed_forward(x, w1, b1, w2, b2):
    rows = x.reshape(-1, x.shape[-1])
    return torch.addmm(b2, gelu(torch.addmm(b1, rows, w1.mT)), w2.mT).reshape(x.shape)

# %% wrong="1.414" says="root of 2 is rounded"
def gelu(z):
    return z / 2 * (1 + torch.erf(z / 1.414))


def feed_forward(x, w1, b1, w2, b2):
    h = gelu(F.linear(x, w1, b1))
    return F.linear(h, w2, b2)

# %% wrong="times root 2" says="not multiplied"
def gelu(z):
    return z / 2 * (1 + torch.erf(z * math.sqrt(2)))


def feed_forward(x, w1, b1, w2, b2):
    h = gelu(F.linear(x, w1, b1))
    return F.linear(h, w2, b2)

# %% wrong="gelu before the bias" says="before the activation"
def gelu(z):
    return z / 2 * (1 + torch.erf(z / math.sqrt(2)))


def feed_forward(x, w1, b1, w2, b2):
    h = gelu(F.linear(x, w1)) + b1
    return F.linear(h, w2, b2)

# %% wrong="gelu on x" says="before the first layer"
def gelu(z):
    return z / 2 * (1 + torch.erf(z / math.sqrt(2)))


def feed_forward(x, w1, b1, w2, b2):
    h = F.linear(gelu(x), w1, b1)
    return F.linear(h, w2, b2)

# %% wrong="clamped" says="large numbers"
def gelu(z):
    z = z.clamp(-6, 6)
    return z / 2 * (1 + torch.erf(z / math.sqrt(2)))


def feed_forward(x, w1, b1, w2, b2):
    h = gelu(F.linear(x, w1, b1))
    return F.linear(h, w2, b2)

# %% wrong="erfc" says="1 minus erf"
def gelu(z):
    return z / 2 * (torch.erfc(z / math.sqrt(2)))


def feed_forward(x, w1, b1, w2, b2):
    h = gelu(F.linear(x, w1, b1))
    return F.linear(h, w2, b2)

# %% wrong="ff with F.gelu tanh" says="tanh"
def gelu(z):
    return z / 2 * (1 + torch.erf(z / math.sqrt(2)))


def feed_forward(x, w1, b1, w2, b2):
    h = F.gelu(F.linear(x, w1, b1), approximate="tanh")
    return F.linear(h, w2, b2)

# %% right="ndtr"
def gelu(z):
    return z * torch.special.ndtr(z)


def feed_forward(x, w1, b1, w2, b2):
    return gelu(x @ w1.T + b1) @ w2.T + b2

# %% right="erfc and einsum"
def gelu(z):
    return 0.5 * z * torch.erfc(-z / 2 ** 0.5)


def feed_forward(x, w1, b1, w2, b2):
    h = torch.einsum("...c,fc->...f", x, w1) + b1
    return torch.einsum("...f,cf->...c", gelu(h), w2) + b2

# %% right="Normal.cdf"
def gelu(z):
    return z * torch.distributions.Normal(torch.zeros_like(z), torch.ones_like(z)).cdf(z)


def feed_forward(x, w1, b1, w2, b2):
    return F.linear(gelu(F.linear(x, w1) + b1), w2, b2)
