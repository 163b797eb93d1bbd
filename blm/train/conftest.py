"""Doctests of this package need torch and matplotlib; without them its modules are left out."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("torch") and find_spec("matplotlib") else ["*.py"]
