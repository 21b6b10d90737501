"""Lean in the box: find or install a Lean, build the proofs, audit them, hash the statements.

Bottom up: `home` (where the embedded Lean lives), `javascript` and `install` (how it gets there),
`server` (a warm Lean), `sources` and `messages` (what Lean reads and says), `build` and `lake` (two
ways to compile), `environment` and `probe` (the compiled library as data), `scan`, `vacuity`,
`audit`, `axiom_report` and `statements` (what the proofs are worth), `toolchain` (which Lean).
"""
