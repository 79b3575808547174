from helpers.checks import graded


@graded("image-text", points=10)
def score(check):
    import torch

    t = torch.tensor
    reverse = "the picture's vectors came in reverse order"
    first_only = "all places got the first vector of the picture"
    in_front = "the picture's vectors were put in front: they belong in the places of image_id"
    added = "the picture's vectors were added to those of the tokens: they take their place"
    none = "nothing was put in"
    vectors = t([[[0.1, 0.2], [0.3, 0.4], [0.5, 0.6], [0.7, 0.8]]])
    check(put_images, vectors, t([[9, 4, 9, 5]]), t([[[1.0, 2.0], [3.0, 4.0]]]), 9).equals(
        [[[1.0, 2.0], [0.3, 0.4], [3.0, 4.0], [0.7, 0.8]]], near={
            reverse: [[[3.0, 4.0], [0.3, 0.4], [1.0, 2.0], [0.7, 0.8]]],
            first_only: [[[1.0, 2.0], [0.3, 0.4], [1.0, 2.0], [0.7, 0.8]]],
            in_front: [[[1.0, 2.0], [3.0, 4.0], [0.3, 0.4], [0.7, 0.8]]],
            added: [[[1.1, 2.2], [0.3, 0.4], [3.5, 4.6], [0.7, 0.8]]], none: vectors,
        })
    causal = "the prefix is causal here: its tokens see one another in both directions"
    open_all = "the answer sees itself in both directions: it may not look ahead"
    padding = "padding is looked at: what lies behind lengths is not"
    itself = "a token does not see itself"
    blind = "the answer does not see the prefix"
    spread = "the prefix looks at the answer, too: only the answer may"
    one_more = "the prefix ends one token too late"
    early = "the prefix ends one token too early"
    turned = "rows and columns are exchanged: [b, t, s] says whether t may look at s"
    T, f = True, False
    check(prefix_mask, t([3]), t([5]), 6).equals(
        t([[[T, T, T, f, f, f], [T, T, T, f, f, f], [T, T, T, f, f, f], [T, T, T, T, f, f],
            [T, T, T, T, T, f], [T, T, T, T, T, f]]]), near={
            causal: [[[T, f, f, f, f, f], [T, T, f, f, f, f], [T, T, T, f, f, f], [T, T, T, T, f, f],
                      [T, T, T, T, T, f], [T, T, T, T, T, f]]],
            open_all: [[[T, T, T, f, f, f], [T, T, T, f, f, f], [T, T, T, f, f, f], [T, T, T, T, T, f],
                        [T, T, T, T, T, f], [T, T, T, T, T, f]]],
            spread: [[[T, T, T, T, T, f], [T, T, T, T, T, f], [T, T, T, T, T, f], [T, T, T, T, f, f],
                      [T, T, T, T, T, f], [T, T, T, T, T, f]]],
            padding: [[[T, T, T, f, f, f], [T, T, T, f, f, f], [T, T, T, f, f, f], [T, T, T, T, f, f],
                       [T, T, T, T, T, f], [T, T, T, T, T, T]]],
            itself: [[[T, T, T, f, f, f], [T, T, T, f, f, f], [T, T, T, f, f, f], [T, T, T, f, f, f],
                      [T, T, T, T, f, f], [T, T, T, T, T, f]]],
            blind: [[[T, T, T, f, f, f], [T, T, T, f, f, f], [T, T, T, f, f, f], [f, f, f, T, f, f],
                     [f, f, f, T, T, f], [f, f, f, T, T, f]]],
            one_more: [[[T, T, T, T, f, f], [T, T, T, T, f, f], [T, T, T, T, f, f], [T, T, T, T, f, f],
                        [T, T, T, T, T, f], [T, T, T, T, T, f]]],
            early: [[[T, T, f, f, f, f], [T, T, f, f, f, f], [T, T, T, f, f, f], [T, T, T, T, f, f],
                     [T, T, T, T, T, f], [T, T, T, T, T, f]]],
            turned: [[[T, T, T, T, T, T], [T, T, T, T, T, T], [T, T, T, T, T, T], [f, f, f, T, T, T],
                      [f, f, f, f, T, T], [f, f, f, f, f, f]]],
        })
    shifted = "the labels are shifted here: the loss does that"
    prompt = "the prefix has labels, too: they are -100"
    pads = "the padding has labels, too: they are -100"
    no_end = "the last token of the answer has no label: the model must learn to stop"
    late = "the first token of the answer has no label"
    check(answer_labels, t([[9, 7, 5, 7, 3, 8]]), t([3]), t([5])).equals(
        [[-100, -100, -100, 7, 3, -100]], near={
            shifted: [[-100, -100, 7, 3, -100, -100]], prompt: [[9, 7, 5, 7, 3, -100]],
            pads: [[-100, -100, -100, 7, 3, 8]], no_end: [[-100, -100, -100, 7, -100, -100]],
            late: [[-100, -100, -100, -100, 3, -100]],
            "the labels are shifted to the right: they stay in their places": [[-100, -100, -100, -100, 7, 3]],
            "the labels outside the answer are -1: they are -100": [[-1, -1, -1, 7, 3, -1]],
            "the answer has -100 and the others have labels: it is the other way round": [[9, 7, 5, -100, -100, 8]],
            "only the prefix has labels: the answer has them": [[9, 7, 5, -100, -100, -100]],
            "the row is as long as token_ids: -100 stands outside the answer": [[7, 3]],
            "the labels outside the answer are 0: they are -100": [[0, 0, 0, 7, 3, 0]],
        })


score
