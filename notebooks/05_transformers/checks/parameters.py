from helpers.checks import graded


@graded("parameters", points=6)
def score(check):
    import itertools

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the biases are missing": {
            1: 208,
            2: 288,
            3: 124356864,
            4: 174593642496,
            5: 334920704,
        },
        "the norms of the blocks are missing, or the biases of attention: both are 4C numbers": {
            1: 228,
            2: 304,
            3: 124402944,
            4: 174599540736,
            5: 335043584,
        },
        "biases and norms are missing: these are the matrices alone": {
            1: 192,
            2: 264,
        },
        "attention has four matrices: that of the output is missing": {
            1: 224,
            2: 286,
            3: 117352704,
            4: 160107565056,
            5: 309951488,
            6: 1520,
        },
        "a block has two norms": {
            1: 236,
            2: 316,
            3: 124421376,
            4: 174601900032,
            5: 335092736,
        },
        "a norm has a bias, too": {
            1: 236,
            2: 316,
            3: 124421376,
            4: 174601900032,
            5: 335092736,
        },
        "the feed-forward network has two layers": {
            1: 176,
            2: 262,
        },
        "the biases of the feed-forward network are missing": {
            1: 224,
            2: 312,
            3: 124393728,
            4: 174598361088,
            5: 335019008,
        },
        "one bias for all of attention is counted: each of its four matrices has its own": {
            1: 232,
            2: 310,
            3: 124412160,
            4: 174600720384,
            5: 335068160,
        },
        "the bias of the first layer has d_ff numbers, that of the second d_model": {
            1: 256,
            2: 332,
            3: 124467456,
            4: 174607798272,
            5: 335215616,
        },
        "the bias of the first layer has d_ff numbers": {
            1: 232,
            2: 324,
            3: 124412160,
            4: 174600720384,
            5: 335068160,
        },
        "d_ff was ignored: the middle is d_ff wide": {
            2: 510,
        },
        "biases and norms of the blocks are missing": {
            3: 124320000,
            4: 174588923904,
            5: 334822400,
        },
        "the blocks are counted once, not num_layers times": {
            3: 46473216,
            4: 2454847488,
            5: 45428736,
        },
        "the output is tied to the token embedding: it adds no parameters": {
            3: 163037184,
            4: 175221817344,
        },
        "the output is tied, and has no bias": {
            3: 124490065,
            4: 174604309585,
        },
        "the position embeddings are missing": {
            3: 123653376,
            4: 174579093504,
            5: 334617600,
        },
        "the norm at the end is missing": {
            3: 124438272,
            4: 174604234752,
        },
        "the token embedding is missing: tied means that it is counted once": {
            3: 85842432,
            4: 173986701312,
        },
        "the norm at the end and the position embeddings are missing": {
            3: 123651840,
            4: 174579068928,
        },
        "the norm at the end has a bias, too": {
            3: 124439040,
            4: 174604247040,
        },
        "embeddings, too, are counted for each block": {
            3: 557661696,
            4: 235663024128,
        },
        "a GPT has one norm, at its end, and no segment embeddings": {
            3: 124441344,
            4: 174604283904,
        },
        "a GPT has no pooler": {
            3: 125030400,
            4: 174755266560,
        },
        "the last norm is one for the GPT, not one for each block": {
            3: 124456704,
            4: 174606594048,
        },
        "d_ff is 4 * d_model where it is None, not d_model": {
            3: 81944832,
            4: 87627632640,
        },
        "the norm on the sum of the embeddings is missing": {
            5: 335139840,
        },
        "the pooler is missing": {
            5: 334092288,
        },
        "the segment embeddings are missing": {
            5: 335139840,
        },
        "d_model numbers are missing: the pooler has a bias, and so has the norm on the embeddings": {
            5: 335140864,
        },
        "BERT's norm is that on the embeddings: there is none at the end of the stack, and one on their sum": {
            5: 335143936,
        },
        "the biases of the pooler and of the norm on the embeddings are missing": {
            5: 335139840,
        },
        "the output is not part of the encoder": {
            5: 366396416,
        },
        "the pooler and the norm on the embeddings are missing": {
            5: 334090240,
        },
        "pooler, segments and the norm on the embeddings are missing": {
            5: 334088192,
        },
        "segments and the norm on the embeddings are missing: this counts like a GPT": {
            5: 335137792,
        },
        "num_segments is 2 where it is not given": {
            5: 335140864,
        },
        "the pooler is counted once, not in each block": {
            5: 359282688,
        },
        "the output's bias is not part of the encoder": {
            5: 335172410,
        },
        "the embeddings have one norm on their sum": {
            5: 335145984,
        },
        "segments and pooler are missing": {
            5: 334090240,
        },
        "this is the count of a GPT": {
            5: 334090240,
        },
        "a product with n weights costs 2n operations: a multiplication and an addition each": {
            6: 1000,
        },
        "the scores and the weighted sums over the context are missing": {
            6: 1232,
        },
        "both the scores and the weighted sums count, 2TC each; the causal mask saves nothing in this count": {
            6: 1424,
        },
        "the product with the output matrix (C times V) is missing": {
            6: 1536,
        },
        "the forward pass is asked; training costs three times as much": {
            6: 4848,
        },
        "one multiplication and addition each: the scores and sums, too, cost 2 for each pair": {
            6: 808,
        },
        "this is twice the number of parameters: count the products alone, and those of attention with the context": {
            6: 1624,
        },
        "twice the number of all parameters was counted, beside attention: biases, norms and look-ups are no products": {
            6: 2008,
        },
        "the feed-forward network has two matrices": {
            6: 1232,
        },
        "the output's product, too, costs 2 for each weight": {
            6: 1576,
        },
        "the matrices of the blocks, too, cost 2 for each weight": {
            6: 1040,
        },
        "biases and norms are left out here": {
            6: 1928,
        },
        "scores or sums are counted for T tokens: one token looks at T keys": {
            6: 2960,
        },
        "biases are left out here": {
            6: 1832,
        },
        "this is for the whole context: one token is asked": {
            6: 12928,
        },
        "the scores are counted once, not in each block": {
            6: 1360,
        },
        "the token embedding is a look-up and costs nothing": {
            6: 1696,
        },
        "the output has C times V weights, not C times T": {
            6: 1600,
        },
        "the output is counted in each block": {
            6: 1776,
        },
        "one token looks at T keys, not T tokens at T keys": {
            6: 4304,
        },
    })
    exact = {"rtol": 1e-12, "atol": 1e-6}

    def too_many(right, C, layers, named):
        """Counts that are wrong by a few times d_model, in each block and besides; named: those that have a name."""

        def add(times, where=""):
            return f"{abs(times)} * d_model too {'many' if times > 0 else 'few'}{where}"

        found = {}
        for k, j in sorted(itertools.product(range(-6, 7), repeat=2), key=lambda pair: 0 not in pair):
            if (k, j) in {(0, 0), *named}:
                continue
            parts = [add(k, " in each block"), f"and {add(j)} besides"]
            if j == 0:
                parts = parts[:1]
            if k == 0:
                parts = [add(j)]
            found[f"the count is {', '.join(parts)}"] = right + (k * layers + j) * C
        return found

    of_blocks = {(-5, 0), (-4, 0), (-3, 0), (-2, 0), (3, 0)}
    of_gpt = of_blocks | {(0, -2), (0, -1), (0, 2), (2, -2)}
    of_bert = of_blocks | {(0, -4), (0, -2), (0, -1), (0, 2), (0, 4)}
    check(block_parameters, 4, 16).equals(244, **exact)
    check(block_parameters, 6, 10).equals(328, **exact)
    check(gpt_parameters, 50257, 1024, 768, 12).equals(
        124_439_808, **exact, about="GPT-2 small", near=lambda: too_many(124_439_808, 768, 12, of_gpt)
    )
    check(gpt_parameters, 50257, 2048, 12288, 96).equals(
        174_604_259_328, **exact, about="GPT-3", near=lambda: too_many(174_604_259_328, 12288, 96, of_gpt)
    )
    check(bert_parameters, 30522, 512, 1024, 24).equals(
        335_141_888, **exact, about="BERT-large", near=lambda: too_many(335_141_888, 1024, 24, of_bert)
    )
    check(flops_per_token, 10, 8, 4, 3).equals(2 * (3 * 192 + 40) + 3 * 4 * 8 * 4, **exact)


score
