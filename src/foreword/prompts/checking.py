"""Which templates are accepted: a language so small that an accepted template always renders.

Above: rendering. Below: the variables. A template has text, variables, `{% if %}`, comparisons and
a few filters. There is nothing that loops, calls, stores or grows, and operands are checked for
their kind, so neither time nor memory nor any value can break what was accepted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum

from jinja2 import nodes

from foreword.errors import TemplateInvalid
from foreword.prompts.places import Faults
from foreword.prompts.variables import LONG_VARIABLES, SPELLINGS, VARIABLES, nearest_spelling

MAX_DEPTH = 40
"""Levels of nested tags and expressions."""
MAX_NODES = 4000
"""Tags, texts, variables and operators together."""
MAX_LONG_USES = 16
"""How often a variable of any length may be named; with it the size of a prompt is bounded."""
MAX_SHORT_USES = 400


class Kind(StrEnum):
    """What an expression gives."""

    TEXT = "a text"
    NUMBER = "a number"
    TRUTH = "a yes or no"


FILTERS = {
    "trim": Kind.TEXT,
    "upper": Kind.TEXT,
    "lower": Kind.TEXT,
    "capitalize": Kind.TEXT,
    "title": Kind.TEXT,
    "length": Kind.NUMBER,
    "count": Kind.NUMBER,
    "wordcount": Kind.NUMBER,
}
"""What each filter makes of a text. None takes arguments."""

REPLACED = dict.fromkeys(("default", "d"), 'write {{ user or "you" }}')
"""What to write instead of filters that many would expect."""

REFUSED: tuple[tuple[type[nodes.Node], str], ...] = (
    (nodes.For, "loops: every variable is one text"),
    (nodes.Call, "calls: a filter may help, like {{ text | trim }}"),
    (nodes.Getattr, "attributes: every variable is one text"),
    (nodes.Getitem, "parts of a variable: every variable is one text"),
    (nodes.Include, "other templates"),
    (nodes.Import, "other templates"),
    (nodes.FromImport, "other templates"),
    (nodes.Extends, "other templates"),
    (nodes.Block, "blocks"),
    (nodes.Macro, "macros"),
    (nodes.CallBlock, "macros"),
    (nodes.Assign, "{% set %}"),
    (nodes.AssignBlock, "{% set %}"),
    (nodes.With, "{% with %}"),
    (nodes.FilterBlock, "{% filter %}: put it on a variable, like {{ text | trim }}"),
    (nodes.Concat, "~: write one {{ … }} after the other"),
    (nodes.Test, "tests other than 'is defined'"),
    (nodes.BinExpr, "arithmetic"),
    (nodes.UnaryExpr, "arithmetic"),
    (nodes.Node, "lists or tables"),
)
"""What Jinja knows and templates here do not; the first that fits is told."""

ORDERED = frozenset({"lt", "lteq", "gt", "gteq"})


def check_tree(faults: Faults, tree: nodes.Template) -> None:
    """Accept `tree`, or say where it does what templates do not do.

    Args:
        faults: makes the errors about the template.
        tree: what Jinja read.

    Raises:
        TemplateInvalid: at the first place, in reading order, that is not accepted.
    """
    _check_size(faults, tree)
    _Checker(faults).body(tree.body)


def _check_size(faults: Faults, tree: nodes.Template) -> None:
    """Refuse too many or too deeply nested nodes, without recursion."""
    waiting: list[tuple[nodes.Node, int]] = [(tree, 0)]
    seen = 0
    while waiting:
        node, depth = waiting.pop()
        seen += 1
        if depth > MAX_DEPTH:
            raise faults.at_line(node.lineno, "it is nested too deeply")
        if seen > MAX_NODES:
            raise faults.nowhere(f"it has more than {MAX_NODES} tags and texts; make it shorter")
        waiting.extend((child, depth + 1) for child in node.iter_child_nodes())


class _Checker:
    """Walks one template and counts how often each variable is named."""

    def __init__(self, faults: Faults) -> None:
        self._faults = faults
        self._uses: Counter[str] = Counter()

    def body(self, body: Iterable[nodes.Node]) -> None:
        for node in body:
            match node:
                case nodes.Output():
                    for child in node.nodes:
                        if not isinstance(child, nodes.TemplateData):
                            self._kind(child)
                case nodes.If():
                    self._kind(node.test)
                    self.body(node.body)
                    self.body(node.elif_)
                    self.body(node.else_)
                case _:
                    raise self._refusal(node)

    def _kind(self, node: nodes.Node) -> Kind:
        match node:
            case nodes.Name():
                return self._variable(node)
            case nodes.Const():
                return self._constant(node)
            case nodes.Filter():
                return self._filter(node)
            case nodes.CondExpr():
                return self._choice(node)
            case nodes.And() | nodes.Or():
                return self._joined(self._kind(node.left), self._kind(node.right))
            case nodes.Not() | nodes.Test(name="defined"):
                self._kind(node.node)
                return Kind.TRUTH
            case nodes.Compare():
                return self._comparison(node)
            case _:
                raise self._refusal(node)

    def _variable(self, node: nodes.Name) -> Kind:
        variable = SPELLINGS.get(node.name)
        if variable is None:
            near = nearest_spelling(node.name)
            hint = f" (did you mean {{{{ {near} }}}}?)" if near else ""
            reason = f"there is no variable {node.name!r}{hint}; there are: {', '.join(VARIABLES)}"
            raise self._faults.at_name(node.lineno, reason, node.name, is_filter=False)
        self._uses[variable] += 1
        most = MAX_LONG_USES if variable in LONG_VARIABLES else MAX_SHORT_USES
        if self._uses[variable] > most:
            raise self._wrong(node, f"{{{{ {node.name} }}}} is used more than {most} times")
        return Kind.TEXT

    def _constant(self, node: nodes.Const) -> Kind:
        match node.value:
            case bool():
                return Kind.TRUTH
            case str():
                return Kind.TEXT
            case int() | float():
                return Kind.NUMBER
            case _:
                raise self._wrong(
                    node, "'none' is not available: a variable without a value is empty"
                )

    def _filter(self, node: nodes.Filter) -> Kind:
        if node.name not in FILTERS:
            hint = REPLACED.get(node.name, f"there are: {', '.join(FILTERS)}")
            reason = f"there is no filter {node.name!r}; {hint}"
            raise self._faults.at_name(node.lineno, reason, node.name, is_filter=True)
        if node.args or node.kwargs or node.dyn_args or node.dyn_kwargs:
            raise self._wrong(node, f"the filter {node.name!r} takes nothing in brackets")
        # A filter without an operand belongs to {% filter %}, which is refused before this.
        assert node.node is not None
        self._need(node, Kind.TEXT, (self._kind(node.node),), f"the filter {node.name!r}")
        return FILTERS[node.name]

    def _choice(self, node: nodes.CondExpr) -> Kind:
        self._kind(node.test)
        if node.expr2 is None:
            raise self._wrong(node, "an 'if' inside {{ … }} needs an 'else'")
        return self._joined(self._kind(node.expr1), self._kind(node.expr2))

    def _comparison(self, node: nodes.Compare) -> Kind:
        left = self._kind(node.expr)
        for operand in node.ops:
            right = self._kind(operand.expr)
            if operand.op in ORDERED:
                self._need(node, Kind.NUMBER, (left, right), "a comparison of sizes")
            elif operand.op.endswith("in"):  # with or without `not`
                self._need(node, Kind.TEXT, (left, right), "'in'")
            left = right
        return Kind.TRUTH

    @staticmethod
    def _joined(left: Kind, right: Kind) -> Kind:
        return left if left is right else Kind.TRUTH

    def _need(self, node: nodes.Node, wanted: Kind, given: Sequence[Kind], what: str) -> None:
        for kind in given:
            if kind is not wanted:
                raise self._wrong(node, f"{what} needs {wanted}, not {kind}")

    def _refusal(self, node: nodes.Node) -> TemplateInvalid:
        what = next(words for kind, words in REFUSED if isinstance(node, kind))
        return self._wrong(node, f"a prompt template cannot use {what}")

    def _wrong(self, node: nodes.Node, reason: str) -> TemplateInvalid:
        return self._faults.at_line(node.lineno, reason)
