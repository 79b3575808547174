from helpers.checks import graded


@graded("bleu", points=4)
def score(check):
    from collections import Counter

    import numpy as np
    import sacrebleu

    clipped = "clip the counts: an n-gram counts at most as often as it occurs in the reference"
    no_penalty = "the brevity penalty is missing: the candidates are shorter than the references"
    mean = "the mean of the precisions is geometric: here they were averaged"
    per_sentence = "BLEU of each sentence was averaged: add hits and totals over the corpus, then divide"
    only_n = "only the longest n-grams were counted: all sizes from 1 to n are"
    averaged = "the mean of each sentence's precision came first: add hits and totals over the corpus"
    short = "one sentence is shorter than n: it adds no n-grams of that size, and the others count on"
    recall = "the shares are of the candidate's n-grams: here they were divided by the reference's"
    product = "the n-th root is missing"
    fourth = "the root is the n-th: here it was the fourth, whatever n is"
    second = "the root is the n-th: here it was the square root, whatever n is"
    left_over = "a sentence shorter than n was passed over: its shorter n-grams count, and its length does, too"
    fewer = "a sentence shorter than n has no n-grams of that size: here fewer than none were counted for it"
    one_at_least = "a sentence shorter than n has no n-grams of that size: here one was counted for it"
    by_words = "the shares are of the candidate's n-grams: here they were divided by its number of words"
    uncounted = "a sentence shorter than n was passed over: its shorter n-grams count"
    turned = "candidate and reference are exchanged in the brevity penalty"
    long_penalty = "a candidate that is longer than the reference gets no penalty: BP is at most 1"

    cat, ref = "the cat sat on the mat".split(), "the cat is on the mat".split()
    check(bleu, [cat], [ref], 2).equals(0.7071, rtol=1e-4, about="BLEU-2",
        near={mean: 0.71667, product: 0.5, only_n: 0.6, fourth: 0.840896, by_words: 0.645497})
    check(bleu, [cat], [ref], 3).equals(0.5, about="BLEU-3", near={mean: 0.56111, product: 0.125, only_n: 0.25,
        fourth: 0.594604, second: 0.353553, by_words: 0.411035})
    left_out = "BLEU is 0.0 where one share is 0: it was left out of the mean"
    ends_early = "the sizes end at n - 1: n itself belongs to them"
    once = "repeated n-grams were counted once: take counts, not sets"
    check(bleu, [cat], [ref]).equals(0.0, about="BLEU-4", near={left_out: 0.5, ends_early: 0.5,
        "the logarithm of 0 cannot be taken: return 0.0": ValueError})
    check(bleu, [["the"] * 7], [ref], 1).equals(2 / 7, about="the the the", near={clipped: 1.0, once: 1.0,
        recall: 0.33333,
        turned: 0.24185, long_penalty: 0.32959, fourth: 0.73111, second: 0.534522})
    pair = ["it is on it".split(), "a cat sat on the".split()]
    check(bleu, [*pair, ["on"]], [ref, cat, ref], 2).equals(0.284181, rtol=1e-4, about="three sentences, one short",
        near={per_sentence: 0.293934, averaged: 0.236422, short: 0.0, fourth: 0.357338,
        left_over: 0.442253, uncounted: 0.277332, one_at_least: 0.265827, by_words: 0.237763,
        recall: 0.144698})
    check(bleu, [["the", "cat"]], [ref], 2).equals(0.1353, rtol=1e-3, about="too short",
        near={no_penalty: 1.0, turned: 1.0, recall: 0.034943, by_words: 0.095696})


score
