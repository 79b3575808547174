# %% right="split by hand, gradients added up by hand"
def train_step(model, optimizer, batch, loss, pieces=1, dtype=None):
    for p in model.parameters():
        p.grad = None
    total, size = 0.0, -(-len(batch) // pieces)
    for begin in range(0, len(batch), size):
        piece = batch[begin : begin + size]
        with torch.autocast("cpu", torch.bfloat16, enabled=dtype is torch.bfloat16):
            value = loss(model, piece)
        value = value * len(piece) / len(batch)
        value.backward()
        total = total + value.detach()
    optimizer.step()
    return total
# %% right="a file in memory"
def checkpoint(model, optimizer, step):
    import io
    file = io.BytesIO()
    torch.save((model.state_dict(), optimizer.state_dict(), torch.get_rng_state()), file)
    return {"file": file.getvalue(), "step": step}
def resume(stored, model, optimizer):
    import io
    weights, state, numbers = torch.load(io.BytesIO(stored["file"]))
    model.load_state_dict(weights)
    optimizer.load_state_dict(state)
    torch.random.set_rng_state(numbers)
    return stored["step"]
# %% right="added up, then divided, in place"
@torch.no_grad()
def average_gradients(replicas):
    first, *others = [list(replica.parameters()) for replica in replicas]
    for i, p in enumerate(first):
        for other in others:
            p.grad += other[i].grad
        p.grad /= len(replicas)
        for other in others:
            other[i].grad.copy_(p.grad)
# %% wrong="pieces weigh alike" says="weigh alike"
#~ (len(piece) / len(batch)) => 1 / len(batch.chunk(pieces))
# %% wrong="pieces are added" says="were added"
#~ loss(model, piece) * (len(piece) / len(batch)) => loss(model, piece)
# %% wrong="zero_grad in the loop" says="only the last piece"
def train_step(model, optimizer, batch, loss, pieces=1, dtype=None):
    total = 0.0
    for piece in batch.chunk(pieces):
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype=dtype, enabled=dtype is not None):
            value = loss(model, piece) * (len(piece) / len(batch))
        value.backward()
        total += value.item()
    optimizer.step()
    return total
# %% wrong="a step for each piece" says="after each piece" of="zero_grad in the loop"
#-         total += value.item()
#+         optimizer.step()
#+         total += value.item()
#-     optimizer.step()
# %% wrong="gradients left over" says="zero_grad first"
#~ optimizer.zero_grad() => pass
# %% wrong="no step" says="took no step"
#~ optimizer.step() => pass
# %% wrong="the loss is not weighed" says="its gradient is"
#~ total += value.item() => total += value.item() * len(batch) / len(piece)
# %% wrong="only the last loss" says="that of the last piece"
#~ total += value.item() => total = value.item()
# %% wrong="no autocast" says="dtype is ignored"
#~ enabled=dtype is not None => enabled=False
# %% wrong="the model in bf16" says="cast to bf16"
def train_step(model, optimizer, batch, loss, pieces=1, dtype=None):
    optimizer.zero_grad()
    total = 0.0
    if dtype is not None:
        model.to(dtype)
    for piece in batch.chunk(pieces):
        value = loss(model, piece if dtype is None else piece.to(dtype)) * (len(piece) / len(batch))
        value.backward()
        total += value.item()
    optimizer.step()
    return total
