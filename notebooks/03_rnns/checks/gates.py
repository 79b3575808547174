from helpers.checks import difference, graded


@graded("gates", points=10)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the parts come in the order i, f, g, o: here f came first": {
            1: ([[0.014971, 0.282678], [-0.0781302, -0.586001]], [[0.0277316, 0.676782], [-0.11738, -0.891341]]),
        },
        "the parts come in the order i, f, g, o: here g and o are exchanged": {
            1: ([[-0.183657, 0.533399], [0.145, -0.0295095]], [[-0.269117, 1.08332], [0.513852, -0.0701865]]),
        },
        "the forget gate is missing: the old cell is multiplied by it": {
            1: ([[-0.381165, 0.465535], [0.230013, -0.765542]], [[-0.878902, 2.10436], [0.358604, -1.66]]),
        },
        "the input gate is missing: the content is multiplied by it": {
            1: ([[0.200348, 0.449246], [-0.240432, -0.569511]], [[0.389606, 1.71077], [-0.376386, -0.851818]]),
        },
        "the parts come in the order i, f, g, o: here o came second": {
            1: ([[-0.173983, 0.476728], [0.188323, -0.0567862]], [[-0.670811, 1.32899], [0.40125, -0.157874]]),
        },
        "the parts come in the order i, f, g, o: here f, i, o, g was taken": {
            1: ([[-0.0897229, 0.192795], [0.145186, -0.177369]], [[-0.129101, 0.29545], [0.514633, -0.449111]]),
        },
        "the content g goes through a tanh, not through a sigmoid": {
            1: ([[-0.0929783, 0.401458], [0.257792, -0.258509]], [[-0.173917, 1.21139], [0.406536, -0.325106]]),
        },
        "h' is made from the new cell, not from the old one": {
            1: ([[-0.411256, 0.462332], [0.359111, -0.744911]], [[-0.176048, 1.20155], [0.055161, -0.704012]]),
        },
        "the tanh of the cell is missing in h'": {
            1: ([[-0.0950649, 0.576244], [0.0368847, -0.579382]], [[-0.176048, 1.20155], [0.055161, -0.704012]]),
        },
        "the bias is missing": {
            1: ([[-0.0652106, 0.265099], [-0.0196559, -0.520714]], [[-0.158103, 1.35018], [-0.0357288, -0.991122]]),
        },
        "the state h is missing: add h W_h": {
            1: ([[-0.0876686, 0.31202], [-0.184517, -0.49885]], [[-0.208067, 1.40587], [-0.233463, -0.60723]]),
        },
        "the output gate is missing: it multiplies the tanh of the cell": {
            1: ([[-0.174252, 0.834126], [0.0551051, -0.606908]], [[-0.176048, 1.20155], [0.055161, -0.704012]]),
        },
        "the gates have no sigmoid": {
            1: ([[-0.0312761, 0.0428581], [0.25296, 1.03836]], [[-0.197624, -0.582554], [0.377165, 0.821253]]),
        },
        "the gates are sigmoids, not tanh": {
            1: ([[0.0111364, 0.0144401], [0.197513, 0.574489]], [[0.0701743, -0.179007], [0.338412, 0.741804]]),
        },
        "the content g has no tanh": {
            1: ([[-0.0797163, 0.402506], [0.00254577, -0.502246]], [[-0.148711, 1.21874], [0.00380722, -0.709373]]),
        },
        "the cell goes through a tanh in h', not a sigmoid": {
            1: ([[0.246292, 0.368704], [0.343556, 0.27234]], [[-0.176048, 1.20155], [0.055161, -0.704012]]),
        },
        "h comes first, then c": {
            1: ([[-0.176048, 1.20155], [0.055161, -0.704012]], [[-0.0940949, 0.400034], [0.0368473, -0.499468]]),
        },
        "both are asked for: h and c": {
            1: [[-0.0940949, 0.400034], [0.0368473, -0.499468]],
        },
        "the old cell went through a tanh: the forget gate keeps it as it is": {
            1: ([[-0.0566024, 0.268695], [0.0160765, -0.372678]], [[-0.105207, 0.633222], [0.024047, -0.488274]]),
        },
        "the old cell came back: return the new one": {
            1: ([[-0.0940949, 0.400034], [0.0368473, -0.499468]], [[-1.0, 2.0], [0.6, -1.5]]),
        },
        "1 - f was taken for the input gate: it has a part of its own": {
            1: ([[0.0990564, 0.42186], [-0.0292535, -0.51786]], [[0.18554, 1.37416], [-0.0437765, -0.740185]]),
        },
        "the forget gate and the input gate share one part: each has its own": {
            1: ([[-0.327234, 0.452233], [0.095219, -0.581482]], [[-0.702568, 1.76419], [0.143374, -0.88029]]),
        },
        "the forget gate has no sigmoid": {
            1: ([[0.407123, 0.219483], [-0.167016, 0.489818]], [[0.982023, 0.494339], [-0.255169, 0.685653]]),
        },
        "the forget gate keeps the old cell c: here it kept h": {
            1: ([[0.14219, -0.00256862], [-0.376276, -0.0122838]],
             [[0.269671, -0.00535598], [-0.636805, -0.0149273]]),
        },
        "the numbers were dealt out in turns: each part is one block of H": {
            1: ([[-0.156263, 0.429932], [0.106862, -0.344488]], [[-0.292946, 1.45394], [0.30365, -0.445982]]),
            2: [[0.680646, -0.769694], [-0.311266, 0.368512]],
        },
        "the cell came back after its tanh: return c' itself": {
            1: ([[-0.0940949, 0.400034], [0.0368473, -0.499468]], [[-0.174252, 0.834126], [0.0551051, -0.606908]]),
        },
        "z keeps the old state and 1 - z takes the new one: here it is the other way around": {
            2: [[-0.674572, -0.763009], [-0.66184, 0.232538]],
        },
        "r acts on h W_h + b_h, after the matrix: here it acted on h, before it": {
            2: [[0.316994, -0.327944], [-0.786213, 0.478366]],
        },
        "r acts on the bias b_h, too": {
            2: [[0.31597, -0.324653], [-0.786652, 0.478699]],
        },
        "the reset gate is missing": {
            2: [[0.314246, -0.320721], [-0.762392, 0.44569]],
        },
        "the parts come in the order r, z, n: here r and z are exchanged": {
            2: [[-0.585798, -0.462083], [-0.677215, 0.370455]],
        },
        "the parts come in the order r, z, n: here n came first": {
            2: [[-0.655081, 0.271146], [-0.65912, 0.0814736]],
        },
        "the parts come in the order r, z, n: here z, n, r was taken": {
            2: [[0.84438, 0.193624], [-0.33251, 0.31643]],
        },
        "the parts come in the order r, z, n: here n, z, r was taken": {
            2: [[0.314232, -0.0571943], [-0.719254, 0.100401]],
        },
        "the new content goes through a tanh, not a sigmoid": {
            2: [[0.464523, -0.122776], [-0.295928, 0.446071]],
        },
        "the new content has no tanh": {
            2: [[0.276071, -0.463383], [-0.722737, 0.315673]],
        },
        "the bias b_h is missing": {
            2: [[0.302698, -0.45898], [-0.610648, 0.114636]],
        },
        "the bias b_x is missing": {
            2: [[0.38626, -0.318607], [-0.741982, 0.292911]],
        },
        "the old state is missing: add z times h": {
            2: [[-0.108636, -0.183087], [-0.242993, 0.0496579]],
        },
        "the old state was added whole: z times h is added": {
            2: [[0.391364, -0.383087], [-1.04299, 0.449658]],
        },
        "the new content was added whole: 1 - z times n is added": {
            2: [[-0.41142, -1.06523], [-1.00284, 0.413492]],
        },
        "r acts on h W_h + b_h alone: here it acted on the bias b_x, too": {
            2: [[0.327258, -0.345946], [-0.691998, 0.259725]],
        },
        "the new state goes through no further tanh": {
            2: [[0.316055, -0.329846], [-0.599264, 0.305256]],
        },
        "r, not z, multiplies h W_h + b_h inside the tanh": {
            2: [[0.315613, -0.333835], [-0.718251, 0.385106]],
        },
        "z, not r, mixes the old state and the new content": {
            2: [[-0.517226, -0.479355], [-0.637783, 0.231993]],
        },
        "r multiplies h W_h + b_h, inside the tanh: here it came after": {
            2: [[0.406091, -0.256925], [-0.555874, 0.325731]],
        },
        "r multiplies h W_h + b_h: here it multiplied x W_x + b_x": {
            2: [[0.337248, -0.208488], [-0.677516, 0.457522]],
        },
        "r went outside: it multiplies h W_h + b_h only, not x W_x + b_x": {
            2: [[0.382245, -0.27635], [-0.579023, 0.331863]],
        },
    })
    from helpers.checks.gradients import cut

    x, h = torch.tensor([[1.0, -0.5, 2], [0.3, 1, -1]]), torch.tensor([[0.5, -0.2], [-0.8, 0.4]])
    c = torch.tensor([[-1.0, 2], [0.6, -1.5]])
    W_x, W_h = torch.sin(torch.arange(24.0)).reshape(3, 8), torch.cos(torch.arange(16.0)).reshape(2, 8)
    new = [[-0.17605, 1.20155], [0.05516, -0.70401]]
    of_lstm = check(lstm_cell, x, h, c, W_x, W_h, torch.arange(8.0) / 4 - 1).equals(
        ([[-0.09409, 0.40003], [0.03685, -0.49947]], new), rtol=1e-3, atol=1e-5, about="LSTM"
    )
    W_x, W_h = torch.sin(torch.arange(18.0)).reshape(3, 6), torch.cos(torch.arange(12.0)).reshape(2, 6)
    b_x, b_h = torch.arange(6.0) / 4 - 1, torch.tensor([0.5, -0.3, 0.2, 0.7, -0.6, 0.9])
    of_gru = check(gru_cell, x, h, W_x, W_h, b_x, b_h).equals(
        [[0.32726, -0.34266], [-0.692, 0.31531]], rtol=1e-3, about="GRU"
    )
    x, h, flow = torch.tensor([[1.0]]), torch.tensor([[0.5]]), {"rtol": 1e-3, "atol": 1e-4}
    W, U = torch.tensor([[0.1, 0.2, 0.3, 0.4]]), torch.tensor([[0.5, -0.5, 1.0, 0.0]])
    sums = [0.3315, 0.8279, 0.6750, 0.2282]
    check(slopes, lstm_cell, x, h, torch.tensor([[2.0]]), W, U, torch.tensor([0.0, 1.0, 0.0, 0.0])).equals(
        [[[0.4925]], [[0.4268]], [[1.4843]], [sums], [[0.1657, 0.4140, 0.3375, 0.1141]], sums], about="LSTM, gradients",
        near=cut(of_lstm), **flow,
    )
    b_x, b_h = torch.tensor([0.0, 0.1, 0.0]), torch.tensor([0.2, 0.0, 0.3])
    by_W, by_U = [[0.0501, -0.0420, 0.2699]], [[0.0250, -0.0210, 0.0856]]
    check(slopes, gru_cell, x, h, W[:, :3], U[:, :3], b_x, b_h).equals(
        [[[0.0776]], [[0.7297]], by_W, by_U, by_W[0], [0.0501, -0.0420, 0.1712]], about="GRU, gradients",
        near=cut(of_gru), **flow,
    )


score
