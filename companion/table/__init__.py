"""Aids for any game: dice, odds, exact-target tracker, sessions."""
