"""What is fuzzed: each target makes something of bytes; only companion's own errors may leave it."""

from __future__ import annotations

import io
import json
import shutil
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.decks.formats import read_table
from companion.errors import CompanionError, Problems
from companion.job import check_job, load_job
from companion.press import PrintOptions, print_job
from companion.shipped import CARDSETS, LAYOUTS

DECK = """title = { en = "Demo", zh-TW = "範例" }
version = "1"
languages = ["en", "zh-TW"]
notes = "n"
[fonts]
mine = { regular = "mine.ttf", bold = "mine.ttf" }
[[group]]
name = "all"
table = "cards.csv"
layout = "card"
back = "back"
"""
LAYOUT = """extends = "poker"
[colors]
attack = "#B5451B"
[[element]]
name = "ground"
type = "rectangle"
area = "bleed"
fill = { by = "kind", a = "attack 20%", else = "white" }
[[element]]
name = "title"
type = "rich-text"
font = "mine"
text = "{name} {dot} {name@other}"
at = [5, "2mm + 3"]
size = ["100% - 10", 9]
fit = [6, 9.5]
align = "justify"
when = { field = "kind", not = "x" }
[[element]]
name = "art"
type = "picture"
picture = "{art}"
at = [5, 20]
size = [20, 20]
fit = "cover"
when = { field = "art", empty = false }
[[element]]
name = "pips"
type = "icon"
icon = "dot"
at = [5, 50]
size = [3, 3]
repeat = "{n}"
step = [4, 0]
[[element]]
name = "shape"
type = "polygon"
points = [[0, 60], [10, 60], [5, 70]]
stroke = "black"
dash = [1, 1]
rotate = 30
"""
BACK = """size = "poker"
[[element]]
name = "t"
type = "text"
text = "{deck} {id}"
font = "mine"
"""
CARDS = """id,count,kind,name@en,name@zh-TW,art,n
one,1,a,Hello **bold** world,三分跳投，{dot},p.png,2
two,2,b,"A, ""quoted"" text",「中文」,j.jpg,0
three,1,a,Third,第三,s.svg,1
"""
ICON = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><g fill="none" stroke="currentColor">
<path d="M1 1 L9 1 a4 4 0 0 1 0 8 C 1 2 3 4 5 6 Z" stroke-width="1"/><circle cx="5" cy="5" r="3"/>
<rect x="1" y="1" width="3" height="2" rx="1"/><polygon points="1,1 2,2 3,1"/></g></svg>
"""


PRINTED_ONCE_IN = 16


@dataclass(frozen=True)
class Target:
    """A reader: seeds to change, and what is done with a changed one in a folder of its own."""

    name: str
    seeds: tuple[bytes, ...]
    run: Callable[[bytes, Path], object]
    share: int = 1
    """How many of the inputs it gets, beside the others."""


def small_font() -> bytes:
    """A TrueType file of a few letters."""
    from fontTools import subset
    from fontTools.ttLib import TTFont

    font = TTFont(LAYOUTS / "fonts" / "PnPSansTC-Regular.ttf", lazy=True)
    subsetter = subset.Subsetter()
    subsetter.populate(text="".join(map(chr, range(32, 127))) + CARDS + DECK)
    subsetter.subset(font)
    out = io.BytesIO()
    font.save(out)
    return out.getvalue()


def pictures() -> dict[str, bytes]:
    """A small PNG, JPEG and SVG."""
    from PIL import Image

    image = Image.radial_gradient("L").resize((24, 18)).convert("RGB")
    png, jpeg = io.BytesIO(), io.BytesIO()
    image.convert("P").save(png, "PNG")
    image.save(jpeg, "JPEG")
    return {"p.png": png.getvalue(), "j.jpg": jpeg.getvalue(), "s.svg": ICON.encode()}


def workbook() -> bytes:
    """CARDS as XLSX."""
    import csv

    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    assert sheet
    for row in csv.reader(CARDS.splitlines()):
        sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def make_deck(folder: Path) -> None:
    """The sound deck that targets change one file of."""
    (folder / "layouts").mkdir(parents=True)
    (folder / "icons").mkdir()
    (folder / "deck.toml").write_text(DECK, "utf-8")
    (folder / "cards.csv").write_text(CARDS, "utf-8")
    (folder / "layouts" / "card.toml").write_text(LAYOUT, "utf-8")
    (folder / "layouts" / "back.toml").write_text(BACK, "utf-8")
    (folder / "icons" / "dot.svg").write_text(ICON, "utf-8")
    (folder / "mine.ttf").write_bytes(small_font())
    for name, data in pictures().items():
        (folder / name).write_bytes(data)


def deck_with(name: str) -> Callable[[bytes, Path], object]:
    """Compose the deck with one file changed, print it once in a while; the file is put back."""

    def run(data: bytes, folder: Path) -> object:
        deck = folder / "deck"
        if not deck.exists():
            make_deck(deck)
        path = deck / name
        sound = path.read_bytes()
        path.write_bytes(data)
        try:
            job = load_job(str(deck))
            if len(data) % PRINTED_ONCE_IN == 0:
                return print_job(job, PrintOptions(), io.BytesIO())
            return check_job(job)
        finally:
            path.write_bytes(sound)

    return run


def picture(name: str) -> Callable[[bytes, Path], object]:
    """Read a picture's header and make the stream that a PDF holds."""
    from companion.drawing.pictures import PictureError, PictureShelf
    from companion.writers.pdf_pictures import load_image

    def run(data: bytes, folder: Path) -> object:
        (folder / name).write_bytes(data)
        try:
            return load_image(PictureShelf(folder).get(name)).data
        except PictureError as error:
            # what the composer turns into a located problem
            raise CompanionError(str(error)) from None

    return run


