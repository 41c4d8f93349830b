"""Where the card sets, layouts and fonts that come with the package lie.

In a wheel they are inside the package (`companion/shipped_data`); in a checkout they are the
folders beside it.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_IN_WHEEL = _PACKAGE / "shipped_data"
ROOT = _IN_WHEEL if _IN_WHEEL.is_dir() else _PACKAGE.parent

CARDSETS = ROOT / "cardsets"
LAYOUTS = ROOT / "layouts"
FONTS = LAYOUTS / "fonts"
ICONS = LAYOUTS / "icons"
