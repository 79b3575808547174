from helpers.checks import graded


@graded("prototypes", points=5)
def score(check):
    import torch
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the vectors were not brought to length 1 before the mean: long ones count more": {
            1: [[0.371391, 0.928477], [0.0, 0.0], [0.6, 0.8], [0.0, 0.0]],
        },
        "the mean was not brought to length 1": {
            1: [[0.5, 0.5], [0.0, 0.0], [0.6, 0.8], [0.0, 0.0]],
        },
        "neither the vectors nor the means have length 1": {
            1: [[1.0, 2.5], [0.0, 0.0], [3.0, 4.0], [0.0, 0.0]],
        },
        "the sum was not brought to length 1": {
            1: [[1.0, 1.0], [0.0, 0.0], [0.6, 0.8], [0.0, 0.0]],
        },
        "the median was taken: the mean is asked": {
            1: [[0.0, 0.0], [0.0, 0.0], [0.6, 0.8], [0.0, 0.0]],
        },
        "the first example of each class was taken": {
            1: [[1.0, 0.0], [0.0, 0.0], [0.6, 0.8], [0.0, 0.0]],
        },
        "the last example of each class was taken": {
            1: [[0.0, 1.0], [0.0, 0.0], [0.6, 0.8], [0.0, 0.0]],
        },
        "classes without examples are missing: (K, C) is asked": {
            1: [[0.707107, 0.707107], [0.6, 0.8]],
        },
        "a class without examples gets zeros, not NaN": {
            1: [[0.707107, 0.707107], [float("nan"), float("nan")], [0.6, 0.8], [float("nan"), float("nan")]],
        },
        "the columns were brought to length 1 at the end: a point is a row": {
            1: [[0.857493, 0.780869], [0.0, 0.0], [0.514496, 0.624695], [0.0, 0.0]],
        },
        "the columns were brought to length 1 before the mean: a vector is a row": {
            1: [[0.579119, 0.815243], [0.0, 0.0], [0.799697, 0.600404], [0.0, 0.0]],
        },
        "the whole table was divided by one length at the end: each point has its own": {
            1: [[0.408248, 0.408248], [0.0, 0.0], [0.489898, 0.653197], [0.0, 0.0]],
        },
        "the sum was divided by the number of all vectors: bring the mean to length 1": {
            1: [[0.333333, 0.333333], [0.0, 0.0], [0.2, 0.266667], [0.0, 0.0]],
        },
        "the numbers sum to 1 here: the length is to be 1": {
            1: [[0.5, 0.5], [0.0, 0.0], [0.428571, 0.571429], [0.0, 0.0]],
        },
        "classes count from 0: here class k + 1 came in place of k": {
            1: [[0.0, 0.0], [0.6, 0.8], [0.0, 0.0], [0.0, 0.0]],
        },
        "one mean of all vectors came for every class": {
            1: [[0.664364, 0.747409], [0.664364, 0.747409], [0.664364, 0.747409], [0.664364, 0.747409]],
        },
        "the largest dot product was taken: the cosine is asked": {
            2: [0, 1, 1, 2],
            3: [3, 2, 0],
        },
        "this is the point that is farthest": {
            2: [1, 0, 0, 0],
            3: [0, 0, 1],
        },
        "the smallest distance was taken, not the largest cosine": {
            2: [0, 2, 2, 2],
            3: [3, 1, 0],
        },
        "distances to the points as they are were compared: a cosine looks at directions alone": {
            2: [0, 2, 2, 2],
            3: [1, 1, 0],
        },
        "these are the cosines: the number of the largest is asked": {
            2: [[0.970143, 0.242536, 0.857493], [0.640184, 0.768221, 0.995893], [-0.894427, 0.447214, -0.316228],
             [-0.948683, -0.316228, -0.894427]],
            3: [[0.0, 0.970143, 0.242536, 0.970143], [0.0, 0.640184, 0.768221, 0.640184],
             [0.0, -0.894427, -0.447214, -0.894427]],
        },
        "this is the largest cosine itself: its number is asked": {
            2: [0.970143, 0.995893, 0.447214, -0.316228],
            3: [0.970143, 0.768221, 0.0],
        },
        "one number for each point came: one for each vector is asked": {
            2: [0, 1, 1],
            3: [0, 0, 1, 0],
        },
        "the absolute value of the cosine was taken: below 0 is far": {
            2: [0, 2, 0, 0],
            3: [1, 2, 1],
        },
        "the columns of the points were brought to length 1: a point is a row": {
            2: [0, 1, 1, 1],
            3: [3, 2, 0],
        },
        "the columns were brought to length 1: a vector is a row": {
            2: [0, 1, 1, 2],
            3: [3, 2, 0],
        },
        "numbers count from 0": {
            2: [1, 3, 2, 2],
            3: [2, 3, 1],
        },
    })
    missing = "classes behind the largest label are missing: (K, C) is asked, for K = num_classes"
    v, y = torch.tensor([[2.0, 0.0], [0.0, 5.0], [3.0, 4.0]]), torch.tensor([0, 0, 2])
    zero, last = [0.0, 0.0], [0.6, 0.8]
    want = [[0.7071068, 0.7071068], zero, last, zero]
    check(prototypes, v, y, 4).equals(want, rtol=1e-4, atol=1e-6, near={missing: [[0.7071068, 0.7071068], zero, last]})
    points = torch.tensor([[1.0, 0.0], [0.0, 3.0], [0.5, 0.5]])
    v = torch.tensor([[4.0, 1.0], [1.0, 1.2], [-1.0, 0.5], [-3.0, -1.0]])
    check(nearest, v, points).equals([0, 2, 1, 1])
    points = torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 3.0], [2.0, 0.0]])
    v = torch.tensor([[4.0, 1.0], [1.0, 1.2], [-1.0, -0.5]])
    check(nearest, v, points).equals([1, 2, 0], about="a point of zeros, and two equally near", near={
        "of equal ones the smallest number is asked": [3, 2, 0],
        "a point of zeros has cosine 0 with everything, not NaN": [0, 0, 0],
    })


score
