from helpers.checks import graded


@graded("decoder", points=6)
def score(check):
    import torch
    from torch import nn

    times = "0 times minus infinity is NaN: fill the hidden positions, do not multiply"

    def weights_of(*args):
        """What the third result is, the simplest to do by hand: scores (1, 0) for the first row of the batch."""
        return decoder_step(*args)[2]

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "padding is attended to: its scores must be minus infinity before the softmax": {
            1: [[0.731059, 0.268941], [0.000203427, 0.999797]],
            2: [[0.731059, 0.268941], [0.0, 1.0]],
            3: ([[0.698725, -0.954746], [-10.9417, -11.1996]], [[0.192459, 0.487473], [0.0, 0.999322]],
             [[0.731059, 0.268941], [0.000203427, 0.999797]]),
        },
        "the mask is inverted: `present` is True where a character is": {
            1: [[float("nan"), float("nan")], [0.0, 1.0]],
            2: [[float("nan"), float("nan")], [0.0, 1.0]],
            3: ([[float("nan"), float("nan")], [-10.944, -11.2016]],
             [[float("nan"), float("nan")], [0.0, 0.999323]], [[float("nan"), float("nan")], [0.0, 1.0]]),
        },
        "the mask came after the softmax: the weights that are left no longer add up to 1": {
            1: [[0.731059, 0.268941], [0.000203427, 0.0]],
            2: [[0.731059, 0.268941], [0.0, 0.0]],
            3: ([[0.698725, -0.954746], [1.08918, -0.836708]], [[0.192459, 0.487473], [-0.13819, 0.924897]],
             [[0.731059, 0.268941], [0.000203427, 0.0]]),
        },
        "the padding's score was set to 0, and e to the 0 is 1: set it to minus infinity": {
            1: [[0.731059, 0.268941], [0.622459, 0.377541]],
            2: [[0.731059, 0.268941], [0.0, 1.0]],
            3: ([[0.698725, -0.954746], [-3.89674, -5.18195]], [[0.192459, 0.487473], [-0.00113261, 0.883616]],
             [[0.731059, 0.268941], [0.622459, 0.377541]]),
        },
        "the context is the plain mean of the memory: where are the weights? (padding left out)": {
            1: [[0.5, 0.5], [1.0, 0.0]],
            2: [[0.5, 0.5], [1.0, 0.0]],
            3: ([[0.399963, -1.35505], [0.264001, -1.64671]], [[0.0441681, 0.562074], [-0.114974, 0.804439]],
             [[0.5, 0.5], [1.0, 0.0]]),
        },
        "the new state asked: the decoder looks before it steps, with the old one": {
            1: [[0.73446, 0.26554], [1.0, 0.0]],
            2: [[0.73446, 0.26554], [1.0, 0.0]],
            3: ([[0.247559, -1.56372], [0.264001, -1.64671]], [[-0.0195841, 0.600284], [-0.114974, 0.804439]],
             [[0.368411, 0.631589], [1.0, 0.0]]),
        },
        "the new state asked, and the cell saw no context: the decoder looks before it steps": {
            1: [[0.73446, 0.26554], [1.0, 0.0]],
            2: [[0.73446, 0.26554], [1.0, 0.0]],
            3: ([[0.536767, -1.29475], [0.30374, -1.63144]], [[0.204122, 0.743163], [-0.138183, 0.924911]],
             [[0.368411, 0.631589], [1.0, 0.0]]),
        },
        "the score of padding is not low enough, and some weight leaks to it: minus infinity (not -1, say)": {
            1: [[0.731059, 0.268941], [0.817574, 0.182426]],
            2: [[0.731059, 0.268941], [0.0, 1.0]],
            3: ([[0.698725, -0.954746], [-1.85681, -3.40462]], [[0.192459, 0.487473], [-0.0136905, 0.542106]],
             [[0.731059, 0.268941], [0.817574, 0.182426]]),
        },
        "the scores are scaled here; the text asks for q W k as it is": {
            1: [[0.640457, 0.359542], [1.0, 0.0]],
            2: [[0.640457, 0.359542], [1.0, 0.0]],
            3: ([[0.576972, -1.11669], [0.264001, -1.64671]], [[0.129009, 0.517705], [-0.114974, 0.804439]],
             [[0.640457, 0.359542], [1.0, 0.0]]),
        },
        "the scores are divided by the root of the state's size; the text asks for q W k as it is": {
            1: [[0.669762, 0.330238], [1.0, 0.0]],
            2: [[0.669762, 0.330238], [1.0, 0.0]],
            3: ([[0.615737, -1.06498], [0.264001, -1.64671]], [[0.148828, 0.508048], [-0.114974, 0.804439]],
             [[0.669762, 0.330238], [1.0, 0.0]]),
        },
        "the softmax runs over the batch: it belongs to the characters, the last axis of (B, T)": {
            1: [[0.622459, 1.0], [0.377541, 0.0]],
            2: [[1.0, 1.0], [0.0, 0.0]],
            3: ([[-0.240718, -1.9754], [0.774712, -1.14827]], [[0.0597135, 0.416901], [-0.139338, 0.892077]],
             [[0.622459, 1.0], [0.377541, 0.0]]),
        },
        "the scores came back in place of the weights": {
            1: [[1.0, 0.0], [0.5, 9.0]],
            2: [[1.0, 0.0], [-200.0, 9.0]],
            3: ([[0.698725, -0.954746], [0.264001, -1.64671]], [[0.192459, 0.487473], [-0.114974, 0.804439]],
             [[1.0, 0.0], [0.5, 9.0]]),
        },
        "the masked scores came back in place of the weights": {
            1: [[1.0, 0.0], [0.5, float("-inf")]],
            2: [[1.0, 0.0], [-200.0, float("-inf")]],
            3: ([[0.698725, -0.954746], [0.264001, -1.64671]], [[0.192459, 0.487473], [-0.114974, 0.804439]],
             [[1.0, 0.0], [0.5, float("-inf")]]),
        },
        "the right three things in another order: logits, state, weights": {
            1: [[0.89789, -0.431833], [0.100384, 0.408312]],
            2: [[0.89789, -0.431833], [-1.0, 1.0]],
            3: ([[0.698725, -0.954746], [0.264001, -1.64671]], [[0.731059, 0.268941], [1.0, 0.0]],
             [[0.192459, 0.487473], [-0.114974, 0.804439]]),
        },
        "the padding's memory was set to 0, but it still takes weight: mask the scores": {
            1: [[0.731059, 0.268941], [0.622459, 0.377541]],
            2: [[0.731059, 0.268941], [0.0, 1.0]],
            3: ([[0.698725, -0.954746], [0.574507, -1.34487]], [[0.192459, 0.487473], [-0.132082, 0.863394]],
             [[0.731059, 0.268941], [0.622459, 0.377541]]),
        },
        "padding takes weight and is only left out of the context: mask the scores": {
            1: [[0.731059, 0.268941], [0.000203427, 0.999797]],
            2: [[0.731059, 0.268941], [0.0, 1.0]],
            3: ([[0.698725, -0.954746], [1.08918, -0.836708]], [[0.192459, 0.487473], [-0.13819, 0.924897]],
             [[0.731059, 0.268941], [0.000203427, 0.999797]]),
        },
        "the weights went to the one best character; all share": {
            1: [[1.0, 0.0], [1.0, 0.0]],
            2: [[1.0, 0.0], [1.0, 0.0]],
            3: ([[1.08488, -0.447442], [0.264001, -1.64671]], [[0.408801, 0.393407], [-0.114974, 0.804439]],
             [[1.0, 0.0], [1.0, 0.0]]),
        },
        "the context comes from a query that the cell's new state gave; the old state asks": {
            1: [[0.78036, 0.21964], [1.0, 0.0]],
            2: [[0.78036, 0.21964], [1.0, 0.0]],
            3: ([[0.253042, -1.55615], [0.264001, -1.64671]], [[-0.0174657, 0.598917], [-0.114974, 0.804439]],
             [[0.373342, 0.626658], [1.0, 0.0]]),
        },
        "the mask came after the softmax, and what was left was divided by its sum: mask the scores": {
            2: [[0.731059, 0.268941], [float("nan"), float("nan")]],
        },
        "the mask came after the softmax, and what was left was divided by its sum: mask the scores (with a small number added)": {
            2: [[0.731059, 0.268941], [0.0, 0.0]],
        },
        "exp overflows here: subtract the largest score of each row first": {
            2: [[0.731059, 0.268941], [float("nan"), float("nan")]],
        },
        "the score of padding is not low enough, and some weight leaks to it: minus infinity (not -10, say)": {
            2: [[0.731059, 0.268941], [0.0, 1.0]],
        },
        "the score of padding is not low enough, and some weight leaks to it: minus infinity (not -100, say)": {
            2: [[0.731059, 0.268941], [0.0, 1.0]],
        },
        "the context is the plain mean of the memory: where are the weights?": {
            3: ([[0.399963, -1.35505], [-5.25666, -6.34952]], [[0.0441681, 0.562074], [-0.000233173, 0.956584]],
             [[0.731059, 0.268941], [1.0, 0.0]]),
        },
        "the context is the memory's last state": {
            3: ([[-0.11966, -2.082], [-10.944, -11.2016]], [[-0.125636, 0.687228], [0.0, 0.999323]],
             [[0.731059, 0.268941], [1.0, 0.0]]),
        },
        "the context is the state with the largest weight; it is the sum of all, each times its weight": {
            3: ([[1.08488, -0.447442], [0.264001, -1.64671]], [[0.408801, 0.393407], [-0.114974, 0.804439]],
             [[0.731059, 0.268941], [1.0, 0.0]]),
        },
        "the output got a second context, for which the new state asked: it takes the same c as the cell": {
            3: ([[0.442809, -1.31826], [0.264001, -1.64671]], [[0.192459, 0.487473], [-0.114974, 0.804439]],
             [[0.731059, 0.268941], [1.0, 0.0]]),
        },
        "the cell was called without the old state: cell(x, h)": {
            3: ([[0.2182, -1.42748], [-0.207116, -1.98796]], [[-0.243474, 0.370154], [-0.238406, 0.121255]],
             [[0.731059, 0.268941], [1.0, 0.0]]),
        },
        "the context came before the embedding; the cell takes [e; c]": {
            3: ([[0.558375, -1.07668], [0.142806, -1.81059]], [[0.105281, 0.378164], [-0.335983, 0.982442]],
             [[0.731059, 0.268941], [1.0, 0.0]]),
        },
        "the context came before the state; the output takes [h'; c]": {
            3: ([[0.702973, -1.10745], [1.75986, 0.0907369]], [[0.192459, 0.487473], [-0.114974, 0.804439]],
             [[0.731059, 0.268941], [1.0, 0.0]]),
        },
        "the output saw the old state; it takes [h'; c]": {
            3: ([[1.22554, -0.303933], [0.475596, -1.4695]], [[0.192459, 0.487473], [-0.114974, 0.804439]],
             [[0.731059, 0.268941], [1.0, 0.0]]),
        },
        "the old state came back; return the new one": {
            3: ([[0.698725, -0.954746], [0.264001, -1.64671]], [[1.0, 0.0], [0.0, 1.0]],
             [[0.731059, 0.268941], [1.0, 0.0]]),
        },
        "these are the right three things in another order: logits, state, weights": {
            3: ([[0.192459, 0.487473], [-0.114974, 0.804439]], [[0.698725, -0.954746], [0.264001, -1.64671]],
             [[0.731059, 0.268941], [1.0, 0.0]]),
        },
        "probabilities came back in place of the logits: no softmax at the end": {
            3: ([[0.83936, 0.16064], [0.871099, 0.128901]], [[0.192459, 0.487473], [-0.114974, 0.804439]],
             [[0.731059, 0.268941], [1.0, 0.0]]),
        },
        "the context is the sum of the memory, padding included, without weights": {
            3: ([[-0.326145, -1.91649], [-11.7297, -11.9965]], [[0.176308, 0.221856], [0.0, 0.999323]],
             [[0.731059, 0.268941], [1.0, 0.0]]),
        },
    })

    def tools(e, h, m, classes, seed):
        """A cell and an output with weights that follow from the seed."""
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            return nn.GRUCell(e + m, h).requires_grad_(False), nn.Linear(h + m, classes).requires_grad_(False)

    loose = {"rtol": 1e-3, "atol": 2e-4}
    memory = torch.tensor([[[1.0, 0.0, 2.0], [0.0, 1.0, -1.0]], [[0.5, 0.5, 0.0], [9.0, 9.0, 9.0]]])
    hidden, W = torch.tensor([[1.0, 0.0], [0.0, 1.0]]), torch.tensor([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    present, embedded = torch.tensor([[True, True], [True, False]]), torch.tensor([[0.5], [-0.5]])

    case = (embedded, hidden, memory, present, W, *tools(1, 2, 3, 4, seed=1))
    check(weights_of, *case).equals([[0.7311, 0.2689], [1.0, 0.0]], **loose, near={times: [[torch.nan] * 2] * 2})

    low = torch.tensor([[[1.0, 0.0, 2.0], [0.0, 1.0, -1.0]], [[0.5, -200.0, 0.0], [9.0, 9.0, 9.0]]])
    check(weights_of, *case[:2], low, *case[3:]).equals(
        [[0.7311, 0.2689], [1.0, 0.0]], about="a score of -200", **loose,
        near={"padding with a score of -100, say, can win: it is minus infinity": [[0.7311, 0.2689], [0.0, 1.0]]},
    )

    def fixed(*modules):
        """Modules with weights that are fixed numbers, none of them special."""
        for module in modules:
            for i, (_, v) in enumerate(module.named_parameters()):
                v.data = torch.sin(torch.arange(1.0, v.numel() + 1) * (1.3 + i)).reshape(v.shape)
        return [module.requires_grad_(False) for module in modules]

    check(decoder_step, *case[:5], *fixed(nn.GRUCell(4, 2), nn.Linear(5, 2))).equals(
        ([[0.6987, -0.9547], [0.264, -1.6467]], [[0.1925, 0.4875], [-0.115, 0.8044]], [[0.7311, 0.2689], [1.0, 0.0]]),
        about="all three results", **loose
    )


score
