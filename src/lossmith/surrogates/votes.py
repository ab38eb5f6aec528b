"""The pred "votes": counted, as of many predictions it has too many regions to be given by them; and its regions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from lossmith.errors import BadInput
from lossmith.exact.rational import RationalLike, as_rationals
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.surrogates.score_regions import half_space


@dataclass(frozen=True)
class Votes:
    """Of each two of k predictions one gets a vote; most votes win, of equal ones the first.

    The score of a pair i < j, in the order of `itertools.combinations`, is a vote for i if it is positive, for j if it
    is negative. Where it is 0 either may have it: the first prediction is made that can have most votes.

    >>> Votes(3)([-1, 1, 1]), Votes(3)([-1, 0, 0])
    (1, 0)
    """

    k: int
    name: str = "votes"

    @property
    def dim(self) -> int:
        """The number of scores."""
        return self.k * (self.k - 1) // 2

    def __call__(self, u: Sequence[RationalLike]) -> int:
        """The index of the prediction at u, exactly."""
        point = as_rationals(u, "u")
        if len(point) != self.dim:
            raise BadInput(f"u has {len(point)} scores; votes of {self.k} predictions take {self.dim}")
        return self._first([(x > 0) - (x < 0) for x in point])

    def decide(self, U: object) -> Any:
        """The index of the prediction at every row of U, in floating point; a verdict's `decide` tells its name."""
        import numpy as np

        points = np.asarray(U, dtype=float)
        if points.ndim != 2 or points.shape[1] != self.dim:
            raise BadInput(f"U has shape {points.shape}; it needs one column for each of the {self.dim} scores")
        votes = np.zeros((len(points), self.k), dtype=int)
        for (i, j), ahead in zip(combinations(range(self.k), 2), (points > 0).T, strict=True):
            votes[:, i] += ahead
            votes[:, j] += ~ahead
        found = votes.argmax(axis=1)
        for row in np.flatnonzero((points == 0).any(axis=1)):
            found[row] = self._first(np.sign(points[row]).tolist())
        return found

    def _first(self, signs: Sequence[float]) -> int:
        votes, free = [0] * self.k, list[tuple[int, int]]()
        for (i, j), sign in zip(combinations(range(self.k), 2), signs, strict=True):
            if sign:
                votes[i if sign > 0 else j] += 1
            else:
                free.append((i, j))
        return next(t for t in range(self.k) if _can_win(t, votes, free))


def _can_win(t: int, votes: Sequence[int], free: Sequence[tuple[int, int]]) -> bool:
    """Whether t has most votes, of equal ones as the first, if the free pairs vote as suits it."""
    most = votes[t] + sum(t in pair for pair in free)
    room = [most - (s < t) - own for s, own in enumerate(votes)]
    given: list[list[tuple[int, int]]] = [[] for _ in votes]

    def place(pair: tuple[int, int], seen: set[int]) -> bool:
        """Give the vote of a pair to one of the two that has room, or gets it by passing another vote on."""
        for s in pair:
            if s in seen:
                continue
            seen.add(s)
            if len(given[s]) < room[s]:
                given[s].append(pair)
                return True
            for other in given[s]:
                if place(other, seen):
                    given[s][given[s].index(other)] = pair
                    return True
        return False

    return min(room) >= 0 and all(place(pair, set()) for pair in free if t not in pair)


def vote_regions(k: int) -> tuple[tuple[Polyhedron, ...], ...]:
    """Closed pieces where each prediction wins, with as few rows as decide it: scores are signed one after the other.

    >>> [len(region) for region in vote_regions(3)]  # of the 8 ways to sign 3 scores
    [3, 1, 2]
    """
    pairs = list(combinations(range(k), 2))
    regions: list[list[Polyhedron]] = [[] for _ in range(k)]

    def split(signs: dict[int, int]) -> None:
        """Give the winner its piece if no other can have as many votes, or more; else sign one more score."""
        undecided = [c for c in range(len(pairs)) if c not in signs]
        wins = [sum(t == pairs[c][sign < 0] for c, sign in signs.items()) for t in range(k)]
        most = [won + sum(t in pairs[c] for c in undecided) for t, won in enumerate(wins)]
        t = wins.index(max(wins))
        if all(wins[t] - (s < t) >= most[s] for s in range(k) if s != t):
            rows = tuple(half_space(len(pairs), {c: sign}) for c, sign in signs.items())
            regions[t].append(Polyhedron(len(pairs), rows))
            return
        # First between those that can have most votes, or have most: so the fewest are signed.
        chosen = max(undecided, key=lambda c: (max(most[t] for t in pairs[c]), sum(wins[t] for t in pairs[c])))
        split({**signs, chosen: 1})
        split({**signs, chosen: -1})

    split({})
    return tuple(map(tuple, regions))
