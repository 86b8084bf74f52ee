"""Mutation tests: small changes of the source, and whether tests find them."""
