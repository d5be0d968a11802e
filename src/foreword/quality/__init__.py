"""What may become memory: pure judgements on what a model wrote.

Above: engine. Below: prompts and domain. Beside: planning, which knows nothing of it.
"""
