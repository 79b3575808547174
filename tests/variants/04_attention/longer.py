# %% base="the formulas"
def interpolated_angles(positions, width, factor, base=10_000.0):
    i = torch.arange(0, width, 2)
    return positions[:, None] / factor * base ** (-i / width)
def larger_base_angles(positions, width, factor, base=10_000.0):
    i = torch.arange(0, width, 2)
    longer = base * factor ** (width / (width - 2))
    return positions[:, None] * longer ** (-i / width)
def angles_by_parts(positions, width, factor, trained, low=1.0, high=32.0, base=10_000.0):
    rates = base ** (-torch.arange(0, width, 2) / width)
    turns = trained * rates / (2 * math.pi)
    kept = ((turns - low) / (high - low)).clamp(0, 1)
    return positions[:, None] * (kept * rates + (1 - kept) * rates / factor)
# %% right="the formulas again" of="the formulas"
#~ positions[:, None] / factor * base => positions[:, None] * (1 / factor) * base
#~ base * factor => factor
#~ return positions[:, None] * longer ** => return positions[:, None] * (base * longer) **
#~ kept * rates + (1 - kept) * rates / factor => torch.lerp(rates / factor, rates, kept)
# %% right="a loop over pairs"
def angles_by_parts(positions, width, factor, trained, low=1.0, high=32.0, base=10_000.0):
    columns = []
    for i in range(width // 2):
        rate = base ** (-2 * i / width)
        turns = trained * rate / (2 * math.pi)
        kept = min(1.0, max(0.0, (turns - low) / (high - low)))
        columns.append(positions * (kept * rate + (1 - kept) * rate / factor))
    return torch.stack(columns, dim=1)
# %% right="by wave lengths"
def angles_by_parts(positions, width, factor, trained, low=1.0, high=32.0, base=10_000.0):
    rates = base ** (-torch.arange(0, width, 2) / width)
    waves = 2 * math.pi / rates
    mixed = (trained / waves - low) / (high - low)
    new = (1 - mixed) * rates / factor + mixed * rates
    new = torch.where(waves > trained / low, rates / factor, torch.where(waves < trained / high, rates, new))
    return torch.outer(positions.to(torch.promote_types(positions.dtype, torch.float32)), new.to(positions.dtype if positions.is_floating_point() else new.dtype))
# %% right="two calls mixed"
def angles_by_parts(positions, width, factor, trained, low=1.0, high=32.0, base=10_000.0):
    whole, divided = rotary_angles(positions, width, base), interpolated_angles(positions, width, factor, base)
    turns = rotary_angles(torch.tensor([float(trained)]), width, base)[0] / math.tau
    kept = torch.clamp((turns - low) / (high - low), min=0, max=1)
    return kept * whole + (1 - kept) * divided
# %% right="rates of the larger base by their ratio"
def larger_base_angles(positions, width, factor, base=10_000.0):
    i = torch.arange(width // 2)
    return rotary_angles(positions, width, base) * factor ** (-2 * i / (width - 2))
# %% right="in 64 bits inside"
def interpolated_angles(positions, width, factor, base=10_000.0):
    out = positions.dtype if positions.is_floating_point() else torch.float32
    return rotary_angles(positions.double() / factor, width, base).to(out)
# %% wrong="positions multiplied" says="they are divided" of="the formulas"
#~ / factor * base => * factor * base
# %% wrong="positions as they are" says="nothing was changed" of="the formulas"
#~ [:, None] / factor * base => [:, None] * base
# %% wrong="positions floored" says="whole numbers" of="the formulas"
#~ [:, None] / factor * base => [:, None] // factor * base
# %% wrong="positions rounded" says="rounded"
def interpolated_angles(positions, width, factor, base=10_000.0):
    return rotary_angles((positions / factor).round(), width, base)
# %% wrong="factor as an integer" says="s was cut to a whole number"
def interpolated_angles(positions, width, factor, base=10_000.0):
    return rotary_angles(positions / int(factor), width, base)
# %% wrong="base in place of positions" says="the base was multiplied by s"
def interpolated_angles(positions, width, factor, base=10_000.0):
    return rotary_angles(positions, width, base * factor)
# %% wrong="the base forgotten in interpolation" says="`base` was ignored"
def interpolated_angles(positions, width, factor, base=10_000.0):
    return rotary_angles(positions / factor, width)
# %% wrong="float64 lost" clause="integers give float32, floats keep their dtype" says="float64 goes in"
def interpolated_angles(positions, width, factor, base=10_000.0):
    return rotary_angles(positions / factor, width, base).float()
# %% wrong="no exponent" says="the exponent d / (d - 2) is missing" of="the formulas"
#~ factor ** (width / (width - 2)) => factor
# %% wrong="the exponent upside down" says="not (d - 2) / d" of="the formulas"
#~ factor ** (width / (width - 2)) => factor ** ((width - 2) / width)
# %% wrong="d - 1" says="not the number of pairs" of="the formulas"
#~ width / (width - 2) => width / (width - 1)
# %% wrong="pairs for width" says="here d is the number of pairs" of="the formulas"
#~ factor ** (width / (width - 2)) => factor ** (width / 2 / max(width / 2 - 2, width / 2 if width == 4 else 0.5))
# %% wrong="a smaller base" says="multiplied, not divided" of="the formulas"
#~ base * factor ** => base / factor **
# %% wrong="the power of all" says="was raised to the power" of="the formulas"
#~ base * factor ** ( => (base * factor) ** (
# %% wrong="the base forgotten" says="`base` was ignored" of="the formulas"
#~ base * factor ** => 10_000.0 * factor **
# %% wrong="interpolation twice" says="this is position interpolation"
def larger_base_angles(positions, width, factor, base=10_000.0):
    return interpolated_angles(positions, width, factor, base)
# %% wrong="both at once" says="the positions were divided, too" of="the formulas"
#~ return positions[:, None] * longer => return positions[:, None] / factor * longer
# %% wrong="shares turned round" says="the shares are reversed" of="the formulas"
#~ kept * rates + (1 - kept) * rates / factor => (1 - kept) * rates + kept * rates / factor
# %% wrong="radians for turns" says="not divided by 2 pi" of="the formulas"
#~ trained * rates / (2 * math.pi) => trained * rates
# %% wrong="half turns" says="a turn is 2 pi" of="the formulas"
#~ / (2 * math.pi) => / math.pi
# %% wrong="the longer text's turns" says="turns of the longer text" of="the formulas"
#~ turns = trained => turns = factor * trained
# %% wrong="not cut at all" says="was not cut to 0" of="the formulas"
#~ ((turns - low) / (high - low)).clamp(0, 1) => (turns - low) / (high - low)
# %% wrong="cut below only" says="at most 1" of="the formulas"
#~ clamp(0, 1) => clamp(min=0)
# %% wrong="cut above only" says="at least 0" of="the formulas"
#~ clamp(0, 1) => clamp(max=1)
# %% wrong="a step at high" says="kept or divided, at high" of="the formulas"
#~ ((turns - low) / (high - low)).clamp(0, 1) => (turns >= high).float()
# %% wrong="a step at low" says="kept or divided, at low" of="the formulas"
#~ ((turns - low) / (high - low)).clamp(0, 1) => (turns > low).float()
# %% wrong="low not subtracted" says="low was not subtracted" of="the formulas"
#~ (turns - low) / => turns /
# %% wrong="divided by high" says="divided by high" of="the formulas"
#~ / (high - low) => / high
# %% wrong="slow ones faster" says="multiplied by s; they are divided" of="the formulas"
#~ rates / factor) => rates * factor)
# %% wrong="all interpolated" says="that is interpolation" of="the formulas"
#~ kept * rates + (1 - kept) * rates / factor => rates / factor
# %% wrong="one rate" says="the second rate is missing" of="the formulas"
#~ kept * rates + (1 - kept) * rates / factor => kept * rates
# %% wrong="no share for the second" says="its share is 1 - gamma" of="the formulas"
#~ (1 - kept) * rates / factor => rates / factor
# %% wrong="mixed below the line" says="mixed as divisors" of="the formulas"
#~ kept * rates + (1 - kept) * rates / factor => rates / (kept + (1 - kept) * factor)
# %% wrong="bounds fixed" says="`low` and `high` were ignored" of="the formulas"
#~ ((turns - low) / (high - low)) => ((turns - 1) / 31)
# %% wrong="base fixed" says="`base` was ignored" of="the formulas"
#~ rates = base ** => rates = 10_000.0 **
# %% wrong="turns of one position" says="multiply by the trained length" of="the formulas"
#~ trained * rates / (2 => rates / (2
# %% wrong="a step halfway" says="kept or divided, halfway" of="the formulas"
#~ ((turns - low) / (high - low)).clamp(0, 1) => (turns > (low + high) / 2).float()
# %% wrong="half the exponent" says="the 2 is missing in the rates" of="the formulas"
#~ base ** (-torch.arange(0, width, 2) / width) => base ** (-torch.arange(width // 2) / width)
# %% wrong="wave lengths for turns" says="the length of a wave" of="the formulas"
#~ trained * rates / (2 * math.pi) => 2 * math.pi / rates / trained
# %% wrong="whole factors in the base" says="s was cut to a whole number" of="the formulas"
#~ base * factor ** => base * int(factor) **
# %% wrong="whole factors by parts" says="s was cut to a whole number" of="the formulas"
#~ (1 - kept) * rates / factor => (1 - kept) * rates / int(factor)
# %% wrong="by parts, the denominator turned round" says="the denominator was reversed"
#~ / (high - low) => / (low - high)
# %% wrong="a smaller base" says="the base was divided by s"
#~ rotary_angles(positions / factor, width, base) => rotary_angles(positions, width, base / factor)
# %% wrong="positions of one's own" says="numbered from 0"
#~ rotary_angles(positions / factor, width, base) => rotary_angles(torch.arange(len(positions)) / factor, width, base)
