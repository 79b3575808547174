# %% exercise="objects"
import numpy as np
import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, width: int, heads: int):
        super().__init__()
        self.inner = nn.MultiheadAttention(width, heads, batch_first=True)
        self.calls = 0

    def forward(self, x):  # (batch, length, width)
        self.calls += 1
        return self.inner(x, x, x)[0]


def train_step(model, x, y):
    loss = ((model(x) - y) ** 2).mean()
    loss.backward()
    return float(loss.detach())


def pairs(words):
    for i, word in enumerate(words):
        yield i, word


def minimise(function, start, steps):
    x = start
    for _ in range(steps):
        x = x - 0.1 * (function(x + 1e-4) - function(x - 1e-4)) / 2e-4
    return x


def sample(generator, size):
    return torch.rand(size, generator=generator)


def shuffle(rng, values):
    return rng.permutation(values)


def count_parameters(module):
    return sum(p.numel() for p in module.parameters())


def scale_in_place(values, factor):
    values *= factor


def apply_twice(function, x):
    return function(function(x))


def new_cache():
    return {"keys": torch.zeros(1, 2), "layers": [np.arange(3), None]}


class Vocabulary:
    def __init__(self, words):
        self.words = list(words)

    def __len__(self):
        return len(self.words)

    def __getitem__(self, place):
        return self.words[place]


def broken(x):
    return x.nothing_of_the_kind


def descend(model, optimizer, x):
    optimizer.zero_grad()
    model(x).sum().backward()
    optimizer.step()


def step(parameters, rate):
    with torch.no_grad():
        for p in parameters:
            p -= rate * p.grad


def descended(model, optimizer, x):
    descend(model, optimizer, x)
    return model.weight.detach()


# %% check="objects" points=100
from helpers.checks import graded


@graded("objects", points=100)
def score(check):
    import numpy as np
    import torch
    from torch import nn

    # A class of the student's: built here, given weights as data, called, asked for its weights.
    torch.manual_seed(3)
    reference = nn.MultiheadAttention(8, 2, batch_first=True)
    mine = Attention(8, 2)
    mine.load_state_dict({f"inner.{name}": value for name, value in reference.state_dict().items()})
    x = torch.randn(2, 5, 8)
    with torch.no_grad():
        check(mine, x).equals(reference(x, x, x)[0], about="attention")
        check(mine.forward, x).equals(reference(x, x, x)[0], about="attention, its method")
        again = mine(x).numpy()  # no graph, as asked for
    check(lambda: again).equals(reference(x, x, x)[0].detach(), about="called straight")
    shapes = {name: tuple(value.shape) for name, value in reference.state_dict().items()}
    check(lambda: {k.removeprefix("inner."): tuple(v.shape) for k, v in mine.state_dict().items()}).equals(shapes)
    check(lambda: [name for name, _ in mine.named_parameters()]).equals([f"inner.{n}" for n in shapes])
    check(lambda: (mine.calls, mine.training, mine.inner.num_heads)).equals((3, True, 2), about="attributes")
    mine.eval()
    check(lambda: mine.training).equals(False, about="a method that changes the object")

    # Gradients of a backward inside the student's own function.
    y = torch.zeros(2, 5, 8)
    loss = train_step(mine, x, y)
    check(lambda: loss).holds(lambda value: type(value) is float and value > 0, "a loss above 0", about="loss")
    want = nn.MultiheadAttention(8, 2, batch_first=True)
    want.load_state_dict(reference.state_dict())
    ((want(x, x, x)[0] - y) ** 2).mean().backward()
    check(lambda: mine.inner.out_proj.weight.grad).equals(want.out_proj.weight.grad, about="a gradient")
    check(lambda: [p.grad is None for p in mine.parameters()]).equals([False] * 4, about="all gradients")
    check(train_step, mine, x, y).holds(lambda value: value > 0, "a loss above 0", about="a copy is trained")
    check(lambda: mine.inner.out_proj.weight.grad).equals(want.out_proj.weight.grad, about="the original is not")

    # A generator that comes back, callbacks that go there, objects of libraries as arguments.
    check(lambda: list(pairs(["a", "b"]))).equals([(0, "a"), (1, "b")], about="a generator")
    kept = "a generator, kept"
    check(pairs, ["a"]).holds(lambda value: list(value) == [(0, "a")], "the pairs", about=kept, data=False)
    check(minimise, lambda v: (v - 2) ** 2, 0.0, 50).equals(2.0, rtol=1e-3, about="a callback")
    check(minimise, np.cosh, 1.0, 5).holds(lambda v: 0 < v < 1, "smaller", about="a library's function")
    torch_generator = torch.Generator().manual_seed(5)
    want = torch.rand(3, generator=torch.Generator().manual_seed(5))
    check(sample, torch_generator, 3).equals(want, about="torch's generator")
    want = np.random.default_rng(4).permutation([1, 2, 3, 4])
    check(shuffle, np.random.default_rng(4), [1, 2, 3, 4]).equals(want, about="NumPy's generator")
    check(count_parameters, nn.Linear(3, 4)).equals(16, about="a library's module")
    check(count_parameters, mine).equals(sum(p.numel() for p in reference.parameters()), about="an own module")
    check(apply_twice, mine, x).holds(lambda v: v.shape == x.shape, "the same shape", about="an own function")
    check(apply_twice, lambda v: v + train_step(mine, x, y) * 0, 1.0).equals(1.0, about="a callback that calls back")

    # What is changed in place.
    values = np.array([1.0, 2.0])
    with check.in_place():
        scale_in_place(values, 3)
    check(lambda: values).equals([3.0, 6.0], about="in place, called straight")
    check(scale_in_place, values, 2).equals(None, about="in place, in a case")

    # A library's module and its optimizer: what they share stays shared, what changes in them changes here.
    linear = nn.Linear(2, 1, bias=False)
    nn.init.ones_(linear.weight)
    optimizer = torch.optim.SGD(linear.parameters(), lr=0.5)
    check(descended, linear, optimizer, torch.tensor([1.0, 2.0])).equals([[0.5, 0.0]], about="optimizer, a copy")
    check(lambda: linear.weight.detach()).equals([[1.0, 1.0]], about="the module is as it was")
    with check.in_place():
        descend(linear, optimizer, torch.tensor([1.0, 2.0]))
    check(lambda: (linear.weight.detach(), linear.weight.grad)).equals(([[0.5, 0.0]], [[1.0, 2.0]]), about="optimizer")
    with check.in_place():
        step(list(linear.parameters()), 0.5)
    check(lambda: linear.weight.detach()).equals([[0.0, -1.0]], about="parameters in a list")

    # Plain data, and objects that are none.
    check(new_cache).equals({"keys": torch.zeros(1, 2), "layers": [np.arange(3), None]})
    words = Vocabulary(["a", "b"])
    check(lambda: (len(words), words[1], list(words))).equals((2, "b", ["a", "b"]), about="an own container")
    check(Vocabulary, ["a"]).equals(["a"], about="an object is no list")
    check(broken, 1).equals(1, about="an error")
    check(broken, [1]).equals(1, near={"there is no such attribute": AttributeError}, about="an error with a name")
    check(lambda: words.missing).equals(1, about="an attribute that is missing")
    check(lambda: words["x"]).equals(1, near={"a word is no place": TypeError}, about="a key of the wrong type")
    check(lambda: Attention(7, 2)).equals(1, near={"heads divide the width": AssertionError}, about="a constructor")


score
