"""The command line: parses arguments, calls :mod:`rarewood.workflow`, and prints the results.

Heavy modules are imported when a command runs. This one imports nothing: Ctrl-C before ``main``
runs is not handled, so it must be reached at once.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: "Sequence[str] | None" = None) -> None:
    """Run the command line, and end the process.

    Parameters
    ----------
    arguments : list of str, default=None
        Arguments; by default those of the process.
    """
    try:
        from rarewood.cli._main import run_program

        run_program(arguments)
    except KeyboardInterrupt:
        from rarewood.cli._interrupt import end_interrupted

        end_interrupted()
