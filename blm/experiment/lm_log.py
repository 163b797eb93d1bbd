"""Reads what lm-evaluation-harness logged of our tasks, as rows of the result table.

    lm_eval --include_path DIR/lm_eval --tasks NAME --output_path OUT --log_samples ...

writes `OUT/MODEL/samples_NAME_TIME.jsonl`: a line a problem, with the whole record and the
log-likelihood of each candidate.  The score taken is that sum, lm_eval's `acc`.  The model and the
number of shots stand in `results_TIME.json` beside it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from blm.encode.data import Example, example_of
from blm.encode.encoder import FloatArray
from blm.experiment.results import Prediction, Setting, add_imported, predictions

_NAME = re.compile(r"samples_(?P<task>.+?)_(?P<time>\d{4}-\d\d-\d\dT[\d.:-]+)")


@dataclass(frozen=True, slots=True)
class Log:
    """A log file: the task and the time in its name, the model and the shots beside it."""

    task: str
    model: str
    shots: int


def add_logs(results: Path, logs: Iterable[Path]) -> dict[str, int]:
    """Add the rows of logs (files, or folders with files) to a folder of results, new or not.

    Returns the number of rows by solver and data set. A log of the same solver and data set
    replaces the earlier one. OSError or ValueError where a log cannot be read.
    """
    found: dict[str, list[Prediction]] = {}
    for log in logs:
        for path in _files(log):
            rows = read_log(path)
            found[f"{rows[0].solver}, {rows[0].test}"] = rows
    if found:
        add_imported(results, found)
    return {name: len(rows) for name, rows in found.items()}


def read_log(path: Path) -> list[Prediction]:
    """The rows of one `samples_*.jsonl`. ValueError with the line that is none of our problems."""
    about = _about(path)
    examples, values = [], []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            example, scores = _sample(json.loads(line))
        except (KeyError, TypeError, IndexError, ValueError) as error:
            reason = f"no {error}" if isinstance(error, KeyError) else str(error)
            raise ValueError(f"{path}:{number}: no sample of a task of blm: {reason}") from None
        examples.append(example)
        values.append(scores)
    if not examples:
        raise ValueError(f"{path} holds no sample")
    test = _data_set(examples, about.task)
    return predictions(_setting(about, test, examples[0]), test, examples, _padded(values))


def _files(log: Path) -> list[Path]:
    if log.is_file():
        return [log]
    found = sorted(log.rglob("samples_*.jsonl"))
    if not found:
        raise FileNotFoundError(f"{log} holds no log of lm_eval (samples_*.jsonl)")
    return found


def _about(path: Path) -> Log:
    """What the name of a log and the summary beside it say; the name alone, if there is none."""
    match = _NAME.fullmatch(path.stem)
    task, time = (match["task"], match["time"]) if match else (path.stem, "")
    shots = re.search(r"_(\d+)shot$", task)
    summary = path.with_name(f"results_{time}.json")
    told: dict[str, Any] = {}
    if summary.is_file():
        told = json.loads(summary.read_text(encoding="utf-8"))
    model = str(told.get("model_name") or path.resolve().parent.name)
    number = told.get("n-shot", {}).get(task, shots[1] if shots else 0)
    return Log(task, model.rstrip("/").rpartition("/")[2], int(number))


def _sample(record: dict[str, Any]) -> tuple[Example, list[float]]:
    """The problem of a line, and the log-likelihood of each candidate."""
    example = example_of(record["doc"])
    scores = [float(answer[0]) for answer in record["filtered_resps"]]
    if len(scores) != len(example.choices):
        raise ValueError(f"{len(scores)} scores for {len(example.choices)} candidates")
    return example, scores


def _data_set(examples: Iterable[Example], task: str) -> str:
    """`fr-I`, as experiments call a data set; the task where problems differ in that."""
    names = {f"{example.language}-{example.type}" for example in examples}
    return names.pop() if len(names) == 1 else task


def _setting(about: Log, test: str, example: Example) -> Setting:
    learned = about.shots > 0
    return Setting(
        encoder="",
        encoder_kind="",
        solver=f"{about.model} {about.shots}-shot (lm-eval)",
        kind="language model",
        train=test if learned else "",
        train_language=example.language if learned else "",
        train_type=example.type if learned else "",
        train_size=about.shots,
        size=str(about.shots),
        seed=0,
    )


def _padded(values: list[list[float]]) -> FloatArray:
    """Rows of unlike length as (problems, candidates), -inf where there is no candidate."""
    scores = np.full((len(values), max(map(len, values))), -np.inf, dtype=np.float32)
    for row, given in zip(scores, values, strict=True):
        row[: len(given)] = given
    return scores
