"""`python -m localoracle.client expdp|impdp PARAMETERS`: what bin/expdp and bin/impdp run."""

from __future__ import annotations

import sys

from localoracle.client.command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
