from helpers.checks import graded


@graded("beam", points=5)
def score(check):
    import itertools

    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "one text too many is kept": {
            1: [1, 2],
            5: [1, 1, 2],
        },
        "nothing is ever thrown away: keep `width` texts a round": {
            1: [1, 2],
            5: [1, 1, 2],
            7: [2, 0, 0, 0],
        },
        "the lowest scores were kept: keep the highest": {
            1: [2],
            2: [2],
            4: [1, 0, 0],
            5: [1, 2],
            6: [2],
            7: [1, 1, 0, 2],
            8: [1, 2],
        },
        "one round too few: max_length is the number of rounds": {
            1: [0],
            2: [0],
            3: [0, 0],
            4: [0, 0],
            5: [0, 0],
            6: [0, 0],
            7: [2, 2, 2],
        },
        "the end token was taken off: it belongs to the text": {
            1: [0],
            2: [1],
            3: [],
            5: [0],
            6: [0, 1],
            7: [2, 2, 1],
            8: [1, 0],
        },
        "the last token was taken off, end or not: it belongs to the text": {
            1: [0],
            2: [1],
            3: [],
            4: [0, 0],
            5: [0],
            6: [0, 1],
            7: [2, 2, 1],
            8: [1, 0],
        },
        "the text came with its score: return the list of ids alone": {
            1: ([0, 2], -1.60944),
            2: ([1, 2], -1.02165),
            3: ([2], -1.60944),
            4: ([0, 0, 0], -1.75302),
            5: ([0, 2], -1.61949),
            6: ([0, 1, 2], -1.66073),
            7: ([2, 2, 1, 3], -4.80653),
            8: ([1, 0, 2], -1.53944),
        },
        "score and text are exchanged, and the score is too much: return the list of ids alone": {
            1: (-1.60944, [0, 2]),
            2: (-1.02165, [1, 2]),
            3: (-1.60944, [2]),
            4: (-1.75302, [0, 0, 0]),
            5: (-1.61949, [0, 2]),
            6: (-1.66073, [0, 1, 2]),
            7: (-4.80653, [2, 2, 1, 3]),
            8: (-1.53944, [1, 0, 2]),
        },
        "width is ignored: this is the greedy text": {
            2: [0, 2],
            3: [0, 0, 0],
            5: [0, 0, 2],
            6: [0, 0, 2],
            7: [3],
        },
        "one text too few is kept": {
            2: [0, 2],
            3: [0, 0, 0],
            5: [0, 0, 2],
            6: [0, 0, 2],
            7: [2, 2, 2, 0],
        },
        "the worst complete text was returned: the highest score is asked": {
            2: [0, 2],
            3: [0, 1, 2],
            4: [2],
            5: [0, 0, 0],
            6: [2],
            7: [3],
            8: [2],
        },
        "alpha is always 1": {
            3: [0, 0, 0],
            5: [0, 0, 2],
            7: [1, 3],
        },
        "no more than two texts are kept: keep `width`": {
            3: [0, 0, 0],
            7: [2, 2, 2, 0],
        },
        "the search stopped at the first complete text: others may be better": {
            3: [0],
            4: [0],
            5: [0, 0],
            6: [0],
            7: [3],
            8: [1],
        },
        "complete texts were thrown away when longer ones went on": {
            3: [0, 0, 0],
            5: [0, 0, 2],
            8: [0, 0, 0, 1, 1],
        },
        "only the last log-probability counted: scores are sums over the text": {
            3: [1, 1, 2],
            4: [1, 1, 2],
            5: [1, 1, 2],
            8: [0, 1, 0, 1, 0],
        },
        "probabilities were added: add their logarithms": {
            3: [0, 0, 0],
            5: [0, 0, 2],
            7: [3],
            8: [1, 0, 0, 0, 2],
        },
        "log-probabilities were multiplied: add them": {
            3: [0, 0, 0],
            5: [0, 0, 2],
            8: [1, 0, 0, 0, 2],
        },
        "the model got the last token alone: give it the whole beginning": {
            3: [0, 0, 0],
            6: [0, 0, 0],
            8: [1, 0, 0, 0, 0],
        },
        "alpha is ignored": {
            4: [2],
            6: [2],
            7: [3],
        },
        "the length is multiplied: divide by it": {
            4: [2],
            6: [2],
            7: [3],
            8: [1, 2],
        },
        "what was live at the end was thrown away: it counts as complete": {
            4: [0, 1, 2],
        },
        "the search stopped when `width` texts were complete: go on while texts are live; the live ones were thrown away, too": {
            4: [0, 1, 2],
            7: [1, 3],
        },
        "the search stopped when the best complete text was ahead of the live ones: go on with them; the live ones were thrown away, too": {
            4: [0, 1, 2],
            6: [2],
            7: [3],
        },
        "live texts were thrown away because others are complete: all of a round's `width` go on": {
            4: [0, 0, 2],
            6: [0, 0, 2],
            7: [1, 3],
        },
        "the first complete text was returned: the best one is asked": {
            4: [2],
            6: [2],
            7: [3],
            8: [2],
        },
        "`width` texts were kept for each live text: `width` in all, of all extensions together": {
            5: [1, 1, 2],
        },
        "each live text kept its own best extension: all extensions compete together": {
            5: [1, 1, 2],
            7: [1, 3],
        },
        "complete texts took no place: they take one of the `width` places of their round": {
            5: [1, 1, 2],
            7: [0, 0, 0, 0],
        },
        "the length counts the end token, too; here each text counts one token too few": {
            5: [0, 0, 2],
            6: [2],
        },
        "the length counts the end token, too": {
            5: [0, 0, 0],
            6: [2],
            7: [2, 2, 2, 0],
        },
        "a complete text kept competing with the live ones: it is put aside": {
            6: [0, 0, 2],
            7: [1, 3],
        },
        "complete texts kept competing, by their length-normalised scores: they are put aside": {
            6: [0, 0, 2],
            7: [2, 2, 2, 0],
        },
        "the search stopped when the best complete text was ahead of the live ones: go on with them": {
            6: [0, 0],
            7: [3],
        },
        "the length is one too large: it is the number of tokens, with the end": {
            6: [2],
            7: [1, 3],
        },
        "another formula of the length stands here: the score is divided by length to the power alpha": {
            6: [2],
            7: [3],
        },
        "complete texts took places in later rounds, too: each round keeps `width`": {
            6: [0, 0, 2],
            7: [1, 3],
        },
        "the search stopped when `width` texts were complete: go on while texts are live": {
            7: [1, 3],
        },
        "the search stopped when a round's best text was complete: go on while texts are live": {
            7: [3],
        },
    })

    def tree(table, end=2):
        """A language model from a table: beginning -> probabilities; it knows no other beginnings."""
        logs = torch.tensor(list(table.values()), dtype=torch.float64).log()
        rows = dict(zip(table, logs, strict=True))
        longest = max(map(len, rows))

        def log_probs(ids):
            ids = tuple(int(i) for i in ids)
            if end in ids:
                raise KeyError(f"{list(ids)} is complete")
            if len(ids) > longest:
                raise IndexError(f"{list(ids)} is too long")
            return rows[ids]

        return log_probs

    errors = {
        "a complete text was extended behind its end": KeyError,
        "one round too many: max_length is the number of rounds": IndexError,
    }
    whole = {(): [0.5, 0.4, 0.1], (0,): [0.3, 0.3, 0.4], (1,): [0.05, 0.05, 0.9]}
    model, lists = tree(whole), {"log_probs gets a list of ids, no tensor and no tuple": TypeError}
    ran = check(beam_search, tree(whole), 1, 2, 2).equals([0, 2], near=errors).passed
    check(beam_search, lambda ids: model([] + ids), 2, 2, 2).equals([1, 2], near=errors | (lists if ran else {}))
    long = {
        (): [0.55, 0.25, 0.2], (0,): [0.7, 0.2, 0.1], (1,): [0.18, 0.22, 0.6], (0, 0): [0.45, 0.35, 0.2],
        (0, 1): [0.1, 0.1, 0.8], (1, 0): [0.3, 0.3, 0.4], (1, 1): [0.1, 0.2, 0.7],
    }
    check(beam_search, tree(long), 3, 3, 2).equals([2], near=errors)
    check(beam_search, tree(long), 3, 3, 2, 1.0).equals([0, 0, 0], near=errors)
    lost = {
        (): [0.45, 0.4, 0.15], (0,): [0.5, 0.06, 0.44], (1,): [0.1, 0.46, 0.44], (0, 0): [0.4, 0.05, 0.55],
        (0, 1): [0.55, 0.4, 0.05], (1, 0): [0.05, 0.15, 0.8], (1, 1): [0.05, 0.15, 0.8],
    }
    check(beam_search, tree(lost), 2, 3, 2, 0.5).equals([0, 2], near=errors)
    aside = {
        (): [0.5, 0.05, 0.45], (0,): [0.5, 0.4, 0.1], (1,): [0.3, 0.3, 0.4], (0, 0): [0.3, 0.25, 0.45],
        (0, 1): [0.02, 0.03, 0.95], (1, 0): [0.1, 0.2, 0.7], (1, 1): [0.2, 0.1, 0.7],
    }
    check(beam_search, tree(aside), 2, 3, 2, 1.0).equals([0, 1, 2], near=errors)

    def waves(V, depth, step):
        """A table of sines, made to probabilities: no two are alike, and the last token is the end."""
        texts = [ids for n in range(depth) for ids in itertools.product(range(V - 1), repeat=n)]
        heights = 1.1 + torch.sin(step * torch.arange(len(texts) * V, dtype=torch.float64)).view(-1, V)
        return dict(zip(texts, (heights / heights.sum(1, keepdim=True)).tolist(), strict=True))

    check(beam_search, tree(waves(4, 4, 13.1), 3), 3, 4, 3, 1.5).equals([2, 2, 1, 3], about="four tokens", near=errors)
    check(beam_search, tree(waves(3, 5, 159.4)), 4, 5, 2, 0.7).equals([1, 0, 2], about="five rounds", near=errors)


score
