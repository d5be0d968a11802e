"""JSON of what commands answer: one function for each kind of thing.

Above: the commands. Below: the engine's views. The keys are API: programs read them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from foreword.domain.interchange import Loss
    from foreword.domain.turn import Turn, Version
    from foreword.engine.branches import BranchView
    from foreword.engine.conversations import ConversationView
    from foreword.engine.history import HistoryEntry, UndoResult
    from foreword.engine.importing import Imported
    from foreword.engine.prompting import Prompt
    from foreword.engine.recap import Price
    from foreword.engine.searching import Hit
    from foreword.engine.status import Status
    from foreword.engine.summary_views import SummaryView
    from foreword.planning.coverage import Coverage
    from foreword.planning.outdated import Outdated

Json = dict[str, object]


def conversation_json(view: ConversationView) -> Json:
    """Return a conversation; `branch` is the name of the current one."""
    return {
        "conversation": view.id,
        "id": view.id,
        "title": view.title,
        "branch": view.branch,
        "branches": view.branches,
        "turns": view.turns,
        "tokens": view.tokens,
        "created_at": view.created_at,
    }


def imported_json(done: Imported, path: str) -> Json:
    """Return what an import did; `turns` and `summaries` are numbers of what was added."""
    return {
        "conversation": done.conversation,
        "branch": done.branch,
        "turns": done.turns,
        "summaries": len(done.summaries),
        "losses": losses_json(done.losses),
        "title": done.title,
        "created": done.created,
        "forked": done.forked,
        "path": path,
        "scene_time": done.scene_time,
    }


def losses_json(losses: Sequence[Loss]) -> list[Json]:
    """Return what could not be carried over, or only in part."""
    return [{"where": loss.where, "what": loss.what, "why": loss.why} for loss in losses]


def status_json(found: Status, turn: int | None) -> Json:
    """Return how full the context is.

    Args:
        found: the status.
        turn: ORDER of the turn that the reason is about, if it is about one.
    """
    advice = found.advice
    return {
        "state": advice.state.value,
        "reason": advice.reason.value if turn is None else f"{advice.reason.value}: turn {turn}",
        "pile_tokens": advice.pile_tokens,
        "due_tokens": advice.due_tokens,
        "progress": advice.progress,
        "worth_tokens": advice.worth_tokens,
        "forecast_turns": advice.forecast_turns,
        "reserve_tokens": advice.reserve_tokens,
        "recaps_tokens": advice.recaps_tokens,
        "context": found.context,
        "boundary": found.boundary,
        "layers": [
            {"layer": layer.layer, "summaries": layer.summaries, "tokens": layer.tokens}
            for layer in found.layers
        ],
        "label": advice.label,
        "sentence": found.sentence,
        "turn": turn,
        "severity": advice.severity,
        "room_tokens": advice.room,
        "chunk_tokens": advice.chunk,
        "target_tokens": advice.target,
        "compressible_tokens": advice.compressible,
        "fixed_tokens": found.fixed_tokens,
        "pins_tokens": found.pins_tokens,
        "reply_tokens": found.reply,
        "pile_turns": found.pile_turns,
        "turns": found.turns,
        "hidden": found.hidden,
        "stale": found.stale,
        "context_source": found.context_source,
        "token_source": found.token_source,
        "usable_context": advice.context,
    }


def summary_json(view: SummaryView) -> Json:
    """Return a summary; one that was rolled on has summaries and turns as its sources."""
    sources = {"summaries": view.summaries, "turns": view.turns}
    return {
        "id": view.id,
        "turn_id": view.turn_id,
        "order": view.order,
        "layer": view.layer,
        "generation_depth": view.generation_depth,
        "tokens": view.tokens,
        "state": view.state,
        "text": view.text,
        "reasoning": view.reasoning,
        "replaced": view.replaced,
        "sources": {kind: list(ids) for kind, ids in sources.items() if ids},
        "from_order": view.from_order,
        "source_tokens": view.src_tokens,
        "maker": view.maker,
        "scene_time": view.scene_time,
    }


def turn_json(turn: Turn) -> Json:
    """Return a turn; `alternative` is the number of the one that is shown."""
    return {
        "id": turn.entry.turn_id,
        "order": turn.order,
        "role": turn.content.role.value,
        "speaker": turn.speaker_name,
        "text": turn.content.text,
        "tokens": turn.entry.tokens,
        "hidden": turn.entry.hidden,
        "pinned": turn.pinned,
        "alternatives": [one.alt_no for one in turn.alternatives] or [1],
        "alternative": shown_alternative(turn),
        "reasoning": turn.content.reasoning,
        "sent_at": turn.content.sent_at,
    }


def turn_with_versions_json(turn: Turn, versions: Sequence[Version]) -> Json:
    """Return a turn with the text of each of its alternatives."""
    return {
        **turn_json(turn),
        "versions": [
            {
                "number": version.alt_no,
                "text": version.content.text,
                "tokens": version.tokens,
                "reasoning": version.content.reasoning,
                "sent_at": version.content.sent_at,
            }
            for version in versions
        ],
    }


def shown_alternative(turn: Turn) -> int:
    """Return the number of the alternative that a turn shows."""
    shown = (one.alt_no for one in turn.alternatives if one.version_id == turn.entry.version_id)
    return next(shown, 1)


def branch_json(view: BranchView) -> Json:
    """Return a branch; `forked_at` is the ORDER of the last turn shared with its parent."""
    return {
        "id": view.id,
        "name": view.name,
        "parent": view.parent,
        "forked_at": view.forked_at,
        "turns": view.turns,
        "current": view.current,
    }


def prompt_json(found: Prompt) -> Json:
    """Return a prompt with its sections and the proof that every turn is accounted for."""
    plan = found.plan
    return {
        "messages": [
            {"role": message.role.value, "content": message.content} for message in found.messages
        ],
        "sections": [
            {"name": section.name.value, "tokens": section.tokens, "turns": section.turns}
            for section in plan.sections
        ],
        "coverage": coverage_json(plan.coverage),
        "tokens": plan.tokens,
        "limit": plan.limit,
        "reserve": found.reply,
        "context": found.context,
        "context_source": found.context_source,
        "token_source": found.token_source,
        "dropped": {"turns": plan.dropped.turns, "tokens": plan.dropped.tokens},
        "outdated": outdated_json(found.outdated),
        "usable_context": plan.limit + found.reply,
    }


def coverage_json(coverage: Coverage) -> Json:
    """Return how many turns have each fate; `total` is their sum and the branch's turns."""
    return {
        "verbatim": coverage.verbatim,
        "covered": coverage.covered,
        "masked": coverage.masked,
        "hidden": coverage.hidden,
        "dropped": coverage.dropped,
        "total": coverage.total,
    }


