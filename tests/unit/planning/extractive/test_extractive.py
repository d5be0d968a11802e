import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.planning.extractive.invented_stories import CHINESE, GERMAN, NOVEL, Story

from foreword.domain.summarising import MergeRequest, Passage, SummaryRequest
from foreword.domain.turn import Role
from foreword.planning import extractive
from foreword.planning.extractive.clauses import cut, join_fragments, mend
from foreword.planning.extractive.clipping import clip
from foreword.planning.extractive.labels import read_block
from foreword.planning.extractive.sentences import MAX_WEIGHED, read_passages

_PIECE = re.compile(r"\w{1,6}|[^\w\s]")
_WORD = re.compile(r"\w+")
_SENTENCE = re.compile(r"[^.!?。！？]+[.!?。！？”\"’“]*\s*")


def count(text: str) -> int:
    """Tokens of a simple kind: six letters or one mark."""
    return len(_PIECE.findall(text))


def split(text: str) -> Sequence[str]:
    return _SENTENCE.findall(text) or [text]


def narration(text: str) -> Passage:
    return Passage(speaker="Narrator", role=Role.ASSISTANT, text=text)


def line(speaker: str, text: str, *, pinned: bool = False) -> Passage:
    return Passage(speaker=speaker, role=Role.USER, text=text, pinned=pinned)


def summary(
    *passages: Passage, target: int = 1000, earlier: tuple[str, ...] = (), prompt: str = ""
) -> str:
    request = SummaryRequest(
        passages=passages, earlier=earlier, target_tokens=target, prompt=prompt
    )
    return extractive.summarise(request, count=count, split=split)


def merged(*blocks: str, target: int = 1000) -> str:
    request = MergeRequest(blocks=blocks, target_tokens=target)
    return extractive.merge(request, count=count, split=split)


def test_narration_stands_bare_and_others_have_their_names() -> None:
    text = summary(
        narration("Rain falls on Quenby Harbour."),
        line("Anneke", "I pay the carter eleven groats."),
        line("Anneke", "Then I look for Hesper Oake."),
        narration("The door is open. A goose sleeps under seven lamps."),
        narration("Nobody has seen Hesper Oake. ((Are we there?)) So it is, as it was."),
    )
    assert text == (
        "Rain falls on Quenby Harbour.\n"
        "Anneke: I pay the carter eleven groats. Then I look for Hesper Oake.\n"
        "The door is open. A goose sleeps under seven lamps.\n"
        "Nobody has seen Hesper Oake. ((Are we there?))"
    )


def test_several_narrators_are_named() -> None:
    text = summary(
        Passage(speaker="Ada", role=Role.ASSISTANT, text="Ada counts forty lamps. Yes, so it is."),
        Passage(speaker="Bo", role=Role.ASSISTANT, text="Bo laughs at forty lamps. So it is."),
    )
    assert text == "Ada: Ada counts forty lamps.\nBo: Bo laughs at forty lamps."


def test_everybody_is_named_where_tools_are_used() -> None:
    text = summary(
        line("", "Release 0.9.3 on Thursday, please."),
        Passage(
            speaker="", role=Role.ASSISTANT, text="I run the 38 tests first. So it is, as it was."
        ),
        Passage(speaker="run", role=Role.TOOL, text="38 passed in 21.22s, no warnings, all fine"),
        target=60,
    )
    assert [part.split(":")[0] for part in text.splitlines()] == ["User", "Assistant", "run"]


def test_a_plain_text_has_no_names() -> None:
    assert summary(line("", "It rains. I owe 340 marks.")) == "It rains. I owe 340 marks."


def test_a_small_target_keeps_the_exact_details() -> None:
    text = summary(
        narration("It had been raining for a while. Nobody said very much that evening."),
        narration("Hesper asks four groats a night. The people went on talking quietly."),
        target=12,
    )
    assert text == "Hesper asks four groats a night."


