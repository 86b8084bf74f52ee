"""The command line: ``rarewood compare``, ``rarewood datasets`` and so on.

Each command is a module of its own that parses arguments and calls the library. What is heavy is
imported when a command runs.
"""

from rarewood.cli._main import main

__all__ = ["main"]
