"""What may stand beside what: breaking and spacing rules for Traditional Chinese with Latin.

Classes: "H" Han and other wide signs, "F" full-width letters and digits, "O" wide opening bracket,
"C" wide closing bracket, "S" wide stop (centred in its square, so it is never squeezed), "D" dots
and dashes that come in pairs, "o"/"c" narrow opening and closing signs, "n" digit, "a" other Latin,
"_" blank, "I" icon.
"""

from __future__ import annotations

from functools import cache

OPENING = "（「『《〈【〔〖［｛〝"
CLOSING = "）」』》〉】〕〗］｝〞"
STOPS = "、。，；：？！．・‧／～％"
PAIRED = "…—"
NARROW_OPENING = "([{<“‘$#"
NARROW_CLOSING = ")]}>.,;:?!%’”°·•"
_MEASURES = "張分次點局回合球人位枚名秒頁歲年月日元萬億公壘棒出步格輪種個隻組件顆倍度塊面家方投"
_UNITS = frozenset(("mm", "cm", "m", "in", "pt", "px", "kg", "g", "s", "min", "h", "ppi", "dpi"))


@cache
def class_of(char: str) -> str:
    """The class of one character."""
    code = ord(char)
    if char in OPENING:
        return "O"
    if char in CLOSING:
        return "C"
    if char in STOPS:
        return "S"
    if char in PAIRED:
        return "D"
    if char in " \u2009\u3000\t":
        return "_"
    if char.isdecimal() and code < 0x2000:
        return "n"
    if _is_wide_alphanumeric(code):
        return "F"
    if _is_wide(code):
        return "H"
    if char in NARROW_OPENING:
        return "o"
    if char in NARROW_CLOSING:
        return "c"
    return "a"


def _is_wide_alphanumeric(code: int) -> bool:
    """Full-width digits, letters and signs before a number: they form words."""
    return (
        0xFF10 <= code <= 0xFF19
        or 0xFF21 <= code <= 0xFF3A
        or 0xFF41 <= code <= 0xFF5A
        or code in (0xFF0B, 0xFF0D, 0xFF04)
    )


def _is_wide(code: int) -> bool:
    return (
        0x2E80 <= code <= 0xA4CF
        or 0xAC00 <= code <= 0xD7AF
        or 0xF900 <= code <= 0xFAFF
        or 0xFE30 <= code <= 0xFE4F
        or 0xFF00 <= code <= 0xFF60
        or 0x2190 <= code <= 0x27BF
        or code >= 0x20000
    )


_NEVER_FIRST = "CSDc"
_NEVER_LAST = "Oo"
_WIDE = "HFOCSD"


def may_break(before: str, after: str, first: str, second: str) -> bool:
    """Whether a line may end between two adjacent characters, neither of them blank.

    `before` and `after` are their classes, `first` and `second` the characters ("" for icons).
    """
    if after in _NEVER_FIRST or before in _NEVER_LAST:
        return False
    if before == "F" and after == "F":
        return False
    if before in "nF" and (after == "I" or (second and second in _MEASURES)):
        return False
    if before in _WIDE or after in _WIDE:
        return True
    return first == "-" and after == "a"


def may_break_at_blank(before: str, after: str, word: str, next_word: str) -> bool:
    """Whether a line may end at blanks between `word` and `next_word` (a number keeps its unit)."""
    if after in _NEVER_FIRST or before in _NEVER_LAST:
        return False
    has_unit = next_word in _UNITS or (next_word != "" and next_word[0] in _MEASURES)
    return not (word[-1:].isdecimal() and has_unit)


@cache
def gap(before: str, after: str) -> float:
    """Ems added between two adjacent characters: an eighth between Han and Latin, a half taken
    where two half-empty signs meet."""
    if after in "OCS" and before == "C":
        return -0.5
    if after == "O" and before in "OS":
        return -0.5
    if (before == "H" and after in "anoI") or (before in "ancI" and after == "H"):
        return 0.125
    if (before == "I" and after in "an") or (before in "anc" and after == "I"):
        return 0.125
    return 0.0


def stretches(before: str, after: str) -> bool:
    """Whether justifying may widen the place between two characters."""
    if before == "D" and after == "D":
        return False
    if before == "_":
        return True
    return before in "HFOCSDI" or after in "HFOCSDI"
