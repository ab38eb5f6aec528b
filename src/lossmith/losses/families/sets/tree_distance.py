"""Distance in a tree with thousands of nodes, which is not written down: a label is the set of the nodes above it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any

from lossmith.errors import BadInput, BadLoss, nearest
from lossmith.exact.rational import RationalLike, as_rationals, quoted
from lossmith.families import family
from lossmith.losses.factored import FactoredLoss, Vector
from lossmith.losses.files import load_json
from lossmith.losses.ranking.decoding import Decoded, Decoding, decoded, rows_of
from lossmith.losses.reading import Name
from lossmith.losses.trees import Tree, parents_of, side_of

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

Lengths = Mapping[Any, RationalLike] | Sequence[RationalLike | None] | str | PathLike[str]

DOWN = Decoding("sums from the leaves up, and back", exact=True)
LEAST = Decoding("the least score", exact=True)
_SMALL: tuple[dict[str, Any], ...] = (
    {"tree": {"animal": ["cat", "dog"], "car": []}},
    {"tree": [None, 0, 0, 1, 1], "predictions": "leaves"},
    {"tree": [None, 0, 0, 1], "lengths": [0, 1, "1/2", 2], "labels": "nodes"},
)


@dataclass(frozen=True, repr=False)
class TreeDistance(FactoredLoss):
    """The length of the path between two nodes; `up` has the number of the parent of each node, −1 for the root.

    Where all nodes are predictions, there is a factor for each label, [y = l], and b(t)_l is the distance from l to t,
    less the depth of l. Where only leaves are, there is one for each leaf l, the distance from y to l, and b(t)_l is
    [t = l].
    """

    nodes: tuple[Hashable, ...]
    up: tuple[int, ...]
    lengths: tuple[Fraction, ...]  # of the edge to the parent; 0 for the root
    truths: tuple[int, ...]
    answers: tuple[int, ...]
    name: str = field(compare=False)
    family = "tree_distance"

    @property
    def everywhere(self) -> bool:
        """Whether all nodes are predictions."""
        return len(self.answers) == len(self.nodes)

    @property
    def learned(self) -> str:  # type: ignore[override]
        """What the factors are."""
        return "the probability of each label" if self.everywhere else "the mean distance to each leaf"

    @property
    def decided(self) -> str:  # type: ignore[override]
        """What is done with them."""
        return "go down from the root while more than half of the total lies below" if self.everywhere else "the least"

    @property
    def r(self) -> int:  # type: ignore[override]
        """Nodes."""
        return len(self.nodes)

    @property
    def n(self) -> int:  # type: ignore[override]
        """Leaves or nodes."""
        return len(self.truths)

    @property
    def k(self) -> int:  # type: ignore[override]
        """Leaves or nodes."""
        return len(self.answers)

    @property
    def m(self) -> int:  # type: ignore[override]
        """One factor per label, or per leaf."""
        return self.n if self.everywhere else self.k

    @property
    def parameters(self) -> dict[str, Any]:
        """The tree with its nodes from the root down, and whether inner nodes are labels, and predictions."""
        place = {v: i for i, v in enumerate(self.order)}
        return {
            "parents": [place[self.up[v]] for v in self.order[1:]],
            "lengths": [str(self.lengths[v]) for v in self.order[1:]],
            "inner": [int(len(side) == self.r) for side in (self.truths, self.answers)],
        }

    def label(self, y: object) -> Hashable:
        """The name of a node."""
        return self._named(y, self._number_of_label, "label")

    def prediction(self, t: object) -> Hashable:
        """The name of a node."""
        return self._named(t, self._number_of_answer, "prediction")

    def each_label(self) -> Iterator[Hashable]:
        """In the order of the tree."""
        return (self.nodes[v] for v in self.truths)

    def each_prediction(self) -> Iterator[Hashable]:
        """In the order of the tree."""
        return (self.nodes[v] for v in self.answers)

    def label_name(self, y: Hashable) -> Name:
        """The node."""
        return y

    def prediction_name(self, t: Hashable) -> Name:
        """The node."""
        return t

    def row(self, y: Hashable) -> tuple[Fraction, Fraction, Vector]:
        """The depth of y, and which label it is; or the distances to all leaves."""
        if not self.everywhere:
            away = self.distances(self._number_of_label[y][1])
            return Fraction(0), Fraction(1), tuple(away[v] for v in self.answers)
        number, v = self._number_of_label[y]
        return self.depths[v], Fraction(1), tuple(int(i == number) for i in range(self.n))

    def factors(self, t: Hashable) -> Vector:
        """Distances less depths, by label; or which leaf it is."""
        number, v = self._number_of_answer[t]
        if not self.everywhere:
            return tuple(int(i == number) for i in range(self.k))
        away = self.distances(v)
        return tuple(away[u] - self.depths[u] for u in self.truths)

    @cached_property
    def constants(self) -> tuple[Vector, ...]:
        """Functionals with half of their sum below every edge; among leaves, the number of predictions."""
        if not self.everywhere:
            return ((1,) * self.k,)
        below = [self.up.count(v) for v in range(self.r)] if self.n < 3 or self.n == self.r else []
        if self.n == self.r:
            return (tuple(1 - count + (self.up[v] < 0) for v, count in enumerate(below)),)
        two_chains = self.n == 2 and all(count == 1 + (self.up[v] < 0) for v, count in enumerate(below) if count)
        return ((1, 1),) if two_chains else ()

    @property
    def spread(self) -> Fraction:
        """Distances to two nodes differ by no more than the distance between them."""
        if not self.everywhere:
            return Fraction(2)
        farthest = self.distances(self.distances(self.order[0]).index(max(self.depths)))
        return self.n * max(farthest) ** 2

    @cached_property
    def order(self) -> list[int]:
        """Parents before children."""
        children: dict[int, list[int]] = {}
        for v, parent in enumerate(self.up):
            children.setdefault(parent, []).append(v)
        found = list(children[-1])
        for v in found:  # grows as it goes
            found += children.get(v, ())
        return found

    @cached_property
    def depths(self) -> list[Fraction]:
        """Distances from the root."""
        return self.distances(self.order[0])

    def distances(self, t: int) -> list[Fraction]:
        """From a node to all others, by number."""
        found: list[Fraction | None] = [None] * self.r
        v, away = t, Fraction(0)
        while v >= 0:  # from t up to the root, then down
            found[v] = away
            v, away = self.up[v], away + self.lengths[v]
        for v in self.order:
            if found[v] is None:
                found[v] = found[self.up[v]] + self.lengths[v]  # type: ignore[operator]
        return found  # type: ignore[return-value]

    def decode(self, x: object) -> Decoded:
        """The numbers of predictions, in their order: a row of one number for each row of x."""
        import numpy as np

        rows, single = rows_of(x, self.m)
        values = self._values(rows) if self.everywhere else rows
        chosen = values.argmin(axis=1)
        least = values[np.arange(len(rows)), chosen]
        return decoded(chosen[:, None], least, least, DOWN if self.everywhere else LEAST, single)

    def _values(self, rows: Array) -> Array:
        """x·b(t) for all nodes: along an edge it grows by the length times what lies not below, less what does."""
        import numpy as np

        below, values = np.zeros((self.r, len(rows))), np.zeros((self.r, len(rows)))
        below[list(self.truths)] = rows.T
        for v in self.order[:0:-1]:
            below[self.up[v]] += below[v]
        total = rows.sum(axis=1)
        for v in self.order[1:]:
            values[v] = values[self.up[v]] + float(self.lengths[v]) * (total - 2 * below[v])
        return values.T

    @cached_property
    def _number_of_label(self) -> dict[Hashable, tuple[int, int]]:
        return {self.nodes[v]: (i, v) for i, v in enumerate(self.truths)}

    @cached_property
    def _number_of_answer(self) -> dict[Hashable, tuple[int, int]]:
        return {self.nodes[v]: (i, v) for i, v in enumerate(self.answers)}

    def _named(self, given: object, known: Mapping[Hashable, object], what: str) -> Hashable:
        if isinstance(given, Hashable) and given in known:
            return given
        raise BadInput(f"{quoted(given)} is no {what} of {self.name}; {nearest(given, known)}")


def _lengths(given: Lengths | None, parents: Mapping[Hashable, Hashable | None]) -> tuple[Fraction, ...]:
    """One for each node, that of the edge to its parent, in order; what is given for the root is not read."""
    inner = [node for node, parent in parents.items() if parent is not None]
    if given is None:
        return tuple(Fraction(parent is not None) for parent in parents.values())
    read = load_json(given) if isinstance(given, (str, PathLike)) else given
    if not isinstance(read, Mapping):
        numbers = list(read)
        if len(numbers) != len(parents):
            raise BadInput(f"{len(numbers)} lengths were given; give one for each of the {len(parents)} nodes")
        read = dict(zip(parents, numbers, strict=True))
    missing = next((node for node in inner if node not in read), None)
    if missing is not None:
        raise BadInput(f"the edge above {missing!r} has no length; give one for every node but the root")
    unknown = next((node for node in read if node not in parents), None)
    if unknown is not None:
        raise BadInput(f"{quoted(unknown)} has a length but is no node; {nearest(unknown, parents)}")
    found = dict(zip(inner, as_rationals([read[node] for node in inner], "lengths"), strict=True))
    for node, length in found.items():
        if length <= 0:
            raise BadInput(f"the edge above {node!r} has length {length}; give a positive one")
    return tuple(found.get(node, Fraction(0)) for node in parents)


def _size(
    tree: Tree, lengths: Lengths | None = None, labels: str = "leaves", predictions: str = "nodes"
) -> tuple[int, int]:
    parents = parents_of(tree)
    return len(side_of(parents, labels, "labels")), len(side_of(parents, predictions, "predictions"))


@family(
    cite="O. Dekel, J. Keshet, Y. Singer, Large margin hierarchical classification, ICML 2004",
    small=_SMALL,
    size=_size,
    factored=True,
    of_size=lambda n: [each for each in _SMALL if _size(**each)[0] == n],
)
def tree_distance(
    tree: Tree, lengths: Lengths | None = None, labels: str = "leaves", predictions: str = "nodes"
) -> TreeDistance:
    """The length of the path between two nodes of a tree: as `hierarchical`, for thousands of nodes.

    The tree, `labels` and `predictions` are given as to `hierarchical`. `lengths` are those of the edges to the
    parents: a mapping, or a list in the order of the nodes, or the path of a JSON file with either; 1 if not given.

    >>> loss = tree_distance({"animal": {"cat": {}, "dog": {}}, "car": {}}, {"animal": 2, "cat": 1, "dog": 1, "car": 3})
    >>> loss.loss("cat", "car"), loss.loss("cat", "animal")
    (Fraction(6, 1), Fraction(1, 1))
    >>> loss.prediction_name(list(loss.each_prediction())[loss.decode([0.4, 0.4, 0.2]).predictions[0]])
    'animal'
    """
    parents = parents_of(tree)
    rows, columns = side_of(parents, labels, "labels"), side_of(parents, predictions, "predictions")
    if len(rows) < 2:
        raise BadLoss(f"the tree has {len(rows)} {labels}; a hierarchy needs at least two")
    number = {node: i for i, node in enumerate(parents)}
    up = tuple(-1 if parent is None else number[parent] for parent in parents.values())
    sides = tuple(number[node] for node in rows), tuple(number[node] for node in columns)
    name = f"tree_distance({len(parents)} nodes)"
    return TreeDistance(tuple(parents), up, _lengths(lengths, parents), *sides, name)
