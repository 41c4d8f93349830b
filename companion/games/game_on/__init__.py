"""Game On 籃球: plans, score calculator, advice, matches (docs/rules/game-on.md)."""
