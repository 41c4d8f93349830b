"""The money of a game: deal, bets, draw, auction, result (PP-3 … PP-11), for a session.

Tiles lie on the table; here stands who holds which cards, what lies on the slip, and every player's
wealth. Money is never made or lost: players, stakes and bank together stay the same. Phases follow
each other: deal → lottery → laying → drawing → redeal → auction → result.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from companion.errors import IllegalPlay, UsageError, did_you_mean
from companion.games.property_poker.bets import (
    ALL_MONEY,
    SMALLEST_CHIP,
    payouts,
    start_and_aim,
)
from companion.games.property_poker.hands import BY_ID, HANDS
from companion.games.property_poker.tiles import TILES
from companion.table.protocol import Data, Event, Outcome, Step
from companion.table.tracker import check_names

START_MONEY = 3000
HAND_CARDS = 13
GHOST_PRICE = 1000
GHOST_RETURN = 500
JOKERS = 2
JOKER = "joker"
STARTER = "2D"
CARDS = tuple(id for id, tile in TILES.items() if not tile.is_ghost)
GHOSTS = tuple(id for id, tile in TILES.items() if tile.is_ghost)
_SIGNALS = {hand.signal: hand.id for hand in HANDS}


@dataclass(frozen=True)
class Offer:
    """A card on offer: whose (a joker is the bank's), the highest bid so far and by whom."""

    by: str
    card: str
    bid: int = 0
    bidder: str | None = None


@dataclass(frozen=True)
class Purse:
    """The state of the money. `players` sit clockwise; `stakes`: hand → player → stake."""

    players: tuple[str, ...]
    money: Mapping[str, int]
    bank: int
    phase: str = "deal"
    cards: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    lottery: tuple[str, ...] = ()
    stakes: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    round: int = 1
    acted: tuple[str, ...] = ()
    ghosts: Mapping[str, str] = field(default_factory=dict)
    laid: frozenset[str] = frozenset()
    winning: str | None = None
    turn: str | None = None
    offer: Offer | None = None
    jokers: Mapping[str, int] = field(default_factory=dict)
    results: Mapping[str, str | None] = field(default_factory=dict)

    in_play: tuple[str, ...] = ()
    """The cards that were dealt: their tiles are the ones on the table."""

    @property
    def staked(self) -> int:
        """What lies on the slip."""
        return sum(sum(by.values()) for by in self.stakes.values())

    @property
    def total(self) -> int:
        """All money there is: it never changes."""
        return sum(self.money.values()) + self.bank + self.staked

    @property
    def starter(self) -> str:
        """Who holds the 2 of diamonds, or, if nobody does, the first player (PP-4)."""
        holders = (p for p in self.players if STARTER in self.cards.get(p, ()))
        return next(holders, self.players[0])

    @property
    def next_to_bet(self) -> str:
        """Whose turn to bet it is, clockwise from the starting player (PP-5)."""
        first = self.players.index(self.starter)
        return self.players[(first + len(self.acted)) % len(self.players)]

    def before(self, player: str) -> str:
        """The next player counter-clockwise."""
        return self.players[self.players.index(player) - 1]

    def final(self, player: str) -> int:
        """Wealth × odds of the hand of the result (PP-10)."""
        hand = self.results.get(player)
        return self.money[player] * (BY_ID[hand].odds if hand else 1)

    @property
    def winners(self) -> tuple[str, ...]:
        """Who has most after the results (PP-10)."""
        best = max(self.final(player) for player in self.players)
        return tuple(player for player in self.players if self.final(player) == best)


class MoneyGame:
    """The rules of the money, for a session.

    Events: `deal` and `redeal` {cards: {player: [ids]}}, `lottery` {cards: [8 ids]},
    `bet` {player, hand | null, stake}, `ghost` {player, ghost}, `ghost-laid` {ghost},
    `last-bets` {bets: {player: {signal, stake} | null}}, `draw` {hand | null},
    `offer` {player, card}, `bid` {player, amount}, `knock-down` {}, `result` {player, hand | null}.
    """

    name = "property-poker"
    version = 1

    def start(self, config: Data) -> Purse:
        """From {players}, 2 to 4, clockwise. Raises UsageError."""
        players = tuple(config.get("players") or ())
        if not 2 <= len(players) <= 4:
            raise UsageError(f"{len(players)} players; Property Poker is for 2 to 4 (PP-1)")
        check_names(players)
        money = dict.fromkeys(players, START_MONEY)
        return Purse(players, money, ALL_MONEY - START_MONEY * len(players))

    def check(self, state: Purse, event: Event) -> None:
        """Raise IllegalPlay, naming the rule and what would be legal."""
        checker = _CHECKS.get(event.kind)
        if checker is None:
            raise IllegalPlay(f"the money knows no event '{event.kind}'")
        phases, check = checker
        if state.phase not in phases:
            raise IllegalPlay(
                f"{event.kind} belongs to {' or '.join(phases)}; now it is {state.phase}"
            )
        player = event.data.get("player")
        if "player" in event.data and player not in state.players:
            hint = did_you_mean(str(player), state.players)
            raise IllegalPlay(f"nobody is called '{player}'" + (f" ({hint})" if hint else ""))
        check(state, event.data)

    def apply(self, state: Purse, event: Event) -> Step[Purse]:
        """The state after a checked event."""
        new, said = _APPLIES[event.kind](state, event.data)
        return Step(new, tuple(said))

    def outcome(self, state: Purse) -> Outcome | None:
        """Most money after the result (PP-10)."""
        if state.phase != "over":
            return None
        return Outcome("result", state.winners)


Said = tuple[Purse, list[str]]


# deal, lottery


def _check_deal(state: Purse, data: Data) -> None:
    cards = data.get("cards")
    if not isinstance(cards, Mapping) or set(cards) != set(state.players):
        raise IllegalPlay("a deal names the cards of every player (PP-3)")
    seen: set[str] = set()
    for player, held in cards.items():
        if not isinstance(held, list | tuple) or not all(isinstance(id, str) for id in held):
            raise IllegalPlay(f"the cards of {player} are no list of cards (PP-3)")
        if len(held) != HAND_CARDS:
            raise IllegalPlay(f"{player} gets {len(held)} cards, not {HAND_CARDS} (PP-3)")
        for id in held:
            if id not in CARDS or id in seen:
                raise IllegalPlay(f"{id} is no card, or dealt twice (PP-3)")
            seen.add(id)


def _deal(state: Purse, data: Data) -> Said:
    cards = {player: tuple(held) for player, held in data["cards"].items()}
    dealt = tuple(id for held in cards.values() for id in held)
    state = replace(state, cards=cards, phase="lottery", in_play=dealt)
    said = [f"{player}: {' '.join(held)}" for player, held in cards.items()]
    return state, [*said, f"{state.starter} holds {STARTER} and starts (PP-4)"]


def _check_lottery(state: Purse, data: Data) -> None:
    cards = data.get("cards")
    sound = isinstance(cards, list | tuple) and all(isinstance(id, str) for id in cards)
    if not sound or len(cards or ()) != len(HANDS) or len(set(cards or ())) != len(HANDS):
        raise IllegalPlay(f"{len(HANDS)} different cards, one on each hand of the slip (PP-3)")
    for id in cards or ():
        if id not in state.in_play:
            raise IllegalPlay(f"{id} was not dealt: its tile is not in play (PP-3)")


def _lottery(state: Purse, data: Data) -> Said:
    cards = tuple(data["cards"])
    pairs = ", ".join(f"{hand.id} {card}" for hand, card in zip(HANDS, cards, strict=True))
    return replace(state, lottery=cards, phase="laying"), [f"lottery cards: {pairs}"]


# bets and ghosts while tiles are laid


def _check_stake(state: Purse, player: str, hand: object, stake: object) -> None:
    if hand not in BY_ID:
        hint = did_you_mean(str(hand), BY_ID)
        raise IllegalPlay(f"'{hand}' is no hand of the slip" + (f" ({hint})" if hint else ""))
    if not isinstance(stake, int) or isinstance(stake, bool) or stake <= 0:
        raise IllegalPlay("a stake is a whole number over 0")
    if stake % SMALLEST_CHIP:
        raise IllegalPlay(f"a stake of {stake:,}: the smallest chip is {SMALLEST_CHIP} (PP-1)")
    if stake > state.money[player]:
        raise IllegalPlay(f"{player} has {state.money[player]:,}, not {stake:,}")


def _check_bet(state: Purse, data: Data) -> None:
    player = data["player"]
    if player != state.next_to_bet:
        raise IllegalPlay(f"round {state.round}: {state.next_to_bet} is to bet or pass (PP-5)")
    if data.get("hand") is not None:
        _check_stake(state, player, data["hand"], data.get("stake"))


def _bet(state: Purse, data: Data) -> Said:
    player, hand = data["player"], data.get("hand")
    if hand is None:
        said = f"{player} passes"
    else:
        state = _staked(state, player, hand, data["stake"])
        said = f"{player} puts {data['stake']:,} on {hand}"
    acted = (*state.acted, player)
    if len(acted) == len(state.players):
        return replace(state, acted=(), round=state.round + 1), [said, "the round is over"]
    return replace(state, acted=acted), [said]


def _staked(state: Purse, player: str, hand: str, stake: int) -> Purse:
    on_hand = dict(state.stakes.get(hand, {}))
    on_hand[player] = on_hand.get(player, 0) + stake
    money = {**state.money, player: state.money[player] - stake}
    return replace(state, money=money, stakes={**state.stakes, hand: on_hand})


def _check_ghost(state: Purse, data: Data) -> None:
    ghost = data.get("ghost")
    if ghost not in GHOSTS:
        raise IllegalPlay(f"'{ghost}' is no ghost tile: {', '.join(GHOSTS)}")
    if ghost in state.ghosts:
        raise IllegalPlay(f"{state.ghosts[ghost]} has {ghost} already (PP-11)")
    if state.money[data["player"]] < GHOST_PRICE:
        raise IllegalPlay(f"a ghost tile costs {GHOST_PRICE:,} (PP-11)")


def _ghost(state: Purse, data: Data) -> Said:
    player, ghost = data["player"], data["ghost"]
    state = _paid(state, player, None, GHOST_PRICE)
    state = replace(state, ghosts={**state.ghosts, ghost: player})
    return state, [f"{player} buys {ghost} for {GHOST_PRICE:,}"]


def _check_ghost_laid(state: Purse, data: Data) -> None:
    ghost = data.get("ghost")
    if ghost not in state.ghosts or ghost in state.laid:
        held = ", ".join(id for id in state.ghosts if id not in state.laid) or "none"
        raise IllegalPlay(f"'{ghost}' is not held; held ghosts: {held} (PP-11)")


def _ghost_laid(state: Purse, data: Data) -> Said:
    ghost = data["ghost"]
    return replace(state, laid=state.laid | {ghost}), [f"{state.ghosts[ghost]} lays {ghost}"]


def _paid(state: Purse, payer: str | None, to: str | None, amount: int) -> Purse:
    """Money goes from one to another; None is the bank."""
    money, bank = dict(state.money), state.bank
    if payer is None:
        bank -= amount
    else:
        money[payer] -= amount
    if to is None:
        bank += amount
    else:
        money[to] += amount
    return replace(state, money=money, bank=bank)


# last bet, draw, pay


def _check_last_bets(state: Purse, data: Data) -> None:
    bets = data.get("bets")
    if state.acted:
        raise IllegalPlay(
            f"round {state.round} is not over: {state.next_to_bet} is to bet or pass (PP-5)"
        )
    if not isinstance(bets, Mapping) or set(bets) != set(state.players):
        raise IllegalPlay("the last bets open all at once: one of every player, or a pass (PP-6)")
    for player, bet in bets.items():
        if bet is None:
            continue
        if bet.get("signal") not in _SIGNALS:
            listed = ", ".join(f"{chip:,} {hand}" for chip, hand in _SIGNALS.items())
            raise IllegalPlay(f"{player}: {bet.get('signal')} signals no hand: {listed} (PP-6)")
        _check_stake(state, player, _SIGNALS[bet["signal"]], bet.get("stake"))


def _last_bets(state: Purse, data: Data) -> Said:
    said = []
    for player, bet in data["bets"].items():
        if bet is None:
            said.append(f"{player} passes")
            continue
        hand = _SIGNALS[bet["signal"]]
        state = _staked(state, player, hand, bet["stake"])
        said.append(f"{player} puts {bet['stake']:,} on {hand}")
    for ghost, player in state.ghosts.items():
        if ghost not in state.laid:
            state = _paid(state, None, player, GHOST_RETURN)
            said.append(f"{player} sells {ghost} back for {GHOST_RETURN}")
    state = replace(state, phase="drawing")
    start, aim = start_and_aim(state.stakes)
    tiles = dict(zip((hand.id for hand in HANDS), state.lottery, strict=True))
    said.append(f"ruler from {tiles[start]} ({start}) towards {tiles[aim]} ({aim}) (PP-7)")
    return state, said


def _check_draw(state: Purse, data: Data) -> None:
    del state
    hand = data.get("hand")
    if hand is not None and hand not in BY_ID:
        hint = did_you_mean(str(hand), BY_ID)
        raise IllegalPlay(f"'{hand}' is no hand" + (f" ({hint})" if hint else ""))


def _draw(state: Purse, data: Data) -> Said:
    winning = data.get("hand")
    said = [f"{winning} wins" if winning else "no hand: nobody wins (PP-7)"]
    bank = state.bank + state.staked
    money = dict(state.money)
    for player, pay in payouts(state.stakes, winning).items():
        money[player] += pay.back + pay.paid
        bank -= pay.back + pay.paid
        said.append(f"{player} gets {pay.back:,} back and {pay.paid:,}")
    return replace(
        state, money=money, bank=bank, stakes={}, winning=winning, phase="redeal", cards={}
    ), said


# auction


def _check_redeal(state: Purse, data: Data) -> None:
    hidden = set(data.get("hidden") or ())
    wrong = [id for id in hidden if id not in state.in_play or id in state.lottery]
    if wrong:
        raise IllegalPlay(
            f"{wrong[0]} cannot be hidden: it is not in play, or a lottery card's tile (PP-4)"
        )
    cards = data.get("cards")
    if not isinstance(cards, Mapping) or set(cards) != set(state.players):
        raise IllegalPlay("a deal names the cards of every player (PP-9)")
    seen: set[str] = set()
    for player, held in cards.items():
        if len(held) > HAND_CARDS:
            raise IllegalPlay(f"{player} gets {len(held)} cards, more than {HAND_CARDS} (PP-9)")
        for id in held:
            if id not in state.in_play or id in seen or id in hidden:
                raise IllegalPlay(f"{id} is not in play, hidden, or dealt twice (PP-9)")
            seen.add(id)


def _redeal(state: Purse, data: Data) -> Said:
    cards = {player: tuple(held) for player, held in data["cards"].items()}
    poorest = min(state.players, key=lambda player: state.money[player])
    state = replace(state, cards=cards, phase="auction", turn=poorest)
    said = [f"{player}: {' '.join(held)}" for player, held in cards.items()]
    return state, [*said, f"{poorest} is the poorest and offers first (PP-9)"]


def _check_offer(state: Purse, data: Data) -> None:
    player, card = data["player"], data.get("card")
    if state.offer:
        raise IllegalPlay(f"{state.offer.card} is on offer: bid, or knock it down (PP-9)")
    if player != state.turn:
        raise IllegalPlay(f"{state.turn} is to offer, counter-clockwise (PP-9)")
    if card == JOKER:
        if sum(state.jokers.values()) >= JOKERS:
            raise IllegalPlay(f"both jokers are sold ({JOKERS}; PP-11)")
        if state.money[player] < SMALLEST_CHIP:
            raise IllegalPlay(f"{player} has no money to open the bidding for a joker (PP-11)")
    elif card not in state.cards[player]:
        held = " ".join(state.cards[player])
        raise IllegalPlay(f"{player} does not hold '{card}': {held}, or {JOKER} (PP-9)")


def _offer(state: Purse, data: Data) -> Said:
    player, card = data["player"], data["card"]
    first = player if card == JOKER else state.before(player)
    state = replace(state, offer=Offer(player, card))
    return state, [f"{player} offers {card}; {first} opens the bidding"]


def _check_bid(state: Purse, data: Data) -> None:
    player, amount, offer = data["player"], data.get("amount"), state.offer
    if offer is None:
        raise IllegalPlay(f"nothing is on offer: {state.turn} is to offer (PP-9)")
    if not isinstance(amount, int) or isinstance(amount, bool) or amount <= offer.bid:
        raise IllegalPlay(f"a bid is over {offer.bid:,}")
    if amount % SMALLEST_CHIP:
        raise IllegalPlay(f"a bid of {amount:,}: the smallest chip is {SMALLEST_CHIP} (PP-1)")
    if amount > state.money[player]:
        raise IllegalPlay(f"{player} has {state.money[player]:,}, not {amount:,}")
    if player == offer.bidder:
        raise IllegalPlay(f"{player} has the highest bid already (PP-9)")
    if offer.card == JOKER and offer.bidder is None and player != offer.by:
        raise IllegalPlay(f"{offer.by} called the joker and opens the bidding (PP-11)")
    if offer.card != JOKER and player == offer.by:
        raise IllegalPlay(f"{player} offers the card and does not bid (PP-9)")


def _bid(state: Purse, data: Data) -> Said:
    assert state.offer
    offer = replace(state.offer, bid=data["amount"], bidder=data["player"])
    said = f"{data['player']} bids {data['amount']:,} for {offer.card}"
    return replace(state, offer=offer), [said]


def _check_knock_down(state: Purse, data: Data) -> None:
    del data
    if state.offer is None:
        raise IllegalPlay(f"nothing is on offer: {state.turn} is to offer (PP-9)")
    if state.offer.card == JOKER and state.offer.bidder is None:
        raise IllegalPlay(f"{state.offer.by} called the joker and opens the bidding (PP-11)")


def _knock_down(state: Purse, data: Data) -> Said:
    del data
    offer = state.offer
    assert offer
    if offer.bidder is None:
        state = replace(state, offer=None, phase="result", turn=None)
        return state, [f"nobody bids: {offer.by} keeps {offer.card}, the auction is over (PP-9)"]
    state = _paid(state, offer.bidder, None if offer.card == JOKER else offer.by, offer.bid)
    if offer.card == JOKER:
        jokers = {**state.jokers, offer.bidder: state.jokers.get(offer.bidder, 0) + 1}
        state = replace(state, jokers=jokers)
    else:
        cards = dict(state.cards)
        cards[offer.by] = tuple(id for id in cards[offer.by] if id != offer.card)
        cards[offer.bidder] = (*cards[offer.bidder], offer.card)
        state = replace(state, cards=cards)
    state = replace(state, offer=None, turn=_next_offerer(state, offer.by))
    said = [f"{offer.card} goes to {offer.bidder} for {offer.bid:,}"]
    if state.turn is None:
        return replace(state, phase="result"), [*said, "nobody has a card: the auction is over"]
    return state, [*said, f"{state.turn} is to offer"]


def _next_offerer(state: Purse, last: str) -> str | None:
    """Counter-clockwise, whoever still has a card (PP-9)."""
    player = last
    for _ in state.players:
        player = state.before(player)
        if state.cards[player]:
            return player
    return None


# result


def _check_result(state: Purse, data: Data) -> None:
    if data["player"] in state.results:
        raise IllegalPlay(f"{data['player']} has a result already; undo takes it back")
    _check_draw(state, data)


def _result(state: Purse, data: Data) -> Said:
    player, hand = data["player"], data.get("hand")
    state = replace(state, results={**state.results, player: hand})
    odds = BY_ID[hand].odds if hand else 1
    said = [f"{player}: {state.money[player]:,} × {odds} = {state.final(player):,}"]
    if len(state.results) == len(state.players):
        state = replace(state, phase="over")
        said.append(f"{' and '.join(state.winners)} won (PP-10)")
    return state, said


_LAYING = ("laying",)
_CHECKS: Mapping[str, tuple[Sequence[str], Callable[[Purse, Data], None]]] = {
    "deal": (("deal",), _check_deal),
    "lottery": (("lottery",), _check_lottery),
    "bet": (_LAYING, _check_bet),
    "ghost": (_LAYING, _check_ghost),
    "ghost-laid": (_LAYING, _check_ghost_laid),
    "last-bets": (_LAYING, _check_last_bets),
    "draw": (("drawing",), _check_draw),
    "redeal": (("redeal",), _check_redeal),
    "offer": (("auction",), _check_offer),
    "bid": (("auction",), _check_bid),
    "knock-down": (("auction",), _check_knock_down),
    "result": (("result",), _check_result),
}
_APPLIES: Mapping[str, Callable[[Purse, Any], Said]] = {
    "deal": _deal,
    "lottery": _lottery,
    "bet": _bet,
    "ghost": _ghost,
    "ghost-laid": _ghost_laid,
    "last-bets": _last_bets,
    "draw": _draw,
    "redeal": _redeal,
    "offer": _offer,
    "bid": _bid,
    "knock-down": _knock_down,
    "result": _result,
}
