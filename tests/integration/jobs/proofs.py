"""The coverage proof by enumeration: what a prompt says of every turn, counted independently."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tests.integration.engine.play import Play

from foreword.domain.ids import Pos, SummaryId
from foreword.domain.turn import Entry, Role
from foreword.engine.context import Reading, reading
from foreword.engine.prompting import Prompt
from foreword.errors import ContextTooSmall
from foreword.planning.window import REPLIES


def prove(play: Play) -> None:
    """Assert that each turn is sent, hidden, dropped, or stood for by one valid summary."""
    try:
        prompt = play.prompt()
    except ContextTooSmall:
        with reading(play.engine, play.place) as at:
            assert at.session.pins(at.branch.id), "nothing but pins may fill a prompt"
        return
    plan = prompt.plan
    sent = Counter(entry.turn_id for entry in (*plan.holes, *plan.pinned, *plan.verbatim))
    with reading(play.engine, play.place) as at:
        entries = list(at.session.between(at.branch.id, Pos(1), at.branch.tip_pos))
        rows = at.session.cover(at.branch.id)
        left: list[Entry] = []
        for entry in (one for one in entries if not one.hidden):
            over = [row for row in rows if row.overlaps(entry.pos, entry.pos)]
            assert len(over) <= 1
            assert sent[entry.turn_id] <= 1
            if not over and not sent[entry.turn_id]:
                left.append(entry)
        assert set(sent) <= {entry.turn_id for entry in entries if not entry.hidden}
        for row in rows:
            within = [one for one in entries if row.overlaps(one.pos, one.pos) and not one.hidden]
            assert _sources(at, row.summary_id) == [one.digest for one in within]
        assert plan.summaries == tuple(row.summary_id for row in rows)
        shown = at.session.summary_texts(plan.summaries)
    assert (len(left), sum(one.cost for one in left)) == (plan.dropped.turns, plan.dropped.tokens)
    assert all(text in prompt.memory for text in shown.values())
    _costs_what_it_says(play, prompt)
    _is_sent_word_for_word(play, prompt, entries)


def newest_user_turn_is_sent(play: Play) -> None:
    """Assert that the turn which the next reply answers is in the prompt."""
    try:
        prompt = play.prompt()
    except ContextTooSmall:
        return
    with reading(play.engine, play.place) as at:
        newest = list(at.session.newest(at.branch.id))
        rows = at.session.cover(at.branch.id)
    visible = [entry for entry in newest if not entry.hidden][:REPLIES]
    asked = next((entry for entry in visible if entry.role is Role.USER), None)
    if asked is None or any(row.overlaps(asked.pos, asked.pos) for row in rows):
        return  # a command of the user's own may cover it: it is in the memory then
    sent = (*prompt.plan.holes, *prompt.plan.pinned, *prompt.plan.verbatim)
    boundary = rows[-1].to_pos if rows else Pos(0)
    assert asked.pos < boundary or asked.turn_id in {entry.turn_id for entry in sent}


def _sources(at: Reading, summary_id: SummaryId) -> list[bytes]:
    """Return the digests of all turns that a summary goes back to, in story order."""
    summary = at.session.summaries([summary_id])[summary_id]
    below = [digest for child in summary.children for digest in _sources(at, child)]
    return below + [source.digest for source in summary.turns]


def _costs_what_it_says(play: Play, prompt: Prompt) -> None:
    costs = sum(play.engine.counter.count(one.content) + 4 for one in prompt.messages)
    assert costs == prompt.plan.tokens <= prompt.plan.limit


def _is_sent_word_for_word(play: Play, prompt: Prompt, entries: Sequence[Entry]) -> None:
    plan = prompt.plan
    known = {entry.turn_id: entry for entry in entries}
    with reading(play.engine, play.place) as at:
        chosen = [known[one.turn_id] for one in (*plan.holes, *plan.pinned, *plan.verbatim)]
        versions = at.session.versions([entry.version_id for entry in chosen])
    told = Counter(message.content for message in prompt.messages)
    for entry in chosen:
        text = versions[entry.version_id].content.text
        assert any(text in content for content in told)
