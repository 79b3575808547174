from helpers.checks import difference, graded


@graded("two-matrix", points=6)
def score(check):
    import numpy as np
    from scipy.special import log_softmax, softmax

    exchanged = "V and U are exchanged: V holds the previous word, U the next"
    one_matrix = "both vectors were taken from V: the next word has its vector in U"
    cosine = "the dot product was divided by the lengths: the score is the plain dot product"
    scores_only = "these are the scores: a softmax makes them probabilities"
    next_of = "both vectors were taken from U: the previous word has its vector in V"
    overflow = "an exponential overflowed: subtract the largest score first"
    count = "a text of T words has T - 1 pairs: divide by their number"
    summed = "this is the sum over the pairs: take the mean"
    own = "this is -ln p(word | the same word): pair each word with the one after it"
    greedy = "the likeliest word was taken: draw by r"
    from_start = "every word was drawn after `start`: the word just drawn is the next previous one"
    once = "each pair counts as often as it occurs"
    turned = "the sign of the scores is turned round"
    equal = "a cumulative sum equal to r is not greater than r: take the next word"
    cut = "the scores were clipped: subtract the largest, and none overflows"
    every_row = "the distribution after one word is asked, word i: here every row of V was taken"
    not_below = "the first cumulative sum greater than r counts: here the draw was one word off"

    V = np.array([[0.884, 0.196], [0.358, -2.343], [-1.085, 0.560], [0.939, -0.978],
                  [0.503, 0.406], [0.323, -0.493], [-0.792, -0.842], [-1.280, 0.246]])
    U = np.array([[-0.044, 1.568], [1.051, 0.406], [-0.169, -3.190], [1.120, 1.333],
                  [-0.243, -0.130], [-0.109, 1.556], [0.129, -2.067], [-0.885, -1.105]])
    words = ["!", ".", "ate", "cat", "dog", "ran", "the", "zoo"]
    text = "the dog ran . the dog ate . the dog ran the zoo . the cat ate the dog ! the cat ran the zoo .".split()
    ids = [words.index(w) for w in text]
    after_the = [0.0094, 0.0105, 0.5706, 0.0046, 0.0460, 0.0100, 0.1751, 0.1739]
    check(next_probabilities, V, U, 6).equals(after_the, about="random vectors, after 'the'", atol=6e-5,
        rtol=0, near={scores_only: [-1.2854, -1.1742, 2.8198, -2.0094, 0.30192, -1.2238, 1.6382, 1.6313],
        exchanged: [0.0049372, 0.87748, 0.0018047, 0.056292, 0.0030452, 0.019079, 0.033992, 0.0033679],
        one_matrix: [0.026168, 0.33662, 0.091605, 0.067321, 0.02965, 0.072892, 0.23649, 0.13926],
        cosine: [0.043977, 0.036269, 0.19175, 0.032922, 0.23051, 0.045324, 0.17713, 0.24211]})
    check(next_probabilities, np.array([[1000.0, 0], [0, 3], [1, 1]]), np.array([[0.711, 2], [0.71, 5], [0.6995, 1]]),
        0).equals([0.731053, 0.268939, 7.4e-6], about="scores of seven hundred", rtol=1e-4, near={
        overflow: [np.nan, np.nan, 0.0], overflow + " (here NaN became a number)": [0.0, 0.0, 0.0],
        cut: [1 / 3] * 3})
    check(mean_nll, V, U, ids).equals(2.8255, about="random vectors, the small corpus", rtol=2e-5,
        near={exchanged: 3.4636, one_matrix: 2.935, cosine: 2.0628, count: 2.7169, summed: 70.638, own: 3.318,
        once: 2.826203})
    check(generate, V, U, 6, [0.4, 0.6, 0.05, 0.6]).equals([6, 2, 5, 1, 2], about="drawing with random vectors",
        near={greedy: [6, 2, 5, 2, 5], from_start: [6, 2, 4, 2, 4], not_below: [6, 1, 1, 1, 1],
        one_matrix: [6, 2, 6, 1, 1],
        exchanged: [6, 1, 4, 0, 4], "the list begins with `start`": [2, 5, 1, 2]})


score
