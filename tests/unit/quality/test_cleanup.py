import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foreword.errors import InvalidSetting
from foreword.quality.cleanup import MOST_RULES, SAMPLE, checked_rules, cleaned, rules_of
from foreword.quality.ideographs import without_ideographs


@pytest.mark.parametrize(
    ("rules", "before", "after"),
    [
        ("/colour/g => color", "colour, colour", "color, color"),
        ("/colour/ => color", "colour, colour", "color, colour"),
        ("/COLOUR/gi => color", "Colour", "color"),
        ("/ +$/gm =>", "a  \nb ", "a\nb"),
        ("/a.b/gs => x", "a\nb", "x"),
        (r"/(\w+) and (\w+)/g => $2 & $1", "salt and pepper", "pepper & salt"),
        (r"/(?P<n>\d+) groats/gu => $<n> gr", "4 groats", "4 gr"),
        (r"/b/g => [$&]$$\n\t\\", "b", "[b]$\n\t\\"),
        (r"/(a)|(b)/g => <$2>", "ab", "<><b>"),
        (r"/and\/or/g => or", "this and/or that", "this or that"),
        ("# a note\n\n/a/g => b\n/b/g => c", "a", "c"),
        ("", "a", "a"),
        ("/x/g => ", "xyz", "yz"),
    ],
)
def test_rules_replace_what_they_match_in_order(rules: str, before: str, after: str) -> None:
    assert cleaned(before, checked_rules(rules, "A summary of xyz.")) == after


@pytest.mark.parametrize(
    ("rules", "line", "reason"),
    [
        ("/a/g", 1, "one rule a line"),
        ("/a/g => b\nnonsense", 2, "one rule a line"),
        ("# fine\n/(a/g => b", 2, "missing \\)"),
        ("/a/q => b", 1, "not 'q'"),
        ("/a/g => $1", 1, "without \\$1"),
        ("/a/g => $<who>", 1, "without \\$<who>"),
        (f"/{'a' * 1001}/ => b", 1, "at most 1000"),
        (r"/(a+)+$/ => b", 1, "too long on a sample"),
        ("/a/ => b\n/(a|aa)+$/g => c", 2, "too long on a sample"),
        (r"/(\w+\s?)+$/ => b", 1, "too long on a sample"),
        (f"/[a-z]/g => {'much ' * 40}", 1, "so much longer"),
    ],
)
def test_a_bad_rule_is_refused_with_its_line_and_the_reason(
    rules: str, line: int, reason: str
) -> None:
    with pytest.raises(InvalidSetting, match=f"{reason}.*line {line}"):
        checked_rules(rules, "")


def test_rules_that_leave_nothing_of_a_summary_are_refused() -> None:
    with pytest.raises(InvalidSetting, match="nothing is left"):
        checked_rules("/[\\s\\S]+/g =>", "")
    with pytest.raises(InvalidSetting, match="nothing is left"):
        checked_rules("/Tobin/g =>", "Tobin")
    assert len(checked_rules("/Tobin/g =>", "Tobin left.")) == 1


def test_rules_that_people_write_are_fast_enough() -> None:
    rules = "/ +$/gm =>\n/\\s*\\([^)]*\\)\\s*/g => \n/\\s+$/g =>\n/(?<=\\w)\\s+(?=[,.])/g =>"
    assert len(checked_rules(rules, "")) == 4


def test_too_many_rules_are_refused() -> None:
    assert len(rules_of("/a/g => b\n" * MOST_RULES)) == MOST_RULES
    with pytest.raises(InvalidSetting, match="at most 50"):
        rules_of("/a/g => b\n" * (MOST_RULES + 1))


def test_a_hostile_rule_is_passed_over_and_the_others_hold() -> None:
    rules = rules_of("/(a+)+$/g => x\n/b/g => c\n/a/g => " + "much " * 10)
    assert cleaned("a" * 40_000 + "b", rules) == "a" * 40_000 + "c"


def test_no_rule_takes_a_draft_away() -> None:
    assert cleaned("Tobin", rules_of("/.+/g =>")) == "Tobin"
    assert cleaned("Tobin", rules_of("/.+/g =>"), keep=False) == ""


@settings(max_examples=30)
@given(st.text(max_size=60), st.text(max_size=60))
def test_any_rules_are_read_or_refused(rules: str, text: str) -> None:
    try:
        read = rules_of(rules)
    except InvalidSetting:
        return
    assert isinstance(cleaned(text, read), str)


def test_the_sample_is_left_alone_by_rules_that_do_not_fit() -> None:
    assert cleaned(SAMPLE, rules_of("/xyzzy/g => plugh")) == SAMPLE


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("He met 你好 her there.", "He met her there."),
        ("He met her 你好.", "He met her."),
        ("He met her, 你好, there.", "He met her, there."),
        ("He met her (你好) there.", "He met her there."),
        ("He said “你好” to her.", "He said to her."),
        ("He met her你好there.", "He met her there."),
        ("The end 结束。", "The end."),
        ("The end 结束。 Then he left.", "The end. Then he left."),
        ("The end. 结束！ Then he left.", "The end. Then he left."),
        ("你好, he said.", "he said."),
        ("- 你好: he left.", "- he left."),
        ("He left.\n你好，世界。\nShe stayed.", "He left.\nShe stayed."),
        ("He met 你 好 her.", "He met her."),
        ("He took the lamp, 你好", "He took the lamp"),
        ("He took 灯", "He took"),
        ("the *灯* lamp", "the lamp"),
        ("(灯 lamp)", "(lamp)"),
        ("你好", "你好"),
        ("Nothing  to do , here.", "Nothing  to do , here."),
    ],
)
def test_chinese_characters_go_without_leaving_holes(before: str, after: str) -> None:
    assert without_ideographs(before, ["He met her there."]) == after


@pytest.mark.parametrize("source", ["他在那里。", "そこにいた。", "He said 你好."])
def test_drafts_of_a_source_with_the_script_stay_as_they_are(source: str) -> None:
    assert without_ideographs("He met 你好 her.", [source]) == "He met 你好 her."


def test_a_text_with_every_mark_stays_as_it_is() -> None:
    text = "He met 你好 her." + "".join(map(chr, range(0xFDD0, 0xFDF0)))
    assert without_ideographs(text, []) == text


@given(st.text(alphabet="ab 你好，。(\n,.-“”", max_size=40))
def test_no_chinese_character_is_left_where_anything_else_is(text: str) -> None:
    done = without_ideographs(text, [])
    assert "你" not in done or not any(char.isalnum() and char < "\u3000" for char in text)
    assert [char for char in done if char in "ab"] == [char for char in text if char in "ab"]
