"""SQLAlchemy's tests of its Oracle dialect.

Those of `OracledbMode` with thick mode need Oracle's client libraries, which no package index has.
"""

from strangers.outcomes import Outcomes
from strangers.suites import sqlalchemy_tests


def run() -> Outcomes:
    return sqlalchemy_tests.run("sqlalchemy_dialect", "test/dialect/oracle")
