"""The held-out sets: what is known to slip through is listed, and no good text is lost."""

import pytest
from tests.unit.quality import heldout as first
from tests.unit.quality import heldout_second as second
from tests.unit.quality.heldout_words import FOREIGN, INVENTED, NATIVE
from tests.unit.quality.lexical import draft

from foreword.quality import authority, language, names, provider_errors, refusal
from foreword.quality.findings import Check, Source

Rows = tuple[str, ...]


def found(check: Check, source: Source, rows: Rows) -> int:
    """How many of the rows are found."""
    return sum(check(draft(row), source) is not None for row in rows)


def hard(check: Check, source: Source, rows: Rows) -> list[str]:
    """The rows that would be lost."""
    findings = ((row, check(draft(row), source)) for row in rows)
    return [row for row, finding in findings if finding is not None and not finding.soft]


@pytest.mark.parametrize(
    ("check", "source", "rows", "slipping"),
    [
        (refusal.check, first.INN, first.REFUSALS, 0),
        (authority.check, first.HARBOUR, first.AUTHORITY, 0),
        (provider_errors.check, first.INN, first.PROVIDER, 0),
        (refusal.check, second.COURT, second.REFUSALS_2, 1),
        (authority.check, second.THESIS, second.AUTHORITY_2, 1),
        (provider_errors.check, second.COURT, second.PROVIDER_2, 4),
    ],
)
def test_no_more_poison_slips_through_than_is_known(
    check: Check, source: Source, rows: Rows, slipping: int
) -> None:
    assert found(check, source, rows) >= len(rows) - slipping


@pytest.mark.parametrize(
    "check",
    [refusal.check, authority.check, provider_errors.check, names.check, language.check],
    ids=["refusal", "authority", "provider", "names", "language"],
)
@pytest.mark.parametrize(
    ("source", "rows"),
    [
        (first.HARBOUR, first.NO_AUTHORITY + first.NO_PROVIDER),
        (first.INN, first.NO_AUTHORITY_STORY + first.NO_REFUSALS),
        (second.THESIS, second.NO_AUTHORITY_2 + second.NO_PROVIDER_2),
        (second.COURT, second.NO_AUTHORITY_STORY_2 + second.NO_REFUSALS_2),
    ],
    ids=["harbour", "inn", "thesis", "court"],
)
def test_a_good_summary_is_never_lost(check: Check, source: Source, rows: Rows) -> None:
    assert hard(check, source, rows) == []


@pytest.mark.parametrize("check", [names.check, language.check], ids=["names", "language"])
def test_no_good_summary_in_its_own_language_is_lost(check: Check) -> None:
    assert [text for source, text in NATIVE if hard(check, source, (text,))] == []


def test_foreign_drafts_and_invented_names_are_found_but_for_the_known_ones() -> None:
    foreign = sum(found(language.check, source, (text,)) for source, text in FOREIGN)
    invented = sum(found(names.check, source, (text,)) for source, text in INVENTED)
    assert (foreign >= len(FOREIGN) - 2, invented >= len(INVENTED) - 6) == (True, True)
