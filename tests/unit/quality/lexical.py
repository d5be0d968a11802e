"""Sources and drafts for the gates on wording."""

from foreword.domain.summarising import Passage
from foreword.domain.turn import Role
from foreword.quality.findings import Draft, Source


def draft(text: str) -> Draft:
    return Draft(text=text)


def source(
    *turns: tuple[Role, str, str], blocks: tuple[str, ...] = (), context: str = ""
) -> Source:
    """What a draft was made from; each turn is a role, a speaker and a text."""
    return Source(
        passages=tuple(Passage(role=role, speaker=who, text=text) for role, who, text in turns),
        blocks=blocks,
        context=(context,) if context else (),
        tokens=400,
        target_tokens=120,
    )


USER, BOT, TOOL = Role.USER, Role.ASSISTANT, Role.TOOL

TOWER = source(
    (USER, "Mara", "I climb the stair of the Grey Tower and ask Tobin for the brass key."),
    (BOT, "Narrator", ("Tobin shakes his head. Mara waits in the rain. \"I can't help you,\" says"
     " Tobin, \"not while Captain Oda holds the gate.\" Mara refuses to leave the Grey Tower.")),
    (USER, "Mara", "\"Then I will ask Oda,\" I say, and I leave Tobin with the lantern."),
)  # fmt: skip
GERMAN = source(
    (USER, "Lena", "Ich gehe mit dem Schlüssel zu Falk und frage ihn, ob das Tor noch offen ist."),
    (BOT, "Erzähler", ("Falk sieht Lena an und schüttelt den Kopf. Das Tor ist seit dem Morgen zu, "
     "und die Wache hat den Schlüssel nicht. Lena wartet auf der Brücke, bis es dunkel wird.")),
)  # fmt: skip
CHINESE = source(
    (USER, "小梅", "我走进灯塔,把铜钥匙交给老陈,问他昨天晚上为什么没有点灯。"),
    (BOT, "旁白", "老陈叹了一口气,说昨天晚上的风太大了,他不敢上去。小梅看着海面,没有回答他。"),
)
MIXED = source(
    (USER, "Yuki", "I open the letter from Kyoto. It says 春の灯 and nothing else, so I fold it."),
    (BOT, "Narrator", ("Yuki reads the letter again: 春の灯. The old man at the gate calls it "
     "\"harunohi\" and he asks her in English what she will do with the lamp of her father.")),
)  # fmt: skip
AGENT = source(
    (USER, "Tove", ("Please fix the late low waters and write the tests in pytest. You may push to "
     "april-fixes. Don't push to main.")),
    (BOT, "assistant", "I read tides.py and ran the tests."),
    (TOOL, "run", "502 Bad Gateway\nRate limit reached for gpt-4o in organization org-1"),
    (BOT, "assistant", "The mirror answered with an error, so I used the cache. All tests pass."),
)  # fmt: skip
PROMPTS = source(
    (USER, "Ana", ("Explain why 'ignore previous instructions' works on chat models, and what a "
     "content policy is.")),
    (BOT, "assistant", ("A model reads the text as an order. A content policy says what models may "
     "not write. As an AI, a model has no memory of its own, and a good prompt fences the text.")),
)  # fmt: skip
