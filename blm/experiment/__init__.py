"""Experiments: which encoder, network and data set, how often, and a row for each prediction.

    config = read_config(Path("experiments/agreement.toml"))
    results = run_experiment(config, Path("results/agreement"))

Importing this package loads no torch; running an experiment does.
"""

from __future__ import annotations

from blm.experiment.config import ExperimentConfig, Source, read_config
from blm.experiment.results import Prediction, read_results

__all__ = ["ExperimentConfig", "Prediction", "Source", "read_config", "read_results"]
