"""A deck of cards with protograf (0.6.0 needs Python 3.13 or newer; 0.5.2 runs this too).

    VENV/bin/python protograf_deck.py KIND OUT.pdf WORKDIR [FONT.ttf]

KIND     text54, text540, pictures54 or shared540
WORKDIR  has pictures/pic_NNN.png from make_pictures.py (for the last two kinds)
FONT     may also come from the environment variable FONT

protograf takes fonts by family name only, from those installed for the user.  So
that this leaves nothing behind, the font is installed in a private home folder,
WORKDIR/home; protograf keeps its cache of fonts there too (HOME/.protograf, made by
the first run: run once before measuring).

WRAP=box in the environment sets the paragraph with wrap=True in place of a style.
"""

import os
import shutil
import sys
from pathlib import Path

kind, out, work = sys.argv[1], Path(sys.argv[2]).resolve(), Path(sys.argv[3]).resolve()
font_file = Path(sys.argv[4] if len(sys.argv) > 4 else os.environ["FONT"])
sys.argv = sys.argv[:1]  # Create() parses the command line as its own

home = work / "home"
installed = home / ".local/share/fonts" / font_file.name
if not installed.exists():
    installed.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(font_file, installed)
os.environ["HOME"] = str(home)
os.environ.pop("XDG_DATA_HOME", None)

from fontTools.ttLib import TTFont
from protograf import (
    Card,
    Create,
    Data,
    Deck,
    Font,
    Save,
    T,
    image,
    rectangle,
    text,
)
from words import PARAGRAPH

COLOURS = ["#c0392b", "#2471a3", "#1e8449", "#b9770e", "#7d3c98", "#34495e"]

family = TTFont(installed, lazy=True)["name"].getDebugName(1)
count = 540 if kind.endswith("540") else 54
pictured = not kind.startswith("text")

# pymupdf's A4 is 595 x 842 pt, a little narrower than 210 mm
Create(
    filename=out.name,
    paper="A4",
    units="mm",
    margin_left=10.4,
    margin_right=10,
    margin_top=16.5,
    margin_bottom=16,
)
Font(family, size=8)
Data(
    source=[
        {
            "TITLE": f"第 {n} 張卡 Card {n}",
            "BODY": PARAGRAPH,
            "COLOUR": COLOURS[n % len(COLOURS)],
            "PIC": str(work / "pictures" / f"pic_{(n - 1) % 54 + 1:03d}.png"),
        }
        for n in range(1, count + 1)
    ]
)
# card_size="poker" would be 63.5 x 88.9 mm
Deck(width=63, height=88, grid_marks=True, stroke="silver", fill="white")

# A style (html) makes the best paragraphs: no line starts with a comma, and it is much
# faster than wrap=True, which measures each text in a PDF of its own.  Plain html=True
# would write "font-family: Noto-Sans-TC" for a family with spaces in its name, match
# nothing and fall back on other fonts; so the family is named in the style.
if os.environ.get("WRAP") == "box":
    how = {"wrap": True}
else:
    how = {"style": f"font-family: {family}; font-size: 8px"}


def band(card):
    """The band of one card.  (fill=T("{{ COLOUR }}") sticks at the first card's colour.)"""
    return rectangle(x=0, y=0, width=63, height=10, fill=card.COLOUR, stroke=None)


Card(
    "all",
    band,
    text(text=T("{{ TITLE }}"), x=4, y=6.5, font_size=11, stroke="white", align="left"),
)
if pictured:
    Card("all", image(T("{{ PIC }}"), x=4, y=13, width=55, height=55 * 2 / 3))
Card(
    "all",
    text(
        text=T("{{ BODY }}"),
        x=4,
        y=52 if pictured else 14,
        width=55,
        height=34,
        font_size=8,
        align="left",
        **how,
    ),
)
Save(directory=str(out.parent))
