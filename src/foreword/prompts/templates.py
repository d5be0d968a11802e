"""Which templates there are, which text is in force, and whether a text may be saved.

Above: engine and doors. Below: rendering. Texts are passed in; the built-in ones are the files in
`templates/`, read by `settings.templates`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from foreword.errors import TemplateInvalid, TemplateNotFound
from foreword.prompts.rendering import CompiledTemplate, compile_template
from foreword.prompts.variables import DEFAULT_FENCE, VARIABLES, TemplateValues


class TemplateName(StrEnum):
    """The templates that can be replaced."""

    MASTER = "master"
    """The system message."""
    SUMMARY = "summary"
    """The request for a summary of turns."""
    SUFFIX = "suffix"
    """The same, asked behind the prompt of the chat, which holds the turns already."""
    META = "meta"
    """The request for a summary of summaries."""
    REPAIR = "repair"
    """The request to put a summary right that was refused."""
    MEMORY = "memory"
    """What each summary is sent as; the built-in one serves automatic modes alone."""


class TemplateScope(StrEnum):
    """Who a template's text comes from, nearest first."""

    CONVERSATION = "conversation"
    ACCOUNT = "account"
    BUILTIN = "builtin"


EXPECTED: Mapping[TemplateName, Mapping[str, str]] = {
    TemplateName.MASTER: {"summaries": "the model will not see the summaries."},
    TemplateName.SUMMARY: {"text": "the model will not see the text to summarise."},
    TemplateName.SUFFIX: {
        "turn_count": "the model will not learn how many messages to summarise.",
        "first_words": "the model will not learn where they begin.",
        "last_words": "the model will not learn where they end.",
    },
    TemplateName.META: {"summary_blocks": "the model will not see the summaries to merge."},
    TemplateName.REPAIR: {
        "direction": "the model will not learn what to do differently.",
        "draft": "the model will not see the draft to put right.",
        "text": "a summary will be put right without its turns.",
        "summary_blocks": "a merge will be put right without its summaries.",
    },
    TemplateName.MEMORY: {"text": "the model will not see what the summaries say."},
}
"""The variables that a template is expected to show, and what is lost without them."""

REQUIRED: Mapping[TemplateName, str] = {
    TemplateName.SUMMARY: "text",
    TemplateName.META: "summary_blocks",
    TemplateName.REPAIR: "direction",
    TemplateName.MEMORY: "text",
}
"""The variable without which a request cannot be answered: such a template is not saved. The system
message may do without the summaries, where something else shows them to the model."""

SAMPLE = TemplateValues(
    **{name: f"⟦{name}⟧" for name in VARIABLES if name != "fence"}, fence=DEFAULT_FENCE
)
"""Values that can be told apart in what a template makes of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenTemplate:
    """The text in force for a template."""

    name: TemplateName
    scope: TemplateScope
    text: str


def template_name(reference: str) -> TemplateName:
    """Return the template of that name.

    Raises:
        TemplateNotFound: there is none.
    """
    try:
        return TemplateName(reference)
    except ValueError as error:
        raise TemplateNotFound(reference) from error


def choose_template(
    name: TemplateName, *, conversation: str | None, account: str | None, builtin: str
) -> ChosenTemplate:
    """Return the conversation's text, else the account's, else the built-in one."""
    if conversation is not None:
        return ChosenTemplate(name=name, scope=TemplateScope.CONVERSATION, text=conversation)
    if account is not None:
        return ChosenTemplate(name=name, scope=TemplateScope.ACCOUNT, text=account)
    return ChosenTemplate(name=name, scope=TemplateScope.BUILTIN, text=builtin)


def check_template(name: TemplateName, text: str) -> tuple[str, ...]:
    """Return warnings about a template that may be saved; none for most.

    Raises:
        TemplateInvalid: it may not be saved; the error says where it breaks.
    """
    template = compile_template(name, text)
    shown = template.render(SAMPLE).casefold()
    missing = {
        variable: f"does not show {{{{ {variable} }}}}: {loss}"
        for variable, loss in EXPECTED[name].items()
        if getattr(SAMPLE, variable).casefold() not in shown
    }
    required = REQUIRED.get(name)
    if required in missing and not _shows_alone(template, required):
        raise TemplateInvalid(name=name, line=0, reason=f"it {missing[required].rstrip('.')}")
    return tuple(f"The template {name.value!r} {loss}" for loss in missing.values())


def _shows_alone(template: CompiledTemplate, variable: str) -> bool:
    """Say whether a variable is shown when it is the only one with a value."""
    value = getattr(SAMPLE, variable)
    return value.casefold() in template.render(TemplateValues(**{variable: value})).casefold()
