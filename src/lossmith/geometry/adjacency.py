"""Which extreme rays of a cone span a face of dimension 2, from their zero sets alone.

The zero set of a ray is the set of rows that vanish at it, packed into 64-bit words. Two rays of a pointed cone in
R^size are adjacent exactly if no third extreme ray lies on all rows on which both lie (Fukuda and Prodon, *Double
description method revisited*, 1996); then these rows have rank size − 2, so that there are at least as many.

Everything is done in blocks, so that no table outgrows a few megabytes and no call holds up an interrupt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Words: TypeAlias = NDArray[np.uint64]
Numbers: TypeAlias = NDArray[np.intp]

WORD = np.dtype("<u8")  # bit b of word w stands for member 64 w + b, on every machine
BLOCK = 1 << 17  # words in a table
HIGH = 1 << 12  # rays on one side of a table
FEW = 1 << 15  # up to so many words, making the sets shorter costs more than it saves
_COUNTS = np.array([bits.bit_count() for bits in range(1 << 16)], dtype=np.uint8)


def sizes(words: Words) -> NDArray[np.int64]:
    """How many members each set has; the words of a set lie along the last axis.

    >>> sizes(np.array([[5, 1], [0, 0]], dtype=WORD)).tolist()
    [3, 0]
    """
    counts: NDArray[np.int64] = _sizes_of_words(words).sum(axis=-1, dtype=np.int64)
    return counts


def _sizes_of_words(words: Words) -> NDArray[np.uint8]:
    if hasattr(np, "bitwise_count"):  # numpy 2
        return np.bitwise_count(words)
    counts: NDArray[np.uint8] = _COUNTS[np.ascontiguousarray(words)[..., None].view(np.uint16)].sum(
        axis=-1, dtype=np.uint8
    )
    return counts


def adjacent_pairs(
    first: Words, second: Words, every: Words, need: int, watch: Callable[[int], None]
) -> Iterator[tuple[Numbers, Numbers]]:
    """The pairs (i, j) for which first[i] and second[j] are zero sets of adjacent rays, in blocks.

    `every` holds the zero sets of all extreme rays, and adjacent rays have at least `need` common zeros. `watch`
    hears before each block how many words will be read, and may refuse.
    """
    near = np.arange(len(first))
    if len(first) * len(second) * first.shape[1] > FEW:  # only rows that vanish on both sides can count
        shared = np.bitwise_or.reduce(second, axis=0)
        near = np.flatnonzero(_shared_sizes(first, shared) >= need)
        first = first[near]
        shared &= np.bitwise_or.reduce(first, axis=0)
        every = every[_shared_sizes(every, shared) >= need]
        shorter, short = _restricted(first, second, _members(shared))
    else:
        shorter, short = first, second
    owners: Words | None = None
    for i, j in _with_common_zeros(shorter, short, need, watch):
        common = first[i] & second[j]
        if need < 1 or common.size * len(every) <= FEW:  # in R^2 there are two rays, and they may share no zero
            alone = _held_by_two_of_few(common, every)
        else:
            owners = transposed(every) if owners is None else owners
            alone = _held_by_two(common, owners, need, watch)
        yield near[i[alone]], j[alone]


def _shared_sizes(sets: Words, shared: Words) -> NDArray[np.int64]:
    parts = [sizes(sets[start : start + BLOCK] & shared) for start in range(0, len(sets), BLOCK)]
    return np.concatenate([np.zeros(0, dtype=np.int64), *parts])


def _with_common_zeros(
    first: Words, second: Words, need: int, watch: Callable[[int], None]
) -> Iterator[tuple[Numbers, Numbers]]:
    """The pairs with at least `need` common members."""
    wide = max(1, BLOCK // max(1, min(HIGH, len(first))))
    for top in range(0, len(first), HIGH):
        rows = first[top : top + HIGH]
        for left in range(0, len(second), wide):
            columns = second[left : left + wide]
            watch(rows.size * len(columns))
            common: NDArray[Any] = _sizes_of_words(rows[:, :1] & columns[:, 0])
            for w in range(1, first.shape[1]):
                common = np.add(common, _sizes_of_words(rows[:, w, None] & columns[:, w]), dtype=np.uint32)
            i, j = np.nonzero(common >= need)
            if len(i):
                yield i + top, j + left


def _held_by_two_of_few(common: Words, every: Words) -> NDArray[np.bool_]:
    held = ((common[:, None, :] & ~every[None, :, :]) == 0).all(axis=2)
    found: NDArray[np.bool_] = np.count_nonzero(held, axis=1) == 2
    return found


def _held_by_two(common: Words, owners: Words, need: int, watch: Callable[[int], None]) -> NDArray[np.bool_]:
    """For which of these sets exactly two rays have all their members; `owners` are the rays of each member."""
    found = np.empty(len(common), dtype=np.bool_)
    height = max(1, BLOCK // max(owners.shape[1], 64 * common.shape[1]))
    for start in range(0, len(common), height):
        part = common[start : start + height]
        count = sizes(part)
        watch(int(count.sum()) * owners.shape[1] + 64 * part.size)
        members = np.flatnonzero(_unpacked(part).view(np.bool_)) % (64 * part.shape[1])
        ends = np.cumsum(count)
        starts = ends - count
        held = owners[members[starts]]
        for step in range(1, int(count.max())):
            if step < need:
                held &= owners[members[starts + step]]
            else:
                left = np.flatnonzero(count > step)
                held[left] &= owners[members[starts[left] + step]]
        found[start : start + height] = sizes(held) == 2
    return found


def transposed(sets: Words) -> Words:
    """For each member, the set of those sets that have it.

    >>> transposed(np.array([[5], [4]], dtype=WORD))[:3].ravel().tolist()
    [1, 0, 3]
    """
    words = -(-len(sets) // 64)
    owners = np.zeros((8 * sets.shape[1], 8, 8 * words), dtype=np.uint8)
    height = max(64, BLOCK // sets.shape[1] // 64 * 64)
    for start in range(0, len(sets), height):
        octets = np.ascontiguousarray(np.ascontiguousarray(sets[start : start + height]).view(np.uint8).T)
        for bit in range(8):
            packed = np.packbits(octets & np.uint8(1 << bit), axis=1, bitorder="little")
            owners[:, bit, start // 8 : start // 8 + packed.shape[1]] = packed
    return owners.reshape(64 * sets.shape[1], 8 * words).view(WORD)


def _restricted(first: Words, second: Words, columns: Numbers) -> tuple[Words, Words]:
    """The same sets, of numbers j with columns[j] in them, where that saves words."""
    if not 0 < len(columns) <= 64 * (first.shape[1] - 1) or len(first) * len(second) < FEW:
        return first, second
    short = [transposed(transposed(sets)[columns])[: len(sets)] for sets in (first, second)]
    return short[0], short[1]


def _members(words: Words) -> Numbers:
    return np.flatnonzero(np.unpackbits(words.view(np.uint8), bitorder="little"))


def _unpacked(sets: Words) -> NDArray[np.uint8]:
    return np.unpackbits(np.ascontiguousarray(sets).view(np.uint8), axis=1, bitorder="little")
