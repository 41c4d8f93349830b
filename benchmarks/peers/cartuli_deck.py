"""A deck of ready card images laid out with cartuli (0.1.0b3).

    VENV/bin/python cartuli_deck.py KIND OUT.pdf WORKDIR

KIND     text54, text540, pictures54 or shared540
WORKDIR  has the card images from make_pictures.py; the definition (Cartulifile.yml)
         is written to WORKDIR/cartuli-KIND

cartuli lays out images; it wraps no text.  So the cards of this benchmark are drawn
beforehand by make_pictures.py: text54, text540 and pictures54 are folders of them.  For
shared540 it gets the 54 cards of pictures54 ten times each ("copies: 10"), which is less
than 540 different cards with 54 pictures.

Makes the calls of its command line, `cartuli WORKDIR/cartuli-KIND`, which itself ends
with an AttributeError and exit code 1 after writing the PDF, unless run with -T FOLDER.
"""

import shutil
import sys
from pathlib import Path

from cartuli import Definition, sheet_pdf_output

# print_margin is 1 inch unless told, which leaves room for two rows of two cards
DEFINITION = """\
decks:
  deck:
    size: (63*mm, 88*mm)
    copies: {copies}
    front:
      images: {images}
outputs:
  sheet:
    size: A4
    print_margin: 5*mm
    padding: 2*mm
"""

if __name__ == "__main__":  # cartuli starts worker processes
    kind, out, work = sys.argv[1], Path(sys.argv[2]).resolve(), Path(sys.argv[3]).resolve()
    shared = kind == "shared540"
    images = work / ("pictures54" if shared else kind) / "card_*.png"
    project = work / f"cartuli-{kind}"
    shutil.rmtree(project, ignore_errors=True)
    project.mkdir(parents=True)
    (project / "Cartulifile.yml").write_text(
        DEFINITION.format(images=images, copies=10 if shared else 1), encoding="utf-8"
    )
    (sheet,) = Definition.from_file(project).sheets.values()
    sheet_pdf_output(sheet, out)
