"""The reference page of settings, written from the tables and dataclasses that hold them.

Above: `reference`. Below: `settings`, the policy, routes and template variables. What a value may
be is asked of the program: it is what the program says when the value is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields

from foreword.domain.policy import policy_from, setting_help, setting_names, written
from foreword.domain.routes import ROUTE_SETTINGS, Route, route_from
from foreword.domain.setting_values import written_value
from foreword.errors import InvalidSetting
from foreword.prompts.templates import EXPECTED, REQUIRED, TemplateName
from foreword.prompts.variables import SPELLINGS, VARIABLES
from foreword.settings.variables import VARIABLES as ENVIRONMENT

HEAD = """# Settings

There is no file of settings. What can be set is in the environment, in the database, or given with
a command. The nearest counts:

1. an option of the command, such as `--context`, `--data-dir` or `--database`;
2. the setting of the conversation: `foreword settings set CONV KEY VALUE`;
3. the default of all conversations: `foreword settings set KEY VALUE`;
4. the environment;
5. the default in the tables below.
"""

CONVERSATIONS = """## Conversations

`foreword settings show` prints them with their values, `foreword new --set KEY=VALUE` begins with
them, and the library takes them as arguments of `new` and with `set`. An empty value takes a
setting away.
"""

ROUTES = """## Routes

`foreword routes set NAME` takes them as options (`price_in` is `--price-in`), the library as
arguments of `set_route`. `told_context` is written by Foreword. See [models](../models.md).
"""

TEMPLATES = """## Templates

`foreword templates set` and `foreword templates edit` replace a template, for all conversations or
for one. A template must show what it is about, or it is not saved; where it leaves out something
else, a warning says what is lost.
"""

_WRONG = "?"
"""A value that no setting with a range takes."""


def settings_page() -> str:
    """Return the page of all settings, as Markdown."""
    return "\n".join(
        (
            HEAD,
            "## Environment\n",
            _table(
                ("variable", "what it does", "otherwise"),
                ((f"`{one.name}`", one.about, one.otherwise) for one in ENVIRONMENT),
            ),
            CONVERSATIONS,
            _table(
                ("setting", "default", "values", "what it does"), map(_setting, setting_names())
            ),
            ROUTES,
            _table(("value", "default", "values", "what it is"), map(_route_value, ROUTE_SETTINGS)),
            TEMPLATES,
            _table(("template", "must show", "should show"), map(_template, TemplateName)),
            "In a template, a variable is written `{{ summaries }}`:\n",
            _table(("variable", "also", "holds"), map(_variable, VARIABLES)),
        )
    )


def _setting(name: str) -> tuple[str, ...]:
    default = written(policy_from({}), name)
    return (
        f"`{name}`",
        f"`{default}`" if default else "none",
        _values(lambda: policy_from({name: _WRONG})),
        setting_help(name),
    )


def _route_value(name: str) -> tuple[str, ...]:
    default = next(entry.default for entry in fields(Route) if entry.name == name)
    shown = written_value(default) if isinstance(default, int | float) else ""
    return (
        f"`{name}`",
        f"`{shown}`" if shown else "none",
        _values(lambda: route_from("chat", {"model": "m", name: _WRONG})),
        ROUTE_SETTINGS[name],
    )


def _values(tried: Callable[[], object]) -> str:
    """Return what the program says that it wants instead of a wrong value."""
    try:
        tried()
    except InvalidSetting as error:
        return error.wanted
    return "any text"


def _template(name: TemplateName) -> tuple[str, ...]:
    must = REQUIRED.get(name)
    others = (f"`{one}`" for one in EXPECTED[name] if one != must)
    return (f"`{name.value}`", f"`{must}`" if must else "", ", ".join(others))


def _variable(name: str) -> tuple[str, ...]:
    others = (f"`{one}`" for one, stands_for in SPELLINGS.items() if stands_for == name != one)
    return (f"`{name}`", ", ".join(others), VARIABLES[name])


def _table(columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """Return a table in Markdown, with a blank line behind it."""
    lines = (columns, ("---",) * len(columns), *rows)
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)
