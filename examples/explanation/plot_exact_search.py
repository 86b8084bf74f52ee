"""
How the exact search works
==========================

A tree evaluates cuts of every feature in every node. The usual ways are to sort the values and
evaluate every cut, which is exact and slow, or to divide the values into bins and evaluate only
the edges of the bins, which is fast and approximate. rarewood counts in bins and is exact: it
proves for most bins that they cannot contain a better cut, and looks only into the others.
"""

# %%
# Step 1: count the classes in bins
# ---------------------------------
#
# The running counts of both classes give the value of the criterion at each edge. Here are 20 bins
# of a feature with 3,000 samples, of which 4% are rare; the grey line is the value at every
# possible cut, which the search does not know yet.

from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np

from rarewood import criteria

rng = np.random.default_rng(5)
is_rare = rng.random(3000) < 0.04
order = np.argsort(np.where(is_rare, rng.normal(1.6, 0.7, 3000), rng.normal(0, 1, 3000)))
rare = np.concatenate([[0], np.cumsum(is_rare[order])])
common = np.arange(3001) - rare


def score(n_rare, n_common):
    """Hellinger distance of the cut with these counts on its left."""
    left, right = [n_rare, n_common], [rare[-1] - n_rare, common[-1] - n_common]
    return criteria.score("hellinger", [left, right])


edges = np.linspace(0, 3000, 21).astype(int)
at_edges = np.array([score(rare[i], common[i]) for i in edges])
best_edge = at_edges.max()

# %%
# Step 2: bound what a bin can contain
# ------------------------------------
#
# A cut inside a bin has at least the left counts of its lower edge, and at most those of its upper
# edge: it lies in a box. Nearly all criteria are convex in these counts, so no point of the box
# has a higher value than its best corner. That corner is the most favourable order of the samples
# in the bin: first all rare ones, then all common ones, or the reverse.

bounds = np.array(
    [max(score(r, c) for r in rare[[a, b]] for c in common[[a, b]]) for a, b in pairwise(edges)]
)
is_open = bounds >= best_edge
print(f"{is_open.sum()} of {len(bounds)} bins can contain a better cut")

# %%
# Step 3: look into the bins that remain
# --------------------------------------
#
# Only bins whose bound reaches the best edge are sorted and searched. And within a run of samples
# of one class the best cut is at an end of the run, so only cuts next to a change of class are
# evaluated.

every_cut = np.array([score(rare[i], common[i]) for i in range(3001)])

figure, ax = plt.subplots(figsize=(7.6, 4.6), layout="constrained")
for (a, b), bound, look in zip(pairwise(edges), bounds, is_open, strict=True):
    colour = "#d55e00" if look else "#0072b2"
    ax.fill_between([a, b], 0, bound, color=colour, alpha=0.2, linewidth=0)
    ax.hlines(bound, a, b, color=colour, linewidth=1)
ax.plot(every_cut, color="grey", linewidth=1, label="every cut")
ax.plot(edges, at_edges, "o", color="black", markersize=4, label="edges of bins")
ax.axhline(best_edge, color="black", linestyle="--", linewidth=1, label="best edge")
ax.plot(every_cut.argmax(), every_cut.max(), "*", color="#d55e00", markersize=14, label="best cut")
ax.set(xlim=(0, 3000), ylim=(0, 1.1), xlabel="samples on the left", ylabel="Hellinger distance")
ax.legend(loc="upper left")
ax.set_title("Blue bins are skipped: their bound is below the best edge")

# %%
inside = np.concatenate(
    [np.arange(a + 1, b) for a, b in zip(edges[:-1][is_open], edges[1:][is_open], strict=True)]
)
changes = [i for i in inside if is_rare[order][i - 1] != is_rare[order][i]]
best = max([best_edge, *(score(rare[i], common[i]) for i in changes)])
print(f"every cut: {len(every_cut)} values of the criterion, best {every_cut.max():.6f}")
print(f"bounded:   {len(edges) + 2 * len(bounds) + len(changes)} values, best {best:.6f}")
assert best == every_cut.max()

# %%
# What makes it fast
# ------------------
#
# * **Two sums per bin.** The histogram of one child is counted, that of its sibling is the
#   difference to the parent.
# * **A fast and a precise formula.** A vectorized version of the criterion, with a known error,
#   finds the candidates; the precise one decides between those that are too close. A tree
#   therefore never depends on rounding in the fast version.
# * **The whole node at once.** The best value so far, over all features, is the line that a bin
#   has to reach. A useless feature is usually excluded without sorting anything.
# * **Small nodes are sorted at once**, since bins would not pay.
#
# The tests compare the search with one that sorts and evaluates every cut, node by node. Measured
# against other libraries: :doc:`/benchmarks/fit_tree`. For tables that are very large, or not in
# memory, ``max_bins`` stops after step 1: :doc:`/scaling`.
