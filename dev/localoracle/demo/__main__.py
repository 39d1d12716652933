"""`python -m localoracle.demo`: fill any Oracle database with the demo's tables, real ones included.

The users APP, DOCS and TEST are dropped with all they own and made anew, unless the same data is there
already. The password of the DBA comes from ORACLE_PASSWORD.
"""

from __future__ import annotations

import argparse
import os
import sys

import oracledb

from localoracle.demo.load import create_owners, fill


def main() -> int:
    parser = argparse.ArgumentParser("python -m localoracle.demo", description=__doc__)
    parser.add_argument("--dsn", required=True, metavar="HOST:PORT/SERVICE")
    parser.add_argument("--user", default="SYSTEM", help="a DBA; default: %(default)s")
    parser.add_argument("--scale", type=float, default=1.0, help="1 is about 330 MB")
    options = parser.parse_args()
    password = os.environ.get("ORACLE_PASSWORD")
    if not password:
        print("ORACLE_PASSWORD holds no password", file=sys.stderr)
        return 2
    loaded = fill(
        lambda: oracledb.connect(user=options.user, password=password, dsn=options.dsn),
        options.scale,
        create_owners,
        progress=print,
    )
    print("the data is there already" if loaded.already else f"filled in {loaded.seconds:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
