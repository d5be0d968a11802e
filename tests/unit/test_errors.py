import inspect
import re
from pathlib import Path

import pytest

from foreword import errors
from foreword.errors import ForewordError

CLASSES = {
    name: kind
    for name, kind in inspect.getmembers(errors, inspect.isclass)
    if issubclass(kind, ForewordError)
}

CONDITIONS: tuple[tuple[ForewordError, dict[str, object], str], ...] = (
    (
        errors.ConversationNotFound("rain"),
        {"reference": "rain"},
        "There is no conversation 'rain'. `foreword list` shows all of them.",
    ),
    (
        errors.BranchNotFound("rain"),
        {"reference": "rain"},
        "There is no branch 'rain'. `foreword branch list CONV` shows all of them.",
    ),
    (
        errors.TurnNotFound("7"),
        {"reference": "7"},
        "There is no turn '7'. `foreword turn list CONV` shows the numbers.",
    ),
    (
        errors.AlternativeNotFound("7"),
        {"reference": "7"},
        "There is no alternative '7'. `foreword turn show CONV N` lists them.",
    ),
    (
        errors.SummaryNotFound("S7"),
        {"reference": "S7"},
        "There is no summary 'S7'. `foreword summary list CONV --all` lists them.",
    ),
    (
        errors.OpNotFound("7"),
        {"reference": "7"},
        "There is no history entry '7'. `foreword history CONV` lists them.",
    ),
    (
        errors.TemplateNotFound("mastr"),
        {"reference": "mastr"},
        "There is no template 'mastr'. `foreword templates list` lists them.",
    ),
    (
        errors.AmbiguousReference("a", list("abcdef")),
        {"reference": "a", "matches": tuple("abcdef")},
        "'a' could mean 6 things: a, b, c, d, e, …. Use more of the id.",
    ),
    (
        errors.AmbiguousReference("a", ["ab", "ac"]),
        {"reference": "a", "matches": ("ab", "ac")},
        "'a' could mean 2 things: ab, ac. Use more of the id.",
    ),
    (
        errors.UnknownSetting(name="contxt", known=["context", "reply"]),
        {"name": "contxt", "known": ("context", "reply")},
        "There is no setting 'contxt'. Choose one of context, reply.",
    ),
    (
        errors.InvalidSetting(name="mode", value="x" * 500, wanted="one of manual, advised"),
        {"name": "mode", "value": "x" * 500, "wanted": "one of manual, advised"},
        f"mode cannot be '{'x' * 80}': give one of manual, advised.",
    ),
    (
        errors.TemplateInvalid(name="meta", line=3, reason="unknown variable"),
        {"name": "meta", "line": 3, "reason": "unknown variable"},
        "Template 'meta', line 3: unknown variable. Correct it; it was not saved.",
    ),
    (
        errors.TemplateInvalid(name="meta", line=0, reason="it is empty"),
        {"name": "meta", "line": 0, "reason": "it is empty"},
        "Template 'meta': it is empty. Correct it; it was not saved.",
    ),
    (
        errors.EmptyText("turn"),
        {"what": "turn"},
        "A turn needs some text; white space is none. Give some.",
    ),
    (
        errors.NothingToSummarise(4),
        {"through": 4},
        "No visible turn up to 4 lacks a summary. Choose a later one.",
    ),
    (
        errors.SpanCovered(order=4, summary_id=2),
        {"order": 4, "summary_id": 2},
        "Turn 4 is already covered by S2. Delete or regenerate S2, or choose a later turn.",
    ),
    (
        errors.SummaryNotInUse(summary_id=2, state="stale"),
        {"summary_id": 2, "state": "stale"},
        (
            "S2 is stale, not in use. Only summaries in use can be edited, merged, regenerated or "
            "deleted: unwind what is above it, repair it, or undo what took it away."
        ),
    ),
    (
        errors.NotAMetaSummary(2),
        {"summary_id": 2},
        "S2 was made from turns: there is nothing to unwind. Delete it instead.",
    ),
    (
        errors.MergeRefused(reason="Tick two.", summary_ids=[2, 3]),
        {"reason": "Tick two.", "summary_ids": (2, 3)},
        "Tick two.",
    ),
    (
        errors.FileUnreadable(path="chat.jsonl", reason="it is cut off. Export it again."),
        {"path": "chat.jsonl", "reason": "it is cut off. Export it again."},
        "chat.jsonl: it is cut off. Export it again.",
    ),
    (
        errors.FormatUnknown(path="chat.xyz", known=["bundle", "plain text"]),
        {"path": "chat.xyz", "known": ("bundle", "plain text")},
        "chat.xyz is in no format that Foreword reads. Convert it to bundle or plain text.",
    ),
    (
        errors.BundleTooNew(found=3, known=1),
        {"found": 3, "known": 1},
        (
            "This bundle has format 3; this Foreword reads up to 1. Update Foreword, or export it "
            "again from the older one."
        ),
    ),
    (
        errors.NothingToUndo(),
        {},
        "Nothing is left to undo on this branch; `history` lists what was.",
    ),
    (
        errors.NothingToRedo(),
        {},
        "There is nothing to redo: a new command clears what was undone.",
    ),
    (
        errors.UndoConflict(target=4, later=9, later_kind="merge"),
        {"target": 4, "later": 9, "later_kind": "merge"},
        "4 cannot be undone: 9 (merge) changed the same turns or summaries since. Undo 9 first.",
    ),
    (
        errors.UndoOverlap(target=4, summary_ids=[2, 3]),
        {"target": 4, "summary_ids": (2, 3)},
        (
            "4 cannot be undone: S2 and S3 would both cover the same turns. Delete the newer "
            "summary first."
        ),
    ),
    (
        errors.AlreadyUndone(4),
        {"target": 4},
        "4 is already undone. `foreword redo` brings back the last one.",
    ),
    (
        errors.ForkInUse(branch="rain", later=9),
        {"branch": "rain", "later": 9},
        "Branch 'rain' has changes of its own (the last is 9). Undo those first.",
    ),
    (
        errors.StoreConflict("S2"),
        {"what": "S2"},
        "S2 changed meanwhile; nothing was written. Try again.",
    ),
    (
        errors.ContextTooSmall(needed=900, limit=512, largest="personas"),
        {"needed": 900, "limit": 512, "largest": "personas"},
        (
            "Contextual limit not sufficient. What must be sent needs 900 tokens, 512 are "
            "available; the largest part is personas. Merge or repair summaries, unpin or shorten "
            "turns, shorten the fixed texts, or raise the context."
        ),
    ),
    (
        errors.SummaryUnusable(maker="builtin", reason="it is empty"),
        {"maker": "builtin", "reason": "it is empty"},
        "builtin gave no usable summary: it is empty. Nothing was changed; try again.",
    ),
    (
        errors.StoreUnavailable("database is locked"),
        {"reason": "database is locked"},
        "The database does not answer: database is locked. Try again.",
    ),
    (
        errors.StoreReadOnly("f.db"),
        {"path": "f.db"},
        "f.db cannot be written. Choose another folder with --data-dir or FOREWORD_HOME.",
    ),
    (
        errors.StoreFull("f.db"),
        {"path": "f.db"},
        (
            "No space is left for f.db. Nothing of this command was written; free some space and "
            "run it again."
        ),
    ),
    (
        errors.StoreDamaged(path="f.db", reason="file is not a database"),
        {"path": "f.db", "reason": "file is not a database"},
        (
            "f.db cannot be read as a Foreword database: file is not a database. Put a copy of it "
            "back, or choose another folder with --data-dir."
        ),
    ),
    (
        errors.MigrationNeeded(found="0009", wanted="0001"),
        {"found": "0009", "wanted": "0001"},
        "The database has schema 0009, this Foreword needs 0001. Update Foreword.",
    ),
)

