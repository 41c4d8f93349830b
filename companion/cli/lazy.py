"""Command groups whose commands are imported when they are called: most of a start-up otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, ClassVar

import typer
from typer.core import TyperGroup


class _Commands(Mapping[str, Any]):
    """Name → command; `lazy` ones are built from `module:attribute` below `companion.cli`."""

    def __init__(self, built: Mapping[str, Any], lazy: Mapping[str, str]) -> None:
        self._built, self._lazy = dict(built), lazy

    def __getitem__(self, name: str) -> Any:
        if name not in self._built:
            self._built[name] = _build(name, self._lazy[name])
        return self._built[name]

    def __iter__(self) -> Iterator[str]:
        yield from self._lazy
        yield from (name for name in self._built if name not in self._lazy)

    def __len__(self) -> int:
        return len({*self._lazy, *self._built})


def _build(name: str, where: str) -> Any:
    module, _, attribute = where.partition(":")
    found = getattr(import_module(f"companion.cli.{module}"), attribute)
    wrapper = typer.Typer()
    if isinstance(found, typer.Typer):
        wrapper.add_typer(found, name=name)
    else:
        wrapper.command(name)(found)
    return typer.main.get_group(wrapper).commands[name]


class LazyGroup(TyperGroup):
    """A group that loads the commands in `lazy` when they are asked for."""

    lazy: ClassVar[Mapping[str, str]] = {}

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.commands = _Commands(self.commands, self.lazy)  # type: ignore[assignment]
