// node-oracledb's thin mode against a stand-in: each check is a line of TAP.
//
// DSN, DATABASE_USER and DATABASE_PASSWORD name a database and a user who may create others.
'use strict';

const assert = require('assert');
const oracledb = require('oracledb');

const DSN = process.env.DSN;
const OWNER = { user: 'NODE_CHECKS', password: 'node_checks', connectString: DSN };
const OBJECTS = { outFormat: oracledb.OUT_FORMAT_OBJECT };
const TEXT = 'Grüße, 日本 😀';
const checks = [];
const check = (name, run) => checks.push({ name, run });

let connection;
const execute = (sql, binds = [], options = {}) => connection.execute(sql, binds, options);
const rows = async (sql, binds, options) => (await execute(sql, binds, options)).rows;

async function fails(promise, number, about) {
  let error;
  try {
    await promise;
  } catch (caught) {
    error = caught;
  }
  assert.ok(error, `ORA-${number} expected, nothing failed`);
  assert.strictEqual(error.errorNum, number, `ORA-${number} expected: ${error.message}`);
  if (about) assert.match(error.message, about);
  return error;
}

async function table(name, columns) {
  await execute(`CREATE TABLE ${name} (${columns})`);
}

async function prepare() {
  const system = await oracledb.getConnection({
    user: process.env.DATABASE_USER,
    password: process.env.DATABASE_PASSWORD,
    connectString: DSN,
  });
  await system.execute(`CREATE USER ${OWNER.user} IDENTIFIED BY ${OWNER.password} QUOTA UNLIMITED ON USERS`);
  await system.execute(
    `GRANT CREATE SESSION, CREATE TABLE, CREATE PROCEDURE, CREATE SEQUENCE, CREATE TRIGGER, CREATE VIEW TO ${OWNER.user}`
  );
  await system.close();
  connection = await oracledb.getConnection(OWNER);
}

// -- connecting ----------------------------------------------------------------------------------------------

check('connect: the version of the server', async () => {
  assert.match(connection.oracleServerVersionString, /^19\./);
});

check('connect: a wrong password', () => fails(oracledb.getConnection({ ...OWNER, password: 'wrong' }), 1017));

check('connect: an unknown user', () => fails(oracledb.getConnection({ ...OWNER, user: 'NOBODY' }), 1017));

check('connect: an unknown service', async () => {
  const elsewhere = DSN.replace(/\/.*$/, '/NOWHERE');
  await assert.rejects(oracledb.getConnection({ ...OWNER, connectString: elsewhere }), /ORA-12514|NJS-518/);
});

check('connect: a description with a service name', async () => {
  const [, host, port, service] = DSN.match(/^(.*):(\d+)\/(.*)$/);
  const connectString =
    `(DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=${host})(PORT=${port}))` +
    `(CONNECT_DATA=(SERVICE_NAME=${service})(SERVER=DEDICATED)))`;
  await (await oracledb.getConnection({ ...OWNER, connectString })).close();
});

check('connect: connect data longer than a connect packet', async () => {
  const [, host, port, service] = DSN.match(/^(.*):(\d+)\/(.*)$/);
  const connectString =
    `(DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=${host})(PORT=${port}))` +
    `(CONNECT_DATA=(SERVICE_NAME=${service})(UR=${'x'.repeat(400)})))`;
  await (await oracledb.getConnection({ ...OWNER, connectString })).close();
});

check('connect: a pool', async () => {
  const pool = await oracledb.createPool({ ...OWNER, poolMin: 1, poolMax: 3 });
  const answers = await Promise.all(
    [1, 2, 3, 4, 5].map(async (number) => {
      const one = await pool.getConnection();
      const found = await one.execute('select :n * 2 from dual', [number]);
      await one.close();
      return found.rows[0][0];
    })
  );
  assert.deepStrictEqual(answers, [2, 4, 6, 8, 10]);
  await pool.close(0);
});

check('connect: what the session tells about itself', async () => {
  connection.module = 'checks';
  connection.action = 'telling';
  connection.clientId = 'node';
  const found = await rows(
    "select sys_context('USERENV','MODULE'), sys_context('USERENV','ACTION'), " +
      "sys_context('USERENV','CLIENT_IDENTIFIER') from dual"
  );
  assert.deepStrictEqual(found, [['checks', 'telling', 'node']]);
});

check('connect: ping', () => connection.ping());

check('connect: another password', async () => {
  await connection.changePassword(OWNER.user, OWNER.password, 'another_one');
  await (await oracledb.getConnection({ ...OWNER, password: 'another_one' })).close();
  await connection.changePassword(OWNER.user, 'another_one', OWNER.password);
});

// -- values out ----------------------------------------------------------------------------------------------

const asText = { fetchTypeHandler: (column) => (column.dbType === oracledb.DB_TYPE_NUMBER ? { type: oracledb.STRING } : undefined) };

