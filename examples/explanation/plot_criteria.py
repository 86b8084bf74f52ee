"""
Criteria in pictures
====================

A criterion gives each split a value, and a tree takes the split with the highest one. What does it
look for, and what changes when one class is rare? :doc:`/criteria` has the formulas.
"""

# %%
# One feature, two criteria
# -------------------------
#
# Rare samples are drawn around 2, common ones around 0. Which cut is the best one? With equally
# many of both, all criteria agree on the middle. With 200 common samples for each rare one, the
# Gini impurity moves to the right, where a child with a majority of rare samples can be had; the
# Hellinger distance stays. It compares what fraction *of each class* goes to the left, so it does
# not matter how many there are.

import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import norm

from rarewood import criteria, plot

cuts = np.linspace(-2, 5, 141)
left_common, left_rare = norm.cdf(cuts), norm.cdf(cuts, 2)
colours = {"hellinger": "#0072b2", "gini": "#d55e00"}

figure, axes = plt.subplots(2, 1, figsize=(6.8, 6), layout="constrained", sharex=True)
for ax, skew in zip(axes, [1, 200], strict=True):
    for name, colour in colours.items():
        values = [
            criteria.score(
                name, [[1000 * r, 1000 * skew * c], [1000 * (1 - r), 1000 * skew * (1 - c)]]
            )
            for r, c in zip(left_rare, left_common, strict=True)
        ]
        values = np.array(values) / max(values)
        ax.plot(cuts, values, color=colour, label=name)
        ax.axvline(cuts[values.argmax()], color=colour, linestyle=":")
    for centre, colour, label in [(0, "grey", "common"), (2, "black", "rare")]:
        ax.fill_between(cuts, 0.5 * norm.pdf(cuts, centre), color=colour, alpha=0.25, label=label)
    ax.set(title=f"{skew} common samples for each rare one", ylabel="value / largest value")
axes[1].set_xlabel("cut")
axes[0].legend(loc="upper left")

# %%
# Is one of them right? Neither: the Gini impurity looks for the cut with the fewest errors, the
# Hellinger distance for the one that separates the classes best. A tree goes on splitting, so the
# two often arrive at the same place. :doc:`/study` measures what the choice of the criterion is
# worth against that of the threshold.
#
# Isometrics
# ----------
#
# A split of a node with two classes sends a fraction of each class to its first child: the true
# positive rate and the false positive rate. An isometric connects splits of equal value. Splits on
# the diagonal carry no information. This is figure 1 of Cieslak and Chawla (2008), and figure 2 of
# Liu et al. (2010): information gain, with classes of equal size and with ten times as many
# negatives. rarewood uses natural logarithms; in bits the values are larger by a factor of 1.44.

figure, axes = plt.subplots(1, 2, figsize=(10.5, 4.4), layout="constrained")
for ax, skew in zip(axes, [(1, 1), (1, 10)], strict=True):
    plot.isometrics("entropy", skew, ax=ax)

# %%
# Hellinger distance (their figure 4) and class confidence proportion (figure 3 of Liu et al.) have
# the same lines whatever the skew. Here it is one to a thousand:

figure, axes = plt.subplots(1, 2, figsize=(10.5, 4.4), layout="constrained")
for ax, criterion in zip(axes, ["hellinger", "ccp_entropy"], strict=True):
    plot.isometrics(criterion, (1, 1000), ax=ax)

# %%
# Value surfaces
# --------------
#
# The same values as surfaces: figure 5 of Cieslak and Chawla. The surface of ``dkm`` flattens with
# increasing skew; that of ``hellinger`` is the same for every skew. Equal ``limits`` make the
# heights comparable.

figure = plt.figure(figsize=(11, 8), layout="constrained")
panels = [("hellinger", (1, 100), None), *[("dkm", (1, n), (0, 1)) for n in (1, 10, 100)]]
for place_in_grid, (criterion, skew, limits) in enumerate(panels, start=1):
    ax = figure.add_subplot(2, 2, place_in_grid, projection="3d")
    plot.value_surface(criterion, skew, limits=limits, ax=ax)

# %%
# Figure 4 of Liu et al. shows the entropy after a split, which is the entropy of the node minus
# the information gain: the surface of ``entropy`` or ``ccp_entropy`` upside down.
#
# All criteria under skew
# -----------------------
#
# All criteria at 1:1, 1:10 and 1:100. Lines are drawn at fractions of the largest gain of a panel,
# so they show the order in which splits are preferred; the largest value is in the corner. The
# heading states what is the same in all panels of a criterion: the values, only the order of the
# splits, or neither.

plot.skew_gallery()

# %%
# The values of ``hellinger``, ``ccp_entropy`` and ``ccp_gini`` do not depend on skew. Those of
# ``dkm`` shrink, but the order of the splits is the same. ``gini``, ``gain_ratio`` and ``dcsm``
# change most. ``entropy``, ``ihd`` and ``alpha`` of small orders change less: their lines bend
# towards the side of the negatives, and their values shrink. The exact behaviour of each criterion
# is described under :doc:`criteria </criteria>`.
#
# Alpha sweep
# -----------
#
# Figure 1 of Park and Ghosh (2011): trees of three levels are grown with the alpha divergence, for
# a range of alpha, and measured by five-fold cross-validation. They expect the precision of the
# rare class to rise with alpha, and the negative predictive value to fall. The dotted lines are
# least-squares fits.

from sklearn.datasets import load_digits

digits = load_digits()
plot.alpha_sweep(digits.data, np.where(digits.target == 0, "zero", "other"))

# %%
# The zeros among the digits behave as in the paper. Other data do not: with the nines, the
# negative predictive value rises with alpha, because trees of a small alpha and three levels
# hardly ever predict a nine.
