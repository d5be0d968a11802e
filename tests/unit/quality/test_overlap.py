"""Copies and continuations are found; quotations, refrains and diaries are not."""

# ruff: noqa: E501
# A case is kept on one line.

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.quality.real_text import TOLD, Told
from tests.unit.quality.stories import STORIES, source_of

from foreword.domain.turn import Role
from foreword.quality.findings import Draft, Finding, Gate, Source
from foreword.quality.overlap import check_continuation, check_echo

NAMED = {story.name: story for story in STORIES}
FERRY, GERMAN, POEM, SHORT = (NAMED[name] for name in ("english", "german", "poem", "short"))
_BLOCKS = (FERRY.summary, NAMED["mixed"].summary)
MERGE = Source(blocks=_BLOCKS, tokens=190, target_tokens=95)
DIARY = source_of(
    ("Ines", Role.USER, ("I woke before my brother and I took my boots in my hand. I could hear the "
     "rain and I knew that I would be late for my first day at the mill. I told myself not to run.")),
    ("Ines", Role.USER, ("I met Mr Roan at the gate. I gave him my letter and he gave me my number, "
     "which is forty. I did not like how he looked at my hands, but I said that I was glad.")),
)  # fmt: skip
SPAN = source_of(("Tom", Role.USER, "Tom opens the old green door."))
LORE = (
    "The Salt Gate is the only harbour of the northern shore that the guards leave open at night."
)
EXTRACT = (
    "Odile hands Bram eleven coins. Halfway across the mast cracks. Bram swears, wraps his belt "
    "around the split and steers by the lantern on the Salt Gate. Odile's sister Maren waits."
)


def _gate(found: Finding | None) -> Gate | None:
    return found.gate if found else None


def _labelled(source: Source) -> str:
    return "\n\n".join(f"{passage.speaker}: {passage.text}" for passage in source.passages)


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("\n".join(FERRY.source.texts), FERRY.source), (_labelled(FERRY.source), FERRY.source),
        ("Summary:\n" + _labelled(GERMAN.source), GERMAN.source),
        ("\n".join(NAMED["chinese"].source.texts), NAMED["chinese"].source),
        (" ".join(SHORT.source.texts).upper(), SHORT.source),
        (" ".join(NAMED["agent"].source.texts[:3]), NAMED["agent"].source),
        ("\n\n".join(_BLOCKS), MERGE), ("Recap. " + " ".join(_BLOCKS), MERGE),
        (FERRY.summary, replace(POEM.source, context=(FERRY.summary,))),
        (f"{LORE}", replace(FERRY.source, context=(LORE,))),
        (FERRY.summary + " Then they slept.", replace(POEM.source, context=("x", FERRY.summary))),
    ],
)  # fmt: skip
def test_a_copy_is_an_echo(text: str, source: Source) -> None:
    assert _gate(check_echo(Draft(text=text), source)) is Gate.ECHO


@pytest.mark.parametrize(
    ("text", "source"),
    [
        (FERRY.summary, FERRY.source), (POEM.summary, POEM.source), (SHORT.summary, SHORT.source),
        ("Tom opens the old green door.", SPAN), (EXTRACT, FERRY.source),
        (_BLOCKS[0][:200] + " Ken came for the blue box and promised to read the letter.", MERGE),
        (FERRY.summary, replace(FERRY.source, context=(LORE, POEM.summary))),
        ("", Source(tokens=0, target_tokens=10)),
        (("The same words stand here again and again until there are more than forty of them, yet "
         "no text at all was there to be copied by the one who wrote these many words, and no "
         "summary either, so that nothing can be said of it."), Source(tokens=0, target_tokens=10)),
        ((POEM.source.texts[0] + " ") * 2, replace(POEM.source, blocks=(POEM.source.texts[0],) * 2)),
    ],
)  # fmt: skip
def test_a_summary_with_words_of_its_source_is_no_echo(text: str, source: Source) -> None:
    assert check_echo(Draft(text=text), source) is None


