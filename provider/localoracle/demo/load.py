"""Fills the demo source through the oracledb driver, as any client of an Oracle database would."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from localoracle.config import Instance
from localoracle.demo import documents
from localoracle.demo.business import Business
from localoracle.demo.people import People, Row

if TYPE_CHECKING:
    import oracledb

OWNERS = ("APP", "DOCS", "TEST")
BATCH_ROWS = 5_000
BATCH_BYTES = 8 << 20
_MARKER = "Demonstration data {form} at scale {scale:g}"

Progress = Callable[[str], None]


@dataclass
class Loaded:
    """What `load` did: rows by table, `seconds`; `already` when the data was there and nothing was done."""

    rows: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    already: bool = False


def load(instance: Instance, scale: float = 1.0, *, progress: Progress | None = None) -> Loaded:
    """Make the demo source: users, directory, schema and data; scale 1 is about 300 MB.

    A second call with the same scale does nothing; data of another scale or of an older form, and what an
    interrupted call left, is dropped and loaded again. Raises oracledb.Error when a statement fails,
    ValueError for a scale below 0.
    """
    with _connect(instance) as connection:
        return fill(
            connection,
            scale,
            lambda: _create_users(connection, instance, "users.sql", "users_source.sql"),
            progress=progress,
        )


def fill(
    connection: oracledb.Connection,
    scale: float,
    create_users: Callable[[], None],
    *,
    progress: Progress | None = None,
) -> Loaded:
    """The same through an open connection of a DBA; `create_users` makes the schemas' owners anew."""
    if scale <= 0:
        raise ValueError("scale must be greater than 0")
    began = time.monotonic()
    say = progress or (lambda text: None)
    marker = _MARKER.format(form=_form(), scale=scale)
    if _marker(connection) == marker:
        return Loaded(already=True)
    _drop_owners(connection)
    create_users()
    result = Loaded()
    statements = _statements("schema.sql")
    late = [text for text in statements if text.startswith(("CREATE INDEX", "CREATE TRIGGER", "GRANT"))]
    for text in statements:
        if text not in late:
            _execute(connection, text)
    foreign_keys = _foreign_keys(connection)
    for table, name in foreign_keys:
        _execute(connection, f'ALTER TABLE {table} DISABLE CONSTRAINT "{name}"')
    for table, rows in _tables(scale):
        result.rows[table] = _insert(connection, table, rows)
        say(f"{table}: {result.rows[table]} rows")
    for table, name in foreign_keys:
        _execute(connection, f'ALTER TABLE {table} ENABLE CONSTRAINT "{name}"')
    for text in late:
        _execute(connection, text)
    for owner in OWNERS:
        with connection.cursor() as cursor:
            cursor.callproc("DBMS_STATS.GATHER_SCHEMA_STATS", [owner])
    _execute(connection, f"COMMENT ON TABLE TEST.TESTTABLE IS '{marker}'")
    result.seconds = time.monotonic() - began
    return result


def prepare_target(instance: Instance) -> None:
    """Make users and the directory of the demo target; what is there already stays. Raises oracledb.Error."""
    with _connect(instance) as connection:
        _create_users(connection, instance, "users.sql", "users_target.sql")


def _connect(instance: Instance) -> oracledb.Connection:
    import oracledb

    from localoracle.server import DEFAULT_PASSWORD, PASSWORD_VARIABLE

    password = os.environ.get(PASSWORD_VARIABLE, DEFAULT_PASSWORD)
    return oracledb.connect(user="SYSTEM", password=password, dsn=instance.dsn)


def _form() -> str:
    """What tells the data of this version from that of another one."""
    package = resources.files("localoracle.demo")
    names = ("schema.sql", "people.py", "business.py", "numbers.py", "documents.py")
    parts = [package.joinpath(name).read_bytes() for name in names]
    return hashlib.sha256(b"".join(parts)).hexdigest()[:8]


def _statements(name: str) -> list[str]:
    """The statements of a script of this package; each ends with a line that holds only a slash."""
    text = resources.files("localoracle.demo").joinpath(name).read_text()
    lines = [line for line in text.splitlines() if not line.startswith("--")]
    return [part.strip() for part in "\n".join(lines).split("\n/") if part.strip()]