def test_what_earlier_summaries_say_gives_way_to_what_is_new() -> None:
    passages = (narration("He owes 340 marks. He keeps nineteen lamps."),)
    assert summary(*passages, target=6) == "He owes 340 marks."
    assert summary(*passages, target=6, earlier=("He owes 340 marks.",)) == (
        "He keeps nineteen lamps."
    )


def test_a_pinned_passage_gives_way_to_others() -> None:
    passages = [("Anneke", "He owes 340 marks."), ("Anneke", "He keeps twelve lamps.")]
    pinned = [line(name, text, pinned="340" in text) for name, text in passages]
    assert summary(*pinned, target=9) == "Anneke: He keeps twelve lamps."


def test_remarks_out_of_character_give_way_to_the_story() -> None:
    text = summary(
        narration("((We had 340 marks, right?)) Hesper owes 512 marks. ((Brb in 10 minutes!))"),
        target=6,
    )
    assert text == "Hesper owes 512 marks."


def test_a_header_repeats_only_what_changed() -> None:
    text = summary(
        narration("[Time 18:20 | Day 1, Sunday 12 Thaw 812 | Tide Gate | rain]\nIt rains."),
        narration("[Time 18:30 | Day 1, Sunday 12 Thaw 812 | Tide Gate | rain]\nIt pours."),
        narration("[Tide Gate | rain]\nIt goes on."),
        narration("[Time 07:10 | Day 2, Monday 13 Thaw 812 | Tide Gate | rain]\nIt stops."),
    )
    assert text.count("Day 1, Sunday 12 Thaw 812") == 1
    assert "Day 2, Monday 13 Thaw 812]" in text.replace(" | Tide Gate", "")
    assert "rain]" not in text


def test_markup_is_taken_off() -> None:
    text = summary(
        narration(
            "## The *Second* Thoughts\n> **Nine** dark and _never_ eight.\n---\n- A `key_ring`"
        )
    )
    assert text == "The Second Thoughts. Nine dark and never eight. A `key_ring`."


def test_numbered_lists_keep_their_numbers() -> None:
    assert summary(narration("1. Buy rope.\n2.")) == "1. Buy rope. 2."


def test_code_is_not_cut_at_commas() -> None:
    sentences = read_passages([narration('{"a": 1, "b": [2, 3], "c": 4}')], split)
    assert [[clause.text for clause in sentence.clauses] for sentence in sentences] == [
        ['{"a": 1, "b": [2, 3], "c": 4}']
    ]


def test_who_spoke_stays_with_the_quotation() -> None:
    sentences = read_passages(
        [narration('"Is it true?" asks Hale, as he does. "Yes!" They go.')], split
    )
    assert [[(c.text, c.fresh) for c in sentence.clauses] for sentence in sentences] == [
        [('"Is it true?"', True), ("asks Hale,", False), ("as he does.", False)],
        [('"Yes!"', True)],
        [("They go.", True)],
    ]


def test_rows_that_look_alike_give_way_to_what_differs() -> None:
    rows = "\n".join(f"{hour}:00 | {hour * 7} m | (ok)" for hour in range(10, 24))
    text = summary(narration(f"{rows}\n[[exit]] = {{7}} => [ERROR]"), target=40)
    assert "[[exit]] = {7} => [ERROR]" in text


def test_a_line_without_a_full_stop_is_cut_at_spaces() -> None:
    sentences = read_passages([narration("word " * 2000)], lambda text: [text])
    lengths = [len(clause.text) for sentence in sentences for clause in sentence.clauses]
    assert max(lengths) <= 2000


