"""Run the search for some minutes: ``python -m fuzz --minutes 10 --seed 1``."""

from __future__ import annotations

import argparse
import json
import secrets
import sys
import time
from collections import Counter
from importlib import import_module
from pathlib import Path

from fuzz import corpus
from fuzz.reduce import reduce
from fuzz.target import ROOT, Failure, Target
from fuzz.targets import TARGETS
from fuzz.worker import Shift, outcome_apart, run_shift

SHIFT_SECONDS = 60.0
_ADDED = ("passed", "refused", "failed", "wall", "cpu")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=None, help="of the cases; by default a new one")
    parser.add_argument("--targets", default=",".join(TARGETS), help="names, separated by commas")
    parser.add_argument("--log", type=Path, default=None, help="a file of lines of JSON")
    parser.add_argument("--case", default=None, metavar="TARGET/SEED/NUMBER", help="only this case")
    parser.add_argument("--totals", type=Path, nargs="+", help="sum up the logs of earlier runs")
    arguments = parser.parse_args()
    if arguments.totals:
        print(totals(arguments.totals))
        return 0
    if arguments.case:
        return check_one(*arguments.case.split("/"))
    prepare()
    seed = secrets.randbelow(2**31) if arguments.seed is None else arguments.seed
    log = arguments.log or ROOT / "build" / "fuzz" / f"{time.strftime('%Y%m%d-%H%M%S')}-{seed}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    targets = [TARGETS[name] for name in arguments.targets.split(",")]
    print(f"seed {seed}; log {log}", flush=True)
    return search(targets, seed, arguments.minutes, log)


def prepare() -> None:
    """Import what the targets use, so that their processes need not: they are forked."""
    for name in ("duckdb", "pandas", "pyarrow.csv", "pyarrow.dataset", "pyarrow.feather",
                 "pyarrow.parquet", "rarewood.operating", "rarewood.stream"):  # fmt: skip
        import_module(name)


def check_one(name: str, seed: str, number: str) -> int:
    """Print a case and what comes of it."""
    case = TARGETS[name].case(int(seed), int(number))
    print(json.dumps(case, indent=1))
    print(outcome_apart(TARGETS[name], case))
    return 0


def search(targets: list[Target], seed: int, minutes: float, log: Path) -> int:
    """Check cases of all targets in turn, and keep a reduced case of every failure."""
    end = time.monotonic() + 60 * minutes
    total = {target.name: Shift() for target in targets}
    signatures: Counter[str] = Counter()
    shares = sum(target.share for target in targets)
    round_seconds = min(60 * minutes, SHIFT_SECONDS * len(targets))
    while time.monotonic() < end:
        for target in targets:
            seconds = min(round_seconds * target.share / shares, end - time.monotonic())
            if seconds <= 0:
                break
            shift = run_shift(target, seed, total[target.name].end, seconds)
            add(total[target.name], shift)
            _write(log, {"time": time.time(), "target": target.name, "seed": seed, **vars(shift)})
            for number, failure in shift.failures:
                keep(target, seed, number, failure, signatures, log)
    print(summary(total, signatures), flush=True)
    _write(log, {"seed": seed, "summary": {name: vars(one) for name, one in total.items()}})
    return 1 if signatures else 0


def add(total: Shift, shift: Shift) -> None:
    for name in _ADDED:
        setattr(total, name, getattr(total, name) + getattr(shift, name))
    total.end = shift.end


def keep(
    target: Target, seed: int, number: int, failure: Failure, signatures: Counter[str], log: Path
) -> None:
    """Reduce and store the first failure at each place; count the others."""
    signatures[failure.signature] += 1
    if signatures[failure.signature] > 1:
        return
    print(f"\nFAILURE {target.name}/{seed}/{number}: {failure.message[:500]}", flush=True)
    case = reduce(target, target.case(seed, number), failure)
    path = corpus.store(target, case, failure, seed, number)
    _write(log, {"target": target.name, "number": number, "failure": failure.message})
    print(f"  {failure.signature}\n  kept as {path.relative_to(ROOT)}", flush=True)


def summary(total: dict[str, Shift], signatures: Counter[str]) -> str:
    lines = [
        f"{'target':<14}{'cases':>10}{'refused':>9}{'failed':>8}{'cases/s':>9}{'cases/CPU s':>13}"
    ]
    for name, one in total.items():
        n = one.passed + one.refused + one.failed
        refused = f"{one.refused / max(n, 1):.1%}"
        rates = f"{n / max(one.wall, 1e-9):>9.0f}{n / max(one.cpu, 1e-9):>13.0f}"
        lines.append(f"{name:<14}{n:>10,}{refused:>9}{one.failed:>8}{rates}")
    everything = sum(one.passed + one.refused + one.failed for one in total.values())
    lines.append(f"{'total':<14}{everything:>10,}, failures at {len(signatures)} places")
    lines += [f"{n:>7} x {signature}" for signature, n in signatures.most_common()]
    return "\n".join(lines)


def totals(logs: list[Path]) -> str:
    """The summary of several runs, also of interrupted ones."""
    total = {name: Shift() for name in TARGETS}
    signatures: Counter[str] = Counter()
    for log in logs:
        for line in log.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            if "passed" in entry:
                failures = entry.pop("failures")
                add(total[entry["target"]], Shift(**{n: entry[n] for n in _ADDED}))
                signatures.update(failure["signature"] for _, failure in failures)
    return summary(total, signatures)


def _write(log: Path, entry: dict) -> None:
    with log.open("a", encoding="utf-8") as file:
        print(json.dumps(entry, default=vars), file=file)


if __name__ == "__main__":
    sys.exit(main())