@pytest.mark.parametrize(
    "text",
    [f"{SHORT.summary} " * 8, "Odile waits. " + "ha" * 2 + "a" * 300, "Bram rows and " * 60,
     "Bram pays Odile. " * 45 + "She went home then."],
)  # fmt: skip
def test_a_draft_that_got_stuck_is_an_echo(text: str) -> None:
    assert _gate(check_echo(Draft(text=text + FERRY.summary), FERRY.source)) is Gate.ECHO


SCENE = (
    '"Come closer to me," she whispers. "The guards change at midnight, and then we run for the hills."\n'
    "“Nobody leaves this room tonight,” he says. “Sit down and drink with me until the dawn comes.”"
)


@pytest.mark.parametrize("told", TOLD, ids=lambda told: told.name)
def test_a_scene_at_either_end_of_a_long_summary_is_a_continuation(told: Told) -> None:
    for text in (f"{told.summary}\n{SCENE}", f"{SCENE}\n{told.summary}"):
        assert _gate(check_continuation(Draft(text=text), told.source)) is Gate.CONTINUATION


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ('"Come closer," she whispers. "The guards change at midnight, then we run."', FERRY.source),
        ("„Komm näher zu mir“, flüstert sie. „Um Mitternacht wechseln die Wachen.“", GERMAN.source),
        ("«Approche-toi d'ici», dit-elle. «Les gardes changent à minuit.»", FERRY.source),
        ("「もっと近くに来てください」と彼女は言った。「夜明けに出発します」", NAMED["chinese"].source),
        ("*Bram grabs the oar and grins at you* Ready?", FERRY.source),
        (GERMAN.summary + "\n*Ich nehme deine Hand und lächle* Was machst du nun mit mir?", GERMAN.source),
        ('Bram: "Then hold on to the rope, girl."', FERRY.source),
        ("Tom: *hides the key under a loose stone*", SHORT.source),
        ("I take my hood off and I look at you, and my heart is in my mouth as I wait for you.", GERMAN.source),
        ('I hold on to you and I whisper "never let go of the rope", and my hands are cold.', GERMAN.source),
        ('"Come closer," she whispers. "The guards change at midnight, then we run."', MERGE),
        ("*Bram grabs the oar and grins at you* Ready?", MERGE),
        ('He waits and I see my sister. "We will never go home again," I say to you, my friend.', MERGE),
    ],
)  # fmt: skip
def test_the_next_turn_is_a_continuation(text: str, source: Source) -> None:
    assert _gate(check_continuation(Draft(text=text), source)) is Gate.CONTINUATION


@pytest.mark.parametrize(
    ("text", "source"),
    [
        *((story.summary, story.source) for story in STORIES),
        ('Bram refuses ("I will not cross in this wind") and then says: "Seven, and you bail."', FERRY.source),
        ("Voss bat um Verzeihung: „Jonas hat mich darum gebeten“.", GERMAN.source),
        ("Bram: paid seven coins, promised silence.", FERRY.source),
        ("Odile calls it *the crossing*. She never says why she needs the ledger.", FERRY.source),
        (("I woke before my brother, met Mr Roan at the gate and gave him my letter. I am number "
         "forty at the mill, and I told him that I was glad."), DIARY),
        ("Odile gave eleven coins, Bram, *bold as he was*, gave four back, and she had one word for it all the way over the water: \"ledger\".", FERRY.source),
        (_BLOCKS[0], MERGE), ('Bram said "I will not cross in this wind", then gave in.', MERGE),
        ("I see that my turn came, and I did as I was told by my brother for my own sake.", MERGE),
        ("", Source(tokens=0, target_tokens=10)),
    ],
)  # fmt: skip
def test_a_report_is_no_continuation(text: str, source: Source) -> None:
    assert check_continuation(Draft(text=text), source) is None
