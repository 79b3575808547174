# %% wrong="above 1" says="1 at most"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return (counts / x_max) ** alpha


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
    return (glove_weight(counts) * (score - torch.log(counts)) ** 2).sum()

# %% wrong="no power" says="power is missing"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return torch.clamp(counts / x_max, max=1)


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
    return (glove_weight(counts) * (score - torch.log(counts)) ** 2).sum()

# %% wrong="always 100" says="do not write 100"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return torch.clamp((counts / 100) ** alpha, max=1)


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
    return (glove_weight(counts) * (score - torch.log(counts)) ** 2).sum()

# %% wrong="always 3/4" says="do not write 0.75"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return torch.clamp((counts / x_max) ** 0.75, max=1)


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
    return (glove_weight(counts) * (score - torch.log(counts)) ** 2).sum()

# %% wrong="the power before the division" says="before the power"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return torch.clamp(counts**alpha / x_max, max=1)


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
    return (glove_weight(counts) * (score - torch.log(counts)) ** 2).sum()

# %% wrong="clamped at x_max" says="x_max itself"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return torch.where(counts < x_max, (counts / x_max) ** alpha, x_max)


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
    return (glove_weight(counts) * (score - torch.log(counts)) ** 2).sum()

# %% wrong="the cases exchanged" says="are exchanged"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return torch.where(counts < x_max, 1.0, (counts / x_max) ** alpha)


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
    return (glove_weight(counts) * (score - torch.log(counts)) ** 2).sum()

# %% wrong="0 above" says="not 0"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return (counts < x_max) * (counts / x_max) ** alpha


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
    return (glove_weight(counts) * (score - torch.log(counts)) ** 2).sum()

# %% wrong="clamp with min" says="min and max"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return torch.clamp((counts / x_max) ** alpha, min=1)


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
    return (glove_weight(counts) * (score - torch.log(counts)) ** 2).sum()

# %% wrong="divided by the largest count" says="largest count"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return (counts / counts.max()) ** alpha


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
    return (glove_weight(counts) * (score - torch.log(counts)) ** 2).sum()

# %% wrong="x_max of 10" says="usual x_max is 100"
def glove_weight(counts, x_max=10.0, alpha=0.75):
    return torch.clamp((counts / x_max) ** alpha, max=1)


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
    return (glove_weight(counts, 100.0) * (score - torch.log(counts)) ** 2).sum()

# %% wrong="clamped in place" says="in place"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return counts.div_(x_max).pow(alpha).clamp(max=1)


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
    return (glove_weight(counts.clone()) * (score - torch.log(counts)) ** 2).sum()

# %% wrong="no weight" says="weight f is missing"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return torch.clamp((counts / x_max) ** alpha, max=1)


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
    return ((score - torch.log(counts)) ** 2).sum()

# %% wrong="no biases" says="biases are missing"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return torch.clamp((counts / x_max) ** alpha, max=1)


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[rows] * outputs[columns]).sum(1)
    return (glove_weight(counts) * (score - torch.log(counts)) ** 2).sum()

# %% wrong="one bias" says="output's bias is missing"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return torch.clamp((counts / x_max) ** alpha, max=1)


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows]
    return (glove_weight(counts) * (score - torch.log(counts)) ** 2).sum()

# %% wrong="biases of the other side" says="two biases are exchanged"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return torch.clamp((counts / x_max) ** alpha, max=1)


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[columns] + output_bias[rows]
    return (glove_weight(counts) * (score - torch.log(counts)) ** 2).sum()

# %% wrong="biases not looked up" says="look the biases up"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return torch.clamp((counts / x_max) ** alpha, max=1)


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias.sum() + output_bias.sum()
    return (glove_weight(counts) * (score - torch.log(counts)) ** 2).sum()

# %% wrong="not squared" says="error is squared"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return torch.clamp((counts / x_max) ** alpha, max=1)


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
    return (glove_weight(counts) * (score - torch.log(counts)).abs()).sum()

# %% wrong="not squared, with its sign" says="error is squared"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return torch.clamp((counts / x_max) ** alpha, max=1)


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
    return (glove_weight(counts) * (score - torch.log(counts))).sum()

# %% wrong="the weight squared, too" says="outside of the square"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return torch.clamp((counts / x_max) ** alpha, max=1)


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
    return ((glove_weight(counts) * (score - torch.log(counts))) ** 2).sum()

# %% wrong="no logarithm" says="logarithm is missing"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return torch.clamp((counts / x_max) ** alpha, max=1)


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
    return (glove_weight(counts) * (score - counts) ** 2).sum()

# %% wrong="base 10" says="natural"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return torch.clamp((counts / x_max) ** alpha, max=1)


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
    return (glove_weight(counts) * (score - torch.log10(counts)) ** 2).sum()

# %% wrong="base 2, as in PPMI" says="natural"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return torch.clamp((counts / x_max) ** alpha, max=1)


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
    return (glove_weight(counts) * (score - torch.log2(counts)) ** 2).sum()

# %% wrong="log1p" says="1 was added"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return torch.clamp((counts / x_max) ** alpha, max=1)


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
    return (glove_weight(counts) * (score - torch.log1p(counts)) ** 2).sum()

# %% wrong="mean" says="not the mean"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return torch.clamp((counts / x_max) ** alpha, max=1)


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
    return (glove_weight(counts) * (score - torch.log(counts)) ** 2).mean()

# %% wrong="divided by the weights" says="not divided by the sum of the weights"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return torch.clamp((counts / x_max) ** alpha, max=1)


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
    f = glove_weight(counts)
    return (f * (score - torch.log(counts)) ** 2).sum() / f.sum()

# %% wrong="one value a cell" says="their sum is asked"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return torch.clamp((counts / x_max) ** alpha, max=1)


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
    return glove_weight(counts) * (score - torch.log(counts)) ** 2

