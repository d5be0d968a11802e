from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import texts

from foreword.formats.json_lines import JsonValue
from foreword.formats.memories import accepted
from foreword.formats.summaryception import Claim, plain_text, range_of
from foreword.formats.summaryception_export import Span, snippet_of


@given(texts(min_size=1), st.sampled_from(["", "\ncurrent_date_time: 1874-03-02 21 Mon"]))
def test_any_summary_written_for_the_store_reads_as_it_was(text: str, date: str) -> None:
    said = f"{text.strip() or 'x'}</narrative> they said.{date}"
    snippet = snippet_of(Span(text=said, turns=(0,), layer=0, merged=0))
    assert plain_text(snippet) == said


def test_a_range_is_two_indexes_that_rise() -> None:
    assert range_of({"turnRange": [2, 5]}) == (2, 5)
    assert range_of({"sourceRange": [0, 0]}) == (0, 0)
    wrong: list[JsonValue] = [[5, 2], [-1, 2], [1], [1, 2, 3], ["1", 2], None, {}]
    assert [range_of({"turnRange": one}) for one in wrong] == [None] * len(wrong)


@given(st.lists(st.booleans(), min_size=1, max_size=9), st.data())
def test_accepted_summaries_hold_every_sent_message_of_their_stretch_once(
    visible: list[bool], data: st.DataObject
) -> None:
    places = st.sets(st.integers(0, len(visible) - 1), max_size=5)
    claims = [
        Claim(text="x", messages=tuple(sorted(one)), where="w", maker="m")
        for one in data.draw(st.lists(places, max_size=6))
    ]
    taken = accepted(claims, visible, [])
    seen = [number for one in taken for number in one.turns]
    assert seen == sorted(set(seen))
    for one in taken:
        inside = range(one.turns[0], one.turns[-1] + 1)
        assert one.turns == tuple(number for number in inside if visible[number])
