"""`python -m stack refresh|up|down`: what `make refresh`, `make up` and `make down` call."""

from __future__ import annotations

import argparse
import sys
import time

from stack import airflow, databases, refresh, settings


def _up(scale: float) -> airflow.Api:
    started = time.monotonic()
    print("starting two databases and Airflow ...", flush=True)
    airflow.start()
    databases.start(scale)
    print(
        f"  databases ready, source filled at scale {scale:g}: {time.monotonic() - started:.1f} s", flush=True
    )
    api = airflow.Api()
    api.wait_until_ready(settings.DAG_ID)
    api.ensure_pools(settings.POOLS)
    print(f"  Airflow ready: {time.monotonic() - started:.1f} s", flush=True)
    return api


def _down() -> None:
    airflow.stop()
    databases.stop()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m stack", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("refresh", help="run one refresh end to end, then stop everything")
    one.add_argument("--scale", type=float, default=1.0, help="size of the demo source; 1 is about 330 MB")
    one.add_argument(
        "--definition",
        default="demo",
        help="a refresh definition: a name in include/refreshes, or a path ending in .yaml",
    )
    one.add_argument("--keep", action="store_true", help="leave the databases and Airflow running")
    up = commands.add_parser("up", help="start everything and leave it running")
    up.add_argument("--scale", type=float, default=1.0)
    commands.add_parser("down", help="stop everything")
    options = parser.parse_args()

    if options.command == "down":
        _down()
        return 0
    started = time.monotonic()
    if options.command == "up":
        _up(options.scale)
        print(f"Airflow: {settings.AIRFLOW_URL}  (no password; loopback only)")
        return 0
    try:
        api = _up(options.scale)
        run_id, state = refresh.run(api, {"definition": options.definition})
        if state != "success":
            refresh.failures(api, run_id)
            return 1
        report = refresh.summary()
        print(f"  whole command: {time.monotonic() - started:.1f} s")
        return 0 if report["status"] == "published" else 1
    finally:
        if not options.keep:
            _down()


if __name__ == "__main__":
    sys.exit(main())
