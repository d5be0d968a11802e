import inspect
import re

import pytest

from foreword import errors
from foreword.errors import ForewordError

CLASSES = {
    name: kind
    for name, kind in inspect.getmembers(errors, inspect.isclass)
    if issubclass(kind, ForewordError)
}

Condition = tuple[ForewordError, dict[str, object], str]


def call_failed(kind: type[errors.CallFailed], message: str) -> Condition:
    fields: dict[str, object] = {"route": "chat", "detail": "it said so"}
    return (kind(route="chat", detail="it said so"), fields, message)


CONDITIONS: tuple[Condition, ...] = (
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
        errors.RouteNotFound("sumarise"),
        {"reference": "sumarise"},
        "There is no route 'sumarise'. `foreword routes list` lists them.",
    ),
    (
        errors.CallNotFound("7"),
        {"reference": "7"},
        "There is no call '7'. `foreword cost CONV --calls` lists them.",
    ),
    (
        errors.PromptNotFound("7"),
        {"reference": "7"},
        "There is no kept prompt '7'. `foreword prompt CONV --list` lists them.",
    ),
    (
        errors.RevisionNotFound("9 of turn 2"),
        {"reference": "9 of turn 2"},
        (
            "There is no revision '9 of turn 2'. "
            "`foreword turn show CONV N --revisions` lists those of a turn."
        ),
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
        {"name": "meta", "line": 3, "reason": "unknown variable", "column": 0, "shown": ""},
        (
            "Template 'meta', line 3: unknown variable. "
            "Correct it: only a template that passes this check can be saved."
        ),
    ),
    (
        errors.TemplateInvalid(
            name="meta", line=3, column=4, reason="unknown variable", shown="{{ x }}"
        ),
        {"name": "meta", "line": 3, "reason": "unknown variable", "column": 4, "shown": "{{ x }}"},
        (
            "Template 'meta', line 3, column 4: unknown variable.\n"
            "  3 | {{ x }}\n"
            "    |    ^\n"
            "Correct it: only a template that passes this check can be saved."
        ),
    ),
    (
        errors.EditorFailed(command="nano", reason="it ended with code 1"),
        {"command": "nano", "reason": "it ended with code 1"},
        (
            "The editor 'nano' cannot be used: it ended with code 1. "
            "Set VISUAL or EDITOR to one, or give the text with --file."
        ),
    ),
    (
        errors.TemplateInvalid(name="meta", line=0, reason="it is empty"),
        {"name": "meta", "line": 0, "reason": "it is empty", "column": 0, "shown": ""},
        (
            "Template 'meta': it is empty. "
            "Correct it: only a template that passes this check can be saved."
        ),
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
        errors.FileUnwritable(path="a/chat.md", reason="no such file or directory"),
        {"path": "a/chat.md", "reason": "no such file or directory"},
        "a/chat.md cannot be written: no such file or directory. Choose another place for it.",
    ),
    (
        errors.ExportFormatUnknown(name="docx", known=["bundle", "openai"]),
        {"name": "docx", "known": ("bundle", "openai")},
        "There is no format 'docx' to export to. Choose one of bundle, openai.",
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
        errors.RouteMissing(route="chat"),
        {"route": "chat"},
        (
            "No model is set for route 'chat'. Name one: `foreword routes set chat --url URL "
            "--model MODEL`, or `--model FILE.gguf` for one in this process."
        ),
    ),
    (
        errors.UpstreamNotFound("opnai"),
        {"reference": "opnai"},
        "There is no upstream 'opnai'. `foreword upstreams list` shows all of them.",
    ),
    (
        errors.UpstreamUnclear(names=()),
        {"names": ()},
        (
            "No upstream is set. Name the model's server: `foreword upstreams set default "
            "--url URL`."
        ),
    ),
    (
        errors.UpstreamUnclear(names=["near", "far"]),
        {"names": ("near", "far")},
        (
            "The request does not say which upstream it is for (near, far). Choose with the "
            "model's name 'near/MODEL', with the address /u/near/v1, or give one of them the "
            "name 'default'."
        ),
    ),
    (
        errors.BodyTooLarge(limit=64 * 1024**2),
        {"limit": 67_108_864},
        "The request is larger than 64 MB. Choose smaller images or fewer files.",
    ),
    (
        errors.AddressUnavailable(host="127.0.0.1", port=7373, reason="Address in use"),
        {"host": "127.0.0.1", "port": 7373, "reason": "Address in use"},
        (
            "Foreword cannot listen on 127.0.0.1, port 7373: Address in use. Another one may be "
            "running there; choose another --port or --host."
        ),
    ),
    (
        errors.UpstreamKeyMissing(upstream="near", variable="NEAR_KEY"),
        {"upstream": "near", "variable": "NEAR_KEY"},
        (
            "Upstream 'near' needs a key and the variable NEAR_KEY holds none where the proxy "
            "runs. Set it and start the proxy again, or let clients send their own: "
            "`foreword upstreams set near --key-env ''`."
        ),
    ),
    (
        errors.UpstreamUnreachable(upstream="near", detail="refused"),
        {"upstream": "near", "detail": "refused"},
        (
            "Upstream 'near' gave no answer (refused). See that it runs and that its URL is "
            "right: `foreword upstreams list`."
        ),
    ),
    (
        errors.UpstreamCut(upstream="near", detail="reset"),
        {"upstream": "near", "detail": "reset"},
        "Upstream 'near' ended its answer in the middle (reset). Try again.",
    ),
    (
        errors.UpstreamRedirects(upstream="near", location="https://far/v1"),
        {"upstream": "near", "location": "https://far/v1"},
        (
            "Upstream 'near' points to https://far/v1 instead of answering. Set the right URL: "
            "`foreword upstreams set near --url URL`."
        ),
    ),
    (
        errors.UpstreamRedirects(upstream="near", location=""),
        {"upstream": "near", "location": ""},
        (
            "Upstream 'near' points to another address instead of answering. Set the right URL: "
            "`foreword upstreams set near --url URL`."
        ),
    ),
    (
        errors.KeyUnavailable(route="chat", reason="key.txt is empty. Write the key into it."),
        {"route": "chat", "reason": "key.txt is empty. Write the key into it."},
        "The key of route 'chat' cannot be read: key.txt is empty. Write the key into it.",
    ),
    (
        errors.OverwriteRefused("f.db"),
        {"path": "f.db"},
        "f.db is not empty. Give --force to replace what is there.",
    ),
    (
        errors.ExtraMissing(extra="postgres"),
        {"route": "", "extra": "postgres"},
        (
            "This database needs packages that are not installed: "
            "`pip install 'foreword[postgres]'`."
        ),
    ),
    (
        errors.ExtraMissing(route="chat", extra="anthropic"),
        {"route": "chat", "extra": "anthropic"},
        (
            "Route 'chat' needs packages that are not installed: "
            "`pip install 'foreword[anthropic]'`."
        ),
    ),
    (
        errors.OutdatedSummaries(question="S2 is out of date. Go on?", turn_ids=[4, 5]),
        {"question": "S2 is out of date. Go on?", "turn_ids": (4, 5)},
        (
            "S2 is out of date. Go on? --yes goes on without them, --no stops; `foreword summary "
            "repair` remakes them."
        ),
    ),
    (
        errors.NothingToAnswer(),
        {},
        "There is no visible turn to answer yet. Say something first.",
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
        errors.SpanTooLong(needed=9000, limit=4096, last_order_that_fits=4),
        {"needed": 9000, "limit": 4096, "last_order_that_fits": 4, "route": "summarise"},
        (
            "Contextual limit not sufficient. This needs 9000 tokens, route 'summarise' has 4096. "
            "It fits up to turn 4; --split makes several."
        ),
    ),
    (
        errors.SpanTooLong(needed=9000, limit=4096, last_order_that_fits=0, route="merge"),
        {"needed": 9000, "limit": 4096, "last_order_that_fits": 0, "route": "merge"},
        (
            "Contextual limit not sufficient. This needs 9000 tokens, route 'merge' has 4096. Not "
            "even the first of them fits: give the route a model with a larger context."
        ),
    ),
    (
        errors.SummaryUnusable(maker="builtin", reason="it is empty"),
        {"maker": "builtin", "reason": "it is empty", "raw": "", "gates": (), "call": 0},
        (
            "builtin gave no usable summary: it is empty. It was not kept as memory. Try "
            "again, or set a route 'fallback' or the setting last_resort."
        ),
    ),
    (
        errors.SummaryUnusable(maker="m", reason="it declines: “I cannot.”"),
        {"maker": "m", "reason": "it declines: “I cannot.”", "raw": "", "gates": (), "call": 0},
        (
            "m gave no usable summary: it declines: “I cannot.” It was not kept as memory. Try "
            "again, or set a route 'fallback' or the setting last_resort."
        ),
    ),
    (
        errors.SummaryUnusable(
            maker="m", reason="it is empty", raw="<think>…", gates=["empty"], call=7
        ),
        {
            "maker": "m",
            "reason": "it is empty",
            "raw": "<think>…",
            "gates": ("empty",),
            "call": 7,
        },
        (
            "m gave no usable summary: it is empty. It was not kept as memory. Try again, or set "
            "a route 'fallback' or the setting last_resort. "
            "`foreword cost CONV --call 7` shows what it wrote."
        ),
    ),
    call_failed(
        errors.ModelUnreachable,
        (
            "Route 'chat': the model's server cannot be reached (it said so). See that it runs "
            "and that the URL is right: `foreword routes test chat`."
        ),
    ),
    call_failed(
        errors.ModelTimedOut,
        (
            "Route 'chat': the model took too long (it said so). Try again, or raise the route's "
            "--timeout."
        ),
    ),
    call_failed(
        errors.ModelOverloaded,
        ("Route 'chat': the model's server cannot answer now (it said so). Try again later."),
    ),
    call_failed(
        errors.KeyRejected,
        (
            "Route 'chat': the key was not accepted (it said so). Give the route another key: "
            "--key-env or --key-file."
        ),
    ),
    call_failed(
        errors.QuotaExhausted,
        (
            "Route 'chat': the provider's quota is used up (it said so). Top it up, or give the "
            "route another provider."
        ),
    ),
    call_failed(
        errors.ModelUnknown,
        (
            "Route 'chat': the server does not know the model or the address (it said so). Check "
            "--url and --model: `foreword routes test chat`."
        ),
    ),
    call_failed(
        errors.RequestRefused,
        (
            "Route 'chat': the server refused the request (it said so). What it says is in "
            "brackets; another model may take it."
        ),
    ),
    call_failed(
        errors.AnswerUnreadable,
        (
            "Route 'chat': what came back is no answer of a model (it said so). Check the URL, "
            "which often ends with /v1: `foreword routes test chat`."
        ),
    ),
    (
        errors.RateLimited(route="chat", detail="429", retry_after=2.5),
        {"route": "chat", "detail": "429", "retry_after": 2.5},
        (
            "Route 'chat': the provider asks for fewer requests (429). Wait, or lower the route's "
            "--rpm."
        ),
    ),
    (
        errors.ContextOverflow(route="chat", detail="400", needed=9000, limit=8192),
        {"route": "chat", "detail": "400", "needed": 9000, "limit": 8192},
        (
            "Route 'chat': the request is longer than the model's context (400). Give the route "
            "its right --context, or summarise less at once."
        ),
    ),
    (
        errors.BreakerOpen(
            route="chat",
            failure=errors.FailureClass.RATE_LIMIT,
            failures=3,
            until="2026-12-01T10:00:00+00:00",
        ),
        {
            "route": "chat",
            "failure": errors.FailureClass.RATE_LIMIT,
            "failures": 3,
            "until": "2026-12-01T10:00:00+00:00",
        },
        (
            "Route 'chat' is not asked until 2026-12-01T10:00:00+00:00: 3 calls in a row failed "
            "(too many requests). `foreword routes test chat` asks at once and, when it answers, "
            "calls go on."
        ),
    ),
    (
        errors.SpendCapReached(setting="spend_per_day", spent=0.9912, estimate=0.00002, cap=1.0),
        {"setting": "spend_per_day", "spent": 0.9912, "estimate": 0.00002, "cap": 1.0},
        (
            "spend_per_day is $1.00; $0.9912 are spent and this call would cost up to $0.00002. "
            "Raise the setting 'spend_per_day', or wait for the next day (UTC)."
        ),
    ),
    (
        errors.SpendCapReached(setting="spend_per_conversation", spent=1, estimate=1, cap=1.5),
        {"setting": "spend_per_conversation", "spent": 1, "estimate": 1, "cap": 1.5},
        (
            "spend_per_conversation is $1.50; $1.00 are spent and this call would cost up to "
            "$1.00. Raise the setting 'spend_per_conversation'."
        ),
    ),
    (
        errors.PriceUnknown(setting="spend_per_day", route="chat"),
        {"setting": "spend_per_day", "route": "chat"},
        (
            "spend_per_day is set, but the price of route 'chat' is not known. Give it with "
            "`foreword routes set chat --price-in … --price-out …` (0 for a model of your own), "
            "or take the cap away."
        ),
    ),
    (
        errors.StoreUnavailable("database is locked"),
        {"reason": "database is locked"},
        "The database does not answer: database is locked. Try again.",
    ),
    (
        errors.StoreBusy("f.db"),
        {"path": "f.db"},
        (
            "Somebody else has been writing to f.db for too long. Nothing of this command was "
            "written; let the other one end and run it again."
        ),
    ),
    (
        errors.OutcomeUnknown("postgresql://host/stories"),
        {"path": "postgresql://host/stories"},
        (
            "The connection to postgresql://host/stories was lost at the last moment of this "
            "command, and it does not answer since. Either all of it was written or nothing: look "
            "before you run it again."
        ),
    ),
    (
        errors.StoreReadOnly("f.db"),
        {"path": "f.db"},
        (
            "f.db cannot be written. Choose another place with --data-dir, --database or "
            "FOREWORD_HOME."
        ),
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
    "update|export|history|a new command clears|redo|try again|raise|free some space|put a copy|"
    "let the other one end|look before|`pip|`--model|say something|write|wait|another model|"
    "take the cap away|--split"
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
    assert retryable == {
        "AnswerUnreadable",
        "BreakerOpen",
        "ModelOverloaded",
        "ModelTimedOut",
        "ModelUnreachable",
        "RateLimited",
        "StoreBusy",
        "StoreConflict",
        "StoreUnavailable",
        "UpstreamCut",
        "UpstreamUnreachable",
    }


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
        if names[:1] in (["NotFound"], ["CallFailed"]):
            drawn[names[0]] = parent
            parent = names.pop(0)
        drawn |= dict.fromkeys(names, parent)
    assert drawn == {name: kind.__mro__[1].__name__ for name, kind in CLASSES.items()}


def test_categories_end_in_error_and_conditions_do_not() -> None:
    for name, kind in CLASSES.items():
        category = kind is ForewordError or kind.__mro__[1] is ForewordError
        assert name.endswith("Error") is category


def test_every_failure_of_a_call_is_counted_by_a_breaker() -> None:
    counted = {
        kind.failure
        for kind in CLASSES.values()
        if issubclass(kind, errors.CallFailed) and kind is not errors.CallFailed
    }
    judged = {errors.FailureClass.UNUSABLE, errors.FailureClass.NO_PROGRESS}
    assert counted == set(errors.FailureClass) - judged


@pytest.mark.parametrize(
    ("amount", "words"),
    [(0.0, "$0.00"), (2.5, "$2.50"), (0.000001, "$0.000001"), (999_999_999.0, "$999999999.00")],
)
def test_money_is_said_to_the_last_digit_that_counts(amount: float, words: str) -> None:
    error = errors.SpendCapReached(setting="cap", spent=0.0, estimate=1.0, cap=amount)
    assert str(error).startswith(f"cap is {words}; $0.00 are spent and this call would cost up to")
