"""Templates compiled and rendered, in Jinja's sandbox.

Above: templates and messages. Below: checking. Invariants: a compiled template renders for all
values; values stand in the result as they are and are never read as a template.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from jinja2 import StrictUndefined, Template, TemplateSyntaxError
from jinja2.meta import find_undeclared_variables
from jinja2.sandbox import ImmutableSandboxedEnvironment

from foreword.prompts.checking import FILTERS, check_tree
from foreword.prompts.places import Faults
from foreword.prompts.variables import SPELLINGS, TemplateValues, values_by_spelling

MAX_TEMPLATE_CHARS = 100_000

HANDLEBARS = re.compile(r"\{\{\{|\{\{~?[#/^>]")

_OFFSET = re.compile(r" at \d+$")
"""Counted from the beginning of the whole text: lines and columns say more."""


def _environment() -> ImmutableSandboxedEnvironment:
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
        undefined=StrictUndefined,
        cache_size=0,
    )
    environment.globals.clear()
    environment.tests = {"defined": environment.tests["defined"]}
    environment.filters = {name: environment.filters[name] for name in FILTERS}
    return environment


_ENVIRONMENT = _environment()


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledTemplate:
    """A template that was accepted."""

    name: str
    text: str
    program: Template
    variables: frozenset[str]
    """Those that it names, by their first spelling."""

    def render(self, values: TemplateValues) -> str:
        """Return the text with `values` in their places, without line ends around it."""
        return self.program.render(values_by_spelling(values)).strip("\n")


@lru_cache(maxsize=64)
def compile_template(name: str, text: str) -> CompiledTemplate:
    """Return the template, ready to render.

    Raises:
        TemplateInvalid: it has a syntax error, names something unknown, or does what prompt
            templates do not do; the error names the place.
    """
    faults = Faults(_ENVIRONMENT, name, text)
    if not text.strip():
        raise faults.nowhere("it is empty")
    if len(text) > MAX_TEMPLATE_CHARS:
        raise faults.nowhere(f"it is longer than {MAX_TEMPLATE_CHARS} characters")
    try:
        tree = _ENVIRONMENT.parse(text)
        check_tree(faults, tree)
        named = find_undeclared_variables(tree)
        program = _ENVIRONMENT.from_string(tree)
    except TemplateSyntaxError as error:
        raise faults.in_syntax(error, _said(error, text)) from error
    except RecursionError as error:
        raise faults.nowhere("it is nested too deeply") from error
    except ValueError as error:  # Python reads no number of thousands of digits
        raise faults.nowhere("it has a number with too many digits") from error
    variables = frozenset(SPELLINGS[spelling] for spelling in named)
    return CompiledTemplate(name=name, text=text, program=program, variables=variables)


def _said(error: TemplateSyntaxError, text: str) -> str:
    reason = _OFFSET.sub("", str(error.message)).rstrip(".")
    if HANDLEBARS.search(text):
        reason += "; conditions are written {% if char %} … {% endif %} here"
    return reason
