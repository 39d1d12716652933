"""Templates that stand in modules as constants, with what their names say filled in.

What is filled in is named in the template, by the convention of the provider's `statements` modules: an
identifier that passed `Identifier`, or a clause. A name that is not known here is a KeyError: whoever writes
it says what it stands for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from hypothesis import strategies as st

from oracle_refresh.catalog import Catalogue
from oracle_refresh.first_contact.rooms import room_of
from oracle_refresh.oracle.identifiers import Identifier, TableName
from support.generated.columns import NAMES, OWNERS
from support.generated.sent import Sent
from support.generated.written import constants

_NAME = re.compile(r"\{(\w+)\}")
#: Names of templates that the functions of their modules fill in, and are driven by.
_BUILT = frozenset({"lengths", "counts", "block"})


def filled(catalogue: Catalogue, draw: st.DrawFn) -> Iterator[Sent]:
    """Every constant that is a template, for the ends of its room."""
    values = _values(catalogue, draw)
    for module, text in constants():
        text = text.replace("{{", "{").replace("}}", "}")
        names = set(_NAME.findall(text)) - {"schemas", "names"}
        room = room_of(module)
        if names and not names & _BUILT:
            for end in room.ends if room else ():
                yield Sent(room.name if room else module, end, _NAME.sub(lambda name: values[name[1]], text))  # type: ignore[arg-type]


def _values(catalogue: Catalogue, draw: st.DrawFn) -> Mapping[str, str]:
    table = draw(st.sampled_from(catalogue.tables))
    column = draw(st.sampled_from(table.columns))
    name = Identifier(draw(NAMES)).sql
    # Whose table it is, is not said: nothing is known of its columns.
    other = TableName("OTHERS", draw(NAMES)).sql
    return {
        "schemas": ":name",
        "names": ":name",
        **dict.fromkeys(("table", "seed", "original", "external", "object"), other),
        **dict.fromkeys(("index", "trigger", "sequence"), other),
        **dict.fromkeys(("name", "partition", "tablespace", "directory", "old", "new"), name),
        **dict.fromkeys(("schema", "grantee"), Identifier(draw(OWNERS)).sql),
        "column": Identifier(column.name).sql,
        "columns": f"{Identifier(column.name).sql} NULL",
        "using": draw(st.sampled_from([f"USING INDEX {name}", "USING INDEX NOLOGGING"])),
        "definition": f"CONSTRAINT {name} UNIQUE ({Identifier(column.name).sql}) DISABLE",
        "physical": draw(st.sampled_from(["", " PARALLEL 4 NOLOGGING", " NOLOGGING"])),
        "privileges": draw(st.sampled_from(["SELECT", f"UPDATE ({Identifier(column.name).sql})"])),
        "option": draw(st.sampled_from(["", " WITH GRANT OPTION"])),
        "text": draw(st.sampled_from(["''", "'it''s'"])),
        "kind": draw(st.sampled_from(["PARTITION", "SUBPARTITION"])),
        "degree": str(draw(st.integers(1, 64))),
        "datatype": draw(st.sampled_from(["BLOB", "CLOB"])),
        "locations": "'a_1.dat', 'a_2.dat'",
        "part": draw(st.sampled_from(["", f" PARTITION ({name})"])),
        "where": draw(st.sampled_from(["", " WHERE 1 = 1"])),
        "sample": draw(st.sampled_from(["", " SAMPLE BLOCK (1)"])),
        "view": draw(st.sampled_from(["DBA_BLOCKCHAIN_TABLES", "DBA_IMMUTABLE_TABLES"])),
        "link": draw(st.sampled_from(["SOURCE_LINK", "SOURCE_LINK.WORLD"])),
    }
