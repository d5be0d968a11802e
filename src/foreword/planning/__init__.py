"""What to send, what to summarise and when: pure decisions over the nouns.

Above: engine. Below: `prompts`, `domain`, `errors`. No I/O, no clock, no random choice: what a
decision needs is passed in, so the same input gives the same plan.
"""
