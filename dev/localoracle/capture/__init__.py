"""Change capture: committed changes of tables, through a buffered queue, into change tables.

What Oracle documents as capture process, buffered queue and apply process (Streams, XStream Guide), on
PostgreSQL's logical decoding. One process of its own works for a server (`process.py`); the server talks to
it through `manager.py`.
"""
