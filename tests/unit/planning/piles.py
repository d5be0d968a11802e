"""Factories and strategies for piles; shared by the tests of this folder."""

from collections.abc import Sequence

from hypothesis import strategies as st

from foreword.domain.ids import Pos, SpeakerId, SummaryId, TurnId, VersionId
from foreword.domain.summary import CoverRow, CoverState
from foreword.domain.turn import MESSAGE_OVERHEAD, Entry, Role

ROLES = {
    "u": Role.USER,
    "a": Role.ASSISTANT,
    "s": Role.SYSTEM,
    "t": Role.TOOL,
}
GAP = 10


def entry(number: int, role: Role = Role.USER, cost: int = 100, *, hidden: bool = False) -> Entry:
    """Make the turn `number`, which takes `cost` tokens in a prompt."""
    return Entry(
        pos=Pos(number * GAP),
        turn_id=TurnId(number),
        version_id=VersionId(number),
        role=role,
        speaker=SpeakerId(role.value),
        tokens=cost - MESSAGE_OVERHEAD,
        digest=number.to_bytes(16, "big"),
        hidden=hidden,
    )


def pile(roles: str, cost: int = 100, *, start: int = 1) -> tuple[Entry, ...]:
    """Make neighbouring turns, oldest first, one for each letter (u, a, s, t)."""
    return tuple(entry(start + n, ROLES[letter], cost) for n, letter in enumerate(roles))


def costs(roles: str, tokens: Sequence[int], *, start: int = 1) -> tuple[Entry, ...]:
    """Make neighbouring turns with these costs."""
    pairs = zip(roles, tokens, strict=True)
    return tuple(entry(start + n, ROLES[letter], cost) for n, (letter, cost) in enumerate(pairs))


def numbers(entries: Sequence[Entry]) -> list[int]:
    """Return the numbers of the turns."""
    return [int(turn.turn_id) for turn in entries]


def cover(
    number: int, first: int, last: int, *, layer: int = 0, tokens: int = 50, visible: int = 0
) -> CoverRow:
    """Make a row in use over the turns `first` to `last`."""
    n_turns = visible or last - first + 1
    return CoverRow(
        summary_id=SummaryId(number),
        state=CoverState.USED,
        layer=layer,
        from_pos=Pos(first * GAP),
        to_pos=Pos(last * GAP),
        n_turns=n_turns,
        src_tokens=100 * n_turns,
        tokens=tokens,
    )


def exchanges_of(entries: Sequence[Entry]) -> list[list[Entry]]:
    """Cut turns where a user turn follows somebody else's: the plain meaning of an exchange."""
    groups: list[list[Entry]] = []
    for turn in entries:
        opens = turn.role is Role.USER and groups and groups[-1][-1].role is not Role.USER
        if opens or not groups:
            groups.append([])
        groups[-1].append(turn)
    return groups


exchange_roles = st.tuples(
    st.sampled_from(["u", "u", "u", "uu"]),
    st.sampled_from(["a", "a", "a", "aa", "aaa", "ata", "s", "sa"]),
).map("".join)
story_roles = st.tuples(
    st.sampled_from(["", "", "a", "aa", "s"]), st.lists(exchange_roles, max_size=12).map("".join)
).map("".join)
turn_costs = st.one_of(st.integers(4, 60), st.integers(60, 700), st.integers(700, 6000))


@st.composite
def stories(draw: st.DrawFn, start: int = 1) -> tuple[Entry, ...]:
    """Draw the turns of a story with openings, group replies, tool and system turns."""
    roles = draw(story_roles)
    return costs(
        roles, draw(st.lists(turn_costs, min_size=len(roles), max_size=len(roles))), start=start
    )


@st.composite
def parted_stories(draw: st.DrawFn) -> tuple[tuple[Entry, ...], ...]:
    """Draw up to four stretches of pile with covered turns between them, oldest first."""
    stretches = []
    start = 1
    for _ in range(draw(st.integers(1, 4))):
        stretch = draw(stories(start=start))
        stretches.append(stretch)
        start += len(stretch) + draw(st.integers(1, 5))
    return tuple(stretches)


def parted_at(stretches: Sequence[Sequence[Entry]]) -> tuple[Pos, ...]:
    """Return last positions of summaries that stand between the stretches."""
    return tuple(
        Pos(stretch[0].pos - GAP) for stretch in stretches if stretch and stretch[0].pos > GAP
    )
