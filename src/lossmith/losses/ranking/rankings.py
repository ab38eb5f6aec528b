"""Rankings of r documents. σ is a tuple: σ[i] is the position of document i, and both count from 0."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from itertools import product
from numbers import Integral

from lossmith.errors import BadInput, TooLarge
from lossmith.exact.rational import quoted
from lossmith.families import at_least

Ranking = tuple[int, ...]
Relevance = tuple[int, ...]
MOST_IN_PAIRS = 200  # documents, where each pair of them has a factor
_MOST_WRITTEN = 6  # documents, where all r! × r! entries are written down
_MOST_LEVELS = 1000


def documents(r: int) -> int:
    """The number of documents, at least 2: with fewer there is nothing to rank."""
    return at_least("r", r, 2)


def documents_in_pairs(r: int, name: str) -> int:
    """The number of documents of a loss with a factor for each pair."""
    if documents(r) > MOST_IN_PAIRS:
        raise TooLarge(
            f"r is {r:,}; {name} has a factor for each pair of documents: choose at most {MOST_IN_PAIRS}, or ndcg, dcg "
            f"or precision_at, which have one for each document"
        )
    return int(r)


def written_documents(r: int, name: str, instead: str) -> int:
    """The number of documents of a loss that is written down: few."""
    if documents(r) > _MOST_WRITTEN:
        raise TooLarge(f"r is {r:,}; {name} is written down, for at most {_MOST_WRITTEN} documents; {instead}")
    return int(r)


def relevance_levels(levels: int) -> int:
    """The number of levels, at least 2."""
    if at_least("levels", levels, 2) > _MOST_LEVELS:
        raise TooLarge(f"levels is {levels:,}; choose at most {_MOST_LEVELS:,}")
    return int(levels)


def with_labels(labels: Callable[[int], int]) -> Callable[[int], list[dict[str, int]]]:
    """The r for which a family has n labels, given how many labels it has for r documents: what it tells as `of_size`.

    >>> with_labels(lambda r: 2**r)(8), with_labels(lambda r: 2**r)(3)
    ([{'r': 3}], [])
    """
    return lambda n: [{"r": r} for r in range(2, _MOST_WRITTEN + 1) if labels(r) == n]


def as_ranking(sigma: object, r: int) -> Ranking:
    """Read a ranking, or say what is wrong with it.

    >>> as_ranking([2, 0, 1], 3)
    (2, 0, 1)
    """
    positions = _in_order(sigma, "a ranking")
    if sorted(positions) != list(range(r)):
        raise BadInput(
            f"{_shown(positions)} is no ranking of {r} documents; give each document its position, one of 0 … {r - 1}"
        )
    return positions


def as_relevance(y: object, r: int, levels: int) -> Relevance:
    """Read a relevance vector, or say what is wrong with it.

    >>> as_relevance("101", 3, 2)
    (1, 0, 1)
    """
    relevance = _in_order(y, "a relevance vector")
    if len(relevance) != r:
        raise BadInput(
            f"{_shown(relevance)} has {len(relevance)} entries; give one relevance for each of {r} documents"
        )
    for i, level in enumerate(relevance):
        if not 0 <= level < levels:
            raise BadInput(f"document {i} has relevance {level}; the levels are 0 … {levels - 1}")
    return relevance


def as_documents(shown: object, q: int, r: int) -> tuple[int, ...]:
    """Read a set of q documents, in any order, or say what is wrong with it.

    >>> as_documents({2, 0}, 2, 3)
    (0, 2)
    """
    documents_read = tuple(sorted(_integers(shown, "a set of documents")))
    if len(documents_read) != q or not set(documents_read) <= set(range(r)) or len(set(documents_read)) < q:
        raise BadInput(f"{_shown(documents_read)} is no set of {q} of the documents 0 … {r - 1}")
    return documents_read


def relevance_vectors(r: int, levels: int) -> product[Relevance]:
    """All relevance vectors, in lexicographic order."""
    return product(range(levels), repeat=r)


def relevance_name(y: Sequence[int]) -> str:
    """The levels in a row; with spaces where they have two digits."""
    return ("" if max(y) < 10 else " ").join(map(str, y))


def order_of_documents(sigma: Ranking) -> list[int]:
    """The documents, first to last.

    >>> order_of_documents((2, 0, 1))
    [1, 2, 0]
    """
    return sorted(range(len(sigma)), key=sigma.__getitem__)


def ranking_name(sigma: Ranking) -> str:
    """The documents, first to last, in print.

    >>> ranking_name((2, 0, 1))
    '1>2>0'
    """
    return ">".join(map(str, order_of_documents(sigma)))


def shown_name(shown: Sequence[int]) -> str:
    """A set of documents, in print.

    >>> shown_name((0, 2))
    '{0,2}'
    """
    return "{" + ",".join(map(str, shown)) + "}"


def swapped(r: int, a: int, b: int) -> Ranking:
    """The ranking 0, 1, …, r − 1 with documents a and b exchanged."""
    positions = list(range(r))
    positions[a], positions[b] = b, a
    return tuple(positions)


def only(i: int, r: int, level: int = 1) -> Relevance:
    """The relevance vector with one relevant document."""
    return tuple(level if j == i else 0 for j in range(r))


def _in_order(values: object, what: str) -> tuple[int, ...]:
    if isinstance(values, (Set, Mapping)):
        raise BadInput(f"{quoted(values)} is not {what}; give one whole number per document, in order")
    return _integers(values, what)


def _integers(values: object, what: str) -> tuple[int, ...]:
    try:
        numbers = [int(each) if isinstance(each, str) else each for each in values]  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        raise BadInput(f"{quoted(values)} is not {what}; give one whole number per document") from None
    for each in numbers:
        if isinstance(each, bool) or not isinstance(each, Integral):
            raise BadInput(f"{quoted(each)} in {what} is not a whole number; give one per document")
    return tuple(map(int, numbers))


def _shown(values: Sequence[int]) -> str:
    return f"({', '.join(map(str, values[:20]))}{', …' if len(values) > 20 else ''})"
