"""The experiments, by name."""

from __future__ import annotations

import difflib

from reproduction.experiment import Experiment
from reproduction.experiments import beat, ccpdt, hddt, hedex, ihd
from reproduction.printed_table import PrintedTable
from reproduction.searches import with_searches

__all__ = ["find", "names", "printed"]

EXPERIMENTS: dict[str, Experiment] = {
    experiment.name: experiment
    for paper in (hddt, ccpdt, beat, ihd, hedex)
    for experiment in with_searches(paper.EXPERIMENTS)
}


def names() -> list[str]:
    """Return the names of all tables and figures.

    Returns
    -------
    names : list of str
        Paper by paper.

    Examples
    --------
    >>> import reproduction
    >>> reproduction.names()[:3]
    ['hddt-table2', 'hddt-table3', 'hddt-table3-lookahead']
    """
    return list(EXPERIMENTS)


def find(name: str) -> Experiment:
    """Return an experiment by name."""
    if name not in EXPERIMENTS:
        near = difflib.get_close_matches(name, EXPERIMENTS, n=3, cutoff=0.5)
        hint = f" Did you mean {', '.join(map(repr, near))}?" if near else ""
        raise ValueError(f"Unknown table {name!r}.{hint} See reproduction.names().")
    return EXPERIMENTS[name]


def printed(name: str) -> PrintedTable:
    """Return a table as printed in its paper.

    Parameters
    ----------
    name : str
        A name of :func:`names`.

    Returns
    -------
    table : PrintedTable
        The cells, with their source, known misprints and notes.

    Examples
    --------
    >>> import reproduction
    >>> table = reproduction.printed("hddt-table2")
    >>> table.cell("Pima", "hddt")
    (0.76, 0.019)
    >>> table.source
    'Cieslak and Chawla, ECML PKDD 2008, table 2'
    """
    return find(name).printed()
