from helpers.checks import graded


@graded("order", points=4)
def score(check):
    import torch

    inf = float("inf")
    example = torch.tensor([-2.5257286, -0.7985077, -3.912023, -1.3862944, -1.89712, -3.2188758, -4.6051702])
    backwards = "the last processor came first: the first of the list comes first"
    last = "only the last processor was applied"
    first_alone = "only the first processor was applied"
    check(chained, example, ["temperature 2", "top-p 0.8"]).equals(
        [-1.2628643, -0.3992539, -inf, -0.6931472, -0.94856, -inf, -inf], near={
            backwards: [-inf, -0.3992539, -inf, -0.6931472, -0.94856, -inf, -inf],
            last: [-inf, -0.7985077, -inf, -1.3862944, -1.89712, -inf, -inf],
            first_alone: [-1.2628643, -0.3992539, -1.9560115, -0.6931472, -0.94856, -1.6094379, -2.3025851],
        })
    likeliest = "only the likeliest token is compared: the probabilities of all are"
    sets = "who is left is compared, and not with which probability"
    raw = "logits were compared: a constant added to all of them changes nothing"
    exchanged = "True and False are exchanged"
    added = "the differences are added up with their signs, which gives 0: the size of each is asked"
    never, always = "two that may change places", "two that may not"
    check(commuting, "temperature 2", "top-k 3", example).equals(True, about=never, near={
        exchanged: False})
    check(commuting, "temperature 2", "top-p 0.8", example).equals(False, about=always, near={
        exchanged: True, likeliest: True, added: True})
    check(commuting, "temperature 2", "first 1", example).equals(False, about="different chances for the same tokens",
                                                            near={
                                                                sets: True, exchanged: True, added: True,
                                                                likeliest: True})
    check(commuting, "temperature 2", "shift 3", example).equals(True, about="logits that differ by a constant",
                                                            near={raw: False, exchanged: False})


score
