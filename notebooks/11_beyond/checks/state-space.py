from helpers.checks import graded


@graded("state-space", points=8)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "this is Euler's step, 1 + A times step: zero-order hold takes the exponential": {
            1: ([[0.5, 0.0], [0.5, 0.0]], [0.5, 0.25]),
            2: ([[0.5, 0.0], [0.5, 1.0]], [0.5, 0.25]),
        },
        "the step is ignored": {
            1: ([[0.367879, 0.0], [0.232544, 0.135335]], [0.632121, 0.415954]),
            2: ([[0.367879, 0.0], [0.632121, 1.0]], [0.632121, 0.867879]),
        },
        "B is multiplied by the step: over a step the state decays already": {
            1: ([[0.606531, 0.0], [0.238651, 0.367879]], [0.5, 0.25]),
            2: ([[0.606531, 0.0], [0.393469, 1.0]], [0.5, 0.25]),
        },
        "B came back as it was": {
            1: ([[0.606531, 0.0], [0.238651, 0.367879]], [1.0, 0.5]),
            2: ([[0.606531, 0.0], [0.393469, 1.0]], [1.0, 0.5]),
        },
        "A is transposed": {
            1: ([[0.606531, 0.238651], [0.0, 0.367879]], [0.432174, 0.15803]),
            2: ([[0.606531, 0.393469], [0.0, 1.0]], [0.446735, 0.25]),
        },
        "the step multiplies A alone in the larger matrix: it multiplies B, too": {
            1: ([[0.606531, 0.0], [0.238651, 0.367879]], [0.786939, 0.470878]),
            2: ([[0.606531, 0.0], [0.393469, 1.0]], [0.786939, 0.713061]),
        },
        "the step multiplies B alone in the larger matrix: it multiplies A, too": {
            1: ([[0.367879, 0.0], [0.232544, 0.135335]], [0.31606, 0.207977]),
            2: ([[0.367879, 0.0], [0.632121, 1.0]], [0.31606, 0.43394]),
        },
        "B was multiplied by the step twice": {
            1: ([[0.606531, 0.0], [0.238651, 0.367879]], [0.196735, 0.11772]),
            2: ([[0.606531, 0.0], [0.393469, 1.0]], [0.196735, 0.178265]),
        },
        "B is the new A times B times the step: the input is held all through the step": {
            1: ([[0.606531, 0.0], [0.238651, 0.367879]], [0.303265, 0.211295]),
            2: ([[0.606531, 0.0], [0.393469, 1.0]], [0.303265, 0.446735]),
        },
        "B belongs in the last column of the larger matrix, not in its last row": {
            1: ([[0.606531, 0.0], [0.238651, 0.367879]], [0.432174, 0.15803]),
            2: ([[0.606531, 0.0], [0.393469, 1.0]], [0.446735, 0.25]),
        },
        "the new B is the last column of the exponential, not its last row": {
            1: ([[0.606531, 0.0], [0.238651, 0.367879]], [0.0, 0.0]),
            2: ([[0.606531, 0.0], [0.393469, 1.0]], [0.0, 0.0]),
        },
        "A and B came back in the other order": {
            1: ([0.393469, 0.235439], [[0.606531, 0.0], [0.238651, 0.367879]]),
            2: ([0.393469, 0.356531], [[0.606531, 0.0], [0.393469, 1.0]]),
        },
        "the exponential was raised to the step, number by number: the step is inside it": {
            1: ([[0.606531, 0.0], [0.482228, 0.367879]], [0.79506, 0.644945]),
            2: ([[0.606531, 0.0], [0.79506, 1.0]], [0.79506, 0.931601]),
        },
        "the exponential was taken number by number: torch.matrix_exp is that of a matrix": {
            1: ([[0.606531, 1.0], [1.64872, 0.367879]], [0.393469, 0.235439]),
            2: ([[0.606531, 1.0], [1.64872, 1.0]], [0.393469, 0.356531]),
        },
        "the exponential of the larger matrix was taken number by number: torch.matrix_exp is that of a matrix": {
            1: ([[0.606531, 1.0], [1.64872, 0.367879]], [1.64872, 1.28403]),
            2: ([[0.606531, 1.0], [1.64872, 1.0]], [1.64872, 1.28403]),
        },
        "this is the bilinear rule (Tustin): zero-order hold is asked for": {
            1: ([[0.6, 0.0], [0.266667, 0.333333]], [0.4, 0.233333]),
            2: ([[0.6, 0.0], [0.4, 1.0]], [0.4, 0.35]),
        },
        "y is read before the input has come in: h first, then y": {
            3: [[0.0, 4.0, 2.0]],
            5: [[0.0, 6.0, 4.0]],
        },
        "C is missing": {
            3: [[2.0, 1.0, 4.5]],
            4: [0.5, 0.25, 0.125],
            5: [[4.0, 3.0, 9.5]],
            6: [1.0, 0.75, 0.375],
        },
        "the state does not decay": {
            3: [[4.0, 4.0, 12.0]],
            5: [[6.0, 6.0, 18.0]],
        },
        "the old state is forgotten": {
            3: [[4.0, 0.0, 8.0]],
            5: [[6.0, 0.0, 12.0]],
        },
        "the input has decayed already: h is A h + B u": {
            3: [[2.0, 1.0, 4.5]],
            5: [[4.0, 2.0, 9.0]],
        },
        "the input was added to y: y is C h": {
            3: [[8.0, 2.0, 17.0]],
            5: [[10.0, 4.0, 22.0]],
        },
        "the input is missing: B times u comes in": {
            3: [[1.0, 1.5, 1.75]],
            5: [[1.5, 2.5, 3.0]],
        },
        "B is missing: it says what an input does to each number of the state": {
            3: [[8.0, 4.0, 18.0]],
            5: [[12.0, 8.0, 28.0]],
        },
        "the kernel begins with C B, the power 0 of A": {
            4: [0.75, 0.375, 0.1875],
            6: [1.0, 0.5, 0.25],
        },
        "the kernel is reversed": {
            4: [0.375, 0.75, 1.5],
            6: [0.5, 1.0, 1.5],
        },
        "B is missing": {
            4: [3.0, 1.5, 0.75],
            6: [3.0, 2.0, 1.0],
        },
        "the kernel was summed up: what one input leaves is asked for": {
            4: [1.5, 2.25, 2.625],
            6: [1.5, 2.5, 3.0],
        },
        "the powers of A double here (A, A^2, A^4): they go up by one": {
            4: [1.5, 0.75, 0.1875],
            6: [1.5, 1.0, 0.25],
        },
        "there is one number too many: `length` of them": {
            4: [1.5, 0.75, 0.375, 0.1875],
            6: [1.5, 1.0, 0.5, 0.25],
        },
        "there is one number too few: `length` of them": {
            4: [1.5, 0.75],
            6: [1.5, 1.0],
        },
        "A is transposed (or B and C are exchanged, which gives the same)": {
            5: [[6.0, 6.0, 15.0]],
            6: [1.5, 1.5, 0.75],
        },
        "A is a matrix: its diagonal alone was used": {
            5: [[6.0, 2.0, 13.0]],
        },
        "the powers are of single numbers: those of the matrix are meant": {
            6: [3.0, 1.0, 0.75],
        },
        "the end runs into the beginning: fill up with zeros to 2T before the FFT": {
            7: [[8.0, 4.0, 9.0]],
        },
        "the kernel was reversed: this is a correlation": {
            7: [[6.0, 4.0, 8.0]],
        },
        "this is the product, number by number": {
            7: [[4.0, 0.0, 2.0]],
        },
        "the first T of the 2T numbers are asked for, not the last": {
            7: [[4.0, 2.0, 0.0]],
        },
        "the first T numbers are asked for: these begin one too late": {
            7: [[2.0, 9.0, 4.0]],
        },
        "the end runs into the beginning still: T + 1 numbers are too few, 2T are enough": {
            7: [[6.0, 2.0, 9.0]],
        },
        "the kernel is taken from its second number on": {
            7: [[2.0, 1.0, 4.0]],
        },
        "u and kernel are both reversed": {
            7: [[9.0, 2.0, 4.0]],
        },
        "the states are added up without their factors": {
            8: [[2.0], [2.0], [5.0], [6.0]],
            9: [[2.0], [2.0], [5.0], [6.0]],
        },
        "only one round was made: twice as far in each": {
            8: [[2.0], [1.0], [3.0], [4.0]],
        },
        "the first state is a + b: it begins at 0, so it is b": {
            8: [[2.5], [1.25], [5.5], [6.5]],
            9: [[2.5], [1.25], [3.0], [4.0]],
        },
        "the distance grows by 1: it doubles from round to round": {
            8: [[2.0], [1.0], [5.0], [7.0]],
        },
        "the factors were multiplied before the states used them": {
            8: [[2.0], [0.5], [4.0], [7.25]],
            9: [[2.0], [0.5], [3.0], [1.0]],
        },
        "the factors were not multiplied from round to round": {
            8: [[2.0], [1.0], [7.0], [5.0]],
            9: [[2.0], [1.0], [3.0], [5.0]],
        },
        "the factor is that of the later place: a[far:]": {
            8: [[2.0], [1.0], [4.0], [7.25]],
            9: [[2.0], [1.0], [4.0], [1.25]],
        },
        "the earlier state is multiplied by the later factor, and the later b is added: here it is the reverse": {
            8: [[2.0], [2.0], [8.0], [10.0]],
            9: [[2.0], [2.0], [2.0], [2.0]],
        },
        "the states are those before each step: after it is asked for": {
            8: [[0.0], [2.0], [1.0], [5.0]],
            9: [[0.0], [2.0], [1.0], [3.0]],
        },
        "b is multiplied by the factor, too: h is a h + b": {
            8: [[1.0], [0.5], [7.0], [8.0]],
            9: [[1.0], [0.5], [0.0], [1.0]],
        },
        "the scan runs from the end": {
            8: [[3.25], [2.5], [5.0], [1.0]],
            9: [[2.75], [1.5], [3.0], [1.0]],
        },
        "this divides by the product of the factors: they may be 0": {
            9: [[2.0], [1.0], [float("nan")], [float("nan")]],
        },
    })
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


score
