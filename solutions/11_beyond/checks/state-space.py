from helpers.checks import graded


@graded("state-space", points=8)
def score(check):
    import torch

    ### BEGIN MISTAKES
    from functools import partial

    import numpy as np
    from scipy.signal import cont2discrete

    no_C = "C is missing"
    turned = "A is transposed (or B and C are exchanged, which gives the same)"

    def held(A, B, step):
        """SciPy's own, in 64 bits."""
        N = len(B)
        system = A.double().numpy(), B.double().numpy()[:, None], np.zeros((1, N)), np.zeros((1, 1))
        Ad, Bd = cont2discrete(system, float(step))[:2]
        return torch.tensor(Ad).to(A.dtype), torch.tensor(Bd[:, 0]).to(A.dtype)

    eye = torch.eye

    def bilinear(A, B, step):
        half = step * A / 2
        behind, before = eye(len(B)) - half, eye(len(B)) + half
        return torch.linalg.solve(behind, before), torch.linalg.solve(behind, step * B)

    check.mistakes({
        "this is Euler's step, 1 + A times step: zero-order hold takes the exponential":
            lambda A, B, s: (eye(len(B)) + s * A, s * B),
        "the step is ignored": lambda A, B, s: held(A, B, 1.0),
        "B is multiplied by the step: over a step the state decays already": lambda A, B, s: (held(A, B, s)[0], s * B),
        "B came back as it was": lambda A, B, s: (held(A, B, s)[0], B),
        "A is transposed": lambda A, B, s: held(A.T, B, s),
        "the step multiplies A alone in the larger matrix: it multiplies B, too":
            lambda A, B, s: (held(A, B, s)[0], held(A, B, s)[1] / s),
        "the step multiplies B alone in the larger matrix: it multiplies A, too":
            lambda A, B, s: (held(A, B, 1.0)[0], held(A, s * B, 1.0)[1]),
        "B was multiplied by the step twice": lambda A, B, s: (held(A, B, s)[0], held(A, B, s)[1] * s),
        "B is the new A times B times the step: the input is held all through the step":
            lambda A, B, s: (held(A, B, s)[0], s * held(A, B, s)[0] @ B),
        "B belongs in the last column of the larger matrix, not in its last row":
            lambda A, B, s: (held(A, B, s)[0], held(A.T, B, s)[1]),
        "the new B is the last column of the exponential, not its last row": lambda A, B, s: (held(A, B, s)[0], 0 * B),
        "A and B came back in the other order": lambda A, B, s: held(A, B, s)[::-1],
        "the exponential was raised to the step, number by number: the step is inside it":
            lambda A, B, s: tuple(m**s for m in held(A, B, 1.0)),
        "the exponential was taken number by number: torch.matrix_exp is that of a matrix":
            lambda A, B, s: (torch.exp(s * A), held(A, B, s)[1]),
        "the exponential of the larger matrix was taken number by number: torch.matrix_exp is that of a matrix":
            lambda A, B, s: (torch.exp(s * A), torch.exp(s * B)),
        "this is the bilinear rule (Tustin): zero-order hold is asked for": bilinear,
        "the dtype changed: float64 goes in and must come out": lambda A, B, s: tuple(m.float() for m in held(A, B, s)),
    }, discretize)

    def powers(Ad, Bd, C, T):
        if T == 0:
            return C[:0]
        return torch.stack([C @ torch.linalg.matrix_power(Ad, k) @ Bd for k in range(T)])

    def filtered(Ad, Bd, C, u, shift=0):
        """By the matrix of all lags."""
        T = u.shape[-1]
        lag = torch.arange(T)[:, None] - torch.arange(T) - shift
        k = powers(Ad, Bd, C, T)
        return u @ torch.where(lag >= 0, k[lag.clamp(min=0)], torch.zeros((), dtype=k.dtype)).T

    check.mistakes({
        "y is read before the input has come in: h first, then y": lambda *a: filtered(*a, shift=1),
        no_C: lambda Ad, Bd, C, u: filtered(Ad, Bd, torch.ones_like(C), u),
        "the state does not decay": lambda Ad, Bd, C, u: filtered(torch.eye(len(Ad)).to(Ad), Bd, C, u),
        "the old state is forgotten": lambda Ad, Bd, C, u: u * (C @ Bd),
        turned: lambda Ad, Bd, C, u: filtered(Ad.T, Bd, C, u),
        "the input has decayed already: h is A h + B u": lambda Ad, Bd, C, u: filtered(Ad, Ad @ Bd, C, u),
        "the input was added to y: y is C h": lambda *a: filtered(*a) + a[-1],
        "the input is missing: B times u comes in": lambda Ad, Bd, C, u: filtered(Ad, Bd, C, torch.ones_like(u)),
        "A is a matrix: its diagonal alone was used":
            lambda Ad, Bd, C, u: filtered(torch.diag(Ad.diagonal()), Bd, C, u),
        "B is missing: it says what an input does to each number of the state":
            lambda Ad, Bd, C, u: filtered(Ad, torch.ones_like(Bd), C, u),
        "only the first text was read: each row of u has a state of its own":
            lambda Ad, Bd, C, u: filtered(Ad, Bd, C, u[:1].expand(u.shape)),
        "the state goes on from text to text: each begins at 0":
            lambda Ad, Bd, C, u: filtered(Ad, Bd, C, u.reshape(1, -1)).reshape(u.shape),
        "the dtype changed: float64 goes in and must come out": lambda *a: filtered(*a).float(),
    }, recurrence)
    check.mistakes({
        "the kernel begins with C B, the power 0 of A": lambda Ad, Bd, C, T: powers(Ad, Bd, C, T + 1)[1:],
        no_C: lambda Ad, Bd, C, T: powers(Ad, Bd, torch.ones_like(C), T),
        turned: lambda Ad, Bd, C, T: powers(Ad.T, Bd, C, T),
        "the kernel is reversed": lambda Ad, Bd, C, T: powers(Ad, Bd, C, T).flip(0),
        "B is missing": lambda Ad, Bd, C, T: powers(Ad, torch.ones_like(Bd), C, T),
        "the kernel was summed up: what one input leaves is asked for":
            lambda Ad, Bd, C, T: powers(Ad, Bd, C, T).cumsum(0),
        "the powers of A double here (A, A^2, A^4): they go up by one":
            lambda Ad, Bd, C, T: torch.stack([C @ torch.linalg.matrix_power(Ad, 2**j - 1) @ Bd for j in range(T)]),
        "there is one number too many: `length` of them": lambda Ad, Bd, C, T: powers(Ad, Bd, C, T + 1),
        "there is one number too few: `length` of them": lambda Ad, Bd, C, T: powers(Ad, Bd, C, T - 1),
        "the dtype changed: float64 goes in and must come out": lambda Ad, Bd, C, T: powers(Ad, Bd, C, T).float(),
        "the powers are of single numbers: those of the matrix are meant":
            lambda Ad, Bd, C, T: torch.stack([C @ Ad**k @ Bd for k in range(T)]),
    }, kernel)

    def lags(u, k):
        sums = []
        for i in range(u.shape[-1]):
            sums.append(sum(k[j] * u[..., i - j] for j in range(i + 1)))
        return torch.stack(sums, dim=-1)

    def by_fft(u, k, n):
        return torch.fft.irfft(torch.fft.rfft(u, n=n) * torch.fft.rfft(k, n=n), n=n)

    def late_part(u, k, start):
        T = u.shape[-1]
        zeros = torch.zeros_like(u)
        return lags(torch.cat([u, zeros], -1), torch.cat([k, torch.zeros_like(k)]))[..., start : start + T]

    check.mistakes({
        "the end runs into the beginning: fill up with zeros to 2T before the FFT": lambda u, k: by_fft(u, k, n=len(k)),
        "the kernel was reversed: this is a correlation": lambda u, k: lags(u.flip(-1), k).flip(-1),
        "this is the product, number by number": lambda u, k: u * k,
        "the first T of the 2T numbers are asked for, not the last": lambda u, k: late_part(u, k, u.shape[-1]),
        "the first T numbers are asked for: these begin one too late": lambda u, k: late_part(u, k, 1),
        "the end runs into the beginning still: T + 1 numbers are too few, 2T are enough":
            lambda u, k: by_fft(u, k, n=len(k) + 1)[..., : len(k)],
        "the kernel is taken from its second number on": lambda u, k: lags(u, torch.cat([k[1:], 0 * k[:1]])),
        "u and kernel are both reversed": lambda u, k: lags(u, k).flip(-1),
        "the dtype changed: float64 goes in and must come out": lambda *a: lags(*a).float(),
    }, convolve)

    def states(a, b):
        h, found = torch.zeros_like(b[0]), []
        for factor, plus in zip(a, b, strict=True):
            h = factor * h + plus
            found.append(h)
        return torch.stack(found)

    def rounds(a, b, grow=lambda far: 2 * far, short=False, early=False, keep=False, late=True, swap=False):
        """A scan by doubling, with one thing done another way."""
        far, end = 1, len(a)
        if short:
            end = 2 ** (end.bit_length() - 1)
        while far < end:
            joined = torch.cat([a[:far], a[far:] * a[:-far]])
            factors = joined if early else a
            factor = factors[far:] if late else factors[:-far]
            changed, added = (b[far:], b[:-far]) if swap else (b[:-far], b[far:])
            b = torch.cat([b[:far], factor * changed + added])
            a = a if keep else joined
            far = grow(far)
        return b

    check.mistakes({
        "the states are added up without their factors": lambda a, b: b.cumsum(0),
        "only one round was made: twice as far in each": lambda a, b: torch.cat([b[:1], b[1:] + a[1:] * b[:-1]]),
        "the first state is a + b: it begins at 0, so it is b":
            lambda a, b: states(a, torch.cat([b[:1] + a[:1], b[1:]])),
        "this divides by the product of the factors: they may be 0":
            lambda a, b: a.cumprod(0) * (b / a.cumprod(0)).cumsum(0),
        "the last round is missing: where T is no power of 2, log2(T) is rounded up": partial(rounds, short=True),
        "the distance grows by 1: it doubles from round to round": partial(rounds, grow=lambda far: far + 1),
        "the factors were multiplied before the states used them": partial(rounds, early=True),
        "the factors were not multiplied from round to round": partial(rounds, keep=True),
        "the factor is that of the later place: a[far:]": partial(rounds, late=False),
        "the earlier state is multiplied by the later factor, and the later b is added: here it is the reverse":
            partial(rounds, swap=True),
        "the states are those before each step: after it is asked for":
            lambda a, b: torch.cat([torch.zeros_like(b[:1]), states(a, b)[:-1]]),
        "b is multiplied by the factor, too: h is a h + b": lambda a, b: states(a, a * b),
        "the scan runs from the end": lambda a, b: states(a.flip(0), b.flip(0)).flip(0),
        "the dtype changed: float64 goes in and must come out": lambda *a: states(*a).float(),
    }, scan)
    ### END MISTAKES
    t = torch.tensor
    rounded = {"rtol": 1e-3, "atol": 1e-3}
    A, B = t([[-1.0, 0.0], [1.0, -2.0]]), t([1.0, 0.5])
    check(discretize, A, B, 0.5).equals(([[0.6065, 0.0], [0.2387, 0.3679]], [0.3935, 0.2355]), **rounded)
    check(discretize, t([[-1.0, 0.0], [1.0, 0.0]]), B, 0.5).equals(
        ([[0.6065, 0.0], [0.3935, 1.0]], [0.3935, 0.3565]), about="an A without an inverse", **rounded,
        near={"A need not have an inverse: take the exponential of a larger matrix": RuntimeError})
    Ad, Bd, C = t([[0.5]]), t([0.5]), t([2.0])
    check(recurrence, Ad, Bd, C, t([[4.0, 0.0, 8.0]])).equals([[4.0, 2.0, 9.0]], **rounded)
    check(kernel, Ad, Bd, t([3.0]), 3).equals([1.5, 0.75, 0.375], **rounded)
    Ad, Bd, C = t([[0.5, 0.0], [1.0, 0.0]]), t([0.5, 0.5]), t([2.0, 1.0])
    check(recurrence, Ad, Bd, C, t([[4.0, 0.0, 8.0]])).equals([[6.0, 4.0, 14.0]], about="two numbers", **rounded)
    check(kernel, Ad, Bd, C, 3).equals([1.5, 1.0, 0.5], about="two numbers", **rounded)
    check(convolve, t([[4.0, 0.0, 8.0]]), t([1.0, 0.5, 0.25])).equals([[4.0, 2.0, 9.0]], **rounded)
    a, b = t([[0.5], [0.5], [2.0], [1.0]]), t([[2.0], [0.0], [3.0], [1.0]])
    check(scan, a, b).equals([[2.0], [1.0], [5.0], [6.0]], **rounded)
    a[2] = 0.0
    check(scan, a, b).equals([[2.0], [1.0], [3.0], [4.0]], about="a factor of 0", **rounded)

    def by_fourier(names):
        return any("fft" in name for name in names)

    no_fft = {"the sum was made without an FFT: by FFT is asked for": lambda names: not by_fourier(names)}
    check(operations, convolve, t([[4.0, 0.0, 8.0]]), t([1.0, 0.5, 0.25])).holds(
        by_fourier, "an FFT among the operations", about="by FFT", near=no_fft)
    place_by_place = {"this goes from place to place: a round joins all places at once, and about log2(T) of them do":
                      lambda names: len(names) >= 500}
    check(operations, scan, torch.ones(500, 1), torch.ones(500, 1)).holds(
        lambda names: len(names) < 500, "fewer than 500 operations for 500 places: 9 rounds", about="in rounds",
        near=place_by_place)
    ### BEGIN HIDDEN TESTS
    from helpers.checks.gradients import golden

    check.hidden()

    def draw(*shape, dtype=torch.float32, size=1.0):
        return size * t(check.rng.normal(size=shape), dtype=dtype)

    for N, step in [(3, 0.3), (5, 0.1), (2, 1.5)]:
        A, B = draw(N, N) - eye(N), draw(N)
        check(discretize, A, B, step).equals(held(A, B, step), about="fresh systems", rtol=1e-3, atol=1e-4, weight=2)
    A, B = t([[-1.0, 1.0], [0.0, 0.0]]), t([0.3, 1.0])
    check(discretize, A, B, 0.4).equals(
        held(A, B, 0.4), about="an A that has no inverse", edge=True, rtol=1e-3, atol=1e-4,
        near={"A need not have an inverse: take the exponential of a larger matrix": RuntimeError})
    A, B = draw(1, 1), draw(1)
    check(discretize, A, B, 0.2).equals(held(A, B, 0.2), about="a state of one", edge=True, rtol=1e-3, atol=1e-4)
    A, B = draw(3, 3, dtype=torch.float64), draw(3, dtype=torch.float64)
    check(discretize, A, B, 0.2).equals(held(A, B, 0.2), about="float64 stays", edge=True, rtol=1e-9, atol=1e-12)
    check(discretize, A, B, 0.001).equals(held(A, B, 0.001), about="a short step", edge=True, rtol=1e-9, atol=1e-12)

    def by_series(A, B, step):
        term = first = integral = eye(len(B), dtype=A.dtype)
        for k in range(1, 25):
            term = term @ A * step / k
            first, integral = first + term, integral + term / (k + 1)
        return first, step * integral @ B

    check(slopes, discretize, A, B, 0.2).equals(
        golden(by_series, A, B, 0.2), about="gradients of A and B", rtol=1e-6, atol=1e-9,
        near={"the gradient is cut on the way from A and B": RuntimeError})

    def system(N, **kind):
        return draw(N, N, **kind) / (2 * N**0.5), draw(N, **kind), draw(N, **kind)

    for N, batch, T in [(3, 2, 6), (4, 3, 9), (2, 2, 5)]:
        case = *system(N), draw(batch, T)
        check(recurrence, *case).equals(filtered(*case), about="the recurrence on fresh inputs", rtol=1e-3, atol=1e-4)
    for N, batch, T in [(1, 1, 1), (2, 1, 1), (1, 2, 3)]:
        case = *system(N), draw(batch, T)
        check(recurrence, *case).equals(filtered(*case), about="axes of size 1", edge=True, rtol=1e-3, atol=1e-5)
    case = *system(3, dtype=torch.float64), draw(2, 4, dtype=torch.float64)
    check(recurrence, *case).equals(filtered(*case), about="float64 stays", edge=True, rtol=1e-9)
    check(slopes, recurrence, *case).equals(golden(filtered, *case), about="gradients", rtol=1e-5, atol=1e-8)
    for N, T in [(3, 6), (4, 9), (2, 4)]:
        case = *system(N), T
        check(kernel, *case).equals(powers(*case), about="fresh kernels", rtol=1e-3, atol=1e-5)
    for N, T in [(1, 1), (3, 1)]:
        case = *system(N), T
        check(kernel, *case).equals(powers(*case), about="axes of size 1", edge=True, rtol=1e-3, atol=1e-5)
    case = *system(3, dtype=torch.float64), 5
    check(kernel, *case).equals(powers(*case), about="float64 stays", edge=True, rtol=1e-9)
    check(lambda: isinstance(kernel(*case), torch.Tensor)).equals(
        True, about="a tensor", edge=True, near={"a tensor (length,) is asked for, not a list": False})
    check(slopes, kernel, *case).equals(golden(powers, *case), about="gradients", rtol=1e-5, atol=1e-8)
    for shape in [(2, 7), (3, 8), (2, 3, 5)]:
        case = draw(*shape), draw(shape[-1])
        check(convolve, *case).equals(lags(*case), about="fresh convolutions", rtol=1e-3, atol=1e-4, weight=2)
    for shape in [(1, 1), (1, 2), (6,)]:
        case = draw(*shape), draw(shape[-1])
        check(convolve, *case).equals(lags(*case), about="one row, one number", edge=True, rtol=1e-3, atol=1e-4)
    case = draw(2, 6, dtype=torch.float64), draw(6, dtype=torch.float64)
    check(convolve, *case).equals(lags(*case), about="float64 stays", edge=True, rtol=1e-9, atol=1e-11)
    check(slopes, convolve, *case).equals(golden(lags, *case), about="gradients", rtol=1e-5, atol=1e-7)
    for T, N in [(8, 3), (13, 4), (5, 2), (33, 1)]:
        case = draw(T, N), draw(T, N)
        check(scan, *case).equals(states(*case), about="fresh scans", rtol=1e-3, atol=1e-4, weight=2)
    for T, N in [(1, 1), (1, 3), (2, 1)]:
        case = draw(T, N), draw(T, N)
        check(scan, *case).equals(states(*case), about="one step, one number", edge=True, rtol=1e-4, atol=1e-5)
    a, b = draw(6, 2), draw(6, 2)
    a[2], a[4, 0] = 0.0, 0.0
    check(scan, a, b).equals(states(a, b), about="factors of 0", edge=True, rtol=1e-4, atol=1e-5,
                             near={"nothing may be divided by the factors: they may be 0": states(a, b) * torch.nan})
    case = draw(6, 3, dtype=torch.float64), draw(6, 3, dtype=torch.float64)
    check(scan, *case).equals(states(*case), about="float64 stays", edge=True, rtol=1e-9, atol=1e-12)
    check(slopes, scan, *case).equals(golden(states, *case), about="gradients", rtol=1e-5, atol=1e-8)
    check(operations, convolve, draw(2, 9), draw(9)).holds(
        by_fourier, "an FFT among the operations", about="the way of a convolution", edge=True, near=no_fft)
    check(operations, scan, draw(500, 2) / 2, draw(500, 2)).holds(
        lambda names: len(names) < 500, "fewer operations than places", about="the way of a scan", edge=True,
        near=place_by_place)
    check.mistakes({}, discretize, recurrence, kernel, convolve, scan)
    wide, large = {"dtype": torch.float64, "size": 100.0}, {"edge": True, "rtol": 1e-6, "atol": 1e-6}
    A, B, C = draw(66, 66, dtype=torch.float64) / 20, draw(66, **wide), draw(66, **wide)
    A[0, 1] = -100.0
    check(discretize, A, B, 0.1).equals(held(A, B, 0.1), about="a large system", **large)
    u = draw(66, 3, **wide)
    check(recurrence, A, B, C, u).equals(filtered(A, B, C, u), about="a large system", **large)
    check(kernel, A, B, C, 3).equals(powers(A, B, C, 3), about="a large system", **large)
    case = *system(2, dtype=torch.float64), 70
    check(kernel, *case).equals(powers(*case), about="a long kernel", edge=True, rtol=1e-6, atol=1e-30)
    case = draw(66, 66, **wide), draw(66, **wide)
    check(convolve, *case).equals(lags(*case), about="many long rows of large numbers", **large)
    case = draw(70, 2, dtype=torch.float64) / 2, draw(70, 2, **wide)
    case[0][3] = 100.0
    check(scan, *case).equals(states(*case), about="many steps, large numbers", **large)
    ### END HIDDEN TESTS


score
