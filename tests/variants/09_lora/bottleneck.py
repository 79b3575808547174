# %% wrong="no residual" says="residual is missing"
def bottleneck_start(
    d_model: int, m: int, generator: torch.Generator
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the first weights of an adapter: D (m, d_model), d (m,), U (d_model, m), u (d_model,)."""
    down = 0.02 * torch.randn(m, d_model, generator=generator)
    return down, torch.zeros(m), torch.zeros(d_model, m), torch.zeros(d_model)


def bottleneck(x: torch.Tensor, D: torch.Tensor, d: torch.Tensor, U: torch.Tensor, u: torch.Tensor) -> torch.Tensor:
    """Return x (..., C) plus the adapter's network of it; D (m, C), d (m,), U (C, m), u (C,)."""
    return F.linear(F.gelu(F.linear(x, D, d)), U, u)

# %% wrong="no GELU" says="GELU is missing"
def bottleneck_start(
    d_model: int, m: int, generator: torch.Generator
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the first weights of an adapter: D (m, d_model), d (m,), U (d_model, m), u (d_model,)."""
    down = 0.02 * torch.randn(m, d_model, generator=generator)
    return down, torch.zeros(m), torch.zeros(d_model, m), torch.zeros(d_model)


def bottleneck(x: torch.Tensor, D: torch.Tensor, d: torch.Tensor, U: torch.Tensor, u: torch.Tensor) -> torch.Tensor:
    """Return x (..., C) plus the adapter's network of it; D (m, C), d (m,), U (C, m), u (C,)."""
    return x + F.linear(F.linear(x, D, d), U, u)

# %% wrong="GELU at the end" says="between the two matrices"
def bottleneck_start(
    d_model: int, m: int, generator: torch.Generator
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the first weights of an adapter: D (m, d_model), d (m,), U (d_model, m), u (d_model,)."""
    down = 0.02 * torch.randn(m, d_model, generator=generator)
    return down, torch.zeros(m), torch.zeros(d_model, m), torch.zeros(d_model)


def bottleneck(x: torch.Tensor, D: torch.Tensor, d: torch.Tensor, U: torch.Tensor, u: torch.Tensor) -> torch.Tensor:
    """Return x (..., C) plus the adapter's network of it; D (m, C), d (m,), U (C, m), u (C,)."""
    return x + F.gelu(F.linear(F.linear(x, D, d), U, u))

# %% wrong="ReLU" says="this is ReLU"
def bottleneck_start(
    d_model: int, m: int, generator: torch.Generator
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the first weights of an adapter: D (m, d_model), d (m,), U (d_model, m), u (d_model,)."""
    down = 0.02 * torch.randn(m, d_model, generator=generator)
    return down, torch.zeros(m), torch.zeros(d_model, m), torch.zeros(d_model)


def bottleneck(x: torch.Tensor, D: torch.Tensor, d: torch.Tensor, U: torch.Tensor, u: torch.Tensor) -> torch.Tensor:
    """Return x (..., C) plus the adapter's network of it; D (m, C), d (m,), U (C, m), u (C,)."""
    return x + F.linear(F.relu(F.linear(x, D, d)), U, u)

# %% wrong="tanh" says="approximation of GELU"
def bottleneck_start(
    d_model: int, m: int, generator: torch.Generator
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the first weights of an adapter: D (m, d_model), d (m,), U (d_model, m), u (d_model,)."""
    down = 0.02 * torch.randn(m, d_model, generator=generator)
    return down, torch.zeros(m), torch.zeros(d_model, m), torch.zeros(d_model)


def bottleneck(x: torch.Tensor, D: torch.Tensor, d: torch.Tensor, U: torch.Tensor, u: torch.Tensor) -> torch.Tensor:
    """Return x (..., C) plus the adapter's network of it; D (m, C), d (m,), U (C, m), u (C,)."""
    return x + F.linear(F.gelu(F.linear(x, D, d), approximate='tanh'), U, u)

# %% wrong="no biases" says="biases are missing"
def bottleneck_start(
    d_model: int, m: int, generator: torch.Generator
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the first weights of an adapter: D (m, d_model), d (m,), U (d_model, m), u (d_model,)."""
    down = 0.02 * torch.randn(m, d_model, generator=generator)
    return down, torch.zeros(m), torch.zeros(d_model, m), torch.zeros(d_model)


def bottleneck(x: torch.Tensor, D: torch.Tensor, d: torch.Tensor, U: torch.Tensor, u: torch.Tensor) -> torch.Tensor:
    """Return x (..., C) plus the adapter's network of it; D (m, C), d (m,), U (C, m), u (C,)."""
    return x + F.gelu(x @ D.T) @ U.T

# %% wrong="both random" says="both matrices are random"
def bottleneck_start(
    d_model: int, m: int, generator: torch.Generator
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the first weights of an adapter: D (m, d_model), d (m,), U (d_model, m), u (d_model,)."""
    down = 0.02 * torch.randn(m, d_model, generator=generator)
    return down, torch.zeros(m), 0.02 * torch.randn(d_model, m, generator=generator), torch.zeros(d_model)


def bottleneck(x: torch.Tensor, D: torch.Tensor, d: torch.Tensor, U: torch.Tensor, u: torch.Tensor) -> torch.Tensor:
    """Return x (..., C) plus the adapter's network of it; D (m, C), d (m,), U (C, m), u (C,)."""
    return x + F.linear(F.gelu(F.linear(x, D, d)), U, u)

# %% wrong="both zero" says="neither matrix has a gradient"
def bottleneck_start(
    d_model: int, m: int, generator: torch.Generator
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the first weights of an adapter: D (m, d_model), d (m,), U (d_model, m), u (d_model,)."""
    down = torch.zeros(m, d_model)
    return down, torch.zeros(m), torch.zeros(d_model, m), torch.zeros(d_model)


def bottleneck(x: torch.Tensor, D: torch.Tensor, d: torch.Tensor, U: torch.Tensor, u: torch.Tensor) -> torch.Tensor:
    """Return x (..., C) plus the adapter's network of it; D (m, C), d (m,), U (C, m), u (C,)."""
    return x + F.linear(F.gelu(F.linear(x, D, d)), U, u)

# %% wrong="not scaled" says="standard deviation is 1"
def bottleneck_start(
    d_model: int, m: int, generator: torch.Generator
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the first weights of an adapter: D (m, d_model), d (m,), U (d_model, m), u (d_model,)."""
    down = torch.randn(m, d_model, generator=generator)
    return down, torch.zeros(m), torch.zeros(d_model, m), torch.zeros(d_model)


def bottleneck(x: torch.Tensor, D: torch.Tensor, d: torch.Tensor, U: torch.Tensor, u: torch.Tensor) -> torch.Tensor:
    """Return x (..., C) plus the adapter's network of it; D (m, C), d (m,), U (C, m), u (C,)."""
    return x + F.linear(F.gelu(F.linear(x, D, d)), U, u)

# %% wrong="no generator" says="generator is not used"
def bottleneck_start(
    d_model: int, m: int, generator: torch.Generator
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the first weights of an adapter: D (m, d_model), d (m,), U (d_model, m), u (d_model,)."""
    down = 0.02 * torch.randn(m, d_model)
    return down, torch.zeros(m), torch.zeros(d_model, m), torch.zeros(d_model)


def bottleneck(x: torch.Tensor, D: torch.Tensor, d: torch.Tensor, U: torch.Tensor, u: torch.Tensor) -> torch.Tensor:
    """Return x (..., C) plus the adapter's network of it; D (m, C), d (m,), U (C, m), u (C,)."""
    return x + F.linear(F.gelu(F.linear(x, D, d)), U, u)

# %% right="matrix products in float64"
def bottleneck_start(
    d_model: int, m: int, generator: torch.Generator
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the first weights of an adapter: D (m, d_model), d (m,), U (d_model, m), u (d_model,)."""
    down = 0.02 * torch.randn(m, d_model, generator=generator)
    return down, torch.zeros(m), torch.zeros(d_model, m), torch.zeros(d_model)


def bottleneck(x: torch.Tensor, D: torch.Tensor, d: torch.Tensor, U: torch.Tensor, u: torch.Tensor) -> torch.Tensor:
    """Return x (..., C) plus the adapter's network of it; D (m, C), d (m,), U (C, m), u (C,)."""
    return (x.double() + F.gelu(x.double() @ D.double().T + d.double()) @ U.double().T + u.double()).to(x.dtype)

# %% right="normal_ in place"
def bottleneck_start(
    d_model: int, m: int, generator: torch.Generator
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the first weights of an adapter: D (m, d_model), d (m,), U (d_model, m), u (d_model,)."""
    down = torch.empty(m, d_model).normal_(0, 0.02, generator=generator)
    return down, torch.zeros(m), torch.zeros(d_model, m), torch.zeros(d_model)


def bottleneck(x: torch.Tensor, D: torch.Tensor, d: torch.Tensor, U: torch.Tensor, u: torch.Tensor) -> torch.Tensor:
    """Return x (..., C) plus the adapter's network of it; D (m, C), d (m,), U (C, m), u (C,)."""
    return x + F.linear(F.gelu(F.linear(x, D, d)), U, u)
