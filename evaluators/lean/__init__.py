"""Lean in the box: find or install a Lean, build the proofs, audit them, hash the statements.

Bottom up: `home` (where the embedded Lean lives), `javascript` and `install` (how it gets there),
`server` (a warm Lean), `sources` and `messages` (what Lean reads and says), `build` and `lake` (two
ways to compile), `toolchain` (which of the two), `scan`, `environment`, `audit`, `vacuity` and
`statements` (what the compiled proofs are worth).
"""