check('select: numbers as numbers', async () => {
  assert.deepStrictEqual(await rows('select 0, 1, -1, 42.5, -0.001, 1e20, 123456789.123 from dual'), [
    [0, 1, -1, 42.5, -0.001, 1e20, 123456789.123],
  ]);
});

check('select: numbers of 38 digits as text', async () => {
  const nines = '9'.repeat(38);
  const found = await rows(`select ${nines}, -${nines}, 0.${'1'.repeat(38)}, 1e-130 from dual`, [], asText);
  assert.deepStrictEqual(found[0].slice(0, 2), [nines, `-${nines}`]);
  assert.strictEqual(Number(found[0][2]), 0.1111111111111111);
  assert.strictEqual(Number(found[0][3]), 1e-130);
});

check('select: text beyond ASCII', async () => {
  assert.deepStrictEqual(await rows(`select '${TEXT}', cast('${TEXT}' as nvarchar2(40)), cast('e' as char(3)) from dual`), [
    [TEXT, TEXT, 'e  '],
  ]);
});

check('select: the length of a CHAR is in bytes', async () => {
  assert.deepStrictEqual(await rows("select cast('é' as char(3)) from dual"), [['é ']]);
});

check('select: text of 4,000 bytes', async () => {
  assert.deepStrictEqual(await rows("select rpad('x', 4000, 'y') from dual"), [[`x${'y'.repeat(3999)}`]]);
});

check('select: dates and timestamps', async () => {
  const [row] = await rows(
    "select to_date('2024-02-29 23:59:58', 'YYYY-MM-DD HH24:MI:SS'), timestamp '2024-02-29 12:34:56.789', " +
      "timestamp '2024-02-29 12:34:56.789 +02:00', date '0150-01-01' from dual"
  );
  assert.deepStrictEqual(row[0], new Date(2024, 1, 29, 23, 59, 58));
  assert.deepStrictEqual(row[1], new Date(2024, 1, 29, 12, 34, 56, 789));
  assert.deepStrictEqual(row[2], new Date('2024-02-29T10:34:56.789Z'));
  assert.strictEqual(row[3].getFullYear(), 150);
});

check('select: intervals', async () => {
  const [row] = await rows(
    "select interval '5-10' year(4) to month, interval '3 04:05:06.789' day to second(3) from dual"
  );
  assert.deepStrictEqual([row[0].years, row[0].months], [5, 10]);
  const days = row[1];
  assert.deepStrictEqual([days.days, days.hours, days.minutes, days.seconds, days.fseconds], [3, 4, 5, 6, 789000000]);
});

check('select: a negative interval', async () => {
  const [[days]] = await rows("select interval '-3 04:05:06.789' day to second(3) from dual");
  assert.deepStrictEqual([days.days, days.hours, days.minutes, days.seconds, days.fseconds], [-3, -4, -5, -6, -789000000]);
});

check('select: binary floats', async () => {
  assert.deepStrictEqual(
    await rows("select 1.5d, -2.25d, cast(0.5 as binary_float), 1e300d from dual"),
    [[1.5, -2.25, 0.5, 1e300]]
  );
});

check('select: infinity', async () => {
  assert.deepStrictEqual(await rows('select binary_double_infinity, -binary_float_infinity from dual'), [[Infinity, -Infinity]]);
});

check('select: raw and rowid', async () => {
  await table('with_rowid', 'id NUMBER');
  await execute('insert into with_rowid values (1)');
  const [row] = await rows("select hextoraw('00FF10'), rowid, rowidtochar(rowid) from with_rowid");
  assert.deepStrictEqual(row[0], Buffer.from([0, 255, 16]));
  assert.match(row[1], /^[A-Za-z0-9+/]{18}$/);
  assert.strictEqual(row[1], row[2]);
});

check('select: null of every type', async () => {
  await table(
    'nulls',
    'a NUMBER, b VARCHAR2(9), c NVARCHAR2(9), d CHAR(9), e DATE, f TIMESTAMP, g TIMESTAMP WITH TIME ZONE, ' +
      'h RAW(9), i CLOB, j BLOB, k NCLOB, l BINARY_DOUBLE, m BINARY_FLOAT, n INTERVAL YEAR TO MONTH, ' +
      'o INTERVAL DAY TO SECOND, p ROWID'
  );
  await execute("insert into nulls (a) values (null)");
  assert.deepStrictEqual(await rows('select * from nulls'), [Array(16).fill(null)]);
});

check('select: names of columns as objects', async () => {
  assert.deepStrictEqual(await rows('select 1 as one, 2 as "Two" from dual', [], OBJECTS), [{ ONE: 1, Two: 2 }]);
});

