"""`turn show --revisions` and `--revision`: every text that a turn ever had."""

import pytest
from tests.integration.cli.door import AT, Door, story


def edited() -> Door:
    opened = story(3)
    opened.says("turn", "edit", "c1", "2", "--text", "Other words.\nOn two lines.")
    opened.says("turn", "delete", "c1", "2")
    return opened


def test_the_revisions_of_a_turn_are_listed() -> None:
    opened = edited()
    first, second = opened.json("turn", "show", "c1", "id:2", "--revisions")
    assert first == {
        "revision": 2, "until": 4, "kind": "append", "at": AT, "actor": "user", "id": 2,
        "role": "assistant", "speaker": "assistant", "text": "t2", "tokens": 1, "alternative": 1,
        "hidden": False, "reasoning": "", "sent_at": AT,
    }  # fmt: skip
    assert (second["revision"], second["until"], second["kind"]) == (4, 5, "edit")
    said = opened.says("turn", "show", "c1", "id:2", "--revisions")
    assert "until 4" in said
    assert "Other words. On two lines." in said


def test_what_a_turn_said_at_a_revision_is_shown() -> None:
    opened = edited()
    assert opened.json("turn", "show", "c1", "id:2", "--revision", "3")["text"] == "t2"
    assert opened.says("turn", "show", "c1", "id:2", "--revision", "4") == (
        f"Turn id:2 at revision 4: assistant, assistant, 5 tokens. "
        f"It said so since 4 (edit, {AT}) until 5.\n\nOther words.\nOn two lines.\n"
    )
    said = opened.says("turn", "show", "c1", "1", "--revision", "5")
    assert f"since 1 (append, {AT}) and still does.\n\nt1\n" in said


@pytest.mark.parametrize(
    ("words", "code", "kind"),
    [
        (["id:2", "--revision", "5"], 3, "RevisionNotFound"),
        (["1", "--revision", "99"], 3, "RevisionNotFound"),
        (["1", "--revision", "0"], 2, "UsageError"),
        (["id:9", "--revisions"], 3, "TurnNotFound"),
        (["1", "--revisions", "--revision", "1"], 2, "UsageError"),
    ],
)
def test_revisions_that_are_not_there_are_refused(words: list[str], code: int, kind: str) -> None:
    found, error = edited().error("turn", "show", "c1", *words)
    assert (found, error["type"]) == (code, kind)
