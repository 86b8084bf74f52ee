"""One cluster of two worker processes for all tests of this folder, and one xdist worker."""

from __future__ import annotations

from pathlib import Path

import pytest
from distributed import Client, LocalCluster


def pytest_collection_modifyitems(items):
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("cluster"))


@pytest.fixture(scope="session")
def cluster():
    with LocalCluster(
        n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
    ) as running:
        yield running


@pytest.fixture
def client(cluster):
    """A client of the cluster, which has both of its workers."""
    with Client(cluster) as connected:
        connected.wait_for_workers(2, timeout=60)
        yield connected
