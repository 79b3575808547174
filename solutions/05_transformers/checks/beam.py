from helpers.checks import graded


@graded("beam", points=5)
def score(check):
    import itertools

    import torch

    ### BEGIN MISTAKES
    import math

    enough = "the search stopped when `width` texts were complete: go on while texts are live"
    overtaken = "the search stopped when the best complete text was ahead of the live ones: go on with them"
    gone = "; the live ones were thrown away, too"

    def highest(texts, n, sign=1):
        return sorted(texts, key=lambda c: -sign * c[1])[:n]

    def together(groups, width, end):
        return highest([c for g in groups for c in g], width)

    def only_own(groups, width, end):
        if len(groups) == 1:
            return highest(groups[0], width)
        return highest([highest(g, 1)[0] for g in groups], width)

    def outside(groups, width, end):
        texts = [c for g in groups for c in g]
        ended = [c for c in texts if c[0][-1] == end]
        return ended + highest([c for c in texts if c not in ended], width)

    def made(choose=together, add=lambda total, v: total + v, seen=lambda ids: ids, stop=None, keep_live=True,
             keep_done=True, length=len, power=lambda a: a, pick=max, first=0.0, room=lambda w, done: w,
             going=lambda live, done, w: live, lose=False):
        """A beam search whose parts can be exchanged; `choose` gets the extensions of each live text.

        room: how many texts a round keeps; going: which live ones go on; lose: where it stops, these do not count.
        """

        def search(log_probs, width, max_length, end, alpha=0.0):
            live, done = [([], first)], []
            for _ in range(max_length):
                groups = [
                    [(ids + [i], add(total, v)) for i, v in enumerate(log_probs(seen(ids)).tolist())]
                    for ids, total in live
                ]
                kept = choose(groups, room(width, done), end)
                live = [c for c in kept if c[0][-1] != end]
                done = (done if keep_done or not live else []) + [c for c in kept if c[0][-1] == end]
                live = going(live, done, width)
                if not live or (stop and done and stop(done, live, width)):
                    live = [] if lose else live
                    break
            pool = done + live if keep_live or not done else done
            return pick(pool, key=lambda c: c[1] / max(length(c[0]), 1) ** power(alpha))[0]

        return search

    def competing(normed):
        def search(log_probs, width, max_length, end, alpha=0.0):
            live = [([], 0.0)]
            for _ in range(max_length):
                texts = [c for c in live if c[0][-1:] == [end]]
                for ids, score in (c for c in live if c[0][-1:] != [end]):
                    texts += [(ids + [i], score + v) for i, v in enumerate(log_probs(ids).tolist())]
                live = sorted(texts, key=lambda c: -c[1] / len(c[0]) ** (alpha if normed else 0))[:width]
            return max(live, key=lambda c: c[1] / len(c[0]) ** alpha)[0]

        return search

    def scored(f, width, n, end, alpha=0.0):
        ids = made()(f, width, n, end, alpha)
        return ids, sum(f(ids[:i])[token].item() for i, token in enumerate(ids))

    pruning = {
        "`width` texts were kept for each live text: `width` in all, of all extensions together":
            made(lambda groups, w, end: [c for g in groups for c in highest(g, w)]),
        "each live text kept its own best extension: all extensions compete together": made(only_own),
        "complete texts took no place: they take one of the `width` places of their round": made(outside),
        "a complete text kept competing with the live ones: it is put aside": competing(False),
        "complete texts kept competing, by their length-normalised scores: they are put aside": competing(True),
        "width is ignored: this is the greedy text": made(lambda groups, w, end: together(groups, 1, end)),
        "one text too many is kept": made(lambda groups, w, end: together(groups, w + 1, end)),
        "one text too few is kept": made(lambda groups, w, end: together(groups, max(w - 1, 1), end)),
        "nothing is ever thrown away: keep `width` texts a round":
            made(lambda groups, w, end: together(groups, 10**6, end)),
        "no more than two texts are kept: keep `width`": made(lambda groups, w, end: together(groups, min(w, 2), end)),
        "the lowest scores were kept: keep the highest":
            made(lambda groups, w, end: highest([c for g in groups for c in g], w, sign=-1)),
    }

    def all_places_done(done, live, w):
        return len(done) >= w

    def best_is_done(done, live, w):
        return highest(done, 1)[0][1] > highest(live, 1)[0][1]

    def best_of_round_is_done(done, live, w):
        of_round = [c for c in done if len(c[0]) == len(live[0][0])]
        return highest(of_round + live, 1)[0] in done

    def some_done(done, live, w):
        return True

    ending = {
        enough: made(stop=all_places_done),
        overtaken: made(stop=best_is_done),
        "the length is one too large: it is the number of tokens, with the end": made(length=lambda ids: len(ids) + 1),
        "another formula of the length stands here: the score is divided by length to the power alpha":
            made(length=lambda ids: 5 + len(ids)),
    }
    frequent = {
        "alpha is ignored": made(power=lambda a: 0),
        "alpha is always 1": made(power=lambda a: 1),
        "the length is multiplied: divide by it": made(power=lambda a: -a),
        "what was live at the end was thrown away: it counts as complete": made(keep_live=False),
    }
    check.mistakes(frequent | pruning | ending | {
        "the search stopped at the first complete text: others may be better": made(stop=some_done),
        "the search stopped when a round's best text was complete: go on while texts are live":
            made(stop=best_of_round_is_done, lose=True),
        f"{enough}{gone}": made(stop=all_places_done, lose=True),
        f"{overtaken}{gone}": made(stop=best_is_done, lose=True),
        "complete texts took places in later rounds, too: each round keeps `width`":
            made(room=lambda w, done: w - len(done)),
        "live texts were thrown away because others are complete: all of a round's `width` go on":
            made(going=lambda live, done, w: live[: max(w - len(done), 0)]),
        "the first complete text was returned: the best one is asked": made(pick=lambda pool, key: pool[0]),
        "complete texts were thrown away when longer ones went on": made(keep_done=False),
        "only the last log-probability counted: scores are sums over the text": made(add=lambda total, v: v),
        "probabilities were added: add their logarithms": made(add=lambda total, v: total + math.exp(v)),
        "log-probabilities were multiplied: add them":
            made(lambda groups, w, end: highest([c for g in groups for c in g], w, sign=-1),
                add=lambda total, v: total * abs(v), pick=min, first=1.0),
        "the length counts the end token, too; here each text counts one token too few":
            made(length=lambda ids: len(ids) - 1),
        "the length counts the end token, too":
            lambda f, w, n, e, a=0.0: made(length=lambda ids: len(ids) - (ids[-1] == e))(f, w, n, e, a),
        "the worst complete text was returned: the highest score is asked": made(pick=min),
        "the model got the last token alone: give it the whole beginning": made(seen=lambda ids: ids[-1:]),
        "one round too few: max_length is the number of rounds": lambda f, w, n, e, a=0.0: made()(f, w, n - 1, e, a),
        "the end token was taken off: it belongs to the text":
            lambda f, w, n, e, a=0.0: [i for i in made()(f, w, n, e, a) if i != e],
        "the last token was taken off, end or not: it belongs to the text":
            lambda f, w, n, e, a=0.0: made()(f, w, n, e, a)[:-1],
        "the text came with its score: return the list of ids alone": scored,
        "score and text are exchanged, and the score is too much: return the list of ids alone":
            lambda *a: scored(*a)[::-1],
    }, beam_search)
    ### END MISTAKES

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
    ### BEGIN HIDDEN TESTS
    import numpy as np

    check.hidden()

    def random_tree(V, depth, end, sharp):
        others = [i for i in range(V) if i != end]
        texts = [ids for n in range(depth) for ids in itertools.product(others, repeat=n)]
        weights = check.rng.gamma(sharp, size=(len(texts), V)) + 1e-3
        return dict(zip(texts, (weights / weights.sum(1, keepdims=True)).tolist(), strict=True))

    def total(table, ids):
        return sum(math.log(table[tuple(ids[:i])][token]) for i, token in enumerate(ids))

    def all_texts(V, depth, end):
        for n in range(1, depth + 1):
            for ids in itertools.product(range(V), repeat=n):
                if end not in ids[:-1] and (ids[-1] == end or n == depth):
                    yield list(ids)

    for V, depth, end, alpha in [(3, 3, 2, 0.0), (4, 3, 0, 1.0), (3, 4, 1, 0.6)]:
        table = random_tree(V, depth, end, 0.7)
        best = max(all_texts(V, depth, end), key=lambda ids: total(table, ids) / len(ids) ** alpha)
        check(beam_search, tree(table, end), V**depth, depth, end, alpha).equals(
            best, about="wide enough to find the best", near=errors
        )

    def as_arrays(table):
        """The model of `tree` for the searches by which a tree is chosen."""
        rows = dict(zip(table, np.log([*table.values()]), strict=True))
        return lambda ids: rows[tuple(ids)]

    def narrow(V, depth, end, alpha, width, told_apart=None):
        """Return (table, the text that a beam finds), round by round; of forty trees one where pruning decides most.

        told_apart: a search; then the tree is one where it finds another text than all others do, if there is one.
        """
        trials = []
        for _ in range(10 if width > 1 and alpha > 0 else 1):
            table = random_tree(V, depth, end, 1.5)
            scores, alive, complete = {(): 0.0}, [()], []
            for n in range(1, depth + 1):
                longer = {}
                for ids in alive:
                    longer |= {(*ids, i): scores[ids] + math.log(p) for i, p in enumerate(table[ids])}
                scores |= longer
                kept = sorted(longer, key=longer.get)[-width:]
                alive = [ids for ids in kept if ids[-1] != end and n < depth]
                complete += [ids for ids in kept if ids not in alive]
            best = list(max(complete, key=lambda ids: scores[ids] / len(ids) ** alpha))
            model = as_arrays(table)
            found = [search(model, width, depth, end, alpha) for search in pruning.values()
                     if search is not told_apart]
            worth = sum(ids != best for ids in found) + 3 * (found[0] != best)
            if told_apart:  # the first tree will do where this search finds what no other does
                worth = told_apart(model, width, depth, end, alpha) not in [best, *found]
            trials.append((worth, -len(trials), table, best))
            if told_apart and worth:
                break
        return max(trials)[2:]

    for V, depth, end, alpha, width in [(4, 4, 3, 0.0, 1), (4, 4, 1, 0.0, 2), (5, 3, 4, 0.7, 3), (4, 4, 0, 1.0, 2),
                                        (4, 4, 2, 0.4, 3), (5, 3, 0, 0.0, 2), (4, 4, 3, 2.0, 2)]:
        table, best = narrow(V, depth, end, alpha, width)
        about = "a narrow beam, where pruning decides" if width > 1 and alpha > 0 else "a narrow beam"
        check(beam_search, tree(table, end), width, depth, end, alpha).equals(best, about=about, near=errors)
    for alpha, search in itertools.product((0.5, 1.5), ending.values()):
        table, best = narrow(4, 4, 1, alpha, 3, search)
        check(beam_search, tree(table, 1), 3, 4, 1, alpha).equals(
            best, about="a narrow beam, where pruning decides", near=errors
        )
    many = {(i,): [0.01] * 70 + [0.3] for i in range(69)}
    many |= {(): [0.4 / 70] * 70 + [0.6], (69,): [0.001] * 70 + [0.93]}
    many[()][69] *= 0.99  # in the first round the last of all, behind it the likeliest
    check(beam_search, tree(many, 70), 71, 2, 70, 9.0).equals(
        [69, 70], about="many tokens, wide", edge=True, near=errors
    )
    long_chain = {(0,) * n: [0.9, 0.1] for n in range(69)} | {(0,) * 69: [0.05, 0.95]}
    check(beam_search, tree(long_chain, 1), 2, 70, 1, 3.0).equals(
        [0] * 69 + [1], about="a long text", edge=True, near=errors
    )
    even = {(): [0.5, 0.15, 0.35], (0,): [0.15, 0.16, 0.69]}
    even[(1,)] = even[(0,)]
    check(beam_search, tree(even), 2, 2, 2, 0.0).equals([2], about="alpha of 0, where little more decides", edge=True)
    again = tree(long)
    check(beam_search, lambda ids: again([] + ids), 3, 3, 2, 1.0).equals(
        [0, 0, 0], about="a model that takes lists", near=errors | (lists if ran else {}))
    check(beam_search, tree({(): [0.7, 0.2, 0.1]}, 1), 1, 1, 1).equals(
        [0], about="one round", edge=True,
        near=errors | {"nothing is complete when no text ended: what is live counts": ValueError},
    )
    ### END HIDDEN TESTS


score
