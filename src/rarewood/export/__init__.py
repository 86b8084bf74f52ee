"""Fitted trees as text and as diagrams."""
