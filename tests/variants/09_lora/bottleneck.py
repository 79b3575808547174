# %% wrong="no residual" says="residual is missing"
#~ x + F => F
# %% wrong="no GELU" says="GELU is missing"
#~ gelu(F.linear(x, D, d)) => linear(x, D, d)
# %% wrong="GELU at the end" says="between the two matrices"
#~ linear(F.gelu(F.linear(x, D, d)), U, u) => gelu(F.linear(F.linear(x, D, d), U, u))
# %% wrong="ReLU" says="this is ReLU"
#~ gelu => relu
# %% wrong="tanh" says="approximation of GELU"
#~ (x, D, d) => (x, D, d), approximate='tanh'
# %% wrong="no biases" says="biases are missing"
#~ linear(F.gelu(F.linear(x, D, d)), U, u) => gelu(x @ D.T) @ U.T
# %% right="matrix products in float64"
def bottleneck(x: torch.Tensor, D: torch.Tensor, d: torch.Tensor, U: torch.Tensor, u: torch.Tensor) -> torch.Tensor:
    return (x.double() + F.gelu(x.double() @ D.double().T + d.double()) @ U.double().T + u.double()).to(x.dtype)
# %% wrong="x is changed in place" says="changed its argument `x`"
def bottleneck(x, D, d, U, u):
    x += F.linear(F.gelu(F.linear(x, D, d)), U, u)
    return x
# %% wrong="gelu of the sigmoid form" says="approximation of GELU with a sigmoid"
def bottleneck(x, D, d, U, u):
    z = F.linear(x, D, d)
    return x + F.linear(z * torch.sigmoid(1.702 * z), U, u)
# %% wrong="gelu twice" says="after the second matrix, too"
def bottleneck(x, D, d, U, u):
    return x + F.gelu(F.linear(F.gelu(F.linear(x, D, d)), U, u))
# %% wrong="detached" says="no gradient flows"
def bottleneck(x, D, d, U, u):
    with torch.no_grad():
        return x + F.linear(F.gelu(F.linear(x, D, d)), U, u)
# %% right="erf by hand and einsum"
def bottleneck(x, D, d, U, u):
    z = torch.einsum("...c,mc->...m", x, D) + d
    z = z * 0.5 * (1 + torch.erf(z / 2**0.5))
    return torch.einsum("...m,cm->...c", z, U) + u + x
# %% wrong="x detached in the path" says="gradient"
#~ F.linear(x, D, d) => F.linear(x.detach(), D, d)
# %% right="addmm of flattened"
def bottleneck(x, D, d, U, u):
    flat = x.reshape(-1, x.shape[-1])
    hidden = torch.addmm(d, flat, D.mT)
    return x + torch.addmm(u, F.gelu(hidden), U.mT).reshape(x.shape)
# %% wrong="d behind GELU" says="d is added after GELU"
#~ F.gelu(F.linear(x, D, d)) => F.gelu(F.linear(x, D)) + d
# %% wrong="GELU of x added" says="residual is GELU of x"
#~ x + F => F.gelu(x) + F
# %% wrong="a product" says="x is multiplied"
#~ x + F => x * F
# %% wrong="normalised first" says="x is normalised first"
#~ F.linear(x, D, d) => F.linear(F.layer_norm(x, x.shape[-1:]), D, d)
# %% wrong="x detached on its way" says="by the residual alone"
#~ F.linear(x, D, d) => F.linear(x.detach(), D, d)
# %% wrong="erf without the root" says="not z divided by the root of 2, in erf"
def bottleneck(x, D, d, U, u):
    z = x @ D.T + d
    return x + (z * 0.5 * (1 + torch.erf(z))) @ U.T + u
# %% wrong="erf of a half" says="here erf has z / 2" of="erf without the root"
#~ torch.erf(z) => torch.erf(z / 2)
# %% wrong="no factor of a half" says="the factor 1/2" of="erf without the root"
#~ 0.5 * (1 + torch.erf(z)) => (1 + torch.erf(z / math.sqrt(2)))
# %% wrong="erf for Phi" says="erf stands for Phi" of="erf without the root"
#~ 0.5 * (1 + torch.erf(z)) => torch.erf(z / math.sqrt(2))
# %% wrong="Phi alone" says="Phi(z) alone" of="erf without the root"
#~ z * 0.5 * (1 + torch.erf(z)) => 0.5 * (1 + torch.erf(z / math.sqrt(2)))
# %% wrong="three axes" says="any number of axes"
def bottleneck(x, D, d, U, u):
    B, T, C = x.shape
    return x + F.linear(F.gelu(F.linear(x.view(B * T, C), D, d)), U, u).view(B, T, C)
