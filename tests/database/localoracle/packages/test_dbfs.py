"""DBFS through the real driver: stores, mounts, files by locator and by pieces, directories, views."""

from __future__ import annotations

import hashlib
from pathlib import Path

import oracledb
import pytest

STORE = "FS_STAGE"

SET_UP = """
begin
  dbms_dbfs_sfs.createFilesystem(:store, schema_name => null, tbl_name => 'T_STAGE', do_compress => false);
  dbms_dbfs_content.registerStore(:store, 'sample1', 'DBMS_DBFS_SFS');
  dbms_dbfs_content.mountStore(:store, :mount);
  commit;
end;"""

CREATE = """
declare p dbms_dbfs_content_properties_t := dbms_dbfs_content_properties_t();
begin dbms_dbfs_content.createFile(:path, p, :content); end;"""

OPEN = """
declare p dbms_dbfs_content_properties_t := dbms_dbfs_content_properties_t(); t integer;
begin dbms_dbfs_content.getPath(:path, p, :content, t, forupdate => :writable); end;"""


def code_of(error) -> int:
    return int(error.value.args[0].code)


@pytest.fixture(scope="module")
def connection(oracle):
    with oracle.connect() as opened:
        cursor = opened.cursor()
        cursor.execute(SET_UP, store=STORE, mount="stage")
        yield opened
        cursor.execute(
            "begin dbms_dbfs_content.unmountStore(:store, 'stage'); "
            "dbms_dbfs_content.unregisterStore(:store);"
            " dbms_dbfs_sfs.dropFilesystem(:store); end;",
            store=STORE,
        )
        assert not (oracle.instance.dbfs_directory / "stage").exists()


@pytest.fixture
def cursor(connection):
    with connection.cursor() as opened:
        yield opened


def test_a_store_begins_empty(cursor, oracle):
    """Also where a killed server has left the folder of one of that name."""
    left = oracle.instance.dbfs_directory / ".stores" / "SYSTEM" / "FS_LEFT"
    left.mkdir(parents=True)
    (left / "old.dmp").write_bytes(b"old")
    cursor.execute("begin dbms_dbfs_sfs.createFilesystem('FS_LEFT', null, 'T_LEFT'); end;")
    assert list(left.iterdir()) == []
    cursor.execute("begin dbms_dbfs_sfs.dropFilesystem('FS_LEFT'); end;")
    assert not left.exists()


def create(cursor, path: str) -> oracledb.LOB:
    content = cursor.var(oracledb.DB_TYPE_BLOB)
    cursor.execute(CREATE, path=path, content=content)
    return content.getvalue()


def test_mount_path_is_a_folder(oracle, cursor):
    lob = create(cursor, "/stage/a.txt")
    lob.write(b"hello", 1)
    lob.write(b"J", 1)
    folder: Path = oracle.instance.dbfs_directory / "stage"
    assert (folder / "a.txt").read_bytes() == b"Jello"
    assert cursor.execute("select s_name, s_mount from sys.dbfs$_mounts").fetchall() == [(STORE, "stage")]
    rows = cursor.execute(
        "select pathname, pathtype, dbms_lob.getlength(filedata) from dbfs_content where pathname like "
        "'/stage/%'"
    ).fetchall()
    assert rows == [("/stage/a.txt", "file", 5)]
    (value,) = cursor.execute("select filedata from dbfs_content where pathname = '/stage/a.txt'").fetchone()
    assert value.read() == b"Jello"
    cursor.execute("begin dbms_dbfs_content.deleteFile('/stage/a.txt'); end;")
    assert not (folder / "a.txt").exists()


def test_a_large_file_goes_through_the_locator(oracle, cursor):
    piece = hashlib.sha256(b"x").digest() * (1 << 16)  # 2 MB
    count = 5
    lob = create(cursor, "/stage/large.dmp")
    for number in reversed(range(count)):
        lob.write(piece, number * len(piece) + 1)
    lob.write(piece[7:], len(piece) + 8)  # at places that are no multiple of anything
    lob.write(piece[:100], 1)
    digest = cursor.var(oracledb.DB_TYPE_RAW)
    cursor.execute(
        """declare p dbms_dbfs_content_properties_t; b blob; t integer;
        begin dbms_dbfs_content.getPath('/stage/large.dmp', p, b, t); :d := dbms_crypto.hash(b,
        dbms_crypto.hash_sh256); end;""",
        d=digest,
    )
    assert digest.getvalue() == hashlib.sha256(piece * count).digest()
    content = cursor.var(oracledb.DB_TYPE_BLOB)
    cursor.execute(OPEN, path="/stage/large.dmp", content=content, writable=False)
    assert content.getvalue().size() == count * len(piece)
    assert content.getvalue().read(len(piece) + 1, 64) == piece[:64]
    assert content.getvalue().read() == piece * count
    with pytest.raises(oracledb.DatabaseError) as raised:
        content.getvalue().write(b"x", 1)
    assert code_of(raised) == 22920
    cursor.execute("begin dbms_dbfs_content.deleteFile('/stage/large.dmp'); end;")


