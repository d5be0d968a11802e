"""The nouns: frozen values and the pure rules that belong to one noun alone.

Nothing below but `errors`; everything else stands above. No I/O, no clock, no random choice.
"""
