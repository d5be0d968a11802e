"""Probe files: a JSON list of questions with their answers and evidence."""

from __future__ import annotations

import json

from foreword.domain.probes import Probe
from foreword.errors import FileUnreadable
from foreword.ports.format import SourceFile


def read_probes(file: SourceFile) -> tuple[Probe, ...]:
    """Read probes; their `evidence` counts messages from 0, ours from 1.

    Raises:
        FileUnreadable: it is not such a list.
    """
    try:
        found = json.loads(file.data)
        return tuple(
            Probe(
                id=str(entry["id"]),
                question=str(entry["question"]),
                answer=str(entry["answer"]),
                aliases=tuple(map(str, entry.get("aliases", ()))),
                evidence=tuple(int(message) + 1 for message in entry.get("evidence", ())),
            )
            for entry in found
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise FileUnreadable(
            path=file.path, reason="it is no list of questions with answers."
        ) from error
