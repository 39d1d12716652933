"""A published series to lay one's own beside.

"Optimising Data Pump Export and Import Performance" (2012): unload of one table of 19.4 GB without LOBs, by
processes; 5 CPU cores, a storage network of 1.5 GB/s. At 32 and 64 processes it showed library cache load
locks and DDL enqueues while the cores were about 20 % busy.
"""

from __future__ import annotations

#: Seconds by processes; the knee is at 32.
PUBLISHED = {8: 159.70, 16: 87.95, 32: 71.63, 64: 72.79}
TITLE = "19.4 GB on 5 cores (2012)"
