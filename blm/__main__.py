"""`python -m blm` is the command `blm`."""

from blm.cli import main

main()
