# %% base="the plain way"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return torch.clamp((counts / x_max) ** alpha, min=1)
def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
    return (glove_weight(counts) * (score - torch.log(counts)) ** 2).sum()
# %% wrong="above 1" says="1 at most" of="the whole table first"
#~ torch.where(counts < x_max, torch.exp(alpha * torch.log(counts / x_max)), torch.ones_like(counts)) => (counts / x_max) ** alpha
# %% wrong="no power" says="power is missing" of="the whole table first"
#~ where(counts < x_max, torch.exp(alpha * torch.log(counts / x_max)), torch.ones_like(counts)) => clamp(counts / x_max, max=1)
# %% wrong="always 100" says="do not write 100" of="the whole table first"
#~ where(counts < x_max, torch.exp(alpha * torch.log(counts / x_max)), torch.ones_like(counts)) => clamp((counts / 100) ** alpha, max=1)
# %% wrong="always 3/4" says="do not write 0.75" of="the whole table first"
#~ where(counts < x_max, torch.exp(alpha * torch.log(counts / x_max)), torch.ones_like(counts)) => clamp((counts / x_max) ** 0.75, max=1)
# %% wrong="the power before the division" says="before the power" of="the whole table first"
#~ where(counts < x_max, torch.exp(alpha * torch.log(counts / x_max)), torch.ones_like(counts)) => clamp(counts**alpha / x_max, max=1)
# %% wrong="clamped at x_max" says="x_max itself" of="the whole table first"
#~ torch.exp(alpha * torch.log(counts / x_max)), torch.ones_like(counts) => (counts / x_max) ** alpha, x_max
# %% wrong="the cases exchanged" says="are exchanged" of="the whole table first"
#~ torch.exp(alpha * torch.log(counts / x_max)), torch.ones_like(counts) => 1.0, (counts / x_max) ** alpha
# %% wrong="0 above" says="not 0" of="the whole table first"
#~ torch.where(counts < x_max, torch.exp(alpha * torch.log(counts / x_max)), torch.ones_like(counts)) => (counts < x_max) * (counts / x_max) ** alpha
# %% wrong="divided by the largest count" says="largest count" of="the whole table first"
#~ torch.where(counts < x_max, torch.exp(alpha * torch.log(counts / x_max)), torch.ones_like(counts)) => (counts / counts.max()) ** alpha
# %% wrong="x_max of 10" says="usual x_max is 100" of="the plain way"
#~ 100 => 10
#~ min => max
#~ glove_weight(counts) => glove_weight(counts, 100.0)
# %% wrong="clamped in place" says="in place" of="the plain way"
#~ torch.clamp((counts / x_max) ** alpha, min=1) => counts.div_(x_max).pow(alpha).clamp(max=1)
#~ glove_weight(counts) => glove_weight(counts.clone())
# %% wrong="no weight" says="weight f is missing" of="the plain way"
#~ (glove_weight(counts) * (score - torch.log(counts)) ** 2) => ((score - torch.log(counts)) ** 2)
# %% wrong="no biases" says="biases are missing" of="the plain way"
#~ (1) + input_bias[rows] + output_bias[columns] => (1)
# %% wrong="one bias" says="output's bias is missing" of="the plain way"
#~ [rows] + output_bias[columns] => [rows]
# %% wrong="biases of the other side" says="two biases are exchanged" of="the plain way"
#~ [rows] + output_bias[columns] => [columns] + output_bias[rows]
# %% wrong="biases not looked up" says="look the biases up" of="the plain way"
#~ [rows] + output_bias[columns] => .sum() + output_bias.sum()
# %% wrong="not squared" says="error is squared" of="the plain way"
#~ (score - torch.log(counts)) ** 2 => (score - torch.log(counts)).abs()
# %% wrong="not squared, with its sign" says="error is squared" of="the plain way"
#~ (score - torch.log(counts)) ** 2 => (score - torch.log(counts))
# %% wrong="the weight squared, too" says="outside the square" of="the plain way"
#~ glove_weight(counts) * (score - torch.log(counts)) => (glove_weight(counts) * (score - torch.log(counts)))
# %% wrong="no logarithm" says="logarithm is missing" of="the plain way"
#~ torch.log(counts) => counts
# %% wrong="base 10" says="natural" of="the plain way"
#~ log => log10
# %% wrong="base 2, as in PPMI" says="natural" of="the plain way"
#~ log => log2
# %% wrong="log1p" says="1 was added" of="the plain way"
#~ log => log1p
# %% wrong="mean" says="not the mean" of="the plain way"
#~ (glove_weight(counts) * (score - torch.log(counts)) ** 2).sum => (glove_weight(counts) * (score - torch.log(counts)) ** 2).mean
# %% wrong="divided by the weights" says="not divided by the sum of the weights"
def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    score = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns]
    f = glove_weight(counts)
    return (f * (score - torch.log(counts)) ** 2).sum() / f.sum()
