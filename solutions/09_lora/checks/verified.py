from helpers.checks import graded


@graded("verified", points=7)
def score(check):
    import torch

    ### BEGIN MISTAKES
    from helpers.chapters.lora import own_attempts
    from helpers.chapters.lora.sorting import token_logprobs as logps_of

    def of_groups(rewards):
        return (rewards - rewards.mean(1, keepdim=True)) / (rewards.std(1, keepdim=True) + 1e-4)

    def odd(
        policy, reference, prompts, write, reward, loss, optimizer, group, uses, *, repeated="rows", groups="rows",
        old="before", ref="reference", zero="first", again=False, steps=None, mask="written", up=1, noted="mean",
        anew=0, item=True, first=False, skip=0, over="prompts", advantage=True, digits=None, swapped=False, one=False,
    ):
        """The loop with one part exchanged."""
        earned, batches, value = [], list(prompts), torch.zeros(())
        for batch in batches[skip:]:
            batch = batches[0] if first else batch
            asked = batch.repeat(group, 1) if repeated == "blocks" else batch.repeat_interleave(group, dim=0)
            tries = 1 if not again else uses
            for _ in range(tries):
                ids, written = write(policy, asked)
                rewards = reward(ids)
                shaped = rewards.view(1, -1) if groups == "all" else rewards.view(-1, group)
                if groups == "columns":
                    shaped = rewards.view(group, -1)
                given = of_groups(shaped).flatten() if advantage else rewards
                if groups == "across":
                    given = of_groups(rewards.view(group, -1).T).T.flatten()
                if groups == "turned":
                    given = of_groups(rewards.view(group, -1).T).flatten()
                with torch.no_grad():
                    before, its = logps_of(policy, ids), logps_of(reference, ids)
                before = logps_of(policy, ids) if old == "alive" else before
                its = {"reference": its, "policy": before}[ref]
                if mask == "all":
                    written = torch.ones_like(written)
                if mask == "prompt":
                    written = ~written
                if zero == "batch":
                    optimizer.zero_grad()
                for use in range((uses if steps is None else steps) // tries):
                    if use < anew or (use and anew):
                        ids, written = write(policy, asked)
                    if zero == "first":
                        optimizer.zero_grad()
                    now = logps_of(policy, ids)
                    its = now.detach() if ref == "now" else its
                    kept = now.detach() if old == "now" else before
                    kept, other = (its, kept) if swapped else (kept, its)
                    value = loss(now, kept, other, given, written)
                    (up * value).backward()
                    if zero == "between":
                        optimizer.zero_grad()
                    if over == "prompts":
                        optimizer.step()
                if over == "batch":
                    optimizer.step()
            if noted == "later":
                rewards = reward(write(policy, asked)[0])
            found = {"mean": rewards.mean(), "sum": rewards.sum(), "loss": value, "best": rewards.max(),
                     "last": rewards[-1], "advantage": given.mean()}["mean" if noted == "later" else noted]
            number = found.item() if item else found.detach()
            earned.append(number if digits is None else round(number, digits))
        return [sum(earned) / len(earned)] if one else earned

    def ran(**changed):
        return lambda *run: own_attempts.tried(lambda *a: odd(*a, **changed), *run)

    check.mistakes({
        "the prompts were repeated as a block: the answers of a group are side by side (repeat_interleave)":
            ran(repeated="blocks"),
        "the advantages are of the whole batch: each prompt's answers are a group of their own": ran(groups="all"),
        "the groups have the wrong shape: (prompts, group)": ran(groups="columns"),
        "the answers of a group were looked for one in each stretch of rows: they are side by side":
            ran(groups="across"),
        "the rewards were put into groups column by column: view(-1, group) goes row by row": ran(groups="turned"),
        "old_logps and ref_logps are exchanged in the call of `loss`": ran(swapped=True),
        "the mean of the advantages came, which is 0: that of the rewards is asked": ran(noted="advantage"),
        "one mean of all batches came: one for each is asked": ran(one=True),
        "the rewards were handed to the loss: it takes the advantages within each group": ran(advantage=False),
        "old log-probabilities were computed anew in each step: they are those of the policy that wrote the answers":
            ran(old="now"),
        "the old log-probabilities carry a gradient, which takes that of the policy away: no_grad, or detach":
            ran(old="alive"),
        "the leash is to the policy that wrote the answers: ref_logps are the reference's": ran(ref="policy"),
        "the leash is to the policy itself: ref_logps are the reference's": ran(ref="now"),
        "gradients from before are still there: backward() adds, so clear them before each step": ran(zero="never"),
        "the gradients were cleared once for a batch: clear them before each of its steps": ran(zero="batch"),
        "the gradients were cleared between backward() and the step: they are lost": ran(zero="between"),
        "new attempts were written for each step: a batch of attempts serves for `uses` steps": ran(again=True),
        "new answers were written for each step, and judged as the first ones were: a batch serves for `uses` steps":
            ran(anew=-1),
        "answers were written once more before the first step: what was judged is what the policy learns from":
            ran(anew=1),
        "one step was made for each batch: `uses` are asked for": ran(steps=1),
        "one step too many was made for each batch":
            lambda *run: own_attempts.tried(lambda *a: odd(*a, steps=a[-1] + 1), *run),
        "the gradients of all uses were added up for one step: each use is a step": ran(over="batch", zero="batch"),
        "all tokens count here, those of the prompt, too: hand `written` to the loss": ran(mask="all"),
        "the prompt counts, and not the answer": ran(mask="prompt"),
        "the step went up: is the loss negated?": ran(up=-1),
        "the sum of the rewards came back: their mean is asked for": ran(noted="sum"),
        "the losses came back: the mean rewards are asked for": ran(noted="loss"),
        "these are rewards of new attempts after the steps: those that the policy learned from are asked for":
            ran(noted="later"),
        "the best reward came back: the mean is asked for": ran(noted="best"),
        "the reward of the last answer came back: the mean of all is asked for": ran(noted="last"),
        "the rewards are tensors: .item() makes floats": ran(item=False),
        "the mean rewards have two digits only: return them in full": ran(digits=2),
        "the mean rewards have one digit only: return them in full": ran(digits=1),
        "every batch was the first: take them in turn": ran(first=True),
        "the first batch was passed over": ran(skip=1),
        "the policy did not move: only the old and the reference's log-probabilities carry no gradient": ran(steps=0),
    }, tried)
    ### END MISTAKES
    flat = torch.zeros(4, 4)
    one = [torch.tensor([[1], [2]])]
    leans = torch.eye(4)[[1, 0, 3, 2]]  # the reference
    check(tried, flat, leans, one, 2, 1, 4.0).equals({
        "rewards": [0.5],
        "table": [[0.0, 0.0, 0.0, 0.0], [-0.0244, 0.2773, -0.2286, -0.0244],
                   [-0.3998, 0.1061, 0.4078, -0.1141], [0.1265, 0.1265, 0.1265, -0.3795]],
        "stands": True, "asked": [[[1], [1], [2], [2]]], "moved": [], "kind": "float"},
        about="one batch, one step", rtol=1e-3, atol=1e-4)
    check(tried, flat, flat, one, 2, 2, 4.0).equals({
        "rewards": [0.5],
        "table": [[0.0, 0.0, 0.0, 0.0], [-0.0976, 0.2259, -0.0307, -0.0976],
                   [-0.3968, 0.2272, 0.5663, -0.3968], [0.1564, 0.1564, 0.1564, -0.4693]],
        "stands": True, "asked": [[[1], [1], [2], [2]]], "moved": [], "kind": "float"},
        about="one batch, two steps", rtol=1e-3, atol=1e-4)
    own = torch.tensor([[-0.1, 0.4, -0.8, 0.1], [0.7, -0.3, 1.6, -1.6], [-0.1, -0.3, 0.2, -0.2], [0.9, 0.2, 0.6, 0.4]])
    other = torch.tensor([[0.3, 0.9, -0.5, -1.7], [1.0, 0.5, -0.2, 0.1], [0.6, 2.3, 1.9, -1.2], [1.0, 0.5, 2.4, -0.1]])
    two = [torch.tensor([[1, 3], [0, 2]]), torch.tensor([[2, 2], [3, 1]])]
    check(tried, own, other, two, 3, 2, 4.0).equals({
        "rewards": [0.625, 0.625],
        "table": [[-0.2323, 0.7596, -0.8668, -0.0605], [1.0585, 0.5963, 0.3973, -1.6521],
                   [-0.4328, 1.465, 0.621, -2.0533], [1.4427, -0.3689, 1.1191, -0.0929]],
        "stands": True, "moved": [True], "kind": "float",
        "asked": [[[1, 3], [1, 3], [1, 3], [0, 2], [0, 2], [0, 2]], [[2, 2], [2, 2], [2, 2], [3, 1], [3, 1], [3, 1]]]},
        about="two batches, groups of three", rtol=1e-3, atol=1e-4)
    ### BEGIN HIDDEN TESTS
    check.hidden()
    draw = torch.Generator().manual_seed(int(check.rng.integers(2**31)))

    def tables():
        return torch.randn(4, 4, generator=draw), torch.randn(4, 4, generator=draw)

    def slope(table, reference, before, ids, written, advantages):
        """The gradient of own_attempts.loss in the table, by hand, token by token."""
        grad, count = torch.zeros_like(table), int(written.sum())
        p, q, r = (t.log_softmax(1) for t in (table, before, reference))
        for row, counts, advantage in zip(ids.tolist(), written.tolist(), advantages.tolist(), strict=True):
            for last, token, wanted in zip(row, row[1:], counts[1:], strict=False):
                if not wanted:
                    continue
                ratio = float((p[last, token] - q[last, token]).exp())
                pull = float(p[last, token] - r[last, token]) / 2
                if ratio <= 1.2:
                    pull -= ratio * advantage
                grad[last] -= pull * p[last].exp() / count
                grad[last, token] += pull / count
        return grad

    def right(logits, reference, prompts, group, uses, lr):
        write, table, earned, moved = own_attempts.Writer(), logits.double(), [], []
        policy = own_attempts.Bigrams(table)
        for batch in prompts:
            ids, written = write(policy, torch.stack([row for row in batch for _ in range(group)]))
            rewards, before = own_attempts.reward(ids).double(), table.clone()
            advantages = []
            for start in range(0, len(rewards), group):
                part = rewards[start : start + group]
                advantages.append((part - part.mean()) / (part.std() + 1e-4))
            for _ in range(uses):
                table = table - lr * slope(table, reference.double(), before, ids, written, torch.cat(advantages))
            policy = own_attempts.Bigrams(table)
            moved.append(not torch.equal(before, table))
            earned.append(float(rewards.sum() / len(rewards)))
        return {"rewards": earned, "table": table.float(), "stands": True, "asked": write.asked,
                "moved": moved[:-1], "kind": "float"}

    def batches(count, P, n):
        return [torch.randint(4, (P, n), generator=draw) for _ in range(count)]

    for count, P, n, group, uses, lr in [(3, 2, 2, 3, 2, 2.0), (2, 3, 1, 4, 3, 3.0), (4, 2, 3, 2, 2, 1.5)]:
        case = *tables(), batches(count, P, n), group, uses, lr
        check(tried, *case).equals(right(*case), about="fresh tables and prompts", rtol=1e-3, atol=1e-4, weight=2)
    for count, P, n, group, uses, about in [
        (1, 1, 1, 2, 1, "one prompt, one step"), (2, 1, 2, 5, 1, "one prompt, one step"),
        (2, 12, 2, 4, 2, "many prompts"), (1, 2, 2, 3, 6, "many uses of a batch"), (0, 2, 2, 2, 2, "no batch"),
    ]:
        case = *tables(), batches(count, P, n), group, uses, 2.0
        wanted = right(*case) if count else {
            "rewards": [], "table": case[0], "stands": True, "asked": [], "moved": [], "kind": ""}
        check(tried, *case).equals(wanted, about=about, edge=True, rtol=1e-3, atol=1e-4)
    case = *tables(), batches(2, 2, 2), 3, 2, 2.0, True
    check(tried, *case).equals(
        right(*case[:-1]), about="prompts from an iterator", edge=True, rtol=1e-3, atol=1e-4,
        near={"prompts may be an iterator, which has no length and no places: go through it once": TypeError})
    ### END HIDDEN TESTS


score