check('select: no rows', async () => {
  const found = await execute('select dummy from dual where 1 = 0');
  assert.deepStrictEqual([found.rows, found.metaData[0].name], [[], 'DUMMY']);
});

check('select: 5,000 rows in batches', async () => {
  const found = await rows("select level, rpad('x', mod(level, 50) + 1, 'x') from dual connect by level <= 5000", [], {
    fetchArraySize: 73,
    prefetchRows: 5,
  });
  assert.strictEqual(found.length, 5000);
  found.forEach((row, at) => assert.deepStrictEqual(row, [at + 1, 'x'.repeat(((at + 1) % 50) + 1)]));
});

check('select: a result set, row by row', async () => {
  const { resultSet } = await execute('select level from dual connect by level <= 250', [], { resultSet: true, fetchArraySize: 7 });
  const seen = [];
  for (let row = await resultSet.getRow(); row; row = await resultSet.getRow()) seen.push(row[0]);
  await resultSet.close();
  assert.deepStrictEqual([seen.length, seen[249]], [250, 250]);
});

check('select: two result sets of one connection in turn', async () => {
  const open = (sql) => execute(sql, [], { resultSet: true, fetchArraySize: 3, prefetchRows: 1 });
  const first = (await open('select level from dual connect by level <= 20')).resultSet;
  const second = (await open('select level * 10 from dual connect by level <= 20')).resultSet;
  for (let number = 1; number <= 20; number++) {
    assert.deepStrictEqual([(await first.getRow())[0], (await second.getRow())[0]], [number, number * 10]);
  }
  await first.close();
  await second.close();
});

check('select: as a stream', async () => {
  const stream = connection.queryStream('select level from dual connect by level <= 500');
  let count = 0;
  for await (const row of stream) count += row.length;
  assert.strictEqual(count, 500);
});

check('select: a nested cursor', async () => {
  const [row] = await rows('select 1, cursor(select level from dual connect by level <= 3) from dual');
  assert.deepStrictEqual([row[0], row[1]], [1, [[1], [2], [3]]]);
});

// -- metadata --------------------------------------------------------------------------------------------------

check('metadata: of every type', async () => {
  await table(
    'described',
    'id NUMBER(9) PRIMARY KEY, amount NUMBER(12,2) NOT NULL, any_number NUMBER, float_ FLOAT, name VARCHAR2(30), ' +
      'wide NVARCHAR2(20), code CHAR(3), at_ DATE, ts TIMESTAMP(3), tz TIMESTAMP WITH TIME ZONE, bytes RAW(16), text CLOB'
  );
  const { metaData } = await execute('select * from described');
  const seen = Object.fromEntries(metaData.map((column) => [column.name, column]));
  assert.deepStrictEqual([seen.ID.precision, seen.ID.scale], [9, 0]);
  assert.deepStrictEqual([seen.AMOUNT.precision, seen.AMOUNT.scale], [12, 2]);
  assert.deepStrictEqual([seen.ANY_NUMBER.precision, seen.ANY_NUMBER.scale], [0, -127]);
  assert.deepStrictEqual([seen.FLOAT_.precision, seen.FLOAT_.scale], [126, -127]);
  assert.deepStrictEqual([seen.NAME.dbType, seen.NAME.byteSize, seen.NAME.nullable], [oracledb.DB_TYPE_VARCHAR, 30, true]);
  assert.deepStrictEqual([seen.WIDE.dbType, seen.WIDE.byteSize], [oracledb.DB_TYPE_NVARCHAR, 20]);
  assert.deepStrictEqual([seen.CODE.dbType, seen.CODE.byteSize], [oracledb.DB_TYPE_CHAR, 3]);
  assert.strictEqual(seen.AT_.dbType, oracledb.DB_TYPE_DATE);
  assert.deepStrictEqual([seen.TS.dbType, seen.TS.precision], [oracledb.DB_TYPE_TIMESTAMP, 3]);
  assert.strictEqual(seen.TZ.dbType, oracledb.DB_TYPE_TIMESTAMP_TZ);
  assert.deepStrictEqual([seen.BYTES.dbType, seen.BYTES.byteSize], [oracledb.DB_TYPE_RAW, 16]);
  assert.strictEqual(seen.TEXT.dbType, oracledb.DB_TYPE_CLOB);
});

check('metadata: which columns may be null', async () => {
  const { metaData } = await execute('select id, amount, name from described');
  assert.deepStrictEqual(metaData.map((column) => column.nullable), [false, false, true]);
});

check('metadata: of a statement that is only parsed', async () => {
  const info = await connection.getStatementInfo('select :first, dummy from dual where dummy = :second');
  assert.deepStrictEqual(info.bindNames, ['FIRST', 'SECOND']);
  assert.strictEqual(info.statementType, oracledb.STMT_TYPE_SELECT);
  assert.strictEqual(info.metaData[1].name, 'DUMMY');
});

