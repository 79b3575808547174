# %% wrong="no square" says="T squared in front"
#~ temperature**2 * F.kl_div => F.kl_div
# %% wrong="T once" says="not by T squared"
#~ temperature**2 => temperature
# %% wrong="backwards" says="the other way"
#~ log_q, log_p, log_target=True => log_p, log_q, log_target=True
# %% wrong="mean of all numbers" says="batchmean"
#~ "batchmean" => "mean"
# %% wrong="exchanged" says="1 - alpha before CE"
#~ alpha * soft + (1 - alpha) * hard => (1 - alpha) * soft + alpha * hard
# %% wrong="hot labels" says="labels are compared at temperature 1"
#~ F.cross_entropy(student[known], labels[known]) => F.cross_entropy(student[known] / temperature, labels[known])
# %% wrong="mean over all rows" says="rows that have a label"
#~ F.cross_entropy(student[known], labels[known]) => F.cross_entropy(student[known], labels[known], reduction="sum") / len(labels)
# %% wrong="mean of nothing" says="mean of nothing"
#~ F.cross_entropy(student[known], labels[known]) if known.any() else 0.0 => F.cross_entropy(student, labels)
# %% wrong="the teacher learns" says="flows to the teacher"
#~ teacher.detach() => teacher
# %% wrong="the soft part detached" says="no gradient comes from the soft part"
#~ (teacher.detach(), student) => (teacher.detach(), student.detach())
# %% wrong="log of softmax" says="large logits"
#~ .log_softmax(dim=-1) for => .softmax(dim=-1).log() for
# %% wrong="KL of rows with a label" says="those without a label too"
#~ (log_q, log_p, log_target => (*((v[labels != -100] if (labels != -100).any() else v) for v in (log_q, log_p)), log_target
# %% wrong="T squared over all" says="before the whole loss"
#~ soft = temperature**2 * F.kl_div => soft = F.kl_div
#~ return alpha * soft + (1 - alpha) * hard => return temperature**2 * (alpha * soft + (1 - alpha) * hard)
# %% wrong="a sum over the rows" says="KL is a sum"
#~ reduction="batchmean" => reduction="sum"
# %% wrong="the teacher as it is" says="the teacher is not flattened"
#~ ((z / temperature).log_softmax(dim=-1) for z in (teacher.detach(), student)) => (teacher.detach().log_softmax(dim=-1), (student / temperature).log_softmax(dim=-1))
# %% wrong="over the rows" says="goes over the rows"
#~ (z / temperature).log_softmax(dim=-1) => (z / temperature).log_softmax(dim=0)
# %% right="by hand"
def distillation_loss(student, teacher, labels, temperature=2.0, alpha=0.5):
    with torch.no_grad():
        p = F.softmax(teacher / temperature, dim=1)
        own = (p * F.log_softmax(teacher / temperature, dim=1)).sum(1)
    cross = (p * F.log_softmax(student / temperature, dim=1)).sum(1)
    total = F.cross_entropy(student, labels, reduction="sum")
    hard = total / max(1, int((labels != -100).sum()))
    return alpha * temperature * temperature * (own - cross).mean() + (1 - alpha) * hard
# %% right="kl_div with probabilities"
def distillation_loss(student, teacher, labels, temperature=2.0, alpha=0.5):
    T = temperature
    soft = nn.KLDivLoss(reduction="sum")(F.log_softmax(student / T, -1), F.softmax(teacher.detach() / T, -1)) / len(student)
    rows = [i for i, label in enumerate(labels.tolist()) if label != -100]
    loss = alpha * T * T * soft
    if rows:
        loss = loss + (1 - alpha) * F.cross_entropy(student[rows], labels[rows])
    return loss
# %% wrong="a teacher that moves" says="to the teacher" clause="The gradient flows to the student's logits, and none to the"
#~ teacher.detach() => teacher
# %% wrong="a soft part that stands still" says="from the soft part" clause="The gradient flows to the student's logits, and none to the"
#~ (teacher.detach(), student) => (teacher.detach(), student.detach())
# %% wrong="the logarithm of a softmax" says="log_softmax" clause="Large logits do no harm."
#~ (z / temperature).log_softmax(dim=-1) => (z / temperature).softmax(dim=-1).log()
# %% wrong="times T" says="not multiplied with it"
#~ ((z / temperature).log_softmax => ((z * temperature).log_softmax
# %% wrong="label 0 as none" says="a label of 0 is a class"
#~ labels != -100 => labels > 0
