"""What stands in the requests: all that is covered, nothing that is hidden or was not chosen."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.integration.engine.play import Play, start

from foreword.domain.ids import SummaryId
from foreword.domain.summarising import MergeRequest, SummaryRequest
from foreword.domain.summary import Summary
from foreword.engine import repairing, summaries, turns
from foreword.engine.context import reading
from foreword.engine.summary_views import branch_summaries
from foreword.ports.store import Store
from foreword.testing.engines import engine_on
from foreword.testing.memory_store import MemoryStore
from foreword.testing.summarisers import EchoSummariser, RecordingSummariser


def text(number: int) -> str:
    return f't{number} says\n\nthat "word {number}" is *kept* {"la " * 40}end {number}'


def recorded(store: Store) -> tuple[Play, RecordingSummariser]:
    recorder = RecordingSummariser(EchoSummariser(filled=True))
    play = start(engine_on(store, summariser=recorder), context="1024")
    return play.say(*(text(number) for number in range(1, 41))), recorder


def passages_behind(
    summary: Summary, known: Mapping[SummaryId, Summary], recorder: RecordingSummariser
) -> Iterator[str]:
    """Yield the texts that stood in the requests which led to a summary."""
    for child in summary.children:
        yield from passages_behind(known[child], known, recorder)
    requests = recorder.requests_for(summary.text)
    if summary.edited_from is not None and not requests:
        yield from passages_behind(known[summary.edited_from], known, recorder)
        return
    assert requests, f"S{summary.id} was asked for by nobody"
    for request in requests:
        match request:
            case SummaryRequest():
                yield from (passage.text for passage in request.passages)
            case MergeRequest():
                blocks = [known[child].text for child in summary.children]
                assert blocks == list(request.blocks)


def prove(play: Play, recorder: RecordingSummariser) -> int:
    """Check every summary in use against the requests; return how many turns they cover."""
    checked = 0
    with reading(play.engine, play.place) as at:
        _, known = branch_summaries(at)
        for row in at.session.cover(at.branch.id):
            read = set(passages_behind(known[row.summary_id], known, recorder))
            for entry in at.session.between(at.branch.id, row.from_pos, row.to_pos):
                if not entry.hidden:
                    version = at.session.versions([entry.version_id])[entry.version_id]
                    assert version.content.text in read
                    checked += 1
    return checked


def everything_asked(recorder: RecordingSummariser) -> str:
    """Return every text of every request, the rendered prompts included."""
    found: list[str] = []
    for request in recorder.requests:
        found.append(request.prompt)
        match request:
            case SummaryRequest():
                found += [passage.text for passage in request.passages]
                found += request.earlier
            case MergeRequest():
                found += request.blocks
    return "\n".join(found)


def test_each_covered_turn_stood_in_full_in_a_request_behind_its_summary(store: Store) -> None:
    play, recorder = recorded(store)

    play.recap()
    assert prove(play, recorder) == 12
    play.recap(merge=True)
    assert prove(play, recorder) >= 36
    assert max(view.layer for view in play.summaries()) >= 1

    top = next(view for view in play.summaries() if view.layer)
    asyncio.run(summaries.regenerate(play.engine, play.place, top.id))
    prove(play, recorder)
    fork = play.fork(30)
    prove(fork, recorder)
    fork.edit(2, text(99))
    asyncio.run(repairing.repair(play.engine, fork.place))
    prove(fork, recorder)
    assert text(99) in everything_asked(recorder)
    assert play.problems() == ()


def test_the_prompt_for_a_model_holds_every_passage_and_block(store: Store) -> None:
    play, recorder = recorded(store)
    play.recap(merge=True)

    for request in recorder.requests:
        match request:
            case SummaryRequest():
                assert all(passage.text in request.prompt for passage in request.passages)
                assert all(earlier in request.prompt for earlier in request.earlier)
            case MergeRequest():
                assert all(block in request.prompt for block in request.blocks)


def test_what_is_hidden_or_not_chosen_stands_in_no_request(store: Store) -> None:
    play, recorder = recorded(store)
    play.hide(3, 4, 17)
    turns.add_alternative(play.engine, play.place, "6", "NOT THIS ONE")
    turns.add_alternative(play.engine, play.place, "6", text(600))
    turns.add_alternative(play.engine, play.place, "8", "NOR THIS ONE")
    turns.choose(play.engine, play.place, "8", 1)
    play.edit(10, text(1000))

    play.recap(merge=True)
    for view in play.summaries():
        asyncio.run(summaries.regenerate(play.engine, play.place, view.id))
    prove(play, recorder)

    asked = everything_asked(recorder)
    left_out = [text(3), text(4), text(17), text(6), text(10), "NOT THIS ONE", "NOR THIS ONE"]
    assert [one for one in left_out if one in asked] == []
    assert all(one in asked for one in (text(600), text(8), text(1000)))


def test_a_pinned_turn_is_read_and_marked(store: Store) -> None:
    play, recorder = recorded(store)
    play.pin(2)

    play.make(3)

    (request,) = recorder.requests
    assert isinstance(request, SummaryRequest)
    assert [passage.pinned for passage in request.passages] == [False, True, False]


def test_earlier_summaries_are_context_and_no_source(store: Store) -> None:
    play, recorder = recorded(store)
    play.make(3)
    play.make(6)

    _, request = recorder.requests
    assert isinstance(request, SummaryRequest)
    assert request.earlier == (play.summaries()[0].text,)
    assert [passage.text for passage in request.passages] == [text(4), text(5), text(6)]


commands = st.lists(
    st.tuples(
        st.sampled_from("recap hide unhide alternative regenerate repair fork".split()),
        st.integers(0, 39),
    ),
    max_size=14,
)


@settings(max_examples=15)
@given(commands)
def test_whatever_happened_the_sources_of_what_is_in_use_were_read(
    chosen: list[tuple[str, int]],
) -> None:
    play, recorder = recorded(MemoryStore())
    for step, (name, number) in enumerate(chosen):
        perform(play, name, number, step)
        prove(play, recorder)

    assert "SECRET" not in everything_asked(recorder)


def perform(play: Play, name: str, number: int, step: int) -> None:
    order = str(1 + number)
    used = [view.id for view in play.summaries()]
    if name == "recap":
        play.recap(merge=number % 2 == 0)
    elif name == "hide":
        turns.add_alternative(play.engine, play.place, order, f"SECRET {step} {'la ' * 30}")
        play.hide(1 + number)
    elif name == "unhide":
        turns.choose(play.engine, play.place, order, 1)
        play.unhide(1 + number)
    elif name == "alternative":
        turns.choose(play.engine, play.place, order, 1)
        turns.add_alternative(play.engine, play.place, order, text(1000 + step))
    elif name == "regenerate" and used:
        asyncio.run(summaries.regenerate(play.engine, play.place, used[number % len(used)]))
    elif name == "repair":
        asyncio.run(repairing.repair(play.engine, play.place))
    elif name == "fork":
        play.fork(40)
