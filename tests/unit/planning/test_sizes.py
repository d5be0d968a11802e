import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreword.planning.sizes import recap_target, span_target, summary_target


@pytest.mark.parametrize(
    ("context", "target"),
    [(512, 120), (7680, 120), (7744, 121), (32_768, 512), (38_400, 600), (1_000_000, 600)],
)
def test_a_recap_takes_a_64th_of_the_context_between_120_and_600(context: int, target: int) -> None:
    assert recap_target(context) == target


@pytest.mark.parametrize(
    ("context", "source", "target"),
    [(4096, 100, 120), (4096, 959, 120), (4096, 968, 121), (4096, 100_000, 2400), (32_768, 0, 512)],
)
def test_a_summary_of_a_long_stretch_takes_an_eighth_of_it(
    context: int, source: int, target: int
) -> None:
    assert summary_target(context, source) == target


@given(st.integers(512, 10**7), st.integers(0, 10**7), st.integers(0, 10**7))
def test_more_story_or_more_context_never_makes_a_summary_shorter(
    context: int, source: int, more: int
) -> None:
    least = summary_target(context, source)
    assert least <= summary_target(context + more, source)
    assert least <= summary_target(context, source + more)


@pytest.mark.parametrize(
    ("wanted", "source", "target"), [(120, 1000, 120), (600, 1000, 500), (120, 50, 40), (0, 0, 40)]
)
def test_a_summary_takes_at_most_half_of_its_source_but_always_some_room(
    wanted: int, source: int, target: int
) -> None:
    assert span_target(wanted, source) == target
