from helpers.checks import graded


@graded("clip-loss", points=7)
def score(check):
    import torch

    rows, columns = "only the rows were asked: the columns are questions, too", "only the columns were asked"
    once_more = "the columns' loss is that of the rows once more: transpose the table"
    summed = "this is the sum of both directions, or of all pairs: their mean is asked"
    dot = "the vectors are not brought to length 1"
    no_exp = "log_scale is a logarithm: the factor is exp(log_scale)"
    divided = "the cosines are multiplied by the factor, not divided"
    no_scale = "the factor is missing"
    t = torch.tensor
    images, texts = t([[1.0, 0.0], [0.0, 2.0]]), t([[3.0, 4.0], [0.0, 1.0]])
    scale, bias = t(5.0).log(), t(-3.0)
    check(clip_loss, images, texts, scale).equals(0.420456, rtol=1e-4, near={
        rows: 0.180924, once_more: 0.180924, columns: 0.659988, summed: 0.840913, dot: 13.750011,
        no_exp: 0.479255, divided: 0.654945, no_scale: 0.536757,
    })
    mean_all = "the sum is divided by N, not by the number of cells"
    whole = "this is the sum over all cells: divide it by N"
    no_bias, minus = "the bias is missing", "the bias is added to the scores, not subtracted"
    diagonal = "only the pairs themselves count here: the other cells say no"
    yes = "all cells were asked for a yes: off the diagonal the sign is -1"
    turned = "the signs are turned round: yes is on the diagonal"
    half = "the sign off the diagonal is -1, not 0"
    check(siglip_loss, images, texts, scale, bias).equals(1.090962, rtol=1e-4, near={
        mean_all: 0.545481, whole: 2.181924, no_bias: 2.3833, minus: 5.026155, diagonal: 0.410038, yes: 2.090962,
        turned: 3.090962, half: 1.103185, dot: 18.524752, no_exp: 1.992274,
    })


score
