"""
Trees and importances
=====================

The data are the optical digits of scikit-learn, with eight as the rare class.
"""

import numpy as np
from sklearn.datasets import load_digits

from rarewood import RareForestClassifier, RareTreeClassifier, plot

digits = load_digits()
X, y = digits.data, np.where(digits.target == 8, "eight", "other")

# %%
# A tree
# ------

tree = RareTreeClassifier(max_depth=6).fit(X, y)
plot.tree(tree, feature_names=digits.feature_names)

# %%
# A node shows its split, with the answers on the branches. The bar shows the fractions of the
# classes, with the rarest class in vermilion. Below the bar are the numbers of training samples
# and the p-value: the probability that a node of this size gets as many samples of its class by
# chance. Leaves are grey and show the predicted class with its probability. Marks count the leaves
# below ``max_depth``.
#
# Nodes with many children and hyperplanes are drawn in the same way. Of a node with more than ten
# children, those with the smallest p-values are shown.

from sklearn.datasets import load_wine

wine = load_wine()
planes = RareTreeClassifier(splitter="oblique", max_depth=3, random_state=0)
planes.fit(wine.data, wine.target_names[wine.target])
plot.tree(planes, feature_names=wine.feature_names)

# %%
# As text for Graphviz and Mermaid
# ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
#
# Neither needs matplotlib. ``export_graphviz`` writes DOT, for ``dot -Tsvg`` and similar tools.
# ``export_mermaid`` writes a flowchart for Markdown, which GitHub and others render.

from rarewood import export_graphviz, export_mermaid

print(export_graphviz(tree, max_depth=2, feature_names=digits.feature_names))
print(export_mermaid(tree, max_depth=2, feature_names=digits.feature_names))

# %%
# ``export_text`` returns a tree as plain text; see :doc:`reading the tree </quickstart>`.
#
# Feature importances
# -------------------

forest = RareForestClassifier(random_state=0).fit(X, y)
plot.feature_importances(forest, feature_names=digits.feature_names, max_features=15)

# %%
# A bar is the mean over the trees, and the line their interquartile range. A single tree has no
# line.
