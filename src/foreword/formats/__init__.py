"""Files: what other programs write, and Foreword's own bundles, to and from plain values.

Above: the engine, which stores what is read. Below: `ports.format` and `domain.interchange`.
Invariant: whatever the bytes are, only errors of `foreword.errors` come out.
"""
