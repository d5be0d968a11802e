"""Which templates there are, which text is in force, and whether a text may be saved.

Above: engine and doors. Below: rendering. Texts are passed in; the built-in ones are the files in
`templates/`, read by `settings.templates`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from foreword.errors import TemplateNotFound
from foreword.prompts.rendering import compile_template
from foreword.prompts.variables import DEFAULT_FENCE, VARIABLES, TemplateValues


class TemplateName(StrEnum):
    """The templates that can be replaced."""

    MASTER = "master"
    """The system message."""
    SUMMARY = "summary"
    """The request for a summary of turns."""
    META = "meta"
    """The request for a summary of summaries."""


class TemplateScope(StrEnum):
    """Who a template's text comes from, nearest first."""

    CONVERSATION = "conversation"
    ACCOUNT = "account"
    BUILTIN = "builtin"


EXPECTED: Mapping[TemplateName, str] = {
    TemplateName.MASTER: "summaries",
    TemplateName.SUMMARY: "text",
    TemplateName.META: "summary_blocks",
}
"""The variable without which a template misses its purpose."""

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
    variable = EXPECTED[name]
    rendered = compile_template(name, text).render(SAMPLE)
    if getattr(SAMPLE, variable).casefold() in rendered.casefold():
        return ()
    return (f"The template {name.value!r} does not show {{{{ {variable} }}}}: {_LOST[name]}",)


_LOST: Mapping[TemplateName, str] = {
    TemplateName.MASTER: "the model will not see the summaries.",
    TemplateName.SUMMARY: "the model will not see the text to summarise.",
    TemplateName.META: "the model will not see the summaries to merge.",
}
