"""The version of blm."""

__version__ = "0.1.0"
