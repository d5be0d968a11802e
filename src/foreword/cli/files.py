"""Commands on files: import and export."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from foreword.cli import shapes
from foreword.cli.call import Call, register
from foreword.cli.exits import ExitCode, report
from foreword.cli.options import Conv, OnBranch
from foreword.cli.printing import count, note, one_line, write
from foreword.errors import FileUnreadable, ForewordError, FormatUnknown, StoreError

if TYPE_CHECKING:
    from foreword.domain.interchange import Loss
    from foreword.engine.context import Place
    from foreword.engine.importing import Imported
    from foreword.engine.recognising import Taken
    from foreword.ports.format import SourceFile

SHOWN_LOSSES = 20
"""How many losses people see; JSON has all."""


def import_files(
    call: Call,
    paths: Annotated[
        list[Path],
        typer.Argument(metavar="PATH", help="Files, or folders of files, that are not hidden."),
    ],
    into: Annotated[
        str | None,
        typer.Option(
            "--into",
            metavar="CONV",
            help="Add cards, lorebooks and memories to this conversation.",
        ),
    ] = None,
    branch: OnBranch = None,
) -> None:
    """Take files in: chats, exports, books, bundles, cards, lorebooks.

    The same chat again adds only what is new. A file that cannot be read does not stop the others;
    pictures and other files in folders are passed over.
    What is taken of each format: docs/formats.md.
    """
    place = None if into is None else call.place(into, branch)
    done: list[tuple[Path, Imported]] = []
    codes: list[ExitCode] = []
    taken: Taken = {}
    several = len(paths) > 1 or _is_folder(paths[0])
    for path in _files(paths):
        before = len(done)
        try:
            for imported in _import_each(call, path, place, taken):
                done.append((path, imported))
                _tell(call, path, imported)
        except StoreError:
            raise
        except ForewordError as error:
            if isinstance(error, FormatUnknown) and path not in paths:
                note(f"{path}: passed over, it is in no format that Foreword reads")
                continue
            codes.append(report(error, as_json=call.json))
        _tell_losses([one for _, one in done[before:]], f"{path.name}: " if several else "")
    documents = [shapes.imported_json(imported, str(path)) for path, imported in done]
    if documents or several:
        document = documents if several or len(documents) > 1 else documents[0]
        call.answer(document, lambda: None)
    if codes:
        raise typer.Exit(codes[0])


def export(
    call: Call,
    conversation: Conv,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FILE", help="The file; - for standard output."),
    ],
    form: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="NAME",
            help="bundle holds everything; others hold one branch, see docs/formats.md.",
        ),
    ] = "bundle",
    branch: OnBranch = None,
) -> None:
    """Write a conversation into a file: a bundle with all its branches, or another format."""
    from foreword.engine.exporting import export as export_as

    written = export_as(call.engine, call.place(conversation, branch), form)
    data = written.data
    if str(output) == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        note_losses(written.losses, "")
        return
    from foreword.formats.whole_file import write_whole

    write_whole(output, data)
    call.answer(
        {
            "path": str(output),
            "bytes": len(data),
            "format": form,
            "losses": shapes.losses_json(written.losses),
        },
        lambda: write(f"Wrote {output} ({count(len(data), 'byte')})."),
    )
    note_losses(written.losses, "")


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    register(app, "import")(import_files)
    register(app)(export)


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    """Yield the files as they were given, and those in folders in an order that suits chats."""
    for path in paths:
        if not _is_folder(path):
            yield path
            continue
        empty = True
        for file in _in_folder(path):
            empty = False
            yield file
        if empty:
            note(f"{path}: there is no file in this folder, or they are all hidden.")


def _in_folder(path: Path) -> Iterator[Path]:
    """Yield the files by folder and name without ending: a chat comes before its branches."""
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        seen = (Path(folder) / name for name in names if not name.startswith("."))
        yield from sorted(seen, key=lambda file: (file.stem, file.name))


def _is_folder(path: Path) -> bool:
    """Say whether it is a folder; what cannot be looked at is none, reading it says why."""
    try:
        return path.is_dir()
    except OSError:
        return False


def read_source(path: Path) -> SourceFile:
    """Return a file's bytes with its path, or say why they cannot be had."""
    from foreword.ports.format import SourceFile

    try:
        data = path.read_bytes()
    except OSError as error:
        reason = f"it cannot be read ({(error.strerror or str(error)).lower()})."
        raise FileUnreadable(path=str(path), reason=reason) from error
    except MemoryError as error:
        reason = "it does not fit into memory: cut it into smaller files."
        raise FileUnreadable(path=str(path), reason=reason) from error
    return SourceFile(path=str(path), data=data)


def _import_each(call: Call, path: Path, place: Place | None, taken: Taken) -> Iterator[Imported]:
    from foreword.engine.adding import add_file
    from foreword.engine.importing import import_each

    file = read_source(path)
    if place is None:
        yield from import_each(call.engine, file, taken)
    else:
        yield add_file(call.engine, file, place)


def _tell(call: Call, path: Path, done: Imported) -> None:
    """Say what became of a file: to people on standard output, else on standard error."""
    where = f"{done.title!r} ({done.conversation})"
    if done.created:
        what = f"imported as {where}, {count(done.turns, 'turn')}"
    elif done.forked:
        what = f"differs from {where}: {_new_branch(call, done)}"
    elif done.turns or done.summaries or done.settings:
        summaries = [count(len(done.summaries), "summary")] if done.summaries else []
        added = [count(done.turns, "turn")] if done.turns else [*done.settings, *summaries]
        what = f"added {', '.join(added)} to {where}"
    else:
        what = f"nothing new for {where}"
    tell = note if call.json else write
    tell(f"{path}: {what}")
    call.kept = "The files imported before are kept; the one under way was not."


def _new_branch(call: Call, done: Imported) -> str:
    from foreword.engine.branches import list_branches

    views = list_branches(call.engine, call.place(done.conversation))
    name = next(view.name for view in views if view.id == done.branch)
    return (
        f"the new branch {one_line(name)!r} has {count(done.turns, 'new turn')}; the current "
        f"branch stays as it is, `foreword branch switch {done.conversation} {done.branch}` "
        "goes there"
    )


def _tell_losses(done: Sequence[Imported], of: str) -> None:
    """Say on standard error what a file holds that was not taken in, unless it added nothing."""
    losses = [
        replace(loss, where=f"{one_line(one.title)!r}, {loss.where}") if len(done) > 1 else loss
        for one in done
        if one.created or one.turns or one.summaries or one.settings
        for loss in one.losses
    ]
    note_losses(losses, of)


def note_losses(losses: Sequence[Loss], of: str = "") -> None:
    """Say on standard error what of a file was not taken in, a line each."""
    for loss in losses[:SHOWN_LOSSES]:
        note(f"  {of}{loss.where}: {loss.what} ({loss.why})")
    if len(losses) > SHOWN_LOSSES:
        left = count(len(losses) - SHOWN_LOSSES, "loss")
        note(f"  {of}and {left} more; --json lists all.")
