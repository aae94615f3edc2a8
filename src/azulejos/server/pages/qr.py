"""QR codes of links: bytes, error correction level M, versions 1 to 10 (ISO/IEC 18004)."""

from collections.abc import Callable, Iterator

from azulejos.core.errors import OptionError

Grid = list[list[int]]  # rows of modules, 1 for dark

# By version, from 1: correction codewords a block, and data codewords of each block.
BLOCKS = (
    (10, (16,)),
    (16, (28,)),
    (26, (44,)),
    (18, (32, 32)),
    (24, (43, 43)),
    (16, (27,) * 4),
    (18, (31,) * 4),
    (22, (38, 38, 39, 39)),
    (22, (36, 36, 36, 37, 37)),
    (26, (43, 43, 43, 43, 44)),
)
ALIGNMENT = ((), (18,), (22,), (26,), (30,), (34,), (22, 38), (24, 42), (26, 46), (28, 50))  # besides 6
MASKS: tuple[Callable[[int, int], bool], ...] = (
    lambda y, x: (y + x) % 2 == 0,
    lambda y, x: y % 2 == 0,
    lambda y, x: x % 3 == 0,
    lambda y, x: (y + x) % 3 == 0,
    lambda y, x: (y // 2 + x // 3) % 2 == 0,
    lambda y, x: y * x % 2 + y * x % 3 == 0,
    lambda y, x: (y * x % 2 + y * x % 3) % 2 == 0,
    lambda y, x: ((y + x) % 2 + y * x % 3) % 2 == 0,
)
QUIET = 4  # modules of margin


def svg(text: str) -> str:
    """The code as a picture, dark on white in every theme. Raises OptionError for a text that is too long."""
    grid = modules(text)
    size = len(grid) + 2 * QUIET
    dark = "".join(
        f"M{x + QUIET} {y + QUIET}h1v1h-1z" for y, row in enumerate(grid) for x, one in enumerate(row) if one
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" shape-rendering="crispEdges">'
        f'<path fill="#fff" d="M0 0h{size}v{size}H0z"/><path d="{dark}"/></svg>'
    )


def modules(text: str) -> Grid:
    """The modules of a text's code, without a margin, in the mask that is easiest to read."""
    data = text.encode()
    for version, (_correction, sizes) in enumerate(BLOCKS, 1):
        if len(data) + 2 + (version > 9) <= sum(sizes):
            break
    else:
        raise OptionError(f"{len(data)} bytes are too many for a code: 213 at most")
    words = _codewords(data, version)
    return min((_drawn(words, version, mask) for mask in range(8)), key=_penalty)


# --- codewords ---


def _codewords(data: bytes, version: int) -> list[int]:
    """Data and correction, in the order in which they are drawn."""
    correction, sizes = BLOCKS[version - 1]
    bits = f"0100{len(data):0{16 if version > 9 else 8}b}" + "".join(f"{byte:08b}" for byte in data) + "0000"
    bits = bits[: 8 * sum(sizes)]
    bits += "0" * (-len(bits) % 8)
    words = [int(bits[k : k + 8], 2) for k in range(0, len(bits), 8)]
    while len(words) < sum(sizes):
        words += [0xEC, 0x11][: sum(sizes) - len(words)]
    blocks, at = [], 0
    for size in sizes:
        blocks.append(words[at : at + size])
        at += size
    checks = [_corrections(block, correction) for block in blocks]
    shared = [block[k] for k in range(max(sizes)) for block in blocks if k < len(block)]
    return shared + [check[k] for k in range(correction) for check in checks]


def _times(a: int, b: int) -> int:
    """A product in the field of 256 elements."""
    result = 0
    while b:
        result ^= a * (b & 1)
        a, b = (a << 1) ^ (0x11D if a > 127 else 0), b >> 1
    return result


def _corrections(block: list[int], count: int) -> list[int]:
    """Reed-Solomon: the remainder by the product of (x − 2^k)."""
    divisor, root = [1], 1
    for _k in range(count):
        divisor = [a ^ _times(b, root) for a, b in zip([*divisor, 0], [0, *divisor], strict=True)]
        root = _times(root, 2)
    rest = block + [0] * count
    for k in range(len(block)):
        factor = rest[k]
        for place, value in enumerate(divisor):
            rest[k + place] ^= _times(value, factor)
    return rest[len(block) :]


# --- drawing ---


def _drawn(words: list[int], version: int, mask: int) -> Grid:
    size = 17 + 4 * version
    fixed = _patterns(version, mask)
    grid = [[fixed.get((y, x), 0) for x in range(size)] for y in range(size)]
    bits = iter([word >> (7 - k) & 1 for word in words for k in range(8)])
    for y, x in _path(size):
        if (y, x) not in fixed:
            grid[y][x] = next(bits, 0) ^ MASKS[mask](y, x)
    return grid


def _path(size: int) -> Iterator[tuple[int, int]]:
    """From the lower right corner, up and down in columns of two, past the column of the timing pattern."""
    up = True
    for right in [*range(size - 1, 6, -2), 5, 3, 1]:
        for y in range(size - 1, -1, -1) if up else range(size):
            yield y, right
            yield y, right - 1
        up = not up


def _patterns(version: int, mask: int) -> dict[tuple[int, int], int]:
    """All that is not data: (row, column) to module."""
    size, fixed = 17 + 4 * version, dict[tuple[int, int], int]()
    for k in range(size):
        fixed[6, k] = fixed[k, 6] = 1 - k % 2
    places = (6, *ALIGNMENT[version - 1])
    for y in places if version > 1 else ():
        for x in places:
            if (y, x) not in ((6, 6), (6, places[-1]), (places[-1], 6)):
                _square(fixed, y, x, 2, (0, 2), size)
    for y, x in ((3, 3), (3, size - 4), (size - 4, 3)):
        _square(fixed, y, x, 4, (0, 1, 3), size)
    form = _with_remainder(mask, 10, 0x537) ^ 0x5412  # the level M is 00
    for k in range(15):
        bit = form >> k & 1
        fixed[(k if k < 6 else k + 1 if k < 8 else size - 15 + k), 8] = bit
        fixed[8, (size - 1 - k if k < 8 else 15 - k if k < 9 else 14 - k)] = bit
    fixed[size - 8, 8] = 1
    if version > 6:
        number = _with_remainder(version, 12, 0x1F25)
        for k in range(18):
            fixed[k // 3, size - 11 + k % 3] = fixed[size - 11 + k % 3, k // 3] = number >> k & 1
    return fixed


def _square(fixed: dict[tuple[int, int], int], y: int, x: int, reach: int, dark: tuple[int, ...], size: int) -> None:
    """Squares around a point: dark at some distances, light at the others."""
    for dy in range(-reach, reach + 1):
        for dx in range(-reach, reach + 1):
            if 0 <= y + dy < size and 0 <= x + dx < size:
                fixed[y + dy, x + dx] = int(max(abs(dy), abs(dx)) in dark)


def _with_remainder(value: int, digits: int, divisor: int) -> int:
    """A number followed by its remainder, as binary polynomials."""
    rest = value << digits
    while rest.bit_length() > digits:
        rest ^= divisor << (rest.bit_length() - digits - 1)
    return value << digits | rest


def _penalty(grid: Grid) -> int:
    """How hard a code is to read: runs, blocks, what looks like a corner, uneven darkness."""
    size, lines = len(grid), ["".join(map(str, line)) for line in [*grid, *zip(*grid, strict=True)]]
    total = 0
    for line in lines:
        runs = [len(run) for run in line.replace("01", "0 1").replace("10", "1 0").split()]
        total += sum(run - 2 for run in runs if run > 4)
        for k in range(size - 10):
            total += 40 * (line[k : k + 11] in ("10111010000", "00001011101"))
    for y in range(size - 1):
        for x in range(size - 1):
            total += 3 * (grid[y][x] == grid[y][x + 1] == grid[y + 1][x] == grid[y + 1][x + 1])
    dark = sum(map(sum, grid))
    return total + 10 * (abs(20 * dark - 10 * size * size) // (size * size))
