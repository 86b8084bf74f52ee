"""What a fit takes from a comparison: table, model and settings."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from rarewood.workflow._reading import Reading
from rarewood.workflow._run_folder import Plan, RunFolder

if TYPE_CHECKING:
    from rarewood.intake._prepare import PreparedTable
    from rarewood.intake._prepare_stream import PreparedStream

_DEFAULT = "rare-forest"


@dataclass(frozen=True)
class RunSettings:
    """The table, the recommended model and the settings of a finished run."""

    folder: Path
    plan: Plan
    key: str | None  # of the table and the splits
    recommended: str | None  # None for a run that is not finished

    @classmethod
    def of(cls, run: Any) -> RunSettings:
        """Read the folder of a run, or that of a Comparison."""
        path = run if isinstance(run, (str, os.PathLike)) else run.folder
        folder = RunFolder.find(Path(path))
        if not folder.run.is_file():
            raise ValueError(f"{folder.path} has no run.json, which tells the table and the plan.")
        about = folder.read_json(folder.run)
        try:
            plan = Plan(**about["plan"])
        except (KeyError, TypeError) as error:
            raise ValueError(
                f"{folder.run} is damaged: it has no plan of the comparison."
            ) from error
        recommended = None
        if about.get("state") == "finished" and folder.summary.is_file():
            recommended = folder.read_json(folder.summary).get("verdict", {}).get("recommended")
        return cls(folder.path, plan, about.get("key"), recommended)

    def model(self) -> str:
        """Return the name of the recommended model."""
        if self.recommended is None:
            raise ValueError(
                f"The run {self.folder} is not finished, so it recommends no model yet. Finish it "
                "with the same 'rarewood compare', or choose a `model`."
            )
        return self.recommended

    def data(self) -> str:
        """Return the path of the table, or the name of the data set."""
        if self.plan.data == "table":  # files have full paths
            raise ValueError(
                f"The run {self.folder} compared models on a table in memory: pass it as `data`."
            )
        return self.plan.data

    def reading(self, given: Reading) -> Reading:
        """Return how the run read the table, with what is given besides.

        The sample of a quick comparison is not used: the model is fitted on all rows.
        """
        found = dict(self.plan.reading)
        if self.plan.quick:
            found.pop("sample", None)
        return cast(Reading, found | {name: value for name, value in given.items() if value})


@dataclass(frozen=True)
class FitSettings:
    """What to fit on what; from a run, unless given."""

    data: Any
    target: str | None
    pos_label: Any
    model: Any
    threshold: Any
    random_state: int
    reading: Reading
    run: RunSettings | None = None

    @classmethod
    def of(
        cls, data: Any, target: str | None, pos_label: Any, model: Any, threshold: Any,
        random_state: int | None, reading: Reading, run: Any,
    ) -> FitSettings:  # fmt: skip
        """Complete what is not given, None or "auto", by what a run used."""
        if run is None:
            if data is None:
                raise ValueError("There is no table: pass `data`, or a comparison as `from_run`.")
            model = _DEFAULT if model is None else model
            return cls(data, target, pos_label, model, threshold, random_state or 0, reading)
        found = RunSettings.of(run)
        plan = found.plan
        is_auto = isinstance(threshold, str) and threshold == "auto"
        return cls(
            found.data() if data is None else data,
            target or plan.target,
            plan.pos_label if pos_label is None else pos_label,
            found.model() if model is None else model,
            plan.goal if is_auto and plan.goal else threshold,
            plan.random_state if random_state is None else random_state,
            found.reading(reading),
            found,
        )

    def warnings(self, prepared: PreparedTable | PreparedStream) -> list[str]:
        """Return a sentence if the table is not the one that the run compared models on."""
        run, n_rows = self.run, prepared.findings.n_rows
        if run is None:
            return []
        if run.plan.quick and run.plan.reading.get("sample"):
            sample = run.plan.reading["sample"]
            return [f"the quick comparison used at most {sample:,} of the {n_rows:,} rows"]
        same = {name: value for name, value in self.reading.items() if value} == run.plan.reading
        is_table = hasattr(prepared, "X")
        if not same or not is_table or run.key in (None, run.plan.key(cast(Any, prepared))):
            return []
        return [
            f"the table is not the one of {run.folder}: rows, columns or labels differ from those "
            "that the models were compared on"
        ]
