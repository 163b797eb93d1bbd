"""Arrow arrays made from buffers are those that pyarrow makes; pandas is not loaded for them."""

import subprocess
import sys
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from making import FRENCH

from blm.dataset import arrow

TEXT = pa.dictionary(pa.int32(), pa.string())
STRUCT = pa.struct({"a": pa.int64(), "b": pa.struct({"c": TEXT, "d": pa.bool_()})})
TYPES = [
    pa.int64(),
    pa.bool_(),
    pa.string(),
    TEXT,
    pa.list_(TEXT),
    pa.list_(pa.list_(pa.int64())),
    STRUCT,
    pa.list_(STRUCT),
]


def of(type_: pa.DataType) -> st.SearchStrategy[Any]:
    """Values of a type, and None."""
    if pa.types.is_struct(type_):
        values = st.fixed_dictionaries({field.name: of(field.type) for field in type_})
    elif pa.types.is_list(type_):
        values = st.lists(of(type_.value_type), max_size=4)
    elif pa.types.is_boolean(type_):
        values = st.booleans()
    elif pa.types.is_int64(type_):
        values = st.integers(-(2**63), 2**63 - 1)
    else:
        values = st.text(st.characters(codec="utf-8"), max_size=5)
    return st.none() | values


@given(st.data())
@settings(deadline=None)
def test_arrays_are_those_of_pyarrow(data: st.DataObject) -> None:
    type_ = data.draw(st.sampled_from(TYPES))
    values = data.draw(st.lists(of(type_), max_size=20))
    made = arrow.array(values, type_)
    made.validate(full=True)
    assert made.type == type_
    assert made.to_pylist() == pa.array(values, type_).to_pylist() == values
    assert made.null_count == values.count(None)


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize("shape", ["all", "every second", "none"])
def test_numbers_are_those_of_numpy(dtype: Any, shape: str) -> None:
    values = np.array([-5, 0, 7, np.iinfo(dtype).max, 2], dtype=dtype)
    values = {"all": values, "every second": values[::2], "none": values[:0]}[shape]
    made = arrow.numbers(values)
    made.validate(full=True)
    assert made.equals(pa.array(values))


def test_pandas_is_not_loaded() -> None:
    pytest.importorskip("pandas")
    script = f"""
import sys, tempfile
from pathlib import Path
from blm.pipeline import load
with tempfile.TemporaryDirectory() as folder:
    load({str(FRENCH)!r}).generate(Path(folder) / "set", limit=20, formats=["parquet"])
assert "pyarrow" in sys.modules
assert "pandas" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", script], check=True)
