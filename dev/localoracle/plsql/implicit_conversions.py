"""Which scalar types PL/SQL converts into each other without being told.

Sources: SQL Language Reference 19c, "Data Conversion", Implicit Type Conversion Matrix; SecureFiles and Large
Objects Developer's Guide, "Some Implicit Conversions Are Not Supported for LOB Data Types".
"""

from __future__ import annotations

from localoracle.supplied.types import PlsqlType, ScalarType

_MOMENTS = ("DATE", "TIMESTAMP", "TIMESTAMP WITH TIME ZONE")
_INTERVALS = ("INTERVAL DAY TO SECOND", "INTERVAL YEAR TO MONTH")
_INTO = {
    "VARCHAR2": ("NUMBER", "BINARY_DOUBLE", *_MOMENTS, *_INTERVALS, "RAW", "CLOB", "BLOB"),
    "NUMBER": ("VARCHAR2", "BINARY_DOUBLE"),
    "BINARY_DOUBLE": ("VARCHAR2", "NUMBER"),
    **dict.fromkeys(_MOMENTS, ("VARCHAR2", *_MOMENTS)),
    **dict.fromkeys(_INTERVALS, ("VARCHAR2",)),
    "RAW": ("VARCHAR2", "BLOB"),
    "CLOB": ("VARCHAR2",),
    "BLOB": ("RAW",),
    "BFILE": (),
    "BOOLEAN": (),
}


def converts(source: PlsqlType, target: PlsqlType) -> bool:
    """Whether a value of one type may be assigned to the other; True where it is not certain."""
    if not isinstance(source, ScalarType) or not isinstance(target, ScalarType):
        return True
    given, wanted = source.family, target.family
    return given == wanted or given not in _INTO or wanted not in _INTO or wanted in _INTO[given]
