"""Croissant metadata (MLCommons, version 1.0): what the files are, and how to read records.

https://docs.mlcommons.org/croissant/docs/croissant-spec.html
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from blm.dataset.fields import RECORD, Field
from blm.dataset.plan import Plan
from blm.dataset.summary import LICENSE_URL, DataFile, Summary
from blm.problem import Json
from blm.version import __version__

_CONTEXT: Json = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}

_MIME = {
    "jsonl": "application/jsonlines",
    "parquet": "application/x-parquet",
    "csv": "text/tab-separated-values",
    "json": "application/json",
}

_TYPES = {"text": "sc:Text", "number": "sc:Integer", "truth": "sc:Boolean"}

_MOST_SETS = 64
"""Files whose records are described; all have the same fields."""

_CITATION = (
    "@inproceedings{merlo-2023-building, title = {Building Structured Synthetic Datasets: The Case "
    "of Blackbird Language Matrices (BLMs)}, author = {Merlo, Paola and Jiang, Chunyang and Samo, "
    "Giuseppe and Nastase, Vivi}, booktitle = {Proceedings of CLiC-it 2023}, year = {2023}}"
)


def texts(plan: Plan, summary: Summary) -> dict[str, str]:
    """The metadata, by the name of its file."""
    text = json.dumps(_metadata(plan, summary), ensure_ascii=False, indent=2)
    return {"croissant.json": text + "\n"}


def _metadata(plan: Plan, summary: Summary) -> Json:
    grammar = plan.grammar
    name = f"blm-{grammar.phenomenon.name}-{grammar.concrete.language}-{plan.options.type}"
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": name,
        "description": (
            f"Blackbird Language Matrices: {grammar.phenomenon.title}, {grammar.concrete.title}, "
            f"lexical type {plan.options.type}; {sum(plan.sizes.values())} problems."
        ),
        "license": LICENSE_URL,
        "inLanguage": grammar.concrete.language,
        "citeAs": _CITATION,
        "version": __version__,
        "distribution": [_file(file) for file in summary.files],
        "recordSet": list(_record_sets(summary)),
    }


def _file(file: DataFile) -> Json:
    return {
        "@type": "cr:FileObject",
        "@id": file.name,
        "name": file.name,
        "contentUrl": file.name,
        "contentSize": f"{file.bytes} B",
        "encodingFormat": _MIME[file.format],
        "sha256": file.sha256,
    }


def _record_sets(summary: Summary) -> Iterator[Json]:
    """The records of each file, in the first format that holds records.

    A record set has one file: readers find none in a set of files that are in no archive.
    """
    form = summary.first_format("parquet", "jsonl")
    files = [file for file in summary.files if file.format == form]
    for file in files[:_MOST_SETS]:
        stem = file.name.partition(".")[0]
        yield {
            "@type": "cr:RecordSet",
            "@id": stem,
            "name": stem,
            "description": f"Problems of the split {file.split}.",
            "field": [_field(stem, one, file.name, ()) for one in RECORD],
        }


def _field(prefix: str, field: Field, file: str, path: tuple[str, ...]) -> Json:
    """A field, and those inside it. Fields inside take their part of the column by a JSON path."""
    identifier = f"{prefix}/{field.name}"
    column, *inner = (*path, field.name)
    told: Json = {
        "@type": "cr:Field",
        "@id": identifier,
        "name": identifier,
        "description": field.text,
    }
    if field.many:
        told["repeated"] = True
    if field.inner:
        told["subField"] = [
            _field(identifier, one, file, (*path, field.name))
            for one in field.inner
            if not one.inner and one.kind in _TYPES
        ]
        return told
    source: Json = {"fileObject": {"@id": file}, "extract": {"column": column}}
    if inner:
        source["transform"] = {"jsonPath": ".".join(inner)}
    return told | {"dataType": _TYPES[field.kind], "source": source}
