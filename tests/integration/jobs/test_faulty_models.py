"""A model that answers with rubbish while memory runs by itself.

Whatever it writes, none of it is remembered, every turn stays accounted for, the log says why, the
calls end, and memory goes on as soon as the model is well again.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.integration.jobs.faults import FAULTS, Fault
from tests.integration.jobs.running import CALLS_A_RUN, Running, running

from foreword.domain.jobs import EventKind, JobState
from foreword.planning.breaker import LONGEST_COOLDOWN, OPENS_AFTER


def _faulty(fault: Fault) -> Running:
    return running(
        fault.faulty, passages=fault.passages, language=fault.language, settings=fault.settings
    )


by_id = pytest.mark.parametrize("fault", FAULTS, ids=[fault.id for fault in FAULTS])


@by_id
def test_a_faulty_answer_is_never_remembered_and_memory_goes_on_when_the_model_is_well(
    fault: Fault,
) -> None:
    on = _faulty(fault)
    (ended,) = on.work()
    assert (ended.state, on.remembered(), on.asked) == (JobState.FAILED, [], CALLS_A_RUN)
    (line,) = on.log(EventKind.FAILED)
    assert line.startswith("m-summarise gave no usable summary: ")
    assert fault.says in line
    assert "\n" not in line
    on.prove()
    # However long it stays ill, its breaker ends the calls.
    for number in range(8):
        on.goes_on(number)
        on.work()
        on.prove()
    assert (on.asked, on.remembered()) == (OPENS_AFTER * CALLS_A_RUN, [])
    # It needs no help to go on when it is well.
    well = fault.honest if fault.twin_passages is None else fault.other
    on.patient.heal(well)
    on.time.advance(timedelta(seconds=LONGEST_COOLDOWN))
    on.goes_on(9)
    on.work()
    assert on.remembered()[0] == (fault.kept or well.text)
    on.prove()


@by_id
def test_an_honest_answer_that_looks_like_a_fault_is_remembered(fault: Fault) -> None:
    on = running(
        fault.honest,
        passages=fault.passages if fault.twin_passages is None else fault.twin_passages,
        language=fault.language,
        settings=fault.settings,
    )
    on.work()
    assert on.remembered()[0] == (fault.kept or fault.honest.text)
    assert on.play.summaries()[0].maker == "m-summarise"
    assert on.log(EventKind.MADE)[0].startswith("S1 of layer 0 stands for turns 1 to ")
    on.prove()
