"""Arrow arrays from their buffers.

`pyarrow.array` would do, but loads pandas with the first array where that is installed: a third
of a second in each process, and nothing here has to do with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa


def numbers(values: np.ndarray[Any, Any]) -> pa.Array:
    """Whole numbers of 32 or 64 bits, shape (n,), without a copy where they lie together."""
    flat = np.ascontiguousarray(values)
    return pa.Array.from_buffers(
        pa.from_numpy_dtype(flat.dtype), len(flat), [None, pa.py_buffer(flat)]
    )


def array(values: Sequence[Any], type_: pa.DataType) -> pa.Array:
    """Python's values, or None, as an array of structs (dicts), lists, texts or scalars.

    >>> array([["a", "b"], None], pa.list_(pa.string())).to_pylist()
    [['a', 'b'], None]
    """
    if pa.types.is_dictionary(type_):
        return array(values, type_.value_type).dictionary_encode()
    buffers, children = [_valid(values)], None
    if pa.types.is_struct(type_):
        children = [array([v and v[f.name] for v in values], f.type) for f in type_]
    elif pa.types.is_list(type_):
        buffers.append(_ends(map(len, (v or () for v in values))))
        children = [array([one for v in values for one in v or ()], type_.value_type)]
    elif pa.types.is_string(type_):
        texts = [(v or "").encode() for v in values]
        buffers += [_ends(map(len, texts)), pa.py_buffer(b"".join(texts))]
    elif pa.types.is_boolean(type_):
        buffers.append(_bits(bool(v) for v in values))
    else:
        buffers.append(pa.py_buffer(np.array([v or 0 for v in values], type_.to_pandas_dtype())))
    return pa.Array.from_buffers(type_, len(values), buffers, children=children)


def _valid(values: Sequence[Any]) -> pa.Buffer | None:
    """Which values are there; nothing where all are."""
    return None if all(v is not None for v in values) else _bits(v is not None for v in values)


def _bits(truths: Iterable[bool]) -> pa.Buffer:
    return pa.py_buffer(np.packbits(np.fromiter(truths, dtype=bool), bitorder="little"))


def _ends(sizes: Iterable[int]) -> pa.Buffer:
    """Where things of these sizes begin and end, laid one after the other."""
    return pa.py_buffer(np.cumsum([0, *sizes], dtype=np.int32))
