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
# %% wrong="both random" says="both matrices are random"
#~ torch.zeros(d_model, m) => 0.02 * torch.randn(d_model, m, generator=generator)
# %% wrong="both zero" says="neither matrix has a gradient"
#~ 0.02 * torch.randn(m, d_model, generator=generator) => torch.zeros(m, d_model)
# %% wrong="not scaled" says="standard deviation is 1"
#~ 0.02 * torch => torch
# %% wrong="no generator" says="generator is not used"
#~ d_model, generator=generator => d_model
# %% right="matrix products in float64"
def bottleneck(x: torch.Tensor, D: torch.Tensor, d: torch.Tensor, U: torch.Tensor, u: torch.Tensor) -> torch.Tensor:
    return (x.double() + F.gelu(x.double() @ D.double().T + d.double()) @ U.double().T + u.double()).to(x.dtype)
# %% right="normal_ in place"
#~ 0.02 * torch.randn(m, d_model => torch.empty(m, d_model).normal_(0, 0.02
# %% wrong="D uniform" says="D is uniform"
def bottleneck_start(d_model, m, generator):
    D = (torch.rand((m, d_model), generator=generator) - 0.5) * 0.04
    return D, torch.zeros(m), torch.zeros(d_model, m), torch.zeros(d_model)
# %% wrong="0.02 is the variance" says="not the variance" of="D uniform"
#~ (torch.rand((m, d_model), generator=generator) - 0.5) * 0.04 => torch.randn((m, d_model), generator=generator) * 0.02**0.5
# %% wrong="the generator is seeded anew" says="the seed is fixed" of="D uniform"
#~ (torch.rand((m, d_model), generator=generator) - 0.5) * 0.04 => torch.randn((m, d_model), generator=torch.Generator().manual_seed(0)) * 0.02
# %% wrong="x is changed in place" says="changed its argument `x`"
def bottleneck(x, D, d, U, u):
    x += F.linear(F.gelu(F.linear(x, D, d)), U, u)
    return x
# %% wrong="gelu of the sigmoid form" says="approximation of GELU with a sigmoid"
def bottleneck(x, D, d, U, u):
    z = F.linear(x, D, d)
    return x + F.linear(z * torch.sigmoid(1.702 * z), U, u)
# %% wrong="gelu twice" says="behind the second matrix, too"
def bottleneck(x, D, d, U, u):
    return x + F.gelu(F.linear(F.gelu(F.linear(x, D, d)), U, u))
# %% wrong="detached" says="no gradient flows"
def bottleneck(x, D, d, U, u):
    with torch.no_grad():
        return x + F.linear(F.gelu(F.linear(x, D, d)), U, u)
# %% right="erf by hand and einsum"
def bottleneck_start(d_model, m, generator):
    D = torch.empty(m, d_model).normal_(0.0, 0.02, generator=generator)
    return D, D.new_zeros(m), D.new_zeros(d_model, m), D.new_zeros(d_model)
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
# %% wrong="d behind GELU" says="d is added behind GELU"
#~ F.gelu(F.linear(x, D, d)) => F.gelu(F.linear(x, D)) + d
# %% wrong="GELU of x added" says="residual is GELU of x"
#~ x + F => F.gelu(x) + F
# %% wrong="a product" says="x is multiplied"
#~ x + F => x * F
# %% wrong="normalised first" says="x is normalised first"
#~ F.linear(x, D, d) => F.linear(F.layer_norm(x, x.shape[-1:]), D, d)
# %% wrong="d random" says="D alone is random"
#~ torch.zeros(m), => 0.02 * torch.randn(m, generator=generator),
# %% wrong="another spread" says="not 0.02"
#~ 0.02 * torch => d_model**-0.5 * torch
# %% wrong="D truncated" says="cut off at the ends"
#~ down = 0.02 * torch.randn(m, d_model, generator=generator) => down = nn.init.trunc_normal_(torch.empty(m, d_model), 0, 0.02, -0.04, 0.04, generator=generator)
# %% wrong="D is 0 and U random" says="it is the other way round" of="D uniform"
#~ D = (torch.rand((m, d_model), generator=generator) - 0.5) * 0.04 => D = torch.zeros(m, d_model)
#~ torch.zeros(d_model, m) => 0.02 * torch.randn((d_model, m), generator=generator)
# %% wrong="x detached on its way" says="by the residual alone"
#~ F.linear(x, D, d) => F.linear(x.detach(), D, d)
# %% wrong="uniform of the same deviation" says="D is uniform"
#~ 0.02 * torch.randn(m, d_model, generator=generator) => (torch.rand(m, d_model, generator=generator) - 0.5) * 0.02 * 12**0.5
