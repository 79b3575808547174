from helpers.checks import graded


@graded("beam", points=5)
def score(check):
    import torch

    def tree(table, end=2):
        """A language model from a table: beginning -> probabilities; it knows no other beginnings."""
        rows = {tuple(k): torch.tensor(v, dtype=torch.float64).log() for k, v in table.items()}
        longest = max(map(len, rows))

        def log_probs(ids):
            ids = tuple(int(i) for i in ids)
            if end in ids:
                raise KeyError(f"{list(ids)} is complete")
            if len(ids) > longest:
                raise IndexError(f"{list(ids)} is too long")
            return rows[ids]

        return log_probs

    says = {
        "greedy": "width is ignored: this is the greedy text",
        "own": "each live text kept its own best extension: all extensions compete together",
        "each": "`width` texts were kept for each live text: `width` in all, of all extensions together",
        "free": "complete texts took no place: they take one of the `width` places of their round",
        "competed": "a complete text kept competing with the live ones: it is put aside",
        "enough": "the search stopped when `width` texts were complete: go on while texts are live",
        "overtaken": "the search stopped when the best complete text was ahead of the live ones: go on with them",
        "best_ended": "the search stopped when a round's best text was complete: go on while texts are live",
        "shrinks": "complete texts took places in later rounds, too: each round keeps `width`",
        "crowded": "live texts were thrown away because others are complete: all of a round's `width` go on",
        "one_more": "the length is one too large: it is the number of tokens, with the end",
        "google": "another formula of the length stands here: the score is divided by length to the power alpha",
        "normed": "complete texts kept competing, by their length-normalised scores: they are put aside",
        "first_end": "the search stopped at the first complete text: others may be better",
        "first": "the first complete text was returned: the best one is asked",
        "lost_live": "what was live at the end was thrown away: it counts as complete",
        "last_only": "only the last log-probability counted: scores are sums over the text",
        "no_alpha": "alpha is ignored",
        "always_1": "alpha is always 1",
        "times": "the length is multiplied: divide by it",
        "one_less": "the length counts the end token, too; here each text counts one token too few",
        "without_end": "the length counts the end token, too",
        "only_live": "complete texts were thrown away when longer ones went on",
        "worst": "the lowest scores were kept: keep the highest",
        "wider": "one text too many is kept",
        "narrower": "one text too few is kept",
        "unpruned": "nothing is ever thrown away: keep `width` texts a round",
        "picked_worst": "the worst complete text was returned: the highest score is asked",
        "chances": "probabilities were added: add their logarithms",
        "early": "one round too few: max_length is the number of rounds",
        "stripped": "the end token was taken off: it belongs to the text",
        "forgetful": "the model got the last token alone: give it the whole beginning",
        "multiplied": "log-probabilities were multiplied: add them",
        "two": "no more than two texts are kept: keep `width`",
        "paired": "the text came with its score: return the list of ids alone",
        "go_on": "a complete text was extended behind its end",
        "late": "one round too many: max_length is the number of rounds",
    }
    gone = {key: f"{says[key]}; the live ones were thrown away, too" for key in ("enough", "overtaken")}
    errors = {says["go_on"]: KeyError, says["late"]: IndexError}
    whole = {(): [0.5, 0.4, 0.1], (0,): [0.3, 0.3, 0.4], (1,): [0.05, 0.05, 0.9]}
    check(beam_search, tree(whole), 1, 2, 2).equals([0, 2], near=errors | {
        says["worst"]: [2], says["wider"]: [1, 2], says["unpruned"]: [1, 2], says["early"]: [0],
        says["stripped"]: [0],
    })
    check(beam_search, tree(whole), 2, 2, 2).equals([1, 2], near=errors | {
        says["greedy"]: [0, 2], says["worst"]: [2], says["narrower"]: [0, 2], says["picked_worst"]: [0, 2],
        says["early"]: [0], says["stripped"]: [1],
    })
    long = {
        (): [0.55, 0.25, 0.2], (0,): [0.7, 0.2, 0.1], (1,): [0.2, 0.2, 0.6], (0, 0): [0.45, 0.35, 0.2],
        (0, 1): [0.1, 0.1, 0.8], (1, 0): [0.3, 0.3, 0.4], (1, 1): [0.1, 0.2, 0.7],
    }
    check(beam_search, tree(long), 3, 3, 2).equals([2], near=errors | {
        says["multiplied"]: [0, 0, 0], says["two"]: [0, 0, 0],
        says["greedy"]: [0, 0, 0], says["first_end"]: [0], says["last_only"]: [0, 1, 2],
        says["always_1"]: [0, 0, 0], says["only_live"]: [0, 0, 0], says["narrower"]: [0, 0, 0],
        says["picked_worst"]: [0, 1, 2], says["chances"]: [0, 0, 0], says["early"]: [0, 0], says["stripped"]: [],
        says["forgetful"]: [0, 0, 0],
    })
    check(beam_search, tree(long), 3, 3, 2, 1.0).equals([0, 0, 0], near=errors | {
        says["first_end"]: [0], says["lost_live"]: [0, 1, 2], says["last_only"]: [0, 1, 2], says["no_alpha"]: [2],
        says["times"]: [2], says["worst"]: [1, 0, 0], says["picked_worst"]: [2], says["first"]: [2],
        says["early"]: [0, 0], gone["enough"]: [0, 1, 2], gone["overtaken"]: [0, 1, 2],
        says["crowded"]: [0, 0, 2],
    })
    lost = {
        (): [0.45, 0.4, 0.15], (0,): [0.5, 0.05, 0.45], (1,): [0.1, 0.45, 0.45], (0, 0): [0.4, 0.05, 0.55],
        (0, 1): [0.55, 0.4, 0.05], (1, 0): [0.05, 0.15, 0.8], (1, 1): [0.05, 0.15, 0.8],
    }
    check(beam_search, tree(lost), 2, 3, 2, 0.5).equals([0, 2], near=errors | {
        says["multiplied"]: [0, 0, 2],
        says["greedy"]: [0, 0, 2], says["own"]: [1, 1, 2], says["first_end"]: [0, 0], says["last_only"]: [0, 0, 2],
        says["always_1"]: [0, 0, 2], says["one_less"]: [0, 0, 2], says["without_end"]: [0, 0, 0],
        says["only_live"]: [0, 0, 2], says["worst"]: [2], says["wider"]: [1, 1, 2], says["narrower"]: [0, 0, 2],
        says["unpruned"]: [1, 1, 2], says["picked_worst"]: [0, 0, 0], says["chances"]: [0, 0, 2],
        says["each"]: [1, 1, 2], says["free"]: [1, 1, 2], says["early"]: [0, 0], says["stripped"]: [0],
    })
    aside = {
        (): [0.5, 0.05, 0.45], (0,): [0.5, 0.4, 0.1], (1,): [0.3, 0.3, 0.4], (0, 0): [0.3, 0.25, 0.45],
        (0, 1): [0.02, 0.03, 0.95], (1, 0): [0.1, 0.2, 0.7], (1, 1): [0.2, 0.1, 0.7],
    }
    check(beam_search, tree(aside), 2, 3, 2, 1.0).equals([0, 1, 2], near=errors | {
        says["competed"]: [0, 0, 2], says["normed"]: [0, 0, 2], says["greedy"]: [0, 0, 2],
        says["narrower"]: [0, 0, 2], says["overtaken"]: [0, 0], says["early"]: [0, 0], says["first_end"]: [0],
        says["first"]: [2], says["no_alpha"]: [2], says["one_more"]: [2], says["google"]: [2], says["times"]: [2],
        says["one_less"]: [2], says["without_end"]: [2], says["picked_worst"]: [2], says["worst"]: [2],
        says["forgetful"]: [0, 0, 0], says["stripped"]: [0, 1], gone["overtaken"]: [2],
        says["shrinks"]: [0, 0, 2], says["crowded"]: [0, 0, 2],
    })


score
