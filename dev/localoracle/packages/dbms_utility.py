"""DBMS_UTILITY, DBMS_TRANSACTION, DBMS_FLASHBACK and DBMS_RANDOM: the small packages."""

from __future__ import annotations

import random
import string as characters
import time
import zlib
from decimal import Decimal

from localoracle.errors import OracleError
from localoracle.packages.registry import Call, subprogram

_UTILITY, _TRANSACTION, _RANDOM = "DBMS_UTILITY", "DBMS_TRANSACTION", "DBMS_RANDOM"


@subprogram(_UTILITY, "GET_TIME")
async def get_time(call: Call) -> int:
    """Hundredths of a second since an arbitrary moment."""
    return int(time.monotonic() * 100) % 2**31


@subprogram(_UTILITY, "DB_VERSION")
async def db_version(call: Call) -> None:
    rows = await call.session.pg_system(
        "SELECT version, localoracle.setting('compatible') FROM dictionary.v$instance"
    )
    call.set("version", rows[0][0])
    call.set("compatibility", rows[0][1])


@subprogram(_UTILITY, "GET_HASH_VALUE")
async def get_hash_value(call: Call) -> int:
    """A hash from base on, in hash_size buckets; Oracle does not document which."""
    size = int(call["hash_size"])
    if size < 1:
        raise OracleError(6502, "PL/SQL: numeric or value error")
    return int(call["base"]) + zlib.crc32((call["name"] or "").encode()) % size


@subprogram(_TRANSACTION, "LOCAL_TRANSACTION_ID")
async def local_transaction_id(call: Call) -> str | None:
    """usn.slot.sequence of the transaction, made of PostgreSQL's transaction number; NULL outside of one."""
    create = bool(call.get("create_transaction", False))
    function = "pg_current_xact_id" if create else "pg_current_xact_id_if_assigned"
    rows = await call.session.pg_system(f"SELECT {function}()::text::bigint", write=create)
    number = rows[0][0]
    return None if number is None else f"{int(number) % 10 + 1}.{int(number) % 32}.{int(number)}"


@subprogram("DBMS_FLASHBACK", "GET_SYSTEM_CHANGE_NUMBER")
async def get_system_change_number(call: Call) -> int:
    return int(await call.session.database.snapshots.take())


def _generator(call: Call) -> random.Random:
    generator = call.session.package_state.setdefault(_RANDOM, random.Random())
    assert isinstance(generator, random.Random)
    return generator


@subprogram(_RANDOM, "SEED")
async def seed(call: Call) -> None:
    _generator(call).seed(str(call["val"]))


@subprogram(_RANDOM, "VALUE")
async def value(call: Call) -> Decimal:
    fraction = Decimal(_generator(call).randrange(10**38)).scaleb(-38)
    if not call.given("low"):
        return fraction
    low, high = Decimal(call["low"]), Decimal(call["high"])
    return low + (high - low) * fraction


@subprogram(_RANDOM, "RANDOM")
async def random_integer(call: Call) -> int:
    return _generator(call).randrange(-(2**31), 2**31)


@subprogram(_RANDOM, "STRING")
async def string(call: Call) -> str | None:
    printable = "".join(chr(code) for code in range(32, 127))
    sets = {
        "U": characters.ascii_uppercase, "L": characters.ascii_lowercase, "A": characters.ascii_letters,
        "X": characters.ascii_uppercase + characters.digits, "P": printable,
    }  # fmt: skip
    letters = sets.get((call["opt"] or "U").strip().upper(), characters.ascii_uppercase)
    return "".join(_generator(call).choices(letters, k=int(call["len"] or 0))) or None
