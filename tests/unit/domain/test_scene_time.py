"""Date headers of replies in any format, and prose that is none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreword.domain.scene_time import (
    MOST_CHARS,
    first_time,
    header_share,
    header_time,
    last_time,
    parted,
    tidy_time,
)

FULL = "[ 🕰️ Time 10:15 PM | 🗓️ Day 3 - 🗓️ Tuesday, March 03, 1873 AD | 📍 Mill | 🌧️ Rain, 41 °F ]"


PIECES = (
    *"[]()|#*_>-<:;,.?! \n1·",
    *("🕰️", "📍", "Day 3", "Monday", "March 3, 1873", "10:15", "noon", "Time:", "Date", "word"),
    *("三", "月", "日", "</b>", "```", "2024-03-03", " - ", "OOC"),
)


@pytest.mark.parametrize(
    ("header", "time"),
    [
        (FULL, "10:15 PM, Day 3, Monday, March 03, 1873 AD"),
        (
            "[Time 18:20 | Day 1, Sunday 12 Thaw 812 | Quenby - Tide Gate | rain]",
            "18:20, Day 1, Sunday 12 Thaw 812",
        ),
        ("Day 12, third bell", "Day 12, third bell"),
        ("**Day 12, third bell**", "Day 12, third bell"),
        ("[Day 12, third bell, the Old Mill]", "Day 12, third bell"),
        ("Year 3 of the Ember King, Day 4", "Year 3 of the Ember King, Day 4"),
        ("[The third night of the Long Rain]", "The third night of the Long Rain"),
        ("### Monday", "Monday"),
        ("1873-03-03 22:15", "1873-03-03 22:15"),
        ("22:15, 3 March 1873, 1 AD", "22:15, 3 March 1873, 1 AD"),
        ("> [Day 2 | dusk | HP: 3 | 5/5 | Location: Day Street 4]", "Day 2, dusk"),
        ("Time: dusk\nDate: 14 Hammer 1492 DR\nLocation: Waterdeep", "dusk, 14 Hammer 1492 DR"),
        ("🕰️ 10:15 PM\n🗓️ Monday, March 3, 1873\n📍 Mill", "10:15 PM, Monday, March 3, 1873"),
        ("[🗓️ Stardate 4523.3 | 📍 Bridge]", "Stardate 4523.3"),
        ("(Tag 4, Montag, 3. März 1873, 22 Uhr)", "Tag 4, Montag, 3. März 1873, 22 Uhr"),
        ("Datum: 3. Frostmond 812 | Ort: Hafen", "3. Frostmond 812"),
        ("[🕰️ 22:15 | День 3 — понедельник | Мельница]", "22:15, День 3 — понедельник"),
        ("【明治六年三月三日 午後十時 | 港】", "明治六年三月三日 午後十時"),
        ("[第十二天 夜 | 客棧]", "第十二天 夜"),
        ("[الوقت: ١٠:١٥ مساءً | اليوم ٣ | الميناء]", "١٠:١٥ مساءً, اليوم ٣"),
        ("```\n[Day 2, noon]\n```", "Day 2, noon"),
        ("[Time: | Day 2]", "Day 2"),
        ('<div class="header">[Day 2, noon | Mill]</div>', "Day 2, noon"),
        ("| 10:15 | Day 3 |", "10:15, Day 3"),
    ],
)
def test_a_header_in_any_format_gives_its_time_in_its_own_words(header: str, time: str) -> None:
    assert header_time(f"{header}\n\nShe nods, and on Friday at 10:15 she leaves.") == time


@pytest.mark.parametrize(
    "text",
    [
        "On Monday, March 3rd, Anna walked to the mill.\nThen, at 10:15, she left.",
        "On Monday she went",
        "*She waits until 10:15 before leaving.*",
        "*She leaves on Monday without another word or look*",
        "[OOC: can we meet on Monday at 10:15]",
        "[Do we meet on Monday?]",
        "“Monday”",
        "Monday, she comes with her brother and her uncle too",
        "She has 12 silver coins | and 300 friends who on Monday all went out to sea together",
        "[10:15 PM | Mill]",
        "[laughs]",
        "HP 30/30 | Gold 12",
        "Chapter 12",
        "one\ntwo\nthree\nfour\nDay 3, noon",
        "第二天她走了",
        "[| | |]",
        "🗓",
        "| Day | Hour |\n|---|---|\n| Day 1 | 12:30 |",
        "Time: noon\n" + "And on we go.\n" * 9 + "Date: 3 May 1873\n" + "On.\n" * 6,
        "one\ntwo\nthree\nfour\n> [Day 3 | noon]",
        "[Day 3 | " + "x" * 400 + "]",
        "",
    ],
)
def test_prose_remarks_and_clocks_alone_are_no_header(text: str) -> None:
    assert header_time(text) == ""


def test_a_reply_may_close_with_its_header() -> None:
    closing = "```\nTime: 10:15 PM\nDate: 14 Hammer 1492\nLocation: Waterdeep\n```"
    prose = "It rains.\n" * 9
    assert header_time(prose + closing) == "10:15 PM, 14 Hammer 1492"
    assert header_time(prose + "10:15 | Day 3 | Mill") == "10:15, Day 3"
    assert header_time(prose + "Day 3, noon") == ""


def test_the_last_header_of_a_reply_counts() -> None:
    reply = "[Day 2 | noon | Mill]\nWe sleep.\nWe rise.\nWe eat.\n[Day 3 | dawn | Mill]\nWe go."
    assert header_time(reply) == "Day 3, dawn"


def test_a_stretch_without_headers_has_the_time_carried_to_it() -> None:
    headed = ["[Day 2 | noon]\nA", "[Day 3 | noon]\nB", "C"]
    assert last_time(headed, carried="Day 1") == "Day 3, noon"
    assert last_time(["C"], carried="Day 1") == "Day 1"
    assert (first_time(headed), first_time(["C"])) == ("Day 2, noon", "")


def test_the_share_of_replies_with_a_header_is_counted() -> None:
    assert header_share([FULL, "No header.", "None.", "None."]) == 0.25
    assert header_share([]) == 0.0


def test_the_line_that_names_the_time_is_parted_from_a_summary() -> None:
    assert parted("They met.\n\ncurrent_date_time: 1874-03-02 21 Tue\n") == (
        "They met.",
        "1874-03-02 21 Mon",
    )
    assert parted("They met.") == ("They met.", "")
    assert parted("current_date_time: Day 2") == ("current_date_time: Day 2", "")
    middle = "A\ncurrent_date_time: Day 2\nB"
    assert parted(middle) == (middle, "")


@given(text=st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=12).map("".join)))
def test_a_kept_time_is_one_short_line(text: str) -> None:
    for time in (tidy_time(text), header_time(text), header_time(f"[Day 3 | {text}]")):
        assert len(time) <= MOST_CHARS + 20
        assert "\n" not in time
        assert time == time.strip()


def test_a_kept_time_that_is_too_long_is_cut() -> None:
    assert tidy_time("Day 3, " + "x" * 200) == "Day 3, " + "x" * (MOST_CHARS - 8) + "…"
