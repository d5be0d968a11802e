"""The story so far, for any model.

Foreword keeps long conversations inside a model's context: recent turns go out word for word,
older ones as layered summaries, and every original stays stored and restorable.
"""

__version__ = "0.1.0"

__all__ = ["__version__"]
