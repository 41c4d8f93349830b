"""The main job: the whole of Game On on paper (GO-1)."""

from __future__ import annotations

import csv
import shutil
from collections import Counter
from pathlib import Path

import pytest

from companion.shipped import CARDSETS
from tests.conftest import pages, run, text_of

ATTACK_DEFENCE = {
    "three-pointer": 4,
    "mid-range": 3,
    "post-up": 2,
    "layup": 3,
    "dunk": 3,
    "paint-defence": 4,
    "shot-defence": 4,
    "charge": 2,
    "ultimate-defence": 3,
    "block": 2,
}
ALL_ROUND = {
    **dict.fromkeys(("sniper", "spot-up", "athlete", "dunk-master", "inside-expert"), 1),
    **dict.fromkeys(("dream-footwork", "shot-creator", "drive-finisher"), 1),
    "pillar": 2,
    "eraser": 1,
    "foul-drawer": 1,
    "versatile": 2,
    "lockdown": 1,
    "turnover": 2,
    "tactics": 3,
    "steal": 2,
    "technical-foul": 2,
    "personal-foul": 5,
    "tip-in": 2,
    "rebound": 9,
}


def rows(name: str) -> list[dict[str, str]]:
    with (CARDSETS / "game-on" / name).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def counted(name: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    for row in rows(name):
        base = row["id"].rsplit("-", 1)[0] if row["value"] else row["id"]
        counts[base] += int(row["count"])
    return counts


def test_go_1_every_card_in_its_number() -> None:
    assert counted("attack-defence.csv") == ATTACK_DEFENCE
    assert counted("all-round.csv") == ALL_ROUND
    assert sum(ATTACK_DEFENCE.values()) == 30 and sum(ALL_ROUND.values()) == 40


def test_go_1_stamina_of_every_attack_and_defence_card() -> None:
    stamina = {row["name@en"]: row["stamina"] for row in rows("attack-defence.csv")}
    assert list(stamina.values()) == ["1", "2", "3", "4", "5", "2", "2", "4", "3", "5"]


@pytest.mark.parametrize(
    ("language", "present", "absent"),
    [
        (None, ["三分跳投", "Three-point jumper", "01", "04"], []),
        ("zh-TW", ["三分跳投", "01"], ["Three-point jumper"]),
        ("en", ["Three-point jumper", "01"], ["三分跳投"]),
        ("en+zh-TW", ["Three-point jumper", "三分跳投"], []),
    ],
)
def test_print_makes_100_fronts_each_with_its_back(
    language: str | None, present: list[str], absent: list[str], tmp_path: Path
) -> None:
    out = tmp_path / "game-on.pdf"
    arguments = ["--lang", language] if language else []
    answer = run("print", "game-on", "-o", str(out), "--json", *arguments)
    assert answer.code == 0, answer.err
    assert (answer.json["cards"], answer.json["backs"]) == (100, 100)
    assert pages(out) == 24 == answer.json["pages"]
    text = text_of(out)
    assert all(part in text for part in present)
    assert not any(part in text for part in absent)
    assert [p for p in answer.json["problems"] if p["level"] != "note"] == []


@pytest.mark.parametrize("paper", ["letter", "a3", "a4-landscape", "a5"])
def test_other_papers(paper: str, tmp_path: Path) -> None:
    out = tmp_path / "o.pdf"
    answer = run("print", "game-on", "--paper", paper, "-o", str(out), "--json")
    assert answer.code == 0 and answer.json["cards"] == 100
    text = text_of(out)
    assert text.count("三分跳投") >= 4


def test_without_duplex_backs_are_left_out_and_that_is_said(tmp_path: Path) -> None:
    answer = run("print", "game-on", "--duplex", "none", "-o", str(tmp_path / "o.pdf"))
    assert answer.code == 0
    assert "100 backs left out" in answer.err
    assert pages(tmp_path / "o.pdf") == 12


def test_a_designer_changes_a_value_and_prints_again(tmp_path: Path) -> None:
    deck = tmp_path / "mine"
    shutil.copytree(CARDSETS / "game-on", deck)
    table = deck / "attack-defence.csv"
    changed = table.read_text(encoding="utf-8").replace(",45,,3,1,", ",37,,3,1,")
    table.write_text(changed, encoding="utf-8")
    out = tmp_path / "o.pdf"
    assert run("print", str(deck), "--only", "three-pointer-45", "-o", str(out)).code == 0
    assert "37%" in text_of(out).split()


def test_score_cards_have_two_numbers_a_side_each_upside_down_to_the_other(
    tmp_path: Path,
) -> None:
    from tests.conftest import words

    out = tmp_path / "o.pdf"
    run("print", "game-on", "--only", "71", "-o", str(out), "--no-labels")
    sides = [{w.text: w.upside_down for w in words(out, page)} for page in (0, 1)]
    assert sides == [{"01": False, "02": True}, {"03": False, "04": True}]


def test_check_finds_nothing_to_complain_about() -> None:
    for language in ("zh-TW", "en", "zh-TW+en", "en+zh-TW"):
        answer = run("check", "game-on", "--lang", language, "--json")
        assert answer.code == 0 and answer.json["ok"]
        assert [p for p in answer.json["problems"] if p["level"] != "note"] == []
