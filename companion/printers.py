"""Printer profiles: how far a printer shifts the back of a sheet, by printer and paper.

They lie where the platform keeps user configuration (or in COMPANION_HOME), one JSON file.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from companion.errors import DataError, Place, Problem, UsageError, did_you_mean
from companion.files.atomic import alone, replacing
from companion.sheets.model import SheetPlan
from companion.units import PT_PER_MM, number_text


@dataclass(frozen=True)
class Profile:
    """What is applied to back pages: shift in millimetres (right, down), degrees clockwise and
    percent about the middle of the page."""

    x: float
    y: float
    rotate: float = 0.0
    scale: float = 100.0

    def __str__(self) -> str:
        text = f"{self.x:+g} mm right, {self.y:+g} mm down"
        if self.rotate:
            text += f", {self.rotate:+g}°"
        return text + (f", {self.scale:g} %" if self.scale != 100 else "")

    def matrix(self, paper: tuple[float, float]) -> tuple[float, ...]:
        """The PDF matrix (points, y up) for a page of `paper` millimetres."""
        cx, cy = paper[0] / 2 * PT_PER_MM, paper[1] / 2 * PT_PER_MM
        angle, scale = math.radians(-self.rotate), self.scale / 100
        a, b = scale * math.cos(angle), scale * math.sin(angle)
        dx, dy = self.x * PT_PER_MM, -self.y * PT_PER_MM
        return (a, b, -b, a, cx - a * cx + b * cy + dx, cy - b * cx - a * cy + dy)


def profiles_file() -> Path:
    """Where the profiles are kept."""
    home = os.environ.get("COMPANION_HOME")
    if home:
        return Path(home) / "printers.json"
    from platformdirs import user_config_path

    return user_config_path("companion", appauthor=False) / "printers.json"


def load_profiles() -> dict[str, dict[str, Profile]]:
    """Printer → paper → profile. Raises DataError if the file is damaged."""
    path = profiles_file()
    if not path.exists():
        return {}
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        profiles = {
            str(name): {str(paper): Profile(**entry) for paper, entry in papers.items()}
            for name, papers in data.items()
        }
        for papers in profiles.values():
            for profile in papers.values():
                if fault := _fault(profile):
                    raise ValueError(fault)
        return profiles
    except (OSError, ValueError, TypeError, AttributeError) as error:
        problem = Problem("error", f"no printer profiles: {error}", Place(str(path)))
        raise DataError(problems=[problem]) from None


def store_profile(name: str, paper: str, profile: Profile) -> None:
    """Add or replace one profile; the others stay. Raises UsageError for a wild value."""
    if not name.strip() or not name.isprintable():
        raise UsageError("a printer needs a name")
    fault = _fault(profile)
    if fault:
        raise UsageError(fault)
    with alone(profiles_file()):
        known = load_profiles()
        known.setdefault(name, {})[paper] = profile
        data: dict[str, Any] = {
            printer: {of: asdict(entry) for of, entry in papers.items()}
            for printer, papers in known.items()
        }
        with replacing(profiles_file()) as stream:
            stream.write((json.dumps(data, ensure_ascii=False, indent=2) + "\n").encode())


def _fault(profile: Profile) -> str:
    """What is wild in a profile; empty if nothing is. Written so that NaN is wild too."""
    if not max(abs(profile.x), abs(profile.y)) <= 20:
        return "a shift of over 20 mm is no printer's error: check the sign and the unit"
    if not (abs(profile.rotate) <= 5 and 95 <= profile.scale <= 105):
        return "at most 5° and 95 to 105 % can be corrected"
    return ""


def find_profile(name: str, paper: str) -> Profile:
    """The profile of a printer for a paper. Raises UsageError listing the known ones."""
    known = load_profiles()
    if name not in known:
        hint = did_you_mean(name, known) or "none is stored yet: companion calibrate"
        raise UsageError(f"there is no printer '{name}' ({hint})")
    papers = known[name]
    if paper not in papers:
        raise UsageError(
            f"printer '{name}' has no profile for {paper} (known: {', '.join(sorted(papers))})"
        )
    return papers[paper]


def past_margin(plans: Iterable[SheetPlan], profile: Profile, margin: float) -> list[str]:
    """A warning for the first back page on which the shift moves cards over the margin."""
    warnings = []
    for plan in plans:
        pages = [n for n, page in enumerate(plan.pages, 1) if page.side == "back"]
        if not pages:
            continue
        frame = plan.frame
        rooms = {
            "left": frame.left / 1000 + profile.x,
            "right": (frame.page_width - frame.right) / 1000 - profile.x,
            "top": frame.top / 1000 + profile.y,
            "bottom": (frame.page_height - frame.bottom) / 1000 - profile.y,
        }
        for side, room in rooms.items():
            if room < margin - 1e-9:
                warnings.append(
                    f"page {pages[0]} (back): the printer's shift moves cards "
                    f"{number_text(margin - room)} mm past the printable margin at the {side}"
                )
    return warnings
