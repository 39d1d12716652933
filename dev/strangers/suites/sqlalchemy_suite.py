"""SQLAlchemy's suite for dialects of anybody."""

from strangers.outcomes import Outcomes
from strangers.suites import sqlalchemy_tests


def run() -> Outcomes:
    return sqlalchemy_tests.run("sqlalchemy_suite", "test/dialect/test_suite.py")
