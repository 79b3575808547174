from helpers.checks import graded


@graded("decoder-layer", points=5)
def score(check):
    import torch
    from torch import nn

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

    ahead = "self-attention looks ahead: it is causal in a decoder"
    narrow = "cross-attention was masked causally, too: the whole memory may be read"
    absent = "the cross-attention is missing: the memory changes nothing"
    same = "cross-attention used the weights of self_attn: its own are multihead_attn"
    turned = "the memory looks at y here: the queries come from y"
    mixed = "the keys come from the memory, but the values do not"
    first = "cross-attention stands after self-attention, not before it"
    no_self, no_cross, no_feed = (
        "the residual around self-attention is missing", "the residual around cross-attention is missing",
        "the residual around feed-forward is missing",
    )
    swapped = "norm2 and norm3 are exchanged"
    pre = "these are pre-norm sublayers: post-norm is asked"
    relu = "ReLU stands in the feed-forward network; GELU is asked"
    made_layer = layer(4, 2, 5)
    y = torch.tensor([[[0.5, -0.5, 0.0, 1.0], [1.0, 0.0, -1.0, 0.5]]])
    memory = torch.tensor([[[0.5, 1.0, -1.0, 0.0], [2.0, 0.0, 1.0, -1.0], [-1.0, 0.5, 0.0, 1.0]]])
    check(decoder_layer, y, memory, dict(made_layer.state_dict()), 2).equals(
        oracle(made_layer, y, memory), rtol=1e-4, atol=1e-4, near={
            ahead: [[[-1.19195, -0.677994, -2.01361, -0.415278], [-1.30893, -0.743966, -2.02684, -0.513447]]],
            narrow: [[[-1.17461, -0.674172, -2.01176, -0.41253], [-1.30895, -0.751348, -2.02142, -0.526295]]],
            same: [[[-1.17554, -0.738374, -2.05899, -0.554108], [-1.29126, -0.760693, -2.0153, -0.5483]]],
            absent: [[[-1.446, -0.76631, -1.95854, -0.49321], [-1.46705, -0.70825, -1.88828, -0.349595]]],
            mixed: [[[-1.19726, -0.682788, -2.02323, -0.426163], [-1.2946, -0.735598, -2.03474, -0.503891]]],
            first: [[[-1.21847, -0.677369, -1.99675, -0.40043], [-1.3103, -0.735858, -2.02954, -0.497867]]],
            no_self: [[[-1.23524, -0.778573, -1.99278, -0.593853], [-1.22866, -0.772821, -2.00496, -0.588417]]],
            no_cross: [[[-0.59411, -0.789369, -1.83353, -0.763698], [-0.624022, -0.684232, -2.05133, -0.616141]]],
            no_feed: [[[-1.79951, -0.779769, -1.4516, -0.248356], [-1.78567, -0.77091, -1.42216, -0.225776]]],
            swapped: [[[0.155609, 0.579815, -1.95482, 0.772507], [-0.139637, 0.339181, -2.17811, 0.282238]]],
            pre: [[[-0.760837, 0.687897, 1.14169, 1.64123], [-0.486842, -0.279104, -1.95653, -1.9093]]],
            relu: [[[-1.14915, -0.669606, -2.01103, -0.41119], [-1.32682, -0.742073, -2.02205, -0.502618]]],
            turned: [[[-1.29826, -0.737261, -2.03311, -0.505518], [-1.30441, -0.731492, -2.03203, -0.491869],
                [-1.24607, -0.711446, -2.04575, -0.474776]]],
        }
    )


score
