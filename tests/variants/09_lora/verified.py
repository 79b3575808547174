# %% wrong="a block of prompts" says="are side by side"
#~ batch.repeat_interleave(group, dim=0) => batch.repeat(group, 1)
# %% wrong="one group for all" says="group of their own"
#~ rewards.view(-1, group) => rewards.view(1, -1)
# %% wrong="columns" says="groups have the wrong shape"
#~ rewards.view(-1, group) => rewards.view(group, -1)
# %% wrong="rewards as they are" says="advantages within each group"
#~ group_advantages(rewards.view(-1, group)).flatten() => rewards
# %% wrong="old anew" says="policy that wrote"
#~ loss(token_logprobs(policy, token_ids), old, => loss(token_logprobs(policy, token_ids), token_logprobs(policy, token_ids).detach(),
# %% wrong="leash to the writer" says="are the reference's"
#~ token_logprobs(reference, token_ids) => token_logprobs(policy, token_ids)
# %% wrong="never cleared" says="still there"
#~ optimizer.zero_grad() => pass
# %% wrong="cleared once" says="once for a batch"
#-         for _ in range(uses):
#-             optimizer.zero_grad()
#+         optimizer.zero_grad()
#+         for _ in range(uses):
# %% wrong="cleared too late" says="they are lost"
#~ optimizer.step() => optimizer.zero_grad(); optimizer.step()
# %% wrong="one step" says="one step was made"
#~ range(uses) => range(1)
# %% wrong="one step more" says="one step too many"
#~ range(uses) => range(uses + 1)
# %% wrong="all tokens" says="all tokens count"
#~ old, ref, advantages, written).backward() => old, ref, advantages, torch.ones_like(written)).backward()
# %% wrong="the prompt" says="the prompt counts"
#~ old, ref, advantages, written).backward() => old, ref, advantages, ~written).backward()
# %% wrong="up" says="went up"
#~ old, ref, advantages, written).backward() => old, ref, advantages, written).neg().backward()
# %% wrong="sum of rewards" says="sum of the rewards"
#~ rewards.mean().item() => rewards.sum().item()
# %% wrong="tensors" says="makes floats"
#~ rewards.mean().item() => rewards.mean()
# %% wrong="best reward" says="best reward"
#~ rewards.mean() => rewards.max()
# %% wrong="reward of the last" says="last answer"
#~ rewards.mean() => rewards[-1]
# %% wrong="the loss is noted" says="the losses came"
#-             loss(token_logprobs(policy, token_ids), old, ref, advantages, written).backward()
#+             value = loss(token_logprobs(policy, token_ids), old, ref, advantages, written)
#+             value.backward()
#~ rewards.mean().item() => value.item()
# %% wrong="the first batch is lost" says="passed over"
#~ for batch in prompts: => for batch in list(prompts)[1:]:
# %% wrong="always the first batch" says="every batch was the first"
#-     for batch in prompts:
#+     prompts = list(prompts)
#+     for batch in [prompts[0]] * len(prompts):
# %% wrong="new attempts for each step" says="new attempts were written"
def train_by_trying(policy, reference, prompts, write, reward, loss, optimizer, group, uses):
    earned = []
    for batch in prompts:
        for _ in range(uses):
            token_ids, written = write(policy, batch.repeat_interleave(group, dim=0))
            rewards = reward(token_ids)
            with torch.no_grad():
                old, ref = token_logprobs(policy, token_ids), token_logprobs(reference, token_ids)
            optimizer.zero_grad()
            advantages = group_advantages(rewards.view(-1, group)).flatten()
            loss(token_logprobs(policy, token_ids), old, ref, advantages, written).backward()
            optimizer.step()
        earned.append(rewards.mean().item())
    return earned
# %% wrong="one step for all uses" says="added up for one step"
#-         for _ in range(uses):
#-             optimizer.zero_grad()
#+         optimizer.zero_grad()
#+         for _ in range(uses):
#-             optimizer.step()
#+             pass
#-         earned.append(rewards.mean().item())
#+         optimizer.step()
#+         earned.append(rewards.mean().item())
# %% wrong="the policy without a gradient" says="did not move"
#~ loss(token_logprobs(policy, token_ids), old, => loss((p := token_logprobs(policy, token_ids)).detach() + 0 * p, old,
# %% right="loops, gradients by autograd"
def train_by_trying(policy, reference, prompts, write, reward, loss, optimizer, group, uses):
    means = []
    for batch in prompts:
        asked = torch.stack([row for row in batch for _ in range(group)])
        ids, written = write(policy, asked)
        got = reward(ids)
        means.append(float(got.mean()))
        a = torch.cat([group_advantages(part[None])[0] for part in got.split(group)])
        before = token_logprobs(policy, ids).detach()
        its = token_logprobs(reference, ids).detach()
        for _ in range(uses):
            value = loss(token_logprobs(policy, ids), before, its, a, written)
            weights = [p for p in policy.parameters() if p.requires_grad]
            for p, grad in zip(weights, torch.autograd.grad(value, weights)):
                p.grad = grad
            optimizer.step()
    return means
