"""Prints a syntax tree: `parse(show(parse(text))) == parse(text)` for every text that parses.

Comments and layout are not in the tree, so they are not printed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from blm import syntax as s

_COMPARE = {"=": "is", "!=": "is not"}
_INDENT = "  "


def show(file: s.File) -> str:
    """The text of a file in the standard layout."""
    return "\n\n".join("\n".join(_section(section)) for section in file.sections) + "\n"


def show_body(body: tuple[s.Clause, ...] | s.Pool) -> str:
    """What a rule says: its clauses, or its pool."""
    if isinstance(body, s.Pool):
        once = " each once" if body.once else ""
        operators = _listed(map(show_operator, body.operators))
        return f"assign {{{operators}}} to {{{_listed(body.cells)}}}{once}"
    return "; ".join(map(show_clause, body))


def show_clause(clause: s.Clause) -> str:
    """A clause as one line of text."""
    match clause:
        case s.ConditionClause():
            return show_condition(clause.condition) + _scope(clause.scope)
        case s.SequenceClause():
            return f"{clause.cell} {show_operator(clause.operator)}{_scope(clause.scope)}"
        case s.MovementClause():
            source = f"{clause.source} at {clause.source_item.value}"
            return f"{source} becomes {clause.target} at {clause.target_item.value}"
        case _:
            assert_never(clause)


# --- sections ----------------------------------------------------------


def _section(section: s.Section) -> list[str]:
    match section:
        case s.PhenomenonHeader():
            return [f"phenomenon {_titled(section.name, section.title)}"]
        case s.LanguageHeader():
            return [f"language {_titled(section.name, section.title)}"]
        case s.Of():
            return [f"of {_quoted(section.path.text)}"]
        case s.Domains():
            entries = [f"{e.name.text} = {_domain(e.values)}" for e in section.entries]
            return _block("domains", entries)
        case s.Objects():
            return _block("objects", map(_objects, section.entries))
        case s.Possible():
            return _block("possible", map(_constraint, section.entries))
        case s.Rules():
            return _block(section.family, map(_rule, section.entries))
        case s.Matrix():
            return _block(_shape(section), map(_matrix_entry, section.entries))
        case s.Answers():
            return _block("answers", map(_answer, section.entries))
        case s.Words():
            return _block("words", map(_word, section.entries))
        case s.Seeds():
            return _block("seeds", map(_seed, section.entries))
        case s.Phrases():
            return _block("phrases", map(_phrase, section.entries))
        case s.Sentences():
            return _block(
                "forms" if section.joined else "sentences", map(_sentence, section.entries)
            )
        case _:
            assert_never(section)


def _block(header: str, entries: Iterable[str]) -> list[str]:
    return [header, *(f"{_INDENT}{entry}" for entry in entries)]


def _titled(name: s.Name, text: s.Text | None) -> str:
    return f"{name.text} {_quoted(text.text)}" if text else name.text


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _listed(items: Iterable[object]) -> str:
    return ", ".join(map(str, items))


def _values(values: Iterable[s.Value]) -> str:
    return _listed(value.value for value in values)


# --- domains and objects ----------------------------------------------------------


def _domain(domain: s.DomainExpression) -> str:
    match domain:
        case s.Name():
            return domain.text
        case s.Range():
            return f"{{{domain.first.value}..{domain.last.value}}}"
        case s.ValueSet():
            separator = " < " if domain.ordered else ", "
            return f"{{{separator.join(str(v.value) for v in domain.values)}}}"
        case _:
            assert_never(domain)


def _objects(entry: s.ObjectEntry) -> str:
    names = _listed(f"{o.name.text}{'?' if o.optional else ''}" for o in entry.objects)
    if not entry.attributes:
        return names
    return f"{names} : {_listed(map(_attribute, entry.attributes))}"


def _attribute(attribute: s.Attribute) -> str:
    domain = f" {_domain(attribute.domain)}" if attribute.domain else ""
    return f"{attribute.name.text}{domain}{_conditioned(' when', attribute.condition)}"


# --- conditions ----------------------------------------------------------


def show_condition(condition: s.Condition) -> str:
    """A condition as one line of text."""
    match condition:
        case s.Is():
            return f"{condition.cell} is {condition.value.value}"
        case s.IsNot():
            return f"{condition.cell} is not {condition.value.value}"
        case s.IsOneOf():
            return f"{condition.cell} is one of {{{_values(condition.values)}}}"
        case s.Matches():
            return f"{condition.left} matches {condition.right}"
        case s.Differs():
            return f"{condition.left} differs from {condition.right}"
        case s.Compare():
            right = condition.right
            shown = right.value if isinstance(right, s.Value) else right
            return f"{condition.left} {condition.operator} {shown}"
        case s.Count():
            operator = _COMPARE.get(condition.operator, condition.operator)
            return f"count {_braced(condition.conditions)} {operator} {condition.number.value}"
        case s.Quantified():
            return f"{condition.quantifier} {_braced(condition.conditions)}"
        case s.Distinct():
            return f"distinct {{{_listed(condition.cells)}}}"
        case s.Not():
            return f"not {_inside(condition.condition, _TIGHT)}"
        case s.And():
            return " and ".join(_inside(c, _TIGHT | {s.Not}) for c in condition.conditions)
        case s.Or():
            return " or ".join(_inside(c, _TIGHT | {s.Not, s.And}) for c in condition.conditions)
        case s.Implies():
            premise = _inside(condition.premise, _TIGHT | {s.Not, s.And, s.Or})
            return f"if {premise} then {show_condition(condition.conclusion)}"
        case s.Edit():
            return f"{condition.cell} {condition.kind}"
        case _:
            assert_never(condition)


_TIGHT: frozenset[type[s.Condition]] = frozenset(
    {
        s.Is,
        s.IsNot,
        s.IsOneOf,
        s.Matches,
        s.Differs,
        s.Compare,
        s.Count,
        s.Quantified,
        s.Distinct,
        s.Edit,
    }
)


def _inside(condition: s.Condition, bare: frozenset[type[s.Condition]]) -> str:
    """A part of a condition, in parentheses unless it is of one of the `bare` types."""
    text = show_condition(condition)
    return text if type(condition) in bare else f"({text})"


def _braced(conditions: Iterable[s.Condition]) -> str:
    return f"{{{_listed(map(show_condition, conditions))}}}"


def _conditioned(word: str, condition: s.Condition | None) -> str:
    return f"{word} {show_condition(condition)}" if condition else ""


# --- rules ----------------------------------------------------------


def _constraint(entry: s.Constraint) -> str:
    return f"{_titled(entry.name, entry.text)} : {show_condition(entry.condition)}"


def _rule(rule: s.Rule) -> str:
    return f"{_titled(rule.name, rule.text)} : {show_body(rule.body)}"


def show_operator(operator: s.Operator) -> str:
    """An operator with its parameters."""
    match operator:
        case s.Alternates():
            return f"alternates{_number('every', operator.every)}{_term('from', operator.start)}"
        case s.Switches():
            ends = _term("from", operator.before) + _term("to", operator.after)
            return f"switches at {operator.at.value}{ends}"
        case s.Progresses():
            numbers = _number("step", operator.step) + _number("every", operator.every)
            return f"progresses{numbers}{_term('from', operator.start)}"
        case s.Constant():
            return "constant"
        case s.Varies():
            return "varies"
        case s.Distributes():
            return f"distributes {{{_values(operator.values)}}}"
        case s.Cycles():
            return f"cycles [{_values(operator.values)}]{_term('from', operator.start)}"
        case s.Follows():
            return f"follows [{_listed(map(_entry, operator.schedule))}]"
        case _:
            assert_never(operator)


def _number(word: str, number: s.Number | None) -> str:
    return f" {word} {number.value}" if number else ""


def _term(word: str, value: s.Value | None) -> str:
    return f" {word} {value.value}" if value else ""


def _entry(entry: s.Value | s.Blank) -> str:
    return "_" if isinstance(entry, s.Blank) else str(entry.value)


def _scope(scope: s.Scope | None) -> str:
    match scope:
        case None:
            return ""
        case s.OverItems():
            return f" over items {_listed(map(_stretch, scope.stretches))}"
        case s.OverWhere():
            return f" over items where {show_condition(scope.condition)}"
        case s.ByRow():
            return " by row"
        case s.ByColumn():
            return " by column"
        case _:
            assert_never(scope)


def _stretch(stretch: s.Stretch) -> str:
    last = f"..{stretch.last.value}" if stretch.last else ""
    return f"{stretch.first.value}{last}"


# --- the matrix and the answers -----------------------------------------------------------


def _shape(matrix: s.Matrix) -> str:
    rows, columns = matrix.rows.value, matrix.columns.value
    return f"matrix {columns}" if rows == 1 else f"matrix {rows} x {columns}"


def _matrix_entry(entry: s.MatrixEntry) -> str:
    match entry:
        case s.Rule():
            return _rule(entry)
        case s.Variables():
            names = _listed(name.text for name in entry.names)
            distinct = " distinct" if entry.distinct else ""
            return f"variables {names} over {_domain(entry.domain)}{distinct}"
        case s.Rows():
            lines = [f"rows {' '.join(map(str, entry.columns))}", *map(_row, entry.rows)]
            return f"\n{_INDENT * 2}".join(lines)
        case _:
            assert_never(entry)


def _row(row: s.Row) -> str:
    entries = "?" if row.entries is None else " ".join(map(_cell_of_row, row.entries))
    return f"{row.item.value}: {entries}"


def _cell_of_row(entry: s.Value | s.Blank) -> str:
    shown = _entry(entry)
    return "-" if shown == "absent" else shown


def _answer(entry: s.AnswersEntry) -> str:
    match entry:
        case s.Correct():
            return f"correct {entry.name.text}" if entry.name else "correct"
        case s.Label():
            alternatives = ", or ".join(map(_alternative, entry.alternatives))
            return f"{_titled(entry.name, entry.text)} {alternatives}"
        case s.Balanced():
            axes = _listed(" + ".join(map(str, axis)) for axis in entry.axes)
            return f"balanced over {axes}"
        case _:
            assert_never(entry)


def _alternative(alternative: s.Alternative) -> str:
    rules = _listed(alternative.rules)
    return f"breaks {rules}{_conditioned(' where', alternative.condition)}"


# --- words, seeds and phrases ----------------------------------------------------------


def _word(entry: s.WordsEntry) -> str:
    match entry:
        case s.Category():
            path = f" {_quoted(entry.path.text)}" if entry.path else ""
            forms = [f"forms {_listed(entry.forms)}"] if entry.forms else []
            columns = [_listed(map(_column, entry.columns))] if entry.columns else []
            return f"{entry.name.text}{path} : {'; '.join(columns + forms)}"
        case s.Word():
            return (
                f"{entry.name.text} : {entry.category.text} {_listed(map(_filled, entry.columns))}"
            )
        case _:
            assert_never(entry)


def _column(column: s.Column) -> str:
    values = f" {_domain(column.values)}" if column.values else ""
    return f"{column.name.text}{'?' if column.optional else ''}{values}"


def _filled(filled: s.Filled) -> str:
    value = filled.value
    return f"{filled.column}={_quoted(value.text) if isinstance(value, s.Text) else value.text}"


def _seed(entry: s.SeedsEntry) -> str:
    match entry:
        case s.Slots():
            return f"slots {_listed(f'{x.name.text} : {x.category.text}' for x in entry.slots)}"
        case s.Table():
            requires = " and ".join(f"{r.variable.text} is {r.value.value}" for r in entry.requires)
            return f"table {_quoted(entry.path.text)}{' where ' if requires else ''}{requires}"
        case s.Seed():
            return f"{entry.name.text} : {_listed(map(_filled, entry.words))}"
        case s.Vary():
            return f"vary {entry.slot.text}{_within(entry.within)}"
        case s.Combine():
            slots = _listed(name.text for name in entry.slots)
            return f"combine {slots}{_within(entry.within)}"
        case _:
            assert_never(entry)


def _within(slot: s.Name | None) -> str:
    return f" within {slot.text}" if slot else ""


def _phrase(phrase: s.Phrase) -> str:
    return f"{phrase.name.text} : {' | '.join(map(_realisation, phrase.realisations))}"


def _realisation(realisation: s.Realisation) -> str:
    elements = " ".join(map(_element, realisation.elements))
    return f"{elements}{_conditioned(' where', realisation.condition)}"


def _sentence(sentence: s.Sentence) -> str:
    elements = " ".join(map(_element, sentence.elements))
    return f"{_titled(sentence.name, sentence.text)} : {elements}"


def _element(element: s.Element) -> str:
    match element:
        case s.Verbatim():
            return _quoted(element.text)
        case s.Use():
            return f"{element.name.text}{_features(element.features)}"
        case s.SlotOf():
            return f"@{element.cell}{_features(element.features)}"
        case _:
            assert_never(element)


def _features(features: tuple[s.Feature, ...]) -> str:
    return f"[{_listed(map(_feature, features))}]" if features else ""


def _feature(feature: s.Feature) -> str:
    match feature:
        case s.FixedFeature():
            return feature.name.text
        case s.DottedFeature():
            return f"{feature.owner.text}.{feature.feature.text}"
        case s.SlotOfFeature():
            return f"@{feature.cell}.{feature.feature.text}"
        case _:
            assert_never(feature)
