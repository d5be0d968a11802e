"""The branches of the tree of errors; the leaves are in the modules beside this one."""

from __future__ import annotations

from typing import ClassVar


class ForewordError(Exception):
    """Anything that Foreword raises on purpose."""

    retryable: ClassVar[bool] = False


class InputError(ForewordError):
    """What was asked cannot be done as asked."""


class ConflictError(ForewordError):
    """Somebody changed what this would change."""


class BudgetError(ForewordError):
    """Something does not fit into the model's context."""


class ModelError(ForewordError):
    """A summariser or model gave nothing that can be used."""


class StoreError(ForewordError):
    """The database cannot do what was asked."""
