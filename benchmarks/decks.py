"""Decks and sessions to measure with: every card distinct, seven labels and a fitted Chinese and English body."""

from __future__ import annotations

import random
import sys
from pathlib import Path

HAN = "當對手進入禁區防守時你的投籃消耗減少一點所有隊友獲得加成結算視為皆可抽牌棄置場上骰子重擲效果持續回合結束"
ENGLISH = [
    "when",
    "the",
    "catcher",
    "holds",
    "the",
    "ball",
    "your",
    "opponent",
    "must",
    "lose",
    "two",
    "stamina",
    "or",
    "skip",
    "the",
    "defence",
    "phase",
    "draw",
    "two",
    "cards",
    "then",
    "discard",
    "one",
    "stacks",
    "up",
    "to",
    "three",
    "times",
]
LAYOUT = """
size = "poker"
bleed = 3
safe = 3
[colors]
event = "#8F3510"
skill = "#1B4F75"
character = "#5A3A80"
[[element]]
name = "ground"
type = "rectangle"
area = "bleed"
fill = { by = "kind", event = "event", skill = "skill", character = "character" }
[[element]]
name = "panel"
type = "rounded-rectangle"
at = [3, 40]
size = [57, 45]
corner = 2
fill = "white"
[[element]]
name = "art"
type = "icon"
icon = "kind-attack"
at = [3, 18]
size = [57, 18]
fill = "white"
[[element]]
name = "name"
type = "text"
text = "{name@zh-TW}"
font = "sans-bold"
color = "white"
at = [4, 4]
size = [40, 7]
fit = [9, 14]
[[element]]
name = "name-en"
type = "text"
text = "{name@en}"
color = "white"
at = [4, 11]
size = [40, 5]
fit = [6, 8]
[[element]]
name = "value"
type = "text"
text = "{value}"
font = "sans-bold"
color = "white"
align = "right"
at = [44, 4]
size = [15, 8]
fit = 18
[[element]]
name = "kind"
type = "text"
text = "{kind}"
color = "white"
at = [4, 36]
size = [25, 4]
fit = 7
[[element]]
name = "cost"
type = "rich-text"
text = "費用 **{cost}**"
color = "white"
align = "right"
at = [34, 36]
size = [25, 4]
fit = 7
[[element]]
name = "number"
type = "text"
text = "No. {id}"
at = [5, 80]
size = [25, 4]
fit = 5
[[element]]
name = "body"
type = "rich-text"
at = [5, 42]
size = [53, 37]
fit = [6, 9]
align = "justify"
paragraphs = [{ text = "{text@zh-TW}" }, { text = "{text@en}", scale = 0.87, align = "left", gap = 0.5 }]
"""


def text_deck(folder: Path, cards: int) -> Path:
    """Write a deck of `cards` distinct cards; returns its folder."""
    chance = random.Random(7)
    (folder / "layouts").mkdir(parents=True)
    (folder / "layouts" / "card.toml").write_text(LAYOUT, encoding="utf-8")
    (folder / "deck.toml").write_text(
        'title = "Bench"\nlanguages = ["zh-TW", "en"]\n'
        '[[group]]\nname = "all"\ntable = "cards.csv"\nlayout = "card"\n',
        encoding="utf-8",
    )
    rows = ["id,kind,name@zh-TW,name@en,value,cost,text@zh-TW,text@en"]
    for number in range(cards):
        zh = "".join(chance.choices(HAN, k=chance.randint(20, 60)))
        zh = f"**{zh[:4]}**{zh[4:12]}，{zh[12:]}。"
        en = " ".join(chance.choices(ENGLISH, k=chance.randint(10, 25)))
        kind = chance.choice(["event", "skill", "character"])
        name = "".join(chance.choices(HAN, k=4))
        rows.append(
            f"{number:05},{kind},{name},Card {number},{number % 100},{number % 7},{zh},{en}."
        )
    (folder / "cards.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return folder


PICTURE_LAYOUT = """
size = "poker"
[[element]]
name = "art"
type = "picture"
picture = "{art}"
at = [5, 12]
size = [53, 30.3]
[[element]]
name = "title"
type = "text"
text = "{id} 三分跳投"
at = [5, 4]
size = [53, 7]
fit = [8, 12]
"""


def picture_deck(folder: Path, cards: int, pictures: int) -> Path:
    """A deck whose cards share `pictures` distinct PNGs of 700 × 400 pixels; returns its folder."""
    import numpy as np
    from PIL import Image

    (folder / "layouts").mkdir(parents=True)
    (folder / "art").mkdir()
    (folder / "layouts" / "card.toml").write_text(PICTURE_LAYOUT, encoding="utf-8")
    (folder / "deck.toml").write_text(
        'title = "Bench"\nlanguages = ["en"]\n'
        '[[group]]\nname = "all"\ntable = "cards.csv"\nlayout = "card"\n',
        encoding="utf-8",
    )
    chance = np.random.default_rng(3)
    y, x = np.mgrid[0:400, 0:700]
    for number in range(pictures):
        a, b, c = chance.uniform(20, 90, 3)
        base = np.stack([np.sin(x / a) + np.cos(y / b), np.sin((x + y) / c), np.cos(x / b)], axis=2)
        pixels = (base * 50 + 128 + chance.normal(0, 3, base.shape)).clip(0, 255).astype(np.uint8)
        Image.fromarray(pixels).save(folder / "art" / f"{number:04}.png")
    rows = [f"c{n:05},art/{n % pictures:04}.png" for n in range(cards)]
    (folder / "cards.csv").write_text("\n".join(["id,art", *rows]) + "\n", encoding="utf-8")
    return folder


def full_session(path: Path, events: int) -> Path:
    """A store with a tracker session `long` of so many events; returns its path."""
    from companion.table.sessions import Store
    from companion.table.tracker import TrackerGame

    game = TrackerGame()
    with Store(path) as store:
        store.create("long", game, {"target": 1_000_000, "players": ["A", "B"]})
        key = store.raw("long")[0]
        store._db.executemany(
            "INSERT INTO event VALUES (?, ?, 'score', ?, '2026-01-01T00:00:00+00:00')",
            [(key, n, '{"player":"A","points":[1]}') for n in range(1, events + 1)],
        )
    return path


if __name__ == "__main__":
    picture_deck(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
