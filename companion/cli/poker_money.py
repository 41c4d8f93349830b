"""`companion property-poker money` and `bets`: the money of a game on the session store."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.cli.history import answer_log, bring_back, take_back
from companion.cli.options import (
    JsonOption,
    PlayerArgument,
    StoreOption,
    one_of,
    open_store,
    session_name,
)
from companion.cli.output import answer, answer_json, remark
from companion.cli.scoreboard import pad, width
from companion.cli.track import read_names
from companion.errors import UsageError

if TYPE_CHECKING:
    from companion.games.property_poker.money import Purse
    from companion.table.protocol import Event
    from companion.table.sessions import Session

app = typer.Typer(help="Keep the money: deal, bets, draw, auction, result.", no_args_is_help=True)

NameArgument = Annotated[str, session_name("property-poker")]
HandArgument = Annotated[
    str, typer.Argument(metavar="HAND", help="pair … straight-flush, 一對 … 柳丁.")
]
SeedOption = Annotated[
    int | None,
    typer.Option("--seed", metavar="N", help="Shuffle the same again.", show_default=False),
]
LangOption = Annotated[
    str,
    typer.Option(
        "--lang",
        metavar="en|zh-TW",
        help="Thousands by commas, or by 萬 and 億.",
        callback=lambda value: one_of(value, ("en", "zh-TW")),
    ),
]


@app.command("new")
def new(
    name: NameArgument,
    players: Annotated[str, typer.Option(metavar="A,B,…", help="2 to 4 players, clockwise.")],
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Start: 3,000 for each player."""
    from companion.games.property_poker.money import MoneyGame

    with open_store(store) as opened:
        opened.create(name, MoneyGame(), {"players": read_names(players)})
        _show(opened.open(name, MoneyGame()), as_json)


