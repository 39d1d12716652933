"""Words with a meaning of their own in queries."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources


@cache
def reserved_words() -> frozenset[str]:
    """Words that are no names unless quoted (SQL Language Reference, "Oracle SQL Reserved Words")."""
    text = resources.files("localoracle").joinpath("data/reserved_words.json").read_text()
    return frozenset(json.loads(text)["sql"])


PSEUDOCOLUMNS = frozenset(
    ["COLUMN_VALUE", "LEVEL", "NESTED_TABLE_ID", "NULL", "ROWID", "ROWNUM", "SYSDATE", "UID", "USER"]
)
"""Reserved words that are expressions."""

CONDITION_FUNCTIONS = frozenset((
    "EQUALS_PATH", "JSON_EQUAL", "JSON_EXISTS", "JSON_TEXTCONTAINS", "LNNVL", "REGEXP_LIKE", "UNDER_PATH",
    "XMLEXISTS",
))  # fmt: skip
"""Functions whose call is a condition ("Conditions"; LNNVL "can be used only in the WHERE clause")."""

ANALYTIC_FUNCTIONS = frozenset((
    "ANY_VALUE", "APPROX_COUNT_DISTINCT", "APPROX_COUNT", "APPROX_PERCENTILE", "APPROX_RANK", "APPROX_SUM",
    "AVG", "BIT_AND_AGG", "BIT_OR_AGG", "BIT_XOR_AGG", "CHECKSUM", "CLUSTER_DETAILS", "CLUSTER_DISTANCE",
    "CLUSTER_ID", "CLUSTER_PROBABILITY", "CLUSTER_SET", "COLLECT", "CORR", "CORR_K", "CORR_S", "COUNT",
    "COVAR_POP", "COVAR_SAMP", "CUME_DIST", "DENSE_RANK", "FEATURE_DETAILS", "FEATURE_ID", "FEATURE_SET",
    "FEATURE_VALUE", "FIRST_VALUE", "KURTOSIS_POP", "KURTOSIS_SAMP", "LAG", "LAST_VALUE", "LEAD", "LISTAGG",
    "MAX", "MEDIAN", "MIN", "NTH_VALUE", "NTILE", "PERCENT_RANK", "PERCENTILE_CONT", "PERCENTILE_DISC",
    "PREDICTION", "PREDICTION_COST", "PREDICTION_DETAILS", "PREDICTION_PROBABILITY", "PREDICTION_SET",
    "RANK", "RATIO_TO_REPORT", "REGR_AVGX", "REGR_AVGY", "REGR_COUNT", "REGR_INTERCEPT", "REGR_R2",
    "REGR_SLOPE", "REGR_SXX", "REGR_SXY", "REGR_SYY", "ROW_NUMBER", "SKEWNESS_POP", "SKEWNESS_SAMP",
    "STATS_MODE", "STDDEV", "STDDEV_POP", "STDDEV_SAMP", "SUM", "VAR_POP", "VAR_SAMP", "VARIANCE", "XMLAGG",
))  # fmt: skip
"""Functions that OVER, KEEP and WITHIN GROUP may follow ("Analytic Functions", "Aggregate Functions")."""

AGGREGATES = frozenset((
    "COUNT", "SUM", "AVG", "MIN", "MAX", "MEDIAN", "STDDEV", "STDDEV_SAMP", "STDDEV_POP", "VARIANCE",
    "VAR_SAMP", "VAR_POP", "LISTAGG", "APPROX_COUNT_DISTINCT", "CHECKSUM", "GROUPING",
    "PERCENTILE_CONT", "PERCENTILE_DISC",
))  # fmt: skip
"""Aggregate functions that the stand-in has."""

FREE_ARGUMENTS = ("JSON_", "XML", "PREDICTION", "CLUSTER_", "FEATURE_", "APPROX_", "ORA_DM_", "HIER_")
"""Beginnings of functions with a syntax of their own between their parentheses."""
