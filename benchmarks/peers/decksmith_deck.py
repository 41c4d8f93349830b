"""A deck of cards with decksmith (0.9.9): deck.yaml + deck.csv -> PNG cards -> PDF.

    VENV/bin/python decksmith_deck.py KIND OUT.pdf WORKDIR [FONT.ttf]

KIND     text54, text540, pictures54 or shared540
WORKDIR  has pictures/pic_NNN.png from make_pictures.py (for the last two kinds);
         the project is written to WORKDIR/decksmith-KIND
FONT     may also come from the environment variable FONT

Does in one process what these two commands do in two:

    decksmith build  --spec deck.yaml --data deck.csv --output cards
    decksmith export cards --output OUT.pdf --width 63 --height 88

CLI=1 in the environment runs the two commands; NAIVE=1 leaves the Chinese unbroken.
"""

import csv
import os
import shutil
import subprocess
import sys
from pathlib import Path

from words import CHINESE, ENGLISH

kind, out, work = sys.argv[1], Path(sys.argv[2]).resolve(), Path(sys.argv[3]).resolve()
font = Path(sys.argv[4] if len(sys.argv) > 4 else os.environ["FONT"]).resolve()

COLOURS = [
    (192, 57, 43),
    (36, 113, 163),
    (30, 132, 73),
    (185, 119, 14),
    (125, 60, 152),
    (52, 73, 94),
]

# 744 x 1039 px is 63 x 88 mm at 300 dpi; 1 mm is 11.81 px; 8 pt is 33 px, 11 pt 46 px
SPEC = """\
id: card
width: 744
height: 1039
background_color: [255, 255, 255]
elements:
  - type: rectangle
    position: [0, 0]
    size: [744, 118]
    color: ["%red%", "%green%", "%blue%"]
  - type: text
    position: [47, 28]
    text: "%title%"
    font_path: {font}
    font_size: 46
    color: [255, 255, 255]
{picture}  - type: text
    position: [47, {top}]
    text: "%body%"
    font_path: {font}
    font_size: 33
    line_spacing: 6
    width: 650
    color: [0, 0, 0]
"""
PICTURE = """\
  - type: image
    position: [47, 154]
    path: "%picture%"
    filters:
      resize: [650, 433]
"""

count = 540 if kind.endswith("540") else 54
pictured = not kind.startswith("text")

# decksmith breaks lines at spaces only, so a Chinese paragraph would run off the card:
# the user has to break it by hand (19 characters of 33 px fit in 650 px).
body = (
    CHINESE
    if os.environ.get("NAIVE")
    else "\n".join(CHINESE[i : i + 19] for i in range(0, len(CHINESE), 19))
)
body += ENGLISH

project = work / f"decksmith-{kind}"
shutil.rmtree(project, ignore_errors=True)
(project / "cards").mkdir(parents=True)
(project / "deck.yaml").write_text(
    SPEC.format(font=font, picture=PICTURE if pictured else "", top=614 if pictured else 165),
    encoding="utf-8",
)
with (project / "deck.csv").open("w", newline="", encoding="utf-8") as file:
    rows = csv.writer(file, delimiter=";")
    rows.writerow(["title", "body", "red", "green", "blue", "picture"])
    for n in range(1, count + 1):
        picture = work / "pictures" / f"pic_{(n - 1) % 54 + 1:03d}.png"
        rows.writerow([f"第 {n} 張卡 Card {n}", body, *COLOURS[n % len(COLOURS)], picture])

os.chdir(project)  # decksmith writes decksmith.log into the current folder
if os.environ.get("CLI"):
    tool = Path(sys.executable).with_name("decksmith")
    subprocess.run([tool, "build", "--output", "cards"], check=True)
    subprocess.run(
        [tool, "export", "cards", "--output", out, "--width", "63", "--height", "88"], check=True
    )
else:
    from decksmith.deck_builder import DeckBuilder
    from decksmith.export import PdfExporter

    DeckBuilder(Path("deck.yaml"), Path("deck.csv")).build_deck(Path("cards"))
    # the cards come out in the order of their names: card_1, card_10, card_11, ..., card_2
    PdfExporter(Path("cards"), out, "A4", image_width=63, image_height=88).export()
