"""Names that nothing the model read has are found; forms of known ones pass."""

import pytest
from tests.unit.quality.lexical import AGENT, BOT, CHINESE, GERMAN, TOWER, USER, draft, source

from foreword.quality.findings import Gate, Source
from foreword.quality.names import check

RUSSIAN = source(
    (USER, "Анна", "Анна вошла в дом и увидела, что Борис уже зажёг лампу."),
    (BOT, "Рассказчик", "Борис отдал ей ключ, и Анна ушла к морю."),
)


@pytest.mark.parametrize(
    ("text", "of", "soft"),
    [
        ("Elspeth climbs the tower. Tobin refuses the key, and Elspeth goes to Oda.", TOWER, False),
        ("The thief Brannoch asks Oda for the key. Oda tells Brannoch to wait.", TOWER, False),
        ("In the tower a man named Kestrel waits for the key.", TOWER, False),
        ("Mara met Brannoch, Ysolde and Kestrel in the Grey Tower.", TOWER, False),
        ("Mara asks Tobin for the key in the Grey Tower of Ravenholm.", TOWER, True),
        ("Marek ging zum Tor. Marek fragte Falk nach dem Schlüssel, und er ist nicht da.",
         GERMAN, False),
        ("В доме Сергей зажёг лампу, и Анна отдала ключ. Потом Анна и Сергей ушли.",
         RUSSIAN, False),
    ],
)  # fmt: skip
def test_an_unknown_name_is_found(text: str, of: Source, soft: bool) -> None:
    finding = check(draft(text), of)
    assert finding is not None
    assert (finding.gate, finding.soft, len(finding.detail) <= 120) == (
        Gate.UNKNOWN_NAMES,
        soft,
        True,
    )


@pytest.mark.parametrize(
    ("text", "of"),
    [
        ("Mara's key is with Tobin. Later, the Captain kept the gate; Lady Mara waited.", TOWER),
        ("**Characters:** Mara, Tobin\n## Open Threads\nMARA must ask ODA.\n**Places**\n", TOWER),
        ("GreyTower: Mara and Màra and the Grey-Tower. On Monday Captain O. waits.", TOWER),
        ("Falks Tor ist zu. Lena wartet auf der Brücke, denn Lenas Schlüssel fehlt.", GERMAN),
        ("Анна взяла у Бориса ключ и ушла. Борису и Анне было грустно.", RUSSIAN),
        ("Anna gave Boris the key.", source((USER, "", "a b"), context="Anna and Boris are kin")),
        ("The user asked for tests; Tove got a fix in Tides.py for the API.", AGENT),
        ("老陈没有点灯。", CHINESE),
        ("", TOWER),
        ("Tobin waits.", source(blocks=("Tobin waits for Mara.",))),
    ],
)
def test_known_names_pass_in_every_form(text: str, of: Source) -> None:
    finding = check(draft(text), of)
    assert finding is None


def test_a_capital_word_that_opens_several_sentences_is_a_name() -> None:
    text = "Brannoch waits in the rain. Brannoch asks Tobin. Brannoch leaves."
    finding = check(draft(text), TOWER)
    assert finding is not None
    assert not finding.soft