// -- values in -------------------------------------------------------------------------------------------------

check('binds: by position and by name', async () => {
  assert.deepStrictEqual(await rows('select :1 + :2 from dual', [40, 2]), [[42]]);
  assert.deepStrictEqual(await rows('select :a || :b || :a from dual', { a: 'x', b: 'y' }), [['xyx']]);
});

check('binds: every type, in and out of a table', async () => {
  await table(
    'typed',
    'n NUMBER, v VARCHAR2(100), nv NVARCHAR2(100), c CHAR(4), d DATE, ts TIMESTAMP(3), tz TIMESTAMP(3) WITH TIME ZONE, ' +
      'r RAW(20), bd BINARY_DOUBLE, bf BINARY_FLOAT'
  );
  const when = new Date('2023-07-08T09:10:11.123Z');
  await execute('insert into typed values (:n, :v, :nv, :c, :d, :ts, :tz, :r, :bd, :bf)', {
    n: 1234567.89,
    v: TEXT,
    nv: { val: TEXT, type: oracledb.DB_TYPE_NVARCHAR },
    c: { val: 'ab', type: oracledb.DB_TYPE_CHAR },
    d: { val: when, type: oracledb.DB_TYPE_DATE },
    ts: { val: when, type: oracledb.DB_TYPE_TIMESTAMP },
    tz: { val: when, type: oracledb.DB_TYPE_TIMESTAMP_TZ },
    r: Buffer.from([1, 2, 255]),
    bd: { val: -1.25, type: oracledb.DB_TYPE_BINARY_DOUBLE },
    bf: { val: 0.5, type: oracledb.DB_TYPE_BINARY_FLOAT },
  });
  const seconds = new Date(Math.floor(when / 1000) * 1000);
  assert.deepStrictEqual(await rows('select * from typed'), [
    [1234567.89, TEXT, TEXT, 'ab  ', seconds, when, when, Buffer.from([1, 2, 255]), -1.25, 0.5],
  ]);
});

check('binds: intervals', async () => {
  const years = new oracledb.IntervalYM({ years: -2, months: -3 });
  const days = new oracledb.IntervalDS({ days: 1, hours: 2, minutes: 3, seconds: 4, fseconds: 5000000 });
  await table('intervals', 'y INTERVAL YEAR TO MONTH, d INTERVAL DAY TO SECOND(3)');
  await execute('insert into intervals values (:1, :2)', [
    { val: years, type: oracledb.DB_TYPE_INTERVAL_YM },
    { val: days, type: oracledb.DB_TYPE_INTERVAL_DS },
  ]);
  const [row] = await rows('select y, d from intervals');
  assert.deepStrictEqual([row[0].years, row[0].months], [-2, -3]);
  assert.deepStrictEqual([row[1].days, row[1].hours, row[1].fseconds], [1, 2, 5000000]);
});

check('binds: null', async () => {
  assert.deepStrictEqual(await rows("select nvl(:1, 'none') from dual", [null]), [['none']]);
});

check('binds: a number too large for a double, as text', async () => {
  const nines = '9'.repeat(38);
  assert.deepStrictEqual(await rows('select to_number(:1) from dual', [nines], asText), [[nines]]);
});

check('binds: one missing', async () => {
  await assert.rejects(execute('select :a, :b from dual', { a: 1 }), /ORA-01008|NJS-098|NJS-097/);
});

check('binds: a statement executed again with other types', async () => {
  const sql = 'select :value from dual';
  assert.deepStrictEqual(await rows(sql, [1]), [[1]]);
  assert.deepStrictEqual(await rows(sql, ['text']), [['text']]);
  assert.deepStrictEqual(await rows(sql, [Buffer.from('ab')]), [[Buffer.from('ab')]]);
  assert.deepStrictEqual(await rows(sql, [2]), [[2]]);
});

check('binds: the same statement a hundred times', async () => {
  for (let number = 0; number < 100; number++) {
    assert.deepStrictEqual(await rows('select :n + 1 from dual', [number]), [[number + 1]]);
  }
});

check('binds: a table that changes between executions', async () => {
  await table('changing', 'a NUMBER');
  await execute('insert into changing values (1)');
  assert.deepStrictEqual(await rows('select * from changing'), [[1]]);
  await execute("alter table changing add (b VARCHAR2(5) default 'new')");
  assert.deepStrictEqual(await rows('select * from changing'), [[1, 'new']]);
});

// -- DML -------------------------------------------------------------------------------------------------------

check('dml: rows affected', async () => {
  await table('counted', 'a NUMBER, b VARCHAR2(10)');
  assert.strictEqual((await execute("insert into counted select level, 'x' from dual connect by level <= 7")).rowsAffected, 7);
  assert.strictEqual((await execute('update counted set b = :1 where a > :2', ['y', 4])).rowsAffected, 3);
  assert.strictEqual((await execute('delete from counted where a = 1')).rowsAffected, 1);
  await connection.rollback();
});

