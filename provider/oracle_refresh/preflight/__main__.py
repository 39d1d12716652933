"""`python -m oracle_refresh.preflight`: see `oracle_refresh.preflight_command`."""

from __future__ import annotations

import sys

from oracle_refresh.preflight_command import main

sys.exit(main())