def test_pieces_and_properties(cursor):
    amount, got = cursor.var(int), cursor.var(oracledb.DB_TYPE_RAW, 100)
    owner, note = cursor.var(str), cursor.var(str)
    cursor.execute(
        """declare p dbms_dbfs_content_properties_t := dbms_dbfs_content_properties_t();
        begin
          p.extend; p(1) := dbms_dbfs_content_property_t('note', 'kept', dbms_types.typecode_varchar2);
          dbms_dbfs_content.putPath('/stage/pieces', p, 4, 1, hextoraw('61626364'));
          dbms_dbfs_content.putPath('/stage/pieces', p, 2, 3, hextoraw('58595A'));
          :amount := 10;
          dbms_dbfs_content.getPath('/stage/pieces', p, :amount, 2, :got, prop_flags =>
          dbms_dbfs_content.prop_all);
          for i in 1 .. p.count loop
            if p(i).propname = 'std:owner' then :owner := p(i).propvalue; end if;
            if p(i).propname = 'note' then :note := p(i).propvalue; end if;
          end loop;
        end;""",
        amount=amount,
        got=got,
        owner=owner,
        note=note,
    )
    assert (amount.getvalue(), got.getvalue(), owner.getvalue(), note.getvalue()) == (
        3,
        b"bXY",
        "SYSTEM",
        "kept",
    )
    cursor.execute("begin dbms_dbfs_content.deleteFile('/stage/pieces'); end;")


def test_directories(cursor):
    names = cursor.var(str)
    files, directories = cursor.var(int), cursor.var(int)
    cursor.execute(
        """declare
          p dbms_dbfs_content_properties_t; b blob; t integer;
          a integer; c integer; d integer; e integer; f integer; text varchar2(400);
        begin
          dbms_dbfs_content.createDirectory('/stage/one/two', p, recurse => true);
          b := hextoraw('0102');
          dbms_dbfs_content.putPath('/stage/one/f1', p, b, t);
          dbms_dbfs_content.renamePath('/stage/one/f1', '/stage/one/two/f2', p);
          for i in (select * from table(dbms_dbfs_content.list('/stage/one', recurse => 1))) loop
            text := text || i.path || ':' || i.item_type || ' ';
          end loop;
          dbms_dbfs_content.spaceUsage('/stage', a, c, d, :files, :directories, e, f);
          a := dbms_fuse.fs_chmod('/stage/one', 16895) + dbms_fuse.fs_chmod('/stage/none', 16895);
          :names := text || a;
        end;""",
        names=names,
        files=files,
        directories=directories,
    )
    assert names.getvalue().split() == ["/stage/one/two:2", "/stage/one/two/f2:1", "2"]
    assert (files.getvalue(), directories.getvalue()) == (1, 3)
    with pytest.raises(oracledb.DatabaseError) as raised:
        cursor.execute("begin dbms_dbfs_content.deleteDirectory('/stage/one'); end;")
    assert code_of(raised) == 64004
    cursor.execute("begin dbms_dbfs_content.deleteDirectory('/stage/one', recurse => true); end;")


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/nowhere/x", 64002),
        ("stage/x", 64002),
        ("/stage/../x", 64002),
        ("/stage/" + "n" * 300, 64002),
        ("/stage/no/x", 64001),
        (None, 64002),
    ],
)
def test_wrong_paths(cursor, path, code):
    with pytest.raises(oracledb.DatabaseError) as raised:
        create(cursor, path)
    assert code_of(raised) == code


