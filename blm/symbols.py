"""The names of a phenomenon as ASP terms, and back.

Words and names of an author may hold any letter; a term of clingo may not.  A name that is
an identifier of ASP stands for itself; every other gets an ASCII name of its own, which the
head of the program lists.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from blm.phenomenon import (
    ABSENT,
    PRESENT,
    CellName,
    Operator,
    Phenomenon,
    PooledClause,
    Rule,
    Value,
)

_IDENTIFIER = re.compile(r"[a-z][A-Za-z0-9_]*", re.ASCII)
_RESERVED = frozenset({"not"})


class Symbols(Struct, frozen=True):
    """Terms by kind of name. Two kinds may share a term: they never meet in one argument."""

    value: Mapping[Value, str]
    object: Mapping[str, str]
    attribute: Mapping[str, str]
    cell: Mapping[CellName, str]
    rule: Mapping[str, str]
    pool: Mapping[str, str]
    variable: Mapping[str, str]
    label: Mapping[str, str]
    domains: Mapping[CellName, tuple[Value, ...]]
    pools: Mapping[str, tuple[Operator, ...]]

    @classmethod
    def of(cls, phenomenon: Phenomenon) -> Symbols:
        """The terms of a phenomenon, in the author's order."""
        values = dict.fromkeys(v for cell in phenomenon.cells for v in cell.domain)
        values |= dict.fromkeys(v for x in phenomenon.variables for v in x.values)
        words = [ABSENT, PRESENT, *(v for v in values if isinstance(v, str))]
        value: dict[Value, str] = {v: str(v) for v in values if isinstance(v, int)}
        value.update(_terms(words, "value"))
        objects = _terms((o.name for o in phenomenon.objects), "object")
        attributes = _terms((c.name.attribute for c in phenomenon.cells), "attribute")
        cells = {
            c.name: f"({objects[c.name.object]},{attributes[c.name.attribute]})"
            for c in phenomenon.cells
        }
        pools = _pools(phenomenon)
        pool_terms = _terms(pools, "pool")
        plain = _terms((r.name for r in phenomenon.rules if _pooled(r) is None), "rule")
        rules = {r.name: _rule_term(r, plain, pool_terms, cells) for r in phenomenon.rules}
        return cls(
            value=value,
            object=objects,
            attribute=attributes,
            cell=cells,
            rule=rules,
            pool=pool_terms,
            variable=_terms((v.name for v in phenomenon.variables), "variable"),
            label=_terms((label.name for label in phenomenon.labels), "label"),
            domains={c.name: c.domain for c in phenomenon.cells},
            pools=pools,
        )

    def operator(self, pool: str, operator: Operator) -> int:
        """The number of an operator within its pool, the same for every cell."""
        return self.pools[pool].index(operator) + 1

    def renamed(self) -> Iterator[tuple[str, str]]:
        """The names whose term differs from the name, once each."""
        kinds: tuple[Mapping[str, str], ...] = (
            {str(k): v for k, v in self.value.items()},
            self.object,
            self.attribute,
            self.pool,
            self.variable,
            self.label,
            {k: v for k, v in self.rule.items() if not v.startswith("pool(")},
        )
        seen: set[tuple[str, str]] = set()
        for kind in kinds:
            for name, term in kind.items():
                if name != term and (name, term) not in seen:
                    seen.add((name, term))
                    yield name, term


def _pooled(rule: Rule) -> PooledClause | None:
    clause = rule.clauses[0]
    return clause if isinstance(clause, PooledClause) else None


def _pools(phenomenon: Phenomenon) -> dict[str, tuple[Operator, ...]]:
    pools: dict[str, dict[Operator, None]] = {}
    for clause in filter(None, map(_pooled, phenomenon.rules)):
        pools.setdefault(clause.pool, {}).update(dict.fromkeys(clause.operators))
    return {name: tuple(operators) for name, operators in pools.items()}


def _rule_term(
    rule: Rule, plain: Mapping[str, str], pools: Mapping[str, str], cells: Mapping[CellName, str]
) -> str:
    clause = _pooled(rule)
    return (
        plain[rule.name] if clause is None else f"pool({pools[clause.pool]},{cells[clause.cell]})"
    )


def _terms(names: Iterable[str], kind: str) -> dict[str, str]:
    """A distinct identifier for each name; names that are identifiers keep theirs.

    A name without Latin letters is called by its kind: `value_1`.
    """
    wanted = list(dict.fromkeys(names))
    terms = {n: n for n in wanted if _IDENTIFIER.fullmatch(n) and n not in _RESERVED}
    taken = set(terms.values())
    for name in wanted:
        if name not in terms:
            terms[name] = _fresh(_ascii(name) or f"{kind}_1", taken)
            taken.add(terms[name])
    return {name: terms[name] for name in wanted}


def _ascii(name: str) -> str:
    folded = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    stem = re.sub(r"[^a-z0-9_]", "_", folded)
    if not stem.strip("_"):
        return ""
    return stem if _IDENTIFIER.fullmatch(stem) and stem not in _RESERVED else f"n_{stem}"


def _fresh(stem: str, taken: set[str]) -> str:
    if stem not in taken:
        return stem
    stem = re.sub(r"_1$", "", stem)
    number = 2
    while f"{stem}_{number}" in taken:
        number += 1
    return f"{stem}_{number}"
