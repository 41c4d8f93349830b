"""Pictures on cards: P8c, P18, P20."""

from __future__ import annotations

import io
import struct
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from PIL import Image
from pypdf import PdfReader

from tests.conftest import PLAIN_LAYOUT, MakeDeck, run

LAYOUT = """
size = "poker"
[[element]]
name = "art"
type = "picture"
picture = "{art}"
at = [5, 10]
size = [53, 30]
fit = "stretch"
"""


def noise(width: int, height: int, mode: str = "RGB", seed: int = 1) -> Image.Image:
    random = np.random.default_rng(seed)
    bands = len(Image.new(mode, (1, 1)).getbands())
    shape = (height, width, bands) if bands > 1 else (height, width)
    return Image.fromarray(random.integers(0, 255, shape, dtype=np.uint8), mode)


def deck_with(make_deck: MakeDeck, pictures: dict[str, bytes], layout: str = LAYOUT) -> Path:
    rows = "".join(f"c{n},{name}\n" for n, name in enumerate(pictures))
    deck = make_deck(csv="id,art\n" + rows, layout=layout)
    (deck / "art").mkdir()
    for name, data in pictures.items():
        (deck / name).write_bytes(data)
    return deck


def saved(image: Image.Image, kind: str = "PNG", **options: object) -> bytes:
    stream = io.BytesIO()
    image.save(stream, kind, **options)
    return stream.getvalue()


def images_of(pdf: Path) -> list[dict[str, object]]:
    found: dict[object, dict[str, object]] = {}

    def walk(resources: object) -> None:
        for reference in resources.get_object().get("/XObject", {}).values():  # type: ignore[attr-defined]
            entry = reference.get_object()
            if entry["/Subtype"] == "/Image":
                found[reference.idnum] = entry
            elif "/Resources" in entry:
                walk(entry["/Resources"])

    for page in PdfReader(pdf).pages:
        walk(page["/Resources"])
    return list(found.values())


def test_p20_each_picture_is_stored_once_as_it_is(make_deck: MakeDeck, tmp_path: Path) -> None:
    pictures = {f"art/p{n}.png": saved(noise(200, 100, seed=n)) for n in range(3)}
    deck = deck_with(make_deck, pictures)
    rows = "".join(f"c{n},art/p{n % 3}.png\n" for n in range(9))
    (deck / "cards.csv").write_text("id,art\n" + rows)
    (deck / "art" / "back.png").write_bytes(saved(noise(200, 100, seed=9)))
    back = LAYOUT.replace("{art}", "art/back.png")
    (deck / "layouts" / "back.toml").write_text(back)
    text = (deck / "deck.toml").read_text()
    (deck / "deck.toml").write_text(text + 'back = "back"\n')
    out = tmp_path / "o.pdf"
    assert run("print", str(deck), "-o", str(out)).code == 0
    images = images_of(out)
    assert len(images) == 4
    sizes = sum(path.stat().st_size for path in (deck / "art").iterdir())
    assert out.stat().st_size <= 1.05 * sizes + 60_000
    expected = {noise(200, 100, seed=seed).tobytes() for seed in (0, 1, 2, 9)}
    reader = PdfReader(out)
    found = {i.image.convert("RGB").tobytes() for page in reader.pages for i in page.images}
    assert found <= expected
    assert found


KINDS = {
    "gray": saved(noise(40, 30, "L")),
    "rgb": saved(noise(40, 30)),
    "rgba": saved(noise(40, 30, "RGBA")),
    "gray-alpha": saved(noise(40, 30, "LA")),
    "palette": saved(noise(40, 30).convert("P", palette=Image.Palette.ADAPTIVE)),
    "palette-transparent": saved(
        noise(40, 30).convert("P", palette=Image.Palette.ADAPTIVE), transparency=3
    ),
    "bits": saved(noise(40, 30, "L").convert("1")),
    "jpeg": saved(noise(40, 30), "JPEG", quality=95),
    "jpeg-gray": saved(noise(40, 30, "L"), "JPEG", quality=95),
}


