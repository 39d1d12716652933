"""A test that ends and removes nothing but its fixtures: `test_endings.py` runs it."""

from __future__ import annotations

import subprocess
import sys
import tempfile

from support.stand_in import Server


def test_carelessly(oracle: Server) -> None:
    tempfile.mkdtemp(prefix="localoracle_")
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
