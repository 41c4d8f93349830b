"""Unlimited Nine on paper: 101 cards, what they say, and what lies behind them (UN-1)."""

from __future__ import annotations

import csv
import re
from collections import Counter
from pathlib import Path

import pypdfium2
import pytest

from companion.games.unlimited_nine.cards import Power
from companion.rosters import nine_roster
from companion.shipped import CARDSETS
from tests.conftest import pages, run, words

FOLDER = CARDSETS / "unlimited-nine"


def rows(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_un_1_27_characters_42_events_32_others() -> None:
    players, events = rows("players.csv"), rows("events.csv")
    assert Counter(row["camp"] for row in players) == dict.fromkeys(Power, 9)
    for camp in Power:
        assert len({row["position"] for row in players if row["camp"] == camp}) == 9
    by_power: Counter[str] = Counter()
    for row in events:
        by_power[row["power"]] += int(row["count"])
    assert by_power == dict.fromkeys(Power, 14)
    assert len({row["name@en"] for row in events}) >= 12
    others = [*rows("markers.csv"), *rows("score.csv"), *rows("reference.csv")]
    assert sum(int(row["count"]) for row in others) == 32


def test_un_1_the_figures_are_what_the_rules_need() -> None:
    roster = nine_roster("unlimited-nine")
    assert len(roster.players) == 27 and len(roster.events) == 18
    assert sum(event.copies for event in roster.events.values()) == 42


@pytest.mark.parametrize("row", rows("players.csv"), ids=lambda row: row["id"])
def test_what_a_card_says_is_what_the_program_applies(row: dict[str, str]) -> None:
    amount = re.search(r"[+-]\d", row["effect-1"])
    assert amount
    if not row["effect-1"].startswith("advance-"):
        for language in ("zh-TW", "en"):
            said = row[f"rule@{language}"]
            assert f"**{amount[0][1]}**" in said or f"**{amount[0].replace('-', '–')}**" in said


@pytest.mark.parametrize("row", rows("events.csv"), ids=lambda row: row["id"])
def test_what_an_event_says_is_what_the_program_applies(row: dict[str, str]) -> None:
    amount = re.search(r"\d", row["effect"])
    for language in ("zh-TW", "en"):
        said = re.findall(r"\*\*[^*]*(\d)\*\*", row[f"text@{language}"])
        assert said == ([amount[0]] if amount else [])


@pytest.mark.parametrize(
    ("language", "present", "absent"),
    [
        ("zh-TW+en", ["雷震宇", "Lei Zhen-yu", "一般學生", "Ordinary student", "病號"], []),
        ("zh-TW", ["雷震宇", "一般學生"], ["Lei Zhen-yu", "Ordinary student"]),
        ("en", ["Lei Zhen-yu", "Ordinary student"], ["雷震宇", "一般學生"]),
    ],
)
def test_101_cards_in_both_languages(
    language: str, present: list[str], absent: list[str], tmp_path: Path
) -> None:
    out = tmp_path / "nine.pdf"
    answer = run("print", "unlimited-nine", "--lang", language, "--out", str(out))
    assert answer.code == 0, answer.err
    assert "warning" not in answer.err and "101 cards" in answer.out + answer.err
    assert pages(out) == 24
    document = pypdfium2.PdfDocument(out)
    text = "".join(page.get_textpage().get_text_range() for page in document)
    document.close()
    assert all(word in text for word in present)
    assert not any(word in text for word in absent)


def ids_on(pdf: Path, page: int) -> list[list[str]]:
    """The ids in the foot lines of a page, row by row from left to right."""
    found: dict[int, list[tuple[float, str]]] = {}
    for word in words(pdf, page):
        match = re.search(r"·\s*([a-z0-9-]+)$", word.text)
        if match and "A4" not in word.text:
            found.setdefault(round(word.y), []).append((word.x, match[1]))
    return [[id for _, id in sorted(found[y])] for y in sorted(found)]


def test_every_student_lies_behind_his_own_player(tmp_path: Path) -> None:
    out = tmp_path / "players.pdf"
    assert run("print", "unlimited-nine", "--part", "players", "--out", str(out)).code == 0
    assert pages(out) == 6
    for front in (0, 2, 4):
        fronts, backs = ids_on(out, front), ids_on(out, front + 1)
        assert len(fronts) == 3
        assert [row[::-1] for row in fronts] == backs
