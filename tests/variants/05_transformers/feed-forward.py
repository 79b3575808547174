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
