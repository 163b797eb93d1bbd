"""Hypothesis strategies for small phenomena that the checker would accept.

Everything of `blm.phenomenon` may occur: optional objects, conditional cells, ordered and
integer domains, names that clash once they are ASCII, every operator in every scope, pools,
movement, variables, rows, `possible`, and labels.
"""

from __future__ import annotations

from hypothesis import strategies as st

from blm import phenomenon as p
from blm.diagnostics import Source, Span
from blm.phenomenon import ABSENT, PRESENCE, PRESENT, CellName, Value

SPAN = Span(Source("generated.blm", ""), 0, 0)

Draw = st.DrawFn

DOMAINS: list[tuple[tuple[Value, ...], bool]] = [
    (("a", "b"), False),
    (("a", "b", "c"), False),
    (("b", "c"), False),
    (("a", "A"), False),
    ((0, 1, 2), True),
    ((1, 2, 3, 4), True),
    ((7, 9), True),
    (("lo", "mid", "hi"), True),
    (("a",), False),
]

SHAPES = [(1, 2), (1, 3), (1, 4), (1, 4), (1, 5), (1, 6), (2, 2), (2, 3), (3, 2)]

COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")


# --- items ------------------------------------------------------------------------------------


@st.composite
def objects_and_cells(draw: Draw) -> tuple[tuple[p.Object, ...], tuple[p.Cell, ...]]:
    objects: list[p.Object] = []
    cells: list[p.Cell] = []
    for name in ("o", "O", "q")[: draw(st.integers(1, 3))]:
        most = max(0, 3 - len(cells))
        attributes = ("x", "y")[: draw(st.integers(0, min(2, most)))]
        optional = not attributes or draw(st.booleans())
        objects.append(p.Object(name, optional, attributes, SPAN))
        if optional:
            presence = CellName(name, PRESENCE)
            cells.append(p.Cell(presence, (ABSENT, PRESENT), False, None, SPAN))
        for attribute in attributes:
            domain, ordered = draw(st.sampled_from(DOMAINS))
            known = [c for c in cells if c.name.object != name or c.name.attribute != PRESENCE]
            conditional = bool(known) and draw(st.integers(0, 3)) == 0
            when = draw(conditions(known, depth=1)) if conditional else None
            cells.append(p.Cell(CellName(name, attribute), domain, ordered, when, SPAN))
    return tuple(objects), tuple(cells)


def sequence_values(cell: p.Cell, objects: tuple[p.Object, ...]) -> tuple[Value, ...]:
    """What a sequence may see of a cell: `absent` too, where the cell need not exist."""
    optional = any(o.optional for o in objects if o.name == cell.name.object)
    never = cell.name.attribute == PRESENCE or not (optional or cell.condition)
    return cell.domain if never else (*cell.domain, ABSENT)


# --- conditions -------------------------------------------------------------------------------


@st.composite
def conditions(draw: Draw, cells: list[p.Cell], depth: int = 2, label: bool = False) -> p.Condition:
    def inner() -> p.Condition:
        return draw(conditions(cells, depth - 1, label))

    kinds = ["not", "and", "or", "if", "count"] if depth else []
    match draw(st.sampled_from(["leaf", "leaf", *kinds])):
        case "not":
            return p.Not(inner())
        case "and":
            return p.And((inner(), inner()))
        case "or":
            return p.Or((inner(), inner()))
        case "if":
            return p.Implies(inner(), inner())
        case "count":
            among = tuple(inner() for _ in range(draw(st.integers(1, 3))))
            number = draw(st.integers(0, len(among)))
            return p.Count(among, draw(st.sampled_from(COMPARISONS)), number)
        case _:
            return draw(_simple(cells, label))


@st.composite
def _simple(draw: Draw, cells: list[p.Cell], label: bool) -> p.Condition:
    """A condition without conditions in it."""
    cell = draw(st.sampled_from(cells))
    others = [c for c in cells if c != cell]
    sharing = [c for c in others if set(c.domain) & set(cell.domain)]
    same_order = [c for c in others if c.ordered and _comparable(c, cell)]
    kinds = ["is", *["matches"] * 3] if sharing else ["is"]
    kinds += ["rank"] if cell.ordered else []
    kinds += ["order", "order"] if cell.ordered and same_order else []
    kinds += ["distinct"] if others else []
    kinds += ["changes", "presence"] if label else []
    comparison = draw(st.sampled_from(COMPARISONS))
    match draw(st.sampled_from(kinds)):
        case "matches":
            return p.Matches(cell.name, draw(st.sampled_from(sharing)).name)
        case "rank":
            return p.Compare(cell.name, comparison, draw(st.sampled_from(cell.domain)))
        case "order":
            return p.Compare(cell.name, comparison, draw(st.sampled_from(same_order)).name)
        case "distinct":
            return p.Distinct((cell.name, *(c.name for c in others[:2])))
        case "changes":
            return p.Changes(cell.name)
        case "presence" if cell.name.attribute == PRESENCE:
            return draw(st.sampled_from([p.Appears, p.Disappears]))(cell.name.object)
        case _:
            return p.Is(cell.name, draw(st.sampled_from(cell.domain)))


