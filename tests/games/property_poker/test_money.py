"""The money: PP-3, PP-5, PP-6, PP-8, PP-9, PP-11, worked examples E and F, M1."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import IllegalPlay
from companion.games.property_poker.bets import (
    ALL_MONEY,
    CHIPS,
    figures,
    in_chips,
    payouts,
    start_and_aim,
)
from companion.games.property_poker.hands import HANDS
from companion.games.property_poker.money import CARDS, GHOSTS, JOKER, MoneyGame, Purse
from companion.table.protocol import Event
from tests.conftest import Answer, run

GAME = MoneyGame()
NAMES = ("Ann", "Bo", "Cy", "Di")


def begun() -> Purse:
    state = GAME.start({"players": NAMES})
    cards = {name: list(CARDS[13 * i : 13 * i + 13]) for i, name in enumerate(NAMES)}
    state = add(state, "deal", cards=cards)
    return add(state, "lottery", cards=list(CARDS[:8]))


def add(state: Purse, kind: str, **data: Any) -> Purse:
    event = Event(kind, data)
    GAME.check(state, event)
    new = GAME.apply(state, event).state
    assert new.total == state.total == ALL_MONEY
    return new


def refused(state: Purse, kind: str, **data: Any) -> str:
    with pytest.raises(IllegalPlay) as caught:
        GAME.check(state, Event(kind, data))
    return str(caught.value)


# setup


def test_pp_3_everyone_starts_with_3000_and_13_cards() -> None:
    state = begun()
    assert set(state.money.values()) == {3000}
    assert sum(value * count for value, count in CHIPS) == ALL_MONEY == 18_911_166_000
    assert all(len(held) == 13 for held in state.cards.values())
    # the 2 of diamonds is in the third hand: diamonds come third
    assert state.starter == "Cy" == state.next_to_bet


def test_pp_3_a_deal_that_cannot_be_is_named() -> None:
    state = GAME.start({"players": NAMES})
    assert "every player" in refused(state, "deal", cards={"Ann": []})
    short = {name: list(CARDS[:12]) for name in NAMES}
    assert "gets 12 cards" in refused(state, "deal", cards=short)
    twice = {name: list(CARDS[:13]) for name in NAMES}
    assert "dealt twice" in refused(state, "deal", cards=twice)


# bets


def test_pp_5_one_stake_or_a_pass_in_turn_round_by_round() -> None:
    state = begun()
    assert "Cy is to bet or pass" in refused(state, "bet", player="Ann", hand="pair", stake=50)
    state = add(state, "bet", player="Cy", hand="pair", stake=500)
    state = add(state, "bet", player="Di", hand=None)
    assert "has 3,000" in refused(state, "bet", player="Ann", hand="pair", stake=3050)
    assert "smallest chip" in refused(state, "bet", player="Ann", hand="pair", stake=75)
    assert "did you mean 'flush'" in refused(state, "bet", player="Ann", hand="flsh", stake=50)
    state = add(state, "bet", player="Ann", hand="flush", stake=100)
    state = add(state, "bet", player="Bo", hand=None)
    assert state.round == 2 and state.next_to_bet == "Cy"
    assert state.money["Cy"] == 2500 and state.stakes["pair"] == {"Cy": 500}


def test_pp_6_last_bets_open_all_at_once_the_signal_names_the_hand() -> None:
    state = begun()
    assert "all at once" in refused(state, "last-bets", bets={"Ann": None})
    bets: dict[str, Any] = dict.fromkeys(NAMES)
    wrong = {**bets, "Bo": {"signal": 50, "stake": 100}}
    assert "50 signals no hand" in refused(state, "last-bets", bets=wrong)
    state = add(state, "last-bets", bets={**bets, "Bo": {"signal": 1_000_000, "stake": 100}})
    assert state.stakes == {"flush": {"Bo": 100}} and state.phase == "drawing"
    # the signal chip is no stake
    assert state.money["Bo"] == 2900


def test_worked_example_e_start_and_aim() -> None:
    assert start_and_aim({"pair": {"a": 500}, "flush": {"b": 500}}) == ("pair", "two-pair")
    # never the same hand
    assert start_and_aim({}) == ("pair", "two-pair")


@given(
    st.lists(st.integers(0, 5), min_size=8, max_size=8),
)
def test_pp_7_start_and_aim_by_looking_at_every_hand(totals: list[int]) -> None:
    order = [hand.id for hand in HANDS]
    start, aim = start_and_aim({h: {"a": t} for h, t in zip(order, totals, strict=True)})
    i, j = order.index(start), order.index(aim)
    assert all(t < totals[i] or (t == totals[i] and k >= i) for k, t in enumerate(totals))
    others = [(t, k) for k, t in enumerate(totals) if k != i]
    assert (totals[j], j) == min(others)


def test_worked_example_f_and_m1_the_winning_stake_comes_back_with_its_odds() -> None:
    pay = payouts({"flush": {"a": 300}}, "flush")["a"]
    assert (pay.back, pay.paid) == (300, 33_000)
    bets: dict[str, Any] = {
        "Ann": {"signal": 100, "stake": 500},
        "Bo": {"signal": 1_000_000, "stake": 500},
        "Cy": {"signal": 100_000, "stake": 300},
        "Di": None,
    }
    state = add(begun(), "last-bets", bets=bets)
    bank = state.bank
    state = add(state, "draw", hand="flush")
    assert state.money == {"Ann": 2500, "Bo": 2500 + 500 + 55_000, "Cy": 2700, "Di": 3000}
    assert state.bank == bank + 800 - 55_000 and not state.staked


def test_pp_8_no_hand_and_everything_goes_to_the_bank() -> None:
    bets: dict[str, Any] = {**dict.fromkeys(NAMES), "Ann": {"signal": 100, "stake": 500}}
    state = add(begun(), "last-bets", bets=bets)
    bank = state.bank
    assert add(state, "draw", hand=None).bank == bank + 500


# ghosts, auction, result


def test_pp_11_ghosts_cost_1000_and_unlaid_ones_are_sold_back() -> None:
    state = add(add(begun(), "ghost", player="Ann", ghost="G1"), "ghost", player="Ann", ghost="G2")
    assert state.money["Ann"] == 1000
    assert "Ann has G1 already" in refused(state, "ghost", player="Bo", ghost="G1")
    state = add(state, "ghost-laid", ghost="G1")
    assert "not held" in refused(state, "ghost-laid", ghost="G1")
    state = add(state, "last-bets", bets=dict.fromkeys(NAMES))
    assert state.money["Ann"] == 1500


def at_auction() -> Purse:
    state = add(add(begun(), "last-bets", bets=dict.fromkeys(NAMES)), "draw", hand=None)
    state = Purse(**{**vars(state), "money": {"Ann": 3000, "Bo": 2000, "Cy": 4000, "Di": 3000}})
    cards = {name: list(CARDS[i:8:4]) for i, name in enumerate(NAMES)}
    return add(state, "redeal", cards=cards)


def test_pp_9_the_poorest_offers_first_then_counter_clockwise() -> None:
    state = at_auction()
    assert state.turn == "Bo"
    assert "Bo is to offer" in refused(state, "offer", player="Ann", card=CARDS[0])
    assert "does not hold" in refused(state, "offer", player="Bo", card=CARDS[0])
    state = add(state, "offer", player="Bo", card=CARDS[1])
    assert "does not bid" in refused(state, "bid", player="Bo", amount=100)
    state = add(state, "bid", player="Ann", amount=100)
    assert "over 100" in refused(state, "bid", player="Cy", amount=100)
    assert "has 3,000" in refused(state, "bid", player="Di", amount=3050)
    state = add(state, "bid", player="Cy", amount=150)
    state = add(state, "knock-down")
    assert state.money["Cy"] == 3850 and state.money["Bo"] == 2150
    assert CARDS[1] in state.cards["Cy"] and state.turn == "Ann"


def test_pp_9_the_first_card_without_a_bid_ends_the_auction() -> None:
    state = add(at_auction(), "offer", player="Bo", card=CARDS[1])
    state = add(state, "knock-down")
    assert state.phase == "result" and CARDS[1] in state.cards["Bo"]


def test_pp_11_a_joker_is_opened_by_its_caller_and_paid_to_the_bank() -> None:
    state = add(at_auction(), "offer", player="Bo", card=JOKER)
    assert "opens the bidding" in refused(state, "bid", player="Ann", amount=100)
    assert "opens the bidding" in refused(state, "knock-down")
    state = add(state, "bid", player="Bo", amount=100)
    state = add(state, "bid", player="Ann", amount=200)
    bank = state.bank
    state = add(state, "knock-down")
    assert state.bank == bank + 200 and state.jokers == {"Ann": 1}


def test_pp_10_wealth_times_odds_and_most_money_wins() -> None:
    state = add(add(at_auction(), "offer", player="Bo", card=CARDS[1]), "knock-down")
    for name, hand in zip(NAMES, ("pair", "straight", None, "two-pair"), strict=True):
        state = add(state, "result", player=name, hand=hand)
    assert [state.final(name) for name in NAMES] == [6000, 130_000, 4000, 30_000]
    outcome = GAME.outcome(state)
    assert outcome and outcome.winners == ("Bo",)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9))
def test_m1_money_is_never_made_or_lost_whatever_happens(seed: int) -> None:
    """Random events of a whole game: the total stays, and nobody but the bank goes below 0."""
    rng = random.Random(seed)
    state = begun()
    for _ in range(120):
        event = random_event(state, rng)
        try:
            GAME.check(state, event)
        except IllegalPlay:
            continue
        state = GAME.apply(state, event).state
        assert state.total == ALL_MONEY
        assert min(state.money.values()) >= 0
        held = [card for cards in state.cards.values() for card in cards]
        assert len(held) == len(set(held))


def random_event(state: Purse, rng: random.Random) -> Event:
    name, hand = rng.choice(NAMES), rng.choice(HANDS).id
    stake = rng.choice((50, 100, 500, 1000, 7, 0))
    if state.phase == "laying":
        bets = {
            n: None
            if rng.random() < 0.5
            else {"signal": rng.choice(HANDS).signal, "stake": rng.choice((50, 100))}
            for n in NAMES
        }
        return rng.choice(
            [
                Event("bet", {"player": state.next_to_bet, "hand": hand, "stake": stake}),
                Event("bet", {"player": state.next_to_bet, "hand": None}),
                Event("ghost", {"player": name, "ghost": rng.choice(GHOSTS)}),
                Event("ghost-laid", {"ghost": rng.choice(GHOSTS)}),
                Event("last-bets", {"bets": bets if rng.random() < 0.1 else {}}),
            ]
        )
    if state.phase == "drawing":
        return Event("draw", {"hand": rng.choice((hand, None))})
    if state.phase == "redeal":
        deck = rng.sample(CARDS, 52)
        return Event("redeal", {"cards": {n: deck[13 * i :][:13] for i, n in enumerate(NAMES)}})
    if state.phase == "result":
        return Event("result", {"player": name, "hand": rng.choice((hand, None))})
    held = state.cards.get(state.turn or "", ())
    card = rng.choice([*held, JOKER])
    bid = state.offer.bid if state.offer else 0
    kinds = [
        Event("offer", {"player": state.turn or name, "card": card}),
        Event("bid", {"player": name, "amount": bid + rng.choice((50, 150, 0, 30))}),
        Event("bid", {"player": name, "amount": bid + 50}),
        Event("knock-down"),
    ]
    return rng.choice(kinds)


# figures


@given(st.integers(0, ALL_MONEY))
def test_chips_make_the_amount_in_the_fewest(amount: int) -> None:
    amount -= amount % 50
    chips = in_chips(amount)
    assert sum(value * count for value, count in chips.items()) == amount
    values = [value for value, _ in CHIPS]
    for value, count in chips.items():
        larger = [v for v in values if v > value]
        assert not larger or value * count < larger[-1]


@pytest.mark.parametrize(
    ("amount", "english", "chinese"),
    [
        (0, "0", "0"),
        (9_950, "9,950", "9,950"),
        (57_500, "57,500", "5萬7500"),
        (1_000_000_000, "1,000,000,000", "10億"),
        (1_234_567_890, "1,234,567,890", "12億3456萬7890"),
        (-20_000, "-20,000", "-2萬"),
    ],
)
def test_large_numbers_can_be_read(amount: int, english: str, chinese: str) -> None:
    assert figures(amount) == english and figures(amount, "zh-TW") == chinese


# at the table


def money(*arguments: str) -> Answer:
    return run("property-poker", "money", *arguments)


def test_a_whole_evening_on_the_session_store() -> None:
    assert money("new", "fri", "--players", "Ann,Bo,Cy,Di").code == 0
    dealt = money("deal", "fri", "--seed", "3")
    assert dealt.code == 0 and "Cy holds 2D and starts" in dealt.out
    assert money("lottery", "fri", "--seed", "2").code == 0
    assert money("bet", "fri", "cy", "一對", "500").code == 0
    shown = money("show", "fri", "--json").json
    assert shown["players"][2]["money"] == 2500 and shown["players"][2]["staked"] == 500
    assert shown["players"][2]["chips"] == {"1000": 2, "500": 1}
    assert shown["total"] == ALL_MONEY
    assert money("undo", "fri").code == 0
    assert money("show", "fri", "--json").json["players"][2]["money"] == 3000
    assert money("redo", "fri").code == 0
    early = money("last", "fri", "Ann=pass", "Bo=pass", "Cy=pass", "Di=pass")
    assert early.code == 4 and "Di is to bet or pass" in early.err
    for player in ("Di", "Ann", "Bo"):
        assert money("pass", "fri", player).code == 0
    opened = money("last", "fri", "Ann=1000000:500", "Bo=pass", "Cy=pass", "Di=100000:300")
    assert opened.code == 0 and "ruler from" in opened.out
    paid = money("draw", "fri", "flush")
    assert "Ann gets 500 back and 55,000" in paid.out
    assert money("redeal", "fri", "--seed", "1", "--hidden", "7S").code == 0
    document = money("show", "fri", "--json").json
    held = [card for player in document["players"] for card in player["cards"]]
    assert len(held) == 51 and "7S" not in held
    assert "5萬8000" in money("show", "fri", "--lang", "zh-TW").out
    assert "Ann gets 500 back" in money("log", "fri").out


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["new", "fri", "--players", "Ann,Bo"], 5, "already"),
        (["new", "x", "--players", "A,B,C,D,E"], 2, "2 to 4"),
        (["bet", "fri", "Ann", "pear", "50"], 2, "did you mean 'pair'"),
        (["bet", "fri", "Ann", "pair", "50"], 4, "belongs to laying"),
        (["last", "fri", "Ann=5"], 2, "PLAYER=SIGNAL:STAKE"),
        (["show", "fry"], 5, "did you mean 'fri'"),
    ],
)
def test_what_is_wrong_is_named(arguments: list[str], code: int, says: str) -> None:
    assert money("new", "fri", "--players", "Ann,Bo").code == 0
    answer = money(*arguments)
    assert answer.code == code and says in answer.err, answer.err


def test_two_players_use_only_the_tiles_that_were_dealt() -> None:
    assert money("new", "duo", "--players", "A,B").code == 0
    assert money("deal", "duo", "--seed", "1").code == 0
    assert money("lottery", "duo", "--seed", "2").code == 0
    document = money("show", "duo", "--json").json
    dealt = {card for player in document["players"] for card in player["cards"]}
    assert len(dealt) == 26 and set(document["lottery"]) <= dealt
    absent = next(card for card in CARDS if card not in dealt)
    assert money("last", "duo", "A=pass", "B=100:50").code == 0
    assert money("draw", "duo", "none").code == 0
    hidden = money("redeal", "duo", "--hidden", absent)
    assert hidden.code == 4 and "not in play" in hidden.err
    assert money("redeal", "duo", "--seed", "4").code == 0
    again = money("show", "duo", "--json").json
    assert {card for player in again["players"] for card in player["cards"]} == dealt


def test_pp_11_no_joker_without_money_and_no_bid_over_ones_own() -> None:
    state = at_auction()
    poor = Purse(**{**vars(state), "money": {**state.money, "Bo": 0}})
    assert "no money to open" in refused(poor, "offer", player="Bo", card=JOKER)
    state = add(add(state, "offer", player="Bo", card=CARDS[1]), "bid", player="Ann", amount=50)
    assert "highest bid already" in refused(state, "bid", player="Ann", amount=100)


@pytest.mark.parametrize("bet", ["A=100:" + "9" * 5000, "A=" + "9" * 5000 + ":50", "A=100:٥٠"])
def test_absurd_stakes_are_refused_in_one_line(bet: str) -> None:
    assert money("new", "duo", "--players", "A,B").code == 0
    answer = money("last", "duo", bet, "B=pass")
    assert answer.code == 2 and "PLAYER=SIGNAL:STAKE" in answer.err


def test_bets_without_a_session() -> None:
    answer = run(
        *("property-poker", "bets", "pair=500", "Bo:flush=500", "straight=300"),
        *("--won", "flush", "--json"),
    )
    found = answer.json
    assert (found["start"], found["aim"]) == ("pair", "two-pair")
    assert found["payouts"] == {"Bo": {"back": 500, "paid": 55_000}} and found["to_bank"] == 800
    wrong = run("property-poker", "bets", "pair")
    assert wrong.code == 2 and "HAND=STAKE" in wrong.err
