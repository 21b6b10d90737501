"""Exact replay, exact optimum and audited artifacts for KV-cache scheduling."""

__version__ = "0.1.0"
