"""The command `blm audit`, without the command line: plain parameters, an exit code."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from blm.audit.finding import MOST_EXAMPLES, Severity


def audit(
    path: Path,
    *,
    grammar: Path | None = None,
    language: str = "",
    templates: Path | None = None,
    repair: Path | None = None,
    examples: int = MOST_EXAMPLES,
    full: bool = False,
    as_json: bool = False,
    seconds: float = 600.0,
) -> int:
    """Find the faults of a data set, ours or anyone's. Exit code 1 if there are errors.

    grammar: compare labels with the rules of this grammar. language: fr, it, en, ... where it
    is not to be guessed. templates: a JSON file that says how tokens of templates are read.
    repair: write a corrected copy here; the exit code then speaks of the copy. examples: so
    many of each finding. full: every finding of every file, with its examples.
    Raises AuditError, GrammarError and LimitExceeded, all with a message for the user.
    """
    from blm.audit.items import read_scheme
    from blm.audit.report import audit as look

    schemes = () if templates is None else (read_scheme(templates),)
    if repair is not None:
        from blm.audit.repair import refuse

        refuse(path, repair)  # before the audit, which takes longer
    known = None if grammar is None else _load(grammar, seconds)
    report = look(path, grammar=known, language=language, schemes=schemes, examples=examples)
    repaired = None
    if repair is not None:
        from blm.audit.repair import repair as write_copy

        repaired = write_copy(path, repair, language=language)
    _show(report, repaired, full=full, as_json=as_json)
    errors = report.count(Severity.ERROR) if repaired is None else repaired.errors
    return 1 if errors else 0


def _load(path: Path, seconds: float) -> Any:
    from blm.grammar import load
    from blm.solve import Limits

    grammar = load(path, limits=Limits(seconds=seconds))
    for warning in grammar.warnings:
        print(warning.render(), file=sys.stderr)
    return grammar


def _show(report: Any, repaired: Any, *, full: bool, as_json: bool) -> None:
    if as_json:
        document = report.to_json()
        if repaired is not None:
            document["repair"] = repaired.to_json()
        json.dump(document, sys.stdout, ensure_ascii=False, indent=2)
        sys.stdout.write("\n")
        return
    from blm.audit.view import print_repaired, print_report
    from blm.render import console

    out = console()
    print_report(report, out, full=full)
    if repaired is not None:
        print_repaired(repaired, out)
