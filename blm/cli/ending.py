"""How a command ends that is stopped: by Ctrl-C, by a signal, or as nobody reads its output."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import typer
from typer.core import TyperGroup

from blm.cli.common import complain

_PIPE = 141
"""The exit code of what SIGPIPE ends, 128 + 13, as shells tell it."""


class Commands(TyperGroup):
    """Commands that end in order when they are stopped: with a word, and never a traceback."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was given."""
        heard: list[int] = []
        try:
            with _signals_raise(heard):
                return super().invoke(ctx)
        except BrokenPipeError:
            raise typer.Exit(_PIPE) from None
        except (KeyboardInterrupt, RuntimeError) as error:
            # Where a class is being made Python raises a RuntimeError instead.
            if not heard and isinstance(error, RuntimeError):
                raise
            complain("stopped")
            raise typer.Exit(128 + (heard or [signal.SIGINT])[-1]) from None


@contextmanager
def _signals_raise(heard: list[int]) -> Iterator[None]:
    """The signals that end programs raise KeyboardInterrupt in here, so that things are closed.

    Not those that are ignored (`nohup`). Which ones were heard is put into the list.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = [getattr(signal, name, None) for name in ("SIGINT", "SIGTERM", "SIGHUP")]
    ours = [n for n in numbers if n is not None and signal.getsignal(n) is signal.SIG_DFL]

    def stop(number: int, _frame: FrameType | None) -> None:
        heard.append(number)
        raise KeyboardInterrupt

    for number in ours:
        signal.signal(number, stop)
    if hasattr(signal, "pthread_kill"):
        sys.unraisablehook = _once_more
    try:
        yield
    finally:
        sys.unraisablehook = sys.__unraisablehook__
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


def _once_more(lost: Any) -> None:
    """Interrupt again where that happened in a place from which nothing can be raised."""
    if lost.exc_type is KeyboardInterrupt:
        main = threading.main_thread().ident
        threading.Timer(0.01, signal.pthread_kill, (main, signal.SIGINT)).start()
    else:
        sys.__unraisablehook__(lost)


def let_go_of_output() -> None:
    """Write what is left to standard output; where nobody reads it, end without a word."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(_PIPE)
