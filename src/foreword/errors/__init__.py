"""Everything that can go wrong, as one tree.

    ForewordError
    ├── InputError                   what was asked cannot be done as asked
    │   ├── NotFound                 ConversationNotFound, BranchNotFound, TurnNotFound,
    │   │                            AlternativeNotFound, SummaryNotFound, OpNotFound,
    │   │                            TemplateNotFound, RouteNotFound, CallNotFound,
    │   │                            PromptNotFound, RevisionNotFound
    │   ├── AmbiguousReference, UnknownSetting, InvalidSetting, TemplateInvalid, EditorFailed,
    │   │                            EmptyText
    │   ├── NothingToSummarise, SpanCovered, SummaryNotInUse, NotAMetaSummary, MergeRefused
    │   ├── FileUnreadable, FileUnwritable, FormatUnknown, ExportFormatUnknown,
    │   ├── BundleTooNew
    │   └── RouteMissing, KeyUnavailable, ExtraMissing, OverwriteRefused, OutdatedSummaries,
    │                                NothingToAnswer
    ├── ConflictError                somebody changed what this would change
    │   ├── NothingToUndo, NothingToRedo, UndoConflict, UndoOverlap, AlreadyUndone, ForkInUse
    │   └── StoreConflict            retryable
    ├── BudgetError                  something does not fit into the context
    │   └── ContextTooSmall, SpanTooLong
    ├── ModelError                   a model or summariser gave nothing usable
    │   ├── SummaryUnusable, BreakerOpen (retryable), SpendCapReached, PriceUnknown
    │   └── CallFailed               ModelUnreachable, ModelTimedOut, ModelOverloaded, RateLimited,
    │                                AnswerUnreadable (all retryable), KeyRejected, QuotaExhausted,
    │                                ModelUnknown, RequestRefused, ContextOverflow
    └── StoreError                   the database cannot do what was asked
        └── StoreUnavailable (retryable), StoreBusy (retryable), OutcomeUnknown,
            StoreReadOnly, StoreFull, StoreDamaged, MigrationNeeded

Conditions carry typed fields and build their message from them. The types are API, the wording is
not; a message ends with what to do next.
"""

from foreword.errors.budgets import (
    ContextTooSmall,
    SpanTooLong,
)
from foreword.errors.conflicts import (
    AlreadyUndone,
    ForkInUse,
    NothingToRedo,
    NothingToUndo,
    StoreConflict,
    UndoConflict,
    UndoOverlap,
)
from foreword.errors.inputs import (
    AlternativeNotFound,
    AmbiguousReference,
    BranchNotFound,
    BundleTooNew,
    CallNotFound,
    ConversationNotFound,
    EditorFailed,
    EmptyText,
    ExportFormatUnknown,
    ExtraMissing,
    FileUnreadable,
    FileUnwritable,
    FormatUnknown,
    InvalidSetting,
    KeyUnavailable,
    MergeRefused,
    NotAMetaSummary,
    NotFound,
    NothingToAnswer,
    NothingToSummarise,
    OpNotFound,
    OutdatedSummaries,
    OverwriteRefused,
    PromptNotFound,
    RevisionNotFound,
    RouteMissing,
    RouteNotFound,
    SpanCovered,
    SummaryNotFound,
    SummaryNotInUse,
    TemplateInvalid,
    TemplateNotFound,
    TurnNotFound,
    UnknownSetting,
)
from foreword.errors.models import (
    AnswerUnreadable,
    BreakerOpen,
    CallFailed,
    ContextOverflow,
    FailureClass,
    KeyRejected,
    ModelOverloaded,
    ModelTimedOut,
    ModelUnknown,
    ModelUnreachable,
    PriceUnknown,
    QuotaExhausted,
    RateLimited,
    RequestRefused,
    SpendCapReached,
    SummaryUnusable,
)
from foreword.errors.stores import (
    MigrationNeeded,
    OutcomeUnknown,
    StoreBusy,
    StoreDamaged,
    StoreFull,
    StoreReadOnly,
    StoreUnavailable,
)
from foreword.errors.tree import (
    BudgetError,
    ConflictError,
    ForewordError,
    InputError,
    ModelError,
    StoreError,
)

__all__ = [
    "AlreadyUndone",
    "AlternativeNotFound",
    "AmbiguousReference",
    "AnswerUnreadable",
    "BranchNotFound",
    "BreakerOpen",
    "BudgetError",
    "BundleTooNew",
    "CallFailed",
    "CallNotFound",
    "ConflictError",
    "ContextOverflow",
    "ContextTooSmall",
    "ConversationNotFound",
    "EditorFailed",
    "EmptyText",
    "ExportFormatUnknown",
    "ExtraMissing",
    "FailureClass",
    "FileUnreadable",
    "FileUnwritable",
    "ForewordError",
    "ForkInUse",
    "FormatUnknown",
    "InputError",
    "InvalidSetting",
    "KeyRejected",
    "KeyUnavailable",
    "MergeRefused",
    "MigrationNeeded",
    "ModelError",
    "ModelOverloaded",
    "ModelTimedOut",
    "ModelUnknown",
    "ModelUnreachable",
    "NotAMetaSummary",
    "NotFound",
    "NothingToAnswer",
    "NothingToRedo",
    "NothingToSummarise",
    "NothingToUndo",
    "OpNotFound",
    "OutcomeUnknown",
    "OutdatedSummaries",
    "OverwriteRefused",
    "PriceUnknown",
    "PromptNotFound",
    "QuotaExhausted",
    "RateLimited",
    "RequestRefused",
    "RevisionNotFound",
    "RouteMissing",
    "RouteNotFound",
    "SpanCovered",
    "SpanTooLong",
    "SpendCapReached",
    "StoreBusy",
    "StoreConflict",
    "StoreDamaged",
    "StoreError",
    "StoreFull",
    "StoreReadOnly",
    "StoreUnavailable",
    "SummaryNotFound",
    "SummaryNotInUse",
    "SummaryUnusable",
    "TemplateInvalid",
    "TemplateNotFound",
    "TurnNotFound",
    "UndoConflict",
    "UndoOverlap",
    "UnknownSetting",
]
