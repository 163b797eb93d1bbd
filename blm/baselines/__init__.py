"""Baselines: networks that learn, references that do not, and language models as solvers.

All of them give a score to each candidate, (problems, candidates); the highest is the choice.
Importing this package loads no torch; the modules of networks do.
"""

from __future__ import annotations

from blm.baselines.references import REFERENCES, reference_scores

NETWORKS = ("ffnn", "cnn", "ffnn-authors", "cnn-authors", "vae")
"""The names that `blm.baselines.networks.build_network` knows."""

__all__ = ["NETWORKS", "REFERENCES", "reference_scores"]
