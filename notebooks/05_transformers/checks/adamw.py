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

    uncorrected = "the bias correction is missing: both means begin at 0 and are too small at first"
    half = "only the mean of the gradient is corrected: that of its square begins at 0, too"
    other_half = "only the mean of the square is corrected: that of the gradient begins at 0, too"
    coupled = "the decay was added to the gradient: that is Adam with L2, where it is divided by the root of v"
    no_decay = "the weight decay is missing"
    whole_decay = "the decay is not multiplied by the learning rate"
    twice = "the decay is of the weight before the step, not after it"
    grow = "the decay makes the weight larger: it is subtracted"
    plus = "the step goes up the gradient: it is subtracted"
    forgets = "each step begins anew: use the state that came from the step before"
    sign_less = "the gradient was not squared for v"
    no_root = "the root of v is missing"
    x, g = torch.tensor([1.0]), [torch.tensor([0.5]), torch.tensor([-0.5])]
    stored = "the corrected means were kept in the state: keep the raw ones, and correct them anew each step"
    check(after, x, g, lr=0.1, weight_decay=0.1).equals(
        [[0.89], [0.886363]],
        rtol=1e-4,
        near={
            "count the step first: with t = 0 the bias correction divides by 0": [[torch.nan], [torch.nan]],
            uncorrected: [[0.673772], [0.689401]],
            half: [[-2.172276], [-2.032836]],
            other_half: [[0.98], [0.9712]],
            coupled: [[0.9], [0.886684]],
            no_decay: [[0.9], [0.905263]],
            whole_decay: [[0.8], [0.725263]],
            twice: [[0.891], [0.887301]],
            grow: [[0.91], [0.924363]],
            plus: [[1.09], [1.073837]],
            forgets: [[0.89], [0.9811]],
            sign_less: [[0.919289], [0.913818]],
            no_root: [[0.79], [0.792626]],
            stored: [
                [0.89],
                [0.862275],
            ],
        },
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
        rtol=1e-4,
        atol=1e-5,
        about="another rate, betas, eps and decay",
        near={
            "the two betas are exchanged": [
                [[1.646154, -0.906452], [0.623913, 2.7], [-0.181818, 0.775]],
                [[1.341735, -0.812402], [0.612031, 2.43], [-0.295107, 0.687205]],
            ],
        },
    )


score
