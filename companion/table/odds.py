"""Exact odds of dice expressions: whole-number weights, fractions, no sampling."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from companion.errors import UsageError
from companion.table.expressions import Dice, Number, Tree, parse

MOST_RESULTS = 200_000
"""Distributions with more different results, or with more work than this suggests, are refused."""


@dataclass(frozen=True)
class Distribution:
    """Results and their exact chances; the chances add up to 1."""

    weights: Mapping[int, int]
    total: int

    @classmethod
    def of(cls, weights: Mapping[int, int]) -> Distribution:
        """From whole-number weights."""
        ordered = {result: weights[result] for result in sorted(weights) if weights[result]}
        return cls(ordered, sum(ordered.values()))

    def chance(self, result: int) -> Fraction:
        """P(exactly `result`)."""
        return Fraction(self.weights.get(result, 0), self.total)

    def at_most(self, value: int) -> Fraction:
        """P(≤ value)."""
        return Fraction(sum(w for r, w in self.weights.items() if r <= value), self.total)

    def at_least(self, value: int) -> Fraction:
        """P(≥ value)."""
        return 1 - self.at_most(value - 1)

    @property
    def mean(self) -> Fraction:
        """The expected value."""
        return Fraction(sum(r * w for r, w in self.weights.items()), self.total)

    @property
    def least(self) -> int:
        """The lowest result."""
        return next(iter(self.weights))

    @property
    def greatest(self) -> int:
        """The highest result."""
        return next(reversed(self.weights))

    def best_of(self, count: int) -> Distribution:
        """The highest of `count` independent results."""
        return self._extreme(count, list(self.weights))

    def worst_of(self, count: int) -> Distribution:
        """The lowest of `count` independent results."""
        return self._extreme(count, list(reversed(list(self.weights))))

    def _extreme(self, count: int, order: list[int]) -> Distribution:
        weights, below = {}, 0
        for result in order:
            reached = below + self.weights[result]
            weights[result] = reached**count - below**count
            below = reached
        return Distribution.of(weights)

    def versus(self, other: Distribution) -> tuple[Fraction, Fraction, Fraction]:
        """P(this is higher), P(equal), P(the other is higher)."""
        higher = sum(
            (self.chance(result) * other.at_most(result - 1) for result in self.weights),
            Fraction(0),
        )
        equal = sum(
            (self.chance(result) * other.chance(result) for result in self.weights), Fraction(0)
        )
        return higher, equal, 1 - higher - equal


def odds(text: str) -> Distribution:
    """The exact distribution of a dice expression. Raises UsageError."""
    return _of(parse(text))


def _of(tree: Tree) -> Distribution:
    if isinstance(tree, Number):
        return Distribution.of({tree.value: 1})
    if isinstance(tree, Dice):
        return _dice(tree)
    left, right = _of(tree.left), _of(tree.right)
    if len(left.weights) * len(right.weights) > 50 * MOST_RESULTS:
        raise UsageError("the expression has too many results to count them all")
    weights: dict[int, int] = defaultdict(int)
    for a, wa in left.weights.items():
        for b, wb in right.weights.items():
            result = a + b if tree.sign == "+" else a - b if tree.sign == "-" else a * b
            weights[result] += wa * wb
    return Distribution.of(weights)


def _dice(dice: Dice) -> Distribution:
    if dice.explodes:
        raise UsageError(
            f"dice expression, column {dice.column + 1}: an exploding die has no last result; "
            "its odds cannot be listed"
        )
    if dice.count * dice.sides > MOST_RESULTS or dice.count**2 * dice.sides > 100 * MOST_RESULTS:
        raise UsageError("the expression has too many results to count them all")
    return _sum(dice) if dice.keep == dice.count else _kept(dice)


def _sum(dice: Dice) -> Distribution:
    """The sum of all dice: one die after the other, by running totals."""
    weights = [1]
    for _ in range(dice.count):
        sums, window = [], 0
        for i in range(len(weights) + dice.sides - 1):
            window += weights[i] if i < len(weights) else 0
            window -= weights[i - dice.sides] if i >= dice.sides else 0
            sums.append(window)
        weights = sums
    return Distribution.of({dice.count + i: weight for i, weight in enumerate(weights)})


def _kept(dice: Dice) -> Distribution:
    """The sum of the kept dice: faces from the best down, choosing how many dice show each."""
    faces = range(dice.sides, 0, -1) if dice.highest else range(1, dice.sides + 1)
    states: dict[tuple[int, int], int] = {(dice.count, 0): 1}
    for face in faces:
        after: dict[tuple[int, int], int] = defaultdict(int)
        for (left, total), weight in states.items():
            free = max(0, dice.keep - (dice.count - left))
            for shown in range(left + 1):
                added = face * min(shown, free)
                after[left - shown, total + added] += weight * comb(left, shown)
        states = after
        if len(states) > MOST_RESULTS:
            raise UsageError("the expression has too many results to count them all")
    weights: dict[int, int] = defaultdict(int)
    for (left, total), weight in states.items():
        if left == 0:
            weights[total] += weight
    return Distribution.of(weights)
