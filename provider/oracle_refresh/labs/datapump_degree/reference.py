"""Published series to lay one's own beside.

"Optimising Data Pump Export and Import Performance" (2012), on 5 CPU cores and a storage network of 1.5 GB/s.
`PUBLISHED` is the unload of one table of 19.4 GB without LOBs by one job with PARALLEL; at 32 and 64
processes it showed library cache load locks and DDL enqueues while the cores were about 20 % busy. `FIGURES`
are what was said of the shapes in words; the import went to another machine with 2 cores.
"""

from __future__ import annotations

#: Seconds by processes; the knee is at 32.
PUBLISHED = {8: 159.70, 16: 87.95, 32: 71.63, 64: 72.79}
TITLE = "19.4 GB on 5 cores (2012)"
#: What, before, and after.
FIGURES = (
    ("export of the table with LOBs: one job, then 32 jobs of one worker", "over 1.5 h", "about 11 min"),
    ("export of all other tables: PARALLEL=8, then PARALLEL=32", "about 40 min", "12 min"),
    ("import of the table with LOBs by 32 jobs, into a table without constraints", "", "about 11 min"),
)
