"""Messages that are kept from one prompt to the next: never more than there is room for."""

from threading import Barrier, Event, Thread
from typing import ClassVar

from hypothesis import given
from hypothesis import strategies as st
from typing_extensions import override

from foreword.domain.ids import ConversationId, VersionId
from foreword.domain.message import Message
from foreword.domain.turn import Role
from foreword.engine.sent import MOST_CHARS, OVERHEAD, Key, SentMessages

THREADS = 8


def key(number: int) -> Key:
    return ConversationId("story"), VersionId(number), b"digest", "Mira"


def message(chars: int) -> Message:
    return Message(role=Role.USER, content="a" * chars)


def held(kept: SentMessages, count: int) -> dict[int, int]:
    """Return what each of the first messages that is still kept takes."""
    found = {number: kept.get(key(number)) for number in range(count)}
    return {number: len(one.content) + OVERHEAD for number, one in found.items() if one is not None}


class Looked(str):
    """A name that lets other threads go on while a message is looked up by it."""

    __slots__ = ()

    inside: ClassVar[int] = 0
    most: ClassVar[int] = 0

    @override
    def __hash__(self) -> int:
        Looked.inside += 1
        Looked.most = max(Looked.most, Looked.inside)
        Event().wait(0.0005)
        Looked.inside -= 1
        return 1


def test_only_one_thread_at_a_time_looks_for_room() -> None:
    kept, start = SentMessages(), Barrier(THREADS)

    def keep(number: int) -> None:
        one = ConversationId("story"), VersionId(number), b"digest", Looked("Mira")
        start.wait()
        kept.keep(one, message(10))

    threads = [Thread(target=keep, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert Looked.most == 1


@given(chars=st.lists(st.integers(0, MOST_CHARS // 2), min_size=1, max_size=12))
def test_the_newest_message_is_kept_and_all_of_them_have_room(chars: list[int]) -> None:
    kept = SentMessages()
    for number, size in enumerate(chars):
        kept.keep(key(number), message(size))

    sizes = held(kept, len(chars))
    assert sizes[len(chars) - 1] == chars[-1] + OVERHEAD
    assert sum(sizes.values()) <= MOST_CHARS


def test_a_message_kept_again_takes_no_more_room() -> None:
    kept, half = SentMessages(), message(MOST_CHARS // 2 - OVERHEAD)
    kept.keep(key(0), half)
    for _ in range(3):
        kept.keep(key(1), half)

    assert held(kept, 2).keys() == {0, 1}


def test_a_message_that_has_no_room_at_all_drives_out_no_other() -> None:
    kept = SentMessages()
    kept.keep(key(0), message(10))
    kept.keep(key(1), message(MOST_CHARS))

    assert held(kept, 2) == {0: 10 + OVERHEAD}
