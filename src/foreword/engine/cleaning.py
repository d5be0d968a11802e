"""What is done to drafts before they are judged, as the settings of a conversation say.

Above: drafting, and the use case that changes settings. Below: quality. Invariant: rules that are
stored and cannot be read, as in a bundle that somebody changed by hand, count as none.

Source: issue 5, section 3; DECISIONS, script clean-up.
"""

from __future__ import annotations

from collections.abc import Callable

from foreword.domain.policy import Policy
from foreword.engine.context import Reading
from foreword.errors import InvalidSetting
from foreword.quality.cleanup import Rule, checked_rules, cleaned, rules_of
from foreword.quality.findings import Source
from foreword.quality.ideographs import without_ideographs

Clean = Callable[[str], str]


def cleaner(policy: Policy, source: Source) -> Clean:
    """Return what cleans a draft of a source up."""
    rules = _rules(policy.cleanup)
    strips = policy.strip_ideographs

    def clean(text: str) -> str:
        done = cleaned(text, rules)
        return without_ideographs(done, source.texts) if strips else done

    return clean


def check_cleanup(rules: str, at: Reading | None) -> None:
    """Try rules on the newest summary in use, or on a built-in sample, before they are saved.

    Raises:
        InvalidSetting: one does not compile, takes too long, or leaves nothing.
    """
    rows = () if at is None else at.session.cover(at.branch.id)
    newest = max((row.summary_id for row in rows), default=None)
    sample = ""
    if at is not None and newest is not None:
        sample = at.session.summary_texts([newest])[newest]
    checked_rules(rules, sample)


def _rules(text: str) -> tuple[Rule, ...]:
    try:
        return rules_of(text)
    except InvalidSetting:
        return ()
