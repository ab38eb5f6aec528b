"""Losses that published verdicts speak of, by the number of labels, where they are not the first of their family."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product

from lossmith import losses
from lossmith.exact.rational import RationalLike, as_rational, as_rationals
from lossmith.losses import abstain, hierarchical, ordinal, top_k
from lossmith.losses.matrix import LossMatrix


def squared(n: int) -> LossMatrix:
    """The squared distance of grades."""
    return ordinal(n, power=2)


def star(n: int) -> LossMatrix | None:
    """The distance in a star, whose centre is label 0: a tree that is no path, for n ≥ 4.

    >>> print(star(4))
    truth ↓ decision →  0  1  2  3
    0                   0  1  1  1
    1                   1  0  2  2
    2                   1  2  0  2
    3                   1  2  2  0
    """
    if n < 4:
        return None
    return LossMatrix.from_function(lambda y, t: (y != t) * (1 + (y > 0 < t)), range(n), name=f"star({n})")


def newsvendor(tau: RationalLike) -> Callable[[int], LossMatrix]:
    """τ for each grade that a guess is too low, 1 − τ for each that it is too high."""
    return lambda n: losses.newsvendor(n, tau)


def intervals(alpha: RationalLike) -> Callable[[int], LossMatrix]:
    """Intervals of grades: how long they are, and 2/α times the distance to them (R. Winkler, JASA 1972).

    >>> print(intervals(1)(2))
    truth ↓ decision →  (0, 0)  (0, 1)  (1, 1)
    0                        0       1       2
    1                        2       1       0
    """
    rate = 2 / as_rational(alpha)
    return lambda n: LossMatrix.from_function(
        lambda y, t: t[1] - t[0] + rate * max(t[0] - y, 0, y - t[1]),
        range(n),
        list(combinations_with_replacement(range(n), 2)),
        f"intervals({n}, {as_rational(alpha)})",
    )


def all_but_one(n: int) -> LossMatrix:
    """Top-(n−1) loss: name the one label to exclude."""
    return top_k(n, n - 1)


def top_two(n: int) -> LossMatrix | None:
    """Top-2 loss of four labels or more, where it is neither 0-1 nor top-(n−1) loss."""
    return top_k(n, 2) if n > 3 else None


def any_node(n: int) -> LossMatrix:
    """Distances in a tree of leaves in pairs, the last one alone if n is odd; one may answer with any node."""
    pairs = [[y for y in (i, i + 1) if y < n] for i in range(0, n, 2)]
    tree = {f"{pair}" if len(pair) > 1 else pair[0]: pair if len(pair) > 1 else [] for pair in pairs}
    return hierarchical({"all": tree} if n > 2 else {"all": [0, 1]}, predictions="nodes")


def abstain_at(cost: RationalLike) -> Callable[[int], LossMatrix]:
    """Abstaining at this cost."""
    return lambda n: abstain(n, cost)


def tags_of(r: int) -> list[list[int]]:
    """The strings of r bits in binary order, 1 for a one and −1 for a zero.

    >>> tags_of(2)
    [[-1, -1], [-1, 1], [1, -1], [1, 1]]
    """
    return [[1 if bit == "1" else -1 for bit in format(y, f"0{r}b")] for y in range(2**r)]


def open_tags(values: Sequence[RationalLike]) -> LossMatrix:
    """Tags that are set, not set, or left open: f of how many are wrong, plus f of how many are not right.

    >>> print(open_tags([0, 1]))
    truth ↓ decision →  0  1  ?
    0                   0  2  1
    1                   2  0  1
    """
    f, r = as_rationals(values, "values"), len(values) - 1
    return _with_open_tags(r, lambda wrong, opened: f[wrong] + f[wrong + opened], f"open_tags({r})")


def open_hamming(r: int, cost: RationalLike) -> LossMatrix:
    """1 for each tag that is wrong, and the cost for each that is left open.

    >>> print(open_hamming(1, "1/4"))
    truth ↓ decision →  0  1     ?
    0                   0  1  0.25
    1                   1  0  0.25
    """
    c = as_rational(cost)
    return _with_open_tags(r, lambda wrong, opened: wrong + c * opened, f"open_hamming({r}, {c})")


def _with_open_tags(r: int, paid: Callable[[int, int], Fraction], name: str) -> LossMatrix:
    """What is paid for so many tags that are wrong, and so many that are open."""
    answers = ["".join(answer) for answer in product("01?", repeat=r)]
    labels = [format(y, f"0{r}b") for y in range(2**r)]

    def loss(y: str, t: str) -> Fraction:
        opened = t.count("?")
        return paid(sum(a != b for a, b in zip(y, t, strict=True)) - opened, opened)

    return LossMatrix.from_function(loss, labels, answers, name)


def mismatches(values: Sequence[RationalLike]) -> LossMatrix:
    """What is paid for sets of tags that differ in so many tags."""
    f, r = as_rationals(values, "values"), len(values) - 1
    return LossMatrix([[f[(y ^ t).bit_count()] for t in range(2**r)] for y in range(2**r)], name=f"mismatches({r})")


def of_two_tags(made: Callable[[], LossMatrix]) -> Callable[[int], LossMatrix | None]:
    """A loss on two tags, which are four labels."""
    return lambda n: made() if n == 4 else None


def preferences_in_a_circle(n: int) -> LossMatrix | None:
    """Pairwise disagreement on three documents, of which four graphs are known: three single edges in a circle."""
    edges = [[(0, 1)], [(1, 2)], [(2, 0)], [(0, 1), (1, 2), (0, 2)]]
    return losses.pairwise_disagreement(3, edges).matrix() if n == 4 else None


def deferring(classes: int, experts: int = 1) -> LossMatrix:
    """0-1 loss, or asking one of the experts: labels are a class and which experts are right, and each may be asked."""
    return losses.defer(classes, experts)


def by_experts(n: int) -> LossMatrix | None:
    """The same by its number of labels: two or more classes and one expert."""
    return deferring(n // 2) if n > 3 and n % 2 == 0 else None


def sets_of(classes: int) -> list[tuple[int, ...]]:
    """The non-empty sets of classes, small ones first.

    >>> sets_of(2)
    [(0,), (1,), (0, 1)]
    """
    return [chosen for s in range(1, classes + 1) for chosen in combinations(range(classes), s)]


def by_sets(n: int) -> LossMatrix | None:
    """Labels are the sets of classes that the true one may be in; 1 if the predicted class is not in the set."""
    classes = (n + 1).bit_length() - 1
    return losses.superset(classes) if 2**classes == n + 1 else None
