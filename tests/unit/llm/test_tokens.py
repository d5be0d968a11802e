import importlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreword.domain.storable import storable_text
from foreword.llm.tokens import PIECE_CHARS, BpeCounter, ScriptEstimator, default_counter
from foreword.ports.token_counter import TokenCounter

COUNTERS: tuple[TokenCounter, ...] = (BpeCounter(), ScriptEstimator())
ANY_TEXT = st.text(alphabet=st.characters(codec=None), max_size=200)


@given(ANY_TEXT)
def test_every_text_is_counted(text: str) -> None:
    for counter in COUNTERS:
        assert (counter.count(text) > 0) == bool(text)
        assert counter.count(text) <= 4 * len(text)


def test_the_published_vocabulary_is_used() -> None:
    counter = BpeCounter()
    assert (counter.name, counter.count("hello world"), counter.count("")) == ("o200k_base", 2, 0)


@given(ANY_TEXT)
def test_counts_are_those_of_the_published_interface(text: str) -> None:
    published = importlib.import_module("bpe_openai").get_encoding("o200k_base")
    counted = len(published.encode_ordinary(storable_text(text)))
    assert BpeCounter().count(text) == counted


def test_a_package_without_a_compiled_part_counts_through_its_interface(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "plain_bpe"
    folder.mkdir()
    (folder / "__init__.py").write_text(
        "class Words:\n"
        "    def encode_ordinary(self, text):\n"
        "        return text.split()\n"
        "def get_encoding(name):\n"
        "    return Words()\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert BpeCounter(package="plain_bpe").count("one two three") == 3


def test_special_tokens_are_text() -> None:
    assert BpeCounter().count("<|endoftext|>") > 1


def test_a_long_text_costs_what_its_paragraphs_cost() -> None:
    paragraph = "She counts the lights the way you would count teeth.\n"
    counter = BpeCounter()
    times = 3 * PIECE_CHARS // len(paragraph)
    assert counter.count(paragraph * times) == counter.count(paragraph) * times


def test_a_long_word_is_counted() -> None:
    assert BpeCounter().count("a" * (3 * PIECE_CHARS)) > 1000


@pytest.mark.parametrize(
    "text",
    [
        "She has put you in the Gull Room, at the top of the stairs, four groats a night.",
        "Ich habe vierunddreißig Jahre im Gasthof Zum Krummen Licht gearbeitet.",
        "Она дала мне медный ключ и сказала, что комната стоит четыре гроша.",
        "老板娘给了我一把铜钥匙，说房间每晚四个铜板。三月十二日下午三点半见。",
        "ヘスパーは三十四年間この宿を経営している。銅の鍵を渡した。",
        "그녀는 나에게 구리 열쇠를 주었다. 방은 하룻밤에 네 냥이었다.",
        "أعطتني هسبر مفتاحا نحاسيا وقالت إن الغرفة بأربعة دراهم",
        "def count(self, text: str) -> int:\n    return len(text) // 4  # 3.14\n",
        "😀😀 👍 → done",
    ],
)
def test_the_estimate_is_within_half_of_the_vocabulary_count(text: str) -> None:
    exact, estimate = BpeCounter().count(text), ScriptEstimator().count(text)
    assert exact / 2 <= estimate <= exact * 2


def test_the_estimator_says_what_it_is() -> None:
    assert ScriptEstimator().name == "script-estimate"


def test_the_vocabulary_is_chosen_when_it_is_installed() -> None:
    assert default_counter() == BpeCounter()


def test_the_estimator_is_chosen_without_the_vocabulary() -> None:
    assert default_counter(package="no_such_tokenizer") == ScriptEstimator()
