"""Parquet with the fields of the JSON Lines record, as Hugging Face `datasets` reads it.

Columns are taken from the numbers of a batch: what they number becomes an Arrow array once a
batch, and no problem becomes a Python object.  Texts are dictionaries from beginning to end:
the numbers of a column are what Parquet writes, and no text is copied or hashed a problem.
Arrow has no struct without fields, so an object without attributes, `{}` where it is present in
JSON, is the text `present` here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from blm.dataset import arrow
from blm.dataset.batch import Batch, Column
from blm.dataset.records import Records
from blm.dataset.space import ProblemSpace
from blm.phenomenon import PRESENCE, PRESENT, CellName, Phenomenon
from blm.problem import Candidate, Json, candidate_json, item_json
from blm.variation import exact

Flags = np.ndarray[Any, np.dtype[np.bool_]]

Places = np.ndarray[Any, np.dtype[np.int32]]
"""Places in a dictionary; Arrow has them in 32 bits."""

_TEXT = pa.dictionary(pa.int32(), pa.string())

_FLAT = ("id", "phenomenon", "language", "type", "clause", "matrix")
"""Columns with a text a problem."""

_BROKEN = pa.list_(pa.struct({"rule": _TEXT, "family": _TEXT}))


class ParquetWriter:
    """Writes problems to a new file, a row group for each batch.

    The file does not keep that texts were dictionaries in memory: readers find plain texts.
    Extreme values are kept of what a reader may skip row groups by, which is no sentence.
    """

    def __init__(self, path: Path, space: ProblemSpace) -> None:
        self._columns = Columns(space)
        self._file = pq.ParquetWriter(
            path,
            self._columns.schema,
            compression="zstd",
            write_statistics=list(_FLAT),
            store_schema=False,
        )

    def write(self, batch: Batch) -> None:
        """Add the problems of a batch."""
        self._file.write_batch(self._columns.record_batch(batch), row_group_size=len(batch))

    def close(self) -> None:
        """Finish the file."""
        self._file.close()


def read(path: Path) -> Iterator[Json]:
    """The problems of a file, equal to those of JSON Lines. OSError if it cannot be read."""
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches():
            for record in batch.to_pylist():
                for sentence in (*record["context"], *record["candidates"]):
                    _restore(sentence["item"])
                yield record


def _restore(item: Json) -> None:
    for name, said in item.items():
        if said == PRESENT:
            item[name] = {}


class Columns:
    """Turns batches of a space into Arrow columns."""

    def __init__(self, space: ProblemSpace) -> None:
        self._space = space
        self._records = Records(space)
        self._mixed = _mixed_cells(space.grammar.phenomenon)
        self._known: dict[int, tuple[Candidate, Json]] = {}

    @cached_property
    def schema(self) -> pa.Schema:
        """The fields of the record, in its order."""
        return pa.schema(
            {
                "id": pa.string(),
                **dict.fromkeys(_FLAT[1:], _TEXT),
                "seeds": pa.list_(_TEXT),
                "context": pa.list_(self._sentence),
                "candidates": pa.list_(self._candidate),
                "answer": pa.int64(),
            }
        )

    @cached_property
    def _item(self) -> pa.DataType:
        phenomenon = self._space.grammar.phenomenon
        values = {cell.name: _value_type(cell.domain) for cell in phenomenon.cells}
        return pa.struct(
            {
                thing.name: pa.struct(
                    {a: values[CellName(thing.name, a)] for a in thing.attributes}
                )
                if thing.attributes
                else _TEXT
                for thing in phenomenon.objects
            }
        )

    @cached_property
    def _sentence(self) -> pa.StructType:
        return pa.struct({"text": _TEXT, "item": self._item, "wording": _TEXT})

    @cached_property
    def _told(self) -> pa.StructType:
        """What a candidate is, whatever its words."""
        return pa.struct(
            {
                "item": self._item,
                "labels": pa.list_(_TEXT),
                "correct": pa.bool_(),
                "broken": _BROKEN,
                "edits": pa.list_(_TEXT),
                "minimal": pa.bool_(),
                "repeats": pa.int64(),
            }
        )

    @cached_property
    def _candidate(self) -> pa.StructType:
        own = [pa.field(name, _TEXT) for name in ("text", "label", "wording")]
        return pa.struct([*own, *self._told])

    def record_batch(self, batch: Batch) -> pa.RecordBatch:
        """The problems of a batch."""
        grammar = self._space.grammar
        clauses = [clause.name for clause in grammar.concrete.clauses]
        columns = {
            "id": self._identifiers(batch),
            "phenomenon": _repeated(grammar.phenomenon.name, len(batch)),
            "language": _repeated(grammar.concrete.language, len(batch)),
            "type": _repeated(str(self._space.type), len(batch)),
            "clause": _taken(batch.clause, lambda used: _strings(clauses[k] for k in used)),
            "matrix": _taken(
                batch.matrix, lambda used: _strings(batch.matrices[k].id for k in used)
            ),
            "seeds": self._seeds(batch),
            "context": self._context(batch),
            "candidates": self._candidates(batch),
            "answer": arrow.numbers(batch.correct),
        }
        return pa.record_batch(list(columns.values()), schema=self.schema)

    def _identifiers(self, batch: Batch) -> pa.Array:
        """The id of each problem; Arrow joins those whose numbers have 64 bits."""
        numbers = exact(batch.numbers)
        if numbers.dtype == object:
            return arrow.array([self._records.identifier(n) for n in batch.numbers], pa.string())
        texts = arrow.numbers(numbers).cast(pa.string())
        prefix, nothing = arrow.array([self._records.prefix, ""], pa.string())
        return pc.binary_join_element_wise(prefix, texts, nothing)

    def _context(self, batch: Batch) -> pa.Array:
        """The sentences of the context of each problem."""
        fields = [
            self._texts(batch.context_text),
            _taken(batch.context_item, self._items),
            self._wordings(batch.context_wording),
        ]
        every = np.ones(batch.context_text.shape, dtype=bool)
        return _lists(every, pa.StructArray.from_arrays(fields, fields=list(self._sentence)))

    def _candidates(self, batch: Batch) -> pa.Array:
        """The answers of each problem."""
        there = batch.answer >= 0
        told = _taken(batch.answer[there], lambda used: self._offered(batch, used))
        fields = [
            self._texts(batch.answer_text[there]),
            _taken(batch.place[there], lambda used: _strings(batch.labels[k] for k in used)),
            self._wordings(batch.answer_wording[there]),
            *told.flatten(),
        ]
        return _lists(there, pa.StructArray.from_arrays(fields, fields=list(self._candidate)))

    def _offered(self, batch: Batch, used: Sequence[int]) -> pa.Array:
        """What these candidates are. What the batch before had too is not told again."""
        candidates = [batch.candidates[k] for k in used]
        known = self._known
        self._known = {id(c): known.get(id(c)) or (c, self._tell(c)) for c in candidates}
        return arrow.array([told for _, told in self._known.values()], self._told)

    def _tell(self, candidate: Candidate) -> Json:
        told = candidate_json(self._space.grammar.phenomenon, candidate)
        told["item"] = self._plain(told["item"])
        return told

    def _items(self, used: Sequence[int]) -> pa.Array:
        phenomenon, items = self._space.grammar.phenomenon, self._space.texts.items
        told = [self._plain(item_json(phenomenon, items[k])) for k in used]
        return arrow.array(told, self._item)

    def _plain(self, item: Json) -> Json:
        """An item as Arrow can hold it: no empty struct, no values of two types in a cell."""
        for name, cells in item.items():
            if cells == {}:
                item[name] = PRESENT
        for cell in self._mixed:
            if (cells := item[cell.object]) and cells[cell.attribute] is not None:
                cells[cell.attribute] = str(cells[cell.attribute])
        return item

    def _texts(self, numbers: Column) -> pa.Array:
        sentences = self._space.texts.sentences
        return _taken(numbers, lambda used: _strings(sentences[k].text for k in used))

    def _wordings(self, numbers: Column) -> pa.Array:
        return _taken(numbers, lambda used: _strings(map(self._space.wordings.name, used)))

    def _seeds(self, batch: Batch) -> pa.Array:
        """The seeds of each problem's sentences, each once, in the order of the sentences."""
        wordings, there = batch.answer_wording, batch.answer >= 0
        if ((wordings == wordings[:, :1]) | ~there).all():
            wordings, there = wordings[:, :1], there[:, :1]  # one column says it for all answers
        wordings = np.concatenate([batch.context_wording, wordings], axis=1)
        there = np.concatenate([np.ones(batch.context_wording.shape, dtype=bool), there], axis=1)
        used, places = _used(wordings)
        numbers: dict[str, int] = {}
        own = [numbers.setdefault(self._space.wordings.seed(k).name, len(numbers)) for k in used]
        seeds = np.array(own, dtype=np.int32)[places]
        first = _first(seeds, there)
        return _lists(first, _strings(numbers).take(arrow.numbers(seeds[first])))


