"""Slow, obvious twins of what the compiled core does fast.

Nothing here imports rarewood: the twins are written from the definitions, so
that a mistake in the core cannot hide in its own mirror.

- ``cases``: the criteria with their parameters, as the tests name them
- ``criteria``: the value of each criterion, in 60-digit decimals
- ``bulk``: the same values for many tables at once, in long doubles
- ``problem``: the rows of a classification problem
- ``cuts``: every split that a node may consider
- ``search``: the best of them, and the rule for ties
- ``tree``: growth, leaf probabilities and prediction
- ``audit``: walks a finished tree and checks every node against the rows that reach it
- ``random``: keyed random numbers
- ``row_sampling``: which rows a tree of a forest is grown on
- ``planes``: random hyperplanes
- ``chance``: what a node considers, and chooses, when features, cuts or planes are drawn
- ``random_tree``: growth with chance, and a walk over a finished tree that was grown with it
- ``forest``: a tree for each draw, and the mean of what their leaves say
- ``contributions``: what each column does to the probability of a row, node by node
- ``model_file``: a reader of model files, from their documentation
- ``operating``: operating points by looking at every threshold
"""
