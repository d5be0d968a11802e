"""Stories that read as people write them: told through, recapped, edited and forked."""

from __future__ import annotations

from tests.golden.telling import told, written
from tests.integration.engine.play import Play

from foreword.domain.turn import Role
from foreword.engine import turns
from foreword.engine.context import Engine

HARBOUR = """
I want to find out who took the ledger. Is the harbour master in?

The door is ajar. Inside, Benedikt Hale sits among ropes and lists nineteen boats by name. "The
ledger went on Tuesday," he says, "and the brass key with it."

Who had the key before that?

"Only Inga Okafor and I." He turns a cup upside down. Beneath it lies a receipt for 340 marks,
signed with a plain cross.

I take the receipt and go and look for Inga.

Inga Okafor mends a net on the north mole. She does not look up. "You found the receipt, then. I
paid him those 340 marks so that he would not write down the Heron."

What is the Heron?

"A boat without a light." She bites the thread off. "It comes on the third night of every month,
to the old salt stair, and it takes people out who have no papers."

I promise her to keep it quiet, and ask where the ledger is now.

"In the bell," she says at last. "Nobody rings the bell of Saint Anselm since the fire." She gives
you the brass key, warm from her hand.

I climb the tower at dusk.

There are a hundred and eight steps. Halfway up a board is missing. At the top the ledger hangs
inside the bell, wrapped in sailcloth, and a lantern is coming up the stairs behind you.

I hide behind the beam and hold my breath.

It is Benedikt. He puts the lantern down, looks at the empty hook and laughs, quite without joy.
"Come out," he says. "I know what she told you. My daughter left on the Heron."
""".strip()

TEAHOUSE = """
我把伞收好，推开茶馆的门。掌柜在吗？

掌柜林秋水从柜台后抬起头。“雨这么大，你还是来了。”她把一封信推过来，信封上写着“阿德里安”。

这封信是谁留下的？

“三天前，一个叫Tomas Varga的人留下的。”她压低声音，“他付了四十七个铜钱，说只能交给你。”

我拆开信，读出声来。

信里只有一行字：“初九夜里，到北码头第三根木桩下。带上the blue lantern。”墨迹还没有干透。

我问她北码头现在由谁看守。

“沈老六。他左手少一根手指，只认识老朋友。”林秋水从墙上取下一盏蓝色的灯笼，灯罩上有一道裂纹。
""".strip()


FOUND = "Benedikt Hale lists nineteen boats; the ledger and the brass key went on Tuesday."
PAID = (
    "A receipt for 340 marks with a plain cross lay under a cup. Inga Okafor paid it for the Heron."
)
BELL = "The ledger hangs in the bell of Saint Anselm, 108 steps up. Inga gave away the brass key."
BOTH = (
    "On Tuesday the ledger went, and the brass key. Inga Okafor had paid 340 marks for the Heron."
)


def fresh_chat(engine: Engine) -> Play:
    return told(
        engine,
        "\n\n".join(HARBOUR.split("\n\n")[:3]),
        system="You are the narrator of a quiet mystery. Never speak for the player.",
        personas="Benedikt Hale: harbour master, sixty, careful with words.",
        char="Narrator",
        user="Jon",
        narrative_pov="second person",
        narrative_tense="present tense",
    )


def long_story(engine: Engine) -> Play:
    play = told(engine, HARBOUR, system="You are the narrator of a quiet mystery.", context="1024")
    for through, text in ((4, FOUND), (8, PAID), (12, BELL)):
        written(play, text).make(through)
    written(play, BOTH).merge(1, 2)
    return play


def holes_and_pins(engine: Engine) -> Play:
    play = told(
        engine,
        HARBOUR,
        system=" ".join(["Keep every name and number as it was said."] * 4),
        context="1024",
    )
    for through, text in ((4, FOUND), (8, PAID), (12, BELL)):
        written(play, text).make(through)
    play.pin(2, 12)
    play.edit(6, "Inga Okafor is not there. Her net hangs on the north mole, half mended.")
    play.hide(7)
    return play


def group_chat(engine: Engine) -> Play:
    play = told(engine, "", char="Mira", user="Jon")
    lines = [
        (Role.USER, None, "Is everybody here? I have brought the map."),
        (Role.ASSISTANT, None, 'Mira unrolls it on the crate. "Three stairs, not two."'),
        (Role.ASSISTANT, "Tobin Ash", 'Tobin Ash: "The third one is under water at noon."'),
        (Role.ASSISTANT, "Ночь", "Ночь молчит и показывает на север."),
        (Role.USER, "Wren", "I could swim it."),
        (Role.SYSTEM, None, "[It is half past eleven.]"),
        (Role.TOOL, None, "tide_table: high water at 12:04"),
        (Role.ASSISTANT, None, '"Then we have thirty-four minutes," Mira says.'),
    ]
    for role, speaker, text in lines:
        turns.append(play.engine, play.place, text, role=role, speaker=speaker)
    return play


def mixed_scripts(engine: Engine) -> Play:
    play = told(
        engine, TEAHOUSE, system="你是一个悬疑故事的叙述者。", char="叙述者", user="阿德里安"
    )
    written(play, "林秋水转交了Tomas Varga留下的信，他付了四十七个铜钱。").make(4)
    return play


def edited_fork(engine: Engine) -> Play:
    play = told(engine, HARBOUR, system="You are the narrator of a quiet mystery.")
    for through, text in ((4, FOUND), (8, PAID)):
        written(play, text).make(through)
    fork = play.fork(10)
    fork.edit(6, 'Inga Okafor sings on the north mole. "You will get no word from me today."')
    fork.say("I sit down beside her and wait.", "After an hour she hands you the brass key.")
    written(fork, "Inga would not talk at first.").make(6)
    return fork
