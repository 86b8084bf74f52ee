"""
Fit on a cluster
================

The rows are on several machines, or one machine is too slow. Connect to a Dask cluster and use
:class:`rarewood.dask.DaskRareForestClassifier`: it has the parameters of ``RareForestClassifier``
and gives the same model, bit for bit, even if workers are lost during the fit.
"""

# %%
# This page starts two small workers in its own process. On your cluster, replace the first line by
# ``client = Client("tcp://scheduler:8786")``.

from distributed import Client, LocalCluster

cluster = LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=":0")
client = Client(cluster)

# %%
# The table is a Dask DataFrame, or a path that all workers can read, such as
# ``s3://bucket/payments/``:

import dask.dataframe as dd
import numpy as np
import pandas as pd

from rarewood.dask import DaskRareForestClassifier

rng = np.random.default_rng(0)
table = pd.DataFrame({"amount": rng.lognormal(3, 1, 20_000), "hour": rng.integers(0, 24, 20_000)})
table["fraud"] = rng.random(20_000) < np.where(table["amount"] > 150, 0.3, 0.002)
payments = dd.from_pandas(table, npartitions=8)

model = DaskRareForestClassifier(40, random_state=0)
model.fit(payments, "fraud")
probability = model.predict_proba(payments[["amount", "hour"]])  # a Dask array
print(f"highest probability {probability[:, 1].max().compute():.2f}")

# %%
# ``to_local`` returns an ordinary forest, which needs no Dask, for one machine, for plots, and for
# a model file:

from rarewood import RareForestClassifier

local = model.to_local()
same = RareForestClassifier(40, random_state=0).fit(table, "fraud")
X = table[["amount", "hour"]]
print("equal:", (local.predict_proba(X) == same.predict_proba(X)).all())

client.close()
cluster.close()

# %%
# .. image:: /scaling.svg
#    :alt: Workers encode rows; a coordinator grows trees from the codes
#
# Trees are distributed as long as the encoded table fits into the memory of each worker, rows
# otherwise: :doc:`/dask`. How the algorithm works and how long it takes: :doc:`/scaling`.
