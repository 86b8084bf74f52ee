"""One cluster of two worker processes for all tests of this folder."""

from __future__ import annotations

import dask
import pytest
from distributed import Client, LocalCluster


@pytest.fixture(scope="package")
def cluster():
    # Dask looks for a lost worker once, after 15 seconds, and gives up its place if none is there.
    # By then another test may just have killed the one that came.
    with (
        dask.config.set({"distributed.deploy.lost-worker-timeout": "1 hour"}),
        LocalCluster(
            n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
        ) as running,
    ):
        yield running


@pytest.fixture
def client(cluster):
    """A client of the cluster, which has both of its workers."""
    with Client(cluster) as connected:
        connected.wait_for_workers(2, timeout=60)
        yield connected
