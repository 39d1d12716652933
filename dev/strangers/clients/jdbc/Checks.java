// Oracle's JDBC thin driver against a stand-in: each check is a line of TAP.
//
// DSN, DATABASE_USER and DATABASE_PASSWORD name a database and a user who may create others.

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.Writer;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.sql.BatchUpdateException;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.Date;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TimeZone;
import oracle.jdbc.OracleConnection;
import oracle.jdbc.OraclePreparedStatement;
import oracle.jdbc.OracleTypes;
import oracle.sql.INTERVALDS;
import oracle.sql.INTERVALYM;

public final class Checks {
    private interface Check {
        void run() throws Exception;
    }

    private static final String DSN = System.getenv("DSN");
    private static final String OWNER = "JDBC_CHECKS";
    private static final String PASSWORD = "jdbc_checks";
    private static final String TEXT = "Grüße, 日本 😀";
    private static final String LARGE_TEXT = "Grüße, 日本 – ".repeat(80_000);
    private static final byte[] LARGE_BYTES = largeBytes();
    private static final Map<String, Check> CHECKS = new LinkedHashMap<>();

    private static Connection connection;

    private static byte[] largeBytes() {
        byte[] bytes = new byte[1 << 20];
        for (int at = 0; at < bytes.length; at++) {
            bytes[at] = (byte) (at * 31 >> 3);
        }
        return bytes;
    }

    private static Connection connect(String user, String password) throws SQLException {
        return DriverManager.getConnection("jdbc:oracle:thin:@//" + DSN, user, password);
    }

    private static Connection another() throws SQLException {
        return connect(OWNER, PASSWORD);
    }

