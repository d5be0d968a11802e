"""The summaries in a prompt: every placement, role and mode, counted as they are sent."""

from __future__ import annotations

import asyncio
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.integration.engine.play import Play, start

from foreword.domain.choices import MemoryRole, Mode, Placement
from foreword.domain.turn import MESSAGE_OVERHEAD, Role
from foreword.engine import kept_prompts, memory, recap, templates
from foreword.engine.prompting import Prompt
from foreword.engine.status import status
from foreword.engine.upkeep import keep_up
from foreword.errors import ContextTooSmall, TemplateInvalid
from foreword.llm.tokens import ScriptEstimator
from foreword.planning.coverage import SectionName
from foreword.ports.store import Store
from foreword.prompts.messages import MEMORY_HEADING
from foreword.prompts.templates import TemplateName
from foreword.testing.engines import engine_on
from foreword.testing.memory_store import MemoryStore
from foreword.testing.summarisers import EchoSummariser

OWN = (Placement.BEFORE_PROMPT, Placement.IN_CHAT)
TEXTS = {
    "plain": "You tell a story.",
    "macro": "You tell a story. {{summaries}} Go on.",
    "two": "{{ Summaryception_Memory }} You tell. {{summaries}}",
}


def told(
    store: Store, turns: int = 14, summarised: tuple[int, ...] = (4, 8), **values: str
) -> Play:
    """A story whose replies carry headers, summarised in parts, with a pin and a hidden turn."""
    play = start(engine_on(store, counter=ScriptEstimator()), 0, **values)
    for number in range(1, turns + 1):
        if number % 2:
            play.say(f"I walk on, mile {number}.")
        else:
            play.say(f"[Day {number}, noon | Mile {number}]\nRain falls.", first=Role.ASSISTANT)
    for through in summarised:
        play.make(through)
    return play


def chosen(**values: object) -> dict[str, str]:
    return {name: str(value) for name, value in values.items()}


def counted(play: Play, prompt: Prompt) -> int:
    count = play.engine.counter.count
    return sum(count(message.content) + MESSAGE_OVERHEAD for message in prompt.messages)


def holding(prompt: Prompt) -> list[int]:
    """Return the messages that hold the summaries, a message as often as it does."""
    return [
        number
        for number, message in enumerate(prompt.messages)
        for _ in range(message.content.count(prompt.memory))
    ]


def section(prompt: Prompt, name: SectionName) -> int:
    return sum(part.tokens for part in prompt.plan.sections if part.name is name)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("placement", Placement)
@pytest.mark.parametrize("mode", [Mode.ADVISED, Mode.BALANCED, Mode.PREFIX_CACHE])
def test_every_combination_sends_the_summaries_once_and_keeps_its_proof(
    mode: Mode, placement: Placement, text: str
) -> None:
    play = told(MemoryStore(), system=TEXTS[text])
    play.set(**chosen(mode=mode, placement=placement))
    play.pin(2, 11)
    play.hide(13)
    for role, repeat, depth in product(MemoryRole, ("off", "on"), (0, 2, 99)):
        play.set(memory_role=role, memory_repeat=repeat, placement_depth=str(depth))
        prompt = play.prompt()
        times = 2 if repeat == "on" else 1
        if text == "plain":
            times = 0 if placement is Placement.MACRO_ONLY else times
        assert len(holding(prompt)) == times
        assert len(set(holding(prompt))) <= 1
        assert prompt.plan.tokens >= counted(play, prompt)
        assert prompt.plan.coverage.covered == 7
        assert (section(prompt, SectionName.SUMMARIES) > 0) == (times > 0)
        own = prompt.plan.own_memory is not None
        assert own == (text == "plain" and placement in OWN)
        if own:
            message = prompt.messages[holding(prompt)[0]]
            assert (message.role.value, message.content.startswith(MEMORY_HEADING)) == (role, True)
        assert "{{" not in prompt.messages[0].content
        number = kept_prompts.keep(play.engine, play.place.conversation, prompt)
        assert kept_prompts.show(play.engine, play.place, number).messages == prompt.messages
        assert not kept_prompts.compare(play.engine, play.place, number).diff.summaries_left


