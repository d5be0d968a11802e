"""The built-in summariser: pure, deterministic, no model.

`sentences` reads passages, `clauses` cuts them, `scoring` weighs what they say, `candidates` offers
ways to quote them, `selection` takes the best under a budget, `narrative` writes them down,
`labels` reads summaries back for a merge, `clipping` helps where no sentence fits.
"""

from foreword.planning.extractive.condensing import merge, summarise

__all__ = ["merge", "summarise"]