def table(suffix: str) -> Callable[[bytes, Path], object]:
    """Read a table."""

    def run(data: bytes, folder: Path) -> object:
        path = folder / f"table{suffix}"
        path.write_bytes(data)
        return read_table(path, path.name, Problems())

    return run


def xlsx(data: bytes, folder: Path) -> object:
    """A workbook whose sheet is changed: the container stays whole in half of the cases."""
    path = folder / "t.xlsx"
    if data[:2] == b"PK":
        path.write_bytes(data)
    else:
        sound = zipfile.ZipFile(io.BytesIO(workbook_once()))
        with zipfile.ZipFile(path, "w") as out:
            for name in sound.namelist():
                inner = data if name.endswith("sheet1.xml") else sound.read(name)
                out.writestr(name, inner)
    return read_table(path, path.name, Problems())


_WORKBOOK: list[bytes] = []


def workbook_once() -> bytes:
    """The workbook, made once."""
    if not _WORKBOOK:
        _WORKBOOK.append(workbook())
    return _WORKBOOK[0]


def board(data: bytes, folder: Path) -> object:
    """A board record: read, check, write again."""
    from companion.files.located import read_text
    from companion.games.property_poker.board import check_board
    from companion.games.property_poker.record import as_data, read_record

    path = folder / "b.board"
    path.write_bytes(data)
    problems = Problems()
    found = read_record(read_text(path, "b.board"), "b.board", problems)
    check_board(found)
    return json.dumps(as_data(found))


def session(data: bytes, folder: Path) -> object:
    """An exported session."""
    from companion.games.registry import GAMES
    from companion.table.sessions import Store

    with Store(folder / "sessions.sqlite") as store:
        text = data.decode("utf-8", "replace")
        name = store.import_lines(text.split("\n"), "fuzz", GAMES, "fuzz.jsonl")
        store.delete(name)
    return name


def store(data: bytes, folder: Path) -> object:
    """A damaged store."""
    from companion.table.sessions import Store
    from companion.table.tracker import TrackerGame

    path = folder / "damaged.sqlite"
    for extra in ("", "-wal", "-shm"):
        path.with_name(path.name + extra).unlink(missing_ok=True)
    path.write_bytes(data)
    import sqlite3

    from companion.errors import SessionError

    try:
        with Store(path) as opened:
            for info in opened.sessions():
                return opened.open(info.name, TrackerGame()).state()
    except sqlite3.Error as error:
        # the command line says so in one line (see cli/app.py)
        raise SessionError(str(error)) from None
    return None


def sound_store() -> bytes:
    """A store with one tracker session."""
    import tempfile

    from companion.table.protocol import Event
    from companion.table.sessions import Store
    from companion.table.tracker import TrackerGame

    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "s.sqlite"
        with Store(path) as opened:
            opened.create(
                "a", TrackerGame(), {"players": ["A", "B"], "target": 11, "policy": "excess"}
            )
            opened.open("a", TrackerGame()).add(Event("score", {"player": "A", "points": [2]}))
        return path.read_bytes()


def words(data: bytes, folder: Path) -> object:
    """The small grammars of the command line."""
    del folder
    from companion.games.game_on import plans
    from companion.games.property_poker.bets import parse_hand
    from companion.games.property_poker.tiles import parse_tiles
    from companion.games.unlimited_nine.at_bat import parse_bases, parse_cards
    from companion.table.tracker import parse_points

    text = data.decode("utf-8", "replace")
    for parse in (
        lambda said: plans.parse_attack([said], []),
        plans.parse_defence,
        parse_hand,
        parse_cards,
        parse_bases,
        parse_points,
    ):
        try:
            parse(text)
        except CompanionError:
            continue
    return parse_tiles([text])


