"""A published series to lay one's own beside.

"DBFS use case performance on Exadata configurations" (March 2016, RDBMS 12.1.0.1): a store mounted by
dbfs_client with direct_io and server_readahead=0 on an Exadata X2-2: a quarter rack, whose one node did all,
and a half rack, whose four nodes did a quarter each (of small files all did the same).
"""

from __future__ import annotations

TITLE = "DBFS on Exadata X2-2, one node (March 2016)"

KILOBYTE = 1024
_BLOCKS = (1, 4, 8, 32, 128, 1024)
_WRITE = {
    1: (35, 120, 205, 390, 405, 400),
    4: (115, 385, 650, 900, 880, 880),
    8: (140, 460, 770, 1090, 935, 795),
}
_READ = {
    1: (35, 130, 215, 350, 380, 380),
    4: (115, 415, 620, 935, 905, 870),
    8: (140, 510, 820, 935, 900, 880),
}

_FOUR_WRITE = {
    1: (140, 480, 780, 1560, 1500, 1540),
    4: (460, 1460, 2320, 2640, 3040, 3040),
    8: (500, 1520, 2520, 2800, 3660, 3320),
}
_FOUR_READ = {
    1: (140, 520, 900, 1540, 1620, 1620),
    4: (460, 1660, 2440, 2760, 3320, 3140),
    8: (520, 1760, 2800, 3580, 3980, 3540),
}

#: MB/s by users of each node and bytes of a block, of one node and of four together.
EXADATA_WRITE, EXADATA_READ, FOUR_WRITE, FOUR_READ = (
    {
        (users, block * KILOBYTE): float(rate)
        for users, rates in series.items()
        for block, rate in zip(_BLOCKS, rates, strict=True)
    }
    for series in (_WRITE, _READ, _FOUR_WRITE, _FOUR_READ)
)

#: MB/s of what is done with flat files and dumps, by the name of the phase.
EXADATA_PHASES = {
    "generate flat files": 145.0,
    "load external table": 250.0,
    "export dump": 245.0,
    "import dump": 115.0,
}

FOUR_PHASES = {
    "generate flat files": 585.0,
    "load external table": 810.0,
    "export dump": 1045.0,
    "import dump": 560.0,
}

#: Seconds for 93,000 files, 3 GB in all; of four nodes each had as many. `ls -l` of a pattern took less than
#: one.
EXADATA_FILES = {"extract": 345.0, "list": 35.0, "archive": 210.0, "remove": 165.0}
FOUR_FILES = {"extract": 340.0, "list": 30.0, "archive": 200.0, "remove": 280.0}
STUDY_FILES = 93_000
