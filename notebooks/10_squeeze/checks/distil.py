from helpers.checks import graded


@graded("distil", points=6)
def score(check):
    import math

    import torch
    import torch.nn.functional as F

    t = torch.tensor
    no_square = "T squared in front of KL is missing"
    once = "KL is multiplied by T, not by T squared"
    hot_labels = "the labels are compared at temperature 1: CE takes the student's logits as they are"
    backwards = "KL goes from the teacher to the student: here it goes the other way"
    exchanged = "alpha stands before KL, 1 - alpha before CE"
    by_numbers = "KL is divided by all numbers: it is the mean over the rows (batchmean)"
    cooled = "KL is divided by T squared: it is multiplied by it"
    not_teacher = "the teacher is not flattened: both are divided by T in KL"
    not_student = "the student is not flattened: both are divided by T in KL"
    axis = "the softmax goes over the rows: it goes over the classes (dim=-1)"
    everything = "T squared stands before the whole loss: only KL is multiplied by it"
    cross = "this is the cross-entropy with the teacher: KL is less by the teacher's own entropy"
    student, teacher = t([[0.0, 0.0, 0.0], [1.0, -1.0, 0.5]]), t([[2 * math.log(2), 0.0, 0.0], [0.0, 1.0, 0.0]])
    rows = "CE is the mean over the rows that have a label"
    check(distillation_loss, student[:1], teacher[:1], t([0]), 2.0, 0.4).equals(
        0.7533938, about="the text's example, with alpha 0.4", rtol=1e-4, near={
            no_square: 0.682724, once: 0.7062806, exchanged: 0.5807846, by_numbers: 0.6905762,
            backwards: 0.7497802, cross: 2.416947, "CE is missing": 0.0942264,
            "the temperature was not used in KL": 1.0288459, everything: 2.7308960, cooled: 0.6650563,
            not_teacher: 1.0288459, "KL is missing, or its softmax goes over the rows": 0.6591674, axis: 0.6591674,
            "1 - alpha before CE is missing": 1.1928387})
    check(distillation_loss, student, teacher, t([-100, 1]), 2.0, 0.5).equals(
        1.5522271, about="a row without a label", rtol=1e-4, near={
            rows: 0.9134878, hot_labels: 1.1567099, everything: 5.3846624})
    check(distillation_loss, student, teacher, t([-100, -100]), 2.0, 0.5).equals(
        0.2747486, about="no label at all", edge=True, rtol=1e-4,
        near={"without any label CE is 0, not the mean of nothing": float("nan")})


score