check('dml: many rows at once', async () => {
  await table('many', 'id NUMBER, name VARCHAR2(40)');
  const binds = Array.from({ length: 3000 }, (_, at) => [at, at % 7 ? `name ${at} ü` : null]);
  const { rowsAffected } = await connection.executeMany('insert into many values (:1, :2)', binds, {
    bindDefs: [{ type: oracledb.NUMBER }, { type: oracledb.STRING, maxSize: 40 }],
  });
  assert.strictEqual(rowsAffected, 3000);
  assert.deepStrictEqual(await rows('select count(*), count(name), sum(id) from many'), [[3000, 2571, 4498500]]);
  assert.deepStrictEqual(await rows('select name from many where id = 2999'), [['name 2999 ü']]);
  await connection.commit();
});

check('dml: many rows, the bad ones told', async () => {
  await table('unique_ones', 'id NUMBER PRIMARY KEY');
  const found = await connection.executeMany('insert into unique_ones values (:1)', [[1], [2], [1], [3], [2]], {
    batchErrors: true,
  });
  assert.deepStrictEqual(found.batchErrors.map((error) => [error.offset, error.message.slice(0, 9)]), [
    [2, 'ORA-00001'],
    [4, 'ORA-00001'],
  ]);
  assert.strictEqual(found.rowsAffected, 3);
  await connection.rollback();
});

check('dml: many rows, counted one by one', async () => {
  await table('grouped', 'g NUMBER');
  await execute('insert into grouped select mod(level, 3) from dual connect by level <= 10');
  const found = await connection.executeMany('delete from grouped where g = :1', [[0], [1], [5]], { dmlRowCounts: true });
  assert.deepStrictEqual(found.dmlRowCounts, [3, 4, 0]);
  await connection.rollback();
});

check('dml: many rows, the first bad one ends it', async () => {
  await table('ended', 'id NUMBER PRIMARY KEY');
  await fails(connection.executeMany('insert into ended values (:1)', [[1], [1], [2]]), 1);
  assert.deepStrictEqual(await rows('select id from ended'), [[1]]);
  await connection.rollback();
});

check('dml: returning one row', async () => {
  await table('returned', 'id NUMBER GENERATED ALWAYS AS IDENTITY, name VARCHAR2(20)');
  const found = await execute('insert into returned (name) values (:n) returning id, upper(name) into :id, :name', {
    n: 'abc',
    id: { dir: oracledb.BIND_OUT, type: oracledb.NUMBER },
    name: { dir: oracledb.BIND_OUT, type: oracledb.STRING, maxSize: 20 },
  });
  assert.deepStrictEqual(found.outBinds, { id: [1], name: ['ABC'] });
});

check('dml: returning several rows, and of many executions', async () => {
  await execute("insert into returned (name) values ('def')");
  const out = { dir: oracledb.BIND_OUT, type: oracledb.NUMBER };
  const { outBinds } = await execute('update returned set name = name returning id into :id', { id: out });
  assert.deepStrictEqual(outBinds.id.sort(), [1, 2]);
  const many = await connection.executeMany(
    'insert into returned (name) values (:n) returning id into :id',
    [{ n: 'x' }, { n: 'y' }],
    { bindDefs: { n: { type: oracledb.STRING, maxSize: 5 }, id: out } }
  );
  assert.deepStrictEqual(many.outBinds, [{ id: [3] }, { id: [4] }]);
  await connection.rollback();
});

check('dml: the rowid of the last row', async () => {
  await table('placed', 'id NUMBER');
  const { lastRowid } = await execute('insert into placed values (1)');
  assert.deepStrictEqual(await rows('select id from placed where rowid = :1', [lastRowid]), [[1]]);
  await connection.rollback();
});

// -- transactions ------------------------------------------------------------------------------------------------

async function seenByOthers(sql) {
  const other = await oracledb.getConnection(OWNER);
  try {
    return (await other.execute(sql)).rows;
  } finally {
    await other.close();
  }
}

check('transactions: commit and rollback', async () => {
  await table('committed', 'id NUMBER');
  await execute('insert into committed values (1)');
  assert.deepStrictEqual(await seenByOthers('select * from committed'), []);
  await connection.commit();
  assert.deepStrictEqual(await seenByOthers('select * from committed'), [[1]]);
  await execute('delete from committed');
  await connection.rollback();
  assert.deepStrictEqual(await rows('select * from committed'), [[1]]);
});

