"""A scene as an SVG picture: paths as paths, text as text, in millimetres."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator
from xml.sax.saxutils import escape, quoteattr

from companion.drawing.scene import Block, Image, Item, Op, Path, Run, Scene, Turned
from companion.layouts.colors import Color
from companion.units import MM_PER_PT

_CAPS = ("butt", "round", "square")
_JOINS = ("miter", "round", "bevel")
_MIME = {"png": "image/png", "jpeg": "image/jpeg", "svg": "image/svg+xml"}


def svg_of(scene: Scene, title: str = "") -> str:
    """The whole picture with its bleed. Fonts are named, not embedded."""
    edge = scene.bleed
    width, height = scene.width + 2 * edge, scene.height + 2 * edge
    clips: list[str] = []
    body = list(_items(scene.items, clips))
    defs = [f"  <defs>{''.join(clips)}</defs>"] if clips else []
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm" '
            f'viewBox="{-edge:g} {-edge:g} {width:g} {height:g}">',
            f"  <title>{escape(title)}</title>",
            *defs,
            *body,
            "</svg>",
            "",
        ]
    )


def _items(items: Iterable[Item], clips: list[str]) -> Iterator[str]:
    for item in items:
        if isinstance(item, Path):
            yield _path(item)
        elif isinstance(item, Run):
            yield _run(item)
        elif isinstance(item, Image):
            yield _image(item)
        elif isinstance(item, Block):
            yield from _items(item.items, clips)
        else:
            yield from _turned(item, clips)


def _turned(item: Turned, clips: list[str]) -> Iterator[str]:
    matrix = " ".join(f"{value:.6g}" for value in item.matrix)
    clip = ""
    if item.clip:
        clips.append(f'<clipPath id="c{len(clips)}"><path d="{_steps(item.clip)}"/></clipPath>')
        clip = f' clip-path="url(#c{len(clips) - 1})"'
    yield f'  <g transform="matrix({matrix})"{clip}>'
    yield from _items(item.items, clips)
    yield "  </g>"


def _path(item: Path) -> str:
    style = f'fill="{_color(item.fill)}"'
    if item.even_odd:
        style += ' fill-rule="evenodd"'
    if item.stroke:
        style += (
            f' stroke="{_color(item.stroke)}" stroke-width="{item.stroke_width:g}" '
            f'stroke-linecap="{_CAPS[item.cap]}" stroke-linejoin="{_JOINS[item.join]}"'
        )
        if item.dash:
            style += f' stroke-dasharray="{" ".join(f"{d:g}" for d in item.dash)}"'
    return f'  <path d="{_steps(item.ops)}" {style}/>'


def _run(item: Run) -> str:
    size = item.points * MM_PER_PT
    wide = sum(item.font.widths.get(ord(c), 1.0) for c in item.text) * size
    wide += item.spread * MM_PER_PT * (len(item.text) - 1)
    weight = ' font-weight="bold"' if "Bold" in item.font.name else ""
    return (
        f'  <text x="{item.x:.3f}" y="{item.y:.3f}" font-size="{size:.3f}"{weight} '
        f'font-family="Noto Sans TC, sans-serif" fill="{_color(item.color)}" '
        f'textLength="{wide:.3f}" lengthAdjust="spacingAndGlyphs">{escape(item.text)}</text>'
    )


def _image(item: Image) -> str:
    data = base64.b64encode(item.picture.path.read_bytes()).decode()
    kind = _MIME.get(item.picture.format.lower(), "image/png")
    return (
        f'  <image x="{item.x:g}" y="{item.y:g}" width="{item.width:g}" height="{item.height:g}" '
        f'preserveAspectRatio="none" href={quoteattr(f"data:{kind};base64,{data}")}/>'
    )


def _steps(ops: Iterable[Op]) -> str:
    return " ".join(
        step + " ".join(f"{value:.4f}".rstrip("0").rstrip(".") for value in values)
        for step, values in ops
    )


def _color(color: Color | None) -> str:
    if color is None:
        return "none"
    return "#" + "".join(f"{round(255 * channel):02X}" for channel in color)
