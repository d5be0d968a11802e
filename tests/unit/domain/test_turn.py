import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import parts, texts

from foreword.domain.ids import Pos, SpeakerId, TurnId, VersionId
from foreword.domain.turn import (
    PART_NAMES,
    Content,
    Entry,
    MediaPart,
    Part,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
    Turn,
    part_text,
    with_text,
)

PROSE = TextPart(text="The ferry left.")
CALL = ToolCallPart(call_id="c1", name="look", arguments='{"at": "ferry"}')
RESULT = ToolResultPart(call_id="c1", text="It is gone.")
PICTURE = MediaPart(media_type="image/png", reference="blob:1")


@pytest.mark.parametrize(
    ("part", "text"),
    [
        (PROSE, "The ferry left."),
        (CALL, 'look({"at": "ferry"})'),
        (RESULT, "It is gone."),
        (PICTURE, "[image/png: blob:1]"),
    ],
)
def test_a_reader_sees_something_of_every_kind_of_part(part: Part, text: str) -> None:
    assert part_text(part) == text
    assert type(part) in PART_NAMES


def test_the_text_of_a_content_has_a_paragraph_for_each_part() -> None:
    content = Content(role=Role.ASSISTANT, speaker=SpeakerId("a"), parts=(PROSE, RESULT))
    assert content.text == "The ferry left.\n\nIt is gone."


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((PROSE,), (TextPart(text="New."),)),
        ((), (TextPart(text="New."),)),
        ((PROSE, CALL), (TextPart(text="New."), CALL)),
        ((CALL, PROSE, RESULT), (CALL, TextPart(text="New."), RESULT)),
        ((PICTURE, PROSE, PROSE), (PICTURE, TextPart(text="New."))),
        ((CALL, PICTURE), (TextPart(text="New."), CALL, PICTURE)),
        ((RESULT,), (ToolResultPart(call_id="c1", text="New."),)),
    ],
)
def test_other_prose_takes_the_place_of_the_first(
    before: tuple[Part, ...], after: tuple[Part, ...]
) -> None:
    assert with_text(before, "New.") == after


@given(st.lists(parts(), max_size=4).map(tuple), texts())
def test_parts_with_other_prose_keep_everything_else(before: tuple[Part, ...], text: str) -> None:
    after = with_text(before, text)
    assert text in [part_text(part) for part in after]
    if not any(isinstance(part, ToolResultPart) for part in before):
        kept = [part for part in before if not isinstance(part, TextPart)]
        assert [part for part in after if not isinstance(part, TextPart)] == kept
    assert with_text(after, text) == after


def test_a_turn_costs_its_tokens_and_four() -> None:
    entry = Entry(
        pos=Pos(1),
        turn_id=TurnId(1),
        version_id=VersionId(1),
        role=Role.USER,
        speaker=SpeakerId("a"),
        tokens=10,
        digest=bytes(16),
    )
    assert entry.cost == 14


def test_the_text_of_a_turn_is_that_of_its_content() -> None:
    entry = Entry(
        pos=Pos(1),
        turn_id=TurnId(1),
        version_id=VersionId(1),
        role=Role.USER,
        speaker=SpeakerId("a"),
        tokens=1,
        digest=bytes(16),
    )
    content = Content(role=Role.USER, speaker=SpeakerId("a"), parts=(TextPart(text="Mara waits."),))
    assert Turn(order=1, entry=entry, content=content, speaker_name="Ann").text == "Mara waits."