check('transactions: autoCommit', async () => {
  await execute('insert into committed values (2)', [], { autoCommit: true });
  assert.deepStrictEqual(await seenByOthers('select max(id) from committed'), [[2]]);
  await execute('insert into committed values (:1)', [3], { autoCommit: true });
  await execute('insert into committed values (:1)', [4], { autoCommit: true });
  assert.deepStrictEqual(await seenByOthers('select max(id) from committed'), [[4]]);
  assert.strictEqual(connection.transactionInProgress, false);
});

check('transactions: a transaction is known to be open', async () => {
  await execute('insert into committed values (9)');
  assert.strictEqual(connection.transactionInProgress, true);
  await connection.rollback();
  assert.strictEqual(connection.transactionInProgress, false);
});

check('transactions: what was not committed goes with the connection', async () => {
  const other = await oracledb.getConnection(OWNER);
  await other.execute('insert into committed values (99)');
  await other.close();
  assert.deepStrictEqual(await rows('select count(*) from committed where id = 99'), [[0]]);
});

// -- LOBs ----------------------------------------------------------------------------------------------------------

const LARGE_TEXT = 'Grüße, 日本 – '.repeat(80000);
const LARGE_BYTES = Buffer.alloc(1 << 20, 'binary\0content');

async function read(lob) {
  return lob.getData();
}

check('lobs: small ones as strings and buffers', async () => {
  await table('lobs', 'id NUMBER, c CLOB, n NCLOB, b BLOB');
  await execute('insert into lobs values (1, :c, :n, :b)', {
    c: TEXT,
    n: { val: TEXT, type: oracledb.DB_TYPE_NVARCHAR },
    b: Buffer.from([0, 1, 2]),
  });
  const found = await rows('select c, n, b from lobs where id = 1', [], {
    fetchTypeHandler: (column) =>
      ({ [oracledb.DB_TYPE_CLOB]: { type: oracledb.STRING }, [oracledb.DB_TYPE_NCLOB]: { type: oracledb.STRING } })[column.dbType] ||
      (column.dbType === oracledb.DB_TYPE_BLOB ? { type: oracledb.BUFFER } : undefined),
  });
  assert.deepStrictEqual(found, [[TEXT, TEXT, Buffer.from([0, 1, 2])]]);
});

check('lobs: as locators', async () => {
  const [row] = await rows('select c, n, b from lobs where id = 1');
  assert.deepStrictEqual([await read(row[0]), await read(row[1]), await read(row[2])], [TEXT, TEXT, Buffer.from([0, 1, 2])]);
});

check('lobs: 1 MB in and out', async () => {
  await execute('insert into lobs (id, c, b) values (2, :c, :b)', {
    c: { val: LARGE_TEXT, type: oracledb.DB_TYPE_CLOB },
    b: { val: LARGE_BYTES, type: oracledb.DB_TYPE_BLOB },
  });
  const [row] = await rows('select c, b from lobs where id = 2');
  assert.deepStrictEqual([row[0].length, row[1].length], [LARGE_TEXT.length, LARGE_BYTES.length]);
  assert.ok((await read(row[0])) === LARGE_TEXT);
  assert.ok((await read(row[1])).equals(LARGE_BYTES));
});

check('lobs: 1 MB bound as plain text and bytes', async () => {
  await execute('insert into lobs (id, c, b) values (3, :c, :b)', { c: LARGE_TEXT, b: LARGE_BYTES });
  const [row] = await rows('select c, b from lobs where id = 3');
  assert.ok((await read(row[0])) === LARGE_TEXT);
  assert.ok((await read(row[1])).equals(LARGE_BYTES));
});

check('lobs: as streams', async () => {
  const [row] = await rows('select b from lobs where id = 2');
  const pieces = [];
  for await (const piece of row[0]) pieces.push(piece);
  assert.ok(Buffer.concat(pieces).equals(LARGE_BYTES));
});

check('lobs: a temporary one, written and bound', async () => {
  const lob = await connection.createLob(oracledb.CLOB);
  await new Promise((done, failed) => {
    lob.on('finish', done);
    lob.on('error', failed);
    lob.write('first ');
    lob.end('second');
  });
  await execute('insert into lobs (id, c) values (4, :c)', { c: lob });
  await lob.close();
  const [row] = await rows('select c from lobs where id = 4');
  assert.strictEqual(await read(row[0]), 'first second');
});

check('lobs: written through the locator of a row', async () => {
  await execute('insert into lobs (id, b) values (5, empty_blob())');
  const [row] = await rows('select b from lobs where id = 5 for update');
  await new Promise((done, failed) => {
    row[0].on('finish', done);
    row[0].on('error', failed);
    row[0].end(Buffer.from('written'));
  });
  await connection.commit();
  assert.deepStrictEqual(await seenByOthers('select dbms_lob.getlength(b) from lobs where id = 5'), [[7]]);
});

