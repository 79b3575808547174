from helpers.checks import difference, graded


@graded("two-matrix", points=6)
def score(check):
    import numpy as np

    overflow = "an exponential overflowed: subtract the largest score first"

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "these are the scores: a softmax makes them probabilities": {
            1: [-1.285408, -1.174244, 2.819828, -2.009426, 0.301916, -1.223824, 1.638246, 1.63133],
            2: [711.0, 710.0, 699.5],
        },
        "V and U are exchanged: V holds the previous word, U the next": {
            1: [0.00493719297237, 0.877481564045, 0.00180472449445, 0.0562918601905, 0.003045234609,
             0.0190790513557, 0.0339924671441, 0.00336790518912],
            2: [1.0, 0.0, 0.0],
            3: 3.46355,
            7: [6, 1, 4, 0, 4],
        },
        "both vectors were taken from V: the next word has its vector in U": {
            1: [0.0261676036237, 0.336619139955, 0.0916046599088, 0.0673208599128, 0.0296497633142,
             0.0728915079172, 0.236490997756, 0.139255467612],
            2: [1.0, 0.0, 0.0],
            3: 2.93499,
            4: 1800.0,
            7: [6, 2, 6, 1, 1],
        },
        "both vectors were taken from U: the previous word has its vector in V": {
            1: [4.87286177967e-05, 0.000619786765288, 0.895311957085, 9.20348667742e-05, 0.00158820780359,
             4.95352972854e-05, 0.0913203096926, 0.0109694398714],
            2: [0.00247356, 0.997194, 0.000332033],
            3: 5.25826,
            4: 2.12693,
            7: [6, 2, 2, 2, 2],
        },
        "the sign of the scores is turned round": {
            1: [0.191329866649, 0.171200432318, 0.00315428860543, 0.394656982515, 0.0391216095771, 0.179902491268,
             0.0102814879208, 0.0103528411463],
            2: [1.01297e-05, 2.75354e-05, 0.999962],
            3: 3.43289,
            4: 0.0,
            7: [6, 3, 5, 0, 6],
        },
        "the distribution after one word is asked, word i: here every row of V was taken": {
            1: [[0.117408355039, 0.246136453739, 0.0413714103964, 0.313742966336, 0.0705932176175, 0.110591814029,
              0.0670963785876, 0.0330594042559],
             [0.0, 0.000312100048946, 0.919873837164, 3.64544962991e-05, 0.000689467669325, 0.0,
              0.0736800099597, 0.00538035053428],
             [0.270430569935, 0.0430008719018, 0.0215669142412, 0.0670524663151, 0.12967747319, 0.288247761207,
              0.0292743115418, 0.150749631668],
             [0.00627135355946, 0.0546327330784, 0.585192708981, 0.0235427568888, 0.0273789702627,
              0.005969679316, 0.258131516792, 0.0388802811211],
             [0.174258136048, 0.188585359581, 0.0237104229969, 0.284467707326, 0.0791268879368, 0.167833218681,
              0.043455904763, 0.0385623626674],
             [0.0363203829737, 0.0917373954409, 0.364198153807, 0.0593947654119, 0.0786663977647,
              0.0357768164382, 0.230514345768, 0.103391742395],
             [0.00940701330558, 0.0105130727589, 0.570601750971, 0.00456052390066, 0.0460063535417,
              0.0100045451769, 0.175056627522, 0.173850112823],
             [0.180409339822, 0.0333739741489, 0.0656777612692, 0.0383785373107, 0.153276024722, 0.195483578633,
              0.059120538142, 0.274280245953]],
            2: [[0.731053, 0.268939, 7.40564e-06], [0.000123394, 0.99987, 6.14342e-06],
             [0.0466654, 0.936364, 0.016971]],
        },
        "exponentials divided by their length, the root of the sum of squares: divide by their sum": {
            1: [0.0150847290661, 0.0168583639748, 0.914995284735, 0.00731308282516, 0.0737740402775,
             0.0160429084685, 0.280714155665, 0.278779434542],
            2: [0.938508, 0.345258, 9.50717e-06],
        },
        "the dot product was divided by the lengths: the score is the plain dot product": {
            1: [0.0439772761328, 0.0362693835365, 0.191751666478, 0.0329219632614, 0.23051165609, 0.0453235541153,
             0.177129859887, 0.242114640498],
            2: [0.323379, 0.266254, 0.410366],
            3: 2.0628,
            4: 2.12693,
        },
        "the scores were divided by the root of M: the plain dot product is asked": {
            1: [0.024514250248, 0.0265189456956, 0.446792734203, 0.0146919034118, 0.0753137074115, 0.0256053433739,
             0.193754164167, 0.192808951489],
            2: [0.66963, 0.330173, 0.000196911],
        },
        "exponentials divided by the largest, not by their sum": {
            1: [0.0164861276531, 0.0184245364495, 1.0, 0.00799248143369, 0.0806277819222, 0.0175333236533,
             0.306793007951, 0.304678547739],
            2: [1.0, 0.367879, 1.01301e-05],
        },
        "a logarithm is too many: probabilities are asked": {
            1: [-4.66629977156, -4.55513577156, -0.561063771559, -5.39031777156, -3.07897577156, -4.60471577156,
             -1.74264577156, -1.74956177156],
            2: [-0.313269, -1.31327, -11.8133],
        },
        "the scores were divided by their sum: a softmax takes exponentials first": {
            1: [-1.84045657472, -1.68129114656, 4.03745035208, -2.87711084193, 0.432285536742, -1.75228015315,
             2.34565260346, 2.33575022408],
            2: [0.335298, 0.334827, 0.329875],
        },
        "a sigmoid of each score: a softmax is taken over all words together": {
            1: [0.21663106857, 0.23608871823, 0.943737934501, 0.118216799369, 0.574910831997, 0.227264197815,
             0.837296129026, 0.83635175399],
            2: [1.0, 1.0, 1.0],
        },
        "the softmax was taken over the whole table of pairs: only the row of word i counts": {
            1: [0.000144209532641, 0.000161165426255, 0.00874732597461, 6.99128404465e-05, 0.000705277491083,
             0.000153369697414, 0.00268361844728, 0.00266512257455],
        },
        "the softmax was taken over the previous words: it is over the next ones": {
            1: [0.0337237303775, 0.0333870090815, 0.00986334894475, 0.0145866220044, 0.156476160607,
             0.0352084452223, 0.0339924671441, 0.232936728725],
            2: [1.0, 1.0, 1.0],
        },
        "the softmax of a distance: the score is the dot product": {
            1: [0.0447055747764, 0.0602026712771, 0.0491198896072, 0.0308022139516, 0.226881829507,
             0.0460689682941, 0.120410692307, 0.421808160279],
            2: [0.335727, 0.331886, 0.332387],
        },
        "an exponential overflowed: subtract the largest score first": {
            2: [float("nan"), float("nan"), 0.0],
        },
        "the scores were clipped: subtract the largest, and none overflows": {
            2: [0.333333, 0.333333, 0.333333],
        },
        "the scores were clipped: subtract the largest, and none overflows upwards": {
            2: [0.383652, 0.383652, 0.232697],
        },
        "a text of T words has T - 1 pairs: divide by their number": {
            3: 2.71685,
            4: 40.0,
        },
        "this is the sum over the pairs: take the mean": {
            3: 70.6381,
            4: 120.0,
        },
        "this is -ln p(word | the same word): pair each word with the one after it": {
            3: 3.31802,
            4: 0.0,
        },
        "this is -ln p(word | the same word): pair each word but the last with the one after it": {
            3: 3.12785,
            4: 0.0,
        },
        "every other pair is missing: the pairs overlap": {
            3: 3.12046,
        },
        "the pairs are turned round: this predicts the previous word": {
            3: 3.44124,
        },
        "the sign is missing: the logarithm of a probability is below 0": {
            3: -2.82552,
            4: -60.0,
        },
        "these are bits: take the natural logarithm": {
            3: 4.07637,
            4: 86.5617,
        },
        "this is the perplexity: leave the exponential out": {
            3: 16.8698,
            4: 1.14201e+26,
        },
        "the mean of the probabilities came before the logarithm": {
            3: 2.24599,
        },
        "the last word was paired with the first: the text does not go round": {
            3: 2.81716,
            4: 40.0,
        },
        "each pair counts as often as it occurs": {
            3: 2.8262,
        },
        "only words that follow one another are pairs: here each word met all": {
            3: 3.21081,
            4: 26.6667,
        },
        "the last pair is missing": {
            3: 2.80159,
        },
        "the likeliest word was taken: draw by r": {
            5: [0, 0, 0],
            6: [0, 0],
            7: [6, 2, 5, 2, 5],
        },
        "the first cumulative sum greater than r counts: here the draw was one word off": {
            5: [0, 0, 0],
            6: [0, 8],
            7: [6, 1, 1, 1, 1],
        },
        "the first cumulative sum greater than r counts: here the draw was one word off, too late": {
            5: [0, 1, 1],
            7: [6, 3, 3, 2, 6],
        },
        "`start` came twice: the list begins with it once": {
            5: [0, 0, 1, 0],
            6: [0, 0, 9],
            7: [6, 6, 2, 5, 1, 2],
        },
        "the list begins with `start`": {
            5: [1, 0],
            6: [9],
            7: [2, 5, 1, 2],
        },
        "one word for each number of uniforms is asked: the last is missing": {
            5: [0, 1],
            6: [0],
            7: [6, 2, 5, 1],
        },
        "one word for each number of uniforms is asked: the first was not used": {
            5: [0, 0],
            6: [0],
            7: [6, 4, 0, 3],
        },
        "one word for each number of uniforms is asked: the return stands inside the loop": {
            5: [0, 1],
            7: [6, 2],
        },
        "each word is drawn by a number of its own: here one number served for all": {
            5: [0, 1, 1],
            7: [6, 2, 3, 2, 3],
        },
        "1 - r was used: the first cumulative sum greater than r counts": {
            5: [0, 1, 1],
            6: [0, 0],
            7: [6, 4, 3, 6, 2],
        },
        "the first word whose own probability is greater than r was taken: use cumulative sums": {
            5: [0, 0, 0],
            6: [0, 0],
            7: [6, 2, 0, 0, 0],
        },
        "the word whose cumulative probability is nearest to r was taken: the first greater one counts": {
            5: [0, 0, 0],
            7: [6, 2, 4, 0, 3],
        },
        "every word was drawn after `start`: the word just drawn is the next previous one": {
            7: [6, 2, 4, 2, 4],
        },
        "the place among the sorted words came back: keep the order of the words": {
            7: [6, 0, 2, 0, 2],
        },
        "the words were sorted by probability before r was looked up: keep their order": {
            7: [6, 2, 7, 7, 0],
        },
    })
    V = np.array([[0.884, 0.196], [0.358, -2.343], [-1.085, 0.560], [0.939, -0.978],
                  [0.503, 0.406], [0.323, -0.493], [-0.792, -0.842], [-1.280, 0.246]])
    U = np.array([[-0.044, 1.568], [1.051, 0.406], [-0.169, -3.190], [1.120, 1.333],
                  [-0.243, -0.130], [-0.109, 1.556], [0.129, -2.067], [-0.885, -1.105]])
    words = ["!", ".", "ate", "cat", "dog", "ran", "the", "zoo"]
    text = "the dog ran . the dog ate . the dog ran the zoo . the cat ate the dog ! the cat ran the zoo .".split()
    ids = [words.index(w) for w in text]
    after_the = [0.0094, 0.0105, 0.5706, 0.0046, 0.0460, 0.0100, 0.1751, 0.1739]
    check(next_probabilities, V, U, 6).equals(after_the, about="random vectors, after 'the'", atol=6e-5, rtol=0)
    check(
        next_probabilities, np.array([[1000.0, 0], [0, 3], [1, 1]]), np.array([[0.711, 2], [0.71, 5], [0.6995, 1]]), 0
    ).equals(
        [0.731053, 0.268939, 7.4e-6], about="scores of seven hundred", rtol=1e-4,
        near={overflow + " (here NaN became a number)": [0.0, 0.0, 0.0]}
    )
    check(mean_nll, V, U, ids).equals(2.8255, about="random vectors, the small corpus", rtol=2e-5)
    unlikely = {}
    for least in (1e-8, 1e-9, 1e-10, 1e-12):
        unlikely[f"a probability was raised to {least:g} before its logarithm"] = -np.log(least)
    check(mean_nll, np.array([[30.0], [-30.0]]), np.array([[1.0], [-1.0]]), [0, 1, 0]).equals(
        60.0, about="p is e to the -60", rtol=1e-4, near=unlikely
    )
    two, ten = np.zeros((2, 1)), np.zeros((10, 1))  # words that are equally likely
    check(generate, two, two, 0, [0.5, 0.25]).equals(
        [0, 1, 0], about="r is a sum", near={"a cumulative sum equal to r is not greater than r": [0, 0, 0]}
    )
    beyond = "rounding left no word, and one beyond the last came: take the last"
    check(generate, ten, ten, 0, [0.9999999999999999]).equals(
        [0, 9], about="r is the rounded sum of all", edge=True, near={
            beyond: [0, 10], "rounding left no word, and the first came: take the last": [0, 0],
            f"{beyond} one": IndexError,
        },
    )
    check(generate, V, U, 6, [0.4, 0.6, 0.05, 0.6]).equals([6, 2, 5, 1, 2], about="drawing with random vectors")


score
