"""What another user of the machine reaches of a running stand-in: its port, and nothing else."""

from __future__ import annotations

import os
import pwd
import socket
from pathlib import Path

import psycopg

from localoracle.instance.cluster import DATABASE, Cluster
from support.another_user import as_another_user, only_root_becomes_him
from support.stand_in import Schema, Server

pytestmark = only_root_becomes_him

EXPORT = """
declare
  h number := dbms_datapump.open('EXPORT', 'TABLE', null, 'SECRETS_EXPORT');
  state varchar2(30);
begin
  dbms_datapump.add_file(h, 'secrets.dmp', 'DATA_PUMP_DIR');
  dbms_datapump.add_file(h, 'secrets.log', 'DATA_PUMP_DIR', filetype => dbms_datapump.ku$_file_type_log_file);
  dbms_datapump.metadata_filter(h, 'NAME_EXPR', q'[= 'SECRETS']');
  dbms_datapump.start_job(h);
  dbms_datapump.wait_for_job(h, state);
end;"""


def superuser(server: Server) -> str:
    """Who starts a program on the machine through the stand-in's PostgreSQL."""
    host = Cluster(server.instance).socket_directory
    with psycopg.connect(f"host={host} user=postgres dbname={DATABASE}", connect_timeout=10) as connection:
        connection.execute("CREATE TEMPORARY TABLE told (line text)")
        connection.execute("COPY told FROM PROGRAM 'id --user --name'")
        ((name,),) = connection.execute("SELECT line FROM told").fetchall()
    return str(name)


def test_postgres_knows_its_owner_alone(oracle: Server) -> None:
    assert superuser(oracle) == "pgserver"
    assert "Permission denied" in as_another_user(lambda: superuser(oracle))


def test_nor_does_it_believe_another_user_who_gets_to_its_socket(oracle: Server) -> None:
    """The folders are one wall, what the kernel says of who connects is another one."""
    folder = Cluster(oracle.instance).socket_directory
    (listening,) = (path for path in folder.glob(".s.PGSQL.*") if path.is_socket())
    group = pwd.getpwnam("pgserver").pw_gid
    folder.chmod(0o770)
    listening.chmod(0o770)
    try:
        told = as_another_user(lambda: superuser(oracle), group)
    finally:
        folder.chmod(0o700)
        listening.chmod(0o700)
    assert "Peer authentication failed" in told


def test_no_file_is_readable(oracle: Server, schema: Schema) -> None:
    """Data, dump files and their log, the log of statements, keys, what the server says."""
    with oracle.connect() as system:
        system.cursor().execute(f"GRANT READ, WRITE ON DIRECTORY data_pump_dir TO {schema.name}")
    schema.connection.cursor().execute("CREATE TABLE secrets AS SELECT 'a row' line FROM dual")
    schema.connection.cursor().execute(EXPORT)
    home = oracle.instance.root.parent
    files = [Path(folder, name) for folder, _, names in os.walk(home) for name in names]
    assert {"secrets.dmp", "secrets.log", "statements.jsonl", "server.log", "PG_VERSION"} <= {
        file.name for file in files
    }

    def readable() -> str:
        return " ".join(str(file) for file in files if os.access(file, os.R_OK))

    assert as_another_user(readable) == ""


def test_no_folder_lets_him_in(oracle: Server) -> None:
    folders = [oracle.instance.root, Cluster(oracle.instance).socket_directory]
    folders += [path for path in oracle.instance.root.rglob("*") if path.is_dir()]

    def entered() -> str:
        rights = os.R_OK, os.W_OK, os.X_OK
        return " ".join(
            str(folder) for folder in folders if any(os.access(folder, right) for right in rights)
        )

    assert as_another_user(entered) == ""


def test_the_port_is_open_to_all_who_know_a_password(oracle: Server) -> None:
    """Otherwise the tests above would only show that he can do nothing at all."""

    def connect() -> str:
        with socket.create_connection(("127.0.0.1", oracle.instance.port), 10):
            return "connected"

    assert as_another_user(connect) == "connected"
