"""NUMBER keeps 20 digits of base 100 ("NUMBER Data Type"): on the wire, stored, in text."""

from __future__ import annotations

from collections.abc import Callable
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Any

import oracledb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.stand_in import Schema, module_schema  # noqa: F401

Value = Callable[..., Any]
EXACT = Context(prec=400, rounding=ROUND_HALF_UP)


@pytest.fixture(scope="module")
def value(module_schema: Schema) -> Value:  # noqa: F811
    cursor = module_schema.connection.cursor()

    def run(text: str, *binds: Any) -> Any:
        cursor.execute(f"select {text} from dual", list(binds), fetch_decimals=True)
        return cursor.fetchone()[0]

    return run


def kept(number: Decimal) -> Decimal:
    """What NUMBER keeps of a number."""
    if not number or number.adjusted() < -130:
        return Decimal(0)
    last = Decimal(1).scaleb(2 * (number.adjusted() // 2 - 19), context=EXACT)
    units = EXACT.divide(number, last).to_integral_value(ROUND_HALF_UP)
    return EXACT.multiply(units, last)


numbers = st.builds(
    lambda sign, digits, exponent: Decimal((sign, tuple(map(int, str(digits))), exponent - len(str(digits)))),
    st.sampled_from((0, 1)),
    st.integers(1, 10**38 - 1),
    st.integers(-120, 125),
)


@given(numbers)
def test_round_trip(value: Value, number: Decimal) -> None:
    assert value(":1", number) == number
    assert value("to_number(:1)", str(number)) == number
    assert value(f"{number:E}") == number


@given(numbers, numbers)
def test_quotient(value: Value, one: Decimal, two: Decimal) -> None:
    quotient = kept(EXACT.divide(one, two))
    if quotient.adjusted() < 126:
        assert value(":1 / :2", one, two) == quotient


@pytest.fixture(scope="module")
def many(module_schema: Schema) -> oracledb.Cursor:  # noqa: F811
    cursor = module_schema.connection.cursor()
    cursor.execute("create table many (id number, n number)")
    return cursor


@given(st.lists(numbers, min_size=2, max_size=6))
def test_array_binds_and_columns(many: oracledb.Cursor, given: list[Decimal]) -> None:
    many.connection.rollback()
    many.executemany("insert into many values (:1, :2)", list(enumerate(given)))
    many.execute("select n from many order by id", fetch_decimals=True)
    assert [row[0] for row in many] == given


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("0." + "9" * 38, "." + "9" * 38),
        ("9" * 38, "9" * 38),
        ("0.5", ".5"),
        ("-0.5", "-.5"),
        ("1/3", "." + "3" * 40),
        ("100/3", "33." + "3" * 38),
        ("1/24", ".0416666666666666666666666666666666666667"),
        ("1e-100 / 2", "5.000000000000000000000000000000000E-101"),
        ("1e-100 / 1e-100", "1"),
        ("1e39", "1" + "0" * 39),
        ("1e125", "1.000000000000000000000000000000000E+125"),
        ("cast(12345.678 as number(7, -2))", "12300"),
        ("cast(1.005 as number(3, 2))", "1.01"),
        ("cast(-2.5 as integer)", "-3"),
    ],
)
def test_text(value: Value, expression: str, text: str) -> None:
    assert value(f"to_char({expression})") == text


@pytest.mark.parametrize(
    ("expression", "code"),
    [
        ("1e126", 1426),
        ("power(10, 126)", 1426),
        ("cast(123456 as number(5))", 1438),
        ("cast(0.001 as number(2, 5))", 1438),
        ("to_number('1e')", 1722),
        ("to_number('NaN')", 1722),
        ("to_number('1_000')", 1722),
        ("1 / 0", 1476),
    ],
)
def test_refused(value: Value, expression: str, code: int) -> None:
    with pytest.raises(oracledb.DatabaseError) as refused:
        value(expression)
    assert refused.value.args[0].code == code


