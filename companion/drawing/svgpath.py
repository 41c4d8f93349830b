"""SVG path data (`d`) and basic shapes → path steps with absolute coordinates.

Quadratic curves and arcs become cubic ones. Anything that is not path data is a ValueError.
"""

from __future__ import annotations

import math
import re
from collections.abc import Generator, Iterator

from companion.drawing.scene import Op

_COMMAND = re.compile(r"[\s,]*([MmLlHhVvCcSsQqTtAaZz])")
_NUMBER = re.compile(r"[\s,]*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)", re.ASCII)
_FLAG = re.compile(r"[\s,]*([01])")
_ARITY = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
KAPPA = 0.5522847498307936
"""Control distance that makes a cubic curve a quarter circle."""


def parse_path(data: str) -> tuple[Op, ...]:
    """The steps of a `d` attribute. Raises ValueError."""
    steps = tuple(_Pen().draw(data))
    if not steps:
        raise ValueError("a path draws nothing")
    if steps[0][0] != "M":
        raise ValueError("a path must begin with M")
    return steps


def numbers(text: str) -> list[float]:
    """All numbers of a list such as `points`. Raises ValueError if anything else stands there."""
    found, at = [], 0
    text = text.strip()
    while at < len(text):
        match = _NUMBER.match(text, at)
        if not match:
            raise ValueError(f"no number: {text[at : at + 12]!r}")
        found.append(finite(match[1]))
        at = match.end()
    return found


def ellipse(cx: float, cy: float, rx: float, ry: float) -> tuple[Op, ...]:
    """A closed ellipse of four cubic curves."""
    kx, ky = KAPPA * rx, KAPPA * ry
    return (
        ("M", (cx + rx, cy)),
        ("C", (cx + rx, cy + ky, cx + kx, cy + ry, cx, cy + ry)),
        ("C", (cx - kx, cy + ry, cx - rx, cy + ky, cx - rx, cy)),
        ("C", (cx - rx, cy - ky, cx - kx, cy - ry, cx, cy - ry)),
        ("C", (cx + kx, cy - ry, cx + rx, cy - ky, cx + rx, cy)),
        ("Z", ()),
    )


def rectangle(x: float, y: float, width: float, height: float, corner: float = 0) -> tuple[Op, ...]:
    """A closed rectangle, its corners rounded with radius `corner` where over 0."""
    r = max(0.0, min(corner, width / 2, height / 2))
    right, bottom = x + width, y + height
    if r == 0:
        corners = ((right, y), (right, bottom), (x, bottom))
        return (("M", (x, y)), *(("L", point) for point in corners), ("Z", ()))
    k = r * (1 - KAPPA)
    return (
        ("M", (x + r, y)),
        ("L", (right - r, y)),
        ("C", (right - k, y, right, y + k, right, y + r)),
        ("L", (right, bottom - r)),
        ("C", (right, bottom - k, right - k, bottom, right - r, bottom)),
        ("L", (x + r, bottom)),
        ("C", (x + k, bottom, x, bottom - k, x, bottom - r)),
        ("L", (x, y + r)),
        ("C", (x, y + k, x + k, y, x + r, y)),
        ("Z", ()),
    )


def polygon(points: list[tuple[float, float]], *, closed: bool = True) -> tuple[Op, ...]:
    """Straight sides through `points`."""
    steps: list[Op] = [("M" if i == 0 else "L", point) for i, point in enumerate(points)]
    return (*steps, ("Z", ())) if closed else tuple(steps)


class _Pen:
    """Walks through path data, keeping the current point and the last control point."""

    def __init__(self) -> None:
        self.x = self.y = self.start_x = self.start_y = 0.0
        self.control: tuple[str, float, float] | None = None

    def draw(self, data: str) -> Iterator[Op]:
        for command, numbers in _commands(data):
            yield from self._step(command.upper(), numbers, command.islower())

    def _step(self, kind: str, n: list[float], relative: bool) -> Iterator[Op]:
        dx, dy = (self.x, self.y) if relative else (0.0, 0.0)
        control = None
        if kind == "Z":
            self.x, self.y = self.start_x, self.start_y
            yield "Z", ()
        elif kind in "MLHV":
            x = n[0] + dx if kind != "V" else self.x
            y = (n[0] if kind == "V" else n[-1]) + dy if kind != "H" else self.y
            if kind == "M":
                self.start_x, self.start_y = x, y
            self.x, self.y = x, y
            yield "M" if kind == "M" else "L", (x, y)
        elif kind == "A":
            yield from self._arc(n, dx, dy)
        else:
            control = yield from self._curve(kind, n, dx, dy)
        self.control = control

    def _curve(
        self, kind: str, n: list[float], dx: float, dy: float
    ) -> Generator[Op, None, tuple[str, float, float]]:
        points = [(n[i] + dx, n[i + 1] + dy) for i in range(0, len(n), 2)]
        family = "C" if kind in "CS" else "Q"
        if kind in "ST":
            points.insert(0, self._mirrored(family))
        end = points[-1]
        if family == "C":
            first, second = points[0], points[1]
            last_control = second
        else:
            last_control = points[0]
            qx, qy = last_control
            first = (self.x + 2 / 3 * (qx - self.x), self.y + 2 / 3 * (qy - self.y))
            second = (end[0] + 2 / 3 * (qx - end[0]), end[1] + 2 / 3 * (qy - end[1]))
        yield "C", (*first, *second, *end)
        self.x, self.y = end
        return (family, *last_control)

    def _mirrored(self, family: str) -> tuple[float, float]:
        if self.control and self.control[0] == family:
            return 2 * self.x - self.control[1], 2 * self.y - self.control[2]
        return self.x, self.y

    def _arc(self, n: list[float], dx: float, dy: float) -> Iterator[Op]:
        end = (n[5] + dx, n[6] + dy)
        yield from arc_curves((self.x, self.y), n[0], n[1], n[2], bool(n[3]), bool(n[4]), end)
        self.x, self.y = end


