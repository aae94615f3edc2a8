"""How close the compiled rules of two-player Azul come to a bit-packed loop in C, in turns on one core.

python bench/ceiling.py
"""

import shutil
import statistics
import subprocess
import tempfile
from pathlib import Path

import azulejos as az
from azulejos.bench import _Walker

ROUNDS, MOVES, SECONDS = 7, 3_000_000, 0.5


def main() -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        raise SystemExit("the yardstick needs a C compiler named cc")
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "ceiling"
        source = Path(__file__).with_name("ceiling.c")
        subprocess.run([compiler, "-O3", "-march=native", "-o", str(program), str(source)], check=True)
        walker = _Walker(az.make("azul"), seed=1)
        ours, theirs = [], []
        for turn in range(ROUNDS):
            printed = subprocess.run([program, str(MOVES), str(turn)], capture_output=True, text=True, check=True)
            theirs.append(float(printed.stdout.split()[0]))
            ours.append(walker.run(SECONDS)[0])
    ratio = statistics.median(mine / other for mine, other in zip(ours, theirs, strict=True))
    print(f"moves a second: compiled rules {max(ours):,.0f}, C loop {max(theirs):,.0f}; median ratio {ratio:.2f}")
    print(f"the C loop's games last {printed.stdout.split()[1]} moves on average")


if __name__ == "__main__":
    main()
