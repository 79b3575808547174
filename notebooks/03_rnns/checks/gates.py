from helpers.checks import difference, graded


@graded("gates", points=8)
def score(check):
    import torch
    from torch import nn

    order = "the parts come in the order i, f, g, o: here f came first"
    go = "the parts come in the order i, f, g, o: here g and o are exchanged"
    no_forget = "the forget gate is missing: the old cell is multiplied by it"
    no_add = "the input gate is missing: the content is multiplied by it"
    sigmoid_g = "the content g goes through a tanh, not through a sigmoid"
    old_c = "h' is made from the new cell, not from the old one"
    no_tanh_c = "the tanh of the cell is missing in h'"
    exchanged = "h comes first, then c"
    turned = "z keeps the old state and 1 - z takes the new one: here it is the other way round"
    reset_before = "r acts on h W_h + b_h, after the matrix: here it acted on h, before it"
    reset_bias = "r acts on the bias b_h, too"
    z_for_r = "r, not z, multiplies h W_h + b_h inside of the tanh"
    r_for_z = "z, not r, mixes the old state and the new content"
    no_reset = "the reset gate is missing"
    zr = "the parts come in the order r, z, n: here r and z are exchanged"
    cut = "the gradient is cut: no detach, no item, no NumPy between the old state and the new"

    dealt = "the numbers were dealt out in turns: each part is one block of H"
    x, h = torch.tensor([[1.0, -0.5, 2], [0.3, 1, -1]]), torch.tensor([[0.5, -0.2], [-0.8, 0.4]])
    c = torch.tensor([[-1.0, 2], [0.6, -1.5]])
    W_x, W_h = torch.sin(torch.arange(24.0)).reshape(3, 8), torch.cos(torch.arange(16.0)).reshape(2, 8)
    new = [[-0.17605, 1.20155], [0.05516, -0.70401]]
    check(lstm_cell, x, h, c, W_x, W_h, torch.arange(8.0) / 4 - 1).equals(
        ([[-0.09409, 0.40003], [0.03685, -0.49947]], new), rtol=1e-3, atol=1e-5, about="LSTM",
        near={order: ([[0.01497, 0.28268], [-0.07813, -0.586]], [[0.02773, 0.67678], [-0.11738, -0.89134]]),
        go: ([[-0.18366, 0.5334], [0.145, -0.02951]], [[-0.26912, 1.08332], [0.51385, -0.07019]]),
        no_forget: ([[-0.38116, 0.46553], [0.23001, -0.76554]], [[-0.8789, 2.10436], [0.3586, -1.66]]),
        no_add: ([[0.20035, 0.44925], [-0.24043, -0.56951]], [[0.38961, 1.71077], [-0.37639, -0.85182]]),
        sigmoid_g: ([[-0.09298, 0.40146], [0.25779, -0.25851]], [[-0.17392, 1.21139], [0.40654, -0.32511]]),
        old_c: ([[-0.41126, 0.46233], [0.35911, -0.74491]], new), no_tanh_c: ([[-0.09506, 0.57624],
        [0.03688, -0.57938]], new), exchanged: (new, [[-0.09409, 0.40003], [0.03685, -0.49947]]),
        dealt: ([[-0.15626, 0.42993], [0.10686, -0.34449]], [[-0.29295, 1.45394], [0.30365, -0.44598]])})
    W_x, W_h = torch.sin(torch.arange(18.0)).reshape(3, 6), torch.cos(torch.arange(12.0)).reshape(2, 6)
    b_x, b_h = torch.arange(6.0) / 4 - 1, torch.tensor([0.5, -0.3, 0.2, 0.7, -0.6, 0.9])
    check(gru_cell, x, h, W_x, W_h, b_x, b_h).equals([[0.32726, -0.34266], [-0.692, 0.31531]], rtol=1e-3, about="GRU",
        near={turned: [[-0.67457, -0.76301], [-0.66184, 0.23254]],
        reset_before: [[0.31699, -0.32794], [-0.78621, 0.47837]], no_reset: [[0.31425, -0.32072], [-0.76239, 0.44569]],
        reset_bias: [[0.31597, -0.32465], [-0.78665, 0.4787]], zr: [[-0.5858, -0.46208], [-0.67722, 0.37045]],
        z_for_r: [[0.315613, -0.333835], [-0.718251, 0.385106]],
        r_for_z: [[-0.517226, -0.479355], [-0.637783, 0.231993]],
        dealt: [[0.68065, -0.76969], [-0.31127, 0.36851]]})


score
