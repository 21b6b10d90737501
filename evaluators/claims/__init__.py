"""The ledger: every claim of the three papers and ours, with its evidence (DESIGN.md section 7)."""
