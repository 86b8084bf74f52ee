"""Workers end with their parent, also before their first task."""

from __future__ import annotations

import subprocess
import sys

import psutil
import pytest
from joblib import Parallel

from rarewood.evaluate._parent import watched_from_the_start

# The parent is killed while it writes the first task of a worker.
SCRIPT = """
import os, signal, sys
from multiprocessing import connection

import psutil
from joblib import Parallel, delayed
from rarewood.evaluate._parent import watched_from_the_start

send = connection.Connection._send

def send_a_part(self, data, *rest):
    if len(data) < 10**6:
        return send(self, data, *rest)
    os.write(self._handle, data[:1000])
    print(*(child.pid for child in psutil.Process().children()), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)

connection.Connection._send = send_a_part
more = watched_from_the_start(Parallel)
Parallel(n_jobs=2, max_nbytes=None, **more)(delayed(len)(bytes(10**6)) for _ in range(2))
"""


@pytest.mark.skipif(not watched_from_the_start(Parallel), reason="joblib takes no initializer")
def test_a_worker_whose_first_task_is_cut_off_ends():
    parent = subprocess.Popen([sys.executable, "-c", SCRIPT], stdout=subprocess.PIPE, text=True)
    with parent:
        pids = [int(pid) for pid in parent.stdout.readline().split()]
        parent.stdout.close()  # its workers hold the other end
    workers = [psutil.Process(pid) for pid in pids if psutil.pid_exists(pid)]
    _, alive = psutil.wait_procs(workers, timeout=30)
    alive = [one for one in alive if one.status() != psutil.STATUS_ZOMBIE]
    for one in alive:
        one.kill()
    assert not alive
