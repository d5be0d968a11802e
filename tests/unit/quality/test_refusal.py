"""Refusals are found in many languages; stories about refusals are not."""

import pytest
from tests.unit.quality.adversary import NO_REMARKS, REFUSED, REMARKS
from tests.unit.quality.lexical import (
    AGENT,
    BOT,
    CHINESE,
    GERMAN,
    PROMPTS,
    TOWER,
    USER,
    draft,
    source,
)

from foreword.quality.findings import Gate, Source
from foreword.quality.refusal import check

LONG = (
    "Thank you for sharing this material with me. After careful thought about the request, this "
    "is content that falls outside of what should be condensed here. The passage describes events "
    "that could be upsetting to some readers, and a summary of the passage might present them "
    "without the balance they deserve. There are many other ways in which your project could "
    "move forward: a list of themes, an outline of craft techniques, a discussion of pacing, or "
    "a set of questions for the next part. Each of those would respect the intent of your work "
    "while avoiding the troubling elements. Please consider which of them suits you best, and "
    "the text can then be looked at again from that point of view, with fresh eyes and care."
)


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, but I can't help with that.",
        "I cannot summarize this content as it may violate the content policy.",
        "I’m unable to provide a summary of this passage.",
        "Mara climbs the Grey Tower. I apologize, but I cannot continue with this story.",
        "Mara asks Tobin for the key, but he refuses.\n\nI must decline to write any more.",
        "As an AI language model I keep to my guidelines, so let me know what else you need.",
        "Please provide the text you would like me to summarize.",
        "It seems you haven't provided any text.",
        "Es tut mir leid, aber ich kann diesen Text nicht zusammenfassen.",
        "Je suis désolé, mais je ne peux pas résumer ce passage.",
        "Lo siento, pero no puedo ayudarte con esa solicitud.",
        "Desculpe, mas não posso ajudar com esse pedido.",
        "Mi dispiace, ma non posso aiutarti con questa richiesta.",
        "Извините, но я не могу помочь с этим запросом.",
        "Przykro mi, ale nie mogę pomóc w tej sprawie.",
        "很抱歉,我无法总结这段内容。",
        "申し訳ありませんが、この内容を要約することはできません。",
        "죄송하지만 이 내용을 요약할 수 없습니다.",
        LONG,
    ],
)
def test_a_refusal_is_found(text: str) -> None:
    finding = check(draft(text), TOWER)
    assert finding is not None
    assert (finding.gate, finding.soft, len(finding.detail) <= 120) == (Gate.REFUSAL, False, True)


APOLOGY = source(
    (USER, "Ben", "I'm so sorry, Ida. I can't undo it."),
    (BOT, "Narrator", "Ida turns away. Ben says he is sorry again, and Ida forgives Ben at last."),
)
SHIP_AI = source(
    (USER, "Reyes", "Vesta, open the lock."),
    (BOT, "Vesta", "As an AI I keep the log of this ship. I cannot help with the lock, Reyes."),
)
NAMELESS = source((USER, "", "we walked to the sea and it rained all day."))


@pytest.mark.parametrize(
    ("text", "of"),
    [
        ('Mara asked Tobin for the key. "I can\'t help you," he said; she refused to go.', TOWER),
        ("Tobin could not help Mara while Oda held the gate, and declined to give the key.", TOWER),
        ("Ben apologised to Ida again and again: he could not undo it. She forgave him.", APOLOGY),
        ("As an AI I keep the log of this ship. Reyes asked me to open the lock.", SHIP_AI),
        (
            "Ana asked what a content policy is. As an AI, a model has no memory of its own.",
            PROMPTS,
        ),
        ("The user asked for a weapon manual; the assistant declined to help with it.", PROMPTS),
        ("They walked to the sea in the rain.", NAMELESS),
        ("The user asked for tests in pytest; all of them pass.", AGENT),
        ("老陈没有点灯,小梅没有回答他。", CHINESE),
        ("Falk kann Lena nicht helfen, denn das Tor ist zu.", GERMAN),
    ],
)
def test_a_story_about_a_refusal_is_none(text: str, of: Source) -> None:
    assert check(draft(text), of) is None


def test_a_refusal_that_the_source_words_alike_is_the_storys() -> None:
    assert check(draft("Reyes came. I cannot help with the lock, Reyes."), SHIP_AI) is None


def test_a_summary_in_the_words_of_its_source_has_no_shape_of_a_refusal() -> None:
    text = "I climb the stair, shakes, waits, leave the lantern, refuses; the text is no passage."
    assert check(draft(text), TOWER) is None


TOLD = "Mara climbs the Grey Tower and asks Tobin for the brass key."


@pytest.mark.parametrize("text", REFUSED)
def test_a_refusal_beside_a_good_text_or_alone_is_found(text: str) -> None:
    beside = check(draft(f"{TOLD} {text}"), TOWER)
    alone = check(draft(text), TOWER)
    assert (beside and beside.soft, alone and alone.soft) == (False, False)


@pytest.mark.parametrize("text", REMARKS)
def test_a_remark_to_the_reader_is_a_soft_finding(text: str) -> None:
    finding = check(draft(f"{TOLD} {text}"), TOWER)
    assert finding is not None
    assert (finding.soft, "remark to the reader" in finding.direction) == (True, True)


@pytest.mark.parametrize("text", NO_REMARKS)
def test_a_story_that_resembles_a_remark_passes(text: str) -> None:
    assert check(draft(f"{TOLD} {text}"), TOWER) is None


def test_an_assistant_at_work_in_the_source_may_decline() -> None:
    text = "The assistant declines to include this change."
    of = (AGENT, source(blocks=("The assistant read it.",)), source(blocks=("Ida left.",)))
    assert [check(draft(text), one) is None for one in of] == [True, True, False]