# --- arrays ----------------------------------------------------------


def _taken(numbers: Column, make: Callable[[Sequence[int]], pa.Array]) -> pa.Array:
    """What the numbers number, one after the other; `make` gives an array of the different ones."""
    used, places = _used(numbers)
    return make(used).take(arrow.numbers(places.reshape(-1)))


def _used(numbers: Column) -> tuple[list[int], Places]:
    """The different numbers (from 0), and for each number its place among them.

    They are in the order in which they appear: what they are does not matter, as sentences are
    numbered by each process in its own way, and files are the same whoever writes them.
    """
    flat = numbers.reshape(-1)
    first = np.full(flat.max(initial=-1) + 1, len(flat), dtype=np.int32)
    first[flat[::-1]] = np.arange(len(flat) - 1, -1, -1)  # the first one is put last, and stays
    used = np.flatnonzero(first < len(flat))
    used = used[np.argsort(first[used])]
    place = np.zeros(len(first), dtype=np.int32)
    place[used] = np.arange(len(used))
    return used.tolist(), place[numbers]


def _strings(texts: Any) -> pa.Array:
    return arrow.array(list(texts), _TEXT)


def _repeated(text: str, times: int) -> pa.Array:
    return _strings([text]).take(arrow.numbers(np.zeros(times, dtype=np.int32)))


def _lists(there: Flags, values: pa.Array) -> pa.Array:
    """A list for each row, of as many values as are there."""
    ends = np.cumsum(there.sum(axis=1))
    offsets = np.concatenate([[0], ends]).astype(np.int32)
    return pa.ListArray.from_arrays(arrow.numbers(offsets), values)


def _first(numbers: Places, there: Flags) -> Flags:
    """Where in its row a number that is there stands for the first time."""
    numbers, there = np.ascontiguousarray(numbers.T), np.ascontiguousarray(there.T)
    first = there.copy()
    for column in range(1, len(numbers)):
        same = (numbers[:column] == numbers[column]) & there[:column]
        first[column] &= ~same.any(axis=0)
    return first.T


def _value_type(domain: Sequence[object]) -> pa.DataType:
    return pa.int64() if all(isinstance(value, int) for value in domain) else _TEXT


def _mixed_cells(phenomenon: Phenomenon) -> list[CellName]:
    """Cells whose values are both numbers and words."""
    return [
        cell.name
        for cell in phenomenon.cells
        if cell.name.attribute != PRESENCE and len({type(value) for value in cell.domain}) > 1
    ]