check('lobs: many rows with them', async () => {
  await execute("insert into lobs (id, c) select level + 100, 'text ' || level from dual connect by level <= 300");
  const { resultSet } = await execute('select id, c from lobs where id > 100 order by id', [], { resultSet: true, fetchArraySize: 20 });
  let count = 0;
  for (let row = await resultSet.getRow(); row; row = await resultSet.getRow()) {
    count++;
    assert.strictEqual(await read(row[1]), `text ${count}`);
  }
  await resultSet.close();
  assert.strictEqual(count, 300);
  await connection.commit();
});

// -- PL/SQL ----------------------------------------------------------------------------------------------------------

check('plsql: in, out and in out binds', async () => {
  const found = await execute('begin :sum := :a + :b; :text := :text || :a; end;', {
    a: 3,
    b: 4,
    sum: { dir: oracledb.BIND_OUT, type: oracledb.NUMBER },
    text: { dir: oracledb.BIND_INOUT, val: 'x', type: oracledb.STRING, maxSize: 20 },
  });
  assert.deepStrictEqual(found.outBinds, { sum: 7, text: 'x3' });
});

check('plsql: out binds of every type', async () => {
  const out = (type, maxSize) => ({ dir: oracledb.BIND_OUT, type, maxSize });
  const { outBinds } = await execute(
    "begin :n := 1.5; :v := 'ü'; :d := date '2020-01-02'; :ts := timestamp '2020-01-02 03:04:05.678'; " +
      ":r := hextoraw('0AFF'); :bd := 2.5d; :nothing := null; end;",
    {
      n: out(oracledb.NUMBER),
      v: out(oracledb.STRING, 10),
      d: out(oracledb.DB_TYPE_DATE),
      ts: out(oracledb.DB_TYPE_TIMESTAMP),
      r: out(oracledb.BUFFER, 10),
      bd: out(oracledb.DB_TYPE_BINARY_DOUBLE),
      nothing: out(oracledb.STRING, 10),
    }
  );
  assert.deepStrictEqual(outBinds, {
    n: 1.5,
    v: 'ü',
    d: new Date(2020, 0, 2),
    ts: new Date(2020, 0, 2, 3, 4, 5, 678),
    r: Buffer.from([10, 255]),
    bd: 2.5,
    nothing: null,
  });
});

check('plsql: a procedure and a function', async () => {
  await execute(
    'create or replace procedure doubled(p_in in number, p_out out number, p_both in out varchar2) as ' +
      "begin p_out := p_in * 2; p_both := p_both || '!'; end;"
  );
  await execute('create or replace function added(a number, b number default 10) return number as begin return a + b; end;');
  const called = await execute('begin doubled(:1, :2, :3); end;', [
    21,
    { dir: oracledb.BIND_OUT, type: oracledb.NUMBER },
    { dir: oracledb.BIND_INOUT, val: 'hey', type: oracledb.STRING, maxSize: 10 },
  ]);
  assert.deepStrictEqual(called.outBinds, [42, 'hey!']);
  const result = await execute('begin :r := added(:a); end;', { r: { dir: oracledb.BIND_OUT, type: oracledb.NUMBER }, a: 1 });
  assert.deepStrictEqual(result.outBinds, { r: 11 });
});

check('plsql: executed again and again', async () => {
  for (let number = 0; number < 5; number++) {
    const { outBinds } = await execute('begin :o := :i * 2; end;', {
      o: { dir: oracledb.BIND_OUT, type: oracledb.NUMBER },
      i: number,
    });
    assert.strictEqual(outBinds.o, number * 2);
  }
});

check('plsql: a ref cursor', async () => {
  const { outBinds } = await execute('begin open :c for select level, to_char(level) from dual connect by level <= 120; end;', {
    c: { dir: oracledb.BIND_OUT, type: oracledb.CURSOR },
  });
  const found = await outBinds.c.getRows(0);
  await outBinds.c.close();
  assert.deepStrictEqual([found.length, found[119]], [120, [120, '120']]);
});

check('plsql: lobs out', async () => {
  const { outBinds } = await execute("begin :c := to_clob('text'); :b := to_blob(hextoraw('0102')); end;", {
    c: { dir: oracledb.BIND_OUT, type: oracledb.CLOB },
    b: { dir: oracledb.BIND_OUT, type: oracledb.BLOB },
  });
  assert.deepStrictEqual([await read(outBinds.c), await read(outBinds.b)], ['text', Buffer.from([1, 2])]);
});

check('plsql: a large text in', async () => {
  const { outBinds } = await execute('begin :l := dbms_lob.getlength(:c); end;', {
    l: { dir: oracledb.BIND_OUT, type: oracledb.NUMBER },
    c: { val: 'x'.repeat(100000), type: oracledb.CLOB },
  });
  assert.strictEqual(outBinds.l, 100000);
});

