"""Models and what stands in for them: real servers, token counters, the built-in summariser."""
