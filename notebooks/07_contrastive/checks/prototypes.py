from helpers.checks import graded


@graded("prototypes", points=5)
def score(check):
    import torch

    apart = "distances to the points as they are were compared: a cosine looks at directions alone"
    raw = "the vectors were not brought to length 1 before the mean: long ones count more"
    missing = "classes behind the largest label are missing: (K, C) is asked, for K = num_classes"
    short = "the mean was not brought to length 1"
    v, y = torch.tensor([[2.0, 0.0], [0.0, 5.0], [3.0, 4.0]]), torch.tensor([0, 0, 2])
    zero, nan, last = [0.0, 0.0], [float("nan")] * 2, [0.6, 0.8]
    want = [[0.7071068, 0.7071068], zero, last, zero]
    check(prototypes, v, y, 4).equals(want, rtol=1e-4, atol=1e-6, near={
        raw: [[0.3713907, 0.9284767], zero, last, zero], short: [[0.5, 0.5], zero, last, zero],
        "a class without examples gets zeros, not NaN": [[0.7071068, 0.7071068], nan, last, nan],
        "the sum was not brought to length 1": [[1.0, 1.0], zero, last, zero],
        missing: [[0.7071068, 0.7071068], zero, last],
        "classes without examples are missing: (K, C) is asked": [[0.7071068, 0.7071068], last],
    })
    of_points = "the columns of the points were brought to length 1: a point is a row"
    columns = "the columns were brought to length 1: a vector is a row"
    dot = "the largest dot product was taken: the cosine is asked"
    far = "this is the point that is farthest"
    absolute = "the absolute value of the cosine was taken: below 0 is far"
    points = torch.tensor([[1.0, 0.0], [0.0, 3.0], [0.5, 0.5]])
    v = torch.tensor([[4.0, 1.0], [1.0, 1.2], [-1.0, 0.5], [-3.0, -1.0]])
    check(nearest, v, points).equals([0, 2, 1, 1], near={
        dot: [0, 1, 1, 2], far: [1, 0, 0, 0], absolute: [0, 2, 0, 0],
        columns: [0, 1, 1, 2],
    })
    points = torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 3.0], [2.0, 0.0]])
    v = torch.tensor([[4.0, 1.0], [1.0, 1.2], [-1.0, -0.5]])
    check(nearest, v, points).equals([1, 2, 0], about="a point of zeros, and two equally near", near={
        "of equal ones the smallest number is asked": [3, 2, 0], dot: [3, 2, 0], absolute: [1, 2, 1], apart: [1, 1, 0],
        "a point of zeros has cosine 0 with everything, not NaN": [0, 0, 0],
        of_points: [3, 2, 0], columns: [3, 2, 0],
    })


score