@pytest.mark.parametrize(
    ("number", "model", "text"),
    [
        ("-1234567890", "9999999999S", "1234567890-"),
        ("0", "99.99", "   .00"),
        ("+0.1", "99.99", "   .10"),
        ("-0.2", "99.99", "  -.20"),
        ("0", "90.99", "  0.00"),
        ("+0.1", "90.99", "  0.10"),
        ("-0.2", "90.99", " -0.20"),
        ("0", "9999", "    0"),
        ("1", "9999", "    1"),
        ("+123.456", "999.999", " 123.456"),
        ("-123.456", "999.999", "-123.456"),
        ("+123.456", "FM999.009", "123.456"),
        ("+123.456", "9.9EEEE", "  1.2E+02"),
        ("+1E+123", "9.9EEEE", " 1.0E+123"),
        ("+123.456", "FM9.9EEEE", "1.2E+02"),
        ("+123.45", "FM999.009", "123.45"),
        ("+123.0", "FM999.009", "123.00"),
        ("+1234567890", "9999999999S", "1234567890+"),
        ("0.004", ".99", " .00"),
        ("-0.5", ".99", "-.50"),
        ("1", ".99", "####"),
    ],
)
def test_formats_of_the_documentation(value: Value, number: str, model: str, text: str) -> None:
    """Table "Results of Number Conversions" of "Number Format Models"."""
    assert value(f"to_char({number}, '{model}')") == text


@pytest.mark.parametrize("model", ["B9999", "L999.99", "C999", "RN"])
def test_formats_that_are_refused_by_name(value: Value, model: str) -> None:
    with pytest.raises(oracledb.DatabaseError, match="ORA-03001"):
        value(f"to_char(1, '{model}')")


def test_binary_numbers(value: Value) -> None:
    assert value("case when binary_double_nan = binary_double_nan then 1 end") == 1
    assert value("case when binary_double_nan > binary_double_infinity then 1 end") == 1
    assert value("binary_float_infinity") == float("inf")
    assert value("nanvl(binary_double_nan, 1)") == 1
    assert value("1e300d") == 1e300
    for expression, text in (
        ("0.1d", "1.0000000000000001E-001"),
        ("1.3f", "1.29999995E+000"),
        ("-100d", "-1.0E+002"),
        ("binary_float_nan", "Nan"),
    ):
        assert value(f"to_char({expression})") == text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        ("1e63", "1" + 63 * "0"),
        ("1e64", "1E+64"),
        ("-123456789012345678901234567890123456789e30", "-1.23456789012345678901234567890123456789E+68"),
        ("1e-50", "." + 49 * "0" + "1"),
        ("-1.5e-100", "-1.5E-100"),
        ("0.1d", ".1"),
        ("0.10000000000000002d", ".10000000000000002"),
        ("0.1f", ".1"),
        ("1e126d", "1E+126"),
        ("2e-200d", "2E-200"),
        ("-0d", "0"),
    ],
)
def test_text_minimum_is_exact_and_has_an_exponent_beyond_64_characters(
    value: Value, number: str, text: str
) -> None:
    assert (
        value(f"to_char({number}, 'TM9')")
        == value(f"to_char({number}, case when 1 = 1 then 'tm' end)")
        == text
    )


@pytest.mark.parametrize("model", ["TM9", "999.99", "FM9"])
def test_a_format_model_makes_nan_and_infinity_pound_signs(value: Value, model: str) -> None:
    for number in ("binary_double_nan", "binary_float_infinity", "-binary_double_infinity"):
        assert set(value(f"to_char({number}, '{model}')")) == {"#"}
    with pytest.raises(oracledb.DatabaseError, match="ORA-01481"):
        value("to_char(binary_double_nan, 'zzz')")


def test_columns_of_type_float_keep_their_binary_digits(schema: Schema) -> None:
    # "FLOAT Data Type": 0.30103 decimal digits for each binary one.
    cursor = schema.connection.cursor()
    cursor.execute("CREATE TABLE F (ID NUMBER, A FLOAT(5), B FLOAT, C REAL)")
    cursor.execute("ALTER TABLE F ADD (D FLOAT(5))")
    cursor.execute("ALTER TABLE F MODIFY (D FLOAT(10))")
    cursor.execute(
        "INSERT INTO F SELECT LEVEL, 123.45 * LEVEL, 1 / 3, 1 / 3, 123456 FROM DUAL CONNECT BY LEVEL < 3"
    )
    cursor.execute("UPDATE F SET A = 7.89 WHERE ID = 2")
    cursor.execute("SELECT A, LENGTH(B) - 1, LENGTH(C) - 1, D FROM F ORDER BY ID")
    assert cursor.fetchall() == [(120, 38, 19, 123500), (7.9, 38, 19, 123500)]
    cursor.execute("CREATE TABLE G AS SELECT A FROM F")
    cursor.execute("INSERT INTO G VALUES (12.79)")
    cursor.execute("SELECT MAX(A) - 107 FROM G")
    assert cursor.fetchall() == [(13,)]
    cursor.execute("SELECT A FROM G WHERE A = 13")
    assert cursor.fetchall() == [(13,)]
