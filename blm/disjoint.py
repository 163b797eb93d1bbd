"""Disjoint sets: what belongs together, found by uniting (union-find with path halving)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

Member = TypeVar("Member", bound=Hashable)


class DisjointSets(Generic[Member]):
    """Sets of members; one that was never united with another is a set of its own.

    >>> sets = DisjointSets[int]()
    >>> sets.unite([1, 2]), sets.unite([2, 3])
    (None, None)
    >>> sets.find(1) == sets.find(3), sets.find(1) == sets.find(4)
    (True, False)
    """

    def __init__(self) -> None:
        self._parent: dict[Member, Member] = {}

    def find(self, member: Member) -> Member:
        """The member that stands for the set of this one."""
        parent = self._parent
        while (above := parent.setdefault(member, member)) != member:
            parent[member] = parent[above]
            member = parent[member]
        return member

    def unite(self, members: Iterable[Member]) -> None:
        """Put these members, and all that are with them, into one set."""
        roots = [self.find(member) for member in members]
        for root in roots[1:]:
            self._parent[self.find(root)] = self.find(roots[0])
