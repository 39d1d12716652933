"""A published series to lay one's own beside.

"DBFS use case performance on Exadata configurations" (March 2016, RDBMS 12.1.0.1): a store mounted by
dbfs_client with direct_io and server_readahead=0 on an Exadata X2-2; here its figures of one node.
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

#: MB/s by users and bytes of a block.
EXADATA_WRITE, EXADATA_READ = (
    {
        (users, block * KILOBYTE): float(rate)
        for users, rates in series.items()
        for block, rate in zip(_BLOCKS, rates, strict=True)
    }
    for series in (_WRITE, _READ)
)

#: MB/s of what is done with flat files and dumps, by the name of the phase.
EXADATA_PHASES = {
    "generate flat files": 145.0,
    "load external table": 250.0,
    "export dump": 245.0,
    "import dump": 115.0,
}

#: Seconds for 93,000 files, 3 GB in all.
EXADATA_FILES = {"extract": 345.0, "list": 35.0, "archive": 210.0, "remove": 165.0}
