"""Order of the example pages in their section; pages that are not listed come last, by name."""

ORDER = [
    "plot_cost",
    "plot_alert_budget",
    "plot_probabilities",
    "plot_extreme_rarity",
    "plot_many_categories",
    "run_large_table",
    "run_cluster",
    "plot_explain_one_case",
    "run_export",
    "plot_criteria",
    "plot_exact_search",
    "plot_self_tuning",
]


def position(filename: str) -> tuple[int, str]:
    """Return the sort key of an example."""
    name = filename.removesuffix(".py")
    return (ORDER.index(name) if name in ORDER else len(ORDER)), name
