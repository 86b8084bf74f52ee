"""``workflow.fit`` and ``workflow.predict`` on small files, against the estimators inside."""

from fuzz.tables.shrink import smaller
from fuzz.target import Target
from fuzz.workflow.check import check
from fuzz.workflow.draw import draw

WORKFLOW = Target(
    "workflow",
    "fits of workflow on a file, their model files and predictions, also of other packages",
    draw,
    check,
    smaller,
    share=0.04,
)
