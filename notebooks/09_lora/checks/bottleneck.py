from helpers.checks import graded


@graded("bottleneck", points=2)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the residual is missing: x itself is added": {
            1: [[0.699622, -0.96592, 0.210994], [1.33746, -2.29538, 1.15286]],
        },
        "the GELU is missing: without it the two matrices are one matrix of low rank": {
            1: [[0.15, -0.94, 3.29], [-1.05, -4.1, 2.41]],
        },
        "GELU belongs between the two matrices, not after them": {
            1: [[0.831987, 0.392096, 3.1629], [-1.024, -1.51212, 2.36535]],
        },
        "this is ReLU; GELU is asked for": {
            1: [[1.85, -0.6, 2.27], [0.45, -3.8, 1.51]],
        },
        "this is the approximation of GELU with tanh; the exact one is asked for": {
            1: [[1.6994, -0.46576, 2.21094], [0.337408, -3.79576, 1.55323]],
        },
        "the biases are missing": {
            1: [[1.32046, -0.361387, 2.64907], [-0.0411344, -3.69458, 1.99409]],
        },
        "the residual is added once": {
            1: [[2.69962, 0.0340803, 4.21099], [-0.662544, -5.29538, 1.95286]],
        },
        "the bias d is missing": {
            1: [[1.62046, -0.361387, 2.14907], [0.258866, -3.69458, 1.49409]],
        },
        "the bias u is missing": {
            1: [[1.39962, -0.46592, 2.71099], [0.0374565, -3.79538, 2.05286]],
        },
        "GELU is after the second matrix, too": {
            1: [[1.53026, 0.338651, 2.12313], [0.216367, -1.52492, 1.40935]],
        },
        "this is a sigmoid in place of GELU": {
            1: [[1.8296, -0.219367, 1.9325], [-0.0631359, -2.37239, 0.426759]],
        },
        "this is the approximation of GELU with a sigmoid; the exact one is asked for": {
            1: [[1.68747, -0.471227, 2.2209], [0.31917, -3.77668, 1.54351]],
        },
        "this is SiLU in place of GELU": {
            1: [[1.45005, -0.377804, 2.23525], [0.0715704, -3.64514, 1.52747]],
        },
        "this is tanh in place of GELU": {
            1: [[0.76484, -0.487581, 2.62159], [-1.1151, -2.66113, 1.12916]],
        },
        "GELU is z Phi(z): here Phi has z, not z divided by the root of 2, in erf": {
            1: [[1.80328, -0.536868, 2.23215], [0.423922, -3.80377, 1.52433]],
        },
        "GELU is z Phi(z): here erf has z / 2, not z divided by the root of 2": {
            1: [[1.53498, -0.398814, 2.21884], [0.173638, -3.72387, 1.55636]],
        },
        "GELU is z Phi(z): the factor 1/2 of Phi is missing": {
            1: [[2.09924, -1.43184, 2.92199], [1.37491, -6.09075, 3.20572]],
        },
        "GELU is z Phi(z): here erf stands for Phi, which is (1 + erf) / 2": {
            1: [[3.24924, 0.00816077, 1.13199], [1.72491, -3.49075, 0.695721]],
        },
        "GELU is z Phi(z): here it is Phi(z) alone": {
            1: [[1.77673, -0.355421, 2.07829], [-0.138555, -2.47591, 0.552409]],
        },
        "d is added after GELU: it belongs inside, with x D^T": {
            1: [[1.47046, -0.501387, 2.33907], [0.108866, -3.83458, 1.68409]],
        },
        "d is added twice: inside GELU and after it": {
            1: [[1.54962, -0.60592, 2.40099], [0.187456, -3.93538, 1.74286]],
        },
        "u is added twice": {
            1: [[1.99962, -0.46592, 1.71099], [0.637457, -3.79538, 1.05286]],
        },
        "d is added twice": {
            1: [[1.7764, -0.572829, 2.27608], [0.414402, -3.89548, 1.61168]],
        },
        "the residual is GELU of x: x itself is added": {
            1: [[1.54097, -0.620188, 2.16549], [1.1788, -2.39559, 1.41503]],
        },
        "x is multiplied by the network's output: it is added": {
            1: [[0.699622, -0.48296, 0.421988], [-1.33746, 3.44307, 0.461144]],
        },
        "the network's output is subtracted from x: it is added": {
            1: [[0.300378, 1.46592, 1.78901], [-2.33746, 0.795377, -0.752861]],
        },
        "x is normalised first: it goes in as it is": {
            1: [[2.57214, -2.13634, 3.36469], [0.45124, -3.88872, 1.59014]],
        },
        "this is a leaky ReLU in place of GELU": {
            1: [[1.833, -0.6034, 2.2802], [0.435, -3.803, 1.519]],
        },
        "this is softplus in place of GELU": {
            1: [[2.16145, -0.853778, 2.37046], [0.699186, -3.85526, 1.45603]],
        },
        "this is ELU in place of GELU": {
            1: [[1.03268, -0.763463, 2.76039], [-0.32687, -3.95537, 1.97612]],
        },
        "the residual goes through GELU as well": {
            1: [[1.62382, -0.149391, 2.18111], [0.213311, -0.000280063, 1.45933]],
        },
        "the sum is divided by two": {
            1: [[0.849811, -0.23296, 1.1055], [0.168728, -1.89769, 0.77643]],
        },
    })
    D = torch.tensor([[1.0, -2.0, 0.5], [0.3, 0.4, -1.0]])
    U = torch.tensor([[0.5, 1.0], [-1.0, 0.2], [0.7, -0.6]])
    d, u = torch.tensor([0.1, -0.2]), torch.tensor([0.3, 0.0, -0.5])
    check(bottleneck, torch.tensor([[1.0, 0.5, 2.0], [-1.0, -1.5, 0.4]]), D, d, U, u).equals(
        [[1.699622, -0.46592, 2.210994], [0.337456, -3.795377, 1.552861]], rtol=1e-4, atol=1e-6,
        near={"x may have any number of axes before the last one: here it needs three in all": ValueError})


score
