"""Which columns alone are least at weights of their own: all at once, and one by one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lossmith.geometry.least_columns import alone_at

columns_of = st.integers(1, 4).flatmap(
    lambda n: st.lists(st.tuples(*[st.integers(-5, 5)] * n), min_size=1, max_size=8, unique=True)
)


def squares(column):
    return [(x - 5) ** 2 for x in column]


def alone_by_definition(columns):
    found = []
    for s, own in enumerate(columns):
        w = squares(own)
        risks = [sum(a * b for a, b in zip(w, column)) for column in columns]
        if risks.count(min(risks)) == 1 and risks[s] == min(risks):
            found.append(s)
    return found


@given(columns_of)
def test_all_at_once_is_one_by_one(columns):
    assert list(alone_at(columns, squares)) == alone_by_definition(columns)


def test_integers_that_floats_do_not_hold_are_left_to_others():
    assert list(alone_at([(0, 2**53), (2**53, 0)], lambda column: [int(x == 0) for x in column])) == []
    assert list(alone_at([(0, 2**53 - 1), (2**53 - 1, 0)], lambda column: [int(x == 0) for x in column])) == [0, 1]


def test_where_most_are_not_alone_the_first_block_is_enough():
    columns = [(x, 0) for x in range(1000)]  # the first is best everywhere
    assert list(alone_at(columns, lambda column: [1, 0])) == [0]