def outdated_json(outdated: Outdated | None) -> Json | None:
    """Return the summaries that went out of date and the question about them."""
    if outdated is None:
        return None
    return {
        "summaries": list(outdated.summary_ids),
        "turns": list(outdated.turn_ids),
        "question": outdated.question,
    }


def price_json(found: Price) -> Json:
    """Return what a recap would make, read and write."""
    return {
        "state": found.advice.state.value,
        "pieces": [
            {"from": first, "to": last, "tokens": tokens} for first, last, tokens in found.pieces
        ],
        "calls": found.calls,
        "tokens_in": found.tokens_in,
        "tokens_out": found.tokens_out,
        "reason": found.reason,
        "model": found.model,
        "money": found.money,
    }


def undo_json(done: UndoResult, verb: str) -> Json:
    """Return what an undo or redo did; `verb` is `undone` or `redone`."""
    return {
        verb: done.command,
        "kind": done.kind.value,
        "branch": done.branch,
        "stale": list(done.settled.stale),
        "back": list(done.settled.back),
    }


def history_json(entries: Iterable[HistoryEntry]) -> list[Json]:
    """Return the commands of a branch, newest first."""
    return [
        {
            "id": entry.id,
            "kind": entry.kind.value,
            "at": entry.at,
            "actor": entry.actor,
            "branch": entry.branch,
            "ops": entry.ops,
            "undoes": entry.undoes,
            "in_force": entry.in_force,
        }
        for entry in entries
    ]


def hits_json(hits: Iterable[Hit]) -> list[Json]:
    """Return what a search found."""
    return [
        {
            "turn_id": hit.turn_id,
            "order": hit.order,
            "role": hit.role.value,
            "speaker": hit.speaker,
            "score": hit.score,
            "matched": list(hit.matched),
            "snippet": hit.snippet,
            "text": hit.text,
        }
        for hit in hits
    ]
