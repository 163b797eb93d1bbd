"""Tasks for lm-evaluation-harness: multiple choice, without and with solved examples.

The folder `lm_eval` holds two tasks and the few lines of Python that load the data set from the
folder above, wherever that lies:

    lm_eval --model hf --model_args pretrained=MODEL --include_path DIR/lm_eval --tasks NAME
"""

from __future__ import annotations

import re

from blm.dataset.plan import Plan
from blm.dataset.summary import Summary
from blm.dataset.yaml_text import Tagged, to_yaml
from blm.problem import Json

READABLE = ("parquet", "jsonl")
"""The formats that the tasks can read, the better one first."""

SHOTS = 3
"""Solved examples in the second task."""

_INSTRUCTION = (
    "The sentences of each list follow hidden rules. The last sentence completes the list.\n\n"
)
_LIST = """\
{% for sentence in context %}{{ loop.index }}. {{ sentence.text }}
{% endfor %}{{ context | length + 1 }}."""

_LOADER = '''\
"""Loads the problems in the folder above this one."""

from pathlib import Path

import datasets

FILES = {files}


def load(**_):
    """The splits of the data set."""
    folder = Path(__file__).resolve().parent.parent
    files = {{split: [str(folder / name) for name in names] for split, names in FILES.items()}}
    return datasets.load_dataset("{builder}", data_files=files)
'''


def texts(plan: Plan, summary: Summary) -> dict[str, str]:
    """The files of the folder; none where there is no problem, or no format that can be read."""
    name = task_name(plan)
    form = summary.first_format(*READABLE)
    files = summary.loadable(form) if form else {}
    if form is None or not files:
        return {}
    loader = _LOADER.format(files=_literal(files), builder=_BUILDERS[form])
    shots = {"include": f"{name}.yaml", "task": f"{name}_{SHOTS}shot", "num_fewshot": SHOTS}
    return {
        f"lm_eval/{name}.yaml": to_yaml(_task(name, list(files))),
        f"lm_eval/{name}_{SHOTS}shot.yaml": to_yaml(shots),
        "lm_eval/problems.py": loader,
    }


_BUILDERS = {"parquet": "parquet", "jsonl": "json"}


def task_name(plan: Plan) -> str:
    """The name of the task without examples: `blm_agreement_fr_i`."""
    grammar = plan.grammar
    name = f"blm_{grammar.phenomenon.name}_{grammar.concrete.language}_{plan.options.type}"
    return re.sub(r"[^a-z0-9]+", "_", name.lower())


def _task(name: str, splits: list[str]) -> Json:
    """The task without examples; it tests on `test`, or on what there is."""
    tested = "test" if "test" in splits else splits[-1]
    shown = "train" if "train" in splits else splits[0]
    return {
        "task": name,
        "tag": "blm",
        "custom_dataset": Tagged("!function problems.load"),
        "output_type": "multiple_choice",
        "test_split": tested,
        "fewshot_split": shown,
        "num_fewshot": 0,
        "description": _INSTRUCTION,
        "doc_to_text": _LIST,
        "doc_to_choice": "{{ candidates | map(attribute='text') | list }}",
        "doc_to_target": "answer",
        "metric_list": [
            {"metric": metric, "aggregation": "mean", "higher_is_better": True}
            for metric in ("acc", "acc_norm")
        ],
        "metadata": {"version": 1},
    }


def _literal(files: dict[str, list[str]]) -> str:
    """A Python literal, a file a line."""
    lines = [
        f"    {split!r}: [\n" + "".join(f"        {name!r},\n" for name in names) + "    ],\n"
        for split, names in files.items()
    ]
    return "{\n" + "".join(lines) + "}"
