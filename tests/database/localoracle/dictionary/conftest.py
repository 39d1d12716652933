"""A bare cluster with everything the bootstrap makes, for tests that need no server."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from localoracle.instance.cluster import Cluster
from localoracle.instance.config import Instance
from support.stand_in import copy_tree, empty_cluster


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    root = Path(tempfile.mkdtemp(prefix="localoracle_catalog_"))
    cluster = Cluster(Instance("trial", root, 1))
    copy_tree(empty_cluster(), cluster.data)
    cluster.start()
    try:
        with cluster.connect() as connection:
            connection.execute(
                "SELECT localoracle.instance_started('trial', 1521, '/tmp/dumps', '/tmp/dbfs')"
            )
        yield cluster
    finally:
        cluster.close()
        shutil.rmtree(root, ignore_errors=True)


@pytest.fixture
def catalogue(cluster: Cluster) -> Iterator[psycopg.Connection[Any]]:
    """A superuser's connection to a database with the users APP and READER; rolled back afterwards."""
    with psycopg.connect(cluster.conninfo) as connection:
        connection.execute("SELECT localoracle.create_user('APP', '\\x00', '\\x00')")
        connection.execute("SELECT localoracle.create_user('READER', '\\x00', '\\x00')")
        yield connection
        connection.rollback()
