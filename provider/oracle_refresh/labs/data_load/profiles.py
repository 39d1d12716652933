"""How large the LOBs of the loaded rows are: distributions by name, drawn at evenly spaced quantiles. Pure.

Nothing is drawn by chance: with `pieces` values the i-th is the quantile (i + 0.5) / pieces, so that the
rows, which take the pieces evenly, have the distribution's own share of NULLs, its mean and its tail.
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Band:
    """A share of the values that are not NULL, with lengths from `low` to `high` bytes.

    `tail` None spreads the lengths evenly; a number is the exponent of a Pareto distribution cut off at both
    ends, where 0 means that each order of magnitude has the same share.
    """

    share: float
    low: int
    high: int
    tail: float | None = None

    def length(self, quantile: float) -> int:
        """The length below which `quantile` of this band's values are, in bytes."""
        if self.tail is None:
            return round(self.low + (self.high - self.low) * quantile)
        if self.tail == 0:
            return round(self.low * math.pow(self.high / self.low, quantile))
        # Inverse of the bounded Pareto's distribution function.
        above = 1 - quantile * (1 - math.pow(self.low / self.high, self.tail))
        return round(self.low * math.pow(above, -1 / self.tail))


@dataclass(frozen=True)
class LobProfile:
    """What the column DOC of the loaded tables holds."""

    name: str
    title: str
    datatype: str
    """CLOB or BLOB; empty for tables without a LOB."""
    pieces: int
    """Different values, NULL among them."""
    null_share: float
    bands: tuple[Band, ...]
    storage: str = ""
    """The LOB_storage_clause (SQL Language Reference 19c, CREATE TABLE)."""

    def lengths(self) -> tuple[int | None, ...]:
        """The length of each piece in bytes, None for NULL."""
        return tuple(self._length((number + 0.5) / self.pieces) for number in range(self.pieces))

    def mean(self) -> float:
        """Bytes per row, NULLs counted as none."""
        lengths = self.lengths()
        return sum(length or 0 for length in lengths) / len(lengths) if lengths else 0.0

    def _length(self, quantile: float) -> int | None:
        if quantile < self.null_share:
            return None
        place = (quantile - self.null_share) / (1 - self.null_share)
        below = 0.0
        for band in self.bands[:-1]:
            if place < below + band.share:
                return band.length((place - below) / band.share)
            below += band.share
        return self.bands[-1].length((place - below) / (1 - below))


_SECUREFILE = "STORE AS SECUREFILE (ENABLE STORAGE IN ROW NOCACHE NOLOGGING)"
_STUDY_LOBS = 31_459 + 327_232

PROFILES = {
    profile.name: profile
    for profile in (
        LobProfile("none", "no LOBs, as SLOB", "", 0, 0.0, ()),
        # A published study of a table of a million rows: 641,309 NULL, 31,459 up to 4,000 bytes, 327,232
        # above; at most 8,000 bytes, 7,389 on average. How the lengths lie between, it does not say: evenly
        # here, so that the average is met. BasicFile, chunks of 8 KB, in the row where they fit, as there.
        LobProfile(
            "study",
            "a published table: 64 % NULL, else 7.4 KB on average, at most 8,000 bytes, BasicFile",
            "BLOB",
            1000,
            0.641309,
            (
                Band(31_459 / _STUDY_LOBS, 200, 4_000),
                Band(327_232 / _STUDY_LOBS, 7_797, 8_000),
            ),
            "STORE AS BASICFILE (ENABLE STORAGE IN ROW CHUNK 8192 NOCACHE NOLOGGING)",
        ),
        # Exponents between 1 and 1.2 are what was found of files on servers (M. E. Crovella, A. Bestavros,
        # "Self-Similarity in World Wide Web Traffic", IEEE/ACM Transactions on Networking 5, 1997).
        LobProfile(
            "heavy_tailed",
            "heavy tail: most are 1 to 4 KB, few are hundreds of KB and hold a large part of the bytes",
            "CLOB",
            1000,
            0.0,
            (Band(1.0, 1_024, 4 << 20, tail=1.1),),
            _SECUREFILE,
        ),
        LobProfile(
            "documents",
            "letters (2 to 20 KB), office documents (20 to 200 KB), scans (200 KB to 2 MB)",
            "BLOB",
            100,
            0.0,
            (
                Band(0.55, 2_000, 20_000, tail=0),
                Band(0.35, 20_000, 200_000, tail=0),
                Band(0.10, 200_000, 2_000_000, tail=0),
            ),
            _SECUREFILE,
        ),
    )
}
