"""A draft is in a language and in scripts that its source has."""

import pytest
from tests.unit.quality.lexical import BOT, CHINESE, GERMAN, MIXED, TOWER, USER, draft, source

from foreword.quality.findings import Gate, Source
from foreword.quality.language import check, check_language, check_script

ENGLISH = "Mara climbs the Grey Tower in the rain and asks Tobin for the brass key, but he is not \
willing to give it to her while Oda is at the gate."
HAN = "玛拉在雨中爬上灰塔,向托宾要铜钥匙。他拒绝了她,因为奥达守着大门。"
DEUTSCH = "Lena geht mit dem Schlüssel zu Falk, aber das Tor ist zu und die Wache ist nicht da."
RUSSIAN = "Мара поднимается на башню и просит у Тобина медный ключ, но он не даёт его."
FRENCH = "Mara monte à la tour avec la lanterne et elle demande la clé à Tobin, qui ne veut pas la \
donner dans la nuit, et il est sur le point de partir avec une amie."


@pytest.mark.parametrize(
    ("text", "of", "gate", "soft"),
    [
        (HAN, TOWER, Gate.SCRIPT, False),
        (RUSSIAN, TOWER, Gate.SCRIPT, False),
        (ENGLISH, CHINESE, Gate.SCRIPT, False),
        (f"{ENGLISH} 他没有回答她。", TOWER, Gate.SCRIPT, False),
        (f"{ENGLISH} She waits 明明.", TOWER, Gate.SCRIPT, False),
        (f"{ENGLISH} She 的 waits.", TOWER, Gate.SCRIPT, True),
        (DEUTSCH, TOWER, Gate.LANGUAGE, False),
        (FRENCH, TOWER, Gate.LANGUAGE, False),
        (ENGLISH, GERMAN, Gate.LANGUAGE, False),
    ],
)
def test_a_foreign_language_or_script_is_found(
    text: str, of: Source, gate: Gate, soft: bool
) -> None:
    finding = check(draft(text), of)
    assert finding is not None
    assert (finding.gate, finding.soft, len(finding.detail) <= 130) == (gate, soft, True)


@pytest.mark.parametrize(
    ("text", "of"),
    [
        (ENGLISH, TOWER),
        (DEUTSCH, GERMAN),
        (HAN, CHINESE),
        ("小梅给了老陈 API 和 USB。", CHINESE),
        ("Yuki reads the letter, 春の灯, and the old man asks her what she will do.", MIXED),
        ("Mara waits.", GERMAN),
        ("Ok.", TOWER),
        (HAN, source((USER, "", "Go on."))),
        (ENGLISH, source((USER, "", "Weiter, bitte, und nicht so schnell wie gestern am Tor."))),
        (DEUTSCH, source((BOT, "", ENGLISH), (USER, "", DEUTSCH))),
    ],
)
def test_a_language_of_the_source_passes(text: str, of: Source) -> None:
    finding = check(draft(text), of)
    assert finding is None


def test_the_halves_can_be_asked_apart() -> None:
    assert check_script(draft(DEUTSCH), TOWER) is None
    assert check_language(draft(DEUTSCH), TOWER) is not None


def test_letters_of_an_unlisted_script_are_not_judged() -> None:
    assert check_script(draft(f"{ENGLISH} \U00010900\U00010901"), TOWER) is None
