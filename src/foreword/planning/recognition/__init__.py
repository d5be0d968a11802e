"""Which stored conversation and branch a client's request continues, and what each message is.

Pure: requests and what is known go in, a `Recognition` comes out, which says of every message
what it is and what has to change in the store. No client is named: only properties of messages
count. Read in this order: `normal` (when two texts are one), `known` (what is stored), `aligning`
(one branch), `choosing` (which branch), `places` (what each message is), `changes` (what the
store does about it), `recognise` (all of it). Beside it `forwarding` says what goes to the model.
"""
