# %% wrong="one scale" says="one scale for the whole matrix"
def quantize(weight: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (whole numbers (out, in) int8, one scale for each row (out,) float32) of weight (out, in)."""
    scales = weight.abs().max().expand(len(weight)) / 127
    scales = torch.where(scales > 0, scales, 1.0)
    return torch.round(weight / scales[:, None]).to(torch.int8), scales.float()


def int8_lora(
    x: torch.Tensor, q: torch.Tensor, scales: torch.Tensor, bias: torch.Tensor, A: torch.Tensor, B: torch.Tensor,
    scale: float,
) -> torch.Tensor:
    """Return (..., out): x (..., in) through the quantised base (q (out, in), scales (out,)) with LoRA on top."""
    base = F.linear(x, q.to(x.dtype) * scales[:, None].to(x.dtype), bias)
    return base + scale * F.linear(F.linear(x, A), B)

# %% wrong="128" says="127 is the largest"
def quantize(weight: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (whole numbers (out, in) int8, one scale for each row (out,) float32) of weight (out, in)."""
    scales = weight.abs().amax(dim=1) / 128
    scales = torch.where(scales > 0, scales, 1.0)
    return torch.round(weight / scales[:, None]).to(torch.int8), scales.float()


def int8_lora(
    x: torch.Tensor, q: torch.Tensor, scales: torch.Tensor, bias: torch.Tensor, A: torch.Tensor, B: torch.Tensor,
    scale: float,
) -> torch.Tensor:
    """Return (..., out): x (..., in) through the quantised base (q (out, in), scales (out,)) with LoRA on top."""
    base = F.linear(x, q.to(x.dtype) * scales[:, None].to(x.dtype), bias)
    return base + scale * F.linear(F.linear(x, A), B)

# %% wrong="cut off" says="cut off, not rounded"
def quantize(weight: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (whole numbers (out, in) int8, one scale for each row (out,) float32) of weight (out, in)."""
    scales = weight.abs().amax(dim=1) / 127
    scales = torch.where(scales > 0, scales, 1.0)
    return (weight / scales[:, None]).to(torch.int8), scales.float()


def int8_lora(
    x: torch.Tensor, q: torch.Tensor, scales: torch.Tensor, bias: torch.Tensor, A: torch.Tensor, B: torch.Tensor,
    scale: float,
) -> torch.Tensor:
    """Return (..., out): x (..., in) through the quantised base (q (out, in), scales (out,)) with LoRA on top."""
    base = F.linear(x, q.to(x.dtype) * scales[:, None].to(x.dtype), bias)
    return base + scale * F.linear(F.linear(x, A), B)

# %% wrong="signed" says="largest absolute value"
def quantize(weight: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (whole numbers (out, in) int8, one scale for each row (out,) float32) of weight (out, in)."""
    scales = weight.amax(dim=1) / 127
    scales = torch.where(scales > 0, scales, 1.0)
    return torch.round(weight / scales[:, None]).to(torch.int8), scales.float()


def int8_lora(
    x: torch.Tensor, q: torch.Tensor, scales: torch.Tensor, bias: torch.Tensor, A: torch.Tensor, B: torch.Tensor,
    scale: float,
) -> torch.Tensor:
    """Return (..., out): x (..., in) through the quantised base (q (out, in), scales (out,)) with LoRA on top."""
    base = F.linear(x, q.to(x.dtype) * scales[:, None].to(x.dtype), bias)
    return base + scale * F.linear(F.linear(x, A), B)

# %% wrong="zeros" says="a row of zeros"
def quantize(weight: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (whole numbers (out, in) int8, one scale for each row (out,) float32) of weight (out, in)."""
    scales = weight.abs().amax(dim=1) / 127
    return torch.round(weight / scales[:, None]).to(torch.int8), scales.float()


def int8_lora(
    x: torch.Tensor, q: torch.Tensor, scales: torch.Tensor, bias: torch.Tensor, A: torch.Tensor, B: torch.Tensor,
    scale: float,
) -> torch.Tensor:
    """Return (..., out): x (..., in) through the quantised base (q (out, in), scales (out,)) with LoRA on top."""
    base = F.linear(x, q.to(x.dtype) * scales[:, None].to(x.dtype), bias)
    return base + scale * F.linear(F.linear(x, A), B)

# %% wrong="floats" says="int8"
def quantize(weight: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (whole numbers (out, in) int8, one scale for each row (out,) float32) of weight (out, in)."""
    scales = weight.abs().amax(dim=1) / 127
    scales = torch.where(scales > 0, scales, 1.0)
    return torch.round(weight / scales[:, None]), scales.float()


def int8_lora(
    x: torch.Tensor, q: torch.Tensor, scales: torch.Tensor, bias: torch.Tensor, A: torch.Tensor, B: torch.Tensor,
    scale: float,
) -> torch.Tensor:
    """Return (..., out): x (..., in) through the quantised base (q (out, in), scales (out,)) with LoRA on top."""
    base = F.linear(x, q.to(x.dtype) * scales[:, None].to(x.dtype), bias)
    return base + scale * F.linear(F.linear(x, A), B)

# %% wrong="no scales" says="scales are missing"
def quantize(weight: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (whole numbers (out, in) int8, one scale for each row (out,) float32) of weight (out, in)."""
    scales = weight.abs().amax(dim=1) / 127
    scales = torch.where(scales > 0, scales, 1.0)
    return torch.round(weight / scales[:, None]).to(torch.int8), scales.float()


def int8_lora(
    x: torch.Tensor, q: torch.Tensor, scales: torch.Tensor, bias: torch.Tensor, A: torch.Tensor, B: torch.Tensor,
    scale: float,
) -> torch.Tensor:
    """Return (..., out): x (..., in) through the quantised base (q (out, in), scales (out,)) with LoRA on top."""
    base = F.linear(x, q.to(x.dtype), bias)
    return base + scale * F.linear(F.linear(x, A), B)

# %% wrong="no scale of the update" says="`scale` is missing"
def quantize(weight: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (whole numbers (out, in) int8, one scale for each row (out,) float32) of weight (out, in)."""
    scales = weight.abs().amax(dim=1) / 127
    scales = torch.where(scales > 0, scales, 1.0)
    return torch.round(weight / scales[:, None]).to(torch.int8), scales.float()


def int8_lora(
    x: torch.Tensor, q: torch.Tensor, scales: torch.Tensor, bias: torch.Tensor, A: torch.Tensor, B: torch.Tensor,
    scale: float,
) -> torch.Tensor:
    """Return (..., out): x (..., in) through the quantised base (q (out, in), scales (out,)) with LoRA on top."""
    base = F.linear(x, q.to(x.dtype) * scales[:, None].to(x.dtype), bias)
    return base + F.linear(F.linear(x, A), B)

# %% wrong="no bias" says="bias is missing"
def quantize(weight: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (whole numbers (out, in) int8, one scale for each row (out,) float32) of weight (out, in)."""
    scales = weight.abs().amax(dim=1) / 127
    scales = torch.where(scales > 0, scales, 1.0)
    return torch.round(weight / scales[:, None]).to(torch.int8), scales.float()


def int8_lora(
    x: torch.Tensor, q: torch.Tensor, scales: torch.Tensor, bias: torch.Tensor, A: torch.Tensor, B: torch.Tensor,
    scale: float,
) -> torch.Tensor:
    """Return (..., out): x (..., in) through the quantised base (q (out, in), scales (out,)) with LoRA on top."""
    base = F.linear(x, q.to(x.dtype) * scales[:, None].to(x.dtype))
    return base + scale * F.linear(F.linear(x, A), B)

# %% wrong="detached" says="get no gradient"
def quantize(weight: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (whole numbers (out, in) int8, one scale for each row (out,) float32) of weight (out, in)."""
    scales = weight.abs().amax(dim=1) / 127
    scales = torch.where(scales > 0, scales, 1.0)
    return torch.round(weight / scales[:, None]).to(torch.int8), scales.float()


def int8_lora(
    x: torch.Tensor, q: torch.Tensor, scales: torch.Tensor, bias: torch.Tensor, A: torch.Tensor, B: torch.Tensor,
    scale: float,
) -> torch.Tensor:
    """Return (..., out): x (..., in) through the quantised base (q (out, in), scales (out,)) with LoRA on top."""
    base = F.linear(x, q.to(x.dtype) * scales[:, None].to(x.dtype), bias)
    return base + scale * F.linear(F.linear(x, A), B).detach()

# %% right="scales behind the product"
def quantize(weight: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (whole numbers (out, in) int8, one scale for each row (out,) float32) of weight (out, in)."""
    scales = weight.abs().amax(dim=1) / 127
    scales = torch.where(scales > 0, scales, 1.0)
    return torch.round(weight / scales[:, None]).to(torch.int8), scales.float()


def int8_lora(
    x: torch.Tensor, q: torch.Tensor, scales: torch.Tensor, bias: torch.Tensor, A: torch.Tensor, B: torch.Tensor,
    scale: float,
) -> torch.Tensor:
    """Return (..., out): x (..., in) through the quantised base (q (out, in), scales (out,)) with LoRA on top."""
    base = (x @ q.to(x.dtype).T) * scales + bias
    return base + scale * F.linear(F.linear(x, A), B)

# %% right="rounded in float64"
def quantize(weight: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (whole numbers (out, in) int8, one scale for each row (out,) float32) of weight (out, in)."""
    scales = weight.abs().amax(dim=1) / 127
    scales = torch.where(scales > 0, scales, 1.0)
    return torch.round(weight / scales[:, None]).clamp(-127, 127).to(torch.int8), scales.float()


def int8_lora(
    x: torch.Tensor, q: torch.Tensor, scales: torch.Tensor, bias: torch.Tensor, A: torch.Tensor, B: torch.Tensor,
    scale: float,
) -> torch.Tensor:
    """Return (..., out): x (..., in) through the quantised base (q (out, in), scales (out,)) with LoRA on top."""
    base = F.linear(x, q.to(x.dtype) * scales[:, None].to(x.dtype), bias)
    return base + scale * F.linear(F.linear(x, A), B)
