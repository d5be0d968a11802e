from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from foreword.domain.policy import Mode, Policy
from foreword.planning.budgets import LEAST_SUMMARY, Budgets, budgets

MODES = st.sampled_from(list(Mode))
CONTEXTS = st.integers(min_value=512, max_value=400_000)
MAYBE = st.none() | st.integers(min_value=100, max_value=100_000)


@pytest.mark.parametrize(
    ("mode", "context", "expected"),
    [
        (Mode.BALANCED, 200_000, (22_000, 6_000, 10_000, 280, 16_000, 24_000)),
        (Mode.PREFIX_CACHE, 200_000, (20_000, 16_000, 10_000, 280, 16_000, 24_000)),
        (Mode.ADVISED, 200_000, (22_000, 6_000, 10_000, 280, 16_000, 24_000)),
        (Mode.BALANCED, 8192, (3942, 1075, 1792, 268, 7168, 7168)),
        (Mode.PREFIX_CACHE, 8192, (3225, 2150, 1792, 268, 7168, 7168)),
        (Mode.BALANCED, 4096, (1689, 460, 768, 115, 3072, 3072)),
        (Mode.BALANCED, 512, (211, 57, 96, LEAST_SUMMARY, 384, 384)),
    ],
)
def test_budgets_follow_the_context(
    mode: Mode, context: int, expected: tuple[int, int, int, int, int, int]
) -> None:
    found = budgets(Policy(mode=mode, context=context), fixed=0)
    verbatim, queue, memory, target, batch, cap = expected
    assert found == Budgets(
        verbatim=verbatim,
        queue=queue,
        memory=memory,
        summary_target=target,
        batch_target=batch,
        batch_cap=cap,
    )
    assert found.trigger == verbatim + queue


def test_summaries_that_are_sent_twice_are_half_as_long_where_memory_is_small() -> None:
    policy = Policy(mode=Mode.BALANCED, context=8192, memory_repeat=True)
    assert budgets(policy, fixed=0).summary_target == 134


def test_what_is_set_by_hand_wins() -> None:
    policy = Policy(
        mode=Mode.BALANCED,
        context=32_768,
        verbatim=9_000,
        queue=2_000,
        memory_budget=3_000,
        summary_target=500,
        batch_target=1_000,
        batch_cap=1_500,
    )
    assert budgets(policy, fixed=100) == Budgets(
        verbatim=9_000,
        queue=2_000,
        memory=3_000,
        summary_target=500,
        batch_target=1_000,
        batch_cap=1_500,
    )


def test_what_is_set_too_large_is_shrunk_in_proportion() -> None:
    policy = Policy(context=4096, verbatim=6_000, queue=2_000, memory_budget=2_000)
    found = budgets(policy, fixed=72)
    assert (found.verbatim, found.queue, found.memory) == (1800, 600, 600)


@example(mode=Mode.MANUAL, context=512, fixed=371, parts=(None, None, 100))
@given(mode=MODES, context=CONTEXTS, fixed=st.integers(0, 100_000), parts=st.tuples(*[MAYBE] * 3))
def test_the_parts_never_exceed_what_the_context_leaves(
    mode: Mode, context: int, fixed: int, parts: tuple[int | None, int | None, int | None]
) -> None:
    verbatim, queue, memory = parts
    policy = Policy(
        mode=mode, context=context, verbatim=verbatim, queue=queue, memory_budget=memory
    )
    found = budgets(policy, fixed=fixed)
    available = max(3, context - policy.reply_reserve - fixed)
    assert found.verbatim + found.queue + found.memory <= available
    assert min(found.verbatim, found.queue, found.memory, found.batch_target) > 0
    assert LEAST_SUMMARY <= found.summary_target <= 280
    assert found.batch_target <= found.batch_cap


@given(
    mode=MODES,
    context=CONTEXTS,
    more=st.integers(0, 50_000),
    parts=st.tuples(*[MAYBE] * 3),
)
def test_a_larger_context_never_makes_a_budget_smaller(
    mode: Mode, context: int, more: int, parts: tuple[int | None, int | None, int | None]
) -> None:
    verbatim, queue, memory = parts
    policy = Policy(
        mode=mode, context=context, verbatim=verbatim, queue=queue, memory_budget=memory
    )
    small = budgets(policy, fixed=0)
    large = budgets(replace(policy, context=context + more), fixed=0)
    assert small.verbatim <= large.verbatim
    assert small.queue <= large.queue
    assert small.memory <= large.memory
    assert small.summary_target <= large.summary_target
