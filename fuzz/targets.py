"""The registry of targets: a new target is a line here."""

from __future__ import annotations

from fuzz.exports import EXPORTS
from fuzz.modelfiles import MODEL_FILES
from fuzz.sql import SQL
from fuzz.tablefiles import TABLE_FILES
from fuzz.tables import LAWS, TWIN
from fuzz.target import Target
from fuzz.workflow import WORKFLOW

TARGETS: dict[str, Target] = {
    target.name: target for target in (LAWS, TWIN, MODEL_FILES, TABLE_FILES, SQL, EXPORTS, WORKFLOW)
}
