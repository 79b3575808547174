from helpers.checks import graded
from helpers.checks.ways import not_taken


@graded("gpt", points=6)
def score(check):
    import torch
    from torch import nn

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the norm at the end is without its weight and bias": {
            1: [[[1.84294, -1.09137, -1.17212], [2.20283, -0.956067, -1.61517], [1.762, -0.29527, -1.58051]]],
        },
        "the norm at the end is without its bias": {
            1: [[[-0.0946942, 0.0307055, 0.0758208], [-0.454859, 0.453722, 0.175972],
              [0.0275481, 0.245992, -0.17875]]],
        },
        "the norm at the end is without its weight": {
            1: [[[0.856439, 0.066014, -0.897016], [1.21633, 0.201313, -1.34007], [0.775499, 0.862109, -1.30541]]],
        },
        "the norm at the end has weights of its own: final_norm": {
            1: [[[1.1446, 1.02198, -1.77277], [1.43845, 0.531714, -1.76527], [1.68003, 0.338976, -1.88839]]],
        },
        "the last norm stands behind all blocks, not behind each": {
            1: [[[-0.945679, 1.1617, 0.231621], [-0.145129, 0.571944, -0.206425], [-1.12675, 1.26549, 0.348898]]],
        },
        "the last norm stands behind all blocks, and not behind each as well": {
            1: [[[0.597343, 0.213978, -0.728868], [0.365349, 0.528242, -0.690041],
              [0.596497, 0.206479, -0.723413]]],
        },
        "the mask is turned round: for encoder_block True is where a query may look": {
            1: [[[-0.740439, 0.915756, 0.177556], [-1.20637, 1.41297, 0.337866], [-2.15604, 2.31669, 0.732052]]],
        },
        "a token does not see itself, but for the first: the mask keeps the diagonal": {
            1: [[[-1.0812, 1.18808, 0.350925], [-1.50374, 1.66546, 0.480044], [-1.00826, 1.44168, 0.122109]]],
        },
        "only the first block has the mask: each needs it": {
            1: [[[-0.926082, 1.06771, 0.269799], [-1.42573, 1.59886, 0.442963], [-0.958957, 1.40337, 0.0963539]]],
        },
        "each block began with the embeddings: it works on what the block before it returned": {
            1: [[[-1.37017, 0.988977, 0.762276], [-1.75363, 1.65307, 0.737545], [-1.2616, 1.48527, 0.348659]]],
        },
        "the input of each block was added once more: the block has its residuals": {
            1: [[[-0.981612, 0.821279, 0.476801], [-1.64557, 1.72162, 0.587353], [-0.797388, 1.40591, -0.0667744]]],
        },
        "block 0 is left out": {
            1: [[[-1.37017, 0.988977, 0.762276], [-1.75363, 1.65307, 0.737545], [-1.2616, 1.48527, 0.348659]]],
        },
        "the logits behind the last token are missing: (B, T, V) is asked": {
            1: [[[-1.0812, 1.18808, 0.350925], [-1.44136, 1.6111, 0.451076]]],
        },
        "tokens see what comes after them: is the mask missing?": {
            1: [[[-0.910295, 1.04973, 0.265064], [-1.39838, 1.5807, 0.426774], [-0.962963, 1.40668, 0.0983284]]],
        },
        "a token does not see itself: the mask keeps the diagonal": {
            1: [[[-2.44538, 2.35992, 0.994817], [-1.21058, 1.43483, 0.328641], [-0.81987, 1.28511, 0.0299562]]],
        },
        "the mask is the wrong way round: tokens see what comes after them and nothing before": {
            1: [[[-0.920219, 1.05738, 0.270286], [-1.35074, 1.54143, 0.403281], [-0.88656, 1.32506, 0.0720898]]],
        },
        "the position embeddings are missing": {
            1: [[[-0.642102, 0.974031, 0.0433988], [-1.22688, 1.52006, 0.292547], [-0.633313, 1.1998, -0.104164]]],
        },
        "positions begin with 0, not with 1": {
            1: [[[-1.07675, 1.25703, 0.304096], [-1.40066, 1.62128, 0.404115], [-0.900737, 1.41067, 0.0336493]]],
        },
        "the first token has place 0: these are the last rows of the table": {
            1: [[[-1.0324, 1.29712, 0.235101], [-1.34549, 1.62212, 0.348428], [-0.822118, 1.39739, -0.0368061]]],
        },
        "the position embedding is looked up by place, not by token": {
            1: [[[-1.0324, 1.29712, 0.235101], [-1.41934, 1.55742, 0.462047], [-0.941031, 1.33864, 0.118218]]],
        },
        "all tokens of a text got one position: each place has its own": {
            1: [[[-1.0812, 1.18808, 0.350925], [-1.45059, 1.58188, 0.478268], [-0.928581, 1.28406, 0.139312]]],
        },
        "each token sees the one behind it, too: the mask begins right of the diagonal": {
            1: [[[-0.970572, 1.09089, 0.300042], [-1.39791, 1.58034, 0.426536], [-0.962368, 1.40618, 0.0980354]]],
        },
        "num_heads is ignored: this is one head": {
            1: [[[-1.0812, 1.18808, 0.350925], [-1.45146, 1.61835, 0.456717], [-0.963432, 1.39934, 0.103309]]],
        },
        "the last norm stands behind the blocks, not before them": {
            1: [[[0.946353, -1.52528, -0.00881696], [0.269474, -0.555664, 0.0720739],
              [1.28256, -0.712999, -0.844299]]],
        },
        "no positions are added at the output: it is the product with the token embedding": {
            1: [[[-0.0747873, 0.0281461, 0.0574872], [-0.131268, 0.57744, -0.223664],
              [0.444725, 0.661753, -0.851481]]],
        },
        "the norm at the end is missing": {
            1: [[[1.64764, -2.51677, -0.100673], [4.9375, -2.76282, -3.23929], [2.813, -1.34789, -1.98449]]],
        },
        "these are post-norm blocks; a GPT has pre-norm blocks": {
            1: [[[-0.454332, 1.32382, -0.359374], [-0.449893, 1.32107, -0.362121],
              [-0.427525, 1.30605, -0.375256]]],
        },
        "the mask is missing and so are the positions": {
            1: [[[-0.51242, 0.883031, -0.030348], [-1.18558, 1.48803, 0.270938], [-0.63239, 1.199, -0.104591]]],
        },
        "these are probabilities: return the logits": {
            1: [[[0.0672945, 0.650904, 0.281801], [0.0347186, 0.734905, 0.230377],
              [0.0690202, 0.732694, 0.198286]]],
        },
        "these are logarithms of probabilities: return the logits": {
            1: [[[-2.69868, -0.429393, -1.26655], [-3.36048, -0.308014, -1.46804],
              [-2.67336, -0.311027, -1.61804]]],
        },
        "only the last token's logits came: those of all tokens are asked": {
            1: [[-0.958957, 1.40337, 0.0963539]],
        },
        "the logits are divided by the root of C: they are the products as they are": {
            1: [[[-0.5406, 0.594042, 0.175463], [-0.720682, 0.805551, 0.225538], [-0.479479, 0.701686, 0.048177]]],
        },
        "all blocks used the weights of block 0": {
            1: [[[-0.267578, 0.896605, -0.283534], [-0.971656, 1.45354, 0.0782183],
              [-0.412813, 1.16906, -0.305771]]],
        },
        "the blocks are in reverse order": {
            1: [[[-0.798173, 1.00451, 0.180738], [-1.36184, 1.56284, 0.401215], [-0.845082, 1.33941, 0.0217921]]],
        },
        "the last block is missing": {
            1: [[[-0.384473, 0.744077, -0.0728856], [-1.37469, 1.6523, 0.35908], [-0.505111, 1.25793, -0.268095]]],
        },
        "the token embedding is scaled by the root of C; it is taken as it is": {
            1: [[[-0.819386, 0.848489, 0.29785], [-1.56869, 1.70235, 0.522316], [-0.752385, 1.3471, -0.0756312]]],
        },
        "a token out of order: the positions run backwards": {
            1: [[[-1.0324, 1.29712, 0.235101], [-1.4123, 1.5886, 0.435841], [-0.889765, 1.25225, 0.120053]]],
        },
        "the mask is of floats, which are added to the scores: booleans are asked": {
            1: [[[-0.971764, 1.0996, 0.295879], [-1.41986, 1.59726, 0.438079], [-0.961115, 1.40515, 0.097417]]],
        },
        "the mask is of floats, with 1 above the diagonal, and is added to the scores: booleans are asked": {
            1: [[[-0.867099, 1.01456, 0.243486], [-1.37263, 1.55713, 0.415514], [-0.965066, 1.40841, 0.0993655]]],
        },
    })

    def weights(V, context, C, n, k=0.0):
        """Weights of a GPT that are fixed numbers, none of them special."""
        block = nn.TransformerEncoderLayer(C, 1, C + 2).state_dict()
        shapes = {"token_embedding.weight": (V, C), "position_embedding.weight": (context, C)}
        shapes |= {f"blocks.{i}.{name}": tuple(v.shape) for i in range(n) for name, v in block.items()}
        shapes |= {"final_norm.weight": (C,), "final_norm.bias": (C,)}
        return {
            name: 0.8 * torch.sin(torch.arange(1.0, 1 + torch.Size(shape).numel()) * (1.1 + 0.37 * i) + k).view(shape)
            for i, (name, shape) in enumerate(shapes.items())
        }

    p = weights(3, 5, 4, 2)
    check(gpt_logits, torch.tensor([[2, 0, 1]]), p, 2, 2).equals(
        [[[-1.0812, 1.1881, 0.3509], [-1.4414, 1.6111, 0.4511], [-0.9590, 1.4034, 0.0964]]], rtol=1e-3, atol=1e-4
    )
    borrowed = ["helpers.models.gpt"]
    by_itself, called = "nothing of helpers.models.gpt was called", (
        "the course's own GPT or Block was called: build yours of encoder_block")
    check(taken, borrowed, gpt_logits, torch.tensor([[2, 0]]), p, 2, 2).holds(
        **not_taken(by_itself, called), about="built of your block")


score
