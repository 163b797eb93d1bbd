"""`python -m blm` is the command `blm`."""

import signal


def main() -> None:
    """Run the command line. Until a command begins, Ctrl-C ends it as any program, silently."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from blm.cli import main as run

    run()


if __name__ == "__main__":
    main()
