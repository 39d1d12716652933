"""`python -m oracle_refresh.plan`: see `oracle_refresh.plan_command`."""

from __future__ import annotations

import sys

from oracle_refresh.plan_command import main

sys.exit(main())
