from helpers.checks import graded


@graded("gpt", points=5)
def score(check):
    import torch
    from torch import nn

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

    ahead = "tokens see what comes after them: is the mask missing?"
    peek = "each token sees the one behind it, too: the mask begins right of the diagonal"
    itself = "a token does not see itself: the mask keeps the diagonal"
    reverse = "the mask is the wrong way round: tokens see what comes after them and nothing before"
    nowhere, from_one = "the position embeddings are missing", "positions begin with 0, not with 1"
    no_end = "the norm at the end is missing"
    post = "these are post-norm blocks; a GPT has pre-norm blocks"
    chances = "these are probabilities: return the logits"
    first = "all blocks used the weights of block 0"
    short = "the last block is missing"
    p = weights(3, 4, 4, 2)
    check(gpt_logits, torch.tensor([[2, 0]]), p, 2, 2).equals(
        [[[-1.0812, 1.1881, 0.3509], [-1.4414, 1.6111, 0.4511]]], rtol=1e-3, atol=1e-4, near={
            ahead: [[[-0.966244, 1.08755, 0.297762], [-1.44287, 1.61228, 0.451859]]],
            peek: [[[-0.966244, 1.08755, 0.297762], [-1.44287, 1.61228, 0.451859]]],
            itself: [[[-2.44538, 2.35992, 0.994817], [-1.21058, 1.43483, 0.328641]]],
            reverse: [[[-0.962522, 1.08469, 0.295801], [-1.39278, 1.56444, 0.431176]]],
            nowhere: [[[-0.642102, 0.974032, 0.0433989], [-1.22688, 1.52006, 0.292547]]],
            from_one: [[[-1.07675, 1.25703, 0.304096], [-1.40066, 1.62128, 0.404115]]],
            no_end: [[[1.64764, -2.51677, -0.100673], [4.9375, -2.76282, -3.23929]]],
            post: [[[-0.454332, 1.32382, -0.359374], [-0.449893, 1.32107, -0.362121]]],
            chances: [[[0.0672945, 0.650904, 0.281801], [0.0347186, 0.734905, 0.230377]]],
            first: [[[-0.267578, 0.896605, -0.283534], [-0.971656, 1.45354, 0.0782185]]],
            short: [[[-0.384473, 0.744077, -0.0728856], [-1.37469, 1.6523, 0.35908]]],
        }
    )


score
