"""Use cases: load what is needed, ask the pure core for a plan, commit, report.

Above: the doors, through `bootstrap`. Below: ports and the pure core. No rule lives here. Use cases
that ask a summariser are async, all others plain functions.
"""
