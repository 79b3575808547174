from helpers.checks import graded


@graded("vectors", points=5)
def score(check):
    import numpy as np

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the first number is the highest bit of its byte, not the lowest": {
            1: [[13]],
            2: [[145, 0], [166, 1]],
        },
        "these are the bits one by one: eight of them share a byte": {
            1: [[1, 0, 1, 1]],
            2: [[1, 0, 0, 0, 1, 0, 0, 1, 0], [0, 1, 1, 0, 0, 1, 0, 1, 1]],
        },
        "places after the last number are 0: here 1": {
            1: [[191]],
            2: [[137, 127], [101, 255]],
        },
        "a bit is 1 where the number is above 0: at 0 it is 0": {
            2: [[219, 0], [101, 128]],
        },
        "these are the bits that agree": {
            3: [[16, 12, 0], [12, 12, 4]],
            4: [[0]],
        },
        "these are the ones that both have: an exclusive or counts where they differ": {
            3: [[3, 2, 0], [0, 1, 1]],
            4: [[0]],
        },
        "these are the bytes that differ: count their bits": {
            3: [[0, 2, 2], [2, 2, 2]],
            4: [[32]],
        },
        "the bytes that differ were added up as numbers: count their ones": {
            3: [[0, 83, 510], [177, 226, 333]],
            4: [[8160]],
        },
        "queries belong to the rows, passages to the columns": {
            3: [[0, 4], [4, 4], [16, 12]],
        },
        "256 and more do not fit into a byte: sum in a larger type": {
            4: [[0]],
        },
        "the short list is not used: all passages were ranked": {
            5: [2, 0],
            6: [0, 4],
        },
        "all that are as near as the last of the short list joined it: of equals those that are first in the list do": {
            5: [2, 0],
        },
        "of equal products the passage that is first in the list comes first, not the nearer one": {
            5: [1, 0],
        },
        "the products do not rank: this is the order of the distances": {
            5: [1, 0],
            6: [1, 3],
        },
        "the best comes first: here it comes last": {
            5: [1, 0],
            6: [2, 3],
        },
        "the passages of the smallest distance are near, not those of the largest": {
            5: [2, 0],
            6: [0, 4],
        },
        "these are places in the short list: places among the passages are asked for": {
            5: [1, 0],
            6: [1, 2],
        },
        "of equal products the passage that is first in the list comes first, not the last": {
            5: [1, 0],
        },
        "of equal distances the passage that is first in the list comes first, not the last": {
            5: [2, 1],
        },
        "these are places in the short list, in the passages' order: places among the passages are asked for": {
            6: [2, 1],
        },
        "the best comes first": {
            6: [1, 2],
        },
        "the products were divided by the lengths": {
            6: [2, 3],
        },
        "the distance between the vectors ranks here: their product is asked for": {
            6: [2, 1],
        },
        "only k passages are on the short list: `shortlist` of them are": {
            6: [3, 1],
        },
        "all of the short list came back: the k best of it are asked for": {
            6: [3, 2, 1],
        },
    })
    a = np.array([[0.4, -0.1, 0.3, 0.2]])
    check(sign_bits, a).equals(
        [[176]], about="the text's vector",
        near={
            "a bit is 1 where a number is above 0: these are the others": [[64]],
            "the zeros that fill the byte are after the last number": [[11]],
        },
    )
    nine = np.array([[1.0, 0.0, -2.0, 0.0, 3.0, -1.0, 0.0, 4.0, -0.5], [-1.0, 2, 3, -4, -5, 6, -7, 8, 9]])
    check(sign_bits, nine).equals(
        [[137, 0], [101, 128]], about="nine numbers",
        near={
            "the last, incomplete byte is missing": [[137], [101]],
            "the zeros that fill the byte are after the last number": [[137, 0], [101, 1]],
        },
    )
    P = np.array([[176, 0], [224, 3], [79, 255]], dtype=np.uint8)
    Q = np.array([[176, 0], [0, 1]], dtype=np.uint8)
    check(hamming, Q, P).equals(
        [[0, 4, 16], [4, 4, 12]], about="how many bits differ",
        near={
            "these are differences of the bytes as numbers: count the bits that differ":
                [[0, 51, 352], [177, 226, 333]],
        },
    )
    ones, zeros = np.full((1, 32), 255, dtype=np.uint8), np.zeros((1, 32), dtype=np.uint8)
    check(hamming, ones, zeros).equals([[256]], about="256 bits differ")
    equal = np.array([[0.0, 1.0], [2.0, 0.0], [9.0, 9.0]])
    check(rescore, np.array([1.0, 2.0]), equal, np.array([2, 1, 2]), 2, 2).equals(
        [0, 1], about="equal products, equal distances")
    query, distances = np.array([1.0, 2.0]), np.array([5, 1, 3, 1, 9])
    passages = np.array([[9.0, 9.0], [1.0, 0.0], [0.0, 2.0], [3.0, 1.0], [8.0, 8.0]])
    check(rescore, query, passages, distances, 3, 2).equals([3, 2], about="a short list of three")


score
