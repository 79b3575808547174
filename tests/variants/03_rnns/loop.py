# %% base="the plain way"
def train(model, batches, loss, optimizer, schedule, steps, clip, evaluate, every):
    losses, evaluations = [], []
    for step in range(steps):
        model.train()
        optimizer.zero_grad()
        value = loss(model, batches[step % len(batches)])
        value.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
        optimizer.step()
        schedule.step()
        losses.append(value.item())
        if (step + 1) % every == 0 or step == steps - 1:
            model.eval()
            with torch.no_grad():
                evaluations.append((step + 1, evaluate(model)))
    return losses, evaluations
# %% right="zero_grad at the end of the step, batches by cycle, clipped by hand"
def train(model, batches, loss, optimizer, schedule, steps, clip, evaluate, every):
    from itertools import cycle, islice
    losses, evaluations = [], []
    optimizer.zero_grad()
    for done, batch in enumerate(islice(cycle(batches), steps), start=1):
        model.train()
        value = loss(model, batch)
        value.backward()
        gradients = [p.grad for p in model.parameters() if p.grad is not None]
        for p, clipped in zip(model.parameters(), clip_by_norm(gradients, clip)[0], strict=True):
            p.grad = clipped
        optimizer.step()
        schedule.step()
        optimizer.zero_grad()
        losses.append(float(value.detach()))
        if done % every == 0 or done == steps:
            model.eval()
            with torch.inference_mode():
                evaluations.append((done, evaluate(model)))
    model.eval()
    return losses, evaluations
# %% right="a while loop, gradients set to None, train mode back after each evaluation"
def train(model, batches, loss, optimizer, schedule, steps, clip, evaluate, every):
    losses, evaluations, t = [], [], 0
    model.train()
    while t < steps:
        model.zero_grad(set_to_none=True)
        out = loss(model, batches[t % len(batches)])
        out.backward()
        nn.utils.clip_grad_norm_(list(model.parameters()), max_norm=clip)
        optimizer.step()
        schedule.step()
        losses += [out.item()]
        t += 1
        if t % every == 0 or t == steps:
            model.eval()
            with torch.no_grad():
                evaluations += [(t, evaluate(model))]
            model.train()
    model.eval()
    return losses, evaluations
# %% right="torch.autograd.grad and tuples"
def train(model, batches, loss, optimizer, schedule, steps, clip, evaluate, every):
    losses, found, weights = [], [], list(model.parameters())
    for step in range(steps):
        model.train(True)
        value = loss(model, batches[step % len(batches)])
        for p, g in zip(weights, torch.autograd.grad(value, weights), strict=True):
            p.grad = g
        nn.utils.clip_grad_norm_(weights, clip)
        optimizer.step()
        schedule.step()
        losses.append(value.item())
        if not (step + 1) % every or step + 1 == steps:
            model.train(False)
            with torch.no_grad():
                found.append((step + 1, evaluate(model)))
    return losses, found
# %% wrong="no zero_grad" says="backward() adds" of="the plain way"
#-         optimizer.zero_grad()
# %% wrong="no clipping" says="nothing was clipped" of="the plain way"
#-         torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
# %% wrong="each parameter clipped alone" says="by its own norm" of="the plain way"
#~ torch.nn.utils.clip_grad_norm_(model.parameters(), clip) => [nn.utils.clip_grad_norm_([p], clip) for p in model.parameters()]
# %% wrong="values clipped" says="clip_grad_value_" of="the plain way"
#~ clip_grad_norm_ => clip_grad_value_
# %% wrong="clipped at 1, whatever the limit" says="" of="the plain way"
#~ (model.parameters(), clip) => (model.parameters(), 1.0)
# %% wrong="no schedule" says="schedule never moved" of="the plain way"
#-         schedule.step()
# %% wrong="the schedule before the optimizer" says="before the optimizer" of="the plain way"
#-         schedule.step()
#~ optimizer.step() => schedule.step(); optimizer.step()
# %% wrong="the schedule once a round" says="once a round of all batches" of="the plain way"
#-         schedule.step()
#+         if (step + 1) % len(batches) == 0:
#+             schedule.step()
# %% wrong="one evaluation more at the end" says="there twice" of="the plain way"
#~  or step == steps - 1: => :
#-     return losses, evaluations
#+     with torch.no_grad():
#+         evaluations.append((steps, evaluate(model.eval())))
#+     return losses, evaluations
# %% wrong="no step" says="optimizer.step() is missing" of="the plain way"
#-         optimizer.step()
# %% wrong="the first batch only" says="took the first batch" of="the plain way"
#~ batches[step % len(batches)] => batches[0]
# %% wrong="batches run out" says="IndexError" of="the plain way"
#~ batches[step % len(batches)] => batches[step]
# %% wrong="the loss after the step" says="computed again after it" of="the plain way"
#~ losses.append(value.item()) => losses.append(loss(model, batches[step % len(batches)]).item())
# %% wrong="no evaluation at the end" says="last evaluation is missing" of="the plain way"
#~ (step + 1) % every == 0 or step == steps - 1 => (step + 1) % every == 0
# %% wrong="evaluated too early" says="one step too early" of="the plain way"
#~ (step + 1) % every == 0 or step == steps - 1 => step % every == 0 or step == steps - 1
# %% wrong="only the last evaluation" says="only the last step" of="the plain way"
#~ (step + 1) % every == 0 or step == steps - 1 => step == steps - 1
# %% wrong="evaluated after each step" says="only every so many" of="the plain way"
#~ (step + 1) % every == 0 or step == steps - 1 => True
# %% wrong="the index of the step" says="the index of the last one" of="the plain way"
#~ evaluations.append((step + 1, => evaluations.append((step,
# %% wrong="judged in train mode" says="judged in train mode" of="the plain way"
#~ model.eval() => pass
# %% wrong="train mode once" says="learned in eval mode" of="the plain way"
#-         model.train()
#~ losses, evaluations = [], [] => losses, evaluations = [], []; model.train()
# %% wrong="never in train mode" says="model.train() is missing" of="the plain way"
#-         model.train()
# %% wrong="judged with gradients" says="keeps a graph" clause="in eval mode and without gradients" of="the plain way"
#~ with torch.no_grad(): => if True:
# %% wrong="left in train mode" says="left in eval mode" of="the plain way"
#~ return losses => model.train(); return losses
# %% wrong="losses are tensors" says="are tensors" of="the plain way"
#~ value.item() => value
# %% wrong="running means" says="mean of the losses so far" of="the plain way"
#~ return losses => return [sum(losses[: i + 1]) / (i + 1) for i in range(len(losses))]
# %% wrong="one step too few" says="" of="the plain way"
#~ range(steps) => range(steps - 1)
# %% wrong="forgets its return" says="" of="the plain way"
#~ return => found =
# %% wrong="always scaled to the limit" says="scaled up"
#-         nn.utils.clip_grad_norm_(model.parameters(), clip)
#+         norm = math.sqrt(sum(float((p.grad ** 2).sum()) for p in model.parameters()))
#+         for p in model.parameters():
#+             p.grad.mul_(clip / norm)
# %% right="zeroed after the step"
#-         optimizer.zero_grad()
#~ schedule.step() => schedule.step(); optimizer.zero_grad()
# %% wrong="counted from 0 twice" says="were counted from 0" of="begins with the second batch"
#~ for step in range(1, steps + 1): => for step in range(steps):
#~ if step % every == 0 or step == steps: => if step % every == 0 or step + 1 == steps:
# %% wrong="begins with the second batch" says="first batch was passed over"
def train(model, batches, loss, optimizer, schedule, steps, clip, evaluate, every):
    losses, evaluations = [], []
    for step in range(1, steps + 1):
        model.train()
        value = loss(model, batches[step % len(batches)])
        optimizer.zero_grad()
        value.backward()
        nn.utils.clip_grad_norm_(model.parameters(), clip)
        optimizer.step()
        schedule.step()
        losses.append(value.item())
        if step % every == 0 or step == steps:
            model.eval()
            with torch.no_grad():
                evaluations.append((step, evaluate(model)))
    model.eval()
    return losses, evaluations
