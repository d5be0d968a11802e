"""What the demonstration shows: bars, trees, tables and lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from foreword.cli.printing import count, one_line, table

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.tree import Tree

    from foreword.domain.ids import SummaryId
    from foreword.engine.prompting import Prompt
    from foreword.engine.repairing import Repaired
    from foreword.engine.status import Status
    from foreword.engine.summary_views import SummaryView
    from foreword.engine.turns import TurnChange
    from foreword.engine.verifying import Verdict
    from foreword.planning.repair import RepairPlan

BAR_WIDTH = 40


def status_lines(found: Status) -> tuple[str, ...]:
    """Return the bar, the state and the numbers behind it."""
    advice = found.advice
    filled = round(BAR_WIDTH * advice.progress)
    bar = "█" * filled + "░" * (BAR_WIDTH - filled)
    return (
        f"[{bar}] {advice.label}",
        f"{found.sentence}",
        (
            f"pile {count(advice.pile_tokens, 'token')} in {count(found.pile_turns, 'turn')}, "
            f"due at {count(advice.due_tokens, 'token')}; "
            f"room for the story {count(advice.room, 'token')}; "
            f"summaries {count(advice.recaps_tokens, 'token')}"
        ),
    )


def words_line(found: Status) -> str:
    """Return what the words mean that the other lines use."""
    return (
        "Pile: the turns that no summary stands for. Layer: 0 is made from turns, a merge is one\n"
        "layer higher. Depth: how many summarisations its oldest text went through.\n"
        f"{found.hidden:,} of the {count(found.turns, 'message')} are hidden and never sent. "
        f"Tokens are counted by {found.token_source}.\n"
    )


def summary_tree(views: Sequence[SummaryView]) -> Tree:
    """Return the summaries in use, the oldest with what it merged; of the others the number."""
    from rich.tree import Tree

    known = {view.id: view for view in views}
    tree = Tree("story")
    in_use = [view for view in views if view.state == "in_use"]
    for place, view in enumerate(sorted(in_use, key=lambda view: view.order or 0)):
        if place:
            tree.add(_counted_line(view, known))
            continue
        node = tree.add(_summary_line(view))
        for child in view.summaries:
            node.add(_counted_line(known[child], known))
    return tree


def _counted_line(view: SummaryView, known: Mapping[SummaryId, SummaryView]) -> str:
    inside = _size(view, known)
    more = f"  … {inside:,} more inside" if inside else ""
    return _summary_line(view) + more


def _size(view: SummaryView, known: Mapping[SummaryId, SummaryView]) -> int:
    return sum(1 + _size(known[child], known) for child in view.summaries)


def _summary_line(view: SummaryView) -> str:
    return (
        f"S{view.id}  turns {view.from_order}-{view.order}  layer {view.layer}  "
        f"depth {view.generation_depth}  {view.tokens:,} tokens"
    )


def prompt_table(sent: Prompt) -> RenderableType:
    """Return the sections of a prompt with what they take and hold."""
    made = table("section", "tokens", "turns", numbers=("tokens", "turns"))
    for section in sent.plan.sections:
        turns = f"{section.turns:,}" if section.turns else ""
        made.add_row(section.name.value, f"{section.tokens:,}", turns)
    made.add_row("reserve for the reply", f"{sent.reply:,}", "")
    free = sent.plan.limit - sent.plan.tokens
    made.add_row("free", f"{free:,}", "")
    made.add_section()
    made.add_row("context", f"{sent.plan.tokens + sent.reply + free:,}", "")
    return made


def proof_line(sent: Prompt) -> str:
    """Return the coverage proof: every turn exactly once."""
    proof = sent.plan.coverage
    return (
        f"{proof.verbatim} verbatim + {proof.covered} covered + {proof.masked} masked + "
        f"{proof.hidden} hidden + {proof.dropped} dropped = {count(proof.total, 'turn')}\n"
    )


def beginning(memory: str) -> str:
    """Return how the summaries begin."""
    return "It begins: " + one_line(memory, limit=500)


def repair_lines(
    change: TurnChange, plan: RepairPlan, repaired: Iterable[Repaired]
) -> tuple[str, ...]:
    """Return what an edit did to the summaries, and what its repair made."""
    stale = ", ".join(f"S{one}" for one in change.stale)
    back = ", ".join(f"S{one}" for one in change.back)
    remade = ", ".join(f"S{one.stale} as S{one.made.id}" for one in repaired)
    return (
        f"stale now: {stale}; in force instead: {back or 'the turns themselves'}",
        f"repair: {count(plan.calls, 'call')} of the summariser, about {plan.tokens:,} tokens",
        f"made again: {remade}",
    )


def survival_table(counts: Mapping[str, int], probes: int) -> RenderableType:
    """Return how many answers stand where."""
    made = table("where", "answers", "share", numbers=("answers", "share"))
    names = {
        "prompt": "in the prompt",
        "summaries": "in its summaries",
        "search": "in the originals, by search",
    }
    for key, name in names.items():
        made.add_row(name, f"{counts[key]} of {probes}", f"{100 * counts[key] // probes} %")
    return made


def verdict_line(verdict: Verdict) -> str:
    """Return what a check of everything found."""
    problems = count(len(verdict.problems), "problem")
    return f"verify: {count(verdict.checked, 'thing')} checked, {problems}"
