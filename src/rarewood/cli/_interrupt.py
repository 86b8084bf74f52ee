"""Signals that end the program: Ctrl-C, and those of a system that shuts down or a closed terminal.

Each ends the program in order: temporary files are removed, workers are stopped, and what is
finished is kept. The exit code is 128 plus the number of the signal, as in shells.
"""

from __future__ import annotations

import _thread
import atexit
import os
import signal
import sys
import threading
import time
from contextlib import suppress
from typing import Any, NoReturn

from rarewood.cli import _errors as errors

_SIGNALS = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]  # Windows has no SIGHUP
_PAUSE = 1.0  # seconds after which an interrupt is repeated


def end_on_signals() -> None:
    """Let the signals that end a program raise KeyboardInterrupt, unless they are ignored."""
    atexit.register(_end)  # registered first, so it runs last
    for number in _SIGNALS:
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _interrupt)


def let_signals_end() -> None:
    """Let signals end the process at once: the command is over, and its results are written.

    Libraries stop their workers at exit; an exception there would be shown with a traceback.
    """
    for number in _SIGNALS:
        if signal.getsignal(number) in (_interrupt, signal.default_int_handler):
            signal.signal(number, signal.SIG_DFL)


def _interrupt(number: int, frame: Any) -> NoReturn:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # the next one interrupts again
    if number != signal.SIGINT:
        signal.signal(number, signal.SIG_DFL)  # the next one ends the program at once
    errors.INTERRUPT_CODE = 128 + number
    threading.Thread(target=_repeat, daemon=True).start()
    raise KeyboardInterrupt


def _repeat() -> None:
    """Interrupt again if the exception was lost: some libraries discard any that they meet.

    While the main thread handles it, by closing files and stopping workers, it is left alone.
    """
    main = threading.main_thread().ident or 0
    while True:
        time.sleep(_PAUSE)
        if errors.INTERRUPTED:
            return
        found = sys._current_exceptions().get(main)
        handled = found[1] if isinstance(found, tuple) else found  # a tuple in Python 3.11
        if errors.is_interrupt(handled):
            continue
        if hasattr(signal, "pthread_kill"):
            signal.pthread_kill(main, signal.SIGINT)  # also ends a call that waits
        else:
            _thread.interrupt_main()


def end_interrupted() -> NoReturn:
    """End after an interrupt outside the commands, which handle their own."""
    if not errors.INTERRUPTED:
        errors.note_interrupt()
    raise SystemExit(errors.INTERRUPT_CODE) from None


def _end() -> None:
    """End an interrupted process with its exit code.

    If Ctrl-C came during an ``exec``, as is common during imports, Python would end by the signal
    although the interrupt was handled.
    """
    if errors.INTERRUPTED:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):  # a closed pipe
                stream.flush()
        os._exit(errors.INTERRUPT_CODE)
