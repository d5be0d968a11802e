"""The command line: translates between words in a terminal and the engine. No rule lives here."""
