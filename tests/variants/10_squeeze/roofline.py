# %% wrong="multiplications only" says="likely    an addition is an operation"
#~ 2 * rows * inner * columns => rows * inner * columns
# %% wrong="weights only" says="both are read"
#~ (rows * inner + inner * columns + rows * columns) => (inner * columns)
# %% wrong="result not written" says="likely    the product is written"
#~  + rows * columns) => )
# %% wrong="size forgotten" says="was not used"
#~ size * ( => 4 * (
# %% wrong="the larger limit" says="slower limit counts"
#~ min(peak, operations / moved * bandwidth) => max(peak, operations / moved * bandwidth)
# %% wrong="bytes an operation" says="not bytes an operation"
#~ operations / moved * bandwidth => moved / operations * bandwidth
# %% wrong="both added" says="at the same time"
#~ max(2 * parameters * tokens / peak, parameters * bits / 8 / bandwidth) => 2 * parameters * tokens / peak + parameters * bits / 8 / bandwidth
# %% wrong="bits as bytes" says="eight to a byte"
#~ bits / 8 / bandwidth => bits / bandwidth
# %% wrong="fetched for each token" says="once in a pass"
#~ parameters * bits / 8 / bandwidth => tokens * parameters * bits / 8 / bandwidth
# %% wrong="one operation" says="two operations for each"
#~ 2 * parameters * tokens => parameters * tokens
# %% wrong="whole bytes" says="may be a fraction"
#~ bits / 8 => (bits // 8)
# %% wrong="one addition less" says="one addition less"
#~ 2 * rows * inner * columns => rows * columns * (2 * inner - 1)
# %% wrong="read for each result" says="not again for each result"
#~ (rows * inner + inner * columns + rows * columns) => (2 * rows * inner * columns + rows * columns)
# %% wrong="first factor left out" says="first factor is read"
#~ (rows * inner + inner => (inner
# %% wrong="intensity left out" says="the bandwidth alone"
#~ operations / moved * bandwidth => bandwidth
# %% wrong="no roof" says="roof is missing"
#~ min(peak, operations / moved * bandwidth) => operations / moved * bandwidth
# %% wrong="seconds" says="not seconds"
#~ min(peak, operations / moved * bandwidth) => max(operations / peak, moved / bandwidth)
# %% wrong="one token" says="`tokens` was not used"
#~ 2 * parameters * tokens => 2 * parameters
# %% wrong="limits exchanged" says="peak and bandwidth are exchanged"
#~ tokens / peak => tokens / bandwidth
#~ bits / 8 / bandwidth => bits / 8 / peak
# %% right="by seconds"
def attainable(operations, moved, peak, bandwidth):
    return operations / max(operations / peak, moved / bandwidth) if operations else 0.0
def pass_seconds(parameters, tokens, bits, peak, bandwidth):
    operations, moved = 2 * parameters * tokens, parameters * bits / 8
    return operations / attainable(operations, moved, peak, bandwidth)
# %% right="numpy"
def matmul_cost(rows, inner, columns, size=4):
    shapes = [(rows, inner), (inner, columns), (rows, columns)]
    return int(np.prod([2, rows, inner, columns])), float(sum(size * np.prod(s) for s in shapes))
def pass_seconds(parameters, tokens, bits, peak, bandwidth):
    return float(np.maximum(2 * parameters * tokens / peak, parameters * (bits / 8) / bandwidth))
# %% wrong="whole bytes" says="may be a fraction"
#~ parameters * bits / 8 => parameters * bits // 8
# %% wrong="fetched in parts" says="however many tokens"
#~ bits / 8 / bandwidth => bits / 8 / bandwidth / tokens
# %% wrong="one factor twice" says="counts twice"
#~ inner * columns + rows => rows * inner + rows
# %% wrong="two at once" says="two mistakes"
#~ 2 * rows * inner * columns => rows * inner * columns
#~  + rows * columns) => )
# %% wrong="two at once, of the pass" says="two mistakes"
#~ max(2 * parameters * tokens / peak, parameters * bits / 8 / bandwidth) => 2 * parameters * tokens / peak + parameters * bits / bandwidth
# %% wrong="a number takes whole bytes" says="rounded up to whole bytes"
#~ size * (rows => math.ceil(size) * (rows
