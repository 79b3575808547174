from helpers.checks import graded


@graded("state-space", points=8)
def score(check):
    import torch

    t = torch.tensor
    near = {"rtol": 1e-3, "atol": 1e-3}
    euler = "this is Euler's step, 1 + A times step: zero-order hold takes the exponential"
    no_step = "the step is ignored"
    b_euler = "B is multiplied by the step: over a step the state decays already"
    b_plain = "B came back as it was"
    A, B = t([[-1.0, 0.0], [1.0, -2.0]]), t([1.0, 0.5])
    check(discretize, A, B, 0.5).equals(([[0.6065, 0.0], [0.2387, 0.3679]], [0.3935, 0.2355]), **near, near={
        euler: ([[0.5, 0.0], [0.5, 0.0]], [0.5, 0.25]), no_step: ([[0.3679, 0.0], [0.2325, 0.1353]], [0.6321, 0.4160]),
        b_euler: ([[0.6065, 0.0], [0.2387, 0.3679]], [0.5, 0.25]),
        b_plain: ([[0.6065, 0.0], [0.2387, 0.3679]], [1.0, 0.5]),
        "the step multiplies A alone in the larger matrix: it multiplies B, too": (
            [[0.6065, 0.0], [0.2387, 0.3679]], [0.7869, 0.4709]),
        "B was multiplied by the step twice": ([[0.6065, 0.0], [0.2387, 0.3679]], [0.1967, 0.1177]),
        "A and B came in the other order": ([0.3935, 0.2355], [[0.6065, 0.0], [0.2387, 0.3679]]),
        "the new B is the last column of the exponential, not its last row": (
            [[0.6065, 0.0], [0.2387, 0.3679]], [0.0, 0.0]),
        "the exponential was taken number by number: torch.matrix_exp is that of a matrix": (
            [[0.6065, 1.0], [1.6487, 0.3679]], [0.3935, 0.2355]),
    })
    Ad, Bd, C = t([[0.5]]), t([0.5]), t([2.0])
    before = "y is read before the input has come in: h first, then y"
    no_C = "C is missing"
    forgot = "the old state is forgotten"
    check(recurrence, Ad, Bd, C, t([[4.0, 0.0, 8.0]])).equals([[4.0, 2.0, 9.0]], **near, near={
        before: [[0.0, 4.0, 2.0]], "C is missing, or the input has decayed already: h is A h + B u": [[2.0, 1.0, 4.5]],
        "the input was added to y: y is C h": [[8.0, 2.0, 17.0]],
        "the input is missing: B times u comes in": [[1.0, 1.5, 1.75]], forgot: [[4.0, 0.0, 8.0]],
        "the state does not decay": [[4.0, 4.0, 12.0]]})
    late = "the kernel begins with C B, the power 0 of A"
    check(kernel, Ad, Bd, t([3.0]), 3).equals([1.5, 0.75, 0.375], **near, near={
        late: [0.75, 0.375, 0.1875], no_C: [0.5, 0.25, 0.125], "B is missing": [3.0, 1.5, 0.75],
        "the kernel is turned round": [0.375, 0.75, 1.5]})
    circular = "the end runs into the beginning: fill up with zeros to 2T before the FFT"
    check(convolve, t([[4.0, 0.0, 8.0]]), t([1.0, 0.5, 0.25])).equals([[4.0, 2.0, 9.0]], **near, near={
        circular: [[8.0, 4.0, 9.0]], "the first T numbers are asked: these begin one too late": [[2.0, 9.0, 4.0]],
        "the first T of the 2T numbers are asked, not the last": [[4.0, 2.0, 0.0]],
        "the kernel was turned round: this is a correlation": [[6.0, 4.0, 8.0]],
        "this is the product, number by number": [[4.0, 0.0, 2.0]]})
    a, b = t([[0.5], [0.5], [2.0], [1.0]]), t([[2.0], [0.0], [3.0], [1.0]])
    check(scan, a, b).equals([[2.0], [1.0], [5.0], [6.0]], **near, near={
        "the states are added up without their factors": [[2.0], [2.0], [5.0], [6.0]],
        "only one round was made: twice as far in each": [[2.0], [1.0], [3.0], [4.0]],
        "the factors were not multiplied from round to round": [[2.0], [1.0], [7.0], [5.0]],
        "the states are those before each step: after it is asked": [[0.0], [2.0], [1.0], [5.0]],
    })


score
