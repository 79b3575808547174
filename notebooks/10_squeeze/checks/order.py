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
            2: [-4.52573, -2.79851, -5.91202, -3.38629, -3.89712, -5.21888, -6.60517],
        },
        "only the first processor was applied": {
            1: [-1.26286, -0.399254, -1.95601, -0.693147, -0.94856, -1.60944, -2.30259],
            2: [0.474271, 2.20149, -0.912023, 1.61371, 1.10288, -0.218876, -1.60517],
        },
        "probabilities came back: return logits": {
            1: [0.153639, 0.364386, 0.0, 0.271597, 0.210378, 0.0, 0.0],
            2: [0.08, 0.45, 0.02, 0.25, 0.15, 0.04, 0.01],
        },
        "True and False are exchanged": {
            3: False,
            4: True,
            5: True,
            6: False,
            7: True,
            8: False,
            9: True,
            10: False,
        },
        "the differences are added up with their signs, which gives 0: add up their sizes": {
            4: True,
            5: True,
            7: True,
            9: True,
        },
        "only the likeliest token is compared: the probabilities of all are": {
            4: True,
            9: True,
        },
        "who is left is compared, and not with which probability": {
            5: True,
            9: True,
        },
        "logits were compared: a constant added to all of them changes nothing": {
            6: False,
            8: False,
            10: False,
        },
        "the probabilities were sorted before they were compared: each token's own counts": {
            7: True,
        },
        "equal to the last digit is asked for here: a difference of up to 1e-6 is none": {
            8: False,
            10: False,
        },
        "more than 1e-6 is allowed here": {
            9: True,
        },
    })
    example = torch.tensor([-2.5257286, -0.7985077, -3.912023, -1.3862944, -1.89712, -3.2188758, -4.6051702])
    check(chained, example, ["temperature 2", "top-p 0.8"]).equals(
        [-1.2628643, -0.3992539, -inf, -0.6931472, -0.94856, -inf, -inf]
    )
    emptied = {"the list of processors belongs to the caller: leave it as it is": AssertionError}
    check(chained, example, ["shift 3", "shift -2"]).equals(example + 1, about="the list stays", near=emptied)
    check(commuting, "temperature 2", "top-k 3", example).equals(True, about="two that may change places")
    check(commuting, "temperature 2", "top-p 0.8", example).equals(False, about="two that may not")
    check(commuting, "temperature 2", "first 1", example).equals(
        False, about="different chances for the same tokens"
    )
    check(commuting, "temperature 2", "shift 3", example).equals(True, about="logits that differ by a constant")
    check(commuting, "first 2", "top-k 1", torch.tensor([0.0, 1.0])).equals(
        False, about="the same chances for other tokens")
    far = torch.tensor([0.0, -14.0], dtype=torch.float64)
    check(commuting, "temperature 2", "first 0.001", far).equals(True, about="no difference above 1e-6")
    wider = {"more than 1e-6 is allowed here: a relative tolerance beside it, or another one": True}
    level = torch.zeros(3, dtype=torch.float64)
    check(commuting, "temperature 2", "first 0.00003", level).equals(False, about="more than 1e-6", near=wider)
    check(commuting, "temperature 2", "first 0.0000064", level[:2]).equals(True, about="less than 1e-6 each", near={
        "no token differs by more than 1e-6: here they were added up, or less was allowed": False})


score
