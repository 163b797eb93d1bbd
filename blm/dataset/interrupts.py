"""Signals, while processes are started."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_TOLD_ALL = {getattr(signal, name) for name in ("SIGINT", "SIGHUP") if hasattr(signal, name)}
"""The signals of a terminal."""


@contextmanager
def interrupts_wait() -> Iterator[None]:
    """Signals that end programs are heard at the end of this: what is half begun cannot be closed.

    Processes that are started in here never hear Ctrl-C, nor that the terminal is closed. It
    tells all processes of a command, and it is for the first one to answer.
    """
    if threading.current_thread() is not threading.main_thread():  # which alone hears them
        yield
        return
    heard: list[int] = []
    numbers = (*_TOLD_ALL, signal.SIGTERM)
    before = {number: signal.getsignal(number) for number in numbers}
    answers = {number: answer for number, answer in before.items() if callable(answer)}
    for number in answers:
        signal.signal(number, lambda number, _frame: heard.append(number))
    try:
        with _blocked():
            yield
    finally:
        for number, answer in answers.items():
            signal.signal(number, answer)
        for heard_number in heard:
            signal.raise_signal(heard_number)


@contextmanager
def _blocked() -> Iterator[None]:
    """Threads and processes that start in here inherit that these do not reach them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    before = signal.pthread_sigmask(signal.SIG_BLOCK, _TOLD_ALL)
    try:
        resource_tracker.ensure_running()  # which lets interrupts in again, now or later
        signal.pthread_sigmask(signal.SIG_BLOCK, _TOLD_ALL)
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
