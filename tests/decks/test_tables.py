"""Card tables: P16 (CSV), P19, and that every cell knows its place."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.decks.formats import read_table
from companion.errors import Problems
from tests.conftest import MakeDeck, run, text_of

P16 = (
    "\ufeff name , Qty \n"
    " Scout ,2\n"
    "Wall,0\n"
    "Gate,\n"
    "007,1\n"
    '"He said ""go"", then left\nnext line",1\n'
)


def variants() -> dict[str, bytes]:
    quoted = P16.replace(" name , Qty ", " name ; Qty ").replace(",2", ";2").replace(",0", ";0")
    semicolon = quoted.replace("Gate,", "Gate;").replace(",1", ";1")
    return {
        "comma": P16.encode(),
        "crlf": P16.replace("\n", "\r\n").encode(),
        "semicolon": semicolon.encode(),
        "tab": semicolon.replace(";", "\t").encode(),
        "utf-16": P16.lstrip("\ufeff").encode("utf-16"),
    }


@pytest.mark.parametrize("kind", variants())
def test_p16_counts_names_and_quotes(kind: str, make_deck: MakeDeck, tmp_path: Path) -> None:
    deck = make_deck()
    (deck / "cards.csv").write_bytes(variants()[kind])
    answer = run("print", str(deck), "-o", str(tmp_path / "out.pdf"), "--json")
    assert answer.code == 0, answer.err
    assert answer.json["cards"] == 5
    text = text_of(tmp_path / "out.pdf")
    assert text.count("Scout") == 2
    assert text.count("Gate") == 1
    assert text.count("007") == 1
    assert 'He said "go", then left\nnext line' in text
    assert "Wall" not in text
    notes = [p for p in answer.json["problems"] if "0 copies" in p["message"]]
    assert [(n["line"], "Wall" in n["message"]) for n in notes] == [(3, True)]


@pytest.mark.parametrize(
    ("table", "line", "column", "words"),
    [
        ("name,count\nAda,two\n", 2, 5, "no whole number"),
        ("name,count\nAda,-1\n", 2, 5, "no whole number"),
        ("name,count\nAda,1.5\n", 2, 5, "no whole number"),
        ("name,count\nAda,1,9\n", 2, 7, "one too many"),
        ("name,count\nAda\n", 2, 1, "no cell for 'count'"),
        ("name,count\n", 1, None, "no cards"),
        ("", 1, None, "empty"),
        ("name,name\nAda,1\n", 1, 6, "stands twice"),
        ("name,\nAda,1\n", 1, 6, "has no name"),
        ("name,count,qty\nAda,1,1\n", 1, 12, "number of copies"),
        ("id,name\na,Ada\na,Bob\n", 3, 1, "id 'a' stands twice"),
        ('name\n"Ada" x\n', 2, 1, "stray quote"),
    ],
)
def test_p16_faults_name_file_line_and_column(
    table: str, line: int, column: int | None, words: str, make_deck: MakeDeck, tmp_path: Path
) -> None:
    deck = make_deck(csv=table)
    out = tmp_path / "out.pdf"
    answer = run("print", str(deck), "-o", str(out))
    assert answer.code == 3
    place = f"cards.csv:{line}" + (f":{column}" if column else "") + ":"
    assert place in answer.err
    assert words in answer.err
    assert not out.exists()


def test_a_count_of_010_is_ten(make_deck: MakeDeck) -> None:
    assert run("check", str(make_deck(csv="name,張數\nAda,010\n")), "--json").json["cards"] == 10


def test_a_big5_file_is_refused_with_the_remedy(make_deck: MakeDeck) -> None:
    deck = make_deck()
    (deck / "cards.csv").write_bytes("name\n籃球\n".encode("big5"))
    answer = run("check", str(deck))
    assert answer.code == 3
    assert "cards.csv:2" in answer.err and "CSV UTF-8" in answer.err


CELLS = st.text(st.characters(exclude_characters="\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029\x00",
                              exclude_categories=["Cs"]), max_size=8)  # fmt: skip


@given(st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=1, max_size=6))
def test_cells_agree_with_the_csv_module(rows: list[tuple[str, str, str]]) -> None:
    """Independent reader: Python's csv module, on what its writer wrote with everything quoted."""
    stream = io.StringIO()
    writer = csv.writer(stream, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerows([("a", "b", "c"), *rows])
    expected = [
        [cell.strip() for cell in row] for row in csv.reader(io.StringIO(stream.getvalue()))
    ][1:]
    expected = [row for row in expected if any(row)]
    problems = Problems()
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.csv"
        path.write_text(stream.getvalue(), encoding="utf-8", newline="")
        table = read_table(path, "t.csv", problems)
    found = [[cell.value for cell in row.values()] for row in table.rows] if table else []
    assert found == expected


def test_every_cell_knows_its_line_and_column(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('a,b\n"x\ny",z\n\n  p, q\n', encoding="utf-8")
    table = read_table(path, "t.csv", Problems())
    assert table
    places = [[(c.place.line, c.place.column) for c in row.values()] for row in table.rows]
    assert places == [[(2, 1), (3, 4)], [(5, 1), (5, 5)]]


OVERLAY_LAYOUT = """
size = "poker"
[[element]]
name = "title"
type = "text"
text = "{name}: {text}"
at = [5, 5]
size = [53, 40]
"""


def test_p19_language_overlay(make_deck: MakeDeck, tmp_path: Path) -> None:
    deck = make_deck(
        csv="id,count,name,text\na,2,狼,跑\nb,1,熊,睡\n",
        layout=OVERLAY_LAYOUT,
        languages=("zh-TW", "en"),
        group='translations = { en = "cards.en.csv" }\n',
        files={"cards.en.csv": "id,count,name,text\na,9,Wolf,runs\nb,9,Bear,\n"},
    )
    out = tmp_path / "out.pdf"
    answer = run("print", str(deck), "--lang", "en", "-o", str(out), "--json")
    assert answer.code == 0, answer.err
    # counts come from the base table only
    assert answer.json["cards"] == 3
    text = text_of(out)
    assert text.count("Wolf: runs") == 2
    # what is untranslated stays in the base language, and the report lists it
    assert "Bear: 睡" in text
    warnings = [p["message"] for p in answer.json["problems"] if p["level"] == "warning"]
    assert warnings == ["group 'all': 1 text is not in en: b.text"]
    run("print", str(deck), "--lang", "zh-TW", "-o", str(out))
    assert "狼: 跑" in text_of(out)


def test_p19_an_id_that_the_deck_lacks_fails(make_deck: MakeDeck) -> None:
    deck = make_deck(
        csv="id,name,text\nwolf,狼,跑\n",
        layout=OVERLAY_LAYOUT,
        languages=("zh-TW", "en"),
        group='translations = { en = "cards.en.csv" }\n',
        files={"cards.en.csv": "id,name\nwulf,Wolf\n"},
    )
    answer = run("check", str(deck))
    assert answer.code == 3
    assert "cards.en.csv:2:1" in answer.err and "did you mean 'wolf'?" in answer.err


def test_an_unknown_language_lists_the_known_ones(make_deck: MakeDeck) -> None:
    answer = run("print", str(make_deck()), "--lang", "fr")
    assert answer.code == 2
    assert "en" in answer.err
