from helpers.checks import graded


@graded("masking", points=5)
def score(check):
    import torch

    def generator(seed):
        return torch.Generator().manual_seed(seed)

    def parts(value, ids):
        """What was done to each token: chosen, masked, changed to another, left; as booleans (B, T)."""
        inputs, labels = (torch.as_tensor(v) for v in value)
        chosen = labels != -100
        masked, same = inputs == 4, inputs == ids
        return chosen, chosen & masked, chosen & ~masked & ~same, chosen & same

    def band(count, n, p):
        """Whether a count of n tries is within five standard deviations of n p."""
        return abs(float(count) - n * p) <= 5 * (n * p * (1 - p)) ** 0.5 + 1e-9

    def shares(value, ids, share=0.15, of=(0.8, 0.1, 0.1)):
        """Whether the share that is chosen, and what is done with the chosen, are as asked."""
        free = int((ids >= 9).sum())
        chosen, *rest = parts(value, ids)
        n = int(chosen.sum())
        # A random token is the old one with probability 1 / (vocab_size - num_special); the ids below make it 1 / 191.
        moved = of[1] / 191
        exact = (of[0], of[1] - moved, of[2] + moved)
        return band(n, free, share) and all(band(part.sum(), n, p) for part, p in zip(rest, exact, strict=True))

    def well_formed(value, ids):
        inputs, labels = (torch.as_tensor(v) for v in value)
        return inputs.shape == labels.shape == ids.shape and not (inputs + labels).is_floating_point()

    def mistaken(share=0.15, of=(0.8, 0.1, 0.1), least=0.0, most=1.0):
        """A mistake that chooses a share and does with it as `of` says; least and most: what share it may seem."""
        return lambda ids: lambda value: (
            well_formed(value, ids) and shares(value, ids, share, of)
            and least <= int(parts(value, ids)[0].sum()) / int((ids >= 9).sum()) <= most)

    def all_labelled(v):
        return bool((torch.as_tensor(v[1]) != -100).all())

    def exchanged(v):
        return bool((torch.as_tensor(v[0]) == -100).any())

    def elsewhere(number):
        """Whether the labels are another number than -100 where a token was not chosen."""
        return lambda ids: lambda v: bool(((v[1] == number) | (v[1] == ids)).all() and (v[1] == number).any())

    def in_rows(value, ids):
        """The shares of chosen tokens, and of [MASK] among the chosen, in each text, (B,) each."""
        chosen, masked, *_ = parts(value, ids)
        return chosen.sum(1) / (ids >= 9).sum(1), masked.sum(1) / chosen.sum(1)

    def all_or_none(i):
        return lambda ids: lambda v: well_formed(v, ids) and bool(
            (((part := in_rows(v, ids)[i]) == 0) | (part == 1) | part.isnan()).all() and {0, 1} <= set(part.tolist())
        )

    def another_mask(ids, mask=4):
        """Whether one other id stands where [MASK] should."""
        def told(v):
            changed = torch.as_tensor(v[0])[torch.as_tensor(v[0] != ids)]
            return bool(len(changed) and (changed == changed.mode().values).float().mean() > 0.5
                        and int(changed.mode().values) not in (mask, -100))

        return told

    half = "half of the tokens were chosen: 15% are asked"
    everywhere = "the labels are the ids of all tokens: where a token was not chosen, the label is -100"
    labels_first = "the labels come first here: return (inputs, labels)"
    all_masked = "all chosen tokens became [MASK]: 80% should, 10% become random tokens, 10% stay"
    no_stay = "none of the chosen tokens stays as it is: 10% should"
    no_random = "none of the chosen tokens becomes a random token: 10% should"
    zeros = "labels that do not count are 0 here: -100 is asked"
    minus_one = "labels that do not count are -1 here: -100 is asked"
    turned = "80% of the chosen stay and 10% are masked: it is the other way round"
    id_fixed = "the id of [MASK] is fixed: take the argument"
    known = {
        everywhere: lambda ids: lambda v: well_formed(v, ids) and bool((v[1] == ids).all()), id_fixed: another_mask,
        zeros: elsewhere(0), minus_one: elsewhere(-1),
        "whole texts were chosen: each token is chosen by itself": all_or_none(0),
        "one number decides for a whole text what becomes of its tokens: each has its own": all_or_none(1),
        "torch.randn was taken for torch.rand: its numbers are not spread evenly from 0 to 1": mistaken(0.5596),
        "80% of the chosen become random tokens and 10% [MASK]: it is the other way round": mistaken(
            of=(0.1, 0.8, 0.1)
        ),
        labels_first: lambda ids: exchanged,
        "these are floats: whole numbers are asked": lambda ids: lambda v: any(
            torch.as_tensor(part).is_floating_point() for part in v
        ),
        half: mistaken(0.5), all_masked: mistaken(of=(1, 0, 0)), no_stay: mistaken(of=(0.8, 0.2, 0)),
        no_random: mistaken(of=(0.8, 0, 0.2)), turned: mistaken(of=(0.1, 0.1, 0.8)),
        "no token stays: 90% became [MASK] and 10% random": mistaken(of=(0.9, 0.1, 0), least=0.1425),
        "the 10% of random tokens were taken from what 80% left over: 10% of all chosen are asked": mistaken(
            of=(0.8, 0.02, 0.18)
        ),
        "10% of random tokens were drawn among all chosen, over [MASK] too: the three shares do not overlap": mistaken(
            of=(0.72, 0.1, 0.18)
        ),
        "only 12% were chosen: 15% of all, of which 80% are masked": mistaken(0.12),
        "the share is of the tokens that are not chosen: 85% are": mistaken(0.85),
        "only the masked 80% of the chosen have labels: all chosen have": mistaken(0.12, (1, 0, 0)),
        "tokens that stay have no label here: they are chosen, and are to be guessed too": mistaken(
            0.135, (8 / 9, 1 / 9, 0), most=0.1425
        ),
        "the labels mark what was not chosen: -100 is for those": mistaken(0.85, (0, 0, 1)),
    }

    def look(ids, seed=3, **more):
        return check(mask_tokens, ids, 4, 9, 200, generator(seed), **more)

    ids = torch.arange(20_000).reshape(40, 500) % 191 + 9
    says = "15% chosen; of these 80% [MASK], 10% random, 10% as they were (within five standard deviations)"
    look(ids).holds(
        lambda v: well_formed(v, ids) and shares(v, ids), says, near={w: made(ids) for w, made in known.items()}
    )

    guesses = "the labels are taken from the inputs with their holes: the original ids are asked"
    ignored, by_itself = "the argument share is ignored", "each token is chosen by itself"
    same_places = "all texts have their holes at the same places"
    same_number = f"each text has exactly the same number of holes; {by_itself}"

    def holes_alike(v):
        """Whether some tokens have labels, some none, and in all texts at the same places."""
        return not all_labelled(v) and bool(((v[1] != -100) == (v[1][:1] != -100)).all())

    def equally_many(v):
        return len(set((torch.as_tensor(v[1]) != -100).sum(1).tolist())) == 1

    look(ids, share=0.4).holds(
        lambda v: bool(((v[1] == -100) | (v[1] == ids)).all()) and bool(((v[0] == ids) | (v[1] != -100)).all())
        and band((v[1] != -100).sum(), ids.numel(), 0.4) and not equally_many(v),
        f"40% are chosen, {by_itself}; labels: the original id where a token was chosen, else -100; what was not "
        "chosen is unchanged", about="40% chosen, and the labels",
        near={
            ignored: lambda v: well_formed(v, ids) and band((v[1] != -100).sum(), ids.numel(), 0.15),
            same_places: holes_alike,
            same_number: lambda v: equally_many(v) and not all_labelled(v) and not holes_alike(v),
            everywhere: lambda v: bool((v[1] == ids).all()),
            guesses: lambda v: bool(((v[1] == -100) | (v[1] == v[0])).all()),
            zeros: elsewhere(0)(ids), minus_one: elsewhere(-1)(ids),
            "tokens were changed that have no label": lambda v: bool(((v[1] == -100) & (v[0] != ids)).any()),
        },
    )
    mixed = ids.clone()
    mixed[:, 0], mixed[:, 200], mixed[:, 400:] = 2, 3, 1  # [CLS], [SEP], padding
    look(mixed).holds(
        lambda v: bool((v[1][mixed < 9] == -100).all()) and bool((v[0][mixed < 9] == mixed[mixed < 9]).all()),
        "special tokens are never chosen and never change",
        near={
            everywhere: lambda v: bool((v[1] == mixed).all()), labels_first: exchanged,
            zeros: elsewhere(0)(mixed), minus_one: elsewhere(-1)(mixed),
            "special tokens were chosen": lambda v: bool((v[1][mixed < 9] != -100).any())
            and not all_labelled(v) and not exchanged(v),
            "special tokens were changed, though without a label": lambda v: bool(
                (v[0][mixed < 9] != mixed[mixed < 9]).any() and (v[1][mixed < 9] == -100).all()
            ),
        },
    )
    def fates(case, ids):
        """Judge what two calls with one generator made of the chosen tokens: each draw is the generator's."""

        def drawn(v):
            """The tokens where both calls put a random one, and whether they put [MASK] at the same places."""
            first, second = (torch.as_tensor(pair[0]) for pair in v)
            both = (first != 4) & (first != ids) & (second != 4) & (second != ids)
            return first[both], second[both], torch.equal(first == 4, second == 4)

        def some_masked(v):
            masked, labels = torch.as_tensor(v[0][0]) == 4, torch.as_tensor(v[1][1])
            kept = bool(((labels == ids) | (labels == -100)).all())  # else the first call changed the ids in place
            return bool(masked.any()) and not bool(masked.all()) and kept

        case.holds(
            lambda v: not drawn(v)[2] and not torch.equal(*drawn(v)[:2]),
            "what becomes of the chosen tokens differs in the second call", about="each draw is the generator's",
            near={
                "what becomes of the chosen tokens comes from another generator: all randomness is the argument's":
                    lambda v: drawn(v)[2] and some_masked(v),
                "the random tokens come from another generator: all randomness is the argument's":
                    lambda v: not drawn(v)[2] and torch.equal(*drawn(v)[:2]),
            },
        )

    fates(check(twice, mask_tokens, ids, 4, 9, 200, generator(5), 1.0), ids)

    def random_ones(v, ids):
        return torch.as_tensor(v[0])[parts(v, ids)[2]]

    few = ids[:8] % 3 + 9  # 9 to 11; the vocabulary goes on to 19
    specials_drawn = "special tokens were drawn as random tokens"
    last_lost = "the last id is never drawn: torch.randint leaves out its upper end already"
    no_such = "ids from vocab_size on do not exist"
    of_texts = "random tokens are drawn from the texts here: any id of the vocabulary may come"

    def drawn_from(*ends):
        return lambda v: set(random_ones(v, few).tolist()) == set(range(*ends))

    check(mask_tokens, few, 4, 9, 20, generator(3), 1.0).holds(
        drawn_from(9, 20), "random tokens are all ids from num_special to vocab_size - 1", about="20 ids, 9 special",
        near={
            specials_drawn: lambda v: bool((random_ones(v, few) < 9).any()) and not exchanged(v),
            last_lost: drawn_from(9, 19), of_texts: drawn_from(9, 12),
            no_such: lambda v: bool((random_ones(v, few) >= 20).any()) and not exchanged(v),
        },
    )

    def from_equal_generators():
        pairs = [mask_tokens(few, 4, 9, 20, generator(1), 0.5) for _ in range(2)]
        return [(torch.as_tensor(inputs).tolist(), torch.as_tensor(labels).tolist()) for inputs, labels in pairs]

    other_holes = "the generator is not used: two equal ones give different holes"
    other_fates = "the generator is not used in each draw: the holes are the same, what fills them is not"
    check(from_equal_generators).holds(
        lambda v: v[0] == v[1], "the same holes from two equal generators", about="all randomness is the generator's",
        near={other_holes: lambda v: v[0][1] != v[1][1],
              other_fates: lambda v: v[0][1] == v[1][1] and v[0][0] != v[1][0]},
    )


score
