from helpers.checks import graded


@graded("image-text", points=7)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the picture's vectors are in reverse order": {
            1: [[[3.0, 4.0], [0.3, 0.4], [1.0, 2.0], [0.7, 0.8]], [[0.9, 0.9], [7.0, 8.0], [5.0, 6.0], [0.6, 0.6]]],
        },
        "all places got the first vector of the picture": {
            1: [[[1.0, 2.0], [0.3, 0.4], [1.0, 2.0], [0.7, 0.8]], [[0.9, 0.9], [5.0, 6.0], [5.0, 6.0], [0.6, 0.6]]],
        },
        "the picture's vectors were added to those of the tokens: they take their place": {
            1: [[[1.1, 2.2], [0.3, 0.4], [3.5, 4.6], [0.7, 0.8]], [[0.9, 0.9], [5.8, 6.8], [7.7, 8.7], [0.6, 0.6]]],
        },
        "the picture's vectors were put in front: they belong in the places of image_id": {
            1: [[[1.0, 2.0], [3.0, 4.0], [0.3, 0.4], [0.7, 0.8]], [[5.0, 6.0], [7.0, 8.0], [0.9, 0.9], [0.6, 0.6]]],
        },
        "nothing was put in": {
            1: [[[0.1, 0.2], [0.3, 0.4], [0.5, 0.6], [0.7, 0.8]], [[0.9, 0.9], [0.8, 0.8], [0.7, 0.7], [0.6, 0.6]]],
        },
        "all rows have their pictures in the places of row 0: each row has its own": {
            1: [[[1.0, 2.0], [0.3, 0.4], [3.0, 4.0], [0.7, 0.8]], [[5.0, 6.0], [0.8, 0.8], [7.0, 8.0], [0.6, 0.6]]],
        },
        "every row got the picture of row 0": {
            1: [[[1.0, 2.0], [0.3, 0.4], [3.0, 4.0], [0.7, 0.8]], [[0.9, 0.9], [1.0, 2.0], [3.0, 4.0], [0.6, 0.6]]],
        },
        "the places were filled column by column: each row has its own pictures": {
            1: [[[1.0, 2.0], [0.3, 0.4], [5.0, 6.0], [0.7, 0.8]], [[0.9, 0.9], [3.0, 4.0], [7.0, 8.0], [0.6, 0.6]]],
        },
        "the vectors are side by side from the first image_id on: they belong in the places of image_id": {
            1: [[[1.0, 2.0], [3.0, 4.0], [0.5, 0.6], [0.7, 0.8]], [[0.9, 0.9], [5.0, 6.0], [7.0, 8.0], [0.6, 0.6]]],
        },
        "all places got the mean of the picture's vectors": {
            1: [[[2.0, 3.0], [0.3, 0.4], [2.0, 3.0], [0.7, 0.8]], [[0.9, 0.9], [6.0, 7.0], [6.0, 7.0], [0.6, 0.6]]],
        },
        "all places got the last vector of the picture": {
            1: [[[3.0, 4.0], [0.3, 0.4], [3.0, 4.0], [0.7, 0.8]], [[0.9, 0.9], [7.0, 8.0], [7.0, 8.0], [0.6, 0.6]]],
        },
        "the vectors of the tokens are lost: only the places of image_id change": {
            1: [[[1.0, 2.0], [0.0, 0.0], [3.0, 4.0], [0.0, 0.0]], [[0.0, 0.0], [5.0, 6.0], [7.0, 8.0], [0.0, 0.0]]],
        },
        "the rows' pictures are exchanged": {
            1: [[[5.0, 6.0], [0.3, 0.4], [7.0, 8.0], [0.7, 0.8]], [[0.9, 0.9], [1.0, 2.0], [3.0, 4.0], [0.6, 0.6]]],
        },
        "the picture is in the first N places: it belongs where image_id is": {
            1: [[[1.0, 2.0], [3.0, 4.0], [0.5, 0.6], [0.7, 0.8]], [[5.0, 6.0], [7.0, 8.0], [0.7, 0.7], [0.6, 0.6]]],
        },
        "the prefix is causal here: its tokens see one another in both directions": {
            3: [[[True, False, False, False, False, False], [True, True, False, False, False, False],
              [True, True, True, False, False, False], [True, True, True, True, False, False],
              [True, True, True, True, True, False], [True, True, True, True, True, False]]],
        },
        "the answer sees itself in both directions: it may not look ahead": {
            3: [[[True, True, True, False, False, False], [True, True, True, False, False, False],
              [True, True, True, False, False, False], [True, True, True, True, True, False],
              [True, True, True, True, True, False], [True, True, True, True, True, False]]],
        },
        "padding is looked at: what is after lengths is not": {
            3: [[[True, True, True, False, False, False], [True, True, True, False, False, False],
              [True, True, True, False, False, False], [True, True, True, True, False, False],
              [True, True, True, True, True, False], [True, True, True, True, True, True]]],
        },
        "every token sees the whole row: prefix and answer may not look ahead into the answer": {
            3: [[[True, True, True, True, True, False], [True, True, True, True, True, False],
              [True, True, True, True, True, False], [True, True, True, True, True, False],
              [True, True, True, True, True, False], [True, True, True, True, True, False]]],
        },
        "a token does not see itself": {
            3: [[[True, True, True, False, False, False], [True, True, True, False, False, False],
              [True, True, True, False, False, False], [True, True, True, False, False, False],
              [True, True, True, True, False, False], [True, True, True, True, True, False]]],
        },
        "the answer does not see the prefix": {
            3: [[[True, True, True, False, False, False], [True, True, True, False, False, False],
              [True, True, True, False, False, False], [False, False, False, True, False, False],
              [False, False, False, True, True, False], [False, False, False, True, True, False]]],
        },
        "the prefix ends one token too late": {
            3: [[[True, True, True, True, False, False], [True, True, True, True, False, False],
              [True, True, True, True, False, False], [True, True, True, True, False, False],
              [True, True, True, True, True, False], [True, True, True, True, True, False]]],
        },
        "the prefix looks at the answer, too: only the answer may": {
            3: [[[True, True, True, True, True, False], [True, True, True, True, True, False],
              [True, True, True, True, True, False], [True, True, True, True, False, False],
              [True, True, True, True, True, False], [True, True, True, True, True, False]]],
        },
        "rows and columns are exchanged: [b, t, s] says whether t may look at s": {
            3: [[[True, True, True, True, True, True], [True, True, True, True, True, True],
              [True, True, True, True, True, True], [False, False, False, True, True, True],
              [False, False, False, False, True, True], [False, False, False, False, False, False]]],
        },
        "the prefix ends one token too early": {
            3: [[[True, True, False, False, False, False], [True, True, False, False, False, False],
              [True, True, True, False, False, False], [True, True, True, True, False, False],
              [True, True, True, True, True, False], [True, True, True, True, True, False]]],
        },
        "one mask for all rows came back: (B, T, T) is asked for": {
            3: [[True, True, True, False, False, False], [True, True, True, False, False, False],
             [True, True, True, False, False, False], [True, True, True, True, False, False],
             [True, True, True, True, True, False], [True, True, True, True, True, False]],
        },
        "True is where a query may look: here it is where it may not": {
            3: [[[False, False, False, True, True, True], [False, False, False, True, True, True],
              [False, False, False, True, True, True], [False, False, False, False, True, True],
              [False, False, False, False, False, True], [False, False, False, False, False, True]]],
        },
        "prefix and lengths are exchanged": {
            3: [[[True, True, True, False, False, False], [True, True, True, False, False, False],
              [True, True, True, False, False, False], [True, True, True, False, False, False],
              [True, True, True, False, False, False], [True, True, True, False, False, False]]],
        },
        "an axis for the heads is added: (B, T, T) is asked for": {
            3: [[[[True, True, True, False, False, False], [True, True, True, False, False, False],
               [True, True, True, False, False, False], [True, True, True, True, False, False],
               [True, True, True, True, True, False], [True, True, True, True, True, False]]]],
        },
        "padding looks at nothing here: it looks where an answer in its place would": {
            3: [[[True, True, True, False, False, False], [True, True, True, False, False, False],
              [True, True, True, False, False, False], [True, True, True, True, False, False],
              [True, True, True, True, True, False], [False, False, False, False, False, False]]],
        },
        "padding looks at the whole row before it: here it sees the prefix alone": {
            3: [[[True, True, True, False, False, False], [True, True, True, False, False, False],
              [True, True, True, False, False, False], [True, True, True, True, False, False],
              [True, True, True, True, True, False], [True, True, True, False, False, False]]],
        },
        "padding is looked at: what is after lengths is not, not even by a token of padding itself": {
            3: [[[True, True, True, False, False, False], [True, True, True, False, False, False],
              [True, True, True, False, False, False], [True, True, True, True, False, False],
              [True, True, True, True, True, False], [True, True, True, True, True, True]]],
        },
        "padding is looked at: what is after lengths is not, nor by tokens of padding": {
            3: [[[True, True, True, False, False, False], [True, True, True, False, False, False],
              [True, True, True, False, False, False], [True, True, True, True, False, False],
              [True, True, True, True, True, False], [True, True, True, True, True, True]]],
        },
        "the answer sees the answer before it: here it sees the prefix and itself": {
            3: [[[True, True, True, False, False, False], [True, True, True, False, False, False],
              [True, True, True, False, False, False], [True, True, True, True, False, False],
              [True, True, True, False, True, False], [True, True, True, False, False, False]]],
        },
        "the answer is no padding: keys up to lengths are seen": {
            3: [[[True, True, True, False, False, False], [True, True, True, False, False, False],
              [True, True, True, False, False, False], [True, True, True, False, False, False],
              [True, True, True, False, False, False], [True, True, True, False, False, False]]],
        },
        "padding is looked at: what is after lengths is not: lengths counts the prefix, too": {
            3: [[[True, True, True, False, False, False], [True, True, True, False, False, False],
              [True, True, True, False, False, False], [True, True, True, True, False, False],
              [True, True, True, True, True, False], [True, True, True, True, True, True]]],
        },
        "padding is looked at: what is after lengths is not: row b ends before token lengths[b]": {
            3: [[[True, True, True, False, False, False], [True, True, True, False, False, False],
              [True, True, True, False, False, False], [True, True, True, True, False, False],
              [True, True, True, True, True, False], [True, True, True, True, True, True]]],
        },
        "the last token of a row is no padding": {
            3: [[[True, True, True, False, False, False], [True, True, True, False, False, False],
              [True, True, True, False, False, False], [True, True, True, True, False, False],
              [True, True, True, True, False, False], [True, True, True, True, False, False]]],
        },
        "padding has no row of its own here: (B, T, T) is asked for": {
            3: [[[True, True, True, False, False, False], [True, True, True, False, False, False],
              [True, True, True, False, False, False], [True, True, True, True, False, False],
              [True, True, True, True, True, False]]],
        },
        "the answer sees what comes before it: here it sees what comes after": {
            3: [[[True, True, True, True, True, False], [True, True, True, True, True, False],
              [True, True, True, True, True, False], [True, True, True, True, True, False],
              [True, True, True, False, True, False], [True, True, True, False, False, False]]],
        },
        "the prefix is causal, and the answer does not see itself": {
            3: [[[True, False, False, False, False, False], [True, True, False, False, False, False],
              [True, True, True, False, False, False], [True, True, True, False, False, False],
              [True, True, True, True, False, False], [True, True, True, True, True, False]]],
        },
        "the labels are shifted here: the loss does that": {
            5: [[-100, -100, 7, 3, -100, -100]],
        },
        "the prefix has labels, too: they are -100": {
            5: [[9, 7, 5, 7, 3, -100]],
        },
        "the padding has labels, too: they are -100": {
            5: [[-100, -100, -100, 7, 3, 8]],
        },
        "the last token of the answer has no label: the model must learn to stop": {
            5: [[-100, -100, -100, 7, -100, -100]],
        },
        "the first token of the answer has no label": {
            5: [[-100, -100, -100, -100, 3, -100]],
        },
        "the last token of the prefix has a label": {
            5: [[-100, -100, 5, 7, 3, -100]],
        },
        "the labels outside the answer are 0: they are -100": {
            5: [[0, 0, 0, 7, 3, 0]],
        },
        "the labels are shifted to the right: they stay in their places": {
            5: [[-100, -100, -100, -100, 7, 3]],
        },
        "the labels outside the answer are -1: they are -100": {
            5: [[-1, -1, -1, 7, 3, -1]],
        },
        "only the prefix has labels: the answer has them": {
            5: [[9, 7, 5, -100, -100, -100]],
        },
        "the answer has -100 and the others have labels: it is the other way round": {
            5: [[9, 7, 5, -100, -100, 8]],
        },
        "the padding has labels, too: they are -100: lengths counts the prefix, too": {
            5: [[-100, -100, -100, 7, 3, 8]],
        },
        "the padding has labels, too: they are -100: row b ends before token lengths[b]": {
            5: [[-100, -100, -100, 7, 3, 8]],
        },
        "all labels are -100": {
            5: [[-100, -100, -100, -100, -100, -100]],
        },
    })
    t = torch.tensor
    vectors = t([[[0.1, 0.2], [0.3, 0.4], [0.5, 0.6], [0.7, 0.8]], [[0.9, 0.9], [0.8, 0.8], [0.7, 0.7], [0.6, 0.6]]])
    images = t([[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]])
    check(put_images, vectors, t([[9, 4, 9, 5], [4, 9, 9, 5]]), images, 9).equals(
        [[[1.0, 2.0], [0.3, 0.4], [3.0, 4.0], [0.7, 0.8]], [[0.9, 0.9], [5.0, 6.0], [7.0, 8.0], [0.6, 0.6]]])
    check(slopes, put_images, vectors[:1], t([[9, 4, 9, 5]]), images[:1], 9).equals(
        [[[[0.0, 0.0], [0.6, 0.8], [0.0, 0.0], [1.4, 1.6]]], [[[2.0, 4.0], [6.0, 8.0]]]], about="gradients",
        near={"the gradient is cut on the way from words or pictures": RuntimeError})
    T, f = True, False
    check(prefix_mask, t([3]), t([5]), 6).equals(
        t([[[T, T, T, f, f, f], [T, T, T, f, f, f], [T, T, T, f, f, f], [T, T, T, T, f, f],
            [T, T, T, T, T, f], [T, T, T, T, T, f]]]))

    def booleans_in_the_mask():
        return prefix_mask(t([1]), t([2]), 3).dtype == torch.bool

    check(booleans_in_the_mask).equals(
        True, about="True and False", near={"booleans are asked for: True and False": False})
    check(answer_labels, t([[9, 7, 5, 7, 3, 8]]), t([3]), t([5])).equals(
        [[-100, -100, -100, 7, 3, -100]],
        near={"the row is as long as token_ids: -100 is outside the answer": [[7, 3]]})


score
