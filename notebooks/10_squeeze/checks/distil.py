from helpers.checks import graded


@graded("distil", points=6)
def score(check):
    import math

    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "T squared in front of KL is missing": {
            1: 0.682724,
            2: 1.34617,
            3: 0.0686871,
            4: 0.578752,
            5: 1.09861,
        },
        "KL is multiplied by T, not by T squared": {
            1: 0.706281,
            2: 1.41485,
            3: 0.137374,
            4: 0.608198,
            5: 2.19722,
        },
        "KL goes from the teacher to the student: here it goes the other way": {
            1: 0.74978,
            2: 1.51681,
            3: 0.239332,
            4: 0.662572,
            5: 1844.0,
        },
        "alpha belongs before KL, 1 - alpha before CE": {
            1: 0.580785,
            5: 1.09861,
        },
        "KL is divided by all numbers: it is the mean over the rows (batchmean)": {
            1: 0.690576,
            2: 1.36906,
            3: 0.0915828,
            4: 0.588567,
            5: 1.46482,
        },
        "this is the cross-entropy with the teacher: KL is less by the teacher's own entropy": {
            1: 2.41695,
            2: 3.66039,
            3: 2.38291,
            4: 2.74653,
        },
        "KL is divided by T squared: it is multiplied by it": {
            1: 0.665057,
            2: 1.29465,
            3: 0.0171718,
            4: 0.556668,
            5: 0.274653,
        },
        "the teacher is not flattened: both are divided by T in KL": {
            1: 1.02885,
            2: 1.92622,
            3: 0.648746,
            4: 1.0114,
        },
        "the logits are divided by T, not multiplied with it": {
            1: 1.73559,
            2: 4.86568,
            3: 3.5882,
            4: 1.89483,
        },
        "the logits are compared by squares: KL of their softmaxes is asked for": {
            1: 1.68413,
            2: 3.66808,
            3: 2.3906,
            4: 1.83051,
            5: 2562420.0,
        },
        "a label of 0 is a class: only -100 is none": {
            1: 0.0942265,
            4: 0.117783,
        },
        "the temperature was not used in KL": {
            1: 1.02885,
            2: 2.34636,
            3: 1.06888,
            4: 1.0114,
        },
        "the softmax goes over the rows: it goes over the classes (dim=-1)": {
            1: 0.659167,
            2: 1.57863,
            3: 0.301148,
            4: 0.549306,
            5: 0.0,
        },
        "T squared is before the whole loss: only KL is multiplied by it": {
            1: 2.7309,
            2: 5.38466,
            4: 2.31501,
        },
        "the labels are compared at temperature 1: CE takes the student's logits as they are": {
            2: 1.15671,
        },
        "CE is the mean over the rows that have a label": {
            2: 0.913488,
        },
        "the student is not flattened: both are divided by T in KL": {
            2: 1.86364,
            3: 0.586163,
        },
        "KL is the mean over all rows, those without a label too": {
            2: 1.70919,
        },
        "KL is a sum over the rows: it is their mean": {
            2: 1.82698,
            3: 0.549497,
        },
    })
    t = torch.tensor
    student, teacher = t([[0.0, 0.0, 0.0], [1.0, -1.0, 0.5]]), t([[2 * math.log(2), 0.0, 0.0], [0.0, 1.0, 0.0]])
    check(distillation_loss, student[:1], teacher[:1], t([0]), 2.0, 0.4).equals(
        0.7533938, about="the text's example, with alpha 0.4", rtol=1e-4,
        near={
            "CE is missing": 0.0942264,
            "KL is missing, or its softmax goes over the rows": 0.6591674,
            "1 - alpha before CE is missing": 1.1928387,
        },
    )
    check(distillation_loss, student, teacher, t([-100, 1]), 2.0, 0.5).equals(
        1.5522271, about="a row without a label", rtol=1e-4
    )
    check(distillation_loss, student, teacher, t([-100, -100]), 2.0, 0.5).equals(
        0.2747486, about="no label at all", edge=True, rtol=1e-4,
        near={"without any label CE is 0, not the mean of nothing": float("nan")},
    )
    check(distillation_loss, student[:1], teacher[:1], t([0])).equals(
        0.6670895, about="T = 2 and alpha = 0.5 unless told", rtol=1e-4)
    check(distillation_loss, student[:1], 1000 * teacher[:1], t([0]), 2.0, 1.0).equals(
        4.394449, about="large logits", rtol=1e-4, near={
            "the softmax of large logits has zeros, whose logarithm is infinite: log_softmax": math.nan})
    check(slopes, distillation_loss, student[:1], teacher[:1], t([0]), 2.0, 0.4, fixed=(1,)).equals(
        [[[-0.5333333, 0.2666667, 0.2666667]]], about="the gradient", rtol=1e-4, near={
            "the student gets no gradient: is something detached?": RuntimeError,
            "no gradient comes from the soft part": [[[-0.4, 0.2, 0.2]]],
            "no gradient comes from the labels": [[[-0.1333333, 0.0666667, 0.0666667]]]})
    check(teacher_moves, distillation_loss, student.detach(), teacher, t([0, 1])).equals(
        False, about="the teacher stays fixed", near={"a gradient flows to the teacher: detach it": True})


score
