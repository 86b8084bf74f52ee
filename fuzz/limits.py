"""Limits of a process; there are none under a sanitizer, which reserves terabytes and is slow."""

from __future__ import annotations

import os
import resource

IS_SANITIZED = bool(os.environ.get("RAREWOOD_SANITIZED"))


def limit_memory(n_bytes: int) -> int:
    """Limit the address space of this process; returns the limit before."""
    before, most = resource.getrlimit(resource.RLIMIT_AS)
    if not IS_SANITIZED:
        resource.setrlimit(resource.RLIMIT_AS, (n_bytes, most))
    return before
