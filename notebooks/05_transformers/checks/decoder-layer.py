from helpers.checks import graded


@graded("decoder-layer", points=5)
def score(check):
    import torch
    from torch import nn

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "self-attention looks ahead: it is causal in a decoder": {
            1: [[[-1.19195, -0.677994, -2.01361, -0.415278], [-1.30893, -0.743966, -2.02684, -0.513447]]],
        },
        "cross-attention was masked causally, too: the whole memory may be read": {
            1: [[[-1.17461, -0.674172, -2.01176, -0.41253], [-1.30895, -0.751348, -2.02142, -0.526295]]],
        },
        "cross-attention used the weights of self_attn: its own are multihead_attn": {
            1: [[[-1.17554, -0.738374, -2.05899, -0.554108], [-1.29126, -0.760693, -2.0153, -0.5483]]],
        },
        "self-attention looks ahead and cross-attention does not: it is the other way round": {
            1: [[[-1.19488, -0.683456, -2.02593, -0.429082], [-1.30895, -0.751348, -2.02142, -0.526295]]],
        },
        "the cross-attention is missing: the memory changes nothing": {
            1: [[[-1.446, -0.76631, -1.95854, -0.49321], [-1.46705, -0.70825, -1.88828, -0.349595]]],
        },
        "the cross-attention is missing, its norm is there": {
            1: [[[-1.17578, -0.663659, -1.9736, -0.379239], [-1.30551, -0.72875, -2.03147, -0.48593]]],
        },
        "the self-attention is missing": {
            1: [[[-1.11527, -0.647498, -1.93658, -0.354325], [-1.2768, -0.7055, -2.02705, -0.447521]]],
        },
        "the keys come from the memory, but the values do not": {
            1: [[[-1.19726, -0.682788, -2.02323, -0.426163], [-1.2946, -0.735598, -2.03474, -0.503891]]],
        },
        "cross-attention stands after self-attention, not before it": {
            1: [[[-1.21847, -0.677369, -1.99675, -0.40043], [-1.3103, -0.735858, -2.02954, -0.497867]]],
        },
        "self-attention and cross-attention stand beside each other: one follows the other": {
            1: [[[-1.24421, -0.697713, -2.0307, -0.443433], [-1.30964, -0.748446, -2.02363, -0.521053]]],
        },
        "cross-attention looks from y, not from the output of self-attention": {
            1: [[[-1.17912, -0.673007, -2.00581, -0.406932], [-1.31091, -0.742872, -2.02683, -0.510667]]],
        },
        "the residual around self-attention is missing": {
            1: [[[-1.23524, -0.778573, -1.99278, -0.593853], [-1.22866, -0.772821, -2.00496, -0.588417]]],
        },
        "the residual around cross-attention is missing": {
            1: [[[-0.59411, -0.789369, -1.83353, -0.763698], [-0.624022, -0.684232, -2.05133, -0.616141]]],
        },
        "the residual around feed-forward is missing": {
            1: [[[-1.79951, -0.779769, -1.4516, -0.248356], [-1.78567, -0.77091, -1.42216, -0.225776]]],
        },
        "all residuals are missing": {
            1: [[[-1.79314, -0.775292, -1.43682, -0.23678], [-1.79296, -0.775177, -1.43642, -0.236483]]],
        },
        "norm2 and norm3 are exchanged": {
            1: [[[0.155609, 0.579815, -1.95482, 0.772507], [-0.139637, 0.339181, -2.17811, 0.282238]]],
        },
        "norm1 is used three times": {
            1: [[[1.37881, 0.045731, -1.96818, 0.265454], [1.45934, 0.11695, -1.82233, 0.0573321]]],
        },
        "norm2 is used twice, norm3 not at all": {
            1: [[[-0.0428236, 0.117519, -2.086, 0.776637], [0.0246212, 0.521593, -2.11491, 0.449135]]],
        },
        "norm1 is used twice, and norm2 at the end": {
            1: [[[0.0988625, 0.536169, -2.04487, 0.633273], [0.165022, 0.472734, -1.89086, 0.960006]]],
        },
        "the norms are missing": {
            1: [[[-0.508378, -0.934824, -1.3307, -0.635166], [0.215687, -0.112989, -0.45973, -0.420515]]],
        },
        "the norm behind the feed-forward network is missing": {
            1: [[[-1.59792, -1.65907, -4.38547, -2.62916], [-0.993186, -2.22909, -5.03005, -1.9433]]],
        },
        "these are pre-norm sublayers: post-norm is asked": {
            1: [[[-0.760837, 0.687897, 1.14169, 1.64123], [-0.486842, -0.279104, -1.95653, -1.9093]]],
        },
        "ReLU stands in the feed-forward network; GELU is asked": {
            1: [[[-1.14915, -0.669606, -2.01103, -0.41119], [-1.32682, -0.742073, -2.02205, -0.502618]]],
        },
        "the feed-forward half is missing": {
            1: [[[-0.5549, 0.384329, -1.8555, -0.240694], [0.106483, 0.232582, -1.84297, 1.1482]]],
        },
        "the memory looks at y here: the queries come from y": {
            1: [[[-1.29826, -0.737261, -2.03311, -0.505518], [-1.30441, -0.731492, -2.03203, -0.491869],
              [-1.24607, -0.711446, -2.04575, -0.474776]]],
        },
        "cross-attention looks at y itself: keys and values come from the memory": {
            1: [[[-1.19846, -0.690061, -2.03777, -0.44479], [-1.29562, -0.732843, -2.03494, -0.498193]]],
        },
        "the feed-forward half is missing, its norm is there": {
            1: [[[-0.495371, -0.62463, -1.97004, -0.512492], [-0.626895, -0.733626, -1.99565, -0.695067]]],
        },
        "the residual around cross-attention adds u, not y": {
            1: [[[-0.885312, -0.602637, -1.73886, -0.274174], [-1.22637, -0.694524, -2.03348, -0.443564]]],
        },
        "the feed-forward network works on the output of cross-attention (v), not on u": {
            1: [[[-1.15548, -0.660744, -1.97467, -0.380131], [-1.24152, -0.739094, -2.04713, -0.531242]]],
        },
        "num_heads is ignored: this is one head": {
            1: [[[-1.11607, -0.648696, -1.94283, -0.358434], [-1.30979, -0.749356, -2.02288, -0.522562]]],
        },
        "num_heads is ignored in self-attention: this is one head": {
            1: [[[-1.1707, -0.669392, -1.9987, -0.400139], [-1.30943, -0.743848, -2.02676, -0.513034]]],
        },
        "num_heads is ignored in cross-attention: this is one head": {
            1: [[[-1.11607, -0.648696, -1.94283, -0.358434], [-1.30972, -0.749617, -2.02269, -0.523039]]],
        },
        "self-attention used the weights of multihead_attn: its own are self_attn": {
            1: [[[-1.17059, -0.660863, -1.96485, -0.372541], [-1.29176, -0.712199, -2.02796, -0.456395]]],
        },
        "the weights of the two attentions are exchanged: the memory is for multihead_attn": {
            1: [[[-1.25848, -0.692762, -2.01435, -0.424008], [-1.30149, -0.734468, -2.03276, -0.498886]]],
        },
        "norm1 and norm2 are exchanged": {
            1: [[[-1.26698, -0.672244, -1.94076, -0.357381], [-1.48069, -0.742943, -1.94436, -0.431757]]],
        },
        "the norm behind self-attention is missing": {
            1: [[[-0.837534, -0.60034, -1.76461, -0.292693], [-1.28976, -0.74945, -2.02807, -0.53063]]],
        },
        "the norm behind cross-attention is missing": {
            1: [[[-1.29303, -0.731767, -2.03589, -0.497176], [-1.5435, -0.705047, -1.73708, -0.271318]]],
        },
        "the residual around feed-forward adds v, not u": {
            1: [[[-1.43205, -0.777163, -1.95123, -0.516657], [-1.50057, -0.714535, -1.87078, -0.346013]]],
        },
        "the residual around feed-forward adds v, not y": {
            1: [[[-1.63036, -0.888943, -1.46425, -0.520609], [-1.70616, -0.781556, -1.73124, -0.370022]]],
        },
        "cross-attention stands after self-attention, not before it; here each has its own norm": {
            1: [[[-1.3074, -0.664705, -1.84627, -0.299815], [-1.36796, -0.694639, -1.94195, -0.370612]]],
        },
        "the memory is taken as it is, without a norm": {
            1: [[[-1.18852, -0.6712, -1.99445, -0.396819], [-1.29568, -0.715456, -2.02918, -0.461996]]],
        },
        "SiLU stands in the feed-forward network; GELU is asked": {
            1: [[[-1.20199, -0.668072, -1.97394, -0.379917], [-1.33435, -0.741716, -2.01957, -0.498785]]],
        },
        "the bias of linear1 is missing": {
            1: [[[-1.08176, -0.658905, -2.00843, -0.410171], [-1.25932, -0.740634, -2.04213, -0.527158]]],
        },
        "the bias of linear2 is missing": {
            1: [[[-1.01702, -0.663439, -2.04513, -0.450945], [-1.20067, -0.746262, -2.04809, -0.558402]]],
        },
        "a token does not see itself: causal means itself and what stands before": {
            1: [[[-1.23933, -0.699733, -2.03593, -0.450605], [-1.31045, -0.743331, -2.02673, -0.511686]]],
        },
    })

    def layer(C, H, width, k=0.0):
        """The library's layer with weights that are fixed numbers, none of them special."""
        made = nn.TransformerDecoderLayer(C, H, width, 0.0, "gelu", batch_first=True)
        for i, (_, v) in enumerate(made.named_parameters()):
            v.data = torch.sin(torch.arange(1.0, v.numel() + 1) * (1.2 + i) + k).reshape(v.shape) * 0.8
        return made

    def oracle(made, y, memory, rest=None):
        with torch.no_grad():
            T = y.shape[1]
            return made(y, memory, tgt_mask=torch.ones(T, T).triu(1).bool(), memory_key_padding_mask=rest)

    made_layer = layer(4, 2, 5)
    y = torch.tensor([[[0.5, -0.5, 0.0, 1.0], [1.0, 0.0, -1.0, 0.5]]])
    memory = torch.tensor([[[0.5, 1.0, -1.0, 0.0], [2.0, 0.0, 1.0, -1.0], [-1.0, 0.5, 0.0, 1.0]]])
    check(decoder_layer, y, memory, dict(made_layer.state_dict()), 2).equals(
        oracle(made_layer, y, memory), rtol=1e-4, atol=1e-4
    )


score
