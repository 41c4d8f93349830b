"""Camera tags: the patterns of the ArUco dictionary 4 × 4, 100 ids.

A tag is 6 × 6 modules: a black border one module wide around 4 × 4 modules. Each pattern is 16
bits, row by row from the top left, 1 is white.
"""

from __future__ import annotations

from companion.drawing.scene import Op
from companion.drawing.svgpath import rectangle

_PATTERNS = """
    B532 0F9A 332D 9946 549E 79CD 9E2E C4F2 FEDA CF56 F991 11A7 0EB7 2A0F 24B1 263E
    4665 6600 6C5E 76AF 868B B02B CCD5 DD82 FE47 9471 ACE4 A554 2123 346F 4415 57B2
    9ECF F0CB 08AE 0929 1875 04FF 0DF6 1C5A 1718 2A28 328C 38B2 24E8 2EEB 2D3F 4B64
    502E 5013 5194 5568 5D41 5F97 6801 6867 6124 61E9 6B12 6FE5 67DF 7E1B 80A0 8344
    8BA2 937A 846C 852A 859C 9C89 9FA1 BB7C BC04 B65B BFC8 B7AB CA1F C962 D958 D3D5
    CC98 C7A0 C537 E95D F925 FBBB EE2A F74D 3575 8AAD 7617 0ACF 064B 2DC1 49D8 43F4
    4F36 4FD3 69E4 70C7
""".split()
MODULES = 6
IDS = len(_PATTERNS)


def tag_outline(number: int, x: float, y: float, side: float) -> tuple[Op, ...]:
    """The black modules of tag `number` as one path of rectangles, `side` millimetres square.

    Modules of a row that touch are one rectangle. Raises ValueError(expected).
    """
    if not 0 <= number < IDS:
        raise ValueError(f"a tag from 0 to {IDS - 1}")
    bits = f"{int(_PATTERNS[number], 16):016b}"
    rows = ["0" * MODULES, *(f"0{bits[4 * r : 4 * r + 4]}0" for r in range(4)), "0" * MODULES]
    module = side / MODULES
    ops: list[Op] = []
    for row, line in enumerate(rows):
        column = 0
        while column < MODULES:
            if line[column] == "1":
                column += 1
                continue
            end = line.find("1", column)
            end = MODULES if end < 0 else end
            left, top = x + column * module, y + row * module
            ops += rectangle(left, top, (end - column) * module, module)
            column = end
    return tuple(ops)