@app.command("deal")
def deal(
    name: NameArgument,
    seed: SeedOption = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Deal 13 cards each; every player takes the tiles of his cards (PP-3)."""
    from companion.games.property_poker.money import CARDS, HAND_CARDS

    deck = list(CARDS)
    random.Random(seed).shuffle(deck)

    def data(state: Purse) -> dict[str, Any]:
        hands = {p: deck[HAND_CARDS * i :][:HAND_CARDS] for i, p in enumerate(state.players)}
        return {"cards": {player: _sorted(hand) for player, hand in hands.items()}}

    _add(name, "deal", data, store, as_json)


def _sorted(cards: Sequence[str]) -> list[str]:
    from companion.games.property_poker.money import CARDS

    return sorted(cards, key=CARDS.index)


@app.command("lottery")
def lottery(
    name: NameArgument,
    cards: Annotated[
        str | None,
        typer.Option(
            metavar="7S,…",
            help="The eight cards, on the hands from pair to straight flush; else drawn.",
            show_default=False,
        ),
    ] = None,
    seed: SeedOption = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Turn up eight lottery cards, one on each hand of the slip (PP-3)."""
    from companion.games.property_poker.hands import HANDS
    from companion.games.property_poker.tiles import parse_tiles

    named = parse_tiles([cards]) if cards else None

    def data(state: Purse) -> dict[str, Any]:
        if named is not None or len(state.in_play) < len(HANDS):
            return {"cards": named}
        return {"cards": random.Random(seed).sample(sorted(state.in_play), len(HANDS))}

    _add(name, "lottery", data, store, as_json)


@app.command("bet")
def bet(
    name: NameArgument,
    player: PlayerArgument,
    hand: HandArgument,
    stake: Annotated[
        int, typer.Argument(metavar="STAKE", max=10**15, help="How much, whole chips.")
    ],
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Put one stake on one hand, in turn (PP-5)."""
    from companion.games.property_poker.bets import parse_hand

    on = parse_hand(hand)
    _add(
        name,
        "bet",
        lambda state: {"player": _who(player, state), "hand": on, "stake": stake},
        store,
        as_json,
    )


@app.command("pass")
def pass_bet(
    name: NameArgument,
    player: PlayerArgument,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Do not bet in this round (PP-5)."""
    _add(name, "bet", lambda state: {"player": _who(player, state), "hand": None}, store, as_json)


@app.command("ghost")
def ghost(
    name: NameArgument,
    player: PlayerArgument,
    tile: Annotated[str, typer.Argument(metavar="GHOST", help="G1 to G4.")],
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Buy a ghost tile for 1,000 (PP-11)."""
    _add(
        name,
        "ghost",
        lambda state: {"player": _who(player, state), "ghost": tile.upper()},
        store,
        as_json,
    )


@app.command("lay-ghost")
def lay_ghost(
    name: NameArgument,
    tile: Annotated[str, typer.Argument(metavar="GHOST", help="G1 to G4.")],
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """A ghost tile is laid: it is not sold back before the draw (PP-11)."""
    _add(name, "ghost-laid", lambda state: {"ghost": tile.upper()}, store, as_json)


@app.command("last")
def last(
    name: NameArgument,
    bets: Annotated[
        list[str],
        typer.Argument(
            metavar="PLAYER=SIGNAL:STAKE", help="Ann=100:500 (100 signals a pair), or Bo=pass."
        ),
    ],
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Open all last bets at once: signal chip and stake of every player (PP-6)."""

    def data(state: Purse) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for text in bets:
            player, _, said = text.rpartition("=")
            who = _who(player, state)
            if who in found:
                raise UsageError(f"{who} bets twice")
            found[who] = _last_bet(text, said)
        return {"bets": found}

    _add(name, "last-bets", data, store, as_json)


def _last_bet(text: str, said: str) -> dict[str, int] | None:
    if said.strip().lower() == "pass":
        return None
    signal, _, stake = said.replace("_", "").replace(",", "").partition(":")
    if not all(re.fullmatch(r" *[0-9]{1,15} *", part) for part in (signal, stake)):
        raise UsageError(f"'{text}': write PLAYER=SIGNAL:STAKE, such as Ann=100:500, or =pass")
    return {"signal": int(signal), "stake": int(stake)}


@app.command("draw")
def draw(
    name: NameArgument,
    hand: Annotated[
        str, typer.Argument(metavar="HAND", help="What the ruler covers: a hand, or none.")
    ],
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Pay the winning hand of the draw; all other stakes go to the bank (PP-8)."""
    won = _hand(hand)
    _add(name, "draw", lambda state: {"hand": won}, store, as_json)


def _hand(text: str) -> str | None:
    from companion.games.property_poker.bets import parse_hand

    return None if text.strip().lower() == "none" else parse_hand(text)


@app.command("redeal")
def redeal(
    name: NameArgument,
    hidden: Annotated[
        list[str],
        typer.Option(metavar="7S,…", help="Hidden tiles: their cards are out.", show_default=False),
    ] = [],  # noqa: B006
    seed: SeedOption = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Deal the territories for the auction, without the cards of hidden tiles (PP-9)."""
    from companion.games.property_poker.money import CARDS, HAND_CARDS
    from companion.games.property_poker.tiles import parse_tiles

    out = parse_tiles(hidden)
    rng = random.Random(seed)

    def data(state: Purse) -> dict[str, Any]:
        deck = [id for id in CARDS if id in state.in_play and id not in out]
        rng.shuffle(deck)
        players = state.players
        each = min(HAND_CARDS * len(players), len(deck))
        hands = {p: deck[i : each : len(players)] for i, p in enumerate(players)}
        return {"cards": {p: _sorted(hand) for p, hand in hands.items()}, "hidden": out}

    _add(name, "redeal", data, store, as_json)


@app.command("offer")
def offer(
    name: NameArgument,
    player: PlayerArgument,
    card: Annotated[str, typer.Argument(metavar="CARD", help="A hand card, or joker.")],
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Offer a card, or call a joker, in the auction (PP-9, PP-11)."""
    from companion.games.property_poker.tiles import parse_tile

    id = "joker" if card.strip().lower() == "joker" else parse_tile(card)
    _add(name, "offer", lambda state: {"player": _who(player, state), "card": id}, store, as_json)


@app.command("bid")
def bid(
    name: NameArgument,
    player: PlayerArgument,
    amount: Annotated[
        int, typer.Argument(metavar="AMOUNT", max=10**15, help="More than the last bid.")
    ],
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Bid for what is on offer (PP-9)."""
    _add(
        name, "bid", lambda state: {"player": _who(player, state), "amount": amount}, store, as_json
    )


@app.command("knock-down")
def knock_down(name: NameArgument, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """No more bids: sold to the highest; without a bid the auction ends (PP-9)."""
    _add(name, "knock-down", lambda state: {}, store, as_json)


@app.command("result")
def result(
    name: NameArgument,
    player: PlayerArgument,
    hand: Annotated[str, typer.Argument(metavar="HAND", help="His best hand, or none.")],
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """A player's hand under the ruler in his territory: wealth × odds (PP-10)."""
    made = _hand(hand)
    _add(
        name, "result", lambda state: {"player": _who(player, state), "hand": made}, store, as_json
    )


@app.command("show")
def show(
    name: NameArgument,
    lang: LangOption = "en",
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show everybody's wealth, the bets, and what comes next."""
    with open_store(store) as opened:
        _show(_open(opened, name), as_json, lang)


@app.command("log")
def log(name: NameArgument, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """List every entry that counts, in words."""
    with open_store(store) as opened:
        answer_log(_open(opened, name), as_json)


@app.command("undo")
def undo(name: NameArgument, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Take back the newest entry."""
    with open_store(store) as opened:
        session = _open(opened, name)
        take_back(session)
        _show(session, as_json)


@app.command("redo")
def redo(name: NameArgument, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Bring back what was undone last."""
    with open_store(store) as opened:
        session = _open(opened, name)
        bring_back(session)
        _show(session, as_json)


def show_bets(
    stakes: Annotated[
        list[str],
        typer.Argument(metavar="[PLAYER:]HAND=STAKE", help="pair=500 Ann:flush=300 …"),
    ],
    won: Annotated[
        str | None,
        typer.Option(metavar="HAND", help="The winning hand: who gets what.", show_default=False),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Say from which hand the ruler starts, at which it aims, and what is paid (PP-7, PP-8)."""
    from companion.games.property_poker import bets

    slip: dict[str, dict[str, int]] = {}
    for text in stakes:
        player, hand, stake = _stake(text)
        on_hand = slip.setdefault(hand, {})
        on_hand[player] = on_hand.get(player, 0) + stake
    start, aim = bets.start_and_aim(slip)
    winning = bets.parse_hand(won) if won else None
    paid = bets.payouts(slip, winning)
    bank = sum(map(sum, (by.values() for h, by in slip.items() if h != winning))) if won else 0
    if as_json:
        answer_json(
            {
                "totals": bets.totals(slip),
                "start": start,
                "aim": aim,
                "won": winning,
                "payouts": {p: {"back": pay.back, "paid": pay.paid} for p, pay in paid.items()},
                "to_bank": bank,
            }
        )
        return
    for hand, total in bets.totals(slip).items():
        answer(f"{hand:<16} {bets.figures(total):>15}")
    answer(f"start {start}, aim {aim}")
    for player, pay in paid.items():
        who = f"{player}: " if player else ""
        answer(f"{who}{bets.figures(pay.back)} back and {bets.figures(pay.paid)} paid")
    if won:
        answer(f"to the bank: {bets.figures(bank)}")


def _stake(text: str) -> tuple[str, str, int]:
    """`Ann:flush=300` → (Ann, flush, 300). Raises UsageError."""
    from companion.games.property_poker.bets import parse_hand

    left, _, stake = text.rpartition("=")
    player, _, hand = left.rpartition(":")
    digits = stake.replace(",", "").replace("_", "").strip()
    if not left or not re.fullmatch(r"[0-9]{1,15}", digits):
        raise UsageError(f"'{text}': write HAND=STAKE or PLAYER:HAND=STAKE, such as flush=300")
    return player.strip(), parse_hand(hand), int(digits)


def _open(opened: Any, name: str) -> Session[Purse]:
    from companion.games.property_poker.money import MoneyGame

    session: Session[Purse] = opened.open(name, MoneyGame())
    return session


def _who(typed: str, state: Purse) -> str:
    """A player as typed, whatever its case; an unknown name goes on: the rules refuse it."""
    from companion.table.tracker import name_meant

    return name_meant(typed, state.players) or typed


def _add(
    name: str,
    kind: str,
    data: Callable[[Purse], Mapping[str, Any]],
    store: Path | None,
    as_json: bool,
) -> None:
    from companion.table.protocol import Event

    def make(state: Purse) -> Event:
        return Event(kind, data(state))

    with open_store(store) as opened:
        session = _open(opened, name)
        for sentence in session.add_made(make).sentences:
            (remark if as_json else answer)(sentence)
        _show(session, as_json)


def _show(session: Session[Purse], as_json: bool, lang: str = "en") -> None:
    state = session.state()
    if as_json:
        answer_json(_document(session.name, state))
        return
    for line in _lines(session.name, state, lang):
        answer(line)


def _document(name: str, state: Purse) -> dict[str, Any]:
    from companion.games.property_poker.bets import in_chips, start_and_aim, totals

    start, aim = start_and_aim(state.stakes)
    over = state.phase == "over"
    return {
        "name": name,
        "phase": state.phase,
        "round": state.round,
        "players": [
            {
                "name": player,
                "money": state.money[player],
                "chips": {str(v): count for v, count in in_chips(state.money[player]).items()},
                "staked": sum(by.get(player, 0) for by in state.stakes.values()),
                "cards": list(state.cards.get(player, ())),
                "jokers": state.jokers.get(player, 0),
                "ghosts": [id for id, owner in state.ghosts.items() if owner == player],
                "final": state.final(player) if player in state.results else None,
            }
            for player in state.players
        ],
        "bank": state.bank,
        "total": state.total,
        "ghosts_laid": sorted(state.laid),
        "stakes": {hand: dict(by) for hand, by in state.stakes.items()},
        "totals": totals(state.stakes),
        "start": start,
        "aim": aim,
        "lottery": list(state.lottery),
        "winning": state.winning,
        "offer": vars(state.offer) if state.offer else None,
        "turn": state.turn,
        "over": over,
        "winners": list(state.winners) if over else [],
    }


def _lines(name: str, state: Purse, lang: str) -> Iterator[str]:
    from companion.games.property_poker.bets import chips_text, figures, totals

    yield f"{name}: {state.phase}"
    column = max(width(player) for player in state.players)
    texts = {player: figures(state.money[player], lang) for player in state.players}
    wide = max(width(text) for text in texts.values())
    for player in state.players:
        text = " " * (wide - width(texts[player])) + texts[player]
        yield f"  {pad(player, column)}  {text}   {chips_text(state.money[player], lang)}"
    if state.staked:
        on_slip = ", ".join(
            f"{hand} {figures(total, lang)}"
            for hand, total in totals(state.stakes).items()
            if total
        )
        yield f"on the slip: {on_slip}"
    if state.lottery and state.phase in ("laying", "drawing"):
        yield "lottery: " + ", ".join(f"{h} {c}" for h, c in _lottery_tiles(state).items())
    for player in state.players:
        wild = [id for id, owner in state.ghosts.items() if owner == player]
        wild += ["joker"] * state.jokers.get(player, 0)
        if state.cards.get(player) or wild:
            held = " ".join((*state.cards.get(player, ()), *wild))
            yield f"  {pad(player, column)}  {held}"
    yield from _next(state, lang)


def _lottery_tiles(state: Purse) -> dict[str, str]:
    """Hand → the tile of its lottery card."""
    from companion.games.property_poker.hands import HANDS

    return dict(zip((hand.id for hand in HANDS), state.lottery, strict=True))


_WAITING = {
    "deal": "the cards are to be dealt (deal)",
    "lottery": "eight lottery cards are to be turned up (lottery)",
    "redeal": "the territories are to be dealt (redeal)",
}


def _next(state: Purse, lang: str) -> Iterator[str]:
    from companion.games.property_poker.bets import figures, start_and_aim

    if state.phase in _WAITING:
        yield _WAITING[state.phase]
    elif state.phase == "drawing":
        start, aim = start_and_aim(state.stakes)
        tiles = _lottery_tiles(state)
        yield f"draw: ruler from {tiles[start]} ({start}) towards {tiles[aim]} ({aim})"
    elif state.phase == "laying":
        yield f"round {state.round}: {state.next_to_bet} is to bet or pass"
    elif state.phase == "auction" and state.offer:
        best = state.offer
        bid = f"{best.bidder} bids {figures(best.bid, lang)}" if best.bidder else "no bid yet"
        yield f"on offer: {best.card} of {best.by}, {bid}"
    elif state.phase == "auction":
        yield f"{state.turn} is to offer a card"
    elif state.phase == "result":
        waiting = [player for player in state.players if player not in state.results]
        yield f"results to come: {', '.join(waiting)}"
    elif state.phase == "over":
        for player in state.players:
            yield f"  {player}: {figures(state.final(player), lang)}"
        yield f"{' and '.join(state.winners)} won"
