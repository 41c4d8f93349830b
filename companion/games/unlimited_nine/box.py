"""Line score and box score (UN-12)."""

from __future__ import annotations

from typing import Any

from companion.games.unlimited_nine.state import INNINGS, Line, Match, Team


def line_score(state: Match) -> list[dict[str, Any]]:
    """Each side's runs by inning (None: not begun), runs, hits, left on base."""
    return [
        {
            "name": team.name,
            "innings": [team.runs[i] if i < len(team.runs) else None for i in range(INNINGS)],
            "runs": team.score,
            "hits": team.hits,
            "left_on_base": sum(team.left),
        }
        for team in state.teams
    ]


def box_score(state: Match, team: Team) -> list[dict[str, Any]]:
    """Each player's figures in batting order."""
    rows = []
    for id in team.order:
        line = team.lines.get(id, Line())
        player = state.roster.players[id]
        rows.append(
            {
                "id": id,
                "names": list(player.names),
                "position": str(team.positions[id]),
                "student": id in team.students,
                "injured": id in team.injured,
                "captain": id == team.captain,
                "at_bats": line.at_bats,
                "runs": line.runs,
                "hits": line.hits,
                "total_bases": line.total_bases,
                "batted_in": line.batted_in,
                "walks": line.walks,
            }
        )
    return rows
