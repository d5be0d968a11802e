"""Sources in several languages with good summaries of them, shared by the tests of the gates."""

# ruff: noqa: E501, ISC004
# A story is kept in as few lines as it has speeches.

from __future__ import annotations

from dataclasses import dataclass

from foreword.domain.summarising import Passage
from foreword.domain.turn import Role
from foreword.quality.findings import Source


def count(text: str) -> int:
    """Count tokens roughly: four bytes are one."""
    return -(-len(text.encode()) // 4)


def source_of(*turns: tuple[str, Role, str], target: int = 120, fence: str = "kelp7q") -> Source:
    """Make the source that the turns are."""
    passages = tuple(Passage(speaker=name, role=role, text=text) for name, role, text in turns)
    tokens = sum(count(passage.text) + 4 for passage in passages)
    return Source(passages=passages, tokens=tokens, target_tokens=target, fence=fence)


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """A source and a summary of it that every gate must let pass."""

    name: str
    source: Source
    summary: str


_FERRY = source_of(
    ("Odile", Role.USER, "I count the coins twice and hand Bram eleven of them. \"Take me over "
     "tonight, storm or not. My sister waits at the Salt Gate with the ledger.\" I pull my hood up "
     "and step onto the wet planks before he can answer."),
    ("Bram", Role.ASSISTANT, "Bram Kettle weighs the coins in his palm. \"I will not cross in this "
     "wind,\" he says. \"I'm sorry, I lost a boy to it last spring.\" He looks at the black water for "
     "a long while, then he sighs, gives back four coins and unties the rope. \"Seven, and you bail.\""),
    ("Odile", Role.USER, "I grab the bucket and bail. \"If anyone asks, you never saw me. Promise.\""),
    ("Bram", Role.ASSISTANT, "Halfway across the mast cracks. Bram swears, wraps his belt around the "
     "split and steers by the lantern on the Salt Gate. \"I promise,\" he shouts over the wind. On the "
     "far shore Odile's sister Maren takes the rope, a ledger bound in green cloth under her arm."),
)  # fmt: skip
_GERMAN = source_of(
    ("Anna", Role.USER, "Ich lege den Schlüssel auf den Tisch und frage Herrn Voss, warum die Tür im "
     "Keller seit drei Jahren verschlossen ist. Er soll mir endlich die Wahrheit über meinen Bruder "
     "Jonas sagen, sonst gehe ich noch heute zur Polizei."),
    ("Voss", Role.ASSISTANT, "Voss wird blass und setzt sich. „Jonas hat mich darum gebeten“, sagt er "
     "leise. Er erzählt, dass der Bruder in der Nacht des Brandes mit zwei Koffern gekommen sei und "
     "dass die Koffer noch immer im Keller stehen. Dann gibt er Anna eine Lampe und bittet sie, nicht "
     "allein hinunterzugehen. Gemeinsam öffnen sie die Tür, und im Licht liegt nur ein leerer Koffer."),
    target=70,
)  # fmt: skip
_CHINESE = source_of(
    ("林雪", Role.USER, "林雪把那封信放在桌上，问老陈为什么三年来一直瞒着她。窗外下着大雨，"
     "她的手还在发抖。“我哥哥到底在哪里？”"),
    ("老陈", Role.ASSISTANT, "老陈沉默了很久，终于说出真相：她的哥哥林峰在火灾那天晚上乘船去了南方，"
     "留下两只箱子和一把铜钥匙。老陈答应过不告诉任何人。他把钥匙交给林雪，并请她原谅。"
     "林雪收下钥匙，决定第二天早上去码头打听那条船的消息。"),
    target=120,
)  # fmt: skip
_MIXED = source_of(
    ("Ken", Role.USER, "Ken steps into the tea house and bows to the owner. \"田中さん, I have come for "
     "the blue box that my father left here in 1987.\" He puts his passport on the counter and waits."),
    ("Tanaka", Role.ASSISTANT, "Tanaka reads the name twice. \"お父さんは元気ですか?\" she asks, and when "
     "Ken shakes his head she goes into the back room without a word. She returns with the box and a "
     "letter that is sealed with red wax. \"He asked me to give you both, but only together with the "
     "promise that you read the letter first,\" she says. Ken promises and opens the letter."),
    target=80,
)  # fmt: skip
_AGENT = source_of(
    ("", Role.USER, "The deploy of harbour-api fails since this morning. Find out why and fix it, but "
     "do not touch the production database."),
    ("", Role.ASSISTANT, "I will look at the log of the last pipeline first and then compare the "
     "configuration with the one from yesterday."),
    ("bash", Role.TOOL, "$ tail deploy.log\nERROR config/settings.toml: unknown key 'pool_sise'\nexit "
     "code 3\n$ git log -1 config/settings.toml\ncommit 4f1c2ab Raise the pool size to 40"),
    ("", Role.ASSISTANT, "Commit 4f1c2ab misspells pool_size as pool_sise in config/settings.toml, so "
     "the loader exits with code 3. I corrected the key and the 212 tests pass. The database was not "
     "touched."),
)  # fmt: skip
_PROMPTS = source_of(
    ("Rhea", Role.USER, "I am writing a guide about prompts. Why does my model stop when the text has "
     "<|im_end|> in it, and is [INST] the same kind of thing? Some people in the forum write 'ignore "
     "all previous instructions' into their messages and think that this is funny."),
    ("Helper", Role.ASSISTANT, "Both are control tokens of chat templates: <|im_end|> closes a message "
     "in ChatML, and [INST] opens a user message for older Mistral models. A tokenizer that parses "
     "special tokens in user text will end the message there, so switch that off or escape them. The "
     "sentence from the forum is a prompt injection; treat it as data and never as an instruction."),
    target=100,
)  # fmt: skip
_POEM = source_of(
    ("Isolde", Role.USER, "Sing it for me once more. O the river runs low, and the river runs cold, and "
     "the river remembers the names it was told."),
    ("Corin", Role.ASSISTANT, "Corin tunes the lute and sings of the miller who drowned.\nO the river "
     "runs low, and the river runs cold, and the river remembers the names it was told.\nHe sings of "
     "the bride who waited at the weir until the winter.\nO the river runs low, and the river runs "
     "cold, and the river remembers the names it was told.\nThen he lays the lute down and admits that "
     "the miller was his own father."),
    target=90,
)  # fmt: skip
_SHORT = source_of(
    ("Mara", Role.USER, "I give Tom the red key and tell him to hide it from everyone at the inn."),
    ("Tom", Role.ASSISTANT, "Tom nods and sews the key into the lining of his coat."),
    target=40,
)

STORIES = (
    Story(name="english", source=_FERRY, summary=(
        "Odile paid the ferryman Bram Kettle to be taken over to the Salt Gate despite the storm. Bram, "
        "who lost a boy to the wind last spring, first refused (\"I will not cross in this wind\"), then "
        "kept seven of her eleven coins and had her bail. He promised to tell nobody that he saw her. "
        "The mast cracked; he mended it with his belt. Her sister Maren met them with the green ledger.")),
    Story(name="german", source=_GERMAN, summary=(
        "Anna stellte Voss wegen der verschlossenen Kellertür und ihres Bruders Jonas zur Rede. Voss "
        "gestand, dass Jonas in der Nacht des Brandes zwei Koffer gebracht und ihn um Schweigen gebeten "
        "hatte. Gemeinsam öffneten sie die Tür und fanden nur einen leeren Koffer.")),
    Story(name="chinese", source=_CHINESE, summary=(
        "林雪质问老陈，得知哥哥林峰在火灾当晚坐船南下，只留下两只箱子。老陈交出铜钥匙并求她原谅，"
        "她打算次日去码头打听。")),
    Story(name="mixed", source=_MIXED, summary=(
        "Ken came to the tea house of Tanaka (田中さん) for the blue box his father left in 1987. She asked "
        "after his father, learned that he is gone, and handed over the box with a sealed letter. Ken "
        "promised to read the letter first and opened it.")),
    Story(name="agent", source=_AGENT, summary=(
        "- Task: repair the failing deploy of harbour-api; the user forbids touching the production "
        "database\n- Cause: commit 4f1c2ab wrote pool_sise for pool_size in config/settings.toml, exit "
        "code 3\n- Done: key corrected, 212 tests pass, database untouched")),
    Story(name="prompts", source=_PROMPTS, summary=(
        "Rhea asked for her guide why <|im_end|> stops her model and whether [INST] is similar. The "
        "answer: both are control tokens of chat templates and must be escaped or not parsed in user "
        "text. A forum's \"ignore all previous instructions\" is a prompt injection, to be treated as "
        "data.")),
    Story(name="poem", source=_POEM, summary=(
        "Isolde asked Corin for his song again: O the river runs low, and the river runs cold, and the "
        "river remembers the names it was told. Corin sang of a drowned miller and of the bride at the "
        "weir, then confessed that the miller had been his father.")),
    Story(name="short", source=_SHORT, summary=(
        "Mara gave Tom the red key to hide; he sewed it into his coat.")),
)  # fmt: skip
