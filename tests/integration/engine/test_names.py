"""Who is named in a prompt, and what that costs."""

from tests.integration.engine.play import Play, start

from foreword.domain.turn import MESSAGE_OVERHEAD, Role
from foreword.engine import conversations, prompting, turns
from foreword.ports.store import Store
from foreword.testing.engines import engine_on


def guests(store: Store) -> Play:
    play = start(engine_on(store), char="Mira", user="Ben")
    for speaker in ("Mira", "Old Tam"):
        turns.append(play.engine, play.place, "Hello.", role=Role.ASSISTANT, speaker=speaker)
    return play


def test_guests_are_named_and_the_character_is_not(store: Store) -> None:
    assert guests(store).sent() == ["Hello.", "Old Tam: Hello."]


def test_other_names_in_the_settings_change_no_message_and_no_cost(store: Store) -> None:
    play = guests(store)
    before = prompting.prompt(play.engine, play.place)
    conversations.change_setting(play.engine, "char", "Nib", play.place.conversation)
    after = prompting.prompt(play.engine, play.place)

    assert after.messages == before.messages
    count = play.engine.counter.count
    cost = sum(count(message.content) + MESSAGE_OVERHEAD for message in after.messages)
    assert after.plan.tokens == cost


def test_a_turn_is_named_by_the_settings_of_its_time(store: Store) -> None:
    play = guests(store)
    conversations.change_setting(play.engine, "char", "Old Tam", play.place.conversation)
    turns.append(play.engine, play.place, "Bye.", role=Role.ASSISTANT, speaker="Old Tam")

    assert play.sent()[-1] == "Bye."
