"""The documented signatures of supplied packages: formals, modes, overloads."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from localoracle.errors import dictionary
from localoracle.plsql.types import FAMILIES


@dataclass(frozen=True)
class Parameter:
    """A formal: lower-case `name`, the type as documented, IN / OUT / IN OUT."""

    name: str
    type: str
    mode: str
    optional: bool

    @property
    def family(self) -> str:
        return family(self.type)


@dataclass(frozen=True)
class Overload:
    parameters: tuple[Parameter, ...]
    returns: str | None


@cache
def family(type_text: str) -> str:
    """The type without sizes, character set clauses and misprints: VARCHAR2, NUMBER, CLOB, KU$_STATUS ..."""
    name = re.sub(r"\s*(CHARACTER SET .*|\(.*\)|;)$", "", type_text.upper().strip())
    name = re.sub(r"^NOCOPY ", "", name)
    name = {
        "VARCHR2": "VARCHAR2",
        "PLS INTEGER": "PLS_INTEGER",
        "PL_INTEGER": "PLS_INTEGER",
        "BINARY INTEGER": "BINARY_INTEGER",
        "BOOLEAN I": "BOOLEAN",
        "BOOLEAN TRUE": "BOOLEAN",
        "NUMBER DEFUALT NULL": "NUMBER",
    }.get(name, name)
    name = re.sub(r"^(KU\$_\w+?)(1010|1020|1120|1210|1220)$", r"\1", name)
    return FAMILIES.get(name, name)


# What the collected documentation lacks: packages outside it, and a formal that its table leaves out.
# PL/SQL Packages and Types Reference, 19c; DBMS_FUSE: rdbms/admin/dbmsfuse.sql. "?" marks a default.
# LOCALORACLE$FILES is what one stand-in asks of another (dbms_file_transfer.py), no part of Oracle.
_ADDITIONS = """
DBMS_OUTPUT.ENABLE(buffer_size IN INTEGER?)
DBMS_OUTPUT.DISABLE()
DBMS_OUTPUT.PUT(item IN VARCHAR2)
DBMS_OUTPUT.PUT_LINE(item IN VARCHAR2)
DBMS_OUTPUT.NEW_LINE()
DBMS_OUTPUT.GET_LINE(line OUT VARCHAR2, status OUT INTEGER)
DBMS_OUTPUT.GET_LINES(lines OUT DBMS_OUTPUT.CHARARR, numlines IN OUT INTEGER)
DBMS_UTILITY.FORMAT_ERROR_BACKTRACE() RETURN VARCHAR2
DBMS_UTILITY.FORMAT_ERROR_STACK() RETURN VARCHAR2
DBMS_UTILITY.FORMAT_CALL_STACK() RETURN VARCHAR2
DBMS_UTILITY.GET_TIME() RETURN NUMBER
DBMS_UTILITY.GET_CPU_TIME() RETURN NUMBER
DBMS_UTILITY.DB_VERSION(version OUT VARCHAR2, compatibility OUT VARCHAR2)
DBMS_UTILITY.PORT_STRING() RETURN VARCHAR2
DBMS_UTILITY.CURRENT_INSTANCE() RETURN NUMBER
DBMS_UTILITY.GET_HASH_VALUE(name IN VARCHAR2, base IN NUMBER, hash_size IN NUMBER) RETURN NUMBER
DBMS_UTILITY.EXEC_DDL_STATEMENT(parse_string IN VARCHAR2)
DBMS_UTILITY.COMPILE_SCHEMA(schema IN VARCHAR2, compile_all IN BOOLEAN?, reuse_settings IN BOOLEAN?)
DBMS_TRANSACTION.LOCAL_TRANSACTION_ID(create_transaction IN BOOLEAN?) RETURN VARCHAR2
DBMS_TRANSACTION.COMMIT()
DBMS_TRANSACTION.ROLLBACK()
DBMS_TRANSACTION.SAVEPOINT(savept IN VARCHAR2)
DBMS_TRANSACTION.ROLLBACK_SAVEPOINT(savept IN VARCHAR2)
DBMS_TRANSACTION.READ_ONLY()
DBMS_TRANSACTION.READ_WRITE()
DBMS_RANDOM.INITIALIZE(val IN BINARY_INTEGER)
DBMS_RANDOM.SEED(val IN BINARY_INTEGER)
DBMS_RANDOM.SEED(val IN VARCHAR2)
DBMS_RANDOM.VALUE() RETURN NUMBER
DBMS_RANDOM.VALUE(low IN NUMBER, high IN NUMBER) RETURN NUMBER
DBMS_RANDOM.NORMAL() RETURN NUMBER
DBMS_RANDOM.RANDOM() RETURN BINARY_INTEGER
DBMS_RANDOM.STRING(opt IN CHAR, len IN NUMBER) RETURN VARCHAR2
DBMS_RANDOM.TERMINATE()
LOCALORACLE$FILES.SEND(directory IN VARCHAR2, name IN VARCHAR2) RETURN VARCHAR2
LOCALORACLE$FILES.RECEIVE(directory IN VARCHAR2, name IN VARCHAR2, bytes IN NUMBER) RETURN VARCHAR2
DBMS_FUSE.FS_CHMOD(path IN VARCHAR2, st_mode IN INTEGER)
DBMS_FUSE.FS_CHMOD(path IN VARCHAR2, st_mode IN INTEGER) RETURN INTEGER
DBMS_DBFS_CONTENT.MOUNTSTORE(store_name IN VARCHAR2, store_mount IN VARCHAR2?, singleton IN BOOLEAN?, principal IN VARCHAR2?, owner IN VARCHAR2?, acl IN VARCHAR2?, asof IN TIMESTAMP?, read_only IN BOOLEAN?)
DBMS_DBFS_CONTENT.GETDEFAULTOWNER(owner OUT VARCHAR2)
DBMS_DBFS_SFS.DROPFILESYSTEM(store_name IN VARCHAR2)
DBMS_DBFS_SFS.DROPFILESYSTEM(schema_name IN VARCHAR2, tbl_name IN VARCHAR2)
DBMS_LOCK.REQUEST(id IN INTEGER, lockmode IN INTEGER?, timeout IN INTEGER?, release_on_commit IN BOOLEAN?) RETURN INTEGER
DBMS_LOCK.REQUEST(lockhandle IN VARCHAR2, lockmode IN INTEGER?, timeout IN INTEGER?, release_on_commit IN BOOLEAN?) RETURN INTEGER
DBMS_LOCK.CONVERT(id IN INTEGER, lockmode IN INTEGER, timeout IN NUMBER?) RETURN INTEGER
DBMS_LOCK.CONVERT(lockhandle IN VARCHAR2, lockmode IN INTEGER, timeout IN NUMBER?) RETURN INTEGER
DBMS_PARALLEL_EXECUTE.TASK_STATUS(task_name IN VARCHAR2) RETURN NUMBER
DBMS_PARALLEL_EXECUTE.SET_CHUNK_STATUS(task_name IN VARCHAR2, chunk_id IN NUMBER, status IN NUMBER, err_num IN NUMBER?, err_msg IN VARCHAR2?)
UTL_RAW.CAST_TO_RAW(c IN VARCHAR2) RETURN RAW
UTL_RAW.CAST_TO_VARCHAR2(r IN RAW) RETURN VARCHAR2
UTL_RAW.CAST_TO_NUMBER(r IN RAW) RETURN NUMBER
UTL_RAW.CAST_FROM_NUMBER(n IN NUMBER) RETURN RAW
UTL_RAW.CAST_FROM_BINARY_INTEGER(n IN BINARY_INTEGER, endianess IN PLS_INTEGER?) RETURN RAW
UTL_RAW.CAST_TO_BINARY_INTEGER(r IN RAW, endianess IN PLS_INTEGER?) RETURN BINARY_INTEGER
UTL_RAW.LENGTH(r IN RAW) RETURN NUMBER
UTL_RAW.SUBSTR(r IN RAW, pos IN BINARY_INTEGER, len IN BINARY_INTEGER?) RETURN RAW
UTL_RAW.CONCAT(r1 IN RAW?, r2 IN RAW?, r3 IN RAW?, r4 IN RAW?, r5 IN RAW?, r6 IN RAW?, r7 IN RAW?, r8 IN RAW?, r9 IN RAW?, r10 IN RAW?, r11 IN RAW?, r12 IN RAW?) RETURN RAW
UTL_RAW.REVERSE(r IN RAW) RETURN RAW
UTL_RAW.COPIES(r IN RAW, n IN NUMBER) RETURN RAW
UTL_RAW.COMPARE(r1 IN RAW, r2 IN RAW, pad IN RAW?) RETURN NUMBER
UTL_RAW.BIT_AND(r1 IN RAW, r2 IN RAW) RETURN RAW
UTL_RAW.BIT_OR(r1 IN RAW, r2 IN RAW) RETURN RAW
UTL_RAW.BIT_XOR(r1 IN RAW, r2 IN RAW) RETURN RAW
UTL_RAW.BIT_COMPLEMENT(r IN RAW) RETURN RAW
UTL_RAW.XRANGE(start_byte IN RAW?, end_byte IN RAW?) RETURN RAW
"""  # noqa: E501 - one signature a line

# The documentation's table has these as "no default", the package specification gives one.
_OPTIONAL = {("DBMS_LOB", "SUBSTR", "amount"), ("DBMS_LOB", "SUBSTR", "offset")}

_LINE = re.compile(r"([\w$]+)\.(\w+)\((.*)\)(?: RETURN (\w+))?$")


def _additions() -> dict[str, dict[str, tuple[Overload, ...]]]:
    found: dict[str, dict[str, tuple[Overload, ...]]] = {}
    for line in _ADDITIONS.strip().splitlines():
        match = _LINE.fullmatch(line)
        assert match is not None, line
        package, name, formals, returns = match.groups()
        parameters = []
        for formal in filter(None, (part.strip() for part in formals.split(","))):
            formal_name, mode_and_type = formal.split(" ", 1)
            mode, type_text = mode_and_type.rsplit(" ", 1)
            parameters.append(Parameter(formal_name, type_text.rstrip("?"), mode, type_text.endswith("?")))
        entry = found.setdefault(package, {})
        entry[name] = (*entry.get(name, ()), Overload(tuple(parameters), returns))
    return found


@cache
def documented(package: str) -> dict[str, tuple[Overload, ...]]:
    """Subprogram name -> overloads of one package (upper-case name); empty for an unknown package."""
    result: dict[str, tuple[Overload, ...]] = {}
    for name, entries in dictionary()["packages"].get(package, {}).items():
        result[name] = tuple(
            Overload(
                tuple(
                    Parameter(
                        parameter["name"].lower(),
                        parameter["type"],
                        parameter["mode"],
                        bool(parameter.get("optional"))
                        or (package, name, parameter["name"].lower()) in _OPTIONAL,
                    )
                    for parameter in entry["params"]
                ),
                entry["returns"],
            )
            for entry in entries
        )
    result.update(_additions().get(package, {}))
    return result
