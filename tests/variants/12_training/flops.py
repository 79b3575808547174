# %% right="product by product"
def operations_per_token(layers, width, vocabulary, length):
    matrices = layers * (4 * width * width + 2 * 4 * width * width) + vocabulary * width
    return 6 * matrices + layers * 2 * 6 * length * width
def utilisation(tokens, seconds, operations, peak):
    return (operations * tokens / peak) / seconds
# %% right="factored"
def operations_per_token(layers, width, vocabulary, length):
    return 6 * width * (vocabulary + 2 * layers * (6 * width + length))
def utilisation(tokens, seconds, operations, peak):
    reached = tokens / seconds * operations
    return reached / peak
# %% right="forwards, then three times"
def operations_per_token(layers, width, vocabulary, length):
    forwards = 0
    for _ in range(layers):
        forwards += 2 * 12 * width**2 + 4 * length * width
    return 3 * (forwards + 2 * vocabulary * width)
# %% right="layer by layer, the seconds of a token"
def operations_per_token(layers, width, vocabulary, length):
    return sum(72 * width**2 + 12 * length * width for _ in range(layers)) + 6 * vocabulary * width
def utilisation(tokens, seconds, operations, peak):
    return operations / (peak * (seconds / tokens))
# %% wrong="forwards alone" says="only the forward pass"
#~ 6 * (12 => 2 * (12
#~ + 12 * layers * length * width => + 4 * layers * length * width
# %% wrong="2 for each weight" says="2 for each weight"
#~ 6 * (12 => 2 * (12
# %% wrong="4 for each weight" says="backward pass alone"
#~ 6 * (12 => 4 * (12
# %% wrong="no attention" says="attention's own work"
#~ + 12 * layers * length * width => + 0
# %% wrong="no output matrix" says="output matrix"
#~ + vocabulary * width) => )
# %% wrong="the table, too" says="looking up costs nothing"
#~ + vocabulary * width) => + 2 * vocabulary * width)
# %% wrong="one layer" says="number of layers"
#~ (12 * layers * width**2 => (12 * width**2
# %% wrong="no feed-forward network" says="feed-forward network is missing"
#~ (12 * layers * width**2 => (4 * layers * width**2
# %% wrong="no projections" says="projections are missing"
#~ (12 * layers * width**2 => (8 * layers * width**2
# %% wrong="T squared" says="not T^2"
#~ layers * length * width => layers * length**2 * width
# %% wrong="attention times 6" says="multiplied by 6"
#~ + 12 * layers * length * width => + 72 * layers * length * width
# %% wrong="width not squared" says="width is squared"
#~ width**2 => width
# %% wrong="of all tokens" says="of all T tokens"
#~ return 6 * => return length * 6 *
#~ + 12 * layers * length * width => + 12 * layers * length**2 * width
# %% wrong="upside down" says="upside down"
#~ tokens * operations / seconds / peak => peak * seconds / (tokens * operations)
# %% wrong="times seconds" says="seconds were multiplied"
#~ operations / seconds / peak => operations * seconds / peak
# %% wrong="no seconds" says="seconds are missing"
#~ operations / seconds / peak => operations / peak
# %% wrong="no tokens" says="tokens are missing"
#~ tokens * operations / seconds => operations / seconds
# %% wrong="no peak" says="peak is missing"
#~ / seconds / peak => / seconds
# %% wrong="percent" says="percentage"
#~ tokens * operations / seconds / peak => 100 * tokens * operations / seconds / peak
# %% wrong="no operations" says="operations of a token are missing"
#~ tokens * operations / seconds => tokens / seconds
# %% wrong="half of attention" says="attention's work was halved"
#~ 12 * layers * length * width => 6 * layers * length * width
# %% wrong="the output matrix in each layer" says="counted in each layer"
#~ + vocabulary * width => + layers * vocabulary * width
# %% wrong="whole tokens a second" says="rounded to a whole number"
#~ tokens * operations / seconds / peak => tokens // seconds * operations / peak
# %% wrong="never above 1" says="cut off"
#~ return tokens * operations / seconds / peak => return min(1.0, tokens * operations / seconds / peak)
# %% wrong="attention with C squared" says="not with C^2"
#~ 12 * layers * length * width => 12 * layers * length * width**2
# %% wrong="6 times the blocks alone" says="a bracket is missing"
#~ 6 * (12 * layers * width**2 + vocabulary * width) => 6 * 12 * layers * width**2 + vocabulary * width
