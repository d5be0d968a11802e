"""Something does not fit into the model's context."""

from __future__ import annotations

from foreword.errors.tree import BudgetError

LIMIT = "Contextual limit not sufficient."
"""How such an error begins, in the words of spec/summaries."""


class ContextTooSmall(BudgetError):
    """What must be sent does not fit: fixed texts, summaries, pins and the newest turn."""

    def __init__(self, *, needed: int, limit: int, largest: str) -> None:
        self.needed = needed
        self.limit = limit
        self.largest = largest
        super().__init__(
            f"{LIMIT} What must be sent needs {needed} tokens, {limit} "
            f"are available; the largest part is {largest}. Merge or repair summaries, unpin or "
            "shorten turns, shorten the fixed texts, or raise the context."
        )


class SpanTooLong(BudgetError):
    """What is to be summarised does not fit into the context of the route that would do it.

    `needed` and `limit` are tokens, the room for the answer included; `last_order_that_fits` is the
    ORDER of the last turn up to which it would fit, 0 when not even the first one does.
    """

    def __init__(
        self, *, needed: int, limit: int, last_order_that_fits: int, route: str = "summarise"
    ) -> None:
        self.needed = needed
        self.limit = limit
        self.last_order_that_fits = last_order_that_fits
        self.route = route
        if last_order_that_fits:
            hint = f"It fits up to turn {last_order_that_fits}; --split makes several."
        else:
            hint = "Not even the first of them fits: give the route a model with a larger context."
        super().__init__(f"{LIMIT} This needs {needed} tokens, route {route!r} has {limit}. {hint}")
