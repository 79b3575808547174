# %% wrong="no cap" says="1 at most"
def glove_weight(counts: torch.Tensor, x_max: float = 100.0, alpha: float = 0.75) -> torch.Tensor:
    return (counts / x_max) ** alpha


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts) -> torch.Tensor:
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
    return (glove_weight(counts) * (score - torch.log(counts)) ** 2).sum()

# %% wrong="no weight" says="weight f is missing"
def glove_weight(counts: torch.Tensor, x_max: float = 100.0, alpha: float = 0.75) -> torch.Tensor:
    return torch.clamp((counts / x_max) ** alpha, max=1)


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts) -> torch.Tensor:
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
    return ((score - torch.log(counts)) ** 2).sum()

# %% wrong="mean" says="sum over the cells"
def glove_weight(counts: torch.Tensor, x_max: float = 100.0, alpha: float = 0.75) -> torch.Tensor:
    return torch.clamp((counts / x_max) ** alpha, max=1)


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts) -> torch.Tensor:
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
    return (glove_weight(counts) * (score - torch.log(counts)) ** 2).mean()

# %% right="where"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return torch.where(counts < x_max, torch.exp(alpha * torch.log(counts / x_max)), torch.ones_like(counts))


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    table = inputs @ outputs.T + input_bias[:, None] + output_bias[None]
    error = table[rows, columns] - counts.log()
    return torch.dot(glove_weight(counts), error.pow(2))
