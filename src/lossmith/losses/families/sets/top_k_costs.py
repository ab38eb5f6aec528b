"""Top-k with costs: name some labels, pay for their number, and the cost of the true one if it is not among them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any

from lossmith.errors import BadInput, nearest
from lossmith.exact.rational import RationalLike, as_list, as_rationals, quoted
from lossmith.families import at_least, family
from lossmith.losses.by_label import ByLabel, by_label
from lossmith.losses.factored import Vector
from lossmith.losses.ranking.decoding import Decoded
from lossmith.losses.reading import Name
from lossmith.losses.sets.decoding import by_costs
from lossmith.losses.sets.set_loss import SetLoss
from lossmith.losses.sets.tags import Tags, as_tags, indicators, with_tags

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

Penalties = Sequence[RationalLike] | str | None


@dataclass(frozen=True, repr=False)
class TopKCosts(SetLoss):
    """c_y [y ∉ S] + λ_|S| for sets S of `first`, `first` + 1, … labels, with one of the `penalties` λ for each size.

    A label is a set of one, given by its name, too; predictions are given by names, or as other sets of tags are.
    """

    costs: tuple[Fraction, ...]
    penalties: tuple[Fraction, ...]
    first: int
    names: tuple[Name, ...]
    family = "top_k_costs"
    learned = "the probability of each label"
    decided = "sort by cost times probability; of each size the first, and of all sizes the best"

    @property
    def name(self) -> str:  # type: ignore[override]
        """The sizes."""
        sizes = f"{self.first}" if len(self.penalties) == 1 else f"{self.first} … {self.last}"
        return f"top_k_costs({self.r} labels, {sizes} guess{'es' * (self.last > 1)})"

    @property
    def last(self) -> int:
        """The largest size."""
        return self.first + len(self.penalties) - 1

    @property
    def r(self) -> int:  # type: ignore[override]
        """One cost per label."""
        return len(self.costs)

    @property
    def n(self) -> int:  # type: ignore[override]
        """The labels."""
        return self.r

    @property
    def k(self) -> int:  # type: ignore[override]
        """All sets of these sizes."""
        return sum(comb(self.r, s) for s in range(self.first, self.last + 1))

    @property
    def m(self) -> int:  # type: ignore[override]
        """One factor per label."""
        return self.r

    @property
    def parameters(self) -> dict[str, Any]:
        """Costs and penalties, and how many sizes are skipped."""
        costs, penalties = ([str(x) for x in each] for each in (self.costs, self.penalties))
        return {"costs": costs, "penalties": penalties, "skipped": self.first - 1}

    def label(self, y: object) -> Tags:
        """One label, by its name or as a set."""
        if y.__hash__ is not None and y in self._numbers:
            return with_tags(self.r, [self._numbers[y]])
        tags = as_tags(y, self.r) if isinstance(y, Iterable) and not isinstance(y, str) else None
        if tags is None or sum(tags) != 1:
            raise BadInput(f"{quoted(y)} is no label of {self.name}; {nearest(y, self.names)}")
        return tags

    def prediction(self, t: object) -> Tags:
        """A set of labels of one of the sizes, by their names."""
        given = list(t) if isinstance(t, Iterable) and not isinstance(t, (str, Mapping)) else None
        if given is not None and all(each.__hash__ is not None and each in self._numbers for each in given):
            bits = len(given) == self.r and not isinstance(t, Set) and set(given) <= {0, 1}
            tags = as_tags(given if bits else [self._numbers[each] for each in given], self.r, "prediction")
        else:
            tags = as_tags(t, self.r, "prediction")
        if not self.first <= sum(tags) <= self.last:
            sizes = self.first if self.first == self.last else f"{self.first} to {self.last}"
            raise BadInput(f"the prediction {self.prediction_name(tags)} has {sum(tags)} labels; give {sizes}")
        return tags

    def each_label(self) -> Iterator[Tags]:
        """In the order of the costs."""
        return (with_tags(self.r, [i]) for i in range(self.r))

    def each_prediction(self) -> Iterator[Tags]:
        """By size."""
        sizes = range(self.first, self.last + 1)
        return (with_tags(self.r, chosen) for s in sizes for chosen in combinations(range(self.r), s))

    def label_name(self, y: Tags) -> Name:  # type: ignore[override]
        """The name of its only member."""
        return self.names[y.index(1)]

    def prediction_name(self, t: Tags) -> str:
        """The names, in braces."""
        return "{" + ",".join(str(name) for name, each in zip(self.names, t, strict=True) if each) + "}"

    def row(self, y: Tags) -> tuple[Fraction, Fraction, Vector]:
        """Which label it is."""
        return Fraction(0), Fraction(1), y

    def factors(self, t: Tags) -> Vector:
        """What it costs, by label."""
        penalty = self.penalties[sum(t) - self.first]
        return tuple(penalty + (0 if each else c) for c, each in zip(self.costs, t, strict=True))

    @cached_property
    def constants(self) -> tuple[Vector, ...]:
        """1/c_y, if one more guess always adds 1/Σ(1/c) to λ."""
        step = 1 / sum(1 / c for c in self.costs)
        if all(x == self.penalties[0] + i * step for i, x in enumerate(self.penalties)):
            return (tuple(1 / c for c in self.costs),)
        return ()

    @property
    def spread(self) -> Fraction:
        """Two sets of a size differ in twice its labels, or what is left of them; others in all."""
        apart = max(self.penalties) - min(self.penalties)
        most = self.r if apart else 2 * min(self.first, self.r - self.first) or 1
        return sum(sorted(((c + apart) ** 2 for c in self.costs), reverse=True)[:most], Fraction(0))

    def targets(self, Y: object) -> Array:
        """Which label it is."""
        rows = indicators(Y, self.r)
        wrong = (rows.sum(axis=1) != 1).nonzero()[0]
        if len(wrong):
            raise BadInput(
                f"Y has {rows[wrong[0]].sum():g} labels in row {wrong[0]}; {self.name} is for one label in each row"
            )
        return rows

    def offsets(self, Y: object) -> Array:
        """0."""
        found: Array = 0 * self.targets(Y).sum(axis=1)
        return found

    def losses(self, Y: object, T: object) -> Array:
        """The cost of what is missed, and the penalty."""
        import numpy as np

        truth, chosen = self.targets(Y), indicators(T, self.r, "T")
        sizes = chosen.sum(axis=1).astype(int)
        wrong = ((sizes < self.first) | (sizes > self.last)).nonzero()[0]
        if len(wrong):
            raise BadInput(
                f"T has {sizes[wrong[0]]} labels in row {wrong[0]}; {self.name} has {self.first} to {self.last}"
            )
        found: Array = (truth * (1 - chosen)) @ np.array(self.costs, dtype=float)
        found += np.array(self.penalties, dtype=float)[sizes - self.first]
        return found

    def decode(self, x: object) -> Decoded:
        """The best of each size are the largest c_y x_y."""
        return by_costs(x, self.costs, self.penalties, self.first)

    @cached_property
    def _numbers(self) -> dict[Any, int]:
        return {name: i for i, name in enumerate(self.names)}


def _read(costs: ByLabel, k: int | None, penalties: Penalties) -> tuple[Any, ...]:
    found = by_label(costs, "costs", "a positive cost for each label")
    read, names = tuple(found.values()), tuple(found)
    for label, c in found.items():
        if c <= 0:
            raise BadInput(f"the cost of label {quoted(label)} is {c}; give a positive one, or leave the label out")
    if (k is None) == (penalties is None):
        raise BadInput(
            f"k is {k} and penalties is {quoted(penalties)}; give k, the number of guesses, or penalties, what 1, 2, … "
            f"guesses cost"
        )
    if k is not None:
        if at_least("k", k, 1) >= len(read):
            raise BadInput(f"k is {k}; it must be less than the {len(read)} labels, or nothing could go wrong")
        return read, (Fraction(0),), k, names
    return read, _penalties(penalties, len(read)), 1, names


def _penalties(given: Any, n: int) -> tuple[Fraction, ...]:
    read = as_rationals(as_list(given), "penalties")
    if not read or len(read) > n:
        raise BadInput(f"{len(read)} penalties were given; give those of 1, 2, … guesses, at most {n}")
    for s, x in enumerate(read, 1):
        if x < 0:
            raise BadInput(f"the penalty of {s} guesses is {x}; give one that is not negative")
    if len(read) == n and min(read) == read[-1]:
        raise BadInput(f"to guess all {n} labels costs {read[-1]}, no more than fewer: nothing is to be decided")
    return read


def _size(costs: ByLabel, k: int | None = None, penalties: Penalties = None) -> tuple[int, int]:
    loss = TopKCosts(*_read(costs, k, penalties))
    return loss.n, loss.k


@family(
    cite="C. Cortes, A. Mao, C. Mohri, M. Mohri, Y. Zhong, Cardinality-aware set prediction and top-k, NeurIPS 2024",
    small=(
        {"costs": (1, 2), "k": 1},
        {"costs": (1, 2, "1/2"), "penalties": (0, "1/4")},
        {"costs": (3, 1, 1, 2), "k": 2},
        {"costs": (1, 1, 1), "penalties": (0, "1/10", "1/2")},
    ),
    size=_size,
    factored=True,
    of_size=lambda n: [{"costs": tuple(range(1, n + 1)), "penalties": (0, "1/4")}] if n > 1 else [],
)
def top_k_costs(costs: ByLabel, k: int | None = None, penalties: Penalties = None) -> TopKCosts:
    """c_y if the label y is not among the guesses, and what their number costs: for thousands of labels.

    `costs` are those of the labels, in order, or a mapping from their names. There are exactly `k` guesses; or any
    number from 1 on, and `penalties` are what 1, 2, … of them cost.

    >>> loss = top_k_costs({"cat": 1, "dog": 1, "lynx": 5}, penalties=[0, "1/2"])
    >>> loss
    top_k_costs(3 labels, 1 … 2 guesses): 3 labels × 6 predictions, 3 factors
    >>> loss.loss("lynx", {"cat", "dog"}), loss.loss("cat", {"cat", "dog"})
    (Fraction(11, 2), Fraction(1, 2))
    >>> loss.decode([0.85, 0.1, 0.05]).predictions.tolist(), loss.decode([0.5, 0.3, 0.2]).predictions.tolist()
    ([1, 0, 0], [0, 0, 1])
    """
    return TopKCosts(*_read(costs, k, penalties))