# %% wrong="one value a cell" says="their sum is asked" of="the plain way"
#~ (glove_weight(counts) * (score - torch.log(counts)) ** 2).sum() => glove_weight(counts) * (score - torch.log(counts)) ** 2
# %% wrong="all rows with all columns" says="its own column only" of="the plain way"
#~ (inputs[rows] * outputs[columns]).sum(1) => inputs[rows] @ outputs[columns].T
# %% wrong="tables exchanged" says="exchanged" of="the plain way"
#~ [rows] * outputs[columns] => [columns] * outputs[rows]
# %% wrong="a Python number" says="graph is cut" of="the plain way"
#~ () => ().item()
# %% wrong="biases detached" says="gradient" of="the plain way"
#~ input_bias[rows] => input_bias.detach()[rows]
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
    score = torch.einsum("nd,nd->n", nn.functional.embedding(rows, inputs), nn.functional.embedding(columns, outputs))
    error = torch.log(counts) - score - input_bias.index_select(0, rows) - output_bias.index_select(0, columns)
    return torch.sum(glove_weight(counts) * torch.square(error))
# %% right="cell after cell, in double precision" of="unseen, right 1"
#~ return torch.where(counts >= x_max, torch.ones_like(counts), torch.pow(counts / x_max, alpha)) => return (counts.double().clamp(max=x_max) / x_max).pow(alpha)
#-     for i, j, x in zip(rows.tolist(), columns.tolist(), counts):
#-         gap = inputs[i] @ outputs[j] + input_bias[i] + output_bias[j] - x.log()
#-         total = total + glove_weight(x) * gap * gap
#+     for i, j, x in zip(rows.tolist(), columns.tolist(), counts.double()):
#+         error = inputs[i].double() @ outputs[j].double() + input_bias[i] + output_bias[j] - x.log()
#+         total = total + glove_weight(x) * error * error
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
# %% wrong="whole matrix" says="each row meets its own column only: here all rows met all" of="the plain way"
#~ (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] => inputs[rows] @ outputs[columns].T + input_bias[rows]
# %% wrong="fractions clamped" says="counts may be fractions, and their logarithms are below 0:" of="the plain way"
#~ log(counts) => log(counts).clamp(min=0)
# %% wrong="at least 1" says="counts may be fractions: those below 1 were raised to 1" of="the whole table first"
#~ torch.where(counts < x_max, torch.exp(alpha * torch.log(counts / x_max)), torch.ones_like(counts)) => ((counts.clamp(min=1) / x_max) ** alpha).clamp(max=1)
# %% wrong="detached" says="the graph is cut: no .item(), .detach(), .numpy() or" of="the plain way"
#~ () => ().detach()
# %% wrong="the power binds first" says="in brackets" of="the whole table first"
#~ torch.exp(alpha * torch.log(counts / x_max)), torch.ones_like(counts) => counts / x_max**alpha, 1.0
# %% wrong="the power binds first, then a minimum" says="in brackets" of="the whole table first"
#~ where(counts < x_max, torch.exp(alpha * torch.log(counts / x_max)), torch.ones_like(counts)) => minimum(counts / x_max**alpha, torch.ones(()))
# %% wrong="the minimum, the power, then the division" says="divided by x_max before the power" of="the power, then the division, 1 from x_max on"
#~ return torch.where(counts < x_max, counts**alpha / x_max, 1.0) => return torch.clamp(counts, max=x_max) ** alpha / x_max
# %% wrong="the power, then the division, 1 from x_max on" says="divided by x_max before the power"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return torch.where(counts < x_max, counts**alpha / x_max, 1.0)
# %% wrong="the counts written into a table" says="a cell that is listed twice counts twice"
def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    table = inputs @ outputs.T + input_bias[:, None] + output_bias
    X = torch.zeros_like(table)
    X[rows, columns] = counts
    seen = X > 0
    return (glove_weight(X[seen]) * (table[seen] - torch.log(X[seen])) ** 2).sum()
# %% wrong="below one is one" clause="perhaps fractions" says="may be fractions"
def glove_weight(counts, x_max=100.0, alpha=0.75):
    return (counts.clamp(min=1, max=x_max) / x_max) ** alpha
# %% wrong="a cell once" clause="A cell that is listed twice counts twice" says="counts twice"
def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    keep = {(int(r), int(c)): i for i, (r, c) in enumerate(zip(rows, columns))}
    i = torch.tensor(sorted(keep.values()), dtype=torch.long)
    rows, columns, counts = rows[i], columns[i], counts[i]
    e = (inputs[rows] * outputs[columns]).sum(1) + input_bias[rows] + output_bias[columns] - counts.log()
    return (glove_weight(counts) * e ** 2).sum()
# %% wrong="biases cut off" clause="a scalar tensor, differentiable" says="the graph is cut"
def glove_loss(inputs, outputs, input_bias, output_bias, rows, columns, counts):
    e = (inputs[rows] * outputs[columns]).sum(1) + (input_bias[rows] + output_bias[columns]).detach() - counts.log()
    return (glove_weight(counts) * e ** 2).sum()
# %% wrong="the output's bias by rows" says="looked up by the row" of="minimum, einsum"
#~ output_bias.index_select(0, columns) => output_bias.index_select(0, rows)