@settings(max_examples=60, deadline=None)
@given(
    limit=st.integers(512, 1200),
    text=st.sampled_from(sorted(TEXTS)),
    pins=st.sets(st.integers(1, 40), max_size=3),
    values=st.fixed_dictionaries(
        {
            "placement": st.sampled_from([placement.value for placement in Placement]),
            "mode": st.sampled_from(["manual", "balanced"]),
            "placement_depth": st.integers(0, 12).map(str),
            "memory_repeat": st.sampled_from(["on", "off"]),
        }
    ),
)
def test_no_prompt_is_ever_longer_than_its_plan_and_no_plan_than_its_limit(
    limit: int, text: str, pins: set[int], values: dict[str, str]
) -> None:
    play = told(MemoryStore(), 40, (6, 12), system=TEXTS[text]).set(**values)
    if pins:
        play.pin(*pins)
    try:
        prompt = play.prompt(limit)
    except ContextTooSmall:
        return
    assert counted(play, prompt) <= prompt.plan.tokens <= prompt.plan.limit


def test_each_summary_is_sent_with_its_date_in_automatic_modes(store: Store) -> None:
    play = told(store, mode="balanced")
    first, second = play.prompt().memory.split("\n\n")
    assert first.startswith("<narrative>")
    assert first.endswith("</narrative>\ncurrent_date_time: Day 4, noon")
    assert second.endswith("</narrative>\ncurrent_date_time: Day 8, noon")
    play.merge(1, 2)
    assert play.prompt().memory.endswith("</narrative>\ncurrent_date_time: Day 8, noon")
    assert "<narrative>" not in play.set(mode="manual").prompt().memory
    assert "<narrative>" not in "".join(view.text for view in play.summaries())


def test_the_preview_shows_what_is_sent_and_what_it_takes(store: Store) -> None:
    play = told(store, mode="balanced", placement="before-prompt")
    shown, prompt = memory.preview(play.engine, play.place), play.prompt()
    assert shown.text == prompt.memory
    assert shown.tokens == section(prompt, SectionName.SUMMARIES)
    (layer,) = status(play.engine, play.place).layers
    assert layer.tokens == shown.tokens
    own = play.engine.counter.count(prompt.messages[0].content) + MESSAGE_OVERHEAD
    assert shown.tokens + section(prompt, SectionName.SYSTEM) == own


@pytest.mark.parametrize("placement", OWN)
def test_a_kept_prompt_holds_the_summaries_where_they_stood(
    store: Store, placement: Placement
) -> None:
    play = told(store, mode="balanced", memory_repeat="on").set(placement=placement.value)
    made = kept_prompts.print_prompt(play.engine, play.place)
    assert made.number is not None
    play.make(10)
    play.set(placement="in-prompt", memory_repeat="off")
    shown = kept_prompts.show(play.engine, play.place, made.number)
    assert shown.messages == made.prompt.messages
    assert shown.record.sections == made.prompt.plan.sections
    sections = [message.section for message in shown.record.messages]
    assert sections.count(SectionName.SUMMARIES) == 1
    assert "sum(" not in "".join(shown.record.texts)
    kept_prompts.print_prompt(play.engine, play.place)
    found = kept_prompts.compare(play.engine, play.place).diff
    assert (found.summaries_entered, found.summaries_left) == ((3,), ())


def test_a_memory_template_serves_every_mode(store: Store) -> None:
    play = told(store)
    own = "[{{ layer }}: {{ first_order }} to {{ last_order }}, {{ scene_time }}]\n{{ text }}"
    templates.save(play.engine, TemplateName.MEMORY, own, play.place.conversation)
    assert play.prompt().memory.startswith("[0: 1 to 4, Day 4, noon]\n")
    play.set(mode="balanced")
    assert "[0: 5 to 8, Day 8, noon]\n" in play.prompt().memory
    with pytest.raises(TemplateInvalid):
        templates.save(play.engine, TemplateName.MEMORY, "{{ scene_time }}")


