"""The least that ReportLab can do: a frame and two strings a card, nine cards a page."""

import sys
from pathlib import Path

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

MM = 72 / 25.4
FONT = Path(__file__).parent.parent / "layouts" / "fonts" / "PnPSansTC-Regular.ttf"


def main(cards: int, target: str) -> None:
    """Write `cards` cards to `target`."""
    pdfmetrics.registerFont(TTFont("sans", str(FONT)))
    canvas = Canvas(target, pagesize=(210 * MM, 297 * MM), initialFontName="sans")
    for number in range(cards):
        if number and number % 9 == 0:
            canvas.showPage()
        x = (10.5 + 63 * (number % 3)) * MM
        y = (16.5 + 88 * (number // 3 % 3)) * MM
        canvas.rect(x, y, 63 * MM, 88 * MM)
        canvas.setFont("sans", 14)
        canvas.drawString(x + 10, y + 220, f"三分跳投 {number}")
        canvas.setFont("sans", 9)
        canvas.drawString(x + 10, y + 100, f"擲骰等於或低於進攻值 roll {number} or less")
    canvas.save()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
