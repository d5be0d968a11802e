"""All conversations of a data folder or a database.

Above: programs, through `foreword.library`. Below: `library.conversation` and the engine.
"""

from __future__ import annotations

from pathlib import Path
from types import TracebackType

from foreword.bootstrap import open_engine
from foreword.engine import (
    conversations,
    costs,
    importing,
    probing,
    references,
    routes,
    templates,
    verifying,
)
from foreword.engine.context import Engine, Place
from foreword.engine.costs import Costs
from foreword.engine.routes import RouteView
from foreword.errors import FileUnreadable
from foreword.library.conversation import Conversation
from foreword.ports.format import SourceFile
from foreword.prompts.templates import ChosenTemplate, template_name


def open_memory(data_dir: str | Path | None = None, *, database: str | None = None) -> Memory:
    """Open the memory in a folder, which is made when it is not there, or in a database.

    Args:
        data_dir: the folder; by default `FOREWORD_HOME` or the user's data folder.
        database: path of a SQLite file, or an address as `postgresql://…`.

    Raises:
        InvalidSetting, ExtraMissing, StoreError: see each.
    """
    return Memory(open_engine(None if data_dir is None else Path(data_dir), database=database))


class Memory:
    """All conversations of a data folder; use it in a `with` block or close it."""

    def __init__(self, engine: Engine) -> None:
        """Work on an engine that somebody has put together."""
        self.engine = engine

    def __enter__(self) -> Memory:
        """Return itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Let go of files and connections."""
        self.engine.store.close()

    def new(self, title: str, **settings: str) -> Conversation:
        """Make an empty conversation; settings as `foreword settings show` lists them."""
        made = conversations.create(self.engine, title, settings)
        return Conversation(self.engine, Place(conversation=made.id))

    def import_file(self, path: str | Path) -> Conversation:
        """Take a chat file in; the same chat again adds only what is new. A bundle is a copy.

        Of a file with several conversations all are taken in, and the first is returned.

        Raises:
            FileUnreadable, FormatUnknown, BundleTooNew: see each.
        """
        return self.import_all(path)[0]

    def import_all(self, path: str | Path) -> tuple[Conversation, ...]:
        """Take a file in, and return all conversations and branches of it, in its order.

        Raises:
            FileUnreadable, FormatUnknown, BundleTooNew: see each.
        """
        try:
            data = Path(path).read_bytes()
        except OSError as error:
            reason = f"it cannot be read ({error.strerror})."
            raise FileUnreadable(path=str(path), reason=reason) from error
        done = importing.import_each(self.engine, SourceFile(path=str(path), data=data))
        return tuple(
            Conversation(self.engine, Place(conversation=one.conversation, branch=one.branch))
            for one in done
        )

    def conversation(self, reference: str) -> Conversation:
        """Return the conversation with that id, title or unique beginning of either.

        Raises:
            ConversationNotFound, AmbiguousReference: see each.
        """
        return Conversation(self.engine, references.find_place(self.engine, reference))

    def conversations(self) -> tuple[conversations.ConversationView, ...]:
        """Return all conversations that are not deleted, oldest first."""
        return conversations.list_conversations(self.engine)

    def routes(self) -> tuple[RouteView, ...]:
        """Return every job with the route of the model that does it."""
        return routes.list_routes(self.engine)

    def set_route(self, name: str, **values: str | float | None) -> RouteView:
        """Say which model does a job; values as `foreword routes set` takes, None takes one away.

        Raises:
            RouteNotFound, UnknownSetting, InvalidSetting: see each; nothing was changed.
        """
        changes = {key: _written(value) for key, value in values.items()}
        return routes.set_route(self.engine, name, changes)

    def remove_route(self, name: str) -> RouteView:
        """Take a route away, so that its job is done as it was before.

        Raises:
            RouteNotFound: no job has that name, or none was set for it.
        """
        return routes.remove_route(self.engine, name)

    async def test_route(self, name: str) -> probing.Probe:
        """Ask the model of a job something small; what is wrong is in `problem`.

        Raises:
            RouteNotFound, RouteMissing: see each.
        """
        return await probing.probe(self.engine, name)

    def template(self, name: str, conversation: Conversation | None = None) -> ChosenTemplate:
        """Return the text in force for a template: of a conversation, or of all.

        Raises:
            TemplateNotFound: there is none of that name.
        """
        of = None if conversation is None else conversation.id
        return templates.chosen(self.engine, template_name(name), of)

    def edit_template(
        self, base: ChosenTemplate | str, text: str, conversation: Conversation | None = None
    ) -> templates.Edited:
        """Give a template another text: for one conversation, or for all.

        Args:
            base: what `template` gave, so that nobody's change is lost; or a name.
            text: the new text; the same one saves nothing.
            conversation: the one to save it for.

        Raises:
            TemplateInvalid: it may not be saved; the error says where it breaks.
            StoreConflict: somebody changed the template since `base` was read.
        """
        if isinstance(base, str):
            base = self.template(base, conversation)
        of = None if conversation is None else conversation.id
        return templates.edit(self.engine, base, text, of)

    def costs(self, conversation: Conversation | None = None) -> Costs:
        """Add up what models have cost: of a conversation, or of all."""
        return costs.costs(self.engine, None if conversation is None else conversation.id)

    def verify(self) -> verifying.Verdict:
        """Prove by enumeration that everything stored is sound."""
        return verifying.verify(self.engine)


def _written(value: str | float | None) -> str:
    """Return a value of a route as it is stored; empty takes it away."""
    if isinstance(value, float):
        return f"{value:.9f}".rstrip("0").rstrip(".")
    return "" if value is None else str(value)