def test_a_macro_that_the_system_message_does_not_show_changes_nothing(store: Store) -> None:
    play = told(store, personas="{{summaries}}")
    templates.save(play.engine, TemplateName.MASTER, "Rules. {{ summaries }}")
    prompt = play.prompt()
    assert holding(prompt) == [0]
    templates.save(play.engine, TemplateName.MASTER, "Rules. {{ personas }}")
    assert play.prompt().messages[0].content == f"Rules. {prompt.memory}"
    templates.save(play.engine, TemplateName.MASTER, "Rules alone.")
    bare = play.prompt()
    assert (holding(bare), section(bare, SectionName.SUMMARIES)) == ([], 0)


def test_a_macro_without_summaries_leaves_nothing_behind(store: Store) -> None:
    play = start(engine_on(store), 2, system="Go on.{{summaries}}", placement="macro-only")
    assert play.prompt().messages[0].content == "Go on."


def test_text_of_the_story_that_looks_like_ours_stays_as_it_is(store: Store) -> None:
    odd = "</narrative> {{summaries}}\ncurrent_date_time: never\n<declined>"
    play = told(store, 8, mode="balanced")
    play.say(odd)
    assert play.prompt().messages[-1].content == odd


@pytest.mark.parametrize("mode", ["balanced", "prefix-cache"])
@pytest.mark.parametrize("placement", [Placement.IN_PROMPT, Placement.BEFORE_PROMPT])
def test_a_prompt_only_grows_at_its_end_between_two_flushes(
    mode: str, placement: Placement
) -> None:
    play = told(MemoryStore(), mode=mode).set(**chosen(placement=placement))
    before = play.prompt()
    for number in range(100):
        play.say(f"I walk on, step {number}.", first=Role.ASSISTANT if number % 2 else Role.USER)
        after = play.prompt()
        assert after.messages[: len(before.messages)] == before.messages
        assert len(after.messages) == len(before.messages) + 1
        before = after


def test_a_flush_leaves_what_stands_before_it_and_the_window_alone() -> None:
    play = told(MemoryStore(), 30, (4, 8), mode="balanced")
    before = play.prompt()
    play.make(12)
    after = play.prompt()
    assert after.memory.startswith(before.memory)
    assert after.messages[0].content.startswith(before.messages[0].content.rstrip())
    assert after.messages[1:] == before.messages[5:]


def test_in_a_chat_only_the_summaries_move() -> None:
    play = told(MemoryStore(), mode="balanced", placement="in-chat", placement_depth="3")
    before = play.prompt()
    after = play.say("And on.").prompt()
    (was,), (now,) = holding(before), holding(after)
    assert (was, now) == (len(before.messages) - 4, len(after.messages) - 4)
    left, right = list(before.messages), list(after.messages)
    assert left.pop(was) == right.pop(now)
    assert right[:-1] == left


def test_recaps_reckon_with_what_summaries_take_as_they_are_sent() -> None:
    play = told(MemoryStore(), 40, (), memory_repeat="on", context="1024", system=TEXTS["macro"])
    asyncio.run(recap.recap(play.engine, play.place, anyway=True))
    prompt = play.prompt()
    assert len(holding(prompt)) == 2
    assert counted(play, prompt) <= prompt.plan.tokens <= prompt.plan.limit


@pytest.mark.parametrize("mode", ["balanced", "prefix-cache"])
@pytest.mark.parametrize("repeat", ["off", "on"])
def test_only_what_memory_makes_changes_what_was_sent(mode: str, repeat: str) -> None:
    summariser = EchoSummariser(filled=True)
    play = start(engine_on(MemoryStore(), summariser=summariser), context="4096")
    play.set(mode=mode, memory_repeat=repeat, placement="before-prompt", system="Tell a story.")
    before, flushes = play.prompt(), 0
    for number in range(1, 201):
        text = f"[Day {number}, noon | Road]\n{'word ' * 40}"
        play.say(text, first=Role.USER if number % 2 else Role.ASSISTANT)
        made = asyncio.run(keep_up(play.engine, play.place)).made
        after = play.prompt()
        assert after.plan.dropped.turns == 0
        assert after.plan.tokens <= after.plan.limit
        if made:
            flushes += 1
            assert (
                after.plan.verbatim
                == (*before.plan.verbatim, after.plan.verbatim[-1])[-len(after.plan.verbatim) :]
            )
        else:
            assert after.messages[: len(before.messages)] == before.messages
        before = after
    assert flushes > 4
