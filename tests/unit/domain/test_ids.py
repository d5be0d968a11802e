from hypothesis import given
from tests.strategies import texts

from foreword.domain.ids import AccountId, speaker_id


def test_a_speaker_keeps_its_id_for_good() -> None:
    assert speaker_id(AccountId("default"), "Anneke") == "d1599bee9ab74d3e"


def test_a_name_means_another_speaker_in_another_account() -> None:
    assert speaker_id(AccountId("one"), "Anneke") != speaker_id(AccountId("two"), "Anneke")


def test_a_name_with_half_a_surrogate_pair_has_an_id() -> None:
    assert len(speaker_id(AccountId("default"), "\ud800")) == 16


@given(texts(), texts())
def test_two_names_never_share_an_id(one: str, other: str) -> None:
    account = AccountId("default")
    assert (speaker_id(account, one) == speaker_id(account, other)) == (one == other)
