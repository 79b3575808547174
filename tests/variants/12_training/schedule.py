# %% right="the smallest of three"
def warmup_stable_decay(step, steps, peak, warmup, decay):
    return peak * min((step + 1) / (warmup + 1), 1.0, (steps - step) / (decay + 1))
# %% right="from both ends"
def warmup_stable_decay(step, steps, peak, warmup, decay):
    left = steps - step
    if left <= decay:
        return left * peak / (decay + 1)
    if step >= warmup:
        return float(peak)
    return peak - peak * (warmup - step) / (warmup + 1)
# %% right="numpy's interpolation"
def warmup_stable_decay(step, steps, peak, warmup, decay):
    return float(np.interp(step, [-1, warmup, steps - decay - 1, steps], [0, peak, peak, 0]))
# %% wrong="no warm-up" says="does not warm up"
#~ peak * (step + 1) / (warmup + 1) => peak
# %% wrong="no decay" says="does not fall"
#~ peak * (steps - step) / (decay + 1) => peak
# %% wrong="first rate 0" says="step + 1 is counted"
#~ (step + 1) / (warmup + 1) => step / (warmup + 1)
# %% wrong="divides by warmup" says="by warmup + 1"
#~ (step + 1) / (warmup + 1) => (step + 1) / warmup
# %% wrong="from 0, by warmup" says="(step + 1) / (warmup + 1)"
#~ (step + 1) / (warmup + 1) => step / warmup
# %% wrong="last rate 0" says="last step has a rate of 0"
#~ (steps - step) / (decay + 1) => (steps - 1 - step) / (decay + 1)
# %% wrong="divides by decay" says="by decay + 1"
#~ (steps - step) / (decay + 1) => (steps - step) / decay
# %% wrong="ends at 0, by decay" says="(steps - step) / (decay + 1)"
#~ (steps - step) / (decay + 1) => (steps - 1 - step) / decay
# %% wrong="decays from the warm-up on" says="stays at the peak until"
#~ step < steps - decay => step < warmup
#~ (steps - step) / (decay + 1) => (steps - step) / (steps - warmup)
# %% wrong="decay counted from its beginning" says="falls, and ends low"
#~ (steps - step) / (decay + 1) => (step - (steps - decay) + 1) / (decay + 1)
# %% wrong="no peak" says="peak is missing"
#-         return peak * (step + 1) / (warmup + 1)
#-     if step < steps - decay:
#-         return peak
#-     return peak * (steps - step) / (decay + 1)
#+         return (step + 1) / (warmup + 1)
#+     return min(1.0, (steps - step) / (decay + 1))
# %% wrong="goes on rising" says="rises after the warm-up"
#~ step < warmup => step < steps - decay
# %% wrong="warm-up and decay exchanged" says="exchanged"
#~ step < warmup => step < decay
#~ (warmup + 1) => (decay + 1)
#~ steps - decay => steps - warmup
#~ (steps - step) / (decay + 1) => (steps - step) / (warmup + 1)
# %% wrong="no upper bound" says="goes above the peak"
def warmup_stable_decay(step, steps, peak, warmup, decay):
    return peak * min((step + 1) / (warmup + 1), (steps - step) / (decay + 1))
# %% wrong="no warm-up is a short one" says="warm-up of 0 steps" clause="0 or more"
def warmup_stable_decay(step, steps, peak, warmup, decay):
    return peak * min(1.0, (step + 1) / (max(warmup, 1) + 1), (steps - step) / (decay + 1))
# %% wrong="no decay is a short one" says="decay of 0 steps" clause="0 or more"
def warmup_stable_decay(step, steps, peak, warmup, decay):
    return peak * min(1.0, (step + 1) / (warmup + 1), (steps - step) / (max(decay, 1) + 1))
# %% wrong="a cosine" says="cosine"
def warmup_stable_decay(step, steps, peak, warmup, decay):
    if step < warmup:
        return peak * (step + 1) / (warmup + 1)
    return peak / 2 * (1 + math.cos(math.pi * (step - warmup) / (steps - warmup)))
# %% wrong="the decay one step late" says="decay begins one step late"
#~ if step < steps - decay => if step <= steps - decay
# %% wrong="the warm-up one step longer" says="ends with step warmup - 1" clause="warmup and decay, 0 or more, are together at most `steps`"
#~ step < warmup => step <= warmup
# %% wrong="a cosine decay" says="the decay is a cosine here"
#~ peak * (steps - step) / (decay + 1) => peak / 2 * (1 + math.cos(math.pi * (step - steps + decay) / decay))
# %% wrong="a cosine decay over one more" says="the decay is a cosine here, over"
#~ peak * (steps - step) / (decay + 1) => peak / 2 * (1 + math.cos(math.pi * (step - steps + decay + 1) / (decay + 1)))
