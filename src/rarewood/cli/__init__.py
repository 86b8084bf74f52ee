"""The command line: parses arguments, calls :mod:`rarewood.workflow`, and prints the results.

Heavy modules are imported when a command runs.
"""

from rarewood.cli._main import main

__all__ = ["main"]