def dice(data: bytes, folder: Path) -> object:
    """Dice expressions: parsed and rolled."""
    del folder
    import random

    from companion.table.dice import RolledDice
    from companion.table.expressions import parse, roll

    return roll(parse(data.decode("utf-8", "replace")), RolledDice(random.Random(1)))


def roster(data: bytes, folder: Path) -> object:
    """The players of Unlimited Nine."""
    from companion.rosters import nine_roster

    deck = folder / "nine"
    if not deck.exists():
        shutil.copytree(CARDSETS / "unlimited-nine", deck)
    (deck / "players.csv").write_bytes(data)
    return nine_roster(str(deck))


def icon(data: bytes, folder: Path) -> object:
    """An icon: loaded or refused."""
    from companion.drawing.icons import load_icon

    path = folder / "i.svg"
    path.write_bytes(data)
    try:
        return load_icon(path)
    except ValueError as error:
        # what the composer turns into a located problem
        raise CompanionError(str(error)) from None


EXPORT = (
    '{"companion-session":1,"name":"a","game":"track","version":1,'
    '"config":{"players":["A","B"],"teams":{},"target":11,"policy":"excess","reset_to":0,"supply":null},"created":"2026-01-01"}\n'
    '{"number":1,"kind":"score","data":{"player":"A","points":[2]},"at":""}\n'
    '{"number":2,"kind":"undo","data":{},"at":""}\n'
)
MONEY = (
    '{"companion-session":1,"name":"m","game":"property-poker","version":1,'
    '"config":{"players":["A","B"]},"created":"x"}\n'
    '{"number":1,"kind":"bet","data":{"player":"A","hand":"pair","stake":50},"at":""}\n'
)
MATCH = (
    '{"companion-session":1,"name":"g","game":"game-on","version":1,'
    '"config":{"players":["A","B"],"target":7,"house":{}},"created":"x"}\n'
    '{"number":1,"kind":"shot","data":{"player":"A","kind":"dunk","made":true},"at":""}\n'
)
BOARD = "7S @ 0 0 0\nKH.a on 7S.b\nKC.b on 7S.d end\n9S over 7S\n2D.a on KH.c +0.5 # c\n"
BOARD_JSON = '{"tiles": [{"id": "7S", "at": [0, 0], "turn": 0}, {"id": "KS", "at": [3, 0]}]}'
DICE = (
    b"2d6+3",
    b"4d6kh3",
    b"d%",
    b"(1d4+2)*3-1d8",
    b"3d6!",
    b"1d20adv",
    "２d６".encode(),
)
WORDS = (
    b"three-pointer:45",
    b"shot-defence+versatile:3",
    b"ultimate-defence*2",
    "三分跳投:45".encode(),
    "熱血*4".encode(),
    b"1-0-1",
    b"2+1+1",
    b"7S,KH,10D",
    b"full house",
)


def all_targets() -> Sequence[Target]:
    """Every reader."""
    art = pictures()
    nine = (CARDSETS / "unlimited-nine" / "players.csv").read_bytes()
    csvs = (CARDS.encode(), CARDS.replace(",", ";").encode(), CARDS.replace(",", "\t").encode())
    as_json = json.dumps([{"id": "a", "name": "x", "n": 3}, {"id": "b", "name": "中"}]).encode()
    as_toml = b'[[card]]\nid = "a"\nname = "x"\nn = 3\n[[card]]\nid = "b"\n'
    sheet = zipfile.ZipFile(io.BytesIO(workbook_once())).read("xl/worksheets/sheet1.xml")
    return (
        Target("deck.toml", (DECK.encode(),), deck_with("deck.toml"), 2),
        Target("layout", (LAYOUT.encode(),), deck_with("layouts/card.toml"), 3),
        Target("cards.csv", csvs, deck_with("cards.csv"), 2),
        Target("CSV", csvs, table(".csv"), 2),
        Target("JSON table", (as_json,), table(".json")),
        Target("TOML table", (as_toml,), table(".toml")),
        Target("XLSX", (workbook_once(), sheet, sheet), xlsx),
        Target("board record", (BOARD.encode(), BOARD_JSON.encode()), board, 2),
        Target("session file", (EXPORT.encode(), MONEY.encode(), MATCH.encode()), session, 1),
        Target("store", (sound_store(),), store),
        Target("plan grammar", WORDS, words, 2),
        Target("dice expression", DICE, dice, 2),
        Target("roster", (nine,), roster),
        Target("font", (small_font(),), deck_with("mine.ttf")),
        Target("PNG", (art["p.png"],), picture("p.png"), 2),
        Target("JPEG", (art["j.jpg"],), picture("j.jpg"), 2),
        Target("SVG picture", (ICON.encode(),), deck_with("s.svg")),
        Target("icon", (ICON.encode(),), icon, 2),
    )
