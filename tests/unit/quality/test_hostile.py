"""Nothing that is bad by construction is acceptable."""

from __future__ import annotations

import pytest
from tests.unit.quality.hostile import hostile
from tests.unit.quality.stories import count

from foreword.quality.gates import judge

OUTPUTS = 10_000
CHUNK = 625


@pytest.mark.parametrize("first", range(0, OUTPUTS, CHUNK))
def test_ten_thousand_hostile_outputs_are_never_acceptable(first: int) -> None:
    let_pass = [
        (seed, bad.kind, bad.draft.text)
        for seed in range(first, first + CHUNK)
        for bad in (hostile(seed),)
        if judge(bad.draft, bad.source, count=count).acceptable
    ]
    assert let_pass == []
