"""The simulation of large refreshes: it gives the studies' own measurements, and what bounds it is named."""

from __future__ import annotations

import pytest

from benchmarks.capacity import (
    ALL,
    CHAIN,
    CPUS,
    INDEX,
    LOB_MB,
    UNLOAD,
    UNLOAD_LOBS,
    Case,
    Course,
    Leg,
    Part,
    Resource,
    course,
    workers_that_pay,
)
from oracle_refresh.plan.stages import EXPORT, LOAD

READ = Leg(EXPORT, Resource("read", 40.0, 4), 20.0)
WRITE = Leg(LOAD, Resource("write", 20.0, 2), 10.0)


def case(*legs: Leg, megabytes: float = 800, shards: int = 8, nodes: int = 1) -> Case:
    return Case("case", nodes, 2, (Part("part", megabytes, shards, legs),))


@pytest.mark.parametrize(
    ("legs", "megabytes", "workers", "published"),
    [
        ((UNLOAD,), 19.40 * 1024, 32, 71.63),
        ((UNLOAD_LOBS,), LOB_MB, 32, 660.0),
    ],
    ids=["19.40 GB without LOBs", "LOB table"],
)
def test_it_gives_what_the_study_measured(legs, megabytes, workers, published):
    assert course(case(*legs, megabytes=megabytes, shards=32), workers).seconds == pytest.approx(
        published, rel=0.01
    )


def test_one_lob_worker_takes_as_long_as_the_study_s():
    assert course(case(UNLOAD_LOBS, megabytes=LOB_MB, shards=1), 1).seconds == pytest.approx(5400)


@pytest.mark.parametrize(
    ("workers", "nodes", "rate"), [(1, 1, 20), (2, 1, 20), (4, 1, 10), (64, 1, 10), (4, 2, 20), (64, 2, 10)]
)
def test_workers_share_what_a_node_gives(workers, nodes, rate):
    assert case(nodes=nodes).rate(READ, workers) == rate


@pytest.mark.parametrize(
    ("legs", "shards", "workers", "expected"),
    [
        ((READ,), 8, 1, Course(1, 40.0, ALL)),
        ((READ,), 8, 8, Course(8, 20.0, "read")),
        ((READ, WRITE), 8, 2, Course(2, 60.0, ALL)),
        ((WRITE,), 1, 8, Course(8, 80.0, CHAIN)),
    ],
    ids=["one worker", "the node", "two legs", "one shard"],
)
def test_what_binds(legs, shards, workers, expected):
    assert course(case(*legs, shards=shards), workers) == expected


def test_cpus_are_those_of_all_nodes():
    found = course(case(INDEX, nodes=2), 64)
    assert (found.seconds, found.binds) == (pytest.approx(800 / 4 / INDEX.worker_mb_s), CPUS.name)


@pytest.mark.parametrize(
    ("seconds", "workers"),
    [((100, 50, 25, 24.9, 20), 4), ((100, 96), 1), ((100, 50, 25), 4), ((100,), 1)],
    ids=["then no more", "none", "the most", "one"],
)
def test_workers_that_pay(seconds, workers):
    courses = [Course(2**power, each, ALL) for power, each in enumerate(seconds)]
    assert workers_that_pay(courses) == workers