def _comparable(one: p.Cell, other: p.Cell) -> bool:
    return one.domain == other.domain or all(isinstance(v, int) for v in one.domain + other.domain)


# --- operators --------------------------------------------------------------------------------


class Setting:
    """What rules are made of: cells, variables and the shape."""

    def __init__(
        self,
        objects: tuple[p.Object, ...],
        cells: tuple[p.Cell, ...],
        variables: tuple[p.VariableDeclaration, ...],
        distinct: bool,
        shape: p.Shape,
    ) -> None:
        self.cells, self.variables, self.shape = list(cells), variables, shape
        self.distinct = distinct
        self.values = {cell.name: sequence_values(cell, objects) for cell in cells}
        self.changing = [cell for cell in cells if len(self.values[cell.name]) > 1]

    def variables_of(self, cell: p.Cell) -> list[p.VariableDeclaration]:
        return [v for v in self.variables if set(v.values) <= set(self.values[cell.name])]

    def terms(self, cell: p.Cell) -> list[p.Term]:
        """What may stand for a value; variables twice, so that they are used."""
        return [*(p.Variable(v.name) for v in self.variables_of(cell) * 2), *self.values[cell.name]]

    def different(self, cell: p.Cell) -> list[list[p.Term]]:
        """Groups of terms that cannot stand for the same value."""
        values, variables = self.values[cell.name], self.variables_of(cell)
        groups: list[list[p.Term]] = [list(values)]
        for some in (variables[:1], variables if self.distinct else []):
            known = {value for v in some for value in v.values}
            groups.append(
                [*(p.Variable(v.name) for v in some), *sorted({*values} - known, key=str)]
            )
        return groups


@st.composite
def operators(draw: Draw, setting: Setting, cell: p.Cell, length: int | None) -> p.Operator:
    """An operator that a cell of two values or more can follow; None is an unknown length."""
    terms = setting.terms(cell)
    some = st.none() | st.sampled_from(terms)
    kinds = ["alternates", "switches", "constant", "varies", "distributes", "cycles", "follows"]
    kinds += ["progresses", "progresses"] if cell.ordered else []
    last = length or 3
    match draw(st.sampled_from(kinds)):
        case "alternates":
            return p.Alternates(draw(st.integers(1, last - 1)), draw(some))
        case "switches":
            before, after = draw(some), draw(some)
            same = before is not None and before == after
            return p.Switches(draw(st.integers(2, last)), before, None if same else after)
        case "progresses":
            return draw(_progresses(cell, length))
        case "constant":
            return p.Constant()
        case "distributes":
            values = draw(_different(setting.different(cell), last))
            if (length or len(values)) % len(values) == 0:
                return p.Distributes(values)
        case "cycles":
            values = draw(_different(setting.different(cell), last))
            return p.Cycles(values, draw(st.none() | st.sampled_from(values)))
        case "follows":
            size = length or draw(st.integers(1, 3))
            schedule = [draw(some) for _ in range(size)]
            if any(term is not None for term in schedule):
                return p.Follows(tuple(schedule))
    return p.Varies()


@st.composite
def _different(draw: Draw, groups: list[list[p.Term]], most: int) -> tuple[p.Term, ...]:
    """Two or three terms of one group."""
    group = draw(st.sampled_from([group for group in groups if len(group) > 1]))
    size = draw(st.integers(2, min(3, len(group), most)))
    return tuple(draw(st.permutations(group))[:size])


@st.composite
def _progresses(draw: Draw, cell: p.Cell, length: int | None) -> p.Operator:
    step, every = draw(st.integers(1, 2)), draw(st.integers(1, (length or 3) - 1))
    start = draw(st.none() | st.sampled_from(cell.domain))
    steps = ((length or 1) - 1) // every
    step = 1 if len(cell.domain) <= 2 * steps else step
    ranks = list(cell.domain if isinstance(cell.domain[0], int) else range(len(cell.domain)))
    starts = ranks if start is None else [ranks[cell.domain.index(start)]]
    if any(all(r + k * step in ranks for k in range(steps + 1)) for r in starts):
        return p.Progresses(step, every, start)
    return p.Constant()


# --- rules ------------------------------------------------------------------------------------


@st.composite
def _positions(draw: Draw, size: int, least: int) -> p.Positions:
    chosen = draw(st.sets(st.integers(1, size), min_size=least))
    return p.Positions(tuple(sorted(chosen)))


@st.composite
def clauses(draw: Draw, setting: Setting) -> p.Clause:
    kinds = ["item", "sequence", "sequence", "sequence", "movement"]
    kind = draw(st.sampled_from(kinds)) if setting.changing else "item"
    shape, where = setting.shape, conditions(setting.cells, 1).map(p.Where)
    if kind == "sequence":
        cell = draw(st.sampled_from(setting.changing))
        scopes = [st.none(), st.none(), _positions(shape.size, 2), where]
        scopes += [st.just(p.ByRow()), st.just(p.ByColumn())] * 2 if shape.rows > 1 else []
        scope = draw(st.sampled_from(scopes).flatmap(lambda s: s))
        operator = draw(operators(setting, cell, _length(scope, shape)))
        return p.SequenceClause(cell.name, operator, scope, SPAN)
    if kind == "movement":
        source = draw(st.sampled_from(setting.cells))
        shared = set(setting.values[source.name])
        targets = [c for c in setting.cells if shared & set(setting.values[c.name])]
        target = draw(st.sampled_from(targets))
        i, j = draw(st.permutations(range(1, shape.size + 1)))[:2]
        return p.MovementClause(source.name, i, target.name, j, SPAN)
    scope = draw(st.none() | _positions(shape.size, 1) | where)
    return p.ItemClause(draw(conditions(setting.cells)), scope, SPAN)


