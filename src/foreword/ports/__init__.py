"""What the engine needs from outside, as Protocols; storage, llm and formats implement them."""