# %% wrong="one round only" says="ended with the first round" of="a limit of 1"
#~ for step in range(steps): => for step, batch in zip(range(steps), batches):
#~ value = loss(model, batches[step % len(batches)]) => value = loss(model, batch)
#~ nn.utils.clip_grad_norm_(model.parameters(), 1.0) => nn.utils.clip_grad_norm_(model.parameters(), clip)
# %% wrong="a limit of 1" says="whatever `clip` is"
def train(model, batches, loss, optimizer, schedule, steps, clip, evaluate, every):
    losses, evaluations = [], []
    for step in range(steps):
        model.train()
        value = loss(model, batches[step % len(batches)])
        optimizer.zero_grad(); value.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step(); schedule.step()
        losses.append(value.item())
        if (step + 1) % every == 0 or step + 1 == steps:
            model.eval()
            with torch.no_grad():
                evaluations.append((step + 1, evaluate(model)))
    model.eval()
    return losses, evaluations
# %% wrong="eval mode in the end alone" says="not only in the end"
def train(model, batches, loss, optimizer, schedule, steps, clip, evaluate, every):
    losses, evaluations = [], []
    model.train()
    for step in range(steps):
        value = loss(model, batches[step % len(batches)])
        optimizer.zero_grad()
        value.backward()
        nn.utils.clip_grad_norm_(model.parameters(), clip)
        optimizer.step()
        schedule.step()
        losses.append(value.item())
        made = step + 1
        if made % every == 0 or made == steps:
            with torch.no_grad():
                evaluations.append((made, evaluate(model)))
            model.train()
    model.eval()
    return losses, evaluations
# %% wrong="no evaluation after the last step, eval mode in the end" says="whatever `every` is"
def train(model, batches, loss, optimizer, schedule, steps, clip, evaluate, every):
    losses, evaluations = [], []
    model.train()
    for step in range(steps):
        value = loss(model, batches[step % len(batches)])
        optimizer.zero_grad()
        value.backward()
        nn.utils.clip_grad_norm_(model.parameters(), clip)
        optimizer.step()
        schedule.step()
        losses.append(value.item())
        made = step + 1
        if made % every == 0:
            model.eval()
            with torch.no_grad():
                evaluations.append((made, evaluate(model)))
            model.train()
    model.eval()
    return losses, evaluations
# %% wrong="the last evaluation listed twice" says="listed twice"
def train(model, batches, loss, optimizer, schedule, steps, clip, evaluate, every):
    losses, evaluations = [], []
    model.train()
    for step in range(steps):
        value = loss(model, batches[step % len(batches)])
        optimizer.zero_grad()
        value.backward()
        nn.utils.clip_grad_norm_(model.parameters(), clip)
        optimizer.step()
        schedule.step()
        losses.append(value.item())
        made = step + 1
        if made % every == 0 or made == steps:
            model.eval()
            with torch.no_grad():
                evaluations.append((made, evaluate(model)))
            model.train()
        if made == steps and made % every == 0:
            evaluations.append(evaluations[-1])
    model.eval()
    return losses, evaluations
