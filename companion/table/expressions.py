"""Dice expressions: `2d6+1`, `4d6kh3`, `d%`, `(2d4-1)*3`, `3d6!`.

One parser makes a tree; rolling it and counting its exact odds are two walks over the tree. A fault
is an error that points at its column, and nothing is rolled.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn, TypeAlias

from companion.errors import UsageError
from companion.table.dice import DiceSource, Die

MOST_DICE = 1000
MOST_SIDES = 1_000_000
MOST_EXPLOSIONS = 100
"""A die that keeps exploding ends here; with two sides once in 2¹⁰⁰ throws."""


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number."""

    value: int


@dataclass(frozen=True, slots=True)
class Dice:
    """`count` dice of `sides`; `keep` of them, the highest or the lowest; `!` explodes."""

    count: int
    sides: int
    keep: int
    highest: bool
    explodes: bool
    column: int


@dataclass(frozen=True, slots=True)
class Operation:
    """Two expressions joined by +, - or *."""

    sign: str
    left: Tree
    right: Tree


Tree: TypeAlias = Number | Dice | Operation


@dataclass(frozen=True)
class Rolled:
    """The total and every die thrown for it, with whether it was kept."""

    total: int
    dice: tuple[tuple[Die, bool], ...]


_TOKEN = re.compile(r"\s*([0-9]+|kh|kl|dh|dl|[dk%!+*()-])", re.IGNORECASE)


class _Parser:
    """Recursive descent; every fault names its column."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = list(self._split())
        self._at = 0
        self._depth = 0

    def _split(self) -> Iterator[tuple[str, int]]:
        at = 0
        text = self._text.rstrip()
        while at < len(text):
            match = _TOKEN.match(text, at)
            if not match:
                blank = len(text[at:]) - len(text[at:].lstrip())
                self._fail(at + blank, f"'{text[at + blank]}' is not supported")
            yield match[1].lower(), match.start(1)
            at = match.end()
        yield "", len(text)

    def parse(self) -> Tree:
        tree = self._sum()
        token, column = self._tokens[self._at]
        if token:
            self._fail(column, f"'{token}' is not expected here")
        return tree

    def _fail(self, column: int, message: str) -> NoReturn:
        raise UsageError(
            f"dice expression, column {column + 1}: {message}\n"
            f"  {self._text}\n  {' ' * column}^ supported: 2d6+1, 4d6kh3, d%, 3d6!, ( ) + - *"
        )

    def _take(self) -> tuple[str, int]:
        self._at += 1
        return self._tokens[self._at - 1]

    def _peek(self) -> str:
        return self._tokens[self._at][0]

    def _sum(self) -> Tree:
        tree = self._product()
        while self._peek() in ("+", "-"):
            sign, _ = self._take()
            tree = Operation(sign, tree, self._product())
        return tree

    def _product(self) -> Tree:
        tree = self._factor()
        while self._peek() == "*":
            self._take()
            tree = Operation("*", tree, self._factor())
        return tree

    def _factor(self) -> Tree:
        token, column = self._take()
        self._depth += 1
        if self._depth > 200:
            self._fail(column, "it is too long")
        if token == "-":
            return Operation("-", Number(0), self._factor())
        if token == "(":
            tree = self._sum()
            closing, column = self._take()
            if closing != ")":
                self._fail(column, "')' is missing")
            return tree
        if token == "d":
            return self._dice(1, column)
        if token.isdecimal():
            if self._peek() == "d":
                self._take()
                return self._dice(self._number(token, column), column)
            return Number(self._number(token, column))
        message = f"'{token}' is not expected here" if token else "something is missing"
        return self._fail(column, message)

    def _number(self, token: str, column: int) -> int:
        if len(token) > 9:
            self._fail(column, "the number is too large")
        return int(token)

    def _dice(self, count: int, column: int) -> Dice:
        token, at = self._take()
        if token == "%":
            sides = 100
        elif token.isdecimal():
            sides = self._number(token, at)
        else:
            self._fail(at, "the number of sides is missing")
        if not 1 <= count <= MOST_DICE or not 1 <= sides <= MOST_SIDES:
            self._fail(column, f"1 to {MOST_DICE} dice of 1 to {MOST_SIDES} sides are possible")
        keep, highest = count, True
        if self._peek() in ("k", "kh", "kl", "dh", "dl"):
            keep, highest = self._kept(count)
        explodes = self._peek() == "!"
        if explodes:
            _, at = self._take()
            if sides == 1:
                self._fail(at, "a die with one side would explode without end")
        return Dice(count, sides, keep, highest, explodes, column)

    def _kept(self, count: int) -> tuple[int, bool]:
        word, column = self._take()
        amount = 1
        if self._peek().isdecimal():
            amount = self._number(*self._take())
        if not 1 <= amount <= count or (word[0] == "d" and amount == count):
            self._fail(column, f"{word}{amount} of {count} dice is not possible")
        if word[0] == "d":
            return count - amount, word == "dl"
        return amount, word != "kl"


def parse(text: str) -> Tree:
    """The tree of a dice expression. Raises UsageError pointing at the column of a fault."""
    return _Parser(text).parse()


def roll(tree: Tree, source: DiceSource) -> Rolled:
    """Roll an expression with dice from `source`, left to right."""
    if isinstance(tree, Number):
        return Rolled(tree.value, ())
    if isinstance(tree, Operation):
        left, right = roll(tree.left, source), roll(tree.right, source)
        total = {"+": left.total + right.total, "-": left.total - right.total}.get(
            tree.sign, left.total * right.total
        )
        return Rolled(total, (*left.dice, *right.dice))
    return _roll_dice(tree, source)


def _roll_dice(dice: Dice, source: DiceSource) -> Rolled:
    thrown: list[list[Die]] = []
    for number in range(dice.count):
        what = f"die {number + 1} of {dice.count}" if dice.count > 1 else "the die"
        chain = [source.die(dice.sides, what)]
        while dice.explodes and chain[-1].face == dice.sides and len(chain) < MOST_EXPLOSIONS:
            chain.append(source.die(dice.sides, f"{what}, thrown again"))
        thrown.append(chain)
    totals = [sum(die.face for die in chain) for chain in thrown]
    order = sorted(range(dice.count), key=lambda i: totals[i], reverse=dice.highest)
    kept = set(order[: dice.keep])
    marked = tuple((die, i in kept) for i, chain in enumerate(thrown) for die in chain)
    return Rolled(sum(totals[i] for i in kept), marked)