    private static void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static int update(String sql, Object... binds) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, binds);
            return statement.executeUpdate();
        }
    }

    private static void bind(PreparedStatement statement, Object... binds) throws SQLException {
        for (int at = 0; at < binds.length; at++) {
            statement.setObject(at + 1, binds[at]);
        }
    }

    private static List<List<Object>> rows(String sql, Object... binds) throws SQLException {
        return rows(connection, sql, binds);
    }

    private static List<List<Object>> rows(Connection one, String sql, Object... binds) throws SQLException {
        try (PreparedStatement statement = one.prepareStatement(sql)) {
            bind(statement, binds);
            try (ResultSet found = statement.executeQuery()) {
                return all(found);
            }
        }
    }

    private static List<List<Object>> all(ResultSet found) throws SQLException {
        List<List<Object>> rows = new ArrayList<>();
        int width = found.getMetaData().getColumnCount();
        while (found.next()) {
            List<Object> row = new ArrayList<>();
            for (int at = 1; at <= width; at++) {
                Object value = found.getObject(at);
                row.add(value instanceof BigDecimal number ? number.stripTrailingZeros().toPlainString() : value);
            }
            rows.add(row);
        }
        return rows;
    }

    private static Object value(String sql, Object... binds) throws SQLException {
        return rows(sql, binds).get(0).get(0);
    }

    private static void equal(Object found, Object expected) {
        if (!Objects.deepEquals(found, expected)) {
            throw new AssertionError("expected " + shown(expected) + ", found " + shown(found));
        }
    }

    private static String shown(Object value) {
        String text = Arrays.deepToString(new Object[] {value});
        return text.length() > 300 ? text.substring(0, 300) + "..." : text;
    }

    private static void holds(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError(what);
        }
    }

    private static SQLException fails(int code, Check check) throws Exception {
        try {
            check.run();
        } catch (SQLException error) {
            if (error.getErrorCode() != code) {
                throw new AssertionError("ORA-" + code + " expected: " + error.getMessage(), error);
            }
            return error;
        }
        throw new AssertionError("ORA-" + code + " expected, nothing failed");
    }

    private static List<Object> row(Object... values) {
        return Arrays.asList(values);
    }

    // -- connecting ------------------------------------------------------------------------------------------

    private static void connecting() {
        CHECKS.put("connect: the version of the server", () -> {
            DatabaseMetaData about = connection.getMetaData();
            equal(about.getDatabaseMajorVersion(), 19);
            holds(about.getDatabaseProductVersion().startsWith("Oracle Database 19c"), about.getDatabaseProductVersion());
            equal(about.getUserName(), OWNER);
        });
        CHECKS.put("connect: a wrong password", () -> fails(1017, () -> connect(OWNER, "wrong")));
        CHECKS.put("connect: an unknown user", () -> fails(1017, () -> connect("NOBODY", "x")));
        CHECKS.put("connect: an unknown service", () -> {
            String elsewhere = DSN.replaceAll("/.*", "/NOWHERE");
            fails(12514, () -> DriverManager.getConnection("jdbc:oracle:thin:@//" + elsewhere, OWNER, PASSWORD));
        });
        CHECKS.put("connect: a description with a service name", () -> {
            String[] parts = DSN.split("[:/]");
            String description = "(DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=" + parts[0] + ")(PORT=" + parts[1] + "))"
                + "(CONNECT_DATA=(SERVICE_NAME=" + parts[2] + ")(SERVER=DEDICATED)(UR=" + "x".repeat(400) + ")))";
            DriverManager.getConnection("jdbc:oracle:thin:@" + description, OWNER, PASSWORD).close();
        });
        CHECKS.put("connect: by SID", () -> {
            String[] parts = DSN.split("[:/]");
            String url = "jdbc:oracle:thin:@" + parts[0] + ":" + parts[1] + ":" + parts[2];
            DriverManager.getConnection(url, OWNER, PASSWORD).close();
        });
        CHECKS.put("connect: an unknown SID", () -> {
            String[] parts = DSN.split("[:/]");
            String url = "jdbc:oracle:thin:@" + parts[0] + ":" + parts[1] + ":NOWHERE";
            fails(12505, () -> DriverManager.getConnection(url, OWNER, PASSWORD));
        });
        CHECKS.put("connect: isValid and ping", () -> {
            holds(connection.isValid(5), "isValid");
            equal(connection.unwrap(OracleConnection.class).pingDatabase(), OracleConnection.DATABASE_OK);
        });
        CHECKS.put("connect: what the session tells about itself", () -> {
            connection.setClientInfo("OCSID.MODULE", "checks");
            connection.setClientInfo("OCSID.ACTION", "telling");
            connection.setClientInfo("OCSID.CLIENTID", "jdbc");
            equal(rows("select sys_context('USERENV','MODULE'), sys_context('USERENV','ACTION'), "
                + "sys_context('USERENV','CLIENT_IDENTIFIER') from dual"), List.of(row("checks", "telling", "jdbc")));
        });
        CHECKS.put("connect: the program in V$SESSION", () -> {
            Properties properties = new Properties();
            properties.put("user", OWNER);
            properties.put("password", PASSWORD);
            properties.put("v$session.program", "the checks");
            try (Connection one = DriverManager.getConnection("jdbc:oracle:thin:@//" + DSN, properties)) {
                equal(rows(one, "select program from v$session where sid = sys_context('USERENV', 'SID')"),
                    List.of(row("the checks")));
            }
        });
        CHECKS.put("connect: the current schema", () -> {
            equal(connection.getSchema(), OWNER);
            connection.setSchema("SYS");
            equal(value("select sys_context('USERENV','CURRENT_SCHEMA') from dual"), "SYS");
            connection.setSchema(OWNER);
        });
    }

    // -- values out ------------------------------------------------------------------------------------------

    private static void selecting() {
        CHECKS.put("select: numbers", () -> equal(
            rows("select 0, 1, -1, 42.5, -0.001, 1e20, 123456789.123 from dual"),
            List.of(row("0", "1", "-1", "42.5", "-0.001", "100000000000000000000", "123456789.123"))));
        CHECKS.put("select: numbers of 38 digits", () -> {
            String nines = "9".repeat(38);
            try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("select " + nines + ", -" + nines + ", 1e-130, 9e125 from dual")) {
                found.next();
                equal(found.getBigDecimal(1), new BigDecimal(nines));
                equal(found.getBigDecimal(2), new BigDecimal(nines).negate());
                equal(found.getBigDecimal(3).compareTo(new BigDecimal("1e-130")), 0);
                equal(found.getBigDecimal(4).compareTo(new BigDecimal("9e125")), 0);
                fails(17026, () -> found.getInt(1));
            }
        });
        CHECKS.put("select: numbers as int, long, double, boolean, text", () -> {
            try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("select 41.0, 9007199254740993, 2.5, 1, 7 from dual")) {
                found.next();
                equal(found.getInt(1), 41);
                equal(found.getLong(2), 9007199254740993L);
                equal(found.getDouble(3), 2.5);
                equal(found.getBoolean(4), true);
                equal(found.getString(5), "7");
            }
        });
        CHECKS.put("select: text beyond ASCII", () -> equal(
            rows("select '" + TEXT + "', cast('" + TEXT + "' as nvarchar2(40)), cast('e' as char(3)) from dual"),
            List.of(row(TEXT, TEXT, "e  "))));
        CHECKS.put("select: a national literal", () -> equal(value("select n'" + TEXT + "' from dual"), TEXT));
        CHECKS.put("select: text of 4,000 bytes", () ->
            equal(value("select rpad('x', 4000, 'y') from dual"), "x" + "y".repeat(3999)));
        CHECKS.put("select: dates and timestamps", () -> {
            try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(
                    "select to_date('2024-02-29 23:59:58', 'YYYY-MM-DD HH24:MI:SS'), timestamp '2024-02-29 12:34:56.789012', "
                        + "timestamp '2024-02-29 12:34:56.789 +02:00', date '0150-01-01' from dual")) {
                found.next();
                equal(found.getTimestamp(1).toLocalDateTime(), LocalDateTime.of(2024, 2, 29, 23, 59, 58));
                equal(found.getObject(2, LocalDateTime.class), LocalDateTime.of(2024, 2, 29, 12, 34, 56, 789_012_000));
                equal(found.getObject(3, OffsetDateTime.class),
                    OffsetDateTime.of(2024, 2, 29, 12, 34, 56, 789_000_000, ZoneOffset.ofHours(2)));
                equal(found.getObject(4, LocalDate.class), LocalDate.of(150, 1, 1));
                equal(found.getDate(1).toLocalDate(), LocalDate.of(2024, 2, 29));
            }
        });
        CHECKS.put("select: intervals", () -> {
            try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(
                    "select interval '5-10' year(4) to month, interval '3 04:05:06.789' day to second(3) from dual")) {
                found.next();
                equal(found.getString(1), "5-10");
                equal(found.getString(2), "3 4:5:6.789");
            }
        });
        CHECKS.put("select: binary floats", () -> {
            try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(
                    "select 1.5d, -2.25d, cast(0.5 as binary_float), 1e300d from dual")) {
                found.next();
                equal(row(found.getDouble(1), found.getDouble(2), found.getFloat(3), found.getDouble(4)),
                    row(1.5, -2.25, 0.5f, 1e300));
            }
        });
        CHECKS.put("select: raw and rowid", () -> {
            execute("create table with_rowid (id number)");
            execute("insert into with_rowid values (1)");
            try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(
                    "select hextoraw('00FF10'), rowid, rowidtochar(rowid) from with_rowid")) {
                found.next();
                equal(found.getBytes(1), new byte[] {0, -1, 16});
                RowId place = found.getRowId(2);
                equal(found.getString(2), found.getString(3));
                equal(rows("select id from with_rowid where rowid = ?", found.getString(3)), List.of(row("1")));
                try (PreparedStatement again = connection.prepareStatement("select id from with_rowid where rowid = ?")) {
                    again.setRowId(1, place);
                    equal(all(again.executeQuery()), List.of(row("1")));
                }
            }
            connection.rollback();
        });
        CHECKS.put("select: null of every type", () -> {
            execute("create table nulls (a NUMBER, b VARCHAR2(9), c NVARCHAR2(9), d CHAR(9), e DATE, f TIMESTAMP, "
                + "g TIMESTAMP WITH TIME ZONE, h RAW(9), i CLOB, j BLOB, k NCLOB, l BINARY_DOUBLE, m BINARY_FLOAT, "
                + "n INTERVAL YEAR TO MONTH, o INTERVAL DAY TO SECOND, p ROWID)");
            execute("insert into nulls (a) values (null)");
            equal(rows("select * from nulls"), List.of(Arrays.asList(new Object[16])));
            try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("select a from nulls")) {
                found.next();
                equal(found.getInt(1), 0);
                holds(found.wasNull(), "wasNull");
            }
        });
        CHECKS.put("select: no rows", () -> equal(rows("select dummy from dual where 1 = 0"), List.of()));
        CHECKS.put("select: 5,000 rows in batches", () -> {
            for (int size : new int[] {1, 10, 73, 5000}) {
                try (Statement statement = connection.createStatement()) {
                    statement.setFetchSize(size);
                    int seen = 0;
                    try (ResultSet found = statement.executeQuery(
                        "select level, rpad('x', mod(level, 50) + 1, 'x') from dual connect by level <= " + (size == 1 ? 50 : 5000))) {
                        while (found.next()) {
                            seen++;
                            equal(found.getInt(1), seen);
                            equal(found.getString(2).length(), seen % 50 + 1);
                        }
                    }
                    equal(seen, size == 1 ? 50 : 5000);
                }
            }
        });
        CHECKS.put("select: only the first rows", () -> {
            try (Statement statement = connection.createStatement()) {
                statement.setMaxRows(5);
                equal(all(statement.executeQuery("select level from dual connect by level <= 100")).size(), 5);
            }
        });
        CHECKS.put("select: two results of one connection in turn", () -> {
            try (Statement first = connection.createStatement(); Statement second = connection.createStatement()) {
                first.setFetchSize(3);
                second.setFetchSize(3);
                ResultSet ones = first.executeQuery("select level from dual connect by level <= 20");
                ResultSet tens = second.executeQuery("select level * 10 from dual connect by level <= 20");
                for (int number = 1; number <= 20; number++) {
                    holds(ones.next() && tens.next(), "rows end");
                    equal(row(ones.getInt(1), tens.getInt(1)), row(number, number * 10));
                }
            }
        });
        CHECKS.put("select: a scrollable result", () -> {
            try (Statement statement = connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY)) {
                ResultSet found = statement.executeQuery("select level from dual connect by level <= 30");
                holds(found.last(), "last");
                equal(found.getInt(1), 30);
                holds(found.absolute(7), "absolute");
                equal(found.getInt(1), 7);
                holds(found.previous(), "previous");
                equal(found.getInt(1), 6);
            }
        });
        CHECKS.put("select: an updatable result", () -> {
            execute("create table updatable (id number primary key, name varchar2(10))");
            execute("insert into updatable values (1, 'a')");
            try (Statement statement = connection.createStatement(ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_UPDATABLE)) {
                ResultSet found = statement.executeQuery("select id, name from updatable");
                found.next();
                found.updateString(2, "b");
                found.updateRow();
            }
            equal(rows("select * from updatable"), List.of(row("1", "b")));
            connection.rollback();
        });
        CHECKS.put("select: LONG", () -> {
            execute("create table long_ones (id number, text long)");
            try (PreparedStatement statement = connection.prepareStatement("insert into long_ones values (?, ?)")) {
                statement.setInt(1, 1);
                statement.setCharacterStream(2, new StringReader("x".repeat(50_000)), 50_000);
                statement.executeUpdate();
            }
            equal(value("select text from long_ones"), "x".repeat(50_000));
            connection.rollback();
        });
    }

    // -- metadata --------------------------------------------------------------------------------------------

    private static void describing() {
        CHECKS.put("metadata: the columns of a result", () -> {
            execute("create table described (id NUMBER(9) PRIMARY KEY, amount NUMBER(12,2) NOT NULL, any_number NUMBER, "
                + "name VARCHAR2(30), wide NVARCHAR2(20), code CHAR(3), at_ DATE, ts TIMESTAMP(3), "
                + "tz TIMESTAMP WITH TIME ZONE, bytes RAW(16), text CLOB, data BLOB, bd BINARY_DOUBLE)");
            try (PreparedStatement statement = connection.prepareStatement("select * from described")) {
                ResultSetMetaData about = statement.getMetaData();
                equal(about.getColumnCount(), 13);
                List<Object> types = new ArrayList<>();
                List<Object> names = new ArrayList<>();
                for (int at = 1; at <= 13; at++) {
                    types.add(about.getColumnType(at));
                    names.add(about.getColumnName(at));
                }
                equal(types, row(Types.NUMERIC, Types.NUMERIC, Types.NUMERIC, Types.VARCHAR, Types.NVARCHAR, Types.CHAR,
                    Types.TIMESTAMP, Types.TIMESTAMP, OracleTypes.TIMESTAMPTZ, Types.VARBINARY, Types.CLOB, Types.BLOB,
                    OracleTypes.BINARY_DOUBLE));
                equal(names.subList(0, 3), row("ID", "AMOUNT", "ANY_NUMBER"));
                equal(row(about.getPrecision(1), about.getScale(1)), row(9, 0));
                equal(row(about.getPrecision(2), about.getScale(2)), row(12, 2));
                equal(row(about.getPrecision(3), about.getScale(3)), row(0, -127));
                equal(row(about.getPrecision(4), about.getColumnDisplaySize(4)), row(30, 30));
                equal(about.getPrecision(5), 20);
                equal(about.getColumnTypeName(8), "TIMESTAMP");
                equal(about.getScale(8), 3);
                equal(about.getColumnClassName(1), "java.math.BigDecimal");
            }
        });
        CHECKS.put("metadata: which columns may be null", () -> {
            try (PreparedStatement statement = connection.prepareStatement("select id, amount, name from described")) {
                ResultSetMetaData about = statement.getMetaData();
                equal(row(about.isNullable(1), about.isNullable(2), about.isNullable(3)), row(0, 0, 1));
            }
        });
        CHECKS.put("metadata: the binds of a statement", () -> {
            try (PreparedStatement statement = connection.prepareStatement("select ? from dual where dummy = ?")) {
                ParameterMetaData about = statement.getParameterMetaData();
                equal(about.getParameterCount(), 2);
            }
        });
        CHECKS.put("metadata: tables", () -> {
            try (ResultSet found = connection.getMetaData().getTables(null, OWNER, "DESCRIBED", new String[] {"TABLE"})) {
                holds(found.next(), "a table");
                equal(row(found.getString("TABLE_SCHEM"), found.getString("TABLE_NAME"), found.getString("TABLE_TYPE")),
                    row(OWNER, "DESCRIBED", "TABLE"));
                holds(!found.next(), "one table");
            }
        });
        CHECKS.put("metadata: columns", () -> {
            try (ResultSet found = connection.getMetaData().getColumns(null, OWNER, "DESCRIBED", "%")) {
                List<Object> seen = new ArrayList<>();
                while (found.next()) {
                    seen.add(found.getString("COLUMN_NAME") + " " + found.getString("TYPE_NAME") + " "
                        + found.getInt("COLUMN_SIZE") + " " + found.getString("IS_NULLABLE"));
                }
                equal(seen.size(), 13);
                equal(seen.subList(0, 4), row("ID NUMBER 9 NO", "AMOUNT NUMBER 12 NO", "ANY_NUMBER NUMBER 0 YES", "NAME VARCHAR2 30 YES"));
            }
        });
        CHECKS.put("metadata: primary and imported keys", () -> {
            execute("create table referring (id number constraint referring_key primary key, "
                + "described_id number(9) constraint referring_to references described)");
            try (ResultSet found = connection.getMetaData().getPrimaryKeys(null, OWNER, "REFERRING")) {
                holds(found.next(), "a key");
                equal(row(found.getString("COLUMN_NAME"), found.getString("PK_NAME")), row("ID", "REFERRING_KEY"));
            }
            try (ResultSet found = connection.getMetaData().getImportedKeys(null, OWNER, "REFERRING")) {
                holds(found.next(), "a foreign key");
                equal(row(found.getString("PKTABLE_NAME"), found.getString("PKCOLUMN_NAME"), found.getString("FKCOLUMN_NAME"),
                    found.getString("FK_NAME")), row("DESCRIBED", "ID", "DESCRIBED_ID", "REFERRING_TO"));
            }
            try (ResultSet found = connection.getMetaData().getExportedKeys(null, OWNER, "DESCRIBED")) {
                holds(found.next(), "an exported key");
                equal(found.getString("FKTABLE_NAME"), "REFERRING");
            }
        });
        CHECKS.put("metadata: indexes", () -> {
            execute("create index described_name on described (name)");
            List<Object> seen = new ArrayList<>();
            try (ResultSet found = connection.getMetaData().getIndexInfo(null, OWNER, "DESCRIBED", false, true)) {
                while (found.next()) {
                    if (found.getString("INDEX_NAME") != null) {
                        seen.add(found.getString("COLUMN_NAME") + " " + found.getBoolean("NON_UNIQUE"));
                    }
                }
            }
            equal(seen, row("ID false", "NAME true"));
        });
        CHECKS.put("metadata: schemas", () -> {
            List<Object> seen = new ArrayList<>();
            try (ResultSet found = connection.getMetaData().getSchemas()) {
                while (found.next()) {
                    seen.add(found.getString(1));
                }
            }
            holds(seen.contains(OWNER) && seen.contains("SYS"), seen.toString());
        });
        CHECKS.put("metadata: procedures", () -> {
            execute("create or replace procedure listed(a in number, b out varchar2) as begin b := a; end;");
            try (ResultSet found = connection.getMetaData().getProcedures(null, OWNER, "LISTED")) {
                holds(found.next(), "a procedure");
                equal(found.getString("PROCEDURE_NAME"), "LISTED");
            }
        });
        CHECKS.put("metadata: the parameters of procedures", () -> {
            try (ResultSet found = connection.getMetaData().getProcedureColumns(null, OWNER, "LISTED", "%")) {
                List<Object> seen = new ArrayList<>();
                while (found.next()) {
                    seen.add(found.getString("COLUMN_NAME") + " " + found.getInt("COLUMN_TYPE"));
                }
                equal(seen, row("A 1", "B 4"));
            }
        });
    }

    // -- values in -------------------------------------------------------------------------------------------

    private static void binding() {
        CHECKS.put("binds: by position", () -> {
            equal(value("select ? + ? from dual", 40, 2), "42");
            equal(value("select ? || ? from dual", "a", TEXT), "a" + TEXT);
        });
        CHECKS.put("binds: by name", () -> {
            try (PreparedStatement statement = connection.prepareStatement("select :a || :b || :a from dual")) {
                OraclePreparedStatement named = statement.unwrap(OraclePreparedStatement.class);
                named.setStringAtName("a", "x");
                named.setStringAtName("b", "y");
                equal(all(named.executeQuery()), List.of(row("xyx")));
            }
        });
        CHECKS.put("binds: every type, in and out of a table", () -> {
            execute("create table typed (n NUMBER, i NUMBER(10), v VARCHAR2(100), nv NVARCHAR2(100), c CHAR(4), d DATE, "
                + "ts TIMESTAMP(6), tz TIMESTAMP(3) WITH TIME ZONE, r RAW(20), bd BINARY_DOUBLE, bf BINARY_FLOAT)");
            LocalDateTime when = LocalDateTime.of(2023, 7, 8, 9, 10, 11, 123_456_000);
            try (PreparedStatement statement = connection.prepareStatement(
                "insert into typed values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
                statement.setBigDecimal(1, new BigDecimal("12345678901234567890.123456789"));
                statement.setLong(2, 4_000_000_000L);
                statement.setString(3, TEXT);
                statement.setNString(4, TEXT);
                statement.setString(5, "ab");
                statement.setTimestamp(6, Timestamp.valueOf(when.withNano(0)));
                statement.setObject(7, when);
                statement.setObject(8, when.withNano(123_000_000).atOffset(ZoneOffset.ofHours(-5)));
                statement.setBytes(9, new byte[] {1, 2, -1});
                statement.setObject(10, -1.25, OracleTypes.BINARY_DOUBLE);
                statement.setObject(11, 0.5f, OracleTypes.BINARY_FLOAT);
                equal(statement.executeUpdate(), 1);
            }
            try (Statement statement = connection.createStatement(); ResultSet found = statement.executeQuery("select * from typed")) {
                found.next();
                equal(found.getBigDecimal(1), new BigDecimal("12345678901234567890.123456789"));
                equal(found.getLong(2), 4_000_000_000L);
                equal(row(found.getString(3), found.getString(4), found.getString(5)), row(TEXT, TEXT, "ab  "));
                equal(found.getObject(6, LocalDateTime.class), when.withNano(0));
                equal(found.getObject(7, LocalDateTime.class), when);
                equal(found.getObject(8, OffsetDateTime.class), when.withNano(123_000_000).atOffset(ZoneOffset.ofHours(-5)));
                equal(found.getBytes(9), new byte[] {1, 2, -1});
                equal(row(found.getDouble(10), found.getFloat(11)), row(-1.25, 0.5f));
            }
        });
        CHECKS.put("binds: intervals", () -> {
            execute("create table intervals (y INTERVAL YEAR TO MONTH, d INTERVAL DAY TO SECOND(3))");
            try (PreparedStatement statement = connection.prepareStatement("insert into intervals values (?, ?)")) {
                statement.setObject(1, new INTERVALYM("-2-3"));
                statement.setObject(2, new INTERVALDS("1 2:3:4.005"));
                statement.executeUpdate();
            }
            try (Statement statement = connection.createStatement(); ResultSet found = statement.executeQuery("select y, d from intervals")) {
                found.next();
                equal(row(found.getString(1), found.getString(2)), row("-2-3", "1 2:3:4.005"));
            }
            connection.rollback();
        });
        CHECKS.put("binds: null of every type", () -> {
            try (PreparedStatement statement = connection.prepareStatement("insert into typed (n, v, d, r) values (?, ?, ?, ?)")) {
                statement.setNull(1, Types.NUMERIC);
                statement.setNull(2, Types.VARCHAR);
                statement.setNull(3, Types.TIMESTAMP);
                statement.setNull(4, Types.VARBINARY);
                equal(statement.executeUpdate(), 1);
            }
            equal(value("select nvl(?, 'none') from dual", (Object) null), "none");
        });
        CHECKS.put("binds: in a condition", () -> {
            equal(value("select count(*) from typed where n > ? and v = ? and d < ?", 5, TEXT,
                Timestamp.valueOf("2030-01-01 00:00:00")), "1");
        });
        CHECKS.put("binds: one missing", () -> fails(17041, () -> rows("select ?, ? from dual", 1)));
        CHECKS.put("binds: executed again with other types", () -> {
            try (PreparedStatement statement = connection.prepareStatement("select ? from dual")) {
                statement.setInt(1, 1);
                equal(all(statement.executeQuery()), List.of(row("1")));
                statement.setString(1, "text");
                equal(all(statement.executeQuery()), List.of(row("text")));
                statement.setBytes(1, new byte[] {5});
                ResultSet found = statement.executeQuery();
                found.next();
                equal(found.getBytes(1), new byte[] {5});
                statement.setInt(1, 2);
                equal(all(statement.executeQuery()), List.of(row("2")));
            }
        });
        CHECKS.put("binds: a statement cache", () -> {
            OracleConnection oracle = connection.unwrap(OracleConnection.class);
            oracle.setImplicitCachingEnabled(true);
            oracle.setStatementCacheSize(5);
            try {
                for (int number = 0; number < 100; number++) {
                    equal(value("select ? + " + number % 8 + " from dual", number), String.valueOf(number + number % 8));
                }
            } finally {
                oracle.setImplicitCachingEnabled(false);
            }
        });
        CHECKS.put("binds: a table that changes between executions", () -> {
            execute("create table changing (a number)");
            execute("insert into changing values (1)");
            equal(rows("select * from changing"), List.of(row("1")));
            execute("alter table changing add (b varchar2(5) default 'new')");
            equal(rows("select * from changing"), List.of(row("1", "new")));
        });
        CHECKS.put("binds: long text in a VARCHAR2(4000)", () -> {
            execute("create table wide (text varchar2(4000))");
            equal(update("insert into wide values (?)", "y".repeat(4000)), 1);
            equal(value("select text from wide"), "y".repeat(4000));
            connection.rollback();
        });
    }

    // -- DML -------------------------------------------------------------------------------------------------

    private static void changing() {
        CHECKS.put("dml: rows affected", () -> {
            execute("create table counted (a NUMBER, b VARCHAR2(10))");
            equal(update("insert into counted select level, 'x' from dual connect by level <= 7"), 7);
            equal(update("update counted set b = ? where a > ?", "y", 4), 3);
            equal(update("delete from counted where a = 1"), 1);
            equal(update("delete from counted where a = 100"), 0);
            connection.rollback();
        });
        CHECKS.put("dml: a batch", () -> {
            execute("create table many (id NUMBER, name VARCHAR2(40))");
            try (PreparedStatement statement = connection.prepareStatement("insert into many values (?, ?)")) {
                for (int at = 0; at < 3000; at++) {
                    statement.setInt(1, at);
                    statement.setString(2, at % 7 == 0 ? null : "name " + at + " ü");
                    statement.addBatch();
                }
                int[] counts = statement.executeBatch();
                equal(counts.length, 3000);
                equal(Arrays.stream(counts).distinct().boxed().toList(), List.of(1));
            }
            equal(rows("select count(*), count(name), sum(id) from many"), List.of(row("3000", "2571", "4498500")));
            connection.commit();
        });
        CHECKS.put("dml: a batch, counted one by one", () -> {
            execute("create table grouped (g number)");
            update("insert into grouped select mod(level, 3) from dual connect by level <= 10");
            try (PreparedStatement statement = connection.prepareStatement("delete from grouped where g = ?")) {
                for (int group : new int[] {0, 1, 5}) {
                    statement.setInt(1, group);
                    statement.addBatch();
                }
                equal(statement.executeBatch(), new int[] {3, 4, 0});
            }
            connection.rollback();
        });
        CHECKS.put("dml: a batch with a bad row", () -> {
            execute("create table ended (id number primary key)");
            try (PreparedStatement statement = connection.prepareStatement("insert into ended values (?)")) {
                for (int id : new int[] {1, 2, 1, 3}) {
                    statement.setInt(1, id);
                    statement.addBatch();
                }
                BatchUpdateException error = (BatchUpdateException) fails(1, statement::executeBatch);
                equal(error.getUpdateCounts(), new int[] {1, 1});
            }
            equal(value("select count(*) from ended"), "2");
            connection.rollback();
        });
        CHECKS.put("dml: a batch of statements", () -> {
            try (Statement statement = connection.createStatement()) {
                statement.addBatch("insert into counted values (1, 'a')");
                statement.addBatch("update counted set b = 'b'");
                equal(statement.executeBatch(), new int[] {1, 1});
            }
            connection.rollback();
        });
        CHECKS.put("dml: the rowid as the generated key", () -> {
            execute("create table keyed_by_itself (id number generated always as identity, name varchar2(20))");
            try (PreparedStatement statement = connection.prepareStatement(
                "insert into keyed_by_itself (name) values ('zeroth')", Statement.RETURN_GENERATED_KEYS)) {
                statement.executeUpdate();
                ResultSet keys = statement.getGeneratedKeys();
                holds(keys.next(), "a key");
                equal(rows("select name from keyed_by_itself where rowid = ?", keys.getString(1)), List.of(row("zeroth")));
            }
            execute("delete from keyed_by_itself");
        });
        CHECKS.put("dml: generated keys by column", () -> {
            try (PreparedStatement statement = connection.prepareStatement(
                "insert into keyed_by_itself (name) values ('first')", new String[] {"ID"})) {
                statement.executeUpdate();
                ResultSet keys = statement.getGeneratedKeys();
                holds(keys.next(), "a key");
                holds(keys.getInt(1) > 1, "a key");
            }
            connection.rollback();
        });
        CHECKS.put("dml: returning into", () -> {
            try (PreparedStatement statement = connection.prepareStatement(
                "insert into keyed_by_itself (name) values (?) returning id, upper(name) into ?, ?")) {
                OraclePreparedStatement oracle = statement.unwrap(OraclePreparedStatement.class);
                oracle.setString(1, "second");
                oracle.registerReturnParameter(2, OracleTypes.NUMBER);
                oracle.registerReturnParameter(3, OracleTypes.VARCHAR, 20);
                equal(oracle.executeUpdate(), 1);
                ResultSet found = oracle.getReturnResultSet();
                holds(found.next(), "a row");
                equal(found.getString(2), "SECOND");
                oracle.setString(1, "third");
                equal(oracle.executeUpdate(), 1);
                found = oracle.getReturnResultSet();
                holds(found.next(), "a row");
                equal(found.getString(2), "THIRD");
            }
            try (PreparedStatement statement = connection.prepareStatement(
                "update keyed_by_itself set name = name returning id into ?")) {
                OraclePreparedStatement oracle = statement.unwrap(OraclePreparedStatement.class);
                oracle.registerReturnParameter(1, OracleTypes.NUMBER);
                equal(oracle.executeUpdate(), 2);
                int seen = 0;
                ResultSet found = oracle.getReturnResultSet();
                while (found.next()) {
                    seen++;
                }
                equal(seen, 2);
            }
            connection.rollback();
        });
        CHECKS.put("dml: returning into by a block", () -> {
            try (CallableStatement call = connection.prepareCall(
                "begin insert into keyed_by_itself (name) values (?) returning id into ?; end;")) {
                call.setString(1, "third");
                call.registerOutParameter(2, Types.INTEGER);
                call.execute();
                holds(call.getInt(2) > 1, "a key");
            }
            connection.rollback();
        });
        CHECKS.put("dml: merge", () -> {
            execute("create table merged (id number primary key, n number)");
            execute("insert into merged values (1, 1)");
            equal(update("merge into merged m using (select ? id, ? n from dual) s on (m.id = s.id) "
                + "when matched then update set m.n = s.n when not matched then insert values (s.id, s.n)", 1, 9), 1);
            equal(rows("select * from merged"), List.of(row("1", "9")));
            connection.rollback();
        });
    }

    // -- transactions ----------------------------------------------------------------------------------------

    private static Object seenByOthers(String sql) throws SQLException {
        try (Connection other = another()) {
            return rows(other, sql).get(0).get(0);
        }
    }

    private static void transacting() {
        CHECKS.put("transactions: commit and rollback", () -> {
            execute("create table committed (id number)");
            execute("insert into committed values (1)");
            equal(seenByOthers("select count(*) from committed"), "0");
            connection.commit();
            equal(seenByOthers("select count(*) from committed"), "1");
            execute("delete from committed");
            connection.rollback();
            equal(value("select count(*) from committed"), "1");
        });
        CHECKS.put("transactions: auto commit", () -> {
            connection.setAutoCommit(true);
            try {
                execute("insert into committed values (2)");
                equal(seenByOthers("select max(id) from committed"), "2");
                for (int id = 3; id < 6; id++) {
                    update("insert into committed values (?)", id);
                }
                equal(seenByOthers("select max(id) from committed"), "5");
            } finally {
                connection.setAutoCommit(false);
            }
        });
        CHECKS.put("transactions: savepoints", () -> {
            execute("insert into committed values (10)");
            Savepoint point = connection.setSavepoint("here");
            execute("insert into committed values (11)");
            connection.rollback(point);
            equal(value("select max(id) from committed"), "10");
            connection.rollback();
        });
        CHECKS.put("transactions: the change is lost with the connection", () -> {
            Connection other = another();
            other.setAutoCommit(false);
            other.createStatement().execute("insert into committed values (99)");
            other.unwrap(OracleConnection.class).abort();
            Thread.sleep(300);
            equal(value("select count(*) from committed where id = 99"), "0");
        });
    }

    // -- LOBs ------------------------------------------------------------------------------------------------

    private static String read(Reader reader) throws Exception {
        StringWriter text = new StringWriter();
        reader.transferTo(text);
        return text.toString();
    }

    private static void large() {
        CHECKS.put("lobs: small ones as strings and bytes", () -> {
            execute("create table lobs (id NUMBER, c CLOB, n NCLOB, b BLOB)");
            try (PreparedStatement statement = connection.prepareStatement("insert into lobs values (?, ?, ?, ?)")) {
                statement.setInt(1, 1);
                statement.setString(2, TEXT);
                statement.setNString(3, TEXT);
                statement.setBytes(4, new byte[] {0, 1, 2});
                statement.executeUpdate();
            }
            try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("select c, n, b from lobs where id = 1")) {
                found.next();
                equal(row(found.getString(1), found.getString(2)), row(TEXT, TEXT));
                equal(found.getBytes(3), new byte[] {0, 1, 2});
            }
        });
        CHECKS.put("lobs: as locators", () -> {
            try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("select c, n, b from lobs where id = 1")) {
                found.next();
                Clob text = found.getClob(1);
                Blob data = found.getBlob(3);
                equal(text.getSubString(1, (int) text.length()), TEXT);
                equal(read(found.getClob(2).getCharacterStream()), TEXT);
                equal(data.length(), 3L);
                equal(data.getBytes(2, 2), new byte[] {1, 2});
                equal(text.getSubString(4, 3), TEXT.substring(3, 6));
            }
        });
        CHECKS.put("lobs: a national one", () -> {
            try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("select n from lobs where id = 1")) {
                found.next();
                equal(found.getNClob(1).getSubString(1, 5), "Grüße");
            }
        });
        CHECKS.put("lobs: 1 MB as streams in and out", () -> {
            try (PreparedStatement statement = connection.prepareStatement("insert into lobs (id, c, b) values (2, ?, ?)")) {
                statement.setClob(1, new StringReader(LARGE_TEXT));
                statement.setBlob(2, new java.io.ByteArrayInputStream(LARGE_BYTES));
                statement.executeUpdate();
            }
            large(2);
        });
        CHECKS.put("lobs: 1 MB as string and bytes", () -> {
            try (PreparedStatement statement = connection.prepareStatement("insert into lobs (id, c, b) values (3, ?, ?)")) {
                statement.setString(1, LARGE_TEXT);
                statement.setBytes(2, LARGE_BYTES);
                statement.executeUpdate();
            }
            large(3);
        });
        CHECKS.put("lobs: temporary ones, written and bound", () -> {
            Clob text = connection.createClob();
            try (Writer writer = text.setCharacterStream(1)) {
                writer.write("first ");
                writer.write("second ü");
            }
            Blob data = connection.createBlob();
            data.setBytes(1, LARGE_BYTES);
            try (PreparedStatement statement = connection.prepareStatement("insert into lobs (id, c, b) values (4, ?, ?)")) {
                statement.setClob(1, text);
                statement.setBlob(2, data);
                statement.executeUpdate();
            }
            text.free();
            data.free();
            try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("select c, b from lobs where id = 4")) {
                found.next();
                equal(found.getString(1), "first second ü");
                equal(found.getBytes(2), LARGE_BYTES);
            }
        });
        CHECKS.put("lobs: written through the locator of a row", () -> {
            execute("insert into lobs (id, b, c) values (5, empty_blob(), empty_clob())");
            try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("select b, c from lobs where id = 5 for update")) {
                found.next();
                try (OutputStream stream = found.getBlob(1).setBinaryStream(1)) {
                    stream.write("written".getBytes(StandardCharsets.US_ASCII));
                }
                found.getClob(2).setString(1, "text ü");
            }
            connection.commit();
            equal(rows("select dbms_lob.getlength(b), to_char(c) from lobs where id = 5"), List.of(row("7", "text ü")));
        });
        CHECKS.put("lobs: many rows with them", () -> {
            execute("insert into lobs (id, c) select level + 100, 'text ' || level from dual connect by level <= 300");
            try (Statement statement = connection.createStatement()) {
                statement.setFetchSize(20);
                ResultSet found = statement.executeQuery("select id, c from lobs where id > 100 order by id");
                int seen = 0;
                while (found.next()) {
                    seen++;
                    equal(found.getString(2), "text " + seen);
                }
                equal(seen, 300);
            }
            connection.commit();
        });
        CHECKS.put("lobs: empty, null, and compared", () -> {
            execute("insert into lobs (id, c) values (6, empty_clob())");
            try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("select c, b from lobs where id = 6")) {
                found.next();
                equal(found.getClob(1).length(), 0L);
                equal(found.getBlob(2), null);
            }
            connection.rollback();
        });
    }

    private static void large(int id) throws Exception {
        try (PreparedStatement statement = connection.prepareStatement("select c, b from lobs where id = ?")) {
            statement.setInt(1, id);
            ResultSet found = statement.executeQuery();
            found.next();
            equal(found.getClob(1).length(), (long) LARGE_TEXT.length());
            equal(read(found.getClob(1).getCharacterStream()), LARGE_TEXT);
            try (InputStream stream = found.getBlob(2).getBinaryStream()) {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                stream.transferTo(bytes);
                equal(bytes.toByteArray(), LARGE_BYTES);
            }
        }
    }

    // -- PL/SQL ----------------------------------------------------------------------------------------------

    private static void calling() {
        CHECKS.put("plsql: in, out and in out binds", () -> {
            try (CallableStatement call = connection.prepareCall("begin ? := ? + ?; ? := ? || '!'; end;")) {
                call.registerOutParameter(1, Types.NUMERIC);
                call.setInt(2, 3);
                call.setInt(3, 4);
                call.registerOutParameter(4, Types.VARCHAR);
                call.setString(5, "x");
                call.execute();
                equal(row(call.getInt(1), call.getString(4)), row(7, "x!"));
            }
        });
        CHECKS.put("plsql: a procedure by the JDBC escape", () -> {
            execute("create or replace procedure doubled(p_in in number, p_out out number, p_both in out varchar2) as "
                + "begin p_out := p_in * 2; p_both := p_both || '!'; end;");
            try (CallableStatement call = connection.prepareCall("{call doubled(?, ?, ?)}")) {
                for (int number = 1; number < 4; number++) {
                    call.setInt(1, number);
                    call.registerOutParameter(2, Types.INTEGER);
                    call.setString(3, "hey" + number);
                    call.registerOutParameter(3, Types.VARCHAR);
                    call.execute();
                    equal(row(call.getInt(2), call.getString(3)), row(number * 2, "hey" + number + "!"));
                }
            }
        });
        CHECKS.put("plsql: a function by the JDBC escape", () -> {
            execute("create or replace function added(a number, b number default 10) return number as begin return a + b; end;");
            try (CallableStatement call = connection.prepareCall("{? = call added(?)}")) {
                call.registerOutParameter(1, Types.NUMERIC);
                call.setInt(2, 1);
                call.execute();
                equal(call.getInt(1), 11);
            }
        });
        CHECKS.put("plsql: binds by name", () -> {
            try (CallableStatement call = connection.prepareCall("{call doubled(?, ?, ?)}")) {
                call.setInt("p_in", 5);
                call.registerOutParameter("p_out", Types.INTEGER);
                call.setString("p_both", "x");
                call.registerOutParameter("p_both", Types.VARCHAR);
                call.execute();
                equal(row(call.getInt("p_out"), call.getString("p_both")), row(10, "x!"));
            }
        });
        CHECKS.put("plsql: out binds of every type", () -> {
            try (CallableStatement call = connection.prepareCall(
                "begin ? := 1.5; ? := 'ü'; ? := date '2020-01-02'; ? := timestamp '2020-01-02 03:04:05.678'; "
                    + "? := hextoraw('0AFF'); ? := 2.5d; ? := null; end;")) {
                call.registerOutParameter(1, Types.NUMERIC);
                call.registerOutParameter(2, Types.VARCHAR);
                call.registerOutParameter(3, Types.DATE);
                call.registerOutParameter(4, Types.TIMESTAMP);
                call.registerOutParameter(5, Types.VARBINARY);
                call.registerOutParameter(6, OracleTypes.BINARY_DOUBLE);
                call.registerOutParameter(7, Types.VARCHAR);
                call.execute();
                equal(row(call.getBigDecimal(1), call.getString(2), call.getDate(3), call.getTimestamp(4)),
                    row(new BigDecimal("1.5"), "ü", Date.valueOf("2020-01-02"), Timestamp.valueOf("2020-01-02 03:04:05.678")));
                equal(call.getBytes(5), new byte[] {10, -1});
                equal(row(call.getDouble(6), call.getString(7), call.wasNull()), row(2.5, null, true));
            }
        });
        CHECKS.put("plsql: a ref cursor", () -> {
            try (CallableStatement call = connection.prepareCall(
                "begin open ? for select level, to_char(level) from dual connect by level <= 120; end;")) {
                call.registerOutParameter(1, OracleTypes.CURSOR);
                call.execute();
                try (ResultSet found = (ResultSet) call.getObject(1)) {
                    List<List<Object>> seen = all(found);
                    equal(seen.size(), 120);
                    equal(seen.get(119), row("120", "120"));
                }
            }
        });
        CHECKS.put("plsql: a ref cursor of a function, with lobs", () -> {
            execute("create or replace function opened return sys_refcursor as c sys_refcursor; "
                + "begin open c for select level id, to_clob('text ' || level) text from dual connect by level <= 15; return c; end;");
            try (CallableStatement call = connection.prepareCall("{? = call opened}")) {
                call.registerOutParameter(1, Types.REF_CURSOR);
                call.execute();
                try (ResultSet found = call.getObject(1, ResultSet.class)) {
                    int seen = 0;
                    while (found.next()) {
                        seen++;
                        equal(row(found.getInt("ID"), found.getString("TEXT")), row(seen, "text " + seen));
                    }
                    equal(seen, 15);
                }
            }
        });
        CHECKS.put("plsql: lobs out", () -> {
            try (CallableStatement call = connection.prepareCall("begin ? := to_clob('text'); ? := to_blob(hextoraw('0102')); end;")) {
                call.registerOutParameter(1, Types.CLOB);
                call.registerOutParameter(2, Types.BLOB);
                call.execute();
                equal(call.getString(1), "text");
                equal(call.getBlob(2).getBytes(1, 2), new byte[] {1, 2});
            }
        });
        CHECKS.put("plsql: a large text in", () -> {
            try (CallableStatement call = connection.prepareCall("begin ? := dbms_lob.getlength(?); end;")) {
                Clob text = connection.createClob();
                text.setString(1, "x".repeat(100_000));
                call.registerOutParameter(1, Types.NUMERIC);
                call.setClob(2, text);
                call.execute();
                equal(call.getInt(1), 100_000);
            }
        });
        CHECKS.put("plsql: a string of 32,767 bytes in", () -> {
            try (CallableStatement call = connection.prepareCall("begin ? := length(?); end;")) {
                call.registerOutParameter(1, Types.NUMERIC);
                call.setString(2, "x".repeat(32_767));
                call.execute();
                equal(call.getInt(1), 32_767);
            }
        });
        CHECKS.put("plsql: dbms_output", () -> {
            OracleConnection oracle = connection.unwrap(OracleConnection.class);
            execute("begin dbms_output.enable(null); end;");
            execute("begin dbms_output.put_line('Zeile ü'); end;");
            try (CallableStatement call = oracle.prepareCall("begin dbms_output.get_line(?, ?); end;")) {
                call.registerOutParameter(1, Types.VARCHAR);
                call.registerOutParameter(2, Types.NUMERIC);
                call.execute();
                equal(row(call.getString(1), call.getInt(2)), row("Zeile ü", 0));
            }
        });
        CHECKS.put("plsql: a batch of calls", () -> {
            try (CallableStatement call = connection.prepareCall("begin insert into counted values (?, 'called'); end;")) {
                for (int number = 0; number < 5; number++) {
                    call.setInt(1, number);
                    call.addBatch();
                }
                call.executeBatch();
            }
            equal(value("select count(*) from counted where b = 'called'"), "5");
            connection.rollback();
        });
        CHECKS.put("plsql: a unit with errors", () -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute("create or replace procedure broken as begin nothing_like_this; end;");
                holds(statement.getWarnings() != null, "a warning");
            }
            fails(6550, () -> execute("begin broken; end;"));
        });
    }

    // -- errors ----------------------------------------------------------------------------------------------

    private static void failing() {
        CHECKS.put("errors: no such table", () -> {
            SQLException error = fails(942, () -> rows("select 1 from nothing_here"));
            equal(error.getSQLState(), "42000");
            fails(942, () -> update("insert into nothing_here values (?)", 1));
        });
        CHECKS.put("errors: syntax", () -> fails(900, () -> execute("selec 1 from dual")));
        CHECKS.put("errors: a unique key", () -> {
            execute("create table keyed (id NUMBER CONSTRAINT keyed_key PRIMARY KEY, name VARCHAR2(3) NOT NULL)");
            execute("insert into keyed values (1, 'a')");
            SQLException error = fails(1, () -> execute("insert into keyed values (1, 'b')"));
            holds(error.getMessage().contains("JDBC_CHECKS.KEYED_KEY"), error.getMessage());
            equal(error.getSQLState(), "23000");
        });
        CHECKS.put("errors: not null, too long, not a number", () -> {
            fails(1400, () -> execute("insert into keyed values (2, null)"));
            fails(12899, () -> execute("insert into keyed values (2, 'long')"));
            fails(1722, () -> execute("insert into keyed values ('x', 'a')"));
            fails(1476, () -> rows("select 1 / 0 from dual"));
        });
        CHECKS.put("errors: of PL/SQL", () -> {
            SQLException error = fails(20001, () -> execute("begin raise_application_error(-20001, 'so it is'); end;"));
            holds(error.getMessage().contains("so it is"), error.getMessage());
            fails(6550, () -> execute("begin nothing_like_this; end;"));
            fails(1403, () -> execute("declare n number; begin select 1 into n from dual where 1 = 0; end;"));
        });
        CHECKS.put("errors: the connection goes on after them", () -> {
            fails(942, () -> rows("select * from nothing_here"));
            equal(value("select 1 from dual"), "1");
        });
        CHECKS.put("errors: a query timeout", () -> {
            long begun = System.currentTimeMillis();
            try (Statement statement = connection.createStatement()) {
                statement.setQueryTimeout(1);
                fails(1013, () -> statement.execute("begin dbms_session.sleep(20); end;"));
            }
            holds(System.currentTimeMillis() - begun < 8000, "not in time");
            equal(value("select 1 from dual"), "1");
        });
        CHECKS.put("errors: a cancelled statement", () -> {
            try (Statement statement = connection.createStatement()) {
                Thread other = new Thread(() -> {
                    try {
                        Thread.sleep(300);
                        statement.cancel();
                    } catch (InterruptedException | SQLException error) {
                        throw new IllegalStateException(error);
                    }
                });
                other.start();
                fails(1013, () -> statement.execute("begin dbms_session.sleep(20); end;"));
                other.join();
            }
            equal(value("select 1 from dual"), "1");
        });
    }

    private static void prepare() throws SQLException {
        try (Connection system = connect(System.getenv("DATABASE_USER"), System.getenv("DATABASE_PASSWORD"));
            Statement statement = system.createStatement()) {
            statement.execute("CREATE USER " + OWNER + " IDENTIFIED BY " + PASSWORD + " QUOTA UNLIMITED ON USERS");
            statement.execute("GRANT CREATE SESSION, CREATE TABLE, CREATE PROCEDURE, CREATE SEQUENCE, CREATE TRIGGER, "
                + "CREATE VIEW, SELECT ANY DICTIONARY TO " + OWNER);
        }
        connection = another();
        connection.setAutoCommit(false);
    }

    public static void main(String[] arguments) throws Exception {
        TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
        prepare();
        connecting();
        selecting();
        describing();
        binding();
        changing();
        transacting();
        large();
        calling();
        failing();
        System.out.println("1.." + CHECKS.size());
        for (Map.Entry<String, Check> check : CHECKS.entrySet()) {
            try {
                check.getValue().run();
                System.out.println("ok - " + check.getKey());
            } catch (Throwable error) {
                System.out.println("not ok - " + check.getKey());
                StringWriter text = new StringWriter();
                error.printStackTrace(new PrintWriter(text));
                System.out.print(text.toString().replaceAll("(?m)^", "# ").replaceAll("# $", ""));
                if (connection.isClosed()) {
                    connection = another();
                    connection.setAutoCommit(false);
                }
            }
        }
        connection.close();
    }
}
