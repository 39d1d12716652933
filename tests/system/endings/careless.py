"""A test that ends nothing and removes nothing: what becomes of it is tested beside it."""

from __future__ import annotations

import subprocess
import sys
import tempfile


def test_carelessly() -> None:
    tempfile.mkdtemp(prefix="localoracle_")
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