def _commands(data: str) -> Iterator[tuple[str, list[float]]]:
    """(command letter, its numbers), one at a time; repeated numbers repeat the command."""
    at, command = 0, ""
    data = data.strip()
    while at < len(data):
        match = _COMMAND.match(data, at)
        if match:
            command, at = match[1], match.end()
        elif not command or command in "Zz":
            raise ValueError(f"no path data: {data[at : at + 12]!r}")
        numbers = []
        for index in range(_ARITY[command.upper()]):
            # the two flags of an arc are single digits and may stand without blanks
            pattern = _FLAG if command in "Aa" and index in (3, 4) else _NUMBER
            found = pattern.match(data, at)
            if not found:
                raise ValueError(f"a number is missing after {command}: {data[at : at + 12]!r}")
            numbers.append(finite(found[1]))
            at = found.end()
        yield command, numbers
        command = {"M": "L", "m": "l"}.get(command, command)


def finite(text: str) -> float:
    """A number of ordinary size. Raises ValueError."""
    try:
        value = float(text)
    except ValueError:
        raise ValueError(f"{text!r} is no number") from None
    if not abs(value) < 1e6:
        raise ValueError(f"{text} is no number of ordinary size")
    return value


def arc_curves(
    start: tuple[float, float],
    rx: float,
    ry: float,
    turn: float,
    large: bool,
    sweep: bool,
    end: tuple[float, float],
) -> Iterator[Op]:
    """An SVG arc as cubic curves of at most a quarter turn each (SVG 1.1, appendix F.6)."""
    if start == end:
        return
    if rx == 0 or ry == 0:
        yield "L", end
        return
    phi = math.radians(turn)
    cos, sin = math.cos(phi), math.sin(phi)
    hx, hy = (start[0] - end[0]) / 2, (start[1] - end[1]) / 2
    px, py = cos * hx + sin * hy, -sin * hx + cos * hy
    rx, ry = abs(rx), abs(ry)
    scale = math.sqrt((px / rx) ** 2 + (py / ry) ** 2)
    if scale > 1:
        rx, ry = rx * scale, ry * scale
    rest = (rx * ry) ** 2 - (rx * py) ** 2 - (ry * px) ** 2
    root = math.sqrt(max(0.0, rest / ((rx * py) ** 2 + (ry * px) ** 2)))
    root = -root if large == sweep else root
    cx, cy = root * rx * py / ry, -root * ry * px / rx
    first = math.atan2((py - cy) / ry, (px - cx) / rx)
    last = math.atan2((-py - cy) / ry, (-px - cx) / rx)
    span = last - first
    if sweep and span < 0:
        span += 2 * math.pi
    elif not sweep and span > 0:
        span -= 2 * math.pi
    mx, my = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    center = (cos * cx - sin * cy + mx, sin * cx + cos * cy + my)
    pieces = max(1, math.ceil(abs(span) / (math.pi / 2) - 1e-9))
    step = span / pieces
    k = 4 / 3 * math.tan(step / 4)

    def point(x: float, y: float) -> tuple[float, float]:
        return (
            center[0] + cos * rx * x - sin * ry * y,
            center[1] + sin * rx * x + cos * ry * y,
        )

    for piece in range(pieces):
        a, b = first + piece * step, first + (piece + 1) * step
        one = point(math.cos(a) - k * math.sin(a), math.sin(a) + k * math.cos(a))
        two = point(math.cos(b) + k * math.sin(b), math.sin(b) - k * math.cos(b))
        stop = end if piece == pieces - 1 else point(math.cos(b), math.sin(b))
        yield "C", (*one, *two, *stop)