NEXT_STEPS = (
    "`foreword|choose|use more|give|correct|delete|change|unwind|repair|undo|tick|check|convert|"
    "update|export|history|a new command clears|redo|try again|raise|free some space|put a copy"
)


@pytest.mark.parametrize(("error", "fields", "message"), CONDITIONS)
def test_a_condition_keeps_its_fields_and_says_them(
    error: ForewordError, fields: dict[str, object], message: str
) -> None:
    assert vars(error) == fields
    assert str(error) == message


@pytest.mark.parametrize(("error", "fields", "message"), CONDITIONS)
def test_a_message_ends_with_what_to_do_or_why_nothing_can_be(
    error: ForewordError, fields: dict[str, object], message: str
) -> None:
    assert message.endswith(".")
    last_sentences = message.casefold()[-90:]
    assert re.search(NEXT_STEPS, last_sentences)


def test_every_condition_is_tried_here() -> None:
    parents = {parent for kind in CLASSES.values() for parent in kind.__mro__[1:]}
    assert {type(error) for error, _, _ in CONDITIONS} == set(CLASSES.values()) - parents


def test_only_what_may_work_the_second_time_can_be_tried_again() -> None:
    retryable = {name for name, kind in CLASSES.items() if kind.retryable}
    assert retryable == {"StoreConflict", "StoreUnavailable"}


def test_the_drawing_has_every_class_under_its_parent() -> None:
    drawing = (inspect.getdoc(errors) or "").partition("\n\n")[2].partition("\n\n")[0]
    drawn = {"ForewordError": "Exception"}
    category = parent = ""
    for line in inspect.cleandoc(drawing).splitlines()[1:]:
        names = [word for word in re.findall(r"\w+", line) if word in CLASSES]
        if line[0] in "├└":
            category = names[0]
            drawn[category] = "ForewordError"
            continue
        if "──" in line:
            parent = category
        if names[:1] == ["NotFound"]:
            drawn["NotFound"] = parent
            parent = names.pop(0)
        drawn |= dict.fromkeys(names, parent)
    assert drawn == {name: kind.__mro__[1].__name__ for name, kind in CLASSES.items()}


def test_categories_end_in_error_and_conditions_do_not() -> None:
    for name, kind in CLASSES.items():
        category = kind is ForewordError or kind.__mro__[1] is ForewordError
        assert name.endswith("Error") is category


def test_the_whole_tree_is_one_file_of_readable_size() -> None:
    assert len(Path(errors.__file__).read_text("utf-8").splitlines()) <= 400
