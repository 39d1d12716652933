"""What others test their clients of Oracle with, run against the stand-in: `make strangers`."""
