# %% right="a while loop, its own copy of the state"
def run(model, optimizer, draw, loss_sum, count, steps, rate, clip, path, every):
    data = torch.Generator()
    data.manual_seed(0)
    t = restore(torch.load(path, weights_only=True), model, optimizer, data) if path.exists() else 0
    losses, skipped = [], 0
    while t < steps:
        eta = rate(t)
        for group in optimizer.param_groups:
            group["lr"] = eta
        pieces = draw(data)
        losses.append(accumulate(model, pieces, loss_sum, count))
        norm = clip_gradients(list(model.parameters()), clip)
        if norm == norm and norm != float("inf"):
            optimizer.step()
        else:
            skipped = skipped + 1
        t = t + 1
        if t % every == 0:
            write_safely(snapshot(model, optimizer, data, t), path)
    return losses, skipped
# %% right="everything by the library"
def run(model, optimizer, draw, loss_sum, count, steps, rate, clip, path, every):
    g = torch.Generator().manual_seed(0)
    done = 0
    if path.exists():
        state = torch.load(path, weights_only=True)
        model.load_state_dict(state["m"]); optimizer.load_state_dict(state["o"]); g.set_state(state["g"]); done = state["step"]
        torch.set_rng_state(state["t"])
    losses, bad = [], 0
    for t in range(done, steps):
        for group in optimizer.param_groups:
            group["lr"] = rate(t)
        optimizer.zero_grad()
        pieces = draw(g)
        n = sum(count(p) for p in pieces)
        value = 0.0
        for p in pieces:
            part = loss_sum(model, p) / n
            part.backward()
            value += part.item()
        norm = nn.utils.clip_grad_norm_(model.parameters(), clip)
        losses.append(value)
        if torch.isfinite(norm):
            optimizer.step()
        else:
            bad += 1
        if (t + 1) % every == 0:
            torch.save({"m": model.state_dict(), "o": optimizer.state_dict(), "g": g.get_state(), "t": torch.get_rng_state(), "step": t + 1}, path)
    return losses, bad
# %% right="a tuple of counters"
#~ first, losses, skipped = 0, [], 0 => first, losses, skipped = 0, list(), int()
#~ skipped += 1 => skipped = 1 + skipped
# %% wrong="begins anew" says="began anew"
#~ if path.exists(): => if False:
# %% wrong="from step 0" says="counts from step 0"
#~ for step in range(first, steps): => for step in range(steps):
# %% wrong="no rate" says="rate was never set"
#~ group["lr"] = rate(step) => rate(step)
# %% wrong="rate of the next step" says="step after"
#~ rate(step) => rate(step + 1)
# %% wrong="the first group alone" says="first group alone"
#~ in optimizer.param_groups: => in optimizer.param_groups[:1]:
# %% wrong="not clipped" says="nothing was clipped"
#~ math.isfinite(clip_gradients(model.parameters(), clip)) => math.isfinite(clip_gradients(model.parameters(), math.inf))
# %% wrong="infinite steps are taken" says="moves nothing"
#~ if math.isfinite(clip_gradients(model.parameters(), clip)): => if clip_gradients(model.parameters(), clip) is not None:
# %% wrong="not counted" says="not counted"
#~ skipped += 1 => pass
# %% wrong="no checkpoint" says="no checkpoint was written"
#~ if (step + 1) % every == 0: => if False:
# %% wrong="step for step + 1" says="one too small"
#~ snapshot(model, optimizer, generator, step + 1) => snapshot(model, optimizer, generator, step)
# %% wrong="another seed" says="another seed"
#~ manual_seed(0) => manual_seed(1)
# %% wrong="place in the data lost" says="place in the data"
#~ restore(torch.load(path, weights_only=True), model, optimizer, generator) => restore(torch.load(path, weights_only=True), model, optimizer, torch.Generator())
# %% wrong="optimiser's state lost" says="optimiser's state was lost"
#~ restore(torch.load(path, weights_only=True), model, optimizer, generator) => restore(torch.load(path, weights_only=True), model, torch.optim.SGD([{"params": group["params"]} for group in optimizer.param_groups], lr=1.0, momentum=0.5), generator)
# %% wrong="no loss of a skipped step" says="list all the same"
#~ skipped += 1 => skipped += 1; losses.pop()
# %% wrong="one step less" says="last step was not taken"
#~ range(first, steps) => range(first, steps - 1)
# %% wrong="the rate of step 0" says="rate of step 0"
#~ rate(step) => rate(0)
# %% wrong="snapshots one step late" says="one step late"
#~ (step + 1) % every => step % every
# %% wrong="one snapshot at the end" says="written at the end"
#~ if (step + 1) % every == 0 => if step + 1 == steps
# %% wrong="pieces one by one" says="batch of its own"
#~ losses.append(accumulate(model, draw(generator), loss_sum, count)) => losses.append([accumulate(model, [piece], loss_sum, count) for piece in draw(generator)][-1])
# %% wrong="every, from where it went on" says="from where it went on" clause="taken since the beginning of the whole run is a multiple of `every`"
#~ (step + 1) % every => (step + 1 - first) % every
# %% wrong="training mode" says="put into training mode"
#~ first, losses, skipped = 0, [], 0 => model.train(); first, losses, skipped = 0, [], 0
# %% wrong="nan is taken" says="nan is not finite" clause="a norm that is not finite moves nothing"
#~ if math.isfinite(clip_gradients(model.parameters(), clip)): => if clip_gradients(model.parameters(), clip) != math.inf:
# %% wrong="infinity is taken" says="infinity is not finite" clause="a norm that is not finite moves nothing"
#~ if math.isfinite(clip_gradients(model.parameters(), clip)): => if not math.isnan(clip_gradients(model.parameters(), clip)):
# %% wrong="a finished run goes on" says="already"
#~ range(first, steps) => range(min(first, steps - 1), steps)
# %% wrong="taken and counted as skipped" says="taken all the same"
#~ skipped += 1 => skipped += 1; optimizer.step()
# %% wrong="the rate behind the step" says="so set it before"
#-         for group in optimizer.param_groups:
#-             group["lr"] = rate(step)
#-         losses.append(accumulate(model, draw(generator), loss_sum, count))
#+         losses.append(accumulate(model, draw(generator), loss_sum, count))
#-             write_safely(snapshot(model, optimizer, generator, step + 1), path)
#+             write_safely(snapshot(model, optimizer, generator, step + 1), path)
#+         for group in optimizer.param_groups:
#+             group["lr"] = rate(step)
# %% wrong="no snapshot after a skipped step" says="no snapshot" clause="It counts as a step all the same"
#~ skipped += 1 => skipped += 1; continue
# %% wrong="the loss decides" says="norm of the gradient decides" clause="a norm that is not finite moves nothing"
#-         if math.isfinite(clip_gradients(model.parameters(), clip)):
#+         clip_gradients(model.parameters(), clip)
#+         if math.isfinite(losses[-1]):
# %% wrong="dropout begins anew" says="from which dropout draws" clause="if a file is there, the run goes on from it"
#-     for step in range(first, steps):
#+     torch.manual_seed(0)
#+     for step in range(first, steps):
