from helpers.checks import graded


@graded("order", points=4)
def score(check):
    import torch

    inf = float("inf")

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the last processor came first: the first of the list comes first": {
            1: [float("-inf"), -0.399254, float("-inf"), -0.693147, -0.94856, float("-inf"), float("-inf")],
        },
        "only the last processor was applied": {
            1: [float("-inf"), -0.798508, float("-inf"), -1.38629, -1.89712, float("-inf"), float("-inf")],
        },
        "only the first processor was applied": {
            1: [-1.26286, -0.399254, -1.95601, -0.693147, -0.94856, -1.60944, -2.30259],
        },
        "probabilities came back: return logits": {
            1: [0.153639, 0.364386, 0.0, 0.271597, 0.210378, 0.0, 0.0],
        },
        "True and False are exchanged": {
            2: False,
            3: True,
            4: True,
            5: False,
        },
        "the differences are added up with their signs, which gives 0: the size of each is asked": {
            3: True,
            4: True,
        },
        "only the likeliest token is compared: the probabilities of all are": {
            3: True,
        },
        "who is left is compared, and not with which probability": {
            4: True,
        },
        "logits were compared: a constant added to all of them changes nothing": {
            5: False,
        },
    })
    example = torch.tensor([-2.5257286, -0.7985077, -3.912023, -1.3862944, -1.89712, -3.2188758, -4.6051702])
    check(chained, example, ["temperature 2", "top-p 0.8"]).equals(
        [-1.2628643, -0.3992539, -inf, -0.6931472, -0.94856, -inf, -inf]
    )
    check(commuting, "temperature 2", "top-k 3", example).equals(True, about="two that may change places")
    check(commuting, "temperature 2", "top-p 0.8", example).equals(False, about="two that may not")
    check(commuting, "temperature 2", "first 1", example).equals(
        False, about="different chances for the same tokens"
    )
    check(commuting, "temperature 2", "shift 3", example).equals(True, about="logits that differ by a constant")


score