@pytest.mark.parametrize("kind", KINDS)
def test_p20_pixels_equal_the_source_and_alpha_is_kept(
    kind: str, make_deck: MakeDeck, tmp_path: Path
) -> None:
    """Independent decoder: Pillow over white, against what a PDF renderer shows."""
    suffix = "jpg" if "jpeg" in kind else "png"
    deck = deck_with(make_deck, {f"art/a.{suffix}": KINDS[kind]})
    out = tmp_path / "o.pdf"
    answer = run("print", str(deck), "-o", str(out), "--marks", "none", "--no-labels")
    assert answer.code == 0, answer.err
    source = Image.open(io.BytesIO(KINDS[kind])).convert("RGBA")
    white = Image.new("RGBA", source.size, "white")
    expected = np.asarray(Image.alpha_composite(white, source).convert("RGB")).astype(int)
    page = pypdfium2.PdfDocument(out)[0].render(scale=20 * 72 / 25.4 / 2.834646 / 2.834646)
    pixels = np.asarray(page.to_pil().convert("RGB")).astype(int)
    scale = pixels.shape[1] / 210
    left, top = 15.5, 26.5
    for row in range(2, 28, 5):
        for column in range(2, 38, 5):
            x = (left + (column + 0.5) * 53 / 40) * scale
            y = (top + (row + 0.5) * 30 / 30) * scale
            difference = abs(pixels[int(y), int(x)] - expected[row, column]).max()
            assert difference <= (12 if suffix == "jpg" else 3)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_p18_a_rotated_jpeg_stands_upright(
    orientation: int, make_deck: MakeDeck, tmp_path: Path
) -> None:
    from PIL import ImageOps

    image = Image.new("RGB", (40, 40), "white")
    image.paste((255, 0, 0), (0, 0, 20, 20))
    image.paste((0, 0, 255), (20, 0, 40, 20))
    exif = Image.Exif()
    exif[0x0112] = orientation
    data = saved(image, "JPEG", quality=95, exif=exif)
    upright = ImageOps.exif_transpose(Image.open(io.BytesIO(data))).convert("RGB")
    deck = deck_with(make_deck, {"art/a.jpg": data})
    out = tmp_path / "o.pdf"
    run("print", str(deck), "-o", str(out), "--marks", "none", "--no-labels")
    pixels = pypdfium2.PdfDocument(out)[0].render(scale=4).to_pil().convert("RGB")
    scale = pixels.width / 210
    for column in (10, 30):
        for row in (10, 30):
            at = (int((15.5 + column * 53 / 40) * scale), int((26.5 + row * 30 / 40) * scale))
            shown, true = pixels.getpixel(at), upright.getpixel((column, row))
            assert max(abs(a - b) for a, b in zip(shown, true, strict=True)) < 20


@pytest.mark.parametrize(
    ("fit", "box"),
    [
        ("contain", (11.5, 0, 30, 30)),
        ("cover", (0, 0, 53, 30)),
        ("stretch", (0, 0, 53, 30)),
    ],
)
def test_p8_fits(
    fit: str, box: tuple[float, float, float, float], make_deck: MakeDeck, tmp_path: Path
) -> None:
    layout = LAYOUT.replace("stretch", fit)
    deck = deck_with(make_deck, {"art/a.png": saved(Image.new("RGB", (600, 600), "red"))}, layout)
    out = tmp_path / "o.pdf"
    answer = run("print", str(deck), "-o", str(out), "--marks", "none", "--no-labels")
    assert ("is stretched" in answer.err) == (fit == "stretch")
    pixels = np.asarray(pypdfium2.PdfDocument(out)[0].render(scale=6).to_pil().convert("RGB"))
    red = (pixels[..., 0] > 200) & (pixels[..., 1] < 60)
    scale = pixels.shape[1] / 210
    rows, columns = np.flatnonzero(red.any(axis=1)), np.flatnonzero(red.any(axis=0))
    found = (
        columns[0] / scale - 15.5,
        rows[0] / scale - 26.5,
        (columns[-1] - columns[0] + 1) / scale,
        (rows[-1] - rows[0] + 1) / scale,
    )
    assert found == pytest.approx(box, abs=0.15)


def test_p18_a_missing_picture_names_card_line_path_and_the_nearest(make_deck: MakeDeck) -> None:
    deck = deck_with(make_deck, {"art/wolf.png": saved(noise(4, 4))})
    (deck / "cards.csv").write_text("id,art\na,art/wolf.png\nb,art/wolff.png\n")
    answer = run("check", str(deck))
    assert answer.code == 6
    for part in ("cards.csv:3:3", "card 'b'", "tried demo/art/wolff.png", "'art/wolf.png'"):
        assert part in answer.err


TRUNCATED = saved(noise(60, 60))[:-200]


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("art/a.png", b"", "is an empty file"),
        ("art/a.png", TRUNCATED, "a.png"),
        ("art/a.png", b"GIF89a" + bytes(40), "neither PNG nor JPEG"),
        ("art/a.jpg", saved(noise(60, 60), "JPEG")[:-100], "cut short"),
        ("art/a.png", b"\x89PNG\r\n\x1a\n", "cut short"),
    ],
)
def test_p18_a_broken_picture_is_refused_by_name(
    name: str, data: bytes, message: str, make_deck: MakeDeck, tmp_path: Path
) -> None:
    out = tmp_path / "o.pdf"
    deck = str(deck_with(make_deck, {name: data}))
    for answer in (run("print", deck, "-o", str(out)), run("check", deck)):
        assert answer.code == 6 and message in answer.err
    assert not out.exists()


def test_p30_a_giant_picture_is_refused_before_it_is_unpacked(make_deck: MakeDeck) -> None:
    header = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR"
    giant = header + struct.pack(">IIBBBBB", 50_000, 50_000, 8, 2, 0, 0, 0) + bytes(40)
    answer = run("check", str(deck_with(make_deck, {"art/a.png": giant})))
    assert answer.code == 6 and "50000 × 50000 pixels" in answer.err


@pytest.mark.parametrize("path", ["../secret.png", "/etc/passwd"])
def test_p30_a_picture_outside_the_deck_is_refused(path: str, make_deck: MakeDeck) -> None:
    deck = make_deck(csv=f"id,art\na,{path}\n", layout=LAYOUT)
    (deck.parent / "secret.png").write_bytes(saved(noise(4, 4)))
    answer = run("check", str(deck))
    assert answer.code == 6 and "outside the deck's folder" in answer.err


def test_a_deck_without_pictures_needs_none(make_deck: MakeDeck) -> None:
    assert run("check", str(make_deck(layout=PLAIN_LAYOUT))).code == 0
