"""Rules and their SQL against the tree, in SQLite and in DuckDB."""

from fuzz.sql.check import check
from fuzz.sql.draw import draw, smaller
from fuzz.target import Target

SQL = Target(
    "sql",
    "rules, and their SQL in SQLite and DuckDB, predict what the tree predicts",
    draw,
    check,
    smaller,
    share=0.05,
)
