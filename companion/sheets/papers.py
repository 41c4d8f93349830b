"""Paper sizes by name, in millimetres, portrait."""

from __future__ import annotations

from companion.errors import UsageError, did_you_mean
from companion.units import number_text, parse_length

PAPERS: dict[str, tuple[float, float]] = {
    "a3": (297, 420),
    "a4": (210, 297),
    "a5": (148, 210),
    "a6": (105, 148),
    "b4-jis": (257, 364),
    "b5-jis": (182, 257),
    "letter": (215.9, 279.4),
    "legal": (215.9, 355.6),
    "tabloid": (279.4, 431.8),
    "sra3": (320, 450),
}
_HINT = "a paper such as a4, letter, a4-landscape or 210x297mm"


def paper_size(text: str) -> tuple[float, float]:
    """(width, height) of a paper by name, `NAME-landscape`, or `WIDTHxHEIGHT` with units.

    Raises UsageError with a suggestion.
    """
    name = text.strip().lower().replace("×", "x").replace(" landscape", "-landscape")
    plain, landscape = name.removesuffix("-landscape"), name.endswith("-landscape")
    plain = plain.removesuffix("-portrait")
    if plain in PAPERS:
        width, height = PAPERS[plain]
        return (height, width) if landscape else (width, height)
    if "x" in plain and plain[0].isdecimal():
        sides = plain.split("x")
        if len(sides) == 2:
            width, height = _custom(sides[0], sides[1], text)
            return (height, width) if landscape and width < height else (width, height)
    hint = did_you_mean(plain, PAPERS)
    raise UsageError(f"unknown paper '{text}' ({hint + '; ' if hint else ''}expected {_HINT})")


def _custom(width_text: str, height_text: str, text: str) -> tuple[float, float]:
    if not width_text.strip()[-1:].isalpha():
        width_text += "".join(c for c in height_text if c.isalpha())
    try:
        width, height = parse_length(width_text), parse_length(height_text)
    except ValueError:
        raise UsageError(f"unknown paper '{text}' (expected {_HINT})") from None
    if not (30 <= width <= 3000 and 30 <= height <= 3000):
        raise UsageError(f"paper '{text}' is outside 30 mm … 3 m")
    return width, height


def paper_title(text: str) -> str:
    """How a paper is called in print: A4, Letter, A3-landscape, 200x300mm.

    However it is typed, one paper has one title. Raises UsageError.
    """
    return title_of_size(paper_size(text))


def title_of_size(size: tuple[float, float]) -> str:
    """The title of a paper of (width, height) millimetres."""
    for name, (width, height) in PAPERS.items():
        if size == (width, height):
            return name.capitalize()
        if size == (height, width):
            return f"{name.capitalize()}-landscape"
    return f"{number_text(size[0])}x{number_text(size[1])}mm"