check('plsql: arrays by index', async () => {
  await execute(
    'create or replace package arrays as type numbers is table of number index by binary_integer; ' +
      'procedure turn(p_in in numbers, p_out out numbers); end;'
  );
  await execute(
    'create or replace package body arrays as procedure turn(p_in in numbers, p_out out numbers) as begin ' +
      'for i in 1 .. p_in.count loop p_out(i) := p_in(p_in.count + 1 - i); end loop; end; end;'
  );
  const { outBinds } = await execute('begin arrays.turn(:1, :2); end;', [
    { dir: oracledb.BIND_IN, type: oracledb.NUMBER, val: [1, 2, 3] },
    { dir: oracledb.BIND_OUT, type: oracledb.NUMBER, maxArraySize: 10 },
  ]);
  assert.deepStrictEqual(outBinds, [[3, 2, 1]]);
});

check('plsql: dbms_output', async () => {
  await execute('begin dbms_output.enable(null); end;');
  await execute("begin dbms_output.put_line('Zeile ü'); end;");
  const { outBinds } = await execute('begin dbms_output.get_line(:line, :status); end;', {
    line: { dir: oracledb.BIND_OUT, type: oracledb.STRING, maxSize: 32767 },
    status: { dir: oracledb.BIND_OUT, type: oracledb.NUMBER },
  });
  assert.deepStrictEqual(outBinds, { line: 'Zeile ü', status: 0 });
});

check('plsql: many executions of a block', async () => {
  const found = await connection.executeMany('begin :o := :i + 1; end;', [{ i: 1 }, { i: 2 }, { i: 3 }], {
    bindDefs: { i: { type: oracledb.NUMBER }, o: { dir: oracledb.BIND_OUT, type: oracledb.NUMBER } },
  });
  assert.deepStrictEqual(found.outBinds, [{ o: 2 }, { o: 3 }, { o: 4 }]);
});

check('plsql: a unit with errors', async () => {
  const { warning } = await execute('create or replace procedure broken as begin nothing_like_this; end;');
  assert.match(String(warning), /NJS-700|compilation/);
  await fails(execute('begin broken; end;'), 6550);
});

// -- errors ------------------------------------------------------------------------------------------------------------

check('errors: no such table', async () => {
  await fails(execute('select 1 from nothing_here'), 942);
});

check('errors: where the table is that is none', async () => {
  assert.strictEqual((await fails(execute('select 1 from nothing_here'), 942)).offset, 14);
});

check('errors: syntax', () => fails(execute('selec 1 from dual'), 900));

check('errors: a unique key', async () => {
  await table('keyed', 'id NUMBER CONSTRAINT keyed_key PRIMARY KEY, name VARCHAR2(3) NOT NULL');
  await execute("insert into keyed values (1, 'a')");
  await fails(execute("insert into keyed values (1, 'b')"), 1, /NODE_CHECKS\.KEYED_KEY/);
  assert.deepStrictEqual(await rows('select count(*) from keyed'), [[1]]);
});

check('errors: not null, too long, not a number', async () => {
  await fails(execute('insert into keyed values (2, null)'), 1400);
  await fails(execute("insert into keyed values (2, 'long')"), 12899);
  await fails(execute("insert into keyed values ('x', 'a')"), 1722);
  await fails(execute('select 1 / 0 from dual'), 1476);
});

check('errors: of PL/SQL', async () => {
  await fails(execute("begin raise_application_error(-20001, 'so it is'); end;"), 20001, /so it is/);
  await fails(execute('begin nothing_like_this; end;'), 6550, /PLS-00201/);
  await fails(execute('declare n number; begin select 1 into n from dual where 1 = 0; end;'), 1403);
});

check('errors: the connection goes on after them', async () => {
  await fails(execute('select * from nothing_here'), 942);
  assert.deepStrictEqual(await rows('select 1 from dual'), [[1]]);
});

check('errors: a call that takes too long', async () => {
  connection.callTimeout = 300;
  const begun = Date.now();
  await assert.rejects(execute('begin dbms_session.sleep(10); end;'), /NJS-123|DPI-1067/);
  connection.callTimeout = 0;
  assert.ok(Date.now() - begun < 5000);
  assert.deepStrictEqual(await rows('select 1 from dual'), [[1]]);
});

check('errors: a call that is broken off', async () => {
  const running = execute('begin dbms_session.sleep(10); end;');
  const failed = fails(running, 1013);
  await new Promise((done) => setTimeout(done, 200));
  await connection.breakExecution();
  await failed;
  assert.deepStrictEqual(await rows('select 1 from dual'), [[1]]);
});

async function main() {
  await prepare();
  console.log(`1..${checks.length}`);
  for (const { name, run } of checks) {
    try {
      await run();
      console.log(`ok - ${name}`);
    } catch (error) {
      console.log(`not ok - ${name}`);
      console.log(String(error.stack || error).replace(/^/gm, '# '));
    }
  }
  await connection.close();
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
