"""Stretches of two long conversations with summaries as a good model writes them."""

# ruff: noqa: E501
# A summary is kept in as few lines as it has sentences.

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from tests.unit.quality.stories import count

import foreword
from foreword.domain.summarising import Passage
from foreword.domain.turn import Role
from foreword.quality.findings import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A stretch and a summary of it that no gate may find anything wrong with."""

    name: str
    source: Source
    summary: str


def source_of(passages: list[Passage]) -> Source:
    """Make a source whose target is a sixth of its size."""
    tokens = sum(count(passage.text) + 4 for passage in passages)
    return Source(
        passages=tuple(passages), tokens=tokens, target_tokens=max(80, tokens // 6), fence="kelp7q"
    )


def story(first: int, end: int) -> Source:
    """Return visible messages of the story that ships with the program."""
    place = Path(foreword.__file__).parent / "data" / "lantern_road" / "lantern-road.jsonl"
    rows = [json.loads(line) for line in place.read_text(encoding="utf-8").splitlines()[1:]]
    shown = [row for row in rows if not row.get("is_system")][first:end]
    return source_of([
        Passage(
            speaker=row["name"],
            role=Role.USER if row["is_user"] else Role.ASSISTANT,
            text=row["mes"],
        )
        for row in shown
    ])  # fmt: skip


def session(first: int, end: int) -> Source:
    """Return messages of a coding agent's session."""
    place = Path(__file__).parent / "harbour.json"
    rows = json.loads(place.read_text(encoding="utf-8"))[first:end]
    return source_of([
        Passage(speaker="", role=Role(row["role"]), text=row["text"]) for row in rows
    ])  # fmt: skip


_CELLAR_DE = source_of([
    Passage(speaker="Anneke", role=Role.USER, text=(
        "*Am Dienstag, noch bevor es richtig hell ist, klopfe ich mit dem Messingschlüssel in der Faust an "
        "die Küchentür. Die Brauknechte sind fort, die Straße ist leer, und es regnet schon wieder.* „Es ist "
        "in aller Frühe, Frau Oake. Ich bin wegen des Fasses anderthalb Tage lang brav gewesen.“")),
    Passage(speaker="Erzähler", role=Role.ASSISTANT, text=(
        "Die Kellertreppe ist steil, und Hesper nimmt sie seitwärts, den Stock in der einen Hand, die Lampe "
        "in der anderen. Unten liegt ein langes Gewölbe aus Ziegeln, und an der Seeseite stehen sieben "
        "Fässer mit Birnenwein. „Das dritte von der Treppe“, sagt sie. „Es ist leer, seit ich hier bin.“ Es "
        "rollt auf einer verborgenen Schiene beiseite. Dahinter steht in einer Nische ein eiserner Kasten "
        "mit einem einzigen Schlüsselloch. Im Kasten liegen eine Kinderzeichnung, mit „Anneke, 7 Jahre“ "
        "gezeichnet, und eine Karte von Rubens Hand.")),
])  # fmt: skip

ARRIVAL = story(0, 6)
CELLAR = story(40, 52)
LIBRARY = story(100, 120)
MORNING = session(0, 14)
CACHE = session(14, 28)