def test_wrong_stores(cursor):
    for block, code in (
        ("begin dbms_dbfs_content.registerStore('NONE', 'x', 'DBMS_DBFS_SFS'); end;", 64007),
        ("begin dbms_dbfs_content.registerStore('FS_STAGE', 'x', 'OTHER'); end;", 64009),
        ("begin dbms_dbfs_content.mountStore('FS_STAGE', 'stage'); end;", 64008),
        ("begin dbms_dbfs_sfs.dropFilesystem('FS_STAGE'); end;", 64008),
        ("begin dbms_dbfs_sfs.dropFilesystem('FS_NONE'); end;", 64007),
        ("begin dbms_dbfs_content.mountStore('FS_STAGE', '../up'); end;", 64008),
    ):
        with pytest.raises(oracledb.DatabaseError) as raised:
            cursor.execute(block)
        assert code_of(raised) == code, block


def test_only_the_role_may(schema, connection):
    with pytest.raises(oracledb.DatabaseError) as raised:
        create(schema.connection.cursor(), "/stage/denied")
    assert code_of(raised) == 6550
    connection.cursor().execute(f"GRANT DBFS_ROLE TO {schema.name}")
    with schema.connect() as later:
        with pytest.raises(oracledb.DatabaseError) as raised:
            create(later.cursor(), "/stage/granted")  # the mount is another user's
        assert code_of(raised) == 64002


def test_stores_and_mounts_of_the_same_names_are_each_users_own(schema, connection, oracle):
    """The keys of SYS.DBFS$_STORES and SYS.DBFS$_MOUNTS begin with the owner (rdbms/admin/catcapi.sql)."""
    connection.cursor().execute(f"GRANT DBFS_ROLE TO {schema.name}")
    with schema.connect() as other, other.cursor() as cursor:
        cursor.execute(SET_UP, store=STORE, mount="stage")
        create(cursor, "/stage/theirs").write(b"x", 1)
        listed = "select pathname from dbfs_content where pathtype = 'file'"
        assert cursor.execute(listed).fetchall() == [("/stage/theirs",)]
        assert cursor.execute("select path from table(dbms_dbfs_content.list('/stage'))").fetchall() == [
            ("/stage/theirs",)
        ]
        with connection.cursor() as first:
            assert ("/stage/theirs",) not in first.execute(listed).fetchall()
            stores = "select count(*) from sys.dbfs$_stores where s_name = :store"
            assert first.execute(stores, store=STORE).fetchone() == (2,)
        assert not (oracle.instance.dbfs_directory / "stage" / "theirs").exists()
        cursor.execute(
            "begin dbms_dbfs_content.unmountStore(:store, 'stage'); "
            "dbms_dbfs_content.unregisterStore(:store); dbms_dbfs_sfs.dropFilesystem(:store); end;",
            store=STORE,
        )
    assert (oracle.instance.dbfs_directory / "stage").exists()


def test_properties_of_a_file_system(cursor):
    def change(call: str, *pairs: tuple[str, str]) -> str | None:
        listed = ", ".join(f"dbms_dbfs_content_property_t('{name}', '{value}', 9)" for name, value in pairs)
        cursor.execute(
            f"begin dbms_dbfs_sfs.{call}(:s, dbms_dbfs_content_properties_t({listed})); end;", s=STORE
        )
        (shown,) = cursor.execute(
            "select properties from sys.dbfs_sfs$_tab t where t.table_name = 'T_STAGE'"
        ).fetchone()
        return shown

    assert change("setFSProperties", ("sfs:props:df", "none")) == "sfs:props:df=none"
    both = change("addFSProperties", ("sfs:props:df", "fast"), ("sfs:props:df_cache", "3600"))
    assert both == "sfs:props:df=fast; sfs:props:df_cache=3600"
    assert change("deleteFSProperties", ("sfs:props:df", "")) == "sfs:props:df_cache=3600"
    for pair in (("sfs:props:df", "sometimes"), ("sfs:props:df_cache", "soon"), ("a=b", "c")):
        with pytest.raises(oracledb.DatabaseError) as error:
            change("addFSProperties", pair)
        assert code_of(error) == 64004
    assert change("deleteFSProperties", ("sfs:props:df_cache", "")) is None
    with pytest.raises(oracledb.DatabaseError) as error:
        cursor.execute(
            "begin dbms_dbfs_sfs.addFSProperties('FS_NONE', dbms_dbfs_content_properties_t()); end;"
        )
    assert code_of(error) == 64007
