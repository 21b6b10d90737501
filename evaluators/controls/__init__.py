"""Builds and re-derives each artifact."""
