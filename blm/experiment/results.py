"""Predictions as a tidy table: a row for each problem that a run answered.

Written as Parquet with lists as lists, and as CSV with `;` between the members of a list.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from blm.encode.data import Example
from blm.encode.encoder import FloatArray
from blm.experiment.config import slug
from blm.whole import whole

PARQUET = "results.parquet"
CSV = "results.csv"
RUNS = "runs"
"""The folder of the rows of each run."""
_IMPORTED = "imported."
"""How the files of rows begin there that no run of an experiment made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What was run: the columns that all predictions of a run share."""

    encoder: str
    encoder_kind: str
    """`own` where the experiment trained it, else `given`; empty without an encoder."""
    solver: str
    """A network, a reference or a language model."""
    kind: str
    """`network`, `reference` or `language model`."""
    train: str
    """The name of the training set; empty where nothing was learned."""
    train_language: str
    train_type: str
    train_size: int
    """Training problems."""
    size: str
    """`all`, `equal`, or the number asked for."""
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction(Setting):
    """A row of the table."""

    test: str
    test_language: str
    test_type: str
    phenomenon: str
    problem: str
    matrix: str
    clause: str
    seeds: tuple[str, ...]
    """The lexical seeds of the sentences."""
    answer: int
    """The place of the correct candidate, from 0."""
    chosen: int
    """The place of the candidate that was chosen: of the highest score, the first if tied."""
    ties: int
    """How many candidates have the highest score; 1 where the choice is clear."""
    among: bool
    """Whether the correct candidate has the highest score, alone or tied."""
    correct: bool
    """Whether the correct candidate was chosen."""
    label: str
    """The label of the chosen candidate."""
    rules: tuple[str, ...]
    """The rules that the chosen candidate breaks."""
    families: tuple[str, ...]
    """Their families."""
    labels: tuple[str, ...]
    """The label of each candidate."""
    scores: tuple[float, ...]
    """The score of each candidate."""


COLUMNS = tuple(f.name for f in fields(Prediction))


def predictions(
    setting: Setting, test: str, examples: Sequence[Example], scores: FloatArray
) -> list[Prediction]:
    """The rows of a run on a test set; `scores` is (problems, candidates)."""
    shared = asdict(setting)
    rows = []
    for example, values in zip(examples, scores, strict=True):
        own = values[: len(example.choices)]
        best = np.flatnonzero(own == own.max())
        chosen = int(best[0])
        choice = example.choices[chosen]
        rows.append(
            Prediction(
                **shared,
                test=test,
                test_language=example.language,
                test_type=example.type,
                phenomenon=example.phenomenon,
                problem=example.id,
                matrix=example.matrix,
                clause=example.clause,
                seeds=example.seeds,
                answer=example.answer,
                chosen=chosen,
                ties=len(best),
                among=example.answer in best,
                correct=chosen == example.answer,
                label=choice.label,
                rules=choice.rules,
                families=choice.families,
                labels=tuple(c.label for c in example.choices),
                scores=tuple(float(value) for value in own),
            )
        )
    return rows


def write_parquet(path: Path, rows: Sequence[Prediction]) -> None:
    """Write rows as Parquet, whole or not at all."""
    import pyarrow as pa
    from pyarrow import parquet

    columns = {name: [getattr(row, name) for row in rows] for name in COLUMNS}
    table = pa.table(
        {name: pa.array(values, type=_arrow_type(name)) for name, values in columns.items()}
    )
    with whole(path) as part:
        parquet.write_table(table, part, compression="zstd")


def write_csv(path: Path, rows: Iterable[Prediction]) -> None:
    """Write rows as CSV, whole or not at all."""
    with whole(path) as part, part.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows([_cell(getattr(row, name)) for name in COLUMNS] for row in rows)


def read_results(path: Path) -> list[Prediction]:
    """The rows of a Parquet file, or of a folder with `results.parquet`."""
    from pyarrow import parquet

    file = path / PARQUET if path.is_dir() else path
    if not file.is_file():
        raise FileNotFoundError(f"{file} is not there: run an experiment first")
    rows = []
    for batch in parquet.ParquetFile(file).iter_batches():
        for record in batch.to_pylist():
            rows.append(Prediction(**{name: _frozen(value) for name, value in record.items()}))
    return rows


def write_results(folder: Path, rows: Iterable[Prediction]) -> None:
    """Write the table of these rows and of those imported."""
    imported = sorted((folder / RUNS).glob(f"{_IMPORTED}*.parquet"))
    everything = [*rows, *(row for path in imported for row in read_results(path))]
    write_parquet(folder / PARQUET, everything)
    write_csv(folder / CSV, everything)


def add_imported(folder: Path, found: Mapping[str, Sequence[Prediction]]) -> None:
    """Add rows that no run made, by a name; they stay when the experiment is run again."""
    (folder / RUNS).mkdir(parents=True, exist_ok=True)
    imported = {(row.solver, row.test) for rows in found.values() for row in rows}
    for path in (folder / RUNS).glob(f"{_IMPORTED}*.parquet"):
        imported |= {(row.solver, row.test) for row in read_results(path)}
    for name, rows in found.items():
        write_parquet(folder / RUNS / f"{_IMPORTED}{slug(name)}.parquet", rows)
    earlier = read_results(folder) if (folder / PARQUET).is_file() else []
    write_results(folder, [row for row in earlier if (row.solver, row.test) not in imported])


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _cell(value: Any) -> Any:
    if isinstance(value, tuple):
        return ";".join(f"{v:.6g}" if isinstance(v, float) else str(v) for v in value)
    return value


def _arrow_type(name: str) -> Any:
    import pyarrow as pa

    kinds = {f.name: str(f.type) for f in fields(Prediction)}
    return {
        "str": pa.string(),
        "int": pa.int32(),
        "bool": pa.bool_(),
        "tuple[str, ...]": pa.list_(pa.string()),
        "tuple[float, ...]": pa.list_(pa.float32()),
    }[kinds[name]]
