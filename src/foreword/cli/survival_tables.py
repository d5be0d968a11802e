"""What summaries kept, as a table by summary and by layer, and as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from foreword.cli.printing import one_line, show, table, write
from foreword.cli.shapes import Json
from foreword.domain.survival import Detail, Survival
from foreword.engine.survival_report import LayerSurvival, SummarySurvival, SurvivalReport

MOST_LOST = 6
"""How many lost details a line of the table names."""


def report_json(found: SurvivalReport) -> Json:
    """Return a report; details stand heaviest first."""
    return {
        "summaries": [_summary_json(one) for one in found.summaries],
        "layers": [
            {
                "layer": one.layer,
                "summaries": one.summaries,
                "generation_depth": one.generation_depth,
                "had": one.had,
                "kept": one.kept,
                "share": one.share,
                "since_originals": one.since_originals,
            }
            for one in found.layers
        ],
    }


def show_report(found: SurvivalReport) -> None:
    """Print a report for people."""
    if not found.summaries:
        write("There are no such summaries on this branch.")
        return
    show(_summaries(found.summaries))
    show(_layers(found.layers))
    write(
        "kept: specifics of what was summarised that it tells, of all, and their share by weight."
    )
    write("since the turns: the share by weight of what the turns themselves had.")


def _summary_json(one: SummarySurvival) -> Json:
    return {
        "id": one.id,
        "state": {"used": "in_use"}.get(one.state.value, one.state.value),
        "layer": one.layer,
        "generation_depth": one.generation_depth,
        "from_order": one.from_order,
        "order": one.order,
        **_survival_json(one.survival),
        "stored": one.stored,
    }


def _survival_json(survival: Survival) -> Json:
    return {
        "had": survival.had,
        "kept": survival.kept,
        "share": survival.share,
        "since_originals": survival.since_originals,
        "details": [_detail_json(detail) for detail in survival.details],
    }


def _detail_json(detail: Detail) -> Json:
    return {
        "kind": detail.kind.value,
        "text": detail.text,
        "weight": detail.weight,
        "kept": detail.kept,
    }


def _summaries(found: Sequence[SummarySurvival]) -> Table:
    made = table(
        "id", "turns", "layer", "depth", "kept", "share", "since the turns", "lost, heaviest first",
        numbers=("layer", "depth", "kept", "share", "since the turns"),
        wide=("lost, heaviest first",),
    )  # fmt: skip
    for one in found:
        lost = ", ".join(one_line(detail.text) for detail in one.lost[:MOST_LOST])
        made.add_row(
            f"S{one.id}",
            f"{one.from_order}-{one.order}",
            str(one.layer),
            str(one.generation_depth),
            *_shares(one.survival),
            lost,
        )
    return made


def _layers(found: Sequence[LayerSurvival]) -> Table:
    columns = ("layer", "summaries", "depth", "kept", "share", "since the turns")
    made = table(*columns, numbers=columns)
    for one in found:
        shares = _shares(one)
        made.add_row(str(one.layer), str(one.summaries), str(one.generation_depth), *shares)
    return made


def _shares(one: Survival | LayerSurvival) -> tuple[str, str, str]:
    return f"{one.kept} of {one.had}", f"{one.share:.0%}", f"{one.since_originals:.0%}"
