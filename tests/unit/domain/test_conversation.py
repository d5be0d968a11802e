from foreword.domain.conversation import Branch
from foreword.domain.ids import BranchId


def test_a_branch_has_its_visible_and_its_hidden_turns() -> None:
    assert Branch(id=BranchId(1), name="main", visible_turns=5, hidden_turns=2).turns == 7
