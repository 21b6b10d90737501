"""Comparisons against named peers, each side by side in one run."""