def _execute(connection: oracledb.Connection, text: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(text)


def _query(connection: oracledb.Connection, text: str, *values: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(text, list(values))
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows


def _marker(connection: oracledb.Connection) -> str | None:
    """The comment that the last step of a load leaves."""
    rows = _query(
        connection,
        "SELECT COMMENTS FROM DBA_TAB_COMMENTS WHERE OWNER = 'TEST' AND TABLE_NAME = 'TESTTABLE'",
    )
    return rows[0][0] if rows else None


def _users(connection: oracledb.Connection) -> set[str]:
    return {name for (name,) in _query(connection, "SELECT USERNAME FROM DBA_USERS")}


def _drop_owners(connection: oracledb.Connection) -> None:
    for owner in sorted(_users(connection).intersection(OWNERS)):
        _execute(connection, f"DROP USER {owner} CASCADE")


def create_owners(connection: oracledb.Connection) -> None:
    """Make the schemas' owners and the application account; who is there stays."""
    _run_scripts(connection, "users.sql")


def _create_users(connection: oracledb.Connection, instance: Instance, *scripts: str) -> None:
    dumps = instance.dump_directory / "refresh"
    dumps.mkdir(parents=True, exist_ok=True)
    # PostgreSQL may run as another system user than this process.
    dumps.chmod(0o777)
    _run_scripts(connection, *scripts, dumps=instance.dump_directory, dbfs=instance.dbfs_directory)


def _run_scripts(connection: oracledb.Connection, *scripts: str, **folders: Path) -> None:
    present = _users(connection)
    for script in scripts:
        for text in _statements(script):
            words = text.split()
            if words[:2] == ["CREATE", "USER"] and words[2] in present:
                continue
            _execute(connection, text.format(**folders))


def _foreign_keys(connection: oracledb.Connection) -> list[tuple[str, str]]:
    """Table and name of every foreign key: to be checked once after the load, not row by row."""
    rows = _query(
        connection,
        "SELECT OWNER, TABLE_NAME, CONSTRAINT_NAME FROM DBA_CONSTRAINTS"
        " WHERE OWNER IN ('APP', 'DOCS', 'TEST') AND CONSTRAINT_TYPE = 'R' ORDER BY 1, 2, 3",
    )
    return [(f'"{owner}"."{table}"', name) for owner, table, name in rows]


def _tables(scale: float) -> Iterator[tuple[str, Iterable[Row]]]:
    people = People(scale)
    yield "APP.COUNTRIES", people.countries()
    yield "APP.CUSTOMERS", people.customers()
    yield "APP.ACCOUNTS", people.accounts()
    yield "APP.ORDERS", people.orders()
    yield "APP.PAYMENTS", people.payments()
    yield "APP.EMPLOYEES", people.employees()
    business = Business(people)
    yield "APP.ADDRESSES", business.addresses()
    yield "APP.IDENTITY_DOCUMENTS", business.identity_documents()
    yield "APP.CARDS", business.cards()
    yield "APP.SUPPLIERS", business.suppliers()
    yield "APP.INVOICES", business.invoices()
    yield "APP.TRANSFERS", business.transfers()
    yield "APP.TICKETS", business.tickets()
    yield "APP.LOGINS", business.logins()
    yield "APP.DEPENDANTS", business.dependants()
    yield "DOCS.DOCUMENTS", documents.documents(scale, people.domains)
    yield "TEST.TESTTABLE", documents.test_table(scale)


_COLUMNS = {
    "APP.COUNTRIES": "COUNTRY_CODE, NAME",
    "APP.CUSTOMERS": "CUSTOMER_ID, FIRST_NAME, LAST_NAME, EMAIL, PHONE, BIRTH_DATE, NATIONAL_ID, "
    "STREET, CITY,"
    " POSTCODE, COUNTRY_CODE, STATUS, REMARKS, CREATED_AT",
    "APP.ACCOUNTS": "ACCOUNT_ID, CUSTOMER_ID, IBAN, BALANCE, OPENED",
    "APP.ORDERS": "ORDER_ID, ORDER_DATE, CUSTOMER_ID, AMOUNT, STATUS, COMMENTS",
    "APP.PAYMENTS": "PAYMENT_ID, ACCOUNT_ID, CARD_NUMBER, CARD_HOLDER, AMOUNT, PAID_AT, REFERENCE_ID",
    "APP.EMPLOYEES": "EMPLOYEE_ID, FIRST_NAME, LAST_NAME, EMAIL, HIRE_DATE, SALARY, RATING, MANAGER_ID",
    "APP.ADDRESSES": "ADDRESS_ID, CUSTOMER_ID, KIND, RECIPIENT, STREET, CITY, POSTCODE, COUNTRY_CODE",
    "APP.IDENTITY_DOCUMENTS": "DOCUMENT_NUMBER, CUSTOMER_ID, KIND, COUNTRY_CODE, HOLDER, NATIONAL_ID,"
    " ISSUED_ON, EXPIRES_ON",
    "APP.CARDS": "CARD_ID, CARD_NUMBER, CUSTOMER_ID, HOLDER, VERIFICATION, EXPIRES_ON, CREDIT_LIMIT",
    "APP.SUPPLIERS": "SUPPLIER_CODE, NAME, CONTACT_PERSON, EMAIL, PHONE, IBAN, TAX_NUMBER",
    "APP.INVOICES": "INVOICE_ID, SUPPLIER_CODE, CURRENCY, AMOUNT, PAY_TO_IBAN, DUE_ON",
    "APP.TRANSFERS": "TRANSFER_ID, ACCOUNT_ID, COUNTERPARTY, COUNTERPARTY_IBAN, PURPOSE, AMOUNT, BOOKED_AT",
    "APP.TICKETS": "TICKET_ID, REPORTER_EMAIL, CARD_NUMBER, HANDLED_BY, SUBJECT, MESSAGE",
    "APP.LOGINS": "LOGIN_ID, LOGIN_NAME, IP_ADDRESS, SUCCEEDED, LOGGED_IN_AT",
    "APP.DEPENDANTS": "DEPENDANT_ID, EMPLOYEE_ID, FIRST_NAME, LAST_NAME, BIRTH_DATE, INSURANCE_NUMBER",
    "DOCS.DOCUMENTS": "DOCUMENT_ID, PATH, MEDIA_TYPE, AUTHOR_EMAIL, BODY, TEXT, STORED_AT",
    "TEST.TESTTABLE": "ID, LABEL, PAYLOAD",
}


def _insert(connection: oracledb.Connection, table: str, rows: Iterable[Row]) -> int:
    import oracledb

    columns = [name.strip() for name in _COLUMNS[table].split(",")]
    binds = ", ".join(f":{place}" for place in range(1, len(columns) + 1))
    text = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({binds})"
    # Declared types: LOB values go with the row instead of through temporary LOBs, times keep microseconds.
    types: dict[str, Any] = {
        "BODY": oracledb.DB_TYPE_LONG_RAW,
        "PAYLOAD": oracledb.DB_TYPE_LONG_RAW,
        "TEXT": oracledb.DB_TYPE_LONG,
        "REFERENCE_ID": oracledb.DB_TYPE_RAW,
        "CREATED_AT": oracledb.DB_TYPE_TIMESTAMP,
        "PAID_AT": oracledb.DB_TYPE_TIMESTAMP,
        "STORED_AT": oracledb.DB_TYPE_TIMESTAMP,
        "BOOKED_AT": oracledb.DB_TYPE_TIMESTAMP,
        "LOGGED_IN_AT": oracledb.DB_TYPE_TIMESTAMP,
        "RATING": oracledb.DB_TYPE_BINARY_DOUBLE,
    }
    count = 0
    with connection.cursor() as cursor:
        for batch in _batches(rows):
            cursor.setinputsizes(*[types.get(name) for name in columns])
            cursor.executemany(text, batch)
            count += len(batch)
        connection.commit()
    return count


def _batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Batches of bounded rows and bytes."""
    batch: list[Row] = []
    size = 0
    for row in rows:
        batch.append(row)
        size += sum(len(value) for value in row if isinstance(value, (bytes, str)))
        if len(batch) >= BATCH_ROWS or size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
