"""`python -m oracle_refresh.tuning`: see `oracle_refresh.tuning.command`."""

from __future__ import annotations

import sys

from oracle_refresh.tuning.command import main

sys.exit(main())
