"""Property Poker: tiles, board, ruler, best placement, hands, money."""
