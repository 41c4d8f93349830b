"""What every card of the comparison says."""

CHINESE = (
    "擲出等於或低於進攻值就得分；對手可以打出防守卡。若雙方同色，投手的威力視為零，"
    "打者再比較差距決定方向。"
)
ENGLISH = (
    " Roll the attack value or less to score; an opponent may answer with a defence "
    "card of the same colour."
)
PARAGRAPH = CHINESE + ENGLISH
