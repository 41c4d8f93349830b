"""The same deck as a bare ReportLab script: strings at places, the paragraph by `Paragraph`.

PYTHON bare_deck.py KIND OUT.pdf WORKDIR FONT.ttf
"""

from __future__ import annotations

import sys
from pathlib import Path

from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph
from words import PARAGRAPH

MM = 72 / 25.4
COLOURS = ("#c0392b", "#2471a3", "#1e8449", "#b9770e", "#7d3c98", "#34495e")


def main() -> None:
    """Write the deck."""
    kind, out, work, font = sys.argv[1], sys.argv[2], Path(sys.argv[3]), sys.argv[4]
    count = 540 if kind.endswith("540") else 54
    pictured = not kind.startswith("text")
    pdfmetrics.registerFont(TTFont("sans", font))
    style = ParagraphStyle("body", fontName="sans", fontSize=8, leading=11, wordWrap="CJK")
    canvas = Canvas(out, pagesize=(210 * MM, 297 * MM), initialFontName="sans")
    for n in range(1, count + 1):
        if n > 1 and n % 9 == 1:
            canvas.showPage()
        place = (n - 1) % 9
        x, top = (10.5 + 63 * (place % 3)) * MM, (297 - 16.5 - 88 * (place // 3)) * MM
        canvas.rect(x, top - 88 * MM, 63 * MM, 88 * MM)
        canvas.setFillColor(COLOURS[n % 6])
        canvas.rect(x, top - 10 * MM, 63 * MM, 10 * MM, stroke=0, fill=1)
        canvas.setFillColor("white")
        canvas.setFont("sans", 11)
        canvas.drawString(x + 4 * MM, top - 6.5 * MM, f"第 {n} 張卡 Card {n}")
        down = 14 * MM
        if pictured:
            picture = str(work / "pictures" / f"pic_{(n - 1) % 54 + 1:03d}.png")
            canvas.drawImage(picture, x + 4 * MM, top - 49.7 * MM, 55 * MM, 36.7 * MM)
            down = 52 * MM
        body = Paragraph(PARAGRAPH, style)
        _, height = body.wrap(55 * MM, 80 * MM)
        body.drawOn(canvas, x + 4 * MM, top - down - height)
    canvas.save()


if __name__ == "__main__":
    main()
