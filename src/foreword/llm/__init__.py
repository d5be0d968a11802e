"""Models and what stands in for them: token counters and the built-in summariser."""
