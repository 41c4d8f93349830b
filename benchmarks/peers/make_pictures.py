"""Make the input pictures for the card-sheet benchmarks (run before, never timed).

    PYTHON make_pictures.py WORKDIR [FONT.ttf]

FONT may also come from the environment variable FONT.  Needs only Pillow.  Writes:

    WORKDIR/pictures/pic_NNN.png    54 pictures of 600 x 400 px
    WORKDIR/text54/card_NNN.png     54 whole cards, 744 x 1039 px (63 x 88 mm at 300 dpi):
                                    band, title and paragraph drawn by Pillow
    WORKDIR/text540/card_NNN.png    540 of them
    WORKDIR/pictures54/card_NNN.png 54 of them with the pictures on them

The card images are for tools that only lay out ready images.
"""

import colorsys
import os
import random
import sys
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from words import PARAGRAPH

MM = 300 / 25.4  # pixels in a millimetre
CARD = (744, 1039)


def hue(n, s=0.65, v=0.75):
    r, g, b = colorsys.hsv_to_rgb((n * 0.618) % 1, s, v)
    return int(r * 255), int(g * 255), int(b * 255)


def picture(n):
    """A 600 x 400 picture: a gradient with shapes, and some noise as a photo has."""
    rnd = random.Random(n)
    img = Image.linear_gradient("L").resize((600, 400)).rotate(180 * (n % 2))
    img = Image.merge("RGB", [img.point(lambda p, c=c: (p + c) // 2) for c in hue(n)])
    draw = ImageDraw.Draw(img)
    for _ in range(12):
        x, y, r = rnd.randrange(600), rnd.randrange(400), rnd.randrange(20, 120)
        draw.ellipse((x - r, y - r, x + r, y + r), fill=hue(rnd.randrange(1000)))
    noise = Image.effect_noise((300, 200), 20).resize((600, 400)).convert("RGB")
    return Image.blend(img, noise, 0.12)


def wrap(text, font, width):
    """Break before any Chinese character, at spaces elsewhere."""
    pieces, word = [], ""
    for ch in text:
        if ord(ch) > 0x2E80:
            pieces += [word, ch] if word else [ch]
            word = ""
        elif ch == " ":
            pieces.append(word + " ")
            word = ""
        else:
            word += ch
    pieces.append(word)
    lines = [""]
    for piece in pieces:
        if lines[-1] and font.getlength((lines[-1] + piece).rstrip()) > width:
            lines.append("")
        lines[-1] += piece
    return "\n".join(line.strip() for line in lines)


def card(n, title_font, body_font, body, pic=None):
    img = Image.new("RGB", CARD, "white")
    draw = ImageDraw.Draw(img)
    draw.rectangle((0, 0, CARD[0], 10 * MM), fill=hue(n))
    draw.text((4 * MM, 5 * MM), f"第 {n} 張卡 Card {n}", "white", title_font, anchor="lm")
    top = 14 * MM
    if pic is not None:
        width, height = int(55 * MM), int(55 * MM * 2 / 3)
        img.paste(pic.resize((width, height)), (int(4 * MM), int(13 * MM)))
        top = 52 * MM
    draw.multiline_text((4 * MM, top), body, "black", body_font, spacing=6)
    return img


def main():
    work = Path(sys.argv[1])
    font = sys.argv[2] if len(sys.argv) > 2 else os.environ["FONT"]
    title_font = ImageFont.truetype(font, round(11 / 72 * 300))
    body_font = ImageFont.truetype(font, round(8 / 72 * 300))
    body = wrap(PARAGRAPH, body_font, 55 * MM)
    for folder in ("pictures", "text54", "text540", "pictures54"):
        (work / folder).mkdir(parents=True, exist_ok=True)
    for n in range(1, 541):
        name = f"card_{n:03d}.png"
        plain = card(n, title_font, body_font, body)
        plain.save(work / "text540" / name)
        if n <= 54:
            pic = picture(n)
            pic.save(work / "pictures" / f"pic_{n:03d}.png")
            plain.save(work / "text54" / name)
            card(n, title_font, body_font, body, pic).save(work / "pictures54" / name)


if __name__ == "__main__":
    main()
