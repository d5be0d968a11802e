"""What `verify` finds when something is wrong: each damage is named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.integration.engine.play import Play, start

from foreword.domain.ids import Pos, SummaryId
from foreword.domain.ops import OpKind
from foreword.domain.summary import CoverState
from foreword.domain.turn import Role
from foreword.engine import turns
from foreword.engine.context import Engine, Writing, writing
from foreword.engine.verifying import verify

Damage = Callable[[Writing], None]


def rows(to: Writing) -> dict[int, object]:
    return {row.summary_id: row for row in to.session.cover_rows(to.branch.id)}


def use_a_merged_one(to: Writing) -> None:
    row = to.session.cover(to.branch.id, CoverState.MERGED)[0]
    to.session.put_cover([replace(row, state=CoverState.USED)])


def lose_a_merged_one(to: Writing) -> None:
    to.session.drop_cover([SummaryId(1)])


def change_a_covered_turn(to: Writing) -> None:
    (first, _, _, last, *_) = to.session.between(to.branch.id, Pos(1), to.branch.tip_pos)
    to.session.put_entries([replace(last, pos=first.pos, turn_id=last.turn_id)])
    to.session.drop_entries([last.pos])


def forge_a_digest(to: Writing) -> None:
    last = next(to.session.newest(to.branch.id))
    to.session.put_entries([replace(last, digest=bytes(16))])


def forge_tokens(to: Writing) -> None:
    last = next(to.session.newest(to.branch.id))
    to.session.put_entries([replace(last, tokens=last.tokens + 1)])


def show_the_text_of_another_turn(to: Writing) -> None:
    newest = to.session.newest(to.branch.id)
    last, other = next(newest), next(newest)
    to.session.put_entries(
        [replace(last, version_id=other.version_id, digest=other.digest, tokens=other.tokens)]
    )


def miscount_a_summary(to: Writing) -> None:
    (row,) = to.session.cover(to.branch.id)
    to.session.put_cover([replace(row, src_tokens=row.src_tokens + 1)])


DAMAGES: dict[str, tuple[Damage, list[str]]] = {
    "overlap": (use_a_merged_one, ["S3 and S1 cover the same turns"]),
    "lost source": (lose_a_merged_one, ["S3 is in use, but S1, which it merged, is gone"]),
    "changed turn": (
        change_a_covered_turn,
        ["S3 is in use, but its turns read differently"],
    ),
    "digest": (forge_a_digest, ["turn id:6 does not match its digest"]),
    "tokens": (forge_tokens, ["turn id:6 shows a text of another turn"]),
    "another text": (show_the_text_of_another_turn, ["turn id:6 shows a text of another turn"]),
    "count": (miscount_a_summary, ["S3 counts its turns wrongly"]),
}


def merged(engine: Engine) -> Play:
    play = start(engine, 6)
    play.make(2)
    play.make(4)
    play.merge(1, 2)
    return play


@pytest.mark.parametrize("name", DAMAGES)
def test_damage_is_found_and_named(engine: Engine, name: str) -> None:
    play = merged(engine)
    assert verify(engine).ok
    damage, problems = DAMAGES[name]

    with writing(engine, play.place) as to:
        to.begin(OpKind.EDIT)
        damage(to)

    verdict = verify(engine, play.place.conversation)
    assert not verdict.ok
    assert list(verdict.problems) == [f"c1, branch main: {text}" for text in problems]
    assert verify(engine) == verdict


def test_every_conversation_and_branch_is_checked(engine: Engine) -> None:
    first = merged(engine)
    first.fork(5)
    checked = verify(engine).checked
    second = start(engine, 3)

    assert verify(engine).checked == checked + 3
    assert verify(engine, second.place.conversation).checked == 3
    with writing(engine, first.on(2).place) as to:
        to.begin(OpKind.EDIT)
        forge_a_digest(to)
    assert verify(engine).problems == ("c1, branch branch 2: turn id:5 does not match its digest",)


def test_a_long_conversation_is_checked_to_its_end(engine: Engine) -> None:
    play = start(engine)
    with writing(engine, play.place) as to:
        to.begin(OpKind.IMPORT)
    turns.append(engine, play.place, "only one", role=Role.USER)

    assert verify(engine).checked == 1
