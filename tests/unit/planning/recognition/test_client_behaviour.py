"""Clients made from a model of what players do: the same rules hold as for recorded ones."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.planning.recognition.shelf import Shelf

from foreword.domain.client_message import ClientMessage
from foreword.domain.turn import Role
from foreword.planning.recognition.forwarding import Covered, plan_forwarding
from foreword.planning.recognition.result import Place, Recognition

WORDS = (
    "rain lamp stair ledger harbour bell seal packet glass rope moth tide window copper bread "
    "market orchard foundry whistle compass shutter gull lantern archive crate knife"
).split()
ACTIONS = (
    "send send send send send swipe swipe edit cut hide unhide trim branch other continue quiet "
    "retype injection"
).split()

TAILS = {"quiet": "Sum up the scene in one line.", "continue": "[Continue your last message.]"}
"""What a client puts behind a chat when it asks for something else than the next line."""
SMALL = 6
"""Messages from which on a chat is taken apart."""


@dataclass(eq=False)
class Chat:
    """One chat as its client holds it."""

    name: str
    told: list[tuple[Role, str]]
    hidden: set[int] = field(default_factory=set)
    window: int = 0
    """So many of the newest messages are sent; 0 for all."""

    def sent(self) -> list[ClientMessage]:
        """Return what goes out of the history."""
        seen = [
            ClientMessage(role=role, text=text)
            for at, (role, text) in enumerate(self.told)
            if at not in self.hidden
        ]
        return seen[-self.window :] if self.window else seen


class Player:
    """Plays several chats with one character, all of which begin alike."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.shelf = Shelf()
        self.opening = [(Role.ASSISTANT, self.words(12)), (Role.USER, self.words(9))]
        self.chats = [Chat(name="0", told=list(self.opening))]
        self.chat = self.chats[0]
        self.note = ""
        self.said = 0

    def words(self, count: int) -> str:
        return " ".join(self.random.choice(WORDS) for _ in range(count)) + "."

    def request(self, tail: str = "") -> tuple[list[ClientMessage], Recognition, int]:
        """Send the chat as it is, with a note at depth two."""
        body = self.chat.sent()
        if self.note and len(body) > 2:
            body.insert(-2, ClientMessage(role=Role.SYSTEM, text=self.note))
        head = ClientMessage(role=Role.SYSTEM, text="You write the keeper of the archive.")
        end = [ClientMessage(role=Role.SYSTEM, text=tail)] if tail else []
        messages = [head, *body, *end]
        found, branch = self.shelf.request(messages)
        return messages, found, branch

    def answer(self, branch: int) -> str:
        """Have the model say something that only this chat knows."""
        self.said += 1
        text = f"Canary{self.chat.name}x{self.said} {self.words(12)}"
        self.shelf.answer(branch, text)
        return text

    def act(self, action: str) -> tuple[list[ClientMessage], Recognition, int]:
        """Do what a player does, and send what the client sends then."""
        self.change(action)
        told = self.chat.told
        if told[-1][0] is Role.ASSISTANT and action in TAILS:
            result = self.request(TAILS[action])
            answer = self.answer(result[2])
            if action == "continue":
                told[-1] = (Role.ASSISTANT, f"{told[-1][1]} {answer}")
            return result
        if told[-1][0] is Role.ASSISTANT and action == "swipe":
            told.pop()
        elif told[-1][0] is Role.ASSISTANT:
            told.append((Role.USER, self.words(self.random.choice([1, 2, 9]))))
        result = self.request()
        told.append((Role.ASSISTANT, self.answer(result[2])))
        return result

    def change(self, action: str) -> None:
        """Change the chat, or take up another."""
        chat, told = self.chat, self.chat.told
        at = self.random.randrange(len(told))
        match action:
            case "injection":
                self.note = "" if self.note else f"[{self.words(8)}]"
            case "edit":
                told[at] = (told[at][0], f"{told[at][1]} {self.words(2)}")
            case "cut" if len(told) > SMALL:
                del told[at]
                chat.hidden.clear()
            case "hide":
                chat.hidden = set(range(min(at, len(told) - 3)))
            case "unhide":
                chat.hidden.clear()
            case "trim":
                chat.window = 0 if chat.window else 7
            case "branch" if len(told) > SMALL:
                self.take(Chat(name=chat.name, told=told[: at + 2]))
            case "other":
                new = Chat(name=str(len(self.chats)), told=list(self.opening))
                self.take(self.random.choice([*self.chats, new]))
            case "retype" if len(told) > SMALL and told[-1][0] is Role.ASSISTANT:
                del told[-2:]

    def take(self, chat: Chat) -> None:
        """Go on in a chat."""
        self.chat = chat
        if chat not in self.chats:
            self.chats.append(chat)


def canaries(text: str) -> set[str]:
    """Return the chats whose answers a text holds."""
    return {word.split("x")[0] for word in text.split() if word.startswith("canary")}


@settings(max_examples=25)
@given(seed=st.integers(0, 2**32 - 1), actions=st.lists(st.sampled_from(ACTIONS), max_size=40))
def test_no_summary_of_one_chat_reaches_another(seed: int, actions: list[str]) -> None:
    player = Player(seed)
    for action in ("send", *actions):
        before = dict(player.shelf.branches)
        messages, found, _ = player.act(action)
        if found.branch is None:
            continue
        turns = [turn for turn in before[found.branch.branch].turns if not turn.hidden]
        cover = [
            Covered(turns=tuple(turn.id for turn in turns[at : at + 3]), tokens=1)
            for at in range(0, max(0, len(turns) - 3), 3)
        ]
        plan = plan_forwarding(messages, found, cover, tokens=[1] * len(messages), limit=None)
        forms = {turn.id: turn.text.form for turn in turns}
        used = " ".join(forms[turn] for at in plan.summaries for turn in cover[at].turns)
        mine = " ".join(text.casefold() for _, text in player.chat.told)
        assert canaries(used) <= canaries(mine), action


@settings(max_examples=25)
@given(seed=st.integers(0, 2**32 - 1), actions=st.lists(st.sampled_from(ACTIONS), max_size=40))
def test_whatever_players_do_the_request_goes_on_whole(seed: int, actions: list[str]) -> None:
    player = Player(seed)
    for action in ("send", *actions):
        messages, found, _ = player.act(action)
        assert len(found.places) == len(messages)
        assert found.places[0] is Place.HEAD
        assert found.newest is not None
        assert found.places[found.newest] in (Place.TURN, Place.NEW)
        noted = [at for at, one in enumerate(messages) if one.text == player.note and at]
        assert not any(found.places[at] is Place.HEAD for at in noted)


@settings(max_examples=25)
@given(seed=st.integers(0, 2**32 - 1), sends=st.integers(1, 30), note=st.booleans())
def test_a_chat_that_only_goes_on_is_stored_as_it_is(seed: int, sends: int, note: bool) -> None:
    player = Player(seed)
    player.note = "[The keeper is tired tonight and says little.]" if note else ""
    branch = 0
    for _ in range(sends):
        _, _, branch = player.act("send")
    stored = [turn.text.form for turn in player.shelf.branches[branch].turns]
    assert stored == [text.casefold() for _, text in player.chat.told]
