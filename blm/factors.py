"""Which atoms of a ground program depend on each other.

An observer of grounding unites the atoms that occur together in a rule.  Atoms of different
parts never meet, so the models are the product of the models of the parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class Partition:
    """A union-find over program atoms, fed by clingo as an observer of the ground program."""

    def __init__(self) -> None:
        self._parent: dict[int, int] = {}

    def find(self, literal: int) -> int:
        """The representative of the part that a literal belongs to."""
        parent = self._parent
        root = abs(literal)
        while (above := parent.setdefault(root, root)) != root:
            parent[root] = parent[above]
            root = parent[root]
        return root

    def unite(self, literals: Iterable[int]) -> None:
        """Put these literals into one part."""
        roots = [self.find(literal) for literal in literals]
        for root in roots[1:]:
            self._parent[self.find(root)] = self.find(roots[0])

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        """Observe a rule of the ground program."""
        self.unite([*head, *body])

    def weight_rule(
        self,
        choice: bool,
        head: Sequence[int],
        lower_bound: int,
        body: Sequence[tuple[int, int]],
    ) -> None:
        """Observe a rule with a weighted body."""
        self.unite([*head, *(literal for literal, _ in body)])