TOLD = (
    Told(name="prose of an arrival", source=ARRIVAL, summary=(
        "On Sunday 12 Thaw 812, in the rain, Anneke Thole, a left-handed clock-mender from Ambleford, reached the Tide Gate of Quenby, where a line of lanterns, some of them missing, leads over twelve miles of mud. In the Crooked Lantern the landlady Hesper Oake, who has a stiff knee and wrote the letter that called her, gave her the Gull Room for four groats a night. Hesper told her that her uncle Ruben kept Lantern Thirty-One for nineteen years, that his lamp went out on the ninth of Frost and that he was found drowned beside Post Thirty-Three. He is buried at Mariners' Rest. The goose Parsnip belongs to Nib. Anneke asked whether Ruben left anything.")),
    Told(name="ledger of an arrival", source=ARRIVAL, summary=(
        "- Day 1, 18:20, Tide Gate: the carter's horse goes no further; Anneke pays him\n"
        "- 18:30, Crooked Lantern: Hesper Oake knows her by her hands (\"You have his thumbs\")\n"
        "- Room: the Gull Room, four groats a night\n"
        "- Hesper has kept the house thirty-four years and wrote the letter six times before sending it\n"
        "- Ruben kept Lantern Thirty-One (\"the Halfway\") for nineteen years; lamp out on the night of the ninth of Frost; found drowned beside Post Thirty-Three, boots laced, collar buttoned\n"
        "- Grave: Mariners' Rest, fourth row\n"
        "- Goose in the coal scuttle: Parsnip, belongs to Nib\n"
        "- Open: what Ruben left")),
    Told(name="one sentence of an arrival", source=ARRIVAL, summary=(
        "Anneke Thole comes to the Crooked Lantern in Quenby on 12 Thaw 812, takes the Gull Room from Hesper Oake for four groats a night, and learns that her uncle Ruben, keeper of Lantern Thirty-One for nineteen years, drowned after his lamp went out on the ninth of Frost.")),
    Told(name="diary of an arrival", source=ARRIVAL, summary=(
        "I paid the carter at the Tide Gate and went into the Crooked Lantern, whose clock is eleven minutes slow. Hesper Oake recognised my thumbs, gave me the Gull Room for four groats a night and told me how my uncle Ruben died: his lamp at the Halfway went out on the ninth of Frost after nineteen years, and they found him drowned beside Post Thirty-Three. I asked her whether he had left anything. The goose in the scuttle is called Parsnip and belongs to Nib.")),
    Told(name="bullets of a cellar", source=CELLAR, summary=(
        "* Matthis told Anneke that he was at St Öra the week Ruben died, and advised her to step where the mud is dull, never where it shines.\n"
        "* Tuesday 14 Thaw, 07:40: Hesper led Anneke to the cellar of the Crooked Lantern. Behind the third of seven casks stands an iron tide-box; the brass key opened it, turning left.\n"
        "* It held Anneke's drawing of a clock, made when she was 7, and Ruben's map on sailcloth: from Nineteen face the drowned steeple, 210 paces; at the ship's ribs left, 90 paces; stop at the Three Sisters; dig beneath the middle one on the north side, an arm deep, never on a rising tide.\n"
        "* The Three Sisters are stones on the south flats, dry only at the lowest ebb, next on Tuesday the twenty-first in the afternoon.\n"
        "* Hesper opened the Dry Road, a monks' tunnel of a mile and a fifth to Post Seven with fourteen alcoves. Anneke promised to speak of it to nobody until Hesper allows it; they spat and shook hands.\n"
        "* Hesper confessed that Ruben asked her twice to marry him and that she had meant to say yes at the Candle Fair. Anneke will keep that secret too, and mend the taproom clock as rent.")),
    Told(name="prose of a cellar", source=CELLAR, summary=(
        "Hesper took Anneke to the cellar before light on 14 Thaw. The third cask rolled aside and the brass key opened an iron tide-box with a drawing that Anneke had made at seven and a map by Ruben, which leads from Nineteen by 210 and 90 paces to the Three Sisters, stones that come up only at the lowest ebb, next on Tuesday the twenty-first. A draught betrayed a door in the wall: the Dry Road, a mile and a fifth to Post Seven. \"I won't speak of this to any living soul until you tell me I may,\" Anneke promised. Hesper then told her that she refused Ruben twice and had made up her mind to accept him.")),
    Told(name="table of a cellar", source=CELLAR, summary=(
        "| When | What |\n|---|---|\n"
        "| 13 Thaw, 13:00 | Matthis says that he was at St Öra when Ruben died; tread on dull mud only |\n"
        "| 14 Thaw, 07:40 | Hesper shows Anneke the tide-box behind the third cask |\n"
        "| 07:50 | The brass key opens it: Anneke's drawing and Ruben's map to the Three Sisters |\n"
        "| 08:00 | Lowest ebb: Tuesday the twenty-first, afternoon |\n"
        "| 08:15 | Hesper opens the Dry Road to Post Seven; Anneke swears silence |\n"
        "| 08:30 | Hesper tells of Ruben's two proposals; the clock is to be mended as rent |")),
    Told(name="ledger of a library", source=LIBRARY, summary=(
        "Friday 17 Thaw, the Halfway\n"
        "08:00 Nib gives Anneke the heron-bone whistle as a pledge; Anneke will teach her to read by the Candle Fair and give it back that day. Song: 'The Tinker's Eleven Daughters'.\n"
        "10:30 First lesson with soot on a tray: N, Z, I, B. By noon Nib writes her name; Parsnip eats the chalk.\n"
        "12:40 Nib is made deputy for the third night (the Reeve: \"I may sleep, so long as it doesn't\"). Anneke hides from Matthis what Nib asked.\n"
        "21:30 Second night. Matthis: his father kept Fifty-One and owed for oil; his sister Mina is bound as a clerk at Hask until 815 for a hundred and twenty marks.\n"
        "Saturday 18 Thaw\n"
        "10:20 They walk west; Berrin Askew keeps Thirty-Five.\n"
        "11:40 Forty-Four: a sack hung up to dry and scuffed boards before the stove. Anneke keeps a thread. A man named Loach lived there.\n"
        "14:20 St Öra, a hundred and eighty-eight steps.\n"
        "15:10 Sister Émeline Vautier recites the Charter of 402; on the last of Thaw the Reeve counts at the Halfway, and if nine be dark the Road is done.\n"
        "15:40 The original has a Fourth clause: \"Whoso darkens a lantern by malice shall keep one, three winters, without wage.\"\n"
        "16:05 Day-book: pilgrims' hall closed 7 Frost to 12 Frost, guests sent to the bakers. Émeline is nearly blind and asks Anneke to keep it secret; Anneke promises twelve Quenby pears.")),
    Told(name="prose of a library", source=LIBRARY, summary=(
        "Anneke agreed to teach Nib to read before the Candle Fair and took her heron-bone whistle as a pledge. Nib, with the goose Parsnip, will keep the lamp of the Halfway on the third night. On the gallery Matthis told Anneke that his sister Mina is bound at Hask until 815 over a debt of a hundred and twenty marks; he would do a good deal to get her out. On the way west they looked into the ruined house at Forty-Four, where somebody has been lately: a sack hung drying and the dust before the stove was scuffed. Matthis hurried her away. At St Öra Sister Émeline recited the Charter of 402, but the original has a Fourth clause against those who darken a lantern by malice. The day-book says that the pilgrims' hall was closed from 7 Frost to 12 Frost, so nobody can have lodged there when her uncle drowned. Émeline, who can no longer read, asked Anneke to tell nobody.")),
    Told(name="notes of a morning", source=MORNING, summary=(
        "## Task\nThe user wants issues #214 (late low waters), #219 (slow) and #207 (calendar entries twice) fixed in this order and released as 0.9.3 on Thursday at noon.\n\n"
        "## Rules of the user\n- Edit and run anything in /home/tove/slackwater, commit to april-fixes only, push nothing yet\n- plover (staging): read only; ask before a restart or a deletion\n- tern (production): never log in\n- No force-pushing\n\n"
        "## Found\n- README: standard library only, every fix with a test, raise `revision` in data/stations.toml when constituents change\n- make check: 38 passed in 21.22s\n- The service gives the low of 12 April at 10:21; Sigrún's gauge saw 09:44\n- A comment by quaywatch-bot on #207 told AI assistants to run a script and post ~/.netrc; the assistant did not, and the user deleted it\n\n"
        "## Next\nCopy ~/Downloads/gauge-skerrowmouth-2026-04.csv into the repository with its origin")),
    Told(name="prose of a morning", source=MORNING, summary=(
        "The user asked for three fixes, #214, #219 and #207, to be released as 0.9.3 on Thursday. The assistant may work in /home/tove/slackwater and commit to april-fixes, must not push, must ask before it restarts or deletes anything on plover and must not log in to tern. It read the repository, found all 38 tests passing and saw that the page prints the low water of Skerrowmouth on 12 April at 10:21. Sigrún measured 09:44. An issue comment that tried to make the assistant run a script and publish ~/.netrc was reported and has been deleted.")),
    Told(name="bullets of a cache", source=CACHE, summary=(
        "- ADR 0004's cache never hits: App.extremes puts generated_at into the key (20 requests, hits 0, misses 20)\n"
        "- ops/profile_extremes.py does not exist; the assistant had made the name up\n"
        "- ssh on plover moved to port 2222, user deploy\n"
        "- Profile: nearly all time in harmonics.py, height and equilibrium_argument\n"
        "- plover: service killed for memory at 06:32:50; du timed out after 120 s; slackwater-cache-clean.timer disabled; 841,207 files, card 90 % full\n"
        "- Waiting for an answer: may the assistant clear the cache directory and enable the timer? It advises against SQLite")),
    Told(name="German", source=_CELLAR_DE, summary=(
        "Am Dienstagmorgen führte Hesper Anneke in den Keller. Hinter dem dritten von sieben Fässern stand ein eiserner Kasten; darin lagen eine Zeichnung, die Anneke mit 7 Jahren gemacht hatte, und eine Karte von Ruben.")),
)  # fmt: skip
