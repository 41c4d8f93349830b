"""The same deck with companion: a folder with a layout and a table, printed by the command.

PYTHON companion_deck.py KIND OUT.pdf WORKDIR
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

from words import PARAGRAPH

COLOURS = ("red", "blue", "green", "amber", "violet", "slate")
LAYOUT = """
size = "poker"
bleed = 3
safe = 3
[colors]
red = "#c0392b"
blue = "#2471a3"
green = "#1e8449"
amber = "#b9770e"
violet = "#7d3c98"
slate = "#34495e"
[[element]]
name = "band"
type = "rectangle"
at = [-3, -3]
size = ["100% + 6", 13]
fill = {{ by = "colour", red = "red", blue = "blue", green = "green", amber = "amber", \
violet = "violet", slate = "slate" }}
[[element]]
name = "title"
type = "text"
text = "{{title}}"
color = "white"
at = [4, 3]
size = [55, 6]
fit = 11
valign = "middle"
{picture}
[[element]]
name = "body"
type = "rich-text"
text = "{{body}}"
at = [4, {top}]
size = [55, {height}]
fit = 8
"""
PICTURE = """
[[element]]
name = "picture"
type = "picture"
picture = "{picture}"
at = [4, 13]
size = [55, 36.67]
fit = "cover"
"""


def main() -> None:
    """Write the deck and print it."""
    kind, out, work = sys.argv[1], Path(sys.argv[2]).resolve(), Path(sys.argv[3]).resolve()
    count = int(kind.lstrip("abcdefghijklmnopqrstuvwxyz"))
    pictured = not kind.startswith("text")
    deck = work  # pictures lie below their deck's folder
    (deck / "layouts").mkdir(exist_ok=True)
    (deck / "deck.toml").write_text(
        'title = "Deck"\nlanguages = ["zh-TW"]\n'
        '[[group]]\nname = "cards"\ntable = "cards.csv"\nlayout = "card"\n',
        "utf-8",
    )
    top, height = (52, 33) if pictured else (14, 71)
    layout = LAYOUT.format(picture=PICTURE if pictured else "", top=top, height=height)
    (deck / "layouts" / "card.toml").write_text(layout, "utf-8")
    with (deck / "cards.csv").open("w", newline="", encoding="utf-8") as stream:
        rows = csv.writer(stream)
        rows.writerow(["id", "title", "body", "colour", "picture"])
        for n in range(1, count + 1):
            picture = f"pictures/pic_{(n - 1) % 54 + 1:03d}.png"
            rows.writerow([n, f"第 {n} 張卡 Card {n}", PARAGRAPH, COLOURS[n % 6], picture])
    # in this process: what is measured is one program, as for the others
    sys.argv = ["companion", "print", str(deck), "-o", str(out)]
    from companion.cli.app import main as companion

    companion()


if __name__ == "__main__":
    main()
