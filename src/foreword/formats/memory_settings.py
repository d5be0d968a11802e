"""Settings of Summaryception, as settings of ours.

The file is the extension's own object, or a whole `settings.json` of SillyTavern with it inside.

Above: the parts of an engine. Below: `json_lines`. Invariant: every field of the file has a hand in
a setting or is named as a loss with its reason; whatever stands in a field, what comes out is
valid.

Source: issue 5, section 5; roleplay.md c.3.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping

from foreword.domain.choices import MemoryLog, MemoryRole, Mode, Placement
from foreword.domain.interchange import ForeignSettings, Loss, TakenSetting
from foreword.domain.policy import setting_range
from foreword.errors import FileUnreadable
from foreword.formats.decoding import decode
from foreword.formats.json_lines import JsonObject, JsonValue, parse
from foreword.formats.sillytavern_fields import is_true, object_at
from foreword.ports.format import SourceFile

_NUMBERS = {
    "verbatimTokenBudget": "verbatim",
    "queuedTokenBudget": "queue",
    "memoryTokenBudget": "memory_budget",
    "layer0SummaryTokenTarget": "summary_target",
    "minSummaryBudget": "batch_target",
    "maxL0SourceTokens": "batch_cap",
    "snippetsPerLayer": "layer_count",
    "snippetsPerPromotion": "merge_count",
    "maxLayers": "most_layers",
    "cacheTtlMinutes": "cache_ttl",
    "customMemoryDepth": "placement_depth",
}
_CHOICES: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "memoryMode": (
        "mode",
        {
            "balanced": Mode.BALANCED,
            "prefix_cache": Mode.PREFIX_CACHE,
            "standard": Mode.BALANCED,
            "cache": Mode.PREFIX_CACHE,
            "custom": Mode.BALANCED,
        },
    ),
    "customMemoryPosition": (
        "placement",
        {
            "before_prompt": Placement.BEFORE_PROMPT,
            "in_prompt": Placement.IN_PROMPT,
            "in_chat": Placement.IN_CHAT,
            "macro_only": Placement.MACRO_ONLY,
        },
    ),
    "customMemoryRole": ("memory_role", {str(role): str(role) for role in MemoryRole}),
}
_SWITCHES = {"stripChineseIdeographs": "strip_ideographs", "autoPaused": "paused"}
_LOGS = {
    "debugMode": MemoryLog.DEBUG,
    "traceMode": MemoryLog.TRACE,
    "promptInputLogMode": MemoryLog.PROMPTS,
    "promptOutputLogMode": MemoryLog.PROMPTS,
}
_POWER = ("enabled", "uiMode")
_STRIPPED_ANYWAY = frozenset(
    ("<|channel>thought", "<channel|>", "<output>", "</output>", "<thinking>", "</thinking>")
)
_REASONS = (
    (r"(min|max)SummaryTurns|verbatimTurns|turnsPerSummary", "Foreword counts tokens, not turns"),
    (r"auditor.*|continuity.*", "Foreword has no auditor of continuity yet"),
    (
        r".*(Connection(Source|ProfileId)|ResponseLength|TimeoutSeconds)",
        "models are set with `foreword routes set`",
    ),
    (r".*Prompt(Preset)?", "prompts are templates here: `foreword templates edit`"),
    ("injectionTemplate", "the envelope is a template here: `foreword templates edit memory`"),
    ("advancedModelContext", "it is the summariser's context: see `foreword routes set`"),
    ("applyRegexScripts|maskUserRole.*|hideNonTextMessages", "it belongs to SillyTavern's prompts"),
    ("configMode|easy.*", "it is about the page of the extension"),
)
_SLASH = r"\/"
_LONGEST_SHOWN = 40
_LONGEST_RULE = 400
"""Characters of a text to strip, before what is special in a pattern is marked."""


def read_memory_settings(file: SourceFile) -> ForeignSettings:
    """Return the settings in a file of Summaryception or of SillyTavern.

    Raises:
        FileUnreadable: it is no JSON object, or none with settings of that extension.
    """
    try:
        value = parse(decode(file.data).text)
    except ValueError as error:
        raise FileUnreadable(path=file.path, reason=f"it is no JSON: {error}") from None
    found = _settings_in(value)
    if found is None:
        reason = "it has no settings of Summaryception, such as verbatimTokenBudget."
        raise FileUnreadable(path=file.path, reason=reason)
    reading = _Reading(found)
    return ForeignSettings(taken=tuple(reading.taken), losses=tuple(reading.losses))


def _settings_in(value: JsonValue) -> JsonObject | None:
    if not isinstance(value, dict):
        return None
    inner = object_at(object_at(value, "extension_settings"), "summaryception")
    for candidate in (inner, object_at(value, "summaryception"), value):
        if candidate.keys() & _FIELDS.keys() - {"enabled"}:
            return candidate
    return None


class _Reading:
    """One file's settings, field by field."""

    def __init__(self, settings: JsonObject) -> None:
        self.settings = settings
        self.taken: list[TakenSetting] = []
        self.losses: list[Loss] = []
        for field, value in settings.items():
            if field in _FIELDS:
                _FIELDS[field](self, field, value)
            else:
                self.lose(field, _reason(field))

    def take(self, name: str, value: str, field: str, note: str = "") -> None:
        self.taken.append(TakenSetting(name=name, value=value, field=field, note=note))

    def lose(self, field: str, why: str) -> None:
        self.losses.append(Loss(where=_short(field), what=_shown(self.settings[field]), why=why))

    def number(self, field: str, value: JsonValue) -> None:
        name = _NUMBERS[field]
        number = _whole(value)
        bounds = setting_range(name)
        if number is None or bounds is None:
            self.lose(field, "it is no number")
            return
        kept = min(max(number, bounds[0]), bounds[1])
        note = "" if kept == number else f"{number} in the file; {name} goes from "
        self.take(name, str(kept), field, note and f"{note}{bounds[0]} to {bounds[1]}")

    def choice(self, field: str, value: JsonValue) -> None:
        name, words = _CHOICES[field]
        word = words.get(value) if isinstance(value, str) else None
        if word is None:
            self.lose(field, f"known are {', '.join(words)}")
        else:
            told = value == "custom"
            self.take(name, word, field, "custom in the file, with its own budgets" if told else "")

    def switch(self, field: str, value: JsonValue) -> None:
        self.take(_SWITCHES[field], "on" if is_true(value) else "off", field)

    def power(self, field: str, _: JsonValue) -> None:
        if field != next(one for one in _POWER if one in self.settings):
            return
        off = self.settings.get("enabled") is False or self.settings.get("uiMode") == "off"
        self.take("memory", "off" if off else "on", field)

    def log(self, field: str, _: JsonValue) -> None:
        on = [one for one in _LOGS if is_true(self.settings.get(one))]
        if field == (on[-1] if on else next(one for one in _LOGS if one in self.settings)):
            self.take("memory_log", _LOGS[field] if on else MemoryLog.NORMAL, field)

    def stripped(self, field: str, value: JsonValue) -> None:
        texts = [one for one in value if isinstance(one, str)] if isinstance(value, list) else []
        own = [text for text in texts if text.strip() and text not in _STRIPPED_ANYWAY]
        fit = [text for text in own if len(text) <= _LONGEST_RULE and text.splitlines() == [text]]
        rules = "\n".join(f"/{re.escape(text).replace('/', _SLASH)}/g =>" for text in fit)
        if rules:
            self.take("cleanup", rules, field)
        elif not own:
            self.lose(field, "memory strips the tags of reasoning without a rule")
        if len(fit) < len(own):
            self.lose(field, f"{len(own) - len(fit)} of several lines, or too long for a rule")

    def template(self, field: str, value: JsonValue) -> None:
        twice = isinstance(value, str) and value.count("{{summary}}") > 1
        if twice:
            self.take("memory_repeat", "on", field, "its words are not taken over")
        else:
            self.lose(field, _reason(field))


_FIELDS: Mapping[str, Callable[[_Reading, str, JsonValue], None]] = {
    **dict.fromkeys(_NUMBERS, _Reading.number),
    **dict.fromkeys(_CHOICES, _Reading.choice),
    **dict.fromkeys(_SWITCHES, _Reading.switch),
    **dict.fromkeys(_POWER, _Reading.power),
    **dict.fromkeys(_LOGS, _Reading.log),
    "stripPatterns": _Reading.stripped,
    "injectionTemplate": _Reading.template,
}


def _whole(value: JsonValue) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        value = int(value) if re.fullmatch(r"\s*-?[0-9]{1,12}\s*", value) else None
    if isinstance(value, float):
        return round(value) if math.isfinite(value) else None
    return value if isinstance(value, int) else None


def _reason(field: str) -> str:
    known = (why for pattern, why in _REASONS if re.fullmatch(pattern, field, re.IGNORECASE))
    return next(known, "Foreword has no such setting")


def _shown(value: JsonValue) -> str:
    return _short(value if isinstance(value, str) else str(value).lower())


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_SHOWN else f"{line[: _LONGEST_SHOWN - 1]}…"