def _length(scope: p.Scope, shape: p.Shape) -> int | None:
    match scope:
        case p.Where():
            return None
        case p.Positions(positions):
            return len(positions)
        case p.ByRow():
            return shape.columns
        case p.ByColumn():
            return shape.rows
        case _:
            return shape.size


@st.composite
def pools(draw: Draw, setting: Setting) -> list[p.Rule]:
    """A pool: each operator goes to its own cell and to those that have the same values."""
    most = min(3, len(setting.changing))
    cells = draw(
        st.lists(st.sampled_from(setting.changing), min_size=1, max_size=most, unique=True)
    )
    size, once = setting.shape.size, draw(st.booleans())
    offers = [(c, draw(operators(setting, c, size))) for c in cells for _ in range(2)]

    def fitting(cell: p.Cell) -> tuple[p.Operator, ...]:
        values = setting.values[cell.name]
        like = [c for c in cells if setting.values[c.name] == values and c.ordered == cell.ordered]
        return tuple(dict.fromkeys(op for owner, op in offers if owner in like))

    clauses = [p.PooledClause("pool", c.name, fitting(c), once, SPAN) for c in cells]
    family = p.Family.RELATIONAL
    return [p.Rule(f"pool[{c.cell}]", family, (c,), "", SPAN) for c in clauses]


# --- phenomena --------------------------------------------------------------------------------


@st.composite
def _variables(draw: Draw, cells: tuple[p.Cell, ...]) -> tuple[p.VariableDeclaration, ...]:
    names = ("V", "w")[: draw(st.sampled_from([0, 0, 1, 2]))]
    values = draw(st.sampled_from(cells)).domain
    return tuple(p.VariableDeclaration(name, values, SPAN) for name in names)


@st.composite
def _rows(draw: Draw, setting: Setting) -> tuple[p.Row, ...]:
    if draw(st.integers(0, 3)):
        return ()
    columns = draw(st.lists(st.sampled_from(setting.cells), min_size=1, max_size=2, unique=True))
    free = st.none() | st.none()
    rows = []
    for item in range(1, setting.shape.size):
        entries = [(c.name, draw(free | st.sampled_from(setting.terms(c)))) for c in columns]
        stated = tuple((name, term) for name, term in entries if term is not None)
        rows.append(p.Row(item, stated, SPAN))
    return tuple(rows)


@st.composite
def _labels(draw: Draw, setting: Setting, rules: list[str]) -> tuple[p.Label, ...]:
    some_rules = st.lists(st.sampled_from(rules), min_size=1, max_size=2, unique=True).map(tuple)
    where = st.none() | conditions(setting.cells, 1, label=True)
    one = st.builds(p.Alternative, some_rules, where, st.just(SPAN))
    lists = [draw(st.lists(one, min_size=1, max_size=2)) for _ in range(draw(st.integers(0, 2)))]
    return tuple(p.Label(f"L{k}", "", tuple(each), SPAN) for k, each in enumerate(lists))


@st.composite
def phenomena(draw: Draw) -> p.Phenomenon:
    objects, cells = draw(objects_and_cells())
    variables = draw(_variables(cells))
    names = tuple(v.name for v in variables)
    distinct = len(names) == 2 and len(variables[0].values) > 1 and draw(st.booleans())
    setting = Setting(objects, cells, variables, distinct, p.Shape(*draw(st.sampled_from(SHAPES))))
    possible = draw(st.just([]) | st.just([]) | st.lists(conditions(setting.cells, 1), max_size=1))
    family = st.sampled_from(list(p.Family))
    rules = []
    for name in ("r", "R", "not", "ré")[: draw(st.sampled_from([1, 1, 2, 2, 3, 4]))]:
        several = draw(st.lists(clauses(setting), min_size=1, max_size=draw(st.integers(1, 2))))
        rules.append(p.Rule(name, draw(family), tuple(several), "", SPAN))
    if setting.changing and draw(st.integers(0, 3)) == 0:
        rules += draw(pools(setting))
    return p.Phenomenon(
        name="generated",
        title="",
        objects=objects,
        cells=cells,
        possible=tuple(p.Constraint(f"c{k}", c, SPAN) for k, c in enumerate(possible)),
        rules=tuple(rules),
        shape=setting.shape,
        variables=variables,
        distinct=(names,) if distinct else (),
        rows=draw(_rows(setting)),
        labels=draw(_labels(setting, [rule.name for rule in rules])),
        axes=(),
        span=SPAN,
    )
