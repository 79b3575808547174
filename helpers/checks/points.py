"""What the cases of a check earn: each function's share of the points, by the kinds of case that pass.

A kind of case is what has the same words in `about` and calls the same functions of the answer; a case without words is
a kind of its own. A class counts as a function where some case makes objects of it and calls nothing else. The visible
kinds are worth a third of the points, the hidden ones two thirds, and an ordinary kind twice as much as one of rare
input.
"""

from dataclasses import dataclass

from helpers.checks.case import CLASS, Case

SIDES = {False: 1, True: 2}  # what the visible kinds weigh, and what the hidden ones do, where there are both
ORDINARY, EDGE = 2, 1
WRONG_KEEPS = 1 / 3  # of what passes, where ordinary input fails
EDGE_KEEPS = 0.7  # for each kind of rare input that fails, where all ordinary input passes


def earned_share(cases: list[Case]) -> float:
    """Return the part of an exercise's points, from 0 to 1, that judged cases earn.

    A function that is right on ordinary input loses 30 % of what is left for each kind of rare input that fails, down
    to a third. One that is wrong on ordinary input earns a third of what passes, and nothing where no ordinary kind
    passes: of the hidden ones, where there are some, since whoever only repeats the visible cases has not answered.
    """
    shares = _Shares(_kinds(cases))
    if not shares.answered_by(shares.kinds):
        return 0.0
    return sum(map(shares.earned, shares.names()))


@dataclass(frozen=True, eq=False)
class Kind:
    """Cases that count once. functions: of the answer, that they call; worth: what they earn, as a part of all."""

    functions: frozenset[str]
    hidden: bool
    ordinary: bool
    passed: bool
    worth: float


def _kinds(cases: list[Case]) -> list[Kind]:
    groups: dict[tuple, list[Case]] = {}
    alone = frozenset().union(*(case.functions for case in cases if len(case.functions) == 1))
    for i, case in enumerate(cases):
        functions = frozenset(name for name in case.functions if name in alone or not name.startswith(CLASS))
        groups.setdefault((case.label or i, functions, case.hidden), []).append(case)
    totals = {side: 0.0 for side in SIDES}
    for group in groups.values():
        totals[group[0].hidden] += _weight(group)
    sides = sum(SIDES[side] for side in SIDES if totals[side])
    kinds = []
    for (_, functions, hidden), group in groups.items():
        ordinary = not all(case.edge for case in group)
        passed = all(case.passed for case in group)
        worth = _weight(group) / totals[hidden] * SIDES[hidden] / sides
        kinds.append(Kind(functions, hidden, ordinary, passed, worth))
    return kinds


def _weight(cases: list[Case]) -> float:
    return max(case.weight * (EDGE if case.edge else ORDINARY) for case in cases)


class _Shares:
    """Whose each kind is, and what each function earns."""

    def __init__(self, kinds: list[Kind]):
        self.kinds = kinds
        self.hidden = any(kind.hidden for kind in kinds)  # then these decide whether there is an answer
        called_alone = [kind for kind in kinds if len(kind.functions) == 1]
        self.alone = frozenset().union(*(kind.functions for kind in called_alone))
        self.failing_alone = frozenset().union(*(kind.functions for kind in called_alone if not kind.passed))

    def names(self) -> list[str]:
        """Return the functions that have a share."""
        return list(dict.fromkeys(name for kind in self.kinds for name in sorted(self.owners(kind))))

    def owners(self, kind: Kind) -> frozenset[str]:
        """Return the functions whose share a kind belongs to; "" where it calls none of the answer's.

        Beside functions that some kind calls alone, a given one that only helps has no share.
        """
        return kind.functions & self.alone or kind.functions or frozenset({""})

    def at_fault(self, kind: Kind) -> frozenset[str]:
        """Return the functions that a failing kind is held against: those that fail alone, too, else all."""
        return kind.functions & self.failing_alone or self.owners(kind)

    def answered_by(self, kinds: list[Kind]) -> bool:
        """Whether an ordinary kind of the side that decides passes."""
        return any(kind.passed for kind in kinds if kind.ordinary and kind.hidden == self.hidden)

    def earned(self, name: str) -> float:
        """Return what a function earns: of a kind of several functions each has a part."""
        mine = [kind for kind in self.kinds if name in self.owners(kind)]
        failed = [kind for kind in mine if not kind.passed and name in self.at_fault(kind)]
        if not any(kind.ordinary for kind in failed):
            return max(WRONG_KEEPS, EDGE_KEEPS ** len(failed)) * sum(map(self._part, mine))
        asked = any(kind.ordinary and kind.hidden == self.hidden for kind in mine)
        if asked and not self.answered_by(mine):
            return 0.0
        return WRONG_KEEPS * sum(self._part(kind) for kind in mine if kind.passed)

    def _part(self, kind: Kind) -> float:
        return kind.worth / len(self.owners(kind))
