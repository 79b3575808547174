from helpers.checks import graded


@graded("distil", points=6)
def score(check):
    import math

    import torch

    ### BEGIN MISTAKES
    rows = "CE is the mean over the rows that have a label"

    def made(square=2, hot=False, back=False, swap=False, numbers=False, entropy=False, by_rows=False, told=False):
        def loss(s, z, labels, temperature=2.0, alpha=0.5):
            z = z.detach()
            p, q = (z / temperature).softmax(-1), (s / temperature).softmax(-1)
            log_p, log_q = (z / temperature).log_softmax(-1), (s / temperature).log_softmax(-1)
            kl = p * (log_p - log_q)
            if back:
                kl = q * (log_q - log_p)
            if entropy:
                kl = -p * log_q
            kl = kl.sum(-1)
            kl = kl[labels != -100] if told and (labels != -100).any() else kl
            kl = kl.mean() / (s.shape[1] if numbers else 1) * temperature**square
            known = labels != -100
            logits = s / temperature if hot else s
            each = logits.logsumexp(-1)[known] - logits[known].gather(1, labels[known][:, None])[:, 0]
            ce = each.sum() / max(len(s) if by_rows else len(each), 1)
            return (1 - alpha) * kl + alpha * ce if swap else alpha * kl + (1 - alpha) * ce

        return loss

    def mixed(teacher=True, student=True, axis=-1):
        """The loss with temperatures left out of KL, or with a softmax along another axis."""

        def loss(s, z, labels, temperature=2.0, alpha=0.5):
            z = z.detach()
            log_p = (z / temperature if teacher else z).log_softmax(axis)
            log_q = (s / temperature if student else s).log_softmax(axis)
            kl = (log_p.exp() * (log_p - log_q)).sum() / len(s) * temperature**2
            return alpha * kl + right(s, z, labels, temperature, 0.0) * (1 - alpha)

        return loss

    right = made()
    check.mistakes({
        "T squared in front of KL is missing": made(square=0),
        "KL is multiplied by T, not by T squared": made(square=1),
        "the labels are compared at temperature 1: CE takes the student's logits as they are": made(hot=True),
        "KL goes from the teacher to the student: here it goes the other way": made(back=True),
        "alpha belongs before KL, 1 - alpha before CE": made(swap=True),
        "KL is divided by all numbers: it is the mean over the rows (batchmean)": made(numbers=True),
        "this is the cross-entropy with the teacher: KL is less by the teacher's own entropy": made(entropy=True),
        rows: made(by_rows=True),
        "KL is divided by T squared: it is multiplied by it": made(square=-2),
        "the teacher is not flattened: both are divided by T in KL": mixed(teacher=False),
        "the student is not flattened: both are divided by T in KL": mixed(student=False),
        "the logits are divided by T, not multiplied with it": lambda s, z, labels, temperature=2.0, alpha=0.5: (
            alpha * temperature**4 * right(s, z, labels, 1 / temperature, 1.0)
            + (1 - alpha) * right(s, z, labels, 1.0, 0.0)),
        "the logits are compared by squares: KL of their softmaxes is asked for":
            lambda s, z, labels, temperature=2.0, alpha=0.5: (
                alpha * temperature**2 * (s - z).square().mean() + (1 - alpha) * right(s, z, labels, 1.0, 0.0)),
        "a label of 0 is a class: only -100 is none": lambda s, z, labels, temperature=2.0, alpha=0.5: right(
            s, z, torch.where(labels == 0, -100, labels), temperature, alpha),
        "the temperature was not used in KL": mixed(teacher=False, student=False),
        "the softmax goes over the rows: it goes over the classes (dim=-1)": mixed(axis=0),
        "KL is the mean over all rows, those without a label too": made(told=True),
        "T squared is before the whole loss: only KL is multiplied by it":
            lambda s, z, labels, temperature=2.0, alpha=0.5: made(square=0)(s, z, labels, temperature, alpha)
                * temperature**2,
        "KL is a sum over the rows: it is their mean":
            lambda s, z, labels, temperature=2.0, alpha=0.5: right(s, z, labels, temperature, alpha) + alpha * (
                len(s) - 1) * right(s, z, labels, temperature, 1.0),
        "CE is a sum over the rows: it is the mean over those that have a label":
            lambda s, z, labels, temperature=2.0, alpha=0.5: right(s, z, labels, temperature, alpha) + (1 - alpha) * (
                int((labels != -100).sum()) - 1) * right(s, z, labels, temperature, 0.0),
    }, distillation_loss)
    ### END MISTAKES
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
    ### BEGIN HIDDEN TESTS
    import torch.nn.functional as F

    check.hidden()
    draws = torch.Generator().manual_seed(int(check.rng.integers(2**31)))

    def fresh(count, kinds, size=1.5, dtype=torch.float32, known=0.6):
        s, z = (size * torch.randn(count, kinds, generator=draws, dtype=dtype) for _ in range(2))
        labels = torch.randint(0, kinds, (count,), generator=draws)
        hidden = torch.rand(count, generator=draws) > known
        hidden[:2] = t([False, True])[:count]
        return s, z, torch.where(hidden, -100, labels)

    for count, kinds, T, alpha in [(5, 4, 3.0, 0.3), (7, 3, 1.0, 0.8), (4, 10, 6.0, 0.5), (9, 5, 0.5, 0.1)]:
        given = *fresh(count, kinds), T, alpha
        check(distillation_loss, *given).equals(right(*given), about="fresh logits", rtol=1e-4, weight=2)
    given = fresh(6, 4)
    check(distillation_loss, *given).equals(right(*given), about="T = 2 and alpha = 0.5 unless told", rtol=1e-4)
    for alpha in (0.0, 1.0):
        given = *fresh(6, 4), 3.0, alpha
        check(distillation_loss, *given).equals(right(*given), about="alpha 0 and 1", edge=True, rtol=1e-4)
    s, z, labels = fresh(6, 4)
    for names in (torch.zeros_like(labels), torch.full_like(labels, 3), labels.masked_fill(labels > -200, -100)):
        check(distillation_loss, s, z, names, 3.0, 0.4).equals(
            right(s, z, names, 3.0, 0.4), about="all of class 0, of the last, of none", edge=True, rtol=1e-4)
    for count, kinds in [(1, 4), (1, 2), (3, 1), (1, 1), (120, 70)]:
        given = *fresh(count, kinds), 2.5, 0.4
        check(distillation_loss, *given).equals(
            right(*given), about="one row, one class, many", edge=True, rtol=1e-4, atol=1e-6)
    for size in (60.0, 400.0):
        given = *fresh(6, 5, size), 2.5, 0.4
        check(distillation_loss, *given).equals(right(*given), about="large logits", edge=True, rtol=1e-4, near={
            "the softmax of large logits has zeros, whose logarithm is infinite: log_softmax": float("inf")})
    given = *fresh(6, 5, dtype=torch.float64), 2.5, 1 / 3
    check(distillation_loss, *given).equals(right(*given), about="float64", edge=True, rtol=1e-10)
    check(lambda: tuple(torch.as_tensor(distillation_loss(*given)).shape)).equals(
        (), about="a scalar", edge=True)

    def gradient(s, z, labels, T, alpha, by_rows=False):
        """In closed form: T (q - p) and softmax - one_hot, each over its rows."""
        soft = T * ((s / T).softmax(-1) - (z / T).softmax(-1)) / len(s)
        known = labels != -100
        hard = (s.softmax(-1) - F.one_hot(labels.clamp(min=0), s.shape[1])) * known[:, None] / (
            len(s) if by_rows else max(int(known.sum()), 1))
        return alpha * soft + (1 - alpha) * hard

    for count, kinds, T, alpha in [(5, 4, 3.0, 0.3), (3, 7, 1.5, 0.9)]:
        s, z, labels = fresh(count, kinds)
        want = gradient(s, z, labels, T, alpha)
        check(slopes, distillation_loss, s, z, labels, T, alpha, fixed=(1,)).equals(
            [want], about="the gradient", rtol=1e-3, atol=1e-5, weight=2,
            near={rows: [gradient(s, z, labels, T, alpha, by_rows=True)],
                  "the student gets no gradient: is something detached?": RuntimeError,
                  "no gradient comes from the soft part": [gradient(s, z, labels, T, 0.0) * (1 - alpha)],
                  "no gradient comes from the labels": [gradient(s, z, labels, T, 1.0) * alpha]})
        check(teacher_moves, distillation_loss, s, z, labels, T, alpha).equals(
            False, about="the teacher stays fixed", edge=True,
            near={"a gradient flows to the teacher: detach it": True})
    s, z, labels = fresh(4, 3)
    check(slopes, distillation_loss, s, z, labels.masked_fill(labels > -200, -100), 2.0, 0.5, fixed=(1,)).equals(
        [gradient(s, z, labels.masked_fill(labels > -200, -100), 2.0, 0.5)], about="the gradient without labels",
        edge=True, rtol=1e-3, atol=1e-5)
    ### END HIDDEN TESTS


score