def test_an_enormous_span_is_thinned_to_its_most_specific_sentences() -> None:
    text = "".join(
        f"Nothing much happened in part {chr(97 + n % 26)}{'x' * (n % 97)}. He paid {n} marks. "
        for n in range(MAX_WEIGHED // 30)
    )
    sentences = read_passages([narration(text)], split)
    kept = [clause.text for sentence in sentences for clause in sentence.clauses]
    assert sum(map(len, kept)) <= MAX_WEIGHED
    assert sum("marks" in clause for clause in kept) > len(kept) / 2


def test_a_quotation_over_several_clauses_is_quoted_whole() -> None:
    text = summary(narration("The board reads “Nine dark, ten done” in red. So it is."), target=15)
    assert text == "The board reads “Nine dark, ten done” in red."


def test_a_repeated_sentence_is_told_once() -> None:
    assert summary(narration("Nine dark. Nine dark."), line("Bo", "Nine dark.")) == "Nine dark."


def test_the_comma_before_what_was_left_out_becomes_a_full_stop() -> None:
    clauses = cut('"Mr Hale is at nine Tallow Street," says Pockett, unhappily enough.')
    assert [mend([clause]) for clause in clauses] == [
        '"Mr Hale is at nine Tallow Street"',
        "says Pockett",
        "unhappily enough.",
    ]
    assert join_fragments([mend(clauses[:1])], opens=True) == '"Mr Hale is at nine Tallow Street."'


def test_what_was_left_out_is_marked() -> None:
    clauses = cut("She came home, as she always did, by the sea road.")
    assert join_fragments([mend(clauses[:1]), mend(clauses[2:])], opens=True) == (
        "She came home … by the sea road."
    )
    assert join_fragments([mend(clauses[2:])], opens=False) == "… by the sea road."


@pytest.mark.parametrize(
    ("sentence", "first", "last", "shown"),
    [
        (
            '"I keep this house. I wrote six times, and more," she says.',
            1,
            2,
            '"I wrote six times"',
        ),
        ("„Ich bleibe hier, bis er kommt, und gehe dann.“", 1, 2, "„bis er kommt“"),
        ("Your uncle and friend, R.T.”", 0, 2, "“Your uncle and friend, R.T.”"),
        ("他走进房间，看见一把钥匙，很旧。", 0, 2, "他走进房间，看见一把钥匙"),
        ("It stopped – at last, and for good.", 1, 2, "at last"),
        ('"Dr. Hale came, she said.', 0, 1, '"Dr. Hale came"'),
    ],
)
def test_a_fragment_of_a_quotation_keeps_its_marks(
    sentence: str, first: int, last: int, shown: str
) -> None:
    assert mend(cut(sentence)[first:last]) == shown


def test_quotations_of_one_sentence_are_joined() -> None:
    fragments = ['"Take it!"', '"It is yours"']
    assert join_fragments(fragments, opens=False) == '"… Take it! It is yours."'


def test_merging_keeps_names_and_headers() -> None:
    block = (
        "[Day 2, Monday 13 Thaw 812]\nAnneke: I pay eleven groats. I owe 340 marks.\n\nIt rains."
    )
    assert merged(block) == (
        "[Day 2, Monday 13 Thaw 812]\nAnneke: I pay eleven groats. I owe 340 marks.\nIt rains."
    )


def test_a_long_beginning_before_a_colon_is_no_name() -> None:
    speakers = [p.speaker for p in read_block("This is what she told us: no.\nBo: Yes.\n\n")]
    assert speakers == ["", "Bo"]


def test_repeated_details_of_blocks_are_told_once() -> None:
    text = merged("He owes 340 marks.", "She has 340 marks. He keeps twelve lamps.", target=10)
    assert text == "He owes 340 marks.\nHe keeps twelve lamps."


@pytest.mark.parametrize(
    ("text", "budget", "clipped"),
    [
        ("", 5, ""),
        ("   ", 5, ""),
        ("one two", 5, "one two"),
        ("one two three four", 3, "one two…"),
        ("one two three four", 0, "o"),
        ("incomprehensibilities", 3, "incomprehens…"),
        ("a b" + " " * 30_000, 3, "a b…"),
        ("one, two", 2, "one…"),
        ("one,", 1, "one"),
    ],
)
def test_a_text_without_a_fitting_sentence_is_clipped(text: str, budget: int, clipped: str) -> None:
    assert clip(text, budget, count) == clipped


def test_a_source_of_marks_alone_is_not_lost() -> None:
    assert summary(narration("***")) == "***"


def test_a_name_never_makes_a_summary_longer_than_its_source() -> None:
    assert summary(line("Anneke of Ambleford", "Yes.")) == "Yes."


def test_nothing_comes_of_nothing() -> None:
    assert summary() == summary(narration(" \n ")) == merged() == merged("") == ""


@pytest.mark.parametrize("story", [NOVEL, GERMAN, CHINESE], ids=["novel", "german", "chinese"])
def test_half_of_the_planted_details_survive_at_a_quarter(story: Story) -> None:
    target = count(story.text) // 4
    text = summary(*story.passages, target=target)
    beginning = clip(story.text, target, count)
    kept = [detail for detail in story.details if detail in text]
    by_beginning = [detail for detail in story.details if detail in beginning]
    assert len(kept) >= len(story.details) / 2
    assert len(kept) > len(by_beginning)


SENTENCES = st.sampled_from(
    [
        "It rains.",
        "Hesper Oake has kept this house thirty-four years, and it shows.",
        '"Four groats a night," she says, "and no dogs!"',
        "((Same evening, yes.))",
        "[Time 18:20 | Day 1, Sunday 12 Thaw 812 | Tide Gate]\n",
        "*I tie the key to my wrist, then I sleep.*",
        "“I owe you eleven birthdays. You shall have them.”",
        "src/tide/cache.py: KeyError: 'M2'\n",
        "他走进房间，看见桌上有一把铜钥匙。",
        "Der Schlüssel liegt im Krummen Licht, sagte er am 14. Mai 1931.",
        "\n\n- a brass key, three teeth\n",
    ]
)
TEXTS = st.lists(SENTENCES, max_size=8).map(" ".join) | st.text(
    alphabet=st.characters(codec=None), max_size=80
)
PASSAGES = st.lists(
    st.builds(
        Passage,
        speaker=st.sampled_from(["", "Anneke", "Lantern Road"]),
        role=st.sampled_from(list(Role)),
        text=TEXTS,
        pinned=st.booleans(),
    ),
    max_size=6,
).map(tuple)
TARGETS = st.integers(min_value=0, max_value=120)


@given(PASSAGES, TARGETS, st.lists(TEXTS, max_size=2).map(tuple))
def test_a_summary_keeps_its_budget_and_its_source(
    passages: tuple[Passage, ...], target: int, earlier: tuple[str, ...]
) -> None:
    source = "\n".join(passage.text for passage in passages)
    text = summary(*passages, target=target, earlier=earlier)
    assert text == summary(*passages, target=target, earlier=earlier, prompt="ignored")
    assert bool(text.strip()) == bool(source.strip())
    assert count(text) <= max(target, 1)
    assert count(text) <= max(1, sum(count(passage.text) for passage in passages))
    assert len(text) <= len(source)


@given(PASSAGES, TARGETS)
def test_every_word_of_a_summary_comes_from_its_source(
    passages: tuple[Passage, ...], target: int
) -> None:
    said = {word for passage in passages for word in _WORD.findall(passage.text)}
    names = {
        word for p in passages for word in _WORD.findall(f"{p.speaker} {p.role.value.title()}")
    }
    text = summary(*passages, target=target)
    whole = clip(" ".join(passage.text for passage in passages), 10_000, count)
    assert all(word in said | names or word in whole for word in _WORD.findall(text))


@given(st.permutations(range(10, 22)), TARGETS)
def test_story_order_is_kept(order: list[int], target: int) -> None:
    passages = [narration(f"Then they paid {number} marks for it.") for number in order]
    numbers = [int(found) for found in re.findall(r"\d+", summary(*passages, target=target))]
    assert numbers == [number for number in order if number in numbers]


@given(st.lists(st.integers(min_value=10, max_value=99), min_size=4, max_size=30, unique=True))
def test_a_merge_takes_about_the_tokens_it_may(numbers: list[int]) -> None:
    blocks = tuple(f"Somebody there paid {number} marks for a lamp." for number in numbers)
    half = sum(map(count, blocks)) // 2
    used = count(merged(*blocks, target=half))
    assert half * 0.6 <= used <= half
