from helpers.checks import graded


@graded("decoder", points=6)
def score(check):
    from functools import partial

    import torch
    from torch import nn

    def tools(e, h, m, classes, seed):
        """A cell and an output with weights that follow from the seed."""
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            return nn.GRUCell(e + m, h).requires_grad_(False), nn.Linear(h + m, classes).requires_grad_(False)

    says = {
        "padding": "padding is attended to: its scores must be minus infinity before the softmax",
        "inverted": "the mask is turned round: `present` is True where a character is",
        "after": "the mask came after the softmax: the weights that are left no longer add up to 1",
        "renormal": "the padding's score was set to 0, and e to the 0 is 1: set it to minus infinity",
        "mean": "the context is the plain mean of the memory: where are the weights?",
        "final": "the context is the memory's last state",
        "small": "the score of padding is not low enough, and some weight leaks to it: minus infinity",
        "new_asks": "the new state asked: the decoder looks before it steps, with the old one",
        "context_first": "the context came before the embedding; the cell takes [e; c]",
        "out_context_first": "the context came before the state; the output takes [h'; c]",
        "old_out": "the output saw the old state; it takes [h'; c]",
        "old_back": "the old state came back; return the new one",
        "scaled": "the scores are scaled here; the text asks for q W k as it is",
        "batch": "the softmax runs over the batch: it belongs to the characters, the last axis of (B, T)",
        "raw": "the scores came back in place of the weights",
        "masked_raw": "the masked scores came back in place of the weights",
        "order": "these are the right three things in another order: logits, state, weights",
        "times": "0 times minus infinity is NaN: fill the hidden places, do not multiply",
        "probability": "probabilities came back in place of the logits: no softmax at the end",
    }
    loose = {"rtol": 1e-3, "atol": 2e-4}
    memory = torch.tensor([[[1.0, 0.0, 2.0], [0.0, 1.0, -1.0]], [[0.5, 0.5, 0.0], [9.0, 9.0, 9.0]]])
    hidden, W = torch.tensor([[1.0, 0.0], [0.0, 1.0]]), torch.tensor([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    present, embedded = torch.tensor([[True, True], [True, False]]), torch.tensor([[0.5], [-0.5]])

    def weights_of(*args):
        """What the third result is, the simplest to do by hand: scores (1, 0) for the first row of the batch."""
        return decoder_step(*args)[2]

    case = (embedded, hidden, memory, present, W, *tools(1, 2, 3, 4, seed=1))
    check(weights_of, *case).equals([[0.7311, 0.2689], [1.0, 0.0]], **loose, near={
        says["padding"]: [[0.7311, 0.2689], [0.0002, 0.9998]], says["inverted"]: [[torch.nan] * 2, [0.0, 1.0]],
        says["after"]: [[0.7311, 0.2689], [0.0002, 0.0]], says["batch"]: [[0.6225, 1.0], [0.3775, 0.0]],
        says["raw"]: [[1.0, 0.0], [0.5, 9.0]], says["masked_raw"]: [[1.0, 0.0], [0.5, -torch.inf]],
        says["renormal"]: [[0.7311, 0.2689], [0.6225, 0.3775]], says["mean"]: [[0.5, 0.5], [1.0, 0.0]],
        says["scaled"]: [[0.6405, 0.3595], [1.0, 0.0]], says["small"]: [[0.7311, 0.2689], [0.8176, 0.1824]],
        says["times"]: [[torch.nan] * 2] * 2,
    })

    def fixed(*modules):
        """Modules with weights that are fixed numbers, none of them special."""
        for module in modules:
            for i, (_, v) in enumerate(module.named_parameters()):
                v.data = torch.sin(torch.arange(1.0, v.numel() + 1) * (1.3 + i)).reshape(v.shape)
        return [module.requires_grad_(False) for module in modules]

    check(decoder_step, *case[:5], *fixed(nn.GRUCell(4, 2), nn.Linear(5, 2))).equals(
        ([[0.6987, -0.9547], [0.264, -1.6467]], [[0.1925, 0.4875], [-0.115, 0.8044]], [[0.7311, 0.2689], [1.0, 0.0]]),
        about="all three results", **loose, near={
        says["mean"]: ([[0.4, -1.3551], [-5.2567, -6.3495]], [[0.0442, 0.5621], [-0.0002, 0.9566]], [[0.7311, 0.2689],
            [1.0, 0.0]]),
        says["final"]: ([[-0.1197, -2.082], [-10.944, -11.2016]], [[-0.1256, 0.6872], [-0, 0.9993]], [[0.7311,
            0.2689], [1.0, 0.0]]),
        says["new_asks"]: ([[0.2476, -1.5637], [0.264, -1.6467]], [[-0.0196, 0.6003], [-0.115, 0.8044]], [[0.3684,
            0.6316], [1.0, 0.0]]),
        says["context_first"]: ([[0.5584, -1.0767], [0.1428, -1.8106]], [[0.1053, 0.3782], [-0.336, 0.9824]],
            [[0.7311, 0.2689], [1.0, 0.0]]),
        says["out_context_first"]: ([[0.703, -1.1075], [1.7599, 0.0907]], [[0.1925, 0.4875], [-0.115, 0.8044]],
            [[0.7311, 0.2689], [1.0, 0.0]]),
        says["old_out"]: ([[1.2255, -0.3039], [0.4756, -1.4695]], [[0.1925, 0.4875], [-0.115, 0.8044]], [[0.7311,
            0.2689], [1.0, 0.0]]),
        says["old_back"]: ([[0.6987, -0.9547], [0.264, -1.6467]], [[1.0, 0.0], [0.0, 1.0]], [[0.7311, 0.2689], [1.0,
            0.0]]),
        says["scaled"]: ([[0.577, -1.1167], [0.264, -1.6467]], [[0.129, 0.5177], [-0.115, 0.8044]], [[0.6405, 0.3595],
            [1.0, 0.0]]),
        says["raw"]: ([[0.6987, -0.9547], [0.264, -1.6467]], [[0.1925, 0.4875], [-0.115, 0.8044]], [[1.0, 0.0], [0.5,
            9.0]]),
        says["order"]: ([[0.1925, 0.4875], [-0.115, 0.8044]], [[0.6987, -0.9547], [0.264, -1.6467]], [[0.7311,
            0.2689], [1.0, 0.0]]),
        says["probability"]: ([[0.8394, 0.1606], [0.8711, 0.1289]], [[0.1925, 0.4875], [-0.115, 0.8044]], [[0.7311,
            0.2689], [1.0, 0.0]]),
        says["times"]: ([[torch.nan] * 2] * 2,) * 3,
    }
    )


score