# %% wrong="all rows with all columns" says="its own column only"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return torch.clamp((counts / x_max) ** alpha, max=1)


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = inputs[rows] @ outputs[columns].T + input_bias[rows] + output_bias[columns]
    return (glove_weight(counts) * (score - torch.log(counts)) ** 2).sum()

# %% wrong="tables exchanged" says="exchanged"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return torch.clamp((counts / x_max) ** alpha, max=1)


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[columns] * outputs[rows]).sum(1) + input_bias[rows] + output_bias[columns]
    return (glove_weight(counts) * (score - torch.log(counts)) ** 2).sum()

# %% wrong="a Python number" says="graph is cut"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return torch.clamp((counts / x_max) ** alpha, max=1)


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
    return (glove_weight(counts) * (score - torch.log(counts)) ** 2).sum().item()

# %% wrong="biases detached" says="gradient"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return torch.clamp((counts / x_max) ** alpha, max=1)


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias.detach()[rows] + output_bias[columns]
    return (glove_weight(counts) * (score - torch.log(counts)) ** 2).sum()

# %% right="the whole table first"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return torch.where(counts < x_max, torch.exp(alpha * torch.log(counts / x_max)), torch.ones_like(counts))


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    table = inputs @ outputs.T + input_bias[:, None] + output_bias[None]
    error = table[rows, columns] - counts.log()
    return torch.dot(glove_weight(counts), error.pow(2))

# %% right="minimum, einsum"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return torch.minimum(torch.ones_like(counts), torch.pow(counts / x_max, alpha))


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = torch.einsum("nd,nd->n", embedding(rows, inputs), embedding(columns, outputs))
    error = torch.log(counts) - score - input_bias.index_select(0, rows) - output_bias.index_select(0, columns)
    return torch.sum(glove_weight(counts) * torch.square(error))

# %% right="cell after cell, in double precision"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return (counts.double().clamp(max=x_max) / x_max).pow(alpha)


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    total = 0.0
    for i, j, x in zip(rows.tolist(), columns.tolist(), counts.double()):
        error = inputs[i].double() @ outputs[j].double() + input_bias[i] + output_bias[j] - x.log()
        total = total + glove_weight(x) * error * error
    return total

# %% right="mse_loss of weighted values"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    weight = (counts / x_max).pow(alpha)
    weight[counts >= x_max] = 1
    return weight


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    root = glove_weight(counts).sqrt()
    score = (inputs[rows] * outputs[columns]).sum(-1).add(input_bias[rows]).add(output_bias[columns])
    return nn.functional.mse_loss(root * score, root * counts.log(), reduction="sum")

# %% right="unseen, right 1"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return torch.where(counts >= x_max, torch.ones_like(counts), torch.pow(counts / x_max, alpha))


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    total = 0.0
    for i, j, x in zip(rows.tolist(), columns.tolist(), counts):
        gap = inputs[i] @ outputs[j] + input_bias[i] + output_bias[j] - x.log()
        total = total + glove_weight(x) * gap * gap
    return total

# %% wrong="alpha ignored" says="alpha is an argument: do not write 0.75"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return ((counts / x_max) ** 0.75).clamp(max=1)


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
    return (glove_weight(counts) * (score - torch.log(counts)) ** 2).sum()

# %% wrong="x_max ignored" says="x_max is an argument: do not write 100"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return ((counts / 100) ** alpha).clamp(max=1)


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
    return (glove_weight(counts) * (score - torch.log(counts)) ** 2).sum()

# %% wrong="unseen, mean" says="the sum over the cells is asked, not the mean"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return ((counts / x_max) ** alpha).clamp(max=1)


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
    return (glove_weight(counts) * (score - torch.log(counts)) ** 2).mean()

# %% wrong="unseen, no weight" says="the weight f is missing"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return ((counts / x_max) ** alpha).clamp(max=1)


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
    return ((score - torch.log(counts)) ** 2).sum()

# %% wrong="weight squared" says="the weight stands outside of the square: f was squared, too"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return ((counts / x_max) ** alpha).clamp(max=1)


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
    return ((glove_weight(counts) * (score - torch.log(counts))) ** 2).sum()

# %% wrong="whole matrix" says="each row meets its own column only: here all rows met all"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return ((counts / x_max) ** alpha).clamp(max=1)


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = inputs[rows] @ outputs[columns].T + input_bias[rows][:, None] + output_bias[columns]
    return (glove_weight(counts) * (score - torch.log(counts)) ** 2).sum()

# %% wrong="fractions clamped" says="counts may be fractions, and their logarithms are below 0:"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return ((counts / x_max) ** alpha).clamp(max=1)


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
    return (glove_weight(counts) * (score - torch.log(counts).clamp(min=0)) ** 2).sum()

# %% wrong="at least 1" says="counts may be fractions: those below 1 were raised to 1"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return ((counts.clamp(min=1) / x_max) ** alpha).clamp(max=1)


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
    return (glove_weight(counts) * (score - torch.log(counts)) ** 2).sum()

# %% wrong="detached" says="the graph is cut: no .item(), .detach(), .numpy() or"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return ((counts / x_max) ** alpha).clamp(max=1)


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
    return (glove_weight(counts) * (score - torch.log(counts)) ** 2).sum().detach()

# %% wrong="the power binds first" says="in brackets"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return torch.where(counts < x_max, counts / x_max**alpha, 1.0)


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
    return (glove_weight(counts) * (score - torch.log(counts)) ** 2).sum()


# %% wrong="the power binds first, then a minimum" says="in brackets"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return torch.minimum(counts / x_max**alpha, torch.ones(()))


def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
    return (glove_weight(counts) * (score - torch.log(counts)) ** 2).sum()
