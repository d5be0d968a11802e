"""Summaries for people: a table of those in use, and a tree of layers of all there ever were."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from foreword.cli.printing import count, one_line, table
from foreword.domain.ids import SummaryId
from foreword.engine.summary_views import SummaryView


def summary_table(views: Sequence[SummaryView]) -> Table:
    """Return a table with one row for each summary."""
    made = table(
        "id", "turns", "layer", "depth", "tokens", "text",
        numbers=("layer", "depth", "tokens"), wide=("text",),
    )  # fmt: skip
    for view in views:
        made.add_row(
            f"S{view.id}",
            _span(view),
            str(view.layer),
            str(view.generation_depth),
            f"{view.tokens:,}",
            one_line(view.text),
        )
    return made


def summary_tree(views: Sequence[SummaryView]) -> Tree:
    """Return every summary under the meta summary that merged it; those in use stand first."""
    known = {view.id: view for view in views}
    inside = {
        child for view in views if view.state == "in_use" for child in _all_inside(view, known)
    }
    tree = Tree(Text(), guide_style="dim", hide_root=True)
    used = [view for view in views if view.state == "in_use"]
    branch = tree.add(Text("in use" if used else "in use: none"))
    for view in sorted(used, key=lambda one: (one.from_order or 0, one.id)):
        _add(branch, view, known)
    others = [view for view in views if view.state != "in_use" and view.id not in inside]
    if others:
        branch = tree.add(Text("not in use"))
        for view in others:
            branch.add(_label(view))
    return tree


def heading(view: SummaryView) -> str:
    """Return one line on a summary: what it covers, how deep it lies, what became of it."""
    state = view.state.replace("_", " ")
    until = f", until {view.scene_time}" if view.scene_time else ""
    return (
        f"S{view.id}, {_span(view)}, layer {view.layer}, depth {view.generation_depth}, "
        f"{count(view.tokens, 'token')}, {state}, by {view.maker}{until}"
    )


def _span(view: SummaryView) -> str:
    if view.from_order is None or view.order is None:
        return f"id:{view.turn_id}"
    return f"{view.from_order}-{view.order}"


def _all_inside(view: SummaryView, known: Mapping[SummaryId, SummaryView]) -> set[SummaryId]:
    found: set[SummaryId] = set()
    waiting = list(view.summaries)
    while waiting:
        child = waiting.pop()
        found.add(child)
        waiting += known[child].summaries if child in known else ()
    return found


def _add(tree: Tree, view: SummaryView, known: Mapping[SummaryId, SummaryView]) -> None:
    """Hang a summary and, level by level, what it merged under a node; metas can be deep."""
    waiting = [(tree, view)]
    while waiting:
        above, one = waiting.pop(0)
        node = above.add(_label(one))
        waiting += [(node, known[child]) for child in one.summaries if child in known]


def _label(view: SummaryView) -> Text:
    return Text(f"{heading(view)}\n{one_line(view.text, limit=120)}")
