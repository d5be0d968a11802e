"""What every use case works with: the engine's parts, and the place it works on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from foreword.domain.conversation import Branch
from foreword.domain.ids import DEFAULT_ACCOUNT, AccountId, BranchId, ConversationId, Rev
from foreword.domain.interchange import Bundle, FileContents, ForeignSettings
from foreword.domain.jobs import JobKind
from foreword.domain.ops import OpKind
from foreword.domain.policy import Policy, policy_from
from foreword.domain.routes import Route
from foreword.domain.summary import CoverState
from foreword.engine.sent import SentMessages
from foreword.planning.budgets import budgets
from foreword.ports.chat_model import ChatModels
from foreword.ports.clock import Clock
from foreword.ports.format import SourceFile, Written
from foreword.ports.jobs import JobQueue
from foreword.ports.ledger import Ledger
from foreword.ports.store import ReadSession, Store, WriteSession
from foreword.ports.summariser import Summariser
from foreword.ports.token_counter import TokenCounter
from foreword.prompts.templates import TemplateName

USER = "user"
"""The actor of what people ask for."""
MEMORY = "memory"
"""The actor of what memory does by itself: the user's undo passes it by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """The parts that use cases stand on; made by `bootstrap`."""

    store: Store
    counter: TokenCounter
    clock: Clock
    summariser: Summariser
    """The built-in one: for routes of that kind, and as a last resort."""
    ledger: Ledger
    jobs: JobQueue
    models: ChatModels
    sleep: Callable[[float], Awaitable[None]]
    """Waits so many seconds; ends at once when the task is cancelled."""
    new_id: Callable[[], str]
    """Makes the id of a new conversation."""
    new_fence: Callable[[], str]
    """Makes a word that nobody can guess, for the lines around texts that are data."""
    templates: Mapping[TemplateName, str]
    """Built-in template texts by name."""
    read_file: Callable[[SourceFile], FileContents]
    """Reads a file in whatever format it is."""
    read_settings: Callable[[SourceFile], ForeignSettings]
    """Reads another program's settings."""
    write_bundle: Callable[[Bundle], bytes]
    write_file: Callable[[str, Bundle, BranchId], Written]
    """Writes a branch in the format of a name."""
    keys: Callable[[Iterable[Route]], tuple[str, ...]] = lambda _routes: ()
    """Reads the keys of routes, as far as they can be read: what no log may hold."""
    account: AccountId = DEFAULT_ACCOUNT
    actor: str = USER
    sent: SentMessages = field(default_factory=SentMessages, repr=False, compare=False)
    """What prompts need not make again."""

    def now(self) -> str:
        """Return the time now in ISO 8601, UTC, to the second."""
        return self.clock.now().isoformat(timespec="seconds")

    def moment(self) -> str:
        """Return the time now in ISO 8601, UTC, to the millisecond."""
        return self.clock.now().isoformat(timespec="milliseconds")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A conversation, and one of its branches; the current one by default."""

    conversation: ConversationId
    branch: BranchId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A branch opened to be read."""

    session: ReadSession
    branch: Branch


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """A branch opened to be changed."""

    engine: Engine
    session: WriteSession
    branch: Branch

    def begin(self, kind: OpKind, *, group: Rev | None = None, undoes: Rev | None = None) -> Rev:
        """Write the op into the journal; to be called before the first change."""
        return self.session.begin(
            self.branch.id,
            kind,
            actor=self.engine.actor,
            at=self.engine.now(),
            group=group,
            undoes=undoes,
        )


@contextmanager
def reading(engine: Engine, place: Place) -> Iterator[Reading]:
    """Open a branch to be read."""
    with engine.store.read(engine.account, place.conversation) as session:
        yield Reading(session=session, branch=_branch(session, place))


@contextmanager
def writing(engine: Engine, place: Place) -> Iterator[Writing]:
    """Open a branch to be changed: all of it, or nothing when the block raises."""
    with engine.store.write(engine.account, place.conversation) as session:
        to = Writing(engine=engine, session=session, branch=_branch(session, place))
        yield to
        _want_upkeep(to)


def _want_upkeep(to: Writing) -> None:
    """Make background work due where the change calls for some; what exactly is planned later."""
    session, policy = to.session, policy_of(to.session)
    automatic = policy.mode.automatic and policy.memory and not policy.paused
    if not automatic or to.engine.actor == MEMORY:
        return
    branch, count = session.branch(to.branch.id), to.engine.counter.count
    fixed = count(policy.system) + count(policy.personas)
    pile = branch.visible_tokens - sum(row.src_tokens for row in session.cover(branch.id))
    stale = any(
        row.since == session.conversation.rev for row in session.cover(branch.id, CoverState.STALE)
    )
    if stale or pile >= budgets(policy, fixed=fixed).trigger:
        session.want(branch.id, JobKind.UPKEEP, to.engine.moment())


def _branch(session: ReadSession, place: Place) -> Branch:
    branch = place.branch
    return session.branch(session.conversation.current_branch if branch is None else branch)


def settings_of(session: ReadSession) -> dict[str, str]:
    """Return the settings in force: the conversation's over the account's."""
    return {**session.defaults(), **session.conversation.settings}


def policy_of(session: ReadSession) -> Policy:
    """Return the settings in force, checked."""
    return policy_from(settings_of(session))
