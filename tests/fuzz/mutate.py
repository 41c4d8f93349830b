"""Changes to sound files: bytes turned, cut, doubled; words that have broken programs before."""

from __future__ import annotations

import random
from collections.abc import Sequence

NASTY = (
    b"",
    b"\x00",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    "\u202e".encode(),
    "𠮷".encode(),
    "é̂".encode(),
    b"\r\n",
    b"\t",
    b'"',
    b"'",
    b"{",
    b"}",
    b"[[",
    b"]]",
    b"{{",
    b"{a}",
    b"**",
    b"\\",
    b"/../../../etc/passwd",
    b"-1",
    b"0",
    b"1e999",
    b"nan",
    b"inf",
    b"99999999999999999999999999",
    b"0.0000000000000000001",
    b"true",
    b"null",
    b"=",
    b",",
    b";",
    b"@",
    b"#",
    b"%",
    b"$(x)",
    b"\xc3\x28",
    b"a" * 300,
    b"(" * 60,
    b"[" * 200,
    b"1d" * 30,
    b"1,1\n" * 50,
)


def mutated(seeds: Sequence[bytes], rng: random.Random) -> bytes:
    """One of the seeds after one to four changes."""
    data = bytearray(rng.choice(seeds))
    for _ in range(rng.randint(1, 4)):
        data = _CHANGES[rng.randrange(len(_CHANGES))](data, seeds, rng)
    return bytes(data[:200_000])


def _span(data: bytearray, rng: random.Random) -> tuple[int, int]:
    start = rng.randint(0, len(data))
    return start, min(len(data), start + rng.choice((1, 1, 2, 4, 8, 16, 64)))


def _flip(data: bytearray, seeds: Sequence[bytes], rng: random.Random) -> bytearray:
    del seeds
    if data:
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return data


def _put(data: bytearray, seeds: Sequence[bytes], rng: random.Random) -> bytearray:
    del seeds
    start, end = _span(data, rng)
    data[start : end if rng.random() < 0.5 else start] = rng.choice(NASTY)
    return data


def _cut(data: bytearray, seeds: Sequence[bytes], rng: random.Random) -> bytearray:
    del seeds
    start, end = _span(data, rng)
    del data[start:end]
    return data


def _truncate(data: bytearray, seeds: Sequence[bytes], rng: random.Random) -> bytearray:
    del seeds
    del data[rng.randint(0, len(data)) :]
    return data


def _double(data: bytearray, seeds: Sequence[bytes], rng: random.Random) -> bytearray:
    del seeds
    start, end = _span(data, rng)
    data[start:start] = data[start:end] * rng.choice((1, 2, 20))
    return data


def _splice(data: bytearray, seeds: Sequence[bytes], rng: random.Random) -> bytearray:
    other = rng.choice(seeds)
    start, end = _span(bytearray(other), rng)
    at = rng.randint(0, len(data))
    data[at:at] = other[start : max(end, start + rng.choice((10, 50)))]
    return data


def _number(data: bytearray, seeds: Sequence[bytes], rng: random.Random) -> bytearray:
    """A digit becomes other digits."""
    del seeds
    places = [i for i, byte in enumerate(data) if 48 <= byte <= 57]
    if places:
        at = rng.choice(places)
        data[at : at + 1] = str(rng.choice((0, -1, 7, 255, 1000, 10**9, 2**64, 0.5))).encode()
    return data


_CHANGES = (_flip, _flip, _put, _put, _put, _cut, _truncate, _double, _splice, _number)
