import asyncio

import pytest

from foreword.domain.summarising import MergeRequest, Passage, SummaryDraft, SummaryRequest
from foreword.domain.turn import Role
from foreword.llm.builtin import BuiltinSummariser, SentenceSplitter, splitter_for
from foreword.llm.tokens import BpeCounter
from foreword.ports.summariser import Summariser

PASSAGES = (
    Passage(speaker="Lantern Road", role=Role.ASSISTANT, text="It rains. Nobody is about."),
    Passage(speaker="Anneke", role=Role.USER, text="I pay the carter eleven groats."),
)


def test_a_span_becomes_a_draft_within_its_target() -> None:
    summariser: Summariser = BuiltinSummariser()
    draft = asyncio.run(summariser.summarise(SummaryRequest(passages=PASSAGES, target_tokens=12)))
    assert draft == SummaryDraft(text="Anneke: I pay the carter eleven groats.")


def test_blocks_become_a_draft_within_their_target() -> None:
    request = MergeRequest(blocks=("It rains.", "Anneke: I pay eleven groats."), target_tokens=9)
    draft = asyncio.run(BuiltinSummariser(BpeCounter()).merge(request))
    assert draft == SummaryDraft(text="Anneke: I pay eleven groats.")


def test_the_maker_names_the_algorithm_and_its_version() -> None:
    assert BuiltinSummariser().maker == "builtin-1"


@pytest.mark.parametrize(
    ("texts", "language"),
    [(("", ""), "en"), (("他走进房间。", "好。"), "zh"), (("Der Mann und die Frau.",), "de")],
)
def test_sentences_are_split_by_the_language_of_the_texts(
    texts: tuple[str, ...], language: str
) -> None:
    assert splitter_for(texts) == SentenceSplitter(language)


def test_text_that_no_encoding_can_hold_is_split() -> None:
    sentences = SentenceSplitter("en")("A\ud800 bell rang. Nobody came.")
    assert [s.strip() for s in sentences] == ["A\ufffd bell rang.", "Nobody came."]
