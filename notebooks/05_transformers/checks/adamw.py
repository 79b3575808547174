from helpers.checks import graded


@graded("adamw", points=6)
def score(check):
    import torch

    def after(weight, gradients, **options):
        """The weights after each step."""
        state, found = None, []
        for grad in gradients:
            weight, state = adamw_step(weight, grad, state, **options)
            found.append(torch.as_tensor(weight))
        return torch.stack(found)

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the bias correction is missing: both means begin at 0 and are too small at first": {
            1: [[0.673772], [0.689401]],
            2: [[[1.72361, -0.901323], [0.557064, 2.7], [-0.123607, 0.851433]],
             [[1.45582, -0.809617], [0.531742, 2.43], [-0.216044, 0.76629]]],
        },
        "only the mean of the gradient is corrected: that of its square begins at 0, too": {
            1: [[-2.17228], [-2.03284]],
            2: [[[1.41803, -0.906617], [0.985322, 2.7], [-0.618034, 0.657166]],
             [[1.01117, -0.811584], [0.971189, 2.43], [-0.847336, 0.591449]]],
        },
        "only the mean of the square is corrected: that of the gradient begins at 0, too": {
            1: [[0.98], [0.9712]],
            2: [[[1.76923, -0.90129], [0.484783, 2.7], [-0.0363636, 0.875]],
             [[1.54436, -0.809642], [0.449146, 2.43], [-0.0744779, 0.7875]]],
        },
        "the decay was added to the gradient: that is Adam with L2, where it is divided by the root of v": {
            1: [[0.9], [0.886684]],
            2: [[[1.82609, -0.875949], [0.670732, 2.83333], [-0.181818, 0.846154]],
             [[1.66069, -0.753908], [0.674611, 2.66794], [-0.293632, 0.754534]]],
        },
        "the weight decay is missing": {
            1: [[0.9], [0.905263]],
            2: [[[1.84615, -1.00645], [0.673913, 3.0], [-0.181818, 0.875]],
             [[1.71296, -1.00223], [0.709584, 3.0], [-0.297792, 0.875]]],
        },
        "the decay is not multiplied by the learning rate": {
            1: [[0.8], [0.725263]],
            2: [[[0.846154, -0.506452], [0.423913, 1.5], [-0.181818, 0.375]],
             [[0.289883, -0.249005], [0.247628, 0.75], [-0.206883, 0.1875]]],
        },
        "the decay is of the weight before the step, not after it": {
            1: [[0.891], [0.887301]],
            2: [[[1.66154, -0.905806], [0.606522, 2.7], [-0.163636, 0.7875]],
             [[1.37551, -0.811428], [0.577973, 2.43], [-0.251649, 0.70875]]],
        },
        "the decay makes the weight larger: it is subtracted": {
            1: [[0.91], [0.924363]],
            2: [[[2.04615, -1.10645], [0.723913, 3.3], [-0.181818, 0.975]],
             [[2.11757, -1.21288], [0.831975, 3.63], [-0.315974, 1.0725]]],
        },
        "the step goes up the gradient: it is subtracted": {
            1: [[1.09], [1.07384]],
            2: [[[1.95385, -0.893548], [0.276087, 2.7], [0.181818, 1.025]],
             [[1.89166, -0.808414], [0.212807, 2.43], [0.27961, 0.9225]]],
        },
        "each step begins anew: use the state that came from the step before": {
            1: [[0.89], [0.9811]],
            2: [[[1.64615, -0.906452], [0.623913, 2.7], [-0.181818, 0.775]],
             [[1.35654, -0.803306], [0.407676, 2.43], [-0.213636, 0.811786]]],
        },
        "the gradient was not squared for v": {
            1: [[0.919289], [0.913818]],
            2: [[[1.64615, -0.905], [0.683343, 2.7], [-0.295268, 0.800706]],
             [[1.35727, -0.811348], [0.658883, 2.43], [-0.447299, 0.720635]]],
        },
        "the root of v is missing": {
            1: [[0.79], [0.792626]],
            2: [[[1.64615, -0.906664], [0.543023, 2.7], [-0.0645161, 0.718182]],
             [[1.32374, -0.811557], [0.512862, 2.43], [-0.117295, 0.646364]]],
        },
        "the two betas are exchanged": {
            1: [[0.89], [0.88115]],
            2: [[[1.64615, -0.906452], [0.623913, 2.7], [-0.181818, 0.775]],
             [[1.34173, -0.812402], [0.612031, 2.43], [-0.295107, 0.687205]]],
        },
        "the argument lr is ignored": {
            1: [[0.9989], [0.998853]],
            2: [[[1.99823, -0.999532], [0.50062, 2.9985], [-0.000909091, 0.998875]],
             [[1.99657, -0.999011], [0.500548, 2.997], [-0.00148851, 0.998376]]],
        },
        "the argument weight_decay is ignored": {
            1: [[0.899], [0.903364]],
            2: [[[1.84215, -1.00445], [0.672913, 2.994], [-0.181818, 0.873]],
             [[1.70528, -0.998222], [0.707238, 2.98801], [-0.297429, 0.871254]]],
        },
        "the steps are counted from 1: here the first is step 2": {
            1: [[0.915586], [0.910949]],
            2: [[[1.69065, -0.903617], [0.578287, 2.7], [-0.136146, 0.815576]],
             [[1.40925, -0.810115], [0.55125, 2.43], [-0.223362, 0.734019]]],
        },
        "the gradients were added up: a running mean takes (1 - beta) of the new one": {
            1: [[0.958377], [0.950458]],
            2: [[[1.59045, -0.929009], [0.66635, 2.7], [-0.218716, 0.702844]],
             [[1.24176, -0.818151], [0.645275, 2.43], [-0.340475, 0.63256]]],
        },
        "the corrected means were kept in the state: keep the raw ones, and correct them anew each step": {
            1: [[0.89], [0.862275]],
            2: [[[1.64615, -0.906452], [0.623913, 2.7], [-0.181818, 0.775]],
             [[1.33627, -0.822453], [0.679655, 2.43], [-0.302745, 0.603278]]],
        },
        "the corrected m was kept in the state: keep the raw one, and correct it anew each step": {
            1: [[0.89], [0.460047]],
            2: [[[1.64615, -0.906452], [0.623913, 2.7], [-0.181818, 0.775]],
             [[1.02048, -0.82284], [0.977684, 2.43], [-0.724951, 0.460934]]],
        },
        "the corrected v was kept in the state: keep the raw one, and correct it anew each step": {
            1: [[0.89], [0.881335]],
            2: [[[1.64615, -0.906452], [0.623913, 2.7], [-0.181818, 0.775]],
             [[1.43957, -0.811819], [0.571647, 2.43], [-0.192378, 0.6975]]],
        },
        "the correction has beta to the power of t, not beta times t": {
            1: [[0.89], [float("nan")]],
            2: [[[1.64615, -0.906452], [0.623913, 2.7], [-0.181818, 0.775]],
             [[float("nan"), float("nan")], [float("nan"), 2.43], [float("nan"), float("nan")]]],
        },
        "the steps are not counted: the correction is always that of step 1": {
            1: [[0.89], [0.888173]],
            2: [[[1.64615, -0.906452], [0.623913, 2.7], [-0.181818, 0.775]],
             [[1.29522, -0.808359], [0.609697, 2.43], [-0.318639, 0.6975]]],
        },
        "the correction divides by beta to the power of t: by 1 less that": {
            1: [[0.638812], [0.660009]],
            2: [[[1.70556, -0.901654], [0.581782, 2.7], [-0.151784, 0.839717]],
             [[1.38935, -0.809031], [0.569577, 2.43], [-0.294649, 0.755745]]],
        },
        "eps stands beside the root, not inside it": {
            2: [[[1.62459, -0.903651], [0.642897, 2.7], [-0.196748, 0.76516]],
             [[1.31116, -0.810852], [0.618725, 2.43], [-0.305342, 0.688644]]],
        },
        "eps is missing": {
            2: [[[1.6, -1.1], [0.65, float("nan")], [-0.2, 0.7]],
             [[1.25587, -0.906314], [0.627492, float("nan")], [-0.31258, 0.63]]],
        },
        "eps is added to the root of the corrected mean, not of the raw one": {
            2: [[[1.71459, -0.90148], [0.569702, 2.7], [-0.138197, 0.845701]],
             [[1.46037, -0.809967], [0.539085, 2.43], [-0.215275, 0.761131]]],
        },
        "the argument betas is ignored": {
            2: [[[1.64615, -0.906452], [0.623913, 2.7], [-0.181818, 0.775]],
             [[1.34639, -0.81214], [0.606293, 2.43], [-0.285329, 0.690508]]],
        },
        "the argument eps is ignored": {
            2: [[[1.6, -1.1], [0.65, 2.7], [-0.2, 0.7]],
             [[1.25587, -0.906314], [0.627492, 2.43], [-0.31258, 0.63]]],
        },
        "v is one number for the whole weight: each number has its own": {
            2: [[[1.69137, -0.901086], [0.66726, 2.7], [-0.325891, 0.845685]],
             [[1.42127, -0.810046], [0.647132, 2.43], [-0.487458, 0.761116]]],
        },
    })
    x, g = torch.tensor([1.0]), [torch.tensor([0.5]), torch.tensor([-0.5])]
    check(after, x, g, lr=0.1, weight_decay=0.1).equals(
        [[0.89], [0.886363]], rtol=1e-4,
        near={"count the step first: with t = 0 the bias correction divides by 0": [[torch.nan], [torch.nan]]}
    )
    x = torch.tensor([[2.0, -1.0], [0.5, 3.0], [0.0, 1.0]])
    g = [torch.tensor([[1.0, 0.01], [-2.0, 0.0], [3.0, 0.5]]), torch.tensor([[0.5, -0.02], [1.0, 0.0], [0.1, -0.4]])]
    options = {"lr": 0.2, "betas": (0.8, 0.95), "eps": 0.3, "weight_decay": 0.5}

    def reference(x, g, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        p = torch.nn.Parameter(x.clone())
        optimizer, found = torch.optim.AdamW([p], lr, betas, eps, weight_decay), []
        for grad in g:
            p.grad = grad.clone()
            optimizer.step()
            found.append(p.detach().clone())
        return torch.stack(found)

    check(after, x, g, **options).equals(
        [
            [[1.646154, -0.906452], [0.623913, 2.7], [-0.181818, 0.775]],
            [[1.348344, -0.811586], [0.597193, 2.43], [-0.27961, 0.6975]],
        ],
        rtol=1e-4, atol=1e-5, about="another rate, betas, eps and decay"
    )

    def near_to(weight):
        return lambda v: torch.allclose(torch.as_tensor(v[0]), torch.as_tensor(weight), rtol=1e-4, atol=1e-6)

    check(adamw_step, torch.tensor([1.0]), torch.tensor([0.5]), None, 0.1, (0.9, 0.999), 1e-8, 0.1).holds(
        near_to([0.89]), "0.89 and the new state", about="nothing is changed in place", edge=True)

    def without_optimisers(weight):
        """What is asked of a call that must give this weight and not call torch's optimisers."""

        def right(found):
            return near_to(weight)(found[0])

        return {
            "test": lambda found: right(found) and not found[1],
            "says": "the weight, and no call of torch's optimisers",
            "near": {"torch's optimiser did the step": lambda found: right(found) and bool(found[1])},
        }

    check(taken, ["torch.optim"], adamw_step, torch.tensor([1.0]), torch.tensor([0.5])).holds(
        **without_optimisers([0.99899]), about="without torch.optim")


score
