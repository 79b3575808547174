# %% wrong="q over p" says="this is q / p"
#~ torch.where(draft > 0, target / draft, 1.0) => torch.where(target > 0, draft / target, 1.0)
# %% wrong="above one" says="at most 1"
#~ .clamp(max=1.0) => .clamp(min=0.0)
# %% wrong="never drafted gets 0" says="where q is 0"
#~ target / draft, 1.0) => target / draft, 0.0)
# %% wrong="residual not divided" says="not divided by its sum"
#~ left / total, target => left, target
# %% wrong="residual of the draft" says="residual of the draft"
#~ (target - draft).clamp => (draft - target).clamp
# %% wrong="nothing left is nan" says="0 is divided by 0"
#~ torch.where(total > 0, left / total, target) => left / total
# %% wrong="one sum for all rows" says="by its own sum"
#~ left.sum(dim=-1, keepdim=True) => left.sum()
# %% wrong="goes on" says="nothing comes after"
def verify(target, draft, drafted, numbers, u):
    out = []
    for i, token in enumerate(drafted):
        keep = numbers[i] < keep_probabilities(target[i], draft[i])[token]
        out.append(token if keep else draw(residual(target[i], draft[i]), u))
    return [*out, draw(target[-1], u)]
# %% wrong="no token of its own" says="one more comes"
#~ return [*drafted, draw(target[-1], u)] => return list(drafted)
# %% wrong="drawn from the target" says="comes from the residual"
#~ draw(residual(target[i], draft[i]), u) => draw(target[i], u)
# %% wrong="last row of the drafts" says="here from the one before it"
#~ draw(target[-1], u) => draw(target[max(len(drafted) - 1, 0)], u)
# %% wrong="equal is kept" says="is not below it"
#~ numbers[i] >= => numbers[i] >
# %% wrong="not a power" says="add powers of a"
#~ sum(rate**i for i in range(drafts + 1)) => (1 + rate * drafts)
# %% wrong="closed form at one" says="divides by 0"
#~ sum(rate**i for i in range(drafts + 1)) => (1 - rate ** (drafts + 1)) / (1 - rate)
# %% wrong="all rows asked together" says="not all of them together"
#~ torch.where(total > 0, left / total, target) => target if total.sum() == 0 else left / total
# %% wrong="one empty row for all" says="made all rows"
#~ torch.where(total > 0, left / total, target) => target if (total == 0).any() else left / total
# %% wrong="zeros where nothing is left" says="not zeros"
#~ torch.where(total > 0, left / total, target) => left / total.clamp(min=1e-12)
# %% wrong="one draft pass" says="first draft pass"
#~ (1 + cost * drafts) => (1 + cost)
# %% wrong="the last power" says="all powers from 0 to K"
#~ sum(rate**i for i in range(drafts + 1)) => (1 + rate**drafts)
# %% wrong="one draft more" says="the pass of the target costs c"
#~ (1 + cost * drafts) => (1 + cost * (drafts + 1))
# %% wrong="the target's probability" says="the keep probability p / q is asked for"
#~ keep_probabilities(target[i], draft[i])[token] => target[i][token]
# %% right="minimum and relu"
def keep_probabilities(target, draft):
    safe = draft + (draft == 0)
    return torch.where(draft == 0, torch.ones_like(target), torch.minimum(target, draft) / safe)
def residual(target, draft):
    left = F.relu(target - draft)
    total = left.sum(-1, keepdim=True)
    return torch.where(total == 0, target, left / total)
# %% right="a loop that appends"
def verify(target, draft, drafted, numbers, u):
    out = []
    for p, q, token, number in zip(target, draft, drafted, numbers):
        if number < min(1.0, float(p[token]) / float(q[token])):
            out.append(int(token))
        else:
            out.append(draw(residual(p, q), u))
            break
    else:
        out.append(draw(target[len(drafted)], u))
    return out
def speed_up(rate, drafts, cost):
    return float(np.polyval([1.0] * (drafts + 1), rate)) / (1 + cost * drafts)
# %% wrong="0 by 0 as it comes" says="0 / 0 is nan" clause="Where the draft's probability is 0, so that it is never drawn, give 1."
#~ torch.where(draft > 0, target / draft, 1.0) => (target / draft)
# %% wrong="one sum for all rows" says="its own sum" clause="Return the distribution (..., V) from which a token is drawn"
#~ left.sum(dim=-1, keepdim=True) => left.sum()
# %% wrong="kept at the limit" says="is not below it" clause="Token i is kept if numbers[i] is below its keep probability."
#~ numbers[i] >= keep => numbers[i] > keep
# %% wrong="the formula of the sum" says="rate 1 divides by 0" clause="With 0 drafts nothing changes, and with rate 1 all K are kept."
#~ sum(rate**i for i in range(drafts + 1)) => (1 - rate ** (drafts + 1)) / (1 - rate)
# %% wrong="the first row behind all" says="from the last row of target"
#~ draw(target[-1], u) => draw(target[0], u)
# %% wrong="the residual of the next row" says="not of the next row of target"
#~ residual(target[i], => residual(target[i + 1],
# %% wrong="signs lost, and a pass of it" says="without their sign"
def residual(target, draft):
    gap = (target - draft).abs()
    return torch.where(gap.sum(-1, keepdim=True) > 0, gap / gap.sum(-1, keepdim=True), target)
# %% wrong="goes on, and one more if all are kept" says="the drafted ones behind it were judged, too"
def verify(target, draft, drafted, numbers, u):
    out = []
    for i, token in enumerate(drafted):
        keep = bool(numbers[i] < keep_probabilities(target[i], draft[i])[token])
        out.append(token if keep else draw(residual(target[i], draft[i]), u))
    return out if out != list(drafted) else [*out, draw(target[-1], u)]
# %% wrong="one more in any case" says="here one more came, from the last row of target" of="goes on, and one more if all are kept"
#-     return out if out != list(drafted) else [*out, draw(target[-1], u)]
#+         if not keep:
#+             break
#+     return [*out, draw(target[-1], u)]
# %% wrong="the drafts behind it as they were" says="the drafted ones behind it came as they were" of="goes on, and one more if all are kept"
#-     return out if out != list(drafted) else [*out, draw(target[-1], u)]
#+         if not keep:
#+             return [*out, *drafted[i + 1 :]]
#+     return [*out, draw(target[-1], u)]
# %% wrong="the likeliest at the end" says="here the likeliest came"
#~ draw(target[-1], u) => int(target[-1].argmax())
# %% wrong="drawn with its number" says="not with the token's number"
#~ draw(residual(target[i], draft[i]), u) => draw(residual(target[i], draft[i]), numbers[i])
# %% wrong="nothing without drafts" says="K may be 0" clause="K may be 0, and then `draft` is (0, V)."
#-     for i, token in enumerate(drafted):
#+     if not drafted:
#+         return []
#+     for i, token in enumerate(drafted):
# %% wrong="no speed without drafts" says="with 0 drafts" clause="With 0 drafts nothing changes"
def speed_up(rate, drafts, cost):
    if drafts == 0:
        return 0.0
    return sum(rate**i for i in range(drafts + 1)) / (1 + cost * drafts)
