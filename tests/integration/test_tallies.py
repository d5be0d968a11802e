"""Which blocks of positions are counted by their tallies alone."""

from hypothesis import given
from hypothesis import strategies as st

from foreword.storage.tallies import BLOCK, Range

POSITIONS = st.one_of(
    st.integers(0, 5 * BLOCK),
    st.builds(
        lambda block, step: max(0, block * BLOCK + step),
        st.integers(0, 5),
        st.sampled_from((-1, 0, 1)),
    ),
)


@given(above=POSITIONS, upto=POSITIONS)
def test_a_block_is_counted_whole_where_all_positions_of_turns_in_it_are_wanted(
    above: int, upto: int
) -> None:
    whole = [
        block
        for block in range(7)
        if above < max(1, block * BLOCK) and (block + 1) * BLOCK - 1 <= upto
    ]

    assert list(Range(above, upto).blocks) == whole