# %% wrong="no copies" says="in the checkpoint went on changing"
#~ copy.deepcopy(state | {"numbers": torch.get_rng_state()}) => state | {"numbers": torch.get_rng_state()}
# %% wrong="the optimiser is forgotten" says="optimiser's state is not kept"
#~ optimizer.load_state_dict(copy.deepcopy(stored["optimizer"])) => pass
# %% wrong="the weights are forgotten" says="weights are not kept"
#~ model.load_state_dict(stored["model"]) => pass
# %% wrong="random numbers are forgotten" says="dropout"
#~ torch.set_rng_state(stored["numbers"]) => pass
# %% wrong="one step further" says="step is that which was stored"
#~ return stored["step"] => return stored["step"] + 1
# %% wrong="no step comes back" says="step did not come back"
#~ return stored["step"] => stored["step"]
# %% wrong="added, not averaged" says="added, not averaged"
#~ .mean(dim=0) => .sum(dim=0)
# %% wrong="only the first gets it" says="only the first replica"
#~ for p in same: => for p in same[:1]:
# %% wrong="a new name, nothing assigned" says="kept its own gradients"
#~ p.grad = mean.clone() => gradient = mean.clone()
# %% wrong="no return" says="a return"
#~ return total => total = None; return total
# %% wrong="the batch is never cut" says="was not cut"
#~ for piece in batch.chunk(pieces): => for piece in [batch]:
# %% wrong="the graph is kept with the loss" says="holds the graph"
#~ value.item() => value
# %% wrong="one gradient for all replicas" says="its own copy"
#~ p.grad = mean.clone() => p.grad = mean
# %% wrong="a checkpoint serves once" says="stopped and resumed"
#~ return stored["step"] => stored.pop("model"); return stored["step"]
# %% right="the sum of losses, divided at the end of each piece" of="split by hand, gradients added up by hand"
#~ total = total + value.detach() => total = total + float(value.detach())
# %% wrong="the optimiser goes on in the checkpoint's own tensors" says="hand load_state_dict copies"
#~ copy.deepcopy(stored["optimizer"]) => stored["optimizer"]
# %% right="the optimiser's state is copied a tensor at a time"
def resume(stored, model, optimizer):
    state = stored["optimizer"]
    kept = {i: {k: torch.as_tensor(v).clone() for k, v in row.items()} for i, row in state["state"].items()}
    model.load_state_dict(stored["model"])
    optimizer.load_state_dict({"state": kept, "param_groups": state["param_groups"]})
    torch.set_rng_state(stored["numbers"])
    return stored["step"]
# %% wrong="the loss that comes back weighs pieces alike" says="pieces of different size weigh alike"
#~ total += value.item() => total += value.item() * len(batch) / len(piece) / len(batch.chunk(pieces))
# %% wrong="no copies when resumed either" says="and hand copies to the new run"
#~ copy.deepcopy(state | {"numbers": torch.get_rng_state()}) => state | {"numbers": torch.get_rng_state()}
#~ copy.deepcopy(stored["optimizer"]) => stored["optimizer"]
# %% wrong="only the weights are copied" says="the optimiser's state in the checkpoint went on changing"
#~ {"model": model.state_dict() => {"model": copy.deepcopy(model.state_dict())
#~ copy.deepcopy(state | {"numbers": torch.get_rng_state()}) => state | {"numbers": torch.get_rng_state()}
# %% wrong="only the optimiser is copied" says="the weights in the checkpoint went on changing"
#~ optimizer.state_dict(), => copy.deepcopy(optimizer.state_dict()),
#~ copy.deepcopy(state | {"numbers": torch.get_rng_state()}) => state | {"numbers": torch.get_rng_state()}
# %% wrong="always under autocast" says="autocast is on though dtype is None"
#~ dtype=dtype, enabled=dtype is not None => dtype=torch.bfloat16
# %% wrong="the gradient of the sum" says="the gradient is that of the sum over all rows"
#~ * (len(piece) / len(batch)) => * len(piece)
#~ return total => return total / len(batch)
# %% wrong="loss and gradient of the sum" says="loss and gradient are those of the sum"
#~ * (len(piece) / len(batch)) => * len(piece)
# %% wrong="the rest is left out" says="rows at the end were left out"
#~ optimizer.zero_grad() => batch = batch[: max(len(batch) // pieces, 1) * pieces]; optimizer.zero_grad()
# %% wrong="a mean for each replica in turn" says="the mean was taken anew for each replica"
#~ mean = torch.stack([p.grad for p in same]).mean(dim=0) => pass
#~ p.grad = mean.clone() => p.grad = torch.stack([q.grad for q in same]).mean(dim=0)
# %% wrong="gradients are cleared behind the step alone" says="zero_grad first" clause="Gradients that were left from before play no part."
def train_step(model, optimizer, batch, loss, pieces=1, dtype=None):
    total = 0.0
    for rows in batch.chunk(pieces):
        with torch.autocast(batch.device.type, dtype=dtype, enabled=dtype is not None):
            value = loss(model, rows) * (len(rows) / len(batch))
        value.backward()
        total += value.item()
    optimizer.step()
    optimizer.zero_grad()
    return total
