"""Progress of a fit."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Self

from rarewood.cli._console import make_console
from rarewood.cli._options import print_findings
from rarewood.workflow import Listener

if TYPE_CHECKING:
    from rarewood.intake import Findings

__all__ = ["FitListener"]


class FitListener(ExitStack, Listener):
    """Prints what will be fitted, and shows on a terminal that the fit is running."""

    def __enter__(self) -> Self:
        super().__enter__()
        self._is_streamed = False
        return self

    def on_table(self, findings: Findings, streamed: str | None) -> None:
        """Print the findings."""
        self._is_streamed = streamed is not None
        if streamed is not None:
            name = findings.name
            print(f"{name} is read in batches ({streamed}); --no-stream reads it whole")
        print_findings(findings)

    def on_model(self, classifier: Any, changed: list[str]) -> None:
        """Print the model."""
        if changed:
            print(f"note: set {' and '.join(changed)}, as required for reading in batches")
        print(f"fitting {' '.join(repr(classifier).split())}", flush=True)
        console = make_console(is_error=True)
        if console.is_terminal and not self._is_streamed:
            self.enter_context(console.status("fitting the model and its folds"))
