from helpers.checks import graded


@graded("sampling", points=6)
def score(check):
    import math
    import torch

    no_scale = "what stays is not scaled to a sum of 1"

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "what stays is not scaled to a sum of 1": {
            1: [0.0, 0.45, 0.15, 0.0, 0.25, 0.0, 0.0],
            2: [0.0, 0.45, 0.15, 0.0, 0.25, 0.0, 0.08],
            3: [0.0876277, 0.293912, 0.16969, 0.0, 0.219069, 0.0, 0.123924],
            5: [0.0, 0.26, 0.0, 0.08, 0.21, 0.0, 0.0, 0.0, 0.0, 0.0],
            8: [0.0, 0.296923, 0.296923, 0.0],
            9: [0.125, 0.125, 0.125, 0.125, 0.0, 0.0, 0.0, 0.0],
            11: [0.04, 0.45, 0.15, 0.02, 0.25, 0.0, 0.08],
        },
        "the probabilities came back sorted: keep the order of the vocabulary": {
            1: [0.529412, 0.294118, 0.176471, 0.0, 0.0, 0.0, 0.0],
            2: [0.483871, 0.268817, 0.16129, 0.0860215, 0.0, 0.0, 0.0],
            3: [0.328679, 0.244983, 0.189763, 0.138583, 0.097993, 0.0, 0.0],
            5: [0.472727, 0.381818, 0.145455, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            6: [0.684121628997, 0.211148646872, 0.0760135113176, 0.0216216190861, 0.00540540475092,
             0.00135135118258, 0.000337837794359],
            8: [0.5, 0.5, 0.0, 0.0],
            10: [0.5, 0.5, 0.0],
            11: [0.454545, 0.252525, 0.151515, 0.0808081, 0.040404, 0.020202, 0.0],
        },
        "top_k was ignored": {
            1: [0.04, 0.45, 0.15, 0.02, 0.25, 0.01, 0.08],
            5: [0.100719, 0.374101, 0.0, 0.115108, 0.302158, 0.0, 0.107914, 0.0, 0.0, 0.0],
            8: [0.109232, 0.296923, 0.296923, 0.296923],
        },
        "the smallest logits were kept: the largest stay": {
            1: [0.571429, 0.0, 0.0, 0.285714, 0.0, 0.142857, 0.0],
            2: [0.04, 0.45, 0.15, 0.02, 0.25, 0.01, 0.08],
            3: [0.0876277, 0.293912, 0.16969, 0.0619622, 0.219069, 0.0438139, 0.123924],
            5: [0.0, 0.0, 0.163934, 0.0, 0.0, 0.203279, 0.0, 0.196721, 0.222951, 0.213115],
            8: [0.268941, 0.731059, 0.0, 0.0],
            11: [0.04, 0.45, 0.15, 0.02, 0.25, 0.01, 0.08],
        },
        "the softmax came before the temperature: divide the logits, not the probabilities": {
            1: [0.0, 0.390694, 0.289433, 0.0, 0.319873, 0.0, 0.0],
            2: [0.127417, 0.191995, 0.142233, 0.124894, 0.157192, 0.123652, 0.132617],
            3: [0.156127, 0.19165, 0.164955, 0.154574, 0.173412, 0.0, 0.159281],
            5: [0.0, 0.276426, 0.0, 0.23089, 0.262945, 0.0, 0.229739, 0.0, 0.0, 0.0],
            6: [0.110810946189, 0.25159623978, 0.138078941909, 0.106465987049, 0.168650001198, 0.104357819364,
             0.120040064513],
            10: [0.383652, 0.232697, 0.383652],
            11: [0.127417, 0.191995, 0.142233, 0.124894, 0.157192, 0.123652, 0.132617],
        },
        "these are logits or logarithms: return probabilities": {
            1: [float("-inf"), -0.635989, -1.7346, float("-inf"), -1.22378, float("-inf"), float("-inf")],
            2: [float("-inf"), -0.725937, -1.82455, float("-inf"), -1.31372, float("-inf"), -2.45316],
            3: [-2.32286, -1.11267, -1.66198, float("-inf"), -1.40657, float("-inf"), -1.97629],
            4: [float("-inf"), 0.0, float("-inf"), float("-inf")],
            5: [float("-inf"), -0.749237, float("-inf"), -1.92789, -0.962811, float("-inf"), float("-inf"),
             float("-inf"), float("-inf"), float("-inf")],
            6: [-5.22035594616, -0.379619556997, -2.576844174, -6.60665031109, -1.555192906, -7.99294467602,
             -3.83406158123],
            7: [float("-inf"), 0.0, float("-inf"), float("-inf")],
            8: [float("-inf"), -0.693147, -0.693147, float("-inf")],
            9: [-1.38629, -1.38629, -1.38629, -1.38629, float("-inf"), float("-inf"), float("-inf"), float("-inf")],
            10: [-0.693147, float("-inf"), -0.693147],
            11: [-3.20883, -0.788457, -1.88707, -3.90197, -1.37624, float("-inf"), -2.51568],
        },
        "p[order] puts the sorted numbers into wrong places: out[order] = p puts them back": {
            1: [0.294118, 0.0, 0.176471, 0.0, 0.529412, 0.0, 0.0],
            2: [0.268817, 0.0, 0.16129, 0.0, 0.483871, 0.0860215, 0.0],
            3: [0.244983, 0.097993, 0.189763, 0.0, 0.328679, 0.138583, 0.0],
            4: [0.0, 0.0, 1.0, 0.0],
            5: [0.381818, 0.0, 0.0, 0.0, 0.472727, 0.0, 0.0, 0.0, 0.0, 0.145455],
            6: [0.211148646872, 0.00540540475092, 0.0760135113176, 0.000337837794359, 0.684121628997,
             0.0216216190861, 0.00135135118258],
            7: [0.0, 0.0, 1.0, 0.0],
            8: [0.5, 0.0, 0.0, 0.5],
            11: [0.252525, 0.040404, 0.151515, 0.0, 0.454545, 0.0808081, 0.020202],
        },
        "top-k kept one word too many": {
            1: [0.0, 0.483871, 0.16129, 0.0, 0.268817, 0.0, 0.0860215],
            8: [0.0, 0.333333, 0.333333, 0.333333],
        },
        "top-k kept one word too few": {
            1: [0.0, 0.642857, 0.0, 0.0, 0.357143, 0.0, 0.0],
            5: [0.0, 0.553191, 0.0, 0.0, 0.446809, 0.0, 0.0, 0.0, 0.0, 0.0],
            8: [0.0, 1.0, 0.0, 0.0],
        },
        "the logits that top-k filters became 0: a logit of 0 is as likely as any, take minus infinity": {
            1: [0.206186, 0.0927835, 0.0309278, 0.206186, 0.0515464, 0.206186, 0.206186],
            5: [0.0, 0.0, 0.25, 0.0, 0.0, 0.25, 0.0, 0.25, 0.0, 0.25],
            8: [0.134471, 0.365529, 0.365529, 0.134471],
        },
        "top-p stopped one word too early: the sum must reach p": {
            2: [0.0, 0.529412, 0.176471, 0.0, 0.294118, 0.0, 0.0],
            3: [0.0, 0.364386, 0.210378, 0.0, 0.271597, 0.0, 0.153639],
            5: [0.0, 0.553191, 0.0, 0.0, 0.446809, 0.0, 0.0, 0.0, 0.0, 0.0],
            9: [0.333333, 0.333333, 0.333333, 0.0, 0.0, 0.0, 0.0, 0.0],
            11: [0.0412371, 0.463918, 0.154639, 0.0, 0.257732, 0.0, 0.0824742],
        },
        "top-p kept one word too many: the fewest words whose sum reaches p": {
            2: [0.0412371, 0.463918, 0.154639, 0.0, 0.257732, 0.0, 0.0824742],
            3: [0.0916429, 0.30738, 0.177466, 0.0648014, 0.229107, 0.0, 0.129603],
            5: [0.0, 0.416, 0.0, 0.128, 0.336, 0.0, 0.12, 0.0, 0.0, 0.0],
            9: [0.2, 0.2, 0.2, 0.2, 0.2, 0.0, 0.0, 0.0],
            11: [0.04, 0.45, 0.15, 0.02, 0.25, 0.01, 0.08],
        },
        "top-p keeps words until their sum reaches p: here p was taken as a bound on each probability": {
            2: [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            3: [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            5: [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            9: [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            11: [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        },
        "top_p was ignored": {
            2: [0.04, 0.45, 0.15, 0.02, 0.25, 0.01, 0.08],
            3: [0.0876277, 0.293912, 0.16969, 0.0619622, 0.219069, 0.0438139, 0.123924],
            5: [0.0917431, 0.34076, 0.0, 0.104849, 0.275229, 0.0, 0.0982962, 0.0, 0.0891219, 0.0],
            9: [0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125],
            11: [0.04, 0.45, 0.15, 0.02, 0.25, 0.01, 0.08],
        },
        "top-p dropped each word whose probability is below 1 - p: it is the sum that counts": {
            2: [0.0, 0.529412, 0.176471, 0.0, 0.294118, 0.0, 0.0],
            3: [0.0, 0.572949, 0.0, 0.0, 0.427051, 0.0, 0.0],
            5: [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            9: [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        },
        "a p near 1 is a filter, too": {
            2: [0.04, 0.45, 0.15, 0.02, 0.25, 0.01, 0.08],
            11: [0.04, 0.45, 0.15, 0.02, 0.25, 0.01, 0.08],
        },
        "the logits were multiplied by the temperature: divide by it": {
            3: [0.0, 0.764151, 0.0, 0.0, 0.235849, 0.0, 0.0],
            6: [0.0876277179929, 0.293912310907, 0.169690350137, 0.0619621535537, 0.219069301153, 0.043813858913,
             0.123924307343],
        },
        "the temperature comes first, then the filters: here the filters came first": {
            3: [0.0, 0.430532, 0.248568, 0.0, 0.3209, 0.0, 0.0],
        },
        "the temperature was ignored": {
            3: [0.0, 0.529412, 0.176471, 0.0, 0.294118, 0.0, 0.0],
            6: [0.0399999979703, 0.450000006834, 0.149999999303, 0.0199999989471, 0.250000001398, 0.00999999945449,
             0.079999996093],
        },
        "the root of the temperature was taken": {
            3: [0.0, 0.414143, 0.190447, 0.0, 0.273304, 0.0, 0.122105],
            6: [0.0182898225916, 0.560742775298, 0.118580240073, 0.0068626016317, 0.244204600962, 0.0025749457612,
             0.0487450136821],
        },
        "temperature 0 means greedy: all on the largest logit": {
            4: [0.0981691, 0.439963, 0.0219045, 0.439963],
            7: [0.100368, 0.449816, 0.0, 0.449816],
        },
        "top-p sums what top-k left, scaled to 1: here top-p came first, or it summed unscaled numbers": {
            5: [0.100719, 0.374101, 0.0, 0.115108, 0.302158, 0.0, 0.107914, 0.0, 0.0, 0.0],
        },
        "top_p was ignored where top_k is given: one filter follows the other": {
            5: [0.0917431, 0.34076, 0.0, 0.104849, 0.275229, 0.0, 0.0982962, 0.0, 0.0891219, 0.0],
        },
        "a word of equal weight at the border: the earlier in the vocabulary stays": {
            8: [0.0, 0.0, 0.5, 0.5],
            9: [0.0, 0.0, 0.0, 0.0, 0.25, 0.25, 0.25, 0.25],
        },
        "top-k kept every word as large as the k-th: exactly k stay": {
            8: [0.0, 0.333333, 0.333333, 0.333333],
        },
    })
    p = torch.tensor([0.04, 0.45, 0.15, 0.02, 0.25, 0.01, 0.08])
    logits = p.log()
    first = check(token_distribution, logits, 1.0, 3).equals(
        [0, 0.5294, 0.1765, 0, 0.2941, 0, 0], rtol=1e-3, about="top-k 3"
    )
    check(token_distribution, logits, 1.0, None, 0.9).equals(
        [0, 0.4839, 0.1613, 0, 0.2688, 0, 0.0860], rtol=1e-3, about="top-p 0.9"
    )
    check(token_distribution, logits, 2.0, None, 0.83).equals(
        [0.0980, 0.3287, 0.1898, 0, 0.2450, 0, 0.1386], rtol=1e-3, about="temperature 2, then top-p 0.83"
    )
    nothing = "temperature 0 means greedy: do not divide by it"
    check(token_distribution, torch.tensor([0.5, 2.0, -1.0, 2.0]), 0).equals([0, 1, 0, 0], about="temperature 0",
        near={nothing: ZeroDivisionError, nothing + ", that gives NaN": [math.nan] * 4,
        "of equal logits the first is taken": [0, 0, 0, 1], "greedy takes one word: the two equal ones share":
        [0, 0.5, 0, 0.5], "greedy takes one word: here each of the equal ones got 1": [0, 1, 0, 1],
        "the distribution is asked for, all on one word, not the number of the word": 1})
    flat = torch.tensor([0.07, 0.26, 0.05, 0.08, 0.21, 0.062, 0.075, 0.06, 0.068, 0.065]).log()
    check(token_distribution, flat, 1.0, 6, 0.65).equals(
        [0, 0.472727, 0, 0.145455, 0.381818, 0, 0, 0, 0, 0], rtol=1e-3, about="top-k 6, then top-p 0.65"
    )
    check(token_distribution, logits, 0.5).equals(
        [0.0054, 0.6841, 0.0760, 0.0014, 0.2112, 0.0003, 0.0216], atol=6e-5, rtol=0, about="temperature 0.5",
        near={no_scale + " (here the exponentials came as they are)":
              [0.0016, 0.2025, 0.0225, 0.0004, 0.0625, 0.0001, 0.0064]}
    )
    check(token_distribution, torch.tensor([0.5, 2.0, -1.0, 2.0]), 0, 3, 0.95).equals(
        [0, 1, 0, 0], about="temperature 0, with filters", rtol=1e-3, near={
            nothing: ZeroDivisionError,
            "temperature 0: all on the first largest, whatever the filters say": [0.1004, 0.4498, 0, 0.4498]},
    )
    check(token_distribution, torch.tensor([0.0, 1.0, 1.0, 1.0]), 1.0, 2).equals(
        [0, 0.5, 0.5, 0], about="three equal ones, top-k 2", rtol=1e-3,
        near={"of equal ones at a border the earlier stays, not the later": [0, 0, 0.5, 0.5],
              "of equal ones at a border the earlier stays: here more than k stayed": [0, 1 / 3, 1 / 3, 1 / 3]},
    )
    check(token_distribution, torch.zeros(8), 1.0, None, 0.5).equals(
        [0.25, 0.25, 0.25, 0.25, 0, 0, 0, 0], about="a sum of just p", rtol=1e-3
    )
    check(token_distribution, torch.tensor([0.0, -torch.inf, 0.0]), 1.0, 5).equals(
        [0.5, 0, 0.5], about="minus infinity; k above the vocabulary", rtol=1e-3,
        near={"k may be larger than the vocabulary: all words stay then": RuntimeError,
              "minus infinity is allowed: its word has probability 0": [math.nan] * 3},
    )
    check(token_distribution, logits, 1.0, None, 0.985).equals(
        [0.0404, 0.4545, 0.1515, 0.0202, 0.2525, 0, 0.0808], rtol=1e-3, about="top-p 0.985"
    )


score