# %% right="the first use's own numbers as the old ones"
def train_by_trying(policy, reference, prompts, write, reward, loss, optimizer, group, uses):
    means = []
    for batch in prompts:
        ids, written = write(policy, batch[:, None].expand(-1, group, -1).reshape(-1, batch.shape[1]))
        rewards = reward(ids)
        a = group_advantages(rewards.reshape(len(batch), group)).reshape(-1)
        old, ref = None, token_logprobs(reference, ids).detach()
        for _ in range(uses):
            now = token_logprobs(policy, ids)
            old = now.detach() if old is None else old
            optimizer.zero_grad(set_to_none=False)
            loss(now, old, ref, a, written).backward()
            optimizer.step()
        means += [rewards.mean().item()]
    return means
# %% right="policy.zero_grad, np.repeat by index"
def train_by_trying(policy, reference, prompts, write, reward, loss, optimizer, group, uses):
    def step(ids, written, old, ref, a):
        policy.zero_grad()
        loss(token_logprobs(policy, ids), old, ref, a, written).backward()
        optimizer.step()
    earned = []
    for batch in prompts:
        rows = torch.arange(len(batch) * group) // group
        ids, written = write(policy, batch[rows])
        rewards = reward(ids)
        with torch.no_grad():
            old, ref = (token_logprobs(model, ids) for model in (policy, reference))
        a = group_advantages(rewards.unflatten(0, (-1, group))).ravel()
        for _ in range(uses):
            step(ids, written, old, ref, a)
        earned.append(sum(rewards.tolist()) / len(rewards))
    return earned
# %% right="cleared at the end, the reference once and for all without a gradient"
def train_by_trying(policy, reference, prompts, write, reward, loss, optimizer, group, uses):
    earned = []
    optimizer.zero_grad()
    for batch in prompts:
        ids, written = write(policy, torch.repeat_interleave(batch, group, dim=0))
        rewards = reward(ids)
        a = group_advantages(torch.reshape(rewards, (-1, group))).view(-1)
        with torch.inference_mode():
            old = token_logprobs(policy, ids)
            ref = token_logprobs(reference, ids)
        old, ref = old.clone(), ref.clone()
        for _ in range(uses):
            loss(token_logprobs(policy, ids), old, ref, a, written).backward()
            optimizer.step()
            optimizer.zero_grad()
        earned.append(rewards.mean().item())
    return earned
# %% right="a list of all batches first"
def train_by_trying(policy, reference, prompts, write, reward, loss, optimizer, group, uses):
    prompts, earned = list(prompts), []
    for i in range(len(prompts)):
        ids, written = write(policy, prompts[i].repeat_interleave(group, 0))
        rewards = reward(ids)
        a = group_advantages(rewards.view(len(prompts[i]), group)).flatten()
        old, ref = token_logprobs(policy, ids).detach(), token_logprobs(reference, ids).detach()
        for use in range(uses):
            value = loss(token_logprobs(policy, ids), old, ref, a, written)
            optimizer.zero_grad()
            value.backward()
            optimizer.step()
        earned.append(float(rewards.mean()))
    return earned
# %% wrong="new attempts are rewarded" says="new attempts after the steps"
#~ rewards.mean().item() => reward(write(policy, batch.repeat_interleave(group, dim=0))[0]).mean().item()
# %% wrong="groups across" says="one in each stretch of rows"
#~ group_advantages(rewards.view(-1, group)).flatten() => group_advantages(rewards.view(group, -1).T).T.flatten()
# %% wrong="old with its gradient" says="likely    the old log-probabilities carry a gradient"
#~ with torch.no_grad(): => if True:
# %% wrong="answers written anew, judged as the first" says="judged as the first ones were"
#~ for _ in range(uses): => for use in range(uses):
#~ optimizer.zero_grad() => optimizer.zero_grad(); token_ids, written = write(policy, batch.repeat_interleave(group, dim=0)) if use else (token_ids, written)
# %% wrong="means cut to two digits" says="have two digits only"
#~ earned.append(rewards.mean().item()) => earned.append(int(rewards.mean().item() * 100) / 100)
# %% wrong="written once more before each step" says="what was judged"
#~ optimizer.zero_grad() => optimizer.zero_grad(); token_ids, written = write(policy, batch.repeat_interleave(group, dim=0))
# %% wrong="groups by columns, turned" says="row by row"
#~ rewards.view(-1, group) => rewards.view(group, -1).T
# %% wrong="the mean advantage" says="which is 0"
#~ earned.append(rewards.mean().item()) => earned.append(advantages.mean().item())
# %% wrong="one mean" says="one for each"
#~ return earned => return [sum(earned) / len(earned)]
# %% wrong="old and reference exchanged" says="exchanged in the call"
#~ token_ids), old, ref, advantages => token_ids), ref, old, advantages
# %% wrong="a length is asked for" says="go through it once"
#~ for batch in prompts: => for i in range(len(prompts)):
#~ token_ids, written = write(policy, batch => batch = prompts[i]; token_ids, written = write(policy, batch
