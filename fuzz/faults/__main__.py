"""Run all faults: ``python -m fuzz.faults --kills 200 --fits 100 --seed 1``."""

from __future__ import annotations

import argparse
import secrets
import sys
from pathlib import Path
from random import Random

from fuzz.faults.cluster import kill_workers
from fuzz.faults.kills import kill_many
from fuzz.faults.places import check_places
from fuzz.faults.scene import Scene, temporary_folder
from fuzz.faults.together import check_clock, check_two


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m fuzz.faults", description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--fits", type=int, default=100, help="on a cluster losing workers")
    parser.add_argument("--seed", type=int, default=None)
    arguments = parser.parse_args()
    seed = secrets.randbelow(2**31) if arguments.seed is None else arguments.seed
    print(f"seed {seed}", flush=True)
    random, problems = Random(seed), []
    with temporary_folder() as name:
        folder = Path(name)
        undisturbed = Scene.make(folder, "undisturbed")
        for command in ("compare", "fit"):
            code, errors = undisturbed.run(command)
            assert code == 0, errors
        model = (undisturbed.folder / "model").read_bytes()
        for title, found in (
            ("places", lambda: check_places(folder, model)),
            ("clock", lambda: check_clock(folder, undisturbed.scores())),
            ("two processes", lambda: check_two(folder, undisturbed.scores())),
            ("kills", lambda: kill_many(folder, arguments.kills, random)),
            ("cluster", lambda: kill_workers(arguments.fits, random)),
        ):
            new = found()
            print(f"{title}: {len(new)} problems", *new, sep="\n  ", flush=True)
            problems += new
    print(f"{len(problems)} problems", flush=True)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
