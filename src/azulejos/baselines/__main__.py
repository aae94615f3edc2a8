"""`python -m azulejos.baselines train …`: the commands of this package without the others, and what they need."""

import argparse
import sys

from azulejos.core.errors import AzulejosError

from . import commands


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m azulejos.baselines", description=__doc__)
    commands.add(parser.add_subparsers(required=True, metavar="COMMAND"))
    try:
        chosen = parser.parse_args()
        return int(chosen.run(chosen))
    except (AzulejosError, OSError) as error:
        print(f"azulejos: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
